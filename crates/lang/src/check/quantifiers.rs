//! `forall`, `exists`, `count` and `sum`: what is said of each number of a range, of each thread of a
//! kind by its index, or of each element of an array. It is written out here, once for each.

use super::Checker;
use super::inlining::measure;
use super::names::SymbolKind;
use super::paths::Resolved;
use super::tree::{Expression, ExpressionKind, Location, Population};
use super::types::{Declared, Type};
use crate::ast::{self, Name, Quantifier, Range, Span};
use raddle_diagnostics::Diagnostic;
use raddle_machine::ir::BinaryOperator;

/// More parts than this are not written out, in all of a program.
const MOST_COPIES: u32 = 100_000;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Bound {
    Number(i32),
    Place(Location, Declared),
    /// The value of a parameter, and of how many parts it is made.
    Value(Expression, u32),
}

/// A quantified expression, with what it goes over.
pub(super) struct Quantified<'a> {
    pub(super) name: &'a Name,
    pub(super) body: &'a ast::Expression,
    pub(super) each: Vec<Bound>,
}

impl<'a> Checker<'a> {
    pub(super) fn quantified(
        &mut self,
        quantifier: Quantifier,
        (name, range): (&'a Name, &'a Range),
        body: &'a ast::Expression,
        span: &Span,
    ) -> Expression {
        let ty = match quantifier {
            Quantifier::Forall | Quantifier::Exists | Quantifier::Count => Type::Bool,
            Quantifier::Sum => Type::Int,
        };
        let Some(each) = self.each(name, range, span) else {
            return Expression::error(span.clone());
        };
        let quantified = Quantified { name, body, each };
        let values = self.written_out(&quantified, &mut |checker, body| {
            checker.expression_of(body, ty)
        });
        let Some(values) = values else {
            return Expression::error(span.clone());
        };
        let number = |value| Expression::constant(value, Type::Int, span.clone());
        let truth = |value| Expression::constant(value, Type::Bool, span.clone());
        let one_or_none = |value: Expression| {
            let span = value.span.clone();
            let kind = ExpressionKind::Conditional(
                Box::new(value),
                Box::new(number(1)),
                Box::new(number(0)),
            );
            Expression::new(kind, Type::Int, span)
        };
        let (operator, none, values) = match quantifier {
            Quantifier::Forall => (BinaryOperator::And, truth(1), values),
            Quantifier::Exists => (BinaryOperator::Or, truth(0), values),
            Quantifier::Sum => (BinaryOperator::Add, number(0), values),
            Quantifier::Count => {
                let values = values.into_iter().map(one_or_none).collect();
                (BinaryOperator::Add, number(0), values)
            }
        };
        let mut both = |left, right| self.combine(operator, left, right, span);
        balanced(values, &mut both).unwrap_or(none)
    }

    /// The body of a quantified expression with each of what its name stands for. After an error the
    /// others are left out: they would have the same.
    pub(super) fn written_out<T>(
        &mut self,
        quantified: &Quantified<'a>,
        check: &mut dyn FnMut(&mut Self, &'a ast::Expression) -> T,
    ) -> Option<Vec<T>> {
        let mistakes = self.diagnostics.len();
        let mut all = Vec::new();
        for bound in &quantified.each {
            if !self.write_out(1, &quantified.body.span) {
                return None;
            }
            self.bound.push((quantified.name, bound.clone()));
            let one = check(self, quantified.body);
            self.bound.pop();
            if self.diagnostics.len() > mistakes {
                return None;
            }
            all.push(one);
        }
        Some(all)
    }

    /// Counts so many parts that are written out; false if there are too many of them by now.
    pub(super) fn write_out(&mut self, parts: u32, span: &Span) -> bool {
        let was_small = self.copies <= MOST_COPIES;
        self.copies = self.copies.saturating_add(parts);
        if was_small && self.copies > MOST_COPIES {
            self.report(Diagnostic::new(
                span.clone(),
                "quantifiers and functions become too large here",
                format!("written out, they have more than {MOST_COPIES} parts"),
            ));
        }
        self.copies <= MOST_COPIES
    }

    /// What a name of a quantifier stands for, if it is one.
    pub(super) fn bound(&mut self, name: &str, span: &Span) -> Option<Resolved> {
        let mut innermost = self.bound.iter().rev();
        let (declared, bound) = innermost.find(|(it, _)| it.text == name)?;
        self.uses.push((span.clone(), declared.span.clone()));
        Some(match bound {
            Bound::Number(value) => {
                Resolved::Value(Expression::constant(*value, Type::Int, span.clone()))
            }
            Bound::Place(location, declared) => {
                let (location, declared) = (location.clone(), *declared);
                let size = location.parts().map(|it| measure(it).0);
                let size = size.fold(0, u32::saturating_add);
                match self.write_out(size, span) {
                    true => Resolved::Place(location, declared),
                    false => Resolved::Error,
                }
            }
            Bound::Value(value, size) => {
                let (value, size) = (value.clone(), *size);
                match self.write_out(size, span) {
                    true => Resolved::Value(value),
                    false => Resolved::Error,
                }
            }
        })
    }

    /// What a quantifier goes over.
    pub(super) fn each(
        &mut self,
        name: &'a Name,
        range: &'a Range,
        span: &Span,
    ) -> Option<Vec<Bound>> {
        let is_taken = self.names.contains_key(name.text.as_str())
            || self.body.find(&name.text).is_some()
            || self.bound.iter().any(|(it, _)| it.text == name.text);
        if is_taken {
            self.report(Diagnostic::new(
                name.span.clone(),
                format!("`{}` is the name of something else", name.text),
                "this would hide it",
            ));
            return None;
        }
        match range {
            Range::Numbers(first, last) => {
                let first = self.constant(first, Type::Int, "the first number")?;
                let last = self.constant(last, Type::Int, "the last number")?;
                let count = (i64::from(last) - i64::from(first) + 1).max(0);
                if count > i64::from(MOST_COPIES) {
                    self.write_out(MOST_COPIES, span);
                    self.write_out(1, span);
                    return None;
                }
                Some((first..=last).map(Bound::Number).collect())
            }
            Range::All(all) => match self.threads(all) {
                Some(threads) => threads,
                None => self.each_element(all),
            },
        }
    }

    /// The indices of the threads of a kind, if that is what is named.
    fn threads(&mut self, all: &'a ast::Expression) -> Option<Option<Vec<Bound>>> {
        let ast::ExpressionKind::Name(name) = &all.kind else {
            return None;
        };
        let Some(SymbolKind::Thread(id, _)) = self.symbol(name) else {
            return None;
        };
        self.used_at(name, &all.span);
        let population = self.out.populations.get(id.0 as usize);
        if let Some(Population::Numbered(count)) = population {
            return Some(Some((0..*count as i32).map(Bound::Number).collect()));
        }
        self.report(Diagnostic::new(
            all.span.clone(),
            format!("it is not known how many threads `{name}` there are"),
            "expected threads that are declared with their number, as in `thread worker[3]`",
        ));
        Some(None)
    }

    /// The elements of an array.
    fn each_element(&mut self, all: &'a ast::Expression) -> Option<Vec<Bound>> {
        match self.resolve(all) {
            Resolved::Error => None,
            Resolved::Place(location, declared)
                if location.indices.len() < location.dimensions.len() =>
            {
                let size = location.dimensions[location.indices.len()];
                let element = |index: u32| {
                    let mut location = location.clone();
                    let index = Expression::constant(index as i32, Type::Int, all.span.clone());
                    location.indices.push(index);
                    Bound::Place(location, declared)
                };
                if let super::tree::Storage::Shared(region) = location.storage
                    && self.per_thread(region)
                {
                    self.not_an_array(all, "how many elements it has is not known");
                    return None;
                }
                if size > MOST_COPIES {
                    self.not_an_array(all, "it is too large to be written out");
                    return None;
                }
                Some((0..size).map(element).collect())
            }
            Resolved::Place(..) | Resolved::Value(_) => {
                self.not_an_array(all, "expected `a..b`, an array, or a kind of thread");
                None
            }
        }
    }

    fn not_an_array(&mut self, all: &ast::Expression, why: &str) {
        let message = "a quantifier cannot go over this";
        self.report(Diagnostic::new(all.span.clone(), message, why));
    }
}

/// All of them together, in order, by a tree that is not deep.
pub(super) fn balanced<T>(mut all: Vec<T>, both: &mut dyn FnMut(T, T) -> T) -> Option<T> {
    while all.len() > 1 {
        let mut next = Vec::with_capacity(all.len().div_ceil(2));
        let mut rest = all.into_iter();
        while let Some(left) = rest.next() {
            next.push(match rest.next() {
                Some(right) => both(left, right),
                None => left,
            });
        }
        all = next;
    }
    all.pop()
}

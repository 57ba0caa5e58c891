//! Properties of executions as a whole.

use super::quantifiers::{Quantified, balanced};
use super::tree::{Expression, ExpressionKind, Property};
use super::types::Type;
use super::{Checker, Context};
use crate::ast::{
    self, ExpressionKind as Source, InfixOperator, Name, PrefixOperator, Quantifier, Range, Span,
};
use raddle_diagnostics::Diagnostic;
use raddle_machine::ir::BinaryOperator;
use raddle_model::{Fairness, Formula};

impl<'a> Checker<'a> {
    pub(super) fn property(
        &mut self,
        name: Option<&'a Name>,
        formula: &'a ast::Expression,
        fairness: Option<Fairness>,
        span: &Span,
    ) {
        let checked = self.within(Context::Predicate("a property"), |checker| {
            checker.formula(formula)
        });
        self.out.properties.push(Property {
            name: name.map(|name| name.text.clone()),
            formula: checked,
            fairness: fairness.unwrap_or_default(),
            written: formula.span.clone(),
            span: span.clone(),
        });
    }

    /// What has no operator of time in it is an atom.
    fn formula(&mut self, expression: &'a ast::Expression) -> Formula<Expression> {
        if !speaks_of_time(expression) {
            return Formula::Atom(self.expression_of(expression, Type::Bool));
        }
        let too_deep = Formula::Constant(true);
        self.nested(&expression.span, too_deep, |checker| {
            checker.of_parts(expression)
        })
    }

    fn of_parts(&mut self, expression: &'a ast::Expression) -> Formula<Expression> {
        let mut of = |part: &'a ast::Expression| Box::new(self.formula(part));
        match &expression.kind {
            Source::Prefix(operator, a) => match operator {
                PrefixOperator::Always => Formula::Always(of(a)),
                PrefixOperator::Eventually => Formula::Eventually(of(a)),
                PrefixOperator::Next => Formula::Next(of(a)),
            },
            Source::Infix(operator, a, b) => match operator {
                InfixOperator::Implies => Formula::Implies(of(a), of(b)),
                InfixOperator::Until => Formula::Until(of(a), of(b)),
                InfixOperator::Unless => Formula::Unless(of(a), of(b)),
                InfixOperator::LeadsTo => Formula::LeadsTo(of(a), of(b)),
            },
            Source::Quantified(
                quantifier @ (Quantifier::Forall | Quantifier::Exists),
                name,
                range,
                body,
            ) => self.of_each(*quantifier, (name, range), body, &expression.span),
            Source::Unary(ast::UnaryOperator::Not, a) => Formula::Not(of(a)),
            Source::Binary(BinaryOperator::And, a, b) => Formula::And(of(a), of(b)),
            Source::Binary(BinaryOperator::Or, a, b) => Formula::Or(of(a), of(b)),
            // The error points at the operator of time.
            _ => Formula::Atom(self.expression_of(expression, Type::Bool)),
        }
    }

    /// What is said of each, and all of it or some of it.
    fn of_each(
        &mut self,
        quantifier: Quantifier,
        (name, range): (&'a Name, &'a Range),
        body: &'a ast::Expression,
        span: &Span,
    ) -> Formula<Expression> {
        let is_forall = quantifier == Quantifier::Forall;
        let each = self.each(name, range, span);
        let formulas = each.and_then(|each| {
            let quantified = Quantified { name, body, each };
            self.written_out(&quantified, &mut |checker, body| checker.formula(body))
        });
        let mut both = |a, b| match is_forall {
            true => Formula::And(Box::new(a), Box::new(b)),
            false => Formula::Or(Box::new(a), Box::new(b)),
        };
        balanced(formulas.unwrap_or_default(), &mut both).unwrap_or(Formula::Constant(is_forall))
    }

    /// An operator of time where only values can stand.
    pub(super) fn misplaced_time(&mut self, expression: &'a ast::Expression) -> Expression {
        let word = match &expression.kind {
            Source::Prefix(operator, _) => operator.word(),
            Source::Infix(operator, ..) => operator.words(),
            _ => "this",
        };
        let (message, label) = match self.context {
            Context::Predicate("a property") => (
                format!("`{word}` cannot be a part of a value"),
                "it can be combined by `!`, `&&`, `||` and `implies` only",
            ),
            _ => (
                format!("`{word}` can be used in a `property` only"),
                "this is about executions, not about a state",
            ),
        };
        self.report(Diagnostic::new(expression.span.clone(), message, label));
        Expression::error(expression.span.clone())
    }

    /// `a implies b` of two values.
    pub(super) fn implication(
        &mut self,
        first: &'a ast::Expression,
        second: &'a ast::Expression,
        span: &Span,
    ) -> Expression {
        let first = self.expression_of(first, Type::Bool);
        let second = self.expression_of(second, Type::Bool);
        let place = first.span.clone();
        let negation = ExpressionKind::Unary(ast::UnaryOperator::Not, Box::new(first));
        let negation = Box::new(Expression::new(negation, Type::Bool, place));
        let kind = ExpressionKind::Binary(BinaryOperator::Or, negation, Box::new(second));
        Expression::new(kind, Type::Bool, span.clone())
    }
}

/// Whether there is an operator of time in an expression.
fn speaks_of_time(expression: &ast::Expression) -> bool {
    match &expression.kind {
        Source::Prefix(..) => true,
        Source::Infix(InfixOperator::Implies, a, b) | Source::Binary(_, a, b) => {
            speaks_of_time(a) || speaks_of_time(b)
        }
        Source::Infix(..) => true,
        Source::Unary(_, a) => speaks_of_time(a),
        Source::Quantified(.., body) => speaks_of_time(body),
        Source::Conditional(a, b, c) => [a, b, c].into_iter().any(|it| speaks_of_time(it)),
        _ => false,
    }
}

//! Calls where nothing may be done: in invariants, properties, claims and guards. A function that only
//! returns the value of an expression stands for that expression.

use super::names::SymbolKind;
use super::quantifiers::Bound;
use super::tree::{Expression, ExpressionKind, Location};
use super::{Checker, ResultType};
use crate::ast::{self, Item, Name, Span, StatementKind};
use raddle_diagnostics::Diagnostic;
use raddle_machine::ir::ValueType;

/// What is put in the place of a call has no more levels than this.
const DEEPEST: u32 = 200;

impl<'a> Checker<'a> {
    /// The value of a call, where `place` says that nothing may be done.
    pub(super) fn inlined(
        &mut self,
        name: &'a Name,
        arguments: &'a [ast::Expression],
        span: &Span,
        place: &str,
    ) -> Expression {
        let failed = Expression::error(span.clone());
        let Some(SymbolKind::Function(id)) = self.symbol(&name.text) else {
            return self.call(name, arguments, span);
        };
        let mut items = self.program.items.iter();
        let function = items.find_map(|item| match item {
            Item::Function(it) if it.name.text == name.text => Some(it),
            _ => None,
        });
        let signature = self.signatures.get(id.0 as usize);
        let result = signature.map(|it| it.result);
        // A range would have to be checked on the way.
        let is_plain = |value: &ValueType| !matches!(value, ValueType::Ranged(_));
        let are_plain = signature.is_some_and(|it| it.parameters.iter().flatten().all(is_plain));
        let result = match result {
            Some(ResultType::Value(value)) if is_plain(&value) && are_plain => Some(value),
            _ => None,
        };
        let body = function.and_then(|function| match &function.body.statements[..] {
            [only] => match &only.kind {
                StatementKind::Return(Some(value)) => Some((function, value)),
                _ => None,
            },
            _ => None,
        });
        let Some(((function, value), result)) = body.zip(result) else {
            let error = Diagnostic::new(
                span.clone(),
                format!("{place} cannot call this function"),
                "only a function that is nothing but `return e;` can stand here",
            );
            self.report(error.help(
                "write what a loop computes as `forall(i in 0..3: ...)`, `exists`, `count` or `sum`",
            ));
            return failed;
        };
        if self.inlining.contains(&id) {
            let message = format!("`{}` calls itself", name.text);
            self.report(Diagnostic::new(
                span.clone(),
                message,
                "this has no end here",
            ));
            return failed;
        }
        self.used(name);
        let Some(arguments) = self.arguments(id, name, arguments) else {
            return failed;
        };
        let names = function.parameters.iter().map(|it| &it.name);
        let mut bound = Vec::new();
        for (name, value) in names.zip(arguments) {
            match measure(&value) {
                (size, ..=DEEPEST) => bound.push((name, Bound::Value(value, size))),
                _ => return self.too_deep(span),
            }
        }
        if !self.write_out(1, span) {
            return failed;
        }
        // What has a name where it is called has none in the function.
        let bound = std::mem::replace(&mut self.bound, bound);
        let body = std::mem::take(&mut self.body);
        self.inlining.push(id);
        let value = self.expression_of(value, result.into());
        self.inlining.pop();
        self.body = body;
        self.bound = bound;
        match measure(&value) {
            (_, ..=DEEPEST) => value,
            _ => self.too_deep(span),
        }
    }

    fn too_deep(&mut self, span: &Span) -> Expression {
        self.report(Diagnostic::new(
            span.clone(),
            "calls of functions become too deep here",
            format!("put in their places, they have more than {DEEPEST} levels"),
        ));
        Expression::error(span.clone())
    }
}

/// Of how many parts an expression is made, and on how many levels.
pub(super) fn measure(expression: &Expression) -> (u32, u32) {
    use ExpressionKind::*;
    let (location, parts): (Option<&Location>, Vec<&Expression>) = match &expression.kind {
        Constant(_) | Null | Me | New(_) | At(_) | Count(_) | Elements(_) | Accessed => {
            (None, Vec::new())
        }
        Load(it) | Receive(it) | Owner(it) | ChannelLength(it) | SemaphoreValue(it) => {
            (Some(it), Vec::new())
        }
        Unary(_, a) => (None, vec![a]),
        Binary(_, a, b) | Choose(a, b) => (None, vec![a, b]),
        Conditional(a, b, c) => (None, vec![a, b, c]),
        Call(_, all) | Spawn(_, all) => (None, all.iter().collect()),
        CompareAndSet(it, a, b) => (Some(it), vec![a, b]),
        FetchAdd(it, a) => (Some(it), vec![a]),
    };
    let named = location.into_iter().flat_map(Location::parts);
    let all = named.chain(parts).map(measure);
    let (size, depth) = all.fold((0u32, 0), |(size, depth), (more, deeper)| {
        (size.saturating_add(more), depth.max(deeper))
    });
    (size.saturating_add(1), depth + 1)
}

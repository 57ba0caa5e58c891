//! Where control can go: whether a function can end without a result, and which
//! functions wait.

use super::Checker;
use super::tree::{Expression, ExpressionKind, Statement, StatementKind};
use raddle_diagnostics::Diagnostic;

/// Whether the end of the statements can be reached.
pub(super) fn completes(statements: &[Statement]) -> bool {
    statements.iter().all(statement_completes)
}

fn statement_completes(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Block(body)
        | StatementKind::Atomic(body)
        | StatementKind::Synchronized(_, body) => completes(body),
        StatementKind::If {
            then,
            otherwise: Some(otherwise),
            ..
        } => statement_completes(then) || statement_completes(otherwise),
        StatementKind::While { condition, body } => !is_true(condition) || breaks(body),
        StatementKind::DoWhile { body, condition } => !is_true(condition) || breaks(body),
        StatementKind::For {
            condition, body, ..
        } => !condition.as_ref().is_none_or(is_true) || breaks(body),
        StatementKind::Await {
            body: Some(body), ..
        } => statement_completes(body),
        StatementKind::Choose(alternatives) => alternatives
            .iter()
            .any(|alternative| completes(&alternative.body)),
        StatementKind::Return(_)
        | StatementKind::Break
        | StatementKind::Continue
        | StatementKind::Unreachable => false,
        _ => true,
    }
}

fn is_true(condition: &Expression) -> bool {
    matches!(condition.kind, ExpressionKind::Constant(1))
}

/// Whether the loop with this body can be left with `break`.
fn breaks(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Break => true,
        StatementKind::Block(body)
        | StatementKind::Atomic(body)
        | StatementKind::Synchronized(_, body) => body.iter().any(breaks),
        StatementKind::If {
            then, otherwise, ..
        } => breaks(then) || otherwise.as_deref().is_some_and(breaks),
        StatementKind::Await {
            body: Some(body), ..
        } => breaks(body),
        StatementKind::Choose(alternatives) => alternatives
            .iter()
            .any(|alternative| alternative.body.iter().any(breaks)),
        _ => false,
    }
}

impl Checker<'_> {
    /// Reports calls in atomic blocks of functions that wait, perhaps in a function
    /// that they call.
    pub(super) fn waits_in_atomic(&mut self) {
        let mut waits = std::mem::take(&mut self.calls.waits);
        let mut callers = vec![Vec::new(); waits.len()];
        for (caller, callee) in &self.calls.edges {
            if let Some(callers) = callers.get_mut(callee.0 as usize) {
                callers.push(caller.0 as usize);
            }
        }
        let mut work: Vec<usize> = (0..waits.len()).filter(|f| waits[*f]).collect();
        while let Some(function) = work.pop() {
            for caller in callers.get(function).into_iter().flatten() {
                if let Some(known) = waits.get_mut(*caller)
                    && !*known
                {
                    *known = true;
                    work.push(*caller);
                }
            }
        }
        for (callee, span) in std::mem::take(&mut self.calls.in_atomic) {
            if !waits.get(callee.0 as usize).copied().unwrap_or(false) {
                continue;
            }
            let signature = self.signatures.get(callee.0 as usize);
            let name = signature.map(|s| s.name.clone()).unwrap_or_default();
            self.report(Diagnostic::new(
                span,
                format!("`{name}` waits, and is called inside of an atomic block"),
                "other threads must run before this can go on",
            ));
        }
    }
}

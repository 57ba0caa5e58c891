//! Where the names of a program are declared and used, for editors.

use crate::ast::{
    Assignment, Body, Condition, Expression, Name, Span, Statement, StatementKind, Tree,
};
use raddle_diagnostics::{Declaration, Index};
use raddle_model::Region;
use std::collections::BTreeMap;

/// The names of a program.
pub(crate) fn index(tree: &Tree) -> Index {
    let mut names = Names::default();
    // The regions are numbered as in `effects.rs`.
    let variables = tree.globals.iter().chain(&tree.locks).enumerate();
    for (number, name) in variables {
        let what = match number < tree.globals.len() {
            true => "a global variable",
            false => "a lock",
        };
        names.declare(None, name, what, Some(Region(number as u32)));
    }
    for name in &tree.messages {
        names.declare(None, name, "a message", None);
    }
    // The code of a thread type says more than the list of their names.
    for body in &tree.bodies {
        names.declare(None, &body.name, "a thread type", None);
    }
    for name in &tree.threads {
        match names.known.contains_key(&(None, &*name.text)) {
            true => names.refer(None, name),
            false => names.declare(None, name, "a thread type", None),
        }
    }
    for body in &tree.bodies {
        for name in &body.locals {
            names.declare(Some(body), name, "a local variable", None);
        }
    }
    tree.for_each(&mut |_, statement| {
        if let Some(label) = &statement.label {
            names.declare(None, label, "a label", None);
        }
    });
    tree.for_each(&mut |body, statement| names.statement(body, statement));
    names.index
}

#[derive(Default)]
struct Names<'t> {
    index: Index,
    /// The span of a name, by the thread type that it is local to.
    known: BTreeMap<(Option<usize>, &'t str), Span>,
}

/// What tells thread types apart: where they begin.
fn number(body: Option<&Body>) -> Option<usize> {
    body.map(|body| body.name.span.start)
}

impl<'t> Names<'t> {
    fn declare(
        &mut self,
        body: Option<&Body>,
        name: &'t Name,
        what: &'static str,
        region: Option<Region>,
    ) {
        let key = (number(body), name.text.as_str());
        self.known.entry(key).or_insert_with(|| name.span.clone());
        self.index.declarations.push(Declaration {
            span: name.span.clone(),
            what,
            region,
        });
    }

    fn refer(&mut self, body: Option<&Body>, name: &Name) {
        let local = self.known.get(&(number(body), name.text.as_str()));
        let known = local.or_else(|| self.known.get(&(None, name.text.as_str())));
        if let Some(declared) = known {
            self.index.uses.push((name.span.clone(), declared.clone()));
        }
    }

    fn statement(&mut self, body: &Body, statement: &Statement) {
        let names = statement.kind.names();
        names.for_each(|name| self.refer(None, name));
        match &statement.kind {
            StatementKind::Assign(assignment) => self.assignment(body, assignment),
            StatementKind::If(condition, ..)
            | StatementKind::While(condition, _)
            | StatementKind::Assert(condition) => self.condition(body, condition),
            StatementKind::Choice(alternatives) => {
                for alternative in alternatives {
                    self.condition(body, &alternative.condition);
                    self.assignment(body, &alternative.assignment);
                }
            }
            StatementKind::Rendezvous(_, values) => {
                values.iter().for_each(|value| self.expression(body, value));
            }
            StatementKind::Accept(_, variables) => {
                variables.iter().for_each(|it| self.refer(Some(body), it));
            }
            _ => {}
        }
    }

    fn assignment(&mut self, body: &Body, assignment: &Assignment) {
        let targets = assignment.targets.iter();
        targets.for_each(|target| self.refer(Some(body), target));
        let values = assignment.values.iter();
        values.for_each(|value| self.expression(body, value));
    }

    fn condition(&mut self, body: &Body, condition: &Condition) {
        if let Condition::All(parts) = condition {
            parts.iter().for_each(|part| self.expression(body, part));
        }
    }

    fn expression(&mut self, body: &Body, expression: &Expression) {
        if let Expression::Variable { name, .. } = expression {
            self.refer(Some(body), name);
        }
    }
}

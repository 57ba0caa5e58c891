//! The rules of section 2.1.1: what a program must satisfy beyond its grammar.
//!
//! Each rule has its own errors. Two of them go beyond the thesis: `sleep` must be inside of
//! a block that takes its lock, as axiom 2.9 asks for at run time, and names are declared
//! once, so that `sleep` can tell a lock from a message.

use crate::ast::{
    Assignment, Body, Condition, Expression, Name, Span, Statement, StatementKind, Tree,
};
use crate::program::{Value, Variable};
use raddle_diagnostics::{Diagnostic, nearest};
use std::collections::{BTreeMap, BTreeSet};

/// Reports everything that is wrong with a program.
pub(crate) fn check(tree: &Tree) -> Vec<Diagnostic> {
    let names = Names::new(tree);
    let mut checker = Checker {
        tree,
        names: &names,
        labels: BTreeMap::new(),
        diagnostics: Vec::new(),
        reported: BTreeSet::new(),
    };
    checker.declarations();
    checker.labels();
    for body in &tree.bodies {
        let mut blocks = LockBlocks::default();
        blocks.sequence(&body.statements, &mut checker);
        blocks.gotos(&mut checker);
    }
    tree.for_each(&mut |body, statement| checker.statement(body, statement));
    checker.diagnostics
}

/// What a declared name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Declared {
    Global(usize),
    Lock(usize),
    Message(usize),
    Type(usize),
}

impl Declared {
    fn what(self) -> &'static str {
        match self {
            Declared::Global(_) => "a global variable",
            Declared::Lock(_) => "a lock",
            Declared::Message(_) => "a message",
            Declared::Type(_) => "a thread type",
        }
    }
}

/// What the names of a program stand for.
pub(crate) struct Names<'t> {
    declared: BTreeMap<&'t str, (Declared, &'t Span)>,
}

impl<'t> Names<'t> {
    pub(crate) fn new(tree: &'t Tree) -> Names<'t> {
        let mut declared = BTreeMap::new();
        for (name, it) in declarations(tree) {
            declared.entry(&*name.text).or_insert((it, &name.span));
        }
        Names { declared }
    }

    pub(crate) fn get(&self, name: &Name) -> Option<Declared> {
        self.declared
            .get(&*name.text)
            .map(|&(declared, _)| declared)
    }

    pub(crate) fn lock(&self, name: &Name) -> Option<usize> {
        match self.get(name) {
            Some(Declared::Lock(index)) => Some(index),
            _ => None,
        }
    }

    pub(crate) fn message(&self, name: &Name) -> Option<usize> {
        match self.get(name) {
            Some(Declared::Message(index)) => Some(index),
            _ => None,
        }
    }

    pub(crate) fn thread(&self, name: &Name) -> Option<usize> {
        match self.get(name) {
            Some(Declared::Type(index)) => Some(index),
            _ => None,
        }
    }

    pub(crate) fn variable(&self, body: &Body, name: &Name) -> Option<Variable> {
        let local = body.locals.iter().position(|it| it.text == name.text);
        match (local, self.get(name)) {
            (Some(index), _) => Some(Variable::Local(index)),
            (None, Some(Declared::Global(index))) => Some(Variable::Global(index)),
            _ => None,
        }
    }

    pub(crate) fn value(&self, body: &Body, expression: &Expression) -> Option<Value> {
        match expression {
            Expression::Literal(value) => Some(Value::Constant(*value)),
            Expression::Variable { name, negated } => Some(Value::Of {
                variable: self.variable(body, name)?,
                negated: *negated,
            }),
        }
    }

    /// The message and the lock of a `sleep`, in whichever order they are written.
    pub(crate) fn sleep<'n>(&self, first: &'n Name, second: &'n Name) -> (&'n Name, &'n Name) {
        let swapped = self.lock(first).is_some() || self.message(second).is_some();
        match swapped {
            true => (second, first),
            false => (first, second),
        }
    }
}

fn declarations(tree: &Tree) -> impl Iterator<Item = (&Name, Declared)> {
    fn kind(
        names: &[Name],
        declared: fn(usize) -> Declared,
    ) -> impl Iterator<Item = (&Name, Declared)> {
        let names = names.iter().enumerate();
        names.map(move |(index, name)| (name, declared(index)))
    }
    kind(&tree.globals, Declared::Global)
        .chain(kind(&tree.locks, Declared::Lock))
        .chain(kind(&tree.messages, Declared::Message))
        .chain(kind(&tree.threads, Declared::Type))
}

struct Checker<'t> {
    tree: &'t Tree,
    names: &'t Names<'t>,
    /// The labels with the thread types that they are in; of equal ones the first.
    labels: BTreeMap<&'t str, (&'t Body, &'t Name)>,
    diagnostics: Vec<Diagnostic>,
    /// Unknown names that were reported; each is reported where it is used first.
    reported: BTreeSet<(String, &'static str)>,
}

impl<'t> Checker<'t> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// *Declarations* and *Main thread*.
    fn declarations(&mut self) {
        for (name, declared) in declarations(self.tree) {
            let Some(&(first, span)) = self.names.declared.get(&*name.text) else {
                continue;
            };
            if *span != name.span {
                let message = format!("`{}` is declared twice", name.text);
                let label = format!("declared again as {}", declared.what());
                let first = format!("first declared as {}", first.what());
                self.report(
                    Diagnostic::new(name.span.clone(), message, label).related(span.clone(), first),
                );
            }
        }
        for body in &self.tree.bodies {
            self.locals(body);
        }
        self.bodies();
    }

    fn locals(&mut self, body: &Body) {
        for (index, local) in body.locals.iter().enumerate() {
            let text = &local.text;
            let earlier = body.locals[..index].iter().find(|it| it.text == *text);
            let diagnostic = |message: String| {
                Diagnostic::new(local.span.clone(), message, "declared again here")
            };
            if let Some(earlier) = earlier {
                let diagnostic =
                    diagnostic(format!("the local variable `{text}` is declared twice"));
                self.report(diagnostic.related(earlier.span.clone(), "first declared here"));
            } else if let Some(&(declared, span)) = self.names.declared.get(&**text)
                && matches!(declared, Declared::Global(_))
            {
                let message = format!("the local variable `{text}` is also a global variable");
                let help = "give one of them another name";
                let related = diagnostic(message).related(span.clone(), "the global variable");
                self.report(related.help(help));
            }
        }
    }

    fn bodies(&mut self) {
        for (index, body) in self.tree.bodies.iter().enumerate() {
            let text = &body.name.text;
            let earlier = self.tree.bodies[..index].iter();
            if let Some(earlier) = earlier.clone().find(|it| it.name.text == *text) {
                let message = format!("the thread type `{text}` has its code twice");
                let diagnostic = Diagnostic::new(body.name.span.clone(), message, "again here");
                self.report(diagnostic.related(earlier.name.span.clone(), "first here"));
            } else if self.names.thread(&body.name).is_none() {
                self.unknown(&body.name, "a thread type", |it| {
                    matches!(it, Declared::Type(_))
                });
            }
        }
        for name in &self.tree.threads {
            let mut bodies = self.tree.bodies.iter();
            if !bodies.any(|body| body.name.text == name.text) {
                let message = format!("the thread type `{}` has no code", name.text);
                let help = format!("write `{} {{ vars : ; .. }}`", name.text);
                self.report(
                    Diagnostic::new(name.span.clone(), message, "declared here").help(help),
                );
            }
        }
        if !self.tree.threads.iter().any(|name| name.text == "main") {
            let last = self.tree.threads.last().or(self.tree.messages.last());
            let at = last.map_or(0, |name| name.span.end);
            let message = "there is no thread type `main`";
            let diagnostic = Diagnostic::new(at..at, message, "not declared");
            self.report(diagnostic.help("the program begins with one thread of type `main`"));
        }
    }

    /// *Labels*: no two statements have the same one.
    fn labels(&mut self) {
        let tree: &'t Tree = self.tree;
        tree.for_each(&mut |body, statement| {
            let Some(label) = &statement.label else {
                return;
            };
            match self.labels.get(&*label.text) {
                Some((_, first)) => {
                    let message = format!("the label `{}` is used twice", label.text);
                    let diagnostic =
                        Diagnostic::new(label.span.clone(), message, "used again here");
                    let diagnostic = diagnostic.related(first.span.clone(), "first used here");
                    self.diagnostics.push(diagnostic);
                }
                None => drop(self.labels.insert(&label.text, (body, label))),
            }
        });
    }

    /// An error for a name that is not what it should be.
    fn unknown(&mut self, name: &Name, what: &'static str, is: impl Fn(Declared) -> bool) {
        if !self.reported.insert((name.text.clone(), what)) {
            return;
        }
        let names = self.names.declared.iter();
        let known = names.filter(|(_, it)| is(it.0)).map(|(name, _)| *name);
        let known: Vec<&str> = known.collect();
        // What is declared and never used is likely to be what was meant.
        let mut used = BTreeSet::new();
        self.tree.for_each(&mut |_, statement| {
            used.extend(statement.kind.names().map(|name| name.text.as_str()));
        });
        let unused = known.iter().copied().filter(|it| !used.contains(it));
        let near = nearest(&name.text, unused).map(|near| vec![near]);
        self.unknown_among(name, what, &near.unwrap_or(known));
    }

    fn unknown_among(&mut self, name: &Name, what: &str, known: &[&str]) {
        let text = &name.text;
        let declared = self.names.declared.get(&**text);
        let message = match declared {
            Some((declared, _)) => format!("`{text}` is {}, not {what}", declared.what()),
            None => format!("`{text}` is not declared as {what}"),
        };
        let label = match declared {
            Some(_) => format!("expected {what}"),
            None => "not declared".to_owned(),
        };
        let mut diagnostic = Diagnostic::new(name.span.clone(), message, label);
        if let Some((_, span)) = declared {
            diagnostic = diagnostic.related((*span).clone(), "declared here");
        }
        if let Some(near) = nearest(text, known.iter().copied()) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        }
        self.report(diagnostic);
    }

    fn lock(&mut self, name: &Name) {
        if self.names.lock(name).is_none() {
            self.unknown(name, "a lock", |it| matches!(it, Declared::Lock(_)));
        }
    }

    fn message(&mut self, name: &Name) {
        if self.names.message(name).is_none() {
            self.unknown(name, "a message", |it| matches!(it, Declared::Message(_)));
        }
    }

    fn variable(&mut self, body: &Body, name: &Name) -> Option<Variable> {
        let variable = self.names.variable(body, name);
        if variable.is_none() && self.reported.insert((name.text.clone(), "a variable")) {
            let globals = self.tree.globals.iter().chain(&body.locals);
            let known: Vec<&str> = globals.map(|it| it.text.as_str()).collect();
            self.unknown_among(name, "a variable", &known);
        }
        variable
    }

    fn local(&mut self, body: &Body, name: &Name, operation: &str) {
        if let Some(Variable::Global(_)) = self.variable(body, name) {
            let message = format!("`{}` is a global variable", name.text);
            let label = format!("`{operation}` takes local variables only");
            let diagnostic = Diagnostic::new(name.span.clone(), message, label);
            self.report(diagnostic.help("copy it from or to a local variable"));
        }
    }

    fn expression(&mut self, body: &Body, expression: &Expression) {
        if let Expression::Variable { name, .. } = expression {
            self.variable(body, name);
        }
    }

    fn condition(&mut self, body: &Body, condition: &Condition) {
        if let Condition::All(parts) = condition {
            for part in parts {
                self.expression(body, part);
            }
        }
    }

    /// *Assignment*: no variable twice on the left side.
    fn assignment(&mut self, body: &Body, assignment: &Assignment) {
        for target in &assignment.targets {
            self.variable(body, target);
        }
        self.distinct(&assignment.targets, "is assigned twice at once");
        for value in &assignment.values {
            self.expression(body, value);
        }
    }

    fn distinct(&mut self, names: &[Name], what: &str) {
        for (index, name) in names.iter().enumerate() {
            let earlier = names[..index].iter().find(|it| it.text == name.text);
            if let Some(earlier) = earlier {
                let message = format!("`{}` {what}", name.text);
                let diagnostic = Diagnostic::new(name.span.clone(), message, "again here");
                self.report(diagnostic.related(earlier.span.clone(), "first here"));
            }
        }
    }

    fn statement(&mut self, body: &Body, statement: &Statement) {
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
            StatementKind::Skip => {}
            StatementKind::Goto(label) => self.goto(body, label),
            StatementKind::Lock(lock) | StatementKind::Unlock(lock) => self.lock(lock),
            StatementKind::Sleep(first, second) => {
                let (message, lock) = self.names.sleep(first, second);
                self.message(message);
                self.lock(lock);
            }
            StatementKind::Wakeup(message) | StatementKind::WakeupAll(message) => {
                self.message(message);
            }
            StatementKind::Start(name, values) => self.start(name, values, &statement.span),
            StatementKind::Rendezvous(message, values) => {
                self.message(message);
                for value in values {
                    if let Expression::Variable { name, .. } = value {
                        self.local(body, name, "rendezvous");
                    }
                }
            }
            StatementKind::Accept(message, variables) => {
                self.message(message);
                for variable in variables {
                    self.local(body, variable, "accept");
                }
                self.distinct(variables, "gets two values at once");
            }
        }
    }

    /// *Goto*: the label exists; and in the same thread type, since nothing would remain to be
    /// executed otherwise (Fig. 2.3, case 1).
    fn goto(&mut self, body: &Body, label: &Name) {
        match self.labels.get(&*label.text) {
            None => {
                let message = format!("there is no label `{}`", label.text);
                let diagnostic = Diagnostic::new(label.span.clone(), message, "unknown label");
                let labels = self.labels.values();
                let own = labels.filter(|(owner, _)| owner.name.text == body.name.text);
                let near = nearest(&label.text, own.map(|(_, it)| it.text.as_str()));
                self.report(match near {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                    None => diagnostic,
                });
            }
            Some((owner, found)) if owner.name.text != body.name.text => {
                let (text, owner) = (&label.text, &owner.name.text);
                let message = format!("the label `{text}` is in the thread type `{owner}`");
                let label_text = format!("not in `{}`", body.name.text);
                let diagnostic = Diagnostic::new(label.span.clone(), message, label_text);
                self.report(diagnostic.related(found.span.clone(), "the label"));
            }
            Some(_) => {}
        }
    }

    /// *Thread start*: one literal for each local variable.
    fn start(&mut self, name: &Name, values: &[bool], span: &Span) {
        if self.names.thread(name).is_none() {
            return self.unknown(name, "a thread type", |it| matches!(it, Declared::Type(_)));
        }
        let mut bodies = self.tree.bodies.iter();
        let Some(body) = bodies.find(|body| body.name.text == name.text) else {
            return;
        };
        let (needed, given) = (body.locals.len(), values.len());
        if needed != given {
            let count = |number: usize, what: &str| match number {
                1 => format!("1 {what}"),
                number => format!("{number} {what}s"),
            };
            let message = format!(
                "`{}` has {}, but gets {}",
                name.text,
                count(needed, "local variable"),
                count(given, "initial value")
            );
            let label = format!("expected {}", count(needed, "literal"));
            let diagnostic = Diagnostic::new(span.clone(), message, label);
            self.report(diagnostic.related(body.name.span.clone(), "the thread type"));
        }
    }
}

/// *Locks*: which blocks of `lock` and `unlock` each statement of a thread type is in.
#[derive(Default)]
struct LockBlocks<'t> {
    /// Open blocks: the lock, and its `lock` statement.
    open: Vec<(&'t str, &'t Span)>,
    /// For each label the blocks around it, by their `lock` statements.
    labels: BTreeMap<&'t str, Vec<&'t Span>>,
    gotos: Vec<(&'t Name, Vec<&'t Span>)>,
    /// `lock` statements whose `unlock` was found in an inner block.
    misplaced: Vec<&'t Span>,
}

impl<'t> LockBlocks<'t> {
    fn around(&self) -> Vec<&'t Span> {
        self.open.iter().map(|&(_, span)| span).collect()
    }

    fn sequence(&mut self, statements: &'t [Statement], checker: &mut Checker<'_>) {
        let outside = self.open.len();
        for statement in statements {
            if let Some(label) = &statement.label {
                self.labels.insert(&label.text, self.around());
            }
            match &statement.kind {
                StatementKind::Goto(label) => self.gotos.push((label, self.around())),
                StatementKind::Lock(name) => self.open.push((&name.text, &statement.span)),
                StatementKind::Unlock(name) => self.unlock(name, outside, checker),
                StatementKind::Sleep(first, second) => {
                    let (_, lock) = checker.names.sleep(first, second);
                    let is_held = self.open.iter().any(|&(open, _)| open == lock.text);
                    if !is_held && checker.names.lock(lock).is_some() {
                        let message = format!(
                            "`sleep` gives back `{0}`, but `{0}` is not held here",
                            lock.text
                        );
                        let diagnostic =
                            Diagnostic::new(statement.span.clone(), message, "not held");
                        let help =
                            format!("put it between `lock({0})` and `unlock({0})`", lock.text);
                        checker.report(diagnostic.help(help));
                    }
                }
                _ => {}
            }
            for block in statement.kind.blocks() {
                self.sequence(block, checker);
            }
        }
        for (lock, span) in self.open.drain(outside..) {
            if self.misplaced.contains(&span) {
                continue;
            }
            let message = format!("`lock({lock})` has no `unlock({lock})` in the same block");
            let diagnostic = Diagnostic::new(span.clone(), message, "never unlocked");
            let help = "`lock` and `unlock` are paired at the same level of `if` and `while`";
            checker.report(diagnostic.help(help));
        }
    }

    fn unlock(&mut self, name: &'t Name, outside: usize, checker: &mut Checker<'_>) {
        let found = self.open.iter().rposition(|&(open, _)| open == name.text);
        match found {
            Some(index) if index >= outside => drop(self.open.remove(index)),
            Some(index) => {
                self.misplaced.push(self.open[index].1);
                let message = format!(
                    "`unlock({0})` is not in the block of its `lock({0})`",
                    name.text
                );
                let diagnostic = Diagnostic::new(name.span.clone(), message, "in an inner block");
                checker.report(diagnostic.related(self.open[index].1.clone(), "taken here"));
            }
            None => {
                let message = format!("`unlock({0})` without `lock({0})` before it", name.text);
                let diagnostic = Diagnostic::new(name.span.clone(), message, "not held here");
                checker.report(diagnostic);
            }
        }
    }

    /// No `goto` leads into or out of a block.
    fn gotos(self, checker: &mut Checker<'_>) {
        for (goto, around) in &self.gotos {
            let Some(inside) = self.labels.get(&*goto.text) else {
                continue;
            };
            let missing = |a: &[&'t Span], b: &[&'t Span]| {
                a.iter().find(|it| !b.contains(it)).map(|&it| it.clone())
            };
            let (message, lock) = match (missing(around, inside), missing(inside, around)) {
                (None, None) => continue,
                (Some(lock), _) => ("this `goto` leaves a block of `lock` and `unlock`", lock),
                (None, Some(lock)) => ("this `goto` enters a block of `lock` and `unlock`", lock),
            };
            let diagnostic = Diagnostic::new(goto.span.clone(), message, "jumps across a lock");
            let related = diagnostic.related(lock, "the lock is taken here");
            let help = format!("the label `{}` must be in the same block", goto.text);
            checker.report(related.help(help));
        }
    }
}

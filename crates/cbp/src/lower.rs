//! The syntax tree of a correct program to its graph of control points.

use crate::ast::{self, Body, Condition, Span, Statement, StatementKind, Tree};
use crate::check::Names;
use crate::program::{
    Action, Alternative, Channel, Guard, Label, Point, PointId, Program, ThreadType, Value,
    Variable,
};
use raddle_diagnostics::Lines;
use raddle_model::Place;
use std::collections::BTreeMap;

/// Which control points there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grain {
    /// One for each statement.
    Statements,
    /// One more behind each `choice`, and two more in each `while`: before and behind its
    /// body. So does the compiler of section 3.4.
    Closed,
}

/// Builds the program of a tree that has passed all checks. The sets of unsafe states are
/// still missing.
pub(crate) fn lower(tree: &Tree, lines: &Lines, grain: Grain) -> Program {
    let names = Names::new(tree);
    let text = |names: &[ast::Name]| names.iter().map(|it| it.text.clone()).collect();
    let mut builder = Builder {
        names: &names,
        lines,
        grain,
        points: Vec::new(),
        labels: Vec::new(),
        channels: Vec::new(),
        numbers: BTreeMap::new(),
        named: BTreeMap::new(),
        held: Vec::new(),
    };
    let mut types = Vec::new();
    for (thread, name) in tree.threads.iter().enumerate() {
        let mut bodies = tree.bodies.iter();
        let Some(body) = bodies.find(|body| body.name.text == name.text) else {
            continue;
        };
        types.push(ThreadType {
            name: name.text.clone(),
            locals: text(&body.locals),
            entry: builder.body(thread, body),
            is_single: false,
        });
    }
    let main = tree.threads.iter().position(|it| it.text == "main");
    let main = main.unwrap_or_default();
    let mut program = Program {
        abstraction: tree.abstraction.as_ref().map(|it| it.text.clone()),
        globals: text(&tree.globals),
        locks: text(&tree.locks),
        messages: text(&tree.messages),
        channels: builder.channels,
        begin: types[main].entry,
        types,
        main,
        written: builder.points.len(),
        points: builder.points,
        labels: builder.labels,
        unsafes: Vec::new(),
        arbitrary: Vec::new(),
        tree: tree.clone(),
        lines: lines.clone(),
    };
    program.count_threads();
    program
}

struct Builder<'t> {
    names: &'t Names<'t>,
    lines: &'t Lines,
    grain: Grain,
    points: Vec<Point>,
    labels: Vec<Label>,
    channels: Vec<Channel>,
    /// The first point of each statement, by where it stands.
    numbers: BTreeMap<usize, PointId>,
    /// The first point of each statement that has a label.
    named: BTreeMap<&'t str, PointId>,
    /// The locks that are held where the walk is.
    held: Vec<usize>,
}

impl<'t> Builder<'t> {
    fn body(&mut self, thread: usize, body: &'t Body) -> PointId {
        self.number(thread, &body.statements);
        let end = self.add(thread, self.lines.place(body.end.start));
        self.sequence(body, &body.statements, end);
        let first = body.statements.first();
        first.map_or(end, |first| self.first_of(&first.span))
    }

    fn add(&mut self, thread: usize, place: Place) -> PointId {
        let id = PointId(self.points.len() as u32);
        self.points.push(Point {
            thread,
            place,
            label: None,
            held: Vec::new(),
            action: Action::End,
        });
        id
    }

    fn first_of(&self, span: &Span) -> PointId {
        self.numbers.get(&span.start).copied().unwrap_or(PointId(0))
    }

    /// Gives each statement its points, in the order of the source.
    fn number(&mut self, thread: usize, statements: &'t [Statement]) {
        for statement in statements {
            let place = self.lines.place(statement.span.start);
            let first = self.add(thread, place);
            self.numbers.insert(statement.span.start, first);
            let closed = self.grain == Grain::Closed;
            let more = match &statement.kind {
                StatementKind::Sleep(..) => 2,
                StatementKind::Assert(_) => 1,
                StatementKind::Choice(_) if closed => 1,
                StatementKind::While(..) if closed => 2,
                _ => 0,
            };
            for _ in 0..more {
                self.add(thread, place);
            }
            if let Some(label) = &statement.label {
                let is_sleep = matches!(statement.kind, StatementKind::Sleep(..));
                let count = if is_sleep { 3 } else { 1 };
                let points: Vec<PointId> = (0..count).map(|it| PointId(first.0 + it)).collect();
                for point in &points {
                    self.points[point.index()].label = Some(self.labels.len());
                }
                self.named.insert(&label.text, first);
                self.labels.push(Label {
                    name: label.text.clone(),
                    points,
                });
            }
            for block in statement.kind.blocks() {
                self.number(thread, block);
            }
        }
    }

    fn fill(&mut self, id: PointId, action: Action) {
        let mut held = self.held.clone();
        held.sort_unstable();
        held.dedup();
        let point = &mut self.points[id.index()];
        point.held = held;
        point.action = action;
    }

    fn sequence(&mut self, body: &'t Body, statements: &'t [Statement], end: PointId) {
        for (index, statement) in statements.iter().enumerate() {
            let next = statements.get(index + 1);
            let next = next.map_or(end, |next| self.first_of(&next.span));
            self.statement(body, statement, next);
        }
    }

    /// Fills in the points of a statement.
    fn statement(&mut self, body: &'t Body, statement: &'t Statement, next: PointId) {
        let id = self.first_of(&statement.span);
        let (second, third) = (PointId(id.0 + 1), PointId(id.0 + 2));
        let names = self.names;
        match &statement.kind {
            StatementKind::If(condition, then, otherwise) => {
                self.sequence(body, then, next);
                self.sequence(body, otherwise, next);
                let first =
                    |block: &[Statement]| block.first().map_or(next, |it| self.first_of(&it.span));
                let targets = (first(then), first(otherwise));
                self.fill(id, branch(names, body, condition, targets));
            }
            StatementKind::While(condition, inner) => {
                let first = inner.first();
                let first = first.map_or(id, |it| self.first_of(&it.span));
                let (head, tail) = match self.grain {
                    Grain::Statements => (first, id),
                    Grain::Closed => {
                        self.fill(second, jump(first));
                        self.fill(third, jump(id));
                        (second, third)
                    }
                };
                self.sequence(body, inner, tail);
                self.fill(id, branch(names, body, condition, (head, next)));
            }
            StatementKind::Choice(alternatives) => {
                let next = match self.grain {
                    Grain::Statements => next,
                    Grain::Closed => {
                        self.fill(second, jump(next));
                        second
                    }
                };
                let alternatives = alternatives.iter().map(|it| Alternative {
                    guard: guard(names, body, &it.condition),
                    assignments: assignments(names, body, &it.assignment),
                    next,
                });
                self.fill(id, Action::Alternatives(alternatives.collect()));
            }
            StatementKind::Sleep(first, other) => {
                let (message, lock) = names.sleep(first, other);
                self.sleep(id, names.message(message), names.lock(lock), next);
            }
            StatementKind::Assert(condition) => {
                self.fill(second, Action::Failed);
                let assert = Action::Assert {
                    condition: values(names, body, condition),
                    next,
                    failed: second,
                };
                self.fill(id, assert);
            }
            simple => {
                // Names that are not declared have been reported before.
                let action = self.simple(body, simple, next);
                self.fill(id, action.unwrap_or(Action::End));
            }
        }
        match &statement.kind {
            StatementKind::Lock(lock) => self.held.extend(names.lock(lock)),
            StatementKind::Unlock(lock) => {
                let lock = names.lock(lock);
                if let Some(at) = self.held.iter().rposition(|&it| Some(it) == lock) {
                    self.held.remove(at);
                }
            }
            _ => {}
        }
    }

    /// What a statement does that has one point and no parts.
    fn simple(&mut self, body: &Body, kind: &StatementKind, next: PointId) -> Option<Action> {
        let names = self.names;
        Some(match kind {
            StatementKind::Skip => jump(next),
            StatementKind::Goto(label) => jump(*self.named.get(&*label.text)?),
            StatementKind::Assign(assignment) => Action::Alternatives(vec![Alternative {
                guard: Guard::Any,
                assignments: assignments(names, body, assignment),
                next,
            }]),
            StatementKind::Lock(lock) => Action::Lock {
                lock: names.lock(lock)?,
                next,
            },
            StatementKind::Unlock(lock) => Action::Unlock {
                lock: names.lock(lock)?,
                next,
            },
            StatementKind::Wakeup(message) => Action::Wakeup {
                message: names.message(message)?,
                next,
            },
            StatementKind::WakeupAll(message) => Action::WakeupAll {
                message: names.message(message)?,
                next,
            },
            StatementKind::Start(thread, values) => Action::Start {
                thread: names.thread(thread)?,
                values: values.clone(),
                next,
            },
            StatementKind::Rendezvous(message, values) => Action::Rendezvous {
                channel: self.channel(message, values.len())?,
                values: values
                    .iter()
                    .filter_map(|it| names.value(body, it))
                    .collect(),
                next,
            },
            StatementKind::Accept(message, variables) => Action::Accept {
                channel: self.channel(message, variables.len())?,
                variables: variables
                    .iter()
                    .filter_map(|it| match names.variable(body, it)? {
                        Variable::Local(index) => Some(index),
                        Variable::Global(_) => None,
                    })
                    .collect(),
                next,
            },
            _ => return None,
        })
    }

    fn sleep(&mut self, id: PointId, message: Option<usize>, lock: Option<usize>, next: PointId) {
        let (Some(message), Some(lock)) = (message, lock) else {
            return;
        };
        let (wait, relock) = (PointId(id.0 + 1), PointId(id.0 + 2));
        self.fill(
            id,
            Action::Sleep {
                message,
                lock,
                next: wait,
            },
        );
        let held = self.held.clone();
        self.held.retain(|&it| it != lock);
        self.fill(
            wait,
            Action::Wait {
                message,
                next: relock,
            },
        );
        self.fill(
            relock,
            Action::Relock {
                message,
                lock,
                next,
            },
        );
        self.held = held;
    }

    fn channel(&mut self, message: &ast::Name, parameters: usize) -> Option<usize> {
        let channel = Channel {
            message: self.names.message(message)?,
            parameters,
        };
        let known = self.channels.iter().position(|it| *it == channel);
        Some(known.unwrap_or_else(|| {
            self.channels.push(channel);
            self.channels.len() - 1
        }))
    }
}

fn jump(next: PointId) -> Action {
    Action::Alternatives(vec![Alternative {
        guard: Guard::Any,
        assignments: Vec::new(),
        next,
    }])
}

fn branch(
    names: &Names<'_>,
    body: &Body,
    condition: &Condition,
    (then, otherwise): (PointId, PointId),
) -> Action {
    let way = |guard, next| Alternative {
        guard,
        assignments: Vec::new(),
        next,
    };
    let guard = guard(names, body, condition);
    let opposite = match &guard {
        Guard::All(values) => Guard::NotAll(values.clone()),
        other => other.clone(),
    };
    Action::Alternatives(vec![way(guard, then), way(opposite, otherwise)])
}

fn guard(names: &Names<'_>, body: &Body, condition: &Condition) -> Guard {
    match condition {
        Condition::Any => Guard::Any,
        condition => Guard::All(values(names, body, condition)),
    }
}

fn values(names: &Names<'_>, body: &Body, condition: &Condition) -> Vec<Value> {
    match condition {
        Condition::Any => Vec::new(),
        Condition::All(parts) => {
            let values = parts.iter().filter_map(|it| names.value(body, it));
            values.collect()
        }
    }
}

fn assignments(
    names: &Names<'_>,
    body: &Body,
    assignment: &ast::Assignment,
) -> Vec<(Variable, Value)> {
    let pairs = assignment.targets.iter().zip(&assignment.values);
    let resolved =
        pairs.filter_map(|(to, it)| Some((names.variable(body, to)?, names.value(body, it)?)));
    resolved.collect()
}

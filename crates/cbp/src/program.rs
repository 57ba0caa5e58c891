//! A checked program: names are numbers, and code is a graph of control points.
//!
//! A control point is a label of the thesis after its *Relabel*: one for each statement, two
//! more for each `sleep` (where the thread waits, and where it wants its lock back), one for
//! the end. Since the code that remains to be executed is determined by the point (lemma 3.1),
//! a `goto` is an edge like any other.

use crate::ast::Tree;
use crate::unsafety::{Demand, UnsafeSet};
use raddle_diagnostics::{Diagnostic, Lines};
use raddle_model::Place;
use std::collections::{BTreeMap, BTreeSet};

/// A program that follows all rules of section 2.1.1.
#[derive(Clone, Debug)]
pub struct Program {
    /// The program of which this one is an abstraction.
    pub abstraction: Option<String>,
    /// The names of the global variables.
    pub globals: Vec<String>,
    /// The names of the locks.
    pub locks: Vec<String>,
    /// The names of the messages.
    pub messages: Vec<String>,
    /// The messages with numbers of parameters that threads meet with.
    pub channels: Vec<Channel>,
    /// The thread types.
    pub types: Vec<ThreadType>,
    /// Which of them is `main`.
    pub main: usize,
    /// The control points of all thread types.
    pub points: Vec<Point>,
    /// The labels that stand in the source.
    pub labels: Vec<Label>,
    /// The sets of states that must not be reached.
    pub unsafes: Vec<UnsafeSet>,
    /// Where the first thread begins: it may have to choose initial values first.
    pub begin: PointId,
    /// Global variables and variables of the first thread whose initial values matter.
    pub arbitrary: Vec<Variable>,
    /// How many points there are without those that choose initial values.
    pub(crate) written: usize,
    pub(crate) tree: Tree,
    pub(crate) lines: Lines,
}

/// The number of a control point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PointId(pub u32);

impl PointId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a `rendezvous` and an `accept` have in common when they meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Channel {
    /// The message.
    pub message: usize,
    /// The number of parameters.
    pub parameters: usize,
}

/// A thread type.
#[derive(Clone, Debug)]
pub struct ThreadType {
    /// Its name.
    pub name: String,
    /// The names of its local variables.
    pub locals: Vec<String>,
    /// Its first statement.
    pub entry: PointId,
    /// Whether there is never more than one thread of this type.
    pub is_single: bool,
}

/// A label and where a thread stands that has reached it and not left its statement.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its name.
    pub name: String,
    /// The points; those of a `sleep` are three.
    pub points: Vec<PointId>,
}

/// A control point.
#[derive(Clone, Debug)]
pub struct Point {
    /// The thread type.
    pub thread: usize,
    /// Where the statement stands.
    pub place: Place,
    /// The label of the statement, as an index.
    pub label: Option<usize>,
    /// The locks that a thread holds here, sorted.
    pub held: Vec<usize>,
    /// What a thread does next.
    pub action: Action,
}

/// What a thread does at a control point.
#[derive(Clone, Debug)]
pub enum Action {
    /// One of these, if its guard holds; otherwise it waits.
    Alternatives(Vec<Alternative>),
    /// Takes a lock.
    Lock {
        /// The lock.
        lock: usize,
        /// Where the thread is then.
        next: PointId,
    },
    /// Gives a lock back.
    Unlock {
        /// The lock.
        lock: usize,
        /// Where the thread is then.
        next: PointId,
    },
    /// Gives a lock back and waits; `next` is a [`Action::Wait`].
    Sleep {
        /// The message that it waits for.
        message: usize,
        /// The lock.
        lock: usize,
        /// Where the thread is then.
        next: PointId,
    },
    /// Waits until another thread wakes it; `next` is a [`Action::Relock`].
    Wait {
        /// The message that it waits for.
        message: usize,
        /// Where the thread is then.
        next: PointId,
    },
    /// Takes a lock again, having been woken.
    Relock {
        /// The message that woke it.
        message: usize,
        /// The lock.
        lock: usize,
        /// Where the thread is then.
        next: PointId,
    },
    /// Wakes one thread that waits for a message, if any does.
    Wakeup {
        /// The message.
        message: usize,
        /// Where the thread is then.
        next: PointId,
    },
    /// Wakes all threads that wait for a message.
    WakeupAll {
        /// The message.
        message: usize,
        /// Where the thread is then.
        next: PointId,
    },
    /// Starts a thread.
    Start {
        /// Its type.
        thread: usize,
        /// The values of its local variables.
        values: Vec<bool>,
        /// Where the thread is then.
        next: PointId,
    },
    /// Meets a thread that accepts.
    Rendezvous {
        /// The channel.
        channel: usize,
        /// What it gives the other one.
        values: Vec<Value>,
        /// Where the thread is then.
        next: PointId,
    },
    /// Waits for a thread that comes to a rendezvous.
    Accept {
        /// The channel.
        channel: usize,
        /// The local variables that get the values.
        variables: Vec<usize>,
        /// Where the thread is then.
        next: PointId,
    },
    /// Fails if the values are not all true.
    Assert {
        /// The values.
        condition: Vec<Value>,
        /// Where the thread is then.
        next: PointId,
        /// Where a machine is that failed. Threads do not get there: they fail.
        failed: PointId,
    },
    /// Gives a variable its initial value.
    Choose {
        /// The variable.
        variable: Variable,
        /// Where the thread is then.
        next: PointId,
    },
    /// An assertion failed.
    Failed,
    /// The thread has finished.
    End,
}

/// One way to go on.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// When it is possible.
    pub guard: Guard,
    /// What gets a new value; all values are computed before.
    pub assignments: Vec<(Variable, Value)>,
    /// Where the thread is then.
    pub next: PointId,
}

/// When an alternative is possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Always.
    Any,
    /// If all of these are true.
    All(Vec<Value>),
    /// If one of these is false.
    NotAll(Vec<Value>),
}

impl Guard {
    /// The values that it looks at.
    pub fn values(&self) -> &[Value] {
        match self {
            Guard::Any => &[],
            Guard::All(values) | Guard::NotAll(values) => values,
        }
    }

    /// Whether it holds where values are evaluated like this.
    pub fn holds(&self, evaluate: impl Fn(Value) -> bool) -> bool {
        match self {
            Guard::Any => true,
            Guard::All(values) => values.iter().all(|&value| evaluate(value)),
            Guard::NotAll(values) => !values.iter().all(|&value| evaluate(value)),
        }
    }
}

/// A variable, as a thread sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variable {
    /// A global variable.
    Global(usize),
    /// A local variable of the thread.
    Local(usize),
}

/// An expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// `true` or `false`.
    Constant(bool),
    /// The value of a variable, or its negation.
    Of {
        /// The variable.
        variable: Variable,
        /// Whether it is negated.
        negated: bool,
    },
}

impl Value {
    /// The variable in it.
    pub fn variable(self) -> Option<Variable> {
        match self {
            Value::Constant(_) => None,
            Value::Of { variable, .. } => Some(variable),
        }
    }

    /// Its value where variables have these.
    pub fn evaluate(self, read: impl FnOnce(Variable) -> bool) -> bool {
        match self {
            Value::Constant(value) => value,
            Value::Of { variable, negated } => read(variable) != negated,
        }
    }
}

impl Action {
    /// Where the thread that does it may be afterwards.
    pub fn successors(&self) -> Vec<PointId> {
        match self {
            Action::Alternatives(alternatives) => alternatives.iter().map(|it| it.next).collect(),
            Action::Lock { next, .. }
            | Action::Unlock { next, .. }
            | Action::Sleep { next, .. }
            | Action::Wait { next, .. }
            | Action::Relock { next, .. }
            | Action::Wakeup { next, .. }
            | Action::WakeupAll { next, .. }
            | Action::Start { next, .. }
            | Action::Rendezvous { next, .. }
            | Action::Accept { next, .. }
            | Action::Choose { next, .. } => vec![*next],
            Action::Assert { next, failed, .. } => vec![*next, *failed],
            Action::Failed | Action::End => Vec::new(),
        }
    }

    /// The variables that it may read.
    pub fn reads(&self) -> Vec<Variable> {
        let values: Vec<Value> = match self {
            Action::Alternatives(alternatives) => alternatives
                .iter()
                .flat_map(|it| {
                    let assigned = it.assignments.iter().map(|&(_, value)| value);
                    it.guard.values().iter().copied().chain(assigned)
                })
                .collect(),
            Action::Rendezvous { values, .. } => values.clone(),
            Action::Assert { condition, .. } => condition.clone(),
            _ => Vec::new(),
        };
        values.into_iter().filter_map(Value::variable).collect()
    }

    /// The variables that it may write.
    pub fn writes(&self) -> Vec<Variable> {
        match self {
            Action::Alternatives(alternatives) => {
                let assigned = alternatives.iter().flat_map(|it| &it.assignments);
                assigned.map(|&(variable, _)| variable).collect()
            }
            Action::Accept { variables, .. } => {
                variables.iter().map(|&it| Variable::Local(it)).collect()
            }
            Action::Choose { variable, .. } => vec![*variable],
            _ => Vec::new(),
        }
    }
}

impl Program {
    /// The control point with a number.
    pub fn point(&self, id: PointId) -> &Point {
        &self.points[id.index()]
    }

    /// All control points with their numbers.
    pub fn all_points(&self) -> impl Iterator<Item = (PointId, &Point)> {
        let points = self.points.iter().enumerate();
        points.map(|(index, point)| (PointId(index as u32), point))
    }

    /// Adds a set of states that must not be reached. The spans of errors are in `text`.
    pub fn forbid(&mut self, text: &str) -> Result<(), Vec<Diagnostic>> {
        let set = crate::unsafety::parse(text, 0, None, self)?;
        self.unsafes.push(set);
        self.choose_initially();
        Ok(())
    }

    /// Lets executions end where an assertion fails. A thread that cannot go on there is as good
    /// as one that is never chosen again, so that just the failures are gone.
    pub fn ignore_assertions(&mut self) {
        for point in &mut self.points {
            if let Action::Assert {
                condition, next, ..
            } = &mut point.action
            {
                point.action = Action::Alternatives(vec![Alternative {
                    guard: Guard::All(std::mem::take(condition)),
                    assignments: Vec::new(),
                    next: *next,
                }]);
            }
        }
    }

    /// What is to be said of every violation, if there is anything to be said.
    pub fn caveat(&self) -> Option<String> {
        let of = self.abstraction.as_ref()?;
        Some(format!(
            "the program is an abstraction of {of}, in which this may be impossible"
        ))
    }

    /// The name of a point, unique in its thread type.
    pub fn point_name(&self, id: PointId) -> String {
        let point = self.point(id);
        let statement = match point.label {
            Some(label) => self.labels[label].name.clone(),
            None => format!("{}:{}", point.place.line, point.place.column),
        };
        match &point.action {
            Action::Wait { .. } => format!("{statement}.wait"),
            Action::Relock { .. } => format!("{statement}.relock"),
            Action::Failed => format!("{statement}.failed"),
            Action::Choose {
                variable: Variable::Global(variable),
                ..
            } => format!("choose {}", self.globals[*variable]),
            Action::Choose {
                variable: Variable::Local(variable),
                ..
            } => format!("choose {}", self.types[point.thread].locals[*variable]),
            Action::End => match self.labels.iter().any(|it| it.name == "end") {
                true => "end'".to_owned(),
                false => "end".to_owned(),
            },
            // What a printer adds has the name of what it was added to, and a number.
            _ if point.label.is_none() => {
                let same = |other: &&Point| {
                    other.place == point.place
                        && other.thread == point.thread
                        && matches!(other.action, Action::Alternatives(_))
                };
                let earlier = self.points[..id.index()].iter().filter(same).count();
                match earlier {
                    0 => statement,
                    number => format!("{statement}'{number}"),
                }
            }
            _ => statement,
        }
    }

    /// The points that a thread at one of these may get to, and these.
    pub fn reachable_from(&self, from: impl IntoIterator<Item = PointId>) -> BTreeSet<PointId> {
        let mut reached = BTreeSet::new();
        let mut waiting: Vec<PointId> = from.into_iter().collect();
        while let Some(point) = waiting.pop() {
            if reached.insert(point) {
                waiting.extend(self.point(point).action.successors());
            }
        }
        reached
    }

    /// The points of the first thread where no other thread can exist yet.
    pub fn alone(&self) -> BTreeSet<PointId> {
        let starts = self.points.iter().filter_map(|it| match it.action {
            Action::Start { thread, next, .. } => Some((it.thread, thread, next)),
            _ => None,
        });
        let starts: Vec<(usize, usize, PointId)> = starts.collect();
        if starts.iter().any(|&(_, started, _)| started == self.main) {
            return BTreeSet::new();
        }
        let of_main = starts.iter().filter(|&&(by, _, _)| by == self.main);
        let later = self.reachable_from(of_main.map(|&(_, _, next)| next));
        let all = self.reachable_from([self.begin]);
        all.difference(&later).copied().collect()
    }

    /// Finds out whose initial values matter and lets the first thread choose them, one after
    /// the other, before it begins. Those that it certainly assigns before anybody can look
    /// at them do not matter; they begin as false.
    pub(crate) fn choose_initially(&mut self) {
        let main = &self.types[self.main];
        let entry = main.entry;
        let globals = (0..self.globals.len()).map(Variable::Global);
        let locals = (0..main.locals.len()).map(Variable::Local);
        let matters = |&variable: &Variable| self.may_be_seen(entry, variable);
        self.arbitrary = globals.chain(locals).filter(matters).collect();
        self.points.truncate(self.written);
        self.begin = entry;
        for &variable in self.arbitrary.iter().rev() {
            let point = Point {
                label: None,
                held: Vec::new(),
                action: Action::Choose {
                    variable,
                    next: self.begin,
                },
                ..self.point(entry).clone()
            };
            self.begin = PointId(self.points.len() as u32);
            self.points.push(point);
        }
    }

    /// Whether somebody may see the value that a variable has at a point of the first thread.
    fn may_be_seen(&self, entry: PointId, variable: Variable) -> bool {
        let is_named = |demand: &Demand| match *demand {
            Demand::Value(cell, _) => {
                matches!(variable, Variable::Global(it) if cell == Cell::Global(it))
            }
            Demand::AtLeast(..) => false,
        };
        let demands = self.unsafes.iter().flat_map(|set| set.cases.iter());
        if demands.flatten().any(is_named) {
            return true;
        }
        let mut seen = BTreeSet::new();
        let mut waiting = vec![entry];
        while let Some(id) = waiting.pop() {
            if !seen.insert(id) {
                continue;
            }
            let action = &self.point(id).action;
            let starts = matches!(action, Action::Start { .. });
            if action.reads().contains(&variable)
                || starts && matches!(variable, Variable::Global(_))
            {
                return true;
            }
            match action {
                Action::Alternatives(alternatives) => {
                    let keeps =
                        |it: &&Alternative| !it.assignments.iter().any(|it| it.0 == variable);
                    waiting.extend(alternatives.iter().filter(keeps).map(|it| it.next));
                }
                _ if action.writes().contains(&variable) => {}
                _ => waiting.extend(action.successors()),
            }
        }
        false
    }

    /// Which thread types have at most one thread: the first one is alone in its type, and
    /// others are started by it at one point that it passes once.
    pub(crate) fn count_threads(&mut self) {
        let mut starts: BTreeMap<usize, Vec<PointId>> = BTreeMap::new();
        for (id, point) in self.all_points() {
            if let Action::Start { thread, .. } = point.action {
                starts.entry(thread).or_default().push(id);
            }
        }
        let none = Vec::new();
        let of = |thread: usize| starts.get(&thread).unwrap_or(&none);
        let main_is_single = of(self.main).is_empty();
        let is_single = |thread: usize| match of(thread)[..] {
            [] => true,
            [point] => {
                let again = self.reachable_from(self.point(point).action.successors());
                main_is_single && self.point(point).thread == self.main && !again.contains(&point)
            }
            _ => false,
        };
        let single: Vec<bool> = (0..self.types.len()).map(is_single).collect();
        for (thread, is_single) in self.types.iter_mut().zip(single) {
            thread.is_single = is_single;
        }
        let main = self.main;
        self.types[main].is_single = main_is_single;
    }
}

/// What all threads share and that is true or false: a global variable, or whether a lock is
/// taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// A global variable.
    Global(usize),
    /// A lock.
    Lock(usize),
}

impl Program {
    /// The name of a cell.
    pub fn cell_name(&self, cell: Cell) -> &str {
        match cell {
            Cell::Global(index) => &self.globals[index],
            Cell::Lock(index) => &self.locks[index],
        }
    }
}

impl Program {
    /// The same program with the additional points of the compiler of section 3.4: one behind
    /// each `choice`, and two in each `while`, before and behind its body.
    pub fn closed(&self) -> Program {
        let mut closed = crate::lower::lower(&self.tree, &self.lines, crate::lower::Grain::Closed);
        closed.unsafes = self.unsafes.clone();
        closed.choose_initially();
        closed
    }
}

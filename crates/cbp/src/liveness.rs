//! Which local variables still matter at a control point.
//!
//! A local variable is *live* if its value may be looked at before it gets another one: by a
//! guard, an assertion, a value that goes to another thread or to a global variable, or one
//! that goes to a variable that is live itself. The values of the others make no difference to
//! anybody, so that machines need not tell them apart: they count as false.

use crate::program::{Action, Alternative, PointId, Program, Value, Variable};

/// For each control point which local variables are live.
#[derive(Clone, Debug)]
pub struct Liveness {
    live: Vec<Vec<bool>>,
}

impl Liveness {
    /// The least solution, from no live variables on.
    pub(crate) fn new(program: &Program) -> Liveness {
        let points = program.points.iter();
        let locals = points.map(|point| program.types[point.thread].locals.len());
        let mut liveness = Liveness {
            live: locals.map(|locals| vec![false; locals]).collect(),
        };
        let mut before: Vec<Vec<PointId>> = vec![Vec::new(); program.points.len()];
        for (id, point) in program.all_points() {
            for next in point.action.successors() {
                before[next.index()].push(id);
            }
        }
        let mut waiting: Vec<PointId> = program.all_points().map(|(id, _)| id).collect();
        while let Some(id) = waiting.pop() {
            let live = liveness.before(&program.point(id).action, id);
            if live != liveness.live[id.index()] {
                liveness.live[id.index()] = live;
                waiting.extend(&before[id.index()]);
            }
        }
        liveness
    }

    /// Whether a local variable is live at a point.
    pub fn is_live(&self, point: PointId, local: usize) -> bool {
        self.live[point.index()][local]
    }

    /// Makes those that are not live false.
    pub(crate) fn forget(&self, point: PointId, locals: &mut [bool]) {
        for (value, is_live) in locals.iter_mut().zip(&self.live[point.index()]) {
            *value &= is_live;
        }
    }

    /// What is live before an action, given what is live after it.
    fn before(&self, action: &Action, id: PointId) -> Vec<bool> {
        let mut live = vec![false; self.live[id.index()].len()];
        match action {
            Action::Alternatives(ways) => {
                for way in ways {
                    self.before_way(way, &mut live);
                }
            }
            Action::Accept {
                variables, next, ..
            } => self.keep(*next, |local| variables.contains(&local), &mut live),
            Action::Choose { variable, next } => {
                let is_chosen = |local| *variable == Variable::Local(local);
                self.keep(*next, is_chosen, &mut live);
            }
            Action::Rendezvous { values, .. } => {
                read(values, &mut live);
                self.after(action, &mut live);
            }
            Action::Assert { condition, .. } => {
                read(condition, &mut live);
                self.after(action, &mut live);
            }
            _ => self.after(action, &mut live),
        }
        live
    }

    fn before_way(&self, way: &Alternative, live: &mut [bool]) {
        read(way.guard.values(), live);
        for &(variable, value) in &way.assignments {
            if self.is_needed(way.next, variable) {
                read(&[value], live);
            }
        }
        let is_assigned = |local| {
            let mut assigned = way.assignments.iter();
            assigned.any(|&(variable, _)| variable == Variable::Local(local))
        };
        self.keep(way.next, is_assigned, live);
    }

    /// Whether what a variable gets before a point makes a difference.
    pub(crate) fn is_needed(&self, next: PointId, variable: Variable) -> bool {
        match variable {
            Variable::Global(_) => true,
            Variable::Local(local) => self.is_live(next, local),
        }
    }

    /// What is live at a point stays live before, unless it gets a value.
    fn keep(&self, next: PointId, gets_a_value: impl Fn(usize) -> bool, live: &mut [bool]) {
        for (local, is_live) in self.live[next.index()].iter().enumerate() {
            live[local] |= *is_live && !gets_a_value(local);
        }
    }

    fn after(&self, action: &Action, live: &mut [bool]) {
        for next in action.successors() {
            self.keep(next, |_| false, live);
        }
    }
}

/// Makes the local variables of some values live.
fn read(values: &[Value], live: &mut [bool]) {
    for value in values {
        if let Some(Variable::Local(local)) = value.variable() {
            live[local] = true;
        }
    }
}

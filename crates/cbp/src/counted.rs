//! States as multisets of threads (definition 2.4): the counting abstraction.
//!
//! Threads of one type with equal variables at the same point are interchangeable, and
//! finished ones do not matter. After each step the threads are brought into order, so that
//! states that differ by names only are one. That suits a search which looks at states;
//! reductions look at threads and need their names.
//!
//! A schedule that is found here is one of nameless threads. [`Counted::named`] gives it back
//! in terms of the program, whose threads keep their numbers.

use crate::interpreter::{Interpreter, Resolution, State};
use crate::program::Action;
use raddle_model::{Halt, Layer, Move, NoEnd, Property, System, Thread, Violation};

/// A program whose threads have no names.
#[derive(Clone, Copy, Debug)]
pub struct Counted<'a> {
    system: &'a Interpreter,
}

impl<'a> Counted<'a> {
    /// Takes the names of the threads away.
    pub fn new(system: &'a Interpreter) -> Counted<'a> {
        Counted { system }
    }

    /// The same violation in terms of the program with names; `None` if it is none of its
    /// violations. Since finished threads count there, it may take more of them than the
    /// limit says: [`Interpreter::unlimited`] can replay it.
    pub fn named(&self, violation: &Violation) -> Option<Violation> {
        let named = self.system.unlimited();
        let mut counted = self.system.initial().ok()?;
        let mut plain = counted.clone();
        // Who each of the nameless threads is.
        let mut names = vec![Thread(0)];
        let mut schedule = Vec::new();
        for &Move { thread, choice } in &violation.schedule {
            let name = *names.get(thread.index())?;
            let resolution = match self.system.resolution(&counted, thread, choice) {
                Resolution::With(partner) => Resolution::With(*names.get(partner.index())?),
                resolution => resolution,
            };
            let choice_of_name = named.choice(&plain, name, resolution)?;
            schedule.push(Move {
                thread: name,
                choice: choice_of_name,
            });
            let result = self.system.step(&mut counted, thread, choice);
            let same = named.step(&mut plain, name, choice_of_name);
            match (result, same) {
                (Ok(()), Ok(())) => {}
                (Err(_), Err(_)) => break,
                _ => return None,
            }
            if self.system.threads(&counted) > names.len() {
                names.push(Thread(named.threads(&plain) as u32 - 1));
            }
            let order = self.sort(&mut counted);
            names = order.into_iter().map(|it| names[it]).collect();
        }
        let rename = |threads: &[Thread]| {
            let renamed = threads.iter().map(|it| names.get(it.index()).copied());
            let mut renamed: Vec<Thread> = renamed.collect::<Option<_>>()?;
            renamed.sort();
            Some(renamed)
        };
        let property = match &violation.property {
            Property::Fault(fault) => Property::Fault(fault.clone()),
            Property::Deadlock(threads) => Property::Deadlock(rename(threads)?),
            Property::PartialDeadlock(threads) => Property::PartialDeadlock(rename(threads)?),
            Property::Temporal(unmet) => Property::Temporal(unmet.clone()),
            Property::NoEnd(found) => Property::NoEnd(NoEnd {
                threads: rename(&found.threads)?,
                ..found.clone()
            }),
        };
        Some(Violation { property, schedule })
    }

    /// Brings the threads into order and forgets the finished ones; tells who stands where.
    fn sort(&self, state: &mut State) -> Vec<usize> {
        let is_finished = |it: Thread| matches!(self.system.action(state, it), Action::End);
        let threads = self.system.all_threads(state);
        let mut order: Vec<Thread> = threads.filter(|&it| !is_finished(it)).collect();
        order.sort_by_key(|&it| &state.words[self.system.area(it)]);
        let locks = 0..self.system.program().locks.len();
        let owners: Vec<Option<Thread>> =
            locks.map(|lock| self.system.owner(state, lock)).collect();
        let sorted: Vec<u32> = order
            .iter()
            .flat_map(|&it| state.words[self.system.area(it)].iter().copied())
            .collect();
        state.words.truncate(self.system.area(Thread(0)).start);
        state.words.extend(sorted);
        for (lock, owner) in owners.into_iter().enumerate() {
            let position = order.iter().position(|&it| Some(it) == owner);
            let owner = position.map(|it| Thread(it as u32));
            self.system.set_owner(state, lock, owner);
        }
        order.into_iter().map(Thread::index).collect()
    }
}

impl Layer for Counted<'_> {
    type Below = Interpreter;

    fn below(&self) -> &Interpreter {
        self.system
    }

    fn step(&self, state: &mut State, thread: Thread, choice: u32) -> Result<(), Halt> {
        self.system.step(state, thread, choice)?;
        self.sort(state);
        Ok(())
    }
}

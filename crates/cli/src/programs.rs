//! Programs as they are read, how they are to be run, and as something that runs.

use crate::args::{Input, SolverName};
use crate::failure::Failure;
use crate::front::{self, FrontEnd};
use raddle_cbp::Interpreter;
use raddle_cover::NetSystem;
use raddle_java::{Java, MemoryModel, Processes, Profile, Programs, Randomness, Time, Timeouts};
use raddle_jdk::Launch;
use raddle_machine::reached::Reached;
use raddle_machine::{Machine, MachineLimits};
use raddle_model::{Erased, Narrate, StopFlag, Violation};
use raddle_reduce::{Query, survey_part};
use raddle_report::Source;
use raddle_report::saved::SavedJava;
use raddle_search::{Monitor, Survey};
use std::mem;
use std::ops::Range;
use std::path::Path;

/// A program that runs, whatever it is written in.
pub(crate) trait Program: Narrate + Sized {
    /// Whether it has invariants.
    fn has_invariants(&self) -> bool;

    /// What executions came to so far, if that is noted.
    fn reached(&self) -> Option<Reached> {
        None
    }

    /// Searches it. What is generic over programs is compiled for all with the same states
    /// together, unless its steps are so quick that calls through a pointer would be felt.
    fn search(&self, query: Query<'_>, monitor: &mut dyn Monitor) -> Survey {
        Self::survey(&Erased(self), query, monitor)
    }

    /// Searches a system with such states.
    fn survey(
        system: &Erased<'_, Self::State>,
        query: Query<'_>,
        monitor: &mut dyn Monitor,
    ) -> Survey {
        survey_part(system, query, monitor)
    }

    /// Why a violation may be none: it may rest on an answer that was made up.
    fn doubt(&self, _violation: &Violation) -> Option<String> {
        None
    }
}

impl Program for Machine {
    fn has_invariants(&self) -> bool {
        !self.program().invariants.is_empty()
    }

    fn reached(&self) -> Option<Reached> {
        Some(Machine::reached(self).clone())
    }

    fn search(&self, query: Query<'_>, monitor: &mut dyn Monitor) -> Survey {
        survey_part(self, query, monitor)
    }
}

impl Program for Interpreter {
    fn has_invariants(&self) -> bool {
        !self.program().unsafes.is_empty()
    }
}

impl Program for Java {
    fn has_invariants(&self) -> bool {
        false
    }

    fn survey(
        system: &Erased<'_, Self::State>,
        query: Query<'_>,
        monitor: &mut dyn Monitor,
    ) -> Survey {
        <Java as Programs>::survey(system, query, monitor)
    }

    fn doubt(&self, violation: &Violation) -> Option<String> {
        raddle_java::doubt(self, violation)
    }
}

impl Program for Processes {
    fn has_invariants(&self) -> bool {
        false
    }

    fn survey(
        system: &Erased<'_, Self::State>,
        query: Query<'_>,
        monitor: &mut dyn Monitor,
    ) -> Survey {
        <Processes as Programs>::survey(system, query, monitor)
    }

    fn doubt(&self, violation: &Violation) -> Option<String> {
        raddle_java::doubt(self, violation)
    }
}

impl Program for NetSystem<'_> {
    fn has_invariants(&self) -> bool {
        true
    }
}

/// Something to be done with a program, whatever it is written in.
pub(crate) trait Task {
    /// What comes of it.
    type Output;

    /// Does it.
    fn run<P: Program>(self, program: &P) -> Self::Output;
}

/// Whoever is shown a program that runs: a [`Task`], for front ends, which do not know it.
pub(crate) trait Visitor {
    fn machine(&mut self, program: &Machine);
    fn boolean(&mut self, program: &Interpreter);
    fn net(&mut self, program: &NetSystem<'_>);
    fn java(&mut self, program: &Java);
    fn processes(&mut self, program: &Processes);
}

/// A task that is to be done once.
enum Pending<T: Task> {
    Task(T),
    Gone,
    Done(T::Output),
}

impl<T: Task> Pending<T> {
    fn run<P: Program>(&mut self, program: &P) {
        if let Pending::Task(task) = mem::replace(self, Pending::Gone) {
            *self = Pending::Done(task.run(program));
        }
    }
}

impl<T: Task> Visitor for Pending<T> {
    fn machine(&mut self, program: &Machine) {
        self.run(program);
    }

    fn boolean(&mut self, program: &Interpreter) {
        self.run(program);
    }

    fn net(&mut self, program: &NetSystem<'_>) {
        self.run(program);
    }

    fn java(&mut self, program: &Java) {
        self.run(program);
    }

    fn processes(&mut self, program: &Processes) {
        self.run(program);
    }
}

/// How a program is to be run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Setup {
    /// Other values for the program's constants.
    pub(crate) defines: Vec<(String, i64)>,
    /// Words of a thread's stack.
    pub(crate) stack_words: Option<usize>,
    /// Words of the heap.
    pub(crate) heap_words: Option<usize>,
    /// Threads ever started.
    pub(crate) threads: Option<usize>,
    /// Labels that must not be reached.
    pub(crate) unreachable: Vec<String>,
    /// Sets of states that must not be reached.
    pub(crate) unsafe_sets: Vec<String>,
    /// Where a thread transition system begins, instead of what its files say.
    pub(crate) initially: Option<String>,
    /// How a Java program is run.
    pub(crate) java: Launch,
    /// How several Java programs are run together, if it is not one.
    pub(crate) processes: Vec<Launch>,
    /// What comes of random numbers.
    pub(crate) randomness: Randomness,
    /// How time goes on.
    pub(crate) time: Time,
    /// When time limits run out.
    pub(crate) timeouts: Timeouts,
    /// What threads of a Java program may read.
    pub(crate) memory_model: MemoryModel,
    /// What is said of its classes from outside.
    pub(crate) profile: Profile,
    /// Whether a data race is a violation.
    pub(crate) races: bool,
    /// Whether there are any number of the threads that a Java program starts several of.
    pub(crate) any_threads: bool,
    /// Who answers formulas about programs with any number of threads.
    pub(crate) solver: SolverName,
    /// Whether waiting threads may wake up for no reason.
    pub(crate) spurious: bool,
    /// Whether states count as one that differ only in which thread is which.
    pub(crate) symmetry: bool,
    /// Whether it is counted what executions come to.
    pub(crate) coverage: bool,
    /// What a Java program gets from outside.
    pub(crate) input: Input,
    /// What was known of a Java program when a trace of it was saved.
    pub(crate) recalled: Option<SavedJava>,
    /// Ends what takes long.
    pub(crate) stop: StopFlag,
}

impl Setup {
    /// How large a state of a model may become.
    pub(crate) fn limits(&self) -> MachineLimits {
        let defaults = MachineLimits::default();
        MachineLimits {
            stack_words: self.stack_words.unwrap_or(defaults.stack_words),
            heap_words: self.heap_words.unwrap_or(defaults.heap_words),
            threads: self.threads.unwrap_or(defaults.threads),
        }
    }
}

/// A program as it was read.
pub(crate) struct Text {
    /// What it is written in.
    pub(crate) front: &'static dyn FrontEnd,
    /// Its files. The first is the program itself.
    pub(crate) sources: Vec<Source>,
    /// Which of them are only of which process, if there are several.
    pub(crate) processes: Vec<Range<usize>>,
}

impl Text {
    /// The files that one of several processes may have, with their numbers.
    pub(crate) fn of_process(&self, process: usize) -> impl Iterator<Item = (usize, &Source)> {
        let is_its = move |file: &usize| {
            let owner = self.processes.iter().position(|its| its.contains(file));
            owner.is_none_or(|owner| owner == process)
        };
        let numbered = self.sources.iter().enumerate();
        numbered.filter(move |(file, _)| is_its(file))
    }

    /// The program itself.
    pub(crate) fn main(&self) -> &Source {
        &self.sources[0]
    }
}

/// Reads a program with all files that belong to it; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<Text, Failure> {
    let front = front::of(path);
    Ok(Text {
        front,
        sources: front.read(path)?,
        processes: Vec::new(),
    })
}

/// Makes a program ready to run, and does something with it.
pub(crate) fn with<T: Task>(text: &Text, setup: &Setup, task: T) -> Result<T::Output, Failure> {
    text.front.flags().refuse_others(setup)?;
    let mut pending = Pending::Task(task);
    text.front.visit(text, setup, &mut pending)?;
    match pending {
        Pending::Done(output) => Ok(output),
        Pending::Task(_) | Pending::Gone => Err(Failure::new("the program was not loaded")),
    }
}

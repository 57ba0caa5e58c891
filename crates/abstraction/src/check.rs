//! Which ways to look at a program are tried, and what they amount to.
//!
//! First the plain one: all threads of a kind are alike, those that wait may go on any time,
//! and it is assumed that no number overflows. If that does not come to an end, threads are
//! followed one by one, as many as a property speaks of, first as if they were at a label
//! until they write something shared; if a run needs a wake-up for no reason, waiting is made
//! precise. What holds is tried once more with numbers that wrap
//! around: if the same predicates do, nothing is assumed.

use crate::certificate::Recipe;
use crate::lower::{Unsupported, View};
use crate::queries::Queries;
use crate::refinement::{self, Attempt, Configuration, End, Safe, Surroundings};
use crate::replay::Witness;
use crate::solver::Solver;
use raddle_cover::{Certificate, Monitor, Net, Unwatched};
use raddle_machine::{Machine, MachineLimits, ir};
use raddle_model::StopFlag;
use std::collections::BTreeMap;

/// What is asked.
pub struct Question<'a> {
    /// The program.
    pub program: &'a ir::Program,
    /// Whether assertions and other faults count.
    pub faults: bool,
    /// Whether invariants count.
    pub invariants: bool,
    /// How large a concrete state may become.
    pub limits: MachineLimits,
    /// Ends it.
    pub stop: &'a StopFlag,
    /// Follows the procedures on nets, and ends them.
    pub monitor: &'a dyn Monitor,
    /// Answers formulas.
    pub solver: &'a dyn Solver,
    /// How many formulas may be asked.
    pub queries: u64,
    /// Whether abstractions are wanted as boolean programs, too ([`Attempt::boolean`]).
    pub boolean: bool,
}

impl<'a> Question<'a> {
    /// Whether anything can go wrong: faults and invariants, with so many formulas and nobody who
    /// follows or wants boolean programs.
    pub fn of(
        program: &'a ir::Program,
        solver: &'a dyn Solver,
        queries: u64,
        stop: &'a StopFlag,
    ) -> Self {
        Self {
            program,
            faults: true,
            invariants: true,
            limits: MachineLimits::default(),
            stop,
            monitor: &Unwatched,
            solver,
            queries,
            boolean: false,
        }
    }
}

/// The answer for any number of threads.
#[derive(Clone, Debug)]
pub enum Conclusion {
    /// Nothing that was asked about happens.
    Holds {
        /// Why: nets that are safe, and what shows it.
        proofs: Vec<Proof>,
        /// Whether it is assumed that no number overflows.
        no_overflow: bool,
    },
    /// It does.
    Violated(Box<Witness>),
    /// Neither.
    Unknown {
        /// What does not fit, if that is why.
        unsupported: Option<Unsupported>,
        /// Why, in words.
        why: String,
    },
}

/// A net that is safe, and what shows it.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The net of the last abstraction.
    pub net: Net,
    /// Why it is safe; checked.
    pub certificate: Certificate,
    /// How it was made, if that can be written down.
    pub recipe: Option<Recipe>,
    /// The predicates, for people.
    pub predicates: Vec<String>,
    /// What every thread knows of its own variables where it stands.
    pub known: Vec<LineFacts>,
}

/// What is true of a thread whenever it stands in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineFacts {
    /// The kind of thread.
    pub thread: String,
    /// The line.
    pub line: u32,
    /// The predicates, or their negations.
    pub facts: Vec<String>,
}

/// The answer, and how it came about.
#[derive(Clone, Debug)]
pub struct Inquiry {
    /// The answer.
    pub answer: Conclusion,
    /// What was tried, in order.
    pub attempts: Vec<Attempt>,
}

/// Answers for any number of threads.
pub fn check(question: &Question<'_>, progress: &mut dyn FnMut(&Attempt)) -> Inquiry {
    let mut queries = Queries::new(question.solver, question.stop, question.queries);
    let mut attempts = Vec::new();
    let mut surroundings = Surroundings {
        ir: question.program,
        queries: &mut queries,
        monitor: question.monitor,
        limits: question.limits,
        boolean: question.boolean,
        progress,
    };
    let mut strategy = Strategy {
        question,
        surroundings: &mut surroundings,
        attempts: &mut attempts,
    };
    let answer = match (strategy.decide(), question.solver.failure()) {
        // It was replayed, whatever the solver says.
        (answer @ Conclusion::Violated(_), _) | (answer, None) => answer,
        (_, Some(why)) => unknown(&why),
    };
    Inquiry { answer, attempts }
}

struct Strategy<'a, 's, 'q> {
    question: &'a Question<'a>,
    surroundings: &'a mut Surroundings<'s, 'q>,
    attempts: &'a mut Vec<Attempt>,
}

/// How often a view of the program is refined.
const ITERATIONS: usize = 14;

impl Strategy<'_, '_, '_> {
    fn run(&mut self, configuration: &Configuration) -> End {
        let mut attempt = Attempt::default();
        let end = refinement::run(self.surroundings, configuration, &mut attempt);
        if !matches!(end, End::Nothing) {
            self.attempts.push(attempt);
        }
        end
    }

    fn plain(&self) -> Configuration {
        Configuration {
            view: View::default(),
            forgets: false,
            widened: false,
            faults: self.question.faults,
            invariants: self.question.invariants,
            without: None,
            iterations: ITERATIONS,
            name: "all threads of a kind alike".to_owned(),
        }
    }

    fn decide(&mut self) -> Conclusion {
        let plain = self.plain();
        let followed = followed(self.question);
        let begins_tracked = followed.is_some() && looks_at_others(self.question.program);
        if !begins_tracked {
            match self.settle(&plain) {
                Settled::Conclusion(answer) => return answer,
                Settled::Open(_, End::Stopped) => return unknown("there was no time"),
                Settled::Open(why, _) if followed.is_none() => return unknown(&why),
                Settled::Open(..) => {}
            }
        }
        let Some(tracked) = followed else {
            return unknown("nothing was tried");
        };
        // What goes wrong with as many threads as a property speaks of is found faster by looking.
        if let Some(witness) = self.search(&[(tracked.0, tracked.1 as u32)]) {
            return Conclusion::Violated(Box::new(witness));
        }
        // What is not about threads of one kind is decided as before, without the rest.
        let others = Configuration {
            without: Some(tracked),
            name: "all threads of a kind alike, without counting them".to_owned(),
            ..plain
        };
        let mut answers = match self.settle(&others) {
            Settled::Conclusion(Conclusion::Holds {
                proofs,
                no_overflow,
            }) => (proofs, no_overflow),
            Settled::Conclusion(answer) => return answer,
            Settled::Open(_, End::Nothing) => (Vec::new(), false),
            Settled::Open(why, _) => return unknown(&why),
        };
        let mut last = "the property is not about threads of one kind".to_owned();
        for configuration in self.one_by_one(tracked) {
            match self.settle(&configuration) {
                Settled::Conclusion(Conclusion::Holds {
                    proofs,
                    no_overflow,
                }) => {
                    answers.0.extend(proofs);
                    return Conclusion::Holds {
                        proofs: answers.0,
                        no_overflow: answers.1 || no_overflow,
                    };
                }
                Settled::Conclusion(answer) => return answer,
                Settled::Open(_, End::Stopped) => return unknown("there was no time"),
                // Threads write something shared as soon as they leave the labels.
                Settled::Open(_, End::Nothing) => {}
                Settled::Open(why, _) => last = why,
            }
        }
        unknown(&last)
    }

    /// The ways to follow threads one by one.
    fn one_by_one(&self, tracked: (ir::DeclarationId, usize)) -> Vec<Configuration> {
        let ways = [
            (true, false, ", until they write something shared"),
            (false, false, ""),
            (false, true, ", dead variables forgotten"),
        ];
        let ways = ways
            .into_iter()
            .map(|(widened, forgets, how)| Configuration {
                view: View {
                    tracked: Some(tracked),
                    ..View::default()
                },
                widened,
                forgets,
                name: format!("{} threads followed one by one{how}", tracked.1),
                ..self.plain()
            });
        ways.collect()
    }

    /// Runs a configuration, with precise waiting if it needs that.
    fn settle(&mut self, configuration: &Configuration) -> Settled {
        let mut configuration = configuration.clone();
        loop {
            let end = self.run(&configuration);
            match end {
                End::Safe(found) => {
                    let wide = self.holds_wrapping(&configuration, &found);
                    let assumed = wide.is_none();
                    let (configuration, found) = wide.unwrap_or((configuration, *found));
                    let proof = Proof {
                        recipe: Recipe::of(&configuration, &found),
                        predicates: shown(&found),
                        known: known(&found),
                        net: found.net,
                        certificate: found.certificate,
                    };
                    return Settled::Conclusion(Conclusion::Holds {
                        proofs: vec![proof],
                        no_overflow: assumed,
                    });
                }
                End::Unsafe(witness) => return Settled::Conclusion(Conclusion::Violated(witness)),
                End::Unconfirmed(counts) => {
                    if let Some(witness) = self.search(&counts) {
                        return Settled::Conclusion(Conclusion::Violated(Box::new(witness)));
                    }
                    if configuration.view.precise_waits || !waits(self.question.program) {
                        let why = "a run is possible as far as formulas tell, but the machine \
                                   does not go along with it";
                        return Settled::Open(why.to_owned(), End::Unconfirmed(counts));
                    }
                    configuration.view.precise_waits = true;
                    configuration.name.push_str(", waiting made precise");
                }
                End::Unsupported(found) => {
                    return Settled::Conclusion(Conclusion::Unknown {
                        why: found.what.clone(),
                        unsupported: Some(found),
                    });
                }
                End::GaveUp(why) => return Settled::Open(why.clone(), End::GaveUp(why)),
                End::Nothing => {
                    return Settled::Open("nothing is asked".to_owned(), End::Nothing);
                }
                End::Stopped => {
                    return Settled::Open("there was no time".to_owned(), End::Stopped);
                }
            }
        }
    }

    /// The proof, if the same predicates do without the assumption that nothing overflows.
    fn holds_wrapping(
        &mut self,
        configuration: &Configuration,
        found: &Safe,
    ) -> Option<(Configuration, Safe)> {
        let mut wide = configuration.clone();
        wide.view.wraps = true;
        let program =
            refinement::prepare(self.question.program, &wide, self.surroundings.queries).ok()?;
        let (terms, predicates) = (&found.terms, &found.predicates);
        let safe = refinement::is_safe_with(self.surroundings, program, terms, predicates)?;
        Some((wide, safe))
    }

    /// A search of states with as many threads as a run takes, within bounds.
    fn search(&self, counts: &[(ir::DeclarationId, u32)]) -> Option<Witness> {
        let program = self.question.program.with_threads(counts);
        let machine = Machine::new(program.clone(), self.question.limits).ok()?;
        crate::replay::search(&machine, self.question, counts)
    }
}

enum Settled {
    Conclusion(Conclusion),
    /// Nothing is known, and why.
    Open(String, End),
}

fn unknown(why: &str) -> Conclusion {
    Conclusion::Unknown {
        unsupported: None,
        why: why.to_owned(),
    }
}

fn shown(found: &Safe) -> Vec<String> {
    let predicates = found.predicates.iter();
    predicates.map(|&it| found.terms.show(it)).collect()
}

/// What all places of threads in a line say.
fn known(found: &Safe) -> Vec<LineFacts> {
    let mut lines: BTreeMap<(usize, u32), Vec<u8>> = BTreeMap::new();
    for (template, location, cube) in &found.states {
        let place = found.program.templates[*template].locations[*location].place;
        let Some(line) = place.map(|place| place.line) else {
            continue;
        };
        let common = lines
            .entry((*template, line))
            .or_insert_with(|| cube.clone());
        for (common, value) in common.iter_mut().zip(cube) {
            if common != value {
                *common = 2;
            }
        }
    }
    let mut all = Vec::new();
    for ((template, line), cube) in lines {
        let pairs = found.local[template].iter().zip(cube);
        let facts = pairs.filter_map(|(&predicate, value)| {
            let text = found.terms.show(predicate);
            match value {
                0 => Some(format!("!({text})")),
                1 => Some(text),
                _ => None,
            }
        });
        let facts: Vec<String> = facts.collect();
        if !facts.is_empty() {
            let thread = found.program.templates[template].name.clone();
            all.push(LineFacts {
                thread,
                line,
                facts,
            });
        }
    }
    all
}

/// The kind of threads of which several at labels are a violation, and how many.
fn followed(question: &Question<'_>) -> Option<(ir::DeclarationId, usize)> {
    if !question.invariants {
        return None;
    }
    let view = View::default();
    let labels = crate::targets::labels(question.program);
    let mut program = crate::lower::lower(question.program, &view, &labels).ok()?;
    crate::targets::set(question.program, &mut program, false, true).ok()?;
    for target in &program.targets {
        if target.labels.len() < 2 || target.labels.len() > 3 {
            continue;
        }
        for template in program
            .templates
            .iter()
            .filter(|it| !it.once && !it.started)
        {
            let has = |label: &ir::LabelId| {
                let mut there = template.locations.iter();
                there.any(|it| it.labels.contains(label))
            };
            if target.labels.iter().all(has) {
                return Some((template.declaration, target.labels.len()));
            }
        }
    }
    None
}

/// Whether threads look at elements of others.
fn looks_at_others(program: &ir::Program) -> bool {
    let per_thread = |region: raddle_model::Region| {
        let region = program.regions.get(region.0 as usize);
        region.is_some_and(|region| region.per_thread.is_some())
    };
    let mut looks = false;
    for instruction in &program.code {
        instruction.for_each_expression(&mut |expression| {
            looks |= matches!(expression, ir::Expression::Length(region) if per_thread(*region));
        });
    }
    looks
}

fn waits(program: &ir::Program) -> bool {
    program
        .code
        .iter()
        .any(|it| matches!(it, ir::Instruction::Wait(_)))
}

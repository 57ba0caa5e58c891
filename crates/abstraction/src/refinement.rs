//! The loop: abstract, decide, look at the run, refine.

use crate::abstraction::{self, NoAbstraction, Options, classify};
use crate::boolean;
use crate::compose;
use crate::lower::{self, Unsupported, View};
use crate::nets;
use crate::program::Program;
use crate::queries::Queries;
use crate::refine;
use crate::replay::{self, Witness};
use crate::runs::{self, Execution, Instances, Moved, PICKS};
use crate::targets;
use crate::terms::{Term, Terms, Var};
use raddle_cover::{Answer, Certificate, Monitor, Net};
use raddle_machine::{MachineLimits, ir};
use std::collections::{BTreeSet, HashSet};

/// A way to look at a program, and how far to go.
#[derive(Clone, Debug, Default)]
pub(crate) struct Configuration {
    pub(crate) view: View,
    /// Whether variables that are dead are forgotten in threads that exist once.
    pub(crate) forgets: bool,
    /// Whether followed threads count as at a label until they write something shared.
    pub(crate) widened: bool,
    pub(crate) faults: bool,
    pub(crate) invariants: bool,
    /// All targets but those about so many threads of a kind, which are decided otherwise.
    pub(crate) without: Option<(ir::DeclarationId, usize)>,
    pub(crate) iterations: usize,
    /// In words, for the story.
    pub(crate) name: String,
}

/// A predicate and why it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// What it says.
    pub text: String,
    /// Since which iteration it is there; 0 from the start.
    pub iteration: usize,
    /// Why it was added.
    pub why: String,
}

/// What was tried with one configuration.
#[derive(Clone, Debug, Default)]
pub struct Attempt {
    /// How the program was looked at.
    pub name: String,
    /// All predicates that were used.
    pub predicates: Vec<Predicate>,
    /// How many abstractions were made.
    pub iterations: usize,
    /// The size of the last net.
    pub places: usize,
    /// The size of the last net.
    pub transitions: usize,
    /// How many questions the solver answered.
    pub queries: u64,
    /// How it ended.
    pub end: String,
    /// Steps of the last run that could not be decided, for people.
    pub run: Vec<String>,
    /// The last net.
    pub net: Option<Net>,
    /// The same as a boolean program, or what does not fit into one; if that is wanted.
    pub boolean: Option<Result<boolean::Text, Unsupported>>,
}

/// How a configuration ends.
pub(crate) enum End {
    /// The net is safe.
    Safe(Box<Safe>),
    /// The program is not, and here is how.
    Unsafe(Box<Witness>),
    /// The run is possible as far as formulas tell, but the machine does not go along.
    Unconfirmed(Vec<(ir::DeclarationId, u32)>),
    /// It does not come to an end, or is too large.
    GaveUp(String),
    /// It was to end.
    Stopped,
    /// Something does not fit.
    Unsupported(Unsupported),
    /// Nothing is asked.
    Nothing,
}

/// A net that is safe, and the predicates that made it so.
pub(crate) struct Safe {
    pub(crate) net: Net,
    pub(crate) certificate: Certificate,
    pub(crate) terms: Terms,
    pub(crate) predicates: Vec<Term>,
    /// The program, and whether it was computed what passive threads know.
    pub(crate) program: Program,
    pub(crate) precise_passive: bool,
    /// The places of threads, and for each template the predicates that they speak of.
    pub(crate) states: Vec<abstraction::State>,
    pub(crate) local: Vec<Vec<Term>>,
}

/// All that a loop needs from outside.
pub(crate) struct Surroundings<'a, 'q> {
    pub(crate) ir: &'a ir::Program,
    pub(crate) queries: &'a mut Queries<'q>,
    pub(crate) monitor: &'a dyn Monitor,
    pub(crate) limits: MachineLimits,
    /// Whether abstractions are wanted as boolean programs, too.
    pub(crate) boolean: bool,
    pub(crate) progress: &'a mut dyn FnMut(&Attempt),
}

/// The program as a configuration sees it, its steps joined.
pub(crate) fn prepare(
    ir: &ir::Program,
    configuration: &Configuration,
    queries: &Queries<'_>,
) -> Result<Program, End> {
    let labels = targets::labels(ir);
    let mut program = lower::lower(ir, &configuration.view, &labels).map_err(End::Unsupported)?;
    targets::set(
        ir,
        &mut program,
        configuration.faults,
        configuration.invariants,
    )
    .map_err(End::Unsupported)?;
    if let Some((id, count)) = configuration.view.tracked {
        let is_tracked =
            |target: &crate::program::Target| is_symmetric(&program, target, id, count);
        let keep: Vec<bool> = program.targets.iter().map(is_tracked).collect();
        let mut keep = keep.into_iter();
        program.targets.retain(|_| keep.next() == Some(true));
    }
    if let Some((id, count)) = configuration.without {
        let is_other = |target: &crate::program::Target| !is_symmetric(&program, target, id, count);
        let keep: Vec<bool> = program.targets.iter().map(is_other).collect();
        let mut keep = keep.into_iter();
        program.targets.retain(|_| keep.next() == Some(true));
    }
    compose::compose(&mut program, queries.solver).map_err(End::GaveUp)?;
    compose::forget_dead(&mut program, configuration.forgets);
    if configuration.widened && !widen(&mut program) {
        return Err(End::Nothing);
    }
    Ok(program)
}

/// Gives locations the labels of those from which threads come to them without writing
/// anything shared: there should be one thread at most at these, too. That says more than was
/// asked: what holds then holds, what is violated may not be. Whether there are any such locations.
fn widen(program: &mut Program) -> bool {
    let mut has_more = false;
    let shared: HashSet<Var> = program.globals.iter().map(|global| global.var).collect();
    for number in 0..program.templates.len() {
        let own = compose::private_to(program, number);
        let is_own = |var: &Var| own.iter().any(|variable| variable.var == *var);
        let template = &mut program.templates[number];
        // Threads that have ended do not write any more.
        let ends: Vec<bool> = (0..template.locations.len())
            .map(|it| !template.edges.iter().any(|edge| edge.from == it))
            .collect();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for edge in &template.edges {
                let mut written = edge.updates.keys();
                if edge.to == 0
                    || ends[edge.to]
                    || !edge.operations.is_empty()
                    || written.any(|var| shared.contains(var) && !is_own(var))
                {
                    continue;
                }
                for label in template.locations[edge.from].labels.clone() {
                    let labels = &mut template.locations[edge.to].labels;
                    if !labels.contains(&label) {
                        labels.push(label);
                        changed = true;
                    }
                }
            }
            has_more |= changed;
        }
    }
    has_more
}

/// Whether a target is about threads of one kind only, as many as are followed.
fn is_symmetric(
    program: &Program,
    target: &crate::program::Target,
    id: ir::DeclarationId,
    count: usize,
) -> bool {
    let elsewhere = |label: &ir::LabelId| {
        program.templates.iter().any(|template| {
            let mut there = template.locations.iter();
            let is_other = template.declaration != id || template.started;
            is_other && there.any(|it| it.labels.contains(label))
        })
    };
    !target.is_fault && target.labels.len() == count && !target.labels.iter().any(elsewhere)
}

/// Runs the loop.
pub(crate) fn run(
    surroundings: &mut Surroundings<'_, '_>,
    configuration: &Configuration,
    attempt: &mut Attempt,
) -> End {
    attempt.name.clone_from(&configuration.name);
    let before = surroundings.queries.asked;
    surroundings.queries.forget();
    let end = match prepare(surroundings.ir, configuration, surroundings.queries) {
        Ok(program) => refine(surroundings, configuration, attempt, program),
        Err(end) => end,
    };
    attempt.queries = surroundings.queries.asked - before;
    attempt.end = match &end {
        End::Safe(_) => "the net is safe".to_owned(),
        End::Unsafe(_) => "an execution does it".to_owned(),
        End::Unconfirmed(_) => "a run that the machine does not go along with".to_owned(),
        End::GaveUp(why) => why.clone(),
        End::Stopped => "no time".to_owned(),
        End::Unsupported(found) => format!("not supported: {}", found.what),
        End::Nothing => "nothing to decide".to_owned(),
    };
    end
}

struct Loop<'a> {
    program: Program,
    predicates: Vec<Term>,
    options: Options,
    attempt: &'a mut Attempt,
    comparisons: Vec<Term>,
}

fn refine(
    surroundings: &mut Surroundings<'_, '_>,
    configuration: &Configuration,
    attempt: &mut Attempt,
    mut program: Program,
) -> End {
    if program.targets.is_empty() {
        return End::Nothing;
    }
    let mut first: Vec<Term> = Vec::new();
    for target in &program.targets {
        first.extend(target.condition.iter().map(|(term, _)| *term));
    }
    let asked = first.len();
    for seed in refine::seeds(&mut program) {
        if !first.contains(&seed) {
            first.push(seed);
        }
    }
    let comparisons = refine::templates(&mut program);
    let mut it = Loop {
        program,
        predicates: Vec::new(),
        options: Options::default(),
        attempt,
        comparisons,
    };
    let (questions, seeds) = first.split_at(asked);
    it.add(questions, 0, "the property asks for it");
    it.add(seeds, 0, "a condition of the program");
    let before = surroundings.queries.asked;
    for iteration in 1..=configuration.iterations {
        it.attempt.iterations = iteration;
        it.attempt.queries = surroundings.queries.asked - before;
        (surroundings.progress)(it.attempt);
        if let Some(end) = it.once(surroundings, iteration) {
            return end;
        }
    }
    End::GaveUp(format!(
        "no end after {} refinements",
        configuration.iterations
    ))
}

impl Loop<'_> {
    fn add(&mut self, predicates: &[Term], iteration: usize, why: &str) {
        for &predicate in predicates {
            if self.predicates.contains(&predicate) {
                continue;
            }
            self.predicates.push(predicate);
            self.attempt.predicates.push(Predicate {
                text: self.program.terms.show(predicate),
                iteration,
                why: why.to_owned(),
            });
        }
    }

    /// One round; how it all ends, if it does.
    fn once(&mut self, surroundings: &mut Surroundings<'_, '_>, iteration: usize) -> Option<End> {
        let Loop {
            program,
            predicates,
            options,
            ..
        } = self;
        let queries = &mut *surroundings.queries;
        let built = abstraction::build(program, predicates, *options, queries).and_then(|made| {
            let built = nets::emit(program, &made, *options, queries)?;
            Ok((made, built))
        });
        let (made, built) = match built {
            Ok(both) => both,
            Err(NoAbstraction::Over) => return Some(over(surroundings)),
            Err(NoAbstraction::TooLarge(why)) => return Some(End::GaveUp(why)),
        };
        self.attempt.places = built.net.places.len();
        self.attempt.transitions = built.net.transitions.len();
        (surroundings.progress)(self.attempt);
        self.attempt.net = Some(built.net.clone());
        if surroundings.boolean {
            let why = &self.attempt.predicates;
            let program = boolean::program(&self.program, &made, &built, why);
            self.attempt.boolean = Some(program);
        }
        let verdict = raddle_cover::decide(&built.net, surroundings.monitor);
        let run = match verdict.answer {
            Answer::Safe(certificate) => {
                let found = (self.program.terms.clone(), self.predicates.clone());
                let (terms, predicates) = found;
                return Some(End::Safe(Box::new(Safe {
                    net: built.net,
                    certificate,
                    terms,
                    predicates,
                    program: self.program.clone(),
                    precise_passive: self.options.precise_passive,
                    states: made.states,
                    local: made.local,
                })));
            }
            Answer::Unknown(why) if surroundings.queries.stop.is_set() => {
                self.attempt.end = why;
                return Some(End::Stopped);
            }
            Answer::Unknown(why) => return Some(End::GaveUp(why)),
            Answer::Unsafe(run) => run,
        };
        let mut instances = Instances::default();
        let mut impossible = None;
        for pick in 0..PICKS {
            let decoded = runs::decode(&self.program, &made, &built, &run, pick);
            let Some(execution) = decoded else {
                continue;
            };
            let solver = surroundings.queries.solver;
            surroundings.queries.asked += 1;
            match runs::contradiction(&mut self.program, &execution, &mut instances, solver) {
                None => return Some(self.possible(surroundings, &execution)),
                Some(core) if impossible.is_none() => impossible = Some((execution, core)),
                Some(_) => {}
            }
        }
        let Some((execution, core)) = impossible else {
            return Some(End::GaveUp("a run of the net cannot be read".to_owned()));
        };
        self.attempt.run = describe(&self.program, &execution);
        let (found, plain) =
            refine::candidates(&mut self.program, &execution, &core, &mut instances);
        let is_new = |it: &Term| !self.predicates.contains(it);
        let plain: Vec<Term> = found[..plain].iter().copied().filter(is_new).collect();
        let found: Vec<Term> = found.into_iter().filter(is_new).collect();
        let mut all = found.clone();
        let comparisons = self.comparisons.iter().copied();
        all.extend(comparisons.filter(|it| is_new(it) && !found.contains(it)));
        if all.is_empty() {
            return self.escalate("no new predicate");
        }
        let have = self.predicates.clone();
        let chosen = refine::select(
            &mut self.program,
            &execution,
            &have,
            &all,
            surroundings.queries,
        );
        if surroundings.queries.is_over() {
            return Some(over(surroundings));
        }
        let why = reason(&self.program, &execution, &core);
        match chosen {
            // They suffice, so that it is what passive threads know that does not.
            Some(chosen) if chosen.is_empty() && !self.options.precise_passive => {
                self.options.precise_passive = true;
                None
            }
            Some(chosen) if chosen.is_empty() && plain.is_empty() => {
                self.escalate("the predicates suffice, but not what passive threads know")
            }
            Some(chosen) if chosen.is_empty() => {
                self.add(&plain, iteration, &why);
                self.diverges()
            }
            Some(chosen) => {
                self.add(&chosen, iteration, &why);
                self.diverges()
            }
            None if !plain.is_empty() => {
                self.add(&plain, iteration, &why);
                self.diverges()
            }
            None if !found.is_empty() => {
                self.add(&found, iteration, &why);
                self.diverges()
            }
            None => self.escalate("no predicate about single threads rules a run out"),
        }
    }

    /// What passive threads know is computed, if it was not.
    fn escalate(&mut self, why: &str) -> Option<End> {
        if self.options.precise_passive {
            return Some(End::GaveUp(why.to_owned()));
        }
        self.options.precise_passive = true;
        None
    }

    /// Whether one linear form has collected so many constants that there will be no end.
    fn diverges(&mut self) -> Option<End> {
        let mut forms: std::collections::HashMap<Vec<(Term, i64)>, usize> = Default::default();
        for &predicate in &self.predicates {
            if let Some((parts, _, _)) = self.program.terms.linear(predicate) {
                *forms.entry(parts).or_default() += 1;
            }
        }
        let most = forms.values().copied().max().unwrap_or(0);
        let (shared, _) = classify(&self.program, &self.predicates);
        match most > MOST_CONSTANTS || shared.len() > crate::cubes::MOST_PREDICATES {
            true => Some(End::GaveUp(
                "the same comparison with ever other numbers".to_owned(),
            )),
            false => None,
        }
    }

    fn possible(&mut self, surroundings: &mut Surroundings<'_, '_>, execution: &Execution) -> End {
        self.attempt.run = describe(&self.program, execution);
        match replay::replay(
            surroundings.ir,
            &self.program,
            execution,
            surroundings.limits,
        ) {
            Some(witness) => End::Unsafe(Box::new(witness)),
            None => {
                let mut counts: Vec<(ir::DeclarationId, u32)> = Vec::new();
                for id in &surroundings.ir.replicated {
                    let of_kind = execution.threads.iter().enumerate().filter(|(number, it)| {
                        self.program.templates[**it].declaration == *id
                            && execution.steps.iter().any(|step| step.thread == *number)
                    });
                    counts.push((*id, of_kind.count().max(1) as u32));
                }
                End::Unconfirmed(counts)
            }
        }
    }
}

/// With so many constants in one linear form there will be more.
const MOST_CONSTANTS: usize = 7;

fn over(surroundings: &Surroundings<'_, '_>) -> End {
    let queries = &surroundings.queries;
    match (queries.stop.is_set(), queries.solver.failure()) {
        (true, _) => End::Stopped,
        (false, Some(why)) => End::GaveUp(why),
        (false, None) => End::GaveUp("too many questions to the solver".to_owned()),
    }
}

/// Why predicates are added: which steps of a run contradict each other.
fn reason(program: &Program, execution: &Execution, core: &BTreeSet<usize>) -> String {
    let edge = |step: &Moved| &program.templates[step.template].edges[step.edge];
    let steps = core.iter().filter_map(|&step| execution.steps.get(step));
    let lines: BTreeSet<u32> = steps
        .filter_map(|step| edge(step).place.map(|it| it.line))
        .collect();
    let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
    let count = execution.steps.len();
    match lines.as_slice() {
        [] => format!("rules out a run of {count} steps"),
        [line] => format!("rules out a run of {count} steps, which line {line} makes impossible"),
        lines => format!(
            "rules out a run of {count} steps, which lines {} make impossible",
            lines.join(", ")
        ),
    }
}

fn describe(program: &Program, execution: &Execution) -> Vec<String> {
    let steps = execution.steps.iter();
    steps
        .map(|step| {
            let template = &program.templates[step.template];
            let edge = &template.edges[step.edge];
            let line = edge
                .place
                .map_or(String::new(), |it| format!(" line {}", it.line));
            format!(
                "{}#{}{line}: {}",
                template.name,
                step.thread,
                program.terms.show(edge.guard)
            )
        })
        .collect()
}

/// The net with predicates of another view of the program, if it is safe.
pub(crate) fn is_safe_with(
    surroundings: &mut Surroundings<'_, '_>,
    mut program: Program,
    terms: &Terms,
    predicates: &[Term],
) -> Option<Safe> {
    let mut imported: Vec<Term> = Vec::new();
    for target in &program.targets {
        imported.extend(target.condition.iter().map(|(term, _)| *term));
    }
    for &predicate in predicates {
        if let Some(predicate) = program.terms.import(terms, predicate)
            && !imported.contains(&predicate)
        {
            imported.push(predicate);
        }
    }
    surroundings.queries.forget();
    for precise_passive in [false, true] {
        let options = Options {
            precise_passive,
            ..Options::default()
        };
        let queries = &mut *surroundings.queries;
        let made = abstraction::build(&mut program, &imported, options, queries).ok()?;
        let built = nets::emit(&mut program, &made, options, queries).ok()?;
        let verdict = raddle_cover::decide(&built.net, surroundings.monitor);
        if let Answer::Safe(certificate) = verdict.answer {
            return Some(Safe {
                net: built.net,
                certificate,
                terms: program.terms.clone(),
                predicates: imported,
                program,
                precise_passive,
                states: made.states,
                local: made.local,
            });
        }
    }
    None
}

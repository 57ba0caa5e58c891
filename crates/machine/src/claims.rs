//! What a program says about who may access what when: its `exclusive`, `protected by`,
//! `unprotected` and `initialised by`, made ready to be asked in every state.
//!
//! Whether a claim lets a thread access a variable is evaluated. What a step may do to
//! the answers is a static bound: it must not depend on what other threads do, or they
//! could make a step visible that was not (paper 000, hypotheses 14 and 15). That taking a
//! lock gives access to what it protects is not said here: it is visible anyway, and who has
//! one thereby can lose it by nobody else's doing.

use crate::evaluate::{self, Unwatched};
use crate::interpret::Code;
use crate::ir::{
    BinaryOperator, Cell, DeclarationId, Discipline, Expression, Function, Instruction, Pc,
    Program, Target, UnaryOperator,
};
use crate::memory::Lock;
use raddle_model::{Influence, Object, Operation, Permission, Region, Thread};
use std::collections::BTreeSet;

/// The claims of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Claims {
    /// By region; none at all if the program claims nothing.
    regions: Vec<Claimed>,
    /// For each instruction: what a step that begins there may do to permissions.
    influence: Vec<Influence>,
    /// For each instruction: whether a thread that stands there, in its first function,
    /// is still in its beginning.
    beginning: Vec<bool>,
    /// For each function: whether it, or one that it calls, synchronises.
    synchronises: Vec<bool>,
}

/// What is claimed of a region.
#[derive(Clone, Debug, Default)]
struct Claimed {
    unprotected: bool,
    predicate: Option<Predicate>,
    /// The thread that initialises it.
    initialiser: Option<DeclarationId>,
}

impl Claimed {
    fn is_conditional(&self) -> bool {
        self.initialiser.is_some() || matches!(self.predicate, Some(Predicate::True { .. }))
    }
}

#[derive(Clone, Debug)]
enum Predicate {
    /// The thread holds this monitor.
    Holds(Cell),
    /// This is true for the thread.
    True {
        condition: Expression,
        /// Whether its form alone makes it true for one thread at a time.
        is_disjoint: bool,
    },
}

impl Claims {
    /// Prepares the claims of a verified program.
    pub(crate) fn new(program: &Program) -> Claims {
        if program.claims.is_empty() {
            return Claims::default();
        }
        let synchronises = synchronising_functions(program);
        let mut claims = Claims {
            regions: vec![Claimed::default(); program.regions.len()],
            influence: Vec::new(),
            beginning: beginnings(program, &synchronises),
            synchronises,
        };
        for claim in &program.claims {
            let region = &mut claims.regions[claim.region.0 as usize];
            match &claim.discipline {
                Discipline::Unprotected => region.unprotected = true,
                Discipline::ProtectedBy(cell) => {
                    region.predicate = Some(Predicate::Holds(cell.clone()));
                }
                Discipline::Exclusive(condition) => {
                    region.predicate = Some(Predicate::True {
                        is_disjoint: demands_a_lock(condition),
                        condition: condition.clone(),
                    });
                }
                Discipline::InitialisedBy(declaration) => {
                    // Of several threads none is the one that initialises; then nothing
                    // is claimed.
                    if is_single(program, *declaration) {
                        region.initialiser = Some(*declaration);
                    }
                }
            }
        }
        claims.influence = claims.influences(program);
        claims
    }

    /// What is said about a thread's accesses to a variable.
    pub(crate) fn permission(
        &self,
        code: Code<'_>,
        words: &[u32],
        object: Object,
        thread: Thread,
    ) -> Permission {
        let Some(claimed) = self.regions.get(object.region.0 as usize) else {
            return Permission::Unsaid;
        };
        if claimed.unprotected {
            return Permission::Unprotected;
        }
        // What a step is about to create is known to nobody else.
        let location = evaluate::location(code.layout, words, object);
        if location.word >= words.len() {
            return Permission::Granted;
        }
        if let Some(declaration) = claimed.initialiser
            && let Some(first) = self.initialising(code, words, declaration)
        {
            return granted(first == thread);
        }
        match &claimed.predicate {
            None => Permission::Unsaid,
            Some(predicate) => granted(predicate.holds(code, words, object, thread)),
        }
    }

    /// The only thread of a kind, if it is in its beginning.
    fn initialising(
        &self,
        code: Code<'_>,
        words: &[u32],
        declaration: DeclarationId,
    ) -> Option<Thread> {
        let mut initial = code.program.initial_threads.iter();
        let number = initial.position(|thread| thread.declaration == declaration)?;
        let thread = Thread(number as u32);
        // The frames come from the outermost one or from the innermost one; either way
        // the outermost is the one in the thread's own function.
        let own = code.program.declarations[usize::from(declaration.0)].function;
        let begins = code.layout.frames(words, thread).all(|(_, pc)| {
            let function = code.layout.function_of[pc as usize];
            match function == own.0 {
                true => self.beginning[pc as usize],
                false => !self.synchronises[usize::from(function)],
            }
        });
        (code.layout.pc(words, thread).is_some() && begins).then_some(thread)
    }

    /// Whether a thread that was in its beginning still is when it stands at an instruction:
    /// on another way to the same place it may have synchronised.
    fn keeps_beginning(&self, program: &Program, pc: u32) -> bool {
        let functions = program.functions.iter();
        let function = functions.zip(&self.synchronises).enumerate();
        let mut around = function.filter(|(_, (function, _))| function.holds(pc));
        let is_called = |number: usize| {
            let mut declared = program.declarations.iter();
            !declared.any(|declaration| usize::from(declaration.function.0) == number)
        };
        self.beginning[pc as usize]
            && !around.any(|(number, (_, synchronises))| *synchronises && is_called(number))
    }

    /// The regions of whose variables more is claimed than that a lock is held.
    pub(crate) fn conditional(&self) -> impl Iterator<Item = Region> {
        let regions = self.regions.iter().enumerate();
        regions
            .filter(|(_, claimed)| matches!(claimed.predicate, Some(Predicate::True { .. })))
            .map(|(number, _)| Region(number as u32))
    }

    /// Whether some claim is about more than a lock.
    pub(crate) fn are_conditional(&self) -> bool {
        self.regions.iter().any(Claimed::is_conditional)
    }

    /// Whether the claim about a region is about more than a lock.
    pub(crate) fn is_conditional(&self, region: Region) -> bool {
        let claimed = self.regions.get(region.0 as usize);
        claimed.is_some_and(Claimed::is_conditional)
    }

    /// What the next step of a thread that stands at an instruction may do.
    pub(crate) fn influence(&self, pc: u32) -> Influence {
        let known = self.influence.get(pc as usize);
        known.copied().unwrap_or(Influence::None)
    }

    fn influences(&self, program: &Program) -> Vec<Influence> {
        let senses = self.senses(program);
        let steps = Steps::new(program);
        (0..program.code.len() as u32)
            .map(|pc| match program.starts[pc as usize] {
                true => self.step_influence(program, &senses, &steps.from(Pc(pc)), pc),
                false => Influence::None,
            })
            .collect()
    }

    fn senses(&self, program: &Program) -> Vec<Sense> {
        let mut senses = Vec::new();
        for (number, claimed) in self.regions.iter().enumerate() {
            if let Some(Predicate::True {
                condition,
                is_disjoint,
            }) = &claimed.predicate
            {
                let mut sense = Sense::new(Region(number as u32), *is_disjoint);
                sense.add(program, condition, Some(true));
                senses.push(sense);
            }
        }
        senses
    }

    fn step_influence(
        &self,
        program: &Program,
        senses: &[Sense],
        step: &Reach,
        start: u32,
    ) -> Influence {
        let leaves_beginning = self.regions.iter().any(|it| it.initialiser.is_some())
            && self.beginning[start as usize]
            && (step.may_finish
                || step
                    .ends
                    .iter()
                    .any(|&end| !self.keeps_beginning(program, end))
                || step
                    .passes
                    .iter()
                    .any(|&pc| passes_on(&program.code[pc as usize], &self.synchronises)));
        let begins = match leaves_beginning {
            true => Influence::Gives,
            false => Influence::None,
        };
        let told = senses
            .iter()
            .map(|sense| sense.influence(program, step, start));
        told.fold(begins, Influence::max)
    }
}

fn granted(yes: bool) -> Permission {
    match yes {
        true => Permission::Granted,
        false => Permission::Denied,
    }
}

impl Predicate {
    /// Whether it is true for a thread. What cannot be evaluated is not.
    fn holds(&self, code: Code<'_>, words: &[u32], object: Object, thread: Thread) -> bool {
        if code.layout.pc(words, thread).is_none() {
            return false;
        }
        let mut view = code.view(words, thread, 0);
        view.accessed = code.layout.accessed(words, object);
        match self {
            Predicate::Holds(cell) => match view.locate(cell, &mut Unwatched) {
                Ok(location) => Lock(words[location.word]).owner() == Some(thread),
                Err(_) => false,
            },
            Predicate::True { condition, .. } => {
                view.holds(condition, &mut Unwatched).unwrap_or(false)
            }
        }
    }
}

/// What a predicate looks at.
#[derive(Clone, Debug)]
struct Sense {
    region: Region,
    is_disjoint: bool,
    /// Whatever is done to their objects may make it true.
    regions: BTreeSet<u32>,
    /// Monitors: being their owner makes it true, not being it does not.
    owned: BTreeSet<u32>,
    /// Labels, where standing there makes it true, and where going away does.
    at: BTreeSet<u32>,
    away: BTreeSet<u32>,
    /// Variables of the thread's own.
    own: bool,
}

impl Sense {
    fn new(region: Region, is_disjoint: bool) -> Sense {
        Sense {
            region,
            is_disjoint,
            regions: BTreeSet::new(),
            owned: BTreeSet::new(),
            at: BTreeSet::new(),
            away: BTreeSet::new(),
            own: false,
        }
    }

    /// Adds what an expression looks at. `truth` is the value of the expression that
    /// makes the predicate true; `None` if any may.
    fn add(&mut self, program: &Program, expression: &Expression, truth: Option<bool>) {
        match expression {
            Expression::Binary(BinaryOperator::And | BinaryOperator::Or, left, right) => {
                self.add(program, left, truth);
                self.add(program, right, truth);
            }
            Expression::Unary(UnaryOperator::Not, inner) => {
                self.add(program, inner, truth.map(|truth| !truth));
            }
            Expression::At(label) => {
                let pc = program.labels[usize::from(label.0)].pc.0;
                if truth != Some(false) {
                    self.at.insert(pc);
                }
                if truth != Some(true) {
                    self.away.insert(pc);
                }
            }
            _ => match (owned_lock(expression), truth) {
                (Some(cell), Some(true)) => {
                    self.owned.insert(cell.region.0);
                    cell.for_each(&mut |part| self.add_atom(program, part));
                }
                _ => expression.for_each(&mut |part| self.add_atom(program, part)),
            },
        }
    }

    fn add_atom(&mut self, program: &Program, atom: &Expression) {
        match atom {
            Expression::ThreadLocal(_) | Expression::ThreadLocalElement(..) => self.own = true,
            Expression::At(label) | Expression::CountAt(label) => {
                let pc = program.labels[usize::from(label.0)].pc.0;
                self.at.insert(pc);
                self.away.insert(pc);
            }
            _ => {
                if let Some(cell) = atom.observes() {
                    self.regions.insert(cell.region.0);
                }
            }
        }
    }

    /// What a step may do to the predicate.
    fn influence(&self, program: &Program, step: &Reach, start: u32) -> Influence {
        let takes = match self.is_disjoint {
            true => Influence::None,
            false => Influence::Takes,
        };
        let mut most = Influence::None;
        let mut meet = |influence: Influence| most = most.max(influence);
        let moves = |labels: &BTreeSet<u32>, to: bool| match to {
            true => step.ends.iter().any(|end| labels.contains(end)),
            false => labels.contains(&start),
        };
        if moves(&self.at, true) || moves(&self.away, false) {
            meet(Influence::Gives);
        }
        if moves(&self.at, false) || moves(&self.away, true) || step.may_finish {
            meet(takes);
        }
        for &pc in &step.passes {
            let instruction = &program.code[pc as usize];
            meet(match instruction {
                Instruction::Assign(Target::ThreadLocal(_), _)
                | Instruction::Assign(Target::ThreadLocalElement(..), _)
                    if self.own =>
                {
                    Influence::Gives
                }
                Instruction::New(record, _)
                    if program.records[usize::from(record.0)]
                        .fields
                        .contains(&self.region) =>
                {
                    Influence::Gives
                }
                Instruction::Spawn { .. } => Influence::Gives,
                _ => self.operation_influence(instruction, takes),
            });
        }
        most
    }

    fn operation_influence(&self, instruction: &Instruction, takes: Influence) -> Influence {
        let (Some(cell), Some(operation)) = (instruction.cell(), instruction.operation()) else {
            return Influence::None;
        };
        if self.regions.contains(&cell.region.0) {
            return Influence::Gives;
        }
        match operation {
            _ if !self.owned.contains(&cell.region.0) => Influence::None,
            Operation::Acquire | Operation::WaitResume => Influence::Gives,
            Operation::Release | Operation::Wait => takes,
            _ => Influence::None,
        }
    }
}

/// The monitor of `owner(m) == self`.
fn owned_lock(expression: &Expression) -> Option<&Cell> {
    match expression {
        Expression::Binary(BinaryOperator::Equal, left, right) => match (&**left, &**right) {
            (Expression::Owner(cell), Expression::Me)
            | (Expression::Me, Expression::Owner(cell)) => Some(cell),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a condition can be true only for the owner of a monitor that is always the same
/// one, and cannot be made false by another thread.
fn demands_a_lock(condition: &Expression) -> bool {
    has_lock(condition) && is_own(condition)
}

fn has_lock(condition: &Expression) -> bool {
    if let Expression::Binary(BinaryOperator::And, left, right) = condition {
        return has_lock(left) || has_lock(right);
    }
    owned_lock(condition).is_some_and(is_fixed)
}

/// Whether nothing but the thread itself decides whether a condition is true for it.
fn is_own(condition: &Expression) -> bool {
    match condition {
        Expression::Binary(BinaryOperator::And | BinaryOperator::Or, left, right) => {
            is_own(left) && is_own(right)
        }
        Expression::Unary(UnaryOperator::Not, inner) => is_own(inner),
        other => owned_lock(other).map_or_else(|| looks_at_nothing(other), is_fixed),
    }
}

/// Whether a cell is the same one for all threads in all states.
fn is_fixed(cell: &Cell) -> bool {
    let mut fixed = true;
    cell.for_each(&mut |part| {
        fixed &= looks_at_nothing(part)
            && !matches!(
                part,
                Expression::Me
                    | Expression::At(_)
                    | Expression::ThreadLocal(_)
                    | Expression::ThreadLocalElement(..)
            );
    });
    fixed
}

/// Whether an expression depends on nothing that is shared.
fn looks_at_nothing(expression: &Expression) -> bool {
    let mut nothing = true;
    expression.for_each(&mut |part| {
        nothing &= part.observes().is_none() && !matches!(part, Expression::CountAt(_));
    });
    nothing
}

/// Whether there is one thread of a kind from the beginning, and never another.
fn is_single(program: &Program, declaration: DeclarationId) -> bool {
    let initial = program.initial_threads.iter();
    let count = initial
        .filter(|thread| thread.declaration == declaration)
        .count();
    let spawned = program.code.iter().any(|instruction| {
        matches!(instruction, Instruction::Spawn { declaration: it, .. } if *it == declaration)
    });
    count == 1 && !spawned
}

/// Whether an instruction does something with which threads synchronise.
fn is_synchronisation(instruction: &Instruction) -> bool {
    let operation = instruction.operation();
    let accesses = matches!(
        operation,
        None | Some(Operation::Write | Operation::Add | Operation::Update)
    );
    !accesses
        || matches!(
            instruction,
            Instruction::Spawn { .. }
                | Instruction::Join(_)
                | Instruction::Await(_)
                | Instruction::Select(_)
        )
}

fn synchronising_functions(program: &Program) -> Vec<bool> {
    let mut found = vec![false; program.functions.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (number, function) in program.functions.iter().enumerate() {
            let synchronises = function.code(program).any(|(_, it)| passes_on(it, &found));
            changed |= synchronises && !found[number];
            found[number] |= synchronises;
        }
    }
    found
}

/// Whether an instruction synchronises, itself or in what it calls.
fn passes_on(instruction: &Instruction, synchronises: &[bool]) -> bool {
    match instruction {
        Instruction::Call { function, .. } => synchronises[usize::from(function.0)],
        other => is_synchronisation(other),
    }
}

/// For each instruction, whether nothing that synchronises can have been executed before
/// it in its function.
fn beginnings(program: &Program, synchronises: &[bool]) -> Vec<bool> {
    let mut after = vec![false; program.code.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (pc, instruction) in program.code.iter().enumerate() {
            if !after[pc] && !passes_on(instruction, synchronises) {
                continue;
            }
            instruction.for_each_successor(Pc(pc as u32), &mut |next| {
                changed |= !after[next.0 as usize];
                after[next.0 as usize] = true;
            });
        }
    }
    after.into_iter().map(|after| !after).collect()
}

/// What a step may execute and where it may end.
#[derive(Debug, Default)]
struct Reach {
    passes: BTreeSet<u32>,
    ends: BTreeSet<u32>,
    may_finish: bool,
}

/// How many atomic blocks in each other are told apart; at least two.
const DEEPEST: u32 = 4;

/// Finds what steps may execute.
struct Steps<'a> {
    program: &'a Program,
    /// For each function, where its calls return to.
    returns: Vec<Vec<u32>>,
}

impl<'a> Steps<'a> {
    fn new(program: &'a Program) -> Self {
        let mut returns = vec![Vec::new(); program.functions.len()];
        for (pc, instruction) in program.code.iter().enumerate() {
            if let Instruction::Call { function, .. } = instruction {
                returns[usize::from(function.0)].push(pc as u32 + 1);
            }
        }
        Steps { program, returns }
    }

    /// All that a step may execute which begins at an instruction: a bound that follows
    /// every way, and every return to every call.
    fn from(&self, start: Pc) -> Reach {
        let mut reach = Reach::default();
        let mut seen = BTreeSet::new();
        let mut work = vec![(start.0, 0u32)];
        while let Some((pc, depth)) = work.pop() {
            if !seen.insert((pc, depth)) {
                continue;
            }
            reach.passes.insert(pc);
            let instruction = &self.program.code[pc as usize];
            // Beyond some depth nobody counts: there the block may or may not be left.
            let (depth, or_less) = match instruction {
                Instruction::AtomicBegin => ((depth + 1).min(DEEPEST), None),
                Instruction::AtomicEnd if depth == DEEPEST => (depth, Some(depth - 1)),
                Instruction::AtomicEnd => (depth.saturating_sub(1), None),
                _ => (depth, None),
            };
            for next in self.successors(Pc(pc), instruction, &mut reach) {
                if depth == 0 && self.program.starts[next as usize] {
                    reach.ends.insert(next);
                    continue;
                }
                work.push((next, depth));
                work.extend(or_less.map(|depth| (next, depth)));
            }
        }
        reach
    }

    fn successors(&self, pc: Pc, instruction: &Instruction, reach: &mut Reach) -> Vec<u32> {
        match instruction {
            Instruction::Call { function, .. } => {
                vec![self.program.functions[usize::from(function.0)].entry.0]
            }
            Instruction::Return(_) => {
                let functions = &self.program.functions;
                let own = functions.iter().position(|function| function.holds(pc.0));
                reach.may_finish = true;
                own.map_or(Vec::new(), |own| self.returns[own].clone())
            }
            other => {
                let mut next = Vec::new();
                other.for_each_successor(pc, &mut |pc| next.push(pc.0));
                next
            }
        }
    }
}

impl Function {
    fn holds(&self, pc: u32) -> bool {
        (self.entry.0..self.end.0).contains(&pc)
    }

    fn code<'a>(&self, program: &'a Program) -> impl Iterator<Item = (Pc, &'a Instruction)> {
        let code = self.entry.0..self.end.0;
        code.map(|pc| (Pc(pc), &program.code[pc as usize]))
    }
}

//! Which thread an index stands for.
//!
//! A number of a thread among those of its kind is not a number to the abstraction: it
//! stands for one of the threads that are followed, for the thread itself, or for some other.
//! A loop over all of them, from zero up, comes by the followed ones in their order, each
//! once, and by others any number of times before, between and after them.

use super::{Lowered, Unsupported};
use raddle_machine::ir::{
    BinaryOperator, DeclarationId, Expression, FunctionId, Instruction, Pc, Program, Register,
    Target,
};
use raddle_machine::visit::Slots;
use std::collections::{BTreeMap, BTreeSet};

/// The thread that an index stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Identity {
    /// The thread itself, which is not followed.
    Own,
    /// One that is not followed, after so many that are.
    Other(usize),
    /// The one that is followed with this number.
    Tracked(usize),
    /// None: the loop has come to its end.
    End,
}

impl Identity {
    /// The first of all, if so many are followed.
    pub(crate) fn first(tracked: usize, inhabited: bool) -> Vec<Identity> {
        match tracked {
            0 if inhabited => vec![Identity::Other(0)],
            0 => vec![Identity::Other(0), Identity::End],
            _ => vec![Identity::Other(0), Identity::Tracked(0)],
        }
    }

    /// Those that may come next.
    pub(crate) fn next(self, tracked: usize) -> Vec<Identity> {
        let after = |passed: usize| match passed < tracked {
            true => Identity::Tracked(passed),
            false => Identity::End,
        };
        match self {
            Identity::Other(passed) => vec![Identity::Other(passed), after(passed)],
            Identity::Tracked(number) => vec![Identity::Other(number + 1), after(number + 1)],
            Identity::End => vec![Identity::End],
            // Where it is among the others is not known.
            Identity::Own => {
                let others = (0..=tracked).map(Identity::Other);
                let followed = (0..tracked).map(Identity::Tracked);
                others.chain(followed).chain([Identity::End]).collect()
            }
        }
    }

    /// Whether it is certainly the same, or certainly another.
    pub(crate) fn same(self, other: Identity) -> Option<bool> {
        match (self, other) {
            (Identity::Tracked(a), Identity::Tracked(b)) => Some(a == b),
            (Identity::Own, Identity::Own) | (Identity::End, Identity::End) => Some(true),
            (Identity::Tracked(_), _) | (_, Identity::Tracked(_)) => Some(false),
            (Identity::End, _) | (_, Identity::End) => Some(false),
            _ => None,
        }
    }

    /// Whether it certainly comes before the other, or certainly does not.
    pub(crate) fn before(self, other: Identity) -> Option<bool> {
        match (self.position(), other.position()) {
            (Some(a), Some(b)) if a != b => Some(a < b),
            (Some(a), Some(_)) if a % 2 == 1 => Some(false),
            _ => match (self, other) {
                (Identity::End, _) => Some(false),
                (_, Identity::End) => Some(true),
                (Identity::Own, Identity::Own) => Some(false),
                _ => None,
            },
        }
    }

    /// Its place in the order, as far as it is known.
    fn position(self) -> Option<usize> {
        match self {
            Identity::Other(passed) => Some(2 * passed),
            Identity::Tracked(number) => Some(2 * number + 1),
            Identity::Own | Identity::End => None,
        }
    }
}

/// The registers that hold the number of a thread, and among which threads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Indices {
    registers: BTreeMap<(FunctionId, u16), DeclarationId>,
    /// For each instruction, the indices that may still be read there.
    live: Vec<BTreeSet<u16>>,
}

impl Indices {
    /// Registers that are compared with the number of threads of a kind, or that choose an
    /// element of an array with one for each.
    pub(crate) fn of(program: &Program) -> Lowered<Indices> {
        let mut indices = Indices::default();
        for id in &program.replicated {
            let function = program
                .declarations
                .get(usize::from(id.0))
                .map(|it| it.function);
            let Some(function) = function else { continue };
            let described = program.functions.get(usize::from(function.0));
            if described.is_some_and(|it| it.parameters == 1) {
                indices.registers.insert((function, 0), *id);
            }
        }
        for (number, function) in program.functions.iter().enumerate() {
            let id = FunctionId(number as u16);
            for pc in function.entry.0..function.end.0 {
                let Some(instruction) = program.code.get(pc as usize) else {
                    continue;
                };
                let mut found = |register: &Register, region: raddle_model::Region| {
                    let region = program.regions.get(region.0 as usize);
                    if let Some(kind) = region.and_then(|region| region.per_thread) {
                        indices.registers.entry((id, register.0)).or_insert(kind);
                    }
                };
                if let Some(cell) = instruction.cell()
                    && let Some(Expression::Local(register)) = cell.index.as_deref()
                {
                    found(register, cell.region);
                }
                instruction.for_each_expression(&mut |expression| match expression {
                    Expression::Binary(_, left, right) => match (&**left, &**right) {
                        (Expression::Local(register), Expression::Length(region))
                        | (Expression::Length(region), Expression::Local(register)) => {
                            found(register, *region);
                        }
                        _ => {}
                    },
                    Expression::Shared(cell) => {
                        if let Some(Expression::Local(register)) = cell.index.as_deref() {
                            found(register, cell.region);
                        }
                    }
                    _ => {}
                });
            }
        }
        indices.check(program)?;
        indices.find_live(program);
        Ok(indices)
    }

    fn find_live(&mut self, program: &Program) {
        let mut live = vec![BTreeSet::new(); program.code.len()];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (number, function) in program.functions.iter().enumerate() {
                let id = FunctionId(number as u16);
                for pc in (function.entry.0..function.end.0).rev() {
                    let Some(instruction) = program.code.get(pc as usize) else {
                        continue;
                    };
                    let mut here: BTreeSet<u16> = BTreeSet::new();
                    instruction.for_each_successor(Pc(pc), &mut |next| {
                        here.extend(live.get(next.0 as usize).into_iter().flatten());
                    });
                    if let Some(register) = instruction.defines() {
                        here.remove(&register.0);
                    }
                    instruction.for_each_use(&mut |slots| {
                        if let Slots::One(register) = slots
                            && self.kind(id, register.0).is_some()
                        {
                            here.insert(register.0);
                        }
                    });
                    if live[pc as usize] != here {
                        live[pc as usize] = here;
                        changed = true;
                    }
                }
            }
        }
        self.live = live;
    }

    /// Whether an index may still be read.
    pub(crate) fn is_live(&self, pc: u32, register: u16) -> bool {
        let live = self.live.get(pc as usize);
        live.is_none_or(|live| live.contains(&register))
    }

    /// Indices are set to zero, counted up, or copied.
    fn check(&self, program: &Program) -> Lowered<()> {
        for (number, function) in program.functions.iter().enumerate() {
            let id = FunctionId(number as u16);
            for pc in function.entry.0..function.end.0 {
                let instruction = program.code.get(pc as usize);
                let Some(register) = instruction.and_then(Instruction::defines) else {
                    continue;
                };
                if self.kind(id, register.0).is_none() {
                    continue;
                }
                let fits = match instruction {
                    Some(Instruction::Assign(Target::Local(_), value)) => {
                        self.change(id, register.0, value).is_some()
                    }
                    _ => false,
                };
                if !fits {
                    return Err(Unsupported {
                        what: "an index of threads that is computed".to_owned(),
                        place: program.places.get(pc as usize).copied(),
                    });
                }
            }
        }
        Ok(())
    }

    /// Among which threads a register holds the number of one.
    pub(crate) fn kind(&self, function: FunctionId, register: u16) -> Option<DeclarationId> {
        self.registers.get(&(function, register)).copied()
    }

    /// What an assignment does to an index.
    pub(crate) fn change(
        &self,
        function: FunctionId,
        register: u16,
        value: &Expression,
    ) -> Option<Change> {
        match value {
            Expression::Constant(0) => Some(Change::First),
            Expression::Local(other) if self.kind(function, other.0).is_some() => {
                Some(Change::Copy(other.0))
            }
            Expression::Binary(BinaryOperator::Add, left, right) => match (&**left, &**right) {
                (Expression::Local(same), Expression::Constant(1)) if same.0 == register => {
                    Some(Change::Next)
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// What becomes of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// It stands for the first thread.
    First,
    /// It stands for the next.
    Next,
    /// It stands for the one that another register stands for.
    Copy(u16),
}

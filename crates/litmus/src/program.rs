//! Litmus tests as they are executed.

use raddle_views::{Fence, Mode};
use std::fmt;

/// A litmus test: what it does, and what it asks.
#[derive(Clone, Debug)]
pub struct Litmus {
    /// Its name.
    pub name: String,
    /// The locations and their first values.
    pub locations: Vec<(String, i32)>,
    /// The threads in order.
    pub threads: Vec<Thread>,
    /// What is asked about the ends of executions.
    pub question: Question,
}

/// A thread.
#[derive(Clone, Debug, Default)]
pub struct Thread {
    /// What it does.
    pub code: Vec<Instruction>,
    /// The names of its registers. Those without a name hold what an expression has read.
    pub registers: Vec<Option<String>>,
}

/// The number of a register of a thread.
pub type Register = u32;

/// The number of a location.
pub type Location = u32;

/// One instruction. All but the first three are accesses to memory, or order them.
#[derive(Clone, Debug)]
pub enum Instruction {
    /// Gives a register a value.
    Move(Register, Expression),
    /// Goes on elsewhere.
    Jump(usize),
    /// Goes on elsewhere if the value is zero.
    Unless(Expression, usize),
    /// Reads.
    Load(Register, Location, Mode),
    /// Writes.
    Store(Location, Mode, Expression),
    /// Reads and writes in one: the register has what was read.
    Update {
        /// Gets what was read.
        old: Register,
        /// What is updated.
        location: Location,
        /// The modes of the read and of the write.
        modes: (Mode, Mode),
        /// What is written.
        change: Change,
    },
    /// A compare-and-set: the register has whether it has set.
    CompareAndSet {
        /// Gets one, or zero.
        done: Register,
        /// What is updated.
        location: Location,
        /// The modes of the read and of the write.
        modes: (Mode, Mode),
        /// What has to be there, and what is written then.
        values: [Expression; 2],
        /// Whether it may fail for no reason.
        is_weak: bool,
    },
    /// Orders accesses.
    Fence(Fence),
}

/// What a read-modify-write makes of a value.
#[derive(Clone, Debug)]
pub enum Change {
    /// Another value, whatever it was.
    Set(Expression),
    /// The result of an operation with the value on its left.
    Apply(Operator, Expression),
    /// The second one, if it is the first one.
    Exchange([Expression; 2]),
}

/// A value that depends on registers.
#[derive(Clone, Debug)]
pub enum Expression {
    /// A number.
    Number(i32),
    /// What a register has.
    Register(Register),
    /// A result.
    Operation(Operator, Box<[Expression; 2]>),
}

/// What is done with two values. What is true is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the sign that it is written by")]
pub enum Operator {
    Plus,
    Minus,
    Times,
    And,
    Or,
    Xor,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Both,
    Either,
}

impl Operator {
    /// The result.
    pub fn apply(self, left: i32, right: i32) -> i32 {
        match self {
            Operator::Plus => left.wrapping_add(right),
            Operator::Minus => left.wrapping_sub(right),
            Operator::Times => left.wrapping_mul(right),
            Operator::And => left & right,
            Operator::Or => left | right,
            Operator::Xor => left ^ right,
            Operator::Equal => i32::from(left == right),
            Operator::Unequal => i32::from(left != right),
            Operator::Less => i32::from(left < right),
            Operator::LessOrEqual => i32::from(left <= right),
            Operator::Greater => i32::from(left > right),
            Operator::GreaterOrEqual => i32::from(left >= right),
            Operator::Both => i32::from(left != 0 && right != 0),
            Operator::Either => i32::from(left != 0 || right != 0),
        }
    }
}

impl Expression {
    /// Its value.
    pub fn value(&self, registers: &[i32]) -> i32 {
        match self {
            Expression::Number(number) => *number,
            Expression::Register(register) => registers[*register as usize],
            Expression::Operation(operator, sides) => {
                let [left, right] = &**sides;
                operator.apply(left.value(registers), right.value(registers))
            }
        }
    }
}

/// What is asked about the ends of executions.
#[derive(Clone, Debug)]
pub struct Question {
    /// About how many of them.
    pub quantifier: Quantifier,
    /// What is said of one.
    pub condition: Condition,
    /// As it is written.
    pub text: String,
    /// What it is about, in order and each once.
    pub observed: Vec<Observed>,
}

/// About how many executions something is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// There is one.
    Exists,
    /// There is none.
    Never,
    /// It is said of all.
    Forall,
}

/// What is said of the end of an execution.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "these are the connectives")]
pub enum Condition {
    True,
    Equal(Observed, i32),
    Not(Box<Condition>),
    And(Box<[Condition; 2]>),
    Or(Box<[Condition; 2]>),
}

/// What has a value at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Observed {
    /// A register of a thread.
    Register(u32, Register),
    /// A location.
    Location(Location),
}

impl Condition {
    /// Whether it is so, with these values.
    pub fn holds(&self, value: &impl Fn(Observed) -> i32) -> bool {
        match self {
            Condition::True => true,
            Condition::Equal(observed, number) => value(*observed) == *number,
            Condition::Not(inner) => !inner.holds(value),
            Condition::And(sides) => sides.iter().all(|side| side.holds(value)),
            Condition::Or(sides) => sides.iter().any(|side| side.holds(value)),
        }
    }
}

impl Litmus {
    /// The name of something that has a value, as in conditions.
    pub fn observed_name(&self, observed: Observed) -> String {
        match observed {
            Observed::Register(thread, register) => {
                let found = self.threads.get(thread as usize);
                let found = found.and_then(|it| it.registers.get(register as usize)?.as_deref());
                format!("{thread}:{}", found.unwrap_or("?"))
            }
            Observed::Location(location) => self.location_name(location).to_owned(),
        }
    }

    /// The name of a location.
    pub fn location_name(&self, location: Location) -> &str {
        self.locations
            .get(location as usize)
            .map_or("?", |(name, _)| name)
    }
}

impl fmt::Display for Quantifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Quantifier::Exists => "exists",
            Quantifier::Never => "~exists",
            Quantifier::Forall => "forall",
        })
    }
}

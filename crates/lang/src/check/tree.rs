//! What checking yields: the program with its names resolved, its types known and
//! its shared memory laid out. Lowering reads nothing else.

use super::types::Type;
use crate::ast::{Granularity, ObjectOperation, Span, UnaryOperator};
use raddle_machine::ir::{
    BinaryOperator, Declaration, DeclarationId, Enumeration, FunctionId, LabelId, Record, RecordId,
    RegionInfo, Slot, ValueType,
};
use raddle_model::{Fairness, Formula, Region};

/// A program without errors.
#[derive(Clone, Debug)]
pub struct Checked {
    /// How much one step does.
    pub granularity: Granularity,
    /// Its enumerations.
    pub enums: Vec<Enumeration>,
    /// Its record types.
    pub records: Vec<Record>,
    /// Its shared variables and fields; the first region is that of the threads.
    pub regions: Vec<RegionInfo>,
    /// The initial values of the shared words.
    pub initial_words: Vec<i32>,
    /// The instances that exist from the start.
    pub instances: Vec<RecordId>,
    /// The variables of which each thread has its own.
    pub thread_locals: Vec<Slot>,
    /// Its functions, thread bodies included.
    pub functions: Vec<Function>,
    /// Its kinds of threads.
    pub declarations: Vec<Declaration>,
    /// For each kind of thread, how many there are at the start and whether each has
    /// a number.
    pub populations: Vec<Population>,
    /// The names of its labels.
    pub labels: Vec<String>,
    /// Its invariants.
    pub invariants: Vec<Invariant>,
    /// Formulas that must be true of every execution.
    pub properties: Vec<Property>,
    /// Its claims about variables.
    pub claims: Vec<Claim>,
}

/// How many threads of a kind exist at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Population {
    /// One, with the name of its kind.
    One,
    /// Several, each with a number.
    Numbered(u32),
    /// Any number, each with a number; one of them stands for all.
    Any,
    /// None: they are spawned.
    Spawned,
}

/// The index of a variable in [`Function::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalId(pub usize);

/// A function or the body of a thread.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its parameters, in order.
    pub parameters: Vec<LocalId>,
    /// The thread's number, if the body uses it.
    pub index: Option<LocalId>,
    /// Its parameters and variables.
    pub locals: Vec<Local>,
    /// The type of its result.
    pub result: Option<ValueType>,
    /// What it does.
    pub body: Vec<Statement>,
    /// Where its body stands.
    pub span: Span,
}

/// A parameter or a local variable.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// The type of it or of its elements.
    pub value: ValueType,
    /// The sizes of its dimensions; empty unless it is an array.
    pub dimensions: Vec<u32>,
}

/// A predicate that must always hold.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The predicate.
    pub condition: Expression,
    /// The whole item.
    pub span: Span,
}

/// A formula that must be true of every execution.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The formula.
    pub formula: Formula<Expression>,
    /// Under which fairness.
    pub fairness: Fairness,
    /// The formula in the text.
    pub written: Span,
    /// The whole item.
    pub span: Span,
}

/// What is claimed of a variable or a field.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The variable or the field.
    pub region: Region,
    /// What is claimed.
    pub discipline: Discipline,
    /// Where it is claimed.
    pub span: Span,
}

/// The claims.
#[derive(Clone, Debug)]
pub enum Discipline {
    /// Accessed only by the thread for which this holds.
    Exclusive(Expression),
    /// Accessed only by the owner of this lock.
    ProtectedBy(Location),
    /// Accessed by anyone.
    Unprotected,
    /// Accessed first by threads of this kind only.
    InitialisedBy(DeclarationId),
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Its label.
    pub label: Option<LabelId>,
    /// What it does.
    pub kind: StatementKind,
    /// Where it stands.
    pub span: Span,
}

/// The statements. They mirror those of the syntax tree.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // The same as in the syntax tree, where they are explained.
pub enum StatementKind {
    Block(Vec<Statement>),
    /// One for each declared variable.
    Declare(LocalId, LocalInitial),
    Assign {
        target: Location,
        operator: Option<BinaryOperator>,
        value: Expression,
    },
    Evaluate(Expression),
    If {
        condition: Expression,
        then: Box<Statement>,
        otherwise: Option<Box<Statement>>,
    },
    While {
        condition: Expression,
        body: Box<Statement>,
    },
    DoWhile {
        body: Box<Statement>,
        condition: Expression,
    },
    For {
        first: Option<Box<Statement>>,
        condition: Option<Expression>,
        next: Option<Box<Statement>>,
        body: Box<Statement>,
    },
    Break,
    Continue,
    Return(Option<Expression>),
    Skip,
    Operation(ObjectOperation, Location),
    Send(Location, Expression),
    Join(Expression),
    Synchronized(Location, Vec<Statement>),
    Atomic(Vec<Statement>),
    Await {
        condition: Expression,
        body: Option<Box<Statement>>,
    },
    Choose(Vec<Alternative>),
    Assume(Expression),
    Assert(Expression, Option<String>),
    Unreachable,
}

/// The initial value of a local variable.
#[derive(Clone, Debug)]
pub enum LocalInitial {
    /// The default value of its type.
    Default,
    /// This value, for each element if it is an array.
    Each(Expression),
    /// One value for each element, row by row.
    List(Vec<Expression>),
}

/// One alternative of a choice.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// When it can be chosen.
    pub guard: Option<Expression>,
    /// What is done.
    pub body: Vec<Statement>,
}

/// A variable, a field, an element of an array, or a synchronisation object.
#[derive(Clone, Debug)]
pub struct Location {
    /// Where it lies.
    pub storage: Storage,
    /// The instance, if it is a field.
    pub object: Option<Box<Expression>>,
    /// The indices, as many as it has dimensions.
    pub indices: Vec<Expression>,
    /// The sizes of its dimensions.
    pub dimensions: Vec<u32>,
    /// The type of a variable, or of a channel's elements.
    pub value: ValueType,
}

/// Where a variable lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// In the frame.
    Local(LocalId),
    /// Among the thread's own variables, from this slot on.
    ThreadLocal(u16),
    /// In shared memory.
    Shared(Region),
}

/// An expression whose type is known.
#[derive(Clone, Debug)]
pub struct Expression {
    /// What it computes.
    pub kind: ExpressionKind,
    /// The type of its value.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
    /// What its evaluation does.
    pub facts: Facts,
}

/// The expressions. They mirror those of the syntax tree.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // The same as in the syntax tree, where they are explained.
pub enum ExpressionKind {
    Constant(i32),
    /// `null` before it is known of which type.
    Null,
    Me,
    Load(Location),
    Unary(UnaryOperator, Box<Expression>),
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    Call(FunctionId, Vec<Expression>),
    New(RecordId),
    Spawn(DeclarationId, Vec<Expression>),
    Choose(Box<Expression>, Box<Expression>),
    Receive(Location),
    CompareAndSet(Location, Box<Expression>, Box<Expression>),
    FetchAdd(Location, Box<Expression>),
    Owner(Location),
    ChannelLength(Location),
    SemaphoreValue(Location),
    At(LabelId),
    Count(LabelId),
    /// How many elements an array has that is not of a constant size.
    Elements(Region),
    /// In claims: the accessed element, or the accessed instance of a record.
    Accessed,
}

/// What the evaluation of an expression does, besides computing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// It reads shared memory or observes a synchronisation object.
    pub reads: bool,
    /// It cannot be part of a pure expression: it needs an instruction of its own.
    pub effects: bool,
    /// It may write shared variables.
    pub writes: bool,
    /// It observes the length of a channel.
    pub measures: bool,
    /// It receives from a channel.
    pub receives: bool,
    /// It calls a function.
    pub calls: bool,
    /// It reads the thread's own variables, which a call may change.
    pub thread_locals: bool,
}

impl Facts {
    /// What the evaluation of both does.
    pub fn and(self, other: Facts) -> Facts {
        Facts {
            reads: self.reads || other.reads,
            effects: self.effects || other.effects,
            writes: self.writes || other.writes,
            measures: self.measures || other.measures,
            receives: self.receives || other.receives,
            calls: self.calls || other.calls,
            thread_locals: self.thread_locals || other.thread_locals,
        }
    }

    /// Whether the values of these expressions may change when those with the facts
    /// `later` are evaluated, even if no other thread interferes.
    pub fn disturbed_by(self, later: Facts) -> bool {
        (later.calls && (self.thread_locals || self.reads))
            || (later.writes && self.reads)
            || (later.receives && self.measures)
    }

    /// What the evaluation of all of them does.
    pub fn of<'a>(expressions: impl IntoIterator<Item = &'a Expression>) -> Facts {
        expressions
            .into_iter()
            .fold(Facts::default(), |facts, e| facts.and(e.facts))
    }
}

impl Location {
    /// The expressions that name it, in the order of their evaluation.
    pub fn parts(&self) -> impl Iterator<Item = &Expression> {
        self.object.as_deref().into_iter().chain(&self.indices)
    }

    /// Whether it is in shared memory.
    pub fn is_shared(&self) -> bool {
        matches!(self.storage, Storage::Shared(_))
    }
}

impl Expression {
    /// An expression; its facts follow from its parts.
    pub fn new(kind: ExpressionKind, ty: Type, span: Span) -> Expression {
        let facts = facts(&kind);
        Expression {
            kind,
            ty,
            span,
            facts,
        }
    }

    /// A constant.
    pub fn constant(value: i32, ty: Type, span: Span) -> Expression {
        Expression::new(ExpressionKind::Constant(value), ty, span)
    }

    /// What stands for an expression with an error, which was reported already.
    pub fn error(span: Span) -> Expression {
        Expression::constant(0, Type::Error, span)
    }
}

fn facts(kind: &ExpressionKind) -> Facts {
    use ExpressionKind as E;
    let mut facts = match kind {
        E::Constant(_)
        | E::Null
        | E::Me
        | E::New(_)
        | E::At(_)
        | E::Count(_)
        | E::Accessed
        | E::Elements(_) => Facts::default(),
        E::Load(location)
        | E::Receive(location)
        | E::Owner(location)
        | E::ChannelLength(location)
        | E::SemaphoreValue(location) => Facts::of(location.parts()),
        E::Unary(_, inner) => inner.facts,
        E::Binary(_, left, right) | E::Choose(left, right) => left.facts.and(right.facts),
        E::Conditional(first, second, third) => first.facts.and(second.facts).and(third.facts),
        E::Call(_, arguments) | E::Spawn(_, arguments) => Facts::of(arguments),
        E::CompareAndSet(location, expected, value) => Facts::of(location.parts())
            .and(expected.facts)
            .and(value.facts),
        E::FetchAdd(location, value) => Facts::of(location.parts()).and(value.facts),
    };
    match kind {
        E::Load(location) => {
            facts.reads |= location.is_shared();
            facts.thread_locals |= matches!(location.storage, Storage::ThreadLocal(_));
        }
        E::Owner(_) | E::ChannelLength(_) | E::SemaphoreValue(_) | E::Count(_) => {
            facts.reads = true;
            facts.measures |= matches!(kind, E::ChannelLength(_));
        }
        E::New(_) | E::Choose(..) | E::Spawn(..) => facts.effects = true,
        E::Receive(_) => {
            facts.effects = true;
            facts.receives = true;
        }
        E::CompareAndSet(..) | E::FetchAdd(..) => {
            facts.effects = true;
            facts.writes = true;
        }
        E::Call(..) => {
            facts.effects = true;
            facts.writes = true;
            facts.calls = true;
        }
        _ => {}
    }
    facts
}

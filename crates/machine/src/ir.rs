//! The intermediate form: typed indices, expressions without side effects, and
//! instructions that do at most one thing.
//!
//! A program is one vector of instructions. Where a step may begin is explicit:
//! [`Program::starts`] marks the instructions at which a thread can be interrupted.
//! A step executes the instruction at which the thread stands and goes on until it
//! comes to another marked one. Granularity is therefore a matter of the front end,
//! and the machine has only one way to run.

use raddle_model::{Fairness, FaultKind, Formula, Kind, Place, Region};

/// The index of an instruction in [`Program::code`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pc(pub u32);

/// A slot of a function's frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Register(pub u16);

/// The index of a function in [`Program::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u16);

/// The index of a thread declaration in [`Program::declarations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeclarationId(pub u16);

/// The index of a record type in [`Program::records`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(pub u16);

/// The index of an enumeration in [`Program::enums`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EnumId(pub u16);

/// The index of a label in [`Program::labels`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelId(pub u16);

/// A whole program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Everything that steps can touch. The region of thread objects is the first.
    pub regions: Vec<RegionInfo>,
    /// Enumerations.
    pub enums: Vec<Enumeration>,
    /// Record types.
    pub records: Vec<Record>,
    /// Variables of which each thread has its own, at the bottom of its stack.
    pub thread_locals: Vec<Slot>,
    /// Functions, thread bodies included.
    pub functions: Vec<Function>,
    /// The kinds of threads.
    pub declarations: Vec<Declaration>,
    /// The threads that exist in the initial state.
    pub initial_threads: Vec<InitialThread>,
    /// The kinds of which there are any number of threads from the start. Among
    /// [`Program::initial_threads`] is one of each, so that the program can be executed;
    /// [`Program::with_threads`] gives it as many as one likes.
    pub replicated: Vec<DeclarationId>,
    /// The initial values of the shared words, in the order of their offsets. A reference is null
    /// (zero) or one of [`Program::instances`], counted from one.
    pub initial_words: Vec<i32>,
    /// The instances that exist from the start, with their fields at their initial values.
    pub instances: Vec<RecordId>,
    /// All instructions; each function owns a range.
    pub code: Vec<Instruction>,
    /// For each instruction, whether a step may begin there.
    pub starts: Vec<bool>,
    /// For each instruction, where it comes from.
    pub places: Vec<Place>,
    /// Named points of the code.
    pub labels: Vec<Label>,
    /// Predicates over the shared state that must always hold.
    pub invariants: Vec<Invariant>,
    /// What must be true of every execution.
    pub temporal: Vec<TemporalProperty>,
    /// Claims about who accesses what when.
    pub claims: Vec<Claim>,
}

/// A family of objects and where it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionInfo {
    /// Its name in the source; `Record.field` for a field.
    pub name: String,
    /// The kind of its objects.
    pub kind: Kind,
    /// Where its words are.
    pub home: Home,
    /// The sizes of its dimensions; empty for a single object.
    pub dimensions: Vec<u32>,
    /// The type of a variable, or of a channel's elements.
    pub value: ValueType,
    /// How many elements a channel can hold; zero for the other kinds.
    pub capacity: u32,
    /// The kind of threads of which each has an element of its own, by its number among
    /// them. It is one of [`Program::replicated`], and the only dimension is theirs.
    pub per_thread: Option<DeclarationId>,
}

impl RegionInfo {
    /// The number of objects, in one place (or in one instance of its record).
    pub fn length(&self) -> u32 {
        self.dimensions.iter().product()
    }

    /// Words per object: a channel has its length and its elements.
    pub fn stride(&self) -> u32 {
        match self.kind {
            Kind::Channel => 1 + self.capacity,
            Kind::Thread => 0,
            Kind::Variable | Kind::Monitor | Kind::Semaphore => 1,
        }
    }

    /// Words altogether.
    pub fn words(&self) -> u32 {
        self.length() * self.stride()
    }

    /// As [`RegionInfo::words`], for a region that may be too large: `None` if its
    /// length, its stride or its words do not fit into 32 bits.
    pub fn checked_words(&self) -> Option<u32> {
        let mut length = 1u32;
        for &size in &self.dimensions {
            length = length.checked_mul(size)?;
        }
        if self.kind == Kind::Channel {
            self.capacity.checked_add(1)?;
        }
        length.checked_mul(self.stride())
    }
}

/// Where the words of a region lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// Among the shared words, from this offset on.
    Shared(u32),
    /// In every instance of a record, from this offset on.
    Field(RecordId, u32),
    /// Nowhere: the threads themselves.
    Threads,
}

/// What the words of a variable mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// A number of 32 bits, wrapping around.
    Int,
    /// A number in a range.
    Ranged(Range),
    /// Zero or one.
    Bool,
    /// A member of an enumeration, by number.
    Enum(EnumId),
    /// Null (zero) or an instance of a record.
    Reference(RecordId),
    /// A thread by number, or -1 for none.
    Thread,
}

/// The range of a number and what happens outside of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least value.
    pub low: i32,
    /// The greatest value.
    pub high: i32,
    /// Whether values outside wrap around; otherwise they are faults.
    pub wraps: bool,
}

/// An enumeration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumeration {
    /// Its name.
    pub name: String,
    /// The names of its members; the number of a member is its position.
    pub members: Vec<String>,
}

/// A record type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its name.
    pub name: String,
    /// The regions of its fields.
    pub fields: Vec<Region>,
    /// The initial values of its words.
    pub initial: Vec<i32>,
}

/// A word of a frame or of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The variable it belongs to.
    pub name: String,
    /// What it means.
    pub value: ValueType,
    /// Its value at the start.
    pub initial: i32,
}

/// A function or the body of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// How many of the first registers are its parameters.
    pub parameters: u16,
    /// All of its registers.
    pub registers: Vec<Slot>,
    /// Its first instruction.
    pub entry: Pc,
    /// The instruction after its last.
    pub end: Pc,
}

/// A kind of thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Its name.
    pub name: String,
    /// What its threads execute.
    pub function: FunctionId,
    /// Whether the program may end before its threads do.
    pub daemon: bool,
}

/// A thread that exists from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitialThread {
    /// Its name, such as `philosopher[2]`.
    pub name: String,
    /// Its kind.
    pub declaration: DeclarationId,
    /// The values of its parameters.
    pub arguments: Vec<i32>,
}

/// A named point of the code. A step begins there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Its name.
    pub name: String,
    /// The labelled instruction.
    pub pc: Pc,
}

/// A predicate that must hold in every state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// Its name.
    pub name: String,
    /// The predicate, over shared state only.
    pub condition: Expression,
    /// Where it is stated.
    pub place: Place,
}

/// A formula that must be true of every execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemporalProperty {
    /// Its name.
    pub name: String,
    /// The formula. Its atoms are predicates over shared state.
    pub formula: Formula<Expression>,
    /// The executions of which it must be true.
    pub fairness: Fairness,
    /// Where it is stated.
    pub place: Place,
}

/// What the program says about the accesses to a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The region.
    pub region: Region,
    /// What is said of it.
    pub discipline: Discipline,
    /// Where it is said.
    pub place: Place,
}

/// The disciplines that a program can claim for its variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Discipline {
    /// A thread accesses it only while this predicate, over its own state and the
    /// shared state, holds for it; and it holds for one thread at a time.
    Exclusive(Expression),
    /// A thread accesses it only while it holds this monitor. The cell may refer to
    /// the accessed element as [`Expression::Accessed`].
    ProtectedBy(Cell),
    /// Nothing is claimed: any thread may access it at any time.
    Unprotected,
    /// Until threads of this kind have finished with it, only they access it.
    InitialisedBy(DeclarationId),
}

/// An object named by a program: a region, the instance for a field, and an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The region.
    pub region: Region,
    /// The instance, if the region is a field.
    pub object: Option<Box<Expression>>,
    /// The element, if the region has dimensions; row by row.
    pub index: Option<Box<Expression>>,
}

/// A computation without side effects. Its value is one word; truth is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A constant.
    Constant(i32),
    /// A register of the current frame.
    Local(Register),
    /// An element of an array that lies in consecutive registers.
    LocalElement(Array, Box<Expression>),
    /// A variable of the thread's own, by its slot.
    ThreadLocal(u16),
    /// An element of an array of the thread's own.
    ThreadLocalElement(Array, Box<Expression>),
    /// The value of a shared variable.
    Shared(Cell),
    /// An operation on one value.
    Unary(UnaryOperator, Box<Expression>),
    /// An operation on two values; `and` and `or` evaluate the second only if needed.
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// The second if the first is true, else the third.
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    /// The value if it is at least zero and less than the bound, else a fault.
    Bounded(Box<Expression>, u32),
    /// The value brought into a range, or a fault.
    Ranged(Box<Expression>, Range),
    /// The number of the thread that evaluates this.
    Me,
    /// The owner of a monitor, or -1.
    Owner(Cell),
    /// How many elements a channel holds.
    ChannelLength(Cell),
    /// The value of a semaphore.
    SemaphoreValue(Cell),
    /// Whether the thread stands at a label.
    At(LabelId),
    /// How many threads stand at a label.
    CountAt(LabelId),
    /// How many elements a region has.
    Length(Region),
    /// Only in claims: the index of the element that is accessed.
    Accessed,
}

/// An array in consecutive slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Array {
    /// Its first slot.
    pub base: u16,
    /// How many slots.
    pub length: u32,
}

/// Operations on one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    /// Arithmetic negation, wrapping.
    Negate,
    /// Logical negation.
    Not,
    /// Bitwise complement.
    Complement,
}

/// Operations on two values. Arithmetic wraps around at 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient, rounded to zero; division by zero is a fault.
    Divide,
    /// Remainder with the sign of the dividend; by zero it is a fault.
    Remainder,
    /// Equality.
    Equal,
    /// Inequality.
    NotEqual,
    /// Less than.
    Less,
    /// Less than or equal.
    LessOrEqual,
    /// Greater than.
    Greater,
    /// Greater than or equal.
    GreaterOrEqual,
    /// Both true; the second is evaluated only if the first is.
    And,
    /// One true; the second is evaluated only if the first is not.
    Or,
    /// Bitwise and.
    BitAnd,
    /// Bitwise or.
    BitOr,
    /// Bitwise exclusive or.
    BitXor,
    /// Shift to the left, by the amount modulo 32.
    ShiftLeft,
    /// Arithmetic shift to the right, by the amount modulo 32.
    ShiftRight,
}

/// Where a value can be put.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A register.
    Local(Register),
    /// An element of an array in registers.
    LocalElement(Array, Expression),
    /// A variable of the thread's own.
    ThreadLocal(u16),
    /// An element of an array of the thread's own.
    ThreadLocalElement(Array, Expression),
    /// A shared variable.
    Shared(Cell),
}

/// One thing a thread does. Outside of atomic blocks, an instruction that may block
/// or choose is always marked as the start of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// Nothing.
    Skip,
    /// Computes a value and puts it somewhere.
    Assign(Target, Expression),
    /// Goes on at the next instruction if the condition is true, else at the target.
    Branch(Expression, Pc),
    /// Goes on elsewhere.
    Jump(Pc),
    /// Calls a function.
    Call {
        /// The function.
        function: FunctionId,
        /// The values of its parameters.
        arguments: Vec<Expression>,
        /// Where its result goes.
        result: Option<Register>,
    },
    /// Returns from a function, or ends the thread.
    Return(Option<Expression>),
    /// Starts a thread.
    Spawn {
        /// Its kind.
        declaration: DeclarationId,
        /// The values of its parameters.
        arguments: Vec<Expression>,
        /// Where its number goes.
        result: Option<Register>,
    },
    /// Waits for the end of a thread.
    Join(Expression),
    /// Takes a monitor.
    Acquire(Cell),
    /// Gives a monitor back.
    Release(Cell),
    /// Gives a monitor back and joins its wait set. The next instruction is the
    /// `WaitResume` of the same cell.
    Wait(Cell),
    /// Takes the monitor again once notified.
    WaitResume(Cell),
    /// Wakes one waiting thread, if any.
    Notify(Cell),
    /// Wakes all waiting threads.
    NotifyAll(Cell),
    /// Increments a semaphore.
    Up(Cell),
    /// Decrements a semaphore when it is positive.
    Down(Cell),
    /// Appends a value to a channel when it is not full.
    Send(Cell, Expression),
    /// Takes the first value of a channel when it is not empty.
    Receive(Cell, Register),
    /// Replaces a value if it is the expected one, and tells whether it was.
    CompareAndSet {
        /// The variable.
        cell: Cell,
        /// The value it must have.
        expected: Expression,
        /// The value it gets.
        value: Expression,
        /// Where the answer goes.
        result: Option<Register>,
    },
    /// Adds to a variable and tells its old value.
    FetchAdd {
        /// The variable.
        cell: Cell,
        /// What is added.
        value: Expression,
        /// The range of the variable.
        range: Option<Range>,
        /// Where the old value goes.
        result: Option<Register>,
    },
    /// Creates an instance of a record.
    New(RecordId, Register),
    /// Chooses a number between two bounds, both included; blocks if there is none.
    Choose {
        /// The least.
        low: Expression,
        /// The greatest.
        high: Expression,
        /// Where it goes.
        result: Register,
    },
    /// Goes on at one of the arms whose guard is true; blocks while there is none.
    Select(Vec<Arm>),
    /// Blocks until a condition is true.
    Await(Expression),
    /// Ends the execution without a verdict if the condition is false.
    Assume(Expression),
    /// A fault if the condition is false.
    Assert(Expression, String),
    /// Always a fault.
    Fail(FaultKind, String),
    /// From here to the matching end everything is one step.
    AtomicBegin,
    /// The end of an atomic block.
    AtomicEnd,
}

/// The most arms that a [`Instruction::Select`] can have.
pub const MAX_ARMS: usize = 64;

/// One way a choice can go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// When it can be taken; always if there is no guard.
    pub guard: Option<Expression>,
    /// Where it leads.
    pub target: Pc,
}

impl Instruction {
    /// Whether the instruction may have to wait.
    pub fn may_block(&self) -> bool {
        match self {
            Instruction::Join(_)
            | Instruction::Acquire(_)
            | Instruction::WaitResume(_)
            | Instruction::Down(_)
            | Instruction::Send(..)
            | Instruction::Receive(..)
            | Instruction::Choose { .. }
            | Instruction::Select(_)
            | Instruction::Await(_) => true,
            Instruction::Skip
            | Instruction::Assign(..)
            | Instruction::Branch(..)
            | Instruction::Jump(_)
            | Instruction::Call { .. }
            | Instruction::Return(_)
            | Instruction::Spawn { .. }
            | Instruction::Release(_)
            | Instruction::Wait(_)
            | Instruction::Notify(_)
            | Instruction::NotifyAll(_)
            | Instruction::Up(_)
            | Instruction::CompareAndSet { .. }
            | Instruction::FetchAdd { .. }
            | Instruction::New(..)
            | Instruction::Assume(_)
            | Instruction::Assert(..)
            | Instruction::Fail(..)
            | Instruction::AtomicBegin
            | Instruction::AtomicEnd => false,
        }
    }

    /// Whether the instruction may have several outcomes.
    pub fn may_choose(&self) -> bool {
        matches!(
            self,
            Instruction::Choose { .. } | Instruction::Select(_) | Instruction::Notify(_)
        )
    }
}

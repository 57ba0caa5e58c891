//! The syntax tree. It keeps what the author wrote: spans on everything that can
//! be wrong, and no meaning.

pub use raddle_diagnostics::{Name, Span};

/// A whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Its items in order.
    pub items: Vec<Item>,
}

/// A declaration at the outermost level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `granularity statement;` or `granularity access;`
    Granularity(Granularity, Span),
    /// `const N = 3;`
    Constant {
        /// Its name.
        name: Name,
        /// Its value, a constant expression.
        value: Expression,
    },
    /// `enum Colour { Red, Green }`
    Enumeration {
        /// Its name.
        name: Name,
        /// Its members.
        members: Vec<Name>,
    },
    /// `record Node { int value; Node next; lock mutex; }`
    Record {
        /// Its name.
        name: Name,
        /// Its fields.
        fields: Vec<Variable>,
    },
    /// `int x = 1, y;` shared, or `local int x;` one for each thread.
    Variable {
        /// Whether each thread has its own.
        local: bool,
        /// What is declared.
        variable: Variable,
    },
    /// `int f(int x) { ... }`
    Function(Function),
    /// `thread worker[3] { ... }`, `daemon thread ...`, `thread child(int n) { ... }`
    Thread(Thread),
    /// `invariant mutex: count(critical) <= 1;`
    Invariant {
        /// Its name, if it has one.
        name: Option<Name>,
        /// The predicate.
        condition: Expression,
        /// The whole item.
        span: Span,
    },
    /// `property served: waiting leads to served under strong fairness;`
    Property {
        /// Its name, if it has one.
        name: Option<Name>,
        /// The formula.
        formula: Expression,
        /// Under which fairness it must be true, if that is said.
        fairness: Option<Fairness>,
        /// The whole item.
        span: Span,
    },
    /// `exclusive x when holds(m);`
    Exclusive {
        /// The variable or field (`Node.value`).
        subject: Path,
        /// The name of the index in the predicate: `exclusive a[i] when owner(m[i]) == self`.
        index: Option<Name>,
        /// The predicate.
        condition: Expression,
    },
}

/// How much one step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granularity {
    /// At most one access to shared memory.
    Access,
    /// One simple statement.
    Statement,
}

/// A variable or a field of a record type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The variable or the record.
    pub base: Name,
    /// The field.
    pub field: Option<Name>,
}

/// Declared variables or fields with the same type: `int x = 1, y[3] protected by m;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The type of each.
    pub ty: Type,
    /// What is declared.
    pub declarators: Vec<Declarator>,
}

/// One of the variables of a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declarator {
    /// Its name.
    pub name: Name,
    /// The sizes of its dimensions, constant expressions.
    pub dimensions: Vec<Expression>,
    /// Its initial value.
    pub initial: Option<Initial>,
    /// What is claimed of it.
    pub clauses: Vec<Clause>,
}

/// An initial value: one expression, or a list for an array (nested for several dimensions).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    /// One value; for an array, the value of each element.
    Value(Expression),
    /// `{1, 2, 3}`
    List(Vec<Initial>, Span),
}

/// What is claimed of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The claim.
    pub kind: ClauseKind,
    /// Where it stands.
    pub span: Span,
}

/// The claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClauseKind {
    /// `protected by m` or, for the fields of a record, `protected by mutex` (a field).
    ProtectedBy(Expression),
    /// `unprotected`
    Unprotected,
    /// `initialised by T`
    InitialisedBy(Name),
}

/// A type as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Where it stands.
    pub span: Span,
}

/// The types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// No value.
    Void,
    /// A number: `int`, `int(0..7)`, `int(0..7 wrap)`.
    Int(Option<Bounds>),
    /// A truth value.
    Bool,
    /// A recursive monitor.
    Lock,
    /// A counting semaphore; its initial value is given by `= n`.
    Semaphore,
    /// `channel<int>(3)`: element type and capacity.
    Channel(Box<Type>, Box<Expression>),
    /// A thread.
    Thread,
    /// An enumeration or a reference to a record.
    Named(Name),
}

/// The bounds of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The least.
    pub low: Box<Expression>,
    /// The greatest.
    pub high: Box<Expression>,
    /// Whether values outside wrap around.
    pub wrap: bool,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The type of its result.
    pub result: Type,
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Its body.
    pub body: Block,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its type.
    pub ty: Type,
    /// Its name.
    pub name: Name,
}

/// A kind of thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Whether the program may end before it does.
    pub daemon: bool,
    /// Its name.
    pub name: Name,
    /// How many there are from the start. Without a count there is one, unless it
    /// has parameters: then it is only started with `spawn`.
    pub count: Option<Expression>,
    /// `[*]`: there are any number of them.
    pub replicated: bool,
    /// Its parameters; `None` without parentheses.
    pub parameters: Option<Vec<Parameter>>,
    /// What it does.
    pub body: Block,
}

/// `{ ... }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its statements.
    pub statements: Vec<Statement>,
    /// With the braces.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// `critical:` before it.
    pub label: Option<Name>,
    /// What it does.
    pub kind: StatementKind,
    /// Where it stands, without its label.
    pub span: Span,
}

/// The statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// `{ ... }`
    Block(Block),
    /// `int x = 0;` Locals cannot have clauses, locks, semaphores or channels.
    Declaration(Variable),
    /// `x = e;` `x += e;` `x++;` The operator is the binary one of a compound assignment.
    Assign {
        /// What is assigned: a name, an element, a field.
        target: Expression,
        /// The operator of a compound assignment.
        operator: Option<BinaryOperator>,
        /// The value.
        value: Expression,
    },
    /// An expression evaluated for its effect: a call, `fetchAdd(x, 1);`, `spawn T(1);`
    Expression(Expression),
    /// `if (c) s else s`
    If {
        /// The condition.
        condition: Expression,
        /// Done if it is true.
        then: Box<Statement>,
        /// Done if it is false.
        otherwise: Option<Box<Statement>>,
    },
    /// `while (c) s`
    While {
        /// The condition.
        condition: Expression,
        /// The body.
        body: Box<Statement>,
    },
    /// `do s while (c);`
    DoWhile {
        /// The body.
        body: Box<Statement>,
        /// The condition.
        condition: Expression,
    },
    /// `for (int i = 0; i < n; i++) s`; each part may be missing.
    For {
        /// A declaration, an assignment or an expression.
        first: Option<Box<Statement>>,
        /// The condition.
        condition: Option<Expression>,
        /// An assignment or an expression.
        next: Option<Box<Statement>>,
        /// The body.
        body: Box<Statement>,
    },
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return e;`
    Return(Option<Expression>),
    /// `skip;`
    Skip,
    /// `acquire(m);` and the other operations without a result on one object.
    Operation(ObjectOperation, Expression),
    /// `send(c, e);`
    Send(Expression, Expression),
    /// `join(t);`
    Join(Expression),
    /// `synchronized (m) { ... }`
    Synchronized(Expression, Block),
    /// `atomic { ... }`
    Atomic(Block),
    /// `await (c);`, or `await (c) s`: waits for the condition and executes the
    /// statement in the same step.
    Await {
        /// The condition.
        condition: Expression,
        /// What is done in the same step.
        body: Option<Box<Statement>>,
    },
    /// `choose { ... or when (g) ... or ... }`
    Choose(Vec<Alternative>),
    /// `assume(c);`
    Assume(Expression),
    /// `assert(c);` or `assert(c, "message");`
    Assert(Expression, Option<String>),
    /// `unreachable;`
    Unreachable,
}

/// The operations written like calls: `acquire(m);`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectOperation {
    /// Takes a lock.
    Acquire,
    /// Gives a lock back.
    Release,
    /// Waits on a lock.
    Wait,
    /// Wakes one.
    Notify,
    /// Wakes all.
    NotifyAll,
    /// Increments a semaphore.
    Up,
    /// Decrements a semaphore.
    Down,
}

/// One alternative of a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// `when (g)`: it can be chosen only then.
    pub guard: Option<Expression>,
    /// What is done.
    pub statements: Vec<Statement>,
    /// Where it stands.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// What it is.
    pub kind: ExpressionKind,
    /// Where it stands.
    pub span: Span,
}

/// The expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpressionKind {
    /// A number. Literals up to 2147483648 are read; the checker refuses the last
    /// one except under a minus.
    Number(i64),
    /// `true` or `false`.
    Bool(bool),
    /// `null`
    Null,
    /// `self`: the thread that executes this.
    Me,
    /// `index`: its number among the threads declared together.
    Index,
    /// A variable, constant, parameter or member of an enumeration.
    Name(String),
    /// `Colour.Red` is a field access of a name; the checker tells them apart.
    Field(Box<Expression>, Name),
    /// `a[i]`; `a[i][j]` is nested.
    Element(Box<Expression>, Box<Expression>),
    /// `-e`, `!e`, `~e`
    Unary(UnaryOperator, Box<Expression>),
    /// `a + b`
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// `always f`, only in properties.
    Prefix(PrefixOperator, Box<Expression>),
    /// `f until g`, only in properties; `a implies b`, everywhere.
    Infix(InfixOperator, Box<Expression>, Box<Expression>),
    /// `c ? a : b`
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `f(a, b)`
    Call(Name, Vec<Expression>),
    /// `new Node`
    New(Name),
    /// `spawn worker(3)`
    Spawn(Name, Vec<Expression>),
    /// `choose(a..b)`
    Choose(Box<Expression>, Box<Expression>),
    /// `receive(c)`
    Receive(Box<Expression>),
    /// `cas(x, old, new)`
    CompareAndSet(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `fetchAdd(x, k)`
    FetchAdd(Box<Expression>, Box<Expression>),
    /// `holds(m)`: whether the thread owns the lock.
    Holds(Box<Expression>),
    /// `owner(m)`: the thread that owns the lock, or `null`.
    Owner(Box<Expression>),
    /// `length(c)`: how many elements a channel holds, or the size of an array's first dimension.
    Length(Box<Expression>),
    /// `value(s)`: the value of a semaphore.
    Value(Box<Expression>),
    /// `at(l)`: whether the thread stands at a label.
    At(Name),
    /// `count(l)`: how many threads stand at a label.
    Count(Name),
    /// `forall(i in 0..3: a[i] == 0)`
    Quantified(Quantifier, Name, Range, Box<Expression>),
}

/// How what is said of each is put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// Whether it is true of all.
    Forall,
    /// Whether it is true of some.
    Exists,
    /// Of how many it is true.
    Count,
    /// The sum of the values.
    Sum,
}

impl Quantifier {
    /// All of them.
    pub const ALL: [Quantifier; 4] = [
        Quantifier::Forall,
        Quantifier::Exists,
        Quantifier::Count,
        Quantifier::Sum,
    ];

    /// How it is written.
    pub fn word(self) -> &'static str {
        match self {
            Quantifier::Forall => "forall",
            Quantifier::Exists => "exists",
            Quantifier::Count => "count",
            Quantifier::Sum => "sum",
        }
    }
}

/// What a quantifier goes over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Range {
    /// `a..b`
    Numbers(Box<Expression>, Box<Expression>),
    /// The elements of an array, or the indices of threads.
    All(Box<Expression>),
}

/// Operators on one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `-`
    Negate,
    /// `!`
    Not,
    /// `~`
    Complement,
}

/// Operators on what happens from some state on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrefixOperator {
    /// `always`
    Always,
    /// `eventually`
    Eventually,
    /// `next`
    Next,
}

impl PrefixOperator {
    /// All of them.
    pub const ALL: [PrefixOperator; 3] = [
        PrefixOperator::Always,
        PrefixOperator::Eventually,
        PrefixOperator::Next,
    ];

    /// How it is written.
    pub fn word(self) -> &'static str {
        match self {
            PrefixOperator::Always => "always",
            PrefixOperator::Eventually => "eventually",
            PrefixOperator::Next => "next",
        }
    }
}

/// Operators that are words between their operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InfixOperator {
    /// `implies`
    Implies,
    /// `until`
    Until,
    /// `unless`
    Unless,
    /// `leads to`
    LeadsTo,
}

impl InfixOperator {
    /// All of them.
    pub const ALL: [InfixOperator; 4] = [
        InfixOperator::Implies,
        InfixOperator::Until,
        InfixOperator::Unless,
        InfixOperator::LeadsTo,
    ];

    /// How it is written.
    pub fn words(self) -> &'static str {
        match self {
            InfixOperator::Implies => "implies",
            InfixOperator::Until => "until",
            InfixOperator::Unless => "unless",
            InfixOperator::LeadsTo => "leads to",
        }
    }
}

pub use raddle_machine::ir::BinaryOperator;
pub use raddle_model::Fairness;

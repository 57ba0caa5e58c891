//! The syntax tree of a program, after Fig. 2.1 of paper 003.

pub use raddle_diagnostics::{Name, Span};

/// A whole program.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The program of which this one is an abstraction.
    pub abstraction: Option<Text>,
    /// The global variables.
    pub globals: Vec<Name>,
    /// The locks.
    pub locks: Vec<Name>,
    /// The messages.
    pub messages: Vec<Name>,
    /// The names of the thread types.
    pub threads: Vec<Name>,
    /// Sets of states that must not be reached.
    pub unsafes: Vec<Text>,
    /// The code of the thread types.
    pub bodies: Vec<Body>,
}

/// The content of a string where it stands, without its quotes.
#[derive(Clone, Debug)]
pub struct Text {
    /// The content.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A thread type.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its name.
    pub name: Name,
    /// Its local variables.
    pub locals: Vec<Name>,
    /// Its code.
    pub statements: Vec<Statement>,
    /// The brace that ends it.
    pub end: Span,
}

/// A statement with its label.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Its label.
    pub label: Option<Name>,
    /// What it does.
    pub kind: StatementKind,
    /// From its first to its last character, without the label.
    pub span: Span,
}

/// The statements.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `u, v := e, f ;`
    Assign(Assignment),
    /// `if (c) { .. } else { .. }`; without `else` the second list is empty.
    If(Condition, Vec<Statement>, Vec<Statement>),
    /// `choice { c : u := e ; .. }`
    Choice(Vec<Alternative>),
    /// `while (c) { .. }`
    While(Condition, Vec<Statement>),
    /// `skip ;`
    Skip,
    /// `goto (l) ;`
    Goto(Name),
    /// `lock (l) ;`
    Lock(Name),
    /// `unlock (l) ;`
    Unlock(Name),
    /// `sleep (m, l) ;` or `sleep (l, m) ;`
    Sleep(Name, Name),
    /// `wakeup (m) ;`
    Wakeup(Name),
    /// `wakeupall (m) ;`
    WakeupAll(Name),
    /// `start (t, true, false) ;`
    Start(Name, Vec<bool>),
    /// `rendezvous (m, e, f) ;`
    Rendezvous(Name, Vec<Expression>),
    /// `accept (m, u, v) ;`
    Accept(Name, Vec<Name>),
    /// `assert (c) ;`
    Assert(Condition),
}

/// Several variables get new values at once.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The variables.
    pub targets: Vec<Name>,
    /// Their new values.
    pub values: Vec<Expression>,
}

/// A guarded assignment of a `choice`.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// When it is possible.
    pub condition: Condition,
    /// What it does.
    pub assignment: Assignment,
    /// From its first to its last character.
    pub span: Span,
}

/// A condition.
#[derive(Clone, Debug)]
pub enum Condition {
    /// `*`: true or false.
    Any,
    /// `e and f and ..`
    All(Vec<Expression>),
}

/// A variable, its negation, or a literal.
#[derive(Clone, Debug)]
pub enum Expression {
    /// A variable, or `!` and a variable.
    Variable {
        /// The variable.
        name: Name,
        /// Whether there is a `!`.
        negated: bool,
    },
    /// `true` or `false`.
    Literal(bool),
}

impl Tree {
    /// Calls a function with each statement, and with the thread type that it belongs to, in
    /// the order of the text. Trees are low: the parser sees to that.
    pub fn for_each<'t>(&'t self, visit: &mut impl FnMut(&'t Body, &'t Statement)) {
        for body in &self.bodies {
            each(&body.statements, &mut |statement| visit(body, statement));
        }
    }
}

fn each<'t>(statements: &'t [Statement], visit: &mut dyn FnMut(&'t Statement)) {
    for statement in statements {
        visit(statement);
        for part in statement.kind.blocks() {
            each(part, visit);
        }
    }
}

impl StatementKind {
    /// The locks, messages, thread types and labels that a statement names.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        let (first, second) = match self {
            StatementKind::Goto(name)
            | StatementKind::Lock(name)
            | StatementKind::Unlock(name)
            | StatementKind::Wakeup(name)
            | StatementKind::WakeupAll(name)
            | StatementKind::Start(name, _)
            | StatementKind::Rendezvous(name, _)
            | StatementKind::Accept(name, _) => (Some(name), None),
            StatementKind::Sleep(first, second) => (Some(first), Some(second)),
            _ => (None, None),
        };
        [first, second].into_iter().flatten()
    }

    /// The blocks inside of a statement.
    pub fn blocks(&self) -> impl Iterator<Item = &[Statement]> {
        let (first, second): (&[Statement], &[Statement]) = match self {
            StatementKind::If(_, then, otherwise) => (then, otherwise),
            StatementKind::While(_, body) => (body, &[]),
            _ => (&[], &[]),
        };
        [first, second].into_iter()
    }
}

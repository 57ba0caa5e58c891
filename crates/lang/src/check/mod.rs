//! Names and types: from the syntax tree to a tree in which every name is resolved
//! and every expression has a type, or to all errors that were found.
//!
//! An expression with an error has the type [`types::Type::Error`], which goes with
//! everything, so that one mistake is reported once.

pub mod tree;
pub mod types;

mod claims;
mod constants;
mod declarations;
mod expressions;
mod formulas;
mod inlining;
mod flow;
mod names;
mod paths;
mod quantifiers;
mod statements;

use crate::ast::{self, Granularity, Span};
pub(crate) use declarations::element_name;
use names::{LabelSite, Member, Symbol, SymbolKind};
use raddle_diagnostics::{Declaration, Diagnostic, Index};
use raddle_machine::ir::{FunctionId, Home, RecordId, RegionInfo, ValueType};
use raddle_model::{Kind, Region};
use std::collections::{BTreeMap, HashMap, HashSet};
pub use tree::Checked;
use tree::{Local, LocalId};
use types::Declared;

/// The most words that all shared variables together, or one record, can have.
pub const MAX_WORDS: u32 = 1 << 20;
/// The most words that the locals of a function, or the variables of which each
/// thread has its own, can have.
pub const MAX_LOCAL_WORDS: u32 = 1 << 12;
/// The most threads that can exist at the start.
pub const MAX_THREADS: u32 = 10_000;
/// The most functions, kinds of threads, records, enumerations or labels.
pub const MAX_DECLARATIONS: usize = 1 << 14;
/// The most dimensions of an array.
pub const MAX_DIMENSIONS: usize = 8;
/// How deeply expressions and statements can be nested, so that whoever walks over
/// them recursively has enough stack. A chain such as `a + b + c` is one level.
pub const MAX_NESTING: u32 = 250;

/// Resolves the names of a program and checks its types.
pub fn check(program: &ast::Program) -> Result<Checked, Vec<Diagnostic>> {
    let mut checker = checked(program);
    if checker.diagnostics.is_empty() {
        Ok(checker.out)
    } else {
        checker.diagnostics.sort_by_key(|d| d.span.start);
        Err(checker.diagnostics)
    }
}

/// The names of a program, as far as its errors let them be made out.
pub fn index(program: &ast::Program) -> Index {
    checked(program).into_index()
}

fn checked(program: &ast::Program) -> Checker<'_> {
    let mut checker = Checker::new(program);
    if !checker.declare_names() {
        return checker;
    }
    checker.declare_constants();
    checker.declare_memory();
    checker.declare_signatures();
    checker.declare_labels();
    // Quantifiers and claims speak of the threads that there are.
    checker.populations();
    checker.bodies();
    checker.waits_in_atomic();
    checker.claims();
    checker
}

/// What is known while checking.
struct Checker<'a> {
    program: &'a ast::Program,
    out: Checked,
    names: HashMap<&'a str, Symbol>,
    members: HashMap<&'a str, Vec<Member>>,
    /// For each record, its fields by name.
    fields: Vec<BTreeMap<&'a str, Field>>,
    /// For each shared region, its type as declared.
    declared: Vec<Declared>,
    /// The variables of which each thread has its own.
    thread_variables: Vec<ThreadVariable>,
    signatures: Vec<Signature>,
    labels: HashMap<&'a str, LabelSite>,
    calls: Calls,
    diagnostics: Vec<Diagnostic>,
    /// Where names are used, and where the name is declared.
    uses: Vec<(Span, Span)>,
    /// The local variables of all functions.
    locals: Vec<Declaration>,
    /// The names of all local variables so far.
    locals_anywhere: HashSet<&'a str>,
    /// The function that is being checked.
    body: Body<'a>,
    context: Context<'a>,
    nesting: u32,
    /// The names of the quantifiers around, and what they stand for.
    bound: Vec<(&'a crate::ast::Name, quantifiers::Bound)>,
    /// How often the bodies of quantifiers were written out.
    copies: u32,
    /// The functions that are being put in the place of their calls.
    inlining: Vec<FunctionId>,
}

/// Where an expression stands, which decides what it may contain.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Context<'a> {
    /// Where only constants can stand.
    Constant,
    /// In the code of a function or a thread.
    Code,
    /// In an assertion, which may also ask where threads stand.
    Assertion,
    /// In code, where an expression without effects is needed; with its description.
    Condition(&'static str),
    /// In an invariant or a property: this.
    Predicate(&'static str),
    /// In a claim about a variable, or about a field of a record. The name stands
    /// for the accessed index.
    Claim(Option<RecordId>, Option<&'a str>),
}

/// A field of a record.
#[derive(Clone, Debug)]
struct Field {
    /// `None` if its declaration has an error.
    region: Option<Region>,
    span: Span,
}

/// A variable of which each thread has its own.
#[derive(Clone, Debug)]
struct ThreadVariable {
    base: u16,
    value: ValueType,
    dimensions: Vec<u32>,
}

/// What callers must know of a function or a thread.
#[derive(Clone, Debug, Default)]
struct Signature {
    name: String,
    span: Span,
    /// The types of the parameters; `None` for those with an error.
    parameters: Vec<Option<ValueType>>,
    /// The type of the result.
    result: ResultType,
    /// For threads: whether they are started with `spawn`.
    spawned: bool,
}

/// The result of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ResultType {
    #[default]
    Nothing,
    Value(ValueType),
    Error,
}

/// Who calls whom, to find calls in atomic blocks of functions that wait.
#[derive(Debug, Default)]
struct Calls {
    /// For each function, whether it waits itself.
    waits: Vec<bool>,
    /// Caller and callee.
    edges: Vec<(FunctionId, FunctionId)>,
    /// The calls in atomic blocks.
    in_atomic: Vec<(FunctionId, Span)>,
}

/// What is known of the function that is being checked.
#[derive(Debug, Default)]
struct Body<'a> {
    function: usize,
    locals: Vec<Local>,
    /// The words of the locals so far.
    words: u32,
    /// The visible locals, innermost scope last.
    scopes: Vec<Vec<Visible<'a>>>,
    result: ResultType,
    /// Whether `index` has a meaning.
    numbered: bool,
    is_thread: bool,
    index: Option<LocalId>,
    loops: u32,
    atomic: u32,
}

/// A local variable that can be named.
#[derive(Clone, Debug)]
struct Visible<'a> {
    name: &'a str,
    /// `None` if its declaration has an error.
    local: Option<LocalId>,
    span: Span,
}

impl<'a> Checker<'a> {
    fn new(program: &'a ast::Program) -> Checker<'a> {
        let threads = RegionInfo {
            name: "thread".to_owned(),
            kind: Kind::Thread,
            home: Home::Threads,
            dimensions: Vec::new(),
            value: ValueType::Int,
            capacity: 0,
            per_thread: None,
        };
        Checker {
            program,
            out: Checked {
                granularity: Granularity::Access,
                enums: Vec::new(),
                records: Vec::new(),
                regions: vec![threads],
                initial_words: Vec::new(),
                instances: Vec::new(),
                thread_locals: Vec::new(),
                functions: Vec::new(),
                declarations: Vec::new(),
                populations: Vec::new(),
                labels: Vec::new(),
                invariants: Vec::new(),
                properties: Vec::new(),
                claims: Vec::new(),
            },
            names: HashMap::new(),
            members: HashMap::new(),
            fields: Vec::new(),
            declared: vec![Declared::Error],
            thread_variables: Vec::new(),
            signatures: Vec::new(),
            labels: HashMap::new(),
            calls: Calls::default(),
            diagnostics: Vec::new(),
            uses: Vec::new(),
            locals: Vec::new(),
            locals_anywhere: HashSet::new(),
            body: Body::default(),
            context: Context::Code,
            nesting: 0,
            bound: Vec::new(),
            copies: 0,
            inlining: Vec::new(),
        }
    }

    /// Remembers an error.
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Checks something in another context.
    fn within<T>(&mut self, context: Context<'a>, check: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.context, context);
        let result = check(self);
        self.context = outer;
        result
    }

    /// Goes one level deeper, unless that is too deep.
    fn nested<T>(&mut self, span: &Span, otherwise: T, check: impl FnOnce(&mut Self) -> T) -> T {
        if self.nesting >= MAX_NESTING {
            self.report(Diagnostic::new(
                span.clone(),
                "this is nested too deeply",
                format!("more than {MAX_NESTING} levels"),
            ));
            return otherwise;
        }
        self.nesting += 1;
        let result = check(self);
        self.nesting -= 1;
        result
    }
}

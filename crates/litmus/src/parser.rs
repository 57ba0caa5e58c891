//! Litmus tests in the syntax that herd has for Java.
//!
//! ```text
//! Java MP
//! { x=0; y=0; 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }
//! Thread0 { X.set(1); Y.setRelease(1); }
//! Thread1 { int a = Y.getAcquire(); if (a == 1) { int b = X.get(); } }
//! exists (1:a=1 /\ 1:b=0)
//! ```

use crate::program::{
    Change, Condition, Expression, Instruction, Litmus, Location, Observed, Operator, Quantifier,
    Question, Register, Thread,
};
use logos::Logos;
use raddle_diagnostics::{Cursor, Diagnostic, Span};
use raddle_views::{Fence, Mode};
use std::collections::HashMap;

#[derive(Clone, Copy, Debug, PartialEq, Logos)]
#[logos(skip r"[ \t\r\n\f]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
#[logos(skip r"\(\*([^*]|\*[^)])*\*\)")]
enum Kind {
    #[regex("[A-Za-z_$][A-Za-z_0-9$]*")]
    Word,
    #[regex("[0-9]+")]
    Number,
    #[regex(r#""[^"]*""#)]
    Text,
    #[token("/\\")]
    #[token("\\/")]
    #[token("==")]
    #[token("!=")]
    #[token("<=")]
    #[token(">=")]
    #[token("&&")]
    #[token("||")]
    #[regex(r"[{}\[\]();:,.=<>+\-*^&|!~]")]
    Sign,
    End,
}

/// How deep expressions and statements may be nested.
const DEEPEST: u32 = 100;

/// Reads a test. The error says what is wrong with it and where.
pub fn parse(source: &str) -> Result<Litmus> {
    let (name, rest) = heading(source)?;
    let pieces = Kind::lexer(&source[rest..]).spanned();
    let pieces = pieces.map(|(kind, span)| (kind, span.start + rest..span.end + rest));
    let refuse = |(), span| Diagnostic::new(span, "an unknown character", "not expected here");
    let cursor = Cursor::strict(source, pieces, Kind::End, refuse)?;
    let mut parser = Parser {
        cursor,
        names: HashMap::new(),
        handles: HashMap::new(),
        litmus: Litmus {
            name,
            locations: Vec::new(),
            threads: Vec::new(),
            question: Question {
                quantifier: Quantifier::Exists,
                condition: Condition::True,
                text: String::new(),
                observed: Vec::new(),
            },
        },
        registers: HashMap::new(),
        code: Vec::new(),
        depth: 0,
    };
    parser.test()?;
    Ok(parser.litmus)
}

/// The name may have signs of any kind in it, so the first line is read by itself.
fn heading(source: &str) -> Result<(String, usize)> {
    let start = source.len() - source.trim_start().len();
    let line = source[start..].lines().next().unwrap_or_default();
    let mut words = line.split_whitespace();
    let (language, name) = (words.next(), words.next());
    match (language, name) {
        (Some("Java"), Some(name)) => Ok((name.to_owned(), start + line.len())),
        _ => Err(refusal(
            start..start + line.len(),
            "a litmus test begins with `Java` and its name",
            "expected `Java NAME`",
        )),
    }
}

type Result<T, E = Box<Diagnostic>> = std::result::Result<T, E>;

fn refusal(span: Span, message: impl Into<String>, label: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(span, message, label))
}

struct Parser<'s> {
    cursor: Cursor<'s, Kind>,
    /// The locations by name.
    names: HashMap<String, Location>,
    /// By thread and name: the location that a handle is for.
    handles: HashMap<(u32, String), Location>,
    litmus: Litmus,
    /// Of the thread that is read.
    registers: HashMap<String, Register>,
    code: Vec<Instruction>,
    depth: u32,
}

impl Parser<'_> {
    fn test(&mut self) -> Result<()> {
        while self.cursor.at(Kind::Text) {
            self.cursor.bump();
        }
        self.expect("{")?;
        while !self.cursor.eat_text("}") {
            self.declaration()?;
        }
        while self.cursor.text_ahead(0).starts_with("Thread") {
            self.thread()?;
        }
        if self.cursor.eat_text("locations") {
            while !self.cursor.eat_text("]") {
                if self.cursor.at(Kind::End) {
                    return Err(self.surprise("`]`"));
                }
                self.cursor.bump();
            }
        }
        self.question()?;
        match self.cursor.at(Kind::End) {
            true => Ok(()),
            false => Err(self.surprise("the end of the file")),
        }
    }

    /// `x = 0;`, `int x = 0;`, `0:X = x;`.
    fn declaration(&mut self) -> Result<()> {
        if self.cursor.eat_text(";") {
            return Ok(());
        }
        if self.cursor.at(Kind::Number) {
            let span = self.cursor.span();
            let thread = self.number()?;
            let thread = u32::try_from(thread)
                .map_err(|_| Diagnostic::new(span, "no number of a thread", "too large"))?;
            self.expect(":")?;
            let handle = self.word("the name of a handle")?;
            self.expect("=")?;
            let name = self.word("the name of a location")?;
            let location = self.location(name);
            self.handles.insert((thread, handle), location);
        } else {
            self.cursor.eat_text("int");
            let name = self.word("the name of a location")?;
            let location = self.location(name);
            if self.cursor.eat_text("=") {
                self.litmus.locations[location as usize].1 = self.signed()?;
            }
        }
        match self.cursor.at_text("}") {
            true => Ok(()),
            false => self.expect(";"),
        }
    }

    fn location(&mut self, name: String) -> Location {
        let locations = &mut self.litmus.locations;
        *self.names.entry(name).or_insert_with_key(|name| {
            locations.push((name.clone(), 0));
            locations.len() as Location - 1
        })
    }

    fn thread(&mut self) -> Result<()> {
        let span = self.cursor.span();
        let name = self.word("a thread")?;
        let expected = format!("Thread{}", self.litmus.threads.len());
        if name != expected {
            let message = format!("threads come in order: expected `{expected}`, found `{name}`");
            return Err(refusal(span, message, "out of order"));
        }
        self.expect("{")?;
        self.litmus.threads.push(Thread::default());
        self.registers.clear();
        while !self.cursor.eat_text("}") {
            self.statement()?;
        }
        let code = std::mem::take(&mut self.code);
        self.own().code = code;
        Ok(())
    }

    fn own(&mut self) -> &mut Thread {
        let code = &mut self.litmus.threads;
        if code.is_empty() {
            code.push(Thread::default());
        }
        let last = code.len() - 1;
        &mut code[last]
    }

    fn statement(&mut self) -> Result<()> {
        self.nest()?;
        let result = self.statement_inside();
        self.depth -= 1;
        result
    }

    fn statement_inside(&mut self) -> Result<()> {
        if self.cursor.eat_text("{") {
            while !self.cursor.eat_text("}") {
                self.statement()?;
            }
            return Ok(());
        }
        if self.cursor.eat_text(";") {
            return Ok(());
        }
        if self.cursor.eat_text("if") {
            let branch = self.condition_of_statement()?;
            self.statement()?;
            if self.cursor.eat_text("else") {
                let jump = self.code.len();
                self.code.push(Instruction::Jump(jump));
                self.aim(branch);
                self.statement()?;
                self.aim(jump);
            } else {
                self.aim(branch);
            }
            return Ok(());
        }
        if self.cursor.eat_text("while") {
            let start = self.code.len();
            let branch = self.condition_of_statement()?;
            self.statement()?;
            self.code.push(Instruction::Jump(start));
            self.aim(branch);
            return Ok(());
        }
        let is_declaration = self.cursor.eat_text("int") || self.cursor.eat_text("boolean");
        if !is_declaration && self.cursor.at_text("VarHandle") {
            self.cursor.bump();
            self.expect(".")?;
        }
        let (span, name) = (self.cursor.span(), self.word("a statement")?);
        if let Some(fence) = fence(&name) {
            self.expect("(")?;
            self.expect(")")?;
            self.code.push(Instruction::Fence(fence));
        } else if !is_declaration && self.cursor.at_text(".") {
            self.access(&name, span)?;
        } else if self.cursor.eat_text("=") {
            let value = self.expression()?;
            let register = self.register(&name);
            self.code.push(Instruction::Move(register, value));
        } else if is_declaration {
            self.register(&name);
        } else {
            return Err(self.surprise("`=` or `.`"));
        }
        self.expect(";")
    }

    /// `(condition)`, and a jump for when it is false, which has no aim yet.
    fn condition_of_statement(&mut self) -> Result<usize> {
        self.expect("(")?;
        let condition = self.expression()?;
        self.expect(")")?;
        self.code.push(Instruction::Unless(condition, 0));
        Ok(self.code.len() - 1)
    }

    /// Lets a jump lead here.
    fn aim(&mut self, jump: usize) {
        let here = self.code.len();
        if let Some(Instruction::Jump(aim) | Instruction::Unless(_, aim)) = self.code.get_mut(jump)
        {
            *aim = here;
        }
    }

    fn register(&mut self, name: &str) -> Register {
        if let Some(&register) = self.registers.get(name) {
            return register;
        }
        let register = self.fresh(Some(name.to_owned()));
        self.registers.insert(name.to_owned(), register);
        register
    }

    fn fresh(&mut self, name: Option<String>) -> Register {
        let registers = &mut self.own().registers;
        registers.push(name);
        registers.len() as Register - 1
    }

    fn expression(&mut self) -> Result<Expression> {
        self.nest()?;
        let result = self.level(0);
        self.depth -= 1;
        result
    }

    fn level(&mut self, level: usize) -> Result<Expression> {
        let Some(operators) = LEVELS.get(level) else {
            return self.atom();
        };
        let mut left = self.level(level + 1)?;
        while let Some(&(sign, operator)) = operators.iter().find(|it| self.cursor.at_text(it.0)) {
            let span = self.cursor.span();
            self.cursor.bump();
            let before = self.code.len();
            let right = self.level(level + 1)?;
            if matches!(operator, Operator::Both | Operator::Either) && self.code.len() > before {
                let message = format!("an access behind `{sign}`, which may not be made");
                let diagnostic = Diagnostic::new(span, message, "not supported");
                return Err(Box::new(diagnostic.help("read it into a register first")));
            }
            left = Expression::Operation(operator, Box::new([left, right]));
        }
        Ok(left)
    }

    fn atom(&mut self) -> Result<Expression> {
        if self.cursor.eat_text("(") {
            let inner = self.expression()?;
            self.expect(")")?;
            return Ok(inner);
        }
        let zero = || Expression::Number(0);
        if self.cursor.eat_text("-") {
            self.nest()?;
            let inner = self.atom();
            self.depth -= 1;
            return Ok(Expression::Operation(
                Operator::Minus,
                Box::new([zero(), inner?]),
            ));
        }
        if self.cursor.eat_text("!") {
            self.nest()?;
            let inner = self.atom();
            self.depth -= 1;
            return Ok(Expression::Operation(
                Operator::Equal,
                Box::new([zero(), inner?]),
            ));
        }
        if self.cursor.at(Kind::Number) {
            return self.number().map(Expression::Number);
        }
        let (span, name) = (self.cursor.span(), self.word("an expression")?);
        match &*name {
            "true" => return Ok(Expression::Number(1)),
            "false" => return Ok(Expression::Number(0)),
            _ => {}
        }
        if self.cursor.at_text(".") {
            let value = self.access(&name, span.clone())?;
            return value
                .ok_or_else(|| refusal(span, "this access has no value", "used as an expression"));
        }
        match self.registers.get(&name) {
            Some(&register) => Ok(Expression::Register(register)),
            None => {
                let message = format!("there is no register `{name}`");
                Err(refusal(span, message, "not declared before"))
            }
        }
    }

    /// `.method(arguments)` of a handle; its value, if it has one.
    fn access(&mut self, handle: &str, span: Span) -> Result<Option<Expression>> {
        let thread = self.litmus.threads.len() as u32 - 1;
        let Some(&location) = self.handles.get(&(thread, handle.to_owned())) else {
            let message = format!("thread {thread} has no handle `{handle}`");
            let diagnostic = Diagnostic::new(span, message, "not declared");
            return Err(Box::new(diagnostic.help(format!(
                "declare it in the first lines: `{thread}:{handle}=x;`"
            ))));
        };
        self.expect(".")?;
        let (span, method) = (self.cursor.span(), self.word("a method")?);
        self.expect("(")?;
        let mut arguments = Vec::new();
        while !self.cursor.eat_text(")") {
            arguments.push(self.expression()?);
            if !self.cursor.at_text(")") {
                self.expect(",")?;
            }
        }
        let Some((access, count)) = Method::of(&method) else {
            let message = format!("there is no method `{method}` of VarHandle here");
            return Err(refusal(span, message, "unknown"));
        };
        if arguments.len() != count {
            let message = format!(
                "`{method}` has {count} arguments, and not {}",
                arguments.len()
            );
            return Err(refusal(span, message, "wrong number of arguments"));
        }
        let mut arguments = arguments.into_iter();
        let mut argument = || arguments.next().unwrap_or(Expression::Number(0));
        let (modes, change) = match access {
            Method::Get(mode) => {
                let register = self.fresh(None);
                self.code.push(Instruction::Load(register, location, mode));
                return Ok(Some(Expression::Register(register)));
            }
            Method::Set(mode) => {
                let value = argument();
                self.code.push(Instruction::Store(location, mode, value));
                return Ok(None);
            }
            Method::CompareAndSet { modes, is_weak } => {
                let values = [argument(), argument()];
                let done = self.fresh(None);
                self.code.push(Instruction::CompareAndSet {
                    done,
                    location,
                    modes,
                    values,
                    is_weak,
                });
                return Ok(Some(Expression::Register(done)));
            }
            Method::CompareAndExchange(modes) => {
                (modes, Change::Exchange([argument(), argument()]))
            }
            Method::GetAndSet(modes) => (modes, Change::Set(argument())),
            Method::GetAnd(operator, modes) => (modes, Change::Apply(operator, argument())),
        };
        let old = self.fresh(None);
        self.code.push(Instruction::Update {
            old,
            location,
            modes,
            change,
        });
        Ok(Some(Expression::Register(old)))
    }

    fn question(&mut self) -> Result<()> {
        let quantifier = if self.cursor.eat_text("~") {
            self.expect("exists")?;
            Quantifier::Never
        } else if self.cursor.eat_text("forall") {
            Quantifier::Forall
        } else if self.cursor.eat_text("exists") {
            Quantifier::Exists
        } else {
            return Err(self.surprise("a thread, `exists`, `~exists` or `forall`"));
        };
        let start = self.cursor.start();
        let condition = self.either()?;
        let text = self.cursor.text(self.cursor.since(start));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut observed = Vec::new();
        collect(&condition, &mut observed);
        observed.sort_unstable();
        observed.dedup();
        self.litmus.question = Question {
            quantifier,
            condition,
            text,
            observed,
        };
        Ok(())
    }

    fn either(&mut self) -> Result<Condition> {
        self.nest()?;
        let mut left = self.both()?;
        while self.cursor.eat_text("\\/") {
            left = Condition::Or(Box::new([left, self.both()?]));
        }
        self.depth -= 1;
        Ok(left)
    }

    fn both(&mut self) -> Result<Condition> {
        let mut left = self.claim()?;
        while self.cursor.eat_text("/\\") {
            left = Condition::And(Box::new([left, self.claim()?]));
        }
        Ok(left)
    }

    fn claim(&mut self) -> Result<Condition> {
        if self.cursor.eat_text("~") || self.cursor.eat_text("not") {
            self.nest()?;
            let inner = self.claim()?;
            self.depth -= 1;
            return Ok(Condition::Not(Box::new(inner)));
        }
        if self.cursor.eat_text("(") {
            let inner = self.either()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if self.cursor.eat_text("true") {
            return Ok(Condition::True);
        }
        let span = self.cursor.span();
        let observed = if self.cursor.at(Kind::Number) {
            let thread = self.number()?;
            self.expect(":")?;
            let name = self.word("a register")?;
            let threads = &self.litmus.threads;
            let found = usize::try_from(thread).ok().and_then(|it| threads.get(it));
            let registers = found.map_or(&[][..], |it| &it.registers[..]);
            let mut named = registers.iter();
            match named.position(|it| it.as_deref() == Some(&*name)) {
                Some(register) => Observed::Register(thread.cast_unsigned(), register as u32),
                None => {
                    let message = format!("there is no register `{thread}:{name}`");
                    let span = self.cursor.since(span.start);
                    return Err(refusal(span, message, "not declared"));
                }
            }
        } else {
            let is_bracketed = self.cursor.eat_text("[");
            let name = self.word("a register or a location")?;
            if is_bracketed {
                self.expect("]")?;
            }
            match self.names.get(&name) {
                Some(&location) => Observed::Location(location),
                None => {
                    let message = format!("there is no location `{name}`");
                    return Err(refusal(span, message, "not declared"));
                }
            }
        };
        if !self.cursor.eat_text("==") {
            self.expect("=")?;
        }
        Ok(Condition::Equal(observed, self.signed()?))
    }

    fn nest(&mut self) -> Result<()> {
        self.depth += 1;
        match self.depth > DEEPEST {
            true => Err(refusal(
                self.cursor.span(),
                format!("nested more than {DEEPEST} deep"),
                "too deep",
            )),
            false => Ok(()),
        }
    }

    fn signed(&mut self) -> Result<i32> {
        match self.cursor.eat_text("-") {
            true => self.number().map(i32::wrapping_neg),
            false => self.number(),
        }
    }

    fn number(&mut self) -> Result<i32> {
        if !self.cursor.at(Kind::Number) {
            return Err(self.surprise("a number"));
        }
        let number = self.cursor.text_ahead(0).parse();
        let number = number.map_err(|_| {
            Diagnostic::new(
                self.cursor.span(),
                "the number is too large for an int",
                "too large",
            )
        })?;
        self.cursor.bump();
        Ok(number)
    }

    fn word(&mut self, what: &str) -> Result<String> {
        if !self.cursor.at(Kind::Word) {
            return Err(self.surprise(what));
        }
        Ok(self.cursor.take_name().text)
    }

    fn expect(&mut self, text: &str) -> Result<()> {
        match self.cursor.eat_text(text) {
            true => Ok(()),
            false => Err(self.surprise(&format!("`{text}`"))),
        }
    }

    fn surprise(&self, what: &str) -> Box<Diagnostic> {
        Box::new(self.cursor.surprise(what))
    }
}

fn collect(condition: &Condition, out: &mut Vec<Observed>) {
    match condition {
        Condition::True => {}
        Condition::Equal(observed, _) => out.push(*observed),
        Condition::Not(inner) => collect(inner, out),
        Condition::And(sides) | Condition::Or(sides) => {
            sides.iter().for_each(|side| collect(side, out));
        }
    }
}

const LEVELS: [&[(&str, Operator)]; 8] = [
    &[("||", Operator::Either)],
    &[("&&", Operator::Both)],
    &[("|", Operator::Or)],
    &[("^", Operator::Xor)],
    &[("&", Operator::And)],
    &[
        ("==", Operator::Equal),
        ("!=", Operator::Unequal),
        ("<=", Operator::LessOrEqual),
        (">=", Operator::GreaterOrEqual),
        ("<", Operator::Less),
        (">", Operator::Greater),
    ],
    &[("+", Operator::Plus), ("-", Operator::Minus)],
    &[("*", Operator::Times)],
];

/// The fence that a method is. That the weaker ones are as strong here as those by which the JDK
/// implements them is said in docs/memory-model.md.
fn fence(name: &str) -> Option<Fence> {
    Some(match name {
        "fullFence" => Fence::Full,
        "acquireFence" | "loadLoadFence" => Fence::Acquire,
        "releaseFence" | "storeStoreFence" => Fence::Release,
        _ => return None,
    })
}

/// What a method of a handle does.
enum Method {
    Get(Mode),
    Set(Mode),
    CompareAndSet { modes: (Mode, Mode), is_weak: bool },
    CompareAndExchange((Mode, Mode)),
    GetAndSet((Mode, Mode)),
    GetAnd(Operator, (Mode, Mode)),
}

impl Method {
    /// A method by name, and how many arguments it has.
    fn of(name: &str) -> Option<(Method, usize)> {
        let access = |rest: &str| {
            Some(match rest {
                "" => Mode::Plain,
                "Opaque" => Mode::Opaque,
                "Acquire" => Mode::Acquire,
                "Release" => Mode::Release,
                "Volatile" => Mode::Volatile,
                _ => return None,
            })
        };
        let update = |rest: &str| {
            Some(match rest {
                "" => (Mode::Volatile, Mode::Volatile),
                "Plain" => (Mode::Plain, Mode::Plain),
                "Acquire" => (Mode::Acquire, Mode::Plain),
                "Release" => (Mode::Plain, Mode::Release),
                _ => return None,
            })
        };
        let operators = [
            ("getAndAdd", Operator::Plus),
            ("getAndBitwiseOr", Operator::Or),
            ("getAndBitwiseAnd", Operator::And),
            ("getAndBitwiseXor", Operator::Xor),
        ];
        if let Some((rest, operator)) = operators
            .into_iter()
            .find_map(|(prefix, operator)| Some((name.strip_prefix(prefix)?, operator)))
        {
            return Some((Method::GetAnd(operator, update(rest)?), 1));
        }
        if let Some(rest) = name.strip_prefix("getAndSet") {
            return Some((Method::GetAndSet(update(rest)?), 1));
        }
        if let Some(rest) = name.strip_prefix("compareAndExchange") {
            return Some((Method::CompareAndExchange(update(rest)?), 2));
        }
        let weak = name.strip_prefix("weak").unwrap_or(name).to_lowercase();
        if let Some(rest) = weak.strip_prefix("compareandset") {
            let is_weak = name.starts_with("weak");
            let rest = &name[name.len() - rest.len()..];
            let modes = update(rest)?;
            return Some((Method::CompareAndSet { modes, is_weak }, 2));
        }
        if let Some(rest) = name.strip_prefix("get") {
            let mode = access(rest).filter(|&it| it != Mode::Release)?;
            return Some((Method::Get(mode), 0));
        }
        let mode = access(name.strip_prefix("set")?).filter(|&it| it != Mode::Acquire)?;
        Some((Method::Set(mode), 1))
    }
}

//! Concurrent Boolean Programs: threads that start each other, with boolean variables, locks,
//! messages that wake sleeping threads, and rendezvous.
//!
//! **From**: paper 003. Text becomes a [`Program`] ([`compile`]), which can be looked at in two
//! ways:
//!
//! ```text
//! text -> parser -> ast -> check (section 2.1.1) -> lower -> Program
//!   Program -> Interpreter, a System for every search and reduction; Counted for full search
//!   Program -> machines -> Machines -> reduced -> Machines -> net -> Translation { net, .. }
//!                                    a Run of the net -> Translation::replay -> Violation
//! ```
//!
//! Limits of size are errors, never answers. What is to be said of violations in a program
//! that is an abstraction of another one is [`Program::caveat`].

pub mod ast;
mod lexer;
pub mod parser;
mod check;
mod index;
pub mod unsafety;
pub mod program;
mod lower;
mod effects;
pub mod interpreter;
mod narrate;
pub mod counted;
mod liveness;
pub mod machines;
pub mod reduced;
pub mod net;
mod targets;
mod print;

pub use counted::Counted;
pub use interpreter::{Interpreter, Limits};
pub use liveness::Liveness;
pub use machines::{Machines, live_machines, machines};
pub use net::Translation;
pub use program::Program;

use lower::Grain;
use raddle_diagnostics::{Diagnostic, Index, Lines};

/// The names of a program, as far as its errors let them be made out.
pub fn index(source: &str) -> Index {
    index::index(&parser::parse(source).tree)
}

/// Reads a program and checks it. The errors are in the order of their places.
pub fn compile(source: &str) -> Result<Program, Vec<Diagnostic>> {
    let parse = parser::parse(source);
    let mut diagnostics = parse.diagnostics;
    // Where something was left out, what follows from that is not worth telling.
    if parse.is_whole {
        diagnostics.extend(check::check(&parse.tree));
    }
    let in_order = |mut diagnostics: Vec<Diagnostic>| {
        diagnostics.sort_by_key(|it| (it.span.start, it.span.end));
        diagnostics
    };
    if !diagnostics.is_empty() {
        return Err(in_order(diagnostics));
    }
    let lines = Lines::new(source);
    let mut program = lower::lower(&parse.tree, &lines, Grain::Statements);
    let mut sets = Vec::new();
    for text in &parse.tree.unsafes {
        let place = Some(lines.place(text.span.start));
        match unsafety::parse(&text.text, text.span.start, place, &program) {
            Ok(set) => sets.push(set),
            Err(errors) => diagnostics.extend(errors),
        }
    }
    if !diagnostics.is_empty() {
        return Err(in_order(diagnostics));
    }
    program.unsafes = sets;
    program.choose_initially();
    Ok(program)
}

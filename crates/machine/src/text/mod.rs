//! The textual form of a program, for people and for tests.
//!
//! [`print()`] writes a program and [`parse()`] reads it back: for every program that
//! [`verify`](crate::verify::verify) accepts, `parse(&print(p)) == Ok(p)`. White
//! space and `//` comments mean nothing to the parser.
//!
//! ```text
//! region threads: threads
//! region counter: variable int 0..9 at 0
//! region lock: monitor at 1
//!
//! words {
//!   0  // counter
//!   0  // lock
//! }
//!
//! thread worker runs work
//! start worker(3) as "worker[0]"
//!
//! function work(times: int) {
//!   var i: int
//!     0 * acquire lock                           @0:5:3
//!     1   counter := ranged((counter + 1), 0..9) @0:6:5
//!     2 * release lock                           @0:7:3
//!     3   %i := (%i + 1)                         @0:8:3
//!     4   unless (%i >= %times) jump 0           @0:9:3
//!     5   return                                 @0:10:1
//! }
//! ```
//!
//! A star marks an instruction at which a step may begin, `@file:line:column` says
//! where it comes from. `%x` is a register of the function and `$x` a variable of the
//! thread's own; a word without a sign is a region. A name that several things of a
//! sort share is followed by its number (`%i#3`), and a number alone (`%#3`) is a
//! reference too. A name that is not a word, or is one that the form itself uses, is
//! written as a string.

pub(crate) mod print;

mod formulas;
mod names;
mod parse;
mod parse_code;
mod token;

pub use parse::parse;
pub use print::print;

use raddle_model::Place;
use std::fmt;

/// Why a text is not a program, and where that shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from one.
    pub line: u32,
    /// The column, in characters from one.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

impl ParseError {
    fn new(place: Place, message: String) -> ParseError {
        ParseError {
            line: place.line,
            column: place.column,
            message,
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

//! From a Java program to one of the intermediate form, in which the threads of a class may exist
//! any number of times.
//!
//! Paper 003 (chapter 3.1) begins with Java threads that share objects, and writes their boolean
//! programs by hand. Here the first half of that way is done by partial evaluation: `main` is run
//! up to where it has started its threads ([`start`]), threads that run the same code on the same
//! objects become one kind ([`templates`]), and their code is followed with all that is known of
//! the heap at that moment ([`walk`], [`execute`]): fields that no thread writes are constants, calls
//! are inlined, locks that are taken again are counted.
//!
//! What is guaranteed: every execution of the Java program, under sequential consistency and
//! without interrupts, is one of the extracted program with as many threads: the same accesses to
//! fields and elements in the same order, each a step of its own, and the same faults. The converse
//! holds unless [`Extracted::liberties`] says otherwise. Whatever has no meaning here is an
//! [`Untranslatable`] that names the construct and its line; nothing is guessed.

mod obstacle;
mod value;
mod start;
mod templates;
mod scene;
mod family;
mod walk;
mod execute;
mod access;
mod arithmetic;
mod library;
mod emit;
mod simplify;
mod numbers;
mod shared;
mod assemble;
mod counted;

pub use assemble::{Extracted, Kind, extract};
pub use counted::counted;
pub use obstacle::Untranslatable;
pub use templates::Threads;

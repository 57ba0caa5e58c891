//! Java programs as systems: their states, and how things in them are called.

mod common;
mod names;
mod relaxed;
mod states;

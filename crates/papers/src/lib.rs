//! The tables of the papers, as data, and what comes out here.
//!
//! [`data`] has the tables and their models, which are files under `tests/papers` that
//! become part of the program. [`table`] reads a table, [`run`] explores the model of a
//! row and compares, [`render`] shows the result. The command `raddle papers` and the
//! tests are both made of these.

pub mod data;
pub mod table;
mod boolean;
pub mod run;
pub mod render;

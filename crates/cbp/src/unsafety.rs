//! Sets of states that must not be reached: `criticalI & criticalJ`, `critical >= 2 | full`.
//!
//! A name is that of a label (a thread stands there), of a thread type (a thread of that type
//! has not finished), of a global variable (it is true; with `!`, it is false), or of a lock
//! (it is taken; with `!`, it is free). [`raddle_cover::unsafety`] reads the rest.

use crate::program::{Cell, Program};
use raddle_cover::Place as Number;
use raddle_cover::unsafety::Names;
use raddle_diagnostics::Diagnostic;
use raddle_model::Place;

/// A set of states, as a disjunction of conjunctions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsafeSet {
    /// As it was written.
    pub text: String,
    /// Where, if it stands in the program.
    pub place: Option<Place>,
    /// A state is in the set if all demands of one of these hold.
    pub cases: Vec<Vec<Demand>>,
}

/// What is demanded of a state. More threads never make it false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Demand {
    /// At least so many threads are among these.
    AtLeast(Population, u32),
    /// A cell has a value.
    Value(Cell, bool),
}

/// Some of the threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Population {
    /// Those at a label.
    Label(usize),
    /// The unfinished ones of a type.
    Type(usize),
}

/// Reads a set; `offset` is where the text stands in the source.
pub(crate) fn parse(
    text: &str,
    offset: usize,
    place: Option<Place>,
    program: &Program,
) -> Result<UnsafeSet, Vec<Diagnostic>> {
    let known = Demandable::new(program);
    known.refuse_ambiguous(text).map_err(|error| vec![*error])?;
    let found = raddle_cover::unsafety::parse(text, &known).map_err(|mut errors| {
        for error in &mut errors {
            error.span = error.span.start + offset..error.span.end + offset;
        }
        errors
    })?;
    let case = |demand: raddle_cover::Demand| {
        let demands = demand.into_iter();
        demands.map(|(number, least)| match known.names[number.index()].1 {
            Demand::AtLeast(population, _) => Demand::AtLeast(population, least),
            value => value,
        })
    };
    Ok(UnsafeSet {
        text: text.trim().to_owned(),
        place,
        cases: found.into_iter().map(|it| case(it).collect()).collect(),
    })
}

/// What can be demanded, by name. The number of a name is its position.
struct Demandable {
    names: Vec<(String, Demand)>,
}

impl Demandable {
    fn new(program: &Program) -> Demandable {
        let mut names = Vec::new();
        for (index, label) in program.labels.iter().enumerate() {
            names.push((
                label.name.clone(),
                Demand::AtLeast(Population::Label(index), 1),
            ));
        }
        for (index, thread) in program.types.iter().enumerate() {
            names.push((
                thread.name.clone(),
                Demand::AtLeast(Population::Type(index), 1),
            ));
        }
        let globals = (0..program.globals.len()).map(Cell::Global);
        for cell in globals.chain((0..program.locks.len()).map(Cell::Lock)) {
            let name = program.cell_name(cell);
            names.push((name.to_owned(), Demand::Value(cell, true)));
            names.push((format!("!{name}"), Demand::Value(cell, false)));
        }
        Demandable { names }
    }

    /// The thesis allows a label that is called like a variable; here it has to be said which
    /// of them is meant.
    fn refuse_ambiguous(&self, text: &str) -> Result<(), Box<Diagnostic>> {
        for (index, (name, _)) in self.names.iter().enumerate() {
            let is_twice = self.names[..index].iter().any(|(other, _)| other == name);
            let ends = |it: char| !(it.is_ascii_alphanumeric() || it == '_');
            if is_twice && text.split(ends).any(|word| word == name) {
                let message = format!("`{name}` is a label and a declared name");
                let diagnostic = Diagnostic::new(0..0, message, "which of them?");
                return Err(diagnostic.help("give the label another name").into());
            }
        }
        Ok(())
    }
}

impl Names for Demandable {
    fn places(&self, name: &str) -> Option<Vec<Number>> {
        let position = self.names.iter().position(|(it, _)| it == name)?;
        Some(vec![Number(position as u32)])
    }

    fn all(&self) -> Vec<&str> {
        self.names.iter().map(|(name, _)| name.as_str()).collect()
    }
}

//! What a Java program gets from outside, as far as a user lets it.

use crate::args::Input;
use crate::failure::Failure;
use crate::files::{self, LARGEST_PROGRAM};
use raddle_jvm::World;

impl Input {
    /// Gives it to a program.
    pub(crate) fn give(&self, world: &mut World) -> Result<(), Failure> {
        for folder in &self.allow_files {
            world.allow_files(folder).map_err(Failure::new)?;
        }
        if let Some(file) = &self.stdin {
            world.give_input(files::read(file, LARGEST_PROGRAM)?);
        }
        if !self.env.is_empty() {
            let variables: Result<_, Failure> = self.env.iter().map(|it| variable(it)).collect();
            world.give_environment(variables?);
        }
        if let Some(processors) = self.processors {
            world.give_processors(processors);
        }
        Ok(())
    }
}

/// A variable by what was given: with its value, or by its name alone.
fn variable(given: &str) -> Result<(String, String), Failure> {
    match given.split_once('=') {
        Some(("", _)) => Err(Failure::new(format!(
            "--env {given}: the variable has no name"
        ))),
        Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
        None => match std::env::var(given) {
            Ok(value) => Ok((given.to_owned(), value)),
            Err(why) => Err(Failure::new(format!("--env {given}: {why}"))),
        },
    }
}

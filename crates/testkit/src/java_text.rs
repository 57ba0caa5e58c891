//! How the texts of random Java programs are written.

use crate::generate::Random;
use std::fmt::Write;

/// Writes a program line by line, as chance will have it.
pub(crate) trait Writing {
    /// Where chance comes from, what is written so far, and how deep it is nested.
    fn parts(&mut self) -> (&mut Random, &mut String, &mut usize);

    /// Writes a line.
    fn line(&mut self, line: &str) {
        let (_, text, nesting) = self.parts();
        let _ = writeln!(text, "{}{line}", "    ".repeat(*nesting));
    }

    /// One of several.
    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        let (random, ..) = self.parts();
        choices[random.below(choices.len() as u64) as usize]
    }

    /// Writes something between two lines.
    fn nested(&mut self, head: &str, tail: &str, body: impl FnOnce(&mut Self)) {
        self.line(head);
        *self.parts().2 += 1;
        body(self);
        *self.parts().2 -= 1;
        self.line(tail);
    }

    /// Writes a call after which the thread may have been interrupted.
    fn uninterrupted(&mut self, call: &str) {
        self.nested("try {", "} catch (InterruptedException e) {", |writer| {
            writer.line(call);
        });
        self.line("    r += 100;");
        self.line("}");
    }
}

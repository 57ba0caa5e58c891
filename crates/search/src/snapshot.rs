//! Searches that are written down and go on later.
//!
//! Whoever watches a search may have an [`Archive`]. When it is time, the search writes down
//! all it knows: what it counted, its store, and what is still to be explored. One that begins
//! with an archive that has something goes on from there, in the same order, and comes to the
//! same end. Numbers are written with their lower bytes first; whether what is read is what was
//! written, by the same program and for the same question, is the business of the archive.

use std::io::{self, Read, Write};

/// Keeps what a search knows.
pub trait Archive {
    /// Whether it is time to write; `is_end` if the search stops here for now.
    fn is_due(&mut self, is_end: bool) -> bool;

    /// Keeps what the function writes, all of it or nothing.
    fn keep(&mut self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>);

    /// What was kept before, if the search is to go on from there.
    fn recall(&mut self) -> Option<Box<dyn Read + '_>>;
}

/// Writes numbers.
pub struct Writer<'a>(pub(crate) &'a mut dyn Write);

impl Writer<'_> {
    /// Writes a number.
    pub fn number(&mut self, number: u64) -> io::Result<()> {
        self.0.write_all(&number.to_le_bytes())
    }

    /// Writes how many there are, and then each of them.
    pub fn numbers(
        &mut self,
        count: usize,
        numbers: impl IntoIterator<Item = u64>,
    ) -> io::Result<()> {
        self.number(count as u64)?;
        numbers.into_iter().try_for_each(|it| self.number(it))
    }

    /// Writes how many there are, and then each of them.
    pub fn words(&mut self, words: &[u32]) -> io::Result<()> {
        self.number(words.len() as u64)?;
        let mut words = words.iter();
        words.try_for_each(|word| self.0.write_all(&word.to_le_bytes()))
    }

    /// Writes a text with its length.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        self.number(text.len() as u64)?;
        self.0.write_all(text.as_bytes())
    }
}

/// Reads numbers.
pub struct Reader<'a>(pub(crate) &'a mut dyn Read);

impl Reader<'_> {
    /// Reads a number.
    pub fn number(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.0.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// Reads a number of another type.
    pub fn small<T: TryFrom<u64>>(&mut self) -> io::Result<T> {
        T::try_from(self.number()?).map_err(|_| wrong("a number is too large"))
    }

    /// Reads how many there are, and then each of them.
    pub fn numbers(&mut self, mut take: impl FnMut(u64)) -> io::Result<()> {
        for _ in 0..self.number()? {
            take(self.number()?);
        }
        Ok(())
    }

    /// Reads words.
    pub fn words(&mut self) -> io::Result<Vec<u32>> {
        let mut words = Vec::new();
        for _ in 0..self.number()? {
            let mut bytes = [0; 4];
            self.0.read_exact(&mut bytes)?;
            words.push(u32::from_le_bytes(bytes));
        }
        Ok(words)
    }

    /// Reads a text.
    pub fn text(&mut self) -> io::Result<String> {
        let length = self.number()?;
        let mut bytes = Vec::new();
        self.0.take(length).read_to_end(&mut bytes)?;
        String::from_utf8(bytes).map_err(|_| wrong("a text is not one"))
    }
}

/// What was read cannot have been written.
pub fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

//! Files for what has no room in memory.
//!
//! They are temporary ones without a name, so that nothing of them is left, however a search
//! ends.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Where a search puts what has no room in memory.
#[derive(Clone, Debug)]
pub struct Spill {
    folder: PathBuf,
}

impl Spill {
    /// Into files in a folder.
    pub fn new(folder: PathBuf) -> Spill {
        Spill { folder }
    }

    fn create(&self) -> io::Result<File> {
        tempfile::tempfile_in(&self.folder)
    }

    /// Writes numbers into a file of their own.
    pub(crate) fn scroll(
        &self,
        numbers: impl Iterator<Item = io::Result<u64>>,
    ) -> io::Result<Scroll> {
        let mut out = BufWriter::with_capacity(1 << 16, self.create()?);
        let mut length = 0;
        for number in numbers {
            out.write_all(&number?.to_le_bytes())?;
            length += 1;
        }
        let file = out.into_inner().map_err(|error| error.into_error())?;
        Ok(Scroll { file, length })
    }

    /// A file to which things are added.
    pub(crate) fn file(&self) -> io::Result<SpillFile> {
        Ok(SpillFile {
            file: self.create()?,
            end: Mutex::new(0),
        })
    }
}

/// Numbers in a file, which stay as they are.
pub(crate) struct Scroll {
    file: File,
    pub(crate) length: u64,
}

impl Scroll {
    /// Some of the numbers.
    pub(crate) fn read(&self, first: u64, count: usize) -> io::Result<Vec<u64>> {
        let mut bytes = vec![0; 8 * count];
        read_at(&self.file, 8 * first, &mut bytes)?;
        let (numbers, _) = bytes.as_chunks();
        Ok(numbers.iter().map(|it| u64::from_le_bytes(*it)).collect())
    }

    /// All of them, up to an error. Only one reader at a time.
    pub(crate) fn iter(&self) -> io::Result<impl Iterator<Item = io::Result<u64>> + use<>> {
        let mut file = self.file.try_clone()?;
        file.rewind()?;
        let mut input = BufReader::with_capacity(1 << 16, file);
        let mut left = self.length;
        Ok(std::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            Some(next(&mut input))
        }))
    }
}

/// What has no room in memory has none elsewhere either.
pub(crate) fn trouble(error: &io::Error) -> String {
    format!("what has no room in memory cannot be written or read: {error}")
}

fn next(input: &mut impl BufRead) -> io::Result<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

/// A file to which things are added, and in which they are looked up.
pub(crate) struct SpillFile {
    file: File,
    end: Mutex<u64>,
}

impl SpillFile {
    /// Adds bytes; tells where they are.
    pub(crate) fn put(&self, bytes: &[u8]) -> io::Result<u64> {
        let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        write_at(&self.file, *end, bytes)?;
        let at = *end;
        *end += bytes.len() as u64;
        Ok(at)
    }

    /// Reads what was put somewhere.
    pub(crate) fn get(&self, at: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        read_at(&self.file, at, &mut bytes)?;
        Ok(bytes)
    }
}

#[cfg(unix)]
fn read_at(file: &File, at: u64, bytes: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(unix)]
fn write_at(file: &File, at: u64, bytes: &[u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

#[cfg(windows)]
fn read_at(file: &File, mut at: u64, mut bytes: &mut [u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, at)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                bytes = &mut bytes[read..];
                at += read as u64;
            }
        }
    }
    Ok(())
}

#[cfg(windows)]
fn write_at(file: &File, mut at: u64, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_write(file, bytes, at)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            written => {
                bytes = &bytes[written..];
                at += written as u64;
            }
        }
    }
    Ok(())
}

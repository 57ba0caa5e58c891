//! Searches that are written to disk from time to time, and go on from there.
//!
//! A checkpoint is one file: which question it belongs to, what the search wrote, and a
//! checksum of all of it. It is written beside the old one and put in its place when it is on
//! the disk, so that there is always a whole one, whenever the process is killed.

use crate::console::complain;
use crate::failure::Failure;
use crc32fast::Hasher;
use raddle_search::Archive;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The beginning of every checkpoint. The number changes with the form.
const MAGIC: &[u8] = b"raddle checkpoint 2\n";

/// The checkpoint of one search.
pub(crate) struct Checkpoint {
    path: PathBuf,
    /// The question that is answered: only for the same one can a search go on.
    question: String,
    every: Duration,
    last: Instant,
    /// What the search goes on with.
    recalled: Option<BufReader<File>>,
    /// Whether it is being written just now.
    pub(crate) is_held: Arc<AtomicBool>,
}

impl Checkpoint {
    /// A checkpoint in a folder. With `resume` the search goes on from the one that is there.
    pub(crate) fn new(
        folder: &Path,
        question: String,
        every: Duration,
        resume: bool,
    ) -> Result<Checkpoint, Failure> {
        fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
        let path = folder.join("search.checkpoint");
        let recalled = match (resume, path.exists()) {
            (true, true) => Some(open(&path, &question)?),
            (true, false) => {
                complain("There is no checkpoint yet: the search begins.\n");
                None
            }
            (false, true) => {
                return Err(Failure::new(format!(
                    "{}: there is a checkpoint already; go on from it with --resume, or remove it",
                    path.display()
                )));
            }
            (false, false) => None,
        };
        Ok(Checkpoint {
            path,
            question,
            every,
            last: Instant::now(),
            recalled,
            is_held: Arc::default(),
        })
    }

    /// Takes the checkpoint away: the question is answered.
    pub(crate) fn remove(&self) {
        if let Err(error) = fs::remove_file(&self.path)
            && error.kind() != io::ErrorKind::NotFound
        {
            self.complain(&error);
        }
    }

    fn write(&self, content: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let temporary = self.path.with_extension("temporary");
        // One may be left from a search that was killed; a link must not be written through.
        let _ = fs::remove_file(&temporary);
        let mut out = Summing {
            inner: BufWriter::new(File::create_new(&temporary)?),
            sum: Hasher::new(),
        };
        out.write_all(MAGIC)?;
        out.write_all(&(self.question.len() as u64).to_le_bytes())?;
        out.write_all(self.question.as_bytes())?;
        content(&mut out)?;
        let sum = out.sum.finalize();
        out.inner.write_all(&sum.to_le_bytes())?;
        let file = out.inner.into_inner().map_err(|error| error.into_error())?;
        file.sync_all()?;
        fs::rename(&temporary, &self.path)?;
        // That the name means the new file has to be on the disk, too.
        match self.path.parent() {
            Some(folder) => File::open(folder)?.sync_all(),
            None => Ok(()),
        }
    }

    fn complain(&self, error: &io::Error) {
        let path = self.path.display();
        complain(&format!("warning: the checkpoint {path}: {error}\n"));
    }
}

impl Archive for Checkpoint {
    fn is_due(&mut self, is_end: bool) -> bool {
        is_end || self.last.elapsed() >= self.every
    }

    fn keep(&mut self, content: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        self.is_held.store(true, Ordering::Relaxed);
        // The search goes on, and the last checkpoint is still there.
        if let Err(error) = self.write(content) {
            self.complain(&error);
        }
        self.is_held.store(false, Ordering::Relaxed);
        self.last = Instant::now();
    }

    fn recall(&mut self) -> Option<Box<dyn Read + '_>> {
        let recalled = self.recalled.take()?;
        Some(Box::new(recalled))
    }
}

/// Opens a checkpoint after what stands before the search, if it is whole and belongs to the
/// question.
fn open(path: &Path, question: &str) -> Result<BufReader<File>, Failure> {
    let failed = |error: io::Error| Failure::file(path, &error);
    let wrong = |why: &str| Failure::new(format!("{}: {why}", path.display()));
    let damaged = || wrong("this checkpoint is damaged; remove it and begin again");
    let length = fs::metadata(path).map_err(failed)?.len();
    let begin = || File::open(path).map(BufReader::new).map_err(failed);

    let mut file = begin()?;
    let content = length.checked_sub(4).ok_or_else(damaged)?;
    let mut sum = Summing {
        inner: io::sink(),
        sum: Hasher::new(),
    };
    io::copy(&mut (&mut file).take(content), &mut sum).map_err(failed)?;
    let mut stored = [0; 4];
    file.read_exact(&mut stored).map_err(|_| damaged())?;
    if sum.sum.finalize() != u32::from_le_bytes(stored) {
        return Err(damaged());
    }

    let mut file = begin()?;
    let mut magic = vec![0; MAGIC.len()];
    file.read_exact(&mut magic).map_err(|_| damaged())?;
    if magic != MAGIC {
        return Err(wrong("this is no checkpoint of this raddle"));
    }
    let mut size = [0; 8];
    file.read_exact(&mut size).map_err(|_| damaged())?;
    let mut asked = Vec::new();
    let read = (&mut file).take(u64::from_le_bytes(size));
    { read }.read_to_end(&mut asked).map_err(failed)?;
    let asked = String::from_utf8_lossy(&asked);
    let difference = asked.lines().zip(question.lines()).find(|(a, b)| a != b);
    match difference {
        _ if asked == question => Ok(file),
        Some((then, now)) => Err(wrong(&format!(
            "this checkpoint is for another question: `{then}` then, `{now}` now"
        ))),
        None => Err(wrong("this checkpoint is for another question")),
    }
}

/// Passes on what is written, and sums it up.
struct Summing<W> {
    inner: W,
    sum: Hasher,
}

impl<W: Write> Write for Summing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// A question in lines: each of them names something that must be the same. `text` is the
/// program's.
pub(crate) fn question(text: &str, options: &[(&str, String)]) -> String {
    let sum = crc32fast::hash(text.as_bytes());
    let mut lines = vec![
        format!("raddle {}", env!("CARGO_PKG_VERSION")),
        format!("program of {} bytes, checksum {sum:08x}", text.len()),
    ];
    lines.extend(
        options
            .iter()
            .map(|(name, value)| format!("{name} {value}")),
    );
    lines.join("\n")
}

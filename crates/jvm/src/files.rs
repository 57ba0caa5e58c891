//! The files that a program sees: in memory, never those of the host. Only what belongs to
//! the JDK can be read besides, and what a user allows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use crate::form::CachedForm;
use crate::pages::share_from;
use crate::world::World;

/// An open file.
#[derive(Clone, Debug)]
struct OpenFile {
    path: String,
    at: usize,
    writes: bool,
    appends: bool,
    /// The names in it, if it is a folder.
    names: Vec<String>,
    /// What is in it, if it is not in memory otherwise.
    content: Option<Arc<Vec<u8>>>,
}

/// What is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    File(usize),
    Folder,
}

/// How a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Mode {
    pub(crate) writes: bool,
    pub(crate) creates: bool,
    pub(crate) truncates: bool,
    pub(crate) appends: bool,
}

/// What there is, and what is open.
#[derive(Clone, Debug)]
struct Content {
    /// None is a folder.
    entries: BTreeMap<String, Option<Arc<Vec<u8>>>>,
    /// What the program has made or deleted: whether something is there, or below it, is certain.
    known: BTreeSet<String>,
    open: BTreeMap<i32, OpenFile>,
    /// How much of standard input was read, if it is one that a user gave.
    input_at: usize,
    /// Whether anything was done since the library's start.
    is_changed: bool,
    form: CachedForm,
}

/// Folders and files, and which of them are open.
#[derive(Debug)]
pub struct Files(Arc<Content>);

impl Clone for Files {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }

    fn clone_from(&mut self, other: &Self) {
        share_from(&mut self.0, &other.0);
    }
}

impl Default for Files {
    fn default() -> Self {
        let folders = ["/", "/tmp"].map(|path| (path.to_owned(), None));
        Self(Arc::new(Content {
            entries: BTreeMap::from(folders),
            known: BTreeSet::new(),
            open: BTreeMap::new(),
            input_at: 0,
            is_changed: false,
            form: CachedForm::default(),
        }))
    }
}

/// A path from the root, without dots.
pub(crate) fn absolute(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// How many random bytes one read gives at most.
const MOST_RANDOM: usize = 1 << 20;

/// Whether this is no path, but stands for a file that was deleted while it was open.
fn is_hidden(path: &str) -> bool {
    !path.starts_with('/')
}

/// Where random numbers are read from: always the same ones.
fn is_random(path: &str) -> bool {
    matches!(path, "/dev/random" | "/dev/urandom")
}

fn scatter(number: u64) -> u64 {
    let mixed = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 32
}

/// Adds bytes to words, after their number.
fn push(words: &mut Vec<u32>, bytes: &[u8]) {
    words.push(bytes.len() as u32);
    for four in bytes.chunks(4) {
        let byte = |at: usize| u32::from(four.get(at).copied().unwrap_or(0));
        words.push(byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24);
    }
}

fn parent(path: &str) -> &str {
    match path.rfind('/') {
        Some(0) | None => "/",
        Some(end) => &path[..end],
    }
}

impl Files {
    /// All that is there, to be changed: its form is that of others no longer.
    fn change(&mut self) -> &mut Content {
        let content = Arc::make_mut(&mut self.0);
        content.form.forget();
        content.is_changed = true;
        content
    }

    /// From now on it is noted whether anything is done.
    pub(crate) fn begin(&mut self) {
        self.change().is_changed = false;
    }

    /// Whether anything was done since the library's start.
    pub fn is_changed(&self) -> bool {
        self.0.is_changed
    }

    /// The form of all of it.
    pub fn form(&self) -> &CachedForm {
        &self.0.form
    }

    /// All there is to know, in words.
    pub fn words(&self, words: &mut Vec<u32>) {
        let Content {
            entries,
            known,
            open,
            input_at,
            is_changed: _,
            form: _,
        } = &*self.0;
        words.extend([*input_at as u32, entries.len() as u32]);
        for (path, content) in entries {
            push(words, path.as_bytes());
            words.push(u32::from(content.is_some()));
            if let Some(content) = content {
                push(words, content);
            }
        }
        words.push(known.len() as u32);
        known.iter().for_each(|path| push(words, path.as_bytes()));
        for (descriptor, file) in open {
            let OpenFile {
                path,
                at,
                writes,
                appends,
                names,
                // What is not in memory does not change.
                content: _,
            } = file;
            words.extend([descriptor.cast_unsigned(), *at as u32, (at >> 32) as u32]);
            words.extend([u32::from(*appends), u32::from(*writes), names.len() as u32]);
            push(words, path.as_bytes());
            names.iter().for_each(|name| push(words, name.as_bytes()));
        }
    }

    pub(crate) fn find(&self, world: &World, path: &str) -> Option<Found> {
        let path = absolute(path);
        if is_random(&path) {
            return Some(Found::File(0));
        }
        match self.0.entries.get(&path) {
            Some(Some(content)) => Some(Found::File(content.len())),
            Some(None) => Some(Found::Folder),
            None => world
                .outside
                .find(&path)
                .map(|length| length.map_or(Found::Folder, Found::File)),
        }
    }

    /// Reads on in what standard input has.
    pub(crate) fn read_input(&mut self, input: &[u8], limit: usize) -> Vec<u8> {
        let rest = self.input_left(input);
        let bytes = rest[..limit.min(rest.len())].to_vec();
        self.change().input_at += bytes.len();
        bytes
    }

    /// What was not read of standard input.
    pub(crate) fn input_left<'i>(&self, input: &'i [u8]) -> &'i [u8] {
        input.get(self.0.input_at..).unwrap_or_default()
    }

    /// The content of an open file.
    fn content<'f>(&'f self, file: &'f OpenFile) -> Option<&'f Arc<Vec<u8>>> {
        match &file.content {
            Some(content) => Some(content),
            None => self.0.entries.get(&file.path)?.as_ref(),
        }
    }

    /// Opens a file; the number is its descriptor. Errors are those of the system.
    pub(crate) fn open(
        &mut self,
        world: &World,
        path: &str,
        mode: Mode,
    ) -> Result<i32, &'static str> {
        let path = absolute(path);
        match self.find(world, &path) {
            Some(Found::Folder) => return Err("Is a directory"),
            Some(Found::File(_)) => {
                if mode.writes && !self.0.entries.contains_key(&path) {
                    return Err("Permission denied");
                }
                if mode.truncates {
                    self.set(&path, Vec::new());
                }
            }
            None if mode.creates && self.0.entries.get(parent(&path)) == Some(&None) => {
                self.set(&path, Vec::new())
            }
            None => return Err("No such file or directory"),
        }
        let descriptor = (3..)
            .find(|descriptor| !self.0.open.contains_key(descriptor))
            .unwrap_or(3);
        let content = match self.0.entries.contains_key(&path) || is_random(&path) {
            true => None,
            false => {
                let content = world.outside.read(&path);
                Some(Arc::new(content.ok_or("Permission denied")?))
            }
        };
        self.change().open.insert(
            descriptor,
            OpenFile {
                path,
                at: 0,
                writes: mode.writes,
                appends: mode.appends,
                names: Vec::new(),
                content,
            },
        );
        Ok(descriptor)
    }

    fn set(&mut self, path: &str, content: Vec<u8>) {
        let all = self.change();
        let content = Some(Arc::new(content));
        if all.entries.insert(path.to_owned(), content).is_none() {
            all.known.insert(path.to_owned());
        }
    }

    /// Whether that there is nothing at a path follows from what the program has done.
    pub(crate) fn is_certain(&self, path: &str) -> bool {
        let path = absolute(path);
        let mut above = Path::new(&path).ancestors().filter_map(Path::to_str);
        above.any(|path| self.0.known.contains(path))
    }

    pub(crate) fn close(&mut self, descriptor: i32) {
        let all = self.change();
        let closed = all.open.remove(&descriptor);
        let Some(OpenFile { path, .. }) = closed.filter(|file| is_hidden(&file.path)) else {
            return;
        };
        if all.open.values().all(|file| file.path != path) {
            all.entries.remove(&path);
        }
    }

    /// Whether random numbers are read from an open file.
    pub(crate) fn is_open_random(&self, descriptor: i32) -> bool {
        let file = self.0.open.get(&descriptor);
        file.is_some_and(|file| is_random(&file.path))
    }

    /// Up to `limit` bytes from the current position.
    pub(crate) fn read(&mut self, descriptor: i32, limit: usize) -> Option<Vec<u8>> {
        let file = self.0.open.get(&descriptor)?;
        if is_random(&file.path) {
            let (at, limit) = (file.at, limit.min(MOST_RANDOM));
            self.seek(descriptor, at + limit)?;
            return Some(
                (at..at + limit)
                    .map(|at| scatter(at as u64) as u8)
                    .collect(),
            );
        }
        let content = self.content(file)?;
        let end = file.at.saturating_add(limit).min(content.len());
        let bytes = content.get(file.at..end).unwrap_or_default().to_vec();
        self.seek(descriptor, end.max(file.at))?;
        Some(bytes)
    }

    /// How many bytes a file grows by if so many are written to it. None where nothing can be.
    pub(crate) fn growth(&self, descriptor: i32, count: usize) -> Option<usize> {
        let file = self.0.open.get(&descriptor).filter(|file| file.writes)?;
        let length = self.length(descriptor)?;
        let at = if file.appends { length } else { file.at };
        Some(at.saturating_add(count).saturating_sub(length))
    }

    /// Writes to an open file. There has to be memory for what it grows by.
    pub(crate) fn write(&mut self, descriptor: i32, bytes: &[u8]) -> Option<()> {
        let all = self.change();
        let file = all.open.get_mut(&descriptor).filter(|file| file.writes)?;
        let content = all.entries.get_mut(&file.path)?.as_mut()?;
        let content = Arc::make_mut(content);
        let at = if file.appends { content.len() } else { file.at };
        if content.len() < at + bytes.len() {
            content.resize(at + bytes.len(), 0);
        }
        content[at..at + bytes.len()].copy_from_slice(bytes);
        file.at = at + bytes.len();
        Some(())
    }

    pub(crate) fn position(&self, descriptor: i32) -> Option<usize> {
        self.0.open.get(&descriptor).map(|file| file.at)
    }

    pub(crate) fn seek(&mut self, descriptor: i32, at: usize) -> Option<()> {
        self.change().open.get_mut(&descriptor)?.at = at;
        Some(())
    }

    pub(crate) fn length(&self, descriptor: i32) -> Option<usize> {
        let file = self.0.open.get(&descriptor)?;
        self.content(file).map(|content| content.len())
    }

    pub(crate) fn set_length(&mut self, descriptor: i32, length: usize) -> Option<()> {
        let all = self.change();
        let file = all.open.get_mut(&descriptor).filter(|file| file.writes)?;
        let content = all.entries.get_mut(&file.path)?.as_mut()?;
        Arc::make_mut(content).resize(length, 0);
        file.at = file.at.min(length);
        Some(())
    }

    /// Opens a folder, to have its names one by one.
    pub(crate) fn open_folder(&mut self, world: &World, path: &str) -> Option<i32> {
        let names = self.list(world, path)?;
        let descriptor = (3..)
            .find(|descriptor| !self.0.open.contains_key(descriptor))
            .unwrap_or(3);
        let file = OpenFile {
            path: absolute(path),
            at: 0,
            writes: false,
            appends: false,
            names,
            content: None,
        };
        self.change().open.insert(descriptor, file);
        Some(descriptor)
    }

    /// The next name in an open folder.
    pub(crate) fn next_name(&mut self, descriptor: i32) -> Option<String> {
        let file = self.change().open.get_mut(&descriptor)?;
        let name = file.names.get(file.at).cloned();
        file.at += 1;
        name
    }

    /// The path of an open file, and what is there.
    pub(crate) fn opened(&self, world: &World, descriptor: i32) -> Option<(&str, Found)> {
        let path = self.0.open.get(&descriptor)?.path.as_str();
        let found = self.length(descriptor).map(Found::File);
        Some((path, found.or_else(|| self.find(world, path))?))
    }

    /// The names in a folder.
    pub(crate) fn list(&self, world: &World, path: &str) -> Option<Vec<String>> {
        let path = absolute(path);
        let own = self.names(&path);
        let theirs = match self.0.entries.contains_key(&path) && own.is_none() {
            true => None,
            false => world.outside.list(&path),
        };
        if own.is_none() && theirs.is_none() {
            return None;
        }
        let all: BTreeSet<String> = own.into_iter().chain(theirs).flatten().collect();
        Some(all.into_iter().collect())
    }

    /// The names in a folder that is in memory.
    fn names(&self, path: &str) -> Option<Vec<String>> {
        if self.0.entries.get(path) != Some(&None) {
            return None;
        }
        let inside =
            self.0.entries.keys().filter(|entry| {
                !is_hidden(entry) && entry.as_str() != "/" && parent(entry) == path
            });
        Some(
            inside
                .filter_map(|entry| entry.rsplit('/').next().map(str::to_owned))
                .collect(),
        )
    }

    pub(crate) fn create_folder(&mut self, path: &str) -> bool {
        let path = absolute(path);
        let is_possible =
            !self.0.entries.contains_key(&path) && self.0.entries.get(parent(&path)) == Some(&None);
        if is_possible {
            let all = self.change();
            all.known.insert(path.clone());
            all.entries.insert(path, None);
        }
        is_possible
    }

    /// Creates a file if nothing is there. None if its folder does not exist.
    pub(crate) fn create_file(&mut self, path: &str) -> Option<bool> {
        let path = absolute(path);
        if self.0.entries.contains_key(&path) {
            return Some(false);
        }
        if self.0.entries.get(parent(&path)) != Some(&None) {
            return None;
        }
        self.set(&path, Vec::new());
        Some(true)
    }

    pub(crate) fn delete(&mut self, path: &str) -> bool {
        let path = absolute(path);
        if self.names(&path).is_some_and(|inside| !inside.is_empty()) || path == "/" {
            return false;
        }
        self.0.entries.contains_key(&path) && {
            self.take_away(&path);
            true
        }
    }

    /// Takes away what is at a path. Who has it open keeps it, without a name that could be found.
    fn take_away(&mut self, path: &str) {
        let all = self.change();
        all.known.insert(path.to_owned());
        let Some(content) = all.entries.remove(path) else {
            return;
        };
        let hidden = (0..)
            .map(|number| format!("deleted {number}"))
            .find(|hidden| !all.entries.contains_key(hidden))
            .unwrap_or_default();
        let mut is_open = false;
        for file in all.open.values_mut().filter(|file| file.path == path) {
            file.path.clone_from(&hidden);
            is_open = true;
        }
        if is_open {
            all.entries.insert(hidden, content);
        }
    }

    /// Gives something another name. What was there before is taken away, if it is of the same kind
    /// and no folder with something in it.
    pub(crate) fn rename(&mut self, from: &str, to: &str) -> bool {
        let (from, to) = (absolute(from), absolute(to));
        let entries = &self.0.entries;
        let Some(moved) = entries.get(&from) else {
            return false;
        };
        let is_blocked = match entries.get(&to) {
            Some(there) => {
                let is_full = self.names(&to).is_some_and(|inside| !inside.is_empty());
                there.is_some() != moved.is_some() || is_full && from != to
            }
            None => entries.get(parent(&to)) != Some(&None),
        };
        let below = format!("{from}/");
        if is_blocked || to.starts_with(&below) || from == "/" {
            return false;
        }
        if from == to {
            return true;
        }
        self.take_away(&to);
        let all = self.change();
        all.known.insert(from.clone());
        let renamed = |path: &str| match path.strip_prefix(&from) {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => Some(format!("{to}{rest}")),
            _ => None,
        };
        all.entries = std::mem::take(&mut all.entries)
            .into_iter()
            .map(|(path, content)| (renamed(&path).unwrap_or(path), content))
            .collect();
        for file in all.open.values_mut() {
            if let Some(path) = renamed(&file.path) {
                file.path = path;
            }
        }
        true
    }
}

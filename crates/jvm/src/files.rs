//! The files that a program sees: in memory, never those of the host. Only what belongs to
//! the JDK can be read besides, and what a user allows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::pages::share_from;
use crate::world::World;

/// An open file.
#[derive(Clone, Debug)]
struct OpenFile {
    path: String,
    at: usize,
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

/// Folders and files, and which of them are open.
#[derive(Debug)]
pub(crate) struct Files {
    /// None is a folder.
    entries: Arc<BTreeMap<String, Option<Arc<Vec<u8>>>>>,
    open: Arc<BTreeMap<i32, OpenFile>>,
    /// How much of standard input was read, if it is one that a user gave.
    input_at: usize,
}

impl Clone for Files {
    fn clone(&self) -> Self {
        Self {
            entries: Arc::clone(&self.entries),
            open: Arc::clone(&self.open),
            input_at: self.input_at,
        }
    }

    fn clone_from(&mut self, other: &Self) {
        share_from(&mut self.entries, &other.entries);
        share_from(&mut self.open, &other.open);
        self.input_at = other.input_at;
    }
}

impl Default for Files {
    fn default() -> Self {
        let folders = ["/", "/tmp"].map(|path| (path.to_owned(), None));
        Self {
            entries: Arc::new(BTreeMap::from(folders)),
            open: Arc::default(),
            input_at: 0,
        }
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

/// Where random numbers are read from: always the same ones.
fn is_random(path: &str) -> bool {
    matches!(path, "/dev/random" | "/dev/urandom")
}

fn scatter(number: u64) -> u64 {
    let mixed = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 32
}

fn parent(path: &str) -> &str {
    match path.rfind('/') {
        Some(0) | None => "/",
        Some(end) => &path[..end],
    }
}

impl Files {
    pub(crate) fn find(&self, world: &World, path: &str) -> Option<Found> {
        let path = absolute(path);
        if is_random(&path) {
            return Some(Found::File(0));
        }
        match self.entries.get(&path) {
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
        self.input_at += bytes.len();
        bytes
    }

    /// What was not read of standard input.
    pub(crate) fn input_left<'i>(&self, input: &'i [u8]) -> &'i [u8] {
        input.get(self.input_at..).unwrap_or_default()
    }

    /// The content of an open file.
    fn content<'f>(&'f self, file: &'f OpenFile) -> Option<&'f Arc<Vec<u8>>> {
        match &file.content {
            Some(content) => Some(content),
            None => self.entries.get(&file.path)?.as_ref(),
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
                if mode.writes && !self.entries.contains_key(&path) {
                    return Err("Permission denied");
                }
                if mode.truncates {
                    self.set(&path, Vec::new());
                }
            }
            None if mode.creates && self.entries.get(parent(&path)) == Some(&None) => {
                self.set(&path, Vec::new())
            }
            None => return Err("No such file or directory"),
        }
        let descriptor = (3..)
            .find(|descriptor| !self.open.contains_key(descriptor))
            .unwrap_or(3);
        let content = match self.entries.contains_key(&path) || is_random(&path) {
            true => None,
            false => {
                let content = world.outside.read(&path);
                Some(Arc::new(content.ok_or("Permission denied")?))
            }
        };
        Arc::make_mut(&mut self.open).insert(
            descriptor,
            OpenFile {
                path,
                at: 0,
                appends: mode.appends,
                names: Vec::new(),
                content,
            },
        );
        Ok(descriptor)
    }

    fn set(&mut self, path: &str, content: Vec<u8>) {
        Arc::make_mut(&mut self.entries).insert(path.to_owned(), Some(Arc::new(content)));
    }

    pub(crate) fn close(&mut self, descriptor: i32) {
        Arc::make_mut(&mut self.open).remove(&descriptor);
    }

    /// Up to `limit` bytes from the current position.
    pub(crate) fn read(&mut self, descriptor: i32, limit: usize) -> Option<Vec<u8>> {
        let file = self.open.get(&descriptor)?;
        if is_random(&file.path) {
            let at = file.at;
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

    pub(crate) fn write(&mut self, descriptor: i32, bytes: &[u8]) -> Option<()> {
        let file = Arc::make_mut(&mut self.open).get_mut(&descriptor)?;
        let content = Arc::make_mut(&mut self.entries)
            .get_mut(&file.path)?
            .as_mut()?;
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
        self.open.get(&descriptor).map(|file| file.at)
    }

    pub(crate) fn seek(&mut self, descriptor: i32, at: usize) -> Option<()> {
        Arc::make_mut(&mut self.open).get_mut(&descriptor)?.at = at;
        Some(())
    }

    pub(crate) fn length(&self, descriptor: i32) -> Option<usize> {
        let file = self.open.get(&descriptor)?;
        self.content(file).map(|content| content.len())
    }

    pub(crate) fn set_length(&mut self, descriptor: i32, length: usize) -> Option<()> {
        let path = &self.open.get(&descriptor)?.path;
        let content = Arc::make_mut(&mut self.entries).get_mut(path)?.as_mut()?;
        Arc::make_mut(content).resize(length, 0);
        Some(())
    }

    /// Opens a folder, to have its names one by one.
    pub(crate) fn open_folder(&mut self, world: &World, path: &str) -> Option<i32> {
        let names = self.list(world, path)?;
        let descriptor = (3..)
            .find(|descriptor| !self.open.contains_key(descriptor))
            .unwrap_or(3);
        let file = OpenFile {
            path: absolute(path),
            at: 0,
            appends: false,
            names,
            content: None,
        };
        Arc::make_mut(&mut self.open).insert(descriptor, file);
        Some(descriptor)
    }

    /// The next name in an open folder.
    pub(crate) fn next_name(&mut self, descriptor: i32) -> Option<String> {
        let file = Arc::make_mut(&mut self.open).get_mut(&descriptor)?;
        let name = file.names.get(file.at).cloned();
        file.at += 1;
        name
    }

    /// The path of an open file.
    pub(crate) fn path(&self, descriptor: i32) -> Option<&str> {
        self.open.get(&descriptor).map(|file| file.path.as_str())
    }

    /// The names in a folder.
    pub(crate) fn list(&self, world: &World, path: &str) -> Option<Vec<String>> {
        let path = absolute(path);
        let own = self.names(&path);
        let theirs = match self.entries.contains_key(&path) && own.is_none() {
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
        if self.entries.get(path) != Some(&None) {
            return None;
        }
        let inside = self
            .entries
            .keys()
            .filter(|entry| entry.as_str() != "/" && parent(entry) == path);
        Some(
            inside
                .filter_map(|entry| entry.rsplit('/').next().map(str::to_owned))
                .collect(),
        )
    }

    pub(crate) fn create_folder(&mut self, path: &str) -> bool {
        let path = absolute(path);
        let is_possible =
            !self.entries.contains_key(&path) && self.entries.get(parent(&path)) == Some(&None);
        if is_possible {
            Arc::make_mut(&mut self.entries).insert(path, None);
        }
        is_possible
    }

    /// Creates a file if nothing is there. None if its folder does not exist.
    pub(crate) fn create_file(&mut self, path: &str) -> Option<bool> {
        let path = absolute(path);
        if self.entries.contains_key(&path) {
            return Some(false);
        }
        if self.entries.get(parent(&path)) != Some(&None) {
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
        Arc::make_mut(&mut self.entries).remove(&path).is_some()
    }

    pub(crate) fn rename(&mut self, from: &str, to: &str) -> bool {
        let (from, to) = (absolute(from), absolute(to));
        if self.entries.get(parent(&to)) != Some(&None) {
            return false;
        }
        let entries = Arc::make_mut(&mut self.entries);
        let Some(content) = entries.remove(&from) else {
            return false;
        };
        let below = format!("{from}/");
        let moved: Vec<String> = entries
            .keys()
            .filter(|path| path.starts_with(&below))
            .cloned()
            .collect();
        for path in moved {
            if let Some(content) = entries.remove(&path) {
                entries.insert(format!("{to}{}", &path[from.len()..]), content);
            }
        }
        entries.insert(to, content);
        true
    }
}

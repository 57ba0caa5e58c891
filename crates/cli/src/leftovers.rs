//! What is to be removed when the process ends in the middle of something.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Temporary folders. They are of the process, as its end is.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A folder is there for a while.
pub(crate) fn add(folder: &Path) {
    let mut folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    folders.push(folder.to_owned());
}

/// Removes a folder.
pub(crate) fn remove(folder: &Path) {
    let mut folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    folders.retain(|known| known != folder);
    let _ = fs::remove_dir_all(folder);
}

/// Removes all folders that are left, and ends the process.
pub(crate) fn exit(code: u8) -> ! {
    let folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    for folder in &*folders {
        let _ = fs::remove_dir_all(folder);
    }
    // The lock is kept: nobody makes another one.
    std::process::exit(code.into())
}

//! The files that a program sees: in memory, never those of the host.

use std::collections::BTreeMap;
use std::sync::Arc;

/// An open file.
#[derive(Clone, Debug)]
pub(crate) struct OpenFile {
    pub(crate) path: String,
    pub(crate) at: usize,
    pub(crate) append: bool,
}

/// Folders and files, and which of them are open.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files {
    /// None is a folder.
    pub(crate) entries: Arc<BTreeMap<String, Option<Arc<Vec<u8>>>>>,
    pub(crate) open: Arc<BTreeMap<i32, OpenFile>>,
}

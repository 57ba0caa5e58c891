//! Parts of states as a checker compares them: each is looked at once, however many states
//! have it.

use std::sync::{Arc, OnceLock};

use crate::heap::Ref;

/// What a part of a state holds.
#[derive(Clone, Debug)]
pub struct Form {
    /// The same for all parts that hold the same, but for which objects they refer to.
    pub number: u32,
    /// Whether it is an object that counts as a thread's own.
    pub is_local: bool,
    /// The objects that it refers to, but for those that are there from the beginning, each with a
    /// label that says where the reference stands. Labels ascend, and follow from the number.
    pub references: Box<[(u32, Ref)]>,
}

/// The form of a part, once somebody has asked for it. Only those of parts that nobody
/// writes any more are asked for; a copy is made to be written, and has none.
#[derive(Debug, Default)]
pub struct CachedForm(OnceLock<Arc<Form>>);

impl CachedForm {
    /// The form, found now if nobody has asked before.
    #[inline]
    pub fn get_or_find(&self, find: impl FnOnce() -> Form) -> &Arc<Form> {
        self.0.get_or_init(|| Arc::new(find()))
    }

    /// Forgets the form: the part was written.
    #[inline]
    pub(crate) fn forget(&mut self) {
        self.0.take();
    }
}

impl Clone for CachedForm {
    #[inline]
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// It follows from the rest of a part, in which alone parts differ.
impl PartialEq for CachedForm {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for CachedForm {}

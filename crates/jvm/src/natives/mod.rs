//! Native methods of the library, and some others that the machine does better itself.
//!
//! One table per area. An entry names a class and a method; it has a descriptor only where
//! several methods have the same name. Entries for methods that a JDK does not have do no
//! harm, so that one table serves all versions.
//!
//! An entry also says what the method is to other threads, and [whose answer](Source) it gives.
//! There is no default for either: a method that nobody has thought about is not in a table.
//! Where the machine has nothing to answer with, the method is not supported.

mod class;
mod elements;
mod exchange;
mod handles;
mod io;
mod loader;
mod memory;
mod misc;
mod module;
mod net;
mod nio;
mod null_message;
mod numbers;
mod object;
mod reflect;
mod string;
mod system;
mod thread;
mod throwable;
mod walker;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

pub use class::class_display_name;
pub(crate) use class::{finish_mirror, simple_name};
pub use exchange::{Call, Exchange};
pub(crate) use null_message::local_name;
pub(crate) use reflect::unboxed;
pub(crate) use thread::{THREAD_RUNNABLE, announce_end, set_thread_status, status_number};
pub use throwable::{describe_call, is_hidden, line_number, position, source_file};
pub(crate) use throwable::{describe_frame, fill_in_stack_trace};

use crate::heap::Ref;
use crate::interpret::{Env, Trap};
use crate::made_up::Source;
use crate::roles::Role;
use crate::world::ClassId;

/// What a native method gives: a word, or what has to happen instead.
pub(crate) type Answer = Result<u64, Trap>;

/// A native method: its arguments are one word each, the receiver first.
pub(crate) type Native = fn(&mut Env<'_>, &[u64]) -> Answer;

/// Class, method, descriptor if it matters, what it is to others, whose answer it gives, and what
/// it does.
type Entry = (
    &'static str,
    &'static str,
    &'static str,
    Role,
    Source,
    Native,
);

/// A method that was found.
#[derive(Clone, Copy)]
pub(crate) struct Found {
    pub(crate) role: Role,
    pub(crate) source: Source,
    pub(crate) native: Native,
}

const ALL: [(&str, &[Entry]); 19] = [
    ("objects", object::TABLE),
    ("classes", class::TABLE),
    ("class loaders and resources", loader::TABLE),
    ("modules", module::TABLE),
    ("reflection", reflect::TABLE),
    ("elements of arrays", elements::TABLE),
    ("handles", handles::TABLE),
    ("strings", string::TABLE),
    ("system", system::TABLE),
    ("threads", thread::TABLE),
    ("exceptions", throwable::TABLE),
    ("stack walking", walker::TABLE),
    ("memory", memory::ACCESSORS),
    ("memory", memory::TABLE),
    ("numbers", numbers::TABLE),
    ("files", io::TABLE),
    ("paths and channels", nio::TABLE),
    ("sockets", net::TABLE),
    ("other", misc::TABLE),
];

/// Methods of this name that return nothing and take nothing tell a JVM where its own code for a
/// class is.
const REGISTER: [&str; 3] = ["registerNatives", "initIDs", "initNative"];

/// All native methods, to be found by name.
pub(crate) struct Table {
    methods: HashMap<(&'static str, &'static str), Vec<(&'static str, Found)>, FixedState>,
}

impl Table {
    pub(crate) fn new() -> Self {
        let mut methods: HashMap<_, Vec<(&'static str, Found)>, _> =
            HashMap::with_hasher(FixedState::default());
        for &(class, name, descriptor, role, source, native) in
            ALL.iter().flat_map(|(_, table)| *table)
        {
            let found = Found {
                role,
                source,
                native,
            };
            methods
                .entry((class, name))
                .or_default()
                .push((descriptor, found));
        }
        Self { methods }
    }

    /// What a method of the library is replaced with.
    pub(crate) fn find(&self, class: &str, name: &str, descriptor: &str) -> Option<Found> {
        if descriptor == "()V" && REGISTER.contains(&name) {
            return Some(Found {
                role: Role::Pure,
                source: Source::Every,
                native: nothing,
            });
        }
        let found = self.methods.get(&(class, name))?;
        found
            .iter()
            .find(|(wanted, _)| wanted.is_empty() || *wanted == descriptor)
            .map(|&(_, found)| found)
    }
}

/// The table for readers: area, class, method.
pub fn supported() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    ALL.iter()
        .flat_map(|(area, table)| table.iter().map(move |entry| (*area, entry.0, entry.1)))
}

/// Nothing is to be done, or zero is what a JVM answers.
fn nothing(_: &mut Env<'_>, _: &[u64]) -> Answer {
    Ok(0)
}

/// What a JVM answers, too.
fn yes(_: &mut Env<'_>, _: &[u64]) -> Answer {
    Ok(1)
}

/// The argument at `index` as it is. A missing one is zero: calls are checked before.
fn word(args: &[u64], index: usize) -> u64 {
    args.get(index).copied().unwrap_or(0)
}

fn reference(args: &[u64], index: usize) -> Ref {
    Ref::of(word(args, index))
}

fn integer(args: &[u64], index: usize) -> i32 {
    word(args, index) as i32
}

fn long(args: &[u64], index: usize) -> i64 {
    word(args, index).cast_signed()
}

fn raise<T>(class: &'static str, message: impl Into<String>) -> Result<T, Trap> {
    Err(Trap::Raise(class, Some(message.into())))
}

fn null_pointer<T>() -> Result<T, Trap> {
    Err(Trap::Raise("java/lang/NullPointerException", None))
}

impl Env<'_> {
    /// The text of a `String` argument.
    pub(crate) fn text(&self, args: &[u64], index: usize) -> Result<String, Trap> {
        match self.state.text_of(self.world, reference(args, index)) {
            Some(text) => Ok(text),
            None => null_pointer(),
        }
    }

    /// The class that a `Class` argument stands for.
    pub(crate) fn class_argument(&self, args: &[u64], index: usize) -> Result<ClassId, Trap> {
        match self.state.mirrored(self.world, reference(args, index)) {
            Some(class) => Ok(class),
            None => null_pointer(),
        }
    }

    pub(crate) fn new_string(&mut self, text: &str) -> u64 {
        self.state.string(self.world, text).word()
    }

    /// An array of objects of a class.
    pub(crate) fn ref_array(&mut self, element: &str, elements: &[Ref]) -> Result<Ref, Trap> {
        let element = self.world.load(element)?;
        let array = self.state.array(self.world, element, elements.len())?;
        if let Some(object) = self.state.heap.get_mut(array) {
            object.body = crate::heap::Body::Refs(elements.into());
        }
        Ok(array)
    }

    /// Reads an instance field by name.
    pub(crate) fn named_field(&self, object: Ref, name: &str) -> u64 {
        let slot = self
            .state
            .heap
            .get(object)
            .and_then(|found| self.world.slot_of(found.class, name));
        slot.map_or(0, |slot| self.state.heap.field(object, slot))
    }

    /// Writes an instance field by name, if there is one.
    pub(crate) fn set_named_field(&mut self, object: Ref, name: &str, value: u64) {
        let slot = self
            .state
            .heap
            .get(object)
            .and_then(|found| self.world.slot_of(found.class, name));
        if let Some(slot) = slot {
            self.state.heap.set_field(object, slot, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::Jdk;
    use crate::world::World;
    use raddle_testkit::jdk::jdk;

    #[test]
    fn no_method_has_two_entries() {
        let mut seen = std::collections::BTreeSet::new();
        for (class, name, descriptor, ..) in ALL.iter().flat_map(|(_, table)| *table) {
            let is_new = seen.insert((class, name, descriptor));
            assert!(is_new, "{class}.{name}{descriptor} is there twice");
        }
    }

    #[test]
    fn an_entry_without_a_descriptor_means_one_method() {
        let jdk = Jdk::open(jdk()).expect("a JDK");
        let world = World::new(jdk, Vec::new()).expect("a world");
        let mut found = 0;
        for (_, table) in ALL {
            for (class, name, descriptor, ..) in table.iter() {
                let Ok(id) = world.load(class) else { continue };
                let methods = world.class(id).methods.iter();
                let those = methods.filter(|&&method| {
                    let method = world.method(method);
                    world.text(method.name) == *name
                });
                let count = those.count();
                found += count;
                let is_one = count <= 1 || !descriptor.is_empty();
                assert!(is_one, "{count} methods are called {class}.{name}");
            }
        }
        assert!(found > 200, "{found} methods were found");
    }
}

//! What the program asks for that has another answer on another machine, or in another run, and what
//! is made up in its place.
//!
//! There are two kinds. What this machine cannot know is made up: what goes wrong after it is
//! unknown. What some run answers just so, as the order of a hash table, can go wrong like that; but
//! a verdict *holds* does not cover the other answers.

use std::sync::atomic::Ordering;

use raddle_jvm::heap::Ref;
use raddle_jvm::made_up::{self, Plausibility};
use raddle_jvm::roles::Role;
use raddle_jvm::state::State;
use raddle_jvm::thread::Thread;
use raddle_jvm::world::{Class, Origin};

use super::program::Program;

/// Notes what a call asks for.
pub(super) fn note(
    program: &Program,
    state: &mut State,
    thread: &Thread,
    role: Role,
    args: &[u64],
) {
    let object = |index: usize| Ref::of(args.get(index).copied().unwrap_or(0));
    match role {
        Role::Locale(at) => locale(program, state, object(at)),
        Role::Locales => made_up_locale(program, state),
        Role::Domain => domain(program, state, object(0)),
        Role::Order => order(program, state, thread, args),
        Role::Host(what) if is_asked(program, thread) => {
            made_up::note(program, state, what, Plausibility::Possible);
        }
        Role::Processors if is_asked(program, thread) => {
            made_up::leave_out(program, state, made_up::PROCESSORS);
        }
        Role::Property if is_asked(program, thread) => {
            let key = state.text_of(program, object(0)).unwrap_or_default();
            made_up::note_property(program, state, &key);
        }
        Role::Folder => folder(program, state, object(1)),
        _ => {}
    }
}

/// Whether it is the program itself that makes a call.
pub(super) fn is_own_call(program: &Program, thread: &Thread) -> bool {
    let caller = callers(program, thread).next();
    caller.is_some_and(|caller| caller.origin == Origin::Program)
}

/// The same, or a reference to the method is called, or it is by reflection: then the program may have
/// made that.
fn is_asked(program: &Program, thread: &Thread) -> bool {
    let caller = callers(program, thread).next();
    caller.is_some_and(|caller| match caller.origin {
        Origin::Program | Origin::Machine => true,
        // What follows is that a test is skipped, which is told.
        Origin::Engine => false,
        Origin::Library => program.text(caller.name).starts_with("java/lang/reflect/"),
    })
}

/// The classes whose methods are being executed, the innermost first.
fn callers<'a>(program: &'a Program, thread: &'a Thread) -> impl Iterator<Item = &'a Class> {
    let frames = thread.frames.iter().rev();
    frames.map(|frame| program.class(program.method(frame.method).class))
}

/// Whether the program makes a call by way of nothing but these classes of the library.
fn is_for_program(program: &Program, thread: &Thread, is_between: impl Fn(&str) -> bool) -> bool {
    let mut callers = callers(program, thread);
    let caller = callers.find(|class| match class.origin {
        Origin::Program | Origin::Engine => true,
        Origin::Machine => false,
        Origin::Library => !is_between(program.text(class.name)),
    });
    caller.is_some_and(|class| class.origin == Origin::Program)
}

/// Somebody walks through a `Set.of` or `Map.of`. A single element has one order.
fn order(program: &Program, state: &State, thread: &Thread, args: &[u64]) {
    let field = |object: Ref, name: &str| {
        let class = state.heap.get(object)?.class;
        Some(state.heap.field(object, program.slot_of(class, name)?))
    };
    let argument = |index: usize| Ref::of(args.get(index).copied().unwrap_or(0));
    // An iterator is made with its collection; a set of two has both elements, or nothing for one.
    let is_single = match field(argument(1), "size") {
        Some(size) => size < 2,
        None => field(argument(0), "e1") == nothing(program, state),
    };
    let is_library = |name: &str| name.starts_with("java/") && !name.starts_with("java/nio/");
    if !is_single && is_for_program(program, thread, is_library) {
        program.facts.orders.store(true, Ordering::Relaxed);
    }
}

/// What stands in a set of one element where a second one would be.
fn nothing(program: &Program, state: &State) -> Option<u64> {
    let class = program.load("java/util/ImmutableCollections").ok()?;
    let slot = program.static_slot_of(class, "EMPTY")?;
    Some(state.heap.field(state.class(class).mirror, slot))
}

/// Classes of the library that ask elements for their hash codes on behalf of whoever has them.
const HASHING: [&str; 15] = [
    "java/lang/Enum",
    "java/lang/Object",
    "java/util/Abstract",
    "java/util/ArrayList",
    "java/util/Arrays",
    "java/util/Collections",
    "java/util/Hash",
    "java/util/IdentityHashMap",
    "java/util/ImmutableCollections",
    "java/util/Linked",
    "java/util/Map",
    "java/util/Objects",
    "java/util/Set",
    "java/util/concurrent/ConcurrentHashMap",
    "java/util/stream/",
];

/// The program asks for an identity hash code.
pub(super) fn hash(program: &Program, thread: &Thread) {
    let is_hashing = |name: &str| HASHING.iter().any(|it| name.starts_with(it));
    if is_for_program(program, thread, is_hashing) {
        program.facts.hashes.store(true, Ordering::Relaxed);
    }
}

/// Somebody asks for the folder that a file is relative to: all files, if none is said.
fn folder(program: &Program, state: &mut State, file: Ref) {
    let class = state.heap.get(file).map(|file| file.class);
    let slot = class.and_then(|class| program.slot_of(class, "path"));
    let path = slot.and_then(|slot| state.text_of(program, state.heap.ref_field(file, slot)));
    if !path.is_some_and(|path| path.starts_with('/')) {
        made_up::note_property(program, state, "user.dir");
    }
}

/// The data of most locales are not there; those of English are.
fn locale(program: &Program, state: &mut State, locale: Ref) {
    let part = |object: Ref, name: &str| {
        let class = state.heap.get(object).map(|object| object.class);
        let slot = class.and_then(|class| program.slot_of(class, name));
        slot.map_or(Ref::NULL, |slot| state.heap.ref_field(object, slot))
    };
    let base = part(locale, "baseLocale");
    let text = |name| state.text_of(program, part(base, name)).unwrap_or_default();
    let (language, region) = (text("language"), text("region"));
    let is_there = match language.as_str() {
        "" => true,
        "en" => matches!(region.as_str(), "" | "US"),
        _ => false,
    };
    if !is_there {
        made_up_locale(program, state);
    }
}

fn made_up_locale(program: &Program, state: &mut State) {
    let what = "data of locales other than English";
    made_up::note(program, state, what, Plausibility::Impossible);
}

/// Where a class of the program was loaded from is known if the library asks the machine for it, and does not keep
/// it in a field.
fn domain(program: &Program, state: &mut State, mirror: Ref) {
    let class = state
        .mirrored(program, mirror)
        .map(|class| program.class(class));
    let is_kept = || {
        program
            .slot_of(program.known().class, "protectionDomain")
            .is_some()
    };
    if class.is_some_and(|class| class.origin != Origin::Library) && is_kept() {
        let what = "Class.getProtectionDomain()";
        made_up::note(program, state, what, Plausibility::Impossible);
    }
}

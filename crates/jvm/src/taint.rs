//! Which values come from the clock: dynamic taint tracking.
//!
//! What a clock says is another thing on each machine and in each run. As long as nothing is
//! decided by it, all of these runs are alike but for the values themselves: a checker need not tell
//! states apart by them, and a verdict does not depend on them. So each value that comes from
//! the clock is marked, in registers and in objects, and whoever asked for it is told where a marked
//! value decides something: a branch, an index, the argument of a method of the machine.
//!
//! Numbers, texts and dates are turned into each other by branching on them. Where a method of the classes
//! of [`is_computation`] does so, nothing is said: instead all is marked that is written, made
//! or returned until it ends, as if each of these values had been computed from the clock (an *implicit
//! flow*). A reference that is returned is not marked, but for null: what these classes return are
//! values, whose identity means nothing.

use crate::heap::{Body, Object, Ref};
use crate::state::State;
use crate::world::{ClassId, World};

/// The marks of an object: one bit for each of the first fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks(u64);

impl Marks {
    /// All of it, its length too: whether it was made at all may depend on the clock.
    const WHOLE: u64 = 1 << 63;
    /// An element, or a field that has no bit of its own.
    const REST: u64 = 1 << 62;

    /// What an object has that is made while all is marked, or not.
    pub(crate) fn new(is_whole: bool) -> Self {
        Self(if is_whole { Self::WHOLE } else { 0 })
    }

    fn bit(body: &Body, index: u32) -> u64 {
        match body {
            Body::Fields(_) if index < 62 => 1 << index,
            _ => Self::REST,
        }
    }

    /// These and others.
    pub(crate) fn with(self, Self(others): Self) -> Self {
        Self(self.0 | others)
    }

    /// Whether nothing is marked.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the object as such is.
    #[inline]
    pub fn is_whole(self) -> bool {
        self.0 & Self::WHOLE != 0
    }

    /// The same as numbers.
    pub fn words(self) -> [u32; 2] {
        [self.0 as u32, (self.0 >> 32) as u32]
    }
}

impl Object {
    /// Whether a field or an element comes from the clock.
    #[inline]
    pub fn is_marked(&self, index: u32) -> bool {
        let Marks(marks) = self.marks;
        marks != 0 && marks & (Marks::WHOLE | Marks::bit(&self.body, index)) != 0
    }

    /// Marks a field or an element, or takes its mark away if it is known to have one of its own.
    pub(crate) fn mark(&mut self, index: u32, is_marked: bool) {
        let bit = Marks::bit(&self.body, index);
        match is_marked {
            true => self.marks.0 |= bit,
            false if bit != Marks::REST => self.marks.0 &= !bit,
            false => {}
        }
    }
}

/// A run of calls of a thread in which marks are dealt with in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    /// The first of the calls.
    depth: usize,
    /// Whether values are computed; else the program is called on the way.
    computes: bool,
    /// The outermost call in which a marked value has decided something: until it ends, all is marked.
    decided: Option<usize>,
}

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallKind {
    Program,
    Library,
    /// The initialisation of a class of the library.
    Initialiser,
}

/// What is marked of a thread.
#[derive(Clone, Debug, Default)]
pub struct ThreadMarks {
    /// Its registers, as far as it was followed.
    registers: Vec<bool>,
    regions: Vec<Region>,
}

impl ThreadMarks {
    /// Whether a register comes from the clock.
    #[inline]
    pub fn register(&self, index: usize) -> bool {
        self.registers.get(index).copied().unwrap_or(false)
    }

    pub(crate) fn set(&mut self, index: usize, is_marked: bool) {
        if index >= self.registers.len() {
            if !is_marked {
                return;
            }
            self.registers.resize(index + 1, false);
        }
        self.registers[index] = is_marked;
    }

    /// The registers from `base` on.
    pub(crate) fn frame(&mut self, base: usize, count: usize) -> &mut [bool] {
        if self.registers.len() < base + count {
            self.registers.resize(base + count, false);
        }
        &mut self.registers[base..base + count]
    }

    /// Forgets the registers from one on.
    pub(crate) fn forget_from(&mut self, index: usize) {
        if let Some(rest) = self.registers.get_mut(index..) {
            rest.fill(false);
        }
    }

    /// Whether values are being computed for which nothing is said.
    pub(crate) fn computes(&self) -> bool {
        self.regions.last().is_some_and(|region| region.computes)
    }

    /// Whether all that is written and made is marked.
    pub(crate) fn marks_all(&self) -> bool {
        self.regions.last().is_some_and(|it| it.decided.is_some())
    }

    /// A marked value has decided something in a call of a computation.
    pub(crate) fn decide(&mut self, depth: usize) {
        if let Some(region) = self.regions.last_mut() {
            let decided = region.decided.map_or(depth, |before| before.min(depth));
            region.decided = Some(decided);
        }
    }

    /// A call begins. What the library does to initialise a class on the way is the same whenever it
    /// does it: a computation of its own.
    pub(crate) fn enter(&mut self, depth: usize, kind: CallKind, computes: impl Fn() -> bool) {
        let changes = match (self.computes(), kind) {
            (true, CallKind::Library) => false,
            (true, _) => true,
            (false, CallKind::Library) => computes(),
            (false, _) => false,
        };
        if changes {
            self.regions.push(Region {
                depth,
                computes: kind != CallKind::Program,
                decided: None,
            });
        }
    }

    /// A call has ended. Whether a marked value has decided something in it, and whether a computation
    /// is still going on.
    pub(crate) fn leave(&mut self, depth: usize) -> (bool, bool) {
        let Some(region) = self.regions.last_mut() else {
            return (false, false);
        };
        let is_decided = region.decided.is_some_and(|decided| decided >= depth);
        if is_decided {
            region.decided = None;
        }
        self.regions.pop_if(|region| region.depth >= depth);
        (is_decided, self.computes())
    }

    /// For canonical forms: how many computations are going on, and which calls of them have decided.
    pub fn word(&self) -> u32 {
        let decided = self.regions.iter().filter_map(|region| region.decided);
        let decided = decided.fold(0, |all, depth| all * 31 + depth as u32 + 1);
        (self.regions.len() as u32) << 24 ^ decided
    }
}

/// Classes that compute values from values: numbers, texts, dates.
pub(crate) fn is_computation(world: &World, class: ClassId) -> bool {
    const PACKAGES: [&str; 5] = [
        "java/math/",
        "java/text/",
        "java/time/",
        "jdk/internal/math/",
        "sun/util/calendar/",
    ];
    const CLASSES: [&str; 27] = [
        "AbstractStringBuilder",
        "Boolean",
        "Byte",
        "Character",
        "Double",
        "Float",
        "Integer",
        "Long",
        "Math",
        "Number",
        "Short",
        "StrictMath",
        "String",
        "StringBuffer",
        "StringBuilder",
        "StringCoding",
        "StringConcatHelper",
        "StringLatin1",
        "StringUTF16",
        "Calendar",
        "Date",
        "Formatter",
        "GregorianCalendar",
        "SimpleTimeZone",
        "TimeZone",
        "concurrent/TimeUnit",
        "UUID",
    ];
    let class = world.class(class);
    if class.origin == crate::world::Origin::Program {
        return false;
    }
    let name = world.text(class.name);
    let simple = name
        .strip_prefix("java/lang/")
        .or_else(|| name.strip_prefix("java/util/"));
    PACKAGES.iter().any(|package| name.starts_with(package))
        || simple.is_some_and(|simple| {
            let outer = simple.split('$').next().unwrap_or(simple);
            CLASSES.contains(&outer)
        })
}

impl State {
    /// Whether something in an object comes from the clock: of a text, its letters.
    pub(crate) fn has_marks(&self, world: &World, object: Ref) -> bool {
        let Some(found) = self.heap.get(object) else {
            return false;
        };
        let known = world.known();
        // Of a class these are its static fields, which are no business of whoever asks for it.
        if !found.marks.is_empty() && found.class != known.class {
            return true;
        }
        found.class == known.string && {
            let value = self.heap.ref_field(object, known.string_value);
            let value = self.heap.get(value);
            value.is_some_and(|value| !value.marks.is_empty())
        }
    }

    /// Marks all of an object.
    pub(crate) fn mark_whole(&mut self, object: Ref) {
        if let Some(found) = self.heap.get(object)
            && !found.marks.is_whole()
            && let Some(found) = self.heap.get_mut(object)
        {
            found.marks.0 |= Marks::WHOLE;
        }
    }

    /// Marks an element or a field.
    pub(crate) fn mark(&mut self, object: Ref, index: u32, is_marked: bool) {
        if let Some(found) = self.heap.get(object)
            && found.is_marked(index) != is_marked
            && let Some(found) = self.heap.get_mut(object)
        {
            found.mark(index, is_marked);
        }
    }
}

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
//! flow*). A reference that is returned is marked if its object was there before, such as `Boolean.TRUE`
//! or an enum's constant: another time gives another one. What is new is marked itself, and its identity
//! means nothing. If nothing has been written to a builder or calendar that may have been written to at
//! another time, it is said after all.

use crate::heap::{Body, Object, Ref};
use crate::state::State;
use crate::world::{ClassId, Method, Origin, World};

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
    /// Whether one has decided something in any of the calls.
    has_decided: bool,
}

/// What was known of a call that has ended.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Left {
    /// A marked value has decided something in it, or before it in calls that go on.
    pub(crate) is_decided: bool,
    /// It was a computation as a whole in which a marked value has decided something.
    pub(crate) is_outermost: bool,
    /// A computation is still going on.
    pub(crate) computes: bool,
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
            region.has_decided = true;
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
                has_decided: false,
            });
        }
    }

    /// A call has ended.
    pub(crate) fn leave(&mut self, depth: usize) -> Left {
        let Some(region) = self.regions.last_mut() else {
            return Left::default();
        };
        let is_decided = region.decided.is_some_and(|decided| decided >= depth);
        if is_decided {
            region.decided = None;
        }
        let ended = self.regions.pop_if(|region| region.depth >= depth);
        Left {
            is_decided,
            is_outermost: ended.is_some_and(|it| it.computes && it.has_decided),
            computes: self.computes(),
        }
    }

    /// For canonical forms: how many computations are going on, and which calls of them have decided.
    pub fn word(&self) -> u32 {
        let decided = self.regions.iter().filter_map(|region| region.decided);
        let decided = decided.fold(0, |all: u32, depth| {
            all.wrapping_mul(31).wrapping_add(depth as u32 + 1)
        });
        let has_decided = self.regions.iter().filter(|region| region.has_decided);
        (self.regions.len() as u32) << 24 ^ (has_decided.count() as u32) << 16 ^ decided
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
    const CLASSES: [&str; 28] = [
        "AbstractStringBuilder",
        "Boolean",
        "Byte",
        "Character",
        "Double",
        "Enum",
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
    if class.origin == Origin::Program {
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

/// Whether objects of a class are written to by computations that they are given to.
fn is_written(world: &World, class: ClassId) -> bool {
    let name = world.class_name(class);
    let simple = name.strip_prefix("java/util/").unwrap_or_default();
    name.starts_with("java/text/")
        || name.starts_with("sun/util/calendar/")
        || matches!(name, "java/lang/StringBuffer" | "java/lang/StringBuilder")
        || matches!(simple, "Date" | "Formatter" | "SimpleTimeZone")
        || simple.ends_with("Calendar")
}

/// Whether a computation may give null, or an object of another class, for other values.
pub(crate) fn gives_others(world: &World, method: &Method) -> bool {
    let class = world.class_name(method.class);
    match world.text(method.name) {
        "parse" | "parseObject" => class.starts_with("java/text/"),
        "parseBest" | "parseUnresolved" => class.starts_with("java/time/format/"),
        "getTransition" | "nextTransition" | "previousTransition" => {
            class.starts_with("java/time/zone/")
        }
        "getName" => class == "java/lang/Character",
        "of" => class.starts_with("java/lang/Character$"),
        "getInteger" | "getLong" => matches!(class, "java/lang/Integer" | "java/lang/Long"),
        "getDisplayName" | "getDisplayNames" => class == "java/util/Calendar",
        _ => false,
    }
}

impl State {
    /// Whether a computation could have written to an object, or through it to others, and has not done so
    /// with anything that is marked.
    pub(crate) fn is_left_alone(&self, world: &World, object: Ref) -> bool {
        let mut seen = Vec::new();
        let mut waiting = vec![object];
        let mut is_any = false;
        while let Some(object) = waiting.pop() {
            let Some(found) = self.heap.get(object) else {
                continue;
            };
            let Body::Fields(fields) = &found.body else {
                if !found.marks.is_empty() {
                    return false;
                }
                continue;
            };
            if seen.contains(&object) || !is_written(world, found.class) {
                continue;
            }
            if !found.marks.is_empty() {
                return false;
            }
            seen.push(object);
            // A formatter has nothing but what it writes to.
            is_any |= world.class_name(found.class) != "java/util/Formatter";
            let refs = world.class(found.class).ref_slots.iter();
            let fields = fields.iter().zip(refs).filter(|&(_, &is_ref)| is_ref);
            waiting.extend(fields.map(|(&word, _)| Ref::of(word)));
        }
        is_any
    }

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

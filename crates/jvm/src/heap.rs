//! Objects.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::descriptor::Kind;
use crate::form::CachedForm;
use crate::pages::{Pages, Shared, is_one, share_from};
use crate::taint::Marks;
use crate::world::ClassId;
use raddle_model::StopFlag;

/// A reference to an object; 0 is null.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Ref(pub u32);

impl Ref {
    /// No object.
    pub const NULL: Self = Self(0);

    /// Whether it is no object.
    pub fn is_null(self) -> bool {
        self.0 == 0
    }

    /// As it stands in registers and fields.
    #[inline]
    pub fn word(self) -> u64 {
        u64::from(self.0)
    }

    /// What a word refers to.
    #[inline]
    pub fn of(word: u64) -> Self {
        Self(word as u32)
    }
}

/// Who holds an object's monitor, and how often.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lock {
    /// The number of the thread plus one; 0 for nobody.
    pub owner: u32,
    /// How often it was entered and not left.
    pub count: u32,
}

/// What an object holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// The fields of an instance, one word each.
    Fields(Box<[u64]>),
    /// `byte` and `boolean`
    Bytes(Box<[i8]>),
    /// The elements of `char[]`.
    Chars(Box<[u16]>),
    /// The elements of `short[]`.
    Shorts(Box<[i16]>),
    /// `int` and `float`
    Ints(Box<[i32]>),
    /// `long` and `double`
    Longs(Box<[i64]>),
    /// The elements of an array of references.
    Refs(Box<[Ref]>),
}

impl Body {
    /// An array of zeros.
    pub(crate) fn array(kind: Kind, length: usize) -> Self {
        match kind {
            Kind::Boolean | Kind::Byte => Self::Bytes(vec![0; length].into()),
            Kind::Char => Self::Chars(vec![0; length].into()),
            Kind::Short => Self::Shorts(vec![0; length].into()),
            Kind::Int | Kind::Float => Self::Ints(vec![0; length].into()),
            Kind::Long | Kind::Double => Self::Longs(vec![0; length].into()),
            Kind::Ref | Kind::Void => Self::Refs(vec![Ref::NULL; length].into()),
        }
    }

    /// The length of an array.
    pub fn length(&self) -> Option<usize> {
        Some(match self {
            Self::Fields(_) => return None,
            Self::Bytes(elements) => elements.len(),
            Self::Chars(elements) => elements.len(),
            Self::Shorts(elements) => elements.len(),
            Self::Ints(elements) => elements.len(),
            Self::Longs(elements) => elements.len(),
            Self::Refs(elements) => elements.len(),
        })
    }

    /// How many bytes an element or field takes, as the program can compute with it.
    pub fn scale(&self) -> u64 {
        match self {
            Self::Fields(_) | Self::Longs(_) => 8,
            Self::Bytes(_) => 1,
            Self::Chars(_) | Self::Shorts(_) => 2,
            Self::Ints(_) | Self::Refs(_) => 4,
        }
    }

    /// Roughly how much memory it takes.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Fields(fields) => 8 * fields.len(),
            other => other.length().unwrap_or(0) * other.scale() as usize,
        }
    }

    /// A copy, if there is memory for it.
    fn try_clone(&self) -> Option<Self> {
        Some(match self {
            Self::Fields(fields) => Self::Fields(try_copy(fields)?),
            Self::Bytes(elements) => Self::Bytes(try_copy(elements)?),
            Self::Chars(elements) => Self::Chars(try_copy(elements)?),
            Self::Shorts(elements) => Self::Shorts(try_copy(elements)?),
            Self::Ints(elements) => Self::Ints(try_copy(elements)?),
            Self::Longs(elements) => Self::Longs(try_copy(elements)?),
            Self::Refs(elements) => Self::Refs(try_copy(elements)?),
        })
    }

    /// An element or field as a register holds it.
    pub fn read(&self, index: usize) -> Option<u64> {
        match self {
            Self::Fields(fields) => fields.get(index).copied(),
            Self::Bytes(elements) => elements.get(index).map(|&e| int(i32::from(e))),
            Self::Chars(elements) => elements.get(index).map(|&e| u64::from(e)),
            Self::Shorts(elements) => elements.get(index).map(|&e| int(i32::from(e))),
            Self::Ints(elements) => elements.get(index).map(|&e| int(e)),
            Self::Longs(elements) => elements.get(index).map(|&e| e.cast_unsigned()),
            Self::Refs(elements) => elements.get(index).map(|e| e.word()),
        }
    }

    pub(crate) fn write(&mut self, index: usize, value: u64) -> Option<()> {
        match self {
            Self::Fields(fields) => *fields.get_mut(index)? = value,
            Self::Bytes(elements) => *elements.get_mut(index)? = value as i8,
            Self::Chars(elements) => *elements.get_mut(index)? = value as u16,
            Self::Shorts(elements) => *elements.get_mut(index)? = value as i16,
            Self::Ints(elements) => *elements.get_mut(index)? = value as i32,
            Self::Longs(elements) => *elements.get_mut(index)? = value.cast_signed(),
            Self::Refs(elements) => *elements.get_mut(index)? = Ref::of(value),
        }
        Some(())
    }
}

/// A copy, if there is memory for it.
pub fn try_copy<T: Copy>(elements: &[T]) -> Option<Box<[T]>> {
    let mut copy = Vec::new();
    copy.try_reserve_exact(elements.len()).ok()?;
    copy.extend_from_slice(elements);
    Some(copy.into())
}

/// An `int` as a register holds it.
#[inline]
pub(crate) fn int(value: i32) -> u64 {
    u64::from(value.cast_unsigned())
}

/// An object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its class.
    pub class: ClassId,
    /// Its identity hash code, once somebody has asked for it.
    pub hash: u32,
    /// Its monitor.
    pub lock: Lock,
    /// Who can reach it, as far as a checker has noticed.
    pub reach: Reach,
    /// What of it comes from the clock.
    pub marks: Marks,
    /// What it holds.
    pub body: Body,
    /// How it is compared.
    pub form: CachedForm,
}

impl Object {
    /// A copy, if there is memory for it.
    fn try_clone(&self) -> Option<Self> {
        Some(Self {
            class: self.class,
            hash: self.hash,
            lock: self.lock,
            reach: self.reach,
            marks: self.marks,
            body: self.body.try_clone()?,
            form: self.form.clone(),
        })
    }
}

/// Who can reach an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// Only the thread that made it.
    #[default]
    Local,
    /// Any thread.
    Shared,
    /// Any thread, and none will write it.
    Constant,
}

/// Whether there is memory for a copy of so many bytes is tried out. For smaller ones the search is
/// ended in time.
const LARGE: usize = 128 << 10;

/// How many objects lie together.
const LEAF: usize = 8;

/// More leaves than this are shared, rather than that each copy has its own.
const MOST_OWNED: usize = 16;

/// The first objects that were written since.
#[derive(Clone, Debug, Default)]
pub struct Dirty {
    objects: BTreeSet<u32>,
    form: CachedForm,
}

impl Dirty {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.objects.len()
    }
}

/// All objects of a state.
#[derive(Debug)]
pub struct Heap {
    /// The objects of the library's start, which are hardly ever written.
    boot: Arc<Pages<Shared<Object>>>,
    /// Those that came since.
    objects: Pages<Shared<Object>, LEAF>,
    /// Of the objects that were there when all were shared last, those that no longer are.
    written: Vec<u32>,
    /// Objects with this number and larger ones came since then.
    shared_end: u32,
    free: Vec<u32>,
    used: usize,
    /// Objects with smaller numbers were there when the library had started.
    boot_end: u32,
    /// Objects with smaller numbers were there when the program had come to the beginning of a search;
    /// none of them goes away.
    first_end: u32,
    /// Those of both that were written since.
    dirty: Arc<Dirty>,
    /// Whether there was no memory for the copy of an object that was to be written.
    is_starved: bool,
    /// Who knows how much memory the process may still take.
    stop: StopFlag,
    /// Whether what is made now comes from the clock.
    is_marking: bool,
    /// What others can reach since somebody has begun to note that.
    newly_shared: Option<Vec<Ref>>,
}

impl Default for Heap {
    fn default() -> Self {
        Self::new()
    }
}

impl Clone for Heap {
    fn clone(&self) -> Self {
        let mut copy = Self::new();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Self) {
        // All by name, so that none is forgotten.
        let Self {
            boot,
            objects,
            written,
            shared_end,
            free,
            used,
            boot_end,
            first_end,
            dirty,
            is_starved,
            stop,
            is_marking,
            newly_shared,
        } = other;
        share_from(&mut self.boot, boot);
        self.objects.clone_from(objects);
        self.written.clone_from(written);
        self.shared_end = *shared_end;
        self.free.clone_from(free);
        self.used = *used;
        self.boot_end = *boot_end;
        self.first_end = *first_end;
        share_from(&mut self.dirty, dirty);
        self.is_starved = *is_starved;
        self.stop.clone_from(stop);
        self.is_marking = *is_marking;
        self.newly_shared.clone_from(newly_shared);
    }
}

impl Heap {
    pub(crate) fn new() -> Self {
        let mut objects = Pages::new();
        objects.push(Shared::Absent);
        Self {
            boot: Arc::new(Pages::new()),
            objects,
            written: Vec::new(),
            shared_end: 0,
            free: Vec::new(),
            used: 0,
            boot_end: 0,
            first_end: 0,
            dirty: Arc::default(),
            is_starved: false,
            stop: StopFlag::default(),
            is_marking: false,
            newly_shared: None,
        }
    }

    /// Has large objects copied only as long as a flag says that there is room.
    pub(crate) fn ask_for_room(&mut self, stop: StopFlag) {
        self.stop = stop;
    }

    /// Takes so many bytes of those that the process may still take; false if there are less.
    pub fn take_room(&self, bytes: u64) -> bool {
        self.stop.take_room(bytes)
    }

    /// Gives it back.
    pub fn return_room(&self, bytes: u64) {
        self.stop.return_room(bytes);
    }

    /// Whether what is made and written now comes from the clock.
    #[inline]
    pub(crate) fn is_marking(&self) -> bool {
        self.is_marking
    }

    pub(crate) fn set_marking(&mut self, is_marking: bool) {
        self.is_marking = is_marking;
    }

    /// Whether something was not written because there was no memory for it: then the state is not
    /// what the program has made of it, and the step that led to it counts for nothing.
    pub fn is_starved(&self) -> bool {
        self.is_starved
    }

    /// Notes from now on which objects others get to reach.
    pub fn begin_noting_shared(&mut self) {
        self.newly_shared = Some(Vec::new());
    }

    /// The objects that others could reach since it was begun to note them, which ends here.
    pub fn end_noting_shared(&mut self) -> Vec<Ref> {
        self.newly_shared.take().unwrap_or_default()
    }

    /// The objects that others could reach since it was begun to note them, or since this was asked.
    pub fn take_shared(&mut self) -> Vec<Ref> {
        self.newly_shared
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Others can reach an object from now on.
    pub(crate) fn note_shared(&mut self, object: Ref) {
        if let Some(all) = &mut self.newly_shared {
            all.push(object);
        }
    }

    /// Roughly how many bytes the objects take.
    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// One more than the largest number that a reference may have.
    pub fn end(&self) -> u32 {
        self.boot_end + self.objects.len() as u32
    }

    /// A new object with the same fields or elements as another one.
    pub(crate) fn copy(&mut self, object: Ref) -> Option<Ref> {
        let object = self.get(object)?;
        let (class, body, marks) = (object.class, object.body.clone(), object.marks);
        let copy = self.allocate(class, body);
        if !marks.is_empty()
            && let Some(copy) = self.get_mut(copy)
        {
            copy.marks = copy.marks.with(marks);
        }
        Some(copy)
    }

    pub(crate) fn allocate(&mut self, class: ClassId, body: Body) -> Ref {
        self.used += 48 + body.size();
        let object = Shared::new(Object {
            class,
            hash: 0,
            lock: Lock::default(),
            reach: Reach::Local,
            marks: Marks::new(self.is_marking),
            body,
            form: CachedForm::default(),
        });
        if let Some(index) = self.free.pop()
            && let Some(place) = self.place_mut(Ref(index))
        {
            *place = object;
            if index < self.shared_end {
                self.written.push(index);
            }
            return Ref(index);
        }
        Ref(self.boot_end + self.objects.push(object) as u32)
    }

    #[inline]
    fn place_mut(&mut self, object: Ref) -> Option<&mut Shared<Object>> {
        match object.0.checked_sub(self.boot_end) {
            Some(index) => self.objects.get_mut(index as usize),
            None => Arc::make_mut(&mut self.boot).get_mut(object.0 as usize),
        }
    }

    /// The object of a reference; none for null.
    #[inline]
    pub fn get(&self, object: Ref) -> Option<&Object> {
        let place = match object.0.checked_sub(self.boot_end) {
            Some(index) => self.objects.get(index as usize),
            None => self.boot.get(object.0 as usize),
        };
        place?.get()
    }

    /// The same, to be written. None, too, if there is no memory for the copy that this takes
    /// ([`Heap::is_starved`]).
    #[inline]
    pub fn get_mut(&mut self, object: Ref) -> Option<&mut Object> {
        let place = match object.0.checked_sub(self.boot_end) {
            Some(index) => self.objects.get_mut(index as usize)?,
            None => Arc::make_mut(&mut self.boot).get_mut(object.0 as usize)?,
        };
        if let Shared::Frozen(frozen) = place {
            if frozen.body.size() >= LARGE {
                let has_room = self.stop.take_room(frozen.body.size() as u64);
                let Some(copy) = frozen.try_clone().filter(|_| has_room) else {
                    self.is_starved = true;
                    return None;
                };
                *place = Shared::new(copy);
            }
            self.written.push(object.0);
            if object.0 < self.first_end && !self.dirty.objects.contains(&object.0) {
                let dirty = Arc::make_mut(&mut self.dirty);
                dirty.objects.insert(object.0);
                dirty.form.forget();
            }
        }
        place.get_mut()
    }

    /// From now on the present objects are those of the library's start.
    pub(crate) fn end_boot(&mut self) {
        self.freeze(|_| {});
        let new = std::mem::replace(&mut self.objects, Pages::new());
        let boot = Arc::make_mut(&mut self.boot);
        for index in 0..new.len() {
            let object = new.get(index).cloned();
            boot.push(object.unwrap_or_default());
        }
        boot.freeze();
        self.boot_end = self.boot.len() as u32;
        self.first_end = self.boot_end;
        self.dirty = Arc::default();
    }

    /// From now on the present objects, which must be frozen, are the same in all states that are told
    /// apart, but for those that are written.
    pub(crate) fn end_beginning(&mut self) {
        self.first_end = self.end();
        self.free.clear();
    }

    /// How many objects were made since the library's start, those that went away included.
    pub fn made(&self) -> usize {
        self.objects.len()
    }

    /// Where the objects begin that were made since the library's start.
    pub fn boot_end(&self) -> u32 {
        self.boot_end
    }

    /// The objects made since the library's start that may differ from those of another heap.
    pub fn differing(&self, other: &Self) -> Vec<Ref> {
        let mut found = self.objects.differing(&other.objects);
        found.retain(|&at| !is_one(self.objects.get(at), other.objects.get(at)));
        let first = self.boot_end;
        found.iter().map(|&at| Ref(first + at as u32)).collect()
    }

    /// Whether an object was there at the library's start.
    pub fn is_boot(&self, object: Ref) -> bool {
        object.0 < self.boot_end
    }

    /// Whether an object has the same number in all states that are told apart.
    pub fn is_first(&self, object: Ref) -> bool {
        object.0 < self.first_end
    }

    /// The first objects that were written since the library's start or, if they were made later,
    /// since the beginning; in order.
    pub fn dirty(&self) -> impl Iterator<Item = Ref> {
        self.dirty.objects.iter().map(|&index| Ref(index))
    }

    /// Their list, which copies share until it changes.
    pub fn dirty_list(&self) -> &Arc<Dirty> {
        &self.dirty
    }

    /// The form of the list of those objects.
    pub fn dirty_form(&self) -> &CachedForm {
        &self.dirty.form
    }

    /// A field of an object; 0 if there is no such object or field.
    pub fn field(&self, object: Ref, slot: u32) -> u64 {
        self.get(object)
            .and_then(|object| object.body.read(slot as usize))
            .unwrap_or(0)
    }

    /// What a field refers to.
    pub fn ref_field(&self, object: Ref, slot: u32) -> Ref {
        Ref::of(self.field(object, slot))
    }

    /// Writes a field, or an element of an array.
    pub fn set_field(&mut self, object: Ref, slot: u32, value: u64) {
        if let Some(object) = self.get_mut(object) {
            object.body.write(slot as usize, value);
        }
    }

    /// The elements of a `byte[]` or `boolean[]`.
    pub fn bytes(&self, object: Ref) -> Option<&[i8]> {
        match &self.get(object)?.body {
            Body::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The elements of an array of references.
    pub fn refs(&self, object: Ref) -> Option<&[Ref]> {
        match &self.get(object)?.body {
            Body::Refs(refs) => Some(refs),
            _ => None,
        }
    }

    /// Forgets the objects that are not marked.
    pub(crate) fn sweep(&mut self, is_marked: impl Fn(Ref) -> bool) {
        self.free.clear();
        for index in (self.first_end.max(1)..self.end()).rev() {
            if is_marked(Ref(index)) {
                continue;
            }
            if let Some(object) = self.get(Ref(index)) {
                self.used -= (48 + object.body.size()).min(self.used);
                if let Some(place) = self.place_mut(Ref(index)) {
                    *place = Shared::Absent;
                }
            }
            self.free.push(index);
        }
    }

    /// Makes copies cheap until the next write. `changed` is told what was written since the
    /// last time.
    pub(crate) fn freeze(&mut self, mut changed: impl FnMut(Ref)) {
        let new = self.shared_end..self.end();
        let mut written = std::mem::take(&mut self.written);
        for index in written.drain(..).chain(new) {
            if let Some(place) = self.place_mut(Ref(index)) {
                place.freeze(|object| object.form.forget());
            }
            changed(Ref(index));
        }
        self.written = written;
        self.shared_end = self.end();
        if self.boot.owned() > 0 {
            Arc::make_mut(&mut self.boot).freeze();
        }
        if self.objects.owned() > MOST_OWNED {
            self.objects.freeze();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heap(count: u32) -> Heap {
        let mut heap = Heap::new();
        for number in 0..count {
            heap.allocate(ClassId(1), Body::Fields(Box::new([u64::from(number), 0])));
        }
        heap.freeze(|_| {});
        heap
    }

    #[test]
    fn a_copy_does_not_see_later_writes() {
        let mut heap = heap(3000);
        let copy = heap.clone();
        heap.set_field(Ref(2000), 0, 7);
        let array = heap.allocate(ClassId(2), Body::array(Kind::Int, 3));
        assert_eq!(
            (copy.field(Ref(2000), 0), heap.field(Ref(2000), 0)),
            (1999, 7)
        );
        assert!(copy.get(array).is_none());
    }

    #[test]
    fn a_copy_of_a_state_asks_for_room_where_its_original_does() {
        let stop = StopFlag::default();
        stop.set_room(LARGE as u64);
        let mut state = crate::state::State::new();
        state.heap.ask_for_room(stop.clone());
        let array = Body::array(Kind::Byte, LARGE);
        let array = state.heap.allocate(ClassId(2), array);
        state.freeze();
        let mut copies = [state.clone(), state];
        copies[0].heap.set_field(array, 0, 1);
        assert_eq!((copies[0].heap.is_starved(), stop.room()), (false, 0));
        copies[1].heap.set_field(array, 0, 1);
        assert!(copies[1].heap.is_starved());
    }

    #[test]
    fn what_was_written_since_the_start_is_known() {
        let mut heap = heap(100);
        heap.end_boot();
        let before = heap.clone();
        heap.set_field(Ref(50), 1, 1);
        heap.set_field(Ref(50), 1, 2);
        let new = heap.allocate(ClassId(1), Body::Fields(Box::new([0])));
        heap.set_field(new, 0, 1);
        assert_eq!(heap.dirty().collect::<Vec<_>>(), [Ref(50)]);
        assert_eq!(before.dirty().count(), 0);
    }

    #[test]
    fn what_is_there_at_the_beginning_stays_and_is_known_once_it_is_written() {
        let mut heap = heap(10);
        heap.end_boot();
        let early = heap.allocate(ClassId(1), Body::Fields(Box::new([0])));
        let gone = heap.allocate(ClassId(1), Body::Fields(Box::new([0])));
        heap.sweep(|object| object != gone);
        heap.freeze(|_| {});
        heap.end_beginning();
        let late = heap.allocate(ClassId(1), Body::Fields(Box::new([0])));
        assert!(heap.is_first(early) && heap.is_first(gone) && !heap.is_first(late));
        heap.set_field(early, 0, 1);
        heap.set_field(late, 0, 1);
        assert_eq!(heap.dirty().collect::<Vec<_>>(), [early]);
        heap.sweep(|_| false);
        assert!(heap.get(early).is_some() && heap.get(late).is_none());
    }

    #[test]
    fn what_is_swept_is_used_again() {
        let mut heap = heap(10);
        heap.sweep(|object| object != Ref(4));
        assert!(heap.get(Ref(4)).is_none());
        assert_eq!(
            heap.allocate(ClassId(1), Body::array(Kind::Byte, 1)),
            Ref(4)
        );
    }

    /// A copy of 10,000 objects of which one is then written, again and again. What each
    /// costs is printed; that the others stay as they are is checked.
    #[test]
    #[allow(clippy::print_stderr)]
    fn copies_of_copies_keep_what_was_written() {
        let count = 10_000;
        let mut heap = heap(count);
        let begin = std::time::Instant::now();
        let rounds = 10 * count;
        let mut copy = heap.clone();
        for round in 0..rounds {
            copy.clone_from(&heap);
            copy.set_field(Ref(1 + round % count), 1, u64::from(round));
            copy.freeze(|_| {});
            std::mem::swap(&mut heap, &mut copy);
        }
        eprintln!("copy, write, freeze: {:?}", begin.elapsed() / rounds);
        for object in 0..count {
            let last = u64::from(rounds - count + object);
            assert_eq!(heap.field(Ref(1 + object), 1), last);
        }
    }
}

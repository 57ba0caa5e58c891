//! What is known, held against the states of executions: nothing of it may be wrong.
//!
//! A state says which methods are being called, in which objects the threads stand before which access,
//! with which locks, and what the fields of objects refer to. Where an object was made it does not say.
//! So a fact counts as contradicted if it is wrong whichever of the objects of its class an object is.

use foldhash::fast::FixedState;
use hashbrown::HashSet;

use raddle_jvm::heap::{Body, Heap, Ref};
use raddle_jvm::listing::{Instr, Op};
use raddle_jvm::reach::is_shared;
use raddle_jvm::state::Initialisation;
use raddle_jvm::thread::{Status, Thread, ThreadId};
use raddle_jvm::{ClassId, MethodId, State};

use crate::accesses::{Access, Guard, Place};
use crate::facts::Facts;
use crate::locks::Term;
use crate::points_to::{InstanceId, ObjectId, Origin, REMOTE, is_program};
use crate::set::Set;
use crate::sharing;
use crate::threads::{Threads, bit};
use crate::values::Slot;

/// What was looked at before, and was right.
#[derive(Debug, Default)]
pub(crate) struct Approved {
    references: HashSet<(ClassId, Slot, ClassId), FixedState>,
    calls: HashSet<(MethodId, u32, MethodId), FixedState>,
}

/// A thread that stands before an access.
struct Standing<'f> {
    thread: ThreadId,
    candidates: Threads,
    object: Ref,
    index: u32,
    method: MethodId,
    pc: u32,
    matches: Vec<(Place, &'f Access)>,
}

/// A thread, and which of those that are known it may be.
struct Known {
    thread: ThreadId,
    candidates: Threads,
    /// The innermost call, if the code is known.
    top: Option<(MethodId, u32)>,
}

impl Facts<'_> {
    /// A fact that is wrong in a state, in a sentence. Nothing is wrong if there is something unknown.
    pub fn contradiction(&self, state: &State) -> Option<String> {
        if !self.points.unknown.is_empty() {
            return None;
        }
        self.look(state).err()
    }

    fn look(&self, state: &State) -> Result<(), String> {
        let own = self.points.start.threads.len() as u32;
        let mut known = Vec::new();
        for number in 0..state.threads.len() as u32 {
            let id = ThreadId(number);
            let Some(thread) = state.thread(id) else {
                continue;
            };
            let is_ours = id == ThreadId::MAIN || number >= own;
            if is_ours && thread.status != Status::Ended {
                known.push(self.calls(state, thread)?);
            }
        }
        self.meetings(&known)?;
        let mut standing = Vec::new();
        for it in &known {
            standing.extend(self.standing(state, it)?);
        }
        for (number, one) in standing.iter().enumerate() {
            for other in &standing[number + 1..] {
                self.race(one, other)?;
            }
        }
        self.references(state)
    }

    /// The calls of a thread are among those that are known.
    fn calls(&self, state: &State, thread: &Thread) -> Result<Known, String> {
        let world = self.points.world;
        let mut candidates = self.candidates(state, thread);
        let name = |method| world.method_name(method);
        let mut caller: Option<(MethodId, u32)> = None;
        let mut top = None;
        for (number, frame) in thread.frames.iter().enumerate() {
            // The machine has methods of its own, by which it raises exceptions and initialises classes.
            let method = world.method(frame.method);
            let declared = world.find_method(method.class, method.name, method.descriptor);
            let is_initialiser = world.initializer(method.class) == Some(frame.method);
            if declared != Some(frame.method) && !is_initialiser {
                if world.text(method.name) != "<prepare>" {
                    caller = None;
                }
                top = None;
                continue;
            }
            let is_ours = is_program(world, world.method(frame.method).class);
            let is_known = self.instances.contains_key(&frame.method)
                && (number == 0 || caller.is_some() || is_ours);
            if !is_known {
                if is_ours || number > 0 && caller.is_some() && !self.is_left(caller, frame.method)
                {
                    return Err(format!("{} runs", name(frame.method)));
                }
                (caller, top) = (None, None);
                continue;
            }
            let runs = self.instances[&frame.method].iter();
            let runs = runs.fold(0, |all, it| all | self.threads.runs[it.0 as usize]);
            candidates &= runs;
            if candidates == 0 {
                return Err(format!(
                    "thread {} runs {}",
                    thread.id.0,
                    name(frame.method)
                ));
            }
            if let Some((method, pc)) = caller
                && !self.is_called(method, pc, frame.method)
            {
                return Err(format!(
                    "{} is called by {} at {pc}",
                    name(frame.method),
                    name(method)
                ));
            }
            caller = Some((frame.method, frame.pc));
            top = caller;
        }
        Ok(Known {
            thread: thread.id,
            candidates,
            top,
        })
    }

    /// Whether a call leads to where the code is not looked into.
    fn is_left(&self, caller: Option<(MethodId, u32)>, callee: MethodId) -> bool {
        let world = self.points.world;
        let class = world.class_name(world.method(callee).class);
        let Some((method, pc)) = caller else {
            return true;
        };
        let is_initialiser = world.initializer(world.method(callee).class) == Some(callee);
        crate::remote::is_remote(class)
            || world.role(callee) != raddle_jvm::roles::Role::Plain
            || is_initialiser
            || self.instances[&method].iter().any(|it| {
                let calls = &self.points.instances[it.0 as usize].calls;
                calls.contains(&(pc, REMOTE))
            })
    }

    /// Which threads a thread may be, by its class and by what it was given to run.
    fn candidates(&self, state: &State, thread: &Thread) -> Threads {
        if thread.id == ThreadId::MAIN {
            return bit(0);
        }
        let class = state.heap.get(thread.object).map(|it| it.class);
        let roots = self.points.roots.iter().enumerate().skip(1);
        let those = roots
            .filter(|(_, root)| Some(self.points.objects[root.object.0 as usize].class) == class);
        those.fold(0, |all, (number, _)| all | bit(number))
    }

    fn is_called(&self, caller: MethodId, pc: u32, callee: MethodId) -> bool {
        let key = (caller, pc, callee);
        if let Ok(approved) = self.approved.lock()
            && approved.calls.contains(&key)
        {
            return true;
        }
        let is_it = self.instances[&caller].iter().any(|it| {
            let instance = &self.points.instances[it.0 as usize];
            let range = (pc, InstanceId(0))..=(pc, InstanceId(u32::MAX));
            let calls = instance.calls.range(range.clone());
            let mut all = calls.chain(instance.initialises.range(range));
            all.any(|(_, callee_id)| {
                *callee_id == REMOTE || self.points.instances[callee_id.0 as usize].method == callee
            })
        });
        if is_it && let Ok(mut approved) = self.approved.lock() {
            approved.calls.insert(key);
        }
        is_it
    }

    /// Threads that run at the same time are known to do so.
    fn meetings(&self, known: &[Known]) -> Result<(), String> {
        let at = |it: &Known| -> Vec<(InstanceId, u32)> {
            let Some((method, pc)) = it.top else {
                return Vec::new();
            };
            self.instances[&method].iter().map(|&id| (id, pc)).collect()
        };
        for (number, one) in known.iter().enumerate() {
            for other in &known[number + 1..] {
                let (mine, theirs) = (at(one), at(other));
                if mine.is_empty() || theirs.is_empty() {
                    continue;
                }
                let facts = &self.threads;
                let may = facts.numbers(one.candidates).any(|first| {
                    facts.numbers(other.candidates).any(|second| {
                        mine.iter().any(|&here| {
                            theirs
                                .iter()
                                .any(|&there| facts.may_meet((first, here), (second, there)))
                        })
                    })
                });
                if !may {
                    return Err(format!(
                        "threads {} and {} run at the same time",
                        one.thread.0, other.thread.0
                    ));
                }
            }
        }
        Ok(())
    }

    /// The access before which a thread stands, if it does.
    fn standing(&self, state: &State, known: &Known) -> Result<Option<Standing<'_>>, String> {
        let world = self.points.world;
        let (Some((method, pc)), Some(thread)) = (known.top, state.thread(known.thread)) else {
            return Ok(None);
        };
        let listing = world.listing(method);
        let (Some(listing), Status::Runnable) = (listing, thread.status) else {
            return Ok(None);
        };
        let Some(instr) = listing.instr(pc) else {
            return Ok(None);
        };
        let frame = thread.frames.len() - 1;
        let register = |number: u16| thread.register(frame, u32::from(number));
        let Some((object, index)) = self.accessed(state, instr, &listing, register) else {
            return Ok(None);
        };
        let Some(found) = state.heap.get(object) else {
            return Ok(None);
        };
        let is_static = matches!(instr.op, Op::GetStatic | Op::PutStatic);
        let fits = |place: Place| match place {
            Place::Field(it, slot) => !is_static && slot == index && self.may_be(it, found.class),
            Place::Elements(it) => !is_static && self.may_be(it, found.class),
            Place::Static(class, slot) => {
                is_static && slot == index && state.class(class).mirror == object
            }
        };
        let mut matches = self.accesses_at((method, pc), fits);
        matches.retain(|(_, it)| it.threads & known.candidates != 0);
        let what = || {
            format!(
                "access to slot {index} in {} at {pc}",
                world.method_name(method)
            )
        };
        if matches.is_empty() {
            return Err(format!("there is an {}", what()));
        }
        let is_guarded = |access: &Access| {
            let mut guards = access.guards.iter();
            access.is_initial || guards.all(|guard| self.is_held(state, thread.id, object, guard))
        };
        matches.retain(|(_, it)| is_guarded(it));
        if matches.is_empty() {
            return Err(format!("a lock is not held at the {}", what()));
        }
        let is_open = |(place, access): &(Place, &Access)| match place {
            Place::Static(..) => true,
            Place::Field(it, _) | Place::Elements(it) => {
                !(access.is_initial || self.threads.confined.contains(it))
            }
        };
        if !is_static && is_shared(world, &state.heap, object) {
            matches.retain(is_open);
            if matches.is_empty() {
                return Err(format!("others can reach the object of the {}", what()));
            }
        }
        Ok(Some(Standing {
            thread: known.thread,
            candidates: known.candidates,
            object,
            index,
            method,
            pc,
            matches,
        }))
    }

    /// What an instruction accesses.
    fn accessed(
        &self,
        state: &State,
        instr: Instr,
        listing: &raddle_jvm::listing::Listing<'_>,
        register: impl Fn(u16) -> Option<u64>,
    ) -> Option<(Ref, u32)> {
        let object = |number| register(number).map(Ref::of).filter(|it| !it.is_null());
        match instr.op {
            Op::GetField => Some((object(instr.b)?, listing.field(instr.x, false).ok()?.slot)),
            Op::PutField => Some((object(instr.a)?, listing.field(instr.x, false).ok()?.slot)),
            Op::GetStatic | Op::PutStatic => {
                let site = listing.field(instr.x, true).ok()?;
                let class = state.class(site.class?);
                let is_ready = class.initialisation == Initialisation::Done;
                (is_ready && !class.mirror.is_null()).then_some((class.mirror, site.slot))
            }
            Op::LoadByte
            | Op::LoadChar
            | Op::LoadShort
            | Op::LoadInt
            | Op::LoadLong
            | Op::LoadRef => Some((object(instr.b)?, register(instr.c)? as u32)),
            Op::StoreByte
            | Op::StoreChar
            | Op::StoreShort
            | Op::StoreInt
            | Op::StoreLong
            | Op::StoreRef => Some((object(instr.a)?, register(instr.b)? as u32)),
            _ => None,
        }
    }

    /// Whether an object of the analysis may stand for an object of a class.
    fn may_be(&self, object: ObjectId, class: ClassId) -> bool {
        let found = &self.points.objects[object.0 as usize];
        found.class == class
            || found.is_wild && self.points.world.element_class(class).is_some()
            || found.origin == Origin::Any && self.points.world.is_assignable(class, found.class)
    }

    /// Whether a thread holds a lock, as it is seen from an object.
    fn is_held(&self, state: &State, thread: ThreadId, object: Ref, guard: &Guard) -> bool {
        let lock = match guard {
            Guard::Own(_, path) => path
                .iter()
                .fold(object, |at, &slot| state.heap.ref_field(at, slot)),
            Guard::Global(_, term) => match self.meant(state, term) {
                Some(lock) => lock,
                // It is not known which object it is.
                None => return true,
            },
        };
        is_owner(self, state, thread, lock)
    }

    /// The object that a term means in a state.
    fn meant(&self, state: &State, term: &Term) -> Option<Ref> {
        match term {
            Term::Mirror(class) => Some(state.class(*class).mirror),
            Term::Static(class, slot) => {
                Some(state.heap.ref_field(state.class(*class).mirror, *slot))
            }
            Term::Field(base, slot) => Some(state.heap.ref_field(self.meant(state, base)?, *slot)),
            Term::Single(object) => match self.points.objects[object.0 as usize].origin {
                Origin::First(object) => Some(object),
                Origin::Mirror(class) => Some(state.class(class).mirror),
                _ => None,
            },
            Term::Parameter(_) | Term::Value(_) => None,
        }
    }

    /// Two threads that stand before accesses to one variable are known to meet there.
    fn race(&self, one: &Standing<'_>, other: &Standing<'_>) -> Result<(), String> {
        if (one.object, one.index) != (other.object, other.index) {
            return Ok(());
        }
        let meets = |(place, mine): &(Place, &Access), (there, theirs): &(Place, &Access)| {
            let facts = &self.threads;
            place == there
                && mine.guards.is_disjoint(&theirs.guards)
                && facts.numbers(mine.threads & one.candidates).any(|first| {
                    let second = facts.numbers(theirs.threads & other.candidates);
                    let at = ((mine.instance, mine.pc), (theirs.instance, theirs.pc));
                    second
                        .into_iter()
                        .any(|second| facts.may_meet((first, at.0), (second, at.1)))
                })
        };
        let is_known = one
            .matches
            .iter()
            .any(|mine| other.matches.iter().any(|theirs| meets(mine, theirs)));
        self.is_told(one, other)?;
        match is_known {
            true => Ok(()),
            false => Err(format!(
                "threads {} and {} access slot {} of one object at the same time, in {} at {} and in \
                 {} at {}",
                one.thread.0,
                other.thread.0,
                one.index,
                self.points.world.method_name(one.method),
                one.pc,
                self.points.world.method_name(other.method),
                other.pc
            )),
        }
    }

    /// What goes wrong in a field of the program is told to people.
    fn is_told(&self, one: &Standing<'_>, other: &Standing<'_>) -> Result<(), String> {
        let all = || one.matches.iter().chain(&other.matches);
        let is_ordered = all().all(|it| it.1.is_ordered);
        if is_ordered || !all().any(|it| it.1.is_write) {
            return Ok(());
        }
        let warned = self.warned.get_or_init(|| {
            let fields = self.sharing().fields.into_iter();
            fields
                .filter(|it| it.warning.is_some())
                .map(|it| (it.class, it.name))
                .collect()
        });
        for (place, _) in all() {
            if let Some((class, name)) = sharing::declared(&self.points, *place) {
                let class = self.points.world.class_name(class).replace('/', ".");
                if !warned.contains(&(class.clone(), name.clone())) {
                    return Err(format!("there is no warning of {class}.{name}"));
                }
            }
        }
        Ok(())
    }

    /// The fields of the program's objects refer to what they are known to refer to.
    fn references(&self, state: &State) -> Result<(), String> {
        let world = self.points.world;
        for number in self.points.start.heap.end()..state.heap.end() {
            let Some(found) = state.heap.get(Ref(number)) else {
                continue;
            };
            let Body::Fields(fields) = &found.body else {
                continue;
            };
            if !is_program(world, found.class) {
                continue;
            }
            let refs = &world.class(found.class).ref_slots;
            for (slot, &word) in fields.iter().enumerate() {
                // What is inherited is the business of those who declare it.
                let declaring = world.field_at(found.class, slot as u32).map(|it| it.0);
                let is_ref = refs.get(slot).copied().unwrap_or(false)
                    && declaring.is_none_or(|it| is_program(world, it));
                if let Some(class) = class_of(&state.heap, word).filter(|_| is_ref) {
                    self.refers(found.class, Slot::Field(slot as u32), class)?;
                }
            }
        }
        Ok(())
    }

    fn refers(&self, class: ClassId, slot: Slot, to: ClassId) -> Result<(), String> {
        let key = (class, slot, to);
        if let Ok(approved) = self.approved.lock()
            && approved.references.contains(&key)
        {
            return Ok(());
        }
        let leads = |set: &Set| set.iter().any(|it| self.may_be(ObjectId(it), to));
        let is_it = self
            .points
            .edges()
            .any(|(object, at, set)| at == slot && self.may_be(object, class) && leads(set));
        if !is_it {
            let name = |class| self.points.world.class_name(class);
            return Err(format!(
                "a field of {} ({slot:?}) refers to a {}",
                name(class),
                name(to)
            ));
        }
        if let Ok(mut approved) = self.approved.lock() {
            approved.references.insert(key);
        }
        Ok(())
    }
}

fn class_of(heap: &Heap, word: u64) -> Option<ClassId> {
    let object = Ref::of(word);
    let found = (!object.is_null()).then(|| heap.get(object))??;
    Some(found.class)
}

/// Whether a thread holds a lock: a monitor, or a lock of the library.
fn is_owner(facts: &Facts<'_>, state: &State, thread: ThreadId, lock: Ref) -> bool {
    let world = facts.points.world;
    let Some(found) = state.heap.get(lock) else {
        return false;
    };
    if found.lock.owner == thread.0 + 1 {
        return true;
    }
    let Some(object) = state.thread(thread).map(|it| it.object) else {
        return false;
    };
    let owner = |it: Ref| state.heap.ref_field(it, world.known().ownable_owner);
    let is_ownable = |class: ClassId| {
        world
            .class(class)
            .ancestors
            .contains(&world.known().ownable)
    };
    // A `ReentrantLock` has an object that knows its owner.
    let Body::Fields(fields) = &found.body else {
        return false;
    };
    let refs = fields.iter().zip(&world.class(found.class).ref_slots);
    let mut inner = refs.filter(|it| *it.1).map(|(&word, _)| Ref::of(word));
    inner.any(|inner| {
        let class = state.heap.get(inner).map(|it| it.class);
        class.is_some_and(is_ownable) && owner(inner) == object
    })
}

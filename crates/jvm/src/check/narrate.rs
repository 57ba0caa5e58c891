//! Steps in the words of the source.

use raddle_model::{Event, Halt, Move, Narrate, Object, Operation, Place, Region, System, Thread};

use super::guards::MONITOR;
use super::layout::declaration;
use super::sentry::{Act, Deed, Global};
use super::sockets;
use super::{
    CLAIMS, CLASSES, GLOBALS, INTERRUPTS, Java, JavaState, MONITORS, PERMITS, SLOTS, THREADS,
};
use crate::descriptor::Kind;
use crate::heap::{Body, Ref};
use crate::natives::{line_number, position, source_file};
use crate::state::State;
use crate::thread::Frame;
use crate::world::{ClassId, MethodId, Origin};

impl Java {
    /// The place of a position in a method, if it is one of the program's own.
    pub(super) fn place(&self, method: MethodId, position: u16) -> Option<Place> {
        let class = self.world.class(self.world.method(method).class);
        if class.origin != Origin::Program {
            return None;
        }
        let line = u32::try_from(line_number(&self.world, method, position)).ok()?;
        let name = source_file(&self.world, method)?;
        let is_it = |file: &String| file.rsplit('/').next() == Some(&name);
        let file = self.files.iter().position(is_it)?;
        (line > 0).then_some(Place {
            file: self.first_file + file as u32,
            line,
            column: 1,
        })
    }

    /// Where in the program's own code the innermost call is.
    pub(super) fn place_of(&self, frames: &[Frame]) -> Option<Place> {
        let mut inner = frames.iter().rev();
        inner.find_map(|frame| self.place(frame.method, position(&self.world, frame)))
    }

    /// An object by its class and number, a mirror by its class, a thread by its name.
    fn name_of(&self, state: &State, object: Ref) -> String {
        let Some(found) = state.heap.get(object) else {
            return "null".to_owned();
        };
        if let Some(class) = state.mirrored(&self.world, object) {
            return format!("{}.class", self.class_name(class));
        }
        if let Some(thread) = self.thread_of(state, object) {
            return self.name_of_thread(state, thread);
        }
        let others = (0..object.0)
            .map(Ref)
            .skip_while(|&it| state.heap.is_boot(it));
        let alike =
            others.filter(|&it| state.heap.get(it).is_some_and(|it| it.class == found.class));
        format!("{}#{}", self.class_name(found.class), alike.count() + 1)
    }

    /// A class without its package.
    fn class_name(&self, class: ClassId) -> String {
        let name = crate::natives::class_display_name(&self.world, class);
        let element = name.trim_start_matches('[');
        let depth = name.len() - element.len();
        let element = match element.chars().next().filter(|_| depth > 0) {
            None => element,
            Some('L') => element[1..].trim_end_matches(';'),
            Some('B') => "byte",
            Some('C') => "char",
            Some('D') => "double",
            Some('F') => "float",
            Some('I') => "int",
            Some('J') => "long",
            Some('S') => "short",
            Some(_) => "boolean",
        };
        let name = format!("{element}{}", "[]".repeat(depth));
        let start = name.rfind('.').map_or(0, |dot| dot + 1);
        name[start..].replace('$', ".")
    }

    pub(super) fn name_of_thread(&self, state: &State, thread: Thread) -> String {
        let found = state.thread(self.id(thread));
        let name = self.world.slot_of(self.world.known().thread, "name");
        let text = found.zip(name).and_then(|(found, slot)| {
            let name = state.heap.ref_field(found.object, slot);
            state.text_of(&self.world, name)
        });
        text.unwrap_or_else(|| format!("thread {}", thread.0))
    }

    /// A field by its class, whoever's it is; an element by its array's class.
    pub(super) fn variable(&self, state: &State, object: Ref, index: u32) -> String {
        let heap = &state.heap;
        let found = declaration(&self.world, heap, object, index);
        let runtime = heap.get(object).map(|found| found.class);
        match (found, runtime) {
            (Some((class, field)), runtime) => {
                // What a class of the library has inherited is known by the heir.
                let is_own = self.world.class(class).origin == Origin::Program;
                let class = match runtime {
                    Some(runtime) if !is_own && !field.is_static() => runtime,
                    _ => class,
                };
                format!("{}.{}", self.class_name(class), self.world.text(field.name))
            }
            (None, Some(class)) => format!("an element of {}", self.class_name(class)),
            (None, None) => "null".to_owned(),
        }
    }

    /// A method with its class, without package and descriptor.
    pub(super) fn method_name(&self, method: MethodId) -> String {
        let method = self.world.method(method);
        let name = self.world.text(method.name);
        format!("{}.{name}", self.class_name(method.class))
    }

    fn slot_name(&self, state: &State, object: Ref, index: u32) -> String {
        let heap = &state.heap;
        if let Some(Body::Fields(_)) = heap.get(object).map(|object| &object.body) {
            return match declaration(&self.world, heap, object, index) {
                Some((class, field)) if field.is_static() => {
                    format!("{}.{}", self.class_name(class), self.world.text(field.name))
                }
                Some((_, field)) => {
                    let name = self.world.text(field.name);
                    format!("{}.{name}", self.name_of(state, object))
                }
                None => format!("{}.{index}", self.name_of(state, object)),
            };
        }
        let name = self.name_of(state, object);
        format!("{}[{index}]", name.replacen("[]", "", 1))
    }

    /// A value as the source would spell it.
    fn value(&self, state: &State, object: Ref, index: u32, value: u64) -> String {
        let heap = &state.heap;
        let kind = match heap.get(object).map(|object| &object.body) {
            Some(Body::Fields(_)) => declaration(&self.world, heap, object, index)
                .map_or(Kind::Long, |(_, field)| field.kind),
            Some(Body::Refs(_)) => Kind::Ref,
            Some(Body::Longs(_)) => Kind::Long,
            _ => Kind::Int,
        };
        match kind {
            Kind::Ref => {
                let object = Ref::of(value);
                match state.text_of(&self.world, object) {
                    Some(text) => format!("{text:?}"),
                    None => self.name_of(state, object),
                }
            }
            Kind::Boolean => (value & 1 != 0).to_string(),
            Kind::Char => match char::from_u32(value as u32) {
                Some(letter) => format!("{letter:?}"),
                None => value.to_string(),
            },
            Kind::Float => f32::from_bits(value as u32).to_string(),
            Kind::Double => f64::from_bits(value).to_string(),
            Kind::Long => value.cast_signed().to_string(),
            _ => (value as i32).to_string(),
        }
    }

    fn event(&self, state: &State, deed: &Deed) -> Event {
        let plain = |what: &str, value: Option<String>| (what.to_owned(), None, value);
        let (object, operation, value) = match deed.act {
            Act::Read(object, index) | Act::Write(object, index) | Act::Update(object, index) => {
                let operation = match deed.act {
                    Act::Read(..) => Operation::Read,
                    Act::Write(..) => Operation::Write,
                    _ => Operation::Update,
                };
                let value = deed
                    .value
                    .map(|value| self.value(state, object, index, value));
                (self.slot_name(state, object, index), Some(operation), value)
            }
            Act::Claim(object, slot) if slot < MONITOR => {
                plain("claims", Some(self.slot_name(state, object, slot)))
            }
            Act::Claim(object, _) => plain("claims", Some(self.name_of(state, object))),
            Act::Copy { from, to, .. } => {
                let from = self.name_of(state, from.0);
                let to = self.name_of(state, to.0);
                plain("copies", Some(format!("{from} to {to}")))
            }
            Act::ReadAll(object) => plain("copies", Some(self.name_of(state, object))),
            Act::Acquire(object) => (self.name_of(state, object), Some(Operation::Acquire), None),
            Act::Release(object) => (self.name_of(state, object), Some(Operation::Release), None),
            Act::Wait(object) => (self.name_of(state, object), Some(Operation::Wait), None),
            Act::Resume(object) => (
                self.name_of(state, object),
                Some(Operation::WaitResume),
                None,
            ),
            Act::Notify(object) => (self.name_of(state, object), Some(Operation::Notify), None),
            Act::NotifyAll(object) => (
                self.name_of(state, object),
                Some(Operation::NotifyAll),
                None,
            ),
            Act::Start(object) => (self.name_of(state, object), Some(Operation::Start), None),
            Act::Join(object) => (self.name_of(state, object), Some(Operation::Join), None),
            Act::IsAlive(object) => {
                plain("asks whether it lives:", Some(self.name_of(state, object)))
            }
            Act::Finish => plain("ends", None),
            Act::Permit(object) => plain("permits", Some(self.name_of(state, object))),
            Act::Interrupt(object) => plain("interruption of", Some(self.name_of(state, object))),
            Act::Initialise(class) => plain("initialises", Some(self.class_name(class))),
            Act::Initialised(class) => plain("has initialised", Some(self.class_name(class))),
            Act::Look(class) => plain("uses", Some(self.class_name(class))),
            Act::Global(Global::Clock) => plain("time goes on", None),
            Act::Global(Global::Hash) => plain("asks for a hash code", None),
            Act::Global(Global::End | Global::Exit) => plain("ends the program", None),
            Act::Global(Global::Memory) => plain("looks up a string", None),
            Act::Exchange(ref exchange) => {
                let (what, value) = sockets::tell(&self.world, state, exchange, deed.value);
                plain(what, Some(value))
            }
            Act::Print(ref text) => {
                plain("prints", Some(format!("{:?}", text.trim_end_matches('\n'))))
            }
        };
        Event {
            place: self.place_of(&deed.frames),
            object,
            operation,
            value,
        }
    }
}

impl Narrate for Java {
    fn thread_name(&self, state: &JavaState, thread: Thread) -> String {
        if thread.index() >= self.threads(state) {
            return "a new thread".to_owned();
        }
        self.name_of_thread(&state.machine, thread)
    }

    fn object_name(&self, state: &JavaState, object: Object) -> String {
        let state = &state.machine;
        match object.region {
            THREADS => self.name_of_thread(state, Thread(object.index)),
            MONITORS => self.name_of(state, Ref(object.index)),
            PERMITS => {
                let name = self.name_of_thread(state, Thread(object.index));
                format!("permission of {name}")
            }
            INTERRUPTS => {
                let name = self.name_of_thread(state, Thread(object.index));
                format!("interruption of {name}")
            }
            CLASSES => self.class_name(ClassId(object.index)),
            GLOBALS => "the machine".to_owned(),
            sockets::PORTS | sockets::STREAMS | sockets::ENDS => {
                sockets::name(&state.network, object)
            }
            CLAIMS => format!("claim of {}", self.name_of(state, Ref(object.index))),
            Region(slot) => self.slot_name(state, Ref(object.index), slot.saturating_sub(SLOTS)),
        }
    }

    fn next_place(&self, state: &JavaState, thread: Thread) -> Option<Place> {
        let found = state.machine.thread(self.id(thread))?;
        self.place_of(&found.frames)
    }

    fn narrate(
        &self,
        state: &mut JavaState,
        step: Move,
        events: &mut Vec<Event>,
    ) -> Result<(), Halt> {
        let mut log = Some(Vec::new());
        let result = self.go(state, step.thread, step.choice, &mut log);
        let deeds = log.unwrap_or_default();
        let told = deeds
            .iter()
            .filter(|deed| !matches!(deed.act, Act::Look(_) | Act::Claim(..)));
        events.extend(told.map(|deed| self.event(&state.machine, deed)));
        result
    }

    fn shared_values(&self, state: &JavaState) -> Vec<(String, String)> {
        let state = &state.machine;
        let mut values = Vec::new();
        for &class in state.changed_classes.iter() {
            let described = self.world.class(class);
            if described.origin != Origin::Program {
                continue;
            }
            let mirror = state.class(class).mirror;
            for field in described.fields.iter().filter(|field| field.is_static()) {
                let name = self.world.text(field.name);
                if name.contains('$') {
                    continue;
                }
                let slot = self.world.static_slot(field);
                let value = state.heap.field(mirror, slot);
                let name = format!("{}.{name}", self.class_name(class));
                values.push((name, self.value(state, mirror, slot, value)));
            }
        }
        values
    }
}

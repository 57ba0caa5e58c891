//! Follows values that come from the clock: see [`crate::taint`].

use super::Env;
use crate::code::{Code, Instr, Op, Resolved};
use crate::descriptor::Kind;
use crate::heap::{Heap, Ref};
use crate::hook::At;
use crate::pages::Pages;
use crate::roles::Role;
use crate::state::ClassState;
use crate::taint::{CallKind, gives_others, is_computation};
use crate::thread::{Frame, Then, Thread, ThreadId};
use crate::world::{Method, Origin, World};

/// An instruction that is about to be executed, with the registers of its frame.
pub(super) struct Step<'a> {
    pub(super) code: &'a Code,
    pub(super) instr: Instr,
    pub(super) registers: &'a [u64],
    pub(super) heap: &'a Heap,
    pub(super) classes: &'a Pages<ClassState>,
    pub(super) thread: ThreadId,
    pub(super) world: &'a World,
}

impl Step<'_> {
    /// Marks the result of the instruction, if there is one, and says whether a marked value decides
    /// something by it. If the instruction is not done after all, its result has to be marked as before.
    pub(super) fn follow(&self, marks: &mut [bool]) -> bool {
        let Instr { op, a, b, c, .. } = self.instr;
        let (a, b, c) = (a as usize, b as usize, c as usize);
        // If there is no room for what is made, a local variable is what it was.
        let kept = a < self.code.locals as usize && marks.get(a) == Some(&true);
        match op {
            Op::Int | Op::Wide | Op::Jsr => marks[a] = false,
            Op::Load | Op::New => marks[a] = kept,
            Op::IDiv | Op::IRem | Op::LDiv | Op::LRem => {
                let by = marks[c];
                marks[a] = marks[b] || by;
                return by;
            }
            Op::Move | Op::InstanceOf => marks[a] = marks[b],
            _ if op >= Op::IAddI && op <= Op::IRemI => marks[a] = marks[b],
            _ if op >= Op::INeg && op <= Op::I2Z => marks[a] = marks[b],
            _ if op >= Op::IAdd && op <= Op::DCmpG => marks[a] = marks[b] || marks[c],
            _ if op >= Op::LoadByte && op <= Op::LoadRef => {
                let by = marks[c] || marks[b];
                marks[a] = by || self.has_element(b);
                return by;
            }
            Op::Length => {
                let (by, array) = (marks[b], self.heap.get(Ref::of(self.registers[b])));
                marks[a] = by || array.is_some_and(|array| array.marks.is_whole());
                return by;
            }
            Op::GetField => {
                let by = marks[b];
                marks[a] = by || self.has_field(Ref::of(self.registers[b]));
                return by;
            }
            Op::GetStatic => marks[a] = self.has_static(),
            Op::NewArray | Op::NewRefArray => {
                let by = marks[b];
                marks[a] = kept;
                return by;
            }
            Op::Multi => {
                let by = marks[b..b + c].iter().any(|&it| it);
                marks[a] = kept;
                return by;
            }
            // What is written is marked when it is done.
            _ if op >= Op::StoreByte && op <= Op::StoreRef => {
                return marks[a] || marks[b];
            }
            Op::PutField | Op::Enter | Op::Exit => return marks[a],
            Op::Throw | Op::Switch => return marks[a],
            _ if op >= Op::IfEqI && op <= Op::IfLeI => return marks[a],
            _ if op >= Op::IfEq && op <= Op::IfLeL => return marks[a] || marks[b],
            // The result goes where the registers of the frame begin.
            Op::ReturnValue => marks[0] = marks[a],
            Op::CheckCast | Op::InvokeSpecial | Op::InvokeVirtual | Op::InvokeInterface => {
                return marks[a] && !self.is_value(a);
            }
            _ => {}
        }
        false
    }

    /// Whether a register has an object of a class that computes: other values give another object of
    /// this class, and its methods are computations, which decide as such.
    fn is_value(&self, register: usize) -> bool {
        let object = self.heap.get(Ref::of(self.registers[register]));
        object.is_some_and(|object| is_computation(self.world, object.class))
    }

    fn has_element(&self, array: usize) -> bool {
        let array = self.heap.get(Ref::of(self.registers[array]));
        array.is_some_and(|array| array.is_marked(0))
    }

    fn has_field(&self, object: Ref) -> bool {
        match self.code.sites[self.instr.x as usize].cell.get() {
            Some(&Resolved::Field { slot, .. }) => {
                let object = self.heap.get(object);
                object.is_some_and(|object| object.is_marked(slot))
            }
            _ => false,
        }
    }

    fn has_static(&self) -> bool {
        match self.code.sites[self.instr.x as usize].cell.get() {
            Some(&Resolved::Static { class, slot, .. }) => {
                let mirror = super::classes::quick_statics(self.classes, class, self.thread);
                let mirror = mirror.and_then(|mirror| self.heap.get(mirror));
                mirror.is_some_and(|mirror| mirror.is_marked(slot))
            }
            _ => false,
        }
    }
}

/// Marks what was written, or takes its mark away.
pub(super) fn written(heap: &mut Heap, object: Ref, index: u32, is_marked: bool) {
    if let Some(found) = heap.get(object)
        && found.is_marked(index) != is_marked
        && let Some(found) = heap.get_mut(object)
    {
        found.mark(index, is_marked);
    }
}

fn call_kind(world: &World, frame: &Frame) -> CallKind {
    match world.class(world.method(frame.method).class).origin {
        Origin::Program => CallKind::Program,
        _ if matches!(frame.then, Then::Initialised(_)) => CallKind::Initialiser,
        _ => CallKind::Library,
    }
}

/// The calls in which a thread is when values begin to be followed: nothing is marked yet.
fn enter_all(world: &World, thread: &mut Thread) {
    for (depth, frame) in thread.frames.iter().enumerate() {
        let class = world.method(frame.method).class;
        let kind = call_kind(world, frame);
        thread
            .marks
            .enter(depth, kind, || is_computation(world, class));
    }
}

/// What a call of the machine's own is to the values that it is given.
struct Given {
    /// Whether an argument comes from the clock.
    is_word: bool,
    /// Whether a text among the arguments does.
    is_text: bool,
    /// Whether something in an argument does.
    is_inside: bool,
}

impl Env<'_> {
    /// Whether values from the clock are followed.
    #[inline]
    pub(crate) fn follows(&self) -> bool {
        self.state.follows_clock
    }

    /// The clock is asked for the first time: from now on values are followed. Other threads may be in the
    /// middle of computations; whether they began with them before or after makes no difference.
    fn begin_to_follow(&mut self) {
        self.state.follows_clock = true;
        let world = self.world;
        let computes = |frame: &Frame| is_computation(world, world.method(frame.method).class);
        let others = self.state.threads.iter_mut();
        for other in others.filter(|it| it.get().is_some_and(|it| it.frames.iter().any(computes))) {
            if let Some(other) = other.get_mut() {
                enter_all(world, other);
            }
        }
        enter_all(world, self.thread);
    }

    /// A frame is pushed.
    pub(super) fn follow_frame(&mut self, depth: usize, frame: &Frame) {
        let world = self.world;
        let class = world.method(frame.method).class;
        let kind = call_kind(world, frame);
        if kind == CallKind::Program && self.thread.marks.marks_all() {
            self.clock_decides();
        }
        let is_static = world.method(frame.method).is_static();
        let marks = &mut self.thread.marks;
        let is_chosen = !is_static && marks.register(frame.base as usize);
        marks.enter(depth, kind, || is_computation(world, class));
        if is_chosen && kind != CallKind::Program {
            // Which object it is called of depends on the clock, and so does what it does.
            match marks.computes() {
                true => marks.decide(depth),
                false => self.clock_decides(),
            }
        }
        self.state.heap.set_marking(self.thread.marks.marks_all());
    }

    /// A frame has been left, maybe with a result, or by an exception.
    pub(super) fn follow_return(&mut self, frame: &Frame, value: Option<u64>, is_thrown: bool) {
        let depth = self.thread.frames.len();
        let left = self.thread.marks.leave(depth);
        if left.is_decided && is_thrown {
            // So it is decided how its caller goes on.
            match left.computes {
                true => self.thread.marks.decide(depth.saturating_sub(1)),
                false => self.clock_decides(),
            }
        }
        self.state.heap.set_marking(self.thread.marks.marks_all());
        if let Some(value) = value.filter(|_| left.is_decided) {
            self.follow_computed(frame, value);
        }
        if left.is_outermost && self.is_any_left_alone(frame) {
            self.decide();
        }
    }

    /// The result of a computation in which a marked value has decided something.
    fn follow_computed(&mut self, frame: &Frame, value: u64) {
        let world = self.world;
        let method = world.method(frame.method);
        let is_new = world.shape(method).result == Kind::Ref && {
            let object = self.state.heap.get(Ref::of(value));
            object.is_some_and(|object| object.marks.is_whole())
        };
        if !is_new {
            self.thread.marks.set(frame.base as usize, true);
        }
        if gives_others(world, method) {
            self.decide();
        }
    }

    /// Whether an argument is of a class to which computations write, and nothing of it is marked.
    fn is_any_left_alone(&self, frame: &Frame) -> bool {
        let world = self.world;
        let method = world.method(frame.method);
        let receiver = (!method.is_static()).then_some(Kind::Ref);
        let kinds = world.shape(method).kinds.iter().copied();
        let mut at = frame.base as usize;
        receiver.into_iter().chain(kinds).any(|kind| {
            let object = Ref::of(self.thread.stack.get(at).copied().unwrap_or(0));
            at += usize::from(kind.words());
            kind == Kind::Ref && self.state.is_left_alone(world, object)
        })
    }

    /// A value from the clock decides something that is not said where it is computed.
    pub(crate) fn clock_decides(&mut self) {
        if let Some(hook) = self.hook.as_deref_mut() {
            hook.clock_decides(At::calls(&self.thread.frames));
        }
    }

    /// A value from the clock decides how a method of the machine goes on.
    pub(super) fn decide(&mut self) {
        match self.thread.marks.computes() {
            true => {
                let depth = self.thread.frames.len().saturating_sub(1);
                self.thread.marks.decide(depth);
                self.state.heap.set_marking(true);
            }
            false => self.clock_decides(),
        }
    }

    fn given(&self, method: &Method, base: usize) -> Given {
        let world = self.world;
        let mut given = Given {
            is_word: false,
            is_text: false,
            is_inside: false,
        };
        let receiver = (!method.is_static()).then_some(Kind::Ref);
        let mut at = base;
        for kind in receiver
            .into_iter()
            .chain(world.shape(method).kinds.iter().copied())
        {
            given.is_word |= self.thread.marks.register(at);
            let object = Ref::of(self.thread.stack.get(at).copied().unwrap_or(0));
            if kind == Kind::Ref && self.state.has_marks(world, object) {
                let class = self.state.heap.get(object).map(|object| object.class);
                given.is_text |= class == Some(world.known().string);
                given.is_inside = true;
            }
            at += usize::from(kind.words());
        }
        given
    }

    /// Before a method of the machine: whether what it gives comes from the clock.
    pub(super) fn follow_native(&mut self, method: &Method, args: &[u64], base: usize) -> bool {
        if self.hook.is_none() {
            return false;
        }
        let role = *method
            .role
            .get_or_init(|| crate::roles::role(self.world, method));
        if role == Role::Clock && !self.follows() {
            self.begin_to_follow();
        }
        if !self.follows() {
            return false;
        }
        let given = self.given(method, base);
        let is_any = given.is_word || given.is_inside;
        match role {
            Role::Clock => return true,
            Role::Pure => {
                // What it makes may be too long, or not there.
                if given.is_word && self.world.shape(method).result == Kind::Ref {
                    self.decide();
                }
                return is_any;
            }
            Role::GetElement => {
                if given.is_word {
                    self.decide();
                }
                return is_any;
            }
            Role::Get | Role::Put | Role::Swap => {
                let is_elsewhere = (1..=2).any(|at| self.thread.marks.register(base + at));
                return self.follow_memory(role, args, given, is_elsewhere);
            }
            Role::Copy => self.follow_copy(args, given.is_word),
            Role::SetElement if is_any => {
                if (0..=1).any(|at| self.thread.marks.register(base + at)) {
                    self.decide();
                }
                let array = args.first().map_or(Ref::NULL, |&it| Ref::of(it));
                self.state.mark(array, 0, true);
            }
            // A copy of an object has its marks, and output goes nowhere.
            Role::ReadAll(_) | Role::Output | Role::Print { .. } => {}
            Role::Sleep | Role::Park | Role::Wait if given.is_word => self.clock_decides(),
            Role::Intern | Role::Exchange(_) | Role::Opaque | Role::Outside if is_any => {
                self.decide()
            }
            // It may leave its work to another method, with these arguments.
            Role::Own => {
                if given.is_text {
                    self.decide();
                }
                return given.is_word;
            }
            _ if given.is_word || given.is_text => self.decide(),
            _ => {}
        }
        false
    }

    /// Elements of an array are copied.
    fn follow_copy(&mut self, args: &[u64], is_given: bool) {
        let array = |index: usize| args.get(index).map_or(Ref::NULL, |&it| Ref::of(it));
        let from = self.state.heap.get(array(0));
        let is_marked = from.is_some_and(|it| it.is_marked(0)) || self.thread.marks.marks_all();
        if is_given {
            self.decide();
        }
        if is_marked || is_given {
            self.state.mark(array(2), 0, true);
        }
    }

    /// Memory by object and offset, either of which may come from the clock.
    fn follow_memory(
        &mut self,
        role: Role,
        args: &[u64],
        given: Given,
        is_elsewhere: bool,
    ) -> bool {
        let word = |index: usize| args.get(index).copied().unwrap_or(0);
        let object = Ref::of(word(1));
        let Some(found) = self.state.heap.get(object) else {
            return given.is_word;
        };
        let index = (word(2).saturating_sub(16) / found.body.scale()) as u32;
        let is_marked = found.is_marked(index);
        match role {
            Role::Get => is_marked || given.is_word,
            Role::Put => {
                if is_elsewhere {
                    self.decide();
                }
                let is_marked = given.is_word || self.thread.marks.marks_all();
                self.state.mark(object, index, is_marked);
                false
            }
            _ => {
                let decides = is_marked || given.is_word;
                if decides {
                    self.decide();
                }
                let is_marked = decides || self.thread.marks.marks_all();
                self.state.mark(object, index, is_marked);
                decides
            }
        }
    }

    /// After a method of the machine: marks what it gives.
    pub(super) fn follow_result(&mut self, method: &Method, base: usize, value: u64, it: bool) {
        let kind = self.world.shape(method).result;
        if it && kind == Kind::Ref && value != 0 {
            self.mark_value(Ref::of(value));
        }
        let is_marked = it && (kind != Kind::Ref || value == 0);
        self.thread.marks.set(base, is_marked);
    }

    /// Marks a text as a whole, or another object.
    pub(crate) fn mark_value(&mut self, object: Ref) {
        let known = self.world.known();
        let is_text = self.state.heap.get(object).map(|it| it.class) == Some(known.string);
        if is_text {
            let letters = self.state.heap.ref_field(object, known.string_value);
            self.state.mark_whole(letters);
        }
        self.state.mark_whole(object);
    }

    /// The arguments that one method leaves to another one are marked if any of its own was.
    pub(super) fn follow_arguments(&mut self, method: &Method, base: usize, is_marked: bool) {
        let words = usize::from(self.world.shape(method).words);
        for at in base..base + words {
            self.thread.marks.set(at, is_marked);
        }
    }

    /// Whether any of these registers comes from the clock, or something in what it refers to.
    pub(crate) fn follow_captured(&self, kinds: &[Kind], base: usize) -> Vec<(bool, bool)> {
        let mut at = base;
        let captured = kinds.iter().map(|kind| {
            let is_word = self.thread.marks.register(at);
            let object = Ref::of(self.thread.stack.get(at).copied().unwrap_or(0));
            let is_inside = *kind == Kind::Ref && self.state.has_marks(self.world, object);
            at += usize::from(kind.words());
            (is_word, is_inside)
        });
        captured.collect()
    }
}

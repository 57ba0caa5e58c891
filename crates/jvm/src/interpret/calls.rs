//! Calls and returns, and instructions that are not in the inner loop.

use std::sync::atomic::Ordering;

use smallvec::SmallVec;

use super::{Env, Trap};
use crate::code::{Body, Code, Instr, Op, Resolved, Target, translate};
use crate::descriptor::Kind;
use crate::heap::{Body as ObjectBody, Ref};
use crate::hook::Reply;
use crate::thread::{Frame, Then};
use crate::world::{ClassId, Method, MethodId, Origin, Sort, World, flags};

/// Arguments, one word each.
pub(crate) type Args = SmallVec<[u64; 6]>;

/// How deep calls may be nested. Where the limit is met an error is raised; what runs to
/// raise it may go a little deeper.
const DEEPEST: usize = 12_000;
const RESERVE: usize = 1_000;

impl Env<'_> {
    /// Leaves the current frame. False if it was the last one.
    pub(super) fn leave_frame(&mut self, value: Option<u64>) -> bool {
        let Some(left) = self.thread.frames.pop() else {
            return false;
        };
        if let Some(hook) = self.hook.as_deref_mut() {
            hook.returned(self.thread.frames.len());
        }
        if self.follows() {
            self.follow_return(&left, value, false);
        }
        let mut goes_on = true;
        match left.then {
            Then::Nothing => {}
            Then::Unlock(object) => self.unlock(object),
            Then::Initialised(class) => {
                self.finish_initialisation(class, true);
                goes_on = false;
            }
        }
        if let Some(value) = value
            && goes_on
            && let Some(place) = self.thread.stack.get_mut(left.base as usize)
        {
            *place = value;
        }
        match self.thread.frames.last_mut() {
            Some(caller) => {
                caller.pc += u32::from(goes_on);
                true
            }
            None => false,
        }
    }

    /// Executes a call instruction.
    pub(super) fn invoke(
        &mut self,
        caller: &Method,
        code: &Code,
        instr: Instr,
    ) -> Result<(), Trap> {
        let world = self.world;
        let Some(site) = code.sites.get(instr.x as usize) else {
            return Err(super::wrong_type());
        };
        let base = self.frame_base() + instr.a as usize;
        let target = match site.cell.get() {
            Some(Resolved::Method(target)) => target,
            Some(Resolved::CallSite(call_site)) => return self.invoke_call_site(call_site, base),
            _ => return self.resolve(caller, code, instr),
        };
        if instr.op == Op::InvokeStatic {
            let class = world.method(target.method).class;
            if super::classes::quick_statics(&self.state.classes, class, self.thread.id).is_none() {
                return Err(Trap::Initialise(class));
            }
            if let Some(hook) = self.hook.as_deref_mut() {
                hook.look(class);
            }
            return self.enter(target.method, base);
        }
        let receiver = Ref::of(self.thread.stack.get(base).copied().unwrap_or(0));
        let Some(object) = self.state.heap.get(receiver) else {
            return Err(Trap::Raise("java/lang/NullPointerException", None));
        };
        if instr.op == Op::InvokeSpecial {
            return self.enter(target.method, base);
        }
        let class = object.class;
        let method = select(world, class, target)?;
        self.enter(method, base)
    }

    /// Where the registers of the current frame begin.
    pub(super) fn frame_base(&self) -> usize {
        self.thread
            .frames
            .last()
            .map_or(0, |frame| frame.base as usize)
    }

    /// Calls a method whose arguments stand from `base` on. A native method is then done, and
    /// the caller at its next instruction; other methods have got a frame.
    pub(crate) fn enter(&mut self, method: MethodId, base: usize) -> Result<(), Trap> {
        let mut method = self.world.method(method);
        loop {
            if self.hook.is_some() {
                match self.ask_hook(method, base) {
                    Reply::Go => {}
                    Reply::Stop => return Err(Trap::Watched),
                    Reply::Answer(value) => {
                        self.thread.marks.set(base, false);
                        self.finish_native(base, value);
                        return Ok(());
                    }
                    Reply::Refuse(what) => return Err(Trap::Unsupported(what)),
                }
            }
            match body(self.world, method) {
                Body::Code(code) => {
                    let depth = self.thread.frames.len();
                    if depth == DEEPEST || depth == DEEPEST + RESERVE {
                        self.one_of_many("stacks of more than 12,000 calls");
                        return Err(Trap::Raise("java/lang/StackOverflowError", None));
                    }
                    return self.push_frame(method, code, base, Then::Nothing);
                }
                Body::Native(native, source) => {
                    if self.state.heap.used() > self.state.collect_at {
                        self.make_room(0)?;
                    }
                    self.note_source(*source)?;
                    let args = self.native_arguments(method, base);
                    let given = self.follow_native(method, &args, base);
                    match native(self, &args) {
                        Ok(value) => {
                            self.follow_result(method, base, value, given);
                            self.finish_native(base, value);
                            return Ok(());
                        }
                        Err(Trap::Call(next, args)) => {
                            method = self.world.method(next);
                            self.place_arguments(method, base, &args);
                            self.follow_arguments(method, base, given);
                        }
                        Err(Trap::Yield) => {
                            self.thread.marks.set(base, false);
                            self.finish_native(base, 0);
                            return Err(Trap::Yield);
                        }
                        Err(trap) => return Err(trap),
                    }
                }
                Body::Missing => return Err(Trap::Unsupported(self.world.method_name(method.id))),
                Body::Abstract => {
                    let message = self.world.method_name(method.id);
                    return Err(Trap::Raise("java/lang/AbstractMethodError", Some(message)));
                }
                Body::Broken(message) => {
                    return Err(Trap::Raise("java/lang/VerifyError", Some(message.clone())));
                }
            }
        }
    }

    /// What the hook says to a call.
    fn ask_hook(&mut self, method: &Method, base: usize) -> Reply {
        let role = *method
            .role
            .get_or_init(|| crate::roles::role(self.world, method));
        if role.is_plain() {
            return Reply::Go;
        }
        let args = self.native_arguments(method, base);
        match self.hook.as_deref_mut() {
            Some(hook) => hook.call(self.state, self.thread, role, method, &args),
            None => Reply::Go,
        }
    }

    fn finish_native(&mut self, base: usize, value: u64) {
        if let Some(place) = self.thread.stack.get_mut(base) {
            *place = value;
        }
        if let Some(caller) = self.thread.frames.last_mut() {
            caller.pc += 1;
        }
    }

    /// The arguments of a native method: one word each, the receiver first.
    fn native_arguments(&self, method: &Method, base: usize) -> Args {
        let mut args = Args::new();
        let mut at = base;
        let mut take = |words: u16| {
            args.push(self.thread.stack.get(at).copied().unwrap_or(0));
            at += usize::from(words);
        };
        if !method.is_static() {
            take(1);
        }
        for kind in &self.world.shape(method).kinds {
            take(kind.words());
        }
        args
    }

    /// Puts arguments where a method expects them.
    fn place_arguments(&mut self, method: &Method, base: usize, args: &[u64]) {
        let shape = self.world.shape(method);
        let end = base + usize::from(shape.words) + 1;
        if self.thread.stack.len() < end {
            self.thread.stack.resize(end, 0);
        }
        let receiver = (!method.is_static()).then_some(Kind::Ref);
        let mut at = base;
        for (&arg, kind) in args
            .iter()
            .zip(receiver.into_iter().chain(shape.kinds.iter().copied()))
        {
            self.thread.stack[at] = arg;
            at += usize::from(kind.words());
        }
    }

    /// Calls a method above the current frame, outside the order of its instructions.
    pub(crate) fn push_call(
        &mut self,
        method: MethodId,
        args: &[u64],
        then: Then,
    ) -> Result<(), Trap> {
        let method = self.world.method(method);
        let base = self.free_base();
        self.place_arguments(method, base, args);
        self.thread.marks.forget_from(base);
        match body(self.world, method) {
            Body::Code(code) => self.push_frame(method, code, base, then),
            _ => Err(Trap::Unsupported(format!(
                "a call from the machine of {}",
                self.world.method_name(method.id)
            ))),
        }
    }

    fn free_base(&self) -> usize {
        let Some(frame) = self.thread.frames.last() else {
            return 0;
        };
        let registers = match self.world.method(frame.method).body.get() {
            Some(Body::Code(code)) => code.registers as usize,
            _ => 0,
        };
        frame.base as usize + registers
    }

    fn push_frame(
        &mut self,
        method: &Method,
        code: &Code,
        base: usize,
        then: Then,
    ) -> Result<(), Trap> {
        let mut then = then;
        if method.flags & flags::SYNCHRONIZED != 0 && then == Then::Nothing {
            let object = if method.is_static() {
                self.state.mirror(self.world, method.class)
            } else {
                Ref::of(self.thread.stack.get(base).copied().unwrap_or(0))
            };
            self.lock(object, method.class)?;
            then = Then::Unlock(object);
        }
        let end = base + code.registers as usize;
        if self.thread.stack.len() < end {
            self.thread.stack.resize(end.max(64).next_power_of_two(), 0);
        }
        let frame = Frame {
            method: method.id,
            pc: 0,
            base: base as u32,
            then,
        };
        if self.follows() {
            let words = usize::from(self.world.shape(method).words);
            self.thread.marks.forget_from(base + words);
            self.follow_frame(self.thread.frames.len(), &frame);
        }
        self.thread.frames.push(frame);
        Ok(())
    }

    /// Executes an instruction that the inner loop leaves to us.
    pub(super) fn slow(&mut self, method: &Method, code: &Code, instr: Instr) -> Result<(), Trap> {
        let base = self.frame_base();
        let register = |env: &Self, index: u16| {
            env.thread
                .stack
                .get(base + index as usize)
                .copied()
                .unwrap_or(0)
        };
        let result = match instr.op {
            Op::Enter => {
                let object = Ref::of(register(self, instr.a));
                self.lock(object, method.class)?;
                None
            }
            Op::Exit => {
                let object = Ref::of(register(self, instr.a));
                self.check_owned(object)?;
                self.unlock(object);
                None
            }
            Op::Prepare => {
                self.ensure_initialised(ClassId(instr.x))?;
                None
            }
            Op::Load => match self.load_constant(method, code, instr)? {
                Some(value) => Some(value),
                None => return Ok(()),
            },
            Op::InvokeDynamic => {
                let site = &code.sites[instr.x as usize];
                return match site.cell.get() {
                    Some(Resolved::CallSite(call_site)) => {
                        self.invoke_call_site(call_site, base + instr.a as usize)
                    }
                    _ => self.resolve(method, code, instr),
                };
            }
            Op::New => {
                let Some(&Resolved::Class(class)) = code.sites[instr.x as usize].cell.get() else {
                    return Err(super::wrong_type());
                };
                if self.world.class(class).is_abstract() {
                    let name = self.world.class_name(class).to_owned();
                    return Err(Trap::Raise("java/lang/InstantiationError", Some(name)));
                }
                self.make_room(8 * self.world.class(class).instance_slots as usize)?;
                Some(self.state.instantiate(self.world, class).word())
            }
            Op::NewArray => {
                let length = register(self, instr.b) as i32;
                let kind = match instr.x {
                    4 => Kind::Boolean,
                    5 => Kind::Char,
                    6 => Kind::Float,
                    7 => Kind::Double,
                    8 => Kind::Byte,
                    9 => Kind::Short,
                    10 => Kind::Int,
                    _ => Kind::Long,
                };
                let element = self.world.load(kind.primitive_name().unwrap_or("int"))?;
                Some(self.new_array(element, length)?.word())
            }
            Op::NewRefArray => {
                let Some(&Resolved::Class(element)) = code.sites[instr.x as usize].cell.get()
                else {
                    return self.resolve(method, code, instr);
                };
                Some(
                    self.new_array(element, register(self, instr.b) as i32)?
                        .word(),
                )
            }
            Op::Multi => {
                let Some(&Resolved::Class(class)) = code.sites[instr.x as usize].cell.get() else {
                    return self.resolve(method, code, instr);
                };
                let lengths: Vec<i32> = (0..instr.c)
                    .map(|i| register(self, instr.b + i) as i32)
                    .collect();
                if let Some(&length) = lengths.iter().find(|&&length| length < 0) {
                    return Err(negative_size(length));
                }
                Some(self.new_multi_array(class, &lengths)?.word())
            }
            _ => return Err(Trap::Unsupported(format!("instruction {:?}", instr.op))),
        };
        if let Some(value) = result
            && let Some(place) = self.thread.stack.get_mut(base + instr.a as usize)
        {
            *place = value;
        }
        if let Some(frame) = self.thread.frames.last_mut() {
            frame.pc += 1;
        }
        Ok(())
    }

    /// A new array, if its length is sensible and there is room for it.
    pub(crate) fn new_array(&mut self, element: ClassId, length: i32) -> Result<Ref, Trap> {
        let size = usize::try_from(length).map_err(|_| negative_size(length))?;
        let bytes = match self.world.class(element).sort {
            Sort::Primitive(Kind::Long | Kind::Double) => 8,
            Sort::Primitive(Kind::Byte | Kind::Boolean) => 1,
            Sort::Primitive(Kind::Char | Kind::Short) => 2,
            _ => 4,
        };
        if length >= i32::MAX - 1 {
            let message = "Requested array size exceeds VM limit".to_owned();
            return Err(Trap::Raise("java/lang/OutOfMemoryError", Some(message)));
        }
        self.make_room(bytes * size)?;
        Ok(self.state.array(self.world, element, size)?)
    }

    pub(crate) fn new_multi_array(&mut self, class: ClassId, lengths: &[i32]) -> Result<Ref, Trap> {
        let Sort::Array(element) = self.world.class(class).sort else {
            return Err(super::wrong_type());
        };
        let Some((&length, rest)) = lengths.split_first() else {
            return Ok(Ref::NULL);
        };
        // Collecting garbage half-way would lose what is not yet referred to.
        let total: usize = lengths
            .iter()
            .map(|&length| length.max(1) as usize)
            .fold(8, usize::saturating_mul);
        self.make_room(total)?;
        let size = usize::try_from(length).map_err(|_| negative_size(length))?;
        let array = self.state.array(self.world, element, size)?;
        if !rest.is_empty() {
            for index in 0..size {
                let inner = self.new_inner_array(element, rest)?;
                if let Some(object) = self.state.heap.get_mut(array) {
                    object.body.write(index, inner.word());
                }
            }
        }
        Ok(array)
    }

    fn new_inner_array(&mut self, class: ClassId, lengths: &[i32]) -> Result<Ref, Trap> {
        let Sort::Array(element) = self.world.class(class).sort else {
            return Err(super::wrong_type());
        };
        let Some((&length, rest)) = lengths.split_first() else {
            return Ok(Ref::NULL);
        };
        let size = usize::try_from(length).map_err(|_| negative_size(length))?;
        let array = self.state.array(self.world, element, size)?;
        if !rest.is_empty() {
            let mut inner = Vec::with_capacity(size);
            for _ in 0..size {
                inner.push(self.new_inner_array(element, rest)?);
            }
            if let Some(object) = self.state.heap.get_mut(array) {
                object.body = ObjectBody::Refs(inner.into());
            }
        }
        Ok(array)
    }
}

fn negative_size(length: i32) -> Trap {
    Trap::Raise(
        "java/lang/NegativeArraySizeException",
        Some(length.to_string()),
    )
}

/// The method that a call of `target` on an object of `class` runs.
fn select(world: &World, class: ClassId, target: &Target) -> Result<MethodId, Trap> {
    if let Some(index) = target.vtable_index {
        return world
            .class(class)
            .vtable
            .get(index as usize)
            .copied()
            .ok_or_else(super::wrong_type);
    }
    let cached = target.cache.load(Ordering::Relaxed);
    if cached >> 32 == u64::from(class.0) + 1 {
        return Ok(MethodId(cached as u32));
    }
    let method = world.method(target.method);
    if method.flags & flags::PRIVATE != 0 {
        return Ok(method.id);
    }
    let Some(selected) = world
        .class(class)
        .virtual_method(method.name, method.descriptor)
    else {
        let message = format!(
            "Class {} does not implement the requested interface {}",
            world.class_name(class),
            world.class_name(method.class)
        );
        return Err(Trap::Raise(
            "java/lang/IncompatibleClassChangeError",
            Some(message.replace('/', ".")),
        ));
    };
    target.cache.store(
        (u64::from(class.0) + 1) << 32 | u64::from(selected.0),
        Ordering::Relaxed,
    );
    Ok(selected)
}

/// What runs when a method is called: translated at the first call.
pub(crate) fn body<'w>(world: &'w World, method: &'w Method) -> &'w Body {
    if let Some(body) = method.body.get() {
        return body;
    }
    let class = world.class(method.class);
    let (name, descriptor) = (world.text(method.name), world.text(method.descriptor));
    if class.origin == Origin::Library
        && let Some(found) = world.natives.find(world.text(class.name), name, descriptor)
    {
        return method
            .body
            .get_or_init(|| Body::Native(found.native, found.source));
    }
    method.body.get_or_init(|| {
        if method.flags & flags::NATIVE != 0 {
            return Body::Missing;
        }
        if method.is_abstract() {
            return Body::Abstract;
        }
        let Some(file) = &class.file else {
            return Body::Missing;
        };
        let Some(member) = file.methods.get(method.member as usize) else {
            return Body::Missing;
        };
        let translated = file.code(member).and_then(|attribute| match attribute {
            Some(attribute) => translate(file, &attribute, world.shape(method).words),
            None => Err(crate::classfile::Malformed(
                "Absent Code attribute in method".to_owned(),
            )),
        });
        match translated {
            Ok(code) => Body::Code(code),
            Err(error) => Body::Broken(format!("{} in {}", error.0, world.method_name(method.id))),
        }
    })
}

/// Whether an object of `class` may be an element of an array of class `array`.
#[inline]
pub(super) fn can_store(world: &World, array: ClassId, class: ClassId) -> bool {
    match world.class(array).sort {
        Sort::Array(element) => world.is_assignable(class, element),
        _ => true,
    }
}

pub(super) fn bad_store(world: &World, class: ClassId) -> Trap {
    let name = crate::natives::class_display_name(world, class);
    Trap::Raise("java/lang/ArrayStoreException", Some(name))
}

//! What one instruction does, as far as it is known what it works on.

mod branches;

use raddle_jvm::descriptor::Kind;
use raddle_jvm::listing::{CallTarget, Instr, Listing, LoadedConstant, Op};
use raddle_jvm::{ClassId, MethodId};
use raddle_machine::ir::{BinaryOperator, Cell, Expression, Instruction, UnaryOperator};
use raddle_model::FaultKind;

use crate::obstacle::Untranslatable;
use crate::scene::Lock;
use crate::value::{Target, Value};
use crate::walk::{Context, Key, KnownValues, Line, Out, Position, Storage, Walker, has_member};

/// How deep calls are followed.
const DEEPEST: usize = 60;

/// An instruction that is being executed.
#[derive(Clone)]
pub(crate) struct At<'w> {
    pub(crate) key: Key,
    pub(crate) known: KnownValues,
    pub(crate) position: Position,
    pub(crate) listing: Listing<'w>,
    pub(crate) instr: Instr,
}

impl At<'_> {
    /// What is known of a register.
    pub(crate) fn value(&self, register: u16) -> &Value {
        let frame = self.known.frames.last();
        frame
            .and_then(|frame| frame.get(usize::from(register)))
            .unwrap_or(&Value::Unset)
    }

    pub(crate) fn storage(&self, register: u16) -> Storage {
        Storage::Register(self.position.context, register)
    }

    pub(crate) fn set(&mut self, register: u16, value: Value) {
        let frame = self.known.frames.last_mut();
        if let Some(place) = frame.and_then(|frame| frame.get_mut(usize::from(register))) {
            *place = value;
        }
    }

    /// Goes on at another instruction of the same call.
    pub(crate) fn go(&mut self, pc: u32) {
        self.key.split.clear();
        if let Some(position) = self.key.frames.last_mut() {
            position.pc = pc;
        }
    }

    /// Goes on at the next instruction.
    pub(crate) fn next(mut self, out: &mut Out) {
        self.go(self.position.pc + 1);
        out.exit(self.key, self.known);
    }
}

impl<'s, 'a> Walker<'s, 'a> {
    pub(crate) fn execute(
        &mut self,
        key: &Key,
        known: &KnownValues,
    ) -> Result<Out, Untranslatable> {
        let mut out = Out::default();
        let Some(&position) = key.frames.last() else {
            out.act(Instruction::Return(None));
            return Ok(out);
        };
        let method = self.method(position.context);
        let missing = || Untranslatable::new("a method without code");
        let world = self.scene.world;
        let listing = world.listing(method).ok_or_else(missing)?;
        let instr = listing.instr(position.pc).ok_or_else(missing)?;
        let mut at = At {
            key: key.clone(),
            known: known.clone(),
            position,
            listing,
            instr,
        };
        for &(register, target) in &key.split {
            at.set(register, Value::reference(target));
        }
        self.instruction(at, &mut out)?;
        Ok(out)
    }

    fn instruction(&mut self, mut at: At<'_>, out: &mut Out) -> Result<(), Untranslatable> {
        let i = at.instr;
        match i.op {
            Op::Move => {
                let value = at.value(i.b).clone();
                let expression = self.expression(at.storage(i.b), &value);
                self.define(at, value, expression, out);
            }
            Op::Int => {
                let number = i.x.cast_signed();
                // Null is written like a number.
                let value = match at.listing.is_ref(at.position.pc) {
                    true => Value::reference(Target::Null),
                    false => Value::Int(Some(number)),
                };
                self.define(at, value, Some(Expression::Constant(number)), out);
            }
            Op::Wide => {
                let number = at.listing.wide(i.x).cast_signed();
                let word = i32::try_from(number).ok().map(Expression::Constant);
                self.define(at, Value::Long(Some(number)), word, out);
            }
            Op::Load => {
                let value = match at.listing.constant(i.x).map_err(Untranslatable::new)? {
                    LoadedConstant::Text(_) => Value::reference(self.some("java/lang/String")?),
                    LoadedConstant::Class(class) => {
                        let mirror = self.scene.mirror(class);
                        if mirror.is_null() {
                            return Err(Untranslatable::new("the object of a class that is new"));
                        }
                        Value::reference(Target::Object(mirror))
                    }
                    LoadedConstant::Other => return Err(Untranslatable::new("a special constant")),
                };
                let word = self.expression(at.storage(i.a), &value);
                self.define(at, value, word, out);
            }
            _ if i.op >= Op::IAdd && i.op <= Op::I2Z => self.arithmetic(at, out)?,
            Op::LoadByte
            | Op::LoadChar
            | Op::LoadShort
            | Op::LoadInt
            | Op::LoadLong
            | Op::LoadRef => self.load_element(at, out)?,
            Op::StoreByte
            | Op::StoreChar
            | Op::StoreShort
            | Op::StoreInt
            | Op::StoreLong
            | Op::StoreRef => self.store_element(at, out)?,
            Op::Length => self.length(at, out)?,
            Op::GetField => self.get_field(at, out)?,
            Op::PutField => self.put_field(at, out)?,
            Op::GetStatic | Op::PutStatic => self.static_field(at, out)?,
            Op::New => {
                let class = at.listing.class(i.x).map_err(Untranslatable::new)?;
                self.new_object(at, class, out)?;
            }
            Op::NewArray | Op::NewRefArray => self.new_array(at, out)?,
            Op::Multi => return Err(Untranslatable::new("a new array of several dimensions")),
            Op::InstanceOf | Op::CheckCast => self.cast(at, out)?,
            Op::Throw => {
                let Some(target) = self.split(&at, i.a, out)? else {
                    return Ok(());
                };
                match target {
                    Target::Null => self.raise_named(at, "java/lang/NullPointerException", out)?,
                    _ => {
                        let class = self.class_of(target)?;
                        self.raise(at, class, target, out)?;
                    }
                }
            }
            Op::Enter | Op::Exit => self.monitor(at, out)?,
            Op::Goto => {
                at.go(i.x);
                out.exit(at.key, at.known);
            }
            _ if i.op >= Op::IfEq && i.op <= Op::IfLeL => self.branch(at, out)?,
            Op::Switch => self.switch(at, out)?,
            Op::Return => self.leave(at, None, out),
            Op::ReturnValue => {
                let value = at.value(i.a).clone();
                let word = self.expression(at.storage(i.a), &value);
                self.leave(at, Some((value, word)), out);
            }
            Op::InvokeStatic
            | Op::InvokeSpecial
            | Op::InvokeVirtual
            | Op::InvokeInterface
            | Op::InvokeDynamic => self.invoke(at, out)?,
            Op::Prepare => {
                let class = ClassId(i.x);
                self.needs(class)?;
                at.next(out);
            }
            _ => return Err(Untranslatable::new(format!("the instruction {:?}", i.op))),
        }
        Ok(())
    }

    /// An object of a class about which nothing else is known.
    pub(crate) fn some(&self, class: &str) -> Result<Target, Untranslatable> {
        let class = self.scene.world.load(class);
        let class = class.map_err(|error| Untranslatable::new(error.to_string()))?;
        Ok(Target::Other(class))
    }

    /// A class is used.
    pub(crate) fn needs(&self, class: ClassId) -> Result<(), Untranslatable> {
        match self.scene.is_initialised(class) {
            true => Ok(()),
            false => Err(Untranslatable::new(format!(
                "a thread is the first to use the class {}",
                self.scene.world.class_name(class).replace('/', ".")
            ))),
        }
    }

    /// Puts the result of an instruction where it belongs, and goes on.
    pub(crate) fn define(
        &mut self,
        mut at: At<'_>,
        value: Value,
        word: Option<Expression>,
        out: &mut Out,
    ) {
        let register = at.instr.a;
        let storage = at.storage(register);
        self.put(out, storage, word);
        if let Some(name) = at.listing.local_name(register, at.position.pc) {
            let register = self.register(storage);
            self.name_register(register, name);
        }
        at.set(register, value);
        at.next(out);
    }

    pub(crate) fn word(
        &mut self,
        at: &At<'_>,
        register: u16,
    ) -> Result<Expression, Untranslatable> {
        let value = at.value(register).clone();
        if let Value::Opaque(what) = &value {
            return Err(Untranslatable::new(format!("this depends on {what}")));
        }
        self.expression(at.storage(register), &value)
            .ok_or_else(|| Untranslatable::new("this depends on a value that is not followed"))
    }

    /// What the register of a reference refers to. If there are several possibilities, control
    /// goes to this instruction once more for each, and the answer is none.
    pub(crate) fn split(
        &mut self,
        at: &At<'_>,
        register: u16,
        out: &mut Out,
    ) -> Result<Option<Target>, Untranslatable> {
        let targets = match at.value(register).clone() {
            Value::Reference(targets) => targets,
            Value::Opaque(what) => {
                return Err(Untranslatable::new(format!("this depends on {what}")));
            }
            _ => return Err(Untranslatable::new("a reference that is not followed")),
        };
        let last = targets.last().copied();
        if targets.len() == 1 {
            return Ok(last);
        }
        if has_member(&targets) {
            return Err(Untranslatable::new(
                "a reference to an object of some thread, or to something else",
            ));
        }
        let held = self.register(at.storage(register));
        for target in targets {
            let mut key = at.key.clone();
            key.split.push((register, target));
            let Some(code) = target.code().filter(|_| Some(target) != last) else {
                out.exit(key, at.known.clone());
                continue;
            };
            let label = out.label();
            out.unless(
                equal(Expression::Local(held), Expression::Constant(code)),
                label,
            );
            out.exit(key, at.known.clone());
            out.place(label);
        }
        Ok(None)
    }

    pub(crate) fn class_of(&self, target: Target) -> Result<ClassId, Untranslatable> {
        let class = match target {
            Target::Null => None,
            Target::Object(object) | Target::Own(object) => self.scene.class_of(object),
            Target::Made(number) => self.made_class(number),
            Target::Other(class) => Some(class),
            Target::Member(array) => {
                let first = self.scene.first_member(array);
                first.and_then(|first| self.scene.class_of(first))
            }
        };
        class.ok_or_else(|| Untranslatable::new("an object that is not there"))
    }

    /// Raises an exception of the library.
    pub(crate) fn raise_named(
        &mut self,
        at: At<'_>,
        class: &str,
        out: &mut Out,
    ) -> Result<(), Untranslatable> {
        let class = self.class_of(self.some(class)?)?;
        let target = Target::Made(self.site(&at.key, class));
        self.raise(at, class, target, out)
    }

    /// Goes to the handler of an exception, or to the end of the thread.
    pub(crate) fn raise(
        &mut self,
        at: At<'_>,
        class: ClassId,
        exception: Target,
        out: &mut Out,
    ) -> Result<(), Untranslatable> {
        let world = self.scene.world;
        let (mut key, mut known) = (at.key, at.known);
        key.split.clear();
        while let Some(&position) = key.frames.last() {
            let listing = world.listing(self.method(position.context));
            let listing = listing.ok_or_else(|| Untranslatable::new("a method without code"))?;
            let handlers = listing.handlers(position.pc).map_err(Untranslatable::new)?;
            let mut handlers = handlers.into_iter();
            let handler = handlers
                .find(|(_, caught)| caught.is_none_or(|caught| world.is_assignable(class, caught)));
            if let Some((target, _)) = handler {
                let register = listing.exception_register();
                let frame = known.frames.last_mut();
                if let Some(place) = frame.and_then(|it| it.get_mut(usize::from(register))) {
                    *place = Value::reference(exception);
                }
                let storage = Storage::Register(position.context, register);
                self.put(out, storage, exception.code().map(Expression::Constant));
                if let Some(last) = key.frames.last_mut() {
                    last.pc = target;
                }
                out.exit(key, known);
                return Ok(());
            }
            key.frames.pop();
            known.frames.pop();
            if let Some(lock) = position.unlock {
                self.release(&mut key, lock, out);
            }
        }
        let is_a = |name: &str| {
            let mut ancestors = world.class(class).ancestors.iter();
            ancestors.any(|&it| world.class_name(it) == name)
        };
        let name = world.class_name(class).replace('/', ".");
        let kind = if is_a("java/lang/AssertionError") {
            FaultKind::Assertion
        } else if is_a("java/lang/IllegalMonitorStateException") {
            FaultKind::IllegalMonitorState
        } else {
            FaultKind::Exception
        };
        let place = match exception {
            Target::Made(number) => self.made.get(number as usize).and_then(|it| it.1.clone()),
            _ => None,
        };
        out.lines
            .push(Line::DoAt(Instruction::Fail(kind, name), place));
        Ok(())
    }

    /// The monitor or lock as an object of the intermediate form.
    pub(crate) fn cell(&mut self, lock: Lock) -> Option<Cell> {
        match lock {
            Lock::Monitor(Target::Object(_)) | Lock::Explicit(_) => {
                Some(self.scene.lock_cell(lock))
            }
            // Nobody else can take it, or it is left out.
            Lock::Monitor(_) => None,
        }
    }

    /// Fails if a lock is held already of which it is not known whether it is the same.
    fn check_lock(&mut self, at: &At<'_>, target: Target) -> Result<(), Untranslatable> {
        if !matches!(target, Target::Member(_)) {
            return Ok(());
        }
        let lock = Lock::Monitor(target);
        if at.key.locks.iter().any(|(held, _)| *held == lock) {
            return Err(Untranslatable::new(
                "the lock of an object of some thread is taken while one of them is held",
            ));
        }
        self.take_liberty(
            at,
            "does not wait for the lock, which each thread has one of",
        );
        Ok(())
    }

    /// Takes a lock, if it is not held.
    pub(crate) fn acquire(&mut self, key: &mut Key, lock: Lock, out: &mut Out) {
        match key.locks.iter_mut().find(|(held, _)| *held == lock) {
            Some((_, count)) => *count += 1,
            None => {
                key.locks.push((lock, 1));
                if let Some(cell) = self.cell(lock) {
                    out.act(Instruction::Acquire(cell));
                }
            }
        }
    }

    /// Gives a lock back. False if it was not held.
    pub(crate) fn release(&mut self, key: &mut Key, lock: Lock, out: &mut Out) -> bool {
        let Some(index) = key.locks.iter().position(|(held, _)| *held == lock) else {
            return false;
        };
        key.locks[index].1 -= 1;
        if key.locks[index].1 == 0 {
            key.locks.remove(index);
            if let Some(cell) = self.cell(lock) {
                out.act(Instruction::Release(cell));
            }
        }
        true
    }

    fn monitor(&mut self, mut at: At<'_>, out: &mut Out) -> Result<(), Untranslatable> {
        let i = at.instr;
        let is_exit = i.op == Op::Exit;
        if is_exit && let Value::Reference(targets) = at.value(i.a) {
            // Only what is held is given back.
            let is_held = |target: &Target| {
                let mut locks = at.key.locks.iter();
                locks.any(|(lock, _)| *lock == Lock::Monitor(*target))
            };
            let mut held = targets.iter().filter(|target| is_held(target));
            if let (Some(&one), None) = (held.next(), held.next()) {
                at.set(i.a, Value::reference(one));
            }
        }
        let Some(target) = self.split(&at, i.a, out)? else {
            return Ok(());
        };
        if target == Target::Null {
            return self.raise_named(at, "java/lang/NullPointerException", out);
        }
        self.usable(target)?;
        let lock = Lock::Monitor(target);
        let mut key = at.key.clone();
        if !is_exit {
            self.check_lock(&at, target)?;
            self.acquire(&mut key, lock, out);
        } else if !self.release(&mut key, lock, out) {
            return self.raise_named(at, "java/lang/IllegalMonitorStateException", out);
        }
        at.key = key;
        at.next(out);
        Ok(())
    }

    /// Fails if it is not known which object this is, or if it is that of another thread.
    pub(crate) fn usable(&self, target: Target) -> Result<(), Untranslatable> {
        match target {
            Target::Object(object) if self.scene.owned.contains(&object) => Err(
                Untranslatable::new("a thread reaches an object that is another thread's own"),
            ),
            Target::Object(object) if self.scene.members.contains_key(&object) => {
                Err(Untranslatable::new(
                    "one of the objects that each thread has is reached on another way",
                ))
            }
            Target::Other(class) => Err(Untranslatable::new(format!(
                "an object of class {}, of which it is not known which one it is",
                self.scene.world.class_name(class).replace('/', ".")
            ))),
            _ => Ok(()),
        }
    }

    /// Returns from a call.
    fn leave(&mut self, at: At<'_>, result: Option<(Value, Option<Expression>)>, out: &mut Out) {
        let (mut key, mut known) = (at.key, at.known);
        key.split.clear();
        key.frames.pop();
        known.frames.pop();
        if let Some(lock) = at.position.unlock {
            self.release(&mut key, lock, out);
        }
        if let Some(caller) = key.frames.last_mut() {
            let listing = self.scene.world.listing(self.method(caller.context));
            let register = listing.and_then(|it| it.instr(caller.pc)).map(|it| it.a);
            let (context, pc) = (caller.context, caller.pc);
            caller.pc += 1;
            if let (Some(register), Some((value, word))) = (register, result) {
                let storage = Storage::Register(context, register);
                self.put(out, storage, word);
                if let Some(name) = listing.and_then(|it| it.local_name(register, pc)) {
                    let register = self.register(storage);
                    self.name_register(register, name);
                }
                let frame = known.frames.last_mut();
                if let Some(place) = frame.and_then(|it| it.get_mut(usize::from(register))) {
                    *place = value;
                }
            }
        }
        out.exit(key, known);
    }

    fn invoke(&mut self, at: At<'_>, out: &mut Out) -> Result<(), Untranslatable> {
        let i = at.instr;
        let method = match at.listing.called(i).map_err(Untranslatable::new)? {
            CallTarget::Method(method) => method,
            CallTarget::Lambda(class, kinds) => return self.make_lambda(at, class, &kinds, out),
            CallTarget::Concatenation => {
                let value = Value::reference(self.some("java/lang/String")?);
                let word = value
                    .single()
                    .and_then(Target::code)
                    .map(Expression::Constant);
                self.define(at, value, word, out);
                return Ok(());
            }
            CallTarget::VariableHandle(..) => return Err(Untranslatable::new("a variable handle")),
            CallTarget::MethodHandle(..) => return Err(Untranslatable::new("a method handle")),
            CallTarget::Other(what, ..) => return Err(Untranslatable::new(what)),
        };
        if i.op == Op::InvokeStatic || i.op == Op::InvokeDynamic {
            return self.call_static(at, method, out);
        }
        let Some(receiver) = self.split(&at, i.a, out)? else {
            return Ok(());
        };
        if receiver == Target::Null {
            return self.raise_named(at, "java/lang/NullPointerException", out);
        }
        let class = self.class_of(receiver)?;
        let chosen = match i.op {
            Op::InvokeSpecial => Some(method),
            _ => self.scene.world.overriding(class, method),
        };
        let chosen =
            chosen.ok_or_else(|| Untranslatable::new("a call of a method that is not there"))?;
        self.call(at, receiver, chosen, out)
    }

    /// Calls a method whose code is known.
    pub(crate) fn enter(
        &mut self,
        at: At<'_>,
        method: MethodId,
        out: &mut Out,
    ) -> Result<(), Untranslatable> {
        let world = self.scene.world;
        let described = world.method(method);
        let name = || world.method_name(method).replace('/', ".");
        let listing = world.listing(method);
        let Some(listing) = listing else {
            return Err(Untranslatable::new(format!("a call of {}", name())));
        };
        let mut positions = at.key.frames.iter();
        if positions.any(|it| self.method(it.context) == method) {
            return Err(Untranslatable::new(format!(
                "the method {} calls itself",
                name()
            )));
        }
        if at.key.frames.len() > DEEPEST {
            return Err(Untranslatable::new("calls that are nested very deep"));
        }
        let context = self.context(Context {
            caller: Some((at.position.context, at.position.pc)),
            method,
        });
        let mut registers = vec![Value::Unset; listing.registers() as usize];
        let receiver = (!described.is_static()).then_some(Kind::Ref);
        let kinds = receiver.into_iter();
        let kinds = kinds.chain(world.shape(described).kinds.iter().copied());
        let mut offset = 0;
        for kind in kinds {
            let value = at.value(at.instr.a + offset).clone();
            let word = self.expression(at.storage(at.instr.a + offset), &value);
            let storage = Storage::Register(context, offset);
            self.put(out, storage, word);
            if let Some(name) = listing.local_name(offset, 0) {
                let register = self.register(storage);
                self.name_register(register, name);
            }
            if let Some(place) = registers.get_mut(usize::from(offset)) {
                *place = value;
            }
            offset += kind.words();
        }
        let lock = match described.is_synchronized() {
            false => None,
            true if described.is_static() => {
                let mirror = self.scene.mirror(described.class);
                Some(Lock::Monitor(Target::Object(mirror)))
            }
            true => at.value(at.instr.a).single().map(Lock::Monitor),
        };
        let before = at.clone();
        let (mut key, mut known) = (at.key, at.known);
        key.split.clear();
        if let Some(lock) = lock {
            if let Lock::Monitor(target) = lock {
                self.usable(target)?;
                self.check_lock(&before, target)?;
            }
            self.acquire(&mut key, lock, out);
        }
        key.frames.push(Position {
            context,
            pc: 0,
            unlock: lock,
        });
        known.frames.push(registers);
        out.exit(key, known);
        Ok(())
    }
}

pub(crate) fn equal(one: Expression, other: Expression) -> Expression {
    binary(BinaryOperator::Equal, one, other)
}

pub(crate) fn binary(operator: BinaryOperator, one: Expression, other: Expression) -> Expression {
    Expression::Binary(operator, Box::new(one), Box::new(other))
}

pub(crate) fn unary(operator: UnaryOperator, one: Expression) -> Expression {
    Expression::Unary(operator, Box::new(one))
}

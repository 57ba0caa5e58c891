//! Methods that the machine makes for itself, in the form in which all methods are run.

use std::sync::OnceLock;

use crate::classfile::Parsed;
use crate::code::{Body, Builder, Code, Op, Resolved, Value};
use crate::descriptor::{self, Kind};
use crate::interpret::target;
use crate::world::{Class, ClassId, Method, MethodId, World, flags};

/// A static method of the machine with the given code.
pub(crate) fn make(
    world: &World,
    class: ClassId,
    name: &str,
    descriptor: &str,
    build: impl FnOnce(&mut Assembler<'_>) -> Parsed<()>,
) -> Option<MethodId> {
    let (parameters, _) = descriptor::method_kinds(descriptor)?;
    let words = parameters.iter().map(|kind| kind.words()).sum();
    let code = assemble(world, words, build)?;
    Some(world.add_method(|id| Method {
        id,
        class,
        name: world.names.intern(name),
        descriptor: world.names.intern(descriptor),
        flags: flags::STATIC | flags::SYNTHETIC,
        member: u16::MAX,
        vtable_index: None,
        shape: OnceLock::new(),
        role: OnceLock::new(),
        body: OnceLock::from(Body::Code(code)),
    }))
}

/// Code that `build` makes, with `locals` words of arguments.
pub(crate) fn assemble(
    world: &World,
    locals: u16,
    build: impl FnOnce(&mut Assembler<'_>) -> Parsed<()>,
) -> Option<Code> {
    // Arguments of calls pile up on the stack: room for the most that a call can have.
    let builder = Builder::new(locals, 600).ok()?;
    let mut assembler = Assembler {
        world,
        builder,
        handlers: Vec::new(),
    };
    build(&mut assembler).ok()?;
    let Assembler {
        builder, handlers, ..
    } = assembler;
    Some(Code {
        registers: builder.registers(),
        locals,
        instrs: builder.instrs.into(),
        pcs: builder.pcs.into(),
        refs: builder.refs.into(),
        liveness: OnceLock::new(),
        sites: builder.sites.into(),
        handlers: handlers.into(),
        constants: builder.constants.into(),
        switches: Box::default(),
    })
}

/// Puts code together.
pub(crate) struct Assembler<'w> {
    pub(crate) world: &'w World,
    pub(crate) builder: Builder,
    pub(crate) handlers: Vec<crate::code::CodeHandler>,
}

impl Assembler<'_> {
    pub(crate) fn load(&mut self, local: u16, kind: Kind) -> Parsed<()> {
        self.builder.load(local, kind)
    }

    pub(crate) fn number(&mut self, number: i32) -> Parsed<()> {
        self.builder
            .push(Value::Int(number.cast_unsigned()), Kind::Int)
    }

    pub(crate) fn new_object(&mut self, class: ClassId) -> Parsed<()> {
        let site = self.builder.resolved_site(Resolved::Class(class));
        self.builder.define(Op::New, Kind::Ref, 0, 0, site)?;
        self.builder.shuffle(1, &[0, 0])
    }

    pub(crate) fn cast(&mut self, class: ClassId) -> Parsed<()> {
        if class == self.world.known().object {
            return Ok(());
        }
        let operand = self.builder.pop(Kind::Ref)?;
        let register = self.builder.register(operand);
        let site = self.builder.resolved_site(Resolved::Class(class));
        self.builder.emit(Op::CheckCast, register, 0, 0, site);
        let value = if let Value::Int(_) = operand.value {
            Value::Home
        } else {
            operand.value
        };
        self.builder.push(value, Kind::Ref)
    }

    pub(crate) fn get_field(&mut self, slot: u32, kind: Kind) -> Parsed<()> {
        let object = self.builder.pop_register(Kind::Ref)?;
        let site = self.builder.resolved_site(Resolved::Field {
            slot,
            is_volatile: false,
        });
        self.builder.define(Op::GetField, kind, object, 0, site)
    }

    /// Replaces the array of objects on the stack by one of its elements.
    pub(crate) fn element(&mut self, index: usize) -> Parsed<()> {
        self.number(index as i32)?;
        let index = self.builder.pop_register(Kind::Int)?;
        let array = self.builder.pop_register(Kind::Ref)?;
        self.builder.define(Op::LoadRef, Kind::Ref, array, index, 0)
    }

    /// Calls a method: arguments are on the stack.
    pub(crate) fn call(&mut self, op: Op, method: MethodId) -> Parsed<()> {
        let described = self.world.method(method);
        let shape = self.world.shape(described);
        let site = self
            .builder
            .resolved_site(Resolved::Method(target(self.world, method)));
        self.builder
            .call(op, &shape.kinds, !described.is_static(), shape.result, site)
    }

    /// Calls a static or constructor or virtual method of the library by name.
    pub(crate) fn call_named(
        &mut self,
        op: Op,
        class: &str,
        name: &str,
        descriptor: &str,
    ) -> Parsed<()> {
        match self.world.method_of(class, name, descriptor) {
            Some(method) => self.call(op, method),
            None => Err(crate::classfile::Malformed(format!(
                "no {class}.{name}{descriptor}"
            ))),
        }
    }

    pub(crate) fn finish(&mut self, result: Kind) -> Parsed<()> {
        if result == Kind::Void {
            self.builder.emit(Op::Return, 0, 0, 0, 0);
        } else {
            let value = self.builder.pop_register(result)?;
            self.builder.emit(Op::ReturnValue, value, 0, 0, 0);
        }
        Ok(())
    }
}

/// A method that makes an exception of a class and throws it.
pub(crate) fn raiser(world: &World, class: &str, has_message: bool) -> Option<MethodId> {
    let id = world.load(class).ok()?;
    let (name, descriptor) = if has_message {
        ("raise", "(Ljava/lang/String;)V")
    } else {
        ("raise", "()V")
    };
    if let Some(known) = world.raisers.find(id, has_message) {
        return Some(known);
    }
    let constructor = world
        .class(id)
        .declared(world.names.intern("<init>"), world.names.intern(descriptor));
    let constructor = match constructor {
        Some(constructor) => constructor,
        // Some classes only take a cause or an object: the message is then an argument of that.
        None => world.class(id).declared(
            world.names.intern("<init>"),
            world.names.intern("(Ljava/lang/Object;)V"),
        )?,
    };
    let method = make(world, id, name, descriptor, |a| {
        a.new_object(id)?;
        if has_message {
            a.load(0, Kind::Ref)?;
        }
        a.call(Op::InvokeSpecial, constructor)?;
        let exception = a.builder.pop_register(Kind::Ref)?;
        a.builder.emit(Op::Throw, exception, 0, 0, 0);
        Ok(())
    })?;
    Some(world.raisers.insert(id, has_message, method))
}

/// The classes that are initialised before a class: its superclass, and the interfaces that
/// have code of their own.
pub(crate) fn classes_before(world: &World, class: &Class) -> Vec<ClassId> {
    let mut before = Vec::new();
    if class.is_interface() {
        return before;
    }
    if let Some(superclass) = class.superclass() {
        before.push(superclass);
    }
    for &interface in &class.all_interfaces {
        let described = world.class(interface);
        let has_code = described.methods.iter().any(|&method| {
            let method = world.method(method);
            method.flags & (flags::ABSTRACT | flags::STATIC) == 0
        });
        if has_code && described.initializer.is_some() {
            before.push(interface);
        }
    }
    before
}

/// The method that initialises a class: first those before it, then its own initialiser.
pub(crate) fn preparation(world: &World, class: &Class) -> MethodId {
    *class.preparation.get_or_init(|| {
        let method = make(world, class.id, "<prepare>", "()V", |a| {
            for before in classes_before(world, class) {
                a.builder.emit(Op::Prepare, 0, 0, 0, before.0);
            }
            if let Some(initializer) = class.initializer {
                a.call(Op::InvokeStatic, initializer)?;
            }
            a.finish(Kind::Void)
        });
        method.unwrap_or_default()
    })
}

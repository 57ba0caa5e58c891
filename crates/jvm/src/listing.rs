//! Methods as they can be read without being run: their instructions, and what these refer to.
//!
//! What a site refers to is found out here by the rules of the interpreter, and nothing is
//! remembered: classes are loaded on the way, which has no effect on any state.

use crate::bootstraps::{self, CallSite};
use crate::classfile::Constant as PoolConstant;
use crate::code::{Body, Code, Liveness, Resolved, Site, successors};
use crate::descriptor::{Kind, Signature, class_name, method_kinds};
use crate::heap::Ref;
use crate::interpret::{
    Trap, body, class_constant, find_field_constant, find_method_constant, member,
};
use crate::natives::local_name;
use crate::roles::{Role, role};
use crate::state::State;
use crate::world::{Class, ClassId, Field, LiteralId, Method, MethodId, Sort, World, flags};

pub use crate::code::{Instr, Op, Switch};

/// The code of a method.
#[derive(Clone, Copy)]
pub struct Listing<'w> {
    world: &'w World,
    method: &'w Method,
    code: &'w Code,
}

/// A field that an instruction accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldSite {
    /// The class whose `Class` object has it, if it is static.
    pub class: Option<ClassId>,
    /// Its place in the object.
    pub slot: u32,
    /// Whether it is volatile.
    pub is_volatile: bool,
}

/// What a call calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallTarget {
    /// A method, or one that overrides it.
    Method(MethodId),
    /// A new object of this class that keeps the arguments, which are of these kinds.
    Lambda(ClassId, Box<[Kind]>),
    /// A new string made of the arguments.
    Concatenation,
    /// An access through a variable handle: the mode, and the kinds of the arguments and of what it gives.
    VariableHandle(String, Box<[Kind]>, Kind),
    /// A call through a method handle.
    MethodHandle(Box<[Kind]>, Kind),
    /// Something else, by its name: the kinds of its arguments and of what it gives.
    Other(String, Box<[Kind]>, Kind),
}

/// A constant that is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadedConstant {
    /// A string.
    Text(LiteralId),
    /// The object of a class.
    Class(ClassId),
    /// Something else.
    Other,
}

impl World {
    /// The code of a method; none if it has none, or none that keeps the rules.
    pub fn listing(&self, method: MethodId) -> Option<Listing<'_>> {
        let method = self.method(method);
        match body(self, method) {
            Body::Code(code) => Some(Listing {
                world: self,
                method,
                code,
            }),
            _ => None,
        }
    }

    /// Whether a class has a static initialiser.
    pub fn has_initializer(&self, class: ClassId) -> bool {
        self.initializer(class).is_some()
    }

    /// The static initialiser of a class.
    pub fn initializer(&self, class: ClassId) -> Option<MethodId> {
        self.class(class).initializer
    }

    /// What a call of a method means to other threads.
    pub fn role(&self, method: MethodId) -> Role {
        let method = self.method(method);
        *method.role.get_or_init(|| role(self, method))
    }

    /// The class of the elements of arrays of a class; none if it is no array.
    pub fn element_class(&self, class: ClassId) -> Option<ClassId> {
        match self.class(class).sort {
            Sort::Array(element) => Some(element),
            _ => None,
        }
    }

    /// Whether no class inherits from a class.
    pub fn is_final(&self, class: ClassId) -> bool {
        self.class(class).flags & flags::FINAL != 0
    }

    /// The class of arrays with elements of a class.
    pub fn array_class(&self, element: ClassId) -> Option<ClassId> {
        self.array_of(element).ok()
    }

    /// The field at a slot of an object of a class, and the class that declares it.
    pub fn field_at(&self, class: ClassId, slot: u32) -> Option<(ClassId, &Field)> {
        let ancestors = self.class(class).ancestors.iter().rev();
        let mut fields =
            ancestors.flat_map(|&it| self.class(it).fields.iter().map(move |f| (it, f)));
        fields.find(|(_, field)| !field.is_static() && field.slot == slot)
    }

    /// The static field of a class at a slot of its mirror.
    pub fn static_at(&self, class: ClassId, slot: u32) -> Option<&Field> {
        let mut fields = self.class(class).fields.iter();
        fields.find(|field| field.is_static() && self.static_slot(field) == slot)
    }

    /// Whether a static field begins with a constant of the class file.
    pub fn begins_constant(&self, field: &Field) -> bool {
        field.constant != 0
    }

    /// The class of a field, if it holds references and the class is known.
    pub fn field_class(&self, field: &Field) -> Option<ClassId> {
        let descriptor = self.text(field.descriptor);
        match descriptor.as_bytes().first()? {
            b'L' | b'[' => self.load(class_name(descriptor)).ok(),
            _ => None,
        }
    }

    /// The classes of a method's parameters, as far as they are references and known.
    pub fn parameter_classes(&self, method: MethodId) -> Vec<Option<ClassId>> {
        let signature = Signature::parse(self.text(self.method(method).descriptor));
        let parameters = signature.map(|it| it.parameters).unwrap_or_default();
        let class = |text: &str| match text.as_bytes().first()? {
            b'L' | b'[' => self.load(class_name(text)).ok(),
            _ => None,
        };
        parameters.iter().map(|text| class(text)).collect()
    }

    /// The class of what a method gives, if that is a reference and the class is known.
    pub fn result_class(&self, method: MethodId) -> Option<ClassId> {
        let descriptor = self.text(self.method(method).descriptor);
        let result = &descriptor[descriptor.rfind(')')? + 1..];
        match result.as_bytes().first()? {
            b'L' | b'[' => self.load(class_name(result)).ok(),
            _ => None,
        }
    }

    /// The `Runnable` that a thread was given; null if it was given none.
    pub fn runnable(&self, state: &State, thread: Ref) -> Ref {
        let holder = state.thread_holder(self, thread);
        let class = state.heap.get(holder).map(|holder| holder.class);
        let slot = |name| self.slot_of(class?, name);
        let slot = slot("task").or_else(|| slot("target"));
        slot.map_or(Ref::NULL, |slot| state.heap.ref_field(holder, slot))
    }

    /// The method that a call of `method` on an object of `class` runs.
    pub fn overriding(&self, class: ClassId, method: MethodId) -> Option<MethodId> {
        let called = self.method(method);
        if called.flags & flags::PRIVATE != 0 || self.text(called.name) == "<init>" {
            return Some(method);
        }
        self.class(class)
            .virtual_method(called.name, called.descriptor)
    }
}

fn told(trap: Trap) -> String {
    match trap {
        Trap::Raise(class, message) => {
            format!(
                "{}: {}",
                class.replace('/', "."),
                message.unwrap_or_default()
            )
        }
        Trap::Unsupported(what) => what,
        other => format!("{other:?}"),
    }
}

impl<'w> Listing<'w> {
    /// How many instructions there are.
    pub fn length(&self) -> usize {
        self.code.instrs.len()
    }

    /// An instruction.
    pub fn instr(&self, pc: u32) -> Option<Instr> {
        self.code.instrs.get(pc as usize).copied()
    }

    /// Where in the bytecode an instruction comes from.
    pub fn position(&self, pc: u32) -> u16 {
        self.code.pcs.get(pc as usize).copied().unwrap_or(0)
    }

    /// How many registers a call has.
    pub fn registers(&self) -> u32 {
        self.code.registers
    }

    /// The register in which a handler finds the exception.
    pub fn exception_register(&self) -> u16 {
        self.code.locals
    }

    /// The name of a local variable, if it has one where an instruction has been executed.
    pub fn local_name(&self, register: u16, pc: u32) -> Option<String> {
        let file = self.holder().file.as_ref()?;
        let member = file.methods.get(self.method.member as usize)?;
        let attributes = file.code(member).ok()??.attributes;
        // A variable has its name from behind the instruction that gives it its first value.
        let next = self.code.pcs.get(pc as usize + 1).copied();
        let positions = [Some(self.position(pc)), next];
        let mut positions = positions.into_iter().flatten();
        positions.find_map(|at| local_name(file, attributes, register, u32::from(at)))
    }

    /// Whether what an instruction defines is a reference.
    pub fn is_ref(&self, pc: u32) -> bool {
        self.code.refs.get(pc as usize).copied().unwrap_or(false)
    }

    /// Whether a register is read later, when control is in front of an instruction.
    pub fn is_live(&self, pc: u32, register: usize) -> bool {
        (pc as usize) < self.length() && self.liveness().is_live(pc as usize, register)
    }

    /// Whether a register that is read later holds a reference.
    pub fn is_live_reference(&self, pc: u32, register: usize) -> bool {
        (pc as usize) < self.length() && self.liveness().is_ref(pc as usize, register)
    }

    fn liveness(&self) -> &'w Liveness {
        self.code.liveness.get_or_init(|| {
            let receiver = (!self.method.is_static()).then_some(Kind::Ref);
            let kinds = self.world.shape(self.method).kinds.iter().copied();
            let kinds: Vec<Kind> = receiver.into_iter().chain(kinds).collect();
            Liveness::of(self.code, &kinds)
        })
    }

    /// The handlers around an instruction: where they begin, and what they catch; none catches
    /// everything.
    pub fn handlers(&self, pc: u32) -> Result<Vec<(u32, Option<ClassId>)>, String> {
        let position = self.position(pc);
        let mut found = Vec::new();
        for handler in &self.code.handlers {
            if handler.start > position || u32::from(position) >= handler.end {
                continue;
            }
            let caught = match handler.site {
                Some(site) => Some(self.class(site)?),
                None => None,
            };
            found.push((handler.target, caught));
        }
        Ok(found)
    }

    /// Where control may go on after an instruction that raises no exception.
    pub fn successors(&self, pc: u32) -> Vec<u32> {
        let all = match (pc as usize) < self.code.instrs.len() {
            true => successors(self.code, pc as usize),
            false => Vec::new(),
        };
        all.into_iter().map(|next| next as u32).collect()
    }

    /// The targets of a switch.
    pub fn switch(&self, number: u32) -> Option<&'w Switch> {
        self.code.switches.get(number as usize)
    }

    /// A number of 64 bits.
    pub fn wide(&self, number: u32) -> u64 {
        self.code
            .constants
            .get(number as usize)
            .copied()
            .unwrap_or(0)
    }

    fn site(&self, site: u32) -> Result<&'w Site, String> {
        let site = self.code.sites.get(site as usize);
        site.ok_or_else(|| "code that does not keep the rules".to_owned())
    }

    fn holder(&self) -> &'w Class {
        self.world.class(self.method.class)
    }

    /// The class that a site refers to.
    pub fn class(&self, site: u32) -> Result<ClassId, String> {
        let site = self.site(site)?;
        match site.cell.get() {
            Some(&Resolved::Class(class)) => Ok(class),
            _ => class_constant(self.world, self.holder(), site.pool).map_err(told),
        }
    }

    /// The field that a site refers to.
    pub fn field(&self, site: u32, is_static: bool) -> Result<FieldSite, String> {
        let site = self.site(site)?;
        let found;
        let resolved = match site.cell.get() {
            Some(resolved) => resolved,
            None => {
                found = find_field_constant(self.world, self.holder(), site.pool, is_static);
                found.as_ref().map_err(|trap| format!("{trap:?}"))?
            }
        };
        match *resolved {
            Resolved::Field { slot, is_volatile } => Ok(FieldSite {
                class: None,
                slot,
                is_volatile,
            }),
            Resolved::Static {
                class,
                slot,
                is_volatile,
            } => Ok(FieldSite {
                class: Some(class),
                slot,
                is_volatile,
            }),
            _ => Err("code that does not keep the rules".to_owned()),
        }
    }

    /// What a call calls.
    pub fn called(&self, instr: Instr) -> Result<CallTarget, String> {
        let site = self.site(instr.x)?;
        match site.cell.get() {
            Some(Resolved::Method(target)) => return Ok(CallTarget::Method(target.method)),
            Some(Resolved::CallSite(
                call @ (CallSite::Method(_) | CallSite::Lambda { .. } | CallSite::Join { .. }),
            )) => return Ok(bootstraps::call_target(call)),
            _ => {}
        }
        if instr.op == Op::InvokeDynamic {
            // Lambdas are linked once: each time there would be another class.
            let kinds = self.dynamic_kinds(site.pool);
            let (kinds, result) = kinds.unwrap_or((Box::default(), Kind::Void));
            let other = || CallTarget::Other("a call site".to_owned(), kinds, result);
            let call = bootstraps::link_without_state(self.world, self.holder(), site.pool);
            return Ok(match call.map_err(told)? {
                Some(call) => {
                    let call = site.cell.get_or_init(|| Resolved::CallSite(call));
                    match call {
                        Resolved::CallSite(call) => bootstraps::call_target(call),
                        _ => other(),
                    }
                }
                None => other(),
            });
        }
        if let Some(call) = self.polymorphic(site) {
            return Ok(call);
        }
        let found = find_method_constant(self.world, self.holder(), site.pool, instr.op);
        found.map(CallTarget::Method).map_err(told)
    }

    /// A call through a handle, which takes whatever the caller gives.
    fn polymorphic(&self, site: &Site) -> Option<CallTarget> {
        let world = self.world;
        let (holder, name, descriptor) = member(world, self.holder(), site.pool).ok()?;
        let (holder, known) = (world.load_named(holder).ok()?, world.known());
        if holder != known.var_handle && holder != known.method_handle {
            return None;
        }
        if !bootstraps::is_polymorphic(world, holder, name) {
            return None;
        }
        let (kinds, result) = method_kinds(world.text(descriptor))?;
        let kinds: Box<[Kind]> = kinds.into_iter().collect();
        Some(match holder == known.var_handle {
            true => CallTarget::VariableHandle(world.text(name).to_owned(), kinds, result),
            false => CallTarget::MethodHandle(kinds, result),
        })
    }

    /// The kinds of the arguments of a call that is linked when it is made, and of its result.
    fn dynamic_kinds(&self, pool: u16) -> Option<(Box<[Kind]>, Kind)> {
        let file = self.holder().file.as_ref()?;
        let PoolConstant::InvokeDynamic { name_and_type, .. } = file.constant(pool).ok()? else {
            return None;
        };
        let (_, descriptor) = file.name_and_type(name_and_type).ok()?;
        let (kinds, result) = method_kinds(&file.text(descriptor).ok()?)?;
        Some((kinds.into_iter().collect(), result))
    }

    /// The handlers of the method: from which position of the bytecode to which, the instruction
    /// where they begin, and the site of the class that they catch; none catches everything.
    pub fn all_handlers(&self) -> impl Iterator<Item = (u16, u32, u32, Option<u32>)> {
        let all = self.code.handlers.iter();
        all.map(|it| (it.start, it.end, it.target, it.site))
    }

    /// The constant that a site refers to.
    pub fn constant(&self, site: u32) -> Result<LoadedConstant, String> {
        let site = self.site(site)?;
        match site.cell.get() {
            Some(&Resolved::Literal(literal)) => return Ok(LoadedConstant::Text(literal)),
            Some(&Resolved::Class(class)) => return Ok(LoadedConstant::Class(class)),
            Some(_) => return Ok(LoadedConstant::Other),
            None => {}
        }
        let class = self.holder();
        let Some(file) = &class.file else {
            return Ok(LoadedConstant::Other);
        };
        match file.constant(site.pool) {
            Ok(PoolConstant::String(index)) => {
                let text = file.utf16(index).map_err(|error| error.0)?;
                Ok(LoadedConstant::Text(self.world.literal(&text)))
            }
            Ok(PoolConstant::Class(_)) => {
                let class = class_constant(self.world, class, site.pool).map_err(told)?;
                Ok(LoadedConstant::Class(class))
            }
            _ => Ok(LoadedConstant::Other),
        }
    }
}

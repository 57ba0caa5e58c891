//! Members of classes as objects, and calls through them.

use super::{Answer, Entry, null_pointer, raise, reference, word, yes};
use crate::bootstraps::convert;
use crate::classfile::{Constant, Member, Reader};
use crate::code::{CodeHandler, Op, Resolved};
use crate::descriptor::{self, Kind, Signature};
use crate::heap::{Ref, int};
use crate::interpret::{Args, Env, Trap, class_constant};
use crate::made_up::Source::Every;
use crate::reach::is_shared;
use crate::roles::Role::{Pure, ReadAll};
use crate::stubs;
use crate::world::{Class, ClassId, Method, MethodId, flags};

const CLASS: &str = "java/lang/Class";
const POOL: &str = "jdk/internal/reflect/ConstantPool";
const EXECUTABLE: &str = "java/lang/reflect/Executable";
const TYPE_ANNOTATIONS: &str = "RuntimeVisibleTypeAnnotations";

pub(super) const TABLE: &[Entry] = &[
    (
        CLASS,
        "getDeclaredFields0",
        "",
        Pure,
        Every,
        declared_fields,
    ),
    (
        CLASS,
        "getDeclaredMethods0",
        "",
        Pure,
        Every,
        |env, args| declared_methods(env, args, false),
    ),
    (
        CLASS,
        "getDeclaredConstructors0",
        "",
        Pure,
        Every,
        |env, args| declared_methods(env, args, true),
    ),
    (
        CLASS,
        "getRecordComponents0",
        "",
        Pure,
        Every,
        record_components,
    ),
    (
        "jdk/internal/reflect/NativeMethodAccessorImpl",
        "invoke",
        "",
        ReadAll(2),
        Every,
        |env, args| {
            let method = Ref::of(env.named_field(reference(args, 0), "method"));
            invoke(env, method, word(args, 1), reference(args, 2))
        },
    ),
    (
        "jdk/internal/reflect/DirectMethodHandleAccessor$NativeAccessor",
        "invoke0",
        "",
        ReadAll(2),
        Every,
        |env, args| invoke(env, reference(args, 0), word(args, 1), reference(args, 2)),
    ),
    (
        "jdk/internal/reflect/NativeConstructorAccessorImpl",
        "newInstance",
        "",
        ReadAll(1),
        Every,
        |env, args| {
            let constructor = Ref::of(env.named_field(reference(args, 0), "c"));
            invoke(env, constructor, 0, reference(args, 1))
        },
    ),
    (
        "jdk/internal/reflect/DirectConstructorHandleAccessor$NativeAccessor",
        "newInstance0",
        "",
        ReadAll(1),
        Every,
        |env, args| invoke(env, reference(args, 0), 0, reference(args, 1)),
    ),
    (
        "jdk/internal/reflect/MethodHandleAccessorFactory",
        "useNativeAccessor",
        "",
        Pure,
        Every,
        yes,
    ),
    (EXECUTABLE, "getParameters0", "", Pure, Every, parameters),
    (
        EXECUTABLE,
        "getTypeAnnotationBytes0",
        "",
        Pure,
        Every,
        |env, args| member_attribute(env, reference(args, 0), TYPE_ANNOTATIONS),
    ),
    (
        "java/lang/reflect/Field",
        "getTypeAnnotationBytes0",
        "",
        Pure,
        Every,
        |env, args| member_attribute(env, reference(args, 0), TYPE_ANNOTATIONS),
    ),
    (POOL, "getUTF8At0", "", Pure, Every, |env, args| {
        let class = env.class_argument(args, 1)?;
        let text = env
            .world
            .constant_text(env.world.class(class), word(args, 2) as u16);
        Ok(text.map_or(0, |text| env.new_string(&text)))
    }),
    (POOL, "getIntAt0", "", Pure, Every, pool_number),
    (POOL, "getLongAt0", "", Pure, Every, pool_number),
    (POOL, "getFloatAt0", "", Pure, Every, pool_number),
    (POOL, "getDoubleAt0", "", Pure, Every, pool_number),
    (POOL, "getSize0", "", Pure, Every, |env, args| {
        let class = env.class_argument(args, 1)?;
        Ok(env
            .world
            .class(class)
            .file
            .as_ref()
            .map_or(0, |file| file.pool_size() as u64))
    }),
    (POOL, "getClassAt0", "", Pure, Every, |env, args| {
        let class = env.class_argument(args, 1)?;
        let class = class_constant(env.world, env.world.class(class), word(args, 2) as u16)?;
        Ok(env.state.mirror(env.world, class).word())
    }),
];

fn pool_number(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let class = env.class_argument(args, 1)?;
    let file = env.world.class(class).file.as_ref();
    Ok(
        match file.and_then(|file| file.constant(word(args, 2) as u16).ok()) {
            Some(Constant::Integer(number)) => int(number),
            Some(Constant::Float(bits)) => u64::from(bits),
            Some(Constant::Long(number)) => number.cast_unsigned(),
            Some(Constant::Double(bits)) => bits,
            _ => {
                return raise(
                    "java/lang/IllegalArgumentException",
                    "Wrong type at constant pool index",
                );
            }
        },
    )
}

/// The class file's member that an object of reflection stands for, with its class.
fn member_of<'w>(env: &Env<'w>, object: Ref) -> Option<(&'w Class, &'w Member)> {
    let world = env.world;
    let class = Ref::of(env.named_field(object, "clazz"));
    let class = world.class(env.state.mirrored(world, class)?);
    let slot = env.named_field(object, "slot") as usize;
    let file = class.file.as_ref()?;
    let is_field = world.class_name(env.state.heap.get(object)?.class) == "java/lang/reflect/Field";
    let member = match is_field {
        true => file.fields.get(slot)?,
        false => {
            let &method = class.methods.get(slot)?;
            file.methods.get(world.method(method).member as usize)?
        }
    };
    Some((class, member))
}

/// The content of an attribute of a field, a method or a constructor.
fn member_attribute(env: &mut Env<'_>, object: Ref, name: &str) -> Answer {
    let content = member_of(env, object).and_then(|(class, member)| {
        let file = class.file.as_ref()?;
        file.attribute(member.attributes, name)
    });
    Ok(content.map_or(0, |content| env.state.byte_array(env.world, content).word()))
}

/// The parameters of a method or constructor, if its class file names them.
fn parameters(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let world = env.world;
    let found = member_of(env, reference(args, 0)).and_then(|(class, member)| {
        let file = class.file.as_ref()?;
        Some((
            class,
            file.attribute(member.attributes, "MethodParameters")?,
        ))
    });
    let Some((class, content)) = found else {
        return Ok(0);
    };
    let parameter = world.load("java/lang/reflect/Parameter")?;
    env.ensure_initialised(parameter)?;
    let mut r = Reader::new(content, 0);
    let mut parameters = Vec::new();
    for index in 0..r.u1().unwrap_or(0) {
        let (Ok(name), Ok(modifiers)) = (r.u2(), r.u2()) else {
            break;
        };
        let object = env.state.instantiate(world, parameter);
        if let Some(name) = world.constant_text(class, name) {
            let name = interned_string(env, &name);
            env.set_named_field(object, "name", name.word());
        }
        env.set_named_field(object, "modifiers", u64::from(modifiers));
        env.set_named_field(object, "executable", word(args, 0));
        env.set_named_field(object, "index", u64::from(index));
        parameters.push(object);
    }
    Ok(env
        .ref_array("java/lang/reflect/Parameter", &parameters)?
        .word())
}

/// The `Class` object that a descriptor names.
fn type_mirror(env: &mut Env<'_>, descriptor: &str) -> Result<Ref, Trap> {
    let class = env.world.load(descriptor::class_name(descriptor))?;
    Ok(env.state.mirror(env.world, class))
}

fn interned_string(env: &mut Env<'_>, text: &str) -> Ref {
    let units: Vec<u16> = text.encode_utf16().collect();
    env.state.intern(env.world, env.world.literal(&units))
}

/// Signature and annotations, which fields, methods and components have alike.
fn set_attributes(env: &mut Env<'_>, object: Ref, class: &Class, member: &Member) {
    let Some(file) = &class.file else { return };
    if let Some(content) = file.attribute(member.attributes, "Signature")
        && let Some(&index) = content.first_chunk()
        && let Some(signature) = env.world.constant_text(class, u16::from_be_bytes(index))
    {
        let signature = interned_string(env, &signature);
        env.set_named_field(object, "signature", signature.word());
    }
    let attributes = [
        ("RuntimeVisibleAnnotations", "annotations"),
        ("RuntimeVisibleParameterAnnotations", "parameterAnnotations"),
        ("AnnotationDefault", "annotationDefault"),
    ];
    for (attribute, field) in attributes {
        if let Some(content) = file.attribute(member.attributes, attribute) {
            let bytes = env.state.byte_array(env.world, content);
            env.set_named_field(object, field, bytes.word());
        }
    }
}

fn declared_fields(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let world = env.world;
    let class = world.class(env.class_argument(args, 0)?);
    let field_class = world.load("java/lang/reflect/Field")?;
    env.ensure_initialised(field_class)?;
    let public_only = word(args, 1) != 0;
    let mut objects = Vec::new();
    for (index, field) in class.fields.iter().enumerate() {
        if public_only && field.flags & flags::PUBLIC == 0 {
            continue;
        }
        let object = env.state.instantiate(world, field_class);
        env.set_named_field(object, "clazz", args[0]);
        env.set_named_field(object, "slot", index as u64);
        let name = interned_string(env, world.text(field.name));
        env.set_named_field(object, "name", name.word());
        let field_type = type_mirror(env, world.text(field.descriptor))?;
        env.set_named_field(object, "type", field_type.word());
        env.set_named_field(object, "modifiers", u64::from(field.flags));
        let is_trusted = field.flags & flags::FINAL != 0 && (field.is_static() || is_record(class));
        env.set_named_field(object, "trustedFinal", u64::from(is_trusted));
        if let Some(member) = class
            .file
            .as_ref()
            .and_then(|file| file.fields.get(field.member as usize))
        {
            set_attributes(env, object, class, member);
        }
        objects.push(object);
    }
    Ok(env.ref_array("java/lang/reflect/Field", &objects)?.word())
}

fn is_record(class: &Class) -> bool {
    class
        .file
        .as_ref()
        .is_some_and(|file| file.attribute(file.attributes, "Record").is_some())
}

fn declared_methods(env: &mut Env<'_>, args: &[u64], constructors: bool) -> Answer {
    let world = env.world;
    let class = world.class(env.class_argument(args, 0)?);
    let kind = if constructors {
        "java/lang/reflect/Constructor"
    } else {
        "java/lang/reflect/Method"
    };
    let kind_class = world.load(kind)?;
    env.ensure_initialised(kind_class)?;
    let public_only = word(args, 1) != 0;
    let mut objects = Vec::new();
    for (index, &method) in class.methods.iter().enumerate() {
        let method = world.method(method);
        let name = world.text(method.name);
        let is_wanted = if constructors {
            name == "<init>"
        } else {
            !name.starts_with('<')
        };
        if !is_wanted || (public_only && method.flags & flags::PUBLIC == 0) || class.file.is_none()
        {
            continue;
        }
        objects.push(method_object(env, class, method, kind_class, index)?);
    }
    Ok(env.ref_array(kind, &objects)?.word())
}

fn method_object(
    env: &mut Env<'_>,
    class: &Class,
    method: &Method,
    kind: ClassId,
    index: usize,
) -> Result<Ref, Trap> {
    let world = env.world;
    let Some(signature) = Signature::parse(world.text(method.descriptor)) else {
        return null_pointer();
    };
    let mut parameters = Vec::new();
    for parameter in &signature.parameters {
        parameters.push(type_mirror(env, parameter)?);
    }
    let parameters = env.ref_array(CLASS, &parameters)?;
    let result = type_mirror(env, &signature.result)?;
    let exceptions = thrown(env, class, method)?;
    let object = env.state.instantiate(world, kind);
    let mirror = env.state.mirror(world, class.id);
    let name = interned_string(env, world.text(method.name));
    for (field, value) in [
        ("clazz", mirror.word()),
        ("slot", index as u64),
        ("name", name.word()),
        ("parameterTypes", parameters.word()),
        ("returnType", result.word()),
        ("exceptionTypes", exceptions.word()),
        ("modifiers", u64::from(method.flags)),
    ] {
        env.set_named_field(object, field, value);
    }
    if let Some(member) = class
        .file
        .as_ref()
        .and_then(|file| file.methods.get(method.member as usize))
    {
        set_attributes(env, object, class, member);
    }
    Ok(object)
}

fn thrown(env: &mut Env<'_>, class: &Class, method: &Method) -> Result<Ref, Trap> {
    let mut exceptions = Vec::new();
    if let Some(file) = &class.file
        && let Some(member) = file.methods.get(method.member as usize)
        && let Some(content) = file.attribute(member.attributes, "Exceptions")
    {
        let mut r = Reader::new(content, 0);
        for _ in 0..r.u2().unwrap_or(0) {
            let Ok(index) = r.u2() else { break };
            let exception = class_constant(env.world, class, index)?;
            exceptions.push(env.state.mirror(env.world, exception));
        }
    }
    env.ref_array(CLASS, &exceptions)
}

fn record_components(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let world = env.world;
    let class = world.class(env.class_argument(args, 0)?);
    let Some(file) = &class.file else {
        return Ok(0);
    };
    let Some(content) = file.attribute(file.attributes, "Record") else {
        return Ok(0);
    };
    let component_class = world.load("java/lang/reflect/RecordComponent")?;
    env.ensure_initialised(component_class)?;
    let method_class = world.load("java/lang/reflect/Method")?;
    env.ensure_initialised(method_class)?;
    let mut r = Reader::new(content, 0);
    let mut components = Vec::new();
    for _ in 0..r.u2().unwrap_or(0) {
        let (Ok(name), Ok(descriptor), Ok(attributes)) = (r.u2(), r.u2(), r.u2()) else {
            break;
        };
        let object = env.state.instantiate(world, component_class);
        for _ in 0..attributes {
            let (Ok(kind), Ok(length)) = (r.u2(), r.u4()) else {
                break;
            };
            let Ok(attribute) = r.take(length as usize) else {
                break;
            };
            if file.text(kind).is_ok_and(|kind| kind == "Signature")
                && let Some(&index) = attribute.first_chunk()
                && let Some(signature) = world.constant_text(class, u16::from_be_bytes(index))
            {
                let signature = interned_string(env, &signature);
                env.set_named_field(object, "signature", signature.word());
            }
        }
        let (Ok(name), Ok(descriptor)) = (file.text(name), file.text(descriptor)) else {
            break;
        };
        let accessor = class.declared(
            world.names.intern(&name),
            world.names.intern(&format!("(){descriptor}")),
        );
        if let Some(accessor) = accessor {
            let index = class
                .methods
                .iter()
                .position(|&method| method == accessor)
                .unwrap_or(0);
            let accessor = method_object(env, class, world.method(accessor), method_class, index)?;
            env.set_named_field(object, "accessor", accessor.word());
        }
        let name = interned_string(env, &name);
        let component_type = type_mirror(env, &descriptor)?;
        env.set_named_field(object, "clazz", args[0]);
        env.set_named_field(object, "name", name.word());
        env.set_named_field(object, "type", component_type.word());
        components.push(object);
    }
    Ok(env
        .ref_array("java/lang/reflect/RecordComponent", &components)?
        .word())
}

/// Calls a method or constructor through its object.
fn invoke(env: &mut Env<'_>, executable: Ref, receiver: u64, given: Ref) -> Answer {
    let world = env.world;
    let (class, slot) = (
        Ref::of(env.named_field(executable, "clazz")),
        env.named_field(executable, "slot"),
    );
    let Some(class) = env.state.mirrored(world, class) else {
        return null_pointer();
    };
    let Some(&id) = world.class(class).methods.get(slot as usize) else {
        return null_pointer();
    };
    let method = world.method(id);
    let is_constructor = world.text(method.name) == "<init>";
    if !method.is_static() && !is_constructor {
        let Some(object) = env.state.heap.get(Ref::of(receiver)) else {
            return null_pointer();
        };
        if !world.is_assignable(object.class, class) {
            return raise(
                "java/lang/IllegalArgumentException",
                "object is not an instance of declaring class",
            );
        }
    }
    if is_constructor && world.class(class).is_abstract() {
        return Err(Trap::Raise("java/lang/InstantiationException", None));
    }
    env.ensure_initialised(class)?;
    check_arguments(env, method, given)?;
    let given = own_copy(env, given);
    let stub = match world.invokers.find(&format!("reflect {}", id.0)) {
        Some(stub) => stub,
        None => {
            let stub = reflective(env, class, id, is_constructor);
            let Some(stub) = stub else {
                return Err(Trap::Unsupported(format!(
                    "reflection of {}",
                    world.method_name(id)
                )));
            };
            world.invokers.insert(format!("reflect {}", id.0), stub)
        }
    };
    Err(Trap::Call(
        stub,
        Args::from_slice(&[receiver, given.word()]),
    ))
}

/// An array that others cannot change before its elements are read.
fn own_copy(env: &mut Env<'_>, array: Ref) -> Ref {
    match env.state.heap.get(array) {
        Some(found) if is_shared(env.world, &env.state.heap, array) => {
            let (class, body) = (found.class, found.body.clone());
            env.state.heap.allocate(class, body)
        }
        _ => array,
    }
}

fn check_arguments(env: &mut Env<'_>, method: &Method, given: Ref) -> Result<(), Trap> {
    let world = env.world;
    let Some(signature) = Signature::parse(world.text(method.descriptor)) else {
        return null_pointer();
    };
    let given = env
        .state
        .heap
        .refs(given)
        .map(<[Ref]>::to_vec)
        .unwrap_or_default();
    if given.len() != signature.parameters.len() {
        let message = if env.world.version() >= 18 {
            format!(
                "wrong number of arguments: {} expected: {}",
                given.len(),
                signature.parameters.len()
            )
        } else {
            "wrong number of arguments".to_owned()
        };
        return raise("java/lang/IllegalArgumentException", message);
    }
    for (parameter, argument) in signature.parameters.iter().zip(given) {
        let class = env.state.heap.get(argument).map(|object| object.class);
        let fits = match (Kind::of(parameter), class) {
            (Some(Kind::Ref), None) => true,
            (Some(Kind::Ref), Some(class)) => {
                let wanted = world.load(descriptor::class_name(parameter))?;
                world.is_assignable(class, wanted)
            }
            (Some(kind), Some(class)) => unboxes_to(world.class_name(class), kind),
            _ => false,
        };
        if !fits {
            return raise(
                "java/lang/IllegalArgumentException",
                "argument type mismatch",
            );
        }
    }
    Ok(())
}

/// Whether an object of a class can be unboxed and widened to a kind.
pub(super) fn unboxes_to(class: &str, kind: Kind) -> bool {
    let Some(boxed) = Kind::PRIMITIVES
        .into_iter()
        .find(|kind| kind.box_class() == Some(class))
    else {
        return false;
    };
    let rank = |kind| match kind {
        Kind::Byte => 1,
        Kind::Short => 2,
        Kind::Int => 3,
        Kind::Long => 4,
        Kind::Float => 5,
        Kind::Double => 6,
        _ => 0,
    };
    boxed == kind
        || (boxed == Kind::Char && rank(kind) >= 3)
        || (rank(boxed) > 0 && rank(boxed) < rank(kind))
}

/// A method that takes a receiver and an array of arguments, and wraps what is thrown.
fn reflective(
    env: &Env<'_>,
    class: ClassId,
    id: MethodId,
    is_constructor: bool,
) -> Option<MethodId> {
    let world = env.world;
    let method = world.method(id);
    let signature = Signature::parse(world.text(method.descriptor))?;
    let wrapper = world
        .load("java/lang/reflect/InvocationTargetException")
        .ok()?;
    let descriptor = "(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;";
    stubs::make(world, class, "<reflect>", descriptor, |a| {
        if is_constructor {
            a.new_object(class)?;
        } else if !method.is_static() {
            a.load(0, Kind::Ref)?;
        }
        for (index, parameter) in signature.parameters.iter().enumerate() {
            a.load(1, Kind::Ref)?;
            a.element(index)?;
            unbox_any(a, parameter)?;
        }
        a.builder.pc = 1;
        let op = if method.is_static() {
            Op::InvokeStatic
        } else if is_constructor || method.flags & flags::PRIVATE != 0 {
            Op::InvokeSpecial
        } else if world.class(class).is_interface() {
            Op::InvokeInterface
        } else {
            Op::InvokeVirtual
        };
        a.call(op, id)?;
        a.builder.pc = 2;
        if !is_constructor {
            convert(a, &signature.result, "Ljava/lang/Object;")?;
        }
        a.finish(Kind::Ref)?;
        let target = a.builder.instrs.len() as u32;
        a.builder.push(crate::code::Value::Home, Kind::Ref)?;
        let exception = a.builder.pop_register(Kind::Ref)?;
        a.builder.emit(Op::Move, 0, exception, 0, 0);
        a.new_object(wrapper)?;
        a.load(0, Kind::Ref)?;
        a.call_named(
            Op::InvokeSpecial,
            "java/lang/reflect/InvocationTargetException",
            "<init>",
            "(Ljava/lang/Throwable;)V",
        )?;
        let wrapped = a.builder.pop_register(Kind::Ref)?;
        a.builder.emit(Op::Throw, wrapped, 0, 0, 0);
        a.handlers.push(CodeHandler {
            start: 1,
            end: 2,
            target,
            site: None,
        });
        Ok(())
    })
}

/// Converts an argument, whose box may be narrower than the parameter.
fn unbox_any(a: &mut stubs::Assembler<'_>, parameter: &str) -> crate::classfile::Parsed<()> {
    match Kind::of(parameter) {
        Some(Kind::Boolean) => convert(a, "Ljava/lang/Boolean;", "Z"),
        Some(Kind::Char) => convert(a, "Ljava/lang/Character;", "C"),
        Some(Kind::Ref) | None => Ok(()),
        Some(kind) => {
            let site = a
                .builder
                .resolved_site(Resolved::CallSite(crate::bootstraps::CallSite::Unbox(kind)));
            a.builder
                .call(Op::InvokeDynamic, &[Kind::Ref], false, kind, site)
        }
    }
}

/// The value of a boxed number, widened to a kind.
pub(crate) fn unboxed(env: &Env<'_>, object: Ref, kind: Kind) -> u64 {
    let value = env.named_field(object, "value");
    let class = env
        .state
        .heap
        .get(object)
        .map(|object| env.world.class_name(object.class))
        .unwrap_or_default();
    match (class, kind) {
        ("java/lang/Long", Kind::Float) => u64::from((value.cast_signed() as f32).to_bits()),
        ("java/lang/Long", Kind::Double) => (value.cast_signed() as f64).to_bits(),
        ("java/lang/Float", Kind::Double) => f64::from(f32::from_bits(value as u32)).to_bits(),
        ("java/lang/Long" | "java/lang/Float" | "java/lang/Double" | "java/lang/Boolean", _) => {
            value
        }
        (_, Kind::Long) => i64::from(value as i32).cast_unsigned(),
        (_, Kind::Float) => u64::from((value as i32 as f32).to_bits()),
        (_, Kind::Double) => f64::from(value as i32).to_bits(),
        _ => value,
    }
}

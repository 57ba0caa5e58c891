//! `jdk.internal.misc.Unsafe`: memory by object and offset.
//!
//! A field at slot n has offset 16 + 8n, an array element at index n has offset 16 plus n
//! times its size. Byte arrays may be accessed in larger units.

use super::{Answer, Entry, nothing, null_pointer, raise, reference, word, yes};
use crate::descriptor::Kind;
use crate::heap::{Body, Object, Ref, int};
use crate::interpret::{Env, Trap};
use crate::made_up::Source::Every;
use crate::roles::Role::{Fence, Get, Opaque, Outside, Own, Pure, Put, Swap};
use crate::world::{ClassId, Sort};

const UNSAFE: &str = "jdk/internal/misc/Unsafe";
pub(super) const BASE: u64 = 16;

macro_rules! accessors {
    ($($kind:ident $letter:literal $get:literal $put:literal $get_volatile:literal $put_volatile:literal;)*) => {
        &[$(
            (UNSAFE, $get, concat!("(Ljava/lang/Object;J)", $letter), Get, Every, |env, args| get(env, args, Kind::$kind)),
            (UNSAFE, $put, concat!("(Ljava/lang/Object;J", $letter, ")V"), Put, Every, |env, args| put(env, args, Kind::$kind)),
            (UNSAFE, $get_volatile, "", Get, Every, |env, args| get(env, args, Kind::$kind)),
            (UNSAFE, $put_volatile, "", Put, Every, |env, args| put(env, args, Kind::$kind)),
        )*]
    };
}

pub(super) const ACCESSORS: &[Entry] = accessors! {
    Int "I" "getInt" "putInt" "getIntVolatile" "putIntVolatile";
    Long "J" "getLong" "putLong" "getLongVolatile" "putLongVolatile";
    Ref "Ljava/lang/Object;" "getReference" "putReference" "getReferenceVolatile" "putReferenceVolatile";
    Boolean "Z" "getBoolean" "putBoolean" "getBooleanVolatile" "putBooleanVolatile";
    Byte "B" "getByte" "putByte" "getByteVolatile" "putByteVolatile";
    Short "S" "getShort" "putShort" "getShortVolatile" "putShortVolatile";
    Char "C" "getChar" "putChar" "getCharVolatile" "putCharVolatile";
    Float "F" "getFloat" "putFloat" "getFloatVolatile" "putFloatVolatile";
    Double "D" "getDouble" "putDouble" "getDoubleVolatile" "putDoubleVolatile";
};

pub(super) const TABLE: &[Entry] = &[
    (UNSAFE, "compareAndSetInt", "", Swap, Every, |env, args| {
        compare_and_set(env, args, Kind::Int)
    }),
    (UNSAFE, "compareAndSetLong", "", Swap, Every, |env, args| {
        compare_and_set(env, args, Kind::Long)
    }),
    (
        UNSAFE,
        "compareAndSetReference",
        "",
        Swap,
        Every,
        |env, args| compare_and_set(env, args, Kind::Ref),
    ),
    (UNSAFE, "compareAndSetByte", "", Swap, Every, |env, args| {
        compare_and_set(env, args, Kind::Byte)
    }),
    (
        UNSAFE,
        "compareAndSetShort",
        "",
        Swap,
        Every,
        |env, args| compare_and_set(env, args, Kind::Short),
    ),
    (UNSAFE, "compareAndSetChar", "", Swap, Every, |env, args| {
        compare_and_set(env, args, Kind::Char)
    }),
    (
        UNSAFE,
        "compareAndSetBoolean",
        "",
        Swap,
        Every,
        |env, args| compare_and_set(env, args, Kind::Boolean),
    ),
    (
        UNSAFE,
        "compareAndExchangeInt",
        "",
        Swap,
        Every,
        |env, args| compare_and_exchange(env, args, Kind::Int),
    ),
    (
        UNSAFE,
        "compareAndExchangeLong",
        "",
        Swap,
        Every,
        |env, args| compare_and_exchange(env, args, Kind::Long),
    ),
    (
        UNSAFE,
        "compareAndExchangeReference",
        "",
        Swap,
        Every,
        |env, args| compare_and_exchange(env, args, Kind::Ref),
    ),
    (
        UNSAFE,
        "compareAndExchangeByte",
        "",
        Swap,
        Every,
        |env, args| compare_and_exchange(env, args, Kind::Byte),
    ),
    (
        UNSAFE,
        "compareAndExchangeShort",
        "",
        Swap,
        Every,
        |env, args| compare_and_exchange(env, args, Kind::Short),
    ),
    (
        UNSAFE,
        "compareAndExchangeChar",
        "",
        Swap,
        Every,
        |env, args| compare_and_exchange(env, args, Kind::Char),
    ),
    (
        UNSAFE,
        "compareAndExchangeBoolean",
        "",
        Swap,
        Every,
        |env, args| compare_and_exchange(env, args, Kind::Boolean),
    ),
    (UNSAFE, "arrayBaseOffset0", "", Pure, Every, |_, _| Ok(BASE)),
    (UNSAFE, "arrayIndexScale0", "", Pure, Every, index_scale),
    (UNSAFE, "addressSize0", "", Pure, Every, |_, _| Ok(8)),
    (UNSAFE, "pageSize", "", Pure, Every, |_, _| Ok(4096)),
    (UNSAFE, "isBigEndian0", "", Pure, Every, nothing),
    (UNSAFE, "unalignedAccess0", "", Pure, Every, yes),
    (UNSAFE, "fullFence", "", Fence, Every, nothing),
    (UNSAFE, "loadFence", "", Fence, Every, nothing),
    (UNSAFE, "storeFence", "", Fence, Every, nothing),
    (
        UNSAFE,
        "objectFieldOffset1",
        "",
        Pure,
        Every,
        field_offset_by_name,
    ),
    (UNSAFE, "objectFieldOffset0", "", Pure, Every, field_offset),
    (UNSAFE, "staticFieldOffset0", "", Pure, Every, field_offset),
    (UNSAFE, "staticFieldBase0", "", Pure, Every, |env, args| {
        Ok(env.named_field(reference(args, 1), "clazz"))
    }),
    (
        UNSAFE,
        "shouldBeInitialized0",
        "",
        Opaque,
        Every,
        |env, args| {
            let class = env.class_argument(args, 1)?;
            Ok(u64::from(!env.state.is_initialised(class)))
        },
    ),
    (
        UNSAFE,
        "ensureClassInitialized0",
        "",
        Own,
        Every,
        |env, args| {
            let class = env.class_argument(args, 1)?;
            env.ensure_initialised(class)?;
            Ok(0)
        },
    ),
    (UNSAFE, "allocateInstance", "", Own, Every, |env, args| {
        let class = env.class_argument(args, 1)?;
        let described = env.world.class(class);
        if described.is_abstract() || described.sort != Sort::Instance {
            return raise(
                "java/lang/InstantiationException",
                env.world.class_name(class).replace('/', "."),
            );
        }
        env.ensure_initialised(class)?;
        Ok(env.state.instantiate(env.world, class).word())
    }),
    (
        UNSAFE,
        "allocateUninitializedArray",
        "",
        Pure,
        Every,
        |env, args| {
            let class = env.class_argument(args, 1)?;
            Ok(env.new_array(class, word(args, 2) as i32)?.word())
        },
    ),
    (UNSAFE, "throwException", "", Own, Every, |_, args| {
        Err(Trap::Throw(reference(args, 1)))
    }),
    (UNSAFE, "setMemory0", "", Outside, Every, set_memory),
    (UNSAFE, "copyMemory0", "", Outside, Every, copy_memory),
    (
        UNSAFE,
        "copySwapMemory0",
        "",
        Outside,
        Every,
        copy_swap_memory,
    ),
    (
        UNSAFE,
        "allocateMemory0",
        "",
        Outside,
        Every,
        |env, args| {
            env.make_room(word(args, 1) as usize)?;
            Ok(env.state.memory.allocate(word(args, 1) as usize))
        },
    ),
    (UNSAFE, "freeMemory0", "", Pure, Every, nothing),
];

fn width(kind: Kind) -> u64 {
    match kind {
        Kind::Boolean | Kind::Byte => 1,
        Kind::Char | Kind::Short => 2,
        Kind::Long | Kind::Double => 8,
        _ => 4,
    }
}

/// Reads a value of a kind at an offset.
fn read(object: &Object, offset: u64, kind: Kind) -> Option<u64> {
    let at = offset.checked_sub(BASE)?;
    let scale = object.body.scale();
    let raw = if let Body::Fields(fields) = &object.body {
        *fields.get((at / 8) as usize)?
    } else if scale == width(kind) {
        object.body.read((at / scale) as usize)?
    } else {
        let bytes = (0..width(kind))
            .map(|i| byte_at(&object.body, at + i))
            .collect::<Option<Vec<u8>>>()?;
        bytes
            .iter()
            .rev()
            .fold(0, |value, &byte| value << 8 | u64::from(byte))
    };
    Some(widen(raw, kind))
}

/// The value as registers hold values of its kind.
fn widen(raw: u64, kind: Kind) -> u64 {
    match kind {
        Kind::Boolean => raw & 0xFF,
        Kind::Byte => int(i32::from(raw as i8)),
        Kind::Char => raw & 0xFFFF,
        Kind::Short => int(i32::from(raw as i16)),
        Kind::Long | Kind::Double => raw,
        _ => raw & 0xFFFF_FFFF,
    }
}

fn byte_at(body: &Body, at: u64) -> Option<u8> {
    let scale = body.scale();
    let element = body.read((at / scale) as usize)?;
    Some((element >> (8 * (at % scale))) as u8)
}

fn write(object: &mut Object, offset: u64, kind: Kind, value: u64) -> Option<()> {
    let at = offset.checked_sub(BASE)?;
    let scale = object.body.scale();
    if let Body::Fields(fields) = &mut object.body {
        *fields.get_mut((at / 8) as usize)? = widen(value, kind);
        return Some(());
    }
    if scale == width(kind) {
        return object.body.write((at / scale) as usize, value);
    }
    for i in 0..width(kind) {
        let index = ((at + i) / scale) as usize;
        let shift = 8 * ((at + i) % scale);
        let old = object.body.read(index)?;
        let byte = (value >> (8 * i)) & 0xFF;
        object
            .body
            .write(index, (old & !(0xFF << shift)) | byte << shift)?;
    }
    Some(())
}

/// Reads at an offset of an object, or at an address if there is no object.
fn load(env: &Env<'_>, object: Ref, offset: u64, kind: Kind) -> Answer {
    let found = if object.is_null() {
        let bytes = (0..width(kind))
            .rev()
            .map(|i| env.state.memory.read(offset.wrapping_add(i)));
        let raw = bytes.collect::<Option<Vec<u8>>>().map(|bytes| {
            bytes
                .iter()
                .fold(0, |value, &byte| value << 8 | u64::from(byte))
        });
        raw.map(|raw| widen(raw, kind))
    } else {
        env.state
            .heap
            .get(object)
            .and_then(|object| read(object, offset, kind))
    };
    found.ok_or_else(|| out_of_range(env, object))
}

fn store(env: &mut Env<'_>, object: Ref, offset: u64, kind: Kind, value: u64) -> Answer {
    let done = if object.is_null() {
        let mut bytes = value
            .to_le_bytes()
            .into_iter()
            .take(width(kind) as usize)
            .enumerate();
        bytes.try_for_each(|(i, byte)| env.state.memory.write(offset.wrapping_add(i as u64), byte))
    } else {
        env.state
            .heap
            .get_mut(object)
            .and_then(|object| write(object, offset, kind, value))
    };
    match done {
        Some(()) => Ok(0),
        None => Err(out_of_range(env, object)),
    }
}

fn out_of_range(env: &Env<'_>, object: Ref) -> Trap {
    match env.state.heap.get(object) {
        Some(found) => Trap::Unsupported(format!(
            "an access outside of an object of {}",
            env.world.class_name(found.class)
        )),
        None => Trap::Unsupported("an access outside of memory".to_owned()),
    }
}

fn get(env: &mut Env<'_>, args: &[u64], kind: Kind) -> Answer {
    load(env, reference(args, 1), word(args, 2), kind)
}

fn put(env: &mut Env<'_>, args: &[u64], kind: Kind) -> Answer {
    store(env, reference(args, 1), word(args, 2), kind, word(args, 3))
}

fn compare_and_exchange(env: &mut Env<'_>, args: &[u64], kind: Kind) -> Answer {
    let current = get(env, args, kind)?;
    if current == widen(word(args, 3), kind) {
        store(env, reference(args, 1), word(args, 2), kind, word(args, 4))?;
    }
    Ok(current)
}

fn compare_and_set(env: &mut Env<'_>, args: &[u64], kind: Kind) -> Answer {
    let before = compare_and_exchange(env, args, kind)?;
    Ok(u64::from(before == widen(word(args, 3), kind)))
}

fn index_scale(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let class = env.class_argument(args, 1)?;
    let Sort::Array(element) = env.world.class(class).sort else {
        return null_pointer();
    };
    Ok(match env.world.class(element).sort {
        Sort::Primitive(kind) => width(kind),
        _ => 4,
    })
}

fn field_offset_by_name(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let class = env.class_argument(args, 1)?;
    let name = env.text(args, 2)?;
    match find_slot(env, class, &name) {
        Some(slot) => Ok(BASE + 8 * u64::from(slot)),
        None => raise("java/lang/InternalError", name),
    }
}

fn find_slot(env: &Env<'_>, class: ClassId, name: &str) -> Option<u32> {
    env.world
        .slot_of(class, name)
        .or_else(|| env.world.static_slot_of(class, name))
}

/// The offset of a `java.lang.reflect.Field`.
fn field_offset(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let field = reference(args, 1);
    let (class, slot) = (
        Ref::of(env.named_field(field, "clazz")),
        env.named_field(field, "slot") as usize,
    );
    let Some(class) = env.state.mirrored(env.world, class) else {
        return null_pointer();
    };
    let Some(field) = env.world.class(class).fields.get(slot) else {
        return null_pointer();
    };
    let slot = if field.is_static() {
        env.world.static_slot(field)
    } else {
        field.slot
    };
    Ok(BASE + 8 * u64::from(slot))
}

fn set_memory(env: &mut Env<'_>, args: &[u64]) -> Answer {
    for i in 0..word(args, 3) {
        store(
            env,
            reference(args, 1),
            word(args, 2).wrapping_add(i),
            Kind::Byte,
            word(args, 4),
        )?;
    }
    Ok(0)
}

fn copy_memory(env: &mut Env<'_>, args: &[u64]) -> Answer {
    copy(env, args, 1)
}

/// Copies elements of some bytes each, with the bytes of each in reverse order.
fn copy_swap_memory(env: &mut Env<'_>, args: &[u64]) -> Answer {
    copy(env, args, word(args, 6).max(1))
}

fn copy(env: &mut Env<'_>, args: &[u64], size: u64) -> Answer {
    let place = |i: u64| i / size * size + (size - 1 - i % size);
    let mut copied = Vec::new();
    for i in 0..word(args, 5) {
        copied.push(load(
            env,
            reference(args, 1),
            word(args, 2).wrapping_add(place(i)),
            Kind::Byte,
        )?);
    }
    for (i, byte) in copied.into_iter().enumerate() {
        store(
            env,
            reference(args, 3),
            word(args, 4).wrapping_add(i as u64),
            Kind::Byte,
            byte,
        )?;
    }
    Ok(0)
}

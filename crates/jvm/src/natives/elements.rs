//! `java.lang.reflect.Array`: arrays of any type, and their elements.

use super::reflect::{unboxed, unboxes_to};
use super::{Answer, Entry, Native, integer, null_pointer, raise, reference, word};
use crate::descriptor::Kind;
use crate::heap::Body;
use crate::interpret::{Args, Env, Trap};
use crate::made_up::Source::Every;
use crate::roles::Role::{GetElement, Pure, ReadAll, SetElement};
use crate::world::Sort;

const ARRAY: &str = "java/lang/reflect/Array";

const GET_ELEMENT: Native = |env, args| get_element(env, args);
const SET_ELEMENT: Native = |env, args| set_element(env, args);

pub(super) const TABLE: &[Entry] = &[
    (ARRAY, "newArray", "", Pure, Every, |env, args| {
        let class = env.class_argument(args, 0)?;
        if env.world.class(class).sort == Sort::Primitive(Kind::Void) {
            return Err(Trap::Raise("java/lang/IllegalArgumentException", None));
        }
        Ok(env.new_array(class, integer(args, 1))?.word())
    }),
    (
        ARRAY,
        "multiNewArray",
        "",
        ReadAll(1),
        Every,
        multi_new_array,
    ),
    (ARRAY, "getLength", "", Pure, Every, |env, args| {
        let Some(array) = env.state.heap.get(reference(args, 0)) else {
            return null_pointer();
        };
        match array.body.length() {
            Some(length) => Ok(length as u64),
            None => raise(
                "java/lang/IllegalArgumentException",
                "Argument is not an array",
            ),
        }
    }),
    (ARRAY, "get", "", GetElement, Every, get_boxed),
    (ARRAY, "set", "", SetElement, Every, set_boxed),
    (ARRAY, "getBoolean", "", GetElement, Every, GET_ELEMENT),
    (ARRAY, "getByte", "", GetElement, Every, GET_ELEMENT),
    (ARRAY, "getChar", "", GetElement, Every, GET_ELEMENT),
    (ARRAY, "getShort", "", GetElement, Every, GET_ELEMENT),
    (ARRAY, "getInt", "", GetElement, Every, GET_ELEMENT),
    (ARRAY, "getLong", "", GetElement, Every, GET_ELEMENT),
    (ARRAY, "getFloat", "", GetElement, Every, GET_ELEMENT),
    (ARRAY, "getDouble", "", GetElement, Every, GET_ELEMENT),
    (ARRAY, "setBoolean", "", SetElement, Every, SET_ELEMENT),
    (ARRAY, "setByte", "", SetElement, Every, SET_ELEMENT),
    (ARRAY, "setChar", "", SetElement, Every, SET_ELEMENT),
    (ARRAY, "setShort", "", SetElement, Every, SET_ELEMENT),
    (ARRAY, "setInt", "", SetElement, Every, SET_ELEMENT),
    (ARRAY, "setLong", "", SetElement, Every, SET_ELEMENT),
    (ARRAY, "setFloat", "", SetElement, Every, SET_ELEMENT),
    (ARRAY, "setDouble", "", SetElement, Every, SET_ELEMENT),
];

fn multi_new_array(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let mut class = env.class_argument(args, 0)?;
    let lengths = match env
        .state
        .heap
        .get(reference(args, 1))
        .map(|array| &array.body)
    {
        Some(Body::Ints(lengths)) => lengths.to_vec(),
        _ => return null_pointer(),
    };
    if lengths.is_empty() || lengths.len() > 255 {
        return raise(
            "java/lang/IllegalArgumentException",
            "Empty dimensions array",
        );
    }
    if let Some(&length) = lengths.iter().find(|&&length| length < 0) {
        return raise("java/lang/NegativeArraySizeException", length.to_string());
    }
    for _ in &lengths {
        class = env.world.array_of(class)?;
    }
    Ok(env.new_multi_array(class, &lengths)?.word())
}

/// The element of an array, and its kind.
fn element(env: &Env<'_>, args: &[u64]) -> Result<(u64, Kind), Trap> {
    let Some(array) = env.state.heap.get(reference(args, 0)) else {
        return null_pointer();
    };
    let (Some(length), Sort::Array(element)) =
        (array.body.length(), env.world.class(array.class).sort)
    else {
        return raise(
            "java/lang/IllegalArgumentException",
            "Argument is not an array",
        );
    };
    let index = integer(args, 1);
    let value = usize::try_from(index)
        .ok()
        .and_then(|index| array.body.read(index));
    let kind = match env.world.class(element).sort {
        Sort::Primitive(kind) => kind,
        _ => Kind::Ref,
    };
    value
        .map(|value| (value, kind))
        .ok_or_else(|| crate::interpret::out_of_bounds(index, length))
}

fn get_element(env: &mut Env<'_>, args: &[u64]) -> Answer {
    element(env, args).map(|(value, _)| value)
}

fn set_element(env: &mut Env<'_>, args: &[u64]) -> Answer {
    element(env, args)?;
    if let Some(array) = env.state.heap.get_mut(reference(args, 0)) {
        array.body.write(integer(args, 1) as usize, word(args, 2));
    }
    Ok(0)
}

fn get_boxed(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let (value, kind) = element(env, args)?;
    let Some(class) = kind.box_class() else {
        return Ok(value);
    };
    let box_method =
        env.world
            .method_of(class, "valueOf", &format!("({})L{class};", kind.letter()));
    let Some(method) = box_method else {
        return null_pointer();
    };
    env.ensure_initialised(env.world.method(method).class)?;
    Err(Trap::Call(method, Args::from_slice(&[value])))
}

fn set_boxed(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let (_, kind) = element(env, args)?;
    let given = reference(args, 2);
    let class = env.state.heap.get(given).map(|object| object.class);
    let value = match (kind, class) {
        (Kind::Ref, class) => {
            let array = env
                .state
                .heap
                .get(reference(args, 0))
                .map(|array| env.world.class(array.class).sort);
            if let (Some(Sort::Array(wanted)), Some(class)) = (array, class)
                && !env.world.is_assignable(class, wanted)
            {
                return raise(
                    "java/lang/IllegalArgumentException",
                    "array element type mismatch",
                );
            }
            given.word()
        }
        (kind, Some(class)) if unboxes_to(env.world.class_name(class), kind) => {
            unboxed(env, given, kind)
        }
        _ => {
            return raise(
                "java/lang/IllegalArgumentException",
                "argument type mismatch",
            );
        }
    };
    if let Some(array) = env.state.heap.get_mut(reference(args, 0)) {
        array.body.write(integer(args, 1) as usize, value);
    }
    Ok(0)
}

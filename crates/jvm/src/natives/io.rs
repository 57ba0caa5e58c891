//! `java.io`: standard streams, and files in memory.

use super::{Answer, Entry, integer, nothing, null_pointer, reference, word};
use crate::heap::{Body, Ref, int};
use crate::interpret::{Env, Trap};

const OUT: &str = "java/io/FileOutputStream";
const IN: &str = "java/io/FileInputStream";
const DESCRIPTOR: &str = "java/io/FileDescriptor";

pub(super) const TABLE: &[Entry] = &[
    (OUT, "writeBytes", "", write_bytes),
    (OUT, "write", "(IZ)V", |env, args| {
        let descriptor = descriptor_of(env, reference(args, 0));
        write(env, descriptor, &[word(args, 1) as u8])
    }),
    (IN, "readBytes", "", read_bytes),
    (IN, "readBytes0", "", read_bytes),
    (IN, "read0", "", |env, args| {
        let descriptor = descriptor_of(env, reference(args, 0));
        let bytes = read(env, descriptor, 1)?;
        Ok(bytes.first().map_or(int(-1), |&byte| u64::from(byte)))
    }),
    (IN, "available0", "", nothing),
    (IN, "isRegularFile0", "", nothing),
    (DESCRIPTOR, "getHandle", "", |_, _| {
        Ok((-1_i64).cast_unsigned())
    }),
    (DESCRIPTOR, "getAppend", "", nothing),
    (DESCRIPTOR, "close0", "", nothing),
    (DESCRIPTOR, "sync", "", nothing),
    (DESCRIPTOR, "sync0", "", nothing),
];

fn descriptor_of(env: &Env<'_>, stream: Ref) -> i32 {
    let descriptor = Ref::of(env.named_field(stream, "fd"));
    env.named_field(descriptor, "fd") as i32
}

fn write(env: &mut Env<'_>, descriptor: i32, bytes: &[u8]) -> Answer {
    if descriptor == 1 || descriptor == 2 {
        env.host.write(descriptor, bytes);
        return Ok(0);
    }
    Err(Trap::Unsupported("writing to a file".to_owned()))
}

fn write_bytes(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let Some(bytes) = env.state.heap.bytes(reference(args, 1)) else {
        return null_pointer();
    };
    let (at, count) = (integer(args, 2), integer(args, 3));
    let range = usize::try_from(at).ok().zip(usize::try_from(count).ok());
    let Some(part) = range.and_then(|(at, count)| bytes.get(at..at.checked_add(count)?)) else {
        return Err(Trap::Raise("java/lang/IndexOutOfBoundsException", None));
    };
    let part: Vec<u8> = part.iter().map(|byte| byte.cast_unsigned()).collect();
    let descriptor = descriptor_of(env, reference(args, 0));
    write(env, descriptor, &part)
}

fn read(env: &mut Env<'_>, descriptor: i32, limit: usize) -> Result<Vec<u8>, Trap> {
    if descriptor == 0 {
        return Ok(env.host.read(limit));
    }
    Err(Trap::Unsupported("reading from a file".to_owned()))
}

fn read_bytes(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let (at, count) = (
        integer(args, 2).max(0) as usize,
        integer(args, 3).max(0) as usize,
    );
    let Some(length) = env.state.heap.bytes(reference(args, 1)).map(<[i8]>::len) else {
        return null_pointer();
    };
    if at + count > length {
        return Err(Trap::Raise("java/lang/IndexOutOfBoundsException", None));
    }
    if count == 0 {
        return Ok(0);
    }
    let descriptor = descriptor_of(env, reference(args, 0));
    let bytes = read(env, descriptor, count)?;
    if bytes.is_empty() {
        return Ok(int(-1));
    }
    if let Some(Body::Bytes(target)) = env
        .state
        .heap
        .get_mut(reference(args, 1))
        .map(|array| &mut array.body)
    {
        for (place, &byte) in target[at..].iter_mut().zip(&bytes) {
            *place = byte.cast_signed();
        }
    }
    Ok(bytes.len() as u64)
}

//! `java.io`: standard streams, and files in memory.

use super::{Answer, Entry, Native, integer, nothing, null_pointer, raise, reference, word, yes};
use crate::files::{Found, Mode, absolute};
use crate::heap::{Body, Ref, int};
use crate::interpret::{Env, Trap};
use crate::made_up::Source::{self, Depends, Every, Impossible, Possible};
use crate::made_up::leave_out;
use crate::roles::Role::{Output, Outside, Pure};

const OUT: &str = "java/io/FileOutputStream";
const IN: &str = "java/io/FileInputStream";
const RANDOM: &str = "java/io/RandomAccessFile";
const DESCRIPTOR: &str = "java/io/FileDescriptor";
const SYSTEM: &str = "java/io/UnixFileSystem";

pub(super) const PERMISSIONS: Source = Possible("permissions of files");
pub(super) const SPACE: Source = Possible("the space on a disk");
pub(super) const TIMES: Source = Impossible("setting the times of files");

/// How many bytes the name of a file has.
const LONGEST_NAME: u64 = 255;

/// How many bytes a file has room for.
const LARGEST_FILE: usize = 1 << 30;

const LENGTH: Native = |env, args| {
    let descriptor = descriptor_of(env, reference(args, 0));
    Ok(env.state.files.length(descriptor).unwrap_or(0) as u64)
};
const SET_LENGTH: Native = |env, args| {
    let descriptor = descriptor_of(env, reference(args, 0));
    set_length(env, descriptor, word(args, 1))
};
const POSITION: Native = |env, args| {
    let descriptor = descriptor_of(env, reference(args, 0));
    Ok(env.state.files.position(descriptor).unwrap_or(0) as u64)
};
const LIST: Native = |env, args| {
    let path = file_path(env, args)?;
    let Some(names) = env.state.files.list(env.world, &path) else {
        env.find_file(&path);
        return Ok(0);
    };
    let names: Vec<Ref> = names
        .iter()
        .map(|name| Ref::of(env.new_string(name)))
        .collect();
    Ok(env.ref_array("java/lang/String", &names)?.word())
};
const FILE_LENGTH: Native = |env, args| {
    let path = file_path(env, args)?;
    Ok(match env.find_file(&path) {
        Some(Found::File(length)) => length as u64,
        _ => 0,
    })
};
const EXISTS: Native = |env, args| {
    let path = file_path(env, args)?;
    Ok(u64::from(env.find_file(&path).is_some()))
};
const MODIFIED: Native = |env, args| {
    let path = file_path(env, args)?;
    match env.find_file(&path) {
        Some(_) => {
            env.one_of_many("File.lastModified()");
            Ok(super::system::EPOCH_MILLIS)
        }
        None => Ok(0),
    }
};
const CREATE_FOLDER: Native = |env, args| {
    let path = file_path(env, args)?;
    env.find_file(&path);
    Ok(u64::from(env.state.files.create_folder(&path)))
};
const CREATE_FILE: Native = |env, args| {
    let path = env.text(args, 1)?;
    env.find_file(&path);
    match env.state.files.create_file(&path) {
        Some(is_new) => Ok(u64::from(is_new)),
        None => raise("java/io/IOException", "No such file or directory"),
    }
};

pub(super) const TABLE: &[Entry] = &[
    (OUT, "writeBytes", "", Output, Every, write_bytes),
    (OUT, "write", "(IZ)V", Output, Every, write_byte),
    (OUT, "open0", "", Outside, Every, |env, args| {
        let appends = word(args, 2) != 0;
        open(
            env,
            args,
            Mode {
                writes: true,
                creates: true,
                truncates: !appends,
                appends,
            },
        )
    }),
    (IN, "open0", "", Outside, Every, |env, args| {
        open(env, args, Mode::default())
    }),
    (IN, "readBytes", "", Outside, Depends, read_bytes),
    (IN, "readBytes0", "", Outside, Depends, read_bytes),
    (IN, "read0", "", Outside, Depends, read_byte),
    (IN, "length0", "", Outside, Every, LENGTH),
    (IN, "position0", "", Outside, Every, POSITION),
    (IN, "skip0", "", Outside, Every, |env, args| {
        let descriptor = descriptor_of(env, reference(args, 0));
        let at = env.state.files.position(descriptor).unwrap_or(0) as u64;
        env.state
            .files
            .seek(descriptor, at.saturating_add(word(args, 1)) as usize);
        Ok(word(args, 1))
    }),
    (IN, "available0", "", Outside, Every, |env, args| {
        let descriptor = descriptor_of(env, reference(args, 0));
        if let (0, Some(input)) = (descriptor, &env.world.input) {
            return Ok(env.state.files.input_left(input).len() as u64);
        }
        let length = env.state.files.length(descriptor).unwrap_or(0);
        Ok(length.saturating_sub(env.state.files.position(descriptor).unwrap_or(0)) as u64)
    }),
    (IN, "isRegularFile0", "", Outside, Every, yes),
    (RANDOM, "open0", "", Outside, Every, |env, args| {
        // Bits of the mode: 1 reads only, 2 reads and writes.
        let writes = integer(args, 2) & 2 != 0;
        open(
            env,
            args,
            Mode {
                writes,
                creates: writes,
                truncates: false,
                appends: false,
            },
        )
    }),
    (RANDOM, "read0", "", Outside, Depends, read_byte),
    (RANDOM, "readBytes", "", Outside, Depends, read_bytes),
    (RANDOM, "readBytes0", "", Outside, Depends, read_bytes),
    (RANDOM, "write0", "", Outside, Every, write_byte),
    (RANDOM, "writeBytes", "([BII)V", Outside, Every, write_bytes),
    (RANDOM, "writeBytes0", "", Outside, Every, write_bytes),
    (RANDOM, "getFilePointer", "", Outside, Every, POSITION),
    (RANDOM, "length", "", Outside, Every, LENGTH),
    (RANDOM, "length0", "", Outside, Every, LENGTH),
    (RANDOM, "seek0", "", Outside, Every, |env, args| {
        let descriptor = descriptor_of(env, reference(args, 0));
        env.state.files.seek(descriptor, word(args, 1) as usize);
        Ok(0)
    }),
    (RANDOM, "setLength", "", Outside, Every, SET_LENGTH),
    (RANDOM, "setLength0", "", Outside, Every, SET_LENGTH),
    (DESCRIPTOR, "getHandle", "", Pure, Every, |_, _| {
        Ok((-1_i64).cast_unsigned())
    }),
    (DESCRIPTOR, "getAppend", "", Pure, Every, nothing),
    (DESCRIPTOR, "close0", "", Outside, Every, |env, args| {
        let descriptor = env.named_field(reference(args, 0), "fd") as i32;
        env.state.files.close(descriptor);
        env.set_named_field(reference(args, 0), "fd", int(-1));
        Ok(0)
    }),
    (
        "java/io/FileCleanable",
        "cleanupClose0",
        "",
        Outside,
        Every,
        nothing,
    ),
    (DESCRIPTOR, "sync", "", Outside, Every, nothing),
    (DESCRIPTOR, "sync0", "", Outside, Every, nothing),
    (SYSTEM, "canonicalize0", "", Pure, Every, |env, args| {
        let path = env.text(args, 1)?;
        Ok(env.new_string(&absolute(&path)))
    }),
    (
        SYSTEM,
        "getBooleanAttributes0",
        "",
        Outside,
        Every,
        |env, args| {
            let path = file_path(env, args)?;
            Ok(match env.find_file(&path) {
                None => 0,
                Some(Found::File(_)) => 1 | 2,
                Some(Found::Folder) => 1 | 4,
            })
        },
    ),
    (SYSTEM, "checkAccess", "", Outside, Every, EXISTS),
    (SYSTEM, "checkAccess0", "", Outside, Every, EXISTS),
    (
        SYSTEM,
        "getLastModifiedTime",
        "",
        Outside,
        Depends,
        MODIFIED,
    ),
    (
        SYSTEM,
        "getLastModifiedTime0",
        "",
        Outside,
        Depends,
        MODIFIED,
    ),
    (SYSTEM, "getLength", "", Outside, Every, FILE_LENGTH),
    (SYSTEM, "getLength0", "", Outside, Every, FILE_LENGTH),
    (
        SYSTEM,
        "createFileExclusively",
        "",
        Outside,
        Every,
        CREATE_FILE,
    ),
    (
        SYSTEM,
        "createFileExclusively0",
        "",
        Outside,
        Every,
        CREATE_FILE,
    ),
    (SYSTEM, "delete0", "", Outside, Every, |env, args| {
        let path = file_path(env, args)?;
        env.find_file(&path);
        Ok(u64::from(env.state.files.delete(&path)))
    }),
    (SYSTEM, "getNameMax0", "", Pure, Every, |_, _| {
        Ok(LONGEST_NAME)
    }),
    (SYSTEM, "list", "", Outside, Every, LIST),
    (SYSTEM, "list0", "", Outside, Every, LIST),
    (SYSTEM, "createDirectory", "", Outside, Every, CREATE_FOLDER),
    (
        SYSTEM,
        "createDirectory0",
        "",
        Outside,
        Every,
        CREATE_FOLDER,
    ),
    (SYSTEM, "rename0", "", Outside, Every, |env, args| {
        let from = file_path(env, args)?;
        let to = Ref::of(env.named_field(reference(args, 2), "path"));
        let Some(to) = env.state.text_of(env.world, to) else {
            return null_pointer();
        };
        env.find_file(&from);
        env.find_file(&to);
        Ok(u64::from(env.state.files.rename(&from, &to)))
    }),
    (SYSTEM, "setPermission", "", Outside, PERMISSIONS, yes),
    (SYSTEM, "setPermission0", "", Outside, PERMISSIONS, yes),
    (SYSTEM, "setLastModifiedTime", "", Outside, TIMES, yes),
    (SYSTEM, "setLastModifiedTime0", "", Outside, TIMES, yes),
    (SYSTEM, "setReadOnly", "", Outside, PERMISSIONS, yes),
    (SYSTEM, "setReadOnly0", "", Outside, PERMISSIONS, yes),
    (SYSTEM, "getSpace", "", Outside, SPACE, nothing),
    (SYSTEM, "getSpace0", "", Outside, SPACE, nothing),
];

/// The path of a `File` argument.
fn file_path(env: &Env<'_>, args: &[u64]) -> Result<String, Trap> {
    let path = Ref::of(env.named_field(reference(args, 1), "path"));
    match env.state.text_of(env.world, path) {
        Some(path) => Ok(path),
        None => null_pointer(),
    }
}

fn descriptor_of(env: &Env<'_>, stream: Ref) -> i32 {
    let descriptor = Ref::of(env.named_field(stream, "fd"));
    env.named_field(descriptor, "fd") as i32
}

fn open(env: &mut Env<'_>, args: &[u64], mode: Mode) -> Answer {
    let path = env.text(args, 1)?;
    if mode.writes && !mode.truncates {
        env.find_file(&path);
    }
    match env.state.files.open(env.world, &path, mode) {
        Ok(number) => {
            let descriptor = Ref::of(env.named_field(reference(args, 0), "fd"));
            env.set_named_field(descriptor, "fd", int(number));
            Ok(0)
        }
        Err(error) => {
            env.find_file(&path);
            raise("java/io/FileNotFoundException", format!("{path} ({error})"))
        }
    }
}

fn write(env: &mut Env<'_>, descriptor: i32, bytes: &[u8]) -> Answer {
    if descriptor == 1 || descriptor == 2 {
        env.host.write(descriptor, bytes);
        return Ok(0);
    }
    match write_to_file(env, descriptor, bytes)? {
        Some(()) => Ok(0),
        None => raise("java/io/IOException", "Stream Closed"),
    }
}

/// Reads from an open file. Of random numbers there are many, and always the same ones here.
pub(super) fn read_from_file(env: &mut Env<'_>, descriptor: i32, limit: usize) -> Option<Vec<u8>> {
    if env.state.files.is_open_random(descriptor) {
        let what = "random numbers of the system (SecureRandom, UUID.randomUUID)";
        leave_out(env.world, env.state, what);
    }
    env.state.files.read(descriptor, limit)
}

/// Writes to an open file, if there is memory for it.
pub(super) fn write_to_file(
    env: &mut Env<'_>,
    descriptor: i32,
    bytes: &[u8],
) -> Result<Option<()>, Trap> {
    let growth = env.state.files.growth(descriptor, bytes.len());
    make_room_in_file(env, growth.unwrap_or(0))?;
    Ok(env.state.files.write(descriptor, bytes))
}

fn make_room_in_file(env: &mut Env<'_>, bytes: usize) -> Result<(), Trap> {
    match bytes <= LARGEST_FILE {
        true => env.make_room_in_process(bytes),
        false => Err(Trap::Unsupported("files of more than 1 GiB".to_owned())),
    }
}

/// Gives an open file another length, if there is memory for it.
pub(super) fn set_length(env: &mut Env<'_>, descriptor: i32, length: u64) -> Answer {
    let before = env.state.files.length(descriptor).unwrap_or(0);
    make_room_in_file(env, (length as usize).saturating_sub(before))?;
    match env.state.files.set_length(descriptor, length as usize) {
        Some(()) => Ok(0),
        None => raise("java/io/IOException", "Invalid argument"),
    }
}

fn write_byte(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let descriptor = descriptor_of(env, reference(args, 0));
    write(env, descriptor, &[word(args, 1) as u8])
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
        if let Some(input) = &env.world.input {
            return Ok(env.state.files.read_input(input, limit));
        }
        let bytes = env.host.read(limit);
        if bytes.is_empty() {
            env.one_of_many("System.in, which is empty");
        }
        return Ok(bytes);
    }
    match read_from_file(env, descriptor, limit) {
        Some(bytes) => Ok(bytes),
        None => raise("java/io/IOException", "Stream Closed"),
    }
}

fn read_byte(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let descriptor = descriptor_of(env, reference(args, 0));
    let bytes = read(env, descriptor, 1)?;
    Ok(bytes.first().map_or(int(-1), |&byte| u64::from(byte)))
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

//! `java.nio.file` and file channels, on the files in memory.

use super::io::{PERMISSIONS, SPACE, TIMES, read_from_file, set_length, write_to_file};
use super::{Answer, Entry, Native, integer, nothing, null_pointer, raise, reference, word, yes};
use crate::files::{Found, Mode, absolute};
use crate::heap::{Ref, int};
use crate::interpret::{Env, Trap};
use crate::made_up::Source::Every;
use crate::roles::Role::{Outside, Pure};

const DISPATCHER: &str = "sun/nio/fs/UnixNativeDispatcher";
const LINUX: &str = "sun/nio/fs/LinuxNativeDispatcher";
const CHANNEL: &str = "sun/nio/ch/FileDispatcherImpl";
const UNIX_CHANNEL: &str = "sun/nio/ch/UnixFileDispatcherImpl";
const IO: &str = "sun/nio/ch/IOUtil";
const NATIVE_THREAD: &str = "sun/nio/ch/NativeThread";

const NO_ENTRY: i32 = 2;
const EXISTS: i32 = 17;
const NOT_EMPTY: i32 = 39;
const IS_FOLDER: i32 = 21;
const NOT_FOLDER: i32 = 20;

const READ: Native = |env, args| {
    let descriptor = number_of(env, reference(args, 0));
    read_to(env, descriptor, word(args, 1), integer(args, 2))
};
const WRITE: Native = |env, args| {
    let descriptor = number_of(env, reference(args, 0));
    write_from(env, descriptor, word(args, 1), integer(args, 2))
};
const READ_AT: Native = |env, args| {
    let descriptor = number_of(env, reference(args, 0));
    let before = env.state.files.position(descriptor).unwrap_or(0);
    env.state.files.seek(descriptor, word(args, 3) as usize);
    let result = read_to(env, descriptor, word(args, 1), integer(args, 2));
    env.state.files.seek(descriptor, before);
    result
};
const WRITE_AT: Native = |env, args| {
    let descriptor = number_of(env, reference(args, 0));
    let before = env.state.files.position(descriptor).unwrap_or(0);
    env.state.files.seek(descriptor, word(args, 3) as usize);
    let result = write_from(env, descriptor, word(args, 1), integer(args, 2));
    env.state.files.seek(descriptor, before);
    result
};
const SIZE: Native = |env, args| {
    let descriptor = number_of(env, reference(args, 0));
    Ok(env.state.files.length(descriptor).unwrap_or(0) as u64)
};
const SEEK: Native = |env, args| {
    let descriptor = number_of(env, reference(args, 0));
    if word(args, 1).cast_signed() >= 0 {
        env.state.files.seek(descriptor, word(args, 1) as usize);
    }
    Ok(env.state.files.position(descriptor).unwrap_or(0) as u64)
};
const TRUNCATE: Native = |env, args| {
    let descriptor = number_of(env, reference(args, 0));
    set_length(env, descriptor, word(args, 1))
};
const CLOSE: Native = |env, args| {
    let descriptor = number_of(env, reference(args, 0));
    env.state.files.close(descriptor);
    Ok(0)
};
const CLOSE_NUMBER: Native = |env, args| {
    env.state.files.close(integer(args, 0));
    Ok(0)
};
const CLOSE_FOLDER: Native = |env, args| {
    env.state.files.close(word(args, 0) as i32);
    Ok(0)
};
const STAT: Native = |env, args| {
    let path = path(env, args, 0)?;
    match stat(env, &path, reference(args, 1)) {
        Some(()) => Ok(0),
        None => fail(env, NO_ENTRY),
    }
};
const NEXT_NAME: Native = |env, args| match env.state.files.next_name(word(args, 0) as i32) {
    Some(name) => Ok(env.state.byte_array(env.world, name.as_bytes()).word()),
    None => Ok(0),
};
const STAT_OPEN: Native = |env, args| {
    let Some((path, found)) = env.state.files.opened(env.world, integer(args, 0)) else {
        return fail(env, 9);
    };
    let path = path.to_owned();
    fill_attributes(env, &path, found, reference(args, 1));
    Ok(0)
};
/// Copies what is left of one open file to another.
const COPY: Native = |env, args| {
    let bytes = read_from_file(env, integer(args, 1), usize::MAX / 2);
    let copied = match bytes {
        Some(bytes) => write_to_file(env, integer(args, 0), &bytes)?,
        None => None,
    };
    match copied {
        Some(()) => Ok(0),
        None => fail(env, 9),
    }
};
const NO_TRANSFER: Native = |_, _| Ok((-4_i64).cast_unsigned());

pub(super) const TABLE: &[Entry] = &[
    (DISPATCHER, "init", "", Pure, Every, nothing),
    (LINUX, "init", "", Pure, Every, nothing),
    (DISPATCHER, "getcwd", "", Pure, Every, |env, _| {
        Ok(env.state.byte_array(env.world, b"/").word())
    }),
    (DISPATCHER, "open0", "", Outside, Every, open),
    (DISPATCHER, "close0", "", Outside, Every, CLOSE_NUMBER),
    (DISPATCHER, "unlink0", "", Outside, Every, |env, args| {
        let path = path(env, args, 0)?;
        remove(env, &path, false)
    }),
    (DISPATCHER, "rmdir0", "", Outside, Every, |env, args| {
        let path = path(env, args, 0)?;
        remove(env, &path, true)
    }),
    (DISPATCHER, "mkdir0", "", Outside, Every, |env, args| {
        let path = path(env, args, 0)?;
        if env.find_file(&path).is_some() {
            return fail(env, EXISTS);
        }
        if env.state.files.create_folder(&path) {
            Ok(0)
        } else {
            fail(env, NO_ENTRY)
        }
    }),
    (DISPATCHER, "rename0", "", Outside, Every, |env, args| {
        let (from, to) = (path(env, args, 0)?, path(env, args, 1)?);
        let (moved, there) = (env.find_file(&from), env.find_file(&to));
        if env.state.files.rename(&from, &to) {
            return Ok(0);
        }
        match (moved, there) {
            (None, _) | (_, None) => fail(env, NO_ENTRY),
            (Some(Found::File(_)), Some(Found::Folder)) => fail(env, IS_FOLDER),
            (Some(Found::Folder), Some(Found::File(_))) => fail(env, NOT_FOLDER),
            _ => fail(env, NOT_EMPTY),
        }
    }),
    (DISPATCHER, "realpath0", "", Outside, Every, |env, args| {
        let path = path(env, args, 0)?;
        if env.find_file(&path).is_none() {
            return fail(env, NO_ENTRY);
        }
        Ok(env
            .state
            .byte_array(env.world, absolute(&path).as_bytes())
            .word())
    }),
    (DISPATCHER, "readlink0", "", Pure, Every, |env, _| {
        fail(env, 22)
    }),
    (
        DISPATCHER,
        "stat0",
        "(JLsun/nio/fs/UnixFileAttributes;)I",
        Outside,
        Every,
        |env, args| {
            let path = path(env, args, 0)?;
            Ok(stat(env, &path, reference(args, 1)).map_or(int(NO_ENTRY), |()| 0))
        },
    ),
    (DISPATCHER, "stat0", "", Outside, Every, STAT),
    (DISPATCHER, "lstat0", "", Outside, Every, STAT),
    (DISPATCHER, "stat1", "", Outside, Every, |env, args| {
        let path = path(env, args, 0)?;
        Ok(match env.find_file(&path) {
            Some(Found::File(_)) => 0x81A4,
            Some(Found::Folder) => 0x41ED,
            None => 0,
        })
    }),
    (DISPATCHER, "fstat", "", Outside, Every, STAT_OPEN),
    (DISPATCHER, "fstat0", "", Outside, Every, STAT_OPEN),
    (DISPATCHER, "exists0", "", Outside, Every, |env, args| {
        let path = path(env, args, 0)?;
        Ok(u64::from(env.find_file(&path).is_some()))
    }),
    (
        DISPATCHER,
        "access0",
        "(JI)I",
        Outside,
        Every,
        |env, args| {
            let path = path(env, args, 0)?;
            Ok(if env.find_file(&path).is_some() {
                0
            } else {
                int(NO_ENTRY)
            })
        },
    ),
    (DISPATCHER, "access0", "", Outside, Every, |env, args| {
        let path = path(env, args, 0)?;
        if env.find_file(&path).is_some() {
            Ok(0)
        } else {
            fail(env, NO_ENTRY)
        }
    }),
    (DISPATCHER, "opendir0", "", Outside, Every, |env, args| {
        let path = path(env, args, 0)?;
        match env.state.files.open_folder(env.world, &path) {
            Some(descriptor) => Ok(int(descriptor)),
            None if env.find_file(&path).is_some() => fail(env, NOT_FOLDER),
            None => fail(env, NO_ENTRY),
        }
    }),
    (DISPATCHER, "readdir", "", Outside, Every, NEXT_NAME),
    (DISPATCHER, "readdir0", "", Outside, Every, NEXT_NAME),
    (DISPATCHER, "closedir", "", Outside, Every, CLOSE_FOLDER),
    (DISPATCHER, "chmod0", "", Outside, PERMISSIONS, nothing),
    (DISPATCHER, "fchmod", "", Outside, PERMISSIONS, nothing),
    (DISPATCHER, "fchmod0", "", Outside, PERMISSIONS, nothing),
    (DISPATCHER, "fchown", "", Outside, PERMISSIONS, nothing),
    (DISPATCHER, "fchown0", "", Outside, PERMISSIONS, nothing),
    (DISPATCHER, "futimes", "", Outside, TIMES, nothing),
    (DISPATCHER, "futimens", "", Outside, TIMES, nothing),
    (DISPATCHER, "futimens0", "", Outside, TIMES, nothing),
    (DISPATCHER, "utimes0", "", Outside, TIMES, nothing),
    (
        DISPATCHER,
        "fchmodatNoFollowSupported0",
        "",
        Pure,
        Every,
        nothing,
    ),
    (DISPATCHER, "read", "", Outside, Every, |env, args| {
        read_to(env, integer(args, 0), word(args, 1), integer(args, 2))
    }),
    (DISPATCHER, "write", "", Outside, Every, |env, args| {
        write_from(env, integer(args, 0), word(args, 1), integer(args, 2))
    }),
    (DISPATCHER, "strerror", "", Pure, Every, |env, args| {
        let text = match integer(args, 0) {
            NO_ENTRY => "No such file or directory",
            EXISTS => "File exists",
            NOT_EMPTY => "Directory not empty",
            IS_FOLDER => "Is a directory",
            NOT_FOLDER => "Not a directory",
            _ => "Input/output error",
        };
        Ok(env.state.byte_array(env.world, text.as_bytes()).word())
    }),
    (
        "sun/nio/fs/UnixCopyFile",
        "transfer",
        "",
        Outside,
        Every,
        COPY,
    ),
    (
        "sun/nio/fs/UnixCopyFile",
        "bufferedCopy0",
        "",
        Outside,
        Every,
        COPY,
    ),
    (
        "sun/nio/fs/UnixFileSystem",
        "bufferedCopy0",
        "",
        Outside,
        Every,
        COPY,
    ),
    (
        UNIX_CHANNEL,
        "available0",
        "",
        Outside,
        Every,
        |env, args| {
            let descriptor = number_of(env, reference(args, 0));
            let length = env.state.files.length(descriptor).unwrap_or(0);
            Ok(length.saturating_sub(env.state.files.position(descriptor).unwrap_or(0)) as u64)
        },
    ),
    (DISPATCHER, "statvfs0", "", Outside, SPACE, |env, args| {
        for name in ["f_frsize", "f_bsize"] {
            env.set_named_field(reference(args, 1), name, 4096);
        }
        Ok(0)
    }),
    (LINUX, "posix_fadvise", "", Pure, Every, nothing),
    (LINUX, "directCopy0", "", Pure, Every, NO_TRANSFER),
    (CHANNEL, "init", "", Pure, Every, nothing),
    (CHANNEL, "init0", "", Pure, Every, nothing),
    (CHANNEL, "read0", "", Outside, Every, READ),
    (CHANNEL, "write0", "", Outside, Every, WRITE),
    (CHANNEL, "pread0", "", Outside, Every, READ_AT),
    (CHANNEL, "pwrite0", "", Outside, Every, WRITE_AT),
    (CHANNEL, "size0", "", Outside, Every, SIZE),
    (CHANNEL, "seek0", "", Outside, Every, SEEK),
    (CHANNEL, "truncate0", "", Outside, Every, TRUNCATE),
    (CHANNEL, "force0", "", Outside, Every, nothing),
    (CHANNEL, "close0", "", Outside, Every, CLOSE),
    (CHANNEL, "preClose0", "", Outside, Every, nothing),
    (CHANNEL, "closeIntFD", "", Outside, Every, CLOSE_NUMBER),
    (CHANNEL, "lock0", "", Outside, Every, nothing),
    (CHANNEL, "release0", "", Outside, Every, nothing),
    (CHANNEL, "transferTo0", "", Pure, Every, NO_TRANSFER),
    (CHANNEL, "transferFrom0", "", Pure, Every, NO_TRANSFER),
    (
        CHANNEL,
        "canTransferToFromOverlappedMap0",
        "",
        Pure,
        Every,
        yes,
    ),
    (UNIX_CHANNEL, "read0", "", Outside, Every, READ),
    (UNIX_CHANNEL, "write0", "", Outside, Every, WRITE),
    (UNIX_CHANNEL, "pread0", "", Outside, Every, READ_AT),
    (UNIX_CHANNEL, "pwrite0", "", Outside, Every, WRITE_AT),
    (UNIX_CHANNEL, "size0", "", Outside, Every, SIZE),
    (UNIX_CHANNEL, "seek0", "", Outside, Every, SEEK),
    (UNIX_CHANNEL, "truncate0", "", Outside, Every, TRUNCATE),
    (UNIX_CHANNEL, "force0", "", Outside, Every, nothing),
    (UNIX_CHANNEL, "closeIntFD", "", Outside, Every, CLOSE_NUMBER),
    (UNIX_CHANNEL, "isOther0", "", Pure, Every, nothing),
    (UNIX_CHANNEL, "lock0", "", Outside, Every, nothing),
    (UNIX_CHANNEL, "release0", "", Outside, Every, nothing),
    (
        UNIX_CHANNEL,
        "allocationGranularity0",
        "",
        Pure,
        Every,
        |_, _| Ok(4096),
    ),
    (
        "sun/nio/ch/UnixDispatcher",
        "init",
        "",
        Pure,
        Every,
        nothing,
    ),
    (
        "sun/nio/ch/UnixDispatcher",
        "close0",
        "",
        Outside,
        Every,
        CLOSE,
    ),
    (
        "sun/nio/ch/UnixDispatcher",
        "preClose0",
        "",
        Outside,
        Every,
        nothing,
    ),
    (
        "sun/nio/ch/FileChannelImpl",
        "initIDs",
        "",
        Pure,
        Every,
        |_, _| Ok(4096),
    ),
    (
        "sun/nio/ch/FileChannelImpl",
        "transferTo0",
        "",
        Pure,
        Every,
        NO_TRANSFER,
    ),
    (
        "sun/nio/ch/FileChannelImpl",
        "maxDirectTransferSize0",
        "",
        Pure,
        Every,
        |_, _| Ok(0x7FFF_0000),
    ),
    (IO, "iovMax", "", Pure, Every, |_, _| Ok(1024)),
    (IO, "writevMax", "", Pure, Every, |_, _| Ok(0x7FFF_FFFF)),
    (IO, "fdLimit", "", Pure, Every, |_, _| Ok(1024)),
    (IO, "fdVal", "", Outside, Every, |env, args| {
        Ok(int(number_of(env, reference(args, 0))))
    }),
    (IO, "setfdVal", "", Outside, Every, |env, args| {
        env.set_named_field(reference(args, 0), "fd", word(args, 1));
        Ok(0)
    }),
    (NATIVE_THREAD, "init", "", Pure, Every, nothing),
    (NATIVE_THREAD, "current", "", Pure, Every, nothing),
    (NATIVE_THREAD, "current0", "", Pure, Every, nothing),
    (NATIVE_THREAD, "signal", "", Pure, Every, nothing),
    (NATIVE_THREAD, "signal0", "", Pure, Every, nothing),
    (
        NATIVE_THREAD,
        "supportPendingSignals0",
        "",
        Pure,
        Every,
        nothing,
    ),
];

/// The number in a `FileDescriptor`.
fn number_of(env: &Env<'_>, descriptor: Ref) -> i32 {
    env.named_field(descriptor, "fd") as i32
}

/// The path at an address.
fn path(env: &Env<'_>, args: &[u64], index: usize) -> Result<String, Trap> {
    match env.state.memory.text(word(args, index)) {
        Some(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        None => null_pointer(),
    }
}

/// Throws what the library expects for an error of the system.
fn fail<T>(env: &mut Env<'_>, error: i32) -> Result<T, Trap> {
    let class = env.world.load("sun/nio/fs/UnixException")?;
    env.ensure_initialised(class)?;
    let exception = env.make_throwable(class);
    env.set_named_field(exception, "errno", int(error));
    Err(Trap::Throw(exception))
}

fn open(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let path = path(env, args, 0)?;
    let flags = integer(args, 1);
    let mode = Mode {
        writes: flags & 3 != 0,
        creates: flags & 0x40 != 0,
        truncates: flags & 0x200 != 0,
        appends: flags & 0x400 != 0,
    };
    let is_new = flags & 0xC0 == 0xC0;
    let found = match mode.truncates && !is_new {
        // What is there is no matter.
        true => env.state.files.find(env.world, &path),
        false => env.find_file(&path),
    };
    if is_new && found.is_some() {
        return fail(env, EXISTS);
    }
    match env.state.files.open(env.world, &path, mode) {
        Ok(descriptor) => Ok(int(descriptor)),
        Err(_) if found == Some(Found::Folder) => fail(env, IS_FOLDER),
        Err(_) if found.is_some() => fail(env, 13),
        Err(_) => {
            env.find_file(&path);
            fail(env, NO_ENTRY)
        }
    }
}

fn remove(env: &mut Env<'_>, path: &str, is_folder: bool) -> Answer {
    match env.find_file(path) {
        None => fail(env, NO_ENTRY),
        Some(Found::Folder) if !is_folder => fail(env, IS_FOLDER),
        Some(Found::File(_)) if is_folder => fail(env, NOT_FOLDER),
        Some(_) if env.state.files.delete(path) => Ok(0),
        Some(_) => fail(env, NOT_EMPTY),
    }
}

/// Fills the attributes of a file.
fn stat(env: &mut Env<'_>, path: &str, attributes: Ref) -> Option<()> {
    let found = env.find_file(path)?;
    fill_attributes(env, path, found, attributes);
    Some(())
}

fn fill_attributes(env: &mut Env<'_>, path: &str, found: Found, attributes: Ref) {
    let (mode, size) = match found {
        Found::File(size) => (0x81A4, size as u64),
        Found::Folder => (0x41ED, 4096),
    };
    let identity = absolute(path)
        .bytes()
        .fold(0xCBF2_9CE4_8422_2325_u64, |sum, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
        });
    let seconds = super::system::EPOCH_MILLIS / 1000;
    let fields = [
        ("st_mode", mode),
        ("st_size", size),
        ("st_ino", identity),
        ("st_dev", 1),
        ("st_nlink", 1),
        ("st_atime_sec", seconds),
        ("st_mtime_sec", seconds),
        ("st_ctime_sec", seconds),
        ("st_birthtime_sec", seconds),
    ];
    for (name, value) in fields {
        env.set_named_field(attributes, name, value);
    }
}

/// Reads into memory. At the end of the file that is -1.
fn read_to(env: &mut Env<'_>, descriptor: i32, address: u64, limit: i32) -> Answer {
    let Some(bytes) = read_from_file(env, descriptor, limit.max(0) as usize) else {
        return raise("java/io/IOException", "Bad file descriptor");
    };
    if bytes.is_empty() && limit > 0 {
        return Ok(int(-1));
    }
    for (at, &byte) in (address..).zip(&bytes) {
        env.state.memory.write(at, byte);
    }
    Ok(bytes.len() as u64)
}

fn write_from(env: &mut Env<'_>, descriptor: i32, address: u64, count: i32) -> Answer {
    let count = count.max(0) as u64;
    let bytes: Option<Vec<u8>> = (address..address.saturating_add(count))
        .map(|at| env.state.memory.read(at))
        .collect();
    let Some(bytes) = bytes else {
        return null_pointer();
    };
    if descriptor == 1 || descriptor == 2 {
        env.host.write(descriptor, &bytes);
        return Ok(count);
    }
    match write_to_file(env, descriptor, &bytes)? {
        Some(()) => Ok(count),
        None => raise("java/io/IOException", "Bad file descriptor"),
    }
}

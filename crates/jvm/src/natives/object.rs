//! `java.lang.Object`: identity, copying, monitors.

use super::{Answer, Entry, long, null_pointer, raise, reference};
use crate::heap::{Lock, Ref, int};
use crate::interpret::{Env, Trap};
use crate::made_up::Source::Every;
use crate::roles::Role::{Hash, Notify, NotifyAll, Own, Pure, ReadAll, Wait};
use crate::state::State;
use crate::thread::{Status, Wake};

const OBJECT: &str = "java/lang/Object";

pub(super) const TABLE: &[Entry] = &[
    (OBJECT, "getClass", "", Pure, Every, get_class),
    (OBJECT, "hashCode", "", Hash, Every, hash_code),
    (OBJECT, "clone", "", ReadAll(0), Every, clone),
    (OBJECT, "notify", "", Notify, Every, notify),
    (OBJECT, "notifyAll", "", NotifyAll, Every, notify_all),
    (OBJECT, "wait", "(J)V", Wait, Every, wait),
    (OBJECT, "wait0", "", Wait, Every, wait),
    (
        "java/lang/System",
        "identityHashCode",
        "",
        Hash,
        Every,
        |env, args| {
            Ok(int(env
                .state
                .identity_hash(reference(args, 0))
                .cast_signed()))
        },
    ),
    (
        "java/lang/Thread",
        "holdsLock",
        "",
        Own,
        Every,
        |env, args| {
            if reference(args, 0).is_null() {
                return null_pointer();
            }
            Ok(u64::from(env.owns(reference(args, 0))))
        },
    ),
];

fn get_class(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let Some(object) = env.state.heap.get(reference(args, 0)) else {
        return null_pointer();
    };
    let class = object.class;
    Ok(env.state.mirror(env.world, class).word())
}

fn hash_code(env: &mut Env<'_>, args: &[u64]) -> Answer {
    Ok(int(env
        .state
        .identity_hash(reference(args, 0))
        .cast_signed()))
}

fn clone(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let object = reference(args, 0);
    let found = env.state.heap.get(object);
    let Some((class, size)) = found.map(|found| (found.class, found.body.size())) else {
        return null_pointer();
    };
    if !env.world.is_assignable(class, env.world.known().cloneable) {
        return raise(
            "java/lang/CloneNotSupportedException",
            env.world.class_name(class).replace('/', "."),
        );
    }
    env.make_room_in_process(size)?;
    Ok(env.state.heap.copy(object).unwrap_or_default().word())
}

fn notify(env: &mut Env<'_>, args: &[u64]) -> Answer {
    env.check_owned(reference(args, 0))?;
    wake_waiting(env, reference(args, 0), 1);
    Ok(0)
}

fn notify_all(env: &mut Env<'_>, args: &[u64]) -> Answer {
    env.check_owned(reference(args, 0))?;
    wake_waiting(env, reference(args, 0), usize::MAX);
    Ok(0)
}

/// Wakes up to `limit` threads that wait for an object, the longest waiting first.
pub(super) fn wake_waiting(env: &mut Env<'_>, object: Ref, limit: usize) {
    let mut waiting: Vec<(u64, usize, u32)> = Vec::new();
    for (index, thread) in env.state.threads.iter().enumerate() {
        if let Some(thread) = thread.get()
            && let Status::Waiting {
                object: awaited,
                count,
                turn,
                ..
            } = thread.status
            && awaited == object
        {
            waiting.push((turn, index, count));
        }
    }
    waiting.sort_unstable();
    for &(_, index, count) in waiting.iter().take(limit) {
        if let Some(thread) = env
            .state
            .threads
            .get_mut(index)
            .and_then(|thread| thread.get_mut())
        {
            thread.status = Status::Returning {
                object,
                count,
                wake: Wake::Done,
            };
        }
    }
}

/// Gives back the monitor and waits. Called again when the thread has it back.
fn wait(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let object = reference(args, 0);
    match std::mem::take(&mut env.thread.wake) {
        Wake::None => {}
        Wake::Interrupted => return interrupted(env),
        Wake::Done | Wake::TimedOut => return Ok(0),
    }
    if long(args, 1) < 0 {
        return raise(
            "java/lang/IllegalArgumentException",
            "timeout value is negative",
        );
    }
    env.check_owned(object)?;
    if env.thread.interrupted {
        return interrupted(env);
    }
    let count = env
        .state
        .heap
        .get(object)
        .map_or(1, |object| object.lock.count);
    if let Some(locked) = env.state.heap.get_mut(object) {
        locked.lock = Lock::default();
    }
    let timeout = long(args, 1).cast_unsigned();
    let until = match timeout {
        0 => None,
        timeout => deadline(env.state, timeout.saturating_mul(1_000_000)),
    };
    env.state.turns += 1;
    Err(Trap::Block(Status::Waiting {
        object,
        count,
        until,
        turn: env.state.turns,
    }))
}

/// When a time limit of so many nanoseconds passes; one of a century is none.
pub(super) fn deadline(state: &State, nanoseconds: u64) -> Option<u64> {
    const CENTURY: u64 = 100 * 365 * 24 * 3600 * 1_000_000_000;
    (nanoseconds < CENTURY).then(|| state.clock.saturating_add(nanoseconds))
}

pub(super) fn interrupted(env: &mut Env<'_>) -> Answer {
    super::thread::clear_interrupt(env);
    Err(Trap::Raise("java/lang/InterruptedException", None))
}

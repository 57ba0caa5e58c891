//! `java.lang.Thread`, parking, sleeping.

use super::{Answer, Entry, Native, long, nothing, object, raise, reference, word};
use crate::code::Body;
use crate::heap::Ref;
use crate::interpret::{Env, Trap, body};
use crate::made_up::Source::Every;
use crate::pages::Shared;
use crate::roles::Role::{
    Interrupt, Interrupted, IsAlive, Opaque, Own, Park, Pure, Sleep, Start, Unpark,
};
use crate::state::State;
use crate::thread::{Frame, Status, Then, Thread, ThreadId, Wake};
use crate::world::World;

const THREAD: &str = "java/lang/Thread";
/// Where in native memory the library counts threads is a larger number than those of its own
/// threads, so that a checker can count on from there.
const ROOM_BEFORE_COUNTER: usize = 120;
const UNSAFE: &str = "jdk/internal/misc/Unsafe";

pub(crate) const THREAD_RUNNABLE: u64 = 0x5;
pub(crate) const THREAD_TERMINATED: u64 = 0x2;
const THREAD_BLOCKED: u64 = 0x401;
const THREAD_WAITING: u64 = 0x191;
const THREAD_TIMED_WAITING: u64 = 0x1A1;
const THREAD_PARKED: u64 = 0x291;
const THREAD_TIMED_PARKED: u64 = 0x2A1;
const THREAD_SLEEPING: u64 = 0xE1;

const CURRENT: Native = |env, _| Ok(env.thread.object.word());

pub(super) const TABLE: &[Entry] = &[
    (THREAD, "currentThread", "", Own, Every, CURRENT),
    (THREAD, "currentCarrierThread", "", Own, Every, CURRENT),
    (THREAD, "yield", "", Own, Every, |_, _| Err(Trap::Yield)),
    (THREAD, "yield0", "", Own, Every, |_, _| Err(Trap::Yield)),
    (THREAD, "onSpinWait", "", Own, Every, |_, _| {
        Err(Trap::Yield)
    }),
    (THREAD, "sleep", "(J)V", Sleep, Every, |env, args| {
        if long(args, 0) < 0 {
            return raise(
                "java/lang/IllegalArgumentException",
                "timeout value is negative",
            );
        }
        sleep(env, word(args, 0).saturating_mul(1_000_000))
    }),
    (THREAD, "sleepNanos0", "", Sleep, Every, |env, args| {
        sleep(env, word(args, 0))
    }),
    (THREAD, "sleep0", "", Sleep, Every, |env, args| {
        sleep(env, word(args, 0))
    }),
    (THREAD, "start0", "", Start, Every, start),
    (THREAD, "setPriority0", "", Pure, Every, nothing),
    (THREAD, "setNativeName", "", Pure, Every, nothing),
    (THREAD, "interrupt0", "", Interrupt, Every, interrupt),
    (
        THREAD,
        "clearInterruptEvent",
        "",
        Interrupted,
        Every,
        |env, _| {
            env.thread.interrupted = false;
            Ok(0)
        },
    ),
    (
        THREAD,
        "isInterrupted",
        "(Z)Z",
        Interrupt,
        Every,
        is_interrupted,
    ),
    (THREAD, "isAlive", "", IsAlive, Every, is_alive),
    (THREAD, "isAlive0", "", IsAlive, Every, is_alive),
    (
        THREAD,
        "ensureMaterializedForStackWalk",
        "",
        Pure,
        Every,
        nothing,
    ),
    (THREAD, "findScopedValueBindings", "", Own, Every, nothing),
    (THREAD, "scopedValueCache", "", Own, Every, nothing),
    (THREAD, "setScopedValueCache", "", Own, Every, nothing),
    (THREAD, "setCurrentThread", "", Own, Every, nothing),
    (
        THREAD,
        "getNextThreadIdOffset",
        "",
        Opaque,
        Every,
        |env, _| {
            // The counter that the library keeps there begins after the main thread.
            let room = env.state.memory.allocate(ROOM_BEFORE_COUNTER + 8);
            let counter = room + ROOM_BEFORE_COUNTER as u64;
            env.state.memory.write(counter, 3);
            Ok(counter)
        },
    ),
    (THREAD, "getThreads", "", Opaque, Every, |env, _| {
        let me = env.thread.object;
        let others = env.state.threads.iter().filter_map(Shared::get);
        let mut all: Vec<Ref> = others
            .filter(|thread| thread.status != Status::Ended)
            .map(|thread| thread.object)
            .collect();
        all.insert(0, me);
        Ok(env.ref_array(THREAD, &all)?.word())
    }),
    (UNSAFE, "park", "", Park, Every, park),
    (UNSAFE, "unpark", "", Unpark, Every, unpark),
];

fn sleep(env: &mut Env<'_>, nanoseconds: u64) -> Answer {
    let until = object::deadline(env.state, nanoseconds);
    match std::mem::take(&mut env.thread.wake) {
        Wake::None => {}
        // A permit, or an interruption, came while it slept for ever.
        Wake::Done if until.is_none() => env.thread.permit = true,
        Wake::Interrupted => return sleep_interrupted(env),
        Wake::Done | Wake::TimedOut => return Ok(0),
    }
    if env.thread.interrupted {
        return sleep_interrupted(env);
    }
    Err(Trap::Block(match until {
        Some(until) => Status::Sleeping { until },
        None => Status::Parked { until: None },
    }))
}

fn sleep_interrupted(env: &mut Env<'_>) -> Answer {
    clear_interrupt(env);
    raise("java/lang/InterruptedException", "sleep interrupted")
}

/// Forgets an interrupt, where the library and the machine remember it.
pub(super) fn clear_interrupt(env: &mut Env<'_>) {
    env.thread.interrupted = false;
    let thread = env.thread.object;
    env.set_named_field(thread, "interrupted", 0);
}

fn start(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let object = reference(args, 0);
    let id = begin(env, object)?;
    if let Some(copies) = env.state.copies.get(&id.0).copied() {
        for number in 0..copies.count {
            let copy = copy(env, object, copies.with_runnable)?;
            rename(env, object, copy, number + 2);
            begin(env, copy)?;
        }
    }
    Ok(0)
}

/// Lets a thread run.
fn begin(env: &mut Env<'_>, object: Ref) -> Result<ThreadId, Trap> {
    let id = ThreadId(env.state.threads.len() as u32);
    let mut thread = Thread::new(id, object);
    // It may have been interrupted before.
    thread.interrupted = env.named_field(object, "interrupted") != 0;
    let Some(class) = env.state.heap.get(object).map(|object| object.class) else {
        return Err(Trap::Raise("java/lang/NullPointerException", None));
    };
    let names = &env.world.names;
    let Some(run) = env
        .world
        .class(class)
        .virtual_method(names.intern("run"), names.intern("()V"))
    else {
        return Err(Trap::Unsupported("a thread without run()".to_owned()));
    };
    let Body::Code(code) = body(env.world, env.world.method(run)) else {
        return Err(Trap::Unsupported(
            "a thread whose run() has no code".to_owned(),
        ));
    };
    thread.stack.resize(code.registers as usize + 8, 0);
    thread.stack[0] = object.word();
    thread.frames.push(Frame {
        method: run,
        pc: 0,
        base: 0,
        then: Then::Nothing,
    });
    env.state.threads.push(Shared::new(thread));
    env.set_named_field(object, "eetop", u64::from(id.0) + 1);
    set_thread_status(env.world, env.state, object, THREAD_RUNNABLE);
    Ok(id)
}

/// Gives a copy a name of its own.
fn rename(env: &mut Env<'_>, thread: Ref, copy: Ref, number: u32) {
    let world = env.world;
    if let Some(slot) = world.slot_of(world.known().thread, "name")
        && let Some(name) = env
            .state
            .text_of(world, env.state.heap.ref_field(thread, slot))
    {
        let name = env.state.string(world, &format!("{name}#{number}"));
        crate::reach::share(world, &mut env.state.heap, name);
        env.state.heap.set_field(copy, slot, name.word());
    }
}

/// Another thread like one that was just started: what it refers to is the same, except what the
/// library keeps of it, and its `Runnable` if each has its own.
fn copy(env: &mut Env<'_>, thread: Ref, with_runnable: bool) -> Result<Ref, Trap> {
    let world = env.world;
    let missing = || Trap::Unsupported("a thread that cannot be copied".to_owned());
    let again = |env: &mut Env<'_>, object: Ref| {
        let found = env.state.heap.get(object).ok_or_else(missing)?;
        let (class, body) = (found.class, found.body.clone());
        Ok::<Ref, Trap>(env.state.heap.allocate(class, body))
    };
    let made = again(env, thread)?;
    let mut holder = made;
    if let Some(slot) = world.known().thread_holder {
        holder = again(env, env.state.heap.ref_field(thread, slot))?;
        env.state.heap.set_field(made, slot, holder.word());
    }
    let class = env.state.heap.get(holder).map(|holder| holder.class);
    let slot = |name| world.slot_of(class?, name);
    if let Some(slot) = slot("task").or_else(|| slot("target"))
        && with_runnable
    {
        let runnable = again(env, env.state.heap.ref_field(holder, slot))?;
        env.state.heap.set_field(holder, slot, runnable.word());
    }
    crate::reach::share(world, &mut env.state.heap, made);
    Ok(made)
}

/// What `Thread.getState` will say.
pub(crate) fn set_thread_status(world: &World, state: &mut State, thread: Ref, status: u64) {
    let holder = state.thread_holder(world, thread);
    if let Some(slot) = world.known().holder_status {
        state.heap.set_field(holder, slot, status);
    }
}

/// The number for `set_thread_status` of a blocked thread.
pub(crate) fn status_number(status: Status) -> u64 {
    match status {
        Status::Runnable => THREAD_RUNNABLE,
        Status::Entering(_) | Status::Returning { .. } => THREAD_BLOCKED,
        Status::Waiting { until: None, .. } | Status::AwaitingClass(_) => THREAD_WAITING,
        // What waits at a socket runs, as far as the library knows.
        Status::Exchanging { .. } => THREAD_RUNNABLE,
        Status::Waiting { .. } => THREAD_TIMED_WAITING,
        Status::Parked { until: None } => THREAD_PARKED,
        Status::Parked { .. } => THREAD_TIMED_PARKED,
        Status::Sleeping { .. } => THREAD_SLEEPING,
        Status::Ended => THREAD_TERMINATED,
    }
}

fn is_alive(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let object = reference(args, 0);
    let is_me = object == env.thread.object;
    let other = env
        .state
        .thread_of(object)
        .and_then(|id| env.state.thread(id));
    Ok(u64::from(
        is_me || other.is_some_and(|thread| thread.status != Status::Ended),
    ))
}

fn is_interrupted(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let was = env.named_field(reference(args, 0), "interrupted");
    if word(args, 1) != 0 {
        clear_interrupt(env);
    }
    Ok(was)
}

fn interrupt(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let object = reference(args, 0);
    if object == env.thread.object {
        env.thread.interrupted = true;
        env.thread.permit = true;
        return Ok(0);
    }
    if let Some(thread) = env
        .state
        .thread_of(object)
        .and_then(|id| env.state.thread_mut(id))
    {
        thread.interrupted = true;
        thread.wake_up(Wake::Interrupted);
        thread.permit = true;
    }
    Ok(0)
}

fn park(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let woken = std::mem::take(&mut env.thread.wake) != Wake::None;
    if env.thread.permit || env.thread.interrupted || woken {
        env.thread.permit = false;
        return Ok(0);
    }
    let (is_absolute, time) = (word(args, 1) != 0, long(args, 2));
    let until = if is_absolute {
        let now = super::system::EPOCH_MILLIS + env.state.clock / 1_000_000;
        let left = time.cast_unsigned().saturating_sub(now);
        object::deadline(env.state, left.saturating_mul(1_000_000))
    } else {
        match time.cast_unsigned() {
            0 => None,
            time => object::deadline(env.state, time),
        }
    };
    if (is_absolute && time <= 0) || time < 0 {
        return Ok(0);
    }
    Err(Trap::Block(Status::Parked { until }))
}

fn unpark(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let object = reference(args, 1);
    if object == env.thread.object {
        env.thread.permit = true;
        return Ok(0);
    }
    if let Some(thread) = env
        .state
        .thread_of(object)
        .and_then(|id| env.state.thread_mut(id))
    {
        if let Status::Parked { .. } = thread.status {
            thread.wake_up(Wake::Done);
        } else {
            thread.permit = true;
        }
    }
    Ok(0)
}

/// Tells those who join a thread that it has ended.
pub(crate) fn announce_end(env: &mut Env<'_>) {
    let object = env.thread.object;
    if let Some(slot) = env.world.known().thread_eetop {
        env.state.heap.set_field(object, slot, 0);
    }
    set_thread_status(env.world, env.state, object, THREAD_TERMINATED);
    object::wake_waiting(env, object, usize::MAX);
}

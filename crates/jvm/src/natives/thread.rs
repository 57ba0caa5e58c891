//! `java.lang.Thread`, parking, sleeping.

use super::{
    Answer, Entry, Native, integer, long, nothing, null_pointer, object, raise, reference,
    throwable, word,
};
use crate::code::Body;
use crate::heap::{Body as ObjectBody, Ref};
use crate::interpret::{Env, Trap, body};
use crate::made_up::Source::{self, Every, Possible};
use crate::pages::Shared;
use crate::roles::Role::{
    Interrupt, Interrupted, IsAlive, Opaque, Own, Park, Pure, Sleep, Start, Threads, Unpark,
};
use crate::state::State;
use crate::thread::{Frame, Status, Then, Thread, ThreadId, Wake};
use crate::world::{MethodId, World};

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

const TRACES: Source = Possible("stack traces of other threads");

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
    (THREAD, "getThreads", "", Threads, Every, |env, _| {
        let all = alive(env);
        Ok(env.ref_array(THREAD, &all)?.word())
    }),
    (THREAD, "dumpThreads", "", Threads, TRACES, |env, args| {
        let asked = env.state.heap.refs(reference(args, 0));
        let asked = asked.map(<[Ref]>::to_vec).unwrap_or_default();
        let traces: Result<Vec<Ref>, Trap> = asked.iter().map(|&it| stack_trace(env, it)).collect();
        Ok(env
            .ref_array("[Ljava/lang/StackTraceElement;", &traces?)?
            .word())
    }),
    (
        THREAD,
        "getStackTrace0",
        "",
        Threads,
        TRACES,
        |env, args| Ok(stack_trace(env, reference(args, 0))?.word()),
    ),
    (
        "java/lang/ThreadGroup",
        "enumerate",
        "([Ljava/lang/Thread;IZ)I",
        Threads,
        Every,
        enumerate,
    ),
    (UNSAFE, "park", "", Park, Every, park),
    (UNSAFE, "unpark", "", Unpark, Every, unpark),
];

/// The threads that are alive, the current one first.
fn alive(env: &Env<'_>) -> Vec<Ref> {
    let others = env.state.threads.iter().filter_map(Shared::get);
    let others = others.filter(|thread| thread.status != Status::Ended);
    [env.thread.object]
        .into_iter()
        .chain(others.map(|thread| thread.object))
        .collect()
}

/// Where a thread is; nothing, if it is not alive.
fn stack_trace(env: &mut Env<'_>, thread: Ref) -> Result<Ref, Trap> {
    const ELEMENT: &str = "java/lang/StackTraceElement";
    let world = env.world;
    let found = match thread == env.thread.object {
        true => Some(&*env.thread),
        false => env
            .state
            .thread_of(thread)
            .and_then(|id| env.state.thread(id)),
    };
    let frames = found.filter(|it| it.status != Status::Ended);
    let shown = frames.iter().flat_map(|it| it.frames.iter().rev());
    let shown: Vec<(MethodId, u16)> = shown
        .filter(|frame| !throwable::is_hidden(world, frame.method))
        .map(|frame| (frame.method, throwable::position(world, frame)))
        .collect();
    let class = world.load(ELEMENT)?;
    let mut elements = Vec::new();
    for (method, position) in shown {
        let element = env.state.instantiate(world, class);
        throwable::init_element(env, element, method, position);
        elements.push(element);
    }
    env.ref_array(ELEMENT, &elements)
}

/// Writes the threads of a group into an array from an index on, those of the groups in it last.
fn enumerate(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let (group, list) = (reference(args, 0), reference(args, 1));
    let (start, recurses) = (integer(args, 2).max(0) as usize, word(args, 3) != 0);
    let group_of = |thread: Ref| {
        let holder = env.state.thread_holder(env.world, thread);
        Ref::of(env.named_field(holder, "group"))
    };
    let parent = |group: Ref| Ref::of(env.named_field(group, "parent"));
    let depth = |thread: Ref| {
        let mut at = group_of(thread);
        let groups = std::iter::from_fn(|| {
            let this = at;
            at = if at.is_null() { at } else { parent(at) };
            (!this.is_null()).then_some(this)
        });
        groups.into_iter().position(|it| it == group)
    };
    let mut members: Vec<(usize, Ref)> = alive(env)
        .into_iter()
        .filter_map(|thread| Some((depth(thread)?, thread)))
        .filter(|&(depth, _)| depth == 0 || recurses)
        .collect();
    members.sort_by_key(|&(depth, _)| depth);
    let Some(ObjectBody::Refs(elements)) = env.state.heap.get_mut(list).map(|it| &mut it.body)
    else {
        return null_pointer();
    };
    let room = elements.get_mut(start..).unwrap_or_default();
    let count = room.len().min(members.len());
    for (place, (_, thread)) in room.iter_mut().zip(members) {
        *place = thread;
    }
    Ok((start + count) as u64)
}

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

//! One deterministic schedule: a thread runs until it waits, ends, or has used up its turn;
//! then the next one in order of creation. Time goes on when nobody can run.

use crate::heap::{Lock, Ref};
use crate::interpret::{Env, Event, Host, run as interpret, with_thread};
use crate::natives::{announce_end, set_thread_status, status_number};
use crate::pages::Shared;
use crate::state::{Initialisation, State};
use crate::thread::{Phase, Status, Then, Thread, ThreadId, Wake};
use crate::world::{ClassId, World};

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// With this exit code.
    Exit(i32),
    /// Nobody can go on: the threads that wait, and where.
    Deadlock(Vec<(String, Vec<String>)>),
    /// The machine cannot do what the program wants: what, and where.
    Unsupported(String, Vec<String>),
    /// It had as many turns as it was allowed to.
    Limit,
}

/// How many backward jumps and calls a turn has.
const TURN: u64 = 200_000;

/// Runs a program to its end, or until its threads have had `turns` turns.
pub fn run(world: &World, state: &mut State, host: &mut dyn Host, turns: u64) -> End {
    let mut next = 0;
    for _ in 0..turns {
        let Some(thread) = choose(state, next) else {
            if !pass_time(state) {
                return End::Deadlock(waiting(world, state));
            }
            continue;
        };
        next = thread.0 as usize;
        resume(world, state, thread);
        let event = with_thread(world, state, thread, host, |env| {
            interpret(env, &mut TURN.clone())
        });
        match event {
            Some(Event::Exit(code)) => return End::Exit(code),
            Some(Event::Unsupported(what, trace)) => return End::Unsupported(what, trace),
            Some(Event::Ended) => {
                let ended = with_thread(world, state, thread, host, finish).unwrap_or(true);
                if !ended {
                    continue;
                }
                if is_over(world, state) && !run_hooks(world, state, host) {
                    return End::Exit(exit_code(state));
                }
                next += 1;
            }
            Some(Event::Blocked) => {
                if let Some(thread) = state.thread(thread) {
                    let (object, status) = (thread.object, status_number(thread.status));
                    set_thread_status(world, state, object, status);
                }
                next += 1;
            }
            Some(Event::Budget | Event::Yielded | Event::Watched) => next += 1,
            None => return End::Unsupported("a thread is not there".to_owned(), Vec::new()),
        }
    }
    End::Limit
}

/// What `java` exits with when nobody says otherwise: 1 if `main` ended with an exception.
fn exit_code(state: &State) -> i32 {
    let main = state.thread(ThreadId(0));
    i32::from(main.is_some_and(|main| !main.uncaught.is_null()))
}

/// Whether all threads but daemons have ended.
fn is_over(world: &World, state: &State) -> bool {
    state
        .threads
        .iter()
        .filter_map(Shared::get)
        .all(|thread| thread.status == Status::Ended || is_daemon(world, state, thread.object))
}

/// Whether the program does not wait for the end of a thread.
pub fn is_daemon(world: &World, state: &State, thread: Ref) -> bool {
    let holder = state.thread_holder(world, thread);
    let daemon = world.known().holder_daemon;
    daemon.is_some_and(|slot| state.heap.field(holder, slot) != 0)
}

/// The first thread from `next` on that can run, in a circle.
fn choose(state: &State, next: usize) -> Option<ThreadId> {
    let count = state.threads.len();
    let order = (0..count).map(|i| (next + i) % count.max(1));
    let mut ready = order.filter(|&i| {
        state.threads[i]
            .get()
            .is_some_and(|thread| can_run(state, thread.status))
    });
    ready.next().map(|i| ThreadId(i as u32))
}

fn can_run(state: &State, status: Status) -> bool {
    let is_free = |object| {
        state
            .heap
            .get(object)
            .is_none_or(|object| object.lock.owner == 0)
    };
    match status {
        Status::Runnable => true,
        Status::Entering(object) | Status::Returning { object, .. } => is_free(object),
        Status::AwaitingClass(class) => {
            !matches!(state.class(class).initialisation, Initialisation::By(_))
        }
        Status::Exchanging {
            socket, request, ..
        } => !state.network.must_wait(socket, request),
        Status::Waiting { .. }
        | Status::Parked { .. }
        | Status::Sleeping { .. }
        | Status::Ended => false,
    }
}

/// Makes a thread that can run runnable.
fn resume(world: &World, state: &mut State, id: ThreadId) {
    let Some(thread) = state.thread_mut(id) else {
        return;
    };
    let before = thread.status;
    let object = thread.object;
    thread.status = Status::Runnable;
    if let Status::Returning {
        object,
        count,
        wake,
    } = before
    {
        thread.wake = wake;
        if let Some(locked) = state.heap.get_mut(object) {
            locked.lock = Lock {
                owner: id.0 + 1,
                count,
            };
        }
    }
    if before != Status::Runnable {
        set_thread_status(world, state, object, status_number(Status::Runnable));
    }
}

/// Lets time go on to the next moment at which somebody wakes up. False if there is none.
fn pass_time(state: &mut State) -> bool {
    let until = |status| match status {
        Status::Sleeping { until } => Some(until),
        Status::Waiting { until, .. }
        | Status::Parked { until }
        | Status::Exchanging { until, .. } => until,
        _ => None,
    };
    let moments = state
        .threads
        .iter()
        .filter_map(|thread| until(thread.get()?.status));
    let Some(moment) = moments.min() else {
        return false;
    };
    state.clock = state.clock.max(moment);
    for thread in &mut state.threads {
        let is_due = thread
            .get()
            .and_then(|thread| until(thread.status))
            .is_some_and(|time| time <= moment);
        if is_due && let Some(thread) = thread.get_mut() {
            thread.wake_up(Wake::TimedOut);
        }
    }
    true
}

/// What comes after a thread's last call: handlers of an uncaught exception, then the
/// library's own cleaning up. True if nothing is left.
fn finish(env: &mut Env<'_>) -> bool {
    let world = env.world;
    let object = env.thread.object;
    let phase = env.thread.phase;
    let call = match phase {
        Phase::Running if !env.thread.uncaught.is_null() => return !dispatch(env),
        Phase::Running | Phase::Dispatching => {
            env.thread.phase = Phase::Exiting;
            world
                .method_of("java/lang/Thread", "exit", "()V")
                .map(|m| (m, vec![object.word()]))
        }
        Phase::Exiting | Phase::ShuttingDown => None,
    };
    if let Some((method, args)) = call {
        return env.push_call(method, &args, Then::Nothing).is_err();
    }
    env.thread.status = Status::Ended;
    announce_end(env);
    true
}

/// Calls the handler of the exception that has ended a thread. False if it cannot be called.
fn dispatch(env: &mut Env<'_>) -> bool {
    env.thread.phase = Phase::Dispatching;
    let method = env.world.method_of(
        "java/lang/Thread",
        "dispatchUncaughtException",
        "(Ljava/lang/Throwable;)V",
    );
    let args = [env.thread.object.word(), env.thread.uncaught.word()];
    method.is_some_and(|method| env.push_call(method, &args, Then::Nothing).is_ok())
}

/// Lets a thread go on with the handler of the exception that has ended it. False if it cannot.
pub fn handle_uncaught(
    world: &World,
    state: &mut State,
    thread: ThreadId,
    host: &mut dyn Host,
) -> bool {
    with_thread(world, state, thread, host, dispatch) == Some(true)
}

/// Ends a thread at once, and wakes those who wait for that.
pub fn end_thread(world: &World, state: &mut State, thread: ThreadId, host: &mut dyn Host) {
    with_thread(world, state, thread, host, |env| {
        env.thread.status = Status::Ended;
        env.thread.frames.clear();
        announce_end(env);
    });
}

/// The class that keeps the shutdown hooks, if it was ever asked for.
pub fn hooks(world: &World) -> Option<ClassId> {
    let name = world.names.intern("java/lang/ApplicationShutdownHooks");
    world.loaded(name).and_then(Result::ok)
}

/// Whether shutdown hooks are still to be run.
pub fn has_hooks(world: &World, state: &State) -> bool {
    hooks(world).is_some_and(|hooks| state.is_initialised(hooks)) && !is_shutting_down(state)
}

/// Begins a thread that runs the shutdown hooks, once all threads but daemons have ended. False
/// if there is nothing to run.
pub fn run_hooks(world: &World, state: &mut State, host: &mut dyn Host) -> bool {
    let shutdown = world.method_of("java/lang/Shutdown", "shutdown", "()V");
    let Some(shutdown) = shutdown.filter(|_| has_hooks(world, state)) else {
        return false;
    };
    let Some(object) = last_thread(world, state) else {
        return false;
    };
    let id = ThreadId(state.threads.len() as u32);
    let thread = Thread {
        phase: Phase::ShuttingDown,
        ..Thread::new(id, object)
    };
    state.threads.push(Shared::new(thread));
    let begins = |env: &mut Env<'_>| env.push_call(shutdown, &[], Then::Nothing).is_ok();
    with_thread(world, state, id, host, begins) == Some(true)
}

/// The `java.lang.Thread` of the thread that ends the program, which is like the main one: as a
/// JVM has it, no thread of the program's own.
fn last_thread(world: &World, state: &mut State) -> Option<Ref> {
    let main = state.thread(ThreadId::MAIN)?.object;
    let object = state.heap.copy(main)?;
    let thread = world.known().thread;
    let name = state.string(world, "DestroyJavaVM");
    let holder = world.known().thread_holder;
    let holder = holder.map(|slot| (slot, state.heap.ref_field(main, slot)));
    if let Some((slot, holder)) = holder {
        let holder = state.heap.copy(holder)?;
        state.heap.set_field(object, slot, holder.word());
    }
    let own = [
        ("name", name.word()),
        ("eetop", state.threads.len() as u64 + 1),
        ("threadLocals", 0),
        ("inheritableThreadLocals", 0),
        ("parkBlocker", 0),
        ("interrupted", 0),
    ];
    for (field, value) in own {
        if let Some(slot) = world.slot_of(thread, field) {
            state.heap.set_field(object, slot, value);
        }
    }
    let status = status_number(Status::Runnable);
    set_thread_status(world, state, object, status);
    Some(object)
}

/// Whether there is a thread that runs the shutdown hooks, or has done so.
fn is_shutting_down(state: &State) -> bool {
    let mut threads = state.threads.iter().filter_map(Shared::get);
    threads.any(|thread| thread.phase == Phase::ShuttingDown)
}

/// The threads that wait, with their names and stacks.
fn waiting(world: &World, state: &State) -> Vec<(String, Vec<String>)> {
    let mut stuck = Vec::new();
    for thread in state
        .threads
        .iter()
        .filter_map(Shared::get)
        .filter(|thread| thread.status != Status::Ended && !is_daemon(world, state, thread.object))
    {
        let trace = thread
            .frames
            .iter()
            .rev()
            .filter_map(|frame| crate::natives::describe_frame(world, frame));
        stuck.push((name_of(world, state, thread.object), trace.collect()));
    }
    stuck
}

fn name_of(world: &World, state: &State, thread: Ref) -> String {
    let name = world.slot_of(world.known().thread, "name");
    let name = name.and_then(|slot| state.text_of(world, state.heap.ref_field(thread, slot)));
    name.unwrap_or_default()
}

/// The threads that exceptions have ended, by their names, and these exceptions: class and
/// message.
pub fn uncaught(world: &World, state: &State) -> Vec<(String, String, Option<String>)> {
    let threads = state.threads.iter().filter_map(Shared::get);
    let failed = threads.filter_map(|thread| {
        let class = state.heap.get(thread.uncaught)?.class;
        let message = world.known().throwable_message;
        let message = state.heap.ref_field(thread.uncaught, message);
        Some((
            name_of(world, state, thread.object),
            crate::natives::class_display_name(world, class),
            state.text_of(world, message),
        ))
    });
    failed.collect()
}

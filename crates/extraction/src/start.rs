//! Runs `main` on the machine, alone, until it has started all threads that it starts by itself.
//!
//! What `main` touches after the first start it touches while threads may run already. It is
//! noted, so that a program is refused in which that is what these threads touch, too.

use raddle_jvm::heap::{Heap, Ref};
use raddle_jvm::hook::{At, Hook, Place, Reply};
use raddle_jvm::reach::share;
use raddle_jvm::roles::Role;
use raddle_jvm::thread::{Frame, Thread};
use raddle_jvm::world::{ClassId, Method, Origin};
use raddle_jvm::{Event, Host, MethodId, State, ThreadId, World, run_thread};

use crate::obstacle::{Untranslatable, source_line};

/// How many calls and backward jumps `main` may make, and how many of them after a start.
const BUDGET: u64 = 5_000_000;
const PATIENCE: u64 = 200_000;

/// The most threads that are looked at.
const MOST_THREADS: usize = 64;

/// A thread that `main` has started.
#[derive(Clone, Debug)]
pub(crate) struct Started {
    /// Its `java.lang.Thread`.
    pub(crate) object: Ref,
    /// The call of `start` in the program.
    pub(crate) site: Option<(MethodId, u32)>,
}

/// What `main` did to an object while threads may have been running.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub(crate) object: Ref,
    /// The field or element; none stands for all of them.
    pub(crate) slot: Option<u32>,
    pub(crate) is_write: bool,
    /// Whether it took the monitor of the object, and did nothing else.
    pub(crate) is_lock: bool,
    pub(crate) at: Option<(MethodId, u32)>,
}

/// The program when `main` has started its threads, none of which has done anything.
pub(crate) struct Beginning {
    pub(crate) state: State,
    pub(crate) threads: Vec<Started>,
    pub(crate) touched: Vec<Touch>,
    /// What `main` does from then on, if it does not wait for its threads: none if it does not come
    /// to its end like that, or does something that has no place here.
    pub(crate) rest: Option<Vec<Touch>>,
}

struct Nobody;

impl Host for Nobody {
    fn write(&mut self, _: i32, _: &[u8]) {}

    fn read(&mut self, _: usize) -> Vec<u8> {
        Vec::new()
    }
}

/// Runs `main` from a state in which it has not begun.
pub(crate) fn begin(world: &World, start: &State) -> Result<Beginning, Untranslatable> {
    let mut state = start.clone();
    let mut watcher = Watcher {
        world,
        is_concurrent: false,
        awaits: false,
        is_hasty: false,
        site: None,
        touched: Vec::new(),
        refused: None,
    };
    let mut threads: Vec<Started> = Vec::new();
    let mut snapshot: Option<(State, usize)> = None;
    let mut is_over = false;
    let (mut steps, mut last) = (0, 0);
    while steps < BUDGET && (threads.is_empty() || steps - last < PATIENCE) {
        steps += 1;
        let count = state.threads.len();
        // One call at a time.
        let event = run_thread(
            world,
            &mut state,
            ThreadId::MAIN,
            &mut Nobody,
            Some(&mut watcher),
            &mut 2,
        );
        for number in count..state.threads.len() {
            if let Some(thread) = state.thread(ThreadId(number as u32)) {
                threads.push(Started {
                    object: thread.object,
                    site: watcher.site,
                });
            }
            (watcher.awaits, last) = (true, steps);
        }
        if threads.len() > MOST_THREADS {
            return Err(Untranslatable::new("main starts more than 64 threads"));
        }
        match event {
            Some(Event::Watched) if !watcher.is_concurrent => {
                // Before the first start: all that there is may be shared from now on.
                watcher.is_concurrent = true;
            }
            Some(Event::Watched | Event::Yielded | Event::Budget) => {}
            Some(Event::Ended) => is_over = true,
            Some(Event::Exit(_)) => return Err(Untranslatable::new("main ends the program")),
            Some(Event::Unsupported(what, _)) => {
                return Err(Untranslatable::new(format!("main cannot be run: {what}")));
            }
            Some(Event::Blocked) | None => break,
        }
        let is_back = is_over || is_in_program(world, &state);
        if watcher.awaits && is_back {
            watcher.awaits = false;
            snapshot = Some((state.clone(), watcher.touched.len()));
        }
        if is_over {
            break;
        }
    }
    let Some((snapshot, touches)) = snapshot else {
        let why = match steps {
            BUDGET => "main runs for long without starting a thread",
            _ => "main starts no thread",
        };
        return Err(Untranslatable::new(why));
    };
    if let Some(refused) = watcher.refused.filter(|it| it.before < touches) {
        let place = refused.at;
        let place = place.and_then(|(method, pc)| source_line(world, method, pc));
        return Err(Untranslatable::new(refused.what).at(place));
    }
    let mut touched = watcher.touched;
    touched.truncate(touches);
    let rest = rest(world, &snapshot);
    Ok(Beginning {
        state: snapshot,
        threads,
        touched,
        rest,
    })
}

/// What `main` touches after the last start if it does not wait for its threads.
fn rest(world: &World, state: &State) -> Option<Vec<Touch>> {
    let mut state = state.clone();
    let mut watcher = Watcher {
        world,
        is_concurrent: true,
        awaits: false,
        is_hasty: true,
        site: None,
        touched: Vec::new(),
        refused: None,
    };
    let count = state.threads.len();
    for _ in 0..PATIENCE {
        let event = run_thread(
            world,
            &mut state,
            ThreadId::MAIN,
            &mut Nobody,
            Some(&mut watcher),
            &mut PATIENCE.clone(),
        );
        match event {
            Some(Event::Yielded) => {}
            Some(Event::Ended) => break,
            _ => return None,
        }
    }
    let main = state.thread(ThreadId::MAIN)?;
    let is_fine = main.frames.is_empty()
        && main.uncaught.is_null()
        && watcher.refused.is_none()
        && state.threads.len() == count;
    is_fine.then_some(watcher.touched)
}

/// The innermost call of the program itself.
fn program_frame<'a>(world: &World, frames: &'a [Frame]) -> Option<&'a Frame> {
    let is_own = |frame: &&Frame| origin(world, frame) == Origin::Program;
    frames.iter().rev().find(is_own)
}

fn origin(world: &World, frame: &Frame) -> Origin {
    world.class(world.method(frame.method).class).origin
}

fn is_in_program(world: &World, state: &State) -> bool {
    let main = state.thread(ThreadId::MAIN);
    let last = main.and_then(|main| main.frames.last());
    last.is_none_or(|frame| origin(world, frame) != Origin::Library)
}

/// Lets all threads reach all objects of the program.
fn share_all(world: &World, state: &mut State) {
    for number in state.heap.boot_end()..state.heap.end() {
        share(world, &mut state.heap, Ref(number));
    }
}

/// Notes what is touched after the first start, and stops once after each start.
struct Watcher<'w> {
    world: &'w World,
    is_concurrent: bool,
    /// A thread was started, and the state after that was not kept yet.
    awaits: bool,
    /// Whether it does not wait for the end of threads.
    is_hasty: bool,
    /// The last call of `start` in the program.
    site: Option<(MethodId, u32)>,
    touched: Vec<Touch>,
    /// What was done that has no place among these.
    refused: Option<Refused>,
}

/// Something that `main` must not do.
struct Refused {
    what: &'static str,
    at: Option<(MethodId, u32)>,
    /// How many touches came before.
    before: usize,
}

impl Watcher<'_> {
    fn place(&self, frames: &[Frame], pc: Option<usize>) -> Option<(MethodId, u32)> {
        let frame = program_frame(self.world, frames)?;
        let is_last = frames.last().is_some_and(|last| last == frame);
        let pc = pc.filter(|_| is_last).map_or(frame.pc, |pc| pc as u32);
        Some((frame.method, pc))
    }

    /// Whether `main` stops before it does something itself.
    fn stops(&self, at: At<'_>) -> bool {
        let last = at.frames.last();
        self.awaits && last.is_some_and(|last| origin(self.world, last) != Origin::Library)
    }

    fn touch(&mut self, at: At<'_>, object: Ref, slot: Option<u32>, is_write: bool) -> bool {
        if !self.is_concurrent {
            return false;
        }
        if self.stops(at) {
            return true;
        }
        let at = self.place(at.frames, at.pc);
        self.touched.push(Touch {
            object,
            slot,
            is_write,
            is_lock: false,
            at,
        });
        false
    }

    fn refuse(&mut self, frames: &[Frame], what: &'static str) {
        if self.refused.is_none() {
            let at = self.place(frames, None);
            let before = self.touched.len();
            self.refused = Some(Refused { what, at, before });
        }
    }
}

impl Hook for Watcher<'_> {
    fn read(&mut self, at: At<'_>, _: &Heap, place: Place) -> bool {
        self.touch(at, place.object, Some(place.index), false)
    }

    fn write(
        &mut self,
        at: At<'_>,
        _: &mut Heap,
        place: Place,
        _: u64,
        is_own: bool,
        _: &mut Vec<Ref>,
    ) -> bool {
        // Who uses a class waits until it is initialised.
        !is_own && self.touch(at, place.object, Some(place.index), true)
    }

    fn acquire(&mut self, at: At<'_>, _: &Heap, object: Ref, _: ClassId) -> bool {
        if self.is_hasty {
            self.touched.push(Touch {
                object,
                slot: None,
                is_write: false,
                is_lock: true,
                at: self.place(at.frames, at.pc),
            });
        }
        self.is_concurrent && self.stops(at)
    }

    fn release(&mut self, _: At<'_>, _: &Heap, _: Ref) {}

    fn call(
        &mut self,
        state: &mut State,
        thread: &mut Thread,
        role: Role,
        _: &Method,
        args: &[u64],
    ) -> Reply {
        if role == Role::Start {
            self.site = self.place(&thread.frames, None);
            // What the thread was given is not the business of main alone any more.
            share_all(self.world, state);
        }
        if !self.is_concurrent {
            return match role {
                Role::Start => Reply::Stop,
                Role::Choice(_) | Role::Assume { .. } => {
                    Reply::Refuse("a choice before threads are started".to_owned())
                }
                _ => Reply::Go,
            };
        }
        let object = |index: usize| Ref::of(args.get(index).copied().unwrap_or(0));
        let at = At::calls(&thread.frames);
        let is_write = !matches!(role, Role::Get | Role::ReadAll(_) | Role::GetElement);
        match role {
            Role::Get | Role::Put | Role::Swap => {
                self.touch(at, object(1), None, is_write);
            }
            Role::GetElement | Role::SetElement => {
                self.touch(at, object(0), None, is_write);
            }
            Role::ReadAll(index) => {
                self.touch(at, object(index), None, is_write);
            }
            Role::Copy => {
                self.touch(at, object(0), None, false);
                self.touch(at, object(2), None, true);
            }
            Role::Wait | Role::Notify | Role::NotifyAll => {
                self.refuse(
                    &thread.frames,
                    "main waits or notifies between starts of threads",
                );
            }
            Role::Join if self.is_hasty => return Reply::Answer(0),
            Role::Interrupt | Role::Unpark => {
                self.refuse(&thread.frames, "main interrupts or unparks a thread");
            }
            Role::Choice(_) | Role::Assume { .. } | Role::Begin | Role::End => {
                return Reply::Refuse("a choice between starts of threads".to_owned());
            }
            _ => {}
        }
        Reply::Go
    }

    fn returned(&mut self, _: usize) {}

    fn initialise(&mut self, _: At<'_>, _: ClassId) -> bool {
        false
    }

    fn initialised(&mut self, _: At<'_>, _: ClassId) {}

    fn initialised_silently(&mut self, _: ClassId, _: bool) {}

    // The clock of what is executed here is part of what the threads are followed with.
    fn clock_decides(&mut self, _: At<'_>) {}

    fn look(&mut self, _: ClassId) {}
}

//! Whether a step is possible, in how many ways, and what it would touch.

use crate::evaluate::{Unwatched, View, Watch, Wrong};
use crate::facts::Probe;
use crate::interpret::{Choices, Code, Execution, Stop};
use crate::ir::{Cell, Instruction};
use crate::memory::{Lock, Mode};
use crate::synchronise::waiting_on;
use raddle_model::{Status, Thread};
use std::cell;

/// How many numbers lie between two, both included; `None` if too many to choose from.
pub(crate) fn count_between(low: i32, high: i32) -> Option<u32> {
    let count = (i64::from(high) - i64::from(low) + 1).max(0);
    u32::try_from(count).ok().filter(|&count| count <= 1 << 20)
}

/// Whether a thread can make its next step, and in how many ways.
pub(crate) fn status(code: Code<'_>, words: &Vec<u32>, thread: Thread) -> Status {
    let Some((base, pc)) = code.layout.top_frame(words, thread) else {
        return Status::Done;
    };
    let choices = match code.facts.probes[pc as usize] {
        Probe::Free => 1,
        Probe::Direct(deciding) => {
            let view = code.view(words, thread, base);
            // A fault is for the step to find: the thread is ready to fail.
            decide(code, view, deciding.0).unwrap_or(1)
        }
        // Executing the step tells that there are too many.
        Probe::Trial => ways(code, words, thread, u32::MAX).map_or(1, |(count, _)| count),
    };
    match choices {
        0 => Status::Blocked,
        choices => Status::Ready { choices },
    }
}

/// In how many ways the instruction at `pc` can go now.
fn decide(code: Code<'_>, view: View<'_>, pc: u32) -> Result<u32, Wrong> {
    let quiet = &mut Unwatched;
    let word = |cell: &Cell| {
        view.locate(cell, &mut Unwatched)
            .map(|location| view.words[location.word])
    };
    Ok(match &code.program.code[pc as usize] {
        Instruction::Acquire(cell) => {
            let owner = Lock(word(cell)?).owner();
            u32::from(owner.is_none_or(|owner| owner == view.thread))
        }
        Instruction::WaitResume(cell) => {
            let notified = code.layout.header(view.words, view.thread).mode == Mode::Notified;
            u32::from(notified && Lock(word(cell)?) == Lock::FREE)
        }
        Instruction::Down(cell) => u32::from(word(cell)? as i32 > 0),
        Instruction::Receive(cell, _) => u32::from(word(cell)? > 0),
        Instruction::Send(cell, value) => {
            // If the value cannot be computed, the step fails, full or not.
            let full = word(cell)?;
            view.value(value, quiet)?;
            let capacity = code.layout.regions[cell.region.0 as usize].stride - 1;
            u32::from((full as usize) < capacity)
        }
        Instruction::Join(thread) => {
            let number = view.value(thread, quiet)?;
            let exists = number >= 0 && (number as usize) < code.layout.threads(view.words);
            let done = |thread| code.layout.header(view.words, thread).mode == Mode::Done;
            u32::from(!exists || done(Thread(number as u32)))
        }
        Instruction::Await(condition) => u32::from(view.holds(condition, quiet)?),
        Instruction::Choose { low, high, .. } => {
            count_between(view.value(low, quiet)?, view.value(high, quiet)?).unwrap_or(1)
        }
        Instruction::Select(arms) => {
            let mut open = 0;
            for arm in arms {
                open += match &arm.guard {
                    None => 1,
                    Some(guard) => u32::from(view.holds(guard, quiet)?),
                };
            }
            open
        }
        Instruction::Notify(cell) => {
            let location = view.locate(cell, quiet)?;
            let owner = Lock(view.words[location.word]).owner();
            match owner == Some(view.thread) {
                true => waiting_on(code, view.words, location, Mode::Waiting)
                    .len()
                    .max(1) as u32,
                false => 1,
            }
        }
        _ => 1,
    })
}

/// A step that can go in more ways than this is not executed: trying them all would take
/// for ever.
const MOST_WAYS: u32 = 1 << 12;

/// A step can go in too many ways.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooMany;

/// The ways in which a step can be made, counted by trying them, up to the one with
/// number `wanted`; and that one's decisions.
pub(crate) fn ways(
    code: Code<'_>,
    words: &Vec<u32>,
    thread: Thread,
    wanted: u32,
) -> Result<(u32, Option<Choices>), TooMany> {
    let mut choices = Choices::default();
    let mut count = 0;
    let mut copy = Vec::new();
    for _ in 0..MOST_WAYS {
        copy.clone_from(words);
        let blocked = match Execution::new(code, &mut copy, thread, &mut Unwatched) {
            None => true,
            Some(execution) => execution.step(&mut choices) == Err(Stop::Blocked),
        };
        if choices.is_too_long() {
            return Err(TooMany);
        }
        if !blocked {
            if count == wanted {
                choices.rewind();
                return Ok((count, Some(choices)));
            }
            count += 1;
        }
        if !choices.advance() {
            return Ok((count, None));
        }
    }
    Err(TooMany)
}

/// Executes all ways in which a step can go, on copies, those included that have to
/// wait on the way; tells how many there are.
pub(crate) fn watch_all_ways<W: Watch>(
    code: Code<'_>,
    words: &Vec<u32>,
    thread: Thread,
    watch: &mut W,
) -> usize {
    let mut copy = COPY.take();
    let count = watch_on(&mut copy, code, words, thread, watch);
    COPY.set(copy);
    count
}

thread_local! {
    /// The memory of a copy. Reductions ask for footprints all the time.
    static COPY: cell::Cell<Vec<u32>> = const { cell::Cell::new(Vec::new()) };
}

fn watch_on<W: Watch>(
    copy: &mut Vec<u32>,
    code: Code<'_>,
    words: &Vec<u32>,
    thread: Thread,
    watch: &mut W,
) -> usize {
    let mut choices = Choices::default();
    let mut count = 0;
    loop {
        copy.clone_from(words);
        if count > MOST_WAYS as usize || choices.is_too_long() {
            return count;
        }
        if let Some(execution) = Execution::new(code, copy, thread, watch) {
            // How it ends does not matter here, only what it touches.
            let _ = execution.step(&mut choices);
            count += 1;
        }
        if !choices.advance() {
            return count;
        }
    }
}

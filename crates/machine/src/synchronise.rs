//! What instructions do to monitors, semaphores, channels, threads and, atomically, to
//! variables.

use crate::evaluate::{EvaluationError, Location, Unwatched, Watch, ranged};
use crate::interpret::{Choices, Code, Execution, Stop, thread_object};
use crate::ir::{Cell, Expression, Instruction, Register};
use crate::memory::{Header, Lock, Mode};
use raddle_model::{FaultKind, Operation, Thread};

impl<W: Watch> Execution<'_, W> {
    pub(crate) fn join(&mut self, thread: &Expression) -> Result<(), Stop> {
        let number = self.value(thread)?;
        if number < 0 || number as usize >= self.code.layout.threads(self.words) {
            return Err(self.trouble(EvaluationError::Null));
        }
        let thread = Thread(number as u32);
        self.watch
            .access(thread_object(thread), Operation::Join, None);
        match self.code.layout.header(self.words, thread).mode {
            Mode::Done => Ok(()),
            _ => Err(Stop::Blocked),
        }
    }

    pub(crate) fn compare_and_set(
        &mut self,
        cell: &Cell,
        expected: &Expression,
        value: &Expression,
        result: Option<Register>,
    ) -> Result<(), Stop> {
        let location = self.locate(cell)?;
        let expected = self.value(expected)?;
        let value = self.value(value)?;
        let old = self.words[location.word] as i32;
        let equal = old == expected;
        // One that fails has only read.
        let (operation, shown) = match equal {
            true => (Operation::Update, value),
            false => (Operation::Read, old),
        };
        self.watch.access(location.object, operation, Some(shown));
        if equal {
            self.words[location.word] = value as u32;
        }
        self.set_result(result, i32::from(equal));
        Ok(())
    }

    pub(crate) fn fetch_add(&mut self) -> Result<(), Stop> {
        let instruction = &self.code.program.code[self.pc as usize];
        let Instruction::FetchAdd {
            cell,
            value,
            range,
            result,
        } = instruction
        else {
            return Ok(());
        };
        let location = self.locate(cell)?;
        let added = self.value(value)?;
        let old = self.words[location.word] as i32;
        let new = match range {
            None => old.wrapping_add(added),
            Some(range) => match ranged(old.wrapping_add(added), *range) {
                Ok(new) => new,
                Err(trouble) => {
                    // Whether it fails depends on what it read.
                    self.watch
                        .access(location.object, Operation::Read, Some(old));
                    return Err(self.trouble(*trouble));
                }
            },
        };
        let operation = instruction.operation().unwrap_or(Operation::Update);
        self.watch.access(location.object, operation, Some(new));
        self.words[location.word] = new as u32;
        self.set_result(*result, old);
        Ok(())
    }

    pub(crate) fn acquire(&mut self, cell: &Cell) -> Result<(), Stop> {
        let location = self.locate(cell)?;
        self.watch.access(location.object, Operation::Acquire, None);
        let lock = Lock(self.words[location.word]);
        let depth = match lock.owner() {
            None => 0,
            Some(owner) if owner == self.thread => lock.depth(),
            Some(_) => return Err(Stop::Blocked),
        };
        if depth == Lock::MAX_DEPTH {
            return Err(self.give_up(format!("a lock is taken more than {depth} times")));
        }
        self.words[location.word] = Lock::owned(self.thread, depth + 1).0;
        Ok(())
    }

    /// The monitor's word, which the thread must own.
    fn owned(&mut self, cell: &Cell, operation: Operation) -> Result<(Location, Lock), Stop> {
        let location = self.locate(cell)?;
        self.watch.access(location.object, operation, None);
        let lock = Lock(self.words[location.word]);
        match lock.owner() {
            Some(owner) if owner == self.thread => Ok((location, lock)),
            owner => {
                let owner = match owner {
                    None => "nobody does".to_owned(),
                    Some(other) => format!("thread {} does", other.0),
                };
                let message = format!(
                    "{} of a lock that the thread does not hold ({owner})",
                    operation.name()
                );
                Err(self.fault(FaultKind::IllegalMonitorState, message))
            }
        }
    }

    pub(crate) fn release(&mut self, cell: &Cell) -> Result<(), Stop> {
        let (location, lock) = self.owned(cell, Operation::Release)?;
        self.words[location.word] = match lock.depth() {
            0 | 1 => Lock::FREE.0,
            depth => Lock::owned(self.thread, depth - 1).0,
        };
        Ok(())
    }

    pub(crate) fn wait(&mut self, cell: &Cell) -> Result<(), Stop> {
        if self.atomic > 0 {
            return Err(self.give_up("wait inside of an atomic block".to_owned()));
        }
        let (location, lock) = self.owned(cell, Operation::Wait)?;
        self.words[location.word] = Lock::FREE.0;
        self.set_mode(self.thread, Mode::Waiting, lock.depth());
        Ok(())
    }

    pub(crate) fn wait_resume(&mut self, cell: &Cell) -> Result<(), Stop> {
        let location = self.locate(cell)?;
        self.watch
            .access(location.object, Operation::WaitResume, None);
        let header = self.code.layout.header(self.words, self.thread);
        if header.mode != Mode::Notified || Lock(self.words[location.word]) != Lock::FREE {
            return Err(Stop::Blocked);
        }
        self.words[location.word] = Lock::owned(self.thread, header.depth).0;
        self.set_mode(self.thread, Mode::Running, 0);
        Ok(())
    }

    fn set_mode(&mut self, thread: Thread, mode: Mode, depth: u16) {
        let start = self.code.layout.area_start(self.words, thread);
        let header = Header {
            mode,
            depth,
            ..Header::unpack(self.words[start])
        };
        self.words[start] = header.pack();
    }

    /// Notifies one of the waiting threads, or all of them if there is no choice.
    pub(crate) fn notify(
        &mut self,
        cell: &Cell,
        choices: Option<&mut Choices>,
    ) -> Result<(), Stop> {
        let operation = match choices {
            Some(_) => Operation::Notify,
            None => Operation::NotifyAll,
        };
        let (location, _) = self.owned(cell, operation)?;
        let mut waiting = waiting_on(self.code, self.words, location, Mode::Waiting);
        if let Some(choices) = choices
            && waiting.len() > 1
        {
            let chosen = choices.pick(waiting.len() as u32) as usize;
            waiting = vec![waiting[chosen]];
        }
        for thread in waiting {
            let depth = self.code.layout.header(self.words, thread).depth;
            self.watch.woke(thread);
            self.set_mode(thread, Mode::Notified, depth);
        }
        Ok(())
    }

    pub(crate) fn up(&mut self, cell: &Cell) -> Result<(), Stop> {
        let location = self.locate(cell)?;
        self.watch.access(location.object, Operation::Up, None);
        match (self.words[location.word] as i32).checked_add(1) {
            Some(value) => self.words[location.word] = value as u32,
            None => return Err(self.give_up("a semaphore overflows".to_owned())),
        }
        Ok(())
    }

    pub(crate) fn down(&mut self, cell: &Cell) -> Result<(), Stop> {
        let location = self.locate(cell)?;
        self.watch.access(location.object, Operation::Down, None);
        if (self.words[location.word] as i32) <= 0 {
            return Err(Stop::Blocked);
        }
        self.words[location.word] -= 1;
        Ok(())
    }

    fn capacity(&self, cell: &Cell) -> usize {
        self.code.layout.regions[cell.region.0 as usize].stride - 1
    }

    pub(crate) fn send(&mut self, cell: &Cell, value: &Expression) -> Result<(), Stop> {
        let location = self.locate(cell)?;
        let value = self.value(value)?;
        self.watch
            .access(location.object, Operation::Send, Some(value));
        let length = self.words[location.word] as usize;
        if length >= self.capacity(cell) {
            return Err(Stop::Blocked);
        }
        self.words[location.word + 1 + length] = value as u32;
        self.words[location.word] += 1;
        Ok(())
    }

    pub(crate) fn receive(&mut self, cell: &Cell, result: Register) -> Result<(), Stop> {
        let location = self.locate(cell)?;
        let length = self.words[location.word] as usize;
        let first = location.word + 1;
        let value = (length > 0).then(|| self.words[first] as i32);
        self.watch
            .access(location.object, Operation::Receive, value);
        let Some(value) = value else {
            return Err(Stop::Blocked);
        };
        self.words.copy_within(first + 1..first + length, first);
        self.words[first + length - 1] = 0;
        self.words[location.word] -= 1;
        self.set(result, value);
        Ok(())
    }
}

/// The threads that wait on a monitor, or were notified and have not resumed.
pub(crate) fn waiting_on(
    code: Code<'_>,
    words: &[u32],
    location: Location,
    mode: Mode,
) -> Vec<Thread> {
    let mut waiting = Vec::new();
    for thread in (0..code.layout.threads(words)).map(|number| Thread(number as u32)) {
        if code.layout.header(words, thread).mode != mode {
            continue;
        }
        let Some((base, pc)) = code.layout.frames(words, thread).next() else {
            continue;
        };
        let Instruction::WaitResume(cell) = &code.program.code[pc as usize] else {
            continue;
        };
        let view = code.view(words, thread, base);
        if view.locate(cell, &mut Unwatched) == Ok(location) {
            waiting.push(thread);
        }
    }
    waiting
}

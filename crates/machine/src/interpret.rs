//! What a step does.
//!
//! [`Execution::step`] executes one step of one thread on a state, in place. It is
//! the only place that changes a state. Who wants to know what a step touches passes
//! a [`Watch`]; who wants to know whether it is possible calls [`choices`], which
//! looks at the one instruction that decides, or tries the step on a copy.

use crate::evaluate::{Location, Trouble, Unwatched, View, Watch, Wrong, ranged};
use crate::facts::{Facts, Probe, THREADS};
use crate::ir::{Cell, Expression, Instruction, Program, RecordId, Register, Target};
use crate::machine::MachineLimits;
use crate::memory::{Header, Layout, Lock, Mode};
use raddle_model::{Fault, FaultKind, Halt, Object, Operation, Status, Thread};

/// A program with all that is known of it.
#[derive(Clone, Copy)]
pub(crate) struct Code<'a> {
    pub(crate) program: &'a Program,
    pub(crate) layout: &'a Layout,
    pub(crate) facts: &'a Facts,
    pub(crate) limits: &'a MachineLimits,
}

/// Why an execution stopped before the end of its step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// An instruction has to wait.
    Blocked,
    /// The step fails.
    Halt(Halt),
}

/// Which way to go where a step can go several ways: the digits of a number whose
/// radices become known on the way. A step with a single decision, which is the
/// usual case, needs no memory for them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices {
    single: Option<u32>,
    digits: Vec<(u32, u32)>,
    used: usize,
}

impl Choices {
    /// The only decision is this one.
    pub(crate) fn single(choice: u32) -> Choices {
        Choices {
            single: Some(choice),
            ..Choices::default()
        }
    }

    fn pick(&mut self, radix: u32) -> u32 {
        if radix <= 1 {
            return 0;
        }
        if let Some(choice) = self.single.take() {
            return choice.min(radix - 1);
        }
        if self.used == self.digits.len() {
            self.digits.push((0, radix));
        }
        let digit = &mut self.digits[self.used];
        digit.1 = radix;
        self.used += 1;
        digit.0.min(radix - 1)
    }

    /// Goes to the next sequence of decisions; `false` after the last.
    fn advance(&mut self) -> bool {
        self.digits.truncate(self.used);
        self.used = 0;
        while let Some((taken, radix)) = self.digits.pop() {
            if taken + 1 < radix {
                self.digits.push((taken + 1, radix));
                return true;
            }
        }
        false
    }
}

/// One thread executing on a state.
pub(crate) struct Execution<'a, W> {
    code: Code<'a>,
    words: &'a mut Vec<u32>,
    thread: Thread,
    base: usize,
    pc: u32,
    /// How many atomic blocks are open.
    atomic: u32,
    watch: &'a mut W,
}

/// After so many instructions without a place to stop, look out for a thread that
/// goes round in circles.
const SUSPICIOUS: u64 = 10_000;
/// After so many, give up.
const HOPELESS: u64 = 10_000_000;

impl<'a, W: Watch> Execution<'a, W> {
    /// A thread about to make a step; `None` if it has finished.
    #[inline]
    pub(crate) fn new(
        code: Code<'a>,
        words: &'a mut Vec<u32>,
        thread: Thread,
        watch: &'a mut W,
    ) -> Option<Self> {
        let frame = code.layout.top_frame(words, thread)?;
        Some(Execution::at(code, words, thread, frame, watch))
    }

    /// A thread whose innermost frame is known.
    #[inline]
    pub(crate) fn at(
        code: Code<'a>,
        words: &'a mut Vec<u32>,
        thread: Thread,
        (base, pc): (usize, u32),
        watch: &'a mut W,
    ) -> Self {
        Execution {
            code,
            words,
            thread,
            base,
            pc,
            atomic: 0,
            watch,
        }
    }

    /// Executes one step.
    pub(crate) fn step(mut self, choices: &mut Choices) -> Result<(), Stop> {
        self.instruction(choices)?;
        self.run_to_start(choices)
    }

    /// Brings a thread that was just created to the place where its first step begins.
    pub(crate) fn settle(mut self) -> Result<(), Stop> {
        self.run_to_start(&mut Choices::default())
    }

    /// Executes until the thread stands where a step may begin, or has finished.
    fn run_to_start(&mut self, choices: &mut Choices) -> Result<(), Stop> {
        let mut executed = 0;
        while !self.finished() && (self.atomic > 0 || !self.code.program.starts[self.pc as usize]) {
            self.instruction(choices)?;
            executed += 1;
            if executed > SUSPICIOUS {
                return self.run_suspiciously(choices);
            }
        }
        self.park();
        Ok(())
    }

    /// As [`Execution::run_to_start`], for a thread that runs for so long that it
    /// may run for ever. If its own state comes back (Brent's method), it will: then
    /// it stays for ever in the least of the states it goes through, and its steps
    /// lead from there to there.
    fn run_suspiciously(&mut self, choices: &mut Choices) -> Result<(), Stop> {
        let mut seen = self.area().to_vec();
        let mut least = seen.clone();
        let (mut power, mut lap) = (1u64, 0u64);
        for _ in 0..HOPELESS {
            if self.finished() || (self.atomic == 0 && self.code.program.starts[self.pc as usize]) {
                self.park();
                return Ok(());
            }
            self.instruction(choices)?;
            // Inside of an atomic block shared variables may change as well.
            if self.atomic > 0 || self.finished() {
                continue;
            }
            let now = self.area();
            if now == seen {
                now.copy_from_slice(&least);
                return Ok(());
            }
            if *now < *least {
                least.clear();
                least.extend_from_slice(now);
            }
            lap += 1;
            if lap == power {
                (power, lap) = (power * 2, 0);
                seen = now.to_vec();
                least.clone_from(&seen);
            }
        }
        Err(self.give_up(format!(
            "a thread executed {HOPELESS} instructions without coming to the end of a step"
        )))
    }

    fn finished(&self) -> bool {
        self.pc == FINISHED
    }

    /// Clears what is dead where the thread stands and notes where that is.
    fn park(&mut self) {
        if self.finished() {
            return;
        }
        for &register in &*self.code.facts.dead[self.pc as usize] {
            self.words[self.base + usize::from(register)] = 0;
        }
        self.note_pc();
    }

    fn note_pc(&mut self) {
        let registers = self.code.layout.frame_registers[self.pc as usize] as usize;
        self.words[self.base + registers] = self.pc;
    }

    /// All that is the thread's own.
    fn area(&mut self) -> &mut [u32] {
        self.note_pc();
        let start = self.code.layout.area_start(self.words, self.thread);
        let end = self.code.layout.area_end(self.words, self.thread);
        &mut self.words[start..end]
    }

    #[inline]
    fn view(&self) -> View<'_> {
        View {
            layout: self.code.layout,
            labels: &self.code.program.labels,
            words: self.words,
            thread: self.thread,
            base: self.base,
        }
    }

    #[inline]
    fn value(&mut self, expression: &Expression) -> Result<i32, Stop> {
        let view = View {
            layout: self.code.layout,
            labels: &self.code.program.labels,
            words: self.words,
            thread: self.thread,
            base: self.base,
        };
        match view.value(expression, self.watch) {
            Ok(value) => Ok(value),
            Err(trouble) => Err(self.trouble(*trouble)),
        }
    }

    #[inline]
    fn locate(&mut self, cell: &Cell) -> Result<Location, Stop> {
        let view = View {
            layout: self.code.layout,
            labels: &self.code.program.labels,
            words: self.words,
            thread: self.thread,
            base: self.base,
        };
        match view.locate(cell, self.watch) {
            Ok(location) => Ok(location),
            Err(trouble) => Err(self.trouble(*trouble)),
        }
    }

    #[cold]
    fn trouble(&self, trouble: Trouble) -> Stop {
        self.fault(trouble.kind(), trouble.message())
    }

    #[cold]
    fn fault(&self, kind: FaultKind, message: String) -> Stop {
        Stop::Halt(Halt::Fault(Fault {
            kind,
            message,
            place: self.code.program.places.get(self.pc as usize).copied(),
        }))
    }

    #[cold]
    fn give_up(&self, message: String) -> Stop {
        let place = self.code.program.places.get(self.pc as usize);
        let line = place.map_or(0, |place| place.line);
        Stop::Halt(Halt::GaveUp(format!("{message} (line {line})")))
    }

    fn set(&mut self, register: Register, value: i32) {
        self.words[self.base + usize::from(register.0)] = value as u32;
    }

    fn set_result(&mut self, register: Option<Register>, value: i32) {
        if let Some(register) = register {
            self.set(register, value);
        }
    }

    /// Executes the instruction at which the thread stands.
    #[inline]
    fn instruction(&mut self, choices: &mut Choices) -> Result<(), Stop> {
        let program = self.code.program;
        self.watch.instruction(self.pc);
        match &program.code[self.pc as usize] {
            Instruction::Assign(target, value) => self.assign(target, value)?,
            Instruction::Branch(condition, otherwise) => {
                if self.value(condition)? == 0 {
                    self.pc = otherwise.0;
                    return Ok(());
                }
            }
            Instruction::Jump(target) => {
                self.pc = target.0;
                return Ok(());
            }
            Instruction::Skip => {}
            Instruction::AtomicBegin => self.atomic += 1,
            Instruction::AtomicEnd => self.atomic -= 1,
            Instruction::Return(value) => return self.return_from(value.as_ref()),
            Instruction::Call {
                function,
                arguments,
                ..
            } => return self.call(usize::from(function.0), arguments),
            Instruction::Assert(condition, message) => {
                if self.value(condition)? == 0 {
                    return Err(self.fault(FaultKind::Assertion, message.clone()));
                }
            }
            Instruction::Assume(condition) => {
                if self.value(condition)? == 0 {
                    return Err(Stop::Halt(Halt::Pruned));
                }
            }
            Instruction::Fail(kind, message) => return Err(self.fault(*kind, message.clone())),
            Instruction::Await(condition) => {
                if self.value(condition)? == 0 {
                    return Err(Stop::Blocked);
                }
            }
            Instruction::Choose { low, high, result } => {
                let (low, high) = (self.value(low)?, self.value(high)?);
                let count = count_between(low, high).ok_or_else(|| {
                    self.give_up(format!("a choice between {low} and {high} is too large"))
                })?;
                if count == 0 {
                    return Err(Stop::Blocked);
                }
                let chosen = low.wrapping_add(choices.pick(count) as i32);
                self.watch.chose(chosen);
                self.set(*result, chosen);
            }
            Instruction::Select(arms) => {
                let mut open = 0u64;
                for (number, arm) in arms.iter().enumerate() {
                    let taken = match &arm.guard {
                        None => true,
                        Some(guard) => self.value(guard)? != 0,
                    };
                    open |= u64::from(taken) << number;
                }
                if open == 0 {
                    return Err(Stop::Blocked);
                }
                for _ in 0..choices.pick(open.count_ones()) {
                    open &= open - 1;
                }
                let arm = open.trailing_zeros();
                self.watch.chose(arm as i32 + 1);
                self.pc = arms[arm as usize].target.0;
                return Ok(());
            }
            Instruction::New(record, result) => self.create(*record, *result)?,
            Instruction::Spawn {
                declaration,
                arguments,
                result,
            } => return self.spawn(declaration.0, arguments, *result),
            Instruction::Join(thread) => self.join(thread)?,
            Instruction::CompareAndSet {
                cell,
                expected,
                value,
                result,
            } => self.compare_and_set(cell, expected, value, *result)?,
            Instruction::FetchAdd { .. } => self.fetch_add()?,
            Instruction::Acquire(cell) => self.acquire(cell)?,
            Instruction::Release(cell) => self.release(cell)?,
            Instruction::Wait(cell) => self.wait(cell)?,
            Instruction::WaitResume(cell) => self.wait_resume(cell)?,
            Instruction::Notify(cell) => self.notify(cell, Some(choices))?,
            Instruction::NotifyAll(cell) => self.notify(cell, None)?,
            Instruction::Up(cell) => self.up(cell)?,
            Instruction::Down(cell) => self.down(cell)?,
            Instruction::Send(cell, value) => self.send(cell, value)?,
            Instruction::Receive(cell, result) => self.receive(cell, *result)?,
        }
        self.pc += 1;
        Ok(())
    }

    #[inline]
    fn assign(&mut self, target: &Target, value: &Expression) -> Result<(), Stop> {
        // As in Java, the target's own expressions are evaluated first.
        let slot = match target {
            Target::Local(register) => self.base + usize::from(register.0),
            Target::Shared(cell) => {
                let location = self.locate(cell)?;
                let value = self.value(value)?;
                self.watch
                    .access(location.object, Operation::Write, Some(value));
                self.words[location.word] = value as u32;
                return Ok(());
            }
            Target::ThreadLocal(slot) => self.view().thread_locals() + usize::from(*slot),
            Target::LocalElement(array, index) => {
                self.base + self.element_slot(*array, index)?
            }
            Target::ThreadLocalElement(array, index) => {
                self.view().thread_locals() + self.element_slot(*array, index)?
            }
        };
        self.words[slot] = self.value(value)? as u32;
        Ok(())
    }

    fn element_slot(&mut self, array: crate::ir::Array, index: &Expression) -> Result<usize, Stop> {
        let index = self.value(index)?;
        match (index as u32) < array.length {
            true => Ok(usize::from(array.base) + index as usize),
            false => Err(self.trouble(Trouble::Index(index, array.length))),
        }
    }

    fn call(&mut self, function: usize, arguments: &[Expression]) -> Result<(), Stop> {
        let callee = &self.code.program.functions[function];
        let layout = self.code.layout;
        let end = layout.area_end(self.words, self.thread);
        let size = callee.registers.len() + 1;
        let used = end - layout.area_start(self.words, self.thread);
        if used + size > self.code.limits.stack_words {
            let limit = self.code.limits.stack_words;
            let message = format!(
                "the stack has more than {limit} words in a call of {}",
                callee.name
            );
            return Err(self.fault(FaultKind::StackOverflow, message));
        }
        layout.grow(self.words, self.thread, size);
        for (slot, register) in callee.registers.iter().enumerate() {
            self.words[end + slot] = register.initial as u32;
        }
        for (slot, argument) in arguments.iter().enumerate() {
            self.words[end + slot] = self.value(argument)? as u32;
        }
        for &register in &*self.code.facts.dead_in_call[self.pc as usize] {
            self.words[self.base + usize::from(register)] = 0;
        }
        // The caller goes on after the call; its pc is kept just below the new frame.
        self.words[end - 1] = self.pc + 1;
        self.base = end;
        self.pc = callee.entry.0;
        self.words[end + size - 1] = self.pc;
        Ok(())
    }

    fn return_from(&mut self, value: Option<&Expression>) -> Result<(), Stop> {
        let value = match value {
            None => 0,
            Some(value) => self.value(value)?,
        };
        let layout = self.code.layout;
        let start = layout.area_start(self.words, self.thread);
        let end = layout.area_end(self.words, self.thread);
        if self.base == start + 1 + layout.thread_locals {
            self.watch
                .access(thread_object(self.thread), Operation::Finish, None);
            let header = Header {
                mode: Mode::Done,
                ..Header::unpack(self.words[start])
            };
            self.words[start] = header.pack();
            self.words[start + 1..end].fill(0);
            self.pc = FINISHED;
            return Ok(());
        }
        let below = self.base;
        layout.shrink(self.words, self.thread, end - below);
        self.pc = self.words[below - 1];
        self.base = layout.frame_base(below, self.pc);
        if let Instruction::Call { result, .. } = &self.code.program.code[self.pc as usize - 1] {
            self.set_result(*result, value);
        }
        Ok(())
    }

    fn create(&mut self, record: RecordId, result: Register) -> Result<(), Stop> {
        let number = usize::from(record.0);
        let initial = &self.code.program.records[number].initial;
        let limit = self.code.limits.heap_words;
        if self.heap_words() + 1 + initial.len() > limit {
            // Only what is still in use counts.
            let mut collected = Vec::new();
            self.code.layout.canonical(self.words, &mut collected);
            *self.words = collected;
            if self.heap_words() + 1 + initial.len() > limit {
                let message = format!("the heap has more than {limit} words");
                return Err(self.fault(FaultKind::HeapExhausted, message));
            }
        }
        let reference = self.code.layout.allocate(self.words, number, initial);
        self.set(result, reference as i32);
        Ok(())
    }

    fn heap_words(&self) -> usize {
        self.words.len() - self.code.layout.heap_start(self.words)
    }

    fn spawn(
        &mut self,
        declaration: u16,
        arguments: &[Expression],
        result: Option<Register>,
    ) -> Result<(), Stop> {
        if self.code.layout.threads(self.words) >= self.code.limits.threads {
            let limit = self.code.limits.threads;
            return Err(self.give_up(format!("the program starts more than {limit} threads")));
        }
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.value(argument)?);
        }
        let started = add_thread(self.code, self.words, declaration, &values);
        // The directory has grown by a word in front of all areas.
        self.base += 1;
        self.watch
            .access(thread_object(started), Operation::Start, None);
        self.set_result(result, started.0 as i32);
        self.pc += 1;
        self.note_pc();
        if let Some(execution) = Execution::new(self.code, self.words, started, self.watch) {
            execution.settle()?;
        }
        Ok(())
    }

    fn join(&mut self, thread: &Expression) -> Result<(), Stop> {
        let number = self.value(thread)?;
        if number < 0 || number as usize >= self.code.layout.threads(self.words) {
            return Err(self.trouble(Trouble::Null));
        }
        let thread = Thread(number as u32);
        self.watch
            .access(thread_object(thread), Operation::Join, None);
        match self.code.layout.header(self.words, thread).mode {
            Mode::Done => Ok(()),
            _ => Err(Stop::Blocked),
        }
    }

    fn compare_and_set(
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

    fn fetch_add(&mut self) -> Result<(), Stop> {
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
            Some(range) => {
                ranged(old.wrapping_add(added), *range).map_err(|trouble| self.trouble(*trouble))?
            }
        };
        let operation = instruction.operation().unwrap_or(Operation::Update);
        self.watch.access(location.object, operation, Some(new));
        self.words[location.word] = new as u32;
        self.set_result(*result, old);
        Ok(())
    }

    fn acquire(&mut self, cell: &Cell) -> Result<(), Stop> {
        let location = self.locate(cell)?;
        self.watch
            .access(location.object, Operation::Acquire, None);
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
                let message = format!("{} of a lock that the thread does not hold ({owner})", operation.name());
                Err(self.fault(FaultKind::IllegalMonitorState, message))
            }
        }
    }

    fn release(&mut self, cell: &Cell) -> Result<(), Stop> {
        let (location, lock) = self.owned(cell, Operation::Release)?;
        self.words[location.word] = match lock.depth() {
            0 | 1 => Lock::FREE.0,
            depth => Lock::owned(self.thread, depth - 1).0,
        };
        Ok(())
    }

    fn wait(&mut self, cell: &Cell) -> Result<(), Stop> {
        if self.atomic > 0 {
            return Err(self.give_up("wait inside of an atomic block".to_owned()));
        }
        let (location, lock) = self.owned(cell, Operation::Wait)?;
        self.words[location.word] = Lock::FREE.0;
        self.set_mode(self.thread, Mode::Waiting, lock.depth());
        Ok(())
    }

    fn wait_resume(&mut self, cell: &Cell) -> Result<(), Stop> {
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
    fn notify(&mut self, cell: &Cell, choices: Option<&mut Choices>) -> Result<(), Stop> {
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

    fn up(&mut self, cell: &Cell) -> Result<(), Stop> {
        let location = self.locate(cell)?;
        self.watch.access(location.object, Operation::Up, None);
        match (self.words[location.word] as i32).checked_add(1) {
            Some(value) => self.words[location.word] = value as u32,
            None => return Err(self.give_up("a semaphore overflows".to_owned())),
        }
        Ok(())
    }

    fn down(&mut self, cell: &Cell) -> Result<(), Stop> {
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

    fn send(&mut self, cell: &Cell, value: &Expression) -> Result<(), Stop> {
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

    fn receive(&mut self, cell: &Cell, result: Register) -> Result<(), Stop> {
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

/// The pc of a thread that has finished, while it is executing its last step.
const FINISHED: u32 = u32::MAX;

/// A thread as an object.
pub(crate) fn thread_object(thread: Thread) -> Object {
    Object {
        region: THREADS,
        index: thread.0,
    }
}

/// Adds a thread at the beginning of its function.
pub(crate) fn add_thread(
    code: Code<'_>,
    words: &mut Vec<u32>,
    declaration: u16,
    arguments: &[i32],
) -> Thread {
    let program = code.program;
    let function =
        &program.functions[usize::from(program.declarations[usize::from(declaration)].function.0)];
    let header = Header {
        mode: Mode::Running,
        declaration,
        depth: 0,
    };
    let registers = function.registers.iter().enumerate().map(|(slot, register)| {
        arguments.get(slot).copied().unwrap_or(register.initial) as u32
    });
    let locals = program.thread_locals.iter().map(|slot| slot.initial as u32);
    code.layout
        .add_thread(words, header, locals, registers, function.entry.0)
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
        let view = View {
            layout: code.layout,
            labels: &code.program.labels,
            words,
            thread,
            base,
        };
        if view.locate(cell, &mut Unwatched) == Ok(location) {
            waiting.push(thread);
        }
    }
    waiting
}

/// How many numbers lie between two, both included; `None` if too many to choose from.
fn count_between(low: i32, high: i32) -> Option<u32> {
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
            let view = View {
                layout: code.layout,
                labels: &code.program.labels,
                words,
                thread,
                base,
            };
            // A fault is for the step to find: the thread is ready to fail.
            decide(code, view, deciding.0).unwrap_or(1)
        }
        Probe::Trial => ways(code, words, thread, u32::MAX).0,
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
        Instruction::Send(cell, _) => {
            let capacity = code.layout.regions[cell.region.0 as usize].stride - 1;
            u32::from((word(cell)? as usize) < capacity)
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

/// The ways in which a step can be made, counted by trying them, up to the one with
/// number `wanted`; and that one's result.
pub(crate) fn ways(
    code: Code<'_>,
    words: &Vec<u32>,
    thread: Thread,
    wanted: u32,
) -> (u32, Option<Choices>) {
    let mut choices = Choices::default();
    let mut count = 0;
    let mut copy = Vec::new();
    loop {
        copy.clone_from(words);
        let mut quiet = Unwatched;
        let blocked = match Execution::new(code, &mut copy, thread, &mut quiet) {
            None => true,
            Some(execution) => execution.step(&mut choices) == Err(Stop::Blocked),
        };
        if !blocked {
            if count == wanted {
                choices.used = 0;
                return (count, Some(choices));
            }
            count += 1;
        }
        if !choices.advance() {
            return (count, None);
        }
    }
}

/// Executes all ways in which a step can go, on copies, those included that have to
/// wait on the way.
pub(crate) fn watch_all_ways<W: Watch>(
    code: Code<'_>,
    words: &Vec<u32>,
    thread: Thread,
    watch: &mut W,
) {
    let mut choices = Choices::default();
    let mut copy = Vec::new();
    loop {
        copy.clone_from(words);
        if let Some(execution) = Execution::new(code, &mut copy, thread, watch) {
            // How it ends does not matter here, only what it touches.
            let _ = execution.step(&mut choices);
        }
        if !choices.advance() {
            return;
        }
    }
}

//! What a step does.
//!
//! [`Execution::step`] executes one step of one thread on a state, in place. It is
//! the only way to change a state. Who wants to know what a step touches passes a
//! [`Watch`]. What happens to monitors and their like is in `synchronise.rs`; whether a
//! step is possible at all, in `possible.rs`.

use crate::evaluate::{EvaluationError, Location, View, Watch, Wrong, binary};
use crate::facts::{Facts, THREADS};
use crate::ir::{
    BinaryOperator, Cell, Expression, Instruction, Program, RecordId, Register, Target,
};
use crate::machine::MachineLimits;
use crate::memory::{FINISHED, Header, Layout, Mode};
use crate::possible::count_between;
use crate::reached::{NO, YES};
use raddle_model::{Fault, FaultKind, Halt, Object, Operation, Thread};

/// A program with all that is known of it.
#[derive(Clone, Copy)]
pub(crate) struct Code<'a> {
    pub(crate) program: &'a Program,
    pub(crate) layout: &'a Layout,
    pub(crate) facts: &'a Facts,
    pub(crate) limits: &'a MachineLimits,
}

impl<'a> Code<'a> {
    /// A state as a thread sees it whose innermost frame begins at `base`.
    #[inline]
    pub(crate) fn view(self, words: &'a [u32], thread: Thread, base: usize) -> View<'a> {
        View {
            layout: self.layout,
            labels: &self.program.labels,
            words,
            thread,
            base,
            accessed: 0,
        }
    }
}

/// Why an execution stopped before the end of its step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// An instruction has to wait.
    Blocked,
    /// The step fails. Boxed, because it is rare and results are passed around a lot.
    Halt(Box<Halt>),
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

/// After so many decisions a step is given up.
const MOST_DECISIONS: usize = 1 << 10;

impl Choices {
    /// The only decision is this one.
    pub(crate) fn single(choice: u32) -> Choices {
        Choices {
            single: Some(choice),
            ..Choices::default()
        }
    }

    /// Whether there were more decisions in one step than are sensible.
    pub(crate) fn is_too_long(&self) -> bool {
        self.used > MOST_DECISIONS
    }

    pub(crate) fn pick(&mut self, radix: u32) -> u32 {
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

    /// Goes back to the first decision, to take the same ones again.
    pub(crate) fn rewind(&mut self) {
        self.used = 0;
    }

    /// Goes to the next sequence of decisions; `false` after the last.
    pub(crate) fn advance(&mut self) -> bool {
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
    pub(crate) code: Code<'a>,
    pub(crate) words: &'a mut Vec<u32>,
    pub(crate) thread: Thread,
    base: usize,
    pub(crate) pc: u32,
    /// How many atomic blocks are open.
    pub(crate) atomic: u32,
    pub(crate) watch: &'a mut W,
}

/// Why a step is given up that can go in too many ways.
pub(crate) const TOO_MANY_WAYS: &str = "a step can go in too many ways";

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
            // With new objects its own state never comes back.
            if matches!(
                self.code.program.code[self.pc as usize],
                Instruction::New(..)
            ) {
                let message =
                    "a thread goes on creating objects without coming to the end of a step";
                return Err(self.give_up(message.to_owned()));
            }
            self.instruction(choices)?;
            // Inside of an atomic block shared variables may change as well.
            if self.atomic > 0 || self.finished() {
                continue;
            }
            let now = self.area();
            if now == seen {
                return self.run_to(&least, choices);
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
        Err(self.hopeless())
    }

    /// Goes on in a circle to the state with this area, and stays there. Copying the area
    /// would not do: with another depth of calls it has another length.
    fn run_to(&mut self, area: &[u32], choices: &mut Choices) -> Result<(), Stop> {
        for _ in 0..HOPELESS {
            if self.finished() || *self.area() == *area {
                self.park();
                return Ok(());
            }
            self.instruction(choices)?;
        }
        Err(self.hopeless())
    }

    #[cold]
    fn hopeless(&self) -> Stop {
        self.give_up(format!(
            "a thread executed {HOPELESS} instructions without coming to the end of a step"
        ))
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
        self.watch.stands(self.pc);
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

    #[inline(always)]
    pub(crate) fn value(&mut self, expression: &Expression) -> Result<i32, Stop> {
        match self.simple(expression) {
            Some(value) => Ok(value),
            None => self.compound(expression),
        }
    }

    /// The value of a constant or a register.
    #[inline(always)]
    fn simple(&self, expression: &Expression) -> Option<i32> {
        match expression {
            Expression::Constant(value) => Some(*value),
            Expression::Local(register) => {
                Some(self.words[self.base + usize::from(register.0)] as i32)
            }
            _ => None,
        }
    }

    /// The value of a chain of operators whose right operands are constants or registers,
    /// such as `(a * 3 + b) % 7`: the most frequent form, which needs no recursion.
    #[inline]
    fn chain(&self, mut expression: &Expression) -> Option<Result<i32, Wrong>> {
        const LONGEST: usize = 6;
        let mut pending = [(BinaryOperator::Add, 0); LONGEST];
        let mut length = 0;
        let mut value = loop {
            if let Some(value) = self.simple(expression) {
                break value;
            }
            let Expression::Binary(operator, left, right) = expression else {
                return None;
            };
            if matches!(operator, BinaryOperator::And | BinaryOperator::Or) || length == LONGEST {
                return None;
            }
            pending[length] = (*operator, self.simple(right)?);
            length += 1;
            expression = left;
        };
        for &(operator, right) in pending[..length].iter().rev() {
            match binary(operator, value, right) {
                Ok(result) => value = result,
                wrong => return Some(wrong),
            }
        }
        Some(Ok(value))
    }

    #[inline(never)]
    fn compound(&mut self, expression: &Expression) -> Result<i32, Stop> {
        if let Some(value) = self.chain(expression) {
            return value.map_err(|trouble| self.trouble(*trouble));
        }
        let view = self.code.view(self.words, self.thread, self.base);
        match view.compound(expression, self.watch) {
            Ok(value) => Ok(value),
            Err(trouble) => Err(self.trouble(*trouble)),
        }
    }

    #[inline]
    pub(crate) fn locate(&mut self, cell: &Cell) -> Result<Location, Stop> {
        let view = self.code.view(self.words, self.thread, self.base);
        match view.locate(cell, self.watch) {
            Ok(location) => Ok(location),
            Err(trouble) => Err(self.trouble(*trouble)),
        }
    }

    #[cold]
    pub(crate) fn trouble(&self, trouble: EvaluationError) -> Stop {
        self.fault(trouble.kind(), trouble.message())
    }

    #[cold]
    pub(crate) fn fault(&self, kind: FaultKind, message: String) -> Stop {
        Stop::Halt(Box::new(Halt::Fault(Fault {
            kind,
            message,
            place: self.code.program.places.get(self.pc as usize).copied(),
        })))
    }

    #[cold]
    pub(crate) fn give_up(&self, message: String) -> Stop {
        let place = self.code.program.places.get(self.pc as usize);
        let line = place.map_or(0, |place| place.line);
        Stop::Halt(Box::new(Halt::GaveUp(format!("{message} (line {line})"))))
    }

    pub(crate) fn set(&mut self, register: Register, value: i32) {
        self.words[self.base + usize::from(register.0)] = value as u32;
    }

    pub(crate) fn set_result(&mut self, register: Option<Register>, value: i32) {
        if let Some(register) = register {
            self.set(register, value);
        }
    }

    /// Executes the instruction at which the thread stands.
    #[inline]
    fn instruction(&mut self, choices: &mut Choices) -> Result<(), Stop> {
        let program = self.code.program;
        self.watch.instruction(self.pc);
        if choices.is_too_long() {
            return Err(self.give_up(TOO_MANY_WAYS.to_owned()));
        }
        match &program.code[self.pc as usize] {
            Instruction::Assign(target, value) => self.assign(target, value)?,
            Instruction::Branch(condition, otherwise) => {
                if self.value(condition)? == 0 {
                    self.watch.branched(self.pc, NO);
                    self.pc = otherwise.0;
                    return Ok(());
                }
                self.watch.branched(self.pc, YES);
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
                // It may ask where the thread stands.
                self.note_pc();
                if self.value(condition)? == 0 {
                    return Err(self.fault(FaultKind::Assertion, message.clone()));
                }
            }
            Instruction::Assume(condition) => {
                if self.value(condition)? == 0 {
                    self.watch.decided(self.pc, NO);
                    return Err(Stop::Halt(Box::new(Halt::Pruned)));
                }
                self.watch.decided(self.pc, YES);
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
                self.watch.decided(self.pc, arm as usize);
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
            Target::ThreadLocal(slot) => {
                self.code.layout.locals_start(self.words, self.thread) + usize::from(*slot)
            }
            Target::LocalElement(array, index) => self.base + self.element_slot(*array, index)?,
            Target::ThreadLocalElement(array, index) => {
                self.code.layout.locals_start(self.words, self.thread)
                    + self.element_slot(*array, index)?
            }
        };
        self.words[slot] = self.value(value)? as u32;
        Ok(())
    }

    fn element_slot(&mut self, array: crate::ir::Array, index: &Expression) -> Result<usize, Stop> {
        let index = self.value(index)?;
        match (index as u32) < array.length {
            true => Ok(usize::from(array.base) + index as usize),
            false => Err(self.trouble(EvaluationError::Index(index, array.length))),
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
            self.words[start + 1..end - 1].fill(0);
            self.words[end - 1] = FINISHED;
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
            // Only what is still in use counts. It is counted on a copy: objects keep
            // their names for as long as the state is not brought into canonical form.
            let mut in_use = Vec::new();
            self.code.layout.canonical(self.words, &mut in_use);
            let heap = in_use.len() - self.code.layout.heap_start(&in_use);
            if heap + 1 + initial.len() > limit {
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
}

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
    let registers = function
        .registers
        .iter()
        .enumerate()
        .map(|(slot, register)| arguments.get(slot).copied().unwrap_or(register.initial) as u32);
    let locals = program.thread_locals.iter().map(|slot| slot.initial as u32);
    code.layout
        .add_thread(words, header, locals, registers, function.entry.0)
}

//! Making code: a stack of operands that mostly cost no instruction.
//!
//! The operand stack is followed while code is made. An entry is in its home register (the
//! one for its depth), or it is known to equal a local variable or a number and has not been
//! written anywhere. Where control flow meets, every entry is in its home.

use super::{Instr, Op, Resolved, Site};
use crate::classfile::{Malformed, Parsed};
use crate::descriptor::Kind;

/// Registers for shuffling the stack.
const SCRATCH: u16 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Home,
    Local(u16),
    Int(u32),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) value: Value,
    pub(crate) kind: Kind,
}

/// An entry that was popped: its value, and the register that was its home.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand {
    pub(crate) value: Value,
    pub(crate) home: u16,
    pub(crate) kind: Kind,
}

impl Operand {
    pub(crate) fn number(&self) -> Option<i32> {
        match self.value {
            Value::Int(number) => Some(number.cast_signed()),
            _ => None,
        }
    }
}

/// See the module's documentation.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    locals: u16,
    max_stack: u16,
    pub(crate) stack: Vec<Entry>,
    pub(crate) instrs: Vec<Instr>,
    pub(crate) pcs: Vec<u16>,
    /// Whether what an instruction defines is a reference.
    pub(crate) refs: Vec<bool>,
    pub(crate) pc: u16,
    pub(crate) sites: Vec<Site>,
    pub(crate) constants: Vec<u64>,
}

/// Which of the first sixteen words of arguments are second halves, in which nothing stands.
fn second_halves(parameters: &[Kind], has_receiver: bool) -> u16 {
    let mut at = u16::from(has_receiver);
    let mut halves = 0;
    for kind in parameters {
        at += kind.words();
        if kind.words() == 2 && at <= 16 {
            halves |= 1 << (at - 1);
        }
    }
    halves
}

pub(crate) fn malformed<T>(what: &str) -> Parsed<T> {
    Err(Malformed(what.to_owned()))
}

/// The kind that a value has on the stack.
pub(crate) fn stack_kind(kind: Kind) -> Kind {
    match kind {
        Kind::Boolean | Kind::Byte | Kind::Char | Kind::Short => Kind::Int,
        other => other,
    }
}

impl Builder {
    pub(crate) fn new(locals: u16, max_stack: u16) -> Parsed<Self> {
        if u32::from(locals) + u32::from(max_stack) + u32::from(SCRATCH) > 65535 {
            return malformed("Too many local variables and stack places");
        }
        Ok(Self {
            locals,
            max_stack,
            ..Self::default()
        })
    }

    pub(crate) fn registers(&self) -> u32 {
        u32::from(self.locals + self.max_stack + SCRATCH)
    }

    fn depth(&self) -> u16 {
        self.stack.iter().map(|entry| entry.kind.words()).sum()
    }

    /// The register where the next entry has its home.
    pub(crate) fn home(&self) -> u16 {
        self.locals + self.depth()
    }

    pub(crate) fn emit(&mut self, op: Op, a: u16, b: u16, c: u16, x: u32) {
        self.instrs.push(Instr::new(op, a, b, c, x));
        self.pcs.push(self.pc);
        self.refs.push(false);
    }

    /// Emits an instruction whose result is of a kind.
    fn emit_kind(&mut self, kind: Kind, op: Op, a: u16, b: u16, x: u32) {
        self.emit(op, a, b, 0, x);
        self.mark(kind);
    }

    /// Notes of which kind the result of the last instruction is.
    fn mark(&mut self, kind: Kind) {
        if let Some(is_ref) = self.refs.last_mut() {
            *is_ref = kind == Kind::Ref;
        }
    }

    pub(crate) fn push(&mut self, value: Value, kind: Kind) -> Parsed<()> {
        let kind = stack_kind(kind);
        if self.depth() + kind.words() > self.max_stack {
            return malformed("Operand stack overflow");
        }
        self.stack.push(Entry { value, kind });
        Ok(())
    }

    /// Emits an instruction whose result is pushed.
    pub(crate) fn define(&mut self, op: Op, kind: Kind, b: u16, c: u16, x: u32) -> Parsed<()> {
        let home = self.home();
        self.push(Value::Home, kind)?;
        self.emit(op, home, b, c, x);
        self.mark(kind);
        Ok(())
    }

    pub(crate) fn pop_any(&mut self) -> Parsed<Operand> {
        let Some(entry) = self.stack.pop() else {
            return malformed("Operand stack underflow");
        };
        Ok(Operand {
            value: entry.value,
            home: self.home(),
            kind: entry.kind,
        })
    }

    pub(crate) fn pop(&mut self, kind: Kind) -> Parsed<Operand> {
        let operand = self.pop_any()?;
        if operand.kind != stack_kind(kind) {
            return malformed("Bad type on operand stack");
        }
        Ok(operand)
    }

    /// The register that has the operand's value.
    pub(crate) fn register(&mut self, operand: Operand) -> u16 {
        match operand.value {
            Value::Home => operand.home,
            Value::Local(local) => local,
            Value::Int(number) => {
                self.emit_kind(operand.kind, Op::Int, operand.home, 0, number);
                operand.home
            }
        }
    }

    pub(crate) fn pop_register(&mut self, kind: Kind) -> Parsed<u16> {
        let operand = self.pop(kind)?;
        Ok(self.register(operand))
    }

    fn put_home(&mut self, index: usize) {
        let Some(entry) = self.stack.get(index).copied() else {
            return;
        };
        let home = self.locals
            + self.stack[..index]
                .iter()
                .map(|entry| entry.kind.words())
                .sum::<u16>();
        match entry.value {
            Value::Home => return,
            Value::Local(local) => self.emit_kind(entry.kind, Op::Move, home, local, 0),
            Value::Int(number) => self.emit_kind(entry.kind, Op::Int, home, 0, number),
        }
        self.stack[index].value = Value::Home;
    }

    /// Brings the last `count` entries to their homes.
    pub(crate) fn flush_last(&mut self, count: usize) {
        let length = self.stack.len();
        for index in length.saturating_sub(count)..length {
            self.put_home(index);
        }
    }

    pub(crate) fn flush(&mut self) {
        self.flush_last(self.stack.len());
    }

    pub(crate) fn check_local(&self, local: u16, kind: Kind) -> Parsed<()> {
        if u32::from(local) + u32::from(kind.words()) > u32::from(self.locals) {
            return malformed("Local variable index out of range");
        }
        Ok(())
    }

    pub(crate) fn load(&mut self, local: u16, kind: Kind) -> Parsed<()> {
        self.check_local(local, kind)?;
        self.push(Value::Local(local), kind)
    }

    /// Before a local variable is written: entries that stand for it get its old value.
    pub(crate) fn forget_local(&mut self, local: u16) {
        for index in 0..self.stack.len() {
            if self.stack[index].value == Value::Local(local) {
                self.put_home(index);
            }
        }
    }

    pub(crate) fn store(&mut self, local: u16, operand: Operand) -> Parsed<()> {
        self.check_local(local, operand.kind)?;
        let length = self.instrs.len();
        self.forget_local(local);
        match operand.value {
            Value::Int(number) => self.emit_kind(operand.kind, Op::Int, local, 0, number),
            Value::Local(other) if other == local => {}
            Value::Local(other) => self.emit_kind(operand.kind, Op::Move, local, other, 0),
            Value::Home => {
                let is_fresh = self.instrs.len() == length;
                match self.instrs.last_mut() {
                    // The result goes to the variable at once. `Multi` takes its lengths from
                    // where its result goes, which does no harm.
                    Some(last) if is_fresh && last.defines() && last.a == operand.home => {
                        last.a = local
                    }
                    _ => self.emit_kind(operand.kind, Op::Move, local, operand.home, 0),
                }
            }
        }
        Ok(())
    }

    /// Replaces the last `count` entries by copies of some of them, as the `dup` family does.
    pub(crate) fn shuffle(&mut self, count: usize, picks: &[usize]) -> Parsed<()> {
        if self.stack.len() < count {
            return malformed("Operand stack underflow");
        }
        let start = self.stack.len() - count;
        let mut old = Vec::with_capacity(count);
        let mut home = self.locals
            + self.stack[..start]
                .iter()
                .map(|entry| entry.kind.words())
                .sum::<u16>();
        for entry in self.stack.drain(start..) {
            old.push(Operand {
                value: entry.value,
                home,
                kind: entry.kind,
            });
            home += entry.kind.words();
        }
        // Where a value that is in its home would be overwritten before it is read, it is
        // first brought out of the way.
        let mut moves = Vec::new();
        for &pick in picks {
            let Some(&operand) = old.get(pick) else {
                return malformed("Operand stack underflow");
            };
            let target = self.home();
            self.push(operand.value, operand.kind)?;
            if operand.value == Value::Home && target != operand.home {
                moves.push((target, operand.home, operand.kind));
            }
        }
        let clobbers = moves.iter().enumerate().any(|(i, &(target, ..))| {
            moves[i + 1..]
                .iter()
                .any(|&(_, source, _)| source == target)
        });
        let scratch = self.locals + self.max_stack;
        if clobbers {
            let mut sources: Vec<u16> = moves.iter().map(|&(_, source, _)| source).collect();
            sources.sort_unstable();
            sources.dedup();
            for (i, &source) in sources.iter().enumerate() {
                let kind = moves
                    .iter()
                    .find(|entry| entry.1 == source)
                    .map_or(Kind::Int, |entry| entry.2);
                self.emit_kind(kind, Op::Move, scratch + i as u16, source, 0);
            }
            for (_, source, _) in &mut moves {
                let place = sources.iter().position(|s| s == source).unwrap_or(0);
                *source = scratch + place as u16;
            }
        }
        for (target, source, kind) in moves {
            self.emit_kind(kind, Op::Move, target, source, 0);
        }
        Ok(())
    }

    pub(crate) fn site(&mut self, site: Site) -> u32 {
        self.sites.push(site);
        self.sites.len() as u32 - 1
    }

    pub(crate) fn pool_site(&mut self, pool: u16) -> u32 {
        self.site(Site {
            pool,
            ..Site::default()
        })
    }

    pub(crate) fn resolved_site(&mut self, resolved: Resolved) -> u32 {
        self.site(Site::resolved(resolved))
    }

    pub(crate) fn constant(&mut self, value: u64) -> u32 {
        self.constants.push(value);
        self.constants.len() as u32 - 1
    }

    /// Emits a call: the arguments come off the stack, the result goes onto it.
    pub(crate) fn call(
        &mut self,
        op: Op,
        parameters: &[Kind],
        has_receiver: bool,
        result: Kind,
        site: u32,
    ) -> Parsed<()> {
        let count = parameters.len() + usize::from(has_receiver);
        self.flush_last(count);
        for &parameter in parameters.iter().rev() {
            self.pop(parameter)?;
        }
        if has_receiver {
            self.pop(Kind::Ref)?;
        }
        let home = self.home();
        let words =
            parameters.iter().map(|kind| kind.words()).sum::<u16>() + u16::from(has_receiver);
        self.emit(
            op,
            home,
            words,
            second_halves(parameters, has_receiver),
            site,
        );
        self.mark(result);
        if result != Kind::Void {
            self.push(Value::Home, result)?;
        }
        Ok(())
    }
}

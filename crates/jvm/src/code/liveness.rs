//! Which registers matter at an instruction, and which of those hold references.
//!
//! Two states in which only dead registers differ are the same; so the canonical form of a
//! state leaves them out.

use super::{Code, Instr, Op};
use crate::descriptor::Kind;

/// For each instruction two rows of bits, one for each register.
#[derive(Debug)]
pub(crate) struct Liveness {
    width: usize,
    live: Vec<u64>,
    refs: Vec<u64>,
}

impl Liveness {
    /// Whether a register is read later, when control is in front of an instruction.
    pub(crate) fn is_live(&self, pc: usize, register: usize) -> bool {
        bit(&self.live, pc * self.width, register)
    }

    /// Whether a live register holds a reference.
    pub(crate) fn is_ref(&self, pc: usize, register: usize) -> bool {
        bit(&self.refs, pc * self.width, register)
    }

    /// Computes both for a method with the given parameters, the receiver included.
    pub(crate) fn of(code: &Code, parameters: &[Kind]) -> Self {
        let width = (code.registers as usize).div_ceil(64);
        let mut this = Self {
            width,
            live: vec![0; width * code.instrs.len()],
            refs: vec![!0; width * code.instrs.len()],
        };
        this.find_live(code);
        this.find_refs(code, parameters);
        this
    }

    /// Backwards until nothing changes.
    fn find_live(&mut self, code: &Code) {
        let mut row = vec![0; self.width];
        let mut changed = true;
        while changed {
            changed = false;
            for (pc, instr) in code.instrs.iter().enumerate().rev() {
                row.fill(0);
                for next in successors(code, pc) {
                    self.join(&mut row, next, None);
                }
                if let Some(defined) = defined(instr) {
                    set(&mut row, 0, defined, false);
                }
                for target in handlers(code, pc) {
                    self.join(&mut row, target, Some(code.locals as usize));
                }
                for used in uses(instr) {
                    set(&mut row, 0, used as usize, true);
                }
                let known = &mut self.live[pc * self.width..(pc + 1) * self.width];
                if known != row {
                    known.copy_from_slice(&row);
                    changed = true;
                }
            }
        }
    }

    /// Adds what is live at `pc`, but for one register.
    fn join(&self, row: &mut [u64], pc: usize, without: Option<usize>) {
        let start = pc * self.width;
        let Some(other) = self.live.get(start..start + self.width) else {
            return;
        };
        for (index, (mine, &theirs)) in row.iter_mut().zip(other).enumerate() {
            let hidden = without
                .filter(|register| register / 64 == index)
                .map_or(0, |register| 1 << (register % 64));
            *mine |= theirs & !hidden;
        }
    }

    /// Forwards from the parameters. Where ways meet, a reference is one on all of them.
    fn find_refs(&mut self, code: &Code, parameters: &[Kind]) {
        let mut entry = vec![0; self.width];
        let mut at = 0;
        for kind in parameters {
            set(&mut entry, 0, at, *kind == Kind::Ref);
            at += kind.words() as usize;
        }
        if self.refs.len() >= self.width {
            self.refs[..self.width].copy_from_slice(&entry);
        }
        let mut reached = vec![false; code.instrs.len()];
        let mut pending = vec![0];
        if let Some(first) = reached.first_mut() {
            *first = true;
        }
        while let Some(pc) = pending.pop() {
            let Some(instr) = code.instrs.get(pc) else {
                continue;
            };
            let before = self.refs[pc * self.width..(pc + 1) * self.width].to_vec();
            let mut after = before.clone();
            if let Some(defined) = defined(instr) {
                let is_ref = code.refs.get(pc).copied().unwrap_or(false);
                set(&mut after, 0, defined, is_ref);
            }
            let mut caught = before;
            set(&mut caught, 0, code.locals as usize, true);
            let edges = successors(code, pc).into_iter().map(|next| (next, &after));
            for (next, row) in edges.chain(handlers(code, pc).map(|next| (next, &caught))) {
                let start = next * self.width;
                let Some(known) = self.refs.get_mut(start..start + self.width) else {
                    continue;
                };
                let mut changed = !reached[next];
                reached[next] = true;
                for (mine, &theirs) in known.iter_mut().zip(row) {
                    changed |= *mine & theirs != *mine;
                    *mine &= theirs;
                }
                if changed {
                    pending.push(next);
                }
            }
        }
    }
}

fn bit(rows: &[u64], start: usize, register: usize) -> bool {
    rows.get(start + register / 64)
        .is_some_and(|word| word >> (register % 64) & 1 != 0)
}

fn set(rows: &mut [u64], start: usize, register: usize, value: bool) {
    if let Some(word) = rows.get_mut(start + register / 64) {
        let mask = 1 << (register % 64);
        *word = if value { *word | mask } else { *word & !mask };
    }
}

fn is_call(op: Op) -> bool {
    op >= Op::InvokeStatic && op <= Op::InvokeDynamic
}

/// The register that an instruction writes. A call may write none; nobody reads it then.
fn defined(instr: &Instr) -> Option<usize> {
    (instr.defines() || is_call(instr.op) || instr.op == Op::Jsr).then_some(instr.a as usize)
}

fn handlers(code: &Code, pc: usize) -> impl Iterator<Item = usize> {
    let position = code.pcs.get(pc).copied().unwrap_or(0);
    let covers = move |handler: &&super::CodeHandler| {
        handler.start <= position && u32::from(position) < handler.end
    };
    code.handlers
        .iter()
        .filter(covers)
        .map(|handler| handler.target as usize)
}

/// Where control may go on after an instruction.
pub(crate) fn successors(code: &Code, pc: usize) -> Vec<usize> {
    let instr = code.instrs[pc];
    match instr.op {
        Op::Return | Op::ReturnValue | Op::Throw => Vec::new(),
        Op::Goto | Op::Jsr => vec![instr.x as usize],
        Op::Ret => {
            let calls = code
                .instrs
                .iter()
                .enumerate()
                .filter(|(_, other)| other.op == Op::Jsr);
            calls.map(|(at, _)| at + 1).collect()
        }
        Op::Switch => match code.switches.get(instr.x as usize) {
            Some(
                super::Switch::Table {
                    targets, default, ..
                }
                | super::Switch::Lookup {
                    targets, default, ..
                },
            ) => targets
                .iter()
                .chain([default])
                .map(|&target| target as usize)
                .collect(),
            None => Vec::new(),
        },
        _ if instr.jumps() => vec![instr.x as usize, pc + 1],
        _ => vec![pc + 1],
    }
}

/// The registers that an instruction reads.
fn uses(instr: &Instr) -> Vec<u16> {
    let Instr { op, a, b, c, .. } = *instr;
    match op {
        Op::Int | Op::Wide | Op::Load | Op::GetStatic | Op::New => Vec::new(),
        Op::Multi => (b..b + c).collect(),
        _ if op >= Op::IAddI && op <= Op::IRemI => vec![b],
        Op::Move | Op::Length | Op::GetField | Op::NewArray | Op::NewRefArray | Op::InstanceOf => {
            vec![b]
        }
        _ if op >= Op::INeg && op <= Op::I2Z => vec![b],
        _ if op <= Op::LoadRef => vec![b, c],
        _ if op >= Op::StoreByte && op <= Op::StoreRef => vec![a, b, c],
        Op::PutField => vec![a, b],
        Op::PutStatic => vec![b],
        Op::CheckCast
        | Op::Throw
        | Op::Enter
        | Op::Exit
        | Op::Switch
        | Op::ReturnValue
        | Op::Ret => vec![a],
        _ if op >= Op::IfEqI && op <= Op::IfLeI => vec![a],
        _ if op >= Op::IfEq && op <= Op::IfLeL => vec![a, b],
        _ if is_call(op) => {
            let is_half = |word: u16| word < 16 && c >> word & 1 != 0;
            (0..b)
                .filter(|&word| !is_half(word))
                .map(|word| a + word)
                .collect()
        }
        _ => Vec::new(),
    }
}

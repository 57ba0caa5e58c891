//! Makes extracted code shorter, without changing what others can notice.
//!
//! Code of a machine with a stack moves every value several times. What is only moved is used
//! where it comes from, what is computed and never used is left out, and so are reads of shared
//! variables whose value is never used: they neither change anything nor decide anything.

use std::collections::{BTreeMap, BTreeSet};

use raddle_machine::ir::{
    Cell, Expression, Instruction, Pc, Register, Slot, Target as Assigned, UnaryOperator,
};
use raddle_machine::visit::Slots;
use raddle_model::{FaultKind, Region};

use crate::emit::{Code, map_targets};
use crate::numbers::PerThread;

/// How large an expression may be that is used in place of a register.
const LARGEST: usize = 9;

/// How often all passes are made at most.
const MOST_PASSES: usize = 50;

/// Makes code shorter; registers that are not used any more are left out, except parameters. In
/// some regions each thread has an element that nobody else writes.
pub(crate) fn simplify(
    code: &mut Code,
    slots: &mut Vec<Slot>,
    parameters: usize,
    own: &BTreeSet<Region>,
) {
    for _ in 0..MOST_PASSES {
        let before = code.instructions.clone();
        straighten(code);
        substitute(code, own);
        use_parameters(code, parameters);
        coalesce(code, slots.len());
        forget_unused(code, slots.len());
        assert_instead(code);
        drop_skips(code);
        if code.instructions == before {
            break;
        }
    }
    renumber(code, slots, parameters);
}

fn targets(code: &Code) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for (pc, instruction) in code.instructions.iter().enumerate() {
        let falls = Pc(pc as u32 + 1);
        instruction.for_each_successor(Pc(pc as u32), &mut |next| {
            let is_jump = matches!(
                instruction,
                Instruction::Jump(_) | Instruction::Branch(..) | Instruction::Select(_)
            );
            if is_jump && (next != falls || !matches!(instruction, Instruction::Branch(..))) {
                found.insert(next.0 as usize);
            }
            // A branch may lead to the next instruction, too.
            if let Instruction::Branch(_, target) = instruction {
                found.insert(target.0 as usize);
            }
        });
    }
    found
}

/// Lets jumps to jumps lead where these lead, and leaves out what cannot be reached.
fn straighten(code: &mut Code) {
    let all = code.instructions.clone();
    let last = |start: Pc| {
        let mut at = start;
        for _ in 0..all.len() {
            match all.get(at.0 as usize) {
                Some(Instruction::Jump(next)) if *next != at => at = *next,
                _ => break,
            }
        }
        at
    };
    for instruction in &mut code.instructions {
        map_targets(instruction, last);
    }
    let mut reached = vec![false; code.instructions.len()];
    let mut pending = vec![0usize];
    while let Some(at) = pending.pop() {
        let (Some(mark), Some(instruction)) = (reached.get_mut(at), code.instructions.get(at))
        else {
            continue;
        };
        if !std::mem::replace(mark, true) {
            instruction
                .for_each_successor(Pc(at as u32), &mut |next| pending.push(next.0 as usize));
        }
    }
    for (at, instruction) in code.instructions.iter_mut().enumerate() {
        let is_idle = matches!(instruction, Instruction::Jump(next) if next.0 as usize == at + 1);
        if !reached.get(at).copied().unwrap_or(false) || is_idle {
            *instruction = Instruction::Skip;
        }
    }
    drop_skips(code);
}

/// Removes instructions that do nothing.
fn drop_skips(code: &mut Code) {
    let count = code.instructions.len();
    let mut new = vec![0u32; count + 1];
    let mut next = 0;
    for (at, instruction) in code.instructions.iter().enumerate() {
        new[at] = next;
        next += u32::from(*instruction != Instruction::Skip);
    }
    new[count] = next;
    let kept: Vec<bool> = (0..count).map(|at| new[at] != new[at + 1]).collect();
    let mut index = 0;
    code.instructions.retain(|_| {
        index += 1;
        kept[index - 1]
    });
    index = 0;
    code.places.retain(|_| {
        index += 1;
        kept[index - 1]
    });
    for instruction in &mut code.instructions {
        map_targets(instruction, |target| {
            Pc(new.get(target.0 as usize).copied().unwrap_or(u32::MAX))
        });
    }
}

/// Uses what was put into a register in its place, as long as it is still the same.
fn substitute(code: &mut Code, own: &BTreeSet<Region>) {
    let before = predecessors(code);
    // What is known after each instruction.
    let mut after: Vec<BTreeMap<Register, Expression>> = Vec::new();
    for (at, instruction) in code.instructions.iter_mut().enumerate() {
        let only = match before.get(at).map(Vec::as_slice) {
            Some(&[only]) if at > 0 => after.get(only),
            _ => None,
        };
        let mut known = only.cloned().unwrap_or_default();
        replace_uses(instruction, &known);
        if let Some(defined) = instruction.defines() {
            known.retain(|register, value| *register != defined && !uses(value, defined));
        }
        if let Some(written) = instruction.cell() {
            known.retain(|_, value| !reads(value, written.region));
        }
        if let Instruction::Assign(Assigned::Local(register), value) = instruction
            && !is_shared(value, own)
            && size(value) <= LARGEST
            && !uses(value, *register)
        {
            known.insert(*register, value.clone());
        }
        after.push(known);
    }
}

/// The instructions from which control comes to each.
fn predecessors(code: &Code) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new(); code.instructions.len()];
    for (pc, instruction) in code.instructions.iter().enumerate() {
        instruction.for_each_successor(Pc(pc as u32), &mut |next| {
            if let Some(found) = found.get_mut(next.0 as usize) {
                found.push(pc);
            }
        });
    }
    found
}

/// Uses a parameter that nobody changes in place of registers that never hold anything else. Java
/// has no variable that is used before it gets a value.
fn use_parameters(code: &mut Code, parameters: usize) {
    let mut values: BTreeMap<Register, Option<Expression>> = BTreeMap::new();
    for instruction in &code.instructions {
        let Some(defined) = instruction.defines() else {
            continue;
        };
        let value = match instruction {
            Instruction::Assign(Assigned::Local(_), Expression::Local(from))
                if usize::from(from.0) < parameters =>
            {
                Some(Expression::Local(*from))
            }
            _ => None,
        };
        let known = values.entry(defined).or_insert_with(|| value.clone());
        if *known != value {
            *known = None;
        }
    }
    let is_changed = |value: &Expression| match value {
        Expression::Local(register) => values.contains_key(register),
        _ => true,
    };
    let known = values.iter().filter_map(|(register, value)| {
        let value = value.as_ref().filter(|value| !is_changed(value))?;
        Some((*register, value.clone()))
    });
    let known: BTreeMap<Register, Expression> = known.collect();
    for instruction in &mut code.instructions {
        replace_uses(instruction, &known);
    }
}

/// Whether a value depends on what other threads do. What a thread alone writes does not, if it
/// is read by its own number.
pub(crate) fn is_shared(value: &Expression, own: &BTreeSet<Region>) -> bool {
    let mut found = false;
    value.for_each(&mut |part| found |= part.observes().is_some_and(|cell| !is_own(cell, own)));
    found
}

fn is_own(cell: &Cell, own: &BTreeSet<Region>) -> bool {
    own.contains(&cell.region) && cell.index.as_deref() == Some(&Expression::Local(Register(0)))
}

/// The regions with an element for each thread of a kind in which it alone writes its own: by its
/// number, which is in the first register. The kinds are told by the numbers of their code.
pub(crate) fn written_by_owner(codes: &[&Code], regions: &PerThread) -> BTreeSet<Region> {
    let mut own: BTreeSet<Region> = regions.keys().copied().collect();
    for (number, code) in codes.iter().enumerate() {
        for written in code.instructions.iter().filter_map(Instruction::cell) {
            let is_owner = regions
                .get(&written.region)
                .is_some_and(|(kind, _)| *kind == number);
            if !(is_owner && is_own(written, &own)) {
                own.remove(&written.region);
            }
        }
    }
    own
}

fn reads(value: &Expression, region: Region) -> bool {
    let mut found = false;
    value.for_each(&mut |part| found |= part.observes().is_some_and(|it| it.region == region));
    found
}

fn size(value: &Expression) -> usize {
    let mut count = 0;
    value.for_each(&mut |_| count += 1);
    count
}

fn uses(value: &Expression, register: Register) -> bool {
    let mut found = false;
    value.for_each(&mut |part| found |= *part == Expression::Local(register));
    found
}

fn replace_uses(instruction: &mut Instruction, known: &BTreeMap<Register, Expression>) {
    let change = |value: &mut Expression| replace(value, known);
    for_each_word(instruction, &change);
}

/// Calls `change` for each expression of an instruction, the outermost ones.
pub(crate) fn for_each_word(instruction: &mut Instruction, change: &dyn Fn(&mut Expression)) {
    let cell = |cell: &mut Cell| {
        if let Some(index) = &mut cell.index {
            change(index);
        }
    };
    match instruction {
        Instruction::Assign(target, value) => {
            change(value);
            if let Assigned::Shared(written) = target {
                cell(written);
            }
        }
        Instruction::Branch(value, _)
        | Instruction::Join(value)
        | Instruction::Await(value)
        | Instruction::Assume(value)
        | Instruction::Assert(value, _) => change(value),
        Instruction::CompareAndSet {
            cell: written,
            expected,
            value,
            ..
        } => {
            cell(written);
            change(expected);
            change(value);
        }
        Instruction::FetchAdd {
            cell: written,
            value,
            ..
        } => {
            cell(written);
            change(value);
        }
        Instruction::Choose { low, high, .. } => {
            change(low);
            change(high);
        }
        Instruction::Select(arms) => {
            for guard in arms.iter_mut().filter_map(|arm| arm.guard.as_mut()) {
                change(guard);
            }
        }
        _ => {}
    }
}

fn replace(value: &mut Expression, known: &BTreeMap<Register, Expression>) {
    transform(value, &|part| {
        if let Expression::Local(register) = part
            && let Some(other) = known.get(register)
        {
            *part = other.clone();
        }
    });
}

/// Changes all parts of an expression, the innermost first.
pub(crate) fn transform(value: &mut Expression, change: &dyn Fn(&mut Expression)) {
    match value {
        Expression::Shared(cell) => {
            if let Some(index) = &mut cell.index {
                transform(index, change);
            }
        }
        Expression::Unary(_, one) | Expression::Bounded(one, _) | Expression::Ranged(one, _) => {
            transform(one, change);
        }
        Expression::Binary(_, one, other) => {
            transform(one, change);
            transform(other, change);
        }
        Expression::Conditional(one, other, third) => {
            transform(one, change);
            transform(other, change);
            transform(third, change);
        }
        _ => {}
    }
    change(value);
}

/// Which registers are used later, before each instruction.
fn live(code: &Code, count: usize) -> Vec<BTreeSet<u16>> {
    let mut live: Vec<BTreeSet<u16>> = vec![BTreeSet::new(); code.instructions.len() + 1];
    let mut changed = true;
    while changed {
        changed = false;
        for (at, instruction) in code.instructions.iter().enumerate().rev() {
            let mut now = BTreeSet::new();
            instruction.for_each_successor(Pc(at as u32), &mut |next| {
                if let Some(later) = live.get(next.0 as usize) {
                    now.extend(later.iter().copied());
                }
            });
            if let Some(defined) = instruction.defines() {
                now.remove(&defined.0);
            }
            instruction.for_each_use(&mut |slots| {
                if let Slots::One(register) = slots
                    && usize::from(register.0) < count
                {
                    now.insert(register.0);
                }
            });
            if now != live[at] {
                live[at] = now;
                changed = true;
            }
        }
    }
    live
}

/// Leaves out what is put into registers that are not used any more.
fn forget_unused(code: &mut Code, count: usize) {
    let live = live(code, count);
    for (at, instruction) in code.instructions.iter_mut().enumerate() {
        let Some(defined) = instruction.defines() else {
            continue;
        };
        let mut is_used = false;
        let is_live = |next: Pc| {
            live.get(next.0 as usize)
                .is_some_and(|it| it.contains(&defined.0))
        };
        instruction.for_each_successor(Pc(at as u32), &mut |next| is_used |= is_live(next));
        if is_used {
            continue;
        }
        match instruction {
            Instruction::Assign(Assigned::Local(_), _) => *instruction = Instruction::Skip,
            Instruction::CompareAndSet { result, .. } | Instruction::FetchAdd { result, .. } => {
                *result = None;
            }
            _ => {}
        }
    }
}

/// Puts a result where it is moved to.
fn coalesce(code: &mut Code, count: usize) {
    let targets = targets(code);
    let live = live(code, count);
    for at in 0..code.instructions.len().saturating_sub(1) {
        let Some(defined) = code.instructions[at].defines() else {
            continue;
        };
        let Instruction::Assign(Assigned::Local(moved), Expression::Local(from)) =
            code.instructions[at + 1]
        else {
            continue;
        };
        let is_used = live.get(at + 2).is_some_and(|it| it.contains(&defined.0));
        if from != defined || moved == defined || is_used || targets.contains(&(at + 1)) {
            continue;
        }
        match &mut code.instructions[at] {
            Instruction::Assign(Assigned::Local(register), _) => *register = moved,
            Instruction::Choose { result, .. } => *result = moved,
            Instruction::CompareAndSet { result, .. } | Instruction::FetchAdd { result, .. } => {
                *result = Some(moved);
            }
            _ => continue,
        }
        code.instructions[at + 1] = Instruction::Skip;
    }
}

/// Writes a branch to a failed assertion as an assertion.
fn assert_instead(code: &mut Code) {
    let all = code.instructions.clone();
    let fails = |at: usize| match all.get(at) {
        Some(Instruction::Fail(FaultKind::Assertion, message)) => Some(message.clone()),
        _ => None,
    };
    for at in 0..all.len() {
        let Some(Instruction::Branch(condition, target)) = all.get(at) else {
            continue;
        };
        let assertion = if let Some(message) = fails(target.0 as usize) {
            // Where it stands tells more than where it leads.
            code.places[at] = code.places[target.0 as usize];
            Instruction::Assert(condition.clone(), message)
        } else if let Some(message) = fails(at + 1)
            && !targets(code).contains(&(at + 1))
        {
            let opposite = Expression::Unary(UnaryOperator::Not, Box::new(condition.clone()));
            code.instructions[at + 1] = Instruction::Jump(*target);
            code.places[at] = code.places[at + 1];
            Instruction::Assert(negated(opposite), message)
        } else {
            continue;
        };
        code.instructions[at] = assertion;
    }
}

/// The opposite of a comparison is a comparison.
fn negated(value: Expression) -> Expression {
    use raddle_machine::ir::BinaryOperator as B;
    let Expression::Unary(UnaryOperator::Not, inner) = &value else {
        return value;
    };
    let Expression::Binary(operator, one, other) = inner.as_ref() else {
        return value;
    };
    let opposite = match operator {
        B::Equal => B::NotEqual,
        B::NotEqual => B::Equal,
        B::Less => B::GreaterOrEqual,
        B::GreaterOrEqual => B::Less,
        B::Greater => B::LessOrEqual,
        B::LessOrEqual => B::Greater,
        _ => return value,
    };
    Expression::Binary(opposite, one.clone(), other.clone())
}

/// Leaves out registers that are not used, and gives the others names of their own.
fn renumber(code: &mut Code, slots: &mut Vec<Slot>, parameters: usize) {
    let mut used: BTreeSet<u16> = (0..parameters as u16).collect();
    for instruction in &code.instructions {
        used.extend(instruction.defines().map(|register| register.0));
        instruction.for_each_use(&mut |it| {
            if let Slots::One(register) = it {
                used.insert(register.0);
            }
        });
    }
    let new: BTreeMap<Register, Register> = used
        .iter()
        .enumerate()
        .map(|(number, &old)| (Register(old), Register(number as u16)))
        .collect();
    let words: BTreeMap<Register, Expression> = new
        .iter()
        .map(|(old, new)| (*old, Expression::Local(*new)))
        .collect();
    for instruction in &mut code.instructions {
        replace_uses(instruction, &words);
        let change = |register: &mut Register| {
            if let Some(other) = new.get(register) {
                *register = *other;
            }
        };
        match instruction {
            Instruction::Assign(Assigned::Local(register), _) => change(register),
            Instruction::Choose { result, .. } => change(result),
            Instruction::CompareAndSet { result, .. } | Instruction::FetchAdd { result, .. } => {
                if let Some(register) = result {
                    change(register);
                }
            }
            _ => {}
        }
    }
    let kept = used
        .iter()
        .filter_map(|&old| slots.get(usize::from(old)).cloned());
    *slots = kept.collect();
    let mut names: BTreeSet<String> = BTreeSet::new();
    for slot in slots {
        let name = slot.name.clone();
        let mut number = 2;
        while !names.insert(slot.name.clone()) {
            slot.name = format!("{name}{number}");
            number += 1;
        }
    }
}

//! Variables that only count the threads in a place.
//!
//! `assert inside.incrementAndGet() <= 1; inside.decrementAndGet();` says that at most one thread is
//! there at a time. Where nothing else is done with such a variable, it says no more than that: the
//! assertion fails in some execution if and only if one more thread than that can stand before it
//! at once. (If it fails, some thread finds as many others between the two operations; they could
//! as well have waited before the first one, which nobody else notices. If so many stand before it,
//! they take their steps one after the other.) An abstraction knows more to do with numbers of threads
//! at a label than with the variable.

use std::collections::BTreeSet;

use raddle_machine::ir::{
    BinaryOperator as B, Expression, Instruction, Invariant, Label, LabelId, Pc, Program, Register,
};
use raddle_machine::visit::Slots;
use raddle_model::{Kind, Region};

/// The same program with invariants on numbers of threads in place of variables that only count
/// them, if there are any.
pub fn counted(program: &Program) -> Option<Program> {
    let mut changed = program.clone();
    for number in 0..program.regions.len() {
        let region = Region(number as u32);
        let Some(found) = places(program, region) else {
            continue;
        };
        for (pc, most) in found {
            let label = LabelId(changed.labels.len() as u16);
            let place = program.places.get(pc).copied()?;
            changed.labels.push(Label {
                name: format!("line{}_{}", place.line, label.0),
                pc: Pc(pc as u32),
            });
            changed.invariants.push(Invariant {
                name: format!("at most {most} in line {}", place.line),
                condition: Expression::Binary(
                    B::LessOrEqual,
                    Box::new(Expression::CountAt(label)),
                    Box::new(Expression::Constant(most)),
                ),
                place,
            });
            for offset in 0..3 {
                *changed.code.get_mut(pc + offset)? = Instruction::Skip;
                *changed.starts.get_mut(pc + offset)? = offset == 0;
            }
        }
    }
    (changed.labels.len() > program.labels.len()).then_some(changed)
}

/// Where a variable counts threads, and how many it allows there; none if it does something else,
/// too. It is one place: with several the variable counts the threads in all of them.
fn places(program: &Program, region: Region) -> Option<[(usize, i32); 1]> {
    let info = program.regions.get(region.0 as usize)?;
    let raddle_machine::ir::Home::Shared(offset) = info.home else {
        return None;
    };
    let is_plain = info.kind == Kind::Variable
        && info.dimensions.is_empty()
        && info.per_thread.is_none()
        && program.initial_words.get(offset as usize) == Some(&0);
    if !is_plain {
        return None;
    }
    let used: Vec<usize> = (0..program.code.len())
        .filter(|&pc| uses(&program.code[pc], region))
        .collect();
    let &[first, last] = used.as_slice() else {
        return None;
    };
    let is_alone = last == first + 2
        && program.starts.get(first) == Some(&true)
        && program.starts.get(last) == Some(&true)
        && !is_target(program, first + 1)
        && !is_target(program, last)
        && !program
            .invariants
            .iter()
            .any(|it| mentions(&it.condition, region));
    let (old, most) = allowed(program.code.get(first..=last)?)?;
    let is_used = is_used_from(program, last + 1, old);
    (is_alone && most >= 1 && !is_used).then_some([(first, most)])
}

/// How many threads are allowed between an addition and a subtraction, with an assertion between
/// them; and the register of what the variable was before.
fn allowed(code: &[Instruction]) -> Option<(Register, i32)> {
    let [
        Instruction::FetchAdd {
            value: Expression::Constant(1),
            result: Some(old),
            range: None,
            ..
        },
        Instruction::Assert(Expression::Binary(operator, left, right), _),
        Instruction::FetchAdd {
            value: Expression::Constant(-1),
            result: None,
            range: None,
            ..
        },
    ] = code
    else {
        return None;
    };
    let Expression::Constant(bound) = **right else {
        return None;
    };
    let before = match &**left {
        Expression::Local(register) if register == old => 0,
        Expression::Binary(B::Add, one, other) if is_next(one, other, *old) => 1,
        _ => return None,
    };
    // What the variable was before, at the most.
    let bound = bound.checked_sub(before)?;
    let most = match operator {
        B::Equal if bound == 0 => Some(1),
        B::LessOrEqual => bound.checked_add(1),
        B::Less => Some(bound),
        _ => None,
    };
    Some((*old, most?))
}

/// Whether a register may be read before it is written, from an instruction on.
fn is_used_from(program: &Program, start: usize, register: Register) -> bool {
    let mut seen = BTreeSet::new();
    let mut pending = vec![start];
    while let Some(pc) = pending.pop() {
        let Some(instruction) = program.code.get(pc).filter(|_| seen.insert(pc)) else {
            continue;
        };
        let mut is_used = false;
        instruction.for_each_use(&mut |slots| {
            is_used |= !matches!(slots, Slots::One(other) if other != register);
        });
        if is_used {
            return true;
        }
        if instruction.defines() != Some(register) {
            let at = Pc(pc as u32);
            instruction.for_each_successor(at, &mut |next| pending.push(next.0 as usize));
        }
    }
    false
}

fn is_next(one: &Expression, other: &Expression, old: Register) -> bool {
    *one == Expression::Local(old) && *other == Expression::Constant(1)
}

fn uses(instruction: &Instruction, region: Region) -> bool {
    let mut found = instruction.cell().is_some_and(|it| it.region == region);
    instruction.for_each_expression(&mut |part| found |= is_of(part, region));
    found
}

fn mentions(value: &Expression, region: Region) -> bool {
    let mut found = false;
    value.for_each(&mut |part| found |= is_of(part, region));
    found
}

fn is_of(part: &Expression, region: Region) -> bool {
    part.observes().is_some_and(|cell| cell.region == region)
}

/// Whether a jump leads to an instruction.
fn is_target(program: &Program, pc: usize) -> bool {
    let at = Pc(pc as u32);
    program.code.iter().enumerate().any(|(from, instruction)| {
        let mut found = false;
        instruction.for_each_successor(Pc(from as u32), &mut |next| {
            found |= next == at && from + 1 != pc;
        });
        found
    })
}

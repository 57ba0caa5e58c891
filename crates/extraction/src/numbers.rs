//! Where a number stands for how many threads there are.
//!
//! `main` makes arrays with an element for each of the threads that it starts, and says how many
//! these are: in a loop over all of them the number of a thread is compared with it. With more
//! threads it is a larger number.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use raddle_machine::ir::{BinaryOperator as B, Expression, Instruction, Register};
use raddle_machine::ir::{Cell, Target as Assigned};
use raddle_model::{Place, Region};

use crate::emit::Code;
use crate::simplify::{for_each_word, transform};

/// Regions with an element for each thread of a kind: which kind, and how many `main` has started.
pub(crate) type PerThread = BTreeMap<Region, (usize, i32)>;

/// Registers that hold the number of a thread, and a region with an element for each thread of
/// that kind.
fn indices(code: &Code, own: Option<Region>, regions: &PerThread) -> BTreeMap<Register, Region> {
    let found = RefCell::new(BTreeMap::new());
    if let Some(region) = own {
        found.borrow_mut().insert(Register(0), region);
    }
    let note = |cell: &Cell| {
        if let (true, Some(Expression::Local(register))) =
            (regions.contains_key(&cell.region), cell.index.as_deref())
        {
            found.borrow_mut().insert(*register, cell.region);
        }
    };
    let mut copies = BTreeSet::new();
    for instruction in &code.instructions {
        if let Some(cell) = instruction.cell() {
            note(cell);
        }
        instruction.for_each_expression(&mut |part| match part {
            Expression::Shared(cell) => note(cell),
            Expression::Binary(_, one, other) => match (&**one, &**other) {
                (Expression::Local(register), Expression::Length(region))
                | (Expression::Length(region), Expression::Local(register)) => {
                    found.borrow_mut().insert(*register, *region);
                }
                _ => {}
            },
            _ => {}
        });
        if let Instruction::Assign(Assigned::Local(to), Expression::Local(from)) = instruction {
            copies.insert((*to, *from));
        }
    }
    let mut found = found.into_inner();
    loop {
        let before = found.len();
        for &(to, from) in &copies {
            for (one, other) in [(to, from), (from, to)] {
                if let Some(&region) = found.get(&one) {
                    found.entry(other).or_insert(region);
                }
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Registers that are counted down.
fn counted_down(code: &Code) -> BTreeSet<Register> {
    let down = code.instructions.iter().filter_map(|it| match it {
        Instruction::Assign(Assigned::Local(to), Expression::Binary(B::Subtract, from, one))
            if **from == Expression::Local(*to) && **one == Expression::Constant(1) =>
        {
            Some(*to)
        }
        _ => None,
    });
    down.collect()
}

/// Takes the number of threads that `main` has started for the number of threads that there are,
/// where the number of a thread is compared with it, and the number before it for the last thread where
/// a loop counts down from there: the places where that is done. The first
/// register holds the thread's own number if there is a region for threads of its kind.
pub(crate) fn generalise(code: &mut Code, own: Option<Region>, regions: &PerThread) -> Vec<Place> {
    let indices = indices(code, own, regions);
    let length = |register: &Expression, number: &Expression| {
        let (Expression::Local(register), Expression::Constant(number)) = (register, number) else {
            return None;
        };
        let region = *indices.get(register)?;
        let (_, threads) = regions.get(&region)?;
        (number == threads).then_some(Expression::Length(region))
    };
    let down = counted_down(code);
    let last = |instruction: &Instruction| {
        let Instruction::Assign(Assigned::Local(register), Expression::Constant(number)) =
            instruction
        else {
            return None;
        };
        let region = *indices.get(register)?;
        let (_, threads) = regions.get(&region)?;
        let is_last = *number == threads - 1 && down.contains(register);
        is_last.then(|| {
            let one = Box::new(Expression::Constant(1));
            let value = Expression::Binary(B::Subtract, Box::new(Expression::Length(region)), one);
            Instruction::Assign(Assigned::Local(*register), value)
        })
    };
    let mut places = Vec::new();
    for (instruction, place) in code.instructions.iter_mut().zip(&code.places) {
        let before = instruction.clone();
        if let Some(last) = last(instruction) {
            *instruction = last;
        }
        for_each_word(instruction, &|word| {
            transform(word, &|part| {
                if let Expression::Binary(operator, one, other) = part
                    && matches!(
                        operator,
                        B::Equal
                            | B::NotEqual
                            | B::Less
                            | B::LessOrEqual
                            | B::Greater
                            | B::GreaterOrEqual
                    )
                {
                    if let Some(length) = length(one, other) {
                        **other = length;
                    } else if let Some(length) = length(other, one) {
                        **one = length;
                    }
                }
            });
        });
        if *instruction != before {
            places.push(*place);
        }
    }
    places
}

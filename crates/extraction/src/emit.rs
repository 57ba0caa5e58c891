//! Puts the nodes of a thread one after the other, as a function of the intermediate form.

use std::collections::{BTreeMap, BTreeSet};

use raddle_machine::ir::{Instruction, Pc, Target as Assigned};
use raddle_model::{Place, Region};

use crate::obstacle::Untranslatable;
use crate::simplify::is_shared;
use crate::walk::{Key, Line, Walker};

/// The code of a function: jumps lead to positions in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) places: Vec<Place>,
}

/// A node whose lines are being put down.
struct Open {
    number: usize,
    place: Place,
    lines: std::vec::IntoIter<Line>,
    exits: Vec<Key>,
}

impl Walker<'_, '_> {
    /// The code of the thread, whose ways have been followed, from a node on.
    pub(crate) fn emit(
        &mut self,
        entry: &Key,
        place: impl Fn(Option<(String, u32)>) -> Place,
    ) -> Result<Code, Untranslatable> {
        let mut code = Code::default();
        let mut begun: BTreeMap<Key, usize> = BTreeMap::new();
        let mut labels: BTreeMap<(usize, u32), usize> = BTreeMap::new();
        // The node of each instruction, whose labels its targets are; and where others lead.
        let mut owners: Vec<usize> = Vec::new();
        let mut jumps: BTreeMap<usize, Key> = BTreeMap::new();
        let mut open: Vec<Open> = Vec::new();
        let mut count = 0;
        let mut next = Some(entry.clone());
        loop {
            if let Some(key) = next.take() {
                let Some(known) = self.nodes.get(&key).cloned() else {
                    return Err(Untranslatable::new("code that was not followed"));
                };
                let out = self.node(&key, &known)?;
                begun.insert(key.clone(), code.instructions.len());
                open.push(Open {
                    number: count,
                    place: place(self.place(&key)),
                    lines: out.lines.into_iter(),
                    exits: out.exits.into_iter().map(|(key, _)| key).collect(),
                });
                count += 1;
            }
            let Some(node) = open.last_mut() else {
                break;
            };
            let Some(line) = node.lines.next() else {
                open.pop();
                continue;
            };
            let at = code.instructions.len();
            match line {
                Line::Label(label) => {
                    labels.insert((node.number, label), at);
                }
                Line::Do(instruction) => {
                    code.instructions.push(instruction);
                    code.places.push(node.place);
                    owners.push(node.number);
                }
                Line::DoAt(instruction, line) => {
                    code.instructions.push(instruction);
                    code.places.push(place(line));
                    owners.push(node.number);
                }
                Line::Exit(number) => {
                    let key = node.exits.get(number).cloned();
                    let key =
                        key.ok_or_else(|| Untranslatable::new("code that was not followed"))?;
                    match begun.contains_key(&key) {
                        true => {
                            jumps.insert(at, key);
                            code.instructions.push(Instruction::Jump(Pc(0)));
                            code.places.push(node.place);
                            owners.push(node.number);
                        }
                        false => next = Some(key),
                    }
                }
            }
        }
        for (at, instruction) in code.instructions.iter_mut().enumerate() {
            let owner = owners.get(at).copied().unwrap_or(0);
            map_targets(instruction, |Pc(label)| {
                let found = match jumps.get(&at) {
                    Some(key) => begun.get(key),
                    None => labels.get(&(owner, label)),
                };
                Pc(found.map_or(u32::MAX, |&target| target as u32))
            });
        }
        Ok(code)
    }
}

/// Changes the targets of an instruction.
pub(crate) fn map_targets(instruction: &mut Instruction, change: impl Fn(Pc) -> Pc) {
    match instruction {
        Instruction::Branch(_, target) | Instruction::Jump(target) => *target = change(*target),
        Instruction::Select(arms) => {
            for arm in arms {
                arm.target = change(arm.target);
            }
        }
        _ => {}
    }
}

/// Whether a step begins before an instruction: others could notice what it does, or it depends
/// on what they do. Giving a lock back is noticed by nobody who does not wait for it, and could
/// as well be done earlier. In some regions nobody else writes a thread's own element.
pub(crate) fn begins_step(instruction: &Instruction, own: &BTreeSet<Region>) -> bool {
    match instruction {
        Instruction::Assign(target, value) => {
            matches!(target, Assigned::Shared(_)) || is_shared(value, own)
        }
        Instruction::Branch(value, _)
        | Instruction::Assume(value)
        | Instruction::Assert(value, _) => is_shared(value, own),
        Instruction::Skip
        | Instruction::Jump(_)
        | Instruction::Return(_)
        | Instruction::AtomicEnd
        | Instruction::Release(_) => false,
        _ => true,
    }
}

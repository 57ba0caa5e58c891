//! The rules about paths through a function: control never leaves it except by a
//! return, atomic blocks are closed on every path, and a thread can be interrupted
//! wherever it may have to wait.

use super::Checker;
use crate::ir::{Function, Instruction, Pc};

/// For each instruction, how many atomic blocks are open there; `None` for code that
/// cannot be reached.
pub(super) type AtomicDepths = Vec<Option<u32>>;

impl Checker<'_> {
    /// Follows all paths through a function whose range of the code is sound.
    pub(super) fn paths(&mut self, function: &Function, depths: &mut AtomicDepths) {
        let program = self.program;
        let mut pending = vec![function.entry];
        if let Some(depth) = depths.get_mut(function.entry.0 as usize) {
            *depth = Some(0);
        }
        while let Some(pc) = pending.pop() {
            let index = pc.0 as usize;
            let (Some(instruction), Some(Some(depth))) =
                (program.code.get(index), depths.get(index).copied())
            else {
                continue;
            };
            self.pc = Some(pc);
            let after = self.atomic_depth(instruction, depth);
            let start = program.starts.get(index).copied().unwrap_or(false);
            let interrupted = instruction.may_block() || instruction.may_choose();
            self.rule(depth > 0 || start || !interrupted, || {
                "this may block or choose, but no step begins here".to_string()
            });
            instruction.for_each_successor(pc, &mut |next| {
                if next < function.entry || next >= function.end {
                    return;
                }
                match depths.get_mut(next.0 as usize) {
                    Some(known @ None) => {
                        *known = Some(after);
                        pending.push(next);
                    }
                    Some(Some(known)) if *known != after => {
                        self.pc = Some(next);
                        self.defect(format!(
                            "{known} atomic blocks are open here on one path, {after} on another"
                        ));
                    }
                    _ => {}
                }
            });
        }
        self.pc = None;
    }

    /// How many atomic blocks are open after an instruction.
    fn atomic_depth(&mut self, instruction: &Instruction, depth: u32) -> u32 {
        match instruction {
            Instruction::AtomicBegin => depth + 1,
            Instruction::AtomicEnd => {
                self.rule(depth > 0, || {
                    "an atomic block ends that never began".to_string()
                });
                depth.saturating_sub(1)
            }
            Instruction::Return(_) => {
                self.rule(depth == 0, || {
                    "a return inside of an atomic block".to_string()
                });
                depth
            }
            Instruction::Wait(_) => {
                self.rule(depth == 0, || {
                    "a wait inside of an atomic block".to_string()
                });
                depth
            }
            _ => depth,
        }
    }

    /// Where the instruction at hand leads, and what stands around it.
    pub(super) fn neighbours(&mut self, function: &Function, pc: Pc, instruction: &Instruction) {
        match instruction {
            Instruction::Branch(_, target) | Instruction::Jump(target) => {
                self.jump(function, *target);
            }
            Instruction::Select(arms) => {
                for arm in arms {
                    self.jump(function, arm.target);
                }
            }
            Instruction::Wait(cell) => {
                let next = self.neighbour(function, pc.0.checked_add(1));
                let resumes = matches!(next, Some(Instruction::WaitResume(other)) if other == cell);
                self.rule(resumes, || {
                    "no resume of the same monitor follows this wait".to_string()
                });
            }
            Instruction::WaitResume(cell) => {
                let before = self.neighbour(function, pc.0.checked_sub(1));
                let waited = matches!(before, Some(Instruction::Wait(other)) if other == cell);
                self.rule(waited, || {
                    "no wait on the same monitor precedes this resume".to_string()
                });
            }
            _ => {}
        }
        let leaves = matches!(
            instruction,
            Instruction::Jump(_)
                | Instruction::Return(_)
                | Instruction::Fail(..)
                | Instruction::Select(_)
        );
        self.rule(leaves || pc.0 + 1 != function.end.0, || {
            "control goes on past the end of the function".to_string()
        });
    }

    fn jump(&mut self, function: &Function, target: Pc) {
        let inside = function.entry <= target && target < function.end;
        self.rule(inside, || {
            format!("instruction {} is not in this function", target.0)
        });
        // A thread that resumes without having waited would wait for ever.
        let resume = matches!(
            self.neighbour(function, Some(target.0)),
            Some(Instruction::WaitResume(_))
        );
        self.rule(!resume, || {
            format!("a jump to the resume at {}, past its wait", target.0)
        });
    }

    fn neighbour(&self, function: &Function, pc: Option<u32>) -> Option<&Instruction> {
        let pc = pc.filter(|pc| (function.entry.0..function.end.0).contains(pc))?;
        self.program.code.get(pc as usize)
    }
}

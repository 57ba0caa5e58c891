//! Draws the control flow of a program, for Graphviz.

use crate::ir::{Function, Instruction, Pc, Program};
use crate::text::print::Printer;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The control-flow graph in the DOT language: a cluster for each function, a node for
/// each basic block. A block at whose beginning a step may start has a double border;
/// labels stand above the instructions they name.
pub fn dot(program: &Program) -> String {
    let mut drawing = Drawing {
        program,
        printer: Printer::new(program),
        out: String::new(),
    };
    drawing.line("digraph program {");
    drawing.line("  node [shape=box fontname=\"monospace\"];");
    drawing.line("  edge [fontname=\"monospace\"];");
    for (number, function) in program.functions.iter().enumerate() {
        drawing.function(number, function);
    }
    drawing.line("}");
    drawing.out
}

struct Drawing<'a> {
    program: &'a Program,
    printer: Printer<'a>,
    out: String,
}

impl<'a> Drawing<'a> {
    fn function(&mut self, number: usize, function: &'a Function) {
        self.printer.enter(function);
        self.line(&format!("  subgraph cluster_{number} {{"));
        self.line(&format!("    label=\"{}\";", escaped(&function.name)));
        let leaders: Vec<u32> = leaders(self.program, function).into_iter().collect();
        let end = function.end.0.min(self.length());
        for (position, &leader) in leaders.iter().enumerate() {
            self.block(leader, leaders.get(position + 1).copied().unwrap_or(end));
        }
        self.line("  }");
    }

    /// The node of the instructions from one to before another, and its edges.
    fn block(&mut self, begin: u32, end: u32) {
        let program = self.program;
        let mut text = String::new();
        for pc in begin..end {
            for label in program.labels.iter().filter(|label| label.pc.0 == pc) {
                // `\l` ends a line and aligns it to the left.
                text.push_str(&escaped(&label.name));
                text.push_str(":\\l");
            }
            if let Some(instruction) = program.code.get(pc as usize) {
                let instruction = self.printer.instruction_text(instruction);
                text.push_str(&escaped(&format!("{pc}  {instruction}")));
                text.push_str("\\l");
            }
        }
        let style = match starts(program, begin) {
            true => " peripheries=2 style=filled fillcolor=\"#e8f0fe\"",
            false => "",
        };
        self.line(&format!("    pc{begin} [label=\"{text}\"{style}];"));
        let last = end.saturating_sub(1);
        if let Some(instruction) = program.code.get(last as usize) {
            self.edges(begin, last, instruction);
        }
    }

    /// Edges to code that does not exist are left out: nodes would appear from nowhere.
    fn edges(&mut self, block: u32, last: u32, instruction: &Instruction) {
        let mut edges = Vec::new();
        match instruction {
            Instruction::Branch(_, target) => {
                edges.push((last.saturating_add(1), "true".to_string()));
                edges.push((target.0, "false".to_string()));
            }
            Instruction::Select(arms) => {
                for (number, arm) in arms.iter().enumerate() {
                    edges.push((arm.target.0, number.to_string()));
                }
            }
            _ => instruction.for_each_successor(Pc(last), &mut |next| {
                edges.push((next.0, String::new()));
            }),
        }
        for (target, label) in edges {
            if target < self.length() {
                let label = match label.is_empty() {
                    true => String::new(),
                    false => format!(" [label=\"{label}\"]"),
                };
                self.line(&format!("    pc{block} -> pc{target}{label};"));
            }
        }
    }

    fn length(&self) -> u32 {
        u32::try_from(self.program.code.len()).unwrap_or(u32::MAX)
    }

    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{line}");
    }
}

/// Where the blocks of a function begin: at its entry, where jumps lead, after jumps,
/// and where steps may start.
fn leaders(program: &Program, function: &Function) -> BTreeSet<u32> {
    let mut leaders = BTreeSet::from([function.entry.0]);
    for pc in function.entry.0..function.end.0 {
        let Some(instruction) = program.code.get(pc as usize) else {
            break;
        };
        if starts(program, pc) {
            leaders.insert(pc);
        }
        let jumps = matches!(
            instruction,
            Instruction::Branch(..)
                | Instruction::Jump(_)
                | Instruction::Select(_)
                | Instruction::Return(_)
                | Instruction::Fail(..)
        );
        if jumps {
            leaders.insert(pc + 1);
            instruction.for_each_successor(Pc(pc), &mut |next| {
                leaders.insert(next.0);
            });
        }
    }
    let end = function.end.0.min(program.code.len() as u32);
    leaders.retain(|&pc| (function.entry.0..end).contains(&pc));
    leaders
}

fn starts(program: &Program, pc: u32) -> bool {
    program.starts.get(pc as usize).copied().unwrap_or(false)
}

/// A text as it must be written in a DOT string to be seen as it is.
fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' | '\\' => result.extend(['\\', character]),
            // Graphviz would read `&lt;` as a character.
            '&' => result.push_str("&amp;"),
            '\n' => result.push_str("\\l"),
            control if control.is_control() => result.push(' '),
            other => result.push(other),
        }
    }
    result
}

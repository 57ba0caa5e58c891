//! The code of one function: registers, jump targets, and where steps begin.

use crate::ast::{Granularity, Span};
use crate::check::tree::{Checked, Expression as Tree, Function as TreeFunction, LocalId};
use crate::check::types::default_value;
use crate::check::{MAX_LOCAL_WORDS, element_name};
use raddle_diagnostics::{Diagnostic, Lines};
use raddle_machine::ir::{
    Cell, Expression, Function, Instruction, Pc, Program, Register, Slot, Target, ValueType,
};

/// The most registers of a function, temporaries included.
const MAX_REGISTERS: usize = 4 * MAX_LOCAL_WORDS as usize;

/// A place in the code that jumps lead to, known before its instruction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Point(u32);

/// What must be done when control leaves a block.
#[derive(Clone, Debug)]
pub(super) enum Scope {
    Loop { next: Point, end: Point },
    Atomic,
    Synchronized(Cell),
}

/// Builds the code of one function at the end of the program's.
pub(super) struct Builder<'a> {
    pub(super) source: &'a str,
    lines: &'a Lines,
    pub(super) checked: &'a Checked,
    pub(super) function: &'a TreeFunction,
    program: &'a mut Program,
    entry: usize,
    registers: Vec<Slot>,
    /// For each local, its first register.
    pub(super) bases: Vec<u16>,
    /// The temporaries in use, in the order in which they were taken.
    busy: Vec<Register>,
    free: Vec<Register>,
    points: Vec<Option<u32>>,
    /// For each point, how far the statement has come on the jumps that lead there.
    arrivals: Vec<Option<Step>>,
    pub(super) scopes: Vec<Scope>,
    /// How many atomic blocks are open here.
    pub(super) atomic: u32,
    step: Step,
    overflow: bool,
}

/// How far the current statement has come, which decides where steps begin when the
/// granularity is that of statements.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// Its step has begun.
    open: bool,
    /// It is a step even if it touches nothing shared.
    local: bool,
}

impl Step {
    /// What is true whichever way control has come.
    fn and(self, other: Step) -> Step {
        Step {
            open: self.open && other.open,
            local: self.local && other.local,
        }
    }
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        source: &'a str,
        lines: &'a Lines,
        checked: &'a Checked,
        function: &'a TreeFunction,
        program: &'a mut Program,
    ) -> Builder<'a> {
        let mut builder = Builder {
            source,
            lines,
            checked,
            function,
            entry: program.code.len(),
            program,
            registers: Vec::new(),
            bases: vec![0; function.locals.len()],
            busy: Vec::new(),
            free: Vec::new(),
            points: Vec::new(),
            arrivals: Vec::new(),
            scopes: Vec::new(),
            atomic: 0,
            step: Step {
                open: false,
                local: false,
            },
            overflow: false,
        };
        let first = function.index.iter().chain(&function.parameters);
        for local in first.copied() {
            builder.place_local(local);
        }
        for local in (0..function.locals.len()).map(LocalId) {
            if function.index != Some(local) && !function.parameters.contains(&local) {
                builder.place_local(local);
            }
        }
        builder
    }

    /// Gives a local variable its registers.
    fn place_local(&mut self, id: LocalId) {
        let Some(local) = self.function.locals.get(id.0) else {
            return;
        };
        let base = self.registers.len() as u16;
        if let Some(slot) = self.bases.get_mut(id.0) {
            *slot = base;
        }
        for position in 0..local.dimensions.iter().product::<u32>() {
            self.registers.push(Slot {
                name: element_name(&local.name, &local.dimensions, position),
                value: local.value,
                initial: default_value(local.value),
            });
        }
    }

    /// Builds the function and adds it to the program.
    pub(super) fn function(mut self) -> Option<Diagnostic> {
        let function = self.function;
        self.statements(&function.body);
        let end = function.span.end.saturating_sub(1)..function.span.end;
        // Only a function without a result can come here; for the others this is a
        // return that is never reached.
        self.begin(false);
        let value = function.result.map(|_| Expression::Constant(0));
        self.emit(Instruction::Return(value), &end);
        self.patch();
        self.mark_dead_labels();
        let parameters = function.parameters.len() + usize::from(function.index.is_some());
        self.program.functions.push(Function {
            name: function.name.clone(),
            parameters: parameters as u16,
            registers: self.registers,
            entry: Pc(self.entry as u32),
            end: Pc(self.program.code.len() as u32),
        });
        self.overflow.then(|| {
            Diagnostic::new(
                function.span.clone(),
                format!("`{}` needs too much memory", function.name),
                format!("more than {MAX_REGISTERS} values at once"),
            )
        })
    }

    /// Whether shared reads must be steps of their own.
    pub(super) fn splits(&self) -> bool {
        self.checked.granularity == Granularity::Access && self.atomic == 0
    }

    /// Begins a statement, or a part of one that may be a step of its own. `local`
    /// tells whether it is a step even if it touches nothing shared.
    pub(super) fn begin(&mut self, local: bool) {
        self.step = Step { open: false, local };
    }

    /// Adds an instruction.
    pub(super) fn emit(&mut self, mut instruction: Instruction, span: &Span) {
        let start = self.atomic == 0 && self.starts_step(&instruction);
        let step = self.step;
        for_each_target(&mut instruction, &mut |point| {
            if let Some(arrival) = self.arrivals.get_mut(point.0 as usize) {
                *arrival = Some(arrival.map_or(step, |other| other.and(step)));
            }
        });
        self.program.code.push(instruction);
        self.program.starts.push(start);
        self.program.places.push(self.lines.place(span.start));
    }

    fn starts_step(&mut self, instruction: &Instruction) -> bool {
        let always = instruction.may_block()
            || instruction.may_choose()
            || matches!(instruction, Instruction::Skip | Instruction::AtomicBegin);
        let shared = touches_shared(instruction);
        match instruction {
            Instruction::Jump(_) | Instruction::AtomicEnd => return false,
            _ if self.checked.granularity == Granularity::Access => return always || shared,
            // The callee has steps of its own; what comes after it is a step only if
            // it touches something shared.
            Instruction::Call { .. } => {
                let start = shared && !self.step.open;
                self.step = Step {
                    open: false,
                    local: false,
                };
                return start;
            }
            _ => {}
        }
        let start = always || (!self.step.open && (shared || self.step.local));
        self.step.open |= start;
        start
    }

    /// The index of the next instruction.
    pub(super) fn here(&self) -> usize {
        self.program.code.len()
    }

    /// Gives the instruction at `pc` a label, and makes it the start of a step.
    pub(super) fn label(&mut self, label: usize, pc: usize) {
        if let Some(label) = self.program.labels.get_mut(label) {
            label.pc = Pc(pc as u32);
        }
        if self.atomic == 0
            && let Some(start) = self.program.starts.get_mut(pc)
        {
            *start = true;
        }
    }

    /// A new point, for jumps that come before or after it.
    pub(super) fn point(&mut self) -> Point {
        self.points.push(None);
        self.arrivals.push(None);
        Point(self.points.len() as u32 - 1)
    }

    /// The next instruction is where jumps to the point lead.
    pub(super) fn bind(&mut self, point: Point) {
        let here = self.here() as u32;
        if let Some(target) = self.points.get_mut(point.0 as usize) {
            *target = Some(here);
        }
        let arrival = self.arrivals.get(point.0 as usize).copied().flatten();
        let falls_through = !matches!(
            self.program.code.last(),
            Some(Instruction::Jump(_) | Instruction::Return(_) | Instruction::Fail(..))
        );
        self.step = match arrival {
            Some(arrival) if falls_through => self.step.and(arrival),
            Some(arrival) => arrival,
            None => self.step,
        };
    }

    /// The target of a jump to a point, until all points are known.
    pub(super) fn target(&self, point: Point) -> Pc {
        Pc(point.0)
    }

    /// Replaces points by the instructions that they stand for.
    fn patch(&mut self) {
        let resolve = |point: Pc| {
            let target = self.points.get(point.0 as usize).copied().flatten();
            Pc(target.unwrap_or(self.entry as u32))
        };
        for instruction in &mut self.program.code[self.entry..] {
            for_each_target(instruction, &mut |target| *target = resolve(*target));
        }
        // A jump to a jump is one jump. Each round shortens chains; cycles of jumps
        // stay what they are.
        for pc in self.entry..self.program.code.len() {
            let mut instruction = self.program.code[pc].clone();
            for_each_target(&mut instruction, &mut |target| {
                *target = self.follow(*target);
            });
            self.program.code[pc] = instruction;
        }
    }

    fn follow(&self, mut target: Pc) -> Pc {
        for _ in 0..8 {
            let index = target.0 as usize;
            match (self.program.code.get(index), self.program.starts.get(index)) {
                (Some(Instruction::Jump(next)), Some(false)) => target = *next,
                _ => break,
            }
        }
        target
    }

    /// A step begins at every label, as far as anybody can tell, also at those in
    /// atomic blocks that are never reached.
    fn mark_dead_labels(&mut self) {
        let code = &self.program.code;
        let mut reached = vec![false; code.len() - self.entry];
        let mut pending = vec![Pc(self.entry as u32)];
        while let Some(pc) = pending.pop() {
            let index = pc.0 as usize;
            let (Some(instruction), Some(known)) = (
                code.get(index),
                reached.get_mut(index.wrapping_sub(self.entry)),
            ) else {
                continue;
            };
            if !std::mem::replace(known, true) {
                instruction.for_each_successor(pc, &mut |next| pending.push(next));
            }
        }
        for label in &self.program.labels {
            let index = label.pc.0 as usize;
            if let Some(false) = reached.get(index.wrapping_sub(self.entry)) {
                self.program.starts[index] = true;
            }
        }
    }

    /// How many temporaries are in use; [`Builder::release`] gives the later ones back.
    pub(super) fn mark(&self) -> usize {
        self.busy.len()
    }

    /// Gives back all temporaries taken after the mark.
    pub(super) fn release(&mut self, mark: usize) {
        while self.busy.len() > mark {
            self.free.extend(self.busy.pop());
        }
    }

    /// A register for an intermediate value.
    pub(super) fn temporary(&mut self, value: ValueType) -> Register {
        let register = match self.free.iter().rposition(|r| {
            self.registers
                .get(r.0 as usize)
                .is_some_and(|s| s.value == value)
        }) {
            Some(position) => self.free.remove(position),
            None => {
                if self.registers.len() >= MAX_REGISTERS {
                    self.overflow = true;
                    return Register(0);
                }
                let register = Register(self.registers.len() as u16);
                self.registers.push(Slot {
                    name: format!("_{}", self.busy.len() + self.free.len()),
                    value,
                    initial: default_value(value),
                });
                register
            }
        };
        self.busy.push(register);
        register
    }

    /// Whether a register is an intermediate value, which the program cannot change.
    pub(super) fn is_temporary(&self, register: Register) -> bool {
        self.busy.contains(&register)
    }

    /// Puts a value into a temporary.
    pub(super) fn spill(&mut self, value: Expression, ty: ValueType, span: &Span) -> Expression {
        let register = self.temporary(ty);
        self.emit(Instruction::Assign(Target::Local(register), value), span);
        Expression::Local(register)
    }

    /// The type of a temporary for the value of an expression.
    pub(super) fn temporary_type(&self, expression: &Tree) -> ValueType {
        use crate::check::types::Type;
        match expression.ty {
            Type::Bool => ValueType::Bool,
            Type::Enum(id) => ValueType::Enum(id),
            Type::Reference(id) => ValueType::Reference(id),
            Type::Thread => ValueType::Thread,
            Type::Int | Type::Null | Type::Void | Type::Error => ValueType::Int,
        }
    }

    /// Gives back monitors and ends atomic blocks, as far as they were begun after
    /// the first `depth` scopes. What follows in the text is inside of them again.
    pub(super) fn unwind(&mut self, depth: usize, span: &Span) {
        let atomic = self.atomic;
        for position in (depth..self.scopes.len()).rev() {
            match self.scopes[position].clone() {
                Scope::Loop { .. } => {}
                Scope::Atomic => {
                    self.emit(Instruction::AtomicEnd, span);
                    self.atomic -= 1;
                }
                Scope::Synchronized(cell) => {
                    self.begin(true);
                    self.emit(Instruction::Release(cell), span);
                }
            }
        }
        self.atomic = atomic;
    }
}

fn for_each_target(instruction: &mut Instruction, visit: &mut dyn FnMut(&mut Pc)) {
    match instruction {
        Instruction::Branch(_, target) | Instruction::Jump(target) => visit(target),
        Instruction::Select(arms) => {
            for arm in arms {
                visit(&mut arm.target);
            }
        }
        _ => {}
    }
}

/// Whether an instruction touches shared memory or a synchronisation object.
fn touches_shared(instruction: &Instruction) -> bool {
    let mut touches = instruction.cell().is_some()
        || matches!(
            instruction,
            Instruction::Spawn { .. } | Instruction::Join(_)
        );
    instruction.for_each_expression(&mut |expression| touches |= is_shared_read(expression));
    touches
}

fn is_shared_read(expression: &Expression) -> bool {
    expression.observes().is_some() || matches!(expression, Expression::CountAt(_))
}

/// Whether an expression reads shared memory.
pub(super) fn reads_shared(expression: &Expression) -> bool {
    let mut reads = false;
    expression.for_each(&mut |inner| reads |= is_shared_read(inner));
    reads
}

//! The rules about functions, threads and single instructions: whatever they refer to
//! exists and is of the right kind, and references stay references.
//!
//! References are kept apart from the other words because the machine finds the
//! instances that are in use by the types of the words: a reference must never be in
//! a word that is not one, nor the other way round.

use super::{Checker, MAXIMUM_DEPTH};
use crate::ir::{
    Array, BinaryOperator, Cell, Claim, DeclarationId, Discipline, Expression, Function,
    FunctionId, Home, Instruction, LabelId, MAX_ARMS, Pc, RecordId, Register, Slot, Target,
    ValueType,
};
use crate::memory::MAX_DECLARATIONS;
use raddle_model::{Kind, Letter, Region};

/// What a word may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    /// Anything: null, which is zero, or something wrong that has been reported.
    Any,
    /// Not a reference.
    Word,
    /// An instance of a record, or null.
    Reference(RecordId),
}

impl Sort {
    fn of(value: ValueType) -> Sort {
        match value {
            ValueType::Reference(record) => Sort::Reference(record),
            _ => Sort::Word,
        }
    }

    fn agrees(self, other: Sort) -> bool {
        self == Sort::Any || other == Sort::Any || self == other
    }
}

/// What an expression may refer to.
#[derive(Clone, Copy)]
struct Context<'a> {
    /// The registers of the function; none outside of functions.
    registers: Option<&'a [Slot]>,
    /// Whether some thread evaluates the expression.
    thread: bool,
    /// The region that the expression makes a claim about.
    claim: Option<Region>,
}

/// What calls expect of the functions' results, checked once those are known.
struct Results {
    /// What each function returns.
    returned: Vec<Sort>,
    /// Each call whose result is used: the function and the sort of the register.
    expected: Vec<(Pc, FunctionId, Sort)>,
}

impl<'a> Checker<'a> {
    pub(super) fn code(&mut self) {
        let program = self.program;
        let length = program.code.len();
        self.rule(u32::try_from(length).is_ok_and(|l| l < u32::MAX), || {
            "there are too many instructions".to_string()
        });
        self.rule(program.starts.len() == length, || {
            "there are not as many start marks as instructions".to_string()
        });
        self.rule(program.places.len() == length, || {
            "there are not as many places as instructions".to_string()
        });
        let ordered = self.function_ranges();
        let mut results = Results {
            returned: vec![Sort::Any; program.functions.len()],
            expected: Vec::new(),
        };
        let mut depths = vec![None; length];
        for (number, function) in program.functions.iter().enumerate() {
            self.slots(
                &format!("the registers of {}", function.name),
                &function.registers,
            );
            self.rule(
                usize::from(function.parameters) <= function.registers.len(),
                || format!("{} has more parameters than registers", function.name),
            );
            if ordered {
                self.instructions(number, function, &mut results);
                self.paths(function, &mut depths);
            }
        }
        self.results(&results);
        if ordered {
            self.labels(&depths);
        }
        self.threads();
        self.properties();
    }

    /// Functions must own disjoint ranges that cover the code. Tells whether they do.
    fn function_ranges(&mut self) -> bool {
        let program = self.program;
        let before = self.defects.len();
        let most = usize::from(u16::MAX) + 1;
        self.rule(program.functions.len() <= most, || {
            "there are too many functions".to_string()
        });
        let mut ordered: Vec<&Function> = program.functions.iter().collect();
        ordered.sort_by_key(|function| function.entry);
        let mut next = Pc(0);
        for function in ordered {
            self.rule(function.entry < function.end, || {
                format!("{} has no instructions", function.name)
            });
            self.rule(function.entry >= next, || {
                format!("{} overlaps with another function", function.name)
            });
            self.rule(function.entry <= next, || {
                format!("the code before {} belongs to no function", function.name)
            });
            next = function.end;
        }
        self.rule(next.0 as usize == program.code.len(), || {
            "the functions end where the code does not".to_string()
        });
        self.defects.len() == before
    }

    fn instructions(&mut self, number: usize, function: &'a Function, results: &mut Results) {
        let context = Context {
            registers: Some(&function.registers),
            thread: true,
            claim: None,
        };
        let program = self.program;
        for pc in function.entry.0..function.end.0 {
            let Some(instruction) = program.code.get(pc as usize) else {
                continue;
            };
            self.pc = Some(Pc(pc));
            self.instruction(instruction, context);
            self.neighbours(function, Pc(pc), instruction);
            match instruction {
                Instruction::Return(Some(value)) => {
                    let sort = self.expression(value, context, 1);
                    self.rule(sort.agrees(results.returned[number]), || {
                        "this returns a reference where another return does not".to_string()
                    });
                    if results.returned[number] == Sort::Any {
                        results.returned[number] = sort;
                    }
                }
                Instruction::Call {
                    function,
                    result: Some(register),
                    ..
                } => {
                    let sort = self.register(*register, context);
                    results.expected.push((Pc(pc), *function, sort));
                }
                _ => {}
            }
        }
        self.pc = None;
    }

    fn results(&mut self, results: &Results) {
        for (pc, function, expected) in &results.expected {
            self.pc = Some(*pc);
            let returned = results.returned.get(usize::from(function.0));
            self.agree(*expected, returned.copied().unwrap_or(Sort::Any));
        }
        self.pc = None;
    }

    fn labels(&mut self, depths: &[Option<u32>]) {
        let program = self.program;
        for label in &program.labels {
            let index = label.pc.0 as usize;
            self.rule(index < program.code.len(), || {
                format!("label {} is not in the code", label.name)
            });
            // Inside of an atomic block, or where it never comes, no thread stands.
            let standing = depths.get(index) == Some(&Some(0));
            let start = program.starts.get(index).copied().unwrap_or(true);
            self.rule(start || !standing, || {
                format!("no step begins at label {}", label.name)
            });
        }
    }

    fn threads(&mut self) {
        let program = self.program;
        self.rule(program.declarations.len() <= MAX_DECLARATIONS, || {
            "there are too many kinds of threads".to_string()
        });
        for declaration in &program.declarations {
            let exists = usize::from(declaration.function.0) < program.functions.len();
            self.rule(exists, || {
                format!("thread {} runs no function", declaration.name)
            });
        }
        for thread in &program.initial_threads {
            let Some(parameters) = self.thread_parameters(thread.declaration) else {
                self.defect(format!("{} is a thread of no kind", thread.name));
                continue;
            };
            self.rule(thread.arguments.len() == parameters.len(), || {
                format!("{} has the wrong number of arguments", thread.name)
            });
            let mut pairs = parameters.iter().zip(&thread.arguments);
            let fit = pairs.all(|(slot, &word)| self.fits(slot.value, word));
            self.rule(fit, || {
                format!("an argument of {} is not of its type", thread.name)
            });
        }
    }

    /// Of each replicated kind there is one thread, whose only argument, if it has any,
    /// is its number.
    pub(super) fn replicated(&mut self) {
        let program = self.program;
        for (position, id) in program.replicated.iter().enumerate() {
            let mut threads = program.initial_threads.iter();
            let threads: Vec<_> = threads.by_ref().filter(|t| t.declaration == *id).collect();
            let one = match threads.as_slice() {
                [thread] => matches!(thread.arguments.as_slice(), [] | [0]),
                _ => false,
            };
            self.rule(one, || {
                format!(
                    "declaration {} is replicated, but not one thread of it is there",
                    id.0
                )
            });
            self.rule(!program.replicated[..position].contains(id), || {
                format!("declaration {} is replicated twice", id.0)
            });
        }
        for (number, region) in program.regions.iter().enumerate() {
            let Some(id) = region.per_thread else {
                continue;
            };
            let shared = matches!(region.home, Home::Shared(_));
            let sane = program.replicated.contains(&id) && shared && region.dimensions == [1];
            self.rule(sane, || {
                format!(
                    "region {number} ({}) is not one element for each thread",
                    region.name
                )
            });
        }
    }

    fn properties(&mut self) {
        let program = self.program;
        for invariant in &program.invariants {
            let context = Context {
                registers: None,
                thread: false,
                claim: None,
            };
            self.word(&invariant.condition, context, 1);
        }
        for property in &program.temporal {
            let context = Context {
                registers: None,
                thread: false,
                claim: None,
            };
            let mut atoms = Vec::new();
            property.formula.for_each(&mut |atom| atoms.push(atom));
            let is_small =
                atoms.len() <= Letter::BITS as usize && property.formula.depth() <= MAXIMUM_DEPTH;
            self.rule(is_small, || {
                format!("the property {} is too large", property.name)
            });
            for atom in atoms {
                self.word(atom, context, 1);
            }
        }
        for claim in &program.claims {
            self.claim(claim);
        }
    }

    fn claim(&mut self, claim: &Claim) {
        let context = Context {
            registers: None,
            thread: true,
            claim: Some(claim.region),
        };
        let region = self.program.regions.get(claim.region.0 as usize);
        self.rule(region.is_some_and(|r| r.kind == Kind::Variable), || {
            format!("a claim about region {}, no variable", claim.region.0)
        });
        match &claim.discipline {
            Discipline::Exclusive(condition) => self.word(condition, context, 1),
            Discipline::ProtectedBy(cell) => {
                self.cell(cell, Kind::Monitor, context, 0);
            }
            Discipline::Unprotected => {}
            Discipline::InitialisedBy(declaration) => {
                let exists = usize::from(declaration.0) < self.program.declarations.len();
                self.rule(exists, || {
                    format!("there is no kind of thread {}", declaration.0)
                });
            }
        }
    }
}

/// Instructions.
impl<'a> Checker<'a> {
    /// Everything that an instruction refers to, except other instructions and what
    /// calls get back.
    fn instruction(&mut self, instruction: &Instruction, context: Context<'_>) {
        match instruction {
            Instruction::Skip
            | Instruction::Jump(_)
            | Instruction::Fail(..)
            | Instruction::AtomicBegin
            | Instruction::AtomicEnd
            | Instruction::Return(_) => {}
            Instruction::Assign(target, value) => {
                let sort = self.target(target, context);
                self.value(value, sort, context);
            }
            Instruction::Branch(value, _)
            | Instruction::Join(value)
            | Instruction::Await(value)
            | Instruction::Assume(value)
            | Instruction::Assert(value, _) => self.word(value, context, 1),
            Instruction::Call {
                function,
                arguments,
                ..
            } => {
                let parameters = self.parameters(*function);
                self.arguments(parameters, arguments, context);
            }
            Instruction::Spawn {
                declaration,
                arguments,
                result,
            } => {
                let parameters = self.thread_parameters(*declaration);
                self.arguments(parameters, arguments, context);
                self.result(*result, Sort::Word, context);
            }
            Instruction::Acquire(cell)
            | Instruction::Release(cell)
            | Instruction::Wait(cell)
            | Instruction::WaitResume(cell)
            | Instruction::Notify(cell)
            | Instruction::NotifyAll(cell) => {
                self.cell(cell, Kind::Monitor, context, 0);
            }
            Instruction::Up(cell) | Instruction::Down(cell) => {
                self.cell(cell, Kind::Semaphore, context, 0);
            }
            Instruction::Send(cell, value) => {
                let sort = self.cell(cell, Kind::Channel, context, 0);
                self.value(value, sort, context);
            }
            Instruction::Receive(cell, register) => {
                let sort = self.cell(cell, Kind::Channel, context, 0);
                self.result(Some(*register), sort, context);
            }
            Instruction::New(record, register) => {
                let exists = usize::from(record.0) < self.program.records.len();
                self.rule(exists, || format!("there is no record {}", record.0));
                let sort = if exists {
                    Sort::Reference(*record)
                } else {
                    Sort::Any
                };
                self.result(Some(*register), sort, context);
            }
            Instruction::CompareAndSet { .. }
            | Instruction::FetchAdd { .. }
            | Instruction::Choose { .. }
            | Instruction::Select(_) => self.computation(instruction, context),
        }
    }

    /// The instructions that compute something from several values.
    fn computation(&mut self, instruction: &Instruction, context: Context<'_>) {
        match instruction {
            Instruction::CompareAndSet {
                cell,
                expected,
                value,
                result,
            } => {
                let sort = self.cell(cell, Kind::Variable, context, 0);
                self.value(expected, sort, context);
                self.value(value, sort, context);
                self.result(*result, Sort::Word, context);
            }
            Instruction::FetchAdd {
                cell,
                value,
                range,
                result,
            } => {
                let sort = self.cell(cell, Kind::Variable, context, 0);
                self.agree(Sort::Word, sort);
                self.word(value, context, 1);
                if let Some(range) = range {
                    self.range(*range);
                }
                self.result(*result, Sort::Word, context);
            }
            Instruction::Choose { low, high, result } => {
                self.word(low, context, 1);
                self.word(high, context, 1);
                self.result(Some(*result), Sort::Word, context);
            }
            Instruction::Select(arms) => {
                if arms.len() > MAX_ARMS {
                    self.defect(format!("a choice has at most {MAX_ARMS} arms"));
                }
                for guard in arms.iter().filter_map(|arm| arm.guard.as_ref()) {
                    self.word(guard, context, 1);
                }
            }
            _ => {}
        }
    }

    fn target(&mut self, target: &Target, context: Context<'_>) -> Sort {
        match target {
            Target::Local(register) => self.register(*register, context),
            Target::LocalElement(array, index) => {
                self.word(index, context, 1);
                self.local_array(*array, context)
            }
            Target::ThreadLocal(slot) => self.thread_local(*slot),
            Target::ThreadLocalElement(array, index) => {
                self.word(index, context, 1);
                self.array(*array, &self.program.thread_locals)
            }
            Target::Shared(cell) => self.cell(cell, Kind::Variable, context, 0),
        }
    }

    /// A value that is put into a word of some sort.
    fn value(&mut self, value: &Expression, sort: Sort, context: Context<'_>) {
        let found = self.expression(value, context, 1);
        self.agree(sort, found);
    }

    fn result(&mut self, register: Option<Register>, sort: Sort, context: Context<'_>) {
        if let Some(register) = register {
            let expected = self.register(register, context);
            self.agree(expected, sort);
        }
    }

    fn arguments(
        &mut self,
        parameters: Option<&[Slot]>,
        arguments: &[Expression],
        context: Context<'_>,
    ) {
        let Some(parameters) = parameters else {
            self.defect("there is no such function");
            return;
        };
        self.rule(arguments.len() == parameters.len(), || {
            format!(
                "{} arguments are given, {} needed",
                arguments.len(),
                parameters.len()
            )
        });
        for (number, argument) in arguments.iter().enumerate() {
            let parameter = parameters.get(number);
            let sort = parameter.map_or(Sort::Any, |slot| Sort::of(slot.value));
            self.value(argument, sort, context);
        }
    }

    fn parameters(&self, function: FunctionId) -> Option<&'a [Slot]> {
        let function = self.program.functions.get(usize::from(function.0))?;
        function.registers.get(..usize::from(function.parameters))
    }

    fn thread_parameters(&self, declaration: DeclarationId) -> Option<&'a [Slot]> {
        let declaration = self.program.declarations.get(usize::from(declaration.0))?;
        self.parameters(declaration.function)
    }

    fn agree(&mut self, expected: Sort, found: Sort) {
        self.rule(expected.agrees(found), || match (expected, found) {
            (Sort::Reference(_), Sort::Reference(_)) => {
                "a reference to another record is needed".to_string()
            }
            (Sort::Reference(_), _) => "a reference is needed".to_string(),
            _ => "a reference where there can be none".to_string(),
        });
    }
}

/// Expressions.
impl Checker<'_> {
    /// An expression that must not be a reference.
    fn word(&mut self, expression: &Expression, context: Context<'_>, depth: usize) {
        let found = self.expression(expression, context, depth);
        self.agree(Sort::Word, found);
    }

    fn expression(&mut self, expression: &Expression, context: Context<'_>, depth: usize) -> Sort {
        if depth > MAXIMUM_DEPTH {
            self.defect("an expression is nested too deeply");
            return Sort::Any;
        }
        match expression {
            Expression::Constant(0) => Sort::Any,
            Expression::Constant(_) => Sort::Word,
            Expression::Local(register) => self.register(*register, context),
            Expression::LocalElement(array, index) => {
                self.word(index, context, depth + 1);
                self.local_array(*array, context)
            }
            Expression::ThreadLocal(slot) => {
                self.thread_state(context);
                self.thread_local(*slot)
            }
            Expression::ThreadLocalElement(array, index) => {
                self.thread_state(context);
                self.word(index, context, depth + 1);
                self.array(*array, &self.program.thread_locals)
            }
            Expression::Shared(cell) => self.cell(cell, Kind::Variable, context, depth),
            Expression::Unary(_, operand) => {
                self.word(operand, context, depth + 1);
                Sort::Word
            }
            Expression::Binary(operator, left, right) => {
                self.binary(*operator, left, right, context, depth)
            }
            Expression::Conditional(condition, yes, no) => {
                self.word(condition, context, depth + 1);
                let yes = self.expression(yes, context, depth + 1);
                let no = self.expression(no, context, depth + 1);
                self.agree(yes, no);
                if yes == Sort::Any { no } else { yes }
            }
            Expression::Bounded(value, _) => {
                self.word(value, context, depth + 1);
                Sort::Word
            }
            Expression::Ranged(value, range) => {
                self.range(*range);
                self.word(value, context, depth + 1);
                Sort::Word
            }
            Expression::Me => {
                self.thread_state(context);
                Sort::Word
            }
            Expression::Owner(cell) => self.observed(cell, Kind::Monitor, context, depth),
            Expression::ChannelLength(cell) => self.observed(cell, Kind::Channel, context, depth),
            Expression::SemaphoreValue(cell) => {
                self.observed(cell, Kind::Semaphore, context, depth)
            }
            Expression::At(label) => {
                self.thread_state(context);
                self.label(*label)
            }
            Expression::CountAt(label) => self.label(*label),
            Expression::Length(region) => {
                let known = (region.0 as usize) < self.program.regions.len();
                self.rule(known && region.0 > 0, || {
                    format!("region {} has no length", region.0)
                });
                Sort::Word
            }
            Expression::Accessed => self.accessed(context),
        }
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        context: Context<'_>,
        depth: usize,
    ) -> Sort {
        let left = self.expression(left, context, depth + 1);
        let right = self.expression(right, context, depth + 1);
        if matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual) {
            self.agree(left, right);
        } else {
            self.agree(Sort::Word, left);
            self.agree(Sort::Word, right);
        }
        Sort::Word
    }

    /// The state of an object that is not a variable.
    fn observed(&mut self, cell: &Cell, kind: Kind, context: Context<'_>, depth: usize) -> Sort {
        self.cell(cell, kind, context, depth);
        Sort::Word
    }

    /// In a claim about a field, what is accessed may be the instance.
    fn accessed(&mut self, context: Context<'_>) -> Sort {
        let Some(region) = context.claim else {
            self.defect("only claims speak of the accessed element");
            return Sort::Any;
        };
        match self.program.regions.get(region.0 as usize) {
            Some(region) if matches!(region.home, Home::Field(..)) => Sort::Any,
            _ => Sort::Word,
        }
    }

    fn thread_state(&mut self, context: Context<'_>) {
        self.rule(context.thread, || {
            "no thread evaluates this, but it speaks of one".to_string()
        });
    }

    fn label(&mut self, label: LabelId) -> Sort {
        let exists = usize::from(label.0) < self.program.labels.len();
        self.rule(exists, || format!("there is no label {}", label.0));
        Sort::Word
    }

    /// A cell of a kind, inside of an expression of some depth; tells the sort of its
    /// values.
    fn cell(&mut self, cell: &Cell, kind: Kind, context: Context<'_>, depth: usize) -> Sort {
        let program = self.program;
        let Some(region) = program.regions.get(cell.region.0 as usize) else {
            self.defect(format!("there is no region {}", cell.region.0));
            return Sort::Any;
        };
        let name = &region.name;
        self.rule(region.kind == kind, || {
            format!("{name} is not of the kind that this needs")
        });
        match (&cell.object, region.home) {
            (Some(object), Home::Field(record, _)) => {
                let found = self.expression(object, context, depth + 1);
                self.agree(Sort::Reference(record), found);
            }
            (None, Home::Shared(_) | Home::Threads) => {}
            (Some(_), _) => self.defect(format!("{name} is not a field of an object")),
            (None, _) => self.defect(format!("{name} is a field, the object is missing")),
        }
        match (&cell.index, region.dimensions.is_empty()) {
            (Some(index), false) => self.word(index, context, depth + 1),
            (None, true) => {}
            (Some(_), true) => self.defect(format!("{name} is not an array")),
            (None, false) => self.defect(format!("{name} is an array, the index is missing")),
        }
        Sort::of(region.value)
    }

    fn register(&mut self, register: Register, context: Context<'_>) -> Sort {
        let slots = context.registers.unwrap_or_default();
        match slots.get(usize::from(register.0)) {
            Some(slot) => Sort::of(slot.value),
            None => {
                self.defect(format!("there is no register {}", register.0));
                Sort::Any
            }
        }
    }

    fn local_array(&mut self, array: Array, context: Context<'_>) -> Sort {
        self.array(array, context.registers.unwrap_or_default())
    }

    fn thread_local(&mut self, slot: u16) -> Sort {
        match self.program.thread_locals.get(usize::from(slot)) {
            Some(slot) => Sort::of(slot.value),
            None => {
                self.defect(format!("there is no thread-local variable {slot}"));
                Sort::Any
            }
        }
    }

    fn array(&mut self, array: Array, slots: &[Slot]) -> Sort {
        let base = usize::from(array.base);
        let end = base.saturating_add(array.length as usize);
        let Some(elements) = slots.get(base..end) else {
            self.defect(format!("there are no slots {base} to {end}"));
            return Sort::Any;
        };
        let mut sorts = elements.iter().map(|slot| Sort::of(slot.value));
        let first = sorts.next().unwrap_or(Sort::Any);
        self.rule(sorts.all(|sort| sort == first), || {
            "an array has elements of different sorts".to_string()
        });
        first
    }
}

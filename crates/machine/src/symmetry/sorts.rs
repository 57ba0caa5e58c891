//! Which values are threads or indices of threads, and whether they are used as names only.
//!
//! Every place that can hold a value is a node: variables, registers, the elements of channels, results of
//! functions, and the dimensions of arrays. Nodes between which values are copied or compared are
//! united. What is known of a node, that it is the index of a thread, or a thread, or is used
//! as a number, holds for all that it is united with. A declaration of threads whose
//! indices are used as numbers is not symmetric.

use super::exchange::{self, indices};
use super::{At, Group, Symmetry};
use crate::facts;
use crate::ir::{
    Array, BinaryOperator, Cell, Expression, Function, FunctionId, Home, Instruction, Program,
    Register, Target, ValueType,
};
use raddle_model::{Kind, Place, Region};
use std::collections::BTreeSet;

/// Why threads cannot be exchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// Why, as the end of a sentence about them.
    pub what: &'static str,
    /// Where.
    pub place: Option<Place>,
}

/// What the words of states hold, as far as exchanging threads changes them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    /// For each region, what its variables or the elements of its channels hold.
    pub(super) values: Vec<Sort>,
    /// For each region and each of its dimensions, what selects an element.
    pub(super) dimensions: Vec<Vec<Sort>>,
    /// For each instruction, the registers that hold threads or indices and are still read, when a thread
    /// stands there.
    pub(super) registers: Vec<Vec<(u16, Sort)>>,
    pub(super) thread_locals: Vec<Sort>,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// Anything else.
    Plain,
    /// An instance of a record. Its number is that of no thread, but depends on their order.
    Reference,
    /// A thread by number, or none.
    Thread,
    /// The index of a thread in a group; values that are none are not changed.
    Index(usize),
}

/// A value: one that is held by a node, or a constant.
#[derive(Clone, Copy)]
pub(super) enum Term {
    Node(usize),
    Constant,
}

/// All that is known of nodes that are united.
#[derive(Clone, Debug, Default)]
struct Known {
    is_thread: bool,
    is_reference: bool,
    groups: Vec<usize>,
    /// Where it is used as a number.
    number: Option<Reason>,
    /// It must be able to hold this many indices.
    least: Option<(u32, At)>,
}

/// Finds the threads of a program that can be exchanged.
pub(super) fn find(program: &Program) -> Symmetry {
    let mut sorts = Sorts::new(program);
    sorts.read();
    let mut reasons: Vec<Option<Reason>> = (0..sorts.groups.len())
        .map(|group| sorts.misuse(group))
        .collect();
    // Whether constants keep threads apart is asked when it is known which constants are names.
    for (group, reason) in reasons.iter_mut().enumerate() {
        if reason.is_none() {
            *reason = sorts.distinction(group);
        }
    }
    if let Some(reason) = sorts.threads_as_numbers() {
        reasons.iter_mut().for_each(|it| *it = Some(reason.clone()));
    }
    sorts.finish(reasons)
}

pub(super) struct Sorts<'p> {
    pub(super) program: &'p Program,
    groups: Vec<Group>,
    /// Which declaration each of them is of.
    declarations: Vec<usize>,
    parents: Vec<usize>,
    known: Vec<Known>,
    values: Vec<usize>,
    pub(super) dimensions: Vec<Vec<usize>>,
    /// For each function and register, what that holds in the beginning; and always, if it is an element
    /// of an array.
    registers: Vec<Vec<usize>>,
    /// For each instruction, the registers that are read there or later, and what they hold. A register is
    /// used again for other things, each of which is a node of its own. Nothing, if no thread comes there.
    held: Vec<Option<Vec<(u16, usize)>>>,
    /// For each instruction, what it puts into a register.
    defined: Vec<usize>,
    results: Vec<usize>,
    thread_locals: Vec<usize>,
    /// The node of all that is a number, of all threads, and of the indices of each group.
    plain: usize,
    thread: usize,
    indices: Vec<usize>,
    /// Choices from a range: what they are put into, whether that is the whole of a group of so many.
    choices: Vec<(usize, Option<u32>, At)>,
    /// The function and the instruction that are looked at.
    function: usize,
    pc: usize,
    at: At,
}

impl<'p> Sorts<'p> {
    fn new(program: &'p Program) -> Self {
        let mut sorts = Sorts {
            program,
            groups: Vec::new(),
            declarations: Vec::new(),
            parents: Vec::new(),
            known: Vec::new(),
            values: Vec::new(),
            dimensions: Vec::new(),
            registers: Vec::new(),
            held: vec![None; program.code.len()],
            defined: Vec::new(),
            results: Vec::new(),
            thread_locals: Vec::new(),
            plain: 0,
            thread: 0,
            indices: Vec::new(),
            choices: Vec::new(),
            function: 0,
            pc: program.code.len(),
            at: None,
        };
        sorts.plain = sorts.node(ValueType::Bool);
        let number = Reason {
            what: "is used as a number",
            place: None,
        };
        sorts.known[sorts.plain].number = Some(number);
        sorts.thread = sorts.node(ValueType::Thread);
        for region in &program.regions {
            let value = sorts.node(region.value);
            sorts.values.push(value);
            let dimensions = region.dimensions.iter().map(|_| sorts.node(ValueType::Int));
            let dimensions = dimensions.collect();
            sorts.dimensions.push(dimensions);
        }
        for function in &program.functions {
            let registers = function.registers.iter().map(|it| sorts.node(it.value));
            let registers = registers.collect();
            sorts.registers.push(registers);
            let result = sorts.node(ValueType::Int);
            sorts.results.push(result);
        }
        let thread_locals = program.thread_locals.iter().map(|it| sorts.node(it.value));
        sorts.thread_locals = thread_locals.collect();
        sorts.defined = program
            .code
            .iter()
            .map(|_| sorts.node(ValueType::Int))
            .collect();
        sorts.follow_registers();
        sorts.find_groups();
        sorts
    }

    /// Finds out what registers hold where: values that come to the same place by different ways are
    /// united if they are still read.
    fn follow_registers(&mut self) {
        let program = self.program;
        let live = facts::live_registers(program);
        for (number, function) in program.functions.iter().enumerate() {
            let arrays = array_slots(program, function);
            let first = live[function.entry.0 as usize].iter();
            let first = first.map(|&slot| (slot, self.registers[number][usize::from(slot)]));
            self.held[function.entry.0 as usize] = Some(first.collect());
            let mut work = vec![function.entry];
            while let Some(pc) = work.pop() {
                let index = pc.0 as usize;
                let mut held = self.held[index].clone().unwrap_or_default();
                if let Some(Register(slot)) = program.code[index].defines()
                    && !arrays.contains(&slot)
                {
                    held.retain(|(it, _)| *it != slot);
                    held.push((slot, self.defined[index]));
                }
                program.code[index].for_each_successor(pc, &mut |next| {
                    if self.arrive(&held, &live[next.0 as usize], (number, next.0 as usize)) {
                        work.push(next);
                    }
                });
            }
        }
        for (pc, instruction) in program.code.iter().enumerate() {
            if let Some(Register(slot)) = instruction.defines() {
                let function = program.functions.iter();
                let mut around = function
                    .zip(&self.registers)
                    .filter(|(it, _)| (it.entry.0 as usize..it.end.0 as usize).contains(&pc));
                if let Some((function, registers)) = around.next() {
                    let value = function.registers[usize::from(slot)].value;
                    if array_slots(program, function).contains(&slot) {
                        self.defined[pc] = registers[usize::from(slot)];
                    } else {
                        let root = self.root(self.defined[pc]);
                        self.known[root].is_thread |= value == ValueType::Thread;
                        self.known[root].is_reference |= matches!(value, ValueType::Reference(_));
                    }
                }
            }
        }
    }

    /// Comes to an instruction with registers that hold something; whether nobody was there before.
    fn arrive(
        &mut self,
        held: &[(u16, usize)],
        live: &[u16],
        (function, pc): (usize, usize),
    ) -> bool {
        let initial = |slot: u16| self.registers[function][usize::from(slot)];
        let now: Vec<(u16, usize)> = live
            .iter()
            .map(|&slot| {
                let found = held.iter().find(|(it, _)| *it == slot);
                found.copied().unwrap_or((slot, initial(slot)))
            })
            .collect();
        let Some(before) = self.held[pc].clone() else {
            self.held[pc] = Some(now);
            return true;
        };
        for ((_, a), (_, b)) in before.into_iter().zip(now) {
            self.unite(a, b);
        }
        false
    }

    /// What a register holds at the instruction that is looked at.
    fn held(&self, slot: u16) -> Option<usize> {
        let held = self.held.get(self.pc)?.as_ref()?;
        let found = held.iter().find(|(it, _)| *it == slot);
        match found {
            Some(&(_, node)) => Some(node),
            None => self.registers[self.function]
                .get(usize::from(slot))
                .copied(),
        }
    }

    fn node(&mut self, value: ValueType) -> usize {
        self.parents.push(self.parents.len());
        self.known.push(Known {
            is_thread: value == ValueType::Thread,
            is_reference: matches!(value, ValueType::Reference(_)),
            ..Known::default()
        });
        self.parents.len() - 1
    }

    /// The declarations of which there are several threads from the start, one after the other.
    fn find_groups(&mut self) {
        let threads = &self.program.initial_threads;
        let mut first = 0;
        while let Some(thread) = threads.get(first) {
            let rest = threads[first..].iter();
            let count = rest
                .take_while(|it| it.declaration == thread.declaration)
                .count();
            let number = usize::from(thread.declaration.0);
            let declaration = &self.program.declarations[number];
            let all = &threads[first..first + count];
            let numbered = all
                .iter()
                .zip(0..)
                .all(|(it, index)| it.arguments == [index]);
            let is_plain = all.iter().all(|it| it.arguments.is_empty());
            if count > 1 && (numbered || is_plain) && !self.program.is_parametric() {
                let group = self.groups.len();
                let index = self.node(ValueType::Int);
                self.known[index].groups.push(group);
                self.indices.push(index);
                self.declarations.push(number);
                self.groups.push(Group {
                    name: declaration.name.clone(),
                    first: first as u32,
                    count: count as u32,
                });
                if numbered {
                    let parameter = self.registers[usize::from(declaration.function.0)][0];
                    self.unite(index, parameter);
                }
            }
            first += count;
        }
    }

    fn root(&self, mut node: usize) -> usize {
        while self.parents[node] != node {
            node = self.parents[node];
        }
        node
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        // Everything may be compared with what is plain without becoming the same by that: it is noted
        // where it happens.
        if a == b {
            return;
        }
        let joined = std::mem::take(&mut self.known[b]);
        self.parents[b] = a;
        let known = &mut self.known[a];
        known.is_thread |= joined.is_thread;
        known.is_reference |= joined.is_reference;
        known.groups.extend(joined.groups);
        known.groups.sort_unstable();
        known.groups.dedup();
        known.number = known.number.take().or(joined.number);
        known.least = match (known.least, joined.least) {
            (Some(a), Some(b)) => Some(if a.0 <= b.0 { a } else { b }),
            (a, b) => a.or(b),
        };
    }

    /// Two values are copied or compared.
    fn same(&mut self, a: Term, b: Term) {
        if let (Term::Node(a), Term::Node(b)) = (a, b) {
            match (
                self.root(a) == self.root(self.plain),
                self.root(b) == self.root(self.plain),
            ) {
                (true, false) => self.number(Term::Node(b)),
                (false, true) => self.number(Term::Node(a)),
                _ => self.unite(a, b),
            }
        }
    }

    /// A value is used as a number.
    fn number(&mut self, term: Term) {
        if let Term::Node(node) = term {
            let root = self.root(node);
            let place = self.at;
            self.known[root].number.get_or_insert(Reason {
                what: "is used as a number",
                place,
            });
        }
    }

    /// A value has to be less than a number.
    fn bounded(&mut self, term: Term, bound: u32) {
        if let Term::Node(node) = term {
            let root = self.root(node);
            let known = &mut self.known[root];
            if known.least.is_none_or(|(least, _)| bound < least) {
                known.least = Some((bound, self.at));
            }
        }
    }

    /// Reads the whole program.
    fn read(&mut self) {
        let program = self.program;
        for (number, region) in program.regions.iter().enumerate() {
            // Values that are there from the start need not be the same for all threads; those of a
            // new instance must be, as constants are.
            if region.kind == Kind::Semaphore {
                self.number(Term::Node(self.values[number]));
            }
            for (dimension, &size) in region.dimensions.iter().enumerate() {
                self.bounded(Term::Node(self.dimensions[number][dimension]), size);
            }
            if let ValueType::Ranged(range) = region.value {
                self.ranged(Term::Node(self.values[number]), range.low, range.high);
            }
        }
        for (number, function) in program.functions.iter().enumerate() {
            self.function = number;
            for pc in function.entry.0 as usize..function.end.0 as usize {
                if self.held[pc].is_some() {
                    self.pc = pc;
                    self.at = program.places.get(pc).copied();
                    self.instruction(&program.code[pc]);
                }
            }
        }
        self.pc = program.code.len();
        for (condition, place) in conditions(program) {
            self.at = Some(place);
            let value = self.expression(condition);
            self.number(value);
        }
    }

    fn ranged(&mut self, term: Term, low: i32, high: i32) {
        let holds = match low <= 0 {
            true => u32::try_from(i64::from(high) + 1).unwrap_or(0),
            false => 0,
        };
        self.bounded(term, holds);
    }

    fn instruction(&mut self, instruction: &Instruction) {
        let result_of = Term::Node(self.defined[self.pc]);
        for (expression, expected) in self.positions(instruction) {
            let value = self.expression(&expression);
            match expected {
                Expected::Number => self.number(value),
                Expected::Cell => {}
                Expected::As(node) => self.same(Term::Node(node), value),
            }
        }
        match instruction {
            Instruction::Receive(cell, _) => {
                self.same(Term::Node(self.values[cell.region.0 as usize]), result_of);
            }
            Instruction::Call {
                function,
                result: Some(_),
                ..
            } => {
                self.same(Term::Node(self.results[usize::from(function.0)]), result_of);
            }
            Instruction::Spawn {
                result: Some(_), ..
            } => {
                self.same(Term::Node(self.thread), result_of);
            }
            Instruction::CompareAndSet {
                result: Some(_), ..
            } => self.number(result_of),
            Instruction::FetchAdd { cell, .. } => {
                self.number(Term::Node(self.values[cell.region.0 as usize]));
                self.number(result_of);
            }
            Instruction::Choose { low, high, .. } => {
                let whole = match (low, high) {
                    (Expression::Constant(0), Expression::Constant(high)) => {
                        u32::try_from(i64::from(*high) + 1).ok()
                    }
                    _ => None,
                };
                self.choices.push((self.defined[self.pc], whole, self.at));
            }
            _ => {}
        }
    }

    /// The expressions of an instruction, and what is done with their values. The cell on which it
    /// operates is one that reads it.
    fn positions(&self, instruction: &Instruction) -> Vec<(Expression, Expected)> {
        let mut out = Vec::new();
        let mut put = |expression: &Expression, expected| out.push((expression.clone(), expected));
        if let Some(cell) = instruction.cell() {
            put(&Expression::Shared(cell.clone()), Expected::Cell);
        }
        let array = |array: &Array| self.held(array.base);
        let parameters = |function: FunctionId| &self.registers[usize::from(function.0)];
        match instruction {
            Instruction::Assign(target, value) => {
                let node = match target {
                    Target::Local(_) => self.defined.get(self.pc).copied(),
                    Target::LocalElement(it, index) => {
                        put(
                            &Expression::LocalElement(*it, Box::new(index.clone())),
                            Expected::Cell,
                        );
                        array(it)
                    }
                    Target::ThreadLocal(slot) => {
                        self.thread_locals.get(usize::from(*slot)).copied()
                    }
                    Target::ThreadLocalElement(it, index) => {
                        let element = Expression::ThreadLocalElement(*it, Box::new(index.clone()));
                        put(&element, Expected::Cell);
                        self.thread_locals.get(usize::from(it.base)).copied()
                    }
                    Target::Shared(cell) => self.values.get(cell.region.0 as usize).copied(),
                };
                put(value, node.map_or(Expected::Number, Expected::As));
            }
            Instruction::Branch(value, _)
            | Instruction::Await(value)
            | Instruction::Assume(value)
            | Instruction::Assert(value, _)
            | Instruction::FetchAdd { value, .. } => put(value, Expected::Number),
            Instruction::Join(value) => put(value, Expected::As(self.thread)),
            Instruction::Send(cell, value) => {
                put(value, Expected::As(self.values[cell.region.0 as usize]));
            }
            Instruction::Return(Some(value)) => {
                put(value, Expected::As(self.results[self.function]));
            }
            Instruction::Call {
                function,
                arguments,
                ..
            } => {
                for (argument, &parameter) in arguments.iter().zip(parameters(*function)) {
                    put(argument, Expected::As(parameter));
                }
            }
            Instruction::Spawn {
                declaration,
                arguments,
                ..
            } => {
                let started = &self.program.declarations[usize::from(declaration.0)];
                for (argument, &parameter) in arguments.iter().zip(parameters(started.function)) {
                    put(argument, Expected::As(parameter));
                }
            }
            Instruction::CompareAndSet {
                cell,
                expected,
                value,
                ..
            } => {
                for it in [expected, value] {
                    put(it, Expected::As(self.values[cell.region.0 as usize]));
                }
            }
            Instruction::Choose { low, high, .. } => {
                put(low, Expected::Number);
                put(high, Expected::Number);
            }
            Instruction::Select(arms) => {
                for guard in arms.iter().filter_map(|arm| arm.guard.as_ref()) {
                    put(guard, Expected::Number);
                }
            }
            _ => {}
        }
        out
    }

    /// What an expression is, without a look at its parts.
    pub(super) fn term(&self, expression: &Expression) -> Term {
        let node = |slot: u16| self.held(slot);
        let node = match expression {
            Expression::Constant(_) => return Term::Constant,
            Expression::Conditional(_, then, otherwise) => {
                return match self.term(then) {
                    Term::Constant => self.term(otherwise),
                    node => node,
                };
            }
            Expression::Bounded(inner, _) | Expression::Ranged(inner, _) => {
                return self.term(inner);
            }
            Expression::Local(register) => node(register.0),
            Expression::LocalElement(array, _) => node(array.base),
            Expression::ThreadLocal(slot) => self.thread_locals.get(usize::from(*slot)).copied(),
            Expression::ThreadLocalElement(array, _) => {
                self.thread_locals.get(usize::from(array.base)).copied()
            }
            Expression::Shared(cell) => self.values.get(cell.region.0 as usize).copied(),
            Expression::Me | Expression::Owner(_) => Some(self.thread),
            _ => Some(self.plain),
        };
        Term::Node(node.unwrap_or(self.plain))
    }

    /// Reads an expression; tells what it is.
    fn expression(&mut self, expression: &Expression) -> Term {
        match expression {
            Expression::Unary(_, inner) => {
                let inner = self.expression(inner);
                self.number(inner);
            }
            Expression::Binary(operator, left, right) => {
                let (left, right) = (self.expression(left), self.expression(right));
                match operator {
                    BinaryOperator::Equal | BinaryOperator::NotEqual => self.same(left, right),
                    _ => {
                        self.number(left);
                        self.number(right);
                    }
                }
            }
            Expression::Conditional(condition, then, otherwise) => {
                let condition = self.expression(condition);
                self.number(condition);
                let (then, otherwise) = (self.expression(then), self.expression(otherwise));
                self.same(then, otherwise);
            }
            Expression::Bounded(inner, bound) => {
                let inner = self.expression(inner);
                self.bounded(inner, *bound);
            }
            Expression::Ranged(inner, range) => {
                let inner = self.expression(inner);
                self.ranged(inner, range.low, range.high);
            }
            Expression::LocalElement(array, index)
            | Expression::ThreadLocalElement(array, index) => {
                let index = self.expression(index);
                self.number(index);
                let is_local = matches!(expression, Expression::LocalElement(..));
                for slot in 1..array.length {
                    let slot = usize::from(array.base) + slot as usize;
                    let nodes = match is_local {
                        true => &self.registers[self.function],
                        false => &self.thread_locals,
                    };
                    let pair = (nodes.get(usize::from(array.base)), nodes.get(slot));
                    if let (Some(&a), Some(&b)) = pair {
                        self.unite(a, b);
                    }
                }
            }
            Expression::Shared(cell)
            | Expression::Owner(cell)
            | Expression::ChannelLength(cell)
            | Expression::SemaphoreValue(cell) => self.cell(cell),
            _ => {}
        }
        self.term(expression)
    }

    fn cell(&mut self, cell: &Cell) {
        if let Some(object) = &cell.object {
            let object = self.expression(object);
            self.number(object);
        }
        let Some(index) = &cell.index else { return };
        let region = cell.region.0 as usize;
        let sizes = &self.program.regions[region].dimensions;
        match indices(index, sizes) {
            Some(parts) => {
                for (dimension, part) in parts.iter().enumerate() {
                    let part = self.expression(part);
                    self.same(Term::Node(self.dimensions[region][dimension]), part);
                }
            }
            None => {
                let index = self.expression(index);
                self.number(index);
                for node in self.dimensions[region].clone() {
                    self.number(Term::Node(node));
                }
            }
        }
    }

    /// Why the indices of a group are more than names, if they are.
    fn misuse(&self, group: usize) -> Option<Reason> {
        let known = &self.known[self.root(self.indices[group])];
        let count = self.groups[group].count;
        let reason = |what, place| Some(Reason { what, place });
        if let Some(number) = &known.number {
            return Some(number.clone());
        }
        if known.is_thread || known.groups.len() > 1 {
            return reason("is mixed with the names of other threads", None);
        }
        if let Some((_, place)) = known.least.filter(|(least, _)| *least < count) {
            return reason("does not fit into a range or an array", place);
        }
        let root = self.root(self.indices[group]);
        let partial = self
            .choices
            .iter()
            .find(|(node, whole, _)| self.root(*node) == root && *whole != Some(count));
        partial.and_then(|(_, _, place)| reason("is chosen among a part of them", *place))
    }

    /// Why no threads can be exchanged: they are used as numbers.
    fn threads_as_numbers(&self) -> Option<Reason> {
        let mut nodes = (0..self.parents.len()).map(|node| &self.known[self.root(node)]);
        let misused =
            nodes.find(|it| it.is_thread && (it.number.is_some() || !it.groups.is_empty()));
        let what = "is used as a number, as a thread";
        let place = misused?.number.as_ref().and_then(|it| it.place);
        Some(Reason { what, place })
    }

    /// What names one of the threads of a group, and not each of them alike.
    fn distinction(&mut self, group: usize) -> Option<Reason> {
        let program = self.program;
        let reason = |place| {
            Some(Reason {
                what: "is named by its number",
                place,
            })
        };
        for (number, function) in program.functions.iter().enumerate() {
            self.function = number;
            for pc in function.entry.0..function.end.0 {
                if self.held[pc as usize].is_none() {
                    continue;
                }
                self.pc = pc as usize;
                let positions = self.positions(&program.code[pc as usize]);
                let is_same = positions.iter().all(|(expression, expected)| {
                    let node = match expected {
                        Expected::As(node) => Some(*node),
                        Expected::Number | Expected::Cell => None,
                    };
                    self.is_symmetric(expression, node, group)
                });
                if !is_same {
                    return reason(program.places.get(pc as usize).copied());
                }
            }
        }
        self.pc = program.code.len();
        for (condition, place) in conditions(program) {
            if !self.is_symmetric(condition, None, group) {
                return reason(Some(place));
            }
        }
        // The initial values of what is made on the way are constants, too.
        let count = self.groups[group].count;
        let names = |node: usize, value: i32| {
            self.is_index(node, group) && u32::try_from(value).is_ok_and(|it| it < count)
        };
        for region in (0..).map(Region).zip(&program.regions) {
            let (Region(number), info) = region;
            if let Home::Field(record, offset) = info.home {
                let words = info.words() as usize;
                let initial = &program.records[usize::from(record.0)].initial;
                let initial = initial.iter().skip(offset as usize).take(words);
                let node = self.values[number as usize];
                let is_variable = info.kind == Kind::Variable;
                if is_variable && initial.into_iter().any(|&value| names(node, value)) {
                    return reason(None);
                }
            }
        }
        let spawns = program
            .code
            .iter()
            .any(|it| matches!(it, Instruction::Spawn { .. }));
        let mut slots = self.thread_locals.iter().zip(&program.thread_locals);
        if spawns && slots.any(|(&node, slot)| names(node, slot.initial)) {
            return reason(None);
        }
        None
    }

    pub(super) fn is_index(&self, node: usize, group: usize) -> bool {
        self.root(node) == self.root(self.indices[group])
    }

    /// Whether an expression is the same for whichever threads of a group are exchanged. It is put
    /// where `expected` is, if its value is not a number.
    fn is_symmetric(&self, expression: &Expression, expected: Option<usize>, group: usize) -> bool {
        let is_index = expected.is_some_and(|node| self.is_index(node, group));
        let group = (group, self.groups[group].count);
        exchange::is_symmetric(self, expression, is_index, group)
    }

    /// The groups that can be exchanged, with the sorts of everything.
    fn finish(self, reasons: Vec<Option<Reason>>) -> Symmetry {
        // Of the groups, the symmetric ones get new numbers.
        let mut numbers = Vec::new();
        let mut groups = Vec::new();
        let mut refused = Vec::new();
        for (group, reason) in self.groups.iter().zip(&reasons) {
            numbers.push(groups.len());
            match reason {
                None => groups.push(group.clone()),
                Some(reason) => refused.push((group.name.clone(), reason.clone())),
            }
        }
        let sort = |&node: &usize| {
            let known = &self.known[self.root(node)];
            match (known.is_thread, &known.groups[..]) {
                (true, _) => Sort::Thread,
                _ if known.is_reference => Sort::Reference,
                (false, [group]) if reasons[*group].is_none() => Sort::Index(numbers[*group]),
                _ => Sort::Plain,
            }
        };
        let all = |nodes: &Vec<usize>| nodes.iter().map(sort).collect();
        let held = self.held.iter().map(|held| {
            let held = held
                .iter()
                .flatten()
                .map(|(slot, node)| (*slot, sort(node)));
            held.filter(|(_, sort)| *sort != Sort::Plain).collect()
        });
        Symmetry {
            sorts: Layout {
                values: all(&self.values),
                dimensions: self.dimensions.iter().map(all).collect(),
                registers: held.collect(),
                thread_locals: all(&self.thread_locals),
            },
            groups,
            reasons: refused,
        }
    }
}

/// The registers of a function that are elements of arrays.
fn array_slots(program: &Program, function: &Function) -> BTreeSet<u16> {
    let mut slots = BTreeSet::new();
    for pc in function.entry.0..function.end.0 {
        let instruction = &program.code[pc as usize];
        let mut take = |it: &Array| slots.extend((0..it.length as u16).map(|slot| it.base + slot));
        if let Instruction::Assign(Target::LocalElement(array, _), _) = instruction {
            take(array);
        }
        instruction.for_each_expression(&mut |expression| {
            if let Expression::LocalElement(array, _) = expression {
                take(array);
            }
        });
    }
    slots
}

/// What is done with the value of an expression.
#[derive(Clone, Copy)]
enum Expected {
    /// It is used as a number or a truth value.
    Number,
    /// Nothing: it names a cell.
    Cell,
    /// It is put where this node is, or compared with it.
    As(usize),
}

/// The conditions that are stated of states, and where.
fn conditions(program: &Program) -> Vec<(&Expression, Place)> {
    let invariants = program.invariants.iter();
    invariants.map(|it| (&it.condition, it.place)).collect()
}

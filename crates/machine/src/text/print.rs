//! Writes a program as text.

use super::names::{BINARY, KINDS, Scope, write_name, write_string};
use crate::ir::{
    Arm, Array, Cell, Claim, DeclarationId, Discipline, Expression, Function, Home, Instruction,
    Pc, Program, Range, Record, RecordId, RegionInfo, Register, Slot, Target, UnaryOperator,
    ValueType,
};
use raddle_model::{Kind, Place, Region};
use std::fmt::Write;

/// The text of a program. A program that is not well formed can be printed too, so
/// that one can see what is wrong with it, but may not be parsed back.
pub fn print(program: &Program) -> String {
    let mut printer = Printer::new(program);
    printer.types();
    printer.data();
    printer.threads();
    printer.properties();
    printer.functions();
    printer.out
}

/// Writes the parts of one program, one after the other.
pub(crate) struct Printer<'a> {
    program: &'a Program,
    scope: Scope<'a>,
    out: String,
}

/// The column at which places begin, if the instruction leaves room.
const PLACE_COLUMN: usize = 48;

impl<'a> Printer<'a> {
    /// A printer that has not written anything.
    pub(crate) fn new(program: &'a Program) -> Printer<'a> {
        Printer {
            program,
            scope: Scope::of(program),
            out: String::new(),
        }
    }

    /// From here on, registers are those of this function.
    pub(crate) fn enter(&mut self, function: &'a Function) {
        self.scope.enter(function);
    }

    /// The text of one instruction, without its number and place.
    pub(crate) fn instruction_text(&mut self, instruction: &Instruction) -> String {
        self.instruction(instruction);
        std::mem::take(&mut self.out)
    }

    fn types(&mut self) {
        let program = self.program;
        for enumeration in &program.enums {
            self.put("enum ");
            self.name(&enumeration.name);
            self.put(" {");
            for (number, member) in enumeration.members.iter().enumerate() {
                self.put(if number == 0 { " " } else { ", " });
                self.name(member);
            }
            self.put(" }\n");
        }
        for record in &program.records {
            self.record(record);
        }
    }

    fn record(&mut self, record: &Record) {
        self.put("record ");
        self.name(&record.name);
        self.put(" {");
        for (number, field) in record.fields.iter().enumerate() {
            self.put(if number == 0 { " " } else { ", " });
            self.region(*field);
        }
        self.put(" } = {");
        self.words(&record.initial);
        self.put(" }\n");
    }

    fn data(&mut self) {
        let program = self.program;
        for region in &program.regions {
            self.region_info(region);
        }
        self.initial_words();
        for instance in &program.instances {
            self.put("instance ");
            self.record_name(*instance);
            self.put("\n");
        }
        for slot in &program.thread_locals {
            self.put("local ");
            self.slot(slot);
            self.put("\n");
        }
    }

    fn region_info(&mut self, region: &RegionInfo) {
        self.put("region ");
        self.name(&region.name);
        for size in &region.dimensions {
            self.put_display(format_args!("[{size}]"));
        }
        self.put(": ");
        for (word, kind) in KINDS {
            if kind == region.kind {
                self.put(word);
            }
        }
        if region.kind == Kind::Channel || region.capacity != 0 {
            self.put_display(format_args!("({})", region.capacity));
        }
        // The other kinds have no values; their type is almost always the default.
        let typed = matches!(region.kind, Kind::Variable | Kind::Channel);
        if typed || region.value != ValueType::Int {
            self.put(" ");
            self.value_type(region.value);
        }
        match region.home {
            Home::Threads => {}
            Home::Shared(offset) => self.put_display(format_args!(" at {offset}")),
            Home::Field(record, offset) => {
                self.put(" at ");
                self.record_name(record);
                self.put_display(format_args!(" + {offset}"));
            }
        }
        if let Some(declaration) = region.per_thread {
            self.put(" per ");
            self.declaration_name(declaration);
        }
        self.put("\n");
    }

    /// The shared words, one line for each region, whose name is only a comment.
    fn initial_words(&mut self) {
        let program = self.program;
        if program.initial_words.is_empty() {
            return;
        }
        let mut beginnings: Vec<(usize, Option<&RegionInfo>)> = vec![(0, None)];
        for region in &program.regions {
            if let Home::Shared(offset) = region.home {
                beginnings.push((offset as usize, Some(region)));
            }
        }
        beginnings.sort_by_key(|(offset, _)| *offset);
        self.put("\nwords {\n");
        for (number, (begin, region)) in beginnings.iter().enumerate() {
            let end = match beginnings.get(number + 1) {
                Some((next, _)) => *next,
                None => program.initial_words.len(),
            };
            let words = program.initial_words.get(*begin..end).unwrap_or_default();
            if words.is_empty() {
                continue;
            }
            self.put(" ");
            self.words(words);
            if let Some(region) = region {
                self.put("  // ");
                self.name(&region.name);
            }
            self.put("\n");
        }
        self.put("}\n");
    }

    /// Words with a space before each; equal ones that follow each other are counted.
    fn words(&mut self, words: &[i32]) {
        for run in words.chunk_by(|a, b| a == b) {
            if let [word] = run {
                self.put_display(format_args!(" {word}"));
            } else {
                self.put_display(format_args!(" {}*{}", run[0], run.len()));
            }
        }
    }

    fn threads(&mut self) {
        let program = self.program;
        self.blank_line();
        for declaration in &program.declarations {
            self.put("thread ");
            self.name(&declaration.name);
            self.put(" runs ");
            let function = usize::from(declaration.function.0);
            self.scope.functions.refer(function, &mut self.out);
            self.put(if declaration.daemon {
                " daemon\n"
            } else {
                "\n"
            });
        }
        for declaration in &program.replicated {
            self.put("any ");
            self.declaration_name(*declaration);
            self.put("\n");
        }
        for thread in &program.initial_threads {
            self.put("start ");
            let declaration = usize::from(thread.declaration.0);
            self.scope.declarations.refer(declaration, &mut self.out);
            self.put("(");
            for (number, argument) in thread.arguments.iter().enumerate() {
                self.put(if number == 0 { "" } else { ", " });
                self.put_display(format_args!("{argument}"));
            }
            self.put(") as ");
            self.name(&thread.name);
            self.put("\n");
        }
    }

    fn properties(&mut self) {
        let program = self.program;
        self.blank_line();
        for label in &program.labels {
            self.put("label ");
            self.name(&label.name);
            self.put_display(format_args!(" at {}\n", label.pc.0));
        }
        for invariant in &program.invariants {
            self.put("invariant ");
            self.name(&invariant.name);
            self.put(": ");
            self.expression(&invariant.condition);
            self.put(" ");
            self.place(invariant.place);
            self.put("\n");
        }
        for property in &program.temporal {
            self.temporal(property);
        }
        for claim in &program.claims {
            self.claim(claim);
        }
    }

    fn claim(&mut self, claim: &Claim) {
        self.put("claim ");
        self.region(claim.region);
        match &claim.discipline {
            Discipline::Exclusive(condition) => {
                self.put(" exclusive ");
                self.expression(condition);
            }
            Discipline::ProtectedBy(cell) => {
                self.put(" protected by ");
                self.cell(cell);
            }
            Discipline::Unprotected => self.put(" unprotected"),
            Discipline::InitialisedBy(declaration) => {
                self.put(" initialised by ");
                let declaration = usize::from(declaration.0);
                self.scope.declarations.refer(declaration, &mut self.out);
            }
        }
        self.put(" ");
        self.place(claim.place);
        self.put("\n");
    }

    fn functions(&mut self) {
        let program = self.program;
        for function in &program.functions {
            self.blank_line();
            self.enter(function);
            self.put("function ");
            self.name(&function.name);
            self.put("(");
            let parameters = usize::from(function.parameters).min(function.registers.len());
            let (parameters, others) = function.registers.split_at(parameters);
            for (number, slot) in parameters.iter().enumerate() {
                self.put(if number == 0 { "" } else { ", " });
                self.slot(slot);
            }
            self.put(") {\n");
            for slot in others {
                self.put("  var ");
                self.slot(slot);
                self.put("\n");
            }
            for pc in function.entry.0..function.end.0 {
                let Some(instruction) = program.code.get(pc as usize) else {
                    break;
                };
                self.line(Pc(pc), instruction);
            }
            self.put("}\n");
        }
    }

    /// A line of code. The names of labels are comments there.
    fn line(&mut self, pc: Pc, instruction: &Instruction) {
        let program = self.program;
        let index = pc.0 as usize;
        for label in program.labels.iter().filter(|label| label.pc == pc) {
            self.put("  // ");
            self.name(&label.name);
            self.put(":\n");
        }
        let begin = self.out.len();
        let start = program.starts.get(index).copied().unwrap_or(false);
        self.put_display(format_args!("{index:5} {} ", if start { '*' } else { ' ' }));
        self.instruction(instruction);
        let width = self.out[begin..].chars().count();
        self.out
            .extend(std::iter::repeat_n(' ', PLACE_COLUMN.saturating_sub(width)));
        self.put(" ");
        self.place(program.places.get(index).copied().unwrap_or(Place {
            file: 0,
            line: 0,
            column: 0,
        }));
        self.put("\n");
    }

    fn instruction(&mut self, instruction: &Instruction) {
        match instruction {
            Instruction::Skip => self.put("skip"),
            Instruction::Assign(target, value) => {
                self.target(target);
                self.with_expression(" := ", value);
            }
            Instruction::Branch(condition, target) => {
                self.with_expression("unless ", condition);
                self.put_display(format_args!(" jump {}", target.0));
            }
            Instruction::Jump(target) => self.put_display(format_args!("jump {}", target.0)),
            #[rustfmt::skip]
            Instruction::Call { function, arguments, result } => {
                self.with_result(*result, "call ");
                self.scope.functions.refer(usize::from(function.0), &mut self.out);
                self.arguments(arguments);
            }
            Instruction::Return(None) => self.put("return"),
            Instruction::Return(Some(value)) => self.with_expression("return ", value),
            #[rustfmt::skip]
            Instruction::Spawn { declaration, arguments, result } => {
                self.with_result(*result, "spawn ");
                self.scope.declarations.refer(usize::from(declaration.0), &mut self.out);
                self.arguments(arguments);
            }
            Instruction::Join(thread) => self.with_expression("join ", thread),
            Instruction::Acquire(cell) => self.with_cell("acquire ", cell),
            Instruction::Release(cell) => self.with_cell("release ", cell),
            Instruction::Wait(cell) => self.with_cell("wait ", cell),
            Instruction::WaitResume(cell) => self.with_cell("resume ", cell),
            Instruction::Notify(cell) => self.with_cell("notify ", cell),
            Instruction::NotifyAll(cell) => self.with_cell("notify_all ", cell),
            Instruction::Up(cell) => self.with_cell("up ", cell),
            Instruction::Down(cell) => self.with_cell("down ", cell),
            Instruction::Send(cell, value) => {
                self.with_cell("send ", cell);
                self.with_expression(", ", value);
            }
            Instruction::Receive(cell, register) => {
                self.with_result(Some(*register), "receive ");
                self.cell(cell);
            }
            #[rustfmt::skip]
            Instruction::CompareAndSet { cell, expected, value, result } => {
                self.with_result(*result, "compare_and_set(");
                self.cell(cell);
                self.with_expression(", ", expected);
                self.with_expression(", ", value);
                self.put(")");
            }
            #[rustfmt::skip]
            Instruction::FetchAdd { cell, value, range, result } => {
                self.with_result(*result, "fetch_add(");
                self.fetch_add(cell, value, *range);
            }
            Instruction::New(record, register) => {
                self.with_result(Some(*register), "new ");
                self.record_name(*record);
            }
            Instruction::Choose { low, high, result } => {
                self.with_result(Some(*result), "choose ");
                self.expression(low);
                self.with_expression(" .. ", high);
            }
            Instruction::Select(arms) => self.arms(arms),
            Instruction::Await(condition) => self.with_expression("await ", condition),
            Instruction::Assume(condition) => self.with_expression("assume ", condition),
            Instruction::Assert(condition, message) => {
                self.with_expression("assert ", condition);
                self.put(" ");
                write_string(message, &mut self.out);
            }
            Instruction::Fail(kind, message) => {
                self.put_display(format_args!("fail {kind} "));
                write_string(message, &mut self.out);
            }
            Instruction::AtomicBegin => self.put("atomic_begin"),
            Instruction::AtomicEnd => self.put("atomic_end"),
        }
    }

    fn fetch_add(&mut self, cell: &Cell, value: &Expression, range: Option<Range>) {
        self.cell(cell);
        self.with_expression(", ", value);
        if let Some(range) = range {
            self.put(", ");
            self.range(range);
        }
        self.put(")");
    }

    fn arms(&mut self, arms: &[Arm]) {
        self.put("select {");
        for (number, arm) in arms.iter().enumerate() {
            self.put(if number == 0 { " " } else { ", " });
            if let Some(guard) = &arm.guard {
                self.expression(guard);
                self.put(" ");
            }
            self.put_display(format_args!("=> {}", arm.target.0));
        }
        self.put(" }");
    }

    fn with_result(&mut self, result: Option<Register>, after: &str) {
        if let Some(register) = result {
            self.register(register);
            self.put(" := ");
        }
        self.put(after);
    }

    fn arguments(&mut self, arguments: &[Expression]) {
        self.put("(");
        for (number, argument) in arguments.iter().enumerate() {
            self.with_expression(if number == 0 { "" } else { ", " }, argument);
        }
        self.put(")");
    }

    fn target(&mut self, target: &Target) {
        match target {
            Target::Local(register) => self.register(*register),
            Target::LocalElement(array, index) => self.local_element(*array, index),
            Target::ThreadLocal(slot) => self.thread_local(*slot),
            Target::ThreadLocalElement(array, index) => self.thread_local_element(*array, index),
            Target::Shared(cell) => self.cell(cell),
        }
    }

    /// An expression; every operation on two or three values is in parentheses.
    pub(super) fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Constant(value) => self.put_display(format_args!("{value}")),
            Expression::Local(register) => self.register(*register),
            Expression::LocalElement(array, index) => self.local_element(*array, index),
            Expression::ThreadLocal(slot) => self.thread_local(*slot),
            Expression::ThreadLocalElement(array, index) => {
                self.thread_local_element(*array, index);
            }
            Expression::Shared(cell) => self.cell(cell),
            Expression::Unary(operator, operand) => self.unary(*operator, operand),
            Expression::Binary(operator, left, right) => {
                self.with_expression("(", left);
                self.put(" ");
                for (sign, candidate) in BINARY {
                    if candidate == *operator {
                        self.put(sign);
                    }
                }
                self.with_expression(" ", right);
                self.put(")");
            }
            Expression::Conditional(condition, yes, no) => {
                self.with_expression("(", condition);
                self.with_expression(" ? ", yes);
                self.with_expression(" : ", no);
                self.put(")");
            }
            Expression::Bounded(value, bound) => {
                self.with_expression("bounded(", value);
                self.put_display(format_args!(", {bound})"));
            }
            Expression::Ranged(value, range) => {
                self.with_expression("ranged(", value);
                self.put(", ");
                self.range(*range);
                self.put(")");
            }
            Expression::Me => self.put("me"),
            Expression::Owner(cell) => self.call_on_cell("owner_of(", cell),
            Expression::ChannelLength(cell) => self.call_on_cell("length_of(", cell),
            Expression::SemaphoreValue(cell) => self.call_on_cell("value_of(", cell),
            Expression::At(label) => self.call_on_label("at(", usize::from(label.0)),
            Expression::CountAt(label) => self.call_on_label("count_at(", usize::from(label.0)),
            Expression::Length(region) => {
                self.put("elements_of(");
                self.region(*region);
                self.put(")");
            }
            Expression::Accessed => self.put("accessed"),
        }
    }

    fn unary(&mut self, operator: UnaryOperator, operand: &Expression) {
        let sign = match operator {
            UnaryOperator::Negate => "-",
            UnaryOperator::Not => "!",
            UnaryOperator::Complement => "~",
        };
        // Without parentheses this would be a negative constant.
        if operator == UnaryOperator::Negate && matches!(operand, Expression::Constant(_)) {
            self.with_expression("-(", operand);
            self.put(")");
        } else {
            self.with_expression(sign, operand);
        }
    }

    fn call_on_cell(&mut self, before: &str, cell: &Cell) {
        self.with_cell(before, cell);
        self.put(")");
    }

    fn call_on_label(&mut self, before: &str, label: usize) {
        self.put(before);
        self.scope.labels.refer(label, &mut self.out);
        self.put(")");
    }

    fn cell(&mut self, cell: &Cell) {
        self.region(cell.region);
        if let Some(object) = &cell.object {
            self.with_expression("(", object);
            self.put(")");
        }
        if let Some(index) = &cell.index {
            self.with_expression("[", index);
            self.put("]");
        }
    }

    fn register(&mut self, register: Register) {
        self.put("%");
        let register = usize::from(register.0);
        self.scope.registers.refer(register, &mut self.out);
    }

    fn thread_local(&mut self, slot: u16) {
        self.put("$");
        self.scope
            .thread_locals
            .refer(usize::from(slot), &mut self.out);
    }

    fn local_element(&mut self, array: Array, index: &Expression) {
        self.register(Register(array.base));
        self.element(array, index);
    }

    fn thread_local_element(&mut self, array: Array, index: &Expression) {
        self.thread_local(array.base);
        self.element(array, index);
    }

    fn element(&mut self, array: Array, index: &Expression) {
        self.put_display(format_args!("{{{}}}", array.length));
        self.with_expression("[", index);
        self.put("]");
    }

    fn slot(&mut self, slot: &Slot) {
        self.name(&slot.name);
        self.put(": ");
        self.value_type(slot.value);
        if slot.initial != 0 {
            self.put_display(format_args!(" = {}", slot.initial));
        }
    }

    fn value_type(&mut self, value: ValueType) {
        match value {
            ValueType::Int => self.put("int"),
            ValueType::Ranged(range) => {
                self.put("int ");
                self.range(range);
            }
            ValueType::Bool => self.put("bool"),
            ValueType::Enum(number) => {
                let number = usize::from(number.0);
                self.scope.enums.refer(number, &mut self.out);
            }
            ValueType::Reference(record) => {
                self.put("ref ");
                self.record_name(record);
            }
            ValueType::Thread => self.put("tid"),
        }
    }

    fn range(&mut self, range: Range) {
        let wrapping = if range.wraps { " wrapping" } else { "" };
        self.put_display(format_args!("{}..{}{wrapping}", range.low, range.high));
    }

    fn region(&mut self, region: Region) {
        self.scope.regions.refer(region.0 as usize, &mut self.out);
    }

    fn declaration_name(&mut self, declaration: DeclarationId) {
        let number = usize::from(declaration.0);
        self.scope.declarations.refer(number, &mut self.out);
    }

    fn record_name(&mut self, record: RecordId) {
        let number = usize::from(record.0);
        self.scope.records.refer(number, &mut self.out);
    }

    pub(super) fn place(&mut self, place: Place) {
        self.put_display(format_args!(
            "@{}:{}:{}",
            place.file, place.line, place.column
        ));
    }

    fn with_expression(&mut self, before: &str, expression: &Expression) {
        self.put(before);
        self.expression(expression);
    }

    fn with_cell(&mut self, before: &str, cell: &Cell) {
        self.put(before);
        self.cell(cell);
    }

    pub(super) fn name(&mut self, name: &str) {
        write_name(name, &mut self.out);
    }

    /// An empty line, unless there is one or nothing to separate.
    fn blank_line(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.put("\n");
        }
    }

    pub(super) fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    pub(super) fn put_display(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.out.write_fmt(text);
    }
}

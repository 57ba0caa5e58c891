//! A tree printed as text, in one canonical layout with as few parentheses as possible.
//!
//! The law: parsing the text gives the tree back, up to spans. It holds for every tree
//! that the parser can build. In others, what cannot be written is put into braces
//! (an `if` that would take the `else` of another one, a declaration as the body of a
//! loop) and negative numbers become negations.
//!
//! The tree has no comments, so the text has none: this is meant for tests and for
//! generated programs, not for reformatting what an author wrote.

use crate::ast::{
    Alternative, BinaryOperator, Block, ClauseKind, Declarator, Expression, ExpressionKind,
    Function, Granularity, Initial, Item, Name, ObjectOperation, Parameter, Program, Range,
    Statement, StatementKind, Thread, Type, TypeKind, UnaryOperator, Variable,
};
use crate::parser::level;
use raddle_diagnostics::quote;

/// Prints a program.
pub fn format(program: &Program) -> String {
    let mut printer = Printer::default();
    let mut previous_was_tall = false;
    for (position, item) in program.items.iter().enumerate() {
        let tall = matches!(
            item,
            Item::Function(_) | Item::Thread(_) | Item::Record { .. }
        );
        if position > 0 && (tall || previous_was_tall) {
            printer.out.push('\n');
        }
        previous_was_tall = tall;
        printer.item(item);
        printer.out.push('\n');
    }
    printer.out
}

/// Prints an expression.
pub fn format_expression(expression: &Expression) -> String {
    let mut printer = Printer::default();
    printer.expression(expression);
    printer.out
}

const INDENT: &str = "    ";

#[derive(Default)]
struct Printer {
    out: String,
    depth: usize,
}

/// Items.
impl Printer {
    fn item(&mut self, item: &Item) {
        match item {
            Item::Granularity(Granularity::Statement, _) => self.put("granularity statement;"),
            Item::Granularity(Granularity::Access, _) => self.put("granularity access;"),
            Item::Constant { name, value } => {
                self.puts(&["const ", &name.text, " = "]);
                self.expression(value);
                self.put(";");
            }
            Item::Enumeration { name, members } => {
                self.puts(&["enum ", &name.text, " { "]);
                self.list(members, |printer, member| printer.put(&member.text));
                self.put(" }");
            }
            Item::Record { name, fields } => self.record(name, fields),
            Item::Variable { local, variable } => {
                if *local {
                    self.put("local ");
                }
                self.variable(variable);
            }
            Item::Function(function) => self.function(function),
            Item::Thread(thread) => self.thread(thread),
            Item::Invariant {
                name, condition, ..
            } => {
                self.put("invariant ");
                if let Some(name) = name {
                    self.puts(&[&name.text, ": "]);
                }
                self.expression(condition);
                self.put(";");
            }
            Item::Property {
                name,
                formula,
                fairness,
                ..
            } => {
                self.put("property ");
                if let Some(name) = name {
                    self.puts(&[&name.text, ": "]);
                }
                self.expression(formula);
                if let Some(fairness) = fairness {
                    self.puts(&[" under ", fairness.name(), " fairness"]);
                }
                self.put(";");
            }
            Item::Exclusive {
                subject,
                index,
                condition,
            } => {
                self.puts(&["exclusive ", &subject.base.text]);
                if let Some(field) = &subject.field {
                    self.puts(&[".", &field.text]);
                }
                if let Some(index) = index {
                    self.puts(&["[", &index.text, "]"]);
                }
                self.put(" when ");
                self.expression(condition);
                self.put(";");
            }
        }
    }

    fn record(&mut self, name: &Name, fields: &[Variable]) {
        self.puts(&["record ", &name.text, " {"]);
        self.depth += 1;
        for field in fields {
            self.line();
            self.variable(field);
        }
        self.depth -= 1;
        if !fields.is_empty() {
            self.line();
        }
        self.put("}");
    }

    fn function(&mut self, function: &Function) {
        self.ty(&function.result);
        self.puts(&[" ", &function.name.text]);
        self.parameters(&function.parameters);
        self.put(" ");
        self.block(&function.body);
    }

    fn thread(&mut self, thread: &Thread) {
        if thread.daemon {
            self.put("daemon ");
        }
        self.puts(&["thread ", &thread.name.text]);
        if let Some(count) = &thread.count {
            self.put("[");
            self.expression(count);
            self.put("]");
        }
        if thread.replicated {
            self.put("[*]");
        }
        if let Some(parameters) = &thread.parameters {
            self.parameters(parameters);
        }
        self.put(" ");
        self.block(&thread.body);
    }

    fn parameters(&mut self, parameters: &[Parameter]) {
        self.put("(");
        self.list(parameters, |printer, parameter| {
            printer.ty(&parameter.ty);
            printer.puts(&[" ", &parameter.name.text]);
        });
        self.put(")");
    }

    fn variable(&mut self, variable: &Variable) {
        self.ty(&variable.ty);
        self.put(" ");
        self.list(&variable.declarators, Self::declarator);
        self.put(";");
    }

    fn declarator(&mut self, declarator: &Declarator) {
        self.put(&declarator.name.text);
        for dimension in &declarator.dimensions {
            self.put("[");
            self.expression(dimension);
            self.put("]");
        }
        if let Some(initial) = &declarator.initial {
            self.put(" = ");
            self.initial(initial);
        }
        for clause in &declarator.clauses {
            match &clause.kind {
                ClauseKind::Unprotected => self.put(" unprotected"),
                ClauseKind::InitialisedBy(thread) => {
                    self.puts(&[" initialised by ", &thread.text]);
                }
                ClauseKind::ProtectedBy(lock) => {
                    self.put(" protected by ");
                    self.expression(lock);
                }
            }
        }
    }

    fn initial(&mut self, initial: &Initial) {
        match initial {
            Initial::Value(value) => self.expression(value),
            Initial::List(values, _) => {
                self.put("{");
                self.list(values, Self::initial);
                self.put("}");
            }
        }
    }

    fn ty(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Void => self.put("void"),
            TypeKind::Int(None) => self.put("int"),
            TypeKind::Int(Some(bounds)) => {
                self.put("int(");
                self.expression(&bounds.low);
                self.put("..");
                self.expression(&bounds.high);
                self.put(if bounds.wrap { " wrap)" } else { ")" });
            }
            TypeKind::Bool => self.put("bool"),
            TypeKind::Lock => self.put("lock"),
            TypeKind::Semaphore => self.put("semaphore"),
            TypeKind::Channel(element, capacity) => {
                self.put("channel<");
                self.ty(element);
                self.put(">(");
                self.expression(capacity);
                self.put(")");
            }
            TypeKind::Thread => self.put("thread"),
            TypeKind::Named(name) => self.put(&name.text),
        }
    }
}

/// Statements.
impl Printer {
    fn block(&mut self, block: &Block) {
        self.braces(&block.statements);
    }

    fn braces(&mut self, statements: &[Statement]) {
        self.put("{");
        self.indented(statements);
        if !statements.is_empty() {
            self.line();
        }
        self.put("}");
    }

    fn indented(&mut self, statements: &[Statement]) {
        self.depth += 1;
        for statement in statements {
            self.line();
            self.statement(statement);
        }
        self.depth -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        if let Some(label) = &statement.label {
            self.puts(&[&label.text, ": "]);
        }
        match &statement.kind {
            StatementKind::Block(block) => self.block(block),
            StatementKind::Declaration(variable) => self.variable(variable),
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => self.if_statement(condition, then, otherwise.as_deref()),
            StatementKind::While { condition, body } => {
                self.condition("while", condition);
                self.body(body);
            }
            StatementKind::DoWhile { body, condition } => {
                self.put("do");
                self.body(body);
                self.next_to(body);
                self.condition("while", condition);
                self.put(";");
            }
            StatementKind::For {
                first,
                condition,
                next,
                body,
            } => {
                self.for_header(first.as_deref(), condition.as_ref(), next.as_deref());
                self.body(body);
            }
            StatementKind::Synchronized(lock, block) => {
                self.condition("synchronized", lock);
                self.put(" ");
                self.block(block);
            }
            StatementKind::Atomic(block) => {
                self.put("atomic ");
                self.block(block);
            }
            StatementKind::Await { condition, body } => {
                self.condition("await", condition);
                match body {
                    Some(body) => self.body(body),
                    None => self.put(";"),
                }
            }
            StatementKind::Choose(alternatives) => self.choose(alternatives),
            simple => {
                self.simple(simple);
                self.put(";");
            }
        }
    }

    /// A statement on one line, without its semicolon.
    fn simple(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Assign {
                target,
                operator,
                value,
            } => self.assign(target, *operator, value),
            StatementKind::Expression(expression) => self.expression(expression),
            StatementKind::Break => self.put("break"),
            StatementKind::Continue => self.put("continue"),
            StatementKind::Skip => self.put("skip"),
            StatementKind::Unreachable => self.put("unreachable"),
            StatementKind::Return(None) => self.put("return"),
            StatementKind::Return(Some(value)) => {
                self.put("return ");
                self.expression(value);
            }
            StatementKind::Operation(operation, object) => {
                self.call(operation_word(*operation), &[object]);
            }
            StatementKind::Send(channel, value) => self.call("send", &[channel, value]),
            StatementKind::Join(thread) => self.call("join", &[thread]),
            StatementKind::Assume(condition) => self.call("assume", &[condition]),
            StatementKind::Assert(condition, message) => {
                self.put("assert(");
                self.expression(condition);
                if let Some(message) = message {
                    self.puts(&[", ", &quote(message)]);
                }
                self.put(")");
            }
            // Those are printed by `statement`.
            StatementKind::Block(_)
            | StatementKind::Declaration(_)
            | StatementKind::If { .. }
            | StatementKind::While { .. }
            | StatementKind::DoWhile { .. }
            | StatementKind::For { .. }
            | StatementKind::Synchronized(..)
            | StatementKind::Atomic(_)
            | StatementKind::Await { .. }
            | StatementKind::Choose(_) => {}
        }
    }

    fn assign(
        &mut self,
        target: &Expression,
        operator: Option<BinaryOperator>,
        value: &Expression,
    ) {
        self.expression(target);
        let one = value.kind == ExpressionKind::Number(1);
        match operator {
            Some(BinaryOperator::Add) if one => return self.put("++"),
            Some(BinaryOperator::Subtract) if one => return self.put("--"),
            Some(operator) => self.puts(&[" ", operator_sign(operator), "= "]),
            None => self.put(" = "),
        }
        self.expression(value);
    }

    fn if_statement(
        &mut self,
        condition: &Expression,
        then: &Statement,
        otherwise: Option<&Statement>,
    ) {
        self.condition("if", condition);
        let Some(otherwise) = otherwise else {
            return self.body(then);
        };
        if takes_else(then) {
            self.put(" ");
            self.braces(std::slice::from_ref(then));
            self.put(" ");
        } else {
            self.body(then);
            self.next_to(then);
        }
        self.put("else");
        if otherwise.label.is_none() && matches!(otherwise.kind, StatementKind::If { .. }) {
            self.put(" ");
            self.statement(otherwise);
        } else {
            self.body(otherwise);
        }
    }

    fn for_header(
        &mut self,
        first: Option<&Statement>,
        condition: Option<&Expression>,
        next: Option<&Statement>,
    ) {
        self.put("for (");
        match first.map(|first| &first.kind) {
            Some(StatementKind::Declaration(variable)) => self.variable(variable),
            Some(simple) => {
                self.simple(simple);
                self.put(";");
            }
            None => self.put(";"),
        }
        if let Some(condition) = condition {
            self.put(" ");
            self.expression(condition);
        }
        self.put(";");
        if let Some(next) = next {
            self.put(" ");
            self.simple(&next.kind);
        }
        self.put(")");
    }

    /// `choose { ... }`. Its `or` stands out like the `case` of a C program.
    fn choose(&mut self, alternatives: &[Alternative]) {
        self.put("choose {");
        for (position, alternative) in alternatives.iter().enumerate() {
            if position > 0 {
                self.line();
                self.put("or");
            }
            if let Some(guard) = &alternative.guard {
                match position {
                    0 => self.line(),
                    _ => self.put(" "),
                }
                self.condition("when", guard);
            }
            match alternative.statements.is_empty() {
                true => self.put(" ;"),
                false => self.indented(&alternative.statements),
            }
        }
        self.line();
        self.put("}");
    }

    /// The statement of an `if` or a loop: short ones stay on the line.
    fn body(&mut self, body: &Statement) {
        match &body.kind {
            StatementKind::Declaration(_) => {
                self.put(" ");
                self.braces(std::slice::from_ref(body));
            }
            StatementKind::If { .. }
            | StatementKind::While { .. }
            | StatementKind::DoWhile { .. }
            | StatementKind::For { .. }
            | StatementKind::Await { .. } => self.indented(std::slice::from_ref(body)),
            _ => {
                self.put(" ");
                self.statement(body);
            }
        }
    }

    /// Goes to where the word behind a body is put.
    fn next_to(&mut self, body: &Statement) {
        match body.kind {
            StatementKind::Block(_) | StatementKind::Declaration(_) => self.put(" "),
            _ => self.line(),
        }
    }

    fn condition(&mut self, word: &str, condition: &Expression) {
        self.puts(&[word, " ("]);
        self.expression(condition);
        self.put(")");
    }
}

/// Expressions. The levels are those of the binary operators, then two more.
const UNARY: u8 = 11;
const PRIMARY: u8 = 12;

impl Printer {
    fn expression(&mut self, expression: &Expression) {
        self.at_level(expression, 0);
    }

    /// Prints an operand, in parentheses when it binds less than it must.
    fn at_level(&mut self, expression: &Expression, least: u8) {
        if level_of(&expression.kind) < least {
            self.put("(");
            self.bare(expression);
            self.put(")");
        } else {
            self.bare(expression);
        }
    }

    fn bare(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Number(value) => self.put(&value.to_string()),
            ExpressionKind::Bool(true) => self.put("true"),
            ExpressionKind::Bool(false) => self.put("false"),
            ExpressionKind::Null => self.put("null"),
            ExpressionKind::Me => self.put("self"),
            ExpressionKind::Index => self.put("index"),
            ExpressionKind::Name(name) => self.put(name),
            ExpressionKind::Field(base, field) => {
                self.at_level(base, PRIMARY);
                self.puts(&[".", &field.text]);
            }
            ExpressionKind::Element(base, index) => {
                // `new Node[0]` would look like the creation of an array.
                let new = matches!(base.kind, ExpressionKind::New(_));
                self.at_level(base, if new { u8::MAX } else { PRIMARY });
                self.put("[");
                self.expression(index);
                self.put("]");
            }
            ExpressionKind::Unary(operator, operand) => self.unary(*operator, operand),
            ExpressionKind::Binary(operator, left, right) => {
                self.at_level(left, level(*operator));
                self.puts(&[" ", operator_sign(*operator), " "]);
                self.at_level(right, level(*operator) + 1);
            }
            // Words bind in no particular way: what is more than a name or a call is put into
            // parentheses.
            ExpressionKind::Prefix(operator, operand) => {
                self.puts(&[operator.word(), " "]);
                self.at_level(operand, PRIMARY);
            }
            ExpressionKind::Infix(operator, left, right) => {
                self.at_level(left, PRIMARY);
                self.puts(&[" ", operator.words(), " "]);
                self.at_level(right, PRIMARY);
            }
            ExpressionKind::Conditional(condition, yes, no) => {
                self.at_level(condition, 1);
                self.put(" ? ");
                self.expression(yes);
                self.put(" : ");
                self.expression(no);
            }
            ExpressionKind::Quantified(quantifier, name, range, body) => {
                self.puts(&[quantifier.word(), "(", &name.text, " in "]);
                match range {
                    Range::Numbers(first, last) => {
                        self.at_level(first, 1);
                        self.put("..");
                        self.at_level(last, 1);
                    }
                    Range::All(all) => self.at_level(all, 1),
                }
                self.put(": ");
                self.expression(body);
                self.put(")");
            }
            ExpressionKind::Choose(low, high) => {
                self.put("choose(");
                self.expression(low);
                self.put("..");
                self.expression(high);
                self.put(")");
            }
            call => self.operation(call),
        }
    }

    fn operation(&mut self, kind: &ExpressionKind) {
        match kind {
            ExpressionKind::Call(name, arguments) => {
                self.call(&name.text, &arguments.iter().collect::<Vec<_>>());
            }
            ExpressionKind::Spawn(name, arguments) => {
                self.put("spawn ");
                self.call(&name.text, &arguments.iter().collect::<Vec<_>>());
            }
            ExpressionKind::New(name) => self.puts(&["new ", &name.text]),
            ExpressionKind::At(label) => self.puts(&["at(", &label.text, ")"]),
            ExpressionKind::Count(label) => self.puts(&["count(", &label.text, ")"]),
            ExpressionKind::Receive(channel) => self.call("receive", &[channel]),
            ExpressionKind::Holds(lock) => self.call("holds", &[lock]),
            ExpressionKind::Owner(lock) => self.call("owner", &[lock]),
            ExpressionKind::Length(object) => self.call("length", &[object]),
            ExpressionKind::Value(semaphore) => self.call("value", &[semaphore]),
            ExpressionKind::CompareAndSet(target, old, new) => {
                self.call("cas", &[target, old, new]);
            }
            ExpressionKind::FetchAdd(target, amount) => self.call("fetchAdd", &[target, amount]),
            // The others are printed by `bare`.
            _ => {}
        }
    }

    fn unary(&mut self, operator: UnaryOperator, operand: &Expression) {
        let sign = match operator {
            UnaryOperator::Negate => "-",
            UnaryOperator::Not => "!",
            UnaryOperator::Complement => "~",
        };
        self.put(sign);
        // `--x` would be another token.
        let minus = match &operand.kind {
            ExpressionKind::Unary(inner, _) => *inner == UnaryOperator::Negate,
            ExpressionKind::Number(value) => *value < 0,
            _ => false,
        };
        let doubled = minus && operator == UnaryOperator::Negate;
        self.at_level(operand, if doubled { PRIMARY } else { UNARY });
    }

    fn call(&mut self, word: &str, arguments: &[&Expression]) {
        self.puts(&[word, "("]);
        self.list(arguments, |printer, argument| printer.expression(argument));
        self.put(")");
    }
}

/// Text.
impl Printer {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn puts(&mut self, texts: &[&str]) {
        for text in texts {
            self.put(text);
        }
    }

    fn line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.depth {
            self.out.push_str(INDENT);
        }
    }

    fn list<T>(&mut self, elements: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (position, element) in elements.iter().enumerate() {
            if position > 0 {
                self.put(", ");
            }
            print(self, element);
        }
    }
}

/// Whether an `else` printed behind a statement would become part of it.
fn takes_else(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::If {
            otherwise: None, ..
        } => true,
        StatementKind::If {
            otherwise: Some(last),
            ..
        }
        | StatementKind::While { body: last, .. }
        | StatementKind::For { body: last, .. }
        | StatementKind::Await {
            body: Some(last), ..
        } => takes_else(last),
        _ => false,
    }
}

fn level_of(kind: &ExpressionKind) -> u8 {
    match kind {
        ExpressionKind::Conditional(..) => 0,
        ExpressionKind::Binary(operator, ..) => level(*operator),
        ExpressionKind::Unary(..) => UNARY,
        ExpressionKind::Number(value) if *value < 0 => UNARY,
        _ => PRIMARY,
    }
}

fn operation_word(operation: ObjectOperation) -> &'static str {
    match operation {
        ObjectOperation::Acquire => "acquire",
        ObjectOperation::Release => "release",
        ObjectOperation::Wait => "wait",
        ObjectOperation::Notify => "notify",
        ObjectOperation::NotifyAll => "notifyAll",
        ObjectOperation::Up => "up",
        ObjectOperation::Down => "down",
    }
}

fn operator_sign(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
        BinaryOperator::Multiply => "*",
        BinaryOperator::Divide => "/",
        BinaryOperator::Remainder => "%",
        BinaryOperator::Equal => "==",
        BinaryOperator::NotEqual => "!=",
        BinaryOperator::Less => "<",
        BinaryOperator::LessOrEqual => "<=",
        BinaryOperator::Greater => ">",
        BinaryOperator::GreaterOrEqual => ">=",
        BinaryOperator::And => "&&",
        BinaryOperator::Or => "||",
        BinaryOperator::BitAnd => "&",
        BinaryOperator::BitOr => "|",
        BinaryOperator::BitXor => "^",
        BinaryOperator::ShiftLeft => "<<",
        BinaryOperator::ShiftRight => ">>",
    }
}

//! Statements and the bodies of functions and threads.

use super::tree::{
    Alternative, Expression, ExpressionKind, Function, LocalId, LocalInitial, Statement,
    StatementKind,
};
use super::types::{Type, constant_value};
use super::{Body, Checker, Context, MAX_LOCAL_WORDS, ResultType, flow};
use crate::ast::{self, Block, Initial, Item, ObjectOperation, Span, StatementKind as Source};
use raddle_diagnostics::Diagnostic;
use raddle_machine::ir::{BinaryOperator, MAX_ARMS, ValueType};

impl<'a> Checker<'a> {
    /// Checks the code of all functions and threads.
    pub(super) fn bodies(&mut self) {
        let mut function = 0;
        for item in &self.program.items {
            match item {
                Item::Function(declared) => {
                    let body = Body {
                        function,
                        result: self
                            .signatures
                            .get(function)
                            .map(|signature| signature.result)
                            .unwrap_or_default(),
                        ..Body::default()
                    };
                    self.function(body, &declared.name, &declared.parameters, &declared.body);
                }
                Item::Thread(thread) => {
                    let body = Body {
                        function,
                        is_thread: true,
                        numbered: (thread.count.is_some() || thread.replicated)
                            && thread.parameters.is_none(),
                        ..Body::default()
                    };
                    let parameters = thread.parameters.as_deref().unwrap_or_default();
                    self.function(body, &thread.name, parameters, &thread.body);
                }
                _ => continue,
            }
            function += 1;
        }
    }

    fn function(
        &mut self,
        body: Body<'a>,
        name: &'a ast::Name,
        parameters: &'a [ast::Parameter],
        block: &'a Block,
    ) {
        self.body = body;
        self.body.scopes.push(Vec::new());
        let types = match self.signatures.get(self.body.function) {
            Some(signature) => signature.parameters.clone(),
            None => Vec::new(),
        };
        let mut locals = Vec::new();
        for (position, parameter) in parameters.iter().enumerate() {
            let local = match types.get(position) {
                Some(Some(value)) => self.add_local(&parameter.name, *value, Vec::new()),
                _ => None,
            };
            locals.extend(local);
            self.make_visible(&parameter.name, local);
        }
        let statements = self.scoped(&block.statements);
        if let ResultType::Value(_) = self.body.result
            && flow::completes(&statements)
        {
            let end = block.span.end;
            self.report(
                Diagnostic::new(
                    end.saturating_sub(1)..end,
                    format!("`{}` can end without a result", name.text),
                    "expected a `return` before this",
                )
                .related(name.span.clone(), "it must give a value"),
            );
        }
        let body = std::mem::take(&mut self.body);
        self.out.functions.push(Function {
            name: name.text.clone(),
            parameters: locals,
            index: body.index,
            locals: body.locals,
            result: match body.result {
                ResultType::Value(value) => Some(value),
                ResultType::Nothing | ResultType::Error => None,
            },
            body: statements,
            span: block.span.clone(),
        });
    }

    /// Checks statements in a scope of their own.
    fn scoped(&mut self, statements: &'a [ast::Statement]) -> Vec<Statement> {
        self.body.scopes.push(Vec::new());
        let mut checked = Vec::new();
        for statement in statements {
            self.statement(statement, &mut checked);
        }
        self.body.scopes.pop();
        checked
    }

    /// Checks a statement that is the body of another one.
    fn inner(&mut self, statement: &'a ast::Statement) -> Box<Statement> {
        let mut checked = self.scoped(std::slice::from_ref(statement));
        Box::new(match checked.len() {
            1 => checked.remove(0),
            _ => Statement {
                label: None,
                kind: StatementKind::Block(checked),
                span: statement.span.clone(),
            },
        })
    }

    fn statement(&mut self, statement: &'a ast::Statement, out: &mut Vec<Statement>) {
        let label = statement
            .label
            .as_ref()
            .and_then(|label| self.labels.get(label.text.as_str()))
            .map(|site| site.id);
        let first = out.len();
        self.nested(&statement.span, (), |checker| match &statement.kind {
            Source::Declaration(variable) => checker.declaration(variable, &statement.span, out),
            _ => {
                if let Some(kind) = checker.simple(statement) {
                    out.push(Statement {
                        label: None,
                        kind,
                        span: statement.span.clone(),
                    });
                }
            }
        });
        if let (Some(label), Some(statement)) = (label, out.get_mut(first)) {
            statement.label = Some(label);
        }
    }

    /// Checks a statement that is not a declaration.
    fn simple(&mut self, statement: &'a ast::Statement) -> Option<StatementKind> {
        Some(match &statement.kind {
            Source::Block(block) => StatementKind::Block(self.scoped(&block.statements)),
            Source::Declaration(_) => return None,
            Source::Assign {
                target,
                operator,
                value,
            } => return self.assignment(target, *operator, value, &statement.span),
            Source::Expression(expression) => return self.evaluation(expression),
            Source::If { .. } | Source::While { .. } | Source::DoWhile { .. } => {
                self.branching(&statement.kind)?
            }
            Source::For { .. } => self.for_loop(&statement.kind)?,
            Source::Break => self.jump(StatementKind::Break, "break", &statement.span)?,
            Source::Continue => self.jump(StatementKind::Continue, "continue", &statement.span)?,
            Source::Return(value) => return self.returned(value.as_ref(), &statement.span),
            Source::Skip => StatementKind::Skip,
            Source::Operation(operation, object) => {
                return self.operation(*operation, object, &statement.span);
            }
            Source::Send(channel, value) => {
                let location = self.object(channel, "a channel");
                let value = self.expression(value);
                let location = location?;
                let value = self.coerce(value, location.value.into());
                StatementKind::Send(location, value)
            }
            Source::Join(thread) => StatementKind::Join(self.expression_of(thread, Type::Thread)),
            Source::Synchronized(lock, block) => {
                let location = self.object(lock, "a lock");
                let body = self.scoped(&block.statements);
                StatementKind::Synchronized(location?, body)
            }
            Source::Atomic(block) => {
                self.body.atomic += 1;
                let body = self.scoped(&block.statements);
                self.body.atomic -= 1;
                StatementKind::Atomic(body)
            }
            Source::Await { condition, body } => {
                let condition = self.condition(condition, "a condition of `await`");
                self.body.atomic += 1;
                let body = body.as_ref().map(|body| self.inner(body));
                self.body.atomic -= 1;
                StatementKind::Await { condition, body }
            }
            Source::Choose(alternatives) => self.choice(alternatives, &statement.span),
            Source::Assume(condition) => {
                StatementKind::Assume(self.expression_of(condition, Type::Bool))
            }
            Source::Assert(condition, message) => {
                let condition = self.within(Context::Assertion, |checker| {
                    checker.expression_of(condition, Type::Bool)
                });
                StatementKind::Assert(condition, message.clone())
            }
            Source::Unreachable => StatementKind::Unreachable,
        })
    }

    /// A condition that is evaluated again and again, and so must not do anything.
    fn condition(&mut self, condition: &'a ast::Expression, what: &'static str) -> Expression {
        self.within(Context::Condition(what), |checker| {
            checker.expression_of(condition, Type::Bool)
        })
    }

    fn branching(&mut self, kind: &'a Source) -> Option<StatementKind> {
        Some(match kind {
            Source::If {
                condition,
                then,
                otherwise,
            } => StatementKind::If {
                condition: self.expression_of(condition, Type::Bool),
                then: self.inner(then),
                otherwise: otherwise.as_ref().map(|otherwise| self.inner(otherwise)),
            },
            Source::While { condition, body } => StatementKind::While {
                condition: self.expression_of(condition, Type::Bool),
                body: self.repeated(body),
            },
            Source::DoWhile { body, condition } => StatementKind::DoWhile {
                body: self.repeated(body),
                condition: self.expression_of(condition, Type::Bool),
            },
            _ => return None,
        })
    }

    fn for_loop(&mut self, kind: &'a Source) -> Option<StatementKind> {
        let Source::For {
            first,
            condition,
            next,
            body,
        } = kind
        else {
            return None;
        };
        self.body.scopes.push(Vec::new());
        let mut opening = Vec::new();
        if let Some(first) = first {
            self.statement(first, &mut opening);
        }
        let opening = match (opening.len(), first) {
            (0, _) | (_, None) => None,
            (_, Some(first)) => Some(Box::new(Statement {
                label: None,
                kind: StatementKind::Block(opening),
                span: first.span.clone(),
            })),
        };
        let condition = condition
            .as_ref()
            .map(|condition| self.expression_of(condition, Type::Bool));
        let next = next.as_ref().map(|next| self.inner(next));
        let body = self.repeated(body);
        self.body.scopes.pop();
        Some(StatementKind::For {
            first: opening,
            condition,
            next,
            body,
        })
    }

    /// The body of a loop.
    fn repeated(&mut self, body: &'a ast::Statement) -> Box<Statement> {
        self.body.loops += 1;
        let body = self.inner(body);
        self.body.loops -= 1;
        body
    }

    fn choice(&mut self, alternatives: &'a [ast::Alternative], span: &Span) -> StatementKind {
        if alternatives.len() > MAX_ARMS {
            self.report(
                Diagnostic::new(
                    span.clone(),
                    format!("a choice has at most {MAX_ARMS} alternatives"),
                    format!("this one has {}", alternatives.len()),
                )
                .help("choose a number and branch on it"),
            );
        }
        let mut checked = Vec::new();
        for alternative in alternatives {
            let guard = alternative
                .guard
                .as_ref()
                .map(|guard| self.condition(guard, "a guard"));
            let body = self.scoped(&alternative.statements);
            checked.push(Alternative { guard, body });
        }
        StatementKind::Choose(checked)
    }

    fn jump(&mut self, kind: StatementKind, word: &str, span: &Span) -> Option<StatementKind> {
        if self.body.loops > 0 {
            return Some(kind);
        }
        self.report(Diagnostic::new(
            span.clone(),
            format!("`{word}` outside of a loop"),
            "there is no loop around this",
        ));
        None
    }

    fn returned(
        &mut self,
        value: Option<&'a ast::Expression>,
        span: &Span,
    ) -> Option<StatementKind> {
        let checked = value.map(|value| self.expression(value));
        match (self.body.result, checked) {
            (ResultType::Error, _) => None,
            (ResultType::Nothing, None) => Some(StatementKind::Return(None)),
            (ResultType::Value(result), Some(value)) => {
                let value = self.coerce(value, result.into());
                Some(StatementKind::Return(Some(value)))
            }
            (ResultType::Nothing, Some(value)) => {
                let what = match self.body.is_thread {
                    true => "a thread",
                    false => "a function without a result",
                };
                self.report(Diagnostic::new(
                    value.span,
                    format!("{what} cannot return a value"),
                    "remove this",
                ));
                None
            }
            (ResultType::Value(result), None) => {
                let wanted = self.describe(result.into());
                self.report(Diagnostic::new(
                    span.clone(),
                    "this `return` needs a value",
                    format!("expected {wanted}"),
                ));
                Some(StatementKind::Return(None))
            }
        }
    }

    fn operation(
        &mut self,
        operation: ObjectOperation,
        object: &'a ast::Expression,
        span: &Span,
    ) -> Option<StatementKind> {
        let wanted = match operation {
            ObjectOperation::Up | ObjectOperation::Down => "a semaphore",
            _ => "a lock",
        };
        let location = self.object(object, wanted);
        if operation == ObjectOperation::Wait {
            if let Some(waits) = self.calls.waits.get_mut(self.body.function) {
                *waits = true;
            }
            if self.body.atomic > 0 {
                self.report(Diagnostic::new(
                    span.clone(),
                    "`wait` inside of an atomic block",
                    "other threads must run before this can go on",
                ));
            }
        }
        Some(StatementKind::Operation(operation, location?))
    }

    fn evaluation(&mut self, expression: &'a ast::Expression) -> Option<StatementKind> {
        let checked = self.expression(expression);
        if checked.ty == Type::Error {
            return None;
        }
        let does_something = matches!(
            checked.kind,
            ExpressionKind::Call(..)
                | ExpressionKind::Spawn(..)
                | ExpressionKind::New(_)
                | ExpressionKind::Choose(..)
                | ExpressionKind::Receive(_)
                | ExpressionKind::CompareAndSet(..)
                | ExpressionKind::FetchAdd(..)
        );
        if !does_something {
            self.report(Diagnostic::new(
                expression.span.clone(),
                "this statement has no effect",
                "expected an assignment or a call",
            ));
            return None;
        }
        Some(StatementKind::Evaluate(checked))
    }

    fn assignment(
        &mut self,
        target: &'a ast::Expression,
        operator: Option<BinaryOperator>,
        value: &'a ast::Expression,
        span: &Span,
    ) -> Option<StatementKind> {
        let location = self.variable(target, "assign to");
        let value = self.expression(value);
        let target_span = target.span.clone();
        let target = location?;
        let ty = Type::from(target.value);
        let value = match operator {
            None => self.coerce(value, ty),
            Some(operator) => {
                let kind = ExpressionKind::Load(target.clone());
                let current = Expression::new(kind, ty, target_span);
                let combined = self.combine(operator, current, value, span);
                match combined.kind {
                    ExpressionKind::Binary(_, current, value) => {
                        // If the variable has the wrong type, that was reported.
                        if current.ty == Type::Error {
                            return None;
                        }
                        *value
                    }
                    _ => return None,
                }
            }
        };
        Some(StatementKind::Assign {
            target,
            operator,
            value,
        })
    }

    fn declaration(&mut self, variable: &'a ast::Variable, span: &Span, out: &mut Vec<Statement>) {
        let value = self.value_type(&variable.ty, "a local variable");
        for declarator in &variable.declarators {
            if let Some(clause) = declarator.clauses.first() {
                self.report(Diagnostic::new(
                    clause.span.clone(),
                    "a claim about a local variable",
                    "only the thread itself can access it",
                ));
            }
            let dimensions = self.dimensions(declarator, 1, MAX_LOCAL_WORDS);
            let (Some(value), Some(dimensions)) = (value, dimensions) else {
                self.make_visible(&declarator.name, None);
                continue;
            };
            // The initial value is checked first: it cannot use the new variable.
            let initial = self.local_initial(declarator.initial.as_ref(), value, &dimensions);
            let local = self.add_local(&declarator.name, value, dimensions);
            self.make_visible(&declarator.name, local);
            if let (Some(local), Some(initial)) = (local, initial) {
                let start = match variable.declarators.len() {
                    0 | 1 => span.clone(),
                    _ => declarator.name.span.clone(),
                };
                out.push(declared(local, initial, start));
            }
        }
    }

    fn local_initial(
        &mut self,
        initial: Option<&'a Initial>,
        value: ValueType,
        dimensions: &[u32],
    ) -> Option<LocalInitial> {
        let Some(initial) = initial else {
            return Some(LocalInitial::Default);
        };
        let mut values = Vec::new();
        for element in self.elements(initial, dimensions)? {
            let checked = self.expression_of(element, value.into());
            if checked.ty == Type::Int
                && let Some(word) = constant_value(&checked)
            {
                self.in_range(word, value, &element.span)?;
            }
            values.push(checked);
        }
        match initial {
            Initial::List(..) => Some(LocalInitial::List(values)),
            Initial::Value(_) => Some(LocalInitial::Each(values.pop()?)),
        }
    }
}

fn declared(local: LocalId, initial: LocalInitial, span: Span) -> Statement {
    Statement {
        label: None,
        kind: StatementKind::Declare(local, initial),
        span,
    }
}

//! The types of expressions.

use super::names::SymbolKind;
use super::paths::Resolved;
use super::tree::{Expression, ExpressionKind, Local, LocalId, Location, Population};
use super::types::{Declared, Type};
use super::{Checker, Context, ResultType};
use crate::ast::{self, ExpressionKind as Source, InfixOperator, Name, Span, UnaryOperator};
use crate::parser::{OPERATIONS, advice_for_call};
use raddle_diagnostics::{Diagnostic, nearest};
use raddle_machine::ir::{BinaryOperator, FunctionId, ValueType};

impl<'a> Checker<'a> {
    /// Checks an expression. If it has an error, that is reported and the result has
    /// the type of errors.
    pub(super) fn expression(&mut self, expression: &'a ast::Expression) -> Expression {
        let failed = Expression::error(expression.span.clone());
        self.nested(&expression.span, failed, |checker| {
            checker.typed(expression)
        })
    }

    /// Checks an expression of a known type.
    pub(super) fn expression_of(
        &mut self,
        expression: &'a ast::Expression,
        ty: Type,
    ) -> Expression {
        let checked = self.expression(expression);
        self.coerce(checked, ty)
    }

    fn typed(&mut self, expression: &'a ast::Expression) -> Expression {
        let span = &expression.span;
        match &expression.kind {
            Source::Number(value) => self.number(*value, span),
            Source::Bool(value) => {
                Expression::constant(i32::from(*value), Type::Bool, span.clone())
            }
            Source::Null => Expression::new(ExpressionKind::Null, Type::Null, span.clone()),
            Source::Me => self.me(span),
            Source::Index => self.index(span),
            Source::Name(_) | Source::Field(..) | Source::Element(..) => self.load(expression),
            Source::Unary(operator, inner) => self.unary(*operator, inner, span),
            Source::Binary(..) => self.binary(expression),
            Source::Infix(InfixOperator::Implies, first, second) => {
                self.implication(first, second, span)
            }
            Source::Prefix(..) | Source::Infix(..) => self.misplaced_time(expression),
            Source::Conditional(condition, then, otherwise) => {
                let condition = self.expression_of(condition, Type::Bool);
                let then = self.expression(then);
                let otherwise = self.expression(otherwise);
                let (then, otherwise) = self.unify(then, otherwise);
                let ty = common(&then, &otherwise);
                let kind = ExpressionKind::Conditional(
                    Box::new(condition),
                    Box::new(then),
                    Box::new(otherwise),
                );
                Expression::new(kind, ty, span.clone())
            }
            Source::Length(object) => self.length(object, span),
            Source::Holds(lock) => self.holds(lock, span),
            Source::Owner(lock) => {
                self.observed(lock, "a lock", ExpressionKind::Owner, Type::Thread, span)
            }
            Source::Value(semaphore) => self.observed(
                semaphore,
                "a semaphore",
                ExpressionKind::SemaphoreValue,
                Type::Int,
                span,
            ),
            Source::At(label) => self.at(label, span),
            Source::Count(label) => self.count(label, span),
            Source::Quantified(quantifier, name, range, body) => {
                self.quantified(*quantifier, (name, range), body, span)
            }
            _ => self.effect(expression),
        }
    }

    fn number(&mut self, value: i64, span: &Span) -> Expression {
        match i32::try_from(value) {
            Ok(word) => Expression::constant(word, Type::Int, span.clone()),
            Err(_) => {
                self.report(Diagnostic::new(
                    span.clone(),
                    "this number does not fit into 32 bits",
                    "the greatest is 2147483647",
                ));
                Expression::error(span.clone())
            }
        }
    }

    fn me(&mut self, span: &Span) -> Expression {
        let problem = match self.context {
            Context::Constant => "a constant cannot use `self`",
            Context::Predicate("an invariant") => "an invariant cannot use `self`",
            Context::Predicate(_) => "a property cannot use `self`",
            _ => return Expression::new(ExpressionKind::Me, Type::Thread, span.clone()),
        };
        self.report(Diagnostic::new(
            span.clone(),
            problem,
            "no thread evaluates this",
        ));
        Expression::error(span.clone())
    }

    fn index(&mut self, span: &Span) -> Expression {
        if let Context::Claim(..) = self.context {
            return self.index_in_claim(span);
        }
        let in_code = matches!(
            self.context,
            Context::Code | Context::Assertion | Context::Condition(_)
        );
        if in_code && self.body.numbered {
            let id = match self.body.index {
                Some(id) => id,
                None => {
                    self.body.locals.push(Local {
                        name: "index".to_owned(),
                        value: ValueType::Int,
                        dimensions: Vec::new(),
                    });
                    LocalId(self.body.locals.len() - 1)
                }
            };
            self.body.index = Some(id);
            let location = Location {
                storage: super::tree::Storage::Local(id),
                object: None,
                indices: Vec::new(),
                dimensions: Vec::new(),
                value: ValueType::Int,
            };
            return Expression::new(ExpressionKind::Load(location), Type::Int, span.clone());
        }
        let error = if in_code && self.body.is_thread {
            Diagnostic::new(
                span.clone(),
                "this thread has no `index`",
                "only threads declared with a count have one",
            )
            .help("declare it with a count, as in `thread worker[3]`")
        } else if in_code {
            Diagnostic::new(
                span.clone(),
                "a function has no `index`",
                "only threads declared with a count have one",
            )
            .help("pass it to the function as an argument")
        } else {
            Diagnostic::new(
                span.clone(),
                "`index` cannot be used here",
                "it has a meaning in the code of a thread only",
            )
        };
        self.report(error);
        Expression::error(span.clone())
    }

    /// The index of whichever thread it is, from its number; -1 if it has none.
    fn index_in_claim(&self, span: &Span) -> Expression {
        let constant = |value| Expression::constant(value, Type::Int, span.clone());
        let operate = |operator, first: i32| {
            let me = Expression::new(ExpressionKind::Me, Type::Int, span.clone());
            let kind = ExpressionKind::Binary(operator, Box::new(me), Box::new(constant(first)));
            Expression::new(kind, Type::Int, span.clone())
        };
        let mut result = constant(-1);
        let mut first = 0;
        for population in &self.out.populations {
            let count = match population {
                Population::Spawned => 0,
                Population::One | Population::Any => 1,
                Population::Numbered(count) => *count as i32,
            };
            if let Population::Numbered(_) | Population::Any = population {
                let begins = operate(BinaryOperator::GreaterOrEqual, first);
                let ends = operate(BinaryOperator::Less, first + count);
                let both =
                    ExpressionKind::Binary(BinaryOperator::And, Box::new(begins), Box::new(ends));
                let kind = ExpressionKind::Conditional(
                    Box::new(Expression::new(both, Type::Bool, span.clone())),
                    Box::new(operate(BinaryOperator::Subtract, first)),
                    Box::new(result),
                );
                result = Expression::new(kind, Type::Int, span.clone());
            }
            first += count;
        }
        result
    }

    fn load(&mut self, expression: &'a ast::Expression) -> Expression {
        match self.resolve(expression) {
            Resolved::Error => Expression::error(expression.span.clone()),
            Resolved::Value(value) => value,
            Resolved::Place(location, declared) => {
                if !self.is_value(&location, declared, &expression.span) {
                    return Expression::error(expression.span.clone());
                }
                let ty = location.value.into();
                Expression::new(ExpressionKind::Load(location), ty, expression.span.clone())
            }
        }
    }

    fn unary(
        &mut self,
        operator: UnaryOperator,
        inner: &'a ast::Expression,
        span: &Span,
    ) -> Expression {
        // The least number has no positive counterpart, so it is read with its sign.
        if let (UnaryOperator::Negate, Source::Number(value)) = (operator, &inner.kind)
            && let Ok(word) = i32::try_from(-*value)
        {
            return Expression::constant(word, Type::Int, span.clone());
        }
        let ty = match operator {
            UnaryOperator::Negate | UnaryOperator::Complement => Type::Int,
            UnaryOperator::Not => Type::Bool,
        };
        let inner = self.expression_of(inner, ty);
        let kind = ExpressionKind::Unary(operator, Box::new(inner));
        Expression::new(kind, ty, span.clone())
    }

    /// A chain such as `a + b + c` leans to the left; it is walked without recursion,
    /// since it may be long without being complicated.
    fn binary(&mut self, expression: &'a ast::Expression) -> Expression {
        let mut first = expression;
        let mut chain = Vec::new();
        while let Source::Binary(operator, left, right) = &first.kind {
            chain.push((*operator, right, &first.span));
            first = left;
        }
        let mut value = self.expression(first);
        while let Some((operator, right, span)) = chain.pop() {
            let right = self.expression(right);
            value = self.combine(operator, value, right, span);
        }
        value
    }

    /// The types of an operation on two values.
    pub(super) fn combine(
        &mut self,
        operator: BinaryOperator,
        left: Expression,
        right: Expression,
        span: &Span,
    ) -> Expression {
        use BinaryOperator as B;
        let (left, right, ty) = match operator {
            B::Equal | B::NotEqual => {
                let (left, right) = self.unify(left, right);
                (left, right, Type::Bool)
            }
            B::And | B::Or => (
                self.coerce(left, Type::Bool),
                self.coerce(right, Type::Bool),
                Type::Bool,
            ),
            B::BitAnd | B::BitOr | B::BitXor if left.ty == Type::Bool => {
                (left, self.coerce(right, Type::Bool), Type::Bool)
            }
            B::Less | B::LessOrEqual | B::Greater | B::GreaterOrEqual => (
                self.coerce(left, Type::Int),
                self.coerce(right, Type::Int),
                Type::Bool,
            ),
            _ => (
                self.coerce(left, Type::Int),
                self.coerce(right, Type::Int),
                Type::Int,
            ),
        };
        let kind = ExpressionKind::Binary(operator, Box::new(left), Box::new(right));
        Expression::new(kind, ty, span.clone())
    }

    fn length(&mut self, object: &'a ast::Expression, span: &Span) -> Expression {
        match self.resolve(object) {
            Resolved::Place(location, _) if location.indices.len() < location.dimensions.len() => {
                if let super::tree::Storage::Shared(region) = location.storage
                    && self.per_thread(region)
                {
                    let kind = ExpressionKind::Elements(region);
                    return Expression::new(kind, Type::Int, span.clone());
                }
                let size = location.dimensions.get(location.indices.len());
                let size = size.copied().unwrap_or(0);
                Expression::constant(size as i32, Type::Int, span.clone())
            }
            Resolved::Place(location, Declared::Channel(..)) => Expression::new(
                ExpressionKind::ChannelLength(location),
                Type::Int,
                span.clone(),
            ),
            Resolved::Error
            | Resolved::Value(Expression {
                ty: Type::Error, ..
            }) => Expression::error(span.clone()),
            Resolved::Place(..) | Resolved::Value(_) => {
                self.report(Diagnostic::new(
                    object.span.clone(),
                    "this has no length",
                    "expected an array or a channel",
                ));
                Expression::error(span.clone())
            }
        }
    }

    fn holds(&mut self, lock: &'a ast::Expression, span: &Span) -> Expression {
        let owner = self.observed(lock, "a lock", ExpressionKind::Owner, Type::Thread, span);
        let me = self.me(span);
        let kind = ExpressionKind::Binary(BinaryOperator::Equal, Box::new(owner), Box::new(me));
        Expression::new(kind, Type::Bool, span.clone())
    }

    /// An expression that observes a synchronisation object.
    fn observed(
        &mut self,
        object: &'a ast::Expression,
        wanted: &str,
        kind: fn(Location) -> ExpressionKind,
        ty: Type,
        span: &Span,
    ) -> Expression {
        match self.object(object, wanted) {
            Some(location) => Expression::new(kind(location), ty, span.clone()),
            None => Expression::error(span.clone()),
        }
    }

    fn at(&mut self, label: &'a Name, span: &Span) -> Expression {
        match self.context {
            Context::Assertion | Context::Claim(..) => match self.label(label) {
                Some(id) => Expression::new(ExpressionKind::At(id), Type::Bool, span.clone()),
                None => Expression::error(span.clone()),
            },
            Context::Predicate(what) => {
                let error = Diagnostic::new(
                    span.clone(),
                    format!("{what} cannot use `at`"),
                    "it is not about one thread",
                );
                self.report(error.help("`count(label)` tells how many threads stand there"));
                Expression::error(span.clone())
            }
            _ => {
                self.misplaced("at", span);
                Expression::error(span.clone())
            }
        }
    }

    fn count(&mut self, label: &'a Name, span: &Span) -> Expression {
        match self.context {
            Context::Claim(..) | Context::Predicate(_) => match self.label(label) {
                Some(id) => Expression::new(ExpressionKind::Count(id), Type::Int, span.clone()),
                None => Expression::error(span.clone()),
            },
            // Where others stand is no object that a step could be said to read.
            Context::Assertion => {
                let error = Diagnostic::new(
                    span.clone(),
                    "an assertion cannot use `count`",
                    "where other threads stand is nothing that a thread can see",
                );
                self.report(error.help("state it as an `invariant`"));
                Expression::error(span.clone())
            }
            _ => {
                self.misplaced("count", span);
                Expression::error(span.clone())
            }
        }
    }

    fn misplaced(&mut self, what: &str, span: &Span) {
        self.report(Diagnostic::new(
            span.clone(),
            format!("`{what}` cannot be used here"),
            "a program cannot depend on where its threads stand; only invariants and `exclusive` can ask, and an assertion about its own thread",
        ));
    }

    /// An expression that does something.
    fn effect(&mut self, expression: &'a ast::Expression) -> Expression {
        let span = &expression.span;
        if let Source::Call(name, arguments) = &expression.kind
            && let Context::Condition(place) | Context::Predicate(place) = self.context
        {
            return self.inlined(name, arguments, span, place);
        }
        if !self.effects_allowed(expression) {
            return Expression::error(span.clone());
        }
        match &expression.kind {
            Source::Call(name, arguments) => self.call(name, arguments, span),
            Source::Spawn(name, arguments) => self.spawn(name, arguments, span),
            Source::New(name) => self.new_record(name, span),
            Source::Choose(low, high) => {
                let low = Box::new(self.expression_of(low, Type::Int));
                let high = Box::new(self.expression_of(high, Type::Int));
                Expression::new(ExpressionKind::Choose(low, high), Type::Int, span.clone())
            }
            Source::Receive(channel) => match self.object(channel, "a channel") {
                Some(location) => {
                    let ty = location.value.into();
                    Expression::new(ExpressionKind::Receive(location), ty, span.clone())
                }
                None => Expression::error(span.clone()),
            },
            Source::CompareAndSet(variable, expected, value) => {
                let location = self.shared_only(variable, "cas");
                let expected = self.expression(expected);
                let value = self.expression(value);
                let Some(location) = location else {
                    return Expression::error(span.clone());
                };
                let ty = location.value.into();
                let expected = Box::new(self.coerce(expected, ty));
                let value = Box::new(self.coerce(value, ty));
                let kind = ExpressionKind::CompareAndSet(location, expected, value);
                Expression::new(kind, Type::Bool, span.clone())
            }
            Source::FetchAdd(variable, value) => self.fetch_add(variable, value, span),
            _ => Expression::error(span.clone()),
        }
    }

    fn effects_allowed(&mut self, expression: &ast::Expression) -> bool {
        let place = match self.context {
            Context::Code | Context::Assertion => return true,
            Context::Constant => "a constant expression",
            Context::Condition(what) => what,
            Context::Predicate(what) => what,
            Context::Claim(..) => "a claim",
        };
        let what = match &expression.kind {
            Source::Call(..) => "call functions",
            Source::Spawn(..) => "start threads",
            Source::New(_) => "create records",
            Source::Choose(..) => "choose",
            Source::Receive(_) => "receive",
            _ => "change variables",
        };
        let help = match (&expression.kind, self.context) {
            (Source::Choose(..), Context::Constant) => {
                "let a thread choose the value, and the others wait for that: \
                 `x = choose(0..1); ready = true;` and `await (ready);`"
            }
            (Source::New(_), Context::Constant) => {
                "shared variables can begin with `new`; for others, assign it in a thread"
            }
            _ => "",
        };
        let mut error = Diagnostic::new(
            expression.span.clone(),
            format!("{place} cannot {what}"),
            "only expressions without effects can stand here",
        );
        if !help.is_empty() {
            error = error.help(help);
        }
        self.report(error);
        false
    }

    fn fetch_add(
        &mut self,
        variable: &'a ast::Expression,
        value: &'a ast::Expression,
        span: &Span,
    ) -> Expression {
        let location = self.shared_only(variable, "fetchAdd");
        let value = self.expression_of(value, Type::Int);
        let Some(location) = location else {
            return Expression::error(span.clone());
        };
        let ty = Type::from(location.value);
        if ty != Type::Int {
            let found = self.describe(ty);
            self.report(Diagnostic::new(
                variable.span.clone(),
                format!("expected `int`, found {found}"),
                "`fetchAdd` needs a number",
            ));
            return Expression::error(span.clone());
        }
        let kind = ExpressionKind::FetchAdd(location, Box::new(value));
        Expression::new(kind, Type::Int, span.clone())
    }

    /// A shared variable: only there an atomic update makes a difference.
    fn shared_only(&mut self, variable: &'a ast::Expression, what: &str) -> Option<Location> {
        let location = self.variable(variable, "update")?;
        if location.is_shared() {
            return Some(location);
        }
        self.report(
            Diagnostic::new(
                variable.span.clone(),
                format!("`{what}` needs a shared variable"),
                "this is local to a thread",
            )
            .help("no other thread can interfere; use an assignment"),
        );
        None
    }

    pub(super) fn call(
        &mut self,
        name: &'a Name,
        arguments: &'a [ast::Expression],
        span: &Span,
    ) -> Expression {
        let Some(SymbolKind::Function(id)) = self.used(name) else {
            // What was meant may take arguments that a function cannot have.
            if !self.not_a_function(name) {
                for argument in arguments {
                    self.expression(argument);
                }
            }
            return Expression::error(span.clone());
        };
        let Some(arguments) = self.arguments(id, name, arguments) else {
            return Expression::error(span.clone());
        };
        let caller = FunctionId(self.body.function as u16);
        self.calls.edges.push((caller, id));
        if self.body.atomic > 0 {
            self.calls.in_atomic.push((id, name.span.clone()));
        }
        let result = self.signatures.get(id.0 as usize).map(|s| s.result);
        let ty = match result {
            Some(ResultType::Value(value)) => value.into(),
            Some(ResultType::Nothing) => Type::Void,
            Some(ResultType::Error) | None => return Expression::error(span.clone()),
        };
        Expression::new(ExpressionKind::Call(id, arguments), ty, span.clone())
    }

    /// Reports the call of something else. Tells whether an operation was meant.
    fn not_a_function(&mut self, name: &'a Name) -> bool {
        match self.symbol(&name.text) {
            Some(kind) => {
                let what = kind.describe();
                let error = Diagnostic::new(
                    name.span.clone(),
                    format!("`{}` is {what}, not a function", name.text),
                    "only functions can be called",
                );
                self.report(match kind {
                    SymbolKind::Thread(..) => {
                        error.help(format!("start it with `spawn {}(...)`", name.text))
                    }
                    _ => error,
                });
                false
            }
            None => {
                let known = self.names_where(|kind| matches!(kind, SymbolKind::Function(_)));
                let error = Diagnostic::new(
                    name.span.clone(),
                    format!("unknown function `{}`", name.text),
                    "not declared in this program",
                );
                if let Some(help) = advice_for_call(&name.text) {
                    self.report(error.help(help));
                    return true;
                }
                let near = nearest(&name.text, known.into_iter().chain(OPERATIONS));
                let operation = near.is_some_and(|near| OPERATIONS.contains(&near));
                self.report(match near {
                    Some(near) => error.help(format!("did you mean `{near}`?")),
                    None => error,
                });
                operation
            }
        }
    }

    /// The arguments of a call or a spawn, with the types of the parameters.
    pub(super) fn arguments(
        &mut self,
        id: FunctionId,
        name: &Name,
        arguments: &'a [ast::Expression],
    ) -> Option<Vec<Expression>> {
        let signature = self.signatures.get(id.0 as usize)?.clone();
        let mut checked = Vec::new();
        for (position, argument) in arguments.iter().enumerate() {
            let argument = self.expression(argument);
            checked.push(match signature.parameters.get(position) {
                Some(Some(value)) => self.coerce(argument, (*value).into()),
                _ => argument,
            });
        }
        let (wanted, given) = (signature.parameters.len(), arguments.len());
        if wanted == given {
            return Some(checked);
        }
        let plural = if wanted == 1 { "" } else { "s" };
        let error = Diagnostic::new(
            name.span.clone(),
            format!(
                "`{}` takes {wanted} argument{plural}, but {given} given",
                name.text
            ),
            "the number of arguments is wrong",
        );
        self.report(error.related(
            signature.span,
            format!("`{}` is declared here", signature.name),
        ));
        None
    }

    fn spawn(
        &mut self,
        name: &'a Name,
        arguments: &'a [ast::Expression],
        span: &Span,
    ) -> Expression {
        let Some(SymbolKind::Thread(declaration, function)) = self.used(name) else {
            let known = self.names_where(|kind| matches!(kind, SymbolKind::Thread(..)));
            let error = match self.symbol(&name.text) {
                Some(kind) => Diagnostic::new(
                    name.span.clone(),
                    format!(
                        "`{}` is {}, not a kind of thread",
                        name.text,
                        kind.describe()
                    ),
                    "only threads can be started",
                ),
                None => Diagnostic::new(
                    name.span.clone(),
                    format!("unknown thread `{}`", name.text),
                    "not declared in this program",
                ),
            };
            self.report_unknown(error, &name.text, known);
            return Expression::error(span.clone());
        };
        let signature = self.signatures.get(function.0 as usize).cloned();
        if let Some(signature) = signature
            && !signature.spawned
        {
            let error = Diagnostic::new(
                name.span.clone(),
                format!("`{}` cannot be started with `spawn`", name.text),
                "its threads exist from the start",
            );
            self.report(
                error
                    .related(signature.span, "declared without parentheses here")
                    .help(format!("declare it as `thread {}()`", name.text)),
            );
            return Expression::error(span.clone());
        }
        match self.arguments(function, name, arguments) {
            Some(arguments) => Expression::new(
                ExpressionKind::Spawn(declaration, arguments),
                Type::Thread,
                span.clone(),
            ),
            None => Expression::error(span.clone()),
        }
    }

    fn new_record(&mut self, name: &'a Name, span: &Span) -> Expression {
        if let Some(SymbolKind::Record(id)) = self.used(name) {
            return Expression::new(ExpressionKind::New(id), Type::Reference(id), span.clone());
        }
        let known = self.names_where(|kind| matches!(kind, SymbolKind::Record(_)));
        let error = Diagnostic::new(
            name.span.clone(),
            format!("unknown record `{}`", name.text),
            "expected the name of a record",
        );
        self.report_unknown(error, &name.text, known);
        Expression::error(span.clone())
    }
}

/// The type of two values that were unified.
fn common(left: &Expression, right: &Expression) -> Type {
    match (left.ty, right.ty) {
        (Type::Error, _) | (_, Type::Error) => Type::Error,
        (ty, _) => ty,
    }
}

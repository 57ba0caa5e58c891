//! Paths: names, fields and elements, which denote variables, synchronisation
//! objects, constants or members of enumerations.

use super::names::SymbolKind;
use super::tree::{Expression, ExpressionKind, Location, Storage};
use super::types::{Declared, Type};
use super::{Checker, Context};
use crate::ast::{self, Name, Span};
use raddle_diagnostics::Diagnostic;
use raddle_machine::ir::{EnumId, ValueType};
use raddle_model::Region;

/// What a path denotes.
pub(super) enum Resolved {
    /// Something with an error, which was reported.
    Error,
    /// A place in memory, perhaps a whole array.
    Place(Location, Declared),
    /// A value that is not in memory.
    Value(Expression),
}

impl<'a> Checker<'a> {
    /// What an expression denotes, if it is a path; otherwise its value.
    pub(super) fn resolve(&mut self, expression: &'a ast::Expression) -> Resolved {
        let span = &expression.span;
        match &expression.kind {
            ast::ExpressionKind::Name(name) => self.resolve_name(name, span),
            ast::ExpressionKind::Field(base, field) => self.resolve_field(base, field, span),
            ast::ExpressionKind::Element(base, index) => self.resolve_element(base, index),
            _ => Resolved::Value(self.expression(expression)),
        }
    }

    fn resolve_name(&mut self, name: &'a str, span: &Span) -> Resolved {
        if let Some(bound) = self.bound(name, span) {
            return bound;
        }
        if let Some(local) = self.used_local(name, span) {
            let Some(id) = local else {
                return Resolved::Error;
            };
            return match self.body.locals.get(id.0) {
                Some(local) => {
                    let (value, dimensions) = (local.value, local.dimensions.clone());
                    place(Storage::Local(id), None, value, dimensions)
                }
                None => Resolved::Error,
            };
        }
        if let Context::Claim(record, index) = self.context {
            if index == Some(name) {
                let accessed = Expression::new(ExpressionKind::Accessed, Type::Int, span.clone());
                return Resolved::Value(accessed);
            }
            if let Some(id) = record
                && let Some(field) = self.used_field(id, name, span)
            {
                let accessed =
                    Expression::new(ExpressionKind::Accessed, Type::Reference(id), span.clone());
                return match field {
                    Some(region) => self.shared(region, Some(accessed)),
                    None => Resolved::Error,
                };
            }
        }
        match self.used_at(name, span) {
            Some(kind) => self.resolve_symbol(name, kind, span),
            None => self.resolve_member(name, span),
        }
    }

    fn resolve_symbol(&mut self, name: &'a str, kind: SymbolKind, span: &Span) -> Resolved {
        match kind {
            SymbolKind::Broken => Resolved::Error,
            SymbolKind::Constant(ty, value) => {
                Resolved::Value(Expression::constant(value, ty, span.clone()))
            }
            SymbolKind::Later { constant: true } => {
                let declared = self.names.get(name).map(|symbol| symbol.span.clone());
                let error = Diagnostic::new(
                    span.clone(),
                    format!("the constant `{name}` is used before its declaration"),
                    "not known yet",
                );
                self.report(match declared {
                    Some(declared) => error.related(declared, "declared here"),
                    None => error,
                });
                Resolved::Error
            }
            SymbolKind::Later { constant: false }
            | SymbolKind::Shared(_)
            | SymbolKind::ThreadLocal(_)
                if self.context == Context::Constant =>
            {
                self.report(Diagnostic::new(
                    span.clone(),
                    format!("`{name}` is a variable, not a constant"),
                    "this is not known before the program runs",
                ));
                Resolved::Error
            }
            SymbolKind::Later { constant: false } => Resolved::Error,
            SymbolKind::Shared(region) => self.shared(region, None),
            SymbolKind::ThreadLocal(position) => self.thread_local(name, position, span),
            SymbolKind::Function(_)
            | SymbolKind::Thread(..)
            | SymbolKind::Enum(_)
            | SymbolKind::Record(_) => {
                // A member may share its name with a thread or a function.
                if self.members.contains_key(name) {
                    return self.resolve_member(name, span);
                }
                let what = kind.describe();
                let error = Diagnostic::new(
                    span.clone(),
                    format!("`{name}` is {what}, not a value"),
                    "expected a variable, a constant or a member of an enumeration",
                );
                self.report(match kind {
                    SymbolKind::Function(_) => error.help(format!("call it: `{name}(...)`")),
                    SymbolKind::Enum(_) => error.help(format!("name a member: `{name}.Member`")),
                    SymbolKind::Record(_) => error.help(format!("create one: `new {name}`")),
                    _ => error,
                });
                Resolved::Error
            }
        }
    }

    fn thread_local(&mut self, name: &str, position: usize, span: &Span) -> Resolved {
        if let Context::Predicate(what) = self.context {
            self.report(Diagnostic::new(
                span.clone(),
                format!("{what} cannot use `{name}`"),
                format!("each thread has its own; {what} is about the shared state"),
            ));
            return Resolved::Error;
        }
        match self.thread_variables.get(position) {
            Some(variable) => place(
                Storage::ThreadLocal(variable.base),
                None,
                variable.value,
                variable.dimensions.clone(),
            ),
            None => Resolved::Error,
        }
    }

    fn shared(&self, region: Region, object: Option<Expression>) -> Resolved {
        let index = region.0 as usize;
        match (self.out.regions.get(index), self.declared.get(index)) {
            (Some(info), Some(declared)) => Resolved::Place(
                Location {
                    storage: Storage::Shared(region),
                    object: object.map(Box::new),
                    indices: Vec::new(),
                    dimensions: info.dimensions.clone(),
                    value: info.value,
                },
                *declared,
            ),
            _ => Resolved::Error,
        }
    }

    fn resolve_member(&mut self, name: &'a str, span: &Span) -> Resolved {
        let members = self
            .members
            .get(name)
            .map(Vec::as_slice)
            .unwrap_or_default();
        match members {
            [] => {
                self.unknown_name(name, span);
                Resolved::Error
            }
            [member] => {
                self.uses.push((span.clone(), member.span.clone()));
                Resolved::Value(Expression::constant(
                    member.number,
                    Type::Enum(member.enumeration),
                    span.clone(),
                ))
            }
            [first, second, ..] => {
                let (one, other) = (first.enumeration, second.enumeration);
                let one = self.enumeration_name(one);
                let other = self.enumeration_name(other);
                self.report(
                    Diagnostic::new(
                        span.clone(),
                        format!("`{name}` is a member of several enumerations"),
                        "it is not clear which is meant",
                    )
                    .help(format!("write `{one}.{name}` or `{other}.{name}`")),
                );
                Resolved::Error
            }
        }
    }

    fn enumeration_name(&self, id: EnumId) -> String {
        match self.out.enums.get(id.0 as usize) {
            Some(enumeration) => enumeration.name.clone(),
            None => String::new(),
        }
    }

    fn unknown_name(&mut self, name: &'a str, span: &Span) {
        let mut known: Vec<&'a str> = self.names_where(SymbolKind::is_value);
        known.extend(self.body.visible_names());
        known.extend(self.members.keys().copied());
        if let Context::Predicate(what) = self.context
            && self.locals_anywhere.contains(name)
        {
            let error = Diagnostic::new(
                span.clone(),
                format!("a local variable of a thread cannot be used in {what}"),
                format!("`{name}` is local"),
            );
            self.report(error.help("declare it outside of the threads to share it"));
            return;
        }
        let error = Diagnostic::new(
            span.clone(),
            format!("unknown name `{name}`"),
            "not declared here",
        );
        self.report_unknown(error, name, known);
    }

    fn resolve_field(
        &mut self,
        base: &'a ast::Expression,
        field: &'a Name,
        span: &Span,
    ) -> Resolved {
        if let ast::ExpressionKind::Name(name) = &base.kind
            && self.local(name).is_none()
            && let Some(SymbolKind::Enum(id)) = self.symbol(name)
        {
            self.used_at(name, &base.span);
            return self.member_of(id, field, span);
        }
        let object = self.expression(base);
        match object.ty {
            Type::Error => Resolved::Error,
            Type::Reference(id) => match self.used_field(id, &field.text, &field.span) {
                Some(Some(region)) => self.shared(region, Some(object)),
                Some(None) => Resolved::Error,
                None => {
                    let record = self.describe(Type::Reference(id));
                    let error = Diagnostic::new(
                        field.span.clone(),
                        format!("the record {record} has no field `{}`", field.text),
                        "unknown field",
                    );
                    let known: Vec<&str> = self
                        .fields
                        .get(id.0 as usize)
                        .map(|fields| fields.keys().copied().collect())
                        .unwrap_or_default();
                    self.report_unknown(error, &field.text, known);
                    Resolved::Error
                }
            },
            other => {
                let found = self.describe(other);
                self.report(Diagnostic::new(
                    base.span.clone(),
                    format!("{found} has no fields"),
                    "expected a reference to a record",
                ));
                Resolved::Error
            }
        }
    }

    fn member_of(&mut self, id: EnumId, member: &'a Name, span: &Span) -> Resolved {
        let known = self
            .members
            .get(member.text.as_str())
            .and_then(|known| known.iter().find(|m| m.enumeration == id));
        if let Some(known) = known {
            let number = known.number;
            self.uses.push((member.span.clone(), known.span.clone()));
            let constant = Expression::constant(number, Type::Enum(id), span.clone());
            return Resolved::Value(constant);
        }
        let enumeration = self.enumeration_name(id);
        let error = Diagnostic::new(
            member.span.clone(),
            format!(
                "the enumeration `{enumeration}` has no member `{}`",
                member.text
            ),
            "unknown member",
        );
        let known = self.out.enums.get(id.0 as usize);
        let known: Vec<String> = known.map(|e| e.members.clone()).unwrap_or_default();
        self.report_unknown(error, &member.text, known.iter().map(String::as_str));
        Resolved::Error
    }

    fn resolve_element(
        &mut self,
        base: &'a ast::Expression,
        index: &'a ast::Expression,
    ) -> Resolved {
        let resolved = self.nested(&base.span, Resolved::Error, |c| c.resolve(base));
        let position = self.expression(index);
        let position = self.coerce(position, Type::Int);
        match resolved {
            Resolved::Error => Resolved::Error,
            Resolved::Place(mut location, declared)
                if location.indices.len() < location.dimensions.len() =>
            {
                location.indices.push(position);
                Resolved::Place(location, declared)
            }
            Resolved::Value(Expression {
                ty: Type::Error, ..
            }) => Resolved::Error,
            Resolved::Place(location, _) if !location.indices.is_empty() => {
                self.report(Diagnostic::new(
                    index.span.clone(),
                    "too many indices",
                    format!("this array has {} dimensions", location.dimensions.len()),
                ));
                Resolved::Error
            }
            Resolved::Place(..) | Resolved::Value(_) => {
                self.report(Diagnostic::new(
                    base.span.clone(),
                    "this is not an array",
                    "it cannot have an index",
                ));
                Resolved::Error
            }
        }
    }

    /// The variable that an expression denotes, for assignments and atomic updates.
    pub(super) fn variable(
        &mut self,
        expression: &'a ast::Expression,
        action: &str,
    ) -> Option<Location> {
        match self.resolve(expression) {
            Resolved::Error => None,
            Resolved::Place(location, declared) => self
                .is_value(&location, declared, &expression.span)
                .then_some(location),
            Resolved::Value(value) if value.ty == Type::Error => None,
            Resolved::Value(value) => {
                let what = match (&value.kind, &expression.kind) {
                    (_, ast::ExpressionKind::Me | ast::ExpressionKind::Index) => "a fixed value",
                    (ExpressionKind::Constant(_), _) => "a constant",
                    (ExpressionKind::Accessed, _) => "a fixed value",
                    _ => "a computed value",
                };
                self.report(Diagnostic::new(
                    expression.span.clone(),
                    format!("cannot {action} {what}"),
                    "expected a variable, a field or an element",
                ));
                None
            }
        }
    }

    /// Reports whole arrays and synchronisation objects where a value is needed.
    pub(super) fn is_value(
        &mut self,
        location: &Location,
        declared: Declared,
        span: &Span,
    ) -> bool {
        if location.indices.len() < location.dimensions.len() {
            self.report(
                Diagnostic::new(
                    span.clone(),
                    "an array is not a value",
                    "expected an element",
                )
                .help("give it an index for each of its dimensions"),
            );
            return false;
        }
        let Some(object) = declared.object() else {
            return true;
        };
        let use_it = match declared {
            Declared::Lock => "`synchronized`, `acquire`, `release`, `holds` and the like",
            Declared::Semaphore => "`up`, `down` and `value`",
            _ => "`send`, `receive` and `length`",
        };
        self.report(
            Diagnostic::new(
                span.clone(),
                format!("{object} is not a value"),
                "it cannot be read, assigned or compared",
            )
            .help(format!("use it with {use_it}")),
        );
        false
    }

    /// The synchronisation object that an expression denotes. `wanted` is its kind
    /// with an article.
    pub(super) fn object(
        &mut self,
        expression: &'a ast::Expression,
        wanted: &str,
    ) -> Option<Location> {
        let found = match self.resolve(expression) {
            Resolved::Error => return None,
            Resolved::Value(value) if value.ty == Type::Error => return None,
            Resolved::Value(value) => self.describe(value.ty),
            Resolved::Place(location, declared) => match declared.object() {
                _ if declared == Declared::Error => return None,
                Some(object) if object == wanted => {
                    if location.indices.len() == location.dimensions.len() {
                        return Some(location);
                    }
                    self.report(Diagnostic::new(
                        expression.span.clone(),
                        format!("expected {wanted}, found an array of them"),
                        "choose one with an index",
                    ));
                    return None;
                }
                Some(object) => object.to_owned(),
                None => self.describe(location.value.into()),
            },
        };
        let error = Diagnostic::new(
            expression.span.clone(),
            format!("expected {wanted}, found {found}"),
            format!("this is not {wanted}"),
        );
        self.report(match (wanted, found.as_str()) {
            (_, "a lock") => error.help("a lock is used with `acquire(m)` and `release(m)`"),
            (_, "a semaphore") => error.help("a semaphore is used with `down(s)` and `up(s)`"),
            (_, "a channel") => error.help("a channel is used with `send` and `receive`"),
            ("a lock", _) => error.help("declare one, as in `lock m;`"),
            ("a semaphore", _) => error.help("declare one, as in `semaphore s = 1;`"),
            _ => error,
        });
        None
    }
}

fn place(
    storage: Storage,
    object: Option<Expression>,
    value: ValueType,
    dimensions: Vec<u32>,
) -> Resolved {
    let location = Location {
        storage,
        object: object.map(Box::new),
        indices: Vec::new(),
        dimensions,
        value,
    };
    Resolved::Place(location, Declared::Value(value))
}

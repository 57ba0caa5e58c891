//! Types: of expressions, of declarations, and how they are named in messages.

use super::tree::{Expression, ExpressionKind};
use super::{Checker, SymbolKind};
use crate::ast;
use raddle_diagnostics::Diagnostic;
use raddle_machine::ir::{EnumId, Range, RecordId, ValueType};
use raddle_model::Kind;

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// It has an error, which was reported; it goes with everything.
    Error,
    /// No value.
    Void,
    /// `null`, which may become a reference or a thread.
    Null,
    /// A number, whatever its range.
    Int,
    /// A truth value.
    Bool,
    /// A member of an enumeration.
    Enum(EnumId),
    /// A reference to a record, or null.
    Reference(RecordId),
    /// A thread, or null.
    Thread,
}

impl From<ValueType> for Type {
    fn from(value: ValueType) -> Type {
        match value {
            ValueType::Int | ValueType::Ranged(_) => Type::Int,
            ValueType::Bool => Type::Bool,
            ValueType::Enum(id) => Type::Enum(id),
            ValueType::Reference(id) => Type::Reference(id),
            ValueType::Thread => Type::Thread,
        }
    }
}

/// The type of a variable, a field or a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Declared {
    Error,
    Void,
    Value(ValueType),
    Lock,
    Semaphore,
    Channel(ValueType, u32),
}

impl Declared {
    /// The kind of the objects of a region of this type.
    pub(super) fn kind(self) -> Kind {
        match self {
            Declared::Error | Declared::Void | Declared::Value(_) => Kind::Variable,
            Declared::Lock => Kind::Monitor,
            Declared::Semaphore => Kind::Semaphore,
            Declared::Channel(..) => Kind::Channel,
        }
    }

    /// The type of the values in it.
    pub(super) fn value(self) -> ValueType {
        match self {
            Declared::Value(value) | Declared::Channel(value, _) => value,
            _ => ValueType::Int,
        }
    }

    /// How many elements a channel can hold.
    pub(super) fn capacity(self) -> u32 {
        match self {
            Declared::Channel(_, capacity) => capacity,
            _ => 0,
        }
    }

    /// What it is, with an article, if it is not a value.
    pub(super) fn object(self) -> Option<&'static str> {
        match self {
            Declared::Lock => Some("a lock"),
            Declared::Semaphore => Some("a semaphore"),
            Declared::Channel(..) => Some("a channel"),
            Declared::Error | Declared::Void | Declared::Value(_) => None,
        }
    }
}

/// The value that a variable has when nothing else is said: zero, false, the first
/// member, null; for a range without zero, the value nearest to it.
pub(crate) fn default_value(value: ValueType) -> i32 {
    match value {
        ValueType::Ranged(range) => 0.clamp(range.low, range.high),
        ValueType::Thread => -1,
        ValueType::Int | ValueType::Bool | ValueType::Enum(_) | ValueType::Reference(_) => 0,
    }
}

impl<'a> Checker<'a> {
    /// What a written type means.
    pub(super) fn declared(&mut self, ty: &'a ast::Type) -> Declared {
        match &ty.kind {
            ast::TypeKind::Void => Declared::Void,
            ast::TypeKind::Int(None) => Declared::Value(ValueType::Int),
            ast::TypeKind::Int(Some(bounds)) => match self.range(bounds) {
                Some(range) => Declared::Value(ValueType::Ranged(range)),
                None => Declared::Error,
            },
            ast::TypeKind::Bool => Declared::Value(ValueType::Bool),
            ast::TypeKind::Lock => Declared::Lock,
            ast::TypeKind::Semaphore => Declared::Semaphore,
            ast::TypeKind::Channel(element, capacity) => self.channel(element, capacity),
            ast::TypeKind::Thread => Declared::Value(ValueType::Thread),
            ast::TypeKind::Named(name) => self.named_type(name),
        }
    }

    /// What a written type means where only a value can stand.
    pub(super) fn value_type(&mut self, ty: &'a ast::Type, what: &str) -> Option<ValueType> {
        match self.declared(ty) {
            Declared::Error => None,
            Declared::Value(value) => Some(value),
            Declared::Void => {
                self.report(Diagnostic::new(
                    ty.span.clone(),
                    format!("{what} cannot be `void`"),
                    "expected a type of values",
                ));
                None
            }
            object => {
                let object = object.object().unwrap_or("this");
                self.report(
                    Diagnostic::new(
                        ty.span.clone(),
                        format!("{what} cannot be {object}"),
                        "expected a type of values",
                    )
                    .help(format!(
                        "declare {object} as a shared variable or as a field of a record, and pass its index or a reference to its record"
                    )),
                );
                None
            }
        }
    }

    fn range(&mut self, bounds: &'a ast::Bounds) -> Option<Range> {
        let low = self.constant(&bounds.low, Type::Int, "a bound");
        let high = self.constant(&bounds.high, Type::Int, "a bound");
        let (low, high) = (low?, high?);
        if low > high {
            self.report(Diagnostic::new(
                bounds.low.span.start..bounds.high.span.end,
                format!("the range {low}..{high} is empty"),
                "the first bound must not be greater than the second",
            ));
            return None;
        }
        let wraps = bounds.wrap;
        Some(Range { low, high, wraps })
    }

    fn channel(&mut self, element: &'a ast::Type, capacity: &'a ast::Expression) -> Declared {
        let value = self.value_type(element, "an element of a channel");
        let size = self.constant(capacity, Type::Int, "the capacity of a channel");
        let (Some(value), Some(size)) = (value, size) else {
            return Declared::Error;
        };
        match u32::try_from(size) {
            Ok(size) if (1..=super::MAX_WORDS).contains(&size) => Declared::Channel(value, size),
            _ => {
                let mut error = Diagnostic::new(
                    capacity.span.clone(),
                    format!("a channel cannot have the capacity {size}"),
                    format!("expected a number from 1 to {}", super::MAX_WORDS),
                );
                if size == 0 {
                    error = error.help(
                        "for a handshake, let the sender wait until its message was taken: \
                         `send(c, e); down(taken);` and `v = receive(c); up(taken);`, with a \
                         capacity of 1, `semaphore taken;` and, if several threads send, a lock \
                         around the sender's two steps",
                    );
                }
                self.report(error);
                Declared::Error
            }
        }
    }

    fn named_type(&mut self, name: &'a ast::Name) -> Declared {
        match self.used(name) {
            Some(SymbolKind::Enum(id)) => Declared::Value(ValueType::Enum(id)),
            Some(SymbolKind::Record(id)) => Declared::Value(ValueType::Reference(id)),
            Some(other) => {
                let what = other.describe();
                self.report(Diagnostic::new(
                    name.span.clone(),
                    format!("`{}` is {what}, not a type", name.text),
                    "expected a type",
                ));
                Declared::Error
            }
            None => {
                let known = self.names_where(|kind| {
                    matches!(kind, SymbolKind::Enum(_) | SymbolKind::Record(_))
                });
                let builtin = ["int", "bool", "lock", "semaphore", "thread"];
                let error = Diagnostic::new(
                    name.span.clone(),
                    format!("unknown type `{}`", name.text),
                    "not a record or an enumeration of this program",
                );
                match crate::parser::advice_for_type(&name.text) {
                    Some(help) => self.report(error.help(help)),
                    None => {
                        let known = known.into_iter().chain(builtin);
                        self.report_unknown(error, &name.text, known);
                    }
                }
                Declared::Error
            }
        }
    }

    /// How a type is named in messages.
    pub(super) fn describe(&self, ty: Type) -> String {
        match ty {
            Type::Error => "an error".to_owned(),
            Type::Void => "`void`".to_owned(),
            Type::Null => "`null`".to_owned(),
            Type::Int => "`int`".to_owned(),
            Type::Bool => "`bool`".to_owned(),
            Type::Enum(id) => match self.out.enums.get(id.0 as usize) {
                Some(enumeration) => format!("`{}`", enumeration.name),
                None => "an enumeration".to_owned(),
            },
            Type::Reference(id) => match self.out.records.get(id.0 as usize) {
                Some(record) => format!("`{}`", record.name),
                None => "a record".to_owned(),
            },
            Type::Thread => "`thread`".to_owned(),
        }
    }

    /// The expression as a value of the wanted type. A mismatch is reported, once.
    pub(super) fn coerce(&mut self, found: Expression, wanted: Type) -> Expression {
        if found.ty == wanted || found.ty == Type::Error || wanted == Type::Error {
            return found;
        }
        if found.ty == Type::Null
            && let Some(null) = null_of(wanted)
        {
            return Expression::constant(null, wanted, found.span);
        }
        let (want, have) = (self.describe(wanted), self.describe(found.ty));
        let mut error = Diagnostic::new(
            found.span.clone(),
            format!("expected {want}, found {have}"),
            match found.ty {
                Type::Void => "this call gives no value".to_owned(),
                _ => format!("this is {have}"),
            },
        );
        match (wanted, found.ty) {
            (Type::Bool, Type::Int) if matches!(found.kind, ExpressionKind::Constant(_)) => {
                error = error.help("use `true` or `false`");
            }
            (Type::Bool, Type::Int) => {
                error = error.help("numbers are not truth values; compare it, as in `x != 0`");
            }
            (Type::Int, Type::Bool) => {
                error = error.help("truth values are not numbers; write `c ? 1 : 0`");
            }
            _ => {}
        }
        self.report(error);
        Expression::error(found.span)
    }

    /// Both expressions as values of one type, as equality and `? :` need them.
    pub(super) fn unify(
        &mut self,
        left: Expression,
        right: Expression,
    ) -> (Expression, Expression) {
        match (left.ty, right.ty) {
            (Type::Null, Type::Null) => (left, right),
            (Type::Void, Type::Void) => (self.coerce(left, Type::Int), right),
            (Type::Null | Type::Void, wanted) => (self.coerce(left, wanted), right),
            (wanted, _) => {
                let right = self.coerce(right, wanted);
                (left, right)
            }
        }
    }
}

/// The word for `null` among the values of a type.
pub(super) fn null_of(ty: Type) -> Option<i32> {
    match ty {
        Type::Reference(_) | Type::Null => Some(0),
        Type::Thread => Some(-1),
        _ => None,
    }
}

/// The value of an expression, if it is known.
pub(super) fn constant_value(expression: &Expression) -> Option<i32> {
    match expression.kind {
        ExpressionKind::Constant(value) => Some(value),
        _ => super::constants::evaluate(expression)
            .ok()
            .and_then(|value| i32::try_from(value).ok()),
    }
}

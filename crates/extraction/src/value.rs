//! What is known of a value of the program where control is.

use std::collections::BTreeSet;
use std::sync::Arc;

use raddle_jvm::Ref;
use raddle_jvm::world::ClassId;

/// What a reference may refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target {
    /// Nothing.
    Null,
    /// An object that was there when the threads began.
    Object(Ref),
    /// One of those of which every thread of a kind has its own: that of the first thread
    /// stands for it.
    Own(Ref),
    /// The last object that the thread made at a place in its code.
    Made(u32),
    /// Some object of a class, about which nothing else is known.
    Other(ClassId),
    /// One of the objects of an array with one for each thread of a kind: the number of that
    /// thread tells which.
    Member(Ref),
}

impl Target {
    /// The number that stands for it in a register of the intermediate form.
    pub(crate) fn code(self) -> Option<i32> {
        match self {
            Target::Null => Some(0),
            Target::Object(object) => i32::try_from(object.0).ok(),
            Target::Own(object) => i32::try_from(object.0).ok().map(|number| -number),
            Target::Made(number) => i32::try_from(number).ok().map(|it| (1 << 30) + it),
            // Not one object: it cannot be told from others of its class.
            Target::Other(class) => i32::try_from(class.0).ok().map(|it| i32::MIN + 1 + it),
            // What stands in the register is a number of a thread.
            Target::Member(_) => None,
        }
    }
}

/// What a register, a field or an element may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// Nothing that can be used: ways with values of different kinds have met.
    Unset,
    /// A number of 32 bits.
    Int(Option<i32>),
    /// The number of the thread itself, among any number of its kind.
    Number,
    /// A number of 64 bits, if it is not known then one that fits into 32.
    Long(Option<i64>),
    /// A number about which nothing is known, and where it comes from.
    Opaque(Arc<str>),
    /// A reference to one of these.
    Reference(BTreeSet<Target>),
}

impl Value {
    pub(crate) fn reference(target: Target) -> Self {
        Self::Reference(BTreeSet::from([target]))
    }

    /// The one thing that it refers to.
    pub(crate) fn single(&self) -> Option<Target> {
        match self {
            Self::Reference(targets) if targets.len() == 1 => targets.first().copied(),
            _ => None,
        }
    }

    /// Whether a register of the intermediate form can hold it.
    pub(crate) fn is_followed(&self) -> bool {
        match self {
            Self::Int(_) | Self::Number | Self::Long(_) | Self::Reference(_) => true,
            Self::Opaque(_) | Self::Unset => false,
        }
    }

    pub(crate) fn constant(&self) -> Option<i32> {
        match self {
            Self::Int(number) => *number,
            _ => None,
        }
    }

    /// What is known of a value that is one or the other.
    pub(crate) fn join(&self, other: &Self) -> Self {
        match (self, other) {
            (one, other) if one == other => one.clone(),
            (Self::Int(_) | Self::Number, Self::Int(_) | Self::Number) => Self::Int(None),
            (Self::Long(one), Self::Long(other)) => {
                let fits = |it: &Option<i64>| it.is_none_or(|it| i32::try_from(it).is_ok());
                match fits(one) && fits(other) {
                    true => Self::Long(None),
                    false => Self::Opaque("a number of 64 bits".into()),
                }
            }
            (Self::Reference(one), Self::Reference(other)) => {
                Self::Reference(one.union(other).copied().collect())
            }
            (Self::Opaque(what), Self::Int(_) | Self::Number | Self::Long(_) | Self::Opaque(_))
            | (Self::Int(_) | Self::Number | Self::Long(_), Self::Opaque(what)) => {
                Self::Opaque(what.clone())
            }
            _ => Self::Unset,
        }
    }
}

//! Classes and fields of the library that the machine itself uses.

use crate::world::{ClassId, LoadError, World};

/// See the module's documentation.
pub struct WellKnown {
    pub(crate) object: ClassId,
    /// `java.lang.Class`.
    pub class: ClassId,
    /// The slots of `Class` objects before the static fields. The last one is the machine's:
    /// it has the number of the class.
    pub class_slots: u32,
    pub(crate) class_component: u32,
    pub(crate) class_name: u32,
    pub(crate) class_module: u32,
    pub(crate) class_loader: u32,
    pub(crate) class_primitive: Option<u32>,
    pub(crate) class_modifiers: Option<u32>,
    pub(crate) string: ClassId,
    pub(crate) string_value: u32,
    pub(crate) string_coder: u32,
    pub(crate) byte_array: ClassId,
    /// `java.lang.Throwable`.
    pub throwable: ClassId,
    /// Where a throwable has its message.
    pub throwable_message: u32,
    /// Where it has its cause.
    pub throwable_cause: u32,
    /// Where it has the calls that led to it, as the machine keeps them.
    pub throwable_backtrace: u32,
    pub(crate) throwable_depth: u32,
    pub(crate) throwable_trace: u32,
    pub(crate) error: ClassId,
    /// `java.lang.Thread`.
    pub thread: ClassId,
    pub(crate) thread_eetop: Option<u32>,
    /// Whether a thread is a daemon, and its status, stand in its object, or in another one
    /// to which this field refers.
    pub(crate) thread_holder: Option<u32>,
    pub(crate) holder_daemon: Option<u32>,
    pub(crate) holder_status: Option<u32>,
    pub(crate) method_handle: ClassId,
    pub(crate) var_handle: ClassId,
    pub(crate) cloneable: ClassId,
    /// What locks of the library inherit that say which thread owns them.
    pub ownable: ClassId,
    /// Where such a lock has its owner.
    pub ownable_owner: u32,
}

impl WellKnown {
    pub(crate) fn find(world: &World) -> Result<Self, LoadError> {
        let class = world.load("java/lang/Class")?;
        let string = world.load("java/lang/String")?;
        let throwable = world.load("java/lang/Throwable")?;
        let thread = world.load("java/lang/Thread")?;
        let thread_holder = world.slot_of(thread, "holder");
        let holder = match thread_holder {
            Some(_) => world.load("java/lang/Thread$FieldHolder")?,
            None => thread,
        };
        let slot = |class: ClassId, name: &str| {
            let missing = || LoadError::NotFound(format!("{}.{name}", world.class_name(class)));
            world.slot_of(class, name).ok_or_else(missing)
        };
        let ownable = world.load("java/util/concurrent/locks/AbstractOwnableSynchronizer")?;
        Ok(Self {
            object: world.load("java/lang/Object")?,
            class,
            class_slots: world.class(class).instance_slots + 1,
            class_component: slot(class, "componentType")?,
            class_name: slot(class, "name")?,
            class_module: slot(class, "module")?,
            class_loader: slot(class, "classLoader")?,
            class_primitive: world.slot_of(class, "primitive"),
            class_modifiers: world.slot_of(class, "modifiers"),
            string,
            string_value: slot(string, "value")?,
            string_coder: slot(string, "coder")?,
            byte_array: world.load("[B")?,
            throwable,
            throwable_message: slot(throwable, "detailMessage")?,
            throwable_cause: slot(throwable, "cause")?,
            throwable_backtrace: slot(throwable, "backtrace")?,
            throwable_depth: slot(throwable, "depth")?,
            throwable_trace: slot(throwable, "stackTrace")?,
            error: world.load("java/lang/Error")?,
            thread,
            thread_eetop: world.slot_of(thread, "eetop"),
            thread_holder,
            holder_daemon: world.slot_of(holder, "daemon"),
            holder_status: world.slot_of(holder, "threadStatus"),
            method_handle: world.load("java/lang/invoke/MethodHandle")?,
            var_handle: world.load("java/lang/invoke/VarHandle")?,
            cloneable: world.load("java/lang/Cloneable")?,
            ownable,
            ownable_owner: slot(ownable, "exclusiveOwnerThread")?,
        })
    }
}

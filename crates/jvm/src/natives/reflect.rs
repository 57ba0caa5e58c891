//! Members of classes as objects, and calls through them.

use super::{Answer, Entry};

pub(super) const TABLE: &[Entry] = &[(
    "jdk/internal/reflect/Reflection",
    "verifyMemberAccess",
    "",
    |_, _| -> Answer { Ok(1) },
)];

//! `java.lang.String`.

use super::{Answer, Entry, nothing, reference};
use crate::interpret::Env;
use crate::made_up::Source::Every;
use crate::roles::Role::{Intern, Pure};

pub(super) const TABLE: &[Entry] = &[
    ("java/lang/String", "intern", "", Intern, Every, intern),
    (
        "java/lang/StringUTF16",
        "isBigEndian",
        "",
        Pure,
        Every,
        nothing,
    ),
    ("java/lang/StringCoding", "err", "", Pure, Every, nothing),
];

fn intern(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let string = reference(args, 0);
    let Some(text) = env.state.utf16_of(env.world, string) else {
        return super::null_pointer();
    };
    let literal = env.world.asked_literal(&text, false);
    let known = env.state.interned(literal);
    if !known.is_null() {
        return Ok(known.word());
    }
    env.state.set_interned(literal, string);
    Ok(string.word())
}

//! `java.lang.String`.

use super::{Answer, Entry, nothing, reference};
use crate::interpret::Env;

pub(super) const TABLE: &[Entry] = &[
    ("java/lang/String", "intern", "", intern),
    ("java/lang/StringUTF16", "isBigEndian", "", nothing),
    ("java/lang/StringCoding", "err", "", nothing),
];

fn intern(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let string = reference(args, 0);
    let Some(text) = env.state.utf16_of(env.world, string) else {
        return super::null_pointer();
    };
    let literal = env.world.literal(&text);
    let known = env.state.interned(literal);
    if !known.is_null() {
        return Ok(known.word());
    }
    env.state.set_interned(literal, string);
    Ok(string.word())
}

//! What was claimed, as words: of what can still be reached, whose it is and how it is used.
//!
//! Claims are in buckets as objects are. After a step those are written anew that it has changed; all of them where an object
//! that they are about has another name, or none.

use raddle_jvm::heap::Ref;
use raddle_model::Object;
use raddle_reduce::exclusive::{Owner, Ownership, Use};

use super::Writer;
use super::buckets::{Buckets, Pair};
use super::graph::Graph;

/// What is claimed of a variable, and how it is used.
const OWNERS: u32 = 0;
const USES: u32 = 1;

/// The claims of a state.
#[derive(Debug, Default)]
pub(super) struct Claims {
    known: Ownership,
    pub(super) buckets: Buckets,
}

impl Clone for Claims {
    fn clone(&self) -> Self {
        Self {
            known: self.known.clone(),
            buckets: self.buckets.clone(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.known.clone_from(&other.known);
        self.buckets.clone_from(&other.buckets);
    }
}

impl Writer<'_> {
    /// Brings the claims up to date. `is_shifted` says that they are about objects that have other names now.
    pub(super) fn claims(
        &mut self,
        claims: &mut Claims,
        graph: &mut Graph,
        is_shifted: bool,
    ) -> Option<()> {
        let now = &self.state.claims;
        if !is_shifted && claims.known.is(now) {
            return Some(());
        }
        let before = std::mem::replace(&mut claims.known, now.clone());
        let nothing = Ownership::default();
        let before = if is_shifted { &nothing } else { &before };
        let mut pairs = Vec::new();
        differences(before.owners(), now.owners(), |variable, owner| {
            self.begin_owner(graph, owner);
            self.claim(graph, &mut pairs, OWNERS, variable, owner.is_some())
        })?;
        differences(before.uses(), now.uses(), |variable, known| {
            self.begin_use(graph, known);
            self.claim(graph, &mut pairs, USES, variable, known.is_some())
        })?;
        match is_shifted {
            true => claims.buckets.fill(&mut pairs, &mut self.store()),
            false => claims.buckets.change(&mut pairs, &mut self.store()),
        }
    }

    /// Adds a claim about a variable that can be reached, whose words are written, or that there is none.
    fn claim(
        &mut self,
        graph: &mut Graph,
        pairs: &mut Vec<Pair>,
        sort: u32,
        variable: Object,
        is_there: bool,
    ) -> Option<()> {
        let state = self.machine();
        let object = Ref(variable.index);
        graph.note_claimed(state, object);
        let Some(name) = graph.name(state, object) else {
            return Some(());
        };
        let part = match is_there {
            true => self.part()?,
            false => 0,
        };
        self.memory.part.clear();
        self.memory.part.extend([sort, name, variable.region.0]);
        pairs.push((self.part()?, part));
        Some(())
    }

    fn begin_owner(&mut self, graph: &mut Graph, owner: Option<&Owner>) {
        let state = self.machine();
        self.memory.part.clear();
        self.memory.part.extend(
            owner
                .map(|owner| match *owner {
                    Owner::Thread(thread) => [0, thread.0],
                    Owner::Lock(lock) => {
                        graph.note_claimed(state, Ref(lock.index));
                        // Nobody can ever hold a lock that is out of reach.
                        [1, graph.name(state, Ref(lock.index)).unwrap_or(0)]
                    }
                })
                .into_iter()
                .flatten(),
        );
    }

    fn begin_use(&mut self, graph: &mut Graph, known: Option<&Use>) {
        let state = self.machine();
        let part = &mut self.memory.part;
        part.clear();
        let Some(known) = known else {
            return;
        };
        part.extend([known.first.0, u32::from(known.is_shared)]);
        for lock in &known.locks {
            graph.note_claimed(state, Ref(lock.index));
            part.extend(graph.name(state, Ref(lock.index)));
        }
        part[2..].sort_unstable();
    }
}

/// Goes over what two sequences in ascending order do not have in common: what the second one has, if anything.
fn differences<T: PartialEq>(
    before: &[(Object, T)],
    now: &[(Object, T)],
    mut visit: impl FnMut(Object, Option<&T>) -> Option<()>,
) -> Option<()> {
    let (mut before, mut now) = (before.iter().peekable(), now.iter().peekable());
    loop {
        match (before.peek(), now.peek()) {
            (None, None) => return Some(()),
            (Some(old), Some(new)) if old == new => {
                before.next();
                now.next();
            }
            (Some(&&(variable, _)), new) if new.is_none_or(|new| variable < new.0) => {
                before.next();
                visit(variable, None)?;
            }
            (old, Some(&(variable, new))) => {
                if old.is_some_and(|old| old.0 == *variable) {
                    before.next();
                }
                now.next();
                visit(*variable, Some(new))?;
            }
            (Some(_), None) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_model::Region;

    #[test]
    fn differences_are_what_was_added_or_changed_or_has_gone() {
        let at = |index| Object {
            region: Region(1),
            index,
        };
        let before = [(at(1), 1), (at(2), 2), (at(4), 4), (at(9), 9)];
        let now = [(at(0), 5), (at(2), 2), (at(3), 3), (at(4), 7)];
        let mut found = Vec::new();
        differences(&before, &now, |variable, value| {
            found.push((variable.index, value.copied()));
            Some(())
        });
        assert_eq!(
            found,
            [
                (0, Some(5)),
                (1, None),
                (3, Some(3)),
                (4, Some(7)),
                (9, None)
            ]
        );
    }
}

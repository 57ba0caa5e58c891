//! Programs with any number of threads, made concrete: as many as one likes.

use crate::ir::{DeclarationId, Home, InitialThread, Program, RegionInfo};

/// The most threads of one kind that are made.
const MAXIMUM_REPLICAS: u32 = 10_000;

impl Program {
    /// Whether there are any number of threads of some kind. A search of such a program
    /// sees one of each, and so must not be taken for an answer about all.
    pub fn is_parametric(&self) -> bool {
        !self.replicated.is_empty()
    }

    /// The program with this many threads of its replicated kinds, one of those that are
    /// not mentioned. Claims are dropped: they speak of threads by their numbers, which
    /// are others now, and they are hints, not behaviour.
    pub fn with_threads(&self, counts: &[(DeclarationId, u32)]) -> Program {
        let count = |id: DeclarationId| {
            let given = counts.iter().find(|(other, _)| *other == id);
            given.map_or(1, |(_, count)| (*count).min(MAXIMUM_REPLICAS))
        };
        let mut program = self.clone();
        program.claims.clear();
        program.replicated.clear();
        program.initial_threads.clear();
        for thread in &self.initial_threads {
            if !self.replicated.contains(&thread.declaration) {
                program.initial_threads.push(thread.clone());
                continue;
            }
            let number = usize::from(thread.declaration.0);
            let kind = self.declarations.get(number).map(|it| it.name.as_str());
            for number in 0..count(thread.declaration) {
                program.initial_threads.push(InitialThread {
                    name: format!("{}[{number}]", kind.unwrap_or(&thread.name)),
                    declaration: thread.declaration,
                    arguments: vec![number as i32; thread.arguments.len()],
                });
            }
        }
        program.initial_words.clear();
        let mut order: Vec<usize> = (0..self.regions.len()).collect();
        order.sort_by_key(|&number| offset(&self.regions[number]));
        for number in order {
            let Some(old) = offset(&self.regions[number]) else {
                continue;
            };
            let region = &mut program.regions[number];
            let words = region.checked_words().unwrap_or(0) as usize;
            let words = self.initial_words.get(old..old.saturating_add(words));
            let words = words.unwrap_or_default();
            region.home = Home::Shared(program.initial_words.len() as u32);
            let copies = match region.per_thread.take() {
                Some(id) => count(id),
                None => 1,
            };
            if copies != 1 {
                region.dimensions = vec![copies];
            }
            for _ in 0..copies {
                program.initial_words.extend_from_slice(words);
            }
        }
        program
    }
}

fn offset(region: &RegionInfo) -> Option<usize> {
    match region.home {
        Home::Shared(offset) => Some(offset as usize),
        Home::Field(..) | Home::Threads => None,
    }
}

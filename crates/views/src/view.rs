//! Views: how much of each location's history somebody knows.

use std::cmp::Ordering;

/// Positions in the history of one location. Each bounds what may be done from here on, and each
/// is at most the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seen {
    /// Happens-before: no read goes behind it.
    pub happened: u32,
    /// Coherence: no read that is opaque or stronger goes behind it.
    pub coherent: u32,
    /// What was read or written in any mode: no write goes behind it.
    pub accessed: u32,
}

impl Seen {
    /// All three are the same.
    pub fn all(position: u32) -> Seen {
        Seen {
            happened: position,
            coherent: position,
            accessed: position,
        }
    }

    /// The later positions of both.
    pub fn join(self, other: Seen) -> Seen {
        Seen {
            happened: self.happened.max(other.happened),
            coherent: self.coherent.max(other.coherent),
            accessed: self.accessed.max(other.accessed),
        }
    }

    fn map(self, change: impl Fn(u32) -> u32) -> Seen {
        Seen {
            happened: change(self.happened),
            coherent: change(self.coherent),
            accessed: change(self.accessed),
        }
    }
}

/// What is known of each location, in the order of locations. Of all others only the first
/// message of their history is known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View<L>(Vec<(L, Seen)>);

impl<L> Default for View<L> {
    fn default() -> Self {
        View(Vec::new())
    }
}

impl<L: Copy + Ord> View<L> {
    /// What is known of a location.
    pub fn of(&self, location: L) -> Seen {
        match self.find(location) {
            Ok(index) => self.0[index].1,
            Err(_) => Seen::default(),
        }
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The locations of which something is known.
    pub fn iter(&self) -> impl Iterator<Item = (L, Seen)> + use<'_, L> {
        self.0.iter().copied()
    }

    /// Learns more of one location.
    pub fn learn(&mut self, location: L, seen: Seen) {
        if seen == Seen::default() {
            return;
        }
        match self.find(location) {
            Ok(index) => self.0[index].1 = self.0[index].1.join(seen),
            Err(index) => self.0.insert(index, (location, seen)),
        }
    }

    /// Learns all that another view knows.
    pub fn join(&mut self, other: &View<L>) {
        if self.0.is_empty() {
            self.0.clone_from(&other.0);
            return;
        }
        for &(location, seen) in &other.0 {
            self.learn(location, seen);
        }
    }

    /// Lets all three components be the last one.
    pub fn level(&mut self) {
        for (_, seen) in &mut self.0 {
            *seen = Seen::all(seen.accessed);
        }
    }

    /// A message was put into the history of a location.
    pub(crate) fn make_room(&mut self, location: L, position: u32) {
        if let Ok(index) = self.find(location) {
            let seen = &mut self.0[index].1;
            *seen = seen.map(|it| it + u32::from(it >= position));
        }
    }

    /// The first messages of the history of a location were dropped.
    pub(crate) fn drop_first(&mut self, location: L, count: u32) {
        if let Ok(index) = self.find(location) {
            let seen = &mut self.0[index].1;
            *seen = seen.map(|it| it.saturating_sub(count));
            if *seen == Seen::default() {
                self.0.remove(index);
            }
        }
    }

    /// Knows nothing of a location any more.
    pub(crate) fn forget(&mut self, location: L) {
        if let Ok(index) = self.find(location) {
            self.0.remove(index);
        }
    }

    fn find(&self, location: L) -> Result<usize, usize> {
        // Mostly there are few.
        match self.0.last() {
            None => Err(0),
            Some(last) if last.0.cmp(&location) == Ordering::Less => Err(self.0.len()),
            Some(_) => self.0.binary_search_by(|(it, _)| it.cmp(&location)),
        }
    }
}

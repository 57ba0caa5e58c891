//! All that is known of a program, found once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, OnceLock};

use raddle_jvm::{MethodId, State, World};

use crate::accesses::{self, Access, Accesses, Place};
use crate::executions::Approved;
use crate::locks::{self, Locks};
use crate::points_to::{self, InstanceId, PointsTo};
use crate::sharing::{self, Sharing};
use crate::threads::{self, ThreadFacts};

/// What is known of a program. See [`Facts::contradiction`] for how it is tried out.
pub struct Facts<'w> {
    pub(crate) points: PointsTo<'w>,
    pub(crate) threads: ThreadFacts,
    pub(crate) locks: Locks,
    pub(crate) accesses: Accesses,
    /// The instances of each method.
    pub(crate) instances: BTreeMap<MethodId, Vec<InstanceId>>,
    /// The accesses that an instruction makes.
    pub(crate) sites: BTreeMap<(MethodId, u32), Vec<(Place, usize)>>,
    pub(crate) approved: Mutex<Approved>,
    /// The fields of which there are warnings.
    pub(crate) warned: OnceLock<BTreeSet<(String, String)>>,
}

impl<'w> Facts<'w> {
    /// Looks at a program from a state in which `main` has not begun.
    pub fn of(world: &'w World, start: &'w State) -> Self {
        let points = points_to::points_to(world, start);
        let threads = threads::threads(&points);
        let locks = locks::locks(&points, &threads);
        let accesses = accesses::accesses(&points, &threads, &locks);
        let mut instances: BTreeMap<MethodId, Vec<InstanceId>> = BTreeMap::new();
        for (number, instance) in points.instances.iter().enumerate().skip(1) {
            let id = InstanceId(number as u32);
            instances.entry(instance.method).or_default().push(id);
        }
        let mut sites: BTreeMap<(MethodId, u32), Vec<(Place, usize)>> = BTreeMap::new();
        for (place, all) in &accesses {
            for (number, access) in all.iter().enumerate() {
                let site = sites.entry((access.method, access.pc)).or_default();
                site.push((*place, number));
            }
        }
        Self {
            points,
            threads,
            locks,
            accesses,
            instances,
            sites,
            approved: Mutex::default(),
            warned: OnceLock::new(),
        }
    }

    /// What threads share.
    pub fn sharing(&self) -> Sharing {
        sharing::sharing(&self.points, &self.threads, &self.accesses, &self.locks)
    }

    /// Constructs of the program of which nothing is known. If there are any, then no fact holds.
    pub fn unknown(&self) -> BTreeSet<&str> {
        self.points.unknown.keys().map(String::as_str).collect()
    }

    /// The accesses of an instruction to places that fit.
    pub(crate) fn accesses_at(
        &self,
        site: (MethodId, u32),
        fits: impl Fn(Place) -> bool,
    ) -> Vec<(Place, &Access)> {
        let all = self.sites.get(&site).into_iter().flatten();
        all.filter(|it| fits(it.0))
            .map(|&(place, number)| (place, &self.accesses[&place][number]))
            .collect()
    }
}

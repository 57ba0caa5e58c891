//! Scenarios: which operations are called before there are threads, by each thread, and at the end.

/// Operations to be called. They are numbers of calls.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scenario {
    /// Before there are threads, one after the other.
    pub before: Vec<usize>,
    /// By each thread, one after the other.
    pub threads: Vec<Vec<usize>>,
    /// After all threads have ended, one after the other.
    pub after: Vec<usize>,
}

impl Scenario {
    /// How many operations are called.
    pub fn size(&self) -> usize {
        let threads: usize = self.threads.iter().map(Vec::len).sum();
        self.before.len() + threads + self.after.len()
    }

    /// All its operations: those of the first part, of the threads and of the last part.
    pub fn operations(&self) -> impl Iterator<Item = usize> + '_ {
        let threads = self.threads.iter().flatten();
        self.before
            .iter()
            .chain(threads)
            .chain(&self.after)
            .copied()
    }

    /// Whether the threads are in the one order of several that is generated.
    fn is_canonical(&self) -> bool {
        let mut pairs = self.threads.windows(2);
        pairs.all(|pair| pair[0].len() != pair[1].len() || pair[0] <= pair[1])
    }
}

/// How large scenarios are at the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Threads; two at the least.
    pub threads: usize,
    /// Operations of each thread.
    pub per_thread: usize,
    /// Operations before there are threads.
    pub before: usize,
    /// Operations after all threads have ended.
    pub after: usize,
}

/// How many operations each part has.
#[derive(Clone, Debug)]
struct Shape {
    before: usize,
    /// Longest first, none empty.
    threads: Vec<usize>,
    after: usize,
}

impl Shape {
    fn size(&self) -> usize {
        self.before + self.threads.iter().sum::<usize>() + self.after
    }

    /// How many scenarios have it, with so many calls.
    fn count(&self, calls: usize) -> u64 {
        let power = |exponent: usize| (calls as u64).saturating_pow(exponent as u32);
        let mut count = power(self.before + self.after);
        for alike in self.threads.chunk_by(|a, b| a == b) {
            // Multisets of so many sequences.
            let sequences = power(alike[0]);
            let mut sets = 1_u128;
            for index in 0..alike.len() as u64 {
                sets = sets.saturating_mul(u128::from(sequences.saturating_add(index)));
                sets /= u128::from(index + 1);
            }
            count = count.saturating_mul(u64::try_from(sets).unwrap_or(u64::MAX));
        }
        count
    }

    /// The scenario in which the calls are the digits of a number.
    fn scenario(&self, calls: usize, mut digits: u64) -> Scenario {
        let mut part = |count: usize| -> Vec<usize> {
            let mut next = || {
                let digit = digits % calls as u64;
                digits /= calls as u64;
                digit as usize
            };
            (0..count).map(|_| next()).collect()
        };
        Scenario {
            threads: self.threads.iter().map(|&count| part(count)).collect(),
            before: part(self.before),
            after: part(self.after),
        }
    }
}

impl Bounds {
    /// How many scenarios there are with so many calls.
    pub fn count(&self, calls: usize) -> u64 {
        let counts = self.shapes().into_iter().map(|it| it.count(calls));
        counts.fold(0, u64::saturating_add)
    }

    /// All scenarios, the smallest first. Those of the same size come mixed, always in the same way, so that
    /// the first ones are not all alike.
    pub fn scenarios(self, calls: usize) -> impl Iterator<Item = Scenario> {
        let largest = self.before + self.threads * self.per_thread + self.after;
        let shapes = self.shapes();
        (2..=largest).flat_map(move |size| {
            let own = shapes.iter().filter(|it| it.size() == size).cloned();
            let own: Vec<Shape> = own.collect();
            let digits = (calls as u64).saturating_pow(size as u32);
            let count = digits.saturating_mul(own.len() as u64);
            mixed(count).filter_map(move |index| {
                let shape = &own[(index % own.len() as u64) as usize];
                let scenario = shape.scenario(calls, index / own.len() as u64);
                scenario.is_canonical().then_some(scenario)
            })
        })
    }

    fn shapes(&self) -> Vec<Shape> {
        let mut threads: Vec<Vec<usize>> = vec![Vec::new()];
        let mut all = Vec::new();
        for _ in 0..self.threads {
            let longer = |lengths: &Vec<usize>| -> Vec<Vec<usize>> {
                let most = lengths.last().copied().unwrap_or(self.per_thread);
                let one = |length| [&lengths[..], &[length]].concat();
                (1..=most).map(one).collect()
            };
            threads = threads.iter().flat_map(longer).collect();
            all.extend(threads.iter().filter(|it| it.len() > 1).cloned());
        }
        let mut shapes = Vec::new();
        for threads in all {
            for before in 0..=self.before {
                for after in 0..=self.after {
                    let threads = threads.clone();
                    shapes.push(Shape {
                        before,
                        threads,
                        after,
                    });
                }
            }
        }
        shapes
    }
}

/// The numbers below a number, mixed: its multiples of a prime that does not divide it.
fn mixed(count: u64) -> impl Iterator<Item = u64> {
    const PRIMES: [u64; 3] = [1_000_000_007, 998_244_353, 754_974_721];
    let prime = PRIMES
        .into_iter()
        .find(|prime| !count.is_multiple_of(*prime));
    let step = u128::from(prime.unwrap_or(1));
    (0..count).map(move |index| (u128::from(index) * step % u128::from(count)) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    const SMALL: Bounds = Bounds {
        threads: 2,
        per_thread: 2,
        before: 1,
        after: 1,
    };

    #[test]
    fn every_scenario_is_there_once_and_the_smallest_come_first() {
        for (bounds, calls) in [
            (SMALL, 1),
            (SMALL, 3),
            (
                Bounds {
                    threads: 3,
                    before: 0,
                    ..SMALL
                },
                2,
            ),
        ] {
            let all: Vec<Scenario> = bounds.scenarios(calls).collect();
            assert_eq!(all.len() as u64, bounds.count(calls));
            assert!(all.is_sorted_by_key(Scenario::size));
            let different: HashSet<Scenario> = all
                .iter()
                .map(|it| {
                    let mut it = it.clone();
                    it.threads.sort();
                    it
                })
                .collect();
            assert_eq!(different.len(), all.len());
            let is_within = |it: &Scenario| {
                (2..=bounds.threads).contains(&it.threads.len())
                    && it
                        .threads
                        .iter()
                        .all(|it| (1..=bounds.per_thread).contains(&it.len()))
                    && it.before.len() <= bounds.before
                    && it.after.len() <= bounds.after
                    && it.operations().all(|call| call < calls)
            };
            assert!(all.iter().all(is_within));
        }
    }

    #[test]
    fn the_number_of_scenarios_is_that_of_the_formula() {
        let two = Bounds {
            before: 0,
            after: 0,
            ..SMALL
        };
        // Three calls: 6 pairs of single ones, 9 times 3 with two and one, 45 pairs of pairs.
        assert_eq!(two.count(3), 6 + 27 + 45);
        assert_eq!(SMALL.count(3), (6 + 27 + 45) * 16);
        assert_eq!(two.count(0), 0);
        assert_eq!(two.scenarios(0).count(), 0);
    }

    #[test]
    fn numbers_of_any_size_are_mixed() {
        for count in [0, 1, 2, 10, 97] {
            let mut all: Vec<u64> = mixed(count).collect();
            all.sort_unstable();
            assert_eq!(all, (0..count).collect::<Vec<_>>());
        }
    }
}

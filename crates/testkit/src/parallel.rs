//! Long runs on all cores.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many numbers a core takes at a time.
const CHUNK: u64 = 64;

/// The least number of a range for which a law is broken, as far as is known when the first
/// one is found: the numbers below it that other cores have begun are finished.
pub fn first_failure(range: Range<u64>, law: impl Fn(u64) -> bool + Sync) -> Option<u64> {
    let next = AtomicU64::new(range.start);
    let failure = AtomicU64::new(u64::MAX);
    let work = || {
        loop {
            let first = next.fetch_add(CHUNK, Ordering::Relaxed);
            if first >= range.end || failure.load(Ordering::Relaxed) < first {
                return;
            }
            for number in first..range.end.min(first + CHUNK) {
                if !law(number) {
                    failure.fetch_min(number, Ordering::Relaxed);
                    return;
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    Some(failure.into_inner()).filter(|&number| number < u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_tried_once() {
        let sum = AtomicU64::new(0);
        let law = |number| {
            sum.fetch_add(number, Ordering::Relaxed);
            true
        };
        assert_eq!(first_failure(5..1000, law), None);
        assert_eq!(sum.into_inner(), (5..1000).sum::<u64>());
    }

    #[test]
    fn the_first_failure_is_found() {
        let is_fine = |number| number % 300 != 299;
        assert_eq!(first_failure(0..5000, is_fine), Some(299));
    }
}

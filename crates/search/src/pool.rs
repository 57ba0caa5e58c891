//! What several workers have to do, and when all of it is done.
//!
//! A worker takes something, and while it is busy with it may give more. When there is
//! nothing to take and nobody is busy, nothing can ever be given again: the work is over.
//! Who finds nothing waits, and the others hear that somebody does ([`Pool::calls`]), so
//! that they can give some of what they have. Hearing it costs no lock.

use crate::sync::{AtomicBool, Condvar, Mutex, MutexGuard, Ordering};
use std::collections::VecDeque;
use std::sync::PoisonError;
use std::thread;

/// Things to do for several workers.
pub struct Pool<T> {
    turns: Turns,
    stock: Mutex<Stock<T>>,
    /// Somebody may have something to do, or nobody ever will.
    change: Condvar,
    /// Whether somebody waits for whom there is nothing, or everybody is to stop.
    calls: AtomicBool,
    stopped: AtomicBool,
}

/// The order in which things are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// What was given first.
    First,
    /// What was given last.
    Last,
    /// What was given first; but what is given waits until all is done that was there before.
    Levels,
}

struct Stock<T> {
    now: VecDeque<T>,
    /// What waits for the next level.
    later: VecDeque<T>,
    /// How many workers may still give something.
    busy: usize,
    /// How many wait for that.
    idle: usize,
}

impl<T> Pool<T> {
    /// A pool with nothing in it.
    pub fn new(turns: Turns) -> Pool<T> {
        Pool {
            turns,
            stock: Mutex::new(Stock {
                now: VecDeque::new(),
                later: VecDeque::new(),
                busy: 0,
                idle: 0,
            }),
            change: Condvar::new(),
            calls: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
        }
    }

    /// Adds something to be done. Only who is busy may do so, or before anybody is.
    pub fn give(&self, thing: T) {
        let mut stock = self.lock();
        match self.turns {
            Turns::Levels => stock.later.push_back(thing),
            Turns::First | Turns::Last => stock.now.push_back(thing),
        }
        if stock.idle > 0 && self.turns != Turns::Levels {
            self.change.notify_one();
        }
        self.call(&stock);
    }

    /// A worker, who has nothing to do yet.
    pub fn worker(&self) -> Worker<'_, T> {
        Worker {
            pool: self,
            is_busy: false,
        }
    }

    /// Whether somebody waits for whom there is nothing, or everybody is to stop.
    #[inline]
    pub fn calls(&self) -> bool {
        self.calls.load(Ordering::Relaxed)
    }

    /// Lets everybody stop: there is nothing to take any more.
    pub fn stop(&self) {
        let stock = self.lock();
        self.stopped.store(true, Ordering::Relaxed);
        self.call(&stock);
        self.change.notify_all();
    }

    /// Whether everybody is to stop.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Lets everybody go on who was to stop. Nobody is at work.
    pub fn resume(&self) {
        let stock = self.lock();
        self.stopped.store(false, Ordering::Relaxed);
        self.call(&stock);
    }

    /// How many things nobody has taken.
    pub fn waiting(&self) -> usize {
        let stock = self.lock();
        stock.now.len() + stock.later.len()
    }

    /// Looks at what nobody has taken: what can be taken now, and later.
    pub fn look<R>(&self, look: impl FnOnce(&mut VecDeque<T>, &mut VecDeque<T>) -> R) -> R {
        let mut stock = self.lock();
        let Stock { now, later, .. } = &mut *stock;
        look(now, later)
    }

    /// Puts something back that is to be taken next. Nobody waits for it: everybody is to stop,
    /// or nobody is at work.
    pub fn put_back(&self, thing: T) {
        self.lock().now.push_front(thing);
    }

    fn call(&self, stock: &Stock<T>) {
        let calls = self.is_stopped() || stock.idle > stock.now.len();
        self.calls.store(calls, Ordering::Relaxed);
    }

    fn take_out(&self, stock: &mut Stock<T>) -> Option<T> {
        if stock.now.is_empty() && stock.busy == 0 {
            // The level is done.
            let Stock { now, later, .. } = stock;
            std::mem::swap(now, later);
        }
        match self.turns {
            Turns::Last => stock.now.pop_back(),
            Turns::First | Turns::Levels => stock.now.pop_front(),
        }
    }

    /// Nobody who holds the lock leaves anything half done, not even by a panic.
    fn lock(&self) -> MutexGuard<'_, Stock<T>> {
        self.stock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One of those who take things out of a pool.
pub struct Worker<'a, T> {
    pool: &'a Pool<T>,
    is_busy: bool,
}

impl<T> Worker<'_, T> {
    /// Takes the next thing, if there is one now. What was taken before goes on.
    pub fn take_now(&mut self) -> Option<T> {
        let mut stock = self.pool.lock();
        let is_free = self.is_busy && !self.pool.is_stopped();
        let next = is_free.then(|| self.pool.take_out(&mut stock)).flatten();
        self.pool.call(&stock);
        next
    }

    /// Takes the next thing, and waits for one if necessary. What was taken before is done.
    /// `None` if the work is over.
    pub fn take(&mut self) -> Option<T> {
        let mut stock = self.pool.lock();
        stock.busy -= usize::from(self.is_busy);
        self.is_busy = false;
        loop {
            if self.pool.is_stopped() {
                return None;
            }
            if let Some(next) = self.pool.take_out(&mut stock) {
                stock.busy += 1;
                self.is_busy = true;
                // A level has begun, or several things were given at once.
                if stock.idle > 0 && !stock.now.is_empty() {
                    self.pool.change.notify_all();
                }
                self.pool.call(&stock);
                return Some(next);
            }
            if stock.busy == 0 {
                self.pool.change.notify_all();
                return None;
            }
            stock.idle += 1;
            self.pool.call(&stock);
            let woken = self.pool.change.wait(stock);
            stock = woken.unwrap_or_else(PoisonError::into_inner);
            stock.idle -= 1;
        }
    }
}

/// A worker that goes away is not busy any more, and one that panics would be waited for.
impl<T> Drop for Worker<'_, T> {
    fn drop(&mut self) {
        let mut stock = self.pool.lock();
        stock.busy -= usize::from(self.is_busy);
        if thread::panicking() {
            self.pool.stopped.store(true, Ordering::Relaxed);
        }
        self.pool.call(&stock);
        self.pool.change.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sync::AtomicUsize;
    use shuttle::sync::Arc;
    use shuttle::{check_random, thread};

    /// Takes numbers apart: each leads to two smaller ones.
    fn work(pool: &Pool<u32>, done: &AtomicUsize) {
        let mut worker = pool.worker();
        while let Some(number) = worker.take() {
            if number > 0 {
                pool.give(number - 1);
                pool.give(number - 1);
            }
            done.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn spawn(
        pool: &Arc<Pool<u32>>,
        done: &Arc<AtomicUsize>,
        work: fn(&Pool<u32>, &AtomicUsize),
    ) -> thread::JoinHandle<()> {
        let (pool, done) = (pool.clone(), done.clone());
        thread::spawn(move || work(&pool, &done))
    }

    #[test]
    fn everything_is_done_once_and_everybody_hears_of_the_end() {
        for turns in [Turns::First, Turns::Last, Turns::Levels] {
            check_random(
                move || {
                    let (pool, done) = (Arc::new(Pool::new(turns)), Arc::default());
                    pool.give(3);
                    let others = [(); 2].map(|()| spawn(&pool, &done, work));
                    work(&pool, &done);
                    others
                        .into_iter()
                        .for_each(|other| other.join().expect("no panic"));
                    assert_eq!(done.load(Ordering::Relaxed), 15);
                    assert_eq!(pool.waiting(), 0);
                },
                1500,
            );
        }
    }

    #[test]
    fn who_keeps_everything_to_himself_hears_that_others_wait() {
        check_random(
            || {
                let (pool, done) = (Arc::new(Pool::new(Turns::First)), Arc::default());
                pool.give(0);
                let generous: fn(&Pool<u32>, &AtomicUsize) = |pool, done| {
                    let mut worker = pool.worker();
                    let mut left = 3;
                    while worker.take().is_some() {
                        done.fetch_add(1, Ordering::Relaxed);
                        while left > 0 && pool.calls() {
                            pool.give(0);
                            done.fetch_sub(1, Ordering::Relaxed);
                            left -= 1;
                        }
                    }
                };
                let other = spawn(&pool, &done, generous);
                generous(&pool, &done);
                other.join().expect("no panic");
                // What was given was done, besides the first.
                assert_eq!(done.load(Ordering::Relaxed), 1);
                assert_eq!(pool.waiting(), 0);
            },
            1500,
        );
    }

    #[test]
    fn a_level_begins_when_the_one_before_is_done() {
        check_random(
            || {
                let pool = Arc::new(Pool::new(Turns::Levels));
                let level = Arc::new(AtomicUsize::new(3));
                pool.give(3);
                let careful: fn(&Pool<u32>, &AtomicUsize) = |pool, level| {
                    let mut worker = pool.worker();
                    while let Some(number) = worker.take() {
                        let before = level.swap(number as usize, Ordering::Relaxed);
                        assert!(before >= number as usize, "no level comes back");
                        if number > 0 {
                            pool.give(number - 1);
                            pool.give(number - 1);
                        }
                    }
                };
                let others = [(); 2].map(|()| spawn(&pool, &level, careful));
                careful(&pool, &level);
                others
                    .into_iter()
                    .for_each(|other| other.join().expect("no panic"));
            },
            1500,
        );
    }

    #[test]
    fn all_stop_when_one_says_so() {
        check_random(
            || {
                let (pool, done) = (Arc::new(Pool::new(Turns::First)), Arc::default());
                pool.give(9);
                let others = [(); 2].map(|()| spawn(&pool, &done, work));
                pool.stop();
                others
                    .into_iter()
                    .for_each(|other| other.join().expect("no panic"));
                assert!(pool.is_stopped() && pool.calls());
            },
            500,
        );
    }
}

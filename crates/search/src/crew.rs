//! A search by one worker, or by several that share a store and what is to be done.
//!
//! Each worker is a search with its own books; at the end the books are joined. One begins,
//! and the others come when it has much to do: a small program is explored in the same order
//! whatever the number of processors, and a large one is worth the trouble.
//!
//! They work in shifts. At the end of one everybody has put back what is still to be done, so that
//! the search can be written down, or go over to a smaller store, and then go on.

use crate::book::{Book, Ending};
use crate::breadth_first::BreadthFirst;
use crate::depth_first::DepthFirst;
use crate::explore::{Explorer, Selection};
use crate::select::{Choice, Unsettled};
use crate::sleep::SleepSets;
use crate::snapshot::{Reader, Writer, wrong};
use crate::stores::{Shared, Store};
use crate::{Config, Frontier, Monitor, Order, Progress, Survey};
use raddle_model::{Move, Reason, System, Violation};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// What is remembered of states because not all of their threads move.
#[derive(Default)]
struct Remembered {
    unsettled: Unsettled,
    asleep: SleepSets,
}

/// A search that is to be done.
pub(crate) struct Search<'a, S> {
    pub(crate) system: &'a S,
    pub(crate) choice: Choice<'a, S>,
    pub(crate) config: &'a Config,
    pub(crate) stop_at_first: bool,
}

impl<S: System> Search<'_, S> {
    pub(crate) fn run<T: Shared>(&self, monitor: &mut dyn Monitor, store: T) -> Survey {
        let shared = SharedMonitor::new(monitor);
        match self.config.order {
            Order::DepthFirst => self.explore(&shared, store, &DepthFirst::new()),
            Order::BreadthFirst => self.explore(&shared, store, &BreadthFirst::new(self.config)),
        }
    }

    fn selection<'b>(&self, remembered: &'b Remembered) -> Selection<'b, S> {
        match self.choice {
            Choice::All => Selection::All,
            Choice::Sets(selectors) => Selection::Sets {
                selector: selectors(),
                unsettled: &remembered.unsettled,
            },
            Choice::Sleep => Selection::Sleep {
                sets: &remembered.asleep,
                footprints: Box::default(),
            },
        }
    }

    /// Begins, or goes on with what was written down, and searches to the end.
    fn explore<T: Shared>(
        &self,
        shared: &SharedMonitor<'_>,
        mut store: T,
        frontier: &impl Frontier<S>,
    ) -> Survey {
        let mut own = WorkerMonitor::new(shared, None, 0);
        let mut book = Book::new(self.config, &mut own, self.stop_at_first);
        let Some(initial) = book.initial(self.system) else {
            return book.close(0, 0);
        };
        let mut total = Survey::default();
        let remembered = Remembered::default();
        let mut thinner = None;
        let recalled = shared.recall(&mut |input| {
            total.read(input)?;
            match input.number()? {
                kind if kind == T::KIND => store.read(input)?,
                // It had become smaller, as an empty one can, too.
                _ => match thinner.insert(store.thin(u64::MAX)) {
                    Some(thinner) => thinner.read(input)?,
                    None => return Err(wrong("it is of another store")),
                },
            }
            remembered.asleep.read(input)?;
            frontier.read(self.system, &initial, input)
        });
        match recalled {
            Ok(true) => {
                remembered.unsettled.forget();
                shared.count(&total);
            }
            Ok(false) => {
                let book = book.with_tally(&shared.tally);
                let selection = self.selection(&remembered);
                let store = store.share();
                let mut explorer = Explorer::new(self.system, selection, book, store, &initial);
                if let Some(root) = explorer.root(initial.clone()) {
                    frontier.begin(&mut explorer, root);
                }
                let (survey, ending) = explorer.finish(0);
                total = survey;
                if ending > Ending::Done {
                    return total;
                }
            }
            Err(error) => return total.unreadable(&error),
        }
        match thinner.flatten() {
            Some(thinner) => {
                self.go_on(shared, thinner, frontier, &remembered, &initial, &mut total)
            }
            None => self.go_on(shared, store, frontier, &remembered, &initial, &mut total),
        }
        if self.config.jobs > 1 {
            total.settle(self.stop_at_first);
        }
        total
    }

    /// Searches to the end; on the way writes down what is known, and goes over to a smaller
    /// store when there is no more room.
    fn go_on<T: Shared>(
        &self,
        shared: &SharedMonitor<'_>,
        mut store: T,
        frontier: &impl Frontier<S>,
        remembered: &Remembered,
        initial: &S::State,
        total: &mut Survey,
    ) {
        loop {
            let ending = self.shift(shared, &store, frontier, remembered, initial, total);
            let is_answered = self.stop_at_first && !total.violations.is_empty();
            let is_full = ending == Ending::Stopped && total.reasons.contains(&Reason::Memory);
            if !is_answered
                && is_full
                && self.config.thins
                && let Some(thinner) = store.thin(self.config.limits.memory.unwrap_or(u64::MAX))
            {
                let moved = self.move_over(&store, &thinner, frontier, remembered);
                if let Err(error) = moved {
                    let why = format!("the search cannot go over to another store: {error}");
                    return total.reasons.push(Reason::GaveUp(why));
                }
                drop(store);
                let states = total.statistics.states;
                total.reasons.retain(|reason| *reason != Reason::Memory);
                total.remarks.push(format!(
                    "the memory limit was reached with {states} states; from then on only \
                     fingerprints of states are kept"
                ));
                // What is known of the memory was measured before.
                self.config.stop.set_room(u64::MAX);
                frontier.resume();
                return self.go_on(shared, thinner, frontier, remembered, initial, total);
            }
            let goes_on = shared.end_shift(total, ending, self.stop_at_first, &|out| {
                out.number(T::KIND)?;
                store.write(out)?;
                remembered.asleep.write(out)?;
                frontier.write(self.system, out)
            });
            if !goes_on {
                let states = total.statistics.states;
                total.statistics.omission_probability = store.share().omission_probability(states);
                return;
            }
            frontier.resume();
        }
    }

    /// Goes over from one store to another that has the same states.
    fn move_over(
        &self,
        from: &impl Shared,
        to: &impl Shared,
        frontier: &impl Frontier<S>,
        remembered: &Remembered,
    ) -> io::Result<()> {
        remembered.unsettled.forget();
        let (mut from, mut to) = (from.share(), to.share());
        remembered.asleep.move_over(&mut from, &mut to)?;
        frontier.move_over(&mut from, &mut to)
    }

    /// Has all workers work until everything is done or somebody has to stop.
    fn shift<T: Shared>(
        &self,
        shared: &SharedMonitor<'_>,
        store: &T,
        frontier: &impl Frontier<S>,
        remembered: &Remembered,
        initial: &S::State,
        total: &mut Survey,
    ) -> Ending {
        let work = |monitor: &mut dyn Monitor, any: S::State| {
            let book = Book::new(self.config, monitor, self.stop_at_first);
            let book = book.with_tally(&shared.tally);
            let selection = self.selection(remembered);
            // Choosing takes its time.
            let book = match &selection {
                Selection::All | Selection::Sleep { .. } => book,
                Selection::Sets { .. } => book.pulse_every(16),
            };
            let mut explorer = Explorer::new(self.system, selection, book, store.share(), &any);
            frontier.work(&mut explorer, any);
            explorer.finish(frontier.bytes())
        };
        let mut ending = Ending::Done;
        total.statistics.store_bytes = 0;
        for (survey, how) in crew(self.config, shared, initial, &work) {
            total.join(survey);
            ending = ending.max(how);
        }
        ending
    }
}

/// What is still to be done in a search with workers of its own.
pub trait Remainder: Sync {
    /// Lets workers take up again what was put back. Nobody is at work; so it is for what
    /// follows.
    fn resume(&self);

    /// Writes it down.
    fn write(&self, out: &mut Writer<'_>) -> io::Result<()>;

    /// Goes on with what was written, and with nothing else.
    fn read(&self, input: &mut Reader<'_>) -> io::Result<()>;
}

/// Searches with workers of one's own, each with its books and with something `own`: one begins, and
/// the others come when it has much to do. What they found is joined. Who has to stop puts back
/// what it leaves to the others.
pub fn survey_together<T: Clone + Send>(
    config: &Config,
    monitor: &mut dyn Monitor,
    stop_at_first: bool,
    own: &T,
    remainder: &impl Remainder,
    work: impl Fn(Book<'_>, T) -> (Survey, Ending) + Sync,
) -> Survey {
    let shared = SharedMonitor::new(monitor);
    let mut total = Survey::default();
    match shared.recall(&mut |input| {
        total.read(input)?;
        remainder.read(input)
    }) {
        Ok(true) => shared.count(&total),
        Ok(false) => {}
        Err(error) => return total.unreadable(&error),
    }
    let work = |monitor: &mut dyn Monitor, own: T| {
        let book = Book::new(config, monitor, stop_at_first);
        work(book.with_tally(&shared.tally), own)
    };
    loop {
        let mut ending = Ending::Done;
        for (survey, how) in crew(config, &shared, own, &work) {
            total.join(survey);
            ending = ending.max(how);
        }
        let goes_on = shared.end_shift(&total, ending, stop_at_first, &|out| remainder.write(out));
        if !goes_on {
            break;
        }
        remainder.resume();
    }
    if config.jobs > 1 {
        total.settle(stop_at_first);
    }
    total
}

/// Has one worker do something, and others too when there is much to do. Each of them gets
/// something `own`.
fn crew<T: Clone + Send, R: Send>(
    config: &Config,
    shared: &SharedMonitor<'_>,
    own: &T,
    work: &(impl Fn(&mut dyn Monitor, T) -> R + Sync),
) -> Vec<R> {
    let work = |recruit: Option<Recruit<'_>>, own: T| {
        let mut monitor = WorkerMonitor::new(shared, recruit, config.alone_for);
        work(&mut monitor, own)
    };
    let others = Mutex::new(Vec::new());
    let first = thread::scope(|scope| {
        let (work, others, any) = (&work, &others, own.clone());
        let mut recruit = move || {
            for own in vec![any.clone(); config.jobs.saturating_sub(1)] {
                let help = move || {
                    // The lock is for the result alone: the others work at the same time.
                    let done = work(None, own);
                    lock(others).push(done);
                };
                // Without help, if there is no memory for another thread.
                drop(thread::Builder::new().spawn_scoped(scope, help));
            }
        };
        work(Some(&mut recruit), own.clone())
    });
    let others = others.into_inner().unwrap_or_else(PoisonError::into_inner);
    [first].into_iter().chain(others).collect()
}

impl Survey {
    /// Adds what a worker did and found.
    fn join(&mut self, other: Survey) {
        let (all, more) = (&mut self.statistics, other.statistics);
        all.states += more.states;
        all.transitions += more.transitions;
        all.stutters += more.stutters;
        all.pruned += more.pruned;
        all.executions += more.executions;
        all.depth = all.depth.max(more.depth);
        all.store_bytes = all.store_bytes.max(more.store_bytes);
        all.peak_bytes = all.peak_bytes.max(more.peak_bytes);
        for violation in other.violations {
            let same = |known: &Violation| known.property.same_kind(&violation.property);
            match self.violations.iter().position(same) {
                None => self.violations.push(violation),
                Some(index) => {
                    let known = &mut self.violations[index];
                    if key(&violation) < key(known) {
                        *known = violation;
                    }
                }
            }
        }
        for reason in other.reasons {
            if !self.reasons.contains(&reason) {
                self.reasons.push(reason);
            }
        }
    }

    /// Brings violations that several workers found into an order; and keeps only one, if one
    /// was enough.
    fn settle(&mut self, stop_at_first: bool) {
        self.violations.sort_by(|a, b| key(a).cmp(&key(b)));
        if stop_at_first {
            self.violations.truncate(1);
        }
    }

    /// Writes down what was counted, and what was left out. Reasons for which a search ends are
    /// not written: one that goes on may find others.
    fn write(&self, out: &mut Writer<'_>) -> io::Result<()> {
        let statistics = &self.statistics;
        let counts = [
            statistics.states,
            statistics.transitions,
            statistics.stutters,
            statistics.pruned,
            statistics.executions,
            statistics.depth,
        ];
        counts.into_iter().try_for_each(|it| out.number(it))?;
        out.number(self.reasons.contains(&Reason::Depth).into())?;
        let gave_up = |reason: &Reason| match reason {
            Reason::GaveUp(why) => Some(why.clone()),
            _ => None,
        };
        let gave_up: Vec<String> = self.reasons.iter().filter_map(gave_up).collect();
        [&gave_up, &self.remarks].into_iter().try_for_each(|texts| {
            out.number(texts.len() as u64)?;
            texts.iter().try_for_each(|text| out.text(text))
        })
    }

    /// What there is to say if what was written cannot be read.
    fn unreadable(mut self, error: &io::Error) -> Survey {
        let why = format!("what was written down cannot be read: {error}");
        self.reasons.push(Reason::GaveUp(why));
        self
    }

    fn read(&mut self, input: &mut Reader<'_>) -> io::Result<()> {
        let statistics = &mut self.statistics;
        statistics.states = input.number()?;
        statistics.transitions = input.number()?;
        statistics.stutters = input.number()?;
        statistics.pruned = input.number()?;
        statistics.executions = input.number()?;
        statistics.depth = input.number()?;
        if input.number()? != 0 {
            self.reasons.push(Reason::Depth);
        }
        for _ in 0..input.number()? {
            self.reasons.push(Reason::GaveUp(input.text()?));
        }
        for _ in 0..input.number()? {
            self.remarks.push(input.text()?);
        }
        Ok(())
    }
}

/// Of two violations of the same kind the least is shown.
fn key(violation: &Violation) -> (usize, &[Move]) {
    (violation.schedule.len(), &violation.schedule)
}

/// Where all workers report how far they are.
struct SharedMonitor<'m> {
    monitor: Mutex<&'m mut dyn Monitor>,
    states: AtomicU64,
    transitions: AtomicU64,
    /// The states found so far, if there is a limit on them.
    tally: AtomicU64,
    /// Whether the search can be written down.
    is_open: AtomicBool,
}

impl<'m> SharedMonitor<'m> {
    fn new(monitor: &'m mut dyn Monitor) -> SharedMonitor<'m> {
        SharedMonitor {
            monitor: Mutex::new(monitor),
            states: AtomicU64::new(0),
            transitions: AtomicU64::new(0),
            tally: AtomicU64::new(0),
            is_open: AtomicBool::new(true),
        }
    }

    /// Counts what was done before.
    fn count(&self, survey: &Survey) {
        let statistics = &survey.statistics;
        for count in [&self.states, &self.tally] {
            count.fetch_add(statistics.states, Ordering::Relaxed);
        }
        self.transitions
            .fetch_add(statistics.transitions, Ordering::Relaxed);
    }

    /// At the end of a shift writes down what was found and what is `left`, if that is of use.
    /// Whether another shift follows.
    fn end_shift(
        &self,
        found: &Survey,
        ending: Ending,
        stop_at_first: bool,
        left: &dyn Fn(&mut Writer<'_>) -> io::Result<()>,
    ) -> bool {
        let is_answered = !found.violations.is_empty();
        // There is nothing to be written down any more.
        self.is_open.store(!is_answered, Ordering::Relaxed);
        let is_over = is_answered && stop_at_first || ending == Ending::Done;
        if !is_over && ending != Ending::Torn {
            self.keep(ending == Ending::Stopped, &|out| {
                found.write(out)?;
                left(out)
            });
        }
        !is_over && ending == Ending::Paused
    }

    /// Writes the search down, if it is time.
    fn keep(&self, is_end: bool, write: &dyn Fn(&mut Writer<'_>) -> io::Result<()>) {
        let mut monitor = lock(&self.monitor);
        let archive = monitor.archive();
        let is_open = self.is_open.load(Ordering::Relaxed);
        if let Some(archive) = archive.filter(|_| is_open)
            // Who pauses has asked already.
            && (!is_end || archive.is_due(true))
        {
            archive.keep(&mut |out| write(&mut Writer(out)));
        }
    }

    /// Reads what was written down; tells whether there is anything.
    fn recall(&self, read: &mut dyn FnMut(&mut Reader<'_>) -> io::Result<()>) -> io::Result<bool> {
        let mut monitor = lock(&self.monitor);
        let input = monitor.archive().and_then(|archive| archive.recall());
        let Some(mut input) = input else {
            return Ok(false);
        };
        read(&mut Reader(&mut input))?;
        Ok(true)
    }
}

/// Gets help.
type Recruit<'a> = &'a mut (dyn FnMut() + Send);

/// The monitor of one worker: passes on what all of them did.
struct WorkerMonitor<'a, 'm, 'r> {
    shared: &'a SharedMonitor<'m>,
    /// What this one has told so far.
    told: Progress,
    /// Gets help, if this is the one who began.
    recruit: Option<Recruit<'r>>,
    /// After so many steps.
    alone_for: u64,
}

impl<'a, 'm, 'r> WorkerMonitor<'a, 'm, 'r> {
    fn new(shared: &'a SharedMonitor<'m>, recruit: Option<Recruit<'r>>, alone_for: u64) -> Self {
        let mut own = WorkerMonitor {
            shared,
            told: Progress::default(),
            recruit,
            alone_for,
        };
        own.recruit(shared.transitions.load(Ordering::Relaxed));
        own
    }

    fn recruit(&mut self, steps: u64) {
        if let Some(recruit) = self.recruit.take_if(|_| steps >= self.alone_for) {
            recruit();
        }
    }
}

impl Monitor for WorkerMonitor<'_, '_, '_> {
    fn tick(&mut self, progress: &Progress) -> Option<Reason> {
        let add = |total: &AtomicU64, told, now| {
            let more = now - told;
            total.fetch_add(more, Ordering::Relaxed) + more
        };
        let (told, shared) = (self.told, self.shared);
        self.told = *progress;
        let total = Progress {
            states: add(&shared.states, told.states, progress.states),
            transitions: add(&shared.transitions, told.transitions, progress.transitions),
            ..*progress
        };
        self.recruit(total.transitions);
        // Somebody else is just talking to it.
        let Ok(mut monitor) = shared.monitor.try_lock() else {
            return None;
        };
        monitor.tick(&total)
    }

    fn found(&mut self, violation: &Violation) {
        lock(&self.shared.monitor).found(violation);
    }

    fn wants_pause(&mut self) -> bool {
        let Ok(mut monitor) = self.shared.monitor.try_lock() else {
            return false;
        };
        let is_open = self.shared.is_open.load(Ordering::Relaxed);
        let archive = monitor.archive().filter(|_| is_open);
        archive.is_some_and(|archive| archive.is_due(false))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

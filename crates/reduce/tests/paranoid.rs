//! The checking layer: nothing that the machine says of itself is wrong in any state of
//! the corpus that any search reaches; and lies are found out, one test for each sort.

use raddle_machine::Machine;
use raddle_model::{
    Fault, Footprint, Future, Futures, Halt, Influence, Invariants, Object, ObjectState, Operation,
    Permission, Permissions, Reason, States, Status, System, Temporal, Thread,
};
use raddle_reduce::paranoid::{Broken, Promise, distrust};
use raddle_reduce::{Reduction, survey};
use raddle_search::{Config, Order, StoreKind, Survey};
use raddle_testkit::claims::claiming;
use raddle_testkit::generate::for_all;
use raddle_testkit::{corpus, differential, expectation};

type State = <Machine as States>::State;

/// How many states of each program are inspected.
const MOST_STATES: u64 = 20_000;

/// Searches with a reduction and returns the first wrong claim.
fn broken_with(machine: &Machine, reduction: Reduction, config: &Config) -> Option<Broken> {
    let system = distrust(machine);
    let found = survey(&system, reduction, config, &mut (), false);
    told(system.supervisor.broken(), &found)
}

/// Searches in full and returns the first wrong claim.
fn broken<S: System>(system: &S, config: &Config) -> Option<Broken> {
    let system = distrust(system);
    let found = raddle_search::survey(&system, config, &mut (), false);
    told(system.supervisor.broken(), &found)
}

/// A wrong claim is never kept from the user.
fn told(broken: Option<Broken>, found: &Survey) -> Option<Broken> {
    if broken.is_some() {
        let gave_up = |reason: &Reason| matches!(reason, Reason::GaveUp(_));
        assert!(found.reasons.iter().any(gave_up), "{:?}", found.reasons);
    }
    broken
}

fn inspect_corpus(reduction: Reduction) {
    let mut inspected = 0;
    for file in corpus::programs(&corpus::root()) {
        let source = std::fs::read_to_string(&file).expect("a program can be read");
        let expectation = expectation::parse(&source).expect("it is well formed");
        let Ok(machine) = corpus::load(&source, &expectation) else {
            continue;
        };
        let mut config = corpus::configure(&expectation, Order::DepthFirst, StoreKind::Exact)
            .expect("it is well formed");
        config.limits.states = Some(config.limits.states.unwrap_or(u64::MAX).min(MOST_STATES));
        config.properties = reduction.entry().preserves;
        if let Some(broken) = broken_with(&machine, reduction, &config) {
            panic!("{}: {broken}", file.display());
        }
        inspected += 1;
    }
    assert!(inspected > 300, "only {inspected} programs were inspected");
}

#[test]
fn nothing_in_the_corpus_is_a_lie() {
    // What is inspected is the machine, in the states that a search reaches; the second
    // one also makes steps only to look at them.
    for reduction in [Reduction::FULL, Reduction::PERSISTENT_LOCKS] {
        inspect_corpus(reduction);
    }
}

#[test]
fn nothing_in_random_programs_is_a_lie() {
    for_all(500, |sample| is_honest(&sample.source()));
}

#[test]
fn nothing_in_random_programs_with_claims_is_a_lie() {
    for_all(500, |sample| is_honest(&claiming(sample)));
}

/// Checks the first states of a program.
fn is_honest(source: &str) -> Result<(), String> {
    let mut config = Config::default();
    config.limits.states = Some(200);
    // A program that was made smaller may lack what its claims speak of.
    let Ok(machine) = differential::machine(source) else {
        return Ok(());
    };
    match broken(&machine, &config) {
        None => Ok(()),
        Some(broken) => Err(format!("{broken}\n{source}")),
    }
}

/// A machine that does not tell the truth.
struct Liar {
    system: Machine,
    lie: Lie,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lie {
    /// Footprints without these operations.
    Hides(Operation),
    /// Footprints with one operation in place of another.
    Renames(Operation, Operation),
    /// Semaphores are said to have units enough.
    SemaphoresAreFull,
    /// Nobody is said to own anything.
    NobodyOwns,
    /// Nobody is said to hold anything.
    NobodyHolds,
    /// Nothing is said to be going to happen.
    NoFuture,
    /// Only the next step is said to be going to happen.
    ShortFuture,
    /// Blocked threads are said to be ready.
    AllAreReady,
    /// Ready threads are said to have no choices.
    NoChoices,
    /// Every canonical form is said to stand for the initial state.
    DecodesTheInitialState,
    /// Steps are said to influence permissions no more than this.
    Influences(Influence),
    /// Influence is said to be that of the threads together.
    InfluencesOfAll,
    /// Permissions are said to depend on locks alone.
    OnNoCondition,
    /// Nothing is said to be exclusive.
    NothingIsExclusive,
    /// Nothing is said to stand for permissions.
    NothingStandsForThem,
    /// Everybody is said to have permission.
    AllMay,
}

impl States for Liar {
    type State = State;
}

impl System for Liar {
    fn status(&self, state: &State, thread: Thread) -> Status {
        match (self.lie, self.system.status(state, thread)) {
            (Lie::AllAreReady, Status::Blocked) => Status::Ready { choices: 1 },
            (Lie::NoChoices, Status::Ready { .. }) => Status::Ready { choices: 0 },
            (_, status) => status,
        }
    }

    fn footprint(&self, state: &State, thread: Thread, out: &mut Footprint) {
        let mut truth = Footprint::default();
        self.system.footprint(state, thread, &mut truth);
        out.clear();
        for access in truth.accesses() {
            match self.lie {
                Lie::Hides(hidden) if access.operation == hidden => {}
                Lie::Renames(from, to) if access.operation == from => out.add(access.object, to),
                _ => out.add(access.object, access.operation),
            }
        }
    }

    fn observe(&self, state: &State, object: Object) -> ObjectState {
        match (self.lie, self.system.observe(state, object)) {
            (Lie::SemaphoresAreFull, ObjectState::Semaphore(_)) => ObjectState::Semaphore(9),
            (Lie::NobodyOwns, ObjectState::Monitor { .. }) => ObjectState::Monitor {
                owner: None,
                depth: 0,
                waiting: Vec::new(),
                notified: Vec::new(),
            },
            (_, truth) => truth,
        }
    }

    fn held(&self, state: &State, thread: Thread, out: &mut Vec<Object>) {
        self.system.held(state, thread, out);
        if self.lie == Lie::NobodyHolds {
            out.clear();
        }
    }

    fn initial(&self) -> Result<State, Halt> {
        self.system.initial()
    }

    fn threads(&self, state: &State) -> usize {
        self.system.threads(state)
    }

    fn step(&self, state: &mut State, thread: Thread, choice: u32) -> Result<(), Halt> {
        self.system.step(state, thread, choice)
    }

    fn is_daemon(&self, state: &State, thread: Thread) -> bool {
        self.system.is_daemon(state, thread)
    }

    fn is_impatient(&self, _: &State, _: Thread) -> bool {
        false
    }

    fn encode<'a>(&self, state: &'a State, scratch: &'a mut Vec<u32>) -> &'a [u32] {
        self.system.encode(state, scratch)
    }

    fn decode(&self, words: &[u32], state: &mut State) {
        match (self.lie, self.system.initial()) {
            (Lie::DecodesTheInitialState, Ok(initial)) => *state = initial,
            _ => self.system.decode(words, state),
        }
    }
}

impl Futures for Liar {
    fn future(&self, state: &State, thread: Thread) -> Option<Future> {
        match self.lie {
            Lie::NoFuture => Some(Future::default()),
            Lie::ShortFuture => {
                let mut footprint = Footprint::default();
                self.system.footprint(state, thread, &mut footprint);
                let mut future = Future::default();
                for access in footprint.accesses() {
                    future.add(access.object.region, access.operation);
                }
                Some(future)
            }
            // Whoever renames an operation does so throughout.
            Lie::Renames(..) => None,
            _ => self.system.future(state, thread),
        }
    }
}

impl Permissions for Liar {
    fn permission(&self, state: &State, variable: Object, thread: Thread) -> Permission {
        match (self.lie, self.system.permission(state, variable, thread)) {
            (Lie::AllMay, Permission::Denied) => Permission::Granted,
            (_, truth) => truth,
        }
    }

    fn exclusive(&self, state: &State, out: &mut Vec<Object>) {
        self.system.exclusive(state, out);
        if self.lie == Lie::NothingIsExclusive {
            out.clear();
        }
    }

    fn permissions(&self) -> Option<Object> {
        let truth = self.system.permissions();
        truth.filter(|_| self.lie != Lie::NothingStandsForThem)
    }

    fn is_conditional(&self, variable: Object) -> bool {
        self.lie != Lie::OnNoCondition && self.system.is_conditional(variable)
    }

    fn influence(&self, state: &State, thread: Thread) -> Influence {
        let influence = |thread| self.system.influence(state, thread);
        match self.lie {
            Lie::Influences(most) => influence(thread).min(most),
            Lie::InfluencesOfAll => {
                let threads = (0..self.system.threads(state) as u32).map(Thread);
                threads.map(influence).max().unwrap_or(Influence::None)
            }
            _ => influence(thread),
        }
    }

    fn is_permanent(&self, object: Object) -> bool {
        self.system.is_permanent(object)
    }
}

impl Temporal for Liar {}

impl Invariants for Liar {
    fn check_invariants(&self, state: &State) -> Result<(), Fault> {
        self.system.check_invariants(state)
    }
}

/// Checks that a lie is found out under full search, and as which claim.
fn found_out(lie: Lie, claim: Promise, source: &str) {
    let machine = differential::machine(source).expect("it is well formed");
    let honest = broken(&machine, &Config::default());
    assert_eq!(honest, None, "{source}");
    let liar = Liar {
        system: machine,
        lie,
    };
    let broken = broken(&liar, &Config::default());
    let broken = broken.unwrap_or_else(|| panic!("{lie:?} is believed:\n{source}"));
    assert_eq!(broken.claim, claim, "{broken}");
    // The schedule can be followed to the state in which it was noticed.
    let mut state = liar.initial().expect("the program starts");
    for step in broken.schedule {
        let result = liar.step(&mut state, step.thread, step.choice);
        assert_eq!(result, Ok(()));
    }
}

#[test]
fn a_hidden_write_is_found_out() {
    let lie = Lie::Hides(Operation::Write);
    found_out(
        lie,
        Promise::Independence,
        "int x; thread t[2] { x = index; }",
    );
    // It may be seen only later, by somebody who waits for it or fails because of it.
    let source = "int x; thread a { x = 1; } thread b { await (x == 1); }";
    found_out(lie, Promise::Independence, source);
    let source = "int x; thread a { skip; x = 1; } thread b { skip; assert(x == 0); }";
    found_out(lie, Promise::Independence, source);
}

#[test]
fn a_hidden_read_is_found_out() {
    let lie = Lie::Hides(Operation::Read);
    let source = "int x, y; thread a { x = 1; } thread b { y = x; }";
    found_out(lie, Promise::Independence, source);
    let source = "int x, y[2]; thread a { x = 1; } thread b { atomic { y[x] = 1; } }";
    found_out(lie, Promise::Independence, source);
}

#[test]
fn a_hidden_operation_of_any_kind_is_found_out() {
    for (operation, source) in [
        (
            Operation::Acquire,
            "lock m; int x; thread t[2] { acquire(m); x = 1; }",
        ),
        (
            Operation::Release,
            "lock m; thread t[2] { acquire(m); release(m); }",
        ),
        (
            Operation::Up,
            "semaphore s; thread a { up(s); } thread b { down(s); }",
        ),
        (
            Operation::Down,
            "semaphore s = 1; int x; thread t[2] { down(s); x = 1; }",
        ),
        (
            Operation::Send,
            "channel<int>(2) c; thread t[2] { send(c, index); }",
        ),
        (
            Operation::Finish,
            "int x; thread c() { x = 1; } thread a { thread h = spawn c(); join(h); }",
        ),
    ] {
        found_out(Lie::Hides(operation), Promise::Independence, source);
    }
}

#[test]
fn a_wrong_state_of_a_semaphore_is_found_out() {
    let source = "semaphore s = 1; int x; thread t[2] { down(s); x = 1; }";
    found_out(Lie::SemaphoresAreFull, Promise::Independence, source);
}

#[test]
fn wrong_owners_of_locks_are_found_out() {
    let source = "lock m; int x; thread t[2] { acquire(m); x = 1; release(m); }";
    found_out(Lie::NobodyOwns, Promise::Locks, source);
    found_out(Lie::NobodyHolds, Promise::Locks, source);
}

#[test]
fn a_future_without_the_next_step_is_found_out() {
    found_out(
        Lie::NoFuture,
        Promise::Futures,
        "int x; thread t { x = 1; }",
    );
}

#[test]
fn a_future_that_grows_is_found_out() {
    let source = "int x, y; thread t { x = 1; y = 1; }";
    found_out(Lie::ShortFuture, Promise::Futures, source);
    let source = "int x; thread c() { x = 1; } thread t { spawn c(); }";
    found_out(Lie::ShortFuture, Promise::Futures, source);
}

#[test]
fn a_mover_that_does_not_move_is_found_out() {
    // Two downs commute, although one may disable the other; two writes do not.
    let lie = Lie::Renames(Operation::Write, Operation::Down);
    found_out(lie, Promise::Movers, "int x; thread t[2] { x = index; }");
}

#[test]
fn a_blocked_thread_that_is_said_to_be_ready_is_found_out() {
    let source = "semaphore s; thread a { down(s); }";
    found_out(Lie::AllAreReady, Promise::Status, source);
}

#[test]
fn a_ready_thread_without_choices_is_found_out() {
    found_out(
        Lie::NoChoices,
        Promise::Status,
        "int x; thread t { x = 1; }",
    );
}

#[test]
fn a_canonical_form_of_another_state_is_found_out() {
    let source = "int x; thread t { x = 1; }";
    found_out(Lie::DecodesTheInitialState, Promise::Form, source);
}

/// Permission is given by others, and taken by oneself.
const TURN: &str = "\
    int turn unprotected; int x; exclusive x when turn == index;
    thread t[2] { await (turn == index); x = 1; turn = 1; }";

/// It is taken from another thread, and given to nobody.
const ONCE: &str = "\
    bool over unprotected; int x; exclusive x when index == 0 && !over;
    thread t[1] { x = 1; } thread u { over = true; }";

#[test]
fn influences_that_are_not_told_are_found_out() {
    for (most, source) in [
        (Influence::None, TURN),
        (Influence::Takes, TURN),
        (Influence::None, ONCE),
        (
            Influence::None,
            "int x initialised by t; thread t { x = 1; atomic { skip; } lock_it(); } lock m; void lock_it() { acquire(m); }",
        ),
        (
            Influence::None,
            "int x; exclusive x when at(here); thread t[2] { skip; here: x = 1; }",
        ),
        (
            Influence::None,
            "int x; exclusive x when index < 0; thread c() { x = 1; } thread t { skip; spawn c(); }",
        ),
        (
            Influence::None,
            "record R { int f; } R r unprotected; int y unprotected; exclusive R.f when index < 0; thread t { y = 1; r = new R; r.f = 1; }",
        ),
    ] {
        found_out(Lie::Influences(most), Promise::Permissions, source);
    }
}

#[test]
fn influences_that_depend_on_others_are_found_out() {
    found_out(Lie::InfluencesOfAll, Promise::Permissions, TURN);
}

#[test]
fn conditions_that_are_not_told_are_found_out() {
    for lie in [Lie::OnNoCondition, Lie::NothingStandsForThem] {
        found_out(lie, Promise::Permissions, TURN);
        let source =
            "int x initialised by a; semaphore s; thread a { x = 1; up(s); } thread b { x = 1; }";
        found_out(lie, Promise::Permissions, source);
    }
    let source = "int x; exclusive x when true; thread t[2] { x = 1; }";
    found_out(Lie::NothingIsExclusive, Promise::Permissions, source);
}

#[test]
fn locks_that_do_not_protect_are_found_out() {
    let source = "lock m; int x protected by m; thread t[2] { synchronized (m) { x = 1; } }";
    found_out(Lie::AllMay, Promise::Permissions, source);
}

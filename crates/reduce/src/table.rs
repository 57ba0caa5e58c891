//! The table of reductions. A search is three choices: a [`Policy`] says how far a step runs, a
//! [`Selector`] which threads move in a state, and an engine (`raddle_search`) what is
//! remembered, in which order, by how many workers.
//!
//! A policy makes a system out of a system, and a selector is sound for any system whose
//! footprints are true. So what a combination preserves and needs follows from its parts.
//! The combinations that the papers describe have names of their own: [`Reduction::ALL`].
//! Others are written with a plus sign, such as `optimistic+sleep`.

use crate::composed::Footprints;
use crate::exclusive::Grain;
use crate::persistent::Sets;
use crate::stateless::Mode;
use raddle_model::Properties;
use std::sync::LazyLock;

/// How far a step runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// To the next access.
    EveryAccess,
    /// Through the invisible steps after it, which cause no dependence.
    Optimistic,
    /// The same, but what the invisible steps touch belongs to the step.
    Composed,
    /// Through right movers, a commit and left movers.
    Transactions,
}

/// Which threads move in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selector {
    /// All that can.
    All,
    /// One that nobody can interfere with, if there is one.
    Local,
    /// Those of a persistent set.
    Persistent,
    /// Those that are not asleep.
    Sleep,
    /// The same, with a store.
    SleepStore,
    /// Those of a persistent set that are not asleep.
    PersistentSleep,
    /// One, and those that a race asks for.
    Dpor,
    /// One, up to where it meets what another one does on its own.
    Cartesian,
}

/// A way to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Whichever is best.
    Auto,
    /// How far steps run, and who moves.
    Of(Policy, Selector),
}

/// What is to be known of a reduction.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name on the command line and in reports.
    pub name: &'static str,
    /// The paper it comes from, and where in it.
    pub source: &'static str,
    /// What it skips, in one sentence.
    pub summary: &'static str,
    /// The properties that it preserves.
    pub preserves: Properties,
    /// What it needs of a program.
    pub needs: &'static str,
    /// Whether it makes assumptions about who accesses what, and checks them.
    pub checks: bool,
    /// Whether it works with every search order and every store.
    pub orders: bool,
    /// Whether it can prove that there are no deadlocks, although it finds none.
    pub excludes_deadlocks: bool,
    /// Whether it can make use of several processors.
    pub concurrent: bool,
    /// Whether it skips steps but no states, so that whatever can be seen in a state is seen.
    pub visits_all_states: bool,
    /// Whether it finds every fault, or only one if there is one.
    pub finds_each_fault: bool,
    /// Whether it looks for races with what threads would have done, so that all of them have to
    /// come to their end.
    pub needs_ends: bool,
    /// Whether a step that leads nowhere costs nothing: elsewhere it is a reason to try everybody.
    pub(crate) ignores_dead_ends: bool,
    pub(crate) layer: Layer,
    pub(crate) engine: Engine,
}

impl Entry {
    /// What is looked for if nobody says: of what no program should do all that is preserved.
    pub fn looks_for(&self) -> Properties {
        self.preserves.and(Properties::ALL)
    }
}

// Invariants are preserved by every reduction, because a thread that checks them fails
// like any other: see `observer.rs`.

/// What is preserved where nothing is skipped.
const EVERYTHING: Properties = Properties {
    ends: true,
    ..Properties::ALL
};

/// What is preserved where only that is seen which threads do themselves.
const FAULTS: Properties = Properties {
    deadlock: false,
    partial_deadlock: false,
    temporal: false,
    ..Properties::ALL
};

/// What is preserved where all that can be seen in states is seen, but not every order in which it
/// comes.
const STATES: Properties = Properties {
    temporal: false,
    ..Properties::ALL
};

/// What is preserved where the ends of executions are seen, too.
const FAULTS_AND_DEADLOCKS: Properties = Properties {
    partial_deadlock: false,
    temporal: false,
    ..Properties::ALL
};

/// What a policy makes of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    /// The same.
    None,
    /// One whose steps are composed (`composed.rs`), with what they are said to touch.
    Composed(Footprints),
    /// One whose steps are transactions (`transactional.rs`).
    Transactions,
}

/// Who explores the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    /// The common engines: every order, every store, several workers.
    Common(Movers),
    /// Without a store, one execution after the other (`stateless.rs`).
    Stateless(Mode),
    /// Cartesian vectors, by several workers (`cartesian.rs`).
    Vectors,
    /// The fixpoint of paper 004 (`transactions.rs`).
    Fixpoint,
}

/// Who moves in a state, on the common engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Movers {
    /// All threads.
    All,
    /// Those of a persistent set.
    Sets(Sets),
    /// Those that do not sleep.
    Awake,
}

/// How a policy is done inside of a run (`exclusive.rs`), for systems that go through many accesses
/// in a step and know nothing of futures.
struct Runs {
    /// What is left out if all threads move.
    all: Grain,
    /// What is left out otherwise.
    others: Grain,
    /// The selectors that may choose among such steps.
    selectors: &'static [Selector],
}

struct PolicyEntry {
    policy: Policy,
    name: &'static str,
    summary: &'static str,
    preserves: Properties,
    layer: Layer,
    /// Whether every fault is found, or only one if there is one.
    finds_each_fault: bool,
    runs: Option<Runs>,
    /// The selectors that choose among its steps. A step of `optimistic` says only what its
    /// first operation touches, which races, vectors and stored sleep sets are not content with; among all
    /// threads `composed` is the same search as `optimistic`.
    selectors: &'static [Selector],
}

const POLICIES: &[PolicyEntry] = &[
    PolicyEntry {
        policy: Policy::EveryAccess,
        name: "",
        summary: "",
        preserves: EVERYTHING,
        layer: Layer::None,
        finds_each_fault: true,
        runs: Some(Runs {
            all: Grain::Shared,
            others: Grain::Local,
            selectors: &[
                Selector::All,
                Selector::Local,
                Selector::Sleep,
                Selector::SleepStore,
                Selector::Dpor,
                Selector::Cartesian,
            ],
        }),
        selectors: &[
            Selector::All,
            Selector::Local,
            Selector::Persistent,
            Selector::Sleep,
            Selector::SleepStore,
            Selector::PersistentSleep,
            Selector::Dpor,
            Selector::Cartesian,
        ],
    },
    PolicyEntry {
        policy: Policy::Optimistic,
        name: "optimistic",
        summary: "switches threads before visible steps only",
        preserves: STATES,
        layer: Layer::Composed(Footprints::First),
        finds_each_fault: true,
        runs: Some(Runs {
            all: Grain::Guarded,
            others: Grain::Guarded,
            selectors: &[
                Selector::All,
                Selector::Local,
                Selector::Sleep,
                Selector::PersistentSleep,
            ],
        }),
        selectors: &[
            Selector::All,
            Selector::Local,
            Selector::Persistent,
            Selector::Sleep,
            Selector::PersistentSleep,
        ],
    },
    PolicyEntry {
        policy: Policy::Composed,
        name: "composed",
        summary: "joins a step and the unobservable ones after it into a single step",
        preserves: STATES,
        layer: Layer::Composed(Footprints::All),
        finds_each_fault: true,
        runs: None,
        selectors: &[
            Selector::Local,
            Selector::Persistent,
            Selector::Sleep,
            Selector::SleepStore,
            Selector::PersistentSleep,
            Selector::Dpor,
        ],
    },
    PolicyEntry {
        policy: Policy::Transactions,
        name: "transactions",
        summary: "runs a thread through right movers, a commit and left movers",
        preserves: FAULTS,
        layer: Layer::Transactions,
        finds_each_fault: false,
        // Selectors rely on what steps touch, which is not known of a transaction inside of a run.
        runs: Some(Runs {
            all: Grain::Transactions,
            others: Grain::Transactions,
            selectors: &[Selector::All],
        }),
        selectors: &[
            Selector::All,
            Selector::Local,
            Selector::Persistent,
            Selector::Sleep,
            Selector::SleepStore,
            Selector::PersistentSleep,
            Selector::Dpor,
        ],
    },
];

struct SelectorEntry {
    selector: Selector,
    name: &'static str,
    summary: &'static str,
    preserves: Properties,
    needs: &'static str,
    engine: Engine,
    /// What it comes to where nothing is known of futures.
    without_futures: Selector,
    visits_all_states: bool,
}

const ACYCLIC: &str = "a program without cycles";

const SELECTORS: &[SelectorEntry] = &[
    SelectorEntry {
        selector: Selector::All,
        name: "all",
        summary: "all threads move",
        preserves: EVERYTHING,
        needs: "",
        engine: Engine::Common(Movers::All),
        without_futures: Selector::All,
        visits_all_states: true,
    },
    SelectorEntry {
        selector: Selector::Local,
        name: "local",
        summary: "one thread moves that no other can interfere with",
        preserves: STATES,
        needs: "futures",
        engine: Engine::Common(Movers::Sets(Sets::Singletons)),
        without_futures: Selector::All,
        visits_all_states: false,
    },
    SelectorEntry {
        selector: Selector::Persistent,
        name: "persistent",
        summary: "the threads of a persistent set move",
        preserves: STATES,
        needs: "futures",
        engine: Engine::Common(Movers::Sets(Sets::Any)),
        without_futures: Selector::All,
        visits_all_states: false,
    },
    SelectorEntry {
        selector: Selector::Sleep,
        name: "sleep",
        summary: "threads move that are not asleep",
        preserves: FAULTS_AND_DEADLOCKS,
        needs: ACYCLIC,
        engine: Engine::Stateless(Mode::Sleep),
        without_futures: Selector::Sleep,
        visits_all_states: true,
    },
    SelectorEntry {
        selector: Selector::SleepStore,
        name: "sleep+store",
        summary: "threads move that are not asleep; visits every state by fewer steps",
        preserves: STATES,
        needs: "",
        engine: Engine::Common(Movers::Awake),
        without_futures: Selector::SleepStore,
        visits_all_states: true,
    },
    SelectorEntry {
        selector: Selector::PersistentSleep,
        name: "persistent+sleep",
        summary: "threads of a persistent set move that are not asleep",
        preserves: FAULTS_AND_DEADLOCKS,
        needs: ACYCLIC,
        engine: Engine::Stateless(Mode::Selective),
        without_futures: Selector::Sleep,
        visits_all_states: false,
    },
    SelectorEntry {
        selector: Selector::Dpor,
        name: "dpor",
        summary: "threads move whose steps were seen to be in a race",
        preserves: FAULTS_AND_DEADLOCKS,
        needs: ACYCLIC,
        engine: Engine::Stateless(Mode::Dpor),
        without_futures: Selector::Dpor,
        visits_all_states: false,
    },
    SelectorEntry {
        selector: Selector::Cartesian,
        name: "cartesian",
        summary: "a thread moves on until it meets what another one would do on its own",
        preserves: FAULTS,
        needs: "objects that keep their names while a thread runs",
        engine: Engine::Vectors,
        without_futures: Selector::Cartesian,
        visits_all_states: false,
    },
];

/// A combination that has a name of its own.
struct Row {
    reduction: Reduction,
    name: &'static str,
    source: &'static str,
    summary: &'static str,
}

const ROWS: &[Row] = &[
    Row {
        reduction: Reduction::FULL,
        name: "none",
        source: "",
        summary: "explores every interleaving",
    },
    Row {
        reduction: Reduction::LOCAL,
        name: "local",
        source: "000, section 11 (LocalFinal)",
        summary: "no context switch before a step that no other thread can interfere with",
    },
    Row {
        reduction: Reduction::PERSISTENT,
        name: "persistent",
        source: "002, sections 3 and 8",
        summary: "runs only a set of threads that the others cannot interfere with",
    },
    Row {
        reduction: Reduction::PERSISTENT_LOCKS,
        name: "persistent-locks",
        source: "002, sections 8 and 9 (Algorithm 2-MLD', Theorem 6')",
        summary: "persistent sets of steps, each joined with the unobservable ones after it",
    },
    Row {
        reduction: Reduction::CARTESIAN,
        name: "cartesian",
        source: "001, Fig. 6 and 7, Theorem 1",
        summary: "runs a thread on until it meets what another one would do on its own",
    },
    Row {
        reduction: Reduction::SLEEP,
        name: "sleep",
        source: "002, sections 3 and 7 (Fig. 1 and 4, Theorem 1)",
        summary: "does not try a step again that was tried before and that no other thread interfered with",
    },
    Row {
        reduction: Reduction::STATELESS,
        name: "stateless",
        source: "002, sections 3, 7 and 8 (Fig. 1 and 4, Theorem 1)",
        summary: "persistent sets and sleep sets together, without a store",
    },
    Row {
        reduction: Reduction::INVISIBLE_FIRST,
        name: "invisible-first",
        source: "002, sections 4 and 9 (Fig. 2, Theorems 3 and 3')",
        summary: "makes steps at once that no other thread can observe; assumes and checks locks",
    },
    Row {
        reduction: Reduction::COMPOSED,
        name: "composed",
        source: "002, sections 5, 8 and 9 (Theorems 5, 5' and 6')",
        summary: "joins a step and the unobservable ones after it into a single step",
    },
    Row {
        reduction: Reduction::DPOR,
        name: "dpor",
        source: "Flanagan, Godefroid 2005; Abdulla, Aronis, Jonsson, Sagonas 2014",
        summary: "exchanges two steps only if they were seen to be in a race",
    },
    Row {
        reduction: Reduction::OPTIMISTIC,
        name: "optimistic",
        source: "000, sections 4 to 9",
        summary: "switches threads before visible steps only; assumes and checks protection",
    },
    Row {
        reduction: Reduction::TRANSACTIONS,
        name: "transactions",
        source: "004, sections 4 to 6",
        summary: "runs a thread through right movers, a commit and left movers; infers locks",
    },
];

const AUTO: Entry = Entry {
    name: "auto",
    source: "",
    summary: "chooses one of them for the program and the properties",
    preserves: EVERYTHING,
    needs: "",
    checks: true,
    orders: true,
    excludes_deadlocks: false,
    concurrent: true,
    visits_all_states: false,
    finds_each_fault: true,
    needs_ends: false,
    ignores_dead_ends: false,
    // If nothing is chosen, it is full search.
    layer: Layer::None,
    engine: Engine::Common(Movers::All),
};

/// All combinations, those with a name of their own first.
static TABLE: LazyLock<Vec<(Reduction, Entry)>> = LazyLock::new(|| {
    let rows = ROWS.iter().filter_map(|row| {
        let parts = combine(row.reduction)?;
        let entry = Entry {
            name: row.name,
            source: row.source,
            summary: row.summary,
            ..parts
        };
        Some((row.reduction, entry))
    });
    let pairs = POLICIES.iter().flat_map(|policy| {
        let selectors = policy.selectors.iter();
        selectors.map(|&selector| Reduction::Of(policy.policy, selector))
    });
    let is_named = |it: &Reduction| ROWS.iter().any(|row| row.reduction == *it);
    let others = pairs.filter(|it| !is_named(it));
    let others = others.filter_map(|it| Some((it, combine(it)?)));
    let auto = [(Reduction::Auto, AUTO)];
    rows.chain(auto).chain(others).collect()
});

/// What follows from the parts of a combination.
fn combine(reduction: Reduction) -> Option<Entry> {
    let (policy, selector) = rows(reduction)?;
    let is_alone = selector.selector == Selector::All;
    let is_plain = policy.layer == Layer::None;
    // Transactions of all threads are a fixpoint, with an engine of its own.
    let engine = match policy.layer == Layer::Transactions && is_alone {
        true => Engine::Fixpoint,
        false => selector.engine,
    };
    let orders = matches!(engine, Engine::Common(_));
    let join = |first: &str, second: &str, between: &str| match (first, second) {
        ("", it) | (it, "") => it.to_owned(),
        (first, second) => format!("{first}{between}{second}"),
    };
    Some(Entry {
        name: join(policy.name, selector.name, "+").leak(),
        source: "",
        summary: join(policy.summary, selector.summary, "; ").leak(),
        preserves: policy.preserves.and(selector.preserves),
        needs: selector.needs,
        checks: !is_plain || is_alone,
        orders,
        excludes_deadlocks: engine == Engine::Fixpoint,
        concurrent: engine != Engine::Fixpoint,
        visits_all_states: is_plain && selector.visits_all_states,
        finds_each_fault: policy.finds_each_fault,
        needs_ends: engine == Engine::Stateless(Mode::Dpor),
        ignores_dead_ends: matches!(engine, Engine::Vectors | Engine::Stateless(Mode::Sleep)),
        layer: policy.layer,
        engine,
    })
}

fn rows(reduction: Reduction) -> Option<(&'static PolicyEntry, &'static SelectorEntry)> {
    let Reduction::Of(policy, selector) = reduction else {
        return None;
    };
    let policy = POLICIES.iter().find(|it| it.policy == policy)?;
    let selector = SELECTORS.iter().find(|it| it.selector == selector)?;
    Some((policy, selector))
}

impl Reduction {
    /// Every interleaving.
    pub const FULL: Reduction = Reduction::Of(Policy::EveryAccess, Selector::All);
    /// Persistent sets of one thread.
    pub const LOCAL: Reduction = Reduction::Of(Policy::EveryAccess, Selector::Local);
    /// Persistent sets.
    pub const PERSISTENT: Reduction = Reduction::Of(Policy::EveryAccess, Selector::Persistent);
    /// Persistent sets of composed steps.
    pub const PERSISTENT_LOCKS: Reduction = Reduction::Of(Policy::Composed, Selector::Persistent);
    /// Cartesian vectors.
    pub const CARTESIAN: Reduction = Reduction::Of(Policy::EveryAccess, Selector::Cartesian);
    /// Sleep sets, without a store.
    pub const SLEEP: Reduction = Reduction::Of(Policy::EveryAccess, Selector::Sleep);
    /// Persistent sets and sleep sets, without a store.
    pub const STATELESS: Reduction = Reduction::Of(Policy::EveryAccess, Selector::PersistentSleep);
    /// The same, with invisible steps first.
    pub const INVISIBLE_FIRST: Reduction =
        Reduction::Of(Policy::Optimistic, Selector::PersistentSleep);
    /// The same, with composed steps.
    pub const COMPOSED: Reduction = Reduction::Of(Policy::Composed, Selector::PersistentSleep);
    /// Dynamic partial-order reduction, without a store.
    pub const DPOR: Reduction = Reduction::Of(Policy::EveryAccess, Selector::Dpor);
    /// Context switches before visible steps only.
    pub const OPTIMISTIC: Reduction = Reduction::Of(Policy::Optimistic, Selector::All);
    /// Transactions with inferred locks.
    pub const TRANSACTIONS: Reduction = Reduction::Of(Policy::Transactions, Selector::All);

    /// The reductions with names of their own, in the order of the table.
    pub const ALL: &'static [Reduction] = &[
        Reduction::FULL,
        Reduction::LOCAL,
        Reduction::PERSISTENT,
        Reduction::PERSISTENT_LOCKS,
        Reduction::CARTESIAN,
        Reduction::SLEEP,
        Reduction::STATELESS,
        Reduction::INVISIBLE_FIRST,
        Reduction::COMPOSED,
        Reduction::DPOR,
        Reduction::OPTIMISTIC,
        Reduction::TRANSACTIONS,
        Reduction::Auto,
    ];

    /// The names of those of them that have something in common, as a list in a sentence.
    pub fn listed(is_meant: impl Fn(Reduction) -> bool) -> String {
        let all = Reduction::ALL.iter().copied().filter(|&it| is_meant(it));
        let names: Vec<String> = all.map(|it| format!("`{}`", it.entry().name)).collect();
        match &names[..] {
            [] => String::new(),
            [one] => one.clone(),
            [most @ .., last] => format!("{} or {last}", most.join(", ")),
        }
    }

    /// The other combinations of a policy and a selector.
    pub fn combinations() -> impl Iterator<Item = Reduction> {
        let all = TABLE.iter().map(|(reduction, _)| *reduction);
        all.filter(|reduction| !Reduction::ALL.contains(reduction))
    }

    /// The row of the table.
    pub fn entry(self) -> &'static Entry {
        let found = TABLE.iter().find(|(reduction, _)| *reduction == self);
        // What is not in the table cannot be asked for.
        found.map_or(&AUTO, |(_, entry)| entry)
    }

    /// How it is done for a system that goes through many accesses in a step (`exclusive.rs`) and
    /// knows nothing of futures: what is left out inside of steps, and the search of the steps.
    pub fn inside_runs(self) -> Option<(Grain, Reduction)> {
        let reduction = match self {
            // It loses nothing and takes the fewest steps.
            Reduction::Auto => Reduction::TRANSACTIONS,
            other => other,
        };
        let (policy, selector) = rows(reduction)?;
        let runs = policy.runs.as_ref()?;
        if !runs.selectors.contains(&selector.selector) {
            return None;
        }
        let grain = match selector.selector {
            Selector::All => runs.all,
            _ => runs.others,
        };
        let selector = selector.without_futures;
        Some((grain, Reduction::Of(Policy::EveryAccess, selector)))
    }

    /// Whether its search can be written down and go on later: it assumes nothing, which would
    /// have to be written, too, and works on an engine that can.
    pub fn is_resumable(self) -> bool {
        let can_write = match self.entry().engine {
            Engine::Common(_) | Engine::Stateless(_) => true,
            Engine::Vectors | Engine::Fixpoint => false,
        };
        self.entry().layer == Layer::None && can_write && self != Reduction::Auto
    }

    /// Whether it sees to it that what it skips makes no difference to invariants: on the common
    /// engine. For the others there is an observer (`observer.rs`).
    pub fn sees_changes(self) -> bool {
        self.entry().orders
    }

    /// The reduction with a name: one of its own, or the names of its parts in any order.
    pub fn by_name(name: &str) -> Option<Reduction> {
        let sorted = |name: &str| {
            let mut parts: Vec<String> = name.split('+').map(str::to_owned).collect();
            parts.sort_unstable();
            parts
        };
        let asked = sorted(name);
        let spells = |reduction: Reduction| {
            let parts = combine(reduction);
            parts.is_some_and(|it| sorted(it.name) == asked)
        };
        let mut all = TABLE.iter();
        let known = all.find(|(_, entry)| entry.name == name);
        let known = known.or_else(|| TABLE.iter().find(|(it, _)| spells(*it)));
        known.map(|(reduction, _)| *reduction)
    }
}

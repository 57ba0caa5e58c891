//! Measures a search by a program whose steps cost next to nothing: counters that
//! are incremented independently.
//!
//! ```sh
//! cargo run --release -p raddle-search --example grid -- [counters] [limit] [words] [jobs] [order] [store]
//! ```
//!
//! With `n` counters below `k` there are k^n states and n (k-1) k^(n-1) transitions.
//! `words` is the length of a state: the counters are spread over it, as the
//! positions and variables of the threads of a real program would be. Without the
//! name of an order or a store, all of them are measured.

#![allow(clippy::print_stdout)]

use raddle_model::{
    Footprint, Futures, Halt, Invariants, Object, ObjectState, Permissions, States, Status, System,
    Temporal, Thread,
};
use raddle_search::{Config, Order, StoreKind, check};
use std::time::Instant;

struct Grid {
    counters: usize,
    limit: u32,
    words: usize,
}

impl Grid {
    fn position(&self, thread: Thread) -> usize {
        thread.index() * self.words / self.counters
    }
}

impl States for Grid {
    type State = Vec<u32>;
}

impl System for Grid {
    fn initial(&self) -> Result<Vec<u32>, Halt> {
        Ok(vec![0; self.words])
    }

    fn threads(&self, _: &Vec<u32>) -> usize {
        self.counters
    }

    #[inline]
    fn status(&self, state: &Vec<u32>, thread: Thread) -> Status {
        match state[self.position(thread)] + 1 < self.limit {
            true => Status::Ready { choices: 1 },
            false => Status::Done,
        }
    }

    #[inline]
    fn step(&self, state: &mut Vec<u32>, thread: Thread, _: u32) -> Result<(), Halt> {
        let position = self.position(thread);
        state[position] += 1;
        Ok(())
    }

    fn footprint(&self, _: &Vec<u32>, _: Thread, _: &mut Footprint) {}

    fn observe(&self, _: &Vec<u32>, _: Object) -> ObjectState {
        ObjectState::Opaque
    }

    fn held(&self, _: &Vec<u32>, _: Thread, _: &mut Vec<Object>) {}

    fn is_daemon(&self, _: &Vec<u32>, _: Thread) -> bool {
        false
    }

    fn is_impatient(&self, _: &Vec<u32>, _: Thread) -> bool {
        false
    }

    #[inline]
    fn encode<'a>(&self, state: &'a Vec<u32>, _: &'a mut Vec<u32>) -> &'a [u32] {
        state
    }

    fn decode(&self, words: &[u32], state: &mut Vec<u32>) {
        state.clear();
        state.extend_from_slice(words);
    }
}

impl Futures for Grid {}

impl Permissions for Grid {}

impl Temporal for Grid {}

impl Invariants for Grid {}

fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<usize> = names.iter().flat_map(|name| name.parse()).collect();
    let argument = |index, default| numbers.get(index).copied().unwrap_or(default);
    let wanted = |all: &[&str], name: &str| {
        let named = |name: &str| names.iter().any(|other| other == name);
        named(name) || !all.iter().any(|name| named(name))
    };
    let counters = argument(0, 7).max(1);
    let system = Grid {
        counters,
        limit: argument(1, 9).max(1) as u32,
        words: argument(2, 20).max(counters),
    };
    let stores = [
        StoreKind::Exact,
        StoreKind::Fingerprint,
        StoreKind::Bitstate { log2_bits: 30 },
    ];
    let combinations = Order::ALL
        .into_iter()
        .flat_map(|order| stores.map(|store| (order, store)));
    let orders = Order::ALL.map(Order::name);
    let store_names = stores.map(StoreKind::name);
    for (order, store) in combinations {
        if wanted(&orders, order.name()) && wanted(&store_names, store.name()) {
            let config = Config {
                order,
                store,
                jobs: argument(3, 1),
                alone_for: argument(4, 1 << 16) as u64,
                ..Config::default()
            };
            let start = Instant::now();
            let statistics = check(&system, &config, &mut ()).statistics;
            let elapsed = start.elapsed();
            println!(
                "{:13} {:11} {:>10} states {:>11} transitions {:6.1} ns/transition \
                 {:5.1} bytes/state, {:5.1} at the most",
                order.name(),
                store.name(),
                statistics.states,
                statistics.transitions,
                elapsed.as_nanos() as f64 / statistics.transitions as f64,
                statistics.store_bytes as f64 / statistics.states as f64,
                statistics.peak_bytes as f64 / statistics.states as f64,
            );
        }
    }
}

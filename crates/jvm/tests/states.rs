//! States: copies are independent, and garbage makes no difference.

use crate::common;

use common::Silent;
use raddle_testkit::jdk::{compile_texts, jdk};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use raddle_jvm::load::{Directory, Jdk};
use raddle_jvm::{Access, End, Event, State, ThreadId, Watch, World};

const PROGRAM: &str = "
import java.util.*;
public class States {
    static final List<Object> kept = new ArrayList<>();
    static class Node { final int value; Node next; Node(int value, Node next) { this.value = value; this.next = next; } }
    public static void main(String[] args) throws Exception {
        int garbage = Integer.parseInt(args[0]);
        Node node = null;
        for (int i = 0; i < 10; i++) {
            for (int k = 0; k < garbage; k++) new int[k].clone();
            node = new Node(i, node);
        }
        kept.add(node);
        kept.add(args[1].concat(\"!\"));
        Thread other = new Thread(() -> { synchronized (kept) { kept.add(new StringBuilder(\"other\")); } });
        other.start();
        other.join();
    }
}";

/// The folder with the classes, which the first test that asks compiles.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("states");
        std::fs::create_dir_all(&folder).expect("a folder");
        compile_texts(&folder, [("States".to_owned(), PROGRAM.to_owned())]);
        folder
    })
}

fn world() -> World {
    let classes = Directory(classes().to_owned());
    let jdk = Jdk::open(jdk()).expect("a JDK");
    World::new(jdk, vec![Box::new(classes)]).expect("the library loads")
}

fn begin(world: &World, booted: &State, garbage: u32, text: &str) -> State {
    let arguments = [garbage.to_string(), text.to_owned()];
    raddle_jvm::start(world, booted, "States", &arguments, &mut Silent).expect("it starts")
}

#[test]
fn garbage_and_the_order_of_allocation_make_no_difference() {
    let world = world();
    let booted = raddle_jvm::boot(&world, &mut Silent).expect("the library starts");
    let end = |garbage: u32, text: &str| {
        let mut state = begin(&world, &booted, garbage, text);
        assert_eq!(
            raddle_jvm::run(&world, &mut state, &mut Silent, 1000),
            End::Exit(0)
        );
        state.canonical(&world)
    };
    assert!(end(0, "x") == end(7, "x"));
    assert!(end(0, "x") != end(0, "y"));
}

#[test]
fn a_copy_stays_what_it_was() {
    let world = world();
    let booted = raddle_jvm::boot(&world, &mut Silent).expect("the library starts");
    let mut state = begin(&world, &booted, 3, "x");
    state.freeze();
    let copy = state.clone();
    let before = copy.canonical(&world);
    assert!(state.canonical(&world) == before);
    assert_eq!(
        raddle_jvm::run(&world, &mut state, &mut Silent, 1000),
        End::Exit(0)
    );
    assert!(copy.canonical(&world) == before);
    assert!(state.canonical(&world) != before);
    // The copy can still be run, with the same result.
    let mut copy = copy;
    assert_eq!(
        raddle_jvm::run(&world, &mut copy, &mut Silent, 1000),
        End::Exit(0)
    );
    assert!(copy.canonical(&world) == state.canonical(&world));
}

#[test]
fn two_runs_are_the_same_state_at_every_turn() {
    let world = world();
    let booted = raddle_jvm::boot(&world, &mut Silent).expect("the library starts");
    let mut left = begin(&world, &booted, 200, "x");
    let mut right = begin(&world, &booted, 200, "x");
    for _ in 0..50 {
        let a = raddle_jvm::run(&world, &mut left, &mut Silent, 1);
        let b = raddle_jvm::run(&world, &mut right, &mut Silent, 1);
        assert_eq!(a, b);
        assert!(left.canonical(&world) == right.canonical(&world));
        if a != End::Limit {
            return;
        }
    }
}

/// Stops in front of the first write.
struct FirstWrite(Option<Access>);

impl Watch for FirstWrite {
    const ACTIVE: bool = true;

    fn access(&mut self, access: Access) -> bool {
        if access.is_write && self.0.is_none() {
            self.0 = Some(access);
            return true;
        }
        false
    }
}

#[test]
fn a_watch_stops_a_thread_in_front_of_an_access() {
    let world = world();
    let booted = raddle_jvm::boot(&world, &mut Silent).expect("the library starts");
    let mut state = begin(&world, &booted, 0, "x");
    let mut watch = FirstWrite(None);
    let event = raddle_jvm::run_thread(
        &world,
        &mut state,
        ThreadId::MAIN,
        &mut Silent,
        &mut watch,
        1_000_000,
    );
    assert_eq!(event, Some(Event::Watched));
    assert!(watch.0.is_some());
    let stopped = state.canonical(&world);
    // Nothing was done yet; going on from here ends like any other run.
    assert!(state.clone().canonical(&world) == stopped);
    assert_eq!(
        raddle_jvm::run(&world, &mut state, &mut Silent, 1000),
        End::Exit(0)
    );
    assert!(state.canonical(&world) != stopped);
}

//! States: copies are independent, and garbage makes no difference.

use crate::common::{load_with, scratch};
use raddle_java::Java;
use raddle_jvm::heap::Ref;
use raddle_model::{States, Status, System, Thread};
use raddle_testkit::jdk::compile_texts;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

const PROGRAM: &str = "
import java.util.*;
public class Garbage {
    static final List<Object> kept = new ArrayList<>();
    static class Node { final int value; Node next; Node(int value, Node next) { this.value = value; this.next = next; } }
    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> { synchronized (kept) { kept.add(new StringBuilder(\"other\")); } });
        other.start();
        boolean isWasteful = raddle.Check.choose();
        String text = raddle.Check.choose() ? \"x\" : \"y\";
        Node node = null;
        for (int i = 0; i < 10; i++) {
            if (isWasteful) for (int k = 0; k < 7; k++) new int[k].clone();
            node = new Node(i, node);
        }
        isWasteful = false;
        synchronized (kept) { kept.add(node); }
        synchronized (kept) { kept.add(text.concat(\"!\")); }
        text = null;
        node = null;
        other.join();
        synchronized (kept) { kept.clear(); }
    }
}";

/// The folder with the classes, which the first test that asks compiles.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let folder = scratch("states");
        compile_texts(&folder, [("Garbage".to_owned(), PROGRAM.to_owned())]);
        folder
    })
}

/// The program, of which all was found out that its executions tell.
fn program() -> Java {
    let java = load_with(classes(), "Garbage", &[]).expect("the program starts");
    loop {
        run(&java, &mut java.initial().expect("it begins"), &[1, 1]);
        if !java.take_news() {
            java.settle();
            return java;
        }
    }
}

type JavaState = <Java as States>::State;

fn words(java: &Java, state: &JavaState) -> Vec<u32> {
    java.encode(state, &mut Vec::new()).to_vec()
}

/// Runs a program on from a state, always the first thread that can go on; the answers are what it
/// is asked to choose. Gives the words of all states on the way.
fn run(java: &Java, state: &mut JavaState, answers: &[u32]) -> Vec<Vec<u32>> {
    let (mut all, mut answers) = (vec![words(java, state)], answers.iter().copied());
    loop {
        let threads = (0..java.threads(state) as u32).map(Thread);
        let mut ready = threads.filter_map(|thread| match java.status(state, thread) {
            Status::Ready { choices } => Some((thread, choices)),
            Status::Blocked | Status::Done => None,
        });
        let Some((thread, choices)) = ready.next() else {
            return all;
        };
        let choice = match choices {
            1 => 0,
            _ => answers.next().expect("an answer"),
        };
        java.step(state, thread, choice)
            .expect("nothing goes wrong");
        all.push(words(java, state));
    }
}

/// The words of the state in which `main` waits for the other thread, or is about to.
fn last_but_one(all: &[Vec<u32>]) -> &Vec<u32> {
    &all[all.len() - 4]
}

#[test]
fn garbage_and_the_order_of_allocation_make_no_difference() {
    let java = program();
    let states = |answers: &[u32]| run(&java, &mut java.initial().expect("it begins"), answers);
    let (frugal, wasteful, other) = (states(&[0, 1]), states(&[1, 1]), states(&[0, 0]));
    assert!(last_but_one(&frugal) == last_but_one(&wasteful));
    assert!(last_but_one(&frugal) != last_but_one(&other));
}

#[test]
fn a_copy_stays_what_it_was() {
    let java = program();
    let mut state = java.initial().expect("it begins");
    let mut copy = state.clone();
    let before = words(&java, &copy);
    let all = run(&java, &mut state, &[1, 1]);
    assert!(words(&java, &copy) == before);
    assert!(words(&java, &state) != before);
    // The copy can still be run, through the same states.
    assert!(run(&java, &mut copy, &[1, 1]) == all);
}

/// A thread that changes a small graph, as it is told.
const SHAPES: &str = "
public class Shapes {
    static class Node { Node a, b; }
    static class Holder { Node root; }
    static final Holder holder = new Holder();
    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> { synchronized (holder) { holder.root = null; } });
        other.start();
        Node mine = new Node();
        mine = null;
        for (int i = 0; i < 4; i++) {
            int choice = raddle.Check.choose(20);
            synchronized (holder) {
                Node root = holder.root;
                Node value = null;
                switch (choice % 5) {
                    case 1: value = new Node(); break;
                    case 2: value = root; break;
                    case 3: value = mine; break;
                    case 4: value = root == null ? null : root.a; break;
                }
                if (choice / 5 == 0) mine = value;
                else if (choice / 5 == 1) holder.root = value;
                else if (root == null) {}
                else if (choice / 5 == 2) root.a = value;
                else root.b = value;
                root = null;
                value = null;
            }
        }
        synchronized (holder) { if (mine != null) mine.a = null; }
        other.join();
    }
}";

/// A node that was not met before.
const NEW: u32 = 1 << 16;

/// The graph in a state of `Shapes`, as two nodes reached in any order from the same places tell it: by places in the
/// order of a search that goes deep first.
fn shape(java: &Java, state: &JavaState) -> Vec<u32> {
    let (world, _) = java.beginning_of_main();
    let machine = state.machine();
    let name = |object: Ref| {
        let found = machine.heap.get(object);
        found.map_or("", |found| world.class_name(found.class))
    };
    let holders = (0..machine.heap.end()).map(Ref);
    let holder = holders.into_iter().find(|&it| name(it) == "Shapes$Holder");
    let mut open = vec![machine.heap.ref_field(holder.expect("it is there"), 0)];
    let main = machine.threads[0].get().expect("it is there");
    for frame in 0..main.frames.len() {
        main.live_registers(world, frame, |register| {
            let object = Ref::of(register.value);
            if register.is_ref && (object.is_null() || name(object) == "Shapes$Node") {
                open.push(object);
            }
        });
    }
    open.reverse();
    let (mut met, mut shape) = (Vec::new(), Vec::new());
    while let Some(object) = open.pop() {
        let place = met.iter().position(|&it| it == object);
        match (machine.heap.get(object), place) {
            (None, _) => shape.push(0),
            (_, Some(place)) => shape.push(place as u32 + 1),
            (Some(found), None) => {
                met.push(object);
                shape.push(NEW + found.reach as u32);
                open.extend([1, 0].map(|slot| machine.heap.ref_field(object, slot)));
            }
        }
    }
    shape
}

/// Runs `main` on until it is asked what to do, or, if it is not asked any more, to its last operation.
fn until_asked(java: &Java, state: &mut JavaState) -> bool {
    loop {
        match java.status(state, Thread(0)) {
            Status::Ready { choices: 20 } => return true,
            Status::Ready { .. } => java.step(state, Thread(0), 0).expect("nothing goes wrong"),
            Status::Blocked | Status::Done => return false,
        }
        words(java, state);
    }
}

/// All that can be done to a small graph in three steps: references go and come, ways get longer and shorter, what was a
/// thread's own is shared, and what nobody refers to is garbage. In each state that is written, what was brought up to date is also
/// compared with what is found anew, where assertions are checked.
#[test]
fn states_have_equal_words_if_and_only_if_their_graphs_are_equal() {
    let folder = scratch("shapes");
    compile_texts(&folder, [("Shapes".to_owned(), SHAPES.to_owned())]);
    let java = load_with(&folder, "Shapes", &[]).expect("the program starts");
    let begin = || {
        let mut state = java.initial().expect("it begins");
        assert!(until_asked(&java, &mut state));
        state
    };
    // What is shared is found out first.
    loop {
        for choice in 0..20 {
            let mut state = begin();
            for choice in [1, 6, choice] {
                java.step(&mut state, Thread(0), choice)
                    .expect("it goes on");
                until_asked(&java, &mut state);
            }
        }
        if !java.take_news() {
            break;
        }
    }
    java.settle();
    let mut level = vec![begin()];
    for round in 0..3 {
        let (mut by_shape, mut by_words) = (BTreeMap::new(), BTreeMap::new());
        let mut next = Vec::new();
        for state in &level {
            for choice in 0..20 {
                let mut state = state.clone();
                java.step(&mut state, Thread(0), choice)
                    .expect("it goes on");
                words(&java, &state);
                assert!(until_asked(&java, &mut state));
                let (shape, words) = (shape(&java, &state), words(&java, &state));
                let known: &mut Vec<u32> = by_words.entry(words.clone()).or_default();
                assert!(known.is_empty() || *known == shape, "{round}: {shape:?}");
                known.clone_from(&shape);
                if let Some((before, first)) =
                    by_shape.insert(shape.clone(), (words.clone(), choice))
                {
                    assert!(
                        before == words,
                        "{round}: {shape:?}, {first} {choice}\n{before:?}\n{words:?}"
                    );
                } else {
                    next.push(state);
                }
            }
        }
        assert!(next.len() > 3 * round);
        level = next;
    }
}

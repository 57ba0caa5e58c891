//! States: copies are independent, and garbage makes no difference.

use crate::common::{load_with, scratch};
use raddle_java::Java;
use raddle_model::{States, Status, System, Thread};
use raddle_testkit::jdk::compile_texts;
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

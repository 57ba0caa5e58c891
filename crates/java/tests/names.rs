//! Names in traces: what they take to find, and that they do not depend on what was named before.

use crate::common::{load_with, scratch};
use raddle_java::Java;
use raddle_model::{Move, Narrate, States, Status, System, Thread};
use raddle_testkit::jdk::compile_texts;
use std::path::PathBuf;
use std::sync::OnceLock;

const PROGRAM: &str = "
import java.util.concurrent.ConcurrentHashMap;
public class Appenders {
    static final ConcurrentHashMap<Integer, StringBuilder> all = new ConcurrentHashMap<>();
    static class Count { volatile int done; Object last; }
    public static void main(String[] args) throws Exception {
        int size = Integer.parseInt(args[0]);
        for (int i = 0; i < size; i++) all.put(i, new StringBuilder());
        Count count = new Count();
        Thread other = new Thread(() -> append(count));
        other.start();
        append(count);
        other.join();
    }
    static void append(Count count) {
        for (int i = 0; i < 8; i++) {
            count.last = all.get(i).append('x');
            count.done++;
        }
    }
}";

/// The steps of an execution that are told, at most.
const STEPS: usize = 60;

fn program(size: u64) -> Java {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    let folder = CLASSES.get_or_init(|| {
        let folder = scratch("names");
        let source = ("Appenders".to_owned(), PROGRAM.to_owned());
        compile_texts(&folder, [source]);
        folder
    });
    load_with(folder, "Appenders", &[&size.to_string()]).expect("the library starts")
}

/// Executes a program by turns. `tell` gets each state.
fn execute(java: &Java, is_told: bool, mut tell: impl FnMut(&<Java as States>::State)) -> usize {
    let mut state = java.initial().expect("it begins");
    for at in 0..STEPS {
        let threads = (0..java.threads(&state)).map(|index| Thread(index as u32));
        let ready: Vec<Thread> = threads
            .filter(|&it| matches!(java.status(&state, it), Status::Ready { .. }))
            .collect();
        let Some(&thread) = ready.get(at % ready.len().max(1)) else {
            return at;
        };
        let step = Move { thread, choice: 0 };
        match is_told {
            true => java.narrate(&mut state, step, &mut Vec::new()),
            false => java.step(&mut state, thread, 0),
        }
        .expect("nothing goes wrong");
        tell(&state);
    }
    STEPS
}

#[test]
fn a_trace_looks_at_all_objects_once_and_then_at_those_that_change() {
    let looks = |size: u64| {
        let java = program(size);
        let mut all = Vec::new();
        let steps = execute(&java, true, |state| {
            assert!(!java.shared_values(state).is_empty());
            all.push(java.looks_for_names());
        });
        assert_eq!(steps, STEPS);
        (all[0], all[STEPS - 1] - all[0])
    };
    let ((few, changed), (many, changed_of_many)) = (looks(100), looks(1000));
    assert!(few >= 100 && many >= 1000, "{few}, {many} objects");
    assert!(
        changed > 0 && changed_of_many <= 2 * changed,
        "{changed}, {changed_of_many}"
    );
}

#[test]
fn names_are_those_of_who_names_nothing_before() {
    let (known, new) = (program(20), program(20));
    let mut told = Vec::new();
    execute(&known, true, |state| told.push(known.shared_values(state)));
    let mut states = told.iter();
    execute(&new, false, |state| {
        // Another state is named in between, so that all begins anew.
        let initial = new.initial().expect("it begins");
        new.shared_values(&initial);
        assert_eq!(Some(&new.shared_values(state)), states.next());
    });
    assert!(told.first() != told.last(), "nothing has changed");
}

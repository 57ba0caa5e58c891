//! Programs written by hand: what is found in them as Java is found in them as extracted.

use super::common::{extracted, java_outcomes, load, machine_outcomes, scratch};
use raddle_extraction::Threads;
use raddle_testkit::jdk::compile_texts;

const COUNTER: &str = "
public class Main {
    static class Counter {
        int count;
        int next() {
            LOCK {
                int old = count;
                count = old + 1;
                assert count == old + 1;
                return count;
            }
        }
    }
    public static void main(String[] args) throws Exception {
        Counter counter = new Counter();
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> counter.next());
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
    }
}
";

/// Compares what is found in a program.
fn compare(name: &str, text: &str) {
    let folder = scratch(name);
    compile_texts(&folder, [("Main".to_owned(), text.to_owned())]);
    let mut java = load(&folder, "Main");
    let program = extracted(&java, "Main", Threads::AsStarted);
    let program = program.unwrap_or_else(|obstacle| panic!("{name}: {obstacle}"));
    if std::env::var_os("RADDLE_SHOW").is_some() {
        eprintln!("{}", raddle_machine::text::print(&program.program));
    }
    let found = machine_outcomes(&program.program, 100_000);
    let expected = java_outcomes(&mut java, 100_000);
    assert_eq!(found, expected, "{name}");
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn a_locked_counter_counts() {
    compare("locked", &COUNTER.replace("LOCK", "synchronized (this)"));
}

#[test]
fn an_unlocked_counter_does_not() {
    compare("unlocked", &COUNTER.replace("LOCK", ""));
}

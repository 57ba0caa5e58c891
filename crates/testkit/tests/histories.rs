//! Which histories the class accepts that runs the scenarios of `raddle linearize`, compared with a search for
//! linearizations as in Wing and Gong (1993) that shares nothing with it: it knows when each operation
//! began and ended, and no orders.
//!
//! The class runs in a real JVM here, with a `main` that reads histories.

use raddle_linearize::{Ran, Scenario, Sequential, allowed};
use raddle_testkit::jdk;
use std::convert::Infallible;
use std::io::Write as _;
use std::process::{Command, Stdio};

const CLASS: &str = include_str!("../../jdk/src/structure/RaddleScenario.template");

const MAIN: &str = r#"
    public static void main(String[] none) throws Exception {
        java.io.BufferedReader in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] fields = line.split("\\|", -1);
            int[] counts = numbers(fields[0]), before = numbers(fields[1]);
            Party[] threads = new Party[counts.length];
            int at = 0;
            for (int index = 0; index < threads.length; index++) {
                threads[index] = new Party(index, new Value[counts[index]], threads.length);
                for (int[] own : threads[index].before) {
                    for (int other = 0; other < own.length; other++) own[other] = before[at++];
                }
            }
            String[] results = fields[2].split(",", -1), arguments = fields[3].split(",", -1);
            System.out.println(new Orders(arguments).explain(results, threads));
        }
    }

    static void original("#;

/// A queue: 0 removes, and gives `null` if there is nothing; other numbers are added.
#[derive(Clone, Default)]
struct Queue(Vec<usize>);

impl Queue {
    fn call(&mut self, call: usize) -> String {
        match (call, self.0.is_empty()) {
            (0, true) => "null".to_owned(),
            (0, false) => self.0.remove(0).to_string(),
            (value, _) => {
                self.0.push(value);
                "void".to_owned()
            }
        }
    }
}

struct Queues;

impl Sequential for Queues {
    type Error = Infallible;

    fn run(&mut self, scenario: &Scenario, order: &[usize]) -> Result<Ran, Infallible> {
        let mut queue = Queue::default();
        let mut results: Vec<Vec<String>> = vec![Vec::new(); scenario.threads.len()];
        for &thread in order {
            let call = scenario.threads[thread][results[thread].len()];
            results[thread].push(queue.call(call));
        }
        Ok(Ran::Ended(results.concat()))
    }
}

/// Numbers by chance.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1);
        (self.0 >> 33) as usize % count
    }
}

/// An operation that was called, with the moments of its beginning and its end.
#[derive(Clone)]
struct Event {
    thread: usize,
    call: usize,
    result: String,
    begin: usize,
    end: usize,
}

/// A history of two or three threads, whose results are chosen by chance.
fn history(dice: &mut Dice) -> (Scenario, Vec<Event>) {
    let threads: Vec<Vec<usize>> = (0..2 + dice.below(2))
        .map(|_| (0..1 + dice.below(2)).map(|_| dice.below(3)).collect())
        .collect();
    let mut events: Vec<Vec<Event>> = vec![Vec::new(); threads.len()];
    let mut is_open = vec![false; threads.len()];
    let mut now = 0;
    loop {
        let is_left = |&it: &usize| is_open[it] || events[it].len() < threads[it].len();
        let left: Vec<usize> = (0..threads.len()).filter(is_left).collect();
        let Some(&thread) = left.get(dice.below(left.len().max(1))) else {
            break;
        };
        now += 1;
        match is_open[thread] {
            true => {
                if let Some(event) = events[thread].last_mut() {
                    event.end = now;
                }
            }
            false => {
                let call = threads[thread][events[thread].len()];
                let result = match call {
                    0 => ["null", "1", "2"][dice.below(3)],
                    _ => "void",
                };
                let result = result.to_owned();
                let (begin, end) = (now, usize::MAX);
                events[thread].push(Event {
                    thread,
                    call,
                    result,
                    begin,
                    end,
                });
            }
        }
        is_open[thread] = !is_open[thread];
    }
    let scenario = Scenario {
        before: Vec::new(),
        threads,
        after: Vec::new(),
    };
    (scenario, events.concat())
}

/// Whether the rest of a history has a linearization.
fn is_linearizable(left: &[Event], queue: &Queue) -> bool {
    let first_end = left.iter().map(|it| it.end).min();
    left.is_empty()
        || left.iter().enumerate().any(|(index, event)| {
            let mut queue = queue.clone();
            let mut rest = left.to_vec();
            rest.remove(index);
            first_end.is_some_and(|end| event.begin < end)
                && queue.call(event.call) == event.result
                && is_linearizable(&rest, &queue)
        })
}

/// A history as the class reads it.
fn line(scenario: &Scenario, events: &[Event]) -> String {
    let words = |numbers: &[usize]| {
        let words: Vec<String> = numbers.iter().map(usize::to_string).collect();
        words.join(" ")
    };
    let counts: Vec<usize> = scenario.threads.iter().map(Vec::len).collect();
    let over = |event: &Event, thread: usize| {
        let those = events.iter().filter(|it| it.thread == thread);
        those.filter(|it| it.end < event.begin).count()
    };
    let own = |event: &Event, thread: usize| match event.thread == thread {
        // What a thread has done itself is not noted.
        true => 0,
        false => over(event, thread),
    };
    let before: Vec<usize> = events
        .iter()
        .flat_map(|event| (0..counts.len()).map(move |thread| own(event, thread)))
        .collect();
    let results: Vec<&str> = events.iter().map(|it| it.result.as_str()).collect();
    let Ok(allowed) = allowed(scenario, &mut Queues);
    let mut arguments = vec![
        String::new(),
        "threads".to_owned(),
        allowed.texts.len().to_string(),
    ];
    arguments.extend(allowed.texts);
    for (order, results) in &allowed.orders {
        arguments.extend([words(order), words(results)]);
    }
    let (results, arguments) = (results.join(","), arguments.join(","));
    format!(
        "{}|{}|{results}|{arguments}\n",
        words(&counts),
        words(&before)
    )
}

#[test]
fn histories_are_explained_if_and_only_if_they_are_linearizable() {
    let class = CLASS
        .replace("/*CLASS*/", "Object")
        .replace("/*CREATE*/", "new Object()")
        .replacen("\n    public static void main(", MAIN, 1);
    let folder = jdk::scratch(env!("CARGO_TARGET_TMPDIR"), "histories");
    jdk::compile_texts(&folder, [("RaddleScenario".to_owned(), class)]);
    let mut dice = Dice(7);
    let (mut input, mut wanted) = (String::new(), Vec::new());
    for _ in 0..3000 {
        let (scenario, events) = history(&mut dice);
        input.push_str(&line(&scenario, &events));
        wanted.push(is_linearizable(&events, &Queue::default()));
    }
    let mut java = Command::new(jdk::jdk().join("bin/java"))
        .arg("-cp")
        .arg(&folder)
        .arg("RaddleScenario")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("java runs");
    let mut pipe = java.stdin.take().expect("it is piped");
    let text = input.clone();
    let writer = std::thread::spawn(move || pipe.write_all(text.as_bytes()));
    let done = java.wait_with_output().expect("it ends");
    writer.join().expect("it ends").expect("all is read");
    let told = String::from_utf8(done.stdout).expect("it is text");
    let told: Vec<bool> = told.lines().map(|line| line == "true").collect();
    assert_eq!(told.len(), wanted.len());
    for ((line, told), wanted) in input.lines().zip(told).zip(&wanted) {
        assert_eq!(told, *wanted, "{line}");
    }
    let count = wanted.iter().filter(|it| **it).count();
    assert!((300..2700).contains(&count), "{count} are linearizable");
}

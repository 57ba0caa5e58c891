//! Random programs: what holds for any number of threads holds for one, two and three, and
//! what is violated can be executed.
//!
//! `RADDLE_PROGRAMS=5000 RADDLE_SEED=1 cargo test --release -p raddle-abstraction random --
//! --nocapture` compares as many as one likes.

use crate::models::answer;
use raddle_abstraction::Answer;
use raddle_machine::{Machine, MachineLimits, ir};
use raddle_model::{Limits, Properties, Verdict};
use raddle_search::Config;

/// A sequence of numbers that looks random.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

/// Conditions over shared variables.
const CONDITIONS: &[&str] = &[
    "x == 0",
    "x > 0",
    "x <= 1",
    "x == 2",
    "y == 0",
    "y != x",
    "f",
    "!f",
    "f && x == 0",
    "x <= y",
];

/// Assertions that hold now and then.
const ASSERTIONS: &[&str] = &[
    "x >= 0",
    "x <= 2",
    "x != 3",
    "y <= 1",
    "y >= 0",
    "!f || x > 0",
    "x <= y + 2",
    "l <= x + 3",
    "l == x",
    "l <= x",
    "x == y",
];

/// A few statements.
fn statements(random: &mut Random, depth: u64, locked: bool, out: &mut String) {
    for _ in 0..1 + random.below(3) {
        let condition = random.pick(CONDITIONS);
        match random.below(if depth == 0 { 9 } else { 14 }) {
            0 => out.push_str("x = x + 1;\n"),
            1 => out.push_str(random.pick(&["x = x - 1;\n", "y = y + 1;\n", "y = x;\n"])),
            2 => out.push_str(random.pick(&["x = 0;\n", "y = 1;\n", "fetchAdd(x, 1);\n"])),
            3 => out.push_str(random.pick(&["f = true;\n", "f = false;\n", "f = x == 0;\n"])),
            4 => {
                out.push_str(random.pick(&["l = x;\n", "l = y;\n", "x = l + 1;\n", "l = l + 1;\n"]))
            }
            5 | 6 => out.push_str(&format!("assert({});\n", random.pick(ASSERTIONS))),
            7 if locked => out.push_str(random.pick(&["notify(m);\n", "notifyAll(m);\n"])),
            8 if locked => out.push_str(&format!("while ({condition}) wait(m);\n")),
            7 | 8 => out.push_str(&format!("await ({condition});\n")),
            9 | 10 => {
                out.push_str("synchronized (m) {\n");
                statements(random, depth - 1, true, out);
                out.push_str("}\n");
            }
            11 => {
                out.push_str(&format!("if ({condition}) {{\n"));
                statements(random, depth - 1, locked, out);
                out.push_str("}\n");
            }
            12 => {
                out.push_str("atomic { ");
                out.push_str(random.pick(&[
                    "x = x + 1; y = y + 1;",
                    "if (x > 0) x = x - 1;",
                    "f = !f;",
                ]));
                out.push_str(" }\n");
            }
            _ => {
                out.push_str("choose {\n");
                statements(random, depth - 1, locked, out);
                out.push_str("or\nskip;\n}\n");
            }
        }
    }
}

fn program(random: &mut Random) -> String {
    let mut text = "int x, y;\nbool f;\nlock m;\n".to_owned();
    let kinds = 1 + random.below(2);
    for kind in 0..kinds {
        let mut body = String::new();
        statements(random, 2, false, &mut body);
        if random.below(3) == 0 {
            let again = random.pick(&["x < 2", "y == 0", "!f"]);
            body = format!("while ({again}) {{\n{body}}}\n");
        }
        if random.below(2) == 0 {
            body.push_str(&format!("here{kind}: skip;\n"));
            let most = random.below(3);
            text.push_str(&format!("invariant count(here{kind}) <= {most};\n"));
        }
        text.push_str(&format!("thread t{kind}[*] {{\nint l = 0;\n{body}}}\n"));
    }
    if random.below(4) == 0 {
        text.push_str("invariant x <= 3 || y > 0;\n");
    }
    text
}

/// Whether a search of states finds a violation; `None` if it comes to no end.
fn searched(program: ir::Program) -> Option<bool> {
    let machine = Machine::new(program, MachineLimits::default()).expect("it is well formed");
    let config = Config {
        properties: Properties {
            deadlock: false,
            partial_deadlock: false,
            ..Config::default().properties
        },
        limits: Limits {
            states: Some(8_000),
            ..Limits::NONE
        },
        ..Config::default()
    };
    match raddle_search::check(&machine, &config, &mut ()).verdict {
        Verdict::Holds => Some(false),
        Verdict::Violated(..) => Some(true),
        Verdict::Unknown(_) => None,
    }
}

#[test]
#[allow(clippy::print_stderr)] // What was compared is of interest to who compares.
fn what_holds_for_any_number_holds_for_a_few() {
    let variable = |name: &str| std::env::var(name).ok().and_then(|it| it.parse().ok());
    let programs: u64 = variable("RADDLE_PROGRAMS").unwrap_or(100);
    let seed: u64 = variable("RADDLE_SEED").unwrap_or(7);
    let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ seed.wrapping_mul(0x0123_4567_89AB_CDEF));
    let (mut holds, mut violated, mut unknown) = (0, 0, 0);
    for number in 0..programs {
        let source = program(&mut random);
        let compiled = raddle_lang::compile(&source).expect(&source);
        match answer(&compiled, 1500).answer {
            Answer::Holds { .. } => {
                holds += 1;
                for count in 1..=3 {
                    let kinds = compiled.replicated.iter().map(|id| (*id, count));
                    let few = compiled.with_threads(&kinds.collect::<Vec<_>>());
                    let found = searched(few);
                    assert_ne!(
                        found,
                        Some(true),
                        "program {number} is said to hold, but {count} threads do it:\n{source}"
                    );
                    if found.is_none() {
                        break;
                    }
                }
            }
            Answer::Violated(witness) => {
                violated += 1;
                let machine = Machine::new(witness.program, MachineLimits::default());
                let machine = machine.expect("it is well formed");
                let violation = witness.violation;
                raddle_search::replay(&machine, &violation.schedule, &violation.property)
                    .unwrap_or_else(|why| panic!("program {number}: {why:?}\n{source}"));
            }
            Answer::Unknown { .. } => unknown += 1,
        }
    }
    // A test in which nothing is decided would not test anything.
    assert!(
        holds * 10 >= programs && violated * 10 >= programs,
        "{holds} {violated} {unknown}"
    );
    eprintln!("{programs} programs: {holds} hold, {violated} are violated, {unknown} unknown");
}

//! Random programs and searches that the tests share.
#![allow(dead_code)]

use raddle_cbp::{Interpreter, Limits, Program, compile};
use raddle_model::Properties;
use raddle_search::{Config, Survey};
use std::fmt::Write;

/// A program from text that is known to be well-formed.
pub(crate) fn program(source: &str) -> Program {
    compile(source).unwrap_or_else(|errors| {
        let told = raddle_diagnostics::render(source, "test.cbp", &errors, false);
        panic!("{told}\n{source}")
    })
}

/// A system with at most so many threads.
pub(crate) fn system(source: &str, threads: usize) -> Interpreter {
    Interpreter::new(program(source), Limits { threads })
}

/// Searches everything.
pub(crate) fn explore(system: &Interpreter, properties: Properties) -> Survey {
    let config = Config {
        properties,
        ..Config::default()
    };
    raddle_search::check_all(system, &config, &mut ())
}

/// Numbers that look random and are the same for the same seed.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % limit as u64) as usize
    }

    pub(crate) fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    pub(crate) fn chance(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }
}

/// What random programs may contain.
#[derive(Clone, Copy)]
pub(crate) struct Taste {
    /// Loops, so that the program has cycles.
    pub(crate) loops: bool,
    /// `main` may start any number of threads.
    pub(crate) unbounded: bool,
}

/// A random program with two thread types beside `main`.
pub(crate) fn random_program(seed: u64, taste: Taste) -> String {
    let mut author = Author {
        random: Random::new(seed),
        taste,
        label: 0,
        labels: Vec::new(),
        block: 0,
        blocks: 0,
        held: Vec::new(),
        disciplined: !seed.is_multiple_of(3),
    };
    let t = author.body("t", "x", 4);
    let u = author.body("u", "y", 3);
    let mut main = String::new();
    author.labels.clear();
    for statement in ["a := false ;", "b, c := false, true ;"] {
        if !author.random.chance(3) {
            let _ = writeln!(main, "  {statement}");
        }
    }
    let starts = ["start(t, false) ;", "start(t, true) ;", "start(u, false) ;"];
    for _ in 0..1 + author.random.below(2) {
        let _ = writeln!(main, "  {}", author.random.pick(&starts));
    }
    if taste.unbounded && author.random.chance(2) {
        let start = author.random.pick(&starts);
        let _ = writeln!(main, "  while (*) {{ {start} }}");
    }
    let more = author.random.below(2);
    for _ in 0..more {
        author.statement("z", 1, 1, &mut main);
    }
    let sets = [
        "a & b",
        "L0",
        "L0 & L1",
        "L0 >= 2",
        "L1 & !c",
        "t >= 2 & a",
        "u | !a & !b",
        "l & c",
        "L0 & a | L1 & !b",
        "main & L2",
        "L2 >= 2",
        "k & !l",
    ];
    let mut unsafes = String::new();
    if !author.random.chance(3) {
        let set = author.random.pick(&sets);
        let is_label = |it: &str| it.starts_with('L');
        let mut names = set.split(|c: char| !c.is_ascii_alphanumeric());
        let count = author.label;
        let exists = |it: &str| it[1..].parse::<usize>().is_ok_and(|it| it < count);
        if names.all(|it| !is_label(it) || exists(it)) {
            let _ = writeln!(unsafes, "unsafe : \"{set}\" ;");
        }
    }
    format!(
        "vars : a b c ; locks : l k ; messages : m n ; threads : t, u, main ;\n{unsafes}{t}{u}main {{ vars : z ;\n{main}}}\n"
    )
}

struct Author {
    random: Random,
    taste: Taste,
    /// How many labels there are.
    label: usize,
    /// The labels of the current thread type, with the lock block that they are in.
    labels: Vec<(usize, usize)>,
    block: usize,
    blocks: usize,
    held: Vec<&'static str>,
    /// Whether `c` and `m` are used with the lock `l` only.
    disciplined: bool,
}

impl Author {
    /// Whether what the lock `l` protects can be used here.
    fn is_free(&self) -> bool {
        !self.disciplined || self.held.contains(&"l")
    }

    fn message(&mut self) -> &'static str {
        match self.is_free() {
            true => self.random.pick(&["m", "m", "n"]),
            false => "n",
        }
    }

    fn body(&mut self, name: &str, local: &str, length: usize) -> String {
        let mut body = String::new();
        self.labels.clear();
        self.block = 0;
        self.blocks = 0;
        let _ = writeln!(body, "{name} {{ vars : {local} ;");
        let count = 1 + self.random.below(length);
        for _ in 0..count {
            self.statement(local, 2, 1, &mut body);
        }
        body.push_str("}\n");
        body
    }

    fn variable<'a>(&mut self, local: &'a str) -> &'a str {
        match self.is_free() {
            true => self.random.pick(&["a", "b", "c", "c", local]),
            false => self.random.pick(&["a", "b", local]),
        }
    }

    fn literal(&mut self, local: &str) -> String {
        let not = if self.random.chance(2) { "!" } else { "" };
        format!("{not}{}", self.variable(local))
    }

    fn value(&mut self, local: &str) -> String {
        match self.random.below(3) {
            0 => "true".to_owned(),
            1 => "false".to_owned(),
            _ => self.literal(local),
        }
    }

    fn condition(&mut self, local: &str) -> String {
        match self.random.below(6) {
            0 => "*".to_owned(),
            1 => format!("{} and {}", self.literal(local), self.literal(local)),
            _ => self.literal(local),
        }
    }

    fn assignment(&mut self, local: &str) -> String {
        match self.random.below(4) {
            0 => {
                let one = self.random.pick(&["a", "b"]);
                let other = match self.is_free() {
                    true => self.random.pick(&["c", local]),
                    false => local,
                };
                format!(
                    "{one}, {other} := {}, {} ;",
                    self.value(local),
                    self.value(local)
                )
            }
            _ => format!("{} := {} ;", self.variable(local), self.value(local)),
        }
    }

    fn sequence(&mut self, local: &str, depth: usize, indent: usize, out: &mut String) {
        for _ in 0..1 + self.random.below(2) {
            self.statement(local, depth, indent, out);
        }
    }

    fn statement(&mut self, local: &str, depth: usize, indent: usize, out: &mut String) {
        out.push_str(&"  ".repeat(indent));
        if self.random.chance(5) {
            let _ = write!(out, "[L{}] ", self.label);
            self.labels.push((self.label, self.block));
            self.label += 1;
        }
        let kinds = if depth == 0 { 12 } else { 18 };
        let text = match self.random.below(kinds) {
            0..4 => self.assignment(local),
            4 => "skip ;".to_owned(),
            5 => format!("wakeup({}) ;", self.message()),
            6 => format!("wakeupall({}) ;", self.message()),
            7 => match self.random.below(3) {
                0 => "rendezvous(m) ;".to_owned(),
                1 => format!("rendezvous(m, {local}) ;"),
                _ => "rendezvous(m, true) ;".to_owned(),
            },
            8 => match self.random.chance(2) {
                true => "accept(m) ;".to_owned(),
                false => format!("accept(m, {local}) ;"),
            },
            9 => {
                let ways = 1 + self.random.below(3);
                let ways: Vec<String> = (0..ways)
                    .map(|_| format!("{} : {}", self.condition(local), self.assignment(local)))
                    .collect();
                format!("choice {{ {} }}", ways.join(" "))
            }
            10 if self.taste.loops => {
                let block = self.block;
                let inside = self.labels.iter().filter(|it| it.1 == block);
                let inside: Vec<usize> = inside.map(|it| it.0).collect();
                match inside.is_empty() {
                    true => "skip ;".to_owned(),
                    false => format!("goto(L{}) ;", inside[self.random.below(inside.len())]),
                }
            }
            11 => match self.random.chance(2) {
                true => format!("assert({}) ;", self.literal(local)),
                false => match self.held.last() {
                    Some(&lock) if self.disciplined => {
                        let message = if lock == "l" { "m" } else { "n" };
                        format!("sleep({message}, {lock}) ;")
                    }
                    Some(&lock) => format!("sleep({}, {lock}) ;", self.message()),
                    None => self.assignment(local),
                },
            },
            12 | 13 => {
                let _ = writeln!(out, "if ({}) {{", self.condition(local));
                self.sequence(local, depth - 1, indent + 1, out);
                if self.random.chance(2) {
                    let _ = writeln!(out, "{}}} else {{", "  ".repeat(indent));
                    self.sequence(local, depth - 1, indent + 1, out);
                }
                format!("{}}}", "  ".repeat(indent))
            }
            14 if self.taste.loops => {
                let _ = writeln!(out, "while ({}) {{", self.condition(local));
                self.sequence(local, depth - 1, indent + 1, out);
                format!("{}}}", "  ".repeat(indent))
            }
            15.. if self.held.len() < 2 => {
                let lock = self.random.pick(&["l", "l", "k"]);
                let outside = self.block;
                let _ = writeln!(out, "lock({lock}) ;");
                self.blocks += 1;
                self.block = self.blocks;
                self.held.push(lock);
                self.sequence(local, depth - 1, indent, out);
                self.held.pop();
                self.block = outside;
                format!("{}unlock({lock}) ;", "  ".repeat(indent))
            }
            _ => self.assignment(local),
        };
        let _ = writeln!(out, "{text}");
    }
}

//! Random programs: small enough to explore completely, rich enough to go wrong in
//! every way that the language knows.
//!
//! A [`Sample`] is kept as a tree, so that it can be permuted and shrunk, and printed
//! as source text. The same seed always gives the same program.

use std::fmt::Write;

/// A random program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Whether each statement is one step.
    pub statement_granularity: bool,
    /// The conditions of its invariants.
    pub invariants: Vec<&'static str>,
    /// The bodies of its threads.
    pub threads: Vec<Vec<Statement>>,
}

/// A statement over the fixed set of shared objects that every sample declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// Prints as it is.
    Simple(String),
    /// `head { body }`
    Nested(String, Vec<Statement>),
    /// `if (condition) { body } else { body }`
    If(String, Vec<Statement>, Vec<Statement>),
    /// `choose { body or body }`
    Choose(Vec<Statement>, Vec<Statement>),
}

impl Sample {
    /// The program as text.
    pub fn source(&self) -> String {
        let mut text = String::new();
        if self.statement_granularity {
            text.push_str("granularity statement;\n");
        }
        text.push_str(DECLARATIONS);
        for (number, condition) in self.invariants.iter().enumerate() {
            let _ = writeln!(text, "invariant i{number}: {condition};");
        }
        for (number, body) in self.threads.iter().enumerate() {
            let _ = writeln!(text, "thread t{number} {{");
            text.push_str("  int l = 0;\n  Node n = null;\n");
            print(body, 1, &mut text);
            text.push_str("}\n");
        }
        text
    }

    /// The text of the program in which the last thread is started by the first one in the
    /// middle of what it does, and by those between them; the first one waits for its end.
    pub fn spawning(&self) -> String {
        let last = self.threads.len() - 1;
        if last == 0 {
            return self.source();
        }
        let mut sample = self.clone();
        let simple = |text: String| Statement::Simple(text);
        let body = &mut sample.threads[0];
        let start = simple(format!("thread h = spawn t{last}();"));
        body.insert(body.len() / 2, start);
        body.push(simple("join(h); assert(x != 1);".to_owned()));
        for body in &mut sample.threads[1..last] {
            body.push(simple(format!("spawn t{last}();")));
        }
        let declared = format!("thread t{last} {{");
        let source = sample.source();
        source.replace(&declared, &format!("thread t{last}() {{"))
    }

    /// The same program with its threads declared in another order: the thread that
    /// was number `order[i]` becomes number `i`.
    pub fn permuted(&self, order: &[usize]) -> Sample {
        Sample {
            threads: order.iter().map(|&old| self.threads[old].clone()).collect(),
            ..self.clone()
        }
    }

    /// The same program with one to three other invariants, of which some are false now
    /// and then.
    pub fn watched(&self, seed: u64) -> Sample {
        let mut random = Random(seed);
        let count = 1 + random.below(3);
        let pick = |_| INVARIANTS[random.below(INVARIANTS.len() as u64) as usize];
        Sample {
            invariants: (0..count).map(pick).collect(),
            ..self.clone()
        }
    }

    /// All programs that are smaller by one statement, one thread or one invariant.
    pub fn smaller(&self) -> Vec<Sample> {
        let mut smaller = Vec::new();
        for number in 0..self.invariants.len() {
            let mut sample = self.clone();
            sample.invariants.remove(number);
            smaller.push(sample);
        }
        for number in 0..self.threads.len() {
            if self.threads.len() > 1 {
                let mut sample = self.clone();
                sample.threads.remove(number);
                smaller.push(sample);
            }
            for body in smaller_bodies(&self.threads[number]) {
                let mut sample = self.clone();
                sample.threads[number] = body;
                smaller.push(sample);
            }
        }
        smaller
    }
}

const DECLARATIONS: &str = "\
record Node { int data; Node next; lock mutex; }
int x, y;
int(0..3 wrap) w;
int(0..5) r;
bool b;
int a[2];
Node head;
lock m;
lock k[2];
semaphore s = 1;
channel<int>(1) c;
int twice(int v) { return v + v; }
void bump(int v) { x = x + v; if (v > 0) bump(v - 1); }
";

/// Conditions over every kind of object. Some end early, some can fail themselves.
const INVARIANTS: [&str; 14] = [
    "y < 7",
    "x <= 2",
    "y != 1",
    "r < 4",
    "x != 2 || !b",
    "x == y || w < 2",
    "a[0] + a[1] < 3",
    "a[w % 2] < 2",
    "4 / (y - 2) < 9",
    "head == null || head.data == 0 && head.next == null",
    "value(s) > 0 || x == 0",
    "length(c) == 0 || y > 0",
    "owner(m) == null || x < 1",
    "owner(k[0]) == null || owner(k[1]) == null",
];

fn print(statements: &[Statement], depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    for statement in statements {
        match statement {
            Statement::Simple(simple) => {
                let _ = writeln!(text, "{indent}{simple}");
            }
            Statement::Nested(head, body) => {
                let _ = writeln!(text, "{indent}{head} {{");
                print(body, depth + 1, text);
                let _ = writeln!(text, "{indent}}}");
            }
            Statement::If(condition, then, otherwise) => {
                let _ = writeln!(text, "{indent}if ({condition}) {{");
                print(then, depth + 1, text);
                let _ = writeln!(text, "{indent}}} else {{");
                print(otherwise, depth + 1, text);
                let _ = writeln!(text, "{indent}}}");
            }
            Statement::Choose(first, second) => {
                // An alternative has at least one statement.
                let _ = writeln!(text, "{indent}choose {{ skip;");
                print(first, depth + 1, text);
                let _ = writeln!(text, "{indent}or skip;");
                print(second, depth + 1, text);
                let _ = writeln!(text, "{indent}}}");
            }
        }
    }
}

/// All bodies that are smaller by one statement, or have one unwrapped.
fn smaller_bodies(body: &[Statement]) -> Vec<Vec<Statement>> {
    let mut smaller = Vec::new();
    for index in 0..body.len() {
        let replace = |with: &[Statement]| {
            let mut copy = body.to_vec();
            copy.splice(index..=index, with.iter().cloned());
            copy
        };
        smaller.push(replace(&[]));
        match &body[index] {
            Statement::Simple(_) => {}
            Statement::Nested(head, inner) => {
                smaller.push(replace(inner));
                for inner in smaller_bodies(inner) {
                    smaller.push(replace(&[Statement::Nested(head.clone(), inner)]));
                }
            }
            Statement::If(condition, then, otherwise) => {
                smaller.push(replace(then));
                smaller.push(replace(otherwise));
                for then in smaller_bodies(then) {
                    let statement = Statement::If(condition.clone(), then, otherwise.clone());
                    smaller.push(replace(&[statement]));
                }
                for otherwise in smaller_bodies(otherwise) {
                    let statement = Statement::If(condition.clone(), then.clone(), otherwise);
                    smaller.push(replace(&[statement]));
                }
            }
            Statement::Choose(first, second) => {
                smaller.push(replace(first));
                smaller.push(replace(second));
            }
        }
    }
    smaller
}

/// The random program of a seed.
pub fn sample(seed: u64) -> Sample {
    let mut generator = Generator {
        random: Random(seed),
        size: 0,
        disciplined: false,
    };
    generator.disciplined = generator.random.below(3) == 0;
    let threads = 2 + generator.random.below(2);
    generator.size = match threads {
        2 => 12,
        _ => 7,
    };
    let size = generator.size;
    Sample {
        statement_granularity: generator.random.below(4) == 0,
        invariants: vec!["y < 7"],
        threads: (0..threads)
            .map(|_| {
                generator.size = size;
                generator.block(3, false)
            })
            .collect(),
    }
}

/// Checks a law on the samples of many seeds. Panics at the first that breaks it, with
/// the smallest program found that still does.
///
/// `RADDLE_SEED=n` in the environment starts elsewhere, `RADDLE_SAMPLES=n` takes more.
pub fn for_all(samples: u64, law: impl Fn(&Sample) -> Result<(), String>) {
    let number = |name: &str, default| {
        let text = std::env::var(name).ok();
        text.and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let first = number("RADDLE_SEED", 1);
    let last = first + number("RADDLE_SAMPLES", samples) - 1;
    #[allow(clippy::print_stdout)]
    {
        println!("seeds {first} to {last}");
    }
    for seed in first..=last {
        let sample = sample(seed);
        if let Err(what) = law(&sample) {
            let small = shrink(sample, |it| law(it).is_err());
            let what = law(&small).err().unwrap_or(what);
            panic!("seed {seed}: {what}\n{}", small.source());
        }
    }
}

/// Makes the smallest program that still fails: drops statements as long as `fails`
/// says so.
pub fn shrink(mut sample: Sample, fails: impl Fn(&Sample) -> bool) -> Sample {
    while let Some(smaller) = sample.smaller().into_iter().find(|it| fails(it)) {
        sample = smaller;
    }
    sample
}

struct Generator {
    random: Random,
    /// How many more statements this thread may have.
    size: usize,
    /// Whether most accesses are made under the same lock.
    disciplined: bool,
}

impl Generator {
    fn block(&mut self, depth: usize, atomic: bool) -> Vec<Statement> {
        let count = 1 + self.random.below(4) as usize;
        let mut statements = Vec::new();
        for _ in 0..count {
            if self.size == 0 {
                break;
            }
            self.size -= 1;
            statements.push(self.statement(depth, atomic));
        }
        statements
    }

    fn statement(&mut self, depth: usize, atomic: bool) -> Statement {
        if depth > 0 && self.random.below(3) == 0 {
            return self.compound(depth - 1, atomic);
        }
        let lock = self.lock();
        let simple = match self.random.below(if atomic { 18 } else { 23 }) {
            0..=2 => format!("{} = {};", self.variable(), self.number()),
            3 => format!("l = {};", self.number()),
            4 => format!("{} += {};", self.variable(), self.random.below(3)),
            5 => format!("assert({});", self.condition()),
            6 => "up(s);".to_owned(),
            7 => "skip;".to_owned(),
            8 => format!("l = fetchAdd(x, {});", self.random.below(2)),
            9 => format!(
                "b = cas(y, {}, {});",
                self.random.below(2),
                self.random.below(3)
            ),
            10 => format!("l = choose(0..{});", self.random.below(3)),
            11 => format!("l = twice({});", self.number()),
            12 => format!("bump({});", self.random.below(2)),
            13 => "n = new Node;".to_owned(),
            14 => "n.next = head; head = n;".to_owned(),
            15 => "if (head != null) l = head.data; else head = n;".to_owned(),
            16 => format!("assume({});", self.condition()),
            17 => format!("a[l % 2] = {};", self.number()),
            18 => "down(s);".to_owned(),
            19 => format!("send(c, {});", self.number()),
            20 => "l = receive(c);".to_owned(),
            21 => format!("await ({});", self.condition()),
            _ => format!("acquire({lock}); {} release({lock});", self.guarded(&lock)),
        };
        match self.disciplined && self.random.below(8) > 0 {
            true => Statement::Nested(
                "synchronized (m)".to_owned(),
                vec![Statement::Simple(simple)],
            ),
            false => Statement::Simple(simple),
        }
    }

    /// What may happen while a lock is held.
    fn guarded(&mut self, lock: &str) -> String {
        match self.random.below(5) {
            0 => format!("wait({lock});"),
            1 => format!("notify({lock});"),
            2 => format!("notifyAll({lock});"),
            _ => format!("{} = {};", self.variable(), self.number()),
        }
    }

    fn compound(&mut self, depth: usize, atomic: bool) -> Statement {
        match self.random.below(if atomic { 3 } else { 6 }) {
            0 => Statement::If(
                self.condition(),
                self.block(depth, atomic),
                self.block(depth, atomic),
            ),
            1 => {
                let bound = 1 + self.random.below(2);
                let head = format!("for (int i{depth} = 0; i{depth} < {bound}; i{depth}++)");
                Statement::Nested(head, self.block(depth, atomic))
            }
            2 => Statement::Choose(self.block(depth, atomic), self.block(depth, atomic)),
            3 => Statement::Nested("atomic".to_owned(), self.block(depth, true)),
            4 => {
                let head = format!("await ({})", self.condition());
                Statement::Nested(head, self.block(depth, true))
            }
            _ => {
                let head = format!("synchronized ({})", self.lock());
                Statement::Nested(head, self.block(depth, atomic))
            }
        }
    }

    fn lock(&mut self) -> String {
        ["m", "k[0]", "k[1]", "m"][self.random.below(4) as usize].to_owned()
    }

    fn variable(&mut self) -> String {
        ["x", "y", "w", "r", "a[0]", "a[1]", "x"][self.random.below(7) as usize].to_owned()
    }

    fn number(&mut self) -> String {
        match self.random.below(5) {
            0 => self.random.below(4).to_string(),
            1 => self.variable(),
            2 => "l".to_owned(),
            3 => format!("{} + 1", self.variable()),
            _ => format!("({} - {})", self.variable(), self.random.below(2)),
        }
    }

    fn condition(&mut self) -> String {
        match self.random.below(6) {
            0 => "b".to_owned(),
            1 => format!("{} == {}", self.variable(), self.random.below(2)),
            2 => format!("{} < {}", self.number(), self.random.below(4)),
            3 => format!("{} != 2 || !b", self.variable()),
            4 => format!("x <= {} && {} >= 0", self.random.below(5), self.variable()),
            _ => format!("{} != {}", self.variable(), self.random.below(3)),
        }
    }
}

/// A small random number generator (splitmix64): all that tests need.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number less than a bound.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.draw() % bound.max(1)
    }
}

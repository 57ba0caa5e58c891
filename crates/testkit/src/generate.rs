//! Random programs: small enough to explore completely, rich enough to go wrong in
//! every way that the language knows.
//!
//! Some obey a discipline, and are correct in large parts because of it: reductions look for
//! that, and skip most where they find it. Now and then such a program breaks its rule.
//!
//! A [`Sample`] is kept as a tree, so that it can be permuted and shrunk, and printed
//! as source text. The same seed always gives the same program.

use crate::expectation;
use std::fmt::Write;

/// A random program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Whether each statement is one step.
    pub statement_granularity: bool,
    /// What its threads share.
    pub declarations: Vec<&'static str>,
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
        let mut rest = String::new();
        for (number, condition) in self.invariants.iter().enumerate() {
            let _ = writeln!(rest, "invariant i{number}: {condition};");
        }
        for (number, statements) in self.threads.iter().enumerate() {
            let mut body = String::new();
            print(statements, 1, &mut body);
            let _ = writeln!(rest, "thread t{number} {{");
            for (name, declaration) in LOCALS {
                if mentions(&body, name) {
                    let _ = writeln!(rest, "  {declaration}");
                }
            }
            rest.push_str(&body);
            rest.push_str("}\n");
        }
        // Programs with a heap are searched in another way than those without.
        let has_heap = mentions(&rest, "head") || mentions(&rest, "Node");
        for declaration in &self.declarations {
            if has_heap || !mentions(declaration, "Node") {
                let _ = writeln!(text, "{declaration}");
            }
        }
        text.push_str(&rest);
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

    /// All programs that are smaller by one statement, thread, declaration or invariant.
    pub fn smaller(&self) -> Vec<Sample> {
        let mut smaller = Vec::new();
        if self.statement_granularity {
            smaller.push(Sample {
                statement_granularity: false,
                ..self.clone()
            });
        }
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
        for number in 0..self.declarations.len() {
            let mut sample = self.clone();
            sample.declarations.remove(number);
            smaller.push(sample);
        }
        smaller
    }
}

/// What the threads of random programs share.
pub const DECLARATIONS: [&str; 19] = [
    "record Node { int data; Node next; lock mutex; }",
    "int x;",
    "int y;",
    "int(0..3 wrap) w;",
    "int(0..5) r;",
    "bool b;",
    "int a[2];",
    "int q[2] = 1;",
    "Node head;",
    "lock m;",
    "lock k[2];",
    "semaphore s = 1;",
    "semaphore gate;",
    "channel<int>(1) c;",
    "channel<int>(2) d;",
    "int twice(int v) { return v + v; }",
    "void bump(int v) { x = x + v; if (v > 0) bump(v - 1); }",
    "void deposit(int v) { synchronized (m) { x = x + v; } }",
    "thread child(int v) { if (v > 0) x = v; synchronized (m) { y = y + 1; } }",
];

/// The variables of a thread, which are declared if they are used.
const LOCALS: [(&str, &str); 3] = [
    ("l", "int l = 0;"),
    ("n", "Node n = null;"),
    ("u", "thread u = null;"),
];

/// Whether a name occurs in a text.
fn mentions(text: &str, name: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    text.split(|character| !is_part(character))
        .any(|word| word == name)
}

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
    let mut random = Random(seed);
    let discipline = Discipline::ALL[random.below(Discipline::ALL.len() as u64) as usize];
    let threads = [2, 2, 3, 3, 4][random.below(5) as usize];
    let size = match threads {
        2 => 11,
        3 => 6,
        _ => 3,
    };
    let statement_granularity = random.below(4) == 0;
    let way = random.below(PUBLISH.len() as u64);
    let mut generator = Generator {
        random,
        size,
        discipline,
        way,
    };
    Sample {
        statement_granularity,
        declarations: DECLARATIONS.to_vec(),
        invariants: vec!["y < 7"],
        threads: (0..threads)
            .map(|number| {
                generator.size = size;
                generator.thread(number)
            })
            .collect(),
    }
}

/// Checks a law on the samples of many seeds. Panics at the first that breaks it, with
/// the smallest program found that still does.
///
/// `RADDLE_SEED=n` in the environment starts elsewhere, `RADDLE_SAMPLES=n` takes more.
pub fn for_all(samples: u64, law: impl Fn(&Sample) -> Result<(), String>) {
    let first = number_from_environment("RADDLE_SEED", 1);
    let last = first + number_from_environment("RADDLE_SAMPLES", samples) - 1;
    #[allow(clippy::print_stdout)]
    {
        println!("seeds {first} to {last}");
    }
    for seed in first..=last {
        if let Err(what) = law(&sample(seed)) {
            // What happens only now and then may not happen again.
            panic!("{what}\n{}", explain(seed, &law));
        }
    }
}

/// A number that the environment may set.
pub fn number_from_environment(name: &str, default: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Tells how the sample of a seed breaks a law: with the smallest program found that still
/// does, which is left in a file that is ready for the corpus.
pub fn explain(seed: u64, law: impl Fn(&Sample) -> Result<(), String>) -> String {
    let compiles = |sample: &Sample| raddle_lang::compile(&sample.source()).is_ok();
    let mut small = sample(seed);
    // A program that does not compile is not to be mistaken for one that still fails.
    if compiles(&small) {
        small = shrink(small, |it| compiles(it) && law(it).is_err());
    }
    let what = law(&small).err().unwrap_or_default();
    let source = small.source();
    let path = std::env::temp_dir().join(format!("raddle-seed-{seed}.rad"));
    let verdict = expectation::describe(&source);
    let text =
        format!("// Found by a comparison with full search, seed {seed}.\n{source}{verdict}");
    let written = match std::fs::write(&path, text) {
        Ok(()) => format!("the program is in {}", path.display()),
        Err(error) => format!("{}: {error}", path.display()),
    };
    format!("seed {seed}: {what}\n{source}{written}")
}

/// Makes the smallest program that still fails: drops statements as long as `fails`
/// says so.
pub fn shrink(mut sample: Sample, fails: impl Fn(&Sample) -> bool) -> Sample {
    while let Some(smaller) = sample.smaller().into_iter().find(|it| fails(it)) {
        sample = smaller;
    }
    sample
}

/// Which rule most of a program obeys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Discipline {
    /// None.
    Wild,
    /// Whatever is shared is accessed under the same lock.
    OneLock,
    /// Each object has its own lock; some are taken together, or twice.
    LockPerObject,
    /// None, and very short: many of the steps are blocks that touch different objects in
    /// different states.
    Dense,
    /// The first thread prepares everything and says so; the others wait for that and
    /// only read.
    Published,
}

impl Discipline {
    /// All of them, the most general more often.
    const ALL: [Discipline; 9] = [
        Discipline::Wild,
        Discipline::Wild,
        Discipline::Wild,
        Discipline::Dense,
        Discipline::Dense,
        Discipline::Dense,
        Discipline::OneLock,
        Discipline::LockPerObject,
        Discipline::Published,
    ];
}

struct Generator {
    random: Random,
    /// How many more statements this thread may have.
    size: usize,
    discipline: Discipline,
    /// Which of the ways to publish something is used.
    way: u64,
}

impl Generator {
    fn thread(&mut self, number: u64) -> Vec<Statement> {
        match self.discipline {
            Discipline::Dense => self.dense(),
            Discipline::Published => self.published(number),
            _ => self.block(3, false),
        }
    }

    fn dense(&mut self) -> Vec<Statement> {
        let length = 1 + self.random.below(self.size.min(4) as u64);
        let mut statement = || DENSE[self.random.below(DENSE.len() as u64) as usize];
        let mut simple = || Statement::Simple(statement().to_owned());
        (0..length).map(|_| simple()).collect()
    }

    fn published(&mut self, number: u64) -> Vec<Statement> {
        // Most of the others wait for what the first one does.
        let way = match self.random.below(8) {
            0 => self.random.below(4) as usize,
            _ => self.way as usize,
        };
        let (publish, receive) = PUBLISH[way];
        if number == 0 {
            let mut body = self.preparation();
            body.push(Statement::Simple(publish.to_owned()));
            return body;
        }
        let mut body = vec![Statement::Simple(receive.to_owned())];
        body.extend(self.block(1, false));
        body
    }

    /// Makes ready what is to be published.
    fn preparation(&mut self) -> Vec<Statement> {
        let count = 1 + self.random.below(4);
        let mut body = vec![Statement::Simple("n = new Node;".to_owned())];
        for _ in 0..count {
            body.push(Statement::Simple(match self.random.below(3) {
                0 => format!("n.data = {};", self.random.below(3)),
                1 => format!("{} = {};", self.variable(), self.random.below(3)),
                _ => format!("a[{}] = q[0];", self.random.below(2)),
            }));
        }
        body
    }

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
        // Now and then a rule is broken.
        if self.random.below(10) == 0 {
            return Statement::Simple(self.simple(atomic));
        }
        if depth > 0 && self.random.below(3) == 0 {
            return self.compound(depth - 1, atomic);
        }
        match self.discipline {
            Discipline::Wild | Discipline::Dense => Statement::Simple(self.simple(atomic)),
            Discipline::OneLock => {
                let simple = Statement::Simple(self.simple(atomic));
                Statement::Nested("synchronized (m)".to_owned(), vec![simple])
            }
            Discipline::LockPerObject => Statement::Simple(self.protected(atomic)),
            Discipline::Published => Statement::Simple(self.reading()),
        }
    }

    fn simple(&mut self, atomic: bool) -> String {
        match self.random.below(if atomic { 20 } else { 30 }) {
            0..=2 => format!("{} = {};", self.variable(), self.number()),
            3 => format!("l = {};", self.number()),
            4 => format!("{} += {};", self.variable(), self.random.below(3)),
            5 => format!("assert({});", self.condition()),
            6 => "up(s);".to_owned(),
            7 => "skip;".to_owned(),
            8 => {
                let variable = ["x", "x", "r"][self.random.below(3) as usize];
                format!("l = fetchAdd({variable}, {});", self.random.below(2))
            }
            9 => {
                let (old, new) = (self.random.below(2), self.random.below(3));
                format!("b = cas(y, {old}, {new});")
            }
            10 => format!("l = choose(0..{});", self.random.below(3)),
            11 => format!("l = twice({});", self.number()),
            12 => format!("bump({});", self.random.below(2)),
            13 => format!("assume({});", self.condition()),
            14 => format!("a[l % 2] = {};", self.number()),
            15 => format!("fetchAdd(w, {});", self.random.below(4)),
            16..=19 => self.on_the_heap(),
            20 => "down(s);".to_owned(),
            21 => format!("send(c, {});", self.number()),
            22 => "l = receive(c);".to_owned(),
            23 => format!("send(d, {});", self.random.below(2)),
            24 => "l = receive(d);".to_owned(),
            25 => format!("await ({});", self.condition()),
            26 => format!("u = spawn child({});", self.random.below(2)),
            27 => "if (u != null) join(u);".to_owned(),
            _ => {
                let lock = self.lock();
                format!("acquire({lock}); {} release({lock});", self.guarded(&lock))
            }
        }
    }

    fn on_the_heap(&mut self) -> String {
        match self.random.below(8) {
            0 | 1 => "n = new Node;".to_owned(),
            2 => format!("if (n != null) n.data = {};", self.number()),
            3 => "n.next = head; head = n;".to_owned(),
            4 => "if (head != null) l = head.data; else head = n;".to_owned(),
            5 => "if (n != null && n.next != null) n = n.next;".to_owned(),
            6 => "if (n != null) synchronized (n.mutex) { n.data += 1; }".to_owned(),
            _ => "if (head != null) synchronized (head.mutex) { l = head.data; }".to_owned(),
        }
    }

    /// Accesses that obey the rule that x, y and the list belong to `m`, and the elements
    /// of `a` to those of `k`; that nobody writes `q`; and that who waits is notified.
    fn protected(&mut self, atomic: bool) -> String {
        let (i, number) = (self.random.below(2), self.random.below(3));
        match self.random.below(if atomic { 13 } else { 14 }) {
            0 => format!("synchronized (m) {{ x = {number}; y = x; }}"),
            1 => format!("synchronized (m) {{ y += {number}; assert(y >= x); }}"),
            2 => format!("synchronized (k[{i}]) {{ a[{i}] = {number}; }}"),
            3 => format!("synchronized (k[{i}]) {{ l = a[{i}]; }}"),
            4 => "synchronized (k[0]) { synchronized (k[1]) { a[0] = a[1]; } }".to_owned(),
            5 => "for (int i = 0; i < 2; i++) synchronized (k[i]) { a[i] += 1; }".to_owned(),
            6 => "synchronized (m) { synchronized (m) { x = l; } y = x; }".to_owned(),
            7 => format!("deposit({number});"),
            8 => "synchronized (m) { deposit(1); l = x; }".to_owned(),
            9 => "l = q[l % 2];".to_owned(),
            10 => {
                "n = new Node; n.data = l; synchronized (m) { n.next = head; head = n; }".to_owned()
            }
            11 => "synchronized (m) { x += 1; notifyAll(m); }".to_owned(),
            12 => "acquire(m); x = 1; release(m); assert(q[1] == 1);".to_owned(),
            _ => "synchronized (m) { while (x == 0) wait(m); x -= 1; }".to_owned(),
        }
    }

    /// Accesses that change nothing that is shared.
    fn reading(&mut self) -> String {
        match self.random.below(6) {
            0 => format!("l = {};", self.variable()),
            1 => format!("assert({});", self.condition()),
            2 => "l = l + q[0];".to_owned(),
            3 => "if (head != null) l = head.data;".to_owned(),
            4 => "if (head != null) assert(head.next == null);".to_owned(),
            _ => "l = a[l % 2];".to_owned(),
        }
    }

    /// What may happen while a lock is held.
    fn guarded(&mut self, lock: &str) -> String {
        match self.random.below(6) {
            0 => format!("wait({lock});"),
            1 => format!("notify({lock});"),
            2 => format!("notifyAll({lock});"),
            3 => format!("while ({}) wait({lock});", self.condition()),
            _ => format!("{} = {};", self.variable(), self.number()),
        }
    }

    fn compound(&mut self, depth: usize, atomic: bool) -> Statement {
        match self.random.below(if atomic { 3 } else { 9 }) {
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
            3 => {
                let head = format!("while ({})", self.condition());
                Statement::Nested(head, self.block(depth, atomic))
            }
            4 => {
                let head = format!("await ({})", self.condition());
                Statement::Nested(head, self.block(depth, true))
            }
            5 | 6 => Statement::Nested("atomic".to_owned(), self.block(depth, true)),
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
        match self.random.below(6) {
            0 => self.random.below(4).to_string(),
            1 => self.variable(),
            2 => "l".to_owned(),
            3 => format!("{} + 1", self.variable()),
            4 => "q[1]".to_owned(),
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

/// What the threads of dense programs are made of.
const DENSE: [&str; 28] = [
    "x = 1;",
    "y = 1;",
    "w = x;",
    "l = y;",
    "x = l + 1;",
    "atomic { if (x == 0) y = 2; else w = 1; }",
    "atomic { if (y == 0 && w == 0) x = 2; }",
    "atomic { if (w == 0) { if (y == 1) x = 3; } else { l = y; } }",
    "await (x == 1 || y == 1);",
    "await (y - x == 1);",
    "await (w == 0) y = 3;",
    "await (x == 1 && y == 1) w = 2;",
    "acquire(m);",
    "if (holds(m)) release(m);",
    "if (holds(m)) wait(m);",
    "if (holds(m)) notify(m);",
    "up(s);",
    "down(s);",
    "atomic { down(s); if (x == 0) down(s); }",
    "send(c, l);",
    "l = receive(c);",
    "assert(x + y + w < 5);",
    "assume(w != 1);",
    "choose { when (x == 0) x = 1; or y = 1; }",
    "u = spawn child(l);",
    "if (u != null) join(u);",
    "fetchAdd(x, 1);",
    "if (cas(y, 0, 2)) w = 2;",
];

/// How the first thread says that everything is ready, and how the others wait for that.
const PUBLISH: [(&str, &str); 4] = [
    ("up(gate); up(gate);", "down(gate);"),
    ("b = true;", "await (b);"),
    ("send(d, 1); send(d, 2);", "l = receive(d);"),
    ("head = n;", "await (head != null);"),
];

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

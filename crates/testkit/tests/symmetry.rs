//! Search up to symmetry against plain search, on random programs some of whose threads can be
//! exchanged and some not: whoever says that they can is held to it.
//!
//! `RADDLE_SEED=n` starts elsewhere, `RADDLE_SAMPLES=n` runs more.

use raddle_machine::symmetry::Reason;
use raddle_testkit::generate::{Random, number_from_environment};
use raddle_testkit::symmetry::compare;
use std::collections::BTreeMap;

const DECLARATIONS: &str = "\
record Box { int of = -1; lock m; int a[worker]; Box next; }
Box box = new Box;
int who = -1; int n; int flag[worker]; int two[2][worker]; int back[worker][2];
lock m, ms[worker]; semaphore s[worker]; channel<int>(2) c; thread t;
local int mine = -1;
void put(int i, int v) { flag[i] = v; }
int pick(int i) { return i; }
int deep(int i, int k) { if (k == 0) return i; int j = deep(i, k - 1); n = 1; return j; }
thread late(int i) { who = i; n = 2; }
";

/// What threads do that use their indices as names.
const NAMES: [&str; 44] = [
    "who = index;",
    "flag[index] = 1;",
    "flag[index]++;",
    "if (who == index) n++;",
    "n = n + 1;",
    "assert(who == index);",
    "synchronized (m) { who = index; assert(who == index); }",
    "synchronized (ms[index]) { n++; }",
    "synchronized (ms[who]) { flag[who] = 3; }",
    "acquire(ms[index]);",
    "release(ms[index]);",
    "{ int k# = who; flag[k#] = 2; }",
    "send(c, index);",
    "who = receive(c);",
    "{ int j# = choose(0..N - 1); flag[j#] = 1; }",
    "{ int j# = choose(0..N - 1); if (j# != index) join(t); }",
    "t = self;",
    "assert(t == self || t == null);",
    "if (t != null) n = 1;",
    "await (flag[index] == 0 || n > 0);",
    "put(index, 1);",
    "put(who, 5);",
    "who = pick(index);",
    "who = deep(index, 2);",
    "up(s[index]);",
    "down(s[index]);",
    "up(s[who]);",
    "two[1][index] = n;",
    "back[index][0] = two[1][index] + 1;",
    "if (cas(who, -1, index)) n++;",
    "atomic { if (who == -1) who = index; else who = -1; }",
    "mine = index; skip; assert(mine == index);",
    "await (count(i in worker: flag[i] == 1) < 1) flag[index] = 1;",
    "box.of = index;",
    "synchronized (box.m) { box.a[index] = 1; wait(box.m); }",
    "synchronized (box.m) { notify(box.m); }",
    "{ Box b# = new Box; b#.of = index; b#.next = box; box = b#; }",
    "assert(box.of != index || box.next == null);",
    "t = spawn late(index);",
    "assert(owner(m) == null);",
    "choose { who = index; or when (who != index) n = 4; }",
    "if (n == 2) return;",
    "spot#: n = 3;",
    "atomic { who = index; n = flag[who]; }",
];

/// What threads do that need their numbers, or not in all programs.
const NUMBERS: [&str; 22] = [
    "who = 0;",
    "flag[0] = 1;",
    "if (index == 0) n = 5;",
    "n = index;",
    "flag[(index + 1) % N] = 1;",
    "if (index < who) n++;",
    "for (int k# = 0; k# < N; k#++) flag[k#] = 1;",
    "{ int j# = choose(0..0); flag[j#] = 1; }",
    "{ int j# = choose(1..N); if (j# == index) n = 9; }",
    "who = n;",
    "if (who > 0) n = 7;",
    "assert(two[0][1] == 0);",
    "who++;",
    "two[index][0] = 1;",
    "assert(count(i in worker: flag[i] == 1) < 2);",
    "{ int k# = 0; flag[k#] = 1; }",
    "fetchAdd(who, 1);",
    "back[1][0] = 2; ",
    "put(1, 1);",
    "who = pick(0);",
    "n = who == index ? who : n;",
    "int(0..1) small# = index;",
];

const INVARIANTS: [&str; 9] = [
    "count(i in worker: flag[i] == 1) < 2",
    "n < 3",
    "forall(i in worker: flag[i] >= 0 && two[1][i] < 3)",
    "!(exists(it in flag: it == 2) && n == 1)",
    "sum(i in worker: back[i][0]) < 2",
    "flag[0] < 1",
    "who < 1",
    "flag[0] == flag[1]",
    "forall(i in worker: flag[i] <= flag[0])",
];

struct Generator(Random, usize);

impl Generator {
    fn one_of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.0.below(all.len() as u64) as usize]
    }

    fn statement(&mut self, wild: bool) -> String {
        let text = match wild && self.0.below(5) == 0 {
            true => self.one_of(&NUMBERS),
            false => self.one_of(&NAMES),
        };
        self.1 += 1;
        text.replace('#', &self.1.to_string())
    }

    fn program(&mut self) -> String {
        let wild = self.0.below(3) == 0;
        let count = 2 + self.0.below(2);
        let granularity = match self.0.below(4) {
            0 => "granularity statement;\n",
            _ => "",
        };
        let mut text = format!("{granularity}const N = {count};\n{DECLARATIONS}");
        let mut body = String::new();
        for _ in 0..2 + self.0.below(3) {
            body.push_str(&format!("  {}\n", self.statement(wild)));
        }
        text.push_str(&format!("thread worker[N] {{\n{body}}}\n"));
        if self.0.below(2) == 0 {
            let other = self.one_of(&[
                "thread other { await (who != -1); assert(flag[who] == 0); }",
                "thread other[2] { synchronized (m) { n++; } }",
                "thread other[2] { n = n + 1; mine = index; }",
                "thread other[2] { who = index; }",
                "daemon thread other { while (true) { who = receive(c); send(c, who); } }",
                "thread other { flag[1] = 1; }",
                "thread other { join(t); notifyAll(m); }",
            ]);
            text.push_str(&format!("{other}\n"));
        }
        if self.0.below(2) == 0 {
            let most = if wild { INVARIANTS.len() } else { 5 };
            let condition = self.one_of(&INVARIANTS[..most]);
            text.push_str(&format!("invariant {condition};\n"));
        }
        text
    }
}

#[test]
fn what_is_found_up_to_symmetry_is_what_there_is() {
    let first = number_from_environment("RADDLE_SEED", 1);
    let samples = number_from_environment("RADDLE_SAMPLES", 250);
    let mut compared = 0;
    let mut refused: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in first..first + samples {
        let mut generator = Generator(Random(seed), 0);
        let text = generator.program();
        let mut refuse = |reason: &Reason| *refused.entry(reason.what).or_default() += 1;
        match compare(&text, &mut refuse) {
            Ok(is_compared) => compared += usize::from(is_compared),
            Err(why) => panic!("seed {seed}: {why}\n{text}"),
        }
    }
    assert!(
        compared > samples as usize / 3,
        "{compared} were compared; refused: {refused:?}"
    );
    assert!(refused.len() >= 4, "{refused:?}");
}

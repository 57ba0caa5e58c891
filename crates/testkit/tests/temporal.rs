//! Random programs, random temporal properties and every fairness: the search against the judge of
//! the test kit. What it finds is replayed.
//!
//! `RADDLE_SEED=n` starts elsewhere, `RADDLE_SAMPLES=n` runs more.

use raddle_machine::Machine;
use raddle_model::{Limits, Properties, Property};
use raddle_search::{Budget, Config};
use raddle_testkit::differential::machine;
use raddle_testkit::generate::{Random, number_from_environment};
use raddle_testkit::temporal::{has_no_end, is_violated};

/// What the threads are made of. All values stay small, so that loops come back.
const STATEMENTS: [&str; 24] = [
    "x = 0;",
    "x = 1;",
    "y = x;",
    "x = x + 1;",
    "y = y + 1;",
    "b = !b;",
    "b = true;",
    "skip;",
    "await (x == 1);",
    "await (b) b = false;",
    "await (!b) b = true;",
    "await (y != x) y = 0;",
    "acquire(m); x = 2; release(m);",
    "synchronized (m) { y = 1; }",
    "up(s); down(s);",
    "down(s); up(s);",
    "down(s);",
    "while (!cas(b, false, true)) { }",
    "while (x == 0) { y = 2; }",
    "choose { x = 2; or y = 2; }",
    "choose { when (x == 1) x = 0; or when (b) y = 0; }",
    "l = choose(0..1); x = l;",
    "assume(y != 2);",
    "assert(x < 2);",
];

const ATOMS: [&str; 9] = [
    "b",
    "x == 0",
    "x == 1",
    "y < x",
    "y == 2",
    "value(s) == 0",
    "owner(m) == null",
    "count(here) == 1",
    "true",
];

fn program(random: &mut Random) -> String {
    let mut text =
        String::from("int(0..2 wrap) x; int(0..2 wrap) y; bool b; lock m; semaphore s = 1;\n");
    let threads = 1 + random.below(3);
    for thread in 0..threads {
        let mut body = String::new();
        for _ in 0..1 + random.below(4 - threads / 2) {
            body += STATEMENTS[random.below(STATEMENTS.len() as u64) as usize];
            body += " ";
        }
        let label = if thread == 0 { "here: " } else { "" };
        let declared = if body.contains("l =") {
            "int l = 0; "
        } else {
            ""
        };
        text += &match random.below(3) {
            0 => format!("thread t{thread} {{ {declared}{label}skip; {body}}}\n"),
            _ => {
                format!("thread t{thread} {{ {declared}while (true) {{ {label}skip; {body}}} }}\n")
            }
        };
    }
    text
}

fn formula(random: &mut Random, depth: u64) -> String {
    let atom = |random: &mut Random| ATOMS[random.below(ATOMS.len() as u64) as usize].to_owned();
    if depth == 0 || random.below(8) == 0 {
        return format!("({})", atom(random));
    }
    let a = formula(random, depth - 1);
    match random.below(11) {
        0 => format!("(!{a})"),
        1 => format!("(next {a})"),
        2 | 3 => format!("(always {a})"),
        4 | 5 => format!("(eventually {a})"),
        other => {
            let b = formula(random, depth - 1);
            let sign = ["leads to", "until", "unless", "implies", "&&", "||"];
            format!("({a} {} {b})", sign[(other - 6 + random.below(2)) as usize])
        }
    }
}

fn config(ends: bool) -> Config {
    Config {
        properties: Properties {
            temporal: !ends,
            ends,
            ..Properties::NONE
        },
        limits: Limits {
            states: Some(100_000),
            ..Limits::NONE
        },
        ..Config::default()
    }
}

/// Whether a search finds a violation, which is replayed as it is and shortened: of a temporal property,
/// or that nothing can end.
fn is_found(machine: &Machine, ends: bool) -> Result<bool, String> {
    let survey = raddle_search::check_all(machine, &config(ends), &mut ());
    if !survey.reasons.is_empty() {
        return Err(format!("{:?}", survey.reasons));
    }
    for violation in &survey.violations {
        if ends != matches!(violation.property, Property::NoEnd(_)) {
            return Err(format!("not asked for: {:?}", violation.property));
        }
        let budget = Budget {
            steps: 20_000,
            words: 1 << 20,
        };
        let short = raddle_search::shorten(machine, violation, budget, &mut ()).violation;
        for it in [violation, &short] {
            raddle_search::replay(machine, &it.schedule, &it.property)
                .map_err(|why| format!("does not replay: {why:?}"))?;
        }
        if short.schedule.len() > violation.schedule.len() {
            return Err("longer than before".to_owned());
        }
    }
    Ok(!survey.violations.is_empty())
}

#[test]
fn the_search_finds_what_the_definition_says() {
    let first = number_from_environment("RADDLE_SEED", 1);
    let count = number_from_environment("RADDLE_SAMPLES", 500);
    let (mut judged, mut violated) = ([0u64; 3], [0u64; 3]);
    for seed in first..first + count {
        let mut random = Random(seed);
        let program = program(&mut random);
        let formula = formula(&mut random, 3);
        for (number, fairness) in ["no", "weak", "strong"].into_iter().enumerate() {
            let source = format!("{program}property p: {formula} under {fairness} fairness;\n");
            let machine = machine(&source).unwrap_or_else(|why| panic!("{why}\n{source}"));
            let Some(expected) = is_violated(&machine, 0, 400) else {
                continue;
            };
            let found =
                is_found(&machine, false).unwrap_or_else(|why| panic!("{why}\n{seed}: {source}"));
            assert_eq!(found, expected, "seed {seed}\n{source}");
            judged[number] += 1;
            violated[number] += u64::from(found);
        }
    }
    let all = judged[0];
    assert!(10 * all > 9 * count, "{all} of {count} were small enough");
    // Fairness makes a difference (strong and weak do rarely: the corpus has that), and both answers
    // are frequent.
    assert!(violated[0] > violated[1] && violated[1] >= violated[2]);
    assert!(
        5 * violated[2] > all && 5 * violated[0] < 4 * all,
        "{violated:?}"
    );
}

#[test]
fn where_nothing_can_end_is_found_as_by_definition() {
    let first = number_from_environment("RADDLE_SEED", 1);
    let count = number_from_environment("RADDLE_SAMPLES", 1000);
    let (mut judged, mut violated) = (0, 0);
    for seed in first..first + count {
        let mut random = Random(seed);
        let mut source = program(&mut random);
        if random.below(4) == 0 {
            source = source.replace("here: ", "progress: ");
        }
        let machine = machine(&source).unwrap_or_else(|why| panic!("{why}\n{source}"));
        let Some(expected) = has_no_end(&machine, 400) else {
            continue;
        };
        let found =
            is_found(&machine, true).unwrap_or_else(|why| panic!("{why}\n{seed}: {source}"));
        assert_eq!(found, expected, "seed {seed}\n{source}");
        judged += 1;
        violated += u64::from(found);
    }
    assert!(
        10 * judged > 9 * count,
        "{judged} of {count} were small enough"
    );
    let both = 5 * violated > judged && 5 * violated < 4 * judged;
    assert!(both, "{violated} of {judged} have no end");
}

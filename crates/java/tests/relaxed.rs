//! What threads may read besides the newest values: programs that say what is expected of them, and random
//! litmus programs beside `raddle-litmus`, which executes the same model without a machine.
//!
//! `RADDLE_PROGRAMS` says how many random programs, `RADDLE_SEED` where to begin.

use crate::common::{findings, load_as, scratch};
use raddle_java::{Java, MemoryModel, Plan, Settings};
use raddle_litmus::{explore, parse};
use raddle_reduce::Reduction;
use raddle_testkit::generate::Random;
use raddle_testkit::jam::{Mode, Program, Recipe};
use raddle_testkit::jdk::{compile, compile_texts};
use std::collections::BTreeSet;
use std::path::Path;

const MOST_STATES: u64 = 300_000;

fn load(folder: &Path, main: &str, memory_model: MemoryModel) -> Java {
    let settings = Settings {
        memory_model,
        ..Settings::default()
    };
    load_as(folder, main, settings).expect("the program starts")
}

/// What the faults of a program say; all violations are replayed.
fn faults(java: &mut Java) -> BTreeSet<String> {
    let full = Plan::new(Reduction::FULL).expect("full search");
    let (found, reasons) = findings(java, &full, MOST_STATES, 1).expect("it replays");
    assert!(reasons.is_empty(), "{reasons:?}");
    found.faults
}

#[test]
fn programs_are_as_their_first_lines_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/java-memory");
    let classes = scratch("memory");
    let entries = std::fs::read_dir(&folder).expect("a folder");
    let mut files = Vec::from_iter(entries.map(|entry| entry.expect("a source").path()));
    files.sort();
    assert!(files.len() >= 30, "{} programs", files.len());
    compile(&classes, files.iter().cloned());
    let wanted = std::env::var("RADDLE_PROGRAM").unwrap_or_default();
    let mut wrong = Vec::new();
    for file in &files {
        let name = file.file_stem().expect("a name").to_string_lossy();
        if !name.starts_with(&wanted) {
            continue;
        }
        let text = std::fs::read_to_string(file).expect("it is text");
        let model = match text.contains("// model: java\n") {
            true => MemoryModel::Java,
            false => MemoryModel::default(),
        };
        let mut java = load(&classes, &name, model);
        let full = Plan::new(Reduction::FULL).expect("full search");
        let (found, reasons) = findings(&mut java, &full, MOST_STATES, 1).expect("it replays");
        let is_violated = !found.faults.is_empty();
        let is_expected = match text.lines().next() {
            Some("// expect: holds") => !is_violated && reasons.is_empty(),
            Some("// expect: assertion") => is_violated,
            other => panic!("{name}: {other:?}"),
        };
        if !is_expected {
            wrong.push(format!("{name}: {:?}, {reasons:?}", found.faults));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A litmus program as a class whose `main` ends with an exception that says what was seen.
fn class(name: &str, program: &Program) -> String {
    let locations = 0..program.locations;
    let herd = program.text();
    let mut out = String::from("import java.lang.invoke.*;\n");
    let mut fields = String::new();
    let mut handles = String::new();
    for x in locations {
        fields += &format!("  static int x{x}; static final VarHandle X{x};\n");
        handles +=
            &format!("X{x} = look.findStaticVarHandle({name}.class, \"x{x}\", int.class);\n");
    }
    let (mut threads, mut seen) = (String::new(), String::new());
    let mut thread = 0;
    for line in herd.lines().skip(2) {
        let line = line.trim();
        if line.starts_with("Thread") {
            threads += &format!("    Thread t{thread} = new Thread(() -> {{\n");
        } else if line == "}" {
            threads += "    });\n";
            thread += 1;
        } else if line.starts_with("exists") {
            break;
        } else if let Some(read) = line.strip_prefix("int ") {
            let (register, call) = read.split_once(" = ").expect("a read");
            let field = format!("t{thread}{register}");
            fields += &format!("  static int {field};\n");
            seen += &format!("{field} + \" \" + ");
            threads += &format!("      {field} = (int) {call}\n");
        } else if line.ends_with("Fence();") {
            threads += &format!("      VarHandle.{line}\n");
        } else {
            threads += &format!("      {line}\n");
        }
    }
    let all = |what: &str| {
        (0..thread)
            .map(|it| format!(" t{it}.{what}();"))
            .collect::<String>()
    };
    let last = (0..program.locations).map(|x| format!("x{x}"));
    let last = Vec::from_iter(last).join(" + \" \" + ");
    out += &format!(
        "public class {name} {{\n{fields}  static {{ try {{ MethodHandles.Lookup look = \
         MethodHandles.lookup();\n{handles} }} catch (ReflectiveOperationException e) {{ throw new \
         Error(e); }} }}\n  public static void main(String[] args) throws Exception {{\n{threads}   \
         {}{}\n    throw new IllegalStateException({seen}{last});\n  }}\n}}\n",
        all("start"),
        all("join"),
    );
    out
}

/// What litmus programs come to in Java's machine is what they come to without it.
fn compare(label: &str, recipe: Recipe, default: u64) {
    let number = |name: &str, default: u64| {
        let value = std::env::var(name).ok();
        value.map_or(default, |it| it.parse().expect("a number"))
    };
    let (count, seed) = (number("RADDLE_PROGRAMS", default), number("RADDLE_SEED", 1));
    let programs = (0..count).map(|index| Program::random(&mut Random(seed + index), recipe));
    let programs: Vec<Program> = programs.collect();
    let folder = scratch(label);
    let name = |index: usize| format!("R{index}");
    let texts = programs.iter().enumerate();
    compile_texts(
        &folder,
        texts.map(|(index, program)| (name(index), class(&name(index), program))),
    );
    for (index, program) in programs.iter().enumerate() {
        let litmus = parse(&program.text()).expect("it is well-formed");
        let explored = explore(&litmus, 1_000_000).expect("few states");
        let told = |outcome: &Vec<i32>| {
            let all = outcome.iter().map(i32::to_string);
            Vec::from_iter(all).join(" ")
        };
        let expected: BTreeSet<String> = explored.outcomes.iter().map(told).collect();
        let found = faults(&mut load(&folder, &name(index), MemoryModel::Java));
        let found = found.iter().map(|it| {
            let outcome = it.rsplit(": ").next().unwrap_or_default();
            outcome.to_owned()
        });
        let found: BTreeSet<String> = found.collect();
        assert_eq!(
            found,
            expected,
            "{label}, seed {}: {}",
            seed + index as u64,
            program.text()
        );
    }
}

const MODES: [Mode; 4] = [Mode::Plain, Mode::Opaque, Mode::Ordered, Mode::Volatile];

#[test]
fn litmus_programs_of_all_modes_have_the_same_outcomes() {
    let recipe = Recipe {
        modes: &MODES,
        updates: 0,
        fences: 0,
        has_halves: false,
    };
    compare("modes", recipe, 12);
}

#[test]
fn litmus_programs_with_updates_and_fences_have_the_same_outcomes() {
    let recipe = Recipe {
        modes: &MODES,
        updates: 20,
        fences: 15,
        has_halves: true,
    };
    compare("updates", recipe, 12);
}

#[test]
fn volatile_programs_are_sequentially_consistent() {
    let recipe = Recipe {
        modes: &[Mode::Volatile],
        updates: 10,
        fences: 0,
        has_halves: false,
    };
    compare("volatile", recipe, 4);
}

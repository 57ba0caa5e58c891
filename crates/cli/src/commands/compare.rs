//! `raddle compare`: the same program under every reduction, side by side.

use super::SUCCESS;
use crate::args::{Compare, When};
use crate::console::{self, complain};
use crate::failure::Failure;
use crate::origin::Origin;
use crate::pipeline::not_preserved;
use crate::programs::{self, Language, Program, Setup, Task};
use crate::progress::Watcher;
use crate::{files, memory};
use raddle_model::{Limits, Properties};
use raddle_reduce::Reduction;
use raddle_report::comparison::{self, Row, Share};
use raddle_report::html;
use raddle_report::text::reason;
use raddle_search::{Config, Survey};
use std::path::Path;

/// Exit code if two searches contradict each other.
const CONTRADICTION: u8 = 2;

/// Runs the command; the answer is the exit code.
pub(crate) fn run(args: &Compare) -> Result<u8, Failure> {
    if let Some(path) = &args.svg {
        files::guard_picture(path, &args.file)?;
    }
    if let Some(path) = &args.html {
        files::guard_page(path, &args.file)?;
    }
    let read = programs::read(&args.file)?;
    let source = read.main();
    if !matches!(read.language, Language::Model | Language::Boolean) {
        return Err(Failure::new(
            "reductions are compared on models and boolean programs; a net has no threads",
        ));
    }
    let setup = Setup {
        defines: args.defines.clone(),
        threads: args.max_threads,
        ..Setup::default()
    };
    let origin = Origin {
        sources: &read.sources,
        java: None,
        setup: &setup,
    };
    let (rows, bugs) = programs::with(&read, &setup, Comparison { args, origin })?;
    let text = match args.json {
        true => format!("{:#}\n", comparison::json(&source.name, &rows)),
        false => comparison::table(&rows),
    };
    console::answer(&text)?;
    if let Some(path) = &args.svg {
        files::write(path, &comparison::svg(&source.name, &rows))?;
    }
    if let Some(path) = &args.html {
        files::write(path, &html::comparison(&read.sources, &rows))?;
    }
    complain(&bugs);
    match bugs.is_empty() {
        true => Ok(SUCCESS),
        false => Ok(CONTRADICTION),
    }
}

/// Searches a program with every reduction; the answer is the table, and what to complain of.
struct Comparison<'a> {
    args: &'a Compare,
    origin: Origin<'a>,
}

impl Task for Comparison<'_> {
    type Output = (Vec<Row>, String);

    fn run<P: Program>(self, program: &P) -> Self::Output {
        let mut bench = Bench::new(program, self.args);
        let mut rows = Vec::new();
        let mut bugs = String::new();
        for &reduction in Reduction::ALL {
            let (survey, full) = bench.search(reduction);
            rows.push(row(program, reduction, &survey, &full, &bench.limits));
            let name = reduction.entry().name;
            let pair = [(name, &survey), ("none", &full)];
            bugs.push_str(&contradiction(program, &self.origin, pair, Path::new("")));
        }
        (rows, bugs)
    }
}

/// The searches of one program.
struct Bench<'a, P> {
    program: &'a P,
    limits: Limits,
    /// What full search answered, by what it was asked.
    full: Vec<(Properties, Survey)>,
}

impl<'a, P: Program> Bench<'a, P> {
    fn new(program: &'a P, args: &Compare) -> Bench<'a, P> {
        Bench {
            program,
            limits: Limits {
                time: args.time,
                memory: memory::default_limit(),
                ..Limits::NONE
            },
            full: Vec::new(),
        }
    }

    /// Searches with a reduction for all that it preserves. Full search is asked the same
    /// question, so that the answers can be compared.
    fn search(&mut self, reduction: Reduction) -> (Survey, Survey) {
        let properties = reduction.entry().preserves;
        let known = self.full.iter().find(|(asked, _)| *asked == properties);
        let full = match known {
            Some((_, full)) => full.clone(),
            None => {
                let full = self.survey(Reduction::FULL, properties);
                self.full.push((properties, full.clone()));
                full
            }
        };
        match reduction {
            Reduction::FULL => (full.clone(), full),
            _ => (self.survey(reduction, properties), full),
        }
    }

    fn survey(&self, reduction: Reduction, properties: Properties) -> Survey {
        let mut watcher = Watcher::new(&self.limits, When::Never);
        let config = Config {
            properties,
            limits: self.limits,
            stop: watcher.stop_flag(),
            ..Config::default()
        };
        let mut survey =
            raddle_reduce::survey(self.program, reduction, &config, &mut watcher, true);
        survey.statistics.elapsed = watcher.elapsed();
        survey
    }
}

fn row<P: Program>(
    program: &P,
    reduction: Reduction,
    survey: &Survey,
    full: &Survey,
    limits: &Limits,
) -> Row {
    let entry = reduction.entry();
    let refused = not_preserved(program, Properties::ALL, entry.preserves);
    let mut checked = not_preserved(program, Properties::ALL, NOTHING);
    checked.retain(|property| !refused.contains(property));
    let doubts = match survey.violations.is_empty() {
        true => survey.reasons.iter().map(|it| reason(it, limits)).collect(),
        false => Vec::new(),
    };
    Row {
        reduction: entry.name,
        checked,
        refused,
        answer: answer(survey).to_owned(),
        doubts,
        states: survey.statistics.states,
        share: share(survey, full),
        transitions: survey.statistics.transitions,
        executions: survey.statistics.executions,
        elapsed: survey.statistics.elapsed,
        bytes: survey.statistics.peak_bytes,
    }
}

const NOTHING: Properties = Properties {
    faults: false,
    deadlock: false,
    partial_deadlock: false,
    invariants: false,
};

fn answer(survey: &Survey) -> &'static str {
    match survey.violations.first() {
        Some(violation) => violation.property.name(),
        None if survey.reasons.is_empty() => "holds",
        None => "unknown",
    }
}

/// How many states a search needed for its answer, compared with full search.
fn share(survey: &Survey, full: &Survey) -> Share {
    let share = survey.statistics.states as f64 / full.statistics.states.max(1) as f64;
    match (answer(survey), answer(full)) {
        ("unknown", _) => Share::Unknown,
        (_, "unknown") => Share::Below(share),
        _ => Share::Exactly(share),
    }
}

/// What to complain of if one search finds a violation and the other one proves that
/// there is none, or if a violation does not happen again; nothing if all is well. What
/// was found is saved in a folder, under names that are free.
fn contradiction<P: Program>(
    program: &P,
    origin: &Origin<'_>,
    searches: [(&str, &Survey); 2],
    folder: &Path,
) -> String {
    let [first, second] = searches;
    let answers = searches.map(|(_, survey)| match survey.violations.is_empty() {
        true => answer(survey),
        false => "violated",
    });
    let mut told = match answers {
        ["holds", "violated"] | ["violated", "holds"] => format!(
            "BUG OF RADDLE, please report it: `{}` answers {}, `{}` answers {}\n",
            first.0,
            answer(first.1),
            second.0,
            answer(second.1)
        ),
        _ => String::new(),
    };
    for (name, survey) in searches {
        let Some(violation) = survey.violations.first() else {
            continue;
        };
        let schedule = &violation.schedule;
        match raddle_search::replay(program, schedule, &violation.property) {
            Ok(_) if told.is_empty() => {}
            Ok(trace) => {
                let path = folder.join(format!("raddle-bug-{name}.json"));
                told.push_str(&match files::write_new(&path, &origin.saved(&trace)) {
                    Ok(path) => format!("  the trace of `{name}`: {}\n", path.display()),
                    Err(failure) => format!(
                        "  the trace of `{name}` could not be saved: {}  its schedule: {schedule:?}\n",
                        failure.text(false)
                    ),
                });
            }
            Err(error) => told.push_str(&format!(
                "BUG OF RADDLE, please report it: what `{name}` found could not be replayed: \
                 {error}\n  its schedule: {schedule:?}\n"
            )),
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::{Language, Text};
    use raddle_report::Source;
    use std::fs;
    use std::path::PathBuf;

    const RACE: &str = "int x; thread t[2] { x = x + 1; assert(x == 1); }";

    fn folder(test: &str) -> PathBuf {
        let name = format!("raddle-{test}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("a folder can be made");
        folder
    }

    /// What is said of two surveys of the program, made from those of two searches.
    fn told(test: &str, spoil: impl Fn(&mut Survey, &mut Survey)) -> (String, PathBuf) {
        let text = Text {
            language: Language::Model,
            sources: vec![Source {
                name: "race.rad".to_owned(),
                text: RACE.to_owned(),
            }],
            processes: Vec::new(),
        };
        let setup = Setup::default();
        let folder = folder(test);
        let spoiling = Spoiling {
            origin: Origin {
                sources: &text.sources,
                java: None,
                setup: &setup,
            },
            spoil,
            folder: &folder,
        };
        // Whatever a test needs of searches is compiled for it once more: of one system, not of
        // all.
        let machine = programs::model(text.main(), &setup).expect("it is well formed");
        (spoiling.run(&machine), folder)
    }

    struct Spoiling<'a, F> {
        origin: Origin<'a>,
        spoil: F,
        folder: &'a Path,
    }

    impl<F: Fn(&mut Survey, &mut Survey)> Task for Spoiling<'_, F> {
        type Output = String;

        fn run<P: Program>(self, program: &P) -> String {
            let mut bench = Bench {
                program,
                limits: Limits::NONE,
                full: Vec::new(),
            };
            let (mut reduced, mut full) = bench.search(Reduction::PERSISTENT);
            (self.spoil)(&mut reduced, &mut full);
            let pair = [("persistent", &reduced), ("none", &full)];
            contradiction(program, &self.origin, pair, self.folder)
        }
    }

    #[test]
    fn answers_that_agree_are_no_bug() {
        let (told, folder) = told("agree", |_, _| {});
        assert_eq!(told, "");
        let (unknown, _) = self::told("agree", |reduced, _| {
            reduced.violations.clear();
            reduced.reasons.push(raddle_model::Reason::Time);
        });
        assert_eq!(unknown, "");
        fs::remove_dir_all(folder).expect("it was made");
    }

    #[test]
    fn a_contradiction_is_told_and_the_trace_saved() {
        let spoil = |reduced: &mut Survey, _: &mut Survey| reduced.violations.clear();
        let (told, folder) = told("contradiction", spoil);
        assert!(told.starts_with("BUG OF RADDLE"), "{told}");
        assert!(told.contains("`persistent` answers holds"), "{told}");
        let first = folder.join("raddle-bug-none.json");
        assert!(told.contains(&first.display().to_string()), "{told}");
        let saved = files::read_trace(&first).expect("it is a trace");
        assert_eq!(saved.property.name(), "assertion");
        assert!(!saved.schedule.is_empty());
        // The next one gets another name.
        let before = fs::read(&first).expect("it is there");
        let (told, _) = self::told("contradiction", spoil);
        assert!(told.contains("raddle-bug-none.2.json"), "{told}");
        assert_eq!(fs::read(&first).expect("it is there"), before);
        fs::remove_dir_all(folder).expect("it was made");
    }

    #[test]
    fn a_violation_that_does_not_happen_is_a_bug() {
        let (told, folder) = told("replay", |reduced, _| {
            reduced.violations[0].schedule.truncate(1);
        });
        assert!(told.contains("could not be replayed"), "{told}");
        assert!(told.contains("its schedule"), "{told}");
        fs::remove_dir_all(folder).expect("it was made");
    }
}

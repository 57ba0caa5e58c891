//! Tests of Java classes. They are run by the engine of their library ([`engines`]). Where there is
//! none, they are found by their annotations, and run by a `main` that is written for each; what
//! that would not run as the library does has a reason instead.

pub(crate) mod arguments;
pub(crate) mod classes;
mod driver;
mod engines;
mod plan;

use crate::program::classes_in;
use crate::{Folder, Installation, Launch, Program, Trouble};
use classes::full_name;
use plan::Plan;
use raddle_model::StopFlag;
use std::fs;

/// Tests, ready to run.
#[derive(Default)]
pub struct Suite {
    /// In the order of the class, those of nested classes last.
    pub tests: Vec<Test>,
    /// Those that the test library would not run, either, with why.
    pub skipped: Vec<Skipped>,
    /// Classes are read when they are needed.
    _compiled: Vec<Folder>,
}

/// A test that is not run, and why.
pub type Skipped = (String, String);

/// A test.
pub struct Test {
    /// Its class and method.
    pub name: String,
    /// The class in which it was looked for.
    pub class: String,
    /// How it is run, or why it is not run as the test library would.
    pub launch: Result<Launch, String>,
    /// What is different from how the test library runs it.
    pub remarks: Vec<String>,
    /// Whether the test library ends it after some time, which is not done here.
    pub has_time_limit: bool,
}

impl Test {
    /// Why it is not run as the test library would run it, if so.
    pub fn obstacle(&self) -> Option<&str> {
        self.launch.as_ref().err().map(String::as_str)
    }
}

/// What is different for a repeated test.
const REPEATED: &str = "a repeated test is checked once, in all of its interleavings";

/// The tests of a class, or those that are named.
pub fn find(
    launch: &Launch,
    class: &str,
    method: Option<&str>,
    jdk: &Installation,
    stop: &StopFlag,
) -> Result<Suite, Trouble> {
    let main = Some(class.to_owned());
    let program = Program::find(
        &Launch {
            main,
            ..launch.clone()
        },
        jdk,
        stop,
    )?;
    let name = full_name(&program, class)?;
    let mut listing = engines::list(&program, launch, &mut vec![name], jdk, stop)?;
    let is_wanted = |test: &Test| method.is_none_or(|method| is_named(&test.name, method));
    listing.tests.retain(is_wanted);
    let is_listed = !listing.tests.is_empty() || method.is_none() && !listing.skipped.is_empty();
    let mut suite = match is_listed {
        true => Suite {
            tests: listing.tests,
            skipped: listing.skipped,
            _compiled: listing.drivers,
        },
        false => without_engine(&program, launch, class, method, jdk, stop)?,
    };
    suite._compiled.extend(program.compiled);
    Ok(suite)
}

/// The tests of all classes for which there is an engine.
pub fn find_all(
    launch: &Launch,
    is_wanted: &dyn Fn(&str) -> bool,
    jdk: &Installation,
    stop: &StopFlag,
) -> Result<Suite, Trouble> {
    let main = Some("none".to_owned());
    let program = Program::find(
        &Launch {
            main,
            ..launch.clone()
        },
        jdk,
        stop,
    )?;
    let classes = classes_in(&program.root)?.into_iter().map(|it| it.name);
    let classes = classes.filter(|it| !it.contains('$') && is_wanted(&it.replace('/', ".")));
    let mut classes: Vec<String> = classes.collect();
    let listing = engines::list(&program, launch, &mut classes, jdk, stop)?;
    let mut suite = Suite {
        tests: listing.tests,
        skipped: listing.skipped,
        _compiled: listing.drivers,
    };
    for class in classes {
        if plan::has_tests(&program, &class)? {
            let class = class.replace('/', ".");
            let more = without_engine(&program, launch, &class, None, jdk, stop)?;
            suite.tests.extend(more.tests);
            suite.skipped.extend(more.skipped);
            suite._compiled.extend(more._compiled);
        }
    }
    suite._compiled.extend(program.compiled);
    Ok(suite)
}

/// The tests of a class, or those that are named, found by their annotations.
fn without_engine(
    program: &Program,
    launch: &Launch,
    class: &str,
    method: Option<&str>,
    jdk: &Installation,
    stop: &StopFlag,
) -> Result<Suite, Trouble> {
    let planned = plan::plan(program, class, method)?;
    let drivers = jdk.tools.folder()?;
    let (mut tests, mut skipped, mut files) = (Vec::new(), Vec::new(), Vec::new());
    for (name, plan) in planned {
        let mut has_time_limit = false;
        let (main, remarks) = match plan {
            Plan::Skip(why) => {
                skipped.push((name, why.to_owned()));
                continue;
            }
            Plan::Unknown(why) => (Err(why), Vec::new()),
            Plan::Run(run) => {
                let (main, text) = driver::text(&run, files.len());
                let file = (*drivers).as_ref().join(format!("{main}.java"));
                if let Some(folder) = file.parent() {
                    fs::create_dir_all(folder).map_err(|error| Trouble::file(folder, &error))?;
                }
                fs::write(&file, text).map_err(|error| Trouble::file(&file, &error))?;
                files.push(file);
                has_time_limit = run.has_time_limit;
                (Ok(main), run.remarks)
            }
        };
        tests.push((name, main, remarks, has_time_limit));
    }
    let mut class_path = vec![program.root.clone()];
    class_path.extend(launch.class_path());
    let compiled = match files.is_empty() {
        true => None,
        false => Some(jdk.compile(&files, &class_path, stop)?),
    };
    class_path.extend(compiled.as_ref().map(|it| (**it).as_ref().to_owned()));
    let launch = Launch {
        file: program.root.clone(),
        class_path: class_path.split_off(1),
        resources: program.resources.clone(),
        ..launch.clone()
    };
    let tests = tests
        .into_iter()
        .map(|(name, main, remarks, has_time_limit)| Test {
            name,
            class: class.to_owned(),
            launch: main.map(|main| Launch {
                main: Some(main),
                ..launch.clone()
            }),
            remarks,
            has_time_limit,
        });
    Ok(Suite {
        tests: tests.collect(),
        skipped,
        _compiled: compiled.into_iter().collect(),
    })
}

/// Whether a test is meant by a method, with its nested class before it and the number of its
/// arguments behind it, if these are given.
fn is_named(test: &str, method: &str) -> bool {
    let all = test.split_once('[').map_or(test, |(all, _)| all);
    let is_it = |name: &str| {
        let rest = name.strip_suffix(method);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    is_it(test) || is_it(all)
}

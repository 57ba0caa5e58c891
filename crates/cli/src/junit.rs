//! Tests of Java classes: found by their annotations, whatever library they are from, and run by
//! a `main` that is written for each. What is not run as the test library would run it has a
//! reason instead.

mod arguments;
mod classes;
mod driver;
mod plan;

use crate::classes::{Launch, Program, find_jdk};
use crate::compiler::{Scratch, compile};
use crate::failure::Failure;
use crate::pipeline::Finding;
use plan::Plan;
use raddle_model::{Reason, StopFlag};
use std::fs;

/// The tests of a class, ready to run.
pub(crate) struct Suite {
    /// In the order of the class, those of nested classes last.
    pub(crate) tests: Vec<Test>,
    /// Those that the test library would not run, either, with why.
    pub(crate) skipped: Vec<(String, &'static str)>,
    /// How they are run; which class begins is a test's own business.
    pub(crate) launch: Launch,
    /// Classes are read when they are needed.
    _compiled: [Option<Scratch>; 2],
}

/// A test.
pub(crate) struct Test {
    /// Its class and method.
    pub(crate) name: String,
    /// The class that runs it, or why it is not run as the test library would.
    main: Result<String, String>,
    /// What is different from how the test library runs it.
    remarks: Vec<String>,
}

impl Test {
    /// What is known of it without a search: that it cannot be run.
    pub(crate) fn finding(&self) -> Option<Finding> {
        let why = self.main.as_ref().err()?;
        Some(Finding::unknown(Reason::GaveUp(why.clone())))
    }

    /// A finding with what is to be said of the test.
    pub(crate) fn remarked(&self, mut finding: Finding) -> Finding {
        finding.remarks.extend(self.remarks.iter().cloned());
        finding
    }
}

impl Suite {
    /// How one of the tests is run.
    pub(crate) fn launch(&self, test: &Test) -> Launch {
        Launch {
            main: test.main.clone().ok(),
            ..self.launch.clone()
        }
    }
}

/// The tests of a class, or those that are named.
pub(crate) fn find(
    launch: &Launch,
    class: &str,
    method: Option<&str>,
    stop: &StopFlag,
) -> Result<Suite, Failure> {
    let home = find_jdk(launch.jdk.as_deref())?;
    let main = Some(class.to_owned());
    let program = Program::find(
        &Launch {
            main,
            ..launch.clone()
        },
        &home,
        stop,
    )?;
    let planned = plan::plan(&program, class, method)?;
    let drivers = Scratch::new()?;
    let (mut tests, mut skipped, mut files) = (Vec::new(), Vec::new(), Vec::new());
    for (name, plan) in planned {
        let (main, remarks) = match plan {
            Plan::Skip(why) => {
                skipped.push((name, why));
                continue;
            }
            Plan::Unknown(why) => (Err(why), Vec::new()),
            Plan::Run(run) => {
                let (main, text) = driver::text(&run, files.len());
                let file = drivers.path().join(format!("{main}.java"));
                if let Some(folder) = file.parent() {
                    fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
                }
                fs::write(&file, text).map_err(|error| Failure::file(&file, &error))?;
                files.push(file);
                (Ok(main), run.remarks)
            }
        };
        tests.push(Test {
            name,
            main,
            remarks,
        });
    }
    let mut class_path = vec![program.root.clone()];
    class_path.extend(launch.class_path());
    let compiled = match files.is_empty() {
        true => None,
        false => Some(compile(&files, &class_path, &home, stop)?),
    };
    class_path.extend(compiled.as_ref().map(|it| it.path().to_owned()));
    Ok(Suite {
        tests,
        skipped,
        launch: Launch {
            file: program.root.clone(),
            class_path: class_path.split_off(1),
            ..launch.clone()
        },
        _compiled: [program.compiled, compiled],
    })
}

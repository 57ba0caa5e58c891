//! Tests of Java classes: found by their annotations, whatever library they are from, and run by
//! a `main` that is written for each. What is not run as the test library would run it has a
//! reason instead.

pub(crate) mod arguments;
pub(crate) mod classes;
mod driver;
mod plan;

use crate::{Folder, Installation, Launch, Program, Trouble};
use plan::Plan;
use raddle_model::StopFlag;
use std::fs;

/// The tests of a class, ready to run.
pub struct Suite {
    /// In the order of the class, those of nested classes last.
    pub tests: Vec<Test>,
    /// Those that the test library would not run, either, with why.
    pub skipped: Vec<(String, &'static str)>,
    /// How they are run; which class begins is a test's own business.
    pub launch: Launch,
    /// Classes are read when they are needed.
    _compiled: [Option<Folder>; 2],
}

/// A test.
pub struct Test {
    /// Its class and method.
    pub name: String,
    /// The class that runs it, or why it is not run as the test library would.
    main: Result<String, String>,
    /// What is different from how the test library runs it.
    pub remarks: Vec<String>,
    /// Whether the test library ends it after some time, which is not done here.
    pub has_time_limit: bool,
}

impl Test {
    /// Why it is not run as the test library would run it, if so.
    pub fn obstacle(&self) -> Option<&str> {
        self.main.as_ref().err().map(String::as_str)
    }
}

impl Suite {
    /// How one of the tests is run.
    pub fn launch(&self, test: &Test) -> Launch {
        Launch {
            main: test.main.clone().ok(),
            ..self.launch.clone()
        }
    }
}

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
    let planned = plan::plan(&program, class, method)?;
    let drivers = jdk.tools.folder()?;
    let (mut tests, mut skipped, mut files) = (Vec::new(), Vec::new(), Vec::new());
    for (name, plan) in planned {
        let mut has_time_limit = false;
        let (main, remarks) = match plan {
            Plan::Skip(why) => {
                skipped.push((name, why));
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
        tests.push(Test {
            name,
            main,
            remarks,
            has_time_limit,
        });
    }
    let mut class_path = vec![program.root.clone()];
    class_path.extend(launch.class_path());
    let compiled = match files.is_empty() {
        true => None,
        false => Some(jdk.compile(&files, &class_path, stop)?),
    };
    class_path.extend(compiled.as_ref().map(|it| (**it).as_ref().to_owned()));
    Ok(Suite {
        tests,
        skipped,
        launch: Launch {
            file: program.root.clone(),
            class_path: class_path.split_off(1),
            resources: program.resources,
            ..launch.clone()
        },
        _compiled: [program.compiled, compiled],
    })
}

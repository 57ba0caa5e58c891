//! The tests of a project: its modules, what they are compiled to, and their class paths.

use crate::args::Test as Args;
use crate::console::complain;
use crate::failure::Failure;
use crate::tools::{Host, find_jdk};
use raddle_jdk::junit::{self, Skipped, Suite, Test};
use raddle_jdk::project::{self, BuildTool, Module};
use raddle_jdk::{Folder, Installation, Launch, Tools, on_path};
use raddle_model::StopFlag;
use std::path::{Path, PathBuf};
use std::process::Command;

/// All tests that are wanted.
#[derive(Default)]
pub(super) struct Suites {
    pub(super) tests: Vec<Wanted>,
    pub(super) skipped: Vec<Skipped>,
    /// Hold the classes.
    _folders: Vec<Folder>,
    _suites: Vec<Suite>,
}

/// A test, and the folders with the sources of its module.
pub(super) struct Wanted {
    pub(super) test: Test,
    pub(super) sources: Vec<PathBuf>,
}

/// Finds the tests.
pub(super) fn find(args: &Args, stop: &StopFlag) -> Result<Suites, Failure> {
    let jdk = find_jdk(args.jdk.as_deref())?;
    let modules = project::modules(&args.folder)?;
    if modules.is_empty() {
        let why = format!(
            "{}: there are no tests here: no target/test-classes, build/classes/*/test or \
             src/test/java; `raddle check DIR --class CLASS` checks those of a class wherever it is",
            args.folder.display()
        );
        return Err(Failure::new(why));
    }
    // What one module has another one may use, whichever of them is built first.
    let all: Vec<PathBuf> = modules.iter().flat_map(|it| it.classes.clone()).collect();
    let mut suites = Suites::default();
    for module in &modules {
        let mut class_path = class_path(args, module, &jdk, stop)?;
        class_path.extend(
            all.iter()
                .filter(|it| !module.classes.contains(it))
                .cloned(),
        );
        for launch in suites.launches(module, &modules, &class_path, &jdk, stop)? {
            suites.add(args, module, &launch, &jdk, stop)?;
        }
    }
    if suites.tests.is_empty() && suites.skipped.is_empty() {
        return Err(Failure::new(match args.tests.is_empty() {
            true => "there are no tests of JUnit or TestNG".to_owned(),
            false => format!("there is no test that matches {}", args.tests.join(", ")),
        }));
    }
    Ok(suites)
}

impl Suites {
    /// How the tests of a module are run. What was not compiled is.
    fn launches(
        &mut self,
        module: &Module,
        modules: &[Module],
        class_path: &[PathBuf],
        jdk: &Installation,
        stop: &StopFlag,
    ) -> Result<Vec<Launch>, Failure> {
        if !module.tests.is_empty() {
            if let Some(source) = module.stale() {
                complain(&format!(
                    "warning: {} is newer than the classes of its module; build it first\n",
                    source.display()
                ));
            }
            return Ok(module.launches(class_path, Some(jdk.home())));
        }
        let own = module.sources.iter();
        let others = modules.iter().filter(|it| it.folder != module.folder);
        let others = others.filter(|it| it.classes.is_empty());
        let others = others.map(|it| it.folder.join("src/main/java"));
        let mut files = Vec::new();
        for folder in own.cloned().chain(others.filter(|it| it.is_dir())) {
            files.extend(raddle_jdk::source_files(&folder)?);
        }
        let compiled = jdk.compile(&files, class_path, stop)?;
        let launch = Launch {
            file: (*compiled).as_ref().to_owned(),
            class_path: class_path.to_vec(),
            jdk: Some(jdk.home().to_owned()),
            resources: ["src/test/resources", "src/main/resources"]
                .iter()
                .map(|it| module.folder.join(it))
                .filter(|it| it.is_dir())
                .collect(),
            ..Launch::default()
        };
        self._folders.push(compiled);
        Ok(vec![launch])
    }

    fn add(
        &mut self,
        args: &Args,
        module: &Module,
        launch: &Launch,
        jdk: &Installation,
        stop: &StopFlag,
    ) -> Result<(), Failure> {
        let patterns = &args.tests;
        let is_meant = |name: &str| {
            let mut all = patterns.iter();
            patterns.is_empty() || all.any(|it| project::matches(it, name))
        };
        // A pattern may be of classes, or of tests in them.
        let may_be = |class: &str| {
            let inside = format!("{class}.");
            is_meant(class) || patterns.iter().any(|it| may_begin(it, &inside))
        };
        let mut suite = junit::find_all(launch, &may_be, jdk, stop)?;
        let tests = std::mem::take(&mut suite.tests).into_iter();
        let tests = tests.filter(|test| is_meant(&test.name) || is_meant(&test.class));
        self.tests.extend(tests.map(|test| Wanted {
            test,
            sources: module.sources.clone(),
        }));
        let skipped = std::mem::take(&mut suite.skipped).into_iter();
        let in_class = |name: &str| name.rsplit_once('.').is_some_and(|(it, _)| is_meant(it));
        self.skipped
            .extend(skipped.filter(|(name, _)| is_meant(name) || in_class(name)));
        self._suites.push(suite);
        Ok(())
    }
}

/// Whether a name that begins in this way can match a pattern.
fn may_begin(pattern: &str, beginning: &str) -> bool {
    let fixed = pattern.split('*').next().unwrap_or_default();
    match pattern.contains('*') {
        true => fixed.starts_with(beginning) || beginning.starts_with(fixed),
        false => pattern.starts_with(beginning),
    }
}

/// The class path of the tests of a module, but for what the project itself has.
fn class_path(
    args: &Args,
    module: &Module,
    jdk: &Installation,
    stop: &StopFlag,
) -> Result<Vec<PathBuf>, Failure> {
    let given = Launch {
        class_path: args.class_path.clone(),
        ..Launch::default()
    };
    let mut class_path = given.class_path();
    if let Some(file) = &args.class_path_file {
        let own = module.folder.join(file);
        let file = if own.is_file() { &own } else { file };
        class_path.extend(project::class_path_in(file)?);
        return Ok(class_path);
    }
    if args.build_tool {
        class_path.extend(ask(module, jdk, stop)?);
        return Ok(class_path);
    }
    match module.reported_class_path() {
        Some(reported) => class_path.extend(reported),
        None if args.class_path.is_empty() => {
            return Err(Failure::new(format!(
                "{}: the class path of the tests is not known; {}, or give it with -cp",
                module.folder.display(),
                module.advice()
            )));
        }
        None => {}
    }
    Ok(class_path)
}

/// What a build tool says. It runs the project's own build.
fn ask(module: &Module, jdk: &Installation, stop: &StopFlag) -> Result<Vec<PathBuf>, Failure> {
    let folder = Host.folder()?;
    let file = (*folder).as_ref().join("classpath.txt");
    let mut command = match module.tool {
        Some(BuildTool::Maven) => maven(&module.folder, &file)?,
        Some(BuildTool::Gradle) => gradle(&module.folder, (*folder).as_ref(), &file)?,
        None => {
            let why = "there is no pom.xml or build.gradle; leave out --build-tool";
            return Err(Failure::new(format!("{}: {why}", module.folder.display())));
        }
    };
    let folder = module.folder.canonicalize();
    let folder = folder.map_err(|error| Failure::file(&module.folder, &error))?;
    command.current_dir(folder).env("JAVA_HOME", jdk.home());
    let is_done = Host.run(command, stop)?;
    if !is_done || !file.is_file() {
        let why = format!(
            "{}: the build tool did not tell the class path",
            module.folder.display()
        );
        return Err(Failure::new(why));
    }
    Ok(project::class_path_in(&file)?)
}

fn program(name: &str) -> Result<PathBuf, Failure> {
    on_path(&Host, name).ok_or_else(|| {
        Failure::new(format!(
            "there is no `{name}` on the path, for --build-tool"
        ))
    })
}

fn maven(_: &Path, file: &Path) -> Result<Command, Failure> {
    let mut command = Command::new(program("mvn")?);
    let mut output = std::ffi::OsString::from("-Dmdep.outputFile=");
    output.push(file);
    command
        .args(["-o", "-q", "-B", "dependency:build-classpath"])
        .arg("-Dmdep.includeScope=test")
        .arg(output);
    Ok(command)
}

/// Writes the class path of the tests of the project in whose folder Gradle runs.
const INIT: &str = "\
allprojects {
    if (it.projectDir == gradle.startParameter.currentDir) {
        task raddleClassPath {
            doLast {
                new File(System.getenv('RADDLE_CLASS_PATH')).text =
                    project.sourceSets.test.runtimeClasspath.asPath
            }
        }
    }
}
";

fn gradle(module: &Path, scratch: &Path, file: &Path) -> Result<Command, Failure> {
    let init = scratch.join("init.gradle");
    std::fs::write(&init, INIT).map_err(|error| Failure::file(&init, &error))?;
    // The version that a project wants is that of its wrapper.
    let module = module
        .canonicalize()
        .map_err(|error| Failure::file(module, &error))?;
    let wrapper = module.ancestors().map(|it| it.join("gradlew"));
    let wrapper = wrapper.into_iter().find(|it| it.is_file());
    let mut command = Command::new(match wrapper {
        Some(wrapper) => wrapper,
        None => program("gradle")?,
    });
    command
        .args(["--offline", "--quiet", "--init-script"])
        .arg(init)
        .arg("raddleClassPath")
        .env("RADDLE_CLASS_PATH", file);
    Ok(command)
}

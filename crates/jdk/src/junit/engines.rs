//! The engines of the test libraries themselves, as they are found on the class path: JUnit 5's
//! and others of its platform, JUnit 4's runners, TestNG. They run in the machine like any other
//! program, so that tests behave as they do elsewhere.
//!
//! A driver (the classes of `java/engines`) is asked once which tests there are, on one schedule. The
//! answer has the arguments by which the same driver runs one of them.

use super::{REPEATED, Skipped, Test};
use crate::{Folder, Installation, Launch, Program, Trouble};
use raddle_jvm::load::find_in;
use raddle_jvm::{End, Host, World};
use raddle_model::StopFlag;
use std::fs;
use std::path::{Path, PathBuf};

/// A source of the drivers, by its name.
macro_rules! source {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../../../../java/engines/", $name)),
        )
    };
}

/// What all drivers need.
const COMMON: (&str, &str) = source!("raddle/engine/Tests.java");

/// The engines, in the order in which they are asked.
const ENGINES: [Engine; 3] = [
    Engine {
        needs: "org/junit/platform/launcher/core/LauncherFactory.class",
        main: "raddle/engine/Platform",
        sources: &[
            source!("raddle/engine/Platform.java"),
            source!("raddle/engine/Listing.java"),
        ],
        has_services: true,
    },
    Engine {
        needs: "org/junit/runner/JUnitCore.class",
        main: "raddle/engine/JUnit4",
        sources: &[
            source!("raddle/engine/JUnit4.java"),
            source!("org/junit/internal/runners/statements/FailOnTimeout.java"),
        ],
        has_services: false,
    },
    Engine {
        needs: "org/testng/TestNG.class",
        main: "raddle/engine/TestNg",
        sources: &[source!("raddle/engine/TestNg.java")],
        has_services: false,
    },
];

/// What engines of the platform register as.
const SERVICE: &str = "META-INF/services/org.junit.platform.engine.TestEngine";

/// A test library that runs tests itself.
struct Engine {
    /// A class that is there if it is.
    needs: &'static str,
    /// The driver.
    main: &'static str,
    /// The source of the driver.
    sources: &'static [(&'static str, &'static str)],
    /// Whether it is a platform for others, which the driver has to be given.
    has_services: bool,
}

/// The tests that engines have found, and the drivers, which hold their classes.
#[derive(Default)]
pub(super) struct Listing {
    pub(super) tests: Vec<Test>,
    pub(super) skipped: Vec<Skipped>,
    pub(super) drivers: Vec<Folder>,
}

/// The tests of classes, each by the first engine that finds any. The classes without tests are left
/// in the list.
pub(super) fn list(
    program: &Program,
    launch: &Launch,
    classes: &mut Vec<String>,
    jdk: &Installation,
    stop: &StopFlag,
) -> Result<Listing, Trouble> {
    let mut listing = Listing::default();
    for engine in &ENGINES {
        let mut class_path = vec![program.root.clone()];
        class_path.extend(launch.class_path());
        let Some(services) = engine
            .on(program, &mut class_path)?
            .filter(|_| !classes.is_empty())
        else {
            continue;
        };
        let driver = engine.compile(&class_path, jdk, stop)?;
        let mut launch = Launch {
            file: (*driver).as_ref().to_owned(),
            main: Some(engine.main.to_owned()),
            class_path,
            resources: program.resources.clone(),
            ..launch.clone()
        };
        let names = classes.iter().map(|it| it.replace('/', "."));
        let words = ["list".to_owned()].into_iter().chain(services).chain(names);
        launch.arguments = words.collect();
        let told = run(&launch, jdk, stop)?;
        listing.add(&told, &launch, classes);
        listing.drivers.push(driver);
    }
    Ok(listing)
}

impl Listing {
    /// Adds what a driver says of tests, among what the program prints. Classes that have some are
    /// taken from the list.
    fn add(&mut self, told: &str, launch: &Launch, classes: &mut Vec<String>) {
        let mut class = String::new();
        for line in told.lines() {
            let Some((_, line)) = line.split_once('\u{1}') else {
                continue;
            };
            let mut parts = line.split('\t').map(str::to_owned);
            let mut next = || parts.next().unwrap_or_default();
            let (what, name, rest, last) = (next(), next(), next(), next());
            if what == "class" {
                class = name;
                continue;
            }
            classes.retain(|it| it.replace('/', ".") != class);
            let repeated = rest.contains("repeated").then(|| REPEATED.to_owned());
            match what.as_str() {
                "test" => self.tests.push(Test {
                    name,
                    class: class.clone(),
                    launch: Ok(Launch {
                        arguments: last.split('\u{2}').map(str::to_owned).collect(),
                        ..launch.clone()
                    }),
                    remarks: repeated.into_iter().collect(),
                    has_time_limit: rest.contains("timed"),
                }),
                "unclear" => self.tests.push(Test {
                    name,
                    class: class.clone(),
                    launch: Err(format!("the test library cannot list it: {rest}")),
                    remarks: Vec::new(),
                    has_time_limit: false,
                }),
                _ => self.skipped.push((name, rest)),
            }
        }
    }
}

impl Engine {
    /// What else the driver has to be given, if the library is on the class path of a program. Build
    /// tools add a launcher only when they run tests.
    fn on(
        &self,
        program: &Program,
        class_path: &mut Vec<PathBuf>,
    ) -> Result<Option<Vec<String>>, Trouble> {
        let find = |name: &str| find_in(&program.sources, name).map_err(Trouble::new);
        if find(self.needs)?.is_none() {
            let beside = class_path.iter().find_map(|it| launcher_beside(it));
            match beside.filter(|_| self.has_services) {
                Some(launcher) => class_path.push(launcher),
                None => return Ok(None),
            }
        }
        if !self.has_services {
            return Ok(Some(Vec::new()));
        }
        let mut services = Vec::new();
        for source in &program.sources {
            let found = source.find(SERVICE).map_err(Trouble::new)?;
            let text = String::from_utf8_lossy(&found.unwrap_or_default()).into_owned();
            let names = text.lines().filter_map(|line| line.split('#').next());
            let names = names.map(|name| name.trim().to_owned());
            services.extend(names.filter(|name| !name.is_empty()));
        }
        // It would run the tests of JUnit 4 by the same runners.
        services.retain(|name| !name.starts_with("org.junit.vintage."));
        services.sort();
        services.dedup();
        let properties = find("junit-platform.properties")?.unwrap_or_default();
        let properties = String::from_utf8_lossy(&properties).into_owned();
        let lines = properties.lines().map(str::trim);
        let lines: Vec<&str> = lines
            .filter(|line| line.contains('=') && !line.starts_with(['#', '!']))
            .collect();
        Ok((!services.is_empty()).then(|| vec![services.join(","), lines.join("\u{3}")]))
    }

    fn compile(
        &self,
        class_path: &[PathBuf],
        jdk: &Installation,
        stop: &StopFlag,
    ) -> Result<Folder, Trouble> {
        let folder = jdk.tools.folder()?;
        let mut files = Vec::new();
        for (name, text) in [&COMMON].into_iter().chain(self.sources) {
            let file = (*folder).as_ref().join(name);
            write(&file, text)?;
            files.push(file);
        }
        jdk.compile(&files, class_path, stop)
    }
}

/// The launcher of the same version as an engine, where the repository of a build tool has it.
fn launcher_beside(engine: &Path) -> Option<PathBuf> {
    let name = engine.file_name()?.to_str()?;
    let version = name.strip_prefix("junit-platform-engine")?;
    let name = format!("junit-platform-launcher{version}");
    let number = version.trim_start_matches('-').trim_end_matches(".jar");
    let folder = engine.parent()?;
    let beside = folder.join(&name);
    let maven = folder.join("../../junit-platform-launcher").join(number);
    let gradle = folder.join("../../../junit-platform-launcher").join(number);
    let hashes = fs::read_dir(gradle).into_iter().flatten().flatten();
    let mut all: Vec<PathBuf> = hashes.map(|it| it.path().join(&name)).collect();
    all.sort();
    let mut all = [beside, maven.join(&name)].into_iter().chain(all);
    all.find(|it| it.is_file())
}

fn write(file: &Path, text: &str) -> Result<(), Trouble> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(|error| Trouble::file(folder, &error))?;
    }
    fs::write(file, text).map_err(|error| Trouble::file(file, &error))
}

/// Runs a driver to its end, or as far as it gets; the answer is what it has printed.
fn run(launch: &Launch, jdk: &Installation, stop: &StopFlag) -> Result<String, Trouble> {
    let program = Program::find(launch, jdk, stop)?;
    let main = program.main()?.to_owned();
    let mut world = World::new(jdk.open()?, program.sources)
        .map_err(|error| Trouble::new(error.to_string()))?;
    world.stop_by(stop.clone());
    let mut host = Printed::default();
    let booted = raddle_jvm::boot(&world, &mut host).map_err(Trouble::new)?;
    let mut state = raddle_jvm::start(&world, &booted, &main, &launch.arguments, &mut host)
        .map_err(Trouble::new)?;
    state.enable_assertions();
    let mut turns = 0..LONGEST;
    while turns.next().is_some() && stop.reason().is_none() {
        if raddle_jvm::run(&world, &mut state, &mut host, 1) != End::Limit {
            break;
        }
    }
    if let Some(reason) = stop.reason() {
        return Err(Trouble {
            message: "the tests were not listed to the end".to_owned(),
            reason: Some(reason),
        });
    }
    Ok(String::from_utf8_lossy(&host.0).into_owned())
}

/// So many turns are enough to list the tests of a large class.
const LONGEST: u64 = 20_000;

/// Standard output.
#[derive(Default)]
struct Printed(Vec<u8>);

impl Host for Printed {
    fn write(&mut self, descriptor: i32, bytes: &[u8]) {
        if descriptor == 1 {
            self.0.extend_from_slice(bytes);
        }
    }

    fn read(&mut self, _: usize) -> Vec<u8> {
        Vec::new()
    }
}

//! Scenarios of a data structure: what its operations give one after the other, and whether
//! anything else comes of them in threads.

use super::{Loaded, load, prepare};
use crate::args::Linearize;
use crate::failure::Failure;
use crate::pipeline::{Finding, Request};
use crate::programs::{Setup, Text};
use crate::progress::Watcher;
use crate::tools::find_jdk;
use raddle_java::Java;
use raddle_jdk::structure::{self, Request as Asked, Structure};
use raddle_jdk::{Launch, Program};
use raddle_jvm::{End, Host, World, state::State};
use raddle_linearize::{Allowed, Ran, Scenario, Sequential, allowed};
use raddle_model::{Reason, StopFlag};

/// Finds a data structure, and compiles what calls its operations.
pub(crate) fn find(args: &Linearize, class: &str, setup: &Setup) -> Result<Structure, Failure> {
    let jdk = find_jdk(setup.java.jdk.as_deref())?;
    let asked = Asked {
        class: class.to_owned(),
        operations: args.operations.clone(),
        create: args.create.clone(),
        validations: args.validations.clone(),
        specification: args.specification.clone(),
    };
    Ok(structure::find(&setup.java, &asked, &jdk, &setup.stop)?)
}

/// What came of a scenario.
pub(crate) enum Examined {
    /// It was searched.
    Searched(Box<Finding>),
    /// One after the other, an operation waits for ever: what threads do then is not compared.
    Waits,
}

/// Examines one scenario after the other. The library is started only once.
pub(crate) struct Examiner<'a> {
    text: &'a Text,
    request: Request,
    program: Option<Java>,
    alone: Alone,
}

impl<'a> Examiner<'a> {
    pub(crate) fn new(
        structure: &Structure,
        text: &'a Text,
        request: &Request,
    ) -> Result<Examiner<'a>, Failure> {
        let mut request = request.clone();
        request.setup.java = structure.launch.clone();
        Ok(Examiner {
            text,
            alone: Alone::new(&structure.sequential, &request.setup.stop)?,
            request,
            program: None,
        })
    }

    /// Searches all interleavings of a scenario.
    pub(crate) fn examine(
        &mut self,
        scenario: &Scenario,
        watcher: &mut Watcher,
        shorten: bool,
    ) -> Result<Examined, Failure> {
        let allowed = allowed(scenario, &mut self.alone)?;
        if allowed.waits {
            return Ok(Examined::Waits);
        }
        let arguments = arguments(scenario, &allowed);
        self.request.setup.java.arguments.clone_from(&arguments);
        self.request.shorten = shorten;
        let program = match self.program.take() {
            Some(mut java) => {
                java.restart(arguments).map_err(Failure::new)?;
                java
            }
            None => load(self.text, &self.request.setup)?.program,
        };
        let loaded = Loaded {
            program,
            _compiled: Vec::new(),
        };
        let prepared = prepare(loaded, &self.request, watcher)?;
        let (finding, _) = prepared.answer(watcher)?;
        self.program = Some(prepared.program);
        Ok(Examined::Searched(Box::new(finding)))
    }
}

/// What the class that calls operations gets, to call them in threads.
fn arguments(scenario: &Scenario, allowed: &Allowed) -> Vec<String> {
    let mut arguments = vec![
        parts(scenario),
        "threads".to_owned(),
        allowed.texts.len().to_string(),
    ];
    arguments.extend(allowed.texts.iter().cloned());
    for (order, results) in &allowed.orders {
        arguments.extend([words(order), words(results)]);
    }
    arguments
}

/// The calls of each part.
fn parts(scenario: &Scenario) -> String {
    let parts = std::iter::once(&scenario.before)
        .chain(&scenario.threads)
        .chain([&scenario.after]);
    let parts: Vec<String> = parts.map(|it| words(it)).collect();
    parts.join("/")
}

fn words(numbers: &[usize]) -> String {
    let words: Vec<String> = numbers.iter().map(usize::to_string).collect();
    words.join(" ")
}

/// Calls operations one after the other, on the machine.
struct Alone {
    world: World,
    booted: State,
    main: String,
}

impl Alone {
    fn new(launch: &Launch, stop: &StopFlag) -> Result<Alone, Failure> {
        let jdk = find_jdk(launch.jdk.as_deref())?;
        let program = Program::find(launch, &jdk, stop)?;
        let main = program.main()?.to_owned();
        let mut world = World::new(jdk.open()?, program.sources)
            .map_err(|error| Failure::new(error.to_string()))?;
        world.stop_by(stop.clone());
        let booted = raddle_jvm::boot(&world, &mut Output::default()).map_err(Failure::new)?;
        Ok(Alone {
            world,
            booted,
            main,
        })
    }
}

impl Sequential for Alone {
    type Error = Failure;

    fn run(&mut self, scenario: &Scenario, order: &[usize]) -> Result<Ran, Failure> {
        let arguments = [parts(scenario), "order".to_owned(), words(order)];
        let mut output = Output::default();
        let (world, booted) = (&self.world, &self.booted);
        let mut state = raddle_jvm::start(world, booted, &self.main, &arguments, &mut output)
            .map_err(Failure::new)?;
        state.enable_assertions();
        match raddle_jvm::run(world, &mut state, &mut output, TURNS) {
            End::Exit(0) => Ok(Ran::Ended(output.results(scenario.size()))),
            End::Deadlock(_) => Ok(Ran::Waits),
            End::Exit(_) => {
                let uncaught = raddle_jvm::uncaught(world, &state);
                let told = uncaught.first().map(|(_, class, message)| {
                    let message = message.as_deref().unwrap_or_default();
                    format!("{class}: {message}")
                });
                let why = told.unwrap_or_else(|| "it ends".to_owned());
                Err(Failure::new(format!(
                    "the operations cannot be called one after the other: {why}"
                )))
            }
            End::Unsupported(what, _) => {
                let why = format!("not supported: {what}");
                Err(Failure::unknown(Reason::GaveUp(why)))
            }
            End::Limit => {
                let why = "one after the other, the operations do not end".to_owned();
                Err(Failure::unknown(Reason::GaveUp(why)))
            }
        }
    }
}

/// An operation that takes more turns is taken not to end.
const TURNS: u64 = 100_000;

/// What is printed.
#[derive(Default)]
struct Output(Vec<u8>);

impl Output {
    /// The results, a line for each. Operations may have printed something before.
    fn results(&self, count: usize) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.0);
        let lines: Vec<&str> = text.lines().collect();
        let own = lines.len().saturating_sub(count);
        lines[own..].iter().map(|line| plain(line)).collect()
    }
}

impl Host for Output {
    fn write(&mut self, descriptor: i32, bytes: &[u8]) {
        if descriptor == 1 {
            self.0.extend_from_slice(bytes);
        }
    }

    fn read(&mut self, _: usize) -> Vec<u8> {
        Vec::new()
    }
}

/// A result that was written in one line.
fn plain(line: &str) -> String {
    let mut text = String::new();
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (letter, letter == '\\') {
            (_, false) => text.push(letter),
            _ => match letters.next() {
                Some('n') => text.push('\n'),
                Some('r') => text.push('\r'),
                Some(',') => text.push(';'),
                Some(other) => text.push(other),
                None => {}
            },
        }
    }
    text
}

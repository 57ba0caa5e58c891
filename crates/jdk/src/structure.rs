//! Data structures whose operations are to be called by several threads at the same time: which
//! operations there are, and the class that calls them (`structure/RaddleScenario.template`).
//!
//! Which of them are called by whom comes in the arguments of that class, so that it is compiled
//! only once.

mod calls;

use crate::junit::classes::{Level, dotted, find as annotation, full_name, package};
use crate::{Folder, Installation, Launch, Program, Trouble};
use calls::{expand, expand_method};
use raddle_jvm::Value;
use raddle_model::StopFlag;
use std::fs;
use std::path::Path;

const DRIVER: &str = include_str!("structure/RaddleScenario.template");
const NAME: &str = "RaddleScenario";

/// What is said of a data structure.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Its class.
    pub class: String,
    /// Its operations, such as `offer(int)`; those that are annotated if there are none.
    pub operations: Vec<String>,
    /// How an object is made, if not without arguments.
    pub create: Option<String>,
    /// What is called when everything is over, beside what is annotated.
    pub validations: Vec<String>,
    /// The class whose sequential behaviour it is compared with, if it is another one.
    pub specification: Option<String>,
}

/// A data structure that can be run.
pub struct Structure {
    /// Its class, as Java has it.
    pub name: String,
    /// The calls that are possible, as Java has them.
    pub calls: Vec<String>,
    /// How operations are run in threads. The arguments say which.
    pub launch: Launch,
    /// How they are run one after the other.
    pub sequential: Launch,
    /// The text of the class that calls them, with its name.
    pub driver: (String, String),
    _compiled: Vec<Folder>,
}

/// Finds a data structure, and writes and compiles what calls its operations.
pub fn find(
    launch: &Launch,
    request: &Request,
    jdk: &Installation,
    stop: &StopFlag,
) -> Result<Structure, Trouble> {
    let is_of_library = request.class.starts_with("java.");
    let nothing = jdk.tools.folder()?;
    let mut own = Launch {
        main: Some(request.class.clone()),
        ..launch.clone()
    };
    // What is in the library is not looked for in the folder that is taken if none is given.
    if is_of_library && own.file == Path::new(".") {
        own.file = (*nothing).as_ref().to_owned();
    }
    let program = Program::find(&own, jdk, stop)?;
    let (class, level) = match is_of_library {
        true => (request.class.clone(), None),
        false => {
            let class = full_name(&program, &request.class)?;
            let level = Level::of(&program, &class)?;
            (class, Some(level))
        }
    };
    let calls = calls_of(request, level.as_ref())?;
    let validations = validations(request, level.as_ref());
    let mut builder = Builder {
        jdk,
        stop,
        program: &program,
        launch,
        compiled: Vec::new(),
    };
    let create = request.create.as_deref();
    let concurrent = text(&dotted(&class), &class, create, &calls, &validations);
    let run = builder.launch(&class, &concurrent)?;
    let sequential = match &request.specification {
        None => run.clone(),
        Some(other) => {
            let other = match other.starts_with("java.") {
                true => other.clone(),
                false => full_name(&program, other)?,
            };
            let text = text(&dotted(&other), &other, None, &calls, &[]);
            builder.launch(&other, &text)?
        }
    };
    let mut compiled = builder.compiled;
    compiled.push(nothing);
    compiled.extend(program.compiled);
    Ok(Structure {
        name: dotted(&class),
        calls,
        launch: run,
        sequential,
        driver: (format!("{NAME}.java"), concurrent),
        _compiled: compiled,
    })
}

struct Builder<'a> {
    jdk: &'a Installation,
    stop: &'a StopFlag,
    program: &'a Program,
    launch: &'a Launch,
    compiled: Vec<Folder>,
}

impl Builder<'_> {
    /// How a class is run that calls the operations of another one, in whose package it is.
    fn launch(&mut self, class: &str, text: &str) -> Result<Launch, Trouble> {
        let sources = self.jdk.tools.folder()?;
        let path = match home(class) {
            "" => NAME.to_owned(),
            package => format!("{package}/{NAME}"),
        };
        let file = (*sources).as_ref().join(format!("{path}.java"));
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).map_err(|error| Trouble::file(folder, &error))?;
        }
        fs::write(&file, text).map_err(|error| Trouble::file(&file, &error))?;
        let mut class_path = vec![self.program.root.clone()];
        class_path.extend(self.launch.class_path());
        let compiled = self.jdk.compile(&[file], &class_path, self.stop);
        let compiled = compiled.map_err(|trouble| {
            trouble.because(
                "the calls of the operations do not compile: each is written as given, such as \
                 --operation 'offer(int)', and the class must not be private",
            )
        })?;
        class_path.push((*compiled).as_ref().to_owned());
        self.compiled.push(compiled);
        Ok(Launch {
            file: self.program.root.clone(),
            main: Some(path),
            class_path: class_path.split_off(1),
            ..self.launch.clone()
        })
    }
}

/// The package of what calls the operations of a class: the same, unless nobody may add to it.
fn home(class: &str) -> &str {
    match class.starts_with("java.") {
        true => "",
        false => package(class),
    }
}

/// All calls, of the operations that are named or those that are annotated.
fn calls_of(request: &Request, level: Option<&Level>) -> Result<Vec<String>, Trouble> {
    let mut calls = Vec::new();
    for operation in &request.operations {
        calls.extend(expand(operation).map_err(Trouble::new)?);
    }
    if let Some(level) = level.filter(|_| request.operations.is_empty()) {
        for (_, method) in level.methods() {
            let Some(found) = annotation(&method.annotations, &["Operation"]) else {
                continue;
            };
            let values = found.element("values").map_or(&[][..], Value::values);
            let texts = values.iter().filter_map(|it| match it {
                Value::Text(text) => Some(text.as_str()),
                _ => None,
            });
            let texts: Vec<&str> = texts.collect();
            let own = expand_method(&method.name, &method.descriptor, &texts);
            calls.extend(own.map_err(Trouble::new)?);
        }
    }
    match calls.is_empty() {
        false => Ok(calls),
        true => Err(Trouble::new(format!(
            "no operations of {} are known; name them, as in --operation 'offer(int)', or annotate \
             its methods with @raddle.Operation",
            request.class
        ))),
    }
}

/// What is called when everything is over.
fn validations(request: &Request, level: Option<&Level>) -> Vec<String> {
    let mut all = request.validations.clone();
    let methods = level.iter().flat_map(|level| level.methods());
    let annotated = methods.filter(|(_, it)| annotation(&it.annotations, &["Validate"]).is_some());
    all.extend(annotated.map(|(_, method)| format!("{}()", method.name)));
    all
}

/// The class that calls operations.
fn text(
    class: &str,
    path: &str,
    create: Option<&str>,
    calls: &[String],
    validations: &[String],
) -> String {
    let package = match home(path) {
        "" => String::new(),
        package => format!("package {};", package.replace('/', ".")),
    };
    let create = create.map_or(format!("new {class}()"), str::to_owned);
    let case = |(number, call): (usize, &String)| {
        format!("            case {number}:\n                return call(() -> it.{call});\n")
    };
    let cases: String = calls.iter().enumerate().map(case).collect();
    let checks: String = validations
        .iter()
        .map(|call| format!("        it.{call};\n"))
        .collect();
    let name = |call: &String| format!("        {},\n", quoted(call));
    let names: String = calls.iter().map(name).collect();
    DRIVER
        .replace("/*PACKAGE*/\n", &package)
        .replace("/*NAMES*/\n", &names)
        .replace("/*OPERATIONS*/\n", &cases)
        .replace("/*VALIDATIONS*/\n", &checks)
        .replace("/*CREATE*/", &create)
        .replace("/*CLASS*/", class)
}

/// A text as Java has it, without what would end a part of a message.
fn quoted(text: &str) -> String {
    let plain = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", plain.replace(['\n', '\r'], " "))
}

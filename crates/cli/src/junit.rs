//! Tests of Java classes: found by their annotations, whatever library they are from, and run by
//! a `main` that is written for each.

use crate::classes::{self, Launch, Program};
use crate::compiler::{self, Scratch};
use crate::failure::Failure;
use raddle_jvm::{Annotation, MethodOutline, Outline};
use std::fs;

/// The tests of a class, ready to run.
pub(crate) struct Suite {
    /// In the order of the class.
    pub(crate) tests: Vec<Test>,
    /// Those that are not run, with why.
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
    /// The class that runs it.
    main: String,
}

impl Suite {
    /// How the one test is run that there is; with what has to be held meanwhile.
    pub(crate) fn only(self) -> Result<(Launch, Self), Failure> {
        match (self.tests.first(), self.skipped.first()) {
            (Some(test), _) => Ok((self.launch(test), self)),
            (None, Some((name, why))) => Err(Failure::new(format!("{name} is no test: {why}"))),
            (None, None) => Err(Failure::new("there is no test")),
        }
    }

    /// How one of the tests is run.
    pub(crate) fn launch(&self, test: &Test) -> Launch {
        Launch {
            main: Some(test.main.clone()),
            ..self.launch.clone()
        }
    }
}

/// The tests of a class, or the one method that is named.
pub(crate) fn find(launch: &Launch, class: &str, method: Option<&str>) -> Result<Suite, Failure> {
    let home = classes::find_jdk(launch.jdk.as_deref())?;
    let main = Some(class.to_owned());
    let program = Program::find(
        &Launch {
            main,
            ..launch.clone()
        },
        &home,
    )?;
    let family = family(&program, class)?;
    let (mut chosen, mut skipped) = (Vec::new(), Vec::new());
    let own = &family[0];
    for known in members(&family) {
        let name = format!("{}.{}", dotted(&own.name), known.name);
        let is_wanted = match method {
            Some(method) => known.name == method,
            None => has(&known.annotations, &["Test", "RepeatedTest"]),
        };
        if !is_wanted || known.name.starts_with('<') {
            continue;
        }
        let is_off = |annotations| method.is_none() && has(annotations, &["Disabled", "Ignore"]);
        if !known.descriptor.starts_with("()") {
            skipped.push((name, "it has parameters"));
        } else if is_off(&known.annotations) || is_off(&own.annotations) {
            skipped.push((name, "it is disabled"));
        } else {
            chosen.push(known);
        }
    }
    if chosen.is_empty() && skipped.is_empty() {
        return Err(Failure::new(match method {
            Some(method) => format!("there is no method `{method}` in {}", dotted(&own.name)),
            None => format!("there is no test in {}", dotted(&own.name)),
        }));
    }
    let drivers = Scratch::new()?;
    let (mut tests, mut files) = (Vec::new(), Vec::new());
    for (index, test) in chosen.iter().enumerate() {
        let (main, text) = driver(&family, test, index);
        let file = drivers.path().join(format!("{main}.java"));
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
        }
        fs::write(&file, text).map_err(|error| Failure::file(&file, &error))?;
        files.push(file);
        tests.push(Test {
            name: format!("{}.{}", dotted(&own.name), test.name),
            main,
        });
    }
    let mut class_path = vec![program.root.clone()];
    class_path.extend(launch.class_path());
    let compiled = match files.is_empty() {
        true => None,
        false => Some(compiler::compile(&files, &class_path, &home)?),
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

/// A class and its superclasses, itself first. Those of the JDK are left out.
fn family(program: &Program, class: &str) -> Result<Vec<Outline>, Failure> {
    let mut family = Vec::new();
    let mut next = Some(full_name(program, class)?);
    while let Some(name) = next {
        let Some(bytes) = program.class(&name)? else {
            break;
        };
        let outline = raddle_jvm::outline(&bytes)
            .map_err(|error| Failure::new(format!("class {name}: {error}")))?;
        // A class that is its own superclass is for the machine to complain of.
        let is_known = family.iter().any(|it: &Outline| it.name == outline.name);
        next = outline.superclass.clone().filter(|_| !is_known);
        family.push(outline);
    }
    Ok(family)
}

/// The name of a class with its package, which may be left out if no other one has the name.
fn full_name(program: &Program, class: &str) -> Result<String, Failure> {
    if program.class(class)?.is_some() {
        return Ok(class.replace('.', "/"));
    }
    let mut found = Vec::new();
    if program.root.is_dir() {
        let all = classes::classes_in(&program.root)?.into_iter();
        let ending = format!("/{class}");
        found = all
            .map(|it| it.name)
            .filter(|it| it.ends_with(&ending))
            .collect();
    }
    match &found[..] {
        [only] => Ok(only.clone()),
        [] => Err(Failure::new(format!("there is no class {class}"))),
        many => {
            let names: Vec<String> = many.iter().map(|name| dotted(name)).collect();
            Err(Failure::new(format!("which class? {}", names.join(", "))))
        }
    }
}

/// The methods of a class, the inherited ones last. One that is overridden is not among them.
fn members(family: &[Outline]) -> Vec<&MethodOutline> {
    let mut members: Vec<&MethodOutline> = Vec::new();
    for method in family.iter().flat_map(|class| &class.methods) {
        let is_same =
            |it: &&MethodOutline| (&it.name, &it.descriptor) == (&method.name, &method.descriptor);
        if !members.iter().any(is_same) {
            members.push(method);
        }
    }
    members
}

/// Whether there is an annotation with one of these names, of any package.
fn has(annotations: &[Annotation], names: &[&str]) -> bool {
    annotations.iter().any(|annotation| {
        let name = annotation.class.rsplit(['/', '$']).next();
        name.is_some_and(|name| names.contains(&name))
    })
}

/// A name as the source has it.
fn dotted(name: &str) -> String {
    name.replace(['/', '$'], ".")
}

/// The exceptions that a test is to end with.
fn expected(test: &MethodOutline) -> Vec<String> {
    let tests = test.annotations.iter();
    let tests = tests.filter(|it| has(std::slice::from_ref(*it), &["Test"]));
    tests
        .flat_map(|it| &it.classes)
        .filter(|(element, class)| element.starts_with("expected") && !class.ends_with("$None"))
        .map(|(_, class)| dotted(class))
        .collect()
}

/// The class that runs a test: its name with its package, and its text.
fn driver(family: &[Outline], test: &MethodOutline, index: usize) -> (String, String) {
    let own = &family[0];
    let class = dotted(&own.name);
    let package = own.name.rsplit_once('/').map(|(package, _)| package);
    let name = format!("RaddleTest{index}");
    let call = |method: &MethodOutline| {
        let on = match method.is_static {
            true => class.as_str(),
            false => "test",
        };
        format!("{on}.{}();", method.name)
    };
    // What is inherited comes first before a test, and last after it.
    let with = |names: &[&str], is_reversed: bool| -> String {
        let found = members(family).into_iter();
        let mut found: Vec<_> = found.filter(|it| has(&it.annotations, names)).collect();
        if is_reversed {
            found.reverse();
        }
        found.into_iter().map(call).collect::<Vec<_>>().join(" ")
    };
    let before_all = with(&["BeforeClass", "BeforeAll"], true);
    // Most are static, and then there is no object yet.
    let (first, then) = match before_all.contains("test.") {
        true => (String::new(), before_all),
        false => (before_all, String::new()),
    };
    let before = with(&["Before", "BeforeEach", "BeforeMethod"], true);
    let after = with(&["After", "AfterEach", "AfterMethod"], false);
    let after_all = with(&["AfterClass", "AfterAll"], false);
    let mut body = call(test);
    let expected = expected(test);
    if !expected.is_empty() {
        let message = format!("{} was expected", expected.join(" or "));
        let is_it = expected.iter().map(|it| format!("thrown instanceof {it}"));
        let is_it = is_it.collect::<Vec<_>>().join(" || ");
        body = format!(
            "boolean isMissing = false; try {{ {body} isMissing = true; }} \
             catch (Throwable thrown) {{ if (!({is_it})) throw thrown; }} \
             if (isMissing) throw new AssertionError(\"{message}\");"
        );
    }
    let header = package.map_or(String::new(), |package| {
        format!("package {};\n", package.replace('/', "."))
    });
    let text = format!(
        "{header}public final class {name} {{
    public static void main(String[] arguments) throws Throwable {{
        try {{
            {first}
            {class} test = {make};
            {then}
            try {{
                {before}
                try {{ {body} }} finally {{ {after} }}
            }} finally {{ {after_all} }}
        }} catch (RuntimeException thrown) {{
            String name = thrown.getClass().getName();
            boolean isAssumption = name.endsWith(\".AssumptionViolatedException\")
                || name.equals(\"org.opentest4j.TestAbortedException\")
                || name.equals(\"org.testng.SkipException\");
            if (!isAssumption) throw thrown;
            raddle.Check.assume(false);
        }}
    }}
}}
",
        make = match test.is_static && before.is_empty() && after.is_empty() {
            true => "null".to_owned(),
            false => format!("new {class}()"),
        },
    );
    let path = package.map_or(name.clone(), |package| format!("{package}/{name}"));
    (path, text)
}

//! Which tests a class has, and how each of them is run, or why not.

use super::arguments;
use super::classes::{Level, dotted, find, full_name, look_up, package, simple_name};
use crate::{Program, Trouble};
use raddle_jvm::{Annotation, MemberOutline, Outline, Value};
use std::rc::Rc;

/// What becomes of a test.
pub(super) enum Plan {
    /// It is run.
    Run(Box<Run>),
    /// The test library would not run it, either.
    Skip(&'static str),
    /// It would be run in another way than here.
    Unknown(String),
}

/// How a test is run.
pub(super) struct Run {
    /// The classes whose objects it needs, the outermost first.
    pub(super) levels: Rc<[Level]>,
    pub(super) method: MemberOutline,
    /// What it is called with, as Java has it.
    pub(super) arguments: Vec<String>,
    /// The exceptions that it is to end with.
    pub(super) expected: Vec<String>,
    /// The rules around each test, and around all of them: fields with their classes.
    pub(super) rules: Vec<String>,
    pub(super) class_rules: Vec<String>,
    pub(super) remarks: Vec<String>,
    pub(super) has_time_limit: bool,
}

const TESTS: [&str; 5] = [
    "Test",
    "RepeatedTest",
    "ParameterizedTest",
    "TestFactory",
    "TestTemplate",
];
pub(super) const BEFORE_ALL: [&str; 4] = ["BeforeSuite", "BeforeTest", "BeforeClass", "BeforeAll"];
pub(super) const AFTER_ALL: [&str; 4] = ["AfterClass", "AfterAll", "AfterTest", "AfterSuite"];
pub(super) const BEFORE: [&str; 3] = ["Before", "BeforeEach", "BeforeMethod"];
pub(super) const AFTER: [&str; 3] = ["After", "AfterEach", "AfterMethod"];
/// Nested classes are so deep at the most.
const DEEPEST: usize = 16;

/// The tests of a class, or those that are named: by their methods, with their nested class
/// before it and the number of their arguments behind it, if that is meant.
pub(super) fn plan(
    program: &Program,
    class: &str,
    method: Option<&str>,
) -> Result<Vec<(String, Plan)>, Trouble> {
    let name = full_name(program, class)?;
    let levels = levels_of(program, &name)?;
    let own = levels
        .last()
        .map_or(name.as_str(), |level| &level.own().name);
    let own = dotted(own);
    let mut planner = Planner {
        program,
        method,
        own: own.clone(),
        found: Vec::new(),
    };
    planner.visit(levels)?;
    if planner.found.is_empty() {
        return Err(Trouble::new(match method {
            Some(method) => format!("there is no method `{method}` in {own}"),
            None => format!("there is no test in {own}"),
        }));
    }
    Ok(planner.found)
}

/// Whether a class has tests, as far as its annotations tell.
pub(super) fn has_tests(program: &Program, name: &str) -> Result<bool, Trouble> {
    let level = Level::of(program, name)?;
    let mut methods = level.methods().into_iter();
    Ok(!level.own().modifiers.is_abstract()
        && methods.any(|(declarer, method)| {
            find(&method.annotations, &TESTS).is_some() || is_bare_test(declarer, method)
        }))
}

/// A class, after those whose objects it belongs to.
fn levels_of(program: &Program, name: &str) -> Result<Vec<Level>, Trouble> {
    let mut levels = vec![Level::of(program, name)?];
    while let Some(first) = levels.first()
        && levels.len() < DEEPEST
        && !first.own().modifiers.is_static()
        && let Some(outer) = first.own().outer.clone()
    {
        levels.insert(0, Level::of(program, &outer)?);
    }
    Ok(levels)
}

struct Planner<'a> {
    program: &'a Program,
    /// The tests that are wanted.
    method: Option<&'a str>,
    /// The class that they are looked for in.
    own: String,
    found: Vec<(String, Plan)>,
}

impl Planner<'_> {
    /// Adds the tests of the innermost class, and of those that are nested in it.
    fn visit(&mut self, levels: Vec<Level>) -> Result<(), Trouble> {
        let levels: Rc<[Level]> = levels.into();
        let Some(level) = levels.last() else {
            return Ok(());
        };
        let class = dotted(&level.own().name);
        for (declarer, method) in level.methods() {
            let is_test =
                find(&method.annotations, &TESTS).is_some() || is_bare_test(declarer, method);
            let name = format!("{class}.{}", method.name);
            let is_named = self.is_wanted(&name) && self.method.is_some();
            if method.modifiers.is_abstract() || !(is_test || is_named) {
                continue;
            }
            for (suffix, plan) in self.plans(&levels, declarer, method)? {
                let name = format!("{name}{suffix}");
                if is_named || self.is_wanted(&name) {
                    self.found.push((name, plan));
                }
            }
        }
        let inner = level.family.iter().flat_map(|class| &class.members);
        for inner in inner.filter(|_| levels.len() < DEEPEST) {
            let Some(outline) = look_up(self.program, inner)? else {
                continue;
            };
            if find(&outline.annotations, &["Nested"]).is_some() {
                self.visit(levels_of(self.program, inner)?)?;
            }
        }
        Ok(())
    }

    /// Whether a test is asked for.
    fn is_wanted(&self, name: &str) -> bool {
        let Some(method) = self.method else {
            return true;
        };
        let within = name.strip_prefix(&self.own).unwrap_or(name);
        within.trim_start_matches('.') == method || name.rsplit('.').next() == Some(method)
    }

    /// What becomes of a method with tests, and of each of them if there are several.
    fn plans(
        &self,
        levels: &Rc<[Level]>,
        declarer: &Outline,
        method: &MemberOutline,
    ) -> Result<Vec<(String, Plan)>, Trouble> {
        let annotations = &method.annotations;
        let one = |plan| Ok(vec![(String::new(), plan)]);
        if self.method.is_none() && is_off(levels, annotations) {
            return one(Plan::Skip("it is disabled"));
        }
        match refusal(method) {
            Some(Refusal::Ignored(why)) => return one(Plan::Skip(why)),
            Some(Refusal::Fails(why)) => return one(Plan::Unknown(why.to_owned())),
            None => {}
        }
        let mut run = Run {
            levels: levels.clone(),
            method: method.clone(),
            arguments: Vec::new(),
            expected: expected(annotations),
            rules: Vec::new(),
            class_rules: Vec::new(),
            remarks: Vec::new(),
            has_time_limit: false,
        };
        let own = levels.last().map_or("", |level| &level.own().name);
        let obstacle = self
            .obstacle(&mut run)?
            .or_else(|| accessible(own, declarer, method).err());
        if let Some(why) = obstacle {
            return one(Plan::Unknown(why));
        }
        if find(annotations, &["ParameterizedTest"]).is_none() {
            return match method.descriptor.starts_with("()") {
                true => one(Plan::Run(Box::new(run))),
                false => one(Plan::Unknown(
                    "its parameters come from extensions".to_owned(),
                )),
            };
        }
        let all = match arguments::all(self.program, method, annotations)? {
            Ok(all) => all,
            Err(why) => return one(Plan::Unknown(why)),
        };
        let run = |arguments| Run {
            arguments,
            levels: run.levels.clone(),
            method: run.method.clone(),
            expected: run.expected.clone(),
            rules: run.rules.clone(),
            class_rules: run.class_rules.clone(),
            remarks: run.remarks.clone(),
            has_time_limit: run.has_time_limit,
        };
        let all = all.into_iter().enumerate();
        Ok(all
            .map(|(index, arguments)| {
                (
                    format!("[{}]", index + 1),
                    Plan::Run(Box::new(run(arguments))),
                )
            })
            .collect())
    }

    /// Why a test would be run in another way than here. What can be done is added to how it is
    /// run.
    fn obstacle(&self, run: &mut Run) -> Result<Option<String>, Trouble> {
        let levels = run.levels.clone();
        let annotations = run.method.annotations.clone();
        let mut is_timed = has_time_limit(&annotations);
        let mut obstacle = annotations.iter().find_map(hindrance);
        for level in levels.iter() {
            let classes = level.family.iter().flat_map(|class| &class.annotations);
            let cycle = level.methods().into_iter().map(|(_, method)| method);
            let cycle = cycle.filter(|it| find(&it.annotations, &life_cycle()).is_some());
            let mut around = classes.chain(cycle.flat_map(|it| &it.annotations));
            is_timed |= around.any(|it| has_time_limit(std::slice::from_ref(it)));
            obstacle = obstacle.or_else(|| of_class(level));
            for field in level.fields().filter(|it| !it.annotations.is_empty()) {
                is_timed |= is_time_limit(field);
                obstacle = match obstacle {
                    None => self.of_field(field, run)?,
                    known => known,
                };
            }
        }
        run.has_time_limit = is_timed;
        if find(&annotations, &["RepeatedTest"]).is_some() {
            run.remarks.push(super::REPEATED.to_owned());
        }
        Ok(obstacle)
    }

    /// Why a field is in the way of tests. A rule is added to how a test is run.
    fn of_field(&self, field: &MemberOutline, run: &mut Run) -> Result<Option<String>, Trouble> {
        let special = [
            "RegisterExtension",
            "TempDir",
            "AutoClose",
            "DataPoint",
            "DataPoints",
        ];
        if let Some(found) = find(&field.annotations, &special) {
            return Ok(Some(not_run(found)));
        }
        let rule = find(&field.annotations, &["Rule", "ClassRule"]);
        let Some(rule) = rule.filter(|_| !is_time_limit(field)) else {
            return Ok(None);
        };
        let family = Level::of(self.program, type_of(field)).map(|level| level.family);
        let is_rule = |it: &Outline| it.name == "org/junit/rules/TestRule";
        let is_rule = family.is_ok_and(|all| all.iter().any(is_rule));
        let name = field.name.clone();
        match (is_rule && field.modifiers.is_public(), simple_name(rule)) {
            (true, "Rule") if !field.modifiers.is_static() => run.rules.push(name),
            (true, "ClassRule") if field.modifiers.is_static() => run.class_rules.push(name),
            _ => return Ok(Some(not_run(rule))),
        }
        Ok(None)
    }
}

/// Whether a test is left out on purpose.
fn is_off(levels: &[Level], annotations: &[Annotation]) -> bool {
    let is_off = |annotations: &[Annotation]| {
        let test = find(annotations, &["Test"]);
        let is_enabled = test.and_then(|test| test.element("enabled"));
        find(annotations, &["Disabled", "Ignore"]).is_some()
            || is_enabled == Some(&Value::Number('Z', 0))
    };
    let mut classes = levels.iter().map(|level| &level.own().annotations);
    is_off(annotations) || classes.any(|it| is_off(it))
}

/// The annotations of methods around tests.
fn life_cycle() -> Vec<&'static str> {
    [&BEFORE[..], &AFTER, &BEFORE_ALL, &AFTER_ALL].concat()
}

/// Why the tests of a class would be run in another way than here.
fn of_class(level: &Level) -> Option<String> {
    let mut annotations = level.family.iter().flat_map(|class| &class.annotations);
    if let Some(why) = annotations.find_map(hindrance) {
        return Some(why);
    }
    if let Some(why) = constructor(level.own()) {
        return Some(why);
    }
    level.methods().into_iter().find_map(|(declarer, method)| {
        let rule = find(&method.annotations, &["Rule", "ClassRule"]);
        if find(&method.annotations, &life_cycle()).is_none() {
            return rule.map(not_run);
        }
        match method.descriptor.starts_with("()") {
            true => accessible(&level.own().name, declarer, method).err(),
            false => Some(format!("{} has parameters", method.name)),
        }
    })
}

/// What a test library does with a method that cannot be a test in spite of its annotation.
enum Refusal {
    /// It leaves the method out.
    Ignored(&'static str),
    /// It runs no test of the class, and reports that.
    Fails(&'static str),
}

/// Whether a method with an annotation of a test is none to its library.
fn refusal(method: &MemberOutline) -> Option<Refusal> {
    let it = method.modifiers;
    let gives_nothing = method.descriptor.ends_with(")V");
    let test = find(&method.annotations, &TESTS)?;
    if test.class.starts_with("org/junit/jupiter/") {
        let is_test = simple_name(test) != "TestFactory";
        return match () {
            () if it.is_static() => Some(Refusal::Ignored("JUnit runs no static method")),
            () if it.is_private() => Some(Refusal::Ignored("JUnit runs no private method")),
            () if is_test && !gives_nothing => Some(Refusal::Ignored(
                "JUnit runs no method that returns a value",
            )),
            () => None,
        };
    }
    if test.class == "org/junit/Test" {
        return match () {
            () if it.is_static() => Some(Refusal::Fails("JUnit refuses static tests")),
            () if !it.is_public() => {
                Some(Refusal::Fails("JUnit refuses tests that are not public"))
            }
            () if !gives_nothing => Some(Refusal::Fails("JUnit refuses tests that return a value")),
            () => None,
        };
    }
    None
}

/// The class of a field.
fn type_of(field: &MemberOutline) -> &str {
    field
        .descriptor
        .trim_start_matches('L')
        .trim_end_matches(';')
}

/// Whether a field is a rule that limits time.
fn is_time_limit(field: &MemberOutline) -> bool {
    let is_rule = find(&field.annotations, &["Rule", "ClassRule"]).is_some();
    is_rule && type_of(field) == "org/junit/rules/Timeout"
}

/// Whether a method is a test because its class says that all are.
fn is_bare_test(class: &Outline, method: &MemberOutline) -> bool {
    find(&class.annotations, &["Test"]).is_some()
        && method.modifiers.is_public()
        && !method.modifiers.is_static()
        && find(&method.annotations, &life_cycle()).is_none()
        && find(&method.annotations, &["DataProvider"]).is_none()
}

fn not_run(annotation: &Annotation) -> String {
    format!("@{} is not supported", simple_name(annotation))
}

/// Why an annotation of a test or its class is not followed.
fn hindrance(annotation: &Annotation) -> Option<String> {
    let name = simple_name(annotation);
    match name {
        "ExtendWith" | "Extensions" | "ParameterizedClass" | "ClassTemplate" | "TestFactory"
        | "TestTemplate" | "Theory" | "Listeners" | "Factory" | "Guice" => {
            Some(not_run(annotation))
        }
        "RunWith" => {
            let usual = ["JUnit4", "BlockJUnit4ClassRunner", "JUnitPlatform"];
            let Some(Value::Class(runner)) = annotation.element("value") else {
                return Some(not_run(annotation));
            };
            let runner = runner.rsplit(['/', '$']).next().unwrap_or_default();
            let is_usual = usual.contains(&runner);
            (!is_usual).then(|| format!("@RunWith({runner}.class) is not supported"))
        }
        // Here each test is run by itself.
        "TestMethodOrder" | "FixMethodOrder" => {
            Some(format!("@{name}: the tests are run one after the other"))
        }
        "TestInstance" => {
            let is_shared =
                annotation.element("value") == Some(&Value::Constant("PER_CLASS".to_owned()));
            is_shared.then(|| "@TestInstance(PER_CLASS): the tests share an object".to_owned())
        }
        "Disabled" => None,
        _ if name.starts_with("Enabled") || name.starts_with("Disabled") => {
            Some(format!("whether it is run depends on @{name}"))
        }
        "Test" => {
            let special = [
                "dataProvider",
                "dataProviderClass",
                "dependsOnMethods",
                "dependsOnGroups",
                "invocationCount",
                "threadPoolSize",
                "successPercentage",
                "retryAnalyzer",
                "expectedExceptionsMessageRegExp",
            ];
            let mut elements = annotation.elements.iter();
            let found = elements.find(|(element, _)| special.contains(&element.as_str()))?;
            Some(format!("@Test({} = ...) is not supported", found.0))
        }
        _ => None,
    }
}

fn has_time_limit(annotations: &[Annotation]) -> bool {
    let mut all = annotations.iter();
    all.any(|it| {
        let has = |name| it.element(name).is_some();
        match simple_name(it) {
            "Timeout" => true,
            "Test" => has("timeout") || has("timeOut"),
            _ => false,
        }
    })
}

/// Why there can be no object of a class.
fn constructor(class: &Outline) -> Option<String> {
    let name = dotted(&class.name);
    if class.modifiers.is_abstract() {
        return Some(format!("{name} is abstract"));
    }
    if class.modifiers.is_private() {
        return Some(format!("{name} is private"));
    }
    let plain = match (&class.outer, class.modifiers.is_static()) {
        (Some(outer), false) => format!("(L{outer};)V"),
        _ => "()V".to_owned(),
    };
    let is_it = |it: &&MemberOutline| it.name == "<init>" && it.descriptor == plain;
    match class.methods.iter().find(is_it) {
        None => Some(format!("the constructor of {name} has parameters")),
        Some(it) if it.modifiers.is_private() => Some(format!("{name} has a private constructor")),
        Some(_) => None,
    }
}

/// Whether the class that runs a test, which is in the package of the test's class, may call a
/// method.
fn accessible(class: &str, declarer: &Outline, method: &MemberOutline) -> Result<(), String> {
    let is_near = package(class) == package(&declarer.name) && !method.modifiers.is_private();
    match method.modifiers.is_public() || is_near {
        true => Ok(()),
        false => Err(format!("{} cannot be called from outside", method.name)),
    }
}

/// The exceptions that a test is to end with.
fn expected(annotations: &[Annotation]) -> Vec<String> {
    let tests = annotations.iter().filter(|it| simple_name(it) == "Test");
    let elements = tests.flat_map(|it| &it.elements);
    let expected = elements.filter(|(element, _)| element.starts_with("expected"));
    let classes = expected.flat_map(|(_, value)| value.values());
    classes
        .filter_map(|value| match value {
            Value::Class(class) if !class.ends_with("$None") => Some(dotted(class)),
            _ => None,
        })
        .collect()
}

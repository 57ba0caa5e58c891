//! The class that runs a test as the test library would.

use super::classes::{Level, dotted, find, package};
use super::plan::{AFTER, AFTER_ALL, BEFORE, BEFORE_ALL, Run};
use raddle_jvm::MemberOutline;

/// The class that runs a test: its name with its package, and its text.
pub(super) fn text(run: &Run, index: usize) -> (String, String) {
    let name = format!("RaddleTest{index}");
    let levels = &run.levels;
    let package = levels
        .first()
        .map_or("", |level| package(&level.own().name));
    let last = levels.len().saturating_sub(1);
    // What is around a test begins outside and with what is inherited, and ends the other way
    // round.
    let outwards = |names: &[&str]| {
        let all = levels.iter().enumerate().rev();
        all.flat_map(|(at, level)| calls(level, at, names))
            .collect::<Vec<_>>()
    };
    let inwards = |names: &[&str]| {
        let mut all = outwards(names);
        all.reverse();
        all
    };
    let joined = |calls: Vec<Call>| -> String {
        let texts: Vec<String> = calls.into_iter().map(|call| call.text).collect();
        texts.join(" ")
    };
    // Most are static, and then there is no object yet.
    let (first, then): (Vec<Call>, Vec<Call>) = inwards(&BEFORE_ALL)
        .into_iter()
        .partition(|call| call.is_static);
    let (before, after) = (joined(inwards(&BEFORE)), joined(outwards(&AFTER)));
    let after_all = joined(outwards(&AFTER_ALL));
    let is_alone = run.method.modifiers.is_static()
        && (before.is_empty() && after.is_empty() && then.is_empty() && run.rules.is_empty());
    let objects: Vec<String> = levels
        .iter()
        .enumerate()
        .map(|(at, level)| object(level, at, is_alone))
        .collect();
    let (objects, first, then) = (objects.join(" "), joined(first), joined(then));
    let test = body(run, last);
    let class = levels
        .last()
        .map_or(String::new(), |level| dotted(&level.own().name));
    let description = format!(
        "org.junit.runner.Description.createTestDescription({class}.class, \"{}\")",
        run.method.name
    );
    let around_one = format!("{before} try {{ {test} }} finally {{ {after} }}");
    let around_one = rules(
        &run.rules,
        &format!("test{last}"),
        &around_one,
        &description,
    );
    let all = format!("{first} {objects} {then} try {{ {around_one} }} finally {{ {after_all} }}");
    let all = rules(&run.class_rules, &class, &all, &description);
    let header = match package {
        "" => String::new(),
        package => format!("package {};\n", package.replace('/', ".")),
    };
    let text = format!(
        "{header}public final class {name} {{
    public static void main(String[] arguments) throws Throwable {{
        try {{
            {all}
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
"
    );
    let path = match package {
        "" => name,
        package => format!("{package}/{name}"),
    };
    (path, text)
}

/// A call of a method without arguments.
struct Call {
    text: String,
    is_static: bool,
}

/// The calls of the methods of a class with one of these annotations, its own first.
fn calls(level: &Level, at: usize, names: &[&str]) -> Vec<Call> {
    let methods = level.methods().into_iter().map(|(_, method)| method);
    let found = methods.filter(|it| find(&it.annotations, names).is_some());
    found
        .filter(|it| !it.modifiers.is_abstract())
        .map(|it| Call {
            text: format!("{}.{}();", receiver(level, at, it), it.name),
            is_static: it.modifiers.is_static(),
        })
        .collect()
}

/// What a method of a class is called on.
fn receiver(level: &Level, at: usize, method: &MemberOutline) -> String {
    match method.modifiers.is_static() {
        // One of an interface can be called on no other.
        true => {
            let is_it = |it: &&MemberOutline| std::ptr::eq(*it, method);
            let family = level.family.iter();
            let owner = family
                .clone()
                .find(|it| it.methods.iter().any(|it| is_it(&it)));
            dotted(&owner.unwrap_or(level.own()).name)
        }
        false => format!("test{at}"),
    }
}

/// The declaration of the object that tests of a class are run on.
fn object(level: &Level, at: usize, is_alone: bool) -> String {
    let class = dotted(&level.own().name);
    let own = class.rsplit('.').next().unwrap_or(&class);
    let made = match at.checked_sub(1) {
        _ if is_alone => "null".to_owned(),
        None => format!("new {class}()"),
        Some(outer) => format!("test{outer}.new {own}()"),
    };
    format!("final {class} test{at} = {made};")
}

/// The call of a test, which may have to end with an exception.
fn body(run: &Run, at: usize) -> String {
    let level = &run.levels[at];
    let method = &run.method;
    let arguments = run.arguments.join(", ");
    let on = receiver(level, at, method);
    let call = format!("{on}.{}({arguments});", method.name);
    if run.expected.is_empty() {
        return call;
    }
    let message = format!("{} was expected", run.expected.join(" or "));
    let is_it = run
        .expected
        .iter()
        .map(|it| format!("thrown instanceof {it}"));
    let is_it = is_it.collect::<Vec<_>>().join(" || ");
    format!(
        "boolean isMissing = false; try {{ {call} isMissing = true; }} \
         catch (Throwable thrown) {{ if (!({is_it})) throw thrown; }} \
         if (isMissing) throw new AssertionError(\"{message}\");"
    )
}

/// Statements with rules around them.
fn rules(rules: &[String], on: &str, inside: &str, description: &str) -> String {
    rules
        .iter()
        .enumerate()
        .fold(inside.to_owned(), |inside, (at, rule)| {
            let statement = "org.junit.runners.model.Statement";
            let own = format!(
                "{}{at}",
                if on.starts_with("test") {
                    "each"
                } else {
                    "all"
                }
            );
            format!(
                "{statement} {own} = new {statement}() {{ \
             @Override public void evaluate() throws Throwable {{ {inside} }} }}; \
             {on}.{rule}.apply({own}, {description}).evaluate();"
            )
        })
}

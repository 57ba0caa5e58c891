//! Every clause program of the analysis as one test: its first line says how a field is protected. If the
//! clause that a program stands for is deleted, its test turns red; `mutate analysis` of the testkit shows that.

mod common;

use common::{load, scratch};
use libtest_mimic::{Arguments, Failed, Trial};
use raddle_analysis::analyse;
use raddle_testkit::jdk::compile_texts;
use raddle_testkit::mutations;

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for program in mutations::programs("analysis") {
        let name = format!("analysis/{program}");
        trials.push(Trial::test(name, move || run(&program)));
    }
    assert!(!trials.is_empty(), "there are no clauses");
    libtest_mimic::run(&arguments, trials).exit();
}

fn run(program: &str) -> Result<(), Failed> {
    let path = mutations::root().join("analysis").join(program);
    let source = std::fs::read_to_string(path.with_extension("java"))?;
    let first = source.lines().next().unwrap_or_default();
    let expected = first
        .strip_prefix("// shares: ")
        .and_then(|it| it.split_once(' '));
    let (name, protection) = expected.ok_or("the first line does not say what is expected")?;
    let folder = scratch(&format!("clauses-{program}"));
    compile_texts(&folder, [(program.to_owned(), source.clone())]);
    let java = load(&folder, program)?;
    let (world, start) = java.beginning_of_main();
    let sharing = analyse(world, start);
    std::fs::remove_dir_all(folder)?;
    let field = sharing.fields.iter().find(|it| it.name == name);
    match field.map(|it| it.protection.name()) {
        Some(found) if found == protection => Ok(()),
        found => Err(format!("{name} is {found:?}:\n{}", sharing.to_text()).into()),
    }
}

//! Programs of the corpus in this process.

#![allow(dead_code, reason = "each file of tests uses a part")]

use raddle_java::{Java, Settings};
use raddle_jvm::World;
use raddle_jvm::load::{Directory, Jdk};
use raddle_testkit::jdk::{self, compile_texts, jdk};
use std::path::{Path, PathBuf};

pub(crate) fn number(variable: &str, default: u64) -> u64 {
    let told = std::env::var(variable).ok();
    told.and_then(|told| told.parse().ok()).unwrap_or(default)
}

pub(crate) fn scratch(name: &str) -> PathBuf {
    jdk::scratch(env!("CARGO_TARGET_TMPDIR"), name)
}

pub(crate) fn load(folder: &Path, main: &str) -> Result<Java, String> {
    let program = Box::new(Directory(folder.to_owned()));
    let world = World::new(Jdk::open(jdk())?, vec![program]).map_err(|it| it.to_string())?;
    let settings = Settings {
        main_class: main.to_owned(),
        files: vec![(0, format!("{main}.java"))],
        ..Settings::default()
    };
    Java::new(world, settings)
}

/// The programs of the corpus that are written in the language of every JDK.
pub(crate) fn corpus() -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut folders: Vec<PathBuf> = vec![tests.join("java-races")];
    let topics = std::fs::read_dir(tests.join("java-check")).expect("the programs are there");
    folders.extend(topics.map(|it| it.expect("a folder").path()));
    let mut all: Vec<PathBuf> = Vec::new();
    for folder in folders {
        let files = std::fs::read_dir(&folder).expect("a folder");
        let files = files.map(|it| it.expect("a file").path());
        all.extend(files.filter(|it| it.extension().is_some_and(|it| it == "java")));
    }
    all.retain(|file| {
        let text = std::fs::read_to_string(file).expect("a text");
        !text.contains("// jdk ")
    });
    all.sort();
    all
}

/// Every so-many-th program of the corpus, compiled: the folder, and the names of the classes. With
/// `RADDLE_CORPUS=all` it is all of them, with `RADDLE_ONLY=NAME` one.
pub(crate) fn compiled_corpus(test: &str, step: usize) -> (PathBuf, Vec<String>) {
    let is_all = std::env::var("RADDLE_CORPUS").is_ok_and(|it| it == "all");
    let only = std::env::var("RADDLE_ONLY").ok();
    let step = if is_all || only.is_some() { 1 } else { step };
    let name = |file: &Path| {
        let stem = file.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    };
    let mut files: Vec<PathBuf> = corpus().into_iter().step_by(step).collect();
    files.retain(|file| only.as_ref().is_none_or(|only| name(file) == *only));
    let folder = scratch(test);
    let text = |file: &PathBuf| std::fs::read_to_string(file).expect("a text");
    compile_texts(&folder, files.iter().map(|file| (name(file), text(file))));
    (folder, files.iter().map(|file| name(file)).collect())
}

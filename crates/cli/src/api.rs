//! What Java programs can say to raddle: the sources of the folder `java`, for compilers.

use crate::classes::{self, Scratch};
use crate::failure::Failure;
use raddle_jvm::load::{Directory, Source};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The name of the jar.
pub(crate) const JAR: &str = "raddle-check.jar";

const SOURCES: [(&str, &str); 5] = [
    (
        "raddle/Atomic.java",
        include_str!("../../../java/raddle/Atomic.java"),
    ),
    (
        "raddle/Unshared.java",
        include_str!("../../../java/raddle/Unshared.java"),
    ),
    (
        "raddle/Check.java",
        include_str!("../../../java/raddle/Check.java"),
    ),
    (
        "gov/nasa/jpf/vm/Verify.java",
        include_str!("../../../java/gov/nasa/jpf/vm/Verify.java"),
    ),
    (
        "org/sosy_lab/sv_benchmarks/Verifier.java",
        include_str!("../../../java/org/sosy_lab/sv_benchmarks/Verifier.java"),
    ),
];

/// Writes the sources into a folder; their names are the answer.
pub(crate) fn write(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for (name, text) in SOURCES {
        let file = folder.join(name);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
        }
        fs::write(&file, text).map_err(|error| Failure::file(&file, &error))?;
        files.push(file);
    }
    Ok(files)
}

/// Writes sources and a jar into a folder.
pub(crate) fn build(folder: &Path, home: &Path) -> Result<(), Failure> {
    let files = write(folder)?;
    let classes = classes::compile(&files, &[], home)?;
    let tool = home.join("bin/jar");
    let done = Command::new(&tool)
        .arg("--create")
        .arg("--file")
        .arg(folder.join(JAR))
        .arg("-C")
        .arg(classes.path())
        .arg(".")
        .status()
        .map_err(|error| Failure::file(&tool, &error))?;
    match done.success() {
        true => Ok(()),
        false => Err(Failure::new("the jar cannot be made")),
    }
}

/// The classes, compiled when a program first asks for one: for programs that were compiled
/// elsewhere and come without them.
pub(crate) struct Classes {
    home: PathBuf,
    compiled: OnceLock<Option<Scratch>>,
}

impl Classes {
    pub(crate) fn new(home: &Path) -> Self {
        Self {
            home: home.to_owned(),
            compiled: OnceLock::new(),
        }
    }

    fn compile(&self) -> Result<Scratch, Failure> {
        let sources = Scratch::new()?;
        let files = write(sources.path())?;
        classes::compile(&files, &[], &self.home)
    }
}

impl Source for Classes {
    fn find(&self, name: &str) -> Option<Box<[u8]>> {
        let is_ours = |source: &str| {
            let class = source.trim_end_matches(".java");
            let rest = name.strip_prefix(class);
            rest.is_some_and(|rest| rest.starts_with(['.', '$']))
        };
        if !SOURCES.iter().any(|(source, _)| is_ours(source)) {
            return None;
        }
        let compiled = self.compiled.get_or_init(|| self.compile().ok()).as_ref()?;
        Directory(compiled.path().to_owned()).find(name)
    }
}

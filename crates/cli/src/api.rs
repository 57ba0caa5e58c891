//! What Java programs can say to raddle: the sources of the folder `java`, for compilers.

use crate::compiler::{self, Scratch};
use crate::failure::Failure;
use raddle_jvm::load::{Directory, Found, Source};
use raddle_model::StopFlag;
use std::fs;
use std::path::{Path, PathBuf};
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
pub(crate) fn build(folder: &Path, home: &Path, stop: &StopFlag) -> Result<(), Failure> {
    let files = write(folder)?;
    let classes = compiler::compile(&files, &[], home, stop)?;
    let mut jar = compiler::tool(home, "jar");
    jar.args(["--create", "--file"])
        .arg(compiler::as_argument(&folder.join(JAR)))
        .arg("-C")
        .arg(classes.path())
        .arg(".");
    match compiler::run(jar, stop)? {
        true => Ok(()),
        false => Err(Failure::new("the jar cannot be made")),
    }
}

/// The classes, compiled when a program first asks for one: for programs that were compiled
/// elsewhere and come without them.
pub(crate) struct Classes {
    home: PathBuf,
    /// Ends the compiler.
    stop: StopFlag,
    compiled: OnceLock<Result<Scratch, String>>,
}

impl Classes {
    pub(crate) fn new(home: &Path, stop: StopFlag) -> Self {
        Self {
            home: home.to_owned(),
            stop,
            compiled: OnceLock::new(),
        }
    }

    fn compile(&self) -> Result<Scratch, Failure> {
        let sources = Scratch::new()?;
        let files = write(sources.path())?;
        compiler::compile(&files, &[], &self.home, &self.stop)
    }
}

impl Source for Classes {
    fn find(&self, name: &str) -> Found {
        let is_ours = |source: &str| {
            let class = source.trim_end_matches(".java");
            let rest = name.strip_prefix(class);
            rest.is_some_and(|rest| rest.starts_with(['.', '$']))
        };
        if !SOURCES.iter().any(|(source, _)| is_ours(source)) {
            return Ok(None);
        }
        let compile = || {
            self.compile()
                .map_err(|failure| failure.message().to_owned())
        };
        match self.compiled.get_or_init(compile) {
            Ok(compiled) => Directory(compiled.path().to_owned()).find(name),
            Err(why) => Err(why.clone()),
        }
    }
}

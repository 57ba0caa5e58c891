//! The classes by which Java programs speak to raddle: the sources of the folder `java`, for
//! compilers.

use crate::compiler::as_argument;
use crate::{Folder, Installation, Trouble};
use raddle_jvm::load::{Directory, Found, Source};
use raddle_model::StopFlag;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The name of the jar.
pub const JAR: &str = "raddle-check.jar";

const SOURCES: [(&str, &str); 8] = [
    (
        "raddle/Any.java",
        include_str!("../../../java/raddle/Any.java"),
    ),
    (
        "raddle/Atomic.java",
        include_str!("../../../java/raddle/Atomic.java"),
    ),
    (
        "raddle/Unshared.java",
        include_str!("../../../java/raddle/Unshared.java"),
    ),
    (
        "raddle/Operation.java",
        include_str!("../../../java/raddle/Operation.java"),
    ),
    (
        "raddle/Validate.java",
        include_str!("../../../java/raddle/Validate.java"),
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
pub fn write(folder: &Path) -> Result<Vec<PathBuf>, Trouble> {
    let mut files = Vec::new();
    for (name, text) in SOURCES {
        let file = folder.join(name);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).map_err(|error| Trouble::file(folder, &error))?;
        }
        fs::write(&file, text).map_err(|error| Trouble::file(&file, &error))?;
        files.push(file);
    }
    Ok(files)
}

/// Writes sources and a jar into a folder.
pub fn build(folder: &Path, jdk: &Installation, stop: &StopFlag) -> Result<(), Trouble> {
    let files = write(folder)?;
    let classes = jdk.compile(&files, &[], stop)?;
    let mut jar = jdk.tool("jar");
    jar.args(["--create", "--file"])
        .arg(as_argument(&folder.join(JAR)))
        .arg("-C")
        .arg((*classes).as_ref())
        .arg(".");
    match jdk.tools.run(jar, stop)? {
        true => Ok(()),
        false => Err(Trouble::new("the jar cannot be made")),
    }
}

/// The classes, compiled when a program first asks for one: for programs that were compiled
/// elsewhere and come without them.
pub(crate) struct Classes {
    jdk: Installation,
    /// Ends the compiler.
    stop: StopFlag,
    compiled: OnceLock<Result<Folder, String>>,
}

impl Classes {
    pub(crate) fn new(jdk: &Installation, stop: StopFlag) -> Self {
        Self {
            jdk: jdk.clone(),
            stop,
            compiled: OnceLock::new(),
        }
    }

    fn compile(&self) -> Result<Folder, Trouble> {
        let sources = self.jdk.tools.folder()?;
        let files = write((*sources).as_ref())?;
        self.jdk.compile(&files, &[], &self.stop)
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
        let compile = || self.compile().map_err(|trouble| trouble.message);
        match self.compiled.get_or_init(compile) {
            Ok(compiled) => Directory((**compiled).as_ref().to_owned()).find(name),
            Err(why) => Err(why.clone()),
        }
    }
}

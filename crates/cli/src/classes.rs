//! Java programs: where their classes are, and how there come to be classes.

use crate::api;
use crate::compiler::{self, Scratch};
use crate::failure::Failure;
use crate::files;
use raddle_java::{Randomness, Time};
use raddle_jvm::Summary;
use raddle_jvm::load::{self, Directory, Jar, Source};
use raddle_model::StopFlag;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// A Java program, and how it is run.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    /// Java source, a class file, a folder with either, or a jar.
    pub(crate) file: PathBuf,
    /// The class that begins.
    pub(crate) main: Option<String>,
    /// Further folders and jars with classes.
    pub(crate) class_path: Vec<PathBuf>,
    pub(crate) jdk: Option<PathBuf>,
    pub(crate) arguments: Vec<String>,
    /// What comes of random numbers, when the program is checked.
    pub(crate) randomness: Randomness,
    /// How time goes on, when the program is checked.
    pub(crate) time: Time,
}

impl Launch {
    /// The further folders and jars, one by one.
    pub(crate) fn class_path(&self) -> Vec<PathBuf> {
        self.class_path.iter().flat_map(env::split_paths).collect()
    }
}

impl Default for Launch {
    fn default() -> Self {
        Self {
            file: PathBuf::new(),
            main: None,
            class_path: Vec::new(),
            jdk: None,
            arguments: Vec::new(),
            randomness: Randomness::Seed(0),
            time: Time::Logical,
        }
    }
}

/// The JDK to use.
pub(crate) fn find_jdk(told: Option<&Path>) -> Result<PathBuf, Failure> {
    Ok(locate_jdk(told)?.0)
}

/// The JDK to use, and why: as told, that of the environment, or that of the compiler on the
/// path.
pub(crate) fn locate_jdk(told: Option<&Path>) -> Result<(PathBuf, &'static str), Failure> {
    if let Some(home) = told {
        return Ok((home.to_owned(), "--jdk says so"));
    }
    if let Some(home) = env::var_os("JAVA_HOME").filter(|home| !home.is_empty()) {
        return Ok((home.into(), "JAVA_HOME says so"));
    }
    let home = on_path("javac")
        .and_then(|file| fs::canonicalize(file).ok())
        .and_then(|file| Some(file.parent()?.parent()?.to_owned()));
    match home {
        Some(home) => Ok((home, "its javac is on the path")),
        None => Err(Failure::new(format!(
            "no JDK found: use --jdk, set JAVA_HOME, or put javac on the path{}",
            installer().map_or(String::new(), |command| format!(
                "; `{command}` installs one"
            ))
        ))),
    }
}

/// The command that installs a JDK on this system, if its package manager is known.
fn installer() -> Option<&'static str> {
    const INSTALLERS: [(&str, &str); 6] = [
        ("apt-get", "sudo apt-get install openjdk-17-jdk-headless"),
        ("dnf", "sudo dnf install java-17-openjdk-devel"),
        ("zypper", "sudo zypper install java-17-openjdk-devel"),
        ("pacman", "sudo pacman -S jdk17-openjdk"),
        ("apk", "sudo apk add openjdk17"),
        ("brew", "brew install openjdk@17"),
    ];
    let mut known = INSTALLERS.iter();
    let found = known.find(|(manager, _)| on_path(manager).is_some());
    found.map(|&(_, command)| command)
}

/// A program of this name on the path.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    // A relative folder would make it a program of the folder that is checked.
    env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// Where the classes of a program are, and which of them begins.
pub(crate) struct Program {
    pub(crate) sources: Vec<Box<dyn Source>>,
    /// The folder or jar that has the program itself.
    pub(crate) root: PathBuf,
    /// The class that begins, or why it is not known.
    main: Result<String, Failure>,
    /// Holds what was compiled for as long as it is needed.
    pub(crate) compiled: Option<Scratch>,
}

impl Program {
    pub(crate) fn find(launch: &Launch, home: &Path, stop: &StopFlag) -> Result<Self, Failure> {
        let file = &launch.file;
        let class_path = launch.class_path();
        let kind = file.extension().and_then(OsStr::to_str).unwrap_or_default();
        let mut compiled = None;
        let mut main = launch.main.clone().ok_or_else(unnamed);
        let mut sources: Vec<Box<dyn Source>> = Vec::new();
        // Before the compiler reads them, which takes whatever is there.
        let libraries: Result<Vec<_>, _> = class_path.iter().map(|it| library(it)).collect();
        let libraries = libraries?;
        let root = if kind == "jar" {
            let jar = Jar::open(file).map_err(Failure::new)?;
            let manifest = jar.find("META-INF/MANIFEST.MF").map_err(Failure::new)?;
            let manifest = manifest.unwrap_or_default();
            let told = main_of_manifest(&String::from_utf8_lossy(&manifest));
            main = main.or_else(|why| told.ok_or(why));
            sources.push(Box::new(jar));
            file.clone()
        } else {
            let folder = if kind == "class" {
                let bytes = files::read(file, load::LARGEST)?;
                let summary = raddle_jvm::summary(&bytes)
                    .map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
                let root = root_of(file, &summary.name);
                main = main.or(Ok(summary.name));
                root
            } else {
                let java = java_files(file)?;
                if java.is_empty() {
                    if !file.is_dir() {
                        let told = format!("{}: neither Java source nor classes", file.display());
                        return Err(Failure::new(told));
                    }
                    file.clone()
                } else {
                    let scratch = compiler::compile(&java, &class_path, home, stop)?;
                    compiled.insert(scratch).path().to_owned()
                }
            };
            let preferred = file.file_stem().and_then(OsStr::to_str);
            main = main.or_else(|_| main_in(&folder, preferred.unwrap_or_default()));
            sources.push(Box::new(Directory(folder.clone())));
            folder
        };
        sources.extend(libraries);
        sources.push(Box::new(api::Classes::new(home, stop.clone())));
        Ok(Self {
            sources,
            root,
            main,
            compiled,
        })
    }

    /// The class that begins.
    pub(crate) fn main(&self) -> Result<&str, Failure> {
        self.main.as_deref().map_err(Failure::clone)
    }

    /// The class file of a class.
    pub(crate) fn class(&self, name: &str) -> Result<Option<Box<[u8]>>, Failure> {
        let file = format!("{}.class", name.replace('.', "/"));
        load::find_in(&self.sources, &file).map_err(Failure::new)
    }
}

/// A folder or jar of the class path.
fn library(path: &Path) -> Result<Box<dyn Source>, Failure> {
    if path.as_os_str().is_empty() {
        return Err(Failure::new(
            "the class path has an empty entry; write `.` for the current folder",
        ));
    }
    match path.is_dir() {
        true => Ok(Box::new(Directory(path.to_owned()))),
        false => Ok(Box::new(Jar::open(path).map_err(Failure::new)?)),
    }
}

fn main_of_manifest(manifest: &str) -> Option<String> {
    manifest
        .lines()
        .find_map(|line| line.strip_prefix("Main-Class:"))
        .map(|name| name.trim().to_owned())
}

/// The folder that a class file's name is relative to.
fn root_of(file: &Path, class: &str) -> PathBuf {
    let levels = class.split('/').count();
    let root = file.ancestors().nth(levels).unwrap_or(Path::new(""));
    if root.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        root.to_owned()
    }
}

/// A Java file, or those of a folder.
pub(crate) fn java_files(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.exists() {
        let message = format!("{}: No such file or directory", path.display());
        return Err(Failure::new(message));
    }
    files_in(path, "java")
}

/// The files with an extension in a folder and those below it, or the file itself, sorted. Links
/// to folders are not followed, since they can lead back.
fn files_in(path: &Path, extension: &str) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    let mut pending = vec![path.to_owned()];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).map_err(|error| Failure::file(&path, &error))?;
            let inside = entries.filter_map(|entry| Some(entry.ok()?.path()));
            pending.extend(inside.filter(|it| !(it.is_symlink() && it.is_dir())));
        } else if path.extension().is_some_and(|it| it == extension) {
            let metadata = fs::metadata(&path).map_err(|error| Failure::file(&path, &error))?;
            if !metadata.is_file() {
                let why = format!("{}: this is not a regular file", path.display());
                return Err(Failure::new(why));
            }
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The classes in a folder, sorted by their names.
pub(crate) fn classes_in(folder: &Path) -> Result<Vec<Summary>, Failure> {
    let mut found = Vec::new();
    for file in files_in(folder, "class")? {
        let bytes = files::read(&file, load::LARGEST)?;
        found.extend(raddle_jvm::summary(&bytes));
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// The class in a folder that begins: the preferred one if it can, or the only one that can.
fn main_in(folder: &Path, preferred: &str) -> Result<String, Failure> {
    let classes = classes_in(folder)?.into_iter();
    let candidates: Vec<String> = classes
        .filter(|class| class.has_main)
        .map(|class| class.name)
        .collect();
    let is_preferred = |name: &&String| name.rsplit('/').next() == Some(preferred);
    if let Some(name) = candidates.iter().find(is_preferred) {
        return Ok(name.clone());
    }
    match &candidates[..] {
        [] => Err(Failure::new(
            "no class has a `main` that could begin; --class CLASS checks tests",
        )),
        [only] => Ok(only.clone()),
        several => {
            let names = several.join(", ").replace('/', ".");
            Err(unnamed().because(&format!("these can: {names}")))
        }
    }
}

/// The failure to find classes that the program names, if there are any.
pub(crate) fn incomplete(missing: impl Iterator<Item = String>) -> Option<Failure> {
    let missing: Vec<String> = missing.collect();
    let told = match &missing[..] {
        [] => return None,
        [one] => format!("the class {one}, which the program names, is missing"),
        several => format!(
            "the classes {}, which the program names, are missing",
            several.join(", ")
        ),
    };
    Some(Failure::new(told).because("-cp FOLDER:FILE.jar says where classes are"))
}

/// The failure to know which class begins.
fn unnamed() -> Failure {
    Failure::new("which class begins? Say so with --main CLASS")
}

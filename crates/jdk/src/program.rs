//! Java programs: where their classes are, and how there come to be classes.

use crate::{Folder, Installation, Trouble, api};
use raddle_jvm::Summary;
use raddle_jvm::load::{self, Directory, Found, Jar, Source};
use raddle_model::StopFlag;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// A Java program, and how it is run.
#[derive(Clone, Debug, Default)]
pub struct Launch {
    /// Java source, a class file, a folder with either, or a jar.
    pub file: PathBuf,
    /// The class that begins.
    pub main: Option<String>,
    /// Further folders and jars with classes.
    pub class_path: Vec<PathBuf>,
    /// Where the JDK is, if it is not to be looked for.
    pub jdk: Option<PathBuf>,
    /// What `main` gets.
    pub arguments: Vec<String>,
    /// Folders that have resources of the program, but none of its classes.
    pub resources: Vec<PathBuf>,
}

impl Launch {
    /// The further folders and jars, one by one. As for `java`, `lib/*` is all jars of a folder, and
    /// what is not there is left out of a list: build tools name folders that nothing was written to. One
    /// that is named alone has to be there.
    pub fn class_path(&self) -> Vec<PathBuf> {
        let all = self.class_path.iter().flat_map(|paths| {
            let paths: Vec<PathBuf> = env::split_paths(paths).collect();
            let is_list = paths.len() > 1;
            let is_named = move |it: &PathBuf| !is_list || it.ends_with("*") || it.exists();
            paths.into_iter().filter(is_named)
        });
        all.flat_map(|entry| match entry.ends_with("*") {
            true => jars_of(entry.parent().unwrap_or(Path::new(""))),
            false => vec![entry],
        })
        .collect()
    }
}

/// Where the classes of a program are, and which of them begins.
pub struct Program {
    /// The folders and jars, in the order in which they are searched.
    pub sources: Vec<Box<dyn Source>>,
    /// The folder or jar that has the program itself.
    pub root: PathBuf,
    /// The class that begins, or why it is not known.
    main: Result<String, Trouble>,
    /// Holds what was compiled for as long as it is needed.
    pub compiled: Option<Folder>,
    /// Folders that have resources of the program: where its source is.
    pub resources: Vec<PathBuf>,
}

impl Program {
    /// Finds the classes, and compiles what is source.
    pub fn find(launch: &Launch, jdk: &Installation, stop: &StopFlag) -> Result<Self, Trouble> {
        let file = &launch.file;
        let class_path = launch.class_path();
        let kind = file.extension().and_then(OsStr::to_str).unwrap_or_default();
        let mut compiled = None;
        let mut resources = launch.resources.clone();
        let mut main = launch.main.clone().ok_or_else(unnamed);
        let mut sources: Vec<Box<dyn Source>> = Vec::new();
        // Before the compiler reads them, which takes whatever is there.
        let libraries: Result<Vec<_>, _> = class_path.iter().map(|it| library(it)).collect();
        let libraries = libraries?;
        let root = if kind == "jar" {
            let jar = Jar::open(file).map_err(Trouble::new)?;
            let manifest = jar.find("META-INF/MANIFEST.MF").map_err(Trouble::new)?;
            let manifest = manifest.unwrap_or_default();
            let told = main_of_manifest(&String::from_utf8_lossy(&manifest));
            main = main.or_else(|why| told.ok_or(why));
            sources.push(Box::new(jar));
            file.clone()
        } else {
            let folder = if kind == "class" {
                let bytes = read(file)?;
                let summary = raddle_jvm::summary(&bytes)
                    .map_err(|error| Trouble::new(format!("{}: {error}", file.display())))?;
                let root = root_of(file, &summary.name);
                main = main.or(Ok(summary.name));
                root
            } else {
                let java = java_files(file)?;
                if java.is_empty() {
                    if !file.is_dir() {
                        let told = format!("{}: neither Java source nor classes", file.display());
                        return Err(Trouble::new(told));
                    }
                    file.clone()
                } else {
                    let folder = jdk.compile(&java, &class_path, stop)?;
                    let folder = (**compiled.insert(folder)).as_ref().to_owned();
                    add_source_roots(&java, &folder, &mut resources);
                    folder
                }
            };
            let preferred = file.file_stem().and_then(OsStr::to_str);
            main = main.or_else(|_| main_in(&folder, preferred.unwrap_or_default()));
            sources.push(match compiled {
                Some(_) => Box::new(load::Compiled(folder.clone())),
                None => Box::new(Directory(folder.clone())),
            });
            folder
        };
        let beside = resources
            .iter()
            .map(|folder| -> Box<dyn Source> { Box::new(Resources::new(folder)) });
        sources.extend(beside);
        sources.extend(libraries);
        sources.push(Box::new(api::Classes::new(jdk, stop.clone())));
        Ok(Self {
            sources,
            root,
            main,
            compiled,
            resources,
        })
    }

    /// The class that begins.
    pub fn main(&self) -> Result<&str, Trouble> {
        self.main.as_deref().map_err(Trouble::clone)
    }

    /// The class file of a class.
    pub fn class(&self, name: &str) -> Result<Option<Box<[u8]>>, Trouble> {
        let file = format!("{}.class", name.replace('.', "/"));
        load::find_in(&self.sources, &file).map_err(Trouble::new)
    }
}

/// A folder with source and other files, as a build would copy the latter beside the classes. There are
/// no classes of the program in it: what was compiled long ago is not what is checked.
struct Resources {
    folder: Directory,
    /// The same without links, if it is there.
    real: Option<PathBuf>,
}

impl Resources {
    fn new(folder: &Path) -> Resources {
        Resources {
            folder: Directory(folder.to_owned()),
            real: fs::canonicalize(folder).ok(),
        }
    }
}

impl Source for Resources {
    fn find(&self, name: &str) -> Found {
        // A link must not lead out of the folder, which may come from anybody.
        let real = fs::canonicalize(self.folder.0.join(name)).ok();
        let is_inside = real.zip(self.real.as_ref());
        let is_inside = is_inside.is_some_and(|(file, folder)| file.starts_with(folder));
        let is_code = [".class", ".java"]
            .iter()
            .any(|ending| name.ends_with(ending));
        match is_inside && !is_code {
            true => self.folder.find(name),
            false => Ok(None),
        }
    }
}

/// Adds the folders to which the names of packages are relative, by where classes came to be.
/// Where they are called as build tools do it, so is the folder of the resources.
fn add_source_roots(java: &[PathBuf], classes: &Path, roots: &mut Vec<PathBuf>) {
    for file in java {
        let folder = file.parent().unwrap_or(Path::new(""));
        let is_root = |root: &&Path| {
            let package = folder.strip_prefix(root).unwrap_or(Path::new(""));
            let class = classes
                .join(package)
                .join(file.file_stem().unwrap_or_default());
            class.with_extension("class").is_file()
        };
        let mut ancestors: Vec<&Path> = folder.ancestors().collect();
        ancestors.reverse();
        let Some(root) = ancestors.iter().find(|root| is_root(root)) else {
            continue;
        };
        let beside = root.with_file_name("resources");
        let is_usual = root.file_name() == Some(OsStr::new("java")) && beside.is_dir();
        let root = match root.as_os_str().is_empty() {
            true => PathBuf::from("."),
            false => root.to_path_buf(),
        };
        for root in [root].into_iter().chain(is_usual.then_some(beside)) {
            if !roots.contains(&root) {
                roots.push(root);
            }
        }
    }
}

/// The jars of a folder, sorted: `java` leaves their order open.
fn jars_of(folder: &Path) -> Vec<PathBuf> {
    let read = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let names = fs::read_dir(read).into_iter().flatten().flatten();
    let all = names.map(|entry| folder.join(entry.file_name()));
    let is_jar = |it: &PathBuf| it.extension().is_some_and(|it| it == "jar" || it == "JAR");
    let mut all: Vec<PathBuf> = all.filter(is_jar).collect();
    all.sort();
    all
}

/// A folder or jar of the class path.
fn library(path: &Path) -> Result<Box<dyn Source>, Trouble> {
    if path.as_os_str().is_empty() {
        return Err(Trouble::new(
            "the class path has an empty entry; write `.` for the current folder",
        ));
    }
    match path.is_dir() {
        true => Ok(Box::new(Directory(path.to_owned()))),
        false => Ok(Box::new(Jar::open(path).map_err(Trouble::new)?)),
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

/// The source files of a program; of a class, the one beside it.
pub fn source_files(path: &Path) -> Result<Vec<PathBuf>, Trouble> {
    let has_ending = |wanted: &str| path.extension().is_some_and(|ending| ending == wanted);
    let beside = path.with_extension("java");
    match has_ending("class") && beside.is_file() {
        true => java_files(&beside),
        false if path.is_dir() || has_ending("java") => java_files(path),
        false => Ok(Vec::new()),
    }
}

fn read(file: &Path) -> Result<Vec<u8>, Trouble> {
    load::read_file(file, load::LARGEST).map_err(|error| Trouble::file(file, &error))
}

/// A Java file, or those of a folder.
fn java_files(path: &Path) -> Result<Vec<PathBuf>, Trouble> {
    if !path.exists() {
        let message = format!("{}: No such file or directory", path.display());
        return Err(Trouble::new(message));
    }
    files_in(path, "java")
}

/// The files with an extension in a folder and those below it, or the file itself, sorted. Links
/// to folders are not followed, since they can lead back.
pub(crate) fn files_in(path: &Path, extension: &str) -> Result<Vec<PathBuf>, Trouble> {
    let mut found = Vec::new();
    let mut pending = vec![path.to_owned()];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).map_err(|error| Trouble::file(&path, &error))?;
            let inside = entries.filter_map(|entry| Some(entry.ok()?.path()));
            pending.extend(inside.filter(|it| !(it.is_symlink() && it.is_dir())));
        } else if path.extension().is_some_and(|it| it == extension) {
            let metadata = fs::metadata(&path).map_err(|error| Trouble::file(&path, &error))?;
            if !metadata.is_file() {
                let why = format!("{}: this is not a regular file", path.display());
                return Err(Trouble::new(why));
            }
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The classes in a folder, sorted by their names.
pub(crate) fn classes_in(folder: &Path) -> Result<Vec<Summary>, Trouble> {
    let mut found = Vec::new();
    for file in files_in(folder, "class")? {
        let bytes = read(&file)?;
        found.extend(raddle_jvm::summary(&bytes));
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// The class in a folder that begins: the preferred one if it can, or the only one that can.
fn main_in(folder: &Path, preferred: &str) -> Result<String, Trouble> {
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
        [] => Err(Trouble::new(
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
pub fn incomplete(missing: impl Iterator<Item = String>) -> Option<Trouble> {
    let missing: Vec<String> = missing.collect();
    let told = match &missing[..] {
        [] => return None,
        [one] => format!("the class {one}, which the program names, is missing"),
        several => format!(
            "the classes {}, which the program names, are missing",
            several.join(", ")
        ),
    };
    Some(Trouble::new(told).because("-cp FOLDER:FILE.jar says where classes are"))
}

/// The failure to know which class begins.
fn unnamed() -> Trouble {
    Trouble::new("which class begins? Say so with --main CLASS")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_list_what_is_not_there_is_left_out() {
        let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let gone = here.join("gone");
        let with = |paths: &[&Path]| Launch {
            class_path: vec![env::join_paths(paths).expect("paths").into()],
            ..Launch::default()
        };
        assert_eq!(with(&[&gone, &here]).class_path(), [here]);
        assert_eq!(with(&[&gone]).class_path(), [gone]);
    }
}

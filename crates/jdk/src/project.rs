//! Projects as Maven and Gradle lay them out: modules, where their classes or sources are, and what
//! their class path is as far as files say so. Nothing of a project is run.

use crate::{Launch, Trouble};
use raddle_jvm::load;
use std::fs;
use std::path::{Path, PathBuf};

/// Who builds a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildTool {
    /// There is a `pom.xml`.
    Maven,
    /// There is a `build.gradle`, or a `settings.gradle` above.
    Gradle,
}

/// A part of a project that has tests.
#[derive(Clone, Debug)]
pub struct Module {
    /// Where it is.
    pub folder: PathBuf,
    /// Who builds it, if it is known.
    pub tool: Option<BuildTool>,
    /// Folders with compiled tests.
    pub tests: Vec<PathBuf>,
    /// Folders with what is tested, compiled, and with resources.
    pub classes: Vec<PathBuf>,
    /// Folders with sources.
    pub sources: Vec<PathBuf>,
}

/// Modules are at most so far below the folder of a project.
const DEEPEST: usize = 8;

/// Folders in which there are no modules.
const OTHERS: [&str; 5] = ["src", "target", "build", "out", "node_modules"];

/// The modules of a project that have tests, sorted by their folders.
pub fn modules(project: &Path) -> Result<Vec<Module>, Trouble> {
    if !project.is_dir() {
        let why = format!("{}: this is not a folder with a project", project.display());
        return Err(Trouble::new(why));
    }
    let (mut found, mut pending) = (Vec::new(), vec![(project.to_owned(), None, 0)]);
    while let Some((folder, above, depth)) = pending.pop() {
        let tool = tool(&folder).or(above);
        let module = Module::at(&folder, tool);
        if !module.tests.is_empty() || folder.join("src/test/java").is_dir() {
            found.push(module);
        }
        if depth == DEEPEST {
            continue;
        }
        let entries = fs::read_dir(&folder).map_err(|error| Trouble::file(&folder, &error))?;
        let inside = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let inside = inside.filter(|it| {
            let name = it
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            it.is_dir() && !it.is_symlink() && !name.starts_with('.') && !OTHERS.contains(&&*name)
        });
        pending.extend(inside.map(|it| (it, tool, depth + 1)));
    }
    found.sort_by(|a, b| a.folder.cmp(&b.folder));
    Ok(found)
}

fn tool(folder: &Path) -> Option<BuildTool> {
    let has = |name: &str| folder.join(name).is_file();
    let gradle = [
        "build.gradle",
        "build.gradle.kts",
        "settings.gradle",
        "settings.gradle.kts",
    ];
    match () {
        () if has("pom.xml") => Some(BuildTool::Maven),
        () if gradle.into_iter().any(has) => Some(BuildTool::Gradle),
        () => None,
    }
}

impl Module {
    fn at(folder: &Path, tool: Option<BuildTool>) -> Module {
        let there = |names: &[&str]| -> Vec<PathBuf> {
            let all = names.iter().map(|name| folder.join(name));
            all.filter(|it| it.is_dir()).collect()
        };
        // Each language has a folder.
        let gradle = |what: &str| -> Vec<PathBuf> {
            let languages = fs::read_dir(folder.join("build/classes"));
            let languages = languages.into_iter().flatten().flatten();
            let mut all: Vec<PathBuf> = languages.map(|it| it.path().join(what)).collect();
            all.retain(|it| it.is_dir());
            all.sort();
            all
        };
        let (mut tests, mut classes) =
            (there(&["target/test-classes"]), there(&["target/classes"]));
        if tests.is_empty() {
            tests = gradle("test");
            classes = gradle("main");
            classes.extend(there(&["build/resources/test", "build/resources/main"]));
        }
        Module {
            folder: folder.to_owned(),
            tool,
            tests,
            classes,
            sources: there(&["src/test/java", "src/main/java"]),
        }
    }

    /// The newest source, if no class is as new: the classes are not of these sources, then.
    pub fn stale(&self) -> Option<PathBuf> {
        let newest = |folders: &[PathBuf], ending: &str| {
            let mut all: Vec<_> = folders
                .iter()
                .flat_map(|folder| crate::program::files_in(folder, ending).unwrap_or_default())
                .filter_map(|file| Some((fs::metadata(&file).ok()?.modified().ok()?, file)))
                .collect();
            all.sort();
            all.pop()
        };
        let built = [&self.tests[..], &self.classes].concat();
        let (source, class) = (newest(&self.sources, "java")?, newest(&built, "class")?);
        (source.0 > class.0).then_some(source.1)
    }

    /// The class path of the last run of the tests, as Maven's reports have it.
    pub fn reported_class_path(&self) -> Option<Vec<PathBuf>> {
        let folder = self.folder.join("target/surefire-reports");
        let mut reports: Vec<PathBuf> = fs::read_dir(folder)
            .ok()?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|it| it.extension().is_some_and(|ending| ending == "xml"))
            .collect();
        reports.sort();
        reports.iter().find_map(|report| {
            let bytes = load::read_file(report, load::LARGEST).ok()?;
            class_path_of(&String::from_utf8_lossy(&bytes))
        })
    }

    /// The command that writes the class path of its tests into a file.
    pub fn advice(&self) -> &'static str {
        match self.tool {
            Some(BuildTool::Gradle) => {
                "have Gradle write `sourceSets.test.runtimeClasspath.asPath` into \
                 build/classpath.txt and give --class-path-file build/classpath.txt, or let raddle ask \
                 Gradle with --build-tool"
            }
            _ => {
                "run `mvn test` once, or `mvn dependency:build-classpath -Dmdep.includeScope=test \
                 -Dmdep.outputFile=target/classpath.txt` and give --class-path-file \
                 target/classpath.txt, or let raddle ask Maven with --build-tool"
            }
        }
    }

    /// How its tests are run.
    pub fn launches(&self, class_path: &[PathBuf], jdk: Option<&Path>) -> Vec<Launch> {
        let tests = self.tests.iter().enumerate();
        let launch = |(at, tests): (usize, &PathBuf)| {
            let others = self
                .tests
                .iter()
                .enumerate()
                .filter(move |(it, _)| *it != at);
            let others = others.map(|(_, it)| it);
            let all = others.chain(&self.classes).chain(class_path);
            Launch {
                file: tests.clone(),
                class_path: all.cloned().collect(),
                jdk: jdk.map(Path::to_owned),
                ..Launch::default()
            }
        };
        tests.map(launch).collect()
    }
}

/// The class path that a report of Surefire names, without what is not there any more.
fn class_path_of(report: &str) -> Option<Vec<PathBuf>> {
    let names = ["surefire.test.class.path", "java.class.path"];
    let text = names.iter().find_map(|name| {
        let after = report.split(&format!("name=\"{name}\"")).nth(1)?;
        let element = after.split('>').next()?;
        element.split("value=\"").nth(1)?.split('"').next()
    })?;
    let plain = text
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">");
    let all: Vec<PathBuf> = std::env::split_paths(&plain.replace("&amp;", "&")).collect();
    let there: Vec<PathBuf> = all.into_iter().filter(|it| it.exists()).collect();
    (!there.is_empty()).then_some(there)
}

/// The folders and jars of a file that a build tool has written: on one line or on several.
pub fn class_path_in(file: &Path) -> Result<Vec<PathBuf>, Trouble> {
    let bytes =
        load::read_file(file, load::LARGEST).map_err(|error| Trouble::file(file, &error))?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let lines = text
        .lines()
        .flat_map(|line| std::env::split_paths(line).collect::<Vec<_>>());
    let is_there = |it: &PathBuf| it.ends_with("*") || it.exists();
    Ok(lines
        .filter(|it| !it.as_os_str().is_empty() && is_there(it))
        .collect())
}

/// Whether a name is meant by a pattern, in which `*` stands for anything.
pub fn matches(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(mut name) = name.strip_prefix(first) else {
        return false;
    };
    loop {
        if matches(rest, name) {
            return true;
        }
        let mut characters = name.chars();
        if characters.next().is_none() {
            return false;
        }
        name = characters.as_str();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_of_whole_names() {
        assert!(matches("bank.*Test", "bank.old.AccountTest"));
        assert!(matches("*.lost*", "bank.AccountTest.lost[2]"));
        assert!(!matches("bank.*Test", "bank.AccountTests"));
        assert!(!matches("Account", "bank.Account"));
    }

    #[test]
    fn the_class_path_of_a_report_is_read() {
        let here = env!("CARGO_MANIFEST_DIR");
        let report = format!(
            "<property value=\"{here}/none.jar:{here}/src\" other=\"\"/>\n\
             <property name=\"surefire.test.class.path\" value=\"{here}/none.jar:{here}/src\"/>"
        );
        assert_eq!(
            class_path_of(&report),
            Some(vec![Path::new(here).join("src")])
        );
        assert_eq!(class_path_of("<properties/>"), None);
    }
}

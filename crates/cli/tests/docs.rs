//! Every example in the documentation as one test.
//!
//! - A block `rad` is a program whose expectations stand in its comments.
//! - A block `sh` with a block `text` right behind it is a command with what it prints. A line `…`
//!   stands for any lines, and `…` in a line for any characters; times and amounts of memory
//!   count as equal. Commands run in a folder from which `examples`, `docs` and `tests` can be
//!   reached, so that they may write files.
//! - A link to a file of the repository leads to one, every page is in the book, every command
//!   has a page, and `cargo run` runs raddle.
//!
//! `RADDLE_WRITE_DOCS=1 cargo test -p raddle --test docs` writes what is printed into the pages.

mod java_runs;

use java_runs::jdk;
use libtest_mimic::{Arguments, Failed, Trial};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    let mut pages = vec![root().join("README.md")];
    find_pages(&root().join("docs"), &mut pages);
    pages.sort();
    let mut examples = 0;
    let is_writing = std::env::var_os("RADDLE_WRITE_DOCS").is_some();
    for path in pages {
        let text = fs::read_to_string(&path).expect("the page can be read");
        let name = path.strip_prefix(root()).expect("it is inside");
        let name = name.display().to_string();
        let blocks = blocks(&text);
        if is_writing {
            write_anew(&path, &text, &blocks);
            continue;
        }
        for (block, next) in blocks
            .iter()
            .zip(blocks.iter().skip(1).map(Some).chain([None]))
        {
            let title = format!("{name}:{}", block.line);
            let body = text[block.body.clone()].to_owned();
            match block.kind.as_str() {
                "rad" => trials.push(Trial::test(title, move || {
                    raddle_testkit::corpus::run(&body).map_err(Failed::from)
                })),
                "sh" if is_answered(&text, block, next) => {
                    let next = next.expect("it is answered");
                    let wanted = text[next.body.clone()].to_owned();
                    examples += 1;
                    trials.push(Trial::test(title, move || {
                        let printed = run(&body);
                        match matches(&lines(&wanted), &lines(&printed)) {
                            true => Ok(()),
                            false => Err(Failed::from(format!(
                                "`{}` prints\n{printed}\ninstead of\n{wanted}",
                                body.trim()
                            ))),
                        }
                    }));
                }
                _ => {}
            }
        }
        let folder = path.parent().expect("a folder").to_owned();
        trials.push(Trial::test(format!("{name}: links"), move || {
            lead_somewhere(&text, &folder)
        }));
    }
    if !is_writing {
        assert!(examples > 20, "there are examples in the documentation");
        trials.push(Trial::test(
            "every page is in the book",
            every_page_is_listed,
        ));
        trials.push(Trial::test(
            "every command has a page",
            every_command_has_a_page,
        ));
        trials.push(Trial::test("cargo runs raddle", cargo_runs_raddle));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::canonicalize(root).expect("the repository")
}

fn find_pages(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            find_pages(&path, out);
        } else if path.extension().is_some_and(|it| it == "md") {
            out.push(path);
        }
    }
}

/// A block between fences.
struct Block {
    line: usize,
    /// The word behind the fence.
    kind: String,
    body: Range<usize>,
    /// With its fences.
    whole: Range<usize>,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<(usize, String, usize, usize)> = None;
    let mut offset = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let end = offset + line.len();
        if let Some(kind) = line.trim().strip_prefix("```") {
            open = match open {
                None => Some((number + 1, kind.trim().to_owned(), offset, end)),
                Some((line, kind, start, body)) => {
                    blocks.push(Block {
                        line,
                        kind,
                        body: body..offset,
                        whole: start..end,
                    });
                    None
                }
            };
        }
        offset = end;
    }
    blocks
}

/// Whether a block of commands to raddle has what they print right behind it.
fn is_answered(text: &str, block: &Block, next: Option<&Block>) -> bool {
    let commands = &text[block.body.clone()];
    let is_ours = commands.lines().all(|line| {
        line.is_empty()
            || line.starts_with("raddle ")
            || line.starts_with("cargo run --release -- ")
    });
    is_ours
        && next.is_some_and(|next| {
            let between = &text[block.whole.end..next.whole.start];
            next.kind == "text" && between.trim().is_empty()
        })
}

/// What commands print on standard output.
fn run(commands: &str) -> String {
    let folder = java_runs::scratch(&format!("docs-{:x}", hash(commands)));
    for name in ["examples", "docs", "tests"] {
        let link = folder.join(name);
        std::os::unix::fs::symlink(root().join(name), link).expect("a link");
    }
    let commands = commands.replace("cargo run --release -- ", "raddle ");
    let program = Path::new(env!("CARGO_BIN_EXE_raddle"));
    let mut path = program.parent().expect("a folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let done = Command::new("bash")
        .args(["-c", &commands])
        .current_dir(&folder)
        .env("PATH", path)
        .env("JAVA_HOME", jdk())
        .output()
        .expect("a shell runs");
    String::from_utf8_lossy(&done.stdout).into_owned()
}

/// A name for the folder of an example; each has its own.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The lines of a text, without what differs from run to run.
fn lines(text: &str) -> Vec<String> {
    let units = ["s", "ms", "B", "KiB", "MiB", "GiB"];
    let line = |line: &str| {
        let words: Vec<&str> = line.trim_end().split(' ').collect();
        let is_amount = |index: usize| {
            let unit = words
                .get(index + 1)
                .map(|it| it.trim_end_matches([',', '.', ';']));
            words[index].parse::<f64>().is_ok() && unit.is_some_and(|it| units.contains(&it))
        };
        let words = (0..words.len()).map(|index| match is_amount(index) {
            true => "_",
            false => words[index],
        });
        words.collect::<Vec<_>>().join(" ")
    };
    text.trim_end().lines().map(line).collect()
}

/// Whether lines are those that are wanted.
fn matches(wanted: &[String], printed: &[String]) -> bool {
    match (wanted.split_first(), printed.split_first()) {
        (None, None) => true,
        (Some((first, rest)), _) if first.trim() == "…" => {
            (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        (Some((first, rest)), Some((line, others))) => fits(first, line) && matches(rest, others),
        _ => false,
    }
}

/// Whether a line is the one that is wanted.
fn fits(wanted: &str, line: &str) -> bool {
    let mut parts = wanted.split('…');
    let Some(mut line) = line.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let mut last = None;
    for part in parts {
        match line.find(part) {
            Some(at) => line = &line[at + part.len()..],
            None => return false,
        }
        last = Some(part);
    }
    // What ends with an ellipsis may go on.
    line.is_empty() || last == Some("")
}

/// Writes what commands print now into a page, where it is something else.
fn write_anew(path: &Path, text: &str, blocks: &[Block]) {
    let mut written = text.to_owned();
    for pair in blocks.windows(2).rev() {
        let [block, next] = pair else { continue };
        if block.kind != "sh" || !is_answered(text, block, Some(next)) {
            continue;
        }
        let printed = run(&text[block.body.clone()]);
        if !matches(&lines(&text[next.body.clone()]), &lines(&printed)) {
            let printed = format!("{}\n", printed.trim_end());
            written.replace_range(next.body.clone(), &printed);
        }
    }
    if written != text {
        fs::write(path, written).expect("the page can be written");
    }
}

fn lead_somewhere(text: &str, folder: &Path) -> Result<(), Failed> {
    for link in text.split("](").skip(1) {
        let target = link.split([')', '#']).next().unwrap_or_default();
        let is_ours = !target.is_empty() && !target.contains("://") && !target.contains(' ');
        if is_ours && !folder.join(target).exists() {
            return Err(Failed::from(format!("there is no {target}")));
        }
    }
    Ok(())
}

fn every_command_has_a_page() -> Result<(), Failed> {
    let help = run("raddle --help");
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = commands
        .take_while(|line| !line.is_empty())
        .filter_map(|line| {
            let name = line.strip_prefix("  ")?.split(' ').next()?;
            (!name.is_empty() && name != "help").then_some(name)
        });
    let names: Vec<&str> = names.collect();
    assert!(names.contains(&"check"), "{help}");
    for name in names {
        let page = root().join(format!("docs/commands/{name}.md"));
        if !page.is_file() {
            return Err(Failed::from(format!("there is no docs/commands/{name}.md")));
        }
    }
    Ok(())
}

/// Commands that begin with `cargo run` are tried without cargo, so it has to know what to run.
fn cargo_runs_raddle() -> Result<(), Failed> {
    let done = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version=1"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let told: serde_json::Value = serde_json::from_slice(&done.stdout).expect("it tells JSON");
    let members = told["workspace_default_members"].as_array();
    let members = members.map_or(&[][..], Vec::as_slice);
    match members {
        [only] if only.as_str().is_some_and(|it| it.contains("crates/cli")) => Ok(()),
        _ => Err(Failed::from(format!(
            "`cargo run` has to choose from {members:?}"
        ))),
    }
}

fn every_page_is_listed() -> Result<(), Failed> {
    let docs = root().join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).expect("the table of contents");
    let mut pages = Vec::new();
    find_pages(&docs, &mut pages);
    for page in pages {
        let name = page
            .strip_prefix(&docs)
            .expect("it is inside")
            .display()
            .to_string();
        if name != "SUMMARY.md" && !summary.contains(&format!("({name})")) {
            return Err(Failed::from(format!("{name} is not in docs/SUMMARY.md")));
        }
    }
    Ok(())
}

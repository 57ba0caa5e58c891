//! Reading programs and traces, and writing traces without doing harm.

use crate::failure::Failure;
use raddle_cover::formats::certificate;
use raddle_jvm::load;
use raddle_report::{Source, html, saved};
use std::ffi::OsString;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

/// The name of a program that was read from standard input.
pub(crate) const STANDARD_INPUT: &str = "<stdin>";

/// The largest program that is read: more than anybody writes.
pub(crate) const LARGEST_PROGRAM: u64 = 16 << 20;
/// The largest net, trace or report that is read, and the most Java source together: some of
/// these are made by programs.
pub(crate) const LARGEST_OUTPUT: u64 = 256 << 20;

/// Reads a regular file of at most `limit` bytes.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Failure> {
    load::read_file(path, limit).map_err(|error| Failure::file(path, &error))
}

/// Reads a program; `-` is standard input.
pub(crate) fn read_program(path: &Path) -> Result<Source, Failure> {
    let (name, bytes) = if path.as_os_str() == "-" {
        let input = Path::new("standard input");
        let bytes = load::read_at_most(&mut std::io::stdin().lock(), 0, LARGEST_PROGRAM);
        let bytes = bytes.map_err(|error| Failure::file(input, &error))?;
        (STANDARD_INPUT.to_owned(), bytes)
    } else {
        let read = load::read_file(path, LARGEST_PROGRAM);
        let bytes = read.map_err(|error| match error.kind() {
            ErrorKind::InvalidInput => Failure::file(path, &error).because("`-` is standard input"),
            _ => Failure::file(path, &error),
        })?;
        (path.display().to_string(), bytes)
    };
    let text = into_text(&name, bytes)?;
    Ok(Source { name, text })
}

/// Reads what a user says of a program in a file beside it.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    into_text(&path.display().to_string(), read(path, LARGEST_PROGRAM)?)
}

/// Reads a net. Older ones are not in UTF-8.
pub(crate) fn read_net(path: &Path) -> Result<Source, Failure> {
    let bytes = read(path, LARGEST_OUTPUT)?;
    Ok(Source {
        name: path.display().to_string(),
        text: raddle_cover::formats::decode(&bytes),
    })
}

/// Reads a trace that was saved.
pub(crate) fn read_trace(path: &Path) -> Result<saved::SavedTrace, Failure> {
    let bytes = read(path, LARGEST_OUTPUT)?;
    let text = into_text(&path.display().to_string(), bytes)?;
    let wrong = |why: String| Failure::new(format!("{}: {why}", path.display()));
    let value = serde_json::from_str(&text).map_err(|error| wrong(format!("not JSON: {error}")))?;
    saved::trace_from_json(&value).map_err(wrong)
}

fn into_text(name: &str, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..good];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        Failure::new(format!(
            "{name}: line {line} is not UTF-8 text (byte {good})"
        ))
    })
}

/// Fails if a trace cannot be written to `path`, or if that would destroy something else: the
/// program, or a file that is not a trace. Called before the search, so that no work is lost.
pub(crate) fn guard(path: &Path, program: &Path) -> Result<(), Failure> {
    guard_as(path, program, "trace", |old| {
        serde_json::from_slice(old).is_ok_and(|value| saved::is_trace(&value))
    })
}

/// The same for a certificate.
pub(crate) fn guard_certificate(path: &Path, program: &Path) -> Result<(), Failure> {
    guard_as(path, program, "certificate", |old| {
        serde_json::from_slice(old).is_ok_and(|value| certificate::kind(&value).is_ok())
    })
}

/// Reads a certificate.
pub(crate) fn read_certificate(path: &Path) -> Result<serde_json::Value, Failure> {
    let bytes = read(path, LARGEST_OUTPUT)?;
    let value = serde_json::from_slice(&bytes)
        .map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
    certificate::kind(&value).map_err(|why| Failure::new(format!("{}: {why}", path.display())))?;
    Ok(value)
}

/// The same for results in the interchange format.
pub(crate) fn guard_results(path: &Path, program: &Path) -> Result<(), Failure> {
    guard_as(path, program, "SARIF log", |old| {
        let old: Result<serde_json::Value, _> = serde_json::from_slice(old);
        old.is_ok_and(|old| old["version"].is_string() && old["runs"].is_array())
    })
}

/// The same for results of tests.
pub(crate) fn guard_junit(path: &Path, program: &Path) -> Result<(), Failure> {
    guard_as(path, program, "JUnit XML", |old| {
        String::from_utf8_lossy(old).contains("<testsuites")
    })
}

/// The same for a picture.
pub(crate) fn guard_picture(path: &Path, program: &Path) -> Result<(), Failure> {
    guard_as(path, program, "picture", |old| old.starts_with(b"<svg"))
}

/// The same for a page.
pub(crate) fn guard_page(path: &Path, program: &Path) -> Result<(), Failure> {
    guard_as(path, program, "page of raddle", |old| {
        old.starts_with(html::BEGINNING.as_bytes())
    })
}

fn guard_as(
    path: &Path,
    program: &Path,
    what: &str,
    is_one: impl Fn(&[u8]) -> bool,
) -> Result<(), Failure> {
    let refuse = |why: &str| Err(Failure::new(format!("{}: {why}", path.display())));
    let same = match (fs::canonicalize(path), fs::canonicalize(program)) {
        (Ok(path), Ok(program)) => path == program,
        _ => path == program,
    };
    if same {
        return refuse(&format!(
            "this is the program itself; the {what} would overwrite it"
        ));
    }
    let folder = folder(path);
    if !folder.is_dir() {
        return refuse(&format!("there is no folder {}", folder.display()));
    }
    if path.is_dir() {
        return refuse("this is a folder");
    }
    if path.exists() && !path.is_file() {
        return Ok(());
    }
    let tried = temporary(&target(path));
    tried.map_err(|error| Failure::file(path, &error))?;
    if !path.is_file() {
        return Ok(());
    }
    let old = read(path, LARGEST_OUTPUT)?;
    match old.is_empty() || is_one(&old) {
        true => Ok(()),
        false => refuse(&format!(
            "this file exists and is not a {what}; it will not be overwritten"
        )),
    }
}

/// The path for the violation with this index: the first has the given one, the others
/// get their number before the extension.
pub(crate) fn numbered(path: &Path, index: usize) -> PathBuf {
    if index == 0 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!(".{}", index + 1));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// Writes a file such that others see either the old content or all of the new.
pub(crate) fn write(path: &Path, content: &str) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::file(path, &error);
    // A pipe or a device is written to; it must not be replaced by a file.
    if path.exists() && !path.is_file() {
        return write_on(path, content.as_bytes()).map_err(failed);
    }
    let target = target(path);
    let mut file = temporary(&target).map_err(failed)?;
    let written = file.write_all(content.as_bytes());
    written
        .and_then(|()| file.as_file().sync_all())
        .map_err(failed)?;
    let placed = file.persist(&target);
    placed.map_err(|error| failed(error.error)).map(drop)
}

/// How long a pipe or a device may take nothing before it is given up.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Writes to a pipe or a device, if anybody reads what is written.
fn write_on(path: &Path, mut content: &[u8]) -> std::io::Result<()> {
    let nobody = || std::io::Error::new(ErrorKind::TimedOut, "nobody reads what is written to it");
    let mut options = fs::OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, nix::libc::O_NONBLOCK);
    let mut file = match options.open(path) {
        #[cfg(unix)]
        Err(error) if error.raw_os_error() == Some(nix::libc::ENXIO) => return Err(nobody()),
        opened => opened?,
    };
    let mut since = Instant::now();
    while !content.is_empty() {
        match file.write(content) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => {
                content = &content[written..];
                since = Instant::now();
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() != ErrorKind::WouldBlock => return Err(error),
            Err(_) if since.elapsed() > LONGEST_PAUSE => return Err(nobody()),
            Err(_) => thread::sleep(Duration::from_millis(10)),
        }
    }
    Ok(())
}

/// Where there is a link the file that it points to is replaced, not the link.
fn target(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// A new file beside another one, which takes its place when it is complete. Nobody can have put
/// a link there before: the name is random, and what exists is not opened.
fn temporary(target: &Path) -> std::io::Result<NamedTempFile> {
    let mut prefix = OsString::from(".");
    prefix.push(target.file_name().unwrap_or_default());
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder(target))
}

/// Writes a file that was not there before. If there is one with the name, another name
/// is found; the answer is the one that was.
pub(crate) fn write_new(path: &Path, content: &str) -> Result<PathBuf, Failure> {
    for index in 0.. {
        let path = numbered(path, index);
        let created = fs::File::create_new(&path);
        match created.and_then(|mut file| file.write_all(content.as_bytes())) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Failure::file(&path, &error)),
        }
    }
    Err(Failure::new(format!("{}: no name is left", path.display())))
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_beside_its_place_under_a_name_that_nobody_knows() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("t.json");
        let names: Vec<_> = (0..2)
            .map(|_| temporary(&target).expect("a file"))
            .collect();
        assert_ne!(names[0].path(), names[1].path());
        for name in &names {
            assert_eq!(name.path().parent(), Some(folder.path()));
            let name = name.path().display().to_string();
            assert!(!name.contains(&std::process::id().to_string()), "{name}");
        }
        drop(names);
        write(&target, "text").expect("it can be written");
        assert_eq!(fs::read_to_string(&target).ok().as_deref(), Some("text"));
        assert_eq!(
            fs::read_dir(folder.path()).map(Iterator::count).ok(),
            Some(1)
        );
        // Others may read it, as any file that a program writes.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let plain = folder.path().join("plain");
            fs::write(&plain, "text").expect("it can be written");
            let mode = |path: &Path| fs::metadata(path).map(|it| it.permissions().mode()).ok();
            assert_eq!(mode(&target), mode(&plain));
        }
    }

    #[test]
    fn further_traces_are_numbered() {
        let path = Path::new("a/found.json");
        assert_eq!(numbered(path, 0), path);
        assert_eq!(numbered(path, 1), Path::new("a/found.2.json"));
        assert_eq!(numbered(Path::new("found"), 2), Path::new("found.3"));
    }
}

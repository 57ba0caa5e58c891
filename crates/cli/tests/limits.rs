//! Limits and signals are obeyed wherever raddle is, and what could not be written does not change
//! a verdict. Times are generous: what is meant to end at once took minutes before.

use crate::java_runs::{self, forms, jdk, scratch};
use raddle_testkit::jdk::compile_texts;
use serde_json::Value;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// What ends in two seconds on a machine that has nothing else to do.
const SOON: Duration = Duration::from_secs(20);

/// Threads that compute for ever and touch nothing that others could see, states that are large when
/// they are kept, and objects that are large: one, many, and texts.
const PROGRAMS: [(&str, &str); 7] = [
    (
        "Endless",
        "class Endless {
           static int f(int x) { int y = x; for (int i = 0; i < 50; i++) y = y * 31 + (y >>> 3) + i; return y; }
           public static void main(String[] a) { int x = 0, y = 0; while (x != 9) { x = (x + 1) % 5; y += f(x); } }
         }",
    ),
    (
        "Many",
        "class Many {
           public static void main(String[] a) {
             for (int i = 0; i < 300; i++)
               new Thread(() -> { int x = 0; while (x != 9) x = (x + 1) % 5; }).start();
           }
         }",
    ),
    (
        "Kept",
        "class Kept {
           static volatile int a, b, c, d, e;
           static void run(int me) {
             for (int i = 0; i < 20; i++) {
               switch (me) {
                 case 0: a = i; break;
                 case 1: b = i; break;
                 case 2: c = i; break;
                 case 3: d = i; break;
                 default: e = i;
               }
             }
           }
           public static void main(String[] args) throws Exception {
             Thread[] all = new Thread[5];
             for (int i = 0; i < 5; i++) { int me = i; all[i] = new Thread(() -> run(me)); }
             for (Thread t : all) t.start();
             for (Thread t : all) t.join();
           }
         }",
    ),
    (
        "Large",
        "class Large {
           public static void main(String[] a) { byte[] x = new byte[300 << 20]; x[5] = 3; }
         }",
    ),
    (
        "Larger",
        "class Larger {
           public static void main(String[] a) {
             byte[][] kept = new byte[50][];
             for (int i = 0; i < kept.length; i++) kept[i] = new byte[20 << 20];
           }
         }",
    ),
    (
        "Text",
        "class Text {
           public static void main(String[] a) {
             String text = \"abcdefgh\";
             while (text.length() < 400000000) text = text + text;
           }
         }",
    ),
    (
        "Copied",
        "class Copied {
           static final int[] large = new int[6000000];
           static volatile int v;
           static void write() { for (int i = 0; i < 10; i++) { large[i]++; v++; } }
           public static void main(String[] a) { new Thread(Copied::write).start(); write(); }
         }",
    ),
];

const GRID: &str = "granularity statement;\nint x; int y;\n\
    thread worker[4] { int i; while (i < 60) { i = i + 1; x = x + 1; y = y + i; } }\n";

const RACE: &str = "int x; thread t[2] { x = x + 1; assert(x != 2); }\n";

/// How a process ended.
struct End {
    code: Option<i32>,
    out: String,
    err: String,
    /// The most memory that it had, in bytes.
    memory: u64,
}

fn begin(mut command: Command) -> Child {
    let pipes = command.stdin(Stdio::null()).stdout(Stdio::piped());
    pipes.stderr(Stdio::piped()).spawn().expect("it runs")
}

/// Waits for the end, which has to come soon.
fn wait(mut child: Child, most: Duration) -> End {
    let begin = Instant::now();
    let mut memory = 0;
    while child.try_wait().expect("a status").is_none() {
        memory = most_memory(child.id()).unwrap_or(0).max(memory);
        if begin.elapsed() > most {
            let _ = child.kill();
            panic!("it did not end within {most:?}");
        }
        thread::sleep(Duration::from_millis(5));
    }
    let done = child.wait_with_output().expect("an output");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    End {
        code: done.status.code(),
        out: text(&done.stdout),
        err: text(&done.stderr),
        memory,
    }
}

/// Sends a signal.
fn send(signal: &str, to: &Child) {
    let id = to.id().to_string();
    let sent = Command::new("kill").args([signal, &id]).status();
    assert!(sent.expect("kill runs").success());
}

/// A pipe, of which whoever opens it waits for somebody at the other end.
fn make_pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.expect("mkfifo runs").success());
}

fn most_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"))?;
    let number = line.trim().strip_suffix("kB")?.trim();
    number.parse::<u64>().ok()?.checked_mul(1024)
}

fn raddle(folder: &Path, line: &[&str]) -> Command {
    let mut command = java_runs::raddle();
    command.current_dir(folder).arg("check").args(line);
    command
}

fn check(folder: &Path, line: &[&str]) -> End {
    wait(begin(raddle(folder, line)), SOON)
}

fn json(text: &str) -> Value {
    let value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    forms::valid(&value);
    value
}

/// The folder with the programs, which the first test that asks compiles.
fn java() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = scratch("limits-java");
        let sources = PROGRAMS.map(|(name, text)| (name.to_owned(), text.to_owned()));
        compile_texts(&folder, sources);
        folder
    })
}

#[test]
fn the_time_is_over_in_the_middle_of_a_step() {
    let folder = java();
    let jdk = jdk().display().to_string();
    for program in ["Endless.class", "Many.class"] {
        for more in [
            &[][..],
            &["--reduction", "none", "--search", "breadth"],
            &["--reduction", "dpor", "--no-partial-deadlock"],
            &["--paranoid"],
        ] {
            let line = [&[program, "--time", "1s", "--jdk", &jdk], more].concat();
            let end = check(folder, &line);
            assert_eq!(end.code, Some(2), "{line:?} {}{}", end.out, end.err);
            assert!(
                end.out.starts_with("unknown: time limit of 1 s"),
                "{}",
                end.out
            );
            assert!(!end.err.contains("BUG"), "{}", end.err);
        }
    }
}

#[test]
fn signals_are_obeyed_in_the_middle_of_a_step() {
    let folder = java();
    for signal in ["-INT", "-TERM"] {
        let child = begin(raddle(
            folder,
            &["Endless.class", "--jdk", &jdk().display().to_string()],
        ));
        // Whatever it is doing then.
        thread::sleep(Duration::from_secs(2));
        send(signal, &child);
        let end = wait(child, SOON);
        assert_eq!(end.code, Some(2), "{}{}", end.out, end.err);
        assert!(end.out.starts_with("unknown: interrupted\n"), "{}", end.out);
    }
}

#[test]
fn the_time_is_over_while_sets_of_threads_are_tried() {
    let folder = scratch("limits-threads");
    fs::write(folder.join("many.rad"), "int x; thread t[1000] { x = 1; }").expect("a file");
    for reduction in ["persistent", "stateless", "composed"] {
        let end = check(
            &folder,
            &[
                "many.rad",
                "--time",
                "1s",
                "--reduction",
                reduction,
                "--no-deadlock",
                "--no-partial-deadlock",
            ],
        );
        assert_eq!(end.code, Some(2), "{reduction}: {}{}", end.out, end.err);
        assert!(
            end.out.starts_with("unknown: time limit of 1 s"),
            "{}",
            end.out
        );
    }
}

const ONE: &str = "class One { public static void main(String[] a) {} }";

/// A JDK that nobody writes about stands for all that does not look at the flag.
#[test]
fn the_process_ends_with_a_verdict_though_nobody_reacts() {
    let folder = scratch("limits-watchdog");
    fs::write(folder.join("One.java"), ONE).expect("a file");
    fs::create_dir(folder.join("jdk")).expect("a folder");
    make_pipe(&folder.join("jdk/release"));
    let line = ["One.java", "--jdk", "jdk", "--time", "500ms"];
    let end = check(&folder, &line);
    assert_eq!(end.code, Some(2), "{}{}", end.out, end.err);
    assert!(
        end.out.starts_with("unknown: time limit of 0.50 s"),
        "{}",
        end.out
    );
    assert!(end.out.contains("the search did not react"), "{}", end.out);
    let end = check(&folder, &[&line[..], &["--json"]].concat());
    assert_eq!(end.code, Some(2), "{}{}", end.out, end.err);
    assert_eq!(json(&end.out)["verdict"], "unknown");
}

/// A folder with a program and a JDK whose compiler starts another process, writes down who both of
/// them are, and never ends.
fn with_endless_compiler(name: &str) -> PathBuf {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = scratch(name);
    fs::write(folder.join("One.java"), ONE).expect("a file");
    for part in ["jdk/bin", "scratch"] {
        fs::create_dir_all(folder.join(part)).expect("a folder");
    }
    for part in ["lib", "release"] {
        symlink(jdk().join(part), folder.join("jdk").join(part)).expect("a link");
    }
    let javac = folder.join("jdk/bin/javac");
    let script = "#!/bin/sh\nsleep 90 &\necho $$ $! > running.new\nmv running.new running\nwait\n";
    fs::write(&javac, script).expect("a file");
    fs::set_permissions(&javac, fs::Permissions::from_mode(0o755)).expect("it can be run");
    folder
}

/// What the endless compiler has started, when it runs.
fn compiler_of(folder: &Path) -> Vec<String> {
    let begin = Instant::now();
    let told = loop {
        if let Ok(told) = fs::read_to_string(folder.join("running")) {
            break told;
        }
        assert!(begin.elapsed() < SOON, "no compiler runs");
        thread::sleep(Duration::from_millis(5));
    };
    fs::remove_file(folder.join("running")).expect("it was there");
    let processes: Vec<String> = told.split_whitespace().map(str::to_owned).collect();
    assert_eq!(processes.len(), 2, "{told}");
    processes
}

/// Fails if something is left of a compiler: processes or folders.
fn assert_nothing_is_left(folder: &Path, processes: &[String]) {
    let begin = Instant::now();
    for process in processes {
        // Of one that has ended and that nobody asked how, the name is left.
        let line = || fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
        // What was killed ends when it has its next turn.
        while !line().is_empty() {
            assert!(begin.elapsed() < SOON, "{process} runs");
            thread::sleep(Duration::from_millis(5));
        }
    }
    let left = fs::read_dir(folder.join("scratch")).expect("a folder");
    assert_eq!(left.count(), 0);
}

#[test]
fn a_compiler_that_does_not_end_is_ended_when_the_time_is_over() {
    let folder = with_endless_compiler("limits-compiler-time");
    for more in [&[][..], &["--json"], &["--class", "One"]] {
        let line = [&["One.java", "--jdk", "jdk", "--time", "500ms"], more].concat();
        let mut command = raddle(&folder, &line);
        command.env("TMPDIR", folder.join("scratch"));
        let end = wait(begin(command), SOON);
        assert_eq!(end.code, Some(2), "{line:?} {}{}", end.out, end.err);
        let expected = "time limit of 0.50 s reached";
        assert!(end.out.contains(expected), "{line:?} {}", end.out);
        assert!(!end.out.contains("did not react"), "{line:?} {}", end.out);
        assert_nothing_is_left(&folder, &compiler_of(&folder));
    }
}

#[test]
fn a_compiler_that_does_not_end_is_ended_by_signals() {
    let folder = with_endless_compiler("limits-compiler-signals");
    for signal in ["-INT", "-TERM"] {
        for (line, code, told) in [
            (&["check"][..], 2, "unknown: interrupted\n"),
            (&["check", "--class", "One"], 2, "unknown: interrupted\n"),
            (&["run"], 130, ""),
        ] {
            let mut command = java_runs::raddle();
            command.current_dir(&folder).args(line);
            command.args(["One.java", "--jdk", "jdk"]);
            command.env("TMPDIR", folder.join("scratch"));
            let child = begin(command);
            let compiler = compiler_of(&folder);
            send(signal, &child);
            let end = wait(child, SOON);
            assert_eq!(end.code, Some(code), "{line:?} {}{}", end.out, end.err);
            assert!(end.out.starts_with(told), "{line:?} {}", end.out);
            assert_nothing_is_left(&folder, &compiler);
        }
    }
}

#[test]
fn memory_is_that_of_the_process() {
    let folder = java();
    let end = check(
        folder,
        &[
            "Kept.class",
            "--reduction",
            "none",
            "--search",
            "breadth",
            "--jobs",
            "1",
            "--memory",
            "100M",
            "--jdk",
            &jdk().display().to_string(),
        ],
    );
    assert_eq!(end.code, Some(2), "{}{}", end.out, end.err);
    assert!(
        end.out.starts_with("unknown: memory limit of 100.0 MiB"),
        "{}",
        end.out
    );
    assert!(end.memory < 130 << 20, "{} bytes", end.memory);
}

#[test]
fn a_limit_below_what_raddle_itself_takes_is_said_to_be_one() {
    let folder = scratch("limits-tiny");
    fs::write(folder.join("small.rad"), "int x; thread t { x = 1; }").expect("a file");
    let end = check(&folder, &["small.rad", "--memory", "100K"]);
    assert_eq!(end.code, Some(2), "{}{}", end.out, end.err);
    assert!(end.out.starts_with("unknown: memory limit"), "{}", end.out);
    assert!(end.out.contains("before the first step"), "{}", end.out);
}

/// Checks in a shell that gives the process so many kilobytes of addresses.
fn check_with_addresses(kilobytes: u32, folder: &Path, line: &str) -> End {
    let mut command = Command::new("bash");
    let raddle = env!("CARGO_BIN_EXE_raddle");
    let line = format!("ulimit -v {kilobytes}; exec {raddle} check {line}");
    command.current_dir(folder).args(["-c", &line]);
    wait(begin(command), 15 * SOON)
}

#[test]
fn an_object_that_is_too_large_for_the_process_is_no_abort() {
    let folder = java();
    for program in ["Large", "Larger", "Text"] {
        let line = format!("{program}.class --jdk {}", jdk().display());
        let end = check_with_addresses(400_000, folder, &line);
        assert_eq!(end.code, Some(2), "{line}: {}{}", end.out, end.err);
        let told = "no memory left for";
        assert!(end.out.contains(told), "{line}: {}", end.out);
    }
}

#[test]
fn states_that_are_too_large_for_the_process_are_no_abort() {
    let line = format!("Copied.class --jdk {}", jdk().display());
    let end = check_with_addresses(400_000, java(), &line);
    assert_eq!(end.code, Some(2), "{}{}", end.out, end.err);
    let reasons = ["there is no memory left", "memory limit"];
    let is_told = reasons.iter().any(|it| end.out.contains(it));
    assert!(end.out.starts_with("unknown: ") && is_told, "{}", end.out);
}

#[test]
fn an_address_limit_of_the_shell_is_no_abort() {
    let folder = scratch("limits-addresses");
    fs::write(folder.join("grid.rad"), GRID).expect("a file");
    for more in [
        "--store exact",
        "--store exact --search breadth",
        "--preemptions 9",
    ] {
        let line = format!("grid.rad --jobs 1 {more}");
        let end = check_with_addresses(130_000, &folder, &line);
        assert_eq!(end.code, Some(2), "{line}: {}{}", end.out, end.err);
        assert!(end.out.starts_with("unknown: memory limit"), "{}", end.out);
    }
}

#[test]
fn a_limit_or_a_signal_while_files_are_written_does_not_change_the_verdict() {
    let folder = scratch("limits-slow-writing");
    fs::write(folder.join("race.rad"), RACE).expect("a file");
    let pipe = folder.join("pipe");
    make_pipe(&pipe);
    // There is somebody who could read, and does not.
    let mut reader = fs::OpenOptions::new();
    let reader = reader.read(true).write(true).open(&pipe);
    let mut reader = reader.expect("a pipe");
    reader
        .write_all(&[b' '; 1 << 16])
        .expect("it has so much room");
    for flag in ["--html", "--trace"] {
        let late = check(&folder, &["race.rad", flag, "pipe", "--time", "1s"]);
        // The verdict comes before the files.
        let mut child = begin(raddle(&folder, &["race.rad", flag, "pipe"]));
        let mut verdict = [0; 8];
        let out = child.stdout.as_mut().expect("a pipe");
        out.read_exact(&mut verdict).expect("a verdict");
        assert_eq!(&verdict, b"violated");
        send("-TERM", &child);
        let interrupted = wait(child, SOON);
        assert!(late.out.starts_with("violated: assertion"), "{}", late.out);
        for end in [late, interrupted] {
            assert_eq!(end.code, Some(1), "{flag}: {}{}", end.out, end.err);
            let told = "there was no time to write all files";
            assert!(end.err.contains(told), "{flag}: {}", end.err);
        }
    }
}

#[test]
fn nobody_is_waited_for_who_could_read_a_pipe() {
    let folder = scratch("limits-pipes");
    fs::write(folder.join("race.rad"), RACE).expect("a file");
    make_pipe(&folder.join("pipe"));
    for flag in ["--html", "--trace", "--sarif", "--junit"] {
        let end = check(&folder, &["race.rad", flag, "pipe"]);
        assert_eq!(end.code, Some(1), "{flag}: {}{}", end.out, end.err);
        assert!(end.err.contains("nobody reads"), "{flag}: {}", end.err);
    }
    // Whoever reads gets all of it.
    let mut cat = Command::new("cat");
    let reader = begin({
        cat.arg("pipe").current_dir(&folder);
        cat
    });
    let end = check(&folder, &["race.rad", "--html", "pipe"]);
    assert_eq!(end.code, Some(1), "{}{}", end.out, end.err);
    let page = wait_for_output(reader);
    assert!(page.trim_end().ends_with("</html>"), "{}", page.len());
}

/// All that a process prints.
fn wait_for_output(child: Child) -> String {
    let done = child.wait_with_output().expect("an output");
    String::from_utf8_lossy(&done.stdout).into_owned()
}

#[test]
fn a_compiler_without_room_is_not_taken_for_a_program_with_mistakes() {
    let folder = scratch("limits-compiler");
    let source = "class Small { public static void main(String[] arguments) {} }";
    fs::write(folder.join("Small.java"), source).expect("a file");
    let line = format!("Small.java --jdk {}", jdk().display());
    let end = check_with_addresses(400_000, &folder, &line);
    assert_eq!(end.code, Some(2), "{}{}", end.out, end.err);
    let told = format!("{}{}", end.out, end.err);
    assert!(told.contains("javac could not do its work"), "{told}");
    assert!(!told.contains("does not compile"), "{told}");
}

#[test]
fn what_cannot_be_written_does_not_change_the_verdict() {
    let folder = scratch("limits-writing");
    fs::write(folder.join("race.rad"), RACE).expect("a file");
    for flag in ["--html", "--trace", "--sarif", "--junit"] {
        let end = check(&folder, &["race.rad", flag, "/dev/full"]);
        assert_eq!(end.code, Some(1), "{flag}: {}{}", end.out, end.err);
        assert!(end.out.starts_with("violated: assertion"), "{}", end.out);
        assert!(end.err.contains("/dev/full: No space left"), "{}", end.err);
    }
    for more in [&[][..], &["--json"]] {
        let full = fs::File::create("/dev/full").expect("a device");
        let mut command = raddle(&folder, &[&["race.rad"], more].concat());
        let done = command.stdout(full).output().expect("it runs");
        assert_eq!(done.status.code(), Some(1));
        let told = String::from_utf8_lossy(&done.stderr);
        assert!(told.contains("standard output: No space left"), "{told}");
    }
    // Nobody reads what is printed.
    let mut child = begin(raddle(&folder, &["race.rad", "--json"]));
    drop(child.stdout.take());
    assert_eq!(wait(child, SOON).code, Some(1));
}

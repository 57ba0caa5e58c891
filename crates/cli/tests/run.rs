//! `raddle run`: its flags.

use crate::java_runs;

use java_runs::forms::told;
use java_runs::{jdk, scratch};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A program with this `main`, in a folder of its own.
fn program(name: &str, body: &str) -> PathBuf {
    java_runs::written("run", name, &["java.io", "java.nio.file"], body)
}

/// Runs a program where it is.
fn run(file: &Path, home: &Path, flags: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_raddle"))
        .current_dir(file.parent().expect("a folder"))
        .arg("run")
        .arg(file)
        .arg("--jdk")
        .arg(home)
        .args(flags)
        .output()
        .expect("raddle runs")
}

#[test]
fn json_tells_how_a_program_ended() {
    let file = program(
        "Ends",
        "System.out.println(\"out\");\nSystem.err.println(\"err\");\n\
         if (arguments.length == 0) System.exit(7);\n\
         if (arguments[0].equals(\"wait\")) synchronized (arguments) { arguments.wait(); }\n\
         throw new IllegalStateException(arguments[0]);",
    );
    let done = run(&file, jdk(), &["--json"]);
    assert_eq!(done.status.code(), Some(7));
    let json = told(&done);
    assert_eq!(
        (&json["end"], &json["exit_code"]),
        (&"exit".into(), &7.into())
    );
    assert_eq!(
        (&json["output"], &json["errors"]),
        (&"out\n".into(), &"err\n".into())
    );
    assert_eq!(json["uncaught"].as_array().map(Vec::len), Some(0));
    let done = run(&file, jdk(), &["--json", "--", "oops"]);
    assert_eq!(done.status.code(), Some(1));
    let thrown = &told(&done)["uncaught"][0];
    assert_eq!(thrown["thread"], "main");
    assert_eq!(thrown["class"], "java.lang.IllegalStateException");
    assert_eq!(thrown["message"], "oops");
    let done = run(&file, jdk(), &["--json", "--", "wait"]);
    assert_eq!(done.status.code(), Some(1));
    let json = told(&done);
    assert_eq!(json["end"], "deadlock");
    assert_eq!(json["waiting"][0]["name"], "main");
}

#[test]
fn json_tells_what_is_not_supported() {
    let file = program("Asks", "new java.net.DatagramSocket().close();");
    let done = run(&file, jdk(), &["--json"]);
    let json = told(&done);
    assert_eq!(done.status.code(), Some(2), "{json:#}");
    assert_eq!(json["end"], "unknown");
    assert!(json["unsupported"]["what"].is_string(), "{json:#}");
    let file = file.with_file_name("Nowhere.java");
    let done = run(&file, jdk(), &["--json"]);
    assert_eq!(done.status.code(), Some(3));
    assert_eq!(told(&done)["verdict"], "bad-input");
}

#[test]
fn assertions_are_checked_when_asked_for() {
    let file = program("Asserts", "assert arguments.length > 0 : \"none\";");
    assert_eq!(run(&file, jdk(), &[]).status.code(), Some(0));
    for flag in ["-ea", "--enable-assertions"] {
        let done = run(&file, jdk(), &[flag]);
        assert_eq!(done.status.code(), Some(1), "{flag}");
        let errors = String::from_utf8_lossy(&done.stderr);
        assert!(errors.contains("AssertionError: none"), "{errors}");
        assert_eq!(
            run(&file, jdk(), &[flag, "--", "-ea"]).status.code(),
            Some(0)
        );
    }
}

#[test]
fn files_of_the_host_are_read_only_when_allowed() {
    let file = program(
        "Reads",
        "Path path = Path.of(arguments[0]);\n\
         if (!Files.exists(path)) { System.out.println(\"nothing\"); return; }\n\
         System.out.println(Files.readString(path).trim());\n\
         try (BufferedReader in = new BufferedReader(new FileReader(arguments[0]))) {\n\
             System.out.println(in.readLine());\n\
         }\n\
         String[] names = new File(arguments[0]).getAbsoluteFile().getParentFile().list();\n\
         java.util.Arrays.sort(names);\n\
         System.out.println(String.join(\" \", names));\n\
         try { Files.writeString(path, \"new\"); System.out.println(\"written\"); }\n\
         catch (IOException e) { System.out.println(\"not written\"); }",
    );
    let here = file.parent().expect("a folder");
    let data = here.join("data");
    std::fs::create_dir_all(&data).expect("a folder");
    std::fs::write(data.join("words.txt"), "hello\n").expect("a file");
    std::fs::write(data.join("more.txt"), "").expect("a file");
    std::fs::write(here.join("secret.txt"), "secret\n").expect("a file");
    #[cfg(unix)]
    std::os::unix::fs::symlink("../secret.txt", data.join("way-out.txt")).expect("a link");
    let output = |flags: &[&str]| {
        let done = run(&file, jdk(), flags);
        assert_eq!(done.status.code(), Some(0), "{done:?}");
        String::from_utf8_lossy(&done.stdout).into_owned()
    };
    let words = "hello\nhello\nmore.txt way-out.txt words.txt\nnot written\n";
    assert_eq!(output(&["--", "data/words.txt"]), "nothing\n");
    assert_eq!(
        output(&["--allow-files", "data", "--", "data/words.txt"]),
        words
    );
    let full = data.join("words.txt").canonicalize().expect("it is there");
    let full = full.to_str().expect("a name");
    assert_eq!(output(&["--allow-files", "data", "--", full]), words);
    // Neither beside it, nor by a way through it.
    for path in ["secret.txt", "data/../secret.txt", "data/way-out.txt"] {
        assert_eq!(
            output(&["--allow-files", "data", "--", path]),
            "nothing\n",
            "{path}"
        );
    }
    let kept = std::fs::read_to_string(data.join("words.txt"));
    assert_eq!(kept.ok().as_deref(), Some("hello\n"));
}

#[test]
fn a_jdk_without_an_image_has_modules() {
    let home = jdk();
    if !home.join("jmods/java.base.jmod").is_file() {
        // Not every JDK is shipped with them.
        return;
    }
    let other = scratch("run-jdk");
    for entry in std::fs::read_dir(home).expect("a folder").flatten() {
        if entry.file_name() != "lib" {
            #[cfg(unix)]
            std::os::unix::fs::symlink(entry.path(), other.join(entry.file_name()))
                .expect("a link");
        }
    }
    let file = program("Hello", "System.out.println(java.util.List.of(1, 2, 3));");
    let classes = scratch("run-jdk-classes");
    raddle_testkit::jdk::run(
        raddle_testkit::jdk::javac()
            .arg("-d")
            .arg(&classes)
            .arg(&file),
    );
    let done = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .arg("run")
        .arg(&classes)
        .arg("--jdk")
        .arg(&other)
        .output()
        .expect("raddle runs");
    assert_eq!(
        String::from_utf8_lossy(&done.stdout),
        "[1, 2, 3]\n",
        "{done:?}"
    );
}

#[test]
fn text_is_written_to_a_file_by_its_characters() {
    let file = program(
        "Writes",
        "try (RandomAccessFile to = new RandomAccessFile(\"/tmp/to\", \"rw\")) {\n\
             to.writeBytes(\"hello\");\n\
             to.seek(0);\n\
             System.out.println(to.readLine() + to.length());\n\
         }",
    );
    let done = run(&file, jdk(), &[]);
    assert_eq!(
        String::from_utf8_lossy(&done.stdout),
        "hello5\n",
        "{done:?}"
    );
}

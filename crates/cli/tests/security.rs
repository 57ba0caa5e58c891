//! What hostile programs, class paths, files and traces cannot do: docs/security.md has a line for
//! each of these tests.

use crate::common;
use crate::java_runs;

use common::{folder, parts, raddle, run, write};
use java_runs::jdk;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Leaves a file where it runs: as an annotation processor, and as a plugin of the compiler.
const INTRUDER: &str = r#"
import com.sun.source.util.*;
import java.util.*;
import javax.annotation.processing.*;
import javax.lang.model.element.*;

@SupportedAnnotationTypes("*")
public class Intruder extends AbstractProcessor implements Plugin {
    public Intruder() throws Exception { new java.io.File("ran").createNewFile(); }
    public boolean process(Set<? extends TypeElement> types, RoundEnvironment round) { return false; }
    public String getName() { return "intruder"; }
    public boolean autoStart() { return true; }
    public void init(JavacTask task, String... arguments) { }
}
"#;

const EMPTY: &str = "public class Main { public static void main(String[] arguments) { } }";

fn java(folder: &Path, line: &[&str]) -> (i32, String, String) {
    let home = jdk().display().to_string();
    run(folder, &[line, &["--jdk", &home]].concat())
}

fn javac(folder: &Path, line: &[&str]) {
    raddle_testkit::jdk::run(raddle_testkit::jdk::javac().args(line).current_dir(folder));
}

/// Compiles programs that are named by their classes, each of which can begin.
fn compiled(folder: &Path, class_path: &str, programs: &[(&str, &str)]) {
    let names: Vec<String> = programs.iter().map(|it| format!("{}.java", it.0)).collect();
    for ((name, body), file) in programs.iter().zip(&names) {
        let text = format!(
            "public class {name} {{\n    public static void main(String[] arguments) throws \
             Exception {{\n{body}\n    }}\n}}\n"
        );
        write(folder, file, text);
    }
    let mut line = vec!["-g", "-proc:none", "-cp", class_path, "-d", "classes"];
    line.extend(names.iter().map(String::as_str));
    javac(folder, &line);
}

/// Puts the intruder into a folder, as something that a compiler would run.
fn intrude(folder: &Path) {
    write(folder, "Intruder.java", INTRUDER);
    javac(folder, &["-proc:none", "Intruder.java"]);
    fs::remove_file(folder.join("Intruder.java")).expect("it is there");
    let services = folder.join("META-INF/services");
    fs::create_dir_all(&services).expect("a folder");
    for service in [
        "javax.annotation.processing.Processor",
        "com.sun.source.util.Plugin",
    ] {
        write(&services, service, "Intruder\n");
    }
}

#[test]
fn nothing_of_the_current_folder_runs() {
    let folder = folder("security-current");
    intrude(&folder);
    write(&folder, "Main.java", EMPTY);
    // A compiler that nobody restrains runs it.
    javac(&folder, &["-d", "classes", "Main.java"]);
    fs::remove_file(folder.join("ran")).expect("the attack works");
    for line in [
        &["check", "Main.java"][..],
        &["check", "."],
        &["run", "Main.java"],
        &["check", "Main.java", "-cp", "."],
        &["api", "said"],
    ] {
        let (code, _, told) = java(&folder, line);
        assert_eq!(code, 0, "{line:?}: {told}");
        assert!(!folder.join("ran").exists(), "{line:?}");
    }
    // Classes are not looked for there, either.
    write(
        &folder,
        "Uses.java",
        "class Uses { public static void main(String[] a) { new Intruder(); } }",
    );
    let (code, _, told) = java(&folder, &["check", "Uses.java"]);
    assert_eq!(code, 3, "{told}");
    assert!(told.contains("cannot find symbol"), "{told}");
    assert!(!folder.join("ran").exists());
}

#[test]
fn nothing_of_the_class_path_or_the_environment_runs() {
    let folder = folder("security-class-path");
    let (evil, work) = (folder.join("evil"), folder.join("work"));
    fs::create_dir_all(&evil).expect("a folder");
    fs::create_dir_all(&work).expect("a folder");
    intrude(&evil);
    write(&work, "Main.java", EMPTY);
    javac(&work, &["-cp", "../evil", "-d", "classes", "Main.java"]);
    fs::remove_file(work.join("ran")).expect("the attack works");
    // Without processors the compiler still runs plugins.
    javac(
        &work,
        &["-proc:none", "-cp", "../evil", "-d", "classes", "Main.java"],
    );
    fs::remove_file(work.join("ran")).expect("this attack works, too");
    let (code, _, told) = java(&work, &["check", "Main.java", "-cp", "../evil"]);
    assert_eq!(code, 0, "{told}");
    assert!(!work.join("ran").exists());
    let home = jdk().display().to_string();
    for (name, value) in [
        ("CLASSPATH", "../evil"),
        ("JDK_JAVAC_OPTIONS", "-processorpath ../evil"),
        ("JAVA_TOOL_OPTIONS", "-XshowSettings:all -version"),
        ("_JAVA_OPTIONS", "-Xbogus"),
        ("JDK_JAVA_OPTIONS", "-Xbogus"),
    ] {
        let mut command = raddle(&work, &["check", "Main.java", "--jdk", &home]);
        let (code, _, told) = parts(&command.env(name, value).output().expect("raddle runs"));
        assert_eq!(code, 0, "{name}: {told}");
        assert_eq!(told, "", "{name}");
        assert!(!work.join("ran").exists(), "{name}");
    }
}

#[test]
fn a_trace_does_not_choose_the_compiler() {
    let folder = folder("security-trace");
    let text = EMPTY.replace("{ } }", "{ assert false; } }");
    write(&folder, "Main.java", text);
    let (code, _, told) = java(&folder, &["check", "Main.java", "--trace", "t.json"]);
    assert_eq!(code, 1, "{told}");
    let (code, _, told) = java(&folder, &["replay", "t.json"]);
    assert_eq!(code, 1, "{told}");
    // A JDK like the other one, but for its compiler.
    let evil = folder.join("evil");
    fs::create_dir_all(evil.join("bin")).expect("a folder");
    for part in ["lib", "release", "conf"] {
        std::os::unix::fs::symlink(jdk().join(part), evil.join(part)).expect("a link");
    }
    let script = format!("#!/bin/sh\n: > {}/ran\nexit 1\n", folder.display());
    write(&evil.join("bin"), "javac", script);
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(evil.join("bin/javac"), executable).expect("it is ours");
    let trace = fs::read_to_string(folder.join("t.json")).expect("a trace");
    let mut trace: serde_json::Value = serde_json::from_str(&trace).expect("JSON");
    trace["java"]["jdk"] = evil.display().to_string().into();
    write(&folder, "t.json", trace.to_string());
    let (code, _, told) = java(&folder, &["replay", "t.json"]);
    assert_eq!(code, 1, "{told}");
    assert!(!folder.join("ran").exists());
}

#[test]
fn names_are_no_options_of_the_compiler() {
    let folder = folder("security-names");
    write(
        &folder,
        "@Main.java",
        EMPTY.replace("public class", "class"),
    );
    write(&folder, "-J-Xbogus.java", "class Other { }");
    write(&folder, "--help.java", "class Third { }");
    fs::create_dir_all(folder.join("@lib")).expect("a folder");
    for line in [
        &["check", "@Main.java"][..],
        &["check", "@Main.java", "-cp", "@lib"],
        &["check", ".", "--main", "Main"],
    ] {
        let (code, _, told) = java(&folder, line);
        assert_eq!((code, told.as_str()), (0, ""), "{line:?}");
    }
}

#[test]
fn scratch_folders_are_removed() {
    let folder = folder("security-scratch");
    let scratch = folder.join("scratch");
    fs::create_dir_all(&scratch).expect("a folder");
    write(&folder, "Main.java", EMPTY);
    write(&folder, "Wrong.java", "class Wrong {");
    let home = jdk().display().to_string();
    for (file, expected) in [("Main.java", 0), ("Wrong.java", 3)] {
        let mut command = raddle(&folder, &["check", file, "--jdk", &home]);
        let output = command.env("TMPDIR", &scratch).output();
        assert_eq!(parts(&output.expect("raddle runs")).0, expected);
        let left = fs::read_dir(&scratch).expect("a folder").count();
        assert_eq!(left, 0, "{file}");
    }
}

/// Runs raddle, and fails if it does not end: generously, since it is to end at once.
fn ends(folder: &Path, line: &[&str]) -> (i32, String) {
    let mut command = raddle(folder, line);
    let command = command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("raddle runs");
    let begun = Instant::now();
    while child.try_wait().expect("it can be asked").is_none() {
        if begun.elapsed() > Duration::from_secs(120) {
            let _ = child.kill();
            panic!("{line:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().expect("it has ended");
    let (code, _, told) = parts(&output);
    (code, told)
}

#[test]
fn special_files_are_refused() {
    let folder = folder("security-special");
    let home = jdk().display().to_string();
    let fifo = |name: &str| {
        let made = Command::new("mkfifo").arg(folder.join(name)).status();
        assert!(made.is_ok_and(|it| it.success()), "{name}");
    };
    for sub in ["java", "classes"] {
        fs::create_dir_all(folder.join(sub)).expect("a folder");
    }
    for name in [
        "a.rad", "a.cbp", "a.spec", "a.tts", "a.pnml", "a.java", "a.class", "a.jar",
    ] {
        fifo(name);
        let (code, told) = ends(&folder, &["check", name, "--jdk", &home]);
        assert_eq!(code, 3, "{name}: {told}");
        assert!(told.contains("not a regular file"), "{name}: {told}");
        assert!(told.contains(name), "{name}: {told}");
    }
    fifo("java/a.java");
    fifo("classes/a.class");
    fifo("t.json");
    fifo("profile");
    write(&folder, "Main.java", EMPTY);
    std::os::unix::fs::symlink("/dev/zero", folder.join("zero.rad")).expect("a link");
    for line in [
        &["check", "java"][..],
        &["run", "java"],
        &["check", "classes"],
        &["check", "Main.java", "-cp", "a.jar"],
        &["check", "Main.java", "--profile", "profile"],
        &["check", "zero.rad"],
        &["check", "/dev/zero"],
        &["compare", "a.rad"],
        &["show", "a.rad"],
        &["translate", "a.cbp", "--to", "dot"],
        &["explore", "a.rad", "--no-open"],
        &["replay", "t.json"],
    ] {
        let is_java = line.iter().any(|it| it.contains("ava") || *it == "classes");
        let jdk: &[&str] = if is_java { &["--jdk", &home] } else { &[] };
        let (code, told) = ends(&folder, &[line, jdk].concat());
        assert_eq!(code, 3, "{line:?}: {told}");
        assert!(told.contains("not a regular file"), "{line:?}: {told}");
    }
    // Standard input is a pipe, and meant to be read.
    let mut command = raddle(&folder, &["check", "-", "-q"]);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().expect("raddle runs");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(common::GOOD.as_bytes()).expect("it reads");
    drop(input);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn files_that_are_too_large_are_refused() {
    let folder = folder("security-large");
    let home = jdk().display().to_string();
    for (name, mebibytes) in [
        ("a.rad", 16),
        ("a.cbp", 16),
        ("A.java", 16),
        ("a.class", 64),
        ("a.spec", 256),
        ("a.pnml", 256),
        ("a.json", 256),
    ] {
        // It takes no room: nothing was ever written to it.
        let file = fs::File::create(folder.join(name)).expect("a file");
        file.set_len((mebibytes << 20) + 1).expect("a length");
        let line = match name {
            "a.json" => vec!["replay", name],
            _ => vec!["check", name, "--jdk", &home],
        };
        let (code, told) = ends(&folder, &line);
        assert_eq!(code, 3, "{name}: {told}");
        let expected = format!("{name}: larger than {mebibytes} MiB");
        assert!(told.contains(&expected), "{name}: {told}");
        fs::remove_file(folder.join(name)).expect("it is there");
    }
}

#[test]
fn an_archive_that_unpacks_to_too_much_is_refused() {
    let folder = folder("security-bomb");
    let content = folder.join("content");
    fs::create_dir_all(&content).expect("a folder");
    for name in ["Bomb.class", "bomb.txt"] {
        let file = fs::File::create(content.join(name)).expect("a file");
        file.set_len((64 << 20) + 1).expect("a length");
    }
    let body = "if (Main.class.getResourceAsStream(\"/bomb.txt\") == null) throw new Error();";
    compiled(&folder, "content", &[("Main", body)]);
    let mut jar = Command::new(jdk().join("bin/jar"));
    jar.args(["cf", "bomb.jar", "-C", "content", "."]);
    let packed = jar.current_dir(&folder).status().expect("jar runs");
    assert!(packed.success());
    fs::remove_dir_all(&content).expect("it is there");
    let size = fs::metadata(folder.join("bomb.jar")).expect("a jar").len();
    assert!(size < 1 << 20, "{size}");
    let (code, told, _) = java(&folder, &["check", "classes", "-cp", "bomb.jar"]);
    assert_eq!(code, 2, "{told}");
    assert!(told.contains("bomb.txt: larger than 64 MiB"), "{told}");
    let (code, _, told) = java(&folder, &["check", "bomb.jar", "--main", "Bomb"]);
    assert_eq!(code, 3, "{told}");
    assert!(told.contains("Bomb.class: larger than 64 MiB"), "{told}");
}

#[test]
fn a_class_with_a_name_that_leads_elsewhere_is_refused() {
    let folder = folder("security-class-name");
    compiled(&folder, ".", &[("Innocent", "")]);
    let file = folder.join("classes/Innocent.class");
    let innocent = fs::read(&file).expect("a class");
    for name in ["../../aa", "/etc/aaa", "a//b/c/d", "a.b.c.de", "aaa;aaaa"] {
        let mut class = innocent.clone();
        for at in 0..class.len() - name.len() {
            if &class[at..at + name.len()] == b"Innocent" {
                class[at..at + name.len()].copy_from_slice(name.as_bytes());
            }
        }
        fs::write(&file, class).expect("it can be written");
        let (code, _, told) = java(&folder, &["check", "classes/Innocent.class"]);
        assert_eq!(code, 3, "{name}: {told}");
        assert!(told.contains("Illegal class name"), "{name}: {told}");
    }
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    const DEEP: usize = 100_000;
    let folder = folder("security-deep");
    let nest = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(DEEP), close.repeat(DEEP))
    };
    let model = |text: String| format!("int x; bool b; int a[3]; thread t {{ {text} }}");
    let boolean =
        |text: String| format!("vars : s; locals : l; init : !s & !l; inc : true -> {text};");
    let net = |guard: &str, effect: &str| {
        format!("vars\n x\nrules\n {guard} -> x' = x{effect};\ninit\n x = 1\ntarget\n x >= 3\n")
    };
    let xml = |text: String| format!("<?xml version=\"1.0\"?><pnml>{text}</pnml>");
    for (name, text) in [
        ("a.rad", model(format!("x = {};", nest("(", "1", ")")))),
        ("a.rad", model(format!("b = {};", nest("!", "true", "")))),
        ("a.rad", model(format!("x = {};", nest("- ", "1", "")))),
        ("a.rad", model(format!("x = {};", nest("1 + ", "1", "")))),
        ("a.rad", model(format!("x = {};", nest("a[", "0", "]")))),
        (
            "a.rad",
            model(format!("x = {};", nest("b ? 1 : ", "0", ""))),
        ),
        ("a.rad", model(nest("{", "", "}"))),
        ("a.rad", model(nest("atomic {", "", "}"))),
        ("a.rad", model(nest("if (b) ", "x = 1;", ""))),
        ("a.rad", model(nest("if (b) x = 1; else ", "x = 1;", ""))),
        ("a.rad", model(nest("while (b) ", "x = 1;", ""))),
        ("a.cbp", boolean(nest("(", "s", ")"))),
        ("a.cbp", boolean(nest("!", "s", ""))),
        ("a.cbp", boolean(nest("s & ", "s", ""))),
        ("a.spec", net(&nest("(", "x >= 1", ")"), "")),
        ("a.spec", net("x >= 1", &nest("+1", "", ""))),
        ("a.spec", net(&nest("x >= 1, ", "x >= 1", ""), "")),
        ("a.pnml", xml(nest("<net><page>", "", "</page></net>"))),
        ("a.pnml", xml(nest("<a>", "", "</a>"))),
        ("a.json", nest("[", "", "]")),
        ("a.json", nest("{\"a\":", "1", "}")),
    ] {
        write(&folder, name, &text);
        let start = &text[..text.len().min(60)];
        let (code, told) = match name {
            "a.json" => ends(&folder, &["replay", name]),
            _ => ends(&folder, &["check", name, "--time", "10"]),
        };
        // Some of it is deep for people only; a signal would have been no code.
        assert!(code <= 3, "{start}: {code}");
        assert!(!told.contains("panicked"), "{start}: {told}");
    }
}

#[test]
fn programs_and_names_do_not_steer_the_terminal() {
    let folder = folder("security-terminal");
    let steers = |text: &str| {
        let is_one = |it: char| it.is_control() && it != '\n' || it == '\u{202e}';
        text.contains(is_one)
    };
    let clear = "\u{1b}[2J\u{9b}2J\u{1b}]0;owned\u{7}\r\u{202e}";
    let name = format!("{clear}.rad");
    let java_name = format!("{clear}.java");
    write(&folder, &name, common::DEADLOCK);
    write(&folder, "wrong.rad", format!("int {clear}x; // {clear}\n"));
    write(&folder, &java_name, format!("class A {{ {clear} }}"));
    let unknown = format!("--{clear}");
    for line in [
        &["check", &name][..],
        &["check", &name, "--json"],
        &["check", &name, "-q"],
        &["compare", &name],
        &["show", &name],
        &["check", &format!("{clear}missing.rad")],
        &["check", "wrong.rad"],
        &["replay", &name],
        &["check", &unknown],
        &[clear],
    ] {
        let (code, out, told) = run(&folder, line);
        assert!(code <= 3 && !(out.is_empty() && told.is_empty()));
        assert!(
            !steers(&out) && !steers(&told),
            "{line:?}: {out:?} {told:?}"
        );
    }
    // What the compiler says of the source passes through raddle, too.
    let (code, out, told) = java(&folder, &["check", &java_name]);
    assert_eq!(code, 3, "{told}");
    assert!(!steers(&out) && !steers(&told), "{out:?} {told:?}");
    let body = "String steer = \"\\u001b[2J\\u009b2J\\r\\u202e\"; System.out.println(steer);
        Thread t = new Thread(() -> { throw new RuntimeException(steer); }, steer);
        t.start(); t.join();";
    compiled(&folder, ".", &[("Names", body)]);
    for flags in [&[][..], &["--json"], &["-q"]] {
        let line = [&["check", "classes", "--main", "Names"], flags].concat();
        let (code, out, told) = java(&folder, &line);
        assert_eq!(code, 1, "{told}");
        assert!(!steers(&out) && !steers(&told), "{out:?} {told:?}");
    }
}

#[test]
fn what_a_native_library_would_do_is_unknown() {
    let folder = folder("security-native");
    let programs = [
        ("ByName", "System.loadLibrary(\"mine\");"),
        ("ByPath", "System.load(\"/lib/mine.so\");"),
        ("Runtime1", "Runtime.getRuntime().loadLibrary(\"mine\");"),
        ("Runtime2", "Runtime.getRuntime().load(\"/lib/mine.so\");"),
        (
            "Caught",
            "try { System.loadLibrary(\"mine\"); } catch (UnsatisfiedLinkError e) { }",
        ),
        (
            "Reference",
            "java.util.Optional.of(\"mine\").ifPresent(System::loadLibrary);",
        ),
        (
            "Reflection",
            "System.class.getMethod(\"loadLibrary\", String.class).invoke(null, \"mine\");",
        ),
        // The JDK has one of that name, for itself.
        ("Same", "System.loadLibrary(\"net\"); // mine"),
    ];
    compiled(&folder, ".", &programs);
    for (name, _) in programs {
        let (code, told, _) = java(&folder, &["check", "classes", "--main", name]);
        assert_eq!(code, 2, "{name}: {told}");
        assert!(told.contains("the native library `"), "{name}: {told}");
    }
    let own = [(
        "Own",
        "new java.net.ServerSocket(0).close(); new java.util.zip.CRC32().update(1);",
    )];
    compiled(&folder, ".", &own);
    let (code, told, _) = java(&folder, &["check", "classes", "--main", "Own"]);
    assert_eq!(code, 0, "{told}");
}

#[test]
fn a_class_that_is_missing_is_not_the_mistake_of_the_program() {
    let folder = folder("security-missing");
    let library = folder.join("library");
    fs::create_dir_all(&library).expect("a folder");
    write(
        &library,
        "Dep.java",
        "package dep; public class Dep { public static int f() { return 1; } }",
    );
    javac(&library, &["-d", ".", "Dep.java"]);
    let asked = "the class dep.Dep";
    let bad = [
        ("Plain", "dep.Dep.f();"),
        (
            "Thrown",
            "try { dep.Dep.f(); } catch (Throwable e) { assert false; }",
        ),
        (
            "Elsewhere",
            "Thread t = new Thread(() -> dep.Dep.f()); t.start(); t.join();",
        ),
        (
            "Swallowed",
            "var pool = java.util.concurrent.Executors.newFixedThreadPool(1);
             var done = new java.util.concurrent.CountDownLatch(1);
             pool.submit(() -> { dep.Dep.f(); done.countDown(); }); done.await(); pool.shutdown();",
        ),
        (
            "Reflected",
            "class Go { public static void go() { dep.Dep.f(); } }
             Go.class.getMethod(\"go\").invoke(null);",
        ),
        (
            "Finally",
            "try { dep.Dep.f(); } finally { System.out.println(); }",
        ),
    ];
    let unknown = [
        ("Named", "Class.forName(\"dep.Dep\");"),
        (
            "Loaded",
            "Thread.currentThread().getContextClassLoader().loadClass(\"dep.Dep\");",
        ),
    ];
    let fine = [
        (
            "Expected",
            "try { dep.Dep.f(); } catch (NoClassDefFoundError e) { }",
        ),
        ("Linked", "try { dep.Dep.f(); } catch (LinkageError e) { }"),
        (
            "Optional",
            "try { Class.forName(\"dep.Dep\"); } catch (Exception e) { }",
        ),
        ("Unreached", "if (arguments.length > 9) dep.Dep.f();"),
    ];
    let own = [(
        "Own",
        "int[] x = { 0 }; Thread t = new Thread(() -> { if (x[0] == 0) x[0] = 2; else dep.Dep.f(); });
         t.start(); x[0] = 1; t.join(); assert x[0] != 2;",
    )];
    let all = [&bad[..], &unknown, &fine, &own].concat();
    compiled(&folder, "library", &all);
    let check = |name: &str, flags: &[&str]| {
        java(
            &folder,
            &[&["check", "classes", "--main", name], flags].concat(),
        )
    };
    for (name, _) in bad {
        let (code, _, told) = check(name, &[]);
        assert_eq!(code, 3, "{name}: {told}");
        assert!(
            told.contains(asked) && told.contains("-cp"),
            "{name}: {told}"
        );
    }
    // With the class path that it is meant to run with.
    let (code, told, _) = check("Elsewhere", &["-cp", "library"]);
    assert_eq!(code, 0, "{told}");
    for (name, _) in unknown {
        let (code, told, _) = check(name, &[]);
        assert_eq!(code, 2, "{name}: {told}");
        assert!(
            told.contains(asked) && told.contains("-cp"),
            "{name}: {told}"
        );
    }
    for (name, _) in fine {
        let (code, told, _) = check(name, &[]);
        assert_eq!(code, 0, "{name}: {told}");
    }
    // What goes wrong without that class is found all the same.
    let (code, told, _) = check("Own", &[]);
    assert_eq!(code, 1, "{told}");
    assert!(told.contains("assertion"), "{told}");
    let (code, _, told) = java(&folder, &["run", "classes", "--main", "Plain"]);
    assert_eq!(code, 3, "{told}");
    assert!(told.contains(asked), "{told}");
}

#[test]
fn every_claim_of_the_page_has_its_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/security.md")).expect("a page");
    let mut code = String::new();
    let mut pending = vec![root.join("crates")];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("a folder");
            pending.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|it| it == "rs") {
            code.push_str(&fs::read_to_string(&path).expect("text"));
        }
    }
    let is_name = |text: &str| {
        let is_part = |it: char| it.is_ascii_lowercase() || it == '_';
        text.matches('_').count() > 2 && text.chars().all(is_part)
    };
    let names: Vec<&str> = page.split('`').filter(|it| is_name(it)).collect();
    assert!(!names.is_empty());
    for name in names {
        let function = format!("fn {name}() {{");
        let at = code.find(&function).unwrap_or_else(|| panic!("{name}"));
        assert!(code[..at].trim_end().ends_with("#[test]"), "{name}");
    }
    // A row without a test would be a claim without one.
    for row in page
        .lines()
        .filter(|it| it.starts_with("| ") && !it.starts_with("| ---"))
    {
        let last = row
            .trim_end_matches(" |")
            .rsplit("| ")
            .next()
            .unwrap_or_default();
        let is_head = last == "test";
        assert!(is_head || last.split('`').any(is_name), "{row}");
    }
}

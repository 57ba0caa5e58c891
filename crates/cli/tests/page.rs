//! The report as a page, in a browser.

use crate::browser;
use crate::common;
use crate::java_runs;

use browser::Browser;
use common::{DEADLOCK, folder, run, write};
use raddle_reduce::Reduction;
use serde_json::json;
use std::fs;
use std::path::Path;

/// The address of a file.
fn address(folder: &Path, name: &str) -> String {
    let path = folder.join(name).display().to_string();
    let coded: Vec<String> = path.bytes().map(coded).collect();
    format!("file://{}", coded.concat())
}

fn coded(byte: u8) -> String {
    match byte {
        b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02x}"),
    }
}

#[test]
fn a_deadlock_is_shown_and_stepped_through() {
    let folder = folder("page_deadlock");
    write(&folder, "dining.rad", DEADLOCK);
    let (code, _, told) = run(&folder, &["check", "dining.rad", "--html", "found.html"]);
    assert_eq!(code, 1, "{told}");
    let mut browser = Browser::start(&folder);
    browser.open(&address(&folder, "found.html"));
    assert_eq!(browser.text(".verdict"), "violated");
    assert!(browser.text(".lead").contains("wait for ever"));
    // All of it is there at once, and the end comes first.
    assert_eq!(browser.count(".card"), 2);
    assert_eq!(browser.count(".stuck"), 2);
    assert_eq!(browser.count(".wait-graph .wait.cycle"), 2);
    assert_eq!(browser.text(".position"), "step 2 of 2");
    let picture = browser.picture(&folder.join("found.png"));
    // Walking through it.
    browser.press("Home");
    assert_eq!(browser.text(".position"), "before the first step");
    assert_eq!(browser.count(".card.later"), 2);
    assert_eq!(browser.count(".card.now"), 0);
    browser.press("ArrowRight");
    assert_eq!(browser.text(".position"), "step 1 of 2");
    assert!(browser.text(".card.now").contains("takes fork["));
    assert!(
        browser
            .text(".values .changed")
            .contains("held by philosopher[")
    );
    assert!(
        browser
            .text(".code-line.now")
            .contains("acquire(fork[index]);")
    );
    assert_eq!(browser.value("location.hash"), json!("#step=1"));
    // The slider does the same.
    browser.value(
        "(() => { const it = document.querySelector('input[type=range]'); it.value = 2; \
         it.dispatchEvent(new Event('input')); })()",
    );
    assert_eq!(browser.text(".position"), "step 2 of 2");
    browser.press("End");
    assert_eq!(browser.count(".card.later"), 0);
    // A step can be linked to.
    browser.open(&format!("{}#step=1", address(&folder, "found.html")));
    assert_eq!(browser.text(".position"), "step 1 of 2");
    browser.set_dark(true);
    assert_ne!(browser.picture(&folder.join("dark.png")), picture);
    assert_eq!(browser.complaints, Vec::<String>::new());
}

/// What a hostile program would like to be taken for a part of the page.
const HOSTILE: &str = "</script><script>window.hit=1</script><img src=x onerror=window.hit=2>";

/// Nothing of it has happened, nor could it.
fn assert_inert(browser: &mut Browser) {
    assert_eq!(browser.value("window.hit ?? null"), json!(null));
    assert_eq!(browser.count("script"), 2);
    assert_eq!(browser.count("img"), 0);
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
    browser.value(
        "(() => { const it = document.createElement('script'); it.textContent = 'window.hit=3'; \
         document.body.append(it); it.remove(); })()",
    );
    assert_eq!(browser.value("window.hit ?? null"), json!(null));
    browser.ask("Runtime.enable", json!({}));
    assert!(!browser.complaints.is_empty(), "the policy has refused it");
}

#[test]
fn names_and_texts_of_a_model_stay_text() {
    let folder = folder("page_hostile_model");
    let name = "a<img src=x onerror=window.hit=4>&.rad";
    let model = format!(
        "// {HOSTILE}\nint x;\nthread t {{\n  x = 1;\n  assert(x == 2, \"{HOSTILE}\u{2028}\");\n}}\n"
    );
    write(&folder, name, model);
    let (code, _, told) = run(&folder, &["check", name, "--html", "found.html"]);
    assert_eq!(code, 1, "{told}");
    let mut browser = Browser::start(&folder);
    browser.open(&address(&folder, "found.html"));
    let lead = browser.text(".lead");
    assert!(lead.contains(HOSTILE), "{lead}");
    assert!(browser.text(".code-body").contains(HOSTILE));
    assert_eq!(browser.text("h1 .file"), name);
    assert_inert(&mut browser);
}

#[test]
fn names_and_strings_of_java_stay_text() {
    let folder = folder("page_hostile_java");
    let program = format!(
        "class Evil {{\n  static String s = \"\";\n  static volatile int x;\n  \
         public static void main(String[] a) throws Exception {{\n    \
         Thread t = new Thread(() -> {{ s = \"{HOSTILE}\"; x++; }}, \"{HOSTILE}\");\n    \
         t.start();\n    x++;\n    t.join();\n    \
         System.out.println(\"{HOSTILE}\");\n    \
         if (x != 2) throw new Error(\"{HOSTILE}\");\n  }}\n}}\n"
    );
    write(&folder, "Evil.java", program);
    let jdk = java_runs::jdk().display().to_string();
    let line = ["check", "Evil.java", "--jdk", &jdk, "--html", "found.html"];
    let (code, _, told) = run(&folder, &line);
    assert_eq!(code, 1, "{told}");
    let mut browser = Browser::start(&folder);
    browser.open(&address(&folder, "found.html"));
    let names = browser.text(".lane-names");
    assert!(names.contains(HOSTILE), "{names}");
    assert!(browser.text("tbody").contains(HOSTILE));
    assert!(browser.text("main").contains("x: read 0"));
    assert_inert(&mut browser);
}

#[test]
fn a_race_shows_both_accesses() {
    let folder = folder("page_race");
    let program = "class Race {\n  static int x;\n  static final Object lock = new Object();\n  \
        public static void main(String[] a) {\n    \
        Thread one = new Thread(() -> { synchronized (lock) { x = 1; } }, \"one\");\n    \
        Thread two = new Thread(() -> { x = 2; }, \"two\");\n    \
        one.start();\n    two.start();\n  }\n}\n";
    write(&folder, "Race.java", program);
    let jdk = java_runs::jdk().display().to_string();
    let line = [
        "check",
        "Race.java",
        "--jdk",
        &jdk,
        "--races",
        "--html",
        "found.html",
    ];
    let (code, _, told) = run(&folder, &line);
    assert_eq!(code, 1, "{told}");
    let mut browser = Browser::start(&folder);
    browser.open(&address(&folder, "found.html"));
    assert_eq!(browser.count(".stuck"), 2);
    assert!(
        browser
            .text(".ending")
            .contains("Nothing orders these accesses to Race.x")
    );
    assert!(browser.count(".code-line .tag") >= 2);
    assert!(
        browser.count(".arrows .start") >= 1,
        "the start of a thread is an arrow"
    );
    browser.picture(&folder.join("race.png"));
}

/// Some ten thousand steps, and a mistake at their end. They do not come again so often in a row that they
/// are folded.
const LONG: &str = "\
int x;
int finished;
lock m;
thread worker[2] {
  int i;
  for (i = 0; i < 1250; i++) {
    acquire(m);
    if (i % 7 < 3) { x = x + 1; } else { x = x + 2; }
    release(m);
  }
  atomic { finished++; }
}
thread judge {
  await (finished == 2);
  assert(x == 0);
}
";

#[test]
fn ten_thousand_steps_are_no_burden() {
    let folder = folder("page_long");
    write(&folder, "long.rad", LONG);
    let line = [
        "check",
        "long.rad",
        "--no-shorten",
        "--html",
        "found.html",
        "-q",
    ];
    let (code, _, told) = run(&folder, &line);
    assert_eq!(code, 1, "{told}");
    let size = fs::metadata(folder.join("found.html"))
        .expect("it is there")
        .len();
    assert!(size < 5_000_000, "{size} bytes");
    let mut browser = Browser::start(&folder);
    browser.open(&address(&folder, "found.html"));
    let steps = browser.text(".position");
    let steps = steps
        .rsplit(' ')
        .next()
        .and_then(|it| it.parse::<u64>().ok());
    assert!(steps.is_some_and(|steps| steps >= 10_000), "{steps:?}");
    // What cannot be seen is not there.
    assert!(browser.count("*") < 2_000);
    // What a step usually takes, at every part of the trace. How long the browser then waits for
    // its turn to draw, or is interrupted, depends on what else the machine does.
    let took = browser.value(
        "(async () => { \
           const frame = () => new Promise(requestAnimationFrame); \
           const all = []; \
           for (const step of [1, 2500, 5000, 7500]) { \
             const followed = new Promise((then) => \
               addEventListener('hashchange', then, { once: true })); \
             location.hash = `step=${step}`; \
             await followed; \
             await frame(); \
             for (let count = 0; count < 25; count += 1) { \
               const start = performance.now(); \
               document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' })); \
               all.push(performance.now() - start); \
               await frame(); \
             } \
           } \
           return all.sort((a, b) => a - b)[all.length / 2]; })()",
    );
    let took = took.as_f64().expect("a number");
    assert!(took < 50.0, "{took} ms for each step");
    assert!(browser.text(".position").starts_with("step 7"));
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn a_program_that_holds_says_what_was_proved() {
    let folder = folder("page_holds");
    write(&folder, "good.rad", common::GOOD);
    let (code, _, told) = run(&folder, &["check", "good.rad", "--html", "good.html"]);
    assert_eq!(code, 0, "{told}");
    let mut browser = Browser::start(&folder);
    browser.open(&address(&folder, "good.html"));
    assert_eq!(browser.text(".verdict"), "holds");
    assert!(browser.text(".lead").contains("in any reachable state"));
    assert!(browser.text(".basis").contains("What was proved"));
    assert!(browser.text(".basis").contains("States"));
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn every_reduction_has_its_bar() {
    let folder = folder("page_compare");
    write(&folder, "good.rad", common::GOOD);
    let (code, _, told) = run(&folder, &["compare", "good.rad", "--html", "compared.html"]);
    assert_eq!(code, 0, "{told}");
    let mut browser = Browser::start(&folder);
    browser.open(&address(&folder, "compared.html"));
    assert_eq!(browser.count(".bar"), Reduction::ALL.len() as u64);
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn every_reduction_has_its_curve() {
    let folder = folder("page_sweep");
    let program = "const N = 1; int x; thread t[N] { x = x + 1; }";
    write(&folder, "count.rad", program);
    let line = [
        "compare",
        "count.rad",
        "-D",
        "N=1..3",
        "--html",
        "curves.html",
    ];
    let (code, _, told) = run(&folder, &line);
    assert_eq!(code, 0, "{told}");
    let mut browser = Browser::start(&folder);
    browser.open(&address(&folder, "curves.html"));
    let rows = Reduction::ALL.len() as u64;
    assert_eq!(browser.count(".chart"), 2);
    // Each has a sample in the legend, too.
    assert_eq!(browser.count(".chart path.curve"), 2 * 2 * rows);
    assert_eq!(browser.count(".chart .dot"), 2 * 3 * rows);
    assert_eq!(browser.count(".bar"), 3 * rows);
    assert!(browser.text(".chart").contains("states by N, logarithmic"));
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn a_saved_trace_becomes_a_page_and_other_files_are_left_alone() {
    let folder = folder("page_replay");
    write(&folder, "dining.rad", DEADLOCK);
    run(&folder, &["check", "dining.rad", "--trace", "t.json"]);
    let (code, _, told) = run(&folder, &["replay", "t.json", "--html", "found.html"]);
    assert_eq!(code, 1, "{told}");
    let page = fs::read_to_string(folder.join("found.html")).expect("a page");
    assert!(page.contains("\"verdict\":\"violated\""));
    // A page may be replaced by another one, and nothing else.
    let (code, _, told) = run(&folder, &["check", "dining.rad", "--html", "found.html"]);
    assert_eq!(code, 1, "{told}");
    write(&folder, "mine.html", "<!doctype html>\n<p>mine</p>");
    let (code, _, told) = run(&folder, &["check", "dining.rad", "--html", "mine.html"]);
    assert_eq!(code, 3);
    assert!(told.contains("will not be overwritten"), "{told}");
}

/// Philosophers who all take the fork at their left first.
fn dining(philosophers: usize) -> String {
    DEADLOCK
        .replace("[2]", &format!("[{philosophers}]"))
        .replace("% 2", &format!("% {philosophers}"))
}

#[test]
fn the_end_can_be_seen_without_scrolling() {
    let folder = folder("page_end");
    write(&folder, "dining.rad", dining(3));
    let (code, _, told) = run(&folder, &["check", "dining.rad", "--html", "found.html"]);
    assert_eq!(code, 1, "{told}");
    let mut browser = Browser::start(&folder);
    browser.open(&address(&folder, "found.html"));
    assert_eq!(browser.count(".stuck"), 3);
    // The lanes end where the window does, and are scrolled to their own end.
    browser.wait_for(
        "(() => { const lanes = document.querySelector('.lanes').getBoundingClientRect(); \
         return scrollY === 0 && [...document.querySelectorAll('.stuck')].every((it) => { \
           const box = it.getBoundingClientRect(); \
           return box.top >= lanes.top && box.bottom <= Math.min(lanes.bottom, innerHeight); }); })()",
    );
    assert_eq!(browser.complaints, Vec::<String>::new());
}

/// Whether nothing is cut off at the right.
const FITS: &str = "(() => { const all = [document.documentElement, document.querySelector('.lanes'), \
    ...document.querySelectorAll('.card .source, .card .event, .stuck')]; \
    return all.every((it) => it.scrollWidth <= it.clientWidth + 1); })()";

#[test]
fn eight_threads_fit_and_are_told_apart() {
    let folder = folder("page_eight");
    write(&folder, "dining.rad", dining(8));
    let (code, _, told) = run(&folder, &["check", "dining.rad", "--html", "found.html"]);
    assert_eq!(code, 1, "{told}");
    let mut browser = Browser::start(&folder);
    browser.open(&address(&folder, "found.html"));
    assert_eq!(browser.count(".lane-name"), 8);
    browser.wait_for(FITS);
    // A card says whose it is, since its lane is too narrow to tell.
    assert!(browser.text(".card .card-name").starts_with("philosopher["));
    browser.press("Home");
    browser.press("ArrowRight");
    assert_eq!(browser.count(".card.now"), 1);
    // So it is on a phone.
    browser.ask(
        "Emulation.setDeviceMetricsOverride",
        json!({ "width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true }),
    );
    browser.wait_for(FITS);
    browser.press("End");
    browser.wait_for(FITS);
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn values_stand_below_the_object_that_has_them() {
    let folder = folder("page_values");
    let program = "class Pair {\n  static int left, right;\n  public static void main(String[] a) {\n    \
        new Thread(() -> { left = 1; right = 1; }).start();\n    assert left == right;\n  }\n}\n";
    write(&folder, "Pair.java", program);
    let jdk = java_runs::jdk().display().to_string();
    let line = ["check", "Pair.java", "--jdk", &jdk, "--html", "found.html"];
    let (code, _, told) = run(&folder, &line);
    assert_eq!(code, 1, "{told}");
    let mut browser = Browser::start(&folder);
    browser.open(&address(&folder, "found.html"));
    assert_eq!(browser.text(".values .owner"), "Pair");
    assert_eq!(browser.count(".values .part"), 2);
    // Words of the language have a colour, and only those.
    assert_eq!(browser.text(".code-keyword"), "class");
    assert_eq!(
        browser.value("[...document.querySelectorAll('.code-keyword')].some((it) => it.textContent === 'Pair')"),
        json!(false)
    );
    assert_eq!(browser.complaints, Vec::<String>::new());
}

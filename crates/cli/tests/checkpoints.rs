//! Searches that are killed go on where they were, and come to the same end.

#![cfg(unix)]

use crate::common;

use common::{folder, json, raddle, run, write};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, SystemTime};

/// Three threads count, and a fourth looks on.
const COUNTING: &str = "\
granularity statement;
const BAD = 0;
int(0..72) x;
thread worker[3] {
  int i;
  while (i < 24) { i = i + 1; x = x + 1; }
}
thread judge {
  if (x == 60) { assert(BAD == 0); }
}
";

fn check<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let jobs = match more.contains(&"--jobs") {
        true => &[][..],
        false => &["--jobs", "1"],
    };
    let search = ["check", "counting.rad", "--json", "--reduction", "none"];
    [&search[..], jobs, more].concat()
}

/// The verdict and what was counted. How deep the paths of several workers were is chance.
fn answer(out: &str) -> (String, [u64; 2]) {
    let answer = json(out);
    let count = |what: &str| answer["statistics"][what].as_u64().expect("a number");
    (
        answer["verdict"].to_string(),
        [count("states"), count("transitions")],
    )
}

/// Kills the search again and again, each time a bit later than a moment that nobody knows;
/// the answer in the end, and how often it was killed.
fn killed(folder: &Path, line: &[&str]) -> (String, u32) {
    let seed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let mut random = seed.expect("it is later").subsec_nanos().into();
    let mut kills = 0;
    loop {
        random = u64::wrapping_mul(random, 6_364_136_223_846_793_005).wrapping_add(1);
        let patience = Duration::from_millis(20 + (random >> 33) % 400 + u64::from(kills) * 10);
        // A pipe that nobody reads would hold it up.
        let told = fs::File::create(folder.join("told")).expect("a file");
        let mut search = raddle(folder, line);
        let search = search.stdout(told).stderr(Stdio::null());
        let mut search = search.spawn().expect("it starts");
        std::thread::sleep(patience);
        // Nothing that raddle could hear: SIGKILL.
        let was_killed = matches!(search.try_wait(), Ok(None)) && search.kill().is_ok();
        let status = search.wait().expect("it ends");
        if status.code().is_some() {
            let told = fs::read_to_string(folder.join("told")).expect("text");
            return (told, kills);
        }
        assert!(was_killed, "{status:?}");
        kills += 1;
    }
}

#[test]
fn a_search_of_a_boolean_program_is_resumed() {
    let folder = folder("resumed-boolean");
    let program = include_str!("../../../examples/bakery.cbp");
    write(&folder, "bakery.cbp", program);
    let properties = [
        "--no-deadlock",
        "--no-partial-deadlock",
        "--max-threads",
        "4",
    ];
    let line = |more: &[&'static str]| {
        [&["check", "bakery.cbp", "--json"], &properties[..], more].concat()
    };
    // There are more threads than are searched.
    let (code, whole, error) = run(&folder, &line(&["--search", "depth"]));
    assert_eq!(code, 2, "{whole}{error}");
    let written = ["--search", "depth", "--checkpoint", "written"];
    let limited = line(&[&written[..], &["--time", "150ms"]].concat());
    let (code, out, error) = run(&folder, &limited);
    assert_eq!(code, 2, "{out}{error}");
    assert!(answer(&out).1[0] < answer(&whole).1[0], "{out}");
    let resumed = line(&[&written[..], &["--resume"]].concat());
    let (code, out, error) = run(&folder, &resumed);
    assert_eq!(code, 2, "{out}{error}");
    assert_eq!(answer(&out), answer(&whole));
    let other = line(&[&written[..], &["--resume", "--unsafe", "criticalI"]].concat());
    assert_eq!(run(&folder, &other).0, 3);
}

#[test]
fn a_search_that_is_killed_comes_to_the_same_end() {
    let folder = folder("killed");
    write(&folder, "counting.rad", COUNTING);
    for flags in [
        &["--search", "depth"][..],
        &["--search", "breadth"],
        &["--search", "depth", "--store", "fingerprint"],
        &["--search", "breadth", "--store", "fingerprint"],
        &["--search", "breadth", "-D", "BAD=1"],
        &["--search", "depth", "--max-depth", "100"],
        &["--search", "depth", "--jobs", "2"],
        &["--search", "breadth", "--jobs", "2"],
    ] {
        let (_, expected, _) = run(&folder, &check(flags));
        let often = [
            "--checkpoint",
            "kept",
            "--resume",
            "--checkpoint-every",
            "10ms",
        ];
        let line = check(&[flags, &often].concat());
        let (out, kills) = killed(&folder, &line);
        assert_eq!(answer(&out), answer(&expected), "{flags:?}, {kills} kills");
        let left = folder.join("kept/search.checkpoint");
        // An answer is an answer; with a limit there may be one later.
        assert_eq!(
            left.exists(),
            json(&out)["verdict"] == "unknown",
            "{flags:?}"
        );
        let _ = fs::remove_dir_all(folder.join("kept"));
    }
}

#[test]
fn a_search_without_a_store_that_is_killed_comes_to_the_same_end() {
    let folder = folder("killed-stateless");
    write(&folder, "writers.rad", "int x; thread t[8] { x = 1; }\n");
    for flags in [
        &["--reduction", "sleep", "--jobs", "1"][..],
        &["--reduction", "sleep", "--jobs", "2"],
        &["--reduction", "dpor", "--jobs", "1"],
    ] {
        let properties = ["--json", "--no-partial-deadlock"];
        let line = [&["check", "writers.rad"], &properties[..], flags].concat();
        let (code, expected, error) = run(&folder, &line);
        assert_eq!(code, 0, "{expected}{error}");
        let written = ["--checkpoint", "kept", "--resume"];
        let often = ["--checkpoint-every", "10ms"];
        let (out, kills) = killed(&folder, &[&line[..], &written, &often].concat());
        assert_eq!(answer(&out), answer(&expected), "{flags:?}, {kills} kills");
        let _ = fs::remove_dir_all(folder.join("kept"));
    }
}

#[test]
fn a_search_that_is_stopped_goes_on_with_the_same_question_only() {
    let folder = folder("stopped");
    write(&folder, "counting.rad", COUNTING);
    let (_, expected, _) = run(&folder, &check(&[]));
    let kept = ["--checkpoint", "kept"];
    let short = [&kept[..], &["--time", "50ms"]].concat();
    let (code, out, error) = run(&folder, &check(&short));
    assert_eq!(code, 2, "{out}{error}");
    let file = folder.join("kept/search.checkpoint");
    let good = fs::read(&file).expect("it was written when the time was over");

    let resume = check(&[&kept[..], &["--resume"]].concat());
    let refused = |line: &[&str], why: &str| {
        let (code, out, error) = run(&folder, line);
        assert_eq!(code, 3, "{out}{error}");
        assert!(out.contains(why) || error.contains(why), "{out}{error}");
    };
    refused(&check(&kept), "go on from it with --resume");
    let other = [&resume[..], &["--search", "breadth"]].concat();
    refused(
        &other,
        "`search depth-first` then, `search breadth-first` now",
    );
    refused(&[&resume[..], &["-D", "BAD=0"]].concat(), "constants");
    write(&folder, "counting.rad", format!("{COUNTING}// changed\n"));
    refused(&resume, "program of");
    write(&folder, "counting.rad", COUNTING);
    for position in [0, 30, good.len() / 2, good.len() - 1] {
        let mut bad = good.clone();
        bad[position] ^= 4;
        fs::write(&file, &bad).expect("it can be written");
        refused(&resume, "damaged");
    }
    for length in [0, 3, 50, good.len() / 2, good.len() - 1] {
        fs::write(&file, &good[..length]).expect("it can be written");
        refused(&resume, "damaged");
    }
    fs::write(&file, &good).expect("it can be written");
    let (code, out, error) = run(&folder, &resume);
    assert_eq!(code, 0, "{out}{error}");
    assert_eq!(answer(&out), answer(&expected));
    assert!(!file.exists());
}

#[test]
fn what_cannot_be_written_down_is_refused() {
    let folder = folder("not-kept");
    write(&folder, "counting.rad", COUNTING);
    for (flags, why) in [
        (&["--reduction", "optimistic"][..], "`persistent`"),
        (&["--store", "bitstate"], "bitstate"),
        (&["--all"], "--all"),
    ] {
        let line = ["check", "counting.rad", "--checkpoint", "kept"];
        let line = [&line[..], flags].concat();
        let (code, out, error) = run(&folder, &line);
        assert_eq!(code, 3, "{out}{error}");
        assert!(out.contains(why) || error.contains(why), "{out}{error}");
    }
    let (code, ..) = run(&folder, &["check", "counting.rad", "--resume"]);
    assert_eq!(code, 3);
}

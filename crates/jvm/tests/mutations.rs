//! Class files with bytes changed: whatever they contain, the machine does not panic.

use crate::common;

use common::Silent;
use raddle_testkit::jdk::{compile_texts, jdk};
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use raddle_jvm::World;
use raddle_jvm::load::{Directory, Found, Jdk, Source};

const PROGRAM: &str = "
import java.util.*;
public class Mutant {
    int field; static long total; Mutant next;
    interface Shape { double area(); }
    record Circle(double r) implements Shape { public double area() { return r * r * 3; } }
    static int sum(int... xs) { int s = 0; for (int x : xs) s += x; return s; }
    synchronized void add(Object o) { try { field += ((Integer) o) / (field - 3); } catch (ArithmeticException e) { field++; } finally { total += field; } }
    public static void main(String[] args) throws Exception {
        int[][] grid = new int[3][4];
        long l = 1L << 40; float f = 2.5f; double d = l * f;
        String s = \"a\" + l + d;
        switch (s.length()) { case 3: l++; break; case 900: l--; break; default: l *= 3; }
        switch (args.length) { case 0: case 1: case 2: f++; }
        Mutant m = new Mutant(); m.next = m;
        for (Object o : List.of(1, 2, 3)) m.add(o);
        Shape shape = new Circle(1.5); Runnable r = () -> total += sum(1, 2, grid[1][2]);
        r.run();
        synchronized (m) { m.next.field--; }
        System.out.println(s + total + shape + m.field + (m instanceof Object) + (byte) l + (char) 65);
    }
}";

struct Bytes(Vec<u8>);

impl Source for Bytes {
    fn find(&self, name: &str) -> Found {
        Ok((name == "Mutant.class").then(|| self.0.clone().into()))
    }
}

/// A folder of its own for a test, with the classes.
fn compiled(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).expect("a folder");
    compile_texts(&folder, [("Mutant".to_owned(), PROGRAM.to_owned())]);
    folder
}

/// Runs a mutant for a while. Any end is fine.
fn attempt(folder: &Path, bytes: Vec<u8>) {
    let Ok(jdk) = Jdk::open(jdk()) else {
        panic!("no JDK")
    };
    let sources: Vec<Box<dyn Source>> = vec![
        Box::new(Bytes(bytes)),
        Box::new(Directory(folder.to_owned())),
    ];
    let world = World::new(jdk, sources).expect("the library loads");
    let booted = raddle_jvm::boot(&world, &mut Silent).expect("the library starts");
    if let Ok(mut state) = raddle_jvm::start(&world, &booted, "Mutant", &[], &mut Silent) {
        let _ = raddle_jvm::run(&world, &mut state, &mut Silent, 5);
    }
}

#[test]
fn mutants_do_not_make_the_machine_panic() {
    let folder = compiled("mutants");
    let original = std::fs::read(folder.join("Mutant.class")).expect("it was compiled");
    let changes = proptest::collection::vec((0..original.len(), any::<u8>()), 1..6);
    let cases = std::env::var("RADDLE_MUTANTS")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(150);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let outcome = runner.run(&(changes, 0..original.len() * 8), |(changes, cut)| {
        let mut bytes = original.clone();
        for (at, value) in changes {
            bytes[at] = value;
        }
        // Some are cut short, most are not.
        bytes.truncate(cut.max(original.len() / 2).min(original.len()));
        let _ = raddle_jvm::summary(&bytes);
        attempt(&folder, bytes);
        Ok(())
    });
    outcome.expect("no panic");
}

#[test]
fn what_is_cut_short_is_an_error() {
    let folder = compiled("cut_short");
    let original = std::fs::read(folder.join("Mutant.class")).expect("it was compiled");
    assert!(raddle_jvm::summary(&original).is_ok());
    for length in 0..original.len() {
        assert!(
            raddle_jvm::summary(&original[..length]).is_err(),
            "{length}"
        );
    }
}

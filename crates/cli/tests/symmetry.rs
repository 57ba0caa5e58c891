//! Threads that can be exchanged.

use crate::common::{folder, json, run, write};

const POOL: &str = "\
lock m;
int last = -1;
int done[worker];
thread worker[4] {
  synchronized (m) { last = index; done[index] = 1; }
  done[index]++;
}
invariant all: count(it in done: it == 2) <= 4;
";

const LOST: &str = "\
int total;
thread adder[3] { int mine = index; total = total + 1; assert(mine == index); }
thread checker { await (total >= 2); assert(total != 2); }
";

#[test]
fn states_are_counted_once_for_all_exchanges() {
    let folder = folder("symmetry");
    write(&folder, "pool.rad", POOL);
    let plain = run(
        &folder,
        &["check", "pool.rad", "--json", "--reduction", "none"],
    );
    let up_to = run(&folder, &["check", "pool.rad", "--json", "--symmetry"]);
    assert_eq!((plain.0, up_to.0), (0, 0), "{}{}", up_to.1, up_to.2);
    let states = |out: &str| {
        json(out)["statistics"]["states"]
            .as_u64()
            .expect("a number")
    };
    let (all, orbits) = (states(&plain.1), states(&up_to.1));
    // Of at most 24 each.
    assert!(orbits < all / 10 && all <= 24 * orbits, "{orbits} of {all}");
    assert!(
        up_to.1.contains("which of the 4 threads `worker` is which"),
        "{}",
        up_to.1
    );
}

#[test]
fn what_is_shown_is_an_execution_of_the_program() {
    let folder = folder("symmetry_trace");
    write(&folder, "lost.rad", LOST);
    let saved = folder.join("trace.json");
    let saved = saved.to_str().expect("a name");
    let line = [
        "check",
        "lost.rad",
        "--symmetry",
        "--all",
        "--no-shorten",
        "--trace",
        saved,
    ];
    let (code, out, err) = run(&folder, &line);
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("total != 2"), "{out}");
    let (code, out, err) = run(&folder, &["replay", saved]);
    assert_eq!(code, 1, "{out}{err}");
}

#[test]
fn it_is_refused_where_it_is_not_proved_and_says_why() {
    let folder = folder("symmetry_refused");
    write(&folder, "pool.rad", POOL);
    write(
        &folder,
        "ring.rad",
        "const N = 3;\nint a[N];\nthread t[N] { a[(index + 1) % N] = 1; }\n",
    );
    write(&folder, "alone.rad", "int x; thread t { x = 1; }");
    write(
        &folder,
        "timed.rad",
        "int x; thread t[2] { x = 1; } property p: eventually x == 1;",
    );
    let refused = |line: &[&str], why: &str| {
        let (code, out, err) = run(&folder, line);
        assert_eq!(code, 3, "{out}{err}");
        assert!(err.contains(why), "{err}");
    };
    let ring = "the index of `t` is used as a number at ring.rad:3:";
    refused(&["check", "ring.rad", "--symmetry"], ring);
    refused(
        &["check", "alone.rad", "--symmetry"],
        "no declaration has several threads",
    );
    refused(&["check", "timed.rad", "--symmetry"], "--no-temporal");
    refused(
        &["check", "pool.rad", "--symmetry", "--must-end"],
        "--must-end",
    );
    refused(
        &["check", "pool.rad", "--symmetry", "--reduction", "dpor"],
        "--reduction",
    );
    refused(
        &["check", "pool.rad", "--symmetry", "--discipline", "strict"],
        "--discipline",
    );
    let (code, _, err) = run(
        &folder,
        &["check", "timed.rad", "--symmetry", "--no-temporal"],
    );
    assert_eq!(code, 0, "{err}");
    write(&folder, "a.cbp", "void main() begin end");
    refused(
        &["check", "a.cbp", "--symmetry"],
        "--symmetry is for models",
    );
}

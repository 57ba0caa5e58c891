//! Random programs that claim something about who accesses what.

use crate::generate::Sample;

/// What may be claimed of the variables of a random program; one of each is taken.
const CLAIMS: [(&str, &[&str]); 8] = [
    (
        "int x;\nint y;",
        &[
            "int x protected by m; int y unprotected;",
            "int x initialised by t0; int y protected by m;",
            "int x unprotected; int y initialised by t1 protected by k[0];",
            "int x, y; exclusive x when owner(m) == self || y == 1; exclusive y when at(here);",
            "int x, y; exclusive y when owner(k[0]) == self && x < 2;",
        ],
    ),
    ("int q[2] = 1;", &["int q[2] = 1 unprotected;"]),
    (
        "thread child(int v) {",
        &["thread child(int v) { here: skip;"],
    ),
    (
        "int(0..3 wrap) w;",
        &[
            "int(0..3 wrap) w protected by m;",
            "int(0..3 wrap) w unprotected;",
            "int(0..3 wrap) w initialised by t1;",
        ],
    ),
    (
        "int(0..5) r;",
        &["int(0..5) r unprotected;", "int(0..5) r protected by k[1];"],
    ),
    (
        "bool b;",
        &[
            "bool b unprotected;",
            "bool b; exclusive b when owner(m) == self;",
            "bool b; exclusive b when owner(m) == self || owner(k[0]) == self;",
        ],
    ),
    (
        "int a[2];",
        &[
            "int a[2]; exclusive a[i] when owner(k[i]) == self;",
            "int a[2] unprotected;",
        ],
    ),
    ("Node head;", &["Node head unprotected;"]),
];

/// A random program with claims, some of them wrong.
pub fn claiming(sample: &Sample) -> String {
    let mut source = sample.source();
    // As good as any other number.
    let mut rest = source.len() * 7919;
    for (declaration, claims) in CLAIMS {
        let claim = claims[rest % claims.len()];
        rest /= claims.len();
        source = source.replacen(declaration, claim, 1);
    }
    // Nothing is left to be guessed.
    let node = "record Node { int data; Node next; lock mutex; }";
    let claimed = "record Node { int data protected by mutex; Node next unprotected; lock mutex; }";
    source.replacen(node, claimed, 1)
}

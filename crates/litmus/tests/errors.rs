//! Mistakes in litmus tests are reported with their places.

use raddle_litmus::{explore, parse};

fn error(text: &str) -> (String, String) {
    match parse(text) {
        Ok(_) => panic!("{text} was read"),
        Err(mistake) => (mistake.message, text[mistake.span].to_owned()),
    }
}

#[test]
fn mistakes_have_places() {
    let with = |body: &str| format!("Java t\n{{ x=0; 0:X=x; }}\n{body}");
    let cases = [
        (
            "C t".to_owned(),
            "a litmus test begins with `Java` and its name",
            "C t",
        ),
        (
            with("Thread0 { Y.set(1); }\nexists (x=1)"),
            "thread 0 has no handle `Y`",
            "Y",
        ),
        (
            with("Thread0 { X.setAcquire(1); }\nexists (x=1)"),
            "there is no method `setAcquire` of VarHandle here",
            "setAcquire",
        ),
        (
            with("Thread0 { X.set(); }\nexists (x=1)"),
            "`set` has 1 arguments, and not 0",
            "set",
        ),
        (
            with("Thread0 { int a = b; }\nexists (x=1)"),
            "there is no register `b`",
            "b",
        ),
        (
            with("Thread1 { X.set(1); }\nexists (x=1)"),
            "threads come in order: expected `Thread0`, found `Thread1`",
            "Thread1",
        ),
        (
            with("Thread0 { X.set(1); }\nexists (0:a=1)"),
            "there is no register `0:a`",
            "0:a",
        ),
        (
            with("Thread0 { int a = 0; if (a == 1 && X.get() == 1) a = 2; }\nexists (x=1)"),
            "an access behind `&&`, which may not be made",
            "&&",
        ),
        (
            with("Thread0 { int a = 99999999999; }\nexists (x=1)"),
            "the number is too large for an int",
            "99999999999",
        ),
    ];
    for (text, message, place) in cases {
        assert_eq!(
            error(&text),
            (message.to_owned(), place.to_owned()),
            "{text}"
        );
    }
}

#[test]
fn nesting_has_a_limit() {
    let deep = format!(
        "Java t\n{{ x=0; }}\nThread0 {{ int a = {}1; }}\nexists (x=1)",
        "(".repeat(5000)
    );
    assert_eq!(error(&deep).0, "nested more than 100 deep");
    let deep = format!(
        "Java t\n{{ x=0; }}\nThread0 {{ }}\nexists {}x=1",
        "~".repeat(5000)
    );
    assert_eq!(error(&deep).0, "nested more than 100 deep");
}

#[test]
fn a_loop_without_accesses_is_given_up_and_one_with_accesses_is_not() {
    let test = |body: &str| {
        let text = format!("Java t\n{{ x=0; 0:X=x; 1:X=x; }}\n{body}\nexists (x=1)");
        explore(&parse(&text).expect("a test"), 10_000)
    };
    let endless = test("Thread0 { int a = 0; while (a == 0) { a = 0; } }");
    assert!(endless.is_err_and(|why| why.contains("without an access")));
    let waits = "Thread0 { int a = 0; while (a == 0) { a = X.getAcquire(); } }\n\
                 Thread1 { X.setRelease(1); }";
    let explored = test(waits).expect("few states");
    assert_eq!((explored.outcomes.len(), explored.positive), (1, 1));
}

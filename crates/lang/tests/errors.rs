//! What the parser says about wrong programs, and that no text breaks it.

use proptest::prelude::*;
use raddle_diagnostics::{Diagnostic, Lines, render};
use raddle_lang::format::format;
use raddle_lang::parser::{DEEPEST, TALLEST, parse};

/// A program with every construct, for mutations.
const SAMPLE: &str = include_str!("sample.rad");

fn errors(source: &str) -> Vec<Diagnostic> {
    match parse(source) {
        Ok(_) => panic!("accepted: {source}"),
        Err(errors) => errors,
    }
}

/// The errors as `line:column message`.
fn messages(source: &str) -> Vec<String> {
    let lines = Lines::new(source);
    let describe = |error: &Diagnostic| {
        let place = lines.place(error.span.start);
        format!("{}:{} {}", place.line, place.column, error.message)
    };
    errors(source).iter().map(describe).collect()
}

/// Each of these has exactly one mistake and gets exactly one error: the source, the
/// place, the message, the help (empty if there is none).
#[rustfmt::skip]
const MISTAKES: &[(&str, &str, &str, &str)] = &[
    ("int x", "1:6", "expected `;` after this declaration, found the end of the file", ""),
    ("int x y;", "1:7", "expected `;` after this declaration, found `y`", ""),
    ("int;", "1:4", "expected a name, found `;`", ""),
    ("int 3;", "1:5", "expected a name, found `3`", ""),
    ("int x = ;", "1:9", "expected an expression, found `;`", ""),
    ("int[] a;", "1:4", "the size of an array stands behind its name", "write `int a[3];`"),
    ("int[3] a;", "1:4", "the size of an array stands behind its name", "write `int a[3];`"),
    ("int a[];", "1:7", "expected the size of the array, found `]`", "write it, as in `int a[3] = {1, 2, 3};`"),
    ("int a[3] = {1, 2 3};", "1:18", "expected `,` or `}`, found `3`", ""),
    ("int up;", "1:5", "`up` is a reserved word and cannot be a name", "choose another name; only fields of records may be called like operations"),
    ("bool while;", "1:6", "`while` is a reserved word and cannot be a name", "choose another name"),
    ("boolean x", "1:10", "expected `;` after this declaration, found the end of the file", ""),
    ("const int N = 3;", "1:7", "a constant is declared without a type", "write `const N = 3;`"),
    ("const N;", "1:8", "expected `=` and the value of the constant, found `;`", ""),
    ("const N = \"a\";", "1:11", "a string can only be the message of an assertion", "write `assert(x == 1, \"message\");`"),
    ("enum E { }", "1:10", "expected the name of a member, found `}`", ""),
    ("enum E { A B }", "1:12", "expected `,` or `}`, found `B`", ""),
    ("record R { int x }", "1:18", "expected `;` after this declaration, found `}`", ""),
    ("record R int x;", "1:10", "expected `{` and the fields of the record, found `int`", ""),
    ("channel<int> c;", "1:14", "expected `(` and the capacity of the channel, found `c`", "write `channel<int>(3) c;`"),
    ("channel c;", "1:9", "expected `<` and the type of the elements, found `c`", ""),
    ("int(0.7) x;", "1:5", "`0.7` is not an integer", "a range is written with two dots: `0..7`"),
    ("int(0,7) x;", "1:6", "expected `..` and the upper bound, found `,`", ""),
    ("int x protected m;", "1:17", "expected `by` and a lock after `protected`, found `m`", ""),
    ("int x initialized by t;", "1:7", "expected `;` after this declaration, found `initialized`", "the clause is `initialised by`"),
    ("granularity fine;", "1:13", "expected `statement` or `access`, found `fine`", ""),
    ("invariant x = 1;", "1:13", "`=` assigns and has no value", "compare with `==`"),
    ("invariant count(1);", "1:17", "expected the name of a label, found `1`", ""),
    ("exclusive x holds(m);", "1:13", "expected `when` and a condition, found `holds`", ""),
    ("exclusive a[0] when true;", "1:13", "expected a name for the index, found `0`", ""),
    ("daemon logger { }", "1:8", "expected `thread` after `daemon`, found `logger`", ""),
    ("thread { }", "1:8", "expected a name, found `{`", ""),
    ("Thread t { skip; }", "1:10", "expected `;` after this declaration, found `{`", "threads are declared as `thread name { ... }`"),
    ("thread t[2][2] { }", "1:13", "a thread has only one count", ""),
    ("thread t(int a[3]) { }", "1:15", "a parameter cannot be an array", "arrays are shared variables: use it directly"),
    ("thread t() x = 1;", "1:12", "expected `{` and the body of the thread, found `x`", ""),
    ("struct Node { int x; }", "1:13", "expected `;` after this declaration, found `{`", "declare a `record`"),
    ("active proctype P() { skip; }", "1:17", "expected `;` after this declaration, found `P`", "threads are declared as `thread name { ... }`"),
    ("#define N 3", "1:1", "there is no preprocessor", "declare constants: `const N = 3;`"),
    ("x = 1;", "1:1", "expected a declaration, found `x`", "statements stand inside threads and functions"),
    ("}", "1:1", "this `}` closes nothing", ""),
    ("thread t { x = 1 }", "1:18", "expected `;` after this statement, found `}`", ""),
    ("thread t { x = 1\n y = 2; }", "1:17", "expected `;` after this statement, found `y`", ""),
    ("thread t { x = 1 2; }", "1:18", "expected `;` after this statement, found `2`", ""),
    ("thread t { x = (1 + 2; }", "1:22", "expected `)`, found `;`", ""),
    ("thread t { x = a[1; }", "1:19", "expected `]` after the index, found `;`", ""),
    ("thread t { x = f(1 2); }", "1:20", "expected `,` or `)`, found `2`", ""),
    ("thread t { if x == 1 { } }", "1:15", "expected `(` after `if`, found `x`", "write `if (...)`"),
    ("thread t { if (x = 1) { } }", "1:18", "`=` assigns and has no value", "compare with `==`"),
    ("thread t { if (x == 1 { } }", "1:23", "expected `)`, found `{`", ""),
    ("thread t { if (a) then x = 1; }", "1:19", "expected a statement, found `then`", "no `then` is needed: `if (c) { ... } else { ... }`"),
    ("thread t { if (a and b) { } }", "1:18", "expected `)`, found `and`", "the logical operator is `&&`"),
    ("thread t { while (a or b) { } }", "1:21", "expected `)`, found `or`", "the logical operator is `||`"),
    ("thread t { while (not a) { } }", "1:23", "expected `)`, found `a`", "the logical operator is `!`"),
    ("thread t { while (a) do { } }", "1:29", "expected `while` and the condition of the loop, found `}`", ""),
    ("thread t { if (a) int x = 1; }", "1:19", "a declaration cannot be the whole body", "put braces around the body"),
    ("thread t { else x = 1; }", "1:12", "this `else` belongs to no `if`", "put braces around the statements between `if` and `else`"),
    ("thread t { if (a) x = 1; y = 1; else z = 1; }", "1:33", "this `else` belongs to no `if`", "put braces around the statements between `if` and `else`"),
    ("thread t { if (a) x = 1; elif (b) { } }", "1:35", "expected `;` after this call, found `{`", "write `else if`"),
    ("thread t { do { } }", "1:19", "expected `while` and the condition of the loop, found `}`", ""),
    ("thread t { do :: a od }", "1:15", "expected a statement after `do`, found `::`", "Promela's selection is written `choose { when (g) ... or when (h) ... }`"),
    ("thread t { if :: a -> skip fi }", "1:15", "expected `(` after `if`, found `::`", "Promela's selection is written `choose { when (g) ... or when (h) ... }`"),
    ("thread t { for i = 0; i < n; i++ { } }", "1:16", "expected `(` after `for`, found `i`", "write `for (int i = 0; i < n; i++) ...`"),
    ("thread t { for (int i = 0, i < n, i++) { } }", "1:30", "expected `;` after this declaration, found `<`", ""),
    ("thread t { synchronized { } }", "1:25", "expected `(` and a lock after `synchronized`, found `{`", "the lock is always named: `synchronized (m) { ... }`"),
    ("thread t { synchronized m { } }", "1:25", "expected `(` after `synchronized`, found `m`", "write `synchronized (...)`"),
    ("thread t { synchronized (m) x = 1; }", "1:29", "expected `{` after `synchronized (...)`, found `x`", ""),
    ("thread t { wait(); }", "1:12", "`wait` takes 1 argument, found 0", "write `wait(m)`"),
    ("thread t { acquire m; }", "1:20", "expected `(` after `acquire`, found `m`", "write `acquire(m)`"),
    ("thread t { cas(x, 1); }", "1:12", "`cas` takes 3 arguments, found 2", "write `cas(x, old, new)`"),
    ("thread t { send(c); }", "1:12", "`send` takes 2 arguments, found 1", "write `send(c, 1)`"),
    ("thread t { m.wait(); }", "1:14", "there are no methods", "write `wait(m)`"),
    ("thread t { m.lock(); }", "1:14", "there are no methods", "write `acquire(m)`"),
    ("thread t { s.acquire(); }", "1:14", "there are no methods", "write `acquire(s)`, or for a semaphore `down(s)`"),
    ("thread t { System.out.println(x); }", "1:23", "there are no methods", "there is no output: the trace shows every value, and `assert(...)` checks one"),
    ("thred t { }", "1:9", "expected `;` after this declaration, found `{`", "did you mean `thread`?"),
    ("semaphore s(1);", "1:12", "expected `=` and the value of the semaphore, found `(`", "write `semaphore s = 1;`"),
    ("int *p;", "1:5", "expected a name, found `*`", "there are no pointers: declare a `record`, and variables that refer to one"),
    ("thread t { for (int v : a) { } }", "1:23", "expected `=` and the first value, found `:`", "write `for (int i = 0; i < length(a); i++) ...`"),
    ("thread t { lock(m); }", "1:16", "expected a name, found `(`", "write `synchronized (m) { ... }`, or `acquire(m);`"),
    ("thread t { x == 1; }", "1:12", "this expression has no effect", "assign with `=`"),
    ("thread t { x; }", "1:12", "this expression has no effect", ""),
    ("thread t { 1 = x; }", "1:12", "this cannot be assigned to", ""),
    ("thread t { f() = x; }", "1:12", "this cannot be assigned to", ""),
    ("thread t { x = y = 1; }", "1:18", "assignments cannot be chained", "write one statement for each variable"),
    ("thread t { ++x; }", "1:12", "expected a statement, found `++`", "write the operator behind: `x++;`"),
    ("thread t { x = y++; }", "1:17", "expected `;` after this statement, found `++`", "`++` and `--` are statements of their own: `x++;`"),
    ("thread t { x := 1; }", "1:14", "expected `=` or another operator after this expression, found `:=`", "assign with `=`"),
    ("thread t { n->next = null; }", "1:13", "expected `=` or another operator after this expression, found `->`", "fields are written `node.next`, guards `when (g) ...`"),
    ("thread t { x = a >>> 1; }", "1:18", "expected `;` after this statement, found `>>>`", "numbers have a sign: shift with `>>`"),
    ("thread t { x = acquire(m); }", "1:16", "`acquire` has no value", "it is a statement of its own"),
    ("thread t { receive = 1; receive = 2; }", "1:12", "expected `(` after `receive`, found `=`", "it is used as `receive(c)`"),
    ("thread t { x = \"a\"; }", "1:16", "a string can only be the message of an assertion", "write `assert(x == 1, \"message\");`"),
    ("thread t { printf(\"a\"); }", "1:19", "a string can only be the message of an assertion", "there is no output: the trace shows every value, and `assert(...)` checks one"),
    ("thread t { assert x == 1; }", "1:19", "expected `(` after `assert`, found `x`", "write `assert (...)`"),
    ("thread t { assert(x) : \"a\"; }", "1:22", "expected `;` after this statement, found `:`", "write `assert(c, \"message\");`"),
    ("thread t { assert(x, y); }", "1:22", "expected a string, the message of the assertion, found `y`", ""),
    ("thread t { choose { or x = 1; } }", "1:21", "expected a statement in this alternative, found `or`", "write `skip;` when there is nothing to do"),
    ("thread t { choose x = 1; }", "1:19", "expected `{` or `(` after `choose`, found `x`", ""),
    ("thread t { x = choose(3); }", "1:24", "expected `..` and the greatest value, found `)`", "write `choose(0..3)`"),
    ("thread t { or x = 1; }", "1:12", "`or` stands only inside `choose`", "write `choose { ... or when (g) ... }`"),
    ("thread t { when (a) x = 1; }", "1:12", "`when` stands only inside `choose`", "write `choose { ... or when (g) ... }`"),
    ("thread t { l: }", "1:15", "expected a statement after the label, found `}`", "write `skip;` when there is nothing to do"),
    ("thread t { l: m: skip; }", "1:15", "a statement has only one label", "put `skip;` between the labels"),
    ("thread t { spawn u; }", "1:19", "expected `(` and the arguments of the thread, found `;`", "write `spawn u()`"),
    ("thread t { t = new int[3]; }", "1:20", "expected the name of a record, found `int`", "arrays are declared with their size: `int a[3];`"),
    ("thread t { n = new Node(1); }", "1:24", "`new` takes no arguments", "assign the fields afterwards"),
    ("thread t { n = new Node[3]; }", "1:24", "arrays are not created at run time", "declare it with its size: `int a[3];`"),
    ("thread t { atomic x = 1; }", "1:19", "expected `{` after `atomic`, found `x`", ""),
    ("thread t { int f(int x) { } }", "1:12", "a function cannot be declared inside a body", "move it out of the thread or function"),
    ("thread t { const N = 3; }", "1:12", "`const` cannot stand inside a body", "move it out of the thread or function"),
    ("thread t { skip;", "1:17", "expected `}` to close this block, found the end of the file", ""),
    ("thread t { while (a) { skip; }\nthread u { }", "1:31", "expected `}` to close this block, found `thread`", ""),
    ("thread t { x = 1 @ 2; }", "1:18", "unknown character `@`", ""),
    ("thread t { x = 'a'; }", "1:16", "there are no characters", "declare an `enum`, or use numbers"),
    ("thread t { x = 4294967296; }", "1:16", "the number `4294967296` is too large", "numbers go from -2147483648 to 2147483647"),
    ("thread t { x = 007; }", "1:16", "the number `007` begins with a zero", "leave the zeros out; hexadecimal is `0x1f`, binary `0b101`"),
    ("thread t { x = 3u; }", "1:16", "`3u` is neither a number nor a name", "names begin with a letter, and numbers have no suffix"),
    ("thread t { x = 1.5; }", "1:16", "`1.5` is not an integer", "a range is written with two dots: `0..7`"),
    ("thread t { assert(x, \"a); }", "1:22", "this string is not closed on its line", ""),
    ("/* a", "1:1", "this comment is never closed", "close it with `*/`; comments do not nest"),
    ("thread t { x = a ? b; }", "1:21", "expected `:` and the other value, found `;`", ""),
    ("thread t { return }", "1:19", "expected `;` after this statement, found `}`", ""),
    ("thread t { break }", "1:18", "expected `;` after `break`, found `}`", ""),
    ("int é;", "1:5", "unknown character `é`", ""),
    ("thread t { switch (x) { } }", "1:23", "expected `;` after this call, found `{`", "write `if (...) ... else if (...) ...`"),
    ("thread t { foreach (x) { } }", "1:24", "expected `;` after this call, found `{`", "there is no statement `foreach`"),
    ("thread t { for (int i = 0; i < n; i++ { } }", "1:39", "expected `)` after the parts of `for`, found `{`", ""),
    ("thread t { assert(x, \"a\\q\"); }", "1:22", "unknown escape in a string", "the escapes are `\\\"`, `\\\\`, `\\n`, `\\r` and `\\t`"),
    ("thread t { x = $€; }", "1:16", "unknown characters `$€`", ""),
];

#[test]
fn one_mistake_gives_one_error() {
    let mut wrong = Vec::new();
    for (source, place, message, help) in MISTAKES {
        let found = messages(source);
        let found_help = errors(source)[0].help.clone().unwrap_or_default();
        if found != [format!("{place} {message}")] || found_help != *help {
            wrong.push(format!("{source:?}: {found:?} (help: {found_help})"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn independent_mistakes_are_reported_at_once() {
    let source = "const int N = 3;
lock m
record Node { int value Node next; int x = ; }
thread a {
    int join = 0;
    join = join + 1;
    if x == 1 { y = 2 }
    else if (x = 2) y = 3;
    while (a and b) { z = (1 + ; }
    synchronized { wait(); }
    x = 1 @ 2;
    m.wait();
}
thread b { x = 099; skip }
int y[3] = {1, 2 3};
";
    let expected = [
        "1:7 a constant is declared without a type",
        "2:7 expected `;` after this declaration, found `record`",
        "3:25 expected `;` after this declaration, found `Node`",
        "3:44 expected an expression, found `;`",
        "5:9 `join` is a reserved word and cannot be a name",
        "7:8 expected `(` after `if`, found `x`",
        "7:23 expected `;` after this statement, found `}`",
        "8:16 `=` assigns and has no value",
        "9:14 expected `)`, found `and`",
        "9:32 expected an expression, found `;`",
        "10:18 expected `(` and a lock after `synchronized`, found `{`",
        "10:20 `wait` takes 1 argument, found 0",
        "11:11 unknown character `@`",
        "12:7 there are no methods",
        "14:16 the number `099` begins with a zero",
        "14:26 expected `;` after `skip`, found `}`",
        "15:18 expected `,` or `}`, found `3`",
    ];
    assert_eq!(messages(source), expected);
}

#[test]
fn a_missing_brace_is_reported_where_the_next_item_begins() {
    let source = "thread a { while (x) { skip; }\nthread b { skip; }\nthread c { x = ; }\n";
    assert_eq!(
        messages(source),
        [
            "1:31 expected `}` to close this block, found `thread`",
            "3:16 expected an expression, found `;`",
        ]
    );
}

#[test]
fn a_superfluous_brace_does_not_make_errors_of_what_follows() {
    let source = "thread a { skip; } }\nx = 1; f(y); }\nthread b { y = ; }";
    assert_eq!(
        messages(source),
        [
            "1:20 this `}` closes nothing",
            "3:16 expected an expression, found `;`",
        ]
    );
}

/// Taking any one word or sign out of a correct program gives at most three errors.
#[test]
fn errors_do_not_cascade() {
    let bytes = SAMPLE.as_bytes();
    let word = |byte: u8| byte.is_ascii_alphanumeric();
    let mut start = 0;
    while start < bytes.len() {
        let mut end = start + 1;
        while word(bytes[start]) && end < bytes.len() && word(bytes[end]) {
            end += 1;
        }
        let mutant = format!("{}{}", &SAMPLE[..start], &SAMPLE[end..]);
        if let Err(errors) = parse(&mutant) {
            let removed = &SAMPLE[start..end];
            assert!(
                errors.len() <= 3,
                "without `{removed}` at {start}: {errors:#?}"
            );
        }
        start = end;
    }
}

#[test]
fn rendering() {
    let source = "thread t {\n\tx = (1 + 2;\n}\n";
    let expected = "\
error: expected `)`, found `;`
 --> model.rad:2:12
  |
2 |     x = (1 + 2;
  |         -     ^ expected `)`
  |         |
  |         opened here
";
    assert_eq!(
        render(source, "model.rad", &errors(source), false),
        expected
    );
    assert!(render(source, "model.rad", &errors(source), true).contains('\u{1b}'));
    let many = "int ;\n".repeat(30);
    let text = render(&many, "model.rad", &errors(&many), false);
    assert_eq!(text.matches("error:").count(), 20);
    assert!(text.ends_with("… and 10 more\n"), "{text}");
    assert_eq!(render("", "empty.rad", &[], false), "");
}

#[test]
fn rendering_survives_any_span() {
    for source in [
        "",
        "\n",
        "é",
        "a\r\nb\r\n",
        "\t\tx",
        "日本\n語",
        "a\u{301}",
        "\u{feff}x",
    ] {
        for start in 0..12 {
            for end in 0..12 {
                let error = Diagnostic::new(start..end, "message", "label");
                let error = error.related(end..start, "other").help("help");
                let text = render(source, "model.rad", &[error], false);
                assert!(text.contains("error: message"), "{text}");
            }
        }
    }
}

#[test]
fn places() {
    let lines = Lines::new("ab\r\né日x\n\ny");
    let at = |offset| {
        let place = lines.place(offset);
        (place.line, place.column)
    };
    assert_eq!(
        [at(0), at(1), at(2), at(3)],
        [(1, 1), (1, 2), (1, 3), (1, 4)]
    );
    // `é` has two bytes, `日` three; an offset inside of one is the place of the whole.
    assert_eq!(
        [at(4), at(5), at(6), at(7), at(8)],
        [(2, 1), (2, 1), (2, 2), (2, 2), (2, 2)]
    );
    assert_eq!(
        [at(9), at(10), at(11), at(12)],
        [(2, 3), (2, 4), (3, 1), (4, 1)]
    );
    assert_eq!(at(13), (4, 2));
    let empty = Lines::new("").place(0);
    assert_eq!((empty.line, empty.column), (1, 1));
}

/// The end of a text that is nested without bound, and the same within bounds.
#[test]
fn depth_is_limited() {
    let nestings = [
        ("thread t { x = ", "(", "1", ")", "; }"),
        ("thread t { x = ", "- ", "1", " ", "; }"),
        ("thread t { x = ", "!", "1", " ", "; }"),
        ("thread t { x = ", "a[", "1", "]", "; }"),
        ("thread t { x = ", "f(", "1", ")", "; }"),
        ("thread t { x = ", "1 ? 1 : ", "1", " ", "; }"),
        ("thread t { x = ", "1 ? ", "1", ": 1", "; }"),
        ("thread t { x = ", "a || b && (", "1", ")", "; }"),
        (
            "thread t { x = ",
            "a||a&&a|a^a&a==a<a<<a+a*(",
            "1",
            ")",
            "; }",
        ),
        ("thread t { ", "{", "skip;", "}", "}"),
        ("thread t { ", "if (a) ", "skip;", " ", "}"),
        ("thread t { ", "if (a) skip; else ", "skip;", " ", "}"),
        ("thread t { ", "do ", "skip;", " while (a);", "}"),
        ("thread t { ", "for (;;) ", "skip;", " ", "}"),
        ("thread t { ", "await (a) ", "skip;", " ", "}"),
        ("thread t { ", "choose { ", "skip;", " }", "}"),
        ("thread t { ", "atomic { ", "skip;", " }", "}"),
        ("thread t { ", "synchronized (m) { ", "skip;", " }", "}"),
        ("int a[1] = ", "{", "1", "}", ";"),
        ("", "channel<", "int", ">(1)", " c;"),
        ("", "int(0..", "1", ")", " x;"),
        ("", "thread t { ", "skip;", " }", ""),
    ];
    for (before, open, middle, close, after) in nestings {
        let text = |n: usize| {
            format!(
                "{before}{}{middle}{}{after}",
                open.repeat(n),
                close.repeat(n)
            )
        };
        let deep = errors(&text(100_000));
        assert!(deep.len() <= 2 * DEEPEST + 2, "{open}: {}", deep.len());
        let unclosed = parse(&format!("{before}{}", open.repeat(100_000)));
        assert!(unclosed.is_err(), "{open}");
        if !open.starts_with("int(") && !open.starts_with("thread") {
            let expected = format!("this is nested more than {DEEPEST} deep");
            assert_eq!(
                deep.last().map(|e| e.message.clone()),
                Some(expected),
                "{open}"
            );
            assert!(parse(&text(DEEPEST / 15)).is_ok(), "{open}");
        }
    }
}

/// Chains are not nested, and yet they make high trees.
#[test]
fn height_is_limited() {
    let chains = [("a", " + a"), ("a", ".b"), ("a", "[0]"), ("a", " || a")];
    for (first, more) in chains {
        let text = |n: usize| format!("const C = {first}{};", more.repeat(n));
        assert!(parse(&text(TALLEST / 2)).is_ok(), "{more}");
        let message = format!("this expression has more than {TALLEST} levels");
        assert_eq!(errors(&text(100_000))[0].message, message);
        // The height adds up over nested chains.
        let chain = more.repeat(60);
        let nested = format!(
            "const C = {}a{};",
            "(".repeat(20),
            format!("{chain})").repeat(20)
        );
        assert_eq!(errors(&nested)[0].message, message);
    }
}

/// Long texts without structure take linear time: this test would take hours otherwise.
#[test]
fn time_is_linear() {
    let pieces = [
        "thread a\n",
        "thread a[",
        "int x\n",
        "x\n",
        "{",
        "}",
        "{ } ",
        "(",
        ")",
        ";",
        "@",
        "@ ",
        "\"",
        "\"\n",
        "/*",
        "//\n",
        "if ",
        "if (",
        "if (a\n",
        "else ",
        "or ",
        "when (",
        "choose { or ",
        "record r {",
        "enum e {",
        "int a = {",
        "int f(",
        "= ",
        "x = ",
        "x = 1\n",
        "l: ",
        "l: m: ",
        "count ",
        "count:",
        "x.count(",
        "for (",
        "for (int i = 0; ",
        "invariant ",
        "é",
        "'",
        "#",
        "1.5 ",
        "Name Name ",
    ];
    for piece in pieces {
        for before in ["", "thread t { ", "thread t { x = "] {
            let source = format!("{before}{}", piece.repeat(50_000));
            let _ = parse(&source);
        }
    }
}

/// What must hold for every text.
fn survives(source: &str) -> Result<(), TestCaseError> {
    match parse(source) {
        Ok(program) => {
            let text = format(&program);
            let again = parse(&text).map_err(|e| {
                TestCaseError::fail(format!("{text}\n{}", render(&text, "t", &e, false)))
            })?;
            prop_assert_eq!(format(&again), text);
        }
        Err(errors) => {
            prop_assert!(!errors.is_empty());
            for error in &errors {
                prop_assert!(error.span.start <= error.span.end);
                prop_assert!(source.get(error.span.clone()).is_some(), "{error:?}");
                prop_assert!(!error.message.ends_with('.') && !error.message.is_empty());
            }
            let text = render(source, "model.rad", &errors, false);
            prop_assert!(text.contains("error: "));
        }
    }
    // Names are where they stand, whatever else is wrong.
    for (span, declared) in &raddle_lang::index(source).uses {
        prop_assert_eq!(source.get(span.clone()), source.get(declared.clone()));
    }
    Ok(())
}

const WORDS: &[&str] = &[
    "const",
    "enum",
    "record",
    "granularity",
    "local",
    "daemon",
    "invariant",
    "exclusive",
    "protected",
    "by",
    "unprotected",
    "initialised",
    "void",
    "int",
    "bool",
    "lock",
    "semaphore",
    "channel",
    "thread",
    "if",
    "else",
    "while",
    "do",
    "for",
    "break",
    "continue",
    "return",
    "skip",
    "synchronized",
    "atomic",
    "await",
    "choose",
    "or",
    "when",
    "assume",
    "assert",
    "unreachable",
    "true",
    "null",
    "self",
    "index",
    "new",
    "spawn",
    "acquire",
    "wait",
    "up",
    "send",
    "receive",
    "join",
    "cas",
    "fetchAdd",
    "holds",
    "length",
    "value",
    "at",
    "count",
    "statement",
    "wrap",
    "x",
    "y",
    "N",
    "Node",
    "0",
    "7",
    "99999999999",
    "\"text\"",
    "\"",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    ".",
    "..",
    ":",
    "?",
    "=",
    "+=",
    "++",
    "--",
    "+",
    "-",
    "*",
    "/",
    "==",
    "<",
    ">",
    "<<",
    ">>",
    "&&",
    "||",
    "&",
    "|",
    "!",
    "~",
    "->",
    "::",
    "/*",
    "*/",
    "//",
    "\n",
    "\r\n",
    "@",
    "é",
    "#",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn random_bytes_survive(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survives(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn random_characters_survive(text in "[ -~\n\t€é日]{0,200}") {
        survives(&text)?;
    }

    #[test]
    fn random_words_survive(words in prop::collection::vec(prop::sample::select(WORDS), 0..80)) {
        survives(&words.join(" "))?;
        survives(&words.concat())?;
        survives(&format!("thread t {{ {} }}", words.join(" ")))?;
    }

    #[test]
    fn mutants_survive(
        cuts in prop::collection::vec(
            (any::<prop::sample::Index>(), 0usize..12, prop::sample::select(WORDS)),
            1..6,
        ),
    ) {
        let mut text: Vec<char> = SAMPLE.chars().collect();
        for (place, length, word) in cuts {
            let start = place.index(text.len());
            let end = (start + length).min(text.len());
            text.splice(start..end, word.chars());
        }
        survives(&text.into_iter().collect::<String>())?;
    }
}

//! What the checker says about programs that can be read but make no sense.

use raddle_diagnostics::{Diagnostic, Lines};
use raddle_lang::check::check;
use raddle_lang::parser::{self, parse};

/// Each of these has one mistake and gets exactly one error: the source, the place,
/// the message, the help (empty if there is none). `main` is added where it is missing.
#[rustfmt::skip]
const MISTAKES: &[(&str, &str, &str, &str)] = &[
    // Names.
    ("thread t { x = 1; }", "1:12", "unknown name `x`", ""),
    ("int counter; thread t { countr = 1; }", "1:25", "unknown name `countr`", "did you mean `counter`?"),
    ("thread t { int turn = 1; trun = 2; }", "1:26", "unknown name `trun`", "did you mean `turn`?"),
    ("enum C { Red } C c; thread t { c = red; }", "1:36", "unknown name `red`", "did you mean `Red`?"),
    ("int x; bool x;", "1:13", "`x` is declared twice", ""),
    ("int f() { return 1; } void f() { }", "1:28", "`f` is declared twice", ""),
    ("int x; void x() { }", "1:13", "`x` is declared twice", ""),
    ("enum C { A, B, A }", "1:16", "`A` is declared twice", ""),
    ("record R { int a; bool a; }", "1:24", "`a` is declared twice", ""),
    ("enum C { A } int A;", "1:10", "`A` is also the name of a variable", ""),
    ("enum C { A } enum D { A } thread t { C c = A; }", "1:44", "`A` is a member of several enumerations", "write `C.A` or `D.A`"),
    ("enum C { Red } thread t { C c = C.Rad; }", "1:35", "the enumeration `C` has no member `Rad`", "did you mean `Red`?"),
    ("int x; thread t { int x; }", "1:23", "`x` is already declared", "give one of them another name"),
    ("thread t { int i; { int i; } }", "1:25", "`i` is already declared", "give one of them another name"),
    ("void f(int a, int a) { }", "1:19", "`a` is already declared", "give one of them another name"),
    ("const N = 1; void f() { int N; }", "1:29", "`N` is already declared", "give one of them another name"),
    ("thread t { { int i; } i = 1; }", "1:23", "unknown name `i`", ""),
    ("thread t { int i = i; }", "1:20", "unknown name `i`", ""),
    ("Nod n; record Node { }", "1:1", "unknown type `Nod`", "did you mean `Node`?"),
    ("int x; x y;", "1:8", "`x` is a variable, not a type", ""),
    ("void f() { } thread t { f = 1; }", "1:25", "`f` is a function, not a value", "call it: `f(...)`"),
    ("enum C { A } thread t { int i = C; }", "1:33", "`C` is an enumeration, not a value", "name a member: `C.Member`"),
    ("granularity access; granularity statement;", "1:21", "the granularity is chosen twice", ""),
    // Constants.
    ("const N = M; const M = 1;", "1:11", "the constant `M` is used before its declaration", ""),
    ("int x; const N = x;", "1:18", "`x` is a variable, not a constant", ""),
    ("const N = 2147483647 + 1;", "1:11", "this constant does not fit into 32 bits", ""),
    ("const N = 2147483648;", "1:11", "this number does not fit into 32 bits", ""),
    ("const N = 1 / (1 - 1);", "1:11", "this constant divides by zero", ""),
    ("const N = null;", "1:11", "a constant cannot be `null`", ""),
    ("const N = self;", "1:11", "a constant cannot use `self`", ""),
    ("int f() { return 1; } const N = f();", "1:33", "a constant expression cannot call functions", ""),
    ("const N = 1; thread t { N = 2; }", "1:25", "cannot assign to a constant", ""),
    ("enum C { A } thread t { A = 2; }", "1:25", "cannot assign to a constant", ""),
    // Types of variables.
    ("int a[0];", "1:7", "an array cannot have 0 elements", ""),
    ("int a[2][-1];", "1:10", "an array cannot have -1 elements", ""),
    ("int a[true];", "1:7", "expected `int`, found `bool`", "truth values are not numbers; write `c ? 1 : 0`"),
    ("int a[2000][2000];", "1:5", "`a` is too large", ""),
    ("int a[1000000]; int b[1000000];", "1:21", "the shared variables are too large", ""),
    ("int a[1][1][1][1][1][1][1][1][1];", "1:5", "`a` has too many dimensions", ""),
    ("int(3..1) x;", "1:5", "the range 3..1 is empty", ""),
    ("int(0..3) x = 4;", "1:15", "4 is outside of the range 0..3", ""),
    ("thread t { int(0..3) x = 2 + 2; }", "1:26", "4 is outside of the range 0..3", ""),
    ("int a[3] = {1, 2};", "1:12", "expected 3 elements, found 2", ""),
    ("int a[2][2] = {{1, 2}, {3}};", "1:24", "expected 2 elements, found 1", ""),
    ("int a = {1};", "1:9", "a list can only initialise an array", ""),
    ("bool b = 1;", "1:10", "expected `bool`, found `int`", "use `true` or `false`"),
    ("semaphore s = -1;", "1:15", "a semaphore cannot be negative", ""),
    ("lock m = 1;", "1:10", "a lock has no initial value", ""),
    ("channel<int>(0) c;", "1:14", "a channel cannot have the capacity 0", "for a handshake, let the sender wait until its message was taken: `send(c, e); down(taken);` and `v = receive(c); up(taken);`, with a capacity of 1, `semaphore taken;` and, if several threads send, a lock around the sender's two steps"),
    ("record R { int a; } record S { int b; } R r = new S;", "1:47", "expected `R`, found `S`", ""),
    ("int x = new R; record R { int a; }", "1:9", "expected `int`, found `R`", ""),
    ("int x = choose(0..1);", "1:9", "a constant expression cannot choose", "let a thread choose the value, and the others wait for that: `x = choose(0..1); ready = true;` and `await (ready);`"),
    ("record R { R next = new R; }", "1:21", "a constant expression cannot create records", "shared variables can begin with `new`; for others, assign it in a thread"),
    ("channel<lock>(1) c;", "1:9", "an element of a channel cannot be a lock", "declare a lock as a shared variable or as a field of a record, and pass its index or a reference to its record"),
    ("thread t { lock m; }", "1:12", "a local variable cannot be a lock", "declare a lock as a shared variable or as a field of a record, and pass its index or a reference to its record"),
    ("void f(semaphore s) { }", "1:8", "a parameter cannot be a semaphore", "declare a semaphore as a shared variable or as a field of a record, and pass its index or a reference to its record"),
    ("lock f() { }", "1:1", "the result of a function cannot be a lock", "declare a lock as a shared variable or as a field of a record, and pass its index or a reference to its record"),
    ("local lock m;", "1:7", "a lock cannot be local to a thread", "without `local` all threads share it"),
    ("local int a[5000];", "1:11", "the variables local to each thread are too large", ""),
    ("thread t { int a[3000]; int b[3000]; }", "1:29", "the local variables are too large", ""),
    // Expressions.
    ("int x; thread t { if (x) skip; }", "1:23", "expected `bool`, found `int`", "numbers are not truth values; compare it, as in `x != 0`"),
    ("bool b; thread t { int i = b + 1; }", "1:28", "expected `int`, found `bool`", "truth values are not numbers; write `c ? 1 : 0`"),
    ("enum C { A } thread t { bool b = C.A < 1; }", "1:34", "expected `int`, found `C`", ""),
    ("enum C { A } enum D { B } thread t { bool b = A == B; }", "1:52", "expected `C`, found `D`", ""),
    ("int x; thread t { x = null; }", "1:23", "expected `int`, found `null`", ""),
    ("record R { } record S { } R r; thread t { r = new S; }", "1:47", "expected `R`, found `S`", ""),
    ("record R { int v; } R r; thread t { r.w = 1; }", "1:39", "the record `R` has no field `w`", ""),
    ("record R { int value; } R r; thread t { r.vale = 1; }", "1:43", "the record `R` has no field `vale`", "did you mean `value`?"),
    ("int x; thread t { x.y = 1; }", "1:19", "`int` has no fields", ""),
    ("int x; thread t { x[0] = 1; }", "1:19", "this is not an array", ""),
    ("int a[2]; thread t { a[0][1] = 1; }", "1:27", "too many indices", ""),
    ("int a[2][2]; thread t { a[0] = 1; }", "1:25", "an array is not a value", "give it an index for each of its dimensions"),
    ("int a[2]; thread t { int i = a; }", "1:30", "an array is not a value", "give it an index for each of its dimensions"),
    ("int a[2]; thread t { a[true] = 1; }", "1:24", "expected `int`, found `bool`", "truth values are not numbers; write `c ? 1 : 0`"),
    ("lock m; thread t { m = 1; }", "1:20", "a lock is not a value", "use it with `synchronized`, `acquire`, `release`, `holds` and the like"),
    ("semaphore s; thread t { if (s == 0) skip; }", "1:29", "a semaphore is not a value", "use it with `up`, `down` and `value`"),
    ("int x; thread t { acquire(x); }", "1:27", "expected a lock, found `int`", "declare one, as in `lock m;`"),
    ("semaphore s; thread t { acquire(s); }", "1:33", "expected a lock, found a semaphore", "a semaphore is used with `down(s)` and `up(s)`"),
    ("lock m; thread t { down(m); }", "1:25", "expected a semaphore, found a lock", "a lock is used with `acquire(m)` and `release(m)`"),
    ("lock m[2]; thread t { acquire(m); }", "1:31", "expected a lock, found an array of them", ""),
    ("channel<int>(1) c; thread t { send(c, true); }", "1:39", "expected `int`, found `bool`", "truth values are not numbers; write `c ? 1 : 0`"),
    ("int x; thread t { int n = length(x); }", "1:34", "this has no length", ""),
    ("thread t { int i; bool b = cas(i, 0, 1); }", "1:32", "`cas` needs a shared variable", "no other thread can interfere; use an assignment"),
    ("bool b; thread t { fetchAdd(b, 1); }", "1:29", "expected `int`, found `bool`", ""),
    ("int x; thread t { join(x); }", "1:24", "expected `thread`, found `int`", ""),
    ("int x; thread t { fetchAdd(x + 1, 1); }", "1:28", "cannot update a computed value", ""),
    // Calls and threads.
    ("thread t { g(); }", "1:12", "unknown function `g`", ""),
    ("lock m; thread t { aquire(m); }", "1:20", "unknown function `aquire`", "did you mean `acquire`?"),
    ("lock m; thread t { tryLock(m); }", "1:20", "unknown function `tryLock`", "did you mean `acquire`? It waits until the lock is free"),
    ("int x; thread t { synchronized (x) { } }", "1:33", "expected a lock, found `int`", "declare one, as in `lock m;`"),
    ("thread t { goto end; }", "1:12", "unknown type `goto`", "there is no `goto`: use loops, `break` and `continue`"),
    ("thread t { int n; } invariant n == 0;", "1:31", "a local variable of a thread cannot be used in an invariant", "declare it outside of the threads to share it"),
    ("void work() { } thread t { wrok(); }", "1:28", "unknown function `wrok`", "did you mean `work`?"),
    ("void f(int a) { } thread t { f(); }", "1:30", "`f` takes 1 argument, but 0 given", ""),
    ("void f(int a) { } thread t { f(true); }", "1:32", "expected `int`, found `bool`", "truth values are not numbers; write `c ? 1 : 0`"),
    ("void f() { } thread t { int i = f(); }", "1:33", "expected `int`, found `void`", ""),
    ("thread c() { } thread t { c(); }", "1:27", "`c` is a kind of thread, not a function", "start it with `spawn c(...)`"),
    ("thread c { } thread t { spawn c(); }", "1:31", "`c` cannot be started with `spawn`", "declare it as `thread c()`"),
    ("thread child() { } thread t { spawn chidl(); }", "1:37", "unknown thread `chidl`", "did you mean `child`?"),
    ("void f() { } thread t { spawn f(); }", "1:31", "`f` is a function, not a kind of thread", ""),
    ("thread t { int r = new int2; }", "1:24", "unknown record `int2`", ""),
    ("thread t[2](int a) { } thread u { }", "1:10", "the thread `t` has both a count and parameters", "remove the count, or the parentheses and use `index`"),
    ("thread t[-1] { }", "1:10", "there cannot be -1 threads", ""),
    ("thread t[10001] { }", "1:10", "there cannot be 10001 threads", ""),
    ("thread t[6000] { } thread u[6000] { }", "1:27", "too many threads", ""),
    ("thread t { int i = index; }", "1:20", "this thread has no `index`", "declare it with a count, as in `thread worker[3]`"),
    ("int f() { return index; }", "1:18", "a function has no `index`", "pass it to the function as an argument"),
    ("thread c() { }", "1:1", "the program has no thread", "declare one that exists from the start, without parentheses: `thread main { ... }`"),
    // Statements.
    ("thread t { break; }", "1:12", "`break` outside of a loop", ""),
    ("thread t { continue; }", "1:12", "`continue` outside of a loop", ""),
    ("thread t { return 1; }", "1:19", "a thread cannot return a value", ""),
    ("void f() { return 1; }", "1:19", "a function without a result cannot return a value", ""),
    ("int f() { return; }", "1:11", "this `return` needs a value", ""),
    ("int f() { }", "1:11", "`f` can end without a result", ""),
    ("int f(bool b) { if (b) return 1; }", "1:34", "`f` can end without a result", ""),
    ("int f(bool b) { while (true) { if (b) break; } }", "1:48", "`f` can end without a result", ""),
    ("bool f() { return 1; }", "1:19", "expected `bool`, found `int`", "use `true` or `false`"),
    ("bool b; thread t { b += 1; }", "1:20", "expected `int`, found `bool`", "truth values are not numbers; write `c ? 1 : 0`"),
    ("lock m; thread t { atomic { wait(m); } }", "1:29", "`wait` inside of an atomic block", ""),
    ("lock m; thread t { await (true) wait(m); }", "1:33", "`wait` inside of an atomic block", ""),
    ("lock m; void g() { wait(m); } void f() { g(); } thread t { atomic { f(); } }", "1:69", "`f` waits, and is called inside of an atomic block", ""),
    ("bool f() { skip; return true; } thread t { await (f()); }", "1:51", "a condition of `await` cannot call this function", "write what a loop computes as `forall(i in 0..3: ...)`, `exists`, `count` or `sum`"),
    ("bool f() { return f(); } thread t { await (f()); }", "1:19", "`f` calls itself", ""),
    ("thread t[0] { skip; }", "1:10", "there cannot be 0 threads", ""),
    ("int a[2]; thread t { a[0] = sum(a in 0..1: 1); }", "1:33", "`a` is the name of something else", ""),
    ("int x; thread t { x = sum(i in 0..x: 1); }", "1:35", "`x` is a variable, not a constant", ""),
    ("int x; thread t { x = sum(i in x: 1); }", "1:32", "a quantifier cannot go over this", ""),
    ("int x; thread t { x = sum(i in t: 1); }", "1:32", "it is not known how many threads `t` there are", ""),
    ("int x; thread t { x = sum(i in 0..999999999: 1); }", "1:23", "quantifiers and functions become too large here", ""),
    ("int x; thread t { x = sum(i in 0..3: y); }", "1:38", "unknown name `y`", ""),
    ("int x; thread t { choose { when (cas(x, 0, 1)) skip; or skip; } }", "1:34", "a guard cannot change variables", ""),
    ("thread t { a: skip; } thread u { a: skip; }", "1:34", "the label `a` is used twice", ""),
    ("thread t { a: skip; if (at(a)) skip; }", "1:25", "`at` cannot be used here", ""),
    ("thread t { a: skip; int i = count(a); }", "1:29", "`count` cannot be used here", ""),
    ("thread t { atomic { a: skip; } } invariant count(a) <= 1;", "1:50", "no thread ever stands at `a`", ""),
    ("thread t { crit: skip; } invariant count(crt) <= 1;", "1:42", "unknown label `crt`", "did you mean `crit`?"),
    // Invariants and claims.
    ("invariant 1;", "1:11", "expected `bool`, found `int`", "use `true` or `false`"),
    ("invariant self == null;", "1:11", "an invariant cannot use `self`", ""),
    ("invariant index == 0;", "1:11", "`index` cannot be used here", ""),
    ("thread t { a: skip; } invariant at(a);", "1:33", "an invariant cannot use `at`", "`count(label)` tells how many threads stand there"),
    ("local int x; invariant x == 0;", "1:24", "an invariant cannot use `x`", ""),
    ("bool f() { skip; return true; } invariant f();", "1:43", "an invariant cannot call this function", "write what a loop computes as `forall(i in 0..3: ...)`, `exists`, `count` or `sum`"),
    ("int f(int x) { return x + x; } invariant f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(1)))))))))))))))))))) == 0;", "1:27", "quantifiers and functions become too large here", ""),
    ("int x protected by y; int y;", "1:20", "expected a lock, found `int`", "declare one, as in `lock m;`"),
    ("lock m[2]; int x protected by m;", "1:31", "expected a lock, found an array of them", ""),
    ("lock m[2]; int x protected by m[2];", "1:33", "the index 2 is out of range", ""),
    ("lock m[2]; int y; int x protected by m[y];", "1:40", "the index of a protecting lock must be constant", ""),
    ("record R { lock m; } R r; int x protected by r.m;", "1:46", "this lock cannot protect a variable", ""),
    ("lock m; int x protected by m unprotected;", "1:30", "these claims contradict each other", "a variable has one discipline"),
    ("lock m; int x protected by m; exclusive x when holds(m);", "1:41", "these claims contradict each other", "a variable has one discipline"),
    ("int x initialised by u; thread t { }", "1:22", "unknown thread `u`", ""),
    ("lock m; lock n protected by m;", "1:16", "a claim about a synchronisation object", ""),
    ("lock m; local int x protected by m;", "1:21", "a claim about a variable of which each thread has its own", ""),
    ("exclusive x when true;", "1:11", "unknown variable `x`", ""),
    ("lock m; exclusive m when true;", "1:19", "a claim about a synchronisation object", ""),
    ("int g[2][2]; exclusive g[i] when i == 0;", "1:26", "only the index of an array of one dimension can be named", ""),
    ("record R { int v; } exclusive R.w when true;", "1:33", "the record `R` has no field `w`", ""),
];

#[test]
fn each_mistake_is_reported_once_where_it_is() {
    let mut wrong = Vec::new();
    for (source, place, message, help) in MISTAKES {
        let expected = format!("{place} {message} [{help}]");
        let found: Vec<String> = errors(&with_thread(source)).iter().map(describe).collect();
        if found != [expected.clone()] {
            wrong.push(format!(
                "{source}\n  expected {expected}\n  found    {}",
                found.join("\n           ")
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn several_mistakes_are_reported_in_order_and_without_echoes() {
    let source = "\
const N = 3;
int x, limit;
Thing thing;
thread worker[N] {
  int i = limt;
  i = i + nothing * 2 - 1;
  thing.value = 3;
  if (x) { i = f(i); }
  x = true;
  while (i) break;
}
thread worker { }
";
    let found: Vec<String> = errors(source)
        .iter()
        .zip(std::iter::repeat(source))
        .map(|(error, source)| {
            let place = Lines::new(source).place(error.span.start);
            format!("{}:{} {}", place.line, place.column, error.message)
        })
        .collect();
    assert_eq!(
        found,
        [
            "3:1 unknown type `Thing`",
            "5:11 unknown name `limt`",
            "6:11 unknown name `nothing`",
            "8:7 expected `bool`, found `int`",
            "8:16 unknown function `f`",
            "9:7 expected `int`, found `bool`",
            "10:10 expected `bool`, found `int`",
            "12:8 `worker` is declared twice",
        ]
    );
}

#[test]
fn the_earlier_declaration_is_shown() {
    let source = "int x; bool x; thread t { }";
    let errors = errors(source);
    let (span, label) = errors[0].related.clone().expect("an earlier declaration");
    assert_eq!(
        (&source[span], label.as_str()),
        ("x", "first declared here")
    );
}

/// Programs that look suspicious but are right.
#[rustfmt::skip]
const ACCEPTED: &[&str] = &[
    "int f(bool b) { while (true) { if (b) return 1; } } thread t { }",
    "int f(bool b) { if (b) return 1; else return 2; } thread t { }",
    "int f() { choose { return 1; or return 2; } } thread t { }",
    "int f() { unreachable; } thread t { }",
    "int f(int n) { return n <= 1 ? 1 : n * f(n - 1); } thread t { int i = f(3); return; i = 1; }",
    "lock m; int x; int f() { synchronized (m) { return x; } } thread t { f(); }",
    "const A = -2147483648; const B = A + 1; int a[2] = {A, B}; thread t { }",
    "int(0..3) x; int y; thread t { x = y; y = x; x += 1; x = 9; }",
    "int(-5..-2) x; int(3..4 wrap) y; thread t { }",
    "thread t[1] { int i = index; }",
    "int forall; int exists; int sum; int in; thread t { forall = in; sum = exists; }",
    "thread t { thread s = self; if (s == null || null != s) skip; s = null; }",
    "enum C { A, B } C c = B; thread t { c = C.A; if (c != B) c = c == A ? B : A; }",
    "enum State { t, u } State s = t; thread t { s = u; }",
    "record Node { Node next; int value; lock m; } Node n; thread t { n.next = null; n = n.next.next; acquire(n.next.m); }",
    "record Node { int a[2][3]; } thread t { Node n = new Node; n.a[1][2] = length(n.a) + length(n.a[0]); }",
    "lock m; thread t { thread o = owner(m); if (owner(m) == null && !holds(m)) skip; }",
    "bool b; thread t { b &= true; b = b | false ^ b; }",
    "lock m[3]; int a[3]; exclusive a[i] when holds(m[i]); thread t { }",
    "lock m; record R { lock k; int v protected by k; int w protected by m initialised by t; } thread t { }",
    "record R { lock k; int v; } exclusive R.v when owner(k) == self; thread t { }",
    "thread t { a: skip; assert(!at(a)); } invariant one: count(a) <= 1;",
    "local int n = 3; int x; exclusive x when n > 2; thread t { n = n + x; }",
    "thread t { for (int i = 0; i < 2; i++) { } for (int i = 0; i < 2; i++) { } int i; }",
    "lock m; void w() { wait(m); } thread t { acquire(m); w(); release(m); atomic { acquire(m); } }",
    "thread c(int n, thread parent) { join(parent); } thread t { thread s = spawn c(1, self); }",
    "channel<bool>(2) c[2]; thread t { send(c[0], true); bool b = receive(c[1]); int n = length(c[0]) + length(c); }",
    "int x; thread t { int y; int(0..1) z = choose(0..1); y = fetchAdd(x, 2); assert(cas(x, y, z)); }",
];

#[test]
fn right_programs_are_accepted() {
    for source in ACCEPTED {
        let tree = parse(source).unwrap_or_else(|errors| panic!("{source}: {errors:?}"));
        if let Err(errors) = check(&tree) {
            panic!(
                "{source}: {:?}",
                errors.iter().map(describe).collect::<Vec<_>>()
            );
        }
    }
}

#[test]
fn tall_and_deep_programs_never_break() {
    let (tall, deep) = (parser::TALLEST - 10, parser::DEEPEST / 3);
    let sum = format!("int x; thread t {{ x = x{}; }}", " + x".repeat(tall));
    let blocks = format!("thread t {{ {}{} }}", "{".repeat(deep), "}".repeat(deep));
    let index = format!(
        "int a[2][2]; thread t {{ a[0][0] = {}0{}; }}",
        "a[".repeat(deep),
        "][0]".repeat(deep)
    );
    for source in [sum, blocks, index] {
        let program = raddle_lang::compile(&source).expect("not too deep");
        assert_eq!(raddle_machine::verify::verify(&program), Ok(()));
    }
    let fields = format!(
        "record R {{ R n; }} R r; thread t {{ r = r{}; }}",
        ".n".repeat(tall)
    );
    let errors = raddle_lang::compile(&fields).expect_err("too deep");
    assert_eq!(errors[0].message, "this is nested too deeply");
}

/// The program with a thread, unless it has one.
fn with_thread(source: &str) -> String {
    match source.contains("thread ") {
        true => source.to_owned(),
        false => format!("{source} thread main {{ }}"),
    }
}

fn errors(source: &str) -> Vec<Diagnostic> {
    match parse(source).and_then(|tree| check(&tree)) {
        Ok(_) => Vec::new(),
        Err(errors) => errors,
    }
}

/// Sources of one line: the offset is the column.
fn describe(error: &Diagnostic) -> String {
    let help = error.help.clone().unwrap_or_default();
    format!("1:{} {} [{help}]", error.span.start + 1, error.message)
}

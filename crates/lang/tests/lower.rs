//! What programs become: which instructions, and where steps begin.
//!
//! The expected code is written as the machine prints it, without places and with
//! positions relative to the function. A star marks where a step begins.

use raddle_lang::compile;
use raddle_machine::ir::{Expression, Instruction, Program};
use raddle_machine::text::print;
use raddle_machine::verify::verify;

#[test]
fn an_increment_is_a_read_step_and_a_write_step() {
    expect(
        "int x; thread t { x = x + 1; }",
        "t",
        "0 * %_0 := x
         1 * x := (%_0 + 1)
         2   return",
    );
    expect(
        "int x; thread t { x += 2; x++; }",
        "t",
        "0 * %_0 := x
         1 * x := (%_0 + 2)
         2 * %_0 := x
         3 * x := (%_0 + 1)
         4   return",
    );
}

#[test]
fn an_increment_is_one_step_when_statements_are() {
    expect(
        "granularity statement; int x; thread t { x = x + 1; x++; }",
        "t",
        "0 * x := (x + 1)
         1 * x := (x + 1)
         2   return",
    );
}

#[test]
fn one_read_stays_in_the_instruction_that_uses_it() {
    expect(
        "int x, y; int f(int a) { return x; }
         thread t { x = 5; x = y; int l = x + 1; assert(x != 2); assume(x > 0); l = f(y); }",
        "t",
        "0 * x := 5
         1 * %_0 := y
         2 * x := %_0
         3 * %l := (x + 1)
         4 * assert (x != 2) \"x != 2\"
         5 * assume (x > 0)
         6 * %l := call f(y)
         7   return",
    );
}

#[test]
fn operands_are_evaluated_from_left_to_right() {
    expect(
        "int a[3], b[3], i, j; thread t { a[i] = b[j]; }",
        "t",
        "0 * %_0 := i
         1 * %_1 := j
         2 * %_1 := b[%_1]
         3 * a[%_0] := %_1
         4   return",
    );
    expect(
        "int x, y, z; thread t { int l = x + y * 2 + z; }",
        "t",
        "0 * %_0 := x
         1 * %_0 := (%_0 + (y * 2))
         2 * %l := (%_0 + z)
         3   return",
    );
}

#[test]
fn a_call_does_not_change_what_was_read_before_it() {
    expect(
        "local int n; int f() { n = n + 1; return n; } thread t { int l = n + f(); }",
        "t",
        "0   %_0 := $n
         1   %_1 := call f()
         2   %l := (%_0 + %_1)
         3   return",
    );
    expect(
        "granularity statement; int x, y; thread t { y = x + fetchAdd(x, 1); }",
        "t",
        "0 * %_0 := x
         1   %_1 := fetch_add(x, 1)
         2   y := (%_0 + %_1)
         3   return",
    );
}

#[test]
fn the_second_operand_of_and_is_read_only_if_needed() {
    let source = "int x, y; bool b; thread t {
        if (x == 0 && y == 0) skip;
        if (x == 0 || y == 0) skip;
        b = x == 0 && y == 1; }";
    expect(
        source,
        "t",
        "0 * unless (x == 0) jump 3
         1 * unless (y == 0) jump 3
         2 * skip
         3 * unless (x != 0) jump 5
         4 * unless (y == 0) jump 6
         5 * skip
         6 * %_0 := (x == 0)
         7   unless %_0 jump 9
         8 * %_0 := (y == 1)
         9 * b := %_0
         10   return",
    );
    expect(
        &format!("granularity statement; {source}"),
        "t",
        "0 * unless ((x == 0) && (y == 0)) jump 2
         1 * skip
         2 * unless ((x == 0) || (y == 0)) jump 4
         3 * skip
         4 * b := ((x == 0) && (y == 1))
         5   return",
    );
}

#[test]
fn a_local_first_operand_decides_without_a_step() {
    expect(
        "int x; thread t { int i; while (i < 3 && x == 0) i++; }",
        "t",
        "0   %i := 0
         1   unless (%i < 3) jump 5
         2 * unless (x == 0) jump 5
         3   %i := (%i + 1)
         4   jump 1
         5   return",
    );
    expect(
        "int x, y; thread t { int i = 1; int l = i == 1 ? x : y; }",
        "t",
        "0   %i := 1
         1   unless (%i == 1) jump 4
         2 * %_0 := x
         3   jump 5
         4 * %_0 := y
         5   %l := %_0
         6   return",
    );
}

#[test]
fn local_statements_are_steps_only_when_statements_are() {
    let source = "thread t { int i, j = 1; i = j; if (i == 1) i = 2; return; }";
    expect(
        source,
        "t",
        "0   %i := 0
         1   %j := 1
         2   %i := %j
         3   unless (%i == 1) jump 5
         4   %i := 2
         5   return
         6   return",
    );
    expect(
        &format!("granularity statement; {source}"),
        "t",
        "0   %i := 0
         1 * %j := 1
         2 * %i := %j
         3   unless (%i == 1) jump 5
         4 * %i := 2
         5   return
         6   return",
    );
}

#[test]
fn what_blocks_begins_a_step_and_what_follows_in_the_statement_does_not() {
    let source = "channel<int>(1) c; int x, y; thread t { x = receive(c) + y; x = choose(0..y); }";
    expect(
        &format!("granularity statement; {source}"),
        "t",
        "0 * %_0 := receive c
         1   x := (%_0 + y)
         2 * %_0 := choose 0 .. y
         3   x := %_0
         4   return",
    );
    expect(
        source,
        "t",
        "0 * %_0 := receive c
         1 * %_0 := (%_0 + y)
         2 * x := %_0
         3 * %_0 := y
         4 * %_0 := choose 0 .. %_0
         5 * x := %_0
         6   return",
    );
}

#[test]
fn calls_are_not_steps_but_their_shared_arguments_are() {
    expect(
        "granularity statement; int x, y; int f(int a) { return a; }
         thread t { x = f(1) + y; int l = f(x); f(2); }",
        "t",
        "0   %_0 := call f(1)
         1 * x := (%_0 + y)
         2 * %l := call f(x)
         3   call f(2)
         4   return",
    );
}

#[test]
fn an_atomic_block_is_one_step_however_it_is_left() {
    expect(
        "int x, y; thread t { while (true) { atomic { x = x + y; if (x > 2) break; if (y > 2) continue; if (x == y) return; } } }",
        "t",
        "0 * atomic_begin
         1   x := (x + y)
         2   unless (x > 2) jump 5
         3   atomic_end
         4   jump 13
         5   unless (y > 2) jump 8
         6   atomic_end
         7   jump 0
         8   unless (x == y) jump 11
         9   atomic_end
         10   return
         11   atomic_end
         12   jump 0
         13   return",
    );
    expect(
        "int x; int f() { atomic { return x; } } thread t { }",
        "f",
        "0 * atomic_begin
         1   %_0 := x
         2   atomic_end
         3   return %_0
         4   atomic_end
         5   return 0",
    );
}

#[test]
fn await_is_evaluated_in_one_step() {
    expect(
        "int x, y; thread t { await (x == 0 && y == 0); await (x > y) { x--; y++; } }",
        "t",
        "0 * await ((x == 0) && (y == 0))
         1 * atomic_begin
         2   await (x > y)
         3   x := (x - 1)
         4   y := (y + 1)
         5   atomic_end
         6   return",
    );
}

#[test]
fn synchronized_gives_the_lock_back_on_every_way_out() {
    expect(
        "lock m; int x; int f() { while (true) synchronized (m) { if (x == 1) return x + 1; if (x == 2) break; } return 0; } thread t { }",
        "f",
        "0 * acquire m
         1 * unless (x == 1) jump 5
         2 * %_0 := x
         3 * release m
         4   return (%_0 + 1)
         5 * unless (x == 2) jump 8
         6 * release m
         7   jump 10
         8 * release m
         9   jump 0
         10   return 0
         11   return 0",
    );
}

#[test]
fn synchronized_releases_the_lock_that_it_took() {
    let source = "record Node { lock m; Node next; } Node head; lock ms[2];
        thread t { Node n = head;
          synchronized (n.m) { n = n.next; }
          synchronized (head.next.m) { head = null; }
          int i = 0;
          synchronized (ms[i]) { i++; }
          synchronized (ms[1]) { } }";
    expect(
        source,
        "t",
        "0 * %n := head
         1   %_0 := %n
         2 * acquire Node.m(%_0)
         3 * %n := Node.next(%n)
         4 * release Node.m(%_0)
         5 * %_0 := head
         6 * %_0 := Node.next(%_0)
         7 * acquire Node.m(%_0)
         8 * head := 0
         9 * release Node.m(%_0)
         10   %i := 0
         11   %_1 := %i
         12 * acquire ms[%_1]
         13   %i := (%i + 1)
         14 * release ms[%_1]
         15 * acquire ms[1]
         16 * release ms[1]
         17   return",
    );
    expect(
        &format!("granularity statement; {source}"),
        "t",
        "0 * %n := head
         1 * acquire Node.m(%n)
         2   %_0 := %n
         3 * %n := Node.next(%n)
         4 * release Node.m(%_0)
         5 * %_0 := Node.next(head)
         6 * acquire Node.m(%_0)
         7 * head := 0
         8 * release Node.m(%_0)
         9 * %i := 0
         10 * acquire ms[%i]
         11   %_1 := %i
         12 * %i := (%i + 1)
         13 * release ms[%_1]
         14 * acquire ms[1]
         15 * release ms[1]
         16   return",
    );
}

#[test]
fn wait_is_two_steps_on_one_lock() {
    expect(
        "record R { lock m; } R r; lock k; int x; thread t { while (x == 0) wait(k); wait(r.m); }",
        "t",
        "0 * unless (x == 0) jump 4
         1 * wait k
         2 * resume k
         3   jump 0
         4 * %_0 := r
         5 * wait R.m(%_0)
         6 * resume R.m(%_0)
         7   return",
    );
}

#[test]
fn loops_continue_where_they_should() {
    expect(
        "int x; thread t { for (int i = 0; i < 3; i++) { if (i == 1) continue; if (x == 0) break; } do { if (x == 1) continue; x = 2; } while (x != 3); }",
        "t",
        "0   %i := 0
         1   unless (%i < 3) jump 8
         2   unless (%i == 1) jump 4
         3   jump 6
         4 * unless (x == 0) jump 6
         5   jump 8
         6   %i := (%i + 1)
         7   jump 1
         8 * unless (x == 1) jump 10
         9   jump 11
         10 * x := 2
         11 * unless (x == 3) jump 8
         12   return",
    );
}

#[test]
fn local_arrays_lie_in_registers() {
    expect(
        "int x; thread t { int a[2] = {1, x}; int b[2][2]; a[x] = x; a[1] += x; b[1][a[0]] = 3; int c[2] = x; }",
        "t",
        "0   %\"a[0]\" := 1
         1 * %\"a[1]\" := x
         2   %\"b[0][0]\" := 0
         3   %\"b[0][1]\" := 0
         4   %\"b[1][0]\" := 0
         5   %\"b[1][1]\" := 0
         6 * %_0 := x
         7 * %\"a[0]\"{2}[%_0] := x
         8 * %\"a[0]\"{2}[1] := (%\"a[0]\"{2}[1] + x)
         9   %\"b[0][0]\"{4}[(2 + bounded(%\"a[0]\"{2}[0], 2))] := 3
         10 * %_0 := x
         11   %\"c[0]\" := %_0
         12   %\"c[1]\" := %_0
         13   return",
    );
}

#[test]
fn elements_are_numbered_row_by_row() {
    expect(
        "int g[2][3][4]; thread t { int i, j, k; g[i][j][k] = g[1][2][3]; }",
        "t",
        "0   %i := 0
         1   %j := 0
         2   %k := 0
         3 * %_0 := g[23]
         4 * g[((((bounded(%i, 2) * 3) + bounded(%j, 3)) * 4) + bounded(%k, 4))] := %_0
         5   return",
    );
}

#[test]
fn each_field_on_the_way_is_a_step() {
    expect(
        "record Node { Node next; int v[2]; } Node head;
         thread t { Node n = new Node; n.next = head; head = n; head.next.v[1] = n.v[0]; }",
        "t",
        "0   %n := new Node
         1 * %_0 := head
         2 * Node.next(%n) := %_0
         3 * head := %n
         4 * %_0 := head
         5 * %_0 := Node.next(%_0)
         6 * %_1 := Node.v(%n)[0]
         7 * Node.v(%_0)[1] := %_1
         8   return",
    );
}

#[test]
fn atomic_updates_need_one_step() {
    expect(
        "int x; int(0..3) r; thread t { fetchAdd(x, 1); int l = fetchAdd(r, x); if (cas(x, l, 2)) skip; bool b = cas(r, 1, l); }",
        "t",
        "0 * fetch_add(x, 1)
         1 * %_0 := x
         2 * %l := fetch_add(r, %_0, 0..3)
         3 * %_1 := compare_and_set(x, %l, 2)
         4   unless %_1 jump 6
         5 * skip
         6 * %b := compare_and_set(r, 1, ranged(%l, 0..3))
         7   return",
    );
}

#[test]
fn ranges_are_checked_unless_the_value_is_known_to_fit() {
    expect(
        "int(0..3) x; int(0..7 wrap) y; int f(int(0..3) a) { return a; } channel<int(0..3)>(1) c;
         thread t { int i; x = 2; x = i; y = x; y += i; int(1..2) l; l = 2; f(i); f(x); send(c, i); }",
        "t",
        "0   %i := 0
         1 * x := 2
         2 * x := ranged(%i, 0..3)
         3 * %_0 := x
         4 * y := %_0
         5 * %_0 := y
         6 * y := ranged((%_0 + %i), 0..7 wrapping)
         7   %l := 1
         8   %l := 2
         9   call f(ranged(%i, 0..3))
         10 * call f(x)
         11 * send c, ranged(%i, 0..3)
         12   return",
    );
}

#[test]
fn choices_have_guards_in_one_piece() {
    expect(
        "int x, y; thread t { choose { x = 1; or when (x == 0 && y == 0) { y = 1; skip; } or when (y > 1) skip; } }",
        "t",
        "0 * select { => 1, ((x == 0) && (y == 0)) => 3, (y > 1) => 6 }
         1 * x := 1
         2   jump 7
         3 * y := 1
         4 * skip
         5   jump 7
         6 * skip
         7   return",
    );
}

#[test]
fn labels_begin_steps() {
    let program = compiled(
        "thread t { int i; here: i = 1; empty: { } atomic { inside: i = 2; } return; atomic { dead: i = 3; } }",
    );
    let at = |name: &str| {
        let label = program.labels.iter().find(|label| label.name == name);
        label.expect("a label").pc.0 as usize
    };
    assert_eq!((at("here"), program.starts[at("here")]), (1, true));
    assert_eq!(program.code[at("empty")], Instruction::Skip);
    assert!(program.starts[at("empty")] && !program.starts[at("inside")]);
}

#[test]
fn threads_have_a_number_only_if_they_use_it() {
    let program = compiled(
        "int x; thread a[2] { x = index; } thread b[2] { x = 1; } thread c { } daemon thread d { } thread e(int n) { }",
    );
    let threads: Vec<(&str, &[i32])> = program
        .initial_threads
        .iter()
        .map(|thread| (thread.name.as_str(), thread.arguments.as_slice()))
        .collect();
    let expected: [(&str, &[i32]); 6] = [
        ("a[0]", &[0]),
        ("a[1]", &[1]),
        ("b[0]", &[]),
        ("b[1]", &[]),
        ("c", &[]),
        ("d", &[]),
    ];
    assert_eq!(threads, expected);
    assert_eq!(program.functions[0].parameters, 1);
    assert_eq!(program.functions[1].parameters, 0);
    assert!(program.declarations[3].daemon);
}

#[test]
fn threads_and_locks_compare_with_null() {
    expect(
        "lock m; thread c() { } thread t { thread s = spawn c(); if (s != null && owner(m) == null) skip; if (holds(m)) s = null; join(s); }",
        "t",
        "0 * %s := spawn c()
         1   unless (%s != -1) jump 4
         2 * unless (owner_of(m) == -1) jump 4
         3 * skip
         4 * unless (owner_of(m) == me) jump 6
         5   %s := -1
         6 * join %s
         7   return",
    );
}

#[test]
fn claims_speak_of_what_is_accessed() {
    let program = compiled(
        "lock m[2]; int a[2]; int x protected by m[1]; record R { lock k; int v protected by k; int w; }
         exclusive a[i] when owner(m[i]) == self; exclusive R.w when holds(k); int y unprotected; int z initialised by t;
         thread t { here: skip; } invariant count(here)  <=  1; invariant named: x == 0;",
    );
    let text = print(&program);
    let claims: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("claim") || line.starts_with("invariant"))
        .filter_map(|line| line.split(" @").next())
        .collect();
    assert_eq!(
        claims,
        [
            "invariant \"count(here) <= 1\": (count_at(here) <= 1)",
            "invariant named: (x == 0)",
            "claim x protected by m[1]",
            "claim R.v protected by R.k(accessed)",
            "claim a exclusive (owner_of(m[accessed]) == me)",
            "claim R.w exclusive (owner_of(R.k(accessed)) == me)",
            "claim y unprotected",
            "claim z initialised by t",
        ]
    );
}

#[test]
fn instructions_know_where_they_come_from() {
    let program = compiled("int x, y;\nthread t {\n  x = x\n    + y;\n}\n");
    let places: Vec<(u32, u32)> = program
        .places
        .iter()
        .map(|place| (place.line, place.column))
        .collect();
    assert_eq!(places, [(3, 7), (4, 7), (3, 3), (5, 1)]);
}

/// Compiles a program and checks what must hold for all of them.
fn compiled(source: &str) -> Program {
    let program = compile(source).unwrap_or_else(|errors| panic!("{source}\n{errors:?}"));
    assert_eq!(verify(&program), Ok(()), "{}", print(&program));
    if !source.contains("granularity statement") {
        one_access_each(&program);
    }
    program
}

/// By default an instruction makes at most one access, unless it waits for a condition
/// or is in an atomic block; and exactly those that make one begin a step.
fn one_access_each(program: &Program) {
    let mut atomic = 0;
    for (pc, instruction) in program.code.iter().enumerate() {
        match instruction {
            Instruction::AtomicBegin => atomic += 1,
            // Early ways out of an atomic block are followed by a jump or a return.
            Instruction::AtomicEnd
                if !matches!(
                    program.code.get(pc + 1),
                    Some(Instruction::Jump(_) | Instruction::Return(_))
                ) =>
            {
                atomic -= 1;
            }
            _ => {}
        }
        let mut accesses = usize::from(instruction.cell().is_some());
        instruction.for_each_expression(&mut |expression| {
            let counts = matches!(expression, Expression::CountAt(_));
            accesses += usize::from(expression.observes().is_some() || counts);
        });
        let waits = matches!(instruction, Instruction::Await(_) | Instruction::Select(_));
        if atomic == 0 && !waits {
            assert!(accesses <= 1, "{instruction:?}");
            assert!(accesses == 0 || program.starts[pc], "{instruction:?}");
        }
    }
}

/// Compares the code of a function with what is expected.
fn expect(source: &str, function: &str, expected: &str) {
    let program = compiled(source);
    let found = code_of(&program, function);
    let expected: Vec<&str> = expected.lines().map(str::trim).collect();
    assert!(
        found == expected,
        "{source}\nexpected\n{}\nfound\n{}",
        expected.join("\n"),
        found.join("\n")
    );
}

fn code_of(program: &Program, name: &str) -> Vec<String> {
    let position = program
        .functions
        .iter()
        .position(|function| function.name == name)
        .expect("the function");
    // A program in which the function comes first prints positions relative to it.
    let function = &program.functions[position];
    let mut moved = program.clone();
    let range = function.entry.0 as usize..function.end.0 as usize;
    moved.code = program.code[range.clone()]
        .iter()
        .map(|instruction| relative(instruction, function.entry.0))
        .collect();
    moved.starts = program.starts[range.clone()].to_vec();
    moved.places = program.places[range].to_vec();
    moved.labels.clear();
    for (number, other) in moved.functions.iter_mut().enumerate() {
        let length = if number == position {
            function.end.0 - function.entry.0
        } else {
            0
        };
        other.entry.0 = 0;
        other.end.0 = length;
    }
    let text = print(&moved);
    text.lines()
        .filter(|line| line.contains(" @0:"))
        .filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()))
        .filter_map(|line| line.rsplit_once(" @0:"))
        .map(|(code, _)| code.trim().to_owned())
        .collect()
}

fn relative(instruction: &Instruction, entry: u32) -> Instruction {
    let mut moved = instruction.clone();
    match &mut moved {
        Instruction::Branch(_, target) | Instruction::Jump(target) => target.0 -= entry,
        Instruction::Select(arms) => {
            for arm in arms {
                arm.target.0 -= entry;
            }
        }
        _ => {}
    }
    moved
}

/// Whatever is accepted is well formed, also when a program is a random mixture of
/// the words of sensible ones.
#[test]
fn what_is_compiled_is_well_formed() {
    let sources = [
        "int x, y; int(0..7 wrap) r; bool b; lock m, ms[2]; semaphore s = 1; channel<int>(2) c; local int n, la[2];",
        "enum C { A, B } C e; record Node { int v; Node next; lock k; int w[2][2]; } Node head; int g[2][3];",
        "int f(int a) { synchronized (m) { if (a > x) return x + a; } while (b) { atomic { n = n + x; if (b) break; } } return f(a - 1); }",
        "Node h(Node p) { return p == null ? head : p.next; } void v() { acquire(m); wait(m); notify(m); release(m); }",
        "thread t[2] { int i, a[2] = {1, x}; here: x = x + y; b = x == 0 && y == 1 || b; a[x] += f(x) + n; g[i][index] = receive(c) + y; }",
        "thread u { Node p = new Node; p.next = head; head.next.w[x][1] = p.v; p = h(p.next); e = b ? A : C.B; thread q = spawn w(x, self); join(q); }",
        "thread w(int k, thread z) { for (int i = 0; i < 3; i++) { if (i == x) continue; choose { x = choose(0..y); or when (b && x == y) break; or skip; } } }",
        "daemon thread d { do { await (x > 0 && !b) { x--; r += x; } fetchAdd(y, x); if (cas(x, y, 1) || cas(y, x, 2)) down(s); else up(s); } while (x != y); assert(x <= 1); }",
        "invariant count(here) <= 1; exclusive x when holds(m) && n > 0; exclusive Node.v when owner(k) == self;",
    ];
    let (mut seed, mut accepted) = (2024_u64, 0);
    for _ in 0..4000 {
        let mut words: Vec<&str> = sources
            .iter()
            .flat_map(|s| s.split_inclusive(' '))
            .collect();
        for _ in 0..random(&mut seed, 4) {
            let (from, to) = (
                random(&mut seed, words.len()),
                random(&mut seed, words.len()),
            );
            match random(&mut seed, 3) {
                0 => words.swap(from, to),
                1 => drop(words.remove(from)),
                _ => words.insert(to, words[from]),
            }
        }
        let granularity = ["", "granularity statement; "][random(&mut seed, 2)];
        let source = format!("{granularity}{}", words.concat());
        if let Ok(program) = compile(&source) {
            accepted += 1;
            assert_eq!(verify(&program), Ok(()), "{source}");
        }
    }
    assert!(accepted > 400, "only {accepted} programs were accepted");
}

/// A small generator of numbers: the test is the same in every run.
fn random(seed: &mut u64, below: usize) -> usize {
    *seed = seed
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*seed >> 33) as usize % below
}

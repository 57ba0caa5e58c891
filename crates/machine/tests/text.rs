//! The textual form: what it looks like, that it says everything, and that the parser
//! survives everything.

use crate::generator;

use generator::Generator;
use proptest::prelude::*;
use raddle_machine::graph::dot;
use raddle_machine::ir::{Discipline, Expression, UnaryOperator};
use raddle_machine::text::{parse, print};
use raddle_machine::verify::{MAXIMUM_DEPTH, verify};
use std::collections::BTreeSet;

/// A text exactly as the printer writes it.
const SAMPLE: &str = r#"enum Colour { red, "int" }
record Node { Node.value, Node.next } = { 5 0 }
region threads: threads
region counter: variable int 0..9 wrapping at 0
region cells[2][3]: variable int at 1
region head: variable ref Node at 7
region "me": variable Colour at 8
region lock: monitor at 9
region lock: monitor at 10
region queue: channel(2) tid at 11
region Node.value: variable int at Node + 0
region Node.next: variable ref Node at Node + 1

words {
  4  // counter
  0*6  // cells
  0  // head
  1  // "me"
  0  // lock
  0  // lock
  1 -1 0  // queue
}
local seed: int = 7

thread worker runs work
thread "a \"kind\"" runs idle daemon
start worker(-5) as "worker[0]"

label critical at 1
invariant few: ((counter <= 9) && (count_at(critical) < 2)) @0:1:1
claim cells protected by lock#6 @0:2:1
claim head exclusive (at(critical) || (accessed == me)) @0:3:1
claim counter unprotected @0:4:1
claim "me" initialised by worker @0:5:1

function work(times: int) {
  var i: int
  var i: bool = 1
  var node: ref Node
    0   %node := new Node                        @0:9:1
  // critical:
    1 * acquire lock#5                           @0:10:1
    2   counter := ranged((counter + -(1)), 0..9 wrapping) @0:11:1
    3   unless (%i#1 < -%times) jump 5           @0:12:1
    4   Node.next(%node) := (!%i#2 ? head : 0)   @0:13:1
    5 * select { %i#2 => 1, => 6 }               @0:14:1
    6   %i#1 := cells[bounded(%i#1, 6)]          @0:15:1
    7   assert (%node != 0) "don't\tpanic"       @0:16:1
    8   return                                   @0:17:1
}

function idle() {
    9   fail index-out-of-range "never"          @0:18:1
}
"#;

#[test]
fn a_program_looks_like_this() {
    let program = parse(SAMPLE).expect("the sample parses");
    assert_eq!(verify(&program), Ok(()));
    assert_eq!(print(&program), SAMPLE);
}

#[test]
fn layout_of_the_text_means_nothing() {
    let program = parse(SAMPLE).expect("the sample parses");
    let mut lines = String::new();
    for line in SAMPLE.lines() {
        // Strings must stay on their line.
        let line = match line.contains('"') {
            true => line.to_string(),
            false => line
                .split("//")
                .next()
                .unwrap_or_default()
                .replace(' ', "\n\t"),
        };
        lines.push_str(&line);
        lines.push_str(" // A comment.\n\n");
    }
    assert_eq!(parse(&lines), Ok(program));
}

#[test]
fn references_by_number_are_understood() {
    let by_number = SAMPLE
        .replace("lock#5", "#5")
        .replace("%i#2 =>", "%#2 =>")
        .replace("runs idle", "runs #1")
        .replace("at(critical)", "at(#0)");
    assert_eq!(parse(&by_number), parse(SAMPLE));
}

#[test]
fn functions_may_lie_in_any_order() {
    let program = parse(SAMPLE).expect("the sample parses");
    let (before, functions) = SAMPLE.split_at(SAMPLE.find("function work").unwrap_or(0));
    let (work, idle) = functions.split_at(functions.find("function idle").unwrap_or(0));
    let swapped = parse(&format!("{before}{idle}{work}")).expect("the sample parses");
    assert_eq!(swapped.functions[1], program.functions[0]);
    assert_eq!(swapped.code, program.code);
    assert_eq!(parse(&print(&swapped)), Ok(swapped));
}

#[test]
fn errors_tell_what_is_wrong_and_where() {
    for (text, line, column, message) in [
        ("x", 1, 1, "`x` does not begin an item"),
        ("enum\n  5", 2, 3, "expected a name, found `5`"),
        (
            "region region: int",
            1,
            8,
            "expected a name, found `region`",
        ),
        (
            "region x: int",
            1,
            11,
            "expected the kind of the region, found `int`",
        ),
        (
            "local x: int = 2147483648",
            1,
            16,
            "this number does not fit into 32 bits",
        ),
        (
            "local x: int = 4294967296",
            1,
            16,
            "this number has more than 32 bits",
        ),
        ("label \"x", 1, 7, "this string does not end on its line"),
        ("label \"\\q\" at 1", 1, 8, "unknown escape in a string"),
        (
            "label \"\\u{d800}\" at 1",
            1,
            8,
            "unknown escape in a string",
        ),
        ("label x at 1 ;", 1, 14, "unexpected character ';'"),
        ("words { 0*16777216 1 }", 1, 20, "too many words"),
        ("words { 0*4294967295 }", 1, 9, "too many words"),
        ("words { 0*16777216 } words { 1 }", 1, 22, "too many words"),
        (
            "thread t runs f",
            1,
            15,
            "there is no function of this name",
        ),
        (
            "claim x unprotected @0:0:0",
            1,
            7,
            "there is no region of this name",
        ),
        (
            "label x at 1 invariant x: at(x#1) @0:0:0",
            1,
            30,
            "label 1 does not have this name",
        ),
        (
            "label x at 1 label x at 1 invariant x: at(x) @0:0:0",
            1,
            43,
            "there are several labels of this name",
        ),
        ("thread t runs #65536", 1, 16, "this number is too large"),
        (
            "function f() { }",
            1,
            10,
            "this function has no instructions",
        ),
        (
            "function f() { 0 skip @0:0:0 2 skip @0:0:0 }",
            1,
            30,
            "should be 1",
        ),
        (
            "function f() { 1 skip @0:0:0 }",
            1,
            16,
            "there is no instruction 0",
        ),
        (
            "function f() { 0 skip @0:0:0 } function g() { 0 skip @0:0:0 }",
            1,
            47,
            "there is another instruction of this number",
        ),
        (
            "function f() { 0 new x @0:0:0 }",
            1,
            22,
            "there is no record of this name",
        ),
        (
            "function f() { 0 new #0 @0:0:0 }",
            1,
            18,
            "must go to a register",
        ),
        (
            "function f() { 0 #0 := new #0 @0:0:0 }",
            1,
            24,
            "must go to a register",
        ),
        (
            "function f() { 0 #0 := call f() @0:0:0 }",
            1,
            18,
            "goes to a register",
        ),
        (
            "function f() { 0 fail unknown \"\" @0:0:0 }",
            1,
            23,
            "no such kind of fault",
        ),
        ("function f() { 0 skip }", 1, 23, "expected `@`, found `}`"),
        (
            "invariant x: (1 2) @0:0:0",
            1,
            17,
            "expected an operator, found `2`",
        ),
        (
            "invariant x: @0:0:0",
            1,
            14,
            "expected an expression, found `@`",
        ),
        ("invariant x: 1", 1, 15, "expected `@`, found the end"),
    ] {
        let error = parse(text).expect_err(text);
        assert!(
            (error.line, error.column) == (line, column) && error.message.contains(message),
            "{text}: {error}"
        );
    }
}

#[test]
fn nesting_has_a_limit() {
    for (open, close) in [
        ("(", ")"),
        ("-", ""),
        ("x[", "]"),
        ("bounded(", ",1)"),
        ("(1+", ")"),
    ] {
        let nested = |depth: usize| {
            let (open, close) = (open.repeat(depth), close.repeat(depth));
            parse(&format!(
                "region x: monitor invariant y: {open}me{close} @0:0:0"
            ))
        };
        assert!(nested(MAXIMUM_DEPTH - 1).is_ok(), "{open}");
        for depth in [MAXIMUM_DEPTH + 2, 1_000_000] {
            let error = nested(depth).expect_err(open);
            assert_eq!(error.message, "this is nested too deeply");
        }
    }
}

#[test]
fn the_deepest_expressions_survive() {
    let mut program = parse(SAMPLE).expect("the sample parses");
    let mut condition = Expression::Constant(1);
    for _ in 1..MAXIMUM_DEPTH {
        condition = Expression::Unary(UnaryOperator::Negate, Box::new(condition));
    }
    program.invariants[0].condition = condition;
    assert_eq!(verify(&program), Ok(()));
    assert_eq!(parse(&print(&program)), Ok(program));
}

#[test]
fn a_graph_shows_blocks_and_edges() {
    let graph = dot(&parse(SAMPLE).expect("the sample parses"));
    for line in [
        "  subgraph cluster_0 {",
        "    label=\"work\";",
        "    pc0 [label=\"0  %node := new Node\\l\"];",
        "    pc1 -> pc4 [label=\"true\"];",
        "    pc1 -> pc5 [label=\"false\"];",
        "    pc5 -> pc1 [label=\"0\"];",
        "    pc5 -> pc6 [label=\"1\"];",
        "    pc0 -> pc1;",
    ] {
        assert!(graph.lines().any(|found| found == line), "{line}\n{graph}");
    }
    assert!(graph.contains("pc1 [label=\"critical:\\l1  acquire lock#5\\l2  counter"));
    assert!(graph.contains("\\\"don't\\\\tpanic\\\"\\l"));
    // Steps begin at instructions 1 and 5 only.
    assert_eq!(graph.matches("peripheries=2").count(), 2);
}

#[test]
fn a_graph_is_escaped() {
    let mut program = parse(SAMPLE).expect("the sample parses");
    program.functions[0].name = "\"; &lt;\n\\N".to_string();
    assert!(dot(&program).contains("label=\"\\\"; &amp;lt;\\l\\\\N\";"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_is_printed_is_parsed(entropy in entropy()) {
        let program = Generator::new(entropy).program();
        prop_assert_eq!(verify(&program), Ok(()));
        let text = print(&program);
        prop_assert_eq!(parse(&text), Ok(program.clone()), "{}", text);
        prop_assert!(!dot(&program).is_empty());
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in any::<String>()) {
        survives(&text);
    }

    #[test]
    fn no_bytes_make_the_parser_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        survives(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_changed_program_makes_anything_panic(entropy in entropy(), changes in entropy()) {
        let mut text = print(&Generator::new(entropy).program());
        let mut changes = Generator::new(changes);
        for _ in 0..=changes.pick(3) {
            text = changes.change(&text);
        }
        survives(&text);
    }
}

/// Whatever a text is, it can be parsed or not; if it can, the program can be verified,
/// printed and drawn, and what is verified is printed faithfully.
fn survives(text: &str) {
    let Ok(program) = parse(text) else {
        return;
    };
    let printed = print(&program);
    dot(&program);
    if verify(&program).is_ok() {
        assert_eq!(parse(&printed), Ok(program), "{printed}");
    }
}

#[test]
fn generated_programs_have_everything() {
    let mut instructions = BTreeSet::new();
    let mut expressions = BTreeSet::new();
    for seed in 0..300u32 {
        // A linear congruence is random enough here.
        let entropy = std::iter::successors(Some(seed), |word| {
            Some(word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223))
        });
        let program =
            Generator::new(entropy.map(|word| word >> 8).skip(1).take(600).collect()).program();
        assert_eq!(verify(&program), Ok(()));
        let count = |expression: &Expression| {
            let name = format!("{expression:?}");
            name.split(['(', ' '])
                .next()
                .unwrap_or_default()
                .to_string()
        };
        for instruction in &program.code {
            let name = format!("{instruction:?}");
            instructions.insert(
                name.split(['(', ' '])
                    .next()
                    .unwrap_or_default()
                    .to_string(),
            );
            instruction.for_each_expression(&mut |expression| {
                expressions.insert(count(expression));
            });
        }
        for claim in &program.claims {
            if let Discipline::Exclusive(condition) = &claim.discipline {
                condition.for_each(&mut |expression| {
                    expressions.insert(count(expression));
                });
            }
        }
    }
    assert_eq!(instructions.len(), 29, "{instructions:?}");
    assert_eq!(expressions.len(), 18, "{expressions:?}");
}

fn entropy() -> impl Strategy<Value = Vec<u32>> {
    proptest::collection::vec(any::<u32>(), 0..600)
}

//! The sizes of the machines that paper 003 prints, and those of its appendix.

use crate::common;

use common::program;
use raddle_cbp::machines::{LocalMachine, Machines};
use raddle_cbp::reduced::Options;
use raddle_cbp::{Program, machines};

fn machine<'m>(machines: &'m Machines, name: &str) -> &'m LocalMachine {
    let mut types = machines.program.types.iter();
    let thread = types.position(|it| it.name == name).expect("it exists");
    &machines.locals[thread]
}

fn full(program: &Program) -> Machines {
    machines(program).expect("it is small")
}

/// Section 4.2.5, example 12, and Fig. 3.6 and 3.7.
#[test]
fn decrementer_and_incrementer() {
    let program = program(include_str!("../../../examples/counters.cbp"));
    let rules = full(&program);
    assert_eq!(machine(&rules, "dec").size_with_begin(), (16, 24));
    assert_eq!(machine(&rules, "inc").size_with_begin(), (10, 14));
    let printed = full(&program.closed());
    assert_eq!(machine(&printed, "dec").size_with_begin(), (24, 32));
    assert_eq!(machine(&printed, "inc").size_with_begin(), (14, 18));
    let visible = Options {
        hide_broadcasts: false,
    };
    for rules in [rules, printed] {
        let reduced = rules.reduced(Options::default()).expect("it is small");
        assert_eq!(machine(&reduced, "dec").size(), (7, 17));
        assert_eq!(machine(&reduced, "inc").size(), (3, 7));
        let reduced = rules.reduced(visible).expect("it is small");
        assert_eq!(machine(&reduced, "dec").size(), (7, 17));
        assert_eq!(machine(&reduced, "inc").size(), (5, 9));
    }
}

/// Example 11.
#[test]
fn bakery() {
    let rules = full(&program(include_str!(
        "../../../examples/bakery_printed.cbp"
    )));
    let visible = Options {
        hide_broadcasts: false,
    };
    let reduced = rules.reduced(visible).expect("it is small");
    for (name, before, after) in [
        ("Env", (20, 28), (6, 12)),
        ("Ti", (30, 40), (19, 30)),
        ("Tj", (35, 47), (23, 36)),
        ("main", (8, 8), (5, 6)),
    ] {
        assert_eq!(machine(&rules, name).size(), before, "{name}");
        assert_eq!(machine(&reduced, name).size(), after, "{name}");
    }
    let reduced = rules.reduced(Options::default()).expect("it is small");
    assert_eq!(machine(&reduced, "Env").size(), (5, 11));
    assert_eq!(machine(&reduced, "Ti").size(), (17, 28));
}

/// Sizes have limits, and reaching one is an error.
#[test]
fn limits() {
    let names: Vec<String> = (0..20).map(|it| format!("v{it}")).collect();
    let toggles: Vec<String> = names
        .iter()
        .map(|it| format!("* : {it} := true ;"))
        .collect();
    let source = format!(
        "vars : ; locks : ; messages : ; threads : t, main ;
         t {{ vars : {} ; while (*) {{ choice {{ {} }} }} }}
         main {{ vars : ; start(t{}) ; }}",
        names.join(" "),
        toggles.join(" "),
        ", false".repeat(20)
    );
    assert!(machines(&program(&source)).is_err());
    let mut program = program(include_str!("../../../examples/counters.cbp"));
    program.forbid("inc >= 1000").expect("it can be read");
    let net = full(&program).net_with_sums(usize::MAX);
    assert!(net.is_err_and(|why| why.contains("ways to be in it")));
    // A place for their number needs no ways.
    let net = full(&program).net().expect("one target").net;
    assert_eq!(net.targets.len(), 1);
}

//! Each axiom of section 2.2.2 with small programs that show what it allows and what not.

use crate::common;

use common::{explore, system};
use raddle_model::{Properties, Property};

/// The kinds of violations of a program with at most eight threads, in alphabetical order.
/// Its declarations are fixed, and its thread types given.
fn violations(types: &str, code: &str) -> Vec<String> {
    let source =
        format!("vars : g h ; locks : l k ; messages : m n ; threads : {types} ;\n{code}\n");
    let system = system(&source, 8);
    let properties = Properties {
        partial_deadlock: false,
        ..Properties::ALL
    };
    let survey = explore(&system, properties);
    assert!(survey.reasons.is_empty(), "{:?}", survey.reasons);
    let mut found = Vec::new();
    for violation in &survey.violations {
        raddle_search::replay(&system, &violation.schedule, &violation.property)
            .expect("it can be replayed");
        let mut name = violation.property.name().to_owned();
        if let Property::Fault(fault) = &violation.property
            && let Some(place) = fault.place
        {
            name = format!("{name} {}", place.line);
        }
        found.push(name);
    }
    found.sort();
    found.dedup();
    found
}

/// `main` alone. The first line of its code is line 3.
fn alone(code: &str) -> Vec<String> {
    violations("main", &format!("main {{ vars : x y ;\n{code}\n}}"))
}

const NONE: [&str; 0] = [];

#[test]
fn initial_values_are_arbitrary() {
    assert_eq!(alone("assert(g) ;"), ["assertion 3"]);
    assert_eq!(alone("assert(!g) ;"), ["assertion 3"]);
    assert_eq!(alone("assert(x) ;"), ["assertion 3"]);
    assert_eq!(alone("assert(!x) ;"), ["assertion 3"]);
}

#[test]
fn assignment_2_1() {
    assert_eq!(
        alone("g := true ; assert(g) ; g := !g ; assert(!g) ;"),
        NONE
    );
    // All values are read before any variable is written.
    assert_eq!(
        alone("g, x := true, false ; g, x := x, g ; assert(!g and x) ;"),
        NONE
    );
}

#[test]
fn if_2_2() {
    assert_eq!(
        alone("g := true ; if (g) { h := true ; } else { h := false ; } assert(h) ;"),
        NONE
    );
    assert_eq!(
        alone("g := true ; if (!g) { h := true ; } else { h := false ; } assert(!h) ;"),
        NONE
    );
    assert_eq!(
        alone("g := true ; if (*) { g := false ; }\nassert(g) ;\nassert(!g) ;"),
        ["assertion 4", "assertion 5"]
    );
    // The second branch is taken if any part is false.
    assert_eq!(
        alone("if (g and h) { skip ; } else { if (g) { assert(!h) ; } }"),
        NONE
    );
    assert_eq!(alone("if (g and h) { assert(g) ; assert(h) ; }"), NONE);
}

#[test]
fn choice_2_3() {
    assert_eq!(
        alone(
            "g := true ; choice { g : h := true ; g : h := false ; !g : g := true ; }\nassert(h) ;\nassert(!h) ;"
        ),
        ["assertion 4", "assertion 5"]
    );
    // It waits while no guard holds.
    assert_eq!(
        alone("g := true ; choice { !g : h := true ; }"),
        ["deadlock"]
    );
    assert_eq!(
        violations(
            "t, main",
            "t { vars : ; choice { g : h := true ; } assert(g) ; }
             main { vars : ; g := false ; start(t) ; g := true ; }"
        ),
        NONE
    );
    // The values are those from before.
    assert_eq!(
        alone("g, h := true, false ; choice { * : g, h := h, g ; } assert(h and !g) ;"),
        NONE
    );
}

#[test]
fn while_2_4() {
    assert_eq!(
        alone("g := true ; while (g) { g := false ; } assert(!g) ;"),
        NONE
    );
    assert_eq!(
        alone("g := true ; while (*) { g := false ; }\nassert(g) ;"),
        ["assertion 4"]
    );
    assert_eq!(alone("while (false) { assert(false) ; }"), NONE);
    assert_eq!(alone("while (true) { skip ; }\nassert(false) ;"), NONE);
}

#[test]
fn goto_2_6() {
    assert_eq!(alone("goto(end) ; assert(false) ; [end] skip ;"), NONE);
    // Into a loop: behind the rest of its body comes the loop again.
    assert_eq!(
        alone(
            "g, h := false, true ; goto(in) ; while (h) { assert(false) ; [in] g := true ; h := false ; } assert(g and !h) ;"
        ),
        NONE
    );
    // Into a branch: behind it comes what follows the `if`.
    assert_eq!(
        alone(
            "g, h := false, false ; goto(in) ; if (true) { assert(false) ; } else { [in] g := true ; } h := g ; assert(h) ;"
        ),
        NONE
    );
    // Into a branch in a loop, and out again.
    assert_eq!(
        alone(
            "g, h := false, false ; goto(in) ; while (!h) { if (g) { h := true ; } else { [in] g := true ; } } assert(h and g) ;"
        ),
        NONE
    );
    assert_eq!(
        alone(
            "g := true ; while (true) { if (!g) { goto(out) ; } g := false ; } [out] assert(!g) ;"
        ),
        NONE
    );
}

#[test]
fn lock_2_7_and_unlock_2_8() {
    let exclusion = |inside: &str| {
        format!(
            "t {{ vars : ; lock(l) ; g := true ; {inside} g := false ; unlock(l) ; }}
             main {{ vars : ; g := false ; start(t) ; lock(l) ; assert(!g) ; unlock(l) ; }}"
        )
    };
    assert_eq!(violations("t, main", &exclusion("skip ;")), NONE);
    let apart = exclusion("skip ;")
        .replacen("lock(l)", "lock(k)", 1)
        .replacen("unlock(l)", "unlock(k)", 1);
    assert_eq!(violations("t, main", &apart), ["assertion 3"]);
    // A thread that takes a lock twice waits for itself.
    assert_eq!(
        alone("lock(l) ; lock(l) ; unlock(l) ; unlock(l) ;"),
        ["deadlock"]
    );
    assert_eq!(
        violations(
            "t, main",
            "t { vars : ; lock(l) ; lock(k) ; unlock(k) ; unlock(l) ; }
             main { vars : ; start(t) ; lock(k) ; lock(l) ; unlock(l) ; unlock(k) ; }"
        ),
        ["deadlock"]
    );
}

#[test]
fn sleep_2_9_and_wakeup_2_12() {
    // The lock is given back and taken again, and somebody must wake the sleeper.
    let code = |wake: &str| {
        format!(
            "t {{ vars : ; lock(l) ; while (!g) {{ sleep(m, l) ; }} assert(g) ; h := true ; unlock(l) ; }}
             main {{ vars : ; g, h := false, false ; start(t) ; lock(l) ; g := true ; {wake} unlock(l) ; }}"
        )
    };
    assert_eq!(violations("t, main", &code("wakeup(m) ;")), NONE);
    assert_eq!(violations("t, main", &code("wakeupall(m) ;")), NONE);
    assert_eq!(violations("t, main", &code("skip ;")), ["deadlock"]);
    assert_eq!(violations("t, main", &code("wakeup(n) ;")), ["deadlock"]);
    // A woken thread waits for its lock.
    assert_eq!(
        violations(
            "t, main",
            "t { vars : ; lock(l) ; g := true ; sleep(l, m) ; assert(!h) ; unlock(l) ; }
             main { vars : ; g, h := false, false ; start(t) ; choice { g : g := true ; }
                    lock(l) ; wakeup(m) ; h := true ; h := false ; unlock(l) ; }"
        ),
        NONE
    );
}

#[test]
fn wakeup_without_sleeper_2_13() {
    assert_eq!(
        alone("wakeup(m) ; wakeupall(m) ; lock(l) ; wakeup(m) ; unlock(l) ;"),
        NONE
    );
    // It is lost.
    assert_eq!(
        alone("wakeup(m) ; lock(l) ; sleep(m, l) ; unlock(l) ;"),
        ["deadlock"]
    );
}

/// Two sleepers, each of which counts itself when it was woken.
fn sleepers(wake: &str) -> Vec<String> {
    violations(
        "t, u, main",
        &format!(
            "t {{ vars : ; lock(l) ; sleep(m, l) ; g := true ; unlock(l) ; }}
u {{ vars : ; lock(k) ; sleep(m, k) ; h := true ; unlock(k) ; }}
main {{ vars : ; g, h := false, false ; start(t) ; start(u) ;
{wake}
}}"
        ),
    )
}

#[test]
fn wakeup_wakes_exactly_one_2_12() {
    // Who is woken first is open; nobody wakes two at once, and `wakeup` cannot pass by.
    assert_eq!(
        sleepers(
            "wakeup(m) ; if (g) {\nassert(!g) ; }\nif (h) { assert(!h) ; }\nif (g and h) { assert(false) ; }"
        ),
        ["assertion 6", "assertion 7", "deadlock"]
    );
}

#[test]
fn wakeupall_wakes_all_2_14() {
    assert_eq!(
        sleepers("wakeupall(m) ; if (g and h) {\nassert(false) ; }"),
        ["assertion 6", "deadlock"]
    );
    assert_eq!(
        sleepers("wakeupall(n) ; if (g) { assert(false) ; }"),
        ["deadlock"]
    );
}

#[test]
fn start_2_15() {
    assert_eq!(
        violations(
            "t, main",
            "t { vars : x y ; assert(x and !y) ; }\nmain { vars : ; start(t, true, false) ; }"
        ),
        NONE
    );
    assert_eq!(
        violations(
            "t, main",
            "t { vars : x y ;\nassert(x) ; }\nmain { vars : ; start(t, true, false) ; start(t, false, true) ; }"
        ),
        ["assertion 3"]
    );
    // Started threads may start others.
    assert_eq!(
        violations(
            "t, u, main",
            "t { vars : ; start(u) ; }\nu { vars : ;\nassert(false) ; }\nmain { vars : ; start(t) ; }"
        ),
        ["assertion 4"]
    );
}

#[test]
fn rendezvous_2_16() {
    let code = |send: &str, accept: &str| {
        format!(
            "t {{ vars : x y ; accept({accept}) ; assert(x and !y) ; h := true ; }}
             main {{ vars : v ; h := false ; start(t, true, false) ; v := false ; rendezvous({send}) ; }}"
        )
    };
    assert_eq!(violations("t, main", &code("m", "m")), NONE);
    assert_eq!(violations("t, main", &code("m, true", "m, x")), NONE);
    assert_eq!(violations("t, main", &code("m, v, !v", "m, y, x")), NONE);
    assert_eq!(
        violations("t, main", &code("m, v", "m, x")),
        ["assertion 2"]
    );
    // The messages and the numbers of parameters must be the same.
    assert_eq!(violations("t, main", &code("m", "n")), ["deadlock"]);
    assert_eq!(violations("t, main", &code("m, true", "m")), ["deadlock"]);
    // Both sides wait for each other.
    assert_eq!(alone("rendezvous(m) ;"), ["deadlock"]);
    assert_eq!(alone("accept(m) ;"), ["deadlock"]);
    assert_eq!(
        violations(
            "t, main",
            "t { vars : ; g := true ; accept(m) ; }
             main { vars : ; g := false ; start(t) ; rendezvous(m) ; assert(g) ; }"
        ),
        NONE
    );
}

#[test]
fn unsafe_sets() {
    let of = |set: &str, code: &str| {
        violations(
            "t, main",
            &code.replacen("t {", &format!("unsafe : \"{set}\" ;\nt {{"), 1),
        )
    };
    let code = "t { vars : ; [c] skip ; [d] g := false ; }\nmain { vars : ; g, h := true, false ; start(t) ; start(t) ; }";
    assert_eq!(of("c", code), ["invariant 2"]);
    assert_eq!(of("c >= 2", code), ["invariant 2"]);
    assert_eq!(of("c >= 3", code), NONE);
    assert_eq!(of("c & d", code), ["invariant 2"]);
    assert_eq!(of("t >= 2", code), ["invariant 2"]);
    assert_eq!(of("t >= 3 | main >= 2", code), NONE);
    assert_eq!(of("l", code), NONE);
    // Initial values are part of the program, even before main assigns them.
    assert_eq!(of("!g & h", code), ["invariant 2"]);
    assert_eq!(of("d & h", code), NONE);
    assert_eq!(of("d & !g", code), ["invariant 2"]);
}

#[test]
fn abstractions_are_said_to_be_abstractions() {
    let source = "abstraction of \"Bakery.java\" ;
        vars : ; locks : ; messages : ; threads : main ; unsafe : \"c\" ;
        main { vars : ; [c] assert(false) ; }";
    let survey = explore(&system(source, 1), Properties::ALL);
    assert_eq!(survey.violations.len(), 2);
    for violation in survey.violations {
        let Property::Fault(fault) = violation.property else {
            panic!("{:?}", violation.property);
        };
        assert!(
            fault.message.contains("abstraction of Bakery.java"),
            "{}",
            fault.message
        );
    }
}

//! What the front end accepts, and what it says of everything else.

use proptest::prelude::*;
use raddle_cbp::compile;
use raddle_cbp::program::{Action, Variable};
use raddle_diagnostics::Lines;

const DECLARATIONS: &str = "vars : g h ; locks : l k ; messages : m n ; threads : t, main ;";

/// Compares the errors of a program with its `//~` comments: one error whose message contains
/// the text on that line for each of them, and no other.
fn expect_errors(source: &str) {
    let mut expected: Vec<(u32, &str)> = Vec::new();
    for (number, line) in source.lines().enumerate() {
        for text in line.split("//~").skip(1) {
            expected.push((number as u32 + 1, text.trim()));
        }
    }
    let errors = compile(source).expect_err("the program is accepted");
    let lines = Lines::new(source);
    let found: Vec<(u32, &str)> = errors
        .iter()
        .map(|it| (lines.place(it.span.start).line, it.message.as_str()))
        .collect();
    let same = found.len() == expected.len()
        && found
            .iter()
            .zip(&expected)
            .all(|(a, b)| a.0 == b.0 && a.1.contains(b.1));
    assert!(
        same,
        "in\n{source}\nfound {found:#?}\nexpected {expected:#?}"
    );
}

/// A program with this code in `main`, which has a local variable, and a thread type `t`
/// with two of them.
fn in_main(code: &str) -> String {
    format!("{DECLARATIONS}\nt {{ vars : a b ; [inT] skip ; }}\nmain {{ vars : x ;\n{code}\n}}\n")
}

macro_rules! errors_in_main {
    ($($name:ident: $code:expr;)*) => {
        $(#[test] fn $name() { expect_errors(&in_main($code)); })*
    };
}

errors_in_main! {
    label_twice: "[a] skip ;\n[a] skip ; //~ the label `a` is used twice";
    label_of_another_thread_type_twice: "[inT] skip ; //~ the label `inT` is used twice";
    goto_nowhere: "[here] skip ;\ngoto(her) ; //~ there is no label `her`";
    goto_into_another_thread_type: "goto(inT) ; //~ the label `inT` is in the thread type `t`";
    unknown_variable: "gg := true ; //~ `gg` is not declared as a variable";
    unknown_variable_in_condition: "if (y and g) { skip ; } //~ `y` is not declared as a variable";
    variable_of_another_type: "a := true ; //~ `a` is not declared as a variable";
    lock_as_variable: "l := true ; //~ `l` is a lock, not a variable";
    unknown_lock: "lock(o) ; unlock(o) ; //~ `o` is not declared as a lock";
    message_as_lock: "lock(m) ; unlock(m) ; //~ `m` is a message, not a lock";
    unknown_message: "wakeup(mm) ; //~ `mm` is not declared as a message";
    unknown_message_of_sleep: "lock(l) ; sleep(l, mm) ; unlock(l) ; //~ `mm` is not declared as a message";
    unknown_lock_of_sleep: "sleep(m, ll) ; //~ `ll` is not declared as a lock";
    unknown_thread: "start(tt, true) ; //~ `tt` is not declared as a thread type";
    too_few_values: "start(t, true) ; //~ `t` has 2 local variables, but gets 1 initial value";
    too_many_values: "start(t, true, false, true) ; //~ `t` has 2 local variables, but gets 3 initial values";
    value_that_is_no_literal: "start(t, g, h) ; //~ expected `true` or `false`, found `g`";
    global_in_rendezvous: "rendezvous(m, g) ; //~ `g` is a global variable";
    global_in_accept: "accept(m, g) ; //~ `g` is a global variable";
    accepted_twice: "accept(m, x, x) ; //~ `x` gets two values at once";
    assigned_twice: "g, h, g := true, false, true ; //~ `g` is assigned twice at once";
    too_few_sides: "g, h := true ; //~ 2 variables on the left side, but 1 value on the right";
    lock_without_unlock: "lock(l) ; //~ `lock(l)` has no `unlock(l)` in the same block";
    unlock_in_inner_block: "lock(l) ;\nif (g) { unlock(l) ; } //~ `unlock(l)` is not in the block of its `lock(l)`\nunlock(l) ;";
    unlock_only_in_inner_block: "lock(l) ;\nif (g) { unlock(l) ; } //~ `unlock(l)` is not in the block of its `lock(l)`";
    unlock_without_lock: "unlock(l) ; //~ `unlock(l)` without `lock(l)` before it";
    unlock_before_lock: "unlock(l) ; //~ `unlock(l)` without `lock(l)` before it\nlock(l) ; //~ `lock(l)` has no `unlock(l)`";
    sleep_without_lock: "sleep(m, l) ; //~ `sleep` gives back `l`, but `l` is not held here";
    sleep_with_another_lock: "lock(k) ;\nsleep(m, l) ; //~ `sleep` gives back `l`\nunlock(k) ;";
    goto_out_of_lock: "[out] skip ;\nlock(l) ;\ngoto(out) ; //~ this `goto` leaves a block of `lock`\nunlock(l) ;";
    goto_to_the_lock_itself: "[again] lock(l) ;\ngoto(again) ; //~ this `goto` leaves a block\nunlock(l) ;";
    goto_into_lock: "goto(inside) ; //~ this `goto` enters a block of `lock`\nlock(l) ;\n[inside] skip ;\nunlock(l) ;";
    goto_into_another_block_of_the_lock: "lock(l) ; goto(b) ; unlock(l) ; //~ this `goto` leaves a block\nlock(l) ; [b] skip ; unlock(l) ;";
    empty_block: "while (g) { } //~ a block must not be empty";
    empty_choice: "choice { } //~ a `choice` needs an alternative";
    two_labels: "[a] [b] skip ; //~ a statement has only one label";
    missing_semicolon: "skip //~ expected `;` after `skip`\nskip ;";
    missing_parenthesis: "lock(l ; //~ expected `)`\nskip ;";
    other_languages: "g = true ; //~ unknown character `=`";
    conjunction_of_other_languages: "if (g && h) { skip ; } //~ unknown characters `&&`";
    else_without_if: "else { skip ; } //~ expected a statement, found `else`";
    reserved_word: "while := true ; //~ expected `(`";
    assertion_of_anything: "assert(*) ; //~ expected a condition other than `*`";
    two_mistakes: "lock(o) ; unlock(o) ; //~ `o` is not declared as a lock\nwakeup(p) ; //~ `p` is not declared as a message";
}

macro_rules! errors_in {
    ($($name:ident: $source:expr;)*) => {
        $(#[test] fn $name() { expect_errors($source); })*
    };
}

errors_in! {
    no_main: "vars : ; locks : ; messages : ;\nthreads : t ; //~ there is no thread type `main`\nt { vars : ; skip ; }";
    type_without_code: "vars : ; locks : ; messages : ;\nthreads : t main ; //~ the thread type `t` has no code\nmain { vars : ; skip ; }";
    code_without_type: "vars : ; locks : ; messages : ; threads : main ;\nman { vars : ; skip ; } //~ `man` is not declared as a thread type\nmain { vars : ; skip ; }";
    code_twice: "vars : ; locks : ; messages : ; threads : main ;\nmain { vars : ; skip ; }\nmain { vars : ; skip ; } //~ has its code twice";
    declared_twice: "vars : a, b, a ; //~ `a` is declared twice\nlocks : b ; //~ `b` is declared twice\nmessages : ; threads : main ;\nmain { vars : ; skip ; }";
    local_twice: "vars : ; locks : ; messages : ; threads : main ;\nmain { vars : x x ; skip ; } //~ the local variable `x` is declared twice";
    local_and_global: "vars : x ; locks : ; messages : ; threads : main ;\nmain { vars : x ; skip ; } //~ the local variable `x` is also a global variable";
    sections_out_of_order: "locks : ; //~ expected `vars :`, found `locks`\nmessages : ; threads : main ;\nmain { vars : ; skip ; }";
    missing_section: "vars : ; locks : ; //~ expected `messages :`\nthreads : main ;\nmain { vars : ; skip ; }";
    missing_brace: "vars : ; locks : ; messages : ; threads : main ;\nmain { vars : ; skip ; //~ expected `}` to close this thread type";
    surplus_brace: "vars : ; locks : ; messages : ; threads : main ;\nmain { vars : ; skip ; }\n} //~ this `}` closes nothing";
    unknown_label_in_set: "vars : ; locks : ; messages : ; threads : main ;\nunsafe : \"critcal >= 2\" ; //~ there is no `critcal`\nmain { vars : ; [critical] skip ; }";
    negated_label_in_set: "vars : ; locks : ; messages : ; threads : main ;\nunsafe : \"!c\" ; //~ there is no `!c`\nmain { vars : ; [c] skip ; }";
    open_set: "vars : ; locks : ; messages : ; threads : main ;\nunsafe : \"c ; //~ this string is not closed\nmain { vars : ; [c] skip ; }";
    broken_set: "vars : g ; locks : ; messages : ; threads : main ;\nunsafe : \"g & \" ; //~ the expression ends here\nmain { vars : ; skip ; }";
    abstraction_of_nothing: "abstraction of Bakery ; //~ expected the name of a program in quotes\nvars : ; locks : ; messages : ; threads : main ;\nmain { vars : ; skip ; }";
    empty_file: "\n//~ expected `vars :`";
}

#[test]
fn deep_nesting_is_an_error() {
    let deep = |n: usize| {
        in_main(&format!(
            "{}skip ;{}",
            "if (g) { ".repeat(n),
            " }".repeat(n)
        ))
    };
    assert!(compile(&deep(100)).is_ok());
    let errors = compile(&deep(100_000)).expect_err("it is too deep");
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!(errors[0].message, "blocks are nested more than 128 deep");
}

/// The appendix of the thesis has a surplus brace and misspells two locks.
#[test]
fn the_appendix_to_the_letter() {
    let source = include_str!("programs/appendix.cbp");
    let errors = compile(source).expect_err("it has mistakes");
    let lines = Lines::new(source);
    let told: Vec<String> = errors
        .iter()
        .map(|it| {
            let place = lines.place(it.span.start);
            let help = it.help.as_deref().unwrap_or_default();
            format!("{}:{} {} ({help})", place.line, place.column, it.message)
        })
        .collect();
    assert_eq!(
        told,
        [
            "36:21 `BakeryLock` is not declared as a lock (did you mean `BakeryLlock`?)",
            "72:10 `JLock` is not declared as a lock (did you mean `JLlock`?)",
            "164:1 this `}` closes nothing (remove it, or an earlier `}` that closes a block too soon)",
        ]
    );
}

#[test]
fn the_programs_of_the_thesis_are_accepted() {
    for source in [
        include_str!("../../../examples/bakery_printed.cbp"),
        include_str!("../../../examples/bakery.cbp"),
        include_str!("../../../examples/counters.cbp"),
        include_str!("programs/meeting.cbp"),
    ] {
        let program = compile(source).expect("it is well-formed");
        assert_eq!(program.types[program.main].name, "main");
    }
}

/// `sleep` takes its arguments in either order.
#[test]
fn arguments_of_sleep() {
    for order in ["m, l", "l, m"] {
        let code = format!("lock(l) ; sleep({order}) ; unlock(l) ;");
        let program = compile(&in_main(&code)).expect("it is well-formed");
        let sleeps = |action: &Action| {
            matches!(
                action,
                Action::Sleep {
                    message: 0,
                    lock: 0,
                    ..
                }
            )
        };
        assert!(program.points.iter().any(|point| sleeps(&point.action)));
    }
}

/// Only initial values that somebody may see are chosen.
#[test]
fn initial_values_that_matter() {
    let arbitrary = |code: &str| {
        compile(&in_main(code))
            .expect("it is well-formed")
            .arbitrary
    };
    let (g, h, x) = (Variable::Global(0), Variable::Global(1), Variable::Local(0));
    assert_eq!(arbitrary("skip ;"), []);
    assert_eq!(arbitrary("g := true ; if (g) { skip ; }"), []);
    assert_eq!(arbitrary("g := h ;"), [h]);
    assert_eq!(arbitrary("g := x ;"), [x]);
    assert_eq!(
        arbitrary("g := true ; start(t, true, true) ; h := g ;"),
        [h]
    );
    assert_eq!(arbitrary("if (*) { g := true ; } assert(g) ;"), [g]);
    assert_eq!(
        arbitrary("choice { * : g := true ; * : h := true ; } assert(g and h) ;"),
        [g, h]
    );
    assert_eq!(
        arbitrary("while (*) { g := true ; } g := false ; h := g ;"),
        []
    );
    let mut program = compile(&in_main("g := true ;")).expect("it is well-formed");
    program.forbid("!g").expect("there is a g");
    assert_eq!(program.arbitrary, [g]);
}

fn mutated() -> impl Strategy<Value = String> {
    let sources = prop_oneof![
        Just(include_str!("../../../examples/bakery_printed.cbp")),
        Just(include_str!("../../../examples/counters.cbp")),
        Just(include_str!("programs/meeting.cbp")),
    ];
    let words = [
        "{", "}", "(", ")", "[", "]", ";", ":", ":=", ",", "*", "!", "and", "if", "else", "while",
        "choice", "goto", "lock", "sleep", "start", "vars", "threads", "unsafe", "\"", "main", "x",
        "assert", "accept", "é", "",
    ];
    let edits = prop::collection::vec(
        (any::<prop::sample::Index>(), 0usize..12, 0..words.len()),
        1..6,
    );
    (sources, edits).prop_map(move |(source, edits)| {
        let mut text = source.to_owned();
        for (at, length, word) in edits {
            let start = text.floor_char_boundary(at.index(text.len() + 1));
            let end = text
                .floor_char_boundary((start + length).min(text.len()))
                .max(start);
            text.replace_range(start..end, words[word]);
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_accepted_or_refused(text in any::<String>()) {
        if let Err(errors) = compile(&text) {
            prop_assert!(!errors.is_empty());
        }
    }

    #[test]
    fn broken_programs_are_accepted_or_refused(text in mutated()) {
        if let Err(errors) = compile(&text) {
            prop_assert!(!errors.is_empty());
            raddle_diagnostics::render(&text, "broken.cbp", &errors, false);
        }
        // Names are where they stand, whatever else is wrong.
        let index = raddle_cbp::index(&text);
        for (span, declared) in &index.uses {
            prop_assert_eq!(&text[span.clone()], &text[declared.clone()]);
        }
    }

    #[test]
    fn any_set_is_accepted_or_refused(text in "[a-zI&|!()<>= 0-9é]{0,24}") {
        let source = include_str!("../../../examples/counters.cbp");
        let mut program = compile(source).expect("it is well-formed");
        let _ = program.forbid(&text);
    }
}

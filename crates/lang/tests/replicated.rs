//! Kinds of which there are any number of threads: what they become, and with how many.

use raddle_lang::{compile, compile_with};
use raddle_machine::ir::{DeclarationId, Program};
use raddle_machine::{text, verify};

const FLAGS: &str = "
    int before = 7;
    int flag[worker] = 5;
    int after = 8;
    int seen;
    thread worker[*] {
      flag[index] = index;
      for (int k = 0; k < length(flag); k++) seen += flag[k];
    }
    thread other { after = 9; }
";

fn program(source: &str) -> Program {
    let program = compile(source).expect("it is well formed");
    verify::verify(&program).expect("it is well formed");
    program
}

#[test]
fn there_is_one_thread_of_each_kind_to_execute() {
    let program = program(FLAGS);
    assert_eq!(program.replicated, [DeclarationId(0)]);
    assert!(program.is_parametric());
    assert_eq!(program.initial_threads.len(), 2);
    assert_eq!(program.initial_words, [7, 5, 8, 0]);
    let flag = program.regions.iter().find(|it| it.name == "flag");
    assert_eq!(flag.and_then(|it| it.per_thread), Some(DeclarationId(0)));
}

#[test]
fn the_text_of_the_intermediate_form_says_so() {
    let program = program(FLAGS);
    let printed = text::print(&program);
    assert!(printed.contains("any worker"), "{printed}");
    assert!(printed.contains("per worker"), "{printed}");
    assert_eq!(text::parse(&printed).as_ref(), Ok(&program));
}

#[test]
fn as_many_threads_as_one_likes() {
    let program = program(FLAGS);
    for count in [1, 2, 5] {
        let concrete = program.with_threads(&[(DeclarationId(0), count)]);
        verify::verify(&concrete).expect("it is well formed");
        assert!(!concrete.is_parametric());
        assert_eq!(concrete.initial_threads.len(), count as usize + 1);
        assert_eq!(concrete.initial_words.len(), count as usize + 3);
        // The same as from a definition, but for the lengths, which are constants then.
        let defined = [("worker".to_owned(), i64::from(count))];
        let defined = compile_with(FLAGS, &defined).expect("it is well formed");
        assert_eq!(concrete.initial_threads, defined.initial_threads);
        assert_eq!(concrete.initial_words, defined.initial_words);
        assert_eq!(concrete.regions, defined.regions);
    }
}

#[test]
fn what_is_replicated_has_neither_a_count_nor_parameters() {
    for wrong in [
        "thread worker[*](int x) { }  thread main { }",
        "thread worker[*][2] { }",
        "int a[worker]; thread worker { }",
        "int a[worker][worker]; thread worker[*] { }",
    ] {
        assert!(compile(wrong).is_err(), "{wrong}");
    }
}

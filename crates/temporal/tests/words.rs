//! Automata against the meaning of formulas, on random words.

use proptest::prelude::*;
use raddle_temporal::{Automaton, Formula, Lasso};

fn formulas() -> impl Strategy<Value = Formula<u32>> {
    let leaf = prop_oneof![
        8 => (0u32..3).prop_map(Formula::Atom),
        1 => any::<bool>().prop_map(Formula::Constant),
    ];
    leaf.prop_recursive(5, 16, 2, |inner| {
        let one = || inner.clone().prop_map(Box::new);
        let two = || (one(), one());
        prop_oneof![
            1 => one().prop_map(Formula::Not),
            1 => one().prop_map(Formula::Next),
            2 => one().prop_map(Formula::Always),
            2 => one().prop_map(Formula::Eventually),
            1 => two().prop_map(|(a, b)| Formula::And(a, b)),
            1 => two().prop_map(|(a, b)| Formula::Or(a, b)),
            1 => two().prop_map(|(a, b)| Formula::Implies(a, b)),
            2 => two().prop_map(|(a, b)| Formula::Until(a, b)),
            2 => two().prop_map(|(a, b)| Formula::Unless(a, b)),
            1 => two().prop_map(|(a, b)| Formula::LeadsTo(a, b)),
        ]
    })
}

fn lassos() -> impl Strategy<Value = Lasso> {
    let letters = prop::collection::vec(0u64..8, 1..7);
    (letters, any::<prop::sample::Index>()).prop_map(|(letters, from)| Lasso {
        repeats_from: from.index(letters.len()),
        letters,
    })
}

/// Whether an automaton accepts a word: by the pairs of a position and a state that it comes to,
/// and by which sets are met on the way from a pair back to itself.
fn accepts(automaton: &Automaton, word: &Lasso) -> bool {
    let (length, states) = (word.letters.len(), automaton.states.len());
    if states == 0 {
        return false;
    }
    let pair = |position: usize, state: usize| position * states + state;
    let mut edges = vec![Vec::new(); length * states];
    for position in 0..length {
        let after = match position + 1 == length {
            true => word.repeats_from,
            false => position + 1,
        };
        for (state, transitions) in automaton.states.iter().enumerate() {
            for it in transitions
                .iter()
                .filter(|it| it.reads(word.letters[position]))
            {
                edges[pair(position, state)].push((pair(after, it.target as usize), it.sets));
            }
        }
    }
    let reach = |from: usize| {
        let (mut reached, mut next) = (vec![false; edges.len()], vec![from]);
        while let Some(at) = next.pop() {
            for &(to, _) in &edges[at] {
                if !std::mem::replace(&mut reached[to], true) {
                    next.push(to);
                }
            }
        }
        reached
    };
    let reached: Vec<Vec<bool>> = (0..edges.len()).map(reach).collect();
    let is_reached = |at: usize| at == 0 || reached[0][at];
    (0..edges.len())
        .filter(|&at| is_reached(at) && reached[at][at])
        .any(|at| {
            let members = (0..edges.len()).filter(|&it| reached[at][it] && reached[it][at]);
            let within = |to: usize| reached[at][to] && reached[to][at];
            let sets = members
                .flat_map(|it| &edges[it])
                .filter(|(to, _)| within(*to));
            sets.fold(0, |all, (_, sets)| all | sets) == automaton.sets
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn automata_accept_the_words_of_which_their_formula_is_true(
        formula in formulas(),
        words in prop::collection::vec(lassos(), 12),
    ) {
        let (of, against) = (Automaton::of(&formula), Automaton::against(&formula));
        let (of, against) = (of.expect("it is small"), against.expect("it is small"));
        for word in words {
            let is_true = word.satisfies(&formula);
            prop_assert_eq!(accepts(&of, &word), is_true, "{} {:?} {:#?}", formula, &word, of);
            prop_assert_eq!(accepts(&against, &word), !is_true, "{} {:?}", formula, &word);
        }
    }
}

#[test]
fn frequent_formulas_have_small_automata() {
    let atom = |number| Box::new(Formula::Atom(number));
    let states = |formula: Formula<u32>| {
        let automaton = Automaton::against(&formula).expect("it is small");
        (automaton.states.len(), automaton.sets)
    };
    assert_eq!(states(Formula::Always(atom(0))), (2, 1));
    assert_eq!(states(Formula::Eventually(atom(0))), (1, 0));
    assert_eq!(states(Formula::LeadsTo(atom(0), atom(1))), (2, 1));
    let again_and_again = Formula::Always(Box::new(Formula::Eventually(atom(0))));
    assert_eq!(states(again_and_again), (2, 1));
    let in_the_end = Formula::Eventually(Box::new(Formula::Always(atom(0))));
    assert_eq!(states(in_the_end), (1, 1));
}

#[test]
fn what_is_too_large_is_refused() {
    assert!(Automaton::of(&Formula::Atom(64)).is_err());
    let again = |number| {
        Box::new(Formula::Always(Box::new(Formula::Eventually(Box::new(
            Formula::Atom(number),
        )))))
    };
    let many = (1..40).fold(again(0), |all, it| Box::new(Formula::And(all, again(it))));
    assert!(Automaton::of(&many).is_err());
}

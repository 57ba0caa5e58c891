//! Automata that accept the words of which a formula is true.
//!
//! The construction is that of Couvreur (*On-the-fly verification of linear temporal logic*, FM
//! 1999): a state is a set of formulas that are to be true of the rest of the word; what they say of
//! the next letter and of the word after it are the transitions. `a until b` is true if `b` is, or
//! if `a` is and the same is true one letter later: then it is promised that `b` comes. A word is
//! accepted if no promise is made for ever: there is a set of accepting transitions for each
//! `until`, those that do not promise it, and of each set some transition is taken again and again.

use crate::formula::Formula;
use crate::normal::{Id, Normal, Pool};
use crate::simplify;
use crate::word::Letter;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The most atoms of a formula: the bits of a [`Letter`].
pub const MOST_ATOMS: u32 = Letter::BITS;

/// The most sets of accepting transitions.
const MOST_SETS: usize = 32;

/// The most states and transitions while an automaton is made.
const MOST_STATES: usize = 20_000;
const MOST_TRANSITIONS: usize = 200_000;

/// A generalised Büchi automaton with acceptance on its transitions. It begins in state zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// By state: where it goes from there.
    pub states: Vec<Vec<Transition>>,
    /// A bit for each set of accepting transitions. A run is accepting if it takes transitions of
    /// each of them again and again; without any, all runs are.
    pub sets: u32,
}

/// A transition of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transition {
    /// The atoms that must be in the letter.
    pub present: Letter,
    /// The atoms that must not be in it.
    pub absent: Letter,
    /// The accepting sets that it belongs to.
    pub sets: u32,
    /// The state that it leads to.
    pub target: u32,
}

impl Transition {
    /// Whether it can be taken with a letter.
    #[inline]
    pub fn reads(&self, letter: Letter) -> bool {
        letter & self.present == self.present && letter & self.absent == 0
    }
}

/// A formula of which no automaton was made: it would have too many states, transitions or sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the formula is too large: split it into several properties")
    }
}

impl Automaton {
    /// The automaton of a formula, which accepts the words of which it is true. Without states, if
    /// there are none.
    pub fn of(formula: &Formula<u32>) -> Result<Automaton, TooLarge> {
        Automaton::new(formula, true)
    }

    /// That of its negation.
    pub fn against(formula: &Formula<u32>) -> Result<Automaton, TooLarge> {
        Automaton::new(formula, false)
    }

    fn new(formula: &Formula<u32>, is_positive: bool) -> Result<Automaton, TooLarge> {
        let mut largest = 0;
        formula.for_each(&mut |&atom| largest = largest.max(atom));
        if largest >= MOST_ATOMS {
            return Err(TooLarge);
        }
        let mut tableau = Tableau::default();
        let first = tableau.pool.normal(formula, is_positive);
        let states = tableau.states(first)?;
        let sets = tableau.untils.len() as u32;
        let sets = u32::MAX.checked_shr(u32::BITS - sets).unwrap_or(0);
        Ok(simplify::simplified(Automaton { states, sets }))
    }
}

/// What a state says of the next letter and of what comes after it: one way in which that can be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Term {
    present: Letter,
    absent: Letter,
    /// The untils that are promised.
    promises: u32,
    next: BTreeSet<Id>,
}

impl Term {
    /// Both; `None` if they contradict each other.
    fn and(&self, other: &Term) -> Option<Term> {
        let (present, absent) = (self.present | other.present, self.absent | other.absent);
        (present & absent == 0).then(|| Term {
            present,
            absent,
            promises: self.promises | other.promises,
            next: self.next.union(&other.next).copied().collect(),
        })
    }

    /// Whether whatever is accepted after the other one is accepted after this one.
    fn covers(&self, other: &Term) -> bool {
        self.present & other.present == self.present
            && self.absent & other.absent == self.absent
            && self.promises & other.promises == self.promises
            && self.next.is_subset(&other.next)
    }
}

#[derive(Default)]
struct Tableau {
    pool: Pool,
    /// The untils, by the number of their set.
    untils: Vec<Id>,
    terms: BTreeMap<Id, Vec<Term>>,
}

impl Tableau {
    fn states(&mut self, first: Id) -> Result<Vec<Vec<Transition>>, TooLarge> {
        let mut numbers = BTreeMap::new();
        let mut sets: Vec<BTreeSet<Id>> = Vec::new();
        let mut found: Vec<Vec<(Term, u32)>> = Vec::new();
        let mut number = |set: &BTreeSet<Id>, sets: &mut Vec<BTreeSet<Id>>| {
            *numbers.entry(set.clone()).or_insert_with(|| {
                sets.push(set.clone());
                sets.len() as u32 - 1
            })
        };
        number(&BTreeSet::from([first]), &mut sets);
        let mut transitions = 0;
        while let Some(set) = sets.get(found.len()) {
            let terms = self.terms_of_all(&set.clone())?;
            transitions += terms.len();
            let target = |term: Term| (number(&term.next, &mut sets), term);
            let terms = terms.into_iter().map(target);
            found.push(terms.map(|(target, term)| (term, target)).collect());
            if sets.len() > MOST_STATES || transitions > MOST_TRANSITIONS {
                return Err(TooLarge);
            }
        }
        // Only now all sets are known.
        let all = u32::MAX.checked_shr(u32::BITS - self.untils.len() as u32);
        let all = all.unwrap_or(0);
        let transition = |(term, target): (Term, u32)| Transition {
            present: term.present,
            absent: term.absent,
            sets: all & !term.promises,
            target,
        };
        let states = found.into_iter();
        Ok(states
            .map(|terms| terms.into_iter().map(transition).collect())
            .collect())
    }

    fn terms_of_all(&mut self, set: &BTreeSet<Id>) -> Result<Vec<Term>, TooLarge> {
        let mut terms = vec![Term::default()];
        for &formula in set {
            let others = self.terms(formula)?;
            terms = product(&terms, &others)?;
        }
        Ok(terms)
    }

    /// The ways in which a formula can be true.
    fn terms(&mut self, id: Id) -> Result<Vec<Term>, TooLarge> {
        if let Some(known) = self.terms.get(&id) {
            return Ok(known.clone());
        }
        let later = |id: Id| Term {
            next: BTreeSet::from([id]),
            ..Term::default()
        };
        let terms = match self.pool.get(id) {
            Normal::Constant(true) => vec![Term::default()],
            Normal::Constant(false) => Vec::new(),
            Normal::Literal { atom, is_positive } => {
                let (present, absent) = match is_positive {
                    true => (1 << atom, 0),
                    false => (0, 1 << atom),
                };
                vec![Term {
                    present,
                    absent,
                    ..Term::default()
                }]
            }
            Normal::And(a, b) => product(&self.terms(a)?, &self.terms(b)?)?,
            Normal::Or(a, b) => least([self.terms(a)?, self.terms(b)?].concat()),
            Normal::Next(a) => match self.pool.get(a) {
                Normal::And(a, b) => product(&[later(a)], &[later(b)])?,
                _ => vec![later(a)],
            },
            Normal::Until(a, b) => {
                let set = self.set_of(id)?;
                let promise = Term {
                    promises: 1 << set,
                    ..later(id)
                };
                let goes_on = product(&self.terms(a)?, &[promise])?;
                least([self.terms(b)?, goes_on].concat())
            }
            Normal::Release(a, b) => {
                let ends = [self.terms(a)?, vec![later(id)]].concat();
                product(&self.terms(b)?, &ends)?
            }
        };
        self.terms.insert(id, terms.clone());
        Ok(terms)
    }

    /// The set of transitions that do not promise an until.
    fn set_of(&mut self, until: Id) -> Result<usize, TooLarge> {
        let known = self.untils.iter().position(|&it| it == until);
        let set = known.unwrap_or(self.untils.len());
        if set == self.untils.len() {
            self.untils.push(until);
        }
        (set < MOST_SETS).then_some(set).ok_or(TooLarge)
    }
}

/// The ways in which two things can be true together.
fn product(one: &[Term], other: &[Term]) -> Result<Vec<Term>, TooLarge> {
    if one.len() * other.len() > MOST_TRANSITIONS {
        return Err(TooLarge);
    }
    let pairs = one.iter().flat_map(|a| other.iter().map(move |b| a.and(b)));
    Ok(least(pairs.flatten().collect()))
}

/// Only those that no other one covers.
fn least(terms: Vec<Term>) -> Vec<Term> {
    let mut kept: Vec<Term> = Vec::new();
    for term in terms {
        if !kept.iter().any(|it| it.covers(&term)) {
            kept.retain(|it| !term.covers(it));
            kept.push(term);
        }
    }
    kept
}

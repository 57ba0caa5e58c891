//! What a formula means: whether it is true of an infinite word.

use crate::formula::Formula;

/// What is true in a state: a bit for each atom, by its number.
pub type Letter = u64;

/// An infinite word that repeats itself from some letter on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// Its letters; after the last one it goes on with the first one that is repeated.
    pub letters: Vec<Letter>,
    /// The first letter that is repeated; less than their number.
    pub repeats_from: usize,
}

impl Lasso {
    /// Whether a formula is true of the word. There is at least one letter.
    pub fn satisfies(&self, formula: &Formula<u32>) -> bool {
        self.truth(formula)[0]
    }

    /// By position: whether a formula is true of the rest of the word.
    fn truth(&self, formula: &Formula<u32>) -> Vec<bool> {
        let positions = 0..self.letters.len();
        let unary = |a, of: fn(bool) -> bool| self.truth(a).into_iter().map(of).collect();
        let binary = |a, b, of: fn(bool, bool) -> bool| {
            let pairs = self.truth(a).into_iter().zip(self.truth(b));
            pairs.map(|(a, b)| of(a, b)).collect()
        };
        let always = |of: Vec<bool>| self.fixpoint(true, |at, next| of[at] && next);
        let eventually = |of: Vec<bool>| self.fixpoint(false, |at, next| of[at] || next);
        match formula {
            Formula::Constant(value) => vec![*value; self.letters.len()],
            Formula::Atom(atom) => {
                let letters = self.letters.iter();
                letters.map(|letter| letter >> atom & 1 == 1).collect()
            }
            Formula::Not(a) => unary(a, |a| !a),
            Formula::And(a, b) => binary(a, b, |a, b| a && b),
            Formula::Or(a, b) => binary(a, b, |a, b| a || b),
            Formula::Implies(a, b) => binary(a, b, |a, b| !a || b),
            Formula::Next(a) => {
                let a = self.truth(a);
                positions.map(|at| a[self.after(at)]).collect()
            }
            Formula::Always(a) => always(self.truth(a)),
            Formula::Eventually(a) => eventually(self.truth(a)),
            Formula::Until(a, b) | Formula::Unless(a, b) => {
                let is_unless = matches!(formula, Formula::Unless(..));
                let (a, b) = (self.truth(a), self.truth(b));
                self.fixpoint(is_unless, |at, next| b[at] || a[at] && next)
            }
            Formula::LeadsTo(a, b) => {
                let (a, b) = (self.truth(a), eventually(self.truth(b)));
                always(positions.map(|at| !a[at] || b[at]).collect())
            }
        }
    }

    /// What follows at each position from what is true at the one after it, beginning with what is
    /// assumed of all. Twice round the circle is enough: what is found in the first round is known
    /// at its end.
    fn fixpoint(&self, assumed: bool, at: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut truth = vec![assumed; self.letters.len()];
        for _ in 0..2 {
            for position in (0..self.letters.len()).rev() {
                truth[position] = at(position, truth[self.after(position)]);
            }
        }
        truth
    }

    fn after(&self, position: usize) -> usize {
        match position + 1 == self.letters.len() {
            true => self.repeats_from,
            false => position + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Formula::*;

    fn atom(number: u32) -> Box<Formula<u32>> {
        Box::new(Atom(number))
    }

    /// Whether it is true of a word of sets of atoms, which are written as binary numbers.
    fn of(formula: Formula<u32>, letters: &[Letter], repeats_from: usize) -> bool {
        let letters = letters.to_vec();
        Lasso {
            letters,
            repeats_from,
        }
        .satisfies(&formula)
    }

    #[test]
    fn operators_mean_what_they_say() {
        assert!(of(Until(atom(0), atom(1)), &[0b01, 0b01, 0b10, 0], 3));
        assert!(!of(Until(atom(0), atom(1)), &[0b01, 0, 0b10], 2));
        assert!(!of(Until(atom(0), atom(1)), &[0b01], 0));
        assert!(of(Unless(atom(0), atom(1)), &[0b01], 0));
        assert!(of(Next(atom(0)), &[0, 1, 0], 2));
        assert!(of(Always(atom(0)), &[1, 1], 0));
        assert!(!of(Always(atom(0)), &[1, 1, 0, 1], 3));
        assert!(of(Eventually(atom(0)), &[0, 0, 1, 0], 3));
    }

    #[test]
    fn what_is_repeated_is_seen_from_its_middle() {
        // The answer to a request in the last letter is in the first one that is repeated.
        assert!(of(LeadsTo(atom(0), atom(1)), &[0, 0b10, 0, 0b01], 1));
        assert!(!of(LeadsTo(atom(0), atom(1)), &[0, 0b10, 0, 0b01], 2));
        let again_and_again = || Always(Box::new(Eventually(atom(0))));
        assert!(of(again_and_again(), &[0, 1, 0], 1));
        assert!(!of(again_and_again(), &[0, 1, 0], 2));
    }
}

//! Weighted sums that never grow, as they are found.

use crate::certificate::Linear;
use crate::inequation::{Inequation, Reason};
use crate::net::{Net, Place};
use crate::signs::Signs;

/// The sums that are known, and the state inequation that more of them come from.
pub(crate) struct Invariants {
    linear: Vec<Linear>,
    /// For each place, the sums that it counts in, with its weights.
    weighing: Vec<Vec<(u32, u64)>>,
    /// The sums of the demand that is looked at; zero between two questions.
    sums: Vec<u128>,
    inequation: Inequation,
    /// How much work the state inequation may still make.
    credit: u64,
    /// What was paid for until now.
    paid: u64,
}

/// What the state inequation says about a demand.
pub(crate) enum Judgement {
    /// It cannot be covered.
    Excluded,
    /// At least about so many transitions have to fire.
    Distance(u64),
    /// Not enough work was allowed.
    Unfinished,
    /// Nothing.
    None,
}

/// How much of the search's work takes as long as one step of work on the state inequation.
const PRICE: u64 = 4;

/// What a search may spend on the state inequation before it has done anything else.
const ADVANCE: u64 = 4_000_000;

/// What it may spend on targets, which are worth more than other demands.
const MOST_BORROWED: u64 = 400_000_000;

/// The most sums that are kept.
const MOST_SUMS: usize = 1000;

impl Invariants {
    pub(crate) fn new(net: &Net, signs: &Signs) -> Invariants {
        Invariants {
            linear: Vec::new(),
            weighing: vec![Vec::new(); net.places.len()],
            sums: Vec::new(),
            inequation: Inequation::new(net, &signs.fires),
            credit: ADVANCE,
            paid: 0,
        }
    }

    /// Whether a known sum shows that a demand cannot be covered.
    pub(crate) fn exclude(&mut self, demand: &[(Place, u32)]) -> bool {
        let mut is_excluded = false;
        for &(place, least) in demand {
            for &(index, weight) in &self.weighing[place.index()] {
                let sum = &mut self.sums[index as usize];
                *sum += u128::from(weight) * u128::from(least);
                is_excluded |= *sum > u128::from(self.linear[index as usize].bound);
            }
        }
        self.sums.fill(0);
        is_excluded
    }

    /// Takes notice of the search's other work. The state inequation may cost as much.
    pub(crate) fn earn(&mut self, search: u64) {
        self.credit += (search - self.paid) / PRICE;
        self.paid = search;
    }

    /// Whether the state inequation may be asked.
    pub(crate) fn can_judge(&self) -> bool {
        self.credit > 0 && self.linear.len() < MOST_SUMS
    }

    /// Allows more work, if there was not too much of it already.
    pub(crate) fn borrow(&mut self) -> bool {
        let may_borrow = self.inequation.work < MOST_BORROWED;
        self.credit += if may_borrow { ADVANCE } else { 0 };
        may_borrow
    }

    /// Asks the state inequation whether a demand can be covered. If it cannot, the reason is
    /// known from now on.
    pub(crate) fn judge(&mut self, demand: &[(Place, u32)]) -> Judgement {
        let before = self.inequation.work;
        let reason = self.inequation.ask(demand, self.credit);
        self.credit = self.credit.saturating_sub(self.inequation.work - before);
        match reason {
            Reason::Excluded(linear) => {
                self.add(linear);
                Judgement::Excluded
            }
            Reason::Solvable(firings) => Judgement::Distance(firings),
            Reason::Unfinished => Judgement::Unfinished,
            Reason::GaveUp => Judgement::None,
        }
    }

    fn add(&mut self, linear: Linear) {
        for &(place, weight) in &linear.weights {
            self.weighing[place.index()].push((self.linear.len() as u32, weight));
        }
        self.linear.push(linear);
        self.sums.push(0);
    }

    pub(crate) fn into_linear(self) -> Vec<Linear> {
        self.linear
    }
}

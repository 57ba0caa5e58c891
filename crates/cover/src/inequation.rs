//! The state inequation: tokens in the beginning, plus what transitions bring, are at least
//! what is demanded. If it has no solution the demand cannot be covered, and Farkas' lemma
//! gives the reason as a weighted sum of tokens that never grows, begins below what is
//! demanded, and excludes much more than this one demand.
//!
//! Solved over the rationals, exactly: a dual simplex on sparse rows of integers. A row is an
//! integer combination of the inequations of places; when it shows that there is no solution,
//! the factors are the weights. Another demand changes the right sides only, so that the next
//! question begins where the last one ended.

use crate::certificate::Linear;
use crate::net::{Net, OMEGA, Place, Transition};

/// The state inequation of a net.
pub(crate) struct Inequation {
    /// What each variable brings to places. A transition has one, and one for each place
    /// whose tokens it carries elsewhere.
    columns: Vec<Column>,
    most: Vec<u32>,
    rows: Vec<Row>,
    /// What a variable costs; the cheapest solution is looked for, because that ends.
    costs: Row,
    /// How many entries were touched.
    pub(crate) work: u64,
}

type Column = Vec<(Place, i64)>;

/// What a question is answered with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// There is a solution. About how often transitions fire in one where they fire least
    /// often.
    Solvable(u64),
    /// There is none.
    Excluded(Linear),
    /// It takes too long. Who asks again goes on from there.
    Unfinished,
    /// Numbers get too large.
    GaveUp,
}

/// `entries` times the variables is `right`.
#[derive(Clone, Debug, Default)]
struct Row {
    /// The variable that occurs in no other row.
    basic: u32,
    /// Variables with their factors, sorted by variable. The factor of the basic variable is
    /// positive.
    entries: Vec<(u32, i64)>,
    right: i128,
}

/// Numbers are too large.
struct Overflow;

impl Inequation {
    /// The inequation of a net, for the transitions that may fire.
    pub(crate) fn new(net: &Net, fires: &[bool]) -> Inequation {
        let live = net
            .transitions
            .iter()
            .zip(fires)
            .filter(|&(_, &fires)| fires);
        let mut columns: Vec<Column> = live
            .flat_map(|(transition, _)| columns(transition))
            .collect();
        // What brings nothing to anybody is of no use in a solution.
        columns.retain(|column| column.iter().any(|&(_, change)| change > 0));
        columns.sort_unstable();
        columns.dedup();
        let mut inequation = Inequation {
            columns,
            most: net.most.clone(),
            rows: Vec::new(),
            costs: Row::default(),
            work: 0,
        };
        inequation.reset();
        inequation
    }

    /// Whether the inequation can be satisfied for a demand. Stops after so many entries.
    pub(crate) fn ask(&mut self, demand: &[(Place, u32)], patience: u64) -> Reason {
        let end = self.work.saturating_add(patience);
        self.demand(demand);
        loop {
            self.work += self.rows.len() as u64;
            let Some(worst) = self.worst() else {
                return Reason::Solvable(self.cost());
            };
            let Some(entering) = self.entering(worst) else {
                let reason = self.reason(worst, demand);
                return reason.map_or(Reason::GaveUp, Reason::Excluded);
            };
            if self.pivot(worst, entering).is_err() {
                self.reset();
                return Reason::GaveUp;
            }
            if self.work > end {
                return Reason::Unfinished;
            }
        }
    }

    /// No transition has fired.
    fn reset(&mut self) {
        let mut rows: Vec<Row> = (0..self.most.len() as u32)
            .map(|place| Row {
                basic: self.columns.len() as u32 + place,
                ..Row::default()
            })
            .collect();
        for (variable, column) in (0u32..).zip(&self.columns) {
            for &(place, change) in column {
                rows[place.index()].entries.push((variable, -change));
            }
        }
        for row in &mut rows {
            row.entries.push((row.basic, 1));
        }
        // A place without a bound is never short of tokens.
        let bounded = rows
            .into_iter()
            .zip(&self.most)
            .filter(|&(_, &most)| most != OMEGA);
        self.rows = bounded.map(|(row, _)| row).collect();
        self.costs = Row {
            basic: u32::MAX,
            entries: (0..self.columns.len() as u32)
                .map(|variable| (variable, 1))
                .collect(),
            right: 0,
        };
    }

    /// Sets the right sides.
    fn demand(&mut self, demand: &[(Place, u32)]) {
        let mut missing: Vec<i64> = self.most.iter().map(|&most| i64::from(most)).collect();
        for &(place, least) in demand {
            missing[place.index()] -= i64::from(least);
        }
        let first = self.columns.len() as u32;
        for row in &mut self.rows {
            let begin = row
                .entries
                .partition_point(|&(variable, _)| variable < first);
            let slacks = row.entries[begin..].iter();
            row.right = slacks
                .map(|&(variable, factor)| {
                    i128::from(factor) * i128::from(missing[(variable - first) as usize])
                })
                .sum();
            self.work += (row.entries.len() - begin) as u64;
        }
    }

    /// How often transitions fire in the solution.
    fn cost(&self) -> u64 {
        let fired = self
            .rows
            .iter()
            .filter(|row| (row.basic as usize) < self.columns.len());
        fired.map(Row::value).sum::<f64>().ceil() as u64
    }

    /// The row whose basic variable is the most negative.
    fn worst(&self) -> Option<usize> {
        let rows = self.rows.iter().enumerate();
        let negative = rows.filter(|(_, row)| row.right < 0);
        let worst = negative.min_by(|(_, one), (_, other)| one.value().total_cmp(&other.value()));
        worst.map(|(index, _)| index)
    }

    /// The variable that makes a row's basic variable larger at the lowest cost.
    fn entering(&mut self, row: usize) -> Option<u32> {
        let entries = &self.rows[row].entries;
        self.work += entries.len() as u64;
        let mut costs = self.costs.entries.iter().copied().peekable();
        let mut best: Option<(u32, i128, i128)> = None;
        for &(variable, factor) in entries.iter().filter(|&&(_, factor)| factor < 0) {
            while costs.next_if(|&(other, _)| other < variable).is_some() {}
            let cost = costs.next_if(|&(other, _)| other == variable);
            let cost = i128::from(cost.map_or(0, |(_, cost)| cost));
            let factor = -i128::from(factor);
            if best.is_none_or(|(_, least, per)| cost * per < least * factor) {
                best = Some((variable, cost, factor));
            }
        }
        best.map(|(variable, ..)| variable)
    }

    /// Makes a variable the basic one of a row.
    fn pivot(&mut self, row: usize, entering: u32) -> Result<(), Overflow> {
        let mut pivot = std::mem::take(&mut self.rows[row]);
        pivot
            .entries
            .iter_mut()
            .for_each(|(_, factor)| *factor = -*factor);
        pivot.right = -pivot.right;
        pivot.basic = entering;
        for other in &mut self.rows {
            self.work += 1;
            other.eliminate(&pivot, &mut self.work)?;
        }
        let result = self.costs.eliminate(&pivot, &mut self.work);
        self.rows[row] = pivot;
        result
    }

    /// The factors of a row as weights.
    fn reason(&self, row: usize, demand: &[(Place, u32)]) -> Option<Linear> {
        let first = self.columns.len() as u32;
        let slacks = self.rows[row]
            .entries
            .iter()
            .filter(|&&(variable, _)| variable >= first);
        let weights = slacks.map(|&(variable, factor)| {
            Some((Place(variable - first), u64::try_from(factor).ok()?))
        });
        let weights: Vec<(Place, u64)> = weights.collect::<Option<_>>()?;
        let initially = weights
            .iter()
            .map(|&(place, weight)| u128::from(weight) * u128::from(self.most[place.index()]));
        let bound = u64::try_from(initially.sum::<u128>()).ok()?;
        let linear = Linear { weights, bound };
        (self.never_grows(&linear) && excludes(&linear, demand)).then_some(linear)
    }

    /// Whether no variable makes a sum larger: what the rows have computed, once more.
    fn never_grows(&self, linear: &Linear) -> bool {
        let mut weights = vec![0i128; self.most.len()];
        for &(place, weight) in &linear.weights {
            weights[place.index()] = i128::from(weight);
        }
        let grows = |column: &Column| {
            let change = column
                .iter()
                .map(|&(place, change)| weights[place.index()] * i128::from(change));
            change.sum::<i128>() > 0
        };
        !self.columns.iter().any(grows)
    }
}

impl Row {
    fn factor(&self, variable: u32) -> i64 {
        let found = self
            .entries
            .binary_search_by_key(&variable, |&(other, _)| other);
        found.map_or(0, |index| self.entries[index].1)
    }

    /// What the basic variable is if all others are zero.
    fn value(&self) -> f64 {
        self.right as f64 / self.factor(self.basic) as f64
    }

    /// Adds a multiple of another row so that its basic variable does not occur any more.
    fn eliminate(&mut self, pivot: &Row, work: &mut u64) -> Result<(), Overflow> {
        let mine = self.factor(pivot.basic);
        if mine == 0 {
            return Ok(());
        }
        let theirs = pivot.factor(pivot.basic);
        let common = gcd(mine.unsigned_abs(), theirs.unsigned_abs()) as i64;
        let (mine, theirs) = (mine / common, theirs / common);
        let subtract = |sum: i64, factor: i64| {
            let product = mine.checked_mul(factor).ok_or(Overflow)?;
            sum.checked_sub(product).ok_or(Overflow)
        };
        let mut sums = Vec::with_capacity(self.entries.len() + pivot.entries.len());
        let mut subtracted = pivot.entries.iter().peekable();
        for &(variable, factor) in &self.entries {
            while let Some(&(other, factor)) = subtracted.next_if(|&&(other, _)| other < variable) {
                sums.push((other, subtract(0, factor)?));
            }
            let mut sum = theirs.checked_mul(factor).ok_or(Overflow)?;
            if let Some(&(_, factor)) = subtracted.next_if(|&&(other, _)| other == variable) {
                sum = subtract(sum, factor)?;
            }
            if sum != 0 {
                sums.push((variable, sum));
            }
        }
        for &(other, factor) in subtracted {
            sums.push((other, subtract(0, factor)?));
        }
        *work += sums.len() as u64;
        self.entries = sums;
        let ours = self.right.checked_mul(i128::from(theirs)).ok_or(Overflow)?;
        let subtracted = pivot.right.checked_mul(i128::from(mine)).ok_or(Overflow)?;
        self.right = ours.checked_sub(subtracted).ok_or(Overflow)?;
        if theirs > 1 {
            self.reduce();
        }
        Ok(())
    }

    /// Divides a row by what its factors have in common. They have its right side in common
    /// too, which is a combination of them.
    fn reduce(&mut self) {
        let mut common = 0;
        for &(_, factor) in &self.entries {
            common = gcd(factor.unsigned_abs(), common);
            if common == 1 {
                return;
            }
        }
        let Ok(common) = i64::try_from(common.max(1)) else {
            return;
        };
        self.entries
            .iter_mut()
            .for_each(|(_, factor)| *factor /= common);
        self.right /= i128::from(common);
    }
}

/// Whether a sum begins below what it would have to be for a demand to be covered.
pub(crate) fn excludes(linear: &Linear, demand: &[(Place, u32)]) -> bool {
    let mut demand = demand.iter().peekable();
    let mut sum = 0u128;
    for &(place, weight) in &linear.weights {
        while demand.next_if(|&&(other, _)| other < place).is_some() {}
        if let Some(&(_, least)) = demand.next_if(|&&(other, _)| other == place) {
            sum += u128::from(weight) * u128::from(least);
        }
    }
    sum > u128::from(linear.bound)
}

/// What a transition may bring at most, as independent variables. A token that is carried
/// along changes the places by a vector of its own, any number of times; those that the guard
/// asks for are carried for certain, together with the numbers that are added.
fn columns(transition: &Transition) -> Vec<Column> {
    let updates = &transition.updates;
    let mut touched: Vec<Place> = updates
        .iter()
        .flat_map(|update| &update.sources)
        .copied()
        .collect();
    touched.extend(updates.iter().map(|update| update.place));
    touched.sort_unstable();
    touched.dedup();
    let carried = |place: Place| {
        let receivers = updates
            .iter()
            .filter(|update| update.sources.contains(&place));
        let mut column: Column = receivers.map(|update| (update.place, 1)).collect();
        if updates.iter().any(|update| update.place == place) {
            column.push((place, -1));
        }
        summed(column)
    };
    let mut columns: Vec<Column> = touched.iter().map(|&place| carried(place)).collect();
    let mut once: Column = updates
        .iter()
        .map(|update| (update.place, update.delta))
        .collect();
    for &(place, least) in &transition.guard {
        if touched.binary_search(&place).is_ok() {
            once.extend(
                carried(place)
                    .into_iter()
                    .map(|(place, change)| (place, change * i64::from(least))),
            );
        }
    }
    for &(from, to) in &transition.wakes {
        let mut woken = once.clone();
        woken.extend([(from, -1), (to, 1)]);
        columns.push(summed(woken));
    }
    columns.push(summed(once));
    columns
}

/// A column with each place once.
fn summed(mut column: Column) -> Column {
    column.sort_unstable();
    let mut sums: Column = Vec::new();
    for (place, change) in column {
        match sums.last_mut() {
            Some((last, sum)) if *last == place => *sum += change,
            _ => sums.push((place, change)),
        }
    }
    sums.retain(|&(_, change)| change != 0);
    sums
}

fn gcd(one: u64, other: u64) -> u64 {
    match other {
        0 => one,
        _ => gcd(other, one % other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::{Certificate, check_safe};
    use crate::formats::spec;
    use crate::samples::{demand, net, transition};
    use proptest::prelude::*;

    fn read(text: &str) -> Net {
        spec::parse(text).expect("it is well-formed").net
    }

    fn is_certified(net: &Net, demand: &[(Place, u32)], linear: Linear) -> Result<(), String> {
        let net = Net {
            targets: vec![demand.to_vec()],
            ..net.clone()
        };
        let certificate = Certificate::Backward {
            linear: vec![linear],
            empty: Vec::new(),
            basis: Vec::new(),
        };
        Ok(check_safe(&net, &certificate)?)
    }

    proptest! {
        /// Every reason is a certificate, also when one question follows another.
        #[test]
        fn reasons_are_right(
            net in net(proptest::collection::vec(transition(), 1..4)),
            demands in proptest::collection::vec(demand(1), 1..6),
        ) {
            let mut inequation = Inequation::new(&net, &vec![true; net.transitions.len()]);
            for demand in demands {
                if let Reason::Excluded(linear) = inequation.ask(&demand, u64::MAX) {
                    prop_assert_eq!(is_certified(&net, &demand, linear), Ok(()));
                }
            }
        }
    }

    /// Two threads exclude each other by a token: the sum of the lock and of both of them.
    #[test]
    fn a_lock_is_found() {
        let net = read(
            "vars lock a b out rules \
             lock >= 1, out >= 1 -> lock' = lock - 1, out' = out - 1, a' = a + 1; \
             lock >= 1, out >= 1 -> lock' = lock - 1, out' = out - 1, b' = b + 1; \
             a >= 1 -> a' = a - 1, lock' = lock + 1; \
             init lock = 1, a = 0, b = 0, out >= 1 target a >= 1, b >= 1",
        );
        let mut inequation = Inequation::new(&net, &[true; 3]);
        let reason = inequation.ask(&net.targets[0], u64::MAX);
        let weights = vec![(Place(0), 1), (Place(1), 1), (Place(2), 1)];
        assert_eq!(reason, Reason::Excluded(Linear { weights, bound: 1 }));
        // One of them alone takes one step.
        assert_eq!(
            inequation.ask(&[(Place(1), 1)], u64::MAX),
            Reason::Solvable(1)
        );
        // Places without a bound are never short of tokens.
        assert_eq!(
            inequation.ask(&[(Place(3), 100)], u64::MAX),
            Reason::Solvable(0)
        );
    }

    /// Tokens that are carried from one place to another count where they come from.
    #[test]
    fn a_transfer_carries_weights() {
        let net = read(
            "vars a b c rules c >= 1 -> a' = 0, b' = a + b; \
             init a = 2, b = 0, c = 1 target b >= 3",
        );
        let mut inequation = Inequation::new(&net, &[true]);
        let Reason::Excluded(linear) = inequation.ask(&net.targets[0], u64::MAX) else {
            panic!("two tokens are not three");
        };
        assert_eq!(linear.bound, 2);
        assert!(matches!(
            inequation.ask(&[(Place(1), 2)], u64::MAX),
            Reason::Solvable(_)
        ));
    }

    #[test]
    fn an_unfinished_question_is_continued() {
        let chain: String = (0..20)
            .map(|place| {
                format!(
                    "p{place} >= 1 -> p{place}' = p{place} - 1, p{0}' = p{0} + 1; ",
                    place + 1
                )
            })
            .collect();
        let names: Vec<String> = (0..=20).map(|place| format!("p{place}")).collect();
        let empty: Vec<String> = names[1..]
            .iter()
            .map(|name| format!("{name} = 0"))
            .collect();
        let text = format!(
            "vars {} rules {chain} init p0 = 1, {} target p20 >= 1",
            names.join(" "),
            empty.join(", "),
        );
        let net = read(&text);
        let mut inequation = Inequation::new(&net, &[true; 20]);
        let mut unfinished = 0;
        loop {
            match inequation.ask(&net.targets[0], 1) {
                Reason::Unfinished => unfinished += 1,
                reason => break assert_eq!(reason, Reason::Solvable(20)),
            }
        }
        assert!(unfinished > 5, "{unfinished}");
    }
}

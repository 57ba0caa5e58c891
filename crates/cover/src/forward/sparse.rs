//! Markings that name only the places with tokens. With [`OMEGA`] in some places such a
//! marking is a *bound*: it stands for all markings below it.

use crate::net::{MOST_TOKENS, OMEGA, Place};

/// Sorted by place, and no number is zero.
pub(super) type Sparse = Vec<(Place, u32)>;

/// How many tokens a marking has in a place.
pub(super) fn tokens_in(marking: &[(Place, u32)], place: Place) -> u32 {
    let found = marking.binary_search_by_key(&place, |&(other, _)| other);
    found.map_or(0, |index| marking[index].1)
}

/// Whether one marking has no more tokens than another, anywhere.
pub(super) fn is_below(smaller: &[(Place, u32)], larger: &[(Place, u32)]) -> bool {
    if smaller.len() > larger.len() {
        return false;
    }
    let mut rest = larger.iter();
    smaller.iter().all(|&(place, tokens)| {
        let same = rest.find(|&&(other, _)| other >= place);
        same.is_some_and(|&(other, bound)| other == place && bound >= tokens)
    })
}

/// The places where the second marking, which is above the first, has more.
pub(super) fn grown(before: &[(Place, u32)], after: &[(Place, u32)]) -> Vec<Place> {
    let more = after
        .iter()
        .filter(|&&(place, tokens)| tokens_in(before, place) < tokens);
    more.map(|&(place, _)| place).collect()
}

/// Asks for at least so many tokens in a place.
pub(super) fn raise(demand: &mut Sparse, place: Place, least: u32) {
    match demand.binary_search_by_key(&place, |&(other, _)| other) {
        Ok(index) => demand[index].1 = demand[index].1.max(least),
        Err(index) if least > 0 => demand.insert(index, (place, least)),
        Err(_) => {}
    }
}

/// A marking as a bound.
pub(super) fn as_bounds(marking: &[u32]) -> Sparse {
    let places = (0..).map(Place).zip(marking.iter());
    let marked = places.filter(|&(_, &tokens)| tokens > 0);
    marked
        .map(|(place, &tokens)| (place, as_bound(u64::from(tokens))))
        .collect()
}

/// A number of tokens as bounds have it: what is too large to count with is no bound.
pub(super) fn as_bound(tokens: u64) -> u32 {
    match u32::try_from(tokens) {
        Ok(tokens) if tokens <= MOST_TOKENS => tokens,
        _ => OMEGA,
    }
}

/// Sets of places, squeezed into a word: a subset has a subset of the bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Signature {
    marked: u64,
    unbounded: u64,
}

impl Signature {
    pub(super) fn of(marking: &[(Place, u32)]) -> Signature {
        let mut signature = Signature {
            marked: 0,
            unbounded: 0,
        };
        for &(place, tokens) in marking {
            let bit = 1 << (place.0 % 64);
            signature.marked |= bit;
            if tokens == OMEGA {
                signature.unbounded |= bit;
            }
        }
        signature
    }

    /// Whether a marking with this signature can be below one with the other.
    pub(super) fn may_be_below(self, other: Signature) -> bool {
        self.marked & !other.marked == 0 && self.unbounded & !other.unbounded == 0
    }
}

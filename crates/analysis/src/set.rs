//! Sets of small numbers of which many lie close together.

/// A set: blocks of 64 numbers, sorted, none of them empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Set(Vec<(u32, u64)>);

impl Set {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn insert(&mut self, number: u32) -> bool {
        let (block, bit) = (number / 64, 1 << (number % 64));
        match self.0.binary_search_by_key(&block, |it| it.0) {
            Ok(at) => {
                let is_new = self.0[at].1 & bit == 0;
                self.0[at].1 |= bit;
                is_new
            }
            Err(at) => {
                self.0.insert(at, (block, bit));
                true
            }
        }
    }

    pub(crate) fn contains(&self, number: u32) -> bool {
        let found = self.0.binary_search_by_key(&(number / 64), |it| it.0);
        found.is_ok_and(|at| self.0[at].1 >> (number % 64) & 1 == 1)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        self.0.iter().flat_map(|&(block, bits)| {
            (0..64).filter_map(move |it| (bits >> it & 1 == 1).then_some(block * 64 + it))
        })
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.0.iter().map(|it| it.1.count_ones() as usize).sum()
    }

    /// The one member, if there is one only.
    pub(crate) fn single(&self) -> Option<u32> {
        match self.0[..] {
            [(block, bits)] if bits.count_ones() == 1 => Some(block * 64 + bits.trailing_zeros()),
            _ => None,
        }
    }

    /// Adds what is in another one, and in the mask if there is one. What is new goes to `news`, too.
    /// True if anything was.
    pub(crate) fn absorb(&mut self, other: &Self, mask: Option<&Self>, news: &mut Self) -> bool {
        let mut fresh: Vec<(u32, u64)> = Vec::new();
        let mut mine = 0;
        for &(block, bits) in &other.0 {
            let bits = match mask {
                Some(mask) => match mask.0.binary_search_by_key(&block, |it| it.0) {
                    Ok(at) => bits & mask.0[at].1,
                    Err(_) => 0,
                },
                None => bits,
            };
            while self.0.get(mine).is_some_and(|it| it.0 < block) {
                mine += 1;
            }
            let known = match self.0.get(mine) {
                Some(it) if it.0 == block => it.1,
                _ => 0,
            };
            if bits & !known != 0 {
                fresh.push((block, bits & !known));
            }
        }
        if fresh.is_empty() {
            return false;
        }
        self.merge(&fresh);
        news.merge(&fresh);
        true
    }

    fn merge(&mut self, fresh: &[(u32, u64)]) {
        if self.0.is_empty() {
            self.0 = fresh.to_vec();
            return;
        }
        let mut all = Vec::with_capacity(self.0.len() + fresh.len());
        let (mut mine, mut theirs) = (self.0.iter().peekable(), fresh.iter().peekable());
        loop {
            match (mine.peek(), theirs.peek()) {
                (Some(&&one), Some(&&other)) if one.0 == other.0 => {
                    all.push((one.0, one.1 | other.1));
                    mine.next();
                    theirs.next();
                }
                (Some(&&one), Some(&&other)) if one.0 < other.0 => {
                    all.push(one);
                    mine.next();
                }
                (_, Some(&&other)) => {
                    all.push(other);
                    theirs.next();
                }
                (Some(&&one), None) => {
                    all.push(one);
                    mine.next();
                }
                (None, None) => break,
            }
        }
        self.0 = all;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_new_is_told() {
        let (mut one, mut other, mut news) = (Set::default(), Set::default(), Set::default());
        for it in [3, 70, 71, 500] {
            one.insert(it);
        }
        for it in [3, 64, 71, 1000] {
            other.insert(it);
        }
        assert!(one.absorb(&other, None, &mut news));
        assert_eq!(news.iter().collect::<Vec<_>>(), [64, 1000]);
        assert_eq!(one.iter().collect::<Vec<_>>(), [3, 64, 70, 71, 500, 1000]);
        assert!(!one.absorb(&other, None, &mut news));
        assert_eq!((one.len(), news.single()), (6, None));
    }

    #[test]
    fn a_mask_keeps_out_what_it_has_not() {
        let (mut one, mut other, mut mask) = (Set::default(), Set::default(), Set::default());
        for it in [5, 130] {
            other.insert(it);
        }
        mask.insert(130);
        let mut news = Set::default();
        assert!(one.absorb(&other, Some(&mask), &mut news));
        assert_eq!((one.single(), one.contains(5)), (Some(130), false));
    }
}

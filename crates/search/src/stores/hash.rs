//! Hash functions with fixed keys: two runs of a search do exactly the same.

/// Digits of pi and of e, as good as any other.
const KEYS: [u64; 4] = [
    0x243f_6a88_85a3_08d3,
    0x1319_8a2e_0370_7344,
    0xadf8_5458_a2bb_4a9b,
    0xafdc_5620_273d_3cf1,
];

/// Multiplies and folds the long product: every bit of the result depends on all
/// bits of both factors.
#[inline]
pub(super) fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// A hash of four numbers.
#[inline]
pub(super) fn hash_four([a, b, c, d]: [u64; 4]) -> u64 {
    let first = fold(a ^ KEYS[0], b ^ KEYS[1]);
    let second = fold(c ^ KEYS[2], d ^ KEYS[3]);
    // The rotation tells the halves apart.
    first ^ second.rotate_left(23)
}

/// A hash of any number of words, good enough to stand for them.
#[inline]
pub(super) fn hash_words(words: &[u32]) -> u64 {
    let (fours, rest) = words.as_chunks::<4>();
    let mut hash = KEYS[3] ^ words.len() as u64;
    for &[a, b, c, d] in fours {
        hash = fold(join(a, b) ^ KEYS[0], join(c, d) ^ hash);
    }
    let mut last = [0; 4];
    for (to, from) in last.iter_mut().zip(rest) {
        *to = *from;
    }
    let [a, b, c, d] = last;
    hash = fold(join(a, b) ^ KEYS[1], join(c, d) ^ hash);
    fold(hash ^ KEYS[2], KEYS[3])
}

/// Scatters numbers one to one: different numbers stay different. (The finaliser
/// of MurmurHash3, with the constants of David Stafford's variant 13.)
#[inline]
pub(super) fn scatter(mut number: u64) -> u64 {
    number ^= number >> 30;
    number = number.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number ^= number >> 27;
    number = number.wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// The number that was scattered.
pub(super) fn unscatter(mut number: u64) -> u64 {
    // A shift by half of the bits or less is undone by shifting again; the factors are the
    // inverses of those above.
    number ^= number >> 31 ^ number >> 62;
    number = number.wrapping_mul(0x3196_42b2_d24d_8ec3);
    number ^= number >> 27 ^ number >> 54;
    number = number.wrapping_mul(0x96de_1b17_3f11_9089);
    number ^ number >> 30 ^ number >> 60
}

/// Two words in one.
#[inline]
pub(super) fn join(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_scattered_can_be_gathered(number: u64) {
            prop_assert_eq!(unscatter(scatter(number)), number);
        }
    }
}

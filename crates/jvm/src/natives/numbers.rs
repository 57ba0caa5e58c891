//! `Float`, `Double`, `Math`, `StrictMath`.

use super::{Answer, Entry, Native, word};

const STRICT: &str = "java/lang/StrictMath";
const MATH: &str = "java/lang/Math";

const SAME: Native = |_, args| -> Answer { Ok(word(args, 0)) };

fn double(args: &[u64], index: usize) -> f64 {
    f64::from_bits(word(args, index))
}

macro_rules! of_one {
    ($f:expr) => {
        |_, args| {
            let f: fn(f64) -> f64 = $f;
            Ok(f(double(args, 0)).to_bits())
        }
    };
}

pub(super) const TABLE: &[Entry] = &[
    ("java/lang/Float", "floatToRawIntBits", "", SAME),
    ("java/lang/Float", "intBitsToFloat", "", SAME),
    ("java/lang/Double", "doubleToRawLongBits", "", SAME),
    ("java/lang/Double", "longBitsToDouble", "", SAME),
    (STRICT, "sqrt", "", of_one!(f64::sqrt)),
    (MATH, "sqrt", "", of_one!(f64::sqrt)),
    (STRICT, "IEEEremainder", "", |_, args| {
        Ok(remainder(double(args, 0), double(args, 1)).to_bits())
    }),
];

/// The remainder with the quotient rounded to the nearest integer, ties to even. Exact: the
/// remainder of the division by twice the divisor is computed without rounding.
fn remainder(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 {
        return f64::NAN;
    }
    if y.is_infinite() {
        return x;
    }
    let divisor = y.abs();
    let mut rest = x.abs();
    if divisor <= f64::MAX / 2.0 {
        rest %= divisor + divisor;
    }
    if divisor < f64::MIN_POSITIVE * 2.0 {
        if rest + rest > divisor {
            rest -= divisor;
            if rest + rest >= divisor {
                rest -= divisor;
            }
        }
    } else {
        let half = 0.5 * divisor;
        if rest > half {
            rest -= divisor;
            if rest >= half {
                rest -= divisor;
            }
        }
    }
    if x.is_sign_negative() { -rest } else { rest }
}

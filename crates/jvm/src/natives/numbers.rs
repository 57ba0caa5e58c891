//! `Float`, `Double`, `Math`, `StrictMath`.
//!
//! `StrictMath` is defined by a certain implementation, of which `libm` is a descendant;
//! `Math` may be more exact, and is what the host computes.

use super::{Answer, Entry, Native, word};
use crate::made_up::Source::{self, Every, Usual};
use crate::roles::Role::Pure;

const STRICT: &str = "java/lang/StrictMath";
const MATH: &str = "java/lang/Math";

/// A JVM may give one of the two nearest numbers.
const NEARLY: Source = Usual("the last digit of Math.sin() and the like");

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
    (
        "java/lang/Float",
        "floatToRawIntBits",
        "",
        Pure,
        Every,
        SAME,
    ),
    ("java/lang/Float", "intBitsToFloat", "", Pure, Every, SAME),
    (
        "java/lang/Double",
        "doubleToRawLongBits",
        "",
        Pure,
        Every,
        SAME,
    ),
    (
        "java/lang/Double",
        "longBitsToDouble",
        "",
        Pure,
        Every,
        SAME,
    ),
    (STRICT, "sqrt", "", Pure, Every, of_one!(f64::sqrt)),
    (STRICT, "sin", "", Pure, Every, of_one!(libm::sin)),
    (STRICT, "cos", "", Pure, Every, of_one!(libm::cos)),
    (STRICT, "tan", "", Pure, Every, of_one!(libm::tan)),
    (STRICT, "asin", "", Pure, Every, of_one!(libm::asin)),
    (STRICT, "acos", "", Pure, Every, of_one!(libm::acos)),
    (STRICT, "atan", "", Pure, Every, of_one!(libm::atan)),
    (STRICT, "log", "", Pure, Every, of_one!(libm::log)),
    (STRICT, "log10", "", Pure, Every, of_one!(libm::log10)),
    (STRICT, "sinh", "", Pure, Every, of_one!(libm::sinh)),
    (STRICT, "cosh", "", Pure, Every, of_one!(libm::cosh)),
    (STRICT, "tanh", "", Pure, Every, of_one!(libm::tanh)),
    (STRICT, "expm1", "", Pure, Every, of_one!(libm::expm1)),
    (STRICT, "log1p", "", Pure, Every, of_one!(libm::log1p)),
    (STRICT, "atan2", "", Pure, Every, |_, args| {
        Ok(libm::atan2(double(args, 0), double(args, 1)).to_bits())
    }),
    (STRICT, "IEEEremainder", "", Pure, Every, |_, args| {
        Ok(remainder(double(args, 0), double(args, 1)).to_bits())
    }),
    (MATH, "sqrt", "", Pure, Every, of_one!(f64::sqrt)),
    (MATH, "sin", "", Pure, NEARLY, of_one!(f64::sin)),
    (MATH, "cos", "", Pure, NEARLY, of_one!(f64::cos)),
    (MATH, "tan", "", Pure, NEARLY, of_one!(f64::tan)),
    (MATH, "exp", "", Pure, NEARLY, of_one!(f64::exp)),
    (MATH, "log", "", Pure, NEARLY, of_one!(f64::ln)),
    (MATH, "log10", "", Pure, NEARLY, of_one!(f64::log10)),
    (MATH, "pow", "", Pure, NEARLY, |_, args| {
        Ok(power(double(args, 0), double(args, 1)).to_bits())
    }),
];

/// As the host computes it, except where the language has an opinion of its own.
fn power(base: f64, exponent: f64) -> f64 {
    if exponent.is_nan() || (base.abs() == 1.0 && exponent.is_infinite()) {
        return f64::NAN;
    }
    if base.is_nan() && exponent != 0.0 {
        return f64::NAN;
    }
    base.powf(exponent)
}

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

//! Floating-point instructions, on registers.

use crate::code::Op;
use crate::heap::int;

pub(super) fn float(op: Op, left: u64, right: u64) -> u64 {
    let (l, r) = (f32::from_bits(left as u32), f32::from_bits(right as u32));
    let result = match op {
        Op::FAdd => l + r,
        Op::FSub => l - r,
        Op::FMul => l * r,
        Op::FDiv => l / r,
        Op::FRem => l % r,
        _ => return compare(l.partial_cmp(&r), op == Op::FCmpG),
    };
    u64::from(result.to_bits())
}

pub(super) fn double(op: Op, left: u64, right: u64) -> u64 {
    let (l, r) = (f64::from_bits(left), f64::from_bits(right));
    let result = match op {
        Op::DAdd => l + r,
        Op::DSub => l - r,
        Op::DMul => l * r,
        Op::DDiv => l / r,
        Op::DRem => l % r,
        _ => return compare(l.partial_cmp(&r), op == Op::DCmpG),
    };
    result.to_bits()
}

fn compare(order: Option<std::cmp::Ordering>, nan_is_greater: bool) -> u64 {
    int(match order {
        Some(order) => order as i32,
        None if nan_is_greater => 1,
        None => -1,
    })
}

/// Conversions to integers saturate and take what is not a number for zero, as casts do.
pub(super) fn convert(op: Op, value: u64) -> u64 {
    let (float, double) = (f32::from_bits(value as u32), f64::from_bits(value));
    let of_float = |float: f32| u64::from(float.to_bits());
    match op {
        Op::FNeg => of_float(-float),
        Op::DNeg => (-double).to_bits(),
        Op::I2F => of_float(value as i32 as f32),
        Op::I2D => f64::from(value as i32).to_bits(),
        Op::L2F => of_float(value.cast_signed() as f32),
        Op::L2D => (value.cast_signed() as f64).to_bits(),
        Op::F2I => int(float as i32),
        Op::F2L => (float as i64).cast_unsigned(),
        Op::F2D => f64::from(float).to_bits(),
        Op::D2I => int(double as i32),
        Op::D2L => (double as i64).cast_unsigned(),
        _ => of_float(double as f32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn as_int(op: Op, value: f64) -> i32 {
        convert(op, value.to_bits()) as i32
    }

    #[test]
    fn conversions_saturate() {
        assert_eq!(as_int(Op::D2I, f64::NAN), 0);
        assert_eq!(as_int(Op::D2I, 1e300), i32::MAX);
        assert_eq!(as_int(Op::D2I, f64::NEG_INFINITY), i32::MIN);
        assert_eq!(as_int(Op::D2I, -0.9), 0);
        assert_eq!(
            convert(Op::D2L, 1e19_f64.to_bits()),
            i64::MAX.cast_unsigned()
        );
        assert_eq!(
            convert(Op::F2I, u64::from((-1e20_f32).to_bits())) as i32,
            i32::MIN
        );
    }

    #[test]
    fn comparisons_know_what_is_not_a_number() {
        let nan = f64::NAN.to_bits();
        assert_eq!(double(Op::DCmpL, nan, 0) as i32, -1);
        assert_eq!(double(Op::DCmpG, nan, 0) as i32, 1);
        assert_eq!(double(Op::DCmpG, (-0.0_f64).to_bits(), 0) as i32, 0);
        assert_eq!(
            float(
                Op::FCmpL,
                u64::from(1_f32.to_bits()),
                u64::from(2_f32.to_bits())
            ) as i32,
            -1
        );
    }

    #[test]
    fn remainders_have_the_sign_of_the_dividend() {
        let rest = |a: f64, b: f64| f64::from_bits(double(Op::DRem, a.to_bits(), b.to_bits()));
        assert_eq!(rest(-5.5, 2.0), -1.5);
        assert_eq!(rest(5.5, f64::INFINITY), 5.5);
        assert!(rest(1.0, 0.0).is_nan());
        assert!(rest(-4.0, 2.0).is_sign_negative());
    }
}

//! Which instruction stands for which bytecode, and for which kinds.

use super::build::{Operand, stack_kind};
use super::{Op, Opcode};
use crate::descriptor::Kind;

pub(super) fn ends_block(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Athrow | Opcode::Ret)
        || (opcode >= Opcode::Ireturn && opcode <= Opcode::Return)
}

/// The kind of the n-th of the five variants of loads, stores and returns.
pub(super) fn local_kind(which: u8) -> Kind {
    match which {
        0 => Kind::Int,
        1 => Kind::Long,
        2 => Kind::Float,
        3 => Kind::Double,
        _ => Kind::Ref,
    }
}

/// The instructions for elements of the n-th of the eight variants of arrays.
pub(super) fn element(which: u8) -> (Op, Op, Kind) {
    match which {
        0 => (Op::LoadInt, Op::StoreInt, Kind::Int),
        1 => (Op::LoadLong, Op::StoreLong, Kind::Long),
        2 => (Op::LoadInt, Op::StoreInt, Kind::Float),
        3 => (Op::LoadLong, Op::StoreLong, Kind::Double),
        4 => (Op::LoadRef, Op::StoreRef, Kind::Ref),
        5 => (Op::LoadByte, Op::StoreByte, Kind::Int),
        6 => (Op::LoadChar, Op::StoreChar, Kind::Int),
        _ => (Op::LoadShort, Op::StoreShort, Kind::Int),
    }
}

pub(super) fn binary(opcode: Opcode) -> (Op, Kind) {
    use Opcode as O;
    let op = match opcode {
        O::Iadd => Op::IAdd,
        O::Ladd => Op::LAdd,
        O::Fadd => Op::FAdd,
        O::Dadd => Op::DAdd,
        O::Isub => Op::ISub,
        O::Lsub => Op::LSub,
        O::Fsub => Op::FSub,
        O::Dsub => Op::DSub,
        O::Imul => Op::IMul,
        O::Lmul => Op::LMul,
        O::Fmul => Op::FMul,
        O::Dmul => Op::DMul,
        O::Idiv => Op::IDiv,
        O::Ldiv => Op::LDiv,
        O::Fdiv => Op::FDiv,
        O::Ddiv => Op::DDiv,
        O::Irem => Op::IRem,
        O::Lrem => Op::LRem,
        O::Frem => Op::FRem,
        O::Drem => Op::DRem,
        O::Ishl => Op::IShl,
        O::Lshl => Op::LShl,
        O::Ishr => Op::IShr,
        O::Lshr => Op::LShr,
        O::Iushr => Op::IUshr,
        O::Lushr => Op::LUshr,
        O::Iand => Op::IAnd,
        O::Land => Op::LAnd,
        O::Ior => Op::IOr,
        O::Lor => Op::LOr,
        O::Ixor => Op::IXor,
        _ => Op::LXor,
    };
    let which = if opcode >= O::Ishl {
        (opcode as u8 - O::Ishl as u8) % 2
    } else {
        (opcode as u8 - O::Iadd as u8) % 4
    };
    (op, local_kind(which))
}

/// The variant of an operation that has a number in the instruction, if one operand is known.
pub(super) fn with_number(op: Op, left: Operand, right: Operand) -> Option<(Op, Operand, i32)> {
    let is_commutative = matches!(op, Op::IAdd | Op::IMul | Op::IAnd | Op::IOr | Op::IXor);
    let (left, number) = match (left.number(), right.number()) {
        (_, Some(number)) => (left, number),
        // The register is then the other operand's; both have homes at or above the result's.
        (Some(number), None) if is_commutative => (right, number),
        _ => return None,
    };
    let op = match op {
        Op::IAdd => Op::IAddI,
        Op::ISub => return Some((Op::IAddI, left, number.wrapping_neg())),
        Op::IMul => Op::IMulI,
        Op::IAnd => Op::IAndI,
        Op::IOr => Op::IOrI,
        Op::IXor => Op::IXorI,
        Op::IShl => Op::IShlI,
        Op::IShr => Op::IShrI,
        Op::IUshr => Op::IUshrI,
        Op::IDiv if number != 0 => Op::IDivI,
        Op::IRem if number != 0 => Op::IRemI,
        _ => return None,
    };
    Some((op, left, number))
}

pub(super) fn conversion(opcode: Opcode) -> (Op, Kind, Kind) {
    use Opcode as O;
    match opcode {
        O::I2l => (Op::I2L, Kind::Int, Kind::Long),
        O::I2f => (Op::I2F, Kind::Int, Kind::Float),
        O::I2d => (Op::I2D, Kind::Int, Kind::Double),
        O::L2i => (Op::L2I, Kind::Long, Kind::Int),
        O::L2f => (Op::L2F, Kind::Long, Kind::Float),
        O::L2d => (Op::L2D, Kind::Long, Kind::Double),
        O::F2i => (Op::F2I, Kind::Float, Kind::Int),
        O::F2l => (Op::F2L, Kind::Float, Kind::Long),
        O::F2d => (Op::F2D, Kind::Float, Kind::Double),
        O::D2i => (Op::D2I, Kind::Double, Kind::Int),
        O::D2l => (Op::D2L, Kind::Double, Kind::Long),
        O::D2f => (Op::D2F, Kind::Double, Kind::Float),
        O::I2b => (Op::I2B, Kind::Int, Kind::Int),
        O::I2c => (Op::I2C, Kind::Int, Kind::Int),
        _ => (Op::I2S, stack_kind(Kind::Int), Kind::Int),
    }
}

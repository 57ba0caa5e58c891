//! The bytecodes, and how the bytes of a method are cut into them.

use crate::classfile::{Malformed, Parsed, Reader};

/// A bytecode. The numbers are those of the class file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
#[rustfmt::skip]
pub(crate) enum Opcode {
    Nop, AconstNull, IconstM1, Iconst0, Iconst1, Iconst2, Iconst3, Iconst4, Iconst5, Lconst0,
    Lconst1, Fconst0, Fconst1, Fconst2, Dconst0, Dconst1, Bipush, Sipush, Ldc, LdcW, Ldc2W, Iload,
    Lload, Fload, Dload, Aload, Iload0, Iload1, Iload2, Iload3, Lload0, Lload1, Lload2, Lload3,
    Fload0, Fload1, Fload2, Fload3, Dload0, Dload1, Dload2, Dload3, Aload0, Aload1, Aload2,
    Aload3, Iaload, Laload, Faload, Daload, Aaload, Baload, Caload, Saload, Istore, Lstore,
    Fstore, Dstore, Astore, Istore0, Istore1, Istore2, Istore3, Lstore0, Lstore1, Lstore2,
    Lstore3, Fstore0, Fstore1, Fstore2, Fstore3, Dstore0, Dstore1, Dstore2, Dstore3, Astore0,
    Astore1, Astore2, Astore3, Iastore, Lastore, Fastore, Dastore, Aastore, Bastore, Castore,
    Sastore, Pop, Pop2, Dup, DupX1, DupX2, Dup2, Dup2X1, Dup2X2, Swap, Iadd, Ladd, Fadd, Dadd,
    Isub, Lsub, Fsub, Dsub, Imul, Lmul, Fmul, Dmul, Idiv, Ldiv, Fdiv, Ddiv, Irem, Lrem, Frem,
    Drem, Ineg, Lneg, Fneg, Dneg, Ishl, Lshl, Ishr, Lshr, Iushr, Lushr, Iand, Land, Ior, Lor,
    Ixor, Lxor, Iinc, I2l, I2f, I2d, L2i, L2f, L2d, F2i, F2l, F2d, D2i, D2l, D2f, I2b, I2c, I2s,
    Lcmp, Fcmpl, Fcmpg, Dcmpl, Dcmpg, Ifeq, Ifne, Iflt, Ifge, Ifgt, Ifle, IfIcmpeq, IfIcmpne,
    IfIcmplt, IfIcmpge, IfIcmpgt, IfIcmple, IfAcmpeq, IfAcmpne, Goto, Jsr, Ret, Tableswitch,
    Lookupswitch, Ireturn, Lreturn, Freturn, Dreturn, Areturn, Return, Getstatic, Putstatic,
    Getfield, Putfield, Invokevirtual, Invokespecial, Invokestatic, Invokeinterface,
    Invokedynamic, New, Newarray, Anewarray, Arraylength, Athrow, Checkcast, Instanceof,
    Monitorenter, Monitorexit, Wide, Multianewarray, Ifnull, Ifnonnull, GotoW, JsrW,
}

/// What follows a bytecode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Operands {
    None,
    /// A number, a local variable, an index into the constant pool, or a kind of array.
    Number(i32),
    /// The position of a jump's target.
    Jump(u32),
    /// `iinc`: a local variable and a number.
    Increment(u16, i16),
    /// `multianewarray`: a class and the number of dimensions.
    Dimensions(u16, u8),
    Table {
        default: u32,
        low: i32,
        targets: Vec<u32>,
    },
    Lookup {
        default: u32,
        pairs: Vec<(i32, u32)>,
    },
}

/// A bytecode with what belongs to it, and where the next one begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decoded {
    pub(crate) opcode: Opcode,
    pub(crate) operands: Operands,
    pub(crate) next: u32,
}

#[rustfmt::skip]
const OPCODES: [Opcode; 202] = [
    Opcode::Nop, Opcode::AconstNull, Opcode::IconstM1, Opcode::Iconst0, Opcode::Iconst1,
    Opcode::Iconst2, Opcode::Iconst3, Opcode::Iconst4, Opcode::Iconst5, Opcode::Lconst0,
    Opcode::Lconst1, Opcode::Fconst0, Opcode::Fconst1, Opcode::Fconst2, Opcode::Dconst0,
    Opcode::Dconst1, Opcode::Bipush, Opcode::Sipush, Opcode::Ldc, Opcode::LdcW, Opcode::Ldc2W,
    Opcode::Iload, Opcode::Lload, Opcode::Fload, Opcode::Dload, Opcode::Aload, Opcode::Iload0,
    Opcode::Iload1, Opcode::Iload2, Opcode::Iload3, Opcode::Lload0, Opcode::Lload1,
    Opcode::Lload2, Opcode::Lload3, Opcode::Fload0, Opcode::Fload1, Opcode::Fload2,
    Opcode::Fload3, Opcode::Dload0, Opcode::Dload1, Opcode::Dload2, Opcode::Dload3,
    Opcode::Aload0, Opcode::Aload1, Opcode::Aload2, Opcode::Aload3, Opcode::Iaload,
    Opcode::Laload, Opcode::Faload, Opcode::Daload, Opcode::Aaload, Opcode::Baload,
    Opcode::Caload, Opcode::Saload, Opcode::Istore, Opcode::Lstore, Opcode::Fstore,
    Opcode::Dstore, Opcode::Astore, Opcode::Istore0, Opcode::Istore1, Opcode::Istore2,
    Opcode::Istore3, Opcode::Lstore0, Opcode::Lstore1, Opcode::Lstore2, Opcode::Lstore3,
    Opcode::Fstore0, Opcode::Fstore1, Opcode::Fstore2, Opcode::Fstore3, Opcode::Dstore0,
    Opcode::Dstore1, Opcode::Dstore2, Opcode::Dstore3, Opcode::Astore0, Opcode::Astore1,
    Opcode::Astore2, Opcode::Astore3, Opcode::Iastore, Opcode::Lastore, Opcode::Fastore,
    Opcode::Dastore, Opcode::Aastore, Opcode::Bastore, Opcode::Castore, Opcode::Sastore,
    Opcode::Pop, Opcode::Pop2, Opcode::Dup, Opcode::DupX1, Opcode::DupX2, Opcode::Dup2,
    Opcode::Dup2X1, Opcode::Dup2X2, Opcode::Swap, Opcode::Iadd, Opcode::Ladd, Opcode::Fadd,
    Opcode::Dadd, Opcode::Isub, Opcode::Lsub, Opcode::Fsub, Opcode::Dsub, Opcode::Imul,
    Opcode::Lmul, Opcode::Fmul, Opcode::Dmul, Opcode::Idiv, Opcode::Ldiv, Opcode::Fdiv,
    Opcode::Ddiv, Opcode::Irem, Opcode::Lrem, Opcode::Frem, Opcode::Drem, Opcode::Ineg,
    Opcode::Lneg, Opcode::Fneg, Opcode::Dneg, Opcode::Ishl, Opcode::Lshl, Opcode::Ishr,
    Opcode::Lshr, Opcode::Iushr, Opcode::Lushr, Opcode::Iand, Opcode::Land, Opcode::Ior,
    Opcode::Lor, Opcode::Ixor, Opcode::Lxor, Opcode::Iinc, Opcode::I2l, Opcode::I2f, Opcode::I2d,
    Opcode::L2i, Opcode::L2f, Opcode::L2d, Opcode::F2i, Opcode::F2l, Opcode::F2d, Opcode::D2i,
    Opcode::D2l, Opcode::D2f, Opcode::I2b, Opcode::I2c, Opcode::I2s, Opcode::Lcmp, Opcode::Fcmpl,
    Opcode::Fcmpg, Opcode::Dcmpl, Opcode::Dcmpg, Opcode::Ifeq, Opcode::Ifne, Opcode::Iflt,
    Opcode::Ifge, Opcode::Ifgt, Opcode::Ifle, Opcode::IfIcmpeq, Opcode::IfIcmpne,
    Opcode::IfIcmplt, Opcode::IfIcmpge, Opcode::IfIcmpgt, Opcode::IfIcmple, Opcode::IfAcmpeq,
    Opcode::IfAcmpne, Opcode::Goto, Opcode::Jsr, Opcode::Ret, Opcode::Tableswitch,
    Opcode::Lookupswitch, Opcode::Ireturn, Opcode::Lreturn, Opcode::Freturn, Opcode::Dreturn,
    Opcode::Areturn, Opcode::Return, Opcode::Getstatic, Opcode::Putstatic, Opcode::Getfield,
    Opcode::Putfield, Opcode::Invokevirtual, Opcode::Invokespecial, Opcode::Invokestatic,
    Opcode::Invokeinterface, Opcode::Invokedynamic, Opcode::New, Opcode::Newarray,
    Opcode::Anewarray, Opcode::Arraylength, Opcode::Athrow, Opcode::Checkcast, Opcode::Instanceof,
    Opcode::Monitorenter, Opcode::Monitorexit, Opcode::Wide, Opcode::Multianewarray,
    Opcode::Ifnull, Opcode::Ifnonnull, Opcode::GotoW, Opcode::JsrW,
];

impl Opcode {
    pub(crate) fn from_byte(byte: u8) -> Option<Self> {
        OPCODES.get(byte as usize).copied()
    }
}

/// The bytecode at position `at` of `code`.
pub(crate) fn decode(code: &[u8], at: u32) -> Parsed<Decoded> {
    let mut r = Reader::new(code, at as usize);
    let byte = r.u1()?;
    let opcode =
        Opcode::from_byte(byte).ok_or_else(|| Malformed(format!("Bad instruction: {byte:02x}")))?;
    let jump = |offset: i32| {
        let target = i64::from(at) + i64::from(offset);
        u32::try_from(target).map_err(|_| Malformed("Illegal target of jump or branch".to_owned()))
    };
    let operands = match opcode {
        Opcode::Bipush => Operands::Number(i32::from(r.u1()?.cast_signed())),
        Opcode::Sipush => Operands::Number(i32::from(r.u2()?.cast_signed())),
        Opcode::Ldc | Opcode::Newarray => Operands::Number(i32::from(r.u1()?)),
        Opcode::Iload | Opcode::Lload | Opcode::Fload | Opcode::Dload | Opcode::Aload => {
            Operands::Number(i32::from(r.u1()?))
        }
        Opcode::Istore
        | Opcode::Lstore
        | Opcode::Fstore
        | Opcode::Dstore
        | Opcode::Astore
        | Opcode::Ret => Operands::Number(i32::from(r.u1()?)),
        Opcode::LdcW
        | Opcode::Ldc2W
        | Opcode::New
        | Opcode::Anewarray
        | Opcode::Checkcast
        | Opcode::Instanceof => Operands::Number(i32::from(r.u2()?)),
        Opcode::Getstatic | Opcode::Putstatic | Opcode::Getfield | Opcode::Putfield => {
            Operands::Number(i32::from(r.u2()?))
        }
        Opcode::Invokevirtual | Opcode::Invokespecial | Opcode::Invokestatic => {
            Operands::Number(i32::from(r.u2()?))
        }
        Opcode::Invokeinterface | Opcode::Invokedynamic => {
            let index = r.u2()?;
            r.u2()?;
            Operands::Number(i32::from(index))
        }
        Opcode::Iinc => Operands::Increment(u16::from(r.u1()?), i16::from(r.u1()?.cast_signed())),
        Opcode::Multianewarray => Operands::Dimensions(r.u2()?, r.u1()?),
        Opcode::GotoW | Opcode::JsrW => Operands::Jump(jump(r.u4()?.cast_signed())?),
        Opcode::Goto | Opcode::Jsr | Opcode::Ifnull | Opcode::Ifnonnull => {
            Operands::Jump(jump(i32::from(r.u2()?.cast_signed()))?)
        }
        _ if opcode >= Opcode::Ifeq && opcode <= Opcode::IfAcmpne => {
            Operands::Jump(jump(i32::from(r.u2()?.cast_signed()))?)
        }
        Opcode::Tableswitch => {
            r.take((4 - (at as usize + 1) % 4) % 4)?;
            let default = jump(r.u4()?.cast_signed())?;
            let low = r.u4()?.cast_signed();
            let high = r.u4()?.cast_signed();
            let count = i64::from(high) - i64::from(low) + 1;
            if !(0..=65536).contains(&count) {
                return Err(Malformed("Bad tableswitch".to_owned()));
            }
            let targets = (0..count)
                .map(|_| jump(r.u4()?.cast_signed()))
                .collect::<Parsed<_>>()?;
            Operands::Table {
                default,
                low,
                targets,
            }
        }
        Opcode::Lookupswitch => {
            r.take((4 - (at as usize + 1) % 4) % 4)?;
            let default = jump(r.u4()?.cast_signed())?;
            let count = r.u4()?.cast_signed();
            if !(0..=65536).contains(&count) {
                return Err(Malformed("Bad lookupswitch".to_owned()));
            }
            let mut pairs = Vec::new();
            for _ in 0..count {
                let key = r.u4()?.cast_signed();
                pairs.push((key, jump(r.u4()?.cast_signed())?));
            }
            if !pairs.is_sorted_by(|a, b| a.0 < b.0) {
                return Err(Malformed("Bad lookupswitch instruction".to_owned()));
            }
            Operands::Lookup { default, pairs }
        }
        Opcode::Wide => return decode_wide(&mut r),
        _ => Operands::None,
    };
    Ok(Decoded {
        opcode,
        operands,
        next: r.at as u32,
    })
}

fn decode_wide(r: &mut Reader<'_>) -> Parsed<Decoded> {
    let opcode =
        Opcode::from_byte(r.u1()?).ok_or_else(|| Malformed("Bad wide instruction".to_owned()))?;
    let operands = match opcode {
        Opcode::Iinc => Operands::Increment(r.u2()?, r.u2()?.cast_signed()),
        Opcode::Iload
        | Opcode::Lload
        | Opcode::Fload
        | Opcode::Dload
        | Opcode::Aload
        | Opcode::Ret => Operands::Number(i32::from(r.u2()?)),
        Opcode::Istore | Opcode::Lstore | Opcode::Fstore | Opcode::Dstore | Opcode::Astore => {
            Operands::Number(i32::from(r.u2()?))
        }
        _ => return Err(Malformed("Bad wide instruction".to_owned())),
    };
    Ok(Decoded {
        opcode,
        operands,
        next: r.at as u32,
    })
}

//! The instructions.

/// An instruction: `a`, `b` and `c` are registers, `x` is a number, a target or a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instr {
    /// What it does.
    pub op: Op,
    /// A register.
    pub a: u16,
    /// A register.
    pub b: u16,
    /// A register.
    pub c: u16,
    /// A number, a target or a site.
    pub x: u32,
}

/// What an instruction does. Up to [`Op::Multi`] the result goes to `a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs)]
pub enum Op {
    /// a = b
    Move,
    /// a = x, a number of 32 bits
    Int,
    /// a = constant x of the code
    Wide,
    /// a = the constant at site x
    Load,
    // a = b op c
    IAdd, ISub, IMul, IDiv, IRem, IAnd, IOr, IXor, IShl, IShr, IUshr,
    // a = b op x
    IAddI, IMulI, IAndI, IOrI, IXorI, IShlI, IShrI, IUshrI, IDivI, IRemI,
    LAdd, LSub, LMul, LDiv, LRem, LAnd, LOr, LXor, LShl, LShr, LUshr, LCmp,
    FAdd, FSub, FMul, FDiv, FRem, FCmpL, FCmpG,
    DAdd, DSub, DMul, DDiv, DRem, DCmpL, DCmpG,
    // a = op b
    INeg, LNeg, FNeg, DNeg,
    I2L, I2F, I2D, L2I, L2F, L2D, F2I, F2L, F2D, D2I, D2L, D2F, I2B, I2C, I2S, I2Z,
    // a = b[c]
    LoadByte, LoadChar, LoadShort, LoadInt, LoadLong, LoadRef,
    /// a = b.length
    Length,
    /// a = b.field x
    GetField,
    /// a = static field x
    GetStatic,
    /// a = new object of class x
    New,
    /// a = new array of b elements of the primitive kind x
    NewArray,
    /// a = new array of b elements of class x
    NewRefArray,
    /// a = whether b is of class x
    InstanceOf,
    /// a = new array of c dimensions whose lengths stand from b on
    Multi,

    // a[b] = c
    StoreByte, StoreChar, StoreShort, StoreInt, StoreLong, StoreRef,
    /// a.field x = b
    PutField,
    /// static field x = b
    PutStatic,
    /// fails if a is not of class x
    CheckCast,
    Throw, Enter, Exit,
    Goto,
    // jump to x if a op b
    IfEq, IfNe, IfLt, IfGe, IfGt, IfLe,
    // jump to x if a op b, where b is a number of 16 bits
    IfEqI, IfNeI, IfLtI, IfGeI, IfGtI, IfLeI,
    // jump to x if a op b, of 64 bits
    IfEqL, IfNeL, IfLtL, IfGeL, IfGtL, IfLeL,
    Switch,
    Return, ReturnValue,
    // call the method at site x; arguments from register a on, where the result goes too
    InvokeStatic, InvokeSpecial, InvokeVirtual, InvokeInterface, InvokeDynamic,
    /// a = the next instruction; jump to x
    Jsr,
    Ret,
    /// makes sure that class x is initialised
    Prepare,
}

impl Instr {
    pub(crate) fn new(op: Op, a: u16, b: u16, c: u16, x: u32) -> Self {
        Self { op, a, b, c, x }
    }

    /// Whether the instruction has a result, in register `a`.
    pub fn defines(&self) -> bool {
        self.op <= Op::Multi
    }

    /// Whether `x` is an instruction to jump to.
    pub fn jumps(&self) -> bool {
        (self.op >= Op::Goto && self.op <= Op::IfLeL) || self.op == Op::Jsr
    }
}

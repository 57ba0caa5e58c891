//! From bytecode to instructions, block by block.
//!
//! What is checked on the way: that positions are those of bytecodes, that local variables
//! and stack places are in range, that the stack has the same kinds wherever ways meet, and
//! that operands on the stack are of the kinds that bytecodes want. What a local variable or
//! a reference really is, is not checked here; the interpreter looks before it uses.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::build::{Builder, Operand, Value, malformed, stack_kind};
use super::opcodes::{Decoded, decode};
use super::{Code, CodeHandler, Instr, Op, Opcode, Operands, Switch};
use crate::classfile::{ClassFile, CodeAttribute, Constant, Parsed};
use crate::descriptor::{self, Kind};

/// Translates a method. `parameters` are its arguments' words, the receiver included.
pub(crate) fn translate(
    file: &ClassFile,
    attribute: &CodeAttribute<'_>,
    parameters: u16,
) -> Parsed<Code> {
    if parameters > attribute.max_locals {
        return malformed("Arguments can't fit into locals");
    }
    let mut translator = Translator::new(file, attribute)?;
    translator.run()?;
    translator.finish(attribute)
}

struct Block {
    instrs: Vec<Instr>,
    pcs: Vec<u16>,
    refs: Vec<bool>,
}

struct Translator<'a> {
    file: &'a ClassFile,
    decoded: Vec<(u32, Decoded)>,
    /// For each position of the code: which bytecode begins there.
    index_of: Vec<Option<u32>>,
    leaders: Vec<bool>,
    entry: Vec<Option<Vec<Kind>>>,
    pending: Vec<usize>,
    blocks: BTreeMap<usize, Block>,
    builder: Builder,
    switches: Vec<Switch>,
    handler_sites: Vec<Option<u32>>,
}

impl<'a> Translator<'a> {
    fn new(file: &'a ClassFile, attribute: &CodeAttribute<'_>) -> Parsed<Self> {
        let code = attribute.code;
        let mut decoded = Vec::with_capacity(code.len() / 2);
        let mut index_of = vec![None; code.len() + 1];
        let mut at = 0;
        while (at as usize) < code.len() {
            index_of[at as usize] = Some(decoded.len() as u32);
            let instruction = decode(code, at)?;
            let next = instruction.next;
            decoded.push((at, instruction));
            at = next;
        }
        let count = decoded.len();
        let mut translator = Self {
            file,
            decoded,
            index_of,
            leaders: vec![false; count + 1],
            entry: vec![None; count + 1],
            pending: Vec::new(),
            blocks: BTreeMap::new(),
            builder: Builder::new(attribute.max_locals, attribute.max_stack)?,
            switches: Vec::new(),
            handler_sites: Vec::new(),
        };
        translator.find_leaders(attribute)?;
        translator.reach(0, &[])?;
        for handler in &attribute.handlers {
            if handler.start >= handler.end || usize::from(handler.end) > code.len() {
                return malformed("Invalid exception table range");
            }
            translator.index(u32::from(handler.start))?;
            let target = translator.index(u32::from(handler.target))?;
            translator.reach(target, &[Kind::Ref])?;
            let site = (handler.class != 0).then(|| translator.builder.pool_site(handler.class));
            translator.handler_sites.push(site);
        }
        Ok(translator)
    }

    /// Which bytecode begins at `position`.
    fn index(&self, position: u32) -> Parsed<usize> {
        match self.index_of.get(position as usize) {
            Some(&Some(index)) => Ok(index as usize),
            _ => malformed("Illegal target of jump or branch"),
        }
    }

    fn find_leaders(&mut self, attribute: &CodeAttribute<'_>) -> Parsed<()> {
        self.leaders[0] = true;
        for i in 0..self.decoded.len() {
            let (_, instruction) = &self.decoded[i];
            let targets: Vec<u32> = match &instruction.operands {
                Operands::Jump(target) => vec![*target],
                Operands::Table {
                    default, targets, ..
                } => targets.iter().copied().chain([*default]).collect(),
                Operands::Lookup { default, pairs } => {
                    pairs.iter().map(|pair| pair.1).chain([*default]).collect()
                }
                _ if ends_block(instruction.opcode) => Vec::new(),
                _ => continue,
            };
            self.leaders[i + 1] = true;
            for target in targets {
                let index = self.index(target)?;
                self.leaders[index] = true;
            }
        }
        for handler in &attribute.handlers {
            let index = self.index(u32::from(handler.target))?;
            self.leaders[index] = true;
        }
        Ok(())
    }

    /// Control can come to bytecode `index` with such a stack.
    fn reach(&mut self, index: usize, stack: &[Kind]) -> Parsed<()> {
        match self.entry.get_mut(index) {
            Some(Some(known)) if known == stack => Ok(()),
            Some(Some(_)) => {
                malformed("Inconsistent stackmap frames: the stack differs where branches meet")
            }
            Some(place) if index < self.decoded.len() => {
                *place = Some(stack.to_vec());
                self.pending.push(index);
                Ok(())
            }
            _ => malformed("Control flow falls through code end"),
        }
    }

    fn run(&mut self) -> Parsed<()> {
        while let Some(index) = self.pending.pop() {
            let stack = self.entry[index].clone().unwrap_or_default();
            self.builder.stack.clear();
            for kind in stack {
                self.builder.push(Value::Home, kind)?;
            }
            self.translate_block(index)?;
            let instrs = std::mem::take(&mut self.builder.instrs);
            let pcs = std::mem::take(&mut self.builder.pcs);
            let refs = std::mem::take(&mut self.builder.refs);
            self.blocks.insert(index, Block { instrs, pcs, refs });
        }
        Ok(())
    }

    fn translate_block(&mut self, start: usize) -> Parsed<()> {
        let mut index = start;
        loop {
            let Some((position, instruction)) = self.decoded.get(index).cloned() else {
                return malformed("Control flow falls through code end");
            };
            self.builder.pc = position as u16;
            if self.instruction(index, &instruction)? {
                return Ok(());
            }
            index += 1;
            if self.leaders[index] {
                self.builder.flush();
                return self.fall_to(index);
            }
        }
    }

    fn kinds(&self) -> Vec<Kind> {
        self.builder.stack.iter().map(|entry| entry.kind).collect()
    }

    fn fall_to(&mut self, index: usize) -> Parsed<()> {
        let kinds = self.kinds();
        self.reach(index, &kinds)
    }

    /// A jump to `position`: the target is resolved when all blocks are there.
    fn jump_to(&mut self, position: u32) -> Parsed<u32> {
        let index = self.index(position)?;
        self.fall_to(index)?;
        Ok(index as u32)
    }

    /// Puts the blocks one after the other and gives jumps their targets.
    fn finish(mut self, attribute: &CodeAttribute<'_>) -> Parsed<Code> {
        let mut starts = vec![0; self.decoded.len()];
        let mut length = 0;
        for (&index, block) in &self.blocks {
            starts[index] = length as u32;
            length += block.instrs.len();
        }
        let mut instrs = Vec::with_capacity(length);
        let mut pcs = Vec::with_capacity(length);
        let mut refs = Vec::with_capacity(length);
        for block in std::mem::take(&mut self.blocks).into_values() {
            instrs.extend(block.instrs);
            pcs.extend(block.pcs);
            refs.extend(block.refs);
        }
        for instr in instrs.iter_mut().filter(|instr| instr.jumps()) {
            instr.x = starts[instr.x as usize];
        }
        for switch in &mut self.switches {
            let (Switch::Table {
                targets, default, ..
            }
            | Switch::Lookup {
                targets, default, ..
            }) = switch;
            *default = starts[*default as usize];
            targets
                .iter_mut()
                .for_each(|target| *target = starts[*target as usize]);
        }
        let mut handlers = Vec::with_capacity(attribute.handlers.len());
        for (handler, &site) in attribute.handlers.iter().zip(&self.handler_sites) {
            let target = starts[self.index(u32::from(handler.target))?];
            handlers.push(CodeHandler {
                start: handler.start,
                end: u32::from(handler.end),
                target,
                site,
            });
        }
        Ok(Code {
            instrs: instrs.into(),
            pcs: pcs.into(),
            refs: refs.into(),
            liveness: OnceLock::new(),
            registers: self.builder.registers(),
            locals: attribute.max_locals,
            sites: self.builder.sites.into(),
            handlers: handlers.into(),
            constants: self.builder.constants.into(),
            switches: self.switches.into(),
        })
    }

    /// Translates one bytecode. True if control does not go on to the next one.
    fn instruction(&mut self, index: usize, instruction: &Decoded) -> Parsed<bool> {
        let opcode = instruction.opcode;
        match &instruction.operands {
            Operands::None => self.plain(opcode),
            &Operands::Number(number) => self.with_number(opcode, number),
            &Operands::Increment(local, amount) => {
                self.builder.check_local(local, Kind::Int)?;
                self.builder.forget_local(local);
                self.builder.emit(
                    Op::IAddI,
                    local,
                    local,
                    0,
                    i32::from(amount).cast_unsigned(),
                );
                Ok(false)
            }
            &Operands::Jump(target) => self.branch(opcode, target, index),
            &Operands::Dimensions(class, dimensions) => {
                if dimensions == 0 {
                    return malformed("Illegal dimension in multianewarray");
                }
                self.builder.flush_last(usize::from(dimensions));
                for _ in 0..dimensions {
                    self.builder.pop(Kind::Int)?;
                }
                let site = self.builder.pool_site(class);
                let home = self.builder.home();
                self.builder
                    .define(Op::Multi, Kind::Ref, home, u16::from(dimensions), site)?;
                Ok(false)
            }
            Operands::Table {
                default,
                low,
                targets,
            } => {
                let key = self.switch_key()?;
                let targets = targets
                    .iter()
                    .map(|&target| self.jump_to(target))
                    .collect::<Parsed<_>>()?;
                let default = self.jump_to(*default)?;
                self.switch(
                    key,
                    Switch::Table {
                        low: *low,
                        targets,
                        default,
                    },
                )
            }
            Operands::Lookup { default, pairs } => {
                let key = self.switch_key()?;
                let targets = pairs
                    .iter()
                    .map(|&(_, target)| self.jump_to(target))
                    .collect::<Parsed<_>>()?;
                let keys = pairs.iter().map(|&(key, _)| key).collect();
                let default = self.jump_to(*default)?;
                self.switch(
                    key,
                    Switch::Lookup {
                        keys,
                        targets,
                        default,
                    },
                )
            }
        }
    }

    fn switch_key(&mut self) -> Parsed<u16> {
        let key = self.builder.pop_register(Kind::Int)?;
        self.builder.flush();
        Ok(key)
    }

    fn switch(&mut self, key: u16, switch: Switch) -> Parsed<bool> {
        self.switches.push(switch);
        self.builder
            .emit(Op::Switch, key, 0, 0, self.switches.len() as u32 - 1);
        Ok(true)
    }

    fn branch(&mut self, opcode: Opcode, target: u32, index: usize) -> Parsed<bool> {
        use Opcode as O;
        match opcode {
            O::Goto | O::GotoW => {
                self.builder.flush();
                let target = self.jump_to(target)?;
                self.builder.emit(Op::Goto, 0, 0, 0, target);
                return Ok(true);
            }
            O::Jsr | O::JsrW => {
                self.builder.flush();
                let kinds = self.kinds();
                self.reach(index + 1, &kinds)?;
                let home = self.builder.home();
                self.builder.push(Value::Home, Kind::Ref)?;
                let target = self.jump_to(target)?;
                self.builder.emit(Op::Jsr, home, 0, 0, target);
                return Ok(true);
            }
            _ => {}
        }
        let (op, a, b) = self.condition(opcode)?;
        self.builder.flush();
        let target = self.jump_to(target)?;
        self.builder.emit(op, a, b, 0, target);
        self.fall_to(index + 1)?;
        Ok(true)
    }

    /// The comparison of a conditional branch, and its operands.
    fn condition(&mut self, opcode: Opcode) -> Parsed<(Op, u16, u16)> {
        use Opcode as O;
        const REGISTER: [Op; 6] = [Op::IfEq, Op::IfNe, Op::IfLt, Op::IfGe, Op::IfGt, Op::IfLe];
        const NUMBER: [Op; 6] = [
            Op::IfEqI,
            Op::IfNeI,
            Op::IfLtI,
            Op::IfGeI,
            Op::IfGtI,
            Op::IfLeI,
        ];
        const LONG: [Op; 6] = [
            Op::IfEqL,
            Op::IfNeL,
            Op::IfLtL,
            Op::IfGeL,
            Op::IfGtL,
            Op::IfLeL,
        ];
        match opcode {
            O::Ifeq | O::Ifne | O::Iflt | O::Ifge | O::Ifgt | O::Ifle => {
                let which = opcode as usize - O::Ifeq as usize;
                let operand = self.builder.pop(Kind::Int)?;
                if operand.value == Value::Home
                    && let Some(&last) = self.builder.instrs.last()
                    && last.op == Op::LCmp
                    && last.a == operand.home
                {
                    self.builder.instrs.pop();
                    self.builder.pcs.pop();
                    self.builder.refs.pop();
                    return Ok((LONG[which], last.b, last.c));
                }
                Ok((NUMBER[which], self.builder.register(operand), 0))
            }
            O::Ifnull => Ok((Op::IfEqI, self.builder.pop_register(Kind::Ref)?, 0)),
            O::Ifnonnull => Ok((Op::IfNeI, self.builder.pop_register(Kind::Ref)?, 0)),
            O::IfAcmpeq | O::IfAcmpne => {
                let b = self.builder.pop_register(Kind::Ref)?;
                let a = self.builder.pop_register(Kind::Ref)?;
                Ok((
                    if opcode == O::IfAcmpeq {
                        Op::IfEq
                    } else {
                        Op::IfNe
                    },
                    a,
                    b,
                ))
            }
            _ => {
                let which = opcode as usize - O::IfIcmpeq as usize;
                let b = self.builder.pop(Kind::Int)?;
                let a = self.builder.pop(Kind::Int)?;
                if let Some(number) = b.number().and_then(|number| i16::try_from(number).ok()) {
                    return Ok((
                        NUMBER[which],
                        self.builder.register(a),
                        number.cast_unsigned(),
                    ));
                }
                let b = self.builder.register(b);
                Ok((REGISTER[which], self.builder.register(a), b))
            }
        }
    }

    fn with_number(&mut self, opcode: Opcode, number: i32) -> Parsed<bool> {
        use Opcode as O;
        let index = number as u16;
        match opcode {
            O::Bipush | O::Sipush => self
                .builder
                .push(Value::Int(number.cast_unsigned()), Kind::Int)?,
            O::Ldc | O::LdcW | O::Ldc2W => self.load_constant(index, opcode == O::Ldc2W)?,
            O::Iload | O::Lload | O::Fload | O::Dload | O::Aload => {
                self.builder
                    .load(index, local_kind(opcode as u8 - O::Iload as u8))?;
            }
            O::Istore | O::Lstore | O::Fstore | O::Dstore | O::Astore => {
                self.store(index, local_kind(opcode as u8 - O::Istore as u8))?;
            }
            O::Ret => {
                self.builder.check_local(index, Kind::Ref)?;
                self.builder.emit(Op::Ret, index, 0, 0, 0);
                return Ok(true);
            }
            O::Getstatic | O::Putstatic | O::Getfield | O::Putfield => self.field(opcode, index)?,
            O::Invokevirtual
            | O::Invokespecial
            | O::Invokestatic
            | O::Invokeinterface
            | O::Invokedynamic => {
                self.invoke(opcode, index)?;
            }
            O::New => {
                self.file.class_name(index)?;
                let site = self.builder.pool_site(index);
                self.builder.define(Op::New, Kind::Ref, 0, 0, site)?;
            }
            O::Newarray => {
                if !(4..=11).contains(&number) {
                    return malformed("Illegal newarray instruction");
                }
                let length = self.builder.pop_register(Kind::Int)?;
                self.builder
                    .define(Op::NewArray, Kind::Ref, length, 0, number.cast_unsigned())?;
            }
            O::Anewarray | O::Instanceof => {
                self.file.class_name(index)?;
                let site = self.builder.pool_site(index);
                if opcode == O::Anewarray {
                    let length = self.builder.pop_register(Kind::Int)?;
                    self.builder
                        .define(Op::NewRefArray, Kind::Ref, length, 0, site)?;
                } else {
                    let object = self.builder.pop_register(Kind::Ref)?;
                    self.builder
                        .define(Op::InstanceOf, Kind::Int, object, 0, site)?;
                }
            }
            O::Checkcast => {
                self.file.class_name(index)?;
                let site = self.builder.pool_site(index);
                let operand = self.builder.pop(Kind::Ref)?;
                let register = self.builder.register(operand);
                self.builder.emit(Op::CheckCast, register, 0, 0, site);
                let value = if let Value::Int(_) = operand.value {
                    Value::Home
                } else {
                    operand.value
                };
                self.builder.push(value, Kind::Ref)?;
            }
            _ => return malformed("Bad instruction"),
        }
        Ok(false)
    }

    fn store(&mut self, local: u16, kind: Kind) -> Parsed<()> {
        let operand = self.builder.pop(kind)?;
        self.builder.store(local, operand)
    }

    fn load_constant(&mut self, index: u16, is_wide: bool) -> Parsed<()> {
        let kind = match self.file.constant(index)? {
            Constant::Integer(number) if !is_wide => {
                return self
                    .builder
                    .push(Value::Int(number.cast_unsigned()), Kind::Int);
            }
            Constant::Float(bits) if !is_wide => {
                return self.builder.push(Value::Int(bits), Kind::Float);
            }
            Constant::Long(number) if is_wide => {
                let x = self.builder.constant(number.cast_unsigned());
                return self.builder.define(Op::Wide, Kind::Long, 0, 0, x);
            }
            Constant::Double(bits) if is_wide => {
                let x = self.builder.constant(bits);
                return self.builder.define(Op::Wide, Kind::Double, 0, 0, x);
            }
            Constant::String(_)
            | Constant::Class(_)
            | Constant::MethodHandle { .. }
            | Constant::MethodType(_)
                if !is_wide =>
            {
                Kind::Ref
            }
            Constant::Dynamic { name_and_type, .. } => {
                let (_, descriptor) = self.file.name_and_type(name_and_type)?;
                match Kind::of(&self.file.text(descriptor)?) {
                    Some(kind) if kind != Kind::Void && is_wide == (kind.words() == 2) => kind,
                    _ => return malformed("Bad dynamic constant"),
                }
            }
            _ => return malformed("Invalid constant to load"),
        };
        let site = self.builder.pool_site(index);
        self.builder.define(Op::Load, kind, 0, 0, site)
    }

    fn field(&mut self, opcode: Opcode, index: u16) -> Parsed<()> {
        let Constant::Field { name_and_type, .. } = self.file.constant(index)? else {
            return malformed("Not a field");
        };
        let (_, descriptor) = self.file.name_and_type(name_and_type)?;
        let kind = match Kind::of(&self.file.text(descriptor)?) {
            Some(kind) if kind != Kind::Void => kind,
            _ => return malformed("Bad field descriptor"),
        };
        let site = self.builder.pool_site(index);
        match opcode {
            Opcode::Getstatic => self.builder.define(Op::GetStatic, kind, 0, 0, site),
            Opcode::Getfield => {
                let object = self.builder.pop_register(Kind::Ref)?;
                self.builder.define(Op::GetField, kind, object, 0, site)
            }
            _ => {
                let operand = self.builder.pop(kind)?;
                let value = self.narrowed(operand, kind);
                if opcode == Opcode::Putfield {
                    let object = self.builder.pop_register(Kind::Ref)?;
                    self.builder.emit(Op::PutField, object, value, 0, site);
                } else {
                    self.builder.emit(Op::PutStatic, 0, value, 0, site);
                }
                Ok(())
            }
        }
    }

    /// A register with the operand cut to what a field of `kind` can hold.
    fn narrowed(&mut self, operand: Operand, kind: Kind) -> u16 {
        let op = match (kind, operand.number()) {
            (Kind::Boolean, Some(0 | 1)) => None,
            (Kind::Byte, Some(number)) if i8::try_from(number).is_ok() => None,
            (Kind::Char, Some(number)) if u16::try_from(number).is_ok() => None,
            (Kind::Short, Some(number)) if i16::try_from(number).is_ok() => None,
            (Kind::Boolean, _) => Some(Op::I2Z),
            (Kind::Byte, _) => Some(Op::I2B),
            (Kind::Char, _) => Some(Op::I2C),
            (Kind::Short, _) => Some(Op::I2S),
            _ => None,
        };
        let register = self.builder.register(operand);
        let Some(op) = op else { return register };
        self.builder.emit(op, operand.home, register, 0, 0);
        operand.home
    }

    fn invoke(&mut self, opcode: Opcode, index: u16) -> Parsed<()> {
        let (op, name_and_type) = match (opcode, self.file.constant(index)?) {
            (Opcode::Invokevirtual, Constant::Method { name_and_type, .. }) => {
                (Op::InvokeVirtual, name_and_type)
            }
            (
                Opcode::Invokespecial,
                Constant::Method { name_and_type, .. }
                | Constant::InterfaceMethod { name_and_type, .. },
            ) => (Op::InvokeSpecial, name_and_type),
            (
                Opcode::Invokestatic,
                Constant::Method { name_and_type, .. }
                | Constant::InterfaceMethod { name_and_type, .. },
            ) => (Op::InvokeStatic, name_and_type),
            (Opcode::Invokeinterface, Constant::InterfaceMethod { name_and_type, .. }) => {
                (Op::InvokeInterface, name_and_type)
            }
            (Opcode::Invokedynamic, Constant::InvokeDynamic { name_and_type, .. }) => {
                (Op::InvokeDynamic, name_and_type)
            }
            _ => return malformed("Not a method"),
        };
        let (name, descriptor) = self.file.name_and_type(name_and_type)?;
        let name = self.file.text(name)?;
        if name.starts_with('<') && (opcode != Opcode::Invokespecial || name != "<init>") {
            return malformed("Illegal call to internal method");
        }
        let descriptor = self.file.text(descriptor)?;
        let Some((parameters, result)) = descriptor::method_kinds(&descriptor) else {
            return malformed("Bad method descriptor");
        };
        let has_receiver = !matches!(op, Op::InvokeStatic | Op::InvokeDynamic);
        let site = self.builder.pool_site(index);
        self.builder
            .call(op, &parameters, has_receiver, result, site)
    }

    fn plain(&mut self, opcode: Opcode) -> Parsed<bool> {
        use Opcode as O;
        let b = &mut self.builder;
        match opcode {
            O::Nop => {}
            O::AconstNull => b.push(Value::Int(0), Kind::Ref)?,
            O::IconstM1
            | O::Iconst0
            | O::Iconst1
            | O::Iconst2
            | O::Iconst3
            | O::Iconst4
            | O::Iconst5 => {
                let number = i32::from(opcode as u8) - i32::from(O::Iconst0 as u8);
                b.push(Value::Int(number.cast_unsigned()), Kind::Int)?;
            }
            O::Lconst0 | O::Lconst1 => {
                let x = b.constant(u64::from(opcode as u8 - O::Lconst0 as u8));
                b.define(Op::Wide, Kind::Long, 0, 0, x)?;
            }
            O::Fconst0 | O::Fconst1 | O::Fconst2 => {
                let number = f32::from(opcode as u8 - O::Fconst0 as u8);
                b.push(Value::Int(number.to_bits()), Kind::Float)?;
            }
            O::Dconst0 | O::Dconst1 => {
                let x = b.constant(f64::from(opcode as u8 - O::Dconst0 as u8).to_bits());
                b.define(Op::Wide, Kind::Double, 0, 0, x)?;
            }
            _ if opcode >= O::Iload0 && opcode <= O::Aload3 => {
                let which = opcode as u8 - O::Iload0 as u8;
                b.load(u16::from(which % 4), local_kind(which / 4))?;
            }
            _ if opcode >= O::Istore0 && opcode <= O::Astore3 => {
                let which = opcode as u8 - O::Istore0 as u8;
                self.store(u16::from(which % 4), local_kind(which / 4))?;
            }
            _ if opcode >= O::Iaload && opcode <= O::Saload => {
                let (load, _, kind) = element(opcode as u8 - O::Iaload as u8);
                let index = b.pop_register(Kind::Int)?;
                let array = b.pop_register(Kind::Ref)?;
                b.define(load, kind, array, index, 0)?;
            }
            _ if opcode >= O::Iastore && opcode <= O::Sastore => {
                let (_, store, kind) = element(opcode as u8 - O::Iastore as u8);
                let value = b.pop_register(kind)?;
                let index = b.pop_register(Kind::Int)?;
                let array = b.pop_register(Kind::Ref)?;
                b.emit(store, array, index, value, 0);
            }
            _ if opcode >= O::Pop && opcode <= O::Swap => self.shuffle(opcode)?,
            _ if opcode >= O::Iadd && opcode <= O::Lxor => self.arithmetic(opcode)?,
            _ if opcode >= O::I2l && opcode <= O::I2s => {
                let (op, from, to) = conversion(opcode);
                let operand = b.pop_register(from)?;
                b.define(op, to, operand, 0, 0)?;
            }
            O::Lcmp | O::Fcmpl | O::Fcmpg | O::Dcmpl | O::Dcmpg => {
                let (op, kind) = match opcode {
                    O::Lcmp => (Op::LCmp, Kind::Long),
                    O::Fcmpl => (Op::FCmpL, Kind::Float),
                    O::Fcmpg => (Op::FCmpG, Kind::Float),
                    O::Dcmpl => (Op::DCmpL, Kind::Double),
                    _ => (Op::DCmpG, Kind::Double),
                };
                let right = b.pop_register(kind)?;
                let left = b.pop_register(kind)?;
                b.define(op, Kind::Int, left, right, 0)?;
            }
            O::Ireturn | O::Lreturn | O::Freturn | O::Dreturn | O::Areturn => {
                let value = b.pop_register(local_kind(opcode as u8 - O::Ireturn as u8))?;
                b.emit(Op::ReturnValue, value, 0, 0, 0);
                return Ok(true);
            }
            O::Return => {
                b.emit(Op::Return, 0, 0, 0, 0);
                return Ok(true);
            }
            O::Arraylength => {
                let array = b.pop_register(Kind::Ref)?;
                b.define(Op::Length, Kind::Int, array, 0, 0)?;
            }
            O::Athrow => {
                let exception = b.pop_register(Kind::Ref)?;
                b.emit(Op::Throw, exception, 0, 0, 0);
                return Ok(true);
            }
            O::Monitorenter | O::Monitorexit => {
                let object = b.pop_register(Kind::Ref)?;
                b.emit(
                    if opcode == O::Monitorenter {
                        Op::Enter
                    } else {
                        Op::Exit
                    },
                    object,
                    0,
                    0,
                    0,
                );
            }
            _ => return malformed("Bad instruction"),
        }
        Ok(false)
    }

    fn arithmetic(&mut self, opcode: Opcode) -> Parsed<()> {
        use Opcode as O;
        let b = &mut self.builder;
        if opcode >= O::Ineg && opcode <= O::Dneg {
            let which = opcode as u8 - O::Ineg as u8;
            let op = [Op::INeg, Op::LNeg, Op::FNeg, Op::DNeg][usize::from(which)];
            let operand = b.pop_register(local_kind(which))?;
            return b.define(op, local_kind(which), operand, 0, 0);
        }
        let (op, kind) = binary(opcode);
        let is_shift = opcode >= O::Ishl && opcode <= O::Lushr;
        let right = b.pop(if is_shift { Kind::Int } else { kind })?;
        let left = b.pop(kind)?;
        if let Some((op, left, number)) = with_number(op, left, right) {
            let left = b.register(left);
            return b.define(op, kind, left, 0, number.cast_unsigned());
        }
        let right = b.register(right);
        let left = b.register(left);
        b.define(op, kind, left, right, 0)
    }

    fn shuffle(&mut self, opcode: Opcode) -> Parsed<()> {
        use Opcode as O;
        let b = &mut self.builder;
        let words = |b: &Builder, from_top: usize| {
            let index = b.stack.len().checked_sub(from_top + 1)?;
            b.stack.get(index).map(|entry| entry.kind.words())
        };
        let top_is_wide = words(b, 0) == Some(2);
        let is_single = !top_is_wide;
        let second_is_wide = words(b, 1) == Some(2);
        let third_is_wide = words(b, 2) == Some(2);
        match opcode {
            O::Pop if is_single => b.pop_any().map(|_| ()),
            O::Pop2 if top_is_wide => b.pop_any().map(|_| ()),
            O::Pop2 if !second_is_wide => b.shuffle(2, &[]),
            O::Dup if is_single => b.shuffle(1, &[0, 0]),
            O::DupX1 if is_single && !second_is_wide => b.shuffle(2, &[1, 0, 1]),
            O::DupX2 if is_single && second_is_wide => b.shuffle(2, &[1, 0, 1]),
            O::DupX2 if is_single && !third_is_wide => b.shuffle(3, &[2, 0, 1, 2]),
            O::Dup2 if top_is_wide => b.shuffle(1, &[0, 0]),
            O::Dup2 if !second_is_wide => b.shuffle(2, &[0, 1, 0, 1]),
            O::Dup2X1 if top_is_wide && !second_is_wide => b.shuffle(2, &[1, 0, 1]),
            O::Dup2X1 if is_single && !second_is_wide && !third_is_wide => {
                b.shuffle(3, &[1, 2, 0, 1, 2])
            }
            O::Dup2X2 if top_is_wide && second_is_wide => b.shuffle(2, &[1, 0, 1]),
            O::Dup2X2 if top_is_wide && !third_is_wide => b.shuffle(3, &[2, 0, 1, 2]),
            O::Dup2X2 if is_single && !second_is_wide && third_is_wide => {
                b.shuffle(3, &[1, 2, 0, 1, 2])
            }
            O::Dup2X2 if is_single && !second_is_wide => b.shuffle(4, &[2, 3, 0, 1, 2, 3]),
            O::Swap if is_single && !second_is_wide => b.shuffle(2, &[1, 0]),
            _ => malformed("Bad type on operand stack"),
        }
    }
}

fn ends_block(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Athrow | Opcode::Ret)
        || (opcode >= Opcode::Ireturn && opcode <= Opcode::Return)
}

/// The kind of the n-th of the five variants of loads, stores and returns.
fn local_kind(which: u8) -> Kind {
    match which {
        0 => Kind::Int,
        1 => Kind::Long,
        2 => Kind::Float,
        3 => Kind::Double,
        _ => Kind::Ref,
    }
}

/// The instructions for elements of the n-th of the eight variants of arrays.
fn element(which: u8) -> (Op, Op, Kind) {
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

fn binary(opcode: Opcode) -> (Op, Kind) {
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
fn with_number(op: Op, left: Operand, right: Operand) -> Option<(Op, Operand, i32)> {
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

fn conversion(opcode: Opcode) -> (Op, Kind, Kind) {
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

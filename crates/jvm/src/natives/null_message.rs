//! The messages of `NullPointerException` that say what was null.
//!
//! For the bytecode that failed, the places that its operands come from are followed back
//! through the method, as far as they are the same on all ways to it.

use std::collections::BTreeMap;

use super::{Answer, reference};
use crate::classfile::{Attributes, ClassFile, CodeAttribute, Constant};
use crate::code::{Opcode, Operands, decode};
use crate::descriptor::{self, Kind, Signature};
use crate::heap::Body;
use crate::interpret::Env;
use crate::world::MethodId;

/// How far operands are followed back.
const DEEPEST: usize = 5;

/// `NullPointerException.getExtendedNPEMessage`
pub(super) fn extended_message(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let trace = env
        .state
        .heap
        .ref_field(reference(args, 0), env.world.known().throwable_backtrace);
    let Some(Body::Longs(trace)) = env.state.heap.get(trace).map(|trace| &trace.body) else {
        return Ok(0);
    };
    let Some(&packed) = trace.first() else {
        return Ok(0);
    };
    match message(env, MethodId((packed >> 32) as u32), packed as u16) {
        Some(message) => Ok(env.new_string(&message)),
        None => Ok(0),
    }
}

fn message(env: &Env<'_>, method: MethodId, position: u16) -> Option<String> {
    let method = env.world.method(method);
    let file = env.world.class(method.class).file.as_ref()?;
    let member = file.methods.get(method.member as usize)?;
    let code = file.code(member).ok()??;
    let descriptor = env.world.text(method.descriptor);
    let explainer = Explainer {
        file,
        code: &code,
        is_static: method.is_static(),
        descriptor,
    };
    explainer.explain(u32::from(position))
}

/// Where an entry of the stack comes from, and how many words it has.
type Source = (Option<u32>, u16);

struct Explainer<'a> {
    file: &'a ClassFile,
    code: &'a CodeAttribute<'a>,
    is_static: bool,
    descriptor: &'a str,
}

impl Explainer<'_> {
    fn explain(&self, position: u32) -> Option<String> {
        let stacks = self.stacks();
        let (action, depth) = self.action(position)?;
        let null = self
            .operand_under(&stacks, position, depth)
            .and_then(|source| self.cause(&stacks, source));
        Some(match null {
            Some(cause) => format!("{action} because {cause} is null"),
            None => action,
        })
    }

    /// What failed, and how many words of the stack lie above the operand that was null.
    fn action(&self, position: u32) -> Option<(String, u16)> {
        use Opcode as O;
        let decoded = decode(self.code.code, position).ok()?;
        let arrays = [
            "int",
            "long",
            "float",
            "double",
            "object",
            "byte/boolean",
            "char",
            "short",
        ];
        let opcode = decoded.opcode;
        Some(match opcode {
            _ if opcode >= O::Iaload && opcode <= O::Saload => (
                format!(
                    "Cannot load from {} array",
                    arrays[opcode as usize - O::Iaload as usize]
                ),
                1,
            ),
            _ if opcode >= O::Iastore && opcode <= O::Sastore => {
                let words = if matches!(opcode, O::Lastore | O::Dastore) {
                    3
                } else {
                    2
                };
                (
                    format!(
                        "Cannot store to {} array",
                        arrays[opcode as usize - O::Iastore as usize]
                    ),
                    words,
                )
            }
            O::Arraylength => ("Cannot read the array length".to_owned(), 0),
            O::Athrow => ("Cannot throw exception".to_owned(), 0),
            O::Monitorenter => ("Cannot enter synchronized block".to_owned(), 0),
            O::Monitorexit => ("Cannot exit synchronized block".to_owned(), 0),
            O::Getfield => (
                format!(
                    "Cannot read field \"{}\"",
                    self.member(&decoded.operands)?.1
                ),
                0,
            ),
            O::Putfield => {
                let (_, name, descriptor) = self.member(&decoded.operands)?;
                (
                    format!("Cannot assign field \"{name}\""),
                    Kind::of(&descriptor)?.words(),
                )
            }
            O::Invokevirtual | O::Invokespecial | O::Invokeinterface => {
                let (_, name, descriptor) = self.member(&decoded.operands)?;
                if name == "<init>" {
                    return None;
                }
                let words = Signature::parse(&descriptor)?.words();
                (
                    format!("Cannot invoke \"{}\"", self.method(&decoded.operands)?),
                    words,
                )
            }
            _ => return None,
        })
    }

    fn cause(&self, stacks: &BTreeMap<u32, Vec<Source>>, source: u32) -> Option<String> {
        let decoded = decode(self.code.code, source).ok()?;
        if matches!(
            decoded.opcode,
            Opcode::Invokevirtual
                | Opcode::Invokespecial
                | Opcode::Invokestatic
                | Opcode::Invokeinterface
        ) {
            return Some(format!(
                "the return value of \"{}\"",
                self.method(&decoded.operands)?
            ));
        }
        Some(format!("\"{}\"", self.value(stacks, source, DEEPEST)?))
    }

    /// The expression that a bytecode pushes.
    fn value(
        &self,
        stacks: &BTreeMap<u32, Vec<Source>>,
        source: u32,
        depth: usize,
    ) -> Option<String> {
        use Opcode as O;
        let depth = depth.checked_sub(1)?;
        let decoded = decode(self.code.code, source).ok()?;
        let opcode = decoded.opcode;
        let at = |words: u16| self.operand_under(stacks, source, words);
        Some(match (opcode, &decoded.operands) {
            (O::AconstNull, _) => "null".to_owned(),
            (O::Bipush | O::Sipush, Operands::Number(number)) => number.to_string(),
            _ if opcode >= O::IconstM1 && opcode <= O::Iconst5 => {
                (i32::from(opcode as u8) - i32::from(O::Iconst0 as u8)).to_string()
            }
            (O::Iload | O::Aload, &Operands::Number(local)) => self.local(local as u16, source)?,
            _ if opcode >= O::Iload0 && opcode <= O::Iload3 => {
                self.local(u16::from(opcode as u8 - O::Iload0 as u8), source)?
            }
            _ if opcode >= O::Aload0 && opcode <= O::Aload3 => {
                self.local(u16::from(opcode as u8 - O::Aload0 as u8), source)?
            }
            (O::Getstatic, operands) => {
                let (class, name, _) = self.member(operands)?;
                format!("{}.{name}", external(&class))
            }
            (O::Getfield, operands) => {
                let name = self.member(operands)?.1;
                match at(0).and_then(|object| self.value(stacks, object, depth)) {
                    Some(object) => format!("{object}.{name}"),
                    None => name,
                }
            }
            (
                O::Invokevirtual | O::Invokespecial | O::Invokestatic | O::Invokeinterface,
                operands,
            ) => self.method(operands)?,
            (O::Iaload | O::Aaload | O::Baload | O::Caload | O::Saload, _) => {
                let part = |source: Option<u32>| {
                    source.and_then(|source| self.value(stacks, source, depth))
                };
                let array = part(at(1)).unwrap_or_else(|| "<array>".to_owned());
                let index = part(at(0)).unwrap_or_else(|| "...".to_owned());
                format!("{array}[{index}]")
            }
            _ => return None,
        })
    }

    fn local(&self, local: u16, position: u32) -> Option<String> {
        if let Some(name) = local_name(self.file, self.code.attributes, local, position) {
            return Some(name);
        }
        if !self.is_static && local == 0 {
            return Some("this".to_owned());
        }
        let signature = Signature::parse(self.descriptor)?;
        let mut at = u16::from(!self.is_static);
        for (index, kind) in signature.kinds().enumerate() {
            if at == local {
                return Some(format!("<parameter{}>", index + 1));
            }
            at += kind.words();
        }
        Some(format!("<local{local}>"))
    }

    /// Class, name and descriptor of the member that a bytecode refers to.
    fn member(&self, operands: &Operands) -> Option<(String, String, String)> {
        let &Operands::Number(index) = operands else {
            return None;
        };
        let (class, name_and_type) = match self.file.constant(index as u16).ok()? {
            Constant::Field {
                class,
                name_and_type,
            }
            | Constant::Method {
                class,
                name_and_type,
            }
            | Constant::InterfaceMethod {
                class,
                name_and_type,
            } => (
                self.file.class_name(class).ok()?.into_owned(),
                name_and_type,
            ),
            Constant::InvokeDynamic { name_and_type, .. } => (String::new(), name_and_type),
            _ => return None,
        };
        let (name, descriptor) = self.file.name_and_type(name_and_type).ok()?;
        Some((
            class,
            self.file.text(name).ok()?.into_owned(),
            self.file.text(descriptor).ok()?.into_owned(),
        ))
    }

    fn method(&self, operands: &Operands) -> Option<String> {
        let (class, name, descriptor) = self.member(operands)?;
        let signature = Signature::parse(&descriptor)?;
        let parameters: Vec<String> = signature
            .parameters
            .iter()
            .map(|text| shorten(&descriptor::readable(text)))
            .collect();
        Some(format!(
            "{}.{name}({})",
            external(&class),
            parameters.join(", ")
        ))
    }

    /// The source of the operand of the bytecode at `position` that has `words` above it.
    fn operand_under(
        &self,
        stacks: &BTreeMap<u32, Vec<Source>>,
        position: u32,
        words: u16,
    ) -> Option<u32> {
        let mut above = 0;
        for &(source, size) in stacks.get(&position)?.iter().rev() {
            if above == words {
                return source;
            }
            above += size;
        }
        None
    }

    /// For every position that is reached: where the entries of the stack come from.
    fn stacks(&self) -> BTreeMap<u32, Vec<Source>> {
        let mut stacks: BTreeMap<u32, Vec<Source>> = BTreeMap::new();
        let mut pending = vec![(0, Vec::new())];
        for handler in &self.code.handlers {
            pending.push((u32::from(handler.target), vec![(None, 1)]));
        }
        while let Some((position, stack)) = pending.pop() {
            let merged = match stacks.get(&position) {
                Some(known) => {
                    let merged = known
                        .iter()
                        .zip(&stack)
                        .map(|(&a, &b)| if a == b { a } else { (None, a.1) });
                    let merged: Vec<Source> = merged.collect();
                    if merged == *known {
                        continue;
                    }
                    merged
                }
                None => stack,
            };
            stacks.insert(position, merged.clone());
            let Ok(decoded) = decode(self.code.code, position) else {
                continue;
            };
            let mut after = merged;
            if self
                .apply(position, decoded.opcode, &decoded.operands, &mut after)
                .is_none()
            {
                continue;
            }
            match &decoded.operands {
                Operands::Jump(target) => pending.push((*target, after.clone())),
                Operands::Table {
                    default, targets, ..
                } => {
                    pending.extend(
                        targets
                            .iter()
                            .chain([default])
                            .map(|&target| (target, after.clone())),
                    );
                }
                Operands::Lookup { default, pairs } => {
                    pending.extend(
                        pairs
                            .iter()
                            .map(|pair| pair.1)
                            .chain([*default])
                            .map(|target| (target, after.clone())),
                    );
                }
                _ => {}
            }
            let opcode = decoded.opcode;
            let is_last = matches!(
                opcode,
                Opcode::Goto
                    | Opcode::GotoW
                    | Opcode::Tableswitch
                    | Opcode::Lookupswitch
                    | Opcode::Athrow
                    | Opcode::Ret
            ) || (opcode >= Opcode::Ireturn && opcode <= Opcode::Return);
            if !is_last {
                pending.push((decoded.next, after));
            }
        }
        stacks
    }

    /// What a bytecode does to the stack.
    fn apply(
        &self,
        position: u32,
        opcode: Opcode,
        operands: &Operands,
        stack: &mut Vec<Source>,
    ) -> Option<()> {
        use Opcode as O;
        let here = Some(position);
        match opcode {
            _ if opcode >= O::Pop && opcode <= O::Swap => return shuffle(opcode, stack),
            O::Getstatic | O::Getfield | O::Putstatic | O::Putfield => {
                let words = Kind::of(&self.member(operands)?.2)?.words();
                if matches!(opcode, O::Putstatic | O::Putfield) {
                    pop(stack, words)?;
                }
                if matches!(opcode, O::Getfield | O::Putfield) {
                    pop(stack, 1)?;
                }
                if matches!(opcode, O::Getstatic | O::Getfield) {
                    stack.push((here, words));
                }
            }
            O::Invokevirtual
            | O::Invokespecial
            | O::Invokestatic
            | O::Invokeinterface
            | O::Invokedynamic => {
                let signature = Signature::parse(&self.member(operands)?.2)?;
                pop(stack, signature.words())?;
                if !matches!(opcode, O::Invokestatic | O::Invokedynamic) {
                    pop(stack, 1)?;
                }
                if signature.result_kind() != Kind::Void {
                    stack.push((here, signature.result_kind().words()));
                }
            }
            O::Multianewarray => {
                if let &Operands::Dimensions(_, dimensions) = operands {
                    pop(stack, u16::from(dimensions))?;
                }
                stack.push((here, 1));
            }
            O::Checkcast => {}
            O::Wide | O::Iinc | O::Nop => {}
            O::Ldc2W => stack.push((here, 2)),
            _ => {
                let (popped, pushed) = effect(opcode);
                pop(stack, popped)?;
                if pushed > 0 {
                    stack.push((here, pushed));
                }
            }
        }
        Some(())
    }
}

fn pop(stack: &mut Vec<Source>, words: u16) -> Option<()> {
    let mut left = words;
    while left > 0 {
        left = left.checked_sub(stack.pop()?.1)?;
    }
    Some(())
}

/// The `dup` family, on entries that know their size.
fn shuffle(opcode: Opcode, stack: &mut Vec<Source>) -> Option<()> {
    use Opcode as O;
    let take = |stack: &mut Vec<Source>, words: u16| {
        let mut taken = Vec::new();
        let mut left = words;
        while left > 0 {
            let entry = stack.pop()?;
            left = left.checked_sub(entry.1)?;
            taken.insert(0, entry);
        }
        Some(taken)
    };
    let (copied, below) = match opcode {
        O::Pop => return take(stack, 1).map(|_| ()),
        O::Pop2 => return take(stack, 2).map(|_| ()),
        O::Dup => (1, 0),
        O::DupX1 => (1, 1),
        O::DupX2 => (1, 2),
        O::Dup2 => (2, 0),
        O::Dup2X1 => (2, 1),
        O::Dup2X2 => (2, 2),
        _ => {
            let top = take(stack, 1)?;
            let second = take(stack, 1)?;
            stack.extend(top);
            stack.extend(second);
            return Some(());
        }
    };
    let top = take(stack, copied)?;
    let under = take(stack, below)?;
    stack.extend(&top);
    stack.extend(&under);
    stack.extend(&top);
    Some(())
}

/// Words popped and pushed by bytecodes for which that is fixed.
fn effect(opcode: Opcode) -> (u16, u16) {
    use Opcode as O;
    match opcode {
        O::Lconst0 | O::Lconst1 | O::Dconst0 | O::Dconst1 | O::Lload | O::Dload => (0, 2),
        _ if opcode >= O::AconstNull && opcode <= O::Aload => (0, 1),
        _ if (opcode >= O::Lload0 && opcode <= O::Lload3)
            || (opcode >= O::Dload0 && opcode <= O::Dload3) =>
        {
            (0, 2)
        }
        _ if opcode >= O::Iload0 && opcode <= O::Aload3 => (0, 1),
        O::Laload | O::Daload => (2, 2),
        _ if opcode >= O::Iaload && opcode <= O::Saload => (2, 1),
        O::Lstore | O::Dstore => (2, 0),
        _ if opcode >= O::Istore && opcode <= O::Astore => (1, 0),
        _ if (opcode >= O::Lstore0 && opcode <= O::Lstore3)
            || (opcode >= O::Dstore0 && opcode <= O::Dstore3) =>
        {
            (2, 0)
        }
        _ if opcode >= O::Istore0 && opcode <= O::Astore3 => (1, 0),
        O::Lastore | O::Dastore => (4, 0),
        _ if opcode >= O::Iastore && opcode <= O::Sastore => (3, 0),
        O::Lshl | O::Lshr | O::Lushr => (3, 2),
        O::Lneg | O::Dneg | O::L2d | O::D2l => (2, 2),
        O::Ineg | O::Fneg | O::I2f | O::F2i | O::I2b | O::I2c | O::I2s => (1, 1),
        _ if opcode >= O::Iadd && opcode <= O::Drem => {
            if (opcode as u8 - O::Iadd as u8) % 2 == 1 {
                (4, 2)
            } else {
                (2, 1)
            }
        }
        O::Ishl | O::Ishr | O::Iushr | O::Iand | O::Ior | O::Ixor => (2, 1),
        O::Land | O::Lor | O::Lxor => (4, 2),
        O::I2l | O::I2d | O::F2l | O::F2d => (1, 2),
        O::L2i | O::L2f | O::D2i | O::D2f => (2, 1),
        O::Lcmp | O::Dcmpl | O::Dcmpg => (4, 1),
        O::Fcmpl | O::Fcmpg => (2, 1),
        _ if opcode >= O::Ifeq && opcode <= O::Ifle => (1, 0),
        _ if opcode >= O::IfIcmpeq && opcode <= O::IfAcmpne => (2, 0),
        O::Jsr | O::JsrW | O::New => (0, 1),
        O::Tableswitch | O::Lookupswitch | O::Ifnull | O::Ifnonnull => (1, 0),
        O::Monitorenter | O::Monitorexit | O::Athrow => (1, 0),
        O::Newarray | O::Anewarray | O::Arraylength | O::Instanceof => (1, 1),
        _ => (0, 0),
    }
}

/// A class as these messages write it.
fn external(class: &str) -> String {
    shorten(&class.replace('/', "."))
}

/// Two classes are named without their package.
fn shorten(name: &str) -> String {
    let element = name.trim_end_matches("[]");
    match element {
        "java.lang.Object" | "java.lang.String" => name.replacen("java.lang.", "", 1),
        _ => name.to_owned(),
    }
}

/// The name of a local variable at a position of the code whose attributes these are.
pub(crate) fn local_name(
    file: &ClassFile,
    attributes: Attributes,
    local: u16,
    position: u32,
) -> Option<String> {
    let content = file.attribute(attributes, "LocalVariableTable")?;
    content
        .get(2..)?
        .as_chunks::<10>()
        .0
        .iter()
        .find_map(|entry| {
            let number = |at: usize| u16::from_be_bytes([entry[at], entry[at + 1]]);
            let (start, length) = (u32::from(number(0)), u32::from(number(2)));
            let is_it = number(8) == local && (start..start + length).contains(&position);
            is_it
                .then(|| file.text(number(4)).ok().map(|name| name.into_owned()))
                .flatten()
        })
}

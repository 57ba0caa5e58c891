//! Reads functions: their registers, instructions and expressions.

use super::names::{BINARY, Names};
use super::parse::{Line, Parsed, Parser};
use super::token::{TokenKind, unescape};
use crate::ir::{
    Arm, Array, BinaryOperator, Cell, Expression, Function, Instruction, Pc, Register, Slot,
    Target, UnaryOperator,
};
use crate::verify::MAXIMUM_DEPTH;
use raddle_model::FaultKind;

/// Deeper nesting is refused, so that no text can exhaust the stack. Parentheses that
/// mean nothing count too, hence a little more than a program may have.
pub(super) const MAXIMUM_NESTING: usize = MAXIMUM_DEPTH + 2;

/// Functions.
impl<'a> Parser<'a> {
    pub(super) fn function(&mut self) -> Parsed<()> {
        let begin = self.position();
        let name = self.name()?.into_owned();
        self.scope.registers = Names::default();
        let mut registers = self.list("(", ")", Self::register_slot)?;
        let parameters = u16::try_from(registers.len())
            .map_err(|_| self.error_at(begin, "this function has too many parameters"))?;
        self.take("{")?;
        while self.eat_text("var") {
            registers.push(self.register_slot()?);
        }
        let first = self.lines.len();
        while !self.eat_text("}") {
            self.line()?;
        }
        self.scope.registers = Names::default();
        let Some(entry) = self.lines.get(first).map(|line| line.pc) else {
            return Err(self.error_at(begin, "this function has no instructions"));
        };
        let mut end = entry;
        for line in &self.lines[first..] {
            if line.pc != end || end.0 == u32::MAX {
                let message = format!("the number of this instruction should be {}", end.0);
                return Err(self.error_at(line.token, &message));
            }
            end = Pc(end.0 + 1);
        }
        self.program.functions.push(Function {
            name,
            parameters,
            registers,
            entry,
            end,
        });
        Ok(())
    }

    fn register_slot(&mut self) -> Parsed<Slot> {
        let name = self.name()?;
        self.scope.registers.push(name.clone());
        self.slot_after(name)
    }

    fn line(&mut self) -> Parsed<()> {
        let token = self.position();
        let pc = self.pc()?;
        let start = self.eat_text("*");
        let instruction = self.instruction()?;
        let place = self.place()?;
        self.lines.push(Line {
            pc,
            start,
            instruction,
            place,
            token,
        });
        Ok(())
    }

    /// Puts the instructions of all functions in order.
    pub(super) fn collect_code(&mut self) -> Parsed<()> {
        let mut lines = std::mem::take(&mut self.lines);
        lines.sort_by_key(|line| line.pc);
        for (number, line) in lines.into_iter().enumerate() {
            if line.pc.0 as usize != number {
                let message = if number > line.pc.0 as usize {
                    "there is another instruction of this number".to_string()
                } else {
                    format!("there is no instruction {number}")
                };
                return Err(self.error_at(line.token, &message));
            }
            self.program.code.push(line.instruction);
            self.program.starts.push(line.start);
            self.program.places.push(line.place);
        }
        Ok(())
    }
}

/// Instructions.
impl<'a> Parser<'a> {
    fn instruction(&mut self) -> Parsed<Instruction> {
        let TokenKind::Word(word) = self.kind() else {
            return self.assignment();
        };
        let begin = self.position();
        self.bump();
        Ok(match word {
            "skip" => Instruction::Skip,
            "unless" => {
                let condition = self.expression()?;
                self.take("jump")?;
                Instruction::Branch(condition, self.pc()?)
            }
            "jump" => Instruction::Jump(self.pc()?),
            "return" if matches!(self.kind(), TokenKind::Sign("@")) => Instruction::Return(None),
            "return" => Instruction::Return(Some(self.expression()?)),
            "join" => Instruction::Join(self.expression()?),
            "acquire" => Instruction::Acquire(self.cell()?),
            "release" => Instruction::Release(self.cell()?),
            "wait" => Instruction::Wait(self.cell()?),
            "resume" => Instruction::WaitResume(self.cell()?),
            "notify" => Instruction::Notify(self.cell()?),
            "notify_all" => Instruction::NotifyAll(self.cell()?),
            "up" => Instruction::Up(self.cell()?),
            "down" => Instruction::Down(self.cell()?),
            "send" => {
                let cell = self.cell()?;
                self.take(",")?;
                Instruction::Send(cell, self.expression()?)
            }
            "select" => Instruction::Select(self.list("{", "}", Self::arm)?),
            "await" => Instruction::Await(self.expression()?),
            "assume" => Instruction::Assume(self.expression()?),
            "assert" => Instruction::Assert(self.expression()?, self.string()?),
            "fail" => Instruction::Fail(self.fault_kind()?, self.string()?),
            "atomic_begin" => Instruction::AtomicBegin,
            "atomic_end" => Instruction::AtomicEnd,
            _ => {
                self.back_to(begin);
                return match self.computation(None)? {
                    Some(instruction) => Ok(instruction),
                    None => self.assignment(),
                };
            }
        })
    }

    /// Something is put somewhere: a value, or the result of an instruction.
    fn assignment(&mut self) -> Parsed<Instruction> {
        let begin = self.position();
        let target = self.target()?;
        self.take(":=")?;
        let result = match target {
            Target::Local(register) => Some(register),
            _ => None,
        };
        match self.computation(result)? {
            Some(_) if result.is_none() => {
                Err(self.error_at(begin, "the result of an instruction goes to a register"))
            }
            Some(instruction) => Ok(instruction),
            None => Ok(Instruction::Assign(target, self.expression()?)),
        }
    }

    /// An instruction that can have a result; `None`, without reading anything, if
    /// there is none.
    fn computation(&mut self, result: Option<Register>) -> Parsed<Option<Instruction>> {
        let TokenKind::Word(word) = self.kind() else {
            return Ok(None);
        };
        let begin = self.position();
        self.bump();
        Ok(Some(match word {
            "call" => Instruction::Call {
                function: self.function_id()?,
                arguments: self.arguments()?,
                result,
            },
            "spawn" => Instruction::Spawn {
                declaration: self.declaration_id()?,
                arguments: self.arguments()?,
                result,
            },
            "compare_and_set" => self.compare_and_set(result)?,
            "fetch_add" => self.fetch_add(result)?,
            "receive" => Instruction::Receive(self.cell()?, self.needed(result, begin)?),
            "new" => Instruction::New(self.record_id()?, self.needed(result, begin)?),
            "choose" => {
                let low = self.expression()?;
                self.take("..")?;
                let high = self.expression()?;
                Instruction::Choose {
                    low,
                    high,
                    result: self.needed(result, begin)?,
                }
            }
            _ => {
                self.back_to(begin);
                return Ok(None);
            }
        }))
    }

    fn needed(&self, result: Option<Register>, token: usize) -> Parsed<Register> {
        result.ok_or_else(|| self.error_at(token, "the result of this must go to a register"))
    }

    fn compare_and_set(&mut self, result: Option<Register>) -> Parsed<Instruction> {
        self.take("(")?;
        let cell = self.cell()?;
        self.take(",")?;
        let expected = self.expression()?;
        self.take(",")?;
        let value = self.expression()?;
        self.take(")")?;
        Ok(Instruction::CompareAndSet {
            cell,
            expected,
            value,
            result,
        })
    }

    fn fetch_add(&mut self, result: Option<Register>) -> Parsed<Instruction> {
        self.take("(")?;
        let cell = self.cell()?;
        self.take(",")?;
        let value = self.expression()?;
        let range = if self.eat_text(",") {
            Some(self.range()?)
        } else {
            None
        };
        self.take(")")?;
        Ok(Instruction::FetchAdd {
            cell,
            value,
            range,
            result,
        })
    }

    fn arm(&mut self) -> Parsed<Arm> {
        let guard = match self.kind() {
            TokenKind::Sign("=>") => None,
            _ => Some(self.expression()?),
        };
        self.take("=>")?;
        let target = self.pc()?;
        Ok(Arm { guard, target })
    }

    fn arguments(&mut self) -> Parsed<Vec<Expression>> {
        self.list("(", ")", Self::expression)
    }

    fn string(&mut self) -> Parsed<String> {
        let TokenKind::Text(text) = self.kind() else {
            return Err(self.unexpected("a string"));
        };
        self.bump();
        Ok(unescape(text))
    }

    /// The names of faults are words joined by hyphens.
    fn fault_kind(&mut self) -> Parsed<FaultKind> {
        let begin = self.position();
        let mut name = String::new();
        loop {
            let TokenKind::Word(word) = self.kind() else {
                return Err(self.unexpected("a kind of fault"));
            };
            self.bump();
            name.push_str(word);
            if !self.eat_text("-") {
                break;
            }
            name.push('-');
        }
        FaultKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| self.error_at(begin, "there is no such kind of fault"))
    }

    fn target(&mut self) -> Parsed<Target> {
        if self.eat_text("%") {
            let register = self.register()?;
            return Ok(match self.element(register.0)? {
                Some((array, index)) => Target::LocalElement(array, index),
                None => Target::Local(register),
            });
        }
        if self.eat_text("$") {
            let slot = self.thread_local()?;
            return Ok(match self.element(slot)? {
                Some((array, index)) => Target::ThreadLocalElement(array, index),
                None => Target::ThreadLocal(slot),
            });
        }
        Ok(Target::Shared(self.cell()?))
    }
}

/// Expressions.
impl<'a> Parser<'a> {
    pub(super) fn expression(&mut self) -> Parsed<Expression> {
        if self.depth >= MAXIMUM_NESTING {
            return Err(self.error_at(self.position(), "this is nested too deeply"));
        }
        self.depth += 1;
        let expression = self.operand();
        self.depth -= 1;
        expression
    }

    fn operand(&mut self) -> Parsed<Expression> {
        match self.kind() {
            TokenKind::Sign(sign) => self.signed_operand(sign),
            TokenKind::Number(_) => Ok(Expression::Constant(self.integer()?)),
            TokenKind::Word(word) => self.word_operand(word),
            _ => Ok(Expression::Shared(self.cell()?)),
        }
    }

    fn signed_operand(&mut self, sign: &str) -> Parsed<Expression> {
        let operator = match sign {
            "-" if matches!(self.peek(1), TokenKind::Number(_)) => {
                return Ok(Expression::Constant(self.integer()?));
            }
            "-" => UnaryOperator::Negate,
            "!" => UnaryOperator::Not,
            "~" => UnaryOperator::Complement,
            "(" => return self.group(),
            "%" => return self.local_operand(),
            "$" => return self.thread_local_operand(),
            // A region by number.
            "#" => return Ok(Expression::Shared(self.cell()?)),
            _ => return Err(self.unexpected("an expression")),
        };
        self.bump();
        Ok(Expression::Unary(operator, self.boxed()?))
    }

    fn local_operand(&mut self) -> Parsed<Expression> {
        self.take("%")?;
        let register = self.register()?;
        Ok(match self.element(register.0)? {
            Some((array, index)) => Expression::LocalElement(array, Box::new(index)),
            None => Expression::Local(register),
        })
    }

    fn thread_local_operand(&mut self) -> Parsed<Expression> {
        self.take("$")?;
        let slot = self.thread_local()?;
        Ok(match self.element(slot)? {
            Some((array, index)) => Expression::ThreadLocalElement(array, Box::new(index)),
            None => Expression::ThreadLocal(slot),
        })
    }

    fn word_operand(&mut self, word: &str) -> Parsed<Expression> {
        match word {
            "me" => {
                self.bump();
                return Ok(Expression::Me);
            }
            "accessed" => {
                self.bump();
                return Ok(Expression::Accessed);
            }
            "owner_of" | "length_of" | "value_of" | "at" | "count_at" | "elements_of"
            | "bounded" | "ranged" => {}
            _ => return Ok(Expression::Shared(self.cell()?)),
        }
        self.bump();
        self.take("(")?;
        let expression = match word {
            "owner_of" => Expression::Owner(self.cell()?),
            "length_of" => Expression::ChannelLength(self.cell()?),
            "value_of" => Expression::SemaphoreValue(self.cell()?),
            "at" => Expression::At(self.label_id()?),
            "count_at" => Expression::CountAt(self.label_id()?),
            "elements_of" => Expression::Length(self.region()?),
            "bounded" => {
                let value = self.boxed()?;
                self.take(",")?;
                Expression::Bounded(value, self.number()?)
            }
            _ => {
                let value = self.boxed()?;
                self.take(",")?;
                Expression::Ranged(value, self.range()?)
            }
        };
        self.take(")")?;
        Ok(expression)
    }

    /// Parentheses around an operation on two or three values, or around nothing new.
    fn group(&mut self) -> Parsed<Expression> {
        self.take("(")?;
        let first = self.expression()?;
        if self.eat_text(")") {
            return Ok(first);
        }
        let first = Box::new(first);
        let expression = if self.eat_text("?") {
            let yes = self.boxed()?;
            self.take(":")?;
            Expression::Conditional(first, yes, self.boxed()?)
        } else {
            let operator = self.binary_operator()?;
            Expression::Binary(operator, first, self.boxed()?)
        };
        self.take(")")?;
        Ok(expression)
    }

    fn binary_operator(&mut self) -> Parsed<BinaryOperator> {
        for (sign, operator) in BINARY {
            if self.eat_text(sign) {
                return Ok(operator);
            }
        }
        Err(self.unexpected("an operator"))
    }

    pub(super) fn cell(&mut self) -> Parsed<Cell> {
        let region = self.region()?;
        let mut object = None;
        if self.eat_text("(") {
            object = Some(self.boxed()?);
            self.take(")")?;
        }
        let mut index = None;
        if self.eat_text("[") {
            index = Some(self.boxed()?);
            self.take("]")?;
        }
        Ok(Cell {
            region,
            object,
            index,
        })
    }

    fn register(&mut self) -> Parsed<Register> {
        let number = self.reference(|scope| &scope.registers, "register")?;
        Ok(Register(self.small(number)?))
    }

    fn thread_local(&mut self) -> Parsed<u16> {
        let number = self.reference(|scope| &scope.thread_locals, "thread-local variable")?;
        self.small(number)
    }

    /// The length and index of an array that begins at a slot, if they are there.
    fn element(&mut self, base: u16) -> Parsed<Option<(Array, Expression)>> {
        if !self.eat_text("{") {
            return Ok(None);
        }
        let length = self.number()?;
        self.take("}")?;
        self.take("[")?;
        let index = self.expression()?;
        self.take("]")?;
        Ok(Some((Array { base, length }, index)))
    }

    fn boxed(&mut self) -> Parsed<Box<Expression>> {
        Ok(Box::new(self.expression()?))
    }
}

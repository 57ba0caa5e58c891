//! Operations of `java.util.concurrent.atomic`.

use raddle_jvm::Ref;
use raddle_machine::ir::{BinaryOperator as B, Expression, Instruction, Target as Assigned};

use super::{ATOMIC, At, Call, CallOutcome, Out, Target, Untranslatable, Value, Variable, Walker};
use super::{binary, constant, number};

impl Walker<'_, '_> {
    pub(super) fn atomic_call(
        &mut self,
        at: &At<'_>,
        call: Call<'_>,
        out: &mut Out,
    ) -> Result<CallOutcome, Untranslatable> {
        let world = self.scene.world;
        let Call { object, name, .. } = call;
        let class = call.class.strip_prefix(ATOMIC).unwrap_or(call.class);
        if matches!(
            name,
            "updateAndGet" | "getAndUpdate" | "accumulateAndGet" | "getAndAccumulate"
        ) {
            return Ok(match class {
                "AtomicInteger" | "AtomicReference" => CallOutcome::Inside,
                _ => CallOutcome::Unknown,
            });
        }
        let owner = self.scene.class_of(object).unwrap_or_default();
        let slot = |name| world.slot_of(owner, name);
        let (variable, index, first) = match class {
            "AtomicInteger" | "AtomicBoolean" | "AtomicReference" => {
                let Some(slot) = slot("value") else {
                    return Ok(CallOutcome::Unknown);
                };
                (Variable::Field(object, slot), None, at.instr.a + 1)
            }
            "AtomicIntegerArray" => {
                let Some(slot) = slot("array") else {
                    return Ok(CallOutcome::Unknown);
                };
                let array = self.scene.state.heap.ref_field(object, slot);
                if name == "length" && self.scene.families.contains_key(&array) {
                    let length = self.length_for_threads(array);
                    return Ok(CallOutcome::Done(Some((Value::Int(None), Some(length)))));
                }
                if name == "length" {
                    let found = self.scene.state.heap.get(array);
                    let length = found.and_then(|found| found.body.length()).unwrap_or(0);
                    return Ok(CallOutcome::Done(Some(number(length as i32))));
                }
                let Some(index) = self.checked_index(at, array, out)? else {
                    return Ok(CallOutcome::Gone);
                };
                (Variable::Elements(array), Some(index), at.instr.a + 2)
            }
            _ => return Ok(CallOutcome::Unknown),
        };
        self.atomic(at, name, variable, index, first, out)
    }

    /// The index of an atomic array; none if control has gone elsewhere.
    fn checked_index(
        &mut self,
        at: &At<'_>,
        array: Ref,
        out: &mut Out,
    ) -> Result<Option<Expression>, Untranslatable> {
        if let Some(array) = self.family(at, Target::Object(array), at.instr.a + 1) {
            return self.thread_index(at, array, at.instr.a + 1, out).map(Some);
        }
        let found = self.scene.state.heap.get(array);
        let length = found.and_then(|found| found.body.length()).unwrap_or(0);
        match self.bounds(at, at.instr.a + 1, length as i32, out)? {
            true => Ok(Some(self.word(at, at.instr.a + 1)?)),
            false => Ok(None),
        }
    }

    /// An operation on an atomic variable whose arguments stand from a register on.
    fn atomic(
        &mut self,
        at: &At<'_>,
        name: &str,
        variable: Variable,
        index: Option<Expression>,
        first: u16,
        out: &mut Out,
    ) -> Result<CallOutcome, Untranslatable> {
        let argument = at.value(first).clone();
        Ok(match name {
            "get" | "getPlain" | "getAcquire" | "getOpaque" | "intValue" => {
                CallOutcome::Done(Some(self.read(at, variable, index, true, out)))
            }
            "set" | "setPlain" | "setRelease" | "setOpaque" | "lazySet" => {
                let word = self.expression(at.storage(first), &argument);
                self.write(at, variable, index, (&argument, word), true, out)?;
                CallOutcome::Done(None)
            }
            "incrementAndGet" => self.add(at, variable, index, constant(1), true, out)?,
            "decrementAndGet" => self.add(at, variable, index, constant(-1), true, out)?,
            "getAndIncrement" => self.add(at, variable, index, constant(1), false, out)?,
            "getAndDecrement" => self.add(at, variable, index, constant(-1), false, out)?,
            "addAndGet" | "getAndAdd" => {
                let amount = self.word(at, first)?;
                self.add(at, variable, index, amount, name == "addAndGet", out)?
            }
            "getAndSet" | "getAndSetAcquire" => {
                let word = self.word(at, first)?;
                self.note(at, variable, true, true);
                self.scene.write(variable, &argument)?;
                let (value, _) = self.scene.holds(variable);
                let cell = self.scene.cell(variable, index);
                let register = self.register(at.storage(at.instr.a));
                // The argument may stand where the result goes.
                let kept = self.temporary();
                out.act(Instruction::Assign(Assigned::Local(kept), word));
                out.act(Instruction::AtomicBegin);
                let read = Expression::Shared(cell.clone());
                out.act(Instruction::Assign(Assigned::Local(register), read));
                let word = Expression::Local(kept);
                out.act(Instruction::Assign(Assigned::Shared(cell), word));
                out.act(Instruction::AtomicEnd);
                CallOutcome::Done(Some((value, Some(Expression::Local(register)))))
            }
            "compareAndSet"
            | "weakCompareAndSet"
            | "weakCompareAndSetVolatile"
            | "weakCompareAndSetPlain" => {
                let (expected, value) = (self.word(at, first)?, self.word(at, first + 1)?);
                let new = at.value(first + 1).clone();
                self.comparable(&argument)?;
                self.note(at, variable, true, true);
                self.scene.write(variable, &new)?;
                let cell = self.scene.cell(variable, index);
                let register = self.register(at.storage(at.instr.a));
                out.act(Instruction::CompareAndSet {
                    cell,
                    expected,
                    value,
                    result: Some(register),
                });
                CallOutcome::Done(Some((Value::Int(None), Some(Expression::Local(register)))))
            }
            _ => CallOutcome::Unknown,
        })
    }

    /// Fails if it cannot be said whether something is the same object.
    fn comparable(&self, value: &Value) -> Result<(), Untranslatable> {
        match value {
            Value::Reference(targets)
                if targets
                    .iter()
                    .any(|target| matches!(target, Target::Other(_))) =>
            {
                Err(Untranslatable::new(
                    "a comparison of objects that are not followed",
                ))
            }
            _ => Ok(()),
        }
    }

    /// Adds to an atomic variable.
    fn add(
        &mut self,
        at: &At<'_>,
        variable: Variable,
        index: Option<Expression>,
        amount: Expression,
        is_new: bool,
        out: &mut Out,
    ) -> Result<CallOutcome, Untranslatable> {
        self.note(at, variable, true, true);
        self.scene.write(variable, &Value::Int(None))?;
        let cell = self.scene.cell(variable, index);
        let register = self.temporary();
        out.act(Instruction::FetchAdd {
            cell,
            value: amount.clone(),
            range: None,
            result: Some(register),
        });
        let old = Expression::Local(register);
        let word = match is_new {
            true => binary(B::Add, old, amount),
            false => old,
        };
        Ok(CallOutcome::Done(Some((Value::Int(None), Some(word)))))
    }
}

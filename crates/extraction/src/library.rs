//! Calls of the library, by their meaning.
//!
//! An operation of `java.util.concurrent` is one step here, or waits for a condition: that is
//! what its documentation says of it, and what its code, of many steps, is written for. Whatever
//! is not in these tables is an obstacle.

mod atomics;

use raddle_jvm::descriptor::Kind;
use raddle_jvm::{MethodId, Ref};
use raddle_machine::ir::{
    Arm, BinaryOperator as B, Cell, Expression, Instruction, Pc, Target as Assigned,
};
use raddle_model::FaultKind;

use crate::execute::{At, binary, equal};
use crate::obstacle::Untranslatable;
use crate::scene::{Lock, Variable};
use crate::value::{Target, Value};
use crate::walk::{Out, Walker};

const CONCURRENT: &str = "java/util/concurrent/";
const ATOMIC: &str = "java/util/concurrent/atomic/";
const WRONG_STATE: &str = "java/lang/IllegalMonitorStateException";

/// Classes whose methods neither change nor depend on anything that is followed, and give no null.
const VALUES: [&str; 9] = [
    "java/io/PrintStream",
    "java/lang/String",
    "java/lang/StringBuilder",
    "java/lang/AbstractStringBuilder",
    "java/lang/StringBuffer",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Boolean",
    "java/lang/Character",
];

/// A call of a method on an object that all share.
#[derive(Clone, Copy)]
struct Call<'n> {
    object: Ref,
    class: &'n str,
    name: &'n str,
    descriptor: &'n str,
}

/// What a call gives: nothing, or a value and how it is told.
type Answer = Option<(Value, Option<Expression>)>;

/// What has come of a call of the library.
enum CallOutcome {
    /// It is done.
    Done(Answer),
    /// Control has gone elsewhere.
    Gone,
    /// Its own code is followed.
    Inside,
    /// It has no meaning here.
    Unknown,
}

impl<'s, 'a> Walker<'s, 'a> {
    /// Calls a method on an object.
    pub(crate) fn call(
        &mut self,
        at: At<'_>,
        receiver: Target,
        method: MethodId,
        out: &mut Out,
    ) -> Result<(), Untranslatable> {
        let world = self.scene.world;
        let described = world.method(method);
        if !self.scene.is_library(described.class) {
            self.usable(receiver)?;
            return self.enter(at, method, out);
        }
        let class = world.class_name(described.class);
        let name = world.text(described.name);
        let outcome = match (class, name) {
            ("java/lang/Object", "wait" | "wait0" | "notify" | "notifyAll") => {
                self.wait_or_notify(&at, receiver, name, out)?
            }
            ("java/lang/Object", "<init>") => CallOutcome::Done(None),
            ("java/lang/Thread", _) => self.thread_call(&at, receiver, name, out)?,
            _ if class.starts_with(CONCURRENT) => {
                let Target::Object(object) = receiver else {
                    return Err(Untranslatable::new(format!(
                        "an object of class {} of the thread's own",
                        class.replace('/', ".")
                    )));
                };
                self.usable(receiver)?;
                let call = Call {
                    object,
                    class,
                    name,
                    descriptor: world.text(described.descriptor),
                };
                self.concurrent_call(&at, call, out)?
            }
            _ if self.is_without_effect(method) => {
                CallOutcome::Done(self.opaque_result(&at, method)?)
            }
            _ => CallOutcome::Unknown,
        };
        self.conclude(at, method, outcome, out)
    }

    /// Calls a method of `java.util.concurrent` on an object that all share.
    fn concurrent_call(
        &mut self,
        at: &At<'_>,
        call: Call<'_>,
        out: &mut Out,
    ) -> Result<CallOutcome, Untranslatable> {
        match call.class.strip_prefix(CONCURRENT).unwrap_or_default() {
            "locks/ReentrantLock" => self.lock_call(at, call, out),
            "locks/AbstractQueuedSynchronizer$ConditionObject" => {
                self.condition_call(at, call, out)
            }
            "Semaphore" => self.semaphore_call(at, call, out),
            "CountDownLatch" => self.latch_call(at, call, out),
            _ if call.class.starts_with(ATOMIC) => self.atomic_call(at, call, out),
            _ => Ok(CallOutcome::Unknown),
        }
    }

    fn conclude(
        &mut self,
        at: At<'_>,
        method: MethodId,
        outcome: CallOutcome,
        out: &mut Out,
    ) -> Result<(), Untranslatable> {
        match outcome {
            CallOutcome::Done(Some((value, word))) => self.define(at, value, word, out),
            CallOutcome::Done(None) => at.next(out),
            CallOutcome::Gone => {}
            CallOutcome::Inside => return self.enter(at, method, out),
            CallOutcome::Unknown => {
                let world = self.scene.world;
                let name = world.method_name(method).replace('/', ".");
                return Err(Untranslatable::new(format!("a call of {name}")));
            }
        }
        Ok(())
    }

    /// Calls a static method; control is elsewhere afterwards.
    pub(crate) fn call_static(
        &mut self,
        at: At<'_>,
        method: MethodId,
        out: &mut Out,
    ) -> Result<(), Untranslatable> {
        let world = self.scene.world;
        let described = world.method(method);
        let class = world.class_name(described.class);
        let name = world.text(described.name);
        let descriptor = world.text(described.descriptor);
        let outcome = match (class, name, descriptor) {
            ("raddle/Check", ..) => self.check_call(&at, name, descriptor, out)?,
            ("java/lang/Thread", "currentThread", _) => {
                let target = self.object.map(Target::Own);
                let target =
                    target.ok_or_else(|| Untranslatable::new("main asks for its thread"))?;
                let value = Value::reference(target);
                let word = target.code().map(Expression::Constant);
                CallOutcome::Done(Some((value, word)))
            }
            ("java/lang/Thread", "sleep" | "yield" | "onSpinWait", _) => CallOutcome::Done(None),
            // Nobody interrupts: a call of `interrupt` is an obstacle.
            ("java/lang/Thread", "interrupted", _) => CallOutcome::Done(Some(number(0))),
            ("java/lang/Math", "max" | "min" | "abs", descriptor) if descriptor.ends_with('I') => {
                CallOutcome::Inside
            }
            ("java/util/Objects", "requireNonNull", _) => CallOutcome::Inside,
            ("java/lang/Integer", "max" | "min" | "compare" | "sum" | "signum", _) => {
                CallOutcome::Inside
            }
            _ if !self.scene.is_library(described.class) => {
                self.needs(described.class)?;
                CallOutcome::Inside
            }
            _ if self.is_without_effect(method) => {
                CallOutcome::Done(self.opaque_result(&at, method)?)
            }
            _ => CallOutcome::Unknown,
        };
        self.conclude(at, method, outcome, out)
    }

    /// Whether a method of the library neither changes nor depends on anything that is followed.
    fn is_without_effect(&self, method: MethodId) -> bool {
        let world = self.scene.world;
        let class = world.method(method).class;
        let mut ancestors = world.class(class).ancestors.iter();
        if ancestors.any(|&it| world.class_name(it) == "java/lang/Throwable") {
            return true;
        }
        let name = world.class_name(class);
        VALUES.contains(&name)
            || name == "java/lang/Math"
            || (name == "java/lang/System"
                && matches!(
                    world.text(world.method(method).name),
                    "currentTimeMillis" | "nanoTime" | "identityHashCode"
                ))
    }

    /// Whether a method without an effect may give null.
    fn may_give_null(&self, method: MethodId) -> bool {
        let world = self.scene.world;
        let class = world.class_name(world.method(method).class);
        !VALUES.contains(&class) && class != "java/lang/Thread"
    }

    /// A result of which nothing is known but its type.
    fn opaque_result(&self, at: &At<'_>, method: MethodId) -> Result<Answer, Untranslatable> {
        let world = self.scene.world;
        let described = world.method(method);
        let place = self.place(&at.key);
        let place = place.map_or(String::new(), |(_, line)| format!(" in line {line}"));
        Ok(match world.shape(described).result {
            Kind::Void => None,
            // What may be null is not one object or the other.
            Kind::Ref if self.may_give_null(method) => {
                let name = world.text(described.name);
                let what = format!("the result of {name}(){place}");
                Some((Value::Opaque(what.into()), None))
            }
            Kind::Ref => {
                let descriptor = world.text(described.descriptor);
                let result = descriptor.rsplit(')').next().unwrap_or_default();
                let class = result.trim_start_matches('L').trim_end_matches(';');
                let target = self.some(class)?;
                Some((
                    Value::reference(target),
                    target.code().map(Expression::Constant),
                ))
            }
            _ => {
                let name = world.text(described.name);
                let what = format!("the result of {name}(){place}");
                Some((Value::Opaque(what.into()), None))
            }
        })
    }

    fn thread_call(
        &mut self,
        at: &At<'_>,
        receiver: Target,
        name: &str,
        out: &mut Out,
    ) -> Result<CallOutcome, Untranslatable> {
        Ok(match (name, receiver) {
            ("join", Target::Object(thread)) => {
                let descriptor = at.listing.called(at.instr);
                let is_timed = match descriptor {
                    Ok(raddle_jvm::listing::CallTarget::Method(method)) => {
                        let method = self.scene.world.method(method);
                        !self.scene.world.shape(method).kinds.is_empty()
                    }
                    _ => true,
                };
                match self.scene.joins.get(&thread) {
                    Some(Some(number)) if !is_timed => {
                        let number = Expression::Constant(*number as i32);
                        out.act(Instruction::Join(number));
                        CallOutcome::Done(None)
                    }
                    Some(_) => {
                        self.take_liberty(at, "goes on without waiting for the threads it joins");
                        CallOutcome::Done(None)
                    }
                    None => CallOutcome::Unknown,
                }
            }
            ("getName" | "getId" | "threadId" | "toString", _) => {
                let method = match at.listing.called(at.instr) {
                    Ok(raddle_jvm::listing::CallTarget::Method(method)) => method,
                    _ => return Ok(CallOutcome::Unknown),
                };
                CallOutcome::Done(self.opaque_result(at, method)?)
            }
            ("isInterrupted", Target::Own(_)) => CallOutcome::Done(Some(number(0))),
            _ => CallOutcome::Unknown,
        })
    }

    /// Something is done otherwise than the program says, in a way that allows all that it allows.
    pub(crate) fn take_liberty(&mut self, at: &At<'_>, what: &str) {
        let place = self.place(&at.key);
        let told = match place {
            Some((file, line)) => format!("{file}:{line} {what}"),
            None => what.to_owned(),
        };
        self.liberties.insert(told);
    }

    fn wait_or_notify(
        &mut self,
        at: &At<'_>,
        receiver: Target,
        name: &str,
        out: &mut Out,
    ) -> Result<CallOutcome, Untranslatable> {
        self.usable(receiver)?;
        let lock = Lock::Monitor(receiver);
        let is_timed = name.starts_with("wait") && self.argument_words(at) > 1;
        let timeout = match is_timed {
            true => Some(at.value(at.instr.a + 1).clone()),
            false => None,
        };
        self.condition(at, lock, name, timeout, out)
    }

    /// How many words of arguments the call at hand has.
    fn argument_words(&self, at: &At<'_>) -> u16 {
        at.instr.b
    }

    /// Waits for a lock's condition, or notifies those who do.
    fn condition(
        &mut self,
        at: &At<'_>,
        lock: Lock,
        name: &str,
        timeout: Option<Value>,
        out: &mut Out,
    ) -> Result<CallOutcome, Untranslatable> {
        let is_held = at.key.locks.iter().any(|(held, _)| *held == lock);
        if !is_held {
            self.raise_named(at.clone(), WRONG_STATE, out)?;
            return Ok(CallOutcome::Gone);
        }
        if let Lock::Monitor(Target::Member(_)) = lock {
            self.take_liberty(at, "does not wait for others to notify it");
            return Ok(CallOutcome::Done(None));
        }
        let Some(cell) = self.cell(lock) else {
            return Err(Untranslatable::new("a thread waits for itself"));
        };
        let is_for_ever = matches!(timeout, None | Some(Value::Long(Some(0))));
        match name {
            "notify" | "signal" => out.act(Instruction::Notify(cell)),
            "notifyAll" | "signalAll" => out.act(Instruction::NotifyAll(cell)),
            _ if is_for_ever => {
                out.act(Instruction::Wait(cell.clone()));
                out.act(Instruction::WaitResume(cell));
            }
            _ => {
                self.take_liberty(at, "waits for some time, which may end at once");
                out.act(Instruction::Release(cell.clone()));
                out.act(Instruction::Acquire(cell));
            }
        }
        Ok(CallOutcome::Done(None))
    }

    fn lock_call(
        &mut self,
        at: &At<'_>,
        call: Call<'_>,
        out: &mut Out,
    ) -> Result<CallOutcome, Untranslatable> {
        if self.scene.initial_count(call.object) != Some(0) {
            return Err(Untranslatable::new(
                "a lock that is held when threads begin",
            ));
        }
        let lock = Lock::Explicit(call.object);
        let is_held = at.key.locks.iter().any(|(held, _)| *held == lock);
        let mut key = at.key.clone();
        match call.name {
            "lock" | "lockInterruptibly" => self.acquire(&mut key, lock, out),
            "unlock" if !is_held => {
                self.raise_named(at.clone(), WRONG_STATE, out)?;
                return Ok(CallOutcome::Gone);
            }
            "unlock" => {
                self.release(&mut key, lock, out);
            }
            "isHeldByCurrentThread" => {
                return Ok(CallOutcome::Done(Some(number(i32::from(is_held)))));
            }
            "tryLock" => return self.try_lock(at, lock, is_held, out),
            _ => return Ok(CallOutcome::Unknown),
        }
        let mut at = at.clone();
        at.key = key;
        at.next(out);
        Ok(CallOutcome::Gone)
    }

    fn try_lock(
        &mut self,
        at: &At<'_>,
        lock: Lock,
        is_held: bool,
        out: &mut Out,
    ) -> Result<CallOutcome, Untranslatable> {
        let is_timed = self.argument_words(at) > 1;
        let mut taken = at.clone();
        if is_held {
            self.acquire(&mut taken.key, lock, out);
            self.answer(taken, true, out);
            return Ok(CallOutcome::Gone);
        }
        let cell = self.scene.lock_cell(lock);
        let failed = out.label();
        if is_timed {
            self.take_liberty(at, "waits for some time, which may end at once");
            let first = out.label();
            let arm = |label| Arm {
                guard: None,
                target: Pc(label),
            };
            out.act(Instruction::Select(vec![arm(first), arm(failed)]));
            out.place(first);
            self.acquire(&mut taken.key, lock, out);
        } else {
            out.act(Instruction::AtomicBegin);
            let free = equal(Expression::Owner(cell), Expression::Constant(-1));
            out.unless(free, failed);
            self.acquire(&mut taken.key, lock, out);
            out.act(Instruction::AtomicEnd);
        }
        self.answer(taken, true, out);
        out.place(failed);
        if !is_timed {
            out.act(Instruction::AtomicEnd);
        }
        self.answer(at.clone(), false, out);
        Ok(CallOutcome::Gone)
    }

    fn condition_call(
        &mut self,
        at: &At<'_>,
        call: Call<'_>,
        out: &mut Out,
    ) -> Result<CallOutcome, Untranslatable> {
        let Some((lock, conditions)) = self.scene.lock_of(call.object) else {
            return Ok(CallOutcome::Unknown);
        };
        let lock = Lock::Explicit(lock);
        let is_timed = self.argument_words(at) > 1;
        let name = match call.name {
            "await" | "awaitUninterruptibly" if !is_timed => "await",
            "signal" | "signalAll" => call.name,
            _ => return Ok(CallOutcome::Unknown),
        };
        if conditions == 1 {
            return self.condition(at, lock, name, None, out);
        }
        // The intermediate form has one condition for each lock. Java lets a thread wake up for
        // no reason, which is all that is left of a notification then.
        let is_held = at.key.locks.iter().any(|(held, _)| *held == lock);
        if !is_held {
            self.raise_named(at.clone(), WRONG_STATE, out)?;
            return Ok(CallOutcome::Gone);
        }
        if name == "await" {
            self.take_liberty(at, "may go on without a signal");
            let cell = self.scene.lock_cell(lock);
            out.act(Instruction::Release(cell.clone()));
            out.act(Instruction::Acquire(cell));
        }
        Ok(CallOutcome::Done(None))
    }

    /// Gives yes or no, and goes on.
    fn answer(&mut self, at: At<'_>, is_true: bool, out: &mut Out) {
        let (value, word) = number(i32::from(is_true));
        self.define(at, value, word, out);
    }

    /// What a semaphore or a latch counts, which may be changed.
    fn count(
        &mut self,
        at: &At<'_>,
        variable: Variable,
        is_change: bool,
    ) -> Result<Cell, Untranslatable> {
        if is_change {
            self.note(at, variable, true, true);
            self.scene.write(variable, &Value::Int(None))?;
        }
        Ok(self.scene.cell(variable, None))
    }

    /// A number that is known from 0 on, from an argument.
    fn amount(&mut self, at: &At<'_>, has_argument: bool) -> Result<i32, Untranslatable> {
        match has_argument {
            false => Ok(1),
            true => {
                let amount = at.value(at.instr.a + 1).constant();
                let amount = amount.filter(|&it| it >= 0);
                amount.ok_or_else(|| Untranslatable::new("a number of permits that is not known"))
            }
        }
    }

    fn semaphore_call(
        &mut self,
        at: &At<'_>,
        call: Call<'_>,
        out: &mut Out,
    ) -> Result<CallOutcome, Untranslatable> {
        let has_argument = call.descriptor.starts_with("(I");
        let is_timed = call.descriptor.contains('J');
        let variable = Variable::Count(call.object);
        let is_change = matches!(
            call.name,
            "acquire" | "acquireUninterruptibly" | "release" | "tryAcquire"
        );
        let cell = self.count(at, variable, is_change)?;
        let held = Expression::Shared(cell.clone());
        let change = |operator, amount| {
            let value = binary(operator, held.clone(), constant(amount));
            Instruction::Assign(Assigned::Shared(cell.clone()), value)
        };
        let enough = |amount| binary(B::GreaterOrEqual, held.clone(), constant(amount));
        Ok(match call.name {
            "acquire" | "acquireUninterruptibly" => {
                let amount = self.amount(at, has_argument)?;
                out.act(Instruction::AtomicBegin);
                out.act(Instruction::Await(enough(amount)));
                out.act(change(B::Subtract, amount));
                out.act(Instruction::AtomicEnd);
                CallOutcome::Done(None)
            }
            "release" => {
                let amount = self.amount(at, has_argument)?;
                out.act(change(B::Add, amount));
                CallOutcome::Done(None)
            }
            "tryAcquire" if !is_timed => {
                let amount = self.amount(at, has_argument)?;
                let failed = out.label();
                out.act(Instruction::AtomicBegin);
                out.unless(enough(amount), failed);
                out.act(change(B::Subtract, amount));
                out.act(Instruction::AtomicEnd);
                self.answer(at.clone(), true, out);
                out.place(failed);
                out.act(Instruction::AtomicEnd);
                self.answer(at.clone(), false, out);
                CallOutcome::Gone
            }
            "availablePermits" => CallOutcome::Done(Some(self.read(at, variable, None, true, out))),
            _ => CallOutcome::Unknown,
        })
    }

    fn latch_call(
        &mut self,
        at: &At<'_>,
        call: Call<'_>,
        out: &mut Out,
    ) -> Result<CallOutcome, Untranslatable> {
        let is_timed = self.argument_words(at) > 1;
        let variable = Variable::Count(call.object);
        let cell = self.count(at, variable, call.name == "countDown")?;
        let held = Expression::Shared(cell.clone());
        Ok(match call.name {
            "countDown" => {
                let done = out.label();
                out.act(Instruction::AtomicBegin);
                out.unless(
                    binary(B::Greater, held.clone(), Expression::Constant(0)),
                    done,
                );
                let less = binary(B::Subtract, held, Expression::Constant(1));
                out.act(Instruction::Assign(Assigned::Shared(cell), less));
                out.place(done);
                out.act(Instruction::AtomicEnd);
                CallOutcome::Done(None)
            }
            "await" if !is_timed => {
                self.note(at, variable, false, true);
                out.act(Instruction::Await(equal(held, Expression::Constant(0))));
                CallOutcome::Done(None)
            }
            "getCount" => {
                let (value, word) = self.read(at, variable, None, true, out);
                let value = Value::Long(value.constant().map(i64::from));
                CallOutcome::Done(Some((value, word)))
            }
            _ => CallOutcome::Unknown,
        })
    }

    /// What the program says to raddle.
    fn check_call(
        &mut self,
        at: &At<'_>,
        name: &str,
        descriptor: &str,
        out: &mut Out,
    ) -> Result<CallOutcome, Untranslatable> {
        let register = self.register(at.storage(at.instr.a));
        Ok(match (name, descriptor) {
            ("choose", "()Z" | "(I)I") => {
                let high = match descriptor {
                    "()Z" => constant(1),
                    _ => binary(B::Subtract, self.word(at, at.instr.a)?, constant(1)),
                };
                out.act(Instruction::Choose {
                    low: constant(0),
                    high,
                    result: register,
                });
                CallOutcome::Done(Some((Value::Int(None), Some(Expression::Local(register)))))
            }
            ("assume", "(Z)V") => {
                let condition = self.word(at, at.instr.a)?;
                out.act(Instruction::Assume(condition));
                CallOutcome::Done(None)
            }
            ("unreachable", "()V") => {
                out.act(Instruction::Fail(
                    FaultKind::Unreachable,
                    "unreachable".to_owned(),
                ));
                CallOutcome::Gone
            }
            _ => CallOutcome::Unknown,
        })
    }
}

fn constant(number: i32) -> Expression {
    Expression::Constant(number)
}

fn number(number: i32) -> (Value, Option<Expression>) {
    (Value::Int(Some(number)), Some(Expression::Constant(number)))
}

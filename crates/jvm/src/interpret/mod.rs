//! The interpreter: one loop over the instructions of a frame, around it one over frames.

mod arithmetic;
mod calls;
mod classes;
mod collect;
mod environment;
mod follow;
mod missing;
mod monitors;
mod resolve;
mod unwind;

pub(crate) use calls::{Args, body};
pub(crate) use environment::{Env, Trap, with_thread};
pub use environment::{Event, Host, run_thread};
pub(crate) use resolve::{
    broken, class_constant, find_field_constant, find_method_constant, member, no_such_method,
    target,
};

use crate::code::{Body as MethodBody, Op, Resolved};
use crate::heap::{Body, Ref, int};
use crate::hook::{At, Place};
use crate::reach::is_shared;
use follow::Step;

/// What ends the inner loop.
enum Leave {
    Invoke,
    Return,
    ReturnValue(u64),
    Resolve,
    Slow,
    Budget,
    Watched,
    Null,
    Bounds { index: i32, length: usize },
    Trap(Trap),
}

/// Runs a thread until it stops for one of the reasons of [`Event`]. `budget` counts
/// backward jumps and calls.
pub(crate) fn run(env: &mut Env<'_>, budget: &mut u64) -> Event {
    match env.hook.is_some() {
        true if env.follows() => run_frames::<true, true>(env, budget),
        true => run_frames::<true, false>(env, budget),
        false => run_frames::<false, false>(env, budget),
    }
}

/// The same. Without a hook, nothing is spent on looking for one; nor is it on values from the
/// clock before there are any.
fn run_frames<const HOOKED: bool, const FOLLOWS: bool>(
    env: &mut Env<'_>,
    budget: &mut u64,
) -> Event {
    let world = env.world;
    let is_marking = FOLLOWS && env.thread.marks.marks_all();
    env.state.heap.set_marking(is_marking);
    'frames: loop {
        if HOOKED && !FOLLOWS && env.follows() {
            return run_frames::<true, true>(env, budget);
        }
        let Some(&frame) = env.thread.frames.last() else {
            return Event::Ended;
        };
        let method = world.method(frame.method);
        let Some(MethodBody::Code(code)) = method.body.get() else {
            return Event::Unsupported("a frame without code".to_owned(), Vec::new());
        };
        let base = frame.base as usize;
        let instrs = &code.instrs[..];
        let sites = &code.sites[..];
        let mut pc = frame.pc as usize;
        let Some(regs) = env
            .thread
            .stack
            .get_mut(base..base + code.registers as usize)
        else {
            return Event::Unsupported("a frame without registers".to_owned(), Vec::new());
        };
        let heap = &mut env.state.heap;
        // The register that the instruction marks or not, and whether it was marked before.
        let mut result = (0, false);
        let leave = loop {
            let Some(&i) = instrs.get(pc) else {
                break Leave::Trap(Trap::Unsupported("no instruction to execute".to_owned()));
            };
            let (a, b, c) = (i.a as usize, i.b as usize, i.c as usize);
            if FOLLOWS {
                let step = Step {
                    code,
                    instr: i,
                    registers: regs,
                    heap,
                    classes: &env.state.classes,
                    thread: env.thread.id,
                    world,
                };
                let depth = env.thread.frames.len() - 1;
                let marks = env.thread.marks.frame(base, code.registers as usize);
                result = (a, marks.get(a) == Some(&true));
                if step.follow(marks) {
                    if env.thread.marks.computes() {
                        env.thread.marks.decide(depth);
                        heap.set_marking(true);
                    } else if let Some(hook) = env.hook.as_deref_mut() {
                        hook.clock_decides(At {
                            frames: &env.thread.frames,
                            pc: Some(pc),
                        });
                    }
                }
            }
            macro_rules! binary_int {
                ($f:expr) => {{
                    let f: fn(i32, i32) -> i32 = $f;
                    regs[a] = int(f(regs[b] as i32, regs[c] as i32));
                    pc += 1;
                }};
            }
            macro_rules! number_int {
                ($f:expr) => {{
                    let f: fn(i32, i32) -> i32 = $f;
                    regs[a] = int(f(regs[b] as i32, i.x.cast_signed()));
                    pc += 1;
                }};
            }
            macro_rules! binary_long {
                ($f:expr) => {{
                    let f: fn(i64, i64) -> i64 = $f;
                    regs[a] = f(regs[b].cast_signed(), regs[c].cast_signed()).cast_unsigned();
                    pc += 1;
                }};
            }
            macro_rules! jump_to {
                ($target:expr) => {{
                    let target: usize = $target;
                    if target <= pc {
                        *budget = budget.saturating_sub(1);
                        if *budget == 0 {
                            pc = target;
                            break Leave::Budget;
                        }
                    }
                    pc = target;
                }};
            }
            macro_rules! jump {
                ($taken:expr) => {{
                    if $taken {
                        jump_to!(i.x as usize);
                    } else {
                        pc += 1;
                    }
                }};
            }
            macro_rules! jump_int {
                ($op:tt) => { jump!((regs[a] as i32) $op (regs[b] as i32)) };
            }
            macro_rules! jump_number {
                ($op:tt) => { jump!((regs[a] as i32) $op i32::from(i.b.cast_signed())) };
            }
            macro_rules! jump_long {
                ($op:tt) => { jump!(regs[a].cast_signed() $op regs[b].cast_signed()) };
            }
            macro_rules! looked {
                ($class:expr) => {
                    if HOOKED && let Some(hook) = env.hook.as_deref_mut() {
                        hook.look($class);
                    }
                };
            }
            macro_rules! at {
                () => {
                    At {
                        frames: &env.thread.frames,
                        pc: Some(pc),
                    }
                };
            }
            macro_rules! marked {
                ($object:expr, $index:expr, $value:expr) => {
                    if FOLLOWS {
                        let is_marked =
                            heap.is_marking() || env.thread.marks.register(base + $value);
                        follow::written(heap, $object, $index as u32, is_marked);
                    }
                };
            }
            macro_rules! place {
                ($object:expr, $index:expr, $is_volatile:expr) => {
                    Place {
                        object: $object,
                        index: $index as u32,
                        is_volatile: $is_volatile,
                    }
                };
            }
            macro_rules! read {
                ($object:expr, $index:expr, $is_volatile:expr) => {
                    if HOOKED
                        && is_shared(world, heap, $object)
                        && let Some(hook) = env.hook.as_deref_mut()
                        && hook.read(at!(), heap, place!($object, $index, $is_volatile))
                    {
                        break Leave::Watched;
                    }
                };
            }
            macro_rules! written {
                ($object:expr, $index:expr, $value:expr, $is_own:expr, $is_volatile:expr) => {
                    if HOOKED
                        && !$object.is_null()
                        && is_shared(world, heap, $object)
                        && let Some(hook) = env.hook.as_deref_mut()
                        && hook.write(
                            at!(),
                            heap,
                            place!($object, $index, $is_volatile),
                            $value,
                            $is_own,
                            &mut env.thread.held,
                        )
                    {
                        break Leave::Watched;
                    }
                };
            }
            macro_rules! load {
                ($variant:ident, $e:ident => $convert:expr) => {{
                    let index = regs[c] as i32;
                    match heap.get(Ref::of(regs[b])).map(|object| &object.body) {
                        Some(Body::$variant(elements)) => match elements.get(index as u32 as usize) {
                            Some(&$e) => {
                                read!(Ref::of(regs[b]), index, false);
                                regs[a] = $convert;
                                pc += 1;
                            }
                            None => break Leave::Bounds { index, length: elements.len() },
                        },
                        Some(_) => break Leave::Trap(wrong_type()),
                        None => break Leave::Null,
                    }
                }};
            }
            macro_rules! store {
                ($variant:ident, $convert:expr) => {{
                    let index = regs[b] as i32;
                    written!(Ref::of(regs[a]), index, regs[c], false, false);
                    match heap
                        .get_mut(Ref::of(regs[a]))
                        .map(|object| &mut object.body)
                    {
                        Some(Body::$variant(elements)) => {
                            match elements.get_mut(index as u32 as usize) {
                                Some(place) => {
                                    *place = $convert(regs[c]);
                                    marked!(Ref::of(regs[a]), index, c);
                                    pc += 1;
                                }
                                None => {
                                    break Leave::Bounds {
                                        index,
                                        length: elements.len(),
                                    };
                                }
                            }
                        }
                        Some(_) => break Leave::Trap(wrong_type()),
                        None => break Leave::Null,
                    }
                }};
            }
            match i.op {
                Op::Move => {
                    regs[a] = regs[b];
                    pc += 1;
                }
                Op::Int => {
                    regs[a] = u64::from(i.x);
                    pc += 1;
                }
                Op::Wide => {
                    regs[a] = code.constants[i.x as usize];
                    pc += 1;
                }
                Op::IAdd => binary_int!(|l, r| l.wrapping_add(r)),
                Op::ISub => binary_int!(|l, r| l.wrapping_sub(r)),
                Op::IMul => binary_int!(|l, r| l.wrapping_mul(r)),
                Op::IAnd => binary_int!(|l, r| l & r),
                Op::IOr => binary_int!(|l, r| l | r),
                Op::IXor => binary_int!(|l, r| l ^ r),
                Op::IShl => binary_int!(|l, r| l.wrapping_shl(r.cast_unsigned())),
                Op::IShr => binary_int!(|l, r| l.wrapping_shr(r.cast_unsigned())),
                Op::IUshr => {
                    binary_int!(|l, r| l
                        .cast_unsigned()
                        .wrapping_shr(r.cast_unsigned())
                        .cast_signed())
                }
                Op::IAddI => number_int!(|l, r| l.wrapping_add(r)),
                Op::IMulI => number_int!(|l, r| l.wrapping_mul(r)),
                Op::IAndI => number_int!(|l, r| l & r),
                Op::IOrI => number_int!(|l, r| l | r),
                Op::IXorI => number_int!(|l, r| l ^ r),
                Op::IShlI => number_int!(|l, r| l.wrapping_shl(r.cast_unsigned())),
                Op::IShrI => number_int!(|l, r| l.wrapping_shr(r.cast_unsigned())),
                Op::IUshrI => {
                    number_int!(|l, r| l
                        .cast_unsigned()
                        .wrapping_shr(r.cast_unsigned())
                        .cast_signed())
                }
                Op::IDiv | Op::IRem => {
                    let (l, r) = (regs[b] as i32, regs[c] as i32);
                    if r == 0 {
                        break Leave::Trap(by_zero());
                    }
                    regs[a] = int(if i.op == Op::IDiv {
                        l.wrapping_div(r)
                    } else {
                        l.wrapping_rem(r)
                    });
                    pc += 1;
                }
                Op::IDivI => number_int!(|l, r| if r == 0 { 0 } else { l.wrapping_div(r) }),
                Op::IRemI => number_int!(|l, r| if r == 0 { 0 } else { l.wrapping_rem(r) }),
                Op::LAdd => binary_long!(|l, r| l.wrapping_add(r)),
                Op::LSub => binary_long!(|l, r| l.wrapping_sub(r)),
                Op::LMul => binary_long!(|l, r| l.wrapping_mul(r)),
                Op::LAnd => binary_long!(|l, r| l & r),
                Op::LOr => binary_long!(|l, r| l | r),
                Op::LXor => binary_long!(|l, r| l ^ r),
                Op::LShl => binary_long!(|l, r| l.wrapping_shl(r as u32)),
                Op::LShr => binary_long!(|l, r| l.wrapping_shr(r as u32)),
                Op::LUshr => {
                    binary_long!(|l, r| l.cast_unsigned().wrapping_shr(r as u32).cast_signed())
                }
                Op::LDiv | Op::LRem => {
                    let (l, r) = (regs[b].cast_signed(), regs[c].cast_signed());
                    if r == 0 {
                        break Leave::Trap(by_zero());
                    }
                    let result = if i.op == Op::LDiv {
                        l.wrapping_div(r)
                    } else {
                        l.wrapping_rem(r)
                    };
                    regs[a] = result.cast_unsigned();
                    pc += 1;
                }
                Op::LCmp => {
                    let order = regs[b].cast_signed().cmp(&regs[c].cast_signed());
                    regs[a] = int(order as i32);
                    pc += 1;
                }
                Op::I2L => {
                    regs[a] = i64::from(regs[b] as i32).cast_unsigned();
                    pc += 1;
                }
                Op::L2I => {
                    regs[a] = u64::from(regs[b] as u32);
                    pc += 1;
                }
                Op::I2B => {
                    regs[a] = int(i32::from(regs[b] as i8));
                    pc += 1;
                }
                Op::I2C => {
                    regs[a] = u64::from(regs[b] as u16);
                    pc += 1;
                }
                Op::I2S => {
                    regs[a] = int(i32::from(regs[b] as i16));
                    pc += 1;
                }
                Op::I2Z => {
                    regs[a] = regs[b] & 1;
                    pc += 1;
                }
                Op::INeg => {
                    regs[a] = int((regs[b] as i32).wrapping_neg());
                    pc += 1;
                }
                Op::LNeg => {
                    regs[a] = regs[b].wrapping_neg();
                    pc += 1;
                }
                Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FCmpL | Op::FCmpG => {
                    regs[a] = arithmetic::float(i.op, regs[b], regs[c]);
                    pc += 1;
                }
                Op::DAdd | Op::DSub | Op::DMul | Op::DDiv | Op::DRem | Op::DCmpL | Op::DCmpG => {
                    regs[a] = arithmetic::double(i.op, regs[b], regs[c]);
                    pc += 1;
                }
                Op::FNeg | Op::DNeg | Op::I2F | Op::I2D | Op::L2F | Op::L2D => {
                    regs[a] = arithmetic::convert(i.op, regs[b]);
                    pc += 1;
                }
                Op::F2I | Op::F2L | Op::F2D | Op::D2I | Op::D2L | Op::D2F => {
                    regs[a] = arithmetic::convert(i.op, regs[b]);
                    pc += 1;
                }
                Op::LoadByte => load!(Bytes, e => int(i32::from(e))),
                Op::LoadChar => load!(Chars, e => u64::from(e)),
                Op::LoadShort => load!(Shorts, e => int(i32::from(e))),
                Op::LoadInt => load!(Ints, e => int(e)),
                Op::LoadLong => load!(Longs, e => e.cast_unsigned()),
                Op::LoadRef => load!(Refs, e => e.word()),
                Op::StoreByte => store!(Bytes, |value| value as i8),
                Op::StoreChar => store!(Chars, |value| value as u16),
                Op::StoreShort => store!(Shorts, |value| value as i16),
                Op::StoreInt => store!(Ints, |value| value as i32),
                Op::StoreLong => store!(Longs, u64::cast_signed),
                Op::StoreRef => {
                    let value = Ref::of(regs[c]);
                    if let (Some(array), Some(element)) =
                        (heap.get(Ref::of(regs[a])), heap.get(value))
                        && !calls::can_store(world, array.class, element.class)
                        && (regs[b] as u32 as usize) < array.body.length().unwrap_or(0)
                    {
                        break Leave::Trap(calls::bad_store(world, element.class));
                    }
                    store!(Refs, Ref::of);
                }
                Op::Length => match heap.get(Ref::of(regs[b])) {
                    Some(array) => match array.body.length() {
                        Some(length) => {
                            regs[a] = length as u64;
                            pc += 1;
                        }
                        None => break Leave::Trap(wrong_type()),
                    },
                    None => break Leave::Null,
                },
                Op::GetField => match sites[i.x as usize].cell.get() {
                    Some(&Resolved::Field { slot, is_volatile }) => {
                        match heap.get(Ref::of(regs[b])) {
                            Some(object) => match &object.body {
                                Body::Fields(fields) if (slot as usize) < fields.len() => {
                                    read!(Ref::of(regs[b]), slot, is_volatile);
                                    regs[a] = fields[slot as usize];
                                    pc += 1;
                                }
                                _ => break Leave::Trap(wrong_type()),
                            },
                            None => break Leave::Null,
                        }
                    }
                    _ => break Leave::Resolve,
                },
                Op::PutField => match sites[i.x as usize].cell.get() {
                    Some(&Resolved::Field { slot, is_volatile }) => {
                        written!(Ref::of(regs[a]), slot, regs[b], false, is_volatile);
                        match heap.get_mut(Ref::of(regs[a])) {
                            Some(object) => match &mut object.body {
                                Body::Fields(fields) if (slot as usize) < fields.len() => {
                                    fields[slot as usize] = regs[b];
                                    marked!(Ref::of(regs[a]), slot, b);
                                    pc += 1;
                                }
                                _ => break Leave::Trap(wrong_type()),
                            },
                            None => break Leave::Null,
                        }
                    }
                    _ => break Leave::Resolve,
                },
                Op::GetStatic => match sites[i.x as usize].cell.get() {
                    Some(&Resolved::Static {
                        class,
                        slot,
                        is_volatile,
                    }) => {
                        let Some(mirror) =
                            classes::quick_statics(&env.state.classes, class, env.thread.id)
                        else {
                            break Leave::Trap(Trap::Initialise(class));
                        };
                        looked!(class);
                        if HOOKED && classes::is_settled(&env.state.classes, class) {
                            read!(mirror, slot, is_volatile);
                        }
                        regs[a] = heap.field(mirror, slot);
                        pc += 1;
                    }
                    _ => break Leave::Resolve,
                },
                Op::PutStatic => match sites[i.x as usize].cell.get() {
                    Some(&Resolved::Static {
                        class,
                        slot,
                        is_volatile,
                    }) => {
                        let Some(mirror) =
                            classes::quick_statics(&env.state.classes, class, env.thread.id)
                        else {
                            break Leave::Trap(Trap::Initialise(class));
                        };
                        looked!(class);
                        let is_own = HOOKED && !classes::is_settled(&env.state.classes, class);
                        written!(mirror, slot, regs[b], is_own, is_volatile);
                        heap.set_field(mirror, slot, regs[b]);
                        marked!(mirror, slot, b);
                        pc += 1;
                    }
                    _ => break Leave::Resolve,
                },
                Op::CheckCast => {
                    if let Some(object) = heap.get(Ref::of(regs[a])) {
                        match sites[i.x as usize].cell.get() {
                            Some(&Resolved::Class(class)) => {
                                if !world.is_assignable(object.class, class) {
                                    break Leave::Trap(classes::bad_cast(
                                        world,
                                        object.class,
                                        class,
                                    ));
                                }
                            }
                            _ => break Leave::Resolve,
                        }
                    }
                    pc += 1;
                }
                Op::InstanceOf => {
                    let result = match heap.get(Ref::of(regs[b])) {
                        Some(object) => match sites[i.x as usize].cell.get() {
                            Some(&Resolved::Class(class)) => {
                                world.is_assignable(object.class, class)
                            }
                            _ => break Leave::Resolve,
                        },
                        None => false,
                    };
                    regs[a] = u64::from(result);
                    pc += 1;
                }
                Op::New => match sites[i.x as usize].cell.get() {
                    Some(&Resolved::Class(class)) => {
                        if classes::quick_statics(&env.state.classes, class, env.thread.id)
                            .is_none()
                        {
                            break Leave::Trap(Trap::Initialise(class));
                        }
                        looked!(class);
                        if heap.used() > env.state.collect_at {
                            break Leave::Slow;
                        }
                        let described = world.class(class);
                        if described.is_abstract() {
                            break Leave::Slow;
                        }
                        let fields = vec![0; described.instance_slots as usize].into();
                        regs[a] = heap.allocate(class, Body::Fields(fields)).word();
                        pc += 1;
                    }
                    _ => break Leave::Resolve,
                },
                Op::Load => match sites[i.x as usize].cell.get() {
                    Some(&Resolved::Literal(literal)) => {
                        let string = env
                            .state
                            .interned
                            .get(literal.0 as usize)
                            .copied()
                            .unwrap_or(Ref::NULL);
                        if string.is_null() {
                            break Leave::Slow;
                        }
                        regs[a] = string.word();
                        pc += 1;
                    }
                    _ => break Leave::Slow,
                },
                Op::Goto => jump!(true),
                Op::IfEq => jump_int!(==),
                Op::IfNe => jump_int!(!=),
                Op::IfLt => jump_int!(<),
                Op::IfGe => jump_int!(>=),
                Op::IfGt => jump_int!(>),
                Op::IfLe => jump_int!(<=),
                Op::IfEqI => jump_number!(==),
                Op::IfNeI => jump_number!(!=),
                Op::IfLtI => jump_number!(<),
                Op::IfGeI => jump_number!(>=),
                Op::IfGtI => jump_number!(>),
                Op::IfLeI => jump_number!(<=),
                Op::IfEqL => jump_long!(==),
                Op::IfNeL => jump_long!(!=),
                Op::IfLtL => jump_long!(<),
                Op::IfGeL => jump_long!(>=),
                Op::IfGtL => jump_long!(>),
                Op::IfLeL => jump_long!(<=),
                Op::Switch => {
                    let target = code.switches[i.x as usize].target(regs[a] as i32) as usize;
                    jump_to!(target);
                }
                Op::Jsr => {
                    regs[a] = pc as u64 + 1;
                    pc = i.x as usize;
                }
                Op::Ret => jump_to!(regs[a] as usize),
                Op::Return => break Leave::Return,
                Op::ReturnValue => break Leave::ReturnValue(regs[a]),
                Op::InvokeStatic | Op::InvokeSpecial | Op::InvokeVirtual | Op::InvokeInterface => {
                    break Leave::Invoke;
                }
                Op::Throw => {
                    break if regs[a] == 0 {
                        Leave::Null
                    } else {
                        Leave::Trap(Trap::Throw(Ref::of(regs[a])))
                    };
                }
                Op::NewArray | Op::NewRefArray | Op::Multi | Op::Enter | Op::Exit => {
                    break Leave::Slow;
                }
                Op::InvokeDynamic | Op::Prepare => break Leave::Slow,
            }
        };
        if let Some(frame) = env.thread.frames.last_mut() {
            frame.pc = pc as u32;
        }
        // It was not done, or it is tried again.
        if FOLLOWS
            && !matches!(
                leave,
                Leave::Invoke | Leave::Return | Leave::ReturnValue(_) | Leave::Slow | Leave::Budget
            )
        {
            env.thread.marks.set(base + result.0, result.1);
        }
        let trap = match leave {
            Leave::Return => {
                if env.leave_frame(None) {
                    continue 'frames;
                }
                return Event::Ended;
            }
            Leave::ReturnValue(value) => {
                if env.leave_frame(Some(value)) {
                    continue 'frames;
                }
                return Event::Ended;
            }
            Leave::Invoke => {
                *budget = budget.saturating_sub(1);
                if *budget == 0 {
                    return Event::Budget;
                }
                match env.invoke(method, code, instrs[pc]) {
                    Ok(()) => continue 'frames,
                    Err(trap) => trap,
                }
            }
            Leave::Resolve => match env.resolve(method, code, instrs[pc]) {
                Ok(()) => continue 'frames,
                Err(trap) => trap,
            },
            Leave::Slow => match env.slow(method, code, instrs[pc]) {
                Ok(()) => continue 'frames,
                Err(trap) => trap,
            },
            Leave::Budget => return Event::Budget,
            Leave::Watched => return Event::Watched,
            Leave::Null => Trap::Raise("java/lang/NullPointerException", None),
            Leave::Bounds { index, length } => out_of_bounds(index, length),
            Leave::Trap(trap) => trap,
        };
        if let Some(event) = env.handle(trap) {
            return event;
        }
    }
}

fn wrong_type() -> Trap {
    Trap::Raise(
        "java/lang/VerifyError",
        Some("an object is not what the code takes it for".to_owned()),
    )
}

fn by_zero() -> Trap {
    Trap::Raise(
        "java/lang/ArithmeticException",
        Some("/ by zero".to_owned()),
    )
}

pub(crate) fn out_of_bounds(index: i32, length: usize) -> Trap {
    let message = format!("Index {index} out of bounds for length {length}");
    Trap::Raise("java/lang/ArrayIndexOutOfBoundsException", Some(message))
}

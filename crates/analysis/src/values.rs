//! The code of a method as values and what is done with them.
//!
//! A register of the machine holds many things one after the other. Here each instruction that
//! defines a reference has a value of its own, and where ways with different values meet, there is one
//! that stands for all of them ([`Body::flows`]). So two uses of the same value within one call are
//! uses of the same object, as long as the value is not defined again in between.

use raddle_jvm::descriptor::Kind;
use raddle_jvm::listing::{CallTarget, Listing, LoadedConstant, Op};
use raddle_jvm::{ClassId, MethodId, World};
use std::collections::BTreeMap;

/// A reference in a method.
pub(crate) type Value = u32;

/// The code of a method.
#[derive(Debug, Default)]
pub(crate) struct Body {
    /// The arguments that are references, the receiver first; none for all others.
    pub(crate) parameters: Vec<Option<Value>>,
    /// How many values there are.
    pub(crate) count: u32,
    /// What is done, in the order of the code.
    pub(crate) acts: Vec<Act>,
    /// Where ways meet: what is one of them is the other.
    pub(crate) flows: Vec<(Value, Value)>,
    /// For each instruction where a way may go from it, the handlers of exceptions last.
    pub(crate) next: Vec<Vec<u32>>,
    /// The values that begin anew at an instruction where ways meet.
    pub(crate) met: BTreeMap<u32, Vec<Value>>,
    /// Whether an instruction may be executed more than once in a call.
    pub(crate) repeats: Vec<bool>,
    /// How many of the ways from an instruction do not lead to a handler.
    plain: Vec<u32>,
    /// Constructs that are not understood.
    pub(crate) unknown: Vec<String>,
}

impl Body {
    /// How many of the ways from an instruction do not lead to a handler; they come first.
    pub(crate) fn plain_ways(&self, pc: usize) -> usize {
        self.plain.get(pc).map_or(0, |&it| it as usize)
    }
}

/// What an instruction does with references.
#[derive(Debug)]
pub(crate) struct Act {
    pub(crate) pc: u32,
    pub(crate) what: What,
}

/// The class and slot of a static field, or the slot of an instance field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Slot {
    Field(u32),
    Static(ClassId, u32),
    Elements,
}

#[derive(Debug)]
pub(crate) enum What {
    New {
        to: Value,
        class: ClassId,
    },
    /// An array; with arrays in it, if it has several dimensions.
    Array {
        to: Value,
        class: ClassId,
    },
    /// A lambda with what it captures.
    Lambda {
        to: Value,
        class: ClassId,
        captured: Vec<Option<Value>>,
    },
    Text {
        to: Value,
    },
    Mirror {
        to: Value,
        class: ClassId,
    },
    Read {
        to: Option<Value>,
        base: Option<Value>,
        slot: Slot,
        is_volatile: bool,
    },
    Write {
        value: Option<Value>,
        base: Option<Value>,
        slot: Slot,
        is_volatile: bool,
    },
    Cast {
        to: Value,
        from: Value,
        class: ClassId,
    },
    Call {
        op: Op,
        method: MethodId,
        arguments: Vec<Option<Value>>,
        to: Option<Value>,
    },
    /// An access through a variable handle.
    Handle {
        mode: String,
        arguments: Vec<Option<Value>>,
        to: Option<Value>,
    },
    Enter(Value),
    Exit(Value),
    Throw(Value),
    /// An exception of the class is caught.
    Caught {
        to: Value,
        class: Option<ClassId>,
    },
    Return(Value),
    /// The class is initialised, if it was not.
    Initialise(ClassId),
}

type Registers = Vec<Option<Value>>;

struct Reader<'w> {
    world: &'w World,
    listing: Listing<'w>,
    body: Body,
    /// What stands in the registers where ways meet.
    entry: Vec<Option<Registers>>,
    /// The values that instructions define, and those where ways meet.
    defined: BTreeMap<u32, Value>,
    meets: BTreeMap<(u32, u32), Value>,
    handlers: Vec<(u16, u32, u32, Option<u32>)>,
    is_leader: Vec<bool>,
    pending: Vec<u32>,
}

/// Reads the code of a method; none if it has none.
pub(crate) fn read(world: &World, method: MethodId) -> Option<Body> {
    let listing = world.listing(method)?;
    let length = listing.length();
    let mut reader = Reader {
        world,
        listing,
        body: Body::default(),
        entry: vec![None; length],
        defined: BTreeMap::new(),
        meets: BTreeMap::new(),
        handlers: listing.all_handlers().collect(),
        is_leader: vec![false; length],
        pending: Vec::new(),
    };
    reader.find_ways();
    let mut registers = vec![None; listing.registers() as usize];
    let described = world.method(method);
    let receiver = (!described.is_static()).then_some(Kind::Ref);
    let kinds = receiver
        .into_iter()
        .chain(world.shape(described).kinds.iter().copied());
    let mut at = 0;
    for kind in kinds {
        let value = (kind == Kind::Ref).then(|| reader.fresh());
        if let Some(place) = registers.get_mut(at) {
            *place = value;
        }
        reader.body.parameters.push(value);
        at += usize::from(kind.words());
    }
    reader.reach(0, &registers);
    while let Some(pc) = reader.pending.pop() {
        reader.follow(pc, false);
    }
    for pc in 0..length as u32 {
        if reader.is_leader[pc as usize] {
            reader.follow(pc, true);
        }
    }
    let mut met: BTreeMap<u32, Vec<Value>> = BTreeMap::new();
    for (&(pc, _), &value) in &reader.meets {
        met.entry(pc).or_default().push(value);
    }
    let mut body = reader.body;
    body.met = met;
    body.flows.sort_unstable();
    body.flows.dedup();
    Some(body)
}

impl Reader<'_> {
    fn fresh(&mut self) -> Value {
        self.body.count += 1;
        self.body.count - 1
    }

    fn find_ways(&mut self) {
        let length = self.listing.length();
        let mut arrivals = vec![0u32; length];
        let mut next = Vec::with_capacity(length);
        for pc in 0..length as u32 {
            let mut all = self.listing.successors(pc);
            all.retain(|&it| (it as usize) < length);
            for &it in &all {
                arrivals[it as usize] += 1;
                if it != pc + 1 {
                    arrivals[it as usize] += 1;
                }
            }
            self.body.plain.push(all.len() as u32);
            all.extend(self.handlers_at(pc));
            next.push(all);
        }
        for &(_, _, target, _) in &self.handlers {
            if let Some(arrivals) = arrivals.get_mut(target as usize) {
                *arrivals += 2;
            }
        }
        for (leader, &arrivals) in self.is_leader.iter_mut().zip(&arrivals) {
            *leader = arrivals > 1;
        }
        if let Some(first) = self.is_leader.first_mut() {
            *first = true;
        }
        self.body.repeats = repeats(&next);
        self.body.next = next;
    }

    fn handlers_at(&self, pc: u32) -> Vec<u32> {
        let position = self.listing.position(pc);
        let around = self
            .handlers
            .iter()
            .filter(|it| it.0 <= position && u32::from(position) < it.1);
        around.map(|it| it.2).collect()
    }

    /// Control comes to an instruction with these values in the registers.
    fn reach(&mut self, pc: u32, registers: &Registers) {
        let Some(known) = self.entry.get(pc as usize) else {
            return;
        };
        let Some(known) = known.clone() else {
            let live = |register| self.listing.is_live(pc, register);
            let kept = registers.iter().enumerate();
            let kept = kept.map(|(register, value)| value.filter(|_| live(register)));
            self.entry[pc as usize] = Some(kept.collect());
            self.pending.push(pc);
            return;
        };
        let mut joined = known;
        let mut is_new = false;
        for (register, mine) in joined.iter_mut().enumerate() {
            let Some(theirs) = registers[register] else {
                continue;
            };
            if *mine == Some(theirs) || !self.listing.is_live(pc, register) {
                continue;
            }
            let Some(old) = *mine else {
                *mine = Some(theirs);
                is_new = true;
                continue;
            };
            let key = (pc, register as u32);
            let meeting = match self.meets.get(&key) {
                Some(&meeting) => meeting,
                None => {
                    let meeting = self.fresh();
                    self.meets.insert(key, meeting);
                    meeting
                }
            };
            if old != meeting {
                self.body.flows.push((old, meeting));
                *mine = Some(meeting);
                is_new = true;
            }
            if theirs != meeting {
                self.body.flows.push((theirs, meeting));
            }
        }
        if is_new {
            self.entry[pc as usize] = Some(joined);
            self.pending.push(pc);
        }
    }

    /// Follows the code from a place where ways meet to the next ones.
    fn follow(&mut self, start: u32, is_last: bool) {
        let Some(mut registers) = self.entry[start as usize].clone() else {
            return;
        };
        let mut pc = start;
        if is_last {
            self.catch(pc, &registers);
        }
        loop {
            let ways = self.body.next[pc as usize].clone();
            if !is_last {
                for target in self.handlers_at(pc) {
                    let mut caught = registers.clone();
                    let locals = usize::from(self.listing.exception_register());
                    caught[locals..].fill(None);
                    let value = self.exception(target);
                    caught[locals] = Some(value);
                    self.reach(target, &caught);
                }
            }
            self.execute(pc, &mut registers, is_last);
            let plain = self.body.plain_ways(pc as usize);
            let mut onward = None;
            for &target in &ways[..plain] {
                match self.is_leader[target as usize] || plain > 1 {
                    true if !is_last => {
                        self.is_leader[target as usize] = true;
                        self.reach(target, &registers);
                    }
                    true => {}
                    false => onward = Some(target),
                }
            }
            match onward {
                Some(target) => pc = target,
                None => return,
            }
        }
    }

    /// The exception with which a handler begins.
    fn exception(&mut self, handler: u32) -> Value {
        // It is no register's: the number is one that no register has.
        let key = (handler, u32::MAX);
        if let Some(&value) = self.meets.get(&key) {
            return value;
        }
        let value = self.fresh();
        self.meets.insert(key, value);
        value
    }

    fn catch(&mut self, pc: u32, _: &Registers) {
        let Some(&to) = self.meets.get(&(pc, u32::MAX)) else {
            return;
        };
        let sites: Vec<_> = self
            .handlers
            .iter()
            .filter(|it| it.2 == pc)
            .map(|it| it.3)
            .collect();
        for site in sites {
            let class = site.and_then(|site| self.listing.class(site).ok());
            self.act(pc, What::Caught { to, class });
        }
    }

    fn act(&mut self, pc: u32, what: What) {
        self.body.acts.push(Act { pc, what });
    }

    /// The value that an instruction defines.
    fn define(&mut self, pc: u32) -> Value {
        if let Some(&value) = self.defined.get(&pc) {
            return value;
        }
        let value = self.fresh();
        self.defined.insert(pc, value);
        value
    }

    fn execute(&mut self, pc: u32, registers: &mut Registers, is_last: bool) {
        let Some(instr) = self.listing.instr(pc) else {
            return;
        };
        let at = |register: u16| registers.get(usize::from(register)).copied().flatten();
        let mut result = None;
        if instr.op == Op::Move {
            result = at(instr.b);
        } else if instr.defines() || is_call(instr.op) {
            if self.listing.is_ref(pc) && instr.op != Op::Int {
                result = Some(self.define(pc));
            }
        } else if instr.op == Op::CheckCast {
            let from = at(instr.a);
            let to = from.map(|_| self.define(pc));
            if is_last {
                self.cast(pc, instr.x, from, to);
            }
            // The place that was checked, and all that are known to be the same.
            if let (Some(from), Some(to)) = (from, to) {
                for place in registers.iter_mut().filter(|it| **it == Some(from)) {
                    *place = Some(to);
                }
            }
            return;
        }
        if is_last {
            self.perform(pc, instr, registers, result);
        }
        if (instr.defines() || is_call(instr.op))
            && let Some(place) = registers.get_mut(usize::from(instr.a))
        {
            *place = result;
        }
    }

    fn cast(&mut self, pc: u32, site: u32, from: Option<Value>, to: Option<Value>) {
        let (Some(from), Some(to)) = (from, to) else {
            return;
        };
        match self.listing.class(site) {
            Ok(class) => self.act(pc, What::Cast { to, from, class }),
            // It fails, or it was null.
            Err(_) => self.body.flows.push((from, to)),
        }
    }

    fn perform(
        &mut self,
        pc: u32,
        instr: raddle_jvm::listing::Instr,
        registers: &Registers,
        to: Option<Value>,
    ) {
        let at = |register: u16| registers.get(usize::from(register)).copied().flatten();
        let i = instr;
        match i.op {
            Op::New => {
                if let (Some(to), Ok(class)) = (to, self.listing.class(i.x)) {
                    self.act(pc, What::Initialise(class));
                    self.act(pc, What::New { to, class });
                }
            }
            Op::NewArray => {
                let names = ["[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J"];
                let name = names.get((i.x as usize).wrapping_sub(4)).copied();
                if let (Some(to), Ok(class)) = (to, self.world.load(name.unwrap_or("[I"))) {
                    self.act(pc, What::Array { to, class });
                }
            }
            Op::NewRefArray => {
                let element = self.listing.class(i.x).ok();
                let class = element.and_then(|it| self.world.array_class(it));
                if let (Some(to), Some(class)) = (to, class) {
                    self.act(pc, What::Array { to, class });
                }
            }
            Op::Multi => {
                if let (Some(to), Ok(class)) = (to, self.listing.class(i.x)) {
                    self.act(pc, What::Array { to, class });
                }
            }
            Op::Load => match (to, self.listing.constant(i.x)) {
                (Some(to), Ok(LoadedConstant::Text(_))) => self.act(pc, What::Text { to }),
                (Some(to), Ok(LoadedConstant::Class(class))) => {
                    self.act(pc, What::Mirror { to, class });
                }
                (Some(_), _) => self.body.unknown.push("a special constant".to_owned()),
                _ => {}
            },
            Op::GetField | Op::PutField | Op::GetStatic | Op::PutStatic => {
                self.field(pc, i, registers, to);
            }
            Op::LoadByte
            | Op::LoadChar
            | Op::LoadShort
            | Op::LoadInt
            | Op::LoadLong
            | Op::LoadRef => {
                let (base, slot) = (at(i.b), Slot::Elements);
                let is_volatile = false;
                self.act(
                    pc,
                    What::Read {
                        to,
                        base,
                        slot,
                        is_volatile,
                    },
                );
            }
            Op::StoreByte
            | Op::StoreChar
            | Op::StoreShort
            | Op::StoreInt
            | Op::StoreLong
            | Op::StoreRef => {
                let value = at(i.c).filter(|_| i.op == Op::StoreRef);
                self.act(
                    pc,
                    What::Write {
                        value,
                        base: at(i.a),
                        slot: Slot::Elements,
                        is_volatile: false,
                    },
                );
            }
            Op::Enter | Op::Exit | Op::Throw => {
                if let Some(value) = at(i.a) {
                    self.act(
                        pc,
                        match i.op {
                            Op::Enter => What::Enter(value),
                            Op::Exit => What::Exit(value),
                            _ => What::Throw(value),
                        },
                    );
                }
            }
            Op::ReturnValue => {
                if let Some(value) = at(i.a) {
                    self.act(pc, What::Return(value));
                }
            }
            Op::Prepare => {
                if let Ok(class) = self.listing.class(i.x) {
                    self.act(pc, What::Initialise(class));
                }
            }
            op if is_call(op) => self.call(pc, i, registers, to),
            _ => {}
        }
    }

    fn field(
        &mut self,
        pc: u32,
        i: raddle_jvm::listing::Instr,
        registers: &Registers,
        to: Option<Value>,
    ) {
        let at = |register: u16| registers.get(usize::from(register)).copied().flatten();
        let is_static = matches!(i.op, Op::GetStatic | Op::PutStatic);
        // What is not found is an error when it is executed.
        let Ok(site) = self.listing.field(i.x, is_static) else {
            return;
        };
        if let Some(class) = site.class {
            self.act(pc, What::Initialise(class));
        }
        let slot = match site.class {
            Some(class) => Slot::Static(class, site.slot),
            None => Slot::Field(site.slot),
        };
        let is_volatile = site.is_volatile;
        match i.op {
            Op::GetField | Op::GetStatic => {
                let base = at(i.b).filter(|_| !is_static);
                self.act(
                    pc,
                    What::Read {
                        to,
                        base,
                        slot,
                        is_volatile,
                    },
                );
            }
            _ => {
                let base = at(i.a).filter(|_| !is_static);
                self.act(
                    pc,
                    What::Write {
                        value: at(i.b),
                        base,
                        slot,
                        is_volatile,
                    },
                );
            }
        }
    }

    fn call(
        &mut self,
        pc: u32,
        i: raddle_jvm::listing::Instr,
        registers: &Registers,
        to: Option<Value>,
    ) {
        let Ok(target) = self.listing.called(i) else {
            // It fails when it is made.
            return;
        };
        let arguments = |kinds: &[Kind]| {
            let mut at = usize::from(i.a);
            let mut all = Vec::with_capacity(kinds.len());
            for kind in kinds {
                let value = registers.get(at).copied().flatten();
                all.push(value.filter(|_| *kind == Kind::Ref));
                at += usize::from(kind.words());
            }
            all
        };
        match target {
            CallTarget::Method(method) => {
                let described = self.world.method(method);
                let receiver = (!described.is_static()).then_some(Kind::Ref);
                let shape = self.world.shape(described);
                let kinds = receiver.into_iter().chain(shape.kinds.iter().copied());
                let arguments = arguments(&kinds.collect::<Vec<_>>());
                if described.is_static() {
                    self.act(pc, What::Initialise(described.class));
                }
                self.act(
                    pc,
                    What::Call {
                        op: i.op,
                        method,
                        arguments,
                        to,
                    },
                );
            }
            CallTarget::Lambda(class, kinds) => {
                let captured = arguments(&kinds);
                if let Some(to) = to {
                    self.act(
                        pc,
                        What::Lambda {
                            to,
                            class,
                            captured,
                        },
                    );
                }
            }
            CallTarget::Concatenation => {
                if let Some(to) = to {
                    self.act(pc, What::Text { to });
                }
            }
            CallTarget::VariableHandle(mode, kinds, _) => {
                // The handle itself comes first.
                let kinds: Vec<Kind> = [Kind::Ref].into_iter().chain(kinds).collect();
                let arguments = arguments(&kinds);
                self.act(
                    pc,
                    What::Handle {
                        mode,
                        arguments,
                        to,
                    },
                );
            }
            CallTarget::MethodHandle(..) => {
                self.body.unknown.push("a method handle".to_owned());
            }
            // A switch over objects gives a number, and calls nothing of the program.
            CallTarget::Other(_, kinds, Kind::Int) if kinds[..] == [Kind::Ref, Kind::Int] => {}
            CallTarget::Other(what, ..) => self.body.unknown.push(what),
        }
    }
}

/// Whether a call of a variable handle in a mode, with so many arguments and the handle before them, names
/// no object: then the field is static.
pub(crate) fn is_of_static_field(mode: &str, arguments: usize) -> bool {
    let values = match mode {
        _ if mode.contains("ompareAnd") => 2,
        _ if mode.starts_with("getAnd") || mode.starts_with("set") => 1,
        _ => 0,
    };
    arguments <= 1 + values
}

fn is_call(op: Op) -> bool {
    matches!(
        op,
        Op::InvokeStatic
            | Op::InvokeSpecial
            | Op::InvokeVirtual
            | Op::InvokeInterface
            | Op::InvokeDynamic
    )
}

/// Which instructions are on a cycle: those whose component has a way back.
fn repeats(next: &[Vec<u32>]) -> Vec<bool> {
    let components = crate::graph::components(next.len(), |node| &next[node]);
    let mut sizes = vec![0u32; next.len()];
    for &component in &components {
        sizes[component as usize] += 1;
    }
    let on_cycle =
        |pc: usize| sizes[components[pc] as usize] > 1 || next[pc].contains(&(pc as u32));
    (0..next.len()).map(on_cycle).collect()
}

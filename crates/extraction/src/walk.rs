//! Follows all ways of a thread through its code, with what is known of its values on the way.
//!
//! A node is a place in the code together with the calls that led there and the locks that are
//! held: calls are inlined, and a lock that is taken again is counted, not taken. Where ways
//! meet, what is known of a value is what holds on both; so there are finitely many nodes, unless
//! a method calls itself. What each node does stands in [`execute`](crate::execute): it is
//! executed over and over until nothing new is found out, and then once more for the code.

use std::collections::{BTreeMap, BTreeSet};

use raddle_jvm::{ClassId, MethodId};
use raddle_machine::ir::{Expression, Instruction, Register, Slot, Target as Assigned, ValueType};

use crate::obstacle::{Untranslatable, source_line};
use crate::scene::{Lock, Scene};
use crate::value::{Target, Value};

/// The most nodes of a thread.
const MOST_NODES: usize = 20_000;

/// A call: of which, where in it, and which method. The first calls have no caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Context {
    pub(crate) caller: Option<(u32, u32)>,
    pub(crate) method: MethodId,
}

/// Where a call has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) context: u32,
    pub(crate) pc: u32,
    /// What is given back when it ends.
    pub(crate) unlock: Option<Lock>,
}

/// A node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) frames: Vec<Position>,
    /// The locks that are held, in the order of taking, and how often each.
    pub(crate) locks: Vec<(Lock, u32)>,
    /// Registers of the innermost call of which it was found out what they refer to, for this
    /// instruction alone.
    pub(crate) split: Vec<(u16, Target)>,
}

/// What is known at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KnownValues {
    pub(crate) frames: Vec<Vec<Value>>,
    /// The fields and elements of the thread's own objects, and of those that it made.
    pub(crate) cells: BTreeMap<(Target, u32), Value>,
}

/// Something that a register of the intermediate form stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Storage {
    Register(u32, u16),
    Cell(Target, u32),
    /// The number of the thread among those of its kind.
    Number,
    /// Something that has no place in the program.
    Temporary,
}

/// What a node does.
#[derive(Clone, Debug)]
pub(crate) enum Line {
    /// The targets of jumps are labels of this node.
    Do(Instruction),
    /// The same at a place of its own.
    DoAt(Instruction, Option<(String, u32)>),
    /// A label.
    Label(u32),
    /// Goes on at another node.
    Exit(usize),
}

/// What a node does, and where it goes on.
#[derive(Debug, Default)]
pub(crate) struct Out {
    pub(crate) lines: Vec<Line>,
    pub(crate) exits: Vec<(Key, KnownValues)>,
    labels: u32,
}

impl Out {
    pub(crate) fn act(&mut self, instruction: Instruction) {
        self.lines.push(Line::Do(instruction));
    }

    pub(crate) fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels - 1
    }

    pub(crate) fn place(&mut self, label: u32) {
        self.lines.push(Line::Label(label));
    }

    /// Goes on at the next line if a condition is true, else at the label.
    pub(crate) fn unless(&mut self, condition: Expression, label: u32) {
        self.act(Instruction::Branch(
            condition,
            raddle_machine::ir::Pc(label),
        ));
    }

    pub(crate) fn exit(&mut self, key: Key, known: KnownValues) {
        self.exits.push((key, known));
        self.lines.push(Line::Exit(self.exits.len() - 1));
    }
}

/// The code of a kind of thread as it is being found out.
pub(crate) struct Walker<'s, 'a> {
    pub(crate) scene: &'s mut Scene<'a>,
    /// The number of the kind.
    pub(crate) thread: usize,
    /// How many of them `main` has started.
    pub(crate) threads: usize,
    /// The objects of the thread's own.
    pub(crate) own: BTreeSet<raddle_jvm::Ref>,
    /// The thread's own `java.lang.Thread`.
    pub(crate) object: Option<raddle_jvm::Ref>,
    pub(crate) contexts: Vec<Context>,
    pub(crate) nodes: BTreeMap<Key, KnownValues>,
    /// The places where objects are made.
    sites: BTreeMap<(u32, u32, ClassId), u32>,
    /// What is made there, and the line.
    pub(crate) made: Vec<(ClassId, Option<(String, u32)>)>,
    registers: BTreeMap<Storage, u16>,
    pub(crate) slots: Vec<Slot>,
    /// What is taken for something else than it is, so that a violation may not be one.
    pub(crate) liberties: BTreeSet<String>,
    /// Whether something is written that is the thread's number.
    pub(crate) changes_number: bool,
}

impl<'s, 'a> Walker<'s, 'a> {
    pub(crate) fn new(scene: &'s mut Scene<'a>, thread: usize) -> Self {
        Self {
            scene,
            thread,
            threads: 0,
            own: BTreeSet::new(),
            object: None,
            contexts: Vec::new(),
            nodes: BTreeMap::new(),
            sites: BTreeMap::new(),
            made: Vec::new(),
            registers: BTreeMap::new(),
            slots: Vec::new(),
            liberties: BTreeSet::new(),
            changes_number: false,
        }
    }

    /// Follows all ways from a node, until nothing new is found out about this thread.
    pub(crate) fn walk(&mut self, key: Key, known: KnownValues) -> Result<(), Untranslatable> {
        let mut pending = BTreeSet::from([key.clone()]);
        self.nodes.insert(key, known);
        while let Some(key) = pending.pop_first() {
            let Some(known) = self.nodes.get(&key).cloned() else {
                continue;
            };
            let out = self.node(&key, &known)?;
            for (next, known) in out.exits {
                match self.nodes.get_mut(&next) {
                    Some(before) => {
                        let joined = join(before, &known);
                        if joined != *before {
                            *before = joined;
                            pending.insert(next);
                        }
                    }
                    None => {
                        self.nodes.insert(next.clone(), known);
                        pending.insert(next);
                    }
                }
            }
            if self.nodes.len() > MOST_NODES {
                return Err(Untranslatable::new("a thread with very much code"));
            }
        }
        Ok(())
    }

    /// Executes a node; what is in the way is there.
    pub(crate) fn node(&mut self, key: &Key, known: &KnownValues) -> Result<Out, Untranslatable> {
        let place = self.place(key);
        self.execute(key, known)
            .map_err(|obstacle| obstacle.at(place))
    }

    /// The line of the program itself that a node belongs to.
    pub(crate) fn place(&self, key: &Key) -> Option<(String, u32)> {
        let world = self.scene.world;
        key.frames.iter().rev().find_map(|position| {
            let method = self.method(position.context);
            let class = world.method(method).class;
            let is_own = !self.scene.is_library(class);
            is_own.then(|| source_line(world, method, position.pc))?
        })
    }

    pub(crate) fn method(&self, context: u32) -> MethodId {
        let context = self.contexts.get(context as usize);
        context.map_or(MethodId(0), |context| context.method)
    }

    /// The number of a call.
    pub(crate) fn context(&mut self, context: Context) -> u32 {
        let known = self.contexts.iter().position(|it| *it == context);
        let number = known.unwrap_or_else(|| {
            self.contexts.push(context);
            self.contexts.len() - 1
        });
        number as u32
    }

    /// The number of the place of an object that is made.
    pub(crate) fn site(&mut self, key: &Key, class: ClassId) -> u32 {
        let next = self.made.len() as u32;
        let position = key.frames.last().map_or((0, 0), |it| (it.context, it.pc));
        let place = (position.0, position.1, class);
        let number = *self.sites.entry(place).or_insert(next);
        if number == next {
            self.made.push((class, self.place(key)));
        }
        number
    }

    /// The class of an object that is made.
    pub(crate) fn made_class(&self, number: u32) -> Option<ClassId> {
        self.made.get(number as usize).map(|(class, _)| *class)
    }

    /// The register that something is in.
    pub(crate) fn register(&mut self, storage: Storage) -> Register {
        let next = self.slots.len() as u16;
        let number = *self.registers.entry(storage).or_insert(next);
        if number == next {
            let name = self.storage_name(storage);
            self.slots.push(Slot {
                name,
                value: ValueType::Int,
                initial: 0,
            });
        }
        Register(number)
    }

    /// Lets something stand in the register of the thread's number, which it is.
    pub(crate) fn is_number(&mut self, storage: Storage) {
        let number = self.register(Storage::Number);
        self.registers.insert(storage, number.0);
    }

    /// A register for what is used within one instruction of the program.
    pub(crate) fn temporary(&mut self) -> Register {
        self.register(Storage::Temporary)
    }

    fn storage_name(&self, storage: Storage) -> String {
        let scene = &self.scene;
        match storage {
            Storage::Register(_, register) => format!("r{register}"),
            Storage::Cell(Target::Own(object), slot) => match scene.field(object, slot) {
                Some(field) => scene.world.text(field.name).to_owned(),
                None => format!("own{slot}"),
            },
            Storage::Cell(Target::Made(number), slot) => {
                let class = self.made_class(number).unwrap_or_default();
                let ancestors = scene.world.class(class).ancestors.iter();
                let mut fields = ancestors.flat_map(|&it| scene.world.class(it).fields.iter());
                let field = fields.find(|field| !field.is_static() && field.slot == slot);
                match field {
                    Some(field) => scene.world.text(field.name).to_owned(),
                    None => format!("made{number}_{slot}"),
                }
            }
            Storage::Cell(_, slot) => format!("cell{slot}"),
            Storage::Number => "number".to_owned(),
            Storage::Temporary => "old".to_owned(),
        }
    }

    /// Gives a register the name of the variable of the program that it is.
    pub(crate) fn name_register(&mut self, register: Register, name: String) {
        if let Some(slot) = self.slots.get_mut(usize::from(register.0))
            && slot.name.starts_with('r')
            && slot
                .name
                .get(1..)
                .is_some_and(|rest| rest.parse::<u32>().is_ok())
        {
            slot.name = name;
        }
    }

    /// Puts a value that is known, or stands in an expression, where a register is.
    pub(crate) fn put(&mut self, out: &mut Out, storage: Storage, value: Option<Expression>) {
        if let Some(value) = value {
            let register = self.register(storage);
            self.changes_number |=
                value != Expression::Local(register) && self.number() == Some(register);
            if value != Expression::Local(register) {
                out.act(Instruction::Assign(Assigned::Local(register), value));
            }
        }
    }

    /// The register of the thread's own number.
    pub(crate) fn number(&self) -> Option<Register> {
        self.registers.get(&Storage::Number).copied().map(Register)
    }

    /// A value as an expression: a constant if it is known. None if it has none.
    pub(crate) fn expression(&mut self, storage: Storage, value: &Value) -> Option<Expression> {
        match value {
            Value::Int(Some(number)) => Some(Expression::Constant(*number)),
            Value::Long(Some(number)) => i32::try_from(*number).ok().map(Expression::Constant),
            Value::Int(None) | Value::Number | Value::Long(None) => {
                Some(Expression::Local(self.register(storage)))
            }
            Value::Reference(targets) => match value.single() {
                Some(Target::Member(_)) => Some(Expression::Local(self.register(storage))),
                Some(target) => target.code().map(Expression::Constant),
                // The numbers of threads are not told from those of objects.
                None if targets.is_empty() || has_member(targets) => None,
                None => Some(Expression::Local(self.register(storage))),
            },
            Value::Opaque(_) | Value::Unset => None,
        }
    }
}

/// Whether objects are among these of which each thread of a kind has one.
pub(crate) fn has_member(targets: &BTreeSet<Target>) -> bool {
    let mut targets = targets.iter();
    targets.any(|target| matches!(target, Target::Member(_)))
}

fn join(one: &KnownValues, other: &KnownValues) -> KnownValues {
    let frames = one.frames.iter().zip(&other.frames).map(|(one, other)| {
        let pairs = one.iter().zip(other);
        pairs.map(|(one, other)| one.join(other)).collect()
    });
    let mut cells = BTreeMap::new();
    for (place, value) in &one.cells {
        // What was made on one way only cannot be used any more.
        let other = other.cells.get(place).unwrap_or(&Value::Unset);
        cells.insert(*place, value.join(other));
    }
    for place in other.cells.keys() {
        cells.entry(*place).or_insert(Value::Unset);
    }
    KnownValues {
        frames: frames.collect(),
        cells,
    }
}

//! The machine: a verified program as a [`System`].

use crate::claims::Claims;
use crate::evaluate::{self, Unwatched, Watch};
use crate::facts::{Facts, Probe};
use crate::interpret::{self, Choices, Code, Execution, Stop};
use crate::ir::{self, BinaryOperator, Expression, Instruction, LabelId, Program, ValueType};
use crate::memory::{Layout, Lock, Mode};
use crate::possible::{self, TooMany};
use crate::reached::{Counts, Marks, Reached};
use crate::synchronise;
use crate::verify::{self, Defect};
use crate::visit::Slots;
use raddle_model::{
    Event, Fault, FaultKind, Footprint, Formula, Future, Futures, Halt, Influence, Invariants,
    Kind, Letter, Move, Narrate, Object, ObjectState, Operation, Operations, Permission,
    Permissions, Place, Region, States, Status, System, Temporal, TemporalProperty, Thread,
};

/// A program ready to run.
#[derive(Clone, Debug)]
pub struct Machine {
    program: Program,
    pub(crate) layout: Layout,
    facts: Facts,
    claims: Claims,
    /// The temporal properties, and by their numbers what their atoms say.
    temporal: Vec<TemporalProperty>,
    atoms: Vec<Vec<Expression>>,
    /// That some thread stands at a label of progress, one for each.
    progress: Vec<Expression>,
    reached: Reached,
    limits: MachineLimits,
}

/// How large a state may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MachineLimits {
    /// Words of a thread's stack; going beyond is a fault of the program.
    pub stack_words: usize,
    /// Words of the heap that are in use; going beyond is a fault of the program.
    pub heap_words: usize,
    /// Threads ever started; the machine gives up beyond.
    pub threads: usize,
}

impl Default for MachineLimits {
    fn default() -> Self {
        MachineLimits {
            stack_words: 1 << 12,
            heap_words: 1 << 12,
            threads: 1 << 10,
        }
    }
}

/// A state of a machine.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(crate) words: Vec<u32>,
}

impl Clone for State {
    fn clone(&self) -> Self {
        State {
            words: self.words.clone(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.words.clone_from(&other.words);
    }
}

impl Machine {
    /// A machine for a program, unless it is not well formed.
    pub fn new(program: Program, limits: MachineLimits) -> Result<Machine, Vec<Defect>> {
        verify::verify(&program)?;
        let (temporal, atoms) = program.temporal.iter().map(numbered).unzip();
        Ok(Machine {
            temporal,
            atoms,
            progress: progress(&program),
            layout: Layout::new(&program),
            facts: Facts::new(&program),
            claims: Claims::new(&program),
            reached: Reached::new(&program),
            program,
            limits: MachineLimits {
                // A monitor's word has sixteen bits for its owner.
                threads: limits.threads.min(usize::from(u16::MAX) - 1),
                ..limits
            },
        })
    }

    /// The program that it runs.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Makes reaching a label a fault. `false` if there is no such label.
    pub fn forbid(&mut self, label: &str) -> bool {
        let Some(label) = self.program.labels.iter().find(|it| it.name == label) else {
            return false;
        };
        let message = format!("the label `{}` is reached", label.name);
        let pc = label.pc.0 as usize;
        self.program.code[pc] = Instruction::Fail(FaultKind::Unreachable, message);
        // What threads may still do is a matter of the program as it was written: that a
        // label is forbidden does not mean that nobody gets past it to help others.
        let futures = std::mem::take(&mut self.facts.futures);
        self.facts = Facts {
            futures,
            ..Facts::new(&self.program)
        };
        self.reached = Reached::new(&self.program);
        true
    }

    /// Counts from now on what executions come to.
    pub fn count_reached(&mut self) {
        self.reached.count_all(&self.program);
    }

    /// What the executions came to that were made so far.
    pub fn reached(&self) -> &Reached {
        &self.reached
    }

    fn code(&self) -> Code<'_> {
        Code {
            program: &self.program,
            layout: &self.layout,
            facts: &self.facts,
            limits: &self.limits,
        }
    }

    fn counts(&self, declaration: u16) -> Counts<'_> {
        Counts {
            reached: &self.reached,
            declaration: usize::from(declaration),
        }
    }

    fn execute<W: Watch>(
        &self,
        state: &mut State,
        thread: Thread,
        choice: u32,
        watch: &mut W,
    ) -> Result<(), Stop> {
        let code = self.code();
        let Some(frame) = self.layout.top_frame(&state.words, thread) else {
            return Err(Stop::Blocked);
        };
        let mut choices = match self.facts.probes[frame.1 as usize] {
            Probe::Free | Probe::Direct(_) => Choices::single(choice),
            Probe::Trial => match possible::ways(code, &state.words, thread, choice) {
                Ok((_, choices)) => choices.unwrap_or_default(),
                Err(TooMany) => {
                    let why = Halt::GaveUp(interpret::TOO_MANY_WAYS.to_owned());
                    return Err(Stop::Halt(Box::new(why)));
                }
            },
        };
        Execution::at(code, &mut state.words, thread, frame, watch).step(&mut choices)
    }

    /// What the next step of a thread touches, found out by making it.
    fn try_out(&self, state: &State, thread: Thread, out: &mut Footprint) {
        out.clear();
        if possible::watch_all_ways(self.code(), &state.words, thread, out) == 1 {
            out.mark_exact();
        }
    }

    /// A value as the source would spell it.
    fn show(&self, state: &State, value_type: ValueType, value: i32) -> String {
        match value_type {
            ValueType::Int | ValueType::Ranged(_) => value.to_string(),
            ValueType::Bool => (value != 0).to_string(),
            ValueType::Enum(number) => {
                let members = &self.program.enums[usize::from(number.0)].members;
                let name = members.get(value as usize);
                name.cloned().unwrap_or_else(|| value.to_string())
            }
            ValueType::Reference(_) => self.show_reference(state, value as u32),
            ValueType::Thread => match u32::try_from(value) {
                Ok(number) if (number as usize) < self.layout.threads(&state.words) => {
                    self.thread_name(state, Thread(number))
                }
                _ => "null".to_owned(),
            },
        }
    }

    fn show_reference(&self, state: &State, reference: u32) -> String {
        let mut objects = self.layout.objects(&state.words).enumerate();
        match objects.find(|(_, (object, _))| *object == reference) {
            None => "null".to_owned(),
            Some((number, (_, record))) => {
                format!("{}#{}", self.program.records[record].name, number + 1)
            }
        }
    }

    /// The local variables that the instruction uses at which a thread stands.
    fn show_locals(&self, state: &State, thread: Thread) -> Option<String> {
        let (base, pc) = self.layout.top_frame(&state.words, thread)?;
        let function = usize::from(self.layout.function_of[pc as usize]);
        let registers = &self.program.functions[function].registers;
        let mut shown: Vec<String> = Vec::new();
        self.program.code[pc as usize].for_each_use(&mut |slots| {
            let Slots::One(register) = slots else { return };
            let Some(slot) = registers.get(usize::from(register.0)) else {
                return;
            };
            // What was read into a temporary is told as a read.
            let word = state.words[base + usize::from(register.0)] as i32;
            let told = format!("{} = {}", slot.name, self.show(state, slot.value, word));
            if !slot.name.starts_with('_') && !shown.contains(&told) {
                shown.push(told);
            }
        });
        (!shown.is_empty()).then(|| shown.join(", "))
    }

    /// The state of one object of a region, for display.
    fn show_object(&self, state: &State, object: Object) -> String {
        let region = &self.program.regions[object.region.0 as usize];
        let word = evaluate::location(&self.layout, &state.words, object).word;
        let value = state.words.get(word).copied().unwrap_or(0);
        match region.kind {
            Kind::Variable => self.show(state, region.value, value as i32),
            Kind::Semaphore => value.to_string(),
            Kind::Monitor => match (Lock(value).owner(), Lock(value).depth()) {
                (None, _) => "free".to_owned(),
                (Some(owner), 1) => format!("held by {}", self.thread_name(state, owner)),
                (Some(owner), depth) => {
                    let owner = self.thread_name(state, owner);
                    format!("held {depth} times by {owner}")
                }
            },
            Kind::Channel => {
                let elements = state.words[word + 1..word + 1 + value as usize].iter();
                let shown: Vec<String> = elements
                    .map(|&element| self.show(state, region.value, element as i32))
                    .collect();
                format!("[{}]", shown.join(", "))
            }
            Kind::Thread => String::new(),
        }
    }
}

impl States for Machine {
    type State = State;
}

impl System for Machine {
    fn initial(&self) -> Result<State, Halt> {
        let code = self.code();
        let mut words = self.layout.empty(&self.program);
        for thread in &self.program.initial_threads {
            interpret::add_thread(code, &mut words, thread.declaration.0, &thread.arguments);
        }
        for (number, initial) in self.program.initial_threads.iter().enumerate() {
            let thread = Thread(number as u32);
            let counts = &mut self.counts(initial.declaration.0);
            let settled = match self.reached.counts_all() {
                true => Execution::new(code, &mut words, thread, counts).map(Execution::settle),
                false => Execution::new(code, &mut words, thread, &mut Marks(&self.reached))
                    .map(Execution::settle),
            };
            settled.unwrap_or(Ok(())).map_err(into_halt)?;
        }
        Ok(State { words })
    }

    #[inline]
    fn threads(&self, state: &State) -> usize {
        self.layout.threads(&state.words)
    }

    #[inline]
    fn status(&self, state: &State, thread: Thread) -> Status {
        possible::status(self.code(), &state.words, thread)
    }

    #[inline]
    fn step(&self, state: &mut State, thread: Thread, choice: u32) -> Result<(), Halt> {
        let made = match self.reached.counts_all() {
            true => {
                let declaration = self.layout.header(&state.words, thread).declaration;
                self.execute(state, thread, choice, &mut self.counts(declaration))
            }
            false => self.execute(state, thread, choice, &mut Marks(&self.reached)),
        };
        made.map_err(into_halt)
    }

    fn footprint(&self, state: &State, thread: Thread, out: &mut Footprint) {
        let pc = self.layout.pc(&state.words, thread);
        let known = pc.and_then(|pc| self.facts.footprints[pc as usize].as_ref());
        let Some(known) = known else {
            return self.try_out(state, thread, out);
        };
        out.clone_from(known.get_or_init(|| {
            let mut first = Footprint::default();
            self.try_out(state, thread, &mut first);
            first
        }));
        debug_assert!({
            let mut again = Footprint::default();
            self.try_out(state, thread, &mut again);
            again == *out
        });
    }

    fn observe(&self, state: &State, object: Object) -> ObjectState {
        let Some(region) = self.layout.regions.get(object.region.0 as usize) else {
            return ObjectState::Opaque;
        };
        let location = evaluate::location(&self.layout, &state.words, object);
        let word = state.words.get(location.word).copied().unwrap_or(0);
        match region.kind {
            Kind::Variable | Kind::Thread => ObjectState::Opaque,
            Kind::Semaphore => ObjectState::Semaphore(word),
            Kind::Channel => ObjectState::Channel {
                length: word,
                capacity: region.stride as u32 - 1,
            },
            Kind::Monitor => {
                let waiting =
                    |mode| synchronise::waiting_on(self.code(), &state.words, location, mode);
                ObjectState::Monitor {
                    owner: Lock(word).owner(),
                    depth: u32::from(Lock(word).depth()),
                    waiting: waiting(Mode::Waiting),
                    notified: waiting(Mode::Notified),
                }
            }
        }
    }

    fn held(&self, state: &State, thread: Thread, out: &mut Vec<Object>) {
        out.clear();
        let monitors = self.all_objects(state, Kind::Monitor);
        out.extend(monitors.into_iter().filter(|&object| {
            let word = evaluate::location(&self.layout, &state.words, object).word;
            Lock(state.words[word]).owner() == Some(thread)
        }));
    }

    fn is_daemon(&self, state: &State, thread: Thread) -> bool {
        let header = self.layout.header(&state.words, thread);
        self.program.declarations[usize::from(header.declaration)].daemon
    }

    fn is_impatient(&self, _: &State, _: Thread) -> bool {
        false
    }

    #[inline]
    fn encode<'a>(&self, state: &'a State, scratch: &'a mut Vec<u32>) -> &'a [u32] {
        if self.program.records.is_empty() {
            return &state.words;
        }
        self.layout.canonical(&state.words, scratch);
        scratch
    }

    fn decode(&self, words: &[u32], state: &mut State) {
        state.words.clear();
        state.words.extend_from_slice(words);
    }
}

impl Futures for Machine {
    fn future(&self, state: &State, thread: Thread) -> Option<Future> {
        let mut future = Future::default();
        for (_, pc) in self.layout.frames(&state.words, thread) {
            future.merge(&self.facts.futures[pc as usize]);
        }
        Some(future)
    }

    fn future_on(&self, state: &State, thread: Thread, region: Region) -> Operations {
        let frames = self.layout.frames(&state.words, thread);
        frames.fold(Operations::NONE, |all, (_, pc)| {
            all.union(self.facts.futures[pc as usize].on(region))
        })
    }
}

impl Permissions for Machine {
    fn is_permanent(&self, object: Object) -> bool {
        let region = self.layout.regions.get(object.region.0 as usize);
        region.is_some_and(|region| !region.field)
    }

    fn instance(&self, state: &State, object: Object) -> Option<u32> {
        let is_there = !self.is_permanent(object);
        is_there.then(|| self.layout.instance_with(&state.words, object.index).1)
    }

    fn is_unshared(&self, state: &State, object: Object, thread: Thread) -> bool {
        let Some((base, pc)) = self.layout.top_frame(&state.words, thread) else {
            return false;
        };
        let registers = &self.facts.unshared[pc as usize];
        if registers.is_empty() || self.is_permanent(object) {
            return false;
        }
        let (_, first) = self.layout.instance_with(&state.words, object.index);
        registers
            .iter()
            .any(|&register| state.words[base + usize::from(register)] == first + 1)
    }

    fn permission(&self, state: &State, variable: Object, thread: Thread) -> Permission {
        self.claims
            .permission(self.code(), &state.words, variable, thread)
    }

    fn exclusive(&self, state: &State, out: &mut Vec<Object>) {
        out.clear();
        for region in self.claims.conditional() {
            out.extend(self.objects_of(state, region));
        }
        // Nobody can access what nobody can reach.
        if out.iter().any(|&object| !self.is_permanent(object)) {
            let reachable = self.layout.reachable(&state.words);
            out.retain(|&object| {
                let (_, first) = self.layout.instance_with(&state.words, object.index);
                self.is_permanent(object) || reachable.contains(&(first + 1))
            });
        }
    }

    fn permissions(&self) -> Option<Object> {
        self.claims.are_conditional().then_some(Object {
            region: Region(self.program.regions.len() as u32),
            index: 0,
        })
    }

    fn is_conditional(&self, variable: Object) -> bool {
        self.claims.is_conditional(variable.region)
    }

    fn influence(&self, state: &State, thread: Thread) -> Influence {
        match self.layout.pc(&state.words, thread) {
            Some(pc) => self.claims.influence(pc),
            None => Influence::None,
        }
    }
}

impl Invariants for Machine {
    fn check_invariants(&self, state: &State) -> Result<(), Fault> {
        self.examine_invariants(state, &mut Unwatched)
    }

    fn invariant_footprint(&self, state: &State, out: &mut Footprint) {
        out.clear();
        // Where the first false one is found nothing behind it is read.
        let _ = self.examine_invariants(state, out);
        out.mark_exact();
    }

    fn invariant_future(&self) -> Option<Future> {
        let mut future = Future::default();
        let mut only_objects = true;
        for invariant in &self.program.invariants {
            invariant.condition.for_each(&mut |part| match part {
                Expression::At(_) | Expression::CountAt(_) => only_objects = false,
                part => {
                    if let Some(cell) = part.observes() {
                        future.add(cell.region, Operation::Read);
                    }
                }
            });
        }
        only_objects.then_some(future)
    }
}

impl Temporal for Machine {
    fn temporal_properties(&self) -> &[TemporalProperty] {
        &self.temporal
    }

    fn letter(&self, state: &State, property: usize) -> Result<Letter, Fault> {
        // As invariants, they look at shared state only.
        let view = self.code().view(&state.words, Thread(0), 0);
        let mut letter = 0;
        for (number, atom) in self.atoms[property].iter().enumerate() {
            let holds = view.holds(atom, &mut Unwatched).map_err(|trouble| Fault {
                kind: trouble.kind(),
                message: trouble.message(),
                place: self.temporal[property].place,
            })?;
            letter |= Letter::from(holds) << number;
        }
        self.reached.note(property, letter);
        Ok(letter)
    }

    fn is_progress(&self, state: &State) -> bool {
        let view = self.code().view(&state.words, Thread(0), 0);
        let mut standing = self.progress.iter();
        standing.any(|it| view.holds(it, &mut Unwatched).unwrap_or(false))
    }
}

/// That threads stand at labels whose names begin with `progress`.
fn progress(program: &Program) -> Vec<Expression> {
    let labels = (0..).map(LabelId).zip(&program.labels);
    let labels = labels.filter(|(_, label)| label.name.starts_with("progress"));
    let is_there = |(label, _)| {
        let nobody = Box::new(Expression::Constant(0));
        let count = Box::new(Expression::CountAt(label));
        Expression::Binary(BinaryOperator::NotEqual, count, nobody)
    };
    labels.map(is_there).collect()
}

impl Machine {
    /// Whether what a property says depends on an atom that no state was met to make true: it is of
    /// the form `a leads to b` or `always (a implies b)`, for which every state is looked at.
    pub fn has_no_occasion(&self, property: usize) -> bool {
        let antecedent = match &self.temporal[property].formula {
            Formula::LeadsTo(first, _) => Some(first),
            Formula::Always(inner) => match &**inner {
                Formula::Implies(first, _) => Some(first),
                _ => None,
            },
            _ => None,
        };
        let Some(Formula::Atom(atom)) = antecedent.map(|it| &**it) else {
            return false;
        };
        !self.reached.was_true(property, *atom as usize)
    }
}

/// A property with numbers for its atoms, and the atoms by number, each once.
fn numbered(property: &ir::TemporalProperty) -> (TemporalProperty, Vec<Expression>) {
    let mut atoms: Vec<Expression> = Vec::new();
    let formula = property.formula.map(&mut |atom| {
        let known = atoms.iter().position(|it| it == atom);
        let number = known.unwrap_or(atoms.len());
        if known.is_none() {
            atoms.push(atom.clone());
        }
        number as u32
    });
    let property = TemporalProperty {
        name: property.name.clone(),
        formula,
        fairness: property.fairness,
        place: Some(property.place),
    };
    (property, atoms)
}

impl Machine {
    /// All objects of a kind that exist in a state.
    fn all_objects(&self, state: &State, kind: Kind) -> Vec<Object> {
        let regions = self.layout.regions.iter().enumerate();
        regions
            .filter(|(_, region)| region.kind == kind)
            .flat_map(|(number, _)| self.objects_of(state, Region(number as u32)))
            .collect()
    }

    /// All objects of a region that exist in a state.
    fn objects_of(&self, state: &State, region: Region) -> Vec<Object> {
        let layout = &self.layout.regions[region.0 as usize];
        if !layout.field {
            let indices = 0..layout.length;
            return indices.map(|index| Object { region, index }).collect();
        }
        let mut objects = Vec::new();
        for (reference, record) in self.layout.objects(&state.words) {
            if self.program.records[record].fields.contains(&region) {
                let first = reference - 1 + layout.offset as u32;
                objects.extend((0..layout.length).map(|index| Object {
                    region,
                    index: first + index * layout.stride as u32,
                }));
            }
        }
        objects
    }

    /// Checks the invariants one after the other, up to the first that is false.
    fn examine_invariants<W: Watch>(&self, state: &State, watch: &mut W) -> Result<(), Fault> {
        for invariant in &self.program.invariants {
            // An invariant looks at shared state only, so any thread will do.
            let view = self.code().view(&state.words, Thread(0), 0);
            let fault = match view.holds(&invariant.condition, watch) {
                Ok(true) => continue,
                Ok(false) => (
                    FaultKind::Invariant,
                    format!("`{}` is false", invariant.name),
                ),
                Err(trouble) => (
                    trouble.kind(),
                    format!("in invariant `{}`: {}", invariant.name, trouble.message()),
                ),
            };
            return Err(Fault {
                kind: fault.0,
                message: fault.1,
                place: Some(invariant.place),
            });
        }
        Ok(())
    }
}

fn into_halt(stop: Stop) -> Halt {
    match stop {
        Stop::Halt(halt) => *halt,
        // A search only makes steps that are possible, so this is a bug of ours; the
        // worst that it may cost is an answer.
        Stop::Blocked => Halt::GaveUp("a blocked step was executed".to_owned()),
    }
}

impl Watch for Footprint {
    fn access(&mut self, object: Object, operation: Operation, _: Option<i32>) {
        self.add(object, operation);
    }
}

/// Remembers what a step did, to be told afterwards.
#[derive(Default)]
struct Recorder {
    pc: u32,
    recorded: Vec<(u32, Recorded)>,
}

enum Recorded {
    Access(Object, Operation, Option<i32>),
    Chose(i32),
    Woke(Thread),
}

impl Watch for Recorder {
    fn instruction(&mut self, pc: u32) {
        self.pc = pc;
    }

    fn access(&mut self, object: Object, operation: Operation, value: Option<i32>) {
        self.recorded
            .push((self.pc, Recorded::Access(object, operation, value)));
    }

    fn chose(&mut self, value: i32) {
        self.recorded.push((self.pc, Recorded::Chose(value)));
    }

    fn woke(&mut self, thread: Thread) {
        self.recorded.push((self.pc, Recorded::Woke(thread)));
    }
}

impl Narrate for Machine {
    fn thread_name(&self, state: &State, thread: Thread) -> String {
        if let Some(initial) = self.program.initial_threads.get(thread.index()) {
            return initial.name.clone();
        }
        // A step that had to wait halfway may have started it, on a copy of the state.
        if thread.index() >= self.layout.threads(&state.words) {
            return "a new thread".to_owned();
        }
        let header = self.layout.header(&state.words, thread);
        let declaration = &self.program.declarations[usize::from(header.declaration)];
        format!("{}#{}", declaration.name, thread.0)
    }

    fn object_name(&self, state: &State, object: Object) -> String {
        let region = &self.program.regions[object.region.0 as usize];
        let layout = &self.layout.regions[object.region.0 as usize];
        if region.kind == Kind::Thread {
            return self.thread_name(state, Thread(object.index));
        }
        if !layout.field {
            return format!(
                "{}{}",
                region.name,
                subscript(&region.dimensions, object.index)
            );
        }
        let owner = self.layout.instance_with(&state.words, object.index);
        let within = object.index.saturating_sub(owner.1 + layout.offset as u32);
        let index = within / layout.stride.max(1) as u32;
        let (record, field) = region.name.split_once('.').unwrap_or((&region.name, ""));
        let subscript = subscript(&region.dimensions, index);
        format!("{record}#{}.{field}{subscript}", owner.0)
    }

    fn next_place(&self, state: &State, thread: Thread) -> Option<Place> {
        let pc = self.layout.pc(&state.words, thread)?;
        self.program.places.get(pc as usize).copied()
    }

    fn narrate(&self, state: &mut State, step: Move, events: &mut Vec<Event>) -> Result<(), Halt> {
        let mut recorder = Recorder::default();
        let result = self.execute(state, step.thread, step.choice, &mut recorder);
        for (pc, it) in recorder.recorded {
            let (object, operation, value) = match it {
                Recorded::Access(object, operation, value) => {
                    let value_type = self.program.regions[object.region.0 as usize].value;
                    let value = value.map(|value| self.show(state, value_type, value));
                    (self.object_name(state, object), Some(operation), value)
                }
                Recorded::Chose(value) => ("choose".to_owned(), None, Some(value.to_string())),
                Recorded::Woke(thread) => (
                    "wakes".to_owned(),
                    None,
                    Some(self.thread_name(state, thread)),
                ),
            };
            events.push(Event {
                place: self.program.places.get(pc as usize).copied(),
                object,
                operation,
                value,
                ..Event::default()
            });
        }
        let result = result.map_err(into_halt);
        if let Err(Halt::Fault(fault)) = &result
            && fault.kind == FaultKind::Assertion
            && let Some(locals) = self.show_locals(state, step.thread)
        {
            events.push(Event {
                place: fault.place,
                object: "where".to_owned(),
                operation: None,
                value: Some(locals),
                ..Event::default()
            });
        }
        result
    }

    fn shared_values(&self, state: &State) -> Vec<(String, String)> {
        let kinds = [
            Kind::Variable,
            Kind::Monitor,
            Kind::Semaphore,
            Kind::Channel,
        ];
        let mut objects: Vec<Object> = kinds
            .iter()
            .flat_map(|&kind| self.all_objects(state, kind))
            .collect();
        objects.sort();
        objects
            .into_iter()
            .map(|object| {
                (
                    self.object_name(state, object),
                    self.show_object(state, object),
                )
            })
            .collect()
    }
}

/// `[i][j]` for the element with this number, row by row.
fn subscript(dimensions: &[u32], index: u32) -> String {
    let mut rest = index;
    let mut parts: Vec<String> = dimensions
        .iter()
        .rev()
        .map(|&size| {
            let part = rest % size.max(1);
            rest /= size.max(1);
            format!("[{part}]")
        })
        .collect();
    parts.reverse();
    parts.concat()
}

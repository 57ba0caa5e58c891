//! From the machine's intermediate form to templates.
//!
//! A location is all that is finite of a thread's state: its stack of calls with the
//! instructions at which they stand, how often it holds which lock, whether it waits, and
//! which thread an index stands for. So functions are inlined, re-entrant locks are
//! counted, and a lock that is taken again is no second lock. From each location on, all
//! paths are followed to the next instruction at which a step of the machine begins.
//!
//! What does not fit is refused with its place: the heap, recursion, channels, locks that
//! are chosen at run time.

pub(crate) mod constants;
mod expressions;
mod identities;
mod instructions;

use crate::program::{Edge, Location, Operation, Program, Template, Tracked, Variable};
use crate::terms::{Term, Var, VarInfo, WORD};
use identities::{Identity, Indices};
use raddle_machine::ir::{self, DeclarationId, FunctionId, Home, LabelId, Pc, ValueType};
use raddle_model::{Kind, Place};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How a program is seen.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// The kind of which some threads are followed one by one, and how many.
    pub tracked: Option<(DeclarationId, usize)>,
    /// Whether threads that wait go on only when they are notified.
    pub precise_waits: bool,
    /// Whether numbers wrap around; otherwise it is assumed that none overflows.
    pub wraps: bool,
}

/// What cannot be abstracted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// What it is.
    pub what: String,
    /// Where it is.
    pub place: Option<Place>,
}

pub(crate) type Lowered<T> = Result<T, Unsupported>;

/// Locations of one template are given up beyond this.
const MOST_LOCATIONS: usize = 4000;
/// Arrays with more elements are not taken apart.
const MOST_ELEMENTS: u32 = 16;
/// Calls are not inlined deeper than this.
const MOST_CALLS: usize = 16;

/// The finite part of a thread's state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Control {
    frames: Vec<Frame>,
    held: BTreeMap<usize, u32>,
    wait: Option<(usize, u32, bool)>,
    indices: BTreeMap<(usize, u16), Identity>,
    atomic: u32,
    is_error: bool,
}

/// A call that has not returned.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Frame {
    function: FunctionId,
    /// Which copy of the function's registers it uses.
    copy: usize,
    pc: u32,
}

/// A path from a location.
#[derive(Clone)]
struct Path {
    control: Control,
    guard: Vec<Term>,
    updates: HashMap<Var, Term>,
    fits: Vec<Term>,
    operations: Vec<Operation>,
    may_block: bool,
    starts: Vec<u32>,
    seen: BTreeSet<Control>,
    /// Under which condition the expression at hand is evaluated at all.
    condition: Term,
    /// What is wrong with it, if anything can be, and when.
    faults: Vec<Term>,
}

/// Lowers one template.
struct Lowering<'a> {
    ir: &'a ir::Program,
    out: &'a mut Program,
    shared: &'a HashMap<(u32, u32), Var>,
    view: &'a View,
    indices: &'a Indices,
    /// The template at hand.
    template: usize,
    /// Its identity, if it is followed.
    identity: Option<usize>,
    /// The copies of functions: the calls that lead to them.
    copies: HashMap<Vec<u32>, usize>,
    registers: HashMap<(usize, u16), Var>,
    thread_locals: Vec<Var>,
    cells: &'a mut HashMap<(u32, usize), Var>,
    own_cells: HashMap<u32, Var>,
    starts: &'a HashMap<DeclarationId, usize>,
    known: HashMap<Control, usize>,
    pending: Vec<Control>,
    path_of_copy: Vec<Vec<u32>>,
    own_index: Option<Var>,
    place: Option<Place>,
}

/// Lowers a program. Of the labels only those count that matter for what is asked.
pub fn lower(ir: &ir::Program, view: &View, labels: &BTreeSet<LabelId>) -> Lowered<Program> {
    let mut out = Program {
        no_overflow: !view.wraps,
        ..Program::default()
    };
    let indices = Indices::of(ir)?;
    let mut shared = HashMap::new();
    for (number, region) in ir.regions.iter().enumerate() {
        shared_region(ir, number as u32, region, &mut out, &mut shared);
        if region.kind == Kind::Monitor && region.per_thread.is_none() {
            for element in 0..region.length().min(MOST_ELEMENTS) {
                out.locks.push(name_of(region, element));
            }
        }
    }
    let mut starts = HashMap::new();
    let plan = plan(ir, view, &mut out, &mut starts)?;
    let mut cells = HashMap::new();
    for (template, (identity, arguments)) in plan.into_iter().enumerate() {
        let mut lowering = Lowering {
            ir,
            out: &mut out,
            shared: &shared,
            view,
            indices: &indices,
            template,
            identity,
            copies: HashMap::new(),
            registers: HashMap::new(),
            thread_locals: Vec::new(),
            cells: &mut cells,
            own_cells: HashMap::new(),
            starts: &starts,
            known: HashMap::new(),
            pending: Vec::new(),
            path_of_copy: Vec::new(),
            own_index: None,
            place: None,
        };
        lowering.template(&arguments, labels)?;
    }
    out.cells = shared;
    for template in 0..out.templates.len() {
        if out.templates[template].once {
            let locals = std::mem::take(&mut out.templates[template].locals);
            out.globals.extend(locals);
        }
    }
    Ok(out)
}

/// The identity of a template's thread and the arguments of its function.
type Planned = (Option<usize>, Option<Vec<i32>>);

/// The templates, still empty.
fn plan(
    ir: &ir::Program,
    view: &View,
    out: &mut Program,
    starts: &mut HashMap<DeclarationId, usize>,
) -> Lowered<Vec<Planned>> {
    let mut plan: Vec<Planned> = Vec::new();
    let mut add = |name: String, id, once, started, planned| {
        out.templates.push(Template {
            name,
            declaration: id,
            once,
            started,
            locals: Vec::new(),
            locations: Vec::new(),
            edges: Vec::new(),
            waits: Vec::new(),
        });
        plan.push(planned);
        out.templates.len() - 1
    };
    let mut tracked = None;
    for thread in &ir.initial_threads {
        let id = thread.declaration;
        let arguments = Some(thread.arguments.clone());
        let name = match ir.declarations.get(usize::from(id.0)) {
            Some(declaration) => declaration.name.clone(),
            None => continue,
        };
        if !ir.replicated.contains(&id) {
            add(thread.name.clone(), id, true, false, (None, arguments));
            continue;
        }
        let mut copies = Vec::new();
        if let Some((_, count)) = view.tracked.filter(|(followed, _)| *followed == id) {
            for identity in 0..count {
                let letter = char::from(b'i' + (identity as u8 % 16));
                let name = format!("{name}.{letter}");
                copies.push(add(
                    name,
                    id,
                    true,
                    false,
                    (Some(identity), arguments.clone()),
                ));
            }
        }
        let environment = add(name, id, false, false, (None, arguments));
        if !copies.is_empty() {
            tracked = Some(Tracked {
                copies,
                environment,
            });
        }
    }
    for (number, declaration) in ir.declarations.iter().enumerate() {
        let id = DeclarationId(number as u16);
        let is_started = ir.code.iter().any(
            |it| matches!(it, ir::Instruction::Spawn { declaration, .. } if *declaration == id),
        );
        if is_started {
            let name = declaration.name.clone();
            starts.insert(id, add(name, id, false, true, (None, None)));
        }
    }
    out.tracked = tracked;
    Ok(plan)
}

fn name_of(region: &ir::RegionInfo, element: u32) -> String {
    match region.dimensions.is_empty() {
        true => region.name.clone(),
        false => format!("{}[{element}]", region.name),
    }
}

/// Gives the elements of a shared variable or semaphore a variable each.
fn shared_region(
    ir: &ir::Program,
    number: u32,
    region: &ir::RegionInfo,
    out: &mut Program,
    shared: &mut HashMap<(u32, u32), Var>,
) {
    let Home::Shared(offset) = region.home else {
        return;
    };
    let fits = region.length() <= MOST_ELEMENTS && region.per_thread.is_none();
    let range = match region.kind {
        Kind::Variable => range_of(ir, region.value),
        Kind::Semaphore => Some((0, WORD.1)),
        Kind::Monitor | Kind::Channel | Kind::Thread => return,
    };
    if !fits {
        return;
    }
    for element in 0..region.length() {
        let var = out.terms.var(VarInfo {
            name: name_of(region, element),
            range,
            choice: false,
        });
        let word = (offset + element) as usize;
        let initial = ir.initial_words.get(word).map(|&word| i64::from(word));
        out.globals.push(Variable { var, initial });
        shared.insert((number, element), var);
    }
}

/// The values of a type; `None` for truth values.
fn range_of(ir: &ir::Program, value: ValueType) -> Option<(i64, i64)> {
    match value {
        ValueType::Bool => None,
        ValueType::Int => Some(WORD),
        ValueType::Ranged(range) => Some((i64::from(range.low), i64::from(range.high))),
        ValueType::Enum(id) => {
            let members = ir
                .enums
                .get(usize::from(id.0))
                .map_or(1, |it| it.members.len());
            Some((0, members.max(1) as i64 - 1))
        }
        ValueType::Reference(_) | ValueType::Thread => Some((-1, WORD.1)),
    }
}

impl Lowering<'_> {
    fn unsupported<T>(&self, what: impl Into<String>) -> Lowered<T> {
        Err(Unsupported {
            what: what.into(),
            place: self.place,
        })
    }

    fn template(
        &mut self,
        arguments: &Option<Vec<i32>>,
        labels: &BTreeSet<LabelId>,
    ) -> Lowered<()> {
        let id = self.out.templates[self.template].declaration;
        let Some(declaration) = self.ir.declarations.get(usize::from(id.0)) else {
            return self.unsupported("a thread of no kind");
        };
        let function = declaration.function;
        let copy = self.copy_of(&[]);
        for slot in &self.ir.thread_locals {
            let var = self.new_var(
                &slot.name,
                range_of(self.ir, slot.value),
                Some(slot.initial),
            );
            self.thread_locals.push(var);
        }
        let mut control = Control {
            frames: vec![Frame {
                function,
                copy,
                pc: self.function(function)?.entry.0,
            }],
            held: BTreeMap::new(),
            wait: None,
            indices: BTreeMap::new(),
            atomic: 0,
            is_error: false,
        };
        self.parameters(function, copy, arguments, &mut control)?;
        self.location(control, labels);
        while let Some(control) = self.pending.pop() {
            let from = self.known[&control];
            self.place = self.out.templates[self.template].locations[from].place;
            if self.out.templates[self.template].locations.len() > MOST_LOCATIONS {
                return self.unsupported("too many locations after inlining");
            }
            self.follow(from, control, labels)?;
        }
        let locals = self.out.templates[self.template].locals.clone();
        constants::propagate(self.out, self.template, &locals);
        self.mark_loops();
        Ok(())
    }

    /// The values of the parameters of a thread's own function.
    fn parameters(
        &mut self,
        function: FunctionId,
        copy: usize,
        arguments: &Option<Vec<i32>>,
        control: &mut Control,
    ) -> Lowered<()> {
        let parameters = self.function(function)?.parameters;
        let id = self.out.templates[self.template].declaration;
        for number in 0..parameters {
            let var = self.register(function, copy, number);
            let locals = &mut self.out.templates[self.template].locals;
            let Some(local) = locals.iter_mut().find(|local| local.var == var) else {
                continue;
            };
            let given = arguments
                .as_ref()
                .and_then(|it| it.get(usize::from(number)));
            local.initial = given.map(|&word| i64::from(word));
            if self.ir.replicated.contains(&id) {
                // Its number is any number.
                local.initial = None;
                self.own_index = Some(var);
                let identity = match self.identity {
                    Some(identity) => Identity::Tracked(identity),
                    None => Identity::Own,
                };
                control.indices.insert((copy, number), identity);
            }
        }
        Ok(())
    }

    fn function(&self, id: FunctionId) -> Lowered<&ir::Function> {
        match self.ir.functions.get(usize::from(id.0)) {
            Some(function) => Ok(function),
            None => self.unsupported("a function that does not exist"),
        }
    }

    fn copy_of(&mut self, calls: &[u32]) -> usize {
        if let Some(&copy) = self.copies.get(calls) {
            return copy;
        }
        let copy = self.copies.len();
        self.copies.insert(calls.to_vec(), copy);
        self.path_of_copy.push(calls.to_vec());
        copy
    }

    fn new_var(&mut self, name: &str, range: Option<(i64, i64)>, initial: Option<i32>) -> Var {
        let template = &mut self.out.templates[self.template];
        let var = self.out.terms.var(VarInfo {
            name: format!("{}.{name}", template.name),
            range,
            choice: false,
        });
        template.locals.push(Variable {
            var,
            initial: initial.map(i64::from),
        });
        var
    }

    fn register(&mut self, function: FunctionId, copy: usize, register: u16) -> Var {
        if let Some(&var) = self.registers.get(&(copy, register)) {
            return var;
        }
        let functions = &self.ir.functions;
        let slots = functions
            .get(usize::from(function.0))
            .map(|it| &it.registers);
        let slot = slots.and_then(|slots| slots.get(usize::from(register)));
        let (name, range, initial) = match slot {
            Some(slot) => (
                slot.name.clone(),
                range_of(self.ir, slot.value),
                slot.initial,
            ),
            None => (format!("r{register}"), Some(WORD), 0),
        };
        // What is inlined several times has several variables of one name.
        let name = match copy {
            0 => name,
            _ => format!("{name}'{copy}"),
        };
        let var = self.new_var(&name, range, Some(initial));
        self.registers.insert((copy, register), var);
        var
    }

    /// The number of a location, which is new if it was not known.
    fn location(&mut self, mut control: Control, labels: &BTreeSet<LabelId>) -> usize {
        // An index that nobody reads any more does not tell locations apart.
        let frames = &control.frames;
        control.indices.retain(|(copy, register), identity| {
            let frame = frames.iter().find(|frame| frame.copy == *copy);
            let is_live = frame.is_some_and(|frame| self.indices.is_live(frame.pc, *register));
            is_live || matches!(identity, Identity::Own)
        });
        if let Some(&known) = self.known.get(&control) {
            return known;
        }
        let pc = control.frames.last().map(|frame| frame.pc);
        let here = labels.iter().copied().filter(|label| {
            let at = self.ir.labels.get(usize::from(label.0)).map(|it| it.pc);
            !control.is_error && at.is_some() && at == pc.map(Pc)
        });
        let here: Vec<LabelId> = here.collect();
        let place = pc.and_then(|pc| self.ir.places.get(pc as usize)).copied();
        let template = &mut self.out.templates[self.template];
        let number = template.locations.len();
        template.locations.push(Location {
            is_cut: number == 0 || !here.is_empty() || control.wait.is_some(),
            labels: here,
            is_error: control.is_error,
            held: control.held.keys().copied().collect(),
            place,
        });
        self.known.insert(control.clone(), number);
        if !control.is_error {
            self.pending.push(control);
        }
        number
    }

    /// Follows all paths from a location to the next ones.
    fn follow(&mut self, from: usize, control: Control, labels: &BTreeSet<LabelId>) -> Lowered<()> {
        if let Some((lock, count, false)) = control.wait
            && self.view.precise_waits
        {
            let mut notified = control.clone();
            notified.wait = Some((lock, count, true));
            let to = self.location(notified, labels);
            self.out.templates[self.template]
                .waits
                .push((from, to, lock));
            return Ok(());
        }
        if control.frames.is_empty() {
            return Ok(());
        }
        let truth = self.out.terms.bool(true);
        let mut paths = vec![Path {
            seen: BTreeSet::new(),
            guard: Vec::new(),
            updates: HashMap::new(),
            fits: Vec::new(),
            operations: Vec::new(),
            may_block: false,
            starts: Vec::from_iter(control.frames.last().map(|frame| frame.pc)),
            condition: truth,
            faults: Vec::new(),
            control,
        }];
        let mut first = true;
        while let Some(mut path) = paths.pop() {
            if !first && (self.ends_step(&path.control) || path.seen.contains(&path.control)) {
                self.edge(from, path, labels)?;
                continue;
            }
            first = false;
            path.seen.insert(path.control.clone());
            self.instruction(path, &mut paths)?;
        }
        Ok(())
    }

    /// Whether another step of the machine begins here.
    fn ends_step(&self, control: &Control) -> bool {
        let Some(frame) = control.frames.last() else {
            return true;
        };
        let starts = self.ir.starts.get(frame.pc as usize).copied();
        control.is_error || (control.atomic == 0 && starts.unwrap_or(true))
    }

    fn edge(&mut self, from: usize, path: Path, labels: &BTreeSet<LabelId>) -> Lowered<()> {
        let notified = path.operations.iter();
        let notified = notified.filter(|it| matches!(it, Operation::Notify(_)));
        if self.view.precise_waits && notified.count() > 1 {
            return self.unsupported("several notifications in one step");
        }
        let guard = self.out.terms.all(&path.guard);
        let fits = self.out.terms.all(&path.fits);
        let both = self.out.terms.and(guard, fits);
        if self.out.terms.as_bool(both) == Some(false) {
            return Ok(());
        }
        let place = self.place;
        let to = self.location(path.control, labels);
        self.place = place;
        let mut updates = path.updates;
        for var in updates.keys().copied().collect::<Vec<_>>() {
            if updates.get(&var) == Some(&self.out.terms.of(var)) {
                updates.remove(&var);
            }
        }
        let template = &mut self.out.templates[self.template];
        let place = template.locations[from].place;
        template.edges.push(Edge {
            from,
            to,
            guard,
            updates,
            fits,
            operations: path.operations,
            may_block: path.may_block,
            starts: path.starts,
            place,
        });
        Ok(())
    }

    /// Locations that are reached from themselves are not joined away: one of each circle.
    fn mark_loops(&mut self) {
        let template = &mut self.out.templates[self.template];
        let mut next = vec![Vec::new(); template.locations.len()];
        for edge in &template.edges {
            next[edge.from].push(edge.to);
        }
        for (from, to, _) in &template.waits {
            next[*from].push(*to);
        }
        // 0 not seen, 1 on the path, 2 done.
        let mut state = vec![0u8; next.len()];
        let mut stack = vec![(0usize, 0usize)];
        if let Some(first) = state.first_mut() {
            *first = 1;
        }
        while let Some((location, position)) = stack.pop() {
            match next[location].get(position) {
                None => state[location] = 2,
                Some(&to) => {
                    stack.push((location, position + 1));
                    match state[to] {
                        0 => {
                            state[to] = 1;
                            stack.push((to, 0));
                        }
                        1 => template.locations[to].is_cut = true,
                        _ => {}
                    }
                }
            }
        }
    }
}

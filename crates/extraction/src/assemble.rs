//! The whole program: kinds of threads, what they share, and the threads that there are.

use std::collections::{BTreeMap, BTreeSet};

use raddle_jvm::heap::Body;
use raddle_jvm::thread::Then;
use raddle_jvm::{Ref, State, ThreadId, World};
use raddle_machine::ir::{
    Declaration, DeclarationId, Function, FunctionId, Home, InitialThread, Instruction, Pc,
    Program, RegionInfo, ValueType,
};
use raddle_machine::verify::verify;
use raddle_model::{Kind as Sort, Place, Region};

use crate::emit::{Code, begins_step};
use crate::numbers::{PerThread, generalise};
use crate::obstacle::{Untranslatable, source_line};
use crate::scene::{Item, Scene};
use crate::simplify::{simplify, written_by_owner};
use crate::start::{Beginning, Touch, begin};
use crate::templates::{Template, Threads, templates};
use crate::value::{Target, Value};
use crate::walk::{Context, Key, KnownValues, Position, Storage, Walker};

/// How often facts may change.
const MOST_ROUNDS: usize = 100;

/// An extracted program.
#[derive(Clone, Debug)]
pub struct Extracted {
    /// The program. Kinds of threads of which there are any number are [`Program::replicated`].
    pub program: Program,
    /// The kinds of threads, in the order of their declarations.
    pub kinds: Vec<Kind>,
    /// What the extracted program may do and the Java program may not, if anything.
    pub liberties: Vec<String>,
    /// Variables that threads access without a common lock or an order of their own: what the
    /// memory model allows beyond sequential consistency is not in the extracted program.
    pub racy: Vec<String>,
    /// Where a number is taken for the number of threads, of which there are any.
    pub assumed: Vec<Place>,
}

/// A kind of thread.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// Which of the threads that `main` starts are of this kind, counted from one.
    pub started: Vec<u32>,
    /// How another thread of this kind is made from one that was started: `None` if that is not
    /// known, because its threads differ, or own more than themselves and their `Runnable`.
    pub copy: Option<bool>,
}

/// Extracts a program from a state in which `main` has not begun. Places get the number of the
/// file whose path ends with their name.
pub fn extract(
    world: &World,
    start: &State,
    files: &[(u32, String)],
    threads: Threads,
) -> Result<Extracted, Untranslatable> {
    let beginning = begin(world, start)?;
    let templates = templates(world, &beginning, threads)?;
    check_parameters(world, &beginning.state, &templates)?;
    let workers = Workers {
        world,
        beginning: &beginning,
        templates: &templates,
        files,
    };
    let alone = workers.extract(false)?;
    let is_free = |touch: &Touch| !alone.0.conflicts(touch);
    if let Some(touch) = beginning.touched.iter().find(|touch| !is_free(touch)) {
        let place = touch
            .at
            .and_then(|(method, pc)| source_line(world, method, pc));
        let what = "main works with what its threads share while it starts them";
        return Err(Untranslatable::new(what).at(place));
    }
    let rest = beginning.rest.as_ref();
    if rest.is_none_or(|rest| !rest.iter().all(is_free)) {
        return Ok(workers.extract(true)?.1);
    }
    // Whoever only takes a lock does nothing but let others wait: where that has no form, nothing
    // is lost but deadlocks.
    let takes = |touch: &Touch| alone.0.is_lock_of_threads(touch);
    match rest.is_some_and(|rest| rest.iter().any(takes)) {
        true => Ok(workers.extract(true).map_or(alone.1, |both| both.1)),
        false => Ok(alone.1),
    }
}

/// Threads of which there are any number must differ in nothing but their number.
fn check_parameters(
    world: &World,
    state: &State,
    templates: &[Template],
) -> Result<(), Untranslatable> {
    for template in templates.iter().filter(|template| template.is_any) {
        let others = template.parameters.iter().filter(|it| it.array.is_none());
        for parameter in others {
            let mut words = parameter.words.iter().enumerate();
            if words.any(|(number, &word)| word != number as u64) {
                let scene = Scene::new(world, state, BTreeSet::new());
                let field = scene.field(parameter.object, parameter.slot);
                let name = field.map_or("a field", |field| world.text(field.name));
                return Err(Untranslatable::new(format!(
                    "the threads `{}` differ in `{name}`, which is not their number",
                    template.name
                )));
            }
        }
    }
    Ok(())
}

struct Workers<'a> {
    world: &'a World,
    beginning: &'a Beginning,
    templates: &'a [Template],
    files: &'a [(u32, String)],
}

/// A kind of thread as it was extracted.
struct Part {
    code: Code,
    function: Function,
    liberties: BTreeSet<String>,
}

impl<'a> Workers<'a> {
    /// Follows the threads, and `main` if it is one of them, until nothing new is found out.
    fn extract(&self, with_main: bool) -> Result<(Scene<'a>, Extracted), Untranslatable> {
        let state = &self.beginning.state;
        let owned = self
            .templates
            .iter()
            .flat_map(|it| it.all_own.iter().copied());
        let mut scene = Scene::new(self.world, state, owned.collect());
        scene.joins = self.joins(with_main);
        for (number, template) in self.templates.iter().enumerate() {
            let given = template.parameters.iter().filter_map(|it| it.array);
            for array in given.chain(template.array).filter(|_| template.is_any) {
                if !scene.add_family(array, number, template.threads.len()) {
                    return Err(Untranslatable::new(format!(
                        "the threads `{}` have objects of several arrays, or of different classes",
                        template.name
                    )));
                }
            }
        }
        for _ in 0..MOST_ROUNDS {
            scene.has_news = false;
            scene.regions.clear();
            scene.accesses.clear();
            // What is in the way may be out of it once more is known.
            let found = self.parts(&mut scene, with_main);
            if !scene.has_news {
                let parts = found?;
                let extracted = self.assemble(&mut scene, parts, with_main)?;
                return Ok((scene, extracted));
            }
        }
        Err(Untranslatable::new("facts that change over and over"))
    }

    fn parts(&self, scene: &mut Scene<'a>, with_main: bool) -> Result<Vec<Part>, Untranslatable> {
        let mut parts = Vec::new();
        for (number, template) in self.templates.iter().enumerate() {
            parts.push(self.thread(scene, number, template)?);
        }
        if with_main {
            parts.push(self.main(scene)?);
        }
        Ok(parts)
    }

    /// The templates with their numbers, those of which there are any number last.
    fn order(&self) -> Vec<(usize, &'a Template)> {
        let mut order: Vec<(usize, &Template)> = self.templates.iter().enumerate().collect();
        order.sort_by_key(|(_, template)| template.is_any);
        order
    }

    /// The numbers that threads have in the extracted program.
    fn joins(&self, with_main: bool) -> BTreeMap<Ref, Option<u32>> {
        let mut joins = BTreeMap::new();
        let mut next = u32::from(with_main);
        for (_, template) in self.order() {
            for &thread in &template.threads {
                joins.insert(thread, (!template.is_any).then_some(next));
                next += 1;
            }
        }
        joins
    }

    fn place(&self, place: Option<(String, u32)>) -> Place {
        let (file, line) = match place {
            Some((name, line)) => {
                let mut files = self.files.iter();
                let found = files.find(|(_, path)| {
                    let path = std::path::Path::new(path);
                    path.file_name()
                        .is_some_and(|it| it.to_string_lossy() == name)
                });
                (found.map_or(0, |(number, _)| *number), line)
            }
            None => (0, 1),
        };
        Place {
            file,
            line,
            column: 1,
        }
    }

    fn thread(
        &self,
        scene: &mut Scene<'a>,
        number: usize,
        template: &Template,
    ) -> Result<Part, Untranslatable> {
        let missing = || Untranslatable::new("a thread without code");
        let listing = self.world.listing(template.run).ok_or_else(missing)?;
        let mut walker = Walker::new(scene, number);
        walker.own = template.own.clone();
        walker.object = template.threads.first().copied();
        walker.threads = template.threads.len();
        let mut cells = own_cells(&walker);
        // The parameters have the first registers.
        for parameter in &template.parameters {
            let place = (Target::Own(parameter.object), parameter.slot);
            let storage = Storage::Cell(place.0, place.1);
            let value = cells.entry(place).or_insert(Value::Int(None));
            match template.is_any {
                true => walker.is_number(storage),
                false => _ = walker.register(storage),
            }
            *value = match value {
                Value::Reference(_) if template.is_any && parameter.array.is_some() => {
                    let array = parameter.array.unwrap_or_default();
                    Value::reference(Target::Member(array))
                }
                Value::Int(_) if template.is_any => Value::Number,
                Value::Reference(_) => {
                    let targets = parameter.words.iter().map(|&word| Ref::of(word));
                    Value::Reference(targets.map(|it| walker.scene.target(it)).collect())
                }
                Value::Opaque(_) | Value::Unset => value.clone(),
                _ => Value::Int(None),
            };
        }
        let context = walker.context(Context {
            caller: None,
            method: template.run,
        });
        let array = template.array.filter(|_| template.is_any);
        let receiver = match array {
            Some(array) => Target::Member(array),
            None if template.own.contains(&template.receiver) => Target::Own(template.receiver),
            None => Target::Object(template.receiver),
        };
        if array.is_some() {
            walker.is_number(Storage::Register(context, 0));
        }
        let mut registers = vec![Value::Unset; listing.registers() as usize];
        if let Some(first) = registers.first_mut() {
            *first = Value::reference(receiver);
        }
        if self.world.method(template.run).is_synchronized() {
            return Err(Untranslatable::new("a method run() that is synchronized"));
        }
        let key = Key {
            frames: vec![Position {
                context,
                pc: 0,
                unlock: None,
            }],
            locks: Vec::new(),
            split: Vec::new(),
        };
        let known = KnownValues {
            frames: vec![registers],
            cells,
        };
        self.part(walker, key, known, &template.name, parameters(template))
    }

    /// The rest of `main`.
    fn main(&self, scene: &mut Scene<'a>) -> Result<Part, Untranslatable> {
        let state = &self.beginning.state;
        let missing = || Untranslatable::new("the program has no thread main");
        let main = state.thread(ThreadId::MAIN).ok_or_else(missing)?;
        for number in 0..state.heap.end() {
            let lock = state.heap.get(Ref(number)).map(|found| found.lock);
            if lock.is_some_and(|lock| lock.owner == ThreadId::MAIN.0 + 1) {
                return Err(Untranslatable::new(
                    "main holds a lock while it starts threads",
                ));
            }
        }
        let mut walker = Walker::new(scene, self.templates.len());
        let (mut frames, mut positions) = (Vec::new(), Vec::new());
        let mut caller = None;
        for (index, frame) in main.frames.iter().enumerate() {
            if frame.then != Then::Nothing {
                return Err(Untranslatable::new(
                    "main starts threads in an unusual place",
                ));
            }
            let listing = self.world.listing(frame.method).ok_or_else(missing)?;
            let context = walker.context(Context {
                caller,
                method: frame.method,
            });
            caller = Some((context, frame.pc));
            let mut registers = vec![Value::Unset; listing.registers() as usize];
            for (register, place) in registers.iter_mut().enumerate() {
                if let Some(word) = main.register(index, register as u32)
                    && listing.is_live(frame.pc, register)
                {
                    let is_ref = listing.is_live_reference(frame.pc, register);
                    *place = main_value(walker.scene, word, is_ref);
                }
            }
            frames.push(registers);
            positions.push(Position {
                context,
                pc: frame.pc,
                unlock: None,
            });
        }
        let key = Key {
            frames: positions,
            locks: Vec::new(),
            split: Vec::new(),
        };
        let known = KnownValues {
            frames,
            cells: BTreeMap::new(),
        };
        self.part(walker, key, known, "main", 0)
    }

    fn part(
        &self,
        mut walker: Walker<'_, 'a>,
        key: Key,
        known: KnownValues,
        name: &str,
        parameters: usize,
    ) -> Result<Part, Untranslatable> {
        // Registers hold what is known when the thread begins.
        let mut initial = Vec::new();
        for (place, value) in &known.cells {
            initial.push((Storage::Cell(place.0, place.1), value.clone()));
        }
        for (frame, position) in known.frames.iter().zip(&key.frames) {
            for (register, value) in frame.iter().enumerate() {
                let storage = Storage::Register(position.context, register as u16);
                initial.push((storage, value.clone()));
            }
        }
        walker.walk(key.clone(), known)?;
        let code = walker.emit(&key, |place| self.place(place))?;
        for (storage, value) in initial {
            if let Some(raddle_machine::ir::Expression::Constant(number)) =
                walker.expression(storage, &value)
            {
                let register = walker.register(storage);
                if let Some(slot) = walker.slots.get_mut(usize::from(register.0)) {
                    slot.initial = number;
                }
            }
        }
        if walker.changes_number {
            return Err(Untranslatable::new("a thread changes its own number"));
        }
        let (mut code, mut slots) = (code, walker.slots);
        simplify(&mut code, &mut slots, parameters, &BTreeSet::new());
        let function = Function {
            name: name.to_owned(),
            parameters: parameters as u16,
            registers: slots,
            entry: Pc(0),
            end: Pc(0),
        };
        Ok(Part {
            code,
            function,
            liberties: walker.liberties,
        })
    }

    fn assemble(
        &self,
        scene: &mut Scene<'a>,
        parts: Vec<Part>,
        with_main: bool,
    ) -> Result<Extracted, Untranslatable> {
        let mut program = Program::default();
        let mut liberties = BTreeSet::new();
        let regions = self.per_thread(scene);
        let mut assumed = BTreeSet::new();
        let codes: Vec<&Code> = parts.iter().map(|part| &part.code).collect();
        let own = written_by_owner(&codes, &regions);
        for (number, mut part) in parts.into_iter().enumerate() {
            let parameters = usize::from(part.function.parameters);
            let registers = &mut part.function.registers;
            simplify(&mut part.code, registers, parameters, &own);
            let mut first = regions.iter().filter(|(_, (kind, _))| *kind == number);
            let first = first.next().map(|(region, _)| *region);
            assumed.extend(generalise(&mut part.code, first, &regions));
            let mut function = part.function;
            let base = program.code.len() as u32;
            function.entry = Pc(base);
            let mut depth = 0u32;
            for (index, (mut instruction, place)) in part
                .code
                .instructions
                .into_iter()
                .zip(part.code.places)
                .enumerate()
            {
                crate::emit::map_targets(&mut instruction, |target| Pc(target.0 + base));
                let is_start = depth == 0 && (index == 0 || begins_step(&instruction, &own));
                match instruction {
                    Instruction::AtomicBegin => depth += 1,
                    Instruction::AtomicEnd => depth = depth.saturating_sub(1),
                    _ => {}
                }
                program.code.push(instruction);
                program.starts.push(is_start);
                program.places.push(place);
            }
            function.end = Pc(program.code.len() as u32);
            liberties.extend(part.liberties);
            program.declarations.push(Declaration {
                name: function.name.clone(),
                function: FunctionId(program.functions.len() as u16),
                daemon: false,
            });
            program.functions.push(function);
        }
        self.regions(scene, &mut program)?;
        self.threads(scene, &mut program, with_main);
        if let Err(defects) = verify(&program) {
            let first = defects.first().map(ToString::to_string).unwrap_or_default();
            return Err(Untranslatable::new(format!(
                "the extracted program is malformed: {first}"
            )));
        }
        let kinds = self.templates.iter();
        Ok(Extracted {
            program,
            kinds: kinds.map(|it| self.kind(it)).collect(),
            liberties: liberties.into_iter().collect(),
            racy: scene.racy(),
            assumed: assumed.into_iter().collect(),
        })
    }

    /// The regions with an element for each thread of a kind.
    fn per_thread(&self, scene: &Scene<'a>) -> PerThread {
        let items = scene.regions.iter().zip(1u32..);
        let items = items.filter_map(|(item, region)| {
            let Item::Variable(variable) = *item else {
                return None;
            };
            let kind = scene.family_of(variable)?;
            let threads = self.templates.get(kind)?.threads.len();
            Some((Region(region), (kind, i32::try_from(threads).ok()?)))
        });
        items.collect()
    }

    fn kind(&self, template: &Template) -> Kind {
        let all = self.beginning.threads.iter();
        let numbers = all.zip(1u32..);
        let own = numbers.filter(|(thread, _)| template.threads.contains(&thread.object));
        let first = template.threads.first().copied().unwrap_or_default();
        let is_small = |&object: &Ref| object == first || object == template.receiver;
        let is_copied = template.parameters.is_empty()
            && template.array.is_none()
            && template.own.iter().all(is_small);
        let has_runnable = template.receiver != first && template.own.contains(&template.receiver);
        Kind {
            name: template.name.clone(),
            started: own.map(|(_, number)| number).collect(),
            copy: is_copied.then_some(has_runnable),
        }
    }

    fn threads(&self, scene: &Scene<'a>, program: &mut Program, with_main: bool) {
        if with_main {
            program.initial_threads.push(InitialThread {
                name: "main".to_owned(),
                declaration: DeclarationId(self.templates.len() as u16),
                arguments: Vec::new(),
            });
        }
        for (number, template) in self.order() {
            let declaration = DeclarationId(number as u16);
            if template.is_any {
                program.replicated.push(declaration);
            }
            let count = if template.is_any {
                1
            } else {
                template.threads.len()
            };
            for thread in 0..count {
                if template.is_any {
                    program.initial_threads.push(InitialThread {
                        name: template.name.clone(),
                        declaration,
                        arguments: vec![0; parameters(template)],
                    });
                    continue;
                }
                let arguments = template.parameters.iter().map(|parameter| {
                    let word = parameter.words.get(thread).copied().unwrap_or(0);
                    let value = scene.initial_field(parameter.object, parameter.slot);
                    match value {
                        Value::Reference(_) => scene.target(Ref::of(word)).code().unwrap_or(0),
                        _ => word as i32,
                    }
                });
                let name = match count {
                    1 => template.name.clone(),
                    _ => format!("{}[{thread}]", template.name),
                };
                program.initial_threads.push(InitialThread {
                    name,
                    declaration,
                    arguments: arguments.collect(),
                });
            }
        }
    }

    fn regions(&self, scene: &mut Scene<'a>, program: &mut Program) -> Result<(), Untranslatable> {
        program.regions.push(RegionInfo {
            name: "threads".to_owned(),
            kind: Sort::Thread,
            home: Home::Threads,
            dimensions: Vec::new(),
            value: ValueType::Int,
            capacity: 0,
            per_thread: None,
        });
        let names = scene.names();
        for (item, name) in scene.regions.clone().into_iter().zip(names) {
            let home = Home::Shared(program.initial_words.len() as u32);
            let per_thread = match item {
                Item::Variable(variable) => scene.family_of(variable),
                Item::Lock(_) => None,
            };
            let (kind, dimensions, value) = match item {
                Item::Lock(_) => {
                    program.initial_words.push(0);
                    (Sort::Monitor, Vec::new(), ValueType::Int)
                }
                Item::Variable(variable) => {
                    let (words, dimensions) = scene.words(variable)?;
                    program.initial_words.extend(words);
                    (Sort::Variable, dimensions, scene.value_type(variable))
                }
            };
            program.regions.push(RegionInfo {
                name,
                kind,
                home,
                dimensions,
                value,
                capacity: 0,
                per_thread: per_thread.map(|number| DeclarationId(number as u16)),
            });
        }
        Ok(())
    }
}

/// How many parameters the code of a kind of thread has: the number of the thread, if there are any
/// number of them.
fn parameters(template: &Template) -> usize {
    match template.is_any {
        true => usize::from(!template.parameters.is_empty() || template.array.is_some()),
        false => template.parameters.len(),
    }
}

/// What a register of `main` holds.
fn main_value(scene: &Scene<'_>, word: u64, is_ref: bool) -> Value {
    match (is_ref, i64::try_from(word)) {
        (true, _) => Value::reference(scene.target(Ref::of(word))),
        // Whether it is of 32 or 64 bits makes no difference to a small number.
        (false, Ok(number)) if number <= i64::from(i32::MAX) => Value::Int(Some(number as i32)),
        _ => Value::Opaque("a variable of main".into()),
    }
}

/// What the thread's own objects hold when it begins.
fn own_cells(walker: &Walker<'_, '_>) -> BTreeMap<(Target, u32), Value> {
    let scene = &walker.scene;
    let mut cells = BTreeMap::new();
    for &object in &walker.own {
        let Some(found) = scene.state.heap.get(object) else {
            continue;
        };
        match &found.body {
            Body::Fields(fields) => {
                let is_thread = scene
                    .world
                    .class(found.class)
                    .ancestors
                    .contains(&scene.world.known().thread);
                let first = match is_thread {
                    true => scene.world.class(scene.world.known().thread).instance_slots,
                    false => 0,
                };
                for slot in first..fields.len() as u32 {
                    let value = walker.own_view(scene.initial_field(object, slot));
                    cells.insert((Target::Own(object), slot), value);
                }
            }
            _ => {
                for (index, value) in scene.initial_elements(object).into_iter().enumerate() {
                    let value = walker.own_view(value);
                    cells.insert((Target::Own(object), index as u32), value);
                }
            }
        }
    }
    cells
}

//! What does not change while a program runs: classes, methods, names, literals.
//!
//! A world only grows. Loading a class is determined by its name and has no effect on any
//! state; *initialising* one does, and is therefore recorded in states. Worlds are shared by
//! all states and threads of a search.

mod class;
mod linking;

pub(crate) use class::Sort;
pub use class::{
    Class, ClassId, Field, LiteralId, LoadError, Method, MethodId, Origin, Shape, flags,
};

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, RwLock};

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use raddle_model::StopFlag;

use crate::arena::Arena;
use crate::classfile::{ClassFile, Constant, Malformed};
use crate::code::{Body, Op, Resolved};
use crate::descriptor::{self, Kind, Signature};
use crate::known::WellKnown;
use crate::load::{Found, Jdk, Outside, Source, find_in};
use crate::made_up::AllMadeUp;
use crate::names::{Name, Names};
use crate::thread::Frame;

type Map<K, V> = HashMap<K, V, FixedState>;

/// Uses of a literal: as a constant, and by a call that may be the first to have it, or not.
const CONSTANT: u8 = 1;
const FIRST: u8 = 2;

/// The number of a literal, and how it is used.
type Literal = (LiteralId, u8);

type Listener = Box<dyn Fn(&str, &ClassFile) + Send + Sync>;

/// See the module's documentation.
pub struct World {
    pub(crate) jdk: Jdk,
    /// The files of the host that the program may read.
    pub(crate) outside: Outside,
    /// The variables of the environment, if a user says which there are.
    pub(crate) environment: Option<Vec<(String, String)>>,
    /// What standard input has, if a user says so.
    pub(crate) input: Option<Vec<u8>>,
    /// How many processors the program finds.
    pub(crate) processors: u32,
    sources: Vec<Box<dyn Source>>,
    /// The texts of names.
    pub names: Names,
    /// All classes that were loaded.
    pub classes: Arena<Class>,
    pub(crate) methods: Arena<Method>,
    by_name: RwLock<Map<Name, Result<ClassId, LoadError>>>,
    /// The classes that programs have made of bytes. Those of one name may differ, from one
    /// execution to the next.
    defined: Mutex<Map<Name, Vec<ClassId>>>,
    loading: Mutex<()>,
    literals: RwLock<Map<Box<[u16]>, Literal>>,
    /// Whether it was left open whose string is the one that there is once.
    pub is_contested: AtomicBool,
    literal_texts: Arena<Box<[u16]>>,
    pub(crate) known: OnceLock<WellKnown>,
    pub(crate) natives: crate::natives::Table,
    pub(crate) raisers: Raisers,
    pub(crate) invokers: Invokers,
    /// Who wants to know of each class of the program before it is used.
    listener: Option<Listener>,
    /// Ends what runs.
    pub stop: StopFlag,
    missing: Mutex<BTreeSet<String>>,
    /// What was made up for programs in this world.
    pub made_up: AllMadeUp,
}

impl World {
    /// A world with the library of `jdk` and the program in `sources`.
    pub fn new(jdk: Jdk, sources: Vec<Box<dyn Source>>) -> Result<Self, LoadError> {
        let natives = crate::natives::Table::new();
        let outside = Outside::of(jdk.home());
        let world = Self {
            jdk,
            outside,
            environment: None,
            input: None,
            processors: 2,
            sources,
            names: Names::new(),
            classes: Arena::default(),
            methods: Arena::default(),
            by_name: RwLock::default(),
            defined: Mutex::default(),
            loading: Mutex::new(()),
            literals: RwLock::default(),
            is_contested: AtomicBool::new(false),
            literal_texts: Arena::default(),
            known: OnceLock::new(),
            natives,
            raisers: Raisers::default(),
            invokers: Invokers::default(),
            listener: None,
            stop: StopFlag::default(),
            missing: Mutex::default(),
            made_up: AllMadeUp::default(),
        };
        let known = WellKnown::find(&world)?;
        let _ = world.known.set(known);
        Ok(world)
    }

    /// Lets the program read the host's files below a folder. It finds them by the path of the
    /// folder, also when that does not begin at the root: so does a program that runs where the
    /// path was given.
    pub fn allow_files(&mut self, folder: &std::path::Path) -> Result<(), String> {
        let path = folder.display().to_string();
        let shown = crate::files::absolute(&path);
        self.outside.allow(shown.as_ref(), folder)?;
        let full = folder
            .canonicalize()
            .map_err(|error| format!("{path}: {error}"))?;
        self.outside.allow(&full, folder)
    }

    /// Lets the program have these variables of the environment, and no others.
    pub fn give_environment(&mut self, variables: Vec<(String, String)>) {
        self.environment = Some(variables);
    }

    /// Says how many processors the program's machine has; two, unless this is called. Those of the library who
    /// only ask so as to try again for a while before they wait are told that there is one.
    pub fn give_processors(&mut self, processors: u32) {
        self.processors = processors;
    }

    /// Lets the program read this from standard input.
    pub fn give_input(&mut self, input: Vec<u8>) {
        self.input = Some(input);
    }

    /// Has what runs end when a flag is set.
    pub fn stop_by(&mut self, stop: StopFlag) {
        self.stop = stop;
    }

    /// Tells somebody of each class of the program, by its name, before anything of it runs.
    pub fn tell_classes(&mut self, listener: impl Fn(&str, &ClassFile) + Send + Sync + 'static) {
        self.listener = Some(Box::new(listener));
    }

    /// The classes and fields that the machine knows by name.
    pub fn known(&self) -> &WellKnown {
        match self.known.get() {
            Some(known) => known,
            None => unreachable!("a world is made with what it knows"),
        }
    }

    /// The feature release of the JDK.
    pub fn version(&self) -> u32 {
        self.jdk.version()
    }

    /// A class by its number.
    #[inline]
    pub fn class(&self, id: ClassId) -> &Class {
        match self.classes.get(id.0) {
            Some(class) => class,
            None => unreachable!("class numbers are only made by this world"),
        }
    }

    /// A method by its number.
    #[inline]
    pub fn method(&self, id: MethodId) -> &Method {
        match self.methods.get(id.0) {
            Some(method) => method,
            None => unreachable!("method numbers are only made by this world"),
        }
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        self.names.text(name)
    }

    /// The name of a class, with slashes.
    pub fn class_name(&self, id: ClassId) -> &str {
        self.text(self.class(id).name)
    }

    /// The name of a method with class and descriptor, for messages.
    pub fn method_name(&self, id: MethodId) -> String {
        let method = self.method(id);
        format!(
            "{}.{}{}",
            self.class_name(method.class),
            self.text(method.name),
            self.text(method.descriptor)
        )
    }

    /// The method that a frame calls next, if it stands before a call.
    pub fn called(&self, frame: &Frame) -> Option<MethodId> {
        let Some(Body::Code(code)) = self.method(frame.method).body.get() else {
            return None;
        };
        let instr = code.instrs.get(frame.pc as usize)?;
        let is_call = matches!(
            instr.op,
            Op::InvokeStatic | Op::InvokeSpecial | Op::InvokeVirtual | Op::InvokeInterface
        );
        let site = code.sites.get(instr.x as usize).filter(|_| is_call)?;
        match site.cell.get()? {
            Resolved::Method(target) => Some(target.method),
            _ => None,
        }
    }

    /// Whether a class is of the program itself: the first of the sources has it.
    pub fn is_own(&self, class: ClassId) -> bool {
        let file = format!("{}.class", self.class_name(class));
        let own = self.sources.first().map(|source| source.find(&file));
        matches!(own, Some(Ok(Some(_))))
    }

    /// Notes that the program itself names a class which is not there.
    pub(crate) fn miss(&self, class: String) {
        let missing = self.missing.lock();
        let mut missing = missing.unwrap_or_else(|poison| poison.into_inner());
        missing.insert(class);
    }

    /// The classes that the program itself names where it was executed, and which are not there.
    pub fn missing(&self) -> Vec<String> {
        let missing = self.missing.lock();
        let missing = missing.unwrap_or_else(|poison| poison.into_inner());
        missing.iter().cloned().collect()
    }

    /// The content of a resource, wherever it is.
    pub(crate) fn resource(&self, name: &str) -> Found {
        match self.jdk.find(name)? {
            Some(content) => Ok(Some(content)),
            None => find_in(&self.sources, name),
        }
    }

    /// The URLs of a resource of the program, in the order of its class path.
    pub(crate) fn resource_urls(&self, name: &str) -> Result<Vec<String>, String> {
        let mut urls = Vec::new();
        for source in &self.sources {
            if source.find(name)?.is_some() {
                urls.extend(source.url(name));
            }
        }
        Ok(urls)
    }

    /// The URL of a resource of the library.
    pub(crate) fn library_url(&self, name: &str) -> Option<String> {
        let (module, _) = self.jdk.find_in_module(name)?;
        Some(format!("jrt:/{module}/{name}"))
    }

    /// The URL of the folder or jar that a class of the program is in.
    pub(crate) fn place_of(&self, class: ClassId) -> Result<Option<String>, String> {
        let name = format!("{}.class", self.class_name(class));
        let url = self.resource_urls(&name)?.into_iter().next();
        Ok(url.and_then(|url| {
            let place = url.strip_suffix(&name)?;
            let jar = place
                .strip_prefix("jar:")
                .and_then(|it| it.strip_suffix("!/"));
            Some(jar.unwrap_or(place).to_owned())
        }))
    }

    /// The content of a resource by its URL.
    pub(crate) fn resource_at(&self, url: &str) -> Found {
        let library = url.strip_prefix("jrt:/").and_then(|it| it.split_once('/'));
        if let Some((_, name)) = library {
            return self.jdk.find(name);
        }
        for source in &self.sources {
            let name = source
                .url("")
                .and_then(|root| url.strip_prefix(&root).map(str::to_owned));
            if let Some(name) = name
                && let Some(content) = source.find(&name)?
            {
                return Ok(Some(content));
            }
        }
        Ok(None)
    }

    /// What callers need to know of a method.
    pub fn shape<'w>(&'w self, method: &'w Method) -> &'w Shape {
        method.shape.get_or_init(|| {
            let kinds = descriptor::method_kinds(self.text(method.descriptor));
            let (kinds, result) = kinds.unwrap_or((smallvec::SmallVec::new(), Kind::Void));
            let receiver = u16::from(!method.is_static());
            Shape {
                words: kinds.iter().map(|kind| kind.words()).sum::<u16>() + receiver,
                result,
                kinds,
            }
        })
    }

    /// The text of a string that there is once, as it is used without being asked for: as a
    /// constant, or as the name of something.
    pub(crate) fn literal(&self, text: &[u16]) -> LiteralId {
        self.used_literal(text, CONSTANT)
    }

    /// The same for a call of `String.intern()`. If others may make the same text a constant
    /// meanwhile, then whose string it is depends on who is first, which is not tried.
    pub fn asked_literal(&self, text: &[u16], may_be_first: bool) -> LiteralId {
        self.used_literal(text, if may_be_first { FIRST } else { 0 })
    }

    fn used_literal(&self, text: &[u16], used: u8) -> LiteralId {
        let known = self
            .literals
            .read()
            .unwrap_or_else(|poison| poison.into_inner())
            .get(text)
            .copied();
        if let Some((id, uses)) = known
            && uses & used == used
        {
            return id;
        }
        let mut literals = self
            .literals
            .write()
            .unwrap_or_else(|poison| poison.into_inner());
        let (id, uses) = match literals.get(text) {
            Some(&known) => known,
            None => {
                let id = self.literal_texts.push_with(|_| text.into());
                (LiteralId(id.unwrap_or(0)), 0)
            }
        };
        let uses = uses | used;
        literals.insert(text.into(), (id, uses));
        if uses == CONSTANT | FIRST {
            self.is_contested.store(true, Ordering::Relaxed);
        }
        id
    }

    pub(crate) fn literal_text(&self, id: LiteralId) -> &[u16] {
        self.literal_texts.get(id.0).map_or(&[], |text| text)
    }

    /// The class called `name` (with slashes; arrays and primitives included).
    pub fn load(&self, name: &str) -> Result<ClassId, LoadError> {
        self.load_named(self.names.intern(name))
    }

    pub(crate) fn load_named(&self, name: Name) -> Result<ClassId, LoadError> {
        if let Some(found) = self.loaded(name) {
            return found;
        }
        let _guard = self
            .loading
            .lock()
            .unwrap_or_else(|poison| poison.into_inner());
        self.load_locked(name, &mut Vec::new())
    }

    /// The class called `name` if somebody has asked for it before.
    pub fn loaded(&self, name: Name) -> Option<Result<ClassId, LoadError>> {
        self.by_name
            .read()
            .unwrap_or_else(|poison| poison.into_inner())
            .get(&name)
            .cloned()
    }

    /// The class of arrays with elements of `element`.
    pub(crate) fn array_of(&self, element: ClassId) -> Result<ClassId, LoadError> {
        if let Some(&id) = self.class(element).array.get() {
            return Ok(id);
        }
        self.load(&format!(
            "[{}",
            descriptor::of_class(self.class_name(element))
        ))
    }

    /// Whether objects of `class` can be used where `target` is asked for.
    #[inline]
    pub fn is_assignable(&self, class: ClassId, target: ClassId) -> bool {
        class == target || self.is_below(class, target)
    }

    fn is_below(&self, class: ClassId, target: ClassId) -> bool {
        let class = self.class(class);
        let target = self.class(target);
        match (class.sort, target.sort) {
            (Sort::Array(from), Sort::Array(to)) => {
                let is_primitive = |id| matches!(self.class(id).sort, Sort::Primitive(_));
                from == to
                    || (!is_primitive(from) && !is_primitive(to) && self.is_assignable(from, to))
            }
            (Sort::Primitive(_), _) | (_, Sort::Primitive(_) | Sort::Array(_)) => false,
            _ if target.is_interface() => class.all_interfaces.binary_search(&target.id).is_ok(),
            _ if class.is_interface() => target.ancestors.len() == 1,
            _ => class.ancestors.get(target.ancestors.len() - 1) == Some(&target.id),
        }
    }

    /// The field `name` of `class`, wherever it is inherited from.
    pub(crate) fn find_field(
        &self,
        class: ClassId,
        name: Name,
        descriptor: Name,
    ) -> Option<(ClassId, &Field)> {
        let start = self.class(class);
        let is_it = |field: &&Field| field.name == name && field.descriptor == descriptor;
        for &ancestor in start.ancestors.iter().rev() {
            let class = self.class(ancestor);
            if let Some(field) = class.fields.iter().find(is_it) {
                return Some((ancestor, field));
            }
            for &interface in &class.all_interfaces {
                if let Some(field) = self.class(interface).fields.iter().find(is_it) {
                    return Some((interface, field));
                }
            }
        }
        None
    }

    /// The method `name` of `class`, wherever it is inherited from.
    pub fn find_method(&self, class: ClassId, name: Name, descriptor: Name) -> Option<MethodId> {
        let class = self.class(class);
        for &ancestor in class.ancestors.iter().rev() {
            if let Some(id) = self.class(ancestor).declared(name, descriptor) {
                return Some(id);
            }
        }
        let mut best: Option<&Method> = None;
        for &interface in &class.all_interfaces {
            let Some(id) = self.class(interface).declared(name, descriptor) else {
                continue;
            };
            let method = self.method(id);
            if method.flags & (flags::STATIC | flags::PRIVATE) != 0 {
                continue;
            }
            let is_better = best.is_none_or(|best| {
                self.class(interface)
                    .all_interfaces
                    .binary_search(&best.class)
                    .is_ok()
                    || (best.is_abstract()
                        && !method.is_abstract()
                        && self
                            .class(best.class)
                            .all_interfaces
                            .binary_search(&interface)
                            .is_err())
            });
            if is_better {
                best = Some(method);
            }
        }
        if let Some(method) = best {
            return Some(method.id);
        }
        if class.is_interface() {
            let object = self.loaded(self.names.intern("java/lang/Object"))?.ok()?;
            return self.class(object).declared(name, descriptor);
        }
        None
    }

    /// A method by its names, for the machine's own use.
    pub(crate) fn method_of(&self, class: &str, name: &str, descriptor: &str) -> Option<MethodId> {
        let class = self.load(class).ok()?;
        self.find_method(
            class,
            self.names.intern(name),
            self.names.intern(descriptor),
        )
    }

    /// The slot of an instance field, for the machine's own use.
    pub fn slot_of(&self, class: ClassId, name: &str) -> Option<u32> {
        let name = self.names.intern(name);
        let ancestors = &self.class(class).ancestors;
        ancestors.iter().rev().find_map(|&ancestor| {
            let fields = &self.class(ancestor).fields;
            fields
                .iter()
                .find(|field| field.name == name && !field.is_static())
                .map(|field| field.slot)
        })
    }

    /// The slot in the class's mirror of a static field, for the machine's own use.
    pub fn static_slot_of(&self, class: ClassId, name: &str) -> Option<u32> {
        let name = self.names.intern(name);
        let field = self
            .class(class)
            .fields
            .iter()
            .find(|field| field.name == name && field.is_static())?;
        Some(self.static_slot(field))
    }

    /// Static fields stand behind the instance fields of `Class` in the class's mirror.
    pub fn static_slot(&self, field: &Field) -> u32 {
        self.known().class_slots + field.slot
    }

    /// The text of a constant, for reflection.
    pub(crate) fn constant_text(&self, class: &Class, index: u16) -> Option<String> {
        let file = class.file.as_ref()?;
        match file.constant(index).ok()? {
            Constant::Utf8 { .. } => file.text(index).ok().map(|text| text.into_owned()),
            Constant::Class(name) => file.text(name).ok().map(|text| text.into_owned()),
            _ => None,
        }
    }

    /// The bytecodes in methods that have been called, by number.
    pub fn bytecodes_called(&self) -> std::collections::BTreeSet<u8> {
        let mut found = std::collections::BTreeSet::new();
        for id in 0..self.methods.count() {
            let Some(method) = self.methods.get(id) else {
                continue;
            };
            let Some(Body::Code(_)) = method.body.get() else {
                continue;
            };
            let Some(file) = &self.class(method.class).file else {
                continue;
            };
            let Some(member) = file.methods.get(method.member as usize) else {
                continue;
            };
            let Ok(Some(attribute)) = file.code(member) else {
                continue;
            };
            let mut at = 0;
            while let Ok(decoded) = crate::code::decode(attribute.code, at) {
                found.insert(attribute.code[at as usize]);
                found.insert(decoded.opcode as u8);
                at = decoded.next;
            }
        }
        found
    }

    /// The outermost class of the nest that a class belongs to.
    pub(crate) fn nest_host(&self, id: ClassId) -> ClassId {
        let class = self.class(id);
        let host = class.file.as_ref().and_then(|file| {
            let content = file.attribute(file.attributes, "NestHost")?;
            let index = u16::from_be_bytes(*content.first_chunk()?);
            self.load(&file.class_name(index).ok()?).ok()
        });
        host.unwrap_or(id)
    }
}

/// The package of a class: its name up to the last slash.
pub(crate) fn package(name: &str) -> &str {
    name.rfind('/').map_or("", |end| &name[..end])
}

/// The machine's methods that throw exceptions, by class and whether there is a message.
#[derive(Default)]
pub(crate) struct Raisers(RwLock<Map<(ClassId, bool), MethodId>>);

impl Raisers {
    pub(crate) fn find(&self, class: ClassId, has_message: bool) -> Option<MethodId> {
        self.0
            .read()
            .unwrap_or_else(|poison| poison.into_inner())
            .get(&(class, has_message))
            .copied()
    }

    pub(crate) fn insert(&self, class: ClassId, has_message: bool, method: MethodId) -> MethodId {
        let mut raisers = self.0.write().unwrap_or_else(|poison| poison.into_inner());
        *raisers.entry((class, has_message)).or_insert(method)
    }
}

/// The machine's methods that call through method handles, by what they do.
#[derive(Default)]
pub(crate) struct Invokers(RwLock<Map<String, MethodId>>);

impl Invokers {
    pub(crate) fn find(&self, key: &str) -> Option<MethodId> {
        self.0
            .read()
            .unwrap_or_else(|poison| poison.into_inner())
            .get(key)
            .copied()
    }

    pub(crate) fn insert(&self, key: String, method: MethodId) -> MethodId {
        *self
            .0
            .write()
            .unwrap_or_else(|poison| poison.into_inner())
            .entry(key)
            .or_insert(method)
    }
}

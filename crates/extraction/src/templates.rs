//! The threads that `main` has started, put together to kinds: threads that run the same code on
//! the same shared objects, each with objects of its own.

use std::collections::{BTreeMap, BTreeSet};

use raddle_jvm::heap::Body;
use raddle_jvm::{MethodId, Ref, State, World};

use crate::family::Elements;
use crate::obstacle::{Untranslatable, source_line};
use crate::start::{Beginning, Started};

/// A kind of thread.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    pub(crate) name: String,
    /// What its threads run, and on which object.
    pub(crate) run: MethodId,
    pub(crate) receiver: Ref,
    /// The threads, by their objects.
    pub(crate) threads: Vec<Ref>,
    /// The objects of which every thread has its own, as the first thread has them.
    pub(crate) own: BTreeSet<Ref>,
    /// The same of all its threads.
    pub(crate) all_own: BTreeSet<Ref>,
    /// What its threads' own objects differ in: for each thread the word that stands there.
    pub(crate) parameters: Vec<Parameter>,
    /// Whether there are any number of them.
    pub(crate) is_any: bool,
    /// The array in which the objects that they run on stand, in the order of the threads.
    pub(crate) array: Option<Ref>,
}

/// A field in which the threads of a kind differ.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) object: Ref,
    pub(crate) slot: u32,
    pub(crate) words: Vec<u64>,
    /// The array in which what they refer to stands, in the order of the threads.
    pub(crate) array: Option<Ref>,
}

/// How many threads there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// Those that `main` starts.
    AsStarted,
    /// Any number of those that `main` starts several of, or says so with `@raddle.Any`.
    Any,
}

/// Puts the threads together.
pub(crate) fn templates(
    world: &World,
    beginning: &Beginning,
    threads: Threads,
) -> Result<Vec<Template>, Untranslatable> {
    let state = &beginning.state;
    let mut groups: Vec<(MethodId, Vec<(&Started, Ref)>)> = Vec::new();
    for thread in &beginning.threads {
        let (run, receiver) = running(world, state, thread)?;
        let known = groups.iter_mut().find(|(known, members)| {
            *known == run
                && class_of(state, members.first().map(|it| it.1))
                    == class_of(state, Some(receiver))
        });
        match known {
            Some((_, members)) => members.push((thread, receiver)),
            None => groups.push((run, vec![(thread, receiver)])),
        }
    }
    let mut made: Vec<Template> = Vec::new();
    for (run, members) in groups {
        for template in split(world, state, run, &members, threads)? {
            made.push(template);
        }
    }
    name_apart(&mut made);
    Ok(made)
}

fn class_of(state: &State, object: Option<Ref>) -> Option<raddle_jvm::ClassId> {
    state.heap.get(object?).map(|found| found.class)
}

/// What a thread runs: its own `run`, or that of the `Runnable` it was given.
fn running(
    world: &World,
    state: &State,
    thread: &Started,
) -> Result<(MethodId, Ref), Untranslatable> {
    let names = &world.names;
    let (run, descriptor) = (names.intern("run"), names.intern("()V"));
    let place = || {
        let (method, pc) = thread.site?;
        source_line(world, method, pc)
    };
    let find = |object: Ref| {
        let class = state.heap.get(object)?.class;
        let method = world.find_method(class, run, descriptor)?;
        world.overriding(class, method)
    };
    let mut receiver = thread.object;
    let mut method = find(receiver);
    if method.is_some_and(|method| world.method(method).class == world.known().thread) {
        receiver = world.runnable(state, thread.object);
        method = find(receiver);
    }
    let method = method.filter(|&method| world.listing(method).is_some());
    method
        .map(|method| (method, receiver))
        .ok_or_else(|| Untranslatable::new("a thread without code of its own").at(place()))
}

/// Threads that run the same code: all of one kind, or each of its own.
fn split(
    world: &World,
    state: &State,
    run: MethodId,
    members: &[(&Started, Ref)],
    threads: Threads,
) -> Result<Vec<Template>, Untranslatable> {
    let sites: BTreeSet<_> = members.iter().map(|(thread, _)| thread.site).collect();
    let all: Vec<Ref> = members.iter().map(|&(_, receiver)| receiver).collect();
    let elements = Elements::reached(world, state, &all);
    let is_shared = elements.array_of(&all).is_some();
    let make = |members: &[(&Started, Ref)]| -> Option<Template> {
        let objects: Vec<Ref> = members.iter().map(|(thread, _)| thread.object).collect();
        let receivers: Vec<Ref> = members.iter().map(|&(_, receiver)| receiver).collect();
        let mut pairs = Alike {
            world,
            state,
            own: BTreeSet::new(),
            parameters: Vec::new(),
            seen: BTreeMap::new(),
            owners: BTreeMap::new(),
            elements: &elements,
        };
        let array = elements.array_of(&receivers);
        match members.len() {
            // Others reach them.
            _ if is_shared && threads == Threads::AsStarted && members.len() > 1 => return None,
            _ if is_shared && receivers == objects => {}
            _ if is_shared => pairs.own.extend(objects.first()),
            1 => pairs.own.extend([*objects.first()?, *receivers.first()?]),
            _ => {
                pairs.compare(&receivers)?;
                pairs.own.insert(*objects.first()?);
            }
        }
        let mut all_own: BTreeSet<Ref> = pairs.owners.keys().copied().collect();
        all_own.extend(&pairs.own);
        if !is_shared || receivers != objects {
            all_own.extend(&objects);
        }
        let class = class_of(state, objects.first().copied())?;
        Some(Template {
            name: name(world, state, run, *objects.first()?),
            run,
            receiver: *receivers.first()?,
            threads: objects,
            own: pairs.own,
            all_own,
            parameters: pairs.parameters,
            is_any: is_any(world, class) || is_any(world, world.method(run).class),
            array: array.filter(|_| members.len() > 1),
        })
    };
    let together = make(members);
    let is_uniform = together.as_ref().is_some_and(|it| it.parameters.is_empty());
    let is_loop = sites.len() == 1 && members.len() > 1;
    let looped = sites
        .iter()
        .flatten()
        .any(|&(method, pc)| is_in_loop(world, method, pc));
    if let Some(mut template) = together
        && (is_uniform || is_loop || members.len() == 1)
    {
        let is_several = members.len() > 1 || looped;
        template.is_any = threads == Threads::Any && (template.is_any || is_several);
        return Ok(vec![template]);
    }
    let apart = members.iter().filter_map(|&member| make(&[member]));
    Ok(apart
        .map(|template| Template {
            is_any: threads == Threads::Any && template.is_any,
            ..template
        })
        .collect())
}

/// Whether a class says that there are any number of its threads.
fn is_any(world: &World, class: raddle_jvm::ClassId) -> bool {
    let file = world.class(class).file.as_ref();
    file.is_some_and(|file| raddle_jvm::is_annotated(file, "raddle/Any"))
}

/// Whether control can come back to an instruction.
fn is_in_loop(world: &World, method: MethodId, pc: u32) -> bool {
    let Some(listing) = world.listing(method) else {
        return false;
    };
    let mut seen = BTreeSet::new();
    let mut pending = listing.successors(pc);
    while let Some(next) = pending.pop() {
        if next == pc {
            return true;
        }
        if seen.insert(next) {
            pending.extend(listing.successors(next));
        }
    }
    false
}

/// The name of a kind: that of its class, or that of the thread.
fn name(world: &World, state: &State, run: MethodId, thread: Ref) -> String {
    let class = class_of(state, Some(thread)).unwrap_or_default();
    let simple = |name: &str| {
        let name = name.rsplit(['/', '$']).next().unwrap_or(name);
        name.to_owned()
    };
    if class != world.known().thread {
        return simple(world.class_name(class));
    }
    let class = world.method(run).class;
    let name = world.class_name(class);
    if name.contains("$$Lambda") {
        let slot = world.slot_of(world.known().thread, "name");
        let name = slot.and_then(|slot| state.text_of(world, state.heap.ref_field(thread, slot)));
        let name = name.filter(|name| !name.starts_with("Thread-"));
        return name.unwrap_or_else(|| "thread".to_owned());
    }
    let name = simple(name);
    match name.chars().all(|c| c.is_ascii_digit()) {
        true => "thread".to_owned(),
        false => name,
    }
}

fn name_apart(templates: &mut [Template]) {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for template in templates.iter() {
        *counts.entry(template.name.clone()).or_default() += 1;
    }
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    for template in templates {
        if counts.get(&template.name).is_some_and(|&count| count > 1) {
            let number = numbers.entry(template.name.clone()).or_default();
            *number += 1;
            template.name = format!("{}{number}", template.name);
        }
    }
}

/// Follows the objects of several threads side by side.
struct Alike<'a> {
    world: &'a World,
    state: &'a State,
    own: BTreeSet<Ref>,
    parameters: Vec<Parameter>,
    seen: BTreeMap<Ref, Vec<Ref>>,
    /// Which of the threads has an object as its own.
    owners: BTreeMap<Ref, usize>,
    elements: &'a Elements,
}

impl Alike<'_> {
    /// Compares what the threads have at the same place. None if they are not alike.
    fn compare(&mut self, objects: &[Ref]) -> Option<()> {
        let mut pending = vec![objects.to_vec()];
        while let Some(objects) = pending.pop() {
            let &first = objects.first()?;
            if objects.iter().all(|&object| object == first) {
                continue;
            }
            match self.seen.get(&first) {
                Some(known) if *known == objects => continue,
                Some(_) => return None,
                None => {}
            }
            let distinct: BTreeSet<Ref> = objects.iter().copied().collect();
            if distinct.len() != objects.len() {
                return None;
            }
            // What two threads have, at different places, is not their own.
            for (thread, &object) in objects.iter().enumerate() {
                if *self.owners.entry(object).or_insert(thread) != thread {
                    return None;
                }
            }
            self.seen.insert(first, objects.clone());
            self.own.insert(first);
            self.contents(first, &objects, &mut pending)?;
        }
        Some(())
    }

    fn contents(&mut self, first: Ref, objects: &[Ref], pending: &mut Vec<Vec<Ref>>) -> Option<()> {
        let (world, state) = (self.world, self.state);
        let found = state.heap.get(first)?;
        let class = world.class(found.class);
        let is_thread = class.ancestors.contains(&world.known().thread);
        let library = world.class(world.known().thread).instance_slots;
        let length = match &found.body {
            Body::Fields(fields) => fields.len(),
            other => other.length()?,
        };
        for &object in objects {
            let other = state.heap.get(object)?;
            let same = match &other.body {
                Body::Fields(fields) => fields.len() == length,
                body => body.length() == Some(length),
            };
            if other.class != found.class || !same {
                return None;
            }
        }
        for slot in 0..length as u32 {
            // What the library keeps of a thread is not the program's.
            if is_thread && slot < library {
                continue;
            }
            let words: Vec<u64> = objects
                .iter()
                .map(|&object| state.heap.field(object, slot))
                .collect();
            if words.iter().all(|word| Some(word) == words.first()) {
                continue;
            }
            let is_ref = match &found.body {
                Body::Fields(_) => class.ref_slots.get(slot as usize).copied().unwrap_or(false),
                Body::Refs(_) => true,
                _ => false,
            };
            let refs: Vec<Ref> = words.iter().map(|&word| Ref::of(word)).collect();
            let distinct: BTreeSet<Ref> = refs.iter().copied().collect();
            let is_own = is_ref && distinct.len() == refs.len() && !distinct.contains(&Ref::NULL);
            let are_strings = is_ref && refs.iter().all(|&it| state.text_of(world, it).is_some());
            if are_strings {
                continue;
            }
            // What stands in an array that all reach is not a thread's own.
            let array = self.elements.array_of(&refs).filter(|_| is_own);
            if is_own && array.is_none() {
                pending.push(refs);
                continue;
            }
            self.parameters.push(Parameter {
                object: first,
                slot,
                words,
                array,
            });
        }
        Some(())
    }
}

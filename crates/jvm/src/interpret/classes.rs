//! Initialisation of classes, and failing casts.

use super::{Env, Trap};
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::hook::At;
use crate::pages::Pages;
use crate::state::{ClassState, Initialisation};
use crate::stubs;
use crate::thread::{Status, Then, ThreadId};
use crate::world::{Class, ClassId, Origin, Sort, World};

/// The mirror of a class, if `thread` may use its static members right now.
#[inline]
pub(super) fn quick_statics(
    classes: &Pages<ClassState>,
    class: ClassId,
    thread: ThreadId,
) -> Option<Ref> {
    let class = classes.get(class.0 as usize)?;
    let may_use = match class.initialisation {
        Initialisation::Done => true,
        Initialisation::By(by) => by == thread,
        _ => false,
    };
    may_use.then_some(class.mirror)
}

/// Whether the initialisation of a class is over, so that other threads may use it.
pub(super) fn is_settled(classes: &Pages<ClassState>, class: ClassId) -> bool {
    let class = classes.get(class.0 as usize);
    !class.is_some_and(|class| matches!(class.initialisation, Initialisation::By(_)))
}

impl Env<'_> {
    /// Fails with what has to be done first, if a class is not initialised.
    pub(crate) fn ensure_initialised(&mut self, class: ClassId) -> Result<(), Trap> {
        if quick_statics(&self.state.classes, class, self.thread.id).is_some() {
            if let Some(hook) = self.hook.as_deref_mut() {
                hook.look(class);
            }
            return Ok(());
        }
        Err(Trap::Initialise(class))
    }

    /// Begins with the initialisation of a class, or says why not.
    pub(super) fn begin_initialisation(&mut self, class: ClassId) -> Result<(), Trap> {
        let world = self.world;
        self.state.mirror(world, class);
        match self.state.class(class).initialisation {
            Initialisation::Done => Ok(()),
            Initialisation::By(thread) if thread == self.thread.id => Ok(()),
            Initialisation::By(_) => {
                if let Some(hook) = self.hook.as_deref_mut()
                    && hook.initialise(At::calls(&self.thread.frames), class)
                {
                    return Err(Trap::Watched);
                }
                Err(Trap::Block(Status::AwaitingClass(class)))
            }
            Initialisation::Failed => {
                if let Some(hook) = self.hook.as_deref_mut() {
                    hook.look(class);
                }
                Err(self.never_initialised(class))
            }
            Initialisation::None => {
                let described = world.class(class);
                if !self.needs_code(described) {
                    if let Some(hook) = self.hook.as_deref_mut() {
                        hook.initialised_silently(class, is_plain(world, described));
                    }
                    self.state.set_initialisation(class, Initialisation::Done);
                    return Ok(());
                }
                if let Some(hook) = self.hook.as_deref_mut()
                    && hook.initialise(At::calls(&self.thread.frames), class)
                {
                    return Err(Trap::Watched);
                }
                self.state
                    .set_initialisation(class, Initialisation::By(self.thread.id));
                let stub = stubs::preparation(world, described);
                self.push_call(stub, &[], Then::Initialised(class))
            }
        }
    }

    /// What is thrown for a class whose initialisation has failed before.
    fn never_initialised(&mut self, class: ClassId) -> Trap {
        let world = self.world;
        let Ok(error) = world.load("java/lang/NoClassDefFoundError") else {
            return Trap::Unsupported("NoClassDefFoundError".to_owned());
        };
        let name = world.class_name(class).replace('/', ".");
        let message = self
            .state
            .string(world, &format!("Could not initialize class {name}"));
        let thrown = self.make_throwable(error);
        let failure = self.state.class(class).failure;
        self.state
            .heap
            .set_field(thrown, world.known().throwable_message, message.word());
        self.state
            .heap
            .set_field(thrown, world.known().throwable_cause, failure.word());
        Trap::Throw(thrown)
    }

    /// Remembers why a class cannot be initialised: an error that tells of the first one.
    pub(super) fn record_failure(&mut self, class: ClassId, exception: Ref) {
        let world = self.world;
        if let Some(hook) = self.hook.as_deref_mut() {
            hook.initialised(At::calls(&self.thread.frames), class);
        }
        self.state.set_initialisation(class, Initialisation::Failed);
        let Ok(error) = world.load("java/lang/ExceptionInInitializerError") else {
            return;
        };
        let known = world.known();
        let name = self
            .state
            .heap
            .get(exception)
            .map(|object| world.class_name(object.class).replace('/', "."));
        let text = self.state.text_of(
            world,
            self.state
                .heap
                .ref_field(exception, known.throwable_message),
        );
        let thread = Ref::of(self.named_field(self.thread.object, "name"));
        let thread = self.state.text_of(world, thread).unwrap_or_default();
        let text = text.map_or_else(String::new, |text| format!(": {text}"));
        let message = format!(
            "Exception {}{text} [in thread \"{thread}\"]",
            name.unwrap_or_default()
        );
        let message = self.state.string(world, &message);
        let failure = self.make_throwable(error);
        self.state
            .heap
            .set_field(failure, known.throwable_message, message.word());
        for slot in [
            known.throwable_backtrace,
            known.throwable_depth,
            known.throwable_trace,
        ] {
            let value = self.state.heap.field(exception, slot);
            self.state.heap.set_field(failure, slot, value);
        }
        crate::reach::share(world, &mut self.state.heap, failure);
        self.state.class_mut(class).failure = failure;
    }

    /// Whether any code runs to initialise a class. That may depend on those before it.
    fn needs_code(&mut self, class: &Class) -> bool {
        if class.initializer.is_some() {
            return true;
        }
        if is_plain(self.world, class) {
            return false;
        }
        let mut before = stubs::classes_before(self.world, class).into_iter();
        before.any(|before| {
            if let Some(hook) = self.hook.as_deref_mut() {
                hook.look(before);
            }
            !self.state.is_initialised(before)
        })
    }

    pub(super) fn finish_initialisation(&mut self, class: ClassId, is_fine: bool) {
        if let Some(hook) = self.hook.as_deref_mut() {
            hook.initialised(At::calls(&self.thread.frames), class);
        }
        let outcome = if is_fine {
            Initialisation::Done
        } else {
            Initialisation::Failed
        };
        self.state.set_initialisation(class, outcome);
    }
}

/// Whether neither a class nor any before it has code that initialises it.
fn is_plain(world: &World, class: &Class) -> bool {
    let before = || stubs::classes_before(world, class);
    class.initializer.is_none() && before().iter().all(|&it| is_plain(world, world.class(it)))
}

pub(super) fn bad_cast(world: &World, from: ClassId, to: ClassId) -> Trap {
    let name = |class| crate::natives::class_display_name(world, class);
    let is_alike = place(world, from) == place(world, to);
    let message = if is_alike && !matches!(world.class(from).sort, Sort::Primitive(Kind::Void)) {
        let (place, verb) = (place(world, from), "are in");
        format!(
            "class {0} cannot be cast to class {1} ({0} and {1} {verb} {place})",
            name(from),
            name(to)
        )
    } else {
        let (a, b) = (place(world, from), place(world, to));
        format!(
            "class {0} cannot be cast to class {1} ({0} is in {a}; {1} is in {b})",
            name(from),
            name(to)
        )
    };
    Trap::Raise("java/lang/ClassCastException", Some(message))
}

/// Module and loader of a class, as messages have it.
fn place(world: &World, class: ClassId) -> String {
    let mut innermost = world.class(class);
    while let Sort::Array(element) = innermost.sort {
        innermost = world.class(element);
    }
    match innermost.origin {
        Origin::Library => format!(
            "module {} of loader 'bootstrap'",
            world.text(innermost.module)
        ),
        _ => "unnamed module of loader 'app'".to_owned(),
    }
}

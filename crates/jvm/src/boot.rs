//! Starts the library, and then a program on it.

use crate::heap::Ref;
use crate::interpret::{Env, Event, Host, run, with_thread};
use crate::natives::{THREAD_RUNNABLE, set_thread_status};
use crate::pages::Shared;
use crate::state::{Initialisation, State};
use crate::thread::{Then, Thread, ThreadId};
use crate::world::{MethodId, World};

const MAIN: ThreadId = ThreadId::MAIN;

/// Nothing of the library's start should need more.
const BUDGET: u64 = 50_000_000;

/// A state in which the library has started. It serves every run of a program.
pub fn boot(world: &World, host: &mut dyn Host) -> Result<State, String> {
    boot_with(world, host, &[])
}

/// The same with some of the library's classes initialised already, if they are there.
pub fn boot_with(world: &World, host: &mut dyn Host, classes: &[&str]) -> Result<State, String> {
    let mut state = State::new();
    state.heap.ask_for_room(world.stop.clone());
    let known = world.known();
    for class in ["java/lang/Object", "java/lang/Class", "java/lang/String"] {
        let class = world.load(class).map_err(|error| error.to_string())?;
        state.mirror(world, class);
    }
    let thread = state.instantiate(world, known.thread);
    state.threads.push(Shared::new(Thread::new(MAIN, thread)));
    let mut boot = Boot { world, state, host };
    boot.start_thread(thread)?;
    boot.set_constants()?;
    for class in [
        "java/lang/Module",
        "java/lang/reflect/Method",
        "java/lang/ref/Reference",
    ] {
        let class = world.load(class).map_err(|error| error.to_string())?;
        boot.initialise(class)?;
    }
    boot.call_static("java/lang/System", "initPhase1", "()V", &[])?;
    boot.make_module()?;
    for level in [2, 3, 4] {
        boot.call_static("jdk/internal/misc/VM", "initLevel", "(I)V", &[level])?;
    }
    boot.make_loader()?;
    boot.finish_system()?;
    for class in classes {
        boot.try_to_initialise(class);
    }
    boot.settle()?;
    let mut state = boot.state;
    state.end_boot();
    Ok(state)
}

/// Begins to run the `main` method of a class.
pub fn start(
    world: &World,
    booted: &State,
    main_class: &str,
    arguments: &[String],
    host: &mut dyn Host,
) -> Result<State, String> {
    let class = world
        .load(&main_class.replace('.', "/"))
        .map_err(|error| error.to_string())?;
    let names = &world.names;
    let descriptor = "([Ljava/lang/String;)V";
    let main = world.find_method(class, names.intern("main"), names.intern(descriptor));
    let main = main.filter(|&main| world.method(main).is_static());
    let main = main.ok_or_else(|| format!("class {main_class} has no main method"))?;
    let mut boot = Boot {
        world,
        state: booted.clone(),
        host,
    };
    let mut strings = Vec::new();
    for argument in arguments {
        strings.push(boot.state.string(world, argument));
    }
    let key = format!("main {}", main.0);
    let stub = world.invokers.find(&key).or_else(|| {
        let stub = crate::stubs::make(world, class, "<main>", descriptor, |a| {
            a.load(0, crate::descriptor::Kind::Ref)?;
            a.call(crate::code::Op::InvokeStatic, main)?;
            a.finish(crate::descriptor::Kind::Void)
        });
        stub.map(|stub| world.invokers.insert(key, stub))
    });
    let stub = stub.ok_or("the start of main cannot be made")?;
    boot.with_main(|env| {
        let array = env
            .ref_array("java/lang/String", &strings)
            .map_err(|trap| format!("{trap:?}"))?;
        env.thread.frames.clear();
        env.push_call(stub, &[array.word()], Then::Nothing)
            .map_err(|trap| format!("{trap:?}"))
    })??;
    Ok(boot.state)
}

struct Boot<'a> {
    world: &'a World,
    state: State,
    host: &'a mut dyn Host,
}

impl Boot<'_> {
    fn with_main<T>(&mut self, act: impl FnOnce(&mut Env<'_>) -> T) -> Result<T, String> {
        with_thread(self.world, &mut self.state, MAIN, self.host, act)
            .ok_or_else(|| "no main thread".to_owned())
    }

    /// Runs a method to its end.
    fn call(&mut self, method: MethodId, args: &[u64]) -> Result<u64, String> {
        let world = self.world;
        self.with_main(|env| {
            env.push_call(method, args, Then::Nothing)
                .map_err(|trap| format!("{trap:?}"))?;
            match run(env, &mut BUDGET.clone()) {
                Event::Ended if env.thread.uncaught.is_null() => {
                    Ok(env.thread.stack.first().copied().unwrap_or(0))
                }
                Event::Ended => Err(describe_throwable(env)),
                Event::Unsupported(what, trace) => Err(format!("{what}\n  {}", trace.join("\n  "))),
                event => Err(format!(
                    "{event:?} in {}\n  {}",
                    world.method_name(method),
                    env.stack_trace().join("\n  ")
                )),
            }
        })?
    }

    fn call_static(
        &mut self,
        class: &str,
        name: &str,
        descriptor: &str,
        args: &[u64],
    ) -> Result<u64, String> {
        let method = self.world.method_of(class, name, descriptor);
        let method = method.ok_or_else(|| format!("{class}.{name}{descriptor} is not there"))?;
        let holder = self.world.method(method).class;
        self.initialise(holder)?;
        self.call(method, args)
    }

    fn initialise(&mut self, class: crate::world::ClassId) -> Result<(), String> {
        if self.state.is_initialised(class) {
            return Ok(());
        }
        self.state.mirror(self.world, class);
        let stub = crate::stubs::preparation(self.world, self.world.class(class));
        self.state
            .set_initialisation(class, Initialisation::By(MAIN));
        self.call(stub, &[])?;
        self.state.set_initialisation(class, Initialisation::Done);
        Ok(())
    }

    /// Initialises a class if it is there; if it cannot be, nothing was tried.
    fn try_to_initialise(&mut self, class: &str) {
        let Ok(class) = self.world.load(class) else {
            return;
        };
        self.state.freeze();
        let before = self.state.clone();
        if self.initialise(class).is_err() {
            self.state = before;
        }
    }

    fn construct(&mut self, class: &str, descriptor: &str, args: &[u64]) -> Result<Ref, String> {
        let id = self.world.load(class).map_err(|error| error.to_string())?;
        self.initialise(id)?;
        let object = self.state.instantiate(self.world, id);
        self.construct_at(object, class, descriptor, args)?;
        Ok(object)
    }

    fn construct_at(
        &mut self,
        object: Ref,
        class: &str,
        descriptor: &str,
        args: &[u64],
    ) -> Result<(), String> {
        let constructor = self.world.method_of(class, "<init>", descriptor);
        let constructor =
            constructor.ok_or_else(|| format!("{class} has no constructor {descriptor}"))?;
        let all: Vec<u64> = [object.word()]
            .into_iter()
            .chain(args.iter().copied())
            .collect();
        self.call(constructor, &all).map(|_| ())
    }

    /// Makes the main thread and its groups, as far as the library does not do it itself.
    fn start_thread(&mut self, thread: Ref) -> Result<(), String> {
        let world = self.world;
        self.with_main(|env| {
            env.set_named_field(thread, "eetop", 1);
            env.set_named_field(thread, "priority", 5);
        })?;
        self.initialise(world.known().string)?;
        self.call_static("java/lang/System", "registerNatives", "()V", &[])
            .ok();
        let system = self.construct("java/lang/ThreadGroup", "()V", &[])?;
        let name = self.state.string(world, "main").word();
        let group = self.construct(
            "java/lang/ThreadGroup",
            "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V",
            &[system.word(), name],
        )?;
        self.initialise(world.known().thread)?;
        let holder = world.load("java/lang/Thread$FieldHolder");
        if let Ok(holder) = holder {
            let holder_object = self.state.instantiate(world, holder);
            self.with_main(|env| {
                env.set_named_field(holder_object, "priority", 5);
                env.set_named_field(holder_object, "group", group.word());
                env.set_named_field(thread, "holder", holder_object.word());
            })?;
        } else {
            self.with_main(|env| env.set_named_field(thread, "group", group.word()))?;
        }
        set_thread_status(world, &mut self.state, thread, THREAD_RUNNABLE);
        self.construct_at(
            thread,
            "java/lang/Thread",
            "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V",
            &[group.word(), name],
        )?;
        set_thread_status(world, &mut self.state, thread, THREAD_RUNNABLE);
        self.with_main(|env| env.set_named_field(thread, "eetop", 1))
    }

    /// The loader that the program's classes say they come from.
    fn make_loader(&mut self) -> Result<(), String> {
        let loaders = "jdk/internal/loader/ClassLoaders";
        let loader = Ref::of(self.call_static(
            loaders,
            "appClassLoader",
            "()Ljava/lang/ClassLoader;",
            &[],
        )?);
        self.state.loader = loader;
        let class = self
            .world
            .load("java/lang/ClassLoader")
            .map_err(|error| error.to_string())?;
        self.initialise(class)?;
        let mirror = self.state.mirror(self.world, class);
        if let Some(slot) = self.world.static_slot_of(class, "scl") {
            self.state.heap.set_field(mirror, slot, loader.word());
        }
        self.with_main(|env| {
            env.state.program_module = Ref::of(env.named_field(loader, "unnamedModule"));
            let thread = env.thread.object;
            env.set_named_field(thread, "contextClassLoader", loader.word());
        })
    }

    /// What the last phases of the library's start would set, save for `bootLayer`: there are no
    /// modules, and who asks for them gets an answer that is made up.
    fn finish_system(&mut self) -> Result<(), String> {
        let class = self.world.load("java/lang/System");
        let class = class.map_err(|error| error.to_string())?;
        let mirror = self.state.mirror(self.world, class);
        let slot = |name| self.world.static_slot_of(class, name);
        let error = slot("err").map_or(0, |slot| self.state.heap.field(mirror, slot));
        let allowed = slot("MAYBE").map_or(0, |slot| self.state.heap.field(mirror, slot));
        for (name, value) in [
            ("initialErrStream", error),
            ("initialErr", error),
            ("allowSecurityManager", allowed),
        ] {
            if let Some(slot) = slot(name) {
                self.state.heap.set_field(mirror, slot, value);
            }
        }
        Ok(())
    }

    /// Constants of the platform that the library leaves to the machine.
    fn set_constants(&mut self) -> Result<(), String> {
        let class = self
            .world
            .load("jdk/internal/misc/UnsafeConstants")
            .map_err(|error| error.to_string())?;
        self.initialise(class)?;
        let mirror = self.state.mirror(self.world, class);
        for (name, value) in [
            ("ADDRESS_SIZE0", 8),
            ("PAGE_SIZE", 4096),
            ("UNALIGNED_ACCESS", 1),
        ] {
            if let Some(slot) = self.world.static_slot_of(class, name) {
                self.state.heap.set_field(mirror, slot, value);
            }
        }
        Ok(())
    }

    /// Lets the library's own threads run until they wait for something.
    fn settle(&mut self) -> Result<(), String> {
        for index in 1..self.state.threads.len() {
            let id = ThreadId(index as u32);
            let event = with_thread(self.world, &mut self.state, id, self.host, |env| {
                run(env, &mut BUDGET.clone())
            });
            if event != Some(Event::Blocked) {
                return Err(format!("a thread of the library does not wait: {event:?}"));
            }
        }
        Ok(())
    }

    /// One unnamed module for the library, and later another for the program: nothing is
    /// hidden from anybody.
    fn make_module(&mut self) -> Result<(), String> {
        let module = self.construct("java/lang/Module", "(Ljava/lang/ClassLoader;)V", &[0])?;
        self.state.module = module;
        for index in 0..self.state.classes.len() {
            let mirror = self
                .state
                .classes
                .get(index)
                .map(|class| class.mirror)
                .unwrap_or_default();
            self.state
                .heap
                .set_field(mirror, self.world.known().class_module, module.word());
        }
        Ok(())
    }
}

/// A throwable's class and message, and where it was made.
pub(crate) fn describe_throwable(env: &Env<'_>) -> String {
    let world = env.world;
    let throwable = env.thread.uncaught;
    let Some(object) = env.state.heap.get(throwable) else {
        return "an exception".to_owned();
    };
    let name = world.class_name(object.class).replace('/', ".");
    let message = env.state.text_of(
        world,
        env.state
            .heap
            .ref_field(throwable, world.known().throwable_message),
    );
    let mut text = format!("{name}: {}", message.unwrap_or_default());
    let trace = env
        .state
        .heap
        .ref_field(throwable, world.known().throwable_backtrace);
    if let Some(crate::heap::Body::Longs(trace)) =
        env.state.heap.get(trace).map(|object| &object.body)
    {
        for packed in trace.iter().take(30) {
            text.push_str(&format!(
                "\n  at {} @{}",
                world.method_name(MethodId((packed >> 32) as u32)),
                *packed as u16
            ));
        }
    }
    let cause = env
        .state
        .heap
        .ref_field(throwable, world.known().throwable_cause);
    if let Some(object) = env.state.heap.get(cause)
        && cause != throwable
    {
        let message = env.state.text_of(
            world,
            env.state
                .heap
                .ref_field(cause, world.known().throwable_message),
        );
        text.push_str(&format!(
            "\ncause {}: {}",
            world.class_name(object.class),
            message.unwrap_or_default()
        ));
    }
    text
}

//! Answers that are made up: where the machine has something in place of what a JVM would
//! answer, so that the library can go on.
//!
//! The entry of a native method says so, and what for; or, if it depends on what is asked for, the
//! method itself. The program itself does not get one: whatever it would do with it proves nothing. The library may ask on its behalf and make
//! no difference of it; but what goes wrong later may come from the answer and is no fault of the
//! program. So a state knows what was made up on the way to it, and a world what was in any.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use crate::files::Found;
use crate::interpret::{Args, Env, Trap};
use crate::state::State;
use crate::world::{ClassId, MethodId, Origin, World};

/// Whose answer a native method gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// That of every JVM.
    Every,
    /// That of a usual JVM on a usual machine, with what is left out: what goes wrong goes wrong
    /// there.
    Usual(&'static str),
    /// That of some JVM, with what is left out.
    Possible(&'static str),
    /// Nobody's, with what is not supported.
    Impossible(&'static str),
    /// One of these: the method notes which.
    Depends,
}

/// What kind of answer it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plausibility {
    /// Some JVM could give it, somewhere: an environment without variables, say. Others are not
    /// tried.
    Possible,
    /// No JVM gives it, so that nothing is proved.
    Impossible,
}

/// What was made up in an execution, as a person would call it.
#[derive(Clone, Debug, Default)]
pub struct MadeUp {
    names: Arc<BTreeSet<&'static str>>,
    /// Whether the library has started: what it is told before is no business of a program.
    has_begun: bool,
}

impl MadeUp {
    /// From now on it is noted.
    pub(crate) fn begin(&mut self) {
        *self = Self {
            names: Arc::default(),
            has_begun: true,
        };
    }

    /// Whether nothing was made up.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// What goes wrong now may come from these; none, if nothing was made up.
    pub fn suspects(&self) -> Option<String> {
        let names: Vec<&str> = self.names.iter().copied().collect();
        (!names.is_empty()).then(|| names.join("; "))
    }
}

/// What was made up in any execution.
#[derive(Debug, Default)]
pub struct AllMadeUp(Mutex<BTreeMap<&'static str, Plausibility>>);

impl AllMadeUp {
    /// The names of one kind.
    pub fn names(&self, kind: Plausibility) -> Vec<&'static str> {
        let all = self.0.lock().unwrap_or_else(|poison| poison.into_inner());
        let those = all.iter().filter(|&(_, &it)| it == kind);
        those.map(|(&name, _)| name).collect()
    }
}

/// Notes that something is made up.
pub fn note(world: &World, state: &mut State, what: &'static str, kind: Plausibility) {
    if state.made_up.has_begun && !state.made_up.names.contains(what) {
        Arc::make_mut(&mut state.made_up.names).insert(what);
        note_in_world(world, state, what, kind);
    }
}

/// Notes that something is left out, of which no fault can come.
pub fn leave_out(world: &World, state: &State, what: &'static str) {
    note_in_world(world, state, what, Plausibility::Possible);
}

fn note_in_world(world: &World, state: &State, what: &'static str, kind: Plausibility) {
    if state.made_up.has_begun {
        let all = world.made_up.0.lock();
        all.unwrap_or_else(|poison| poison.into_inner())
            .insert(what, kind);
    }
}

/// What is said of how many processors there are, which is not one of the answers after which nothing is
/// certain any more.
pub const PROCESSORS: &str = "machines with another number of processors";

/// The properties of the system of which nothing is known here: a machine has its own, or a JVM that is
/// not this one. Those without a value are among them.
const OWN_PROPERTIES: [(&str, &str); 20] = [
    ("user.name", "the property user.name"),
    ("user.home", "the property user.home"),
    ("user.dir", "the property user.dir"),
    ("user.language", "the property user.language"),
    ("user.country", "the property user.country"),
    ("user.variant", "the property user.variant"),
    ("user.script", "the property user.script"),
    ("user.timezone", "the property user.timezone"),
    ("os.version", "the property os.version"),
    ("java.io.tmpdir", "the property java.io.tmpdir"),
    ("java.home", "the property java.home"),
    ("java.class.path", "the property java.class.path"),
    ("java.library.path", "the property java.library.path"),
    (
        "sun.boot.library.path",
        "the property sun.boot.library.path",
    ),
    ("java.vm.name", "the property java.vm.name"),
    ("java.vm.vendor", "the property java.vm.vendor"),
    ("java.vm.version", "the property java.vm.version"),
    ("java.vm.info", "the property java.vm.info"),
    ("sun.java.command", "the property sun.java.command"),
    ("sun.java.launcher", "the property sun.java.launcher"),
];

/// Where the library has what is called for files.
const FILES: [&str; 5] = [
    "java/io/",
    "java/nio/",
    "sun/nio/",
    "java/util/",
    "java/security/AccessController",
];

/// Notes that the program asks for a property of the system.
pub fn note_property(world: &World, state: &mut State, key: &str) {
    let own = OWN_PROPERTIES.iter().find(|(own, _)| *own == key);
    match own {
        Some((_, what)) => note(world, state, what, Plausibility::Possible),
        // Versions are those of the JDK whose library it is.
        None if ["java.", "jdk.", "line.", "file.", "path."]
            .iter()
            .any(|it| key.starts_with(it)) => {}
        None => leave_out(
            world,
            state,
            "properties of other systems, and those that are set with -D",
        ),
    }
}

impl Env<'_> {
    /// Notes that the answer to the current call is one that no JVM gives. The program itself does
    /// not get it.
    pub(crate) fn make_up(&mut self, what: &'static str) -> Result<(), Trap> {
        if self.state.made_up.has_begun && self.is_called_by_program() {
            return Err(Trap::Unsupported(what.to_owned()));
        }
        note(self.world, self.state, what, Plausibility::Impossible);
        Ok(())
    }

    /// Notes that the answer to the current call is one of several that a JVM may give.
    pub(crate) fn one_of_many(&mut self, what: &'static str) {
        note(self.world, self.state, what, Plausibility::Possible);
    }

    /// The same, if it is the program itself that asks. The library may ask so as to go faster.
    pub(crate) fn one_of_many_for_program(&mut self, what: &'static str) {
        if self.is_called_by_program() {
            self.one_of_many(what);
        }
    }

    /// Looks for a file. That there is none is so where the program runs here, and may be otherwise on a
    /// machine that has files of its own; where the library looks for its own, it is so everywhere.
    pub(crate) fn find_file(&mut self, path: &str) -> Option<Found> {
        let found = self.state.files.find(self.world, path);
        let is_own = self.world.outside.is_of_system(path) && !self.is_file_of_program();
        let is_certain = is_own || self.state.files.is_certain(path) || self.looks_for_free_name();
        if found.is_none() && !is_certain {
            self.one_of_many("files of the host, of which there are none");
        }
        found
    }

    /// Whether a name for a temporary file is looked for: that one is free is so everywhere.
    fn looks_for_free_name(&self) -> bool {
        self.callers_for_files().any(|(class, method)| {
            class == "java/nio/file/TempFileHelper"
                || class == "java/io/File" && method == "createTempFile"
        })
    }

    /// Whether it is the program that asks for a file, by whatever the library has for files.
    fn is_file_of_program(&self) -> bool {
        let depth = self.callers_for_files().count();
        let asks = self.thread.frames.iter().rev().nth(depth);
        asks.is_some_and(|frame| {
            let class = self.world.method(frame.method).class;
            self.world.class(class).origin != Origin::Library
        })
    }

    /// The callers of the current native method, from the innermost one on, as long as they are of what
    /// the library has for files: their classes and names.
    fn callers_for_files(&self) -> impl Iterator<Item = (&str, &str)> {
        let callers = self.thread.frames.iter().rev().map(|frame| {
            let method = self.world.method(frame.method);
            let class = self.world.class(method.class);
            let name = self.world.text(class.name);
            (class.origin, name, self.world.text(method.name))
        });
        callers
            .take_while(|(origin, class, _)| {
                *origin == Origin::Library && FILES.iter().any(|it| class.starts_with(it))
            })
            .map(|(_, class, method)| (class, method))
    }

    /// Notes what the entry of the native method that is called says of its answer.
    pub(crate) fn note_source(&mut self, source: Source) -> Result<(), Trap> {
        match source {
            Source::Every | Source::Depends => {}
            Source::Usual(what) => {
                leave_out(self.world, self.state, what);
            }
            Source::Possible(what) => self.one_of_many(what),
            Source::Impossible(what) => self.make_up(what)?,
        }
        Ok(())
    }

    /// Whether it is the program itself that calls the current native method.
    pub(crate) fn is_called_by_program(&self) -> bool {
        let caller = self.thread.frames.last();
        let class = caller.map(|frame| self.world.method(frame.method).class);
        class.is_some_and(|class| self.world.class(class).origin == Origin::Program)
    }

    /// The same, be it by reflection.
    pub(crate) fn is_asked_by_program(&self) -> bool {
        let callers = self.thread.frames.iter().rev();
        let mut classes = callers.map(|frame| self.world.method(frame.method).class);
        let is_reflection = |class: &ClassId| {
            let name = self.world.class_name(*class);
            ["java/lang/reflect/", "jdk/internal/reflect/"]
                .iter()
                .any(|it| name.starts_with(it))
        };
        let asking = classes.find(|class| !is_reflection(class));
        asking.is_some_and(|class| self.world.class(class).origin == Origin::Program)
    }

    /// The name of the class that calls the current native method.
    pub(crate) fn caller_name(&self) -> Option<&str> {
        let frame = self.thread.frames.last()?;
        Some(self.world.class_name(self.world.method(frame.method).class))
    }

    /// A call of a method of the machine in place of the current native one; it is made once.
    pub(crate) fn call_stub(
        &self,
        key: &str,
        make: impl FnOnce() -> Option<MethodId>,
        args: &[u64],
    ) -> Trap {
        let invokers = &self.world.invokers;
        let made = || Some(invokers.insert(key.to_owned(), make()?));
        match invokers.find(key).or_else(made) {
            Some(stub) => Trap::Call(stub, Args::from_slice(args)),
            None => Trap::Unsupported(key.to_owned()),
        }
    }
}

//! Access modes weaker than volatile, which are known where the program calls a method.
//!
//! The methods of `VarHandle`, of the atomic classes and of `Unsafe` say by their names in
//! which mode they access memory. The library's own code on top of the machine makes volatile
//! accesses of all but the plain ones, so what counts is the method that the *program* calls:
//! what the library does in weaker modes for itself is taken on trust.

use raddle_jvm::thread::Frame;
use raddle_jvm::world::{ClassId, MethodId, Origin};
use raddle_jvm::{is_hidden, line_number, position, source_file};

use super::program::Program;
use raddle_views as views;

/// How much an access orders others. A volatile one is none of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mode {
    Plain,
    Opaque,
    /// An update that is an acquire or a release, but not both.
    Half,
    /// A read that is an acquire, or a write that is a release.
    Ordered,
}

/// A call of the program that accesses memory in a weaker mode than volatile.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct WeakCall {
    /// `Flag.java:7: AtomicBoolean.setOpaque`
    pub(crate) told: String,
    pub(crate) mode: Mode,
}

/// The mode in which the program accesses memory where a thread stands, unless that is
/// volatile, or the access is the library's own.
pub(crate) fn weak_call(program: &Program, frames: &[Frame]) -> Option<WeakCall> {
    let call = Call::of(program, frames)?;
    let mode = mode(call.class(program), call.name(program))?;
    Some(WeakCall {
        told: call.told(program),
        mode,
    })
}

/// The modes in which the call of the program reads and writes where a thread stands, unless both
/// are volatile.
pub(crate) fn pair(program: &Program, frames: &[Frame]) -> Option<(views::Mode, views::Mode)> {
    use views::Mode::{Acquire, Opaque, Plain, Release};
    let call = Call::of(program, frames)?;
    let name = call.name(program);
    let mode = mode(call.class(program), name)?;
    Some(match (mode, name) {
        (Mode::Plain, _) => (Plain, Plain),
        (Mode::Opaque, _) => (Opaque, Opaque),
        // Of an update the other half is plain; of a read or a write there is no other half.
        _ if name.ends_with("Acquire") => (Acquire, Plain),
        _ => (Plain, Release),
    })
}

/// Whether the program has called a compare-and-set that may fail for no reason.
pub(crate) fn may_fail(program: &Program, frames: &[Frame]) -> bool {
    Call::of(program, frames).is_some_and(|call| {
        call.name(program).starts_with("weakCompareAndSet") && family(call.class(program)).is_some()
    })
}

/// The fence that the program has called, if it has.
pub(crate) fn fence(program: &Program, frames: &[Frame]) -> Option<String> {
    let call = Call::of(program, frames)?;
    let is_fence = call.name(program).ends_with("Fence") && family(call.class(program)).is_some();
    is_fence.then(|| call.told(program))
}

/// A call of the library by the program, which is the last one.
struct Call<'f> {
    /// Where the program is.
    callers: &'f [Frame],
    method: MethodId,
}

impl<'f> Call<'f> {
    fn of(program: &Program, frames: &'f [Frame]) -> Option<Self> {
        let own = frames.iter().rposition(|frame| is_own(program, frame))?;
        let mut inner = frames.get(own + 1..)?.iter();
        let method = match inner.find(|frame| !passes_on(program, frame)) {
            Some(frame) => frame.method,
            // A native method has no frame.
            None => program.called(frames.last()?)?,
        };
        Some(Self {
            callers: frames.get(..=own)?,
            method,
        })
    }

    fn class<'w>(&self, program: &'w Program) -> &'w str {
        program.class_name(program.method(self.method).class)
    }

    fn name<'w>(&self, program: &'w Program) -> &'w str {
        program.text(program.method(self.method).name)
    }

    fn told(&self, program: &Program) -> String {
        let class = match family(self.class(program)) {
            Some(Family::Handle) => "VarHandle",
            _ => self.class(program).rsplit('/').next().unwrap_or_default(),
        };
        // The implementations of updaters are private classes of theirs.
        let class = class.split('$').next().unwrap_or_default();
        let called = format!("{class}.{}", self.name(program));
        let place = |frame: &Frame| {
            let line = line_number(program, frame.method, position(program, frame));
            let file = source_file(program, frame.method).filter(|_| line > 0)?;
            Some(format!("{file}:{line}: {called}"))
        };
        let own = self.callers.iter().rev().filter(|it| is_own(program, it));
        own.filter_map(place).next().unwrap_or(called.clone())
    }
}

/// Whether a frame is of the program's own code. A method reference is code of the class that
/// it stands in.
pub(super) fn is_own(program: &Program, frame: &Frame) -> bool {
    let class = program.class(program.method(frame.method).class);
    match class.origin {
        Origin::Program => true,
        Origin::Library | Origin::Engine => false,
        Origin::Machine => {
            let host = program.text(class.name).split("$$Lambda").next();
            let host = host.and_then(|host| program.loaded(program.names.intern(host)));
            let host: Option<ClassId> = host.and_then(Result::ok);
            host.is_some_and(|host| program.class(host).origin == Origin::Program)
        }
    }
}

/// Whether a frame only makes a call for its caller: by reflection or through a handle.
fn passes_on(program: &Program, frame: &Frame) -> bool {
    let class = program.class_name(program.method(frame.method).class);
    is_hidden(program, frame.method)
        || class.starts_with("java/lang/reflect/")
        || class.starts_with("jdk/internal/reflect/")
}

/// Whether a frame only accesses memory for its caller.
pub(crate) fn is_means(program: &Program, frame: &Frame) -> bool {
    let class = program.class_name(program.method(frame.method).class);
    let is_access = matches!(family(class), Some(Family::Handle | Family::Unsafe));
    is_access || passes_on(program, frame)
}

/// The classes whose methods have modes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Atomic,
    Handle,
    Unsafe,
}

fn family(class: &str) -> Option<Family> {
    match class {
        "sun/misc/Unsafe" | "jdk/internal/misc/Unsafe" => Some(Family::Unsafe),
        _ if class.starts_with("java/util/concurrent/atomic/") => Some(Family::Atomic),
        _ if class.starts_with("java/lang/invoke/VarHandle") => Some(Family::Handle),
        _ => None,
    }
}

/// The mode of a method, unless that is volatile.
fn mode(class: &str, name: &str) -> Option<Mode> {
    let family = family(class)?;
    let is_plain = match family {
        // Of the atomic classes this one is the plain mode, of handles it is the volatile one.
        Family::Atomic => name == "weakCompareAndSet",
        Family::Handle => matches!(name, "get" | "set"),
        Family::Unsafe => {
            let is_access = name.starts_with("get") || name.starts_with("put");
            is_access && !name.starts_with("getAnd") && !name.ends_with("Volatile")
        }
    };
    Some(match name {
        "lazySet" | "getAcquire" | "setRelease" => Mode::Ordered,
        _ if name.starts_with("putOrdered") => Mode::Ordered,
        _ if name.ends_with("Acquire") || name.ends_with("Release") => Mode::Half,
        _ if name.ends_with("Opaque") => Mode::Opaque,
        _ if is_plain || name.ends_with("Plain") => Mode::Plain,
        _ => return None,
    })
}

//! Exceptions that say that a class is not there.
//!
//! They tell of the class path that was given, not of the program: with the one that the program
//! is meant to run with they may not come. Programs and libraries that can do without a class
//! catch them, and then everything goes on as in a JVM. Where nobody does, the execution is given
//! up, and the class is named.

use super::Env;
use crate::code::Body;
use crate::heap::Ref;
use crate::world::{ClassId, LoadError, Origin};

const AT_LINKING: &str = "java/lang/NoClassDefFoundError";
const BY_NAME: &str = "java/lang/ClassNotFoundException";

/// So many causes of an exception are looked at.
const MOST_CAUSES: usize = 20;

impl Env<'_> {
    /// What to say of an exception which tells of a class that is not there, or which was caused
    /// by such a one, unless it is expected.
    pub(super) fn incomplete_class_path(&self, exception: Ref) -> Option<String> {
        let (class, is_linking) = self.missing_class(exception)?;
        if self.is_expected(exception, is_linking) {
            return None;
        }
        let shown = class.replace('/', ".");
        let why = format!("the class {shown} is missing on the class path (-cp)");
        if is_linking && self.is_own_code() {
            self.world.miss(shown);
        }
        Some(why)
    }

    /// The class that an exception or its cause says is missing, if it is; and whether that was
    /// seen when code was linked.
    fn missing_class(&self, exception: Ref) -> Option<(String, bool)> {
        let known = self.world.known();
        let mut next = exception;
        for _ in 0..MOST_CAUSES {
            let thrown = self.state.heap.get(next)?;
            let name = self.world.class_name(thrown.class);
            if matches!(name, AT_LINKING | BY_NAME) {
                let message = self.state.heap.ref_field(next, known.throwable_message);
                let message = self.state.text_of(self.world, message).unwrap_or_default();
                let class = message.replace('.', "/");
                let asked = self.world.loaded(self.world.names.intern(&class));
                if matches!(asked, Some(Err(LoadError::NotFound(_)))) {
                    return Some((class, name == AT_LINKING));
                }
            }
            let cause = self.state.heap.ref_field(next, known.throwable_cause);
            if cause == next {
                return None;
            }
            next = cause;
        }
        None
    }

    /// Whether somebody catches an exception who counts with it: the program or one of its
    /// libraries, and the JDK if it says so. What the JDK catches whatever it is (to hand it to
    /// the program later, or to end a thread) is not expected, and neither is what the program's
    /// own code names and nothing but a `catch (Throwable)` is there for.
    fn is_expected(&self, exception: Ref, is_linking: bool) -> bool {
        let link_error = self.world.load("java/lang/LinkageError");
        let is_link_error = |caught: ClassId| {
            let assignable = |error| self.world.is_assignable(caught, error);
            link_error.as_ref().is_ok_and(|&error| assignable(error))
        };
        let is_own = is_linking && self.is_own_code();
        for frame in self.thread.frames.iter().rev() {
            let method = self.world.method(frame.method);
            let Some(Body::Code(code)) = method.body.get() else {
                continue;
            };
            // What catches everything cleans up, and throws it again.
            let mut handlers = self.handlers(method, code, *frame, exception);
            if let Some(caught) = handlers.find_map(|(_, caught)| caught) {
                let is_library = self.world.class(method.class).origin == Origin::Library;
                return match is_linking && (is_own || is_library) {
                    true => is_link_error(caught),
                    false => true,
                };
            }
        }
        false
    }

    /// Whether the code that runs is of the program itself, and not of a library.
    fn is_own_code(&self) -> bool {
        let frames = self.thread.frames.iter().rev();
        let mut methods = frames.map(|frame| self.world.method(frame.method));
        let running = methods.find(|method| method.member != u16::MAX);
        running.is_some_and(|method| self.world.is_own(method.class))
    }
}

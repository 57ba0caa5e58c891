//! What happens when an instruction does not simply do what it says.

use super::{Env, Event, Trap};
use crate::code::{Body, Code, CodeHandler};
use crate::heap::Ref;
use crate::stubs;
use crate::thread::{Frame, Then};
use crate::world::{ClassId, Method};

impl Env<'_> {
    /// Deals with a trap. Gives an event if the thread stops.
    pub(crate) fn handle(&mut self, trap: Trap) -> Option<Event> {
        let mut trap = trap;
        // Dealing with one trap may meet the next, but never for ever.
        for _ in 0..16 {
            let outcome = match trap {
                Trap::Throw(exception) => self.throw(exception),
                Trap::Raise(class, message) => self.raise(class, message),
                Trap::Call(method, args) => self.push_call(method, &args, Then::Nothing),
                Trap::Initialise(class) => self.begin_initialisation(class),
                Trap::Block(status) => {
                    self.thread.status = status;
                    return Some(Event::Blocked);
                }
                Trap::Yield => return Some(Event::Yielded),
                Trap::Watched => return Some(Event::Watched),
                Trap::Exit(code) => return Some(Event::Exit(code)),
                Trap::Unsupported(what) => {
                    return Some(Event::Unsupported(what, self.stack_trace()));
                }
            };
            match outcome {
                Ok(()) => return None,
                Err(next) => trap = next,
            }
        }
        Some(Event::Unsupported(format!("{trap:?}"), self.stack_trace()))
    }

    /// Makes an exception and throws it, by code of the machine's own.
    fn raise(&mut self, class: &str, message: Option<String>) -> Result<(), Trap> {
        let world = self.world;
        let Some(stub) = stubs::raiser(world, class, message.is_some()) else {
            return Err(Trap::Unsupported(format!(
                "throwing {class}: {}",
                message.unwrap_or_default()
            )));
        };
        match message {
            Some(message) => {
                let message = self.state.string(world, &message);
                self.push_call(stub, &[message.word()], Then::Nothing)
            }
            None => self.push_call(stub, &[], Then::Nothing),
        }
    }

    /// Goes to the handler of an exception. Without one, all frames are left.
    fn throw(&mut self, exception: Ref) -> Result<(), Trap> {
        if let Some(why) = self.incomplete_class_path(exception) {
            return Err(Trap::Unsupported(why));
        }
        let mut exception = exception;
        while let Some(&frame) = self.thread.frames.last() {
            let method = self.world.method(frame.method);
            if let Some(Body::Code(code)) = method.body.get()
                && let Some(target) = self.handler(method, code, frame, exception)
            {
                if let Some(place) = self
                    .thread
                    .stack
                    .get_mut(frame.base as usize + code.locals as usize)
                {
                    *place = exception.word();
                }
                let caught = frame.base as usize + code.locals as usize;
                self.thread.marks.set(caught, false);
                if let Some(frame) = self.thread.frames.last_mut() {
                    frame.pc = target;
                }
                return Ok(());
            }
            self.thread.frames.pop();
            if let Some(hook) = self.hook.as_deref_mut() {
                hook.returned(self.thread.frames.len());
            }
            if self.follows() {
                self.follow_return(&frame, None, true);
            }
            match frame.then {
                Then::Unlock(object) => self.unlock(object),
                Then::Initialised(class) => {
                    self.record_failure(class, exception);
                    if let Some(wrapped) = self.wrap_initialisation_failure(exception) {
                        exception = wrapped;
                    }
                }
                Then::Nothing => {}
            }
        }
        self.thread.uncaught = exception;
        Ok(())
    }

    fn handler(&self, method: &Method, code: &Code, frame: Frame, exception: Ref) -> Option<u32> {
        let mut handlers = self.handlers(method, code, frame, exception);
        handlers.next().map(|(handler, _)| handler.target)
    }

    /// The handlers of a frame for an exception, and the class that each of them catches; none
    /// catches everything.
    pub(super) fn handlers<'c>(
        &self,
        method: &'c Method,
        code: &'c Code,
        frame: Frame,
        exception: Ref,
    ) -> impl Iterator<Item = (&'c CodeHandler, Option<ClassId>)> {
        let position = code.pcs.get(frame.pc as usize).copied();
        let class = self.state.heap.get(exception).map(|it| it.class);
        let here = code.handlers.iter().filter(move |handler| {
            position.is_some_and(|it| handler.start <= it && u32::from(it) < handler.end)
        });
        here.filter_map(move |handler| {
            let Some(site) = handler.site else {
                return Some((handler, None));
            };
            let caught = self.resolve_class(method, code, site).ok()?;
            let is_caught = self.world.is_assignable(class?, caught);
            is_caught.then_some((handler, Some(caught)))
        })
    }

    /// What a failed initialisation throws, if it was not an error already.
    fn wrap_initialisation_failure(&mut self, exception: Ref) -> Option<Ref> {
        let world = self.world;
        let class = self.state.heap.get(exception)?.class;
        if world.is_assignable(class, world.known().error) {
            return None;
        }
        let wrapper = world.load("java/lang/ExceptionInInitializerError").ok()?;
        let wrapped = self.make_throwable(wrapper);
        self.state
            .heap
            .set_field(wrapped, world.known().throwable_cause, exception.word());
        if let Some(slot) = world.slot_of(wrapper, "exception") {
            self.state.heap.set_field(wrapped, slot, exception.word());
        }
        Some(wrapped)
    }

    /// A throwable made without its constructor, with the current stack.
    pub(crate) fn make_throwable(&mut self, class: ClassId) -> Ref {
        let world = self.world;
        let known = world.known();
        let object = self.state.instantiate(world, class);
        let mirror = self.state.mirror(world, known.throwable);
        for (field, constant) in [
            ("stackTrace", "UNASSIGNED_STACK"),
            ("suppressedExceptions", "SUPPRESSED_SENTINEL"),
        ] {
            if let (Some(slot), Some(from)) = (
                world.slot_of(class, field),
                world.static_slot_of(known.throwable, constant),
            ) {
                let value = self.state.heap.field(mirror, from);
                self.state.heap.set_field(object, slot, value);
            }
        }
        crate::natives::fill_in_stack_trace(self, object);
        object
    }

    /// The calls of the current thread, innermost first, as in messages.
    pub(crate) fn stack_trace(&self) -> Vec<String> {
        let frames = self.thread.frames.iter().rev();
        frames
            .filter_map(|frame| crate::natives::describe_frame(self.world, frame))
            .collect()
    }
}

//! What threads do outside of objects: files, and memory by address. All of it is one object to
//! others, so that any two of such operations conflict.
//!
//! The methods that do it are native ones, which also read or write the elements of an array, the
//! fields of an object that they fill, or say in a descriptor which file it is. Objects of these that
//! others can reach are accessed by the same step. Which they are is seen from the arguments.

use raddle_jvm::descriptor::Signature;
use raddle_jvm::heap::{Body, Ref};
use raddle_jvm::hook::Reply;
use raddle_jvm::reach::is_shared;
use raddle_jvm::state::State;
use raddle_jvm::world::Method;
use raddle_reduce::exclusive::Go;

use super::acts::{Act, Outside};
use super::run::Run;

/// The arguments whose objects never change, or are not looked at.
const FIXED: [&str; 2] = ["java/lang/String", "java/io/File"];
const DESCRIPTOR: &str = "java/io/FileDescriptor";

impl Run<'_> {
    /// A native method that does something outside of objects.
    pub(super) fn outside(&mut self, state: &State, method: &Method, args: &[u64]) -> Reply {
        if !self.is_concurrent {
            return Reply::Go;
        }
        let mut outside = Outside::default();
        let mut all = self.objects(state, method, args);
        // Of two arrays one is copied to the other.
        let name = self.program.text(method.name);
        outside.reads = match (all.next(), all.next()) {
            (Some(from), Some(to)) => {
                outside.writes = to;
                from
            }
            (Some(only), None) if name.starts_with("write") => only,
            (Some(only), None) => {
                outside.writes = only;
                Ref::NULL
            }
            _ => Ref::NULL,
        };
        drop(all);
        let is_changed = ["open0", "close0", "setfdVal"].contains(&name);
        outside.descriptor = (self.descriptor(state, args), is_changed);
        let accesses = [
            (&mut outside.reads, false),
            (&mut outside.writes, true),
            (&mut outside.descriptor.0, is_changed),
        ];
        for (object, is_write) in accesses {
            let count = state
                .heap
                .get(*object)
                .map_or(0, |found| match &found.body {
                    Body::Fields(fields) => fields.len(),
                    other => other.length().unwrap_or(0),
                });
            match self.access_all(&state.heap, *object, 0..count as u32, is_write) {
                Go::Stop => {}
                Go::On => *object = Ref::NULL,
                Go::Claim(claimed) => {
                    self.claims(claimed);
                    return Reply::Stop;
                }
            }
        }
        self.reply(Act::Outside(outside), None)
    }

    /// The arguments that are objects that may change, but for descriptors and the receiver.
    fn objects<'s>(
        &self,
        state: &'s State,
        method: &Method,
        args: &'s [u64],
    ) -> impl Iterator<Item = Ref> + use<'s> {
        let program = self.program;
        let signature = Signature::parse(program.text(method.descriptor));
        let kinds = signature.map(|it| it.parameters).unwrap_or_default();
        let is_object: Vec<bool> = kinds
            .iter()
            .map(|kind| {
                let name = kind.trim_start_matches('L').trim_end_matches(';');
                let can_change = !FIXED.contains(&name) && name != DESCRIPTOR;
                kind.starts_with(['L', '[']) && can_change
            })
            .collect();
        let given = &args[usize::from(!method.is_static()).min(args.len())..];
        given
            .iter()
            .zip(is_object)
            .filter(|&(_, is_object)| is_object)
            .map(|(&word, _)| Ref::of(word))
            .filter(|&object| state.heap.get(object).is_some())
    }

    /// The descriptor that says which file it is: the first argument, or that of the receiver.
    fn descriptor(&self, state: &State, args: &[u64]) -> Ref {
        let program = self.program;
        let first = Ref::of(args.first().copied().unwrap_or(0));
        let class_of = |object: Ref| state.heap.get(object).map(|found| found.class);
        let is_descriptor =
            |object| class_of(object).is_some_and(|it| program.class_name(it) == DESCRIPTOR);
        if is_descriptor(first) {
            return first;
        }
        let slot = class_of(first).and_then(|class| program.slot_of(class, "fd"));
        let field = slot.map_or(Ref::NULL, |slot| Ref::of(state.heap.field(first, slot)));
        match is_descriptor(field) && is_shared(program, &state.heap, field) {
            true => field,
            false => Ref::NULL,
        }
    }
}

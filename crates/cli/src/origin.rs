//! Where a trace comes from, which is saved with it.

use crate::programs::Setup;
use raddle_model::Trace;
use raddle_report::Source;
use raddle_report::saved::{Identity, SavedLimits, SavedTrace, hash, trace_to_json};

/// A program and how it was run.
pub(crate) struct Origin<'a> {
    /// The program.
    pub(crate) source: &'a Source,
    /// How it was run.
    pub(crate) setup: &'a Setup,
}

impl Origin<'_> {
    /// The content of a file from which a trace can be replayed.
    pub(crate) fn saved(&self, trace: &Trace) -> String {
        let limits = self.setup.limits();
        let saved = SavedTrace {
            program: Identity {
                file: self.source.name.clone(),
                hash: hash(&self.source.text),
            },
            limits: SavedLimits {
                stack_words: limits.stack_words as u64,
                heap_words: limits.heap_words as u64,
                // Threads are not bounded where the trace was not found by a search.
                threads: limits.threads.max(trace.threads.len()) as u64,
            },
            defines: self.setup.defines.clone(),
            unreachable: self.setup.unreachable.clone(),
            unsafe_sets: self.setup.unsafe_sets.clone(),
            initially: self.setup.initially.clone(),
            schedule: trace.steps.iter().map(|step| step.step).collect(),
            property: trace.property.clone(),
        };
        let value = trace_to_json(&saved, trace, std::slice::from_ref(self.source));
        format!("{value:#}\n")
    }
}

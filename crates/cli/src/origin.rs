//! Where a trace comes from, which is saved with it.

use raddle_machine::MachineLimits;
use raddle_model::Trace;
use raddle_report::Source;
use raddle_report::saved::{Identity, SavedLimits, SavedTrace, hash, trace_to_json};

/// A program and how it was run.
pub(crate) struct Origin<'a> {
    /// The program.
    pub(crate) source: &'a Source,
    /// How large a state may become.
    pub(crate) machine: MachineLimits,
    /// Other values for the program's constants.
    pub(crate) defines: &'a [(String, i64)],
    /// Labels that must not be reached.
    pub(crate) unreachable: &'a [String],
}

impl Origin<'_> {
    /// The content of a file from which a trace can be replayed.
    pub(crate) fn saved(&self, trace: &Trace) -> String {
        let saved = SavedTrace {
            program: Identity {
                file: self.source.name.clone(),
                hash: hash(&self.source.text),
            },
            limits: SavedLimits {
                stack_words: self.machine.stack_words as u64,
                heap_words: self.machine.heap_words as u64,
                threads: self.machine.threads as u64,
            },
            defines: self.defines.to_vec(),
            unreachable: self.unreachable.to_vec(),
            schedule: trace.steps.iter().map(|step| step.step).collect(),
            property: trace.property.clone(),
        };
        let value = trace_to_json(&saved, trace, std::slice::from_ref(self.source));
        format!("{value:#}\n")
    }
}

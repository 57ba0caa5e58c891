//! Where a trace comes from, which is saved with it.

use crate::programs::Setup;
use raddle_model::Trace;
use raddle_report::Source;
use raddle_report::saved::{Identity, SavedJava, SavedLimits, SavedTrace, hash, trace_to_json};

/// A program and how it was run.
pub(crate) struct TraceOrigin<'a> {
    /// The program's files. The first is the program itself.
    pub(crate) sources: &'a [Source],
    /// How it was run.
    pub(crate) setup: &'a Setup,
    /// How it was run if it is Java.
    pub(crate) java: Option<&'a SavedJava>,
}

/// The hash of a program with all of its files.
pub(crate) fn fingerprint(sources: &[Source]) -> u64 {
    match sources {
        [one] => hash(&one.text),
        all => hash(&all.iter().map(|it| it.text.as_str()).collect::<String>()),
    }
}

impl TraceOrigin<'_> {
    /// The content of a file from which a trace can be replayed.
    pub(crate) fn saved(&self, trace: &Trace) -> String {
        let limits = self.setup.limits();
        let file = match self.java {
            Some(_) => self.setup.java.file.display().to_string(),
            None => self.sources[0].name.clone(),
        };
        let saved = SavedTrace {
            program: Identity {
                file,
                hash: fingerprint(self.sources),
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
            java: self.java.cloned(),
            schedule: trace.steps.iter().map(|step| step.step).collect(),
            property: trace.property.clone(),
        };
        let value = trace_to_json(&saved, trace, self.sources);
        format!("{value:#}\n")
    }
}

//! JSON: what is written can be read back, and anything else is refused politely.

use crate::common;

use common::{counter, counter_source, dining, dining_source, options, statistics};
use raddle_model::{Move, Reason, Thread, Trace};
use raddle_report::json::{Problem, error_json, outcome_json};
use raddle_report::saved::{
    Identity, SavedLimits, SavedTrace, hash, trace_from_json, trace_to_json,
};
use raddle_report::{Report, Source};
use serde_json::{Value, json};

fn saved(trace: &Trace) -> SavedTrace {
    SavedTrace {
        program: Identity {
            file: "a.rad".to_owned(),
            hash: hash("text"),
        },
        limits: SavedLimits {
            stack_words: 1,
            heap_words: 2,
            threads: 3,
        },
        defines: vec![("N".to_owned(), 3)],
        unreachable: vec!["critical".to_owned()],
        unsafe_sets: Vec::new(),
        initially: None,
        java: None,
        schedule: trace.steps.iter().map(|step| step.step).collect(),
        property: trace.property.clone(),
    }
}

fn written(trace: &Trace, sources: &[Source]) -> Value {
    let text = trace_to_json(&saved(trace), trace, sources).to_string();
    serde_json::from_str(&text).expect("what was written is JSON")
}

#[test]
fn traces_come_back() {
    for (trace, sources) in [(dining(), dining_source()), (counter(), counter_source())] {
        let back = trace_from_json(&written(&trace, &sources));
        assert_eq!(back, Ok(saved(&trace)));
    }
}

/// Replaces or removes every field, at every depth, by values of all types.
#[test]
fn damaged_traces_are_refused_without_a_panic() {
    let whole = written(&counter(), &counter_source());
    let mut refused = 0;
    for pointer in pointers(&whole) {
        if pointer.starts_with("/trace") {
            continue;
        }
        for value in [
            Value::Null,
            json!(-1),
            json!(1e300),
            json!("x"),
            json!([]),
            json!({}),
            json!([[1]]),
            json!(u64::MAX),
        ] {
            let mut damaged = whole.clone();
            if let Some(field) = damaged.pointer_mut(&pointer) {
                *field = value;
            }
            refused += usize::from(trace_from_json(&damaged).is_err());
        }
    }
    assert!(refused > 100, "only {refused}");
    let error = trace_from_json(&json!({"format": "raddle-trace", "schema": 1}));
    assert_eq!(error, Err("`program.fnv1a64` is missing".to_owned()));
    let error = trace_from_json(&json!({"format": "raddle-trace", "schema": 7}));
    let newer = "the trace has schema 7; this raddle reads schema 1";
    assert_eq!(error, Err(newer.to_owned()));
    assert!(trace_from_json(&json!([1, 2])).is_err());
}

fn pointers(value: &Value) -> Vec<String> {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(k, v)| (k.clone(), v)).collect(),
        Value::Array(items) => {
            let numbered = items.iter().enumerate();
            numbered.map(|(index, v)| (index.to_string(), v)).collect()
        }
        _ => Vec::new(),
    };
    let mut found = vec![String::new()];
    for (name, child) in children {
        found.extend(
            pointers(child)
                .into_iter()
                .map(|rest| format!("/{name}{rest}")),
        );
    }
    found
}

#[test]
fn an_outcome_says_everything() {
    let trace = dining();
    let sources = dining_source();
    let report = Report {
        sources: &sources,
        traces: std::slice::from_ref(&trace),
        reasons: &[Reason::Time],
        races: &[],
        not_covered: &[],
        reach: None,
        remarks: &[],
        statistics: Some(statistics()),
        coverage: None,
        options: options(),
    };
    let value = outcome_json(&report);
    assert_eq!(value["schema"], 1);
    assert_eq!(value["verdict"], "violated");
    assert_eq!(value["kind"], "deadlock");
    assert_eq!(value["place"], Value::Null);
    assert_eq!(value["reasons"][0]["name"], "time");
    assert_eq!(value["statistics"]["states"], 12);
    assert_eq!(value["options"]["properties"]["deadlock"], true);
    assert_eq!(value["trace"]["threads"][1], "philosopher[1]");
    assert_eq!(
        value["trace"]["steps"][1]["events"][0]["operation"],
        "acquire"
    );
    assert_eq!(value["trace"]["steps"][1]["place"]["line"], 4);
    assert_eq!(
        value["trace"]["waiting"][0]["wants"][0]["object"],
        "fork[1]"
    );
    assert_eq!(value["trace"]["values"][0]["name"], "fork[0]");
    assert_eq!(value["others"], json!([]));
}

#[test]
fn errors_have_places() {
    let problem = Problem {
        message: "unexpected `}`".to_owned(),
        line: 3,
        column: 7,
        label: "expected a statement".to_owned(),
        help: None,
    };
    let value = error_json("1 error", Some("a.rad"), &[problem]);
    assert_eq!(value["error"]["diagnostics"][0]["line"], 3);
    assert_eq!(value["error"]["diagnostics"][0]["column"], 7);
    assert_eq!(value["error"]["message"], "1 error");
    assert_eq!(value["verdict"], "bad-input");
}

#[test]
fn the_hash_is_fnv_1a() {
    assert_eq!(hash(""), 0xcbf2_9ce4_8422_2325);
    assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
    assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
}

#[test]
fn a_schedule_keeps_its_choices() {
    let trace = dining();
    let mut saved = saved(&trace);
    saved.schedule = vec![Move {
        thread: Thread(7),
        choice: 9,
    }];
    let value = trace_to_json(&saved, &trace, &[]);
    assert_eq!(value["schedule"], json!([[7, 9]]));
}

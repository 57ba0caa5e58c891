//! Whether what raddle writes has the form that it says: its own JSON, SARIF, JUnit XML.

#![allow(dead_code, reason = "each file of tests uses a part")]

use jsonschema::Validator;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// What raddle has printed as JSON.
pub(crate) fn told(done: &Output) -> Value {
    let text = String::from_utf8_lossy(&done.stdout);
    let value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{done:?}"));
    valid(&value);
    value
}

/// Fails if a value is none of the outputs in `docs/schema`.
pub(crate) fn valid(value: &Value) {
    static FORM: OnceLock<Validator> = OnceLock::new();
    let form = FORM.get_or_init(|| {
        let path = root().join("docs/schema/raddle-1.schema.json");
        let mut schema = read(&path);
        close(&mut schema);
        jsonschema::validator_for(&schema).expect("a schema")
    });
    accept(form, value);
}

/// Fails if a value is no SARIF log.
pub(crate) fn valid_sarif(value: &Value) {
    static FORM: OnceLock<Validator> = OnceLock::new();
    let form = FORM.get_or_init(|| {
        let text = fs::read_to_string(fetched().join("sarif.json")).expect("a schema");
        // It has a bracket too many, which not every engine of regular expressions forgives.
        let text = text.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
        let schema = serde_json::from_str(&text).expect("JSON");
        jsonschema::validator_for(&schema).expect("a schema")
    });
    accept(form, value);
}

/// Fails if a file is no JUnit XML.
pub(crate) fn valid_junit(path: &Path) {
    let done = Command::new("node")
        .arg(root().join("tests/schemas/validate.mjs"))
        .arg(fetched())
        .arg(fetched().join("junit.xsd"))
        .arg(path)
        .output()
        .expect("node runs");
    let told = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{told}");
}

fn accept(form: &Validator, value: &Value) {
    let told: Vec<String> = form
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(told.is_empty(), "{}\nin {value:#}", told.join("\n"));
}

/// Readers ignore fields that they do not know; but here each has to be described.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            let is_open = !fields.contains_key("additionalProperties");
            if fields.contains_key("properties") && fields.contains_key("required") && is_open {
                fields.insert("additionalProperties".to_owned(), json!(false));
            }
            fields.values_mut().for_each(close);
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

/// The schemas of others.
fn fetched() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let done = Command::new(root().join("tests/schemas/fetch"))
            .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("schemas"))
            .output()
            .expect("tests/schemas/fetch runs");
        assert!(done.status.success(), "{done:?}");
        PathBuf::from(String::from_utf8_lossy(&done.stdout).trim())
    })
}

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("a schema");
    serde_json::from_str(&text).expect("JSON")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

//! The lists in `docs/java.md` are those of the machine.
//!
//! `RADDLE_WRITE_DOCS=1 cargo test -p raddle-jvm --test it docs` writes them anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const BEGIN: &str = "<!-- the native methods: written by a test -->\n";
const END: &str = "<!-- end of the native methods -->\n";

/// The table of native methods, one line for each class.
fn natives() -> String {
    let mut classes: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for (area, class, method) in raddle_jvm::supported() {
        let methods = classes.entry((area, class)).or_default();
        if !methods.contains(&method) {
            methods.push(method);
        }
    }
    let mut out = "| area | class | methods |\n| --- | --- | --- |\n".to_owned();
    for ((area, class), methods) in classes {
        let methods: Vec<String> = methods.iter().map(|method| format!("`{method}`")).collect();
        let class = class.replace('/', ".");
        out.push_str(&format!(
            "| {area} | `{class}` | {} |\n",
            methods.join(", ")
        ));
    }
    out
}

#[test]
fn the_native_methods_are_listed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/java.md");
    let text = fs::read_to_string(&path).expect("the page is there");
    let begin = text.find(BEGIN).expect("the list begins") + BEGIN.len();
    let end = text.find(END).expect("the list ends");
    let wanted = natives();
    if std::env::var_os("RADDLE_WRITE_DOCS").is_some() {
        let written = format!("{}{wanted}{}", &text[..begin], &text[end..]);
        fs::write(&path, written).expect("the page can be written");
        return;
    }
    assert!(
        text[begin..end] == wanted,
        "docs/java.md lists other native methods than there are; \
         RADDLE_WRITE_DOCS=1 cargo test -p raddle-jvm --test it docs writes it anew"
    );
}

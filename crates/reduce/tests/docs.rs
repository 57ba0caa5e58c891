//! Every row of the table has its page in the documentation, and no page promises more.

use raddle_reduce::Reduction;
use std::collections::BTreeMap;
use std::path::Path;

/// What stands on the page of a reduction that there is not yet.
const MISSING: &str = "*Not yet available.*";

/// The pages by the names of the reductions: sections whose headings are code.
fn pages(text: &str) -> BTreeMap<&str, &str> {
    let sections = text.split("\n## `").skip(1);
    let pages = sections.map(|section| section.split_once("`\n").expect("a heading is a line"));
    pages
        .map(|(name, page)| (name, page.split("\n## ").next().unwrap_or(page)))
        .collect()
}

#[test]
fn every_reduction_has_a_page_with_a_picture() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let text = std::fs::read_to_string(docs.join("reductions.md")).expect("there is a page");
    let pages = pages(&text);
    for reduction in Reduction::ALL {
        let name = reduction.entry().name;
        assert!(pages.contains_key(name), "`{name}` has no page");
        assert!(
            text.contains(&format!("\n| `{name}` |")),
            "`{name}` has no row"
        );
    }
    for (name, page) in pages {
        let exists = Reduction::by_name(name).is_some();
        assert_eq!(page.contains(MISSING), !exists, "`{name}`: {MISSING}");
        let picture = format!("pictures/reductions-{name}.svg");
        assert!(page.contains(&picture), "`{name}` does not show {picture}");
        assert!(docs.join(&picture).is_file(), "there is no {picture}");
    }
}

#[test]
fn every_way_to_choose_executions_has_a_row() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let text = std::fs::read_to_string(docs.join("reductions.md")).expect("there is a page");
    for entry in raddle_search::SAMPLERS {
        let name = entry.name;
        assert!(
            text.contains(&format!("\n| `{name}`")),
            "`{name}` has no row"
        );
    }
}

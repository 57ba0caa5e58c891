//! The lists of mutations are not out of date: each still fits the source, and each clause
//! program has one. Whether it turns red is shown by
//! `cargo run -p raddle-testkit --bin mutate`.

use raddle_testkit::mutations;
use std::path::Path;

#[test]
fn every_mutation_fits_the_source() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for reduction in mutations::reductions() {
        let list = mutations::load(&reduction).unwrap_or_else(|what| panic!("{what}"));
        for mutation in list.mutations {
            let text = std::fs::read_to_string(root.join(&mutation.file))
                .unwrap_or_else(|error| panic!("{}: {error}", mutation.file.display()));
            if let Err(what) = mutation.apply(&text) {
                panic!("{reduction}: {what}");
            }
        }
    }
}

#[test]
fn every_clause_program_has_a_mutation() {
    for reduction in mutations::reductions() {
        let list = mutations::load(&reduction).unwrap_or_else(|what| panic!("{what}"));
        let mut named: Vec<String> = list.open;
        named.extend(list.mutations.into_iter().flat_map(|it| it.red));
        named.sort();
        named.dedup();
        assert_eq!(named, mutations::programs(&reduction), "{reduction}");
    }
}

//! Certificates of programs with any number of threads: how nets were made from the program, and
//! why these are safe.

use crate::nets;
use raddle_abstraction::Proof;
use raddle_abstraction::certificate::{Asked, Recipe, rebuild, suffices};
use raddle_abstraction::solver::Solver;
use raddle_cover::check_safe;
use raddle_cover::formats::certificate;
use raddle_machine::ir;
use raddle_model::{Properties, StopFlag};
use serde_json::{Value, json};

/// What these certificates are.
const KIND: &str = "program with any number of threads";

/// How many formulas may be asked for a net.
const MOST_QUERIES: u64 = 2_000_000;

/// The certificate of some nets, to be saved; none if it cannot be written down.
pub(crate) fn saved(proofs: &[Proof]) -> Option<Value> {
    let proofs = proofs.iter().map(|proof| {
        let recipe = proof.recipe.as_ref()?;
        Some(json!({
            "followed": recipe.tracked,
            "without": recipe.without,
            "precise_waits": recipe.precise_waits,
            "wraps": recipe.wraps,
            "forgets": recipe.forgets,
            "widened": recipe.widened,
            "precise_passive": recipe.precise_passive,
            "predicates": recipe.predicates,
            "net": certificate::to_json(&proof.net, &proof.certificate),
        }))
    });
    let proofs: Vec<Value> = proofs.collect::<Option<_>>()?;
    Some(certificate::document(KIND, json!({ "proofs": proofs })))
}

/// What was verified.
pub(crate) struct Verified {
    /// What the certificate is, in a few words.
    pub(crate) described: String,
    /// Whether it is assumed that no number overflows.
    pub(crate) no_overflow: bool,
}

/// Checks a certificate of a program. The error says why it proves nothing.
pub(crate) fn verify(
    program: &ir::Program,
    properties: Properties,
    value: &Value,
    solver: &dyn Solver,
    stop: &StopFlag,
) -> Result<Verified, String> {
    let verified = verify_all(program, properties, value, solver, stop);
    // Where a question was not answered, nothing is proved, whatever came of it.
    match solver.failure() {
        Some(why) => Err(why),
        None => verified,
    }
}

fn verify_all(
    program: &ir::Program,
    properties: Properties,
    value: &Value,
    solver: &dyn Solver,
    stop: &StopFlag,
) -> Result<Verified, String> {
    let found = certificate::kind(value)?;
    if found != KIND {
        return Err(format!(
            "this is the certificate of a {found}, not of a {KIND}"
        ));
    }
    let asked = Asked {
        faults: properties.faults,
        invariants: properties.invariants,
    };
    let proofs = value["proofs"].as_array();
    let proofs = proofs.ok_or("`proofs` is not a list")?;
    let recipes: Vec<Recipe> = proofs.iter().map(recipe).collect::<Result<_, _>>()?;
    suffices(program, asked, &recipes, solver, stop)?;
    let mut told = Vec::new();
    for (recipe, proof) in recipes.iter().zip(proofs) {
        let net = rebuild(program, asked, recipe, solver, stop, MOST_QUERIES)?;
        if let Some(defect) = net.defect() {
            return Err(defect.to_string());
        }
        let certificate = certificate::from_json(&net, &proof["net"])?;
        check_safe(&net, &certificate)?;
        told.push(format!(
            "{} predicates, every step is covered; {}",
            recipe.predicates.len(),
            nets::described(&certificate)
        ));
    }
    Ok(Verified {
        described: told.join("; "),
        no_overflow: recipes.iter().any(|recipe| !recipe.wraps),
    })
}

fn recipe(value: &Value) -> Result<Recipe, String> {
    let flag = |name: &str| {
        let flag = value[name].as_bool();
        flag.ok_or_else(|| format!("`{name}` is neither true nor false"))
    };
    let threads = |name: &str| match &value[name] {
        Value::Null => Ok(None),
        pair => {
            let number = |index: usize| pair.get(index).and_then(Value::as_u64);
            let kind = number(0).and_then(|it| u16::try_from(it).ok());
            let count = number(1).and_then(|it| usize::try_from(it).ok());
            // More are never followed.
            let count = count.filter(|count| (1..=8).contains(count));
            let pair = kind.zip(count);
            pair.map(Some)
                .ok_or_else(|| format!("`{name}` is not a kind of threads and how many"))
        }
    };
    let predicates = value["predicates"].as_array();
    let predicates = predicates.ok_or("`predicates` is not a list")?.iter();
    let predicates = predicates.map(|it| it.as_str().map(str::to_owned));
    let predicates: Option<Vec<String>> = predicates.collect();
    Ok(Recipe {
        tracked: threads("followed")?,
        without: threads("without")?,
        precise_waits: flag("precise_waits")?,
        wraps: flag("wraps")?,
        forgets: flag("forgets")?,
        widened: flag("widened")?,
        precise_passive: flag("precise_passive")?,
        predicates: predicates.ok_or("a predicate is not a text")?,
    })
}

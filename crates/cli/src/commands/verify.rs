//! `raddle verify`: check a certificate, from the text of the program again.
//!
//! Nothing is taken from the certificate but why the answer is right: the net is made anew, what
//! must not be reached stands in the program or on the command line, and
//! `raddle_cover::check_safe` shares no code with the procedures that find certificates. That the
//! net of a program with any number of threads covers its steps is asked once more, by
//! `raddle_abstraction::certificate`.

use super::{SUCCESS, exit_code};
use crate::args::Verify;
use crate::console;
use crate::failure::Failure;
use crate::files;
use crate::programs::{self, Setup};
use raddle_jdk::Launch;
use raddle_model::Properties;
use raddle_report::Answer;
use raddle_report::json::SCHEMA;
use serde_json::json;

/// Runs the command; the answer is the exit code.
pub(crate) fn run(args: &Verify) -> Result<u8, Failure> {
    let text = programs::read(&args.file)?;
    let setup = Setup {
        unsafe_sets: args.unsafe_sets.clone(),
        unreachable: args.unreachable.clone(),
        defines: args.defines.clone(),
        solver: args.solver,
        initially: args.init.clone(),
        java: Launch {
            file: args.file.clone(),
            ..Launch::default()
        },
        ..Setup::default()
    };
    text.front.flags().refuse_others(&setup)?;
    let properties = Properties {
        faults: !args.no_faults,
        invariants: !args.no_invariants,
        ..Properties::ALL
    };
    let certificate = files::read_certificate(&args.certificate)?;
    let verification = text.front.verify(&text, &setup, properties, &certificate)?;
    let (claim, proof) = (&verification.claim, &verification.proof);
    let told = match (proof, args.json) {
        (proof, true) => {
            let value = json!({
                "schema": SCHEMA,
                "verified": proof.is_ok(),
                "claim": claim,
                "certificate": proof.as_ref().ok(),
                "reason": proof.as_ref().err(),
            });
            format!("{value:#}\n")
        }
        (Ok(described), false) => format!("verified: {claim}\n{described}\n"),
        (Err(why), false) => format!("refused: {why}\n"),
    };
    console::answer(&told)?;
    Ok(match proof {
        Ok(_) => SUCCESS,
        // Nothing is known: it may still hold.
        Err(_) => exit_code(Answer::Unknown),
    })
}

//! `raddle api`: writes what Java programs can say to raddle.

use super::SUCCESS;
use crate::api::{self, JAR};
use crate::args::Api;
use crate::classes;
use crate::console;
use crate::failure::Failure;
use raddle_model::StopFlag;

/// Runs the command; the answer is the exit code.
pub(crate) fn run(args: &Api) -> Result<u8, Failure> {
    let home = classes::find_jdk(args.jdk.as_deref())?;
    api::build(&args.folder, &home, &StopFlag::default())?;
    let jar = args.folder.join(JAR);
    console::answer(&format!("{}\n", jar.display()))?;
    Ok(SUCCESS)
}

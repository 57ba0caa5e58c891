//! `raddle api`: writes the classes by which Java programs speak to raddle.

use super::SUCCESS;
use crate::args::Api;
use crate::console;
use crate::failure::Failure;
use crate::tools;
use raddle_jdk::api::{self, JAR};
use raddle_model::StopFlag;

/// Runs the command; the answer is the exit code.
pub(crate) fn run(args: &Api) -> Result<u8, Failure> {
    let jdk = tools::find_jdk(args.jdk.as_deref())?;
    api::build(&args.folder, &jdk, &StopFlag::default())?;
    let jar = args.folder.join(JAR);
    console::answer(&format!("{}\n", jar.display()))?;
    Ok(SUCCESS)
}

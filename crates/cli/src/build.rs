//! What this program is made of.

/// The version.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The commit, or `unknown`.
pub(crate) const COMMIT: &str = env!("RADDLE_COMMIT");
/// The kind of machine it runs on.
pub(crate) const TARGET: &str = env!("RADDLE_TARGET");
/// How it was compiled.
pub(crate) const PROFILE: &str = env!("RADDLE_PROFILE");

/// All of it, for `--version`.
pub(crate) const DETAILS: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit: ",
    env!("RADDLE_COMMIT"),
    "\ntarget: ",
    env!("RADDLE_TARGET"),
    "\nprofile: ",
    env!("RADDLE_PROFILE"),
    "\nlicence: ",
    env!("CARGO_PKG_LICENSE"),
);

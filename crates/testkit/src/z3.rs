//! The z3 that tests use.

use std::path::PathBuf;

/// The program in `RADDLE_Z3`, or the one on the path. Nothing is installed: where there is none,
/// what needs it says so and is left out.
pub fn z3() -> Option<PathBuf> {
    let asked = std::env::var_os("RADDLE_Z3").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join("z3"));
    let found = asked.into_iter().chain(found).find(|it| it.is_file());
    if found.is_none() {
        let told = "left out: there is no z3 on the path, and none in RADDLE_Z3";
        std::io::Write::write_all(&mut std::io::stderr(), format!("{told}\n").as_bytes())
            .unwrap_or_default();
    }
    found
}

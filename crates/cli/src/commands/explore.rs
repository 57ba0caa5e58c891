//! `raddle explore`: walk through the states of a program, on a page in a browser.

use super::{SUCCESS, flags};
use crate::args::{Explore, When};
use crate::console;
use crate::explore::{Seek, Server, Session, serve};
use crate::failure::Failure;
use crate::programs::{self, Program, Setup, Task, Text};
use crate::progress::Watcher;
use raddle_model::Limits;
use std::process::{Command, Stdio};

/// Runs the command; it ends when the user presses Ctrl-C.
pub(crate) fn run(args: &Explore) -> Result<u8, Failure> {
    let text = programs::read(&args.file)?;
    let setup = Setup {
        defines: args.defines.clone(),
        threads: args.max_threads,
        java: flags::launch(&args.launch, &args.file),
        ..Setup::default()
    };
    let exploring = Exploring {
        args,
        text: &text,
        setup: &setup,
    };
    programs::with(&text, &setup, exploring)?.map(|()| SUCCESS)
}

/// Explores a program.
struct Exploring<'a> {
    args: &'a Explore,
    text: &'a Text,
    setup: &'a Setup,
}

impl Task for Exploring<'_> {
    type Output = Result<(), Failure>;

    fn run<P: Program>(self, program: &P) -> Result<(), Failure> {
        let session = Session::new(program, &self.text.sources).map_err(Failure::new)?;
        let failed = |error| Failure::new(format!("there is no address to listen on: {error}"));
        let server = Server::new(self.args.port).map_err(failed)?;
        let address = server.address();
        console::answer(&format!(
            "Explore {} at {address}\nCtrl-C ends it.\n",
            self.text.main().name
        ))?;
        if !self.args.no_open {
            open(&address);
        }
        let seek = Seek {
            text: self.text,
            setup: self.setup,
        };
        let watcher = Watcher::new(&Limits::NONE, When::Never);
        serve(&server, program, session, &seek, || {
            watcher.is_interrupted()
        });
        Ok(())
    }
}

/// Shows an address in the user's browser, if there is one; it was printed anyway.
fn open(address: &str) {
    let opener = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let mut command = Command::new(opener);
    command.arg(address).stdin(Stdio::null());
    let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}

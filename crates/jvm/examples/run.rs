//! Runs a class from a directory: `run JDK DIRECTORY CLASS [arguments]`.
#![allow(clippy::print_stderr)]

use std::io::{Read, Write};
use std::path::Path;

use raddle_jvm::load::{Directory, Jdk};
use raddle_jvm::{End, Host, World};

struct Console;

impl Host for Console {
    fn write(&mut self, descriptor: i32, bytes: &[u8]) {
        let _ = if descriptor == 1 {
            std::io::stdout().write_all(bytes)
        } else {
            std::io::stderr().write_all(bytes)
        };
    }

    fn read(&mut self, limit: usize) -> Vec<u8> {
        let mut buffer = vec![0; limit];
        let count = std::io::stdin().read(&mut buffer).unwrap_or(0);
        buffer.truncate(count);
        buffer
    }
}

fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [jdk, directory, class, rest @ ..] = &arguments[..] else {
        eprintln!("run JDK DIRECTORY CLASS [arguments]");
        return 3.into();
    };
    match run(jdk, directory, class, rest) {
        Ok(End::Exit(code)) => (code as u8).into(),
        Ok(other) => {
            eprintln!("{other:#?}");
            2.into()
        }
        Err(error) => {
            eprintln!("{error}");
            3.into()
        }
    }
}

fn run(jdk: &str, directory: &str, class: &str, arguments: &[String]) -> Result<End, String> {
    let begin = std::time::Instant::now();
    let show = std::env::var("TIMES").is_ok();
    let jdk = Jdk::open(Path::new(jdk))?;
    let world = World::new(jdk, vec![Box::new(Directory(directory.into()))])
        .map_err(|error| error.to_string())?;
    let booted = raddle_jvm::boot(&world, &mut Console)?;
    if show {
        eprintln!("booted after {:?}", begin.elapsed());
    }
    let mut state = raddle_jvm::start(&world, &booted, class, arguments, &mut Console)?;
    let end = raddle_jvm::run(&world, &mut state, &mut Console, u64::MAX);
    if show {
        eprintln!("ended after {:?}", begin.elapsed());
    }
    Ok(end)
}

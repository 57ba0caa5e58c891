//! The rows of boolean programs: how large their machines are, and what is true of them for any
//! number of threads.

use crate::data;
use crate::table::{Counting, Row, Variant};
use raddle_cbp::reduced::Options;
use raddle_cbp::{Machines, Program, live_machines, machines};
use raddle_cover::{Answer, Unwatched, decide};
use raddle_model::Statistics;

/// What comes out of a row.
pub(crate) fn count(row: &Row) -> Result<Statistics, String> {
    let (name, thread) = match row.model.split_once(':') {
        Some((name, thread)) => (name, Some(thread)),
        None => (row.model.as_str(), None),
    };
    let source = data::program(name).ok_or_else(|| format!("no program `{name}`"))?;
    let program = raddle_cbp::compile(source).map_err(|mistakes| {
        let told: Vec<&str> = mistakes.iter().map(|it| it.message.as_str()).collect();
        told.join("; ")
    })?;
    let (states, transitions) = match (row.counting, thread) {
        (Counting::Reached, None) => reached(&program)?,
        (_, Some(thread)) => size(&program, thread, row.variant)?,
        (_, None) => return Err("the row does not say which machine".to_owned()),
    };
    Ok(Statistics {
        states,
        transitions,
        ..Statistics::default()
    })
}

/// How large a local machine is. Full machines are counted with the state before a thread
/// begins, as the thesis does; a reduced one begins where a thread does.
fn size(program: &Program, thread: &str, variant: Variant) -> Result<(u64, u64), String> {
    let mut types = program.types.iter();
    let number = types.position(|it| it.name == thread);
    let number = number.ok_or_else(|| format!("no thread type `{thread}`"))?;
    let full = |program: &Program| machines(program).map_err(|error| error.to_string());
    let joined = |hide_broadcasts: bool| -> Result<Machines, String> {
        let reduced = full(program)?.reduced(Options { hide_broadcasts });
        reduced.map_err(|error| error.to_string())
    };
    let (states, transitions) = match variant {
        Variant::Compiler => full(&program.closed())?.locals[number].size_with_begin(),
        Variant::Rules => full(program)?.locals[number].size_with_begin(),
        Variant::Visible => joined(false)?.locals[number].size(),
        _ => joined(true)?.locals[number].size(),
    };
    Ok((states as u64, transitions as u64))
}

/// The places of the net, and whether an unsafe state can be reached. A run of the net is one of
/// the program, and is replayed there.
fn reached(program: &Program) -> Result<(u64, u64), String> {
    let machines = live_machines(program).map_err(|error| error.to_string())?;
    let reduced = machines.reduced(Options::default());
    let translation = reduced.map_err(|error| error.to_string())?.net()?;
    let places = translation.net.places.len() as u64;
    match decide(&translation.net, &Unwatched).answer {
        Answer::Safe(_) => Ok((places, 0)),
        Answer::Unsafe(run) => translation.replay(&run).map(|_| (places, 1)),
        Answer::Unknown(why) => Err(why),
    }
}

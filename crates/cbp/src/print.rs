//! Machines as text, and as pictures in the language of Graphviz.
//!
//! A transition is written `signal : guard -> action`, as in Fig. 3.6; what is empty is left
//! out.

use crate::machines::{Cells, Machines, Signal, Transition};
use crate::net::Translation;
use std::fmt::{self, Write};

impl Machines {
    /// The global machine as text: the cells, and each of the local machines.
    pub fn to_text(&self) -> String {
        let program = &self.program;
        let mut out = String::new();
        let lists = [
            ("globals", &program.globals),
            ("locks", &program.locks),
            ("messages", &program.messages),
        ];
        for (what, names) in lists {
            if !names.is_empty() {
                let _ = writeln!(out, "{what}: {}", names.join(", "));
            }
        }
        for thread in 0..self.locals.len() {
            out.push('\n');
            out.push_str(&self.local_to_text(thread));
        }
        out
    }

    /// One of the local machines as text.
    pub fn local_to_text(&self, thread: usize) -> String {
        let local = &self.locals[thread];
        let (states, transitions) = local.size();
        let mut out = format!(
            "machine {}: {}, {}\n",
            self.program.types[thread].name,
            count(states, "state"),
            count(transitions, "transition"),
        );
        for (index, state) in local.states.iter().enumerate() {
            let begins = match local.initial.contains(&index) {
                true => " (threads begin here)",
                false => "",
            };
            let name = self.state_name(thread, state);
            let _ = writeln!(out, "  {name}{begins}");
            for transition in local.transitions.iter().filter(|it| it.from == index) {
                let to = self.state_name(thread, &local.states[transition.to]);
                let label = self.label(transition);
                let _ = match label.is_empty() {
                    true => writeln!(out, "    -> {to}"),
                    false => writeln!(out, "    -> {to}  {label}"),
                };
            }
        }
        out
    }

    /// A picture: one cluster for each thread type.
    pub fn to_dot(&self) -> String {
        let mut out = String::from("digraph machines {\n  node [shape=ellipse];\n");
        for (thread, local) in self.locals.iter().enumerate() {
            let name = quote(&self.program.types[thread].name);
            let (states, transitions) = local.size();
            let sizes = format!(
                "{}, {}",
                count(states, "state"),
                count(transitions, "transition")
            );
            let _ = writeln!(out, "  subgraph cluster_{thread} {{");
            let _ = writeln!(out, "    label=\"{name}\\n{sizes}\";");
            for (index, state) in local.states.iter().enumerate() {
                let shape = match local.initial.contains(&index) {
                    true => ", peripheries=2",
                    false => "",
                };
                let name = quote(&self.state_name(thread, state));
                let _ = writeln!(out, "    s{thread}_{index} [label=\"{name}\"{shape}];");
            }
            for transition in &local.transitions {
                let (from, to) = (transition.from, transition.to);
                let label = quote(&self.label(transition));
                let _ = writeln!(
                    out,
                    "    s{thread}_{from} -> s{thread}_{to} [label=\"{label}\"];"
                );
            }
            out.push_str("  }\n");
        }
        out.push_str("}\n");
        out
    }

    /// `signal : guard -> action`
    pub fn label(&self, transition: &Transition) -> String {
        let cells = |cells: &Cells, value: fn(&str, bool) -> String, between: &str| {
            let shown = cells.iter();
            let shown = shown.map(|(&cell, &is)| value(self.program.cell_name(cell), is));
            shown.collect::<Vec<_>>().join(between)
        };
        let holds = |name: &str, is: bool| match is {
            true => name.to_owned(),
            false => format!("!{name}"),
        };
        let guard = cells(&transition.guard, holds, " & ");
        let action = cells(
            &transition.action,
            |name, is| format!("{name} := {is}"),
            ", ",
        );
        let effect = match (guard.is_empty(), action.is_empty()) {
            (_, true) => guard,
            (true, false) => format!("-> {action}"),
            (false, false) => format!("{guard} -> {action}"),
        };
        let signal = self.signal(&transition.signal);
        match (signal.is_empty(), effect.is_empty()) {
            (true, _) => effect,
            (false, true) => signal,
            (false, false) => format!("{signal} : {effect}"),
        }
    }

    fn signal(&self, signal: &Signal) -> String {
        let program = &self.program;
        let message = |index: &usize| &program.messages[*index];
        let meeting = |channel: &usize, values: &[bool], sign: &str| {
            let name = message(&program.channels[*channel].message);
            let values: Vec<String> = values.iter().map(bool::to_string).collect();
            match values.is_empty() {
                true => format!("{name}{sign}"),
                false => format!("{name}{sign}({})", values.join(", ")),
            }
        };
        match signal {
            Signal::Internal => String::new(),
            Signal::Choose(_) => "choose".to_owned(),
            Signal::Send(channel, values) => meeting(channel, values, "!"),
            Signal::Receive(channel, values) => meeting(channel, values, "?"),
            Signal::Wakeup(index) => format!("{}↑", message(index)),
            Signal::Woken(index) => format!("{}↓", message(index)),
            Signal::WakeupAll(index) => format!("{}!!", message(index)),
            Signal::WokenWithAll(index) => format!("{}??", message(index)),
            Signal::Start(thread, state) => {
                let values = &self.locals[*thread].states[*state].locals;
                let values: Vec<String> = values.iter().map(bool::to_string).collect();
                let name = &program.types[*thread].name;
                match values.is_empty() {
                    true => format!("start {name}"),
                    false => format!("start {name}({})", values.join(", ")),
                }
            }
        }
    }
}

/// The sizes of the machines and of the net, one line each.
impl fmt::Display for Translation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Translation { machines, .. } = self;
        for (thread, local) in machines.program.types.iter().zip(&machines.locals) {
            let (states, transitions) = local.size();
            let (states, transitions) = (count(states, "state"), count(transitions, "transition"));
            writeln!(f, "{}: {states}, {transitions}", thread.name)?;
        }
        let (places, transitions, transfers) = self.size();
        let (places, transitions) = (count(places, "place"), count(transitions, "transition"));
        writeln!(
            f,
            "net: {places}, {transitions}, {transfers} with transfers"
        )
    }
}

fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}

/// The content of a string in the language of Graphviz.
fn quote(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

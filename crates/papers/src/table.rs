//! A table of a paper as a text file.
//!
//! Each line begins with a word that says what it is; a line that begins with a blank
//! goes on with the one before it, and `#` begins a comment line.
//!
//! ```text
//! paper 000
//! title Section 10
//! numbers published
//! note What a reader of the table should know.
//! #   model   constants  reduction   counting  states    transitions
//! row barrier -          none        steps     106       -
//! row barrier -          persistent  steps     77->94    -            because whole-arrays
//! row counter K=2,N=3    none        loops     <=800->7  70-75->72    slow
//! reason whole-arrays What the reader is told about it.
//! ```
//!
//! A number is the published one, `<=` before a published bound, or two published bounds
//! with `-` between them; `-` alone if nothing was published. After `->` stands what comes
//! out here. It must be there if more than one number would do, so that a change is
//! noticed; and where another number than the published one comes out, together with
//! `because` and the name of a reason. `slow` marks rows that take more than a second.
//! After the name of a reduction and a slash may stand that of one of its variants.

use raddle_reduce::Reduction;
use std::collections::BTreeSet;

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The name of its file.
    pub name: String,
    /// The number of the paper.
    pub paper: String,
    /// What the table is in the paper.
    pub title: String,
    /// Where the numbers are from.
    pub numbers: Numbers,
    /// What a reader should know.
    pub note: String,
    /// The rows.
    pub rows: Vec<Row>,
    /// Why some rows deviate, by name.
    pub reasons: Vec<(String, String)>,
}

/// Where the numbers of a table are from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// The paper.
    Published,
    /// An independent implementation of what the paper says.
    Computed,
}

/// One row: a search, and what should come out of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The name of the model.
    pub model: String,
    /// The constants it is run with.
    pub defines: Vec<(String, i64)>,
    /// How it is searched.
    pub reduction: Reduction,
    /// Which of the ways that the reduction has.
    pub variant: Variant,
    /// What is counted.
    pub counting: Counting,
    /// The number of states.
    pub states: Option<Expected>,
    /// The number of transitions.
    pub transitions: Option<Expected>,
    /// Whether it takes more than about a second.
    pub slow: bool,
    /// Where the reason for a deviation stands in the table.
    pub reason: Option<usize>,
}

/// A way of a reduction that is not its usual one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// The usual one.
    Usual,
    /// The paper is taken literally.
    Literal,
    /// Only locks protect, and they are inferred.
    Locks,
    /// Only locks protect, and the program says which.
    Given,
    /// The same, and no right movers.
    Left,
    /// The machines of a boolean program, with what the compiler of the thesis adds.
    Compiler,
    /// The machines of a boolean program, by the rules alone.
    Rules,
    /// The machines of a boolean program, with invisible steps joined.
    Joined,
    /// The same, and waking all is visible.
    Visible,
    /// A boolean program for any number of threads.
    Any,
}

impl Variant {
    const ALL: [(Variant, &'static str, Reduction); 9] = [
        (Variant::Literal, "literal", Reduction::OPTIMISTIC),
        (Variant::Locks, "locks", Reduction::TRANSACTIONS),
        (Variant::Given, "given", Reduction::TRANSACTIONS),
        (Variant::Left, "left", Reduction::TRANSACTIONS),
        (Variant::Compiler, "compiler", Reduction::FULL),
        (Variant::Rules, "rules", Reduction::FULL),
        (Variant::Joined, "joined", Reduction::FULL),
        (Variant::Visible, "visible", Reduction::FULL),
        (Variant::Any, "any", Reduction::FULL),
    ];

    /// What it is called after the name of the reduction.
    pub fn name(self) -> Option<&'static str> {
        let mut all = Variant::ALL.iter();
        all.find(|(it, ..)| *it == self).map(|(_, name, _)| *name)
    }
}

/// What a paper counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// Steps that are made.
    Steps,
    /// The same, and a blocked thread goes from a state to the same one.
    Blocked,
    /// The same, and so does a finished one.
    Loops,
    /// As states, only those in which every thread may be scheduled.
    Scheduling,
    /// As states, also those inside of transactions.
    Nodes,
    /// A state each time that an execution comes by: the search stores none.
    Visits,
    /// States and transitions of a local machine.
    Machine,
    /// As transitions, one if an unsafe state can be reached, and none if not.
    Reached,
}

/// What a paper says about a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The published number.
    pub published: Published,
    /// What comes out here, where the published number does not tell.
    pub ours: Option<u64>,
}

/// A published number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Published {
    /// It is this one.
    Exactly(u64),
    /// It is not larger than this one.
    AtMost(u64),
    /// It is one of these, bounds included: the paper leaves something open.
    Between(u64, u64),
}

impl Published {
    /// Whether a number is what was published.
    pub fn allows(self, number: u64) -> bool {
        match self {
            Published::Exactly(published) => number == published,
            Published::AtMost(most) => number <= most,
            Published::Between(least, most) => (least..=most).contains(&number),
        }
    }
}

impl Counting {
    /// All ways to count, by name.
    const ALL: [(&str, Counting); 8] = [
        ("steps", Counting::Steps),
        ("blocked", Counting::Blocked),
        ("loops", Counting::Loops),
        ("scheduling", Counting::Scheduling),
        ("nodes", Counting::Nodes),
        ("visits", Counting::Visits),
        ("machine", Counting::Machine),
        ("reached", Counting::Reached),
    ];

    /// Its name in a table.
    pub fn name(self) -> &'static str {
        let mut all = Counting::ALL.iter();
        let found = all.find(|(_, counting)| *counting == self);
        found.map_or("", |(name, _)| name)
    }

    /// What is counted, in words.
    pub fn describe(self) -> &'static str {
        match self {
            Counting::Steps => "states stored, and the steps between them",
            Counting::Blocked => "states stored, and steps; a blocked thread steps in place",
            Counting::Loops => {
                "states stored, and steps; blocked and finished threads step in place"
            }
            Counting::Nodes => "all states, also those inside of transactions, and all steps",
            Counting::Scheduling => "states in which every thread may be scheduled, and all steps",
            Counting::Visits => "visits of states along executions, and steps",
            Counting::Machine => {
                "states and transitions of the local machine of a thread type, which stands after \
                 the colon"
            }
            Counting::Reached => {
                "places of the net; and 1 if an unsafe state is reached by some number of threads, \
                 0 if it is not, however many there are"
            }
        }
    }
}

/// Reads a table.
pub fn parse(name: &str, text: &str) -> Result<Table, String> {
    let wrong = |line: usize, what: String| format!("{name}.txt, line {line}: {what}");
    let mut draft = Draft::default();
    for (line, entry) in entries(text).map_err(|(line, what)| wrong(line, what))? {
        draft.add(line, &entry).map_err(|what| wrong(line, what))?;
    }
    draft.finish(name).map_err(|(line, what)| wrong(line, what))
}

/// The lines with those that go on with them, each with the number of the first.
fn entries(text: &str) -> Result<Vec<(usize, String)>, (usize, String)> {
    let mut entries: Vec<(usize, String)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match entries.last_mut() {
            _ if !line.starts_with(char::is_whitespace) => {
                entries.push((index + 1, line.trim_end().to_owned()));
            }
            Some((_, entry)) => {
                entry.push(' ');
                entry.push_str(line.trim());
            }
            None => return Err((index + 1, "there is no line to go on with".to_owned())),
        }
    }
    Ok(entries)
}

/// A table that is being read.
#[derive(Default)]
struct Draft {
    paper: Option<String>,
    title: Option<String>,
    numbers: Option<Numbers>,
    note: Option<String>,
    /// The rows, with their lines and the names of their reasons.
    rows: Vec<(usize, Row, Option<String>)>,
    reasons: Vec<(usize, String, String)>,
}

impl Draft {
    fn add(&mut self, line: usize, entry: &str) -> Result<(), String> {
        let (word, rest) = entry.split_once(' ').unwrap_or((entry, ""));
        let rest = rest.trim();
        if rest.is_empty() {
            return Err(format!("nothing follows `{word}`"));
        }
        match word {
            "paper" => once(&mut self.paper, word, rest.to_owned()),
            "title" => once(&mut self.title, word, rest.to_owned()),
            "note" => once(&mut self.note, word, rest.to_owned()),
            "numbers" => once(&mut self.numbers, word, parse_numbers(rest)?),
            "row" => {
                let (row, reason) = parse_row(rest)?;
                self.rows.push((line, row, reason));
                Ok(())
            }
            "reason" => {
                let (name, text) = rest
                    .split_once(' ')
                    .ok_or("a reason has a name and a text")?;
                let (name, text) = (name.to_owned(), text.trim().to_owned());
                self.reasons.push((line, name, text));
                Ok(())
            }
            _ => Err(format!(
                "`{word}` is none of paper, title, numbers, note, row, reason"
            )),
        }
    }

    fn finish(self, name: &str) -> Result<Table, (usize, String)> {
        let mut names = BTreeSet::new();
        for (line, name, _) in &self.reasons {
            if !names.insert(name) {
                return Err((*line, format!("there are two reasons `{name}`")));
            }
            let mut used = self
                .rows
                .iter()
                .filter_map(|(_, _, reason)| reason.as_ref());
            if !used.any(|reason| reason == name) {
                return Err((*line, format!("no row names the reason `{name}`")));
            }
        }
        let mut rows = Vec::new();
        for (line, mut row, reason) in self.rows {
            if let Some(reason) = reason {
                let at = self.reasons.iter().position(|(_, name, _)| *name == reason);
                row.reason =
                    Some(at.ok_or_else(|| (line, format!("there is no reason `{reason}`")))?);
            }
            rows.push(row);
        }
        let missing = |what: &str| (1, format!("there is no line `{what}`"));
        let reasons = self.reasons.into_iter().map(|(_, name, text)| (name, text));
        Ok(Table {
            name: name.to_owned(),
            paper: self.paper.ok_or_else(|| missing("paper"))?,
            title: self.title.ok_or_else(|| missing("title"))?,
            numbers: self.numbers.ok_or_else(|| missing("numbers"))?,
            note: self.note.unwrap_or_default(),
            rows,
            reasons: reasons.collect(),
        })
    }
}

fn once<T>(place: &mut Option<T>, word: &str, value: T) -> Result<(), String> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(format!("there is a second line `{word}`")),
    }
}

fn parse_numbers(text: &str) -> Result<Numbers, String> {
    match text {
        "published" => Ok(Numbers::Published),
        "computed" => Ok(Numbers::Computed),
        _ => Err(format!("`{text}` is neither `published` nor `computed`")),
    }
}

/// A row, and the name of its reason.
fn parse_row(text: &str) -> Result<(Row, Option<String>), String> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let [
        model,
        defines,
        reduction,
        counting,
        states,
        transitions,
        ref marks @ ..,
    ] = fields[..]
    else {
        return Err(
            "a row has a model, constants, a reduction, what is counted, states, transitions"
                .to_owned(),
        );
    };
    let (slow, reason) = parse_marks(marks)?;
    let (reduction, variant) = parse_reduction(reduction)?;
    let row = Row {
        model: model.to_owned(),
        defines: parse_defines(defines)?,
        reduction,
        variant,
        counting: parse_counting(counting)?,
        states: parse_claim(states)?,
        transitions: parse_claim(transitions)?,
        slow,
        reason: None,
    };
    fits(&row)?;
    let deviates = [row.states, row.transitions]
        .into_iter()
        .flatten()
        .any(Expected::deviates);
    match (deviates, &reason) {
        (true, None) => Err("a row that deviates says `because` and the name of a reason".into()),
        (false, Some(_)) => Err("there is a reason, but no number deviates".into()),
        _ => Ok((row, reason)),
    }
}

/// A reduction must exist, and counting must make sense with it.
fn fits(row: &Row) -> Result<(), String> {
    let only = match row.counting {
        Counting::Blocked => Reduction::CARTESIAN,
        Counting::Scheduling | Counting::Nodes => Reduction::TRANSACTIONS,
        Counting::Machine | Counting::Reached => return fits_program(row),
        Counting::Steps | Counting::Loops | Counting::Visits => match row.variant {
            Variant::Compiler
            | Variant::Rules
            | Variant::Joined
            | Variant::Visible
            | Variant::Any => return fits_program(row),
            _ => return Ok(()),
        },
    };
    match row.reduction == only {
        true => Ok(()),
        false => Err(format!(
            "`{}` is a way to count for `{}` only",
            row.counting.name(),
            only.entry().name
        )),
    }
}

/// Boolean programs are counted in their own ways.
fn fits_program(row: &Row) -> Result<(), String> {
    let fits = match row.variant {
        Variant::Compiler | Variant::Rules | Variant::Joined | Variant::Visible => {
            row.counting == Counting::Machine
        }
        Variant::Any => row.counting == Counting::Reached,
        _ => false,
    };
    match fits && row.defines.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "`{}` does not fit to how the row is computed",
            row.counting.name()
        )),
    }
}

fn parse_defines(text: &str) -> Result<Vec<(String, i64)>, String> {
    match text {
        "-" => Ok(Vec::new()),
        _ => text.split(',').map(raddle_lang::parse_define).collect(),
    }
}

fn parse_reduction(text: &str) -> Result<(Reduction, Variant), String> {
    let (name, variant) = match text.split_once('/') {
        Some((name, variant)) => (name, Some(variant)),
        None => (text, None),
    };
    let reduction = Reduction::by_name(name).ok_or_else(|| {
        let known = Reduction::ALL.iter().map(|it| it.entry().name);
        let known = known.collect::<Vec<_>>().join(", ");
        format!("there is no reduction `{name}`, only {known}")
    })?;
    let Some(variant) = variant else {
        return Ok((reduction, Variant::Usual));
    };
    let mut variants = Variant::ALL.into_iter();
    let known = variants.find(|(_, name, of)| *name == variant && *of == reduction);
    let (known, ..) = known.ok_or_else(|| format!("`{name}` has no variant `{variant}`"))?;
    Ok((reduction, known))
}

fn parse_counting(name: &str) -> Result<Counting, String> {
    let found = Counting::ALL.iter().find(|(known, _)| *known == name);
    found.map(|(_, counting)| *counting).ok_or_else(|| {
        let known = Counting::ALL.map(|(name, _)| name).join(", ");
        format!("`{name}` is no way to count, only {known}")
    })
}

fn parse_marks(marks: &[&str]) -> Result<(bool, Option<String>), String> {
    match marks {
        [] => Ok((false, None)),
        ["slow"] => Ok((true, None)),
        ["because", name] => Ok((false, Some((*name).to_owned()))),
        ["because", name, "slow"] => Ok((true, Some((*name).to_owned()))),
        _ => Err(format!(
            "after the numbers comes `because` with one name, or `slow`, not `{}`",
            marks.join(" ")
        )),
    }
}

fn parse_claim(text: &str) -> Result<Option<Expected>, String> {
    if text == "-" {
        return Ok(None);
    }
    let (published, ours) = match text.split_once("->") {
        Some((published, ours)) => (published, Some(number(ours)?)),
        None => (text, None),
    };
    let published = match (published.strip_prefix("<="), published.split_once('-')) {
        (Some(most), _) => Published::AtMost(number(most)?),
        (None, Some((least, most))) => Published::Between(number(least)?, number(most)?),
        (None, None) => Published::Exactly(number(published)?),
    };
    match (published, ours) {
        (Published::Exactly(number), Some(ours)) if number == ours => {
            Err(format!("`{text}`: what comes out is what was published"))
        }
        (Published::AtMost(_) | Published::Between(..), None) => Err(format!(
            "`{text}` leaves several numbers: say with `->` which comes out"
        )),
        _ => Ok(Some(Expected { published, ours })),
    }
}

impl Expected {
    /// Whether something else comes out than what was published.
    pub fn deviates(self) -> bool {
        self.ours.is_some_and(|ours| !self.published.allows(ours))
    }
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is no number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "paper 9\ntitle T\nnumbers published\n";

    fn table(rows: &str) -> Result<Table, String> {
        parse("t", &format!("{HEAD}{rows}"))
    }

    #[test]
    fn a_row_says_it_all() {
        let table = table(
            "row m A=1,B=-2 none loops 77->106 70-75->72 because it-is-so slow\n\
             reason it-is-so One line,\n  and another one.\n",
        )
        .expect("it is well formed");
        let row = &table.rows[0];
        assert_eq!(row.defines, [("A".to_owned(), 1), ("B".to_owned(), -2)]);
        assert_eq!(row.counting, Counting::Loops);
        assert!(row.slow);
        assert_eq!(row.reason, Some(0));
        assert_eq!(table.reasons[0].1, "One line, and another one.");
        let between = Expected {
            published: Published::Between(70, 75),
            ours: Some(72),
        };
        assert_eq!(row.transitions, Some(between));
    }

    #[test]
    fn mistakes_are_told_with_their_lines() {
        for (rows, told) in [
            ("row m - none steps", "line 4: a row has a model"),
            (
                "\nrow m - dream steps 1 -",
                "line 5: there is no reduction `dream`",
            ),
            (
                "row m - none often 1 -",
                "line 4: `often` is no way to count",
            ),
            (
                "row m - none blocked 1 -",
                "line 4: `blocked` is a way to count for",
            ),
            (
                "row m - none scheduling 1 -",
                "line 4: `scheduling` is a way to count",
            ),
            ("row m - none steps one -", "line 4: `one` is no number"),
            (
                "row m - none steps <=5 -",
                "line 4: `<=5` leaves several numbers",
            ),
            (
                "row m - none steps 5->5 -",
                "line 4: `5->5`: what comes out is",
            ),
            (
                "row m - none steps 5->6 -",
                "line 4: a row that deviates says",
            ),
            (
                "row m - none steps 5->6 - because x",
                "line 4: there is no reason `x`",
            ),
            (
                "row m - none steps 5 - because x",
                "line 4: there is a reason, but",
            ),
            (
                "row m - none steps 5 - fast",
                "line 4: after the numbers comes",
            ),
            ("row m A none steps 5 -", "line 4: "),
            ("reason x y", "line 4: no row names the reason `x`"),
            ("reason x", "line 4: a reason has a name and a text"),
            ("title again", "line 4: there is a second line `title`"),
            ("colour red", "line 4: `colour` is none of"),
            ("note", "line 4: nothing follows `note`"),
        ] {
            let error = table(rows).expect_err(rows);
            assert!(error.contains(told), "{rows}: {error}");
        }
        let error = parse("t", "paper 9\ntitle T\n").expect_err("it is short");
        assert!(error.contains("there is no line `numbers`"), "{error}");
        let error = parse("t", "  paper 9").expect_err("it goes on with nothing");
        assert!(
            error.contains("line 1: there is no line to go on"),
            "{error}"
        );
    }
}

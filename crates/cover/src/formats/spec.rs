//! Rules over numbers: mist's `.spec`, and the text form of all nets.
//!
//! ```text
//! vars    idle busy asleep
//! rules   idle >= 1 -> idle' = idle - 1, busy' = busy + 1;
//!         busy >= 1 -> asleep' = asleep + busy, busy' = 0;      # a transfer
//! init    idle >= 1, busy = 0, asleep = 0
//! target  busy >= 2
//!         busy >= 1, asleep >= 1                                # or this
//! ```
//!
//! A rule that asks for nothing is always possible: `true -> …`, or `-> …`.
//! A variable that `init` does not mention has any value. The variables on the right side
//! have their old values. Bounds from above in guards and targets (`x = 0`, `x in [1, 3]`) are
//! not monotone: they are left out of the net and reported as obstacles, as is a place that
//! is set twice. `invariants` are hints for mist, and only checked for names.
//!
//! Beyond mist, a rule may have a name, `enter: idle >= 1 -> …`, and otherwise is named by its
//! line; it may wake, `wake asleep -> busy` among its updates; and names may be quoted. So
//! every net has a text, and [`print()`] and [`parse`] are inverse to each other for nets
//! whose places have different names.
//!
//! mist reads some rules differently than they are written, and it is not followed in that:
//! for mist `x' = 0` does nothing unless `x` is added to something else, and `x' = y` keeps
//! the old `x`.

use super::{Findings, FormatError, Inexpressible, Parsed, Wrong, distinct, number};
use crate::net::{Demand, MOST_TOKENS, Net, OMEGA, Place, Transition, Update};
use crate::upper::Ceiling;
use logos::Logos;
use raddle_diagnostics::{Cursor, Diagnostic, Lines, Name, Span, nearest, quote};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::ops::{Deref, DerefMut};

/// Reads a net.
pub fn parse(text: &str) -> Result<Parsed, FormatError> {
    let mut findings = Findings::default();
    let cursor = match tokens(text) {
        Ok(cursor) => cursor,
        Err(error) => return Err(FormatError::Malformed(vec![*error])),
    };
    let mut parser = Parser {
        cursor,
        lines: Lines::new(text),
        known: HashMap::new(),
        findings: &mut findings,
    };
    match parser.net() {
        Ok(net) => findings.conclude(net),
        Err(error) => {
            findings.malformed.push(*error);
            Err(FormatError::Malformed(findings.malformed))
        }
    }
}

/// The text of a net. Of places with the same name, all but the first are renamed.
pub fn print(net: &Net) -> String {
    let names = distinct(&net.places, str::to_owned);
    let names: Vec<String> = names.iter().map(|name| written(name)).collect();
    let rules = net.transitions.iter().map(|transition| {
        let title = written(&transition.name);
        let rule = rule(transition, &transition.guard, &names);
        format!("    {title}: {rule}")
    });
    document(net, &names, &rules.collect::<String>(), "true")
}

/// The text of a net for mist, with names that it can read.
pub fn print_for_mist(net: &Net) -> Result<String, Inexpressible> {
    let names = distinct(&net.places, mist_name);
    let (Some(first), false) = (names.first(), net.targets.is_empty()) else {
        return Err(Inexpressible(
            "for mist a net needs a place and a target".to_owned(),
        ));
    };
    let mut rules = String::new();
    for transition in &net.transitions {
        let guard = mist_guard(net, transition)?;
        let comment = transition.name.replace(char::is_control, " ");
        let rule = rule(transition, &guard, &names);
        let _ = write!(rules, "    # {comment}\n    {rule}");
    }
    // A condition that says nothing, where mist does not understand `true`.
    let nothing = format!("{first} >= 0");
    Ok(document(net, &names, &rules, &nothing))
}

#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[logos(skip r"[ \t\r\n\f]+")]
#[logos(skip(r"#[^\n]*", allow_greedy = true))]
enum Token {
    #[token("vars")]
    Vars,
    #[token("rules")]
    Rules,
    #[token("init")]
    Init,
    #[token("target")]
    Target,
    #[token("invariants")]
    Invariants,
    #[token("true")]
    True,
    #[token("in")]
    In,
    #[regex(r"[a-zA-Z_][a-zA-Z0-9_]*")]
    Name,
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    Quoted,
    #[regex(r"[0-9]+")]
    Number,
    #[token("->")]
    Arrow,
    #[token(">=")]
    AtLeast,
    #[token("=")]
    Equals,
    #[token("'")]
    Prime,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("[")]
    Open,
    #[token("]")]
    Close,
    /// Behind the last token.
    End,
}

fn tokens(text: &str) -> Result<Cursor<'_, Token>, Wrong> {
    let pieces = Token::lexer(text).spanned();
    Cursor::strict(text, pieces, Token::End, |(), span| {
        let what = match text[span.start..].starts_with('"') {
            true => "this quoted name does not end on its line",
            false => "this character has no meaning here",
        };
        Diagnostic::new(span, what, "not expected").into()
    })
}

struct Parser<'t> {
    cursor: Cursor<'t, Token>,
    lines: Lines,
    /// The places by name, and where they were declared.
    known: HashMap<String, (Place, Span)>,
    findings: &'t mut Findings,
}

/// Tokens are looked at and taken by the cursor.
impl<'t> Deref for Parser<'t> {
    type Target = Cursor<'t, Token>;

    fn deref(&self) -> &Self::Target {
        &self.cursor
    }
}

impl DerefMut for Parser<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.cursor
    }
}

/// What is asked of a place: `least` at least, and at most `most`.
struct Bounds {
    place: Place,
    least: u32,
    most: u32,
    span: Span,
}

impl Parser<'_> {
    fn net(&mut self) -> Result<Net, Wrong> {
        let mut net = Net::default();
        self.expect(Token::Vars, "`vars`, which begins a net")?;
        while self.is_name() {
            self.declaration(&mut net)?;
        }
        net.least = vec![0; net.places.len()];
        net.most = vec![OMEGA; net.places.len()];
        let mut seen: HashMap<Token, Span> = HashMap::new();
        while !self.at(Token::End) && !self.findings.is_enough() {
            let (section, span) = (self.kind(), self.span());
            let read = match section {
                Token::Rules => Self::rules,
                Token::Init => Self::init,
                Token::Target => Self::targets,
                Token::Invariants => Self::invariants,
                _ => return Err(self.unexpected("a section: `rules`, `init` or `target`")),
            };
            self.bump();
            read(self, &mut net)?;
            if let Some(first) = seen.insert(section, span.clone()) {
                let again = Diagnostic::new(span, "a section can be there only once", "again")
                    .related(first, "it was here");
                self.findings.malformed.push(again);
            }
        }
        if !seen.contains_key(&Token::Init) && !self.findings.is_enough() {
            let end = self.span();
            let missing = Diagnostic::new(end, "the net has no `init`", "missing here")
                .help("`init true` stands for any number of tokens everywhere");
            self.findings.malformed.push(missing);
        }
        Ok(net)
    }

    fn declaration(&mut self, net: &mut Net) -> Result<(), Wrong> {
        let Name { text: name, span } = self.name("a name")?;
        let place = Place(net.places.len() as u32);
        match self.known.get(&name) {
            Some((_, first)) => {
                let message = format!("`{name}` is declared twice");
                let twice = Diagnostic::new(span, message, "again")
                    .related(first.clone(), "first declared here");
                self.findings.malformed.push(twice);
            }
            None => {
                net.places.push(name.clone());
                self.known.insert(name, (place, span));
            }
        }
        Ok(())
    }

    fn rules(&mut self, net: &mut Net) -> Result<(), Wrong> {
        let begins = |it: &Self| it.is_name() || it.at(Token::True) || it.at(Token::Arrow);
        while begins(self) && !self.findings.is_enough() {
            net.transitions.push(self.rule()?);
        }
        Ok(())
    }

    /// `name: conditions -> statements;`, where the name may be missing.
    fn rule(&mut self) -> Result<Transition, Wrong> {
        let start = self.start();
        let mut transition = Transition::default();
        let is_named = self.is_name() && self.peek(1) == Token::Colon;
        transition.name = match is_named {
            true => {
                let name = self.take_name();
                self.bump();
                name.text
            }
            false => format!("line {}", self.lines.place(start).line),
        };
        // Who asks for nothing is always possible.
        let guard = match self.at(Token::Arrow) {
            true => Vec::new(),
            false => self.conjunction()?,
        };
        let upper = self.note_upper_bounds(&guard, "the rule");
        self.findings.upper.guards.push(upper);
        transition.guard = demand(&guard);
        self.expect(Token::Arrow, "`,` or `->`")?;
        let mut updated: HashMap<Place, Span> = HashMap::new();
        if !self.at(Token::Semicolon) {
            loop {
                self.statement(&mut transition, &mut updated)?;
                if !self.eat(Token::Comma) {
                    break;
                }
            }
        }
        self.expect(Token::Semicolon, "`,` or `;`")?;
        Ok(transition)
    }

    /// `x' = sum`, or `wake x -> y`.
    fn statement(
        &mut self,
        transition: &mut Transition,
        updated: &mut HashMap<Place, Span>,
    ) -> Result<(), Wrong> {
        if self.at_text("wake") && self.peek(1) != Token::Prime {
            self.bump();
            let from = self.place("the place where tokens wait")?;
            self.expect(Token::Arrow, "`->`")?;
            let span = self.span();
            let to = self.place("the place where who is woken goes")?;
            if from.is_some() && from == to {
                let message = "who is woken must go somewhere else";
                let error = Diagnostic::new(span, message, "the place where it waits");
                self.findings.malformed.push(error);
            } else if let (Some(from), Some(to)) = (from, to) {
                transition.wakes.push((from, to));
            }
            return Ok(());
        }
        let span = self.span();
        let place = self.place("an update such as `x' = x + 1`")?;
        self.expect(Token::Prime, "`'`, as in `x' = x + 1`")?;
        self.expect(Token::Equals, "`=`")?;
        let (sources, delta) = self.sum()?;
        let Some(place) = place else { return Ok(()) };
        let update = Update {
            place,
            sources,
            delta,
        };
        let updates = &mut transition.updates;
        let earlier = updates.iter_mut().find(|earlier| earlier.place == place);
        match (updated.insert(place, span.clone()), earlier) {
            (Some(first), Some(earlier)) => {
                let message = format!("`{}` is set twice in a rule", self.text(span.clone()));
                let obstacle = Diagnostic::new(span, message, "again")
                    .related(first, "first set here")
                    .help("it cannot be both, and possibly is the larger");
                self.findings.obstacles.push(obstacle);
                earlier.delta = earlier.delta.max(update.delta);
                let sources = &mut earlier.sources;
                let known: HashSet<Place> = sources.iter().copied().collect();
                sources.extend(update.sources.iter().filter(|more| !known.contains(more)));
            }
            _ => updates.push(update),
        }
        Ok(())
    }

    /// A sum of places and numbers.
    fn sum(&mut self) -> Result<(Vec<Place>, i64), Wrong> {
        let start = self.start();
        let (mut sources, mut delta) = (Vec::new(), 0i64);
        let mut seen = HashSet::new();
        let mut is_negative = self.eat(Token::Minus);
        loop {
            let span = self.span();
            if self.at(Token::Number) {
                let value = i64::from(self.number()?);
                delta += if is_negative { -value } else { value };
            } else if let Some(place) = self.place("a name or a number")? {
                let name = self.text(span.clone());
                if is_negative {
                    let message = format!("taking away `{name}` is not monotone");
                    let label = "only numbers can be subtracted";
                    let obstacle = Diagnostic::new(span, message, label);
                    self.findings.obstacles.push(obstacle);
                } else if seen.insert(place) {
                    sources.push(place);
                } else {
                    let message = format!("`{name}` is twice in a sum");
                    let label = "multiples of a place are not supported";
                    let unsupported = Diagnostic::new(span, message, label);
                    self.findings.unsupported.push(unsupported);
                }
            }
            match self.kind() {
                Token::Plus => is_negative = false,
                Token::Minus => is_negative = true,
                _ => break,
            }
            self.bump();
        }
        if delta.unsigned_abs() > u64::from(MOST_TOKENS) {
            let span = self.since(start);
            let label = format!("at most {MOST_TOKENS} is possible");
            let error = Diagnostic::new(span, "the numbers of this sum are too large", label);
            self.findings.malformed.push(error);
        }
        Ok((sources, delta))
    }

    fn init(&mut self, net: &mut Net) -> Result<(), Wrong> {
        for bounds in self.conjunction()? {
            let index = bounds.place.index();
            net.least[index] = net.least[index].max(bounds.least);
            net.most[index] = net.most[index].min(bounds.most);
            if net.least[index] > net.most[index] {
                let name = &net.places[index];
                let message = format!("the net has no initial marking, because of `{name}`");
                let label = "contradicts what is stated before";
                let error = Diagnostic::new(bounds.span, message, label);
                self.findings.malformed.push(error);
                net.least[index] = net.most[index];
            }
        }
        if self.is_name() {
            let message = "a net has one set of initial markings";
            let error = Diagnostic::new(self.span(), message, "expected `,` or a section");
            return Err(error.into());
        }
        Ok(())
    }

    fn targets(&mut self, net: &mut Net) -> Result<(), Wrong> {
        loop {
            let bounds = self.conjunction()?;
            let upper = self.note_upper_bounds(&bounds, "the target");
            self.findings.upper.targets.push(upper);
            net.targets.push(demand(&bounds));
            if !self.is_name() && !self.at(Token::True) {
                return Ok(());
            }
        }
    }

    fn invariants(&mut self, _: &mut Net) -> Result<(), Wrong> {
        while self.is_name() {
            self.conjunction()?;
        }
        Ok(())
    }

    /// Bounds that are separated by commas.
    fn conjunction(&mut self) -> Result<Vec<Bounds>, Wrong> {
        let mut found = Vec::new();
        loop {
            found.extend(self.bounds()?);
            if !self.eat(Token::Comma) {
                return Ok(found);
            }
        }
    }

    /// `x = n`, `x >= n`, `x in [a, b]` or `true`; `None` if nothing is asked.
    fn bounds(&mut self) -> Result<Option<Bounds>, Wrong> {
        if self.eat(Token::True) {
            return Ok(None);
        }
        let start = self.start();
        let place = self.place("a condition such as `x >= 1`")?;
        let (least, most) = match self.kind() {
            Token::AtLeast => {
                self.bump();
                (self.number()?, OMEGA)
            }
            Token::Equals => {
                self.bump();
                let value = self.number()?;
                (value, value)
            }
            Token::In => {
                self.bump();
                self.expect(Token::Open, "`[`")?;
                let least = self.number()?;
                self.expect(Token::Comma, "`,`")?;
                let most = self.number()?;
                self.expect(Token::Close, "`]`")?;
                (least, most)
            }
            _ => return Err(self.unexpected("`>=`, `=` or `in`")),
        };
        let span = self.since(start);
        if least > most {
            let error = Diagnostic::new(span, "nothing is in this interval", "from large to small");
            self.findings.malformed.push(error);
            return Ok(None);
        }
        Ok(place.map(|place| Bounds {
            place,
            least,
            most,
            span,
        }))
    }

    fn note_upper_bounds(&mut self, conjunction: &[Bounds], whose: &str) -> Ceiling {
        let upper = conjunction.iter().filter(|bounds| bounds.most != OMEGA);
        for bounds in upper.clone() {
            let condition = self.text(bounds.span.clone());
            let message = format!("{whose} is not monotone: it asks for `{condition}`");
            let label = "a bound from above";
            let obstacle = Diagnostic::new(bounds.span.clone(), message, label)
                .help("only `>=` can be decided; without the bound, more is possible");
            self.findings.obstacles.push(obstacle);
            self.findings.upper_bounds += 1;
        }
        upper.map(|bounds| (bounds.place, bounds.most)).collect()
    }

    /// A place; `None`, with an error, if nobody declared it.
    fn place(&mut self, expected: &str) -> Result<Option<Place>, Wrong> {
        let Name { text: name, span } = self.name(expected)?;
        if let Some(&(place, _)) = self.known.get(&name) {
            return Ok(Some(place));
        }
        if !self.findings.is_enough() {
            let message = format!("`{name}` is not declared in `vars`");
            let mut error = Diagnostic::new(span, message, "unknown");
            if let Some(similar) = nearest(&name, self.known.keys().map(String::as_str)) {
                error = error.help(format!("there is `{similar}`"));
            }
            self.findings.malformed.push(error);
        }
        Ok(None)
    }

    fn name(&mut self, expected: &str) -> Result<Name, Wrong> {
        match self.is_name() {
            true => Ok(self.take_name()),
            false => Err(self.unexpected(expected)),
        }
    }

    fn number(&mut self) -> Result<u32, Wrong> {
        let span = self.expect(Token::Number, "a number")?;
        number(self.text(span.clone()), &span)
    }

    fn is_name(&self) -> bool {
        matches!(self.kind(), Token::Name | Token::Quoted)
    }

    fn expect(&mut self, token: Token, expected: &str) -> Result<Span, Wrong> {
        let span = self.span();
        match self.eat(token) {
            true => Ok(span),
            false => Err(self.unexpected(expected)),
        }
    }

    fn unexpected(&self, expected: &str) -> Wrong {
        let message = match self.kind() {
            Token::End => "the file ends here".to_owned(),
            _ => format!("`{}` is not expected here", self.text_ahead(0)),
        };
        Diagnostic::new(self.span(), message, format!("expected {expected}")).into()
    }
}

/// The lower bounds as a demand.
fn demand(conjunction: &[Bounds]) -> Demand {
    let asked = conjunction.iter().filter(|bounds| bounds.least > 0);
    let mut demand: Demand = asked.map(|bounds| (bounds.place, bounds.least)).collect();
    demand.sort_unstable();
    // Of several demands on a place the largest comes last, and is the one that counts.
    demand.reverse();
    demand.dedup_by_key(|&mut (place, _)| place);
    demand.reverse();
    demand
}

/// The sections of a net. `nothing` is the condition that is always met.
fn document(net: &Net, names: &[String], rules: &str, nothing: &str) -> String {
    let mut out = String::from("vars\n");
    for name in names {
        let _ = writeln!(out, "    {name}");
    }
    let _ = write!(out, "\nrules\n{rules}\ninit\n    ");
    let bounds = net.least.iter().zip(&net.most).zip(names);
    let bounds = bounds.filter_map(|((&least, &most), name)| match (least, most) {
        (0, OMEGA) => None,
        (least, OMEGA) => Some(format!("{name} >= {least}")),
        (least, most) if least == most => Some(format!("{name} = {least}")),
        (least, most) => Some(format!("{name} in [{least}, {most}]")),
    });
    out.push_str(&joined(bounds, nothing));
    out.push('\n');
    if !net.targets.is_empty() {
        out.push_str("\ntarget\n");
    }
    for target in &net.targets {
        let _ = writeln!(out, "    {}", conditions(target, names, nothing));
    }
    out
}

fn rule(transition: &Transition, guard: &Demand, names: &[String]) -> String {
    let name = |place: Place| &names[place.index()];
    let updates = transition.updates.iter().map(|update| {
        let mut sum = update.sources.iter().map(|&source| name(source).as_str());
        let first = sum.next();
        let mut sum = sum.fold(first.unwrap_or_default().to_owned(), |sum, source| {
            sum + " + " + source
        });
        match (first, update.delta) {
            (None, delta) => sum = delta.to_string(),
            (Some(_), 0) => {}
            (Some(_), delta) if delta < 0 => sum += &format!(" - {}", delta.unsigned_abs()),
            (Some(_), delta) => sum += &format!(" + {delta}"),
        }
        format!("{}' = {sum}", name(update.place))
    });
    let wakes = transition.wakes.iter();
    let wakes = wakes.map(|&(from, to)| format!("wake {} -> {}", name(from), name(to)));
    let statements = joined(updates.chain(wakes), "");
    let conditions = conditions(guard, names, "true");
    format!("{conditions} -> {statements};\n")
}

fn conditions(demand: &Demand, names: &[String], nothing: &str) -> String {
    let conditions = demand.iter();
    let conditions =
        conditions.map(|&(place, least)| format!("{} >= {least}", names[place.index()]));
    joined(conditions, nothing)
}

fn joined(parts: impl Iterator<Item = String>, nothing: &str) -> String {
    let parts: Vec<String> = parts.collect();
    match parts.is_empty() {
        true => nothing.to_owned(),
        false => parts.join(", "),
    }
}

/// A name as it is written: quoted, unless it is a word that is no other token.
fn written(name: &str) -> String {
    let mut lexer = Token::lexer(name);
    let is_word = lexer.next() == Some(Ok(Token::Name)) && lexer.span() == (0..name.len());
    match is_word {
        true => name.to_owned(),
        false => quote(name),
    }
}

/// A name that mist can read and that resembles this one.
fn mist_name(name: &str) -> String {
    let is_legal = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let name = name.replace(|character| !is_legal(character), "_");
    match Token::lexer(&name).next() {
        Some(Ok(Token::Name)) => name,
        Some(Ok(Token::Number)) | None => format!("_{name}"),
        _ => format!("{name}_"),
    }
}

/// The guard of a transition for mist, which asks explicitly for what is taken away, if mist
/// understands the transition as it is meant. For mist, a place that is added to another is
/// empty afterwards, and nothing else empties a place.
fn mist_guard(net: &Net, transition: &Transition) -> Result<Demand, Inexpressible> {
    let refuse = |what: &str, place: Place| {
        let (name, place) = (&transition.name, &net.places[place.index()]);
        let message = format!("mist cannot express that `{name}` {what} `{place}`");
        Err(Inexpressible(message))
    };
    if let Some(&(from, _)) = transition.wakes.first() {
        return refuse("wakes who waits in", from);
    }
    let mut guard: HashMap<Place, u32> = transition.guard.iter().copied().collect();
    let updates = &transition.updates;
    let moved = updates.iter().flat_map(|update| {
        let others = update.sources.iter();
        others.filter(move |&&source| source != update.place)
    });
    let mut gone: HashSet<Place> = HashSet::new();
    for &place in moved {
        if !gone.insert(place) {
            return refuse("adds to several others", place);
        }
    }
    for update in updates {
        let place = update.place;
        let keeps = update.sources.contains(&place);
        if gone.remove(&place) {
            if !update.sources.is_empty() || update.delta != 0 {
                return refuse("moves everything out of, and something into,", place);
            }
        } else if !keeps {
            return refuse("forgets what is in", place);
        }
        let taken = u32::try_from(-update.delta).unwrap_or(0);
        let asked = guard.entry(place).or_default();
        if taken > *asked && update.sources.len() > 1 {
            return refuse("adds to and at the same time takes from", place);
        }
        *asked = taken.max(*asked);
    }
    if let Some(&copied) = gone.iter().min() {
        return refuse("copies what is in", copied);
    }
    let mut guard: Demand = guard.into_iter().filter(|&(_, least)| least > 0).collect();
    guard.sort_unstable();
    Ok(guard)
}

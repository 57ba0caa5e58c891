//! What is unsafe, as somebody writes it on a command line: `critical >= 2`, or
//! `reading & writing | writing >= 2`.
//!
//! `|` separates what is unsafe by itself; `&` connects what must hold together. A name alone
//! asks for one, so `a & a` asks for one, too. Names may have any characters but blanks and
//! `& | < = > "`; with these they are written in quotes.
//!
//! The set of unsafe markings is upward closed: there is no `=` and no `<`.
//!
//! A name stands for places whose tokens are added up: a place of a net for itself, a label
//! of a program for all states of a thread in which it stands there.

use crate::formats::{Wrong, number};
use crate::net::{Demand, Net, Place};
use logos::Logos;
use raddle_diagnostics::{Cursor, Diagnostic, Name, nearest};
use std::collections::{HashMap, HashSet};

/// Whose names can be used.
pub trait Names {
    /// The places that a name stands for; `None` if it is unknown.
    fn places(&self, name: &str) -> Option<Vec<Place>>;

    /// All names, to suggest one.
    fn all(&self) -> Vec<&str>;
}

/// The names of the places of a net.
pub struct PlaceNames<'n>(HashMap<&'n str, Vec<Place>>);

impl<'n> PlaceNames<'n> {
    /// Places that share a name are added up.
    pub fn new(net: &'n Net) -> Self {
        let mut names: HashMap<&str, Vec<Place>> = HashMap::new();
        for (index, name) in net.places.iter().enumerate() {
            names.entry(name).or_default().push(Place(index as u32));
        }
        PlaceNames(names)
    }
}

impl Names for PlaceNames<'_> {
    fn places(&self, name: &str) -> Option<Vec<Place>> {
        self.0.get(name).cloned()
    }

    fn all(&self) -> Vec<&str> {
        self.0.keys().copied().collect()
    }
}

/// The most demands that an expression may stand for.
const MOST_DEMANDS: usize = 100_000;

/// The demands that an expression stands for: it is unsafe to meet one of them.
pub fn parse(text: &str, names: &dyn Names) -> Result<Vec<Demand>, Vec<Diagnostic>> {
    let mut parser = Parser {
        cursor: tokens(text).map_err(|error| vec![*error])?,
        names,
        errors: Vec::new(),
    };
    let demands = parser.expression();
    let mut errors = parser.errors;
    match demands {
        Ok(demands) if errors.is_empty() => Ok(demands),
        Ok(_) => Err(errors),
        Err(error) => {
            errors.push(*error);
            Err(errors)
        }
    }
}

#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"\s+")]
enum Token {
    #[regex(r#"[^\s&|<=>"]+"#)]
    Name,
    #[regex(r#""([^"\\]|\\[^\n]|\\\n)*""#)]
    Quoted,
    #[token(">=")]
    AtLeast,
    #[token("&")]
    #[token("&&")]
    And,
    #[token("|")]
    #[token("||")]
    Or,
    /// Behind the last token.
    End,
}

fn tokens(text: &str) -> Result<Cursor<'_, Token>, Wrong> {
    let pieces = Token::lexer(text).spanned();
    Cursor::strict(text, pieces, Token::End, |(), span| {
        if text[span.start..].starts_with('"') {
            let span = span.start..text.len();
            return Diagnostic::new(span, "the quotes are not closed", "begins here").into();
        }
        // Every other sign can be part of a name.
        let span = span.start..span.start + 1;
        let message = format!("`{}` cannot be used here", &text[span.clone()]);
        let error = Diagnostic::new(span, message, "expected `>=`");
        let help = "what is unsafe stays unsafe with more threads";
        error.help(help).into()
    })
}

struct Parser<'n> {
    cursor: Cursor<'n, Token>,
    names: &'n dyn Names,
    errors: Vec<Diagnostic>,
}

impl Parser<'_> {
    fn expression(&mut self) -> Result<Vec<Demand>, Wrong> {
        let mut found = self.conjunction()?;
        while self.cursor.eat(Token::Or) {
            found.extend(self.conjunction()?);
            self.limit(found.len())?;
        }
        if !self.cursor.at(Token::End) {
            return Err(self.unexpected("`&`, `|` or `>=`"));
        }
        let mut seen = HashSet::new();
        found.retain(|demand| seen.insert(demand.clone()));
        Ok(found)
    }

    fn conjunction(&mut self) -> Result<Vec<Demand>, Wrong> {
        let mut found = self.condition()?;
        while self.cursor.eat(Token::And) {
            let more = self.condition()?;
            self.limit(found.len().saturating_mul(more.len()))?;
            let pairs = found
                .iter()
                .flat_map(|one| more.iter().map(move |other| (one, other)));
            found = pairs.map(|(one, other)| both(one, other)).collect();
        }
        Ok(found)
    }

    /// `name` or `name >= number`, as the ways to meet it.
    fn condition(&mut self) -> Result<Vec<Demand>, Wrong> {
        let Name { text: name, span } = self.name("a name")?;
        let least = match self.cursor.eat(Token::AtLeast) {
            true => self.number()?,
            false => 1,
        };
        match self.names.places(&name) {
            Some(places) => {
                self.limit(count_splits(places.len(), least))?;
                Ok(splits(&places, least))
            }
            None => {
                let message = format!("there is no `{name}`");
                let mut error = Diagnostic::new(span, message, "unknown");
                if let Some(similar) = nearest(&name, self.names.all()) {
                    error = error.help(format!("there is `{similar}`"));
                }
                self.errors.push(error);
                Ok(Vec::new())
            }
        }
    }

    fn name(&mut self, expected: &str) -> Result<Name, Wrong> {
        match self.cursor.kind() {
            Token::Name | Token::Quoted => Ok(self.cursor.take_name()),
            _ => Err(self.unexpected(expected)),
        }
    }

    fn number(&mut self) -> Result<u32, Wrong> {
        let begin = self.cursor.position();
        let Name { text: digits, span } = self.name("a number")?;
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            self.cursor.back_to(begin);
            return Err(self.unexpected("a number"));
        }
        match number(&digits, &span)? {
            0 => {
                let message = "everything would be unsafe";
                let label = "expected at least 1";
                Err(Diagnostic::new(span, message, label).into())
            }
            value => Ok(value),
        }
    }

    /// An error if there are too many ways to meet what is asked.
    fn limit(&self, demands: usize) -> Result<(), Wrong> {
        if demands <= MOST_DEMANDS {
            return Ok(());
        }
        let message = "there are too many ways to be unsafe";
        let label = format!("more than {MOST_DEMANDS}");
        Err(Diagnostic::new(0..self.cursor.end(), message, label).into())
    }

    fn unexpected(&self, expected: &str) -> Wrong {
        let message = match self.cursor.kind() {
            Token::End => "the expression ends here",
            _ => "this is not expected here",
        };
        let label = format!("expected {expected}");
        Diagnostic::new(self.cursor.span(), message, label).into()
    }
}

/// The smallest demand above both.
fn both(one: &Demand, other: &Demand) -> Demand {
    let mut all: Demand = one.iter().chain(other).copied().collect();
    all.sort_unstable_by(|left, right| (left.0, right.1).cmp(&(right.0, left.1)));
    all.dedup_by_key(|&mut (place, _)| place);
    all
}

/// In how many ways so many tokens can be in so many places, if that is a small number.
fn count_splits(places: usize, tokens: u32) -> usize {
    let (places, tokens) = (places as u128, u128::from(tokens));
    if places == 0 {
        return 0;
    }
    // The binomial of all by the smaller of the two, which is exact after each step.
    let all = places - 1 + tokens;
    let smaller = tokens.min(places - 1);
    let mut count = 1;
    for step in 1..=smaller {
        count = count * (all - smaller + step) / step;
        if count > MOST_DEMANDS as u128 {
            return usize::MAX;
        }
    }
    count as usize
}

/// All ways to have so many tokens in these places together.
fn splits(places: &[Place], tokens: u32) -> Vec<Demand> {
    let mut places = places.to_vec();
    places.sort_unstable();
    places.dedup();
    let mut done = Vec::new();
    let mut open: Vec<(Demand, u32)> = vec![(Demand::new(), tokens)];
    for (index, &place) in places.iter().enumerate() {
        let is_last = index + 1 == places.len();
        let mut still_open = Vec::new();
        for (demand, missing) in open {
            let fewest = if is_last { missing } else { 0 };
            for share in fewest..=missing {
                let mut demand = demand.clone();
                if share > 0 {
                    demand.push((place, share));
                }
                match share == missing {
                    true => done.push(demand),
                    false => still_open.push((demand, missing - share)),
                }
            }
        }
        open = still_open;
    }
    done
}

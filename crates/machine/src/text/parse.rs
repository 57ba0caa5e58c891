//! Reads a program from its text.
//!
//! Names may be used before the item that introduces them, so the items' names are
//! collected first. The code of functions is read in `parse_code.rs`.

use super::ParseError;
use super::names::{KINDS, Names, Resolution, Scope, is_reserved};
use super::token::{TokenKind, tokens, unescape};
use crate::ir::{
    Claim, Declaration, DeclarationId, Discipline, EnumId, Enumeration, FunctionId, Home,
    InitialThread, Instruction, Invariant, Label, LabelId, Pc, Program, Range, Record, RecordId,
    RegionInfo, Slot, ValueType,
};
use crate::verify::MAXIMUM_WORDS;
use raddle_diagnostics::{Cursor, Token};
use raddle_model::{Kind, Place, Region};
use std::borrow::Cow;
use std::ops::{Deref, DerefMut};

/// The program that a text describes. Its form is checked, not whether the program
/// makes sense: that is [`verify`](crate::verify::verify)'s task.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let cursor = tokens(text)?;
    let mut parser = Parser {
        scope: item_names(cursor.tokens()),
        cursor,
        depth: 0,
        program: Program::default(),
        lines: Vec::new(),
    };
    while !parser.at(TokenKind::End) {
        parser.item()?;
    }
    parser.collect_code()?;
    Ok(parser.program)
}

pub(super) type Parsed<T> = Result<T, ParseError>;

pub(super) struct Parser<'a> {
    cursor: Cursor<'a, TokenKind<'a>>,
    /// How many expressions the one at hand is nested in.
    pub(super) depth: usize,
    pub(super) scope: Scope<'a>,
    pub(super) program: Program,
    /// The instructions in the order of the text, which need not be that of the code.
    pub(super) lines: Vec<Line>,
}

/// Tokens are looked at and taken by the cursor.
impl<'a> Deref for Parser<'a> {
    type Target = Cursor<'a, TokenKind<'a>>;

    fn deref(&self) -> &Self::Target {
        &self.cursor
    }
}

impl DerefMut for Parser<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.cursor
    }
}

/// An instruction with what is said of it.
pub(super) struct Line {
    pub(super) pc: Pc,
    pub(super) start: bool,
    pub(super) instruction: Instruction,
    pub(super) place: Place,
    /// Which token it begins with.
    pub(super) token: usize,
}

/// The names of all items. An item's word is reserved, so outside of braces it
/// always begins an item.
fn item_names<'a>(tokens: &[Token<TokenKind<'a>>]) -> Scope<'a> {
    let mut scope = Scope::default();
    let mut braces = 0usize;
    for pair in tokens.windows(2) {
        match pair[0].kind {
            TokenKind::Sign("{") => braces += 1,
            TokenKind::Sign("}") => braces = braces.saturating_sub(1),
            TokenKind::Word(word) if braces == 0 => {
                let names = match word {
                    "enum" => &mut scope.enums,
                    "record" => &mut scope.records,
                    "region" => &mut scope.regions,
                    "local" => &mut scope.thread_locals,
                    "function" => &mut scope.functions,
                    "thread" => &mut scope.declarations,
                    "label" => &mut scope.labels,
                    _ => continue,
                };
                if let Some(name) = name_of(pair[1].kind) {
                    names.push(name);
                }
            }
            _ => {}
        }
    }
    scope
}

fn name_of(token: TokenKind<'_>) -> Option<Cow<'_, str>> {
    match token {
        TokenKind::Word(word) if !is_reserved(word) => Some(word.into()),
        TokenKind::Text(text) => Some(unescape(text).into()),
        _ => None,
    }
}

/// Items.
impl<'a> Parser<'a> {
    fn item(&mut self) -> Parsed<()> {
        let TokenKind::Word(word) = self.kind() else {
            return Err(self.unexpected("an item"));
        };
        let begin = self.position();
        self.bump();
        match word {
            "enum" => self.enumeration(),
            "record" => self.record(),
            "region" => self.region_info(),
            "words" => {
                self.take("{")?;
                let words = self.words()?;
                let total = self.program.initial_words.len() + words.len();
                if total > MAXIMUM_WORDS as usize {
                    return Err(self.error_at(begin, "too many words"));
                }
                self.program.initial_words.extend(words);
                Ok(())
            }
            "instance" => {
                let record = self.record_id()?;
                if self.program.instances.len() >= MAXIMUM_WORDS as usize {
                    return Err(self.error_at(begin, "too many instances"));
                }
                self.program.instances.push(record);
                Ok(())
            }
            "local" => {
                let name = self.name()?;
                let slot = self.slot_after(name)?;
                self.program.thread_locals.push(slot);
                Ok(())
            }
            "thread" => self.declaration(),
            "any" => {
                let declaration = self.declaration_id()?;
                self.program.replicated.push(declaration);
                Ok(())
            }
            "start" => self.initial_thread(),
            "label" => {
                let name = self.name()?.into_owned();
                self.take("at")?;
                let pc = self.pc()?;
                self.program.labels.push(Label { name, pc });
                Ok(())
            }
            "invariant" => self.invariant(),
            "property" => {
                let property = self.temporal()?;
                self.program.temporal.push(property);
                Ok(())
            }
            "claim" => self.claim(),
            "function" => self.function(),
            _ => Err(self.error_at(begin, &format!("`{word}` does not begin an item"))),
        }
    }

    fn enumeration(&mut self) -> Parsed<()> {
        let name = self.name()?.into_owned();
        let members = self.list("{", "}", |parser| Ok(parser.name()?.into_owned()))?;
        self.program.enums.push(Enumeration { name, members });
        Ok(())
    }

    fn record(&mut self) -> Parsed<()> {
        let name = self.name()?.into_owned();
        let fields = self.list("{", "}", Self::region)?;
        self.take("=")?;
        self.take("{")?;
        let initial = self.words()?;
        self.program.records.push(Record {
            name,
            fields,
            initial,
        });
        Ok(())
    }

    /// Words up to the closing brace.
    fn words(&mut self) -> Parsed<Vec<i32>> {
        let mut words = Vec::new();
        while !self.eat_text("}") {
            let begin = self.position();
            let word = self.integer()?;
            let count = if self.eat_text("*") {
                self.number()? as usize
            } else {
                1
            };
            // A few characters can ask for a lot of memory.
            if words.len() + count > MAXIMUM_WORDS as usize {
                return Err(self.error_at(begin, "too many words"));
            }
            words.extend(std::iter::repeat_n(word, count));
        }
        Ok(words)
    }

    fn region_info(&mut self) -> Parsed<()> {
        let name = self.name()?.into_owned();
        let mut dimensions = Vec::new();
        while self.eat_text("[") {
            dimensions.push(self.number()?);
            self.take("]")?;
        }
        self.take(":")?;
        let kind = self.region_kind()?;
        let mut capacity = 0;
        if self.eat_text("(") {
            capacity = self.number()?;
            self.take(")")?;
        }
        let value = match self.kind() {
            TokenKind::Word("int" | "bool" | "ref" | "tid") => self.value_type()?,
            TokenKind::Sign("#") => self.value_type()?,
            other if name_of(other).is_some() => self.value_type()?,
            _ => ValueType::Int,
        };
        let home = if self.eat_text("at") {
            self.home()?
        } else {
            Home::Threads
        };
        let per_thread = match self.eat_text("per") {
            true => Some(self.declaration_id()?),
            false => None,
        };
        self.program.regions.push(RegionInfo {
            name,
            kind,
            home,
            dimensions,
            value,
            capacity,
            per_thread,
        });
        Ok(())
    }

    fn region_kind(&mut self) -> Parsed<Kind> {
        for (word, kind) in KINDS {
            if self.eat_text(word) {
                return Ok(kind);
            }
        }
        Err(self.unexpected("the kind of the region"))
    }

    fn home(&mut self) -> Parsed<Home> {
        if let TokenKind::Number(_) = self.kind() {
            return Ok(Home::Shared(self.number()?));
        }
        let record = self.record_id()?;
        self.take("+")?;
        Ok(Home::Field(record, self.number()?))
    }

    fn declaration(&mut self) -> Parsed<()> {
        let name = self.name()?.into_owned();
        self.take("runs")?;
        let function = self.function_id()?;
        let daemon = self.eat_text("daemon");
        self.program.declarations.push(Declaration {
            name,
            function,
            daemon,
        });
        Ok(())
    }

    fn initial_thread(&mut self) -> Parsed<()> {
        let declaration = self.declaration_id()?;
        let arguments = self.list("(", ")", Self::integer)?;
        self.take("as")?;
        let name = self.name()?.into_owned();
        self.program.initial_threads.push(InitialThread {
            name,
            declaration,
            arguments,
        });
        Ok(())
    }

    fn invariant(&mut self) -> Parsed<()> {
        let name = self.name()?.into_owned();
        self.take(":")?;
        let condition = self.expression()?;
        let place = self.place()?;
        self.program.invariants.push(Invariant {
            name,
            condition,
            place,
        });
        Ok(())
    }

    fn claim(&mut self) -> Parsed<()> {
        let region = self.region()?;
        let discipline = if self.eat_text("exclusive") {
            Discipline::Exclusive(self.expression()?)
        } else if self.eat_text("protected") {
            self.take("by")?;
            Discipline::ProtectedBy(self.cell()?)
        } else if self.eat_text("unprotected") {
            Discipline::Unprotected
        } else if self.eat_text("initialised") {
            self.take("by")?;
            Discipline::InitialisedBy(self.declaration_id()?)
        } else {
            return Err(self.unexpected("a discipline"));
        };
        let place = self.place()?;
        self.program.claims.push(Claim {
            region,
            discipline,
            place,
        });
        Ok(())
    }

    /// A slot whose name has been read.
    pub(super) fn slot_after(&mut self, name: Cow<'_, str>) -> Parsed<Slot> {
        self.take(":")?;
        let value = self.value_type()?;
        let initial = if self.eat_text("=") {
            self.integer()?
        } else {
            0
        };
        Ok(Slot {
            name: name.into_owned(),
            value,
            initial,
        })
    }

    fn value_type(&mut self) -> Parsed<ValueType> {
        if self.eat_text("bool") {
            return Ok(ValueType::Bool);
        }
        if self.eat_text("tid") {
            return Ok(ValueType::Thread);
        }
        if self.eat_text("ref") {
            return Ok(ValueType::Reference(self.record_id()?));
        }
        if !self.eat_text("int") {
            let number = self.reference(|scope| &scope.enums, "enumeration")?;
            return Ok(ValueType::Enum(EnumId(self.small(number)?)));
        }
        // A number without a range is that of the instruction that follows.
        match (self.kind(), self.peek(1)) {
            (TokenKind::Sign("-"), _) | (_, TokenKind::Sign("..")) => {
                Ok(ValueType::Ranged(self.range()?))
            }
            _ => Ok(ValueType::Int),
        }
    }

    pub(super) fn range(&mut self) -> Parsed<Range> {
        let low = self.integer()?;
        self.take("..")?;
        let high = self.integer()?;
        let wraps = self.eat_text("wrapping");
        Ok(Range { low, high, wraps })
    }

    pub(super) fn place(&mut self) -> Parsed<Place> {
        self.take("@")?;
        let file = self.number()?;
        self.take(":")?;
        let line = self.number()?;
        self.take(":")?;
        let column = self.number()?;
        Ok(Place { file, line, column })
    }
}

/// References.
impl<'a> Parser<'a> {
    /// A name, a name and a number, or a number.
    pub(super) fn reference(
        &mut self,
        names: impl for<'s> Fn(&'s Scope<'a>) -> &'s Names<'a>,
        sort: &str,
    ) -> Parsed<u32> {
        let begin = self.position();
        let name = name_of(self.kind());
        if name.is_some() {
            self.bump();
        }
        if self.eat_text("#") {
            let number = self.number()?;
            if name.is_some() && names(&self.scope).name(number as usize) != name.as_deref() {
                let message = format!("{sort} {number} does not have this name");
                return Err(self.error_at(begin, &message));
            }
            return Ok(number);
        }
        let Some(name) = name else {
            return Err(self.unexpected(&format!("the name of a {sort}")));
        };
        let message = match names(&self.scope).resolve(&name) {
            Resolution::Number(number) => {
                return u32::try_from(number)
                    .map_err(|_| self.error_at(begin, "this number is too large"));
            }
            Resolution::Ambiguous => format!("there are several {sort}s of this name"),
            Resolution::Unknown => format!("there is no {sort} of this name"),
        };
        Err(self.error_at(begin, &message))
    }

    pub(super) fn region(&mut self) -> Parsed<Region> {
        Ok(Region(self.reference(|scope| &scope.regions, "region")?))
    }

    pub(super) fn record_id(&mut self) -> Parsed<RecordId> {
        let number = self.reference(|scope| &scope.records, "record")?;
        Ok(RecordId(self.small(number)?))
    }

    pub(super) fn function_id(&mut self) -> Parsed<FunctionId> {
        let number = self.reference(|scope| &scope.functions, "function")?;
        Ok(FunctionId(self.small(number)?))
    }

    pub(super) fn declaration_id(&mut self) -> Parsed<DeclarationId> {
        let number = self.reference(|scope| &scope.declarations, "thread")?;
        Ok(DeclarationId(self.small(number)?))
    }

    pub(super) fn label_id(&mut self) -> Parsed<LabelId> {
        let number = self.reference(|scope| &scope.labels, "label")?;
        Ok(LabelId(self.small(number)?))
    }

    pub(super) fn small(&self, number: u32) -> Parsed<u16> {
        u16::try_from(number).map_err(|_| {
            self.error_at(
                self.position().saturating_sub(1),
                "this number is too large",
            )
        })
    }

    pub(super) fn pc(&mut self) -> Parsed<Pc> {
        Ok(Pc(self.number()?))
    }
}

/// Tokens.
impl<'a> Parser<'a> {
    /// Takes a word or a sign.
    pub(super) fn take(&mut self, word: &str) -> Parsed<()> {
        match self.eat_text(word) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{word}`"))),
        }
    }

    /// Items with commas between them.
    pub(super) fn list<T>(
        &mut self,
        open: &str,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        self.take(open)?;
        while !self.eat_text(close) {
            if !items.is_empty() {
                self.take(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    pub(super) fn name(&mut self) -> Parsed<Cow<'a, str>> {
        let Some(name) = name_of(self.kind()) else {
            return Err(self.unexpected("a name"));
        };
        self.bump();
        Ok(name)
    }

    pub(super) fn number(&mut self) -> Parsed<u32> {
        let TokenKind::Number(number) = self.kind() else {
            return Err(self.unexpected("a number"));
        };
        self.bump();
        Ok(number)
    }

    /// A number with or without a sign.
    pub(super) fn integer(&mut self) -> Parsed<i32> {
        let begin = self.position();
        let negative = self.eat_text("-");
        let magnitude = i64::from(self.number()?);
        let value = if negative { -magnitude } else { magnitude };
        i32::try_from(value)
            .map_err(|_| self.error_at(begin, "this number does not fit into 32 bits"))
    }

    pub(super) fn unexpected(&self, expected: &str) -> ParseError {
        let found = match self.kind() {
            TokenKind::Word(word) | TokenKind::Sign(word) => format!("`{word}`"),
            TokenKind::Text(_) => "a string".to_string(),
            TokenKind::Number(number) => format!("`{number}`"),
            TokenKind::End => "the end".to_string(),
        };
        let message = format!("expected {expected}, found {found}");
        self.error_at(self.position(), &message)
    }

    pub(super) fn error_at(&self, token: usize, message: &str) -> ParseError {
        ParseError::new(self.place_of(token), message.to_string())
    }
}

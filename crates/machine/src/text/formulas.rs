//! Temporal properties: each operator before its operands, which are in brackets.

use super::parse::{Parsed, Parser};
use super::parse_code::MAXIMUM_NESTING;
use super::print::Printer;
use crate::ir::{Expression, TemporalProperty};
use raddle_model::{Fairness, Formula};

type Operand = Box<Formula<Expression>>;
type Unary = fn(Operand) -> Formula<Expression>;
type Binary = fn(Operand, Operand) -> Formula<Expression>;

const UNARY: [(&str, Unary); 4] = [
    ("not", Formula::Not),
    ("next", Formula::Next),
    ("always", Formula::Always),
    ("eventually", Formula::Eventually),
];

const BINARY: [(&str, Binary); 6] = [
    ("and", Formula::And),
    ("or", Formula::Or),
    ("implies", Formula::Implies),
    ("until", Formula::Until),
    ("unless", Formula::Unless),
    ("leads_to", Formula::LeadsTo),
];

impl Printer<'_> {
    pub(super) fn temporal(&mut self, property: &TemporalProperty) {
        self.put("property ");
        self.name(&property.name);
        self.put_display(format_args!(
            " under {} fairness: ",
            property.fairness.name()
        ));
        self.formula(&property.formula);
        self.put(" ");
        self.place(property.place);
        self.put("\n");
    }

    fn formula(&mut self, formula: &Formula<Expression>) {
        self.put(match formula {
            Formula::Constant(true) => "true",
            Formula::Constant(false) => "false",
            Formula::Atom(_) => "atom ",
            Formula::Not(_) => "not",
            Formula::And(..) => "and",
            Formula::Or(..) => "or",
            Formula::Implies(..) => "implies",
            Formula::Next(_) => "next",
            Formula::Always(_) => "always",
            Formula::Eventually(_) => "eventually",
            Formula::Until(..) => "until",
            Formula::Unless(..) => "unless",
            Formula::LeadsTo(..) => "leads_to",
        });
        if let Formula::Atom(atom) = formula {
            self.expression(atom);
        }
        for part in formula.parts() {
            self.put(" [");
            self.formula(part);
            self.put("]");
        }
    }
}

impl Parser<'_> {
    pub(super) fn temporal(&mut self) -> Parsed<TemporalProperty> {
        let name = self.name()?.into_owned();
        self.take("under")?;
        let mut fairness = Fairness::ALL.into_iter();
        let fairness = fairness.find(|it| self.eat_text(it.name()));
        let fairness = fairness.ok_or_else(|| self.unexpected("`no`, `weak` or `strong`"))?;
        self.take("fairness")?;
        self.take(":")?;
        Ok(TemporalProperty {
            name,
            formula: self.formula()?,
            fairness,
            place: self.place()?,
        })
    }

    fn formula(&mut self) -> Parsed<Formula<Expression>> {
        if self.depth >= MAXIMUM_NESTING {
            return Err(self.error_at(self.position(), "this is nested too deeply"));
        }
        self.depth += 1;
        let formula = self.operator();
        self.depth -= 1;
        formula
    }

    fn operator(&mut self) -> Parsed<Formula<Expression>> {
        for (word, of) in UNARY {
            if self.eat_text(word) {
                return Ok(of(self.bracketed()?));
            }
        }
        for (word, of) in BINARY {
            if self.eat_text(word) {
                let first = self.bracketed()?;
                return Ok(of(first, self.bracketed()?));
            }
        }
        match () {
            () if self.eat_text("true") => Ok(Formula::Constant(true)),
            () if self.eat_text("false") => Ok(Formula::Constant(false)),
            () => {
                self.take("atom")?;
                Ok(Formula::Atom(self.expression()?))
            }
        }
    }

    fn bracketed(&mut self) -> Parsed<Operand> {
        self.take("[")?;
        let formula = self.formula()?;
        self.take("]")?;
        Ok(Box::new(formula))
    }
}

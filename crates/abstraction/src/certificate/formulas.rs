//! Predicates as text, in prefix form: `(least 1 (sum 0 1 "next" -1 "serving"))`.

use crate::program::Program;
use crate::terms::{Node, Operator, Term, Terms, Var};
use std::collections::HashMap;

/// How deep formulas may be nested.
const DEEPEST: usize = 200;

/// The names of variables, each another one.
pub(super) struct Names {
    names: HashMap<Var, String>,
    vars: HashMap<String, Var>,
}

const OPERATORS: [(&str, Operator); 3] = [
    ("divide", Operator::Divide),
    ("remainder", Operator::Remainder),
    ("multiply", Operator::Multiply),
];

impl Names {
    /// The variables of a program, in the order in which it has them.
    pub(super) fn of(program: &Program) -> Names {
        let mut found = Names {
            names: HashMap::new(),
            vars: HashMap::new(),
        };
        let locals = program.templates.iter().flat_map(|it| &it.locals);
        for variable in program.globals.iter().chain(locals) {
            let plain = program
                .terms
                .info(variable.var)
                .name
                .replace(['"', '\\'], "'");
            let mut name = plain.clone();
            let mut number = 2;
            while found.vars.contains_key(&name) {
                name = format!("{plain}#{number}");
                number += 1;
            }
            found.vars.insert(name.clone(), variable.var);
            found.names.insert(variable.var, name);
        }
        found
    }

    /// A formula as text; none if it speaks of something else than variables.
    pub(super) fn write(&self, terms: &Terms, term: Term) -> Option<String> {
        let part = |part: Term| self.write(terms, part);
        Some(match terms.node(term) {
            Node::Bool(value) => value.to_string(),
            Node::Var(var) => format!("\"{}\"", self.names.get(var)?),
            Node::Sum(parts, number) => {
                let mut text = format!("(sum {number}");
                for (term, factor) in parts {
                    text.push_str(&format!(" {factor} {}", part(*term)?));
                }
                text + ")"
            }
            Node::Operation(operator, a, b) => {
                let name = OPERATORS.iter().find(|(_, it)| it == operator)?.0;
                format!("({name} {} {})", part(*a)?, part(*b)?)
            }
            Node::Wrap(a) => format!("(wrap {})", part(*a)?),
            Node::If(a, b, c) => format!("(if {} {} {})", part(*a)?, part(*b)?, part(*c)?),
            Node::AtLeast(a, bound) => format!("(least {bound} {})", part(*a)?),
            Node::Is(a, value) => format!("(is {value} {})", part(*a)?),
            Node::Not(a) => format!("(not {})", part(*a)?),
            Node::And(a, b) => format!("(and {} {})", part(*a)?, part(*b)?),
            Node::Or(a, b) => format!("(or {} {})", part(*a)?, part(*b)?),
        })
    }

    /// The truth value that a text says.
    pub(super) fn read(&self, terms: &mut Terms, text: &str) -> Result<Term, String> {
        let mut reader = Reader {
            names: self,
            terms,
            rest: text,
        };
        let read = reader.term(0).filter(|_| reader.rest.trim().is_empty());
        read.filter(|&term| terms.is_bool(term))
            .ok_or_else(|| format!("`{text}` is not a predicate over variables of the program"))
    }
}

struct Reader<'a> {
    names: &'a Names,
    terms: &'a mut Terms,
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn eat(&mut self, wanted: char) -> Option<()> {
        self.rest = self.rest.trim_start().strip_prefix(wanted)?;
        Some(())
    }

    fn word(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_start();
        let end = text.find([' ', '(', ')', '"']).unwrap_or(text.len());
        let (word, rest) = text.split_at_checked(end)?;
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    /// A number that sums of some of do not leave what can be computed with.
    fn number(&mut self) -> Option<i64> {
        let number: i64 = self.word()?.parse().ok()?;
        (number.unsigned_abs() <= 1 << 40).then_some(number)
    }

    fn boolean(&mut self, depth: usize) -> Option<Term> {
        let term = self.term(depth)?;
        self.terms.is_bool(term).then_some(term)
    }

    fn integer(&mut self, depth: usize) -> Option<Term> {
        let term = self.term(depth)?;
        (!self.terms.is_bool(term)).then_some(term)
    }

    fn term(&mut self, depth: usize) -> Option<Term> {
        if depth > DEEPEST {
            return None;
        }
        if self.eat('"').is_some() {
            let (name, rest) = self.rest.split_once('"')?;
            self.rest = rest;
            let var = *self.names.vars.get(name)?;
            return Some(self.terms.of(var));
        }
        if self.eat('(').is_none() {
            return match self.word()? {
                "true" => Some(self.terms.bool(true)),
                "false" => Some(self.terms.bool(false)),
                _ => None,
            };
        }
        let next = depth + 1;
        let term = match self.word()? {
            "sum" => {
                let number = self.number()?;
                let mut sum = self.terms.number(number);
                while !self.rest.trim_start().starts_with(')') {
                    let factor = self.number()?;
                    let part = self.integer(next)?;
                    sum = self.terms.plus(sum, part, factor);
                }
                sum
            }
            "wrap" => {
                let a = self.integer(next)?;
                self.terms.wrap(a)
            }
            "if" => {
                let condition = self.boolean(next)?;
                let (a, b) = (self.term(next)?, self.term(next)?);
                if self.terms.is_bool(a) != self.terms.is_bool(b) {
                    return None;
                }
                self.terms.choose(condition, a, b)
            }
            word @ ("least" | "is") => {
                let number = self.number()?;
                let a = self.integer(next)?;
                let number = self.terms.number(number);
                match word {
                    "least" => self.terms.at_least(a, number),
                    _ => self.terms.equal(a, number),
                }
            }
            "not" => {
                let a = self.boolean(next)?;
                self.terms.not(a)
            }
            word @ ("and" | "or") => {
                let (a, b) = (self.boolean(next)?, self.boolean(next)?);
                match word {
                    "and" => self.terms.and(a, b),
                    _ => self.terms.or(a, b),
                }
            }
            word => {
                let (_, operator) = *OPERATORS.iter().find(|(name, _)| *name == word)?;
                let (a, b) = (self.integer(next)?, self.integer(next)?);
                self.terms.operation(operator, a, b)
            }
        };
        self.eat(')')?;
        Some(term)
    }
}

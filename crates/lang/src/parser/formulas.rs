//! Properties, and the operators that are words: `always`, `until`, `implies`.
//!
//! How tight such a word binds is not obvious, and readers disagree. So nothing has to be known:
//! what could be read in two ways must have parentheses, and the error says which.

use super::expressions::binary_operator;
use super::{Failed, Parsed, Parser};
use crate::ast::{Expression, ExpressionKind, Fairness, InfixOperator, Item, PrefixOperator};
use crate::lexer::TokenKind;
use raddle_diagnostics::Diagnostic;

impl Parser<'_> {
    /// `property served: waiting leads to served under strong fairness;`
    pub(super) fn property(&mut self) -> Parsed<Item> {
        let start = self.start();
        self.bump();
        let is_named = self.peek(1) == TokenKind::Colon;
        let name = match is_named {
            true => {
                let name = self.name("the name of the property")?;
                self.bump();
                Some(name)
            }
            false => None,
        };
        self.in_property = true;
        let formula = self.bare_condition();
        self.in_property = false;
        let formula = formula?;
        let fairness = match self.at_word(0, "under") {
            true => Some(self.fairness()?),
            false => None,
        };
        self.semicolon("the property")?;
        let span = self.since(start);
        Ok(Item::Property {
            name,
            formula,
            fairness,
            span,
        })
    }

    /// `under strong fairness`
    fn fairness(&mut self) -> Parsed<Fairness> {
        self.bump();
        let mut all = Fairness::ALL.into_iter();
        let fairness = all.find(|it| self.at_word(0, it.name()));
        let Some(fairness) = fairness.filter(|_| self.at_word(1, "fairness")) else {
            let what = "`no fairness`, `weak fairness` or `strong fairness` after `under`";
            return Err(self.expected(what));
        };
        self.bump();
        self.bump();
        Ok(fairness)
    }

    pub(super) fn at_word(&self, ahead: usize, word: &str) -> bool {
        self.peek(ahead) == TokenKind::Name && self.text_ahead(ahead) == word
    }

    /// Operands with a word between them, or one of them alone.
    pub(super) fn connected(&mut self) -> Parsed<Expression> {
        let left = self.timed()?;
        let Some(operator) = self.infix_operator() else {
            return Ok(left);
        };
        let word = operator.words();
        if let ExpressionKind::Prefix(prefix, _) = left.kind
            && !self.text(left.span.clone()).starts_with('(')
        {
            let prefix = prefix.word();
            return Err(self.ambiguous(&format!(
                "`{prefix} (a {word} b)` or `({prefix} a) {word} b`"
            )));
        }
        let height = self.height;
        self.bump();
        if operator == InfixOperator::LeadsTo {
            self.bump();
        }
        let right = self.timed()?;
        if let Some(other) = self.infix_operator() {
            let other = other.words();
            return Err(self.ambiguous(&format!(
                "`(a {word} b) {other} c` or `a {word} (b {other} c)`"
            )));
        }
        let span = left.span.start..right.span.end;
        let kind = ExpressionKind::Infix(operator, Box::new(left), Box::new(right));
        self.node(kind, span, height)
    }

    /// An expression, or an operator of time with one that reaches as far as possible.
    fn timed(&mut self) -> Parsed<Expression> {
        let Some(operator) = self.prefix_operator() else {
            return self.conditional();
        };
        let start = self.start();
        self.bump();
        let before = self.bare;
        let operand = self.nested(Self::timed)?;
        if self.bare > before {
            let word = operator.word();
            self.bare = before;
            return Err(self.ambiguous(&format!(
                "`{word} (a && eventually b)` or `({word} a) && (eventually b)`"
            )));
        }
        let span = start..operand.span.end;
        let kind = ExpressionKind::Prefix(operator, Box::new(operand));
        self.node(kind, span, 0)
    }

    /// An operator of time as the operand of another operator.
    pub(super) fn tight(&mut self, operator: PrefixOperator) -> Parsed<Expression> {
        let start = self.start();
        self.bump();
        self.bare += 1;
        let operand = self.nested(Self::unary)?;
        if binary_operator(self.kind()).is_some() || self.at(TokenKind::Question) {
            let (word, sign) = (operator.word(), self.text_ahead(0).to_owned());
            return Err(self.ambiguous(&format!("`({word} a) {sign} b` or `{word} (a {sign} b)`")));
        }
        let span = start..operand.span.end;
        let kind = ExpressionKind::Prefix(operator, Box::new(operand));
        self.node(kind, span, 0)
    }

    /// The operator of time that stands here: where a property is read, and something follows to
    /// which it can apply.
    pub(super) fn prefix_operator(&self) -> Option<PrefixOperator> {
        use TokenKind::*;
        let is_operand = matches!(
            self.peek(1),
            Name | Number(_) | True | False | Not | OpenParen
        ) || self.peek(1).is_operation();
        let is_here = self.in_property && self.at(Name) && is_operand;
        // What is between two operands is no operand.
        let is_infix = self.infix_operator_at(1).is_some();
        let mut all = PrefixOperator::ALL.into_iter();
        all.find(|it| is_here && !is_infix && self.at_word(0, it.word()))
    }

    fn infix_operator(&self) -> Option<InfixOperator> {
        self.infix_operator_at(0)
    }

    fn infix_operator_at(&self, ahead: usize) -> Option<InfixOperator> {
        InfixOperator::ALL.into_iter().find(|it| match it {
            InfixOperator::LeadsTo => {
                self.in_property && self.at_word(ahead, "leads") && self.at_word(ahead + 1, "to")
            }
            InfixOperator::Implies => self.at_word(ahead, it.words()),
            InfixOperator::Until | InfixOperator::Unless => {
                self.in_property && self.at_word(ahead, it.words())
            }
        })
    }

    fn ambiguous(&mut self, how: &str) -> Failed {
        let diagnostic = Diagnostic::new(
            self.span(),
            "this can be read in two ways",
            "after this it is not clear what belongs together",
        );
        self.fail(diagnostic.help(format!("write {how}")))
    }
}

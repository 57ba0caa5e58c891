//! `forall(i in 0..3: a[i] == 0)` and its kin.

use super::{Parsed, Parser};
use crate::ast::{Expression, ExpressionKind, Quantifier, Range};
use crate::lexer::TokenKind;

impl Parser<'_> {
    /// The quantifier that begins here. Its words are free names elsewhere: what tells it apart is the
    /// `in` after the first name.
    pub(super) fn quantifier(&self) -> Option<Quantifier> {
        let mut all = Quantifier::ALL.into_iter();
        let is_one = self.peek(1) == TokenKind::OpenParen
            && self.peek(2) == TokenKind::Name
            && self.at_word(3, "in");
        all.find(|it| is_one && self.text_ahead(0) == it.word())
    }

    pub(super) fn quantified(&mut self, quantifier: Quantifier) -> Parsed<Expression> {
        let start = self.start();
        self.bump();
        let open = self.span();
        self.bump();
        let name = self.name("a name")?;
        self.bump();
        let first = self.nested(|parser| parser.binary(0))?;
        let mut height = self.height;
        let range = match self.eat(TokenKind::DotDot) {
            true => {
                let last = self.nested(|parser| parser.binary(0))?;
                height = height.max(self.height);
                Range::Numbers(Box::new(first), Box::new(last))
            }
            false => Range::All(Box::new(first)),
        };
        self.expect(TokenKind::Colon, "`:` and what is said of each")?;
        let bare = self.bare;
        let body = self.expression()?;
        self.bare = bare;
        self.close(TokenKind::CloseParen, "`)`", open)?;
        let kind = ExpressionKind::Quantified(quantifier, name, range, Box::new(body));
        let span = self.since(start);
        self.node(kind, span, height)
    }
}

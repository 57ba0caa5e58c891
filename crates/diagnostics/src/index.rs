//! The names of a program: where they are declared and where they are used, for editors.

use crate::Span;
use raddle_model::Region;

/// The names of a program, as far as they could be made out.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// What is declared.
    pub declarations: Vec<Declaration>,
    /// Where names are used, and the span of the name that is declared.
    pub uses: Vec<(Span, Span)>,
}

/// A declared name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Where the name stands.
    pub span: Span,
    /// What it is, with an article: `a shared variable`.
    pub what: &'static str,
    /// The objects that it names when the program runs.
    pub region: Option<Region>,
}

impl Index {
    /// The declaration of the name at an offset, and the span of the name there. Behind the
    /// last character of a name is still at the name.
    pub fn at(&self, offset: usize) -> Option<(&Declaration, Span)> {
        let touches = |span: &Span| span.start <= offset && offset <= span.end;
        let mut used = self.uses.iter().filter(|(span, _)| touches(span));
        let found = |declared: &Span| self.declarations.iter().find(|it| it.span == *declared);
        if let Some((span, declared)) = used.next() {
            return Some((found(declared)?, span.clone()));
        }
        let mut declared = self.declarations.iter().filter(|it| touches(&it.span));
        declared.next().map(|it| (it, it.span.clone()))
    }

    /// Where the declared name with this span stands, its declaration first.
    pub fn mentions(&self, declared: &Span) -> Vec<Span> {
        let uses = self.uses.iter().filter(|(_, it)| it == declared);
        let mut mentions: Vec<Span> = uses.map(|(span, _)| span.clone()).collect();
        mentions.sort_by_key(|span| span.start);
        mentions.dedup();
        mentions.insert(0, declared.clone());
        mentions
    }
}

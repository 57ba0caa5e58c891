//! Invariants, and what is claimed of variables: `exclusive`, `protected by`,
//! `unprotected`, `initialised by`.

use super::names::SymbolKind;
use super::tree::{Claim, Discipline, Expression, Invariant, Location};
use super::types::{Type, constant_value};
use super::{Checker, Context};
use crate::ast::{self, Clause, ClauseKind, Item, Name, Span};
use raddle_diagnostics::Diagnostic;
use raddle_machine::ir::RecordId;
use raddle_model::{Kind, Region};
use std::collections::BTreeMap;

/// Who may access a variable, as far as it was said, and where.
type Said = BTreeMap<u32, (Span, &'static str)>;

impl<'a> Checker<'a> {
    /// Checks the invariants and all claims.
    pub(super) fn claims(&mut self) {
        let mut said = Said::new();
        let mut record = 0;
        for item in &self.program.items {
            match item {
                Item::Invariant {
                    name,
                    condition,
                    span,
                } => self.invariant(name.as_ref(), condition, span),
                Item::Property {
                    name,
                    formula,
                    fairness,
                    span,
                } => self.property(name.as_ref(), formula, *fairness, span),
                Item::Exclusive {
                    subject,
                    index,
                    condition,
                } => self.exclusive(subject, index.as_ref(), condition, &mut said),
                Item::Variable { local, variable } => {
                    for declarator in &variable.declarators {
                        self.variable_clauses(*local, declarator, &mut said);
                    }
                }
                Item::Record { fields, .. } => {
                    let id = RecordId(record);
                    record += 1;
                    for declarator in fields.iter().flat_map(|field| &field.declarators) {
                        let field = self.fields.get(id.0 as usize);
                        let field = field.and_then(|f| f.get(declarator.name.text.as_str()));
                        if let Some(region) = field.and_then(|field| field.region) {
                            self.clauses(region, Some(id), &declarator.clauses, &mut said);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn invariant(&mut self, name: Option<&'a Name>, condition: &'a ast::Expression, span: &Span) {
        let condition = self.within(Context::Predicate("an invariant"), |checker| {
            checker.expression_of(condition, Type::Bool)
        });
        self.out.invariants.push(Invariant {
            name: name.map(|name| name.text.clone()),
            condition,
            span: span.clone(),
        });
    }

    fn variable_clauses(&mut self, local: bool, declarator: &'a ast::Declarator, said: &mut Said) {
        if local && let Some(clause) = declarator.clauses.first() {
            self.report(Diagnostic::new(
                clause.span.clone(),
                "a claim about a variable of which each thread has its own",
                "only the thread itself can access it",
            ));
        } else if let Some(SymbolKind::Shared(region)) = self.symbol(&declarator.name.text) {
            self.clauses(region, None, &declarator.clauses, said);
        }
    }

    fn clauses(
        &mut self,
        region: Region,
        record: Option<RecordId>,
        clauses: &'a [Clause],
        said: &mut Said,
    ) {
        let mut initialised: Option<Span> = None;
        for clause in clauses {
            if self.kind_of(region) != Some(Kind::Variable) {
                self.report(Diagnostic::new(
                    clause.span.clone(),
                    "a claim about a synchronisation object",
                    "only variables need to be protected",
                ));
                return;
            }
            let discipline = match &clause.kind {
                ClauseKind::ProtectedBy(lock) => {
                    self.say(region, &clause.span, "protected by a lock", said);
                    let context = Context::Claim(record, None);
                    self.within(context, |checker| checker.protecting_lock(lock))
                        .map(Discipline::ProtectedBy)
                }
                ClauseKind::Unprotected => {
                    self.say(region, &clause.span, "unprotected", said);
                    Some(Discipline::Unprotected)
                }
                ClauseKind::InitialisedBy(name) => {
                    if let Some(earlier) = initialised.replace(clause.span.clone()) {
                        let error = Diagnostic::new(
                            clause.span.clone(),
                            "`initialised by` is stated twice",
                            "only one kind of thread can initialise it",
                        );
                        self.report(error.related(earlier, "first said here"));
                    }
                    self.initialiser(name)
                }
            };
            if let Some(discipline) = discipline {
                self.out.claims.push(Claim {
                    region,
                    discipline,
                    span: clause.span.clone(),
                });
            }
        }
        if let (Some(span), Some((earlier, "unprotected"))) = (initialised, said.get(&region.0)) {
            let error = Diagnostic::new(
                span,
                "these claims contradict each other",
                "here only some threads may access it",
            );
            self.report(error.related(earlier.clone(), "here any thread may"));
        }
    }

    /// Remembers who may access a variable, and reports a second answer.
    fn say(&mut self, region: Region, span: &Span, what: &'static str, said: &mut Said) {
        match said.get(&region.0) {
            None => {
                said.insert(region.0, (span.clone(), what));
            }
            Some((earlier, before)) => {
                let message = match *before == what {
                    true => format!("this is stated twice: {what}"),
                    false => "these claims contradict each other".to_owned(),
                };
                let error = Diagnostic::new(span.clone(), message, format!("here it is {what}"));
                let error = error.related(earlier.clone(), format!("here it is {before}"));
                self.report(error.help("a variable has one discipline"));
            }
        }
    }

    /// The lock of a `protected by`: a shared one, with constant indices, or a field
    /// of the same record.
    fn protecting_lock(&mut self, lock: &'a ast::Expression) -> Option<Location> {
        let mut location = self.object(lock, "a lock")?;
        let follows = location
            .object
            .as_ref()
            .is_some_and(|object| !is_accessed(object));
        if follows {
            self.report(Diagnostic::new(
                lock.span.clone(),
                "this lock cannot protect a variable",
                "expected a shared lock or a lock in the same record",
            ));
            return None;
        }
        for (index, size) in location.indices.iter_mut().zip(&location.dimensions) {
            let span = index.span.clone();
            let word = match constant_value(index) {
                Some(word) if (0..i64::from(*size)).contains(&i64::from(word)) => word,
                Some(word) => {
                    self.diagnostics.push(Diagnostic::new(
                        span,
                        format!("the index {word} is out of range"),
                        format!("expected 0 to {}", size - 1),
                    ));
                    return None;
                }
                None => {
                    self.diagnostics.push(Diagnostic::new(
                        span,
                        "the index of a protecting lock must be constant",
                        "this is not known before the program runs",
                    ));
                    return None;
                }
            };
            *index = Expression::constant(word, Type::Int, span);
        }
        Some(location)
    }

    fn initialiser(&mut self, name: &'a Name) -> Option<Discipline> {
        if let Some(SymbolKind::Thread(id, _)) = self.used(name) {
            return Some(Discipline::InitialisedBy(id));
        }
        let known = self.names_where(|kind| matches!(kind, SymbolKind::Thread(..)));
        let error = Diagnostic::new(
            name.span.clone(),
            format!("unknown thread `{}`", name.text),
            "expected a kind of thread",
        );
        self.report_unknown(error, &name.text, known);
        None
    }

    fn exclusive(
        &mut self,
        subject: &'a ast::Path,
        index: Option<&'a Name>,
        condition: &'a ast::Expression,
        said: &mut Said,
    ) {
        let found = self.subject(subject);
        let record = found.and_then(|(_, record)| record);
        if let Some((region, _)) = found
            && !self.index_fits(region, record, index)
        {
            return;
        }
        let context = Context::Claim(record, index.map(|name| name.text.as_str()));
        let condition = self.within(context, |checker| {
            checker.expression_of(condition, Type::Bool)
        });
        let Some((region, _)) = found else {
            return;
        };
        self.say(region, &subject.base.span, "exclusive", said);
        self.out.claims.push(Claim {
            region,
            discipline: Discipline::Exclusive(condition),
            span: subject.base.span.clone(),
        });
    }

    /// Whether the index of an `exclusive` clause can be named.
    fn index_fits(
        &mut self,
        region: Region,
        record: Option<RecordId>,
        index: Option<&'a Name>,
    ) -> bool {
        let Some(index) = index else {
            return true;
        };
        let dimensions = self.out.regions.get(region.0 as usize);
        let dimensions = dimensions.map_or(0, |info| info.dimensions.len());
        let problem = if record.is_some() {
            "the index of a field cannot be named"
        } else if dimensions != 1 {
            "only the index of an array of one dimension can be named"
        } else {
            let taken = self.symbol(&index.text).is_some_and(SymbolKind::is_value);
            if taken || self.members.contains_key(index.text.as_str()) {
                self.report(
                    Diagnostic::new(
                        index.span.clone(),
                        format!("`{}` is already declared", index.text),
                        "this would hide it",
                    )
                    .help("give the index another name"),
                );
            }
            return !taken;
        };
        self.report(Diagnostic::new(index.span.clone(), problem, "remove this"));
        false
    }

    /// The variable or field that an `exclusive` clause is about.
    fn subject(&mut self, subject: &'a ast::Path) -> Option<(Region, Option<RecordId>)> {
        let base = &subject.base;
        let found = match (self.used(base), &subject.field) {
            (Some(SymbolKind::Broken), _) => return None,
            (Some(SymbolKind::Shared(region)), None) => (region, None),
            (Some(SymbolKind::Record(id)), Some(field)) => {
                self.used_field(id, &field.text, &field.span);
                let fields = self.fields.get(id.0 as usize)?;
                match fields.get(field.text.as_str()) {
                    Some(known) => (known.region?, Some(id)),
                    None => {
                        let known: Vec<&'a str> = fields.keys().copied().collect();
                        let error = Diagnostic::new(
                            field.span.clone(),
                            format!("the record `{}` has no field `{}`", base.text, field.text),
                            "unknown field",
                        );
                        self.report_unknown(error, &field.text, known);
                        return None;
                    }
                }
            }
            (None, _) => {
                let known = self.names_where(|kind| {
                    matches!(kind, SymbolKind::Shared(_) | SymbolKind::Record(_))
                });
                let error = Diagnostic::new(
                    base.span.clone(),
                    format!("unknown variable `{}`", base.text),
                    "expected a shared variable or `Record.field`",
                );
                self.report_unknown(error, &base.text, known);
                return None;
            }
            (Some(other), _) => {
                self.report(Diagnostic::new(
                    base.span.clone(),
                    format!("`exclusive` is not about {}", other.describe()),
                    "expected a shared variable or `Record.field`",
                ));
                return None;
            }
        };
        if self.kind_of(found.0) == Some(Kind::Variable) {
            return Some(found);
        }
        self.report(Diagnostic::new(
            base.span.clone(),
            "a claim about a synchronisation object",
            "only variables need to be protected",
        ));
        None
    }
}

fn is_accessed(object: &Expression) -> bool {
    matches!(object.kind, super::tree::ExpressionKind::Accessed)
}

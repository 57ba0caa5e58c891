//! Names: what is declared where, and what an unknown name was meant to be.

use super::tree::LocalId;
use super::types::Type;
use super::{Body, Checker, MAX_DECLARATIONS, Visible};
use crate::ast::{self, Block, Item, Name, Span, Statement, StatementKind};
use raddle_diagnostics::{Declaration, Diagnostic, Index, nearest};
use raddle_machine::ir::{
    DeclarationId, EnumId, Enumeration, FunctionId, LabelId, Record, RecordId,
};
use raddle_model::{Kind, Region};
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

/// A name at the outermost level.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    pub(super) kind: SymbolKind,
    pub(super) span: Span,
}

/// What a name at the outermost level means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SymbolKind {
    /// A constant or variable whose declaration was not reached yet.
    Later {
        constant: bool,
    },
    /// A constant or variable whose declaration has an error.
    Broken,
    Constant(Type, i32),
    Shared(Region),
    /// Its position among the variables of which each thread has its own.
    ThreadLocal(usize),
    Function(FunctionId),
    Thread(DeclarationId, FunctionId),
    Enum(EnumId),
    Record(RecordId),
}

impl SymbolKind {
    /// What it is, with an article.
    pub(super) fn describe(self) -> &'static str {
        match self {
            SymbolKind::Later { constant: true } | SymbolKind::Constant(..) => "a constant",
            SymbolKind::Later { constant: false }
            | SymbolKind::Broken
            | SymbolKind::Shared(_)
            | SymbolKind::ThreadLocal(_) => "a variable",
            SymbolKind::Function(_) => "a function",
            SymbolKind::Thread(..) => "a kind of thread",
            SymbolKind::Enum(_) => "an enumeration",
            SymbolKind::Record(_) => "a record",
        }
    }

    /// Whether the name stands for a value.
    pub(super) fn is_value(self) -> bool {
        !matches!(
            self,
            SymbolKind::Function(_)
                | SymbolKind::Thread(..)
                | SymbolKind::Enum(_)
                | SymbolKind::Record(_)
        )
    }
}

/// A member of an enumeration.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) enumeration: EnumId,
    pub(super) number: i32,
    pub(super) span: Span,
}

/// Where a label stands.
#[derive(Clone, Debug)]
pub(super) struct LabelSite {
    pub(super) id: LabelId,
    pub(super) span: Span,
    /// Whether it is inside of an atomic block, where no step begins.
    pub(super) atomic: bool,
}

impl<'a> Checker<'a> {
    /// Gives every name at the outermost level its meaning, as far as it does not
    /// depend on constants. Tells whether it is possible to go on.
    pub(super) fn declare_names(&mut self) -> bool {
        let mut granularity: Option<Span> = None;
        for item in &self.program.items {
            match item {
                Item::Granularity(chosen, span) => {
                    if let Some(earlier) = &granularity {
                        let error = Diagnostic::new(
                            span.clone(),
                            "the granularity is chosen twice",
                            "a program has one granularity",
                        );
                        self.report(error.related(earlier.clone(), "chosen here"));
                    }
                    granularity.get_or_insert(span.clone());
                    self.out.granularity = *chosen;
                }
                Item::Constant { name, .. } => {
                    self.declare(name, SymbolKind::Later { constant: true });
                }
                Item::Variable { variable, .. } => {
                    for declarator in &variable.declarators {
                        self.declare(&declarator.name, SymbolKind::Later { constant: false });
                    }
                }
                Item::Enumeration { name, members } => self.declare_enumeration(name, members),
                Item::Record { name, .. } => {
                    let id = RecordId(self.out.records.len() as u16);
                    self.declare(name, SymbolKind::Record(id));
                    self.out.records.push(Record {
                        name: name.text.clone(),
                        fields: Vec::new(),
                        initial: Vec::new(),
                    });
                    self.fields.push(BTreeMap::new());
                }
                Item::Function(function) => {
                    let id = FunctionId(self.signatures.len() as u16);
                    self.declare(&function.name, SymbolKind::Function(id));
                    self.signatures.push(Default::default());
                }
                Item::Thread(thread) => {
                    let function = FunctionId(self.signatures.len() as u16);
                    let id = DeclarationId(self.out.populations.len() as u16);
                    self.declare(&thread.name, SymbolKind::Thread(id, function));
                    self.signatures.push(Default::default());
                    self.out.populations.push(super::tree::Population::Spawned);
                }
                Item::Invariant { .. } | Item::Property { .. } | Item::Exclusive { .. } => {}
            }
            if self.too_many_declarations() {
                return false;
            }
        }
        self.members_and_variables();
        true
    }

    /// Stops before an index of the intermediate form could overflow.
    fn too_many_declarations(&mut self) -> bool {
        let most = self
            .out
            .records
            .len()
            .max(self.out.enums.len())
            .max(self.signatures.len());
        if most > MAX_DECLARATIONS {
            self.report(Diagnostic::new(
                0..0,
                format!("the program has more than {MAX_DECLARATIONS} declarations of one sort"),
                "",
            ));
        }
        most > MAX_DECLARATIONS
    }

    fn declare(&mut self, name: &'a Name, kind: SymbolKind) {
        match self.names.entry(&name.text) {
            Entry::Vacant(entry) => {
                entry.insert(Symbol {
                    kind,
                    span: name.span.clone(),
                });
            }
            Entry::Occupied(entry) => {
                let earlier = entry.get().span.clone();
                self.report(duplicate(name, &earlier));
            }
        }
    }

    fn declare_enumeration(&mut self, name: &'a Name, members: &'a [Name]) {
        let id = EnumId(self.out.enums.len() as u16);
        self.declare(name, SymbolKind::Enum(id));
        if members.is_empty() {
            self.report(Diagnostic::new(
                name.span.clone(),
                format!("the enumeration `{}` has no members", name.text),
                "expected at least one member",
            ));
        }
        for (number, member) in members.iter().enumerate() {
            let known = self.members.entry(&member.text).or_default();
            let earlier = known.iter().find(|m| m.enumeration == id);
            if let Some(earlier) = earlier {
                let error = duplicate(member, &earlier.span);
                self.report(error);
                continue;
            }
            known.push(Member {
                enumeration: id,
                number: number as i32,
                span: member.span.clone(),
            });
        }
        self.out.enums.push(Enumeration {
            name: name.text.clone(),
            members: members.iter().map(|m| m.text.clone()).collect(),
        });
    }

    /// A bare name cannot mean both a member and a variable.
    fn members_and_variables(&mut self) {
        let mut errors = Vec::new();
        for (name, members) in &self.members {
            if let Some(symbol) = self.names.get(name)
                && symbol.kind.is_value()
                && let Some(member) = members.first()
            {
                let error = Diagnostic::new(
                    member.span.clone(),
                    format!("`{name}` is also the name of {}", symbol.kind.describe()),
                    "this member could not be distinguished from it",
                );
                errors.push(error.related(symbol.span.clone(), "declared here"));
            }
        }
        self.diagnostics.extend(errors);
    }

    /// Finds all labels, wherever they stand, since they can be used before.
    pub(super) fn declare_labels(&mut self) {
        for item in &self.program.items {
            match item {
                Item::Function(function) => self.labels_in_block(&function.body, false),
                Item::Thread(thread) => self.labels_in_block(&thread.body, false),
                _ => {}
            }
        }
    }

    fn labels_in_block(&mut self, block: &'a Block, atomic: bool) {
        self.labels_in(&block.statements, atomic);
    }

    fn labels_in(&mut self, statements: &'a [Statement], atomic: bool) {
        for statement in statements {
            self.labels_of(statement, atomic);
        }
    }

    fn labels_of(&mut self, statement: &'a Statement, atomic: bool) {
        if let Some(label) = &statement.label {
            self.declare_label(label, atomic);
        }
        // What is nested too deeply is reported when the bodies are checked.
        if self.nesting >= super::MAX_NESTING {
            return;
        }
        self.nesting += 1;
        match &statement.kind {
            StatementKind::Block(block) | StatementKind::Synchronized(_, block) => {
                self.labels_in_block(block, atomic);
            }
            StatementKind::Atomic(block) => self.labels_in_block(block, true),
            StatementKind::If {
                then, otherwise, ..
            } => {
                self.labels_of(then, atomic);
                if let Some(otherwise) = otherwise {
                    self.labels_of(otherwise, atomic);
                }
            }
            StatementKind::While { body, .. } | StatementKind::DoWhile { body, .. } => {
                self.labels_of(body, atomic);
            }
            StatementKind::For {
                first, next, body, ..
            } => {
                for part in first.iter().chain(next) {
                    self.labels_of(part, atomic);
                }
                self.labels_of(body, atomic);
            }
            StatementKind::Await {
                body: Some(body), ..
            } => self.labels_of(body, true),
            StatementKind::Choose(alternatives) => {
                for alternative in alternatives {
                    self.labels_in(&alternative.statements, atomic);
                }
            }
            _ => {}
        }
        self.nesting -= 1;
    }

    fn declare_label(&mut self, label: &'a Name, atomic: bool) {
        let id = LabelId(self.out.labels.len().min(MAX_DECLARATIONS) as u16);
        let count = self.out.labels.len();
        match self.labels.entry(&label.text) {
            Entry::Vacant(_) if count >= MAX_DECLARATIONS => self.report(Diagnostic::new(
                label.span.clone(),
                format!("the program has more than {MAX_DECLARATIONS} labels"),
                "one too many",
            )),
            Entry::Vacant(entry) => {
                entry.insert(LabelSite {
                    id,
                    span: label.span.clone(),
                    atomic,
                });
                self.out.labels.push(label.text.clone());
            }
            Entry::Occupied(entry) => {
                let earlier = entry.get().span.clone();
                let error = Diagnostic::new(
                    label.span.clone(),
                    format!("the label `{}` is used twice", label.text),
                    "labels are unique in the whole program",
                );
                self.report(error.related(earlier, "first used here"));
            }
        }
    }

    /// The label of that name, at which threads can stand.
    pub(super) fn label(&mut self, name: &'a Name) -> Option<LabelId> {
        let Some(site) = self.labels.get(name.text.as_str()).cloned() else {
            let error = Diagnostic::new(
                name.span.clone(),
                format!("unknown label `{}`", name.text),
                "no statement has this label",
            );
            let known: Vec<&'a str> = self.labels.keys().copied().collect();
            self.report_unknown(error, &name.text, known);
            return None;
        };
        self.uses.push((name.span.clone(), site.span.clone()));
        if site.atomic {
            let error = Diagnostic::new(
                name.span.clone(),
                format!("no thread ever stands at `{}`", name.text),
                "this label is inside of an atomic block",
            );
            self.report(error.related(site.span, "the label"));
            return None;
        }
        Some(site.id)
    }

    /// What a name at the outermost level means.
    pub(super) fn symbol(&self, name: &str) -> Option<SymbolKind> {
        self.names.get(name).map(|symbol| symbol.kind)
    }

    /// As [`Checker::symbol`], where the name is used.
    pub(super) fn used(&mut self, name: &Name) -> Option<SymbolKind> {
        self.used_at(&name.text, &name.span)
    }

    /// As [`Checker::used`], with the name apart from its place.
    pub(super) fn used_at(&mut self, name: &str, span: &Span) -> Option<SymbolKind> {
        let symbol = self.names.get(name)?;
        self.uses.push((span.clone(), symbol.span.clone()));
        Some(symbol.kind)
    }

    /// As [`Checker::local`], where the name is used.
    pub(super) fn used_local(&mut self, name: &str, span: &Span) -> Option<Option<LocalId>> {
        let visible = self.body.find(name)?;
        self.uses.push((span.clone(), visible.span.clone()));
        Some(visible.local)
    }

    /// The region of a field where it is used; it is missing if the field was declared with an
    /// error.
    pub(super) fn used_field(
        &mut self,
        record: RecordId,
        name: &str,
        span: &Span,
    ) -> Option<Option<Region>> {
        let field = self.fields.get(record.0 as usize)?.get(name)?;
        self.uses.push((span.clone(), field.span.clone()));
        Some(field.region)
    }

    /// All names, where they are declared and where they are used.
    pub(super) fn into_index(self) -> Index {
        let mut declarations = self.locals;
        let mut declare = |span: &Span, what, region| {
            declarations.push(Declaration {
                span: span.clone(),
                what,
                region,
            });
        };
        for symbol in self.names.values() {
            let (what, region) = match symbol.kind {
                SymbolKind::Shared(region) => match self.out.regions.get(region.0 as usize) {
                    Some(info) if info.kind == Kind::Monitor => ("a lock", Some(region)),
                    Some(info) if info.kind == Kind::Semaphore => ("a semaphore", Some(region)),
                    Some(info) if info.kind == Kind::Channel => ("a channel", Some(region)),
                    _ => ("a shared variable", Some(region)),
                },
                SymbolKind::ThreadLocal(_) => ("a variable of which each thread has its own", None),
                other => (other.describe(), None),
            };
            declare(&symbol.span, what, region);
        }
        for member in self.members.values().flatten() {
            declare(&member.span, "a member of an enumeration", None);
        }
        for field in self.fields.iter().flat_map(BTreeMap::values) {
            declare(&field.span, "a field of a record", field.region);
        }
        for label in self.labels.values() {
            declare(&label.span, "a label", None);
        }
        declarations.sort_by_key(|it| it.span.start);
        Index {
            declarations,
            uses: self.uses,
        }
    }

    /// The local variable of that name; its id is missing if it was declared with an error.
    pub(super) fn local(&self, name: &str) -> Option<Option<LocalId>> {
        self.body.find(name).map(|visible| visible.local)
    }

    /// The names at the outermost level of some sort.
    pub(super) fn names_where(&self, wanted: impl Fn(SymbolKind) -> bool) -> Vec<&'a str> {
        self.names
            .iter()
            .filter(|(_, symbol)| wanted(symbol.kind))
            .map(|(name, _)| *name)
            .collect()
    }

    /// Reports an unknown name, with the known one that resembles it most.
    pub(super) fn report_unknown<'n>(
        &mut self,
        error: Diagnostic,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) {
        let error = match nearest(name, known) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error,
        };
        self.report(error);
    }

    /// Makes a local variable visible. Hiding another variable is an error: too
    /// easily a thread would change something else than what its author thinks.
    pub(super) fn make_visible(&mut self, name: &'a ast::Name, local: Option<LocalId>) {
        let hidden = if let Some(visible) = self.body.find(&name.text) {
            Some((visible.span.clone(), "a local variable"))
        } else if let Some(symbol) = self.names.get(name.text.as_str())
            && symbol.kind.is_value()
        {
            Some((symbol.span.clone(), symbol.kind.describe()))
        } else {
            self.members
                .get(name.text.as_str())
                .and_then(|members| members.first())
                .map(|member| (member.span.clone(), "a member of an enumeration"))
        };
        if let Some((span, what)) = hidden {
            let error = Diagnostic::new(
                name.span.clone(),
                format!("`{}` is already declared", name.text),
                format!("this would hide {what}"),
            );
            self.report(
                error
                    .related(span, "declared here")
                    .help("give one of them another name"),
            );
        }
        self.locals_anywhere.insert(&name.text);
        self.locals.push(Declaration {
            span: name.span.clone(),
            what: "a local variable",
            region: None,
        });
        if let Some(scope) = self.body.scopes.last_mut() {
            scope.push(Visible {
                name: &name.text,
                local,
                span: name.span.clone(),
            });
        }
    }
}

impl<'a> Body<'a> {
    pub(super) fn find(&self, name: &str) -> Option<&Visible<'a>> {
        self.scopes
            .iter()
            .rev()
            .flat_map(|scope| scope.iter().rev())
            .find(|visible| visible.name == name)
    }

    /// The names of the visible locals.
    pub(super) fn visible_names(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.scopes.iter().flatten().map(|visible| visible.name)
    }
}

/// The error of a second declaration of a name.
pub(super) fn duplicate(name: &Name, earlier: &Span) -> Diagnostic {
    Diagnostic::new(
        name.span.clone(),
        format!("`{}` is declared twice", name.text),
        "declared again here",
    )
    .related(earlier.clone(), "first declared here")
}

//! The points of a program that executions may come to, in the words of its text.
//!
//! Instructions know where they come from, and nothing of statements. So an instruction belongs to the
//! innermost statement around its place; what a condition decides follows from where its branches lead.

use crate::ast::{Block, Function, Item, Program, Span, Statement, StatementKind};
use crate::parser;
use raddle_diagnostics::Lines;
use raddle_machine::Machine;
use raddle_machine::ir::{self, Instruction, Pc};
use raddle_machine::reached::{NO, Reached, YES};
use raddle_model::{Place, Point, PointKind, Vacuity};

/// What executions of a program came to; its text is the one that it was made of.
pub fn points(source: &str, program: &ir::Program, reached: &Reached) -> Vec<Point> {
    let (tree, _) = parser::read(source);
    let mut outline = Outline::new(source, program, reached);
    outline.program(&tree);
    outline.points
}

/// What is never true although executions come to it, and what is true because it says nothing. A
/// search must have been complete for that, and have looked at temporal properties if it is asked for
/// those.
pub fn vacuities(machine: &Machine, reached: &Reached, temporal: bool) -> Vec<Vacuity> {
    let program = machine.program();
    let mut found = Vec::new();
    for (pc, instruction) in (0u32..).zip(&program.code) {
        let place = program.places[pc as usize];
        match instruction {
            Instruction::Assume(_) if reached.way(pc, NO) > 0 && reached.way(pc, YES) == 0 => {
                let message = "no execution passes this assumption: what follows it is not checked";
                found.push((place, message.to_owned()));
            }
            Instruction::Select(arms) => {
                let ways: Vec<u64> = (0..arms.len()).map(|arm| reached.way(pc, arm)).collect();
                let never = ways.iter().enumerate().filter(|(_, taken)| **taken == 0);
                if ways.iter().any(|&taken| taken > 0) {
                    found.extend(never.map(|(arm, _)| {
                        let message = format!(
                            "alternative {} of this choice is never possible: its guard is never true",
                            arm + 1
                        );
                        (place, message)
                    }));
                }
            }
            _ => {}
        }
    }
    for invariant in &program.invariants {
        if matches!(invariant.condition, ir::Expression::Constant(value) if value != 0) {
            let message = format!(
                "the invariant `{}` says nothing: it is true whatever happens",
                invariant.name
            );
            found.push((invariant.place, message));
        }
    }
    let properties = program.temporal.iter().enumerate();
    for (number, property) in properties.filter(|_| temporal) {
        if machine.has_no_occasion(number) {
            let message = format!(
                "the property `{}` says nothing: what comes before its `leads to` or `implies` is \
                 never true",
                property.name
            );
            found.push((property.place, message));
        }
    }
    let found = found.into_iter();
    found
        .map(|(place, message)| Vacuity { message, place })
        .collect()
}

/// A statement with where it stands.
struct Entry<'t> {
    statement: &'t Statement,
    parent: Option<usize>,
    /// On which way of the statement around it lies.
    on: Way,
    from: Place,
    to: Place,
    /// Its instructions that belong to no statement inside of it.
    own: Vec<u32>,
    /// The first and the last instruction of it and of what is inside.
    all: Option<(u32, u32)>,
}

/// A way through a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Every one.
    Any,
    /// Its condition is true.
    Yes,
    /// Its condition is false.
    No,
    /// An alternative, by its number.
    Arm(usize),
    /// It has waited.
    Passed,
}

struct Outline<'a> {
    source: &'a str,
    program: &'a ir::Program,
    reached: &'a Reached,
    lines: Lines,
    points: Vec<Point>,
}

impl<'a> Outline<'a> {
    fn new(source: &'a str, program: &'a ir::Program, reached: &'a Reached) -> Self {
        Outline {
            source,
            program,
            reached,
            lines: Lines::new(source),
            points: Vec::new(),
        }
    }

    fn program(&mut self, tree: &Program) {
        for item in &tree.items {
            match item {
                Item::Function(function) => self.function(function),
                Item::Thread(thread) => {
                    self.thread(&thread.name.text, &thread.body, &thread.name.span)
                }
                _ => {}
            }
        }
    }

    fn function(&mut self, function: &Function) {
        let name = &function.name.text;
        let Some(number) = self
            .program
            .functions
            .iter()
            .position(|it| it.name == *name)
        else {
            return;
        };
        let is_called = self.program.code.iter().any(|instruction| {
            matches!(instruction, Instruction::Call { function, .. } if usize::from(function.0) == number)
        });
        // What stands for its value in guards and invariants is not called.
        let is_plain = matches!(
            &function.body.statements[..],
            [Statement {
                kind: StatementKind::Return(Some(_)),
                ..
            }]
        );
        if is_plain && !is_called {
            return;
        }
        let entry = self.program.functions[number].entry.0;
        let call = self.point(
            PointKind::Call,
            name,
            Some(&function.name.span),
            self.came_to(entry),
            None,
        );
        self.body(&function.body, number, Some(call));
    }

    fn thread(&mut self, name: &str, body: &Block, span: &Span) {
        let Some(number) = self
            .program
            .declarations
            .iter()
            .position(|it| it.name == name)
        else {
            return;
        };
        let declaration = &self.program.declarations[number];
        let function = usize::from(declaration.function.0);
        let is_of_kind = |thread: &&ir::InitialThread| usize::from(thread.declaration.0) == number;
        let is_initial = self
            .program
            .initial_threads
            .iter()
            .any(|it| is_of_kind(&it));
        let mut start = None;
        if !is_initial {
            let entry = self.program.functions[function].entry.0;
            let count = self.came_to(entry);
            start = Some(self.point(PointKind::Start, name, Some(span), count, None));
        }
        self.body(body, function, start);
        if declaration.daemon {
            return;
        }
        for (thread, initial) in self.program.initial_threads.iter().enumerate() {
            if is_of_kind(&initial) {
                let count = self.reached.ended(thread);
                self.point(PointKind::End, &initial.name, Some(span), count, None);
            }
        }
        if !is_initial {
            let count = self.reached.ended_later(number);
            self.point(PointKind::End, name, Some(span), count, start);
        }
    }

    /// The statements of a function or a thread.
    fn body(&mut self, body: &Block, function: usize, within: Option<usize>) {
        let mut entries = Vec::new();
        self.collect(&body.statements, (None, Way::Any), &mut entries);
        let ir::Function { entry, end, .. } = self.program.functions[function];
        for pc in entry.0..end.0 {
            let place = self.program.places[pc as usize];
            // Those inside of others come after them.
            let innermost = entries
                .iter()
                .rposition(|it| it.from <= place && place < it.to);
            let Some(innermost) = innermost else { continue };
            entries[innermost].own.push(pc);
            let mut around = Some(innermost);
            while let Some(number) = around {
                let entry = &mut entries[number];
                let (first, last) = entry.all.unwrap_or((pc, pc));
                entry.all = Some((first.min(pc), last.max(pc)));
                around = entry.parent;
            }
        }
        // Of those without instructions there is nothing to say.
        let mut all: Vec<Vec<(Way, usize)>> = Vec::new();
        for entry in &entries {
            let around = entry.parent.and_then(|it| {
                let ways: &[(Way, usize)] = &all[it];
                let mut on = ways.iter().rev();
                on.find(|(way, _)| [Way::Any, entry.on].contains(way))
            });
            let parent = around.map(|&(_, point)| point).or(within);
            all.push(match entry.own.is_empty() {
                true => parent.map(|point| (Way::Any, point)).into_iter().collect(),
                false => self.statement(entry, &entries, parent),
            });
        }
    }

    fn collect<'t>(
        &self,
        statements: &'t [Statement],
        (parent, on): (Option<usize>, Way),
        out: &mut Vec<Entry<'t>>,
    ) {
        for statement in statements {
            let number = out.len();
            out.push(Entry {
                statement,
                parent,
                on,
                from: self.lines.place(statement.span.start),
                to: self.lines.place(statement.span.end),
                own: Vec::new(),
                all: None,
            });
            for (on, inside) in inside(&statement.kind) {
                self.collect(inside, (Some(number), on), out);
            }
        }
    }

    /// A statement that has instructions, and the ways through it, as points.
    fn statement(
        &mut self,
        entry: &Entry<'_>,
        entries: &[Entry<'_>],
        parent: Option<usize>,
    ) -> Vec<(Way, usize)> {
        let Entry { statement, own, .. } = entry;
        let executed = own.iter().map(|&pc| self.reached.executed(pc)).max();
        let count = executed.unwrap_or(0).max(self.reached.stood(own[0]));
        let span = &statement.span;
        let text = self.text(span);
        let number = self.point(PointKind::Statement, &text, Some(span), count, parent);
        if let Some(label) = &statement.label
            && let Some(found) = self.program.labels.iter().find(|it| it.name == label.text)
        {
            let count = self.came_to(found.pc.0);
            self.point(
                PointKind::Label,
                &label.text,
                Some(&label.span),
                count,
                None,
            );
        }
        let mut ways = vec![(Way::Any, number)];
        let mut way = |outline: &mut Self, way, kind, span, count| {
            ways.push((
                way,
                outline.point(kind, "", Some(span), count, Some(number)),
            ));
        };
        match &statement.kind {
            StatementKind::Assume(_) => {
                let passed = self.instructions(own, |it| matches!(it, Instruction::Assume(_)));
                let passed = passed.iter().map(|&pc| self.reached.way(pc, YES)).sum();
                way(self, Way::Passed, PointKind::Assumption, span, passed);
            }
            StatementKind::Choose(alternatives) => {
                let choices = self.instructions(own, |it| matches!(it, Instruction::Select(_)));
                for (arm, alternative) in alternatives.iter().enumerate() {
                    let guard = alternative.guard.as_ref().map(|guard| &guard.span);
                    let span = guard.unwrap_or(&alternative.span);
                    let taken = choices.iter().map(|&pc| self.reached.way(pc, arm)).sum();
                    way(self, Way::Arm(arm), PointKind::Alternative, span, taken);
                }
            }
            StatementKind::If { condition, .. }
            | StatementKind::While { condition, .. }
            | StatementKind::DoWhile { condition, .. }
            | StatementKind::For {
                condition: Some(condition),
                ..
            } => {
                if let Some((yes, no)) = self.decisions(entry, entries) {
                    way(self, Way::Yes, PointKind::True, &condition.span, yes);
                    way(self, Way::No, PointKind::False, &condition.span, no);
                }
            }
            _ => {
                let waits = self.instructions(own, |it| {
                    it.may_block() || matches!(it, Instruction::AtomicBegin)
                });
                let waits = waits.iter().filter(|&&pc| self.reached.stood(pc) > 0);
                if let Some(passed) = waits.map(|&pc| self.reached.executed(pc)).min() {
                    way(self, Way::Passed, PointKind::Passed, span, passed);
                }
            }
        }
        ways
    }

    /// Those of some instructions that are of a kind.
    fn instructions(&self, own: &[u32], is_meant: impl Fn(&Instruction) -> bool) -> Vec<u32> {
        let all = own.iter().copied();
        all.filter(|&pc| is_meant(&self.program.code[pc as usize]))
            .collect()
    }

    /// The beginning of a statement, in one line.
    fn text(&self, span: &Span) -> String {
        const LONGEST: usize = 60;
        let text = self.source.get(span.clone()).unwrap_or_default();
        let text = text.split(['{', '\n']).next().unwrap_or_default().trim();
        match text.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}...", &text[..end]),
            None => text.to_owned(),
        }
    }

    /// How often the condition of a statement was true, and how often it was false; nothing, if it is
    /// constant, or both lead to the same place.
    fn decisions(&self, entry: &Entry<'_>, entries: &[Entry<'_>]) -> Option<(u64, u64)> {
        let (_, last) = entry.all?;
        let body = |statement: &Statement| {
            let all = entries
                .iter()
                .find(|it| std::ptr::eq(it.statement, statement));
            all.and_then(|it| it.all)
        };
        let (yes, no) = match &entry.statement.kind {
            StatementKind::If {
                then, otherwise, ..
            } => {
                let other = otherwise.as_deref().and_then(body);
                (body(then)?.0, other.map_or(last + 1, |(first, _)| first))
            }
            StatementKind::While { body: inner, .. }
            | StatementKind::DoWhile { body: inner, .. }
            | StatementKind::For { body: inner, .. } => (body(inner)?.0, last + 1),
            _ => return None,
        };
        let (yes, no) = (self.chain(yes), self.chain(no));
        if yes.iter().any(|pc| no.contains(pc)) {
            return None;
        }
        let mut counts = (0, 0);
        let mut branches = 0;
        for &pc in &entry.own {
            let Instruction::Branch(_, target) = self.program.code[pc as usize] else {
                continue;
            };
            branches += 1;
            for (way, to) in [(NO, target.0), (YES, pc + 1)] {
                let taken = self.reached.way(pc, way);
                counts.0 += if yes.contains(&to) { taken } else { 0 };
                counts.1 += if no.contains(&to) { taken } else { 0 };
            }
        }
        (branches > 0).then_some(counts)
    }

    /// An instruction, and those to which jumps lead from it: a jump to a jump is made one.
    fn chain(&self, from: u32) -> Vec<u32> {
        let mut all = vec![from];
        while let Some(&last) = all.last()
            && let Some(Instruction::Jump(Pc(target))) = self.program.code.get(last as usize)
            && !all.contains(target)
        {
            all.push(*target);
        }
        all
    }

    /// How often executions came to an instruction.
    fn came_to(&self, pc: u32) -> u64 {
        self.reached.executed(pc).max(self.reached.stood(pc))
    }

    fn point(
        &mut self,
        kind: PointKind,
        name: &str,
        span: Option<&Span>,
        count: u64,
        parent: Option<usize>,
    ) -> usize {
        self.points.push(Point {
            kind,
            name: name.to_owned(),
            place: span.map(|span| self.lines.place(span.start)),
            count,
            parent,
        });
        self.points.len() - 1
    }
}

/// The statements directly inside of a statement, and on which of its ways they lie.
fn inside(kind: &StatementKind) -> Vec<(Way, &[Statement])> {
    use std::slice::from_ref;
    fn one(way: Way, it: &Statement) -> (Way, &[Statement]) {
        (way, from_ref(it))
    }
    match kind {
        StatementKind::Block(block)
        | StatementKind::Synchronized(_, block)
        | StatementKind::Atomic(block) => vec![(Way::Passed, &block.statements[..])],
        StatementKind::If {
            then, otherwise, ..
        } => {
            let other = otherwise.as_deref().map(|it| one(Way::No, it));
            std::iter::once(one(Way::Yes, then)).chain(other).collect()
        }
        StatementKind::While { body, .. } => vec![one(Way::Yes, body)],
        StatementKind::DoWhile { body, .. } => vec![one(Way::Any, body)],
        StatementKind::For {
            first, next, body, ..
        } => {
            let first = first.as_deref().map(|it| one(Way::Any, it));
            let rest = [next.as_deref(), Some(&**body)];
            let rest = rest.into_iter().flatten().map(|it| one(Way::Yes, it));
            first.into_iter().chain(rest).collect()
        }
        StatementKind::Await {
            body: Some(body), ..
        } => vec![one(Way::Passed, body)],
        StatementKind::Choose(alternatives) => {
            let alternatives = alternatives.iter().enumerate();
            alternatives
                .map(|(arm, it)| (Way::Arm(arm), &it.statements[..]))
                .collect()
        }
        _ => Vec::new(),
    }
}

//! What is declared at the outermost level: constants, records, variables and their
//! initial values, the signatures of functions and threads.

use super::names::SymbolKind;
use super::tree::{ExpressionKind, Local, LocalId, Population};
use super::types::{Declared, Type, default_value};
use super::{
    Checker, Context, Field, MAX_DIMENSIONS, MAX_LOCAL_WORDS, MAX_THREADS, MAX_WORDS, ResultType,
    Signature, ThreadVariable,
};
use crate::ast::{self, Declarator, Initial, Item, Name, Span};
use raddle_diagnostics::Diagnostic;
use raddle_machine::ir::{
    Declaration, DeclarationId, FunctionId, Home, RecordId, RegionInfo, Slot, ValueType,
};
use raddle_model::{Kind, Region};

impl<'a> Checker<'a> {
    /// Evaluates the constants, in order: a constant can use those before it.
    pub(super) fn declare_constants(&mut self) {
        for item in &self.program.items {
            let Item::Constant { name, value } = item else {
                continue;
            };
            let checked = self.within(Context::Constant, |checker| checker.expression(value));
            let kind = match checked.ty {
                Type::Int | Type::Bool | Type::Enum(_) => {
                    match self.constant_word(&checked, "a constant") {
                        Some(word) => SymbolKind::Constant(checked.ty, word),
                        None => SymbolKind::Broken,
                    }
                }
                Type::Error => SymbolKind::Broken,
                other => {
                    let found = self.describe(other);
                    self.report(Diagnostic::new(
                        value.span.clone(),
                        format!("a constant cannot be {found}"),
                        "expected a number, a truth value or a member of an enumeration",
                    ));
                    SymbolKind::Broken
                }
            };
            self.define(name, kind);
        }
    }

    /// Gives a name its meaning, if this is the declaration that counts.
    fn define(&mut self, name: &'a Name, kind: SymbolKind) {
        if let Some(symbol) = self.names.get_mut(name.text.as_str())
            && symbol.span == name.span
        {
            symbol.kind = kind;
        }
    }

    /// Lays out records and variables.
    pub(super) fn declare_memory(&mut self) {
        let mut record = 0;
        for item in &self.program.items {
            match item {
                Item::Record { name, fields } => {
                    self.declare_record(RecordId(record), name, fields);
                    record += 1;
                }
                Item::Variable { local, variable } => {
                    let declared = self.declared(&variable.ty);
                    for declarator in &variable.declarators {
                        let kind = match local {
                            true => self.thread_variable(declared, &variable.ty.span, declarator),
                            false => self.shared_variable(declared, &variable.ty.span, declarator),
                        };
                        self.define(&declarator.name, kind);
                    }
                }
                _ => {}
            }
        }
    }

    fn declare_record(&mut self, id: RecordId, name: &'a Name, fields: &'a [ast::Variable]) {
        for variable in fields {
            let declared = self.declared(&variable.ty);
            for declarator in &variable.declarators {
                let region = self.field(id, name, declared, &variable.ty.span, declarator);
                let field = Field {
                    region,
                    span: declarator.name.span.clone(),
                };
                let Some(known) = self.fields.get_mut(id.0 as usize) else {
                    continue;
                };
                if let Some(earlier) = known.get(declarator.name.text.as_str()) {
                    let error = super::names::duplicate(&declarator.name, &earlier.span);
                    self.report(error);
                } else {
                    known.insert(&declarator.name.text, field);
                }
            }
        }
    }

    fn field(
        &mut self,
        id: RecordId,
        record: &Name,
        declared: Declared,
        ty: &Span,
        declarator: &'a Declarator,
    ) -> Option<Region> {
        let (dimensions, words) = self.memory(declared, (ty, Owner::Other), declarator)?;
        let offset = self.out.records.get(id.0 as usize)?.initial.len();
        if offset + words.len() > MAX_WORDS as usize {
            self.report(Diagnostic::new(
                declarator.name.span.clone(),
                format!("the record `{}` is too large", record.text),
                format!("with this field it has more than {MAX_WORDS} words"),
            ));
            return None;
        }
        let home = Home::Field(id, offset as u32);
        let name = format!("{}.{}", record.text, declarator.name.text);
        let region = self.region(name, declared, home, dimensions);
        let record = self.out.records.get_mut(id.0 as usize)?;
        record.initial.extend(words);
        record.fields.push(region);
        Some(region)
    }

    fn shared_variable(
        &mut self,
        declared: Declared,
        ty: &Span,
        declarator: &'a Declarator,
    ) -> SymbolKind {
        let memory = self.memory(declared, (ty, Owner::Everybody), declarator);
        let Some((dimensions, words)) = memory else {
            return SymbolKind::Broken;
        };
        let offset = self.out.initial_words.len();
        if offset + words.len() > MAX_WORDS as usize {
            self.report(Diagnostic::new(
                declarator.name.span.clone(),
                "the shared variables are too large",
                format!("with this one they have more than {MAX_WORDS} words"),
            ));
            return SymbolKind::Broken;
        }
        self.out.initial_words.extend(words);
        let name = declarator.name.text.clone();
        let home = Home::Shared(offset as u32);
        let per_thread = self.replicated_size(declarator);
        let region = self.region(name, declared, home, dimensions);
        if let Some(info) = self.out.regions.get_mut(region.0 as usize) {
            info.per_thread = per_thread;
        }
        SymbolKind::Shared(region)
    }

    fn region(
        &mut self,
        name: String,
        declared: Declared,
        home: Home,
        dimensions: Vec<u32>,
    ) -> Region {
        let region = Region(self.out.regions.len() as u32);
        self.out.regions.push(RegionInfo {
            name,
            kind: declared.kind(),
            home,
            dimensions,
            value: declared.value(),
            capacity: declared.capacity(),
            per_thread: None,
        });
        self.declared.push(declared);
        region
    }

    /// The kind of any number of threads of which each has an element: `int flag[worker]`.
    fn replicated_size(&self, declarator: &'a Declarator) -> Option<DeclarationId> {
        let [size] = declarator.dimensions.as_slice() else {
            return None;
        };
        let (id, thread) = self.threads_named(size)?;
        thread.replicated.then_some(id)
    }

    /// The kind of threads that a size names.
    fn threads_named(&self, size: &ast::Expression) -> Option<(DeclarationId, &'a ast::Thread)> {
        let ast::ExpressionKind::Name(name) = &size.kind else {
            return None;
        };
        let SymbolKind::Thread(id, _) = self.names.get(name.as_str())?.kind else {
            return None;
        };
        let mut threads = self.program.items.iter().filter_map(|item| match item {
            Item::Thread(thread) => Some(thread),
            _ => None,
        });
        Some((id, threads.nth(usize::from(id.0))?))
    }

    /// Whether a region has an element for each thread of a kind.
    pub(super) fn per_thread(&self, region: Region) -> bool {
        let info = self.out.regions.get(region.0 as usize);
        info.is_some_and(|info| info.per_thread.is_some())
    }

    fn thread_variable(
        &mut self,
        declared: Declared,
        ty: &Span,
        declarator: &'a Declarator,
    ) -> SymbolKind {
        if let Some(object) = declared.object() {
            self.report(
                Diagnostic::new(
                    ty.clone(),
                    format!("{object} cannot be local to a thread"),
                    "expected a type of values",
                )
                .help("without `local` all threads share it"),
            );
            return SymbolKind::Broken;
        }
        let Some((dimensions, words)) = self.memory(declared, (ty, Owner::Other), declarator)
        else {
            return SymbolKind::Broken;
        };
        let base = self.out.thread_locals.len();
        if base + words.len() > MAX_LOCAL_WORDS as usize {
            self.report(Diagnostic::new(
                declarator.name.span.clone(),
                "the variables local to each thread are too large",
                format!("with this one they have more than {MAX_LOCAL_WORDS} words"),
            ));
            return SymbolKind::Broken;
        }
        let value = declared.value();
        for (position, initial) in words.into_iter().enumerate() {
            self.out.thread_locals.push(Slot {
                name: element_name(&declarator.name.text, &dimensions, position as u32),
                value,
                initial,
            });
        }
        self.thread_variables.push(ThreadVariable {
            base: base as u16,
            value,
            dimensions,
        });
        SymbolKind::ThreadLocal(self.thread_variables.len() - 1)
    }

    /// The dimensions and the initial words of a variable or field.
    fn memory(
        &mut self,
        declared: Declared,
        (ty, owner): (&Span, Owner),
        declarator: &'a Declarator,
    ) -> Option<(Vec<u32>, Vec<i32>)> {
        if declared == Declared::Void {
            self.report(Diagnostic::new(
                ty.clone(),
                "a variable cannot be `void`",
                "expected a type of values",
            ));
        }
        let stride = declared.capacity() + u32::from(declared.capacity() > 0);
        let dimensions = match self.replicated_size(declarator) {
            Some(_) => Some(vec![1]),
            None => self.dimensions(declarator, stride.max(1), MAX_WORDS),
        };
        if matches!(declared, Declared::Error | Declared::Void) {
            return None;
        }
        let dimensions = dimensions?;
        let words = self.initial_words(declared, &dimensions, (owner, declarator))?;
        Some((dimensions, words))
    }

    /// The sizes of the dimensions. `stride` words for each element must not be more
    /// than `limit` altogether.
    pub(super) fn dimensions(
        &mut self,
        declarator: &'a Declarator,
        stride: u32,
        limit: u32,
    ) -> Option<Vec<u32>> {
        let name = &declarator.name;
        if declarator.dimensions.len() > MAX_DIMENSIONS {
            self.report(Diagnostic::new(
                name.span.clone(),
                format!("`{}` has too many dimensions", name.text),
                format!("an array has at most {MAX_DIMENSIONS}"),
            ));
            return None;
        }
        let mut sizes = Some(Vec::new());
        let mut words = u64::from(stride);
        for dimension in &declarator.dimensions {
            // An array can have an element for each of a number of threads.
            let count = self.threads_named(dimension);
            let count = count.and_then(|(_, thread)| thread.count.as_ref());
            let dimension = count.unwrap_or(dimension);
            let size = self.constant(dimension, Type::Int, "the size of an array");
            match size {
                Some(size) if size < 1 => {
                    self.report(Diagnostic::new(
                        dimension.span.clone(),
                        format!("an array cannot have {size} elements"),
                        "expected at least 1",
                    ));
                    sizes = None;
                }
                Some(size) => {
                    words = words.saturating_mul(u64::from(size.unsigned_abs()));
                    if let Some(sizes) = &mut sizes {
                        sizes.push(size.unsigned_abs());
                    }
                }
                None => sizes = None,
            }
        }
        if sizes.is_some() && words > u64::from(limit) {
            self.report(Diagnostic::new(
                name.span.clone(),
                format!("`{}` is too large", name.text),
                format!("it has more than {limit} words"),
            ));
            return None;
        }
        sizes
    }

    fn initial_words(
        &mut self,
        declared: Declared,
        dimensions: &[u32],
        (owner, declarator): (Owner, &'a Declarator),
    ) -> Option<Vec<i32>> {
        let length = dimensions.iter().product::<u32>() as usize;
        let value = match declared {
            Declared::Value(value) => value,
            Declared::Semaphore => ValueType::Int,
            _ => {
                if let Some(initial) = &declarator.initial {
                    let object = declared.object().unwrap_or("this");
                    self.report(Diagnostic::new(
                        initial_span(initial),
                        format!("{object} has no initial value"),
                        "remove this",
                    ));
                    return None;
                }
                let stride = match declared.capacity() {
                    0 => 1,
                    capacity => 1 + capacity as usize,
                };
                return Some(vec![0; length * stride]);
            }
        };
        let Some(initial) = &declarator.initial else {
            return Some(vec![default_value(value); length]);
        };
        let mut words = Vec::new();
        // Each element of an array gets an instance of its own.
        if let (Initial::Value(only), Owner::Everybody) = (initial, owner)
            && matches!(only.kind, ast::ExpressionKind::New(_))
        {
            let instances = (0..length).map(|_| self.instance(only, value));
            return instances.collect();
        }
        for element in self.elements(initial, dimensions)? {
            if matches!(element.kind, ast::ExpressionKind::New(_)) && owner == Owner::Everybody {
                words.push(self.instance(element, value)?);
                continue;
            }
            let word = self.constant(element, value.into(), "an initial value")?;
            if declared == Declared::Semaphore && word < 0 {
                self.report(Diagnostic::new(
                    element.span.clone(),
                    "a semaphore cannot be negative",
                    "expected 0 or more",
                ));
                return None;
            }
            self.in_range(word, value, &element.span)?;
            words.push(word);
        }
        match initial {
            Initial::Value(_) => Some(vec![*words.first()?; length]),
            Initial::List(..) => Some(words),
        }
    }

    /// An instance that exists from the start, counted from one.
    fn instance(&mut self, new: &'a ast::Expression, value: ValueType) -> Option<i32> {
        let checked = self.expression(new);
        let checked = self.coerce(checked, value.into());
        let ExpressionKind::New(record) = checked.kind else {
            return None;
        };
        if self.out.instances.len() >= MAX_WORDS as usize {
            self.report(Diagnostic::new(
                new.span.clone(),
                "too many instances are created here",
                format!("expected at most {MAX_WORDS}"),
            ));
            return None;
        }
        self.out.instances.push(record);
        Some(self.out.instances.len() as i32)
    }

    /// Reports a constant outside of the range of its variable.
    pub(super) fn in_range(&mut self, word: i32, value: ValueType, span: &Span) -> Option<()> {
        match value {
            ValueType::Ranged(range) if word < range.low || word > range.high => {
                self.report(Diagnostic::new(
                    span.clone(),
                    format!(
                        "{word} is outside of the range {}..{}",
                        range.low, range.high
                    ),
                    "the variable cannot have this value",
                ));
                None
            }
            _ => Some(()),
        }
    }

    /// The expressions of an initial value, row by row; a single one stands for all.
    pub(super) fn elements(
        &mut self,
        initial: &'a Initial,
        dimensions: &[u32],
    ) -> Option<Vec<&'a ast::Expression>> {
        match (initial, dimensions) {
            (Initial::Value(expression), _) => Some(vec![expression]),
            (Initial::List(_, span), []) => {
                self.report(Diagnostic::new(
                    span.clone(),
                    "a list can only initialise an array",
                    "expected one value",
                ));
                None
            }
            (Initial::List(items, span), [size, rest @ ..]) => {
                if items.len() != *size as usize {
                    self.report(Diagnostic::new(
                        span.clone(),
                        format!("expected {size} elements, found {}", items.len()),
                        "the list must have one value for each element",
                    ));
                    return None;
                }
                let mut all = Vec::new();
                for item in items {
                    let mut elements = self.elements(item, rest)?;
                    if let (Initial::Value(expression), [_, ..]) = (item, rest) {
                        let length = rest.iter().product::<u32>() as usize;
                        elements = vec![expression; length];
                    }
                    all.extend(elements);
                }
                Some(all)
            }
        }
    }

    /// Checks the parameters and results of functions and threads.
    pub(super) fn declare_signatures(&mut self) {
        let mut function = 0;
        for item in &self.program.items {
            let signature = match item {
                Item::Function(declared) => self.function_signature(declared),
                Item::Thread(thread) => {
                    self.out.declarations.push(Declaration {
                        name: thread.name.text.clone(),
                        function: FunctionId(function as u16),
                        daemon: thread.daemon,
                    });
                    self.thread_signature(thread)
                }
                _ => continue,
            };
            if let Some(slot) = self.signatures.get_mut(function) {
                *slot = signature;
            }
            function += 1;
        }
        self.calls.waits = vec![false; function];
    }

    fn function_signature(&mut self, function: &'a ast::Function) -> Signature {
        let result = match function.result.kind {
            ast::TypeKind::Void => ResultType::Nothing,
            _ => match self.value_type(&function.result, "the result of a function") {
                Some(value) => ResultType::Value(value),
                None => ResultType::Error,
            },
        };
        Signature {
            name: function.name.text.clone(),
            span: function.name.span.clone(),
            parameters: self.parameters(&function.parameters),
            result,
            spawned: false,
        }
    }

    fn thread_signature(&mut self, thread: &'a ast::Thread) -> Signature {
        let parameters = thread.parameters.as_deref().unwrap_or_default();
        if let (Some(count), Some(_)) = (&thread.count, &thread.parameters) {
            self.report(
                Diagnostic::new(
                    count.span.clone(),
                    format!(
                        "the thread `{}` has both a count and parameters",
                        thread.name.text
                    ),
                    "threads with parameters are started with `spawn`",
                )
                .help("remove the count, or the parentheses and use `index`"),
            );
        }
        if thread.replicated && thread.parameters.is_some() {
            self.report(
                Diagnostic::new(
                    thread.name.span.clone(),
                    format!(
                        "the thread `{}` has both `[*]` and parameters",
                        thread.name.text
                    ),
                    "threads with parameters are started with `spawn`",
                )
                .help("remove `[*]`, or the parentheses"),
            );
        }
        Signature {
            name: thread.name.text.clone(),
            span: thread.name.span.clone(),
            parameters: self.parameters(parameters),
            result: ResultType::Nothing,
            spawned: thread.parameters.is_some(),
        }
    }

    fn parameters(&mut self, parameters: &'a [ast::Parameter]) -> Vec<Option<ValueType>> {
        parameters
            .iter()
            .map(|parameter| self.value_type(&parameter.ty, "a parameter"))
            .collect()
    }

    /// Counts the threads that exist at the start.
    pub(super) fn populations(&mut self) {
        let mut total = 0;
        let mut started = false;
        let mut position = 0;
        for item in &self.program.items {
            let Item::Thread(thread) = item else {
                continue;
            };
            started |= thread.parameters.is_none();
            let population = match (&thread.parameters, &thread.count) {
                (Some(_), _) => Population::Spawned,
                (None, None) if thread.replicated => Population::Any,
                (None, None) => Population::One,
                (None, Some(count)) => Population::Numbered(self.thread_count(count)),
            };
            total += match population {
                Population::One | Population::Any => 1,
                Population::Numbered(count) => count,
                Population::Spawned => 0,
            };
            if total > MAX_THREADS {
                self.report(Diagnostic::new(
                    thread.name.span.clone(),
                    "too many threads",
                    format!("with these, more than {MAX_THREADS} exist at the start"),
                ));
                return;
            }
            if let Some(slot) = self.out.populations.get_mut(position) {
                *slot = population;
            }
            position += 1;
        }
        if !started {
            let error = Diagnostic::new(0..0, "the program has no thread", "");
            self.report(error.help(
                "declare one that exists from the start, without parentheses: `thread main { ... }`",
            ));
        }
    }

    fn thread_count(&mut self, count: &'a ast::Expression) -> u32 {
        match self.constant(count, Type::Int, "the number of threads") {
            // With none of them nothing would be checked.
            Some(number) if !(1..=MAX_THREADS as i32).contains(&number) => {
                self.report(Diagnostic::new(
                    count.span.clone(),
                    format!("there cannot be {number} threads"),
                    format!("expected a number from 1 to {MAX_THREADS}"),
                ));
                0
            }
            Some(number) => number.unsigned_abs(),
            None => 0,
        }
    }

    /// Adds a variable to the function that is being checked.
    pub(super) fn add_local(
        &mut self,
        name: &'a Name,
        value: ValueType,
        dimensions: Vec<u32>,
    ) -> Option<LocalId> {
        let words = dimensions.iter().product::<u32>();
        self.body.words = self.body.words.saturating_add(words);
        if self.body.words > MAX_LOCAL_WORDS {
            // Said once: later variables of the same function would only repeat it.
            if self.body.words - words <= MAX_LOCAL_WORDS {
                self.report(Diagnostic::new(
                    name.span.clone(),
                    "the local variables are too large",
                    format!("with this one they have more than {MAX_LOCAL_WORDS} words"),
                ));
            }
            return None;
        }
        self.body.locals.push(Local {
            name: name.text.clone(),
            value,
            dimensions,
        });
        Some(LocalId(self.body.locals.len() - 1))
    }

    /// The kind of a region.
    pub(super) fn kind_of(&self, region: Region) -> Option<Kind> {
        self.out
            .regions
            .get(region.0 as usize)
            .map(|info| info.kind)
    }
}

/// How an element of an array in slots is called: `a[1][2]`.
pub(crate) fn element_name(name: &str, dimensions: &[u32], position: u32) -> String {
    let mut rest = position;
    let mut suffix = String::new();
    for size in dimensions.iter().rev() {
        suffix.insert_str(0, &format!("[{}]", rest % size));
        rest /= size;
    }
    format!("{name}{suffix}")
}

/// Who has a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// All threads together: it can refer to an instance that exists from the start.
    Everybody,
    /// Each thread or each instance of a record.
    Other,
}

/// Where an initial value stands.
pub(super) fn initial_span(initial: &Initial) -> Span {
    match initial {
        Initial::Value(expression) => expression.span.clone(),
        Initial::List(_, span) => span.clone(),
    }
}

//! Declarations at the outermost level, and the types and declarators in them.

use super::{Failed, Parsed, Parser};
use crate::ast::{
    Bounds, Clause, ClauseKind, Declarator, Expression, Function, Granularity, Initial, Item, Name,
    Parameter, Path, Program, Thread, Type, TypeKind, Variable,
};
use crate::lexer::TokenKind;
use raddle_diagnostics::{Diagnostic, nearest};

impl Parser<'_> {
    /// The whole file.
    ///
    /// A lost or superfluous brace turns the rest of a body into text outside of all
    /// items. After an error the parser is therefore lost until something is found
    /// that can only be an item.
    pub(super) fn program(&mut self) -> Program {
        let mut items = Vec::new();
        let mut lost = false;
        while !self.at(TokenKind::End) {
            if self.eat(TokenKind::Semicolon) {
                continue;
            }
            if lost && !self.may_begin_item() {
                self.skip_group();
                continue;
            }
            let start = self.position();
            match self.item() {
                Ok(item) => {
                    lost &= matches!(item, Item::Variable { .. });
                    items.push(item);
                }
                Err(Failed) => {
                    lost = true;
                    self.leave_item(start);
                }
            }
        }
        Program { items }
    }

    /// Goes behind an item that could not be read, or to the next word that can only
    /// begin an item.
    fn leave_item(&mut self, start: usize) {
        loop {
            match self.kind() {
                TokenKind::End => return,
                TokenKind::Semicolon | TokenKind::CloseBrace => return self.bump(),
                TokenKind::OpenBrace => return self.skip_group(),
                _ if self.begins_item() && self.position() > start => return,
                _ => self.bump(),
            }
        }
    }

    /// Whether the current token can begin only an item, never a statement.
    pub(super) fn begins_item(&self) -> bool {
        use TokenKind::*;
        match self.kind() {
            Const | Enum | Record | Granularity | Local | Daemon | Invariant | Property
            | Exclusive | Void => true,
            Thread => self.peek(1) == Name && self.is_body_of_thread(),
            Int | Bool | Name => self.peek(1) == Name && self.peek(2) == OpenParen,
            _ => false,
        }
    }

    /// Tells `thread worker[3] {` from the variable `thread workers[3];`. The distance
    /// is limited, or a long text of nothing but threads would take quadratic time.
    fn is_body_of_thread(&self) -> bool {
        use TokenKind::*;
        const FARTHEST: usize = 1000;
        let mut brackets = 0i32;
        for ahead in 2..FARTHEST {
            match self.peek(ahead) {
                OpenBracket => brackets += 1,
                CloseBracket => brackets -= 1,
                OpenBrace => return true,
                Semicolon | CloseBrace | End => return false,
                Assign | Comma if brackets == 0 => return false,
                OpenParen if ahead == 2 => return true,
                OpenParen if brackets == 0 && self.peek(ahead - 1) == CloseBracket => return true,
                _ => {}
            }
        }
        false
    }

    /// Whether the current token can begin an item, and cannot begin an assignment.
    fn may_begin_item(&self) -> bool {
        match self.kind() {
            TokenKind::Name => self.is_declaration(),
            _ => self.begins_item() || self.begins_type(),
        }
    }

    /// Whether a type stands here.
    pub(super) fn begins_type(&self) -> bool {
        use TokenKind::*;
        matches!(
            self.kind(),
            Void | Int | Bool | Lock | Semaphore | Channel | Thread | Name
        )
    }

    pub(super) fn item(&mut self) -> Parsed<Item> {
        match self.kind() {
            TokenKind::Granularity => self.granularity(),
            TokenKind::Const => self.constant(),
            TokenKind::Enum => self.enumeration(),
            TokenKind::Record => self.record(),
            TokenKind::Invariant => self.invariant(),
            TokenKind::Property => self.property(),
            TokenKind::Exclusive => self.exclusive(),
            TokenKind::Local => {
                self.bump();
                let ty = self.ty()?;
                let variable = self.variable(ty, false)?;
                let local = true;
                Ok(Item::Variable { local, variable })
            }
            TokenKind::Daemon => {
                self.bump();
                if !self.at(TokenKind::Thread) {
                    return Err(self.expected("`thread` after `daemon`"));
                }
                self.thread(true)
            }
            TokenKind::Thread if self.peek(1) == TokenKind::Name && self.is_body_of_thread() => {
                self.thread(false)
            }
            _ if self.headless && !self.may_begin_item() => Err(Failed),
            TokenKind::CloseBrace => {
                let (message, label) = ("this `}` closes nothing", "no block is open here");
                let diagnostic = Diagnostic::new(self.span(), message, label);
                Err(self.fail(diagnostic))
            }
            TokenKind::Name if !self.is_declaration() => Err(self.stray()),
            _ if self.begins_type() => self.variable_or_function(),
            _ => Err(self.stray()),
        }
    }

    /// Whether a name begins a declaration: another word follows.
    pub(super) fn is_declaration(&self) -> bool {
        use TokenKind::*;
        match self.peek(1) {
            Name => true,
            OpenBracket => self.peek(2) == CloseBracket,
            next => next.is_operation(),
        }
    }

    fn stray(&mut self) -> Failed {
        let diagnostic = self.surprise("a declaration");
        let diagnostic = match &diagnostic.help {
            Some(_) => diagnostic,
            None => diagnostic.help("statements stand inside threads and functions"),
        };
        self.fail(diagnostic)
    }

    fn granularity(&mut self) -> Parsed<Item> {
        let start = self.start();
        self.bump();
        let granularity = if self.at_text("statement") {
            Granularity::Statement
        } else if self.at_text("access") {
            Granularity::Access
        } else {
            return Err(self.expected("`statement` or `access`"));
        };
        self.bump();
        self.semicolon("the granularity")?;
        Ok(Item::Granularity(granularity, self.since(start)))
    }

    fn constant(&mut self) -> Parsed<Item> {
        self.bump();
        if matches!(self.kind(), TokenKind::Int | TokenKind::Bool)
            && self.peek(1) == TokenKind::Name
        {
            let diagnostic = Diagnostic::new(
                self.span(),
                "a constant is declared without a type",
                "leave the type out",
            );
            self.fail(diagnostic.help("write `const N = 3;`"));
            self.bump();
        }
        let name = self.name("the name of the constant")?;
        self.expect(TokenKind::Assign, "`=` and the value of the constant")?;
        let value = self.expression()?;
        self.semicolon("the constant")?;
        Ok(Item::Constant { name, value })
    }

    fn enumeration(&mut self) -> Parsed<Item> {
        self.bump();
        let name = self.name("the name of the enumeration")?;
        let open = self.span();
        self.open_brace("`{` and the members of the enumeration")?;
        let mut members = Vec::new();
        let result = loop {
            match self.name("the name of a member") {
                Ok(member) => members.push(member),
                Err(failed) => break Err(failed),
            }
            let more = self.eat(TokenKind::Comma);
            if !more || self.at(TokenKind::CloseBrace) {
                break self.close(TokenKind::CloseBrace, "`,` or `}`", open);
            }
        };
        if result.is_err() {
            self.leave_list();
        }
        Ok(Item::Enumeration { name, members })
    }

    fn record(&mut self) -> Parsed<Item> {
        self.bump();
        let name = self.name("the name of the record")?;
        let open = self.span();
        self.open_brace("`{` and the fields of the record")?;
        let mut fields = Vec::new();
        while !matches!(self.kind(), TokenKind::CloseBrace | TokenKind::End) {
            if self.begins_item() && self.kind() != TokenKind::Name {
                break;
            }
            if self.eat(TokenKind::Semicolon) {
                continue;
            }
            match self.ty().and_then(|ty| self.variable(ty, true)) {
                Ok(variable) => fields.push(variable),
                Err(Failed) => self.leave_field(),
            }
        }
        // When the brace is missing the next item follows, and can be read.
        let _ = self.close(TokenKind::CloseBrace, "`}` to close the record", open);
        Ok(Item::Record { name, fields })
    }

    fn leave_field(&mut self) {
        loop {
            match self.kind() {
                TokenKind::End | TokenKind::CloseBrace => return,
                TokenKind::Semicolon => return self.bump(),
                _ => self.skip_group(),
            }
        }
    }

    fn invariant(&mut self) -> Parsed<Item> {
        let start = self.start();
        self.bump();
        let named = self.peek(1) == TokenKind::Colon;
        let name = if named {
            let name = self.name("the name of the invariant")?;
            self.bump();
            Some(name)
        } else {
            None
        };
        let condition = self.bare_condition()?;
        self.semicolon("the invariant")?;
        let span = self.since(start);
        Ok(Item::Invariant {
            name,
            condition,
            span,
        })
    }

    fn exclusive(&mut self) -> Parsed<Item> {
        self.bump();
        let base = self.name("a variable or a field")?;
        let field = match self.eat(TokenKind::Dot) {
            true => Some(self.field_name("the name of a field")?),
            false => None,
        };
        let index = match self.eat(TokenKind::OpenBracket) {
            true => {
                let index = self.name("a name for the index")?;
                self.expect(TokenKind::CloseBracket, "`]` after the name of the index")?;
                Some(index)
            }
            false => None,
        };
        self.expect(TokenKind::When, "`when` and a condition")?;
        let condition = self.bare_condition()?;
        self.semicolon("the claim")?;
        let subject = Path { base, field };
        Ok(Item::Exclusive {
            subject,
            index,
            condition,
        })
    }

    /// `thread` has been seen.
    fn thread(&mut self, daemon: bool) -> Parsed<Item> {
        self.bump();
        let header = self.thread_header();
        if header.is_err() {
            // The body can be read all the same.
            while !matches!(
                self.kind(),
                TokenKind::OpenBrace
                    | TokenKind::Semicolon
                    | TokenKind::CloseBrace
                    | TokenKind::End
            ) {
                self.bump();
            }
        }
        let body = self.block("`{` and the body of the thread")?;
        let (name, replicated, count, parameters) = header?;
        Ok(Item::Thread(Thread {
            daemon,
            name,
            count,
            replicated,
            parameters,
            body,
        }))
    }

    fn thread_header(&mut self) -> Parsed<ThreadHeader> {
        let name = self.name("the name of the thread")?;
        let any = self.at(TokenKind::OpenBracket)
            && self.peek(1) == TokenKind::Star
            && self.peek(2) == TokenKind::CloseBracket;
        if any {
            for _ in 0..3 {
                self.bump();
            }
        }
        let mut counts = self.dimensions()?;
        if any && !counts.is_empty() {
            self.complain(Diagnostic::new(
                counts[0].span.clone(),
                "a thread has only one count",
                "this is a second one",
            ));
            counts.clear();
        }
        if counts.len() > 1 {
            self.complain(Diagnostic::new(
                counts[1].span.clone(),
                "a thread has only one count",
                "this is a second one",
            ));
        }
        let count = (!counts.is_empty()).then(|| counts.swap_remove(0));
        let parameters = match self.at(TokenKind::OpenParen) {
            true => Some(self.parameters()?),
            false => None,
        };
        Ok((name, any, count, parameters))
    }

    fn variable_or_function(&mut self) -> Parsed<Item> {
        let ty = self.ty()?;
        let is_word = self.at(TokenKind::Name) || self.kind().is_operation();
        let names_function = is_word && self.peek(1) == TokenKind::OpenParen;
        if !names_function {
            let variable = self.variable(ty, false)?;
            let local = false;
            return Ok(Item::Variable { local, variable });
        }
        let name = self.name("the name of the function")?;
        // `semaphore s(1)` or `semaphore s(N)`: no parameter looks like that.
        let value = match self.peek(1) {
            TokenKind::Number(_) => true,
            TokenKind::Name => self.peek(2) == TokenKind::CloseParen,
            _ => false,
        };
        if ty.kind == TypeKind::Semaphore && value {
            let diagnostic = self.surprise("`=` and the value of the semaphore");
            let help = format!("write `semaphore {} = 1;`", name.text);
            return Err(self.fail(diagnostic.help(help)));
        }
        let parameters = self.parameters()?;
        let body = self.block("`{` and the body of the function")?;
        Ok(Item::Function(Function {
            result: ty,
            name,
            parameters,
            body,
        }))
    }

    fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
        let open = self.span();
        self.bump();
        let mut parameters = Vec::new();
        if self.eat(TokenKind::CloseParen) {
            return Ok(parameters);
        }
        loop {
            if !self.begins_type() {
                return Err(self.expected("a parameter such as `int x`"));
            }
            let ty = self.ty()?;
            let name = self.name("the name of the parameter")?;
            if self.at(TokenKind::OpenBracket) {
                let diagnostic = Diagnostic::new(
                    self.span(),
                    "a parameter cannot be an array",
                    "not allowed here",
                );
                return Err(
                    self.fail(diagnostic.help("arrays are shared variables: use it directly"))
                );
            }
            parameters.push(Parameter { ty, name });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close(TokenKind::CloseParen, "`,` or `)`", open)?;
        Ok(parameters)
    }
}

/// Types and declarators.
impl Parser<'_> {
    pub(super) fn ty(&mut self) -> Parsed<Type> {
        let ty = self.nested(Self::simple_type)?;
        self.java_array();
        Ok(ty)
    }

    /// `int[] a` and `int[3] a`: the brackets are reported and skipped.
    fn java_array(&mut self) {
        let skipped = match (self.peek(1), self.peek(2)) {
            (TokenKind::CloseBracket, TokenKind::Name) => 2,
            (_, TokenKind::CloseBracket) if self.peek(3) == TokenKind::Name => 3,
            _ => return,
        };
        if !self.at(TokenKind::OpenBracket) {
            return;
        }
        let diagnostic = Diagnostic::new(
            self.span(),
            "the size of an array stands behind its name",
            "not part of the type",
        );
        self.fail(diagnostic.help("write `int a[3];`"));
        for _ in 0..skipped {
            self.bump();
        }
    }

    fn simple_type(&mut self) -> Parsed<Type> {
        let start = self.start();
        let kind = match self.kind() {
            TokenKind::Name => TypeKind::Named(self.take_name()),
            TokenKind::Int => {
                self.bump();
                TypeKind::Int(self.bounds()?)
            }
            TokenKind::Channel => {
                self.bump();
                self.channel()?
            }
            simple => {
                let kind = match simple {
                    TokenKind::Void => TypeKind::Void,
                    TokenKind::Bool => TypeKind::Bool,
                    TokenKind::Lock => TypeKind::Lock,
                    TokenKind::Semaphore => TypeKind::Semaphore,
                    TokenKind::Thread => TypeKind::Thread,
                    _ => return Err(self.expected("a type")),
                };
                self.bump();
                kind
            }
        };
        let span = self.since(start);
        Ok(Type { kind, span })
    }

    fn bounds(&mut self) -> Parsed<Option<Bounds>> {
        let open = self.span();
        if !self.eat(TokenKind::OpenParen) {
            return Ok(None);
        }
        let low = Box::new(self.expression()?);
        self.expect(TokenKind::DotDot, "`..` and the upper bound")?;
        let high = Box::new(self.expression()?);
        let wrap = self.at_text("wrap");
        if wrap {
            self.bump();
        }
        self.close(TokenKind::CloseParen, "`wrap` or `)`", open)?;
        Ok(Some(Bounds { low, high, wrap }))
    }

    fn channel(&mut self) -> Parsed<TypeKind> {
        self.expect(TokenKind::Less, "`<` and the type of the elements")?;
        let element = Box::new(self.ty()?);
        self.expect(TokenKind::Greater, "`>` after the type of the elements")?;
        let open = self.span();
        if !self.at(TokenKind::OpenParen) {
            let diagnostic = self.surprise("`(` and the capacity of the channel");
            return Err(self.fail(diagnostic.help("write `channel<int>(3) c;`")));
        }
        self.bump();
        let capacity = Box::new(self.expression()?);
        self.close(TokenKind::CloseParen, "`)` after the capacity", open)?;
        Ok(TypeKind::Channel(element, capacity))
    }

    /// The declarators behind a type, with the semicolon.
    pub(super) fn variable(&mut self, ty: Type, field: bool) -> Parsed<Variable> {
        let mut declarators = vec![self.declarator(field)?];
        while self.eat(TokenKind::Comma) {
            declarators.push(self.declarator(field)?);
        }
        if self.at(TokenKind::OpenBrace)
            && let TypeKind::Named(name) = &ty.kind
        {
            // `Thread t {`, `class A {`: the word in front is the mistake.
            let diagnostic = self.surprise("`;` after this declaration");
            let words = ["thread", "record", "enum"];
            let near = || {
                let near = nearest(&name.text, words)?;
                Some(format!("did you mean `{near}`?"))
            };
            let advice = super::advice_for_type(&name.text).map(str::to_owned);
            return Err(self.fail(match advice.or_else(near) {
                Some(help) => diagnostic.help(help),
                None => diagnostic,
            }));
        }
        self.semicolon("this declaration")?;
        Ok(Variable { ty, declarators })
    }

    fn declarator(&mut self, field: bool) -> Parsed<Declarator> {
        let name = match field {
            true => self.field_name("a name")?,
            false => self.name("a name")?,
        };
        let dimensions = self.dimensions()?;
        let initial = match self.eat(TokenKind::Assign) {
            true => Some(self.initial()?),
            false => None,
        };
        let mut clauses = Vec::new();
        while let Some(clause) = self.clause()? {
            clauses.push(clause);
        }
        Ok(Declarator {
            name,
            dimensions,
            initial,
            clauses,
        })
    }

    fn dimensions(&mut self) -> Parsed<Vec<Expression>> {
        let mut dimensions = Vec::new();
        while self.at(TokenKind::OpenBracket) {
            let open = self.span();
            self.bump();
            if self.at(TokenKind::CloseBracket) {
                let diagnostic = self.surprise("the size of the array");
                self.fail(diagnostic.help("write it, as in `int a[3] = {1, 2, 3};`"));
                self.bump();
                continue;
            }
            dimensions.push(self.expression()?);
            self.close(TokenKind::CloseBracket, "`]` after the size", open)?;
        }
        Ok(dimensions)
    }

    fn initial(&mut self) -> Parsed<Initial> {
        if !self.at(TokenKind::OpenBrace) {
            return Ok(Initial::Value(self.expression()?));
        }
        let open = self.span();
        self.bump();
        let mut values = Vec::new();
        let result = loop {
            if self.eat(TokenKind::CloseBrace) {
                break Ok(());
            }
            match self.nested(Self::initial) {
                Ok(value) => values.push(value),
                Err(failed) => break Err(failed),
            }
            if !self.eat(TokenKind::Comma) {
                break self.close(TokenKind::CloseBrace, "`,` or `}`", open.clone());
            }
        };
        if result.is_err() {
            self.leave_list();
        }
        Ok(Initial::List(values, self.since(open.start)))
    }

    /// Goes behind the brace that ends a list. Lists have no semicolons and items
    /// inside: when one of those comes first, the brace is missing.
    fn leave_list(&mut self) {
        loop {
            match self.kind() {
                TokenKind::CloseBrace => return self.bump(),
                TokenKind::Semicolon | TokenKind::End => return,
                _ if self.begins_item() => return,
                _ => self.skip_group(),
            }
        }
    }

    fn clause(&mut self) -> Parsed<Option<Clause>> {
        let start = self.start();
        let kind = match self.kind() {
            TokenKind::Unprotected => {
                self.bump();
                ClauseKind::Unprotected
            }
            TokenKind::Protected => {
                self.bump();
                self.by("`by` and a lock after `protected`")?;
                ClauseKind::ProtectedBy(self.expression()?)
            }
            TokenKind::Initialised => {
                self.bump();
                self.by("`by` and a thread after `initialised`")?;
                ClauseKind::InitialisedBy(self.name("the name of a thread")?)
            }
            _ => return Ok(None),
        };
        let span = self.since(start);
        Ok(Some(Clause { kind, span }))
    }

    fn by(&mut self, what: &str) -> Parsed<()> {
        if !self.at_text("by") {
            return Err(self.expected(what));
        }
        self.bump();
        Ok(())
    }
}

/// The name of a thread, how many there are, and its parameters.
type ThreadHeader = (Name, bool, Option<Expression>, Option<Vec<Parameter>>);

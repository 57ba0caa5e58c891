//! What an editor asks, and what it is told.

use crate::document::{Document, Language};
use crate::jobs::{Done, Jobs, Result as JobResult};
use crate::{Backend, CheckResult, Note, Program, describe};
use crossbeam_channel::Sender;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    Cancel, DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument,
    Notification as Told, Progress, PublishDiagnostics, ShowMessage, WorkDoneProgressCancel,
};
use lsp_types::request::{
    CodeLensRefresh, CodeLensRequest, ExecuteCommand, GotoDefinition, HoverRequest, References,
    Request as Asked, WorkDoneProgressCreate,
};
use lsp_types::{
    CodeLens, Command, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity,
    DidChangeTextDocumentParams, DidOpenTextDocumentParams, GotoDefinitionResponse, Hover,
    HoverContents, Location, MarkupContent, MarkupKind, MessageType, Position,
    PublishDiagnosticsParams, Range, ShowMessageParams, TextDocumentPositionParams, Uri,
};
use raddle_diagnostics::Index;
use raddle_reduce::accesses::Accesses;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The command behind the lens.
pub(crate) const CHECK: &str = "raddle.check";

/// What this server can do.
pub(crate) fn greeting() -> Value {
    json!({
        "capabilities": {
            "positionEncoding": "utf-16",
            "textDocumentSync": { "openClose": true, "change": 2, "save": true },
            "definitionProvider": true,
            "referencesProvider": true,
            "hoverProvider": true,
            "codeLensProvider": { "resolveProvider": false },
            "executeCommandProvider": { "commands": [CHECK] },
        },
        "serverInfo": { "name": "raddle", "version": env!("CARGO_PKG_VERSION") },
    })
}

/// The state of a conversation with an editor.
pub(crate) struct Server<'a> {
    out: &'a Sender<Message>,
    backend: Arc<dyn Backend>,
    jobs: Jobs,
    /// By their addresses.
    open: BTreeMap<String, Open>,
    /// Whether the editor can be told that lenses have changed.
    refreshes: bool,
    /// Whether the editor shows how far something is.
    shows_progress: bool,
    /// The number of the next request to the editor.
    next_request: i32,
}

/// A document with what is known of it.
struct Open {
    uri: Uri,
    document: Document,
    index: Index,
    mistakes: Vec<raddle_diagnostics::Diagnostic>,
    verdict: Option<CheckResult>,
    /// What is known of the lines of a Java program, as it was saved.
    notes: Vec<Note>,
    accesses: Option<Accesses>,
    /// Who wants to know the accesses: requests, and where the mouse rests.
    waiting: Vec<(RequestId, usize)>,
}

impl Open {
    fn new(uri: Uri, document: Document) -> Open {
        let (mistakes, index) = match document.language {
            Language::Model => (
                raddle_lang::compile(&document.text).err(),
                raddle_lang::index(&document.text),
            ),
            Language::Boolean => (
                raddle_cbp::compile(&document.text).err(),
                raddle_cbp::index(&document.text),
            ),
            Language::Java => (None, Index::default()),
        };
        Open {
            uri,
            document,
            index,
            mistakes: mistakes.unwrap_or_default(),
            verdict: None,
            notes: Vec::new(),
            accesses: None,
            waiting: Vec::new(),
        }
    }

    /// What is wrong: with the text, or with what the program does.
    fn diagnostics(&self) -> Vec<Diagnostic> {
        let related = |range: Range, message: &str| DiagnosticRelatedInformation {
            location: Location::new(self.uri.clone(), range),
            message: message.to_owned(),
        };
        let error = |range, message, related| Diagnostic {
            range,
            severity: Some(DiagnosticSeverity::ERROR),
            source: Some("raddle".to_owned()),
            message,
            related_information: related,
            ..Diagnostic::default()
        };
        let mistakes = self.mistakes.iter().map(|mistake| {
            let mut message = mistake.message.clone();
            if !mistake.label.is_empty() {
                message.push_str(&format!("\n{}", mistake.label));
            }
            if let Some(help) = &mistake.help {
                message.push_str(&format!("\nhelp: {help}"));
            }
            let others = mistake.related.as_ref();
            let others =
                others.map(|(span, label)| vec![related(self.document.range(span), label)]);
            error(self.document.range(&mistake.span), message, others)
        });
        let violation = self.verdict.as_ref().and_then(|verdict| {
            let ((place, message), others) = verdict.spots.split_first()?;
            let others = others
                .iter()
                .map(|(place, told)| related(self.document.rest_of_line(*place), told));
            let range = self.document.rest_of_line(*place);
            Some(error(range, message.clone(), Some(others.collect())))
        });
        let warnings = self.notes.iter().filter(|it| it.is_warning);
        let warnings = warnings.map(|note| Diagnostic {
            severity: Some(DiagnosticSeverity::WARNING),
            ..error(
                self.document.range_of_line(note.line),
                note.message.clone(),
                None,
            )
        });
        mistakes.chain(violation).chain(warnings).collect()
    }

    /// What is known of the line.
    fn hover_line(&self, offset: usize) -> Option<Hover> {
        let line = self.document.position(offset).line + 1;
        let notes = self.notes.iter().filter(|it| it.line == line);
        let told: Vec<&str> = notes.map(|it| it.message.as_str()).collect();
        (!told.is_empty()).then(|| Hover {
            contents: HoverContents::Markup(MarkupContent {
                kind: MarkupKind::PlainText,
                value: told.join("\n"),
            }),
            range: Some(self.document.range_of_line(line)),
        })
    }

    fn hover(&self, offset: usize) -> Option<Hover> {
        if self.document.language == Language::Java {
            return self.hover_line(offset);
        }
        let (declaration, span) = self.index.at(offset)?;
        let told = describe::declaration(&self.document, declaration, self.accesses.as_ref());
        Some(Hover {
            contents: HoverContents::Markup(MarkupContent {
                kind: MarkupKind::Markdown,
                value: told,
            }),
            range: Some(self.document.range(&span)),
        })
    }
}

impl<'a> Server<'a> {
    pub(crate) fn new(
        out: &'a Sender<Message>,
        backend: Arc<dyn Backend>,
        done: Sender<Done>,
        editor: &Value,
    ) -> Server<'a> {
        let can = &editor["capabilities"];
        Server {
            out,
            backend,
            jobs: Jobs::new(done),
            open: BTreeMap::new(),
            refreshes: can["workspace"]["codeLens"]["refreshSupport"] == true,
            shows_progress: can["window"]["workDoneProgress"] == true,
            next_request: 1,
        }
    }

    /// Answers a request, now or later.
    pub(crate) fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let answer = match method.as_str() {
            GotoDefinition::METHOD => read(params).map(|at| self.definition(&at)),
            References::METHOD => read(params).map(|at| self.references(&at)),
            CodeLensRequest::METHOD => read(params).map(|about: About| self.lenses(&about)),
            HoverRequest::METHOD => match read(params) {
                Ok(at) => return self.hover(id, &at),
                Err(error) => Err(error),
            },
            ExecuteCommand::METHOD => match read(params) {
                Ok(command) => return self.execute(id, command),
                Err(error) => Err(error),
            },
            _ => Err((
                ErrorCode::MethodNotFound,
                format!("{method} is not supported"),
            )),
        };
        match answer {
            Ok(value) => self.answer(id, &value),
            Err((code, why)) => self.refuse(id, code, why),
        }
    }

    /// Takes note of what an editor says. What cannot be understood is no reason to end.
    pub(crate) fn notification(&mut self, told: Notification) {
        let Notification { method, params } = told;
        match method.as_str() {
            DidOpenTextDocument::METHOD => {
                if let Ok(opened) = read(params) {
                    self.opened(opened);
                }
            }
            DidChangeTextDocument::METHOD => {
                if let Ok(changed) = read(params) {
                    self.changed(changed);
                }
            }
            DidSaveTextDocument::METHOD => {
                if let Ok(about) = read::<About>(params) {
                    self.share(about.text_document.uri.as_str());
                }
            }
            DidCloseTextDocument::METHOD => {
                if let Ok(about) = read::<About>(params) {
                    self.closed(about.text_document.uri.as_str());
                }
            }
            Cancel::METHOD => {
                if let Ok(Cancelled { id }) = read(params) {
                    self.cancelled(&id);
                }
            }
            WorkDoneProgressCancel::METHOD => {
                let number = params["token"].as_u64();
                let stopped = self.jobs.stop(|job, _| Some(job) == number);
                self.refuse_stopped(stopped, ErrorCode::RequestCanceled, "cancelled");
            }
            _ => {}
        }
    }

    /// Takes the result of a job.
    pub(crate) fn finished(&mut self, done: Done) {
        let Some(job) = self.jobs.finish(done.job) else {
            return;
        };
        match done.result {
            JobResult::Accesses(accesses) => {
                let Some(open) = self.open.get_mut(&job.uri) else {
                    return;
                };
                open.accesses = accesses;
                for (id, offset) in std::mem::take(&mut open.waiting) {
                    let hover = self.open.get(&job.uri).and_then(|open| open.hover(offset));
                    self.answer(id, &json!(hover));
                }
            }
            JobResult::Notes(notes) => {
                if let Some(open) = self.open.get_mut(&job.uri) {
                    open.notes = notes;
                }
                self.publish(&job.uri);
            }
            JobResult::CheckResult(verdict) => {
                self.progress(done.job, json!({ "kind": "end" }));
                self.concluded(&job.uri, job.request, verdict);
            }
        }
    }

    /// Stops everything.
    pub(crate) fn stop(&mut self) {
        self.jobs.stop(|_, _| true);
    }

    fn opened(&mut self, opened: DidOpenTextDocumentParams) {
        let text = opened.text_document;
        let language = Language::of(&text.language_id, text.uri.as_str());
        let document = Document::new(language, text.version, text.text);
        let key = text.uri.as_str().to_owned();
        self.replace(text.uri, document);
        self.share(&key);
    }

    /// Looks at a Java program as it stands in its file.
    fn share(&mut self, key: &str) {
        let is_java = |it: &&Open| it.document.language == Language::Java;
        if self.open.get(key).filter(is_java).is_none() {
            return;
        }
        if let Some(path) = key.strip_prefix("file://") {
            self.jobs.stop(|_, job| job.uri == key);
            self.jobs.share(key, decoded(path).into(), &self.backend);
        }
    }

    fn changed(&mut self, changed: DidChangeTextDocumentParams) {
        let uri = changed.text_document.uri;
        let Some(open) = self.open.get_mut(uri.as_str()) else {
            return;
        };
        let mut document = open.document.clone();
        document.version = changed.text_document.version;
        for change in changed.content_changes {
            document.apply(change);
        }
        self.replace(uri, document);
    }

    /// Forgets what was known of an older text.
    fn replace(&mut self, uri: Uri, document: Document) {
        let key = uri.as_str().to_owned();
        self.forget(&key);
        self.open.insert(key.clone(), Open::new(uri, document));
        self.publish(&key);
    }

    fn closed(&mut self, key: &str) {
        self.forget(key);
        if let Some(mut open) = self.open.remove(key) {
            open.mistakes.clear();
            open.verdict = None;
            open.notes.clear();
            self.tell::<PublishDiagnostics>(PublishDiagnosticsParams {
                uri: open.uri,
                diagnostics: Vec::new(),
                version: None,
            });
        }
    }

    /// Ends whatever is being done with a text.
    fn forget(&mut self, key: &str) {
        let why = "the text has changed";
        let stopped = self.jobs.stop(|_, job| job.uri == key);
        self.refuse_stopped(stopped, ErrorCode::ContentModified, why);
        if let Some(open) = self.open.get_mut(key) {
            for (id, _) in std::mem::take(&mut open.waiting) {
                self.refuse(id, ErrorCode::ContentModified, why.to_owned());
            }
        }
    }

    fn cancelled(&mut self, id: &RequestId) {
        let stopped = self.jobs.stop(|_, job| job.request.as_ref() == Some(id));
        self.refuse_stopped(stopped, ErrorCode::RequestCanceled, "cancelled");
        let is_waiting = self.open.values_mut().any(|open| {
            let before = open.waiting.len();
            open.waiting.retain(|(waiting, _)| waiting != id);
            open.waiting.len() < before
        });
        if is_waiting {
            self.refuse(
                id.clone(),
                ErrorCode::RequestCanceled,
                "cancelled".to_owned(),
            );
        }
    }

    fn refuse_stopped(
        &mut self,
        stopped: Vec<(u64, crate::jobs::Job)>,
        code: ErrorCode,
        why: &str,
    ) {
        for (number, job) in stopped {
            if let Some(id) = job.request {
                self.progress(number, json!({ "kind": "end", "message": why }));
                self.refuse(id, code, why.to_owned());
            }
        }
    }

    fn publish(&mut self, key: &str) {
        if let Some(open) = self.open.get(key) {
            self.tell::<PublishDiagnostics>(PublishDiagnosticsParams {
                uri: open.uri.clone(),
                diagnostics: open.diagnostics(),
                version: Some(open.document.version),
            });
        }
    }

    fn at(&self, at: &TextDocumentPositionParams) -> Option<(&Open, usize)> {
        let open = self.open.get(at.text_document.uri.as_str())?;
        Some((open, open.document.offset(at.position)))
    }

    fn definition(&self, at: &TextDocumentPositionParams) -> Value {
        let found = self.at(at).and_then(|(open, offset)| {
            let (declaration, _) = open.index.at(offset)?;
            let range = open.document.range(&declaration.span);
            let location = Location::new(open.uri.clone(), range);
            Some(GotoDefinitionResponse::Scalar(location))
        });
        json!(found)
    }

    fn references(&self, at: &TextDocumentPositionParams) -> Value {
        let found = self.at(at).and_then(|(open, offset)| {
            let (declaration, _) = open.index.at(offset)?;
            let mentions = open.index.mentions(&declaration.span).into_iter();
            let locations =
                mentions.map(|span| Location::new(open.uri.clone(), open.document.range(&span)));
            Some(locations.collect::<Vec<_>>())
        });
        json!(found)
    }

    fn lenses(&self, about: &About) -> Value {
        let open = self.open.get(about.text_document.uri.as_str());
        // A Java program is checked from the command line, with its libraries.
        let open = open.filter(|open| open.document.language != Language::Java);
        let lens = open.map(|open| {
            let title = match &open.verdict {
                None => "▶ check".to_owned(),
                Some(verdict) => format!("▶ check again · {}", verdict.headline),
            };
            CodeLens {
                range: Range::new(Position::new(0, 0), Position::new(0, 0)),
                command: Some(Command {
                    title,
                    command: CHECK.to_owned(),
                    arguments: Some(vec![json!(open.uri)]),
                }),
                data: None,
            }
        });
        json!(lens.into_iter().collect::<Vec<_>>())
    }

    /// Tells what a name is at once, or when it is known who accesses the variable.
    fn hover(&mut self, id: RequestId, at: &TextDocumentPositionParams) {
        let key = at.text_document.uri.as_str();
        let Some((open, offset)) = self.at(at) else {
            return self.answer(id, &Value::Null);
        };
        let declaration = open.index.at(offset).map(|(declaration, _)| declaration);
        let is_variable = declaration.is_some_and(|it| it.region.is_some());
        let is_known = open.accesses.is_some() || !open.mistakes.is_empty();
        if !is_variable || is_known {
            let hover = json!(open.hover(offset));
            return self.answer(id, &hover);
        }
        if let Some(open) = self.open.get_mut(key) {
            // Whoever asks first starts the search, and the others wait with it.
            if open.waiting.is_empty() {
                self.jobs.look(key, &open.document);
            }
            open.waiting.push((id, offset));
        }
    }

    fn execute(&mut self, id: RequestId, command: Executed) {
        if command.command != CHECK {
            let why = format!("there is no command {}", command.command);
            return self.refuse(id, ErrorCode::InvalidParams, why);
        }
        let key = command.arguments.first().and_then(Value::as_str);
        let Some(open) = key.and_then(|key| self.open.get(key)) else {
            let why = format!("{CHECK} needs the address of an open document");
            return self.refuse(id, ErrorCode::InvalidParams, why);
        };
        let key = open.uri.as_str().to_owned();
        if !open.mistakes.is_empty() {
            let verdict = CheckResult {
                answer: "bad-input",
                headline: "not checked: the program has errors".to_owned(),
                ..CheckResult::default()
            };
            return self.concluded(&key, Some(id), verdict);
        }
        let program = Program {
            language: open.document.language,
            name: name(&key),
            text: open.document.text.clone(),
        };
        // One check of a text at a time is enough.
        let stopped = self
            .jobs
            .stop(|_, job| job.uri == key && job.request.is_some());
        self.refuse_stopped(stopped, ErrorCode::RequestCanceled, "checked again");
        let title = format!("raddle check {}", program.name);
        let job = self.jobs.check(&key, id, program, &self.backend);
        if self.shows_progress {
            self.ask::<WorkDoneProgressCreate>(json!({ "token": job }));
            let begin = json!({ "kind": "begin", "title": title, "cancellable": true });
            self.progress(job, begin);
        }
    }

    /// Tells a verdict: as the answer, on the lines, above the text and in a message.
    fn concluded(&mut self, key: &str, request: Option<RequestId>, verdict: CheckResult) {
        if let Some(id) = request {
            let told = json!({
                "verdict": verdict.answer,
                "headline": verdict.headline,
                "report": verdict.report,
            });
            self.answer(id, &told);
        }
        let typ = match verdict.answer {
            "holds" => MessageType::INFO,
            "unknown" => MessageType::WARNING,
            _ => MessageType::ERROR,
        };
        let message = format!("{}: {}", name(key), verdict.headline);
        self.tell::<ShowMessage>(ShowMessageParams { typ, message });
        if let Some(open) = self.open.get_mut(key) {
            open.verdict = Some(verdict);
        }
        self.publish(key);
        if self.refreshes {
            self.ask::<CodeLensRefresh>(Value::Null);
        }
    }

    fn progress(&self, job: u64, value: Value) {
        if self.shows_progress {
            let params = json!({ "token": job, "value": value });
            self.send(Notification::new(Progress::METHOD.to_owned(), params).into());
        }
    }

    fn answer(&self, id: RequestId, value: &Value) {
        self.send(Response::new_ok(id, value).into());
    }

    fn refuse(&self, id: RequestId, code: ErrorCode, why: String) {
        self.send(Response::new_err(id, code as i32, why).into());
    }

    fn tell<N: Told>(&self, params: N::Params) {
        self.send(Notification::new(N::METHOD.to_owned(), params).into());
    }

    fn ask<R: Asked>(&mut self, params: Value) {
        let id = RequestId::from(self.next_request);
        self.next_request = self.next_request.wrapping_add(1);
        self.send(Request::new(id, R::METHOD.to_owned(), params).into());
    }

    /// If the editor is gone, the loop notices.
    fn send(&self, message: Message) {
        let _ = self.out.send(message);
    }
}

/// A request about a whole document.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct About {
    text_document: lsp_types::TextDocumentIdentifier,
}

#[derive(serde::Deserialize)]
struct Executed {
    command: String,
    #[serde(default)]
    arguments: Vec<Value>,
}

#[derive(serde::Deserialize)]
struct Cancelled {
    id: RequestId,
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, (ErrorCode, String)> {
    serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}

/// The last part of an address, as people read it.
fn name(uri: &str) -> String {
    decoded(uri.rsplit('/').next().unwrap_or(uri))
}

/// A part of an address without its escapes.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, others)) = rest.split_first() {
        let code = others.get(..2);
        let code = code.filter(|code| code.iter().all(u8::is_ascii_hexdigit));
        let code = code.and_then(|code| std::str::from_utf8(code).ok());
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        match code.filter(|_| first == b'%') {
            Some(code) => {
                bytes.push(code);
                rest = &others[2..];
            }
            None => {
                bytes.push(first);
                rest = others;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn names_are_read_from_addresses() {
        assert_eq!(name("file:///a/b%20c.rad"), "b c.rad");
        assert_eq!(name("untitled:%C3%A9%2"), "untitled:é%2");
        assert_eq!(name("%+1%zz"), "%+1%zz");
        assert_eq!(name(""), "");
    }
}

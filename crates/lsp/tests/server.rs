//! A conversation as editors have it, in memory.

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use raddle_lsp::{Backend, CheckResult, Note, Program, serve};
use raddle_model::Place;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Says of a program that has `wrong` in it where that is; and of `endless` nothing until it is
/// stopped.
struct Oracle;

impl Backend for Oracle {
    fn check(&self, program: &Program, stop: &Arc<AtomicBool>) -> CheckResult {
        while program.text.contains("endless") && !stop.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(1));
        }
        let lines = program.text.lines().enumerate();
        let spots = lines.filter_map(|(index, line)| {
            let column = line.find("wrong")?;
            let place = Place {
                file: 0,
                line: index as u32 + 1,
                column: line[..column].chars().count() as u32 + 1,
            };
            Some((place, format!("{} is wrong", program.name)))
        });
        let spots: Vec<(Place, String)> = spots.collect();
        CheckResult {
            answer: if spots.is_empty() {
                "holds"
            } else {
                "violated"
            },
            headline: format!("{} spots", spots.len()),
            report: "told at length".to_owned(),
            spots,
        }
    }

    fn sharing(&self, file: &Path) -> Vec<Note> {
        let note = |line, is_warning| Note {
            line,
            message: format!("{} at {line}", file.display()),
            is_warning,
        };
        vec![note(1, false), note(2, true)]
    }
}

struct Editor {
    connection: Connection,
    server: Option<JoinHandle<()>>,
    next: i32,
    /// What came while something else was awaited.
    told: Vec<Notification>,
    asked: Vec<Request>,
}

const URI: &str = "file:///a/b.rad";

impl Editor {
    fn new() -> Editor {
        let (server, client) = Connection::memory();
        let served = thread::spawn(move || serve(&server, Arc::new(Oracle)).expect("served"));
        let mut editor = Editor {
            connection: client,
            server: Some(served),
            next: 1,
            told: Vec::new(),
            asked: Vec::new(),
        };
        let can = json!({
            "workspace": { "codeLens": { "refreshSupport": true } },
            "window": { "workDoneProgress": true },
        });
        let greeting = editor.ask("initialize", json!({ "capabilities": can }));
        assert_eq!(greeting["capabilities"]["hoverProvider"], true);
        editor.tell("initialized", json!({}));
        editor
    }

    fn with(text: &str) -> Editor {
        let mut editor = Editor::new();
        editor.open(URI, "rad", text);
        editor
    }

    fn open(&mut self, uri: &str, language: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn change(&mut self, version: i32, changes: Value) {
        let params = json!({
            "textDocument": { "uri": URI, "version": version },
            "contentChanges": changes,
        });
        self.tell("textDocument/didChange", params);
    }

    fn tell(&mut self, method: &str, params: Value) {
        let message = Notification::new(method.to_owned(), params);
        self.connection.sender.send(message.into()).expect("sent");
    }

    fn begin(&mut self, method: &str, params: Value) -> RequestId {
        let id = RequestId::from(self.next);
        self.next += 1;
        let message = Request::new(id.clone(), method.to_owned(), params);
        self.connection.sender.send(message.into()).expect("sent");
        id
    }

    fn receive(&mut self) -> Message {
        let limit = Duration::from_secs(60);
        self.connection.receiver.recv_timeout(limit).expect("told")
    }

    fn response(&mut self, id: &RequestId) -> Response {
        loop {
            match self.receive() {
                Message::Response(response) if response.id == *id => return response,
                Message::Response(other) => panic!("{other:?}"),
                Message::Notification(told) => self.told.push(told),
                Message::Request(asked) => self.asked.push(asked),
            }
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        let response = self.response(&id);
        response.response_result.expect("no error")
    }

    fn refused(&mut self, method: &str, params: Value) -> i32 {
        let id = self.begin(method, params);
        let response = self.response(&id);
        code(response).expect("an error")
    }

    fn at(&mut self, method: &str, line: u32, character: u32) -> Value {
        let params = json!({
            "textDocument": { "uri": URI },
            "position": { "line": line, "character": character },
        });
        self.ask(method, params)
    }

    fn check(&mut self) -> RequestId {
        let params = json!({ "command": "raddle.check", "arguments": [URI] });
        self.begin("workspace/executeCommand", params)
    }

    /// The next diagnostics.
    fn diagnostics(&mut self) -> Value {
        loop {
            let found = self
                .told
                .iter()
                .position(|it| it.method == "textDocument/publishDiagnostics");
            if let Some(found) = found {
                return self.told.remove(found).params["diagnostics"].take();
            }
            match self.receive() {
                Message::Notification(told) => self.told.push(told),
                Message::Request(asked) => self.asked.push(asked),
                other => panic!("{other:?}"),
            }
        }
    }
}

/// Shuts down as editors do, and sees whether the server ends.
impl Drop for Editor {
    fn drop(&mut self) {
        if thread::panicking() {
            return;
        }
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        if let Some(server) = self.server.take() {
            server.join().expect("the server ends");
        }
    }
}

fn code(response: Response) -> Option<i32> {
    response.response_result.err().map(|error| error.code)
}

fn range(line: u32, start: u32, end: u32) -> Value {
    json!({
        "start": { "line": line, "character": start },
        "end": { "line": line, "character": end },
    })
}

const ACCOUNT: &str = "\
lock m;
int balance = 10 protected by m;
int bonus;
int limit = 3;
thread customer[2] {
  int mine = limit;
  acquire(m);
  balance -= mine;
  release(m);
  bonus = bonus + 1;
}
";

#[test]
fn mistakes_are_where_they_are_counted_in_utf16() {
    let mut editor = Editor::with("/* \u{1F980}\u{1F980} */ thread t { y = 1; }\n");
    let told = editor.diagnostics();
    assert_eq!(told.as_array().map(Vec::len), Some(1), "{told:#}");
    // Each crab is one character, two units of UTF-16 and four bytes.
    assert_eq!(told[0]["range"], range(0, 22, 23), "{told:#}");
    assert!(
        told[0]["message"]
            .as_str()
            .is_some_and(|it| it.contains("unknown name `y`"))
    );
    assert_eq!(told[0]["severity"], 1);
}

#[test]
fn an_unsaved_edit_is_what_counts() {
    let mut editor = Editor::with("int x;\nthread t { x = 1; }\n");
    assert_eq!(editor.diagnostics(), json!([]));
    // `x` becomes `xy`, in the declaration only.
    editor.change(2, json!([{ "range": range(0, 5, 5), "text": "y" }]));
    let told = editor.diagnostics();
    assert_eq!(told[0]["range"], range(1, 11, 12), "{told:#}");
    // Two changes, the second one counted after the first.
    let changes = json!([
        { "range": range(1, 11, 12), "text": "xx" },
        { "range": range(1, 12, 13), "text": "y" },
    ]);
    editor.change(3, changes);
    assert_eq!(editor.diagnostics(), json!([]));
    editor.change(4, json!([{ "text": "int" }]));
    assert_ne!(editor.diagnostics(), json!([]));
    // A closed document has no mistakes.
    editor.tell(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": URI } }),
    );
    assert_eq!(editor.diagnostics(), json!([]));
}

#[test]
fn names_are_found_where_they_are_declared() {
    let mut editor = Editor::with(ACCOUNT);
    let definition = |editor: &mut Editor, line, character| {
        editor.at("textDocument/definition", line, character)["range"].clone()
    };
    assert_eq!(definition(&mut editor, 7, 4), range(1, 4, 11));
    assert_eq!(definition(&mut editor, 7, 14), range(5, 6, 10));
    assert_eq!(definition(&mut editor, 6, 10), range(0, 5, 6));
    assert_eq!(definition(&mut editor, 1, 30), range(0, 5, 6));
    assert_eq!(editor.at("textDocument/definition", 4, 0), Value::Null);
    let found = editor.at("textDocument/references", 2, 5);
    let found: Vec<&Value> = found
        .as_array()
        .expect("places")
        .iter()
        .map(|it| &it["range"])
        .collect();
    assert_eq!(found, [&range(2, 4, 9), &range(9, 2, 7), &range(9, 10, 15)]);
}

#[test]
fn parentheses_are_not_part_of_a_name() {
    let mut editor = Editor::with("int x;\nthread t { x = ( /* x */ x) + 1; }\n");
    let found = editor.at("textDocument/references", 0, 4);
    assert_eq!(found[2]["range"], range(1, 25, 26), "{found:#}");
}

#[test]
fn names_are_found_in_spite_of_mistakes() {
    let text = "record Node { int value; Node next; }\nNode head;\nthread t {\n  \
                head = new Node;\n  head.next.value = nobody;\n  x = ;\n}\n";
    let mut editor = Editor::with(text);
    let at = |editor: &mut Editor, character| {
        editor.at("textDocument/definition", 4, character)["range"].clone()
    };
    assert_eq!(at(&mut editor, 3), range(1, 5, 9));
    assert_eq!(at(&mut editor, 8), range(0, 30, 34));
    assert_eq!(at(&mut editor, 14), range(0, 18, 23));
}

#[test]
fn boolean_programs_have_names_too() {
    let text = "vars : g ;\nlocks : l ;\nmessages : ; threads : main ;\n\nmain {\n  vars : x ;\n  \
                lock (l) ;\n  x := g ;\n  unlock (l) ;\n}\n";
    let mut editor = Editor::new();
    editor.open(URI, "cbp", text);
    assert_eq!(editor.diagnostics(), json!([]));
    let definition = |editor: &mut Editor, line, character| {
        editor.at("textDocument/definition", line, character)["range"].clone()
    };
    assert_eq!(definition(&mut editor, 6, 8), range(1, 8, 9));
    assert_eq!(definition(&mut editor, 7, 2), range(5, 9, 10));
    assert_eq!(definition(&mut editor, 7, 7), range(0, 7, 8));
    assert_eq!(definition(&mut editor, 2, 24), range(4, 0, 4));
    let hover = editor.at("textDocument/hover", 0, 7).to_string();
    assert!(hover.contains("`g` is a global variable."), "{hover}");
    assert!(
        hover.contains("only.") || hover.contains("Never written."),
        "{hover}"
    );
}

#[test]
fn what_is_known_of_a_variable_is_told() {
    let mut editor = Editor::with(ACCOUNT);
    let mut told = |line, character| {
        let hover = editor.at("textDocument/hover", line, character);
        hover["contents"]["value"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let balance = told(1, 5);
    assert!(
        balance.contains("Protected by `m` at every access."),
        "{balance}"
    );
    assert!(
        balance.contains("claims about accesses to it is kept"),
        "{balance}"
    );
    assert!(balance.contains("Seen in all"), "{balance}");
    let bonus = told(9, 3);
    assert!(bonus.contains("no lock in common"), "{bonus}");
    let limit = told(5, 14);
    assert!(limit.contains("Never written."), "{limit}");
    let mine = told(7, 14);
    assert!(mine.contains("`mine` is a local variable."), "{mine}");
    let lock = told(0, 5);
    assert!(lock.contains("`m` is a lock."), "{lock}");
    assert!(told(4, 1).is_empty());
}

#[test]
fn a_broken_claim_and_a_guess_are_told_apart() {
    let text = "lock m;\nint x protected by m;\nint y;\nthread t[2] {\n  x = 1;\n  \
                synchronized (m) { y = 1; }\n}\n";
    let mut editor = Editor::with(text);
    let hover = editor.at("textDocument/hover", 1, 4).to_string();
    assert!(
        hover.contains("claims about accesses to it is not so"),
        "{hover}"
    );
    let hover = editor.at("textDocument/hover", 2, 4).to_string();
    assert!(
        hover.contains("Protected by `m`") && hover.contains("a guess"),
        "{hover}"
    );
}

#[test]
fn the_lens_checks_and_shows_the_verdict() {
    let mut editor = Editor::with("thread t { skip; }\n/* \u{1F980} wrong */\n// wrong\n");
    assert_eq!(editor.diagnostics(), json!([]));
    let about = json!({ "textDocument": { "uri": URI } });
    let lenses = editor.ask("textDocument/codeLens", about.clone());
    assert_eq!(lenses[0]["command"]["title"], "▶ check");
    assert_eq!(lenses[0]["command"]["command"], "raddle.check");
    let params = lenses[0]["command"].clone();
    let answer = editor.ask("workspace/executeCommand", params);
    assert_eq!(answer["verdict"], "violated");
    assert_eq!(answer["report"], "told at length");
    let told = editor.diagnostics();
    assert_eq!(told[0]["range"], range(1, 6, 14), "{told:#}");
    assert_eq!(told[0]["message"], "b.rad is wrong");
    assert_eq!(
        told[0]["relatedInformation"][0]["location"]["range"],
        range(2, 3, 8)
    );
    let lenses = editor.ask("textDocument/codeLens", about);
    assert_eq!(lenses[0]["command"]["title"], "▶ check again · 2 spots");
    let asked: Vec<&str> = editor.asked.iter().map(|it| it.method.as_str()).collect();
    assert_eq!(
        asked,
        [
            "window/workDoneProgress/create",
            "workspace/codeLens/refresh"
        ]
    );
    let shown = editor
        .told
        .iter()
        .find(|it| it.method == "window/showMessage");
    assert_eq!(
        shown.expect("a message").params["message"],
        "b.rad: 2 spots"
    );
    // A verdict does not outlive the text.
    editor.change(2, json!([{ "text": "thread t { skip; }" }]));
    assert_eq!(editor.diagnostics(), json!([]));
}

#[test]
fn a_program_with_mistakes_is_not_checked() {
    let mut editor = Editor::with("thread t { wrong; }");
    let id = editor.check();
    let answer = editor.response(&id).response_result.expect("an answer");
    assert_eq!(answer["verdict"], "bad-input");
}

#[test]
fn a_check_can_be_stopped_in_every_way() {
    let mut editor = Editor::with("// endless\nthread t { skip; }");
    let first = editor.check();
    // The loop goes on meanwhile.
    assert!(editor.at("textDocument/hover", 1, 8).is_object());
    editor.tell("$/cancelRequest", json!({ "id": first }));
    let refused = code(editor.response(&first));
    assert_eq!(refused, Some(ErrorCode::RequestCanceled as i32));
    // By the button of the editor.
    let second = editor.check();
    editor.told.clear();
    editor.at("textDocument/hover", 0, 0);
    let begun = editor.told.iter().find(|it| it.method == "$/progress");
    let token = begun.expect("progress").params["token"].clone();
    editor.tell("window/workDoneProgress/cancel", json!({ "token": token }));
    let refused = code(editor.response(&second));
    assert_eq!(refused, Some(ErrorCode::RequestCanceled as i32));
    // By another one.
    let third = editor.check();
    let fourth = editor.check();
    let refused = code(editor.response(&third));
    assert_eq!(refused, Some(ErrorCode::RequestCanceled as i32));
    // By an edit.
    editor.change(2, json!([{ "text": "thread t { skip; }" }]));
    let refused = code(editor.response(&fourth));
    assert_eq!(refused, Some(ErrorCode::ContentModified as i32));
    let id = editor.check();
    let answer = editor.response(&id).response_result.expect("an answer");
    assert_eq!(answer["verdict"], "holds");
}

#[test]
fn nonsense_is_refused_and_not_the_end() {
    let mut editor = Editor::with(ACCOUNT);
    let invalid = ErrorCode::InvalidParams as i32;
    assert_eq!(editor.refused("textDocument/hover", json!(7)), invalid);
    assert_eq!(
        editor.refused("textDocument/definition", json!({ "position": [] })),
        invalid
    );
    assert_eq!(
        editor.refused("workspace/executeCommand", json!({ "command": "rm" })),
        invalid
    );
    let nobody = json!({ "command": "raddle.check", "arguments": ["file:///nobody"] });
    assert_eq!(editor.refused("workspace/executeCommand", nobody), invalid);
    let unknown = ErrorCode::MethodNotFound as i32;
    assert_eq!(
        editor.refused("textDocument/everything", Value::Null),
        unknown
    );
    editor.tell("textDocument/didOpen", json!("what"));
    editor.tell("textDocument/didChange", json!({ "textDocument": {} }));
    editor.tell("$/cancelRequest", json!({ "id": {} }));
    editor.tell("$/cancelRequest", json!({ "id": 99 }));
    editor.tell("window/workDoneProgress/cancel", json!([]));
    editor.tell("no/such", json!(null));
    let far = json!({
        "textDocument": { "uri": URI },
        "position": { "line": u32::MAX, "character": u32::MAX },
    });
    assert_eq!(editor.ask("textDocument/definition", far), Value::Null);
    let elsewhere = json!({
        "textDocument": { "uri": "file:///nobody" },
        "position": { "line": 0, "character": 0 },
    });
    assert_eq!(editor.ask("textDocument/hover", elsewhere), Value::Null);
}

#[test]
fn any_text_can_be_looked_at() {
    let mut editor = Editor::with("");
    let mut seed = 7u32;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize % below
    };
    let pieces = [
        "{",
        "}",
        ";",
        "é",
        "\u{1F980}",
        "\r",
        "int x",
        "x",
        "record R",
        ".",
        "atomic",
        "\"",
        "/*",
    ];
    let started = Instant::now();
    for version in 2..200 {
        let line = random(12) as u32;
        let from = random(30) as u32;
        let text = match random(10) {
            0 => ACCOUNT,
            _ => pieces[random(pieces.len())],
        };
        let edit = json!([{ "range": range(line, from, from + random(4) as u32), "text": text }]);
        editor.change(version, edit);
        if version % 10 == 0 {
            editor.at("textDocument/definition", line, from);
            editor.at("textDocument/hover", line, from);
        }
    }
    editor.at("textDocument/definition", 0, 0);
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[test]
fn lines_of_java_have_notes_until_the_text_changes() {
    const JAVA: &str = "file:///a/b%20c/D.java";
    let mut editor = Editor::new();
    editor.open(JAVA, "java", "class D {\n    int d;\n}\n");
    assert_eq!(editor.diagnostics(), json!([]));
    let told = editor.diagnostics();
    assert_eq!(told[0]["range"], range(1, 4, 10));
    assert_eq!(told[0]["severity"], 2);
    assert_eq!(told[0]["message"], "/a/b c/D.java at 2");
    assert_eq!(told.as_array().map(Vec::len), Some(1));
    let at = |line: u32| json!({ "textDocument": { "uri": JAVA }, "position": { "line": line, "character": 0 } });
    let hover = editor.ask("textDocument/hover", at(0));
    assert_eq!(hover["contents"]["value"], "/a/b c/D.java at 1");
    assert_eq!(editor.ask("textDocument/hover", at(2)), Value::Null);
    let about = json!({ "textDocument": { "uri": JAVA } });
    assert_eq!(
        editor.ask("textDocument/codeLens", about.clone()),
        json!([])
    );
    let edit = json!({
        "textDocument": { "uri": JAVA, "version": 2 },
        "contentChanges": [{ "text": "class D { }" }],
    });
    editor.tell("textDocument/didChange", edit);
    assert_eq!(editor.diagnostics(), json!([]));
    editor.tell("textDocument/didSave", about);
    assert_ne!(editor.diagnostics(), json!([]));
}

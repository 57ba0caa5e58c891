//! `raddle lsp` as an editor starts it: a process, and messages on its standard input and output.

use crate::common;
use crate::java_runs::jdk;

use common::{DEADLOCK, RACE, folder, raddle};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn new(name: &str, flags: &[&str]) -> Server {
        let mut child = raddle(&folder(name), &[&["lsp"], flags].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("raddle runs");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("its output"));
        Server {
            child,
            input,
            output,
        }
    }

    fn greeted(name: &str, flags: &[&str]) -> Server {
        let mut server = Server::new(name, flags);
        server.send(&json!({
            "id": 0, "method": "initialize", "params": { "capabilities": {} },
        }));
        assert_eq!(server.answer(0)["result"]["serverInfo"]["name"], "raddle");
        server.send(&json!({ "method": "initialized", "params": {} }));
        server
    }

    fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        // A server that has ended does not read any more.
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    fn send(&mut self, message: &Value) {
        let mut message = message.clone();
        message["jsonrpc"] = json!("2.0");
        let text = message.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).expect("a header"), 0);
            match line.trim_end() {
                "" => break,
                header => {
                    if let Some(told) = header.strip_prefix("Content-Length: ") {
                        length = told.parse().expect("a number");
                    }
                }
            }
        }
        let mut text = vec![0; length];
        self.output.read_exact(&mut text).expect("a message");
        serde_json::from_slice(&text).expect("JSON")
    }

    fn answer(&mut self, id: i32) -> Value {
        loop {
            let message = self.receive();
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
        }
    }

    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "", "version": 1, "text": text });
        self.send(&json!({
            "method": "textDocument/didOpen", "params": { "textDocument": document },
        }));
    }

    fn check(&mut self, id: i32, uri: &str) -> Value {
        self.send(&json!({
            "id": id,
            "method": "workspace/executeCommand",
            "params": { "command": "raddle.check", "arguments": [uri] },
        }));
        self.answer(id)["result"].clone()
    }

    fn end(mut self) -> (Option<i32>, String) {
        drop(self.input.take());
        let mut told = String::new();
        let errors = self.child.stderr.as_mut().expect("its errors");
        errors.read_to_string(&mut told).expect("text");
        (self.child.wait().expect("it ends").code(), told)
    }
}

#[test]
fn a_check_says_what_the_command_line_says() {
    let mut server = Server::greeted("lsp-check", &[]);
    server.open("file:///a/race.rad", RACE);
    let told = server.check(1, "file:///a/race.rad");
    assert_eq!(told["verdict"], "violated");
    let headline = told["headline"].as_str().expect("a line");
    assert!(headline.contains("assertion at race.rad:9:3"), "{headline}");
    assert!(told["report"].to_string().contains("worker[1]"), "{told:#}");
    let published = server.receive();
    assert_eq!(published["method"], "window/showMessage");
    let published = server.receive();
    let told = &published["params"]["diagnostics"][0];
    assert_eq!(told["range"]["start"], json!({ "line": 8, "character": 2 }));
    server.open("file:///a/dining.rad", DEADLOCK);
    let told = server.check(2, "file:///a/dining.rad");
    assert_eq!(told["verdict"], "violated");
    assert!(
        told["headline"].to_string().contains("deadlock"),
        "{told:#}"
    );
    server.send(&json!({ "id": 3, "method": "shutdown" }));
    server.answer(3);
    server.send(&json!({ "method": "exit" }));
    let (code, told) = server.end();
    assert_eq!((code, told.as_str()), (Some(0), ""));
}

#[test]
fn boolean_programs_are_checked_for_any_number_of_threads() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/pool.cbp");
    let text = std::fs::read_to_string(path).expect("an example");
    let mut server = Server::greeted("lsp-cbp", &[]);
    server.open("file:///pool.cbp", &text);
    let told = server.check(1, "file:///pool.cbp");
    assert_eq!(told["verdict"], "holds", "{told:#}");
    server.end();
}

#[test]
fn flags_are_those_of_check() {
    let mut server = Server::greeted("lsp-flags", &["--", "--max-states", "3"]);
    server.open("file:///race.rad", RACE);
    let told = server.check(1, "file:///race.rad");
    assert_eq!(told["verdict"], "unknown", "{told:#}");
    server.end();
    let server = Server::new("lsp-bad-flags", &["--", "--no-such-flag"]);
    let (code, told) = server.end();
    assert_eq!(code, Some(3));
    assert!(told.contains("--no-such-flag"), "{told}");
}

#[test]
fn an_endless_check_is_cancelled() {
    let endless = "int x;\nint y;\nint z;\nthread t[4] { while (true) { x = x + 1; y = y + x; z = z + y; } }\n";
    let mut server = Server::greeted("lsp-endless", &[]);
    server.open("file:///endless.rad", endless);
    server.send(&json!({
        "id": 1,
        "method": "workspace/executeCommand",
        "params": { "command": "raddle.check", "arguments": ["file:///endless.rad"] },
    }));
    server.send(&json!({
        "id": 2,
        "method": "textDocument/definition",
        "params": {
            "textDocument": { "uri": "file:///endless.rad" },
            "position": { "line": 3, "character": 29 },
        },
    }));
    // The server answers while it searches.
    assert_eq!(server.answer(2)["result"]["range"]["start"]["line"], 0);
    server.send(&json!({ "method": "$/cancelRequest", "params": { "id": 1 } }));
    assert_eq!(server.answer(1)["error"]["code"], -32800);
    let (code, _) = server.end();
    assert_eq!(code, Some(0));
}

#[test]
fn garbage_ends_the_server_and_nothing_else() {
    for garbage in [
        &b"hello\r\n\r\n"[..],
        b"Content-Length: 5\r\n\r\n{\"a\":",
        b"Content-Length: many\r\n\r\n{}",
        b"Content-Length: 2\r\n\r\n[]",
        b"\xff\xfe\r\n\r\n",
        b"",
    ] {
        let mut server = Server::new("lsp-garbage", &[]);
        server.write(garbage);
        let (code, told) = server.end();
        assert_eq!(code, Some(3), "{garbage:?}: {told}");
        assert!(told.starts_with("error: "), "{garbage:?}: {told}");
        let mut server = Server::greeted("lsp-garbage", &[]);
        server.write(garbage);
        let (code, told) = server.end();
        assert!(matches!(code, Some(0 | 3)), "{garbage:?}: {told}");
        assert!(!told.contains("panicked"), "{garbage:?}: {told}");
    }
}

#[test]
fn a_message_that_claims_to_be_huge_is_refused() {
    for claim in [
        "Content-Length: 99999999999",
        "content-length: 18446744073709551615",
    ] {
        for greets in [false, true] {
            let mut server = match greets {
                true => Server::greeted("lsp-huge", &[]),
                false => Server::new("lsp-huge", &[]),
            };
            server.write(format!("{claim}\r\n\r\n").as_bytes());
            let (code, told) = server.end();
            assert_eq!(code, Some(3), "{claim}: {told}");
            assert!(told.contains("larger than 64 MiB"), "{claim}: {told}");
        }
    }
}

const SHARED: &str = "public class Shared {
    int count;
    synchronized void more() { count++; }
    void less() {
        count--;
    }
    public static void main(String[] args) {
        Shared it = new Shared();
        new Thread(it::more).start();
        it.less();
    }
}
";

#[test]
fn lines_of_java_tell_what_threads_share() {
    let file = folder("lsp-java").join("Shared.java");
    std::fs::write(&file, SHARED).expect("a file");
    let uri = format!("file://{}", file.display());
    let jdk = jdk().to_str().expect("a path");
    let mut server = Server::greeted("lsp-java-server", &["--", "--jdk", jdk]);
    server.open(&uri, SHARED);
    let mut published = server.receive();
    // First there is nothing, until the program was looked at.
    while published["params"]["diagnostics"] == json!([]) {
        published = server.receive();
    }
    let told = published["params"]["diagnostics"]
        .as_array()
        .expect("warnings");
    let lines: Vec<&Value> = told
        .iter()
        .map(|it| &it["range"]["start"]["line"])
        .collect();
    assert_eq!(lines, [2, 4], "{told:#?}");
    assert_eq!(told[0]["severity"], 2);
    let message = told[0]["message"].to_string();
    assert!(message.contains("under `this` at 3 and"), "{message}");
    assert!(message.contains("without a lock at 5"), "{message}");
    let mut hover = |id: i32, line: u32| {
        let at =
            json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": 9 } });
        server.send(&json!({ "id": id, "method": "textDocument/hover", "params": at }));
        server.answer(id)["result"].to_string()
    };
    let told = hover(1, 4);
    assert!(
        told.contains("Shared.count") && told.contains("by main"),
        "{told}"
    );
    assert_eq!(hover(2, 7), "null");
    let (code, told) = server.end();
    assert_eq!((code, told.as_str()), (Some(0), ""));
}

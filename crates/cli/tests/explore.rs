//! The explorer: what it answers, whom it answers, and its page in a browser.

use crate::browser;
use crate::common;
use crate::java_runs;

use browser::Browser;
use common::{DEADLOCK, folder, raddle, write};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};

/// An explorer that runs.
struct Explorer {
    child: Child,
    port: u16,
    token: String,
}

impl Explorer {
    fn start(folder: &Path, line: &[&str]) -> Explorer {
        let line = [&["explore", "--no-open"], line].concat();
        let mut command = raddle(folder, &line);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
        let out = child.stdout.take().expect("a pipe");
        let mut first = String::new();
        BufReader::new(out)
            .read_line(&mut first)
            .expect("it speaks");
        let address = first.split("http://127.0.0.1:").nth(1).expect("an address");
        let (port, token) = address.trim().split_once('/').expect("a path");
        Explorer {
            child,
            port: port.parse().expect("a port"),
            token: token.trim_end_matches('/').to_owned(),
        }
    }

    fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// Sends a text as it is; the answer is the status and the body.
    fn send(&self, text: &str) -> (String, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.write_all(text.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head.lines().next().unwrap_or_default();
        let status = status.strip_prefix("HTTP/1.1 ").expect("a status");
        (status.to_owned(), body.to_owned())
    }

    /// Asks for something as the page does.
    fn act(&self, wish: &Value) -> Value {
        let body = wish.to_string();
        let (status, answer) = self.send(&format!(
            "POST /{}/act HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nOrigin: http://127.0.0.1:{}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.token,
            self.port,
            self.port,
            body.len()
        ));
        assert_eq!(status, "200 OK", "{answer}");
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }

    fn take(&self, thread: u32) -> Value {
        self.act(&json!({ "do": "take", "thread": thread, "choice": 0 }))
    }
}

impl Drop for Explorer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the threads of a view can do.
fn statuses(view: &Value) -> Vec<&str> {
    let threads = view["threads"].as_array().expect("threads");
    let statuses = threads.iter().map(|thread| thread["status"].as_str());
    statuses.map(Option::unwrap_or_default).collect()
}

#[test]
fn one_walks_into_a_deadlock_and_back() {
    let folder = folder("explore_walk");
    write(&folder, "dining.rad", DEADLOCK);
    let explorer = Explorer::start(&folder, &["dining.rad"]);
    let view = explorer.take(0);
    assert_eq!(statuses(&view), ["ready", "ready"]);
    assert_eq!(view["graph"]["current"], 1);
    // What a step would do is told before it is done.
    let told = &view["threads"][1]["moves"][0]["told"];
    assert_eq!(told, &json!(["takes fork[1]"]));
    let view = explorer.take(1);
    assert_eq!(statuses(&view), ["blocked", "blocked"]);
    assert!(
        view["wrong"]
            .as_str()
            .is_some_and(|it| it.starts_with("deadlock"))
    );
    assert_eq!(view["graph"]["nodes"][2]["kind"], "deadlock");
    assert_eq!(view["execution"]["steps"], 2);
    let view = explorer.take(1);
    assert_eq!(view["message"], "this thread cannot make a step now");
    let view = explorer.act(&json!({ "do": "back", "to": 1 }));
    assert_eq!(view["graph"]["current"], 1);
    // The other order leads to the same state.
    explorer.act(&json!({ "do": "back", "to": 0 }));
    let view = explorer.take(1);
    assert_eq!(view["threads"][0]["moves"][0]["known"], 2);
    let view = explorer.take(0);
    assert_eq!(view["graph"]["current"], 2);
    assert_eq!(view["graph"]["nodes"].as_array().map(Vec::len), Some(4));
    // A state that was seen can be gone to.
    let view = explorer.act(&json!({ "do": "go", "state": 1 }));
    assert_eq!(view["graph"]["current"], 1);
    assert_eq!(view["execution"]["steps"], 1);
    let view = explorer.act(&json!({ "do": "go", "state": 99 }));
    assert_eq!(view["message"], "there is no such state");
    let view = explorer.act(&json!({ "do": "dance" }));
    assert_eq!(view["message"], "there is no such action");
}

#[test]
fn failures_and_invisible_steps_are_told() {
    let folder = folder("explore_failure");
    let model =
        "int x;\nthread a {\n  int i;\n  i = 1;\n  i = i + 1;\n  x = i;\n  assert(x == 3);\n}\n";
    write(&folder, "a.rad", model);
    let explorer = Explorer::start(&folder, &["a.rad"]);
    // To the step that writes the shared variable, and behind it.
    let view = explorer.act(&json!({ "do": "run", "thread": 0 }));
    let values = view["execution"]["values"][0].as_array().cloned();
    let texts = &view["execution"]["texts"];
    let last = values.and_then(|it| it.last().and_then(Value::as_u64));
    assert_eq!(texts[last.expect("it has changed") as usize], "2");
    assert_eq!(view["threads"][0]["moves"][0]["fails"], true);
    let view = explorer.take(0);
    assert!(
        view["wrong"]
            .as_str()
            .is_some_and(|it| it.starts_with("assertion")),
        "{view}"
    );
    assert_eq!(statuses(&view), ["stopped"]);
    let view = explorer.take(0);
    assert!(
        view["message"]
            .as_str()
            .is_some_and(|it| it.contains("go back"))
    );
}

#[test]
fn a_state_is_found_by_an_expression() {
    let folder = folder("explore_find");
    write(&folder, "race.rad", common::RACE);
    let explorer = Explorer::start(&folder, &["race.rad"]);
    let find = |what: &str| explorer.act(&json!({ "do": "find", "what": what }));
    let view = find("finished == 2 && x == 1");
    assert!(
        view["message"]
            .as_str()
            .is_some_and(|it| it.starts_with("found")),
        "{view}"
    );
    let steps = view["execution"]["steps"].as_u64();
    assert!(steps.is_some_and(|steps| steps >= 6), "{steps:?}");
    // The search begins where one is: from here there is no way to that.
    let view = find("x == 2");
    let told = view["message"].as_str().unwrap_or_default();
    assert!(told.starts_with("it holds in none of the"), "{told}");
    assert_eq!(view["execution"]["steps"].as_u64(), steps);
    explorer.act(&json!({ "do": "back", "to": 0 }));
    assert!(
        find("x == 2")["message"]
            .as_str()
            .is_some_and(|it| it.starts_with("found"))
    );
    // Neither other names nor other programs are expressions.
    for wrong in ["y == 2", "x ==", "true); int z; invariant (true", ""] {
        let view = find(wrong);
        let told = view["message"].as_str().unwrap_or_default();
        assert!(
            !told.starts_with("found") && !told.is_empty(),
            "{wrong}: {told}"
        );
    }
}

#[test]
fn boolean_programs_and_java_are_explored() {
    let folder = folder("explore_others");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let pool = examples.join("pool_wrong.cbp").display().to_string();
    let explorer = Explorer::start(&folder, &[&pool]);
    let view = explorer.act(&json!({ "do": "find", "what": "run >= 2" }));
    assert!(
        view["message"]
            .as_str()
            .is_some_and(|it| it.starts_with("found")),
        "{view}"
    );
    let bank = examples.join("java/Bank.java").display().to_string();
    let jdk = java_runs::jdk().display().to_string();
    let explorer = Explorer::start(&folder, &[&bank, "--jdk", &jdk]);
    let view = explorer.act(&json!({ "do": "find", "what": "there @ 18 && back @ 18" }));
    assert!(
        view["message"]
            .as_str()
            .is_some_and(|it| it.starts_with("found")),
        "{view}"
    );
    let view = explorer.act(&json!({ "do": "find", "what": "nonsense" }));
    assert!(
        view["message"]
            .as_str()
            .is_some_and(|it| it.contains("not a condition"))
    );
}

#[test]
fn nobody_else_is_answered() {
    let folder = folder("explore_security");
    write(&folder, "dining.rad", DEADLOCK);
    let explorer = Explorer::start(&folder, &["dining.rad"]);
    let (port, token) = (explorer.port, explorer.token.clone());
    assert_eq!(token.len(), 32);
    let host = format!("Host: 127.0.0.1:{port}");
    let get = |path: &str, headers: &str| {
        explorer
            .send(&format!("GET {path} HTTP/1.1\r\n{headers}\r\n\r\n"))
            .0
    };
    let page = format!("/{token}/");
    assert_eq!(get(&page, &host), "200 OK");
    assert_eq!(get(&page, &format!("Host: localhost:{port}")), "200 OK");
    // Without the token, or with another one.
    assert_eq!(get("/", &host), "404 Not Found");
    assert_eq!(get(&format!("/{token}"), &host), "404 Not Found");
    assert_eq!(
        get(&format!("/{}/", "0".repeat(32)), &host),
        "404 Not Found"
    );
    assert_eq!(get(&format!("/{}x/", &token[..31]), &host), "404 Not Found");
    assert_eq!(get(&format!("/{token}/../etc"), &host), "404 Not Found");
    // By another name, or from another page.
    for headers in [
        "X: y".to_owned(),
        "Host: evil.example".to_owned(),
        format!("Host: evil.example:{port}"),
        format!("{host}\r\nHost: evil.example"),
        format!("{host}\r\nOrigin: http://evil.example"),
        format!("{host}\r\nOrigin: null"),
        format!("{host}\r\nOrigin: http://127.0.0.1:{}", port ^ 1),
        format!("{host}\r\nOrigin: https://127.0.0.1:{port}"),
    ] {
        assert_eq!(get(&page, &headers), "403 Forbidden", "{headers}");
    }
    // A form of another page cannot send JSON without asking first.
    let body = "{\"do\":\"take\",\"thread\":0,\"choice\":0}";
    let length = body.len();
    let (status, _) = explorer.send(&format!(
        "POST /{token}/act HTTP/1.1\r\n{host}\r\nContent-Type: text/plain\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    ));
    assert_eq!(status, "405 Method Not Allowed");
    assert_eq!(
        get(&format!("/{token}/act"), &host),
        "405 Method Not Allowed"
    );
    // What is no request is refused, and nothing of all this has changed anything.
    assert_eq!(explorer.send("nonsense\r\n\r\n").0, "400 Bad Request");
    let view = explorer.act(&json!({ "do": "back", "to": 0 }));
    assert_eq!(view["execution"]["steps"], 0);
    assert_eq!(view["graph"]["nodes"].as_array().map(Vec::len), Some(1));
    // Another explorer has another token.
    assert_ne!(Explorer::start(&folder, &["dining.rad"]).token, token);
}

#[test]
fn slow_connections_lock_nobody_out() {
    let folder = folder("explore_slow");
    write(&folder, "dining.rad", DEADLOCK);
    let explorer = Explorer::start(&folder, &["dining.rad"]);
    let connect = || TcpStream::connect(("127.0.0.1", explorer.port)).expect("it listens");
    // Some say nothing, others begin and do not go on.
    let mut slow: Vec<TcpStream> = (0..200).map(|_| connect()).collect();
    for stream in slow.iter_mut().step_by(2) {
        let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: ");
    }
    for _ in 0..5 {
        let view = explorer.act(&json!({ "do": "back", "to": 0 }));
        assert_eq!(view["execution"]["steps"], 0);
        slow.extend((0..50).map(|_| connect()));
    }
    // The oldest have been given up.
    let mut rest = Vec::new();
    let oldest = slow.first_mut().expect("one of many");
    assert!(matches!(oldest.read_to_end(&mut rest), Ok(0) | Err(_)));
}

#[test]
fn one_walks_with_keys_in_a_browser() {
    let folder = folder("explore_browser");
    write(&folder, "dining.rad", DEADLOCK);
    let explorer = Explorer::start(&folder, &["dining.rad"]);
    let mut browser = Browser::start(&folder);
    browser.open(&explorer.address());
    assert_eq!(browser.count(".thread.ready"), 2);
    assert_eq!(browser.count(".state"), 1);
    let rest = |step: &str| {
        format!("document.body.dataset.step === '{step}' && document.body.dataset.busy === 'false'")
    };
    browser.press("1");
    browser.wait_for(&rest("1"));
    assert!(browser.text(".card.now").contains("takes fork[0]"));
    browser.press("2");
    browser.wait_for(&rest("2"));
    assert_eq!(browser.count(".thread.blocked"), 2);
    assert!(browser.text("header .bad").contains("deadlock"));
    assert_eq!(browser.count(".state"), 3);
    assert_eq!(browser.count(".state.deadlock.current"), 1);
    browser.picture(&folder.join("explore.png"));
    browser.press("Backspace");
    browser.wait_for(&rest("1"));
    browser.value(
        "(() => { const it = document.querySelector('.find input'); it.value = 'true'; \
         it.form.requestSubmit(); })()",
    );
    browser.wait_for("document.querySelector('.message').textContent === 'it holds here'");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn a_thread_keeps_its_key_when_others_cannot_move() {
    let folder = folder("explore_keys");
    let three = DEADLOCK.replace("[2]", "[3]").replace("% 2", "% 3");
    write(&folder, "dining.rad", three);
    let explorer = Explorer::start(&folder, &["dining.rad"]);
    let mut browser = Browser::start(&folder);
    browser.open(&explorer.address());
    // After the first two steps the first philosopher waits for the second.
    for (step, key) in ["1", "2", "3"].into_iter().enumerate() {
        browser.press(key);
        let step = step + 1;
        browser.wait_for(&format!(
            "document.body.dataset.step === '{step}' && document.body.dataset.busy === 'false'"
        ));
        let told = browser.text(".card.now");
        assert!(
            told.contains(&format!("takes fork[{}]", step - 1)),
            "{told}"
        );
    }
    assert_eq!(browser.complaints, Vec::<String>::new());
}

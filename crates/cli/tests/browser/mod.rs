//! A browser without a window, driven as a person would: by its address bar and its keys.
//!
//! Chromium speaks its protocol on two pipes, as JSON with a zero byte behind each message;
//! the shell gives it those, so that no other program is needed.

#![allow(dead_code, reason = "each file of tests uses a part")]

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The path of a Chromium, which `tests/chromium` finds or installs.
fn chromium() -> &'static str {
    static PATH: OnceLock<String> = OnceLock::new();
    PATH.get_or_init(|| {
        let finder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/chromium");
        let found = Command::new(finder).output().expect("tests/chromium runs");
        let told = String::from_utf8_lossy(&found.stderr);
        assert!(found.status.success(), "{told}");
        String::from_utf8_lossy(&found.stdout).trim().to_owned()
    })
}

pub(crate) struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    last: u64,
    session: Option<String>,
    /// What went wrong on the pages so far.
    pub(crate) complaints: Vec<String>,
}

impl Browser {
    /// Starts a browser whose own files are in a folder.
    pub(crate) fn start(folder: &Path) -> Browser {
        let line = "exec \"$0\" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
                    --no-first-run --window-size=1440,1000 --remote-debugging-pipe \
                    --user-data-dir=\"$1\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";
        let mut child = Command::new("sh")
            .args(["-c", line, chromium()])
            .arg(folder.join("browser"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the browser starts");
        let mut browser = Browser {
            to: child.stdin.take().expect("a pipe"),
            from: BufReader::new(child.stdout.take().expect("a pipe")),
            child,
            last: 0,
            session: None,
            complaints: Vec::new(),
        };
        let target = browser.ask("Target.createTarget", json!({ "url": "about:blank" }));
        let target = &target["targetId"];
        let attached = browser.ask(
            "Target.attachToTarget",
            json!({ "targetId": target, "flatten": true }),
        );
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            browser.ask(domain, json!({}));
        }
        browser
    }

    /// Asks for something and waits for the answer.
    pub(crate) fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let sent = self.to.write_all(format!("{message}\0").as_bytes());
        sent.expect("the browser listens");
        loop {
            let mut bytes = Vec::new();
            let read = self.from.read_until(0, &mut bytes);
            assert!(read.expect("the browser speaks") > 0, "the browser ended");
            bytes.pop();
            let answer: Value = serde_json::from_slice(&bytes).expect("it speaks JSON");
            if answer["id"] == self.last {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
            let method = answer["method"].as_str();
            if let Some("Runtime.exceptionThrown" | "Log.entryAdded") = method {
                self.complaints.push(answer["params"].to_string());
            }
        }
    }

    /// Opens a page and waits until it says that it is ready.
    pub(crate) fn open(&mut self, address: &str) {
        // Where only the fragment differs the page would stay as it is.
        self.ask("Page.navigate", json!({ "url": "about:blank" }));
        self.ask("Page.navigate", json!({ "url": address }));
        self.wait_for("document.body?.dataset.ready === 'true'");
    }

    /// Waits until an expression is true.
    pub(crate) fn wait_for(&mut self, expression: &str) {
        let start = Instant::now();
        while self.value(expression) != json!(true) {
            let complaints = &self.complaints;
            let is_late = start.elapsed() > Duration::from_secs(30);
            assert!(!is_late, "{expression} is not so: {complaints:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The value of an expression on the page.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let asked = json!({
            "expression": expression, "returnByValue": true, "awaitPromise": true,
        });
        let answer = self.ask("Runtime.evaluate", asked);
        let thrown = &answer["exceptionDetails"];
        assert!(thrown.is_null(), "{expression}: {thrown}");
        answer["result"]["value"].clone()
    }

    /// The text of the first element that a selector finds.
    pub(crate) fn text(&mut self, selector: &str) -> String {
        let found = self.value(&format!(
            "document.querySelector({})?.textContent ?? '(nothing)'",
            json!(selector)
        ));
        found.as_str().unwrap_or_default().to_owned()
    }

    /// How many elements a selector finds.
    pub(crate) fn count(&mut self, selector: &str) -> u64 {
        let count = self.value(&format!(
            "document.querySelectorAll({}).length",
            json!(selector)
        ));
        count.as_u64().expect("a number")
    }

    /// Presses a key.
    pub(crate) fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key, "code": key });
            self.ask("Input.dispatchKeyEvent", event);
        }
    }

    /// Draws in the colours of the night, or of the day.
    pub(crate) fn set_dark(&mut self, is_dark: bool) {
        let value = if is_dark { "dark" } else { "light" };
        let feature = json!({ "name": "prefers-color-scheme", "value": value });
        self.ask(
            "Emulation.setEmulatedMedia",
            json!({ "features": [feature] }),
        );
    }

    /// Saves a picture of what is to be seen; the answer is the picture.
    pub(crate) fn picture(&mut self, path: &Path) -> Vec<u8> {
        let answer = self.ask("Page.captureScreenshot", json!({ "format": "png" }));
        let picture = from_base64(answer["data"].as_str().expect("a picture"));
        assert!(picture.starts_with(b"\x89PNG"), "it is a picture");
        std::fs::write(path, &picture).expect("it can be written");
        picture
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It is ours, and nothing of it is needed any more.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn from_base64(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => u32::from(byte - b'A'),
        b'a'..=b'z' => u32::from(byte - b'a') + 26,
        b'0'..=b'9' => u32::from(byte - b'0') + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = text.bytes().filter(|&byte| byte != b'=').collect();
    let mut bytes = Vec::new();
    for chunk in digits.chunks(4) {
        let mut group = chunk
            .iter()
            .fold(0, |group, &byte| group << 6 | digit(byte));
        group <<= 6 * (4 - chunk.len());
        bytes.extend(&group.to_be_bytes()[1..chunk.len()]);
    }
    bytes
}

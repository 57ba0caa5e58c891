//! Messages as bytes: read with limits, since what claims to be an editor may claim any length.

use crossbeam_channel::bounded;
use lsp_server::{Connection, Message};
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

/// The largest message that is read. A program is at most a quarter of that.
const LARGEST: usize = 64 << 20;
/// The longest lines before a message, together.
const LONGEST_HEAD: u64 = 16 << 10;

/// The threads that read and write.
pub struct Wire {
    reader: JoinHandle<()>,
    writer: JoinHandle<io::Result<()>>,
    broken: Arc<OnceLock<String>>,
}

impl Wire {
    /// Why nothing is read any more, if that was not the editor's wish.
    pub fn broken(&self) -> Option<&str> {
        self.broken.get().map(String::as_str)
    }

    /// Waits until all is read and written.
    pub fn join(self) -> io::Result<()> {
        let ended = || io::Error::other("a thread ended too early");
        self.reader.join().map_err(|_| ended())?;
        let written = self.writer.join().map_err(|_| ended())?;
        match self.broken.get() {
            Some(why) => Err(io::Error::other(why.clone())),
            None => written,
        }
    }
}

/// Connects to an editor that writes to `input` and reads from `output`.
pub fn connect<I, O>(mut input: I, mut output: O) -> (Connection, Wire)
where
    I: BufRead + Send + 'static,
    O: Write + Send + 'static,
{
    let (sender, outgoing) = bounded::<Message>(0);
    let (incoming, receiver) = bounded(0);
    let broken = Arc::new(OnceLock::new());
    let problem = Arc::clone(&broken);
    let reader = thread::spawn(move || {
        loop {
            let message = match read(&mut input) {
                Ok(Some(message)) => message,
                Ok(None) => return,
                Err(error) => {
                    let _ = problem.set(error.to_string());
                    return;
                }
            };
            let is_exit = matches!(&message, Message::Notification(it) if it.method == "exit");
            if incoming.send(message).is_err() || is_exit {
                return;
            }
        }
    });
    let writer = thread::spawn(move || outgoing.iter().try_for_each(|it| it.write(&mut output)));
    let wire = Wire {
        reader,
        writer,
        broken,
    };
    (Connection { sender, receiver }, wire)
}

/// Reads a message; none at the end.
fn read(input: &mut impl BufRead) -> io::Result<Option<Message>> {
    let too_long = |what: &str| io::Error::new(ErrorKind::InvalidData, what);
    let mut head = Vec::new();
    loop {
        let before = head.len();
        let left = LONGEST_HEAD - before as u64;
        input.by_ref().take(left).read_until(b'\n', &mut head)?;
        let line = &head[before..];
        if line.len() as u64 == left {
            return Err(too_long("the header of a message is too long"));
        }
        if claimed(line).is_some_and(|length| length > LARGEST as u128) {
            let why = format!("a message is larger than {} MiB", LARGEST >> 20);
            return Err(too_long(&why));
        }
        // What is not the line of a header is for the parser to complain of.
        if line == b"\r\n" || !line.ends_with(b"\r\n") {
            break;
        }
    }
    Message::read(&mut head.chain(input))
}

/// The length that a line of a header claims.
fn claimed(line: &[u8]) -> Option<u128> {
    let (name, value) = std::str::from_utf8(line).ok()?.split_once(':')?;
    let is_length = name.trim().eq_ignore_ascii_case("content-length");
    is_length.then(|| value.trim().parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &[u8]) -> Result<Option<String>, String> {
        match read(&mut &text[..]) {
            Ok(message) => Ok(message.map(|it| format!("{it:?}"))),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn a_message_is_read_and_the_end_is_the_end() {
        let body = "{\"method\":\"exit\"}";
        let text = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        let message = told(text.as_bytes()).expect("a message");
        assert!(message.is_some_and(|it| it.contains("exit")));
        assert_eq!(told(b""), Ok(None));
    }

    #[test]
    fn what_is_too_large_is_refused_before_there_is_room_for_it() {
        for length in ["99999999999", "18446744073709551615", "67108865"] {
            for name in ["Content-Length", "content-length", "A: b\r\nContent-Length"] {
                let text = format!("{name}: {length}\r\n\r\n");
                let why = told(text.as_bytes()).expect_err("it is too large");
                assert!(why.contains("larger than 64 MiB"), "{text}: {why}");
            }
        }
        // The last one counts, and no other may be larger.
        let twice = b"Content-Length: 99999999999\r\nContent-Length: 2\r\n\r\n{}";
        assert!(told(twice).is_err());
        let long = [b"A: ".to_vec(), vec![b'a'; 100_000]].concat();
        assert!(told(&long).is_err_and(|why| why.contains("too long")));
        let many = b"A: b\r\n".repeat(100_000);
        assert!(told(&many).is_err_and(|why| why.contains("too long")));
    }
}

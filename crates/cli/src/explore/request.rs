//! As much of HTTP as a page on the same machine needs, and no more.

use std::io::{self, BufRead, Read, Write};

/// Longer lines and headers are refused.
const LONGEST_HEAD: u64 = 16 * 1024;
/// Larger bodies are refused.
const LARGEST_BODY: usize = 64 * 1024;

/// What a browser asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    /// Reads a request; `None` if it is not one, or too large.
    pub(crate) fn read(from: impl Read) -> io::Result<Option<Request>> {
        let mut from = io::BufReader::new(from);
        let mut head = Vec::new();
        let mut lines = Vec::new();
        loop {
            let before = head.len();
            let left = LONGEST_HEAD.saturating_sub(before as u64);
            (&mut from).take(left).read_until(b'\n', &mut head)?;
            let line = String::from_utf8_lossy(&head[before..]).into_owned();
            if !line.ends_with('\n') {
                return Ok(None);
            }
            match line.trim_end() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let Some((first, rest)) = lines.split_first() else {
            return Ok(None);
        };
        let mut words = first.split(' ');
        let (Some(method), Some(path), Some(version), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Ok(None);
        };
        if !version.starts_with("HTTP/1.") {
            return Ok(None);
        }
        let headers = rest.iter().map(|line| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        });
        let Some(headers) = headers.collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        let mut request = Request {
            method: method.to_owned(),
            path: path.to_owned(),
            headers,
            body: Vec::new(),
        };
        let length = match request.header("content-length") {
            Some(length) => length.parse().unwrap_or(usize::MAX),
            None => 0,
        };
        if length > LARGEST_BODY || request.header("transfer-encoding").is_some() {
            return Ok(None);
        }
        request.body.resize(length, 0);
        from.read_exact(&mut request.body)?;
        Ok(Some(request))
    }

    /// The value of a header, if there is exactly one of that name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|header| header.0 == name);
        let first = found.next()?;
        found.next().is_none().then_some(first.1.as_str())
    }

    /// Whether there is a header of that name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|header| header.0 == name)
    }
}

/// What is answered.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) body: String,
}

impl Response {
    pub(crate) fn refusal(status: &'static str) -> Response {
        Response {
            status,
            kind: "text/plain",
            body: format!("{status}\n"),
        }
    }

    pub(crate) fn write(&self, mut to: impl Write) -> io::Result<()> {
        let head = format!(
            "HTTP/1.1 {}\r\nContent-Type: {}; charset=utf-8\r\nContent-Length: {}\r\n\
             Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n\
             X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n\r\n",
            self.status,
            self.kind,
            self.body.len()
        );
        to.write_all(head.as_bytes())?;
        to.write_all(self.body.as_bytes())?;
        to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Request> {
        Request::read(text.as_bytes()).ok().flatten()
    }

    #[test]
    fn a_request_has_headers_and_a_body() {
        let request = read("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nabc");
        let request = request.expect("it is one");
        assert_eq!(
            (request.method.as_str(), request.path.as_str()),
            ("POST", "/a")
        );
        assert_eq!(request.header("host"), Some("x"));
        assert_eq!(request.body, b"ab");
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for text in [
            "",
            "\r\n\r\n",
            "GET /\r\n\r\n",
            "GET / HTTP/2\r\n\r\n",
            "GET / HTTP/1.1\r\nno header\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x",
            "POST / HTTP/1.1\r\nContent-Length: 9999999\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nab",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
        let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(20_000));
        assert_eq!(read(&long), None);
    }

    #[test]
    fn a_header_that_stands_twice_is_none() {
        let request = read("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n").expect("it is one");
        assert_eq!(request.header("host"), None);
        assert!(request.has("host"));
    }
}

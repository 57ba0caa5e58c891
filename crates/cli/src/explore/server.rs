//! Serves the page of a session to a browser on this machine, and to nobody else.
//!
//! The server listens on the loopback interface. Who knows the token in the address may use
//! it: another user of the machine does not, and neither does a page of another site that the
//! same browser shows. Such a page could still be tricked into asking (by a name that resolves
//! to this machine), so that the headers `Host` and `Origin` have to be ours.
//!
//! Whoever has no token can still connect. There are limits on how many do so at once and on how
//! long a request takes to arrive, and newcomers take the place of those who say nothing.

use super::connections::{Connections, Timed};
use super::request::{Request, Response};
use super::{Seek, Session};
use crate::programs::Program;
use raddle_model::{Move, Thread};
use raddle_report::html;
use serde_json::{Value, json};
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Mutex;
use std::time::Duration;

/// So long a request may take to arrive, from its first byte to its last.
const LONGEST_REQUEST: Duration = Duration::from_secs(5);
/// So long an answer may take to leave.
const LONGEST_ANSWER: Duration = Duration::from_secs(20);

/// A socket with the token that opens it.
pub(crate) struct Server {
    listener: TcpListener,
    port: u16,
    token: String,
}

impl Server {
    /// Listens on a port; zero is any that is free.
    pub(crate) fn new(port: u16) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        // The keys of the hash functions come from the operating system, and are secret.
        let random = [RandomState::new(), RandomState::new()];
        let words = random.map(|keys| keys.hash_one("token"));
        Ok(Server {
            port: listener.local_addr()?.port(),
            listener,
            token: words.map(|word| format!("{word:016x}")).concat(),
        })
    }

    /// Where the page is.
    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// What of the path follows the token, if the request may be answered.
    fn admit<'a>(&self, request: &'a Request) -> Result<&'a str, &'static str> {
        let names = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        let is_ours = |host: &str| names.iter().any(|name| name == host);
        if !request.header("host").is_some_and(is_ours) {
            return Err("403 Forbidden");
        }
        let origin = request.header("origin");
        let is_known = origin
            .and_then(|origin| origin.strip_prefix("http://"))
            .is_some_and(is_ours);
        if request.has("origin") && !is_known {
            return Err("403 Forbidden");
        }
        let path = request.path.strip_prefix('/').unwrap_or_default();
        let (token, rest) = path.split_once('/').ok_or("404 Not Found")?;
        match is_same(token.as_bytes(), self.token.as_bytes()) {
            true => Ok(rest),
            false => Err("404 Not Found"),
        }
    }
}

/// Compares in a time that does not tell where the difference is.
fn is_same(a: &[u8], b: &[u8]) -> bool {
    let pairs = a.iter().zip(b);
    a.len() == b.len() && pairs.fold(0, |different, (a, b)| different | (a ^ b)) == 0
}

/// Answers requests until it is told to stop.
pub(crate) fn serve<P: Program>(
    server: &Server,
    program: &P,
    session: Session<'_, P>,
    seek: &Seek<'_>,
    is_over: impl Fn() -> bool,
) where
    P::State: Send,
{
    let desk = Desk {
        server,
        program,
        seek,
        session: Mutex::new(session),
    };
    let connections = Connections::default();
    std::thread::scope(|scope| {
        while !is_over() {
            let Ok((stream, _)) = server.listener.accept() else {
                std::thread::sleep(Duration::from_millis(20));
                continue;
            };
            let Some(stream) = connections.admit(stream) else {
                continue;
            };
            let (desk, connections) = (&desk, &connections);
            scope.spawn(move || {
                // Whoever leaves in the middle is not told anything.
                let _ = desk.attend(&stream, connections);
                connections.leave(&stream);
            });
        }
        connections.give_up();
    });
}

/// Where requests are answered.
struct Desk<'a, P: Program> {
    server: &'a Server,
    program: &'a P,
    seek: &'a Seek<'a>,
    session: Mutex<Session<'a, P>>,
}

impl<P: Program> Desk<'_, P> {
    fn attend(&self, stream: &TcpStream, connections: &Connections) -> io::Result<()> {
        stream.set_nonblocking(false)?;
        let request = Request::read(Timed::new(stream, LONGEST_REQUEST))?;
        if !connections.has_arrived(stream) {
            return Ok(());
        }
        let response = match request {
            Some(request) => self.answer(&request),
            None => Response::refusal("400 Bad Request"),
        };
        response.write(Timed::new(stream, LONGEST_ANSWER))
    }

    fn answer(&self, request: &Request) -> Response {
        let rest = match self.server.admit(request) {
            Ok(rest) => rest,
            Err(status) => return Response::refusal(status),
        };
        let is_json = request
            .header("content-type")
            .is_some_and(|kind| kind == "application/json");
        let Ok(mut session) = self.session.lock() else {
            return Response::refusal("500 Internal Server Error");
        };
        match (request.method.as_str(), rest) {
            ("GET", "") => Response {
                status: "200 OK",
                kind: "text/html",
                body: html::explorer(&self.seek.text.sources, &session.view()),
            },
            ("POST", "act") if is_json => {
                let message = self.act(&mut session, &request.body);
                let mut view = session.view();
                view["message"] = json!(message.unwrap_or_else(|why| html::plain(&why)));
                Response {
                    status: "200 OK",
                    kind: "application/json",
                    body: view.to_string(),
                }
            }
            (_, "" | "act") => Response::refusal("405 Method Not Allowed"),
            _ => Response::refusal("404 Not Found"),
        }
    }

    /// Does what a page asks for; the answer is what to say of it.
    fn act(&self, session: &mut Session<'_, P>, body: &[u8]) -> Result<String, String> {
        let wish: Value = serde_json::from_slice(body).map_err(|error| error.to_string())?;
        let number = |name: &str| {
            let number = wish[name].as_u64().and_then(|it| u32::try_from(it).ok());
            number.ok_or_else(|| format!("`{name}` is not a number"))
        };
        match wish["do"].as_str() {
            Some("take") => session.take(Move {
                thread: Thread(number("thread")?),
                choice: number("choice")?,
            })?,
            Some("run") => session.run(Thread(number("thread")?))?,
            Some("back") => session.back_to(number("to")? as usize),
            Some("go") => session.go_to(number("state")? as usize)?,
            Some("find") => {
                let wanted = wish["what"].as_str().unwrap_or_default();
                let schedule = self.seek.find(session, self.program, wanted)?;
                session.follow(&schedule)?;
                return Ok(match schedule.len() {
                    0 => "it holds here".to_owned(),
                    1 => "found, 1 step from where you were".to_owned(),
                    steps => format!("found, {steps} steps from where you were"),
                });
            }
            _ => return Err("there is no such action".to_owned()),
        }
        Ok(String::new())
    }
}

//! The network that programs see: stream sockets on the loopback address, and nothing else.
//!
//! A connection is two ends, each with a queue of bytes that were sent to it. It exists from
//! the connect on; accepting it only hands out the other end. Nothing of the host is used.
//!
//! Sockets are numbered by who makes them (process, thread, and how many it has), not by when,
//! so that it makes no difference in which order threads make theirs. The two ends of a
//! connection differ in the last bit.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use crate::pages::share_from;
use crate::thread::ThreadId;

/// How many bytes an end holds before a writer waits.
pub const CAPACITY: usize = 1 << 16;

/// How many processes, threads of a process, and sockets of a thread there are at most: each
/// has a port of its own, from [`FIRST_FREE_PORT`] on.
pub const MOST_PROCESSES: u32 = 16;
const MOST_THREADS: u32 = 128;
const MOST_SOCKETS: u32 = 16;
const FIRST_FREE_PORT: u32 = 1 << 15;

/// The number of a socket.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Socket(pub u32);

impl Socket {
    /// The other end of a connection.
    pub fn peer(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// The port that it gets if the program does not say which.
    fn own_port(self) -> u16 {
        (FIRST_FREE_PORT + self.0 / 2) as u16
    }
}

/// What is asked of a socket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Request {
    /// Makes it.
    Create,
    /// Takes a port, or any for zero.
    Bind(u16),
    /// Lets others connect, so many of which may wait to be accepted.
    Listen(u32),
    /// Connects to a port.
    Connect(u16),
    /// Takes a connection.
    Accept,
    /// Reads up to so many bytes.
    Read(u32),
    /// Writes so many bytes, or as many as there is room for.
    Write(u32),
    /// Asks how many bytes could be read.
    Available,
    /// Reads no more.
    ShutInput,
    /// Writes no more.
    ShutOutput,
    /// Closes the socket.
    Close,
}

/// Why a request is not fulfilled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// Not yet.
    Wait,
    /// The socket is closed.
    Closed,
    /// The socket cannot do this in its state.
    Unfit,
    /// Nobody listens.
    Refused,
    /// The port is taken.
    InUse,
    /// The other end was closed before it had read everything.
    Reset,
    /// The other end is closed, and has been written to already.
    Broken,
    /// The program itself has ended its output.
    Shut,
}

/// One end of a connection.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct End {
    process: u32,
    port: u16,
    pub(crate) peer_port: u16,
    /// What was sent to it and not yet read.
    queue: VecDeque<u8>,
    /// Whether nothing will come after that.
    is_finished: bool,
    /// Whether the program wants nothing of it any more.
    is_deaf: bool,
    is_reset: bool,
    is_closed: bool,
}

/// A socket that is not closed, or an end of a connection whose other end is not.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Entry {
    New {
        process: u32,
        port: Option<u16>,
    },
    Listener {
        process: u32,
        port: u16,
        /// The ends that nobody has accepted, the first one first.
        waiting: VecDeque<Socket>,
        limit: u32,
    },
    End(End),
}

/// See the module's documentation.
#[derive(PartialEq, Eq, Debug, Default)]
pub struct Network {
    sockets: Arc<BTreeMap<Socket, Entry>>,
}

impl Clone for Network {
    fn clone(&self) -> Self {
        let sockets = Arc::clone(&self.sockets);
        Self { sockets }
    }

    fn clone_from(&mut self, other: &Self) {
        share_from(&mut self.sockets, &other.sockets);
    }
}

impl Network {
    /// Whether no socket was ever made.
    pub fn is_empty(&self) -> bool {
        self.sockets.is_empty()
    }

    fn sockets_mut(&mut self) -> &mut BTreeMap<Socket, Entry> {
        Arc::make_mut(&mut self.sockets)
    }

    pub(crate) fn end(&self, socket: Socket) -> Option<&End> {
        match self.sockets.get(&socket)? {
            Entry::End(end) => Some(end),
            _ => None,
        }
    }

    fn end_mut(&mut self, socket: Socket) -> Option<&mut End> {
        match self.sockets_mut().get_mut(&socket)? {
            Entry::End(end) => Some(end),
            _ => None,
        }
    }

    /// The numbers that a thread's next socket may get, in order, and whether they are taken.
    pub fn numbers(
        &self,
        process: u32,
        thread: ThreadId,
    ) -> impl Iterator<Item = (Socket, bool)> + '_ {
        let is_possible = process < MOST_PROCESSES && thread.0 < MOST_THREADS;
        let most = if is_possible { MOST_SOCKETS } else { 0 };
        let first = (process * MOST_THREADS + thread.0.min(MOST_THREADS)) * MOST_SOCKETS;
        (0..most).map(move |index| {
            let socket = Socket((first + index) * 2);
            let is_taken = |it| self.sockets.contains_key(&it);
            (socket, is_taken(socket) || is_taken(socket.peer()))
        })
    }

    /// Makes a socket, unless there are too many.
    pub(crate) fn create(&mut self, process: u32, thread: ThreadId) -> Option<Socket> {
        let (socket, _) = self
            .numbers(process, thread)
            .find(|&(_, is_taken)| !is_taken)?;
        let port = None;
        self.sockets_mut()
            .insert(socket, Entry::New { process, port });
        Some(socket)
    }

    /// Who has a port, and whether he listens.
    pub fn at_port(&self, wanted: u16) -> Option<(Socket, bool)> {
        self.sockets
            .iter()
            .find_map(|(&socket, entry)| match entry {
                Entry::New { port, .. } => (*port == Some(wanted)).then_some((socket, false)),
                Entry::Listener { port, .. } => (*port == wanted).then_some((socket, true)),
                Entry::End(_) => None,
            })
    }

    /// The port that a socket has, or would get.
    pub fn port(&self, socket: Socket) -> u16 {
        match self.sockets.get(&socket) {
            Some(Entry::New { port, .. }) => port.unwrap_or(socket.own_port()),
            Some(Entry::Listener { port, .. }) => *port,
            Some(Entry::End(end)) => end.port,
            None => 0,
        }
    }

    /// Those who wait to be accepted.
    pub fn waiting(&self, listener: Socket) -> impl Iterator<Item = Socket> + '_ {
        let waiting = match self.sockets.get(&listener) {
            Some(Entry::Listener { waiting, .. }) => Some(waiting),
            _ => None,
        };
        waiting.into_iter().flatten().copied()
    }

    /// The sockets of a process that are open.
    pub fn of_process(&self, wanted: u32) -> impl Iterator<Item = Socket> + '_ {
        let is_its = move |entry: &Entry| match entry {
            Entry::New { process, .. } | Entry::Listener { process, .. } => *process == wanted,
            Entry::End(end) => end.process == wanted && !end.is_closed,
        };
        let all = self.sockets.iter();
        all.filter(move |(_, entry)| is_its(entry))
            .map(|(&socket, _)| socket)
    }

    pub(crate) fn bind(&mut self, socket: Socket, port: u16) -> Result<u16, Failure> {
        let wanted = if port == 0 { socket.own_port() } else { port };
        match self.sockets.get(&socket) {
            None => return Err(Failure::Closed),
            Some(Entry::New { port: None, .. }) => {}
            Some(_) => return Err(Failure::Unfit),
        }
        if self.at_port(wanted).is_some() {
            return Err(Failure::InUse);
        }
        if let Some(Entry::New { port, .. }) = self.sockets_mut().get_mut(&socket) {
            *port = Some(wanted);
        }
        Ok(wanted)
    }

    pub(crate) fn listen(&mut self, socket: Socket, limit: u32) -> Result<(), Failure> {
        let Some(entry) = self.sockets_mut().get_mut(&socket) else {
            return Err(Failure::Closed);
        };
        let &mut Entry::New {
            process,
            port: Some(port),
        } = entry
        else {
            return Err(Failure::Unfit);
        };
        let waiting = VecDeque::new();
        *entry = Entry::Listener {
            process,
            port,
            waiting,
            limit,
        };
        Ok(())
    }

    /// Connects to whoever listens at a port. Gives the socket's own port.
    pub(crate) fn connect(&mut self, socket: Socket, port: u16) -> Result<u16, Failure> {
        let (process, own) = match self.sockets.get(&socket) {
            None => return Err(Failure::Closed),
            Some(Entry::New { process, port }) => (*process, port.unwrap_or(socket.own_port())),
            Some(_) => return Err(Failure::Unfit),
        };
        let Some((listener, true)) = self.at_port(port) else {
            return Err(Failure::Refused);
        };
        let Some(Entry::Listener {
            process: server,
            waiting,
            limit,
            ..
        }) = self.sockets_mut().get_mut(&listener)
        else {
            return Err(Failure::Refused);
        };
        if waiting.len() >= *limit as usize {
            return Err(Failure::Wait);
        }
        waiting.push_back(socket.peer());
        let end = |process, port, peer_port| {
            Entry::End(End {
                process,
                port,
                peer_port,
                ..End::default()
            })
        };
        let far = end(*server, port, own);
        let sockets = self.sockets_mut();
        sockets.insert(socket, end(process, own, port));
        sockets.insert(socket.peer(), far);
        Ok(own)
    }

    pub(crate) fn accept(&mut self, listener: Socket) -> Result<Socket, Failure> {
        match self.sockets_mut().get_mut(&listener) {
            None => Err(Failure::Closed),
            Some(Entry::Listener { waiting, .. }) => waiting.pop_front().ok_or(Failure::Wait),
            Some(_) => Err(Failure::Unfit),
        }
    }

    /// An end of a connection that is not closed.
    fn open_end(&self, socket: Socket) -> Result<&End, Failure> {
        match self.sockets.get(&socket) {
            None => Err(Failure::Closed),
            Some(Entry::End(end)) if end.is_closed => Err(Failure::Closed),
            Some(Entry::End(end)) => Ok(end),
            Some(_) => Err(Failure::Unfit),
        }
    }

    /// All that is there, up to `limit` bytes; nothing when nothing will come any more.
    pub(crate) fn read(&mut self, socket: Socket, limit: usize) -> Result<Vec<u8>, Failure> {
        let end = self.open_end(socket)?;
        if end.queue.is_empty() {
            return match () {
                () if end.is_finished || end.is_deaf => Ok(Vec::new()),
                () if end.is_reset => Err(Failure::Reset),
                () => Err(Failure::Wait),
            };
        }
        let count = limit.min(end.queue.len());
        let end = self.end_mut(socket).ok_or(Failure::Closed)?;
        Ok(end.queue.drain(..count).collect())
    }

    /// How many bytes there is room for when a socket is written to.
    pub fn room(&self, socket: Socket) -> usize {
        let length = self.length(socket.peer());
        CAPACITY.saturating_sub(length)
    }

    /// How many bytes an end has not read.
    pub fn length(&self, socket: Socket) -> usize {
        self.end(socket).map_or(0, |end| end.queue.len())
    }

    /// Whether a socket is closed.
    pub fn is_closed(&self, socket: Socket) -> bool {
        self.end(socket).is_none_or(|end| end.is_closed)
    }

    /// Writes as many bytes as there is room for, at least one: how many.
    pub(crate) fn write(&mut self, socket: Socket, bytes: &[u8]) -> Result<usize, Failure> {
        let end = self.open_end(socket)?;
        if end.is_reset {
            return Err(match end.is_finished {
                true => Failure::Broken,
                false => Failure::Reset,
            });
        }
        let peer = self.end(socket.peer()).ok_or(Failure::Broken)?;
        if peer.is_finished {
            return Err(Failure::Shut);
        }
        if peer.is_closed {
            // The first time it is not yet known that nobody reads it.
            if let Some(end) = self.end_mut(socket) {
                end.is_reset = true;
            }
            return Ok(bytes.len());
        }
        if peer.is_deaf {
            return Ok(bytes.len());
        }
        let count = bytes.len().min(self.room(socket));
        if count == 0 && !bytes.is_empty() {
            return Err(Failure::Wait);
        }
        if let Some(peer) = self.end_mut(socket.peer()) {
            peer.queue.extend(&bytes[..count]);
        }
        Ok(count)
    }

    pub(crate) fn available(&self, socket: Socket) -> Result<usize, Failure> {
        self.open_end(socket).map(|end| end.queue.len())
    }

    /// What comes from now on is thrown away.
    pub(crate) fn shut_input(&mut self, socket: Socket) -> Result<(), Failure> {
        self.open_end(socket)?;
        if let Some(end) = self.end_mut(socket) {
            end.queue.clear();
            end.is_deaf = true;
        }
        Ok(())
    }

    /// Nothing will be sent any more.
    pub(crate) fn shut_output(&mut self, socket: Socket) -> Result<(), Failure> {
        self.open_end(socket)?;
        if let Some(peer) = self.end_mut(socket.peer()) {
            peer.is_finished = true;
        }
        Ok(())
    }

    /// Closes a socket. As the library ends the stream before it closes, the other end reads
    /// that; if something was not read, then it finds out when it writes.
    pub(crate) fn close(&mut self, socket: Socket) {
        self.leave(socket, true);
    }

    /// Closes a socket, with or without having ended the stream before.
    fn leave(&mut self, socket: Socket, is_orderly: bool) {
        match self.sockets.get(&socket) {
            Some(Entry::End(end)) if !end.is_closed => {
                let was_unread = !end.queue.is_empty();
                if let Some(peer) = self.end_mut(socket.peer()) {
                    peer.is_reset |= was_unread;
                    peer.is_finished |= is_orderly || !was_unread;
                }
                self.forget(socket);
            }
            Some(Entry::Listener { waiting, .. }) => {
                for end in waiting.clone() {
                    self.reset(end);
                }
                self.sockets_mut().remove(&socket);
            }
            Some(Entry::New { .. }) => {
                self.sockets_mut().remove(&socket);
            }
            _ => {}
        }
    }

    /// Closes an end that nobody has accepted.
    fn reset(&mut self, socket: Socket) {
        if let Some(peer) = self.end_mut(socket.peer()) {
            peer.is_reset = true;
        }
        self.forget(socket);
    }

    /// Closes an end; a connection is there until both are closed.
    fn forget(&mut self, socket: Socket) {
        if self.is_closed(socket.peer()) {
            let sockets = self.sockets_mut();
            sockets.remove(&socket);
            sockets.remove(&socket.peer());
        } else if let Some(end) = self.end_mut(socket) {
            end.queue.clear();
            end.is_closed = true;
        }
    }

    /// Closes all that a process has not closed itself. Of what was not read the other ends
    /// are told at once.
    pub fn end_process(&mut self, process: u32) {
        let mut open: Vec<Socket> = self.of_process(process).collect();
        let is_listener =
            |it: &Socket| matches!(self.sockets.get(it), Some(Entry::Listener { .. }));
        // Whoever was not accepted is told so before the ends are closed like others.
        open.sort_by_key(|it| !is_listener(it));
        for socket in open {
            self.leave(socket, false);
        }
    }

    /// Whether a request cannot be fulfilled, or refused, right now.
    pub fn must_wait(&self, socket: Socket, request: Request) -> bool {
        match request {
            Request::Connect(port) => match self.at_port(port) {
                Some((listener, true)) => match self.sockets.get(&listener) {
                    Some(Entry::Listener { waiting, limit, .. }) => {
                        waiting.len() >= *limit as usize
                    }
                    _ => false,
                },
                _ => false,
            },
            Request::Accept => match self.sockets.get(&socket) {
                Some(Entry::Listener { waiting, .. }) => waiting.is_empty(),
                _ => false,
            },
            Request::Read(_) => match self.open_end(socket) {
                Ok(end) => {
                    let is_over = end.is_finished || end.is_deaf || end.is_reset;
                    end.queue.is_empty() && !is_over
                }
                Err(_) => false,
            },
            Request::Write(count) => match (self.open_end(socket), self.end(socket.peer())) {
                (Ok(end), Some(peer)) => {
                    let is_dead =
                        end.is_reset || peer.is_closed || peer.is_finished || peer.is_deaf;
                    !is_dead && count > 0 && self.room(socket) == 0
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// All there is to know, in words.
    pub fn words(&self, words: &mut Vec<u32>) {
        for (socket, entry) in self.sockets.iter() {
            words.push(socket.0);
            match entry {
                Entry::New { process, port } => {
                    words.extend([0, *process, port.map_or(0, u32::from)]);
                }
                Entry::Listener {
                    process,
                    port,
                    waiting,
                    limit,
                } => {
                    let count = waiting.len() as u32;
                    words.extend([1, *process, u32::from(*port), *limit, count]);
                    words.extend(waiting.iter().map(|end| end.0));
                }
                Entry::End(end) => {
                    let flags = [end.is_finished, end.is_deaf, end.is_reset, end.is_closed];
                    let flags = flags
                        .iter()
                        .fold(0, |all, &flag| all << 1 | u32::from(flag));
                    let ports = u32::from(end.port) << 16 | u32::from(end.peer_port);
                    let count = end.queue.len() as u32;
                    words.extend([2, end.process, ports, flags, count]);
                    words.extend(end.queue.iter().map(|&byte| u32::from(byte)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;

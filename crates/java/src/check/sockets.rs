//! Sockets as objects of their own: what a request touches, and when two are independent.
//!
//! There are three families of objects, the same for all processes: ports, with those who wait
//! there to be accepted; streams, one to each end of a connection; and ends, which are open or
//! not.
//!
//! | request | port | own stream | other stream | own end | other end |
//! | --- | --- | --- | --- | --- | --- |
//! | bind, listen | update | | | | |
//! | connect | update, read if it fails | update | update | update | update |
//! | accept | update | | | | |
//! | read | | receive | | read | |
//! | write | | | send | read, update if nobody reads it | read |
//! | available | | read | | read | |
//! | shut input | | update | | read | |
//! | shut output | | | update | read | |
//! | close | update if it listens | update | update | update | update |
//!
//! A stream is a channel of bytes. That a read and a write at its two ends are independent
//! when it is neither empty nor full is only so if there are as many bytes as the reader
//! wants, and room for all that the writer has. Otherwise what they do is an update. Whoever
//! waits for bytes, room or a connection only reads.

use std::sync::atomic::Ordering;

use raddle_jvm::heap::{Heap, Ref};
use raddle_jvm::hook::Reply;
use raddle_jvm::network::{CAPACITY, Network, Request, Socket};
use raddle_jvm::reach::is_shared;
use raddle_jvm::state::State;
use raddle_jvm::thread::{Thread, ThreadId};
use raddle_jvm::{Call, Exchange};
use raddle_model::{Footprint, Object, ObjectState, Operation, Region};
use raddle_reduce::exclusive::{Go, Level};

use super::acts::Act;
use super::layout::{self};
use super::program::Program;
use super::run::Run;
use super::{Java, SLOTS};

pub(super) const PORTS: Region = Region(7);
pub(super) const STREAMS: Region = Region(8);
pub(super) const ENDS: Region = Region(9);

fn port(number: u16) -> Object {
    Object {
        region: PORTS,
        index: u32::from(number),
    }
}

/// The bytes that are sent to an end.
fn stream(to: Socket) -> Object {
    Object {
        region: STREAMS,
        index: to.0,
    }
}

fn end(socket: Socket) -> Object {
    Object {
        region: ENDS,
        index: socket.0,
    }
}

/// What is known of an object of the network.
pub(super) fn observe(network: &Network, object: Object) -> ObjectState {
    match object.region {
        STREAMS => ObjectState::Channel {
            length: network.length(Socket(object.index)) as u32,
            capacity: CAPACITY as u32,
        },
        _ => ObjectState::Opaque,
    }
}

/// Adds what a request to an open socket touches.
pub(super) fn touch(network: &Network, socket: Socket, request: Request, out: &mut Footprint) {
    use Operation::{Read, Receive, Send, Update};
    let peer = socket.peer();
    let must_wait = network.must_wait(socket, request);
    match request {
        Request::Create => {}
        Request::Accept if must_wait => out.add(port(network.port(socket)), Read),
        Request::Bind(0) => out.add(port(network.port(socket)), Update),
        Request::Bind(number) => out.add(port(number), Update),
        Request::Listen(_) | Request::Accept => out.add(port(network.port(socket)), Update),
        Request::Connect(number) => match network.at_port(number) {
            Some((_, true)) if !must_wait => {
                out.add(port(number), Update);
                touch_all(socket, out);
            }
            // It is closed if it is refused, or does not want to wait any more.
            _ => {
                out.add(port(number), Read);
                touch_close(network, socket, out);
            }
        },
        Request::Read(limit) => {
            out.add(end(socket), Read);
            let is_enough = network.length(socket) >= limit as usize;
            let operation = match is_enough {
                _ if must_wait => Read,
                true => Receive,
                false => Update,
            };
            out.add(stream(socket), operation);
        }
        Request::Write(count) => {
            let is_noticed = network.is_closed(peer);
            out.add(end(socket), if is_noticed { Update } else { Read });
            out.add(end(peer), Read);
            let fits = network.room(socket) >= count as usize;
            let operation = match fits {
                _ if must_wait => Read,
                true => Send,
                false => Update,
            };
            out.add(stream(peer), operation);
        }
        Request::Available => {
            out.add(end(socket), Read);
            out.add(stream(socket), Read);
        }
        Request::ShutInput => {
            out.add(end(socket), Read);
            out.add(stream(socket), Update);
        }
        Request::ShutOutput => {
            out.add(end(socket), Read);
            out.add(stream(peer), Update);
        }
        Request::Close => touch_close(network, socket, out),
    }
}

/// Adds all of a connection.
fn touch_all(socket: Socket, out: &mut Footprint) {
    for socket in [socket, socket.peer()] {
        out.add(end(socket), Operation::Update);
        out.add(stream(socket), Operation::Update);
    }
}

fn touch_close(network: &Network, socket: Socket, out: &mut Footprint) {
    touch_all(socket, out);
    let has_port = |(it, _)| it == socket;
    if network.at_port(network.port(socket)).is_some_and(has_port) {
        out.add(port(network.port(socket)), Operation::Update);
    }
    for waiting in network.waiting(socket) {
        touch_all(waiting, out);
    }
}

/// Adds what the end of a process touches: it closes whatever is open.
pub(super) fn touch_end(state: &State, out: &mut Footprint) {
    for socket in state.network.of_process(state.process) {
        touch_close(&state.network, socket, out);
    }
}

/// Adds what an exchange touches: the network, the fields of the socket's object, and the
/// elements of an array.
pub(super) fn touch_exchange(
    java: &Java,
    state: &State,
    thread: ThreadId,
    exchange: &Exchange,
    out: &mut Footprint,
) {
    let slot = |object: Ref, index: u32| Object {
        region: Region(SLOTS + index),
        index: object.0,
    };
    let object = exchange.object;
    let changes_number = matches!(
        exchange.request,
        Request::Create | Request::Close | Request::Connect(_)
    );
    let is_known = is_shared(&java.program, &state.heap, object);
    let number = Exchange::number_slot(&java.program, state, object);
    if let Some(index) = number.filter(|_| is_known) {
        let operation = match changes_number {
            true => Operation::Update,
            false => Operation::Read,
        };
        out.add(slot(object, index), operation);
    }
    for index in Exchange::slots(&java.program, state, object).filter(|_| is_known) {
        let operation = match exchange.request {
            Request::Bind(_) | Request::Connect(_) => Operation::Update,
            _ => Operation::Read,
        };
        out.add(slot(object, index), operation);
    }
    let (buffer, start) = exchange.buffer;
    let (length, operation) = match exchange.request {
        Request::Read(limit) => (limit, Operation::Write),
        Request::Write(count) => (count, Operation::Read),
        _ => (0, Operation::Read),
    };
    if is_shared(&java.program, &state.heap, buffer) {
        for index in within(&state.heap, buffer, start, length) {
            out.add(slot(buffer, index), operation);
        }
    }
    match (exchange.socket(&java.program, state), exchange.request) {
        (_, Request::Create) => {
            for (number, is_taken) in state.network.numbers(state.process, thread) {
                if !is_taken {
                    out.add(end(number), Operation::Update);
                    break;
                }
                out.add(end(number), Operation::Read);
                out.add(end(number.peer()), Operation::Read);
            }
        }
        (Some(socket), request) => touch(&state.network, socket, request, out),
        (None, _) => {}
    }
}

/// The part of an array that there is.
fn within(heap: &Heap, array: Ref, start: u32, length: u32) -> std::ops::Range<u32> {
    let found = heap.get(array).and_then(|found| found.body.length());
    start..start.saturating_add(length).min(found.unwrap_or(0) as u32)
}

/// Whether an exchange has to wait, for others or until its limit.
pub(super) fn must_wait(program: &Program, state: &State, exchange: &Exchange) -> bool {
    let wanted = exchange.socket(program, state);
    wanted.is_some_and(|socket| state.network.must_wait(socket, exchange.request))
}

/// An exchange in words.
pub(super) fn tell(
    program: &Program,
    state: &State,
    exchange: &Exchange,
) -> (&'static str, String) {
    let (own, other) = Exchange::ports(program, state, exchange.object);
    let (own, other) = (own.to_string(), other.to_string());
    let bytes = |count: usize| {
        let bytes = state.heap.bytes(exchange.buffer.0).unwrap_or_default();
        let part = bytes.iter().skip(exchange.buffer.1 as usize);
        let part = part
            .take(count.min(LONGEST))
            .map(|byte| byte.cast_unsigned());
        let text = String::from_utf8_lossy(&part.collect::<Vec<u8>>()).into_owned();
        let rest = if count > LONGEST { "..." } else { "" };
        format!("{text:?}{rest}")
    };
    match exchange.request {
        Request::Create => ("makes a socket", String::new()),
        Request::Bind(_) => ("takes port", own),
        Request::Listen(_) => ("listens at port", own),
        Request::Connect(port) => ("connects to port", port.to_string()),
        Request::Accept => ("accepts a connection at port", own),
        Request::Read(_) => match exchange.there {
            0 => ("reads the end from port", other),
            count => ("reads", format!("{} from port {other}", bytes(count))),
        },
        Request::Write(count) => {
            let text = bytes(count as usize);
            ("writes", format!("{text} to port {other}"))
        }
        Request::Available => ("asks what came from port", other),
        Request::ShutInput => ("reads no more from port", other),
        Request::ShutOutput => ("writes no more to port", other),
        Request::Close if other == "0" => ("stops listening at port", own),
        Request::Close => ("closes the connection to port", other),
    }
}

/// What is waited for at a socket, in words.
pub(super) fn obstacle(network: &Network, socket: Socket, request: Request) -> String {
    let (own, other) = (network.port(socket), network.port(socket.peer()));
    match request {
        Request::Accept => format!("waits for a connection at port {own}"),
        Request::Connect(port) => format!("waits to be accepted at port {port}"),
        Request::Write(_) => {
            format!("waits for room in the stream from port {own} to port {other}")
        }
        _ => format!("waits to read from the stream from port {other} to port {own}"),
    }
}

/// How many bytes are told.
const LONGEST: usize = 40;

/// An object of the network in words.
pub(super) fn name(network: &Network, object: Object) -> String {
    let socket = Socket(object.index);
    let to = network.port(socket);
    let from = network.port(socket.peer());
    match object.region {
        PORTS => format!("port {}", object.index),
        STREAMS => format!("the stream from port {from} to port {to}"),
        _ => format!("the end of a connection at port {to}"),
    }
}

impl Run<'_> {
    /// What is to be done with a call of a socket.
    pub(super) fn exchange(
        &mut self,
        state: &State,
        thread: &Thread,
        call: Call,
        args: &[u64],
    ) -> Reply {
        let program = self.program;
        if self.is_atomic {
            return Reply::Refuse("a socket in an atomic block".to_owned());
        }
        let object = Ref::of(args.first().copied().unwrap_or(0));
        self.expose_socket(state, object);
        if call == Call::Accept {
            let fresh = Ref::of(args.get(1).copied().unwrap_or(0));
            if is_shared(program, &state.heap, fresh) && self.is_concurrent {
                return Reply::Refuse("accepting with a socket that others know".to_owned());
            }
        }
        let Some(exchange) = Exchange::of(program, state, call, args) else {
            return self.set_option(state, object);
        };
        let is_free = |(_, is_taken): (Socket, bool)| !is_taken;
        if call == Call::Create
            && !is_shared(program, &state.heap, object)
            && state.network.numbers(state.process, thread.id).all(is_free)
        {
            // Nobody else has to do with the first socket of a thread.
            return Reply::Go;
        }
        let (buffer, start) = exchange.buffer;
        let (length, is_write) = match exchange.request {
            Request::Read(limit) => {
                if limit > 1 {
                    program.facts.streams.store(true, Ordering::Relaxed);
                }
                (limit, true)
            }
            Request::Write(count) => (count, false),
            _ => (0, false),
        };
        let range = within(&state.heap, buffer, start, length);
        if let Go::Claim(claimed) = self.access_all(&state.heap, buffer, range, is_write) {
            self.claims(claimed);
            return Reply::Stop;
        }
        self.reply(Act::Exchange(exchange.into()), None)
    }

    fn set_option(&mut self, state: &State, object: Ref) -> Reply {
        let program = self.program;
        let mut slots = Exchange::slots(program, state, object);
        match slots.next() {
            Some(timeout) if is_shared(program, &state.heap, object) => {
                self.reply(Act::Write(object, timeout), None)
            }
            _ => Reply::Go,
        }
    }

    /// The fields of a socket are used in a way that is always noticed.
    fn expose_socket(&self, state: &State, object: Ref) {
        let program = self.program;
        if !is_shared(program, &state.heap, object) {
            return;
        }
        let number = Exchange::number_slot(program, state, object);
        for slot in Exchange::slots(program, state, object).chain(number) {
            if let Some(note) = layout::note(program, &state.heap, object, slot)
                && self.is_multithreaded
            {
                program.facts.book.weaken(note, Level::Free);
            }
        }
    }
}

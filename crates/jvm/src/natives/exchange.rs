//! What calls of a socket ask of the [network](crate::network), for those who execute them and
//! those who want to know before.

use super::{integer, reference, word};
use crate::heap::Ref;
use crate::network::{Request, Socket};
use crate::state::State;
use crate::world::World;

/// The class whose methods are replaced.
pub(super) const IMPLEMENTATION: &str = "sun/nio/ch/NioSocketImpl";
/// Where a socket's number is kept: a field of which the replaced methods made another use.
pub(super) const NUMBER: &str = "readerThread";
pub(super) const CLOSED: u64 = u64::MAX;

/// The methods of a socket that others can notice, or that depend on what they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Makes a socket.
    Create,
    /// Takes a port.
    Bind,
    /// Lets others connect.
    Listen,
    /// Connects to a port.
    Connect,
    /// Takes a connection.
    Accept,
    /// Reads bytes.
    Read,
    /// Writes bytes.
    Write,
    /// Asks how many bytes there are.
    Available,
    /// Reads no more.
    ShutInput,
    /// Writes no more.
    ShutOutput,
    /// Closes the socket.
    Close,
    /// How long reading or accepting waits at most.
    SetOption,
}

/// What a call asks of the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The socket's implementation.
    pub object: Ref,
    /// What is asked.
    pub request: Request,
    /// The array that bytes are read to or written from, and where.
    pub buffer: (Ref, u32),
    /// Whether it is to connect, and does not wait for ever.
    is_hasty: bool,
    /// How many bytes it reads.
    pub there: usize,
}

impl Exchange {
    /// None for calls that ask nothing of it.
    pub fn of(world: &World, state: &State, call: Call, args: &[u64]) -> Option<Self> {
        let object = reference(args, 0);
        let length = word(args, 3) as u32;
        let request = match call {
            Call::Create => Request::Create,
            Call::Bind => Request::Bind(word(args, 2) as u16),
            Call::Listen => Request::Listen(match integer(args, 1) {
                ..1 => 50,
                limit => limit.cast_unsigned(),
            }),
            Call::Connect => Request::Connect(port_of(world, state, reference(args, 1))),
            Call::Accept => Request::Accept,
            Call::Read => Request::Read(length),
            Call::Write => Request::Write(length),
            Call::Available => Request::Available,
            Call::ShutInput => Request::ShutInput,
            Call::ShutOutput => Request::ShutOutput,
            Call::Close => Request::Close,
            Call::SetOption => return None,
        };
        let buffer = match call {
            Call::Read | Call::Write => (reference(args, 1), word(args, 2) as u32),
            _ => (Ref::NULL, 0),
        };
        let mut exchange = Self {
            object,
            request,
            buffer,
            is_hasty: call == Call::Connect && integer(args, 2) > 0,
            there: 0,
        };
        if let (Request::Read(limit), Some(socket)) = (request, exchange.socket(world, state)) {
            exchange.there = state.network.length(socket).min(limit as usize);
        }
        Some(exchange)
    }

    /// The socket in a state: none if it is not there yet, or not any more.
    pub fn socket(&self, world: &World, state: &State) -> Option<Socket> {
        let number = field(world, state, self.object, NUMBER);
        (number != 0 && number != CLOSED).then(|| Socket(number as u32 - 1))
    }

    /// Whether it does not wait for ever, as things are.
    pub fn has_limit(&self, world: &World, state: &State) -> bool {
        match self.request {
            Request::Accept | Request::Read(_) => {
                field(world, state, self.object, "timeout") as i32 > 0
            }
            _ => self.is_hasty,
        }
    }

    /// The port of a socket and that of the other end.
    pub fn ports(world: &World, state: &State, object: Ref) -> (u64, u64) {
        let port = |name| field(world, state, object, name);
        (port("localport"), port("port"))
    }

    /// The field that says which socket it is.
    pub fn number_slot(world: &World, state: &State, object: Ref) -> Option<u32> {
        slot(world, state, object, NUMBER)
    }

    /// The fields that replaced methods read or write, other than that.
    pub fn slots(world: &World, state: &State, object: Ref) -> impl Iterator<Item = u32> {
        let names = ["timeout", "address", "port", "localport"];
        names
            .map(|name| slot(world, state, object, name))
            .into_iter()
            .flatten()
    }
}

fn slot(world: &World, state: &State, object: Ref, name: &str) -> Option<u32> {
    world.slot_of(state.heap.get(object)?.class, name)
}

pub(super) fn field(world: &World, state: &State, object: Ref, name: &str) -> u64 {
    slot(world, state, object, name).map_or(0, |slot| state.heap.field(object, slot))
}

pub(super) fn ref_field(world: &World, state: &State, object: Ref, name: &str) -> Ref {
    Ref::of(field(world, state, object, name))
}

/// The port of an `InetSocketAddress`.
pub(super) fn port_of(world: &World, state: &State, address: Ref) -> u16 {
    let holder = ref_field(world, state, address, "holder");
    field(world, state, holder, "port") as u16
}

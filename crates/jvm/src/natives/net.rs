//! `java.net`: stream sockets on the [network](crate::network) in the state. The methods of
//! the library's own `NioSocketImpl` are replaced; what is above them runs as it is. The only
//! host is this one.

use super::exchange::{CLOSED, Call, Exchange, IMPLEMENTATION, NUMBER, field, port_of, ref_field};
use super::{Answer, Entry, Native, integer, null_pointer, raise, reference, word};
use crate::heap::{Body, Ref, int};
use crate::interpret::{Args, Env, Trap};
use crate::made_up::Source::{Depends, Every, Usual};
use crate::network::{Failure, Request, Socket};
use crate::reach::share;
use crate::roles::Role::{self, Opaque, Own, Pure};
use crate::state::State;
use crate::thread::{Status, Thread, Wake};
use crate::world::World;

const ADDRESS: &str = "java/net/InetAddress";
const LOOPBACK: u32 = 0x7F00_0001;
const SO_TIMEOUT: i32 = 0x1006;

pub(super) const TABLE: &[Entry] = &[
    (
        IMPLEMENTATION,
        "create",
        "",
        Role::Exchange(Call::Create),
        Every,
        create,
    ),
    (
        IMPLEMENTATION,
        "bind",
        "",
        Role::Exchange(Call::Bind),
        Every,
        bind,
    ),
    (
        IMPLEMENTATION,
        "listen",
        "",
        Role::Exchange(Call::Listen),
        Every,
        listen,
    ),
    (
        IMPLEMENTATION,
        "connect",
        "(Ljava/net/SocketAddress;I)V",
        Role::Exchange(Call::Connect),
        Depends,
        connect,
    ),
    (
        IMPLEMENTATION,
        "accept",
        "",
        Role::Exchange(Call::Accept),
        Every,
        accept,
    ),
    (
        IMPLEMENTATION,
        "read",
        "",
        Role::Exchange(Call::Read),
        Every,
        read,
    ),
    (
        IMPLEMENTATION,
        "write",
        "",
        Role::Exchange(Call::Write),
        Every,
        write,
    ),
    (
        IMPLEMENTATION,
        "available",
        "",
        Role::Exchange(Call::Available),
        Every,
        |env, args| {
            let socket = socket_of(env, args)?;
            let count = env.state.network.available(socket);
            count.map_or_else(fail, |count| Ok(count as u64))
        },
    ),
    (
        IMPLEMENTATION,
        "shutdownInput",
        "",
        Role::Exchange(Call::ShutInput),
        Every,
        |env, args| {
            let socket = socket_of(env, args)?;
            env.state
                .network
                .shut_input(socket)
                .map_or_else(fail, |()| Ok(0))
        },
    ),
    (
        IMPLEMENTATION,
        "shutdownOutput",
        "",
        Role::Exchange(Call::ShutOutput),
        Every,
        |env, args| {
            let socket = socket_of(env, args)?;
            env.state
                .network
                .shut_output(socket)
                .map_or_else(fail, |()| Ok(0))
        },
    ),
    (
        IMPLEMENTATION,
        "close",
        "",
        Role::Exchange(Call::Close),
        Every,
        |env, args| {
            close(env, reference(args, 0));
            Ok(0)
        },
    ),
    (
        IMPLEMENTATION,
        "setOption",
        "(ILjava/lang/Object;)V",
        Role::Exchange(Call::SetOption),
        Every,
        |env, args| {
            if integer(args, 1) == SO_TIMEOUT {
                let limit = env.named_field(reference(args, 2), "value");
                env.set_named_field(reference(args, 0), "timeout", limit);
            }
            // Whatever else can be set makes no difference here.
            Ok(0)
        },
    ),
    (
        IMPLEMENTATION,
        "setOption",
        "(Ljava/net/SocketOption;Ljava/lang/Object;)V",
        Pure,
        Every,
        super::nothing,
    ),
    (
        IMPLEMENTATION,
        "getOption",
        "(I)Ljava/lang/Object;",
        Opaque,
        Every,
        get_option,
    ),
    (
        IMPLEMENTATION,
        "getOption",
        "(Ljava/net/SocketOption;)Ljava/lang/Object;",
        Pure,
        Every,
        UNSUPPORTED,
    ),
    (
        IMPLEMENTATION,
        "sendUrgentData",
        "",
        Pure,
        Every,
        UNSUPPORTED,
    ),
    (
        "java/net/SocksSocketImpl",
        "connect",
        "(Ljava/net/SocketAddress;I)V",
        Own,
        Every,
        |env, args| {
            // There are no proxies.
            let delegate = env.named_field(reference(args, 0), "delegate");
            let connect =
                env.world
                    .method_of(IMPLEMENTATION, "connect", "(Ljava/net/SocketAddress;I)V");
            match connect {
                Some(connect) => {
                    let rest = [delegate, word(args, 1), word(args, 2)];
                    Err(Trap::Call(connect, Args::from_slice(&rest)))
                }
                None => UNSUPPORTED(env, args),
            }
        },
    ),
    // They are about proxies and other hosts.
    (
        "sun/net/NetProperties",
        "loadDefaultProperties",
        "",
        Pure,
        Every,
        super::nothing,
    ),
    (ADDRESS, "init", "", Pure, Every, super::nothing),
    (
        "java/net/Inet4Address",
        "init",
        "",
        Pure,
        Every,
        super::nothing,
    ),
    (
        "java/net/Inet6Address",
        "init",
        "",
        Pure,
        Every,
        super::nothing,
    ),
    (ADDRESS, "isIPv4Available", "", Pure, Every, super::yes),
    (ADDRESS, "isIPv6Supported", "", Pure, Every, super::nothing),
    (
        "java/net/InetAddressImplFactory",
        "isIPv6Supported",
        "",
        Pure,
        Every,
        super::nothing,
    ),
    (
        "java/net/Inet4AddressImpl",
        "getLocalHostName",
        "",
        Pure,
        Usual("the name of this host"),
        |env, _| Ok(env.new_string("localhost")),
    ),
    (
        ADDRESS,
        "getLocalHost",
        "",
        Pure,
        Usual("the name of this host"),
        |env, _| Ok(loopback(env)?.word()),
    ),
    (
        ADDRESS,
        "getHostFromNameService",
        "",
        Pure,
        Every,
        |env, args| {
            let name = match address_of(env.world, env.state, reference(args, 0)) {
                Some(address) if address >> 24 == LOOPBACK >> 24 => "localhost".to_owned(),
                Some(address) => std::net::Ipv4Addr::from(address).to_string(),
                None => return UNSUPPORTED(env, args),
            };
            Ok(env.new_string(&name))
        },
    ),
    (
        ADDRESS,
        "getAllByName0",
        "(Ljava/lang/String;)[Ljava/net/InetAddress;",
        Pure,
        Depends,
        look_up,
    ),
    (
        ADDRESS,
        "getAllByName0",
        "(Ljava/lang/String;Z)[Ljava/net/InetAddress;",
        Pure,
        Depends,
        look_up,
    ),
    (
        ADDRESS,
        "getAllByName0",
        "(Ljava/lang/String;Ljava/net/InetAddress;ZZ)[Ljava/net/InetAddress;",
        Pure,
        Depends,
        look_up,
    ),
];

const UNSUPPORTED: Native = |_, _| {
    let what = "this use of the network: only stream sockets on this host are there";
    Err(Trap::Unsupported(what.to_owned()))
};

/// The addresses of a name: only this host has one.
fn look_up(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let name = env.text(args, 0)?;
    if !name.eq_ignore_ascii_case("localhost") {
        env.one_of_many("other hosts");
        let message = format!("{name}: Name or service not known");
        return raise("java/net/UnknownHostException", message);
    }
    let found = loopback(env)?;
    Ok(env.ref_array(ADDRESS, &[found])?.word())
}

/// A new address of this host.
fn loopback(env: &mut Env<'_>) -> Result<Ref, Trap> {
    let class = env.world.load("java/net/Inet4Address")?;
    let holder = env.world.load("java/net/InetAddress$InetAddressHolder")?;
    let address = env.state.instantiate(env.world, class);
    let holder = env.state.instantiate(env.world, holder);
    let name = env.new_string("localhost");
    env.set_named_field(holder, "hostName", name);
    env.set_named_field(holder, "originalHostName", name);
    env.set_named_field(holder, "address", u64::from(LOOPBACK));
    env.set_named_field(holder, "family", 1);
    env.set_named_field(address, "holder", holder.word());
    Ok(address)
}

/// The number of an `InetAddress`, if it is one of the fourth version.
fn address_of(world: &World, state: &State, address: Ref) -> Option<u32> {
    let class = state.heap.get(address)?.class;
    (world.class_name(class) == "java/net/Inet4Address").then(|| {
        let holder = ref_field(world, state, address, "holder");
        field(world, state, holder, "address") as u32
    })
}

/// Whether an address is this host's.
fn is_here(env: &Env<'_>, address: Ref) -> bool {
    let found = address_of(env.world, env.state, address);
    found.is_some_and(|found| found == 0 || found >> 24 == LOOPBACK >> 24)
}

/// The exception that a failure is.
fn fail(failure: Failure) -> Answer {
    let (class, message) = match failure {
        Failure::Wait => ("java/net/SocketTimeoutException", "Read timed out"),
        Failure::Closed => ("java/net/SocketException", "Socket closed"),
        Failure::Unfit => ("java/net/SocketException", "Not connected"),
        Failure::Refused => ("java/net/ConnectException", "Connection refused"),
        Failure::InUse => ("java/net/BindException", "Address already in use"),
        Failure::Reset => ("java/net/SocketException", "Connection reset"),
        Failure::Broken => ("java/net/SocketException", "Broken pipe"),
        Failure::Shut => ("java/net/SocketException", "Socket output is shutdown"),
    };
    raise(class, message)
}

/// The socket of the receiver.
fn socket_of(env: &Env<'_>, args: &[u64]) -> Result<Socket, Trap> {
    match env.named_field(reference(args, 0), NUMBER) {
        0 => raise("java/net/SocketException", "Socket not created"),
        CLOSED => raise("java/net/SocketException", "Socket closed"),
        number => Ok(Socket(number as u32 - 1)),
    }
}

fn set_number(env: &mut Env<'_>, object: Ref, socket: Socket) {
    env.set_named_field(object, NUMBER, u64::from(socket.0) + 1);
}

/// Waits for others, or for as long as `limit` milliseconds. For a checker a limit may pass
/// whenever there is something to wait for.
fn wait(env: &mut Env<'_>, (socket, request): (Socket, Request), limit: i32, what: &str) -> Answer {
    let woken = std::mem::take(&mut env.thread.wake);
    let limit = (limit > 0).then(|| u64::from(limit.cast_unsigned()) * 1_000_000);
    let until = limit.map(|limit| env.state.clock.saturating_add(limit));
    match until {
        Some(until) if env.hook.is_some() => env.state.clock = until,
        Some(_) if woken == Wake::TimedOut => {}
        _ => {
            return Err(Trap::Block(Status::Exchanging {
                socket,
                request,
                until,
            }));
        }
    }
    raise("java/net/SocketTimeoutException", what)
}

fn create(env: &mut Env<'_>, args: &[u64]) -> Answer {
    if word(args, 1) == 0 {
        return UNSUPPORTED(env, args);
    }
    let (process, thread) = (env.state.process, env.thread.id);
    match env.state.network.create(process, thread) {
        Some(socket) => set_number(env, reference(args, 0), socket),
        None => return Err(Trap::Unsupported("so many sockets".to_owned())),
    }
    Ok(0)
}

fn bind(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let (object, address) = (reference(args, 0), reference(args, 1));
    let socket = socket_of(env, args)?;
    if !is_here(env, address) {
        return raise("java/net/BindException", "Cannot assign requested address");
    }
    match env.state.network.bind(socket, word(args, 2) as u16) {
        Ok(port) => {
            set_address(env, object, address);
            env.set_named_field(object, "localport", u64::from(port));
            Ok(0)
        }
        Err(Failure::Unfit) => raise("java/net/SocketException", "Already bound"),
        Err(failure) => fail(failure),
    }
}

/// Whoever sees the socket sees its address.
fn set_address(env: &mut Env<'_>, object: Ref, address: Ref) {
    share(env.world, &mut env.state.heap, address);
    env.set_named_field(object, "address", address.word());
}

fn listen(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let socket = socket_of(env, args)?;
    let asked = Exchange::of(env.world, env.state, Call::Listen, args);
    let Some(Request::Listen(limit)) = asked.map(|asked| asked.request) else {
        return Ok(0);
    };
    match env.state.network.listen(socket, limit) {
        Ok(()) => Ok(0),
        Err(Failure::Unfit) => raise("java/net/SocketException", "Not bound"),
        Err(failure) => fail(failure),
    }
}

fn connect(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let (object, remote, limit) = (reference(args, 0), reference(args, 1), integer(args, 2));
    let socket = socket_of(env, args)?;
    let holder = ref_field(env.world, env.state, remote, "holder");
    let address = ref_field(env.world, env.state, holder, "addr");
    let port = port_of(env.world, env.state, remote);
    if address.is_null() {
        close(env, object);
        let name = ref_field(env.world, env.state, holder, "hostname");
        let name = env.state.text_of(env.world, name);
        return raise("java/net/UnknownHostException", name.unwrap_or_default());
    }
    if !is_here(env, address) {
        env.one_of_many("other hosts");
        close(env, object);
        return raise("java/net/ConnectException", "Network is unreachable");
    }
    match env.state.network.connect(socket, port) {
        Ok(own) => {
            set_address(env, object, address);
            env.set_named_field(object, "port", u64::from(port));
            env.set_named_field(object, "localport", u64::from(own));
            Ok(0)
        }
        Err(Failure::Wait) => {
            let result = wait(
                env,
                (socket, Request::Connect(port)),
                limit,
                "Connect timed out",
            );
            if !matches!(result, Err(Trap::Block(_))) {
                close(env, object);
            }
            result
        }
        Err(failure) => {
            close(env, object);
            fail(failure)
        }
    }
}

fn accept(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let (object, fresh) = (reference(args, 0), reference(args, 1));
    let socket = socket_of(env, args)?;
    let end = match env.state.network.accept(socket) {
        Ok(end) => end,
        Err(Failure::Wait) => {
            let limit = env.named_field(object, "timeout") as i32;
            return wait(env, (socket, Request::Accept), limit, "Accept timed out");
        }
        Err(Failure::Unfit) => return raise("java/net/SocketException", "Not bound"),
        Err(failure) => return fail(failure),
    };
    let peer_port = env.state.network.end(end).map_or(0, |end| end.peer_port);
    let port = env.state.network.port(end);
    let address = loopback(env)?;
    set_number(env, fresh, end);
    set_address(env, fresh, address);
    env.set_named_field(fresh, "port", u64::from(peer_port));
    env.set_named_field(fresh, "localport", u64::from(port));
    Ok(0)
}

/// The part of an array that is meant: where it begins, and its length.
fn range(env: &Env<'_>, args: &[u64]) -> Result<(usize, usize), Trap> {
    let Some(Body::Bytes(bytes)) = env.state.heap.get(reference(args, 1)).map(|it| &it.body) else {
        return null_pointer();
    };
    let (start, length) = (integer(args, 2), integer(args, 3));
    let end = i64::from(start) + i64::from(length);
    if start < 0 || length < 0 || end > bytes.len() as i64 {
        let message = format!(
            "Range [{start}, {start} + {length}) out of bounds for length {}",
            bytes.len()
        );
        return raise("java/lang/IndexOutOfBoundsException", message);
    }
    Ok((start as usize, length as usize))
}

fn read(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let (start, length) = range(env, args)?;
    if length == 0 {
        return Ok(0);
    }
    let socket = socket_of(env, args)?;
    match env.state.network.read(socket, length) {
        Ok(bytes) if bytes.is_empty() => Ok(int(-1)),
        Ok(bytes) => {
            let target = env.state.heap.get_mut(reference(args, 1));
            if let Some(Body::Bytes(target)) = target.map(|it| &mut it.body) {
                for (place, byte) in target.iter_mut().skip(start).zip(&bytes) {
                    *place = byte.cast_signed();
                }
            }
            Ok(int(bytes.len() as i32))
        }
        Err(Failure::Wait) => {
            let limit = env.named_field(reference(args, 0), "timeout") as i32;
            let request = Request::Read(length as u32);
            wait(env, (socket, request), limit, "Read timed out")
        }
        Err(failure) => fail(failure),
    }
}

/// Writes what there is room for, and then tries the rest.
fn write(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let (start, length) = range(env, args)?;
    if length == 0 {
        return Ok(0);
    }
    let socket = socket_of(env, args)?;
    let bytes: Vec<u8> = match env.state.heap.bytes(reference(args, 1)) {
        Some(bytes) => {
            let part = bytes.iter().skip(start).take(length);
            part.map(|byte| byte.cast_unsigned()).collect()
        }
        None => return null_pointer(),
    };
    match env.state.network.write(socket, &bytes) {
        Ok(count) if count == length => Ok(0),
        Ok(count) => {
            let Some(again) = env.world.method_of(IMPLEMENTATION, "write", "([BII)V") else {
                return UNSUPPORTED(env, args);
            };
            let (start, length) = ((start + count) as u64, (length - count) as u64);
            let rest = [word(args, 0), word(args, 1), start, length];
            Err(Trap::Call(again, Args::from_slice(&rest)))
        }
        Err(Failure::Wait) => wait(env, (socket, Request::Write(length as u32)), 0, ""),
        Err(failure) => fail(failure),
    }
}

fn close(env: &mut Env<'_>, object: Ref) {
    let number = env.named_field(object, NUMBER);
    if number != 0 && number != CLOSED {
        let closed = Socket(number as u32 - 1);
        env.state.network.close(closed);
        // Whoever waits for it finds out.
        let waits = |thread: &Thread| matches!(thread.status, Status::Exchanging { socket, .. } if socket == closed);
        for thread in &mut env.state.threads {
            if thread.get().is_some_and(waits)
                && let Some(thread) = thread.get_mut()
            {
                thread.status = Status::Runnable;
            }
        }
    }
    env.set_named_field(object, NUMBER, CLOSED);
}

fn get_option(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let boxed = env
        .world
        .method_of("java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;");
    match boxed.filter(|_| integer(args, 1) == SO_TIMEOUT) {
        Some(boxed) => {
            socket_of(env, args)?;
            let limit = env.named_field(reference(args, 0), "timeout");
            Err(Trap::Call(boxed, Args::from_slice(&[limit])))
        }
        None => UNSUPPORTED(env, args),
    }
}

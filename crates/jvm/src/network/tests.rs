//! What sockets do to each other.

use super::{CAPACITY, Failure, Network, Request, Socket};
use crate::thread::ThreadId;

const SERVER: u32 = 0;
const CLIENT: u32 = 1;

fn main_of(network: &mut Network, process: u32) -> Socket {
    network
        .create(process, ThreadId(0))
        .expect("there are few sockets")
}

/// A listener, and the two ends of a connection: the client's first.
fn connected() -> (Network, Socket, Socket, Socket) {
    let mut network = Network::default();
    let listener = main_of(&mut network, SERVER);
    assert_eq!(network.bind(listener, 80), Ok(80));
    assert_eq!(network.listen(listener, 1), Ok(()));
    let client = main_of(&mut network, CLIENT);
    assert!(network.connect(client, 80).is_ok());
    let server = network.accept(listener).expect("somebody has connected");
    (network, listener, client, server)
}

#[test]
fn bytes_go_both_ways_in_order() {
    let (mut network, _, client, server) = connected();
    assert_eq!(network.read(server, 10), Err(Failure::Wait));
    assert_eq!(network.write(client, b"ab"), Ok(2));
    assert_eq!(network.write(client, b"cd"), Ok(2));
    assert_eq!(network.write(server, b"x"), Ok(1));
    assert_eq!(network.read(server, 3), Ok(b"abc".to_vec()));
    assert_eq!(network.read(server, 3), Ok(b"d".to_vec()));
    assert_eq!(network.read(client, 3), Ok(b"x".to_vec()));
}

#[test]
fn nobody_listens_before_and_after() {
    let mut network = Network::default();
    let listener = main_of(&mut network, SERVER);
    let client = main_of(&mut network, CLIENT);
    assert_eq!(network.connect(client, 80), Err(Failure::Refused));
    assert_eq!(network.bind(listener, 80), Ok(80));
    assert_eq!(network.connect(client, 80), Err(Failure::Refused));
    assert_eq!(network.bind(client, 80), Err(Failure::InUse));
    assert_eq!(network.listen(listener, 1), Ok(()));
    assert_eq!(network.accept(listener), Err(Failure::Wait));
    network.close(listener);
    assert_eq!(network.connect(client, 80), Err(Failure::Refused));
    assert_eq!(network.accept(listener), Err(Failure::Closed));
}

#[test]
fn connecting_waits_for_the_backlog() {
    let (mut network, listener, _, _) = connected();
    let second = main_of(&mut network, CLIENT);
    assert!(network.connect(second, 80).is_ok());
    let third = main_of(&mut network, CLIENT);
    assert!(network.must_wait(third, Request::Connect(80)));
    assert_eq!(network.connect(third, 80), Err(Failure::Wait));
    // Whoever was not accepted is told when nobody listens any more.
    network.close(listener);
    assert_eq!(network.read(second, 1), Err(Failure::Reset));
    assert_eq!(network.connect(third, 80), Err(Failure::Refused));
}

#[test]
fn closing_is_the_end_of_the_stream() {
    let (mut network, _, client, server) = connected();
    assert_eq!(network.write(client, b"a"), Ok(1));
    network.close(client);
    assert_eq!(network.read(client, 1), Err(Failure::Closed));
    assert_eq!(network.read(server, 9), Ok(b"a".to_vec()));
    assert_eq!(network.read(server, 9), Ok(Vec::new()));
    assert_eq!(network.write(server, b"b"), Ok(1), "it is not yet known");
    assert_eq!(network.write(server, b"b"), Err(Failure::Broken));
    assert_eq!(network.read(server, 9), Ok(Vec::new()));
}

#[test]
fn closing_with_something_unread_is_a_reset() {
    let (mut network, _, client, server) = connected();
    assert_eq!(network.write(client, b"ab"), Ok(2));
    assert_eq!(network.write(server, b"x"), Ok(1));
    assert_eq!(network.read(server, 1), Ok(b"a".to_vec()));
    let mut ended = network.clone();
    network.close(server);
    assert_eq!(network.read(client, 9), Ok(b"x".to_vec()));
    assert_eq!(network.read(client, 9), Ok(Vec::new()));
    assert_eq!(network.write(client, b"c"), Err(Failure::Broken));
    // A process that has ended says nothing before.
    ended.end_process(SERVER);
    assert_eq!(ended.read(client, 9), Ok(b"x".to_vec()));
    assert_eq!(ended.read(client, 9), Err(Failure::Reset));
    assert_eq!(ended.write(client, b"c"), Err(Failure::Reset));
}

#[test]
fn shutting_one_direction_leaves_the_other() {
    let (mut network, _, client, server) = connected();
    assert_eq!(network.shut_output(client), Ok(()));
    assert_eq!(network.write(client, b"a"), Err(Failure::Shut));
    assert_eq!(network.read(server, 1), Ok(Vec::new()));
    assert_eq!(network.write(server, b"b"), Ok(1));
    assert_eq!(network.available(client), Ok(1));
    assert_eq!(network.shut_input(client), Ok(()));
    assert_eq!(network.read(client, 1), Ok(Vec::new()));
    assert_eq!(network.write(server, b"b"), Ok(1), "nobody reads it");
}

#[test]
fn a_writer_waits_for_room() {
    let (mut network, _, client, server) = connected();
    let much = vec![7; CAPACITY + 1];
    assert_eq!(network.write(client, &much), Ok(CAPACITY));
    assert!(network.must_wait(client, Request::Write(1)));
    assert_eq!(network.write(client, &much[..1]), Err(Failure::Wait));
    assert!(!network.must_wait(server, Request::Write(1)));
    assert_eq!(network.read(server, 5).map(|bytes| bytes.len()), Ok(5));
    assert_eq!(network.write(client, &much), Ok(5));
}

#[test]
fn a_process_takes_its_sockets_with_it_and_numbers_are_used_again() {
    let (mut network, _, client, server) = connected();
    assert_eq!(network.write(server, b"x"), Ok(1));
    network.end_process(SERVER);
    let late = main_of(&mut network, CLIENT);
    assert_eq!(network.connect(late, 80), Err(Failure::Refused));
    assert_eq!(network.read(client, 9), Ok(b"x".to_vec()));
    assert_eq!(network.read(client, 9), Ok(Vec::new()));
    network.close(client);
    network.close(late);
    assert!(network.is_empty());
    assert_eq!(main_of(&mut network, CLIENT), client);
}

#[test]
fn who_makes_a_socket_first_makes_no_difference() {
    let mut one = Network::default();
    let mut other = Network::default();
    let a = main_of(&mut one, SERVER);
    let b = main_of(&mut one, CLIENT);
    assert_eq!(main_of(&mut other, CLIENT), b);
    assert_eq!(main_of(&mut other, SERVER), a);
    assert_eq!(one, other);
}

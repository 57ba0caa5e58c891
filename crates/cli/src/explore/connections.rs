//! The connections to the explorer: how many there are, and how long each of them may last.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// More connections at once than any page opens.
const MOST: usize = 32;
/// So long a thread may need to notice that its connection was given up.
const LONGEST_LEAVE: Duration = Duration::from_secs(5);

/// The connections that are open. Those whose request has not arrived can be given up for others:
/// a page sends its request at once, so that the oldest is the one to be given up.
#[derive(Default)]
pub(crate) struct Connections {
    open: Mutex<Open>,
    /// Told when a connection has ended.
    left: Condvar,
}

#[derive(Default)]
struct Open {
    count: usize,
    /// Those whose request has not arrived, the oldest first.
    silent: VecDeque<Arc<TcpStream>>,
}

impl Connections {
    fn open(&self) -> MutexGuard<'_, Open> {
        self.open
            .lock()
            .unwrap_or_else(|poison| poison.into_inner())
    }

    /// Makes room for a connection; none if all the others are being answered.
    pub(crate) fn admit(&self, stream: TcpStream) -> Option<Arc<TcpStream>> {
        let mut open = self.open();
        if open.count >= MOST {
            // Its thread notices, and leaves.
            let oldest = open.silent.pop_front()?;
            let _ = oldest.shutdown(Shutdown::Both);
            let is_full = |open: &mut Open| open.count >= MOST;
            let waited = self.left.wait_timeout_while(open, LONGEST_LEAVE, is_full);
            open = waited.unwrap_or_else(|poison| poison.into_inner()).0;
        }
        let stream = Arc::new(stream);
        open.count += 1;
        open.silent.push_back(Arc::clone(&stream));
        Some(stream)
    }

    /// Notes that the request of a connection is complete; false if it was given up.
    pub(crate) fn has_arrived(&self, stream: &TcpStream) -> bool {
        self.open().forget(stream)
    }

    /// Notes that a connection has ended.
    pub(crate) fn leave(&self, stream: &TcpStream) {
        let mut open = self.open();
        open.forget(stream);
        open.count -= 1;
        self.left.notify_all();
    }

    /// Ends all that are still silent.
    pub(crate) fn give_up(&self) {
        for stream in self.open().silent.drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

impl Open {
    fn forget(&mut self, stream: &TcpStream) -> bool {
        let is_it = |it: &Arc<TcpStream>| std::ptr::eq(Arc::as_ptr(it), stream);
        let place = self.silent.iter().position(is_it);
        place.is_some_and(|place| self.silent.remove(place).is_some())
    }
}

/// A connection with a deadline for everything that is read from it or written to it together: a
/// byte now and then does not move it.
pub(crate) struct Timed<'a> {
    stream: &'a TcpStream,
    deadline: Instant,
}

impl<'a> Timed<'a> {
    pub(crate) fn new(stream: &'a TcpStream, most: Duration) -> Timed<'a> {
        Timed {
            stream,
            deadline: Instant::now() + most,
        }
    }

    fn left(&self) -> io::Result<Option<Duration>> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        match left.is_zero() {
            true => Err(ErrorKind::TimedOut.into()),
            false => Ok(Some(left)),
        }
    }
}

impl Read for Timed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        self.stream.read(buffer)
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        self.stream.write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn a_byte_now_and_then_does_not_move_the_deadline() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let mut slow = TcpStream::connect(address).expect("it listens");
        let (stream, _) = listener.accept().expect("a connection");
        let sender = std::thread::spawn(move || {
            while slow.write_all(b"a").is_ok() {
                std::thread::sleep(Duration::from_millis(10));
            }
        });
        let mut timed = Timed::new(&stream, Duration::from_millis(200));
        let mut text = Vec::new();
        assert!(timed.read_to_end(&mut text).is_err());
        assert!(!text.is_empty());
        drop(stream);
        sender.join().expect("it ends");
    }

    #[test]
    fn the_oldest_silent_connection_makes_room() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let connections = Connections::default();
        let mut clients = Vec::new();
        let mut connect = || {
            clients.push(TcpStream::connect(address).expect("it listens"));
            connections.admit(listener.accept().expect("a connection").0)
        };
        let all: Vec<_> = (0..MOST)
            .map(|_| connect().expect("there is room"))
            .collect();
        assert!(connections.has_arrived(&all[0]), "the first one speaks");
        let next = std::thread::scope(|scope| {
            // What is given up ends, and its thread leaves.
            scope.spawn(|| {
                let mut nothing = [0];
                assert!(matches!((&*all[1]).read(&mut nothing), Ok(0) | Err(_)));
                connections.leave(&all[1]);
            });
            connect().expect("a silent one makes room")
        });
        assert!(!connections.has_arrived(&all[1]), "it was the oldest one");
        // When everybody is being answered, nobody is given up.
        for stream in all[2..].iter().chain([&next]) {
            assert!(connections.has_arrived(stream));
        }
        assert!(connect().is_none());
        connections.leave(&next);
        assert!(connect().is_some());
    }
}

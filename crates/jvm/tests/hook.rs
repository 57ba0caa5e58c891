//! Somebody who looks on stops a thread before what it does, and lets it go on.

use crate::common;

use common::Silent;
use raddle_testkit::jdk::{compile_texts, jdk};
use std::path::Path;

use raddle_jvm::heap::Heap;
use raddle_jvm::hook::{At, Hook, Place, Reply};
use raddle_jvm::load::{Directory, Jdk};
use raddle_jvm::roles::Role;
use raddle_jvm::thread::Thread;
use raddle_jvm::world::Method;
use raddle_jvm::{ClassId, End, Event, Ref, State, ThreadId, World};

const PROGRAM: &str = "
public class Writes {
    static int count;
    public static void main(String[] args) throws Exception {
        count = 1;
        Thread other = new Thread(() -> { synchronized (args) { count++; } });
        other.start();
        other.join();
        System.exit(count);
    }
}";

/// Stops before the first write.
#[derive(Default)]
struct FirstWrite(Option<Place>);

impl Hook for FirstWrite {
    fn read(&mut self, _: At<'_>, _: &Heap, _: Place) -> bool {
        false
    }

    fn write(
        &mut self,
        _: At<'_>,
        _: &mut Heap,
        place: Place,
        _: u64,
        _: bool,
        _: &mut Vec<Ref>,
    ) -> bool {
        let is_first = self.0.is_none();
        self.0.get_or_insert(place);
        is_first
    }

    fn acquire(&mut self, _: At<'_>, _: &Heap, _: Ref, _: ClassId) -> bool {
        false
    }

    fn release(&mut self, _: At<'_>, _: &Heap, _: Ref) {}

    fn call(&mut self, _: &mut State, _: &mut Thread, _: Role, _: &Method, _: &[u64]) -> Reply {
        Reply::Go
    }

    fn returned(&mut self, _: usize) {}

    fn initialise(&mut self, _: At<'_>, _: ClassId) -> bool {
        false
    }

    fn initialised(&mut self, _: At<'_>, _: ClassId) {}

    fn initialised_silently(&mut self, _: ClassId, _: bool) {}

    fn clock_decides(&mut self, _: At<'_>) {}

    fn look(&mut self, _: ClassId) {}
}

#[test]
fn a_thread_stops_before_a_write_and_goes_on() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hook");
    std::fs::create_dir_all(&folder).expect("a folder");
    compile_texts(&folder, [("Writes".to_owned(), PROGRAM.to_owned())]);
    let jdk = Jdk::open(jdk()).expect("a JDK");
    let world = World::new(jdk, vec![Box::new(Directory(folder))]).expect("the library loads");
    let booted = raddle_jvm::boot(&world, &mut Silent).expect("the library starts");
    let mut state =
        raddle_jvm::start(&world, &booted, "Writes", &[], &mut Silent).expect("it starts");
    let mut hook = FirstWrite::default();
    let (main, mut budget) = (ThreadId::MAIN, 1_000_000);
    let event = raddle_jvm::run_thread(
        &world,
        &mut state,
        main,
        &mut Silent,
        Some(&mut hook),
        &mut budget,
    );
    assert_eq!(event, Some(Event::Watched));
    let place = hook.0.expect("it has stopped before a write");
    assert!(!place.is_volatile);
    assert_eq!(state.heap.field(place.object, place.index), 0);
    let end = raddle_jvm::run(&world, &mut state, &mut Silent, 1000);
    assert_eq!(end, End::Exit(2));
}

//! Machines as text and as pictures.

use crate::common;

use common::program;
use raddle_cbp::machines;
use raddle_cbp::reduced::Options;

const SMALL: &str = "vars : g ; locks : l ; messages : m ; threads : t, main ;
t { vars : x ;
  lock(l) ;
  if (x) { [nap] sleep(m, l) ; }
  unlock(l) ;
  accept(m, x) ;
}
main { vars : ;
  start(t, true) ;
  wakeup(m) ;
  wakeupall(m) ;
  if (g) { rendezvous(m, false) ; }
}
";

#[test]
fn machines_as_text() {
    let text = machines(&program(SMALL)).expect("it is small").to_text();
    assert_eq!(
        text,
        "\
globals: g
locks: l
messages: m

machine t: 8 states, 8 transitions
  3:3[x] (threads begin here)
    -> 4:3[x]  !l -> l := true
  4:3[x]
    -> nap[x]
  nap[x]
    -> nap.wait[x]  l -> l := false
  nap.wait[x]
    -> nap.relock[x]  m??
    -> nap.relock[x]  m↓
  nap.relock[x]
    -> 5:3[x]  !l -> l := true
  5:3[x]
    -> 6:3[x]  l -> l := false
  6:3[x]
    -> end  m?(false)
  end

machine main: 7 states, 8 transitions
  choose g (threads begin here)
    -> 9:3  choose : -> g := false
    -> 9:3  choose : -> g := true
  9:3
    -> 10:3  start t(true)
  10:3
    -> 11:3  m↑
  11:3
    -> 12:3  m!!
  12:3
    -> 12:12  g
    -> end  !g
  12:12
    -> end  m!(false)
  end
"
    );
}

#[test]
fn reduced_machines_as_text() {
    let reduced = machines(&program(SMALL))
        .expect("it is small")
        .reduced(Options::default())
        .expect("it is small");
    let main = reduced.local_to_text(0);
    // The sleeper's message is woken without its lock, so that its `sleep` is visible.
    assert_eq!(
        main,
        "\
machine t: 6 states, 6 transitions
  3:3[x] (threads begin here)
    -> nap[x]  !l -> l := true
  nap[x]
    -> nap.wait[x]  l -> l := false
  nap.wait[x]
    -> nap.relock[x]  m??
    -> nap.relock[x]  m↓
  nap.relock[x]
    -> 6:3[x]  !l
  6:3[x]
    -> end  m?(false)
  end
"
    );
}

#[test]
fn pictures_and_sizes() {
    let machines = machines(&program(SMALL)).expect("it is small");
    let dot = machines.to_dot();
    assert!(dot.starts_with("digraph machines {\n"));
    assert_eq!(dot.matches("subgraph cluster_").count(), 2);
    let is_edge = |line: &&str| line.starts_with("    s") && line.contains(" -> s");
    assert_eq!(dot.lines().filter(is_edge).count(), 8 + 8);
    assert_eq!(dot.matches('{').count(), dot.matches('}').count());
    let translation = machines.net().expect("it is small");
    assert_eq!(
        translation.to_string(),
        "t: 8 states, 8 transitions
main: 7 states, 8 transitions
net: 20 places, 13 transitions, 1 with transfers\n"
    );
}

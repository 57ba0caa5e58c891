//! Runs from larger markings than those they were made for.

use crate::certificate::Run;
use crate::net::{Firing, Marking, Net};

/// The run that does this from a marking, or as much of it as is possible. Where somebody
/// waits although the firing passes by, somebody is woken: that leaves more tokens, not fewer.
pub(crate) fn follow(net: &Net, initial: Marking, firings: Vec<Firing>) -> Run {
    let mut run = Run {
        initial: initial.clone(),
        firings: Vec::with_capacity(firings.len()),
    };
    let mut marking = initial;
    for firing in firings {
        let wakes = match (firing.wake, net.transitions.get(firing.transition)) {
            (None, Some(transition)) => 0..transition.wakes.len(),
            _ => 0..0,
        };
        let others = wakes.map(|pair| Firing {
            wake: Some(pair),
            ..firing
        });
        let mut ways = std::iter::once(firing).chain(others);
        let way = ways.find_map(|way| Some((way, net.fire(&marking, way)?)));
        let Some((way, after)) = way else {
            break;
        };
        run.firings.push(way);
        marking = after;
    }
    run
}

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
        let Some(way) = ways.find(|&way| net.fire_in(&mut marking, way)) else {
            break;
        };
        run.firings.push(way);
    }
    run
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::spec;

    #[test]
    fn somebody_is_woken_where_the_run_passes_by() {
        let text = "vars go waiting awake rules go >= 1 -> go' = go - 1, wake waiting -> awake; \
                    init go = 1, waiting >= 0, awake = 0 target awake >= 1";
        let net = spec::parse(text).expect("it is well-formed").net;
        let pass = Firing {
            transition: 0,
            wake: None,
        };
        assert_eq!(follow(&net, vec![1, 0, 0], vec![pass]).firings, [pass]);
        let wake = Firing {
            wake: Some(0),
            ..pass
        };
        assert_eq!(follow(&net, vec![1, 1, 0], vec![pass]).firings, [wake]);
        // The second is not possible.
        assert_eq!(
            follow(&net, vec![1, 1, 0], vec![pass, pass]).firings,
            [wake]
        );
    }
}

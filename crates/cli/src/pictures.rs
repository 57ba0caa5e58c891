//! Nets as reports draw them.

use raddle_cover::{Net, OMEGA, Place, Transition, Update};
use raddle_report::unbounded::{Arcs, MOST_DRAWN, Picture, Tokens};

/// A picture of a net, if it is small enough for one.
pub(crate) fn picture(net: &Net) -> Option<Picture> {
    if net.places.len() > MOST_DRAWN || net.transitions.len() > MOST_DRAWN {
        return None;
    }
    let tokens = net.most.iter().map(|&most| match most {
        OMEGA => Tokens::Any,
        most => Tokens::Most(most),
    });
    Some(Picture {
        places: net.places.iter().cloned().zip(tokens).collect(),
        transitions: net.transitions.iter().map(arcs).collect(),
    })
}

fn arcs(transition: &Transition) -> Arcs {
    let mut arcs = Arcs {
        name: transition.name.clone(),
        ..Arcs::default()
    };
    for update in &transition.updates {
        let place = update.place.index();
        let stays = |&source: &Place| source == update.place;
        let sources = update.sources.iter().filter(|it| !stays(it));
        arcs.transfers
            .extend(sources.map(|source| (source.index(), place)));
        let goes_on = |other: &Update| other.sources.contains(&update.place);
        if !transition.updates.iter().any(goes_on) {
            arcs.empties.push(place);
        }
        match update.delta {
            0 => {}
            delta if delta > 0 => arcs.puts.push((place, delta.unsigned_abs())),
            delta => arcs.takes.push((place, delta.unsigned_abs())),
        }
    }
    for &(place, least) in &transition.guard {
        let is_taken =
            |&(taken, count): &(usize, u64)| taken == place.index() && count >= u64::from(least);
        if !arcs.takes.iter().any(is_taken) {
            arcs.asks.push((place.index(), u64::from(least)));
        }
    }
    let wakes = transition.wakes.iter();
    arcs.wakes
        .extend(wakes.map(|&(from, to)| (from.index(), to.index())));
    arcs
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_cover::formats::spec;

    #[test]
    fn a_picture_has_all_arcs_of_a_small_net() {
        let text = "vars a b c rules
            a >= 1, c >= 1 -> a' = a - 1, b' = b + 2; true -> c' = b + c, b' = 0, a' = 0;
            init a >= 1, b = 0, c = 1 target b >= 4";
        let net = spec::parse(text).expect("it is well-formed").net;
        let picture = picture(&net).expect("it is small");
        assert_eq!(picture.places[0], ("a".to_owned(), Tokens::Any));
        assert_eq!(picture.places[2], ("c".to_owned(), Tokens::Most(1)));
        let [moves, empties] = picture.transitions.as_slice() else {
            panic!("there are two");
        };
        assert_eq!(moves.takes, [(0, 1)]);
        assert_eq!(moves.puts, [(1, 2)]);
        assert_eq!(moves.asks, [(2, 1)]);
        assert_eq!(empties.transfers, [(1, 2)]);
        assert_eq!(empties.empties, [0]);
    }

    #[test]
    fn a_large_net_has_no_picture() {
        let names: Vec<String> = (0..=MOST_DRAWN).map(|index| format!("p{index}")).collect();
        let net = Net {
            least: vec![0; names.len()],
            most: vec![0; names.len()],
            places: names,
            ..Net::default()
        };
        assert_eq!(picture(&net), None);
    }
}

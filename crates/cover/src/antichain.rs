//! Demands that are stored once, and found by what is above them.

use crate::net::{Demand, Place};
use crate::predecessors::at;
use std::collections::HashMap;

/// All elements that a backward search has met, one after the other in one vector, and an
/// index over those that still count.
///
/// The index is a binary tree. An inner node asks whether an element demands at least so many
/// tokens of a place; who looks for elements below a demand that has fewer there goes to one
/// side only. A leaf is read in order, and most of what is in it is ruled out by its
/// signature, without looking at the element.
///
/// In nets where a token stands for one of thousands of states, every element demands one of
/// thousands of places, and a question about one place takes next to nothing away: the tree would
/// be a long list. There, a node has a child for each place: an element goes to one of its own
/// places, and who looks for elements below a demand goes to those of the demand.
pub(crate) struct Antichain {
    demands: Vec<(Place, u32)>,
    starts: Vec<usize>,
    nodes: Vec<Node>,
    /// The elements of the index that demand nothing and are below everything.
    bottom: Vec<u32>,
    /// The demand that is looked up, by place; zero everywhere between two questions.
    asked: Vec<u32>,
    /// The nodes that are still to be looked at.
    open: Vec<u32>,
    /// How many nodes and entries were looked at.
    pub(crate) work: u64,
}

enum Node {
    Leaf(Vec<Entry>),
    Fork {
        place: Place,
        least: u32,
        /// Who demands fewer.
        fewer: u32,
        /// Who demands as many, or more.
        enough: u32,
    },
    /// For places the elements that are found there.
    Spread(HashMap<Place, Child>),
}

#[derive(Clone, Copy)]
struct Child {
    node: u32,
    /// How many elements went there.
    elements: u32,
}

#[derive(Clone, Copy)]
struct Entry {
    signature: u64,
    element: u32,
}

/// A leaf with more entries is divided, if that is possible.
const MOST_ENTRIES: usize = 24;

/// If no question puts at least one of so many entries on its own side, a leaf is spread.
const UNEVEN: usize = 8;

impl Antichain {
    pub(crate) fn new(places: usize) -> Antichain {
        Antichain {
            demands: Vec::new(),
            starts: vec![0],
            nodes: vec![Node::Leaf(Vec::new())],
            bottom: Vec::new(),
            asked: vec![0; places],
            open: Vec::new(),
            work: 0,
        }
    }

    /// How many elements there are, whether they count or not.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// About how much memory they take.
    pub(crate) fn bytes(&self) -> usize {
        self.demands.capacity() * size_of::<(Place, u32)>()
            + self.starts.capacity() * (size_of::<usize>() + 2 * size_of::<Entry>())
            + self.nodes.capacity() * size_of::<Node>()
    }

    /// What an element demands.
    pub(crate) fn get(&self, element: u32) -> &[(Place, u32)] {
        let element = element as usize;
        &self.demands[self.starts[element]..self.starts[element + 1]]
    }

    /// Stores an element, without putting it into the index.
    pub(crate) fn push(&mut self, demand: &[(Place, u32)]) -> u32 {
        self.demands.extend_from_slice(demand);
        self.starts.push(self.demands.len());
        self.starts.len() as u32 - 2
    }

    /// Puts an element into the index.
    pub(crate) fn insert(&mut self, element: u32) {
        let signature = signature(self.get(element));
        match self.get(element).is_empty() {
            true => self.bottom.push(element),
            false => self.put(0, Entry { signature, element }),
        }
    }

    /// Puts an entry below a node.
    fn put(&mut self, mut node: usize, entry: Entry) {
        let element = entry.element;
        loop {
            match &self.nodes[node] {
                Node::Leaf(_) => break,
                &Node::Fork {
                    place,
                    least,
                    fewer,
                    enough,
                } => {
                    node = match at(self.get(element), place) >= least {
                        true => enough as usize,
                        false => fewer as usize,
                    };
                }
                Node::Spread(_) => node = self.child(node, element) as usize,
            }
        }
        if let Node::Leaf(entries) = &mut self.nodes[node] {
            entries.push(entry);
            // A leaf that could not be divided is tried again when it has doubled.
            if entries.len() > MOST_ENTRIES && (entries.len() - 1).is_multiple_of(MOST_ENTRIES) {
                self.divide(node);
            }
        }
    }

    /// The child of a node that is spread to which an element goes: the one with the fewest
    /// elements, so that none gets large.
    fn child(&mut self, node: usize, element: u32) -> u32 {
        let next = self.nodes.len() as u32;
        let demand = self.starts[element as usize]..self.starts[element as usize + 1];
        let places = self.demands[demand].iter().map(|&(place, _)| place);
        let Node::Spread(children) = &mut self.nodes[node] else {
            return node as u32;
        };
        let elements = |place: &Place| children.get(place).map_or(0, |child| child.elements);
        let Some(place) = places.min_by_key(elements) else {
            return node as u32;
        };
        let child = children.entry(place).or_insert(Child {
            node: next,
            elements: 0,
        });
        child.elements += 1;
        let child = child.node;
        if child == next {
            self.nodes.push(Node::Leaf(Vec::new()));
        }
        child
    }

    /// Divides a leaf as evenly as possible.
    fn divide(&mut self, leaf: usize) {
        let Node::Leaf(entries) = &mut self.nodes[leaf] else {
            return;
        };
        let entries = std::mem::take(entries);
        let mut demanded: Vec<(Place, u32)> = Vec::new();
        for entry in &entries {
            demanded.extend_from_slice(self.get(entry.element));
        }
        demanded.sort_unstable();
        // Elements that demand at least this much: those from here on at the same place.
        let mut best: Option<(usize, Place, u32)> = None;
        for same in demanded.chunk_by(|one, other| one.0 == other.0) {
            for (index, &(place, least)) in same.iter().enumerate() {
                let is_first = index == 0 || same[index - 1].1 < least;
                let enough = same.len() - index;
                let smaller_half = enough.min(entries.len() - enough);
                if is_first && smaller_half > best.map_or(0, |(size, ..)| size) {
                    best = Some((smaller_half, place, least));
                }
            }
        }
        let (place, least) = match best {
            Some((size, ..)) if size * UNEVEN < entries.len() => {
                self.nodes[leaf] = Node::Spread(HashMap::new());
                for entry in entries {
                    self.put(leaf, entry);
                }
                return;
            }
            Some((_, place, least)) => (place, least),
            None => {
                self.nodes[leaf] = Node::Leaf(entries);
                return;
            }
        };
        let has_enough = |entry: &Entry| at(self.get(entry.element), place) >= least;
        let (enough, fewer): (Vec<Entry>, Vec<Entry>) = entries.into_iter().partition(has_enough);
        let next = self.nodes.len() as u32;
        self.nodes.extend([Node::Leaf(fewer), Node::Leaf(enough)]);
        self.nodes[leaf] = Node::Fork {
            place,
            least,
            fewer: next,
            enough: next + 1,
        };
    }

    /// Whether an element of the index is below a demand.
    pub(crate) fn has_below(&mut self, demand: &[(Place, u32)]) -> bool {
        self.find_below(demand, None)
    }

    /// Whether an element of the index is below this one, beside itself.
    pub(crate) fn is_above_another(&mut self, element: u32) -> bool {
        let demand: Demand = self.get(element).to_vec();
        self.find_below(&demand, Some(element))
    }

    fn find_below(&mut self, demand: &[(Place, u32)], except: Option<u32>) -> bool {
        if self.bottom.iter().any(|&other| Some(other) != except) {
            return true;
        }
        for &(place, least) in demand {
            self.asked[place.index()] = least;
        }
        let absent = !signature(demand);
        let mut open = std::mem::take(&mut self.open);
        open.clear();
        open.push(0);
        let mut is_found = false;
        while let Some(node) = open.pop() {
            self.work += 1;
            match &self.nodes[node as usize] {
                Node::Fork {
                    place,
                    least,
                    fewer,
                    enough,
                } => {
                    if self.asked[place.index()] >= *least {
                        open.push(*enough);
                    }
                    open.push(*fewer);
                }
                Node::Spread(children) => {
                    let children = demand.iter().filter_map(|(place, _)| children.get(place));
                    open.extend(children.map(|child| child.node));
                }
                Node::Leaf(entries) => {
                    self.work += entries.len() as u64;
                    is_found = entries.iter().any(|entry| {
                        entry.signature & absent == 0
                            && Some(entry.element) != except
                            && self.is_asked_for(entry.element)
                    });
                    if is_found {
                        break;
                    }
                }
            }
        }
        self.open = open;
        for &(place, _) in demand {
            self.asked[place.index()] = 0;
        }
        is_found
    }

    fn is_asked_for(&self, element: u32) -> bool {
        let mut demand = self.get(element).iter();
        demand.all(|&(place, least)| self.asked[place.index()] >= least)
    }

    /// Empties the index and puts back those of these elements that are above no other of
    /// them; returns them. Smaller ones must come first.
    pub(crate) fn rebuild(&mut self, elements: impl Iterator<Item = u32>) -> Vec<u32> {
        self.nodes = vec![Node::Leaf(Vec::new())];
        self.bottom.clear();
        let mut kept = Vec::new();
        for element in elements {
            if !self.is_above_another(element) {
                self.insert(element);
                kept.push(element);
            }
        }
        kept
    }
}

/// Bits for what is demanded, so that those of a smaller demand are among those of a larger.
fn signature(demand: &[(Place, u32)]) -> u64 {
    let bits = demand.iter().map(|&(place, least)| {
        let first = 1 << (place.0.wrapping_mul(0x9e37_79b1) >> 26);
        match least {
            0 | 1 => first,
            _ => first | 1 << (place.0.wrapping_mul(0x85eb_ca6b) >> 26),
        }
    });
    bits.fold(0, |all, bits: u64| all | bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PLACES: u32 = 40;

    /// Of few places, or of few places and one of many: then nodes are spread.
    fn demand() -> impl Strategy<Value = Demand> {
        let few = || proptest::collection::btree_map(0..6u32, 1u32..4, 0..5);
        let one = (few(), 6..PLACES).prop_map(|(mut few, one)| {
            few.insert(one, 1);
            few
        });
        prop_oneof![1 => few(), 4 => one].prop_map(|map| {
            map.into_iter()
                .map(|(place, least)| (Place(place), least))
                .collect()
        })
    }

    fn is_below(smaller: &[(Place, u32)], larger: &[(Place, u32)]) -> bool {
        let at = |place| {
            larger
                .iter()
                .find(|&&(other, _)| other == place)
                .map_or(0, |&(_, least)| least)
        };
        smaller.iter().all(|&(place, least)| at(place) >= least)
    }

    proptest! {
        #[test]
        fn the_index_finds_what_a_scan_finds(stored in proptest::collection::vec(demand(), 0..200), asked in demand()) {
            let mut antichain = Antichain::new(PLACES as usize);
            for demand in &stored {
                let element = antichain.push(demand);
                antichain.insert(element);
            }
            let scan = stored.iter().any(|element| is_below(element, &asked));
            prop_assert_eq!(antichain.has_below(&asked), scan);
            for element in 0..stored.len() {
                let others = stored.iter().enumerate().filter(|&(other, _)| other != element);
                let scan = others.map(|(_, other)| other).any(|other| is_below(other, &stored[element]));
                prop_assert_eq!(antichain.is_above_another(element as u32), scan);
            }
        }

        #[test]
        fn rebuilding_leaves_the_minimal_ones(stored in proptest::collection::vec(demand(), 0..200)) {
            let mut antichain = Antichain::new(PLACES as usize);
            for demand in &stored {
                antichain.push(demand);
            }
            let mut order: Vec<u32> = (0..stored.len() as u32).collect();
            order.sort_by_key(|&element| stored[element as usize].iter().map(|&(_, least)| least).sum::<u32>());
            let kept = antichain.rebuild(order.into_iter());
            for (element, demand) in stored.iter().enumerate() {
                let below = kept.iter().filter(|&&other| is_below(&stored[other as usize], demand));
                let is_kept = kept.contains(&(element as u32));
                prop_assert!(below.clone().count() > 0);
                prop_assert!(!is_kept || below.count() == 1);
            }
        }
    }
}

//! The strongly connected components of a directed graph, and those that no edge leaves.

/// The bottom strongly connected components of a graph with nodes from zero upwards, each
/// in ascending order. The edges are sorted.
pub fn bottom_components(nodes: usize, edges: &mut [(u32, u32)]) -> Vec<Vec<u32>> {
    let mut bottoms = Vec::new();
    for_each_component(nodes, edges, &mut |mut members, is_bottom| {
        if is_bottom {
            members.sort_unstable();
            bottoms.push(members);
        }
    });
    bottoms
}

/// Tells the strongly connected components of a graph with nodes from zero upwards, after those
/// that they lead to, and of each whether no edge leaves it. The edges are sorted. (Tarjan 1972,
/// with a stack of its own instead of recursion: the graphs are as deep as executions are long.)
pub fn for_each_component(
    nodes: usize,
    edges: &mut [(u32, u32)],
    found: &mut dyn FnMut(Vec<u32>, bool),
) {
    edges.sort_unstable();
    let mut tarjan = Tarjan {
        edges,
        starts: starts(nodes, edges),
        order: vec![NEW; nodes],
        low: vec![0; nodes],
        done: vec![false; nodes],
        next: 0,
        stack: Vec::new(),
        path: Vec::new(),
        found,
    };
    for root in 0..nodes as u32 {
        if tarjan.order[root as usize] == NEW {
            tarjan.visit(root);
        }
    }
}

/// How many bytes the search takes for each node, at the most.
pub const BYTES_PER_NODE: usize = 4 * size_of::<u32>() + size_of::<Place>() + 1;

/// By node, and for the one after the last: where its edges begin.
fn starts(nodes: usize, edges: &[(u32, u32)]) -> Vec<u32> {
    let mut starts = vec![0; nodes + 1];
    for &(from, _) in edges {
        starts[from as usize + 1] += 1;
    }
    for node in 0..nodes {
        starts[node + 1] += starts[node];
    }
    starts
}

/// The order of a node that was not visited yet.
const NEW: u32 = u32::MAX;

struct Tarjan<'a> {
    edges: &'a [(u32, u32)],
    starts: Vec<u32>,
    /// By node: when it was visited.
    order: Vec<u32>,
    /// By node: the earliest node on the stack that it is known to reach.
    low: Vec<u32>,
    /// By node: whether its component is complete.
    done: Vec<bool>,
    next: u32,
    /// Visited nodes of components that are not complete.
    stack: Vec<u32>,
    path: Vec<Place>,
    found: &'a mut dyn FnMut(Vec<u32>, bool),
}

/// A node on the search path.
struct Place {
    node: u32,
    /// Its next edge to be followed.
    edge: u32,
    /// Whether an edge is known that leaves the component.
    leaves: bool,
}

impl Tarjan<'_> {
    fn visit(&mut self, root: u32) {
        self.enter(root);
        while let Some(place) = self.path.last_mut() {
            let node = place.node as usize;
            if place.edge == self.starts[node + 1] {
                self.retreat();
                continue;
            }
            let (_, next) = self.edges[place.edge as usize];
            place.edge += 1;
            if self.order[next as usize] == NEW {
                self.enter(next);
            } else if self.done[next as usize] {
                place.leaves = true;
            } else {
                self.low[node] = self.low[node].min(self.order[next as usize]);
            }
        }
    }

    fn enter(&mut self, node: u32) {
        self.order[node as usize] = self.next;
        self.low[node as usize] = self.next;
        self.next += 1;
        self.stack.push(node);
        self.path.push(Place {
            node,
            edge: self.starts[node as usize],
            leaves: false,
        });
    }

    /// All edges of the last node of the path were followed.
    fn retreat(&mut self) {
        let Some(place) = self.path.pop() else {
            return;
        };
        let node = place.node as usize;
        let completes = self.low[node] == self.order[node];
        if completes {
            self.complete(place.node, place.leaves);
        }
        if let Some(parent) = self.path.last_mut() {
            // The edge to a complete component leaves the own one; what leaves a part
            // of the own component leaves all of it.
            parent.leaves |= completes || place.leaves;
            let low = self.low[node].min(self.low[parent.node as usize]);
            self.low[parent.node as usize] = low;
        }
    }

    /// Takes the component of its first node from the stack.
    fn complete(&mut self, first: u32, leaves: bool) {
        let start = self.stack.iter().rposition(|&node| node == first);
        let members = self.stack.split_off(start.unwrap_or(0));
        for &member in &members {
            self.done[member as usize] = true;
        }
        (self.found)(members, !leaves);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Bottom components by the definition: whoever is reached reaches back.
    fn by_definition(nodes: usize, edges: &[(u32, u32)]) -> Vec<Vec<u32>> {
        let mut reaches = vec![vec![false; nodes]; nodes];
        for (node, row) in reaches.iter_mut().enumerate() {
            row[node] = true;
        }
        for _ in 0..nodes {
            for &(from, to) in edges {
                for row in &mut reaches {
                    row[to as usize] |= row[from as usize];
                }
            }
        }
        let is_bottom = |&a: &usize| (0..nodes).all(|b| !reaches[a][b] || reaches[b][a]);
        let mut bottoms: Vec<Vec<u32>> = (0..nodes)
            .filter(is_bottom)
            .map(|a| {
                (0..nodes as u32)
                    .filter(|&b| reaches[a][b as usize])
                    .collect()
            })
            .collect();
        bottoms.sort();
        bottoms.dedup();
        bottoms
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn finds_what_the_definition_says_on_random_graphs(
            nodes in 1usize..9,
            edges in prop::collection::vec((0u32..8, 0u32..8), 0..16),
        ) {
            let node = |it: u32| it % nodes as u32;
            let edges = edges.into_iter().map(|(from, to)| (node(from), node(to)));
            let mut edges: Vec<(u32, u32)> = edges.collect();
            let mut found = bottom_components(nodes, &mut edges);
            found.sort();
            prop_assert_eq!(found, by_definition(nodes, &edges));
        }
    }

    #[test]
    fn long_paths_need_no_recursion() {
        let length = 300_000;
        let mut edges: Vec<(u32, u32)> = (0..length).map(|i| (i, (i + 1) % length)).collect();
        assert_eq!(bottom_components(length as usize, &mut edges).len(), 1);
    }
}

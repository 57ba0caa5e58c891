//! The ends of a directed graph: the components that no edge leaves.

/// The bottom strongly connected components of a graph, each in ascending order. Edges
/// are grouped by their sources. (Tarjan 1972, with a stack of its own instead of
/// recursion: the graphs are as deep as executions are long.)
pub(crate) fn bottom_components(successors: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut tarjan = Tarjan {
        successors,
        order: vec![NEW; successors.len()],
        low: vec![0; successors.len()],
        done: vec![false; successors.len()],
        next: 0,
        stack: Vec::new(),
        path: Vec::new(),
        bottoms: Vec::new(),
    };
    for root in 0..successors.len() as u32 {
        if tarjan.order[root as usize] == NEW {
            tarjan.visit(root);
        }
    }
    tarjan.bottoms
}

/// The order of a node that was not visited yet.
const NEW: u32 = u32::MAX;

struct Tarjan<'a> {
    successors: &'a [Vec<u32>],
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
    bottoms: Vec<Vec<u32>>,
}

/// A node on the search path.
struct Place {
    node: u32,
    /// How many of its edges were followed.
    followed: usize,
    /// Whether an edge is known that leaves the component.
    leaves: bool,
}

impl Tarjan<'_> {
    fn visit(&mut self, root: u32) {
        self.enter(root);
        while let Some(place) = self.path.last_mut() {
            let node = place.node as usize;
            let Some(&next) = self.successors[node].get(place.followed) else {
                self.retreat();
                continue;
            };
            place.followed += 1;
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
            followed: 0,
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
        let mut members = self.stack.split_off(start.unwrap_or(0));
        for &member in &members {
            self.done[member as usize] = true;
        }
        if !leaves {
            members.sort_unstable();
            self.bottoms.push(members);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bottom components by the definition: whoever is reached reaches back.
    fn by_definition(successors: &[Vec<u32>]) -> Vec<Vec<u32>> {
        let reach = |from: usize| {
            let mut seen = vec![false; successors.len()];
            let mut stack = vec![from];
            while let Some(node) = stack.pop() {
                if !std::mem::replace(&mut seen[node], true) {
                    stack.extend(successors[node].iter().map(|&next| next as usize));
                }
            }
            seen
        };
        let reached: Vec<Vec<bool>> = (0..successors.len()).map(reach).collect();
        let nodes = 0..successors.len();
        let is_bottom = |a: usize| nodes.clone().all(|b| !reached[a][b] || reached[b][a]);
        let mut bottoms: Vec<Vec<u32>> = nodes
            .clone()
            .filter(|&a| is_bottom(a))
            .map(|a| {
                (0..successors.len() as u32)
                    .filter(|&b| reached[a][b as usize])
                    .collect()
            })
            .collect();
        bottoms.dedup();
        bottoms.sort();
        bottoms.dedup();
        bottoms
    }

    #[test]
    fn finds_what_the_definition_says_on_random_graphs() {
        let mut random = 1_u64;
        let mut below = |bound: u64| {
            random = random
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (random >> 33) % bound
        };
        for _ in 0..3000 {
            let size = 1 + below(8);
            let edges = below(2 * size + 1);
            let mut successors = vec![Vec::new(); size as usize];
            for _ in 0..edges {
                successors[below(size) as usize].push(below(size) as u32);
            }
            let mut found = bottom_components(&successors);
            found.sort();
            assert_eq!(found, by_definition(&successors), "{successors:?}");
        }
    }

    #[test]
    fn long_paths_need_no_recursion() {
        let length = 300_000;
        let mut successors: Vec<Vec<u32>> = (1..length).map(|next| vec![next]).collect();
        successors.push(vec![0]);
        assert_eq!(bottom_components(&successors).len(), 1);
    }
}

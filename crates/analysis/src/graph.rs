//! Components of graphs.

/// The number of the strongly connected component of each node (Tarjan's algorithm, with a stack of
/// its own: code can be long).
pub(crate) fn components<'a>(count: usize, next: impl Fn(usize) -> &'a [u32]) -> Vec<u32> {
    const NEW: u32 = u32::MAX;
    let mut number = vec![NEW; count];
    let mut low = vec![0; count];
    let mut component = vec![NEW; count];
    let (mut stack, mut calls) = (Vec::new(), Vec::new());
    let (mut numbers, mut found) = (0, 0);
    for root in 0..count {
        if number[root] != NEW {
            continue;
        }
        calls.push((root, 0));
        while let Some(&mut (node, ref mut at)) = calls.last_mut() {
            if *at == 0 {
                number[node] = numbers;
                low[node] = numbers;
                numbers += 1;
                stack.push(node);
            }
            let ways = next(node);
            if let Some(&to) = ways.get(*at) {
                *at += 1;
                let to = to as usize;
                if number[to] == NEW {
                    calls.push((to, 0));
                } else if component[to] == NEW {
                    low[node] = low[node].min(number[to]);
                }
                // A node without further ways must not look new again.
                continue;
            }
            calls.pop();
            if let Some(&(caller, _)) = calls.last() {
                low[caller] = low[caller].min(low[node]);
            }
            if low[node] == number[node] {
                while let Some(member) = stack.pop() {
                    component[member] = found;
                    if member == node {
                        break;
                    }
                }
                found += 1;
            }
        }
    }
    component
}

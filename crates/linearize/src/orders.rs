//! What operations give one after the other, in all orders that threads allow.

use crate::Scenario;

/// Which thread makes its next operation, again and again.
pub type Order = Vec<usize>;

/// What came of operations that were called one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ran {
    /// The results of all of them, in the order of [`Scenario::operations`].
    Ended(Vec<String>),
    /// One of them waits for ever.
    Waits,
}

/// An object whose operations can be called one after the other.
pub trait Sequential {
    /// Why that may not be known.
    type Error;

    /// Makes a new object, and calls the operations of a scenario in an order of its threads.
    fn run(&mut self, scenario: &Scenario, order: &[usize]) -> Result<Ran, Self::Error>;
}

/// What may come of a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// All results, each once.
    pub texts: Vec<String>,
    /// The orders in which all operations end, with the numbers of the texts of their results.
    pub orders: Vec<(Order, Vec<usize>)>,
    /// Whether there is an order in which an operation waits for ever.
    pub waits: bool,
}

impl Allowed {
    fn add(&mut self, order: Order, results: &[String]) {
        let mut number = |text: &String| match self.texts.iter().position(|it| it == text) {
            Some(known) => known,
            None => {
                self.texts.push(text.clone());
                self.texts.len() - 1
            }
        };
        let results = results.iter().map(&mut number).collect();
        self.orders.push((order, results));
    }
}

/// Calls the operations of a scenario in all orders.
pub fn allowed<S: Sequential>(scenario: &Scenario, object: &mut S) -> Result<Allowed, S::Error> {
    let mut allowed = Allowed::default();
    for order in orders(scenario) {
        match object.run(scenario, &order)? {
            Ran::Ended(results) => allowed.add(order, &results),
            Ran::Waits => allowed.waits = true,
        }
    }
    Ok(allowed)
}

/// The orders that keep that of each thread.
fn orders(scenario: &Scenario) -> Vec<Order> {
    let mut left: Vec<usize> = scenario.threads.iter().map(Vec::len).collect();
    let (mut all, mut order) = (Vec::new(), Vec::new());
    extend(&mut left, &mut order, &mut all);
    all
}

fn extend(left: &mut [usize], order: &mut Order, all: &mut Vec<Order>) {
    if left.iter().all(|&it| it == 0) {
        all.push(order.clone());
        return;
    }
    for thread in 0..left.len() {
        if left[thread] == 0 {
            continue;
        }
        left[thread] -= 1;
        order.push(thread);
        extend(left, order, all);
        order.pop();
        left[thread] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A queue of two places: 0 waits for room and adds the number of its thread, 1 removes.
    struct Queue;

    impl Sequential for Queue {
        type Error = ();

        fn run(&mut self, scenario: &Scenario, order: &[usize]) -> Result<Ran, ()> {
            let mut made = vec![0; scenario.threads.len()];
            let mut results: Vec<Vec<String>> = vec![Vec::new(); scenario.threads.len()];
            let mut queue = Vec::new();
            for &thread in order {
                let call = scenario.threads[thread][made[thread]];
                made[thread] += 1;
                let result = match call {
                    0 if queue.len() == 2 => return Ok(Ran::Waits),
                    0 => {
                        queue.push(thread);
                        "void".to_owned()
                    }
                    _ if queue.is_empty() => "null".to_owned(),
                    _ => queue.remove(0).to_string(),
                };
                results[thread].push(result);
            }
            Ok(Ran::Ended(results.concat()))
        }
    }

    #[test]
    fn all_orders_are_made_and_waiting_is_noticed() {
        let scenario = |threads: &[&[usize]]| Scenario {
            before: Vec::new(),
            threads: threads.iter().map(|it| it.to_vec()).collect(),
            after: Vec::new(),
        };
        let found = allowed(&scenario(&[&[0], &[1]]), &mut Queue).expect("it runs");
        assert_eq!(found.texts, ["void", "0", "null"]);
        let wanted = [(vec![0, 1], vec![0, 1]), (vec![1, 0], vec![0, 2])];
        assert_eq!(found.orders, wanted);
        assert!(!found.waits);
        let found = allowed(&scenario(&[&[0, 0], &[0, 1]]), &mut Queue).expect("it runs");
        assert!(found.waits);
        // Only where something is removed before the last one is added do all end.
        assert_eq!(found.orders.len(), 3);
        assert_eq!(orders(&scenario(&[&[0, 0], &[0, 0]])).len(), 6);
        assert_eq!(
            orders(&scenario(&[&[0, 0, 0], &[0, 0, 0], &[0, 0, 0]])).len(),
            1680
        );
    }
}

//! What objects of the library are to a program: what is in a collection, how far a latch is, whether
//! a future is done, who holds a lock. How the library keeps that is of no interest.

use raddle_jvm::heap::{Body, Ref};
use raddle_jvm::world::Origin;
use raddle_model::Thread as Number;

use super::names::Names;

/// So many elements are told.
const MOST: usize = 8;

/// So many slots of a table, or links of a chain, are looked at.
const FARTHEST: usize = 512;

/// So deep are collections told that are in collections.
const DEEPEST: u32 = 2;

impl Names<'_> {
    /// What an object of the library is to the program; none if it is not known for that.
    pub(super) fn contents(&self, object: Ref) -> Option<String> {
        self.contents_within(object, DEEPEST)
    }

    fn contents_within(&self, object: Ref, deeper: u32) -> Option<String> {
        let class = self.library_class(object)?;
        let plain = class.strip_prefix("java/util/")?;
        let listed = |elements: Vec<Ref>| self.listed(&elements, deeper);
        Some(match plain {
            "ArrayList"
            | "Stack"
            | "Vector"
            | "PriorityQueue"
            | "concurrent/PriorityBlockingQueue"
            | "Arrays$ArrayList"
            | "ImmutableCollections$ListN"
            | "concurrent/CopyOnWriteArrayList" => listed(self.in_array(object)?),
            "ImmutableCollections$List12" => listed(self.either(object, ["e0", "e1"])),
            "ArrayDeque" | "concurrent/ArrayBlockingQueue" => listed(self.in_circle(object)?),
            "LinkedList"
            | "concurrent/LinkedBlockingQueue"
            | "concurrent/LinkedBlockingDeque"
            | "concurrent/ConcurrentLinkedQueue"
            | "concurrent/ConcurrentLinkedDeque" => listed(self.in_chain(object)?),
            "HashMap"
            | "LinkedHashMap"
            | "Hashtable"
            | "concurrent/ConcurrentHashMap"
            | "TreeMap"
            | "concurrent/ConcurrentSkipListMap"
            | "ImmutableCollections$Map1" => self.mapped(&self.entries(object)?, deeper),
            "HashSet" | "LinkedHashSet" => listed(keys(self.entries(self.part(object, "map")?)?)),
            "TreeSet" | "concurrent/ConcurrentSkipListSet" => {
                listed(keys(self.entries(self.part(object, "m")?)?))
            }
            "concurrent/CopyOnWriteArraySet" => listed(self.in_array(self.part(object, "al")?)?),
            _ if plain.starts_with("Collections$") => {
                let inner = ["m", "c", "list", "q"]
                    .into_iter()
                    .find_map(|name| self.part(object, name))?;
                self.contents_within(inner, deeper.checked_sub(1)?)?
            }
            _ => self.state_of(object, plain)?,
        })
    }

    /// How far something is that is no collection.
    fn state_of(&self, object: Ref, plain: &str) -> Option<String> {
        let number = |object, name| Some(self.word(object, name)?.to_string());
        Some(match plain {
            "concurrent/atomic/AtomicInteger" => (self.word(object, "value")? as i32).to_string(),
            "concurrent/atomic/AtomicLong" => number(object, "value")?,
            "concurrent/atomic/AtomicBoolean" => (self.word(object, "value")? != 0).to_string(),
            "concurrent/atomic/AtomicReference" => match self.part(object, "value") {
                Some(value) => self.element(value, 1),
                None => "null".to_owned(),
            },
            "concurrent/Semaphore" => {
                match self.word(self.part(object, "sync")?, "state")? as i32 {
                    1 => "1 permit".to_owned(),
                    number => format!("{number} permits"),
                }
            }
            "concurrent/CountDownLatch" => {
                (self.word(self.part(object, "sync")?, "state")? as i32).to_string()
            }
            "concurrent/locks/ReentrantLock" => self.owned(object)?,
            "concurrent/locks/AbstractQueuedSynchronizer$ConditionObject" => {
                self.awaited_by(object)
            }
            "concurrent/locks/ReentrantReadWriteLock" => self.shared_or_owned(object)?,
            "concurrent/FutureTask" => self.task(object)?,
            "concurrent/CompletableFuture" => match self.part(object, "result") {
                None => "not completed".to_owned(),
                Some(result) => self.outcome(result),
            },
            _ => return None,
        })
    }

    /// What a lock is to those who want it.
    fn owned(&self, lock: Ref) -> Option<String> {
        let sync = self.part(lock, "sync")?;
        let owner = self.part(sync, "exclusiveOwnerThread");
        Some(match owner {
            Some(owner) => format!("held by {}", self.name_of(owner)),
            None => "free".to_owned(),
        })
    }

    fn shared_or_owned(&self, lock: Ref) -> Option<String> {
        let sync = self.part(lock, "sync")?;
        if let Some(owner) = self.part(sync, "exclusiveOwnerThread") {
            return Some(format!("held by {} for writing", self.name_of(owner)));
        }
        let readers: Vec<String> = self
            .readers(sync)
            .into_iter()
            .map(|reader| self.java.name_of_thread(self.state, reader))
            .collect();
        Some(match readers.is_empty() {
            true => "free".to_owned(),
            false => format!("held by {} for reading", readers.join(", ")),
        })
    }

    /// The threads that have the read lock of a `ReentrantReadWriteLock`, by its synchronizer: each
    /// thread counts for itself how often it has it.
    pub(super) fn readers(&self, sync: Ref) -> Vec<Number> {
        let Some(counts) = self.part(sync, "readHolds") else {
            return Vec::new();
        };
        let first = self.part(sync, "firstReader");
        let has_counted = |thread: Ref| {
            let table = self
                .part(thread, "threadLocals")
                .and_then(|map| self.part(map, "table"));
            let entries = table.and_then(|table| self.state.heap.refs(table));
            entries.into_iter().flatten().any(|&entry| {
                self.part(entry, "referent") == Some(counts)
                    && self
                        .part(entry, "value")
                        .and_then(|it| self.word(it, "count"))
                        .is_some_and(|count| count as i32 > 0)
            })
        };
        let threads = self.java.program_threads(self.state);
        let reading = threads.filter(|it| first == Some(it.object) || has_counted(it.object));
        reading.map(|it| self.java.number(it.id)).collect()
    }

    /// Who waits for a signal.
    fn awaited_by(&self, condition: Ref) -> String {
        let mut waiters = Vec::new();
        let mut next = self.part(condition, "firstWaiter");
        while let Some(node) = next.filter(|_| waiters.len() <= MOST) {
            waiters.extend(self.part(node, "waiter").map(|waiter| self.name_of(waiter)));
            next = self.part(node, "nextWaiter");
        }
        match waiters.is_empty() {
            true => "no thread waits".to_owned(),
            false => format!("awaited by {}", waiters.join(", ")),
        }
    }

    fn task(&self, task: Ref) -> Option<String> {
        // As `FutureTask` counts.
        let result = |name| self.part(task, name);
        Some(match self.word(task, "state")? as i32 {
            0 | 1 => "not done".to_owned(),
            2 => match result("outcome") {
                Some(result) => self.element(result, 0),
                None => "done".to_owned(),
            },
            3 => match result("outcome") {
                Some(failure) => format!("failed: {}", self.class_of(failure)),
                None => "failed".to_owned(),
            },
            _ => "cancelled".to_owned(),
        })
    }

    /// What a `CompletableFuture` was completed with, which hides nulls and exceptions in an object.
    fn outcome(&self, result: Ref) -> String {
        match self.library_class(result) {
            Some("java/util/concurrent/CompletableFuture$AltResult") => {
                match self.part(result, "ex") {
                    Some(failure) => format!("failed: {}", self.class_of(failure)),
                    None => "null".to_owned(),
                }
            }
            _ => self.element(result, 0),
        }
    }

    fn class_of(&self, object: Ref) -> String {
        let class = self.state.heap.get(object).map(|found| found.class);
        class.map_or_else(String::new, |class| self.java.class_name(class))
    }

    /// `[1, 2]`.
    fn listed(&self, elements: &[Ref], deeper: u32) -> String {
        let told = elements.iter().take(MOST);
        let mut told: Vec<String> = told.map(|&it| self.element(it, deeper)).collect();
        if elements.len() > MOST {
            told.push("...".to_owned());
        }
        format!("[{}]", told.join(", "))
    }

    /// `{"a"=1}`, as maps write themselves.
    fn mapped(&self, entries: &[(Ref, Ref)], deeper: u32) -> String {
        let told = entries.iter().take(MOST);
        let told = told.map(|&(key, value)| {
            format!("{}={}", self.element(key, 0), self.element(value, deeper))
        });
        let mut told: Vec<String> = told.collect();
        if entries.len() > MOST {
            told.push("...".to_owned());
        }
        format!("{{{}}}", told.join(", "))
    }

    fn element(&self, element: Ref, deeper: u32) -> String {
        let name = self.reference(element);
        // What has a name of its own is known by it, and a task or a lock by that at least. To be in the
        // collection that is told is none.
        let is_inside = name.ends_with(']');
        let is_told = is_inside || !self.has_field(element) && self.is_collection(element);
        let deeper = deeper.checked_sub(1).filter(|_| is_told);
        let contents = deeper.and_then(|deeper| self.contents_within(element, deeper));
        contents.unwrap_or(name)
    }

    fn is_collection(&self, object: Ref) -> bool {
        let class = self.library_class(object).unwrap_or_default();
        ["List", "Map", "Set", "Queue", "Deque", "Stack", "Vector"]
            .iter()
            .any(|kind| class.contains(kind))
    }

    /// The elements of an array, up to where it is used.
    fn in_array(&self, list: Ref) -> Option<Vec<Ref>> {
        let names = ["elementData", "array", "a", "elements", "queue"];
        let array = names.into_iter().find_map(|name| self.part(list, name))?;
        let elements = self.state.heap.refs(array)?;
        let used = ["size", "elementCount"]
            .into_iter()
            .find_map(|name| self.word(list, name));
        let used = used.map_or(elements.len(), |it| it as u32 as usize);
        let told = elements.iter().copied().take(used.min(elements.len()));
        Some(told.take(MOST + 1).collect())
    }

    /// The elements of an array that is used as a circle.
    fn in_circle(&self, queue: Ref) -> Option<Vec<Ref>> {
        let names = ["elements", "items"];
        let array = names.into_iter().find_map(|name| self.part(queue, name))?;
        let elements = self.state.heap.refs(array)?;
        let length = elements.len().max(1);
        let first = |name| Some(self.word(queue, name)? as u32 as usize);
        let (first, count) = match (first("takeIndex"), first("count")) {
            (Some(first), Some(count)) => (first, count),
            _ => {
                let (head, tail) = (first("head")?, first("tail")?);
                (head, (tail + length).checked_sub(head)? % length)
            }
        };
        let told = (0..count.min(MOST + 1)).filter_map(|at| elements.get((first + at) % length));
        Some(told.copied().collect())
    }

    /// The elements of a list whose nodes refer to the next one. Empty nodes are those of the queue
    /// itself.
    fn in_chain(&self, queue: Ref) -> Option<Vec<Ref>> {
        let first = ["head", "first"]
            .into_iter()
            .find_map(|name| self.part(queue, name));
        let mut found = Vec::new();
        let mut next = first;
        for _ in 0..FARTHEST {
            let Some(node) = next else { break };
            found.extend(self.part(node, "item"));
            // A node that was taken out refers to itself.
            next = self.part(node, "next").filter(|&it| it != node);
            if found.len() > MOST {
                break;
            }
        }
        Some(found)
    }

    /// The keys and values of a map.
    fn entries(&self, map: Ref) -> Option<Vec<(Ref, Ref)>> {
        let mut found = Vec::new();
        if let Some(key) = self.part(map, "k0") {
            return Some(vec![(key, self.part(map, "v0").unwrap_or(Ref::NULL))]);
        }
        match self.library_class(map)? {
            "java/util/TreeMap" => self.in_tree(self.part(map, "root"), &mut found, FARTHEST),
            "java/util/concurrent/ConcurrentSkipListMap" => {
                // Below the indices there is a list of all entries.
                let mut index = self.part(map, "head");
                while let Some(below) = index.and_then(|it| self.part(it, "down")) {
                    index = Some(below);
                }
                self.along(index.and_then(|it| self.part(it, "node")), &mut found);
            }
            "java/util/LinkedHashMap" => {
                let mut next = self.part(map, "head");
                while let Some(node) = next.filter(|_| found.len() <= MOST) {
                    self.enter(node, &mut found);
                    next = self.part(node, "after");
                }
            }
            _ => {
                let table = self.part(map, "table");
                let table = table.and_then(|table| self.state.heap.refs(table));
                for &bin in table.into_iter().flatten().take(FARTHEST) {
                    // Long bins of a concurrent map are trees, which are lists as well.
                    let first = self.part(bin, "first").unwrap_or(bin);
                    self.along(Some(first), &mut found);
                    if found.len() > MOST {
                        break;
                    }
                }
            }
        }
        Some(found)
    }

    /// The entries that follow each other.
    fn along(&self, first: Option<Ref>, found: &mut Vec<(Ref, Ref)>) {
        let mut next = first;
        while let Some(node) = next.filter(|_| found.len() <= MOST) {
            self.enter(node, found);
            next = self.part(node, "next").filter(|&it| it != node);
        }
    }

    /// The entries of a sorted map, in order.
    fn in_tree(&self, root: Option<Ref>, found: &mut Vec<(Ref, Ref)>, farthest: usize) {
        let mut above = Vec::new();
        let mut next = root;
        for _ in 0..farthest {
            if let Some(node) = next {
                above.push(node);
                next = self.part(node, "left");
            } else if let Some(node) = above.pop().filter(|_| found.len() <= MOST) {
                self.enter(node, found);
                next = self.part(node, "right");
            } else {
                break;
            }
        }
    }

    /// Adds an entry, if a node is one.
    fn enter(&self, node: Ref, found: &mut Vec<(Ref, Ref)>) {
        let value = self.part(node, "val").or_else(|| self.part(node, "value"));
        // Null can be a key of some maps, and then has a value.
        if let Some(key) = self.part(node, "key").or(value.and(Some(Ref::NULL))) {
            found.push((key, value.unwrap_or(Ref::NULL)));
        }
    }

    /// References that are there, by the names of their fields.
    fn either(&self, object: Ref, names: [&str; 2]) -> Vec<Ref> {
        let found = names.into_iter().filter_map(|name| self.part(object, name));
        // Where there is one only, the other one says so.
        found
            .filter(|&it| self.library_class(it) != Some("java/lang/Object"))
            .collect()
    }

    /// Whether something stands in a queue.
    pub(super) fn has_element(&self, queue: Ref, element: Ref) -> bool {
        let holds = |holder: Ref| match self.state.heap.refs(holder) {
            Some(_) => ["items", "queue", "elements"]
                .into_iter()
                .any(|name| self.part(queue, name) == Some(holder)),
            None => self.has_node(queue, holder),
        };
        self.referrers(element).any(holds)
    }

    fn has_node(&self, queue: Ref, wanted: Ref) -> bool {
        let first = ["head", "first"]
            .into_iter()
            .find_map(|name| self.part(queue, name));
        let nodes = std::iter::successors(first, |&node| self.part(node, "next"));
        nodes.take(FARTHEST).any(|node| node == wanted)
    }

    /// What a field of an object refers to, if it does.
    pub(super) fn part(&self, object: Ref, field: &str) -> Option<Ref> {
        let word = self.word(object, field)?;
        Some(Ref::of(word)).filter(|it| !it.is_null())
    }

    /// What a field of an object has.
    pub(super) fn word(&self, object: Ref, field: &str) -> Option<u64> {
        let found = self.state.heap.get(object)?;
        let Body::Fields(fields) = &found.body else {
            return None;
        };
        let slot = self.java.program.slot_of(found.class, field)?;
        fields.get(slot as usize).copied()
    }

    /// The class of an object of the library.
    pub(super) fn library_class(&self, object: Ref) -> Option<&str> {
        let program = &self.java.program;
        let class = self.state.heap.get(object)?.class;
        (program.class(class).origin != Origin::Program).then(|| program.class_name(class))
    }
}

fn keys(entries: Vec<(Ref, Ref)>) -> Vec<Ref> {
    entries.into_iter().map(|(key, _)| key).collect()
}

//! The tables of the theory kernel against an executable semantics: both orders of
//! every pair of operations are executed from every small state. What the kernel
//! claims must hold (soundness), and what it does not claim must fail somewhere
//! (precision); so a changed entry of a table fails a test in either direction.

mod semantics;

use raddle_model::operations::{
    Mover, changes, changes_in, enabled_by, enabled_by_in, independent, independent_in,
    left_commutes, may_block, mover, mover_against, mover_in,
};
use raddle_model::{Footprint, Kind, Object, ObjectState, Operation, Operations, Region, Thread};
use semantics::{
    Action, Channel, Model, Monitor, Seen, Semaphore, Stand, Started, THREADS, Variable,
};
use std::collections::BTreeSet;

const I: Thread = THREADS[0];
const J: Thread = THREADS[1];

/// The same check for every kind of object.
macro_rules! for_each_kind {
    ($($check:ident),* $(,)?) => {$(
        #[test]
        fn $check() {
            checks::$check::<Variable>();
            checks::$check::<Monitor>();
            checks::$check::<Semaphore>();
            checks::$check::<Channel>();
            checks::$check::<Started>();
        }
    )*};
}

for_each_kind!(
    unconditional_independence_is_exact,
    conditional_independence_is_exact,
    left_commutation_is_exact,
    changes_are_exact,
    blocking_is_exact,
    enabling_operations_are_necessary,
    each_enabling_operation_is_needed,
    movers_move,
    movers_in_a_state_move,
    movers_are_those_of_the_table,
);

/// The final states of two sequences of actions done one after the other, each with
/// what the first and the second thread have seen.
type Outcomes<M> = BTreeSet<(M, Vec<Seen>, Vec<Seen>)>;

/// The outcomes of a sequence of actions done in one step.
fn sequence<M: Model>(state: &M, actions: &[Action], thread: Thread) -> Vec<(M, Vec<Seen>)> {
    let mut outcomes = vec![(state.clone(), Vec::new())];
    for &action in actions {
        let mut next = Vec::new();
        for (state, seen) in outcomes {
            if !state.can_be_next(action.0, thread) {
                continue;
            }
            for (after, what) in state.run(action, thread) {
                let mut seen: Vec<Seen> = seen.clone();
                seen.push(what);
                next.push((after, seen));
            }
        }
        outcomes = next;
    }
    outcomes
}

/// A step of a thread: actions that it does at once.
type Step<'a> = (&'a [Action], Thread);

/// The outcomes of one step and then another.
fn both<M: Model>(state: &M, first: Step<'_>, second: Step<'_>) -> Outcomes<M> {
    let mut outcomes = Outcomes::new();
    for (middle, seen_first) in sequence(state, first.0, first.1) {
        for (last, seen_second) in sequence(&middle, second.0, second.1) {
            outcomes.insert((last, seen_first.clone(), seen_second));
        }
    }
    outcomes
}

/// The same outcomes with the threads named in the other order.
fn swapped<M: Model>(outcomes: Outcomes<M>) -> Outcomes<M> {
    let swap = |(state, first, second)| (state, second, first);
    outcomes.into_iter().map(swap).collect()
}

/// The definition of independence in a state.
fn really_independent<M: Model>(state: &M, a: Step<'_>, b: Step<'_>) -> bool {
    let ways = |state: &M, step: Step<'_>| sequence(state, step.0, step.1).len();
    let leaves_alone = |a: Step<'_>, b: Step<'_>| {
        sequence(state, a.0, a.1)
            .iter()
            .all(|(after, _)| ways(after, b) == ways(state, b))
    };
    leaves_alone(a, b)
        && leaves_alone(b, a)
        && (ways(state, a) == 0
            || ways(state, b) == 0
            || both(state, a, b) == swapped(both(state, b, a)))
}

/// The definition of left-commutation, in a state: "theirs, mine" is in "mine, theirs".
fn really_left_commutes<M: Model>(state: &M, mine: Step<'_>, theirs: Step<'_>) -> bool {
    swapped(both(state, theirs, mine)).is_subset(&both(state, mine, theirs))
}

/// Whether a property of two actions, of threads `I` and `J`, holds in all states in
/// which they can be the threads' next actions.
fn everywhere<M: Model>(
    a: Operation,
    b: Operation,
    holds: impl Fn(&M, Step<'_>, Step<'_>) -> bool,
) -> bool {
    everywhere_in(&M::all(), a, b, holds)
}

/// The same, for some states.
fn everywhere_in<M: Model>(
    states: &[M],
    a: Operation,
    b: Operation,
    holds: impl Fn(&M, Step<'_>, Step<'_>) -> bool,
) -> bool {
    states
        .iter()
        .filter(|state| state.can_be_next(a, I) && state.can_be_next(b, J))
        .all(|state| {
            M::actions(a).into_iter().all(|action_a| {
                M::actions(b)
                    .into_iter()
                    .all(|action_b| holds(state, (&[action_a], I), (&[action_b], J)))
            })
        })
}

/// All pairs of operations on a kind of object.
fn pairs<M: Model>() -> Vec<(Operation, Operation)> {
    let operations = M::KIND.operations();
    let with = |&a| operations.iter().map(move |&b| (a, b));
    operations.iter().flat_map(with).collect()
}

/// The checks that are the same for every kind.
mod checks {
    use super::*;

    pub(super) fn unconditional_independence_is_exact<M: Model>() {
        for (a, b) in pairs::<M>() {
            let real = everywhere::<M>(a, b, really_independent);
            assert_eq!(independent(a, b), real, "{a} and {b}");
            assert_eq!(a.dependents().contains(b), !real, "{a} and {b}");
        }
    }

    /// Exact: the states that look the same to the kernel are taken together, and the
    /// operations must be independent in all of them, or else dependent in one.
    pub(super) fn conditional_independence_is_exact<M: Model>() {
        for seen in observations::<M>() {
            let states = states_seen_as::<M>(&seen);
            for (a, b) in pairs::<M>() {
                let mut possible = states.iter();
                if !possible.any(|s| s.can_be_next(a, I) && s.can_be_next(b, J)) {
                    continue;
                }
                let real = everywhere_in(&states, a, b, really_independent);
                let claim = independent_in(a, I, b, J, &seen);
                assert_eq!(claim, real, "{a} and {b} in {seen:?}");
                assert_eq!(claim, independent_in(b, J, a, I, &seen), "symmetry");
            }
        }
    }

    pub(super) fn left_commutation_is_exact<M: Model>() {
        for (a, b) in pairs::<M>() {
            let real = everywhere::<M>(a, b, really_left_commutes);
            assert_eq!(left_commutes(a, b), real, "{a} before {b}");
        }
    }

    pub(super) fn changes_are_exact<M: Model>() {
        let changed = |state: &M, action, thread| {
            let outcomes = state.run(action, thread);
            outcomes.iter().any(|(after, _)| after != state)
        };
        for &operation in M::KIND.operations() {
            let mut ever = false;
            for seen in observations::<M>() {
                let states = states_seen_as::<M>(&seen);
                let mut possible = states.iter().filter(|s| s.can_be_next(operation, I));
                let real = possible.any(|state| {
                    let mut actions = M::actions(operation).into_iter();
                    actions.any(|action| changed(state, action, I))
                });
                ever |= real;
                if states.iter().any(|s| s.can_be_next(operation, I)) {
                    let claim = changes_in(operation, I, &seen);
                    assert_eq!(claim, real, "{operation} in {seen:?}");
                }
            }
            assert_eq!(changes(operation), ever, "{operation}");
        }
    }

    pub(super) fn blocking_is_exact<M: Model>() {
        for &operation in M::KIND.operations() {
            let blocked = blocked_states::<M>(operation);
            assert_eq!(may_block(operation), !blocked.is_empty(), "{operation}");
        }
    }

    /// Without the operations that are said to enable a blocked one, others can do
    /// whatever they like: it stays blocked.
    pub(super) fn enabling_operations_are_necessary<M: Model>() {
        for &operation in M::KIND.operations() {
            for (state, action) in blocked_states::<M>(operation) {
                let by = enabled_by_in(operation, I, &state.observe());
                assert!(!by.is_empty(), "{operation} is blocked in {state:?}");
                let all = enabled_by(operation);
                assert!(by.iter().all(|one| all.contains(one)), "{operation}");
                assert!(
                    !can_be_enabled(&state, action, by.complement()),
                    "{operation} in {state:?} is enabled by something else than {by:?}"
                );
            }
        }
    }

    /// Each of the enabling operations is needed: from some state that blocks, it
    /// enables without the help of the others.
    pub(super) fn each_enabling_operation_is_needed<M: Model>() {
        let kind = Operations::of(M::KIND.operations());
        for &operation in M::KIND.operations() {
            for one in enabled_by(operation).iter().filter(|&o| kind.contains(o)) {
                let mut blocked = blocked_states::<M>(operation).into_iter();
                let needed = blocked.any(|(state, action)| {
                    let by = enabled_by_in(operation, I, &state.observe());
                    let allowed = by.complement().with(one);
                    by.contains(one) && can_be_enabled(&state, action, allowed)
                });
                assert!(needed, "{operation} by {one}");
            }
        }
    }

    /// What moves to the left can be done before what others did, what moves to the
    /// right after what they do next.
    pub(super) fn movers_move<M: Model>() {
        for &operation in M::KIND.operations() {
            let claim = mover(operation);
            for other in rivals(operation, M::KIND).iter() {
                let left = everywhere::<M>(operation, other, really_left_commutes);
                let right = everywhere::<M>(other, operation, really_left_commutes);
                assert!(left || !claim.is_left(), "{operation} before {other}");
                assert!(right || !claim.is_right(), "{operation} after {other}");
            }
        }
    }

    /// The state of a right mover is that in which it is done, before the other one;
    /// that of a left mover as well, after the other one.
    pub(super) fn movers_in_a_state_move<M: Model>() {
        for &operation in M::KIND.operations() {
            for other in rivals(operation, M::KIND).iter() {
                everywhere::<M>(operation, other, |state, mine, theirs| {
                    if mover_in(operation, I, &state.observe()).is_right() {
                        let moves = really_left_commutes(state, theirs, mine);
                        assert!(moves, "{operation} after {other} in {state:?}");
                    }
                    let middle = sequence(state, theirs.0, theirs.1);
                    let is_left = |s: &M| mover_in(operation, I, &s.observe()).is_left();
                    if !middle.is_empty() && middle.iter().all(|(s, _)| is_left(s)) {
                        let moves = really_left_commutes(state, mine, theirs);
                        assert!(moves, "{operation} before {other} in {state:?}");
                    }
                    true
                });
            }
        }
    }

    /// No mover is withheld: each is what the table of commutations makes of it.
    pub(super) fn movers_are_those_of_the_table<M: Model>() {
        for &operation in M::KIND.operations() {
            let table = mover_against(operation, rivals(operation, M::KIND));
            assert_eq!(mover(operation), table, "{operation}");
        }
    }
}

/// What the kernel can be told about an object of a kind.
fn observations<M: Model>() -> Vec<ObjectState> {
    let mut observations: Vec<ObjectState> = Vec::new();
    for state in M::all() {
        if !observations.contains(&state.observe()) {
            observations.push(state.observe());
        }
    }
    observations
}

/// The states that look the same to the kernel.
fn states_seen_as<M: Model>(seen: &ObjectState) -> Vec<M> {
    let mut states = M::all();
    states.retain(|state| state.observe() == *seen);
    states
}

/// The states in which an operation of thread `I` has to wait.
fn blocked_states<M: Model>(operation: Operation) -> Vec<(M, Action)> {
    let mut blocked = Vec::new();
    for state in M::all() {
        for action in M::actions(operation) {
            let next = state.is_there(I) && state.can_be_next(operation, I);
            if next && !state.enabled(action, I) {
                blocked.push((state.clone(), action));
            }
        }
    }
    blocked
}

/// Whether the other threads can enable an action of thread `I` by doing operations
/// of a set as often as they like.
fn can_be_enabled<M: Model>(state: &M, action: Action, allowed: Operations) -> bool {
    let mut known = BTreeSet::from([state.clone()]);
    let mut open = vec![state.clone()];
    let changing = M::KIND.operations().iter().copied().filter(|&o| changes(o));
    let actions: Vec<Action> = changing
        .filter(|&operation| allowed.contains(operation))
        .flat_map(M::actions)
        .collect();
    while let Some(state) = open.pop() {
        if state.enabled(action, I) {
            return true;
        }
        for &thread in &THREADS[1..] {
            for &other in actions.iter().filter(|a| state.can_be_next(a.0, thread)) {
                for (next, _) in state.run(other, thread) {
                    if next.is_small() && known.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
        }
    }
    false
}

/// The operations of others across which a mover has to move: nobody reads a
/// synchronisation object, and a thread that finishes has been started.
fn rivals(operation: Operation, kind: Kind) -> Operations {
    let all = Operations::of(kind.operations());
    match (kind, operation) {
        (Kind::Variable, _) => all,
        (_, Operation::Finish) => all.without(Operation::Read).without(Operation::Start),
        _ => all.without(Operation::Read),
    }
}

#[test]
fn a_reader_of_a_lock_spoils_its_movers() {
    let acquire = mover_against(Operation::Acquire, Operations::of(&[Operation::Read]));
    assert_eq!(acquire, Mover::Neither);
    // A variable that the others only read, and a counter that they only add to.
    let read = mover_against(Operation::Read, Operations::of(&[Operation::Read]));
    assert_eq!(read, Mover::Both);
    let add = mover_against(Operation::Add, Operations::of(&[Operation::Add]));
    assert_eq!(add, Mover::Both);
}

#[test]
fn a_reentrant_acquire_moves_in_both_directions() {
    let owned = ObjectState::Monitor {
        owner: Some(I),
        depth: 2,
        waiting: Vec::new(),
        notified: Vec::new(),
    };
    assert_eq!(mover_in(Operation::Acquire, I, &owned), Mover::Both);
    assert_eq!(mover_in(Operation::Release, I, &owned), Mover::Both);
    assert_eq!(mover_in(Operation::Acquire, J, &owned), Mover::Right);
    assert_eq!(mover_in(Operation::Wait, I, &owned), Mover::Left);
}

#[test]
fn a_start_moves_left_if_nobody_else_starts_the_thread() {
    let others = Operations::of(&[Operation::Join, Operation::Finish]);
    assert_eq!(mover_against(Operation::Start, others), Mover::Left);
}

/// Fig. 3 of paper 002 claims independence only where there is. Its acquire stands
/// for an acquire and for the resumption after a wait.
#[test]
fn figure_3_is_sound() {
    use Operation::{Acquire, Notify, NotifyAll, Release, Wait, WaitResume};
    let figure = |state: &Monitor, op_i: Operation, op_j: Operation| {
        let waiting = matches!(state.stands[I.index()], Stand::Waiting(_));
        match (op_i, op_j) {
            (Acquire | WaitResume, Acquire | WaitResume) => state.owner.is_some(),
            (Acquire | WaitResume, Release | Wait) => state.owner != Some(J),
            (Acquire | WaitResume, _) => state.owner != Some(J) || !waiting,
            _ => true,
        }
    };
    for state in Monitor::all() {
        for op_i in [Acquire, WaitResume, Release, Wait, Notify, NotifyAll] {
            for op_j in [Acquire, Release, Wait, Notify, NotifyAll] {
                let symmetric = op_j == Acquire && op_i != Acquire && op_i != WaitResume;
                let next = state.can_be_next(op_i, I) && state.can_be_next(op_j, J);
                if next && !symmetric && figure(&state, op_i, op_j) {
                    let claim = independent_in(op_i, I, op_j, J, &state.observe());
                    assert!(claim, "{op_i} and {op_j} in {state:?}");
                }
            }
        }
    }
}

/// Where the kernel is finer than Fig. 3: each of these is dependent there.
#[test]
fn figure_3_is_coarser_than_need_be() {
    let state = |waiting: &[Thread]| ObjectState::Monitor {
        owner: Some(J),
        depth: 2,
        waiting: waiting.to_vec(),
        notified: Vec::new(),
    };
    let free_of = |a, b, waiting: &[Thread]| independent_in(a, I, b, J, &state(waiting));
    assert!(free_of(Operation::Acquire, Operation::Release, &[]));
    assert!(free_of(Operation::WaitResume, Operation::Release, &[I]));
    assert!(free_of(Operation::WaitResume, Operation::Wait, &[I]));
    assert!(free_of(Operation::WaitResume, Operation::Notify, &[I]));
    assert!(free_of(Operation::WaitResume, Operation::NotifyAll, &[I]));
}

const OBJECT: Object = Object {
    region: Region(0),
    index: 0,
};

/// The footprint of a step with these alternatives, all on the same object.
fn footprint(alternatives: &[&[Action]]) -> Footprint {
    let mut footprint = Footprint::default();
    for alternative in alternatives {
        for &(operation, _) in *alternative {
            footprint.add(OBJECT, operation);
        }
    }
    if let [_] = alternatives {
        footprint.mark_exact();
    }
    footprint
}

/// All sequences of one to `length` operations.
fn sequences<M: Model>(length: usize) -> Vec<Vec<Action>> {
    let mut all: Vec<Vec<Action>> = vec![Vec::new()];
    let mut begin = 0;
    for _ in 0..length {
        let end = all.len();
        for index in begin..end {
            for &operation in M::KIND.operations() {
                for action in M::actions(operation).into_iter().take(2) {
                    let mut longer = all[index].clone();
                    longer.push(action);
                    all.push(longer);
                }
            }
        }
        begin = end;
    }
    all.remove(0);
    all
}

/// Whether two steps, each with its alternatives, are claimed to be independent in
/// a state; if so, they must be, each alternative with each.
fn claim<M: Model>(state: &M, a: &[&[Action]], b: &[&[Action]]) -> bool {
    let (mine, theirs) = (footprint(a), footprint(b));
    let claim = mine.independent_in(I, &theirs, J, |_| state.observe());
    if !mine.conflicts(&theirs) {
        assert!(claim, "{a:?} and {b:?} never conflict, but do in {state:?}");
    }
    if claim {
        for &one in a {
            for &other in b {
                let real = really_independent(state, (one, I), (other, J));
                assert!(real, "{a:?} and {b:?} in {state:?}");
            }
        }
    }
    claim
}

/// Claims about all pairs of sequences in some states; how many say independent.
fn claims<M: Model>(states: &[M], mine: &[Vec<Action>], theirs: &[Vec<Action>]) -> usize {
    let mut independent = 0;
    for state in states {
        for a in mine.iter().filter(|a| state.can_be_next(a[0].0, I)) {
            for b in theirs.iter().filter(|b| state.can_be_next(b[0].0, J)) {
                independent += usize::from(claim(state, &[a], &[b]));
            }
        }
    }
    independent
}

#[test]
fn footprints_of_several_operations_are_sound() {
    fn check<M: Model>() {
        assert!(claims::<M>(&M::all(), &sequences::<M>(3), &sequences::<M>(2)) > 0);
    }
    check::<Variable>();
    check::<Semaphore>();
    check::<Channel>();
    check::<Started>();
}

#[test]
fn footprints_of_several_monitor_operations_are_sound() {
    let mut states = Monitor::all();
    let deep = |stand: &Stand| matches!(stand, Stand::Waiting(2) | Stand::Notified(2));
    states.retain(|state| !state.stands.iter().any(deep));
    let short = sequences::<Monitor>(2);
    assert!(claims(&states, &short, &short) > 0);
    let single = sequences::<Monitor>(1);
    assert!(claims(&states, &sequences::<Monitor>(3), &single) > 0);
}

/// Alternatives of a choice end up in one footprint; the claims hold for each.
#[test]
fn footprints_of_choices_are_sound() {
    fn check<M: Model>(states: &[M], length: usize) {
        let (mine, theirs) = (sequences::<M>(length), sequences::<M>(1));
        for state in states {
            for a in mine.iter().filter(|a| state.can_be_next(a[0].0, I)) {
                for b in mine.iter().filter(|b| state.can_be_next(b[0].0, I)) {
                    for c in theirs.iter().filter(|c| state.can_be_next(c[0].0, J)) {
                        claim(state, &[a, b], &[c]);
                    }
                }
            }
        }
    }
    check(&Semaphore::all(), 2);
    check(&Channel::all(), 2);
    let mut states = Monitor::all();
    states.retain(|state| !state.stands.contains(&Stand::Waiting(2)));
    check(&states, 1);
}

/// Two units are not one: the footprints are equal as sets of accesses.
#[test]
fn taking_twice_is_not_taking_once() {
    let (down, up) = ((Operation::Down, 0), (Operation::Up, 0));
    assert!(claim(&Semaphore(1), &[&[down]], &[&[up]]));
    assert!(!claim(&Semaphore(1), &[&[down, down]], &[&[up]]));
    assert_eq!(footprint(&[&[down, down]]).accesses().len(), 1);
}

const PASSAGE: [Action; 2] = [(Operation::Acquire, 0), (Operation::Release, 0)];

/// Equation (4) of paper 002 is refuted: in a free monitor, the acquire of another
/// thread disables a step that acquires and releases it; in an owned one, the release
/// enables it.
#[test]
fn a_passage_is_not_independent_of_everything() {
    let outside = [Stand::Outside; 3];
    let monitor = |owner: Option<Thread>| Monitor {
        owner,
        depth: u8::from(owner.is_some()),
        stands: outside,
    };
    let (free, owned) = (monitor(None), monitor(Some(J)));
    let step = (&PASSAGE[..], I);
    for (state, operation) in [
        (&free, Operation::Acquire),
        (&owned, Operation::Release),
        (&owned, Operation::Wait),
    ] {
        let other: Step<'_> = (&[(operation, 0)], J);
        assert!(!really_independent(state, step, other), "{operation}");
        assert!(!claim(state, &[&PASSAGE], &[other.0]), "{operation}");
    }
}

/// What is left of equation (4) is exact: a passage is called dependent on a single
/// operation or another passage only where it is.
#[test]
fn passages_are_exact() {
    let mut others = sequences::<Monitor>(1);
    others.push(PASSAGE.to_vec());
    for state in Monitor::all() {
        for other in others.iter().filter(|o| state.can_be_next(o[0].0, J)) {
            if state.can_be_next(Operation::Acquire, I) {
                let real = really_independent(&state, (&PASSAGE, I), (other, J));
                let claimed = claim(&state, &[&PASSAGE], &[other]);
                assert_eq!(claimed, real, "{other:?} in {state:?}");
                let (mine, theirs) = (footprint(&[&PASSAGE]), footprint(&[other]));
                let reverse = theirs.independent_in(J, &mine, I, |_| state.observe());
                assert_eq!(claimed, reverse, "symmetry");
            }
        }
    }
    assert!(!footprint(&[&PASSAGE]).conflicts(&footprint(&[&PASSAGE])));
}

/// An acquire in one choice and a release in another are not a passage.
#[test]
fn only_an_exact_footprint_has_a_passage() {
    let choices: [&[Action]; 2] = [&PASSAGE[..1], &PASSAGE[1..]];
    assert!(footprint(&choices).conflicts(&footprint(&choices)));
    let mut twice = footprint(&[&PASSAGE]);
    twice.add(OBJECT, Operation::Acquire);
    twice.mark_exact();
    assert!(twice.conflicts(&footprint(&[&PASSAGE])));
    let mut late = footprint(&[&PASSAGE[..1]]);
    late.add(OBJECT, Operation::Release);
    assert!(late.conflicts(&footprint(&[&PASSAGE])));
}

#[test]
fn footprints_on_different_objects_are_independent() {
    let other = Object { index: 1, ..OBJECT };
    let (mut mine, mut theirs) = (Footprint::default(), Footprint::default());
    mine.add(OBJECT, Operation::Write);
    mine.add(other, Operation::Read);
    theirs.add(other, Operation::Read);
    assert!(!mine.conflicts(&theirs));
    assert!(mine.independent_in(I, &theirs, J, |_| ObjectState::Opaque));
    assert!(!mine.independent_in(I, &theirs, I, |_| ObjectState::Opaque));
    theirs.add(OBJECT, Operation::Read);
    assert!(mine.conflicts(&theirs) && theirs.conflicts(&mine));
    assert!(!mine.independent_in(I, &theirs, J, |_| ObjectState::Opaque));
    mine.clear();
    assert_eq!(mine, Footprint::default());
}

#[test]
fn operations_of_one_thread_are_never_independent() {
    for a in Operation::ALL {
        assert!(!independent_in(a, I, a, I, &ObjectState::Opaque));
    }
}

/// Operations that never meet are called dependent, and so is all that is unknown.
#[test]
fn what_does_not_fit_is_dependent() {
    let apart = |a: Operation, b: Operation| {
        let kinds = Kind::ALL.iter();
        !kinds
            .into_iter()
            .any(|kind| kind.operations().contains(&a) && kind.operations().contains(&b))
    };
    let states = [
        ObjectState::Opaque,
        Monitor::all()[0].observe(),
        ObjectState::Semaphore(2),
        Channel::all()[3].observe(),
    ];
    for a in Operation::ALL {
        for b in Operation::ALL {
            if apart(a, b) {
                assert!(!independent(a, b) && !left_commutes(a, b), "{a} and {b}");
                for state in &states {
                    assert!(!independent_in(a, I, b, J, state), "{a} and {b}");
                }
            }
            let opaque = independent_in(a, I, b, J, &ObjectState::Opaque);
            assert_eq!(opaque, independent(a, b), "{a} and {b}");
        }
    }
}

#[test]
fn names_and_kinds_fit_together() {
    let mut names = BTreeSet::new();
    for (index, operation) in Operation::ALL.into_iter().enumerate() {
        assert_eq!(operation as usize, index);
        assert!(names.insert(operation.name()), "{operation} is there twice");
        for kind in Kind::ALL {
            let applies = operation.kinds().contains(&kind);
            assert_eq!(kind.operations().contains(&operation), applies);
        }
    }
    assert_eq!(Operation::NotifyAll.to_string(), "notify-all");
    assert_eq!(Operations::ALL.iter().count(), Operation::ALL.len());
    assert!(Operations::ALL.complement().is_empty());
}

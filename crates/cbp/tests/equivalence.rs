//! Theorem 3.4 and its like: the program, its global machine and its net do the same, and the
//! reduced machine does the same as far as it can be seen.

use crate::common;

use common::{Taste, program, random_program};
use raddle_cbp::interpreter::State;
use raddle_cbp::machines::{LocalState, Signal};
use raddle_cbp::program::{Action, Cell};
use raddle_cbp::reduced::Options;
use raddle_cbp::{Interpreter, Limits, Machines, Program, Translation, live_machines, machines};
use raddle_cover::{Firing, Marking, Run, check_run};
use raddle_model::{Halt, Invariants, Status, System, Thread};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

const TASTE: Taste = Taste {
    loops: true,
    unbounded: true,
};

/// The most states that are worth comparing.
const MOST: usize = 4000;

/// All states of a program with at most so many threads, and whether it fails.
struct Explored {
    system: Interpreter,
    states: Vec<State>,
    fails: bool,
}

fn explore(program: &Program, threads: usize) -> Option<Explored> {
    let system = Interpreter::new(program.clone(), Limits { threads });
    let initial = system.initial().expect("there is an initial state");
    let mut seen = HashMap::from([(encode(&system, &initial), ())]);
    let mut states = vec![initial];
    let (mut next, mut fails) = (0, false);
    while next < states.len() {
        for number in 0..system.threads(&states[next]) as u32 {
            let thread = Thread(number);
            let Status::Ready { choices } = system.status(&states[next], thread) else {
                continue;
            };
            for choice in 0..choices {
                let mut state = states[next].clone();
                match system.step(&mut state, thread, choice) {
                    Ok(()) => {
                        if seen.insert(encode(&system, &state), ()).is_none() {
                            states.push(state);
                        }
                    }
                    Err(Halt::Fault(_)) => fails = true,
                    Err(_) => {}
                }
            }
        }
        if states.len() > MOST {
            return None;
        }
        next += 1;
    }
    Some(Explored {
        system,
        states,
        fails,
    })
}

fn encode(system: &Interpreter, state: &State) -> Vec<u32> {
    let mut scratch = Vec::new();
    system.encode(state, &mut scratch).to_vec()
}

/// A state of a global machine: how many local machines are in each state, and the cells.
type Global = (
    BTreeMap<(usize, LocalState), usize>,
    BTreeMap<Cell, Option<bool>>,
);

/// The states of a global machine with at most so many local ones, and whether one fails.
/// This follows the definitions of section 3.2.1 and shares nothing with the net.
fn runs(machines: &Machines, most: usize) -> (BTreeSet<Global>, bool) {
    let program = &machines.program;
    let main = &machines.locals[program.main];
    let first = main.states[main.initial[0]].clone();
    let globals = (0..program.globals.len()).map(Cell::Global);
    let cells = globals.map(|cell| {
        let is_chosen = machines.locals.iter().flat_map(|it| &it.transitions);
        let mut is_chosen = is_chosen.map(|it| &it.signal);
        let chosen =
            is_chosen.any(|it| matches!(it, Signal::Choose(g) if Cell::Global(*g) == cell));
        (cell, (!chosen).then_some(false))
    });
    let locks = (0..program.locks.len()).map(|lock| (Cell::Lock(lock), Some(false)));
    let initial: Global = (
        BTreeMap::from([((program.main, first), 1)]),
        cells.chain(locks).collect(),
    );
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut waiting = vec![initial];
    let mut fails = false;
    while let Some(global) = waiting.pop() {
        for next in successors(machines, &global) {
            let failed = |it: &LocalState| matches!(program.point(it.point).action, Action::Failed);
            if next.0.keys().any(|(_, it)| failed(it)) {
                fails = true;
            } else if next.0.values().sum::<usize>() <= most && seen.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    (seen, fails)
}

fn successors(machines: &Machines, global: &Global) -> Vec<Global> {
    let take = |global: &mut Global, machine: usize, state: usize| {
        let key = (machine, machines.locals[machine].states[state].clone());
        let count = global.0.get_mut(&key)?;
        *count -= 1;
        if *count == 0 {
            global.0.remove(&key);
        }
        Some(())
    };
    let put = |global: &mut Global, machine: usize, state: usize| {
        let key = (machine, machines.locals[machine].states[state].clone());
        *global.0.entry(key).or_default() += 1;
    };
    let all = |wanted: &Signal| {
        let locals = machines.locals.iter().enumerate();
        let found = locals.flat_map(|(machine, local)| {
            let transitions = local.transitions.iter();
            transitions.map(move |it| (machine, it.clone()))
        });
        let wanted = wanted.clone();
        found.filter(move |(_, it)| it.signal == wanted)
    };
    let mut next = Vec::new();
    for (machine, local) in machines.locals.iter().enumerate() {
        for transition in &local.transitions {
            let mut guard = transition.guard.iter();
            if !guard.all(|(cell, &value)| global.1[cell] == Some(value)) {
                continue;
            }
            let mut moved = global.clone();
            if take(&mut moved, machine, transition.from).is_none() {
                continue;
            }
            for (&cell, &value) in &transition.action {
                moved.1.insert(cell, Some(value));
            }
            let finish = |mut global: Global| {
                put(&mut global, machine, transition.to);
                global
            };
            match &transition.signal {
                Signal::Internal | Signal::Choose(_) => next.push(finish(moved)),
                Signal::Start(thread, state) => {
                    put(&mut moved, *thread, *state);
                    next.push(finish(moved));
                }
                Signal::Send(channel, values) => {
                    for (other, reception) in all(&Signal::Receive(*channel, values.clone())) {
                        let mut met = moved.clone();
                        if take(&mut met, other, reception.from).is_some() {
                            put(&mut met, other, reception.to);
                            next.push(finish(met));
                        }
                    }
                }
                Signal::Wakeup(message) => {
                    let mut nobody = true;
                    for (other, reception) in all(&Signal::Woken(*message)) {
                        let mut woken = moved.clone();
                        if take(&mut woken, other, reception.from).is_some() {
                            put(&mut woken, other, reception.to);
                            next.push(finish(woken));
                            nobody = false;
                        }
                    }
                    if nobody {
                        next.push(finish(moved));
                    }
                }
                Signal::WakeupAll(message) => {
                    for (other, reception) in all(&Signal::WokenWithAll(*message)) {
                        while take(&mut moved, other, reception.from).is_some() {
                            put(&mut moved, other, reception.to);
                        }
                    }
                    next.push(finish(moved));
                }
                Signal::Receive(..) | Signal::Woken(_) | Signal::WokenWithAll(_) => {}
            }
        }
    }
    next
}

/// The function Φ of definition 3.7.
fn global(explored: &Explored, state: &State) -> Global {
    let Explored { system, .. } = explored;
    let program = system.program();
    let mut threads = BTreeMap::new();
    let mut cells = BTreeMap::new();
    let globals = (0..program.globals.len()).map(Cell::Global);
    for cell in globals.chain((0..program.locks.len()).map(Cell::Lock)) {
        cells.insert(cell, Some(system.cell(state, cell)));
    }
    for number in 0..system.threads(state) as u32 {
        let thread = Thread(number);
        let point = system.point(state, thread);
        let locals = system.locals(state, thread);
        let local = LocalState { point, locals };
        *threads
            .entry((program.point(point).thread, local))
            .or_default() += 1;
        for later in program.reachable_from([point]) {
            if let (Action::Choose { .. }, Action::Choose { variable, .. }) =
                (&program.point(point).action, &program.point(later).action)
                && let raddle_cbp::program::Variable::Global(index) = variable
            {
                cells.insert(Cell::Global(*index), None);
            }
        }
    }
    (threads, cells)
}

/// The markings of a net with at most so many threads, and a run to an unsafe one, if any.
struct Markings {
    all: BTreeSet<Marking>,
    fails: bool,
    unsafe_run: Option<Run>,
}

fn markings(translation: &Translation, most: usize) -> Option<Markings> {
    let Translation { net, machines, .. } = translation;
    assert_eq!(net.defect(), None);
    let states: usize = machines.locals.iter().map(|it| it.states.len()).sum();
    let failed: Vec<usize> = machines
        .locals
        .iter()
        .flat_map(|it| &it.states)
        .enumerate()
        .filter(|(_, it)| matches!(machines.program.point(it.point).action, Action::Failed))
        .map(|(place, _)| place)
        .collect();
    let mut from: BTreeMap<Marking, Option<(Marking, Firing)>> = BTreeMap::new();
    from.insert(net.least.clone(), None);
    let mut waiting = VecDeque::from([net.least.clone()]);
    let (mut fails, mut bad) = (false, None);
    while let Some(marking) = waiting.pop_front() {
        if bad.is_none() && net.is_unsafe(&marking) {
            bad = Some(marking.clone());
        }
        if failed.iter().any(|&place| marking[place] > 0) {
            fails = true;
            continue;
        }
        for (firing, next) in net.successors(&marking) {
            let threads: u32 = next[..states].iter().sum();
            if threads as usize <= most && !from.contains_key(&next) {
                from.insert(next.clone(), Some((marking.clone(), firing)));
                waiting.push_back(next);
            }
        }
        if from.len() > 4 * MOST {
            return None;
        }
    }
    let unsafe_run = bad.map(|mut at| {
        let mut firings = Vec::new();
        while let Some(Some((before, firing))) = from.get(&at) {
            firings.push(*firing);
            at = before.clone();
        }
        firings.reverse();
        Run {
            initial: net.least.clone(),
            firings,
        }
    });
    let is_program = |it: &Marking| failed.iter().all(|&place| it[place] == 0);
    Some(Markings {
        all: from.into_keys().filter(is_program).collect(),
        fails,
        unsafe_run,
    })
}

/// A run of a net is an execution of the program, and a trace can be told of it.
fn check_replay(translation: &Translation, run: &Run, what: &str) -> usize {
    check_run(&translation.net, run).expect("the run is possible");
    let violation = translation
        .replay(run)
        .unwrap_or_else(|error| panic!("{error}\n{what}"));
    let program = translation.machines.program.clone();
    let system = Interpreter::new(program, Limits::default()).unlimited();
    let trace = raddle_search::replay(&system, &violation.schedule, &violation.property);
    trace.expect("it can be replayed").steps.len()
}

fn is_unsafe(explored: &Explored) -> bool {
    let system = &explored.system;
    let mut states = explored.states.iter();
    explored.fails || states.any(|state| system.check_invariants(state).is_err())
}

#[test]
fn program_machine_and_net() {
    let (mut compared, mut replayed) = (0, 0);
    for seed in 0..250 {
        let source = random_program(seed, TASTE);
        let program = program(&source);
        let machines = machines(&program).expect("it is small");
        let translation = machines.net().expect("its sets are small");
        for threads in 1..=4 {
            let Some(explored) = explore(&program, threads) else {
                break;
            };
            let what = format!("seed {seed}, {threads} threads\n{source}");
            // With the global machine, by the function Φ.
            let states: BTreeSet<Global> = explored
                .states
                .iter()
                .map(|it| global(&explored, it))
                .collect();
            let (run, fails) = runs(&machines, threads);
            assert!(run == states, "global machine, {what}");
            assert_eq!(fails, explored.fails, "global machine, {what}");
            // With the net.
            let expected: BTreeSet<Marking> = explored
                .states
                .iter()
                .map(|it| translation.marking(&explored.system, it))
                .map(|it| it.expect("every state has a marking"))
                .collect();
            let found = markings(&translation, threads).expect("it has no more markings");
            assert!(found.all == expected, "net, {what}");
            assert_eq!(found.fails, explored.fails, "net, {what}");
            assert_eq!(
                found.unsafe_run.is_some(),
                is_unsafe(&explored),
                "net, {what}"
            );
            if let Some(run) = found.unsafe_run {
                check_replay(&translation, &run, &what);
                replayed += 1;
            }
            compared += 1;
        }
    }
    assert!(compared > 500 && replayed > 100, "{compared} {replayed}");
}

/// Local variables that nobody looks at make no difference: the net without them reaches the
/// same markings, and has fewer places; so does one with sums of tokens.
#[test]
fn live_variables_and_sums() {
    let (mut compared, mut replayed, mut smaller, mut sums) = (0, 0, 0, 0);
    for seed in 0..250 {
        let source = random_program(seed, TASTE);
        let program = program(&source);
        let all = machines(&program).expect("it is small");
        let live = live_machines(&program).expect("it is small");
        let size = |it: &Machines| it.locals.iter().map(|it| it.states.len()).sum::<usize>();
        smaller += usize::from(size(&live) < size(&all));
        let translation = live.net_with_sums(1).expect("its sets are small");
        let places = &translation.net.places;
        sums += usize::from(places.iter().any(|name| name.starts_with('#')));
        for threads in 1..=3 {
            let Some(explored) = explore(&program, threads) else {
                break;
            };
            let what = format!("seed {seed}, {threads} threads\n{source}");
            let states = explored.states.iter();
            let expected: BTreeSet<Marking> = states
                .map(|it| translation.marking(&explored.system, it))
                .map(|it| it.expect("every state has a marking"))
                .collect();
            let found = markings(&translation, threads).expect("it has no more markings");
            assert!(found.all == expected, "net, {what}");
            assert_eq!(found.fails, explored.fails, "net, {what}");
            let is_unsafe = is_unsafe(&explored);
            assert_eq!(found.unsafe_run.is_some(), is_unsafe, "net, {what}");
            if let Some(run) = found.unsafe_run {
                check_replay(&translation, &run, &what);
                replayed += 1;
            }
            compared += 1;
        }
    }
    assert!(compared > 400 && replayed > 80, "{compared} {replayed}");
    assert!(smaller > 20 && sums > 20, "{smaller} {sums}");
}

/// Compares the reduced machine with the program, for one to so many threads: the states in
/// which all threads are at points that the machine has, and whether an unsafe one is among
/// all of them. Tells how many comparisons there were, and how many runs were replayed.
fn compare_reduced(source: &str, options: Options, most: usize) -> (usize, usize) {
    let machines = machines(&program(source)).expect("it is small");
    let reduced = machines.reduced(options).expect("it is small");
    let (compared, replayed) = compare_with(&reduced, usize::MAX, source, options, most);
    // The same with nothing but live variables, and with sums of tokens wherever possible.
    let live = live_machines(&program(source)).expect("it is small");
    let reduced = live.reduced(options).expect("it is small");
    let (also_compared, also_replayed) = compare_with(&reduced, 1, source, options, most);
    (compared + also_compared, replayed + also_replayed)
}

fn compare_with(
    reduced: &Machines,
    few: usize,
    source: &str,
    options: Options,
    most: usize,
) -> (usize, usize) {
    let (mut compared, mut replayed) = (0, 0);
    let program = program(source);
    let translation = reduced.net_with_sums(few).expect("its sets are small");
    let kept = reduced.locals.iter().flat_map(|it| &it.states);
    let kept: BTreeSet<_> = kept.map(|it| it.point).collect();
    for threads in 1..=most {
        let Some(explored) = explore(&program, threads) else {
            break;
        };
        let what = format!("{threads} threads, {options:?}\n{source}");
        let system = &explored.system;
        let is_visible = |state: &&State| {
            let mut all = (0..system.threads(state) as u32).map(Thread);
            all.all(|thread| kept.contains(&system.point(state, thread)))
        };
        let visible = explored.states.iter().filter(is_visible);
        let expected: BTreeSet<Marking> = visible
            .map(|it| translation.marking(system, it))
            .map(|it| it.unwrap_or_else(|| panic!("a kept state is missing, {what}")))
            .collect();
        let found = markings(&translation, threads).expect("it has no more markings");
        let (seen, made) = (expected.len(), found.all.len());
        assert!(
            found.all == expected,
            "{seen} visible states, {made} markings, {what}"
        );
        assert_eq!(found.fails, explored.fails, "{what}");
        assert_eq!(
            found.unsafe_run.is_some(),
            is_unsafe(&explored),
            "unsafe, {what}"
        );
        if let Some(run) = found.unsafe_run {
            check_replay(&translation, &run, &what);
            replayed += 1;
        }
        compared += 1;
    }
    (compared, replayed)
}

const ALL_OPTIONS: [Options; 2] = [
    Options {
        hide_broadcasts: true,
    },
    Options {
        hide_broadcasts: false,
    },
];

#[test]
fn reduced_machine() {
    let (mut compared, mut replayed, mut smaller) = (0, 0, 0);
    for seed in 5000..5600 {
        let source = random_program(seed, TASTE);
        let options = ALL_OPTIONS[seed as usize % 2];
        let machines = machines(&program(&source)).expect("it is small");
        let size = |it: &Machines| it.locals.iter().map(|it| it.states.len()).sum::<usize>();
        smaller +=
            usize::from(size(&machines.reduced(options).expect("it is small")) < size(&machines));
        let (more, runs) = compare_reduced(&source, options, 4);
        compared += more;
        replayed += runs;
    }
    assert!(
        compared > 1000 && replayed > 200 && smaller > 400,
        "{compared} {replayed} {smaller}"
    );
}

/// For each condition of the reduction a program for which it is needed.
#[test]
fn conditions_of_the_reduction() {
    let declared = "vars : a b g ; locks : l k ; messages : m n ; threads : p, q, main ;";
    let started = "main { vars : ; a, b, g := false, false, false ; start(p) ; start(q) ; }";
    let cases = [
        // An endless loop must not hide what came before it,
        ("bad", "p { vars : ; a := true ; while (true) { skip ; } }
                 q { vars : ; choice { a : b := true ; } [bad] skip ; }", started, true),
        // nor one of which it depends on a variable whether it is endless,
        ("bad", "p { vars : ; a := true ; lock(l) ; while (!g) { skip ; } unlock(l) ; }
                 q { vars : ; choice { a : b := true ; } [bad] skip ; }", started, true),
        // nor a choice that waits.
        ("bad", "p { vars : ; a := true ; choice { false : a := false ; } }
                 q { vars : ; choice { a : b := true ; } [bad] skip ; }", started, true),
        ("bad", "p { vars : ; lock(l) ; a := true ; choice { g : g := true ; } unlock(l) ; }
                 q { vars : ; choice { a : b := true ; } [bad] skip ; }", started, true),
        // Who is woken may begin to sleep just before.
        ("bad", "p { vars : ; a := true ; wakeupall(m) ; }
                 q { vars : ; choice { a : b := true ; } lock(l) ; sleep(m, l) ; unlock(l) ; [bad] skip ; }",
         started, true),
        // Who sleeps may do so just after it would have been woken.
        ("asleep & b", "p { vars : ; lock(l) ; a := true ; sleep(m, l) ; unlock(l) ; }
                 q { vars : ; choice { a : g := true ; } wakeupall(m) ; b := true ; [asleep] skip ; }",
         started, true),
        // Whoever wakes must hold the very lock that the sleeper gives back.
        (
            "bad",
            "p { vars : ; lock(l) ; a := true ; wakeupall(m) ; unlock(l) ; }
             q { vars : ; choice { a : b := true ; } lock(k) ; sleep(m, k) ; unlock(k) ; [bad] skip ; }",
            started,
            true,
        ),
        // Variables without a lock can be changed by others,
        ("bad", "p { vars : ; lock(l) ; g := true ; if (!g) { [bad] skip ; } unlock(l) ; }
                 q { vars : ; g := false ; }", started, true),
        // those with a lock cannot;
        ("bad", "p { vars : ; lock(l) ; g := true ; if (!g) { [bad] skip ; } unlock(l) ; }
                 q { vars : ; lock(l) ; g := false ; unlock(l) ; }", started, false),
        // and what main does in the beginning is no matter,
        // unless there is another main.
        ("bad", "p { vars : ; lock(l) ; g := true ; if (!g) { [bad] skip ; } unlock(l) ; }
                 q { vars : ; skip ; }",
         "main { vars : ; g := false ; start(p) ; start(main) ; }", true),
        // What is named is visible: variables,
        ("g", "p { vars : ; lock(l) ; g := true ; g := false ; unlock(l) ; }
               q { vars : ; lock(l) ; g := false ; unlock(l) ; }",
         "main { vars : ; g := false ; start(p) ; start(q) ; }", true),
        // locks,
        ("l & a", "p { vars : ; a := true ; lock(l) ; skip ; unlock(l) ; }
               q { vars : ; skip ; }", started, true),
        // labels,
        ("bad", "p { vars : ; skip ; [bad] skip ; skip ; }
                 q { vars : ; skip ; }", started, true),
        // and thread types: nobody has finished.
        ("p & q & a", "p { vars : ; a := true ; skip ; }
                 q { vars : ; choice { a : a := true ; } skip ; }", started, true),
        // Nobody wakes itself.
        ("bad", "p { vars : ; lock(l) ; wakeup(m) ; sleep(m, l) ; unlock(l) ; [bad] skip ; }
                 q { vars : ; skip ; }", started, false),
        ("bad", "p { vars : ; lock(l) ; wakeupall(m) ; sleep(m, l) ; unlock(l) ; [bad] skip ; }
                 q { vars : ; skip ; }", started, false),
        // But the one before may, or all of them.
        ("bad >= 2", "p { vars : ; lock(l) ; wakeup(m) ; sleep(m, l) ; unlock(l) ; [bad] skip ; }
                 q { vars : ; start(p) ; start(p) ; }", started, true),
        // One transition wakes for one message only.
        ("bad & worse", "p { vars : ; lock(l) ; wakeupall(m) ; wakeupall(n) ; unlock(l) ; }
                 q { vars : ; if (*) { lock(l) ; sleep(m, l) ; unlock(l) ; [bad] skip ; }
                              else { lock(l) ; sleep(n, l) ; unlock(l) ; [worse] skip ; } }",
         "main { vars : ; start(q) ; start(q) ; start(p) ; }", true),
        // Who accepts does not do more at once.
        ("bad", "p { vars : ; lock(l) ; accept(m) ; g := true ; if (g) { [bad] skip ; } unlock(l) ; }
                 q { vars : ; rendezvous(m) ; }",
         "main { vars : ; g := false ; start(p) ; start(q) ; }", true),
        // Who comes does, and an assertion is no exception.
        ("bad", "p { vars : ; lock(l) ; rendezvous(m) ; g := true ; assert(!g) ; unlock(l) ; }
                 q { vars : ; lock(l) ; unlock(l) ; accept(m) ; [bad] skip ; }",
         "main { vars : ; g := false ; start(p) ; start(q) ; }", true),
    ];
    for (set, types, main, is_bad) in cases {
        let source = format!("{declared}\nunsafe : \"{set}\" ;\n{types}\n{main}\n");
        let explored = explore(&program(&source), 5).expect("it is small");
        assert_eq!(is_unsafe(&explored), is_bad, "{source}");
        for options in ALL_OPTIONS {
            compare_reduced(&source, options, 5);
        }
    }
}

/// The printed bakery is wrong without any `Env`; the repaired one is not with two of them.
#[test]
fn bakery() {
    let printed = program(include_str!("../../../examples/bakery_printed.cbp"));
    let repaired = program(include_str!("../../../examples/bakery.cbp"));
    let all = |program: &Program| machines(program).expect("it is small");
    let full = all(&printed).net().expect("it is small");
    let found = search(&full, 3).expect("it is wrong");
    // 34 steps after those that set up the variables and start the threads.
    assert_eq!(check_replay(&full, &found, "printed"), 34);
    let reduced = all(&printed)
        .reduced(Options::default())
        .expect("it is small")
        .net()
        .expect("it is small");
    let found = search(&reduced, 3).expect("it is wrong");
    check_replay(&reduced, &found, "printed, reduced");
    let reduced = all(&repaired)
        .reduced(Options::default())
        .expect("it is small")
        .net()
        .expect("it is small");
    for threads in 3..=5 {
        assert_eq!(search(&reduced, threads), None);
    }
}

/// A shortest run to an unsafe marking with at most so many threads.
fn search(translation: &Translation, most: usize) -> Option<Run> {
    let Translation { net, machines, .. } = translation;
    let states: usize = machines.locals.iter().map(|it| it.states.len()).sum();
    let mut from: HashMap<Marking, Option<(Marking, Firing)>> = HashMap::new();
    from.insert(net.least.clone(), None);
    let mut waiting = VecDeque::from([net.least.clone()]);
    while let Some(marking) = waiting.pop_front() {
        if net.is_unsafe(&marking) {
            let mut firings = Vec::new();
            let mut at = &marking;
            while let Some(Some((before, firing))) = from.get(at) {
                firings.push(*firing);
                at = before;
            }
            firings.reverse();
            return Some(Run {
                initial: net.least.clone(),
                firings,
            });
        }
        for (firing, next) in net.successors(&marking) {
            let threads: u32 = next[..states].iter().sum();
            if threads as usize <= most && !from.contains_key(&next) {
                from.insert(next.clone(), Some((marking.clone(), firing)));
                waiting.push_back(next);
            }
        }
    }
    None
}

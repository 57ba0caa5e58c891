//! What the program leaves open, and what it says about its executions.
//!
//! Known by their names are the methods of `raddle.Check`, of Java PathFinder's `Verify` and of
//! the `Verifier` of the Competition on Software Verification; and random numbers, if they are
//! to be explored. A choice is a step of its own, in as many ways as there are values. Where
//! there are too many, some are tried, and then nothing is proved.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use raddle_jvm::descriptor::Kind;
use raddle_jvm::heap::Ref;
use raddle_jvm::hook::Reply;
use raddle_jvm::made_up::Plausibility;
use raddle_jvm::roles::{Choice, Role};
use raddle_jvm::state::State;
use raddle_jvm::thread::{Frame, Thread};
use raddle_jvm::world::{Method, MethodId, Origin};
use raddle_jvm::{line_number, position, source_file};
use raddle_model::{Fault, FaultKind, Halt};

use super::acts::{Act, Global};
use super::modes;
use super::program::Program;
use super::run::Run;
use super::{Java, Settings};

/// Random numbers that the program did not give a seed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Randomness {
    /// They follow from this number, so that they are the same in every execution.
    Seed(u64),
    /// Any number may come.
    Explore,
}

/// How time goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Time {
    /// When somebody waits for it to.
    #[default]
    Logical,
    /// Also before any look at the clock on which something depends.
    Any,
}

/// When the time limits of those who wait run out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Timeouts {
    /// At any time.
    #[default]
    Any,
    /// When nobody else can move.
    Last,
}

/// How much time passes before a look at the clock, if time may: an hour, which is longer than
/// what programs wait for.
const LEAP: u64 = 3_600_000_000_000;

/// Up to so many random numbers are all tried.
const FEW: i64 = 64;

/// What is left open in a program, and how.
#[derive(Debug)]
pub(crate) struct Openness {
    pub(crate) randomness: Randomness,
    pub(crate) time: Time,
    pub(crate) timeouts: Timeouts,
    /// Whether random numbers without a seed were asked for.
    is_random: AtomicBool,
    /// Where what the clock says decides what the program does.
    deciding: Mutex<BTreeSet<Deciding>>,
    /// The methods of which not all values were tried.
    sampled: Mutex<BTreeSet<MethodId>>,
}

/// Where what the clock says decides something, as the program can be asked about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Deciding {
    /// Whether it is code of the program itself, and not of a library on its class path.
    is_own: bool,
    /// File and line, or class and method.
    place: String,
}

impl Default for Randomness {
    fn default() -> Self {
        Self::Seed(0)
    }
}

impl Openness {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            randomness: settings.randomness,
            time: settings.time,
            timeouts: settings.timeouts,
            is_random: AtomicBool::new(false),
            deciding: Mutex::default(),
            sampled: Mutex::default(),
        }
    }
}

const GENERATOR: &str = "java/util/Random";
const OWN_GENERATOR: &str = "java/util/concurrent/ThreadLocalRandom";

/// Values to choose from.
enum Values {
    /// So many whole numbers from the first one on.
    Numbers { first: i64, count: i64 },
    /// The words of these values.
    Words(Vec<u64>),
    /// These texts.
    Texts(&'static [&'static str]),
}

impl Values {
    fn count(&self) -> u32 {
        let count = match self {
            Values::Numbers { count, .. } => return u32::try_from(*count).unwrap_or(u32::MAX),
            Values::Words(words) => words.len(),
            Values::Texts(texts) => texts.len(),
        };
        count as u32
    }
}

/// Values that programs tend to treat differently, for types with too many of them.
fn samples(kind: Kind) -> Values {
    let numbers = |smallest: i64, largest: i64| {
        let all = [0, 1, -1, 2, 10, largest, smallest];
        let fit = all.into_iter().filter(|&it| it >= smallest);
        Values::Words(fit.map(|it| number(kind, it)).collect())
    };
    let reals = [
        0.0,
        1.0,
        -1.0,
        0.5,
        f64::MAX,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ];
    match kind {
        Kind::Short => numbers(i64::from(i16::MIN), i64::from(i16::MAX)),
        Kind::Char => Values::Words(['\0', ' ', '0', 'A', 'a', '\u{ffff}'].map(u64::from).into()),
        Kind::Int => numbers(i64::from(i32::MIN), i64::from(i32::MAX)),
        Kind::Long => numbers(i64::MIN, i64::MAX),
        Kind::Float => {
            let reals = reals.map(|real| real.clamp(f64::from(f32::MIN), f64::INFINITY) as f32);
            let all = reals.into_iter().chain([f32::NEG_INFINITY, f32::NAN]);
            Values::Words(all.map(|real| u64::from(real.to_bits())).collect())
        }
        Kind::Double => {
            let all = reals.into_iter().chain([f64::NAN]);
            Values::Words(all.map(f64::to_bits).collect())
        }
        _ => Values::Texts(&["", "a", "0", "A b"]),
    }
}

/// The word of a whole number.
fn number(kind: Kind, value: i64) -> u64 {
    match kind {
        Kind::Long => value.cast_unsigned(),
        _ => u64::from((value as i32).cast_unsigned()),
    }
}

/// What a generator of random numbers may give between these bounds, and whether that is all.
fn random_numbers(kind: Kind, first: i64, end: i64) -> (Values, bool) {
    match end.checked_sub(first) {
        Some(count) if count <= FEW => (Values::Numbers { first, count }, true),
        _ => {
            let some = BTreeSet::from([first, first + 1, first.midpoint(end), end - 1]);
            let words = some.into_iter().map(|it| number(kind, it));
            (Values::Words(words.collect()), false)
        }
    }
}

/// A part of what a generator of random numbers may give between these bounds.
fn random_reals(kind: Kind, first: f64, end: f64) -> Values {
    let below = match kind {
        Kind::Float => f64::from((end as f32).next_down()),
        _ => end.next_down(),
    };
    let some = [first, f64::midpoint(first, end), below.max(first)];
    Values::Words(some.map(|real| real_word(kind, real)).into())
}

fn real_word(kind: Kind, real: f64) -> u64 {
    match kind {
        Kind::Float => u64::from((real as f32).to_bits()),
        _ => real.to_bits(),
    }
}

impl Run<'_> {
    /// What is to be done with a call by which the program says something, or leaves something
    /// open.
    pub(super) fn decide(
        &mut self,
        state: &mut State,
        thread: &mut Thread,
        role: Role,
        method: &Method,
        args: &[u64],
    ) -> Reply {
        let program = self.program;
        match role {
            Role::Choice(choice) => self.choose(state, choice, method, args),
            Role::Assume { wanted } => match args.first().is_some_and(|it| it & 1 == wanted) {
                true => Reply::Answer(0),
                false => self.end_execution(Act::Assume, Halt::Pruned),
            },
            Role::Unreachable => {
                let fault = Fault {
                    kind: FaultKind::Unreachable,
                    message: "a statement is reached that must not be".to_owned(),
                    place: None,
                };
                self.end_execution(Act::Unreachable, Halt::Fault(fault))
            }
            Role::Begin => {
                if self.stops(Act::Begin, None) {
                    return Reply::Stop;
                }
                program.facts.blocks.store(true, Ordering::Relaxed);
                thread.atomic += 1;
                self.is_atomic = true;
                Reply::Answer(0)
            }
            Role::End => {
                thread.atomic = thread.atomic.saturating_sub(1);
                self.is_atomic = thread.atomic > 0;
                Reply::Answer(0)
            }
            Role::Generator => {
                program.open.is_random.store(true, Ordering::Relaxed);
                // A generator without a seed is one that may give anything.
                let is_open = program.open.randomness == Randomness::Explore
                    && program.class_name(method.class) == GENERATOR;
                match is_open {
                    true => Reply::Answer(0),
                    false => Reply::Go,
                }
            }
            Role::Seed => match is_open(program, state, args) {
                true => Reply::Refuse("a seed for random numbers that are explored".to_owned()),
                false => Reply::Go,
            },
            Role::Clock => self.look_at_clock(state, thread),
            Role::Yes => Reply::Answer(1),
            _ => Reply::Go,
        }
    }

    /// A step after which there is none.
    fn end_execution(&mut self, act: Act, halt: Halt) -> Reply {
        // Others may go wrong before, so it is a step of its own.
        if !self.stops(act, None) {
            self.halt = Some(halt);
        }
        Reply::Stop
    }

    fn choose(
        &mut self,
        state: &mut State,
        choice: Choice,
        method: &Method,
        args: &[u64],
    ) -> Reply {
        let program = self.program;
        let Some((values, is_all)) = values(program, state, choice, method, args) else {
            return Reply::Go;
        };
        let count = values.count();
        if !is_all && let Ok(mut sampled) = program.open.sampled.lock() {
            sampled.insert(method.id);
        }
        let index = match count {
            0 => return Reply::Go,
            1 => 0,
            _ => match self.decision(Act::Choose(count)) {
                Some(index) => index,
                None => return Reply::Stop,
            },
        };
        let kind = program.shape(method).result;
        let (word, text) = match values {
            Values::Numbers { first, .. } => {
                let word = number(kind, first + i64::from(index));
                (word, shown(kind, word))
            }
            Values::Words(words) => {
                let word = words.get(index as usize).copied().unwrap_or(0);
                (word, shown(kind, word))
            }
            Values::Texts(texts) => {
                let text = texts.get(index as usize).copied().unwrap_or_default();
                (state.string(program, text).word(), format!("{text:?}"))
            }
        };
        self.tell(|| Act::Chosen(text), None);
        Reply::Answer(word)
    }

    /// What was decided, if that was what the step is for. If not, the thread stops for it.
    pub(super) fn decision(&mut self, act: Act) -> Option<u32> {
        let decision = self.choice.take();
        if decision.is_none() {
            self.pending = Some(act);
            if self.is_atomic && self.is_multithreaded {
                self.broken = Some("not supported: a choice in an atomic block".to_owned());
            }
        }
        decision
    }

    /// A generator of random numbers takes its seed from the clock, and gets the one that was
    /// given instead.
    fn look_at_clock(&mut self, state: &mut State, thread: &Thread) -> Reply {
        let program = self.program;
        let caller = thread
            .frames
            .last()
            .map(|frame| program.method(frame.method));
        let is_seed = caller.is_some_and(|caller| {
            program.text(caller.name) == "<init>" && program.class_name(caller.class) == GENERATOR
        });
        if let Randomness::Seed(seed) = program.open.randomness
            && is_seed
        {
            return Reply::Answer(seed);
        }
        // As long as nothing depends on what the clock says, nobody notices who looks at it.
        if !program.facts.tells_time() {
            self.tell(|| Act::Global(Global::Clock), None);
            return Reply::Go;
        }
        if program.open.time == Time::Logical {
            return self.reply(Act::Global(Global::Clock), None);
        }
        match self.decision(Act::Tick) {
            Some(leaps) => {
                state.clock = state.clock.saturating_add(u64::from(leaps) * LEAP);
                self.tell(|| Act::Global(Global::Clock), None);
                Reply::Go
            }
            None => Reply::Stop,
        }
    }
}

/// Those in the library who ask for the time on their own behalf: to wait, to make seeds, to say
/// when something was logged. Others, such as collections, compare on behalf of the program.
const ASKING_FOR_THEMSELVES: [&str; 10] = [
    "java/util/concurrent/",
    "java/util/Timer",
    "java/lang/Thread",
    "java/lang/Object",
    "java/util/Random",
    "java/util/SplittableRandom",
    "jdk/internal/util/random/",
    "java/util/logging/",
    "java/security/",
    "sun/security/",
];

/// Where the program is that has the library decide something by what the clock says; nothing if the
/// library does so on its own behalf.
fn deciding(program: &Program, frames: &[Frame]) -> Option<Deciding> {
    let class = |frame: &Frame| program.class(program.method(frame.method).class);
    let own = frames.iter().rposition(|it| modes::is_own(program, it))?;
    let is_theirs = frames[own + 1..].iter().any(|frame| {
        let name = program.text(class(frame).name);
        let mut asking = ASKING_FOR_THEMSELVES.iter();
        asking.any(|prefix| name.starts_with(prefix))
    });
    if is_theirs {
        return None;
    }
    let frame = frames.get(own)?;
    let line = line_number(program, frame.method, position(program, frame));
    let place = match source_file(program, frame.method).filter(|_| line > 0) {
        Some(file) => format!("{file}:{line}"),
        None => program.method_name(frame.method),
    };
    Some(Deciding {
        is_own: program.is_own(class(frame).id),
        place,
    })
}

impl Program {
    /// What the clock says decides how a thread goes on.
    pub(super) fn note_clock(&self, frames: &[Frame]) {
        self.facts.note(&self.facts.clock);
        if let Some(found) = deciding(self, frames)
            && let Ok(mut all) = self.open.deciding.lock()
        {
            all.insert(found);
        }
    }

    /// Where that is so, in code of the program itself or in that of others.
    fn deciding(&self, is_own: bool) -> Option<String> {
        let all = self.open.deciding.lock().ok()?;
        let places = all.iter().filter(|it| it.is_own == is_own);
        let places: Vec<&str> = places.map(|it| &*it.place).collect();
        let (first, rest) = places
            .split_at_checked(MOST_PLACES)
            .unwrap_or((&places, &[]));
        let told = first.join(", ");
        match (first.is_empty(), rest.len()) {
            (true, _) => None,
            (_, 0) => Some(told),
            (_, others) => Some(format!("{told} and {others} other places")),
        }
    }
}

/// So many places are named.
const MOST_PLACES: usize = 4;

/// Whether a generator may give anything: its seed was never made.
fn is_open(program: &Program, state: &State, args: &[u64]) -> bool {
    let object = Ref::of(args.first().copied().unwrap_or(0));
    let Some(found) = state.heap.get(object) else {
        return false;
    };
    let mut ancestors = program.class(found.class).ancestors.iter();
    let Some(&generator) = ancestors.find(|&&class| program.class_name(class) == GENERATOR) else {
        return false;
    };
    match program.slot_of(generator, "seed") {
        Some(slot) => state.heap.ref_field(object, slot).is_null(),
        None => false,
    }
}

/// What a call may give, and whether that is everything. Nothing if the call is to be made.
fn values(
    program: &Program,
    state: &State,
    choice: Choice,
    method: &Method,
    args: &[u64],
) -> Option<(Values, bool)> {
    let integer = |index: usize| i64::from(args.get(index).copied().unwrap_or(0) as i32);
    let from = |first: i64, end: i64| Values::Numbers {
        first,
        count: (end - first).max(0),
    };
    let kind = program.shape(method).result;
    Some(match choice {
        Choice::Below => (from(0, integer(0)), true),
        Choice::UpTo => (from(0, integer(0) + 1), true),
        Choice::Between => (from(integer(0), integer(1) + 1), true),
        Choice::Any => match kind {
            Kind::Boolean => (from(0, 2), true),
            Kind::Byte => (from(-128, 128), true),
            Kind::Void => return None,
            kind => (samples(kind), false),
        },
        Choice::Element => {
            let body = &state.heap.get(Ref::of(args.first().copied()?))?.body;
            let words = (0..body.length()?).map(|index| body.read(index).unwrap_or(0));
            (Values::Words(words.collect()), true)
        }
        Choice::Random | Choice::Bits => {
            let receiver = Ref::of(args.first().copied()?);
            let class = program.class(state.heap.get(receiver)?.class);
            let is_own = program.text(class.name) == OWN_GENERATOR;
            // A generator of the program's own has other values; only where it asks the
            // library's is anything open.
            let is_theirs = class.origin != Origin::Library && choice == Choice::Random;
            if is_own {
                program.open.is_random.store(true, Ordering::Relaxed);
            }
            let explores = program.open.randomness == Randomness::Explore;
            if !explores || is_theirs || !(is_own || is_open(program, state, args)) {
                return None;
            }
            random(program, choice, method, args)?
        }
    })
}

/// What a generator of random numbers may give. Nothing if the arguments are not allowed, or
/// if it gives more than one.
fn random(
    program: &Program,
    choice: Choice,
    method: &Method,
    args: &[u64],
) -> Option<(Values, bool)> {
    let shape = program.shape(method);
    let kind = shape.result;
    let word = |index: usize| args.get(index).copied().unwrap_or(0);
    if choice == Choice::Bits {
        let bits = (word(1) as u32).min(32);
        let half = 1_i64 << bits.saturating_sub(1);
        return Some(match bits {
            32 => random_numbers(kind, -half, half),
            bits => random_numbers(kind, 0, 1 << bits),
        });
    }
    if program.text(method.name) == "nextGaussian" {
        let some = [0.0, 1.0, -1.0].map(|real| real_word(kind, real));
        return Some((Values::Words(some.into()), false));
    }
    let arguments = shape.kinds.len();
    let whole = |index: usize| match kind {
        Kind::Long => word(index).cast_signed(),
        _ => i64::from(word(index) as i32),
    };
    let real = |index: usize| match kind {
        Kind::Float => f64::from(f32::from_bits(word(index) as u32)),
        _ => f64::from_bits(word(index)),
    };
    match (kind, arguments) {
        (Kind::Boolean, 0) => Some((Values::Numbers { first: 0, count: 2 }, true)),
        (Kind::Int | Kind::Long, 0) => Some((samples(kind), false)),
        (Kind::Int | Kind::Long, 1) if whole(1) > 0 => Some(random_numbers(kind, 0, whole(1))),
        (Kind::Int | Kind::Long, 2) if whole(1) < whole(2) => {
            Some(random_numbers(kind, whole(1), whole(2)))
        }
        (Kind::Float | Kind::Double, 0) => Some((random_reals(kind, 0.0, 1.0), false)),
        (Kind::Float | Kind::Double, 1) if real(1) > 0.0 && real(1).is_finite() => {
            Some((random_reals(kind, 0.0, real(1)), false))
        }
        (Kind::Float | Kind::Double, 2) if (real(2) - real(1)).is_finite() && real(1) < real(2) => {
            Some((random_reals(kind, real(1), real(2)), false))
        }
        _ => None,
    }
}

fn shown(kind: Kind, word: u64) -> String {
    match kind {
        Kind::Boolean => (word & 1 != 0).to_string(),
        Kind::Char => match char::from_u32(word as u32) {
            Some(letter) => format!("{letter:?}"),
            None => word.to_string(),
        },
        Kind::Long => word.cast_signed().to_string(),
        Kind::Float => f32::from_bits(word as u32).to_string(),
        Kind::Double => f64::from_bits(word).to_string(),
        _ => (word as i32).to_string(),
    }
}

/// Lets the random numbers of threads follow from the seed, too.
pub(super) fn plant_seed(program: &Program, state: &mut State) {
    let Randomness::Seed(seed) = program.open.randomness else {
        return;
    };
    let Ok(class) = program.load(OWN_GENERATOR) else {
        return;
    };
    let Some(slot) = program.static_slot_of(class, "seeder") else {
        return;
    };
    let seeder = state.heap.ref_field(state.class(class).mirror, slot);
    let Some(counter) = state.heap.get(seeder).map(|found| found.class) else {
        return;
    };
    if let Some(slot) = program.slot_of(counter, "value") {
        let first = state.heap.field(seeder, slot);
        let spread = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let first = first.wrapping_add(spread);
        state.heap.set_field(seeder, slot, first);
    }
}

impl Java {
    /// Why nothing is proved although everything was searched, in sentences without a full
    /// stop.
    pub fn doubts(&self) -> Vec<String> {
        let Ok(sampled) = self.program.open.sampled.lock() else {
            return Vec::new();
        };
        let is_logical = self.program.open.time == Time::Logical;
        let own = self.program.deciding(true).filter(|_| is_logical);
        let watched = own.map(|places| {
            format!(
                "the program decides by the clock at {places}, and the clock stands still here \
                 unless a thread waits; --clock any lets it go on"
            )
        });
        let names = sampled.iter().map(|&method| {
            let method = self.program.method(method);
            let class = self.program.class_name(method.class).replace('/', ".");
            format!("{class}.{}", self.program.text(method.name))
        });
        // Perhaps it came after the last step.
        let overlooked = match self.give_up() {
            Some(Halt::GaveUp(why)) => Some(why),
            _ => None,
        };
        let made_up = self
            .program
            .made_up
            .names(Plausibility::Impossible)
            .join("; ");
        let made_up = (!made_up.is_empty())
            .then(|| format!("the program makes use of what is not supported: {made_up}"));
        let is_contested = self.program.is_contested.load(Ordering::Relaxed);
        let contested = is_contested.then(|| {
            "whose string String.intern() gives was not tried in every order: there is a literal \
             of the same text"
                .to_owned()
        });
        names
            .map(|name| format!("only some of the values that {name} may give were tried"))
            .chain(made_up)
            .chain(contested)
            .chain(watched)
            .chain(overlooked)
            .chain(self.weakness())
            .chain(self.quiet_races().filter(|_| self.settings.forbids_races))
            .collect()
    }

    /// The random numbers and the times that were not tried.
    pub(super) fn leave_out_choices(&self, open: &mut Vec<String>) {
        let program = &self.program;
        if program.open.is_random.load(Ordering::Relaxed)
            && let Randomness::Seed(seed) = program.open.randomness
        {
            open.push(format!(
                "random numbers other than those of one seed ({seed}; --random explore tries some)"
            ));
        }
        if program.facts.tells_time() && program.open.time == Time::Logical {
            let places = program.deciding(false);
            let by = places.map_or_else(String::new, |it| format!(", which decides at {it}"));
            open.push(format!(
                "time that passes while no thread waits for it{by} (--clock any)"
            ));
        }
    }
}

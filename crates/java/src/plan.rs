//! How a Java program is searched: how far a step goes, which threads move, and the loop that begins
//! again when something was assumed that is not so.

use raddle_model::{Erased, Limits, Reason, Violation};
use raddle_reduce::rounds::{Assumptions, until_stable};
use raddle_reduce::{Method, Query, Reduction, Strictness};
use raddle_search::{Config, Monitor, Order, Part, Progress, Sampler, StoreKind, Survey};

use crate::check::{Exploration, Grain, Java, Profile, Programs};

/// How a Java program is searched.
#[derive(Clone, Debug)]
pub struct Plan {
    /// As it was asked for.
    reduction: Reduction,
    grain: Grain,
    engine: Reduction,
    /// Whether unprotected accesses are violations.
    pub is_strict: bool,
    /// Whether it is tried out what steps say of themselves.
    pub is_paranoid: bool,
    /// What is said of classes from outside.
    pub profile: Profile,
}

impl Plan {
    /// How a reduction is done for Java. Those that are not there need to know what threads may
    /// still do.
    pub fn new(reduction: Reduction) -> Option<Plan> {
        let (grain, engine) = reduction.inside_runs()?;
        Some(Plan {
            reduction,
            grain,
            engine,
            is_strict: false,
            is_paranoid: false,
            profile: Profile::default(),
        })
    }

    /// The names of the reductions that there are for Java.
    pub fn names() -> Vec<&'static str> {
        let all = Reduction::ALL.iter().copied();
        let possible = all.filter(|&reduction| Plan::new(reduction).is_some());
        possible.map(|it| it.entry().name).collect()
    }

    /// The name of the reduction.
    pub fn name(&self) -> &'static str {
        self.reduction.entry().name
    }

    /// The search of the steps.
    pub fn engine(&self) -> Reduction {
        self.engine
    }

    /// Whether it was left to us which reduction is taken.
    pub fn is_automatic(&self) -> bool {
        self.reduction == Reduction::Auto
    }

    /// Whether data races are seen wherever there are some: threads stand together before
    /// conflicting accesses in some state, which has to be visited.
    pub fn sees_races(&self) -> bool {
        self.engine.entry().visits_all_states
    }

    /// Whether all data races are found, so that it can be proved that there are none.
    pub fn preserves_races(&self) -> bool {
        self.engine == Reduction::FULL
    }

    /// Whether a thread that is alone does not stop. Then how far a step goes depends on the
    /// others, which only a search may ignore that takes no two steps for independent.
    pub fn is_free(&self) -> bool {
        self.engine == Reduction::FULL && !self.is_paranoid
    }

    /// Tells programs how they are searched.
    pub fn prepare(&self, programs: &mut impl Programs) {
        // What is tried out by distrust is what steps say of themselves. Where several
        // operations are one step, nobody relies on that.
        let grain = match self.is_paranoid {
            true => self.grain.min(Grain::Local),
            false => self.grain,
        };
        for java in programs.programs_mut() {
            java.prepare(Exploration {
                grain,
                is_strict: self.is_strict,
                profile: self.profile.clone(),
                is_free_when_alone: self.is_free(),
                skips_states: !self.engine.entry().visits_all_states,
                needs_ends: self.engine.entry().needs_ends,
            });
        }
    }

    /// Searches programs that are prepared, again and again until nothing is assumed any more
    /// that is not so. After that nothing is assumed anew. The `system` is the programs
    /// themselves, or somebody who watches them.
    pub fn survey<P: Programs>(
        &self,
        system: &Erased<'_, P::State>,
        program: &P,
        config: &Config,
        part: Option<Part>,
        monitor: &mut dyn Monitor,
        stop_at_first: bool,
    ) -> Survey {
        let mut rounds = |engine: Reduction| {
            let method = Method {
                strictness: Strictness::Auto,
                ..engine.into()
            };
            let query = Query {
                method,
                part,
                config,
                stop_at_first,
            };
            self.rounds(system, program, query, monitor)
        };
        let mut survey = rounds(self.engine);
        let is_cut = |reason: &Reason| !matches!(reason, Reason::GaveUp(_));
        let is_open = |survey: &Survey| {
            (survey.violations.is_empty() || !stop_at_first) && !survey.reasons.iter().any(is_cut)
        };
        if let [java] = program.programs()
            && part.is_none()
            && self.can_be_relaxed()
        {
            // Whether a weak mode matters is the same question for all reductions, and only to be answered
            // where all states are visited.
            if is_open(&survey) && !self.sees_races() && java.weakness().is_some() {
                java.see_all_races();
                survey = rounds(Reduction::FULL);
            }
            if is_open(&survey) && java.relax() {
                survey = rounds(Reduction::FULL);
            }
        }
        program.programs().iter().for_each(Java::settle);
        survey
    }

    /// Whether a search of what threads may read besides the newest values can take the place of this one:
    /// it visits all states.
    fn can_be_relaxed(&self) -> bool {
        !self.is_paranoid && !self.is_strict && self.profile.is_empty()
    }

    /// Searches again and again until nothing is assumed any more that is not so.
    fn rounds<P: Programs>(
        &self,
        system: &Erased<'_, P::State>,
        program: &P,
        query: Query<'_>,
        monitor: &mut dyn Monitor,
    ) -> Survey {
        let is_relaxed = program.programs().iter().any(Java::is_relaxed);
        let is_whole = query.part.is_none() && query.stop_at_first;
        let is_staged = self.is_automatic() && is_whole && !is_relaxed;
        let (survey, _) = until_stable(&mut Assumed(program), &mut |assumed| {
            let mut impatient = Impatient {
                programs: assumed.0.programs(),
                monitor: &mut *monitor,
                is_stopped: false,
            };
            let mut search = Search::<P> {
                query,
                system,
                monitor: &mut impatient,
            };
            let mut survey = match is_staged {
                true => search.in_stages(),
                false => search.all(query.config, query.part),
            };
            if !impatient.is_stopped && program.programs().iter().any(Java::has_news) {
                survey.reasons.retain(|it| *it != Reason::Interrupted);
            }
            survey
        });
        survey
    }
}

/// What is assumed of programs is noted beside their classes.
struct Assumed<'a, P>(&'a P);

impl<P: Programs> Assumptions for Assumed<'_, P> {
    fn learn(&mut self) -> bool {
        // Each of them is asked, so that nothing stays new.
        let has_news = |any: bool, java: &Java| java.take_news() || any;
        self.0.programs().iter().fold(false, has_news)
    }

    fn is_final(&self, reason: &Reason) -> bool {
        matches!(reason, Reason::Time | Reason::Memory | Reason::Interrupted)
    }

    /// The steps of a schedule go as far as was assumed when it was found.
    fn is_answered(&self, _: &Survey) -> bool {
        false
    }
}

/// One search of all that is to be searched.
struct Search<'a, P: Programs> {
    query: Query<'a>,
    system: &'a Erased<'a, P::State>,
    monitor: &'a mut dyn Monitor,
}

impl<P: Programs> Search<'_, P> {
    /// Searches all executions, or a part of them.
    fn all(&mut self, config: &Config, part: Option<Part>) -> Survey {
        let query = Query {
            part,
            config,
            ..self.query
        };
        P::survey(self.system, query, self.monitor)
    }

    /// Tries some executions by chance. Nothing if there is no violation in them.
    fn by_chance(&mut self) -> Option<Survey> {
        /// What is tried, and with how many steps in all.
        const TRIED: [(Sampler, u64); 3] = [
            (Sampler::Pct { depth: 3 }, 40_000),
            (Sampler::Pos, 4_000),
            (Sampler::Walk, 10_000),
        ];
        const SEED: u64 = 0;
        for (sampler, steps) in TRIED {
            let part = Part::Samples {
                sampler,
                count: u64::MAX,
                seed: SEED,
            };
            let mut budget = Budget {
                monitor: &mut *self.monitor,
                steps,
                is_spent: false,
            };
            let mut search = Search::<P> {
                query: self.query,
                system: self.system,
                monitor: &mut budget,
            };
            let mut found = search.all(self.query.config, Some(part));
            if !found.violations.is_empty() {
                let name = sampler.name();
                found.remarks.push(format!(
                    "found among executions chosen by chance, which were tried first ({name}, seed \
                     {SEED})"
                ));
                return Some(found);
            }
            if !budget.is_spent {
                // Somebody else wanted an end.
                return Some(found);
            }
        }
        None
    }

    /// Searches all executions; but when there are many, some by chance and those with few preemptions
    /// first. Most mistakes show up there, and a search in depth can be far from them for hours.
    fn in_stages(&mut self) -> Survey {
        const FEW: u64 = 20_000;
        const LIKELY: Part = Part::Preemptions(2);
        const MOST_LIKELY: u64 = 50_000;
        const MEMORY: u64 = 1 << 30;
        let config = self.query.config;
        let with = |limits| Config {
            limits,
            ..config.clone()
        };
        let is_large = |limit: Option<u64>, least: u64| limit.is_none_or(|limit| limit > least);
        let is_plain = (config.order, config.store) == (Order::DepthFirst, StoreKind::Exact);
        let is_patient =
            is_large(config.limits.states, MOST_LIKELY) && is_large(config.limits.memory, MEMORY);
        if !is_plain || !is_patient {
            return self.all(config, None);
        }
        let few = Limits {
            states: Some(FEW),
            ..config.limits
        };
        let first = self.all(&with(few), None);
        if !first.violations.is_empty() || first.reasons != [Reason::States] {
            return first;
        }
        if let Some(found) = self.by_chance() {
            return found;
        }
        let likely = Limits {
            states: Some(MOST_LIKELY),
            memory: Some(MEMORY),
            ..config.limits
        };
        let mut likely = self.all(&with(likely), Some(LIKELY));
        if !likely.violations.is_empty() {
            let told = "found among executions with few preemptions, which were searched first";
            likely.remarks.push(told.to_owned());
            return likely;
        }
        match likely.reasons.contains(&Reason::Interrupted) {
            true => likely,
            false => self.all(config, None),
        }
    }
}

/// Ends a search after so many steps.
struct Budget<'a> {
    monitor: &'a mut dyn Monitor,
    steps: u64,
    is_spent: bool,
}

impl Monitor for Budget<'_> {
    fn tick(&mut self, progress: &Progress) -> Option<Reason> {
        let reason = self.monitor.tick(progress);
        if reason.is_none() && progress.transitions >= self.steps {
            self.is_spent = true;
            return Some(Reason::Interrupted);
        }
        reason
    }

    fn found(&mut self, violation: &Violation) {
        self.monitor.found(violation);
    }
}

/// Ends a search that has to begin again.
struct Impatient<'a> {
    programs: &'a [Java],
    monitor: &'a mut dyn Monitor,
    /// Whether somebody else wanted its end.
    is_stopped: bool,
}

impl Monitor for Impatient<'_> {
    fn tick(&mut self, progress: &Progress) -> Option<Reason> {
        if self.programs.iter().any(Java::has_news) {
            return Some(Reason::Interrupted);
        }
        let reason = self.monitor.tick(progress);
        self.is_stopped |= reason.is_some();
        reason
    }

    fn found(&mut self, violation: &Violation) {
        self.monitor.found(violation);
    }
}

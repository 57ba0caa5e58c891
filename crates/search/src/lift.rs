//! Executions of a system, found along those of another one in which states stand for others.
//!
//! A search of representatives (of orbits under a symmetry, say) gives steps between representatives, which
//! are no execution of the system. But from every state there is a step into the orbit into which the step
//! of its representative leads: it is looked for among all steps.

use crate::examine::Examiner;
use raddle_model::{Fault, Halt, Properties, Property, Schedule, System, Violation};

/// The violation that an execution of a system comes to along a violation of its quotient. `same` gives
/// the representative of a state as words. Nothing, if there is no such execution; then the quotient
/// is not one.
pub fn lift<S: System, Q: System<State = S::State>>(
    system: &S,
    quotient: &Q,
    same: &dyn Fn(&S::State) -> Vec<u32>,
    violation: &Violation,
) -> Option<Violation> {
    let mut representative = quotient.initial().ok()?;
    let mut state = system.initial().ok()?;
    let mut schedule = Schedule::new();
    let mut examiner = Examiner::default();
    let (mut moves, mut found) = (Vec::new(), Vec::new());
    for &step in &violation.schedule {
        let wanted = match quotient.step(&mut representative, step.thread, step.choice) {
            Ok(()) => Ok(same(&representative)),
            Err(Halt::Fault(fault)) => Err(fault),
            Err(_) => return None,
        };
        moves.clear();
        let nothing = &Properties::NONE;
        examiner.examine(system, &state, nothing, &mut moves, &mut found);
        let mut made = None;
        for &step in moves.iter().rev() {
            let mut next = state.clone();
            match (system.step(&mut next, step.thread, step.choice), &wanted) {
                (Ok(()), Ok(words)) if same(&next) == *words => {
                    made = Some((step, Ok(next)));
                    break;
                }
                (Err(Halt::Fault(fault)), Err(other)) if is_alike(&fault, other) => {
                    made = Some((step, Err(fault)));
                    break;
                }
                _ => {}
            }
        }
        let (step, next) = made?;
        schedule.push(step);
        match next {
            Ok(next) => state = next,
            Err(fault) => {
                let property = Property::Fault(fault);
                return Some(Violation { property, schedule });
            }
        }
    }
    let all = Properties {
        temporal: false,
        ..Properties::ALL
    };
    moves.clear();
    found.clear();
    examiner.examine(system, &state, &all, &mut moves, &mut found);
    let property = found
        .into_iter()
        .find(|it| match (it, &violation.property) {
            (Property::Fault(fault), Property::Fault(other)) => is_alike(fault, other),
            (Property::Deadlock(_), Property::Deadlock(_)) => true,
            (Property::PartialDeadlock(_), Property::PartialDeadlock(_)) => true,
            _ => false,
        })?;
    Some(Violation { property, schedule })
}

fn is_alike(fault: &Fault, other: &Fault) -> bool {
    fault.kind == other.kind && fault.place == other.place
}

//! Any number of threads: nets with transfers, and whether they can reach a marking that
//! covers a target.
//!
//! Read [`net`] first: it defines what a net is and what it does. A procedure answers
//! with an [`Answer`], and [`certificate`] tells, without knowing the procedures, whether the
//! answer is right. [`formats`] has the files that nets come from and go to, and [`unsafety`]
//! what somebody may write on a command line that must not happen.

pub mod net;
pub mod certificate;
pub mod formats;
mod forward;
mod monitor;
mod system;
pub mod unsafety;
pub mod upper;
mod portfolio;
mod fewest;
mod agglomeration;
mod slice;
mod signs;
mod pumps;
mod replay;
mod backward;
mod predecessors;
mod antichain;
mod invariants;
mod inequation;
#[cfg(test)]
mod samples;

pub use backward::backward;
pub use certificate::{
    Agglomerated, Answer, Certificate, Linear, Refusal, Run, check_run, check_safe,
};
pub use forward::{explicit, forward};
pub use monitor::{Monitor, Progress, Unwatched};
pub use net::{Demand, Firing, Marking, Net, OMEGA, Place, Transition, Update};
pub use portfolio::{Decision, PROCEDURES, Procedure, decide, decide_by};
pub use system::{NetState, NetSystem};

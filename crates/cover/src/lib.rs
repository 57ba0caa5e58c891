//! Any number of threads: nets with transfers, and whether they can reach a marking that
//! covers a target.
//!
//! Read [`net`] first: it defines what a net is and what it does. A procedure answers
//! with an [`Answer`], and [`certificate`] tells, without knowing the procedures, whether the
//! answer is right.

pub mod net;
pub mod certificate;
pub mod formats;
pub mod unsafety;
mod monitor;
mod portfolio;
mod slice;
mod signs;
mod pumps;
mod replay;
mod forward;
mod backward;
mod predecessors;
mod antichain;
mod invariants;
mod inequation;

pub use backward::backward;
pub use certificate::{Answer, Certificate, Linear, Run, check_run, check_safe};
pub use forward::forward;
pub use monitor::{Monitor, Progress, Unwatched};
pub use net::{Demand, Firing, Marking, Net, OMEGA, Place, Transition, Update};
pub use portfolio::{PROCEDURES, Procedure, Verdict, decide, decide_by};

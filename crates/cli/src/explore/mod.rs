//! A person walks through the states of a program: what `raddle explore` does.
//!
//! A [`session`] is where the person is and what was seen, [`seek`] looks ahead for a state, and
//! [`server`] is how a page in a browser speaks to them. All steps are made by the program
//! itself, as a search makes them.

mod connections;
mod request;
pub(crate) mod seek;
mod server;
mod session;

pub(crate) use seek::Seek;
pub(crate) use server::{Server, serve};
pub(crate) use session::Session;

//! What tests of the machine share.

#![allow(dead_code, reason = "each file of tests uses a part")]

use raddle_jvm::Host;

/// Hears nothing and says nothing.
pub(crate) struct Silent;

impl Host for Silent {
    fn write(&mut self, _: i32, _: &[u8]) {}

    fn read(&mut self, _: usize) -> Vec<u8> {
        Vec::new()
    }
}

//! Translation of bytecode that compilers do not make, and of bytecode that is wrong.

use super::opcodes::{Opcode, decode};
use super::translate;
use crate::classfile::ClassFile;

/// A class file with one static method that takes an `int` and returns one.
fn class_file(code: &[u8], max_stack: u16, max_locals: u16) -> ClassFile {
    let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 49];
    let strings = ["T", "java/lang/Object", "m", "(I)I", "Code", "[[I"];
    let mut pool = Vec::new();
    for text in strings {
        pool.push(1);
        pool.extend((text.len() as u16).to_be_bytes());
        pool.extend(text.as_bytes());
    }
    pool.extend([7, 0, 1, 7, 0, 2, 7, 0, 6]);
    bytes.extend(10_u16.to_be_bytes());
    bytes.extend(pool);
    bytes.extend([0, 0x21, 0, 7, 0, 8, 0, 0, 0, 0, 0, 1]);
    bytes.extend([0, 9, 0, 3, 0, 4, 0, 1, 0, 5]);
    bytes.extend((12 + code.len() as u32).to_be_bytes());
    bytes.extend(max_stack.to_be_bytes());
    bytes.extend(max_locals.to_be_bytes());
    bytes.extend((code.len() as u32).to_be_bytes());
    bytes.extend(code);
    bytes.extend([0, 0, 0, 0, 0, 0]);
    ClassFile::parse(bytes.into()).expect("the file is well-formed")
}

fn translated(code: &[u8], max_stack: u16, max_locals: u16) -> Result<super::Code, String> {
    let file = class_file(code, max_stack, max_locals);
    let attribute = file
        .code(&file.methods[0])
        .expect("readable")
        .expect("there is code");
    translate(&file, &attribute, 1).map_err(|error| error.0)
}

#[test]
fn every_byte_is_a_bytecode_or_an_error() {
    for byte in 0..=255_u8 {
        let code = [byte, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        // What `wide` widens is not there; and a table of nothing has at least its length.
        let is_short = matches!(
            Opcode::from_byte(byte),
            Some(Opcode::Wide | Opcode::Tableswitch)
        );
        assert_eq!(
            decode(&code, 0).is_ok(),
            Opcode::from_byte(byte).is_some() && !is_short,
            "{byte}"
        );
    }
    assert_eq!(Opcode::from_byte(201), Some(Opcode::JsrW));
    assert_eq!(Opcode::from_byte(202), None);
}

#[test]
fn subroutines_are_translated() {
    // jsr +4; ireturn-less: iload_0; ireturn; subroutine: astore_1; ret 1
    let code = [0xA8, 0, 5, 0x1A, 0xAC, 0x4C, 0xA9, 1];
    assert!(translated(&code, 1, 2).is_ok());
    // jsr_w and goto_w
    assert!(translated(&[0xC9, 0, 0, 0, 7, 0x1A, 0xAC, 0x4C, 0xA9, 1], 1, 2).is_ok());
    assert!(translated(&[0xC8, 0, 0, 0, 5, 0x1A, 0xAC], 1, 1).is_ok());
}

#[test]
fn wide_forms_are_translated() {
    // wide iinc 300 by 1000; wide iload 300; ireturn
    let code = [0xC4, 0x84, 1, 44, 3, 0xE8, 0xC4, 0x15, 1, 44, 0xAC];
    assert!(translated(&code, 1, 301).is_ok());
    assert!(translated(&code, 1, 300).is_err());
}

#[test]
fn the_stack_is_checked() {
    // pop of nothing; too much; wrong kinds; different depths where branches meet
    assert!(translated(&[0x57, 0x1A, 0xAC], 1, 1).is_err());
    assert!(translated(&[0x1A, 0x1A, 0x60, 0xAC], 1, 1).is_err());
    assert!(translated(&[0x1A, 0x1A, 0x60, 0xAC], 2, 1).is_ok());
    assert!(translated(&[0x0B, 0x1A, 0x60, 0xAC], 2, 1).is_err());
    assert!(translated(&[0x1A, 0x1A, 0x99, 0, 4, 0x57, 0xAC], 2, 1).is_err());
}

#[test]
fn control_stays_in_the_code() {
    assert_eq!(
        translated(&[0x1A], 1, 1).err().as_deref(),
        Some("Control flow falls through code end")
    );
    // a jump into the middle of a bytecode, and one behind the end
    assert!(translated(&[0x11, 0xA7, 0, 0xA7, 0xFF, 0xFE], 1, 1).is_err());
    assert!(translated(&[0xA7, 0, 99], 1, 1).is_err());
}

#[test]
fn local_variables_are_checked() {
    assert!(translated(&[0x1B, 0xAC], 1, 1).is_err());
    // a long needs two places
    assert!(translated(&[0x09, 0x3F, 0x1A, 0xAC], 2, 2).is_ok());
    assert!(translated(&[0x09, 0x40, 0x1A, 0xAC], 2, 2).is_err());
}

#[test]
fn a_result_goes_to_its_variable_at_once() {
    // iload_0; iconst_2; imul; istore_0; iload_0; ireturn
    let code = translated(&[0x1A, 0x05, 0x68, 0x3B, 0x1A, 0xAC], 2, 1).expect("it is fine");
    assert_eq!(code.instrs.len(), 2);
}

#[test]
fn an_old_value_survives_its_variable() {
    // iload_0; iinc 0 1; iload_0; iadd; ireturn: the first operand is the value before
    let code = translated(&[0x1A, 0x84, 0, 1, 0x1A, 0x60, 0xAC], 2, 1).expect("it is fine");
    assert_eq!(code.instrs[0].op, super::Op::Move);
}

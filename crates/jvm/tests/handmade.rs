//! Bytecode that compilers of today do not make, put together by hand and executed: each
//! program exits with what it computed.

use crate::common;

use common::Silent;
use raddle_testkit::jdk::jdk;

use raddle_jvm::load::{Found, Jdk, Source};
use raddle_jvm::{End, World};

struct Bytes(Vec<u8>);

impl Source for Bytes {
    fn find(&self, name: &str) -> Found {
        Ok((name == "Hand.class").then(|| self.0.clone().into()))
    }
}

/// The class `Hand` with a `main` of this code. Constant 13 is the method `System.exit`.
fn class_file(code: &[u8], max_locals: u16) -> Vec<u8> {
    let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 48, 0, 14];
    let texts = [
        "Hand",
        "java/lang/Object",
        "main",
        "([Ljava/lang/String;)V",
        "Code",
        "java/lang/System",
        "exit",
        "(I)V",
    ];
    for text in texts {
        bytes.push(1);
        bytes.extend((text.len() as u16).to_be_bytes());
        bytes.extend(text.as_bytes());
    }
    // 9, 10 and 11 are classes, 12 is a name and type, 13 a method.
    bytes.extend([7, 0, 1, 7, 0, 2, 7, 0, 6, 12, 0, 7, 0, 8, 10, 0, 11, 0, 12]);
    bytes.extend([0, 0x21, 0, 9, 0, 10, 0, 0, 0, 0, 0, 1]);
    bytes.extend([0, 9, 0, 3, 0, 4, 0, 1, 0, 5]);
    bytes.extend((12 + code.len() as u32).to_be_bytes());
    bytes.extend([0, 10]);
    bytes.extend(max_locals.to_be_bytes());
    bytes.extend((code.len() as u32).to_be_bytes());
    bytes.extend(code);
    bytes.extend([0, 0, 0, 0, 0, 0]);
    bytes
}

const EXIT: [u8; 4] = [0xB8, 0, 13, 0xB1];

/// What the whole method exits with.
fn run(code: &[u8], max_locals: u16) -> End {
    let source = Bytes(class_file(code, max_locals));
    let world = World::new(Jdk::open(jdk()).expect("a JDK"), vec![Box::new(source)])
        .expect("the library loads");
    let booted = raddle_jvm::boot(&world, &mut Silent).expect("the library starts");
    let mut state =
        raddle_jvm::start(&world, &booted, "Hand", &[], &mut Silent).expect("it starts");
    raddle_jvm::run(&world, &mut state, &mut Silent, 1000)
}

/// What an expression exits with.
fn value(code: &[u8]) -> End {
    run(&[code, &EXIT].concat(), 2)
}

#[test]
fn subroutines() {
    // x = 5; jsr { x += 3 }; exit(x)
    let code = [
        &[0x08, 0x3C, 0xA8, 0, 8, 0x1B][..],
        &EXIT,
        &[0x4D, 0x84, 1, 3, 0xA9, 2],
    ]
    .concat();
    assert_eq!(run(&code, 3), End::Exit(8));
    let code = [
        &[0x08, 0x3C, 0xC9, 0, 0, 0, 10, 0x1B][..],
        &EXIT,
        &[0x4D, 0x84, 1, 3, 0xA9, 2],
    ]
    .concat();
    assert_eq!(run(&code, 3), End::Exit(8));
    // the return address in a variable with a large number
    let code = [
        &[0xA8, 0, 9, 0x10, 7][..],
        &EXIT,
        &[0xC4, 0x3A, 1, 44, 0xC4, 0xA9, 1, 44],
    ]
    .concat();
    assert_eq!(run(&code, 301), End::Exit(7));
}

#[test]
fn far_jumps_and_nothing() {
    let code = [&[0x00, 0xC8, 0, 0, 0, 6, 0x00, 0x10, 42][..], &EXIT].concat();
    assert_eq!(run(&code, 1), End::Exit(42));
}

#[test]
fn the_stack_is_shuffled() {
    // swap; dup_x2; dup2_x1; dup2_x2 with words
    assert_eq!(value(&[0x05, 0x08, 0x5F, 0x64]), End::Exit(3));
    assert_eq!(
        value(&[0x04, 0x05, 0x06, 0x5B, 0x60, 0x60, 0x64]),
        End::Exit(-3)
    );
    assert_eq!(
        value(&[0x04, 0x05, 0x06, 0x5D, 0x60, 0x68, 0x64, 0x68]),
        End::Exit(-4)
    );
    assert_eq!(
        value(&[0x04, 0x05, 0x06, 0x07, 0x5E, 0x64, 0x68, 0x64, 0x68, 0x64]),
        End::Exit(-9)
    );
    // and with longs among them
    assert_eq!(value(&[0x0A, 0x09, 0x5E, 0x65, 0x65, 0x88]), End::Exit(-1));
    assert_eq!(value(&[0x0A, 0x06, 0x5B, 0x57, 0x88, 0x64]), End::Exit(2));
    assert_eq!(
        value(&[0x08, 0x0A, 0x5D, 0x88, 0x64, 0x85, 0x61, 0x88]),
        End::Exit(5)
    );
    assert_eq!(
        value(&[0x05, 0x06, 0x0A, 0x5E, 0x88, 0x64, 0x68, 0x85, 0x61, 0x88]),
        End::Exit(5)
    );
    assert_eq!(
        value(&[0x0A, 0x05, 0x06, 0x5E, 0x60, 0x85, 0x61, 0x88, 0x64, 0x68]),
        End::Exit(-6)
    );
    // pop2 of two words and of one long
    assert_eq!(value(&[0x08, 0x04, 0x05, 0x58]), End::Exit(5));
    assert_eq!(value(&[0x08, 0x0A, 0x58]), End::Exit(5));
}

#[test]
fn floats_in_the_first_variables() {
    // fconst_2; fstore_n; fload_n; f2i
    for local in 0..3 {
        let code = [&[0x0D, 0x43 + local, 0x22 + local, 0x8B][..], &EXIT].concat();
        assert_eq!(run(&code, 3), End::Exit(2));
    }
}

#[test]
fn numbers_at_the_edges() {
    // Integer.MIN_VALUE / -1 and % -1, shifts by more than there are bits
    let smallest = [0x04, 0x10, 31, 0x78];
    assert_eq!(
        value(&[&smallest[..], &[0x02, 0x6C]].concat()),
        End::Exit(i32::MIN)
    );
    assert_eq!(
        value(&[&smallest[..], &[0x02, 0x70]].concat()),
        End::Exit(0)
    );
    assert_eq!(value(&[0x04, 0x10, 33, 0x78]), End::Exit(2));
    assert_eq!(value(&[0x02, 0x10, 60, 0x7C]), End::Exit(15));
    // a byte and a char from a negative number
    assert_eq!(value(&[0x11, 0xFE, 0xFF, 0x91]), End::Exit(-1));
    assert_eq!(value(&[0x02, 0x92]), End::Exit(65535));
}

#[test]
fn code_that_breaks_the_rules_is_an_error_of_the_program() {
    // two operands are not there: VerifyError, which nobody catches
    assert_eq!(run(&[0x60, 0xB1], 1), End::Exit(1));
}

//! The white space of models in order.

use crate::common::{folder, run, write};

const WILD: &str = "int x;\nthread t {\nx=1 ;  // one\n}\n";
const TAME: &str = "int x;\nthread t {\n  x = 1;  // one\n}\n";

#[test]
fn files_are_put_in_order_and_those_that_are_not_are_named() {
    let folder = folder("fmt");
    write(&folder, "wild.rad", WILD);
    write(&folder, "tame.rad", TAME);
    let (code, out, err) = run(&folder, &["fmt", "--check", "wild.rad", "tame.rad"]);
    assert_eq!((code, &*out), (1, "wild.rad\n"), "{err}");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a file");
    assert_eq!(read("wild.rad"), WILD);
    let (code, out, err) = run(&folder, &["fmt", "wild.rad", "tame.rad"]);
    assert_eq!((code, &*out, &*err), (0, "", ""));
    assert_eq!((&*read("wild.rad"), &*read("tame.rad")), (TAME, TAME));
}

#[test]
fn nothing_is_written_unless_all_are_programs() {
    let folder = folder("fmt_wrong");
    write(&folder, "wild.rad", WILD);
    write(&folder, "wrong.rad", "int x\n");
    write(&folder, "a.cbp", "void main() begin end");
    for other in ["wrong.rad", "a.cbp", "absent.rad"] {
        let (code, _, err) = run(&folder, &["fmt", "wild.rad", other]);
        assert_eq!(code, 3, "{other}: {err}");
        let text = std::fs::read_to_string(folder.join("wild.rad")).expect("a file");
        assert_eq!(text, WILD, "{other}");
    }
}

//! White space in order: nothing else changes, and what is in order stays so.

use raddle_lang::format::format;
use raddle_lang::parser::parse;
use raddle_lang::tidy::tidy;
use std::path::{Path, PathBuf};

#[track_caller]
fn becomes(text: &str, expected: &str) {
    assert_eq!(tidy(text).expect("it is a program"), expected);
    assert_eq!(tidy(expected).expect("it is a program"), expected);
}

#[test]
fn spaces_and_lines() {
    becomes(
        "// first\n\n\n\nconst N=1<<3;int  x=-1 ;//  kept\n\
         channel < int(0 .. 3) > (2) c;\nenum Colour{Red,Green}\n\
         int t[2] [3]={ {1,2 ,3}, {4,- -5,6} };\n\
         invariant i:forall(k in 0..1 :t[k][0]<N)&&\n!(x>3);\n\
         property p : (x==1) leads to(x == 2);\n\n\n\
         thread a [ 2 ] {\n\n\n/* what\n   it is */\nhere :x ++;\n\
         if(x>(2)){x=x ? 1:2;}\nelse\nif (x==1)\nx=2;\nelse\n{\n x=-x;\n}\n\
         for(int k=0;k<2;k ++)\nwhile(x > k)\nx=x\n-1;\n\
         choose{\nskip;// one\nor when(x==1)\nskip;\nor\nskip; }\n\n}",
        "// first\n\n\
         const N = 1 << 3; int x = -1; //  kept\n\
         channel<int(0..3)>(2) c;\n\
         enum Colour { Red, Green }\n\
         int t[2][3] = {{1, 2, 3}, {4, - -5, 6}};\n\
         invariant i: forall(k in 0..1: t[k][0] < N) &&\n    !(x > 3);\n\
         property p: (x == 1) leads to (x == 2);\n\n\
         thread a[2] {\n  /* what\n   it is */\n  here: x++;\n\
         \x20 if (x > (2)) { x = x ? 1 : 2; }\n  else\n    if (x == 1)\n      x = 2;\n  else\n  {\n    x = -x;\n  }\n\
         \x20 for (int k = 0; k < 2; k++)\n    while (x > k)\n      x = x\n          - 1;\n\
         \x20 choose {\n    skip; // one\n  or when (x == 1)\n    skip;\n  or\n    skip; }\n\n}\n"
            .replace("; }\n\n}", "; }\n}")
            .as_str(),
    );
}

#[test]
fn what_is_no_program_is_not_touched() {
    assert!(tidy("int x").is_err());
    assert!(tidy("thread t { x = 'a'; }").is_err());
    assert_eq!(tidy("").expect("an empty program"), "");
}

/// All models of the repository.
fn models(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            models(&path, out);
        } else if path.extension().is_some_and(|it| it == "rad") {
            out.push(path);
        }
    }
}

#[test]
fn models_stay_what_they_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    for folder in ["examples", "tests", "docs", "benches", "crates/lang/tests"] {
        models(&root.join(folder), &mut paths);
    }
    let mut programs = 0;
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a file");
        let Ok(tree) = parse(&text) else { continue };
        programs += 1;
        let once = tidy(&text).unwrap_or_else(|error| panic!("{}: {error:?}", path.display()));
        let again = parse(&once).unwrap_or_else(|error| panic!("{}: {error:?}", path.display()));
        assert_eq!(format(&tree), format(&again), "{}", path.display());
        assert_eq!(tidy(&once).expect("a program"), once, "{}", path.display());
        let comments = |text: &str| text.matches("//").count() + text.matches("/*").count();
        assert_eq!(comments(&text), comments(&once), "{}", path.display());
    }
    assert!(programs > 200, "only {programs} programs");
}

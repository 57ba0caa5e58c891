//! Random programs with any number of threads: locks, counters, guards, waits.

/// A sequence of numbers that looks random.
pub(crate) struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub(crate) fn new(seed: u64) -> Random {
        Random(0x9E37_79B9_7F4A_7C15 ^ seed.wrapping_mul(0x0123_4567_89AB_CDEF))
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

/// Conditions over shared variables.
const CONDITIONS: &[&str] = &[
    "x == 0",
    "x > 0",
    "x <= 1",
    "x == 2",
    "y == 0",
    "y != x",
    "f",
    "!f",
    "f && x == 0",
    "x <= y",
];

/// Assertions that hold now and then.
const ASSERTIONS: &[&str] = &[
    "x >= 0",
    "x <= 2",
    "x != 3",
    "y <= 1",
    "y >= 0",
    "!f || x > 0",
    "x <= y + 2",
    "l <= x + 3",
    "l == x",
    "l <= x",
    "x == y",
];

/// A few statements.
fn statements(random: &mut Random, depth: u64, locked: bool, out: &mut String) {
    for _ in 0..1 + random.below(3) {
        let condition = random.pick(CONDITIONS);
        match random.below(if depth == 0 { 9 } else { 14 }) {
            0 => out.push_str("x = x + 1;\n"),
            1 => out.push_str(random.pick(&["x = x - 1;\n", "y = y + 1;\n", "y = x;\n"])),
            2 => out.push_str(random.pick(&["x = 0;\n", "y = 1;\n", "fetchAdd(x, 1);\n"])),
            3 => out.push_str(random.pick(&["f = true;\n", "f = false;\n", "f = x == 0;\n"])),
            4 => {
                out.push_str(random.pick(&["l = x;\n", "l = y;\n", "x = l + 1;\n", "l = l + 1;\n"]))
            }
            5 | 6 => out.push_str(&format!("assert({});\n", random.pick(ASSERTIONS))),
            7 if locked => out.push_str(random.pick(&["notify(m);\n", "notifyAll(m);\n"])),
            8 if locked => out.push_str(&format!("while ({condition}) wait(m);\n")),
            7 | 8 => out.push_str(&format!("await ({condition});\n")),
            9 | 10 => {
                out.push_str("synchronized (m) {\n");
                statements(random, depth - 1, true, out);
                out.push_str("}\n");
            }
            11 => {
                out.push_str(&format!("if ({condition}) {{\n"));
                statements(random, depth - 1, locked, out);
                out.push_str("}\n");
            }
            12 => {
                out.push_str("atomic { ");
                out.push_str(random.pick(&[
                    "x = x + 1; y = y + 1;",
                    "if (x > 0) x = x - 1;",
                    "f = !f;",
                ]));
                out.push_str(" }\n");
            }
            _ => {
                out.push_str("choose {\n");
                statements(random, depth - 1, locked, out);
                out.push_str("or\nskip;\n}\n");
            }
        }
    }
}

/// What threads do that look at the others of their kind.
const LOOKS: &[&str] = &[
    "await (!g[k]);",
    "if (g[k]) x = x + 1;",
    "if (!g[k]) f = true;",
    "if (k < index) await (!g[k]);",
    "if (g[k] && f) l = 1;",
];

/// A program with any number of threads of one or two kinds. Those of one kind may have an array.
pub(crate) fn program(random: &mut Random) -> String {
    let mut text = "int x, y;\nbool f;\nlock m;\n".to_owned();
    let kinds = 1 + random.below(2);
    let has_array = random.below(4) == 0;
    if has_array {
        text.push_str("bool g[t0];\n");
    }
    for kind in 0..kinds {
        let mut body = String::new();
        if has_array && kind == 0 {
            body.push_str(random.pick(&["g[index] = true;\n", "g[index] = x == 0;\n"]));
            body.push_str(&format!(
                "for (int k = 0; k < length(g); k++) {{ if (k != index) {{ {} }} }}\n",
                random.pick(LOOKS)
            ));
        }
        statements(random, if has_array { 1 } else { 2 }, false, &mut body);
        if random.below(3) == 0 {
            let again = random.pick(&["x < 2", "y == 0", "!f"]);
            body = format!("while ({again}) {{\n{body}}}\n");
        }
        if random.below(2) == 0 || has_array {
            body.push_str(&format!("here{kind}: skip;\n"));
            let most = match has_array {
                true => 1,
                false => random.below(3),
            };
            text.push_str(&format!("invariant count(here{kind}) <= {most};\n"));
            body.push_str(random.pick(&["", "x = x + 1;\n", "f = false;\n"]));
        }
        if has_array && kind == 0 {
            body.push_str(random.pick(&["g[index] = false;\n", ""]));
        }
        text.push_str(&format!("thread t{kind}[*] {{\nint l = 0;\n{body}}}\n"));
    }
    if random.below(4) == 0 {
        text.push_str("invariant x <= 3 || y > 0;\n");
    }
    text
}

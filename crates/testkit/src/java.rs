//! Random Java programs, to be run by `java` and by our machine side by side.
//!
//! Every program ends, and prints what it computed: a checksum after each block and all
//! variables at the end. Loops count to fixed bounds, methods only call those declared
//! before them, and every exception of the machine is caught somewhere. Nothing that is
//! printed depends on the clock, on identity hashes, or on how a release of the library
//! prints a float: floating-point values are printed as bits.
//!
//! The same seed always gives the same text.

use crate::generate::Random;
use crate::java_text::Writing;

/// The name of the class that every program declares.
pub const CLASS: &str = "Sample";

/// The text of `Sample.java` for a seed.
pub fn program(seed: u64) -> String {
    let mut writer = Writer {
        random: Random(seed),
        text: String::new(),
        depth: 0,
        loops: 0,
        nesting: 0,
        labels: Vec::new(),
        methods: 0,
        names: 0,
    };
    writer.class(seed);
    writer.text
}

/// The types of Java that a generated expression can have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Int,
    Long,
    Float,
    Double,
    Char,
    Byte,
    Short,
    Boolean,
    Text,
}

const NUMBERS: [Type; 7] = [
    Type::Int,
    Type::Long,
    Type::Float,
    Type::Double,
    Type::Char,
    Type::Byte,
    Type::Short,
];

impl Type {
    fn name(self) -> &'static str {
        match self {
            Type::Int => "int",
            Type::Long => "long",
            Type::Float => "float",
            Type::Double => "double",
            Type::Char => "char",
            Type::Byte => "byte",
            Type::Short => "short",
            Type::Boolean => "boolean",
            Type::Text => "String",
        }
    }

    /// The letter that begins the names of variables of this type; there are two fields
    /// of each, a static one and one of an object, and two local variables.
    fn letter(self) -> char {
        match self {
            Type::Int => 'i',
            Type::Long => 'l',
            Type::Float => 'f',
            Type::Double => 'd',
            Type::Char => 'c',
            Type::Byte => 'b',
            Type::Short => 's',
            Type::Boolean => 'z',
            Type::Text => 't',
        }
    }

    /// Values at the edges of the type.
    fn edges(self) -> &'static [&'static str] {
        match self {
            Type::Int => &[
                "0",
                "1",
                "-1",
                "7",
                "31",
                "33",
                "255",
                "65536",
                "-40000",
                "0x55555555",
                "Integer.MAX_VALUE",
                "Integer.MIN_VALUE",
                "123456789",
            ],
            Type::Long => &[
                "0L",
                "1L",
                "-1L",
                "63L",
                "65L",
                "1L << 31",
                "1L << 32",
                "-3000000000L",
                "Long.MAX_VALUE",
                "Long.MIN_VALUE",
                "0x5555555555555555L",
                "Integer.MAX_VALUE",
            ],
            Type::Float => &[
                "0f",
                "-0f",
                "1f",
                "0.1f",
                "-2.5f",
                "16777217f",
                "3e9f",
                "-1e20f",
                "1e-40f",
                "Float.NaN",
                "Float.POSITIVE_INFINITY",
                "Float.MAX_VALUE",
                "Float.MIN_VALUE",
            ],
            Type::Double => &[
                "0.0",
                "-0.0",
                "1.0",
                "0.1",
                "-2.5",
                "9007199254740993.0",
                "3e9",
                "-1e19",
                "5e-324",
                "Double.NaN",
                "Double.NEGATIVE_INFINITY",
                "Double.MAX_VALUE",
                "1e-310",
            ],
            Type::Char => &["'a'", "'\\0'", "'\\uffff'", "'Z'", "'\\u8000'", "'0'"],
            Type::Byte => &[
                "(byte) 0",
                "(byte) 127",
                "(byte) -128",
                "(byte) 200",
                "(byte) 5",
            ],
            Type::Short => &[
                "(short) 0",
                "(short) 32767",
                "(short) -32768",
                "(short) 50000",
            ],
            Type::Boolean => &["true", "false"],
            Type::Text => &[
                "\"\"",
                "\"a\"",
                "\"Aa\"",
                "\"BB\"",
                "\"12\"",
                "\"-7\"",
                "\"x y z\"",
                "\"\\u00e9\\u4e2d\"",
                "\"abcabc\"",
                "\"0x1f\"",
            ],
        }
    }
}

const EXCEPTIONS: [&str; 8] = [
    "ArithmeticException",
    "ArrayIndexOutOfBoundsException",
    "NullPointerException",
    "ClassCastException",
    "NegativeArraySizeException",
    "NumberFormatException",
    "IllegalStateException",
    "RuntimeException",
];

struct Writer {
    random: Random,
    text: String,
    /// How deep expressions are.
    depth: u32,
    /// How many loops are around what is written: their iterations multiply.
    loops: u32,
    /// How deep statements are.
    nesting: usize,
    /// The labels of the loops around what is written.
    labels: Vec<usize>,
    /// How many methods are declared already, and so may be called.
    methods: u64,
    /// How many names were made for variables that live in one block.
    names: usize,
}

impl Writing for Writer {
    fn parts(&mut self) -> (&mut Random, &mut String, &mut usize) {
        (&mut self.random, &mut self.text, &mut self.nesting)
    }
}

impl Writer {
    fn class(&mut self, seed: u64) {
        self.line(&format!("// Seed {seed}."));
        self.line("import java.util.*;");
        self.line("");
        self.line(&format!("public class {CLASS} {{"));
        self.nesting = 1;
        self.text.push_str(HELPERS);
        for kind in NUMBERS.into_iter().chain([Type::Boolean, Type::Text]) {
            let (name, letter) = (kind.name(), kind.letter());
            let (fixed, own) = (self.edge(kind), self.edge(kind));
            self.line(&format!("static {name} {letter}2 = {fixed};"));
            self.line(&format!("{name} {letter}3 = {own};"));
        }
        let count = 1 + self.random.below(4);
        for number in 0..count {
            self.line("");
            self.method(&format!(
                "long m{number}(int i0, long l0, double d0, String t0)"
            ));
            self.methods = number + 1;
        }
        self.line("");
        self.line("public static void main(String[] args) {");
        self.nesting = 2;
        self.line(&format!("{CLASS} it = new {CLASS}();"));
        for number in 0..count {
            for _ in 0..2 {
                let arguments = self.edge_arguments();
                self.line("fuel = 20000;");
                self.line(&format!(
                    "try {{ note(it.m{number}({arguments})); }} catch (RuntimeException e) {{ note(e); }}"
                ));
                self.line("System.out.println(sum);");
            }
        }
        for kind in NUMBERS.into_iter().chain([Type::Boolean, Type::Text]) {
            let letter = kind.letter();
            self.line(&format!("note({letter}2); note(it.{letter}3);"));
            self.line(&format!("System.out.println(\"{letter} \" + sum);"));
        }
        self.line("System.out.println(Arrays.hashCode(ints) + \" \" + Arrays.hashCode(longs) + \" \" + list + \" \" + map);");
        self.nesting = 1;
        self.line("}");
        self.nesting = 0;
        self.line("}");
    }

    fn method(&mut self, head: &str) {
        self.line(&format!("{head} {{"));
        self.nesting += 1;
        // What is no parameter is a local variable.
        for kind in NUMBERS.into_iter().chain([Type::Boolean, Type::Text]) {
            let letter = kind.letter();
            for number in 0..2 {
                if number == 0 && matches!(kind, Type::Int | Type::Long | Type::Double | Type::Text)
                {
                    continue;
                }
                let value = self.edge(kind);
                self.line(&format!("{} {letter}{number} = {value};", kind.name()));
            }
        }
        let statements = 4 + self.random.below(8);
        for _ in 0..statements {
            self.statement();
        }
        self.line(
            "note(i0 + i1); note(l0 ^ l1); note(f0); note(f1); note(d0); note(d1); note(c0 + c1);",
        );
        self.line("note(b0 + s0 * 3 + b1 * 5 + s1 * 7); note(z0); note(z1); note(t0); note(t1);");
        let result = self.expression(Type::Long);
        self.line(&format!("return {result};"));
        self.nesting -= 1;
        self.line("}");
    }

    fn block(&mut self, head: &str) {
        self.line(&format!("{head} {{"));
        self.nesting += 1;
        for _ in 0..1 + self.random.below(3) {
            self.statement();
        }
        self.nesting -= 1;
        self.line("}");
    }

    fn statement(&mut self) {
        let choices = if self.nesting > 3 { 9 } else { 16 };
        match self.random.below(choices) {
            0..=2 => self.assignment(),
            3 => self.array(),
            4 => self.collection(),
            5 => {
                let kind = self.kind();
                let value = self.expression(kind);
                self.line(&format!("note({value});"));
            }
            6 => {
                let (kind, letter) = (self.number(), self.random.below(4));
                let change = self.pick(&["++", "--"]);
                let variable = format!("{}{letter}", kind.letter());
                let text = match self.random.below(2) {
                    0 => format!("note({variable}{change});"),
                    _ => format!("note({change}{variable});"),
                };
                self.line(&text);
            }
            7 => self.leave(),
            8 => self.throw(),
            9 | 10 => {
                let condition = self.expression(Type::Boolean);
                self.block(&format!("if ({condition})"));
                if self.random.below(2) == 0 {
                    self.block("else");
                }
            }
            11 | 12 => self.repeat(),
            13 => self.switch(),
            _ => self.guarded(),
        }
    }

    /// An assignment: plain, compound with its narrowing, or to a string.
    fn assignment(&mut self) {
        let number = self.random.below(4);
        let kind = self.kind();
        let target = format!("{}{number}", kind.letter());
        let text = match kind {
            // Strings stay short: a loop must not double one for ever.
            Type::Text => format!("{target} = cut({});", self.expression(Type::Text)),
            Type::Boolean => {
                let operator = self.pick(&["=", "&=", "|=", "^="]);
                format!("{target} {operator} {};", self.expression(Type::Boolean))
            }
            Type::Float | Type::Double => {
                let operator = self.pick(&["+=", "-=", "*=", "/=", "%="]);
                let other = self.number();
                format!("{target} {operator} {};", self.expression(other))
            }
            _ if self.random.below(2) == 0 => {
                let other =
                    [Type::Int, Type::Long, Type::Char, Type::Byte][self.random.below(4) as usize];
                let operator = self.pick(&[
                    "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", ">>>=",
                ]);
                format!("{target} {operator} {};", self.expression(other))
            }
            _ => format!("{target} = {};", self.expression(kind)),
        };
        self.line(&text);
    }

    /// Reads and writes of arrays, of which some are out of bounds.
    fn array(&mut self) {
        let index = self.expression(Type::Int);
        let index = match self.random.below(8) {
            0 => index,
            _ => format!("({index} & 7)"),
        };
        let (int, long) = (self.expression(Type::Int), self.expression(Type::Long));
        let text = match self.random.below(6) {
            0 => format!("ints[{index}] += {long};"),
            1 => format!("longs[{index}] = i1 = {int};"),
            2 => format!("note(longs[{index}] = {long});"),
            3 => format!("bytes[{index}] <<= {int};"),
            4 => format!("grid[{index} & 1][{index}] ^= {int};"),
            _ => format!("note(ints[{index}]++ + bytes[{index}]--);"),
        };
        self.line(&text);
    }

    fn collection(&mut self) {
        let (int, text) = (self.expression(Type::Int), self.expression(Type::Text));
        let text = match self.random.below(9) {
            0 => format!("if (list.size() < 40) list.add({int});"),
            1 => "if (!list.isEmpty()) note(list.remove(list.size() - 1));".to_owned(),
            2 => format!("list.remove((Integer) ({int}));"),
            3 => format!("map.merge(cut({text}), {int}, Integer::sum);"),
            4 => format!("note(map.getOrDefault(cut({text}), {int}));"),
            5 => format!("for (int x : list) note(x ^ {int});"),
            6 => format!("map.computeIfPresent(cut({text}), (k, v) -> v > 0 ? v - 1 : null);"),
            7 => format!(
                "note(list.stream().mapToInt(x -> x).filter(x -> x % 3 != 0).sum() + {int});"
            ),
            _ => format!("note(list.indexOf({int}) + map.size()); Collections.sort(list);"),
        };
        self.line(&text);
    }

    /// Leaves a loop or begins its next round; outside of loops, does something else.
    fn leave(&mut self) {
        if self.labels.is_empty() {
            return self.assignment();
        }
        let label = self.labels[self.random.below(self.labels.len() as u64) as usize];
        let condition = self.expression(Type::Boolean);
        let how = self.pick(&["break", "continue"]);
        self.line(&format!("if ({condition}) {how} loop{label};"));
    }

    fn throw(&mut self) {
        let condition = self.expression(Type::Boolean);
        let exception = self.pick(&EXCEPTIONS);
        let text = self.expression(Type::Text);
        self.line(&format!(
            "if ({condition}) throw new {exception}(cut({text}));"
        ));
    }

    fn repeat(&mut self) {
        if self.loops == 2 {
            return self.guarded();
        }
        let name = self.name();
        let bound = 1 + self.random.below(6);
        self.labels.push(name);
        self.loops += 1;
        match self.random.below(3) {
            0 => self.block(&format!(
                "loop{name}: for (int n{name} = 0; n{name} < {bound} && burn(); n{name}++)"
            )),
            1 => {
                let condition = self.expression(Type::Boolean);
                self.line(&format!("int n{name} = {bound};"));
                self.block(&format!(
                    "loop{name}: while (n{name}-- > 0 && burn() && {condition})"
                ));
            }
            _ => {
                self.block(&format!("loop{name}: for (long n{name} = {bound}L * 1000000007; burn() && n{name} > 0; n{name} -= 1000000007)"));
            }
        }
        self.loops -= 1;
        self.labels.pop();
    }

    fn switch(&mut self) {
        match self.random.below(3) {
            0 => {
                let subject = self.expression(Type::Int);
                self.line(&format!("switch ({subject} % 5) {{"));
                for case in ["-3", "-1", "0", "2", "3"] {
                    self.case(&format!("case {case}"));
                }
            }
            1 => {
                let subject = self.expression(Type::Int);
                self.line(&format!("switch ({subject}) {{"));
                for case in [
                    "Integer.MIN_VALUE",
                    "-1",
                    "1000",
                    "65536",
                    "Integer.MAX_VALUE",
                ] {
                    self.case(&format!("case {case}"));
                }
            }
            _ => {
                let subject = self.expression(Type::Text);
                self.line(&format!("switch (cut({subject})) {{"));
                for case in ["\"Aa\"", "\"BB\"", "\"a\"", "\"\""] {
                    self.case(&format!("case {case}"));
                }
            }
        }
        self.case("default");
        self.line("}");
    }

    fn case(&mut self, head: &str) {
        self.block(&format!("{head}:"));
        if self.random.below(3) > 0 {
            self.line("break;");
        }
    }

    fn guarded(&mut self) {
        let name = self.name();
        self.block("try");
        let catches = self.random.below(3);
        if catches > 0 {
            let exception = self.random.below(EXCEPTIONS.len() as u64 - 1) as usize;
            self.block(&format!("catch ({} e{name})", EXCEPTIONS[exception]));
        }
        if catches > 1 {
            self.line(&format!(
                "catch (RuntimeException e{name}) {{ note(e{name}); }}"
            ));
        }
        if catches == 0 || self.random.below(2) == 0 {
            self.block("finally");
        }
    }

    /// An expression of exactly this type, in brackets where it needs some.
    fn expression(&mut self, kind: Type) -> String {
        if self.depth > 2 || self.random.below(4) == 0 {
            return self.leaf(kind);
        }
        self.depth += 1;
        let text = match kind {
            Type::Boolean => self.condition(),
            Type::Text => self.string(),
            _ => self.arithmetic(kind),
        };
        self.depth -= 1;
        text
    }

    fn leaf(&mut self, kind: Type) -> String {
        match self.random.below(3) {
            0 => self.edge(kind),
            _ => format!("{}{}", kind.letter(), self.random.below(4)),
        }
    }

    fn arithmetic(&mut self, kind: Type) -> String {
        let name = kind.name();
        let same = self.expression(kind);
        match self.random.below(10) {
            // A cast from any other type of number.
            0 | 1 => {
                let other = self.number();
                format!("({name}) ({})", self.expression(other))
            }
            2 => format!("({name}) (-{same})"),
            3 => {
                let (condition, other) = (self.expression(Type::Boolean), self.expression(kind));
                format!("({condition} ? {same} : {other})")
            }
            4 if matches!(kind, Type::Int | Type::Long) => {
                let other = [Type::Int, Type::Long][self.random.below(2) as usize];
                let distance = self.expression(other);
                let operator = self.pick(&["<<", ">>", ">>>"]);
                format!("({same} {operator} {distance})")
            }
            5 if self.methods > 0 && self.loops == 0 && kind == Type::Long => {
                let method = self.random.below(self.methods);
                let (int, long) = (self.leaf(Type::Int), self.leaf(Type::Long));
                let (double, text) = (self.leaf(Type::Double), self.leaf(Type::Text));
                format!("m{method}({int}, {long}, {double}, {text})")
            }
            6 if kind == Type::Int => self.integer(),
            7 if kind == Type::Double => {
                let function = self.pick(&[
                    "Math.sqrt",
                    "Math.abs",
                    "Math.floor",
                    "Math.rint",
                    "Math.ceil",
                    "StrictMath.sin",
                ]);
                format!("{function}({same})")
            }
            7 if kind == Type::Long => {
                let function = self.pick(&[
                    "Long.reverse",
                    "Double.doubleToLongBits",
                    "Math.round",
                    "Math.abs",
                    "Long.bitCount",
                ]);
                format!("(long) {function}({same})")
            }
            _ => {
                let other = self.expression(kind);
                let operators: &[&str] = match kind {
                    Type::Float | Type::Double => &["+", "-", "*", "/", "%"],
                    _ => &["+", "-", "*", "/", "%", "&", "|", "^"],
                };
                let operator = self.pick(operators);
                format!("({name}) ({same} {operator} {other})")
            }
        }
    }

    fn integer(&mut self) -> String {
        let (int, text) = (self.expression(Type::Int), self.expression(Type::Text));
        match self.random.below(8) {
            0 => format!("{text}.length()"),
            1 => format!("{text}.hashCode()"),
            2 => format!("{text}.indexOf({})", self.leaf(Type::Char)),
            3 => format!("Integer.parseInt({text})"),
            4 => format!(
                "Long.compare({}, {})",
                self.expression(Type::Long),
                self.leaf(Type::Long)
            ),
            5 => format!("Integer.reverse({int})"),
            6 => format!("new int[{int} % 50].length"),
            _ => format!("(int) (Integer) box({int}, {})", self.leaf(Type::Text)),
        }
    }

    fn string(&mut self) -> String {
        let text = self.expression(Type::Text);
        match self.random.below(6) {
            0 => format!("cut({text}).substring(1)"),
            1 => {
                // Floating-point numbers are printed in other ways by other releases.
                let kind = [Type::Int, Type::Long, Type::Char, Type::Byte, Type::Boolean]
                    [self.random.below(5) as usize];
                format!("({text} + ({}))", self.expression(kind))
            }
            2 => format!("cut({text}).replace('a', {})", self.leaf(Type::Char)),
            3 => format!("Long.toString({}, 36)", self.expression(Type::Long)),
            4 => format!("new StringBuilder({text}).reverse().toString()"),
            _ => {
                let condition = self.expression(Type::Boolean);
                format!("({condition} ? {text} : {})", self.leaf(Type::Text))
            }
        }
    }

    fn condition(&mut self) -> String {
        match self.random.below(5) {
            0 => {
                let operator = self.pick(&["&&", "||", "^", "&", "|", "=="]);
                let (left, right) = (
                    self.expression(Type::Boolean),
                    self.expression(Type::Boolean),
                );
                format!("({left} {operator} {right})")
            }
            1 => format!("!{}", self.expression(Type::Boolean)),
            2 => format!(
                "{}.equals({})",
                self.expression(Type::Text),
                self.leaf(Type::Text)
            ),
            _ => {
                let (left, right) = (self.number(), self.number());
                let operator = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                let (left, right) = (self.expression(left), self.expression(right));
                format!("({left} {operator} {right})")
            }
        }
    }

    fn edge_arguments(&mut self) -> String {
        let (int, long) = (self.edge(Type::Int), self.edge(Type::Long));
        let (double, text) = (self.edge(Type::Double), self.edge(Type::Text));
        format!("{int}, {long}, {double}, {text}")
    }

    fn edge(&mut self, kind: Type) -> String {
        let text = self.pick(kind.edges());
        // A literal with an operator in it stands in brackets.
        match text.contains(' ') && !text.contains('"') || text.starts_with('-') {
            true => format!("({text})"),
            false => text.to_owned(),
        }
    }

    fn kind(&mut self) -> Type {
        match self.random.below(9) {
            7 => Type::Boolean,
            8 => Type::Text,
            number => NUMBERS[number as usize],
        }
    }

    fn number(&mut self) -> Type {
        NUMBERS[self.random.below(NUMBERS.len() as u64) as usize]
    }

    fn name(&mut self) -> usize {
        self.names += 1;
        self.names
    }
}

/// What every program declares: the checksum, the fuel of its loops, and shared containers.
const HELPERS: &str = r#"    static long sum;
    static int fuel;
    static int[] ints = new int[8];
    static long[] longs = new long[8];
    static byte[] bytes = new byte[8];
    static int[][] grid = new int[2][8];
    static List<Integer> list = new ArrayList<>(List.of(3, 1, 2));
    static Map<String, Integer> map = new TreeMap<>();
    static void note(long x) { sum = sum * 31 + x; }
    static void note(double x) { note(Double.doubleToLongBits(x)); }
    static void note(float x) { note(Float.floatToIntBits(x)); }
    static void note(boolean x) { note(x ? 1 : 2); }
    static void note(String x) { note(x.hashCode()); }
    static void note(RuntimeException e) { note(e.getClass().getName()); note(e.getStackTrace()[0].getLineNumber() > 0); }
    static boolean burn() { return fuel-- > 0; }
    static String cut(String s) { return s.length() > 20 ? s.substring(s.length() - 20) : s; }
    static Object box(int x, String s) { return x % 5 == 0 ? s : x % 7 == 0 ? null : x; }

"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_program() {
        for seed in 0..50 {
            assert_eq!(program(seed), program(seed));
        }
        assert_ne!(program(1), program(2));
    }
}

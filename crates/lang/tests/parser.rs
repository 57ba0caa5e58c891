//! The parser: the shape of every construct.

use raddle_diagnostics::render;
use raddle_lang::ast::{
    Alternative, Block, ClauseKind, Declarator, Expression, ExpressionKind, Initial, Item,
    Parameter, Range, Statement, StatementKind, Type, TypeKind, Variable,
};
use raddle_lang::parser::parse;

/// Shapes: every tree is written as an s-expression, independently of the formatter.
mod shape {
    use super::*;

    fn list(parts: impl IntoIterator<Item = String>) -> String {
        format!("({})", parts.into_iter().collect::<Vec<_>>().join(" "))
    }

    pub(crate) fn item(item: &Item) -> String {
        match item {
            Item::Granularity(granularity, _) => format!("(granularity {granularity:?})"),
            Item::Constant { name, value } => {
                format!("(const {} {})", name.text, expression(value))
            }
            Item::Enumeration { name, members } => {
                let members = members.iter().map(|member| member.text.clone());
                format!("(enum {} {})", name.text, list(members))
            }
            Item::Record { name, fields } => {
                format!(
                    "(record {} {})",
                    name.text,
                    list(fields.iter().map(variable))
                )
            }
            Item::Variable { local, variable: v } => {
                let scope = if *local { "local" } else { "shared" };
                format!("({scope} {})", variable(v))
            }
            Item::Function(f) => format!(
                "(function {} {} {} {})",
                ty(&f.result),
                f.name.text,
                list(f.parameters.iter().map(parameter)),
                block(&f.body)
            ),
            Item::Thread(t) => format!(
                "({}thread {} {} {} {})",
                if t.daemon { "daemon-" } else { "" },
                t.name.text,
                t.count.as_ref().map_or("-".into(), expression),
                t.parameters
                    .as_ref()
                    .map_or("-".into(), |p| list(p.iter().map(parameter))),
                block(&t.body)
            ),
            Item::Invariant {
                name, condition, ..
            } => {
                let name = name.as_ref().map_or("-", |name| &name.text);
                format!("(invariant {name} {})", expression(condition))
            }
            Item::Property {
                name,
                formula,
                fairness,
                ..
            } => {
                let name = name.as_ref().map_or("-", |name| &name.text);
                let fairness = fairness.map_or("-".into(), |fairness| format!("{fairness:?}"));
                format!("(property {name} {} {fairness})", expression(formula))
            }
            Item::Exclusive {
                subject,
                index,
                condition,
            } => format!(
                "(exclusive {} {} {} {})",
                subject.base.text,
                subject.field.as_ref().map_or("-", |field| &field.text),
                index.as_ref().map_or("-", |index| &index.text),
                expression(condition)
            ),
        }
    }

    fn parameter(parameter: &Parameter) -> String {
        format!("{}:{}", parameter.name.text, ty(&parameter.ty))
    }

    fn variable(variable: &Variable) -> String {
        let declarators = list(variable.declarators.iter().map(declarator));
        format!("{} {declarators}", ty(&variable.ty))
    }

    fn declarator(declarator: &Declarator) -> String {
        let mut out = declarator.name.text.clone();
        for dimension in &declarator.dimensions {
            out += &format!("[{}]", expression(dimension));
        }
        if let Some(value) = &declarator.initial {
            out += &format!("={}", initial(value));
        }
        for clause in &declarator.clauses {
            out += &match &clause.kind {
                ClauseKind::ProtectedBy(lock) => format!("/protected:{}", expression(lock)),
                ClauseKind::Unprotected => "/unprotected".into(),
                ClauseKind::InitialisedBy(thread) => format!("/initialised:{}", thread.text),
            };
        }
        out
    }

    fn initial(value: &Initial) -> String {
        match value {
            Initial::Value(value) => expression(value),
            Initial::List(values, _) => list(values.iter().map(initial)),
        }
    }

    fn ty(ty: &Type) -> String {
        match &ty.kind {
            TypeKind::Int(None) => "int".into(),
            TypeKind::Int(Some(bounds)) => format!(
                "int({}..{}{})",
                expression(&bounds.low),
                expression(&bounds.high),
                if bounds.wrap { "!" } else { "" }
            ),
            TypeKind::Channel(element, capacity) => {
                format!("channel<{}>{}", self::ty(element), expression(capacity))
            }
            TypeKind::Named(name) => name.text.clone(),
            simple => format!("{simple:?}").to_lowercase(),
        }
    }

    fn block(block: &Block) -> String {
        format!("{{{}}}", statements(&block.statements))
    }

    fn statements(list: &[Statement]) -> String {
        list.iter().map(statement).collect::<Vec<_>>().join(" ")
    }

    fn alternative(alternative: &Alternative) -> String {
        let guard = alternative.guard.as_ref().map_or("-".into(), expression);
        format!("[{guard} {}]", statements(&alternative.statements))
    }

    pub(crate) fn statement(s: &Statement) -> String {
        let optional = |s: &Option<Box<Statement>>| s.as_ref().map_or("-".into(), |s| statement(s));
        let shape = match &s.kind {
            StatementKind::Block(b) => block(b),
            StatementKind::Declaration(v) => format!("(declare {})", variable(v)),
            StatementKind::Assign {
                target,
                operator,
                value,
            } => {
                let operator = operator.map_or(String::new(), |o| format!("{o:?}"));
                format!("(={operator} {} {})", expression(target), expression(value))
            }
            StatementKind::Expression(e) => format!("(do {})", expression(e)),
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let (then, otherwise) = (statement(then), optional(otherwise));
                format!("(if {} {then} {otherwise})", expression(condition))
            }
            StatementKind::While { condition, body } => {
                format!("(while {} {})", expression(condition), statement(body))
            }
            StatementKind::DoWhile { body, condition } => {
                format!("(do-while {} {})", statement(body), expression(condition))
            }
            StatementKind::For {
                first,
                condition,
                next,
                body,
            } => {
                let condition = condition.as_ref().map_or("-".into(), expression);
                let (first, next) = (optional(first), optional(next));
                format!("(for {first} {condition} {next} {})", statement(body))
            }
            StatementKind::Return(value) => {
                format!("(return {})", value.as_ref().map_or("-".into(), expression))
            }
            StatementKind::Operation(operation, object) => {
                format!("({operation:?} {})", expression(object))
            }
            StatementKind::Send(c, v) => format!("(send {} {})", expression(c), expression(v)),
            StatementKind::Join(t) => format!("(join {})", expression(t)),
            StatementKind::Synchronized(m, b) => format!("(sync {} {})", expression(m), block(b)),
            StatementKind::Atomic(b) => format!("(atomic {})", block(b)),
            StatementKind::Await { condition, body } => {
                format!("(await {} {})", expression(condition), optional(body))
            }
            StatementKind::Choose(alternatives) => list(
                std::iter::once("choose".to_owned()).chain(alternatives.iter().map(alternative)),
            ),
            StatementKind::Assume(c) => format!("(assume {})", expression(c)),
            StatementKind::Assert(c, message) => {
                format!("(assert {} {:?})", expression(c), message.as_deref())
            }
            word => format!("{word:?}").to_lowercase(),
        };
        match &s.label {
            Some(label) => format!("{}:{shape}", label.text),
            None => shape,
        }
    }

    pub(crate) fn expression(e: &Expression) -> String {
        use ExpressionKind::*;
        let call = |word: &str, parts: &[&Expression]| {
            let parts = parts.iter().map(|part| expression(part));
            list(std::iter::once(word.to_owned()).chain(parts))
        };
        match &e.kind {
            Number(value) => value.to_string(),
            Bool(value) => value.to_string(),
            Null => "null".into(),
            Me => "self".into(),
            Index => "index".into(),
            Name(name) => name.clone(),
            Field(base, field) => format!("(. {} {})", expression(base), field.text),
            Element(base, index) => call("[]", &[base, index]),
            Unary(operator, operand) => call(&format!("{operator:?}"), &[operand]),
            Binary(operator, left, right) => call(&format!("{operator:?}"), &[left, right]),
            Conditional(condition, yes, no) => call("?", &[condition, yes, no]),
            Call(name, arguments) => call(&name.text, &arguments.iter().collect::<Vec<_>>()),
            New(name) => format!("(new {})", name.text),
            Spawn(name, arguments) => call(
                &format!("spawn:{}", name.text),
                &arguments.iter().collect::<Vec<_>>(),
            ),
            Choose(low, high) => call("choose", &[low, high]),
            Receive(channel) => call("receive", &[channel]),
            CompareAndSet(x, old, new) => call("cas", &[x, old, new]),
            FetchAdd(x, amount) => call("fetchAdd", &[x, amount]),
            Holds(lock) => call("holds", &[lock]),
            Owner(lock) => call("owner", &[lock]),
            Length(object) => call("length", &[object]),
            Value(semaphore) => call("value", &[semaphore]),
            At(label) => format!("(at {})", label.text),
            Count(label) => format!("(count {})", label.text),
            Prefix(operator, operand) => call(&format!("{operator:?}"), &[operand]),
            Infix(operator, left, right) => call(&format!("{operator:?}"), &[left, right]),
            Quantified(quantifier, name, range, body) => {
                let word = format!("{}:{}", quantifier.word(), name.text);
                match range {
                    Range::Numbers(first, last) => call(&word, &[first, last, body]),
                    Range::All(all) => call(&word, &[all, body]),
                }
            }
        }
    }
}

fn items(source: &str) -> String {
    let program = parse(source).unwrap_or_else(|e| panic!("{}", render(source, "test", &e, false)));
    let shapes: Vec<String> = program.items.iter().map(shape::item).collect();
    shapes.join(" ")
}

/// The shape of the statements of a body.
fn body(source: &str) -> String {
    let shape = items(&format!("thread t {{ {source} }}"));
    let shape = shape.strip_prefix("(thread t - - {").expect("a thread");
    shape.strip_suffix("})").expect("a thread").to_owned()
}

fn value(source: &str) -> String {
    let shape = items(&format!("const C = {source};"));
    let shape = shape.strip_prefix("(const C ").expect("a constant");
    shape.strip_suffix(')').expect("a constant").to_owned()
}

#[track_caller]
fn check(found: String, expected: &str) {
    assert_eq!(found, expected);
}

#[test]
fn declarations() {
    check(items("granularity statement;"), "(granularity Statement)");
    check(items("granularity access;"), "(granularity Access)");
    check(items("const N = 3;"), "(const N 3)");
    check(
        items("enum Mood { Thinking, Eating }"),
        "(enum Mood (Thinking Eating))",
    );
    check(items("enum Mood { A, };"), "(enum Mood (A))");
    check(
        items("record Node { int value; Node next; int count protected by mutex; }"),
        "(record Node (int (value) Node (next) int (count/protected:mutex)))",
    );
    check(items("lock fork[N];"), "(shared lock (fork[N]))");
    check(
        items("Mood mood[N] = Thinking;"),
        "(shared Mood (mood[N]=Thinking))",
    );
    check(
        items("semaphore slots = 2;"),
        "(shared semaphore (slots=2))",
    );
    check(
        items("channel<int>(3) mail;"),
        "(shared channel<int>3 (mail))",
    );
    check(
        items("channel<channel<int(0..7)>(1)>(2) c[2];"),
        "(shared channel<channel<int(0..7)>1>2 (c[2]))",
    );
    check(
        items("int(0..7) small = 3;"),
        "(shared int(0..7) (small=3))",
    );
    check(
        items("int(-1..N-1 wrap) b;"),
        "(shared int((Negate 1)..(Subtract N 1)!) (b))",
    );
    check(items("local bool x, y = true;"), "(local bool (x y=true))");
    check(
        items("thread t; thread ts[3];"),
        "(shared thread (t)) (shared thread (ts[3]))",
    );
    check(
        items("int a[3] = {1, 2, 3}, t protected by f[0], h unprotected, s initialised by p;"),
        "(shared int (a[3]=(1 2 3) t/protected:([] f 0) h/unprotected s/initialised:p))",
    );
    check(
        items("int g[2][2] = {{1, 2}, {3, 4,},} unprotected initialised by p;"),
        "(shared int (g[2][2]=((1 2) (3 4))/unprotected/initialised:p))",
    );
}

#[test]
fn claims_functions_and_threads() {
    check(
        items("invariant mutex: count(critical) <= 1;"),
        "(invariant mutex (LessOrEqual (count critical) 1))",
    );
    check(items("invariant x ? y : z;"), "(invariant - (? x y z))");
    check(
        items("property served: at(a) leads to (eventually x) under strong fairness;"),
        "(property served (LeadsTo (at a) (Eventually x)) Strong)",
    );
    check(items("property always x;"), "(property - (Always x) -)");
    check(
        items("exclusive x when holds(m);"),
        "(exclusive x - - (holds m))",
    );
    check(
        items("exclusive Node.value[i] when owner(m[i]) == self;"),
        "(exclusive Node value i (Equal (owner ([] m i)) self))",
    );
    check(
        items("int twice(int x) { return x + x; }"),
        "(function int twice (x:int) {(return (Add x x))})",
    );
    check(items("void f() {}"), "(function void f () {})");
    check(
        items("Node f(Node a, thread b) {}"),
        "(function Node f (a:Node b:thread) {})",
    );
    check(items("thread p[N] { skip; }"), "(thread p N - {skip})");
    check(items("daemon thread log {}"), "(daemon-thread log - - {})");
    check(items("thread c(int n) {}"), "(thread c - (n:int) {})");
    check(items("thread c[2]() {}"), "(thread c 2 () {})");
}

#[test]
fn simple_statements() {
    check(
        body("x = 1; a[i].next = null;"),
        "(= x 1) (= (. ([] a i) next) null)",
    );
    check(
        body("x += 1; x -= 2; x *= 3; x /= 4; x %= 5;"),
        "(=Add x 1) (=Subtract x 2) (=Multiply x 3) (=Divide x 4) (=Remainder x 5)",
    );
    check(
        body("x &= 1; x |= 2; x ^= 3; x <<= 4; x >>= 5;"),
        "(=BitAnd x 1) (=BitOr x 2) (=BitXor x 3) (=ShiftLeft x 4) (=ShiftRight x 5)",
    );
    check(body("x++; y--;"), "(=Add x 1) (=Subtract y 1)");
    check(
        body("int x = 0, y; Node n = new Node();"),
        "(declare int (x=0 y)) (declare Node (n=(new Node)))",
    );
    check(
        body("f(); fetchAdd(x, 1); cas(x, 0, 1); receive(c); spawn t(1, 2);"),
        "(do (f)) (do (fetchAdd x 1)) (do (cas x 0 1)) (do (receive c)) (do (spawn:t 1 2))",
    );
    check(
        body("acquire(m); release(m); wait(m); notify(m); notifyAll(m); up(s); down(s);"),
        "(Acquire m) (Release m) (Wait m) (Notify m) (NotifyAll m) (Up s) (Down s)",
    );
    check(body("send(c, 1); join(t);"), "(send c 1) (join t)");
    check(
        body("break; continue; skip; unreachable;"),
        "break continue skip unreachable",
    );
    check(body("return; return x;"), "(return -) (return x)");
    check(body("assume(f);"), "(assume f)");
    check(
        body(r#"assert(x == 1); assert(f, "a \"b\"\n");"#),
        r#"(assert (Equal x 1) None) (assert f Some("a \"b\"\n"))"#,
    );
    check(body("critical: x = 1; end: ;"), "critical:(= x 1) end:skip");
    check(body(";;"), "");
}

#[test]
fn compound_statements() {
    check(body("{ { } x = 1; }"), "{{} (= x 1)}");
    check(
        body("if (a) if (b) skip; else break;"),
        "(if a (if b skip break) -)",
    );
    check(
        body("if (a) {} else if (b) {} else {}"),
        "(if a {} (if b {} {}))",
    );
    check(body("while (busy);"), "(while busy skip)");
    check(body("do x++; while (c);"), "(do-while (=Add x 1) c)");
    check(body("for (;;) skip;"), "(for - - - skip)");
    check(
        body("for (int i = 0; i < n; i++) { f(); }"),
        "(for (declare int (i=0)) (Less i n) (=Add i 1) {(do (f))})",
    );
    check(body("for (i = 0; ; f()) {}"), "(for (= i 0) - (do (f)) {})");
    check(body("synchronized (m) { wait(m); }"), "(sync m {(Wait m)})");
    check(body("atomic { x++; }"), "(atomic {(=Add x 1)})");
    check(
        body("await (f); await (f) skip; await (f) { x = 1; }"),
        "(await f -) (await f skip) (await f {(= x 1)})",
    );
    check(
        body("choose { x = 1; y = 2; or when (f) x = 2; or { skip; } }"),
        "(choose [- (= x 1) (= y 2)] [f (= x 2)] [- {skip}])",
    );
    check(
        body("choose { when (a) choose { skip; or break; } or ; }"),
        "(choose [a (choose [- skip] [- break])] [- ])",
    );
    check(
        body("int v = choose(0..n-1);"),
        "(declare int (v=(choose 0 (Subtract n 1))))",
    );
}

#[test]
fn precedence() {
    check(
        value("a || b && c | d ^ e & f"),
        "(Or a (And b (BitOr c (BitXor d (BitAnd e f)))))",
    );
    check(
        value("a & b == c < d << e + f * g"),
        "(BitAnd a (Equal b (Less c (ShiftLeft d (Add e (Multiply f g))))))",
    );
    check(
        value("a * b + c << d < e == f & g"),
        "(BitAnd (Equal (Less (ShiftLeft (Add (Multiply a b) c) d) e) f) g)",
    );
    check(value("a - b - c"), "(Subtract (Subtract a b) c)");
    check(
        value("a / b % c * d"),
        "(Multiply (Remainder (Divide a b) c) d)",
    );
    check(
        value("a >> b >= c != d"),
        "(NotEqual (GreaterOrEqual (ShiftRight a b) c) d)",
    );
    check(
        value("a > b || c <= d"),
        "(Or (Greater a b) (LessOrEqual c d))",
    );
    check(value("a ? b : c ? d : e"), "(? a b (? c d e))");
    check(value("a ? b ? c : d : e || f"), "(? a (? b c d) (Or e f))");
    check(
        value("!a && -b + ~c"),
        "(And (Not a) (Add (Negate b) (Complement c)))",
    );
    check(
        value("- - !a.b[c]"),
        "(Negate (Negate (Not ([] (. a b) c))))",
    );
    check(value("(a + b) * (c)"), "(Multiply (Add a b) c)");
}

#[test]
fn primaries() {
    check(value("0x1F + 0b101 + 1_000"), "(Add (Add 31 5) 1000)");
    check(value("-2147483648"), "(Negate 2147483648)");
    check(value("true != false"), "(NotEqual true false)");
    check(
        value("self == owner(m) || null == x"),
        "(Or (Equal self (owner m)) (Equal null x))",
    );
    check(
        value("index + length(c) + value(s)"),
        "(Add (Add index (length c)) (value s))",
    );
    check(
        value("at(critical) && holds(n.value)"),
        "(And (at critical) (holds (. n value)))",
    );
    check(value("f() + g(1, a[2])"), "(Add (f) (g 1 ([] a 2)))");
    check(value("n.count.wait.next"), "(. (. (. n count) wait) next)");
    check(value("a /* b */ + // c\n d"), "(Add a d)");
}

#[test]
fn spans() {
    let source = "thread t { lab: x = (a + b) * 2; }";
    let program = parse(source).expect("correct");
    let Item::Thread(thread) = &program.items[0] else {
        panic!("not a thread");
    };
    assert_eq!(
        &source[thread.body.span.clone()],
        "{ lab: x = (a + b) * 2; }"
    );
    let statement = &thread.body.statements[0];
    assert_eq!(&source[statement.span.clone()], "x = (a + b) * 2;");
    let StatementKind::Assign { value, .. } = &statement.kind else {
        panic!("not an assignment");
    };
    assert_eq!(&source[value.span.clone()], "(a + b) * 2");
    let ExpressionKind::Binary(_, left, _) = &value.kind else {
        panic!("not a product");
    };
    assert_eq!(&source[left.span.clone()], "(a + b)");
}

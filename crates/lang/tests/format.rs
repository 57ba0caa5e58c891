//! The formatter: what it prints parses to the same tree.

use proptest::prelude::*;
use raddle_diagnostics::render;
use raddle_lang::ast::*;
use raddle_lang::format::format;
use raddle_lang::parser::parse;

const SAMPLE: &str = include_str!("sample.rad");

/// The structure of a tree without its spans. In the debug output of a tree nothing
/// but a span has the form `1..2`, except in strings, and there it does no harm.
fn structure(program: &Program) -> String {
    let text = format!("{program:?}");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(dots) = rest.find("..") {
        let (before, after) = (&rest[..dots], &rest[dots + 2..]);
        out.push_str(before.trim_end_matches(|c: char| c.is_ascii_digit()));
        out.push('_');
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    out + rest
}

fn parsed(source: &str) -> Program {
    parse(source).unwrap_or_else(|e| panic!("{source}\n{}", render(source, "test", &e, false)))
}

#[test]
fn programs_come_back() {
    let tree = parsed(SAMPLE);
    let text = format(&tree);
    let again = parsed(&text);
    assert_eq!(structure(&again), structure(&tree));
    assert_eq!(format(&again), text);
}

#[test]
fn layout() {
    let source = "const N=3;int x=1,y[2]={1,2} unprotected;record R{int a;}
        thread t[N](int n){if(a){x=1;}else if(b)x=2;else{} l:while(c)if(d)skip;else break;
        choose{when(a)x+=1;x-=1;or skip;or when(b);}do x=1;while(a);for(;;){}await(a);}";
    let expected = "\
const N = 3;
int x = 1, y[2] = {1, 2} unprotected;

record R {
    int a;
}

thread t[N](int n) {
    if (a) {
        x = 1;
    } else if (b) x = 2;
    else {}
    l: while (c)
        if (d) skip;
        else break;
    choose {
    when (a)
        x++;
        x--;
    or
        skip;
    or when (b) ;
    }
    do x = 1;
    while (a);
    for (;;) {}
    await (a);
}
";
    assert_eq!(format(&parsed(source)), expected);
}

#[test]
fn parentheses_are_minimal() {
    for expression in [
        "(a + b) * c",
        "a + b * c",
        "a - (b - c)",
        "a - b - c",
        "a * (b / c)",
        "(a ? b : c) ? d : e",
        "a ? b : c ? d : e",
        "a ? b ? c : d : e",
        "(a ? b : c) + d",
        "a || b && c | d ^ e & f == g < h << i + j * k",
        "((((a || b) && c | d) ^ e) & f) == g",
        "!(a && b)",
        "-(-a)",
        "-(-2147483648)",
        "!!a",
        "~-a",
        "a - -b",
        "-a.b[c]",
        "(-a).b",
        "(a + b)[c]",
        "new Node.next",
        "(new Node)[0]",
        "choose(0..n - 1)",
    ] {
        let source = format!("const C = {expression};\n");
        assert_eq!(format(&parsed(&source)), source);
    }
}

/// Trees that no text has are printed as a program that means the same.
#[test]
fn trees_that_cannot_be_written() {
    let statement = |kind| Statement {
        label: None,
        kind,
        span: 0..0,
    };
    let condition = || expression(ExpressionKind::Number(-1));
    let inner = statement(StatementKind::If {
        condition: condition(),
        then: Box::new(statement(StatementKind::Skip)),
        otherwise: None,
    });
    let outer = statement(StatementKind::If {
        condition: condition(),
        then: Box::new(inner),
        otherwise: Some(Box::new(statement(StatementKind::Break))),
    });
    let program = Program {
        items: vec![Item::Thread(Thread {
            daemon: false,
            name: named("t"),
            count: None,
            replicated: false,
            parameters: None,
            body: Block {
                statements: vec![outer],
                span: 0..0,
            },
        })],
    };
    let expected = "thread t {
    if (-1) {
        if (-1) skip;
    } else break;
}
";
    assert_eq!(format(&program), expected);
}

fn named(text: &str) -> Name {
    Name {
        text: text.to_owned(),
        span: 0..0,
    }
}

fn expression(kind: ExpressionKind) -> Expression {
    Expression { kind, span: 0..0 }
}

fn name() -> impl Strategy<Value = Name> {
    let names = vec![
        "a",
        "b",
        "x1",
        "Node",
        "by",
        "wrap",
        "statement",
        "then",
        "_",
    ];
    prop::sample::select(names).prop_map(named)
}

/// Fields may be called like operations.
fn field_name() -> impl Strategy<Value = Name> {
    prop_oneof![
        name(),
        prop::sample::select(&["value", "count", "wait", "choose", "spawn"][..]).prop_map(named)
    ]
}

fn binary_operator() -> impl Strategy<Value = BinaryOperator> {
    use BinaryOperator::*;
    prop::sample::select(vec![
        Add,
        Subtract,
        Multiply,
        Divide,
        Remainder,
        Equal,
        NotEqual,
        Less,
        LessOrEqual,
        Greater,
        GreaterOrEqual,
        And,
        Or,
        BitAnd,
        BitOr,
        BitXor,
        ShiftLeft,
        ShiftRight,
    ])
}

fn unary_operator() -> impl Strategy<Value = UnaryOperator> {
    use UnaryOperator::*;
    prop::sample::select(vec![Negate, Not, Complement])
}

fn expressions() -> impl Strategy<Value = Expression> + Clone {
    use ExpressionKind::*;
    let leaf = prop_oneof![
        prop_oneof![0..4i64, 0..=2_147_483_648i64].prop_map(Number),
        any::<bool>().prop_map(Bool),
        Just(Null),
        Just(Me),
        Just(Index),
        name().prop_map(|n| Name(n.text)),
        name().prop_map(New),
        name().prop_map(At),
        name().prop_map(Count),
    ]
    .prop_map(expression);
    leaf.prop_recursive(5, 40, 3, |inner| {
        let one = inner.clone().prop_map(Box::new);
        let two = (one.clone(), one.clone());
        let three = (one.clone(), one.clone(), one.clone());
        let many = prop::collection::vec(inner, 0..3);
        prop_oneof![
            (one.clone(), field_name()).prop_map(|(e, f)| Field(e, f)),
            two.clone().prop_map(|(a, b)| Element(a, b)),
            (unary_operator(), one.clone()).prop_map(|(o, e)| Unary(o, e)),
            (binary_operator(), two.clone()).prop_map(|(o, (a, b))| Binary(o, a, b)),
            (binary_operator(), two.clone()).prop_map(|(o, (a, b))| Binary(o, a, b)),
            three.clone().prop_map(|(a, b, c)| Conditional(a, b, c)),
            (name(), many.clone()).prop_map(|(n, a)| Call(n, a)),
            (name(), many).prop_map(|(n, a)| Spawn(n, a)),
            two.clone().prop_map(|(a, b)| Choose(a, b)),
            three.clone().prop_map(|(a, b, c)| CompareAndSet(a, b, c)),
            (
                prop::sample::select(Quantifier::ALL.to_vec()),
                name(),
                three,
                any::<bool>()
            )
                .prop_map(|(quantifier, name, (first, last, body), is_all)| {
                    let range = match is_all {
                        true => Range::All(first),
                        false => Range::Numbers(first, last),
                    };
                    Quantified(quantifier, name, range, body)
                }),
            two.prop_map(|(a, b)| FetchAdd(a, b)),
            (one, 0..5).prop_map(|(e, which)| match which {
                0 => Receive(e),
                1 => Holds(e),
                2 => Owner(e),
                3 => Length(e),
                _ => Value(e),
            }),
        ]
        .prop_map(expression)
    })
}

fn types() -> impl Strategy<Value = Type> + Clone {
    let bounds = (expressions(), expressions(), any::<bool>()).prop_map(|(low, high, wrap)| {
        let (low, high) = (Box::new(low), Box::new(high));
        TypeKind::Int(Some(Bounds { low, high, wrap }))
    });
    let leaf = prop_oneof![
        Just(TypeKind::Int(None)),
        bounds,
        Just(TypeKind::Bool),
        Just(TypeKind::Lock),
        Just(TypeKind::Semaphore),
        Just(TypeKind::Thread),
        name().prop_map(TypeKind::Named),
    ];
    let ty = |kind| Type { kind, span: 0..0 };
    leaf.prop_map(ty).prop_recursive(2, 4, 1, move |inner| {
        (inner, expressions()).prop_map(move |(element, capacity)| {
            ty(TypeKind::Channel(Box::new(element), Box::new(capacity)))
        })
    })
}

fn initial() -> impl Strategy<Value = Initial> {
    let leaf = expressions().prop_map(Initial::Value);
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop::collection::vec(inner, 0..3).prop_map(|list| Initial::List(list, 0..0))
    })
}

fn clause() -> impl Strategy<Value = Clause> {
    prop_oneof![
        expressions().prop_map(ClauseKind::ProtectedBy),
        Just(ClauseKind::Unprotected),
        name().prop_map(ClauseKind::InitialisedBy),
    ]
    .prop_map(|kind| Clause { kind, span: 0..0 })
}

fn variable<N: Strategy<Value = Name>>(name: fn() -> N) -> impl Strategy<Value = Variable> {
    let declarator = (
        name(),
        prop::collection::vec(expressions(), 0..2),
        prop::option::of(initial()),
        prop::collection::vec(clause(), 0..2),
    )
        .prop_map(|(name, dimensions, initial, clauses)| Declarator {
            name,
            dimensions,
            initial,
            clauses,
        });
    (types(), prop::collection::vec(declarator, 1..3))
        .prop_map(|(ty, declarators)| Variable { ty, declarators })
}

fn assignment() -> impl Strategy<Value = StatementKind> {
    use BinaryOperator::*;
    let target = prop_oneof![
        name().prop_map(|n| ExpressionKind::Name(n.text)),
        (expressions(), field_name()).prop_map(|(e, f)| ExpressionKind::Field(Box::new(e), f)),
        (expressions(), expressions())
            .prop_map(|(a, i)| ExpressionKind::Element(Box::new(a), Box::new(i))),
    ]
    .prop_map(expression);
    let operators = vec![
        Add, Subtract, Multiply, Divide, Remainder, BitAnd, BitOr, BitXor, ShiftLeft, ShiftRight,
    ];
    let operator = prop::option::of(prop::sample::select(operators));
    (target, operator, expressions()).prop_map(|(target, operator, value)| StatementKind::Assign {
        target,
        operator,
        value,
    })
}

/// An expression that may be a statement.
fn effect() -> impl Strategy<Value = StatementKind> {
    use ExpressionKind::*;
    let e = || expressions().prop_map(Box::new);
    let many = || prop::collection::vec(expressions(), 0..3);
    prop_oneof![
        (name(), many()).prop_map(|(n, a)| Call(n, a)),
        (name(), many()).prop_map(|(n, a)| Spawn(n, a)),
        e().prop_map(Receive),
        (e(), e(), e()).prop_map(|(a, b, c)| CompareAndSet(a, b, c)),
        (e(), e()).prop_map(|(a, b)| FetchAdd(a, b)),
    ]
    .prop_map(|kind| StatementKind::Expression(expression(kind)))
}

fn simple_statement() -> impl Strategy<Value = StatementKind> {
    use ObjectOperation::*;
    use StatementKind::*;
    let operation = prop::sample::select(vec![Acquire, Release, Wait, Notify, NotifyAll, Up, Down]);
    prop_oneof![
        assignment(),
        effect(),
        (operation, expressions()).prop_map(|(o, e)| Operation(o, e)),
        prop::sample::select(vec![Break, Continue, Skip, Unreachable]),
        prop::option::of(expressions()).prop_map(Return),
        (expressions(), expressions()).prop_map(|(c, v)| Send(c, v)),
        expressions().prop_map(Join),
        expressions().prop_map(Assume),
        (expressions(), prop::option::of("[ -~é\n\r\t]{0,8}")).prop_map(|(c, m)| Assert(c, m)),
    ]
}

fn plain(kind: StatementKind) -> Statement {
    Statement {
        label: None,
        kind,
        span: 0..0,
    }
}

fn in_block(statements: Vec<Statement>) -> Block {
    Block {
        statements,
        span: 0..0,
    }
}

/// A body as the parser can build it.
fn as_body(statement: Statement) -> Box<Statement> {
    Box::new(match statement.kind {
        StatementKind::Declaration(_) => plain(StatementKind::Block(in_block(vec![statement]))),
        _ => statement,
    })
}

/// The branch before an `else`: an open `if` inside would take it.
fn as_branch(statement: Statement) -> Box<Statement> {
    let text = format!("{statement:?}");
    match text.contains("If {") {
        true => as_body(plain(StatementKind::Block(in_block(vec![statement])))),
        false => as_body(statement),
    }
}

fn compound(inner: BoxedStrategy<Statement>) -> impl Strategy<Value = StatementKind> {
    use StatementKind::*;
    let block = prop::collection::vec(inner.clone(), 0..3).prop_map(in_block);
    let body = inner.clone().prop_map(as_body);
    let condition = expressions;
    let first = prop_oneof![assignment(), effect(), variable(name).prop_map(Declaration)];
    let first = prop::option::of(first.prop_map(|kind| Box::new(plain(kind))));
    let next = prop_oneof![assignment(), effect()].prop_map(|kind| Box::new(plain(kind)));
    let alternative = (
        prop::option::of(condition()),
        prop::collection::vec(inner.clone(), 0..3),
    )
        .prop_map(|(guard, statements)| raddle_lang::ast::Alternative {
            guard,
            statements,
            span: 0..0,
        });
    prop_oneof![
        block.clone().prop_map(Block),
        (condition(), body.clone()).prop_map(|(condition, then)| If {
            condition,
            then,
            otherwise: None,
        }),
        (condition(), inner.prop_map(as_branch), body.clone()).prop_map(
            |(condition, then, otherwise)| If {
                condition,
                then,
                otherwise: Some(otherwise),
            }
        ),
        (condition(), body.clone()).prop_map(|(condition, body)| While { condition, body }),
        (condition(), body.clone()).prop_map(|(condition, body)| DoWhile { body, condition }),
        (
            first,
            prop::option::of(condition()),
            prop::option::of(next),
            body.clone()
        )
            .prop_map(|(first, condition, next, body)| For {
                first,
                condition,
                next,
                body,
            }),
        (condition(), block.clone()).prop_map(|(lock, block)| Synchronized(lock, block)),
        block.prop_map(Atomic),
        (condition(), prop::option::of(body))
            .prop_map(|(condition, body)| Await { condition, body }),
        prop::collection::vec(alternative, 1..4).prop_map(Choose),
    ]
}

fn statements() -> impl Strategy<Value = Statement> {
    let labelled = |(label, kind)| Statement {
        label,
        kind,
        span: 0..0,
    };
    let label = || prop::option::weighted(0.2, name());
    let simple = prop_oneof![
        5 => simple_statement(),
        1 => variable(name).prop_map(StatementKind::Declaration),
    ];
    let leaf = (label(), simple).prop_map(labelled);
    leaf.prop_recursive(3, 12, 3, move |inner| {
        (label(), compound(inner.boxed())).prop_map(labelled)
    })
}

fn block() -> impl Strategy<Value = Block> {
    prop::collection::vec(statements(), 0..4).prop_map(in_block)
}

fn parameters() -> impl Strategy<Value = Vec<Parameter>> {
    let parameter = (types(), name()).prop_map(|(ty, name)| Parameter { ty, name });
    prop::collection::vec(parameter, 0..3)
}

/// `thread f() {}` is always a thread, so no function has such a result.
fn function() -> impl Strategy<Value = Item> {
    let result = types().prop_map(|ty| match ty.kind {
        TypeKind::Thread => Type {
            kind: TypeKind::Void,
            span: 0..0,
        },
        _ => ty,
    });
    (result, name(), parameters(), block()).prop_map(|(result, name, parameters, body)| {
        Item::Function(Function {
            result,
            name,
            parameters,
            body,
        })
    })
}

fn thread() -> impl Strategy<Value = Item> {
    (
        any::<bool>(),
        name(),
        prop::option::of(prop::option::of(expressions())),
        prop::option::of(parameters()),
        block(),
    )
        .prop_map(|(daemon, name, count, parameters, body)| {
            // No count, a count, or any number.
            let replicated = count == Some(None);
            let count = count.flatten();
            Item::Thread(Thread {
                daemon,
                name,
                count,
                replicated,
                parameters,
                body,
            })
        })
}

fn items() -> impl Strategy<Value = Item> {
    let granularity = prop::sample::select(vec![Granularity::Access, Granularity::Statement]);
    let subject = (name(), prop::option::of(field_name()));
    prop_oneof![
        granularity.prop_map(|granularity| Item::Granularity(granularity, 0..0)),
        (name(), expressions()).prop_map(|(name, value)| Item::Constant { name, value }),
        (name(), prop::collection::vec(name(), 1..4))
            .prop_map(|(name, members)| Item::Enumeration { name, members }),
        (name(), prop::collection::vec(variable(field_name), 0..3))
            .prop_map(|(name, fields)| Item::Record { name, fields }),
        (any::<bool>(), variable(name))
            .prop_map(|(local, variable)| Item::Variable { local, variable }),
        function(),
        thread(),
        (prop::option::of(name()), expressions()).prop_map(|(name, condition)| {
            Item::Invariant {
                name,
                condition,
                span: 0..0,
            }
        }),
        (subject, prop::option::of(name()), expressions()).prop_map(
            |((base, field), index, condition)| Item::Exclusive {
                subject: Path { base, field },
                index,
                condition,
            }
        ),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn random_trees_come_back(items in prop::collection::vec(items(), 0..4)) {
        let tree = Program { items };
        let text = format(&tree);
        let again = parse(&text).map_err(|e| {
            TestCaseError::fail(format!("{text}\n{}", render(&text, "test", &e, false)))
        })?;
        prop_assert_eq!(structure(&again), structure(&tree), "{}", text);
        prop_assert_eq!(format(&again), text);
    }
}

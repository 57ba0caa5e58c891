//! Generates programs for tests.

use raddle_machine::ir::*;
use raddle_model::{FaultKind, Kind, Place, Region};

/// Builds well-formed programs out of numbers. When those run out every choice is the
/// first one, so everything comes to an end.
pub(crate) struct Generator {
    entropy: std::vec::IntoIter<u32>,
    /// Where an expression stands: what it may refer to depends on it.
    inside: Inside,
    depth: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum Inside {
    Code,
    Claim,
    Invariant,
}

/// The record of which all references are.
const NODE: RecordId = RecordId(0);

/// Names that are hard to print, many of them used more than once.
const NAMES: [&str; 24] = [
    "x",
    "x",
    "i",
    "lock",
    "a.b",
    "a..b",
    "a.",
    "me",
    "owner",
    "region",
    "skip",
    "",
    " ",
    "1x",
    "quote\"",
    "back\\slash",
    "new\nline",
    "tab\t",
    "// no comment",
    "p[2]",
    "größe",
    "\u{202e}",
    "\0",
    "it's",
];

impl Generator {
    /// A generator that takes its decisions from these numbers.
    pub(crate) fn new(entropy: Vec<u32>) -> Generator {
        Generator {
            entropy: entropy.into_iter(),
            inside: Inside::Code,
            depth: 0,
        }
    }

    /// A number below another.
    pub(crate) fn pick(&mut self, choices: u32) -> u32 {
        self.entropy.next().unwrap_or(0) % choices
    }

    fn flip(&mut self) -> bool {
        self.pick(2) == 1
    }

    fn name(&mut self) -> String {
        NAMES[self.pick(NAMES.len() as u32) as usize].to_string()
    }

    fn names(&mut self, count: usize) -> Vec<String> {
        (0..count).map(|_| self.name()).collect()
    }

    fn place(&mut self) -> Place {
        Place {
            file: self.pick(3),
            line: self.pick(u32::MAX),
            column: self.pick(80),
        }
    }

    fn constant(&mut self) -> i32 {
        let value = self.entropy.next().unwrap_or(0);
        match value % 4 {
            0 => i32::MIN,
            1 => value as i32,
            _ => (value % 9) as i32 - 4,
        }
    }

    fn range(&mut self) -> Range {
        let (a, b) = (self.constant(), self.constant());
        Range {
            low: a.min(b),
            high: a.max(b),
            wraps: self.flip(),
        }
    }

    /// A program that uses everything the numbers ask for.
    pub(crate) fn program(mut self) -> Program {
        let mut program = Program {
            enums: vec![Enumeration {
                name: self.name(),
                members: self.names(3),
            }],
            ..Program::default()
        };
        self.regions(&mut program);
        self.inside = Inside::Code;
        program.thread_locals = [ValueType::Int, reference(), ValueType::Bool, ValueType::Int]
            .map(|value| self.slot(value))
            .to_vec();
        let order = if self.flip() { [0, 1, 2] } else { [2, 0, 1] };
        let mut functions = vec![None; 3];
        for number in order {
            functions[number] = Some(self.function(number, &mut program));
        }
        program.functions = functions.into_iter().flatten().collect();
        for (number, daemon) in [(0, false), (2, true)] {
            program.declarations.push(Declaration {
                name: self.name(),
                function: FunctionId(number),
                daemon,
            });
        }
        program.initial_threads = vec![InitialThread {
            name: self.name(),
            declaration: DeclarationId(1),
            arguments: vec![self.constant(), 0],
        }];
        let starts = (0..program.code.len()).filter(|&pc| program.starts[pc]);
        let starts: Vec<usize> = starts.take(2).collect();
        for number in 0..2 {
            let pc = starts.get(number).copied().unwrap_or(0);
            program.starts[pc] = true;
            program.labels.push(Label {
                name: self.name(),
                pc: Pc(pc as u32),
            });
        }
        self.properties(&mut program);
        program
    }

    fn slot(&mut self, value: ValueType) -> Slot {
        let initial = match value {
            ValueType::Reference(_) => 0,
            _ => self.constant(),
        };
        Slot {
            name: self.name(),
            value,
            initial,
        }
    }

    /// Regions of every kind, shared and in records, alone and in arrays. The other
    /// functions know their numbers.
    fn regions(&mut self, program: &mut Program) {
        let ranged = ValueType::Ranged(Range {
            low: -3,
            high: 7,
            wraps: self.flip(),
        });
        let shared = [
            (Kind::Variable, vec![], ranged),
            (Kind::Variable, vec![2, 3], ValueType::Bool),
            (Kind::Variable, vec![], reference()),
            (Kind::Variable, vec![1], ValueType::Enum(EnumId(0))),
            (Kind::Variable, vec![], ValueType::Thread),
            (Kind::Monitor, vec![], ValueType::Int),
            (Kind::Monitor, vec![2], ValueType::Int),
            (Kind::Semaphore, vec![], ValueType::Bool),
            (Kind::Channel, vec![], ValueType::Int),
            (Kind::Channel, vec![2], reference()),
        ];
        let fields = [
            (Kind::Variable, vec![], ValueType::Int),
            (Kind::Variable, vec![2], reference()),
            (Kind::Monitor, vec![], ValueType::Int),
            (Kind::Semaphore, vec![], ValueType::Int),
            (Kind::Channel, vec![], ValueType::Int),
        ];
        program.regions.push(RegionInfo {
            name: self.name(),
            kind: Kind::Thread,
            home: Home::Threads,
            dimensions: Vec::new(),
            value: ValueType::Int,
            capacity: 0,
            per_thread: None,
        });
        let backwards = self.flip();
        program.initial_words =
            self.place_regions(program, shared.to_vec(), backwards, Home::Shared);
        if let Home::Shared(offset) = program.regions[3].home
            && self.flip()
        {
            program.instances = vec![NODE, NODE];
            program.initial_words[offset as usize] = 1 + self.pick(2) as i32;
        }
        if let Home::Shared(offset) = program.regions[1].home {
            program.initial_words[offset as usize] = self.pick(11) as i32 - 3;
        }
        let first = program.regions.len() as u32;
        let initial = self.place_regions(program, fields.to_vec(), false, |offset| {
            Home::Field(NODE, offset)
        });
        program.records = vec![
            Record {
                name: self.name(),
                fields: (first..first + 5).map(Region).collect(),
                initial,
            },
            Record {
                name: self.name(),
                fields: Vec::new(),
                initial: Vec::new(),
            },
        ];
    }

    fn place_regions(
        &mut self,
        program: &mut Program,
        regions: Vec<(Kind, Vec<u32>, ValueType)>,
        backwards: bool,
        home: impl Fn(u32) -> Home,
    ) -> Vec<i32> {
        let first = program.regions.len();
        for (kind, dimensions, value) in regions {
            program.regions.push(RegionInfo {
                name: self.name(),
                kind,
                home: Home::Threads,
                dimensions,
                value,
                capacity: if kind == Kind::Channel { 2 } else { 0 },
                per_thread: None,
            });
        }
        let mut placed: Vec<&mut RegionInfo> = program.regions[first..].iter_mut().collect();
        if backwards {
            placed.reverse();
        }
        let mut next = 0;
        for region in placed {
            region.home = home(next);
            next += region.words();
        }
        vec![0; next as usize]
    }

    fn properties(&mut self, program: &mut Program) {
        self.inside = Inside::Invariant;
        program.invariants = vec![Invariant {
            name: self.name(),
            condition: self.word(),
            place: self.place(),
        }];
        self.inside = Inside::Claim;
        for region in [1, 2, 3, 4] {
            let discipline = match self.pick(4) {
                0 => Discipline::Unprotected,
                1 => Discipline::Exclusive(self.word()),
                2 => Discipline::ProtectedBy(self.monitor()),
                _ => Discipline::InitialisedBy(DeclarationId(1)),
            };
            program.claims.push(Claim {
                region: Region(region),
                discipline,
                place: self.place(),
            });
        }
    }

    /// The first function returns words, the second references, the third nothing.
    fn function(&mut self, number: usize, program: &mut Program) -> Function {
        let entry = Pc(program.code.len() as u32);
        let mut body = Body {
            number,
            code: Vec::new(),
            safe: Vec::new(),
        };
        for _ in 0..self.pick(12) {
            self.statement(&mut body);
        }
        body.safe.push(body.code.len());
        let last = match self.pick(3) {
            0 => self.returned(number),
            1 => Instruction::Fail(FaultKind::ALL[self.pick(10) as usize], self.name()),
            _ => Instruction::Jump(Pc(self.pick(100))),
        };
        body.code.push((last, self.flip()));
        let target = |pc: &mut Pc| {
            let safe = body.safe[pc.0 as usize % body.safe.len()];
            *pc = Pc(entry.0 + safe as u32);
        };
        for (mut instruction, start) in body.code {
            match &mut instruction {
                Instruction::Jump(pc) | Instruction::Branch(_, pc) => target(pc),
                Instruction::Select(arms) => {
                    arms.iter_mut().for_each(|arm| target(&mut arm.target))
                }
                _ => {}
            }
            program.code.push(instruction);
            program.starts.push(start);
            program.places.push(self.place());
        }
        let ints = ValueType::Ranged(self.range());
        let registers = [
            ValueType::Int,
            reference(),
            ValueType::Bool,
            ints,
            ints,
            ints,
            reference(),
            reference(),
        ];
        Function {
            name: self.name(),
            parameters: 2,
            registers: registers.map(|value| self.slot(value)).to_vec(),
            entry,
            end: Pc(program.code.len() as u32),
        }
    }

    /// One or more instructions that leave no atomic block open.
    fn statement(&mut self, body: &mut Body) {
        body.safe.push(body.code.len());
        match self.pick(8) {
            0 => {
                let cell = self.monitor();
                body.code
                    .push((Instruction::Wait(cell.clone()), self.flip()));
                body.code.push((Instruction::WaitResume(cell), true));
            }
            1 => {
                body.code.push((Instruction::AtomicBegin, self.flip()));
                for _ in 0..self.pick(3) {
                    let instruction = self.plain();
                    body.code.push((instruction, self.flip()));
                }
                body.code.push((Instruction::AtomicEnd, self.flip()));
            }
            2 => {
                let instruction = match self.pick(4) {
                    0 => Instruction::Jump(Pc(self.pick(100))),
                    1 => Instruction::Branch(self.word(), Pc(self.pick(100))),
                    2 => self.returned(body.number),
                    _ => Instruction::Select(self.arms()),
                };
                body.code.push((instruction, true));
            }
            _ => {
                let instruction = self.plain();
                let start = instruction.may_block() || instruction.may_choose() || self.flip();
                body.code.push((instruction, start));
            }
        }
    }

    fn returned(&mut self, function: usize) -> Instruction {
        Instruction::Return(match function {
            0 => Some(self.word()),
            1 => Some(self.reference()),
            _ => None,
        })
    }

    fn arms(&mut self) -> Vec<Arm> {
        let mut arms = Vec::new();
        for _ in 0..self.pick(4) {
            arms.push(Arm {
                guard: self.flip().then(|| self.word()),
                target: Pc(self.pick(100)),
            });
        }
        arms
    }

    /// An instruction that can stand anywhere.
    fn plain(&mut self) -> Instruction {
        match self.pick(20) {
            0 => Instruction::Skip,
            1 => self.assignment(),
            2 => self.call(),
            3 => Instruction::Spawn {
                declaration: DeclarationId(self.pick(2) as u16),
                arguments: vec![self.word(), self.reference()],
                result: self.result(),
            },
            4 => Instruction::Join(self.word()),
            5 => Instruction::Acquire(self.monitor()),
            6 => Instruction::Release(self.monitor()),
            7 => Instruction::Notify(self.monitor()),
            8 => Instruction::NotifyAll(self.monitor()),
            9 => Instruction::Up(self.semaphore()),
            10 => Instruction::Down(self.semaphore()),
            11 => match self.flip() {
                true => Instruction::Send(self.channel(), self.word()),
                false => Instruction::Send(self.nodes(), self.reference()),
            },
            12 => match self.flip() {
                true => Instruction::Receive(self.channel(), Register(0)),
                false => Instruction::Receive(self.nodes(), Register(1)),
            },
            13 => Instruction::CompareAndSet {
                cell: self.reference_cell(),
                expected: self.reference(),
                value: self.reference(),
                result: self.result(),
            },
            14 => Instruction::FetchAdd {
                cell: self.variable(),
                value: self.word(),
                range: self.flip().then(|| self.range()),
                result: self.result(),
            },
            15 => Instruction::New(NODE, Register(6)),
            16 => Instruction::Choose {
                low: self.word(),
                high: self.word(),
                result: Register(3),
            },
            17 => Instruction::Await(self.word()),
            18 => Instruction::Assume(self.word()),
            _ => Instruction::Assert(self.word(), self.name()),
        }
    }

    fn assignment(&mut self) -> Instruction {
        let word = match self.pick(7) {
            0 => Target::Local(Register(0)),
            1 => Target::LocalElement(LOCALS, self.word()),
            2 => Target::ThreadLocal(0),
            3 => Target::ThreadLocalElement(THREAD_LOCALS, self.word()),
            4 => Target::Shared(self.variable()),
            5 => return Instruction::Assign(Target::Local(Register(7)), self.reference()),
            _ => {
                let target = Target::Shared(self.reference_cell());
                return Instruction::Assign(target, self.reference());
            }
        };
        Instruction::Assign(word, self.word())
    }

    fn call(&mut self) -> Instruction {
        let function = self.pick(3) as u16;
        let result = match function {
            0 => self.result(),
            1 => self.flip().then_some(Register(1)),
            _ => None,
        };
        Instruction::Call {
            function: FunctionId(function),
            arguments: vec![self.word(), self.reference()],
            result,
        }
    }

    fn result(&mut self) -> Option<Register> {
        self.flip().then_some(Register(2))
    }

    fn boxed(&mut self) -> Box<Expression> {
        Box::new(self.word())
    }

    fn word(&mut self) -> Expression {
        self.depth += 1;
        let choice = if self.depth > 6 { 0 } else { self.pick(20) };
        let expression = match (choice, self.inside) {
            (1, Inside::Code) => Expression::Local(Register(0)),
            (2, Inside::Code) => Expression::LocalElement(LOCALS, self.boxed()),
            (3, Inside::Code | Inside::Claim) => Expression::ThreadLocal(2),
            (4, Inside::Code | Inside::Claim) => {
                Expression::ThreadLocalElement(THREAD_LOCALS, self.boxed())
            }
            (5, Inside::Code | Inside::Claim) => Expression::Me,
            (6, Inside::Code | Inside::Claim) => Expression::At(LabelId(self.pick(2) as u16)),
            (7, Inside::Claim) => Expression::Accessed,
            (8, _) => Expression::Shared(self.variable()),
            (9, _) => Expression::Unary(
                [
                    UnaryOperator::Negate,
                    UnaryOperator::Not,
                    UnaryOperator::Complement,
                ][self.pick(3) as usize],
                self.boxed(),
            ),
            (10 | 11, _) => {
                let operator = OPERATORS[self.pick(18) as usize];
                Expression::Binary(operator, self.boxed(), self.boxed())
            }
            (12, _) => Expression::Conditional(self.boxed(), self.boxed(), self.boxed()),
            (13, _) => Expression::Bounded(self.boxed(), self.pick(u32::MAX)),
            (14, _) => Expression::Ranged(self.boxed(), self.range()),
            (15, _) => Expression::Owner(self.monitor()),
            (16, _) => Expression::ChannelLength(self.channel()),
            (17, _) => Expression::SemaphoreValue(self.semaphore()),
            (18, _) => Expression::CountAt(LabelId(self.pick(2) as u16)),
            (19, _) => Expression::Binary(
                BinaryOperator::Equal,
                Box::new(self.reference()),
                Box::new(self.reference()),
            ),
            _ => Expression::Constant(self.constant()),
        };
        self.depth -= 1;
        expression
    }

    fn reference(&mut self) -> Expression {
        self.depth += 1;
        let choice = if self.depth > 6 { 0 } else { self.pick(6) };
        let expression = match (choice, self.inside) {
            (1, Inside::Code) => Expression::Local(Register(6)),
            (2, Inside::Code) => {
                Expression::LocalElement(Array { base: 6, length: 2 }, self.boxed())
            }
            (3, Inside::Code) => Expression::ThreadLocal(1),
            (4, _) => Expression::Shared(self.reference_cell()),
            (5, _) => Expression::Conditional(
                self.boxed(),
                Box::new(self.reference()),
                Box::new(self.reference()),
            ),
            _ => Expression::Constant(0),
        };
        self.depth -= 1;
        expression
    }

    /// A cell of a shared region, or of a field.
    fn cell(&mut self, region: u32, index: bool) -> Cell {
        Cell {
            region: Region(region),
            object: (region > 10).then(|| Box::new(self.reference())),
            index: index.then(|| self.boxed()),
        }
    }

    fn variable(&mut self) -> Cell {
        let (region, index) =
            [(1, false), (2, true), (4, true), (5, false), (11, false)][self.pick(5) as usize];
        self.cell(region, index)
    }

    fn reference_cell(&mut self) -> Cell {
        let (region, index) = [(3, false), (12, true)][self.pick(2) as usize];
        self.cell(region, index)
    }

    fn monitor(&mut self) -> Cell {
        let (region, index) = [(6, false), (7, true), (13, false)][self.pick(3) as usize];
        self.cell(region, index)
    }

    fn semaphore(&mut self) -> Cell {
        let region = [8, 14][self.pick(2) as usize];
        self.cell(region, false)
    }

    fn channel(&mut self) -> Cell {
        let region = [9, 15][self.pick(2) as usize];
        self.cell(region, false)
    }

    fn nodes(&mut self) -> Cell {
        self.cell(10, true)
    }

    /// A text with a word removed, doubled, or replaced by another of it.
    pub(crate) fn change(&mut self, text: &str) -> String {
        let mut words: Vec<&str> = text
            .split_inclusive([' ', '\n', '(', ')', '%', '#'])
            .collect();
        if words.is_empty() {
            return String::new();
        }
        let count = words.len() as u32;
        let (here, there) = (self.pick(count) as usize, self.pick(count) as usize);
        match self.pick(4) {
            0 => {
                words.remove(here);
            }
            1 => words.insert(here, words[there]),
            2 => words.swap(here, there),
            _ => words.truncate(here),
        }
        words.concat()
    }
}

/// A function on its way: its instructions with their marks, and where jumps may lead.
struct Body {
    number: usize,
    code: Vec<(Instruction, bool)>,
    safe: Vec<usize>,
}

const LOCALS: Array = Array { base: 3, length: 3 };
const THREAD_LOCALS: Array = Array { base: 2, length: 2 };

const OPERATORS: [BinaryOperator; 18] = [
    BinaryOperator::Add,
    BinaryOperator::Subtract,
    BinaryOperator::Multiply,
    BinaryOperator::Divide,
    BinaryOperator::Remainder,
    BinaryOperator::Equal,
    BinaryOperator::NotEqual,
    BinaryOperator::Less,
    BinaryOperator::LessOrEqual,
    BinaryOperator::Greater,
    BinaryOperator::GreaterOrEqual,
    BinaryOperator::And,
    BinaryOperator::Or,
    BinaryOperator::BitAnd,
    BinaryOperator::BitOr,
    BinaryOperator::BitXor,
    BinaryOperator::ShiftLeft,
    BinaryOperator::ShiftRight,
];

fn reference() -> ValueType {
    ValueType::Reference(NODE)
}

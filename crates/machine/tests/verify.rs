//! The verifier: a program that is well formed in every respect, and for each rule a
//! change to it that breaks this rule and no other.

use raddle_machine::ir::{
    BinaryOperator, Expression, Function, Home, Instruction, Pc, Program, RegionInfo, Register,
    Slot, UnaryOperator, ValueType,
};
use raddle_machine::text::parse;
use raddle_machine::verify::{MAXIMUM_DEPTH, verify};
use raddle_model::{Kind, Place};

const SOUND: &str = r#"
enum Colour { red, green }
record Node { Node.value, Node.next, Node.lock } = { 0*3 }

region threads: threads
region counter: variable int 0..9 at 0
region cells[2][3]: variable int at 1
region head: variable ref Node at 7
region colour: variable Colour at 8
region lock: monitor at 9
region forks[2]: monitor at 10
region slots: semaphore at 12
region queue: channel(2) int at 13
region nodes: channel(1) ref Node at 16
region Node.value: variable int at Node + 0
region Node.next: variable ref Node at Node + 1
region Node.lock: monitor at Node + 2

words {
  4         // counter
  0*6       // cells
  0         // head
  1         // colour
  0         // lock
  0*2       // forks
  3         // slots
  1 7 0     // queue
  0*2       // nodes
}

local seed: int = 7
local last: ref Node
local ring_0: int
local ring_1: int

thread worker runs work
thread helper runs help daemon
start worker(5, 0) as "worker[0]"

label critical at 1
label inside at 6

invariant few: ((counter <= 9) && (count_at(critical) < 2)) @0:1:1
claim counter protected by forks[0] @0:1:1
claim cells protected by forks[(accessed % 2)] @0:1:1
claim Node.value protected by Node.lock(accessed) @0:1:1
claim head exclusive at(critical) @0:1:1
claim colour initialised by helper @0:1:1

function work(times: int, first: ref Node) {
  var i: int
  var node: ref Node
  var flag: bool
  var buffer_0: int
  var buffer_1: int
   0   %node := new Node                  @0:1:1
   1 * acquire lock                       @0:1:1
   2   wait lock                          @0:1:1
   3 * resume lock                        @0:1:1
   4   release lock                       @0:1:1
   5   atomic_begin                       @0:1:1
   6   down slots                         @0:1:1
   7   unless (%i < 3) jump 9             @0:1:1
   8   counter := ranged((counter + 1), 0..9 wrapping) @0:1:1
   9   atomic_end                         @0:1:1
  10   Node.next(%node) := head           @0:1:1
  11   head := %node                      @0:1:1
  12   %i := cells[bounded(%i, 6)]        @0:1:1
  13   %flag := compare_and_set(head, 0, %node) @0:1:1
  14   %i := fetch_add(counter, 1, 0..9)  @0:1:1
  15 * %i := receive queue                @0:1:1
  16 * send nodes, %node                  @0:1:1
  17   %buffer_0{2}[%i] := $ring_0{2}[1]  @0:1:1
  18   %node := call make(%i)             @0:1:1
  19   %i := spawn helper()               @0:1:1
  20 * join %i                            @0:1:1
  21 * %i := choose 0 .. %times           @0:1:1
  22 * select { %flag => 24, => 23 }      @0:1:1
  23   up slots                           @0:1:1
  24 * notify Node.lock(%first)           @0:1:1
  25   assert (%node != 0) "there is one" @0:1:1
  26   %flag := (owner_of(lock) == me)       @0:1:1
  27   $last := %node                     @0:1:1
  28   return                             @0:1:1
}

function make(value: int) {
  29   return head  @0:1:1
}

function help() {
  30   fail unreachable "never"  @0:1:1
}
"#;

fn sound() -> Program {
    parse(SOUND).expect("the sound program parses")
}

/// Replaces a piece of the sound program, and expects exactly one defect.
#[track_caller]
fn breaks(old: &str, new: &str, expected: &str) {
    assert_eq!(SOUND.matches(old).count(), 1, "{old:?} must occur once");
    let program = parse(&SOUND.replace(old, new)).expect("the broken program parses");
    one_defect(&program, expected);
}

/// Changes the sound program, and expects exactly one defect.
#[track_caller]
fn breaks_by(change: impl FnOnce(&mut Program), expected: &str) {
    let mut program = sound();
    change(&mut program);
    one_defect(&program, expected);
}

#[track_caller]
fn one_defect(program: &Program, expected: &str) {
    let defects = verify(program).expect_err("the program must be refused");
    let messages: Vec<String> = defects.iter().map(ToString::to_string).collect();
    assert!(
        messages.len() == 1 && messages[0].contains(expected),
        "expected only {expected:?}, found {messages:#?}"
    );
}

#[track_caller]
fn keeps(old: &str, new: &str) {
    assert_eq!(SOUND.matches(old).count(), 1, "{old:?} must occur once");
    let program = parse(&SOUND.replace(old, new)).expect("the changed program parses");
    assert_eq!(verify(&program), Ok(()));
}

#[test]
fn the_sound_program_is_accepted() {
    assert_eq!(verify(&sound()), Ok(()));
}

#[test]
fn a_program_needs_a_region_of_threads() {
    one_defect(&Program::default(), "no region for the threads");
    let threads = RegionInfo {
        name: "threads".to_string(),
        kind: Kind::Thread,
        home: Home::Threads,
        dimensions: Vec::new(),
        value: ValueType::Int,
        capacity: 0,
        per_thread: None,
    };
    let empty = Program {
        regions: vec![threads],
        ..Program::default()
    };
    assert_eq!(verify(&empty), Ok(()));
}

#[test]
fn a_defect_tells_where_it_is() {
    let program = parse(&SOUND.replace("send nodes, %node", "send nodes, %#99"))
        .expect("the broken program parses");
    let defects = verify(&program).expect_err("the program must be refused");
    assert_eq!(defects[0].pc, Some(Pc(16)));
    assert_eq!(
        defects[0].to_string(),
        "instruction 16: there is no register 99"
    );
}

#[test]
#[rustfmt::skip]
fn the_first_region_is_that_of_the_threads() {
    breaks_by(
        |p| {
            p.regions[0].kind = Kind::Variable;
            p.regions[0].home = Home::Shared(0);
            p.regions[0].dimensions = vec![0];
        },
        "region 0 (threads) is not the region of the threads",
    );
    breaks("region counter:", "region more: threads\nregion counter:", "region 1 (more) is a second region of threads");
    breaks_by(
        |p| p.regions[0].home = Home::Shared(18),
        "does not lie where its kind belongs",
    );
    breaks("region counter:", "region more: variable int\nregion counter:", "does not lie where its kind belongs");
}

#[test]
#[rustfmt::skip]
fn only_channels_have_a_capacity() {
    breaks("region lock: monitor", "region lock: monitor(1)", "has a capacity of 1");
    breaks_by(
        |p| {
            p.regions.push(RegionInfo {
                capacity: 0,
                home: Home::Shared(18),
                ..p.regions[8].clone()
            });
            p.initial_words.push(0);
        },
        "has a capacity of 0",
    );
}

#[test]
fn sizes_are_sane() {
    for large in [
        "large[65536][65537]: variable int",
        "large[16777217]: variable int",
        "large: channel(4294967295) int",
        "large[2]: channel(2147483647) int",
    ] {
        breaks(
            "region counter:",
            &format!("region {large} at 0\nregion counter:"),
            "region 1 (large) is too large",
        );
    }
    breaks_by(
        |p| {
            let more = (1 << 24) - 17;
            p.initial_words.extend(std::iter::repeat_n(0, more));
            p.regions.push(RegionInfo {
                dimensions: vec![more as u32],
                home: Home::Shared(18),
                ..p.regions[2].clone()
            });
        },
        "more than 16777216 words",
    );
}

#[test]
#[rustfmt::skip]
fn types_refer_to_what_exists() {
    breaks("local seed: int", "local seed: #7", "there is no enumeration 7");
    breaks("var flag: bool", "var flag: bool\n var other: ref #7", "there is no record 7");
    breaks(
        "region counter: variable int 0..9 at 0",
        "region counter: variable int at 0 region none[0]: variable #7 at 0",
        "region 2 (none): there is no enumeration 7",
    );
    breaks("var flag: bool", "var flag: int 1..0", "the range 1..0 is empty");
}

#[test]
#[rustfmt::skip]
fn every_shared_word_belongs_to_one_region() {
    breaks("words {", "region more: semaphore at 17\nwords {", "more overlaps with another region");
    breaks("0*2       // nodes", "0*3       // nodes", "19 words have initial values, not 18");
    breaks_by(
        |p| {
            p.initial_words.extend([0, 0]);
            p.regions.push(RegionInfo {
                home: Home::Shared(19),
                ..p.regions[5].clone()
            });
        },
        "nothing lies before lock",
    );
}

#[test]
#[rustfmt::skip]
fn every_word_of_a_record_belongs_to_one_field() {
    breaks("= { 0*3 }", "= { 0*4 }", "4 words have initial values, not 3");
    breaks("words {", "region Node.more: variable int at Node + 3\nwords {", "region 13 (Node.more) is not among the fields of its record");
    breaks("words {", "region more[0]: variable int at #9 + 0\nwords {", "region 13 (more) is not among the fields of its record");
    breaks("Node.lock }", "Node.lock, Node.value }", "lists region 10, which does not exist or is listed twice");
    breaks("Node.lock }", "Node.lock, #99 }", "lists region 99, which does not exist or is listed twice");
    breaks("Node.lock }", "Node.lock, counter }", "lists region 1 (counter), which is no field of it");
    breaks(
        "Node.lock } = { 0*3 }",
        "Node.lock } = { 0*3 } record Other { Node.value } = { }",
        "record 1 (Other) lists region 10 (Node.value), which is no field of it",
    );
}

#[test]
#[rustfmt::skip]
fn initial_values_are_possible() {
    breaks("  4         //", " 10         //", "counter cannot have");
    breaks("0         // head", "1         // head", "head cannot have");
    breaks("1         // colour", "2         // colour", "colour cannot have");
    breaks("0         // lock", "1         // lock", "lock cannot have");
    breaks("3         // slots", "-1        // slots", "slots cannot have");
    breaks("1 7 0     // queue", "3 7 0     // queue", "queue cannot have");
    breaks("1 7 0     // queue", "-1 7 0    // queue", "queue cannot have");
    breaks("1 7 0     // queue", "1 7 7     // queue", "queue cannot have");
    breaks("0*2       // nodes", "1 5       // nodes", "nodes cannot have");
    breaks("= { 0*3 }", "= { 0 1 0 }", "Node.next cannot have");
    breaks("local last: ref Node", "local last: ref Node = 1", "last is a reference that is not null initially");
    breaks("var node: ref Node", "var node: ref Node = 1", "node is a reference that is not null initially");
}

#[test]
fn every_instruction_has_a_mark_and_a_place() {
    breaks_by(|p| p.starts.push(true), "not as many start marks");
    let place = Place {
        file: 0,
        line: 0,
        column: 0,
    };
    breaks_by(|p| p.places.push(place), "not as many places");
}

#[test]
fn functions_share_out_the_code() {
    breaks_by(|p| p.functions[1].entry = Pc(28), "make overlaps");
    breaks_by(
        |p| {
            p.functions[0].end = Pc(30);
            p.functions[1].entry = Pc(30);
        },
        "make has no instructions",
    );
    breaks_by(
        |p| p.functions[0].end = Pc(28),
        "the code before make belongs to no function",
    );
    breaks_by(
        |p| p.functions[2].end = Pc(32),
        "the functions end where the code does not",
    );
}

#[test]
fn there_are_limits_to_registers_functions_and_threads() {
    let slot = Slot {
        name: "slot".to_string(),
        value: ValueType::Int,
        initial: 0,
    };
    let slots = || vec![slot.clone(); 65536];
    breaks_by(
        |p| p.functions[2].registers = slots(),
        "the registers of help are more than 65535",
    );
    breaks_by(
        |p| p.thread_locals.extend(slots()),
        "the thread-local variables are more than 65535",
    );
    breaks_by(
        |p| {
            p.code[19] = Instruction::Skip;
            p.functions[2].parameters = 1;
        },
        "help has more parameters than registers",
    );
    breaks_by(
        |p| {
            let kind = p.declarations[1].clone();
            p.declarations.extend(vec![kind; 1 << 14]);
        },
        "too many kinds of threads",
    );
    breaks_by(
        |p| {
            for number in 0..65536 {
                p.functions.push(Function {
                    entry: Pc(31 + number),
                    end: Pc(32 + number),
                    ..p.functions[2].clone()
                });
                p.code.push(Instruction::Return(None));
                p.starts.push(false);
                p.places.push(p.places[0]);
            }
        },
        "too many functions",
    );
}

#[test]
#[rustfmt::skip]
fn threads_run_functions() {
    breaks("thread helper", "thread idle runs #99 thread helper", "thread idle runs no function");
}

#[test]
#[rustfmt::skip]
fn initial_threads_match_their_kinds() {
    breaks("start worker(5, 0)", "start #99(5, 0)", "is a thread of no kind");
    breaks("start worker(5, 0)", "start worker(5)", "worker[0] has the wrong number of arguments");
    breaks("start worker(5, 0)", "start worker(5, 1)", "an argument of worker[0] is not of its type");
}

#[test]
#[rustfmt::skip]
fn labels_name_beginnings_of_steps() {
    breaks("label inside at 6", "label inside at 31", "label inside is not in the code");
    breaks("label inside at 6", "label inside at 2", "no step begins at label inside");
    breaks("exclusive at(critical)", "exclusive at(#99)", "there is no label 99");
    breaks("count_at(critical)", "count_at(#99)", "there is no label 99");
}

#[test]
#[rustfmt::skip]
fn invariants_speak_of_shared_state_only() {
    let condition = "(counter <= 9)";
    breaks(condition, "(counter <= $seed)", "no thread evaluates this");
    breaks(condition, "$ring_0{2}[0]", "no thread evaluates this");
    breaks(condition, "(counter <= me)", "no thread evaluates this");
    breaks(condition, "!at(critical)", "no thread evaluates this");
    breaks(condition, "(counter <= %#0)", "there is no register 0");
    breaks(condition, "(counter <= accessed)", "only claims speak of the accessed");
    breaks(condition, "head", "a reference where there can be none");
}

#[test]
#[rustfmt::skip]
fn claims_are_about_variables_and_monitors() {
    breaks("claim counter", "claim lock", "a claim about region 5, no variable");
    breaks("claim counter", "claim #99", "a claim about region 99, no variable");
    breaks("by forks[0]", "by slots", "slots is not of the kind");
    breaks("by forks[0]", "by forks[%#0]", "there is no register 0");
    breaks("exclusive at(critical)", "exclusive head", "a reference where");
    breaks("initialised by helper", "initialised by #99", "there is no kind of thread 99");
    breaks("by forks[0]", "by Node.lock(accessed)", "a reference is needed");
    keeps("by forks[0]", "by forks[$seed]");
    keeps("exclusive at(critical)", "unprotected");
}

#[test]
#[rustfmt::skip]
fn only_claims_speak_of_the_accessed_element() {
    breaks("%times           @", "accessed @", "only claims speak of the accessed");
}

#[test]
#[rustfmt::skip]
fn cells_name_objects_that_exist() {
    breaks("acquire lock ", "acquire #99 ", "there is no region 99");
    breaks("acquire lock ", "acquire forks ", "forks is an array, the index is missing");
    breaks("acquire lock ", "acquire lock[0] ", "lock is not an array");
    breaks("acquire lock ", "acquire lock(%node) ", "lock is not a field of an object");
    breaks("acquire lock ", "acquire Node.lock ", "Node.lock is a field, the object is missing");
    breaks("acquire lock ", "acquire Node.lock(%i) ", "a reference is needed");
    breaks("acquire lock ", "acquire forks[%node] ", "a reference where there can be none");
}

#[test]
#[rustfmt::skip]
fn kinds_match_operations() {
    let wrong = "is not of the kind that this needs";
    breaks("acquire lock ", "acquire slots ", wrong);
    breaks("release lock ", "release slots ", wrong);
    breaks("notify Node.lock(%first)", "notify slots", wrong);
    breaks("notify Node.lock(%first)", "notify_all slots", wrong);
    breaks("up slots", "up lock", wrong);
    breaks("down slots", "down lock", wrong);
    breaks("send nodes, %node", "send head, %node", wrong);
    breaks("%i := receive queue", "%i := receive counter", wrong);
    breaks("compare_and_set(head, 0, %node)", "compare_and_set(lock, 0, 1)", wrong);
    breaks("fetch_add(counter, 1, 0..9)", "fetch_add(slots, 1, 0..9)", wrong);
    breaks("head := %node", "lock := 1", wrong);
    breaks("head := %node", "%i := lock", wrong);
    breaks("head := %node", "threads := 1", wrong);
    breaks("owner_of(lock)", "owner_of(slots)", wrong);
    breaks("owner_of(lock)", "length_of(slots)", wrong);
    breaks("owner_of(lock)", "value_of(lock)", wrong);
    // A wait and its resume can only be wrong together.
    let waits = SOUND
        .replace("wait lock", "wait slots")
        .replace("resume lock", "resume slots");
    let program = parse(&waits).expect("the broken program parses");
    let defects = verify(&program).expect_err("the program must be refused");
    assert_eq!(defects.len(), 2);
    assert!(defects.iter().all(|defect| defect.message.contains(wrong)));
}

#[test]
#[rustfmt::skip]
fn slots_exist() {
    breaks("%buffer_0{2}[%i] :=", "%#7 :=", "there is no register 7");
    breaks("%buffer_0{2}[%i] :=", "%buffer_0{3}[%i] :=", "there are no slots 5 to 8");
    breaks("%buffer_0{2}[%i] :=", "%#9{1}[%i] :=", "there are no slots 9 to 10");
    breaks("$ring_0{2}[1]", "$ring_0{3}[1]", "there are no slots 2 to 5");
    breaks("$ring_0{2}[1]", "$ring_0{4294967295}[1]", "there are no slots 2 to 4294967297");
    breaks("$ring_0{2}[1]", "$#4", "there is no thread-local variable 4");
    breaks("$ring_0{2}[1]", "%buffer_0{3}[1]", "there are no slots 5 to 8");
    breaks("$last := %node", "$#4 := %node", "there is no thread-local variable 4");
    breaks("$last := %node", "$#3{2}[0] := 1", "there are no slots 3 to 5");
    breaks("%node := call make", "%#9 := call make", "there is no register 9");
    breaks("%i := spawn", "%#9 := spawn", "there is no register 9");
    breaks("%i := receive", "%#9 := receive", "there is no register 9");
    breaks("%i := choose", "%#9 := choose", "there is no register 9");
    breaks("%node := new", "%#9 := new", "there is no register 9");
    breaks("%flag := compare", "%#9 := compare", "there is no register 9");
    breaks("%i := fetch", "%#9 := fetch", "there is no register 9");
    breaks("select { %flag", "select { %#9", "there is no register 9");
    breaks("join %i", "join %#9", "there is no register 9");
}

#[test]
#[rustfmt::skip]
fn calls_and_spawns_match_parameters() {
    breaks("call make(%i)", "call #99(%i)", "there is no such function");
    breaks("call make(%i)", "call make()", "0 arguments are given, 1 needed");
    breaks("call make(%i)", "call make(%node)", "a reference where");
    breaks("spawn helper()", "spawn #99()", "there is no such function");
    breaks("spawn helper()", "spawn helper(1)", "1 arguments are given, 0 needed");
    breaks("spawn helper()", "spawn worker(1, 2)", "a reference is needed");
}

#[test]
#[rustfmt::skip]
fn references_stay_references() {
    breaks("head := %node", "head := %i", "a reference is needed");
    breaks("head := %node", "%i := %node", "a reference where");
    breaks("head := %node", "%i := (%node + 1)", "a reference where");
    breaks("head := %node", "%i := -%node", "a reference where");
    breaks("head := %node", "%flag := (%node == 1)", "a reference is needed");
    breaks("head := %node", "%node := (%flag ? head : 1)", "a reference is needed");
    breaks("head := %node", "%i := bounded(head, 3)", "a reference where");
    breaks("head := %node", "%i := ranged(head, 0..3)", "a reference where");
    breaks("head := %node", "fetch_add(head, 1)", "a reference where");
    breaks("%i := receive queue", "%node := receive queue", "a reference is needed");
    breaks("%i := receive queue", "%i := receive nodes", "a reference where");
    breaks("send nodes, %node", "send nodes, 1", "a reference is needed");
    breaks("%node := new Node", "%i := new Node", "a reference where");
    breaks("%node := new Node", "%#9 := new Node", "there is no register 9");
    breaks("%node := new Node", "%node := new #99", "there is no record 99");
    breaks("head, 0, %node", "head, 0, 1", "a reference is needed");
    breaks("head, 0, %node", "head, 1, %node", "a reference is needed");
    breaks("join %i", "join %node", "a reference where");
    breaks("choose 0 .. %times", "choose head .. %times", "a reference where");
    breaks("select { %flag", "select { %node", "a reference where");
    breaks("%node := call", "%i := call", "a reference where");
    breaks("return head", "return 1", "a reference is needed");
    breaks_by(
        |p| {
            p.code[10] = Instruction::Return(Some(Expression::Local(Register(2))));
            p.code[28] = Instruction::Return(Some(Expression::Local(Register(3))));
        },
        "returns a reference where another return does not",
    );
    keeps("head := %node", "head := (%flag ? 0 : %node)");
    keeps("head := %node", "%flag := (0 == %node)");
}

#[test]
#[rustfmt::skip]
fn control_stays_in_the_function() {
    breaks("jump 9 ", "jump 29 ", "instruction 29 is not in this function");
    breaks("return head", "jump 28", "instruction 28 is not in this function");
    breaks("=> 24", "=> 31", "instruction 31 is not in this function");
    breaks("return head", "skip", "control goes on past the end");
    breaks("return head", "unless %value jump 29", "control goes on past the end");
}

#[test]
fn a_wait_and_its_resume_belong_together() {
    breaks_by(
        |p| p.code[3] = Instruction::Skip,
        "no resume of the same monitor follows",
    );
    breaks_by(
        |p| p.code[2] = Instruction::Skip,
        "no wait on the same monitor precedes",
    );
    breaks_by(
        |p| p.code[28] = Instruction::Jump(Pc(3)),
        "a jump to the resume at 3",
    );
}

#[test]
fn a_step_begins_wherever_a_thread_may_wait_or_choose() {
    for instruction in [
        "15 * %i := receive queue",
        "16 * send nodes, %node",
        "20 * join %i",
        "21 * %i := choose 0 .. %times",
        "22 * select { %flag => 24, => 23 }",
        "24 * notify Node.lock(%first)",
        "3 * resume lock",
    ] {
        breaks(
            instruction,
            &instruction.replace(" * ", "   "),
            "this may block or choose, but no step begins here",
        );
    }
    breaks("23   up slots", "23   down slots", "no step begins here");
    breaks("23   up slots", "23   await %flag", "no step begins here");
    breaks("23   up slots", "23   acquire lock", "no step begins here");
    keeps("6   down slots ", "6   await (counter > 0) ");
}

#[test]
#[rustfmt::skip]
fn atomic_blocks_are_balanced() {
    breaks("23   up slots", "23   atomic_end", "an atomic block ends that never began");
    breaks("23   up slots", "23   atomic_begin", "atomic blocks are open here on one path");
    breaks("=> 23 }", "=> 23, => 9 }", "1 atomic blocks are open here on one path, 0 on another");
    breaks("8   counter := ranged((counter + 1), 0..9 wrapping)", "8   return", "a return inside of an atomic block");
    keeps(
        "8   counter := ranged((counter + 1), 0..9 wrapping)",
        "8   fail assertion \"no\"",
    );
}

#[test]
#[rustfmt::skip]
fn ranges_are_not_empty() {
    breaks("0..9 wrapping)", "9..0 wrapping)", "the range 9..0 is empty");
    breaks("counter, 1, 0..9", "counter, 1, 1..-1", "the range 1..-1 is empty");
}

/// Chains of all shapes, one deeper than the other.
fn chains(depth: usize) -> Vec<Expression> {
    let leaf = || Expression::Constant(1);
    let mut negated = leaf();
    let mut left = leaf();
    let mut right = leaf();
    for _ in 1..depth {
        negated = Expression::Unary(UnaryOperator::Negate, Box::new(negated));
        left = Expression::Binary(BinaryOperator::Add, Box::new(left), Box::new(leaf()));
        right = Expression::Conditional(Box::new(leaf()), Box::new(leaf()), Box::new(right));
    }
    vec![negated, left, right]
}

#[test]
fn expressions_are_not_too_deep() {
    for expression in chains(MAXIMUM_DEPTH) {
        let mut program = sound();
        program.code[23] = Instruction::Assume(expression);
        assert_eq!(verify(&program), Ok(()));
    }
    for expression in chains(MAXIMUM_DEPTH + 1) {
        breaks_by(
            |p| p.code[23] = Instruction::Assume(expression),
            "an expression is nested too deeply",
        );
    }
}

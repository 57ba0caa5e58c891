//! What stands below the flags in the help of each command: examples and exit codes.

pub(super) const HELP: &str = "\
EXAMPLES
  raddle check dining.rad                     search, and show a trace if there is one
  raddle check dining.rad --trace t.json      also save the trace
  raddle replay t.json --interactive          walk through it
  raddle show dining.rad --dot | dot -Tsvg    draw the program

EXIT CODES
  0  holds: no execution violates a property
  1  violated: one does, and here it is
  2  unknown: a limit was reached, or the search was interrupted
  3  bad input: the program, the command line or a file is not as it should be";

pub(super) const CHECK_HELP: &str = "\
EXAMPLES
  raddle check dining.rad
  raddle check dining.rad --search breadth --no-shorten     the fewest steps to a violation
  raddle check big.rad --time 10m --memory 8G --progress always
  raddle check dining.rad -D N=5                            with five philosophers
  raddle check big.rad --store fingerprint
  raddle check big.rad --checkpoint folder --resume         go on where it was ended
  raddle check big.rad --jobs 1                             the same trace each time
  raddle check big.rad --reduction auto                     skip what makes no difference
  raddle check big.rad --reduction transactions --no-partial-deadlock
  raddle check big.rad --reduction cartesian --jobs 8 --no-deadlock --no-partial-deadlock
  raddle check account.rad --discipline strict              hold the program to its claims
  raddle check account.rad --reduction auto --paranoid      trust no reduction
  raddle check mutex.rad --unreachable critical --trace found.json
  raddle check mutex.rad --json | jq .verdict
  raddle check bakery.cbp --unsafe 'criticalI & criticalJ'   for any number of threads
  raddle check bakery.cbp --reduction auto --max-threads 4  state by state
  raddle check kanban.spec                                  coverability of a net
  raddle check bakery.cbp --certificate proof.json          save why it holds
  raddle check --process server.jar --process 'client.jar:Main 8080'
  raddle check pool.rad --symmetry                          workers that are alike are exchanged
  raddle check mutex.rad --coverage                         what no execution came to
  raddle check big.rad --preemptions 2                      few interruptions find most bugs
  raddle check big.rad --random-walks 1000 --seed 7
  raddle check Bank.java                                    Java, compiled or not
  raddle check app.jar --main app.Main -cp lib.jar -- 3 4
  raddle check Lottery.java --random explore
  raddle check src/test/java --class BankTest -cp junit.jar one verdict for each test
  raddle check classes --class BankTest --method transfer --sources src
  raddle check Bank.java --sarif results.sarif --junit results.xml
  raddle check Bank.java --html found.html                  a page to step through
  generate-program | raddle check -

Ctrl-C or SIGTERM stops the search and tells what is known; a second one ends raddle at once.

EXIT CODES
  0  holds     every reachable state was explored and nothing is wrong
  1  violated  the trace shows how
  2  unknown   a limit was reached, or the search was interrupted
  3  bad input the program, the command line or a file is not as it should be";

pub(super) const TEST_HELP: &str = "\
EXAMPLES
  raddle test                                    all tests of the project in this folder
  raddle test bank --tests 'bank.*Test' --jobs 4
  raddle test --tests '*.AccountTest.lost*' --time 5m
  raddle test --class-path-file target/classpath.txt
  raddle test -cp 'lib/*'
  raddle test --build-tool                       asks Maven or Gradle, which runs the project's build
  raddle test --html report --junit raddle.xml --sarif raddle.sarif
  raddle test --json | jq '.tests[] | {test, verdict}'
  raddle test -- --spurious --races              flags of `raddle check` for each test

Compiled classes are checked where there are some (target, build); otherwise src is compiled.

EXIT CODES
  0  all tests hold
  1  one is violated
  2  of one nothing is known, for example because its time was over
  3  bad input: no tests, no class path, or the command line is not as it should be";

pub(super) const COMPARE_HELP: &str = "\
EXAMPLES
  raddle compare dining.rad
  raddle compare dining.rad -D N=6 --svg dining.svg
  raddle compare dining.rad -D N=2..6 --html dining.html    curves of states and time over N
  raddle compare dining.rad --reduction dpor,optimistic+persistent
  raddle compare dining.rad --all-combinations --no-partial-deadlock --time 10s
  raddle compare Bank.java
  raddle compare app.jar --main app.Main -cp lib.jar -- 3 4
  raddle compare dining.rad --json | jq '.comparison[] | {reduction, states}'

Full search is asked for all properties that are wanted, and each reduction for those of them
that it preserves; the others are listed as refused. Answers that contradict each other are a
bug of raddle, said so, and the trace is saved in the current folder as raddle-bug-*.json. Where
full search has ended at a violation that a reduction is not asked for, it is asked once more for
the rest.

EXIT CODES
  0  the answers agree
  2  two of them contradict each other
  3  bad input";

pub(super) const LITMUS_HELP: &str = "\
EXAMPLES
  raddle litmus SB.litmus                            all outcomes, as herd prints them
  raddle litmus tests/litmus                         a line for each test of a folder
  raddle litmus tests/litmus --expected tests/litmus/expected

EXIT CODES
  0  all tests are as expected; without --expected: what they say with `exists`, `~exists` or
     `forall` is so
  1  a test is not
  2  unknown: a test has too many states
  3  something that could not be read";

pub(super) const VERIFY_HELP: &str = "\
EXAMPLES
  raddle check bakery.cbp --certificate proof.json
  raddle verify bakery.cbp proof.json
  raddle verify kanban.net proof.json --unsafe 'full >= 2'  the question is the checker's own
  raddle check Visits.java --threads any --certificate proof.json
  raddle verify Visits.java proof.json
  raddle verify rooms.rad proof.json -D ROOMS=3 --solver z3

The certificate says why nothing unsafe is reached. Everything else is made anew from the text of
the program, and the certificate is checked by code that no search uses.

EXIT CODES
  0  verified: it proves that nothing unsafe is reached
  2  refused: it does not, because it is damaged, or one of something else
  3  bad input: the program, the command line or a file is not as it should be";

pub(super) const TRANSLATE_HELP: &str = "\
EXAMPLES
  raddle translate bakery.cbp --to gm
  raddle translate bakery.cbp --to dot | dot -Tsvg > bakery.svg
  raddle translate bakery.cbp --to net --unsafe 'criticalI & criticalJ'
  raddle translate bakery.cbp --to net --statistics
  raddle translate protocol.tts --to mist > protocol.spec
  raddle translate Points.java --to cbp > points.cbp   the last abstraction, to be checked by itself

Without --full, steps that no other thread can tell from doing nothing are joined with the
step before them.

EXIT CODES
  0  it was printed
  3  bad input, or the form cannot say what is to be said";

pub(super) const PAPERS_HELP: &str = "\
EXAMPLES
  raddle papers
  raddle papers 001 --quick
  raddle papers 001-table1-cartesian indexer
  raddle papers --json | jq '.papers[].rows[] | select(.result != \"exact\")'

RESULTS
  exact      the numbers are those of the paper
  within     the paper gives a bound or leaves a range, and the numbers are in it
  deviation  the numbers are others, for the reason below the table
  WRONG      the numbers are not even those that this raddle is known for

EXIT CODES
  0  every number is as the tables say
  1  one is wrong
  2  unknown: interrupted
  3  bad input";

pub(super) const REPLAY_HELP: &str = "\
EXAMPLES
  raddle check dining.rad --trace found.json
  raddle replay found.json
  raddle replay found.json --interactive
  raddle replay found.json --program moved/dining.rad

EXIT CODES
  1  violated  the trace leads to the violation again
  3  bad input the file is not a trace, or the program has changed and no longer does this";

pub(super) const EXPLORE_HELP: &str = "\
EXAMPLES
  raddle explore dining.rad
  raddle explore dining.rad -D N=5 --no-open
  raddle explore Bank.java --main Bank

The page is served on this machine only, at an address that nobody can guess. On it, take
steps, go back, and look for the nearest state in which something holds:
  models            an expression over the shared variables: balance < 0 && !finished
  boolean programs  a set of states, as for --unsafe: run >= 2
  Java and nets     NAME = VALUE, NAME != VALUE, THREAD @ LINE, \"TEXT\", joined by &&

EXIT CODES
  0  it was ended by Ctrl-C
  3  bad input";

pub(super) const SHOW_HELP: &str = "\
EXAMPLES
  raddle show dining.rad
  raddle show dining.rad --dot | dot -Tsvg > dining.svg
  raddle show dining.rad --format
  raddle show --sharing Account.java
  raddle show --sharing Account.java --html sharing.html

EXIT CODES
  0  it was shown
  3  bad input";

pub(super) const FMT_HELP: &str = "\
EXAMPLES
  raddle fmt dining.rad account.rad
  raddle fmt --check *.rad            name those that are not in order
  raddle fmt - < dining.rad           print the text in order

EXIT CODES
  0  the files are in order
  1  with --check: some are not
  3  bad input";

pub(super) const RUN_HELP: &str = "\
EXAMPLES
  raddle run Hello.java
  raddle run classes --main app.Main -cp lib.jar -ea -- a b
  raddle run Count.java --allow-files data -- data/words.txt
  raddle run Hello.java --json | jq .exit_code

EXIT CODES
  what the program exits with; 1 if all threads wait, 2 if something is not supported, 3 if
  there is no such program or it does not compile";

pub(super) const LINEARIZE_HELP: &str = "\
EXAMPLES
  raddle linearize Queue.java --class Queue --operation 'offer(int)' --operation 'poll()'
  raddle linearize src/main/java -cp 'lib/a.jar' --class com.foo.Cache --size 2x3
  raddle linearize --class java.util.concurrent.ConcurrentHashMap \\
    --operation 'put(1..2, int)' --operation 'remove(1)' --operation 'get(1..2)'
  raddle linearize Stack.java --class Stack --specification SequentialStack --html report.html

A scenario says which operations are called before there are threads, by each thread, and at the
end. All interleavings of all scenarios are explored, the smallest first. Each must have results
that the operations also give one after the other, in an order in which none comes before one that
had returned when it was called.

EXIT CODES
  0  holds: in all scenarios that were examined
  1  violated: the scenario, its results, and how they come about are shown
  2  unknown: for the reasons given
  3  bad input";

pub(super) const API_HELP: &str = "\
EXAMPLES
  raddle api lib
  javac -cp lib/raddle-check.jar -d classes src/*.java
  raddle check classes --main Elevator

`raddle check Foo.java` and `raddle run Foo.java` need none of it: these classes are there.

EXIT CODES
  0  they were written
  3  bad input";

pub(super) const COMPLETIONS_HELP: &str = "\
EXAMPLES
  raddle completions bash > ~/.local/share/bash-completion/completions/raddle
  raddle completions zsh > ~/.zfunc/_raddle
  raddle completions fish > ~/.config/fish/completions/raddle.fish

EXIT CODES
  0  it was printed
  3  bad input";

pub(super) const MAN_HELP: &str = "\
EXAMPLES
  raddle man check | man -l -
  raddle man --all ~/.local/share/man/man1

EXIT CODES
  0  it was printed or written
  3  bad input";

pub(super) const LSP_HELP: &str = "\
EXAMPLES
  raddle lsp
  raddle lsp -- --reduction auto --time 10s

It is a server of the language server protocol for models (.rad) and boolean programs (.cbp), on
standard input and output. Checks stop after a minute, or at 2 GB, unless flags say otherwise.

EXIT CODES
  0  the editor wants no more
  3  bad input";

pub(super) const DOCTOR_HELP: &str = "\
EXAMPLES
  raddle doctor
  raddle doctor --jdk ~/jdk-25
  raddle doctor --json | jq .java.version

EXIT CODES
  0  everything is there
  1  something is missing, and said so";

//! What is found out about small programs, which one can look through.

use raddle_analysis::{Protection, SharedField, Sharing, analyse};
use raddle_java::{Java, Settings};
use raddle_jvm::World;
use raddle_jvm::load::{Directory, Jdk};
use raddle_testkit::jdk::{self, compile_texts, jdk};
use std::path::Path;

/// What the threads of a program share, whose class `Main` this is.
fn sharing_of(test: &str, members: &str) -> Sharing {
    let folder = jdk::scratch(env!("CARGO_TARGET_TMPDIR"), &format!("sharing-{test}"));
    let imports =
        "import java.util.*; import java.util.concurrent.*; import java.util.concurrent.locks.*;";
    let text = format!("{imports}\npublic class Main {{\n{members}\n}}\n");
    compile_texts(&folder, [("Main".to_owned(), text)]);
    let sharing = loaded(&folder);
    let _ = std::fs::remove_dir_all(&folder);
    sharing
}

fn loaded(folder: &Path) -> Sharing {
    let program = Box::new(Directory(folder.to_owned()));
    let jdk = Jdk::open(jdk()).expect("a JDK");
    let world = World::new(jdk, vec![program]).expect("a library");
    let settings = Settings {
        main_class: "Main".to_owned(),
        files: vec![(0, "Main.java".to_owned())],
        ..Settings::default()
    };
    let java = Java::new(world, settings).expect("a program");
    let (world, start) = java.beginning_of_main();
    analyse(world, start)
}

fn field<'s>(sharing: &'s Sharing, name: &str) -> Option<&'s SharedField> {
    sharing.fields.iter().find(|it| it.name == name)
}

/// How a field is protected, in a word; nothing if threads do not share it.
fn protection(sharing: &Sharing, name: &str) -> Option<&'static str> {
    field(sharing, name).map(|it| it.protection.name())
}

fn locks(sharing: &Sharing, name: &str) -> Vec<String> {
    match field(sharing, name).map(|it| &it.protection) {
        Some(Protection::Locked(locks)) => locks.clone(),
        other => panic!("{name}: {other:?}"),
    }
}

// Corbett's cases (paper 003, section 4.3).

#[test]
fn owned_a_static_field_that_one_thread_accesses_is_its_own() {
    let sharing = sharing_of(
        "owned-static",
        "static int mine, theirs;
         public static void main(String[] args) {
             new Thread(() -> { theirs++; }).start();
             mine++;
         }",
    );
    assert_eq!(protection(&sharing, "mine"), None);
    assert_eq!(protection(&sharing, "theirs"), None);
}

#[test]
fn owned_what_is_reached_from_one_stack_only_is_not_shared() {
    let sharing = sharing_of(
        "owned-heap",
        "static class Box { int value; }
         static class Shown { int value; }
         static Shown shown;
         static void work() { Box box = new Box(); box.value++; Shown it = new Shown(); shown = it; it.value++; }
         public static void main(String[] args) {
             new Thread(Main::work).start();
             work();
         }",
    );
    let by_class = |class: &str| sharing.fields.iter().any(|it| it.class == class);
    assert!(!by_class("Main$Box"), "{}", sharing.to_text());
    assert!(by_class("Main$Shown"), "{}", sharing.to_text());
}

#[test]
fn owned_a_thread_that_is_made_in_a_loop_is_several() {
    let sharing = sharing_of(
        "owned-loop",
        "static int count;
         public static void main(String[] args) {
             for (int i = 0; i < 2; i++) new Thread(() -> { count++; }).start();
         }",
    );
    assert_eq!(protection(&sharing, "count"), Some("not guarded"));
    assert!(sharing.threads[1].is_several);
}

#[test]
fn protected_by_the_monitor_of_the_object_itself() {
    let sharing = sharing_of(
        "protected-this",
        "int count;
         synchronized void more() { count++; }
         public static void main(String[] args) {
             Main it = new Main();
             new Thread(it::more).start();
             it.more();
         }",
    );
    assert_eq!(locks(&sharing, "count"), ["this"]);
}

#[test]
fn protected_by_what_a_final_field_leads_to() {
    // Each account has a lock of its own: an edge from one to one.
    let sharing = sharing_of(
        "protected-one-to-one",
        "static class Account {
             final Object lock = new Object(); Object other = new Object(); int balance, loose;
             void change() { other = new Object(); }
             void pay() { change(); synchronized (lock) { balance++; } synchronized (other) { loose++; } }
         }
         public static void main(String[] args) {
             Account[] all = { new Account(), new Account() };
             Runnable pay = () -> { for (Account it : all) it.pay(); };
             new Thread(pay).start();
             new Thread(pay).start();
         }",
    );
    assert_eq!(locks(&sharing, "balance"), ["lock"]);
    // A field that is not final may lead elsewhere the next time.
    assert_eq!(protection(&sharing, "loose"), Some("not guarded"));
}

#[test]
fn protected_by_the_lock_of_another_object_it_is_not() {
    let sharing = sharing_of(
        "protected-other",
        "static class Account {
             int balance;
             void to(Account other) { synchronized (this) { balance--; other.balance++; } }
         }
         public static void main(String[] args) {
             Account a = new Account(), b = new Account();
             new Thread(() -> a.to(b)).start();
             new Thread(() -> b.to(a)).start();
         }",
    );
    assert_eq!(
        protection(&sharing, "balance"),
        Some("guarded inconsistently")
    );
}

#[test]
fn protected_by_one_of_many_locks_made_in_one_place_it_is_not() {
    let sharing = sharing_of(
        "protected-summary",
        "static int count;
         static void work() { Object lock = new Object(); synchronized (lock) { count++; } }
         public static void main(String[] args) { new Thread(Main::work).start(); work(); }",
    );
    assert_eq!(protection(&sharing, "count"), Some("not guarded"));
}

#[test]
fn protected_by_a_reentrant_lock_until_it_is_unlocked() {
    let sharing = sharing_of(
        "protected-lock",
        "static final ReentrantLock lock = new ReentrantLock();
         static final Condition ready = lock.newCondition();
         static int inside, behind;
         static void work() {
             lock.lock();
             try { while (inside == 7) ready.awaitUninterruptibly(); inside++; ready.signal(); }
             finally { lock.unlock(); }
             behind++;
         }
         public static void main(String[] args) { new Thread(Main::work).start(); work(); }",
    );
    assert_eq!(locks(&sharing, "inside"), ["Main.lock"]);
    assert_eq!(protection(&sharing, "behind"), Some("not guarded"));
}

#[test]
fn relock_taking_a_lock_again_is_no_nesting() {
    let sharing = sharing_of(
        "relock",
        "synchronized void outer() { inner(); }
         synchronized void inner() { synchronized (Main.class) { } }
         public static void main(String[] args) {
             Main it = new Main();
             new Thread(it::outer).start();
             it.outer();
         }",
    );
    let told: Vec<_> = sharing.nested.iter().map(|it| it.inner.as_str()).collect();
    assert_eq!(told, ["Main.class"], "{:?}", sharing.nested);
    assert!(sharing.cycles.is_empty());
}

#[test]
fn notify_and_wait_keep_the_lock_that_they_need() {
    let sharing = sharing_of(
        "notify",
        "boolean ready; int count;
         synchronized void get() throws InterruptedException { while (!ready) wait(); count++; }
         synchronized void put() { ready = true; notifyAll(); count++; }
         public static void main(String[] args) throws InterruptedException {
             Main it = new Main();
             new Thread(it::put).start();
             it.get();
         }",
    );
    assert_eq!(locks(&sharing, "ready"), ["this"]);
    assert_eq!(locks(&sharing, "count"), ["this"]);
}

#[test]
fn unlock_what_follows_is_not_protected() {
    let sharing = sharing_of(
        "unlock",
        "int count;
         void more() { synchronized (this) { count++; } count++; }
         public static void main(String[] args) {
             Main it = new Main();
             new Thread(it::more).start();
             it.more();
         }",
    );
    assert_eq!(
        protection(&sharing, "count"),
        Some("guarded inconsistently")
    );
    let warning = field(&sharing, "count").and_then(|it| it.warning.clone());
    let warning = warning.expect("there is a warning");
    assert!(
        warning.contains("under `this`") && warning.contains("without a lock"),
        "{warning}"
    );
}

/// Figure 4.4: a list to whose head elements are added in a loop.
#[test]
fn figure_4_4_the_list_belongs_to_its_thread_until_it_is_shown() {
    const LIST: &str =
        "static class Element { int i; Element next; Element(int i) { this.i = i; } }
         static Element build() {
             int i = 0; Element p = null;
             while (i < 3) { Element e = new Element(i); e.next = p; p = e; ++i; }
             return p;
         }
         static Element shown;";
    let own = sharing_of(
        "list-own",
        &format!(
            "{LIST} public static void main(String[] args) {{
                 new Thread(() -> {{ build().next.i++; }}).start();
                 build().next.i++;
             }}"
        ),
    );
    assert_eq!(protection(&own, "next"), None);
    assert_eq!(protection(&own, "i"), None);
    // What is written before others can see it is written by the constructor; `next` is not.
    let shown = sharing_of(
        "list-shown",
        &format!(
            "{LIST} public static void main(String[] args) {{
                 shown = build();
                 Runnable read = () -> {{ Element e = shown.next; int i = e.i; }};
                 new Thread(read).start();
                 new Thread(read).start();
             }}"
        ),
    );
    assert_eq!(
        protection(&shown, "i"),
        Some("not written once it is shared")
    );
    assert_eq!(
        protection(&shown, "next"),
        Some("one thread after the other")
    );
}

// Which threads may run at the same time.

#[test]
fn what_is_done_before_the_start_and_after_the_end_of_a_thread_does_not_meet_it() {
    let sharing = sharing_of(
        "start-join",
        "static int count, beside;
         public static void main(String[] args) throws InterruptedException {
             count++;
             Thread other = new Thread(() -> { count++; beside++; });
             other.start();
             beside++;
             other.join();
             count++;
         }",
    );
    assert_eq!(
        protection(&sharing, "count"),
        Some("one thread after the other")
    );
    assert_eq!(protection(&sharing, "beside"), Some("not guarded"));
}

#[test]
fn waiting_for_a_thread_that_another_one_starts_later_is_no_waiting() {
    let sharing = sharing_of(
        "join-early",
        "static int count;
         public static void main(String[] args) throws InterruptedException {
             Thread late = new Thread(() -> { count++; });
             new Thread(late::start).start();
             late.join();
             count++;
         }",
    );
    assert_eq!(protection(&sharing, "count"), Some("not guarded"));
}

#[test]
fn threads_that_a_thread_starts_outlive_it() {
    let sharing = sharing_of(
        "outlive",
        "static int count;
         public static void main(String[] args) throws InterruptedException {
             Thread first = new Thread(() -> new Thread(() -> { count++; }).start());
             first.start();
             first.join();
             count++;
         }",
    );
    assert_eq!(protection(&sharing, "count"), Some("not guarded"));
}

// Which methods are called.

#[test]
fn texts_call_what_their_parts_are_made_with() {
    let sharing = sharing_of(
        "texts",
        "int count;
         public String toString() { count++; return \"\"; }
         record Pair(Main one) { }
         public static void main(String[] args) {
             Main it = new Main();
             new Thread(() -> { String text = \"it is \" + it; }).start();
             String text = new Pair(it).toString();
         }",
    );
    assert_eq!(protection(&sharing, "count"), Some("not guarded"));
}

#[test]
fn tasks_of_an_executor_run_in_its_threads() {
    let sharing = sharing_of(
        "executor",
        "static int count; static final Object lock = new Object(); static int guarded;
         public static void main(String[] args) throws Exception {
             ExecutorService pool = Executors.newFixedThreadPool(2);
             Runnable task = () -> { count++; synchronized (lock) { guarded++; } };
             pool.submit(task);
             pool.submit(task);
             pool.shutdown();
         }",
    );
    assert_eq!(
        protection(&sharing, "count"),
        Some("not guarded"),
        "{}",
        sharing.to_text()
    );
    assert_eq!(locks(&sharing, "guarded"), ["Main.lock"]);
}

#[test]
fn two_lists_are_not_mixed_up() {
    let sharing = sharing_of(
        "lists",
        "static class Box { int value; }
         static class Shown { int value; }
         public static void main(String[] args) {
             List<Shown> shown = new ArrayList<>();
             shown.add(new Shown());
             new Thread(() -> { List<Box> own = new ArrayList<>(); own.add(new Box()); own.get(0).value++; shown.get(0).value++; }).start();
             new Thread(() -> { List<Box> own = new ArrayList<>(); own.add(new Box()); own.get(0).value++; shown.get(0).value++; }).start();
         }",
    );
    let fields: Vec<&str> = sharing.fields.iter().map(|it| it.class.as_str()).collect();
    assert_eq!(fields, ["Main$Shown"], "{}", sharing.to_text());
}

#[test]
fn what_is_not_known_is_said() {
    let reflection = sharing_of(
        "reflection",
        "static int count;
         public static void more() { count++; }
         public static void main(String[] args) throws Exception {
             Main.class.getMethod(\"more\").invoke(null);
         }",
    );
    assert!(
        reflection
            .unknown
            .iter()
            .any(|it| it.contains("reflection")),
        "{:?}",
        reflection.unknown
    );
    let hook = sharing_of(
        "hook",
        "static int count;
         public static void main(String[] args) {
             Runtime.getRuntime().addShutdownHook(new Thread(() -> { count++; }));
             count++;
         }",
    );
    assert!(
        hook.unknown.iter().any(|it| it.contains("shutdown hook")),
        "{:?}",
        hook.unknown
    );
    let handle = sharing_of(
        "handle",
        "static int count;
         public static void main(String[] args) throws Exception {
             var lookup = java.lang.invoke.MethodHandles.lookup();
             var handle = lookup.findStaticVarHandle(Main.class, \"count\", int.class);
             new Thread(() -> { handle.setVolatile(1); }).start();
             count++;
         }",
    );
    assert!(
        handle.unknown.iter().any(|it| it.contains("handle")),
        "{:?}",
        handle.unknown
    );
}

#[test]
fn locks_that_are_taken_in_different_orders_are_told() {
    let sharing = sharing_of(
        "orders",
        "static final Object a = new Object(), b = new Object(), c = new Object();
         static void take(Object one, Object other) { }
         public static void main(String[] args) {
             new Thread(() -> { synchronized (a) { synchronized (b) { } } }).start();
             new Thread(() -> { synchronized (b) { synchronized (c) { } } }).start();
             new Thread(() -> { synchronized (c) { synchronized (a) { } } }).start();
         }",
    );
    assert_eq!(sharing.cycles, [["Main.a", "Main.b", "Main.c"]]);
}

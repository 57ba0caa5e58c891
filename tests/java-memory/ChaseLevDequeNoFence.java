// expect: assertion
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** The deque of Chase and Lev, of a fixed size: one thread takes what it has pushed, others steal. */
public class ChaseLevDequeNoFence {
    static final AtomicIntegerArray tasks = new AtomicIntegerArray(4);
    static final AtomicInteger top = new AtomicInteger(), bottom = new AtomicInteger();
    static final AtomicInteger done = new AtomicInteger();

    static void push(int task) {
        int at = bottom.getPlain();
        tasks.setPlain(at % 4, task);
        bottom.setRelease(at + 1);
    }

    static int take() {
        int at = bottom.getPlain() - 1;
        bottom.setOpaque(at);
        int first = top.getOpaque();
        if (first > at) {
            bottom.setOpaque(at + 1);
            return 0;
        }
        int task = tasks.getPlain(at % 4);
        if (first == at) {
            if (!top.compareAndSet(first, first + 1)) {
                task = 0;
            }
            bottom.setOpaque(at + 1);
        }
        return task;
    }

    static int steal() {
        int first = top.getAcquire();
        VarHandle.fullFence();
        int last = bottom.getAcquire();
        if (first >= last) {
            return 0;
        }
        int task = tasks.getPlain(first % 4);
        return top.compareAndSet(first, first + 1) ? task : 0;
    }

    static int stolen;

    public static void main(String[] args) throws InterruptedException {
        push(1);
        push(2);
        Thread thief = new Thread(() -> stolen = 10 * steal() + steal());
        thief.start();
        int taken = 10 * take() + take();
        thief.join();
        int twos = count(taken, 2) + count(stolen, 2);
        int ones = count(taken, 1) + count(stolen, 1);
        assert ones <= 1 && twos <= 1 : "a task is done twice";
    }

    static int count(int tasks, int task) {
        return (tasks / 10 == task ? 1 : 0) + (tasks % 10 == task ? 1 : 0);
    }
}

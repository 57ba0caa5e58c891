// expect: holds
// race: ClearedReference.data 11 write, 16 read
// What a reference refers to is a field of the library, and clearing it orders nothing.
import java.lang.ref.WeakReference;

public class ClearedReference {
    static int data;

    public static void main(String[] args) {
        WeakReference<Object> gone = new WeakReference<>(new Object());
        Thread other = new Thread(() -> { data = 9;
            gone.clear();
        });
        other.start();
        if (gone.get() == null) {
            assert data == 9;
        }
    }
}

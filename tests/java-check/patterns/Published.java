// expect: exception
// An object is published before its field is set.
public class Published {
    static class Box {
        int[] content;
    }

    static Box box;

    public static void main(String[] args) throws InterruptedException {
        Thread reader = new Thread(() -> {
            Box seen = box;
            if (seen != null && seen.content.length != 3) throw new IllegalStateException(); // <- exception
        });
        reader.start();
        box = new Box();
        box.content = new int[3];
        reader.join();
    }
}

// expect: holds
// race: MissingJoin.result 9 write, 12 read
public class MissingJoin {
    int result;

    public static void main(String[] args) {
        MissingJoin task = new MissingJoin();
        Thread other = new Thread(() -> {
            task.result = 7;
        });
        other.start();
        int seen = task.result;
        assert seen == 0 || seen == 7;
    }
}

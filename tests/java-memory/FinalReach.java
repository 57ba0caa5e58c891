// expect: holds
// model: java
/** What a final field refers to is seen as the constructor has left it. */
public class FinalReach {
    static class Table {
        final int[] entries;

        Table() {
            entries = new int[2];
            entries[1] = 7;
        }
    }

    static Table table;

    public static void main(String[] args) {
        new Thread(() -> table = new Table()).start();
        Table seen = table;
        assert seen == null || seen.entries[1] == 7 : "the entries are not seen";
    }
}

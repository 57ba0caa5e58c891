// expect: fault, race
// States differ in what the program made before its first operation, too, once that is written.
class MadeBefore {
    static class Cell {
        int value;
    }
    static void add(Cell cell) {
        cell.value++;
    }
    public static void main(String[] args) throws InterruptedException {
        Cell[] cells = new Cell[1500];
        for (int i = 0; i < cells.length; i++) cells[i] = new Cell();
        Thread other = new Thread(() -> add(cells[700]));
        other.start();
        add(cells[700]);
        other.join();
        assert cells[700].value == 2;
    }
}

/** A buffer of characters all of whose methods are synchronized, after StringBuffer of Java 1.4. */
final class Append {
    private char[] value = new char[8];
    private int count;

    synchronized int length() {
        return count;
    }

    synchronized void getChars(int end, char[] into, int at) {
        if (end > count) {
            throw new StringIndexOutOfBoundsException(end);
        }
        System.arraycopy(value, 0, into, at, end);
    }

    synchronized void setLength(int length) {
        count = length;
    }

    synchronized void append(Append other) {
        int length = other.length();
        // Here the other one can become shorter.
        other.getChars(length, value, count);
        count += length;
    }

    public static void main(String[] arguments) {
        Append first = new Append();
        Append second = new Append();
        second.setLength(3);
        new Thread(() -> second.setLength(0)).start();
        first.append(second);
    }
}

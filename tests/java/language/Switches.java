/** Dense, sparse and degenerate switches over int, char, string, enum, with fall-through. */
public class Switches {
    enum Colour { RED, GREEN, BLUE, BLACK }

    static String dense(int n) {
        switch (n) {
            case -1: return "minus";
            case 0: return "zero";
            case 1: case 2: return "few";
            case 4: return "four";
            default: return "many";
            case 6: return "six";
        }
    }

    static int sparse(int n) {
        int r = 0;
        switch (n) {
            case Integer.MIN_VALUE: r += 1;
            case -1000: r += 2; break;
            case 0: r += 4;
            default: r += 8;
            case 1000000: r += 16;
                break;
            case Integer.MAX_VALUE: r += 32;
        }
        return r;
    }

    static int strings(String s) {
        return switch (s) {
            case "Aa", "other" -> 1;
            case "BB" -> 2; // the same hash code as "Aa"
            case "" -> 3;
            case "C#" -> { int k = s.length(); yield k * 10; }
            default -> -1;
        };
    }

    static String enums(Colour c) {
        String r = "";
        switch (c) {
            case GREEN: r += "g";
            case RED: r += "r"; break;
            case BLACK: return "none";
            default: r += "?";
        }
        return r;
    }

    static char chars(char c) {
        return switch (c) {
            case 'a', 'e', 'i', 'o', 'u' -> 'v';
            case '\uffff' -> 'x';
            default -> Character.isDigit(c) ? 'd' : 'c';
        };
    }

    public static void main(String[] args) {
        for (int i = -2; i < 8; i++) System.out.print(dense(i) + " ");
        System.out.println(dense(Integer.MAX_VALUE) + dense(Integer.MIN_VALUE));
        for (int i : new int[] {Integer.MIN_VALUE, -1000, 0, 1, 1000000, Integer.MAX_VALUE}) System.out.print(sparse(i) + " ");
        System.out.println();
        for (String s : new String[] {"Aa", "BB", "other", "", "C#", "Bb", "B\u0042"}) System.out.print(strings(s) + " ");
        System.out.println();
        for (Colour c : Colour.values()) System.out.print(enums(c) + " ");
        System.out.println();
        for (char c : "ab1\uffff".toCharArray()) System.out.print(chars(c));
        System.out.println();
        Integer boxed = 3;
        switch (boxed) { case 3 -> System.out.println("three"); default -> System.out.println("no"); }
        try {
            System.out.println(strings(null));
        } catch (NullPointerException e) {
            System.out.println("null string");
        }
        try {
            System.out.println(enums(null));
        } catch (NullPointerException e) {
            System.out.println("null enum");
        }
        switch (args.length) { }
        switch (args.length) { default: System.out.println("only default"); }
        byte b = -128;
        switch (b) { case -128: System.out.println("byte"); break; case 127: System.out.println("no"); }
        int sum = 0;
        loop:
        for (int i = 0; ; i++) {
            switch (i % 5) {
                case 0: continue loop;
                case 3: sum += 100; break;
                case 4: if (i > 20) break loop;
                default: sum += i;
            }
        }
        System.out.println(sum);
    }
}

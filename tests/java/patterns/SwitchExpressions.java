/** Switch expressions with yield, nested, in arguments, with try and throw. */
public class SwitchExpressions {
    enum Level { LOW, MID, HIGH }
    static int days(int month, boolean leap) {
        return switch (month) {
            case 4, 6, 9, 11 -> 30;
            case 2 -> leap ? 29 : 28;
            case 1, 3, 5, 7, 8, 10, 12 -> 31;
            default -> throw new IllegalArgumentException("month " + month);
        };
    }
    static String old(int n) {
        String r = switch (n) {
            case 0:
            case 1:
                yield "small";
            case 2:
                String t = "t";
                for (int i = 0; i < 3; i++) { if (i == 2) break; t += i; }
                yield t;
            default: {
                try { yield "" + 10 / (n - 3); } catch (ArithmeticException e) { yield "div"; } finally { System.out.print("f "); }
            }
        };
        return r;
    }
    static int weight(Level l) { return switch (l) { case LOW -> 1; case MID -> 10; case HIGH -> 100; }; }
    static long mixed(String s) { return switch (s.length()) { case 0 -> 1; case 1 -> 'a'; case 2 -> 2L; default -> (byte) s.length(); }; }
    static Object boxed(int k) { return switch (k) { case 0 -> 1; case 1 -> 2.5; default -> 3L; }; }
    static Object objects(int k) { return switch (k) { case 0 -> "s"; case 1 -> 2.5; default -> 'c'; }; }

    public static void main(String[] args) {
        int sum = 0;
        for (int m = 1; m <= 12; m++) sum += days(m, m % 2 == 0);
        System.out.println(sum);
        try { days(13, false); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        for (int n = 0; n < 6; n++) System.out.print(old(n) + " ");
        System.out.println();
        for (Level l : Level.values()) System.out.print(weight(l) + " ");
        System.out.println(mixed("") + " " + mixed("x") + " " + mixed("xy") + " " + mixed("long string") + " " + boxed(0) + boxed(1) + boxed(2) + objects(0) + objects(1) + objects(2));
        int x = 3;
        int y = x + switch (x) { case 3 -> { int z = x * 2; yield z + switch (z) { case 6 -> 100; default -> 0; }; } default -> 0; } * 2;
        System.out.println(y);
        System.out.println(Math.max(switch (x) { case 1 -> 5; default -> 9; }, switch ("k") { case "k" -> 11; default -> 0; }));
        boolean b = switch (x % 2) { case 0 -> true; default -> false; } || x == 3;
        if (switch (x) { case 3 -> b; default -> false; }) System.out.println("condition");
        switch (x) { case 1 -> System.out.println("one"); case 3 -> { System.out.println("three"); x = 4; } default -> { } }
        Runnable r = switch (x) { case 4 -> () -> System.out.println("chosen"); default -> null; };
        r.run();
        outer:
        for (int i = 0; ; i++) { switch (i) { case 0, 1 -> { continue outer; } case 5 -> { break outer; } default -> System.out.print(i + " "); } }
        System.out.println(weightOrNull(null));
    }
    static String weightOrNull(Level l) { try { return "" + weight(l); } catch (NullPointerException e) { return "null level"; } }
}

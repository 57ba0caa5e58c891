/** Switches over types with guards, sealed exhaustiveness, null, enums and constants mixed. */
public class PatternSwitch {
    sealed interface Shape permits Circle, Square, Rect { } record Circle(double r) implements Shape { } record Square(double s) implements Shape { } record Rect(double w, double h) implements Shape { }
    enum Suit { CLUBS, HEARTS } sealed interface Card permits Face, Joker { } enum Face implements Card { KING, QUEEN } record Joker(int n) implements Card { }
    static double area(Shape s) { return switch (s) { case Circle c -> Math.PI * c.r() * c.r(); case Square q -> q.s() * q.s(); case Rect(double w, double h) -> w * h; }; }
    static String num(Object o) { return switch (o) { case Integer i when i > 100 -> "big"; case Integer i when i < 0 -> "negative"; case Integer i -> "int " + i; case Long l -> "long " + l; case Double d when d.isNaN() -> "nan"; case Number n -> "number " + n.intValue(); case String s when s.isEmpty() -> "empty"; case String s -> s.toUpperCase(); case Character c -> "" + (char) (c + 1); case Suit s when s == Suit.HEARTS -> "red"; case Suit s -> "suit"; case Class<?> c -> c.getSimpleName(); default -> "?"; }; }
    static String str(String s) { return switch (s) { case null -> "null!"; case "a", "b" -> "letter"; case String t when t.length() > 5 -> "long"; case "exact" -> "exact"; default -> "default"; }; }
    static String boxed(Integer i) { return switch (i) { case 1 -> "one"; case 2 -> "two"; case Integer j when j > 10 -> "many"; case Integer j -> "few"; }; }
    static int card(Card c) { return switch (c) { case Face.KING -> 13; case Face.QUEEN -> 12; case Joker(int n) -> n; }; }
    static void old(Object o) { switch (o) { case String s: System.out.print("s" + s + " "); break; case Integer i when i == 5: System.out.print("five "); default: System.out.print("fall "); } }
    static String nullOrDefault(Object o) { return switch (o) { case Integer i -> "i"; case null, default -> "nd"; }; }
    public static void main(String[] args) {
        System.out.println(area(new Circle(1)) + " " + area(new Square(3)) + " " + area(new Rect(2, 2.5)));
        for (Object o : new Object[] {500, -1, 5, 6L, Double.NaN, 2.9, 1.5f, "", "abc", 'x', Suit.CLUBS, Suit.HEARTS, String.class, new Object()}) System.out.print(num(o) + " ");
        System.out.println();
        for (String s : new String[] {null, "a", "b", "lengthy", "exact", "zz"}) System.out.print(str(s) + " ");
        for (int i : new int[] {1, 2, 3, 30}) System.out.print(boxed(i) + " ");
        System.out.println(card(Face.KING) + card(Face.QUEEN) + card(new Joker(5)));
        old("x"); old(5); old(6);
        System.out.println(nullOrDefault(null) + nullOrDefault(1) + nullOrDefault(""));
        try { num(null); } catch (NullPointerException e) { System.out.println("npe"); }
        int count = 0;
        for (Object o : new Object[] {1, "two", 3.0}) { switch (o) { case Integer i -> count += i; case String s -> { count += s.length(); continue; } default -> { } } count *= 10; }
        System.out.println(count);
    }
}

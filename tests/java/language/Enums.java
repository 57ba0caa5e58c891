import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

/** Enums with bodies, fields, abstract methods, static lookups and their library classes. */
public class Enums {
    enum Planet {
        MERCURY(3.303e+23, 2.4397e6), EARTH(5.976e+24, 6.37814e6), JUPITER(1.9e+27, 7.1492e7);
        private final double mass, radius;
        Planet(double mass, double radius) { this.mass = mass; this.radius = radius; }
        double gravity() { return 6.67300E-11 * mass / (radius * radius); }
    }
    enum Op {
        PLUS("+") { int apply(int a, int b) { return a + b; } },
        MINUS("-") { int apply(int a, int b) { return a - b; } },
        TIMES("*") { int apply(int a, int b) { return a * b; } @Override public String toString() { return "times"; } };
        private static final Map<String, Op> BY_SYMBOL = new java.util.HashMap<>();
        static { for (Op op : values()) BY_SYMBOL.put(op.symbol, op); }
        final String symbol;
        Op(String s) { symbol = s; }
        abstract int apply(int a, int b);
        static Op of(String s) { return BY_SYMBOL.get(s); }
    }
    enum Single { INSTANCE; int n; int next() { return ++n; } }
    enum Empty { }
    enum Day { MON, TUE, WED, THU, FRI, SAT, SUN; Day next() { return values()[(ordinal() + 1) % values().length]; } }

    public static void main(String[] args) {
        for (Planet p : Planet.values()) System.out.printf("%s %.4f%n", p, p.gravity());
        for (String s : "+ - * /".split(" ")) {
            Op op = Op.of(s);
            System.out.println(op + " " + (op == null ? "none" : op.apply(6, 7) + op.name() + op.getClass().getName() + op.getDeclaringClass().getName()));
        }
        Single.INSTANCE.next();
        System.out.println(Single.valueOf("INSTANCE").next() + " " + Empty.values().length);
        try {
            Day.valueOf("MOON");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Day.valueOf(null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Day.SUN.next() + " " + Day.FRI.compareTo(Day.MON) + " " + Day.MON.equals(Day.MON) + " " + Enum.valueOf(Day.class, "WED").ordinal());
        EnumSet<Day> weekend = EnumSet.of(Day.SUN, Day.SAT);
        System.out.println(weekend + " " + EnumSet.complementOf(weekend) + " " + EnumSet.range(Day.TUE, Day.THU) + EnumSet.noneOf(Day.class));
        EnumMap<Day, Integer> map = new EnumMap<>(Day.class);
        map.put(Day.WED, 3);
        map.put(Day.MON, 1);
        map.merge(Day.WED, 10, Integer::sum);
        map.put(Day.FRI, null);
        System.out.println(map + " " + map.containsKey(Day.FRI) + map.containsKey(Day.SAT) + " " + map.keySet());
        Day[] values = Day.values();
        values[0] = null;
        System.out.println(Day.values()[0] + " " + Arrays.toString(Day.class.getEnumConstants()));
        System.out.println(Op.PLUS instanceof Comparable<?> ? "comparable" : "");
        Arrays.sort(values, 1, 7, (a, b) -> b.compareTo(a));
        System.out.println(Arrays.toString(values));
    }
}

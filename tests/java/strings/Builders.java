/** StringBuilder and StringBuffer: insert, delete, replace, capacity, reverse. */
public class Builders {
    public static void main(String[] args) {
        StringBuilder b = new StringBuilder();
        b.append(1).append('c').append(2L).append(3.5f).append(4.25).append(true).append((String) null).append((Object) null).append(new char[] {'x', 'y'}).append("abcdef", 2, 4).append(new char[] {'1', '2', '3'}, 1, 2).append(new StringBuilder("sb")).append(new StringBuffer("bf"));
        System.out.println(b + " " + b.length());
        b.insert(0, "start").insert(3, 99).insert(b.length(), 'e').insert(2, 1.5).insert(1, (Object) null).insert(4, new char[] {'!', '?'}).insert(0, true);
        System.out.println(b);
        b.delete(0, 4).deleteCharAt(0).replace(2, 5, "REPLACED").replace(b.length() - 2, 9999, "END");
        System.out.println(b + " " + b.indexOf("REP") + " " + b.lastIndexOf("l") + " " + b.indexOf("nope") + " " + b.charAt(3) + " " + b.substring(3, 6) + " " + b.subSequence(0, 2));
        System.out.println(new StringBuilder("racecar").reverse().toString().equals("racecar") + " " + new StringBuilder("abc").reverse() + " " + new StringBuilder("x").compareTo(new StringBuilder("y")) + " " + new StringBuilder("a").equals(new StringBuilder("a")));
        System.out.println(new StringBuilder().capacity() + " " + new StringBuilder("abc").capacity() + " " + new StringBuilder(5).append("123456").capacity() + " " + new StringBuilder().append("x".repeat(17)).capacity());
        StringBuilder z = new StringBuilder("abc");
        z.setLength(5);
        System.out.println(z.length() + " " + (int) z.charAt(4) + " " + z.toString().replace('\0', '0'));
        z.setLength(1);
        z.setCharAt(0, 'Q');
        System.out.println(z + " " + z.isEmpty() + " " + z.chars().sum());
        Runnable[] bad = {() -> z.charAt(1), () -> z.insert(2, "x"), () -> z.delete(3, 4), () -> z.setLength(-1), () -> z.deleteCharAt(1), () -> z.replace(2, 1, ""), () -> z.substring(-1)};
        for (Runnable r : bad) try { r.run(); System.out.println("fine"); } catch (IndexOutOfBoundsException e) { System.out.println(e.getClass().getSimpleName()); }
        StringBuffer f = new StringBuffer("buffer");
        f.append(1).reverse().insert(1, "--").deleteCharAt(0);
        System.out.println(f + " " + f.length());
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 5000; i++) { many.append(i % 7 == 0 ? "x" : i); if (i % 3 == 0) many.setLength(many.length() - 1); if (i % 100 == 0) many.insert(many.length() / 2, i); }
        System.out.println(many.length() + " " + many.toString().hashCode());
        char[] dst = new char[6];
        "abcdefgh".getChars(2, 6, dst, 1);
        dst[0] = '<'; dst[5] = '>';
        System.out.println(dst);
        System.out.println(new java.util.StringJoiner(", ", "{", "}").add("a").add("b") + "" + new java.util.StringJoiner(",", "[", "]").setEmptyValue("none"));
        CharSequence cs = "chars";
        System.out.println(cs.charAt(1) + CharSequence.compare("a", "b") + cs.toString() + cs.isEmpty());
    }
}

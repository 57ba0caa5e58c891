import java.util.Arrays;

/** The everyday methods of String, at their edges. */
public class Methods {
    public static void main(String[] args) {
        String s = "  Hello, World  ";
        System.out.println("[" + s.trim() + "][" + s.strip() + "][" + s.stripLeading() + "][" + s.stripTrailing() + "]" + s.isBlank() + "   ".isBlank() + "".isEmpty() + s.length());
        System.out.println(s.indexOf('o') + " " + s.indexOf('o', 7) + " " + s.lastIndexOf("o") + " " + s.indexOf("zz") + " " + s.indexOf("") + " " + s.indexOf("", 99) + " " + s.lastIndexOf('o', 5) + " " + "aaa".indexOf("aa", 1) + " " + s.indexOf('H', -5));
        System.out.println("abc".compareTo("abd") + " " + "abc".compareTo("ab") + " " + "".compareTo("a") + " " + "ABC".compareToIgnoreCase("abd") + " " + "a".equalsIgnoreCase("A") + " " + "a".equals(null) + " " + "apple".compareTo("Banana"));
        System.out.println("a,b,,c,,".split(",").length + Arrays.toString("a,b,,c,,".split(",", -1)) + Arrays.toString("a1b22c".split("\\d+")) + Arrays.toString("".split(",")) + Arrays.toString("abc".split("")) + Arrays.toString("a:b:c".split(":", 2)) + Arrays.toString(",a".split(",")) + Arrays.toString(",".split(",")) + Arrays.toString("a.b|c".split("[.|]")));
        System.out.println("banana".replace('a', 'o') + "banana".replace("an", "<>") + "banana".replaceAll("a(n)", "$1A") + "banana".replaceFirst("a", "\\$") + "aaa".replace("aa", "b") + "abc".replace("", "-"));
        System.out.println("ab".repeat(3) + "x".repeat(0) + "|" + String.join("-", "a", "b", "c") + String.join("/", Arrays.asList("p", "q")) + " " + "abc".concat("def") + " " + "hamburger".substring(4, 8) + "x".substring(1) + "abc".subSequence(0, 2));
        System.out.println("Hello".startsWith("He") + " " + "Hello".startsWith("l", 2) + " " + "Hello".endsWith("") + " " + "Hello".contains("ell") + " " + "Hello".matches("H.*o") + " " + "Hello".regionMatches(true, 1, "xELL", 1, 3) + " " + "abc".contentEquals(new StringBuilder("abc")));
        System.out.println("MiXeD".toLowerCase() + "MiXeD".toUpperCase() + " " + "stra\u00dfe".toUpperCase() + " " + "abc".charAt(1) + "abc".codePointAt(2) + " " + Arrays.toString("a\tb".getBytes()) + Arrays.toString("abc".toCharArray()));
        System.out.println("".hashCode() + " " + "a".hashCode() + " " + "Hello".hashCode() + " " + "polygenelubricants".hashCode() + " " + "Aa".hashCode() + "BB".hashCode() + " " + "\u4e2d\u6587".hashCode());
        System.out.println(String.valueOf((Object) null) + String.valueOf(true) + String.valueOf('c') + String.valueOf(1.5f) + String.valueOf(new char[] {'x', 'y', 'z'}, 1, 2) + String.copyValueOf(new char[] {'q'}) + new String(new char[] {'n', 'w'}) + new String(new int[] {97, 98}, 0, 2) + new String("abcd".getBytes(), 1, 2));
        String a = "inter", b = a + "ned";
        System.out.println((b == "interned") + " " + (b.intern() == "interned") + " " + ("inter" + "ned" == "interned") + " " + (new String("x") == "x") + " " + (new String("x").intern() == "x"));
        System.out.println("a\nb\r\nc".lines().toList() + " " + "abc".chars().sum() + " " + "  x\n y".indent(2).replace("\n", "$") + "   a\n  b".stripIndent().replace("\n", "$") + "a\\tb".translateEscapes() + " " + "x".transform(t -> t + "!") + " " + "%d%%".formatted(5));
        for (String t : new String[] {"a", "", "ab"}) System.out.print(t.describeConstable().get() + "|" + t.chars().mapToObj(c -> "" + (char) c).toList() + " ");
        System.out.println("x".equals("x".strip()) + " " + ("x".strip() == "x") + " " + ("abc".substring(0) == "abc") + " " + String.CASE_INSENSITIVE_ORDER.compare("A", "b"));
    }
}

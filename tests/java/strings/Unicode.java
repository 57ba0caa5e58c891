import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Compact and UTF-16 strings, surrogates, code points, encodings. Output stays ASCII. */
public class Unicode {
    static String esc(String s) { StringBuilder b = new StringBuilder(); for (char c : s.toCharArray()) if (c < 127 && c > 31) b.append(c); else b.append(String.format("\\u%04x", (int) c)); return b.toString(); }

    public static void main(String[] args) {
        String[] all = {"ascii", "caf\u00e9", "\u00ff\u0100", "\u4e2d\u6587", "a\ud83d\ude00b", "\ud800", "\udc00x", "", "\u0000z"};
        for (String s : all) {
            System.out.println(esc(s) + " " + s.length() + " " + s.codePointCount(0, s.length()) + " " + s.hashCode() + " " + Arrays.toString(s.codePoints().toArray()) + " " + Arrays.toString(s.getBytes(StandardCharsets.UTF_8)) + " " + Arrays.toString(s.getBytes(StandardCharsets.ISO_8859_1)) + " " + s.getBytes(StandardCharsets.UTF_16BE).length + " " + s.getBytes(StandardCharsets.UTF_16).length + " " + Arrays.toString(s.getBytes(StandardCharsets.US_ASCII)));
            System.out.println("  " + esc(new StringBuilder(s).reverse().toString()) + " " + esc(s.toUpperCase()) + " " + esc(s + s) + " " + s.equals(new String(s.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)) + " " + s.equals(new String(s.toCharArray())) + " " + (s + "\u1234").startsWith(s) + " " + ("\u1234" + s).indexOf(s));
        }
        String mixed = "abc\u4e2d";
        System.out.println(mixed.substring(0, 3).equals("abc") + " " + mixed.substring(0, 3).hashCode() + " " + mixed.replace('\u4e2d', 'd').equals("abcd") + " " + "abcd".replace('d', '\u4e2d').equals(mixed) + " " + mixed.compareTo("abcd") + " " + "abcd".compareTo(mixed) + " " + mixed.indexOf('\u4e2d') + " " + mixed.contains("c\u4e2d") + " " + "abc".indexOf("\u4e2d"));
        String smile = new String(Character.toChars(0x1F600));
        System.out.println(smile.length() + " " + smile.codePointAt(0) + " " + smile.codePointAt(1) + " " + smile.codePointBefore(2) + " " + ("x" + smile).offsetByCodePoints(0, 2) + " " + smile.indexOf(0x1F600) + " " + ("ab" + smile).lastIndexOf(0x1F600) + " " + smile.isBlank());
        StringBuilder b = new StringBuilder("abc");
        b.append('\u00e9').append(smile).appendCodePoint(0x10FFFF).insert(1, '\u4e2d').setCharAt(0, 'Z');
        b.deleteCharAt(1).delete(5, 7).setLength(6);
        System.out.println(esc(b.toString()) + " " + b.length());
        byte[] bad = {'a', (byte) 0xC3, 'b', (byte) 0xE4, (byte) 0xB8, (byte) 0xFF, (byte) 0xF0, (byte) 0x9F};
        System.out.println(esc(new String(bad, StandardCharsets.UTF_8)) + " " + esc(new String(bad, StandardCharsets.ISO_8859_1)) + " " + esc(new String(new byte[] {(byte) 0xFE, (byte) 0xFF, 0x4e, 0x2d}, StandardCharsets.UTF_16)));
        System.out.println(esc("\u0130I\u03a3".toLowerCase(java.util.Locale.ROOT)) + " " + esc("\u00df\ufb01\u0149".toUpperCase(java.util.Locale.ROOT)) + " " + "\u212a".equalsIgnoreCase("k") + " " + esc("\u00a0x\u2003".strip()) + " " + esc("\u00a0x\u2003".trim()) + " " + esc("\t\u0001x ".trim()));
    }
}

/** Characters as numbers, and what the library says of them. */
public class CharArithmetic {
    static String caesar(String s, int k) {
        StringBuilder b = new StringBuilder();
        for (char c : s.toCharArray()) {
            if (c >= 'a' && c <= 'z') c = (char) ((c - 'a' + k + 26) % 26 + 'a');
            else if (Character.isUpperCase(c)) c = (char) ('A' + (c - 'A' + k + 26) % 26);
            b.append(c);
        }
        return b.toString();
    }
    public static void main(String[] args) {
        System.out.println(caesar("Hello, World", 3) + " " + caesar(caesar("Zebra xyz", 7), -7));
        char c = 'A';
        c += 1; c++; ++c;
        System.out.println(c + " " + (c + 1) + " " + (char) (c + 1) + " " + c-- + --c + " " + -c + " " + ~c + " " + c * 2 + " " + (c << 9) + " " + (char) (c << 9 >>> 9));
        int[] counts = new int[128];
        for (char x : "mississippi river".toCharArray()) counts[x]++;
        for (char x = 0; x < 128; x++) if (counts[x] > 0) System.out.print(x + "" + counts[x] + " ");
        System.out.println();
        int[] points = {'a', 'Z', '5', ' ', '_', '$', '\n', 0xE9, 0xDF, 0x130, 0x3A3, 0x416, 0x4E2D, 0x661, 0x1F600, 0x10400, 0x2028, 0xD800, 0xFFFF, 0x10FFFF, 0};
        for (int p : points)
            System.out.println(Integer.toHexString(p) + " " + Character.isLetter(p) + Character.isDigit(p) + Character.isWhitespace(p) + Character.isSpaceChar(p) + Character.isUpperCase(p) + Character.isJavaIdentifierStart(p) + Character.isAlphabetic(p) + " " + Character.getType(p) + " " + Integer.toHexString(Character.toUpperCase(p)) + " " + Integer.toHexString(Character.toLowerCase(p)) + " " + Character.charCount(p) + Character.isSurrogate((char) p) + Character.getNumericValue(p));
        System.out.println((int) Character.highSurrogate(0x1F600) + " " + (int) Character.lowSurrogate(0x1F600) + " " + Character.toCodePoint('\uD83D', '\uDE00') + " " + Character.toChars(0x1F600).length + " " + Character.compare('a', 'b') + " " + Character.valueOf('x').hashCode() + " " + Character.toString(97) + Character.MAX_VALUE / 2);
        Character boxed = 'x';
        boxed++;
        int sum = boxed + 1;
        System.out.println(boxed + " " + sum + " " + boxed.equals('y') + " " + (boxed == 'y') + " " + boxed.compareTo('a') + " " + (char) 0x263A % 7);
        switch (boxed) { case 'y': System.out.println("y"); }
    }
}

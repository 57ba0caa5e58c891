/** Characters and bytes: Vigenere, XOR, hexadecimal, rot13, checksums. */
public class Ciphers {
    static String vigenere(String s, String k, int sign) { StringBuilder b = new StringBuilder(); for (int i = 0; i < s.length(); i++) b.append((char) ((s.charAt(i) - 'A' + sign * (k.charAt(i % k.length()) - 'A') + 26) % 26 + 'A')); return b.toString(); }
    static String hex(byte[] bs) { StringBuilder b = new StringBuilder(); for (byte x : bs) b.append(Character.forDigit(x >> 4 & 15, 16)).append(Character.forDigit(x & 15, 16)); return b.toString(); }
    public static void main(String[] args) {
        String c = vigenere("ATTACKATDAWN", "LEMON", 1);
        System.out.println(c + " " + vigenere(c, "LEMON", -1));
        byte[] b = "secret".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        for (int i = 0; i < b.length; i++) b[i] ^= (byte) (0xA5 + i * 17);
        System.out.println(hex(b));
        int luhn = 0; String card = "4539578763621486"; for (int i = 0; i < card.length(); i++) { int d = card.charAt(card.length() - 1 - i) - '0'; if (i % 2 == 1 && (d *= 2) > 9) d -= 9; luhn += d; }
        System.out.println(luhn % 10 == 0);
    }
}

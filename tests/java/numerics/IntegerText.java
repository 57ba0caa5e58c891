/** Integers to text and back, in every radix, signed and unsigned. */
public class IntegerText {
    public static void main(String[] args) {
        int[] is = {0, 1, -1, 9, 10, 99, 100, 12345, -98765, 255, 65536, Integer.MAX_VALUE, Integer.MIN_VALUE, 0xCAFEBABE};
        for (int i : is) {
            System.out.println(i + " " + Integer.toHexString(i) + " " + Integer.toOctalString(i) + " " + Integer.toBinaryString(i) + " " + Integer.toString(i, 36) + " " + Integer.toString(i, 3) + " " + Integer.toUnsignedString(i) + " " + Integer.toString(i, 99));
            for (int r = 2; r <= 36; r++) if (Integer.parseInt(Integer.toString(i, r), r) != i) System.out.println("wrong " + i + " " + r);
            if (Integer.parseUnsignedInt(Integer.toUnsignedString(i, 7), 7) != i) System.out.println("wrong " + i);
        }
        long[] ls = {0, -1, 10, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32, -(1L << 40), 999999999999L, 0xCAFEBABECAFEBABEL};
        for (long l : ls) {
            System.out.println(l + " " + Long.toHexString(l) + " " + Long.toOctalString(l) + " " + Long.toBinaryString(l).length() + " " + Long.toString(l, 36) + " " + Long.toUnsignedString(l) + " " + Long.hashCode(l));
            if (Long.parseLong(Long.toString(l, 13), 13) != l || Long.parseUnsignedLong(Long.toUnsignedString(l)) != l) System.out.println("wrong " + l);
        }
        String[] texts = {"0", "-0", "+7", "2147483647", "2147483648", "-2147483648", "-2147483649", "", "-", "+", "1 ", "0x10", "\u0663", "99999999999999999999", "12a"};
        for (String s : texts) {
            String r;
            try { r = "" + Integer.parseInt(s); } catch (NumberFormatException e) { r = e.getClass().getSimpleName(); }
            try { r += " " + Long.parseLong(s); } catch (NumberFormatException e) { r += " none"; }
            System.out.println((int) s.chars().sum() + " " + r);
        }
        for (String s : new String[] {"0x1F", "#ff", "-010", "0", "-0X7fffffff"}) System.out.print(Integer.decode(s) + " ");
        System.out.println(Integer.valueOf("77") + Integer.parseInt("zz", 36) + Integer.parseInt("abc12def", 3, 5, 10));
        System.out.println(Byte.parseByte("-128") + " " + Short.parseShort("7fff", 16) + " " + Byte.toString((byte) 200) + " " + Byte.toUnsignedInt((byte) -1) + " " + Short.toUnsignedInt((short) -1) + " " + Character.getNumericValue('z') + Character.digit('f', 16) + Character.forDigit(11, 16));
        System.out.println(Integer.divideUnsigned(-1, 2) + " " + Integer.remainderUnsigned(-1, 7) + " " + Integer.compareUnsigned(-1, 1) + " " + Long.divideUnsigned(-1, 10) + " " + Long.remainderUnsigned(-1, 10) + " " + Long.compareUnsigned(Long.MIN_VALUE, 1));
        System.out.println(Integer.getInteger("no.such.property") + " " + Boolean.parseBoolean("TRUE") + Boolean.parseBoolean("yes"));
        try { Byte.parseByte("128"); } catch (NumberFormatException e) { System.out.println(e.getMessage()); }
    }
}

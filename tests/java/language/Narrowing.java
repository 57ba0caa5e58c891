/** Compound assignment narrows silently; increments of small types wrap. */
public class Narrowing {
    static byte staticByte = 127;
    short fieldShort = Short.MAX_VALUE;
    char fieldChar = 0;

    public static void main(String[] args) {
        byte b = 127;
        b++;
        System.out.println(b);
        b += 200;
        System.out.println(b);
        b *= 2.7;
        System.out.println(b);
        b >>>= 1;
        System.out.println(b);
        b = (byte) 0x80;
        b >>= 1;
        System.out.println(b);
        b = -1;
        b >>>= 28;
        System.out.println(b);
        char c = 'a';
        c += 1.9;
        System.out.println(c);
        c++;
        System.out.println(c-- + " " + (int) c + " " + (c + 1) + " " + (char) (c + 1));
        c = 0;
        c--;
        System.out.println((int) c);
        short s = (short) 40000;
        System.out.println(s);
        s /= 3;
        s ^= 0xFFFF;
        System.out.println(s);
        int i = 5;
        i += 3.99f;
        i -= 1e20;
        System.out.println(i);
        i = 1;
        i += 1e20;
        System.out.println(i);
        long l = Long.MAX_VALUE;
        l += 1.0f;
        System.out.println(l);
        l <<= 65;
        System.out.println(l);
        i = 10;
        i <<= 33L;
        System.out.println(i);
        System.out.println(staticByte++ + " " + staticByte + " " + --staticByte);
        Narrowing n = new Narrowing();
        n.fieldShort++;
        n.fieldChar -= 2;
        System.out.println(n.fieldShort + " " + (int) n.fieldChar);
        byte[] bytes = {1, 2, 3};
        int k = 0;
        bytes[k++] += 300;
        bytes[k++] <<= 7;
        bytes[k] |= 0xF0;
        System.out.println(bytes[0] + " " + bytes[1] + " " + bytes[2] + " " + k);
        System.out.println((byte) 300 + " " + (short) 70000 + " " + (int) (char) -1 + " " + (byte) (char) 200 + " " + (char) 97 + (int) 'b');
        System.out.println((byte) 3.7e5 + " " + (short) -1e10 + " " + (int) (char) -5.5 + " " + (int) (long) 1e15);
        boolean flag = true;
        flag &= false | true;
        flag ^= true;
        System.out.println(flag);
    }
}

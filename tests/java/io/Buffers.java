import java.nio.*;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Byte buffers: order, position, views, slices, errors. */
public class Buffers {
    public static void main(String[] args) {
        ByteBuffer b = ByteBuffer.allocate(32);
        b.putInt(0x01020304).putLong(-5L).put((byte) 9).putDouble(2.5).putShort((short) -2).putChar('q');
        System.out.println(b + " " + Arrays.hashCode(b.array()));
        b.flip();
        System.out.println(b.getInt() + " " + b.getLong() + " " + b.get() + " " + b.getDouble() + " " + b.getShort() + b.getChar() + b.remaining() + b.hasRemaining());
        try { b.get(); } catch (BufferUnderflowException e) { System.out.println("underflow"); }
        b.clear().order(ByteOrder.LITTLE_ENDIAN).putInt(0, 0x01020304);
        System.out.println(b.get(0) + " " + b.order() + " " + b.order(ByteOrder.BIG_ENDIAN).getInt(0));
        IntBuffer ints = ByteBuffer.allocate(16).asIntBuffer();
        ints.put(new int[] {1, 2, 3});
        System.out.println(ints.position() + " " + ints.flip().get(2) + " " + ints.limit());
        ByteBuffer w = ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6}, 1, 4);
        ByteBuffer s = w.slice();
        s.put(0, (byte) 99);
        w.mark(); w.get(); w.reset();
        System.out.println(w.get() + " " + w.array()[1] + s.capacity() + w.compact().position() + w.duplicate().equals(w) + w.asReadOnlyBuffer().isReadOnly());
        try { w.asReadOnlyBuffer().put((byte) 1); } catch (ReadOnlyBufferException e) { System.out.println("read only"); }
        try { b.position(99); } catch (IllegalArgumentException e) { System.out.println("position"); }
        CharBuffer c = StandardCharsets.UTF_8.decode(ByteBuffer.wrap("h\u00e9llo".getBytes(StandardCharsets.UTF_8)));
        System.out.println(c.length() + " " + (int) c.charAt(1) + " " + StandardCharsets.UTF_8.encode("\u4e2d").remaining() + CharBuffer.wrap("view").subSequence(1, 3));
        LongBuffer l = LongBuffer.wrap(new long[] {1L << 40, 2});
        System.out.println(l.get() + l.get() + " " + ByteBuffer.wrap(new byte[] {1}).compareTo(ByteBuffer.wrap(new byte[] {2})) + " " + ByteBuffer.wrap(new byte[] {1, 2}).hashCode());
        StringBuilder hex = new StringBuilder();
        for (byte x : ByteBuffer.allocate(8).putFloat(1f).putFloat(-0f).array()) hex.append(String.format("%02x", x));
        System.out.println(hex);
    }
}

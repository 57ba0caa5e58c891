import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Byte and character streams in memory. */
public class Streams {
    static class Upper extends FilterReader { Upper(Reader r) { super(r); } @Override public int read(char[] b, int o, int n) throws IOException { int k = super.read(b, o, n); for (int i = 0; i < k; i++) b[o + i] = Character.toUpperCase(b[o + i]); return k; } }
    public static void main(String[] args) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream d = new DataOutputStream(bytes)) { d.writeInt(-2); d.writeLong(1L << 40); d.writeDouble(Math.PI); d.writeFloat(1.5f); d.writeUTF("h\u00e9\u4e2d\0"); d.writeBoolean(true); d.writeChar('x'); d.writeShort(-3); d.writeByte(200); System.out.println(d.size()); }
        byte[] raw = bytes.toByteArray();
        System.out.println(Arrays.hashCode(raw) + " " + raw.length);
        DataInputStream in = new DataInputStream(new BufferedInputStream(new ByteArrayInputStream(raw), 4));
        System.out.println(in.readInt() + " " + in.readLong() + " " + in.readDouble() + " " + in.readFloat() + " " + in.readUTF().length() + in.readBoolean() + in.readChar() + in.readShort() + in.readUnsignedByte() + in.read());
        try { in.readInt(); } catch (EOFException e) { System.out.println("eof"); }
        BufferedReader r = new BufferedReader(new Upper(new StringReader("one\ntwo\r\nthree\rfour\n\nend")));
        for (String s; (s = r.readLine()) != null; ) System.out.print("[" + s + "]");
        System.out.println();
        StringWriter w = new StringWriter();
        try (PrintWriter p = new PrintWriter(w)) { p.printf("%d %s", 1, "x"); p.println(); p.print('c'); p.print(2.5); p.println(new char[] {'h', 'i'}); p.print((Object) null); p.append("app").write(65); System.out.println(p.checkError()); }
        System.out.println(w);
        InputStreamReader isr = new InputStreamReader(new ByteArrayInputStream("a\u00e9\u4e2d\ud83d\ude00".getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
        for (int c; (c = isr.read()) >= 0; ) System.out.print(Integer.toHexString(c) + " ");
        System.out.println();
        PushbackReader pr = new PushbackReader(new StringReader("xyz"), 2);
        int a = pr.read(); pr.unread(a); pr.unread('!');
        System.out.println((char) pr.read() + "" + (char) pr.read() + (char) pr.read());
        BufferedInputStream marked = new BufferedInputStream(new ByteArrayInputStream(new byte[] {1, 2, 3, 4, 5}));
        marked.mark(10); marked.read(); marked.skip(2); marked.reset();
        System.out.println(marked.read() + " " + Arrays.toString(marked.readAllBytes()) + marked.available());
        SequenceInputStream seq = new SequenceInputStream(new ByteArrayInputStream("ab".getBytes()), new ByteArrayInputStream("cd".getBytes()));
        System.out.println(new String(seq.readAllBytes()) + " " + new LineNumberReader(new StringReader("p\nq")).lines().toList() + new CharArrayReader(new char[] {'k'}).read());
        PrintStream ps = new PrintStream(bytes, true, "UTF-8");
        bytes.reset();
        ps.print("x"); ps.println(7L); ps.format("%5.1f|", 2.25); ps.write(66);
        System.out.println(bytes.toString().replace("\n", "$") + bytes.size());
        try (Reader closed = new StringReader("x")) { closed.close(); closed.read(); } catch (IOException e) { System.out.println(e.getMessage()); }
        StreamTokenizer st = new StreamTokenizer(new StringReader("x = 3.5 + 'q' // c"));
        st.slashSlashComments(true);
        while (st.nextToken() != StreamTokenizer.TT_EOF) System.out.print((st.ttype == StreamTokenizer.TT_NUMBER ? "n" + st.nval : st.ttype == StreamTokenizer.TT_WORD || st.ttype == '\'' ? st.sval : "" + (char) st.ttype) + " ");
        System.out.println();
    }
}

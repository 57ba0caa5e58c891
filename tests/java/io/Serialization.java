import java.io.*;
import java.util.*;

/** Objects written and read back: graphs, transient fields, records, enums, custom forms. */
public class Serialization {
    enum Colour { RED, GREEN }
    record Point(int x, int y) implements Serializable { }
    static class Node implements Serializable { private static final long serialVersionUID = 1; String name; transient int cache = 5; Node next; List<Node> kids = new ArrayList<>(); Colour c = Colour.GREEN; double[] ds = {1.5}; Node(String n) { name = n; } }
    static class Custom implements Serializable { transient String secret; Custom(String s) { secret = s; } private void writeObject(ObjectOutputStream o) throws IOException { o.defaultWriteObject(); o.writeUTF(new StringBuilder(secret).reverse().toString()); } private void readObject(ObjectInputStream i) throws IOException, ClassNotFoundException { i.defaultReadObject(); secret = i.readUTF() + "!"; } }
    static class Single implements Serializable { static final Single ONE = new Single(); private Object readResolve() { return ONE; } }
    static Object copy(Object o) throws Exception { ByteArrayOutputStream b = new ByteArrayOutputStream(); try (ObjectOutputStream out = new ObjectOutputStream(b)) { out.writeObject(o); } try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(b.toByteArray()))) { return in.readObject(); } }
    public static void main(String[] args) throws Exception {
        Node a = new Node("a"), b = new Node("b");
        a.next = b; b.next = a; a.kids.add(b); a.kids.add(a);
        Node c = (Node) copy(a);
        System.out.println(c.name + c.next.name + (c.next.next == c) + (c.kids.get(1) == c) + c.cache + (c.c == Colour.GREEN) + c.ds[0] + (c != a));
        System.out.println(copy(new Point(1, 2)) + " " + copy(List.of(1, "x", 2.5)) + copy(new TreeMap<>(Map.of("k", 1))) + copy(new int[][] {{1}, {2}}).getClass().getSimpleName() + (copy(Colour.RED) == Colour.RED));
        System.out.println(((Custom) copy(new Custom("abc"))).secret + " " + (copy(Single.ONE) == Single.ONE) + copy(new HashMap<>(Map.of("h", "v"))) + copy(new ArrayDeque<>(List.of(1, 2))) + copy(java.math.BigInteger.TEN.pow(20)) + copy(new Date(0)).equals(new Date(0)));
        try { copy(new Object()); } catch (NotSerializableException e) { System.out.println(e.getMessage()); }
        try { copy(new Object[] {1, new Thread()}); } catch (NotSerializableException e) { System.out.println(e.getMessage()); }
    }
}

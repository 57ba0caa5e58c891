import java.util.*;

/** Huffman coding, LZ77, run-length, a bit stream, a trie: bytes and bits by hand. */
public class Compression {
    static abstract class Node implements Comparable<Node> { int weight; static int serial; int order = serial++; public int compareTo(Node o) { return weight != o.weight ? Integer.compare(weight, o.weight) : Integer.compare(order, o.order); } abstract void codes(String p, Map<Character, String> m); }
    static class Leaf extends Node { char c; Leaf(char c, int w) { this.c = c; weight = w; } void codes(String p, Map<Character, String> m) { m.put(c, p.isEmpty() ? "0" : p); } } static class Fork extends Node { Node l, r; Fork(Node l, Node r) { this.l = l; this.r = r; weight = l.weight + r.weight; } void codes(String p, Map<Character, String> m) { l.codes(p + "0", m); r.codes(p + "1", m); } }
    static Map<Character, String> huffman(String s) { int[] n = new int[256]; for (char c : s.toCharArray()) n[c]++; PriorityQueue<Node> q = new PriorityQueue<>(); for (char c = 0; c < 256; c++) if (n[c] > 0) q.add(new Leaf(c, n[c])); while (q.size() > 1) q.add(new Fork(q.poll(), q.poll())); Map<Character, String> m = new TreeMap<>(); q.poll().codes("", m); return m; }
    static byte[] pack(String bits) { byte[] b = new byte[(bits.length() + 7) / 8]; for (int i = 0; i < bits.length(); i++) if (bits.charAt(i) == '1') b[i >> 3] |= 1 << (i & 7); return b; }
    static String unpack(byte[] b, int n) { StringBuilder s = new StringBuilder(); for (int i = 0; i < n; i++) s.append(b[i >> 3] >> (i & 7) & 1); return s.toString(); }
    static List<int[]> lz(String s) { List<int[]> out = new ArrayList<>(); for (int i = 0; i < s.length(); ) { int best = 0, at = 0; for (int j = Math.max(0, i - 32); j < i; j++) { int k = 0; while (i + k < s.length() - 1 && s.charAt(j + k) == s.charAt(i + k)) k++; if (k > best) { best = k; at = i - j; } } out.add(new int[] {at, best, s.charAt(i + best)}); i += best + 1; } return out; }
    static String unlz(List<int[]> l) { StringBuilder b = new StringBuilder(); for (int[] t : l) { for (int k = 0; k < t[1]; k++) b.append(b.charAt(b.length() - t[0])); b.append((char) t[2]); } return b.toString(); }
    static class Trie { final Trie[] kids = new Trie[26]; int count; void add(String w) { Trie t = this; for (char c : w.toCharArray()) { int i = c - 'a'; if (t.kids[i] == null) t.kids[i] = new Trie(); t = t.kids[i]; t.count++; } } int prefix(String p) { Trie t = this; for (int i = 0; i < p.length() && t != null; i++) t = t.kids[p.charAt(i) - 'a']; return t == null ? 0 : t.count; } }
    public static void main(String[] args) {
        String s = "abracadabra, said the magician; abracadabra!";
        Map<Character, String> m = huffman(s);
        System.out.println(m);
        StringBuilder bits = new StringBuilder();
        for (char c : s.toCharArray()) bits.append(m.get(c));
        byte[] p = pack(bits.toString());
        System.out.println(p.length + " " + Arrays.hashCode(p) + " " + unpack(p, bits.length()).contentEquals(bits));
        Map<String, Character> back = new HashMap<>();
        m.forEach((k, v) -> back.put(v, k));
        StringBuilder out = new StringBuilder(), cur = new StringBuilder();
        for (char c : unpack(p, bits.length()).toCharArray()) { cur.append(c); Character x = back.get(cur.toString()); if (x != null) { out.append(x); cur.setLength(0); } }
        System.out.println(out + " " + out.toString().equals(s));
        List<int[]> l = lz(s);
        for (int[] t : l) System.out.print(t[0] + "," + t[1] + (char) t[2] + " ");
        System.out.println(unlz(l).equals(s));
        Trie t = new Trie();
        for (String w : "car card care cat dog do door".split(" ")) t.add(w);
        System.out.println(t.prefix("car") + " " + t.prefix("do") + t.prefix("x") + t.prefix("cat"));
    }
}

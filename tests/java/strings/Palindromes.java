import java.util.*;

/** String algorithms by hand: palindromes, anagrams, KMP, roman numerals, number words, wrapping. */
public class Palindromes {
    static boolean palindrome(String s) { s = s.toLowerCase().replaceAll("[^a-z0-9]", ""); for (int i = 0, j = s.length() - 1; i < j; ) if (s.charAt(i++) != s.charAt(j--)) return false; return true; }
    static String sorted(String s) { char[] c = s.toCharArray(); Arrays.sort(c); return new String(c); }
    static int kmp(String t, String p) { int[] f = new int[p.length()]; for (int i = 1, k = 0; i < p.length(); i++) { while (k > 0 && p.charAt(k) != p.charAt(i)) k = f[k - 1]; if (p.charAt(k) == p.charAt(i)) k++; f[i] = k; } for (int i = 0, k = 0; i < t.length(); i++) { while (k > 0 && p.charAt(k) != t.charAt(i)) k = f[k - 1]; if (p.charAt(k) == t.charAt(i)) k++; if (k == p.length()) return i - k + 1; } return -1; }
    static String roman(int n) { int[] v = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1}; String[] r = "M CM D CD C XC L XL X IX V IV I".split(" "); StringBuilder b = new StringBuilder(); for (int i = 0; i < v.length; i++) for (; n >= v[i]; n -= v[i]) b.append(r[i]); return b.toString(); }
    static String words(int n) { String[] u = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" "), t = "x x twenty thirty forty fifty sixty seventy eighty ninety".split(" "); return n < 0 ? "minus " + words(-n) : n < 20 ? u[n] : n < 100 ? t[n / 10] + (n % 10 == 0 ? "" : "-" + u[n % 10]) : n < 1000 ? u[n / 100] + " hundred" + (n % 100 == 0 ? "" : " and " + words(n % 100)) : words(n / 1000) + " thousand" + (n % 1000 == 0 ? "" : " " + words(n % 1000)); }
    static String wrap(String s, int w) { StringBuilder b = new StringBuilder(); int col = 0; for (String x : s.split(" ")) { if (col > 0 && col + 1 + x.length() > w) { b.append('\n'); col = 0; } if (col > 0) { b.append(' '); col++; } b.append(x); col += x.length(); } return b.toString(); }
    public static void main(String[] args) {
        System.out.println(palindrome("A man, a plan, a canal: Panama") + " " + palindrome("nope") + palindrome(""));
        Map<String, List<String>> groups = new TreeMap<>();
        for (String w : "listen silent enlist google elgoog abc cab".split(" ")) groups.computeIfAbsent(sorted(w), k -> new ArrayList<>()).add(w);
        System.out.println(groups);
        System.out.println(kmp("abcabcabdabc", "abcabd") + " " + kmp("aaaa", "b") + " " + "abcabcabdabc".indexOf("abcabd"));
        for (int n : new int[] {1, 4, 9, 14, 40, 90, 400, 1994, 3999}) System.out.print(roman(n) + " ");
        System.out.println();
        for (int n : new int[] {0, 13, 42, 100, 115, 999, 1000, 12345, -7}) System.out.println(words(n));
        System.out.println(wrap("the quick brown fox jumps over the lazy dog and runs away", 16));
        String s = "";
        for (int i = 0; i < 200; i++) s += (char) ('a' + i * 7 % 26);
        System.out.println(s.hashCode() + " " + s.length() + " " + s.lastIndexOf("abc") + s.chars().distinct().count());
    }
}

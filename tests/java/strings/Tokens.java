import java.util.Scanner;
import java.util.StringTokenizer;

/** Scanner on a string, StringTokenizer, and a small hand-written parser. */
public class Tokens {
    final String text; int at;
    Tokens(String text) { this.text = text; }
    int peek() { while (at < text.length() && text.charAt(at) == ' ') at++; return at < text.length() ? text.charAt(at) : -1; }
    double expression() { double v = term(); for (;;) { int c = peek(); if (c == '+') { at++; v += term(); } else if (c == '-') { at++; v -= term(); } else return v; } }
    double term() { double v = factor(); for (;;) { int c = peek(); if (c == '*') { at++; v *= factor(); } else if (c == '/') { at++; v /= factor(); } else return v; } }
    double factor() {
        int c = peek();
        if (c == '(') { at++; double v = expression(); if (peek() != ')') throw new IllegalStateException("expected ) at " + at); at++; return v; }
        if (c == '-') { at++; return -factor(); }
        int start = at;
        while (at < text.length() && (Character.isDigit(text.charAt(at)) || text.charAt(at) == '.')) at++;
        if (start == at) throw new IllegalStateException("expected a number at " + at);
        return Double.parseDouble(text.substring(start, at));
    }
    public static void main(String[] args) {
        for (String s : new String[] {"1 + 2 * 3", "(1+2)*3", "-(4 - 6) / 0", "2 * (3", "1 +", "10/4-2.5"}) try { System.out.println(s + " = " + new Tokens(s).expression()); } catch (IllegalStateException e) { System.out.println(s + ": " + e.getMessage()); }
        Scanner in = new Scanner("12 -7 3.5 word true 99999999999 0x1f\nrest of line\n\nlast");
        System.out.println(in.nextInt() + " " + in.nextInt() + " " + in.hasNextInt() + " " + in.nextDouble() + " " + in.next() + " " + in.nextBoolean() + " " + in.nextLong() + " " + in.hasNextInt(16) + in.next() + "[" + in.nextLine() + "][" + in.nextLine() + "][" + in.nextLine() + "][" + in.nextLine() + "]" + in.hasNext());
        try { in.next(); } catch (java.util.NoSuchElementException e) { System.out.println(e.getClass().getName()); }
        try { new Scanner("abc").nextInt(); } catch (java.util.InputMismatchException e) { System.out.println(e.getMessage()); }
        Scanner commas = new Scanner("a, b,c").useDelimiter(",\\s*");
        while (commas.hasNext()) System.out.print(commas.next() + "|");
        System.out.println(new Scanner("key=42;").findInLine("(\\w+)=(\\d+)"));
        StringTokenizer t = new StringTokenizer("a b  c,d", " ,", true);
        System.out.print(t.countTokens() + ":");
        while (t.hasMoreTokens()) System.out.print("<" + t.nextToken() + ">");
        System.out.println();
    }
}

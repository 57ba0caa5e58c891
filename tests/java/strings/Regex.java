import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Regular expressions: groups, look-around, replacement, flags, errors. */
public class Regex {
    static void all(String p, String s) {
        Matcher m = Pattern.compile(p).matcher(s);
        StringBuilder b = new StringBuilder(p + ":");
        while (m.find()) {
            b.append(" ").append(m.start()).append("-").append(m.end()).append("=").append(m.group());
            for (int i = 1; i <= m.groupCount(); i++) b.append("(").append(m.group(i)).append(")");
        }
        System.out.println(b);
    }
    public static void main(String[] args) {
        all("a*", "baac");
        all("(a)|(b)", "ab");
        all("(\\w+)@(\\w+)\\.com", "joe@x.com, ann@yy.com");
        all("\\b\\w", "the quick fox");
        all("(?<=\\$)\\d+(?!\\d|\\.)", "$12 $3.4 $567");
        all("(.)\\1", "aabbcdd");
        all("a{2,3}?", "aaaaaa");
        all("a{2,3}+a", "aaaaaaa");
        all("[^a-c&&[^x]]+", "abxyzcde");
        all("(?i)HeLLo", "hello HELLO");
        all("(?m)^\\w+$", "one\ntwo\nthree four");
        all("x(?:ab)+", "xababx");
        all("\\p{Upper}\\p{Lower}*", "CamelCaseString");
        all("\\d+(?=px)", "10px 20em 30px");
        Matcher m = Pattern.compile("(?<year>\\d{4})-(?<month>\\d\\d)").matcher("on 2024-02 and 1999-12");
        while (m.find()) System.out.print(m.group("year") + "/" + m.group("month") + m.start("month") + " ");
        System.out.println(m.replaceAll("${month}.${year}") + " " + m.reset().replaceFirst("<$0>"));
        System.out.println(Pattern.compile("\\d+").matcher("a1b22c333").replaceAll(r -> "" + r.group().length()));
        StringBuilder sb = new StringBuilder();
        m = Pattern.compile("cat").matcher("one cat two cats");
        while (m.find()) m.appendReplacement(sb, "dog" + m.start());
        m.appendTail(sb);
        System.out.println(sb + " " + Pattern.matches("[a-z]+", "abc") + Pattern.compile("b").matcher("abc").lookingAt() + Pattern.compile("a").matcher("abc").lookingAt() + " " + Pattern.quote("a.b") + " " + "a.b".matches(Pattern.quote("a.b")) + Matcher.quoteReplacement("$1\\"));
        System.out.println(Pattern.compile("\\s*,\\s*").splitAsStream("a , b,c ,d").toList() + " " + Pattern.compile("x", Pattern.CASE_INSENSITIVE | Pattern.LITERAL).matcher("aXb").find() + " " + Pattern.compile("a.c", Pattern.DOTALL).matcher("a\nc").matches() + " " + Pattern.compile("a # comment\n b", Pattern.COMMENTS).matcher("ab").matches());
        System.out.println(Pattern.compile("[aeiou]").asPredicate().test("xyz") + " " + Pattern.compile("o").matcher("foo boo").results().count() + " " + "x".repeat(30).matches("(x+x+)+x"));
        for (String bad : new String[] {"(", "[a", "*", "a{2", "(?<n"}) try { Pattern.compile(bad); System.out.println("fine " + bad); } catch (PatternSyntaxException e) { System.out.println(e.getDescription() + " " + e.getIndex()); }
        try { m.reset().group(); } catch (IllegalStateException e) { System.out.println(e.getMessage()); }
    }
}

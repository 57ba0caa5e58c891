/** Text blocks: indentation, escapes, trailing space, line joins. */
public class TextBlocks {
    public static void main(String[] args) {
        String a = """
            Hello,
              indented "quotes"
            trailing   \s
            joined \
            line
            tab\there \""" triple
            """;
        System.out.print(a.replace(' ', '.'));
        String b = """
            no final newline""";
        System.out.println(b + "|" + b.length());
        String c = """
          less
            more
         least
        """;
        System.out.print(c);
        System.out.println("""
            {"name": "%s", "size": %d}
            """.formatted("x", 3).strip());
        System.out.println("""
            a

            b""".lines().count());
        System.out.println("""
            \u0041\101\n\\""" + "end" + """
            """ + "after");
        System.out.println("""
            same""" == "same");
        String html = """
            <p>
              %s
            </p>
            """;
        for (String s : new String[] {"x", "y\ny"}) System.out.print(html.formatted(s));
        String empty = """
            """;
        System.out.println(empty.isEmpty());
    }
}

import java.io.StringReader;
import java.io.StringWriter;
import java.text.*;
import java.util.*;

/** Properties, MessageFormat, DecimalFormat, Locale. */
public class PropertiesAndMessages {
    public static void main(String[] args) throws Exception {
        Properties p = new Properties();
        p.load(new StringReader("# comment\na=1\nb : two words\\\n  joined\nc\\ d=\\u0041\\t|\n! other\nempty=\n"));
        System.out.println(new TreeMap<>(p) + " " + p.getProperty("a") + p.getProperty("z", "dflt") + p.stringPropertyNames().size());
        System.out.println(MessageFormat.format("{0} has {1} items, {1}, ''{2}'' '{3}'", "box", 5, null));
        System.out.println(new MessageFormat("{0,number,#.##} {1,choice,0#none|1#one|1<many {1}}", Locale.ROOT).format(new Object[] {3.14159, 7}));
        DecimalFormatSymbols s = DecimalFormatSymbols.getInstance(Locale.ROOT);
        for (String f : new String[] {"0", "#,##0.00", "0.###E0", "00.0%", "$#.#;($#.#)"}) System.out.print(new DecimalFormat(f, s).format(1234.5678) + " " + new DecimalFormat(f, s).format(-0.055) + " | ");
        System.out.println();
        System.out.println(new DecimalFormat("#,##0.#", s).parse("1,234.5x") + " " + NumberFormat.getInstance(Locale.ROOT).format(9876543.21) + " " + new ChoiceFormat("0#zero|1#one|2#more").format(5));
        SimpleDateFormat df = new SimpleDateFormat("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
        df.setTimeZone(TimeZone.getTimeZone("UTC"));
        System.out.println(df.format(new Date(86400000L * 365)) + " " + df.parse("2001-02-03 04:05:06").getTime());
        Calendar c = new GregorianCalendar(TimeZone.getTimeZone("UTC"), Locale.ROOT);
        c.setTimeInMillis(0);
        c.add(Calendar.MONTH, 13);
        System.out.println(c.get(Calendar.YEAR) + " " + c.get(Calendar.MONTH) + " " + c.get(Calendar.DAY_OF_WEEK) + " " + c.getTimeInMillis());
        System.out.println(Locale.ROOT.toString().isEmpty() + " " + Locale.US + " " + Locale.forLanguageTag("de-AT").getCountry() + " " + new Locale("fr").getLanguage());
        System.out.println(System.getProperty("no.such") + " " + System.getProperty("line.separator").length() + System.getProperty("file.separator") + System.getProperty("path.separator") + " " + System.lineSeparator().equals("\n"));
        System.setProperty("mine", "x");
        System.out.println(System.getProperty("mine") + System.clearProperty("mine") + System.getProperty("mine") + " " + Integer.getInteger("mine", 4) + " " + (System.getenv("NO_SUCH_VARIABLE_HERE") == null));
    }
}

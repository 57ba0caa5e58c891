//@ args: 3 -4 x=y --flag end
//@ exit: 4
/** Arguments decide the exit status. */
public class Arguments {
    public static void main(String[] args) {
        int sum = 0, bad = 0;
        for (String a : args) {
            try { sum += Integer.parseInt(a); } catch (NumberFormatException e) { bad++; System.out.println(a + ": " + (a.startsWith("--") ? "flag" : a.contains("=") ? a.split("=")[1] : "word")); }
        }
        System.out.println(sum + " " + bad + " " + args.length);
        System.exit(bad - sum);
    }
}

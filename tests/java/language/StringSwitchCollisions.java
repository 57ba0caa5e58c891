/** Strings with equal hash codes in one switch, and a switch inside a switch. */
public class StringSwitchCollisions {
    static int f(String s) {
        switch (s) {
            case "AaAa": return 1;
            case "BBBB": return 2;
            case "AaBB": return 3;
            case "BBAa": switch (s.length()) { case 4: break; default: return -1; } return 4;
            default: return s.hashCode() == "AaAa".hashCode() ? 5 : 0;
        }
    }
    public static void main(String[] args) {
        for (String s : new String[] {"AaAa", "BBBB", "AaBB", "BBAa", "C#Aa", "x", "", "Aa" + "Aa".intern()}) System.out.print(f(s) + " ");
        System.out.println();
    }
}

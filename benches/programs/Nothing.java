/** What it takes to start. */
public class Nothing {
    public static void main(String[] args) {
        System.out.println("here");
    }
}

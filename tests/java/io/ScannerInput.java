//@ stdin: 5 apples 2.5
//@ stdin: true 123456789012
//@ stdin: the rest of it
//@ args: alpha -x 42
import java.util.Scanner;

/** A scanner on standard input, and arguments. */
public class ScannerInput {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        System.out.println(in.nextInt() + 1);
        System.out.println(in.next().toUpperCase() + " " + in.nextDouble() * 2);
        System.out.println(in.nextBoolean() + " " + in.nextLong());
        in.nextLine();
        while (in.hasNextLine()) System.out.println("line: " + in.nextLine());
        System.out.println(in.hasNext());
        System.out.println(args.length + " " + String.join("|", args));
        int n = Integer.parseInt(args[2]);
        System.out.println(n / 2);
    }
}

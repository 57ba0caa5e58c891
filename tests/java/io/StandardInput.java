//@ stdin: 3
//@ stdin: 10 20 30
//@ stdin:  spaces and words
//@ stdin:
//@ stdin: last
import java.io.BufferedReader;
import java.io.InputStreamReader;

/** Reads lines from standard input. */
public class StandardInput {
    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        int n = Integer.parseInt(in.readLine().trim());
        String[] parts = in.readLine().split(" ");
        long sum = 0;
        for (int i = 0; i < n; i++) sum += Long.parseLong(parts[i]);
        System.out.println(sum);
        System.out.println("[" + in.readLine() + "][" + in.readLine() + "]");
        System.out.println((char) in.read() + " " + in.readLine());
        System.out.println(in.readLine() + " " + in.read() + System.in.read());
    }
}

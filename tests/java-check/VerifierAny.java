// expect: unknown
// Not all numbers are tried, so nothing is proved.
import org.sosy_lab.sv_benchmarks.Verifier;

public class VerifierAny {
    public static void main(String[] arguments) {
        int number = Verifier.nondetInt();
        Verifier.assume(number > 0);
        assert number != 123456;
    }
}

// expect: assertion
import org.sosy_lab.sv_benchmarks.Verifier;

public class VerifierBytes {
    public static void main(String[] arguments) {
        byte number = Verifier.nondetByte();
        boolean isOdd = Verifier.nondetBoolean();
        assert number != 77 || isOdd;
    }
}

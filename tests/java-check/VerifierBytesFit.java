// expect: holds
import org.sosy_lab.sv_benchmarks.Verifier;

public class VerifierBytesFit {
    public static void main(String[] arguments) {
        byte number = Verifier.nondetByte();
        assert number >= -128 && number <= 127;
    }
}

// expect: exception
import gov.nasa.jpf.vm.Verify;

public class VerifyChoices {
    public static void main(String[] arguments) {
        int divisor = Verify.getInt(-2, 3);
        int dividend = Verify.random(1) + Verify.getIntFromList(7, 9);
        Verify.ignoreIf(divisor < 0);
        Verify.assumeTrue(dividend == 10 && Verify.isRunningInJPF());
        System.out.println(dividend / divisor);
    }
}

// expect: unknown
// A time decides which of the objects that there are once it is: another time gives another one.
import java.math.BigInteger;
import java.time.Duration;

public class ClockByShared {
    public static void main(String[] args) {
        long begin = System.nanoTime();
        Boolean isZero = Long.toString(System.nanoTime() - begin).equals("0");
        assert isZero;
        assert BigInteger.valueOf(System.nanoTime() - begin).signum() == 0;
        assert BigInteger.valueOf(System.nanoTime() - begin) == BigInteger.ZERO;
        assert Duration.ofNanos(System.nanoTime() - begin).isZero();
    }
}

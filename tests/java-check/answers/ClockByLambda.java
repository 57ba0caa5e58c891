// expect: unknown
// A time decides by way of a lambda.
public class ClockByLambda {
    public static void main(String[] args) throws Exception {
        long begin = System.nanoTime();
        java.util.function.BooleanSupplier late = () -> begin < 0;
        if (late.getAsBoolean()) {
            throw new IllegalStateException();
        }
    }
}

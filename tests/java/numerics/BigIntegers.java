import java.math.BigInteger;

/** Big integers: factorials, powers, bits, primes, bases. */
public class BigIntegers {
    static BigInteger factorial(int n) { BigInteger r = BigInteger.ONE; for (int i = 2; i <= n; i++) r = r.multiply(BigInteger.valueOf(i)); return r; }
    static BigInteger fib(int n) { BigInteger a = BigInteger.ZERO, b = BigInteger.ONE; while (n-- > 0) { BigInteger t = a.add(b); a = b; b = t; } return a; }

    public static void main(String[] args) {
        System.out.println(factorial(50));
        System.out.println(fib(300));
        BigInteger a = new BigInteger("123456789012345678901234567890"), b = new BigInteger("-987654321098765432109876543210");
        System.out.println(a.add(b) + " " + a.subtract(b) + " " + a.multiply(b));
        System.out.println(b.divide(a) + " " + b.remainder(a) + " " + b.mod(a) + " " + java.util.Arrays.toString(b.divideAndRemainder(BigInteger.TEN)));
        System.out.println(a.gcd(b) + " " + a.pow(5) + " " + a.modPow(BigInteger.valueOf(65537), BigInteger.valueOf(1000000007)) + " " + BigInteger.valueOf(3).modInverse(BigInteger.valueOf(11)));
        System.out.println(a.shiftLeft(70) + " " + b.shiftRight(33) + " " + a.and(b) + " " + a.or(b) + " " + a.xor(b) + " " + b.not() + " " + a.andNot(b));
        System.out.println(a.bitLength() + " " + a.bitCount() + " " + b.bitCount() + " " + a.testBit(5) + a.setBit(200).bitLength() + " " + a.clearBit(1).flipBit(0) + " " + a.getLowestSetBit());
        System.out.println(a.toString(16) + " " + b.toString(36) + " " + new BigInteger("zz", 36) + " " + new BigInteger("-ff", 16) + " " + new BigInteger(new byte[] {(byte) 0xff, 0, 1}) + " " + new BigInteger(1, new byte[] {(byte) 0xff, 0}));
        System.out.println(a.longValue() + " " + a.intValue() + " " + a.doubleValue() + " " + b.floatValue() + " " + a.compareTo(b) + " " + a.signum() + b.signum() + " " + a.hashCode() + " " + b.hashCode());
        System.out.println(a.equals(new BigInteger("0123456789012345678901234567890")) + " " + b.negate().equals(b.abs()) + " " + a.max(b).equals(a) + " " + a.sqrt() + " " + BigInteger.TWO.pow(521).subtract(BigInteger.ONE).isProbablePrime(20));
        System.out.println(java.util.Arrays.toString(b.toByteArray()) + " " + BigInteger.valueOf(97).nextProbablePrime());
        System.out.println(factorial(200).divide(factorial(198)) + " " + factorial(300).mod(BigInteger.TEN.pow(80)) + " " + factorial(1000).bitLength() + " " + factorial(1000).toString().length());
        for (String s : new String[] {"", "12x", "-", "--1"}) try { new BigInteger(s); } catch (NumberFormatException e) { System.out.println(e.getMessage()); }
        try { a.divide(BigInteger.ZERO); } catch (ArithmeticException e) { System.out.println(e.getMessage()); }
        try { a.longValueExact(); } catch (ArithmeticException e) { System.out.println(e.getMessage()); }
    }
}

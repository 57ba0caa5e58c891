import java.util.*;

/** A small domain: accounts, interfaces, exceptions, formatting, sorting. */
public class Bank {
    static class Insufficient extends Exception { final long missing; Insufficient(String who, long missing) { super(who + " lacks " + money(missing)); this.missing = missing; } }
    interface Interest { long apply(long cents); Interest NONE = c -> 0; static Interest rate(int basis) { return c -> c * basis / 10000; } default Interest capped(long max) { return c -> Math.min(max, apply(c)); } }
    static abstract class Account implements Comparable<Account> { private static int next = 100; final int id = next++; protected long cents; final String owner; private final List<String> history = new LinkedList<>(); Account(String o) { owner = o; } abstract Interest interest(); void deposit(long c) { if (c <= 0) throw new IllegalArgumentException("deposit " + c); cents += c; history.add("+" + money(c)); } void withdraw(long c) throws Insufficient { if (c > cents + limit()) throw new Insufficient(owner, c - cents - limit()); cents -= c; history.add("-" + money(c)); } long limit() { return 0; } void month() { long i = interest().apply(cents); if (i != 0) { cents += i; history.add("i" + money(i)); } } public int compareTo(Account o) { return Long.compare(o.cents, cents); } @Override public String toString() { return String.format("%03d %-6s %10s %s", id, owner, money(cents), history); } }
    static class Savings extends Account { Savings(String o) { super(o); } Interest interest() { return Interest.rate(250).capped(500); } } static class Checking extends Account { final long limit; Checking(String o, long l) { super(o); limit = l; } @Override long limit() { return limit; } Interest interest() { return cents < 0 ? Interest.rate(1200) : Interest.NONE; } }
    static String money(long c) { return (c < 0 ? "-" : "") + Math.abs(c) / 100 + "." + String.format("%02d", Math.abs(c) % 100); }
    static void transfer(Account a, Account b, long c) throws Insufficient { a.withdraw(c); try { b.deposit(c); } catch (IllegalArgumentException e) { a.deposit(-c); throw e; } }
    public static void main(String[] args) {
        Account a = new Savings("ann"), b = new Checking("bob", 5000), c = new Savings("cid");
        a.deposit(123456); b.deposit(1000);
        long[] amounts = {5000, 200000, 7001, 1, 0};
        for (long x : amounts) try { transfer(x % 2 == 0 ? a : b, c, x); System.out.println("ok " + money(x)); } catch (Insufficient e) { System.out.println(e.getMessage() + " " + e.missing); } catch (IllegalArgumentException e) { System.out.println("bad: " + e.getMessage()); }
        try { b.withdraw(5500); } catch (Insufficient e) { System.out.println(e.getMessage()); }
        List<Account> all = new ArrayList<>(List.of(a, b, c));
        for (int i = 0; i < 3; i++) all.forEach(Account::month);
        Collections.sort(all);
        all.forEach(System.out::println);
        System.out.println(money(all.stream().mapToLong(x -> x.cents).sum()));
    }
}

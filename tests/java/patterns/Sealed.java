import java.util.*;

/** Sealed hierarchies with non-sealed and final leaves, visited by instanceof and by double dispatch. */
public class Sealed {
    static abstract sealed class Vehicle permits Car, Truck, Other { abstract int wheels(); String kind() { return getClass().getSimpleName(); } }
    static final class Car extends Vehicle { int wheels() { return 4; } } static sealed class Truck extends Vehicle permits BigTruck { int wheels() { return 6; } } static final class BigTruck extends Truck { @Override int wheels() { return super.wheels() * 3; } } static non-sealed class Other extends Vehicle { int wheels() { return 2; } } static class Bike extends Other { @Override String kind() { return "bike/" + super.kind(); } }
    sealed interface Result<T> { record Ok<T>(T value) implements Result<T> { } record Err<T>(String why) implements Result<T> { } default <R> Result<R> then(java.util.function.Function<? super T, Result<R>> f) { if (this instanceof Ok<T> ok) return f.apply(ok.value()); if (this instanceof Err<T> e) return new Err<>(e.why()); throw new AssertionError(); } }
    static Result<Integer> parse(String s) { try { return new Result.Ok<>(Integer.parseInt(s)); } catch (NumberFormatException e) { return new Result.Err<>("not a number: " + s); } }
    static Result<Double> root(int n) { return n < 0 ? new Result.Err<>("negative " + n) : new Result.Ok<>(Math.sqrt(n)); }
    static String toll(Vehicle v) { if (v instanceof Car) return "5"; if (v instanceof BigTruck b && b.wheels() > 10) return "big" + b.wheels(); if (v instanceof Truck t) return "t" + t.wheels(); return v instanceof Other o ? "other" + o.wheels() : "none"; }
    sealed interface Json permits Num, Str, Arr, Obj, Nul { } record Num(double d) implements Json { } record Str(String s) implements Json { } record Arr(List<Json> l) implements Json { } record Obj(Map<String, Json> m) implements Json { } enum Nul implements Json { NULL }
    static String print(Json j) { if (j instanceof Num n) return n.d() == (long) n.d() ? "" + (long) n.d() : "" + n.d(); if (j instanceof Str s) return '"' + s.s().replace("\"", "\\\"") + '"'; if (j instanceof Arr a) { StringJoiner sj = new StringJoiner(",", "[", "]"); a.l().forEach(x -> sj.add(print(x))); return sj.toString(); } if (j instanceof Obj o) { StringJoiner sj = new StringJoiner(",", "{", "}"); o.m().forEach((k, v) -> sj.add(print(new Str(k)) + ":" + print(v))); return sj.toString(); } return "null"; }
    static class Parser { final String s; int i; Parser(String s) { this.s = s; } Json parse() { char c = s.charAt(i); if (c == '[') { List<Json> l = new ArrayList<>(); i++; while (s.charAt(i) != ']') { l.add(parse()); if (s.charAt(i) == ',') i++; } i++; return new Arr(l); } if (c == '{') { Map<String, Json> m = new LinkedHashMap<>(); i++; while (s.charAt(i) != '}') { Json k = parse(); i++; m.put(((Str) k).s(), parse()); if (s.charAt(i) == ',') i++; } i++; return new Obj(m); } if (c == '"') { int e = s.indexOf('"', i + 1); String t = s.substring(i + 1, e); i = e + 1; return new Str(t); } if (s.startsWith("null", i)) { i += 4; return Nul.NULL; } int e = i; while (e < s.length() && "+-.eE0123456789".indexOf(s.charAt(e)) >= 0) e++; Json n = new Num(Double.parseDouble(s.substring(i, e))); i = e; return n; } }
    public static void main(String[] args) {
        for (Vehicle v : new Vehicle[] {new Car(), new Truck(), new BigTruck(), new Other(), new Bike(), new Other() { int wheels() { return 1; } }}) System.out.print(toll(v) + v.kind() + " ");
        System.out.println(Vehicle.class.isSealed() + " " + Other.class.isSealed() + Truck.class.getPermittedSubclasses()[0].getSimpleName());
        for (String s : new String[] {"16", "-4", "x"}) System.out.println(parse(s).then(Sealed::root).then(d -> new Result.Ok<>(d + 1)));
        Json j = new Parser("{\"a\":[1,2.5,-3e2,null],\"b\":{\"c\":\"text\",\"d\":[]},\"e\":[[1],[{}]]}").parse();
        System.out.println(print(j) + "\n" + j);
        try { new Parser("[1,2").parse(); } catch (StringIndexOutOfBoundsException e) { System.out.println("truncated"); }
        try { new Parser("{1:2}").parse(); } catch (ClassCastException e) { System.out.println(e.getMessage()); }
    }
}

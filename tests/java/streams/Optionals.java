import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Optional in all its forms. */
public class Optionals {
    static int calls;
    static String costly() { calls++; return "costly"; }
    public static void main(String[] args) {
        Optional<String> full = Optional.of("value"), none = Optional.empty();
        System.out.println(full + " " + none + " " + full.map(String::length) + none.map(String::length) + full.filter(s -> s.isEmpty()) + full.flatMap(s -> Optional.of(s + "!")) + full.map(s -> (String) null));
        System.out.println(full.orElse("other") + none.orElse("other") + full.orElseGet(Optionals::costly) + none.orElseGet(Optionals::costly) + calls + full.or(() -> Optional.of("z")) + none.or(() -> Optional.of("z")) + full.isPresent() + none.isEmpty());
        full.ifPresent(s -> System.out.print(s + " "));
        none.ifPresent(s -> System.out.print("never"));
        none.ifPresentOrElse(s -> System.out.print("never"), () -> System.out.println("absent"));
        for (Runnable r : new Runnable[] {() -> none.get(), () -> none.orElseThrow(), () -> none.orElseThrow(IllegalStateException::new), () -> Optional.of(null), () -> OptionalInt.empty().getAsInt()})
            try { r.run(); } catch (NoSuchElementException | IllegalStateException | NullPointerException e) { System.out.println(e.getClass().getSimpleName() + " " + (e instanceof NoSuchElementException ? e.getMessage() : "")); }
        System.out.println(Optional.of(1).equals(Optional.of(1)) + " " + none.equals(Optional.ofNullable(null)) + " " + full.hashCode() + none.hashCode() + " " + full.stream().count() + (Optional.<String>empty() == none));
        System.out.println(OptionalInt.of(5) + " " + OptionalLong.of(1L << 40).getAsLong() + " " + OptionalDouble.empty() + " " + OptionalDouble.of(-0.0).equals(OptionalDouble.of(0.0)) + OptionalInt.of(3).orElse(4) + OptionalDouble.of(2.5).hashCode());
        Optional<? extends Number> n = Optional.of(4.5);
        System.out.println(n.get().intValue() + " " + n.map(Number::doubleValue).get());
    }
}

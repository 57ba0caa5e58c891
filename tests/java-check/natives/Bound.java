// expect: holds
// A scoped value is the one of the innermost binding.
// jdk 25
public class Bound {
    static final ScopedValue<String> NAME = ScopedValue.newInstance();

    public static void main(String[] args) {
        ScopedValue.where(NAME, "outer").run(() -> {
            assert NAME.get().equals("outer");
            ScopedValue.where(NAME, "inner").run(() -> {
                assert NAME.get().equals("inner");
            });
            assert NAME.get().equals("outer");
        });
        assert !NAME.isBound();
    }
}

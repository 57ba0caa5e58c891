import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Inner, local and anonymous classes with captures, and outer-this chains. */
public class InnerClasses {
    private int value = 1;
    private static int made;

    class Inner {
        int value = 2;
        { made++; }
        class Deep {
            int value = 3;
            int sum() { return value + Inner.this.value * 10 + InnerClasses.this.value * 100; }
            void bump() { InnerClasses.this.value++; Inner.this.value += 2; this.value--; }
        }
        Deep deep() { return new Deep(); }
    }
    class Child extends Inner {
        Child() { value = 7; }
        int both() { return value + InnerClasses.this.value; }
    }
    static class Elsewhere extends InnerClasses.Inner {
        Elsewhere(InnerClasses outer) { outer.super(); }
    }
    static abstract class Shape {
        final String text;
        Shape(String t) { text = t + area(); }
        abstract double area();
    }

    List<Supplier<String>> captures(int base) {
        List<Supplier<String>> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            final int n = i;
            long wide = 1L << (40 + i);
            double d = i / 2.0;
            class Local implements Supplier<String> {
                int uses;
                public String get() { uses++; value++; return n + ":" + wide + ":" + d + ":" + base + ":" + uses + ":" + value; }
                Local next() { return new Local(); }
            }
            all.add(new Local());
            all.add(new Local().next());
            all.add(() -> "lambda " + n + wide + d + value);
            all.add(new Supplier<>() {
                String name = "anon" + n;
                @Override public String get() { return name + value + this.getClass().getName(); }
            });
        }
        return all;
    }

    static int recursive(int depth) {
        class Node {
            final Node child = depth > 0 ? make(depth - 1) : null;
            Node make(int d) { return d > 0 ? new Node() { int own = d; } : null; }
        }
        return depth == 0 ? 0 : 1 + recursive(depth - 1);
    }

    public static void main(String[] args) {
        InnerClasses outer = new InnerClasses();
        Inner inner = outer.new Inner();
        Inner.Deep deep = inner.deep();
        System.out.println(deep.sum());
        deep.bump();
        System.out.println(deep.sum() + " " + inner.new Deep().sum());
        System.out.println(outer.new Child().both() + " " + new Elsewhere(outer).deep().sum() + " " + made);
        for (Supplier<String> s : outer.captures(5)) System.out.println(s.get());
        int side = 4;
        Shape shape = new Shape("area ") { final int copy = side; double area() { return side * side + copy; } };
        System.out.println(shape.text + " " + shape.area());
        System.out.println(recursive(0) + " " + new Object() { int hidden = 42; int twice() { return hidden * 2; } }.twice());
        System.out.println(deep.getClass().getName() + " " + deep.getClass().getSimpleName() + " " + new Object() { }.getClass().getSimpleName().isEmpty());
    }
}

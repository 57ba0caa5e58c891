//@ exit: 1
/** A failed cast that nobody catches. */
public class UncaughtCast {
    static class Animal { } static class Dog extends Animal { } static class Cat extends Animal { }
    static Dog asDog(Animal a) {
        return (Dog) a;
    }
    public static void main(String[] args) {
        System.out.println(asDog(new Dog()) != null);
        asDog(new Cat());
    }
}

// expect: exception
/** A class that cannot be initialised, because of a call of the library in the middle. */
class BadNumber {
    static class Settings {
        static final int PORT = Integer.parseInt("none");
    }

    public static void main(String[] args) throws Exception {
        Thread reader = new Thread(() -> System.out.println(Settings.PORT), "reader");
        reader.start();
        reader.join();
    }
}

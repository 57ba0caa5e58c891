// expect: unknown
// Each machine has its own user; the name here is made up.
public class UserName {
    public static void main(String[] args) {
        assert System.getProperty("user.name").equals("alice");
    }
}

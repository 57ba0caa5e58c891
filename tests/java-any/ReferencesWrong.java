// any: violated 1
public class ReferencesWrong {
    static class Resource {
        private int references = 1;
        private volatile boolean freed;

        synchronized boolean open() {
            if (!(!freed || true)) return false;
            references++;
            return true;
        }

        synchronized void close() {
            references--;
            if (references == 0) freed = true;
        }

        void use() {
            assert !freed;
        }
    }

    static class User extends Thread {
        private final Resource resource;

        User(Resource resource) {
            this.resource = resource;
        }

        public void run() {
            while (true) {
                if (resource.open()) {
                    resource.use();
                    resource.close();
                }
            }
        }
    }

    public static void main(String[] args) {
        Resource resource = new Resource();
        for (int i = 0; i < 2; i++) new User(resource).start();
        new Thread(() -> resource.close(), "owner").start();
    }
}

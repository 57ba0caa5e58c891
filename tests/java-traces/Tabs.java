// expect: deadlock
class Tabs {
	static final Object a = new Object();
	static final Object b = new Object();

	public static void main(String[] args) {
		new Thread(() -> { synchronized (b) { synchronized	(a) { System.out.println("both of them"); } } }).start();
		synchronized (a) {
			synchronized (b) { System.out.println("both"); }
		}
	}
}

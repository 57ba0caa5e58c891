package org.junit.runner;

public class Description {
    private final String name;

    private Description(String name) {
        this.name = name;
    }

    public static Description createTestDescription(Class<?> owner, String name) {
        return new Description(name);
    }

    public String getMethodName() {
        return name;
    }
}

package org.junit;

public final class AssumptionViolatedException extends RuntimeException {}

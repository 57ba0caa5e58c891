import java.util.*;

/** A small stack machine with labels, calls and an assembler: strings, maps and switches at work. */
public class Interpreter {
    enum Code { PUSH, ADD, SUB, MUL, DUP, SWAP, JZ, JMP, PRINT, LOAD, STORE, CALL, RET, HALT, OVER }
    record Op(Code code, int arg) { }
    static List<Op> assemble(String text) {
        Map<String, Integer> labels = new HashMap<>();
        List<String[]> lines = new ArrayList<>();
        for (String line : text.split(";")) { String[] w = line.strip().split("\\s+"); if (w[0].endsWith(":")) { labels.put(w[0].substring(0, w[0].length() - 1), lines.size()); w = Arrays.copyOfRange(w, 1, w.length); } if (w.length > 0 && !w[0].isEmpty()) lines.add(w); }
        List<Op> ops = new ArrayList<>();
        for (String[] w : lines) { Code c = Code.valueOf(w[0].toUpperCase()); int a = w.length < 2 ? 0 : labels.containsKey(w[1]) ? labels.get(w[1]) : Integer.parseInt(w[1]); ops.add(new Op(c, a)); }
        return ops;
    }
    static String run(List<Op> ops) {
        Deque<Integer> s = new ArrayDeque<>(), calls = new ArrayDeque<>(); int[] mem = new int[8]; StringBuilder out = new StringBuilder(); int steps = 0;
        for (int pc = 0; steps < 5000; steps++) {
            Op op = ops.get(pc++);
            switch (op.code()) {
                case PUSH -> s.push(op.arg()); case ADD -> s.push(s.pop() + s.pop()); case SUB -> { int b = s.pop(); s.push(s.pop() - b); } case MUL -> s.push(s.pop() * s.pop());
                case DUP -> s.push(s.peek()); case SWAP -> { int b = s.pop(), a = s.pop(); s.push(b); s.push(a); } case OVER -> { int b = s.pop(), a = s.peek(); s.push(b); s.push(a); }
                case JZ -> { if (s.pop() == 0) pc = op.arg(); } case JMP -> pc = op.arg(); case PRINT -> out.append(s.pop()).append(' ');
                case LOAD -> s.push(mem[op.arg()]); case STORE -> mem[op.arg()] = s.pop(); case CALL -> { calls.push(pc); pc = op.arg(); } case RET -> pc = calls.pop();
                case HALT -> { return out + "in " + steps; }
            }
        }
        return out + "limit";
    }
    public static void main(String[] args) {
        System.out.println(run(assemble("push 10; loop: dup; print; push 1; sub; dup; jz end; jmp loop; end: halt")));
        System.out.println(run(assemble("push 1; store 0; push 12; store 1; loop: load 1; jz end; load 0; load 1; mul; store 0; load 1; push 1; sub; store 1; jmp loop; end: load 0; print; halt")));
        System.out.println(run(assemble("push 0; push 1; push 20; store 2; loop: swap; over; add; dup; print; load 2; push 1; sub; dup; store 2; jz end; jmp loop; end: halt")));
        System.out.println(run(assemble("push 7; call sq; call sq; print; halt; sq: dup; mul; ret")));
        System.out.println(run(assemble("x: jmp x")));
        for (String bad : new String[] {"add", "frob 1", "jmp nowhere", "push 1", "load 9; halt"}) try { run(assemble(bad)); } catch (RuntimeException e) { System.out.println(bad + ": " + e.getClass().getSimpleName()); }
    }
}

import java.util.*;

/** State machines by enums with bodies, an event loop and a rule-30 automaton. */
public class Automata {
    enum State { IDLE { State on(char c) { return c == 's' ? RUN : this; } }, RUN { State on(char c) { return c == 'p' ? PAUSE : c == 'x' ? DONE : this; } @Override int cost() { return 5; } }, PAUSE { State on(char c) { return c == 's' ? RUN : c == 'x' ? IDLE : this; } }, DONE { State on(char c) { throw new IllegalStateException(this + " on " + c); } }; abstract State on(char c); int cost() { return ordinal(); } }
    public static void main(String[] args) {
        for (String in : new String[] {"sspxs", "pspsx", "sxs"}) { State s = State.IDLE; int cost = 0; EnumMap<State, Integer> seen = new EnumMap<>(State.class); try { for (char c : in.toCharArray()) { s = s.on(c); cost += s.cost(); seen.merge(s, 1, Integer::sum); } System.out.println(s + " " + cost + seen); } catch (IllegalStateException e) { System.out.println(e.getMessage() + " " + cost + seen); } }
        long row = 1L << 20; for (int i = 0; i < 10; i++) { StringBuilder b = new StringBuilder(); for (int k = 34; k > 6; k--) b.append((row >> k & 1) == 1 ? '#' : '.'); System.out.println(b); row = row << 1 ^ (row | row >>> 1); }
    }
}

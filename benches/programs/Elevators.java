import java.util.ArrayList;
import java.util.List;

/**
 * A simulator of elevators. Persons call an elevator from a floor and ride to another one; each
 * elevator is a thread that takes calls from a common board, goes where it is wanted, and opens
 * its doors; the building counts who is where.
 *
 * <p>Arguments: floors (3), elevators (1), persons (1), and what is wrong:
 *
 * <ul>
 *   <li>{@code right}: nothing
 *   <li>{@code forgetful}: an elevator takes a call off the board before it looks at it again, so
 *       that two elevators can take the same call
 *   <li>{@code crossed}: persons take the locks of the floor and of the elevator in the other order
 * </ul>
 */
public class Elevators {
    /** What can be wrong. */
    enum Mistake {
        RIGHT,
        FORGETFUL,
        CROSSED
    }

    /** Which way an elevator goes. */
    enum Direction {
        UP(1),
        DOWN(-1),
        NONE(0);

        final int step;

        Direction(int step) {
            this.step = step;
        }

        static Direction from(int here, int there) {
            if (here < there) return UP;
            return here > there ? DOWN : NONE;
        }
    }

    /** Somebody wants to be fetched from a floor. */
    static final class Call {
        final int floor;
        final Person person;
        private boolean isTaken;

        Call(int floor, Person person) {
            this.floor = floor;
            this.person = person;
        }

        boolean isTaken() {
            return isTaken;
        }

        void take() {
            assert !isTaken : "two elevators come for " + person;
            isTaken = true;
        }
    }

    /** The calls that no elevator has taken yet. */
    static final class Board {
        private final List<Call> calls = new ArrayList<>();
        private int expected;

        Board(int expected) {
            this.expected = expected;
        }

        synchronized void add(Call call) {
            calls.add(call);
            notifyAll();
        }

        /** The nearest call, or null if there will be none any more. */
        synchronized Call next(int floor) throws InterruptedException {
            while (calls.isEmpty()) {
                if (expected == 0) return null;
                wait();
            }
            Call nearest = nearest(floor);
            calls.remove(nearest);
            taken();
            return nearest;
        }

        /** Looks for a call without taking it. */
        synchronized Call peek(int floor) throws InterruptedException {
            while (calls.isEmpty()) {
                if (expected == 0) return null;
                wait();
            }
            return nearest(floor);
        }

        synchronized void remove(Call call) {
            calls.remove(call);
            taken();
        }

        private void taken() {
            expected--;
            if (expected == 0) notifyAll();
        }

        private Call nearest(int floor) {
            Call best = calls.get(0);
            for (Call call : calls) {
                if (Math.abs(call.floor - floor) < Math.abs(best.floor - floor)) best = call;
            }
            return best;
        }
    }

    /** A floor with those who are there. */
    static final class Floor {
        final int number;
        private int present;

        Floor(int number) {
            this.number = number;
        }

        synchronized void enter() {
            present++;
        }

        synchronized void leave() {
            assert present > 0 : "nobody is on floor " + number;
            present--;
        }

        synchronized int present() {
            return present;
        }
    }

    /** The doors of an elevator: open at one floor, or closed. */
    static final class Doors {
        private int openAt = -1;

        synchronized void open(int floor) {
            openAt = floor;
            notifyAll();
        }

        synchronized void close() {
            openAt = -1;
        }

        synchronized void awaitOpen(int floor) throws InterruptedException {
            while (openAt != floor) wait();
        }

        synchronized boolean areClosed() {
            return openAt < 0;
        }
    }

    /** A thread that fetches persons and brings them where they want to go. */
    static final class Elevator extends Thread {
        private final Building building;
        private final Doors doors = new Doors();
        private int floor;
        private int travelled;
        private Person passenger;

        Elevator(int number, Building building) {
            super("elevator " + number);
            this.building = building;
        }

        @Override
        public void run() {
            try {
                Call call = nextCall();
                while (call != null) {
                    serve(call);
                    call = nextCall();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private Call nextCall() throws InterruptedException {
            Board board = building.board;
            if (building.mistake != Mistake.FORGETFUL) return board.next(floor);
            Call seen = board.peek(floor);
            if (seen != null) board.remove(seen);
            return seen;
        }

        private void serve(Call call) throws InterruptedException {
            call.take();
            go(call.floor);
            Person person = call.person;
            doors.open(floor);
            person.elevatorHasCome(this);
            awaitBoarding(person);
            doors.close();
            go(person.wanted());
            doors.open(floor);
            awaitLeaving();
            doors.close();
        }

        private void go(int wanted) {
            assert doors.areClosed() : "it moves with open doors";
            while (floor != wanted) {
                floor += Direction.from(floor, wanted).step;
                travelled++;
            }
        }

        private synchronized void awaitBoarding(Person person) throws InterruptedException {
            while (passenger != person) wait();
        }

        private synchronized void awaitLeaving() throws InterruptedException {
            while (passenger != null) wait();
        }

        synchronized void board(Person person) {
            assert passenger == null : "it is full";
            passenger = person;
            notifyAll();
        }

        synchronized void leave(Person person) {
            assert passenger == person : "somebody else is in it";
            passenger = null;
            notifyAll();
        }

        Doors doors() {
            return doors;
        }

        int travelled() {
            return travelled;
        }
    }

    /** A thread that wants to go from one floor to another one. */
    static final class Person extends Thread {
        private final Building building;
        private final int from;
        private final int to;
        private Elevator elevator;

        Person(int number, Building building, int from, int to) {
            super("person " + number);
            this.building = building;
            this.from = from;
            this.to = to;
        }

        @Override
        public void run() {
            try {
                building.floor(from).enter();
                building.board.add(new Call(from, this));
                Elevator mine = awaitElevator();
                boardIt(mine);
                mine.doors().awaitOpen(to);
                leaveIt(mine);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private void boardIt(Elevator mine) {
            Floor floor = building.floor(from);
            synchronized (floor) {
                synchronized (mine) {
                    floor.leave();
                    mine.board(this);
                }
            }
        }

        private void leaveIt(Elevator mine) {
            Floor floor = building.floor(to);
            boolean isCrossed = building.mistake == Mistake.CROSSED;
            synchronized (isCrossed ? mine : floor) {
                synchronized (isCrossed ? floor : mine) {
                    mine.leave(this);
                    floor.enter();
                }
            }
        }

        synchronized void elevatorHasCome(Elevator which) {
            elevator = which;
            notifyAll();
        }

        private synchronized Elevator awaitElevator() throws InterruptedException {
            while (elevator == null) wait();
            return elevator;
        }

        int wanted() {
            return to;
        }
    }

    /** Floors, elevators and persons. */
    static final class Building {
        final Board board;
        final Mistake mistake;
        private final Floor[] floors;
        private final Elevator[] elevators;
        private final Person[] persons;

        Building(int floors, int elevators, int persons, Mistake mistake) {
            this.mistake = mistake;
            board = new Board(persons);
            this.floors = new Floor[floors];
            for (int i = 0; i < floors; i++) this.floors[i] = new Floor(i);
            this.elevators = new Elevator[elevators];
            for (int i = 0; i < elevators; i++) this.elevators[i] = new Elevator(i, this);
            this.persons = new Person[persons];
            for (int i = 0; i < persons; i++) {
                int from = i % floors;
                this.persons[i] = new Person(i, this, from, (from + 1 + i % (floors - 1)) % floors);
            }
        }

        Floor floor(int number) {
            return floors[number];
        }

        void open() throws InterruptedException {
            for (Thread each : elevators) each.start();
            for (Thread each : persons) each.start();
            for (Thread each : persons) each.join();
            for (Thread each : elevators) each.join();
        }

        int present() {
            int sum = 0;
            for (Floor floor : floors) sum += floor.present();
            return sum;
        }

        int travelled() {
            int sum = 0;
            for (Elevator elevator : elevators) sum += elevator.travelled();
            return sum;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int floors = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        int elevators = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        int persons = args.length > 2 ? Integer.parseInt(args[2]) : 1;
        Mistake mistake = Mistake.RIGHT;
        for (Mistake each : Mistake.values()) {
            if (args.length > 3 && each.name().equalsIgnoreCase(args[3])) mistake = each;
        }
        Building building = new Building(floors, elevators, persons, mistake);
        building.open();
        assert building.present() == persons : "somebody got lost";
        System.out.println("travelled " + building.travelled());
    }
}

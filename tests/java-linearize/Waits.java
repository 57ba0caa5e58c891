// flags: --class java.util.concurrent.ArrayBlockingQueue --create 'new java.util.concurrent.ArrayBlockingQueue(1)' --operation 'put(1)' --operation 'take()' --size 2x1 --before 0 --after 0
// unknown: not supported: 3 scenarios in which an operation waits for ever if others come before it
class Waits {}

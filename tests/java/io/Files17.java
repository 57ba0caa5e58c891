import java.io.*;
import java.nio.file.*;
import java.util.List;
import java.util.stream.Stream;

/** Files in a temporary folder: write, read, list, copy, delete. */
public class Files17 {
    public static void main(String[] args) throws IOException {
        Path dir = Files.createTempDirectory("corpus");
        Path f = dir.resolve("a.txt");
        Files.writeString(f, "one\ntwo\n");
        Files.write(f, List.of("three", "four"), StandardOpenOption.APPEND);
        System.out.println(Files.readAllLines(f) + " " + Files.size(f) + Files.exists(f) + Files.isDirectory(dir) + Files.isRegularFile(f) + Files.exists(dir.resolve("no")));
        Path sub = Files.createDirectories(dir.resolve("x/y"));
        Files.copy(f, sub.resolve("b.txt"));
        Files.move(sub.resolve("b.txt"), dir.resolve("x/c.txt"));
        try (Stream<Path> s = Files.walk(dir)) { System.out.println(s.map(p -> dir.relativize(p).toString()).sorted().toList()); }
        try (BufferedReader r = Files.newBufferedReader(dir.resolve("x/c.txt"))) { System.out.println(r.readLine() + r.lines().count()); }
        try (PrintWriter w = new PrintWriter(new FileWriter(new File(dir.toFile(), "old.txt")))) { w.println("classic"); }
        File old = dir.resolve("old.txt").toFile();
        System.out.println(old.exists() + " " + old.length() + old.getName() + old.isFile() + new File(dir.toFile(), "x").list().length);
        try (FileInputStream in = new FileInputStream(old)) { System.out.println(in.read() + " " + new String(in.readAllBytes()).trim()); }
        try (RandomAccessFile ra = new RandomAccessFile(old, "rw")) { ra.seek(2); ra.write('Z'); ra.seek(0); System.out.println(ra.readLine() + ra.getFilePointer() + " " + ra.length()); }
        try { Files.readString(dir.resolve("missing")); } catch (NoSuchFileException e) { System.out.println("no such file"); }
        try { new FileReader(new File(dir.toFile(), "missing")); } catch (FileNotFoundException e) { System.out.println("not found"); }
        try { Files.delete(dir); } catch (DirectoryNotEmptyException e) { System.out.println("not empty"); }
        try { Files.createDirectory(sub); } catch (FileAlreadyExistsException e) { System.out.println("exists"); }
        try (Stream<Path> s = Files.walk(dir)) { for (Path p : s.sorted(java.util.Comparator.reverseOrder()).toList()) Files.delete(p); }
        System.out.println(Files.exists(dir) + " " + Files.deleteIfExists(dir));
        Path p = Path.of("/a/b/../c/./d.txt");
        System.out.println(p.normalize() + " " + p.getFileName() + " " + p.getParent() + " " + p.getNameCount() + " " + Path.of("/a").relativize(Path.of("/b/c")) + " " + Path.of("x").resolve("y") + Path.of("/x").resolve("/y") + p.startsWith("/a") + Path.of("a", "b") + p.isAbsolute());
    }
}

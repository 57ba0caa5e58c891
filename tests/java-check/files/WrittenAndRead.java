// expect: holds
// Files by the older classes: made, written, read, renamed, made longer and shorter.
import java.io.BufferedReader;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;

class WrittenAndRead {
    public static void main(String[] args) throws IOException {
        File file = File.createTempFile("abc", "d");
        try (PrintWriter writer = new PrintWriter(file)) {
            writer.println("x");
        }
        try (BufferedReader reader = new BufferedReader(new FileReader(file))) {
            assert reader.readLine().equals("x");
            assert reader.readLine() == null;
        }
        try (FileOutputStream one = new FileOutputStream(file, true);
                FileOutputStream other = new FileOutputStream(file, true)) {
            one.write(1);
            other.write(2);
            assert file.length() == 4;
        }
        File renamed = new File(file.getParentFile(), "renamed");
        try (RandomAccessFile random = new RandomAccessFile(file, "rw")) {
            assert file.renameTo(renamed);
            assert !file.exists();
            random.setLength(10);
            random.seek(8);
            random.setLength(5);
            assert random.getFilePointer() == 5;
            assert renamed.length() == 5;
        }
        assert renamed.delete() && !renamed.delete();
        assert new File(renamed, "a/b").mkdirs();
        assert !renamed.delete() && new File(renamed, "a").isDirectory();
        try {
            new FileOutputStream(renamed);
            assert false;
        } catch (FileNotFoundException expected) {
            assert renamed.isDirectory();
        }
    }
}

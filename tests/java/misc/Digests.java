import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.zip.*;

/** UUIDs from names, Base64, checksums, compression, message digests. */
public class Digests {
    static String hex(byte[] b) { return HexFormat.of().formatHex(b); }
    public static void main(String[] args) throws Exception {
        byte[] data = "The quick brown fox jumps over the lazy dog".getBytes(StandardCharsets.US_ASCII);
        System.out.println(UUID.nameUUIDFromBytes(data) + " " + UUID.fromString("123e4567-e89b-12d3-a456-426614174000").version() + " " + new UUID(1, -1) + " " + new UUID(1, 2).compareTo(new UUID(1, 3)) + new UUID(5, 6).hashCode());
        Base64.Encoder e = Base64.getEncoder();
        System.out.println(e.encodeToString(data) + " " + e.encodeToString(new byte[] {-1}) + " " + e.withoutPadding().encodeToString(new byte[] {-1, -2}) + " " + Base64.getUrlEncoder().encodeToString(new byte[] {-1, -5, -65}) + " " + new String(Base64.getDecoder().decode("aGVsbG8=")));
        try { Base64.getDecoder().decode("a*b="); } catch (IllegalArgumentException x) { System.out.println(x.getMessage()); }
        CRC32 c = new CRC32(); c.update(data);
        Adler32 a = new Adler32(); a.update(data, 4, 5);
        System.out.println(Long.toHexString(c.getValue()) + " " + a.getValue());
        System.out.println(hex(java.security.MessageDigest.getInstance("MD5").digest(data)));
        System.out.println(hex(java.security.MessageDigest.getInstance("SHA-1").digest(data)));
        System.out.println(hex(java.security.MessageDigest.getInstance("SHA-256").digest(data)));
        try { UUID.fromString("xyz"); } catch (IllegalArgumentException x) { System.out.println("bad uuid"); }
        System.out.println(hex(HexFormat.of().parseHex("00ff7f")) + " " + HexFormat.ofDelimiter(":").withUpperCase().formatHex(new byte[] {10, 11}));
    }
}

// Spark's own Bloom filter, from the sketch jar inside PyPI's pyspark.
//   java -cp JAR Oracle.java make FILE KIND VERSION ITEMS BITS SEED < keys
//   java -cp JAR Oracle.java ask FILE KIND < keys        prints 1 or 0 for each
// KIND is text (put as binary, so that bytes are what they are) or long.
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.apache.spark.util.sketch.BloomFilter;

public class Oracle {
  public static void main(String[] args) throws Exception {
    boolean longs = args[2].equals("long");
    boolean make = args[0].equals("make");
    BloomFilter filter;
    if (make) {
      filter = BloomFilter.create(BloomFilter.Version.valueOf(args[3]), Long.parseLong(args[4]),
          Long.parseLong(args[5]), Integer.parseInt(args[6]));
    } else {
      try (InputStream in = new BufferedInputStream(new FileInputStream(args[1]))) {
        filter = BloomFilter.readFrom(in);
      }
    }
    StringBuilder answers = new StringBuilder();
    BufferedReader keys =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String key; (key = keys.readLine()) != null; ) {
      byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
      if (make) {
        boolean unused = longs ? filter.putLong(Long.parseLong(key)) : filter.putBinary(bytes);
      } else {
        boolean has = longs ? filter.mightContainLong(Long.parseLong(key))
                            : filter.mightContainBinary(bytes);
        answers.append(has ? '1' : '0');
      }
    }
    if (make) {
      try (OutputStream out = new BufferedOutputStream(new FileOutputStream(args[1]))) {
        filter.writeTo(out);
      }
    }
    System.out.print(answers);
  }
}

// Guava's own Bloom filter. In Guava's package, since only it can name the older strategy.
//   java -cp guava.jar:DIR com.google.common.hash.Oracle make FILE FUNNEL ORDINAL ITEMS RATE < keys
//   java -cp guava.jar:DIR com.google.common.hash.Oracle ask FILE FUNNEL < keys   prints 1s and 0s
// FUNNEL is bytes, utf-8, utf-16 (unencoded characters), long or int.
package com.google.common.hash;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

public class Oracle {
  // Takes a key as text and puts it as the funnel does.
  static Funnel<String> funnelOf(String name) {
    switch (name) {
      case "bytes":
        return (key, sink) ->
            Funnels.byteArrayFunnel().funnel(key.getBytes(StandardCharsets.UTF_8), sink);
      case "utf-8":
        return (key, sink) -> Funnels.stringFunnel(StandardCharsets.UTF_8).funnel(key, sink);
      case "utf-16":
        return (key, sink) -> Funnels.unencodedCharsFunnel().funnel(key, sink);
      case "long":
        return (key, sink) -> Funnels.longFunnel().funnel(Long.valueOf(key), sink);
      case "int":
        return (key, sink) -> Funnels.integerFunnel().funnel(Integer.valueOf(key), sink);
      default:
        throw new IllegalArgumentException(name);
    }
  }

  public static void main(String[] args) throws Exception {
    Funnel<String> funnel = funnelOf(args[2]);
    boolean make = args[0].equals("make");
    BloomFilter<String> filter;
    if (make) {
      filter = BloomFilter.create(funnel, Long.parseLong(args[4]), Double.parseDouble(args[5]),
          BloomFilterStrategies.values()[Integer.parseInt(args[3])]);
    } else {
      try (InputStream in = new BufferedInputStream(new FileInputStream(args[1]))) {
        filter = BloomFilter.readFrom(in, funnel);
      }
    }
    StringBuilder answers = new StringBuilder();
    BufferedReader keys =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String key; (key = keys.readLine()) != null; ) {
      if (make) {
        filter.put(key);
      } else {
        answers.append(filter.mightContain(key) ? '1' : '0');
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

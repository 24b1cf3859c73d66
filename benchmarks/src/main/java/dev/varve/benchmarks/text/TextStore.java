package dev.varve.benchmarks.text;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.IdSink;
import dev.varve.benchmarks.index.IndexStore;

/** An inverted index under comparison. Confined to one thread. */
public interface TextStore extends IndexStore {
  /** Puts a text of ASCII characters in. */
  void insert(byte[] text, long id) throws BenchmarkException;

  /** Hands on the texts that have all tokens of another. */
  void all(String tokens, IdSink found) throws BenchmarkException;
}

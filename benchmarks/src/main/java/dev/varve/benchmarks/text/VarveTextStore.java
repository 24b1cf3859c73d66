package dev.varve.benchmarks.text;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.IdSink;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.index.IndexStore;
import dev.varve.benchmarks.index.VarveIndex;
import dev.varve.benchmarks.store.ReadDelay;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.invertedindex.InvertedFormat;
import dev.varve.invertedindex.query.TextQuery;
import dev.varve.invertedindex.token.KeywordTokenizer;
import dev.varve.invertedindex.token.NGramTokenizer;
import dev.varve.invertedindex.token.TokenKey;
import dev.varve.invertedindex.token.Tokenizer;

/** An LSM inverted index of the product. Confined to one thread. */
final class VarveTextStore implements TextStore, IndexStore.Delegating {
  static final double FALSE_POSITIVES = 0.01;

  private static final int GRAM = 3;

  private final Tokenizer tokenizer;
  private final VarveIndex<TextQuery> index;
  private final byte[] keyBytes = new byte[Long.BYTES];
  private final Slice primaryKey = new Slice();
  private final Entry entry = new Entry();

  private VarveTextStore(Tokenizer tokenizer, VarveIndex<TextQuery> index) {
    this.tokenizer = tokenizer;
    this.index = index;
    primaryKey.set(keyBytes, 0, keyBytes.length);
  }

  static VarveTextStore open(IndexSettings settings, Tokens tokens) throws BenchmarkException {
    Tokenizer tokenizer =
        switch (tokens) {
          case WORDS -> new KeywordTokenizer();
          case GRAMS -> new NGramTokenizer(GRAM);
        };
    return new VarveTextStore(
        tokenizer,
        VarveIndex.open(settings, new InvertedFormat(tokenizer), FALSE_POSITIVES, ReadDelay.NONE));
  }

  @Override
  public void insert(byte[] text, long id) throws BenchmarkException {
    Bytes.putLongBigEndian(keyBytes, 0, id);
    TokenKey.document(primaryKey, entry.key());
    entry.value().set(text, 0, text.length);
    index.put(entry);
  }

  @Override
  public void all(String tokens, IdSink found) throws BenchmarkException {
    Slice view = new Slice();
    try (EntryCursor cursor = index.lsm().search(TextQuery.allWords(tokenizer, tokens))) {
      while (cursor.next()) {
        Slice key = TokenKey.viewPrimaryKey(cursor.entry().key(), view);
        found.accept(Bytes.getLongBigEndian(key.bytes(), key.offset()));
      }
    } catch (StorageException e) {
      throw new BenchmarkException("search", e);
    }
  }

  @Override
  public IndexStore index() {
    return index;
  }
}

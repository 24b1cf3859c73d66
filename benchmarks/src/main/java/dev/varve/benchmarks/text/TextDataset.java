package dev.varve.benchmarks.text;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.DatasetIndex;
import dev.varve.benchmarks.index.IdSink;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.index.IndexStore;
import dev.varve.dataset.model.TextSearch;
import java.nio.charset.StandardCharsets;

/**
 * A dataset of the product with an inverted index. Confined to one thread.
 *
 * @param index the dataset, which is closed with this
 * @param answers what searches hand on
 * @param tokens what the index has
 */
record TextDataset(DatasetIndex index, DatasetIndex.Answers answers, Tokens tokens)
    implements TextStore, IndexStore.Delegating {
  static TextDataset open(IndexSettings settings, Tokens tokens, DatasetIndex.Answers answers)
      throws BenchmarkException {
    String kind =
        switch (tokens) {
          case WORDS -> "keyword";
          case GRAMS -> "ngram3";
        };
    return new TextDataset(DatasetIndex.of(settings, kind + ":text"), answers, tokens);
  }

  @Override
  public void insert(byte[] text, long id) throws BenchmarkException {
    String json =
        "{\"id\":" + id + ",\"text\":\"" + new String(text, StandardCharsets.US_ASCII) + "\"}";
    index.insert(json.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public void all(String words, IdSink found) throws BenchmarkException {
    TextSearch search =
        switch (tokens) {
          case WORDS -> TextSearch.allWords(words);
          case GRAMS -> TextSearch.containing(words);
        };
    index.ids(answers, search, Long.MAX_VALUE, found);
  }
}

package dev.varve.benchmarks.text;

import dev.varve.benchmarks.index.IndexContender;
import dev.varve.benchmarks.index.IndexKind;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.index.IndexSettings.Budget;
import dev.varve.benchmarks.index.LuceneIndex;
import dev.varve.benchmarks.index.VarveIndex;
import dev.varve.benchmarks.store.AsterixDbNode;
import dev.varve.benchmarks.store.ChildHeap;
import dev.varve.benchmarks.store.StoreException;
import java.util.List;
import java.util.Map;

/**
 * The text indexes that can be compared. A constant loads nothing of its library until {@link
 * #open}.
 */
public enum TextStoreKind implements IndexKind {
  /** The product's inverted index. */
  VARVE("varve") {
    @Override
    public TextStore open(IndexSettings settings, Tokens tokens) throws StoreException {
      return VarveTextStore.open(settings, tokens);
    }

    @Override
    String options(Budget budget) {
      return VarveIndex.describe(budget, VarveTextStore.FALSE_POSITIVES);
    }

    @Override
    List<String> jvmArguments(Budget budget) {
      return ChildHeap.arguments(heap(budget));
    }
  },

  /** AsterixDB's inverted index. */
  ASTERIXDB("asterixdb") {
    @Override
    public TextStore open(IndexSettings settings, Tokens tokens) throws StoreException {
      return HyracksTextStore.open(settings, tokens);
    }

    @Override
    String options(Budget budget) {
      return AsterixDbNode.describe(budget.pageBytes(), budget.cacheBytes(), budget.memoryBytes())
          + "; numbers of 32 bits, 32 MiB for the lists of a search, frames as large as pages";
    }

    @Override
    List<String> jvmArguments(Budget budget) {
      return ChildHeap.arguments(
          heap(budget), "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED");
    }
  },

  /** Lucene. */
  LUCENE("lucene") {
    @Override
    public TextStore open(IndexSettings settings, Tokens tokens) throws StoreException {
      return LuceneTextStore.open(settings, tokens);
    }

    @Override
    String options(Budget budget) {
      return "WhitespaceTokenizer or NGramTokenizer(3, 3), no positions, frequencies and norms;"
          + " FILTER clauses; "
          + LuceneIndex.describe(budget);
    }

    @Override
    List<String> jvmArguments(Budget budget) {
      return ChildHeap.arguments(heap(budget));
    }
  };

  private final String label;

  TextStoreKind(String label) {
    this.label = label;
  }

  @Override
  public String label() {
    return label;
  }

  /** Opens an index in its empty directory; the caller closes it. */
  public abstract TextStore open(IndexSettings settings, Tokens tokens) throws StoreException;

  abstract String options(Budget budget);

  abstract List<String> jvmArguments(Budget budget);

  @Override
  public IndexContender contender(IndexSettings settings) {
    return new IndexContender(
        label,
        options(settings.budget()),
        jvmArguments(settings.budget()),
        settings.in(settings.directory().resolve(label)),
        Map.of());
  }

  /** Two indexes one after the other; and the texts themselves, which answers are verified by. */
  private static long heap(Budget budget) {
    return 2 * (budget.cacheBytes() + budget.memoryBytes());
  }
}

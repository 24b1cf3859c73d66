package dev.varve.benchmarks.text;

import com.google.errorprone.annotations.Immutable;
import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.DatasetIndex;
import dev.varve.benchmarks.index.DatasetIndex.Answers;
import dev.varve.benchmarks.index.IndexContender;
import dev.varve.benchmarks.index.IndexKind;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.index.IndexSettings.Budget;
import dev.varve.benchmarks.index.LuceneIndex;
import dev.varve.benchmarks.index.VarveIndex;
import dev.varve.benchmarks.store.AsterixDbNode;
import dev.varve.benchmarks.store.ChildHeap;
import java.util.Map;

/**
 * The text indexes that can be compared. A constant loads nothing of its library until {@link
 * #open}: what it is made of are lambdas, which the JVM links when they are called.
 */
public enum TextStoreKind implements IndexKind {
  /** The product's inverted index. */
  VARVE(
      "varve",
      budget -> VarveIndex.describe(budget, VarveTextStore.FALSE_POSITIVES),
      (settings, tokens) -> VarveTextStore.open(settings, tokens)),

  /** Keys of a dataset of the product. */
  VARVE_KEYS(
      "varve-keys",
      budget -> DatasetIndex.describe(budget, Answers.KEYS),
      (settings, tokens) -> TextDataset.open(settings, tokens, Answers.KEYS)),

  /** Records of a dataset of the product. */
  VARVE_RECORDS(
      "varve-records",
      budget -> DatasetIndex.describe(budget, Answers.RECORDS),
      (settings, tokens) -> TextDataset.open(settings, tokens, Answers.RECORDS)),

  /** AsterixDB's inverted index. */
  ASTERIXDB(
      "asterixdb",
      budget ->
          AsterixDbNode.describe(
                  budget.pageBytes(), budget.memory().cacheBytes(), budget.memory().writeBytes())
              + "; numbers of 32 bits, 32 MiB for the lists of a search, frames as large as pages",
      (settings, tokens) -> HyracksTextStore.open(settings, tokens)),

  /** Lucene. */
  LUCENE(
      "lucene",
      budget ->
          "WhitespaceTokenizer or NGramTokenizer(3, 3), no positions, frequencies and norms;"
              + " FILTER clauses; "
              + LuceneIndex.describe(budget),
      (settings, tokens) -> LuceneTextStore.open(settings, tokens));

  private final String label;
  private final Description description;
  private final Opener opener;

  /** Opens an index in an empty directory; its caller closes it. */
  @Immutable
  @FunctionalInterface
  private interface Opener {
    TextStore open(IndexSettings settings, Tokens tokens) throws BenchmarkException;
  }

  TextStoreKind(String label, Description description, Opener opener) {
    this.label = label;
    this.description = description;
    this.opener = opener;
  }

  @Override
  public String label() {
    return label;
  }

  /** Opens an index in its empty directory; the caller closes it. */
  public TextStore open(IndexSettings settings, Tokens tokens) throws BenchmarkException {
    return opener.open(settings, tokens);
  }

  @Override
  public IndexContender contender(IndexSettings settings) {
    Budget budget = settings.budget();
    // Two indexes one after the other; and the texts themselves, which answers are verified by.
    long heap = 2 * budget.memory().totalBytes();
    return new IndexContender(
        label,
        description.of(budget),
        this == ASTERIXDB ? AsterixDbNode.jvmArguments(heap) : ChildHeap.arguments(heap),
        settings.in(settings.directory().resolve(label)),
        Map.of());
  }
}

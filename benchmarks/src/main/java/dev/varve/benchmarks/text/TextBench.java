package dev.varve.benchmarks.text;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.IdSink;
import dev.varve.benchmarks.index.IndexBench;
import dev.varve.benchmarks.index.IndexPhase;
import dev.varve.benchmarks.index.IndexPhase.Kind;
import dev.varve.benchmarks.index.IndexRequest;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.index.PhaseMeter;
import dev.varve.benchmarks.measure.Labelled;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Work;
import dev.varve.benchmarks.report.Goal;
import dev.varve.benchmarks.report.Metric;
import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.DiskException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An index of words and then one of 3-grams over the same texts, both of one store. Confined to one
 * thread.
 */
public final class TextBench implements IndexBench {
  /** All texts go into the index of words. */
  public static final String WORDS_LOAD = "words-load";

  /** Texts that have two words. */
  public static final String WORDS = "words";

  /** All texts go into the index of 3-grams. */
  public static final String GRAMS_LOAD = "grams-load";

  /** Texts that have a needle in them. */
  public static final String GRAMS = "grams";

  /** What is done, in order. */
  public static final List<IndexPhase> PHASES =
      List.of(
          new IndexPhase(WORDS_LOAD, "Load texts by words, merges included", Kind.LOAD),
          new IndexPhase(WORDS, "Texts with two words", Kind.QUERY),
          new IndexPhase(GRAMS_LOAD, "Load texts by 3-grams, merges included", Kind.LOAD),
          new IndexPhase(GRAMS, "Texts with a substring, verified", Kind.QUERY));

  private static final String ASTERIXDB = "asterixdb";
  private static final String LUCENE = "lucene";

  /** Where the first store must stand. */
  public static final List<Goal> GOALS =
      List.of(
          Goal.goal("keyword ingest", WORDS_LOAD, Metric.SETTLED_RATE, 10, ASTERIXDB),
          Goal.goal("keyword ingest", WORDS_LOAD, Metric.SETTLED_RATE, 0.8, LUCENE),
          Goal.goal("two words", WORDS, Metric.RATE, 1, LUCENE),
          Goal.goal("two words, p99", WORDS, Metric.P99, 1, LUCENE),
          Goal.goal("3-gram ingest", GRAMS_LOAD, Metric.SETTLED_RATE, 10, ASTERIXDB),
          Goal.goal("3-gram ingest", GRAMS_LOAD, Metric.SETTLED_RATE, 1, LUCENE),
          Goal.goal("substrings", GRAMS, Metric.RATE, 1, LUCENE));

  private static final int QUERIES = 1_000;

  private final TextStoreKind kind;
  private final IndexSettings settings;
  private final FileSystem files;
  private final Clock clock;
  private final TweetTexts texts;
  private final List<String> pairs;
  private final List<String> needles;
  private @Nullable TextStore words;
  private @Nullable TextStore grams;

  /** Hands on what has a needle in it, of what an index says may have it. */
  private static final class Verified implements IdSink {
    private final TweetTexts texts;
    private final byte[] needle;
    private final IdSink found;

    Verified(TweetTexts texts, byte[] needle, IdSink found) {
      this.texts = texts;
      this.needle = needle;
      this.found = found;
    }

    @Override
    public void accept(long id) {
      if (texts.contains((int) id, needle)) {
        found.accept(id);
      }
    }
  }

  private TextBench(TextStoreKind kind, IndexSettings settings, FileSystem files, Clock clock) {
    this.kind = kind;
    this.settings = settings;
    this.files = files;
    this.clock = clock;
    this.texts = new TweetTexts(settings.count(), settings.seed());
    this.pairs = texts.pairs(QUERIES);
    this.needles = texts.needles(QUERIES);
  }

  /** A bench of the store that a request names; the caller closes it. */
  public static TextBench open(IndexRequest request, FileSystem files, Clock clock)
      throws BenchmarkException {
    TextStoreKind kind =
        Labelled.find(TextStoreKind.values(), request.store())
            .orElseThrow(() -> new BenchmarkException("no store is called " + request.store()));
    return new TextBench(kind, request.settings(), files, clock);
  }

  @Override
  public Measurement run(Work work, DoubleConsumer progress) throws BenchmarkException {
    return switch (work.task()) {
      case WORDS_LOAD -> {
        warmUp(Tokens.WORDS);
        words = open(settings, Tokens.WORDS);
        yield load(words, work, progress);
      }
      case WORDS -> {
        TextStore store = opened(words);
        yield meter(store)
            .ask(QUERIES, work, (number, found) -> store.all(pairs.get(number), found));
      }
      case GRAMS_LOAD -> {
        // The memory of one index is enough at a time.
        opened(words).close();
        words = null;
        warmUp(Tokens.GRAMS);
        grams = open(settings, Tokens.GRAMS);
        yield load(grams, work, progress);
      }
      case GRAMS -> {
        TextStore store = opened(grams);
        yield meter(store)
            .ask(
                QUERIES,
                work,
                (number, found) -> {
                  String needle = needles.get(number);
                  byte[] bytes = needle.getBytes(StandardCharsets.US_ASCII);
                  store.all(needle, new Verified(texts, bytes, found));
                });
      }
      default -> throw new BenchmarkException("no phase is called " + work.task());
    };
  }

  /** An index of its own is loaded first, so that a load is not one of the JVM's compilers. */
  private void warmUp(Tokens tokens) throws BenchmarkException {
    try (TextStore scratch = open(settings.inScratch(files), tokens)) {
      meter(scratch)
          .warmUp(
              texts.count(),
              TweetTexts.LENGTH,
              number -> scratch.insert(texts.text(number), number));
    }
  }

  private TextStore open(IndexSettings given, Tokens tokens) throws BenchmarkException {
    Path place = given.directory().resolve(tokens.name().toLowerCase(Locale.ROOT));
    try {
      files.createDirectories(place);
    } catch (DiskException e) {
      throw new BenchmarkException("make " + place, e);
    }
    return kind.open(given.in(place), tokens);
  }

  private static TextStore opened(@Nullable TextStore store) throws BenchmarkException {
    if (store == null) {
      throw new BenchmarkException("nothing was loaded");
    }
    return store;
  }

  private Measurement load(TextStore store, Work work, DoubleConsumer progress)
      throws BenchmarkException {
    return meter(store)
        .change(
            texts.count(),
            TweetTexts.LENGTH + Long.BYTES,
            work,
            number -> store.insert(texts.text(number), number),
            progress);
  }

  private PhaseMeter meter(TextStore store) {
    return new PhaseMeter(store, files, clock);
  }

  @Override
  public void close() throws BenchmarkException {
    if (words != null) {
      words.close();
    }
    if (grams != null) {
      grams.close();
    }
  }
}

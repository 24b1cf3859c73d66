package dev.varve.benchmarks.index;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.store.DiskBytes;
import dev.varve.benchmarks.store.StoreFigures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collection;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.jspecify.annotations.Nullable;

/**
 * An index of Lucene with its defaults, but for the RAM buffer, which is the memory that every
 * store is given for writes, and for the cache of queries, which would remember answers. Confined
 * to one thread.
 */
public final class LuceneIndex implements IndexStore {
  private static final String ID = "id";

  private final Path place;
  private final Directory directory;
  private final IndexWriter writer;
  private final NumericDocValuesField idField = new NumericDocValuesField(ID, 0);
  private @Nullable DirectoryReader reader;
  private @Nullable IndexSearcher searcher;

  private LuceneIndex(Path place, Directory directory, IndexWriter writer) {
    this.place = place;
    this.directory = directory;
    this.writer = writer;
  }

  /** The options in words. */
  public static String describe(IndexSettings.Budget budget) {
    return "IndexWriterConfig's defaults, RAM buffer "
        + budget.memory().writeBytes()
        + " bytes, number as NumericDocValues, no query cache, files mapped into memory, commit and"
        + " merges awaited at the end of a change";
  }

  /** Opens an index without text in an empty directory; the caller closes it. */
  public static LuceneIndex open(IndexSettings settings) throws BenchmarkException {
    return open(settings, new WhitespaceAnalyzer());
  }

  /** Opens an index in an empty directory; the caller closes it. */
  @SuppressWarnings("MustBeClosedChecker") // closed with this
  public static LuceneIndex open(IndexSettings settings, Analyzer analyzer)
      throws BenchmarkException {
    try {
      Directory directory = FSDirectory.open(settings.directory());
      IndexWriterConfig config =
          new IndexWriterConfig(analyzer)
              .setRAMBufferSizeMB(settings.budget().memory().writeBytes() / (double) (1 << 20));
      return new LuceneIndex(settings.directory(), directory, new IndexWriter(directory, config));
    } catch (IOException e) {
      throw new BenchmarkException("open", e);
    }
  }

  /** Adds a document under a number. The document is the caller's to change for the next one. */
  public void add(Document document, long id) throws BenchmarkException {
    if (document.getField(ID) == null) {
      document.add(idField);
    }
    idField.setLongValue(id);
    try {
      writer.addDocument(document);
    } catch (IOException e) {
      throw new BenchmarkException("insert", e);
    }
  }

  /** The documents with a number, found by looking at those that other clauses let through. */
  public static Query withId(long id) {
    return NumericDocValuesField.newSlowExactQuery(ID, id);
  }

  /** Deletes what a query finds. */
  public void delete(Query query) throws BenchmarkException {
    try {
      writer.deleteDocuments(query);
    } catch (IOException e) {
      throw new BenchmarkException("delete", e);
    }
  }

  /** Hands on the numbers of what a query finds. */
  public void search(Query query, IdSink found) throws BenchmarkException {
    IndexSearcher open = searcher;
    if (open == null) {
      throw new BenchmarkException("asked before anything was committed");
    }
    try {
      open.search(query, new Collecting(found));
    } catch (IOException | UncheckedIOException e) {
      throw new BenchmarkException("search", e);
    }
  }

  /** One collector is enough: the searcher has no threads. */
  private record Collecting(IdSink found) implements CollectorManager<IdCollector, IdSink> {
    @Override
    public IdCollector newCollector() {
      return new IdCollector(found);
    }

    @Override
    public IdSink reduce(Collection<IdCollector> collectors) {
      return found;
    }
  }

  private static final class IdCollector extends SimpleCollector {
    private final IdSink found;
    private @Nullable NumericDocValues ids;

    IdCollector(IdSink found) {
      this.found = found;
    }

    @Override
    protected void doSetNextReader(LeafReaderContext context) {
      try {
        ids = context.reader().getNumericDocValues(ID);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void collect(int document) {
      NumericDocValues values = ids;
      try {
        if (values == null || !values.advanceExact(document)) {
          throw new IOException("document " + document + " has no number");
        }
        found.accept(values.longValue());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public ScoreMode scoreMode() {
      return ScoreMode.COMPLETE_NO_SCORES;
    }
  }

  @Override
  public void settle() throws BenchmarkException {
    try {
      writer.commit();
      if (writer.getConfig().getMergeScheduler() instanceof ConcurrentMergeScheduler merges) {
        merges.sync();
      }
      writer.commit();
      DirectoryReader old = reader;
      DirectoryReader fresh = DirectoryReader.open(directory);
      reader = fresh;
      IndexSearcher open = new IndexSearcher(fresh);
      open.setQueryCache(null);
      searcher = open;
      if (old != null) {
        old.close();
      }
    } catch (IOException e) {
      throw new BenchmarkException("commit", e);
    }
  }

  @Override
  public void compact() throws BenchmarkException {
    try {
      writer.forceMerge(1);
    } catch (IOException e) {
      throw new BenchmarkException("merge", e);
    }
    settle();
  }

  @Override
  public StoreFigures figures() {
    DirectoryReader open = reader;
    return new StoreFigures(open == null ? 0 : open.leaves().size(), DiskBytes.below(place));
  }

  @Override
  public void close() throws BenchmarkException {
    try {
      if (reader != null) {
        reader.close();
      }
      writer.close();
      directory.close();
    } catch (IOException e) {
      throw new BenchmarkException("close", e);
    }
  }
}

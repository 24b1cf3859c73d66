package dev.varve.benchmarks.text;

import dev.varve.benchmarks.index.IdSink;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.store.AsterixDbNode;
import dev.varve.benchmarks.store.ReadDelay;
import dev.varve.benchmarks.store.StoreException;
import dev.varve.benchmarks.store.StoreFigures;
import java.nio.charset.StandardCharsets;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.dataflow.value.ITypeTraits;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.data.std.accessors.IntegerBinaryComparatorFactory;
import org.apache.hyracks.data.std.accessors.UTF8StringBinaryComparatorFactory;
import org.apache.hyracks.data.std.primitive.IntegerPointable;
import org.apache.hyracks.data.std.primitive.UTF8StringPointable;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.common.freepage.AppendOnlyLinkedMetadataPageManagerFactory;
import org.apache.hyracks.storage.am.common.impls.NoOpIndexAccessParameters;
import org.apache.hyracks.storage.am.lsm.common.impls.NoOpIOOperationCallbackFactory;
import org.apache.hyracks.storage.am.lsm.common.impls.NoOpPageWriteCallbackFactory;
import org.apache.hyracks.storage.am.lsm.common.impls.ThreadCountingTracker;
import org.apache.hyracks.storage.am.lsm.invertedindex.fulltext.FullTextConfigEvaluatorFactory;
import org.apache.hyracks.storage.am.lsm.invertedindex.fulltext.IFullTextConfigEvaluatorFactory;
import org.apache.hyracks.storage.am.lsm.invertedindex.impls.LSMInvertedIndex;
import org.apache.hyracks.storage.am.lsm.invertedindex.search.ConjunctiveSearchModifier;
import org.apache.hyracks.storage.am.lsm.invertedindex.search.InvertedIndexSearchPredicate;
import org.apache.hyracks.storage.am.lsm.invertedindex.tokenizers.DelimitedUTF8StringBinaryTokenizerFactory;
import org.apache.hyracks.storage.am.lsm.invertedindex.tokenizers.IBinaryTokenizerFactory;
import org.apache.hyracks.storage.am.lsm.invertedindex.tokenizers.NGramUTF8StringBinaryTokenizerFactory;
import org.apache.hyracks.storage.am.lsm.invertedindex.tokenizers.UTF8NGramTokenFactory;
import org.apache.hyracks.storage.am.lsm.invertedindex.tokenizers.UTF8WordTokenFactory;
import org.apache.hyracks.storage.am.lsm.invertedindex.util.InvertedIndexUtils;
import org.apache.hyracks.storage.common.IIndexAccessor;
import org.apache.hyracks.storage.common.IIndexCursor;
import org.apache.hyracks.util.trace.ITracer;

/** An LSM inverted index of AsterixDB: an accessor for changes, one with a cursor for searches. */
final class HyracksTextStore implements TextStore {
  private static final int GRAM = 3;
  private static final IBinaryComparatorFactory[] NUMBER = {
    IntegerBinaryComparatorFactory.INSTANCE
  };
  private static final IBinaryComparatorFactory[] TOKEN = {
    UTF8StringBinaryComparatorFactory.INSTANCE
  };

  private final AsterixDbNode node;
  private final LSMInvertedIndex index;
  private final IIndexAccessor changes;
  private final IIndexAccessor searches;
  private final IIndexCursor cursor;
  private final InvertedIndexSearchPredicate wanted;
  private final HyracksText document = new HyracksText();
  private final HyracksText query = new HyracksText();

  private HyracksTextStore(AsterixDbNode node, Tokens tokens) throws HyracksDataException {
    this.node = node;
    IBinaryTokenizerFactory tokenizer = tokenizer(tokens);
    IFullTextConfigEvaluatorFactory whole = FullTextConfigEvaluatorFactory.getDefaultFactory();
    this.index = index(node, tokenizer, whole);
    index.create();
    index.activate();
    this.changes = index.createAccessor(NoOpIndexAccessParameters.INSTANCE);
    this.searches = index.createAccessor(node.searching());
    this.cursor = searches.createSearchCursor(false);
    this.wanted =
        new InvertedIndexSearchPredicate(
            tokenizer.createTokenizer(),
            whole.createFullTextConfigEvaluator(),
            new ConjunctiveSearchModifier());
    wanted.setQueryTuple(query);
    wanted.setQueryFieldIndex(0);
    wanted.setIsFullTextSearchQuery(false);
  }

  /** Creates an index in an empty directory; the caller closes it. */
  static HyracksTextStore open(IndexSettings settings, Tokens tokens) throws StoreException {
    IndexSettings.Budget budget = settings.budget();
    AsterixDbNode node =
        AsterixDbNode.open(
            new AsterixDbNode.Sizes(
                settings.directory(),
                budget.pageBytes(),
                budget.cacheBytes(),
                budget.memoryBytes()),
            ReadDelay.NONE);
    try {
      return new HyracksTextStore(node, tokens);
    } catch (HyracksDataException e) {
      node.close();
      throw new StoreException("create", e);
    }
  }

  private static IBinaryTokenizerFactory tokenizer(Tokens tokens) {
    return switch (tokens) {
      case WORDS ->
          new DelimitedUTF8StringBinaryTokenizerFactory(
              /* ignoreTokenCount= */ true,
              /* sourceHasTypeTag= */ false,
              new UTF8WordTokenFactory());
      case GRAMS ->
          new NGramUTF8StringBinaryTokenizerFactory(
              GRAM,
              /* usePrePost= */ false,
              /* ignoreTokenCount= */ true,
              /* sourceHasTypeTag= */ false,
              new UTF8NGramTokenFactory());
    };
  }

  private static LSMInvertedIndex index(
      AsterixDbNode node, IBinaryTokenizerFactory tokenizer, IFullTextConfigEvaluatorFactory whole)
      throws HyracksDataException {
    return InvertedIndexUtils.createLSMInvertedIndex(
        node.files(),
        node.memory(),
        new ITypeTraits[] {IntegerPointable.TYPE_TRAITS},
        NUMBER,
        new ITypeTraits[] {UTF8StringPointable.TYPE_TRAITS},
        TOKEN,
        tokenizer,
        whole,
        node.cache(),
        node.place("text").getAbsolutePath(),
        AsterixDbNode.FALSE_POSITIVES,
        AsterixDbNode.policy(),
        new ThreadCountingTracker(),
        node.scheduler(),
        NoOpIOOperationCallbackFactory.INSTANCE,
        NoOpPageWriteCallbackFactory.INSTANCE,
        /* invertedIndexFields= */ null,
        /* filterTypeTraits= */ null,
        /* filterCmpFactories= */ null,
        /* filterFields= */ null,
        /* filterFieldsForNonBulkLoadOps= */ null,
        /* invertedIndexFieldsForNonBulkLoadOps= */ null,
        /* durable= */ true,
        AppendOnlyLinkedMetadataPageManagerFactory.INSTANCE,
        ITracer.NONE,
        /* nullTypeTraits= */ null,
        /* nullIntrospector= */ null);
  }

  @Override
  public void insert(byte[] text, long id) throws StoreException {
    try {
      changes.insert(document.set(text, Math.toIntExact(id)));
    } catch (HyracksDataException e) {
      throw new StoreException("insert", e);
    }
  }

  @Override
  public void all(String tokens, IdSink found) throws StoreException {
    query.set(tokens.getBytes(StandardCharsets.US_ASCII), 0);
    try {
      searches.search(cursor, wanted);
      try {
        while (cursor.hasNext()) {
          cursor.next();
          ITupleReference tuple = cursor.getTuple();
          found.accept(IntegerPointable.getInteger(tuple.getFieldData(0), tuple.getFieldStart(0)));
        }
      } finally {
        cursor.close();
      }
    } catch (HyracksDataException e) {
      throw new StoreException("search", e);
    }
  }

  @Override
  public void settle() throws StoreException {
    node.settle(index);
  }

  @Override
  public StoreFigures figures() {
    return node.figures(index);
  }

  @Override
  public long cacheMisses() {
    return node.cacheMisses();
  }

  @Override
  public void close() throws StoreException {
    settle();
    try {
      cursor.destroy();
      searches.destroy();
      changes.destroy();
      index.deactivate();
    } catch (HyracksDataException e) {
      throw new StoreException("close", e);
    }
    node.close();
  }
}

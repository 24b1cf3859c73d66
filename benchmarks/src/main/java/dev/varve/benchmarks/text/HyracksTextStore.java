package dev.varve.benchmarks.text;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.HyracksIndex;
import dev.varve.benchmarks.index.IdSink;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.index.IndexStore;
import dev.varve.benchmarks.store.AsterixDbNode;
import dev.varve.benchmarks.store.ReadDelay;
import java.nio.charset.StandardCharsets;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.dataflow.value.ITypeTraits;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.data.std.accessors.IntegerBinaryComparatorFactory;
import org.apache.hyracks.data.std.accessors.UTF8StringBinaryComparatorFactory;
import org.apache.hyracks.data.std.primitive.IntegerPointable;
import org.apache.hyracks.data.std.primitive.UTF8StringPointable;
import org.apache.hyracks.storage.am.common.freepage.AppendOnlyLinkedMetadataPageManagerFactory;
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
import org.apache.hyracks.util.trace.ITracer;

/** An LSM inverted index of AsterixDB. Confined to one thread. */
final class HyracksTextStore implements TextStore, IndexStore.Delegating {
  private static final int GRAM = 3;
  private static final IBinaryComparatorFactory[] NUMBER = {
    IntegerBinaryComparatorFactory.INSTANCE
  };
  private static final IBinaryComparatorFactory[] TOKEN = {
    UTF8StringBinaryComparatorFactory.INSTANCE
  };
  private static final IFullTextConfigEvaluatorFactory WHOLE =
      FullTextConfigEvaluatorFactory.getDefaultFactory();

  private final HyracksIndex index;
  private final InvertedIndexSearchPredicate wanted;
  private final HyracksText document = new HyracksText();
  private final HyracksText query = new HyracksText();

  private HyracksTextStore(HyracksIndex index, IBinaryTokenizerFactory tokenizer) {
    this.index = index;
    this.wanted =
        new InvertedIndexSearchPredicate(
            tokenizer.createTokenizer(),
            WHOLE.createFullTextConfigEvaluator(),
            new ConjunctiveSearchModifier());
    wanted.setQueryTuple(query);
    wanted.setQueryFieldIndex(0);
    wanted.setIsFullTextSearchQuery(false);
  }

  /** Creates an index in an empty directory; the caller closes it. */
  static HyracksTextStore open(IndexSettings settings, Tokens tokens) throws BenchmarkException {
    IBinaryTokenizerFactory tokenizer = tokenizer(tokens);
    return new HyracksTextStore(
        HyracksIndex.create(
            HyracksIndex.sizes(settings),
            ReadDelay.NONE,
            node -> make(node, tokenizer),
            tuple -> IntegerPointable.getInteger(tuple.getFieldData(0), tuple.getFieldStart(0))),
        tokenizer);
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

  private static LSMInvertedIndex make(AsterixDbNode node, IBinaryTokenizerFactory tokenizer)
      throws HyracksDataException {
    return InvertedIndexUtils.createLSMInvertedIndex(
        node.files(),
        node.memory(),
        new ITypeTraits[] {IntegerPointable.TYPE_TRAITS},
        NUMBER,
        new ITypeTraits[] {UTF8StringPointable.TYPE_TRAITS},
        TOKEN,
        tokenizer,
        WHOLE,
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
  public void insert(byte[] text, long id) throws BenchmarkException {
    index.insert(document.set(text, Math.toIntExact(id)));
  }

  @Override
  public void all(String tokens, IdSink found) throws BenchmarkException {
    query.set(tokens.getBytes(StandardCharsets.US_ASCII), 0);
    index.search(wanted, found);
  }

  @Override
  public IndexStore index() {
    return index;
  }
}

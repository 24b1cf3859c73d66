package dev.varve.hyracks.adapter;

import dev.varve.common.bytes.Slice;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.data.std.util.GrowableArray;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.lsm.invertedindex.fulltext.IFullTextConfigEvaluator;
import org.apache.hyracks.storage.am.lsm.invertedindex.search.InvertedIndexSearchPredicate;
import org.apache.hyracks.storage.am.lsm.invertedindex.tokenizers.IBinaryTokenizer;
import org.apache.hyracks.storage.am.lsm.invertedindex.tokenizers.IToken;

/**
 * The tokens of a query, as the index has them. Immutable.
 *
 * @param tokens the different ones, in the order of their encodings
 * @param count how many there are, each as often as it occurs
 */
record QueryTokens(List<Token> tokens, int count) {
  /**
   * A token.
   *
   * @param encoded its encoding in the index's keys
   * @param weight how often the query has it
   */
  record Token(Slice encoded, int weight) {}

  /** Takes a query apart, by its full-text configuration if it has one. */
  static QueryTokens of(InvertedIndexSearchPredicate predicate, KeyField field)
      throws HyracksDataException {
    ITupleReference query = predicate.getQueryTuple();
    int at = predicate.getQueryFieldIndex();
    byte[] text = query.getFieldData(at);
    int start = query.getFieldStart(at);
    int length = query.getFieldLength(at);
    IBinaryTokenizer tokenizer = predicate.getQueryTokenizer();
    IFullTextConfigEvaluator evaluator = predicate.getFullTextConfigEvaluator();
    Collector found = new Collector(field);
    if (evaluator == null) {
      tokenizer.reset(text, start, length);
      while (tokenizer.hasNext()) {
        tokenizer.next();
        found.add(tokenizer.getToken());
      }
    } else {
      evaluator.setTokenizer(tokenizer);
      evaluator.reset(text, start, length);
      while (evaluator.hasNext()) {
        evaluator.next();
        found.add(evaluator.getToken());
      }
    }
    return found.tokens();
  }

  private static final class Collector {
    private final KeyField field;
    private final GrowableArray bytes = new GrowableArray();
    private final StoredTuple tuple = new StoredTuple(1);
    private final ByteSink encoded = new ByteSink();
    private final Map<Slice, Integer> weights = new TreeMap<>(Slice::compareBytes);
    private int count;

    Collector(KeyField field) {
      this.field = field;
    }

    void add(IToken token) throws HyracksDataException {
      bytes.reset();
      try {
        token.serializeToken(bytes);
      } catch (IOException failure) {
        throw HyracksDataException.create(failure);
      }
      tuple.clear();
      tuple.sink().add(bytes.getByteArray(), 0, bytes.getLength());
      tuple.endField();
      encoded.clear();
      field.encode(tuple, 0, encoded);
      weights.merge(new Slice(encoded.toByteArray()), 1, Integer::sum);
      count++;
    }

    QueryTokens tokens() {
      return new QueryTokens(
          weights.entrySet().stream()
              .map(entry -> new Token(entry.getKey(), entry.getValue()))
              .toList(),
          count);
    }
  }
}

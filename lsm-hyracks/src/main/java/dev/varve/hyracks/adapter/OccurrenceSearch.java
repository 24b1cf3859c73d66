package dev.varve.hyracks.adapter;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.RecordCursor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.lsm.invertedindex.api.IInvertedIndexSearchModifier;
import org.apache.hyracks.storage.am.lsm.invertedindex.search.InvertedIndexSearchPredicate;

/**
 * What holds at least so many of a query's tokens, in the order of its keys: the lists of the
 * tokens are read side by side and merged, so that memory is needed for one pair of each list only.
 * How many tokens are enough, and between which numbers of tokens an answer lies, the predicate's
 * search modifier says: all, any, a similarity, an edit distance. Confined to one thread.
 */
final class OccurrenceSearch implements TupleSearch {
  /** The pairs of one token, which a query may have several times. */
  private static final class TokenList {
    private final byte[] token;
    private final int weight;
    private final RecordCursor pairs;
    private final Slice holder = new Slice();

    TokenList(byte[] token, int weight, RecordCursor pairs) {
      this.token = token;
      this.weight = weight;
      this.pairs = pairs;
    }

    boolean next() throws StorageException {
      if (!pairs.next()) {
        return false;
      }
      Slice key = pairs.key();
      assert key.length() > token.length : "a pair without a key";
      holder.copyOf(key.bytes(), key.offset() + token.length, key.length() - token.length);
      return true;
    }
  }

  private final PairReads pairs;
  private final TupleDescription tuples;
  private final List<TokenList> lists = new ArrayList<>();
  private final PriorityQueue<TokenList> heads =
      new PriorityQueue<>(Comparator.comparing(list -> list.holder, Slice::compareBytes));
  private final Slice holder = new Slice();
  private final ByteSink unused = new ByteSink();
  private int enough;

  private OccurrenceSearch(PairReads pairs, TupleDescription tuples) {
    this.pairs = pairs;
    this.tuples = tuples;
  }

  /** Begins a search. */
  @MustBeClosed
  static OccurrenceSearch open(
      PairReads pairs, TupleDescription tuples, InvertedIndexSearchPredicate predicate)
      throws StorageException, HyracksDataException {
    if (tuples.shape().tokenFields() == 0) {
      throw StorageFailures.refused("an index that is not inverted can't be searched for tokens");
    }
    OccurrenceSearch search = new OccurrenceSearch(pairs, tuples);
    boolean opened = false;
    try {
      search.openLists(predicate);
      opened = true;
      return search;
    } finally {
      if (!opened) {
        search.close();
      }
    }
  }

  private void openLists(InvertedIndexSearchPredicate predicate)
      throws StorageException, HyracksDataException {
    QueryTokens query = QueryTokens.of(predicate, tuples.keyFields().get(0));
    if (query.count() == 0) {
      return;
    }
    IInvertedIndexSearchModifier modifier = predicate.getSearchModifier();
    enough = modifier.getOccurrenceThreshold(query.count());
    if (enough <= 0) {
      // With so few tokens asked for, what holds none of them would be an answer, too.
      throw HyracksDataException.create(ErrorCode.OCCURRENCE_THRESHOLD_PANIC_EXCEPTION);
    }
    short count = (short) Math.min(Short.MAX_VALUE, query.count());
    short least = modifier.getNumTokensLowerBound(count);
    short most = modifier.getNumTokensUpperBound(count);
    for (QueryTokens.Token token : query.tokens()) {
      openList(token, range(token.encoded().toByteArray(), least, most));
    }
  }

  @SuppressWarnings("MustBeClosedChecker") // Closed with the search.
  private void openList(QueryTokens.Token token, KeyRange range) throws StorageException {
    TokenList list =
        new TokenList(token.encoded().toByteArray(), token.weight(), pairs.scan(range));
    lists.add(list);
    if (list.next()) {
      heads.add(list);
    }
  }

  /** The pairs of a token; a bound that is negative is none. */
  private KeyRange range(byte[] token, short least, short most) {
    KeyBound low = KeyBound.inclusive(token);
    KeyBound high = KeyBound.afterPrefix(token);
    if (tuples.shape() == IndexShape.PARTITIONED_INVERTED) {
      if (least >= 0) {
        low = KeyBound.inclusive(withCount(token, least));
      }
      if (most >= 0) {
        high = KeyBound.afterPrefix(withCount(token, most));
      }
    }
    return KeyRange.between(low, high);
  }

  private static byte[] withCount(byte[] token, short count) {
    ByteSink bytes = new ByteSink();
    bytes.add(token, 0, token.length);
    bytes.addBigEndian(count ^ Short.MIN_VALUE, Short.BYTES);
    return bytes.toByteArray();
  }

  @Override
  public boolean next(StoredTuple tuple) throws StorageException {
    while (!heads.isEmpty()) {
      holder.copyOf(heads.element().holder);
      int occurrences = 0;
      while (!heads.isEmpty() && heads.element().holder.sameBytes(holder)) {
        TokenList list = heads.remove();
        occurrences += list.weight;
        if (list.next()) {
          heads.add(list);
        }
      }
      assert occurrences > 0 : "nobody holds what was found";
      if (occurrences >= enough) {
        decode(tuple);
        return true;
      }
    }
    return false;
  }

  /** Fills a tuple with the fields behind the token and the count. */
  private void decode(StoredTuple tuple) {
    List<KeyField> fields = tuples.keyFields();
    int tokenFields = tuples.shape().tokenFields();
    int position = holder.offset();
    unused.clear();
    for (int field = 1; field < tokenFields; field++) {
      position = fields.get(field).decode(holder, position, unused);
    }
    tuple.clear();
    for (int field = tokenFields; field < fields.size(); field++) {
      position = fields.get(field).decode(holder, position, tuple.sink());
      tuple.endField();
    }
  }

  @Override
  public Place again(StoredTuple tuple) throws StorageException {
    ByteSink key = new ByteSink();
    int occurrences = 0;
    for (TokenList list : lists) {
      key.clear();
      key.add(list.token, 0, list.token.length);
      key.add(holder.bytes(), holder.offset(), holder.length());
      if (pairs.has(key.view(new Slice()))) {
        occurrences += list.weight;
      }
    }
    if (occurrences >= enough) {
      decode(tuple);
      return Place.THERE;
    }
    return next(tuple) ? Place.BEHIND : Place.AT_END;
  }

  @Override
  public void close() {
    RecordCursor.closeAll(lists.stream().map(list -> list.pairs).toList());
  }
}

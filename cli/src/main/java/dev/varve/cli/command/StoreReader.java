package dev.varve.cli.command;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.KeyValue;
import dev.varve.dataset.KeyValueStore;
import dev.varve.dataset.Store;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.RankedCursor;
import dev.varve.dataset.model.RecordCursor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads what has one name on all nodes: a dataset's records, or a key-value store's pairs. As
 * thread-safe as what it reads.
 *
 * @param stores of each node that has it; at least one
 */
record StoreReader(List<Store> stores) {
  /**
   * What is looked for.
   *
   * @param index the secondary index that answers; null for the primary
   * @param search what it is asked; null for the primary
   * @param range keys in the primary
   * @param filter which of the records
   */
  record Question(
      @Nullable String index, @Nullable IndexSearch search, KeyRange range, FilterRange filter) {
    /** Of primary keys, or the keys of a key-value store. */
    static Question ofKeys(KeyRange range) {
      return new Question(null, null, range, FilterRange.NONE);
    }

    /** Of a secondary index. */
    static Question ofIndex(String index, IndexSearch search) {
      return new Question(index, search, KeyRange.all(), FilterRange.NONE);
    }

    /** The same of some records only. */
    Question of(FilterRange wanted) {
      return new Question(index, search, range, wanted);
    }
  }

  /** Name of what is read. */
  String name() {
    return stores.get(0).name();
  }

  /** Whether keys and values are bytes, not JSON. */
  boolean holdsPairs() {
    return stores.get(0) instanceof KeyValueStore;
  }

  /**
   * The dataset, where one is needed.
   *
   * @throws RequestException with {@code UNSUPPORTED} when it is a key-value store
   */
  Dataset dataset() throws RequestException {
    if (stores.get(0) instanceof Dataset dataset) {
      return dataset;
    }
    throw new RequestException(
        RequestException.Reason.UNSUPPORTED,
        "'" + name() + "' is a key-value store, which has no secondary indexes");
  }

  /**
   * What has a key.
   *
   * @param values of the primary key, or the one key of a key-value store
   */
  Optional<StoredEntry> get(List<String> values) throws StorageException {
    for (Store store : stores) {
      try {
        Optional<StoredEntry> found =
            store instanceof Dataset dataset
                ? dataset.get(KeyArgument.parse(values)).map(StoredEntry::ofRecord)
                : getPair((KeyValueStore) store, values);
        if (found.isPresent()) {
          return found;
        }
      } catch (RequestException elsewhere) {
        // One of the other nodes has the key, if all of them are here.
        if (elsewhere.reason() != RequestException.Reason.WRONG_PARTITION || stores.size() == 1) {
          throw elsewhere;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<StoredEntry> getPair(KeyValueStore store, List<String> values)
      throws StorageException {
    byte[] key = StoredEntry.bytes(String.join(" ", values));
    KeyValue found = new KeyValue();
    return store.get(new Slice(key), found)
        ? Optional.of(StoredEntry.ofPair(found.key(), found.value()))
        : Optional.empty();
  }

  /**
   * Hands over what a question finds, of each node in its own order, and the nearest of all nodes
   * nearest first.
   *
   * @param most at most so many
   * @return how many there were, at most so many
   */
  long read(Question question, long most, Consumer<StoredEntry> taker) throws StorageException {
    List<Ranked> ranked = new ArrayList<>();
    long read = 0;
    for (Store store : stores) {
      try (RecordCursor cursor = open(store, question)) {
        if (cursor instanceof RankedCursor nearest) {
          for (long i = 0; i < most && nearest.next(); i++) {
            ranked.add(new Ranked(nearest.distance(), entry(store, nearest)));
          }
        } else {
          for (; read < most && cursor.next(); read++) {
            taker.accept(entry(store, cursor));
          }
        }
      }
    }
    ranked.sort(Comparator.comparingDouble(Ranked::distance));
    List<Ranked> first = ranked.subList(0, (int) Math.min(most, ranked.size()));
    first.forEach(found -> taker.accept(found.entry));
    return read + first.size();
  }

  /** A record and how far it is away. */
  private record Ranked(double distance, StoredEntry entry) {}

  private static StoredEntry entry(Store store, RecordCursor at) {
    return store instanceof Dataset
        ? StoredEntry.ofRecord(at.value().toByteArray())
        : StoredEntry.ofPair(at.key(), at.value());
  }

  /** What a question finds in one store. */
  @MustBeClosed
  static RecordCursor open(Store store, Question question) throws StorageException {
    if (store instanceof Dataset dataset) {
      return question.index == null || question.search == null
          ? dataset.scan(question.range, question.filter)
          : dataset.search(question.index, question.search, question.filter);
    }
    if (question.filter.restricts()) {
      throw new RequestException(
          RequestException.Reason.UNSUPPORTED,
          "'" + store.name() + "' is a key-value store, which has no filter field");
    }
    return ((KeyValueStore) store).scan(question.range);
  }
}

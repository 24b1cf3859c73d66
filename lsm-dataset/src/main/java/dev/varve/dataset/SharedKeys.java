package dev.varve.dataset;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordCursor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.stream.Collectors;

/**
 * Primary keys that have a record in more than one place, found by merging what the places hold.
 *
 * @param count how many
 * @param first the least of them, at most {@link #MOST_NAMED}
 */
record SharedKeys(long count, List<Key> first) {
  /** How many are named. */
  static final int MOST_NAMED = 5;

  /**
   * Reads all places side by side.
   *
   * @param places cursors in ascending order of their keys, which are closed
   */
  static SharedKeys of(List<RecordCursor> places) throws StorageException {
    try {
      PriorityQueue<RecordCursor> heads =
          new PriorityQueue<>(Comparator.comparing(RecordCursor::key, Slice::compareBytes));
      for (RecordCursor place : places) {
        if (place.next()) {
          heads.add(place);
        }
      }
      long count = 0;
      List<Key> first = new ArrayList<>();
      Slice key = new Slice();
      while (!heads.isEmpty()) {
        key.copyOf(heads.element().key());
        int holders = 0;
        while (!heads.isEmpty() && heads.element().key().sameBytes(key)) {
          holders++;
          RecordCursor place = heads.remove();
          if (nextAfter(place, key)) {
            heads.add(place);
          }
        }
        if (holders > 1) {
          count++;
          if (first.size() < MOST_NAMED) {
            first.add(Key.ofSlice(key));
          }
        }
      }
      return new SharedKeys(count, first);
    } finally {
      places.forEach(RecordCursor::close);
    }
  }

  /** Moves on past a key, which a place of several partitions may hold several times. */
  private static boolean nextAfter(RecordCursor place, Slice key) throws StorageException {
    boolean more = place.next();
    while (more && place.key().sameBytes(key)) {
      more = place.next();
    }
    return more;
  }

  /**
   * What is wrong; empty when no key is shared.
   *
   * @param dataset name of the dataset
   * @param places what the places are: {@code partitions}, {@code nodes}
   */
  Optional<String> problem(String dataset, String places) {
    if (count == 0) {
      return Optional.empty();
    }
    String named = first.stream().map(Key::toString).collect(Collectors.joining(", "));
    return Optional.of(
        "%d primary keys of '%s' have records in several %s: %s%s"
            .formatted(count, dataset, places, named, count > first.size() ? ", ..." : ""));
  }
}

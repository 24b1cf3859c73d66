package dev.varve.dataset.internal.partition;

import dev.varve.common.error.CorruptionException;
import dev.varve.dataset.internal.catalog.PartitionDescriptor;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The newest flush of each index of a partition: what must be on disk when the indexes are opened.
 * Thread-safe; one thread at a time remembers.
 */
final class ExpectedFlushes {
  /** By index; 0 for none. */
  private final Map<Integer, Long> newest = new ConcurrentHashMap<>();

  /** Expects what is known of the indexes of a partition. */
  void expect(PartitionDescriptor partition, Map<Integer, Long> known) {
    for (int position = 0; position < partition.indexCount(); position++) {
      int index = partition.indexId(position);
      newest.put(index, known.getOrDefault(index, 0L));
    }
  }

  /** Expects what open indexes have published, and nothing of others. */
  void remember(PartitionIndexes open) {
    newest.clear();
    for (int position = 0; position < open.size(); position++) {
      newest.put(open.id(position), open.get(position).state().newestFlush());
    }
  }

  /** Adds those that there are. */
  void addTo(Map<Integer, Long> all) {
    newest.forEach(
        (index, flush) -> {
          if (flush > 0) {
            all.put(index, flush);
          }
        });
  }

  /** Refuses indexes that lack their newest components: older ones show by the gap they leave. */
  void require(PartitionIndexes opened) throws CorruptionException {
    for (int position = 0; position < opened.size(); position++) {
      opened.requireFlush(position, newest.getOrDefault(opened.id(position), 0L));
    }
  }
}

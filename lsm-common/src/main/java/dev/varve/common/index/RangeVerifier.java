package dev.varve.common.index;

import dev.varve.common.bytes.Slice;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryValidity;
import dev.varve.common.format.Validity;
import java.util.List;

/**
 * Checks that the filter of each component covers the entries that count in it: the newest of their
 * keys, and not deleted. What is superseded was covered when it was written, and nobody needs it
 * any more. Thread-safe: no state.
 */
final class RangeVerifier {
  private RangeVerifier() {}

  /**
   * A component as it is checked.
   *
   * @param name which one it is
   * @param filter what it says
   */
  record Covering(String name, RangeFilter filter) {}

  /**
   * Checks all of them.
   *
   * @param states the reconciled entries of the components
   * @param validity what their deleted keys say
   * @param sources the components by their numbers as sources
   */
  static void verify(
      MergingCursor states, EntryValidity validity, List<Covering> sources, FilterValues values)
      throws StorageException {
    while (states.next()) {
      Entry entry = states.entry();
      int source = states.source();
      boolean counts = !entry.antimatter() && validity.of(source, entry.key()) == Validity.VALID;
      Slice value = counts ? values.of(entry) : null;
      Covering component = sources.get(source);
      if (value != null && !component.filter().covers(value)) {
        throw new CorruptionException(
            component.name(),
            -1,
            "its filter, from "
                + component.filter().smallest()
                + " to "
                + component.filter().largest()
                + ", leaves out the value "
                + value
                + " of entry "
                + entry.key());
      }
    }
  }
}

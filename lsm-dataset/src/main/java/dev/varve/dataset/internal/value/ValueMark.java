package dev.varve.dataset.internal.value;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Finds out which large values of a store count: it is shown all references as of a moment that was
 * opened after it was made. Confined to one thread as long as it is; thread-safe afterwards.
 */
public final class ValueMark {
  private final LargeValues values;
  private final Map<Long, Integer> sizes;
  private final Map<Long, Long> live = new HashMap<>();

  /** Of what was put so far; what is put from now on goes into other files, and stays. */
  public ValueMark(LargeValues values) {
    this.values = values;
    this.sizes = values.settled();
  }

  /** Whether there is something to look at. */
  public boolean isEmpty() {
    return sizes.isEmpty();
  }

  /** Takes what is stored under a key, a value or a reference. */
  public void see(Slice stored) {
    if (ValueReference.is(stored)) {
      ValueReference reference = ValueReference.read(stored);
      live.merge(reference.file(), (long) reference.length(), Long::sum);
    }
  }

  /** Files of which nothing was seen: only readers as of an earlier moment need them. */
  public Set<Long> dead() {
    return plan().dead();
  }

  /** Bytes of the values that were seen, in files that are still there. */
  public long liveBytes() {
    return live.entrySet().stream()
        .filter(each -> sizes.containsKey(each.getKey()) && values.has(each.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** All other bytes of these files. */
  public long deadBytes() {
    return Math.max(0, values.bytes(sizes.keySet()) - liveBytes());
  }

  /** Files that have to be emptied, since too much of them was not seen. */
  public Set<Long> toBeEmptied() {
    return plan().emptied();
  }

  private ReclaimPlan plan() {
    return ReclaimPlan.of(sizes, live);
  }

  /** Whether what is stored under a key is a value in one of some files. */
  public static boolean isIn(Collection<Long> files, Slice stored) {
    return ValueReference.is(stored) && files.contains(ValueReference.read(stored).file());
  }

  /** Bytes of the value that a reference is to; 0 for what is none. */
  public static int lengthOf(Slice stored) {
    return ValueReference.is(stored) ? ValueReference.read(stored).length() : 0;
  }

  /** Writes a value again that is in one of the files; returns what refers to it. */
  public Slice writeAgain(Slice reference) throws StorageException {
    Slice value = new Slice();
    if (!values.read(reference, value)) {
      throw values.missing(reference);
    }
    return values.put(value);
  }
}

package dev.varve.common.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.LookupBatch;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** Lookups of many keys at once, held against what must be found. */
public final class Batches {
  private Batches() {}

  /** Something that looks up what a batch asks for. */
  @FunctionalInterface
  public interface Lookup {
    /** Looks keys up. */
    void findAll(LookupBatch batch) throws StorageException;
  }

  /**
   * Looks keys up in one component, and checks that each is found that is to be.
   *
   * @param keys with what is to be found: null for nothing
   * @return how many lookups it took
   */
  public static int check(NavigableMap<byte[], @Nullable Entry> keys, Lookup component)
      throws StorageException {
    return checkIndex(
        keys,
        batch -> {
          batch.begin();
          for (int n = 0; n < batch.pendingCount(); n++) {
            batch.ask(batch.pending(n));
          }
          component.findAll(batch);
          batch.endTurn();
        });
  }

  /** The same with an index of several components. */
  public static int checkIndex(NavigableMap<byte[], @Nullable Entry> keys, Lookup index)
      throws StorageException {
    LookupBatch batch = new LookupBatch();
    keys.keySet().forEach(key -> batch.add(new Slice(key)));
    assertEquals(keys.size(), batch.size());
    Entry found = new Entry();
    int lookups = 0;
    int position = 0;
    for (Map.Entry<byte[], @Nullable Entry> wanted : keys.entrySet()) {
      if (position == batch.to()) {
        index.findAll(batch);
        lookups++;
        assertEquals(position, batch.from());
        assertTrue(batch.to() > position, "a lookup that looks nothing up");
      }
      Entry expected = wanted.getValue();
      Slice key = new Slice(wanted.getKey());
      assertTrue(batch.key(position, new Slice()).sameBytes(key));
      assertEquals(expected != null, batch.isFound(position), key::toString);
      if (expected != null) {
        batch.view(position, found);
        assertTrue(found.key().sameBytes(key));
        assertEquals(expected.antimatter(), found.antimatter(), key::toString);
        assertTrue(found.antimatter() || found.value().sameBytes(expected.value()), key::toString);
      }
      position++;
    }
    assertEquals(keys.size(), batch.to());
    return lookups;
  }
}

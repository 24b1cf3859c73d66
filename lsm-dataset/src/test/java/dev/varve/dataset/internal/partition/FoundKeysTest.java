package dev.varve.dataset.internal.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.bytes.Slice;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.Key;
import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class FoundKeysTest {
  @Test
  void itHoldsWhatASetHolds() {
    RandomGenerator random = Seeds.random(Seeds.one(7));
    FoundKeys keys = new FoundKeys();
    Set<Key> model = new HashSet<>();
    for (int i = 0; i < 50_000; i++) {
      byte[] bytes = new byte[i % 1000 == 0 ? 2048 : random.nextInt(4)];
      random.nextBytes(bytes);
      Slice key = new Slice(bytes);
      assertEquals(model.contains(Key.ofSlice(key)), keys.contains(key));
      if (random.nextInt(3) == 0) {
        keys.add(key);
        model.add(Key.ofSlice(key));
      }
    }
    for (Key key : model) {
      assertEquals(true, keys.contains(key.toSlice()));
    }
  }

  @Test
  void ofAListItHoldsWhatItIncludes() {
    KeyList list = new KeyList();
    FoundKeys keys = new FoundKeys(list);
    int[] ends = new int[10_000];
    for (int i = 0; i < ends.length; i++) {
      list.add(Key.of(i).toSlice());
      ends[i] = list.end();
    }
    int included = 0;
    for (int count : new int[] {1, 7, 5_000, 4_000, ends.length}) {
      keys.include(ends[count - 1]);
      included = Math.max(included, count);
      for (int i = 0; i < ends.length; i++) {
        assertEquals(i < included, keys.contains(Key.of(i).toSlice()), i + " of " + included);
      }
    }
  }
}

package dev.varve.btree.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.format.Entry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Chunks fill regions of the heap, and every entry of them is found again. */
final class EntryArenaTest {
  private static final int HEADER_BYTES = 16;

  @ParameterizedTest
  @CsvSource({"1, 2", "2, 2", "4, 4", "8, 2", "16, 2", "32, 2"})
  void aChunkAndItsHeaderAreWholeRegionsWhereTheseAreShort(int region, int chunk) {
    assertEquals((chunk << 20) - HEADER_BYTES, EntryArena.largestChunk(region << 20));
  }

  @Test
  void entriesOfTheLongestChunksAreFoundToTheirEnds() {
    EntryArena arena = new EntryArena(EntryArena.largestChunk(4 << 20));
    int entries = 1 << 16;
    int[] addresses = new int[entries];
    byte[] value = new byte[1_000];
    Entry entry = new Entry();
    for (int i = 0; i < entries; i++) {
      byte[] key = new byte[8 + i % 8];
      Bytes.putLong(key, 0, i);
      Bytes.putLong(value, value.length - 8, i);
      entry.key().set(key, 0, key.length);
      entry.value().set(value, 0, value.length);
      addresses[i] = arena.append(entry);
    }
    assertTrue(arena.heldBytes() > 64L << 20);
    Slice key = new Slice();
    for (int i = 0; i < entries; i++) {
      arena.viewKey(addresses[i], key);
      assertEquals(8 + i % 8, key.length());
      assertEquals(i, Bytes.getLong(key.bytes(), key.offset()));
      arena.view(addresses[i], entry);
      int end = entry.value().offset() + entry.value().length();
      assertEquals(i, Bytes.getLong(entry.value().bytes(), end - 8));
    }
  }
}

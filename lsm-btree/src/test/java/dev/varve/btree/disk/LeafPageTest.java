package dev.varve.btree.disk;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.format.Entry;
import dev.varve.common.page.PageLayout;
import dev.varve.common.testkit.Seeds;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** A page that nobody pinned may be any bytes at any time. */
class LeafPageTest {
  private static final long SEED = 20261124;

  @Test
  void aPlaceThatIsNotInTheBytesIsAProblem() {
    byte[] bytes = new byte[256];
    bytes[100 + PageLayout.KIND] = LeafLayout.KIND;
    for (int at : new int[] {1, 100, 255, 256, 1 << 20, Integer.MAX_VALUE}) {
      assertNotNull(LeafPage.headerProblem(bytes, at, 256), () -> "at " + at);
    }
  }

  @Test
  void searchesStayWithinAnyBytes() {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    int pageSize = 128;
    int searched = 0;
    for (int round = 0; round < 100_000; round++) {
      byte[] bytes = new byte[pageSize * (1 + random.nextInt(3)) + random.nextInt(3)];
      random.nextBytes(bytes);
      int at = random.nextInt(bytes.length);
      if (at <= bytes.length - pageSize) {
        bytes[at + PageLayout.KIND] = LeafLayout.KIND;
        bytes[at + PageLayout.UNITS] = (byte) (1 + random.nextInt(2));
        Bytes.putShort(bytes, at + LeafLayout.COUNT, 1 + random.nextInt(4));
        Bytes.putShort(bytes, at + LeafLayout.PREFIX_LENGTH, 0);
        Bytes.putInt(bytes, at + LeafLayout.END, random.nextInt(3 * pageSize));
        Bytes.putShort(
            bytes, at + LeafLayout.PREFIX + LeafLayout.START_IN_SLOT, random.nextInt(pageSize));
      }
      long position = random.nextLong() & (1L << LeafFences.POSITION_BITS) - 1;
      // A key with the head of the first entry, which is then looked at.
      byte[] key = new byte[Long.BYTES + random.nextInt(4)];
      for (int i = 0; i < Long.BYTES && at + LeafLayout.PREFIX + i < bytes.length; i++) {
        key[i] = bytes[at + LeafLayout.PREFIX + i];
      }
      if (LeafPage.headerProblem(bytes, at, pageSize) == null) {
        Entry found = new Entry();
        assertDoesNotThrow(() -> LeafPage.find(bytes, at, new Slice(key), position, found));
        searched++;
      }
      if (at <= bytes.length - LeafLayout.PREFIX) {
        // A page that is being replaced may have changed since its header was looked at.
        long header = LeafPage.header(bytes, at);
        assertDoesNotThrow(() -> LeafPage.search(bytes, at, header, new Slice(key), position));
      }
    }
    assertTrue(searched > 1000, searched + " searched");
  }

  @Test
  void touchesStayWithinAnyBytes() {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    for (int round = 0; round < 100_000; round++) {
      byte[] page = new byte[LeafLayout.PREFIX + random.nextInt(1 << 10)];
      random.nextBytes(page);
      int at = random.nextBoolean() ? 0 : random.nextInt(2 * page.length);
      long alike = random.nextInt(4) == 0 ? 0 : random.nextLong() >>> random.nextInt(Long.SIZE);
      long position = random.nextLong() & (1L << LeafFences.POSITION_BITS) - 1;
      assertDoesNotThrow(
          () -> {
            LeafPage.prefetchAlike(page, at, alike, position);
            LeafPage.prefetch(page, at, alike, position, true);
            LeafPage.prefetch(page, at, alike, position, false);
          },
          () ->
              at
                  + " in "
                  + page.length
                  + " bytes, header "
                  + Long.toHexString(alike)
                  + ", at "
                  + position);
    }
  }
}

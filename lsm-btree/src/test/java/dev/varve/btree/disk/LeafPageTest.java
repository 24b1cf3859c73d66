package dev.varve.btree.disk;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import dev.varve.common.testkit.Seeds;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** A page that nobody pinned may be any bytes at any time. */
class LeafPageTest {
  private static final long SEED = 20261124;

  @Test
  void touchesStayWithinAnyBytes() {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    for (int round = 0; round < 100_000; round++) {
      byte[] page = new byte[LeafLayout.PREFIX + random.nextInt(1 << 10)];
      random.nextBytes(page);
      long alike = random.nextInt(4) == 0 ? 0 : random.nextLong() >>> random.nextInt(Long.SIZE);
      long position = random.nextLong() & (1L << LeafFences.POSITION_BITS) - 1;
      assertDoesNotThrow(
          () -> {
            LeafPage.prefetchAlike(page, alike, position);
            LeafPage.prefetch(page, alike, position, true);
            LeafPage.prefetch(page, alike, position, false);
          },
          () -> page.length + " bytes, header " + Long.toHexString(alike) + ", at " + position);
    }
  }
}

package dev.varve.tweets;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.hyracks.feed.RecordStream;
import dev.varve.hyracks.feed.ResumePoints;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * Goal: shares are disjoint and together complete, whatever their number. Method: read all shares
 * and compare with the generator.
 */
final class TweetSourceTest {
  @Test
  void sharesHoldEveryTweetOnce() throws StorageException {
    TweetSource source = new TweetSource(3, 100, 50);
    TweetGenerator generator = new TweetGenerator(3);
    for (int partitions : new int[] {1, 2, 3, 7, 64}) {
      int read = 0;
      for (int partition = 0; partition < partitions; partition++) {
        try (RecordStream stream = source.open(partition, partitions, ResumePoints.NONE)) {
          Slice record = new Slice();
          for (long id = 100L + partition; id < 150; id += partitions) {
            assertTrue(stream.next(record));
            int length = generator.generate(id);
            assertArrayEquals(Arrays.copyOf(generator.bytes(), length), record.toByteArray());
            read++;
          }
          assertFalse(stream.next(record));
          assertFalse(stream.next(record));
        }
      }
      assertEquals(50, read);
    }
  }

  @Test
  void idsWithoutATweetAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new TweetSource(1, -1, 5));
    assertThrows(IllegalArgumentException.class, () -> new TweetSource(1, 0, -5));
    assertThrows(
        IllegalArgumentException.class, () -> new TweetSource(1, 2, TweetGenerator.MAX_TWEETS - 1));
  }
}

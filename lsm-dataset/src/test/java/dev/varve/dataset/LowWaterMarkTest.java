package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Goal: the low-water mark never passes a record that recovery needs, whenever it was written. */
final class LowWaterMarkTest {
  @Test
  void whatIsAppendedWhileTheMarkIsTakenLiesAboveIt() {
    AtomicLong end = new AtomicLong(100);
    // Holds nothing when it is asked; the next moment it writes a record at the end of the log.
    long mark =
        Checkpointer.mark(
            end::get,
            () -> {
              end.set(200);
              return List.of(() -> Long.MAX_VALUE);
            });
    assertEquals(100, mark);
  }

  @Test
  void theLowestHolderCounts() {
    assertEquals(7, Checkpointer.mark(() -> 100, () -> List.of(() -> 40, () -> 7, () -> 60)));
  }
}

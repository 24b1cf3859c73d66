package dev.varve.common.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.filter.BloomShape;
import dev.varve.common.page.ComponentOptions;
import dev.varve.common.page.ReaderShare;
import dev.varve.common.page.ReaderShare.Room;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a filter cannot be is refused with the options, and not when the first one is built. */
class LsmIndexOptionsTest {
  private static LsmIndexOptions withRate(double rate) {
    return new LsmIndexOptions(
        1,
        new ComponentOptions(4096, 0, 0, 4096, new ComponentOptions.DirectIo(1, false), 0),
        rate,
        2,
        1,
        IndexFixture.NEVER);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 0.00001, 0.5, 1, Double.NaN})
  void ratesThatNoFilterHasAreRefused(double rate) {
    String problem =
        assertThrows(IllegalArgumentException.class, () -> withRate(rate)).getMessage();
    assertTrue(problem.contains("filterFalsePositiveRate " + rate), problem);
  }

  @ParameterizedTest
  @CsvSource({
    "1000, 1000, 0, 2000, BUFFER_CACHE, DEVICE, SYSTEM_CACHE",
    "1000, 1000, 249, 2000, BUFFER_CACHE, DEVICE, SYSTEM_CACHE",
    "1000, 1000, 250, 2000, BUFFER_CACHE, BUFFER_CACHE, BUFFER_CACHE",
    "1000, 1000, 250, 2000, SYSTEM_CACHE, SYSTEM_CACHE, SYSTEM_CACHE",
    "1000, 1000, 49, 200, SYSTEM_CACHE, DEVICE, SYSTEM_CACHE",
    "1000, 1000, 50, 200, SYSTEM_CACHE, SYSTEM_CACHE, SYSTEM_CACHE",
    "1000, 1000, 0, 3, SYSTEM_CACHE, DEVICE, SYSTEM_CACHE",
    "1000, 1000, 1000, 2000, NONE, DEVICE, SYSTEM_CACHE",
    "1000, 999, 999, 2000, NONE, SYSTEM_CACHE, SYSTEM_CACHE",
    "1000, 999, 0, 2000, BUFFER_CACHE, SYSTEM_CACHE, SYSTEM_CACHE",
    "1000, 999, 999, 2000, BUFFER_CACHE, BUFFER_CACHE, BUFFER_CACHE",
    "1000, 0, 0, 2000, BUFFER_CACHE, SYSTEM_CACHE, SYSTEM_CACHE",
    "1, 1000, 0, 2000, SYSTEM_CACHE, DEVICE, SYSTEM_CACHE",
    "0, 1000, 0, 2000, BUFFER_CACHE, SYSTEM_CACHE, SYSTEM_CACHE",
    "0, 1000, 1000, 2000, BUFFER_CACHE, SYSTEM_CACHE, SYSTEM_CACHE",
    "9223372036854775807, 1000000000000, 0, 2000, BUFFER_CACHE, SYSTEM_CACHE, SYSTEM_CACHE"
  })
  void whatReadersHaveIsWrittenForTheBufferCacheAndWhatIsLongForNobody(
      long directMergeBytes,
      long bytes,
      long cached,
      long cacheBytes,
      Room room,
      String merge,
      String flush) {
    LsmIndexOptions options =
        new LsmIndexOptions(
            1,
            new ComponentOptions(
                4096, 0, 0, 4096, new ComponentOptions.DirectIo(directMergeBytes, false), 0),
            0.01,
            2,
            1,
            IndexFixture.NEVER);
    ReaderShare share = new ReaderShare(bytes, cached, cacheBytes, room);
    assertEquals(merge, options.components().mergeDestination(share).name());
    assertEquals(flush, options.flushedBuild(1, share).destination().name());
  }

  @Test
  void whoReadsPastTheSystemsCacheFindsNothingInIt() {
    ComponentOptions options =
        new ComponentOptions(4096, 0, 0, 4096, new ComponentOptions.DirectIo(1000, true), 0);
    assertEquals(
        "DEVICE",
        options.mergeDestination(new ReaderShare(1000, 500, 1000, Room.SYSTEM_CACHE)).name());
    assertEquals(
        "BUFFER_CACHE",
        options.mergeDestination(new ReaderShare(1000, 500, 1000, Room.BUFFER_CACHE)).name());
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "0.0001, 0.0001", "0.0002, 0.0001", "0.01, 0.002", "0.4, 0.08"})
  void filtersOfFlushesHaveARateThatFiltersCanHave(double rate, double flushRate) {
    double actual =
        withRate(rate).flushedBuild(1, new ReaderShare(0, 0, 0, Room.BUFFER_CACHE)).filterRate();
    assertEquals(flushRate, actual, 1e-9);
    if (actual > 0) {
      assertEquals(actual, BloomShape.forRate(actual).falsePositiveRate());
    }
  }
}

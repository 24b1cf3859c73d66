package dev.varve.common.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HeapRegionsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 1",
    "1024, 1",
    "2048, 1",
    "3072, 2",
    "4096, 2",
    "4097, 4",
    "65536, 32",
    "900000, 32"
  })
  void aRegionIsAPartOfTheHeap(long heapMebibytes, int regionMebibytes) {
    assertEquals(regionMebibytes << 20, HeapRegions.mostBytes(heapMebibytes << 20));
  }

  @Test
  void aHeapWithoutEndHasTheLongestRegions() {
    assertEquals(32 << 20, HeapRegions.mostBytes(Long.MAX_VALUE));
  }
}

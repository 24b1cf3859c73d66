package dev.varve.dataset.internal.partition;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.FaultyFileSystem;
import dev.varve.common.testkit.MemoryFileSystem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keys come out in order, whether they fit into memory or not, and no file is left. */
class KeySorterTest {
  private static final Path DIRECTORY = Path.of("/temporary");

  private final MemoryFileSystem files = new MemoryFileSystem();

  @BeforeEach
  void makeDirectory() throws StorageException {
    files.createDirectories(DIRECTORY);
  }

  private KeySorter newSorter(long budgetBytes) {
    return new KeySorter(files, DIRECTORY.resolve("sort"), budgetBytes, new ThreadTaskExecutor());
  }

  @Test
  void sortsInMemoryAndInRuns() throws StorageException {
    long seed = 4;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (long budget : new long[] {1 << 30, 100_000, 3_000, 1}) {
      List<byte[]> keys = new ArrayList<>();
      List<byte[]> sorted = new ArrayList<>();
      try (KeySorter sorter = newSorter(budget)) {
        for (int i = 0; i < (budget == 1 ? 50 : 3_000); i++) {
          byte[] key = new byte[random.nextInt(60)];
          random.nextBytes(key);
          keys.add(key);
          sorter.add(new Slice(key));
        }
        sorter.drainTo(key -> sorted.add(key.toByteArray()));
        assertEquals(budget < 1_000_000, !files.list(DIRECTORY).isEmpty());
      }
      keys.sort(Arrays::compareUnsigned);
      assertEquals(keys.size(), sorted.size());
      for (int i = 0; i < keys.size(); i++) {
        assertArrayEquals(keys.get(i), sorted.get(i));
      }
      assertEquals(List.of(), files.list(DIRECTORY));
    }
  }

  @Test
  void keysAreLongerThanABuffer() throws StorageException {
    List<Integer> lengths = new ArrayList<>();
    try (KeySorter sorter = newSorter(250_000)) {
      for (int first = 9; first >= 0; first--) {
        byte[] key = new byte[first % 2 == 0 ? 200_000 + first : 10 + first];
        key[0] = (byte) first;
        sorter.add(new Slice(key));
      }
      assertTrue(files.list(DIRECTORY).size() > 1);
      sorter.drainTo(
          key -> {
            assertEquals(lengths.size(), key.bytes()[key.offset()]);
            lengths.add(key.length());
          });
    }
    assertEquals(List.of(200_000, 11, 200_002, 13, 200_004, 15, 200_006, 17, 200_008, 19), lengths);
  }

  @Test
  void aRunThatWasDamagedIsNotBelieved() throws StorageException {
    try (KeySorter sorter = newSorter(2_000)) {
      for (int i = 0; i < 1_000; i++) {
        sorter.add(new Slice(new byte[] {(byte) (i >> 8), (byte) i}));
      }
      assertTrue(files.list(DIRECTORY).size() > 2);
      files.damage(files.list(DIRECTORY).get(1), 5, 1);
      assertThrows(CorruptionException.class, () -> sorter.drainTo(key -> {}));
    }
    assertEquals(List.of(), files.list(DIRECTORY));
  }

  @Test
  void aRunThatCannotBeWrittenFailsTheSortAndLeavesNothing() throws StorageException {
    FaultyFileSystem faults = new FaultyFileSystem(files);
    for (int failing = 1; failing <= 12; failing++) {
      faults.setPlan("write *sort-* %d ENOSPC".formatted(failing));
      try (KeySorter sorter =
          new KeySorter(faults, DIRECTORY.resolve("sort"), 2_000, new ThreadTaskExecutor())) {
        assertThrows(
            DiskException.class,
            () -> {
              // Twelve runs, the last one by the drain.
              for (int i = 0; i < 12 * 30 - 1; i++) {
                sorter.add(new Slice(new byte[] {(byte) (i >> 8), (byte) i}));
              }
              sorter.drainTo(key -> {});
            });
        if (failing < 12) {
          assertThrows(DiskException.class, sorter::sorted, "what is lost stays lost");
        }
      }
      faults.assertNothingOpen();
      assertEquals(List.of(), files.list(DIRECTORY));
    }
  }

  @Test
  void closingDoesNotWaitForKeysThatNobodyWants() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger taken = new AtomicInteger();
    KeySorter sorter = newSorter(1_000);
    for (int i = 0; i < 500; i++) {
      sorter.add(new Slice(new byte[] {(byte) (i >> 8), (byte) i}));
    }
    sorter.beginDrainTo(
        key -> {
          first.countDown();
          if (taken.incrementAndGet() == 1) {
            assertTrue(awaited(goOn), "the test stands still");
          }
        });
    assertTrue(awaited(first), "no key comes");
    Thread closer =
        new Thread(
            () -> {
              try {
                sorter.close();
              } catch (StorageException failure) {
                throw new IllegalStateException(failure);
              }
            },
            "closer");
    closer.start();
    while (closer.getState() != Thread.State.WAITING
        && closer.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    goOn.countDown();
    closer.join();
    assertEquals(1, taken.get(), "keys after the first");
    assertEquals(List.of(), files.list(DIRECTORY));
  }

  private static boolean awaited(CountDownLatch latch) {
    try {
      return latch.await(1, TimeUnit.MINUTES);
    } catch (InterruptedException ended) {
      throw new IllegalStateException(ended);
    }
  }
}

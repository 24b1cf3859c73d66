package dev.varve.benchmarks.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.measure.Labelled;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Goal: every store under comparison does the same, at each level of durability that it offers.
 * Method: seeded operations on a store and on a sorted map, which must agree on every answer and on
 * the bytes that were read, also after the store was opened again.
 */
final class StoreContractTest {
  private static final long SEED = 20261121;
  private static final int KEYS = 300;
  private static final int OPERATIONS = 600;
  private static final int FORCED_OPERATIONS = 100;
  private static final int VALUE_BYTES = 100;

  @TempDir private Path directory;

  private final NavigableMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
  private final SplittableRandom random = new SplittableRandom(SEED);

  static Stream<Arguments> storesAndDurabilities() {
    List<Arguments> all = new ArrayList<>();
    for (StoreKind kind : StoreKind.values()) {
      for (StoreDurability durability : StoreDurability.values()) {
        if (kind.supports(durability)) {
          all.add(Arguments.of(kind, durability));
        }
      }
    }
    return all.stream();
  }

  private StoreSettings settings(StoreDurability durability) {
    return new StoreSettings(
        directory, durability, new StoreMemory(16L << 20, 4L << 20), VALUE_BYTES);
  }

  @ParameterizedTest
  @MethodSource("storesAndDurabilities")
  void aStoreAgreesWithASortedMap(StoreKind kind, StoreDurability durability) throws Exception {
    System.out.println("seed " + SEED);
    int operations = durability == StoreDurability.POWER_LOSS ? FORCED_OPERATIONS : OPERATIONS;
    for (int round = 0; round < 3; round++) {
      try (Store store = kind.open(settings(durability))) {
        try (StoreSession session = store.openSession()) {
          compareAll(kind, session);
          for (int i = 0; i < operations; i++) {
            operate(session);
          }
          compareAll(kind, session);
          store.settle();
          compareAll(kind, session);
        }
        assertTrue(store.figures().components() >= 1, "components");
        assertDiskBytesArePlausible(store);
      }
    }
  }

  private void operate(StoreSession session) throws BenchmarkException {
    byte[] key = key(random.nextInt(KEYS));
    byte[] value = value();
    switch (random.nextInt(6)) {
      case 0, 1 -> {
        put(session, key, value);
        model.put(key, value);
      }
      case 2 -> {
        byte[] givenKey = key.clone();
        byte[] givenValue = value.clone();
        assertEquals(model.putIfAbsent(key, value) == null, session.insert(givenKey, givenValue));
        overwrite(List.of(givenKey, givenValue));
      }
      case 3 -> {
        boolean there = session.delete(key);
        assertTrue(model.remove(key) == null || there, "a key that was there is said to be absent");
      }
      case 4 -> {
        List<byte[]> keys =
            List.of(key(random.nextInt(KEYS)), key, key(KEYS + random.nextInt(KEYS)));
        List<byte[]> values = List.of(value(), value, value());
        List<byte[]> givenKeys = keys.stream().map(byte[]::clone).toList();
        List<byte[]> givenValues = values.stream().map(byte[]::clone).toList();
        session.putAll(givenKeys, givenValues);
        overwrite(givenKeys);
        overwrite(givenValues);
        for (int i = 0; i < keys.size(); i++) {
          model.put(keys.get(i), values.get(i));
        }
      }
      default -> compareGet(session, key);
    }
  }

  private static void put(StoreSession session, byte[] key, byte[] value)
      throws BenchmarkException {
    byte[] givenKey = key.clone();
    byte[] givenValue = value.clone();
    session.put(givenKey, givenValue);
    overwrite(List.of(givenKey, givenValue));
  }

  /** The arrays are the caller's again: a store that kept one has other bytes now. */
  private static void overwrite(List<byte[]> given) {
    given.forEach(bytes -> Arrays.fill(bytes, (byte) 0xCC));
  }

  private void compareAll(StoreKind kind, StoreSession session) throws BenchmarkException {
    for (int i = 0; i < 50; i++) {
      compareGet(session, key(random.nextInt(2 * KEYS)));
      compareScan(session, ScanDirection.FORWARD, random.nextInt(60));
      if (kind.supports(ScanDirection.BACKWARD)) {
        compareScan(session, ScanDirection.BACKWARD, random.nextInt(60));
      }
    }
    compareScan(session, ScanDirection.FORWARD, Integer.MAX_VALUE);
    if (kind.supports(ScanDirection.BACKWARD)) {
      compareScan(session, ScanDirection.BACKWARD, Integer.MAX_VALUE);
    }
  }

  private void compareGet(StoreSession session, byte[] key) throws BenchmarkException {
    long digest = digest(session);
    byte[] expected = model.get(key);
    assertEquals(expected == null ? -1 : expected.length, session.get(key));
    if (expected != null) {
      digest = RowBuffer.digest(digest, expected, 0, expected.length);
    }
    assertEquals(digest, digest(session), "bytes of the value");
  }

  private void compareScan(StoreSession session, ScanDirection direction, int limit)
      throws BenchmarkException {
    byte[] from = key(random.nextInt(2 * KEYS));
    NavigableMap<byte[], byte[]> expected =
        switch (direction) {
          case FORWARD -> model.tailMap(from, true);
          case BACKWARD -> model.headMap(from, true).descendingMap();
        };
    long digest = digest(session);
    int rows = session.scan(from, limit, direction);
    assertEquals(Math.min(limit, expected.size()), rows, "rows");
    for (Map.Entry<byte[], byte[]> row : firstOf(expected, rows)) {
      digest = RowBuffer.digest(digest, row.getKey(), 0, row.getKey().length);
      digest = RowBuffer.digest(digest, row.getValue(), 0, row.getValue().length);
    }
    assertEquals(digest, digest(session), "bytes of the rows");
  }

  private static List<Map.Entry<byte[], byte[]>> firstOf(
      NavigableMap<byte[], byte[]> rows, int limit) {
    return rows.entrySet().stream().limit(limit).toList();
  }

  private static long digest(StoreSession session) {
    return ((ShowsReads) session).row().digest();
  }

  /** Keys that differ in their first byte, sign included, and in their last. */
  private static byte[] key(int number) {
    return ByteBuffer.allocate(16).putLong(number * 0x9E3779B97F4A7C15L).putLong(number).array();
  }

  private byte[] value() {
    byte[] value = new byte[1 + random.nextInt(2 * VALUE_BYTES)];
    random.nextBytes(value);
    return value;
  }

  @ParameterizedTest
  @MethodSource("storesAndDurabilities")
  void twoThreadsWriteToOneStore(StoreKind kind, StoreDurability durability) throws Exception {
    int each = durability == StoreDurability.POWER_LOSS ? 25 : 500;
    try (Store store = kind.open(settings(durability))) {
      List<Thread> threads = new ArrayList<>();
      List<Throwable> failures = new ArrayList<>();
      for (int part = 0; part < 2; part++) {
        int first = part * each;
        Thread thread = new Thread(() -> load(store, first, each));
        thread.setUncaughtExceptionHandler((ignored, failure) -> failures.add(failure));
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(List.of(), failures);
      try (StoreSession session = store.openSession()) {
        assertEquals(2 * each, session.scan(new byte[16], 10 * each, ScanDirection.FORWARD));
      }
    }
  }

  private static void load(Store store, int first, int count) {
    try (StoreSession session = store.openSession()) {
      for (int i = first; i < first + count; i++) {
        session.put(key(i), new byte[VALUE_BYTES]);
      }
    } catch (BenchmarkException e) {
      throw new IllegalStateException(e);
    }
  }

  /** LMDB has places for 126 readers; the comparison opens sessions for every round of a phase. */
  @ParameterizedTest
  @EnumSource(StoreKind.class)
  void aClosedSessionLeavesNothingBehind(StoreKind kind) throws Exception {
    byte[] key = new byte[16];
    try (Store store = kind.open(settings(StoreDurability.NONE))) {
      for (int opened = 0; opened < 300; opened++) {
        try (StoreSession session = store.openSession()) {
          key[0] = (byte) opened;
          session.put(key, new byte[VALUE_BYTES]);
          assertTrue(session.get(key) >= 0);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(StoreKind.class)
  void aStoreHoldsMoreThanItsMemory(StoreKind kind) throws Exception {
    StoreSettings settings =
        new StoreSettings(
            directory, StoreDurability.NONE, new StoreMemory(16L << 20, 2L << 20), VALUE_BYTES);
    int count = 30_000;
    try (Store store = kind.open(settings)) {
      load(store, 0, count);
      load(store, 0, count / 10);
      store.settle();
      checkAll(store, count);
    }
    try (Store store = kind.open(settings)) {
      checkAll(store, count);
    }
  }

  private static void checkAll(Store store, int count) throws BenchmarkException {
    try (StoreSession session = store.openSession()) {
      for (int i = 0; i < count; i += 97) {
        assertEquals(VALUE_BYTES, session.get(key(i)));
      }
      assertEquals(-1, session.get(key(count)));
      assertEquals(count, session.scan(new byte[16], Integer.MAX_VALUE, ScanDirection.FORWARD));
    }
    assertDiskBytesArePlausible(store);
  }

  /** Some, and not as many as a map or a preallocation is long. */
  private static void assertDiskBytesArePlausible(Store store) throws BenchmarkException {
    long bytes = store.figures().diskBytes();
    assertTrue(bytes > 1000 && bytes < 200L << 20, "bytes on disk: " + bytes);
  }

  @ParameterizedTest
  @MethodSource("storesAndDurabilities")
  void itsOptionsAreOneLineAndTellLevelsApart(StoreKind kind, StoreDurability durability) {
    String options = kind.options(settings(durability));
    assertEquals(1, options.lines().count());
    assertTrue(kind.jvmArguments(settings(durability)).get(0).startsWith("-Xmx"));
  }

  @ParameterizedTest
  @EnumSource(StoreKind.class)
  void aLevelThatAStoreDoesNotOfferIsRefusedWithAReason(StoreKind kind) {
    List<StoreDurability> refused =
        Stream.of(StoreDurability.values()).filter(level -> !kind.supports(level)).toList();
    assumeFalse(refused.isEmpty(), "it offers all");
    for (StoreDurability durability : refused) {
      String reason = kind.refusal(durability).orElseThrow();
      IllegalArgumentException refusal =
          assertThrows(IllegalArgumentException.class, () -> kind.open(settings(durability)));
      assertTrue(String.valueOf(refusal.getMessage()).contains(reason), refusal.getMessage());
    }
  }

  @ParameterizedTest
  @EnumSource(StoreKind.class)
  void aScanThatAStoreDoesNotOfferIsRefused(StoreKind kind) throws Exception {
    assumeTrue(!kind.supports(ScanDirection.BACKWARD), "it scans both ways");
    try (Store store = kind.open(settings(StoreDurability.NONE));
        StoreSession session = store.openSession()) {
      assertThrows(
          UnsupportedOperationException.class,
          () -> session.scan(key(1), 1, ScanDirection.BACKWARD));
    }
  }

  @ParameterizedTest
  @EnumSource(StoreKind.class)
  void aKindIsFoundByItsLabel(StoreKind kind) {
    assertEquals(kind, Labelled.find(StoreKind.values(), kind.label()).orElseThrow());
    assertTrue(Labelled.find(StoreKind.values(), kind.label() + "?").isEmpty());
  }
}

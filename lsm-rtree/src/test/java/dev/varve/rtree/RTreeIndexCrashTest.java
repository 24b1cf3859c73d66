package dev.varve.rtree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.index.BulkLoad;
import dev.varve.common.page.PageCache;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.common.testkit.SimulatedCrash;
import dev.varve.rtree.geometry.Rectangle;
import dev.varve.rtree.query.RegionQuery;
import dev.varve.rtree.query.SpatialQuery;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: wherever the machine stops, a spatial index comes back as it was after some flush, and not
 * before the last one that was reported done. Method: one script of flushes, merges and a bulk
 * load, crashed at every call that changes the disk, some disks each; without a log, so that only
 * components can bring anything back.
 */
class RTreeIndexCrashTest {
  private static final long SEED = 20261121;
  private static final Path ROOT = Path.of("/node");
  private static final int IMAGES = 4;
  private static final int ENTRIES = 300;

  private SpatialIndexFixture.Variant variant = SpatialIndexFixture.Variant.ANTIMATTER;

  /** States that the script passes, and the last one it was told is durable. */
  private static final class Progress {
    final List<List<String>> states = new ArrayList<>(List.of(List.of()));
    int durable;
  }

  @ParameterizedTest
  @EnumSource(SpatialIndexFixture.Variant.class)
  void everyCrashLeavesAStateThatAFlushReported(SpatialIndexFixture.Variant kind)
      throws StorageException {
    variant = kind;
    long seed = Seeds.one(SEED);
    MemoryFileSystem whole = newDisk();
    run(whole, new Progress(), seed);
    long operations = whole.operationCount();
    assertTrue(operations > 30, "the script does " + operations + " operations");
    for (long crashAt = 1; crashAt <= operations; crashAt++) {
      MemoryFileSystem disk = newDisk();
      disk.crashAt(crashAt);
      Progress progress = new Progress();
      try {
        run(disk, progress, seed);
      } catch (SimulatedCrash expected) {
        // The script stops inside this call.
      }
      for (int image = 0; image < IMAGES; image++) {
        String where = "crash at " + crashAt + ", image " + image;
        check(disk.crash(image, new Random(crashAt * IMAGES + image)), progress, where);
      }
    }
  }

  private static MemoryFileSystem newDisk() throws StorageException {
    MemoryFileSystem disk = new MemoryFileSystem();
    disk.createDirectories(ROOT);
    disk.forceDirectory(Path.of("/"));
    return disk;
  }

  private SpatialIndexFixture open(MemoryFileSystem disk) throws StorageException {
    return new SpatialIndexFixture(ROOT, disk, new PageCache(1 << 20), variant);
  }

  private static List<String> scan(SpatialIndexFixture fixture) throws StorageException {
    List<String> entries = new ArrayList<>();
    try (EntryCursor cursor = fixture.index.search(RegionQuery.everything())) {
      while (cursor.next()) {
        entries.add(cursor.entry().toString());
      }
    }
    return entries;
  }

  private void run(MemoryFileSystem disk, Progress progress, long seed) throws StorageException {
    RandomGenerator random = Seeds.random(seed);
    SpatialModel model = new SpatialModel();
    SpatialIndexFixture fixture = open(disk);
    for (int id = 0; id < ENTRIES; id++) {
      model.put(SpatialData.entry(SpatialData.CLUSTERS.next(random), id));
    }
    try (BulkLoad<SpatialQuery> load = fixture.index.newBulkLoad()) {
      for (Entry entry : model.entries()) {
        load.add(entry);
      }
      progress.states.add(model.entries().stream().map(Entry::toString).toList());
      load.finish(-1);
    }
    progress.durable = progress.states.size() - 1;
    for (int round = 1; round <= 3; round++) {
      for (int i = 0; i < ENTRIES; i++) {
        Rectangle place = SpatialData.CLUSTERS.next(random);
        fixture.write(
            i % 3 == 0
                ? new Entry().copyOf(model.any(random)).antimatter(true)
                : SpatialData.entry(place, round * ENTRIES + i));
      }
      progress.states.add(scan(fixture));
      fixture.index.flush();
      progress.durable = progress.states.size() - 1;
      if (round == 2) {
        fixture.merge(1, 3);
      }
    }
    fixture.index.compact();
    fixture.index.close();
  }

  private void check(MemoryFileSystem disk, Progress progress, String where)
      throws StorageException {
    if (!disk.exists(ROOT)) {
      assertEquals(0, progress.durable, where);
      return;
    }
    try (SpatialIndexFixture fixture = open(disk)) {
      List<String> found = scan(fixture);
      List<List<String>> allowed =
          progress.states.subList(progress.durable, progress.states.size());
      assertTrue(allowed.contains(found), () -> where + ": " + found.size() + " entries");
      fixture.index.contents().verify();
      Entry entry = SpatialData.entry(new Rectangle(1, 1, 1, 1), -1);
      fixture.write(entry);
      fixture.index.compact();
      assertTrue(scan(fixture).contains(entry.toString()), where);
    }
  }
}

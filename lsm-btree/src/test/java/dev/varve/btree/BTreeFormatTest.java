package dev.varve.btree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DiskIndex;
import dev.varve.common.format.DiskIndexBuilder;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.MemoryIndex;
import dev.varve.common.page.ComponentFile;
import dev.varve.common.page.ComponentFileOptions;
import dev.varve.common.page.ComponentFileWriter;
import dev.varve.common.page.PageCache;
import dev.varve.common.testkit.Batches;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The way of entries through the format: put in memory, flushed to a real component file, read. */
@SuppressWarnings("try") // threads that read pages are not asked for anything but to end
class BTreeFormatTest {
  private static final long SEED = 20261121;
  private static final Path PATH = Path.of("/c-1-1.lsm");
  private static final long STORE = 7;

  private final FileSystem files = new MemoryFileSystem();
  private final BTreeFormat format = new BTreeFormat();
  private final Model model = new Model();

  private int writeComponent(KeyShape shape, int pageSize) throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    MemoryIndex<KeyRange> memory = format.createMemoryIndex();
    for (int i = 0; i < 20_000; i++) {
      byte[] key = shape.key(random);
      if (key.length <= BTreeFormat.maxKeyBytes(pageSize)) {
        memory.put(model.put(key, random.nextInt(100) == 0 ? 3000 : 50, random));
      }
    }
    assertEquals(model.entries().size(), memory.entryCount());
    try (ComponentFileWriter writer =
        ComponentFileWriter.create(files, PATH, ComponentFileOptions.of(STORE, pageSize, 1))) {
      DiskIndexBuilder builder = format.createBuilder(writer);
      try (EntryCursor entries = memory.scan()) {
        while (entries.next()) {
          builder.add(entries.entry());
        }
      }
      int root = builder.finish();
      writer.seal(new byte[] {1});
      return root;
    }
  }

  @ParameterizedTest
  @EnumSource(KeyShape.class)
  void aFlushedComponentHoldsWhatWasPut(KeyShape shape) throws StorageException {
    int root = writeComponent(shape, 1024);
    // A cache much smaller than the component, so that pages come and go.
    try (ComponentFile file = ComponentFile.open(files, PATH, STORE, new PageCache(40_000))) {
      DiskIndex<KeyRange> disk = format.open(file, root);
      assertEquals(model.entries().size(), disk.verify());
      model.assertReturns(KeyRange.all(), disk.scan());
      RandomGenerator random = Seeds.random(Seeds.one(SEED));
      for (int i = 0; i < 30; i++) {
        KeyRange range = model.randomRange(shape, random);
        model.assertReturns(range, disk.search(range));
      }
      Entry found = new Entry();
      for (Entry entry : model.entries().values()) {
        assertTrue(disk.find(entry.key(), found));
        Model.assertSame(entry, found);
      }
      assertFalse(disk.find(new Slice(new byte[2000]), found));
    }
  }

  @ParameterizedTest
  @EnumSource(KeyShape.class)
  void manyKeysHaveTheLeavesReadAheadThatAreNotInTheCache(KeyShape shape) throws StorageException {
    int root = writeComponent(shape, 1024);
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    PageCache cache = new PageCache(1 << 17);
    try (FetchedPages file = new FetchedPages(ComponentFile.open(files, PATH, STORE, cache))) {
      DiskIndex<KeyRange> disk = format.open(file, root);
      for (int oneIn : new int[] {400, 100, 20, 3}) {
        file.pinned.clear();
        file.fetched.clear();
        Batches.check(model.someKeys(shape, random, oneIn), disk::findAll);
        assertTrue(shape != KeyShape.UNIFORM || !file.fetched.isEmpty());
        for (int[] pages : file.fetched) {
          for (int i = 0; i < pages.length; i++) {
            assertTrue(i == 0 || pages[i - 1] != pages[i], "a page twice");
            assertTrue(file.pinned.contains(pages[i]), "read for nothing");
          }
        }
        assertEquals(0, file.open);
      }
    }
    PageCache large = new PageCache(1 << 24);
    try (FetchedPages file = new FetchedPages(ComponentFile.open(files, PATH, STORE, large))) {
      DiskIndex<KeyRange> disk = format.open(file, root);
      NavigableMap<byte[], @Nullable Entry> few = model.someKeys(shape, random, 400);
      Batches.check(few, disk::findAll);
      file.fetched.clear();
      Batches.check(few, disk::findAll);
      assertTrue(file.fetched.isEmpty(), "all of it was in the cache");
    }
    try (ComponentFile file = ComponentFile.open(files, PATH, STORE, cache);
        TaskExecutor.Handle fetcher = cache.fetchBy(new ThreadTaskExecutor())) {
      DiskIndex<KeyRange> disk = format.open(file, root);
      for (int oneIn : new int[] {200, 50, 3, 1}) {
        Batches.check(model.someKeys(shape, random, oneIn), disk::findAll);
      }
    }
  }

  @Test
  void aFlippedBitIsCorruptionWhereItIsReadFirst() throws StorageException {
    int root = writeComponent(KeyShape.UNIFORM, 1024);
    byte[] flipped = new byte[1];
    try (StorageFile raw = files.open(PATH, OpenMode.READ_WRITE)) {
      raw.read(5 * 1024 + 500, flipped, 0, 1);
      flipped[0] ^= 4;
      raw.write(5 * 1024 + 500, flipped, 0, 1);
    }
    try (ComponentFile file = ComponentFile.open(files, PATH, STORE, new PageCache(1 << 20))) {
      DiskIndex<KeyRange> disk = format.open(file, root);
      CorruptionException found = assertThrows(CorruptionException.class, disk::verify);
      assertEquals(5 * 1024, found.offset());
      assertThrows(
          CorruptionException.class,
          () -> model.assertReturns(KeyRange.all(), disk.search(KeyRange.all())));
    }
  }

  @Test
  void theFormatNamesItselfAndItsDirection() {
    assertEquals("btree", format.name());
    assertFalse(format.descending(KeyRange.all()));
    assertTrue(format.descending(KeyRange.all().descending()));
  }
}

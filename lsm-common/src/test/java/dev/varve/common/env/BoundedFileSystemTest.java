package dev.varve.common.env;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.error.DiskException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class BoundedFileSystemTest {
  private static final Path ROOT = Path.of("/files");
  private static final int FILES = 50;

  /** Counts handles, and has only so many. */
  private static final class Handles implements ForwardingFileSystem {
    private final MemoryFileSystem memory = new MemoryFileSystem();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final Set<OpenMode> modes = EnumSet.noneOf(OpenMode.class);
    private volatile int limit = Integer.MAX_VALUE;

    @Override
    public FileSystem files() {
      return memory;
    }

    @Override
    public StorageFile open(Path path, OpenMode mode) throws DiskException {
      if (open.get() >= limit) {
        throw new DiskException(
            path.toString(), "open", new IOException(path + ": Too many open files"));
      }
      StorageFile file = memory.open(path, mode);
      modes.add(mode);
      most.accumulateAndGet(open.incrementAndGet(), Math::max);
      return new ForwardingFile() {
        @Override
        public StorageFile file() {
          return file;
        }

        @Override
        public void close() {
          open.decrementAndGet();
          file.close();
        }
      };
    }
  }

  private final Handles handles = new Handles();
  private final BoundedFileSystem bounded = new BoundedFileSystem(handles, 4, OpenMode.READ_ONLY);

  private static Path path(int number) {
    return ROOT.resolve("f" + number);
  }

  private List<StorageFile> openAll() throws DiskException {
    return openAll(bounded);
  }

  private List<StorageFile> openAll(BoundedFileSystem around) throws DiskException {
    around.createDirectories(ROOT);
    List<StorageFile> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      try (StorageFile written = around.open(path(i), OpenMode.CREATE_NEW)) {
        written.write(0, new byte[] {(byte) i, 1}, 0, 2);
      }
      files.add(around.open(path(i), OpenMode.READ_ONLY));
    }
    handles.most.set(0);
    return files;
  }

  private static void read(List<StorageFile> files, int number) throws DiskException {
    byte[] target = new byte[2];
    assertEquals(2, files.get(number).read(0, target, 0, 2));
    assertEquals(number, target[0]);
  }

  @Test
  void manyFilesAreReadThroughFewHandles() throws DiskException {
    List<StorageFile> files = openAll();
    RandomGenerator random = Seeds.random(Seeds.one(1));
    for (int i = 0; i < 1000; i++) {
      read(files, random.nextInt(FILES));
      assertTrue(handles.open.get() <= 4, "" + handles.open);
    }
    assertEquals(FILES, bounded.owned());
    for (StorageFile file : files) {
      file.close();
      file.close();
      assertThrows(IllegalStateException.class, () -> file.read(0, new byte[1], 0, 1));
    }
    assertEquals(0, handles.open.get());
    assertEquals(0, bounded.owned());
  }

  @Test
  void filesAreReadDirectlyWhenTheyAreOpenedAgain() throws DiskException {
    Handles direct = new Handles();
    List<StorageFile> files = openAll(new BoundedFileSystem(direct, 4, OpenMode.READ_ONLY_DIRECT));
    assertEquals(EnumSet.of(OpenMode.CREATE_NEW, OpenMode.READ_ONLY_DIRECT), direct.modes);
    direct.modes.clear();
    for (int i = 0; i < FILES; i++) {
      read(files, i);
      files.get(i).close();
    }
    assertEquals(EnumSet.of(OpenMode.READ_ONLY_DIRECT), direct.modes);
  }

  @Test
  void threadsReadWhileFilesLoseTheirHandles() throws Exception {
    List<StorageFile> files = openAll();
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      RandomGenerator random = Seeds.random(t);
      Thread thread =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < 5000; i++) {
                    read(files, random.nextInt(12));
                  }
                } catch (Throwable e) {
                  failures.add(e);
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of(), List.copyOf(failures));
    files.forEach(StorageFile::close);
    assertEquals(0, handles.open.get());
  }

  @Test
  void whereNoHandleIsLeftFilesThatNobodyReadsGiveTheirs() throws DiskException {
    List<StorageFile> files = openAll();
    handles.limit = 4;
    try (StorageFile written = bounded.open(path(FILES), OpenMode.CREATE_NEW)) {
      written.write(0, new byte[1], 0, 1);
    }
    handles.limit = 1;
    for (int i = 0; i < FILES; i++) {
      read(files, i);
    }
    handles.limit = 0;
    DiskException refused = assertThrows(DiskException.class, () -> read(files, 0));
    assertTrue(refused.getMessage().contains("Too many open files"), refused.getMessage());
    handles.limit = 4;
    read(files, 0);
  }

  @Test
  void aFileThatWasReplacedByALongerOneIsNotReadForIt() throws DiskException {
    List<StorageFile> files = openAll();
    handles.memory.delete(path(0));
    try (StorageFile other = handles.memory.open(path(0), OpenMode.CREATE_NEW)) {
      other.write(0, new byte[3], 0, 3);
    }
    assertThrows(DiskException.class, () -> read(files, 0));
    assertThrows(DiskException.class, () -> read(files, 0));
    read(files, 1);
  }
}

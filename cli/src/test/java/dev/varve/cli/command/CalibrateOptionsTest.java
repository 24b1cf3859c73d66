package dev.varve.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.varve.common.testkit.MemoryFileSystem;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Where a calibration makes its files. */
final class CalibrateOptionsTest {
  private static final Path IN_MEMORY = Path.of("/dev/shm");

  private final MemoryFileSystem files = new MemoryFileSystem();
  private final CalibrateOptions options = new CalibrateOptions();

  @Test
  void aFileSystemInMemoryIsTakenWhereThereIsOne() throws Exception {
    files.createDirectories(IN_MEMORY);
    assertEquals(IN_MEMORY, options.scratch(files).getParent());
  }

  @Test
  void aFileSystemInMemoryIsLeftAloneWhenItIsTooSmall() throws Exception {
    files.createDirectories(IN_MEMORY);
    files.setCapacityBytes(1L << 30);
    assertFalse(options.scratch(files).startsWith(IN_MEMORY));
  }

  @Test
  void withoutAFileSystemInMemoryFilesGoWhereTemporaryOnesDo() throws Exception {
    assertFalse(options.scratch(files).startsWith(IN_MEMORY));
  }

  @Test
  void whatTheUserSaysGoesFirst() throws Exception {
    files.createDirectories(IN_MEMORY);
    options.directory = Path.of("/data/disk");
    assertEquals(Path.of("/data/disk"), options.scratch(files).getParent());
  }
}

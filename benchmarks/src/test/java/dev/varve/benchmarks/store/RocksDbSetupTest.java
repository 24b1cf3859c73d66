package dev.varve.benchmarks.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

/** Goal: what is printed of RocksDB as it comes is what this version of it comes with. */
final class RocksDbSetupTest {
  @TempDir private Path directory;

  @Test
  void theDefaultsThatArePrintedAreTheLibrarys() throws Exception {
    RocksDB.loadLibrary();
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, directory.toString())) {
      String expected =
          String.format(
              "write_buffer_size=%d MiB, max_write_buffer_number=%d, max_background_jobs=%d,"
                  + " block cache (HyperClock) %d MiB, no filter, compression=%s",
              options.writeBufferSize() >> 20,
              options.maxWriteBufferNumber(),
              options.maxBackgroundJobs(),
              db.getLongProperty("rocksdb.block-cache-capacity") >> 20,
              options.compressionType().getLibraryName());
      String printed =
          StoreKind.ROCKSDB_DEFAULT.options(
              new StoreSettings(
                  directory, StoreDurability.NONE, new StoreMemory(1L << 20, 2L << 20), 100));
      assertEquals("as it comes: " + expected, printed.substring(0, printed.indexOf(';')));
    }
  }
}

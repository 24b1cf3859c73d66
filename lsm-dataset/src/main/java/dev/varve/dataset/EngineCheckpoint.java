package dev.varve.dataset;

import dev.varve.common.env.FileCopy;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.Partition;
import dev.varve.transaction.log.LogContext;
import dev.varve.transaction.log.LogCopy;
import java.nio.file.Path;

/**
 * Checkpoints of an engine: a store of their own, with all that the engine's had at one moment.
 *
 * <p>Implementation note. No dataset is opened, closed, created or dropped meanwhile, and no log is
 * given up, so that from the checkpoint's low-water mark on all of it is there. The log is copied
 * last: it has at least what the components have, and what is above their LSNs is redone when the
 * copy is opened, as after a crash. Files of large values that came meanwhile are linked behind it.
 */
final class EngineCheckpoint {
  private EngineCheckpoint() {}

  /** Takes one of an open engine, beside readers and writers. */
  static CheckpointReport ofOpen(EngineParts parts, Path target) throws StorageException {
    requireOutside(parts.files().directory(), target);
    for (ManagedDataset dataset : parts.active().list()) {
      for (Partition partition : dataset.partitions()) {
        partition.flushUnlogged();
        partition.sealValues();
      }
    }
    FileSystem files = parts.seams().files();
    StoreImage image =
        new StoreImage(
            files, parts.files().directory(), target, (from, to, name) -> files.link(from, to));
    long[] end = new long[1];
    parts
        .active()
        .inTurn(
            () ->
                parts
                    .workers()
                    .keeper()
                    .withLogKept(
                        () ->
                            image.make(
                                log -> {
                                  end[0] = copyLog(parts, log);
                                  // Those that the copy of the log refers to.
                                  parts.node().environment().unforced().force();
                                })));
    return report(image, target, end[0]);
  }

  private static long copyLog(EngineParts parts, Path target) throws StorageException {
    LogContext context =
        new LogContext(
            parts.seams().files(),
            parts.seams().executor(),
            parts.files().directory().log(),
            parts.node().catalog().storeId(),
            parts.files().quarantine());
    return LogCopy.copy(context, parts.node().log(), target);
  }

  /** Takes one of an engine at rest, of which no byte is changed. */
  static CheckpointReport ofResting(
      FileSystem files, Path directory, Path target, StoreImage.Linking linking)
      throws StorageException {
    try (FileSystem.DirectoryLock lock = files.lock(directory)) {
      assert lock != null;
      StoreDirectory source = StoreDirectory.find(files, directory);
      requireOutside(source, target);
      StoreImage image = new StoreImage(files, source, target, linking);
      Path log = source.log();
      image.make(
          copy -> {
            for (Path file : files.list(log)) {
              Path into = copy.resolve(file.getFileName());
              if (StoreDirectory.isOfLog(file) && !files.exists(into)) {
                int checksum = new FileCopy(files, file, into).run();
                assert files.size(into) == files.size(file) : checksum;
              }
            }
          });
      return report(image, target, -1);
    }
  }

  private static CheckpointReport report(StoreImage image, Path target, long end) {
    return new CheckpointReport(
        target, image.components(), image.componentBytes(), end, image.rounds());
  }

  /** Refuses a copy of a store in one of its own directories. */
  static void requireOutside(StoreDirectory source, Path target) {
    source.all().forEach(each -> requireOutside(each, target));
  }

  private static void requireOutside(Path directory, Path target) {
    Path inside = directory.toAbsolutePath().normalize();
    Path made = target.toAbsolutePath().normalize();
    if (made.startsWith(inside) && !made.startsWith(inside.resolve(RequestFiles.NAME))) {
      throw new IllegalArgumentException(
          target + " is in " + directory + ", of which it is to be a checkpoint");
    }
  }
}

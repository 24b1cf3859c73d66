package dev.varve.dataset;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.DirectoryLock;
import dev.varve.common.env.FileTree;
import dev.varve.common.env.Quarantine;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.catalog.Catalog;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.transaction.checkpoint.Checkpoint;
import dev.varve.transaction.checkpoint.CheckpointFile;
import dev.varve.transaction.log.LogContext;
import dev.varve.transaction.log.LogCopy;
import dev.varve.transaction.log.LogPosition;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The image of a primary's store that a secondary engine reads, and deletes when it is closed. It
 * has what the primary has forced, as a power loss would leave it: components by hard links, and a
 * copy of the log. The primary is not asked, and nothing of it is locked or changed. Confined to
 * one thread.
 *
 * <pre>
 *  D/                  directory of secondaries, whose images lie side by side
 *  D/0123…/LOCK        held as long as the image is read
 *  D/0123…/engine/     a directory of an engine
 * </pre>
 */
final class SecondaryImage implements AutoCloseable {
  private static final Pattern NAME = Pattern.compile("[0-9a-f]{16}");
  private static final String ENGINE = "engine";

  private final EngineSeams seams;
  private final EngineOptions options;
  private final Path primary;
  private final Path own;
  private final DirectoryLock lock;
  private StoreImage.@Nullable Look seen;
  private long storeId;
  private long end;

  private SecondaryImage(
      EngineSeams seams, EngineOptions options, Path primary, Path own, DirectoryLock lock) {
    this.seams = seams;
    this.options = options;
    this.primary = primary;
    this.own = own;
    this.lock = lock;
  }

  /**
   * Makes an image of the primary as it is now, and deletes those that killed secondaries left.
   *
   * @param options of the secondary; their directory is where its images are
   * @throws ConflictException with {@code NO_STORE}, or {@code STALLED} when the primary changes
   *     faster than it is copied
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // the caller closes it
  static SecondaryImage make(EngineSeams seams, EngineOptions options, Path primary)
      throws StorageException {
    FileSystem files = seams.files();
    Path home = options.directory();
    if (!EngineInspection.holdsEngine(files, primary)) {
      throw new ConflictException(
          ConflictException.Reason.NO_STORE,
          primary + " holds no store that a secondary could read");
    }
    EngineCheckpoint.requireOutside(StoreDirectory.find(files, primary), home);
    files.createDirectories(home);
    deleteLeft(files, home);
    Path own = home.resolve("%016x".formatted(seams.random().nextLong()));
    files.createDirectories(own);
    SecondaryImage image = new SecondaryImage(seams, options, primary, own, files.lock(own));
    try {
      image.fill();
      return image;
    } catch (StorageException | RuntimeException failure) {
      image.closeAfter(failure);
      throw failure;
    }
  }

  private static void deleteLeft(FileSystem files, Path home) throws StorageException {
    for (Path each : files.list(home)) {
      if (NAME.matcher(String.valueOf(each.getFileName())).matches()
          && files.exists(each.resolve(ENGINE))) {
        try (DirectoryLock left = files.lock(each)) {
          assert left != null;
          new FileTree(files, each).delete();
        } catch (ConflictException inUse) {
          assert inUse.reason() == ConflictException.Reason.DIRECTORY_IN_USE : inUse;
        }
      }
    }
  }

  private void fill() throws StorageException {
    StoreImage image = image();
    image.make(
        copy -> {
          storeId = Catalog.open(seams.files(), image.building()).storeId();
          LogContext log = log(StoreDirectory.find(seams.files(), primary).log());
          end = LogCopy.copyForced(log, position(log(copy)), copy);
        });
    seen = image.seen();
    assert seen.components().size() <= image.components() : image.components();
  }

  private StoreImage image() throws StorageException {
    FileSystem files = seams.files();
    return new StoreImage(
        files,
        StoreDirectory.find(files, primary),
        own.resolve(ENGINE),
        (from, to, name) -> files.link(from, to));
  }

  /** The log in a directory, of which nothing is put aside. */
  private LogContext log(Path directory) {
    return new LogContext(
        seams.files(),
        seams.executor(),
        directory,
        storeId,
        new Quarantine(seams.files(), seams.clock(), own));
  }

  private static LogPosition position(LogContext log) throws StorageException {
    Checkpoint checkpoint = new CheckpointFile(log).read();
    return checkpoint == null ? LogPosition.NONE : checkpoint.position();
  }

  /** Where it lies, and what it was made with. */
  EngineSeams seams() {
    return seams;
  }

  /** The options with which its engine is opened, to be read. */
  EngineOptions options() {
    return options.withDirectory(own.resolve(ENGINE));
  }

  /** An image of the primary as it is now; empty when it has nothing more than this one. */
  @SuppressWarnings("MustBeClosedChecker") // the caller closes it
  Optional<SecondaryImage> next() throws StorageException {
    return isCurrent() ? Optional.empty() : Optional.of(make(seams, options, primary));
  }

  private boolean isCurrent() throws StorageException {
    try {
      LogContext log = log(StoreDirectory.find(seams.files(), primary).log());
      return image().look().equals(seen) && LogCopy.forcedEnd(log, position(log)) == end;
    } catch (DiskException changed) {
      StoreImage.requireGone(changed);
      return false;
    }
  }

  /** Deletes the image of what could not be opened. */
  void closeAfter(Exception failure) {
    try {
      close();
    } catch (StorageException second) {
      failure.addSuppressed(second);
    }
  }

  /** Deletes the image; idempotent. */
  @Override
  public void close() throws StorageException {
    FileSystem files = seams.files();
    if (files.exists(own)) {
      new FileTree(files, own).delete();
    }
    lock.close();
  }
}

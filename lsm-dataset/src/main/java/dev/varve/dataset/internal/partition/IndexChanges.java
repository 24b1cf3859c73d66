package dev.varve.dataset.internal.partition;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileTree;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.LsmIndex;
import dev.varve.dataset.internal.catalog.DatasetDescriptor;
import dev.varve.dataset.internal.catalog.PartitionDescriptor;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Adds indexes to a partition and takes them away while it is read and written. Writers are kept
 * out for a moment, so that each change of a record finds the same indexes from its first entry to
 * its last; readers keep what they found when they entered. Thread-safe.
 */
public final class IndexChanges {
  private static final Logger LOGGER = LogManager.getLogger(IndexChanges.class);

  /** An index that nobody enters any more, and where it lies. */
  private record Dropped(LsmIndex<?> index, Path directory) {}

  private final PartitionLifecycle lifecycle;
  private final Queue<IndexBuild> builds = new ConcurrentLinkedQueue<>();

  /** Those that readers may still be in. */
  private final Queue<Dropped> dropped = new ConcurrentLinkedQueue<>();

  IndexChanges(PartitionLifecycle lifecycle) {
    this.lifecycle = lifecycle;
  }

  /** What is told when the part of an index in a partition was built, or was not. */
  @FunctionalInterface
  public interface Ending {
    /**
     * Takes the end; called once, by any thread, and must not wait.
     *
     * @param failure null when the index was built
     */
    void ended(@Nullable Throwable failure);
  }

  /**
   * Has writers maintain a new index from now on, and begins to build what it lacks. It answers
   * after {@link #answer}.
   *
   * @param index whose directories are there, and empty
   * @param ending called only if this does not throw
   */
  public void begin(DatasetDescriptor.Building index, Ending ending) throws StorageException {
    flushMemory();
    IndexBuild build;
    try (WriterPause pause = new WriterPause(lifecycle)) {
      // What was written since: not much, so that writers are let in again soon.
      pause.indexes().flush();
      build = maintain(index, ending);
    }
    builds.add(build);
    lifecycle.node().indexes().queue().submit(build);
  }

  private void flushMemory() throws StorageException {
    PartitionIndexes indexes = lifecycle.enterRead();
    try {
      indexes.flush();
    } finally {
      lifecycle.users().leaveRead();
    }
  }

  @SuppressWarnings("MustBeClosedChecker") // closed with the partition's indexes
  private IndexBuild maintain(DatasetDescriptor.Building index, Ending ending)
      throws StorageException {
    PartitionIndexes before = lifecycle.enterRead();
    SecondaryIndex<?> opened = null;
    try {
      PartitionShape shape = before.shape().plus(index);
      opened = before.openLast(shape, lifecycle.node());
      PartitionIndexes after = before.plus(shape, opened);
      IndexBuild build =
          new IndexBuild(
              lifecycle.node(), after, (ended, failure) -> ended(ended, failure, ending));
      lifecycle.change(now -> now.plus(now.shape().plus(index), after.secondary(after.size() - 2)));
      after.siftMerges(
          lifecycle::upkeep, ExpirySieve.of(lifecycle.form.expiry(), lifecycle.node().snapshots()));
      lifecycle.admission().buffer().add(List.of(opened.lsm()));
      return build;
    } catch (StorageException | RuntimeException | Error e) {
      if (opened != null) {
        opened.lsm().close();
      }
      lifecycle.users().leaveRead();
      throw e;
    }
  }

  private void ended(IndexBuild build, @Nullable Throwable failure, Ending ending) {
    builds.remove(build);
    // Until it has left, the indexes stay open.
    ending.ended(failure);
    lifecycle.users().leaveRead();
  }

  /** Lets searches use an index that was built everywhere. */
  public void answer(String index) {
    lifecycle.change(now -> now.with(now.shape().answering(index)));
  }

  /**
   * Has searches refuse an index from now on. The catalog does not name it any more, or still says
   * that it is being built.
   */
  public void silence(String index) throws StorageException {
    lifecycle.enterRead();
    try {
      lifecycle.change(now -> now.with(now.shape().silencing(index)));
    } finally {
      lifecycle.users().leaveRead();
    }
  }

  /**
   * Has writers maintain an index no longer that was silenced; its files go once no reader is left
   * that may be in it.
   */
  public void remove(String index) throws StorageException {
    try (WriterPause pause = new WriterPause(lifecycle)) {
      int position = pause.indexes().shape().positionOf(index);
      if (position < 0) {
        return;
      }
      LsmIndex<?> gone = pause.indexes().get(position);
      Path directory = pause.indexes().shape().descriptor().indexDirectory(position);
      lifecycle.change(now -> now.without(index));
      lifecycle.admission().buffer().remove(List.of(gone));
      dropped.add(new Dropped(gone, directory));
    }
    destroyDropped();
  }

  /** Makes the directories of all indexes of the dataset in this partition, durably. */
  public void createDirectories(DatasetDescriptor dataset) throws StorageException {
    PartitionDescriptor now = lifecycle.descriptor();
    PartitionIndexes.createDirectories(
        new PartitionDescriptor(dataset, now.number(), now.directory()),
        lifecycle.node().indexes().files());
  }

  /** Gives up what is being built. */
  void giveUp() {
    builds.forEach(IndexBuild::giveUp);
  }

  /** Gives up what is being built of an index. */
  public void giveUp(String index) {
    builds.stream().filter(build -> build.builds(index)).forEach(IndexBuild::giveUp);
  }

  /** Whether a directory is that of an index whose files are still to go. */
  public boolean isDropped(Path directory) {
    return dropped.stream().anyMatch(each -> each.directory().equals(directory));
  }

  /** Deletes dropped indexes that no reader can be in, and that no flush or merge works on. */
  void destroyDropped() {
    for (Dropped each : List.copyOf(dropped)) {
      // Whoever enters after this finds the indexes without it.
      if (lifecycle.users().readers() == 0
          && each.index().state().memoryUse().sealedComponents() == 0
          && each.index().shape().merging().isEmpty()
          && dropped.remove(each)) {
        destroy(each, true);
      }
    }
  }

  /**
   * Closes dropped indexes when all others are, whoever reads them. A directory that stays is taken
   * away when the engine is opened again.
   */
  void closeDropped() {
    for (Dropped each = dropped.poll(); each != null; each = dropped.poll()) {
      destroy(each, false);
    }
  }

  private void destroy(Dropped each, boolean withDirectory) {
    FileSystem files = lifecycle.node().indexes().files();
    try {
      each.index().destroy();
      if (withDirectory) {
        new FileTree(files, each.directory()).delete();
        files.forceDirectory(lifecycle.descriptor().directory());
      }
    } catch (StorageException e) {
      LOGGER.warn(
          "files of a dropped index stay in {} until the engine is opened again",
          each.directory(),
          e);
    }
  }
}

package dev.varve.common.index;

import dev.varve.common.component.ComponentId;
import dev.varve.common.error.StorageException;
import dev.varve.common.maintenance.MaintenanceTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes a run of adjacent disk components one, by bulk load of their reconciled entries, and behind
 * them of all their deleted keys. Antimatter and deleted keys go on, unless the run includes the
 * oldest component: then there is nothing left to delete.
 */
final class MergeTask<Q> implements MaintenanceTask {
  private final LsmIndex<Q> index;
  private final List<DiskComponent<Q>> inputs;
  private final ComponentId target;
  private final boolean dropsAntimatter;
  private final long inputBytes;
  private final long inputEntries;
  private final long inputDeletedKeys;
  private @Nullable LsmCursor cursor;
  private boolean atDeletedKeys;
  private @Nullable ComponentBuild<Q> build;
  private long entriesRead;
  private volatile long remainingInputBytes;
  private volatile boolean done;
  private volatile @Nullable Throwable failure;

  /**
   * Plans a merge; the inputs are in state MERGING and stay acquired until the task ends.
   *
   * @param inputs newest first
   */
  MergeTask(LsmIndex<Q> index, List<DiskComponent<Q>> inputs, boolean dropsAntimatter) {
    this.index = index;
    this.inputs = List.copyOf(inputs);
    this.target =
        new ComponentId(inputs.get(inputs.size() - 1).id().first(), inputs.get(0).id().last());
    this.dropsAntimatter = dropsAntimatter;
    this.inputBytes = inputs.stream().mapToLong(DiskComponent::bytes).sum();
    this.inputEntries = inputs.stream().mapToLong(input -> input.metadata().entries()).sum();
    this.inputDeletedKeys =
        inputs.stream().mapToLong(input -> input.metadata().deletedKeys()).sum();
    this.remainingInputBytes = inputBytes;
  }

  @Override
  public Kind kind() {
    return Kind.MERGE;
  }

  @Override
  public String describe() {
    return "merge of " + inputs.size() + " components of " + index.describe() + " to " + target;
  }

  @Override
  public String index() {
    return index.describe();
  }

  @Override
  public long remainingInputBytes() {
    return remainingInputBytes;
  }

  @Override
  public long step(long maxBytes) throws StorageException {
    if (done) {
      return 0;
    }
    try {
      return goOn(maxBytes);
    } catch (StorageException | RuntimeException | Error e) {
      if (!done) {
        end(e);
      }
      throw e;
    }
  }

  private long goOn(long maxBytes) throws StorageException {
    ComponentBuild<Q> output = build;
    if (output == null) {
      long filteredKeys = index.deletedKeys() == null ? inputEntries : inputDeletedKeys;
      build = output = index.newBuild(target, filteredKeys);
      cursor = openEntries();
    }
    LsmCursor entries = cursor;
    if (entries == null) {
      throw new IllegalStateException(describe() + " was given up");
    }
    long before = output.writtenBytes();
    while (output.writtenBytes() - before < maxBytes) {
      if (!entries.next()) {
        if (beginDeletedKeys()) {
          entries = Objects.requireNonNull(cursor);
          continue;
        }
        finish(output);
        break;
      }
      entriesRead++;
      if (atDeletedKeys) {
        output.addDeletedKey(entries.entry());
      } else if (!dropsAntimatter || !entries.entry().antimatter()) {
        output.add(entries.entry());
      }
    }
    if (!done) {
      // Entries that reconciliation skipped are not counted, so this errs on the high side.
      remainingInputBytes =
          inputBytes
              - (long)
                  (inputBytes
                      * Math.min(1.0, entriesRead / (double) (inputEntries + inputDeletedKeys)));
    }
    return output.writtenBytes() - before;
  }

  @SuppressWarnings("MustBeClosedChecker") // the merging cursor takes the inputs' cursors over
  private LsmCursor openEntries() throws StorageException {
    List<EntryCursor> cursors = new ArrayList<>();
    try {
      for (DiskComponent<Q> input : inputs) {
        DiskIndex<Q> entries = input.index();
        if (entries != null) {
          cursors.add(entries.scan());
        }
      }
      MergingCursor states = new MergingCursor(cursors, 0, false, () -> {});
      DeletedKeys kind = index.deletedKeys();
      if (kind == null) {
        return states;
      }
      NewerDeletedKeys newer = new NewerDeletedKeys(kind, List.of(), inputs);
      return newer.isEmpty() ? states : new ValidCursor(states, newer);
    } catch (StorageException | RuntimeException | Error e) {
      cursors.forEach(EntryCursor::close);
      throw e;
    }
  }

  /** Goes on from the entries to the deleted keys; false when there are none to write. */
  @SuppressWarnings("MustBeClosedChecker") // the merging cursor takes the inputs' cursors over
  private boolean beginDeletedKeys() throws StorageException {
    if (atDeletedKeys || dropsAntimatter || inputDeletedKeys == 0) {
      return false;
    }
    closeInputs();
    List<EntryCursor> cursors = new ArrayList<>();
    for (DiskComponent<Q> input : inputs) {
      DiskDeletedKeys keys = input.deletedKeys();
      if (keys != null) {
        cursors.add(keys.scan());
      }
    }
    cursor = new MergingCursor(cursors, 0, false, () -> {});
    atDeletedKeys = true;
    return true;
  }

  private void finish(ComponentBuild<Q> output) throws StorageException {
    closeInputs();
    long componentLsn = -1;
    for (DiskComponent<Q> input : inputs) {
      componentLsn = Math.max(componentLsn, input.metadata().componentLsn());
    }
    output.finish(componentLsn);
    index.merged(inputs, target, output.writtenBytes());
    // Published: from here on nothing is taken back.
    done = true;
    remainingInputBytes = 0;
    for (DiskComponent<Q> input : inputs) {
      input.release();
      input.giveUp();
    }
    index.afterPublish();
  }

  @Override
  public boolean done() {
    return done;
  }

  /** What made the task give up, or null. */
  @Nullable Throwable failure() {
    return failure;
  }

  @Override
  public void cancel() {
    if (!done) {
      end(new IllegalStateException(describe() + " was cancelled"));
    }
  }

  @Override
  public void refuse(StorageException cause) {
    if (!done) {
      end(cause);
    }
  }

  private void end(Throwable cause) {
    failure = cause;
    closeInputs();
    if (build != null) {
      build.abort(cause);
    }
    inputs.forEach(DiskComponent::release);
    done = true;
    index.mergeFailed(inputs);
  }

  private void closeInputs() {
    if (cursor != null) {
      cursor.close();
    }
  }
}

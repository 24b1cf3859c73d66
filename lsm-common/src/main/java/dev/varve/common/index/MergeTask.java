package dev.varve.common.index;

import dev.varve.common.component.ComponentId;
import dev.varve.common.error.StorageException;
import dev.varve.common.maintenance.MaintenanceTask;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a run of adjacent disk components one, by bulk load of their reconciled entries. Antimatter
 * goes on, unless the run includes the oldest component: then there is nothing left to delete.
 */
final class MergeTask<Q> implements MaintenanceTask {
  private final LsmIndex<Q> index;
  private final List<DiskComponent<Q>> inputs;
  private final ComponentId target;
  private final boolean dropsAntimatter;
  private final long inputBytes;
  private final long inputEntries;
  private @Nullable MergingCursor cursor;
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
      build = output = index.newBuild(target, inputEntries);
      cursor = openInputs();
    }
    MergingCursor entries = cursor;
    if (entries == null) {
      throw new IllegalStateException(describe() + " was given up");
    }
    long before = output.writtenBytes();
    while (output.writtenBytes() - before < maxBytes) {
      if (!entries.next()) {
        finish(output);
        break;
      }
      entriesRead++;
      if (!dropsAntimatter || !entries.entry().antimatter()) {
        output.add(entries.entry());
      }
    }
    if (!done) {
      // Entries that reconciliation skipped are not counted, so this errs on the high side.
      remainingInputBytes =
          inputBytes - (long) (inputBytes * Math.min(1.0, (double) entriesRead / inputEntries));
    }
    return output.writtenBytes() - before;
  }

  @SuppressWarnings("MustBeClosedChecker") // the merging cursor takes the inputs' cursors over
  private MergingCursor openInputs() throws StorageException {
    List<EntryCursor> cursors = new ArrayList<>();
    try {
      for (DiskComponent<Q> input : inputs) {
        DiskIndex<Q> entries = input.index();
        if (entries != null) {
          cursors.add(entries.scan());
        }
      }
      return new MergingCursor(cursors, 0, false, () -> {});
    } catch (StorageException | RuntimeException | Error e) {
      cursors.forEach(EntryCursor::close);
      throw e;
    }
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

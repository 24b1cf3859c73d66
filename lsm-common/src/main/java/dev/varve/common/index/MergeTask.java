package dev.varve.common.index;

import dev.varve.common.disk.ComponentStore;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.disk.DiskDeletedKeys;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DeletedKeys;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.EntryTransfer;
import dev.varve.common.maintenance.MaintenanceTask;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes fewer of some disk components, by bulk load of their reconciled entries, and behind them of
 * all their deleted keys: one of a run of adjacent ones, or as many as a level is cut into.
 * Antimatter and deleted keys go on, unless nothing older is left that they could delete.
 */
final class MergeTask<Q> implements MaintenanceTask {
  private final IndexVersions<Q> versions;
  private final ComponentStore<Q> store;
  private final Consumer<List<DiskComponent<Q>>> afterwards;
  private final MergePlan<Q> plan;
  private final List<DiskComponent<Q>> inputs;
  private final long inputBytes;
  private final long inputEntries;
  private final long inputDeletedKeys;
  private @Nullable LsmCursor cursor;

  /** The kind takes the entries in its own way. */
  private boolean transfers;

  private boolean atDeletedKeys;
  private @Nullable MergeOutput<Q> output;
  private long entriesRead;
  private volatile long remainingInputBytes;
  private volatile boolean done;
  private volatile @Nullable Throwable failure;

  /**
   * Takes a merge; its inputs are in state MERGING and stay acquired until the task ends.
   *
   * @param afterwards called without a lock when the results are published, with those that readers
   *     want and that only the system's cache can have for them
   */
  MergeTask(
      IndexVersions<Q> versions,
      ComponentStore<Q> store,
      MergePlan<Q> plan,
      Consumer<List<DiskComponent<Q>>> afterwards) {
    this.versions = versions;
    this.store = store;
    this.afterwards = afterwards;
    this.plan = plan;
    this.inputs = plan.inputs();
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
  public Depth depth() {
    return plan.depth();
  }

  @Override
  public String describe() {
    int level = plan.placement().level();
    return "merge of "
        + inputs.size()
        + " components of "
        + store.describe()
        + " to "
        + (level == 0 ? plan.target().toString() : "level " + level);
  }

  @Override
  public String index() {
    return store.describe();
  }

  @Override
  public Path directory() {
    return store.directory();
  }

  @Override
  public int weight() {
    return versions.options().mergePolicy().weight();
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
    MergeOutput<Q> results = output;
    if (results == null) {
      long filteredKeys = store.format().deletedKeys() == null ? inputEntries : inputDeletedKeys;
      output =
          results =
              new MergeOutput<>(
                  versions, store, plan, new MergeOutput.Size(inputBytes, filteredKeys));
      cursor = openEntries(results);
    }
    LsmCursor entries = cursor;
    if (entries == null) {
      throw new IllegalStateException(describe() + " was given up");
    }
    long before = results.writtenBytes();
    while (results.writtenBytes() - before < maxBytes) {
      if (!moveOn(entries, results)) {
        if (beginDeletedKeys()) {
          entries = Objects.requireNonNull(cursor);
          continue;
        }
        finish(results);
        break;
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
    return results.writtenBytes() - before;
  }

  /** Moves some entries, or a deleted key; false when there are no more. */
  private boolean moveOn(LsmCursor entries, MergeOutput<Q> results) throws StorageException {
    if (transfers && !atDeletedKeys) {
      long moved = results.moveOn();
      entriesRead += Math.max(0, moved);
      return moved != EntryTransfer.END;
    }
    if (!entries.next()) {
      return false;
    }
    entriesRead++;
    if (atDeletedKeys) {
      results.addDeletedKey(entries.entry());
    } else if (!plan.dropsAntimatter() || !entries.entry().antimatter()) {
      results.add(entries.entry());
    }
    return true;
  }

  @SuppressWarnings("MustBeClosedChecker") // the merging cursor takes the inputs' cursors over
  private LsmCursor openEntries(MergeOutput<Q> results) throws StorageException {
    List<EntryCursor> cursors = new ArrayList<>();
    NewerRanges newer = new NewerRanges(store.format());
    // Before the entries: what a repair has checked by then is left out of them.
    long checkedTo = inputs.stream().mapToLong(input -> input.repair().checkedTo()).min().orElse(0);
    try {
      for (List<DiskComponent<Q>> run : plan.runs()) {
        if (run.size() > 1) {
          cursors.add(RunCursor.ascending(run, LiveCursor::scan));
          newer.source();
        } else if (run.get(0).hasEntries()) {
          cursors.add(LiveCursor.scan(run.get(0)));
          newer.source();
        }
        run.forEach(input -> newer.add(input.metadata().ranges()));
      }
      MergingCursor states = new MergingCursor(cursors, 0, false, () -> {});
      DeletedKeys kind = store.format().deletedKeys();
      if (kind == null) {
        LsmCursor entries = reconciled(states, newer);
        MergeSieve.Sifted sifted = versions.sieve().over(entries, checkedTo);
        results.checkedBy(sifted.checkedTo());
        return sifted.entries();
      }
      NewerDeletedKeys deleted = new NewerDeletedKeys(kind, List.of(), inputs, newer);
      transfers = results.takes(cursors, deleted::validity);
      return deleted.isEmpty() ? states : new ValidCursor(states, deleted);
    } catch (StorageException | RuntimeException | Error e) {
      cursors.forEach(EntryCursor::close);
      throw e;
    }
  }

  private LsmCursor reconciled(MergingCursor states, NewerRanges newer) {
    Operands operands = Operands.of(store.format());
    if (operands == null) {
      return newer.unhidden(states);
    }
    return new OperandCursor(
        newer.unhidden(states.withOlderStates()),
        operands,
        plan.dropsAntimatter() ? OperandCursor.Form.STORED_OLDEST : OperandCursor.Form.STORED);
  }

  /** Goes on from the entries to the deleted keys; false when there are none to write. */
  @SuppressWarnings("MustBeClosedChecker") // the merging cursor takes the inputs' cursors over
  private boolean beginDeletedKeys() throws StorageException {
    if (atDeletedKeys || plan.dropsAntimatter() || inputDeletedKeys == 0) {
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

  private void finish(MergeOutput<Q> results) throws StorageException {
    closeInputs();
    // What readers have of the inputs is gone with them.
    boolean wanted = results.wantedInSystemCache();
    List<DiskComponent<Q>> outputs = results.finish();
    versions.merged(plan, outputs, results.writtenBytes());
    // Published: from here on nothing is taken back.
    done = true;
    remainingInputBytes = 0;
    try {
      // Until the policy has been asked, writers at the component limit wait: no longer, since the
      // system takes a tenth of a second to delete large files.
      afterwards.accept(wanted ? outputs : List.of());
    } finally {
      store.unused().deleteHere(this::giveInputsUp);
    }
  }

  private void giveInputsUp() {
    for (DiskComponent<Q> input : inputs) {
      input.release();
      input.giveUp();
    }
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

  /** Whoever waits for the merge is told, also when its files cannot be taken back. */
  private void end(Throwable cause) {
    failure = cause;
    try {
      closeInputs();
      if (output != null) {
        output.abort(cause);
      }
    } finally {
      inputs.forEach(DiskComponent::release);
      done = true;
      versions.mergeFailed(plan);
    }
  }

  private void closeInputs() {
    if (cursor != null) {
      cursor.close();
    }
  }
}

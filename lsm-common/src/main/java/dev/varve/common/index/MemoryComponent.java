package dev.varve.common.index;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.component.ComponentState;
import dev.varve.common.component.DeletedRanges;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.filter.MemoryFilter;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.format.DeletedKeys;
import dev.varve.common.format.Entry;
import dev.varve.common.format.MemoryIndex;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A memory component of an LSM index, as a writer sees it: entered when the writer holds the lock
 * on the primary key and before it takes log space, left when its commit record is in the log.
 * While a writer is inside, the component is not flushed (no-steal; Storage Management in
 * AsterixDB, section 4.2). A writer that entered first and then waited for the lock could find the
 * component sealed, and an older change of its key in a younger component. Thread-safe.
 *
 * @param <Q> the kind's search predicate
 */
public final class MemoryComponent<Q> {
  /** Set in the admission word once the component takes no new writer. */
  private static final int SEALED = 1 << 31;

  /** A component that follows one with fewer entries needs no filter: descents are short. */
  private static final int FILTERED_ENTRIES = 1 << 12;

  /**
   * Nor does one that follows one that was asked for less than a key for so many entries: a filter
   * takes a sixth of the time of a put that asks nothing.
   */
  private static final int ENTRIES_A_QUESTION = 4;

  /**
   * Components that a filter serves in turn. It goes on to speak for what is flushed from them, so
   * one cache line tells of a key that neither these nor those have it.
   */
  private static final int COMPONENTS_A_FILTER = 4;

  /** One in so many questions is counted, so that readers do not fight over the count. */
  private static final int COUNTED_QUESTIONS = 64;

  private static final VarHandle ADMISSION;
  private static final VarHandle LAST_LSN;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      ADMISSION = lookup.findVarHandle(MemoryComponent.class, "admission", int.class);
      LAST_LSN = lookup.findVarHandle(MemoryComponent.class, "lastLsn", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Called by the writer that leaves last, once the component is sealed. */
  private final Runnable flushMayBegin;

  private final ComponentFormat<Q> format;
  private final MemoryIndex<Q> index;
  private final @Nullable MemoryFilter filter;

  /** Null where no operand is ever put. */
  private final @Nullable Operands operands;

  /** Keys that the filter has from components before this one. */
  private final long keysBefore;

  private final @Nullable MemoryDeletedKeys deletedKeys;

  /** How far the owner of the index need not check what is put here. */
  private final long checkedTo;

  /** Bytes of heap that it holds without any entry. */
  private final long emptyBytes;

  /** Questions that were counted. Readers do not see each other, so some may be lost. */
  private int questions;

  /** Antimatter that was put. Writers do not see each other, so some may be lost. */
  private int deletions;

  /** No operation in here is below this position of the log; only recovery ever lowers it. */
  private volatile long startLsn;

  /** The number of writers inside, and {@link #SEALED}. */
  private volatile int admission;

  private volatile long lastLsn = -1;

  /** Something in here counts only together with records of the log. */
  private volatile boolean needsLog;

  /** Log position at the seal: no operation of a younger component is below it. */
  private volatile long sealLsn = Long.MAX_VALUE;

  /** Null until somebody says between which values the records lie that are changed here. */
  private final AtomicReference<@Nullable RangeFilter> range = new AtomicReference<>();

  /** Written before anything is put here. */
  private volatile DeletedRanges ranges = DeletedRanges.NONE;

  /** Bytes of the ranges; 0 for none, so that a put does not look at them. */
  private volatile int rangeBytes;

  /** Written under the owner's lock. */
  private volatile ComponentState state = ComponentState.WRITABLE;

  /**
   * The first component of an index.
   *
   * @param flushMayBegin called each time the last writer has left a sealed component, this one or
   *     a successor
   */
  MemoryComponent(Runnable flushMayBegin, ComponentFormat<Q> format, long startLsn) {
    this(flushMayBegin, format, startLsn, new Inheritance(null, 0, 0));
  }

  /** What a component has from the one before it. */
  private record Inheritance(@Nullable MemoryFilter filter, long keysBefore, long checkedTo) {}

  private MemoryComponent(
      Runnable flushMayBegin, ComponentFormat<Q> format, long startLsn, Inheritance inherited) {
    DeletedKeys kind = format.deletedKeys();
    this.flushMayBegin = flushMayBegin;
    this.format = format;
    this.index = format.createMemoryIndex();
    this.operands = Operands.of(format);
    this.filter = inherited.filter();
    this.keysBefore = inherited.keysBefore();
    this.checkedTo = inherited.checkedTo();
    this.deletedKeys = kind == null ? null : new MemoryDeletedKeys(kind);
    this.startLsn = startLsn;
    this.emptyBytes = usedBytes();
  }

  /**
   * The component that takes writers after this one. It has a filter where the index has filters,
   * and this one shows how many keys to expect, and that readers will ask for some.
   *
   * @param position how far what is put there counts as checked
   */
  MemoryComponent<Q> successor(long successorStartLsn, LsmIndexOptions options, long position) {
    assert position >= checkedTo : "a count that goes back to " + position;
    long entries = index.entryCount();
    boolean filtered =
        options.filterFalsePositiveRate() > 0
            && deletedKeys == null
            && entries >= FILTERED_ENTRIES
            && (long) questions * COUNTED_QUESTIONS * ENTRIES_A_QUESTION >= entries;
    MemoryFilter next = null;
    long keys = 0;
    if (filtered && filter != null && keysBefore + 2 * entries <= filter.expectedKeys()) {
      next = filter;
      keys = keysBefore + entries;
    } else if (filtered) {
      next = new MemoryFilter(COMPONENTS_A_FILTER * entries);
    }
    return new MemoryComponent<>(
        flushMayBegin, format, successorStartLsn, new Inheritance(next, keys, position));
  }

  /** Adds an entry or antimatter, replacing what this component has for the key. */
  public void put(Entry entry, long lsn) {
    needsLog = true;
    putAlone(entry, lsn);
  }

  /**
   * Adds an entry or antimatter that is all of a committed transaction: once the component is
   * durable, the log is not needed for it.
   */
  public void putAlone(Entry entry, long lsn) {
    prepare(entry);
    index.put(operands == null ? entry : operands.framed(entry));
    written(lsn);
  }

  /** Adds an operand, which changes what this component, or an older one, has for the key. */
  public void merge(Entry operand, long lsn) {
    needsLog = true;
    mergeAlone(operand, lsn);
  }

  /** The same of an operand that is all of a committed transaction; see {@link #putAlone}. */
  public void mergeAlone(Entry operand, long lsn) {
    prepare(operand);
    // Nobody else writes the key meanwhile, and readers find either state whole.
    index.put(Objects.requireNonNull(operands).combined(index, operand));
    written(lsn);
  }

  /**
   * Redoes an operation that nobody reads before {@link LsmIndex#seal}; see {@link
   * MemoryIndex#gather}.
   */
  public void gather(Entry entry, long lsn) {
    if (operands != null) {
      // The next operand looks for what it is about.
      put(entry, lsn);
      return;
    }
    needsLog = true;
    prepare(entry);
    index.gather(entry);
    written(lsn);
  }

  private void prepare(Entry entry) {
    assert (admission & ~SEALED) > 0 : "a writer that did not enter";
    if (entry.antimatter()) {
      deletions++;
      if (deletedKeys != null) {
        // Readers find one or the other at least, and take the entry for a candidate either way.
        deletedKeys.add(entry.key());
      }
    }
    if (filter != null) {
      filter.add(KeyHash.hash(entry.key()));
    }
  }

  private void written(long lsn) {
    if (lsn < startLsn) {
      // Redo brings operations that are older than the component; it runs on one thread.
      startLsn = lsn;
    }
    long seen = lastLsn;
    while (seen < lsn && !LAST_LSN.weakCompareAndSet(this, seen, lsn)) {
      seen = lastLsn;
    }
  }

  /** Hides what older components have in ranges of primary keys; nothing was put here before. */
  void hide(DeletedRanges deleted, long lsn) {
    assert index.entryCount() == 0 : "entries that are older than the range";
    // Other indexes lose their entries by the same transaction.
    needsLog = true;
    ranges = ranges.with(deleted);
    rangeBytes = ranges.bytes();
    written(lsn);
  }

  /** Ranges of keys of which older components have nothing that counts. */
  DeletedRanges deletedRanges() {
    return ranges;
  }

  /**
   * Says between which values the records lie that a writer is about to change here: what they have
   * by now and, unless {@linkplain RangeFilter#heldOnly nobody knows that}, what they had before. A
   * writer of a filtered index says so before each {@link #put}; in others nobody ever does.
   */
  public void cover(RangeFilter values) {
    assert (admission & ~SEALED) > 0 : "a writer that did not enter";
    RangeFilter seen = range.get();
    RangeFilter united = seen == null ? values : seen.with(values);
    while (!united.equals(seen) && !range.compareAndSet(seen, united)) {
      seen = range.get();
      united = seen == null ? values : seen.with(values);
    }
  }

  /** Between which values the records lie that were changed here. */
  RangeFilter rangeFilter() {
    RangeFilter said = range.get();
    return said == null ? RangeFilter.UNKNOWN : said;
  }

  /** A reader looks for a key with this hash; counts some of the readers. */
  void countQuestion(long hash) {
    if (hash % COUNTED_QUESTIONS == 0) {
      questions++;
    }
  }

  /** Has every key that is in here, and those of neighbours; null when there is none. */
  @Nullable MemoryFilter filter() {
    return filter;
  }

  /** Leaves; the last writer out of a sealed component sets its flush off. */
  public void exit() {
    int after = (int) ADMISSION.getAndAdd(this, -1) - 1;
    assert (after & ~SEALED) != ~SEALED : "left more often than entered";
    if (after == SEALED) {
      flushMayBegin.run();
    }
  }

  /** Lets a writer in unless the component is sealed. */
  boolean tryEnter() {
    int current = admission;
    while (current >= 0) {
      if (ADMISSION.compareAndSet(this, current, current + 1)) {
        return true;
      }
      current = admission;
    }
    return false;
  }

  /**
   * Lets no more writers in, and then asks where the log ends; called once, under the owner's lock.
   * So what a writer has logged before it finds the component {@linkplain #isSealed not sealed} is
   * below that position.
   */
  void seal(LongSupplier endOfLog) {
    move(ComponentState.Event.SEAL);
    ADMISSION.getAndBitwiseOr(this, SEALED);
    sealLsn = endOfLog.getAsLong();
  }

  /**
   * Whether the component takes no more writers. What a writer that is inside has logged may be
   * redone then, although it is in here; see {@link #componentLsn}.
   */
  public boolean isSealed() {
    return admission < 0;
  }

  /** Whether the component is sealed and every writer has left, and no flush is under way. */
  boolean flushable() {
    return state == ComponentState.SEALED && admission == SEALED;
  }

  /** Whether an operation may be in here that no disk component has. */
  boolean holdsOperations() {
    return (admission & ~SEALED) != 0
        || index.entryCount() > 0
        || rangeBytes > 0
        || (deletedKeys != null && deletedKeys.count() > 0);
  }

  /** About how often something was deleted here. */
  long deletions() {
    return deletedKeys == null ? deletions : deletedKeys.count();
  }

  /** Grows with each operation in here, unless an unlogged one replaced a value. */
  long writeMark() {
    return lastLsn + index.entryCount() + deletions;
  }

  /** Moves along the table of {@link ComponentState}; under the owner's lock. */
  void move(ComponentState.Event event) {
    state = state.after(event);
  }

  ComponentState state() {
    return state;
  }

  MemoryIndex<Q> index() {
    return index;
  }

  /** The primary keys that are deleted here; null for a kind without deleted keys. */
  @Nullable MemoryDeletedKeys deletedKeys() {
    return deletedKeys;
  }

  /** Bytes of heap in here. */
  long usedBytes() {
    return index.usedBytes()
        + rangeBytes
        + (filter == null ? 0 : filter.usedBytes() / COMPONENTS_A_FILTER)
        + (deletedKeys == null ? 0 : deletedKeys.usedBytes());
  }

  /** Those that it would not hold without entries. */
  long takenBytes() {
    return usedBytes() - emptyBytes;
  }

  long startLsn() {
    return startLsn;
  }

  /**
   * Whether it is whole by itself: each operation a transaction, and none of the index's operations
   * up to its last one in a younger component.
   */
  boolean standsAlone() {
    return !needsLog && lastLsn < sealLsn;
  }

  /** How far all that is in here counts as checked by the owner of the index. */
  long checkedTo() {
    return checkedTo;
  }

  /** LSN of the last operation in here, or -1. */
  long lastLsn() {
    return lastLsn;
  }

  /**
   * The LSN that its disk component will carry. Writers that were inside at the seal may have
   * logged above the seal position, interleaved with writers of the next component; what lies above
   * is redone after a crash although it is here too, whereas claiming it would lose the next
   * component's share. That does no harm, but to operands: who puts one looks whether the component
   * {@linkplain #isSealed was sealed}.
   */
  long componentLsn() {
    return Math.min(lastLsn, sealLsn - 1);
  }
}

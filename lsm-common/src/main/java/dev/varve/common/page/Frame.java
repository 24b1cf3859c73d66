package dev.varve.common.page;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A page in the cache. A frame belongs to one page of one file for its whole life: when the page is
 * evicted the frame dies, and only its bytes are recycled. So whoever pins a living frame that it
 * found in the file's table has the right page, without looking again. Thread-safe.
 *
 * <p>Implementation note. The state is one long, so that a pin is one atomic addition that also
 * counts the hit and marks the page as used for the clock:
 *
 * <pre>
 *   bits 0..22   pins
 *   bit  23      dead: no new pin is valid, and no pin is out
 *   bits 24..63  hits, modulo 2^40 (a carry out of the top is lost, and harms nothing)
 * </pre>
 *
 * As a stamp a frame is nothing but itself: its reader takes the bytes, and where in them the page
 * begins, from two more tables of the file, reads them, and looks then whether the frame is still
 * in the file's table, which it leaves before its bytes are given away and never comes back to.
 * Nothing in the frame is looked at, which would be one more wait for memory.
 */
final class Frame implements PageFile.Page, PageFile.Stamp {
  private static final long ONE_PIN = 1;
  private static final long DEAD = 1L << 23;
  private static final long PINS = DEAD - 1;
  private static final int HITS_SHIFT = 24;
  private static final long ONE_HIT = 1L << HITS_SHIFT;
  private static final VarHandle STATE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(Frame.class, "state", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final PageTable table;
  final int pageNumber;

  /** Position in its shard's ring; guarded by that one's lock. */
  int ringIndex = -1;

  /** Whether a pin is kept until the file is closed; guarded by its shard's lock. */
  boolean held;

  private final PageBuffer buffer;

  // The buffer's own, so that whoever has the frame waits for no other object.
  private final byte[] bytes;
  private final int at;
  private final boolean readAhead;

  @SuppressWarnings("FieldMayBeFinal") // written through STATE
  private volatile long state;

  // Hits when the hand passed last, and when they were counted last; guarded by its shard's lock.
  private long sweptHits;
  private long countedHits;

  private Frame(PageTable table, int pageNumber, PageBuffer buffer, boolean readAhead, long state) {
    this.table = table;
    this.pageNumber = pageNumber;
    this.buffer = buffer;
    this.bytes = buffer.bytes();
    this.at = buffer.at();
    this.readAhead = readAhead;
    this.state = state;
  }

  /** A page that was just read, with one pin for the reader that asked for it. */
  static Frame pinned(PageTable table, int pageNumber, PageBuffer buffer) {
    return new Frame(table, pageNumber, buffer, /* readAhead= */ false, ONE_PIN);
  }

  /** A page that was read for somebody who has not asked for it yet, without a pin. */
  static Frame fetched(PageTable table, int pageNumber, PageBuffer buffer) {
    return new Frame(table, pageNumber, buffer, /* readAhead= */ false, 0);
  }

  /** A page that was read with another one, without a pin. */
  static Frame readAhead(PageTable table, int pageNumber, PageBuffer buffer) {
    return new Frame(table, pageNumber, buffer, /* readAhead= */ true, 0);
  }

  @Override
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public int at() {
    return at;
  }

  /** Bytes of the page. */
  int length() {
    return buffer.length();
  }

  /** What the page was read into. */
  PageBuffer buffer() {
    return buffer;
  }

  @Override
  public int prefetch() {
    return (int) (long) STATE.getOpaque(this);
  }

  /** Whether the page was read for nobody. */
  boolean isReadAhead() {
    return readAhead;
  }

  /** Whether somebody asked for the page, then or later; a stamp does not count. */
  boolean wasAskedFor() {
    return !readAhead || hits() != 0;
  }

  private long hits() {
    return state >>> HITS_SHIFT;
  }

  /** Pins the page and counts a hit; false when the frame is dead, which it then stays. */
  boolean tryPin() {
    long before = (long) STATE.getAndAdd(this, ONE_HIT | ONE_PIN);
    if ((before & DEAD) != 0) {
      STATE.getAndAdd(this, -(ONE_HIT | ONE_PIN));
      return false;
    }
    return true;
  }

  /** Adds a pin that outlives the caller's own. */
  void pinAgain() {
    long before = (long) STATE.getAndAdd(this, ONE_PIN);
    assert (before & PINS) != 0 && (before & DEAD) == 0;
  }

  /** Unpins. */
  @Override
  public void close() {
    long before = (long) STATE.getAndAdd(this, -ONE_PIN);
    assert (before & PINS) != 0 : "unpinned more often than pinned: " + this;
  }

  /** Number of pins that are out. */
  int pins() {
    return (int) (state & PINS);
  }

  /** Whether the page was used since the clock's hand passed last. Needs its shard's lock. */
  boolean usedSinceLastSweep() {
    long hits = hits();
    boolean used = hits != sweptHits;
    sweptHits = hits;
    return table.takeReadSinceSweep(pageNumber) || used;
  }

  /** Hits since this was asked last. Needs its shard's lock. */
  long takeHits() {
    long hits = hits();
    long fresh = (hits - countedHits) & (-1L >>> HITS_SHIFT);
    countedHits = hits;
    return fresh;
  }

  /** Makes the frame dead if nobody has it pinned. */
  boolean tryKill() {
    long now = state;
    return (now & (PINS | DEAD)) == 0 && STATE.compareAndSet(this, now, now | DEAD);
  }

  /** Makes the frame dead while a pin is out; its bytes must not be recycled. */
  void orphan() {
    STATE.getAndBitwiseOr(this, DEAD);
  }

  @Override
  public String toString() {
    return "page " + pageNumber + " of " + table.name() + ", pins " + pins();
  }
}

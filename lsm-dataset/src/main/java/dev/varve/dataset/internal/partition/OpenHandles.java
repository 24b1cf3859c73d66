package dev.varve.dataset.internal.partition;

import dev.varve.common.env.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What callers have opened in a partition and not closed yet, so that an engine that waits for them
 * can say for what. Thread-safe.
 */
final class OpenHandles {
  private final Clock clock;
  private final boolean tracksStacks;
  private final Set<Handle> open = ConcurrentHashMap.newKeySet();

  /** What a caller has opened. */
  enum Kind {
    CURSOR("cursor"),
    SESSION("write session"),
    TRANSACTION("transaction"),
    BULK_LOAD("bulk load");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  /** Something that is open. Immutable. */
  static final class Handle {
    private final Kind kind;
    private final long openedNanos;
    private final String thread = Thread.currentThread().getName();
    private final @Nullable Throwable opening;
    private final @Nullable Revocation revocation;

    private Handle(
        Kind kind, long openedNanos, @Nullable Throwable opening, @Nullable Revocation revocation) {
      this.kind = kind;
      this.openedNanos = openedNanos;
      this.opening = opening;
      this.revocation = revocation;
    }

    Kind kind() {
      return kind;
    }
  }

  /**
   * Nothing open.
   *
   * @param tracksStacks whether the stack of each opening is kept
   */
  OpenHandles(Clock clock, boolean tracksStacks) {
    this.clock = clock;
    this.tracksStacks = tracksStacks;
  }

  /** Something was opened by this thread; the caller hands the result to {@link #closed}. */
  Handle opened(Kind kind) {
    return opened(kind, null);
  }

  /** The same for what an engine that closes may end by force. */
  Handle opened(Kind kind, @Nullable Revocation revocation) {
    Throwable opening =
        tracksStacks
            ? new Throwable("a " + kind.text + " was left open that was opened here")
            : null;
    Handle handle = new Handle(kind, clock.nanoTime(), opening, revocation);
    open.add(handle);
    return handle;
  }

  /** It is open no more; idempotent. */
  void closed(Handle handle) {
    open.remove(handle);
  }

  /** How many of a kind are open. */
  int count(Kind kind) {
    int count = 0;
    for (Handle handle : open) {
      count += handle.kind == kind ? 1 : 0;
    }
    return count;
  }

  /** Ends transactions and bulk loads, each now or with the call that it is in. */
  void revoke() {
    for (Handle handle : open) {
      if (handle.revocation != null) {
        handle.revocation.revoke();
      }
    }
  }

  /**
   * Says of some kinds what is open, the oldest first.
   *
   * @param place where it is open
   */
  List<LeftOpen> describe(Set<Kind> kinds, String place) {
    long now = clock.nanoTime();
    List<LeftOpen> left = new ArrayList<>();
    open.stream()
        .filter(handle -> kinds.contains(handle.kind))
        .sorted(Comparator.comparingLong(handle -> handle.openedNanos))
        .forEach(
            handle ->
                left.add(
                    new LeftOpen(
                        "a "
                            + handle.kind.text
                            + " in "
                            + place
                            + ", opened "
                            + (now - handle.openedNanos) / 1_000_000
                            + " ms ago by thread '"
                            + handle.thread
                            + "'",
                        handle.opening)));
    return left;
  }

  /**
   * What keeps a partition in use, calls under way included.
   *
   * @param readers how many are in
   * @param writers how many are in
   * @param where for messages
   */
  List<LeftOpen> inUse(int readers, int writers, String where) {
    List<LeftOpen> left =
        new ArrayList<>(describe(EnumSet.of(Kind.CURSOR, Kind.TRANSACTION, Kind.BULK_LOAD), where));
    int reads = readers - count(Kind.CURSOR) - count(Kind.BULK_LOAD);
    if (reads > 0) {
      left.add(new LeftOpen("calls under way in " + where + ": " + reads, null));
    }
    int writes = writers - count(Kind.TRANSACTION);
    if (writes > 0) {
      left.add(new LeftOpen("writes under way in " + where + ": " + writes, null));
      left.addAll(describe(EnumSet.of(Kind.SESSION), where));
    }
    return left;
  }
}

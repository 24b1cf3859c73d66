package dev.varve.scheduler.admission;

import dev.varve.scheduler.admission.DatasetMemory.Decision;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * One pool of memory for all datasets of a node, and which of them is flushed when it gets short. A
 * dataset may take as much of it as is free. From nine tenths of the pool on, the dataset that has
 * written the most since its last seal is flushed, of equal ones that whose oldest operation is the
 * oldest in the log, and then the next, until what will be left after these flushes is below that
 * again. So many small datasets, none of which would ever fill a memory of its own, cannot keep the
 * pool for themselves. Confined to one thread, or to the thread that holds its owner's lock.
 *
 * <p>Implementation note. Writers ask before nearly every write, and there may be thousands of
 * datasets: sums are kept, and who may be sealed is kept in order, as of when it was counted last.
 *
 * @param <K> what stands for a dataset
 */
public final class SharedMemory<K> {
  /** The part of the pool from which on datasets are flushed. */
  private static final double FLUSHED_FROM = 0.9;

  /**
   * What a dataset has of the pool.
   *
   * @param writableBytes what is written since its last seal
   * @param sealedBytes what is sealed and not yet freed by a flush
   * @param flushPending whether something is sealed, so that it cannot be sealed again
   * @param heldUp whether the flush waits for a transaction, or has failed, and so frees nothing
   *     now
   * @param oldestLsn where in the log its oldest operation is that is not on disk
   */
  public record Member(
      long writableBytes, long sealedBytes, boolean flushPending, boolean heldUp, long oldestLsn) {
    /** Bytes that it holds. */
    public long bytes() {
      return writableBytes + sealedBytes;
    }

    private boolean mayBeSealed() {
      return !flushPending && writableBytes > 0;
    }

    private long comingBytes() {
      return heldUp ? 0 : sealedBytes;
    }

    private boolean flushComes() {
      return flushPending && !heldUp;
    }
  }

  /**
   * A member, with its place among equal ones: a value, so that the order of those that are sorted
   * does not change while they are.
   */
  private record Place(Member member, long joined) {
    static final Comparator<Place> FIRST_SEALED =
        Comparator.comparingLong((Place place) -> -place.member.writableBytes)
            .thenComparingLong(place -> place.member.oldestLsn)
            .thenComparingLong(Place::joined);
  }

  private final long poolBytes;
  private final Map<K, Place> places = new HashMap<>();
  private final NavigableMap<Place, K> sealable = new TreeMap<>(Place.FIRST_SEALED);
  private long joined;
  private long bytes;

  /** What flushes that nobody holds up will free. */
  private long comingBytes;

  /** Those that have something sealed. */
  private final Set<K> flushing = new LinkedHashSet<>();

  /** How many of them nobody holds up. */
  private int coming;

  /**
   * A pool that nobody has anything of.
   *
   * @param poolBytes all of it
   */
  public SharedMemory(long poolBytes) {
    this.poolBytes = poolBytes;
  }

  /** From how many bytes on something is flushed. */
  public static long flushedFrom(long poolBytes) {
    return (long) (poolBytes * FLUSHED_FROM);
  }

  /** Bytes that are taken. */
  public long bytes() {
    return bytes;
  }

  /** Whether a dataset is a member. */
  public boolean contains(K dataset) {
    return places.containsKey(dataset);
  }

  /** A dataset joins with this, or has this now. */
  public void put(K dataset, Member member) {
    Place before = places.get(dataset);
    if (before != null && before.member.equals(member)) {
      return;
    }
    remove(dataset);
    Place now = new Place(member, before == null ? joined++ : before.joined);
    places.put(dataset, now);
    bytes += member.bytes();
    comingBytes += member.comingBytes();
    coming += member.flushComes() ? 1 : 0;
    if (member.flushPending()) {
      flushing.add(dataset);
    }
    if (member.mayBeSealed()) {
      sealable.put(now, dataset);
    }
  }

  /** A dataset is no member any more. */
  public void remove(K dataset) {
    Place before = places.remove(dataset);
    if (before == null) {
      return;
    }
    Member member = before.member;
    bytes -= member.bytes();
    comingBytes -= member.comingBytes();
    assert bytes >= comingBytes && comingBytes >= 0
        : "counted wrongly: " + bytes + ", " + comingBytes;
    flushing.remove(dataset);
    coming -= member.flushComes() ? 1 : 0;
    boolean sealableBefore = sealable.remove(before) != null;
    assert sealableBefore == member.mayBeSealed() : "the order of " + member + " has changed";
  }

  /** Members that have something sealed: what they have is less once their flush has ended. */
  public List<K> flushing() {
    return List.copyOf(flushing);
  }

  /** The member that has written the most since its last seal, of those that may be sealed. */
  public Optional<K> largest() {
    return sealable.isEmpty() ? Optional.empty() : Optional.of(sealable.firstEntry().getValue());
  }

  /** Whether so little is left that something is flushed, unless enough is on its way. */
  public boolean wantsFlush() {
    return bytes - comingBytes >= flushedFrom(poolBytes);
  }

  /**
   * Which dataset is to be sealed next, so that it is flushed. One that is at its component limit
   * is passed over, unless the pool is full, no other is left and no flush is on its way: then
   * reads of that one cost a little more, and nobody waits for its merges who does not write to it.
   *
   * @param atComponentLimit whether a member has an index with as many disk components as it may
   *     have
   * @return empty when nothing has to be sealed, or can be
   */
  public Optional<K> next(Predicate<K> atComponentLimit) {
    if (!wantsFlush()) {
      return Optional.empty();
    }
    for (K candidate : sealable.values()) {
      if (!atComponentLimit.test(candidate)) {
        return Optional.of(candidate);
      }
    }
    return bytes >= poolBytes && coming == 0 ? largest() : Optional.empty();
  }

  /**
   * What follows for somebody who wants to write to a dataset: as {@link DatasetMemory#decide} says
   * it, with {@code SEAL} for whichever dataset is next. From where the pool gets short on, nobody
   * writes to a dataset that could not be flushed for its component limit.
   *
   * @param dataset a member
   * @param someIsNext whether {@link #next} finds one; asked only when that may be
   * @param atComponentLimit asked only when it counts
   */
  public Decision decide(K dataset, BooleanSupplier someIsNext, Predicate<K> atComponentLimit) {
    if (bytes < flushedFrom(poolBytes)) {
      return Decision.ROOM;
    }
    if (wantsFlush() && someIsNext.getAsBoolean()) {
      return Decision.SEAL;
    }
    boolean own = Objects.requireNonNull(places.get(dataset)).member.flushPending();
    if (!own && atComponentLimit.test(dataset)) {
      return Decision.WAIT_FOR_MERGES;
    }
    return bytes >= poolBytes && !flushing.isEmpty() ? Decision.WAIT_FOR_FLUSH : Decision.ROOM;
  }
}

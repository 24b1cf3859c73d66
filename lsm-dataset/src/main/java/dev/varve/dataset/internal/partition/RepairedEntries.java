package dev.varve.dataset.internal.partition;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.ForwardingCursor;
import dev.varve.common.index.LsmCursor;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.Origin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a merge without those that are obsolete (Luo and Carey, VLDB 2019, section 4.4:
 * merge repair). A block of entries is read ahead, and its keys are looked up together in the index
 * of primary keys, whose Bloom filters spare most of the reading. Once that has cost as much as
 * reading all keys that may matter, those are read instead. Confined to one thread.
 *
 * <p>Only what that index has on disk counts: it is committed, and no crash takes it back. A key
 * that is not there on disk is gone only if its entry is old enough that its change has to be
 * there; otherwise the key may still be in memory. What was checked before, when components were
 * merged or by the time at which entries came into memory, is not checked again: of the index of
 * primary keys only the flushes since then are looked at. Were an older entry of the same value to
 * come forth where an obsolete one is left out, it would be obsolete, too.
 */
final class RepairedEntries implements ForwardingCursor {
  private static final int MOST_BLOCK_ENTRIES = 1024;

  /** Blocks begin as small as that, so that little is looked up where all can be read instead. */
  private static final int FIRST_BLOCK_ENTRIES = 16;

  /** To read a key of the other index costs so much less than to look one up. */
  private static final int READS_A_LOOKUP = 16;

  private final LsmCursor states;
  private final SecondaryIndex.EntryKeys entryKeys;
  private final LsmIndex<KeyRange> primaryKeys;
  private final SharedChanges changes;
  private final KeyStamps stamps;
  private final List<Held> block = new ArrayList<>();

  /** Those of the block that may be obsolete, by primary key. */
  private final List<Held> judged = new ArrayList<>();

  private final long checkedBefore;

  /** The newest flush of the index of primary keys when the merge began. */
  private final long newestFlush;

  private int blockEntries = FIRST_BLOCK_ENTRIES;
  private long lookedUp;

  /** What is asked from now on, in the place of the index; null for not yet. */
  private @Nullable ChangedKeys changed;

  /** Whether they were too many bytes. */
  private boolean gaveUp;

  /** Whether there was an entry that could not be judged. */
  private boolean undecided;

  private final Entry current = new Entry();
  private int position;

  /** A copy of an entry. */
  private static final class Held {
    private final byte[] key;
    private final byte[] value;
    private final byte[] primaryKey;
    private final boolean antimatter;
    private final long stamp;

    /** Where it lies, when the entries of a single component are read. */
    private final long position;

    private boolean obsolete;

    Held(Entry entry, Slice primaryKey, long position) {
      this.position = position;
      this.key = entry.key().toByteArray();
      this.value = entry.value().toByteArray();
      this.primaryKey = primaryKey.toByteArray();
      this.antimatter = entry.antimatter();
      this.stamp = antimatter ? 0 : Stamp.of(entry);
    }

    /**
     * Decides, when all changes at or below an LSN are on disk.
     *
     * @return false when that cannot be decided yet
     */
    boolean judge(long keyStamp, long coveredLsn) {
      boolean decided = isDecided(keyStamp, stamp, coveredLsn);
      obsolete = decided && keyStamp > stamp;
      return decided;
    }
  }

  /**
   * Takes over the entries of a merge.
   *
   * @param index whose components merge, and whose entries are stamped
   * @param changes of the index of primary keys of the same partition
   * @param checkedBefore the flush of that index against which all entries were checked
   */
  RepairedEntries(
      LsmCursor states, SecondaryIndex<?> index, SharedChanges changes, long checkedBefore) {
    this.states = states;
    this.entryKeys = index.newEntryKeys();
    this.changes = changes;
    this.primaryKeys = changes.primaryKeys();
    this.stamps = new KeyStamps(primaryKeys::findAllOnDisk, checkedBefore);
    this.checkedBefore = checkedBefore;
    this.newestFlush = primaryKeys.state().newestFlush();
    assert newestFlush >= checkedBefore : "checked against flush " + checkedBefore;
  }

  /** The flush of the index of primary keys against which all entries so far were checked. */
  long checkedTo() {
    return undecided ? checkedBefore : newestFlush;
  }

  @Override
  public LsmCursor states() {
    return states;
  }

  @Override
  public boolean next() throws StorageException {
    while (changed == null) {
      while (position < block.size()) {
        Held held = block.get(position++);
        if (!held.obsolete) {
          current.key().set(held.key, 0, held.key.length);
          current.value().set(held.value, 0, held.value.length);
          current.antimatter(held.antimatter);
          return true;
        }
      }
      readChanged();
      if (changed == null && !fillBlock()) {
        return false;
      }
    }
    ChangedKeys asked = changed;
    while (states.next()) {
      if (!isObsolete(states.entry(), asked)) {
        return true;
      }
    }
    return false;
  }

  /** Reads the keys that changed, if that is worth it by now. */
  private void readChanged() throws StorageException {
    if (gaveUp) {
      return;
    }
    Optional<ChangedKeys> read =
        changes.between(checkedBefore, newestFlush, READS_A_LOOKUP * lookedUp);
    gaveUp = read.isPresent() && !read.get().isWhole();
    changed = gaveUp ? null : read.orElse(null);
  }

  private boolean isObsolete(Entry entry, ChangedKeys keys) throws StorageException {
    if (entry.antimatter()) {
      return false;
    }
    long stamp = Stamp.of(entry);
    long keyStamp = keys.stampOf(entryKeys.primaryKey(entry.key()));
    boolean decided = isDecided(keyStamp, stamp, keys.coveredLsn());
    undecided |= !decided;
    return decided && keyStamp > stamp;
  }

  /** Whether an entry can be judged, when all changes at or below an LSN are on disk. */
  private static boolean isDecided(long keyStamp, long stamp, long coveredLsn) {
    assert keyStamp != KeyStamps.UNSETTLED : "what is in memory was looked at";
    return keyStamp != KeyStamps.GONE || stamp <= coveredLsn + 1;
  }

  private boolean fillBlock() throws StorageException {
    block.clear();
    judged.clear();
    position = 0;
    while (block.size() < blockEntries && states.next()) {
      Entry entry = states.entry();
      Held held = new Held(entry, entryKeys.primaryKey(entry.key()), states.position());
      block.add(held);
      if (!held.antimatter) {
        judged.add(held);
      }
    }
    judged.sort((a, b) -> Arrays.compareUnsigned(a.primaryKey, b.primaryKey));
    lookedUp += block.size();
    blockEntries = Math.min(MOST_BLOCK_ENTRIES, 2 * blockEntries);
    long coveredLsn = primaryKeys.state().indexLsn();
    stamps.look(
        judged.size(),
        (element, view) -> {
          byte[] key = judged.get(element).primaryKey;
          return view.set(key, 0, key.length);
        },
        (element, stamp) -> undecided |= !judged.get(element).judge(stamp, coveredLsn));
    return !block.isEmpty();
  }

  @Override
  public Entry entry() {
    return changed != null ? states.entry() : current;
  }

  @Override
  public long position() {
    return changed != null ? states.position() : block.get(position - 1).position;
  }

  @Override
  public Origin origin() {
    return Origin.DISK;
  }
}

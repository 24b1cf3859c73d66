package dev.varve.dataset.internal.partition;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.Origin;
import dev.varve.dataset.internal.catalog.PartitionDescriptor;
import dev.varve.dataset.kind.IndexKind;
import dev.varve.dataset.model.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Checks a partition that nobody writes to. Every component is read whole; then both sides of each
 * secondary index, what the primary says and what the index holds, are counted and hashed as
 * multisets. Only where they differ are the entries looked at one by one: one that is missing is a
 * problem, and so is one whose record is gone or has others, unless such may be there. Of entries
 * with {@linkplain Stamp stamps} those are left out before that are obsolete by them. Used once.
 */
final class PartitionVerifier {
  private static final int MOST_PROBLEMS = 100;

  /** How many misplaced records are named. */
  private static final int MOST_NAMED = 5;

  /** A multiset of keys, as a count and two sums that do not depend on order. */
  private static final class Multiset {
    private long count;
    private long sum;
    private long mixedSum;

    void add(Slice key) {
      long hash = KeyHash.hash(key);
      count++;
      sum += hash;
      mixedSum += KeyHash.mix(hash ^ key.length());
    }

    boolean same(Multiset other) {
      return count == other.count && sum == other.sum && mixedSum == other.mixedSum;
    }
  }

  private final PartitionDescriptor descriptor;
  private final PartitionKeys keys;
  private final PartitionIndexes indexes;
  private final boolean mayHoldObsolete;
  private final @Nullable RecordEntries expected;

  /** Scratch. */
  private final Entry keyState = new Entry();

  private final StoredForm form;
  private final List<String> problems = new ArrayList<>();
  private long components;
  private long records;
  private long entries;
  private long misplaced;
  private final List<String> namedMisplaced = new ArrayList<>();

  /** A verifier of a partition's open indexes. */
  PartitionVerifier(PartitionLifecycle lifecycle, PartitionIndexes indexes) {
    this.descriptor = indexes.shape().descriptor();
    this.keys = lifecycle.keys();
    this.form = lifecycle.form;
    this.indexes = indexes;
    this.mayHoldObsolete = lifecycle.upkeep().mayHoldObsolete();
    this.expected = indexes.schema == null ? null : indexes.storedEntries();
  }

  PartitionCheck verify() throws StorageException {
    for (int position = 0; position < indexes.size(); position++) {
      if (!indexes.shape().answers(position)) {
        continue; // not built yet, or dropped
      }
      LsmIndex<?> index = indexes.get(position);
      components += index.shape().components().size();
      try {
        index.contents().verify();
      } catch (CorruptionException | FormatVersionException e) {
        problem(String.valueOf(e.getMessage()));
      }
    }
    try {
      checkProjections();
      if (descriptor.options().filterField().isPresent()) {
        checkFilters();
      }
    } catch (CorruptionException | FormatVersionException e) {
      problem(String.valueOf(e.getMessage()));
    }
    if (misplaced > 0) {
      problems.add(
          0,
          misplaced
              + " records of "
              + descriptor.describe()
              + " belong elsewhere, where 'varve repair' puts them: "
              + String.join(", ", namedMisplaced)
              + (misplaced > namedMisplaced.size() ? ", ..." : ""));
    }
    return new PartitionCheck(components, records, entries, misplaced, problems);
  }

  private void checkProjections() throws StorageException {
    Multiset[] wanted = new Multiset[indexes.size() - 1];
    for (int i = 0; i < wanted.length; i++) {
      wanted[i] = new Multiset();
    }
    try (EntryCursor cursor = indexes.primary().search(KeyRange.all())) {
      while (cursor.next()) {
        records++;
        checkPlace(cursor.entry().key());
        checkValue(cursor.entry());
        if (read(cursor.entry())) {
          for (int i = 0; i < wanted.length; i++) {
            if (hasEntry(i)) {
              heldKeys(i, wanted[i]::add);
            }
          }
        }
      }
    }
    for (int i = 0; i < wanted.length; i++) {
      if (!indexes.shape().answers(i + 1)) {
        continue;
      }
      Multiset there = new Multiset();
      try (EntryCursor cursor = indexes.secondary(i).everything()) {
        while (cursor.next()) {
          entries++;
          if (stands(i, cursor.entry())) {
            there.add(cursor.entry().key());
          } else {
            checkObsolete(i, cursor.entry());
          }
        }
      }
      if (!there.same(wanted[i])) {
        int before = problems.size();
        boolean obsolete = mayHoldObsolete && !indexes.secondary(i).stamped();
        findMissing(i);
        if (!obsolete) {
          findSuperfluous(i);
        }
        if (problems.size() == before && !(obsolete && there.count > wanted[i].count)) {
          problem(index(i) + " is not the projection of the primary index");
        }
      }
    }
  }

  /**
   * Each record lies in the filters of the components that it is read from. Of a record that has
   * several entries in an index the one counts that was put; the others came with it.
   */
  private void checkFilters() throws StorageException {
    RecordEntries reader = Objects.requireNonNull(expected);
    indexes.primary().contents().verifyRanges(entry -> read(entry) ? reader.filterValue() : null);
    Entry found = new Entry();
    for (int i = 0; i < indexes.size() - 1; i++) {
      int secondary = i;
      SecondaryIndex.EntryKeys entryKeys = indexes.secondary(i).newEntryKeys();
      indexes
          .secondary(i)
          .lsm()
          .contents()
          .verifyRanges(
              entry -> {
                Slice primaryKey = entryKeys.primaryKey(entry.key());
                boolean holds =
                    indexes.primary().find(primaryKey, found) != Origin.NOWHERE
                        && !found.antimatter()
                        && read(found)
                        && reader.has(secondary)
                        && reader.key(secondary).sameBytes(entry.key());
                return holds ? reader.filterValue() : null;
              });
    }
  }

  /** A value that is kept apart is where its reference says, whole. */
  private void checkValue(Entry stored) throws StorageException {
    if (form.isPlain(stored)) {
      return;
    }
    try {
      Entry shown = new Entry();
      shown.key().copyOf(stored.key());
      shown.value().copyOf(stored.value());
      form.shows(shown, Long.MIN_VALUE);
    } catch (CorruptionException | FormatVersionException damaged) {
      problem(primary(stored.key()) + ": " + damaged.getMessage());
    }
  }

  private void checkPlace(Slice key) {
    if (!keys.hold(key)) {
      misplaced++;
      if (namedMisplaced.size() < MOST_NAMED) {
        namedMisplaced.add("record " + Key.ofSlice(key) + " to " + keys.home(key));
      }
    }
  }

  /** Reads a record of the primary index; false, and a problem, when it is none. */
  private boolean read(Entry entry) throws LimitException {
    RecordEntries reader = expected;
    if (reader == null) {
      return false;
    }
    try {
      reader.read(entry.value());
    } catch (RequestException | LimitException e) {
      problem(primary(entry.key()) + " is no record: " + e.getMessage());
      return false;
    } catch (StorageException e) {
      throw new AssertionError("reading bytes does no I/O", e);
    }
    if (!reader.primaryKey().sameBytes(entry.key())) {
      problem(primary(entry.key()) + " says that its key is " + Key.ofSlice(reader.primaryKey()));
      return false;
    }
    return true;
  }

  private boolean hasEntry(int secondary) {
    return expected != null && expected.has(secondary);
  }

  /** Hands out what a secondary index must hold for the record that was read last. */
  private void heldKeys(int secondary, IndexKind.KeySink sink) throws StorageException {
    indexes.secondary(secondary).heldKeys(Objects.requireNonNull(expected), secondary, sink);
  }

  private void findMissing(int secondary) throws StorageException {
    LsmIndex<?> index = indexes.secondary(secondary).lsm();
    Entry found = new Entry();
    try (EntryCursor cursor = indexes.primary().search(KeyRange.all())) {
      while (cursor.next() && problems.size() < MOST_PROBLEMS) {
        if (read(cursor.entry()) && hasEntry(secondary)) {
          String record = primary(cursor.entry().key());
          heldKeys(
              secondary,
              wanted -> {
                if (index.find(wanted, found) == Origin.NOWHERE
                    || found.antimatter()
                    || !stands(secondary, found)) {
                  problem(index(secondary) + " lacks the entry of " + record);
                }
              });
        }
      }
    }
  }

  private void findSuperfluous(int secondary) throws StorageException {
    SecondaryIndex.EntryKeys entryKeys = indexes.secondary(secondary).newEntryKeys();
    Entry found = new Entry();
    try (EntryCursor cursor = indexes.secondary(secondary).everything()) {
      while (cursor.next() && problems.size() < MOST_PROBLEMS) {
        if (!stands(secondary, cursor.entry())) {
          continue;
        }
        Slice key = cursor.entry().key();
        Slice primaryKey = entryKeys.primaryKey(key);
        boolean there =
            indexes.primary().find(primaryKey, found) != Origin.NOWHERE && !found.antimatter();
        if (!there) {
          problem(index(secondary) + " has an entry of " + primary(primaryKey) + ", which is gone");
        } else if (read(found) && !holds(secondary, key)) {
          problem(index(secondary) + " has an old entry of " + primary(primaryKey));
        }
      }
    }
  }

  /** Whether an entry is none that its stamp shows to be obsolete. */
  private boolean stands(int secondary, Entry entry) throws StorageException {
    SecondaryIndex<?> index = indexes.secondary(secondary);
    if (!index.stamped()) {
      return true;
    }
    Slice primaryKey = index.newEntryKeys().primaryKey(entry.key());
    return indexes.keys().find(primaryKey, keyState) != Origin.NOWHERE
        && !keyState.antimatter()
        && Stamp.of(keyState) <= Stamp.of(entry);
  }

  /** An obsolete entry lies in no component that says that it was checked, and is not. */
  private void checkObsolete(int secondary, Entry entry) throws StorageException {
    SecondaryIndex<?> index = indexes.secondary(secondary);
    Slice primaryKey = index.newEntryKeys().primaryKey(entry.key());
    KeyStamps unchecked = new KeyStamps(indexes.keys()::findAll, index.lsm().state().checkedTo());
    unchecked.look(
        1,
        (element, view) -> primaryKey,
        (element, stamp) -> {
          if (stamp != KeyStamps.UNSETTLED && stamp <= Stamp.of(entry)) {
            problem(
                index(secondary)
                    + " has an obsolete entry of "
                    + primary(primaryKey)
                    + ", and says that it was checked");
          }
        });
  }

  /** Whether a secondary index must hold an entry of the record that was read last. */
  private boolean holds(int secondary, Slice key) throws StorageException {
    AtomicBoolean held = new AtomicBoolean();
    if (hasEntry(secondary)) {
      heldKeys(
          secondary,
          wanted -> {
            if (wanted.sameBytes(key)) {
              held.set(true);
            }
          });
    }
    return held.get();
  }

  private String index(int secondary) {
    return "index '" + descriptor.indexName(secondary + 1) + "' of " + descriptor.describe();
  }

  private String primary(Slice key) {
    return "record " + Key.ofSlice(key) + " of " + descriptor.describe();
  }

  private void problem(String text) {
    if (problems.size() < MOST_PROBLEMS) {
      problems.add(text);
    }
  }
}

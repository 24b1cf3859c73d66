package dev.varve.common.disk;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.DeletedRanges;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.error.StorageException;
import dev.varve.common.filter.BloomFilterBuilder;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.format.DeletedKeys;
import dev.varve.common.format.DiskIndexBuilder;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.EntryTransfer;
import dev.varve.common.format.EntryValidity;
import dev.varve.common.page.ComponentFile;
import dev.varve.common.page.ComponentFileWriter;
import dev.varve.common.page.KeptPages;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One disk component being written: the kind's pages, those of the deleted-key tree in a kind that
 * has one, the filter over the keys of the last of these trees, and last the metadata page with the
 * validity bit. What flush, merge and bulk load share. Confined to one task.
 */
public final class ComponentBuild<Q> {
  private final ComponentFormat<Q> format;
  private final ComponentName name;
  private final ComponentFileWriter file;
  private final DiskIndexBuilder builder;
  private final @Nullable BloomFilterBuilder filter;

  /** The filter again, unless it is one over deleted keys. */
  private final @Nullable BloomFilterBuilder entryFilter;

  /** The kind's own way from scans to here; null when entries come one by one. */
  private @Nullable EntryTransfer transfer;

  private @Nullable KeptPages kept;
  private @Nullable DiskIndexBuilder deletedBuilder;
  private int rootPage;
  private long entries;
  private long antimatter;
  private long deletedKeys;
  private long checkedTo;
  private DeletedRanges ranges = DeletedRanges.NONE;

  /** Of what the entries may supersede; only where a filter says quickly that it is not there. */
  private final KeySample sample = new KeySample();

  private long superseding;

  /** Takes the file over: {@link #finish} seals it, {@link #abort} removes it. */
  ComponentBuild(
      ComponentFormat<Q> format,
      ComponentName name,
      ComponentFileWriter file,
      @Nullable BloomFilterBuilder filter)
      throws StorageException {
    this.format = format;
    this.name = name;
    this.file = file;
    this.filter = filter;
    this.entryFilter = format.deletedKeys() == null ? filter : null;
    this.builder = format.createBuilder(file);
  }

  public ComponentName name() {
    return name;
  }

  /** Has pages kept that are written from now on. */
  void keepPages(KeptPages pages) {
    kept = pages;
    file.tell(pages::keep);
  }

  /** Has readers of the component's file, which was opened just now, find what was kept. */
  void giveKeptTo(ComponentFile opened) {
    if (kept != null) {
      kept.giveTo(opened);
    }
  }

  /** Keeps nothing any more, but for what was given to the file. */
  void giveKeptBack() {
    if (kept != null) {
      kept.giveBack();
    }
  }

  public long writtenBytes() {
    return file.writtenBytes();
  }

  /**
   * Hands scans over to the kind, if it has a way of its own to take them.
   *
   * @param scans newest first; the caller closes them
   * @return whether {@link #moveOn} takes their entries, instead of {@link #add}
   */
  public boolean takes(List<EntryCursor> scans, EntryValidity validity) throws StorageException {
    if (format.deletedKeys() != null) {
      transfer = builder.transfer(scans, validity);
    }
    return transfer != null;
  }

  /** Takes more entries of the scans that were handed over; returns as the transfer does. */
  public long moveOn() throws StorageException {
    long moved = Objects.requireNonNull(transfer).moveOn();
    assert moved >= EntryTransfer.END : moved;
    entries += Math.max(0, moved);
    return moved;
  }

  public void add(Entry entry) throws StorageException {
    builder.add(entry);
    entries++;
    if (entry.antimatter()) {
      if (format.deletedKeys() != null) {
        throw new IllegalArgumentException(
            "antimatter among the entries of a kind with deleted keys: " + entry);
      }
      antimatter++;
    }
    if (entryFilter != null) {
      Slice key = entry.key();
      long hash = KeyHash.hash(key.bytes(), key.offset(), key.length());
      entryFilter.add(hash);
      if (!entry.antimatter()) {
        sample.add(hash);
      }
    }
  }

  /** As {@link DiskIndexBuilder#addGroup}; only of kinds without a filter over their entries. */
  public long addGroup(Slice group) throws StorageException {
    assert entryFilter == null : "a filter that lacks keys";
    long added = builder.addGroup(group);
    entries += added;
    return added;
  }

  /** Adds a deleted key: behind all entries, and ascending like them. */
  public void addDeletedKey(Entry primaryKey) throws StorageException {
    DiskIndexBuilder keys = deletedBuilder;
    if (keys == null) {
      DeletedKeys kind = Objects.requireNonNull(format.deletedKeys());
      // Only now: the pages of the two trees do not mingle.
      rootPage = builder.finish();
      deletedBuilder = keys = kind.tree().createBuilder(file);
    }
    keys.add(primaryKey);
    deletedKeys++;
    if (filter != null) {
      filter.add(KeyHash.hash(primaryKey.key()));
    }
  }

  /** Says how far the owner of the index has checked all entries; else it has not. */
  public void checkedTo(long position) {
    assert position >= checkedTo : position;
    checkedTo = position;
  }

  /** Says in which ranges of keys older components have nothing that counts; else in none. */
  public void deletedRanges(DeletedRanges deleted) {
    ranges = deleted;
  }

  /** Finds out how many entries supersede what older components have; else it is none. */
  public void countSuperseding(List<DiskComponent<Q>> older) throws StorageException {
    superseding = sample.countIn(older);
  }

  /**
   * Writes what is left, sets the validity bit, and makes the file durable under its name.
   *
   * @param range between which values the records lie that the component is about
   */
  public void finish(long componentLsn, RangeFilter range) throws StorageException {
    int deletedRootPage = 0;
    if (deletedBuilder == null) {
      rootPage = builder.finish();
    } else {
      deletedRootPage = deletedBuilder.finish();
    }
    int filterPage = filter == null ? 0 : filter.finish();
    file.seal(
        new ComponentMetadata(
                format.name(),
                name.id(),
                componentLsn,
                entries,
                antimatter,
                rootPage,
                filterPage,
                deletedKeys,
                deletedRootPage,
                range,
                checkedTo,
                superseding,
                ranges)
            .encode());
  }

  /** Removes what was written, unless {@link #finish} was through. */
  void abort() throws StorageException {
    giveKeptBack();
    file.abort();
  }
}

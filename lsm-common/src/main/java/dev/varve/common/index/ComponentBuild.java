package dev.varve.common.index;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentMetadata;
import dev.varve.common.error.StorageException;
import dev.varve.common.filter.BloomFilterBuilder;
import dev.varve.common.page.ComponentFileWriter;
import org.jspecify.annotations.Nullable;

/**
 * One disk component being written: the kind's pages, the filter, and last the metadata page with
 * the validity bit. What flush, merge and bulk load share. Confined to one task.
 */
final class ComponentBuild<Q> {
  private final ComponentFormat<Q> format;
  private final ComponentId id;
  private final ComponentFileWriter file;
  private final DiskIndexBuilder builder;
  private final @Nullable BloomFilterBuilder filter;
  private long entries;
  private long antimatter;

  /** Takes the file over: {@link #finish} seals it, {@link #abort} removes it. */
  ComponentBuild(
      ComponentFormat<Q> format,
      ComponentId id,
      ComponentFileWriter file,
      @Nullable BloomFilterBuilder filter)
      throws StorageException {
    this.format = format;
    this.id = id;
    this.file = file;
    this.filter = filter;
    this.builder = format.createBuilder(file);
  }

  ComponentId id() {
    return id;
  }

  long writtenBytes() {
    return file.writtenBytes();
  }

  void add(Entry entry) throws StorageException {
    builder.add(entry);
    entries++;
    if (entry.antimatter()) {
      antimatter++;
    }
    if (filter != null) {
      Slice key = entry.key();
      filter.add(KeyHash.hash(key.bytes(), key.offset(), key.length()));
    }
  }

  /** Writes what is left, sets the validity bit, and makes the file durable under its name. */
  void finish(long componentLsn) throws StorageException {
    int rootPage = builder.finish();
    int filterPage = filter == null ? 0 : filter.finish();
    file.seal(
        new ComponentMetadata(
                format.name(), id, componentLsn, entries, antimatter, rootPage, filterPage)
            .encode());
  }

  /**
   * Removes what was written, unless {@link #finish} was through. A file that the disk refuses to
   * delete is deleted before the next attempt, or when the index is opened.
   *
   * @param cause gets a second failure attached; null when there is no first one
   */
  void abort(@Nullable Throwable cause) {
    try {
      file.abort();
    } catch (StorageException e) {
      if (cause != null) {
        cause.addSuppressed(e);
      }
    }
  }
}

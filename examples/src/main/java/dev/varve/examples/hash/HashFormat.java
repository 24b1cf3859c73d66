package dev.varve.examples.hash;

import dev.varve.btree.BTreeFormat;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.ComponentFormat;
import dev.varve.common.index.DeletedKeys;
import dev.varve.common.index.DiskIndex;
import dev.varve.common.index.DiskIndexBuilder;
import dev.varve.common.index.MemoryIndex;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageFileWriter;

/** A hash index as an LSM index: which records have a value, or one with its hash? Immutable. */
public record HashFormat() implements ComponentFormat<Slice> {
  private static final DeletedKeys DELETED_KEYS =
      new DeletedKeys(new BTreeFormat(), HashKey::viewPrimaryKey);

  @Override
  public String name() {
    return "hash";
  }

  @Override
  public MemoryIndex<Slice> createMemoryIndex() {
    return new HashInMemory();
  }

  @Override
  public DiskIndexBuilder createBuilder(PageFileWriter file) {
    return new HashBuilder(file);
  }

  @Override
  public DiskIndex<Slice> open(PageFile file, int rootPage) throws StorageException {
    return HashOnDisk.open(file, rootPage);
  }

  @Override
  public boolean descending(Slice value) {
    return false;
  }

  @Override
  public DeletedKeys deletedKeys() {
    return DELETED_KEYS;
  }
}

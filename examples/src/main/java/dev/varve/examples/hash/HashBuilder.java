package dev.varve.examples.hash;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DiskIndexBuilder;
import dev.varve.common.format.Entry;
import dev.varve.common.page.PageFileWriter;
import dev.varve.common.page.PageLayout;

/** Fills leaves with entries in the order of their hashes, one page behind the other. Confined. */
final class HashBuilder implements DiskIndexBuilder {
  static final byte LEAF = 'H';

  // A leaf: its number, and of each entry the length of the key and the key. A length of zero ends
  // it, or the page does. Only matter comes here, and its value is not kept.
  static final int NUMBER = PageLayout.BODY;
  static final int ENTRIES = NUMBER + Integer.BYTES;

  private final PageFileWriter file;
  private byte[] leaf;
  private int number;
  private int end = ENTRIES;

  HashBuilder(PageFileWriter file) {
    this.file = file;
    this.leaf = new byte[file.pageSize()];
  }

  @Override
  public void add(Entry entry) throws StorageException {
    assert !entry.antimatter();
    Slice key = entry.key();
    int length = Integer.BYTES + key.length();
    if (length > leaf.length - ENTRIES) {
      throw new LimitException("bytes of a hash entry", length, leaf.length - ENTRIES);
    }
    if (length > leaf.length - end) {
      writeLeaf();
    }
    Bytes.putInt(leaf, end, key.length());
    System.arraycopy(key.bytes(), key.offset(), leaf, end + Integer.BYTES, key.length());
    end += length;
  }

  private int writeLeaf() throws StorageException {
    Bytes.putInt(leaf, NUMBER, number++);
    int page = file.append(LEAF, leaf, 1);
    leaf = new byte[leaf.length];
    end = ENTRIES;
    return page;
  }

  @Override
  public int finish() throws StorageException {
    return end == ENTRIES ? 0 : writeLeaf();
  }
}

package dev.varve.examples.hash;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.DiskIndexBuilder;
import dev.varve.common.index.Entry;
import dev.varve.common.page.PageFileWriter;
import dev.varve.common.page.PageLayout;
import java.util.Arrays;

/** Fills leaves with entries in the order of their hashes, one page behind the other. Confined. */
final class HashBuilder implements DiskIndexBuilder {
  static final byte LEAF = 'H';

  // A leaf: how many entries it has, its number, and of each entry the length of the key and the
  // key. Only matter without values comes here.
  static final int COUNT = PageLayout.BODY;
  static final int NUMBER = COUNT + Integer.BYTES;
  static final int ENTRIES = NUMBER + Integer.BYTES;

  private final PageFileWriter file;
  private final byte[] leaf;
  private int count;
  private int number;
  private int end = ENTRIES;

  HashBuilder(PageFileWriter file) {
    this.file = file;
    this.leaf = new byte[file.pageSize()];
  }

  @Override
  public void add(Entry entry) throws StorageException {
    assert !entry.antimatter() && entry.value().length() == 0;
    byte[] key = entry.key().toByteArray();
    int length = Integer.BYTES + key.length;
    if (length > leaf.length - ENTRIES) {
      throw new LimitException("bytes of a hash entry", length, leaf.length - ENTRIES);
    }
    if (length > leaf.length - end) {
      writeLeaf();
    }
    Bytes.putInt(leaf, end, key.length);
    System.arraycopy(key, 0, leaf, end + Integer.BYTES, key.length);
    end += length;
    count++;
  }

  private int writeLeaf() throws StorageException {
    Bytes.putInt(leaf, COUNT, count);
    Bytes.putInt(leaf, NUMBER, number++);
    int page = file.append(LEAF, leaf, 1);
    Arrays.fill(leaf, (byte) 0);
    count = 0;
    end = ENTRIES;
    return page;
  }

  @Override
  public int finish() throws StorageException {
    return count == 0 ? 0 : writeLeaf();
  }
}

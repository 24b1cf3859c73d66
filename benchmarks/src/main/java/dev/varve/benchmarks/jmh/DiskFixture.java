package dev.varve.benchmarks.jmh;

import dev.varve.btree.BTreeFormat;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DiskIndex;
import dev.varve.common.format.DiskIndexBuilder;
import dev.varve.common.format.Entry;
import dev.varve.common.page.ComponentFile;
import dev.varve.common.page.ComponentFileOptions;
import dev.varve.common.page.ComponentFileWriter;
import dev.varve.common.page.PageCache;
import java.nio.file.Path;

/** A disk B+-tree of spread keys in a file of its own, and a cache that holds all of it. */
final class DiskFixture implements AutoCloseable {
  private static final long STORE = 1;

  private final Scratch scratch;
  private final ComponentFile file;
  private final DiskIndex<KeyRange> index;

  /** Builds and opens a tree with so many entries. */
  @SuppressWarnings("MustBeClosedChecker") // closed with this
  DiskFixture(int entries, PageCache cache) throws StorageException {
    this.scratch = new Scratch();
    Path path = scratch.directory().resolve("1" + ComponentFileWriter.SEALED_SUFFIX);
    BTreeFormat format = new BTreeFormat();
    int root = build(scratch.files(), path, format, entries);
    this.file = ComponentFile.open(scratch.files(), path, STORE, cache);
    this.index = format.open(file, root);
  }

  private static int build(FileSystem files, Path path, BTreeFormat format, int entries)
      throws StorageException {
    ComponentFileOptions options =
        ComponentFileOptions.of(STORE, ComponentFileOptions.DEFAULT_PAGE_SIZE, 1);
    try (ComponentFileWriter writer = ComponentFileWriter.create(files, path, options)) {
      DiskIndexBuilder builder = format.createBuilder(writer);
      Entry entry = Keys.newEntry();
      for (int i = 0; i < entries; i++) {
        Keys.spread(entry.key().bytes(), i, entries);
        builder.add(entry);
      }
      int root = builder.finish();
      writer.seal(Bytes.EMPTY);
      return root;
    }
  }

  DiskIndex<KeyRange> index() {
    return index;
  }

  FileSystem files() {
    return scratch.files();
  }

  ComponentFile file() {
    return file;
  }

  @Override
  public void close() throws StorageException {
    file.close();
    scratch.close();
  }
}

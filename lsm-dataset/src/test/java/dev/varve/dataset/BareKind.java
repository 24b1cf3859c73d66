package dev.varve.dataset;

import dev.varve.btree.BTreeFormat;
import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DiskIndex;
import dev.varve.common.format.DiskIndexBuilder;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageFileWriter;
import dev.varve.dataset.kind.IndexKind;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.KeySearch;
import org.jspecify.annotations.Nullable;

/**
 * A kind that implements nothing but what it must, with options in its name: {@code bare(7)}. The
 * class path of the tests has it, under this name and no other.
 */
public record BareKind(String name) implements IndexKind<KeyRange> {
  private static final BTreeFormat PAGES = new BTreeFormat();

  /** As the service loader makes it. */
  public BareKind() {
    this("bare(0)");
  }

  @Override
  public @Nullable IndexKind<?> named(String wanted) {
    return wanted.matches("bare\\([0-9]\\)") ? new BareKind(wanted) : null;
  }

  @Override
  public @Nullable Question<KeyRange> question(IndexSearch search) {
    return search instanceof KeySearch keys
        ? new Question<>(keys.range(), (key, value) -> keys.range().contains(key))
        : null;
  }

  @Override
  public DiskIndexBuilder createBuilder(PageFileWriter file) throws StorageException {
    return PAGES.createBuilder(file);
  }

  @Override
  public DiskIndex<KeyRange> open(PageFile file, int rootPage) throws StorageException {
    return new OnDisk(PAGES.open(file, rootPage));
  }

  private record OnDisk(DiskIndex<KeyRange> tree) implements DiskIndex<KeyRange> {
    @Override
    public EntryCursor search(KeyRange query) throws StorageException {
      return tree.search(query);
    }

    @Override
    public EntryCursor scan() throws StorageException {
      return tree.scan();
    }
  }
}

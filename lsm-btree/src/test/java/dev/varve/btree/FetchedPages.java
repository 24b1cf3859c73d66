package dev.varve.btree;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.PageFile;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A file of which it is written down which pages are to be read ahead, and which are pinned. */
final class FetchedPages implements PageFile {
  private final PageFile file;

  /** Those of each fetch. */
  final List<int[]> fetched = new ArrayList<>();

  final List<Integer> pinned = new ArrayList<>();

  /** Fetches that have not ended. */
  int open;

  FetchedPages(PageFile file) {
    this.file = file;
  }

  @Override
  public Fetch fetch(int[] pages) {
    fetched.add(pages);
    open++;
    return () -> open--;
  }

  @MustBeClosed
  @Override
  public Page pin(int pageNumber) throws StorageException {
    pinned.add(pageNumber);
    return file.pin(pageNumber);
  }

  @Override
  public String name() {
    return file.name();
  }

  @Override
  public int pageSize() {
    return file.pageSize();
  }

  @Override
  public int pageCount() {
    return file.pageCount();
  }

  @Override
  public @Nullable Stamp stamp(int pageNumber) {
    return file.stamp(pageNumber);
  }

  @Override
  public byte @Nullable [] optimisticBytes(int pageNumber) {
    return file.optimisticBytes(pageNumber);
  }

  @Override
  public int optimisticAt(int pageNumber) {
    return file.optimisticAt(pageNumber);
  }

  @Override
  public boolean validate(int pageNumber, Stamp stamp) {
    return file.validate(pageNumber, stamp);
  }

  @Override
  public @Nullable View tryHold(int pageNumber) throws StorageException {
    return file.tryHold(pageNumber);
  }

  @Override
  public byte[] readUncached(int pageNumber, byte[] buffer) throws StorageException {
    return file.readUncached(pageNumber, buffer);
  }

  @Override
  public SequentialReader sequentialReader(int readAheadBytes) {
    return file.sequentialReader(readAheadBytes);
  }

  @Override
  public void close() {
    file.close();
  }
}

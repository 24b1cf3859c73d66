package dev.varve.common.page;

import dev.varve.common.error.StorageException;

/**
 * Brings pages of files into their cache before a reader asks for them, in the order in which they
 * lie in the file. Nothing is pushed out for them: what finds no room is left out. Confined to its
 * owner.
 */
public final class CacheWarming {
  /** What one step reads at most. */
  public static final int BATCH_BYTES = 1 << 20;

  private final PageRun run = new PageRun(BATCH_BYTES);

  /**
   * What a step did.
   *
   * @param next the page that the next step begins with
   * @param readBytes bytes that were read from the file
   */
  public record Step(int next, long readBytes) {}

  /**
   * Passes over pages that are in the cache, then reads those that follow, up to the next one that
   * is.
   *
   * @param file stays open until this returns
   * @param from number of a page
   * @param end number behind the last page that is wanted
   * @param mostBytes what may be read; at least a page is
   */
  public Step step(ComponentFile file, int from, int end, long mostBytes) throws StorageException {
    int pageSize = file.pageSize();
    int last = Math.min(end, file.reader().endPage());
    int first = from;
    Frame cached = first < last ? file.frame(first) : null;
    while (cached != null) {
      first += cached.length() / pageSize;
      cached = first < last ? file.frame(first) : null;
    }
    int most = (int) Math.max(1, Math.min(BATCH_BYTES, mostBytes) / pageSize);
    int wanted = Math.min(last, first + most);
    int behind = first;
    while (behind < wanted && !file.has(behind)) {
      behind++;
    }
    if (first >= behind) {
      return new Step(first, 0);
    }
    // A page that is longer than what may be read is left to the reader that wants it.
    int next = run.read(file.reader(), first, behind, file::offer);
    return new Step(next, (behind - first) * (long) pageSize);
  }

  /**
   * Brings units into the system's cache only, unchecked.
   *
   * @param file stays open until this returns
   * @param mostBytes what may be read; at least a unit is
   */
  public static Step pass(ComponentFile file, int from, long mostBytes) throws StorageException {
    long most = Math.min(BATCH_BYTES, mostBytes) / file.pageSize();
    int next = file.prefetch(from, (int) Math.max(1, most));
    return new Step(next, (next - from) * (long) file.pageSize());
  }
}

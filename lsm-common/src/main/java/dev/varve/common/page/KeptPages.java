package dev.varve.common.page;

import java.util.ArrayList;
import java.util.List;

/**
 * Copies of the pages of a file that is being written, in memory of the buffer cache, where readers
 * find them when the file is opened. Until then they count in its budget, and nothing pushes them
 * out; a page for which there is no room is left out. Confined to the task that writes the file,
 * which gives them to the file when it is opened, or back.
 */
public final class KeptPages {
  private record Kept(int pageNumber, PageBuffer buffer) {}

  private final PageCache cache;
  private final long fileId;
  private final int pageSize;
  private final List<Kept> pages = new ArrayList<>();

  /** Pages of a file that has none yet. */
  public KeptPages(PageCache cache, ComponentFileOptions options) {
    this.cache = cache;
    this.fileId = options.fileId();
    this.pageSize = options.pageSize();
  }

  /** Copies a page, as it is written, if there is room for it, and still for all that is open. */
  public void keep(int pageNumber, byte[] page, int length) {
    CacheShard shard = cache.shard(fileId, pageNumber);
    PageBuffer buffer = cache.fitsAll() ? shard.takeIfRoom(length / pageSize, pageSize) : null;
    if (buffer != null) {
      System.arraycopy(page, 0, buffer.bytes(), buffer.at(), length);
      pages.add(new Kept(pageNumber, buffer));
    }
  }

  /** Has readers of the file find the pages, of which it has none yet; all but the metadata. */
  public void giveTo(ComponentFile file) {
    for (Kept page : pages) {
      CacheShard shard = cache.shard(fileId, page.pageNumber);
      if (file.contains(page.pageNumber)) {
        shard.insert(Frame.readAhead(file, page.pageNumber, page.buffer));
      } else {
        shard.giveBack(page.buffer);
      }
    }
    pages.clear();
  }

  /** Gives the memory back of what no file was given. */
  public void giveBack() {
    pages.forEach(page -> cache.shard(fileId, page.pageNumber).giveBack(page.buffer));
    pages.clear();
  }
}

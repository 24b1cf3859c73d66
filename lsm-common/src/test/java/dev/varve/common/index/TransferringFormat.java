package dev.varve.common.index;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.format.DeletedKeys;
import dev.varve.common.format.DiskIndex;
import dev.varve.common.format.DiskIndexBuilder;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.EntryTransfer;
import dev.varve.common.format.EntryValidity;
import dev.varve.common.format.MemoryIndex;
import dev.varve.common.format.Validity;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageFileWriter;
import dev.varve.common.testkit.SortedRunFormat;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The smallest kind, whose builders take scans over as a whole, and count what they do. */
final class TransferringFormat implements ComponentFormat<Slice> {
  private static final int STEP = 3;

  private final SortedRunFormat kind;

  /** How often a builder was asked for a transfer. */
  int asked;

  /** Entries that came one by one. */
  int added;

  /** Entries that were transferred. */
  int transferred;

  /** How many entries to transfer before every transfer fails; forever unless it is set. */
  int failsAfter = Integer.MAX_VALUE;

  TransferringFormat(SortedRunFormat kind) {
    this.kind = kind;
  }

  private final class Builder implements DiskIndexBuilder {
    private final DiskIndexBuilder pages;

    Builder(DiskIndexBuilder pages) {
      this.pages = pages;
    }

    @Override
    public void add(Entry entry) throws StorageException {
      added++;
      pages.add(entry);
    }

    @Override
    public EntryTransfer transfer(List<EntryCursor> scans, EntryValidity validity) {
      asked++;
      return new EntryTransfer() {
        private @Nullable Deque<Entry> waiting;

        @Override
        public long moveOn() throws StorageException {
          Deque<Entry> rest = waiting;
          if (rest == null) {
            // What a step brings is the kind's affair: none in the first one.
            waiting = collect(scans, validity);
            return 0;
          }
          long moved = 0;
          while (moved < STEP && !rest.isEmpty()) {
            if (transferred >= failsAfter) {
              throw new IllegalStateException("the test's failure");
            }
            pages.add(rest.remove());
            transferred++;
            moved++;
          }
          return moved == 0 ? END : moved;
        }
      };
    }

    @Override
    public int finish() throws StorageException {
      return pages.finish();
    }
  }

  private static Deque<Entry> collect(List<EntryCursor> scans, EntryValidity validity)
      throws StorageException {
    Map<String, Entry> newest = new TreeMap<>();
    for (int source = 0; source < scans.size(); source++) {
      EntryCursor scan = scans.get(source);
      while (scan.next()) {
        Entry entry = scan.entry();
        if (!entry.antimatter() && validity.of(source, entry.key()) == Validity.VALID) {
          newest.putIfAbsent(IndexFixture.text(entry.key()), new Entry().copyOf(entry));
        }
      }
    }
    return new ArrayDeque<>(newest.values());
  }

  @Override
  public String name() {
    return kind.name();
  }

  @Override
  public @Nullable DeletedKeys deletedKeys() {
    return kind.deletedKeys();
  }

  @Override
  public MemoryIndex<Slice> createMemoryIndex() {
    return kind.createMemoryIndex();
  }

  @Override
  public DiskIndexBuilder createBuilder(PageFileWriter file) {
    return new Builder(kind.createBuilder(file));
  }

  @Override
  public DiskIndex<Slice> open(PageFile file, int rootPage) throws StorageException {
    return kind.open(file, rootPage);
  }

  @Override
  public boolean descending(Slice lowest) {
    return kind.descending(lowest);
  }
}

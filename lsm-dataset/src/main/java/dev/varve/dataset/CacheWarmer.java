package dev.varve.dataset;

import dev.varve.common.disk.ComponentMetadata;
import dev.varve.common.env.Signal;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.Worker;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.page.CacheWarming;
import dev.varve.common.page.ComponentFile;
import dev.varve.dataset.EngineStats.WarmingSummary;
import dev.varve.dataset.internal.partition.NodeContext;
import dev.varve.dataset.internal.partition.PartitionIndexes;
import dev.varve.dataset.internal.partition.PartitionLifecycle;
import dev.varve.scheduler.budget.IoBudget;
import dev.varve.scheduler.budget.IoPurpose;
import dev.varve.scheduler.service.MaintenanceService;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Fills the cache with the components that a dataset has when it becomes active: with all of them,
 * if those of all active datasets fit in together, or with the pages of them that the cache of the
 * engine before had ({@link HotPages}); filters come first. It reads batch by batch, each as a
 * reader of the partition who is out again before the next. Under an I/O budget it reads only while
 * nothing is flushed or merged. A component that is gone meanwhile, or cannot be read, is left out.
 * While the components do not fit in, it lists the pages of the cache every five minutes, and at
 * the end; and what there is memory for is read into the system's cache, once nothing else is left
 * to read, or before hot pages that lie so scattered that this takes less time. One thread at a
 * time; datasets are handed in, and progress is asked for, by any thread.
 */
final class CacheWarmer implements Worker, AutoCloseable {
  private static final Logger LOGGER = LogManager.getLogger(CacheWarmer.class);

  /** How long it waits for flushes and merges that have the budget. */
  private static final long PAUSE_NANOS = 10_000_000;

  /** What a device reads in order in the time in which it finds one part. */
  private static final long PART_BYTES = 131_072;

  /** How often the pages of the cache are listed, so that a killed engine left a list. */
  static final long LIST_NANOS = 300_000_000_000L;

  private final NodeContext node;
  private final MaintenanceService maintenance;
  private final IoBudget budget;
  private final HotPages hot;
  private final Queue<ManagedDataset> opened = new ConcurrentLinkedQueue<>();
  private final Deque<Part> plan = new ArrayDeque<>();

  /** What is read into the system's cache when there is no other plan. */
  private final Deque<Part> beneath = new ArrayDeque<>();

  /** Has buffers; null while there is no plan. */
  private @Nullable CacheWarming warming;

  private long napNanos = Signal.FOREVER;
  private long listedNanos;

  /** Why there is no list. */
  private String unlisted = "no list says which of their pages were in it";

  private volatile WarmingSummary progress = new WarmingSummary(0, 0, "");
  private volatile ProcessLimits limits = ProcessLimits.NONE;
  private volatile @Nullable ActiveDatasets active;
  private volatile TaskExecutor.@Nullable Handle handle;

  /**
   * Pages of a component that are still to be read.
   *
   * @param page the first
   * @param end behind the last
   */
  private record Part(
      PartitionLifecycle lifecycle, LsmIndex<?> index, long fileId, int page, int end) {
    Part from(int next) {
      return new Part(lifecycle, index, fileId, next, end);
    }

    Part to(int newEnd) {
      return new Part(lifecycle, index, fileId, page, newEnd);
    }

    int pages() {
      return end - page;
    }
  }

  CacheWarmer(NodeContext node, MaintenanceService maintenance, IoBudget budget, HotPages hot) {
    this.node = node;
    this.hot = hot;
    this.maintenance = maintenance;
    this.budget = budget;
  }

  /** Warms the datasets that are active, and those that will be. */
  void start(EngineSeams seams, ActiveDatasets datasets) {
    limits = seams.limits();
    readList();
    listedNanos = node.clock().nanoTime();
    active = datasets;
    TaskExecutor.Handle started = seams.executor().start(this);
    handle = started;
    datasets.list().forEach(opened::add);
    datasets.onActivation(
        dataset -> {
          opened.add(dataset);
          started.wake();
        });
    started.wake();
  }

  WarmingSummary progress() {
    return progress;
  }

  @Override
  public String name() {
    return "varve-warm";
  }

  @Override
  public int doWork() {
    napNanos = Signal.FOREVER;
    boolean reads = false;
    if (!node.health().closed()) {
      if (planned()) {
        napNanos = waitNanos();
        reads = napNanos <= 0;
      } else {
        listInTime();
      }
    }
    if (!reads) {
      node.indexes().cache().endFill();
      return 0;
    }
    node.indexes().cache().beginFill();
    read(beneathFirst() ? beneath : plan);
    return 1;
  }

  @Override
  public long napNanos() {
    return napNanos;
  }

  private void readList() {
    try {
      hot.read();
    } catch (StorageException e) {
      LOGGER.debug("the cache is filled without its list", e);
      unlisted = String.valueOf(e.getMessage());
    }
  }

  private boolean planned() {
    for (ManagedDataset next = opened.peek();
        plan.isEmpty() && next != null;
        next = opened.peek()) {
      opened.remove();
      if (hot.found() || node.indexes().cache().fitsAll()) {
        next.lifecycles().forEach(this::plan);
      } else {
        say("the components of all active datasets do not fit into the cache, and " + unlisted);
      }
      if (!node.indexes().cache().fitsAll()
          && !node.options().components().direct().directReads()) {
        planBeneath(next);
      }
    }
    boolean planned = !plan.isEmpty() || !beneath.isEmpty();
    if (!planned) {
      warming = null;
    }
    return planned;
  }

  /** Plans to read all of a dataset beneath the cache, if the system has memory for them. */
  private void planBeneath(ManagedDataset dataset) {
    Deque<Part> parts = new ArrayDeque<>();
    dataset
        .lifecycles()
        .forEach(
            lifecycle ->
                forFiles(
                    lifecycle,
                    (index, file) ->
                        add(
                            parts,
                            new Part(lifecycle, index, file.fileId(), 1, file.pageCount()),
                            file)));
    long bytes = bytes(parts);
    if (bytes + bytes(beneath) <= limits.spareMemoryBytes()) {
      beneath.addAll(parts);
      plan(bytes);
    }
  }

  /** Whether all that lies beneath is read, in order, sooner than the pages that were hot. */
  private boolean beneathFirst() {
    return plan.isEmpty() || (!beneath.isEmpty() && plan.size() * PART_BYTES >= bytes(beneath));
  }

  private long bytes(Deque<Part> parts) {
    return parts.stream().mapToLong(Part::pages).sum() * node.catalog().pageBytes();
  }

  /** What is done with a component's file. */
  @FunctionalInterface
  private interface FileUse {
    void of(LsmIndex<?> index, ComponentFile file) throws StorageException;
  }

  private void forFiles(PartitionLifecycle lifecycle, FileUse use) {
    try {
      lifecycle.ifOpen(
          indexes -> {
            for (LsmIndex<?> index : indexes.all()) {
              index
                  .contents()
                  .withFiles(
                      files -> {
                        for (ComponentFile file : files) {
                          use.of(index, file);
                        }
                        return files.size();
                      });
            }
            return true;
          });
    } catch (StorageException e) {
      giveUp(e);
    }
  }

  private void plan(PartitionLifecycle lifecycle) {
    forFiles(
        lifecycle,
        (index, file) -> {
          List<HotPages.Range> ranges =
              hot.found() ? hot.take(file) : List.of(new HotPages.Range(1, file.pageCount()));
          long pages = 0;
          for (HotPages.Range range : ranges) {
            add(plan, new Part(lifecycle, index, file.fileId(), range.first(), range.end()), file);
            pages += range.end() - range.first();
          }
          plan(pages * file.pageSize());
        });
  }

  private static void add(Deque<Part> parts, Part part, ComponentFile file)
      throws StorageException {
    int filter = Math.max(filterPage(file), part.page);
    if (filter < part.end) {
      parts.addFirst(part.from(filter));
    }
    if (part.page < filter) {
      parts.addLast(part.to(Math.min(filter, part.end)));
    }
  }

  private void plan(long bytes) {
    WarmingSummary before = progress;
    progress =
        new WarmingSummary(before.plannedBytes() + bytes, before.passedBytes(), before.note());
  }

  /**
   * The first page of a component's filter, with which it ends. Filters are read before anything
   * else: while they are cold, one lookup of a key waits for a page of each component.
   */
  private static int filterPage(ComponentFile file) throws StorageException {
    int page = ComponentMetadata.decode(file.metadata(), file.name()).filterPage();
    return page == 0 ? file.pageCount() : page;
  }

  private long waitNanos() {
    if (budget.bytesPerSecond() != 0 && !maintenance.quiet()) {
      return PAUSE_NANOS;
    }
    return budget.begin(IoPurpose.MERGE, node.clock().nanoTime());
  }

  /** Reads a batch, which the budget let begin, and pays for it. */
  private void read(Deque<Part> parts) {
    Part part = parts.removeFirst();
    long read = 0;
    int next = part.end;
    try {
      Optional<CacheWarming.Step> step =
          part.lifecycle.ifOpen(indexes -> step(part, indexes, parts == plan));
      read = step.map(CacheWarming.Step::readBytes).orElse(0L);
      next = Math.min(part.end, step.map(CacheWarming.Step::next).orElse(part.end));
    } catch (StorageException e) {
      giveUp(e);
    } finally {
      budget.end(IoPurpose.MERGE, read, node.clock().nanoTime());
    }
    if (next < part.end && read > 0) {
      parts.addFirst(part.from(next));
    } else {
      next = part.end;
    }
    WarmingSummary before = progress;
    long passed = (next - part.page) * (long) node.catalog().pageBytes();
    progress =
        new WarmingSummary(before.plannedBytes(), before.passedBytes() + passed, before.note());
  }

  private CacheWarming.Step step(Part part, PartitionIndexes indexes, boolean keeps)
      throws StorageException {
    CacheWarming reader = warming == null ? new CacheWarming() : warming;
    warming = reader;
    CacheWarming.Step gone = new CacheWarming.Step(part.end, 0);
    if (!indexes.all().contains(part.index)) {
      return gone;
    }
    return part.index
        .contents()
        .withFiles(
            files -> {
              for (ComponentFile file : files) {
                if (file.fileId() == part.fileId) {
                  return keeps
                      ? reader.step(file, part.page, part.end, budget.batchBytes())
                      : CacheWarming.pass(file, part.page, budget.batchBytes());
                }
              }
              return gone;
            });
  }

  /** A component is left to its readers, who get the error. */
  private void giveUp(StorageException cause) {
    LOGGER.debug("a component stays cold", cause);
    say(String.valueOf(cause.getMessage()));
  }

  private void say(String note) {
    WarmingSummary before = progress;
    progress = new WarmingSummary(before.plannedBytes(), before.passedBytes(), note);
  }

  private void listInTime() {
    if (!node.indexes().cache().fitsAll()) {
      long now = node.clock().nanoTime();
      if (now - listedNanos >= LIST_NANOS) {
        listedNanos = now;
        list(PartitionLifecycle::ifOpen);
      }
      napNanos = LIST_NANOS - (now - listedNanos);
    }
  }

  /** How the indexes of a partition are come by. */
  @FunctionalInterface
  private interface Door {
    Optional<Boolean> enter(PartitionLifecycle lifecycle, PartitionLifecycle.Use<Boolean> use)
        throws StorageException;
  }

  /** Lists the pages of the cache, of an engine that lets nobody in any more. */
  void listAtEnd() {
    list(
        (lifecycle, use) -> {
          PartitionIndexes indexes = lifecycle.openIndexes();
          return indexes == null ? Optional.empty() : Optional.of(use.of(indexes));
        });
  }

  /** Replaces the list, or deletes it where all pages fit in. Nothing depends on it. */
  private void list(Door door) {
    ActiveDatasets datasets = active;
    if (datasets == null) {
      return;
    }
    try {
      if (node.indexes().cache().fitsAll()) {
        hot.delete();
        return;
      }
      Map<Long, BitSet> pages = new LinkedHashMap<>();
      for (ManagedDataset dataset : datasets.list()) {
        for (PartitionLifecycle lifecycle : dataset.lifecycles()) {
          door.enter(lifecycle, indexes -> collect(indexes, pages));
        }
      }
      hot.write(pages);
    } catch (StorageException e) {
      FailurePaths.warn(LOGGER, "which pages are hot is not written to {}", HotPages.NAME, e);
    }
  }

  private static boolean collect(PartitionIndexes indexes, Map<Long, BitSet> pages)
      throws StorageException {
    for (LsmIndex<?> index : indexes.all()) {
      index
          .contents()
          .withFiles(
              files -> {
                files.forEach(file -> pages.put(file.fileId(), file.cachedPages()));
                return files.size();
              });
    }
    return true;
  }

  @Override
  public void failed(Throwable cause) {
    node.indexes().cache().endFill();
    FailurePaths.warn(LOGGER, "the cache of {} fills with what is read only", name(), cause);
  }

  /** Returns when it reads no more; idempotent. */
  @Override
  public void close() {
    TaskExecutor.Handle started = handle;
    if (started != null) {
      started.close();
    }
  }
}

package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.dataflow.value.ITypeTraits;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.FileReference;
import org.apache.hyracks.api.util.HyracksConstants;
import org.apache.hyracks.control.nc.io.IOManager;
import org.apache.hyracks.data.std.primitive.FixedLengthTypeTrait;
import org.apache.hyracks.data.std.primitive.VarLengthTypeTrait;
import org.apache.hyracks.storage.am.common.freepage.AppendOnlyLinkedMetadataPageManagerFactory;
import org.apache.hyracks.storage.am.common.impls.IndexAccessParameters;
import org.apache.hyracks.storage.am.common.impls.NoOpIndexAccessParameters;
import org.apache.hyracks.storage.am.common.impls.NoOpOperationCallback;
import org.apache.hyracks.storage.am.lsm.btree.impls.LSMBTree;
import org.apache.hyracks.storage.am.lsm.btree.utils.LSMBTreeUtil;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperation;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationScheduler;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndex;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndexAccessor;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMMergePolicy;
import org.apache.hyracks.storage.am.lsm.common.api.IVirtualBufferCache;
import org.apache.hyracks.storage.am.lsm.common.impls.NoOpIOOperationCallbackFactory;
import org.apache.hyracks.storage.am.lsm.common.impls.NoOpPageWriteCallbackFactory;
import org.apache.hyracks.storage.am.lsm.common.impls.PrefixMergePolicy;
import org.apache.hyracks.storage.am.lsm.common.impls.PrefixMergePolicyFactory;
import org.apache.hyracks.storage.am.lsm.common.impls.ThreadCountingTracker;
import org.apache.hyracks.storage.am.lsm.common.impls.VirtualBufferCache;
import org.apache.hyracks.storage.common.IIndexAccessParameters;
import org.apache.hyracks.storage.common.buffercache.BufferCache;
import org.apache.hyracks.storage.common.buffercache.ClockPageReplacementStrategy;
import org.apache.hyracks.storage.common.buffercache.DelayPageCleanerPolicy;
import org.apache.hyracks.storage.common.buffercache.HeapBufferAllocator;
import org.apache.hyracks.storage.common.compression.NoOpCompressorDecompressorFactory;
import org.apache.hyracks.storage.common.file.FileMapManager;
import org.apache.hyracks.util.trace.ITracer;

/**
 * What an index of Hyracks needs around it: files, a buffer cache, memory for components, a merge
 * policy and a scheduler, put together as a node of AsterixDB does it. Thread-safe. The owner
 * closes its indexes before the node.
 */
public final class AsterixDbNode implements AutoCloseable {
  /** Largest component that the prefix policy merges. */
  static final long MOST_MERGABLE_BYTES = 1L << 30;

  /** How many small components the prefix policy tolerates. */
  static final int MOST_SMALL_COMPONENTS = 5;

  /** Rate of the Bloom filters. */
  public static final double FALSE_POSITIVES = 0.01;

  private static final int QUEUE = 16;

  /** A tree in memory has some pages that are no leaves. */
  private static final int LEAST_PAGES = 8;

  private static final int MOST_OPEN_FILES = 500;
  private static final long CLEAN_MILLIS = 1000;

  /** Bytes of the keys of a tree. */
  public static final int KEY_BYTES = 16;

  private static final IBinaryComparatorFactory[] ORDER = {new AsterixDbKeyOrder()};

  private final Sizes sizes;

  /** What a B+-tree is for. */
  public enum Tree {
    /** Records, whose keys are checked by inserts, with Bloom filters. */
    PRIMARY,
    /** Entries, which nothing checks. */
    SECONDARY
  }

  /** What is closed in the end, the last to be opened first. */
  private final Deque<Part> parts = new ArrayDeque<>();

  private final AsterixDbScheduler scheduler = new AsterixDbScheduler();
  private final AsterixDbFiles files;
  private final BufferCache cache;

  /**
   * Where a node is and how large its parts are.
   *
   * @param directory where its files are; exists
   * @param pageBytes size of a page, in memory and on disk
   * @param cacheBytes memory for what is read
   * @param memoryBytes memory for what is written, two components of half of it
   */
  public record Sizes(Path directory, int pageBytes, long cacheBytes, long memoryBytes) {}

  /** The options of a node in words. */
  public static String describe(int pageBytes, long cacheBytes, long memoryBytes) {
    return ("page %d bytes, buffer cache %d bytes on the heap, 2 memory components of %d bytes, prefix"
            + " merge policy (%d, %d), asynchronous scheduler (1 flush, 2 merges), Bloom filters of %s,"
            + " no compression, components forced, no log")
        .formatted(
            pageBytes,
            cacheBytes,
            memoryBytes / 2,
            MOST_MERGABLE_BYTES,
            MOST_SMALL_COMPONENTS,
            FALSE_POSITIVES);
  }

  /** Arguments of a JVM with so many bytes on the heap: Hyracks opens files through a door. */
  public static List<String> jvmArguments(long storeBytes) {
    return ChildHeap.arguments(
        storeBytes, "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED");
  }

  /** Something that is closed. */
  @FunctionalInterface
  private interface Part {
    void close() throws BenchmarkException;
  }

  private AsterixDbNode(Sizes sizes, ReadDelay delay) throws IOException, BenchmarkException {
    this.sizes = sizes;
    boolean opened = false;
    try {
      parts.push(scheduler::close);
      this.files = new AsterixDbFiles(sizes.directory(), delay);
      parts.push(this::closeFiles);
      this.cache =
          new BufferCache(
              files,
              new ClockPageReplacementStrategy(
                  new HeapBufferAllocator(),
                  sizes.pageBytes(),
                  Math.toIntExact(sizes.cacheBytes() / sizes.pageBytes())),
              new DelayPageCleanerPolicy(CLEAN_MILLIS),
              new FileMapManager(),
              MOST_OPEN_FILES,
              QUEUE,
              AsterixDbScheduler::daemon);
      parts.push(cache::close);
      opened = true;
    } finally {
      if (!opened) {
        close();
      }
    }
  }

  /** Opens a node in a directory; the caller closes it. */
  public static AsterixDbNode open(Sizes sizes, ReadDelay delay) throws BenchmarkException {
    try {
      return new AsterixDbNode(sizes, delay);
    } catch (IOException e) {
      throw new BenchmarkException("open", e);
    }
  }

  /** Its files. */
  public IOManager files() {
    return files;
  }

  /** What an accessor needs to search an inverted index; for one thread. */
  public IIndexAccessParameters searching() {
    IndexAccessParameters parameters =
        new IndexAccessParameters(NoOpOperationCallback.INSTANCE, NoOpOperationCallback.INSTANCE);
    parameters
        .getParameters()
        .put(HyracksConstants.HYRACKS_TASK_CONTEXT, AsterixDbTask.create(files, sizes.pageBytes()));
    return parameters;
  }

  /** Pages that were not in the buffer cache and were read. */
  public long cacheMisses() {
    return files.reads();
  }

  /** Its buffer cache. */
  public BufferCache cache() {
    return cache;
  }

  /** The threads that run flushes and merges. */
  public ILSMIOOperationScheduler scheduler() {
    return scheduler;
  }

  /** A file of the node. */
  public FileReference place(String name) throws HyracksDataException {
    return files.resolve(name);
  }

  /** Opens or creates a B+-tree from keys to bytes, as AsterixDB puts one together. */
  public LSMBTree openTree(String name, Tree tree, List<IVirtualBufferCache> memory)
      throws HyracksDataException {
    FileReference place = place(name);
    boolean primary = tree == Tree.PRIMARY;
    LSMBTree made =
        LSMBTreeUtil.createLSMTree(
            files,
            memory,
            place,
            cache,
            new ITypeTraits[] {new FixedLengthTypeTrait(KEY_BYTES), VarLengthTypeTrait.INSTANCE},
            ORDER,
            primary ? new int[] {0} : null,
            FALSE_POSITIVES,
            policy(),
            new ThreadCountingTracker(),
            scheduler,
            NoOpIOOperationCallbackFactory.INSTANCE,
            NoOpPageWriteCallbackFactory.INSTANCE,
            /* needKeyDupCheck= */ primary,
            /* filterTypeTraits= */ null,
            /* filterCmpFactories= */ null,
            /* btreeFields= */ null,
            /* filterFields= */ null,
            /* durable= */ true,
            AppendOnlyLinkedMetadataPageManagerFactory.INSTANCE,
            /* updateAware= */ false,
            ITracer.NONE,
            NoOpCompressorDecompressorFactory.INSTANCE,
            /* hasBloomFilter= */ primary,
            /* nullTypeTraits= */ null,
            /* nullIntrospector= */ null);
    if (!place.getFile().exists()) {
      made.create();
    }
    made.activate();
    return made;
  }

  /** Memory for the two memory components of the only index. */
  public List<IVirtualBufferCache> memory() {
    return memory(sizes.memoryBytes());
  }

  /** So many bytes of memory for the two memory components of an index. */
  public List<IVirtualBufferCache> memory(long bytes) {
    return List.of(memoryComponent(bytes), memoryComponent(bytes));
  }

  private IVirtualBufferCache memoryComponent(long bytes) {
    int pages = Math.max(LEAST_PAGES, Math.toIntExact(bytes / 2 / sizes.pageBytes()));
    return new VirtualBufferCache(new HeapBufferAllocator(), sizes.pageBytes(), pages);
  }

  /** AsterixDB's default policy. */
  public static ILSMMergePolicy policy() {
    ILSMMergePolicy policy = new PrefixMergePolicy();
    policy.configure(
        Map.of(
            PrefixMergePolicyFactory.MAX_MERGABLE_SIZE,
            Long.toString(MOST_MERGABLE_BYTES),
            PrefixMergePolicyFactory.MAX_TOLERANCE_COUNT,
            Integer.toString(MOST_SMALL_COMPONENTS)));
    return policy;
  }

  /** A flush or a merge of an index. */
  @FunctionalInterface
  interface Scheduling {
    ILSMIOOperation of(ILSMIndexAccessor index) throws HyracksDataException;
  }

  /** Has something done with an index, and waits for it. */
  void run(ILSMIndex index, Scheduling operation) throws BenchmarkException {
    try {
      operation.of(index.createAccessor(NoOpIndexAccessParameters.INSTANCE)).sync();
    } catch (HyracksDataException e) {
      throw new BenchmarkException("flush or merge", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchmarkException("flush or merge", e);
    }
  }

  /** Flushes an index, and waits for flushes and merges to end. */
  public void settle(ILSMIndex index) throws BenchmarkException {
    run(index, ILSMIndexAccessor::scheduleFlush);
    Quiet.await(scheduler::busy);
    scheduler.requireWell();
  }

  /** Size and number of the components of an index. */
  public StoreFigures figures(ILSMIndex index) {
    return new StoreFigures(index.getDiskComponents().size(), diskBytes());
  }

  /** Bytes of all files. */
  public long diskBytes() {
    return DiskBytes.below(sizes.directory());
  }

  @Override
  public void close() throws BenchmarkException {
    while (!parts.isEmpty()) {
      parts.pop().close();
    }
  }

  private void closeFiles() throws BenchmarkException {
    try {
      files.close();
    } catch (IOException e) {
      throw new BenchmarkException("close the files", e);
    }
  }
}

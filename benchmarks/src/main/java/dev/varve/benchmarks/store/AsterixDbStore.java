package dev.varve.benchmarks.store;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.dataflow.value.ITypeTraits;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.FileReference;
import org.apache.hyracks.api.io.IODeviceHandle;
import org.apache.hyracks.control.nc.io.DefaultDeviceResolver;
import org.apache.hyracks.control.nc.io.IOManager;
import org.apache.hyracks.data.std.primitive.FixedLengthTypeTrait;
import org.apache.hyracks.data.std.primitive.VarLengthTypeTrait;
import org.apache.hyracks.storage.am.common.freepage.AppendOnlyLinkedMetadataPageManagerFactory;
import org.apache.hyracks.storage.am.common.impls.NoOpIndexAccessParameters;
import org.apache.hyracks.storage.am.lsm.btree.impls.LSMBTree;
import org.apache.hyracks.storage.am.lsm.btree.utils.LSMBTreeUtil;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMMergePolicy;
import org.apache.hyracks.storage.am.lsm.common.api.IVirtualBufferCache;
import org.apache.hyracks.storage.am.lsm.common.impls.NoOpIOOperationCallbackFactory;
import org.apache.hyracks.storage.am.lsm.common.impls.NoOpPageWriteCallbackFactory;
import org.apache.hyracks.storage.am.lsm.common.impls.PrefixMergePolicy;
import org.apache.hyracks.storage.am.lsm.common.impls.PrefixMergePolicyFactory;
import org.apache.hyracks.storage.am.lsm.common.impls.ThreadCountingTracker;
import org.apache.hyracks.storage.am.lsm.common.impls.VirtualBufferCache;
import org.apache.hyracks.storage.common.buffercache.BufferCache;
import org.apache.hyracks.storage.common.buffercache.ClockPageReplacementStrategy;
import org.apache.hyracks.storage.common.buffercache.DelayPageCleanerPolicy;
import org.apache.hyracks.storage.common.buffercache.HeapBufferAllocator;
import org.apache.hyracks.storage.common.buffercache.IBufferCache;
import org.apache.hyracks.storage.common.compression.NoOpCompressorDecompressorFactory;
import org.apache.hyracks.storage.common.file.FileMapManager;
import org.apache.hyracks.util.trace.ITracer;

/**
 * One LSM B+-tree of Hyracks over a buffer cache of its own, put together as a node of AsterixDB
 * does it for a primary index. Thread-safe.
 */
final class AsterixDbStore implements Store {
  static final int PAGE_BYTES = 128 << 10;
  static final long MOST_MERGABLE_BYTES = 1L << 30;
  static final int MOST_SMALL_COMPONENTS = 5;
  static final double FALSE_POSITIVES = 0.01;

  private static final int KEY_BYTES = 16;
  private static final int IO_THREADS = 2;
  private static final int QUEUE = 16;
  private static final int MOST_OPEN_FILES = 500;
  private static final long CLEAN_MILLIS = 1000;
  private static final IBinaryComparatorFactory[] COMPARATORS = {new AsterixDbKeyOrder()};

  private final StoreSettings settings;

  /** What is closed after the index, the last to be opened first. */
  private final Deque<Part> parts = new ArrayDeque<>();

  private final AsterixDbScheduler scheduler = new AsterixDbScheduler();
  private final LSMBTree index;

  /** Something that is closed. */
  @FunctionalInterface
  private interface Part {
    void close() throws StoreException;
  }

  private AsterixDbStore(StoreSettings settings) throws IOException, StoreException {
    this.settings = settings;
    boolean opened = false;
    try {
      parts.push(scheduler::close);
      IOManager files =
          new IOManager(
              List.of(new IODeviceHandle(settings.directory().toFile(), "workspace")),
              new DefaultDeviceResolver(),
              IO_THREADS,
              QUEUE);
      parts.push(() -> close(files));
      BufferCache cache = cache(files);
      parts.push(cache::close);
      FileReference place = files.resolve("kv");
      this.index = index(files, cache, place);
      if (!place.getFile().exists()) {
        index.create();
      }
      index.activate();
      opened = true;
    } finally {
      if (!opened) {
        closeParts();
      }
    }
  }

  static AsterixDbStore open(StoreSettings settings) throws StoreException {
    try {
      return new AsterixDbStore(settings);
    } catch (IOException e) {
      throw new StoreException("open", e);
    }
  }

  private BufferCache cache(IOManager files) {
    int pages = Math.toIntExact(settings.cacheBytes() / PAGE_BYTES);
    return new BufferCache(
        files,
        new ClockPageReplacementStrategy(new HeapBufferAllocator(), PAGE_BYTES, pages),
        new DelayPageCleanerPolicy(CLEAN_MILLIS),
        new FileMapManager(),
        MOST_OPEN_FILES,
        QUEUE,
        AsterixDbScheduler::daemon);
  }

  private LSMBTree index(IOManager files, IBufferCache cache, FileReference place)
      throws HyracksDataException {
    return LSMBTreeUtil.createLSMTree(
        files,
        List.of(memoryComponent(), memoryComponent()),
        place,
        cache,
        new ITypeTraits[] {new FixedLengthTypeTrait(KEY_BYTES), VarLengthTypeTrait.INSTANCE},
        COMPARATORS,
        new int[] {0},
        FALSE_POSITIVES,
        policy(),
        new ThreadCountingTracker(),
        scheduler,
        NoOpIOOperationCallbackFactory.INSTANCE,
        NoOpPageWriteCallbackFactory.INSTANCE,
        /* needKeyDupCheck= */ true,
        /* filterTypeTraits= */ null,
        /* filterCmpFactories= */ null,
        /* btreeFields= */ null,
        /* filterFields= */ null,
        /* durable= */ true,
        AppendOnlyLinkedMetadataPageManagerFactory.INSTANCE,
        /* updateAware= */ false,
        ITracer.NONE,
        NoOpCompressorDecompressorFactory.INSTANCE,
        /* hasBloomFilter= */ true,
        /* nullTypeTraits= */ null,
        /* nullIntrospector= */ null);
  }

  private IVirtualBufferCache memoryComponent() {
    int pages = Math.toIntExact(settings.memoryBytes() / 2 / PAGE_BYTES);
    return new VirtualBufferCache(new HeapBufferAllocator(), PAGE_BYTES, pages);
  }

  private static ILSMMergePolicy policy() {
    ILSMMergePolicy policy = new PrefixMergePolicy();
    policy.configure(
        Map.of(
            PrefixMergePolicyFactory.MAX_MERGABLE_SIZE,
            Long.toString(MOST_MERGABLE_BYTES),
            PrefixMergePolicyFactory.MAX_TOLERANCE_COUNT,
            Integer.toString(MOST_SMALL_COMPONENTS)));
    return policy;
  }

  @Override
  public StoreSession openSession() throws StoreException {
    try {
      return new AsterixDbSession(index);
    } catch (HyracksDataException e) {
      throw new StoreException("open a session", e);
    }
  }

  @Override
  public void settle() throws StoreException {
    try {
      index.createAccessor(NoOpIndexAccessParameters.INSTANCE).scheduleFlush().sync();
    } catch (HyracksDataException e) {
      throw new StoreException("flush", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("flush", e);
    }
    Quiet.await(scheduler::busy);
    scheduler.requireWell();
  }

  @Override
  public StoreFigures figures() {
    return new StoreFigures(
        index.getDiskComponents().size(), DiskBytes.below(settings.directory()));
  }

  @Override
  public void close() throws StoreException {
    settle();
    try {
      index.deactivate();
      closeParts();
    } catch (IOException e) {
      throw new StoreException("close", e);
    }
  }

  private void closeParts() throws StoreException {
    while (!parts.isEmpty()) {
      parts.pop().close();
    }
  }

  private static void close(IOManager files) throws StoreException {
    try {
      files.close();
    } catch (IOException e) {
      throw new StoreException("close the files", e);
    }
  }
}

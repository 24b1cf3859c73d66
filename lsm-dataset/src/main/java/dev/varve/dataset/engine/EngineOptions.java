package dev.varve.dataset.engine;

import dev.varve.btree.BTreeFormat;
import dev.varve.common.index.LsmIndexOptions;
import dev.varve.common.maintenance.MergeScheduler;
import dev.varve.common.maintenance.WriteGate;
import dev.varve.common.page.ComponentFileOptions;
import dev.varve.dataset.record.ClusterPlace;
import dev.varve.dataset.record.RecordLimits;
import dev.varve.scheduler.gate.StoppingGate;
import dev.varve.scheduler.scheduling.FairScheduler;
import dev.varve.scheduler.service.MaintenanceOptions;
import dev.varve.transaction.log.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Options of an engine.
 *
 * @param directory where its files are; created when absent
 * @param pageBytes size of a page of component files, a power of two from 4,096 to 131,072; or 0
 *     for what the store was made with, which for a new one is 8,192, or 16,384 where record limits
 *     want that; shapes files
 * @param cacheBytes size of the buffer cache; or 0 for an eighth of the heap, at most 128 MiB;
 *     performance
 * @param activeDatasetBytes cap on the memory for writes of all datasets; a dataset that is written
 *     and does not fit takes it from the one that was used longest ago and is not being written; or
 *     0 for half of the heap, at most 512 MiB, of which one dataset gets no more than a quarter
 *     where the heap leaves less than that; performance
 * @param sealAtFraction the part of a dataset's memory, from 0.5 to 0.95, at which its indexes are
 *     sealed and flushed, while writers fill what is left; more makes fewer, larger flushes and
 *     gives each less time; performance
 * @param sharedMemoryBytes one memory that all datasets write to, each as much of it as is free,
 *     instead of the {@code memoryBytes} of each; 0 for none; performance
 * @param openFiles how many component files are kept open; others are opened when they are read; or
 *     0 for a quarter of what the process may open, at most 16,384 and one for each 64 KiB of heap;
 *     performance
 * @param durability what an acknowledged write survives, unless a session says otherwise; behaviour
 * @param logSegmentBytes size of a log segment; performance
 * @param logRetentionBytes how long the log may become before the datasets that still need its
 *     oldest part are flushed; bounds recovery; performance
 * @param ioBytesPerSecond budget of flushes and merges together, 0 for none; engines of this
 *     process on the same device share the lowest of theirs; performance
 * @param forceEveryBytes how much a flush or merge writes between two forces of its file, so that
 *     none has much to write back at once and readers are not held up; at least a page, or 0 to
 *     force a file once, when it is complete; performance
 * @param directMergeBytes from so many bytes of input on, what a merge writes goes past the
 *     system's cache where the file system has such writes, unless readers have a quarter of the
 *     input in the buffer cache; 0 for never; performance
 * @param mergeThreads how many merges write at the same moment, from 1 to 64, 2 by default; more
 *     keep up with more writers on more cores, and take cores from writers and readers; performance
 * @param mergeScheduler how flushes and merges of all indexes share the disk; performance
 * @param writeGate whether writers are stopped, slowed down or capped before memory or disk
 *     components are at their limits; behaviour
 * @param lockTimeoutMillis how long an operation waits for a lock on a primary key; behaviour
 * @param stallTimeoutMillis how long a write waits at the gate for memory; behaviour
 * @param closeTimeoutMillis how long closing waits for cursors, transactions and bulk loads that
 *     are still open, and for calls under way; then it ends transactions and bulk loads by force;
 *     behaviour
 * @param leakTracking whether the stack is kept of each opening of a cursor, session, transaction
 *     or bulk load, for the exception that closing throws when one is left open; off by default,
 *     and costs some microseconds for each opening when on; behaviour
 * @param transactionTimeoutMillis how long a transaction over several records may be open, which
 *     keeps the log, its locks and its memory, before the engine aborts it; 0 for as long as it
 *     likes; behaviour
 * @param recordLimits bounds on records and keys; behaviour
 * @param opening what may be done when the engine is opened; behaviour
 * @param place which node of a cluster the engine is; records of other nodes are refused; behaviour
 */
public record EngineOptions(
    Path directory,
    int pageBytes,
    long cacheBytes,
    long activeDatasetBytes,
    double sealAtFraction,
    long sharedMemoryBytes,
    int openFiles,
    Durability durability,
    int logSegmentBytes,
    long logRetentionBytes,
    long ioBytesPerSecond,
    long forceEveryBytes,
    long directMergeBytes,
    int mergeThreads,
    MergeScheduler mergeScheduler,
    WriteGate writeGate,
    long lockTimeoutMillis,
    long stallTimeoutMillis,
    long closeTimeoutMillis,
    boolean leakTracking,
    long transactionTimeoutMillis,
    RecordLimits recordLimits,
    OpeningOptions opening,
    ClusterPlace place) {
  /** A page is at least so many times as long as the longest key. */
  static final int KEYS_IN_PAGE = 8;

  /** Reports all problems at once. */
  public EngineOptions {
    List<String> problems = new ArrayList<>();
    int anyPageBytes = newStorePageBytes(pageBytes, recordLimits);
    if (Integer.bitCount(anyPageBytes) != 1 || anyPageBytes < 4096 || anyPageBytes > 131072) {
      problems.add("pageBytes " + pageBytes + " is no power of two between 4096 and 131072");
    }
    if (cacheBytes != 0 && cacheBytes < 64L * anyPageBytes) {
      problems.add("cacheBytes " + cacheBytes + " is below 64 pages");
    }
    if (activeDatasetBytes != 0) {
      atLeast(problems, "activeDatasetBytes", activeDatasetBytes, 64 << 10);
    }
    if (openFiles != 0) {
      atLeast(problems, "openFiles", openFiles, 8);
    }
    if (!(sealAtFraction >= 0.5 && sealAtFraction <= 0.95)) {
      problems.add("sealAtFraction " + sealAtFraction + " is not between 0.5 and 0.95");
    }
    if (sharedMemoryBytes != 0) {
      // A record has to fit beside what flushes have not freed yet.
      atLeast(
          problems,
          "sharedMemoryBytes",
          sharedMemoryBytes,
          Math.max(64 << 10, 2L * recordLimits.maxRecordBytes()));
    }
    atLeast(problems, "logSegmentBytes", logSegmentBytes, 64 << 10);
    atLeast(problems, "logRetentionBytes", logRetentionBytes, logSegmentBytes);
    atLeast(problems, "ioBytesPerSecond", ioBytesPerSecond, 0);
    if (forceEveryBytes != 0) {
      atLeast(problems, "forceEveryBytes", forceEveryBytes, anyPageBytes);
    }
    atLeast(problems, "directMergeBytes", directMergeBytes, 0);
    if (mergeThreads < 1 || mergeThreads > MaintenanceOptions.MOST_MERGE_THREADS) {
      problems.add(
          "mergeThreads "
              + mergeThreads
              + " is not between 1 and "
              + MaintenanceOptions.MOST_MERGE_THREADS);
    }
    atLeast(problems, "lockTimeoutMillis", lockTimeoutMillis, 0);
    atLeast(problems, "stallTimeoutMillis", stallTimeoutMillis, 0);
    atLeast(problems, "closeTimeoutMillis", closeTimeoutMillis, 0);
    atLeast(problems, "transactionTimeoutMillis", transactionTimeoutMillis, 0);
    if (recordLimits.maxRecordBytes() > logSegmentBytes / 2) {
      problems.add(
          "recordLimits.maxRecordBytes "
              + recordLimits.maxRecordBytes()
              + " is above half of logSegmentBytes "
              + logSegmentBytes);
    }
    if (!fits(recordLimits, anyPageBytes)) {
      problems.add(
          "recordLimits.maxKeyBytes "
              + recordLimits.maxKeyBytes()
              + " is above an eighth of pageBytes "
              + anyPageBytes
              + ", or with recordLimits.maxRecordBytes "
              + recordLimits.maxRecordBytes()
              + " above the "
              + BTreeFormat.maxEntryBytes(anyPageBytes)
              + " bytes that 255 of them hold");
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
  }

  /** The defaults for a directory. */
  public static EngineOptions of(Path directory) {
    return builder(directory).build();
  }

  /** A builder that starts from the defaults. */
  public static Builder builder(Path directory) {
    return new Builder(directory);
  }

  /** The same options for another directory. */
  public EngineOptions withDirectory(Path other) {
    return new Builder(other, this).build();
  }

  /** The same options for another node of a cluster. */
  public EngineOptions withPlace(ClusterPlace other) {
    return new Builder(directory, this).place(other).build();
  }

  /** Size of a page in a new store. */
  public int newStorePageBytes() {
    return newStorePageBytes(pageBytes, recordLimits);
  }

  private static int newStorePageBytes(int pageBytes, RecordLimits recordLimits) {
    int enough = ComponentFileOptions.DEFAULT_PAGE_SIZE;
    while (!fits(recordLimits, enough)) {
      enough *= 2;
    }
    return pageBytes == 0 ? enough : pageBytes;
  }

  private static boolean fits(RecordLimits recordLimits, int pageBytes) {
    return recordLimits.maxKeyBytes() <= pageBytes / KEYS_IN_PAGE
        && recordLimits.maxKeyBytes() + recordLimits.maxRecordBytes()
            <= BTreeFormat.maxEntryBytes(pageBytes);
  }

  /**
   * Checks the options against the size of a page that a store was made with.
   *
   * @throws IllegalArgumentException when they contradict it
   */
  void requireFit(int storePageBytes) {
    if (pageBytes != 0 && pageBytes != storePageBytes) {
      throw new IllegalArgumentException("pageBytes " + pageBytes + " is another");
    }
    new Builder(directory, this).pageBytes(storePageBytes).build();
  }

  private static void atLeast(List<String> problems, String name, long value, long least) {
    if (value < least) {
      problems.add(name + " " + value + " is below " + least);
    }
  }

  /** Collects options; {@link #build} checks them. Confined to its owner. */
  public static final class Builder {
    private final Path directory;
    private int pageBytes;
    private long cacheBytes;
    private long activeDatasetBytes;
    private double sealAtFraction = 0.5;
    private long sharedMemoryBytes;
    private int openFiles;
    private Durability durability = Durability.POWER_LOSS;
    private int logSegmentBytes = 8 << 20;
    private long logRetentionBytes = 1L << 30;
    private long ioBytesPerSecond;
    private long forceEveryBytes = 16L << 20;
    private long directMergeBytes = LsmIndexOptions.DEFAULT_DIRECT_MERGE_BYTES;
    private int mergeThreads = MaintenanceOptions.DEFAULTS.mergeThreads();
    private MergeScheduler mergeScheduler = new FairScheduler();
    private WriteGate writeGate = new StoppingGate();
    private long lockTimeoutMillis = 10_000;
    private long stallTimeoutMillis = 300_000;
    private long closeTimeoutMillis = 10_000;
    private boolean leakTracking;
    private long transactionTimeoutMillis = 300_000;
    private RecordLimits recordLimits = RecordLimits.DEFAULTS;
    private OpeningOptions opening = OpeningOptions.DEFAULTS;
    private ClusterPlace place = ClusterPlace.ALONE;

    private Builder(Path directory) {
      this.directory = directory;
    }

    Builder(Path directory, EngineOptions from) {
      this.directory = directory;
      pageBytes = from.pageBytes;
      cacheBytes = from.cacheBytes;
      activeDatasetBytes = from.activeDatasetBytes;
      sealAtFraction = from.sealAtFraction;
      sharedMemoryBytes = from.sharedMemoryBytes;
      openFiles = from.openFiles;
      durability = from.durability;
      logSegmentBytes = from.logSegmentBytes;
      logRetentionBytes = from.logRetentionBytes;
      ioBytesPerSecond = from.ioBytesPerSecond;
      forceEveryBytes = from.forceEveryBytes;
      directMergeBytes = from.directMergeBytes;
      mergeThreads = from.mergeThreads;
      mergeScheduler = from.mergeScheduler;
      writeGate = from.writeGate;
      lockTimeoutMillis = from.lockTimeoutMillis;
      stallTimeoutMillis = from.stallTimeoutMillis;
      closeTimeoutMillis = from.closeTimeoutMillis;
      leakTracking = from.leakTracking;
      transactionTimeoutMillis = from.transactionTimeoutMillis;
      recordLimits = from.recordLimits;
      opening = from.opening;
      place = from.place;
    }

    /** Sets {@link EngineOptions#pageBytes}. */
    public Builder pageBytes(int bytes) {
      pageBytes = bytes;
      return this;
    }

    /** Sets {@link EngineOptions#cacheBytes}. */
    public Builder cacheBytes(long bytes) {
      cacheBytes = bytes;
      return this;
    }

    /** Sets {@link EngineOptions#activeDatasetBytes}. */
    public Builder activeDatasetBytes(long bytes) {
      activeDatasetBytes = bytes;
      return this;
    }

    /** Sets {@link EngineOptions#sealAtFraction}. */
    public Builder sealAtFraction(double fraction) {
      sealAtFraction = fraction;
      return this;
    }

    /** Sets {@link EngineOptions#sharedMemoryBytes}. */
    public Builder sharedMemoryBytes(long bytes) {
      sharedMemoryBytes = bytes;
      return this;
    }

    /** Sets {@link EngineOptions#openFiles}. */
    public Builder openFiles(int files) {
      openFiles = files;
      return this;
    }

    /** Sets {@link EngineOptions#durability}. */
    public Builder durability(Durability level) {
      durability = level;
      return this;
    }

    /** Sets {@link EngineOptions#logSegmentBytes}. */
    public Builder logSegmentBytes(int bytes) {
      logSegmentBytes = bytes;
      return this;
    }

    /** Sets {@link EngineOptions#logRetentionBytes}. */
    public Builder logRetentionBytes(long bytes) {
      logRetentionBytes = bytes;
      return this;
    }

    /** Sets {@link EngineOptions#ioBytesPerSecond}. */
    public Builder ioBytesPerSecond(long bytesPerSecond) {
      ioBytesPerSecond = bytesPerSecond;
      return this;
    }

    /** Sets {@link EngineOptions#forceEveryBytes}. */
    public Builder forceEveryBytes(long bytes) {
      forceEveryBytes = bytes;
      return this;
    }

    /** Sets {@link EngineOptions#directMergeBytes}. */
    public Builder directMergeBytes(long bytes) {
      directMergeBytes = bytes;
      return this;
    }

    /** Sets {@link EngineOptions#mergeThreads}. */
    public Builder mergeThreads(int threads) {
      mergeThreads = threads;
      return this;
    }

    /** Sets {@link EngineOptions#mergeScheduler}. */
    public Builder mergeScheduler(MergeScheduler scheduler) {
      mergeScheduler = scheduler;
      return this;
    }

    /** Sets {@link EngineOptions#writeGate}. */
    public Builder writeGate(WriteGate gate) {
      writeGate = gate;
      return this;
    }

    /** Sets {@link EngineOptions#lockTimeoutMillis}. */
    public Builder lockTimeoutMillis(long millis) {
      lockTimeoutMillis = millis;
      return this;
    }

    /** Sets {@link EngineOptions#stallTimeoutMillis}. */
    public Builder stallTimeoutMillis(long millis) {
      stallTimeoutMillis = millis;
      return this;
    }

    /** Sets {@link EngineOptions#closeTimeoutMillis}. */
    public Builder closeTimeoutMillis(long millis) {
      closeTimeoutMillis = millis;
      return this;
    }

    /** Switches {@link EngineOptions#leakTracking} on. */
    public Builder trackLeaks() {
      leakTracking = true;
      return this;
    }

    /** Sets {@link EngineOptions#transactionTimeoutMillis}. */
    public Builder transactionTimeoutMillis(long millis) {
      transactionTimeoutMillis = millis;
      return this;
    }

    /** Sets {@link EngineOptions#recordLimits}. */
    public Builder recordLimits(RecordLimits limits) {
      recordLimits = limits;
      return this;
    }

    /** Sets {@link EngineOptions#opening}. */
    public Builder opening(OpeningOptions options) {
      opening = options;
      return this;
    }

    /** Sets {@link EngineOptions#place}. */
    public Builder place(ClusterPlace ofNode) {
      place = ofNode;
      return this;
    }

    /** Checks and returns the options. */
    public EngineOptions build() {
      return new EngineOptions(
          directory,
          pageBytes,
          cacheBytes,
          activeDatasetBytes,
          sealAtFraction,
          sharedMemoryBytes,
          openFiles,
          durability,
          logSegmentBytes,
          logRetentionBytes,
          ioBytesPerSecond,
          forceEveryBytes,
          directMergeBytes,
          mergeThreads,
          mergeScheduler,
          writeGate,
          lockTimeoutMillis,
          stallTimeoutMillis,
          closeTimeoutMillis,
          leakTracking,
          transactionTimeoutMillis,
          recordLimits,
          opening,
          place);
    }
  }
}

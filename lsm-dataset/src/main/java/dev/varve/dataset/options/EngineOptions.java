package dev.varve.dataset.options;

import dev.varve.btree.BTreeFormat;
import dev.varve.common.error.OptionProblems;
import dev.varve.common.maintenance.MergeScheduler;
import dev.varve.common.page.ComponentFileOptions;
import dev.varve.common.page.ComponentOptions;
import dev.varve.dataset.model.ClusterPlace;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.scheduler.admission.WriteGate;
import dev.varve.scheduler.admission.WriteGates;
import dev.varve.scheduler.scheduling.SchedulerText;
import dev.varve.scheduler.service.MaintenanceOptions;
import dev.varve.scheduler.tuner.Tuner;
import dev.varve.scheduler.tuner.TunerText;
import dev.varve.transaction.log.Durability;
import dev.varve.transaction.log.LogOptions;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options of an engine: those of each of its parts. {@link #builder} sets each of them by its name.
 *
 * @param directory where its files are; created when absent
 * @param components how disk components are written, opened and cached
 * @param memory how datasets share the memory for writes
 * @param log the log of the node
 * @param maintenance flushes and merges, and when writers wait for them
 * @param sessions what writes promise and how long they wait
 * @param recordLimits bounds on records and keys; behaviour
 * @param opening as what the engine is opened, and what it may do then; behaviour
 * @param placement where files lie that are not in the directory
 */
public record EngineOptions(
    Path directory,
    ComponentOptions components,
    MemoryOptions memory,
    LogOptions log,
    MaintenanceOptions maintenance,
    SessionOptions sessions,
    RecordLimits recordLimits,
    OpeningOptions opening,
    PlacementOptions placement) {
  /** A page is at least so many times as long as the longest key. */
  private static final int KEYS_IN_PAGE = 8;

  /** Room in a log record beside key and value. */
  private static final int LOG_RECORD_OVERHEAD = 1 << 10;

  private static final int LEAST_SEGMENT_BYTES = 64 << 10;

  /** Reports what contradicts each other, all problems at once. */
  public EngineOptions {
    OptionProblems problems = new OptionProblems();
    int pageBytes = newStorePageBytes(components, recordLimits);
    if (components.cacheBytes() != 0) {
      problems.atLeast(
          "cacheBytes", components.cacheBytes(), ComponentOptions.leastCacheBytes(pageBytes));
    }
    if (memory.sharedMemoryBytes() != 0) {
      // A record has to fit beside what flushes have not freed yet.
      problems.atLeast(
          "sharedMemoryBytes", memory.sharedMemoryBytes(), 2L * recordLimits.maxRecordBytes());
    }
    problems.atLeast("logSegmentBytes", log.segmentBytes(), LEAST_SEGMENT_BYTES);
    if (recordLimits.maxRecordBytes() > log.segmentBytes() / 2) {
      problems.add(
          "recordLimits.maxRecordBytes "
              + recordLimits.maxRecordBytes()
              + " is above half of logSegmentBytes "
              + log.segmentBytes());
    } else {
      problems.atLeast("log.maxRecordBytes", log.maxRecordBytes(), longestLogRecord(recordLimits));
    }
    if (!fits(recordLimits, pageBytes)) {
      problems.add(
          "recordLimits.maxKeyBytes "
              + recordLimits.maxKeyBytes()
              + " is above an eighth of pageBytes "
              + pageBytes
              + ", or with recordLimits.maxRecordBytes "
              + recordLimits.maxRecordBytes()
              + " above the "
              + BTreeFormat.maxEntryBytes(pageBytes)
              + " bytes that 255 of them hold");
    }
    placement.requireApartFrom(directory, problems);
    problems.report();
  }

  /** The defaults for a directory. */
  public static EngineOptions of(Path directory) {
    return builder(directory).build();
  }

  /** A builder that starts from the defaults. */
  public static Builder builder(Path directory) {
    return new Builder(directory);
  }

  /** Options that a configuration file may have, by name, as text for {@link Builder#text}. */
  public Map<String, String> texts() {
    Map<String, String> texts = new HashMap<>(maintenance.texts());
    texts.put("durability", sessions.durability().name());
    return texts;
  }

  /** The same options for another directory, with files in others. */
  public EngineOptions withDirectory(Path other, PlacementOptions beside) {
    return new EngineOptions(
        other, components, memory, log, maintenance, sessions, recordLimits, opening, beside);
  }

  /** The same options for another directory, in which everything is. */
  public EngineOptions withDirectory(Path other) {
    return withDirectory(other, PlacementOptions.NONE);
  }

  /** The same options for another node of a cluster. */
  public EngineOptions withPlace(ClusterPlace other) {
    return withOpening(opening.withPlace(other));
  }

  /** The same options, opened as something else or allowed something else. */
  public EngineOptions withOpening(OpeningOptions other) {
    return new EngineOptions(
        directory, components, memory, log, maintenance, sessions, recordLimits, other, placement);
  }

  /** The same options with other sizes of memory, cache and open files. */
  public EngineOptions withResources(ComponentOptions newComponents, MemoryOptions newMemory) {
    return new EngineOptions(
        directory,
        newComponents,
        newMemory,
        log,
        maintenance,
        sessions,
        recordLimits,
        opening,
        placement);
  }

  /**
   * The same options for a store whose pages have a size.
   *
   * @throws IllegalArgumentException when they contradict it
   */
  public EngineOptions forStore(int storePageBytes) {
    if (components.pageBytes() != 0 && components.pageBytes() != storePageBytes) {
      throw new IllegalArgumentException("pageBytes " + components.pageBytes() + " is another");
    }
    return withResources(components.withPageBytes(storePageBytes), memory);
  }

  /** Size of a page in a new store. */
  public int newStorePageBytes() {
    return newStorePageBytes(components, recordLimits);
  }

  private static int newStorePageBytes(ComponentOptions components, RecordLimits recordLimits) {
    int enough = ComponentFileOptions.DEFAULT_PAGE_SIZE;
    while (!fits(recordLimits, enough)) {
      enough *= 2;
    }
    return components.pageBytes() == 0 ? enough : components.pageBytes();
  }

  private static boolean fits(RecordLimits recordLimits, int pageBytes) {
    return recordLimits.maxKeyBytes() <= pageBytes / KEYS_IN_PAGE
        && recordLimits.maxKeyBytes() + recordLimits.maxRecordBytes()
            <= BTreeFormat.maxEntryBytes(pageBytes);
  }

  /** The widest record limits that pages of a size allow. */
  public static RecordLimits widestLimits(int pageBytes) {
    RecordLimits most = RecordLimits.WIDEST;
    int keyBytes = Math.min(most.maxKeyBytes(), pageBytes / KEYS_IN_PAGE);
    long recordBytes =
        Math.min(most.maxRecordBytes(), BTreeFormat.maxEntryBytes(pageBytes) - keyBytes);
    return new RecordLimits(
        (int) recordBytes, most.maxDepth(), most.maxNumberCharacters(), keyBytes);
  }

  /** What was stored under wider limits is deleted by its key. */
  private static int longestLogRecord(RecordLimits recordLimits) {
    return recordLimits.maxRecordBytes() + RecordLimits.WIDEST.maxKeyBytes() + LOG_RECORD_OVERHEAD;
  }

  /** Collects options; {@link #build} checks them. Confined to its owner. */
  public static final class Builder {
    private final Path directory;
    private int pageBytes;
    private long cacheBytes;
    private int openFiles;
    private long forceEveryBytes = ComponentOptions.DEFAULTS.forceEveryBytes();
    private long directMergeBytes = ComponentOptions.DirectIo.DEFAULTS.directMergeBytes();
    private boolean directReads = ComponentOptions.DirectIo.DEFAULTS.directReads();
    private int repairAfterFlushes = ComponentOptions.DEFAULTS.repairAfterFlushes();
    private long activeDatasetBytes;
    private double sealAtFraction = MemoryOptions.DEFAULTS.sealAtFraction();
    private long sharedMemoryBytes;
    private long snapshotBytes = MemoryOptions.DEFAULTS.snapshotBytes();
    private Durability durability = SessionOptions.DEFAULTS.durability();
    private int logSegmentBytes = LogOptions.DEFAULTS.segmentBytes();
    private long logRetentionBytes = LogOptions.DEFAULTS.retentionBytes();
    private long ioBytesPerSecond;
    private int mergeThreads = MaintenanceOptions.DEFAULTS.mergeThreads();
    private MergeScheduler mergeScheduler = MaintenanceOptions.DEFAULTS.scheduler();
    private WriteGate writeGate = MaintenanceOptions.DEFAULTS.writeGate();
    private Tuner tuner = MaintenanceOptions.DEFAULTS.tuner();
    private long lockTimeoutMillis = SessionOptions.DEFAULTS.lockTimeoutMillis();
    private long stallTimeoutMillis = SessionOptions.DEFAULTS.stallTimeoutMillis();
    private long closeTimeoutMillis = SessionOptions.DEFAULTS.closeTimeoutMillis();
    private boolean leakTracking;
    private long transactionTimeoutMillis = SessionOptions.DEFAULTS.transactionTimeoutMillis();
    private RecordLimits recordLimits = RecordLimits.DEFAULTS;
    private OpeningOptions opening = OpeningOptions.DEFAULTS;
    private List<Path> storeDirectories = List.of();
    private @Nullable Path logDirectory;

    private Builder(Path directory) {
      this.directory = directory;
    }

    /** Sets {@link ComponentOptions#pageBytes}. */
    public Builder pageBytes(int bytes) {
      pageBytes = bytes;
      return this;
    }

    /** Sets {@link ComponentOptions#cacheBytes}. */
    public Builder cacheBytes(long bytes) {
      cacheBytes = bytes;
      return this;
    }

    /** Sets {@link MemoryOptions#activeDatasetBytes}. */
    public Builder activeDatasetBytes(long bytes) {
      activeDatasetBytes = bytes;
      return this;
    }

    /** Sets {@link MemoryOptions#sealAtFraction}. */
    public Builder sealAtFraction(double fraction) {
      sealAtFraction = fraction;
      return this;
    }

    /** Sets {@link MemoryOptions#snapshotBytes}. */
    public Builder snapshotBytes(long bytes) {
      snapshotBytes = bytes;
      return this;
    }

    /** Sets {@link MemoryOptions#sharedMemoryBytes}. */
    public Builder sharedMemoryBytes(long bytes) {
      sharedMemoryBytes = bytes;
      return this;
    }

    /** Sets {@link ComponentOptions#openFiles}. */
    public Builder openFiles(int files) {
      openFiles = files;
      return this;
    }

    /** Sets {@link SessionOptions#durability}. */
    public Builder durability(Durability level) {
      durability = level;
      return this;
    }

    /** Sets {@link LogOptions#segmentBytes}. */
    public Builder logSegmentBytes(int bytes) {
      logSegmentBytes = bytes;
      return this;
    }

    /** Sets {@link LogOptions#retentionBytes}. */
    public Builder logRetentionBytes(long bytes) {
      logRetentionBytes = bytes;
      return this;
    }

    /** Sets {@link MaintenanceOptions#ioBytesPerSecond}. */
    public Builder ioBytesPerSecond(long bytesPerSecond) {
      ioBytesPerSecond = bytesPerSecond;
      return this;
    }

    /** Sets {@link ComponentOptions#forceEveryBytes}. */
    public Builder forceEveryBytes(long bytes) {
      forceEveryBytes = bytes;
      return this;
    }

    /** Sets {@link ComponentOptions.DirectIo#directMergeBytes}. */
    public Builder directMergeBytes(long bytes) {
      directMergeBytes = bytes;
      return this;
    }

    /** Sets {@link ComponentOptions#repairAfterFlushes}. */
    public Builder repairAfterFlushes(int flushes) {
      repairAfterFlushes = flushes;
      return this;
    }

    /** Switches {@link ComponentOptions.DirectIo#directReads} on. */
    public Builder directReads() {
      directReads = true;
      return this;
    }

    /** Sets {@link MaintenanceOptions#mergeThreads}. */
    public Builder mergeThreads(int threads) {
      mergeThreads = threads;
      return this;
    }

    /** Sets {@link MaintenanceOptions#scheduler}. */
    public Builder mergeScheduler(MergeScheduler scheduler) {
      mergeScheduler = scheduler;
      return this;
    }

    /** Sets {@link MaintenanceOptions#tuner}. */
    public Builder tuner(Tuner chosen) {
      tuner = chosen;
      return this;
    }

    /** Sets {@link MaintenanceOptions#writeGate}. */
    public Builder writeGate(WriteGate gate) {
      writeGate = gate;
      return this;
    }

    /** Sets {@link SessionOptions#lockTimeoutMillis}. */
    public Builder lockTimeoutMillis(long millis) {
      lockTimeoutMillis = millis;
      return this;
    }

    /** Sets {@link SessionOptions#stallTimeoutMillis}. */
    public Builder stallTimeoutMillis(long millis) {
      stallTimeoutMillis = millis;
      return this;
    }

    /** Sets {@link SessionOptions#closeTimeoutMillis}. */
    public Builder closeTimeoutMillis(long millis) {
      closeTimeoutMillis = millis;
      return this;
    }

    /** Switches {@link SessionOptions#leakTracking} on. */
    public Builder trackLeaks() {
      leakTracking = true;
      return this;
    }

    /** Sets {@link SessionOptions#transactionTimeoutMillis}. */
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

    /** Sets {@link OpeningOptions#place}. */
    public Builder place(ClusterPlace ofNode) {
      opening = opening.withPlace(ofNode);
      return this;
    }

    /** Sets {@link PlacementOptions#storeDirectories}. */
    public Builder storeDirectories(List<Path> directories) {
      storeDirectories = List.copyOf(directories);
      return this;
    }

    /** Sets {@link PlacementOptions#logDirectory}. */
    public Builder logDirectory(Path path) {
      logDirectory = path;
      return this;
    }

    /**
     * Sets an option by the name of its method, as text; {@link EngineOptions#texts} has which.
     *
     * @throws IllegalArgumentException when there is none of this name, or the text is none of it
     */
    public Builder text(String name, String text) {
      return switch (name) {
        case "durability" -> durability(Durability.valueOf(text));
        case "ioBytesPerSecond" -> ioBytesPerSecond(Long.parseLong(text));
        case "mergeScheduler" -> mergeScheduler(SchedulerText.parse(text));
        case "writeGate" -> writeGate(WriteGates.parse(text));
        case "tuner" -> tuner(TunerText.parse(text));
        default -> throw new IllegalArgumentException("no option is called " + name);
      };
    }

    /**
     * The options.
     *
     * @throws IllegalArgumentException that names all problems
     */
    public EngineOptions build() {
      OptionProblems problems = new OptionProblems();
      ComponentOptions components = problems.part(ComponentOptions.DEFAULTS, this::components);
      MemoryOptions memory = problems.part(MemoryOptions.DEFAULTS, this::memory);
      LogOptions log = problems.part(LogOptions.DEFAULTS, this::log);
      MaintenanceOptions maintenance =
          problems.part(MaintenanceOptions.DEFAULTS, this::maintenance);
      SessionOptions sessions = problems.part(SessionOptions.DEFAULTS, this::sessions);
      PlacementOptions placement =
          problems.part(
              PlacementOptions.NONE, () -> new PlacementOptions(storeDirectories, logDirectory));
      List<EngineOptions> whole =
          problems.part(
              List.of(),
              () ->
                  List.of(
                      new EngineOptions(
                          directory,
                          components,
                          memory,
                          log,
                          maintenance,
                          sessions,
                          recordLimits,
                          opening,
                          placement)));
      problems.report();
      return whole.get(0);
    }

    private ComponentOptions components() {
      return new ComponentOptions(
          pageBytes,
          cacheBytes,
          openFiles,
          forceEveryBytes,
          new ComponentOptions.DirectIo(directMergeBytes, directReads),
          repairAfterFlushes);
    }

    private MemoryOptions memory() {
      return new MemoryOptions(
          activeDatasetBytes, sealAtFraction, sharedMemoryBytes, snapshotBytes);
    }

    private LogOptions log() {
      return LogOptions.DEFAULTS.sized(
          logSegmentBytes, logRetentionBytes, longestLogRecord(recordLimits));
    }

    private MaintenanceOptions maintenance() {
      return new MaintenanceOptions(
          mergeThreads,
          MaintenanceOptions.DEFAULTS.batchBytes(),
          ioBytesPerSecond,
          mergeScheduler,
          writeGate,
          tuner);
    }

    private SessionOptions sessions() {
      return new SessionOptions(
          durability,
          lockTimeoutMillis,
          stallTimeoutMillis,
          closeTimeoutMillis,
          transactionTimeoutMillis,
          leakTracking);
    }
  }
}

package dev.varve.dataset.internal.catalog;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.MergePolicyOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which datasets a store has. Each change writes the whole catalog beside the old one, forces it
 * and renames it over the old one, so that a crash leaves the one or the other. When the renaming
 * fails it may be either, and every later change throws that first cause. Once a change is durable,
 * the name of an empty file beside the catalog says its generation, so that an older copy of the
 * catalog does not pass for the catalog. Thread-safe.
 */
public final class Catalog {
  /** Name of the catalog file in the store's directory. */
  public static final String FILE_NAME = "catalog";

  private static final String BUILDING_NAME = "catalog.building";
  private static final Pattern MARKER = Pattern.compile("catalog-([0-9]{1,18})");

  /** Most datasets and key-value stores in one engine. */
  public static final int MAX_DATASETS = 10_000;

  private final FileSystem files;
  private final Path directory;
  private final ReentrantLock lock = new ReentrantLock();

  private volatile CatalogState state;

  /** The highest generation that the directory says was durable; 0 for none. */
  private volatile long marked;

  @GuardedBy("lock")
  private @Nullable StorageException failure;

  private Catalog(FileSystem files, Path directory, CatalogState state) {
    this.files = files;
    this.directory = directory;
    this.state = state;
  }

  /** Writes the catalog of a new, empty store. */
  public static Catalog create(FileSystem files, Path directory, long storeId, int pageBytes)
      throws StorageException {
    Catalog catalog =
        new Catalog(files, directory, new CatalogState(0, storeId, pageBytes, 1, 1, List.of()));
    catalog.lock.lock();
    try {
      catalog.replace(catalog.state);
    } finally {
      catalog.lock.unlock();
    }
    return catalog;
  }

  /**
   * Reads the catalog of a store; changes nothing.
   *
   * @throws CorruptionException when it is missing, damaged, or older than one that was durable
   */
  public static Catalog open(FileSystem files, Path directory) throws StorageException {
    Path file = directory.resolve(FILE_NAME);
    if (!files.exists(file)) {
      throw new CorruptionException(file.toString(), -1, "the catalog is missing");
    }
    byte[] bytes;
    try (StorageFile open = files.open(file, OpenMode.READ_ONLY)) {
      if (open.size() > CatalogLayout.MAX_BYTES) {
        throw new CorruptionException(
            file.toString(), -1, open.size() + " bytes, at most " + CatalogLayout.MAX_BYTES);
      }
      bytes = new byte[(int) open.size()];
      int read = open.read(0, bytes, 0, bytes.length);
      if (read != bytes.length) {
        throw new CorruptionException(file.toString(), read, "the file became shorter");
      }
    }
    Catalog catalog = new Catalog(files, directory, CatalogCodec.decode(file.toString(), bytes));
    for (Path path : files.list(directory)) {
      catalog.marked = Math.max(catalog.marked, markedBy(path));
    }
    if (catalog.marked > catalog.state.generation()) {
      throw new CorruptionException(
          file.toString(),
          CatalogLayout.GENERATION_AT,
          "generation "
              + catalog.state.generation()
              + ", but generation "
              + catalog.marked
              + " was durable: an older copy was put in the place of the catalog");
    }
    return catalog;
  }

  /** The generation that a file's name says; 0 for another file. */
  private static long markedBy(Path path) {
    Matcher name = MARKER.matcher(String.valueOf(path.getFileName()));
    return name.matches() ? Long.parseLong(name.group(1)) : 0;
  }

  /** Whether a file in the catalog's directory is the catalog's own. */
  public static boolean owns(Path path) {
    String name = String.valueOf(path.getFileName());
    return name.equals(FILE_NAME) || name.equals(BUILDING_NAME) || markedBy(path) > 0;
  }

  /**
   * Whether its directory says that this is the newest catalog that was durable: then a dataset
   * with a number below the next one that it does not name was dropped.
   */
  public boolean proven() {
    return marked > 0 && marked >= state.generation() - 1;
  }

  /** Takes away what a crash left of a change, and makes durable which generation this is. */
  public void settle() throws StorageException {
    lock.lock();
    try {
      Path leftover = directory.resolve(BUILDING_NAME);
      if (files.exists(leftover)) {
        files.delete(leftover);
      }
      if (state.generation() > 0) {
        files.forceDirectory(directory);
        mark(state.generation());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Called when the catalog of a generation is durable. */
  private void mark(long generation) throws StorageException {
    Path marker = directory.resolve(FILE_NAME + "-" + generation);
    if (!files.exists(marker)) {
      try (StorageFile made = files.open(marker, OpenMode.CREATE_NEW)) {
        assert made.size() == 0;
      }
      files.forceDirectory(directory);
    }
    for (Path path : files.list(directory)) {
      long older = markedBy(path);
      if (older > 0 && older < generation) {
        files.delete(path);
      }
    }
    marked = generation;
  }

  /** What is done for a new dataset before the catalog names it. */
  @FunctionalInterface
  public interface Preparation {
    /** Prepares for a dataset with the numbers that it will have. */
    void prepare(DatasetDescriptor dataset) throws StorageException;
  }

  /** Identity of the store. */
  public long storeId() {
    return state.storeId();
  }

  /** Page size of the store's component files. */
  public int pageBytes() {
    return state.pageBytes();
  }

  /** No index has this number or a higher one. */
  public int nextIndexId() {
    return state.nextIndexId();
  }

  /** Whether a dataset has this number, or had it. */
  public boolean everNamed(int datasetId) {
    return datasetId < state.nextDatasetId();
  }

  /** All datasets, by number. */
  public List<DatasetDescriptor> datasets() {
    return state.datasets();
  }

  /** The dataset with a name. */
  public Optional<DatasetDescriptor> find(String name) {
    return Optional.ofNullable(state.find(name));
  }

  /** The dataset with a number. */
  public Optional<DatasetDescriptor> find(int datasetId) {
    return Optional.ofNullable(state.find(datasetId));
  }

  /**
   * Adds a dataset, durably.
   *
   * @param preparation makes the dataset's directories, durably, before the catalog names them:
   *     what is missing later was lost
   * @throws ConflictException with {@code NAME_EXISTS}
   */
  public DatasetDescriptor add(
      DatasetDescriptor.Kind kind, DatasetOptions options, Preparation preparation)
      throws StorageException {
    lock.lock();
    try {
      CatalogState before = state;
      if (before.find(options.name()) != null) {
        throw new ConflictException(
            ConflictException.Reason.NAME_EXISTS, "a dataset '" + options.name() + "' exists");
      }
      if (before.datasets().size() >= MAX_DATASETS) {
        throw new LimitException("datasets", before.datasets().size() + 1L, MAX_DATASETS);
      }
      DatasetDescriptor added =
          DatasetDescriptor.create(before.nextDatasetId(), kind, options, before.nextIndexId());
      preparation.prepare(added);
      replace(before.withAdded(added));
      return added;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Removes a dataset, durably. Its files are the caller's to delete.
   *
   * @throws RequestException with {@code UNKNOWN_DATASET}
   */
  public void remove(int datasetId) throws StorageException {
    lock.lock();
    try {
      require(datasetId);
      replace(state.without(datasetId));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Puts an empty dataset of the same name and options in the place of one, durably, under a number
   * of its own. The files of the other are the caller's to delete.
   *
   * @param preparation as for {@link #add}
   * @throws RequestException with {@code UNKNOWN_DATASET}
   */
  public void renew(int datasetId, Preparation preparation) throws StorageException {
    lock.lock();
    try {
      DatasetDescriptor before = require(datasetId);
      DatasetDescriptor renewed =
          DatasetDescriptor.create(
              state.nextDatasetId(), before.kind(), before.options(), state.nextIndexId());
      preparation.prepare(renewed);
      replace(state.without(datasetId).withAdded(renewed));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives a dataset another merge policy, durably.
   *
   * @return the dataset as it is then
   * @throws RequestException with {@code UNKNOWN_DATASET}
   */
  public DatasetDescriptor setMergePolicy(int datasetId, MergePolicyOptions policy)
      throws StorageException {
    return change(datasetId, before -> before.withMergePolicy(policy));
  }

  /**
   * Has secondary indexes of a dataset be kept in another way, durably.
   *
   * @return the dataset as it is then
   * @throws RequestException with {@code UNKNOWN_DATASET}
   */
  public DatasetDescriptor setMaintenance(int datasetId, IndexMaintenance maintenance)
      throws StorageException {
    return change(datasetId, before -> before.withMaintenance(maintenance));
  }

  /** Says, durably, that secondary indexes of a dataset may hold obsolete entries. */
  public void expectObsolete(int datasetId) throws StorageException {
    DatasetDescriptor changed = change(datasetId, DatasetDescriptor::withObsolete);
    assert changed.mayHoldObsolete() : changed;
  }

  private DatasetDescriptor change(int datasetId, UnaryOperator<DatasetDescriptor> change)
      throws StorageException {
    lock.lock();
    try {
      DatasetDescriptor changed = change.apply(require(datasetId));
      replace(state.withReplaced(changed));
      return changed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Says, durably, that an index is being built.
   *
   * @param preparation makes the directories, durably, before the catalog names them; it is given
   *     the dataset as it will be once the index answers
   * @return the dataset as it is then
   * @throws ConflictException with {@code NAME_EXISTS}
   * @throws RequestException with {@code UNKNOWN_DATASET}
   * @throws IllegalArgumentException when a dataset cannot have such an index
   */
  public DatasetDescriptor beginIndex(int datasetId, IndexDefinition index, Preparation preparation)
      throws StorageException {
    lock.lock();
    try {
      DatasetDescriptor before = require(datasetId);
      if (before.hasIndex(index.name())) {
        throw new ConflictException(
            ConflictException.Reason.NAME_EXISTS,
            "'" + before.options().name() + "' has an index '" + index.name() + "' already");
      }
      DatasetDescriptor begun = before.withBuilding(index, state.nextIndexId());
      preparation.prepare(begun.withBuilt(index.name()));
      replace(state.withReplaced(begun));
      return begun;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Says, durably, that an index was built and answers from now on.
   *
   * @return the dataset as it is then
   */
  public DatasetDescriptor endIndex(int datasetId, String index) throws StorageException {
    return change(datasetId, before -> before.withBuilt(index));
  }

  /**
   * Removes an index, durably, whether it answers or is being built. Its files are the caller's to
   * delete.
   *
   * @return the dataset as it is then
   * @throws RequestException with {@code UNKNOWN_INDEX}
   */
  public DatasetDescriptor removeIndex(int datasetId, String index) throws StorageException {
    lock.lock();
    try {
      DatasetDescriptor before = require(datasetId);
      if (!before.hasIndex(index)) {
        throw before.unknownIndex(index);
      }
      DatasetDescriptor without = before.withoutIndex(index);
      replace(state.withReplaced(without));
      return without;
    } finally {
      lock.unlock();
    }
  }

  /** Gives the indexes other numbers, durably, that were being built when the engine ended. */
  public void restartBuilds() throws StorageException {
    lock.lock();
    try {
      CatalogState next = state;
      for (DatasetDescriptor dataset : state.datasets()) {
        if (!dataset.building().isEmpty()) {
          next = next.withReplaced(dataset.withBuildsFrom(next.nextIndexId()));
        }
      }
      if (next.nextIndexId() > state.nextIndexId()) {
        replace(next);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Declares, durably, what a partition holds void until {@link #endLoading}. */
  public void beginLoading(int datasetId, int partition) throws StorageException {
    lock.lock();
    try {
      DatasetDescriptor dataset = require(datasetId);
      List<Integer> loading = new ArrayList<>(dataset.loading());
      if (!loading.contains(partition)) {
        loading.add(partition);
        replace(state.withReplaced(dataset.withLoading(loading)));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Declares, durably, what a partition holds valid. */
  public void endLoading(int datasetId, int partition) throws StorageException {
    lock.lock();
    try {
      DatasetDescriptor dataset = require(datasetId);
      List<Integer> loading = new ArrayList<>(dataset.loading());
      if (loading.removeIf(number -> number == partition)) {
        replace(state.withReplaced(dataset.withLoading(loading)));
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private DatasetDescriptor require(int datasetId) throws RequestException {
    DatasetDescriptor dataset = state.find(datasetId);
    if (dataset == null) {
      throw new RequestException(
          RequestException.Reason.UNKNOWN_DATASET, "no dataset has number " + datasetId);
    }
    return dataset;
  }

  @GuardedBy("lock")
  private void replace(CatalogState change) throws StorageException {
    if (failure != null) {
      throw failure;
    }
    CatalogState next = change.after(state);
    Path building = directory.resolve(BUILDING_NAME);
    writeBeside(building, CatalogCodec.encode(next));
    try {
      files.rename(building, directory.resolve(FILE_NAME));
      files.forceDirectory(directory);
      mark(next.generation());
    } catch (StorageException e) {
      failure = e;
      state = state.withNumbersOf(next);
      throw e;
    }
    state = next;
  }

  private void writeBeside(Path building, byte[] bytes) throws StorageException {
    if (files.exists(building)) {
      files.delete(building);
    }
    try (StorageFile file = files.open(building, OpenMode.CREATE_NEW)) {
      file.write(0, bytes, 0, bytes.length);
      file.force();
    } catch (StorageException e) {
      // The old catalog stands; what was begun beside it goes, also to give a full disk its room.
      try {
        files.delete(building);
      } catch (StorageException second) {
        e.addSuppressed(second);
      }
      throw e;
    }
  }
}

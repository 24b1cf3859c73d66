package dev.varve.dataset.catalog;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Which datasets a store has. Each change writes the whole catalog beside the old one, forces it
 * and renames it over the old one, so that a crash leaves the one or the other. When the renaming
 * fails nobody knows which, and every later change throws that first cause. Thread-safe.
 */
public final class Catalog {
  /** Name of the catalog file in the store's directory. */
  public static final String FILE_NAME = "catalog";

  private static final String BUILDING_NAME = "catalog.building";

  /** Most datasets and key-value stores in one engine. */
  public static final int MAX_DATASETS = 10_000;

  private final FileSystem files;
  private final Path directory;
  private final ReentrantLock lock = new ReentrantLock();

  private volatile CatalogState state;

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
        new Catalog(files, directory, new CatalogState(storeId, pageBytes, 1, 1, List.of()));
    catalog.lock.lock();
    try {
      catalog.replace(catalog.state);
    } finally {
      catalog.lock.unlock();
    }
    return catalog;
  }

  /**
   * Reads the catalog of a store.
   *
   * @throws CorruptionException when it is missing or damaged
   */
  public static Catalog open(FileSystem files, Path directory) throws StorageException {
    Path file = directory.resolve(FILE_NAME);
    if (!files.exists(file)) {
      throw new CorruptionException(file.toString(), -1, "the catalog is missing");
    }
    Path leftover = directory.resolve(BUILDING_NAME);
    if (files.exists(leftover)) {
      files.delete(leftover);
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
    return new Catalog(files, directory, CatalogCodec.decode(file.toString(), bytes));
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
          new DatasetDescriptor(
              before.nextDatasetId(), kind, options, before.nextIndexId(), List.of());
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
   * Gives a dataset another merge policy, durably.
   *
   * @return the dataset as it is then
   * @throws RequestException with {@code UNKNOWN_DATASET}
   */
  public DatasetDescriptor setMergePolicy(int datasetId, MergePolicyOptions policy)
      throws StorageException {
    lock.lock();
    try {
      DatasetDescriptor changed = require(datasetId).withMergePolicy(policy);
      replace(state.withReplaced(changed));
      return changed;
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
  private void replace(CatalogState next) throws StorageException {
    if (failure != null) {
      throw failure;
    }
    Path building = directory.resolve(BUILDING_NAME);
    writeBeside(building, CatalogCodec.encode(next));
    try {
      files.rename(building, directory.resolve(FILE_NAME));
      files.forceDirectory(directory);
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

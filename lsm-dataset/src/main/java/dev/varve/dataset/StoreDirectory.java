package dev.varve.dataset;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileTree;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.catalog.Catalog;
import dev.varve.dataset.internal.catalog.DatasetDescriptor;
import dev.varve.dataset.internal.catalog.IndexNumbers;
import dev.varve.dataset.internal.catalog.PartitionDescriptor;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.PlacementOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where the files of an engine lie. A new store is made beside its place and renamed into it, so
 * that a store is there whole or not at all. No name from a file's content ever becomes a path but
 * those of its {@link StoreRoots}; see docs/format/catalog.md. Immutable.
 *
 * <pre>
 *  LOCK                          held while the engine is open
 *  quarantine/                   what was found and does not count
 *  store/catalog                 which datasets there are
 *  store/log/                    segments and checkpoint
 *  store/data/d7/p0/i31/         index 31 of partition 0 of dataset 7: its components
 *  store/temporary/              runs of sorts; emptied when the engine is opened
 *  store/roots                   where data and log lie when they are elsewhere
 * </pre>
 */
final class StoreDirectory {
  private static final Pattern DATASET = Pattern.compile("d[0-9]{1,9}");
  private static final Pattern INDEX = Pattern.compile("i[0-9]{1,9}");
  private static final Pattern LOG_FILE =
      Pattern.compile("(checkpoint|force-marks|segment-[0-9]{10,18}\\.log)(\\.unfinished)?");

  private static final Pattern COMPONENT =
      Pattern.compile(
          "(c-[0-9]{1,19}-|r-)[0-9]{1,19}\\.(lsm|building|[0-9]{1,19}\\.repair(\\.building)?)"
              + "|manifest(\\.building)?|v-[0-9]{1,18}\\.values");

  private final FileSystem files;
  private final Path root;
  private final Path store;
  private final StoreRoots roots;

  StoreDirectory(StoreRoots roots) {
    this.files = roots.files();
    this.root = roots.home();
    this.store = root.resolve("store");
    this.roots = roots;
  }

  /** A store that has everything in one directory. */
  static StoreDirectory whole(FileSystem files, Path root) {
    return new StoreDirectory(new StoreRoots(files, root, PlacementOptions.NONE));
  }

  /** A store as it lies, with what it has elsewhere, which is checked to be its own. */
  static StoreDirectory find(FileSystem files, Path root) throws StorageException {
    return new StoreDirectory(StoreRoots.find(files, root, PlacementOptions.NONE));
  }

  /** Directory of the catalog. */
  Path catalog() {
    return store;
  }

  /** Directory of the log. */
  Path log() {
    return roots.log();
  }

  /** Directory for files that need not survive. */
  Path temporary() {
    return store.resolve("temporary");
  }

  /** Directories of the datasets: partition p lies in the one at p modulo their number. */
  List<Path> dataDirectories() {
    return roots.dataDirectories();
  }

  /** All directories that hold files of the store and of its engine, the engine's first. */
  List<Path> all() {
    return Stream.concat(Stream.of(root), roots.placement().all().stream()).toList();
  }

  private static String dataset(int datasetId) {
    return "d" + datasetId;
  }

  /** Directory of a partition. */
  Path partition(int datasetId, int partition) {
    List<Path> all = dataDirectories();
    return all.get(partition % all.size()).resolve(dataset(datasetId)).resolve("p" + partition);
  }

  /**
   * Opens the catalog of the store; makes the store when there is none.
   *
   * @throws ConflictException with {@code NO_STORE} when there is none and there must be one
   */
  Catalog openOrCreate(long newStoreId, EngineOptions options) throws StorageException {
    if (!files.exists(store)) {
      if (options.opening().mustExist()) {
        throw new ConflictException(
            ConflictException.Reason.NO_STORE,
            store + " is not there, and the options say that it must exist: is the disk mounted?");
      }
      create(newStoreId, options.newStorePageBytes());
    }
    Catalog catalog = Catalog.open(files, store);
    for (Path needed : parts()) {
      if (!needed.equals(temporary()) && !files.exists(needed)) {
        throw new CorruptionException(needed.toString(), -1, "the directory is missing");
      }
    }
    return catalog;
  }

  private void create(long storeId, int pageBytes) throws StorageException {
    Path building = building();
    if (files.exists(building)) {
      new FileTree(files, building).delete();
    }
    createParts(building);
    roots.write(building, storeId);
    Catalog.create(files, building, storeId, pageBytes);
    files.forceDirectory(building);
    publish();
  }

  /** Where a store is made before it gets its name. */
  Path building() {
    return root.resolve("store.building");
  }

  /** Makes the directories of a store that is made beside its place. */
  void createParts(Path building) throws StorageException {
    for (Path part : parts()) {
      if (part.startsWith(store)) {
        files.createDirectories(building.resolve(store.relativize(part)));
      }
    }
  }

  /** Directories that a store has, wherever they are. */
  private List<Path> parts() {
    return Stream.concat(dataDirectories().stream(), Stream.of(log(), temporary())).toList();
  }

  /** Gives a store that was made beside its place, and is durable, its name, durably. */
  void publish() throws StorageException {
    files.forceDirectory(root);
    files.rename(building(), store);
    files.forceDirectory(root);
    Path parent = root.toAbsolutePath().getParent();
    if (parent != null) {
      files.forceDirectory(parent);
    }
  }

  /** Deletes files that need not survive. */
  void clearTemporary() throws StorageException {
    if (files.exists(temporary())) {
      for (Path leftover : files.list(temporary())) {
        new FileTree(files, leftover).delete();
      }
    } else {
      files.createDirectories(temporary());
    }
  }

  /** Directories that are called like a dataset's and that the catalog does not name. */
  List<Path> strayDatasets(Catalog catalog) throws StorageException {
    Set<String> wanted = new HashSet<>();
    for (DatasetDescriptor dataset : catalog.datasets()) {
      wanted.add(dataset(dataset.datasetId()));
    }
    List<Path> strays = new ArrayList<>();
    for (Path data : dataDirectories()) {
      for (Path found : files.list(data)) {
        if (!wanted.contains(name(found)) && DATASET.matcher(name(found)).matches()) {
          strays.add(found);
        }
      }
    }
    return strays;
  }

  /** Directories in that of a partition that are called like an index's and are none of its own. */
  List<Path> strayIndexes(PartitionDescriptor partition) throws StorageException {
    Set<Path> wanted = new HashSet<>();
    for (int position = 0; position < partition.indexCount(); position++) {
      wanted.add(partition.indexDirectory(position));
    }
    List<Path> strays = new ArrayList<>();
    if (files.exists(partition.directory())) {
      for (Path found : files.list(partition.directory())) {
        if (!wanted.contains(found) && INDEX.matcher(name(found)).matches()) {
          strays.add(found);
        }
      }
    }
    return strays;
  }

  /** The number of the dataset or index that a directory is called by. */
  static int numberOf(Path directory) {
    return Integer.parseInt(name(directory).substring(1));
  }

  /** Deletes the files of a dataset that the catalog does not name any more. */
  void deleteDataset(int datasetId) throws StorageException {
    for (Path data : dataDirectories()) {
      if (files.exists(data.resolve(dataset(datasetId)))) {
        new FileTree(files, data.resolve(dataset(datasetId))).delete();
        files.forceDirectory(data);
      }
    }
  }

  private Path index(DatasetDescriptor dataset, int partition, IndexNumbers numbers) {
    return partition(dataset.datasetId(), partition).resolve("i" + numbers.of(partition));
  }

  /** Names of files of the store that belong to nothing: neither to an index nor to the log. */
  List<String> orphans(Catalog catalog) throws StorageException {
    Set<Path> wanted = new HashSet<>();
    for (DatasetDescriptor dataset : catalog.datasets()) {
      for (int partition = 0; partition < dataset.options().partitions(); partition++) {
        Path directory = partition(dataset.datasetId(), partition);
        wanted.add(directory);
        wanted.add(directory.getParent());
        for (int position = 0; position < dataset.indexesPerPartition(); position++) {
          wanted.add(index(dataset, partition, dataset.numbers().get(position)));
        }
        for (DatasetDescriptor.Building building : dataset.building()) {
          wanted.add(index(dataset, partition, building.numbers()));
        }
      }
    }
    if (!roots.placement().isNone()) {
      wanted.add(store.resolve(StoreRoots.NAME));
    }
    wanted.addAll(parts());
    List<String> orphans = new ArrayList<>();
    roots.strangers().forEach(each -> orphans.add(each.toString()));
    for (Path file : files.list(store)) {
      if (!Catalog.owns(file) && !wanted.contains(file)) {
        orphans.add(file.toString());
      }
    }
    for (Path file : files.list(log())) {
      if (!LOG_FILE.matcher(name(file)).matches()) {
        orphans.add(file.toString());
      }
    }
    for (Path data : dataDirectories()) {
      addOrphans(data, wanted, orphans);
    }
    return orphans;
  }

  private void addOrphans(Path data, Set<Path> wanted, List<String> orphans)
      throws StorageException {
    for (Path dataset : files.list(data)) {
      if (!wanted.contains(dataset)) {
        orphans.add(dataset.toString());
        continue;
      }
      for (Path partition : files.list(dataset)) {
        if (!wanted.contains(partition)) {
          orphans.add(partition.toString());
          continue;
        }
        for (Path index : files.list(partition)) {
          if (wanted.contains(index)) {
            addStrangers(index, orphans);
          } else {
            orphans.add(index.toString());
          }
        }
      }
    }
  }

  private void addStrangers(Path index, List<String> orphans) throws StorageException {
    for (Path file : files.list(index)) {
      if (!COMPONENT.matcher(name(file)).matches()) {
        orphans.add(file.toString());
      }
    }
  }

  /** Whether a file in the directory of the log is the log's, and whole. */
  static boolean isOfLog(Path file) {
    return LOG_FILE.matcher(name(file)).matches() && !name(file).endsWith(".unfinished");
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }
}

package dev.varve.dataset;

import dev.varve.common.disk.IndexFiles;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileTree;
import dev.varve.common.env.Quarantine;
import dev.varve.common.env.Quarantine.Kind;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.catalog.Catalog;
import dev.varve.dataset.internal.catalog.DatasetDescriptor;
import dev.varve.dataset.internal.catalog.PartitionDescriptor;
import dev.varve.dataset.internal.partition.PartitionIndexes;
import dev.varve.dataset.internal.value.LoggedValues;
import dev.varve.transaction.checkpoint.Checkpoint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks at a store before anything in it is changed: whether everything is there that catalog,
 * manifests and checkpoint name, and what is there beside it. {@link #clear} takes that away, and
 * is called only when the log was read, too. Used once, by one thread.
 */
final class StoreCheck {
  private final FileSystem files;
  private final StoreDirectory directory;
  private final Catalog catalog;
  private final List<IndexFiles> found = new ArrayList<>();
  private final List<Superfluous> superfluous = new ArrayList<>();
  private final List<Loading> loading = new ArrayList<>();

  /** Something that does not count. */
  private record Superfluous(Path path, Kind kind, String reason) {}

  /** A partition that was being loaded, so that what it holds is void. */
  private record Loading(DatasetDescriptor dataset, PartitionDescriptor partition) {}

  StoreCheck(FileSystem files, StoreDirectory directory, Catalog catalog) {
    this.files = files;
    this.directory = directory;
    this.catalog = catalog;
  }

  /**
   * Checks everything; changes nothing.
   *
   * @param checkpoint what the log says; {@code CREATING} where there is no log yet
   */
  void check(Checkpoint checkpoint) throws StorageException {
    if (checkpoint.kind() == Checkpoint.Kind.CREATING && catalog.everNamed(1)) {
      throw new CorruptionException(
          directory.log().resolve("checkpoint").toString(),
          -1,
          "the log is only being created, but the catalog has named datasets: an older copy of the"
              + " checkpoint was put in its place, or it is missing");
    }
    for (Path stray : directory.strayDatasets(catalog)) {
      judgeDataset(stray);
    }
    for (DatasetDescriptor dataset : catalog.datasets()) {
      for (PartitionDescriptor partition : ManagedDataset.describePartitions(dataset, directory)) {
        if (dataset.loading().contains(partition.number())) {
          loading.add(new Loading(dataset, partition));
        } else {
          for (Path stray : directory.strayIndexes(partition)) {
            judgeIndex(stray);
          }
          found.addAll(
              PartitionIndexes.find(
                  partition, files, catalog.storeId(), checkpoint.newestFlushes()));
        }
      }
    }
  }

  /** The large values that the end of the log may refer to. */
  LoggedValues loggedValues() throws StorageException {
    LoggedValues logged = new LoggedValues();
    for (DatasetDescriptor dataset : catalog.datasets()) {
      for (PartitionDescriptor partition : ManagedDataset.describePartitions(dataset, directory)) {
        PartitionIndexes.addTo(logged, partition, files, catalog.storeId());
      }
    }
    return logged;
  }

  /** Decides about the directory of something that the catalog does not name. */
  private void judge(Path stray, Stray what) throws StorageException {
    boolean holdsFiles = new FileTree(files, stray).holdsFiles();
    if (!what.everNamed() && holdsFiles) {
      throw new CorruptionException(
          stray.toString(),
          -1,
          "it holds files of "
              + what.name()
              + ", which the catalog never named: is the catalog an older copy of itself?");
    }
    if (!holdsFiles) {
      superfluous.add(
          new Superfluous(stray, Kind.SUPERFLUOUS, "empty directories that nothing has"));
    } else if (catalog.proven()) {
      superfluous.add(
          new Superfluous(stray, Kind.SUPERFLUOUS, what.name() + " " + what.explanation()));
    } else {
      superfluous.add(
          new Superfluous(
              stray,
              Kind.UNEXPLAINED,
              "the catalog does not name "
                  + what.name()
                  + ", and nothing says that it "
                  + what.explanation()));
    }
  }

  /**
   * What a directory that the catalog does not name may be of.
   *
   * @param name kind and number
   * @param everNamed whether the catalog has given the number
   * @param explanation what may have become of it
   */
  private record Stray(String name, boolean everNamed, String explanation) {}

  private void judgeDataset(Path stray) throws StorageException {
    int number = StoreDirectory.numberOf(stray);
    judge(stray, new Stray("dataset " + number, catalog.everNamed(number), "was dropped"));
  }

  private void judgeIndex(Path stray) throws StorageException {
    int number = StoreDirectory.numberOf(stray);
    judge(
        stray,
        new Stray(
            "index " + number,
            number < catalog.nextIndexId(),
            "was dropped, or its build did not end"));
  }

  /** Takes away what does not count. */
  void clear(Quarantine quarantine) throws StorageException {
    catalog.settle();
    for (Superfluous each : superfluous) {
      quarantine.put(each.path(), each.kind(), each.reason());
    }
    catalog.restartBuilds();
    for (IndexFiles index : found) {
      index.clear(quarantine);
    }
    for (Loading each : loading) {
      Path path = each.partition().directory();
      if (new FileTree(files, path).holdsFiles()) {
        quarantine.put(
            path, Kind.SUPERFLUOUS, "a bulk load did not end, and what was loaded is void");
      }
      PartitionIndexes.createDirectories(each.partition(), files);
      catalog.endLoading(each.dataset().datasetId(), each.partition().number());
    }
    directory.clearTemporary();
  }
}

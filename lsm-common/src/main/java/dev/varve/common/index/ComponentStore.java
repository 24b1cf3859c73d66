package dev.varve.common.index;

import dev.varve.common.component.ComponentId;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.common.filter.BloomFilterBuilder;
import dev.varve.common.filter.BloomShape;
import dev.varve.common.page.ComponentFile;
import dev.varve.common.page.ComponentFileOptions;
import dev.varve.common.page.ComponentFileWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The component files of one index: their names, and what a directory must look like when it is
 * opened (docs/format/component.md). Thread-safe.
 */
final class ComponentStore<Q> {
  private static final Pattern SEALED = Pattern.compile("c-([0-9]{1,18})-([0-9]{1,18})\\.lsm");

  /** Pages are collected into writes of this many bytes. */
  private static final int WRITE_BYTES = 512 << 10;

  private final Path directory;
  private final ComponentFormat<Q> format;
  private final LsmIndexOptions options;
  private final LsmIndexContext context;

  /** Files that nobody reads any more and that the disk refused to delete; tried again later. */
  private final Queue<Path> undeleted = new ConcurrentLinkedQueue<>();

  ComponentStore(
      Path directory, ComponentFormat<Q> format, LsmIndexOptions options, LsmIndexContext context) {
    this.directory = directory;
    this.format = format;
    this.options = options;
    this.context = context;
  }

  Path directory() {
    return directory;
  }

  ComponentFormat<Q> format() {
    return format;
  }

  LsmIndexOptions options() {
    return options;
  }

  /** Removes what a crash left half-done and opens the rest, newest first. */
  List<DiskComponent<Q>> openAll() throws StorageException {
    FileSystem files = context.files();
    if (!files.exists(directory)) {
      files.createDirectories(directory);
      Path parent = directory.getParent();
      if (parent != null) {
        files.forceDirectory(parent);
      }
    }
    List<ComponentId> ids = new ArrayList<>();
    for (Path path : files.list(directory)) {
      ComponentId id = idOf(path);
      if (id != null) {
        ids.add(id);
      } else if (path.getFileName().toString().endsWith(ComponentFileWriter.BUILDING_SUFFIX)) {
        files.delete(path);
      }
    }
    List<DiskComponent<Q>> components = new ArrayList<>();
    try {
      for (ComponentId id : survivors(ids)) {
        components.add(0, open(id));
      }
      return components;
    } catch (StorageException | RuntimeException | Error e) {
      components.forEach(DiskComponent::release);
      throw e;
    }
  }

  /** Deletes the inputs of merges that ended, and requires that the rest tiles from 1. */
  private List<ComponentId> survivors(List<ComponentId> found) throws StorageException {
    found.sort(
        Comparator.<ComponentId>naturalOrder()
            .thenComparing(ComponentId::last, Comparator.reverseOrder()));
    List<ComponentId> survivors = new ArrayList<>();
    long next = 1;
    for (ComponentId id : found) {
      if (!survivors.isEmpty() && survivors.get(survivors.size() - 1).covers(id)) {
        context.files().delete(path(id));
        continue;
      }
      if (id.first() != next) {
        throw new CorruptionException(
            directory.toString(),
            -1,
            "no component begins with flush " + next + ", the next one found is " + id);
      }
      survivors.add(id);
      next = id.last() + 1;
    }
    return survivors;
  }

  @SuppressWarnings("MustBeClosedChecker") // the build takes the writer over
  ComponentBuild<Q> newBuild(ComponentId id, long atMostFilteredKeys) throws StorageException {
    deleteLeftovers();
    Path building = directory.resolve("c-" + id + ComponentFileWriter.BUILDING_SUFFIX);
    if (context.files().exists(building)) {
      context.files().delete(building);
    }
    ComponentFileWriter file =
        ComponentFileWriter.create(
            context.files(),
            path(id),
            new ComponentFileOptions(
                context.storeId(),
                options.pageSizeBytes(),
                fileId(id),
                WRITE_BYTES,
                options.forceEveryBytes()));
    try {
      double rate = options.filterFalsePositiveRate();
      BloomFilterBuilder filter =
          rate == 0
              ? null
              : new BloomFilterBuilder(BloomShape.forRate(rate), atMostFilteredKeys, file);
      return new ComponentBuild<>(format, id, file, filter);
    } catch (StorageException | RuntimeException | Error e) {
      file.abort();
      throw e;
    }
  }

  @SuppressWarnings("MustBeClosedChecker") // the component takes the file over
  DiskComponent<Q> open(ComponentId id) throws StorageException {
    ComponentFile file =
        ComponentFile.open(context.files(), path(id), context.storeId(), context.cache());
    try {
      DiskComponent<Q> component = DiskComponent.open(path(id), file, format, this::deleteUnused);
      if (file.fileId() != fileId(id) || !component.id().equals(id)) {
        throw new CorruptionException(
            file.name(), -1, "the file belongs to another index or component: " + component.id());
      }
      return component;
    } catch (StorageException | RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  /** Tries again what could not be deleted. */
  void deleteLeftovers() throws DiskException {
    Path path = undeleted.poll();
    while (path != null) {
      if (context.files().exists(path)) {
        context.files().delete(path);
      }
      path = undeleted.poll();
    }
  }

  private void deleteUnused(Path path) {
    try {
      context.files().delete(path);
    } catch (DiskException e) {
      // The reader that let go last must not fail for it: the next build tries again and reports,
      // and opening the index deletes what a larger component covers.
      undeleted.add(path);
    }
  }

  private Path path(ComponentId id) {
    return directory.resolve("c-" + id + ".lsm");
  }

  /** Identity of a file, part of each page's checksum, so that a swapped file is found out. */
  private long fileId(ComponentId id) {
    return ((long) options.indexId() << 40) ^ (id.first() << 20) ^ id.last();
  }

  private static @Nullable ComponentId idOf(Path path) throws CorruptionException {
    Matcher name = SEALED.matcher(path.getFileName().toString());
    if (!name.matches()) {
      return null;
    }
    long first = Long.parseLong(name.group(1));
    long last = Long.parseLong(name.group(2));
    if (first < 1 || last < first) {
      throw new CorruptionException(path.toString(), -1, "no component has this name");
    }
    return new ComponentId(first, last);
  }
}

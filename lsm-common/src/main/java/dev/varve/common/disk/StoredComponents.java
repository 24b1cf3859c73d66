package dev.varve.common.disk;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.PartitionedShape;
import dev.varve.common.merge.RangedComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;

/**
 * The disk components of an index that nobody has opened, as far as the names and sizes of its
 * files and its manifest tell.
 *
 * @param shape as a policy of whole components would see it
 * @param levels as a policy for partitioned levels would see it; empty without a manifest
 */
public record StoredComponents(IndexShape shape, Optional<PartitionedShape> levels) {
  /** Looks into the directory of an index. */
  public static StoredComponents read(FileSystem files, Path directory, long storeId, int indexId)
      throws StorageException {
    if (!files.exists(directory)) {
      throw new CorruptionException(directory.toString(), -1, "the index is missing");
    }
    Manifest manifest = new ManifestFile(files, directory, storeId, indexId).read();
    return manifest == null ? byNames(files, directory) : byManifest(files, directory, manifest);
  }

  private static StoredComponents byNames(FileSystem files, Path directory)
      throws StorageException {
    List<ComponentStats> found = new ArrayList<>();
    for (Path file : files.list(directory)) {
      Matcher name = DirectoryPlan.SEALED.matcher(String.valueOf(file.getFileName()));
      if (name.matches()) {
        ComponentId id =
            new ComponentId(Long.parseLong(name.group(1)), Long.parseLong(name.group(2)));
        found.add(new ComponentStats(id, files.size(file), 0, 0, -1));
      }
    }
    found.sort(Comparator.comparing(ComponentStats::id));
    // Inputs of a merge that ended are deleted when the engine is opened.
    List<ComponentStats> counted =
        found.stream()
            .filter(
                component ->
                    found.stream()
                        .noneMatch(
                            other ->
                                !other.id().equals(component.id())
                                    && other.id().covers(component.id())))
            .toList();
    return new StoredComponents(new IndexShape(counted, List.of()), Optional.empty());
  }

  private static StoredComponents byManifest(FileSystem files, Path directory, Manifest manifest)
      throws StorageException {
    List<List<RangedComponent>> levels = new ArrayList<>();
    for (Manifest.Level level : manifest.levels()) {
      List<RangedComponent> components = new ArrayList<>();
      for (Manifest.ComponentOfLevel file : level.files()) {
        long bytes = files.size(directory.resolve(file.fileName()));
        components.add(new RangedComponent(file.number(), bytes, 0, file.keys()));
      }
      levels.add(components);
    }
    List<PartitionedShape.Level> below = new ArrayList<>();
    List<ComponentStats> runs = new ArrayList<>();
    for (int level = levels.size() - 1; level > 0; level--) {
      below.add(
          0,
          new PartitionedShape.Level(levels.get(level), manifest.levels().get(level).mergedLast()));
      if (!levels.get(level).isEmpty()) {
        addRun(runs, levels.get(level));
      }
    }
    for (RangedComponent component : levels.get(0)) {
      addRun(runs, List.of(component));
    }
    return new StoredComponents(
        new IndexShape(runs, List.of(), OptionalInt.of(levels.get(0).size())),
        Optional.of(new PartitionedShape(levels.get(0), below, Set.of())));
  }

  private static void addRun(List<ComponentStats> runs, List<RangedComponent> components) {
    long bytes = components.stream().mapToLong(RangedComponent::bytes).sum();
    ComponentId place = new ComponentId(runs.size() + 1L, runs.size() + 1L);
    runs.add(new ComponentStats(place, bytes, 0, 0, -1));
  }
}

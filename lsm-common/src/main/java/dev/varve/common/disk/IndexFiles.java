package dev.varve.common.disk;

import dev.varve.common.component.ComponentId;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.Quarantine;
import dev.varve.common.env.Quarantine.Kind;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.page.ComponentFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the directory of an index holds, found before anything in it is changed: which files count,
 * by their names or by the manifest, and which do not. Each file that took the place of others that
 * are still there was read through. {@link #clear} takes away what does not count. Immutable.
 */
public final class IndexFiles {
  /**
   * Which index it is.
   *
   * @param directory where its files are
   * @param format its kind
   * @param indexId its number
   * @param storeId the store that it belongs to
   * @param <Q> the kind's search predicate
   */
  public record Place<Q>(Path directory, ComponentFormat<Q> format, int indexId, long storeId) {}

  private final FileSystem files;
  private final Place<?> place;
  private final @Nullable Manifest manifest;
  private final DirectoryPlan plan;

  /** Files that names say count, and that were found to be damaged while others hold the same. */
  private final Map<String, StorageException> damaged;

  private IndexFiles(
      FileSystem files,
      Place<?> place,
      @Nullable Manifest manifest,
      DirectoryPlan plan,
      Map<String, StorageException> damaged) {
    this.files = files;
    this.place = place;
    this.manifest = manifest;
    this.plan = plan;
    this.damaged = damaged;
  }

  /**
   * Finds out which files count; changes nothing.
   *
   * @throws CorruptionException when a file is missing or in the way, or a file that took the place
   *     of others is damaged and these are not complete any more
   */
  public static IndexFiles find(FileSystem files, Place<?> place) throws StorageException {
    List<String> names = new ArrayList<>();
    for (Path path : files.list(place.directory())) {
      names.add(String.valueOf(path.getFileName()));
    }
    Manifest manifest =
        new ManifestFile(files, place.directory(), place.storeId(), place.indexId()).read();
    if (manifest == null) {
      return findByNames(files, place, names);
    }
    if (place.format().keyRanges() == null) {
      throw new CorruptionException(
          place.directory().toString(),
          -1,
          "a manifest in an index of kind " + place.format().name());
    }
    IndexFiles found =
        new IndexFiles(
            files,
            place,
            manifest,
            DirectoryPlan.ofManifest(place.directory(), names, manifest),
            Map.of());
    for (String covering : found.plan.covering()) {
      found.readThrough(covering);
    }
    return found;
  }

  private static IndexFiles findByNames(FileSystem files, Place<?> place, List<String> names)
      throws StorageException {
    Map<String, StorageException> damaged = new TreeMap<>();
    while (true) {
      IndexFiles found =
          new IndexFiles(files, place, null, planWithout(place, names, damaged), damaged);
      String bad = found.firstDamaged(damaged);
      if (bad == null) {
        return found;
      }
    }
  }

  /** What was merged counts again where all of it is there: the result's damage loses nothing. */
  private static DirectoryPlan planWithout(
      Place<?> place, List<String> names, Map<String, StorageException> damaged)
      throws StorageException {
    DirectoryPlan all = DirectoryPlan.ofNames(place.directory(), names, Set.of());
    if (damaged.isEmpty()) {
      return all;
    }
    StorageException first = damaged.values().iterator().next();
    try {
      DirectoryPlan rest = DirectoryPlan.ofNames(place.directory(), names, damaged.keySet());
      if (rest.newest() < all.newest()) {
        throw first;
      }
      return rest;
    } catch (CorruptionException incomplete) {
      if (incomplete != first) {
        first.addSuppressed(incomplete);
      }
      throw first;
    }
  }

  /** Reads what has to be proven; notes and returns the first that fails and has a substitute. */
  private @Nullable String firstDamaged(Map<String, StorageException> noted)
      throws StorageException {
    for (String name : noted.isEmpty() ? plan.covering() : plan.counted()) {
      try {
        readThrough(name);
      } catch (CorruptionException failure) {
        if (!plan.covering().contains(name)) {
          StorageException first = noted.isEmpty() ? failure : noted.values().iterator().next();
          if (first != failure) {
            first.addSuppressed(failure);
          }
          throw first;
        }
        noted.put(name, failure);
        return name;
      }
    }
    return null;
  }

  private void readThrough(String name) throws StorageException {
    checkEnds(name);
    ComponentFile.readThrough(files, place.directory().resolve(name), place.storeId());
  }

  /** Checks the first and the last page of every file that counts; changes nothing. */
  public void checkEnds() throws StorageException {
    for (String name : plan.counted()) {
      checkEnds(name);
    }
  }

  private void checkEnds(String name) throws StorageException {
    Path path = place.directory().resolve(name);
    ComponentFile.Ends ends = ComponentFile.readEnds(files, path, place.storeId());
    ComponentMetadata metadata =
        ComponentMetadata.decode(ends.metadata().toByteArray(), path.toString());
    if (!metadata.format().equals(place.format().name())) {
      throw new CorruptionException(
          path.toString(),
          -1,
          "written by index kind " + metadata.format() + ", opened as " + place.format().name());
    }
    long number = DirectoryPlan.numberOf(name);
    ComponentId named = number > 0 ? null : DirectoryPlan.idOf(place.directory(), name);
    ComponentId id = named == null ? metadata.id() : named;
    if (ends.fileId() != new ComponentName(id, number).fileId(place.indexId())
        || !metadata.id().equals(id)) {
      throw new CorruptionException(
          path.toString(), -1, "the file belongs to another index or component: " + metadata.id());
    }
  }

  /** The newest flush that is there or left nothing; 0 for none. */
  public long newestFlush() {
    return manifest == null ? plan.newest() : manifest.newestFlush();
  }

  /** Takes away what does not count: what was being written is deleted, all else is moved. */
  public void clear(Quarantine quarantine) throws StorageException {
    for (Map.Entry<String, StorageException> bad : damaged.entrySet()) {
      quarantine.put(
          place.directory().resolve(bad.getKey()),
          Kind.UNEXPLAINED,
          "damaged, and all that was merged into it is there: " + bad.getValue().getMessage());
    }
    for (String name : plan.superfluous()) {
      quarantine.put(
          place.directory().resolve(name),
          Kind.SUPERFLUOUS,
          manifest == null
              ? "a component that holds what it held was read through"
              : "the manifest does not name it, and what it names was read through");
    }
    for (String name : plan.unfinished()) {
      files.delete(place.directory().resolve(name));
    }
    for (String name : plan.idleRepairs()) {
      // It only says what a merge or another repair finds again.
      files.delete(place.directory().resolve(name));
    }
  }

  @Nullable Manifest manifest() {
    return manifest;
  }

  /** The name of the file that says what a repair has found of a component; null for none. */
  @Nullable String repairOf(String component) {
    return plan.repairs().get(component);
  }

  /** Names of the files that count; without a manifest the oldest first. */
  List<String> counted() {
    return plan.counted();
  }
}

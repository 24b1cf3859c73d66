package dev.varve.dataset;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.FileTree;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.catalog.Catalog;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a store as it is at one moment, made beside its place and renamed into it. Components
 * may be linked, for they never change; the small files that are replaced are copied. Used once, by
 * one thread.
 *
 * <p>Implementation note. The store is looked at before the linking and after it. A name of a
 * component is never given twice while the catalog stays as it is, so where both looks see the same
 * names and the same small files, nothing has changed in between, and what was linked is the store
 * of that moment. Otherwise what is new is linked, and it is looked at again.
 */
final class StoreImage {
  private static final int MOST_ROUNDS = 10_000;
  private static final int MOST_LOG_COPIES = 1_000;

  /** End of the names of files of large values, of which the newest grows. */
  private static final String VALUES = ".values";

  /** Ends of the names of files that never change in front. */
  private static final List<String> UNCHANGED = List.of(".lsm", ".repair", StoreImage.VALUES);

  private static final String MANIFEST = "manifest";
  private static final String BUILDING = ".building";
  private static final Path CATALOG = Path.of(Catalog.FILE_NAME);
  private static final Path DATA = Path.of("data");

  /** The log's checkpoint: while it is the same, the log that it needs is there. */
  private static final Path CHECKPOINT = Path.of("log", "checkpoint");

  private final FileSystem files;
  private final StoreDirectory source;
  private final Path store;
  private final Path target;
  private final StoreDirectory made;
  private final Path building;
  private final Linking linking;
  private final Set<Path> linked = new HashSet<>();
  private long componentBytes;
  private int rounds;
  private @Nullable Look seen;

  /**
   * What there is at a moment, by names below a store that has everything in one directory.
   *
   * @param directories of the indexes and around them, each after the one that it is in
   * @param components files that never change, and where they lie
   * @param small the others, with their bytes as characters
   */
  record Look(
      SortedSet<Path> directories, SortedMap<Path, Path> components, Map<Path, String> small) {
    String catalog() {
      return Objects.requireNonNull(small.get(CATALOG));
    }

    String checkpoint() {
      return Objects.requireNonNull(small.get(CHECKPOINT));
    }
  }

  /** How a component gets into the image. */
  @FunctionalInterface
  interface Linking {
    /**
     * Makes the target, which is not there.
     *
     * @param name of the component, below the store
     */
    void link(Path source, Path target, Path name) throws StorageException;
  }

  /** Copies what is beside the components. */
  @FunctionalInterface
  interface LogPart {
    /** Copies the log into a directory that has the checkpoint already. */
    void copyTo(Path log) throws StorageException;
  }

  /**
   * An image that is to be made.
   *
   * @param source of an engine
   * @param target directory that an engine opens afterwards, with everything in it
   */
  StoreImage(FileSystem files, StoreDirectory source, Path target, Linking linking) {
    this.files = files;
    this.linking = linking;
    this.source = source;
    this.store = source.catalog();
    this.target = target;
    this.made = StoreDirectory.whole(files, target);
    this.building = made.building();
  }

  /**
   * Makes the image.
   *
   * @throws ConflictException with {@code FOREIGN_FILES} when something is in the target, {@code
   *     DIRECTORY_IN_USE} when an engine is, {@code STALLED} when files change all the time
   */
  void make(LogPart log) throws StorageException {
    if (files.exists(target)) {
      requireFree();
    }
    files.createDirectories(target);
    try (FileSystem.DirectoryLock held = files.lock(target)) {
      assert held != null;
      requireFree();
      clear();
      seen = makeParts(log);
      publish();
    }
  }

  /** Makes all but the name; returns the store that it is of. */
  private Look makeParts(LogPart log) throws StorageException {
    for (int i = 0; i < MOST_LOG_COPIES; i++) {
      Look settled = settle();
      writeSmall(settled);
      try {
        log.copyTo(building.resolve("log"));
        // A bulk load that has ended meanwhile is not in the components, but what was logged after
        // it is in the log.
        if (settled.catalog().equals(read(store.resolve(CATALOG)))
            && settled.checkpoint().equals(read(checkpoint()))) {
          linkLateValues();
          return settled;
        }
      } catch (DiskException changed) {
        requireGone(changed);
      }
      clear();
    }
    throw ConflictException.afterWait(
        ConflictException.Reason.STALLED,
        "the log of " + store + " moved on during each of " + MOST_LOG_COPIES + " copies");
  }

  /** Where the store of the image is until it is whole. */
  Path building() {
    return building;
  }

  /** What the image is of. */
  Look seen() {
    return Objects.requireNonNull(seen);
  }

  /** A failure that is not of a file which has just gone is none of a store that changes. */
  static void requireGone(DiskException failure) throws DiskException {
    if (!(failure.getCause() instanceof NoSuchFileException)) {
      throw failure;
    }
  }

  long components() {
    return linked.size();
  }

  long componentBytes() {
    return componentBytes;
  }

  int rounds() {
    return rounds;
  }

  private void requireFree() throws StorageException {
    boolean free =
        files.isDirectory(target)
            && files.list(target).stream()
                .map(path -> String.valueOf(path.getFileName()))
                .allMatch(name -> name.equals("LOCK") || building.endsWith(name));
    if (!free) {
      throw new ConflictException(
          ConflictException.Reason.FOREIGN_FILES,
          target + " is not empty, and a checkpoint goes into a new directory");
    }
  }

  /** Begins again. */
  private void clear() throws StorageException {
    if (files.exists(building)) {
      new FileTree(files, building).delete();
    }
    linked.clear();
    componentBytes = 0;
    made.createParts(building);
  }

  /** Links components until nothing has changed meanwhile. */
  private Look settle() throws StorageException {
    String catalog = "";
    for (int i = 0; i < MOST_ROUNDS; i++) {
      rounds++;
      try {
        Look before = look();
        if (!before.catalog().equals(catalog)) {
          clear();
          catalog = before.catalog();
        }
        link(before);
        if (before.equals(look())) {
          unlinkOthers(before);
          return before;
        }
      } catch (DiskException changed) {
        requireGone(changed);
      }
    }
    throw ConflictException.afterWait(
        ConflictException.Reason.STALLED,
        "files of " + store + " changed during each of " + MOST_ROUNDS + " looks at them");
  }

  /** The store as it is now, or as it changes now. */
  Look look() throws StorageException {
    Look look = new Look(new TreeSet<>(), new TreeMap<>(), new TreeMap<>());
    for (Path path : files.list(store)) {
      if (Catalog.owns(path) && !path.toString().endsWith(BUILDING)) {
        look.small.put(store.relativize(path), read(path));
      }
    }
    if (!look.small.containsKey(CATALOG)) {
      look.small.put(CATALOG, read(store.resolve(CATALOG)));
    }
    look.small.put(CHECKPOINT, read(checkpoint()));
    for (Path data : source.dataDirectories()) {
      walk(data, DATA, look);
    }
    return look;
  }

  private Path checkpoint() {
    return source.log().resolve(CHECKPOINT.getFileName());
  }

  private void walk(Path directory, Path name, Look look) throws StorageException {
    look.directories.add(name);
    for (Path path : files.list(directory)) {
      String last = String.valueOf(path.getFileName());
      if (UNCHANGED.stream().anyMatch(last::endsWith)) {
        look.components.put(name.resolve(last), path);
      } else if (last.equals(MANIFEST)) {
        look.small.put(name.resolve(last), read(path));
      } else if (!last.endsWith(BUILDING) && files.isDirectory(path)) {
        walk(path, name.resolve(last), look);
      }
    }
  }

  /** The bytes of a small file, each as the character of its number. */
  private String read(Path path) throws StorageException {
    try (StorageFile file = files.open(path, OpenMode.READ_ONLY)) {
      byte[] bytes = new byte[Math.toIntExact(file.size())];
      int length = file.read(0, bytes, 0, bytes.length);
      return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    }
  }

  private void link(Look look) throws StorageException {
    for (Path directory : look.directories) {
      files.createDirectories(building.resolve(directory));
    }
    for (Map.Entry<Path, Path> component : look.components.entrySet()) {
      Path name = component.getKey();
      if (!linked.contains(name)) {
        linking.link(component.getValue(), building.resolve(name), name);
        linked.add(name);
      }
    }
  }

  /**
   * Links the files of large values that came since. What the log refers to is either in one that
   * was linked before, or is still there: a file is deleted after the log says what replaced its
   * values.
   */
  private void linkLateValues() throws StorageException {
    for (Map.Entry<Path, Path> component : look().components.entrySet()) {
      Path name = component.getKey();
      if (name.toString().endsWith(VALUES) && !linked.contains(name)) {
        linking.link(component.getValue(), building.resolve(name), name);
        linked.add(name);
        componentBytes += files.size(building.resolve(name));
      }
    }
  }

  /** Takes away what was linked in a round that did not count. */
  private void unlinkOthers(Look look) throws StorageException {
    for (Path component : List.copyOf(linked)) {
      if (look.components.containsKey(component)) {
        componentBytes += files.size(building.resolve(component));
      } else {
        files.delete(building.resolve(component));
        linked.remove(component);
      }
    }
  }

  private void writeSmall(Look look) throws StorageException {
    for (Map.Entry<Path, String> small : look.small.entrySet()) {
      byte[] bytes = small.getValue().getBytes(StandardCharsets.ISO_8859_1);
      try (StorageFile file = files.open(building.resolve(small.getKey()), OpenMode.CREATE_NEW)) {
        file.write(0, bytes, 0, bytes.length);
      }
    }
  }

  /** Makes a copy durable: only now, so that the store changes less while it is copied. */
  private void force(Path copy) throws StorageException {
    try (StorageFile file = files.open(copy, OpenMode.READ_WRITE)) {
      file.force();
    }
  }

  /** Makes everything durable, what is inside of a directory before it, and gives it its name. */
  private void publish() throws StorageException {
    List<Path> directories = new ArrayList<>(List.of(building));
    for (int i = 0; i < directories.size(); i++) {
      for (Path path : files.list(directories.get(i))) {
        if (files.isDirectory(path)) {
          directories.add(path);
        } else if (!linked.contains(building.relativize(path))) {
          force(path);
        }
      }
    }
    for (int i = directories.size() - 1; i >= 0; i--) {
      files.forceDirectory(directories.get(i));
    }
    made.publish();
  }
}

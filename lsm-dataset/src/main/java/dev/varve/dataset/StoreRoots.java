package dev.varve.dataset;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileTree;
import dev.varve.common.env.Quarantine;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.options.PlacementOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The roots of a store: directories beside its engine's, each with a part of its files. The store
 * names them in a file, and each says in one of its own which part of which store it is, so that
 * none is taken for another's, or left out; see docs/format/roots.md. Immutable.
 *
 * @param files where they are
 * @param home directory of the engine
 * @param placement which they are; none where everything is in the engine's directory
 */
record StoreRoots(FileSystem files, Path home, PlacementOptions placement) {
  /** Name of the file in the store that names the roots. */
  static final String NAME = "roots";

  /** Name of the file in a root that says which it is. */
  static final String MARK = "root";

  private static final String DATA = "data";
  private static final String LOG = "log";
  private static final String STORE = "store";
  private static final int FORMAT = 1;
  private static final String HOLDS = "holds";

  /**
   * Finds the roots of a store that is there, and checks that they are its own; of one that is not,
   * those that it is to have.
   *
   * @param wanted what the options say; none for what the store says
   * @throws ConflictException with {@code OPTIONS_MISMATCH} when the store has other roots, with
   *     {@code NO_STORE} when one is not there, with {@code FOREIGN_FILES} when one is another
   *     store's
   */
  static StoreRoots find(FileSystem files, Path home, PlacementOptions wanted)
      throws StorageException {
    Path store = home.resolve(STORE);
    if (!files.exists(store)) {
      return new StoreRoots(files, home, wanted);
    }
    Optional<String> text = new ShownFile(files, store.resolve(NAME)).read();
    StoreRoots found =
        text.isEmpty()
            ? new StoreRoots(files, home, PlacementOptions.NONE)
            : read(files, home, TextFields.read(text.get(), store.resolve(NAME)));
    if (!wanted.isNone() && !wanted.equals(found.placement)) {
      throw new ConflictException(
          ConflictException.Reason.OPTIONS_MISMATCH,
          "the store in %s has %s, and not %s; name these or none"
              .formatted(home, describe(found.placement), describe(wanted)));
    }
    return found;
  }

  private static String describe(PlacementOptions placement) {
    return placement.isNone()
        ? "everything in this directory"
        : "partitions in %s and its log in %s"
            .formatted(
                placement.storeDirectories().isEmpty()
                    ? "this directory"
                    : placement.storeDirectories(),
                placement.logDirectory() == null ? "this directory" : placement.logDirectory());
  }

  private static StoreRoots read(FileSystem files, Path home, Map<String, String> fields)
      throws StorageException {
    Path path = home.resolve(STORE).resolve(NAME);
    requireFormat(path, "varve-roots", fields);
    String made = fields.getOrDefault("home", "");
    if (!made.equals(absolute(home))) {
      throw new ConflictException(
          ConflictException.Reason.FOREIGN_FILES,
          ("%s holds a store that was made in %s and has files in other directories, which another"
                  + " copy of it may use: move it back, and take it elsewhere by a checkpoint")
              .formatted(home, made));
    }
    List<Path> stores = new ArrayList<>();
    try {
      while (fields.containsKey(DATA + stores.size())) {
        stores.add(Path.of(fields.get(DATA + stores.size())));
      }
      String log = fields.get(LOG);
      PlacementOptions placement = new PlacementOptions(stores, log == null ? null : Path.of(log));
      StoreRoots roots = new StoreRoots(files, home, placement);
      roots.requireMarked(HexFormat.fromHexDigitsToLong(fields.getOrDefault(STORE, "")));
      return roots;
    } catch (IllegalArgumentException malformed) {
      throw new CorruptionException(path.toString(), -1, String.valueOf(malformed.getMessage()));
    }
  }

  private static void requireFormat(Path path, String kind, Map<String, String> fields)
      throws StorageException {
    String format = fields.getOrDefault("format", "");
    if (!fields.getOrDefault("kind", "").equals(kind) || !format.matches("[1-9][0-9]{0,8}")) {
      throw new CorruptionException(path.toString(), -1, "no document of kind " + kind);
    }
    if (Integer.parseInt(format) > FORMAT) {
      throw new FormatVersionException(path.toString(), Integer.parseInt(format), FORMAT);
    }
  }

  private String absoluteHome() {
    return absolute(home);
  }

  private static String absolute(Path path) {
    return path.toAbsolutePath().normalize().toString();
  }

  /** Where datasets lie: partition p in the one at p modulo their number. */
  List<Path> dataDirectories() {
    return placement.storeDirectories().isEmpty()
        ? List.of(home.resolve(STORE).resolve(DATA))
        : placement.storeDirectories().stream().map(root -> root.resolve(DATA)).toList();
  }

  /** Directory of the log. */
  Path log() {
    Path root = placement.logDirectory();
    return root == null ? home.resolve(STORE).resolve(LOG) : root.resolve(LOG);
  }

  /** Makes the directories of a new store's roots, durably. */
  void make() throws StorageException {
    for (Path root : placement.all()) {
      List<Path> changed = new ArrayList<>();
      Path above = root;
      while (above != null && !files.exists(above)) {
        above = above.getParent();
        if (above != null) {
          changed.add(above);
        }
      }
      files.createDirectories(root);
      for (Path parent : changed) {
        files.forceDirectory(parent);
      }
    }
  }

  /**
   * Checks that nothing is in the roots of a new store but what a crash left of making it before.
   *
   * @throws ConflictException with {@code FOREIGN_FILES}
   */
  void requireFree() throws StorageException {
    for (Path root : placement.all()) {
      Set<Path> own =
          Set.of(root.resolve("LOCK"), root.resolve(MARK), root.resolve(MARK + ".next"));
      Optional<String> mark = new ShownFile(files, root.resolve(MARK)).read();
      boolean ours =
          mark.isEmpty()
              || absoluteHome().equals(TextFields.read(mark.get(), root.resolve(MARK)).get("home"));
      for (Path entry : files.list(root)) {
        if (!ours || (!own.contains(entry) && new FileTree(files, entry).holdsFiles())) {
          throw new ConflictException(
              ConflictException.Reason.FOREIGN_FILES,
              "%s holds %s, and a new store in %s wants a directory that is empty or absent"
                  .formatted(root, ours ? entry.getFileName() : mark.orElseThrow(), home));
        }
      }
    }
  }

  /** Has each root say, durably, which it is, and names them in a store that is being made. */
  void write(Path building, long storeId) throws StorageException {
    if (placement.isNone()) {
      return;
    }
    for (Path root : placement.all()) {
      files.createDirectories(root.resolve(partOf(root)));
      new ShownFile(files, root.resolve(MARK)).writeForced(TextFields.json(mark(root, storeId)));
      files.forceDirectory(root.resolve(partOf(root)));
      files.forceDirectory(root);
    }
    new ShownFile(files, building.resolve(NAME)).writeForced(TextFields.json(names(storeId)));
  }

  private Map<String, String> document(String kind, long storeId) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("kind", kind);
    fields.put("format", Integer.toString(FORMAT));
    fields.put(STORE, HexFormat.of().toHexDigits(storeId));
    fields.put("home", absoluteHome());
    return fields;
  }

  private Map<String, String> names(long storeId) {
    Map<String, String> fields = document("varve-roots", storeId);
    List<Path> stores = placement.storeDirectories();
    for (int i = 0; i < stores.size(); i++) {
      fields.put(DATA + i, stores.get(i).toString());
    }
    if (placement.logDirectory() != null) {
      fields.put(LOG, placement.logDirectory().toString());
    }
    return fields;
  }

  private Map<String, String> mark(Path root, long storeId) {
    Map<String, String> fields = document("varve-root", storeId);
    fields.put(HOLDS, holds(root));
    return fields;
  }

  /** Which part of the store's files is in a root. */
  private String holds(Path root) {
    int number = placement.storeDirectories().indexOf(root);
    return number < 0
        ? LOG
        : "partitions " + number + " modulo " + placement.storeDirectories().size();
  }

  private String partOf(Path root) {
    return root.equals(placement.logDirectory()) ? LOG : DATA;
  }

  private void requireMarked(long storeId) throws StorageException {
    for (Path root : placement.all()) {
      Optional<String> text = new ShownFile(files, root.resolve(MARK)).read();
      if (text.isEmpty()) {
        throw new ConflictException(
            ConflictException.Reason.NO_STORE,
            "%s, which holds %s of the store in %s, is missing or holds nothing of it: is its disk"
                    .formatted(root, holds(root), home)
                + " mounted?");
      }
      Map<String, String> fields = TextFields.read(text.get(), root.resolve(MARK));
      requireFormat(root.resolve(MARK), "varve-root", fields);
      if (!fields.equals(mark(root, storeId))) {
        throw new ConflictException(
            ConflictException.Reason.FOREIGN_FILES,
            "%s holds %s of store %s in %s, and not %s of store %s in %s: put the store's own back"
                .formatted(
                    root,
                    fields.get(HOLDS),
                    fields.get(STORE),
                    fields.get("home"),
                    holds(root),
                    HexFormat.of().toHexDigits(storeId),
                    absoluteHome()));
      }
    }
  }

  /** Files in the roots that are no part of a store. */
  List<Path> strangers() throws StorageException {
    List<Path> strangers = new ArrayList<>();
    for (Path root : placement.all()) {
      Set<Path> own =
          Set.of(
              root.resolve("LOCK"),
              root.resolve(MARK),
              root.resolve(partOf(root)),
              Quarantine.directory(root));
      strangers.addAll(files.list(root).stream().filter(each -> !own.contains(each)).toList());
    }
    return strangers;
  }
}

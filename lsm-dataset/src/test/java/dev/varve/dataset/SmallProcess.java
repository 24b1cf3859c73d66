package dev.varve.dataset;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What {@link SmallProcessTest} runs in processes that have little of something. */
final class SmallProcess {
  static final int RECORDS = 100_000;
  static final int FEWER_RECORDS = 45_000;
  static final int STORES = 60;

  private static final int SEVERAL = 3;
  private static final int BATCH = 100;
  private static final int ROUNDS = 3;
  private static final int KEYS = 40;

  private SmallProcess() {}

  /** What is done, then where. */
  public static void main(String[] arguments) throws StorageException {
    Path directory = Path.of(arguments[1]);
    switch (arguments[0]) {
      case "load" -> load(directory, /* halt= */ false);
      case "load-and-halt" -> load(directory, /* halt= */ true);
      case "load-several" -> loadSeveral(directory);
      case "scan" -> scan(directory);
      case "scan-several" -> read(directory);
      case "handles" -> handles(directory);
      case "read" -> read(directory);
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static Slice key(int number) {
    return new Slice(("key " + (1_000_000 + number)).getBytes(UTF_8));
  }

  private static void load(Path directory, boolean halt) throws StorageException {
    try (StorageEngine engine = StorageEngine.open(directory)) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS);
      try (KeyValueSession session = pairs.openSession()) {
        for (int i = 0; i < RECORDS; i++) {
          session.put(key((int) (i * 7919L % RECORDS)), new Slice(new byte[1000]));
          if (i % 1000 == 0) {
            session.force();
          }
        }
      }
      if (halt) {
        Runtime.getRuntime().halt(0);
      }
    }
  }

  /** Each of a few stores asks for more than its share, and all are written at the same time. */
  private static void loadSeveral(Path directory) throws StorageException {
    try (StorageEngine engine = StorageEngine.open(directory)) {
      List<KeyValueStore> stores = new ArrayList<>();
      for (int i = 0; i < SEVERAL; i++) {
        stores.add(engine.createKeyValueStore("s" + i, KeyValueOptions.DEFAULTS));
      }
      for (int i = 0; i < FEWER_RECORDS; i += BATCH) {
        try (KeyValueSession session = stores.get(i / BATCH % SEVERAL).openSession()) {
          for (int j = i; j < i + BATCH; j++) {
            session.put(key((int) (j * 7919L % FEWER_RECORDS)), new Slice(new byte[1000]));
          }
        }
      }
    }
  }

  private static void scan(Path directory) throws StorageException {
    try (StorageEngine engine = StorageEngine.open(directory)) {
      System.out.println("found " + count(engine.keyValueStore("pairs")));
    }
  }

  private static int count(KeyValueStore store) throws StorageException {
    int found = 0;
    try (RecordCursor cursor = store.scan(KeyRange.all())) {
      while (cursor.next()) {
        found++;
      }
    }
    return found;
  }

  /** Many stores through few handles; then none is left; then there are some again. */
  private static void handles(Path directory) throws StorageException {
    EngineOptions options =
        EngineOptions.builder(directory)
            .sharedMemoryBytes(16 << 20)
            .logSegmentBytes(4 << 20)
            .stallTimeoutMillis(3000)
            .build();
    try (StorageEngine engine = StorageEngine.open(options)) {
      List<KeyValueStore> stores = new ArrayList<>();
      for (int i = 0; i < STORES; i++) {
        stores.add(
            engine.createKeyValueStore(
                "s" + i, KeyValueOptions.DEFAULTS.withMergePolicy(MergePolicyOptions.none())));
      }
      for (int round = 0; round < ROUNDS; round++) {
        for (KeyValueStore store : stores) {
          write(store, round);
          store.flush();
        }
      }
      readAllAtOnce(stores);
      System.out.println("without handles: " + writeWithoutHandles(directory, stores.get(0)));
      write(stores.get(0), ROUNDS);
      stores.get(0).flush();
      readAllAtOnce(stores);
      System.out.println("problems " + engine.verify().problems());
      System.out.println("threads " + threads());
    }
  }

  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("varve-"))
        .collect(Collectors.toSet());
  }

  private static void write(KeyValueStore store, int round) throws StorageException {
    try (KeyValueSession session = store.openSession()) {
      for (int i = 0; i < KEYS; i++) {
        session.put(key(round * KEYS + i), new Slice(new byte[100]));
      }
    }
  }

  private static void readAllAtOnce(List<KeyValueStore> stores) throws StorageException {
    List<RecordCursor> cursors = new ArrayList<>();
    for (KeyValueStore store : stores) {
      cursors.add(store.scan(KeyRange.all()));
    }
    int found = 0;
    for (int i = 0; i < KEYS; i++) {
      for (RecordCursor cursor : cursors) {
        found += cursor.next() ? 1 : 0;
      }
    }
    cursors.forEach(RecordCursor::close);
    if (found != STORES * KEYS) {
      throw new IllegalStateException("found " + found);
    }
  }

  /** Takes every handle as soon as there is one, until flushes have failed, and gives all back. */
  private static String writeWithoutHandles(Path directory, KeyValueStore store)
      throws StorageException {
    String outcome = attempt(store::flush);
    loadClasses();
    AtomicBoolean enough = new AtomicBoolean();
    Thread thief = new Thread(() -> takeAll(directory.resolve("LOCK-of-test"), enough));
    thief.start();
    try {
      for (int i = 0; i < 2000 && !outcome.contains("DiskException;DiskException"); i++) {
        outcome += attempt(() -> write(store, ROUNDS)) + attempt(store::flush);
      }
    } finally {
      enough.set(true);
    }
    while (thief.isAlive()) {
      Thread.onSpinWait();
    }
    return outcome.replace("done;", "");
  }

  /**
   * Loads what may be needed while there is no handle: of classes in a directory each takes one, of
   * those in a jar none.
   */
  private static void loadClasses() {
    try {
      Path root =
          Path.of(StorageEngine.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      List<Path> files;
      try (Stream<Path> walk = Files.walk(root)) {
        files = walk.filter(file -> file.toString().endsWith(".class")).toList();
      }
      for (Path file : files) {
        String name = root.relativize(file).toString().replace(".class", "").replace('/', '.');
        if (!name.equals("module-info")) {
          Class.forName(name, false, StorageEngine.class.getClassLoader());
        }
      }
    } catch (IOException | URISyntaxException | ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void takeAll(Path path, AtomicBoolean enough) {
    LocalFileSystem files = new LocalFileSystem();
    List<StorageFile> taken = new ArrayList<>();
    try {
      taken.add(files.open(path, OpenMode.CREATE_NEW));
    } catch (DiskException e) {
      throw new IllegalStateException(e);
    }
    while (!enough.get()) {
      try {
        taken.add(files.open(path, OpenMode.READ_ONLY));
      } catch (DiskException full) {
        Thread.onSpinWait();
      }
    }
    taken.forEach(StorageFile::close);
  }

  /** Something that may be refused. */
  @FunctionalInterface
  private interface Attempt {
    void make() throws StorageException;
  }

  private static String attempt(Attempt attempt) {
    try {
      attempt.make();
      return "done;";
    } catch (StorageException typed) {
      return typed.getClass().getSimpleName() + ";";
    }
  }

  private static void read(Path directory) throws StorageException {
    try (StorageEngine engine = StorageEngine.open(directory)) {
      int found = 0;
      for (String name : engine.names()) {
        found += count(engine.keyValueStore(name));
      }
      System.out.println("found " + found);
    }
  }

  /** What is in the stores at the end. */
  static int expectedPairs() {
    return (STORES * ROUNDS + 1) * KEYS;
  }
}

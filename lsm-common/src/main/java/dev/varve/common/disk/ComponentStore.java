package dev.varve.common.disk;

import dev.varve.common.component.ComponentId;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.Quarantine;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.common.filter.BloomFilterBuilder;
import dev.varve.common.filter.BloomShape;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.format.KeyRanges;
import dev.varve.common.merge.KeyInterval;
import dev.varve.common.page.ComponentFile;
import dev.varve.common.page.ComponentFileOptions;
import dev.varve.common.page.ComponentFileWriter;
import dev.varve.common.page.Destination;
import dev.varve.common.page.KeptPages;
import dev.varve.common.page.PageCache;
import dev.varve.common.page.ReaderShare;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * The component files of one index: their names, and what a directory must look like when it is
 * opened (docs/format/component.md). Thread-safe.
 */
public final class ComponentStore<Q> {
  /** Pages are collected into writes of this many bytes. */
  private static final int WRITE_BYTES = 512 << 10;

  private final IndexFiles.Place<Q> place;
  private final Path directory;
  private final FileSystem files;
  private final PageCache cache;
  private final Quarantine quarantine;

  /** Files that nobody reads any more and that are still there, or may come back after a crash. */
  private final Queue<Path> undeleted = new ConcurrentLinkedQueue<>();

  /** Held while a manifest is written or withdrawn, and while leftovers are deleted. */
  private final Lock lock = new ReentrantLock();

  private final ManifestFile manifest;

  private final UnusedComponents unused =
      new UnusedComponents(component -> component.close().forEach(this::deleteUnused));

  /** The last number that a component was given; see {@link ComponentName}. */
  private final AtomicLong numbers = new AtomicLong();

  /** Whether a manifest may be on disk that is not the one that was written successfully last. */
  private volatile boolean unsure;

  /** Whether the index was closed: then another engine may have the directory. */
  private volatile boolean closed;

  /** Whether a manifest has been read or written. */
  private volatile boolean established;

  public ComponentStore(
      IndexFiles.Place<Q> place, FileSystem files, PageCache cache, Quarantine quarantine) {
    this.place = place;
    this.directory = place.directory();
    this.files = files;
    this.cache = cache;
    this.quarantine = quarantine;
    this.manifest = new ManifestFile(files, directory, place.storeId(), place.indexId());
  }

  public Path directory() {
    return directory;
  }

  public ComponentFormat<Q> format() {
    return place.format();
  }

  /** Kind and place of the index, for reports. */
  public String describe() {
    return format().name() + " index " + directory;
  }

  /**
   * What a directory holds.
   *
   * @param disk the components
   * @param rounds as {@code MergePlanner.rounds} says it
   */
  public record Opened<Q>(DiskComponents<Q> disk, List<Optional<KeyInterval>> rounds) {}

  /** Whether the buffer cache has room for all that is open and so many bytes. */
  public boolean hasRoom(long newBytes) {
    return cache.fitsAllWith(newBytes);
  }

  /**
   * What readers have of components, when so many bytes are about to be written. Visits every
   * page's frame.
   */
  public ReaderShare readerShare(List<DiskComponent<Q>> components, long newBytes) {
    long bytes = 0;
    long cached = 0;
    for (DiskComponent<Q> component : components) {
      bytes += component.bytes();
      cached += component.wantedBytes();
    }
    return new ReaderShare(bytes, cached, cache.budgetBytes(), cache.roomFor(newBytes));
  }

  /** Finds out what counts, takes away what does not, and opens the rest. */
  public Opened<Q> openAll() throws StorageException {
    if (!files.exists(directory)) {
      files.createDirectories(directory);
      Path parent = directory.getParent();
      if (parent != null) {
        files.forceDirectory(parent);
      }
    }
    IndexFiles found = IndexFiles.find(files, place);
    List<DiskComponent<Q>> opened = new ArrayList<>();
    boolean complete = false;
    try {
      Manifest kept = found.manifest();
      Opened<Q> all = kept == null ? openTiling(found, opened) : openKept(kept, opened);
      Map<Path, CorruptionException> damaged = readRepairs(found, opened);
      found.clear(quarantine);
      for (Map.Entry<Path, CorruptionException> file : damaged.entrySet()) {
        quarantine.put(
            file.getKey(),
            Quarantine.Kind.UNEXPLAINED,
            "damaged, and the next repair finds what it said: " + file.getValue().getMessage());
      }
      if (cache.fillsAtOpening()) {
        opened.forEach(component -> component.expectReaders(component.bytes()));
      }
      complete = true;
      return all;
    } finally {
      if (!complete) {
        opened.forEach(DiskComponent::release);
      }
    }
  }

  /** Has components know what repairs have found; returns the files that cannot say it. */
  private Map<Path, CorruptionException> readRepairs(
      IndexFiles found, List<DiskComponent<Q>> opened) throws StorageException {
    Map<Path, CorruptionException> damaged = new TreeMap<>();
    for (DiskComponent<Q> component : opened) {
      String name = found.repairOf(component.fileName());
      if (name != null) {
        RepairFile file = repairFile(component, name);
        try {
          component.setRepair(file.read(files), file);
        } catch (CorruptionException e) {
          damaged.put(file.path(), e);
        }
      }
    }
    return damaged;
  }

  private RepairFile repairFile(DiskComponent<Q> component, String name) {
    return new RepairFile(
        directory.resolve(name),
        place.storeId(),
        component.file().fileId(),
        component.file().sizeBytes());
  }

  /**
   * Makes durable what a repair has found of a component, which the caller has open, and has
   * readers know it. With more dead entries than one of these files may have, nothing is done.
   */
  public void repaired(DiskComponent<Q> component, Repair repair) throws StorageException {
    Repair before = component.repair();
    if (repair.checkedTo() == before.checkedTo()
        || repair.dead().getLongCardinality() > RepairLayout.MOST_DEAD) {
      return;
    }
    RepairFile last = component.repairFile();
    String name = RepairFile.name(component.fileName(), repair.checkedTo());
    RepairFile file = repairFile(component, name);
    file.write(files, repair);
    component.setRepair(repair, file);
    if (last != null) {
      deleteUnused(last.path());
    }
  }

  private Opened<Q> openTiling(IndexFiles found, List<DiskComponent<Q>> opened)
      throws StorageException {
    for (String name : found.counted()) {
      opened.add(0, open(directory.resolve(name), 0, DirectoryPlan.idOf(directory, name)));
    }
    return new Opened<>(DiskComponents.tiling(opened), List.of());
  }

  private Opened<Q> openKept(Manifest kept, List<DiskComponent<Q>> opened) throws StorageException {
    established = true;
    numbers.set(kept.largestNumber());
    List<DiskComponent<Q>> flushed = List.of();
    List<KeyRun<Q>> levels = new ArrayList<>();
    List<Optional<KeyInterval>> rounds = new ArrayList<>();
    for (int level = 0; level < kept.levels().size(); level++) {
      Manifest.Level stated = kept.levels().get(level);
      List<DiskComponent<Q>> components = new ArrayList<>();
      for (Manifest.ComponentOfLevel file : stated.files()) {
        DiskComponent<Q> component = open(file);
        opened.add(component);
        components.add(component);
      }
      if (level == 0) {
        Collections.reverse(components);
        flushed = components;
      } else {
        levels.add(new KeyRun<>(components));
        rounds.add(stated.mergedLast());
      }
    }
    return new Opened<>(
        new DiskComponents<>(
            DiskComponents.Membership.MANIFEST,
            flushed,
            levels,
            kept.newestFlush(),
            kept.indexLsn()),
        rounds);
  }

  private DiskComponent<Q> open(Manifest.ComponentOfLevel stated) throws StorageException {
    DiskComponent<Q> component =
        open(directory.resolve(stated.fileName()), stated.number(), stated.flushes().orElse(null));
    if (!component.hasEntries()) {
      component.release();
      throw new CorruptionException(
          directory.resolve(stated.fileName()).toString(),
          -1,
          "the manifest says keys of a component without entries");
    }
    component.setRange(stated.number(), stated.keys());
    return component;
  }

  /**
   * Makes durable which components count, where that is in a manifest.
   *
   * @param rounds as {@code MergePlanner.rounds} says it
   */
  public void keep(DiskComponents<Q> disk, List<Optional<KeyInterval>> rounds)
      throws StorageException {
    lock.lock();
    try {
      if (disk.membership() == DiskComponents.Membership.NAMES) {
        withdrawFirstManifest();
      } else {
        unsure = true;
        manifest.write(manifestOf(disk, rounds));
        unsure = false;
        established = true;
      }
    } finally {
      lock.unlock();
    }
  }

  /** A first manifest that could not be written must not come into force after a crash. */
  private void withdrawFirstManifest() throws DiskException {
    if (unsure && !established) {
      manifest.delete();
      unsure = false;
    }
  }

  private Manifest manifestOf(DiskComponents<Q> disk, List<Optional<KeyInterval>> rounds) {
    List<Manifest.Level> levels = new ArrayList<>();
    List<Manifest.ComponentOfLevel> flushed = new ArrayList<>();
    disk.flushed().forEach(component -> flushed.add(0, stated(component)));
    levels.add(new Manifest.Level(Optional.empty(), flushed));
    for (int i = 0; i < disk.levels().size(); i++) {
      levels.add(
          new Manifest.Level(
              i < rounds.size() ? rounds.get(i) : Optional.empty(),
              disk.levels().get(i).components().stream().map(this::stated).toList()));
    }
    return new Manifest(disk.newestFlush(), disk.indexLsn(), levels);
  }

  private Manifest.ComponentOfLevel stated(DiskComponent<Q> component) {
    boolean numbered = DirectoryPlan.NUMBERED.matcher(component.fileName()).matches();
    return new Manifest.ComponentOfLevel(
        component.range().number(),
        numbered ? Optional.empty() : Optional.of(component.id()),
        component.range().keys());
  }

  /** Finds out the keys of components that go under a manifest, as far as they have any. */
  public void findRanges(List<DiskComponent<Q>> components) throws StorageException {
    KeyRanges<Q> ranges = place.format().keyRanges();
    for (DiskComponent<Q> component : components) {
      Matcher numbered = DirectoryPlan.NUMBERED.matcher(component.fileName());
      component.findRange(
          numbered.matches() ? Long.parseLong(numbered.group(1)) : numbers.incrementAndGet(),
          Objects.requireNonNull(ranges));
    }
  }

  @SuppressWarnings("MustBeClosedChecker") // the build takes the writer over
  public ComponentBuild<Q> newBuild(
      ComponentId id, DiskComponents.Membership membership, BuildPlan plan)
      throws StorageException {
    deleteLeftovers();
    ComponentName name =
        new ComponentName(
            id, membership == DiskComponents.Membership.NAMES ? 0 : numbers.incrementAndGet());
    Path building = directory.resolve(name.building());
    if (files.exists(building)) {
      files.delete(building);
    }
    ComponentFileOptions options =
        new ComponentFileOptions(
            place.storeId(),
            plan.components().pageBytes(),
            name.fileId(place.indexId()),
            WRITE_BYTES,
            plan.destination() != Destination.SYSTEM_CACHE,
            plan.components().bytesBetweenForces());
    ComponentFileWriter file = ComponentFileWriter.create(files, path(name), options);
    try {
      BloomFilterBuilder filter =
          plan.filterRate() == 0
              ? null
              : new BloomFilterBuilder(
                  BloomShape.forRate(plan.filterRate()), plan.atMostFilteredKeys(), file);
      ComponentBuild<Q> build = new ComponentBuild<>(place.format(), name, file, filter);
      if (plan.destination() == Destination.BUFFER_CACHE) {
        build.keepPages(new KeptPages(cache, options));
      }
      return build;
    } catch (StorageException | RuntimeException | Error e) {
      file.abort();
      throw e;
    }
  }

  /** Opens a component that was just sealed; one that cannot be opened is abandoned. */
  public DiskComponent<Q> openSealed(ComponentBuild<Q> build) throws StorageException {
    ComponentName name = build.name();
    try {
      return open(path(name), name.number(), name.id(), build::giveKeptTo);
    } catch (StorageException | RuntimeException | Error e) {
      undeleted.add(path(name));
      deleteAbandoned(e);
      throw e;
    } finally {
      build.giveKeptBack();
    }
  }

  /**
   * Takes back a component that was not sealed, or of which nobody knows whether it was.
   *
   * @param cause gets a second failure attached; null when there is no first one
   */
  public void abandon(ComponentBuild<Q> build, @Nullable Throwable cause) {
    try {
      build.abort();
    } catch (StorageException e) {
      attach(e, cause);
      undeleted.add(path(build.name()));
    }
  }

  /**
   * Takes back components that were sealed and that no version of the index has had.
   *
   * @param cause gets a second failure attached; null when there is no first one
   */
  public void abandon(List<DiskComponent<Q>> sealed, @Nullable Throwable cause) {
    if (sealed.isEmpty()) {
      return;
    }
    for (DiskComponent<Q> component : sealed) {
      undeleted.add(directory.resolve(component.fileName()));
      component.release();
    }
    deleteAbandoned(cause);
  }

  /** What cannot be deleted now is tried again by the next build, before it writes anything. */
  private void deleteAbandoned(@Nullable Throwable cause) {
    try {
      deleteLeftovers();
    } catch (DiskException e) {
      attach(e, cause);
    }
  }

  private static void attach(StorageException second, @Nullable Throwable cause) {
    if (cause != null) {
      cause.addSuppressed(second);
    }
  }

  private DiskComponent<Q> open(Path path, long number, @Nullable ComponentId id)
      throws StorageException {
    return open(path, number, id, file -> {});
  }

  /**
   * Opens a component.
   *
   * @param number the file's, if it is called by that
   * @param id what it must hold; null when nobody knows
   * @param first gets the file before it is read
   */
  @SuppressWarnings("MustBeClosedChecker") // the component takes the file over
  private DiskComponent<Q> open(
      Path path, long number, @Nullable ComponentId id, Consumer<ComponentFile> first)
      throws StorageException {
    ComponentFile file = ComponentFile.open(files, path, place.storeId(), cache);
    try {
      first.accept(file);
      DiskComponent<Q> component = DiskComponent.open(path, file, place.format(), unused::add);
      boolean numbered = DirectoryPlan.NUMBERED.matcher(component.fileName()).matches();
      ComponentName expected =
          new ComponentName(id == null ? component.id() : id, numbered ? number : 0);
      if (file.fileId() != expected.fileId(place.indexId())
          || !component.id().equals(expected.id())) {
        throw new CorruptionException(
            file.name(), -1, "the file belongs to another index or component: " + component.id());
      }
      return component;
    } catch (StorageException | RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  /**
   * Deletes what was abandoned and what could not be deleted, durably: a sealed component whose
   * name came back after a crash would count beside what was made in its place.
   */
  public void deleteLeftovers() throws DiskException {
    lock.lock();
    try {
      if (closed || (unsure && established)) {
        // A manifest that could not be written may name them, and a crash may show it. Under a
        // manifest no name comes twice, so they can wait for the next one that can be written.
        return;
      }
      withdrawFirstManifest();
      List<Path> leftovers = List.copyOf(undeleted);
      for (Path path : leftovers) {
        if (files.exists(path)) {
          files.delete(path);
        }
      }
      if (!leftovers.isEmpty()) {
        files.forceDirectory(directory);
        undeleted.removeAll(leftovers);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Deletes what names the files, with the index. */
  public void deleteManifest() throws DiskException {
    manifest.delete();
  }

  /**
   * The index is closed. What a reader keeps in use after that is left to the next opening, which
   * knows what counts.
   */
  public void close() {
    closed = true;
  }

  /** What was given up and nobody reads any more. */
  public UnusedComponents unused() {
    return unused;
  }

  private void deleteUnused(Path path) {
    if (closed) {
      return;
    }
    if (unsure) {
      undeleted.add(path);
      return;
    }
    try {
      files.delete(path);
    } catch (DiskException e) {
      // Whoever let go last must not fail for it: the next build tries again and reports,
      // and opening the index deletes what a larger component covers.
      undeleted.add(path);
    }
  }

  private Path path(ComponentName name) {
    return directory.resolve(name.sealed());
  }
}

package dev.varve.common.testkit;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.Device;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory that keeps apart what the process sees and what a power loss leaves.
 * Thread-safe.
 *
 * <p>Every call that changes the disk is numbered, see {@link #operationCount}; the number is a
 * crash point. A crash in operation N means: the call was issued and never returned. Its change is
 * visible and unforced; if it was a force, nothing is certain yet. There are three ways to crash:
 * {@link #crashAt} stops the process (every call from then on throws {@link SimulatedCrash}),
 * {@link #onOperation} looks at the disk at every crash point of one run, and {@link #crash} makes
 * the disk that a power loss would leave now, as a new file system, without disturbing this one.
 * {@link #killProcess} loses the process and keeps what the kernel has.
 *
 * <p>The model is strict where systems differ: a forced file is not found again until its directory
 * was forced, and forcing a directory makes neither its files' bytes nor its parents durable.
 */
public final class MemoryFileSystem implements FileSystem {
  /**
   * A numbered call.
   *
   * @param number counted from 1
   * @param call what was called
   * @param path the file or directory; the old name in a rename
   */
  public record Operation(long number, FileCall call, Path path) {}

  private static final String LOCK_NAME = "LOCK";

  final ReentrantLock lock = new ReentrantLock();

  private final DirectoryNode root;
  private final Set<DirectoryNode> locked = new HashSet<>();
  private final Object device = new Object();
  private final Set<Path> mounted = new HashSet<>();
  private List<CrashImage.EntryChange> changes = new ArrayList<>();
  private long changeGroup;

  private long operationCount;
  private long crashAt = Long.MAX_VALUE;
  private boolean crashed;
  private long process;
  private long capacityBytes = Long.MAX_VALUE;
  private @Nullable Consumer<Operation> observer;

  /** An empty disk with a root directory. */
  public MemoryFileSystem() {
    this(new DirectoryNode());
  }

  private MemoryFileSystem(DirectoryNode root) {
    this.root = root;
  }

  // What tests do to the disk.

  /** Calls so far that changed the disk: the crash points of this run are 1 to this number. */
  public long operationCount() {
    lock.lock();
    try {
      return operationCount;
    } finally {
      lock.unlock();
    }
  }

  /** Stops the process inside the operation with this number. */
  public void crashAt(long operation) {
    lock.lock();
    try {
      crashAt = operation;
    } finally {
      lock.unlock();
    }
  }

  /** Whether {@link #crashAt} has stopped the process. */
  public boolean crashed() {
    lock.lock();
    try {
      return crashed;
    } finally {
      lock.unlock();
    }
  }

  /** Calls the observer inside every numbered operation, at its crash point, on its thread. */
  public void onOperation(@Nullable Consumer<Operation> newObserver) {
    lock.lock();
    try {
      observer = newObserver;
    } finally {
      lock.unlock();
    }
  }

  /** Makes the disk full once its files hold this many bytes. */
  public void setCapacityBytes(long newCapacityBytes) {
    lock.lock();
    try {
      capacityBytes = newCapacityBytes;
    } finally {
      lock.unlock();
    }
  }

  /** Makes a directory, and what is below it, lie on a device of its own; space stays one. */
  public void mount(Path directory) {
    lock.lock();
    try {
      mounted.add(directory);
    } finally {
      lock.unlock();
    }
  }

  /** The disk after a power loss, one of eight images drawn at random. */
  public MemoryFileSystem crash(RandomGenerator random) {
    return crash(random.nextInt(8), random);
  }

  /**
   * The disk after a power loss. Image 0 holds only what was forced, image 1 everything that was
   * written; any other number means a random part of what was not forced.
   */
  public MemoryFileSystem crash(int image, RandomGenerator random) {
    lock.lock();
    try {
      return new MemoryFileSystem(CrashImage.draw(image, random, root, changes));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the process and keeps the kernel: what was written stays visible, what was not forced
   * stays unforced, locks are free, and files of the old process throw {@link SimulatedCrash}.
   */
  public void killProcess() {
    lock.lock();
    try {
      process++;
      locked.clear();
      crashed = false;
      crashAt = Long.MAX_VALUE;
    } finally {
      lock.unlock();
    }
  }

  /** Bytes of a file as the process sees them. */
  public byte[] content(Path path) throws DiskException {
    lock.lock();
    try {
      FileNode file = file(path, "content of");
      return file.live.bytes(0, Math.toIntExact(file.live.size()));
    } finally {
      lock.unlock();
    }
  }

  /** Changes one byte of a file on the disk and in the cache, as a decaying medium does. */
  public void damage(Path path, long position, int xor) throws DiskException {
    lock.lock();
    try {
      FileNode file = file(path, "damage");
      byte[] bytes = file.live.bytes(position, 1);
      bytes[0] ^= (byte) xor;
      file.live.write(position, bytes, 0, 1);
      if (position < file.durable.size()) {
        file.durable.write(position, bytes, 0, 1);
      }
    } finally {
      lock.unlock();
    }
  }

  // The seam.

  @Override
  @MustBeClosed
  public StorageFile open(Path path, OpenMode mode) throws DiskException {
    FileNode node;
    lock.lock();
    try {
      checkRunning();
      if (LOCK_NAME.equals(name(path))) {
        throw new AssertionError(path + " was opened: the process would lose its directory lock");
      }
      if (!mode.creates()) {
        node = file(path, "open");
        return new MemoryFile(this, node, path, mode);
      }
      DirectoryNode parent = parent(path, "open");
      if (parent.live.containsKey(name(path))) {
        throw failure(path, "open", new FileAlreadyExistsException(path.toString()));
      }
      node = new FileNode();
      changeEntry(parent, name(path), node, ++changeGroup);
    } finally {
      lock.unlock();
    }
    arrive(FileCall.CREATE, path);
    return new MemoryFile(this, node, path, mode);
  }

  @Override
  public boolean exists(Path path) {
    lock.lock();
    try {
      checkRunning();
      return resolve(path) != null;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isDirectory(Path path) {
    lock.lock();
    try {
      checkRunning();
      return resolve(path) instanceof DirectoryNode;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<Path> list(Path directory) throws DiskException {
    lock.lock();
    try {
      checkRunning();
      return directory(directory, "list").live.keySet().stream().map(directory::resolve).toList();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long size(Path path) throws DiskException {
    lock.lock();
    try {
      checkRunning();
      return file(path, "size of").live.size();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void createDirectories(Path directory) throws DiskException {
    lock.lock();
    try {
      checkRunning();
      DirectoryNode at = root;
      for (Path name : directory.toAbsolutePath().normalize()) {
        Node next = at.live.get(name.toString());
        if (next == null) {
          next = new DirectoryNode();
          changeEntry(at, name.toString(), next, ++changeGroup);
        }
        if (!(next instanceof DirectoryNode)) {
          throw failure(
              directory, "create directory", new FileAlreadyExistsException(name.toString()));
        }
        at = (DirectoryNode) next;
      }
    } finally {
      lock.unlock();
    }
    arrive(FileCall.MKDIR, directory);
  }

  @Override
  public void rename(Path source, Path target) throws DiskException {
    lock.lock();
    try {
      checkRunning();
      String operation = "rename to " + target;
      DirectoryNode from = parent(source, operation);
      DirectoryNode to = parent(target, operation);
      Node node = from.live.get(name(source));
      Node replaced = to.live.get(name(target));
      if (node == null) {
        throw failure(source, operation, new NoSuchFileException(source.toString()));
      }
      if (replaced instanceof DirectoryNode directory
          && !(node instanceof DirectoryNode && directory.live.isEmpty())) {
        throw failure(source, operation, new DirectoryNotEmptyException(target.toString()));
      }
      if (replaced instanceof FileNode && node instanceof DirectoryNode) {
        throw failure(source, operation, new NotDirectoryException(target.toString()));
      }
      long group = ++changeGroup;
      changeEntry(from, name(source), null, group);
      changeEntry(to, name(target), node, group);
    } finally {
      lock.unlock();
    }
    arrive(FileCall.RENAME, source);
  }

  @Override
  public void delete(Path path) throws DiskException {
    lock.lock();
    try {
      checkRunning();
      DirectoryNode parent = parent(path, "delete");
      Node node = parent.live.get(name(path));
      if (node == null) {
        throw failure(path, "delete", new NoSuchFileException(path.toString()));
      }
      if (node instanceof DirectoryNode directory && !directory.live.isEmpty()) {
        throw failure(path, "delete", new DirectoryNotEmptyException(path.toString()));
      }
      changeEntry(parent, name(path), null, ++changeGroup);
    } finally {
      lock.unlock();
    }
    arrive(FileCall.DELETE, path);
  }

  @Override
  public void forceDirectory(Path directory) throws DiskException {
    DirectoryNode node;
    lock.lock();
    try {
      checkRunning();
      node = directory(directory, "force directory");
    } finally {
      lock.unlock();
    }
    arrive(FileCall.FORCEDIR, directory);
    lock.lock();
    try {
      forceEntries(node);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long usableBytes(Path path) throws DiskException {
    lock.lock();
    try {
      checkRunning();
      if (resolve(path) == null) {
        throw failure(path, "usable bytes of", new NoSuchFileException(path.toString()));
      }
      return capacityBytes == Long.MAX_VALUE ? capacityBytes : capacityBytes - usedBytes();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Device device(Path path) throws DiskException {
    lock.lock();
    try {
      checkRunning();
      if (resolve(path) == null) {
        throw failure(path, "device of", new NoSuchFileException(path.toString()));
      }
      for (Path above = path; above != null; above = above.getParent()) {
        if (mounted.contains(above)) {
          return new Device(List.of(device, above));
        }
      }
      return new Device(device);
    } finally {
      lock.unlock();
    }
  }

  @Override
  @MustBeClosed
  public DirectoryLock lock(Path directory) throws DiskException, ConflictException {
    DirectoryNode node;
    HeldLock held;
    lock.lock();
    try {
      checkRunning();
      node = directory(directory, "lock");
      if (!locked.add(node)) {
        throw new ConflictException(
            ConflictException.Reason.DIRECTORY_IN_USE,
            directory + " is in use by an engine of this process");
      }
      if (!node.live.containsKey(LOCK_NAME)) {
        changeEntry(node, LOCK_NAME, new FileNode(), ++changeGroup);
      }
      held = new HeldLock(directory, node, node.live.get(LOCK_NAME), process);
    } finally {
      lock.unlock();
    }
    arrive(FileCall.LOCK, directory);
    return held;
  }

  /** A lock, and which nodes it was taken on. */
  private final class HeldLock implements DirectoryLock {
    private final Path path;
    private final DirectoryNode directory;
    private final Node file;
    private final long holder;

    HeldLock(Path path, DirectoryNode directory, Node file, long holder) {
      this.path = path;
      this.directory = directory;
      this.file = file;
      this.holder = holder;
    }

    @Override
    public void requireHeld() throws ConflictException {
      lock.lock();
      try {
        checkRunning();
        if (resolve(path) != directory || directory.live.get(LOCK_NAME) != file) {
          throw new ConflictException(
              ConflictException.Reason.OWNERSHIP_LOST, path + " is no longer held");
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      unlock(directory, holder);
    }
  }

  private void unlock(DirectoryNode node, long holder) {
    lock.lock();
    try {
      if (holder == process) {
        locked.remove(node);
      }
    } finally {
      lock.unlock();
    }
  }

  // What open files need.

  long process() {
    return process;
  }

  /** Throws when the process has stopped; the caller holds the lock. */
  void checkRunning() {
    if (crashed) {
      throw new SimulatedCrash("before this call");
    }
  }

  /** The crash point of a numbered operation; the caller does not hold the lock. */
  void arrive(FileCall call, Path path) {
    Operation operation;
    Consumer<Operation> told;
    boolean crash;
    lock.lock();
    try {
      checkRunning();
      operation = new Operation(++operationCount, call, path);
      told = observer;
      crash = operationCount >= crashAt;
      crashed = crash;
    } finally {
      lock.unlock();
    }
    if (told != null) {
      told.accept(operation);
    }
    if (crash) {
      throw new SimulatedCrash("in operation " + operation);
    }
  }

  /** How many of these bytes the disk has room for; the caller holds the lock. */
  int room(FileNode node, long position, int length) {
    if (capacityBytes == Long.MAX_VALUE) {
      return length;
    }
    long free = Math.max(0, capacityBytes - usedBytes());
    long allocated = Math.max(node.live.size(), position);
    return (int) Math.max(0, Math.min(length, allocated + free - position));
  }

  private long usedBytes() {
    Set<Node> seen = new HashSet<>();
    List<Node> open = new ArrayList<>(List.of(root));
    long bytes = 0;
    while (!open.isEmpty()) {
      Node node = open.remove(open.size() - 1);
      if (!seen.add(node)) {
        continue;
      }
      if (node instanceof FileNode file) {
        bytes += file.live.size();
      } else {
        open.addAll(((DirectoryNode) node).live.values());
      }
    }
    return bytes;
  }

  // Names.

  private void changeEntry(DirectoryNode directory, String name, @Nullable Node node, long group) {
    if (node == null) {
      directory.live.remove(name);
    } else {
      directory.live.put(name, node);
    }
    changes.add(new CrashImage.EntryChange(directory, name, node, group));
  }

  /**
   * Makes the entries of one directory durable, and with a name that a rename took away also the
   * name that it gave: no system loses a file between two directories.
   */
  private void forceEntries(DirectoryNode directory) {
    List<CrashImage.EntryChange> rest = new ArrayList<>();
    Set<Long> forcedGroups = new HashSet<>();
    for (CrashImage.EntryChange change : changes) {
      if (change.directory() == directory && change.node() == null) {
        forcedGroups.add(change.group());
      }
    }
    for (CrashImage.EntryChange change : changes) {
      if (change.directory() != directory && !forcedGroups.contains(change.group())) {
        rest.add(change);
      } else if (change.node() == null) {
        change.directory().durable.remove(change.name());
      } else {
        change.directory().durable.put(change.name(), change.node());
      }
    }
    changes = rest;
  }

  private @Nullable Node resolve(Path path) {
    Node at = root;
    for (Path name : path.toAbsolutePath().normalize()) {
      if (!(at instanceof DirectoryNode directory)) {
        return null;
      }
      at = directory.live.get(name.toString());
      if (at == null) {
        return null;
      }
    }
    return at;
  }

  private FileNode file(Path path, String operation) throws DiskException {
    Node node = resolve(path);
    if (node instanceof FileNode file) {
      return file;
    }
    throw failure(
        path,
        operation,
        node == null
            ? new NoSuchFileException(path.toString())
            : new IOException("is a directory"));
  }

  private DirectoryNode directory(Path path, String operation) throws DiskException {
    Node node = resolve(path);
    if (node instanceof DirectoryNode directory) {
      return directory;
    }
    throw failure(
        path,
        operation,
        node == null
            ? new NoSuchFileException(path.toString())
            : new NotDirectoryException(path.toString()));
  }

  private DirectoryNode parent(Path path, String operation) throws DiskException {
    Path parent = path.toAbsolutePath().normalize().getParent();
    if (parent == null) {
      throw new IllegalArgumentException("the root has no parent");
    }
    return directory(parent, operation);
  }

  private static String name(Path path) {
    Path name = path.toAbsolutePath().normalize().getFileName();
    return name == null ? "" : name.toString();
  }

  private static DiskException failure(Path path, String operation, IOException cause) {
    return new DiskException(path.toString(), operation, cause);
  }
}

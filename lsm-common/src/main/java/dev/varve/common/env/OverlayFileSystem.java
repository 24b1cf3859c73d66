package dev.varve.common.env;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Another file system, and over it, in memory, whatever is written, renamed or deleted: nothing
 * below is changed, and all is forgotten with this object. Whoever opens something that repairs
 * itself while it is opened, and wants to look only, opens it here. A file that is open for reading
 * keeps the bytes that it had below when it was opened. Thread-safe.
 */
public final class OverlayFileSystem implements FileSystem {
  private static final String LOCK_NAME = "LOCK";

  /** What is different from below at a path. */
  private sealed interface Change {}

  /** Nothing is there any more. */
  private record Gone() implements Change {}

  /** A directory was made. */
  private record Folder() implements Change {}

  /** A file was written. */
  private record Written(MemoryContent content) implements Change {}

  /** A file has another name below, and is otherwise as it was. */
  private record Renamed(Path below) implements Change {}

  private final FileSystem below;
  private final ReentrantLock lock = new ReentrantLock();

  /** By absolute path. What a deleted or renamed directory held is gone one by one. */
  private final Map<Path, Change> changes = new HashMap<>();

  private final Set<Path> held = new HashSet<>();

  /** A view of files that stay as they are; the caller goes on owning them. */
  public OverlayFileSystem(FileSystem below) {
    this.below = below;
  }

  /** A file below under the name that it has here. */
  private record Shown(StorageFile file, @Override Path path) implements ForwardingFile {}

  @Override
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with what is around it
  public StorageFile open(Path path, OpenMode mode) throws DiskException {
    Path key = key(path);
    lock.lock();
    try {
      if (mode.creates()) {
        if (exists(path)) {
          throw failure(path, "open", new FileAlreadyExistsException(path.toString()));
        }
        requireParent(path, "open");
        changes.put(key, new Written(new MemoryContent()));
      } else if (mode == OpenMode.READ_WRITE) {
        copyBeforeWrites(path);
      }
      Change change = changes.get(key);
      if (change instanceof Written written) {
        return new OverlayFile(path, mode, written.content, lock);
      }
      requireFile(path, "open");
      return change instanceof Renamed renamed
          ? new Shown(below.open(renamed.below, mode), path)
          : below.open(path, mode);
    } finally {
      lock.unlock();
    }
  }

  /** The path below of a file whose bytes are there; null when there is none. */
  private @Nullable Path original(Path path) throws DiskException {
    Change change = changes.get(key(path));
    if (change instanceof Renamed renamed) {
      return renamed.below;
    }
    return change == null && below.exists(path) && !below.isDirectory(path) ? path : null;
  }

  private void copyBeforeWrites(Path path) throws DiskException {
    Path original = original(path);
    if (original != null) {
      changes.put(key(path), new Written(copy(original)));
    }
  }

  private MemoryContent copy(Path original) throws DiskException {
    MemoryContent content = new MemoryContent();
    try (StorageFile file = below.open(original, OpenMode.READ_ONLY)) {
      byte[] buffer = new byte[1 << 16];
      int count = file.read(0, buffer, 0, buffer.length);
      for (long at = 0; count > 0; count = file.read(at, buffer, 0, buffer.length)) {
        content.write(at, buffer, 0, count);
        at += count;
      }
    }
    return content;
  }

  @Override
  public boolean exists(Path path) throws DiskException {
    lock.lock();
    try {
      Change change = changes.get(key(path));
      return change == null ? below.exists(path) : !(change instanceof Gone);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isDirectory(Path path) throws DiskException {
    lock.lock();
    try {
      Change change = changes.get(key(path));
      return change == null ? below.isDirectory(path) : change instanceof Folder;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<Path> list(Path directory) throws DiskException {
    Path key = key(directory);
    lock.lock();
    try {
      requireDirectory(directory, "list");
      Set<Path> entries = new TreeSet<>();
      if (below.isDirectory(directory)) {
        entries.addAll(below.list(directory));
      }
      for (Map.Entry<Path, Change> change : changes.entrySet()) {
        if (key.equals(change.getKey().getParent())) {
          Path entry = directory.resolve(key.relativize(change.getKey()));
          if (change.getValue() instanceof Gone) {
            entries.remove(entry);
          } else {
            entries.add(entry);
          }
        }
      }
      return List.copyOf(entries);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long size(Path path) throws DiskException {
    lock.lock();
    try {
      requireExists(path, "size of");
      Change change = changes.get(key(path));
      if (change instanceof Written written) {
        return written.content.size();
      }
      return change instanceof Renamed renamed
          ? below.size(renamed.below)
          : change instanceof Folder ? 0 : below.size(path);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void createDirectories(Path directory) throws DiskException {
    Path key = key(directory);
    lock.lock();
    try {
      Deque<Path> missing = new ArrayDeque<>();
      Path at = key;
      for (; !exists(at) && at.getParent() != null; at = at.getParent()) {
        missing.push(at);
      }
      if (!isDirectory(at)) {
        throw failure(directory, "create directory", new FileAlreadyExistsException(at.toString()));
      }
      missing.forEach(made -> changes.put(made, new Folder()));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void rename(Path source, Path target) throws DiskException {
    String operation = "rename to " + target;
    lock.lock();
    try {
      requireExists(source, operation);
      requireParent(target, operation);
      if (key(source).equals(key(target))) {
        return;
      }
      if (isDirectory(target) && !(isDirectory(source) && list(target).isEmpty())) {
        throw failure(source, operation, new DirectoryNotEmptyException(target.toString()));
      }
      if (isDirectory(source) && exists(target) && !isDirectory(target)) {
        throw failure(source, operation, new NotDirectoryException(target.toString()));
      }
      move(source, target);
    } finally {
      lock.unlock();
    }
  }

  private void move(Path source, Path target) throws DiskException {
    if (isDirectory(source)) {
      List<Path> children = list(source);
      changes.put(key(target), new Folder());
      for (Path child : children) {
        move(child, target.resolve(source.relativize(child)));
      }
    } else {
      Change change = changes.get(key(source));
      changes.put(key(target), change == null ? new Renamed(key(source)) : change);
    }
    remove(source);
  }

  private void remove(Path path) throws DiskException {
    if (below.exists(path)) {
      changes.put(key(path), new Gone());
    } else {
      changes.remove(key(path));
    }
  }

  @Override
  public void delete(Path path) throws DiskException {
    lock.lock();
    try {
      requireExists(path, "delete");
      if (isDirectory(path) && !list(path).isEmpty()) {
        throw failure(path, "delete", new DirectoryNotEmptyException(path.toString()));
      }
      remove(path);
    } finally {
      lock.unlock();
    }
  }

  /** Nothing here is ever durable. */
  @Override
  public void forceDirectory(Path directory) throws DiskException {
    lock.lock();
    try {
      requireDirectory(directory, "force directory");
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long usableBytes(Path path) throws DiskException {
    lock.lock();
    try {
      requireExists(path, "usable bytes of");
      return below.usableBytes(nearestBelow(path));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Device device(Path path) throws DiskException {
    lock.lock();
    try {
      requireExists(path, "device of");
      return below.device(nearestBelow(path));
    } finally {
      lock.unlock();
    }
  }

  private Path nearestBelow(Path path) throws DiskException {
    Path at = key(path);
    while (!below.exists(at) && at.getParent() != null) {
      at = at.getParent();
    }
    return at;
  }

  /**
   * The lock below, where there is a file for it; where there is none nobody holds it, and none is
   * made there.
   */
  @Override
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // the caller's
  public DirectoryLock lock(Path directory) throws DiskException, ConflictException {
    lock.lock();
    try {
      if (below.exists(directory.resolve(LOCK_NAME))) {
        return below.lock(directory);
      }
      requireDirectory(directory, "lock");
      if (!held.add(key(directory))) {
        throw new ConflictException(
            ConflictException.Reason.DIRECTORY_IN_USE,
            directory + " is in use by an engine of this process");
      }
      changes.putIfAbsent(key(directory).resolve(LOCK_NAME), new Written(new MemoryContent()));
      return new Held(key(directory));
    } finally {
      lock.unlock();
    }
  }

  /** A directory that is held in memory only. */
  private final class Held implements DirectoryLock {
    private final Path directory;

    Held(Path directory) {
      this.directory = directory;
    }

    @Override
    public void requireHeld() throws ConflictException {
      lock.lock();
      try {
        if (!held.contains(directory)) {
          throw new ConflictException(
              ConflictException.Reason.OWNERSHIP_LOST, directory + " is no longer held");
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      lock.lock();
      try {
        held.remove(directory);
      } finally {
        lock.unlock();
      }
    }
  }

  // ---- Names

  private static Path key(Path path) {
    return path.toAbsolutePath().normalize();
  }

  private void requireParent(Path path, String operation) throws DiskException {
    Path parent = key(path).getParent();
    if (parent == null || !exists(parent)) {
      throw failure(path, operation, new NoSuchFileException(path.toString()));
    }
  }

  private void requireExists(Path path, String operation) throws DiskException {
    if (!exists(path)) {
      throw failure(path, operation, new NoSuchFileException(path.toString()));
    }
  }

  private void requireFile(Path path, String operation) throws DiskException {
    requireExists(path, operation);
    if (isDirectory(path)) {
      throw failure(path, operation, new IOException("is a directory"));
    }
  }

  private void requireDirectory(Path path, String operation) throws DiskException {
    requireExists(path, operation);
    if (!isDirectory(path)) {
      throw failure(path, operation, new NotDirectoryException(path.toString()));
    }
  }

  private static DiskException failure(Path path, String operation, IOException cause) {
    return new DiskException(path.toString(), operation, cause);
  }
}

package dev.varve.common.env;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * The operating system's files. Thread-safe: no state but the locks that this process holds, and
 * the buffers of direct reads and writes.
 *
 * <p>A symbolic link is followed on the way to a file, never as the file itself: a data directory
 * may be reached through one, its content may not leave it. Network file systems are not supported,
 * because their locks and their force promise less.
 */
@SeamImplementation
public final class LocalFileSystem implements FileSystem {
  private final BlockBuffers buffers = new BlockBuffers();

  @Override
  @MustBeClosed
  public StorageFile open(Path path, OpenMode mode) throws DiskException {
    try {
      LocalChannel channel = channel(path, mode);
      boolean opened = false;
      try {
        LocalFile file = new LocalFile(path, mode, channel, attributes(path).fileKey());
        opened = true;
        return file;
      } finally {
        if (!opened) {
          channel.close();
        }
      }
    } catch (IOException failure) {
      throw new DiskException(path.toString(), "open", failure);
    }
  }

  private LocalChannel channel(Path path, OpenMode mode) throws IOException {
    Set<OpenOption> options = options(mode);
    boolean direct = mode == OpenMode.CREATE_NEW_DIRECT || mode == OpenMode.READ_ONLY_DIRECT;
    if (!direct || !blocksFit(path)) {
      return LocalChannel.open(path, options);
    }
    return mode.creates() ? createDirect(path, options) : readDirect(path, options);
  }

  private LocalChannel readDirect(Path path, Set<OpenOption> options) throws IOException {
    try {
      return LocalChannel.openDirect(path, options, buffers);
    } catch (IOException | UnsupportedOperationException refused) {
      // A file that is not there is refused again.
      try {
        return LocalChannel.open(path, options);
      } catch (IOException failure) {
        failure.addSuppressed(refused);
        throw failure;
      }
    }
  }

  /** Whether {@link #DIRECT_BLOCK_BYTES} are whole blocks of the file system that holds a path. */
  private static boolean blocksFit(Path path) {
    try {
      Path directory = path.toAbsolutePath().getParent();
      long blockBytes = Files.getFileStore(directory == null ? path : directory).getBlockSize();
      return blockBytes > 0 && DIRECT_BLOCK_BYTES % blockBytes == 0;
    } catch (IOException | UnsupportedOperationException unknown) {
      // As in a container that does not show what is mounted.
      assert unknown != null;
      return false;
    }
  }

  private LocalChannel createDirect(Path path, Set<OpenOption> options) throws IOException {
    try {
      return LocalChannel.openDirect(path, options, buffers);
    } catch (FileAlreadyExistsException present) {
      throw present;
    } catch (IOException | UnsupportedOperationException refused) {
      // A file system without direct writes says so when the file is there already, and it is ours.
      try {
        Files.deleteIfExists(path);
        return LocalChannel.open(path, options);
      } catch (IOException failure) {
        failure.addSuppressed(refused);
        throw failure;
      }
    }
  }

  @Override
  public boolean exists(Path path) throws DiskException {
    try {
      attributes(path);
      return true;
    } catch (NoSuchFileException absent) {
      return false;
    } catch (IOException failure) {
      throw new DiskException(path.toString(), "look for", failure);
    }
  }

  @Override
  public boolean isDirectory(Path path) throws DiskException {
    try {
      return attributes(path).isDirectory();
    } catch (NoSuchFileException absent) {
      return false;
    } catch (IOException failure) {
      throw new DiskException(path.toString(), "look at", failure);
    }
  }

  @Override
  public List<Path> list(Path directory) throws DiskException {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      for (Path entry : stream) {
        if (Files.isSymbolicLink(entry)) {
          throw new IOException(
              entry.getFileName() + " is a symbolic link, which a data directory may not hold");
        }
        entries.add(entry);
      }
    } catch (DirectoryIteratorException failure) {
      throw new DiskException(directory.toString(), "list", failure.getCause());
    } catch (IOException failure) {
      throw new DiskException(directory.toString(), "list", failure);
    }
    Collections.sort(entries);
    return Collections.unmodifiableList(entries);
  }

  @Override
  public long size(Path path) throws DiskException {
    try {
      return attributes(path).size();
    } catch (IOException failure) {
      throw new DiskException(path.toString(), "size of", failure);
    }
  }

  @Override
  public void createDirectories(Path directory) throws DiskException {
    try {
      Files.createDirectories(directory, ownerOnly(directory));
    } catch (IOException failure) {
      throw new DiskException(directory.toString(), "create directory", failure);
    }
  }

  /** Data is its owner's: where the file system has permissions, others do not enter. */
  private static FileAttribute<?>[] ownerOnly(Path directory) {
    return directory.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
        }
        : new FileAttribute<?>[0];
  }

  @Override
  public void rename(Path source, Path target) throws DiskException {
    try {
      Files.move(source, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failure) {
      throw new DiskException(source.toString(), "rename to " + target, failure);
    }
  }

  @Override
  public void link(Path source, Path target) throws DiskException {
    try {
      Files.createLink(target, source);
    } catch (NoSuchFileException | FileAlreadyExistsException failure) {
      throw new DiskException(source.toString(), "link to " + target, failure);
    } catch (IOException | UnsupportedOperationException refused) {
      // Another device, or a file system without links.
      assert refused != null;
      FileSystem.super.link(source, target);
    }
  }

  @Override
  public void delete(Path path) throws DiskException {
    try {
      Files.delete(path);
    } catch (IOException failure) {
      throw new DiskException(path.toString(), "delete", failure);
    }
  }

  @Override
  public void forceDirectory(Path directory) throws DiskException {
    try (LocalChannel channel = LocalChannel.openDirectory(directory.toRealPath())) {
      channel.forceDirectory();
    } catch (IOException failure) {
      throw new DiskException(directory.toString(), "force directory", failure);
    }
  }

  @Override
  public long usableBytes(Path path) throws DiskException {
    try {
      attributes(path);
      return path.toFile().getUsableSpace();
    } catch (IOException failure) {
      throw new DiskException(path.toString(), "usable bytes of", failure);
    }
  }

  /**
   * Where the system numbers devices, the number: the same for a device that is mounted twice, as
   * it is in a container.
   */
  @Override
  public Device device(Path path) throws DiskException {
    try {
      boolean numbered = path.getFileSystem().supportedFileAttributeViews().contains("unix");
      return new Device(numbered ? Files.getAttribute(path, "unix:dev") : Files.getFileStore(path));
    } catch (IOException failure) {
      throw new DiskException(path.toString(), "device of", failure);
    }
  }

  @Override
  @MustBeClosed
  public DirectoryLock lock(Path directory) throws DiskException, ConflictException {
    try {
      return LocalDirectoryLock.acquire(directory);
    } catch (IOException failure) {
      throw new DiskException(directory.toString(), "lock", failure);
    }
  }

  private static Set<OpenOption> options(OpenMode mode) {
    return switch (mode) {
      case CREATE_NEW ->
          Set.of(
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.CREATE_NEW,
              LinkOption.NOFOLLOW_LINKS);
      case CREATE_NEW_DIRECT ->
          Set.of(
              StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, LinkOption.NOFOLLOW_LINKS);
      case READ_WRITE ->
          Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
      case READ_ONLY, READ_ONLY_DIRECT ->
          Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    };
  }

  private static BasicFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }
}

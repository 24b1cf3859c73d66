package dev.varve.common.env;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;
import java.util.List;

/**
 * A file system around another: every call is passed on to {@link #files}. Whoever implements it
 * overrides what is to be different, and nothing else. As thread-safe as what is around it.
 */
public interface ForwardingFileSystem extends FileSystem {
  /** What calls are passed on to. */
  FileSystem files();

  /**
   * What the opener of a file gets: the file itself, or a {@link ForwardingFile} around it, which
   * then closes it.
   */
  default StorageFile opened(StorageFile file) {
    return file;
  }

  @Override
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with what is around it
  default StorageFile open(Path path, OpenMode mode) throws DiskException {
    return opened(files().open(path, mode));
  }

  @Override
  default boolean exists(Path path) throws DiskException {
    return files().exists(path);
  }

  @Override
  default boolean isDirectory(Path path) throws DiskException {
    return files().isDirectory(path);
  }

  @Override
  default List<Path> list(Path directory) throws DiskException {
    return files().list(directory);
  }

  @Override
  default long size(Path path) throws DiskException {
    return files().size(path);
  }

  @Override
  default void createDirectories(Path directory) throws DiskException {
    files().createDirectories(directory);
  }

  @Override
  default void rename(Path source, Path target) throws DiskException {
    files().rename(source, target);
  }

  @Override
  default void link(Path source, Path target) throws DiskException {
    files().link(source, target);
  }

  @Override
  default void delete(Path path) throws DiskException {
    files().delete(path);
  }

  @Override
  default void forceDirectory(Path directory) throws DiskException {
    files().forceDirectory(directory);
  }

  @Override
  default long usableBytes(Path path) throws DiskException {
    return files().usableBytes(path);
  }

  @Override
  default Device device(Path path) throws DiskException {
    return files().device(path);
  }

  @Override
  @MustBeClosed
  default DirectoryLock lock(Path directory) throws DiskException, ConflictException {
    return files().lock(directory);
  }
}

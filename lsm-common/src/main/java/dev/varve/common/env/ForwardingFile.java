package dev.varve.common.env;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;

/**
 * An open file around another, which it owns: every call is passed on to {@link #file}, {@link
 * #close} too. Whoever implements it overrides what is to be different, and nothing else. As
 * thread-safe as what is around it.
 */
public interface ForwardingFile extends StorageFile {
  /** What calls are passed on to. */
  StorageFile file();

  @Override
  default Path path() {
    return file().path();
  }

  @Override
  default long size() throws DiskException {
    return file().size();
  }

  @Override
  default int read(long position, byte[] target, int offset, int length) throws DiskException {
    return file().read(position, target, offset, length);
  }

  @Override
  default void prefetch(long position, long length) throws DiskException {
    file().prefetch(position, length);
  }

  @Override
  default void write(long position, byte[] source, int offset, int length) throws DiskException {
    file().write(position, source, offset, length);
  }

  @Override
  default void force() throws DiskException {
    file().force();
  }

  @Override
  default void truncate(long size) throws DiskException {
    file().truncate(size);
  }

  @Override
  @MustBeClosed
  default MappedRegion map(long position, int length) throws DiskException {
    return file().map(position, length);
  }

  @Override
  default void close() {
    file().close();
  }
}

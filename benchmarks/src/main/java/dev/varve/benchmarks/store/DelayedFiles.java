package dev.varve.benchmarks.store;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.Device;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.MappedRegion;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;
import java.util.List;

/**
 * Files whose reads take longer; all else is as fast as it is. Thread-safe.
 *
 * @param files the files
 * @param delay what a read takes longer
 */
public record DelayedFiles(FileSystem files, ReadDelay delay) implements FileSystem {
  private record DelayedFile(StorageFile file, ReadDelay delay) implements StorageFile {
    @Override
    public Path path() {
      return file.path();
    }

    @Override
    public long size() throws DiskException {
      return file.size();
    }

    @Override
    public int read(long position, byte[] target, int offset, int length) throws DiskException {
      delay.pay();
      return file.read(position, target, offset, length);
    }

    @Override
    public void write(long position, byte[] source, int offset, int length) throws DiskException {
      file.write(position, source, offset, length);
    }

    @Override
    public void force() throws DiskException {
      file.force();
    }

    @Override
    public void truncate(long size) throws DiskException {
      file.truncate(size);
    }

    @Override
    @MustBeClosed
    public MappedRegion map(long position, int length) throws DiskException {
      return file.map(position, length);
    }

    @Override
    public void close() {
      file.close();
    }
  }

  @Override
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with the file around it
  public StorageFile open(Path path, OpenMode mode) throws DiskException {
    return new DelayedFile(files.open(path, mode), delay);
  }

  @Override
  public boolean exists(Path path) throws DiskException {
    return files.exists(path);
  }

  @Override
  public List<Path> list(Path directory) throws DiskException {
    return files.list(directory);
  }

  @Override
  public long size(Path path) throws DiskException {
    return files.size(path);
  }

  @Override
  public void createDirectories(Path directory) throws DiskException {
    files.createDirectories(directory);
  }

  @Override
  public void rename(Path source, Path target) throws DiskException {
    files.rename(source, target);
  }

  @Override
  public void delete(Path path) throws DiskException {
    files.delete(path);
  }

  @Override
  public void forceDirectory(Path directory) throws DiskException {
    files.forceDirectory(directory);
  }

  @Override
  public long usableBytes(Path path) throws DiskException {
    return files.usableBytes(path);
  }

  @Override
  public Device device(Path path) throws DiskException {
    return files.device(path);
  }

  @Override
  @MustBeClosed
  public DirectoryLock lock(Path directory) throws DiskException, ConflictException {
    return files.lock(directory);
  }
}

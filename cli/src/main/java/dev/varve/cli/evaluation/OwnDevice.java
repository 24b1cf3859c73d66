package dev.varve.cli.evaluation;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.Device;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;
import java.util.List;

/**
 * Files that say to lie on a device of their own, so that several nodes of a process can have a
 * budget each. Equal to no other. Thread-safe.
 */
final class OwnDevice implements FileSystem {
  private final FileSystem files;
  private final Device device = new Device(this);

  OwnDevice(FileSystem files) {
    this.files = files;
  }

  @Override
  @MustBeClosed
  public StorageFile open(Path path, OpenMode mode) throws DiskException {
    return files.open(path, mode);
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
  public Device device(Path path) {
    return device;
  }

  @Override
  @MustBeClosed
  public DirectoryLock lock(Path directory) throws DiskException, ConflictException {
    return files.lock(directory);
  }
}

package dev.varve.benchmarks.store;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.ForwardingFile;
import dev.varve.common.env.ForwardingFileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;

/**
 * Files whose reads take longer; all else is as fast as it is. Thread-safe.
 *
 * @param files the files
 * @param delay what a read takes longer
 */
public record DelayedFiles(FileSystem files, ReadDelay delay) implements ForwardingFileSystem {
  private record DelayedFile(StorageFile file, ReadDelay delay) implements ForwardingFile {
    @Override
    public int read(long position, byte[] target, int offset, int length) throws DiskException {
      delay.pay();
      return file.read(position, target, offset, length);
    }
  }

  @Override
  public StorageFile opened(StorageFile file) {
    return new DelayedFile(file, delay);
  }
}

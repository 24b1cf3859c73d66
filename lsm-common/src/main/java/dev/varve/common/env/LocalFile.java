package dev.varve.common.env;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.error.DiskException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A file of the operating system. Thread-safe. */
final class LocalFile implements StorageFile {
  private final Path path;
  private final OpenMode mode;
  private final LocalChannel channel;

  /** Tells this file from another that took its name later; null where the system has no such. */
  private final @Nullable Object fileKey;

  LocalFile(Path path, OpenMode mode, LocalChannel channel, @Nullable Object fileKey) {
    this.path = path;
    this.mode = mode;
    this.channel = channel;
    this.fileKey = fileKey;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public long size() throws DiskException {
    try {
      return channel.size();
    } catch (IOException failure) {
      throw failed("size of", failure);
    }
  }

  @Override
  public int read(long position, byte[] target, int offset, int length) throws DiskException {
    Objects.checkFromIndexSize(offset, length, target.length);
    try {
      return channel.read(position, target, offset, length);
    } catch (IOException failure) {
      throw failed("read", failure);
    }
  }

  @Override
  public void prefetch(long position, long length) throws DiskException {
    try {
      long end = Math.min(position + length, channel.size());
      LocalChannel.prefetch(path, position, end - position);
    } catch (IOException failure) {
      throw failed("prefetch", failure);
    }
  }

  @Override
  public void write(long position, byte[] source, int offset, int length) throws DiskException {
    Objects.checkFromIndexSize(offset, length, source.length);
    mode.requireBlocks(position, length);
    try {
      channel.write(position, source, offset, length);
    } catch (IOException failure) {
      throw failed("write", failure);
    }
  }

  @Override
  public void force() throws DiskException {
    try {
      channel.force();
    } catch (IOException failure) {
      throw failed("force", failure);
    }
  }

  @Override
  public void truncate(long size) throws DiskException {
    try {
      if (size > channel.size()) {
        throw new IllegalArgumentException(
            path + " has " + channel.size() + " bytes and cannot be cut to " + size);
      }
      channel.truncate(size);
    } catch (IOException failure) {
      throw failed("truncate", failure);
    }
  }

  @Override
  @MustBeClosed
  public MappedRegion map(long position, int length) throws DiskException {
    try {
      if (position + length > channel.size()) {
        throw new IllegalArgumentException(
            path + " ends before " + (position + length) + "; a mapped range is written first");
      }
      return LocalRegion.map(path, fileKey, position, length);
    } catch (IOException failure) {
      throw failed("map", failure);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException failure) {
      throw new UncheckedIOException("close " + path, failure);
    }
  }

  /** A use after close is the caller's mistake; everything else is the disk's. */
  private DiskException failed(String operation, IOException failure) {
    if (failure instanceof ClosedChannelException) {
      throw new IllegalStateException(operation + " " + path + ": the file is closed", failure);
    }
    return new DiskException(path.toString(), operation, failure);
  }
}

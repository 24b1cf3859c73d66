package dev.varve.cli.command;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** A new file that is written from front to back. Confined to one thread. */
final class FileOutput extends OutputStream {
  private static final int BUFFER_BYTES = 64 << 10;

  private final StorageFile file;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int filled;
  private long written;

  private FileOutput(StorageFile file) {
    this.file = file;
  }

  /**
   * Creates a file.
   *
   * @throws DiskException when something has its name
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with this
  static FileOutput create(FileSystem files, Path path) throws DiskException {
    return new FileOutput(files.open(path, OpenMode.CREATE_NEW));
  }

  /**
   * Writes a byte.
   *
   * @throws UncheckedIOException when the disk refuses it, with the {@link DiskException} inside
   */
  @Override
  public void write(int value) {
    write(new byte[] {(byte) value}, 0, 1);
  }

  /**
   * Writes bytes.
   *
   * @throws UncheckedIOException when the disk refuses them, with the {@link DiskException} inside
   */
  @Override
  public void write(byte[] bytes, int offset, int length) {
    try {
      if (length > buffer.length - filled) {
        empty();
      }
      if (length > buffer.length) {
        file.write(written, bytes, offset, length);
        written += length;
      } else {
        System.arraycopy(bytes, offset, buffer, filled, length);
        filled += length;
      }
    } catch (DiskException failure) {
      throw new UncheckedIOException(new IOException(failure));
    }
  }

  private void empty() throws DiskException {
    file.write(written, buffer, 0, filled);
    written += filled;
    filled = 0;
  }

  /** Makes everything durable. */
  void finish() throws DiskException {
    empty();
    file.force();
  }

  /** Gives the file back; what {@link #finish} did not make durable may be missing. */
  @Override
  public void close() {
    file.close();
  }
}

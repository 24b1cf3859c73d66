package dev.varve.common.env;

import dev.varve.common.bytes.Crc32c;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;

/**
 * A file and where a copy of it goes.
 *
 * @param files where both are
 * @param source what is copied
 * @param target what is made; it must not be there
 */
public record FileCopy(FileSystem files, Path source, Path target) {
  private static final int BUFFER_BYTES = 1 << 20;

  /**
   * Copies the bytes and forces them; durable once the target's directory is forced.
   *
   * @return the CRC32C of the bytes
   */
  public int run() throws DiskException {
    try (StorageFile from = files.open(source, OpenMode.READ_ONLY);
        StorageFile to = files.open(target, OpenMode.CREATE_NEW)) {
      Crc32c crc = new Crc32c();
      byte[] buffer = new byte[(int) Math.min(BUFFER_BYTES, Math.max(1, from.size()))];
      long position = 0;
      int read = from.read(position, buffer, 0, buffer.length);
      while (read > 0) {
        to.write(position, buffer, 0, read);
        crc.update(buffer, 0, read);
        position += read;
        read = from.read(position, buffer, 0, buffer.length);
      }
      to.force();
      return crc.value();
    }
  }
}

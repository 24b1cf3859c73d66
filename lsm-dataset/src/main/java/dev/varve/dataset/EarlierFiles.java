package dev.varve.dataset;

import dev.varve.common.bytes.Crc32c;
import dev.varve.common.env.FileCopy;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.StorageException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Copies components, but for those that an earlier copy has: these are linked from there. Both are
 * read for that, so that a file of the earlier copy that was damaged since is not taken over.
 * Confined to one thread.
 */
final class EarlierFiles implements StoreImage.Linking {
  private static final int BUFFER_BYTES = 1 << 20;

  private final FileSystem files;
  private final @Nullable Path store;
  private long reused;
  private long copiedBytes;

  EarlierFiles(FileSystem files, @Nullable Path earlier) {
    this.files = files;
    this.store = earlier == null ? null : earlier.resolve("store");
  }

  @Override
  public void link(Path source, Path target, Path name) throws StorageException {
    Path before = store == null ? source : store.resolve(name);
    if (store != null
        && files.exists(before)
        && files.size(before) == files.size(source)
        && checksum(before) == checksum(source)) {
      files.link(before, target);
      reused++;
      return;
    }
    int copied = new FileCopy(files, source, target).run();
    assert copied == checksum(source) : source;
    copiedBytes += files.size(target);
  }

  private int checksum(Path path) throws StorageException {
    Crc32c crc = new Crc32c();
    try (StorageFile file = files.open(path, OpenMode.READ_ONLY)) {
      byte[] buffer = new byte[(int) Math.min(BUFFER_BYTES, Math.max(1, file.size()))];
      long position = 0;
      int read = file.read(position, buffer, 0, buffer.length);
      while (read > 0) {
        crc.update(buffer, 0, read);
        position += read;
        read = file.read(position, buffer, 0, buffer.length);
      }
    }
    return crc.value();
  }

  long reused() {
    return reused;
  }

  long copiedBytes() {
    return copiedBytes;
  }
}

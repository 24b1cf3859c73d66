package dev.varve.common.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Crc32c;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentId;
import dev.varve.common.disk.Manifest.ComponentOfLevel;
import dev.varve.common.disk.Manifest.Level;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.StorageException;
import dev.varve.common.merge.KeyInterval;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads and replaces the manifest in the directory of an index. A new one is written beside the
 * old, forced, and renamed over it, so that there is always a whole one. One thread at a time.
 */
final class ManifestFile {
  /** Name of the file. */
  static final String NAME = "manifest";

  private final FileSystem files;
  private final Path directory;
  private final Path path;
  private final long storeId;
  private final int indexId;

  ManifestFile(FileSystem files, Path directory, long storeId, int indexId) {
    this.files = files;
    this.directory = directory;
    this.path = directory.resolve(NAME);
    this.storeId = storeId;
    this.indexId = indexId;
  }

  /** Reads the manifest; null when there is none. */
  @Nullable Manifest read() throws StorageException {
    if (!files.exists(path)) {
      return null;
    }
    try (StorageFile file = files.open(path, FileSystem.OpenMode.READ_ONLY)) {
      long size = file.size();
      if (size < ManifestLayout.BODY || size > ManifestLayout.MAX_BYTES) {
        throw corrupt(-1, "manifest of " + size + " bytes");
      }
      byte[] bytes = new byte[(int) size];
      if (file.read(0, bytes, 0, bytes.length) != bytes.length) {
        throw corrupt(-1, "the file became shorter");
      }
      return decode(bytes);
    }
  }

  /**
   * Replaces the manifest; durable when this returns. When it throws, the old one or the new one
   * may be there after a crash.
   */
  void write(Manifest manifest) throws StorageException {
    byte[] bytes = encode(manifest);
    if (bytes.length > ManifestLayout.MAX_BYTES) {
      throw new LimitException("bytes of a manifest", bytes.length, ManifestLayout.MAX_BYTES);
    }
    WholeFile.write(files, path, bytes);
  }

  /** Deletes it; durable when this returns. */
  void delete() throws DiskException {
    if (files.exists(path)) {
      files.delete(path);
      files.forceDirectory(directory);
    }
  }

  private byte[] encode(Manifest manifest) {
    Writer out = new Writer();
    out.number(ManifestLayout.MAGIC_VALUE);
    out.integer(ManifestLayout.VERSION_VALUE);
    out.integer(0);
    out.number(storeId);
    out.integer(indexId);
    out.integer(manifest.levels().size());
    out.number(manifest.newestFlush());
    out.number(manifest.indexLsn());
    for (Level level : manifest.levels()) {
      out.integer(level.files().size());
      out.integer(level.mergedLast().isPresent() ? 1 : 0);
      level.mergedLast().ifPresent(out::keys);
      for (ComponentOfLevel file : level.files()) {
        out.number(file.number());
        out.number(file.flushes().map(ComponentId::first).orElse(0L));
        out.number(file.flushes().map(ComponentId::last).orElse(0L));
        out.keys(file.keys());
      }
    }
    byte[] bytes = out.bytes.toByteArray();
    Bytes.putInt(bytes, ManifestLayout.CRC, crc(bytes));
    return bytes;
  }

  private Manifest decode(byte[] bytes) throws StorageException {
    if (Bytes.getLong(bytes, ManifestLayout.MAGIC) != ManifestLayout.MAGIC_VALUE) {
      throw corrupt(ManifestLayout.MAGIC, "not a manifest");
    }
    if (Bytes.getInt(bytes, ManifestLayout.CRC) != crc(bytes)) {
      throw corrupt(ManifestLayout.CRC, "checksum does not match");
    }
    int version = Bytes.getInt(bytes, ManifestLayout.VERSION);
    if (version != ManifestLayout.VERSION_VALUE) {
      throw new FormatVersionException(path.toString(), version, ManifestLayout.VERSION_VALUE);
    }
    long store = Bytes.getLong(bytes, ManifestLayout.STORE);
    int index = Bytes.getInt(bytes, ManifestLayout.INDEX);
    if (store != storeId || index != indexId) {
      throw corrupt(
          ManifestLayout.STORE,
          String.format(
              "manifest of index %d of store %x, not %d of %x", index, store, indexId, storeId));
    }
    int levels = Bytes.getInt(bytes, ManifestLayout.LEVELS);
    if (levels < 1 || levels > ManifestLayout.MAX_LEVELS) {
      throw corrupt(ManifestLayout.LEVELS, levels + " levels");
    }
    Reader in = new Reader(bytes);
    List<Level> found = new ArrayList<>();
    for (int level = 0; level < levels; level++) {
      found.add(in.level());
    }
    if (in.at != bytes.length) {
      throw corrupt(in.at, "bytes behind the last level");
    }
    try {
      return new Manifest(
          Bytes.getLong(bytes, ManifestLayout.NEWEST_FLUSH),
          Bytes.getLong(bytes, ManifestLayout.INDEX_LSN),
          found);
    } catch (IllegalArgumentException e) {
      throw corrupt(ManifestLayout.BODY, String.valueOf(e.getMessage()));
    }
  }

  private static int crc(byte[] bytes) {
    return new Crc32c()
        .update(bytes, 0, ManifestLayout.CRC)
        .update(bytes, ManifestLayout.STORE, bytes.length - ManifestLayout.STORE)
        .value();
  }

  private CorruptionException corrupt(long offset, String problem) {
    return new CorruptionException(path.toString(), offset, problem);
  }

  /** Collects the bytes. */
  private static final class Writer {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final byte[] scratch = new byte[Long.BYTES];

    void number(long value) {
      Bytes.putLong(scratch, 0, value);
      bytes.write(scratch, 0, Long.BYTES);
    }

    void integer(int value) {
      Bytes.putInt(scratch, 0, value);
      bytes.write(scratch, 0, Integer.BYTES);
    }

    void keys(KeyInterval keys) {
      for (Slice key : List.of(keys.smallest(), keys.largest())) {
        integer(key.length());
        bytes.write(key.bytes(), key.offset(), key.length());
      }
    }
  }

  /** Reads a body that its checksum vouched for, and still believes no length. */
  private final class Reader {
    private final byte[] bytes;
    private int at = ManifestLayout.BODY;

    Reader(byte[] bytes) {
      this.bytes = bytes;
    }

    Level level() throws CorruptionException {
      int count = integer();
      int merged = integer();
      if (count < 0 || merged < 0 || merged > 1) {
        throw corrupt(at, "a level of " + count + " components, merged " + merged);
      }
      Optional<KeyInterval> mergedLast = merged == 1 ? Optional.of(keys()) : Optional.empty();
      List<ComponentOfLevel> components = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        components.add(component());
      }
      return new Level(mergedLast, components);
    }

    private ComponentOfLevel component() throws CorruptionException {
      long number = number();
      long first = number();
      long last = number();
      if (first != 0 || last != 0) {
        if (first < 1 || last < first) {
          throw corrupt(at, "flushes " + first + " to " + last);
        }
        return new ComponentOfLevel(number, Optional.of(new ComponentId(first, last)), keys());
      }
      return new ComponentOfLevel(number, Optional.empty(), keys());
    }

    private KeyInterval keys() throws CorruptionException {
      int begin = at;
      Slice smallest = key();
      Slice largest = key();
      if (smallest.compareBytes(largest) > 0) {
        throw corrupt(begin, "keys from " + smallest + " down to " + largest);
      }
      return new KeyInterval(smallest, largest);
    }

    private Slice key() throws CorruptionException {
      int length = integer();
      require(length);
      Slice key = new Slice(Arrays.copyOfRange(bytes, at, at + length));
      at += length;
      return key;
    }

    private int integer() throws CorruptionException {
      require(Integer.BYTES);
      at += Integer.BYTES;
      return Bytes.getInt(bytes, at - Integer.BYTES);
    }

    private long number() throws CorruptionException {
      require(Long.BYTES);
      at += Long.BYTES;
      return Bytes.getLong(bytes, at - Long.BYTES);
    }

    private void require(int length) throws CorruptionException {
      if (length < 0 || length > bytes.length - at) {
        throw corrupt(at, length + " bytes in a manifest of " + bytes.length);
      }
    }
  }
}

package dev.varve.common.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Crc32c;
import dev.varve.common.bytes.Varint;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.ComponentFileWriter;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.roaringbitmap.longlong.LongIterator;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/**
 * A file beside that of a component, which is never written again: what a repair has found out
 * about its entries. A further repair writes another file, under another name, and then the one
 * before it goes. Immutable and thread-safe.
 *
 * @param path where it is, or will be
 * @param storeId the store that it belongs to
 * @param componentId identity of the component's file
 * @param componentBytes size of that file
 */
record RepairFile(Path path, long storeId, long componentId, long componentBytes) {
  private static final String SUFFIX = ".repair";
  private static final Pattern NAME =
      Pattern.compile("([cr]-[0-9]{1,18}(?:-[0-9]{1,18})?)\\.([0-9]{1,18})\\.repair");

  /** How the file is called that says of a component that it was checked so far. */
  static String name(String component, long checkedTo) {
    return stem(component) + "." + checkedTo + SUFFIX;
  }

  private static String stem(String component) {
    int length = component.length() - ComponentFileWriter.SEALED_SUFFIX.length();
    return component.substring(0, length);
  }

  /** Whether a file is called as one of these. */
  static boolean isOne(String name) {
    return NAME.matcher(name).matches();
  }

  /**
   * The names of those that count: of each component that has one, the one that goes furthest.
   *
   * @param names everything in the directory
   * @param components names of the components that count
   * @return by name of the component
   */
  static Map<String, String> counted(Collection<String> names, Collection<String> components) {
    Map<String, Long> furthest = new HashMap<>();
    for (String name : names) {
      Matcher matcher = NAME.matcher(name);
      if (matcher.matches()) {
        String component = matcher.group(1) + ComponentFileWriter.SEALED_SUFFIX;
        furthest.merge(component, Long.parseLong(matcher.group(2)), Math::max);
      }
    }
    furthest.keySet().retainAll(components);
    Map<String, String> counted = new HashMap<>();
    furthest.forEach((component, to) -> counted.put(component, name(component, to)));
    return counted;
  }

  /** Writes it; durable when this returns. When it throws, it may be there or not. */
  void write(FileSystem files, Repair repair) throws StorageException {
    assert path.endsWith(name(componentName(), repair.checkedTo())) : path;
    WholeFile.write(files, path, encode(repair));
  }

  private String componentName() {
    Matcher matcher = NAME.matcher(String.valueOf(path.getFileName()));
    return (matcher.matches() ? matcher.group(1) : "") + ComponentFileWriter.SEALED_SUFFIX;
  }

  /** Reads it. */
  Repair read(FileSystem files) throws StorageException {
    try (StorageFile file = files.open(path, FileSystem.OpenMode.READ_ONLY)) {
      long size = file.size();
      long most = RepairLayout.BODY + (long) RepairLayout.MOST_DEAD * Varint.MAX_INT_BYTES;
      if (size < RepairLayout.BODY || size > most) {
        throw corrupt(-1, "a repair of " + size + " bytes");
      }
      byte[] bytes = new byte[(int) size];
      if (file.read(0, bytes, 0, bytes.length) != bytes.length) {
        throw corrupt(-1, "the file became shorter");
      }
      return decode(bytes);
    }
  }

  private byte[] encode(Repair repair) {
    int size = RepairLayout.BODY;
    long last = 0;
    for (LongIterator it = repair.dead().getLongIterator(); it.hasNext(); ) {
      long position = it.next();
      size = Math.addExact(size, Varint.sizeOf(position - last));
      last = position;
    }
    byte[] bytes = new byte[size];
    Bytes.putLong(bytes, RepairLayout.MAGIC, RepairLayout.MAGIC_VALUE);
    Bytes.putInt(bytes, RepairLayout.VERSION, RepairLayout.VERSION_VALUE);
    Bytes.putLong(bytes, RepairLayout.STORE, storeId);
    Bytes.putLong(bytes, RepairLayout.COMPONENT, componentId);
    Bytes.putLong(bytes, RepairLayout.COMPONENT_BYTES, componentBytes);
    Bytes.putLong(bytes, RepairLayout.CHECKED_TO, repair.checkedTo());
    Bytes.putLong(bytes, RepairLayout.COUNT, repair.dead().getLongCardinality());
    int at = RepairLayout.BODY;
    last = 0;
    for (LongIterator it = repair.dead().getLongIterator(); it.hasNext(); ) {
      long position = it.next();
      at = Varint.putLong(bytes, at, position - last);
      last = position;
    }
    assert at == size : at;
    Bytes.putInt(bytes, RepairLayout.CRC, crc(bytes));
    return bytes;
  }

  private Repair decode(byte[] bytes) throws StorageException {
    if (Bytes.getLong(bytes, RepairLayout.MAGIC) != RepairLayout.MAGIC_VALUE) {
      throw corrupt(RepairLayout.MAGIC, "no repair of a component");
    }
    if (Bytes.getInt(bytes, RepairLayout.CRC) != crc(bytes)) {
      throw corrupt(RepairLayout.CRC, "checksum does not match");
    }
    int version = Bytes.getInt(bytes, RepairLayout.VERSION);
    if (version != RepairLayout.VERSION_VALUE) {
      throw new FormatVersionException(path.toString(), version, RepairLayout.VERSION_VALUE);
    }
    requireSame(bytes, RepairLayout.STORE, storeId, "store");
    requireSame(bytes, RepairLayout.COMPONENT, componentId, "component");
    requireSame(bytes, RepairLayout.COMPONENT_BYTES, componentBytes, "component size");
    long checkedTo = Bytes.getLong(bytes, RepairLayout.CHECKED_TO);
    if (!path.endsWith(name(componentName(), checkedTo))) {
      throw corrupt(RepairLayout.CHECKED_TO, "a repair up to " + checkedTo + " by another name");
    }
    Roaring64Bitmap dead = new Roaring64Bitmap();
    long count = Bytes.getLong(bytes, RepairLayout.COUNT);
    int at = RepairLayout.BODY;
    long position = 0;
    for (long i = 0; i < count; i++) {
      long gap = at < bytes.length ? Varint.get(bytes, at, bytes.length) : Varint.MALFORMED;
      if (gap < 0 || (gap == 0 && i > 0) || position + gap < 0) {
        throw corrupt(at, "no position of a dead entry behind " + position);
      }
      at += Varint.sizeOf(gap);
      position += gap;
      dead.addLong(position);
    }
    if (at != bytes.length) {
      throw corrupt(at, "bytes behind the last dead entry");
    }
    return new Repair(dead, checkedTo);
  }

  private void requireSame(byte[] bytes, int at, long wanted, String what)
      throws CorruptionException {
    long found = Bytes.getLong(bytes, at);
    if (found != wanted) {
      throw corrupt(at, String.format("a repair of %s %x, not %x", what, found, wanted));
    }
  }

  private static int crc(byte[] bytes) {
    return new Crc32c()
        .update(bytes, 0, RepairLayout.CRC)
        .update(bytes, RepairLayout.STORE, bytes.length - RepairLayout.STORE)
        .value();
  }

  private CorruptionException corrupt(long offset, String problem) {
    return new CorruptionException(path.toString(), offset, problem);
  }
}

package dev.varve.common.env;

import dev.varve.common.bytes.Crc32c;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Where files go that an engine found and does not count, instead of being deleted: a folder of
 * their own for each, with a record beside them of where they were, why they were moved and when
 * (docs/format/quarantine.md). One thread at a time moves and deletes; a crash in between leaves a
 * file where it was, or in its folder, or (as a second name of the same file) both.
 */
public final class Quarantine {
  /** Whether anything that is durable says that the engine can do without a file. */
  public enum Kind {
    /**
     * A durable record says so, as a manifest that names what took its place: deleted after the
     * next clean checkpoint, which is that of an orderly close.
     */
    SUPERFLUOUS,
    /** Nothing explains it, or it is damaged: stays until somebody takes it away. */
    UNEXPLAINED
  }

  /**
   * Something that was moved.
   *
   * @param content where it is now
   * @param origin where it was, below the directory that the quarantine is in; a text for people
   * @param reason why it does not count
   */
  public record Item(Path content, Kind kind, String origin, String reason) {}

  private static final Logger LOGGER = LogManager.getLogger(Quarantine.class);
  private static final String NAME = "quarantine";
  private static final String RECORD = "record.txt";
  private static final Pattern FOLDER = Pattern.compile("q-([0-9]{10})");
  private static final int MAX_RECORD_BYTES = 64 << 10;
  private static final int TRAILER_BYTES = "#crc32c 00000000\n".length();
  private static final Pattern RECORD_TEXT =
      Pattern.compile(
          "varve-quarantine 1\nkind ([A-Z]+)\nfrom (.*)\nreason (.*)\nat (.*)\n#crc32c"
              + " ([0-9a-f]{8})\n");

  private final FileSystem files;
  private final Clock clock;

  /** Where files may come from, and stay: each on a device of its own, perhaps. */
  private final List<Path> roots;

  /** The quarantine of an engine's directory; made when something is moved there. */
  public Quarantine(FileSystem files, Clock clock, Path engineDirectory) {
    this(files, clock, List.of(engineDirectory));
  }

  /** The quarantines of an engine whose files are in several directories, its own first. */
  public Quarantine(FileSystem files, Clock clock, List<Path> engineDirectories) {
    this.files = files;
    this.clock = clock;
    this.roots = List.copyOf(engineDirectories);
    assert !roots.isEmpty();
  }

  /** The directory of what comes out of one of an engine's directories; it need not exist. */
  public static Path directory(Path root) {
    return root.resolve(NAME);
  }

  private Path rootOf(Path source) {
    return roots.stream().filter(source::startsWith).findFirst().orElse(roots.get(0));
  }

  /**
   * Moves a file, or a directory with all that is in it, durably; on the same device.
   *
   * @return where it is now
   */
  public Path put(Path source, Kind kind, String reason) throws DiskException {
    Path root = rootOf(source);
    Path directory = directory(root);
    Path folder = newFolder(root);
    String origin =
        source.startsWith(root) ? root.relativize(source).toString() : source.toString();
    writeRecord(folder.resolve(RECORD), record(kind, origin, reason));
    files.forceDirectory(folder);
    files.forceDirectory(directory);
    Path target = folder.resolve(name(source));
    files.rename(source, target);
    // In this order: the file must not lose its old name before the new one is durable.
    files.forceDirectory(folder);
    Path parent = source.getParent();
    if (parent != null) {
      files.forceDirectory(parent);
    }
    LOGGER.warn("{} was moved to {}: {}", source, target, reason);
    return target;
  }

  private Path newFolder(Path root) throws DiskException {
    Path directory = directory(root);
    boolean first = !files.exists(directory);
    if (first) {
      files.createDirectories(directory);
      files.forceDirectory(root);
    }
    long last = 0;
    for (Path found : files.list(directory)) {
      Matcher name = FOLDER.matcher(name(found));
      last = name.matches() ? Math.max(last, Long.parseLong(name.group(1))) : last;
    }
    Path folder = directory.resolve(String.format("q-%010d", last + 1));
    files.createDirectories(folder);
    return folder;
  }

  private void writeRecord(Path path, byte[] bytes) throws DiskException {
    try (StorageFile file = files.open(path, OpenMode.CREATE_NEW)) {
      file.write(0, bytes, 0, bytes.length);
      file.force();
    }
  }

  private byte[] record(Kind kind, String origin, String reason) {
    String text =
        String.format(
            "varve-quarantine 1\nkind %s\nfrom %s\nreason %s\nat %s\n",
            kind,
            oneLine(origin),
            oneLine(reason),
            Instant.ofEpochMilli(clock.currentTimeMillis()));
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    String trailer = "#crc32c " + HexFormat.of().toHexDigits(Crc32c.of(bytes, 0, bytes.length));
    return (text + trailer + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\p{Cntrl}", " ");
  }

  /** What is there, in the order in which it came. */
  public List<Item> items() throws DiskException {
    List<Item> items = new ArrayList<>();
    for (Path root : roots) {
      if (files.exists(directory(root))) {
        addItems(directory(root), items);
      }
    }
    return items;
  }

  private void addItems(Path directory, List<Item> items) throws DiskException {
    for (Path folder : files.list(directory)) {
      if (!FOLDER.matcher(name(folder)).matches()) {
        items.add(unrecorded(folder));
        continue;
      }
      List<Path> content = new ArrayList<>(files.list(folder));
      content.removeIf(each -> name(each).equals(RECORD));
      for (Path each : content) {
        items.add(read(folder.resolve(RECORD), each));
      }
    }
  }

  /** A record that cannot be read does not keep an engine from opening: what it is about stays. */
  private Item read(Path record, Path content) {
    try (StorageFile file = files.open(record, OpenMode.READ_ONLY)) {
      byte[] bytes = new byte[(int) Math.min(file.size(), MAX_RECORD_BYTES)];
      int length = file.read(0, bytes, 0, bytes.length);
      Matcher text = RECORD_TEXT.matcher(new String(bytes, 0, length, StandardCharsets.UTF_8));
      if (text.matches()
          && HexFormat.fromHexDigits(text.group(5))
              == Crc32c.of(bytes, 0, length - TRAILER_BYTES)) {
        return new Item(content, Kind.valueOf(text.group(1)), text.group(2), text.group(3));
      }
    } catch (StorageException | IllegalArgumentException unreadable) {
      LOGGER.warn("{} cannot be read", record, unreadable);
    }
    return unrecorded(content);
  }

  private static Item unrecorded(Path content) {
    return new Item(content, Kind.UNEXPLAINED, "unknown", "no record says why it is here");
  }

  /** After a clean checkpoint: deletes what is superfluous, and folders that hold nothing. */
  public void deleteSuperfluous() throws DiskException {
    for (Item item : items()) {
      if (item.kind() == Kind.SUPERFLUOUS) {
        LOGGER.info("{} is deleted, which was {}", item.content(), item.origin());
        new FileTree(files, item.content()).delete();
      }
    }
    for (Path root : roots) {
      if (files.exists(directory(root))) {
        deleteEmptyFolders(directory(root));
      }
    }
  }

  private void deleteEmptyFolders(Path directory) throws DiskException {
    for (Path folder : files.list(directory)) {
      if (FOLDER.matcher(name(folder)).matches() && holdsNothing(folder)) {
        new FileTree(files, folder).delete();
      }
    }
    files.forceDirectory(directory);
  }

  private boolean holdsNothing(Path folder) throws DiskException {
    return files.list(folder).stream().allMatch(each -> name(each).equals(RECORD));
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }
}

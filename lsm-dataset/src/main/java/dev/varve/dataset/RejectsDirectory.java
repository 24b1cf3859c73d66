package dev.varve.dataset;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.StorageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The records that repairs set aside: a directory with a file for each batch that had any, one JSON
 * object a line with the names of {@link RejectedRecord}. A file is whole and durable once it has
 * its name, and none is ever changed. A repair deletes the records of a batch after that, and
 * begins the next batch after that; so after a crash only records of the last file may be rejected
 * once more, and they are not written again. Made when the first record is rejected. Confined to
 * one thread.
 */
final class RejectsDirectory {
  /** Name of the directory in that of an engine or cluster. */
  static final String NAME = "repair-rejects";

  private static final String BUILDING = "building";
  private static final Pattern FILE = Pattern.compile("(\\d{6,})\\.jsonl");

  private final FileSystem files;
  private final Path directory;
  private final List<String> lines = new ArrayList<>();

  /** The lines of the file that was the last when the repair began; null before it was read. */
  private @Nullable Set<String> before;

  private long last;

  RejectsDirectory(FileSystem files, Path directory) {
    this.files = files;
    this.directory = directory;
  }

  /** Adds a record, unless a crash has left it here. */
  void add(RejectedRecord record) throws StorageException {
    Set<String> there = before;
    if (there == null) {
      there = open();
      before = there;
    }
    String line = line(record);
    if (!there.contains(line)) {
      lines.add(line);
    }
  }

  /** Makes what was added durable. */
  void force() throws StorageException {
    if (lines.isEmpty()) {
      return;
    }
    Path building = directory.resolve(BUILDING);
    if (files.exists(building)) {
      files.delete(building);
    }
    byte[] bytes = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    try (StorageFile file = files.open(building, OpenMode.CREATE_NEW)) {
      file.write(0, bytes, 0, bytes.length);
      file.force();
    }
    last++;
    files.rename(building, directory.resolve(String.format(Locale.ROOT, "%06d.jsonl", last)));
    files.forceDirectory(directory);
    lines.clear();
  }

  private Set<String> open() throws StorageException {
    if (!files.exists(directory)) {
      files.createDirectories(directory);
    }
    // In any case: a crash may have come between the making of something and this.
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null) {
      files.forceDirectory(parent);
    }
    files.forceDirectory(directory);
    Path newest = null;
    for (Path path : files.list(directory)) {
      Matcher name = FILE.matcher(String.valueOf(path.getFileName()));
      if (name.matches() && Long.parseLong(name.group(1)) > last) {
        last = Long.parseLong(name.group(1));
        newest = path;
      }
    }
    return newest == null ? Set.of() : read(newest);
  }

  private Set<String> read(Path path) throws StorageException {
    try (StorageFile file = files.open(path, OpenMode.READ_ONLY)) {
      byte[] bytes = new byte[Math.toIntExact(file.size())];
      int read = file.read(0, bytes, 0, bytes.length);
      return new HashSet<>(new String(bytes, 0, read, StandardCharsets.UTF_8).lines().toList());
    }
  }

  private static String line(RejectedRecord record) {
    return "{"
        + String.join(
            ",",
            text("dataset", record.dataset()),
            text("key", record.key()),
            text("keptAt", record.keptAt()),
            text("kept", record.kept()),
            text("foundAt", record.foundAt()),
            text("rejected", record.rejected()))
        + "}";
  }

  private static String text(String name, String value) {
    return quoted(name) + ":" + quoted(value);
  }

  private static String quoted(String value) {
    return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(value)) + "\"";
  }
}

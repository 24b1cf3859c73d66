package dev.varve.transaction.log;

import dev.varve.common.env.FileSystem;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of the files in a log's directory. A file called {@code segment-….log} was written to its
 * full length and forced, or is a rewritten, shorter one; while it is being made it ends in {@code
 * .unfinished}. Thread-safe: no state.
 */
final class SegmentFiles {
  private static final Pattern NAME = Pattern.compile("segment-(\\d{10,18})\\.log");
  private static final String UNFINISHED = ".unfinished";

  private final FileSystem files;
  private final Path directory;

  SegmentFiles(FileSystem files, Path directory) {
    this.files = files;
    this.directory = directory;
  }

  /** Where a segment lies. */
  Path path(long segment) {
    return directory.resolve(String.format("segment-%010d.log", segment));
  }

  /** Where a segment lies while it is being made. */
  Path unfinishedPath(long segment) {
    return directory.resolve(String.format("segment-%010d.log", segment) + UNFINISHED);
  }

  /** The segments that are there, by id; names that are not ours are left alone. */
  SortedMap<Long, Path> list() throws DiskException {
    SortedMap<Long, Path> segments = new TreeMap<>();
    if (!files.exists(directory)) {
      return segments;
    }
    for (Path path : files.list(directory)) {
      Matcher name = NAME.matcher(path.getFileName().toString());
      if (name.matches()) {
        long segment = Long.parseLong(name.group(1));
        if (path.equals(path(segment))) {
          segments.put(segment, path);
        }
      }
    }
    return segments;
  }

  /** Deletes what a crash left half-made. */
  void deleteUnfinished() throws DiskException {
    for (Path path : files.list(directory)) {
      String name = path.getFileName().toString();
      if (name.endsWith(UNFINISHED)
          && NAME.matcher(name.substring(0, name.length() - UNFINISHED.length())).matches()) {
        files.delete(path);
      }
    }
  }
}

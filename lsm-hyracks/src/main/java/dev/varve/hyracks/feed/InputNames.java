package dev.varve.hyracks.feed;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.Signal;
import dev.varve.common.error.DiskException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The names of the inputs of one share: those that are given, those that a pattern finds, and those
 * that come into a watched directory. Confined to one thread, but for {@link #close}.
 */
final class InputNames implements AutoCloseable {
  /** Before a path or pattern whose directory is looked into until the feed is stopped. */
  static final String WATCH = "watch:";

  private static final long LOOK_NANOS = 200_000_000L;

  private final FileSystem files;
  private final Signal closing;
  private final int partition;
  private final int partitions;
  private final Queue<String> found = new ArrayDeque<>();
  private final Set<String> known = new HashSet<>();
  private final List<String> watched = new ArrayList<>();
  private volatile boolean closed;

  /**
   * The names of a share.
   *
   * @param files where patterns are looked up
   * @param closing raised by {@link #close}
   * @throws DiskException when a pattern that is not watched finds nothing
   */
  InputNames(InputSource source, FileSystem files, Signal closing, int partition, int partitions)
      throws DiskException {
    assert partition >= 0 && partition < partitions : partition + " of " + partitions;
    this.files = files;
    this.closing = closing;
    this.partition = partition;
    this.partitions = partitions;
    List<String> inputs = source.inputs();
    for (int i = 0; i < inputs.size(); i++) {
      String input = inputs.get(i);
      if (input.startsWith(WATCH)) {
        watched.add(input.substring(WATCH.length()));
      } else if (isPattern(input)) {
        if (look(input) == 0) {
          throw new DiskException(input, "read: there is no such file", null);
        }
      } else if (i % partitions == partition) {
        found.add(input);
      }
    }
  }

  /** Whether an input may be several files. */
  static boolean isOpen(String input) {
    return input.startsWith(WATCH) || isPattern(input);
  }

  private static boolean isPattern(String input) {
    return !input.contains("://") && (input.indexOf('*') >= 0 || input.indexOf('?') >= 0);
  }

  /** The same for a process with another working directory. */
  static String absolute(String input) {
    return input.startsWith(WATCH)
        ? WATCH + Path.of(input.substring(WATCH.length())).toAbsolutePath()
        : Path.of(input).toAbsolutePath().toString();
  }

  /** The next name; waits for one where a directory is watched, and is null when none comes. */
  @Nullable String next() throws DiskException {
    while (found.isEmpty() && !watched.isEmpty() && !closed) {
      for (String pattern : watched) {
        look(pattern);
      }
      if (found.isEmpty()
          && closing.await(() -> closed, LOOK_NANOS) == Signal.Outcome.INTERRUPTED) {
        return null;
      }
    }
    return closed ? null : found.poll();
  }

  /** Adds what is new and of this share; says how many files there are, of whatever share. */
  private int look(String pattern) throws DiskException {
    Path path = Path.of(pattern);
    boolean all = !isPattern(pattern) && files.isDirectory(path);
    Path directory = all ? path : path.toAbsolutePath().getParent();
    if (directory == null || (!all && !files.isDirectory(directory))) {
      return 0;
    }
    PathMatcher matcher =
        FileSystems.getDefault().getPathMatcher("glob:" + (all ? "*" : path.getFileName()));
    Set<String> names = new TreeSet<>();
    for (Path file : files.list(directory)) {
      Path name = file.getFileName();
      if (!name.toString().startsWith(".")
          && matcher.matches(name)
          && !files.isDirectory(directory.resolve(name))) {
        names.add(directory.resolve(name).toString());
      }
    }
    for (String name : names) {
      if (Math.floorMod(name.hashCode(), partitions) == partition && known.add(name)) {
        found.add(name);
      }
    }
    return names.size();
  }

  /** Ends a wait; from then on there is no next name. */
  @Override
  public void close() {
    closed = true;
    closing.raise();
  }
}

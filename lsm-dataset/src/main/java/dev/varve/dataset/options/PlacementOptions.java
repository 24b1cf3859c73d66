package dev.varve.dataset.options;

import dev.varve.common.error.OptionProblems;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where files of a store lie that are not in its engine's directory, as on devices of their own. A
 * store keeps them where it was made: options that name others are refused, and options that name
 * none take those of the store. Paths become absolute.
 *
 * @param storeDirectories where the partitions of all datasets lie, partition p in the one at p
 *     modulo their number; none for the engine's own directory; file
 * @param logDirectory where the log lies; null for the engine's own directory; file
 */
public record PlacementOptions(List<Path> storeDirectories, @Nullable Path logDirectory) {
  /** Everything is in the engine's directory. */
  public static final PlacementOptions NONE = new PlacementOptions(List.of(), null);

  /** Most directories for partitions. */
  public static final int MAX_STORE_DIRECTORIES = 64;

  /** Reports all problems at once. */
  public PlacementOptions {
    storeDirectories = storeDirectories.stream().map(PlacementOptions::absolute).toList();
    logDirectory = logDirectory == null ? null : absolute(logDirectory);
    OptionProblems problems = new OptionProblems();
    problems.between("storeDirectories", storeDirectories.size(), 0, MAX_STORE_DIRECTORIES);
    List<Path> all = all(storeDirectories, logDirectory);
    for (int i = 0; i < all.size(); i++) {
      requireApart(all.get(i), all.subList(0, i), problems);
    }
    problems.report();
  }

  private static Path absolute(Path path) {
    return path.toAbsolutePath().normalize();
  }

  private static List<Path> all(List<Path> stores, @Nullable Path log) {
    return Stream.concat(stores.stream(), Stream.ofNullable(log)).toList();
  }

  /** All directories, that of the log last. */
  public List<Path> all() {
    return all(storeDirectories, logDirectory);
  }

  /** Whether everything is in the engine's directory. */
  public boolean isNone() {
    return storeDirectories.isEmpty() && logDirectory == null;
  }

  /** The same with a directory of a name in each of its directories. */
  public PlacementOptions below(String name) {
    return new PlacementOptions(
        storeDirectories.stream().map(each -> each.resolve(name)).toList(),
        logDirectory == null ? null : logDirectory.resolve(name));
  }

  /** Adds a problem for each directory that is one of others, in one of them or around one. */
  private static void requireApart(Path directory, List<Path> others, OptionProblems problems) {
    for (Path other : others) {
      if (directory.startsWith(other) || other.startsWith(directory)) {
        problems.add(
            directory
                + (directory.equals(other)
                    ? " is named twice among"
                    : " and " + other + " are one in the other among")
                + " storeDirectories and logDirectory");
      }
    }
  }

  /** Adds a problem for each directory that is not apart from that of the engine. */
  void requireApartFrom(Path engine, OptionProblems problems) {
    for (Path each : all()) {
      requireApart(each, List.of(absolute(engine)), problems);
    }
  }
}

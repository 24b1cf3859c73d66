package dev.varve.cli.command;

import dev.varve.common.env.FileSystem;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A directory of backups, each in a directory that is called by its number. Changes nothing.
 *
 * @param files where it is
 * @param directory which it is
 */
record BackupDirectory(FileSystem files, Path directory) {
  private static final Pattern NUMBER = Pattern.compile("[0-9]{6}");

  /** The backups by their numbers. */
  private SortedMap<Integer, Path> backups() throws StorageException {
    SortedMap<Integer, Path> backups = new TreeMap<>();
    for (Path path : files.list(directory)) {
      String name = String.valueOf(path.getFileName());
      if (NUMBER.matcher(name).matches()) {
        backups.put(Integer.valueOf(name), path);
      }
    }
    return backups;
  }

  /** The newest backup, if there is any. */
  Optional<Path> newest() throws StorageException {
    if (!files.exists(directory)) {
      return Optional.empty();
    }
    SortedMap<Integer, Path> backups = backups();
    return backups.isEmpty()
        ? Optional.empty()
        : Optional.ofNullable(backups.get(backups.lastKey()));
  }

  /**
   * Where the next backup goes.
   *
   * @throws ConflictException with {@code FOREIGN_FILES} when something else is in the directory
   */
  Path next() throws StorageException {
    int last = 0;
    if (files.exists(directory)) {
      SortedMap<Integer, Path> backups = backups();
      last = backups.isEmpty() ? 0 : backups.lastKey();
      for (Path path : files.list(directory)) {
        if (!backups.containsValue(path)) {
          throw new ConflictException(
              ConflictException.Reason.FOREIGN_FILES,
              path + " is no backup; backups go into a directory of their own");
        }
      }
    }
    return directory.resolve("%06d".formatted(last + 1));
  }

  /**
   * A backup by its number.
   *
   * @throws RequestException when it is not there
   */
  Path get(int number) throws StorageException {
    Path found = files.exists(directory) ? backups().get(number) : null;
    if (found == null) {
      throw new RequestException(
          RequestException.Reason.UNKNOWN_DATASET, directory + " has no backup " + number);
    }
    return found;
  }
}

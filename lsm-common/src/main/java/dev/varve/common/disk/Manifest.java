package dev.varve.common.disk;

import dev.varve.common.component.ComponentId;
import dev.varve.common.merge.KeyInterval;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which component files of an index count, and at which level each is (docs/format/manifest.md).
 *
 * @param newestFlush sequence number of the newest flush that is in them or left nothing
 * @param indexLsn every logged operation at or below it is in them; -1 for none
 * @param levels level 0 first, oldest component first; from level 1 on ascending by key
 */
record Manifest(long newestFlush, long indexLsn, List<Level> levels) {
  /**
   * A level.
   *
   * @param mergedLast the keys of what went from here to the next level last, where a round goes on
   * @param files its components
   */
  record Level(Optional<KeyInterval> mergedLast, List<ComponentOfLevel> files) {
    Level {
      files = List.copyOf(files);
    }
  }

  /**
   * A component.
   *
   * @param number which one it is, from 1
   * @param flushes what its file is called by; empty when it is called by the number
   * @param keys from its smallest to its largest
   */
  record ComponentOfLevel(long number, Optional<ComponentId> flushes, KeyInterval keys) {
    /** The name of the file, if the flushes that it holds are those. */
    String fileName() {
      return flushes
          .map(id -> new ComponentName(id, 0))
          .orElse(new ComponentName(new ComponentId(1, 1), number))
          .sealed();
    }
  }

  /**
   * Checks what must hold whatever the files are.
   *
   * @throws IllegalArgumentException saying what does not
   */
  Manifest {
    levels = List.copyOf(levels);
    if (newestFlush < 0 || indexLsn < -1 || levels.isEmpty()) {
      throw new IllegalArgumentException(
          "newest flush " + newestFlush + ", index LSN " + indexLsn + ", " + levels.size());
    }
    Set<Long> numbers = new HashSet<>();
    for (int level = 0; level < levels.size(); level++) {
      KeyInterval before = null;
      for (ComponentOfLevel file : levels.get(level).files()) {
        if (file.number() < 1 || !numbers.add(file.number())) {
          throw new IllegalArgumentException("component number " + file.number());
        }
        if (level > 0 && before != null && !before.isBefore(file.keys())) {
          throw new IllegalArgumentException(
              "component " + file.number() + " of level " + level + " overlaps the one before");
        }
        before = file.keys();
      }
    }
  }

  /** The largest number of a component; 0 when there are none. */
  long largestNumber() {
    return levels.stream()
        .flatMap(level -> level.files().stream())
        .mapToLong(ComponentOfLevel::number)
        .max()
        .orElse(0);
  }
}

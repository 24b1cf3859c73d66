package dev.varve.common.disk;

import dev.varve.common.component.ComponentId;
import dev.varve.common.page.ComponentFileWriter;

/**
 * How the file of a disk component is called (docs/format/component.md). Where a manifest says what
 * counts, files have numbers, none of which comes twice: of the components that a merge cuts by key
 * range, many hold the same flushes.
 *
 * @param id which flushes the component holds
 * @param number the file's, from 1; 0 for one that is called by the flushes
 */
public record ComponentName(ComponentId id, long number) {
  /** Apart from any {@code first} of a component that is called by its flushes. */
  private static final long NUMBERED = 1L << 62;

  /** Checks the number. */
  public ComponentName {
    if (number < 0) {
      throw new IllegalArgumentException("component file number " + number);
    }
  }

  String sealed() {
    return stem() + ComponentFileWriter.SEALED_SUFFIX;
  }

  public String building() {
    return stem() + ComponentFileWriter.BUILDING_SUFFIX;
  }

  private String stem() {
    return number == 0 ? "c-" + id : "r-" + number;
  }

  /** Identity of the file, part of each page's checksum, so that a swapped file is found out. */
  long fileId(int indexId) {
    long index = (long) indexId << 40;
    return number == 0 ? index ^ (id.first() << 20) ^ id.last() : NUMBERED ^ index ^ number;
  }
}

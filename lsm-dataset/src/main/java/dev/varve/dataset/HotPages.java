package dev.varve.dataset;

import dev.varve.common.env.FileSystem;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.ComponentFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which pages a cache had that its store does not fit into: a file in the engine's directory, for
 * the next engine to read them before they are asked for; see docs/format/hot-pages.md. Confined to
 * its owner.
 */
final class HotPages {
  static final String NAME = "hot-pages.json";

  /** What is beyond is left out: ranges of some gigabytes of single pages. */
  private static final int MOST_CHARACTERS = 8 << 20;

  private final ShownFile file;

  /** Pages between this range and the one before, and pages in it. */
  private static final Pattern RANGE = Pattern.compile("([0-9]{1,9})\\+([1-9][0-9]{0,8})");

  /** What was listed of files that nobody has asked for yet, as text. */
  private Map<String, String> listed = Map.of();

  private boolean found;

  HotPages(FileSystem files, Path directory) {
    this.file = new ShownFile(files, directory.resolve(NAME));
  }

  /**
   * Pages that follow each other.
   *
   * @param first number of the first, from 1
   * @param end number behind the last
   */
  record Range(int first, int end) {}

  /**
   * Reads the list.
   *
   * @throws CorruptionException when it is damaged; then there is none
   */
  void read() throws StorageException {
    Optional<String> object = file.read();
    if (object.isPresent()) {
      listed = new HashMap<>(TextFields.read(object.get(), file.path()));
      found = true;
    }
  }

  /** Whether there was a list. */
  boolean found() {
    return found;
  }

  /**
   * The pages of a component's file that are listed, each once; empty when none is.
   *
   * @throws CorruptionException when they are no ranges
   */
  List<Range> take(ComponentFile component) throws CorruptionException {
    List<Range> ranges = new ArrayList<>();
    String text = listed.remove(Long.toString(component.fileId()));
    if (text == null) {
      return ranges;
    }
    long end = 1;
    for (String range : text.split(" ", -1)) {
      Matcher matcher = RANGE.matcher(range);
      if (!matcher.matches()) {
        throw new CorruptionException(file.path().toString(), -1, "no range of pages: " + range);
      }
      long first = end + Integer.parseInt(matcher.group(1));
      end = first + Integer.parseInt(matcher.group(2));
      if (end > component.pageCount()) {
        return ranges;
      }
      ranges.add(new Range((int) first, (int) end));
    }
    return ranges;
  }

  /**
   * Replaces the list.
   *
   * @param pages by the id of a component's file, numbers of the units that are hot
   */
  void write(Map<Long, BitSet> pages) throws StorageException {
    Map<String, String> fields = new LinkedHashMap<>();
    int characters = 0;
    for (Map.Entry<Long, BitSet> component : pages.entrySet()) {
      if (!component.getValue().isEmpty() && characters < MOST_CHARACTERS) {
        String text = text(component.getValue());
        characters += text.length();
        fields.put(component.getKey().toString(), text);
      }
    }
    file.write(TextFields.json(fields));
  }

  /** Deletes the list. */
  void delete() throws StorageException {
    file.delete();
  }

  private static String text(BitSet pages) {
    StringBuilder text = new StringBuilder();
    int end = 1;
    for (int first = pages.nextSetBit(0); first >= 0; first = pages.nextSetBit(end)) {
      text.append(text.isEmpty() ? "" : " ").append(first - end).append('+');
      end = pages.nextClearBit(first);
      text.append(end - first);
    }
    return text.toString();
  }
}

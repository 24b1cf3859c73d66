package dev.varve.common.disk;

import dev.varve.common.component.ComponentId;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.page.ComponentFileWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the names in the directory of an index say: which files count, and which do not because
 * another took their place. A pure decision over names; the files are looked at by others, and only
 * then is anything moved.
 *
 * @param counted files that count, oldest first where names say it
 * @param covering those of them that took the place of others that are still there: each has to be
 *     read through before any of the others goes
 * @param superfluous files that do not count
 * @param unfinished files that were being written, and never counted
 * @param repairs those of files that count, by the name of what they are about
 * @param idleRepairs all others: what they are about is not there, or a later one is
 */
record DirectoryPlan(
    List<String> counted,
    List<String> covering,
    List<String> superfluous,
    List<String> unfinished,
    Map<String, String> repairs,
    List<String> idleRepairs) {
  static final Pattern SEALED = Pattern.compile("c-([0-9]{1,18})-([0-9]{1,18})\\.lsm");
  static final Pattern NUMBERED = Pattern.compile("r-([0-9]{1,18})\\.lsm");

  DirectoryPlan {
    counted = List.copyOf(counted);
    covering = List.copyOf(covering);
    superfluous = List.copyOf(superfluous);
    unfinished = List.copyOf(unfinished);
    repairs = Map.copyOf(repairs);
    idleRepairs = List.copyOf(idleRepairs);
  }

  /**
   * Plans where names say which files count: those that tile all flushes from the first, of which
   * the widest count.
   *
   * @param names everything in the directory
   * @param damaged names of files that were found to be none, which then count as not there
   * @throws CorruptionException saying what is missing or in the way
   */
  static DirectoryPlan ofNames(Path directory, Collection<String> names, Set<String> damaged)
      throws CorruptionException {
    List<ComponentId> ids = new ArrayList<>();
    for (String name : names) {
      if (NUMBERED.matcher(name).matches()) {
        throw new CorruptionException(
            directory.resolve(name).toString(),
            -1,
            "no manifest says at which level the component is");
      }
      ComponentId id = idOf(directory, name);
      if (id != null && !damaged.contains(name)) {
        ids.add(id);
      }
    }
    ids.sort(
        Comparator.<ComponentId>naturalOrder()
            .thenComparing(ComponentId::last, Comparator.reverseOrder()));
    List<String> counted = new ArrayList<>();
    Set<String> covering = new HashSet<>();
    List<String> superfluous = new ArrayList<>();
    ComponentId newest = null;
    for (ComponentId id : ids) {
      long next = newest == null ? 1 : newest.last() + 1;
      if (newest != null && newest.covers(id)) {
        covering.add(nameOf(newest));
        superfluous.add(nameOf(id));
      } else if (id.first() == next) {
        counted.add(nameOf(id));
        newest = id;
      } else {
        throw new CorruptionException(
            directory.toString(),
            -1,
            "no component begins with flush " + next + ", the next one found is " + id);
      }
    }
    return of(names, counted, counted.stream().filter(covering::contains).toList(), superfluous);
  }

  /**
   * Plans where a manifest says which files count.
   *
   * @throws CorruptionException naming a file that it relies on and that is not there
   */
  static DirectoryPlan ofManifest(Path directory, Collection<String> names, Manifest manifest)
      throws CorruptionException {
    List<String> counted = new ArrayList<>();
    for (Manifest.Level level : manifest.levels()) {
      level.files().forEach(file -> counted.add(file.fileName()));
    }
    for (String name : counted) {
      if (!names.contains(name)) {
        throw new CorruptionException(
            directory.resolve(name).toString(),
            -1,
            "component is missing: the manifest relies on it");
      }
    }
    Set<String> named = new HashSet<>(counted);
    List<String> superfluous = new ArrayList<>();
    long oldest = Long.MAX_VALUE;
    for (String name : names) {
      Matcher numbered = NUMBERED.matcher(name);
      if ((numbered.matches() || SEALED.matcher(name).matches()) && !named.contains(name)) {
        superfluous.add(name);
        oldest = Math.min(oldest, numbered.matches() ? Long.parseLong(numbered.group(1)) : 0);
      }
    }
    List<String> covering = new ArrayList<>();
    for (String name : counted) {
      Matcher numbered = NUMBERED.matcher(name);
      // What took the place of a file was made after it, under a higher number.
      if (numbered.matches() && Long.parseLong(numbered.group(1)) > oldest) {
        covering.add(name);
      }
    }
    return of(names, counted, covering, superfluous);
  }

  /** With what does not depend on how it is said which files count. */
  private static DirectoryPlan of(
      Collection<String> names,
      List<String> counted,
      List<String> covering,
      List<String> superfluous) {
    Map<String, String> repairs = RepairFile.counted(names, counted);
    return new DirectoryPlan(
        counted,
        covering,
        superfluous,
        names.stream().filter(name -> name.endsWith(ComponentFileWriter.BUILDING_SUFFIX)).toList(),
        repairs,
        names.stream()
            .filter(name -> RepairFile.isOne(name) && !repairs.containsValue(name))
            .toList());
  }

  /** The flushes that a file is called by; null for another name. */
  static @Nullable ComponentId idOf(Path directory, String name) throws CorruptionException {
    Matcher sealed = SEALED.matcher(name);
    if (!sealed.matches()) {
      return null;
    }
    long first = Long.parseLong(sealed.group(1));
    long last = Long.parseLong(sealed.group(2));
    if (first < 1 || last < first) {
      throw new CorruptionException(
          directory.resolve(name).toString(), -1, "no component has this name");
    }
    ComponentId id = new ComponentId(first, last);
    return nameOf(id).equals(name) ? id : null;
  }

  /** The number that a file is called by; 0 for one that has no number. */
  static long numberOf(String name) {
    Matcher numbered = NUMBERED.matcher(name);
    return numbered.matches() ? Long.parseLong(numbered.group(1)) : 0;
  }

  /** Where names say which files count, the newest flush in them; 0 for none. */
  long newest() {
    if (counted.isEmpty()) {
      return 0;
    }
    Matcher last = SEALED.matcher(counted.get(counted.size() - 1));
    return last.matches() ? Long.parseLong(last.group(2)) : 0;
  }

  private static String nameOf(ComponentId id) {
    return new ComponentName(id, 0).sealed();
  }
}

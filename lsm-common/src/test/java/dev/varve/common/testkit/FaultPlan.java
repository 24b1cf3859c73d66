package dev.varve.common.testkit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which calls fail, and how, as one line of text. Guarded by its file system.
 *
 * <pre>
 * plan  = rule { ";" rule }
 * rule  = call glob nth fault [ "persistent" ]
 * call  = "any" | a name of {@link FileCall} in lower case: write, force, forcedir, put, sync, ...
 * glob  = file name with * and ?; with a / in it, the whole path; a rename matches by either name
 * nth   = the how many-th matching call since the plan was set, from 1
 * fault = EIO         fails before anything happened; a failed force leaves its pages clean and lost
 *       | ENOSPC      fails before anything happened
 *       | SHORT n     write: n bytes arrive, then ENOSPC; read: at most n bytes, as at the end
 *       | FLIP n      read, write, put: bit n, modulo the length, is wrong
 *       | LOST        write, put, force, sync, forcedir, truncate: returns and has done nothing
 *       | SHIFT n     write, put: lands n bytes further on
 *       | OOM         throws OutOfMemoryError
 *       | INTERRUPT   interrupts the caller and goes on
 * </pre>
 *
 * <p>Examples: {@code write *.lsm 3 EIO}, {@code force log* 1 ENOSPC persistent}, {@code read *.lsm
 * 1 FLIP 77; any * 200 OOM}. "persistent" means that call and every matching one after it.
 */
final class FaultPlan {
  /** What goes wrong. */
  enum Fault {
    EIO,
    ENOSPC,
    SHORT,
    FLIP,
    LOST,
    SHIFT,
    OOM,
    INTERRUPT;

    private Set<FileCall> calls() {
      return switch (this) {
        case EIO, ENOSPC, OOM, INTERRUPT -> EnumSet.allOf(FileCall.class);
        case SHORT -> EnumSet.of(FileCall.READ, FileCall.WRITE);
        case FLIP -> EnumSet.of(FileCall.READ, FileCall.WRITE, FileCall.PUT);
        case SHIFT -> EnumSet.of(FileCall.WRITE, FileCall.PUT);
        case LOST ->
            EnumSet.of(
                FileCall.WRITE,
                FileCall.PUT,
                FileCall.FORCE,
                FileCall.SYNC,
                FileCall.FORCEDIR,
                FileCall.TRUNCATE);
      };
    }

    private boolean takesNumber() {
      return this == SHORT || this == FLIP || this == SHIFT;
    }
  }

  /** A fault with its number, 0 where it takes none. */
  record Hit(Fault fault, int number) {}

  private static final class Rule {
    final Set<FileCall> calls;
    final String glob;
    final Pattern pattern;
    final long nth;
    final Hit hit;
    final boolean persistent;
    long matched;

    Rule(Set<FileCall> calls, String glob, long nth, Hit hit, boolean persistent) {
      this.calls = calls;
      this.glob = glob;
      this.pattern = patternOf(glob);
      this.nth = nth;
      this.hit = hit;
      this.persistent = persistent;
    }

    boolean fires(FileCall call, Path[] paths) {
      if (!calls.contains(call) || !matches(paths)) {
        return false;
      }
      matched++;
      return matched == nth || (persistent && matched > nth);
    }

    private boolean matches(Path[] paths) {
      for (Path path : paths) {
        Path name = glob.contains("/") ? path : path.getFileName();
        if (name != null && pattern.matcher(name.toString()).matches()) {
          return true;
        }
      }
      return false;
    }

    @Override
    public String toString() {
      String call =
          calls.size() == 1 ? calls.iterator().next().name().toLowerCase(Locale.ROOT) : "any";
      return call
          + " "
          + glob
          + " "
          + nth
          + " "
          + hit.fault()
          + (hit.fault().takesNumber() ? " " + hit.number() : "")
          + (persistent ? " persistent" : "");
    }
  }

  private final List<Rule> rules = new ArrayList<>();

  /** Parses a plan; an empty one lets everything pass. */
  static FaultPlan parse(String text) {
    FaultPlan plan = new FaultPlan();
    for (String rule : text.split(";")) {
      if (!rule.isBlank()) {
        plan.rules.add(parseRule(rule.trim()));
      }
    }
    return plan;
  }

  /** Counts the call for every rule it matches; null lets it pass. */
  @Nullable Hit next(FileCall call, Path... paths) {
    Hit first = null;
    for (Rule rule : rules) {
      if (rule.fires(call, paths) && first == null) {
        first = rule.hit;
      }
    }
    return first;
  }

  @Override
  public String toString() {
    return rules.stream().map(Rule::toString).collect(Collectors.joining("; "));
  }

  private static Rule parseRule(String text) {
    String[] words = text.split("\\s+");
    if (words.length < 4) {
      throw refused(text, "a rule is: call glob nth fault [n] [persistent]");
    }
    Fault fault = parseName(Fault.class, words[3], text);
    Set<FileCall> calls =
        words[0].equals("any")
            ? fault.calls()
            : EnumSet.of(parseName(FileCall.class, words[0].toUpperCase(Locale.ROOT), text));
    if (!fault.calls().containsAll(calls)) {
      throw refused(text, fault + " only happens to " + fault.calls());
    }
    long nth = parseNumber(words, 2, text);
    if (nth == 0) {
      throw refused(text, "calls are counted from 1");
    }
    int number = fault.takesNumber() ? parseNumber(words, 4, text) : 0;
    int optional = fault.takesNumber() ? 5 : 4;
    boolean persistent = optional < words.length && words[optional].equals("persistent");
    if (optional + (persistent ? 1 : 0) != words.length) {
      throw refused(text, "'" + words[optional] + "' is not understood");
    }
    return new Rule(calls, words[1], nth, new Hit(fault, number), persistent);
  }

  private static <E extends Enum<E>> E parseName(Class<E> type, String name, String rule) {
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equals(name)) {
        return constant;
      }
    }
    throw refused(rule, "no " + type.getSimpleName() + " is named " + name);
  }

  private static int parseNumber(String[] words, int index, String rule) {
    if (index >= words.length || !words[index].matches("[0-9]{1,9}")) {
      throw refused(rule, "word " + (index + 1) + " must be a number");
    }
    return Integer.parseInt(words[index]);
  }

  private static IllegalArgumentException refused(String rule, String problem) {
    return new IllegalArgumentException("fault plan rule '" + rule + "': " + problem);
  }

  private static Pattern patternOf(String glob) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < glob.length(); i++) {
      char c = glob.charAt(i);
      regex.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
    }
    return Pattern.compile(regex.toString());
  }
}

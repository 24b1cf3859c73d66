package dev.varve.benchmarks.index;

import java.util.List;
import java.util.Map;

/**
 * A store that takes part.
 *
 * @param label its name on command lines and in reports
 * @param options all of its options that matter, in one line
 * @param jvmArguments of the JVM that it runs in
 * @param settings what it is given, with a directory of its own
 * @param refusals why it does not do a phase, by the id of the phase
 */
public record IndexContender(
    String label,
    String options,
    List<String> jvmArguments,
    IndexSettings settings,
    Map<String, String> refusals) {
  /** Copies the collections. */
  public IndexContender {
    jvmArguments = List.copyOf(jvmArguments);
    refusals = Map.copyOf(refusals);
  }
}

package dev.varve.benchmarks.kv;

import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.lang.management.RuntimeMXBean;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a comparison found: the JSON document has these names.
 *
 * @param command {@code bench kv}
 * @param machine where it ran
 * @param settings what was asked for
 * @param options of each store, by label
 * @param phases in the order in which they ran
 * @param seconds how long everything took
 */
public record Results(
    String command,
    Machine machine,
    ComparisonSettings settings,
    Map<String, String> options,
    List<PhaseOutcome> phases,
    double seconds) {
  /**
   * Where it ran.
   *
   * @param processors how many
   * @param memoryBytes of the machine
   * @param system its operating system
   * @param jvm what ran the parent and the children
   * @param time when it began, UTC
   */
  public record Machine(int processors, long memoryBytes, String system, String jvm, String time) {
    /** This machine. */
    public static Machine here(String time) {
      RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
      OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
      return new Machine(
          system.getAvailableProcessors(),
          system instanceof com.sun.management.OperatingSystemMXBean more
              ? more.getTotalMemorySize()
              : 0,
          system.getName() + " " + system.getVersion() + " " + system.getArch(),
          runtime.getVmName() + " " + runtime.getVmVersion(),
          time);
    }
  }

  /** What came of a phase, if it ran. */
  public Optional<PhaseOutcome> phase(String id) {
    return phases.stream().filter(outcome -> outcome.id().equals(id)).findFirst();
  }
}

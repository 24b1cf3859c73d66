package dev.varve.benchmarks.report;

import dev.varve.benchmarks.measure.Machine;
import java.util.List;
import java.util.Map;

/**
 * What a comparison of indexes found: the JSON document has these names.
 *
 * @param command {@code bench spatial}
 * @param machine where it ran
 * @param settings what was asked for, in words
 * @param options of each store, by label
 * @param sections in the order in which they ran
 * @param caveats what can be held against it
 * @param seconds how long everything took
 */
public record Findings(
    String command,
    Machine machine,
    Map<String, String> settings,
    Map<String, String> options,
    List<Section> sections,
    List<String> caveats,
    double seconds) {}

package dev.varve.it.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import dev.varve.it.architecture.Ratchet.Measure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How many main files of the engine an option of a node touches: the record that holds it, and
 * every other file that asks for it; among these is the builder of {@code EngineOptions}. Whoever
 * adds an option writes into as many. Programs that only set one are not counted.
 */
final class OptionFiles {
  /** The records whose components are options of a node; those of options count by their own. */
  private static final List<String> RECORDS =
      List.of(
          "dev.varve.dataset.options.SessionOptions",
          "dev.varve.dataset.options.OpeningOptions",
          "dev.varve.dataset.options.MemoryOptions",
          "dev.varve.scheduler.service.MaintenanceOptions",
          "dev.varve.transaction.log.LogOptions",
          "dev.varve.common.page.ComponentOptions");

  /** The modules of the engine. */
  private static final List<String> ENGINE =
      Repository.MODULES.stream()
          .filter(module -> module.startsWith("lsm-") || module.equals("transaction-log"))
          .toList();

  private OptionFiles() {}

  /** The options that touch most files, with these files. */
  static Measure measure(JavaClasses classes) {
    Map<String, Set<String>> files = new TreeMap<>();
    for (String name : RECORDS) {
      JavaClass record = classes.get(name);
      for (JavaField option : record.getFields()) {
        if (!option.getModifiers().contains(JavaModifier.STATIC)) {
          files.put(record.getSimpleName() + "." + option.getName(), touched(record, option));
        }
      }
    }
    int most = files.values().stream().mapToInt(Set::size).max().orElseThrow();
    List<String> worst = new ArrayList<>();
    files.forEach(
        (option, touched) -> {
          if (touched.size() == most) {
            worst.add(option + " touches " + touched);
          }
        });
    return new Measure(most, worst);
  }

  private static Set<String> touched(JavaClass record, JavaField option) {
    Set<String> touched = new TreeSet<>(Set.of(record.getName()));
    for (JavaMethodCall call : record.getMethod(option.getName()).getCallsOfSelf()) {
      if (ENGINE.stream().anyMatch(module -> Knots.isOf(module, call.getOriginOwner()))) {
        touched.add(Knots.topLevel(call.getOriginOwner()));
      }
    }
    return touched;
  }
}

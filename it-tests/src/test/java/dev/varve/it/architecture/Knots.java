package dev.varve.it.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import dev.varve.it.architecture.Ratchet.Measure;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Knots of classes: strongly connected components of the graph whose nodes are the top-level
 * classes of one module and whose edges are uses (supertypes, fields, parameters, calls, casts,
 * annotations), those of nested classes counted for the class around them. Whoever wants to read
 * one class of a knot has to read them all.
 */
final class Knots {
  private Knots() {}

  /** The largest knot of each module that has main sources; 1 where no class uses itself back. */
  static Map<String, Measure> measure(JavaClasses classes) {
    Map<String, Measure> measures = new LinkedHashMap<>();
    for (String module : Repository.MODULES) {
      if (Files.isDirectory(Repository.ROOT.resolve(module).resolve("src/main/java"))) {
        Set<String> largest = largest(uses(module, classes));
        measures.put(
            "largest-knot-of-" + module,
            new Measure(
                largest.size(),
                largest.stream().map(name -> name.substring(name.lastIndexOf('.') + 1)).toList()));
      }
    }
    return measures;
  }

  /** The largest knot of a graph, the first by name among equals; empty for no nodes. */
  static Set<String> largest(Map<String, Set<String>> uses) {
    Map<String, Set<String>> reached = new TreeMap<>();
    uses.keySet().forEach(node -> reached.put(node, reachedFrom(node, uses)));
    return reached.keySet().stream()
        .map(
            node ->
                reached.get(node).stream()
                    .filter(other -> reached.get(other).contains(node))
                    .collect(Collectors.toCollection(TreeSet::new)))
        .sorted(Comparator.comparing((TreeSet<String> knot) -> knot.size()).reversed())
        .findFirst()
        .orElseGet(TreeSet::new);
  }

  /** All nodes that a path leads to, the first one among them. */
  private static Set<String> reachedFrom(String first, Map<String, Set<String>> uses) {
    Set<String> reached = new TreeSet<>(Set.of(first));
    Deque<String> open = new ArrayDeque<>(reached);
    while (!open.isEmpty()) {
      for (String next : uses.get(open.pop())) {
        if (reached.add(next)) {
          open.push(next);
        }
      }
    }
    return reached;
  }

  /** What each top-level class of a module uses of the same module. */
  private static Map<String, Set<String>> uses(String module, JavaClasses classes) {
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass found : classes) {
      if (isOf(module, found)) {
        uses.computeIfAbsent(topLevel(found), name -> new TreeSet<>());
      }
    }
    for (JavaClass found : classes) {
      if (isOf(module, found)) {
        Set<String> used = uses.get(topLevel(found));
        for (Dependency dependency : found.getDirectDependenciesFromSelf()) {
          String target = topLevel(dependency.getTargetClass().getBaseComponentType());
          if (uses.containsKey(target)) {
            used.add(target);
          }
        }
      }
    }
    return uses;
  }

  /** Whether a class is one of a module's main sources. */
  static boolean isOf(String module, JavaClass found) {
    String root = Repository.ROOT.resolve(module).resolve("target/classes").toUri().toString();
    return found.getSource().filter(from -> from.getUri().toString().startsWith(root)).isPresent();
  }

  /** Name of the top-level class around a class. */
  static String topLevel(JavaClass found) {
    String name = found.getName();
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }
}

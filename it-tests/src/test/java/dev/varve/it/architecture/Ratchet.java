package dev.varve.it.architecture;

import com.sun.source.tree.Tree;
import dev.varve.it.architecture.Source.MarkKind;
import dev.varve.it.architecture.Source.MethodDeclaration;
import dev.varve.it.architecture.Source.TypeDeclaration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The measures that may only get better (house style, section 9), counted from the main sources of
 * all modules. Every one is better when it is lower.
 */
final class Ratchet {
  private static final int LONG_METHOD_LINES = 70;
  private static final int LONG_FILE_LINES = 600;
  private static final Set<String> GENERAL = Set.of("Exception", "Throwable", "IOException");

  /** Behind the seams the JDK's own exceptions are translated. */
  private static final String SEAMS = "dev/varve/common/env/";

  /** Parsers read somebody's stream, and {@code InputSource}, their one caller, translates. */
  private static final String PARSERS = "dev/varve/hyracks/feed/";

  private Ratchet() {}

  /**
   * A measure.
   *
   * @param value what was counted
   * @param worst where, so that a reader knows what to mend
   */
  record Measure(long value, List<String> worst) {}

  /** Counts everything, in the order of the file. */
  static Map<String, Measure> measure(List<Source> main, List<Source> all) {
    List<TypeDeclaration> types = main.stream().flatMap(source -> source.types().stream()).toList();
    List<MethodDeclaration> methods =
        main.stream().flatMap(source -> source.methods().stream()).toList();
    Map<String, Measure> measures = new LinkedHashMap<>();
    measures.put("constructor-parameters-max", widest(methods, true));
    measures.put("method-parameters-max", widest(methods, false));
    measures.put("interfaces-with-one-implementation", lonelyInterfaces(types, all));
    measures.put(
        "public-types-without-javadoc",
        names(
            types.stream()
                .filter(type -> type.isPublic() && !type.documented())
                .map(TypeDeclaration::name)));
    measures.put("public-types-percent", publicTypes(types));
    measures.put("methods-per-assertion", methodsPerAssertion(main, methods));
    measures.put(
        "methods-over-" + LONG_METHOD_LINES + "-lines",
        names(
            methods.stream()
                .filter(method -> method.bodyLines() > LONG_METHOD_LINES)
                .map(MethodDeclaration::where)));
    measures.put(
        "files-over-" + LONG_FILE_LINES + "-lines",
        names(main.stream().filter(source -> source.lines() > LONG_FILE_LINES).map(Source::name)));
    measures.put(
        "lines-of-LsmIndex",
        new Measure(
            main.stream()
                .filter(source -> source.name().endsWith("/LsmIndex.java"))
                .mapToLong(Source::lines)
                .sum(),
            List.of("more lines than 400 are two classes")));
    measures.put(
        "throws-of-general-exceptions",
        names(
            methods.stream()
                .filter(method -> method.thrown().stream().anyMatch(GENERAL::contains))
                .filter(method -> !method.where().contains(SEAMS))
                .filter(method -> !method.where().contains(PARSERS))
                .map(MethodDeclaration::where)));
    measures.put(
        "public-methods-with-boolean-parameters",
        names(
            methods.stream()
                .filter(method -> method.isPublic() && method.booleanParameters() > 0)
                .map(MethodDeclaration::where)));
    return measures;
  }

  private static Measure widest(List<MethodDeclaration> methods, boolean constructors) {
    List<MethodDeclaration> widestFirst =
        methods.stream()
            .filter(method -> method.constructor() == constructors)
            .sorted(Comparator.comparingInt(MethodDeclaration::parameters).reversed())
            .toList();
    long most = widestFirst.isEmpty() ? 0 : widestFirst.get(0).parameters();
    return new Measure(
        most,
        widestFirst.stream()
            .filter(method -> method.parameters() == most)
            .map(MethodDeclaration::where)
            .toList());
  }

  /** Interfaces that fewer than two types implement, test doubles included. */
  private static Measure lonelyInterfaces(List<TypeDeclaration> types, List<Source> all) {
    Map<String, Integer> implementations = new HashMap<>();
    all.stream()
        .flatMap(source -> source.types().stream())
        .flatMap(type -> type.supertypes().stream())
        .forEach(name -> implementations.merge(name, 1, Integer::sum));
    return names(
        types.stream()
            .filter(type -> type.kind() == Tree.Kind.INTERFACE && !type.functional())
            .map(TypeDeclaration::name)
            .filter(name -> implementations.getOrDefault(name, 0) < 2));
  }

  private static Measure publicTypes(List<TypeDeclaration> types) {
    List<TypeDeclaration> top = types.stream().filter(type -> !type.nested()).toList();
    long open = top.stream().filter(TypeDeclaration::isPublic).count();
    return new Measure(roundedUp(100 * open, top.size()), List.of());
  }

  private static Measure methodsPerAssertion(List<Source> main, List<MethodDeclaration> methods) {
    long assertions =
        main.stream()
            .flatMap(source -> source.marks().stream())
            .filter(mark -> mark.kind() == MarkKind.ASSERTION)
            .count();
    long bodies = methods.stream().filter(method -> method.bodyLines() > 0).count();
    return new Measure(roundedUp(bodies, assertions), List.of());
  }

  private static long roundedUp(long dividend, long divisor) {
    return divisor == 0 ? Long.MAX_VALUE : (dividend + divisor - 1) / divisor;
  }

  private static Measure names(Stream<String> found) {
    List<String> all = found.sorted().toList();
    return new Measure(all.size(), all);
  }
}

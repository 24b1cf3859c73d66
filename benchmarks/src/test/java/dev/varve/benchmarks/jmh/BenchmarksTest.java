package dev.varve.benchmarks.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Goal: every benchmark does what it says, with assertions on. Method: what JMH's loop would call
 * is called by reflection, for few operations, on small data and with every other parameter; the
 * results are not timed.
 */
class BenchmarksTest {
  private static final int OPERATIONS = 3000;
  private static final int SMALL = 1000;

  /** Name of the parameter that says how much data there is. */
  private static final String SIZE = "entries";

  /** The benchmark classes that JMH will find. */
  static List<String> benchmarks() throws IOException {
    TreeSet<String> names = new TreeSet<>();
    var lists = BenchmarksTest.class.getClassLoader().getResources("META-INF/BenchmarkList");
    while (lists.hasMoreElements()) {
      try (var in = lists.nextElement().openStream()) {
        String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        for (String word : text.split("\\s+")) {
          if (word.startsWith("dev.varve.") && !word.contains("jmh_generated")) {
            names.add(word);
          }
        }
      }
    }
    return List.copyOf(names);
  }

  @Test
  void jmhFindsEveryClassThatIsNamedAsABenchmark() throws IOException {
    Path sources = Path.of("src/main/java/dev/varve/benchmarks/jmh");
    try (Stream<Path> files = Files.list(sources)) {
      List<String> named =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith("Benchmark.java"))
              .map(name -> "dev.varve.benchmarks.jmh." + name.replace(".java", ""))
              .sorted()
              .toList();
      assertFalse(named.isEmpty());
      assertEquals(named, benchmarks());
    }
  }

  @ParameterizedTest
  @MethodSource("benchmarks")
  void aBenchmarkRunsWithEveryParameter(String name) throws Throwable {
    Class<?> type = Class.forName(name);
    List<Method> methods = annotated(type, Benchmark.class);
    assertFalse(methods.isEmpty());
    for (List<Assignment> parameters : combinations(type)) {
      for (Method method : methods) {
        run(type, method, parameters);
      }
    }
  }

  private static void run(Class<?> type, Method method, List<Assignment> parameters)
      throws Throwable {
    Object state = type.getConstructor().newInstance();
    for (Assignment parameter : parameters) {
      parameter.field().setAccessible(true);
      parameter.field().set(state, parameter.value());
    }
    for (Method setUp : annotated(type, Setup.class)) {
      call(state, setUp);
    }
    for (int i = 0; i < OPERATIONS; i++) {
      assertNotNull(call(state, method), () -> method + " gives JMH nothing to consume");
    }
    for (Method tearDown : annotated(type, TearDown.class)) {
      call(state, tearDown);
    }
  }

  private static Object call(Object state, Method method) throws Throwable {
    try {
      return method.invoke(state);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static List<Method> annotated(Class<?> type, Class<? extends Annotation> annotation) {
    return Arrays.stream(type.getMethods())
        .filter(method -> method.isAnnotationPresent(annotation))
        .toList();
  }

  /** A parameter and one of its values. */
  private record Assignment(Field field, Object value) {}

  private static List<List<Assignment>> combinations(Class<?> type) {
    List<List<Assignment>> combinations = List.of(List.of());
    for (Field field : type.getDeclaredFields()) {
      if (field.isAnnotationPresent(Param.class)) {
        List<List<Assignment>> longer = new ArrayList<>();
        for (List<Assignment> shorter : combinations) {
          for (Object value : values(field)) {
            List<Assignment> combination = new ArrayList<>(shorter);
            combination.add(new Assignment(field, value));
            longer.add(combination);
          }
        }
        combinations = longer;
      }
    }
    return combinations;
  }

  private static List<?> values(Field field) {
    if (field.getType().isEnum()) {
      return List.of(field.getType().getEnumConstants());
    }
    assertEquals(int.class, field.getType());
    if (field.getName().equals(SIZE)) {
      return List.of(SMALL);
    }
    String[] values = field.getAnnotation(Param.class).value();
    assertTrue(values.length > 1, () -> field + " is no parameter");
    return Arrays.stream(values).map(Integer::valueOf).toList();
  }
}

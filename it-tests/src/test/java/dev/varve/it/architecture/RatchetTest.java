package dev.varve.it.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.it.architecture.Ratchet.Measure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Goal: the measures of {@code config/ratchet.txt} never get worse. Method: they are counted again
 * from the sources and the compiled classes; {@code -Dvarve.rewrite=true} writes down what has got
 * better.
 */
final class RatchetTest {
  private static final Path FILE = Repository.ROOT.resolve("config/ratchet.txt");

  @Test
  void noMeasureGetsWorse() throws IOException {
    List<Source> main = Source.parse(Repository.mainSources());
    List<Source> all = new ArrayList<>(main);
    all.addAll(Source.parse(Repository.testSources()));
    Map<String, Measure> measured = new LinkedHashMap<>(Ratchet.measure(main, all));
    measured.put("files-an-option-touches-max", OptionFiles.measure(Repository.mainClasses()));
    measured.putAll(Knots.measure(Repository.mainClasses()));
    Map<String, Long> held = held();
    assertEquals(List.copyOf(measured.keySet()), List.copyOf(held.keySet()), "lines of " + FILE);
    List<String> worse = new ArrayList<>();
    Map<String, Long> better = new LinkedHashMap<>();
    measured.forEach(
        (name, measure) -> {
          if (measure.value() > held.get(name)) {
            worse.add(
                name
                    + " is "
                    + measure.value()
                    + ", was "
                    + held.get(name)
                    + " "
                    + measure.worst());
          } else if (measure.value() < held.get(name)) {
            better.put(name, measure.value());
          }
        });
    assertTrue(
        worse.isEmpty(),
        () ->
            "measures of config/ratchet.txt got worse; mend the code, or raise the line by hand and"
                + " write the reason into the commit:\n"
                + String.join("\n", worse));
    if (!better.isEmpty()) {
      lower(better);
    }
  }

  private static void lower(Map<String, Long> better) throws IOException {
    if (!Boolean.getBoolean("varve.rewrite")) {
      System.out.println(
          "config/ratchet.txt can be lowered, run this test with -Dvarve.rewrite=true: " + better);
      return;
    }
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(FILE)) {
      String name = line.split(" ", 2)[0];
      lines.add(better.containsKey(name) ? name + " " + better.get(name) : line);
    }
    Files.write(FILE, lines);
  }

  private static Map<String, Long> held() throws IOException {
    Map<String, Long> held = new LinkedHashMap<>();
    for (String line : Files.readAllLines(FILE)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        String[] words = line.split(" +");
        held.put(words[0], Long.parseLong(words[1]));
      }
    }
    return held;
  }
}

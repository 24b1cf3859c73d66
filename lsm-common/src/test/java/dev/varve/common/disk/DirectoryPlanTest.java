package dev.varve.common.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentId;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.merge.KeyInterval;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which files of a directory count, cover others or are superfluous, row by row. */
class DirectoryPlanTest {
  private static final Path HERE = Path.of("/store/data/d1/p0/i1");

  /** {@code 1-2} is a component called by its flushes, {@code r7} one by number, others as is. */
  private static List<String> names(String text) {
    return text == null
        ? List.of()
        : Arrays.stream(text.split(" "))
            .map(name -> name.matches("[0-9]+-[0-9]+") ? "c-" + name + ".lsm" : name)
            .map(name -> name.matches("r[0-9]+") ? "r-" + name.substring(1) + ".lsm" : name)
            .toList();
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # names,                  damaged, counted,     covering,  superfluous,     unfinished
          ,                         ,        ,            ,          ,
          1-1,                      ,        1-1,         ,          ,
          1-1 2-2 3-3,              ,        1-1 2-2 3-3, ,          ,
          1-1 2-2 1-2,              ,        1-2,         1-2,       1-1 2-2,
          1-3 2-2 4-4,              ,        1-3 4-4,     1-3,       2-2,
          1-1 2-2 3-3 2-3 4-4,      ,        1-1 2-3 4-4, 2-3,       2-2 3-3,
          1-4 1-2 1-1 3-4 5-5,      ,        1-4 5-5,     1-4,       1-2 1-1 3-4,
          1-2 1-1 2-2 3-4 3-3 4-4,  ,        1-2 3-4,     1-2 3-4,   1-1 2-2 3-3 4-4,
          1-9 10-10,                ,        1-9 10-10,   ,          ,
          1-999999999999999999,     ,        1-999999999999999999, , ,
          # a name that is not written as the engine writes it is no component
          1-1 01-1 1-01,            ,        1-1,         ,          ,
          1-1 notes.txt c-2-2.bak,  ,        1-1,         ,          ,
          1-1 c-2-2.building,       ,        1-1,         ,          ,                c-2-2.building
          # of a result that is damaged the inputs count again
          1-1 2-2 1-2,              1-2,     1-1 2-2,     ,          ,
          1-1 2-2 1-2 3-3 1-3,      1-3,     1-2 3-3,     1-2,       1-1 2-2,
          1-1 2-2 1-2 3-3 1-3,      1-3 1-2, 1-1 2-2 3-3, ,          ,
          # a damaged newest one has no substitute here: the caller compares the newest flushes
          1-1 2-2,                  2-2,     1-1,         ,          ,
          """)
  void names(
      String names,
      String damaged,
      String counted,
      String covering,
      String superfluous,
      String unfinished)
      throws CorruptionException {
    List<String> all = new ArrayList<>(names(names));
    DirectoryPlan expected =
        new DirectoryPlan(
            names(counted),
            names(covering),
            names(superfluous),
            names(unfinished),
            Map.of(),
            List.of());
    for (int order = 0; order < 2; order++) {
      DirectoryPlan plan = DirectoryPlan.ofNames(HERE, all, new HashSet<>(names(damaged)));
      assertEquals(expected.counted(), plan.counted());
      assertEquals(expected.covering(), plan.covering());
      assertEquals(sorted(expected.superfluous()), sorted(plan.superfluous()));
      assertEquals(expected.unfinished(), plan.unfinished());
      Collections.reverse(all);
    }
  }

  private static List<String> sorted(List<String> names) {
    return names.stream().sorted().toList();
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # names,           damaged, because
          2-2,               ,        no component begins with flush 1
          1-1 3-3,           ,        no component begins with flush 2
          1-2 2-3,           ,        no component begins with flush 3
          1-1 2-3 3-4,       ,        no component begins with flush 4
          1-4 3-5,           ,        no component begins with flush 5
          1-1 1-3 4-4 2-5,   ,        no component begins with flush 4
          1-2 2-2 3-3,       1-2,     no component begins with flush 1
          1-2 1-1 3-3,       1-2,     no component begins with flush 2
          0-1,               ,        no component has this name
          3-1,               ,        no component has this name
          1-1 r7,            ,        no manifest says at which level
          """)
  void namesThatDoNotTileAreRefused(String names, String damaged, String because) {
    CorruptionException refused =
        assertThrows(
            CorruptionException.class,
            () -> DirectoryPlan.ofNames(HERE, names(names), new HashSet<>(names(damaged))));
    assertTrue(refused.getMessage().contains(because), refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # names,              named, covering, superfluous, unfinished
          ,                     ,      ,         ,
          r7,                   r7,    ,         ,
          r7 1-1,               r7,    r7,       1-1,
          r7 r3,                r7,    r7,       r3,
          r7 r9,                r7,    ,         r9,
          r7 r9 r8,             r7 r9, r9,       r8,
          r4 r7 r9 r8,          r7 r9, r7 r9,    r4 r8,
          1-1 r7 r3,            1-1 r7, r7,      r3,
          1-1 2-2,              1-1,   ,         2-2,
          r7 r-8.building x,    r7,    ,         ,            r-8.building
          """)
  void manifest(String names, String named, String covering, String superfluous, String unfinished)
      throws CorruptionException {
    DirectoryPlan plan = DirectoryPlan.ofManifest(HERE, names(names), manifestOf(names(named)));
    assertEquals(names(named), plan.counted());
    assertEquals(names(covering), plan.covering());
    assertEquals(sorted(names(superfluous)), sorted(plan.superfluous()));
    assertEquals(names(unfinished), plan.unfinished());
  }

  @ParameterizedTest
  @CsvSource({"r7, r7 r8", "r8 1-2, 1-1", ", r1"})
  void aFileThatTheManifestNamesAndThatIsMissingIsRefused(String names, String named) {
    CorruptionException refused =
        assertThrows(
            CorruptionException.class,
            () -> DirectoryPlan.ofManifest(HERE, names(names), manifestOf(names(named))));
    assertTrue(refused.getMessage().contains("component is missing"), refused.getMessage());
  }

  /** All of them at level 0, each with the same keys. */
  private static Manifest manifestOf(List<String> files) throws CorruptionException {
    List<Manifest.ComponentOfLevel> components = new ArrayList<>();
    KeyInterval keys = new KeyInterval(new Slice(new byte[] {1}), new Slice(new byte[] {9}));
    for (String file : files) {
      ComponentId id = DirectoryPlan.idOf(HERE, file);
      components.add(
          new Manifest.ComponentOfLevel(
              id == null ? DirectoryPlan.numberOf(file) : 1000 + id.first(),
              Optional.ofNullable(id),
              keys));
    }
    return new Manifest(3, 100, List.of(new Manifest.Level(Optional.empty(), components)));
  }
}

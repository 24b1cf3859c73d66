package dev.varve.dataset.internal.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.bytes.Slice;
import dev.varve.common.testkit.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Candidates do what a list of small objects would, sorted and judged one by one. */
class CandidatesTest {
  /** What a candidate is, in one object. */
  private record Model(String key, long stamp, boolean certain) {
    /** The stamp of its key: there are four in turn. */
    long keyStamp() {
      return List.of(KeyStamps.UNSETTLED, KeyStamps.UNCHANGED, 4L, KeyStamps.GONE)
          .get(key.charAt(key.length() - 1) % 4);
    }

    boolean isJudged() {
      return stamp != Candidates.NO_STAMP && keyStamp() != KeyStamps.UNSETTLED;
    }

    boolean isObsolete() {
      return isJudged() && keyStamp() > stamp;
    }

    String judged() {
      return key + (isJudged() ? !isObsolete() : certain);
    }
  }

  @Test
  void theyAreSortedJudgedAndLeftOutAsObjectsWouldBe() throws Exception {
    Seeds.run(
        300,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          Candidates candidates = new Candidates();
          for (int batch = 0; batch < 3; batch++) {
            check(candidates, random);
          }
        });
  }

  private static void check(Candidates candidates, RandomGenerator random) {
    candidates.clear();
    List<Model> model = new ArrayList<>();
    for (int i = random.nextInt(60); i > 0; i--) {
      String key = "some length ".substring(random.nextInt(2) * 12) + random.nextInt(20);
      long stamp = random.nextInt(9) + Candidates.NO_STAMP;
      model.add(new Model(key, stamp, random.nextBoolean()));
      candidates.add(bytes(key), stamp, model.get(model.size() - 1).certain());
    }
    candidates.sort();
    List<String> expected =
        model.stream().map(each -> each.key() + (each.certain() ? " certain" : " then")).toList();
    List<String> sorted =
        all(candidates, i -> key(candidates, i) + (candidates.isCertain(i) ? " certain" : " then"));
    assertEquals(expected.stream().sorted().toList(), sorted);

    BitSet obsolete = new BitSet();
    for (int i = 0; i < candidates.size(); i++) {
      long keyStamp = new Model(key(candidates, i), 0, false).keyStamp();
      obsolete.set(i, candidates.judge(i, keyStamp));
    }
    candidates.removeIf(obsolete::get);
    assertEquals(
        model.stream().filter(each -> !each.isObsolete()).map(Model::judged).sorted().toList(),
        all(candidates, i -> key(candidates, i) + candidates.isCertain(i)).stream()
            .sorted()
            .toList());
    checkMarks(candidates);
  }

  private static void checkMarks(Candidates candidates) {
    for (int i = 0; i < candidates.size(); i++) {
      boolean repeated = i > 0 && key(candidates, i - 1).equals(key(candidates, i));
      assertEquals(repeated, candidates.isRepeated(i));
      if (i % 3 == 0) {
        candidates.markFound(i);
        candidates.doubt(i);
      }
    }
    assertEquals(
        all(candidates, i -> String.valueOf(i % 3 == 0)),
        all(candidates, i -> String.valueOf(candidates.isFound(i))));
    assertEquals(
        List.of(),
        all(candidates, i -> i % 3 == 0 && candidates.isCertain(i) ? "certain" : "").stream()
            .filter(each -> !each.isEmpty())
            .toList());
  }

  private static List<String> all(Candidates candidates, IntFunction<String> said) {
    return IntStream.range(0, candidates.size()).mapToObj(said).toList();
  }

  private static String key(Candidates candidates, int candidate) {
    return new String(
        candidates.key(candidate, new Slice()).toByteArray(), StandardCharsets.US_ASCII);
  }

  private static Slice bytes(String key) {
    return new Slice(key.getBytes(StandardCharsets.US_ASCII));
  }
}

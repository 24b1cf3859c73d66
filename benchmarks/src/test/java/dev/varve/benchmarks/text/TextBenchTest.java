package dev.varve.benchmarks.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.benchmarks.index.InProcess;
import dev.varve.benchmarks.index.IndexContender;
import dev.varve.benchmarks.index.IndexPhase;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.measure.Outcome;
import dev.varve.benchmarks.measure.Pace;
import dev.varve.benchmarks.report.Goal;
import dev.varve.benchmarks.report.Section;
import dev.varve.benchmarks.store.StoreMemory;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.SystemClock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: all text indexes find the same. Method: the benchmark itself with few texts, in which a
 * store that finds something else has failed.
 */
final class TextBenchTest {
  private static final int TEXTS = 2_000;

  @TempDir Path directory;

  @Test
  void allStoresFindTheSame() throws Exception {
    IndexSettings settings =
        new IndexSettings(
            directory,
            TEXTS,
            7,
            0,
            new IndexSettings.Budget(
                16_384, new StoreMemory(16 << 20, 1 << 20), "prefix(1g, 5, 1.2)", false),
            new Pace(0.001, 2, 600));
    List<IndexContender> contenders =
        Stream.of(TextStoreKind.values()).map(kind -> kind.contender(settings)).toList();
    List<Section> sections =
        InProcess.run(
            contenders,
            TextBench.PHASES,
            request -> TextBench.open(request, new LocalFileSystem(), new SystemClock()));
    assertEquals(TextBench.PHASES.size(), sections.size());
    for (Section section : sections) {
      for (Outcome outcome : section.outcomes()) {
        assertEquals(Outcome.Status.DONE, outcome.status(), section.id() + ": " + outcome);
        boolean asks = !section.id().endsWith("load");
        assertEquals(asks, outcome.measurement().found().digest() != 0, outcome.toString());
        assertEquals(asks, outcome.measurement().found().rows() > 0, outcome.toString());
      }
    }
  }

  @Test
  void textsHaveTheirLengthAndOftenTheFrequentWords() {
    TweetTexts texts = new TweetTexts(500, 42);
    int words = 0;
    for (int number = 0; number < texts.count(); number++) {
      String text = new String(texts.text(number), StandardCharsets.US_ASCII);
      assertEquals(TweetTexts.LENGTH, text.length());
      assertTrue(text.matches("[a-z]+( [a-z]+)* ?"), text);
      words += text.split(" ", -1).length;
    }
    assertTrue(words > 500 * 15, "words: " + words);
    for (String pair : texts.pairs(100)) {
      String[] both = pair.split(" ", -1);
      assertEquals(2, both.length, pair);
      assertFalse(both[0].equals(both[1]), pair);
    }
  }

  @Test
  void aNeedleIsFoundWhereItIs() {
    TweetTexts texts = new TweetTexts(300, 42);
    for (String needle : texts.needles(50)) {
      byte[] bytes = needle.getBytes(StandardCharsets.US_ASCII);
      int found = 0;
      for (int number = 0; number < texts.count(); number++) {
        boolean contains =
            new String(texts.text(number), StandardCharsets.US_ASCII).contains(needle);
        assertEquals(contains, texts.contains(number, bytes), needle);
        found += contains ? 1 : 0;
      }
      assertTrue(found > 0, needle);
    }
  }

  @Test
  void everyGoalNamesAPhaseAndStores() {
    List<String> phases = TextBench.PHASES.stream().map(IndexPhase::id).toList();
    List<String> stores = Stream.of(TextStoreKind.values()).map(TextStoreKind::label).toList();
    for (Goal goal : TextBench.GOALS) {
      assertTrue(phases.contains(goal.phase()), goal.toString());
      assertTrue(stores.containsAll(goal.peers()), goal.toString());
    }
  }
}

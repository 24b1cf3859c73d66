package dev.varve.benchmarks.secondary;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.measure.ThreadWork;
import dev.varve.benchmarks.measure.Timings;
import dev.varve.common.env.Clock;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeyCursor;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.ValueRange;
import java.util.random.RandomGenerator;

/** Asks a secondary index for records, one query after the other. Confined to its thread. */
final class FigureQuery implements ThreadWork {
  private final FigureCourse course;
  private final Dataset dataset;
  private final int records;
  private final RandomGenerator random;
  private final Clock clock;
  private final Timings timings;

  FigureQuery(
      FigureCourse course, Dataset dataset, int records, RandomGenerator random, Clock clock) {
    this.course = course;
    this.dataset = dataset;
    this.records = records;
    this.random = random;
    this.clock = clock;
    this.timings = new Timings(clock);
  }

  @Override
  public Timings timings() {
    return timings;
  }

  @Override
  public void run() throws BenchmarkException {
    timings.start();
    course.begin();
    for (long now = clock.nanoTime(); !course.isOver(now); now = clock.nanoTime()) {
      int selectivity = course.selectivity(now);
      ask(SecondaryFigure.SELECTIVITIES.get(selectivity));
      course.answered(selectivity, clock.nanoTime() - now);
    }
    timings.end();
  }

  /** Values are uniform: as many records as there are values in a range, about. */
  private void ask(int results) throws BenchmarkException {
    long low = random.nextInt(records);
    KeySearch search = new KeySearch(ValueRange.closedOpen(Key.of(low), Key.of(low + results)));
    try (KeyCursor cursor = dataset.search("a", search)) {
      while (cursor.next()) {
        assert cursor.key().length() > 0 : search;
      }
    } catch (StorageException failure) {
      throw new BenchmarkException("query: " + failure.getMessage(), failure);
    }
  }
}

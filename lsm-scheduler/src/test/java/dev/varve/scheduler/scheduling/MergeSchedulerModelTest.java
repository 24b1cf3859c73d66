package dev.varve.scheduler.scheduling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.maintenance.MergeScheduler;
import dev.varve.common.testkit.Seeds;
import dev.varve.scheduler.scheduling.MergeRun.Ended;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Goal: what schedulers promise over time. Method: random merges, batch by batch. */
final class MergeSchedulerModelTest {
  private static final int BATCH = 10;

  @Test
  void boundedGreedyEndsEveryMergeWithinItsBound() throws Exception {
    Seeds.run(
        100,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          int most = 2 + random.nextInt(5);
          MergeRun run = new MergeRun(new BoundedGreedyScheduler(most), BATCH);
          run.arrive(20_000); // one that small ones would starve for ever
          for (int ended = 0; ended < 300; ) {
            // Overload: there are always as many merges as there may be.
            while (run.open() < most) {
              run.arrive(100L * (1 + random.nextInt(10)));
            }
            Ended merge = run.step();
            if (merge != null) {
              ended++;
              long bound = 2L * most * merge.inputBytes() + 2L * most * most * BATCH;
              assertTrue(merge.allWrittenBytes() <= bound, merge + " of " + most);
            }
          }
        });
  }

  @Test
  void greedyStarvesALargeMergeThatTheBoundSaves() {
    assertEquals(false, largeOneEnds(new GreedyScheduler(1)));
    assertEquals(true, largeOneEnds(new BoundedGreedyScheduler(2)));
  }

  private static boolean largeOneEnds(MergeScheduler scheduler) {
    MergeRun run = new MergeRun(scheduler, BATCH);
    run.arrive(1000);
    for (int i = 0; i < 1000; i++) {
      if (run.open() < 2) {
        run.arrive(100);
      }
      Ended ended = run.step();
      if (ended != null && ended.inputBytes() == 1000) {
        return true;
      }
    }
    return false;
  }

  @Test
  void ofAFixedSetGreedyHasEndedTheMostAtAnyTime() throws Exception {
    // Theorem 2 of the paper: its i-th end is no later than that of any other order.
    Seeds.run(
        50,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          List<Long> sizes = new ArrayList<>();
          for (int i = 2 + random.nextInt(6); i > 0; i--) {
            sizes.add(1 + random.nextLong(100));
          }
          List<Long> greedy = ends(new MergeRun(new GreedyScheduler(1), 1), sizes);
          for (int order = 0; order < 5; order++) {
            Collections.shuffle(sizes, new Random(seed * 31 + order));
            List<Long> other = ends(new MergeRun(ArrivalScheduler.single(), 1), sizes);
            List<Long> fair = ends(new MergeRun(new FairScheduler(), 1), sizes);
            for (int i = 0; i < greedy.size(); i++) {
              assertTrue(greedy.get(i) <= other.get(i), greedy + " and " + other);
              assertTrue(greedy.get(i) <= fair.get(i), greedy + " and " + fair);
            }
          }
        });
  }

  private static List<Long> ends(MergeRun run, List<Long> sizes) {
    sizes.forEach(run::arrive);
    List<Long> ends = new ArrayList<>();
    while (run.open() > 0) {
      if (run.step() != null) {
        ends.add(run.written());
      }
    }
    return ends;
  }

  @Test
  void fairEndsAMergeAfterAtMostItsSizeForEachThatIsThere() throws Exception {
    Seeds.run(
        50,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          MergeRun run = new MergeRun(new FairScheduler(), BATCH);
          for (int ended = 0; ended < 200; ) {
            while (run.open() < 4) {
              run.arrive(100L * (1 + random.nextInt(50)));
            }
            Ended merge = run.step();
            if (merge != null) {
              ended++;
              assertTrue(
                  merge.allWrittenBytes() <= 1.1 * 4 * merge.inputBytes() + 4 * BATCH,
                  merge.toString());
            }
          }
        });
  }

  @Test
  void theLargeMergeOfBlsmIsDoneWhenTheFirstLevelIsFull() {
    MergeRun run = new MergeRun(new GearScheduler(1000), BATCH);
    run.arrive(10_000);
    boolean largeEnded = false;
    for (long level : LongStream.rangeClosed(2, 10).map(i -> 100 * i).toArray()) {
      run.arrive(level);
      Ended ended = null;
      while (ended == null || ended.inputBytes() == 10_000) {
        ended = run.step();
        largeEnded |= ended != null && ended.inputBytes() == 10_000;
      }
      assertEquals(level == 1000, largeEnded, "level 1 holds " + level);
    }
  }
}

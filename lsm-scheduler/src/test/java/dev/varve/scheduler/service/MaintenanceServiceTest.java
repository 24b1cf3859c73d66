package dev.varve.scheduler.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.Device;
import dev.varve.common.env.Signal;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.DiskException;
import dev.varve.common.maintenance.MaintenanceTask.Kind;
import dev.varve.common.maintenance.MergeScheduler;
import dev.varve.common.maintenance.MergeScheduler.Scope;
import dev.varve.common.testkit.ManualClock;
import dev.varve.common.testkit.SteppedExecutor;
import dev.varve.scheduler.budget.DeviceSpaces;
import dev.varve.scheduler.budget.DiskSpace;
import dev.varve.scheduler.budget.DiskSpaces;
import dev.varve.scheduler.budget.IoBudget;
import dev.varve.scheduler.scheduling.ArrivalScheduler;
import dev.varve.scheduler.scheduling.BoundedGreedyScheduler;
import dev.varve.scheduler.scheduling.FairScheduler;
import dev.varve.scheduler.scheduling.GreedyScheduler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: flushes run in order and never behind merges, merges as the scheduler says, and every task
 * ends in exactly one way. Method: fake tasks on a stepped executor in virtual time.
 */
final class MaintenanceServiceTest {
  private static final long SEED = 42;
  private static final long BATCH = 10_000;
  private static final long SECOND = 1_000_000_000L;
  private static final MaintenanceOptions OPTIONS =
      MaintenanceOptions.DEFAULTS.withMergeThreads(1).withBatchBytes(BATCH);

  private final ManualClock clock = new ManualClock();
  private final SteppedExecutor executor = new SteppedExecutor(clock, SEED);
  private final ListenerLog listener = new ListenerLog();
  private final List<String> trace = new ArrayList<>();
  private final List<MaintenanceService> started = new ArrayList<>();

  private MaintenanceService start(MaintenanceOptions options, IoBudget budget) {
    MaintenanceService service =
        MaintenanceService.start(
            options, new MaintenanceContext(clock, executor, budget, listener));
    started.add(service);
    return service;
  }

  private MaintenanceService start(MaintenanceOptions options) {
    return start(options, IoBudget.unlimited());
  }

  @AfterEach
  void closeServices() {
    started.forEach(MaintenanceService::close);
    started.forEach(service -> assertTrue(service.quiet(), "tasks are left after close"));
  }

  @Test
  void flushesRunOneAfterTheOtherInTheOrderOfTheirSubmission() {
    MaintenanceService service = start(OPTIONS);
    service.submit(FakeTask.flush("a", 2 * BATCH, trace));
    service.submit(FakeTask.flush("b", BATCH + 1, trace));
    service.submit(FakeTask.flush("c", 1, trace));
    assertEquals(Signal.Outcome.DONE, service.awaitQuiet(Signal.FOREVER));
    assertEquals(List.of("a", "a", "b", "b", "c"), trace);
    assertEquals(List.of("finished a 20000", "finished b 10001", "finished c 1"), listener.lines());
  }

  @Test
  void aFlushRunsWhileALongMergeIsUnderWay() {
    MaintenanceService service = start(OPTIONS);
    FakeTask merge = FakeTask.merge("merge", 100_000 * BATCH, trace);
    service.submit(merge);
    executor.step();
    service.submit(FakeTask.flush("flush", 3 * BATCH, trace));
    while (!listener.lines().contains("finished flush 30000")) {
      assertTrue(executor.step());
      assertFalse(merge.done(), "the flush waited for the merge");
    }
  }

  @Test
  void mergesTakeTurnsUnderTheFairScheduler() {
    MaintenanceService service = start(OPTIONS.withScheduler(new FairScheduler()));
    service.submit(FakeTask.merge("long", 4 * BATCH, trace));
    service.submit(FakeTask.merge("short", 2 * BATCH, trace));
    service.awaitQuiet(Signal.FOREVER);
    assertEquals(List.of("long", "short", "long", "short", "long", "long"), trace);
  }

  @Test
  void aMergeThatArrivesLaterSharesFromThereOnAndDoesNotCatchUp() {
    MaintenanceService service = start(OPTIONS.withScheduler(new FairScheduler()));
    service.submit(FakeTask.merge("old", 100 * BATCH, trace));
    stepUntil(50);
    service.submit(FakeTask.merge("new", 100 * BATCH, trace));
    stepUntil(90);
    assertEquals(20, Collections.frequency(trace.subList(50, 90), "new"), 2, trace.toString());
  }

  @Test
  void theSchedulerCanBeChangedWhileMergesRun() {
    MaintenanceService service = start(OPTIONS.withScheduler(ArrivalScheduler.single()));
    service.submit(FakeTask.merge("long", 100 * BATCH, trace));
    service.submit(FakeTask.merge("short", 3 * BATCH, trace));
    stepUntil(10);
    assertEquals(List.of("long"), trace.stream().distinct().toList());
    service.setScheduler(new GreedyScheduler(1));
    stepUntil(13);
    assertEquals(List.of("short", "short", "short"), trace.subList(10, 13));
  }

  @Test
  void greedyOfTheNodeEndsTheSmallestMergeFirstWhereEachIndexHasOne() {
    assertEquals(List.of("b", "c", "a"), ends(new GreedyScheduler(1, Scope.NODE)));
    assertEquals(List.of("b", "c", "a"), ends(new BoundedGreedyScheduler(4, Scope.NODE)));
    // Of an index it shares evenly, as fair does: b is not done before 30 batches.
    List<String> before = List.copyOf(trace);
    ends(new GreedyScheduler(1));
    List<String> ofIndex = trace.subList(before.size(), trace.size());
    assertEquals(28, ofIndex.lastIndexOf("b"), 2);
    assertEquals(9, before.lastIndexOf("b") - before.size() / 2, 2);
  }

  private List<String> ends(MergeScheduler scheduler) {
    MaintenanceService service = start(OPTIONS.withScheduler(scheduler));
    List<String> ended = new ArrayList<>();
    service.submit(FakeTask.merge("a", 40 * BATCH, trace).of("a").atEnd(() -> ended.add("a")));
    service.submit(FakeTask.merge("b", 10 * BATCH, trace).of("b").atEnd(() -> ended.add("b")));
    service.submit(FakeTask.merge("c", 20 * BATCH, trace).of("c").atEnd(() -> ended.add("c")));
    service.awaitQuiet(Signal.FOREVER);
    return ended;
  }

  @Test
  void asManyMergesAreInTheMiddleOfABatchAsThereAreThreads() {
    MaintenanceService service = start(OPTIONS);
    service.setThreads(3, 1);
    assertEquals(3, mostAtOnce(service));
    service.setThreads(1, 1);
    assertEquals(1, mostAtOnce(service), "threads that are too many go on");
    service.setThreads(2, 1);
    assertEquals(2, mostAtOnce(service));
    assertThrows(IllegalArgumentException.class, () -> service.setThreads(0, 1));
    assertThrows(IllegalArgumentException.class, () -> service.setThreads(1, 65));
  }

  /** Each merge has the next worker step in the middle of its own batch. */
  private int mostAtOnce(MaintenanceService service) {
    int[] inside = new int[2];
    for (int i = 0; i < 5; i++) {
      service.submit(
          FakeTask.merge("merge " + i, 1, trace)
              .inNextStep(
                  () -> {
                    inside[1] = Math.max(inside[1], ++inside[0]);
                    while (inside[0] == inside[1] && executor.step()) {
                      // until nobody can go on beside those that are in their batches
                    }
                    inside[0]--;
                  }));
    }
    service.awaitQuiet(Signal.FOREVER);
    return inside[1];
  }

  @Test
  void flushesOfOneIndexStayInOrderWhateverTheNumberOfThreads() {
    MaintenanceService service = start(OPTIONS);
    service.setThreads(1, 4);
    // In the middle of a batch of the first, everybody else goes on as far as they can.
    FakeTask first =
        FakeTask.flush("a1", 3 * BATCH, trace)
            .of("a")
            .inNextStep(
                () -> {
                  while (!trace.contains("c1") && executor.step()) {
                    assertFalse(trace.contains("a2"), "two flushes of an index at once: " + trace);
                  }
                });
    service.submit(first);
    for (String name : List.of("a2", "b1", "a3", "b2", "c1")) {
      service.submit(FakeTask.flush(name, 3 * BATCH, trace).of(name.substring(0, 1)));
    }
    service.awaitQuiet(Signal.FOREVER);
    assertTrue(trace.indexOf("c1") < trace.lastIndexOf("a1"), "no two flush at once: " + trace);
    for (String name : List.of("a1a2", "a2a3", "b1b2")) {
      assertTrue(
          trace.lastIndexOf(name.substring(0, 2)) < trace.indexOf(name.substring(2)),
          name + " in " + trace);
    }
  }

  @Test
  void theUseOfThreadsIsTheTimeInWhichTheyHadTasks() {
    try (IoBudget budget = IoBudget.ofBytesPerSecond(100 * BATCH)) {
      MaintenanceService service = start(OPTIONS, budget);
      service.setThreads(2, 1);
      service.submit(FakeTask.merge("a", 200 * BATCH, trace).of("a"));
      service.submit(FakeTask.merge("b", 200 * BATCH, trace).of("b"));
      long begin = clock.nanoTime();
      service.awaitQuiet(Signal.FOREVER);
      long lasted = clock.nanoTime() - begin;
      MaintenanceStats.Threads threads = service.stats().threads();
      assertEquals(2.0 * lasted, (double) threads.mergeNanos(), 0.05 * lasted);
      assertEquals(0, threads.flushNanos());
      assertEquals(400 * BATCH, threads.mergeReadBytes());
      clock.advanceNanos(SECOND);
      assertEquals(threads.mergeNanos(), service.stats().threads().mergeNanos(), "at rest");
      service.submit(FakeTask.flush("f", 50 * BATCH, trace).of("a"));
      service.awaitQuiet(Signal.FOREVER);
      MaintenanceStats.Threads after = service.stats().threads();
      assertEquals(after.flushNanos(), after.sealToFlushedNanos());
      assertEquals(0.5 * SECOND, (double) after.flushNanos(), 0.05 * SECOND);
    }
  }

  private void stepUntil(int steps) {
    while (trace.size() < steps) {
      assertTrue(executor.step(), "nothing to do after " + trace);
    }
  }

  @Test
  void aMergePausesWhenTheSchedulerLeavesItOut() {
    MaintenanceService service = start(OPTIONS.withScheduler(new GreedyScheduler(1)));
    service.submit(FakeTask.merge("long", 4 * BATCH, trace));
    executor.step();
    executor.step();
    assertEquals(List.of("long"), trace.stream().distinct().toList());
    int before = trace.size();
    service.submit(FakeTask.merge("short", BATCH, trace));
    service.awaitQuiet(Signal.FOREVER);
    assertEquals("short", trace.get(before));
    assertEquals(5, trace.size());
    assertEquals(0, service.stats().merges().cancelled());
  }

  @Test
  void fairSharesBytesEvenlyOverMergesOfAllIndexes() {
    MaintenanceService service = start(OPTIONS.withScheduler(new FairScheduler()));
    List<FakeTask> merges = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      // Five merges of one index, one of another.
      merges.add(FakeTask.merge("m" + i, 1000 * BATCH, trace).of(i < 5 ? "a" : "b"));
    }
    merges.forEach(service::submit);
    stepUntil(600);
    for (FakeTask merge : merges) {
      assertWithin(10 * BATCH, 100 * BATCH, merge);
    }
  }

  @Test
  void greedyRunsTheMergeWithTheFewestBytesLeftOfEachIndexAndPausesTheOthers() {
    MaintenanceService service = start(OPTIONS.withScheduler(new GreedyScheduler(1)));
    FakeTask longer = FakeTask.merge("a long", 400 * BATCH, trace).of("a");
    FakeTask shorter = FakeTask.merge("a short", 100 * BATCH, trace).of("a");
    FakeTask other = FakeTask.merge("b", 300 * BATCH, trace).of("b");
    service.submit(longer);
    stepUntil(50);
    service.submit(shorter);
    service.submit(other);
    stepUntil(150);
    assertEquals(50 * BATCH, longer.written(), "it pauses, and keeps what it has");
    assertWithin(5 * BATCH, 50 * BATCH, shorter); // an index gets half
    assertWithin(5 * BATCH, 50 * BATCH, other); // and so does the other
    stepUntil(260);
    assertTrue(shorter.done());
    long begun = longer.written();
    stepUntil(360);
    assertWithin(5 * BATCH, begun + 50 * BATCH, longer); // it has gone on
    service.finish();
    assertEquals(0, service.stats().merges().cancelled());
    assertEquals(400 * BATCH, longer.written());
  }

  @Test
  void aFlushGoesBeforeTheBytesOfEveryMerge() {
    MaintenanceService service =
        start(OPTIONS.withMergeThreads(3), IoBudget.ofBytesPerSecond(1_000_000));
    for (int i = 0; i < 5; i++) {
      service.submit(FakeTask.merge("merge", 1000 * BATCH, trace).of("i" + i));
    }
    executor.runForNanos(SECOND);
    for (int i = 0; i < 20; i++) {
      FakeTask flush = FakeTask.flush("flush", BATCH, trace);
      service.submit(flush);
      executor.runUntilIdle();
      assertTrue(flush.done(), "flush " + i + " waits for merges");
      executor.runForNanos(SECOND / 10);
    }
    assertEquals(0, service.stats().flushes().longestQueuedNanos());
  }

  @Test
  void aMergeThatTheDiskHasNoRoomForWaitsForThoseThatWillFreeSome() {
    MaintenanceService service = startOnDisk(120 * BATCH);
    FakeTask first = FakeTask.merge("first", 100 * BATCH, trace);
    FakeTask second = FakeTask.merge("second", 50 * BATCH, trace);
    service.submit(first);
    service.submit(second);
    stepUntil(40);
    assertEquals(List.of("first"), trace.stream().distinct().toList());
    assertEquals(
        List.of(TaskReport.State.RUNNING, TaskReport.State.NO_SPACE),
        service.stats().tasks().stream().map(TaskReport::state).toList());
    service.finish();
    assertTrue(first.done() && second.done());
    assertEquals(0, second.cancels());
    assertEquals(0, service.stats().merges().failed());
  }

  @Test
  void aMergeThatNobodyWillFreeRoomForIsGivenUpBeforeItWritesAnything() {
    MaintenanceService service = startOnDisk(120 * BATCH);
    FakeTask large = FakeTask.merge("large", 121 * BATCH, trace);
    service.submit(large);
    service.submit(FakeTask.flush("flush", BATCH, trace));
    service.finish();
    assertEquals(List.of("flush"), trace);
    assertEquals(1, large.cancels());
    assertEquals(1, service.stats().merges().failed());
    assertTrue(
        listener
            .lines()
            .contains("failed large: reserve 1210000 bytes, with 1200000 left, for large"),
        listener.lines().toString());
  }

  @Test
  @SuppressWarnings("MustBeClosedChecker") // the services keep them to the end of the test
  void aMergeWaitsForSpaceThatAnotherServiceOfTheDeviceFrees() {
    DeviceSpaces devices = new DeviceSpaces();
    Device disk = new Device("disk");
    MaintenanceService one = startOnDisk(devices.join(disk, () -> 120 * BATCH));
    MaintenanceService two = startOnDisk(devices.join(disk, () -> 120 * BATCH));
    FakeTask first = FakeTask.merge("first", 100 * BATCH, trace);
    FakeTask second = FakeTask.merge("second", 110 * BATCH, trace);
    one.submit(first);
    stepUntil(10);
    two.submit(second);
    stepUntil(50);
    assertEquals(List.of("first"), trace.stream().distinct().toList());
    assertEquals(TaskReport.State.NO_SPACE, two.stats().tasks().get(0).state());
    one.finish();
    two.finish();
    assertTrue(first.done() && second.done());
    assertEquals(0, second.cancels());
  }

  @Test
  @SuppressWarnings("MustBeClosedChecker") // the services keep them to the end of the test
  void aMergeThatIsCancelledFreesSpaceForAnotherService() {
    DeviceSpaces devices = new DeviceSpaces();
    Device disk = new Device("disk");
    MaintenanceService one = startOnDisk(devices.join(disk, () -> 120 * BATCH));
    MaintenanceService two = startOnDisk(devices.join(disk, () -> 120 * BATCH));
    one.submit(FakeTask.merge("first", 100 * BATCH, trace));
    stepUntil(10);
    FakeTask second = FakeTask.merge("second", 110 * BATCH, trace);
    two.submit(second);
    stepUntil(20);
    assertEquals(0, second.written());
    one.close();
    two.finish();
    assertEquals(110 * BATCH, second.written());
  }

  private MaintenanceService startOnDisk(DiskSpace space) {
    MaintenanceService service =
        MaintenanceService.start(
            OPTIONS,
            new MaintenanceContext(
                clock, executor, IoBudget.unlimited(), listener, DiskSpaces.of(space)));
    started.add(service);
    return service;
  }

  /** A disk on which merges leave what they write, and free their input at their end. */
  private MaintenanceService startOnDisk(long bytes) {
    return startOnDisk(DiskSpace.alone(() -> bytes));
  }

  @Test
  void severalMergeWorkersShareWhatIsAllocated() {
    MaintenanceService service =
        start(OPTIONS.withMergeThreads(3).withScheduler(new ArrivalScheduler(2)));
    for (int i = 0; i < 5; i++) {
      service.submit(FakeTask.merge("m" + i, 3 * BATCH, trace));
    }
    assertEquals(Signal.Outcome.DONE, service.awaitQuiet(Signal.FOREVER));
    assertEquals(15, trace.size());
    assertEquals(3, Collections.frequency(trace.subList(0, 6), "m0"));
  }

  @Test
  void aSleepingWorkerIsWokenWhenAStepSetsAMergeFree() {
    MaintenanceService service =
        start(OPTIONS.withMergeThreads(2).withScheduler(new ArrivalScheduler(1)));
    FakeTask merge = FakeTask.merge("merge", 2 * BATCH, trace);
    // While one worker is in the merge's step, the other finds nothing to do and falls asleep.
    merge.inNextStep(executor::runUntilIdle);
    service.submit(merge);
    while (merge.written() == 0) {
      assertTrue(executor.step());
    }
    assertEquals(2, executor.runnable().size(), executor.runnable().toString());
  }

  @Test
  void aFailedDiskIsReportedAndTheServiceGoesOn() {
    MaintenanceService service = start(OPTIONS);
    FakeTask failing =
        FakeTask.flush("a", BATCH, trace)
            .failing(
                () -> {
                  throw new DiskException("f", "write", null);
                });
    service.submit(failing);
    service.submit(FakeTask.merge("b", BATCH, trace));
    service.submit(FakeTask.flush("c", BATCH, trace));
    service.awaitQuiet(Signal.FOREVER);
    assertTrue(listener.lines().contains("failed a: write f"), listener.lines().toString());
    assertTrue(listener.lines().contains("finished b 10000"), listener.lines().toString());
    assertTrue(listener.lines().contains("finished c 10000"), listener.lines().toString());
    assertTrue(service.poison().isEmpty());
    assertEquals(1, service.stats().flushes().failed());
    assertEquals(0, failing.cancels(), "it has cleaned up itself");
  }

  @Test
  void corruptionPoisonsTheServiceAndCancelsWhatWaits() {
    MaintenanceService service = start(OPTIONS);
    CorruptionException corruption = new CorruptionException("f", 7, "wrong checksum");
    service.submit(
        FakeTask.flush("a", BATCH, trace)
            .failing(
                () -> {
                  throw corruption;
                }));
    FakeTask next = FakeTask.flush("b", BATCH, trace);
    service.submit(next);
    service.awaitQuiet(Signal.FOREVER);
    assertEquals(
        List.of("failed a: f at byte 7: wrong checksum", "poisoned: f at byte 7: wrong checksum"),
        listener.lines());
    assertSame(corruption, service.poison().orElseThrow());
    assertEquals(1, next.cancels());
    assertEquals(1, service.stats().flushes().cancelled());
    FakeTask late = FakeTask.merge("late", BATCH);
    service.submit(late);
    assertEquals(1, late.cancels(), "cancelled at once");
    assertTrue(service.quiet());
  }

  @Test
  void aBugInATaskPoisonsTheServiceWithItsCause() {
    MaintenanceService service = start(OPTIONS);
    IllegalStateException bug = new IllegalStateException("bug");
    FakeTask broken =
        FakeTask.merge("broken", BATCH, trace)
            .failing(
                () -> {
                  throw bug;
                });
    FakeTask waiting = FakeTask.merge("waiting", BATCH, trace);
    service.submit(broken);
    service.submit(waiting);
    service.awaitQuiet(Signal.FOREVER);
    assertSame(bug, service.poison().orElseThrow());
    assertEquals(1, broken.cancels());
    assertEquals(1, waiting.cancels());
    assertEquals(List.of("poisoned: bug"), listener.lines());
  }

  @Test
  void aTaskUnderWayElsewhereEndsAfterItsStepWhenTheServiceIsPoisoned() {
    MaintenanceService service = start(OPTIONS);
    FakeTask merge = FakeTask.merge("merge", 3 * BATCH, trace);
    FakeTask flush =
        FakeTask.flush("flush", BATCH, trace)
            .failing(
                () -> {
                  throw new CorruptionException("f", -1, "gone");
                });
    // The merge's step lets the flush worker run: as if it were on another thread.
    merge.inNextStep(
        () -> {
          service.submit(flush);
          while (service.poison().isEmpty()) {
            executor.step();
          }
          assertEquals(0, merge.cancels(), "nobody touches a task in its step");
          assertFalse(service.quiet());
        });
    service.submit(merge);
    service.awaitQuiet(Signal.FOREVER);
    assertEquals(1, merge.cancels());
    assertEquals(BATCH, merge.written());
  }

  @Test
  void finishRunsEverythingAndWhatComesOfIt() {
    MaintenanceService service = start(OPTIONS);
    FakeTask merge = FakeTask.merge("merge", 2 * BATCH, trace);
    service.submit(FakeTask.flush("flush", BATCH, trace).atEnd(() -> service.submit(merge)));
    service.finish();
    assertEquals(List.of("flush", "merge", "merge"), trace);
    assertTrue(service.quiet());
    FakeTask late = FakeTask.flush("late", BATCH, trace);
    service.submit(late);
    assertEquals(1, late.cancels());
  }

  @Test
  void closeCancelsWhatHasNotEnded() {
    MaintenanceService service = start(OPTIONS);
    FakeTask merge = FakeTask.merge("merge", 5 * BATCH, trace);
    FakeTask flush = FakeTask.flush("flush", 5 * BATCH, trace);
    service.submit(merge);
    service.submit(flush);
    executor.step();
    service.close();
    service.close();
    assertEquals(1, merge.cancels());
    assertEquals(1, flush.cancels());
    assertTrue(service.quiet());
    assertEquals(List.of(), executor.runnable());
    assertEquals(1, service.stats().merges().cancelled());
    assertEquals(1, service.stats().flushes().cancelled());
  }

  @Test
  void theBudgetPausesMergesAndNotAFlushThatArrives() {
    long rate = 1_000_000; // batches of 10,000 bytes, one each 10 ms
    MaintenanceService service = start(OPTIONS, IoBudget.ofBytesPerSecond(rate));
    FakeTask merge = FakeTask.merge("merge", 10 * rate, trace);
    service.submit(merge);
    executor.runForNanos(2 * SECOND);
    assertNear(2 * rate, merge.written());
    FakeTask flush = FakeTask.flush("flush", rate, trace);
    service.submit(flush);
    executor.runForNanos(SECOND);
    assertTrue(flush.done() || flush.remainingInputBytes() <= 2 * BATCH, "a second is enough");
    assertNear(2 * rate, merge.written());
    executor.runForNanos(2 * SECOND);
    assertNear(4 * rate, merge.written());
    MaintenanceStats stats = service.stats();
    assertTrue(stats.flushes().longestQueuedNanos() <= SECOND / 100, stats.toString());
    assertTrue(stats.merges().budgetNanos() > 4 * SECOND, stats.toString());
  }

  @Test
  void statisticsSayWhatRunsAndHowFarItIs() {
    MaintenanceService service = start(OPTIONS);
    service.submit(FakeTask.merge("first", 4 * BATCH, trace));
    service.submit(FakeTask.merge("second", 4 * BATCH, trace));
    clock.advanceNanos(5);
    while (trace.isEmpty()) {
      executor.step();
    }
    clock.advanceNanos(7);
    MaintenanceStats stats = service.stats();
    assertEquals(1, stats.merges().waiting());
    TaskReport running = stats.running().get(0);
    assertEquals(
        new TaskReport(
            1,
            Kind.MERGE,
            TaskReport.State.RUNNING,
            "first",
            "",
            4 * BATCH,
            3 * BATCH,
            BATCH,
            5,
            7),
        running);
    assertEquals(0.25, running.progress());
    service.finish();
    stats = service.stats();
    assertEquals(2, stats.merges().finished());
    assertEquals(8 * BATCH, stats.merges().writtenBytes());
    assertEquals(List.of(), stats.running());
  }

  @Test
  void everyTaskEndsInExactlyOneWayWhateverTheOrder() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int round = 0; round < 300; round++) {
      long seed = random.nextLong();
      endsInExactlyOneWay(new SplittableRandom(seed), "seed " + seed);
    }
  }

  private void endsInExactlyOneWay(SplittableRandom random, String message) {
    ManualClock time = new ManualClock();
    SteppedExecutor steps = new SteppedExecutor(time, random.nextLong());
    ListenerLog log = new ListenerLog();
    IoBudget budget =
        random.nextBoolean() ? IoBudget.unlimited() : IoBudget.ofBytesPerSecond(5_000_000);
    MaintenanceService service =
        MaintenanceService.start(
            OPTIONS.withMergeThreads(1 + random.nextInt(3)),
            new MaintenanceContext(time, steps, budget, log));
    int tasks = 1 + random.nextInt(30);
    List<FakeTask> submitted = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      Kind kind = random.nextBoolean() ? Kind.FLUSH : Kind.MERGE;
      FakeTask task = new FakeTask(kind, "t" + i, 1 + random.nextInt(100_000), trace);
      int fate = random.nextInt(40);
      if (fate < 4) {
        task.failing(
            () -> {
              throw new DiskException("f", "write", null);
            });
      } else if (fate == 4) {
        task.failing(
            () -> {
              throw new CorruptionException("f", 0, "x");
            });
      }
      submitted.add(task);
      service.submit(task);
      for (int step = random.nextInt(10); step > 0; step--) {
        steps.step();
      }
    }
    if (random.nextBoolean()) {
      service.finish();
    } else {
      service.close();
    }
    assertTrue(service.quiet(), message);
    MaintenanceStats stats = service.stats();
    long finished = stats.flushes().finished() + stats.merges().finished();
    long failed = stats.flushes().failed() + stats.merges().failed();
    long cancelled = submitted.stream().mapToLong(FakeTask::cancels).sum();
    assertEquals(tasks, finished + failed + cancelled, message);
    assertEquals(
        finished, log.lines().stream().filter(line -> line.startsWith("finished")).count());
    assertEquals(failed, log.lines().stream().filter(line -> line.startsWith("failed")).count());
    assertTrue(submitted.stream().allMatch(FakeTask::done), message);
  }

  private static void assertWithin(long tolerance, long expected, FakeTask task) {
    assertTrue(
        Math.abs(task.written() - expected) <= tolerance,
        task.describe() + " wrote " + task.written() + ", not " + expected);
  }

  private static void assertNear(long expected, long found) {
    assertTrue(Math.abs(found - expected) <= 0.05 * expected, expected + " but " + found);
  }
}

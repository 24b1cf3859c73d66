package dev.varve.common.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentState;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.disk.BuildPlan;
import dev.varve.common.disk.ComponentBuild;
import dev.varve.common.disk.ComponentStore;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.disk.DiskComponents;
import dev.varve.common.disk.DiskComponents.Membership;
import dev.varve.common.disk.IndexFiles;
import dev.varve.common.disk.KeyRun;
import dev.varve.common.env.Quarantine;
import dev.varve.common.env.SystemClock;
import dev.varve.common.error.StorageException;
import dev.varve.common.filter.BloomFilterBuilder;
import dev.varve.common.index.MergePlanner.Planned;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.Observation;
import dev.varve.common.merge.PartitionedDecision;
import dev.varve.common.merge.PartitionedPolicy;
import dev.varve.common.merge.PartitionedShape;
import dev.varve.common.page.ComponentOptions;
import dev.varve.common.page.Destination;
import dev.varve.common.page.PageCache;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.SortedRunFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: the same components, rounds and observation give the same plan, and planning changes
 * nothing. Method: components of a few keys, without an index; a policy that says what the test
 * wants.
 */
final class MergePlannerTest {
  private static final Path DIRECTORY = Path.of("/node");
  private static final Observation QUIET = new Observation(Observation.Writes.REST, 1, 0);

  private final MemoryFileSystem files = new MemoryFileSystem();
  private final ComponentStore<Slice> store =
      new ComponentStore<>(
          new IndexFiles.Place<>(DIRECTORY, new SortedRunFormat(), 7, 42),
          files,
          new PageCache(1 << 20),
          new Quarantine(files, new SystemClock(), DIRECTORY));
  private final List<DiskComponent<Slice>> opened = new ArrayList<>();
  private final MergePlanner<Slice> planner = new MergePlanner<>(List.of(), Observation.NONE);

  MergePlannerTest() throws StorageException {
    files.createDirectories(DIRECTORY);
  }

  @AfterEach
  void close() {
    opened.forEach(DiskComponent::release);
  }

  private record Saying(Function<PartitionedShape, PartitionedDecision> decision)
      implements MergePolicy, PartitionedPolicy {
    @Override
    public PartitionedDecision decide(PartitionedShape shape) {
      return decision.apply(shape);
    }

    @Override
    public MergeDecision decide(IndexShape shape) {
      throw new AssertionError("a policy of whole components was asked");
    }

    @Override
    public Optional<PartitionedPolicy> partitioned() {
      return Optional.of(this);
    }

    @Override
    public int flushedLimit() {
      return PartitionedPolicy.UNLIMITED;
    }

    @Override
    public long componentBytes() {
      return 4096;
    }

    @Override
    public long overlapBytes() {
      return Long.MAX_VALUE;
    }

    @Override
    public String describe() {
      return "saying";
    }
  }

  private DiskComponent<Slice> component(String... keys) throws StorageException {
    long flush = opened.size() + 1L;
    ComponentBuild<Slice> build =
        store.newBuild(
            new ComponentId(flush, flush),
            Membership.MANIFEST,
            new BuildPlan(
                new ComponentOptions(
                    4096, 0, 0, 1 << 20, new ComponentOptions.DirectIo(1, false), 0),
                0,
                BloomFilterBuilder.UNKNOWN,
                Destination.SYSTEM_CACHE));
    for (String key : keys) {
      build.add(IndexFixture.entry(key, "value", false));
    }
    build.finish(-1, RangeFilter.UNKNOWN);
    DiskComponent<Slice> component = store.openSealed(build);
    opened.add(component);
    store.findRanges(List.of(component));
    return component;
  }

  private DiskComponents<Slice> disk(
      List<DiskComponent<Slice>> flushed, List<List<DiskComponent<Slice>>> levels) {
    return new DiskComponents<>(
        Membership.MANIFEST, flushed, levels.stream().map(KeyRun::new).toList(), opened.size(), -1);
  }

  private static MergePolicy merging(
      int level, DiskComponent<Slice> input, List<DiskComponent<Slice>> overlapped) {
    return new Saying(
        shape ->
            new PartitionedDecision.Merge(
                level,
                List.of(input.range().number()),
                overlapped.stream().map(each -> each.range().number()).toList()));
  }

  @Test
  void aMergeOutOfALevelMovesItsRoundInThePlannerAfterwardsOnly() throws StorageException {
    DiskComponent<Slice> first = component("a", "c");
    DiskComponent<Slice> second = component("e", "g");
    DiskComponent<Slice> below = component("b", "f");
    DiskComponents<Slice> disk = disk(List.of(), List.of(List.of(first, second), List.of(below)));
    MergePolicy policy = merging(1, first, List.of(below));

    Planned<Slice> planned = planner.next(disk, policy);

    assertEquals(List.of(List.of(first), List.of(below)), planned.plan().runs());
    assertEquals(2, planned.plan().placement().level());
    assertTrue(planned.plan().dropsAntimatter());
    assertEquals(List.of(Optional.of(first.range().keys())), planned.after().rounds());
    assertEquals(List.of(), planner.rounds());
    opened.forEach(each -> assertEquals(ComponentState.ACTIVE, each.state()));
    assertEquals(planned, planner.next(disk, policy));
  }

  @Test
  void aMergeOfFlushedComponentsLeavesTheRounds() throws StorageException {
    DiskComponent<Slice> flushed = component("a", "c");

    Planned<Slice> planned =
        planner.next(disk(List.of(flushed), List.of()), merging(0, flushed, List.of()));

    assertEquals(1, planned.plan().placement().level());
    assertSame(planner, planned.after());
  }

  @Test
  void antimatterStaysWhereAnOlderLevelHasAKeyOfTheInputs() throws StorageException {
    DiskComponent<Slice> input = component("a", "c");
    DiskComponent<Slice> middle = component("x");
    DiskComponent<Slice> oldest = component("b");
    DiskComponents<Slice> disk =
        disk(List.of(), List.of(List.of(input), List.of(middle), List.of(oldest)));

    assertFalse(planner.next(disk, merging(1, input, List.of())).plan().dropsAntimatter());
  }

  @Test
  void thePolicyIsToldTheRoundsAndWhatWasSeen() throws StorageException {
    DiskComponent<Slice> input = component("a", "c");
    DiskComponents<Slice> disk = disk(List.of(), List.of(List.of(input)));
    MergePlanner<Slice> after = planner.next(disk, merging(1, input, List.of())).after();
    List<PartitionedShape> asked = new ArrayList<>();
    MergePolicy waiting =
        new Saying(
            shape -> {
              asked.add(shape);
              return new PartitionedDecision.Wait();
            });

    assertNull(planner.next(disk, waiting));
    assertNull(after.seeing(QUIET).next(disk, waiting));

    assertEquals(Optional.empty(), asked.get(0).level(1).mergedLast());
    assertEquals(Observation.NONE, asked.get(0).observation());
    assertEquals(Optional.of(input.range().keys()), asked.get(1).level(1).mergedLast());
    assertEquals(QUIET, asked.get(1).observation());
  }

  @Test
  void aMergeThatLeavesOutWhatItsInputsOverlapIsRefused() throws StorageException {
    DiskComponent<Slice> input = component("a", "c");
    DiskComponent<Slice> below = component("b");
    DiskComponents<Slice> disk = disk(List.of(), List.of(List.of(input), List.of(below)));

    assertThrows(
        IllegalStateException.class, () -> planner.next(disk, merging(1, input, List.of())));
  }

  @Test
  void whatIsMergingAlreadyIsNotPlannedAgain() throws StorageException {
    DiskComponent<Slice> input = component("a", "c");
    DiskComponents<Slice> disk = disk(List.of(), List.of(List.of(input)));
    input.move(ComponentState.Event.MERGE_BEGINS);

    assertThrows(
        IllegalStateException.class, () -> planner.next(disk, merging(1, input, List.of())));
  }
}

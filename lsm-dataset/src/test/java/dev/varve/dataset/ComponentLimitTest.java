package dev.varve.dataset;

import static dev.varve.dataset.TestStore.causes;
import static dev.varve.dataset.TestStore.index;
import static dev.varve.dataset.TestStore.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.StorageException;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.PartitionedDecision;
import dev.varve.common.merge.PartitionedPolicy;
import dev.varve.common.merge.PartitionedShape;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Goal: writers that are faster than merges wait at the component limit, and not for ever. Method:
 * a device so slow that merges fall behind the flushes, which go before them.
 */
class ComponentLimitTest {
  private static final EngineOptions SLOW = TestStore.options().ioBytesPerSecond(50_000).build();

  private final TestStore store = TestStore.empty(5);

  @Test
  void writersWaitForMergesAndTheIndexStaysWithinItsLimit() throws StorageException {
    Outcome outcome = write("constant(3) limit 4");
    assertTrue(outcome.stalls.contains("COMPONENT_LIMIT"), outcome.stalls.toString());
    assertTrue(outcome.mostComponents <= 4, "components: " + outcome.mostComponents);
  }

  @Test
  void withoutALimitComponentsPileUp() throws StorageException {
    Outcome outcome = write("constant(3) limit none");
    assertTrue(!outcome.stalls.contains("COMPONENT_LIMIT"), outcome.stalls.toString());
    assertTrue(outcome.mostComponents > 4, "components: " + outcome.mostComponents);
  }

  @Test
  void aLimitBelowWhatThePolicyMergesAtStopsNobodyForEver() throws StorageException {
    assertTrue(write("constant(5) limit 1").mostComponents >= 4);
  }

  @Test
  void ofComponentsThatAreCutByKeyRangeThoseOfLevel0Count() throws StorageException {
    Outcome outcome = write("partitioned-leveling(2, 64k, 16k, 2) limit 3");
    assertTrue(outcome.stalls.contains("COMPONENT_LIMIT"), outcome.stalls.toString());
    assertTrue(outcome.mostFlushed <= 3, "at level 0: " + outcome.mostFlushed);
    assertTrue(outcome.mostComponents > 10, "components: " + outcome.mostComponents);
  }

  /**
   * Between the end of a merge and the decision about the next one nothing merges, and whoever
   * asked just then was let past the limit.
   */
  @Test
  void theLimitHoldsWhileThePolicyIsAskedWhatToMergeNext() throws StorageException {
    AtomicReference<StorageEngine> asked = new AtomicReference<>();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger waits = new AtomicInteger();
    UnaryOperator<MergePolicy> whoeverAsks =
        policy ->
            new AskedBefore(
                policy,
                shape -> {
                  most.accumulateAndGet(shape.flushed().size(), Math::max);
                  StorageEngine engine = asked.get();
                  if (engine != null && shape.merging().isEmpty() && shape.flushed().size() == 3) {
                    // Looks at the gate as a writer does.
                    waits.addAndGet(engine.waits().waits().size());
                  }
                });
    try (StorageEngine engine =
        StorageEngine.open(
            SLOW,
            new EngineSeams(store.faults, store.clock, store.executor, Seeds.random(store.seed))
                .withPolicies(whoeverAsks))) {
      asked.set(engine);
      write(engine, "partitioned-leveling(2, 64k, 16k, 2) limit 3");
      assertEquals(3, most.get(), "at level 0");
      assertTrue(waits.get() > 10, "waits at the limit: " + waits);
    }
  }

  /** Decides alike, and has somebody look before it does. */
  private record AskedBefore(MergePolicy policy, Consumer<PartitionedShape> look)
      implements MergePolicy, PartitionedPolicy {
    @Override
    public MergeDecision decide(IndexShape shape) {
      return policy.decide(shape);
    }

    @Override
    public PartitionedDecision decide(PartitionedShape shape) {
      look.accept(shape);
      return cut().decide(shape);
    }

    private PartitionedPolicy cut() {
      return policy.partitioned().orElseThrow();
    }

    @Override
    public Optional<PartitionedPolicy> partitioned() {
      return policy.partitioned().map(cut -> this);
    }

    @Override
    public int componentLimit(IndexShape shape) {
      return policy.componentLimit(shape);
    }

    @Override
    public int limitedComponents(IndexShape shape) {
      return policy.limitedComponents(shape);
    }

    @Override
    public int flushedLimit() {
      return cut().flushedLimit();
    }

    @Override
    public long componentBytes() {
      return cut().componentBytes();
    }

    @Override
    public long overlapBytes() {
      return cut().overlapBytes();
    }

    @Override
    public String describe() {
      return policy.describe();
    }
  }

  @Test
  void everyPolicyRunsOnTheEngine() throws StorageException {
    for (String policy :
        List.of(
            "none",
            "constant(3)",
            "prefix(200k, 3)",
            "tiering(2)",
            "leveling(3)",
            "leveling(3, 30k, fixed) limit local",
            "size-tiered(1.2, 2, 4)",
            "size-bounded(1.2, 2, 4, 200k)",
            "binomial(3)",
            "blsm(3)",
            "partitioned-leveling(2, 64k, 16k, 2, best)")) {
      TestStore other = TestStore.empty(7);
      Outcome outcome = write(other, policy);
      assertTrue(outcome.flushes > 10, policy);
      assertEquals(policy.equals("none"), outcome.merges == 0, policy);
    }
  }

  private record Outcome(
      int mostComponents, int mostFlushed, List<String> stalls, long flushes, long merges) {}

  private Outcome write(String policy) throws StorageException {
    return write(store, policy);
  }

  private static Outcome write(TestStore store, String policy) throws StorageException {
    try (StorageEngine engine = store.open(SLOW)) {
      return write(engine, policy);
    }
  }

  private static Outcome write(StorageEngine engine, String policy) throws StorageException {
    KeyValueStore pairs =
        engine.createKeyValueStore(
            "pairs",
            KeyValueOptions.DEFAULTS
                .withMemoryBytes(128 << 10)
                .withMergePolicy(new MergePolicyOptions(policy)));
    int most = 0;
    int mostFlushed = 0;
    try (KeyValueSession session = pairs.openSession()) {
      for (int i = 0; i < 1000; i++) {
        put(session, i);
        IndexStats index = index(pairs);
        most = Math.max(most, index.components().size());
        mostFlushed = Math.max(mostFlushed, index.levels().get(0));
      }
      session.force();
    }
    assertTrue(engine.awaitQuiet(3_600_000), policy);
    assertEquals(List.of(), engine.verify().problems(), policy);
    return new Outcome(
        most, mostFlushed, causes(engine), index(pairs).flushes(), index(pairs).merges());
  }
}

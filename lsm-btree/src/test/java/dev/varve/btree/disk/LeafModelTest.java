package dev.varve.btree.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.testkit.Seeds;
import java.util.Arrays;
import java.util.Objects;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Estimates are right where keys are spread evenly, few where they are not, and never wild. */
final class LeafModelTest {
  private static final long SEED = 20261124;
  private static final int LEAVES = 2_000;
  private static final int KEYS_OF_A_LEAF = 60;

  /** Separators and page numbers of a tree over some keys, and what is estimated for each key. */
  private static final class Tree {
    final long[] keys;
    final long[] heads = new long[LEAVES - 1];
    final int[] pages = new int[LEAVES];
    final LeafModel model;
    int right;
    int wrong;
    int none;

    /**
     * Builds and measures.
     *
     * @param unevenPage the leaf behind which an interior page stands
     */
    Tree(long[] keys, int unevenPage) {
      this.keys = keys;
      for (int leaf = 0; leaf < LEAVES; leaf++) {
        pages[leaf] = 1 + leaf + (leaf > unevenPage ? 1 : 0);
        if (leaf > 0) {
          heads[leaf - 1] = keys[leaf * KEYS_OF_A_LEAF];
        }
      }
      model = Objects.requireNonNull(LeafModel.of(heads, pages));
      for (int i = 0; i < keys.length; i++) {
        measure(i);
      }
    }

    private void measure(int i) {
      model.prefetch(keys[i]);
      long estimate = model.estimate(keys[i]);
      if (estimate == LeafModel.NONE) {
        none++;
        return;
      }
      int page = LeafFences.leaf(estimate);
      assertTrue(page >= pages[0] && page <= pages[LEAVES - 1] + 1, () -> "page " + page);
      long position = LeafFences.position(estimate);
      assertTrue(position < 1L << LeafFences.POSITION_BITS, () -> "position " + position);
      if (page == pages[i / KEYS_OF_A_LEAF]) {
        right++;
      } else {
        wrong++;
      }
    }
  }

  /** Ascending keys, so many that every leaf is full. */
  private interface Spread {
    long key(RandomGenerator random, int i);
  }

  private static Tree tree(Spread spread, int unevenPage) {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    // Biased, so that a signed order is the unsigned one.
    TreeSet<Long> biased = new TreeSet<>();
    for (int i = 0; biased.size() < LEAVES * KEYS_OF_A_LEAF; i++) {
      biased.add(spread.key(random, i) ^ Long.MIN_VALUE);
    }
    return new Tree(biased.stream().mapToLong(key -> key ^ Long.MIN_VALUE).toArray(), unevenPage);
  }

  private static void requireEvenlySpread(Tree tree) {
    assertTrue(tree.right > 0.98 * tree.keys.length, tree.right + " right");
    assertTrue(tree.wrong < 0.02 * tree.keys.length, tree.wrong + " wrong");
  }

  @Test
  void keysAtRandomAreEstimated() {
    requireEvenlySpread(tree((random, i) -> random.nextLong(), LEAVES));
  }

  @Test
  void numbersInARowAreEstimated() {
    requireEvenlySpread(tree((random, i) -> 1_000_000 + i, LEAVES));
    requireEvenlySpread(tree((random, i) -> (long) i << 40, LEAVES));
  }

  @Test
  void clustersAreSeldomEstimatedWrongly() {
    Tree clusters =
        tree((random, i) -> ((long) random.nextInt(64) << 58) + random.nextInt(1 << 20), LEAVES);
    assertTrue(clusters.wrong < 0.02 * clusters.keys.length, clusters.wrong + " wrong");
    Tree growing = tree((random, i) -> (1L << i % 60) + random.nextInt(1 << 12), LEAVES);
    assertTrue(growing.wrong < 0.02 * growing.keys.length, growing.wrong + " wrong");
    assertTrue(growing.none > 0, "where keys are dense nothing is estimated");
  }

  @Test
  void besideAnInteriorPageNothingIsEstimatedWrongly() {
    Tree even = tree((random, i) -> (long) i << 40, LEAVES);
    Tree uneven = tree((random, i) -> (long) i << 40, LEAVES / 2);
    assertEquals(even.wrong, uneven.wrong);
    assertTrue(uneven.none > even.none);
    assertTrue(uneven.none < even.none + 5 * KEYS_OF_A_LEAF, uneven.none + " without an estimate");
  }

  @Test
  void thePositionIsTheShareOfTheWayThroughTheLeaf() {
    Tree tree = tree((random, i) -> (long) i << 40, LEAVES);
    for (int i = 0; i < KEYS_OF_A_LEAF; i++) {
      long estimate = tree.model.estimate((LEAVES / 2L * KEYS_OF_A_LEAF + i) << 40);
      double part = LeafFences.position(estimate) / (double) (1L << LeafFences.POSITION_BITS);
      assertEquals(i / (double) KEYS_OF_A_LEAF, part, 0.05);
    }
  }

  @Test
  void outsideOfTheSeparatorsNothingIsEstimated() {
    LeafModel model =
        Objects.requireNonNull(LeafModel.of(new long[] {100, 200, 300}, new int[] {1, 2, 3, 4}));
    for (long head : new long[] {0, 99, 301, Long.MAX_VALUE, -1}) {
      assertEquals(LeafModel.NONE, model.estimate(head));
      model.prefetch(head);
    }
    assertEquals(2, LeafFences.leaf(model.estimate(150)));
  }

  @Test
  void aTreeOfAFewLeavesOrOfTooManyPagesHasNoModel() {
    assertNull(LeafModel.of(new long[0], new int[] {1}));
    assertNull(LeafModel.of(new long[] {5}, new int[] {1, 2}));
    assertNull(LeafModel.of(new long[] {5, 5}, new int[] {1, 2, 3}));
    assertNull(LeafModel.of(new long[] {5, 6}, new int[] {1, 2, 1 << 25}));
  }

  /** Such as a damaged interior page may say; nothing may be read outside of any array. */
  @Test
  void separatorsAndPagesOfAnyKindGiveEstimatesOfSomeKind() {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    for (int round = 0; round < 2_000; round++) {
      long[] heads = random.longs(2 + random.nextInt(40), -3, 1L << random.nextInt(62)).toArray();
      Arrays.setAll(heads, i -> heads[i] ^ Long.MIN_VALUE);
      Arrays.sort(heads);
      Arrays.setAll(heads, i -> heads[i] ^ Long.MIN_VALUE);
      int[] pages = random.ints(heads.length + 1, 1, 1 << (1 + random.nextInt(30))).toArray();
      LeafModel model = LeafModel.of(heads, pages);
      for (int i = 0; model != null && i < heads.length; i++) {
        for (long head : new long[] {heads[i] - 1, heads[i], heads[i] + 1, random.nextLong()}) {
          model.prefetch(head);
          model.estimate(head);
        }
      }
    }
  }
}

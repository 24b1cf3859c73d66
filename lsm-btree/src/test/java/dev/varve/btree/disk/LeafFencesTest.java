package dev.varve.btree.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyShape;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.testkit.Seeds;
import java.util.Arrays;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fences find the leaf that a sorted set of separators says, or say that they cannot tell. */
class LeafFencesTest {
  private static final long SEED = 20261121;

  private static LeafFences fences(NavigableSet<byte[]> separators) {
    LeafFences.Builder builder = new LeafFences.Builder();
    int leaf = 0;
    builder.addLeaf(page(leaf));
    for (byte[] separator : separators) {
      assertTrue(builder.add(separator));
      leaf++;
      builder.addLeaf(page(leaf));
    }
    LeafFences fences = builder.build();
    for (; leaf >= 0; leaf--) {
      assertEquals(page(leaf), fences.page(leaf));
    }
    return fences;
  }

  private static int page(int leaf) {
    return Integer.MAX_VALUE - 3 * leaf;
  }

  private static LeafFences fences(long... heads) {
    NavigableSet<byte[]> separators = new TreeSet<>(Arrays::compareUnsigned);
    for (long head : heads) {
      separators.add(key(head));
    }
    return fences(separators);
  }

  private static byte[] key(long head) {
    byte[] key = new byte[Long.BYTES];
    Bytes.putLongBigEndian(key, 0, head);
    return key;
  }

  /** Searches and checks the answer; returns whether there was one. */
  private static boolean check(LeafFences fences, NavigableSet<byte[]> separators, byte[] key) {
    long found = fences.search(new Slice(key));
    int leaf = separators.headSet(key, true).size();
    if (found == LeafFences.TIED) {
      assertEquals(found, fences.searchFrom(new Slice(key), leaf));
      return false;
    }
    assertEquals(leaf, LeafFences.leaf(found));
    int near = fences.pageNear(new Slice(key));
    // Of the leaves between which a head lies, the first is the one that is looked at first; a key
    // that has not what all separators begin with may lie before them all.
    assertTrue(
        near == 0 || near >= page(leaf) || leaf == 0, () -> "page " + near + " of leaf " + leaf);
    long position = LeafFences.position(found);
    assertTrue(position >= 0 && position < 1L << LeafFences.POSITION_BITS, () -> "at " + position);
    for (int from = leaf; from >= 0; from = from * 3 / 4 - 1) {
      assertEquals(found, fences.searchFrom(new Slice(key), from));
    }
    return true;
  }

  @ParameterizedTest
  @EnumSource(KeyShape.class)
  void theLeafOfAnyKeyIsFoundOrLeftOpen(KeyShape shape) {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    for (int round = 0; round < 30; round++) {
      NavigableSet<byte[]> separators = new TreeSet<>(Arrays::compareUnsigned);
      int count = random.nextInt(200);
      for (int i = 0; i < count; i++) {
        byte[] key = shape.key(random);
        separators.add(Arrays.copyOf(key, random.nextInt(key.length + 1)));
      }
      LeafFences fences = fences(separators);
      int answers = 0;
      for (int i = 0; i < 300; i++) {
        answers += check(fences, separators, shape.key(random)) ? 1 : 0;
      }
      separators.forEach(separator -> check(fences, separators, separator));
      assertTrue(shape != KeyShape.UNIFORM || answers > 290, "only " + answers + " answers");
    }
  }

  /**
   * KeyPrefixes that fill the number range unevenly: all in one interval but one, and at both ends.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 1L << 20, 1L << 40, -1L >>> 2})
  void headsThatAreSpreadUnevenlyAreFound(long step) {
    NavigableSet<byte[]> separators = new TreeSet<>(Arrays::compareUnsigned);
    separators.add(key(0));
    separators.add(key(-1L));
    for (int i = 1; i < 100; i++) {
      separators.add(key(i * step));
    }
    LeafFences fences = fences(separators);
    for (byte[] separator : separators) {
      long head = Bytes.getLongBigEndian(separator, 0);
      for (long near : new long[] {head - 1, head, head + 1, head + step / 2}) {
        check(fences, separators, key(near));
      }
    }
  }

  @Test
  void aTreeOfOneLeafHasNoFences() {
    long found = fences().search(new Slice(key(5)));
    assertEquals(0, LeafFences.leaf(found));
    assertEquals(LeafFences.MIDDLE, LeafFences.position(found));
  }

  @Test
  void theHeadOfASeparatorIsLeftOpen() {
    LeafFences fences = fences(10, 20, 30);
    for (long head : new long[] {10, 20, 30}) {
      assertEquals(LeafFences.TIED, fences.search(new Slice(key(head))));
    }
    assertEquals(3, LeafFences.leaf(fences.search(new Slice(key(31)))));
    assertEquals(0, LeafFences.leaf(fences.search(new Slice(key(9)))));
  }

  @Test
  void thePositionIsTheShareOfTheWayBetweenTheFences() {
    LeafFences fences = fences(0, 1000, 2000);
    double part = LeafFences.position(fences.search(new Slice(key(1250)))) * 4.0;
    assertEquals(1.0, part / (1L << LeafFences.POSITION_BITS), 0.01);
    double end = LeafFences.position(fences.search(new Slice(key(1999))));
    assertEquals(1.0, end / (1L << LeafFences.POSITION_BITS), 0.01);
  }

  @Test
  void thePageNearAKeyIsThatOfAnEarlierLeafCloseBy() {
    LeafFences fences = fences(0, 1024, 2048, 3072, 4096);
    assertEquals(page(2), fences.pageNear(new Slice(key(2100))));
    assertEquals(page(5), fences.pageNear(new Slice(key(-1L))));
    assertEquals(0, fences.pageNear(new Slice(new byte[2])), "shorter than the prefix");
    assertEquals(0, fences().pageNear(new Slice(key(5))));
  }

  @Test
  void separatorsThatDescendAreRefused() {
    LeafFences.Builder builder = new LeafFences.Builder();
    assertTrue(builder.add(key(10)));
    assertTrue(builder.add(key(20)));
    assertFalse(builder.add(key(15)));
  }
}

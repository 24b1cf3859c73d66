package dev.varve.common.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.testkit.Seeds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Pages are cut from arrays that no collector copies, each part once, within the budget. */
final class PageBlocksTest {
  private static final int PAGE_SIZE = 32 << 10;
  private static final int REGION_BYTES = 1 << 20;

  /** From one page to the next. */
  private static final int STRIDE = PAGE_SIZE + 256;

  /** Bytes in front of an array, at most. */
  private static final int HEADER_BYTES = 24;

  @Test
  void aBlockFitsIntoARegionWithItsHeaderAndTakesMoreThanHalfOfIt() {
    PageBlocks blocks = new PageBlocks(1 << 30, REGION_BYTES);
    PageBuffer first = blocks.take(PAGE_SIZE);
    assertEquals(30 * STRIDE + PAGE_SIZE, first.bytes().length);
    assertTrue(first.bytes().length > REGION_BYTES / 2);
    assertTrue(first.bytes().length + HEADER_BYTES <= REGION_BYTES);
    assertEquals(0, first.at());
    for (int i = 1; i < 31; i++) {
      PageBuffer beside = blocks.take(PAGE_SIZE);
      assertSame(first.bytes(), beside.bytes());
      assertEquals(i * STRIDE, beside.at());
      assertEquals(PAGE_SIZE, beside.length());
    }
    PageBuffer next = blocks.take(PAGE_SIZE);
    assertNotSame(first.bytes(), next.bytes());
    assertEquals(0, next.at());
    assertEquals(2 * 31 * PAGE_SIZE, blocks.bytes());
  }

  @Test
  void aSmallCacheHasSmallBlocksAndTheyStayWithinItsBudget() {
    PageBlocks blocks = new PageBlocks(20 * PAGE_SIZE, REGION_BYTES);
    for (int i = 0; i < 20; i++) {
      assertEquals(STRIDE + PAGE_SIZE, blocks.take(PAGE_SIZE).bytes().length);
      assertTrue(blocks.bytes() <= 20 * PAGE_SIZE);
    }
    // Beyond it no more than is asked for.
    for (int i = 21; i < 30; i++) {
      assertEquals(PAGE_SIZE, blocks.take(PAGE_SIZE).bytes().length);
      assertEquals((long) i * PAGE_SIZE, blocks.bytes());
    }
  }

  @Test
  void aPageThatIsLongerThanARegionHasAnArrayOfItsOwn() {
    PageBlocks blocks = new PageBlocks(1 << 30, PAGE_SIZE);
    assertEquals(PAGE_SIZE, blocks.take(PAGE_SIZE).bytes().length);
  }

  @Test
  void whatIsGivenBackIsHandedOutAgainAndOnce() {
    PageBlocks blocks = new PageBlocks(32 * PAGE_SIZE, REGION_BYTES);
    RandomGenerator random = Seeds.random(Seeds.one(20261128));
    List<PageBuffer> out = new ArrayList<>();
    for (int round = 0; round < 10_000; round++) {
      if (out.size() < 32 && random.nextInt(100) < (round / 1000 % 2 == 0 ? 60 : 40)) {
        PageBuffer taken = blocks.take(PAGE_SIZE);
        for (PageBuffer other : out) {
          assertTrue(
              other.bytes() != taken.bytes() || other.at() != taken.at(), "handed out twice");
        }
        out.add(taken);
      } else if (!out.isEmpty()) {
        blocks.giveBack(out.remove(random.nextInt(out.size())));
      }
      assertTrue(blocks.bytes() <= 32 * PAGE_SIZE, () -> blocks.bytes() + " bytes of blocks");
    }
  }

  @Test
  void aBlockThatNobodyHasAPartOfIsLeftToTheCollector() {
    PageBlocks blocks = new PageBlocks(32 * PAGE_SIZE, REGION_BYTES);
    List<PageBuffer> out = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      out.add(blocks.take(PAGE_SIZE));
    }
    assertEquals(8 * PAGE_SIZE, blocks.bytes());
    out.subList(0, 4).forEach(blocks::giveBack);
    assertEquals(4 * PAGE_SIZE, blocks.bytes());
    for (int i = 0; i < 2; i++) {
      assertSame(out.get(5).bytes(), blocks.take(PAGE_SIZE).bytes());
    }
    assertNotSame(out.get(0).bytes(), blocks.take(PAGE_SIZE).bytes());
  }

  @Test
  void aBlockMadeAheadThatNobodyUsedIsLeftToTheCollectorWithTheLast() {
    PageBlocks blocks = new PageBlocks(1 << 30, REGION_BYTES);
    List<PageBuffer> out = new ArrayList<>();
    for (int i = 0; i < 18; i++) {
      out.add(blocks.takeAhead(PAGE_SIZE));
    }
    out.add(blocks.takeAhead(2 * PAGE_SIZE));
    assertEquals((2 * 31 + 2 * 15) * PAGE_SIZE, blocks.bytes());
    out.subList(1, out.size()).forEach(blocks::giveBack);
    assertEquals(2 * 31 * PAGE_SIZE, blocks.bytes());
    blocks.giveBack(out.get(0));
    assertEquals(0, blocks.bytes());
    assertNotSame(out.get(0).bytes(), blocks.takeAhead(PAGE_SIZE).bytes());
    assertEquals(31 * PAGE_SIZE, blocks.bytes());
  }

  @Test
  void whoReadsAheadMakesTheNextBlockWhileHalfOfOneIsLeft() {
    PageBlocks blocks = new PageBlocks(1 << 30, REGION_BYTES);
    byte[] first = blocks.takeAhead(PAGE_SIZE).bytes();
    for (int i = 1; i < 17; i++) {
      assertEquals(i * STRIDE, blocks.takeAhead(PAGE_SIZE).at());
    }
    assertEquals(31 * PAGE_SIZE, blocks.bytes());
    assertEquals(17 * STRIDE, blocks.takeAhead(PAGE_SIZE).at());
    assertEquals(2 * 31 * PAGE_SIZE, blocks.bytes());
    for (int i = 18; i < 31; i++) {
      PageBuffer buffer = i % 2 == 0 ? blocks.take(PAGE_SIZE) : blocks.takeAhead(PAGE_SIZE);
      assertSame(first, buffer.bytes());
      assertEquals(i * STRIDE, buffer.at());
    }
    assertNotSame(first, blocks.take(PAGE_SIZE).bytes());
    assertEquals(2 * 31 * PAGE_SIZE, blocks.bytes());
  }

  @Test
  void aShardMakesBlocksAheadForWhoReadsAheadOnly() {
    PageBlocks blocks = new PageBlocks(1 << 30, REGION_BYTES);
    CacheShard shard = new CacheShard(1 << 30, blocks);
    for (int i = 0; i < 18; i++) {
      assertNotNull(shard.take(1, PAGE_SIZE));
    }
    assertEquals(31 * PAGE_SIZE, blocks.bytes());
    assertNotNull(shard.takeIfRoom(1, PAGE_SIZE));
    assertEquals(2 * 31 * PAGE_SIZE, blocks.bytes());
  }

  @Test
  void whoReadsAheadStaysWithinTheBudget() {
    PageBlocks blocks = new PageBlocks(62 * PAGE_SIZE, REGION_BYTES);
    for (int i = 0; i < 62; i++) {
      assertTrue(blocks.takeAhead(PAGE_SIZE).bytes().length >= 2 * PAGE_SIZE);
      assertTrue(blocks.bytes() <= 62 * PAGE_SIZE);
    }
    assertEquals(PAGE_SIZE, blocks.takeAhead(PAGE_SIZE).bytes().length);
    PageBlocks small = new PageBlocks(3 * PAGE_SIZE, REGION_BYTES);
    for (int i = 1; i <= 3; i++) {
      small.takeAhead(PAGE_SIZE);
      assertEquals((long) i * PAGE_SIZE, small.bytes());
    }
  }

  /** Two that find no buffer at once: one of them makes a block, the other has an array alone. */
  @Test
  void threadsThatTakeAndGiveBackNeverHaveTheSameBuffer() throws Exception {
    PageBlocks blocks = new PageBlocks(64 * PAGE_SIZE, REGION_BYTES);
    Set<String> out = ConcurrentHashMap.newKeySet();
    List<FutureTask<Void>> threads = new ArrayList<>();
    long seed = Seeds.one(20261129);
    for (int thread = 0; thread < 3; thread++) {
      RandomGenerator random = Seeds.random(seed + thread);
      threads.add(new FutureTask<>(() -> takeAndGiveBack(blocks, out, random), null));
    }
    threads.forEach(thread -> new Thread(thread).start());
    for (FutureTask<Void> thread : threads) {
      thread.get();
    }
    assertEquals(Set.of(), out);
    assertEquals(0, blocks.bytes(), "a block of which nobody has a part any more");
  }

  private static void takeAndGiveBack(PageBlocks blocks, Set<String> out, RandomGenerator random) {
    Deque<PageBuffer> mine = new ArrayDeque<>();
    for (int round = 0; round < 20_000 || !mine.isEmpty(); round++) {
      if (round < 20_000 && mine.size() < 20 && random.nextInt(100) < 52) {
        PageBuffer taken =
            random.nextBoolean() ? blocks.take(PAGE_SIZE) : blocks.takeAhead(PAGE_SIZE);
        assertTrue(out.add(name(taken)), "handed out twice");
        assertTrue(blocks.bytes() <= 64 * PAGE_SIZE);
        mine.add(taken);
      } else if (!mine.isEmpty()) {
        PageBuffer back = mine.removeFirst();
        assertTrue(out.remove(name(back)));
        blocks.giveBack(back);
      }
    }
  }

  private static String name(PageBuffer buffer) {
    return System.identityHashCode(buffer.bytes()) + " " + buffer.at();
  }

  @Test
  void aShardGivesBackWhatIsBeyondItsBudgetAndWhatIsOfAnotherLength() {
    PageBlocks blocks = new PageBlocks(16 * PAGE_SIZE, REGION_BYTES);
    CacheShard shard = new CacheShard(16 * PAGE_SIZE, blocks);
    List<PageBuffer> out = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      out.add(shard.take(1, PAGE_SIZE));
    }
    assertEquals(40 * PAGE_SIZE, blocks.bytes());
    out.forEach(shard::giveBack);
    assertEquals(16 * PAGE_SIZE, shard.stats().bytes());
    assertEquals(16 * PAGE_SIZE, blocks.bytes());
    PageBuffer several = shard.take(3, PAGE_SIZE);
    assertEquals(3 * PAGE_SIZE, several.bytes().length);
    assertEquals(3 * PAGE_SIZE, shard.stats().bytes());
    assertEquals(0, blocks.bytes());
  }

  @Test
  void pagesOfTwoLengthsShareNoBlock() {
    PageBlocks blocks = new PageBlocks(1 << 30, REGION_BYTES);
    PageBuffer one = blocks.take(PAGE_SIZE);
    PageBuffer half = blocks.take(PAGE_SIZE / 2);
    assertNotSame(one.bytes(), half.bytes());
    assertSame(one.bytes(), blocks.take(PAGE_SIZE).bytes());
    assertSame(half.bytes(), blocks.take(PAGE_SIZE / 2).bytes());
    blocks.giveBack(PageBuffer.alone(PAGE_SIZE));
    assertEquals(2 * STRIDE, blocks.take(PAGE_SIZE).at());
  }
}

package dev.varve.common.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @ParameterizedTest
  @CsvSource({
    "0, 1",
    "1024, 1",
    "2048, 1",
    "3072, 2",
    "4096, 2",
    "4097, 4",
    "65536, 32",
    "900000, 32"
  })
  void aRegionIsAPartOfTheHeap(long heapMebibytes, int regionMebibytes) {
    assertEquals(regionMebibytes << 20, PageBlocks.regionBytes(heapMebibytes << 20));
  }

  @Test
  void aHeapWithoutEndHasTheLongestRegions() {
    assertEquals(32 << 20, PageBlocks.regionBytes(Long.MAX_VALUE));
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

package dev.varve.scheduler.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.testkit.Seeds;
import dev.varve.common.testkit.TextCases;
import dev.varve.scheduler.admission.DatasetMemory.Decision;
import dev.varve.scheduler.admission.SharedMemory.Member;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Goal: memory that datasets share never holds more than it may, the right one is flushed, and
 * however many there are and however little each has, nobody waits for a flush that is not there.
 * Method: cases, and random runs of a model.
 */
final class SharedMemoryTest {
  @Test
  void saysWhoIsFlushedAndWhoWaits() throws Exception {
    TextCases.run(SharedMemoryTest.class, "shared-memory.txt", (name, input) -> answer(input));
  }

  private static String answer(List<String> input) {
    List<Member> members = new ArrayList<>();
    List<Integer> atLimit = new ArrayList<>();
    long pool = Long.parseLong(input.get(0).split(" ")[1]);
    for (String line : input.subList(1, input.size())) {
      List<String> words = List.of(line.split(" "));
      if (words.contains("limit")) {
        atLimit.add(members.size());
      }
      members.add(
          new Member(
              number(words, "written"),
              number(words, "flushing"),
              words.contains("flushing"),
              words.contains("held"),
              number(words, "since")));
    }
    SharedMemory<Integer> memory = memory(pool, members);
    Optional<Integer> next = memory.next(atLimit::contains);
    return (next.isPresent() ? "flush " + (next.get() + 1) : "flush nothing")
        + "; the first: "
        + decide(memory, 0, atLimit::contains);
  }

  private static SharedMemory<Integer> memory(long pool, List<Member> members) {
    SharedMemory<Integer> memory = new SharedMemory<>(pool);
    for (int i = 0; i < members.size(); i++) {
      memory.put(i, members.get(i));
    }
    return memory;
  }

  private static Decision decide(
      SharedMemory<Integer> memory, int place, Predicate<Integer> atLimit) {
    return memory.decide(place, () -> memory.next(atLimit).isPresent(), atLimit);
  }

  private static long number(List<String> words, String name) {
    int at = words.indexOf(name);
    return at < 0 ? 0 : Long.parseLong(words.get(at + 1));
  }

  @Test
  void manySmallDatasetsNeverWedge() throws Exception {
    Seeds.run(30, seed -> new Run(Seeds.random(seed), 1000).go(20_000));
  }

  @Test
  void aFewOfAnySizeNeverWedge() throws Exception {
    Seeds.run(200, seed -> new Run(Seeds.random(seed), 1 + (int) (seed % 7)).go(2000));
  }

  /** Datasets that are written at random; their flushes run one at a time, unless held up. */
  private static final class Run {
    private static final long POOL = 100_000;

    private final RandomGenerator random;
    private final List<Member> members = new ArrayList<>();
    private final SharedMemory<Integer> memory = new SharedMemory<>(POOL);
    private final Deque<Integer> flushes = new ArrayDeque<>();
    private final long largestWrite;
    private int flushed;

    Run(RandomGenerator random, int datasets) {
      this.random = random;
      this.largestWrite = 1 + random.nextLong(POOL / 50);
      for (int i = 0; i < datasets; i++) {
        members.add(new Member(0, 0, false, false, Long.MAX_VALUE));
        memory.put(i, members.get(i));
      }
    }

    private void set(int place, Member member) {
      members.set(place, member);
      memory.put(place, member);
    }

    void go(int steps) {
      int waits = 0;
      for (int step = 0; step < steps; step++) {
        int place = (int) (members.size() * Math.pow(random.nextDouble(), 3));
        boolean limited = random.nextInt(4) == 0;
        switch (decide(memory, place, other -> limited && other % 3 == 0)) {
          case ROOM -> {
            write(place, step);
            waits = 0;
          }
          case SEAL -> sealNext(limited);
          case WAIT_FOR_FLUSH -> {
            assertTrue(memory.bytes() >= POOL);
            assertTrue(!flushes.isEmpty(), "no flush to wait for");
            endFlush();
            assertTrue(++waits <= 2 * members.size(), "waits for ever");
          }
          case WAIT_FOR_MERGES -> assertTrue(limited && place % 3 == 0);
        }
        assertTrue(memory.bytes() < POOL + largestWrite, "holds " + memory.bytes());
        if (random.nextInt(10) == 0) {
          endFlush();
        }
      }
      assertTrue(flushed > 0 || memory.bytes() < POOL, flushed + " flushes");
    }

    private void write(int place, int step) {
      Member member = members.get(place);
      long bytes = 1 + random.nextLong(largestWrite);
      set(
          place,
          new Member(
              member.writableBytes() + bytes,
              member.sealedBytes(),
              member.flushPending(),
              false,
              Math.min(step, member.oldestLsn())));
    }

    private void sealNext(boolean limited) {
      int next = memory.next(other -> limited && other % 3 == 0).orElseThrow();
      Member member = members.get(next);
      assertTrue(!member.flushPending() && member.writableBytes() > 0);
      set(next, new Member(0, member.writableBytes(), true, false, Long.MAX_VALUE));
      flushes.add(next);
    }

    private void endFlush() {
      if (flushes.isEmpty()) {
        return;
      }
      int place = flushes.remove();
      Member member = members.get(place);
      set(place, new Member(member.writableBytes(), 0, false, false, member.oldestLsn()));
      flushed++;
    }
  }

  @Test
  void theNextIsTheSameWhateverTheOrderOfEqualOnes() {
    Member equal = new Member(100, 0, false, false, 7);
    SharedMemory<Integer> memory = memory(300, List.of(equal, equal, equal));
    assertEquals(Optional.of(0), memory.next(place -> false));
    assertEquals(Optional.of(1), memory.next(place -> place == 0));
    assertEquals(Optional.of(2), memory.next(place -> place < 2));
    assertEquals(Optional.of(0), memory.next(place -> true), "the last resort");
    assertEquals(Decision.SEAL, decide(memory, 0, place -> true));
  }

  @Test
  void whatIsKeptIsWhatCountingAnewFinds() throws Exception {
    Seeds.run(
        50,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          SharedMemory<Integer> kept = new SharedMemory<>(1000);
          SortedMap<Integer, Member> members = new TreeMap<>();
          for (int i = 0; i < 300; i++) {
            int dataset = random.nextInt(20);
            if (random.nextInt(5) == 0) {
              kept.remove(dataset);
              members.remove(dataset);
            } else {
              boolean pending = random.nextInt(3) == 0;
              Member member =
                  new Member(
                      random.nextInt(5) * 25L,
                      pending ? random.nextInt(80) : 0,
                      pending,
                      random.nextInt(4) == 0,
                      random.nextInt(10));
              kept.put(dataset, member);
              members.put(dataset, member);
            }
            long largest =
                members.values().stream()
                    .filter(member -> !member.flushPending())
                    .mapToLong(Member::writableBytes)
                    .max()
                    .orElse(0);
            assertEquals(members.values().stream().mapToLong(Member::bytes).sum(), kept.bytes());
            assertEquals(
                largest, kept.largest().map(key -> members.get(key).writableBytes()).orElse(0L));
          }
        });
  }
}

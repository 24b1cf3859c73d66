package dev.varve.invertedindex.postings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Whatever lists look like, those in enough of them are found, in order. */
class MatchesTest {
  private static final int SEEDS = 300;

  /** A list on the heap. */
  private static final class HeapList implements PostingList {
    private final List<Integer> ordinals;
    private int next;

    HeapList(SortedSet<Integer> ordinals) {
      this.ordinals = List.copyOf(ordinals);
    }

    @Override
    public long documents() {
      return ordinals.size();
    }

    @Override
    public int seek(int window) {
      while (next < ordinals.size() && Window.of(ordinals.get(next)) < window) {
        next++;
      }
      return next == ordinals.size() ? END : Window.of(ordinals.get(next));
    }

    @Override
    public void load(Window target) {
      int window = Window.of(ordinals.get(next));
      for (int i = next; i < ordinals.size() && Window.of(ordinals.get(i)) == window; i++) {
        target.append(ordinals.get(i) & (Window.SIZE - 1));
      }
    }
  }

  private static SortedSet<Integer> list(RandomGenerator random, int most) {
    SortedSet<Integer> ordinals = new TreeSet<>();
    double density = Math.pow(random.nextDouble(), 4);
    int from = random.nextInt(most);
    int to = random.nextInt(from, most) + 1;
    for (int i = from; i < to; i++) {
      if (random.nextDouble() < density) {
        ordinals.add(i);
      } else if (random.nextInt(1000) == 0) {
        i += random.nextInt(2 * Window.SIZE);
      }
    }
    return ordinals;
  }

  private static List<Integer> expected(List<SortedSet<Integer>> lists, int threshold) {
    TreeMap<Integer, Integer> counts = new TreeMap<>();
    lists.forEach(list -> list.forEach(ordinal -> counts.merge(ordinal, 1, Integer::sum)));
    return counts.keySet().stream().filter(o -> counts.get(o) >= threshold).toList();
  }

  private static List<Integer> found(List<SortedSet<Integer>> lists, int threshold)
      throws StorageException {
    List<PostingList> postings = new ArrayList<>();
    lists.forEach(list -> postings.add(new HeapList(list)));
    Matches matches = new Matches(postings, threshold);
    List<Integer> found = new ArrayList<>();
    for (int at = matches.next(); at != Matches.END; at = matches.next()) {
      found.add(at);
    }
    assertEquals(Matches.END, matches.next());
    return found;
  }

  @Test
  void whatIsInEnoughListsIsFoundInOrder() throws Exception {
    Seeds.run(
        SEEDS,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          List<SortedSet<Integer>> lists = new ArrayList<>();
          for (int i = random.nextInt(1, 6); i > 0; i--) {
            lists.add(list(random, 5 * Window.SIZE));
          }
          for (int threshold = 1; threshold <= lists.size() + 1; threshold++) {
            assertEquals(expected(lists, threshold), found(lists, threshold), "of " + threshold);
          }
        });
  }

  @Test
  void noListsAndEmptyListsFindNothing() throws StorageException {
    assertEquals(List.of(), found(List.of(), 1));
    assertEquals(List.of(), found(List.of(new TreeSet<>(), new TreeSet<>(List.of(1))), 2));
    assertEquals(List.of(1), found(List.of(new TreeSet<>(), new TreeSet<>(List.of(1))), 1));
  }

  @Test
  void theHighestOrdinalIsFound() throws StorageException {
    SortedSet<Integer> highest = new TreeSet<>(List.of(0, Integer.MAX_VALUE));
    assertEquals(List.of(0, Integer.MAX_VALUE), found(List.of(highest, highest), 2));
    assertEquals(List.of(0, Integer.MAX_VALUE), found(List.of(highest, highest), 1));
  }
}

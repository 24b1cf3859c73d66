package dev.varve.hyracks.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.common.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.data.std.accessors.IntegerBinaryComparatorFactory;
import org.apache.hyracks.data.std.primitive.IntegerPointable;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.dataflow.common.utils.TupleUtils;
import org.apache.hyracks.storage.am.btree.impls.RangePredicate;
import org.apache.hyracks.storage.am.common.impls.NoOpIndexAccessParameters;
import org.apache.hyracks.storage.common.IIndexAccessor;
import org.apache.hyracks.storage.common.IIndexCursor;
import org.junit.jupiter.api.Test;

/**
 * Goal: every kind of range finds exactly what a sorted set holds; the published suites search
 * closed ranges only. Method: pairs of integers, among them the largest, with bounds of one or two
 * fields, open, closed or missing.
 */
final class StoreRangeTest {
  private static final int[] VALUES = {
    Integer.MIN_VALUE, -256, -1, 0, 1, 255, 256, Integer.MAX_VALUE - 1, Integer.MAX_VALUE
  };

  /** A bound: no fields for none, else the first one or two fields of a key. */
  private record Bound(List<Integer> fields, boolean inclusive) {
    ITupleReference tuple() throws Exception {
      return fields.isEmpty()
          ? null
          : TupleUtils.createIntegerTuple(fields.stream().mapToInt(i -> i).toArray());
    }

    /** Where a key lies against the fields of this bound. */
    int compare(List<Integer> key) {
      for (int i = 0; i < fields.size(); i++) {
        int order = key.get(i).compareTo(fields.get(i));
        if (order != 0) {
          return order;
        }
      }
      return 0;
    }
  }

  @Test
  void findsWhatASortedSetHolds() throws Exception {
    RandomGenerator random = Seeds.random(Seeds.one(11));
    try (StoreHarness harness = new StoreHarness()) {
      StoreIndex index =
          harness.newIndex(
              3,
              new IBinaryComparatorFactory[] {
                IntegerBinaryComparatorFactory.INSTANCE, IntegerBinaryComparatorFactory.INSTANCE
              });
      index.create();
      index.activate();
      IIndexAccessor accessor = index.createAccessor(NoOpIndexAccessParameters.INSTANCE);
      TreeSet<List<Integer>> keys =
          new TreeSet<>(
              (a, b) ->
                  a.get(0).equals(b.get(0))
                      ? a.get(1).compareTo(b.get(1))
                      : a.get(0).compareTo(b.get(0)));
      for (int first : VALUES) {
        for (int second : VALUES) {
          if (random.nextInt(4) > 0) {
            accessor.insert(TupleUtils.createIntegerTuple(first, second, 7));
            keys.add(List.of(first, second));
          }
        }
      }
      for (int round = 0; round < 3000; round++) {
        Bound low = bound(random);
        Bound high = bound(random);
        List<List<Integer>> expected = new ArrayList<>();
        for (List<Integer> key : keys) {
          int above = low.compare(key);
          int below = high.compare(key);
          boolean isAbove = low.fields().isEmpty() || (low.inclusive() ? above >= 0 : above > 0);
          boolean isBelow = high.fields().isEmpty() || (high.inclusive() ? below <= 0 : below < 0);
          if (isAbove && isBelow) {
            expected.add(key);
          }
        }
        RangePredicate predicate =
            new RangePredicate(
                low.tuple(), high.tuple(), low.inclusive(), high.inclusive(), null, null);
        assertEquals(expected, search(accessor, predicate), "round " + round);
      }
      index.deactivate();
    }
  }

  @Test
  void anIndexThatIsNotActiveRefusesEverything() throws Exception {
    try (StoreHarness harness = new StoreHarness()) {
      StoreIndex index =
          harness.newIndex(
              1, new IBinaryComparatorFactory[] {IntegerBinaryComparatorFactory.INSTANCE});
      IIndexAccessor accessor = index.createAccessor(NoOpIndexAccessParameters.INSTANCE);
      index.create();
      assertThrows(
          HyracksDataException.class, () -> accessor.insert(TupleUtils.createIntegerTuple(1)));
    }
  }

  private static Bound bound(RandomGenerator random) {
    List<Integer> fields = new ArrayList<>();
    for (int left = random.nextInt(3); left > 0; left--) {
      fields.add(VALUES[random.nextInt(VALUES.length)]);
    }
    return new Bound(fields, random.nextBoolean());
  }

  private static List<List<Integer>> search(IIndexAccessor accessor, RangePredicate predicate)
      throws Exception {
    List<List<Integer>> found = new ArrayList<>();
    IIndexCursor cursor = accessor.createSearchCursor(false);
    try {
      accessor.search(cursor, predicate);
      try {
        while (cursor.hasNext()) {
          cursor.next();
          ITupleReference tuple = cursor.getTuple();
          assertEquals(7, field(tuple, 2));
          found.add(List.of(field(tuple, 0), field(tuple, 1)));
        }
      } finally {
        cursor.close();
      }
    } finally {
      cursor.destroy();
    }
    return found;
  }

  private static int field(ITupleReference tuple, int number) {
    return IntegerPointable.getInteger(tuple.getFieldData(number), tuple.getFieldStart(number));
  }
}

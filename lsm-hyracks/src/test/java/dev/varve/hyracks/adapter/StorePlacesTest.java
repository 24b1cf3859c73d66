package dev.varve.hyracks.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.data.std.accessors.LongBinaryComparatorFactory;
import org.apache.hyracks.data.std.primitive.LongPointable;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.common.impls.NoOpIndexAccessParameters;
import org.apache.hyracks.storage.am.rtree.impls.SearchPredicate;
import org.apache.hyracks.storage.common.IIndexAccessor;
import org.apache.hyracks.storage.common.IIndexBulkLoader;
import org.apache.hyracks.storage.common.IIndexCursor;
import org.apache.hyracks.storage.common.buffercache.NoOpPageWriteCallback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: an R-tree under Hyracks' interfaces finds what a list of boxes does, in one to four
 * dimensions and beyond what doubles tell apart, and refuses what it could never find. Method:
 * boxes of longs, some of them neighbours above 2^53, against a list.
 */
final class StorePlacesTest {
  private final StoreHarness harness = new StoreHarness();

  @AfterEach
  void close() {
    harness.close();
  }

  private StoreIndex index(int dimensions) throws HyracksDataException {
    IBinaryComparatorFactory[] corners = new IBinaryComparatorFactory[2 * dimensions];
    Arrays.fill(corners, LongBinaryComparatorFactory.INSTANCE);
    StoreIndex index = harness.newPlaces(2 * dimensions + 1, corners);
    index.create();
    index.activate();
    return index;
  }

  private static ITupleReference tuple(List<Long> fields) {
    StoredTuple tuple = new StoredTuple(fields.size());
    for (long field : fields) {
      tuple.sink().addBigEndian(field, Long.BYTES);
      tuple.endField();
    }
    return tuple;
  }

  private static List<Long> box(SplittableRandom random, int dimensions, long id) {
    List<Long> low = new ArrayList<>();
    List<Long> high = new ArrayList<>();
    long base = random.nextInt(4) == 0 ? (1L << 53) : 0;
    for (int i = 0; i < dimensions; i++) {
      long from = base + random.nextInt(dimensions > 2 ? 8 : 40);
      low.add(from);
      high.add(from + random.nextInt(4));
    }
    List<Long> all = new ArrayList<>(low);
    all.addAll(high);
    all.add(id);
    return all;
  }

  private static boolean meet(List<Long> one, List<Long> other, int dimensions) {
    for (int i = 0; i < dimensions; i++) {
      if (one.get(i) > other.get(dimensions + i) || one.get(dimensions + i) < other.get(i)) {
        return false;
      }
    }
    return true;
  }

  private static Set<Long> found(StoreIndex index, ITupleReference asked)
      throws HyracksDataException {
    IIndexAccessor accessor = index.createAccessor(NoOpIndexAccessParameters.INSTANCE);
    IIndexCursor cursor = accessor.createSearchCursor(false);
    Set<Long> ids = new TreeSet<>();
    accessor.search(cursor, new SearchPredicate(asked, null));
    int last = index.getFieldCount() - 1;
    while (cursor.hasNext()) {
      cursor.next();
      ITupleReference tuple = cursor.getTuple();
      cursor.hasNext();
      assertTrue(
          ids.add(LongPointable.getLong(tuple.getFieldData(last), tuple.getFieldStart(last))));
    }
    cursor.close();
    cursor.destroy();
    return ids;
  }

  private static void check(StoreIndex index, List<List<Long>> there, SplittableRandom random)
      throws HyracksDataException {
    int dimensions = index.getFieldCount() / 2;
    int hits = 0;
    for (int query = 0; query < 60; query++) {
      List<Long> asked = box(random, dimensions, 0);
      Set<Long> expected = new TreeSet<>();
      for (List<Long> box : there) {
        if (meet(box, asked, dimensions)) {
          expected.add(box.get(2 * dimensions));
        }
      }
      hits += expected.size();
      assertEquals(expected, found(index, tuple(asked)), () -> "boxes that meet " + asked);
    }
    assertTrue(hits > 0, "no query had an answer");
    assertEquals(there.size(), found(index, null).size());
  }

  @Test
  void findWhatAListOfBoxesFindsAsItIsInsertedDeletedAndLoaded() throws Exception {
    for (int dimensions = 1; dimensions <= 4; dimensions++) {
      SplittableRandom random = new SplittableRandom(dimensions);
      StoreIndex index = index(dimensions);
      StoreIndex loaded = index(dimensions);
      IIndexAccessor accessor = index.createAccessor(NoOpIndexAccessParameters.INSTANCE);
      List<List<Long>> there = new ArrayList<>();
      for (long id = 0; id < 300; id++) {
        List<Long> box = box(random, dimensions, id);
        accessor.insert(tuple(box));
        there.add(box);
      }
      check(index, there, random);
      for (int i = 0; i < 100; i++) {
        accessor.delete(tuple(there.remove(random.nextInt(there.size()))));
      }
      check(index, there, random);
      IIndexBulkLoader loader =
          loaded.createBulkLoader(1, true, 0, true, NoOpPageWriteCallback.INSTANCE);
      for (List<Long> box : there) {
        loader.add(tuple(box));
      }
      loader.end();
      check(loaded, there, random);
      loaded.validate();
      index.validate();
    }
  }

  @Test
  void refuseWhatTheyCouldNeverFind() throws Exception {
    StoreIndex index = index(2);
    IIndexAccessor accessor = index.createAccessor(NoOpIndexAccessParameters.INSTANCE);
    ITupleReference turned = tuple(List.of(5L, 5L, 4L, 6L, 1L));
    HyracksDataException refused =
        assertThrows(HyracksDataException.class, () -> accessor.insert(turned));
    assertTrue(refused.getMessage().contains("no rectangle"), refused.getMessage());
    ITupleReference good = tuple(List.of(1L, 1L, 2L, 2L, 1L));
    accessor.insert(good);
    assertTrue(
        assertThrows(HyracksDataException.class, () -> accessor.insert(good))
            .matches(ErrorCode.DUPLICATE_KEY));
    assertThrows(HyracksDataException.class, () -> accessor.update(good));
    accessor.delete(good);
    assertTrue(
        assertThrows(HyracksDataException.class, () -> accessor.delete(good))
            .matches(ErrorCode.UPDATE_OR_DELETE_NON_EXISTENT_KEY));
    assertEquals(Set.of(), found(index, null));
  }
}

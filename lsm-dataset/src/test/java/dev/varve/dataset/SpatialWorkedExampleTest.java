package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.kind.IndexKind;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.SpatialSearch;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.rtree.query.RegionQuery;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The running example of Storage Management in AsterixDB, section 4.5 and Figure 2, panel by panel
 * and as printed: SIdx is an R-tree with a deleted-key B+-tree, so SCi are its entries in a
 * component and BCi the deleted keys beside them. One thing is more than the paper shows: in memory
 * SC0 remembers what was deleted as a candidate, because whoever deleted it may not have committed.
 */
class SpatialWorkedExampleTest {
  @Test
  void figureTwoAsPrinted() throws StorageException {
    WorkedExample example =
        new WorkedExample(
            new IndexDefinition(
                "Loc", IndexKind.parse("rtree-deleted-keys"), List.of(FieldPath.parse("Loc"))));
    Dataset dataset = example.dataset;

    // T1 inserts <1, (10, 10), "Kim">.
    dataset.insert(WorkedExample.record(1, 10, "Kim"));
    assertEquals(List.of("+<1>"), example.memory(WorkedExample.PRIMARY));
    assertEquals(List.of("+(10, 10)<1>"), example.memory(WorkedExample.SECONDARY));
    assertEquals(
        List.of("0 prev -1 PIdx INSERT <1>", "40 prev 0 SIdx INSERT (10, 10)<1>"), example.log(0));

    // T2-A inserts <2, (20, 20), "Sam">.
    dataset.insert(WorkedExample.record(2, 20, "Sam"));
    assertEquals(List.of("+<1>", "+<2>"), example.memory(WorkedExample.PRIMARY));
    assertEquals(List.of("+(10, 10)<1>", "+(20, 20)<2>"), example.memory(WorkedExample.SECONDARY));
    assertEquals(
        List.of("80 prev -1 PIdx INSERT <2>", "120 prev 80 SIdx INSERT (20, 20)<2>"),
        example.log(2));

    // T2-B: the memory is used up, both components are flushed; PC1 has a Bloom filter.
    dataset.flush();
    assertEquals(List.of(), example.memory(WorkedExample.PRIMARY));
    assertEquals(List.of(), example.memory(WorkedExample.SECONDARY));
    assertEquals("+<1> +<2> [80] filter", example.published.get("i1/c-1-1"));
    assertEquals("+(10, 10)<1> +(20, 20)<2> [120]", example.published.get("i2/c-1-1"));

    // T3 deletes what lies within 5 of (22, 22): found in SC1, validated in the primary, deleted.
    List<Key> found =
        TestStore.keys(dataset.search("Loc", new SpatialSearch(RegionQuery.within(5, 22, 22))));
    assertEquals(List.of(Key.of(2)), found);
    dataset.delete(found.get(0));
    assertEquals(List.of("-<2>"), example.memory(WorkedExample.PRIMARY));
    assertEquals(List.of("-(20, 20)<2>"), example.memory(WorkedExample.SECONDARY));
    assertEquals(
        List.of("160 prev -1 PIdx DELETE <2>", "200 prev 160 SIdx DELETE (20, 20)<2>"),
        example.log(4));
    assertEquals(
        List.of(),
        TestStore.keys(dataset.search("Loc", new SpatialSearch(RegionQuery.within(5, 22, 22)))));

    // T4 inserts <2, (25, 25), "Sam">: the control entry in PC0 is replaced, that of BC0 stays.
    dataset.insert(WorkedExample.record(2, 25, "Sam"));
    assertEquals(List.of("+<2>"), example.memory(WorkedExample.PRIMARY));
    assertEquals(List.of("-(20, 20)<2>", "+(25, 25)<2>"), example.memory(WorkedExample.SECONDARY));
    assertEquals(
        List.of("240 prev -1 PIdx INSERT <2>", "280 prev 240 SIdx INSERT (25, 25)<2>"),
        example.log(6));

    // T5-A inserts <3, (30, 30), "Tom">.
    dataset.insert(WorkedExample.record(3, 30, "Tom"));
    assertEquals(List.of("+<2>", "+<3>"), example.memory(WorkedExample.PRIMARY));
    assertEquals(
        List.of("-(20, 20)<2>", "+(25, 25)<2>", "+(30, 30)<3>"),
        example.memory(WorkedExample.SECONDARY));
    assertEquals(
        List.of("320 prev -1 PIdx INSERT <3>", "360 prev 320 SIdx INSERT (30, 30)<3>"),
        example.log(8));

    // T5-B: both are flushed; SC2 holds what was inserted, BC2 the key 2, under a Bloom filter.
    dataset.flush();
    assertEquals("+<2> +<3> [320] filter", example.published.get("i1/c-2-2"));
    assertEquals(
        "+(25, 25)<2> +(30, 30)<3> deleted <2> [360] filter", example.published.get("i2/c-2-2"));

    // T5-C: merged. <20, 20, 2> was removed by BC2, which is removed with its filter.
    example.store.executor.runUntilIdle();
    assertEquals("+<1> +<2> +<3> [320] filter", example.published.get("i1/c-1-2"));
    assertEquals("+(10, 10)<1> +(25, 25)<2> +(30, 30)<3> [360]", example.published.get("i2/c-1-2"));
    assertEquals(List.of("c-1-2.lsm"), example.files("i1"));
    assertEquals(List.of("c-1-2.lsm"), example.files("i2"));
    assertEquals(
        List.of(
            WorkedExample.text(WorkedExample.record(1, 10, "Kim")),
            WorkedExample.text(WorkedExample.record(2, 25, "Sam")),
            WorkedExample.text(WorkedExample.record(3, 30, "Tom"))),
        TestStore.records(dataset.scan(ValueRange.all())));
    assertEquals(List.of(), example.engine.verify().problems());
    example.store.files.onOperation(null);
    example.engine.close();
  }
}

package dev.varve.common.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentId;
import dev.varve.common.component.DeletedRanges;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.error.StorageException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Goal: the metadata page keeps its bytes. Method: the worked examples of docs/format/component.md.
 */
final class ComponentMetadataTest {
  private static final ComponentMetadata EXAMPLE =
      new ComponentMetadata(
          "rtree-deleted-keys",
          new ComponentId(2, 2),
          80,
          2,
          0,
          1,
          3,
          1,
          2,
          RangeFilter.UNKNOWN,
          0,
          0,
          DeletedRanges.NONE);

  private static final ComponentMetadata FILTERED =
      new ComponentMetadata(
          "btree",
          new ComponentId(3, 3),
          80,
          2,
          0,
          1,
          2,
          0,
          0,
          RangeFilter.EMPTY
              .covering(new Slice(new byte[] {0x20, 7}))
              .covering(new Slice(new byte[] {0x20, 1})),
          0,
          0,
          DeletedRanges.NONE);

  private static final ComponentMetadata CHECKED =
      new ComponentMetadata(
          "btree",
          new ComponentId(4, 6),
          80,
          2,
          0,
          1,
          0,
          0,
          0,
          FILTERED.filter(),
          5,
          0,
          DeletedRanges.NONE);

  private static final ComponentMetadata RANGES =
      new ComponentMetadata(
          "btree",
          new ComponentId(5, 5),
          90,
          0,
          0,
          0,
          0,
          0,
          0,
          RangeFilter.UNKNOWN,
          0,
          0,
          DeletedRanges.of(new byte[] {'a'}, new byte[] {'c', 0})
              .with(DeletedRanges.of(new byte[] {'x'}, null)));

  @Test
  void theWorkedExampleOfTheFormatPageHolds() {
    assertEquals(
        "02000000000000000200000000000000"
            + "50000000000000000200000000000000"
            + "00000000000000000100000003000000"
            + "12030000020000000100000000000000"
            + "72747265652d64656c657465642d6b657973",
        HexFormat.of().formatHex(EXAMPLE.encode()));
  }

  @Test
  void aComponentThatWasCheckedSaysHowFar() throws StorageException {
    byte[] bytes = CHECKED.encode();
    assertEquals(
        "04000000000000000600000000000000"
            + "50000000000000000200000000000000"
            + "00000000000000000100000000000000"
            + "05040201000000000000000000000000"
            + "0500000000000000"
            + "6274726565022001022007",
        HexFormat.of().formatHex(bytes));
    assertEquals(CHECKED, ComponentMetadata.decode(bytes, "file"));
    bytes[64] = 0;
    assertThrows(CorruptionException.class, () -> ComponentMetadata.decode(bytes, "file"));
    bytes[71] = (byte) 0x80;
    assertThrows(CorruptionException.class, () -> ComponentMetadata.decode(bytes, "file"));
  }

  @Test
  void aComponentWithDeletedRangesSaysWhich() throws StorageException {
    byte[] bytes = RANGES.encode();
    assertEquals(
        "05000000000000000500000000000000"
            + "5a000000000000000000000000000000"
            + "00000000000000000000000000000000"
            + "05050000000000000000000000000000"
            + "0000000000000000"
            + "6274726565"
            + "02016103630001"
            + "7800",
        HexFormat.of().formatHex(bytes));
    assertEquals(RANGES, ComponentMetadata.decode(bytes, "file"));
    bytes[bytes.length - 2] = 'b';
    assertThrows(CorruptionException.class, () -> ComponentMetadata.decode(bytes, "file"));
  }

  @Test
  void aComponentWhoseEntriesSupersedeOlderOnesSaysHowMany() throws StorageException {
    byte[] bytes = superseding(RangeFilter.EMPTY, DeletedRanges.NONE).encode();
    assertEquals(
        "06000000000000000600000000000000"
            + "5a000000000000000900000000000000"
            + "02000000000000000100000002000000"
            + "05060200000000000000000000000000"
            + "00000000000000000700000000000000"
            + "6274726565"
            + "00",
        HexFormat.of().formatHex(bytes));
    for (RangeFilter filter : List.of(RangeFilter.EMPTY, FILTERED.filter())) {
      for (DeletedRanges ranges : List.of(DeletedRanges.NONE, RANGES.ranges())) {
        ComponentMetadata whole = superseding(filter, ranges);
        assertEquals(whole, ComponentMetadata.decode(whole.encode(), "file"));
      }
    }
    bytes[72] = 10;
    assertThrows(CorruptionException.class, () -> ComponentMetadata.decode(bytes, "file"));
    bytes[72] = 0;
    assertThrows(CorruptionException.class, () -> ComponentMetadata.decode(bytes, "file"));
  }

  private static ComponentMetadata superseding(RangeFilter filter, DeletedRanges ranges) {
    return new ComponentMetadata(
        "btree", new ComponentId(6, 6), 90, 9, 2, 1, 2, 0, 0, filter, 0, 7, ranges);
  }

  @Test
  void whatIsEncodedIsDecoded() throws StorageException {
    assertEquals(EXAMPLE, ComponentMetadata.decode(EXAMPLE.encode(), "file"));
  }

  @Test
  void theComponentsOfVersionTwoAreReadAndNothingIsKnownOfTheirValues() throws StorageException {
    byte[] old = EXAMPLE.encode();
    old[49] = 2;
    assertEquals(EXAMPLE, ComponentMetadata.decode(old, "file"));
  }

  @Test
  void theWorkedExampleWithAFilterHolds() throws StorageException {
    String bytes =
        "03000000000000000300000000000000"
            + "50000000000000000200000000000000"
            + "00000000000000000100000002000000"
            + "05030201000000000000000000000000"
            + "6274726565"
            + "022001"
            + "022007";
    assertEquals(bytes, HexFormat.of().formatHex(FILTERED.encode()));
    assertEquals(FILTERED, ComponentMetadata.decode(FILTERED.encode(), "file"));
  }

  @Test
  void aFilterThatIsNoneIsRefused() {
    byte[] unordered = FILTERED.encode();
    unordered[71] = 9;
    byte[] withoutCoverage = FILTERED.encode();
    withoutCoverage[50] = 0;
    byte[] longBound = FILTERED.encode();
    longBound[69] = 65;
    for (byte[] damaged : List.of(unordered, withoutCoverage, longBound)) {
      assertThrows(CorruptionException.class, () -> ComponentMetadata.decode(damaged, "file"));
    }
  }

  @Test
  void theComponentsOfVersionOneAreRead() throws StorageException {
    byte[] old =
        HexFormat.of()
            .parseHex(
                "01000000000000000100000000000000"
                    + "50000000000000000200000000000000"
                    + "00000000000000000100000002000000"
                    + "05006274726565");
    assertEquals(
        new ComponentMetadata(
            "btree",
            new ComponentId(1, 1),
            80,
            2,
            0,
            1,
            2,
            0,
            0,
            RangeFilter.UNKNOWN,
            0,
            0,
            DeletedRanges.NONE),
        ComponentMetadata.decode(old, "file"));
  }

  @Test
  void aNewerVersionIsRefusedAsSuch() {
    byte[] bytes = superseding(RangeFilter.EMPTY, DeletedRanges.NONE).encode();
    bytes[49]++;
    assertThrows(FormatVersionException.class, () -> ComponentMetadata.decode(bytes, "file"));
  }

  @Test
  void everyTruncationIsRefused() {
    ComponentMetadata superseding = superseding(FILTERED.filter(), RANGES.ranges());
    for (ComponentMetadata example : List.of(EXAMPLE, FILTERED, CHECKED, RANGES, superseding)) {
      byte[] bytes = example.encode();
      for (int length = 0; length < bytes.length; length++) {
        byte[] cut = Arrays.copyOf(bytes, length);
        assertThrows(CorruptionException.class, () -> ComponentMetadata.decode(cut, "file"));
      }
    }
  }
}

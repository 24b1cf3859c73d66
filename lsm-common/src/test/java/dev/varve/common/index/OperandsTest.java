package dev.varve.common.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.testkit.SortedRunFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What components hold of operands, and what an index makes of components without frames. */
final class OperandsTest {
  private static final SortedRunFormat APPENDING =
      SortedRunFormat.withOperator(
          (older, newer) ->
              IndexFixture.slice(IndexFixture.text(older) + IndexFixture.text(newer)));

  @TempDir Path directory;

  private IndexFixture open(SortedRunFormat format) throws StorageException {
    return new IndexFixture(directory, new LocalFileSystem(), format);
  }

  /** What each component has of a key, newest first: an operand with a plus, or a value. */
  private static List<String> held(IndexFixture fixture, String key) throws StorageException {
    List<String> held = new ArrayList<>();
    Operands operands = Operands.of(APPENDING);
    for (DiskComponent<Slice> component : fixture.index.components().disk().all()) {
      Entry found = new Entry();
      if (component.find(IndexFixture.slice(key), found)) {
        String text = IndexFixture.text(Operands.unframed(found.value(), new Slice()));
        held.add(found.antimatter() ? "-" : (operands.isOperand(found) ? "+" : "") + text);
      }
    }
    return held;
  }

  @Test
  void operandsStayOperandsUntilTheOldestComponentOrAValueIsMerged() throws StorageException {
    try (IndexFixture fixture = open(APPENDING)) {
      fixture.put("a", "1");
      fixture.index.flush();
      fixture.delete("b");
      fixture.put("c", "1");
      fixture.mergeOperand("a", "2");
      fixture.index.flush();
      for (String key : List.of("a", "b", "c", "d")) {
        fixture.mergeOperand(key, "3");
        fixture.mergeOperand(key, "4");
      }
      fixture.index.flush();
      assertEquals(List.of("+34", "+2", "1"), held(fixture, "a"));
      assertEquals(List.of("+34"), held(fixture, "d"));

      fixture.merge(1, 3);
      assertEquals(List.of("+234", "1"), held(fixture, "a"));
      assertEquals(List.of("34"), held(fixture, "b"), "what was deleted ends the operands");
      assertEquals(List.of("134"), held(fixture, "c"));
      assertEquals(List.of("+34"), held(fixture, "d"));
      assertEquals("1234", fixture.get("a"));

      fixture.index.compact();
      assertEquals(List.of("1234"), held(fixture, "a"));
      assertEquals(List.of("34"), held(fixture, "d"), "nothing is older");
    }
  }

  @Test
  void whatAnOperandIsAboutIsNeverFoundOptimistically() throws StorageException {
    try (IndexFixture fixture = open(APPENDING)) {
      fixture.mergeOperand("a", "1");
      Entry found = new Entry();
      assertNull(fixture.findOptimistically(IndexFixture.slice("a"), found));
      assertEquals(Origin.MEMORY, fixture.index.find(IndexFixture.slice("a"), found));
      fixture.index.flush();
      assertEquals(Origin.DISK, fixture.index.find(IndexFixture.slice("a"), found));
      assertEquals("1", IndexFixture.text(found.value()));
      assertFalse(found.antimatter());
      assertEquals(Origin.NOWHERE, fixture.index.find(IndexFixture.slice("b"), found));
    }
  }

  @Test
  void valuesWithoutFramesAreDamage() throws StorageException {
    try (IndexFixture fixture = open(new SortedRunFormat())) {
      fixture.put("a", "value");
      fixture.put("b", "");
      fixture.index.flush();
      fixture.format = APPENDING;
      fixture.reopen();
      CorruptionException damage = assertThrows(CorruptionException.class, () -> fixture.get("a"));
      assertTrue(String.valueOf(damage.getMessage()).contains("no frame"), damage.getMessage());
      assertThrows(CorruptionException.class, () -> fixture.get("b"));
      assertThrows(CorruptionException.class, fixture::scan);
      assertThrows(CorruptionException.class, fixture.index.contents()::verify);
      fixture.format = new SortedRunFormat();
      fixture.reopen();
      assertEquals("value", fixture.get("a"));
    }
  }
}

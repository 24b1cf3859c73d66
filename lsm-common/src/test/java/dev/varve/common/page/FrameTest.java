package dev.varve.common.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A frame's state: what may follow what. */
final class FrameTest {
  private ComponentFile file;
  private Frame frame;

  @BeforeEach
  void readAPage() throws StorageException {
    MemoryFileSystem disk = new MemoryFileSystem();
    disk.createDirectories(Path.of("/store"));
    Path path = Path.of("/store/c-1-1.lsm");
    try (ComponentFileWriter writer =
        ComponentFileWriter.create(disk, path, ComponentFileOptions.of(1, 128, 2))) {
      writer.append((byte) 'p', new byte[128], 1);
      writer.seal(new byte[0]);
    }
    file = ComponentFile.open(disk, path, 1, new PageCache(0));
    frame = Frame.pinned(file, 1, PageBuffer.alone(128));
  }

  @AfterEach
  void closeTheFile() {
    file.close();
  }

  @Test
  void aFrameIsBornPinnedAndUnused() {
    assertEquals(1, frame.pins());
    assertFalse(frame.usedSinceLastSweep());
    assertEquals(0, frame.takeHits());
  }

  @Test
  void onlyAnUnpinnedFrameDies() {
    assertTrue(frame.tryPin());
    frame.pinAgain();
    for (int pins = 3; pins > 0; pins--) {
      assertEquals(pins, frame.pins());
      assertFalse(frame.tryKill());
      frame.close();
    }
    assertTrue(frame.tryKill());
    assertFalse(frame.tryKill());
  }

  @Test
  void aDeadFrameIsNeverPinnedAgain() {
    frame.close();
    assertTrue(frame.tryKill());
    for (int i = 0; i < 10; i++) {
      assertFalse(frame.tryPin());
    }
    assertEquals(0, frame.pins());
    assertEquals(0, frame.takeHits());
  }

  @Test
  void anOrphanKeepsItsPinsAndTakesNoMore() {
    frame.orphan();
    assertFalse(frame.tryPin());
    assertEquals(1, frame.pins());
    frame.close();
    assertEquals(0, frame.pins());
    assertFalse(frame.tryKill());
  }

  @Test
  void everyPinIsAHitThatIsCountedOnceAndSeenByOneSweep() {
    for (int i = 0; i < 5; i++) {
      assertTrue(frame.tryPin());
    }
    frame.pinAgain();
    assertEquals(7, frame.pins());
    assertTrue(frame.usedSinceLastSweep());
    assertFalse(frame.usedSinceLastSweep());
    assertEquals(5, frame.takeHits());
    assertEquals(0, frame.takeHits());
    assertTrue(frame.tryPin());
    assertEquals(1, frame.takeHits());
    assertTrue(frame.usedSinceLastSweep());
  }

  @Test
  void unpinningMoreOftenThanPinningIsFound() {
    frame.close();
    assertThrows(AssertionError.class, frame::close);
  }
}

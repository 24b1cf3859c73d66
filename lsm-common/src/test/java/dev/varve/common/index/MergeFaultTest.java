package dev.varve.common.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.FaultyFileSystem;
import dev.varve.common.testkit.MemoryFileSystem;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Goal: a merge that fails at any call of the file system leaves nothing behind that counts.
 * Method: one fault at the first, second and each further call of a merge; then a merge that
 * overlaps the failed one, and another opening. A component that was sealed and not given back
 * would stand beside it, and neither would cover the other.
 */
final class MergeFaultTest {
  private static final int FLUSHES = 3;

  @Test
  void aMergeThatFailsAnywhereLeavesNoComponentBehind() throws StorageException {
    int failures = 0;
    int call = 1;
    while (mergeFailsAt(call)) {
      failures++;
      call++;
    }
    assertTrue(failures > 10, "so few calls were there to fail: " + failures);
  }

  /** Returns false when the merge makes fewer calls. */
  private static boolean mergeFailsAt(int call) throws StorageException {
    FaultyFileSystem files = new FaultyFileSystem(new MemoryFileSystem());
    try (IndexFixture fixture = new IndexFixture(Path.of("/"), files)) {
      fixture.queue.leave();
      for (int i = 0; i < FLUSHES; i++) {
        fixture.put("key " + i, "value");
        fixture.put("each", "of flush " + i);
        fixture.index.seal();
        fixture.queue.runAll();
      }
      List<String> before = fixture.scan();
      int faults = files.faultCount();
      files.setPlan("any * " + call + " EIO");
      boolean failed = false;
      try {
        fixture.merge(0, 2);
        fixture.queue.runAll();
      } catch (StorageException told) {
        failed = true;
      }
      files.setPlan("");
      if (failed) {
        fixture.merge(1, FLUSHES);
        fixture.queue.runAll();
      }
      fixture.reopen();
      assertEquals(before, fixture.scan(), () -> "after a fault at call " + call);
      return files.faultCount() > faults;
    } finally {
      files.assertNothingOpen();
    }
  }
}

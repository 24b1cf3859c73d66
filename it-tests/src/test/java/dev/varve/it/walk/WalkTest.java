package dev.varve.it.walk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: whoever follows one put or one get through the source reads few files. Method: a process
 * does each of them once under a debugger that counts every method entered. The figures are those
 * that were reached; a change that needs more says why, and one that needs fewer lowers them.
 */
final class WalkTest {
  @TempDir private Path directory;

  @Test
  void aPutAndAGetRunThroughFewFiles() throws Exception {
    Map<String, Walk> walks = Walk.trace(directory);
    walks.forEach((name, walk) -> System.out.println(walk.print(name)));
    assertWalk(walks.get(Walk.PUT), 30, 15);
    assertWalk(walks.get(Walk.GET_FROM_MEMORY), 16, 8);
  }

  private static void assertWalk(Walk walk, int files, int depth) {
    assertNotNull(walk);
    assertEquals(files, walk.files().size(), () -> "files: " + walk.files());
    assertEquals(depth, walk.depth(), "frames");
  }
}

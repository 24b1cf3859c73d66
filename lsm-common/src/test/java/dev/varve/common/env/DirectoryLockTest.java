package dev.varve.common.env;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.FileSystem.DirectoryLock;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: one engine per directory, whoever asks. Method: second askers in this process, through a
 * symbolic link, and in a forked process.
 */
final class DirectoryLockTest {
  @TempDir Path directory;

  private final FileSystem files = new LocalFileSystem();

  @Test
  void aSecondEngineInThisProcessIsRefused() throws Exception {
    DirectoryLock lock = files.lock(directory);
    assertRefused(directory);
    assertRefused(directory.resolve("../" + directory.getFileName()));
    assertOpenedOnce(directory.resolve("LOCK"));
    lock.close();
    lock.close();
    files.lock(directory).close();
  }

  @Test
  void aSymbolicLinkLeadsToTheSameLock() throws Exception {
    Path data = Files.createDirectory(directory.resolve("data"));
    Path alias = Files.createSymbolicLink(directory.resolve("alias"), data);
    try (DirectoryLock lock = files.lock(alias)) {
      assertTrue(lock != null);
      assertRefused(data);
      assertOpenedOnce(data.resolve("LOCK"));
    }
    try (DirectoryLock lock = files.lock(data)) {
      assertTrue(lock != null);
      assertRefused(alias);
    }
  }

  @Test
  void aLockWhoseFileOrDirectoryWasTakenAwayIsNoLongerHeld() throws Exception {
    Path data = Files.createDirectory(directory.resolve("data"));
    Path aside = directory.resolve("aside");
    try (DirectoryLock lock = files.lock(data)) {
      lock.requireHeld();
      Path file = data.resolve("LOCK");
      Files.move(file, aside);
      assertLost(lock);
      Files.createFile(file);
      assertLost(lock);
      Files.delete(file);
      Files.move(aside, file);
      lock.requireHeld();
      Files.move(data, aside);
      assertLost(lock);
      Files.createDirectory(data);
      Files.createLink(file, aside.resolve("LOCK"));
      assertLost(lock);
      Files.delete(file);
      Files.delete(data);
      Files.move(aside, data);
      lock.requireHeld();
    }
  }

  private static void assertLost(DirectoryLock lock) {
    ConflictException lost = assertThrows(ConflictException.class, lock::requireHeld);
    assertEquals(ConflictException.Reason.OWNERSHIP_LOST, lost.reason());
  }

  @Test
  void theLockOfAnotherDirectoryIsFree() throws Exception {
    Path a = Files.createDirectory(directory.resolve("a"));
    Path b = Files.createDirectory(directory.resolve("b"));
    try (DirectoryLock lockA = files.lock(a);
        DirectoryLock lockB = files.lock(b)) {
      assertTrue(lockA != lockB);
    }
  }

  @Test
  void aMissingDirectoryCannotBeLockedAndLeavesNothingHeld() throws Exception {
    Path absent = directory.resolve("absent");
    assertThrows(DiskException.class, () -> files.lock(absent).close());
    Files.createDirectory(absent);
    files.lock(absent).close();
  }

  @Test
  void aLockFileThatIsASymbolicLinkIsRefused() throws Exception {
    Path elsewhere = Files.writeString(directory.resolve("elsewhere"), "");
    Path data = Files.createDirectory(directory.resolve("data"));
    Files.createSymbolicLink(data.resolve("LOCK"), elsewhere);
    assertThrows(DiskException.class, () -> files.lock(data).close());
  }

  @Test
  void anotherProcessIsRefusedWhileThisOneHoldsTheLock() throws Exception {
    try (DirectoryLock lock = files.lock(directory)) {
      assertTrue(lock != null);
      // A second try in this process must not cost it the lock: POSIX would drop it if the file
      // were opened and closed again.
      assertRefused(directory);
      assertEquals("REFUSED DIRECTORY_IN_USE", firstLineOf(directory, true));
    }
    assertEquals("LOCKED true", firstLineOf(directory, true));
  }

  @Test
  void thisProcessIsRefusedWhileAnotherHoldsTheLock() throws Exception {
    Process holder = fork(directory);
    try {
      assertEquals("LOCKED true", reader(holder).readLine());
      assertRefused(directory);
      assertRefused(directory);
    } finally {
      holder.toHandle().destroyForcibly();
      holder.waitFor();
    }
    files.lock(directory).close();
  }

  /** Whoever is refused must not even have opened the file; visible where the kernel tells. */
  private static void assertOpenedOnce(Path lockFile) throws Exception {
    Path descriptors = Path.of("/proc/self/fd");
    if (!Files.isDirectory(descriptors)) {
      return;
    }
    Path real = lockFile.toRealPath();
    int open = 0;
    try (DirectoryStream<Path> links = Files.newDirectoryStream(descriptors)) {
      for (Path link : links) {
        if (Files.isSymbolicLink(link) && Files.readSymbolicLink(link).equals(real)) {
          open++;
        }
      }
    }
    assertEquals(1, open);
  }

  private void assertRefused(Path path) {
    ConflictException refused =
        assertThrows(ConflictException.class, () -> files.lock(path).close());
    assertEquals(ConflictException.Reason.DIRECTORY_IN_USE, refused.reason());
  }

  private static String firstLineOf(Path directory, boolean end) throws Exception {
    Process holder = fork(directory);
    try {
      String line = reader(holder).readLine();
      if (end) {
        holder.getOutputStream().close();
        holder.waitFor();
      }
      return line;
    } finally {
      holder.toHandle().destroyForcibly();
      holder.waitFor();
    }
  }

  private static Process fork(Path directory) throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xshare:auto",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            LockHolder.class.getName(),
            directory.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static BufferedReader reader(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }
}

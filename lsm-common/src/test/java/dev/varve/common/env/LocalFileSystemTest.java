package dev.varve.common.env;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.error.DiskException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the adapter does what the seam says on real files. Method: one small file per behaviour.
 */
final class LocalFileSystemTest {
  @TempDir Path directory;

  private final FileSystem files = new LocalFileSystem();

  @Test
  void refusesSymbolicLinksInsideADirectory() throws Exception {
    Path real = Files.writeString(directory.resolve("real"), "content");
    Path inside = Files.createDirectory(directory.resolve("inside"));
    Path link = Files.createSymbolicLink(inside.resolve("link"), real);
    assertThrows(DiskException.class, () -> files.open(link, OpenMode.READ_ONLY).close());
    assertThrows(DiskException.class, () -> files.open(link, OpenMode.READ_WRITE).close());
    DiskException refused = assertThrows(DiskException.class, () -> files.list(inside));
    assertTrue(refused.getMessage().contains("symbolic link"), refused::getMessage);
    Path throughLink = Files.createSymbolicLink(directory.resolve("alias"), inside);
    Files.delete(link);
    files.open(throughLink.resolve("f"), OpenMode.CREATE_NEW).close();
    files.forceDirectory(throughLink);
    assertTrue(files.exists(inside.resolve("f")));
  }

  /** Below Java 22 only the module jdk.unsupported can unmap, and a small runtime has none. */
  @Test
  void mapsInARuntimeOfTheBaseModuleAlone() throws Exception {
    Path file = directory.resolve("mapped");
    Process writer =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--limit-modules",
                "java.base",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                RegionWriter.class.getName(),
                file.toString(),
                "content")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertEquals(0, writer.waitFor());
    assertEquals("content", Files.readString(file));
  }

  /** The caller gets nothing of it, so the system's account of the thread is asked. */
  @Test
  void aPrefetchReadsAllOfItsRange() throws Exception {
    Path account = Path.of("/proc/thread-self/io");
    assumeTrue(Files.isReadable(account), "this system keeps no account of a thread");
    int length = 5 << 20;
    Path path = Files.write(directory.resolve("f"), new byte[3 * length]);
    try (StorageFile file = files.open(path, OpenMode.READ_ONLY)) {
      long before = charactersRead(account);
      file.prefetch(1000, length);
      long read = charactersRead(account) - before;
      assertTrue(read >= length && read < 2L * length, "read " + read);
    }
  }

  private static long charactersRead(Path account) throws IOException {
    return Files.readAllLines(account).stream()
        .filter(line -> line.startsWith("rchar: "))
        .mapToLong(line -> Long.parseLong(line.substring(7)))
        .sum();
  }

  /** Data is its owner's, whatever the mask of the process lets others do. */
  @Test
  void makesDirectoriesForTheirOwnerOnly() throws Exception {
    assumeTrue(Files.getFileStore(directory).supportsFileAttributeView("posix"));
    Path inner = directory.resolve("outer/inner");
    files.createDirectories(inner);
    for (Path made : List.of(directory.resolve("outer"), inner)) {
      assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(made)));
    }
    Path theirs = Files.createDirectory(directory.resolve("theirs"));
    Set<PosixFilePermission> before = Files.getPosixFilePermissions(theirs);
    files.createDirectories(theirs);
    assertEquals(before, Files.getPosixFilePermissions(theirs), "what is there stays as it is");
  }

  /** An interrupt that is pending, and interrupts that arrive in the middle of calls. */
  @Test
  void interruptsNeverCloseAFileAndStayVisible() throws Exception {
    Thread caller = Thread.currentThread();
    AtomicBoolean enough = new AtomicBoolean();
    CountDownLatch ended = new CountDownLatch(1);
    Thread interrupter =
        new Thread(
            () -> {
              while (!enough.get()) {
                caller.interrupt();
              }
              ended.countDown();
            },
            "interrupter");
    byte[] content = randomBytes(1 << 16);
    byte[] read = new byte[content.length];
    interrupter.start();
    try (StorageFile file = files.open(directory.resolve("f"), OpenMode.CREATE_NEW)) {
      caller.interrupt();
      file.write(0, content, 0, content.length);
      assertTrue(Thread.interrupted(), "the flag is still set");
      for (int i = 0; i < 200; i++) {
        file.write((long) i * content.length, content, 0, content.length);
        assertEquals(content.length, file.read((long) i * content.length, read, 0, read.length));
        assertArrayEquals(content, read);
        Thread.interrupted();
      }
      file.force();
      files.forceDirectory(directory);
      enough.set(true);
      awaitEnd(ended);
      caller.interrupt();
      file.map(0, content.length).close();
      assertTrue(Thread.interrupted(), "mapping leaves the flag set");
      assertEquals(200L * content.length, file.size());
    } finally {
      enough.set(true);
      awaitEnd(ended);
      Thread.interrupted();
    }
  }

  @Test
  void mapsOnlyWhatWasWrittenAndOnlyUnderItsName() throws Exception {
    Path path = directory.resolve("log");
    try (StorageFile file = files.open(path, OpenMode.CREATE_NEW)) {
      file.write(0, new byte[4096], 0, 4096);
      assertThrows(IllegalArgumentException.class, () -> file.map(0, 4097).close());
      files.rename(path, directory.resolve("renamed"));
      Files.write(path, new byte[4096]);
      DiskException replaced = assertThrows(DiskException.class, () -> file.map(0, 4096).close());
      assertTrue(replaced.getMessage().contains("renamed"), replaced::getMessage);
    }
  }

  /** Where the system's files say so, and the file system is one that surely can. */
  @Test
  void aDirectFileIsOpenForDirectWrites() throws Exception {
    assumeTrue(Set.of("ext4", "xfs").contains(Files.getFileStore(directory).type()));
    assertDirect(OpenMode.CREATE_NEW_DIRECT);
    assertDirect(OpenMode.READ_ONLY_DIRECT);
  }

  private void assertDirect(OpenMode mode) throws Exception {
    try (StorageFile file = files.open(directory.toRealPath().resolve("f"), mode);
        Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      Path descriptor =
          descriptors.filter(open -> leadsTo(open, file.path())).findFirst().orElseThrow();
      List<String> facts =
          Files.readAllLines(Path.of("/proc/self/fdinfo").resolve(descriptor.getFileName()));
      String flags = facts.stream().filter(f -> f.startsWith("flags:")).findFirst().orElseThrow();
      long bits = Long.parseLong(flags.substring("flags:".length()).strip(), 8);
      // O_DIRECT on x86 and most others; on ARM.
      assertTrue((bits & (0x4000 | 0x10000)) != 0, flags);
    }
  }

  private static boolean leadsTo(Path link, Path file) {
    try {
      return Files.readSymbolicLink(link).equals(file);
    } catch (IOException closedMeanwhile) {
      return false;
    }
  }

  private static byte[] randomBytes(int length) {
    byte[] bytes = new byte[length];
    SplittableRandom random = new SplittableRandom(42);
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) random.nextInt();
    }
    return Arrays.copyOf(bytes, length);
  }

  private static void awaitEnd(CountDownLatch end) {
    while (end.getCount() > 0) {
      try {
        end.await();
      } catch (InterruptedException again) {
        // The thread that is waited for is the one that interrupts.
      }
    }
  }
}

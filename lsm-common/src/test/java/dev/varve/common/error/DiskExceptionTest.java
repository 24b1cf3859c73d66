package dev.varve.common.error;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.LocalFileSystem;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Goal: a disk error says what was tried, on which path, once, and what the system said. */
final class DiskExceptionTest {
  private static String message(Executable call) {
    return assertThrows(DiskException.class, call).getMessage();
  }

  @Test
  void whatTheSystemSaysIsSaid(@TempDir Path directory) throws StorageException {
    LocalFileSystem files = new LocalFileSystem();
    Path absent = directory.resolve("absent");
    assertEquals(
        "open " + absent + ": no such file or directory",
        message(() -> files.open(absent, FileSystem.OpenMode.READ_ONLY)));
    assertEquals(
        "delete " + absent + ": no such file or directory", message(() -> files.delete(absent)));
    Path file = directory.resolve("file");
    files.open(file, FileSystem.OpenMode.CREATE_NEW).close();
    assertEquals(
        "open " + file + ": it exists already",
        message(() -> files.open(file, FileSystem.OpenMode.CREATE_NEW)));
    assertEquals("list " + file + ": not a directory", message(() -> files.list(file)));
    files.createDirectories(directory.resolve("full"));
    files.open(directory.resolve("full/file"), FileSystem.OpenMode.CREATE_NEW).close();
    assertEquals(
        "delete " + directory.resolve("full") + ": the directory is not empty",
        message(() -> files.delete(directory.resolve("full"))));
  }

  @Test
  void reasonsAreKeptAndPathsNamedOnce() {
    assertEquals(
        "open /a/b: access denied",
        new DiskException("/a/b", "open", new AccessDeniedException("/a/b")).getMessage());
    assertEquals(
        "open /a/b: Too many open files",
        new DiskException(
                "/a/b", "open", new FileSystemException("/a/b", null, "Too many open files"))
            .getMessage());
    assertEquals(
        "lock /a: Read-only file system (/a/LOCK)",
        new DiskException(
                "/a", "lock", new FileSystemException("/a/LOCK", null, "Read-only file system"))
            .getMessage());
    assertEquals(
        "write /a/b: No space left on device",
        new DiskException("/a/b", "write", new IOException("No space left on device"))
            .getMessage());
    assertEquals(
        "force /a/b: java.io.IOException",
        new DiskException("/a/b", "force", new IOException()).getMessage());
  }
}

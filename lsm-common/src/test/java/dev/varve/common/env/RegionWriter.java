package dev.varve.common.env;

import dev.varve.common.env.FileSystem.OpenMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The other process of {@link LocalFileSystemTest}: writes a file through a mapped region. */
final class RegionWriter {
  private RegionWriter() {}

  /** Writes the second argument into the file that the first one names. */
  public static void main(String[] arguments) throws Exception {
    byte[] content = arguments[1].getBytes(StandardCharsets.UTF_8);
    try (StorageFile file =
        new LocalFileSystem().open(Path.of(arguments[0]), OpenMode.CREATE_NEW)) {
      file.write(0, new byte[content.length], 0, content.length);
      try (MappedRegion region = file.map(0, content.length)) {
        region.put(0, content, 0, content.length);
      }
      file.force();
    }
  }
}

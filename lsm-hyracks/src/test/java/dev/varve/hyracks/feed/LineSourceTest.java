package dev.varve.hyracks.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.LimitException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Goal: however a file is shared out, every line comes once, whole and in order. */
final class LineSourceTest {
  private static final Path PATH = Path.of("/in/records.json");

  private final MemoryFileSystem files = new MemoryFileSystem();

  @Test
  void givesEveryLineOnceForAnyNumberOfPartitions() throws Exception {
    Seeds.run(
        20,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          List<String> lines = new ArrayList<>();
          StringBuilder text = new StringBuilder();
          int count = random.nextInt(60);
          for (int i = 0; i < count; i++) {
            String line = i + ":" + "x".repeat(random.nextInt(random.nextBoolean() ? 3 : 40));
            lines.add(line);
            text.append(line).append(random.nextInt(4) == 0 ? "\r\n\n" : "\n");
          }
          if (random.nextBoolean() && text.length() > 0 && text.charAt(text.length() - 1) == '\n') {
            text.setLength(text.length() - 1);
          }
          write(text.toString());
          for (int partitions = 1; partitions < 12; partitions++) {
            List<String> read = new ArrayList<>();
            for (int partition = 0; partition < partitions; partition++) {
              read.addAll(read(partition, partitions));
            }
            assertEquals(lines, read, partitions + " partitions");
          }
        });
  }

  @Test
  void readsLinesLongerThanItsBufferAndRefusesThoseOverTheBound() throws Exception {
    String large = "y".repeat(1 << 20);
    write("a\n" + large + "\nb\n");
    assertEquals(List.of("a", large, "b"), read(0, 1));
    write("a\n" + "z".repeat(LineSource.MAX_LINE_BYTES + 1) + "\n");
    assertThrows(LimitException.class, () -> read(0, 1));
  }

  @Test
  void namesAFileThatIsNotThere() {
    DiskException failure = assertThrows(DiskException.class, () -> read(0, 1));
    assertEquals(true, failure.getMessage().contains(PATH.toString()), failure.getMessage());
  }

  private void write(String text) throws Exception {
    files.createDirectories(PATH.getParent());
    if (files.exists(PATH)) {
      files.delete(PATH);
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (StorageFile file = files.open(PATH, OpenMode.CREATE_NEW)) {
      file.write(0, bytes, 0, bytes.length);
    }
  }

  private List<String> read(int partition, int partitions) throws Exception {
    List<String> lines = new ArrayList<>();
    Slice record = new Slice();
    try (RecordStream stream = new LineSource(PATH.toString()).open(files, partition, partitions)) {
      while (stream.next(record)) {
        lines.add(new String(record.toByteArray(), StandardCharsets.UTF_8));
      }
    }
    return lines;
  }
}

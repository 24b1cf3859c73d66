package dev.varve.dataset;

import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.testkit.MemoryFileSystem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * The store of format/v1/misrouted.md: records in wrong partitions, as an old version left them.
 */
final class MisroutedStore {
  /** What the dataset is to hold. */
  final DatasetModel model = new DatasetModel();

  /** What is to be rejected. */
  final List<String> rejected;

  private final Map<Path, byte[]> contents = new HashMap<>();

  MisroutedStore() throws IOException {
    Map<String, String> texts = new HashMap<>();
    try (InputStream resource =
            Objects.requireNonNull(
                MisroutedStore.class.getResourceAsStream("/format/v1/misrouted.zip"));
        ZipInputStream zip = new ZipInputStream(resource)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        byte[] bytes = zip.readAllBytes();
        if (entry.getName().endsWith(".txt")) {
          texts.put(entry.getName(), new String(bytes, StandardCharsets.UTF_8));
        } else if (!entry.isDirectory()) {
          contents.put(TestStore.ROOT.resolve(entry.getName()), bytes);
        }
      }
    }
    for (String json : lines(texts, "records.txt")) {
      model.records.put(Long.parseLong(json.substring(6, json.indexOf(',', 6))), json);
    }
    rejected = lines(texts, "rejected.txt");
  }

  private static List<String> lines(Map<String, String> texts, String name) {
    return Objects.requireNonNull(texts.get(name)).lines().toList();
  }

  /** A disk with the store. */
  TestStore copy(long seed) throws Exception {
    MemoryFileSystem files = new MemoryFileSystem();
    Set<Path> directories = new HashSet<>();
    for (Map.Entry<Path, byte[]> content : contents.entrySet()) {
      Path path = content.getKey();
      Path directory = Objects.requireNonNull(path.getParent());
      files.createDirectories(directory);
      try (StorageFile file = files.open(path, OpenMode.CREATE_NEW)) {
        file.write(0, content.getValue(), 0, content.getValue().length);
        file.force();
      }
      for (Path above = directory; above != null; above = above.getParent()) {
        directories.add(above);
      }
    }
    for (Path directory : directories) {
      files.forceDirectory(directory);
    }
    return new TestStore(files, seed);
  }

  /** The records in a directory of rejects. */
  static List<String> rejected(MemoryFileSystem files, Path directory) throws Exception {
    List<String> found = new ArrayList<>();
    if (files.exists(directory)) {
      for (Path file : files.list(directory)) {
        String text = new String(files.content(file), StandardCharsets.UTF_8);
        for (String line :
            file.toString().endsWith(".jsonl") ? text.lines().toList() : List.<String>of()) {
          int begin = line.indexOf("\"rejected\":\"") + 12;
          found.add(line.substring(begin, line.length() - 2).replace("\\\"", "\""));
        }
      }
    }
    return found;
  }
}

package dev.varve.hyracks.adapter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.varve.common.bytes.ChecksummedJson;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.StorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A small JSON document in a file of its own, replaced as a whole: written beside, forced, renamed.
 * Its last field is a checksum ({@link ChecksummedJson}). Thread-safe as long as one thread writes.
 */
public final class NodeFile {
  /** Longest document. */
  public static final int MAX_BYTES = 16 << 20;

  private final FileSystem files;
  private final Path path;

  /** The document at a path, which need not be there. */
  public NodeFile(FileSystem files, Path path) {
    this.files = files;
    this.path = path;
  }

  /**
   * Reads the document; empty when there is none.
   *
   * @param kind the {@code kind} that it must have: a document under another's name is damage
   * @param newestFormat the newest {@code format} that the caller reads
   */
  public Optional<JsonNode> read(String kind, int newestFormat) throws StorageException {
    if (!files.exists(path)) {
      return Optional.empty();
    }
    String text = readText();
    JsonNode document;
    try {
      document = new ObjectMapper().readTree(text);
    } catch (IOException malformed) {
      throw corrupt("no JSON document: " + malformed.getMessage());
    }
    int format = document.path("format").asInt();
    if (format < 1) {
      throw corrupt("a document without its format");
    }
    if (format > newestFormat) {
      throw new FormatVersionException(path.toString(), format, newestFormat);
    }
    String found = document.path("kind").asText();
    if (!found.equals(kind)) {
      throw corrupt("a document of kind '" + found + "', where '" + kind + "' belongs");
    }
    return Optional.of(document);
  }

  /** What is wrong with the document, for callers that understand it. */
  public CorruptionException corrupt(String problem) {
    return new CorruptionException(path.toString(), -1, problem);
  }

  private String readText() throws StorageException {
    byte[] all;
    try (StorageFile file = files.open(path, OpenMode.READ_ONLY)) {
      long size = file.size();
      if (size > MAX_BYTES) {
        throw new LimitException("bytes of " + path, size, MAX_BYTES);
      }
      all = new byte[(int) size];
      if (file.read(0, all, 0, all.length) < all.length) {
        throw corrupt("became shorter while it was read");
      }
    }
    return ChecksummedJson.open(all).orElseThrow(() -> corrupt("its checksum is wrong"));
  }

  /** An empty document of a kind and format, for {@link #write}. */
  public static ObjectNode newDocument(String kind, int format) {
    return new ObjectMapper().createObjectNode().put("kind", kind).put("format", format);
  }

  /** Replaces the document, durably. */
  public void write(ObjectNode json) throws DiskException {
    byte[] document = ChecksummedJson.seal(json.toString());
    Path directory = path.toAbsolutePath().getParent();
    if (directory == null) {
      throw new IllegalArgumentException("no directory holds " + path);
    }
    Path building = directory.resolve(path.getFileName() + ".building");
    if (files.exists(building)) {
      files.delete(building);
    }
    try (StorageFile file = files.open(building, OpenMode.CREATE_NEW)) {
      file.write(0, document, 0, document.length);
      file.force();
    }
    files.rename(building, path);
    files.forceDirectory(directory);
  }
}

package dev.varve.hyracks.adapter;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.error.StorageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.common.ILocalResourceRepository;
import org.apache.hyracks.storage.common.LocalResource;
import org.apache.hyracks.storage.common.file.IResourceIdFactory;
import org.jspecify.annotations.Nullable;

/**
 * The node's list of indexes, in the file {@code resources.json}, which is replaced at every change
 * before the change is acknowledged. Resource ids are never given twice. Thread-safe.
 */
final class IndexResources implements ILocalResourceRepository, IResourceIdFactory {
  private static final int FORMAT = 1;

  private final ReentrantLock lock = new ReentrantLock();
  private final Path path;
  private final NodeFile file;

  @GuardedBy("lock")
  private final Map<String, LocalResource> resources = new TreeMap<>();

  @GuardedBy("lock")
  private long nextId = 1;

  private IndexResources(FileSystem files, Path path) {
    this.path = path;
    this.file = new NodeFile(files, path);
  }

  /** Reads the list; an absent file is an empty list. */
  static IndexResources open(FileSystem files, Path path) throws StorageException {
    IndexResources opened = new IndexResources(files, path);
    byte[] document = opened.file.read().orElse(null);
    if (document != null) {
      opened.lock.lock();
      try {
        opened.parse(document);
      } catch (JsonProcessingException | IllegalArgumentException malformed) {
        throw new CorruptionException(path.toString(), -1, String.valueOf(malformed.getMessage()));
      } catch (IOException impossible) {
        throw new IllegalStateException("reading from memory failed", impossible);
      } finally {
        opened.lock.unlock();
      }
    }
    return opened;
  }

  /** All indexes, in the order of their paths. */
  List<LocalResource> all() {
    lock.lock();
    try {
      return List.copyOf(resources.values());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable LocalResource get(String resourcePath) {
    lock.lock();
    try {
      return resources.get(resourcePath);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void insert(LocalResource resource) throws HyracksDataException {
    if (!(resource.getResource() instanceof StoreResource)) {
      throw StorageFailures.refused(
          "no resource of Varve: " + resource.getResource().getClass().getName());
    }
    lock.lock();
    try {
      if (resources.putIfAbsent(resource.getPath(), resource) != null) {
        throw HyracksDataException.create(ErrorCode.CANNOT_CREATE_EXISTING_INDEX);
      }
      write();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void delete(String resourcePath) throws HyracksDataException {
    lock.lock();
    try {
      if (resources.remove(resourcePath) == null) {
        throw HyracksDataException.create(ErrorCode.RESOURCE_DOES_NOT_EXIST, resourcePath);
      }
      write();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long maxId() {
    lock.lock();
    try {
      return nextId - 1;
    } finally {
      lock.unlock();
    }
  }

  /** A new id; it becomes durable with the resource that carries it. */
  @Override
  public long createId() {
    lock.lock();
    try {
      return nextId++;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void write() throws HyracksDataException {
    ByteArrayOutputStream document = new ByteArrayOutputStream();
    try (JsonGenerator json = new JsonFactory().createGenerator(document)) {
      json.writeStartObject();
      json.writeStringField("kind", "varve-resources");
      json.writeNumberField("format", FORMAT);
      json.writeNumberField("nextId", nextId);
      json.writeArrayFieldStart("resources");
      for (LocalResource resource : resources.values()) {
        StoreResource store = (StoreResource) resource.getResource();
        json.writeStartObject();
        json.writeStringField("path", store.getPath());
        json.writeNumberField("id", resource.getId());
        json.writeNumberField("version", resource.getVersion());
        json.writeNumberField("fields", store.fieldCount());
        json.writeArrayFieldStart("key");
        for (KeyField field : store.keyFields()) {
          json.writeString(field.name());
        }
        json.writeEndArray();
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException impossible) {
      throw new IllegalStateException("writing to memory failed", impossible);
    }
    try {
      file.write(document.toByteArray());
    } catch (StorageException failure) {
      throw StorageFailures.toHyracks(failure);
    }
  }

  @GuardedBy("lock")
  private void parse(byte[] document) throws IOException, FormatVersionException {
    try (JsonParser json = new JsonFactory().createParser(document)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        json.nextToken();
        switch (name) {
          case "format" -> {
            if (json.getIntValue() > FORMAT) {
              throw new FormatVersionException(path.toString(), json.getIntValue(), FORMAT);
            }
          }
          case "nextId" -> nextId = json.getLongValue();
          case "resources" -> {
            while (json.nextToken() == JsonToken.START_OBJECT) {
              LocalResource resource = parseResource(json);
              resources.put(resource.getPath(), resource);
            }
          }
          default -> json.skipChildren();
        }
      }
    }
  }

  private static LocalResource parseResource(JsonParser json) throws IOException {
    String resourcePath = "";
    long id = 0;
    int version = 0;
    int fields = 0;
    List<KeyField> key = new ArrayList<>();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "path" -> resourcePath = json.getText();
        case "id" -> id = json.getLongValue();
        case "version" -> version = json.getIntValue();
        case "fields" -> fields = json.getIntValue();
        case "key" -> {
          while (json.nextToken() == JsonToken.VALUE_STRING) {
            key.add(KeyField.valueOf(json.getText()));
          }
        }
        default -> json.skipChildren();
      }
    }
    return new LocalResource(id, version, true, new StoreResource(resourcePath, fields, key));
  }
}

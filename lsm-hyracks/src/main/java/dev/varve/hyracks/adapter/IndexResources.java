package dev.varve.hyracks.adapter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.StorageException;
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
  private final NodeFile file;

  @GuardedBy("lock")
  private final Map<String, LocalResource> resources = new TreeMap<>();

  @GuardedBy("lock")
  private long nextId = 1;

  private IndexResources(FileSystem files, Path path) {
    this.file = new NodeFile(files, path);
  }

  /** Reads the list; an absent file is an empty list. */
  static IndexResources open(FileSystem files, Path path) throws StorageException {
    IndexResources opened = new IndexResources(files, path);
    JsonNode document = opened.file.read(FORMAT).orElse(null);
    if (document != null) {
      opened.lock.lock();
      try {
        opened.parse(document);
      } catch (IllegalArgumentException malformed) {
        throw opened.file.corrupt(String.valueOf(malformed.getMessage()));
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
    ObjectNode document = NodeFile.newDocument("varve-resources", FORMAT).put("nextId", nextId);
    ArrayNode list = document.putArray("resources");
    for (LocalResource resource : resources.values()) {
      StoreResource store = (StoreResource) resource.getResource();
      ObjectNode entry = list.addObject();
      entry.put("path", store.getPath());
      entry.put("id", resource.getId());
      entry.put("version", resource.getVersion());
      entry.put("fields", store.fieldCount());
      ArrayNode key = entry.putArray("key");
      store.keyFields().forEach(field -> key.add(field.name()));
    }
    try {
      file.write(document);
    } catch (StorageException failure) {
      throw StorageFailures.toHyracks(failure);
    }
  }

  @GuardedBy("lock")
  private void parse(JsonNode document) {
    nextId = document.path("nextId").asLong();
    for (JsonNode entry : document.path("resources")) {
      List<KeyField> key = new ArrayList<>();
      entry.path("key").forEach(field -> key.add(KeyField.valueOf(field.asText())));
      StoreResource store =
          new StoreResource(entry.path("path").asText(), entry.path("fields").asInt(), key);
      int version = entry.path("version").asInt();
      resources.put(
          store.getPath(), new LocalResource(entry.path("id").asLong(), version, true, store));
    }
  }
}

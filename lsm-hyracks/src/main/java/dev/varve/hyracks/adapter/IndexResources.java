package dev.varve.hyracks.adapter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.common.ILocalResourceRepository;
import org.apache.hyracks.storage.common.LocalResource;
import org.apache.hyracks.storage.common.file.IResourceIdFactory;
import org.jspecify.annotations.Nullable;

/**
 * The node's list of indexes, in the file {@code resources.json}, which is replaced at every change
 * before the change is acknowledged. An index is listed before its store is made, and leaves the
 * list after its store is gone, so that no crash leaves a store that is not listed: such a store
 * proves that the list is not the newest. Resource ids are never given twice. Thread-safe.
 */
final class IndexResources implements ILocalResourceRepository, IResourceIdFactory {
  private static final String KIND = "varve-resources";
  private static final int FORMAT = 3;

  /** How far an index has come. */
  enum State {
    /** Its store may be there, but was never used. */
    MADE,
    /** It is there. */
    LIVE,
    /** It was given up; its store may still be there. */
    DROPPED
  }

  /**
   * An index in the list.
   *
   * @param resource what Hyracks knows of it
   * @param state how far it has come
   * @param number number of its store in the engine's catalog, which is never given twice; 0 while
   *     it is not known
   */
  record Listed(LocalResource resource, State state, int number) {
    StoreResource store() {
      return (StoreResource) resource.getResource();
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final NodeFile file;
  private final EngineStores stores;

  @GuardedBy("lock")
  private final Map<String, Listed> listed = new TreeMap<>();

  /** Stores that an older version left unlisted. */
  @GuardedBy("lock")
  private final TreeSet<String> orphans = new TreeSet<>();

  /** Indexes that were being made when the node ended; their stores are empty. */
  @GuardedBy("lock")
  private final TreeSet<String> unfinished = new TreeSet<>();

  @GuardedBy("lock")
  private long nextId = 1;

  private IndexResources(NodeFile file, EngineStores stores) {
    this.file = file;
    this.stores = stores;
  }

  /**
   * Reads the list and holds it against the engine's stores; changes nothing.
   *
   * @throws CorruptionException when the file is damaged, missing, another node's or not the newest
   */
  static IndexResources open(FileSystem files, Path path, EngineStores stores)
      throws StorageException {
    NodeFile file = new NodeFile(files, path);
    IndexResources opened = new IndexResources(file, stores);
    JsonNode document = file.read(KIND, FORMAT).orElse(null);
    opened.lock.lock();
    try {
      int format = document == null ? 0 : opened.parse(document);
      for (Listed entry : List.copyOf(opened.listed.values())) {
        opened.check(entry, format);
      }
      opened.checkUnlisted(format);
      return opened;
    } catch (IllegalArgumentException malformed) {
      throw file.corrupt(String.valueOf(malformed.getMessage()));
    } finally {
      opened.lock.unlock();
    }
  }

  /** Holds an entry against the store that it speaks of. */
  @GuardedBy("lock")
  private void check(Listed entry, int format) throws StorageException {
    String path = entry.resource.getPath();
    int number = stores.number(path);
    if (entry.state == State.LIVE) {
      if (number == 0) {
        throw notTheNewest("lists index '" + path + "', which the node's engine does not have");
      }
      if (format == 1) {
        listed.put(path, new Listed(entry.resource, State.LIVE, number));
      } else if (entry.number != number) {
        throw notTheNewest("lists an index '" + path + "' that was replaced by another since");
      }
    } else if (number == 0) {
      listed.remove(path);
    } else if (entry.state == State.MADE && stores.holdsRecords(path)) {
      throw notTheNewest("lists index '" + path + "' as not yet made, but it holds records");
    } else if (entry.state == State.DROPPED && entry.number != number) {
      throw notTheNewest("lists index '" + path + "' as dropped, but it was made again since");
    } else if (entry.state == State.MADE) {
      unfinished.add(path);
    }
  }

  /** Stores that the list lacks: of this version none, of an older one what a crash left. */
  @GuardedBy("lock")
  private void checkUnlisted(int format) throws StorageException {
    for (String path : stores.paths()) {
      if (listed.containsKey(path) || orphans.contains(path)) {
        continue;
      }
      if (format == 0 && stores.holdsRecords(path)) {
        throw file.corrupt(
            "the file is missing, and only it says which fields and keys index '"
                + path
                + "' has; nothing was changed, put the file back");
      }
      if (format > 1) {
        throw notTheNewest("lacks index '" + path + "', which the node's engine has");
      }
      orphans.add(path);
    }
    orphans.retainAll(stores.paths());
  }

  private CorruptionException notTheNewest(String problem) {
    return file.corrupt(problem + "; nothing was changed, put the newest copy of the file back");
  }

  /** Paths of stores that no index is known for: kept, and of no use to Hyracks. */
  List<String> orphans() {
    lock.lock();
    try {
      return List.copyOf(orphans);
    } finally {
      lock.unlock();
    }
  }

  /** All indexes that are there, in the order of their paths. */
  List<LocalResource> all() {
    return in(State.LIVE);
  }

  /** Indexes in a state, in the order of their paths. */
  List<LocalResource> in(State state) {
    lock.lock();
    try {
      return listed.values().stream()
          .filter(entry -> entry.state == state)
          .map(Listed::resource)
          .toList();
    } finally {
      lock.unlock();
    }
  }

  /** Whether the store at a path was given up, or was being made when the node ended. */
  boolean isSuperfluous(String path) {
    lock.lock();
    try {
      Listed entry = listed.get(path);
      return unfinished.contains(path) || (entry != null && entry.state == State.DROPPED);
    } finally {
      lock.unlock();
    }
  }

  /** Lists an index whose store is about to be made, durably. */
  void announce(StoreResource store) throws HyracksDataException {
    lock.lock();
    try {
      LocalResource resource = new LocalResource(nextId++, 0, true, store);
      replace(store.getPath(), new Listed(resource, State.MADE, 0));
      unfinished.remove(store.getPath());
    } finally {
      lock.unlock();
    }
  }

  /** Takes an index whose store is gone off the list, durably. */
  void forget(String path) throws HyracksDataException {
    lock.lock();
    try {
      if (listed.containsKey(path)) {
        replace(path, null);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable LocalResource get(String resourcePath) {
    lock.lock();
    try {
      Listed entry = listed.get(resourcePath);
      return entry == null || entry.state != State.LIVE ? null : entry.resource;
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
      if (get(resource.getPath()) != null) {
        throw HyracksDataException.create(ErrorCode.CANNOT_CREATE_EXISTING_INDEX);
      }
      int number = stores.number(resource.getPath());
      if (number == 0) {
        throw HyracksDataException.create(ErrorCode.INDEX_DOES_NOT_EXIST);
      }
      replace(resource.getPath(), new Listed(resource, State.LIVE, number));
    } catch (StorageException failure) {
      throw StorageFailures.toHyracks(failure);
    } finally {
      lock.unlock();
    }
  }

  /** Gives an index up, durably. Its store is dropped next, and then it leaves the list. */
  @Override
  public void delete(String resourcePath) throws HyracksDataException {
    lock.lock();
    try {
      Listed entry = listed.get(resourcePath);
      if (entry == null || entry.state != State.LIVE) {
        throw HyracksDataException.create(ErrorCode.RESOURCE_DOES_NOT_EXIST, resourcePath);
      }
      replace(resourcePath, new Listed(entry.resource, State.DROPPED, entry.number));
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

  /** Changes one entry, durably; when that fails, the list is as it was. */
  @GuardedBy("lock")
  private void replace(String path, @Nullable Listed entry) throws HyracksDataException {
    Listed before = entry == null ? listed.remove(path) : listed.put(path, entry);
    boolean written = false;
    try {
      file.write(document());
      written = true;
    } catch (StorageException failure) {
      throw StorageFailures.toHyracks(failure);
    } finally {
      if (!written) {
        if (before == null) {
          listed.remove(path);
        } else {
          listed.put(path, before);
        }
      }
    }
  }

  @GuardedBy("lock")
  private ObjectNode document() {
    ObjectNode document = NodeFile.newDocument(KIND, FORMAT);
    document.put("store", HexFormat.of().toHexDigits(stores.storeId())).put("nextId", nextId);
    ArrayNode list = document.putArray("resources");
    for (Listed each : listed.values()) {
      StoreResource store = each.store();
      TupleDescription tuples = store.tuples();
      ObjectNode entry = list.addObject();
      entry.put("path", store.getPath());
      entry.put("id", each.resource.getId());
      entry.put("version", each.resource.getVersion());
      entry.put("shape", tuples.shape().name());
      entry.put("fields", tuples.fieldCount());
      ArrayNode key = entry.putArray("key");
      tuples.keyFields().forEach(field -> key.add(field.name()));
      entry.put("state", each.state.name());
      entry.put("number", each.number);
    }
    ArrayNode unlisted = document.putArray("orphans");
    orphans.forEach(unlisted::add);
    return document;
  }

  /** Returns the document's format. */
  @GuardedBy("lock")
  private int parse(JsonNode document) throws CorruptionException {
    int format = document.path("format").asInt();
    String store = HexFormat.of().toHexDigits(stores.storeId());
    if (format > 1 && !document.path("store").asText().equals(store)) {
      throw file.corrupt(
          "lists the indexes of store "
              + document.path("store").asText()
              + ", but this node's is "
              + store
              + "; nothing was changed, put the node's own file back");
    }
    nextId = document.path("nextId").asLong();
    for (JsonNode entry : document.path("resources")) {
      List<KeyField> key = new ArrayList<>();
      entry.path("key").forEach(field -> key.add(KeyField.valueOf(field.asText())));
      StoreResource resource =
          new StoreResource(
              entry.path("path").asText(),
              new TupleDescription(
                  format < 3 ? IndexShape.BTREE : IndexShape.valueOf(entry.path("shape").asText()),
                  entry.path("fields").asInt(),
                  key));
      int version = entry.path("version").asInt();
      State state = format == 1 ? State.LIVE : State.valueOf(entry.path("state").asText());
      listed.put(
          resource.getPath(),
          new Listed(
              new LocalResource(entry.path("id").asLong(), version, true, resource),
              state,
              entry.path("number").asInt()));
    }
    document.path("orphans").forEach(path -> orphans.add(path.asText()));
    return format;
  }
}

package dev.varve.dataset.internal.value;

import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The large values that the end of a log refers to, looked for after a crash: where neither value
 * nor record was forced, the record may have come to the disk alone. Used once, by one thread.
 */
public final class LoggedValues {
  private final Map<Integer, Store> stores = new HashMap<>();
  private final Map<Path, List<ValueReference>> found = new HashMap<>();

  private record Store(LargeValues.Place place, int stampBytes) {}

  /**
   * Adds a store, which is not open.
   *
   * @param stampBytes bytes behind each value in the log
   */
  public void add(LargeValues.Place place, int stampBytes) throws StorageException {
    FileSystem files = place.files();
    if (files.exists(place.directory())) {
      for (Path path : files.list(place.directory())) {
        if (ValueFile.numberOf(path) > 0) {
          stores.put(place.indexId(), new Store(place, stampBytes));
        }
      }
    }
  }

  /** Whether nothing can be referred to. */
  public boolean isEmpty() {
    return stores.isEmpty();
  }

  /**
   * Whether a value is there, if it is one that is referred to. A file that is gone was deleted,
   * after what replaced its values was forced.
   *
   * @param index number of the index in the log
   * @param logged what was logged as the value
   */
  public boolean isThere(int index, Slice logged) throws StorageException {
    Store store = stores.get(index);
    if (store == null || logged.length() < store.stampBytes) {
      return true;
    }
    Slice stored = new Slice(logged.bytes(), logged.offset(), logged.length() - store.stampBytes);
    if (!ValueReference.is(stored)) {
      return true;
    }
    ValueReference reference = ValueReference.read(stored);
    LargeValues.Place place = store.place;
    Path path = ValueFile.path(place.directory(), reference.file());
    if (!place.files().exists(path)) {
      return true;
    }
    try (StorageFile file = place.files().open(path, OpenMode.READ_ONLY)) {
      if (!reference.isIn(file)) {
        return false;
      }
    }
    found.computeIfAbsent(path, each -> new ArrayList<>()).add(reference);
    return true;
  }

  /**
   * Makes durable what was found: written anew, since what was read may never have reached the
   * disk.
   */
  public void force(FileSystem files) throws StorageException {
    for (Map.Entry<Path, List<ValueReference>> each : found.entrySet()) {
      try (StorageFile file = files.open(each.getKey(), OpenMode.READ_WRITE)) {
        for (ValueReference reference : each.getValue()) {
          byte[] value = new byte[reference.length()];
          int length = file.read(reference.offset(), value, 0, value.length);
          file.write(reference.offset(), value, 0, length);
        }
        file.force();
      }
    }
  }
}

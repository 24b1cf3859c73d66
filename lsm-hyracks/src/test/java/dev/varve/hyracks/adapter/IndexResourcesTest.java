package dev.varve.hyracks.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.testkit.MemoryFileSystem;
import java.nio.file.Path;
import java.util.List;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.common.LocalResource;
import org.junit.jupiter.api.Test;

/** Goal: the list of a node's indexes survives a restart, and no id is given twice. */
final class IndexResourcesTest {
  private static final Path PATH = Path.of("/node/resources.json");

  private final MemoryFileSystem files = new MemoryFileSystem();

  @Test
  void isReadBackAsItWasWritten() throws Exception {
    files.createDirectories(PATH.getParent());
    IndexResources resources = IndexResources.open(files, PATH);
    for (String path : List.of("a/one", "a/two", "b/\"three\"")) {
      StoreResource store = new StoreResource(path, 3, List.of(KeyField.INTEGER, KeyField.STRING));
      resources.insert(new LocalResource(resources.createId(), 7, true, store));
    }
    resources.delete("a/two");
    IndexResources again = IndexResources.open(files, PATH);
    assertEquals(
        List.of("a/one", "b/\"three\""), again.all().stream().map(LocalResource::getPath).toList());
    assertNull(again.get("a/two"));
    LocalResource one = again.get("a/one");
    assertEquals(1, one.getId());
    assertEquals(7, one.getVersion());
    StoreResource store = (StoreResource) one.getResource();
    assertEquals(3, store.fieldCount());
    assertEquals(List.of(KeyField.INTEGER, KeyField.STRING), store.keyFields());
    assertEquals(4, again.createId());
  }

  @Test
  void refusesASecondOneAtAPathAndToDeleteWhatIsNotThere() throws Exception {
    files.createDirectories(PATH.getParent());
    IndexResources resources = IndexResources.open(files, PATH);
    LocalResource resource =
        new LocalResource(1, 7, true, new StoreResource("x", 1, List.of(KeyField.LONG)));
    resources.insert(resource);
    HyracksDataException twice =
        assertThrows(HyracksDataException.class, () -> resources.insert(resource));
    assertTrue(twice.matches(ErrorCode.CANNOT_CREATE_EXISTING_INDEX));
    HyracksDataException absent =
        assertThrows(HyracksDataException.class, () -> resources.delete("y"));
    assertTrue(absent.matches(ErrorCode.RESOURCE_DOES_NOT_EXIST));
  }
}

package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.DirectoryLock;
import dev.varve.common.env.ForwardingFileSystem;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.Signal;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.env.Worker;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.EngineRequest;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.dataset.options.EngineOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: others read and change the store of an engine that runs, through it, and nothing of theirs
 * is left. Method: real files and threads, in one process: locks are between engines, too.
 */
final class RunningEngineTest {
  private static final EngineSeams SEAMS = EngineSeams.ofSystem(new LocalFileSystem());

  @TempDir private Path directory = Path.of("");

  private StorageEngine open() throws StorageException {
    StorageEngine engine = StorageEngine.open(directory);
    if (engine.names().isEmpty()) {
      Dataset people = engine.createDataset(TestStore.people());
      for (int id = 0; id < 50; id++) {
        people.upsert(TestStore.person(id, "Ada", "London", id));
      }
    }
    return engine;
  }

  private void ask(EngineRequest request) throws StorageException {
    RunningEngine.ask(SEAMS, directory, request).close();
  }

  /** What others have left of their requests. */
  private List<Path> left() throws Exception {
    try (Stream<Path> all = Files.list(directory.resolve(RequestFiles.NAME))) {
      return all.filter(Files::isDirectory).toList();
    }
  }

  private static StorageEngine openLook(RunningEngine running) throws StorageException {
    return StorageEngine.openReadOnly(EngineOptions.of(running.look()), SEAMS);
  }

  /** A process of which no thread serves requests, as when it is stopped. */
  private static EngineSeams stopped() {
    TaskExecutor threads = new ThreadTaskExecutor();
    TaskExecutor none =
        new TaskExecutor() {
          @Override
          public Handle start(Worker worker) {
            return worker.name().equals("varve-requests")
                ? new Handle() {
                  @Override
                  public void wake() {}

                  @Override
                  public void close() {}
                }
                : threads.start(worker);
          }

          @Override
          public Signal newSignal() {
            return threads.newSignal();
          }
        };
    return new EngineSeams(
        new LocalFileSystem(), new SystemClock(), none, RandomGenerator.getDefault());
  }

  @Test
  void ofAProcessThatDoesNotAnswerWhatItHasForcedIsReadAndNothingIsLeft() throws Exception {
    try (StorageEngine filled = open()) {
      assertEquals(List.of("people"), filled.names());
    }
    try (StorageEngine engine = StorageEngine.open(EngineOptions.of(directory), stopped())) {
      engine.answerRequests();
      engine.dataset("people").delete(Key.of(7));
      try (RunningEngine running = RunningEngine.look(SEAMS, directory, Duration.ofMillis(100))) {
        assertFalse(running.answered());
        EngineOptions own = EngineOptions.of(running.secondary());
        try (StorageEngine secondary = StorageEngine.openSecondary(own, directory, SEAMS)) {
          assertEquals(49, secondary.dataset("people").count(ValueRange.all()));
          assertTrue(secondary.verify().clean());
        }
      }
      assertEquals(List.of(), left());
      engine.dataset("people").delete(Key.of(8));
    }
    try (StorageEngine again = open()) {
      assertEquals(48, again.dataset("people").count(ValueRange.all()));
    }
  }

  @Test
  void aLookHasWhatWasCommittedAndStaysAsItIs() throws Exception {
    try (StorageEngine engine = open()) {
      Dataset people = engine.dataset("people");
      try (RunningEngine running = RunningEngine.ask(SEAMS, directory, EngineRequest.look());
          StorageEngine look = openLook(running)) {
        assertEquals(WriteOutcome.PRESENT, people.delete(Key.of(7)));
        people.compact();
        Dataset seen = look.dataset("people");
        assertEquals(50, TestStore.records(seen.scan(ValueRange.all())).size());
        assertTrue(seen.get(Key.of(7)).isPresent());
        assertTrue(look.verify().clean());
      }
      assertEquals(List.of(), left());
      assertFalse(people.get(Key.of(7)).isPresent());
    }
  }

  @Test
  void looksBesideAWriterHaveAllThatWasAcknowledgedBefore() throws Exception {
    try (StorageEngine engine = open()) {
      Dataset people = engine.dataset("people");
      AtomicBoolean ended = new AtomicBoolean();
      List<Integer> acknowledged = new ArrayList<>();
      CompletableFuture<Integer> writer =
          CompletableFuture.supplyAsync(
              () -> {
                int id = 100;
                for (; !ended.get(); id++) {
                  try {
                    people.upsert(TestStore.person(id, "Bob", "Paris", id));
                  } catch (StorageException failure) {
                    throw new IllegalStateException(failure);
                  }
                  synchronized (acknowledged) {
                    acknowledged.add(id);
                  }
                }
                return id;
              });
      for (int round = 0; round < 3; round++) {
        int before;
        synchronized (acknowledged) {
          before = acknowledged.size();
        }
        try (RunningEngine running = RunningEngine.ask(SEAMS, directory, EngineRequest.look());
            StorageEngine look = openLook(running)) {
          Dataset seen = look.dataset("people");
          int records = TestStore.records(seen.scan(ValueRange.all())).size();
          int byName =
              TestStore.records(seen.search("name", ValueRange.exactly(Key.of("Bob")))).size();
          assertTrue(records >= 50 + before, records + " of " + before);
          assertEquals(records - 50, byName);
        }
      }
      ended.set(true);
      assertTrue(writer.join() >= 100);
    }
  }

  @Test
  void indexesAreAddedAndDroppedAndStoresCompacted() throws Exception {
    try (StorageEngine engine = open()) {
      Dataset people = engine.dataset("people");
      people.flush();
      people.upsert(TestStore.person(50, "Eva", "Rome", 50));
      people.flush();
      ask(EngineRequest.addIndex("people", "id"));
      assertEquals(
          1, TestStore.records(people.search("id", ValueRange.exactly(Key.of(50)))).size());
      ask(EngineRequest.compact());
      assertEquals(1, people.stats().partitions().get(0).indexes().get(0).components().size());
      ask(EngineRequest.dropIndex("people", "id"));
      assertThrows(
          RequestException.class, () -> people.search("id", ValueRange.exactly(Key.of(50))));
      assertTrue(engine.verify().clean());
    }
  }

  @Test
  void whatTheEngineRefusesIsSaidInItsWords() throws Exception {
    try (StorageEngine engine = open()) {
      assertEquals(List.of("people"), List.copyOf(engine.names()));
      RequestException unknown =
          assertThrows(
              RequestException.class, () -> ask(EngineRequest.dropIndex("persons", "name")));
      assertEquals(RequestException.Reason.UNKNOWN_DATASET, unknown.reason());
      assertTrue(String.valueOf(unknown.getMessage()).contains("persons"));
      ConflictException there =
          assertThrows(
              ConflictException.class, () -> ask(EngineRequest.addIndex("people", "name")));
      assertEquals(ConflictException.Reason.NAME_EXISTS, there.reason());
      RequestException malformed =
          assertThrows(
              RequestException.class, () -> ask(EngineRequest.addIndex("people", "a b:c:d")));
      assertEquals(RequestException.Reason.UNSUPPORTED, malformed.reason());
      assertEquals(List.of(), left());
    }
  }

  @Test
  void anEngineThatAnswersNothingIsInUse() throws Exception {
    try (StorageEngine engine =
        StorageEngine.open(EngineOptions.of(directory), SEAMS.withLimits(ProcessLimits.NONE))) {
      assertTrue(engine.names().isEmpty());
      ConflictException inUse =
          assertThrows(ConflictException.class, () -> ask(EngineRequest.look()));
      assertEquals(ConflictException.Reason.DIRECTORY_IN_USE, inUse.reason());
    }
  }

  @Test
  void anEngineThatIsClosedBeforeItAnswersLeavesNobodyWaiting() throws Exception {
    Path desk = directory.resolve(RequestFiles.NAME);
    SEAMS.files().createDirectories(desk);
    DirectoryLock engine = SEAMS.files().lock(desk);
    CompletableFuture<ConflictException> waiting =
        CompletableFuture.supplyAsync(
            () -> assertThrows(ConflictException.class, () -> ask(EngineRequest.compact())));
    while (left().isEmpty()) {
      Thread.onSpinWait();
    }
    engine.close();
    assertEquals(ConflictException.Reason.LEFT_OPEN, waiting.join().reason());
    assertEquals(List.of(), left());
  }

  @Test
  void requestsOfProcessesThatWereKilledAreNotDoneAndDeleted() throws Exception {
    Path killed = directory.resolve(RequestFiles.NAME).resolve("killed");
    SEAMS.files().createDirectories(killed);
    new RequestFiles(SEAMS.files(), killed).ask(EngineRequest.dropIndex("people", "name"));
    try (StorageEngine engine = open()) {
      ask(EngineRequest.compact());
      Dataset people = engine.dataset("people");
      assertEquals(
          50, TestStore.records(people.search("name", ValueRange.exactly(Key.of("Ada")))).size());
    }
    assertEquals(List.of(), left());
  }

  @Test
  void aRequestIsWrittenAsItsPageSays() throws Exception {
    new RequestFiles(SEAMS.files(), directory).ask(EngineRequest.look());
    assertEquals(
        "{\"verb\":\"LOOK\",\"store\":\"\",\"argument\":\"\",\"crc32c\":\"8246a6ab\"}\n",
        Files.readString(directory.resolve("request")));
  }

  @Test
  void anEngineIsClosedWhileOthersAsk() throws Exception {
    StorageEngine engine = open();
    RunningEngine running = RunningEngine.ask(SEAMS, directory, EngineRequest.look());
    engine.close();
    try (StorageEngine look = openLook(running)) {
      assertEquals(50, TestStore.records(look.dataset("people").scan(ValueRange.all())).size());
    }
    running.close();
    try (StorageEngine again = open()) {
      assertEquals(1, again.names().size());
    }
    assertEquals(List.of(), left());
  }

  /** Where the engine looks whether a request was left just before its directory is deleted. */
  private record LookedAt(FileSystem files, AtomicBoolean looked) implements ForwardingFileSystem {
    @Override
    public void delete(Path path) throws DiskException {
      if (files.isDirectory(path) && looked.compareAndSet(false, true)) {
        files.open(path.resolve("LOCK"), FileSystem.OpenMode.CREATE_NEW).close();
      }
      ForwardingFileSystem.super.delete(path);
    }
  }

  @Test
  void aRequestThatTheEngineLooksAtMeanwhileIsDeletedAllTheSame() throws Exception {
    try (StorageEngine engine = open()) {
      LookedAt files = new LookedAt(SEAMS.files(), new AtomicBoolean());
      RunningEngine.ask(SEAMS.withFiles(files), directory, EngineRequest.compact()).close();
      assertTrue(files.looked().get());
      assertEquals(List.of(), left());
      assertEquals(1, engine.names().size());
    }
  }

  private static List<byte[]> batch(String... strings) {
    return Stream.of(strings).map(TestStore::bytes).toList();
  }

  @Test
  void batchesAreTakenAndWhatIsRefusedIsNamed() throws Exception {
    try (StorageEngine engine = open()) {
      RunningEngine.Taken taken =
          RunningEngine.put(
              SEAMS,
              directory,
              "people",
              batch("{\"id\":1,\"name\":\"Bob\"}", "{\"name\":\"none\"}", "{\"id\":99}", "no"));
      assertEquals(1, taken.replaced());
      assertEquals(List.of(1, 3), List.copyOf(taken.refused().keySet()));
      assertTrue(taken.refused().get(1).message().contains("id"), taken::toString);
      assertEquals(
          RequestException.Reason.MALFORMED_RECORD.name(), taken.refused().get(3).reason());
      Dataset people = engine.dataset("people");
      assertEquals(51, TestStore.records(people.scan(ValueRange.all())).size());
      ask(EngineRequest.createKeyValueStore("pairs"));
      ask(EngineRequest.createKeyValueStore("pairs"));
      taken =
          RunningEngine.put(
              SEAMS, directory, "pairs", batch("a", "1", "x".repeat(1 << 20), "2", "c", "3"));
      assertEquals(List.of(1), List.copyOf(taken.refused().keySet()), taken::toString);
      ask(EngineRequest.createDataset("new", List.of("a", "b"), List.of("keyword:c"), 2));
      assertEquals(2, engine.dataset("new").options().partitions());
      assertEquals(List.of("new", "pairs", "people"), engine.names());
      assertEquals(List.of(), left());
    }
  }

  @Test
  void aBatchThatIsDamagedIsRefusedWhole() throws Exception {
    RequestFiles request = new RequestFiles(SEAMS.files(), directory);
    request.batch().write(batch("one", "", "three"));
    assertEquals(3, request.batch().read().size());
    Path file = request.batch().path();
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1] ^= 1;
    Files.write(file, bytes);
    assertThrows(CorruptionException.class, () -> request.batch().read());
  }
}

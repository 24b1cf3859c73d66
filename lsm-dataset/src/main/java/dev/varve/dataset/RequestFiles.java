package dev.varve.dataset;

import dev.varve.common.env.FileSystem;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.EngineRequest;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The files of one request to an engine that runs: a directory of its own, which the process that
 * asks makes, locks as long as it is there, and deletes; see docs/format/requests.md. Immutable.
 *
 * @param files where they are
 * @param directory of the request
 */
record RequestFiles(FileSystem files, Path directory) {
  /** Name of the directory of all requests, in that of an engine. */
  static final String NAME = "requests";

  private static final String VERB = "verb";
  private static final String STORE = "store";
  private static final String ARGUMENT = "argument";
  private static final String CONFLICT = "conflict";
  private static final String REFUSAL = "refusal";
  private static final String FAILURE = "failure";
  private static final String MESSAGE = "message";
  private static final String REPLACED = "replaced";

  /** Where a checkpoint is made for the one who asks. */
  Path look() {
    return directory.resolve("look");
  }

  private ShownFile requestFile() {
    return new ShownFile(files, directory.resolve("request"));
  }

  private ShownFile answerFile() {
    return new ShownFile(files, directory.resolve("answer"));
  }

  /** What is handed over with the request. */
  RecordBatch batch() {
    return new RecordBatch(files, directory.resolve("batch"));
  }

  private ShownFile takenFile() {
    return new ShownFile(files, directory.resolve("taken"));
  }

  /** Says what became of a batch, before it is done. */
  void taken(RunningEngine.Taken taken) throws StorageException {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put(REPLACED, Long.toString(taken.replaced()));
    taken.refused().forEach((number, why) -> fields.put(number.toString(), why.toString()));
    takenFile().write(TextFields.json(fields));
  }

  /** What became of the batch. */
  RunningEngine.Taken taken() throws StorageException {
    Map<String, String> fields = fields(takenFile().read().orElse("{}"));
    SortedMap<Integer, RunningEngine.Refusal> refused = new TreeMap<>();
    try {
      long replaced = Long.parseLong(fields.getOrDefault(REPLACED, ""));
      fields.remove(REPLACED);
      fields.forEach(
          (number, why) -> refused.put(Integer.valueOf(number), RunningEngine.Refusal.parse(why)));
      return new RunningEngine.Taken(replaced, refused);
    } catch (IllegalArgumentException malformed) {
      throw corrupt("no answer to a batch: " + malformed.getMessage());
    }
  }

  boolean answered() throws StorageException {
    return files.exists(answerFile().path());
  }

  /** Takes the request back. */
  void withdraw() throws StorageException {
    requestFile().delete();
  }

  void ask(EngineRequest request) throws StorageException {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put(VERB, request.verb().name());
    fields.put(STORE, request.store());
    fields.put(ARGUMENT, request.argument());
    requestFile().write(TextFields.json(fields));
  }

  /** What is asked; empty while the request is not whole yet. */
  Optional<EngineRequest> asked() throws StorageException {
    Optional<String> text = requestFile().read();
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Map<String, String> fields = fields(text.get());
    try {
      return Optional.of(
          new EngineRequest(
              EngineRequest.Verb.valueOf(fields.getOrDefault(VERB, "")),
              fields.getOrDefault(STORE, ""),
              fields.getOrDefault(ARGUMENT, "")));
    } catch (IllegalArgumentException unknown) {
      throw corrupt("verb '" + fields.get(VERB) + "'");
    }
  }

  /** Says that it is done. */
  void done() throws StorageException {
    answerFile().write(TextFields.json(Map.of()));
  }

  /** Says why it is not done. */
  void failed(Exception cause) throws StorageException {
    Map<String, String> fields = new LinkedHashMap<>();
    if (cause instanceof ConflictException conflict) {
      fields.put(CONFLICT, conflict.reason().name());
    } else if (cause instanceof RequestException refused) {
      fields.put(REFUSAL, refused.reason().name());
    } else {
      fields.put(FAILURE, cause.getClass().getSimpleName());
    }
    fields.put(MESSAGE, String.valueOf(cause.getMessage()));
    answerFile().write(TextFields.json(fields));
  }

  /**
   * Reads the answer, which is there.
   *
   * @throws ConflictException when something was in the way of the engine
   * @throws RequestException when the engine refused
   */
  void requireDone() throws StorageException {
    Map<String, String> fields = fields(answerFile().read().orElse("{}"));
    String message = fields.getOrDefault(MESSAGE, "");
    try {
      if (fields.containsKey(CONFLICT)) {
        throw new ConflictException(
            ConflictException.Reason.valueOf(fields.get(CONFLICT)), message);
      }
      if (fields.containsKey(REFUSAL)) {
        throw new RequestException(RequestException.Reason.valueOf(fields.get(REFUSAL)), message);
      }
    } catch (IllegalArgumentException unknown) {
      throw new RequestException(RequestException.Reason.UNSUPPORTED, message);
    }
    if (fields.containsKey(FAILURE)) {
      throw new RequestException(
          RequestException.Reason.UNSUPPORTED,
          "the engine that runs on it failed: " + fields.get(FAILURE) + ": " + message);
    }
  }

  /** The fields of an object of texts. */
  private Map<String, String> fields(String text) throws CorruptionException {
    return TextFields.read(text, directory);
  }

  private CorruptionException corrupt(String what) {
    return new CorruptionException(directory.toString(), -1, what);
  }
}

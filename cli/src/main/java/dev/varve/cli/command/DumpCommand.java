package dev.varve.cli.command;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.report.command.CommandContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code varve dump}: everything that has one name. */
@Command(
    name = "dump",
    description =
        "Print every record of a dataset, a JSON object a line, or every pair of a key-value store,"
            + " key and value with a tab between; of each node in the order of keys. Of a cluster or"
            + " one engine at rest. Changes nothing on disk.",
    footer = {
      "",
      "Keys and values that are no plain text are in hexadecimal behind 0x.",
      "",
      "Examples:",
      "  varve dump --dir /tmp/people > people.ndjson",
      "  varve dump --dir /tmp/ycsb --json"
    })
public final class DumpCommand implements Callable<Integer> {
  private final CommandContext context;
  private final StoreAccess access;

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private StoreOption store = new StoreOption();
  @Mixin private FilterOption filter = new FilterOption();

  /** A command that prints to a context's console, and reads stores that others may share. */
  public DumpCommand(CommandContext context, StoreAccess access) {
    this.context = context;
    this.access = access;
  }

  @Override
  public Integer call() throws StorageException {
    try (RestingEngines resting = access.read(context.files(), common.directory)) {
      StoreReader reader = new StoreReader(resting.stores(store.name));
      if (common.json) {
        printJson(reader);
      } else {
        long dumped = read(reader, record -> context.console().printLine(record.line()));
        context.console().err().println(dumped + " dumped");
      }
    }
    return 0;
  }

  private long read(StoreReader reader, Consumer<StoredEntry> taker) throws StorageException {
    StoreReader.Question all = StoreReader.Question.ofKeys(KeyRange.all());
    return reader.read(all.of(filter.filter()), Long.MAX_VALUE, taker);
  }

  /** One document, written while it is read: a store may be longer than the heap. */
  private void printJson(StoreReader reader) throws StorageException {
    try {
      JsonGenerator json = new JsonFactory().createGenerator(context.console().out());
      json.writeStartObject();
      json.writeStringField("command", "dump");
      json.writeStringField("dataset", reader.name());
      json.writeArrayFieldStart("records");
      long dumped = read(reader, record -> write(json, record));
      json.writeEndArray();
      json.writeNumberField("count", dumped);
      json.writeEndObject();
      json.flush();
      context.console().printLine("");
    } catch (IOException failure) {
      throw new UncheckedIOException("print the store", failure);
    }
  }

  private static void write(JsonGenerator json, StoredEntry record) {
    try {
      json.writeRawValue(record.json());
    } catch (IOException failure) {
      throw new UncheckedIOException("print a record", failure);
    }
  }
}

package dev.varve.cli.command;

import dev.varve.btree.KeyRange;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.hyracks.feed.InputSource;
import dev.varve.report.Figures;
import dev.varve.report.command.CommandContext;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code varve export}: a dataset or key-value store into a file. */
@Command(
    name = "export",
    sortOptions = false,
    description =
        "Write every record of a dataset, or every pair of a key-value store, of one engine or of a"
            + " cluster at rest; of each node in the order of keys. Changes nothing in the store.",
    footer = {
      "",
      "Formats: ndjson (an object a line), json (one array), csv (top-level fields under a header,",
      "objects and arrays as JSON in quotes; goes over the store twice). A FILE that ends with .gz",
      "or .zst is compressed. FILE must not be there, and is there as a whole or not at all. A pair is an",
      "object with the texts 'key' and 'value', in hexadecimal behind 0x where they are no plain",
      "text: 'varve import' takes all of it back.",
      "",
      "Examples:",
      "  varve export --dir /tmp/people --dataset people people.ndjson.gz",
      "  varve export --dir /tmp/people --dataset people --format csv > people.csv",
      "  varve export --dir /tmp/ycsb pairs.ndjson --json"
    })
public final class ExportCommand implements Callable<Integer> {
  private final CommandContext context;
  private final StoreAccess access;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private StoreOption store = new StoreOption();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "ndjson",
      description = "ndjson, json or csv (default: ndjson).")
  private ExportFormat format = ExportFormat.NDJSON;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description = "Where to; standard output without it.")
  private @Nullable Path file;

  /**
   * What an export did, as JSON.
   *
   * @param command {@code export}
   * @param dataset what was read
   * @param format how it was written
   * @param file where to
   * @param count how many records
   * @param seconds time on the clock
   */
  private record Summary(
      String command, String dataset, String format, String file, long count, double seconds) {}

  /** A command that prints to a context's console, and reads stores that others may share. */
  public ExportCommand(CommandContext context, StoreAccess access) {
    this.context = context;
    this.access = access;
  }

  @Override
  public Integer call() throws StorageException {
    Path target = file;
    if (target == null && common.json) {
      throw new ParameterException(
          spec.commandLine(), "--json needs a FILE: standard output has the summary then");
    }
    long began = context.clock().nanoTime();
    try (RestingEngines resting = access.read(context.files(), common.directory)) {
      StoreReader reader = new StoreReader(resting.stores(store.name));
      ExportFormat.Records records =
          taker -> reader.read(StoreReader.Question.ofKeys(KeyRange.all()), Long.MAX_VALUE, taker);
      long count =
          target == null
              ? format.write(records, context.console().out())
              : writeFile(records, target);
      double seconds = (context.clock().nanoTime() - began) / 1e9;
      if (common.json) {
        context
            .console()
            .printJson(
                new Summary(
                    "export",
                    reader.name(),
                    format.name(),
                    String.valueOf(target),
                    count,
                    seconds));
      } else {
        context
            .console()
            .err()
            .println(Figures.count(count) + " exported, " + Figures.seconds(seconds));
      }
    }
    return 0;
  }

  /** Under another name until it is whole. */
  private long writeFile(ExportFormat.Records records, Path target) throws StorageException {
    FileSystem files = context.files();
    if (files.exists(target)) {
      throw new DiskException(
          target.toString(), "create", new FileAlreadyExistsException(target.toString()));
    }
    Path unfinished = target.resolveSibling(target.getFileName() + ".unfinished");
    if (files.exists(unfinished)) {
      files.delete(unfinished); // of an export that was killed
    }
    long count = 0;
    boolean whole = false;
    try (FileOutput output = FileOutput.create(files, unfinished)) {
      count = write(records, output);
      output.finish();
      whole = true;
    } finally {
      if (!whole && files.exists(unfinished)) {
        files.delete(unfinished);
      }
    }
    files.rename(unfinished, target);
    Path parent = target.toAbsolutePath().getParent();
    if (parent != null) {
      files.forceDirectory(parent);
    }
    return count;
  }

  private long write(ExportFormat.Records records, FileOutput output) throws StorageException {
    String name = String.valueOf(file);
    try {
      OutputStream bytes = InputSource.packed(output, name);
      PrintWriter out =
          new PrintWriter(new OutputStreamWriter(bytes, StandardCharsets.UTF_8), false);
      long count = format.write(records, out);
      out.flush();
      bytes.close();
      return count;
    } catch (UncheckedIOException failure) {
      throw new DiskException(name, "write", failure.getCause());
    } catch (IOException failure) {
      throw new DiskException(name, "write", failure);
    }
  }
}

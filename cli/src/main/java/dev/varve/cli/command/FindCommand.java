package dev.varve.cli.command;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Store;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.hyracks.operator.Aggregate;
import dev.varve.hyracks.operator.SearchTerms;
import dev.varve.report.Console;
import dev.varve.report.command.CommandContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code varve find}: a range of keys, or what is at a place or in a text. */
@Command(
    name = "find",
    sortOptions = false,
    description =
        "Find records of a cluster or one engine at rest by primary key, or through a secondary"
            + " index: by the range of a field, by place, or by text. Starts no cluster, and changes"
            + " nothing on disk.",
    footer = {
      "",
      "A bound of a range is a number, true, false, or text (in double quotes where it looks like",
      "one of those); of a key-value store it is text, or hexadecimal behind 0x. Both bounds are",
      "included; either may be left out.",
      "",
      "Examples:",
      "  varve find --dir /tmp/people --by address.city --range London:London",
      "  varve find --dir /tmp/ycsb --range user1:user2 --count",
      "  varve find --dir /tmp/log --range : --filter-range 1700000000000: --count",
      "  varve find --dir /tmp/mix --nearest -73.9,40.7,10"
    })
public final class FindCommand implements Callable<Integer> {
  private final CommandContext context;
  private final StoreAccess access;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private StoreOption store = new StoreOption();
  @Mixin private FilterOption filter = new FilterOption();

  @Mixin private SearchOptions options = new SearchOptions();

  /** A command that prints to a context's console, and reads stores that others may share. */
  public FindCommand(CommandContext context, StoreAccess access) {
    this.context = context;
    this.access = access;
  }

  @Override
  public Integer call() throws StorageException {
    options.check();
    ReadResult result;
    Aggregate aggregate = options.answer.aggregate();
    Console console = context.console();
    try (RestingEngines resting = access.read(context.files(), common.directory)) {
      StoreReader reader = new StoreReader(resting.stores(store.name));
      if (aggregate != null) {
        ValuesResult values = values(reader, aggregate);
        if (common.json) {
          console.printJson(values);
        } else {
          values.print(console);
        }
        return 0;
      }
      result = find(reader);
    }
    if (common.json) {
      console.printJson(result);
    } else if (options.answer.count) {
      result.printCount(console);
    } else {
      result.print(console);
    }
    return 0;
  }

  private ValuesResult values(StoreReader reader, Aggregate aggregate) throws StorageException {
    Aggregate.Gathering gathering = aggregate.gather(reader.dataset().options());
    StoreReader.Question question = question(reader).of(filter.filter());
    long began = context.clock().nanoTime();
    for (Store each : reader.stores()) {
      try (RecordCursor cursor = StoreReader.open(each, question)) {
        while (cursor.next()) {
          gathering.add(cursor.value());
        }
      }
    }
    Map<Key, Long> found = new TreeMap<>(gathering.take());
    List<ValuesResult.Found> values = new ArrayList<>();
    found.forEach(
        (value, records) ->
            values.add(
                ValuesResult.Found.of(
                    Optional.of(value).filter(key -> key.toSlice().length() > 0), records)));
    String index = question.index();
    return ValuesResult.of(
            "find", index == null ? IndexNames.PRIMARY : index, aggregate.kind(), values)
        .in((context.clock().nanoTime() - began) / 1e9);
  }

  private ReadResult find(StoreReader reader) throws StorageException {
    StoreReader.Question question = question(reader).of(filter.filter());
    List<StoredEntry> records = new ArrayList<>();
    long began = context.clock().nanoTime();
    long found =
        reader.read(
            question,
            options.most(),
            record -> {
              if (!options.answer.count) {
                records.add(record);
              }
            });
    return new ReadResult(
        "find",
        reader.name(),
        question.index() == null ? IndexNames.PRIMARY : question.index(),
        found,
        (context.clock().nanoTime() - began) / 1e9,
        records);
  }

  private StoreReader.Question question(StoreReader reader) throws StorageException {
    if (options.selection.id() != null) {
      throw options.wrong("one key is read by 'varve get'");
    }
    RangeArgument range = options.selection.argument();
    if (range != null && options.field == null) {
      return StoreReader.Question.ofKeys(reader.holdsPairs() ? raw(range) : range.toKeyRange());
    }
    if (range != null) {
      KeyRange values = range.toKeyRange();
      return StoreReader.Question.ofIndex(
          index(reader, IndexChoice.of(values)), new KeySearch(values));
    }
    SearchTerms terms = Objects.requireNonNull(options.selection.terms());
    return StoreReader.Question.ofIndex(index(reader, IndexChoice.of(terms)), terms.toSearch());
  }

  private String index(StoreReader reader, IndexChoice choice) throws StorageException {
    return options.index(reader.dataset().options(), choice);
  }

  private KeyRange raw(RangeArgument range) {
    try {
      return range.toRawRange();
    } catch (TypeConversionException noKey) {
      throw new ParameterException(spec.commandLine(), noKey.getMessage(), noKey);
    }
  }
}

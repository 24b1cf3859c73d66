package dev.varve.dataset.internal.catalog;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Crc32c;
import dev.varve.common.bytes.Varint;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.merge.MergePolicy;
import dev.varve.dataset.kind.BTreeKind;
import dev.varve.dataset.kind.IndexKind;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.dataset.options.TimeToLive;
import dev.varve.invertedindex.token.Tokenizer;
import dev.varve.scheduler.policy.ConstantPolicy;
import dev.varve.scheduler.policy.NoMergePolicy;
import dev.varve.scheduler.policy.PrefixPolicy;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A catalog as bytes and back; see docs/format/catalog.md. No state. */
final class CatalogCodec {
  /** Kinds by their code in the file. */
  private static final List<DatasetDescriptor.Kind> KINDS =
      List.of(
          DatasetDescriptor.Kind.RECORDS,
          DatasetDescriptor.Kind.KEY_VALUE,
          DatasetDescriptor.Kind.KEY_VALUE_ADD_LONG,
          DatasetDescriptor.Kind.KEY_VALUE_MAX,
          DatasetDescriptor.Kind.KEY_VALUE_MIN);

  /** Maintenance of secondary indexes by its code in the file. */
  private static final List<IndexMaintenance> MAINTENANCES =
      List.of(
          IndexMaintenance.EAGER,
          IndexMaintenance.LAZY,
          IndexMaintenance.VALIDATION,
          IndexMaintenance.MUTABLE_BITMAP);

  /** Merge policies by their code in the file; the first three have numbers, the last a text. */
  private static final int NO_MERGE = 0;

  private static final int CONSTANT = 1;
  private static final int PREFIX = 2;
  private static final int TEXT = 3;

  private CatalogCodec() {}

  static byte[] encode(CatalogState state) {
    Writer body = new Writer();
    for (DatasetDescriptor dataset : state.datasets()) {
      write(body, dataset);
    }
    byte[] bodyBytes = body.bytes.toByteArray();
    byte[] file = new byte[CatalogLayout.BODY_AT + bodyBytes.length];
    Bytes.putLong(file, CatalogLayout.MAGIC_AT, CatalogLayout.MAGIC);
    Bytes.putInt(file, CatalogLayout.VERSION_AT, CatalogLayout.VERSION);
    Bytes.putLong(file, CatalogLayout.STORE_ID_AT, state.storeId());
    Bytes.putInt(file, CatalogLayout.PAGE_BYTES_AT, state.pageBytes());
    Bytes.putInt(file, CatalogLayout.NEXT_DATASET_AT, state.nextDatasetId());
    Bytes.putInt(file, CatalogLayout.NEXT_INDEX_AT, state.nextIndexId());
    Bytes.putInt(file, CatalogLayout.DATASETS_AT, state.datasets().size());
    Bytes.putLong(file, CatalogLayout.GENERATION_AT, state.generation());
    System.arraycopy(bodyBytes, 0, file, CatalogLayout.BODY_AT, bodyBytes.length);
    Bytes.putInt(file, CatalogLayout.CRC_AT, crc(file));
    return file;
  }

  static CatalogState decode(String name, byte[] file) throws StorageException {
    if (file.length < CatalogLayout.UNNUMBERED_BODY_AT
        || Bytes.getLong(file, CatalogLayout.MAGIC_AT) != CatalogLayout.MAGIC) {
      throw new CorruptionException(name, 0, "no catalog: it does not begin with VARVECAT");
    }
    if (Bytes.getInt(file, CatalogLayout.CRC_AT) != crc(file)) {
      throw new CorruptionException(name, CatalogLayout.CRC_AT, "checksum does not match");
    }
    int version = Bytes.getInt(file, CatalogLayout.VERSION_AT);
    if (version < CatalogLayout.OLDEST_VERSION || version > CatalogLayout.VERSION) {
      throw new FormatVersionException(name, version, CatalogLayout.VERSION);
    }
    boolean numbered = version >= CatalogLayout.NUMBERED_VERSION;
    if (numbered && file.length < CatalogLayout.BODY_AT) {
      throw new CorruptionException(name, file.length, "the header ends too early");
    }
    Reader body = new Reader(name, file, version);
    List<DatasetDescriptor> datasets = new ArrayList<>();
    int count = Bytes.getInt(file, CatalogLayout.DATASETS_AT);
    try {
      for (int i = 0; i < count; i++) {
        datasets.add(read(body));
      }
    } catch (IllegalArgumentException e) {
      throw new CorruptionException(name, body.at, String.valueOf(e.getMessage()));
    }
    if (body.at != file.length) {
      throw new CorruptionException(name, body.at, "bytes after the last dataset");
    }
    return new CatalogState(
        numbered ? Bytes.getLong(file, CatalogLayout.GENERATION_AT) : 0,
        Bytes.getLong(file, CatalogLayout.STORE_ID_AT),
        Bytes.getInt(file, CatalogLayout.PAGE_BYTES_AT),
        Bytes.getInt(file, CatalogLayout.NEXT_DATASET_AT),
        Bytes.getInt(file, CatalogLayout.NEXT_INDEX_AT),
        datasets);
  }

  /** The checksum of a file, over everything but itself. */
  static int crc(byte[] file) {
    int rest = CatalogLayout.CRC_AT + Integer.BYTES;
    return new Crc32c()
        .update(file, 0, CatalogLayout.CRC_AT)
        .update(file, rest, file.length - rest)
        .value();
  }

  private static void write(Writer out, DatasetDescriptor dataset) {
    DatasetOptions options = dataset.options();
    out.number(dataset.datasetId());
    out.number(KINDS.indexOf(dataset.kind()));
    writeNumbers(out, dataset.numbers().get(0));
    out.text(options.name());
    writePaths(out, options.primaryKey());
    out.number(options.indexes().size());
    for (int i = 0; i < options.indexes().size(); i++) {
      writeIndex(out, options.indexes().get(i), dataset.numbers().get(i + 1));
    }
    out.number(options.partitions());
    out.number(options.memoryBytes());
    writePolicy(out, options.mergePolicy());
    out.fixed(Double.doubleToLongBits(options.filterFalsePositiveRate()));
    writePaths(out, options.filterField().stream().toList());
    out.number(dataset.loading().size());
    dataset.loading().forEach(out::number);
    out.number(MAINTENANCES.indexOf(options.maintenance()));
    out.number(dataset.mayHoldObsolete() ? 1 : 0);
    out.number(dataset.building().size());
    for (DatasetDescriptor.Building each : dataset.building()) {
      writeIndex(out, each.index(), each.numbers());
    }
    writeTimeToLive(out, options.timeToLive());
    out.number(options.largeValueBytes());
  }

  private static void writeTimeToLive(Writer out, Optional<TimeToLive> timeToLive) {
    out.number(timeToLive.map(life -> life.life().toMillis() + 1).orElse(0L));
    if (timeToLive.isPresent()) {
      writePaths(out, timeToLive.get().field().stream().toList());
    }
  }

  private static void writeIndex(Writer out, IndexDefinition index, IndexNumbers numbers) {
    out.text(index.name());
    out.text(index.kind().name());
    writePaths(out, index.paths());
    writeNumbers(out, numbers);
  }

  private static void writeNumbers(Writer out, IndexNumbers numbers) {
    out.number(numbers.first());
    out.number(numbers.step());
  }

  private static DatasetDescriptor read(Reader in) throws StorageException {
    int datasetId = in.integer();
    DatasetDescriptor.Kind kind = KINDS.get(in.below(KINDS.size()));
    boolean numbered = in.version >= CatalogLayout.INDEX_NUMBERS_VERSION;
    IndexNumbers primary = numbered ? readNumbers(in) : new IndexNumbers(in.integer(), 0);
    String name = in.text();
    List<FieldPath> primaryKey = readPaths(in);
    List<DatasetDescriptor.Building> built = readIndexes(in, name);
    int partitions = in.integer();
    long memoryBytes = in.number();
    MergePolicyOptions policy = readPolicy(in);
    double filterRate = Double.longBitsToDouble(in.fixed());
    Optional<FieldPath> filterField = readFilterField(in);
    List<Integer> loading = new ArrayList<>();
    for (int left = in.below(DatasetOptions.MAX_PARTITIONS + 1); left > 0; left--) {
      loading.add(in.integer());
    }
    boolean kept = in.version >= CatalogLayout.KEPT_VERSION;
    IndexMaintenance maintenance =
        kept ? MAINTENANCES.get(in.below(MAINTENANCES.size())) : IndexMaintenance.EAGER;
    boolean mayHoldObsolete = kept && in.below(2) == 1;
    List<IndexNumbers> numbers = new ArrayList<>(List.of(primary));
    built.forEach(each -> numbers.add(each.numbers()));
    List<DatasetDescriptor.Building> building = numbered ? readIndexes(in, name) : List.of();
    return new DatasetDescriptor(
        datasetId,
        kind,
        new DatasetOptions(
            name,
            primaryKey,
            built.stream().map(DatasetDescriptor.Building::index).toList(),
            partitions,
            memoryBytes,
            policy,
            filterRate,
            maintenance,
            filterField,
            readTimeToLive(in),
            in.version < CatalogLayout.LARGE_VALUES_VERSION ? 0 : in.integer()),
        numbered ? numbers : DatasetDescriptor.numbersFrom(primary.first(), numbers.size()),
        building,
        loading,
        mayHoldObsolete);
  }

  /** Indexes with their numbers; before those were written, with any. */
  private static List<DatasetDescriptor.Building> readIndexes(Reader in, String dataset)
      throws StorageException {
    List<DatasetDescriptor.Building> indexes = new ArrayList<>();
    for (int left = in.below(DatasetOptions.MAX_INDEXES + 1); left > 0; left--) {
      IndexDefinition index = readIndex(in, dataset);
      boolean numbered = in.version >= CatalogLayout.INDEX_NUMBERS_VERSION;
      indexes.add(
          new DatasetDescriptor.Building(
              index, numbered ? readNumbers(in) : new IndexNumbers(0, 0)));
    }
    return indexes;
  }

  private static IndexNumbers readNumbers(Reader in) throws CorruptionException {
    return new IndexNumbers(in.integer(), in.integer());
  }

  private static Optional<FieldPath> readFilterField(Reader in) throws CorruptionException {
    return in.version < CatalogLayout.KEPT_VERSION ? Optional.empty() : readPath(in);
  }

  /** One path, or none. */
  private static Optional<FieldPath> readPath(Reader in) throws CorruptionException {
    List<FieldPath> paths = readPaths(in);
    if (paths.size() > 1) {
      throw new CorruptionException(in.name, in.at, paths.size() + " fields, at most 1");
    }
    return paths.stream().findFirst();
  }

  private static Optional<TimeToLive> readTimeToLive(Reader in) throws CorruptionException {
    long life = in.version < CatalogLayout.TIME_TO_LIVE_VERSION ? 0 : in.number();
    return life == 0
        ? Optional.empty()
        : Optional.of(new TimeToLive(readPath(in), Duration.ofMillis(life - 1)));
  }

  private static IndexDefinition readIndex(Reader in, String dataset) throws StorageException {
    String name = in.text();
    IndexKind<?> kind =
        in.version == CatalogLayout.OLDEST_VERSION
            ? new BTreeKind()
            : requireKind(in.text(), "index '" + name + "' of dataset '" + dataset + "'", in.name);
    return new IndexDefinition(name, kind, readPaths(in));
  }

  private static IndexKind<?> requireKind(String kind, String index, String file)
      throws RequestException {
    return IndexKind.INSTALLED
        .find(kind)
        .orElseThrow(
            () ->
                new RequestException(
                    RequestException.Reason.MISSING_PLUG_IN,
                    ("%s: %s is of kind '%s', and no plug-in on the class path has that name; there"
                            + " are %s. Add the jar that names it in META-INF/node/%s, or, for"
                            + " a tokenizer, in META-INF/node/%s, and open the store again:"
                            + " nothing was changed")
                        .formatted(
                            file,
                            index,
                            kind,
                            IndexKind.INSTALLED.names(),
                            IndexKind.class.getName(),
                            Tokenizer.class.getName())));
  }

  private static void writePolicy(Writer out, MergePolicyOptions options) {
    MergePolicy policy = options.policy();
    if (policy instanceof NoMergePolicy) {
      out.numbers(NO_MERGE, 0, 0);
    } else if (policy instanceof ConstantPolicy constant) {
      out.numbers(CONSTANT, 0, constant.components());
    } else if (policy instanceof PrefixPolicy prefix && prefix.ratioGuard().isEmpty()) {
      out.numbers(PREFIX, prefix.maxComponentBytes(), prefix.maxComponents());
    } else {
      out.number(TEXT);
      out.text(options.text());
    }
  }

  private static MergePolicyOptions readPolicy(Reader in) throws CorruptionException {
    int code = in.below(TEXT + 1);
    if (code == TEXT) {
      return new MergePolicyOptions(in.text());
    }
    long bytes = in.number();
    int components = in.integer();
    return switch (code) {
      case NO_MERGE -> MergePolicyOptions.none();
      case CONSTANT -> MergePolicyOptions.constant(components);
      case PREFIX -> MergePolicyOptions.prefix(bytes, components);
      default -> throw new AssertionError(code);
    };
  }

  private static void writePaths(Writer out, List<FieldPath> paths) {
    out.number(paths.size());
    for (FieldPath path : paths) {
      out.number(path.steps().size());
      path.steps().forEach(out::text);
    }
  }

  private static List<FieldPath> readPaths(Reader in) throws CorruptionException {
    List<FieldPath> paths = new ArrayList<>();
    for (int left = in.below(DatasetOptions.MAX_KEY_PATHS + 1); left > 0; left--) {
      List<String> steps = new ArrayList<>();
      for (int more = in.below(FieldPath.MAX_STEPS + 1); more > 0; more--) {
        steps.add(in.text());
      }
      paths.add(new FieldPath(steps));
    }
    return paths;
  }

  /** Collects a body. */
  private static final class Writer {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final byte[] scratch = new byte[Varint.MAX_LONG_BYTES];

    void number(long value) {
      assert value >= 0;
      bytes.write(scratch, 0, Varint.putLong(scratch, 0, value));
    }

    void numbers(long first, long second, long third) {
      number(first);
      number(second);
      number(third);
    }

    void fixed(long value) {
      Bytes.putLong(scratch, 0, value);
      bytes.write(scratch, 0, Long.BYTES);
    }

    void text(String value) {
      byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
      number(utf8.length);
      bytes.write(utf8, 0, utf8.length);
    }
  }

  /** Reads a body that its checksum vouched for, and still believes no length. */
  private static final class Reader {
    private final String name;
    private final byte[] file;
    private final int version;
    private int at;

    Reader(String name, byte[] file, int version) {
      this.name = name;
      this.file = file;
      this.version = version;
      this.at =
          version < CatalogLayout.NUMBERED_VERSION
              ? CatalogLayout.UNNUMBERED_BODY_AT
              : CatalogLayout.BODY_AT;
    }

    long number() throws CorruptionException {
      long value = Varint.get(file, at, file.length);
      if (value < 0) {
        throw new CorruptionException(name, at, "no number");
      }
      at += Varint.sizeOf(value);
      return value;
    }

    int integer() throws CorruptionException {
      long value = number();
      if (value > Integer.MAX_VALUE) {
        throw new CorruptionException(name, at, "number " + value + " is too large");
      }
      return (int) value;
    }

    int below(int bound) throws CorruptionException {
      int value = integer();
      if (value >= bound) {
        throw new CorruptionException(name, at, "number " + value + " is not below " + bound);
      }
      return value;
    }

    long fixed() throws CorruptionException {
      if (file.length - at < Long.BYTES) {
        throw new CorruptionException(name, at, "the body ends too early");
      }
      at += Long.BYTES;
      return Bytes.getLong(file, at - Long.BYTES);
    }

    String text() throws CorruptionException {
      int length = below(DatasetOptions.MAX_NAME_BYTES + 1);
      if (file.length - at < length) {
        throw new CorruptionException(name, at, "the body ends too early");
      }
      at += length;
      return new String(file, at - length, length, StandardCharsets.UTF_8);
    }
  }
}

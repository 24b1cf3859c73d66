package dev.varve.dataset.internal.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.FaultyFileSystem;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.kind.IndexKind;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.IndexUpkeep;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.dataset.options.TimeToLive;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The catalog says after any crash what it said before a change or after it, and nothing else. */
class CatalogTest {
  private static final Path DIRECTORY = Path.of("/store");
  private static final Catalog.Preparation NOTHING = dataset -> {};

  private final MemoryFileSystem files = new MemoryFileSystem();

  @BeforeEach
  void makeDirectory() throws StorageException {
    files.createDirectories(DIRECTORY);
    files.forceDirectory(DIRECTORY);
    files.forceDirectory(Path.of("/"));
  }

  @Test
  void whatIsAddedIsReadBack() throws StorageException {
    Catalog catalog = Catalog.create(files, DIRECTORY, 77, 8192);
    catalog.add(DatasetDescriptor.Kind.RECORDS, rich("tweets"), NOTHING);
    catalog.add(
        DatasetDescriptor.Kind.KEY_VALUE, DatasetOptions.of("\u00fc\ud83d\ude00", "key"), NOTHING);
    catalog.beginLoading(1, 2);
    Catalog read = Catalog.open(files, DIRECTORY);
    assertEquals(catalog.datasets(), read.datasets());
    assertEquals(77, read.storeId());
    assertEquals(8192, read.pageBytes());
    assertEquals(rich("tweets"), read.find("tweets").orElseThrow().options());
    assertEquals(List.of(2), read.find("tweets").orElseThrow().loading());
    read.endLoading(1, 2);
    assertEquals(List.of(), Catalog.open(files, DIRECTORY).find(1).orElseThrow().loading());
  }

  @Test
  void numbersAreNeverUsedAgain() throws StorageException {
    Catalog catalog = Catalog.create(files, DIRECTORY, 1, 4096);
    DatasetDescriptor first = catalog.add(DatasetDescriptor.Kind.RECORDS, rich("a"), NOTHING);
    assertEquals(1, first.indexId(0, 0));
    assertEquals(1 + 3 * 7, first.endIndexId());
    catalog.remove(first.datasetId());
    catalog = Catalog.open(files, DIRECTORY);
    DatasetDescriptor second = catalog.add(DatasetDescriptor.Kind.RECORDS, rich("a"), NOTHING);
    assertEquals(2, second.datasetId());
    assertEquals(first.endIndexId(), second.indexId(0, 0));
    assertEquals(second.endIndexId(), catalog.nextIndexId());
  }

  @Test
  void namesAreUnique() throws StorageException {
    Catalog catalog = Catalog.create(files, DIRECTORY, 1, 4096);
    catalog.add(DatasetDescriptor.Kind.RECORDS, rich("a"), NOTHING);
    ConflictException refused =
        assertThrows(
            ConflictException.class,
            () -> catalog.add(DatasetDescriptor.Kind.KEY_VALUE, rich("a"), NOTHING));
    assertEquals(ConflictException.Reason.NAME_EXISTS, refused.reason());
    assertThrows(RequestException.class, () -> catalog.remove(99));
  }

  @Test
  void aCrashLeavesTheOldCatalogOrTheNew() throws StorageException {
    Catalog catalog = Catalog.create(files, DIRECTORY, 1, 4096);
    catalog.add(DatasetDescriptor.Kind.RECORDS, rich("a"), NOTHING);
    List<String> seen = new ArrayList<>();
    files.onOperation(
        operation -> {
          for (int image = 0; image < 6; image++) {
            MemoryFileSystem left = files.crash(image, Seeds.random(image));
            try {
              seen.add(
                  String.join(
                      ",",
                      Catalog.open(left, DIRECTORY).datasets().stream()
                          .map(dataset -> dataset.options().name())
                          .toList()));
            } catch (StorageException e) {
              throw new AssertionError("crash in " + operation + ", image " + image, e);
            }
          }
        });
    catalog.add(DatasetDescriptor.Kind.RECORDS, rich("b"), NOTHING);
    files.onOperation(null);
    assertEquals(List.of("a", "a,b"), seen.stream().distinct().sorted().toList());
  }

  @Test
  void aFullDiskLeavesTheCatalogAsItWasAndUsable() throws StorageException {
    FaultyFileSystem faults = new FaultyFileSystem(files);
    Catalog catalog = Catalog.create(faults, DIRECTORY, 1, 4096);
    for (String plan : List.of("create * 1 ENOSPC", "write * 1 SHORT 9", "force * 1 EIO")) {
      faults.setPlan(plan);
      assertThrows(
          DiskException.class,
          () -> catalog.add(DatasetDescriptor.Kind.RECORDS, rich("a"), NOTHING));
      assertEquals(List.of(), catalog.datasets());
    }
    catalog.add(DatasetDescriptor.Kind.RECORDS, rich("a"), NOTHING);
    assertEquals(1, Catalog.open(files, DIRECTORY).datasets().size());
  }

  @Test
  void afterAFailedRenameNothingIsChangedAnyMore() throws StorageException {
    FaultyFileSystem faults = new FaultyFileSystem(files);
    Catalog catalog = Catalog.create(faults, DIRECTORY, 1, 4096);
    faults.setPlan("forcedir * 1 EIO");
    DiskException first =
        assertThrows(
            DiskException.class,
            () -> catalog.add(DatasetDescriptor.Kind.RECORDS, rich("a"), NOTHING));
    assertEquals(
        first,
        assertThrows(
            DiskException.class,
            () -> catalog.add(DatasetDescriptor.Kind.RECORDS, rich("b"), NOTHING)));
  }

  @Test
  void everyDamagedByteIsFound() throws StorageException {
    Catalog catalog = Catalog.create(files, DIRECTORY, 1, 4096);
    catalog.add(DatasetDescriptor.Kind.RECORDS, rich("a"), NOTHING);
    Path file = DIRECTORY.resolve(Catalog.FILE_NAME);
    for (int at = 0; at < files.content(file).length; at++) {
      files.damage(file, at, 0x10);
      try {
        Catalog.open(files, DIRECTORY);
        throw new AssertionError("damage at " + at + " was not found");
      } catch (CorruptionException | FormatVersionException found) {
        // As it should be.
      }
      files.damage(file, at, 0x10);
    }
    assertEquals(1, Catalog.open(files, DIRECTORY).datasets().size());
  }

  @Test
  void bytesThatAChecksumVouchesForAreNotBelievedEither() throws StorageException {
    Catalog catalog = Catalog.create(files, DIRECTORY, 1, 4096);
    catalog.add(DatasetDescriptor.Kind.RECORDS, rich("a"), NOTHING);
    byte[] whole = files.content(DIRECTORY.resolve(Catalog.FILE_NAME));
    long seed = 17;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = whole.clone();
      int at = CatalogLayout.DATASETS_AT + random.nextInt(bytes.length - CatalogLayout.DATASETS_AT);
      bytes[at] = (byte) random.nextInt(256);
      Bytes.putInt(bytes, CatalogLayout.CRC_AT, CatalogCodec.crc(bytes));
      try {
        CatalogCodec.decode("catalog", bytes);
      } catch (CorruptionException | RequestException refused) {
        // As good as reading another catalog. A changed kind is one that no plug-in has.
      }
    }
  }

  @Test
  void aNewerVersionIsRefusedAsSuch() throws StorageException {
    Catalog.create(files, DIRECTORY, 1, 4096);
    byte[] bytes = files.content(DIRECTORY.resolve(Catalog.FILE_NAME));
    Bytes.putInt(bytes, CatalogLayout.VERSION_AT, CatalogLayout.VERSION + 1);
    Bytes.putInt(bytes, CatalogLayout.CRC_AT, CatalogCodec.crc(bytes));
    assertThrows(FormatVersionException.class, () -> CatalogCodec.decode("catalog", bytes));
  }

  @Test
  void theBytesStayAsDocumented() throws StorageException {
    // The worked example of docs/format/catalog.md.
    CatalogState state =
        new CatalogState(
            5,
            0x0102030405060708L,
            16384,
            2,
            5,
            List.of(
                new DatasetDescriptor(
                    1,
                    DatasetDescriptor.Kind.RECORDS,
                    DatasetOptions.of("t", "id")
                        .withIndexes(
                            List.of(
                                IndexDefinition.on("u.n"),
                                new IndexDefinition(
                                    "p", IndexKind.parse("rtree"), List.of(FieldPath.parse("p")))))
                        .withMemoryBytes(1 << 20)
                        .withMergePolicy(MergePolicyOptions.constant(3))
                        .withFilterFalsePositiveRate(0)
                        .withFilterField(Optional.of(FieldPath.parse("at")))
                        .withTimeToLive(
                            Optional.of(
                                TimeToLive.since(FieldPath.parse("at"), Duration.ofDays(1)))),
                    DatasetDescriptor.numbersFrom(1, 3),
                    List.of(
                        new DatasetDescriptor.Building(
                            IndexDefinition.on("b"), new IndexNumbers(4, 1))),
                    List.of(),
                    false)));
    assertEquals(
        String.join(
            "",
            "564152564543415407000000866d5f4c",
            "08070605040302010040000002000000",
            "0500000001000000",
            "0500000000000000",
            "01000103017401010269640203752e6e0562",
            "7472656501020175016e0203017005727472",
            "656501010170030301808040010003000000",
            "000000000001010261740000000101620562",
            "7472656501010162040181b8992901010261",
            "7400"),
        HexFormat.of().formatHex(CatalogCodec.encode(state)));
    assertEquals(state, CatalogCodec.decode("catalog", CatalogCodec.encode(state)));
  }

  /** As the kinds stand in docs/format/catalog.md. */
  @Test
  void aKeyValueStoreSaysByWhichOperatorOperandsAreMerged() throws StorageException {
    Catalog catalog = Catalog.create(files, DIRECTORY, 1, 4096);
    List<DatasetDescriptor.Kind> kinds =
        List.of(
            DatasetDescriptor.Kind.RECORDS,
            DatasetDescriptor.Kind.ofPairs(Optional.empty()),
            DatasetDescriptor.Kind.ofPairs(Optional.of(KeyValueOptions.Operator.ADD_LONG)),
            DatasetDescriptor.Kind.ofPairs(Optional.of(KeyValueOptions.Operator.MAX)),
            DatasetDescriptor.Kind.ofPairs(Optional.of(KeyValueOptions.Operator.MIN)));
    for (int code = 0; code < kinds.size(); code++) {
      byte[] before = files.content(DIRECTORY.resolve(Catalog.FILE_NAME));
      catalog.add(kinds.get(code), DatasetOptions.of("s" + code, "key"), NOTHING);
      byte[] after = files.content(DIRECTORY.resolve(Catalog.FILE_NAME));
      assertEquals(code + 1, after[before.length], "number of the store");
      assertEquals(code, after[before.length + 1]);
    }
    Catalog read = Catalog.open(files, DIRECTORY);
    assertEquals(kinds, read.datasets().stream().map(DatasetDescriptor::kind).toList());
    assertEquals(KeyValueOptions.Operator.MIN, read.find("s4").orElseThrow().kind().operator());
  }

  @Test
  void storesOfTheSixthVersionKeepLargeValuesWithTheirKeys() throws StorageException {
    byte[] bytes =
        HexFormat.of()
            .parseHex(
                String.join(
                    "",
                    "564152564543415406000000564ecd34",
                    "08070605040302010040000002000000",
                    "0500000001000000",
                    "0500000000000000",
                    "01000103017401010269640203752e6e0562",
                    "7472656501020175016e0203017005727472",
                    "656501010170030301808040010003000000",
                    "000000000001010261740000000101620562",
                    "7472656501010162040181b8992901010261",
                    "74"));
    DatasetDescriptor dataset = CatalogCodec.decode("catalog", bytes).datasets().get(0);
    assertEquals(0, dataset.options().largeValueBytes());
    assertEquals(Duration.ofDays(1), dataset.options().timeToLive().orElseThrow().life());
  }

  @Test
  void storesOfTheFifthVersionHaveNoTimeToLive() throws StorageException {
    byte[] bytes =
        HexFormat.of()
            .parseHex(
                String.join(
                    "",
                    "5641525645434154050000006c871021",
                    "08070605040302010040000002000000",
                    "05000000010000000500000000000000",
                    "01000103017401010269640203752e6e",
                    "05627472656501020175016e02030170",
                    "05727472656501010170030301808040",
                    "01000300000000000000000101026174",
                    "00000001016205627472656501010162",
                    "0401"));
    DatasetDescriptor dataset = CatalogCodec.decode("catalog", bytes).datasets().get(0);
    assertEquals(Optional.empty(), dataset.options().timeToLive());
    assertEquals(1, dataset.building().size());
  }

  @Test
  void indexesOfTheFourthVersionAreNumberedPartitionAfterPartition() throws StorageException {
    byte[] bytes =
        HexFormat.of()
            .parseHex(
                String.join(
                    "",
                    "564152564543415404000000fe179e00",
                    "08070605040302010040000002000000",
                    "0400000001000000",
                    "0500000000000000",
                    "010001017401010269640203752e6e056274",
                    "72656501020175016e01700572747265",
                    "650101017001808040010003000000000000",
                    "00000101026174000000"));
    DatasetDescriptor dataset = CatalogCodec.decode("catalog", bytes).datasets().get(0);
    assertEquals(DatasetDescriptor.numbersFrom(1, 3), dataset.numbers());
    assertEquals(3, dataset.indexId(0, 2));
    assertEquals(List.of(), dataset.building());
  }

  @Test
  void anIndexIsBuiltUnderNumbersOfItsOwnAndNewOnesAfterEachCrash() throws StorageException {
    Catalog catalog = Catalog.create(files, DIRECTORY, 1, 4096);
    DatasetDescriptor before = catalog.add(DatasetDescriptor.Kind.RECORDS, rich("a"), NOTHING);
    int next = catalog.nextIndexId();
    catalog.beginIndex(1, IndexDefinition.on("late"), NOTHING);
    assertEquals(before.options(), catalog.find(1).orElseThrow().options());
    assertThrows(
        ConflictException.class, () -> catalog.beginIndex(1, IndexDefinition.on("late"), NOTHING));
    Catalog read = Catalog.open(files, DIRECTORY);
    read.restartBuilds();
    int partitions = before.options().partitions();
    assertEquals(next + 2 * partitions, read.nextIndexId());
    DatasetDescriptor built = read.endIndex(1, "late");
    int last = built.indexesPerPartition() - 1;
    assertEquals(next + partitions, built.indexId(0, last));
    assertEquals(next + 2 * partitions - 1, built.indexId(partitions - 1, last));
    assertEquals(before.indexId(1, 1), built.indexId(1, 1));
    assertEquals(before, read.removeIndex(1, "late"));
    assertEquals(before, Catalog.open(files, DIRECTORY).find(1).orElseThrow());
    assertThrows(RequestException.class, () -> read.removeIndex(1, "late"));
  }

  @Test
  void aDatasetOfTheThirdVersionIsKeptEagerlyAndHasNoFilterField() throws StorageException {
    byte[] bytes =
        HexFormat.of()
            .parseHex(
                String.join(
                    "",
                    "5641525645434154030000007c9d4074",
                    "08070605040302010040000002000000",
                    "0400000001000000",
                    "0500000000000000",
                    "010001017401010269640203752e6e056274",
                    "72656501020175016e01700572747265",
                    "650101017001808040010003000000000000",
                    "000000"));
    CatalogState state = CatalogCodec.decode("catalog", bytes);
    assertEquals(5, state.generation());
    DatasetDescriptor dataset = state.datasets().get(0);
    assertEquals(new IndexUpkeep(IndexMaintenance.EAGER, false), dataset.upkeep());
    assertEquals(List.of(), dataset.loading());
    assertEquals(Optional.empty(), state.datasets().get(0).options().filterField());
  }

  @Test
  void whatIsKeptLazilyMayHoldObsoleteEntriesFromTheBeginning() throws StorageException {
    Catalog catalog = Catalog.create(files, DIRECTORY, 1, 4096);
    DatasetOptions lazy = rich("a").withMaintenance(IndexMaintenance.LAZY);
    catalog.add(DatasetDescriptor.Kind.RECORDS, lazy, NOTHING);
    catalog.add(
        DatasetDescriptor.Kind.RECORDS,
        DatasetOptions.of("b", "id").withMaintenance(IndexMaintenance.LAZY),
        NOTHING);
    Catalog read = Catalog.open(files, DIRECTORY);
    assertEquals(lazy, read.find("a").orElseThrow().options());
    DatasetOptions last = rich("c").withMaintenance(IndexMaintenance.MUTABLE_BITMAP);
    catalog.add(DatasetDescriptor.Kind.RECORDS, last, NOTHING);
    assertEquals(last, Catalog.open(files, DIRECTORY).find("c").orElseThrow().options());
    assertTrue(read.find("a").orElseThrow().mayHoldObsolete());
    assertFalse(read.find("b").orElseThrow().mayHoldObsolete());
  }

  @Test
  void aCatalogOfTheSecondVersionHasNoGeneration() throws StorageException {
    byte[] bytes =
        HexFormat.of()
            .parseHex(
                String.join(
                    "",
                    "564152564543415402000000cee27944",
                    "08070605040302010040000002000000",
                    "0400000001000000",
                    "010001017401010269640203752e6e056274",
                    "72656501020175016e01700572747265",
                    "650101017001808040010003000000000000",
                    "000000"));
    CatalogState state = CatalogCodec.decode("catalog", bytes);
    assertEquals(0, state.generation());
    assertEquals("t", state.datasets().get(0).options().name());
  }

  @Test
  void anOlderCopyOfTheCatalogIsRefusedFromTheNextChangeOn() throws StorageException {
    Catalog catalog = Catalog.create(files, DIRECTORY, 1, 4096);
    Path file = DIRECTORY.resolve(Catalog.FILE_NAME);
    for (String name : List.of("a", "b", "c")) {
      byte[] older = files.content(file);
      catalog.add(DatasetDescriptor.Kind.RECORDS, rich(name), NOTHING);
      byte[] newer = files.content(file);
      replace(file, older);
      assertThrows(CorruptionException.class, () -> Catalog.open(files, DIRECTORY));
      replace(file, newer);
      assertTrue(Catalog.open(files, DIRECTORY).proven());
    }
  }

  private void replace(Path file, byte[] bytes) throws StorageException {
    files.delete(file);
    try (StorageFile open = files.open(file, FileSystem.OpenMode.CREATE_NEW)) {
      open.write(0, bytes, 0, bytes.length);
    }
  }

  @Test
  void indexesInCatalogsOfTheFirstVersionAreBtrees() throws StorageException {
    // The worked example as it was before there were kinds of indexes.
    byte[] bytes =
        HexFormat.of()
            .parseHex(
                String.join(
                    "",
                    "564152564543415401000000a442888c",
                    "08070605040302010040000002000000",
                    "0300000001000000",
                    "010001017401010269640103752e6e010201",
                    "75016e01808040010003000000000000000000"));
    DatasetDescriptor dataset = CatalogCodec.decode("catalog", bytes).datasets().get(0);
    assertEquals(List.of(IndexDefinition.on("u.n")), dataset.options().indexes());
    assertEquals(3, dataset.endIndexId());
  }

  @Test
  void anyPolicyIsReadBack() throws StorageException {
    Catalog catalog = Catalog.create(files, DIRECTORY, 1, 4096);
    for (String policy :
        List.of("none", "constant:3", "prefix:1g:5:1.2", "tiering:3", "leveling:10:64m limit 7")) {
      catalog.add(
          DatasetDescriptor.Kind.RECORDS,
          rich(policy).withMergePolicy(new MergePolicyOptions(policy)),
          NOTHING);
    }
    assertEquals(catalog.datasets(), Catalog.open(files, DIRECTORY).datasets());
    assertEquals(
        "leveling(10, 67108864) limit 7",
        catalog.find("leveling:10:64m limit 7").orElseThrow().options().mergePolicy().text());
  }

  private static DatasetOptions rich(String name) {
    return DatasetOptions.of(name, "id")
        .withPrimaryKey(List.of(FieldPath.parse("user.id"), FieldPath.parse("n")))
        .withIndexes(
            List.of(
                IndexDefinition.on("text"),
                new IndexDefinition("two", List.of(FieldPath.parse("a.b.c"), FieldPath.parse("d"))),
                IndexDefinition.parse("rtree:place"),
                IndexDefinition.parse("rtree-deleted-keys:place"),
                IndexDefinition.parse("keyword:text"),
                IndexDefinition.parse("ngram3:text")))
        .withPartitions(3)
        .withMemoryBytes(5 << 20)
        .withMergePolicy(MergePolicyOptions.prefix(1 << 30, 5))
        .withFilterFalsePositiveRate(0.02)
        .withFilterField(Optional.of(FieldPath.parse("user.since")));
  }
}

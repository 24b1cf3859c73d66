package dev.varve.dataset.kind;

import dev.varve.btree.BTreeFormat;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.format.DeletedKeys;
import dev.varve.common.format.MemoryIndex;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.PlugIns;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.NearestSearch;
import dev.varve.rtree.query.NearestCursor;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * A kind of secondary index: how its components are built and searched, what entry a record has in
 * it, and what it answers. Everything else, from flush to recovery and from transactions to
 * verification, is the engine's.
 *
 * <p>Kinds are plug-ins. A class with a constructor without parameters, named in {@code
 * META-INF/node/dev.varve.dataset.kind.IndexKind} of a jar on the engine's class path, is found by
 * its name in the catalog and in the text form of indexes. The kinds that come with the engine are
 * found in the same way. docs/LSMIFY.md makes one.
 *
 * <p>A kind has to implement what the paper asks of an index (Storage Management in AsterixDB,
 * section 3.4): {@link #name}, {@link #createBuilder} and the two methods of its builder for bulk
 * loads, {@link #open} and the two methods of what it opens for searches, and {@link #question}.
 * Insertions and deletions go to a B+-tree in memory, deletions to one beside each component,
 * unless the kind has something better. Immutable and thread-safe.
 *
 * @param <Q> what its components are asked
 */
public interface IndexKind<Q> extends ComponentFormat<Q> {
  /**
   * The kinds on the class path, found by the engine's own loader: that of the thread may be any,
   * and what was found is kept.
   */
  @SuppressWarnings("rawtypes") // a class literal has no type arguments
  PlugIns<IndexKind<?>> INSTALLED =
      new PlugIns<>(
          () ->
              ServiceLoader.load(IndexKind.class, IndexKind.class.getClassLoader()).stream()
                  .map(provider -> provider.get()),
          IndexKind::named,
          IndexKind::names);

  /**
   * What a search asks the components of an index.
   *
   * @return null when this kind does not answer such a search
   * @throws RequestException when it does, but not this one
   */
  @Nullable Question<Q> question(IndexSearch search) throws StorageException;

  /** Whether this kind answers such a search; one that is wrong in itself may still be refused. */
  default boolean answers(IndexSearch search) {
    try {
      return question(search) != null;
    } catch (StorageException refused) {
      // The kind understood the search: it says what is wrong when it is asked for answers.
      return true;
    }
  }

  /**
   * Whether what components find for such a search, which the kind answers, are its answers and no
   * mere candidates: {@link Question#wanted} holds for every record that has the entry. Keys of
   * answers and their number are then told without a look at the records.
   */
  default boolean isExact(IndexSearch search) {
    return false;
  }

  /**
   * Begins a search by distance, in kinds that have places.
   *
   * @param filter which records are wanted: {@link FilterRange#searchCandidates} opens the
   *     components that may have some of them
   * @return null when this kind does not answer it
   */
  default @Nullable NearestCursor nearest(
      LsmIndex<Q> index, NearestSearch search, FilterRange filter) throws StorageException {
    return null;
  }

  /** As what the indexed field of a record is read. */
  default RecordSchema.Reading reading() {
    return RecordSchema.Reading.KEY;
  }

  /** Whether an index of this kind may be over several fields. */
  default boolean takesSeveralFields() {
    return false;
  }

  /**
   * Makes entries, for one thread. Unless the kind says otherwise, the key of an entry is the
   * encoded value, then the encoded primary key. Keys have at most a quarter of a page more than
   * the value that was read.
   */
  default EntryMaker newEntryMaker() {
    KeyEncoder encoder = new KeyEncoder();
    return value ->
        encoder.reset().addEncoded(value.encoded()).addEncoded(value.primaryKey()).toSlice();
  }

  /** Over how many fields the index is. */
  default int fields() {
    return 1;
  }

  /** The same kind over so many fields. */
  default IndexKind<Q> over(int fields) {
    return this;
  }

  /**
   * Finds primary keys in the keys of entries, for one thread; it throws {@link
   * IllegalArgumentException} for what is no key of this kind. Unless the kind says otherwise, they
   * stand behind as many encoded values as there are {@linkplain #fields fields}.
   */
  @Override
  default DeletedKeys.PrimaryKeyView newPrimaryKeyView() {
    KeyDecoder decoder = new KeyDecoder();
    int fields = fields();
    return (key, primaryKey) -> {
      decoder.reset(key);
      for (int i = 0; i < fields; i++) {
        decoder.skip();
      }
      int at = decoder.position();
      return primaryKey.set(key.bytes(), key.offset() + at, key.length() - at);
    };
  }

  /** An empty memory component; unless the kind has its own, a B+-tree over the entries. */
  @Override
  default MemoryIndex<Q> createMemoryIndex() {
    return new MemoryEntries<>(this);
  }

  /**
   * The keys among which everything is that a query asks for, when memory components are B+-trees.
   * What else is there is left out by {@link Question#wanted}, so all keys will do.
   */
  default KeyRange range(Q query) {
    return KeyRange.all();
  }

  /**
   * How deletions are kept beside the entries; unless the kind says otherwise, as primary keys in a
   * B+-tree. Null when its components keep them among the entries, as antimatter.
   */
  @Override
  default @Nullable DeletedKeys deletedKeys() {
    return new DeletedKeys(
        new BTreeFormat(),
        (key, primaryKey) -> newPrimaryKeyView().viewPrimaryKey(key, primaryKey));
  }

  /**
   * Points a slice at the key of the entry that a record has, in kinds where the primary key says
   * it: an entry that is put replaces what the record had, and deletions need not know that.
   *
   * @return null in other kinds, where the key depends on what is indexed
   */
  default @Nullable Slice recordKey(Slice primaryKey, Slice target) {
    return null;
  }

  /**
   * Whether the values of entries are the engine's, which keeps stamps there in a dataset with an
   * index of primary keys: when the record changed for which an entry was put, as a position in the
   * log. Such a kind has no values of its own, and keeps deletions as antimatter.
   */
  default boolean keepsStamps() {
    return false;
  }

  /** Whether components hold several entries of a record for one that was put. */
  default boolean expandsEntries() {
    return false;
  }

  /**
   * Hands out the keys of all that components hold for an entry that was put.
   *
   * @param key its key
   * @param value its value
   */
  default void heldKeys(Slice key, Slice value, KeySink sink) throws StorageException {
    sink.take(key);
  }

  /**
   * The kind with a name. A kind with options has them in its name, in parentheses if it likes:
   * {@code hash(64)}.
   *
   * @return null when the name is not one of this kind's
   * @throws IllegalArgumentException when it is, but with options that are out of range
   */
  default @Nullable IndexKind<?> named(String name) {
    return name.equals(name()) ? this : null;
  }

  /** The names that {@link #named} knows, to be read by people. */
  default String names() {
    return name();
  }

  /**
   * The kind with a name.
   *
   * @throws IllegalArgumentException when there is none
   */
  static IndexKind<?> parse(String name) {
    return INSTALLED
        .find(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no kind of index: '" + name + "'; there are " + INSTALLED.names()));
  }

  /**
   * A search as the components of an index understand it.
   *
   * @param query what they are asked; it may find more than is wanted
   * @param wanted what tells the answers from the candidates
   */
  record Question<Q>(Q query, Wanted wanted) {}

  /** Whether a record is wanted. Confined to one thread. */
  @FunctionalInterface
  interface Wanted {
    /** Decides by key and value of the entry that the record has now. */
    boolean test(Slice key, Slice value);
  }

  /** Takes keys one after the other. */
  @FunctionalInterface
  interface KeySink {
    /** Takes a key; its bytes are valid during the call. */
    void take(Slice key) throws StorageException;
  }
}

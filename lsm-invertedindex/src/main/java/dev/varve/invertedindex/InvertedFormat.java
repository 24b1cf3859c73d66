package dev.varve.invertedindex;

import dev.varve.btree.BTreeFormat;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.format.DeletedKeys;
import dev.varve.common.format.DiskIndex;
import dev.varve.common.format.DiskIndexBuilder;
import dev.varve.common.format.EntryGroups;
import dev.varve.common.format.MemoryIndex;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageFileWriter;
import dev.varve.invertedindex.disk.DiskInvertedIndex;
import dev.varve.invertedindex.disk.InvertedBuilder;
import dev.varve.invertedindex.disk.Limits;
import dev.varve.invertedindex.memory.MemoryInvertedIndex;
import dev.varve.invertedindex.memory.PostingGroups;
import dev.varve.invertedindex.query.TextQuery;
import dev.varve.invertedindex.token.TokenKey;
import dev.varve.invertedindex.token.Tokenizer;

/**
 * The inverted index as an LSM index, with deleted keys (Storage Management in AsterixDB, sections
 * 3.2 and 3.4). An entry that is put is a document: key {@link TokenKey#document}, value its text
 * in UTF-8, which is taken apart and not kept; antimatter of the same key deletes it and needs no
 * text. A writer that replaces a document deletes it first. Searches return documents by primary
 * key, without values. Immutable and thread-safe.
 *
 * <p>Limits: a primary key has at most {@link #maxPrimaryKeyBytes}. Memory components do not check
 * it, because by then the write is under way: the layer that accepts records refuses longer ones.
 * The memory that building a component takes is described in docs/format/inverted.md.
 */
public class InvertedFormat implements ComponentFormat<TextQuery> {
  /** Memory for what is gathered of documents that are loaded. */
  private static final long GROUPED_BYTES = 16 << 20;

  private final Tokenizer tokenizer;
  private final DeletedKeys deletedKeys =
      new DeletedKeys(new BTreeFormat(), TokenKey::viewPrimaryKey);

  /** The format of indexes with this tokenizer, by whose name files tell what they hold. */
  public InvertedFormat(Tokenizer tokenizer) {
    this.tokenizer = tokenizer;
  }

  /** Most bytes of a primary key on pages of this size: a quarter of a page. */
  public static int maxPrimaryKeyBytes(int pageSize) {
    return Limits.maxPrimaryKeyBytes(pageSize);
  }

  /** The tokenizer that takes texts apart. */
  public Tokenizer tokenizer() {
    return tokenizer;
  }

  @Override
  public String name() {
    return tokenizer.name();
  }

  @Override
  public MemoryIndex<TextQuery> createMemoryIndex() {
    return new MemoryInvertedIndex(tokenizer);
  }

  @Override
  public EntryGroups newEntryGroups() {
    return new PostingGroups(tokenizer, GROUPED_BYTES);
  }

  @Override
  public DiskIndexBuilder createBuilder(PageFileWriter file) {
    return new InvertedBuilder(file);
  }

  @Override
  public DiskIndex<TextQuery> open(PageFile file, int rootPage) throws StorageException {
    return DiskInvertedIndex.open(file, rootPage);
  }

  @Override
  public DeletedKeys deletedKeys() {
    return deletedKeys;
  }
}

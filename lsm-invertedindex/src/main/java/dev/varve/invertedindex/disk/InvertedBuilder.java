package dev.varve.invertedindex.disk;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.DiskIndexBuilder;
import dev.varve.common.index.Entry;
import dev.varve.common.page.PageFileWriter;
import dev.varve.invertedindex.token.TokenKey;
import org.jspecify.annotations.Nullable;

/**
 * Bulk-loads an inverted index: first the documents, by which ordinals are given, then each token's
 * documents as a list of ordinals. Holds the primary keys meanwhile; see {@link PrimaryKeys} for
 * how much that is. Confined to one task; does not own the file.
 *
 * <p>Format: docs/format/inverted.md.
 */
public final class InvertedBuilder implements DiskIndexBuilder {
  /** Root page of an index without entries, which has no pages at all. */
  public static final int NO_ROOT = 0;

  private final DocumentBuilder documents;
  private final PostingBuilder postings;
  private final Slice primaryKey = new Slice();
  private final Slice token = new Slice();

  /** Null until the first token. */
  private @Nullable PrimaryKeys primaryKeys;

  private boolean empty = true;
  private int lastOrdinal;
  private long postingCount;

  /** Starts an index at the end of a file. */
  public InvertedBuilder(PageFileWriter file) {
    this.documents = new DocumentBuilder(file);
    this.postings = new PostingBuilder(file);
  }

  @Override
  public void add(Entry entry) throws StorageException {
    Slice key = entry.key();
    if (entry.antimatter()) {
      throw new IllegalArgumentException("antimatter in an index with deleted keys: " + key);
    }
    if (!TokenKey.isWellFormed(key)) {
      throw new RequestException(
          RequestException.Reason.MALFORMED_RECORD, "no key of a token and a document: " + key);
    }
    empty = false;
    if (!TokenKey.isDocument(key)) {
      addPosting(key);
    } else if (primaryKeys == null) {
      documents.add(key);
    } else {
      throw unsorted(key, "a document follows the first token");
    }
  }

  private void addPosting(Slice key) throws StorageException {
    PrimaryKeys known = primaryKeys;
    if (known == null) {
      primaryKeys = known = documents.finish();
    }
    TokenKey.viewToken(key, token);
    if (!token.sameBytes(postings.token())) {
      if (token.compareBytes(postings.token()) < 0) {
        throw unsorted(key, "its token follows " + postings.token());
      }
      postings.start(token);
      lastOrdinal = -1;
    }
    int ordinal = known.find(TokenKey.viewPrimaryKey(key, primaryKey), lastOrdinal + 1);
    if (ordinal == PrimaryKeys.NONE) {
      throw new RequestException(
          RequestException.Reason.MALFORMED_RECORD, "a token of no document: " + key);
    }
    if (ordinal <= lastOrdinal) {
      throw unsorted(key, "its document is not above the one before");
    }
    postings.add(ordinal);
    lastOrdinal = ordinal;
    postingCount++;
  }

  private static RequestException unsorted(Slice key, String problem) {
    return new RequestException(
        RequestException.Reason.UNSORTED_INPUT, "key " + key + ": " + problem);
  }

  @Override
  public int finish() throws StorageException {
    if (empty) {
      return NO_ROOT;
    }
    if (primaryKeys == null) {
      primaryKeys = documents.finish();
    }
    return documents.writeRoot(postingCount, postings.finish());
  }
}

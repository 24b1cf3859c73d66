package dev.varve.invertedindex.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.bytes.Varint;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DiskIndexBuilder;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.EntryGroups;
import dev.varve.common.format.EntryTransfer;
import dev.varve.common.format.EntryValidity;
import dev.varve.common.page.PageFileWriter;
import dev.varve.invertedindex.postings.ListScan;
import dev.varve.invertedindex.token.TokenKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bulk-loads an inverted index: first the documents, by which ordinals are given, then each token's
 * documents as a list of ordinals. Scans of this kind are taken list by list, see {@link
 * ListTransfer}, and so are the groups of a load, see {@link EntryGroups}; of entries that come one
 * by one, the primary keys are held meanwhile, see {@link PrimaryKeys} for how much that is.
 * Confined to one task; does not own the file.
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

  private final PrimaryKeys primaryKeys = new PrimaryKeys();

  /** Documents are written, and tokens follow. */
  private boolean atTokens;

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
    if (!TokenKey.isDocument(key)) {
      addPosting(key);
    } else if (!atTokens) {
      documents.add(key);
      primaryKeys.add(TokenKey.viewPrimaryKey(key, primaryKey));
    } else {
      throw unsorted(key, "a document follows the first token");
    }
  }

  private void addPosting(Slice key) throws StorageException {
    if (!atTokens) {
      endDocuments();
      primaryKeys.seal();
    }
    beginToken(key);
    int ordinal = primaryKeys.find(TokenKey.viewPrimaryKey(key, primaryKey));
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

  @Override
  public long addGroup(Slice group) throws StorageException {
    if (TokenKey.isDocument(group)) {
      addDocument(group);
      return 1;
    }
    if (!atTokens) {
      endDocuments();
    }
    beginToken(group);
    int at = group.offset() + token.length();
    int end = group.offset() + group.length();
    long ordinal = Bytes.getLongBigEndian(group.bytes(), at);
    at += Long.BYTES;
    long added = 0;
    while (true) {
      if (ordinal <= lastOrdinal || ordinal >= documents.documents()) {
        throw unsorted(group, "no document follows " + lastOrdinal + " as " + ordinal);
      }
      lastOrdinal = (int) ordinal;
      postings.add(lastOrdinal);
      added++;
      if (at >= end) {
        postingCount += added;
        return added;
      }
      long distance = Varint.get(group.bytes(), at, end);
      at += Varint.sizeOf(distance);
      ordinal += distance;
    }
  }

  /** Begins the list of a key's token, unless it is the one that is being written. */
  private void beginToken(Slice key) throws StorageException {
    TokenKey.viewToken(key, token);
    if (!token.sameBytes(postings.token())) {
      if (token.compareBytes(postings.token()) < 0) {
        throw unsorted(key, "its token follows " + postings.token());
      }
      postings.start(token);
      lastOrdinal = -1;
    }
  }

  /** Adds the next document, given the key of its own entry, and returns its ordinal. */
  int addDocument(Slice key) throws StorageException {
    documents.add(key);
    return documents.documents() - 1;
  }

  /** Called once, behind the last document. */
  void endDocuments() throws StorageException {
    atTokens = true;
    documents.finish();
  }

  /** Starts the list of a token above those before, its length in front. */
  void startList(Slice nextToken) throws StorageException {
    postings.start(nextToken);
  }

  /** Adds ascending ordinals to the list, above those that it has. */
  void addPostings(int[] ordinals, int from, int to) throws StorageException {
    postings.add(ordinals, from, to);
    postingCount += to - from;
  }

  private static RequestException unsorted(Slice key, String problem) {
    return new RequestException(
        RequestException.Reason.UNSORTED_INPUT, "key " + key + ": " + problem);
  }

  @Override
  public @Nullable EntryTransfer transfer(List<EntryCursor> scans, EntryValidity validity) {
    List<ListScan> lists = new ArrayList<>();
    for (EntryCursor scan : scans) {
      if (!(scan instanceof ListScan list)) {
        return null;
      }
      lists.add(list);
    }
    return new ListTransfer(this, lists, validity);
  }

  @Override
  public int finish() throws StorageException {
    if (documents.documents() == 0) {
      return NO_ROOT;
    }
    if (!atTokens) {
      endDocuments();
    }
    return documents.writeRoot(postingCount, postings.finish());
  }
}

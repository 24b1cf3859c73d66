package dev.varve.invertedindex.memory;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.bytes.Varint;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.EntryGroups;
import dev.varve.invertedindex.token.TokenKey;
import dev.varve.invertedindex.token.TokenSink;
import dev.varve.invertedindex.token.Tokenizer;

/**
 * Gathers documents that are loaded. Since they come by primary key, the number of one is its
 * ordinal in the component, and the postings of a token are gathered in order: what is left to sort
 * are the tokens. Confined to one thread.
 *
 * <p>A group is the key of a document, or some postings of a token: the token as it stands in keys,
 * the first ordinal as a big-endian {@code long}, and for each further one a varint of its distance
 * from the one before.
 */
public final class PostingGroups implements EntryGroups {
  /** A group has no further posting when it is as long. */
  private static final int GROUP_BYTES = 4 << 10;

  private final Tokenizer tokenizer;
  private final long mostBytes;
  private final TokenSink tokens = this::addToken;
  private ByteArena arena = new ByteArena();
  private Terms terms = new Terms(arena);
  private int documents;
  private final Slice token = new Slice();
  private final byte[] group = new byte[GROUP_BYTES + Varint.MAX_INT_BYTES];
  private final Slice view = new Slice();

  /**
   * No documents.
   *
   * @param mostBytes so much of postings, tokens and tables is gathered before it is handed out
   */
  public PostingGroups(Tokenizer tokenizer, long mostBytes) {
    this.tokenizer = tokenizer;
    this.mostBytes = mostBytes;
  }

  @Override
  public void add(Slice key, Slice value, GroupSink sink) throws StorageException {
    assert TokenKey.isDocument(key) : key;
    sink.take(key);
    tokenizer.tokenize(value, tokens);
    documents++;
    if (arena.heldBytes() + terms.heldBytes() >= mostBytes) {
      handOut(sink);
    }
  }

  private void addToken(byte[] bytes, int offset, int length) {
    terms.add(documents, token.set(bytes, offset, length));
  }

  @Override
  public void handOut(GroupSink sink) throws StorageException {
    for (int term = 0; term < terms.count(); term++) {
      Slice key = terms.viewKey(term, token);
      int begin = key.length() + Long.BYTES;
      System.arraycopy(key.bytes(), key.offset(), group, 0, key.length());
      Chain chain = terms.chain(term);
      int before = chain.next();
      Bytes.putLongBigEndian(group, key.length(), before);
      int end = begin;
      for (int next = chain.next(); next != Chain.END; next = chain.next()) {
        if (end >= GROUP_BYTES) {
          sink.take(view.set(group, 0, end));
          Bytes.putLongBigEndian(group, key.length(), next);
          end = begin;
        } else {
          end = Varint.putInt(group, end, next - before);
        }
        before = next;
      }
      sink.take(view.set(group, 0, end));
    }
    arena = new ByteArena();
    terms = new Terms(arena);
  }
}

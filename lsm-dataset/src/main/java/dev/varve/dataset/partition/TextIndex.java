package dev.varve.dataset.partition;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.EntryCursor;
import dev.varve.common.index.LsmIndex;
import dev.varve.dataset.record.Key;
import dev.varve.dataset.search.IndexSearch;
import dev.varve.dataset.search.TextSearch;
import dev.varve.invertedindex.query.TextPredicate;
import dev.varve.invertedindex.query.TextQuery;
import dev.varve.invertedindex.token.NGramTokenizer;
import dev.varve.invertedindex.token.TokenKey;
import dev.varve.invertedindex.token.Tokenizer;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A keyword or n-gram index. What is put is a document, by its primary key and with its text; what
 * its components hold are its tokens.
 *
 * @param lsm the index
 * @param tokenizer what takes texts apart
 */
record TextIndex(LsmIndex<TextQuery> lsm, Tokenizer tokenizer) implements SecondaryIndex {
  @Override
  public EntryKeys newEntryKeys() {
    Slice view = new Slice();
    return key -> {
      if (!TokenKey.isWellFormed(key)) {
        throw new CorruptionException(lsm.describe(), -1, "entry " + key + " has no token");
      }
      return TokenKey.viewPrimaryKey(key, view);
    };
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // closed by who takes the candidates
  public Candidates search(IndexSearch search) throws StorageException {
    if (!(search instanceof TextSearch text)) {
      throw refused(search);
    }
    Question question =
        tokenizer instanceof NGramTokenizer ngrams ? ofNGrams(ngrams, text) : ofWords(text);
    if (question == null) {
      throw refused(search);
    }
    return new Candidates(
        lsm.searchStates(question.query()), (key, value) -> question.predicate().test(value));
  }

  /** What the index is asked, and what tells the answers from the candidates. */
  private record Question(TextQuery query, TextPredicate predicate) {}

  private @Nullable Question ofWords(TextSearch search) throws StorageException {
    String text = search.text();
    return switch (search.match()) {
      case ALL_WORDS ->
          new Question(
              TextQuery.allWords(tokenizer, text), TextPredicate.allWords(tokenizer, text));
      case ANY_WORD ->
          new Question(TextQuery.anyWord(tokenizer, text), TextPredicate.anyWord(tokenizer, text));
      case SOME_WORDS -> {
        int count = (int) search.bound();
        yield new Question(
            TextQuery.atLeast(tokenizer, text, count),
            TextPredicate.atLeast(tokenizer, text, count));
      }
      case PHRASE ->
          new Question(TextQuery.phrase(tokenizer, text), TextPredicate.phrase(tokenizer, text));
      case SIMILAR -> similar(search);
      case SUBSTRING, EDITS -> null;
    };
  }

  private @Nullable Question ofNGrams(NGramTokenizer ngrams, TextSearch search)
      throws StorageException {
    String text = search.text();
    return switch (search.match()) {
      case SUBSTRING ->
          new Question(TextQuery.substring(ngrams, text), TextPredicate.substring(text));
      case EDITS -> {
        int edits = (int) search.bound();
        yield new Question(
            TextQuery.editDistance(ngrams, text, edits), TextPredicate.editDistance(text, edits));
      }
      case SIMILAR -> similar(search);
      case ALL_WORDS, ANY_WORD, SOME_WORDS, PHRASE -> null;
    };
  }

  private Question similar(TextSearch search) throws StorageException {
    return new Question(
        TextQuery.jaccard(tokenizer, search.text(), search.bound()),
        TextPredicate.jaccard(tokenizer, search.text(), search.bound()));
  }

  @Override
  public void heldKeys(RecordEntries record, int secondary, KeySorter.KeySink sink)
      throws StorageException {
    sink.take(record.key(secondary));
    Slice primaryKey = record.primaryKey();
    Set<Key> tokens = new HashSet<>();
    tokenizer.tokenize(
        record.value(secondary),
        (bytes, offset, length) -> tokens.add(Key.ofSlice(new Slice(bytes, offset, length))));
    byte[] key = new byte[1 + TokenKey.MAX_TOKEN_BYTES + primaryKey.length()];
    Slice view = new Slice();
    for (Key token : tokens) {
      Slice bytes = token.toSlice();
      key[0] = (byte) bytes.length();
      System.arraycopy(bytes.bytes(), bytes.offset(), key, 1, bytes.length());
      int split = 1 + bytes.length();
      System.arraycopy(primaryKey.bytes(), primaryKey.offset(), key, split, primaryKey.length());
      sink.take(view.set(key, 0, split + primaryKey.length()));
    }
  }

  @Override
  @MustBeClosed
  public EntryCursor everything() throws StorageException {
    return lsm.search(TextQuery.everything());
  }
}

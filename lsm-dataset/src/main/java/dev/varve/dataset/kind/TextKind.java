package dev.varve.dataset.kind;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DeletedKeys;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.TextSearch;
import dev.varve.invertedindex.InvertedFormat;
import dev.varve.invertedindex.query.TextPredicate;
import dev.varve.invertedindex.query.TextQuery;
import dev.varve.invertedindex.token.KeywordTokenizer;
import dev.varve.invertedindex.token.TokenKey;
import dev.varve.invertedindex.token.Tokenizer;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An inverted index of a text, named as the tokenizer that takes texts apart: {@code keyword},
 * {@code ngram3}, or what a plug-in brings. What is put is a document, by its primary key and with
 * its text; what its components hold are its tokens. Immutable and thread-safe.
 */
public final class TextKind extends InvertedFormat implements IndexKind<TextQuery> {
  /** Of words. */
  public TextKind() {
    this(new KeywordTokenizer());
  }

  private TextKind(Tokenizer tokenizer) {
    super(tokenizer);
  }

  @Override
  public @Nullable IndexKind<?> named(String name) {
    Tokenizer tokenizer = Tokenizer.INSTALLED.find(name).orElse(null);
    return tokenizer == null ? null : new TextKind(tokenizer);
  }

  @Override
  public String names() {
    return Tokenizer.INSTALLED.names();
  }

  @Override
  public RecordSchema.Reading reading() {
    return RecordSchema.Reading.TEXT;
  }

  @Override
  public EntryMaker newEntryMaker() {
    return new Documents();
  }

  /** Makes documents, which are taken apart when they are put. */
  private static final class Documents implements EntryMaker {
    private final Slice view = new Slice();

    @Override
    public Slice key(IndexedValue value) {
      return TokenKey.document(value.primaryKey(), view);
    }

    @Override
    public Slice value(IndexedValue value) {
      return value.text();
    }
  }

  @Override
  public Slice recordKey(Slice primaryKey, Slice target) {
    return TokenKey.document(primaryKey, target);
  }

  @Override
  public DeletedKeys.PrimaryKeyView newPrimaryKeyView() {
    return (key, primaryKey) -> {
      if (!TokenKey.isWellFormed(key)) {
        throw new IllegalArgumentException("it has no token");
      }
      return TokenKey.viewPrimaryKey(key, primaryKey);
    };
  }

  @Override
  public @Nullable Question<TextQuery> question(IndexSearch search) throws StorageException {
    if (!(search instanceof TextSearch text)) {
      return null;
    }
    return tokenizer().gramCharacters() == 0 ? ofWords(text) : ofNGrams(text);
  }

  private @Nullable Question<TextQuery> ofWords(TextSearch search) throws StorageException {
    Tokenizer tokenizer = tokenizer();
    String text = search.text();
    return switch (search.match()) {
      case ALL_WORDS ->
          question(TextQuery.allWords(tokenizer, text), TextPredicate.allWords(tokenizer, text));
      case ANY_WORD ->
          question(TextQuery.anyWord(tokenizer, text), TextPredicate.anyWord(tokenizer, text));
      case SOME_WORDS -> {
        int count = (int) search.bound();
        yield question(
            TextQuery.atLeast(tokenizer, text, count),
            TextPredicate.atLeast(tokenizer, text, count));
      }
      case PHRASE ->
          question(TextQuery.phrase(tokenizer, text), TextPredicate.phrase(tokenizer, text));
      case SIMILAR -> similar(search);
      case SUBSTRING, EDITS -> null;
    };
  }

  private @Nullable Question<TextQuery> ofNGrams(TextSearch search) throws StorageException {
    Tokenizer ngrams = tokenizer();
    String text = search.text();
    return switch (search.match()) {
      case SUBSTRING -> question(TextQuery.substring(ngrams, text), TextPredicate.substring(text));
      case EDITS -> {
        int edits = (int) search.bound();
        yield question(
            TextQuery.editDistance(ngrams, text, edits), TextPredicate.editDistance(text, edits));
      }
      case SIMILAR -> similar(search);
      case ALL_WORDS, ANY_WORD, SOME_WORDS, PHRASE -> null;
    };
  }

  private Question<TextQuery> similar(TextSearch search) throws StorageException {
    return question(
        TextQuery.jaccard(tokenizer(), search.text(), search.bound()),
        TextPredicate.jaccard(tokenizer(), search.text(), search.bound()));
  }

  private static Question<TextQuery> question(TextQuery query, TextPredicate predicate) {
    return new Question<>(query, (key, value) -> predicate.test(value));
  }

  /** A document's words are all in its component, and nothing else of it. */
  @Override
  public boolean isExact(IndexSearch search) {
    return search instanceof TextSearch text
        && switch (text.match()) {
          case ALL_WORDS, ANY_WORD, SOME_WORDS -> true;
          case PHRASE, SUBSTRING, SIMILAR, EDITS -> false;
        };
  }

  @Override
  public boolean expandsEntries() {
    return true;
  }

  @Override
  public void heldKeys(Slice key, Slice value, KeySink sink) throws StorageException {
    sink.take(key);
    Slice primaryKey = TokenKey.viewPrimaryKey(key, new Slice());
    Set<Key> tokens = new HashSet<>();
    tokenizer()
        .tokenize(
            value,
            (bytes, offset, length) -> tokens.add(Key.ofSlice(new Slice(bytes, offset, length))));
    byte[] held = new byte[1 + TokenKey.MAX_TOKEN_BYTES + primaryKey.length()];
    Slice view = new Slice();
    for (Key token : tokens) {
      Slice bytes = token.toSlice();
      held[0] = (byte) bytes.length();
      System.arraycopy(bytes.bytes(), bytes.offset(), held, 1, bytes.length());
      int split = 1 + bytes.length();
      System.arraycopy(primaryKey.bytes(), primaryKey.offset(), held, split, primaryKey.length());
      sink.take(view.set(held, 0, split + primaryKey.length()));
    }
  }
}

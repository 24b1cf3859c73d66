package dev.varve.benchmarks.text;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.IdSink;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.index.IndexStore;
import dev.varve.benchmarks.index.LuceneIndex;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.ngram.NGramTokenizer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.TermQuery;

/**
 * Texts in Lucene, without positions and frequencies, which nobody asks for. Confined to one
 * thread.
 */
final class LuceneTextStore implements TextStore, IndexStore.Delegating {
  private static final String FIELD = "text";
  private static final int GRAM = 3;

  private final Tokens tokens;
  private final LuceneIndex index;
  private final Document document = new Document();
  private final Field text;

  private LuceneTextStore(Tokens tokens, LuceneIndex index) {
    this.tokens = tokens;
    this.index = index;
    FieldType type = new FieldType();
    type.setIndexOptions(IndexOptions.DOCS);
    type.setOmitNorms(true);
    type.setTokenized(true);
    type.freeze();
    this.text = new Field(FIELD, "", type);
    document.add(text);
  }

  static LuceneTextStore open(IndexSettings settings, Tokens tokens) throws BenchmarkException {
    return new LuceneTextStore(tokens, LuceneIndex.open(settings, analyzer(tokens)));
  }

  private static Analyzer analyzer(Tokens tokens) {
    return new Analyzer() {
      @Override
      protected TokenStreamComponents createComponents(String field) {
        return new TokenStreamComponents(
            switch (tokens) {
              case WORDS -> new WhitespaceTokenizer();
              case GRAMS -> new NGramTokenizer(GRAM, GRAM);
            });
      }
    };
  }

  @Override
  public void insert(byte[] bytes, long id) throws BenchmarkException {
    text.setStringValue(new String(bytes, StandardCharsets.US_ASCII));
    index.add(document, id);
  }

  @Override
  public void all(String wanted, IdSink found) throws BenchmarkException {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    for (String token : tokens(wanted)) {
      query.add(new TermQuery(new Term(FIELD, token)), BooleanClause.Occur.FILTER);
    }
    index.search(query.build(), found);
  }

  private Set<String> tokens(String wanted) {
    Set<String> found = new LinkedHashSet<>();
    switch (tokens) {
      case WORDS -> found.addAll(List.of(wanted.split(" ", -1)));
      case GRAMS -> {
        for (int i = 0; i + GRAM <= wanted.length(); i++) {
          found.add(wanted.substring(i, i + GRAM));
        }
      }
    }
    return found;
  }

  @Override
  public IndexStore index() {
    return index;
  }
}

/** Inverted indexes; tokenizers are plug-ins. */
module dev.varve.invertedindex {
  requires transitive dev.varve.btree;
  requires static com.google.errorprone.annotations;
  requires static org.jspecify;

  exports dev.varve.invertedindex;
  exports dev.varve.invertedindex.query;
  exports dev.varve.invertedindex.token;

  uses dev.varve.invertedindex.token.Tokenizer;

  provides dev.varve.invertedindex.token.Tokenizer with
      dev.varve.invertedindex.token.KeywordTokenizer,
      dev.varve.invertedindex.token.NGramTokenizer;
}

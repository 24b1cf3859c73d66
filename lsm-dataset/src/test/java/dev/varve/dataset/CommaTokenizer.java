package dev.varve.dataset;

import dev.varve.common.bytes.Slice;
import dev.varve.invertedindex.token.TokenSink;
import dev.varve.invertedindex.token.Tokenizer;

/** What stands between commas. The class path of the tests has it: {@code commas}. */
public final class CommaTokenizer implements Tokenizer {
  @Override
  public String name() {
    return "commas";
  }

  @Override
  public void tokenize(Slice text, TokenSink sink) {
    int begin = text.offset();
    int end = text.offset() + text.length();
    for (int at = begin; at <= end; at++) {
      if (at == end || text.bytes()[at] == ',') {
        if (at > begin) {
          sink.accept(text.bytes(), begin, at - begin);
        }
        begin = at + 1;
      }
    }
  }
}

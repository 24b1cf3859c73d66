package dev.varve.invertedindex.query;

/**
 * How many characters have to be changed, added or removed to make one text of another
 * (Levenshtein), as far as it matters whether that is more than a bound. Thread-safe: no state.
 */
final class EditDistance {
  private EditDistance() {}

  /**
   * Whether two texts are at most so many edits apart. Only the diagonal band of the table is
   * computed in which paths of so few edits lie, row by row, so it takes the length of a text times
   * twice the bound.
   */
  static boolean isAtMost(int[] left, int[] right, int bound) {
    if (Math.abs((long) left.length - right.length) > bound) {
      return false;
    }
    int band = Math.min(bound, Math.max(left.length, right.length));
    int tooMany = band + 1;
    int[] above = new int[right.length + 1];
    int[] row = new int[right.length + 1];
    for (int j = 0; j <= right.length; j++) {
      above[j] = Math.min(j, tooMany);
    }
    for (int i = 1; i <= left.length; i++) {
      int from = Math.max(1, i - band);
      int to = Math.min(right.length, i + band);
      row[from - 1] = from == 1 ? Math.min(i, tooMany) : tooMany;
      int least = row[from - 1];
      for (int j = from; j <= to; j++) {
        int changed = above[j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1);
        int distance = Math.min(changed, 1 + Math.min(above[j], row[j - 1]));
        row[j] = Math.min(distance, tooMany);
        least = Math.min(least, row[j]);
      }
      if (to < right.length) {
        row[to + 1] = tooMany;
      }
      if (least > band) {
        return false;
      }
      int[] reused = above;
      above = row;
      row = reused;
    }
    return above[right.length] <= band;
  }
}

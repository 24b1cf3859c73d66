package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.TextSearch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Texts of records in a model, and what searches for them must find: brute force. */
final class Texts {
  private static final List<String> WORDS =
      List.of("Oak", "elm", "birch", "ASH", "pine", "larch", "yew", "fir", "alder", "beech");

  private static final Pattern TEXT = Pattern.compile("\"words\":\"([^\"]*)\"");

  private Texts() {}

  /** A field with some words, none, or something else. */
  static String field(RandomGenerator random) {
    if (random.nextInt(8) == 0) {
      return ",\"words\":" + random.nextInt(3);
    }
    List<String> words = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      words.add(WORDS.get(random.nextInt(WORDS.size())));
    }
    return ",\"words\":\"" + String.join(random.nextBoolean() ? " " : ", ", words) + "\"";
  }

  /** Checks a keyword index on the words of records. */
  static void checkWords(Map<Long, String> records, Dataset dataset, String index)
      throws StorageException {
    for (String word : List.of("oak", "Elm", "pine")) {
      String folded = word.toLowerCase(Locale.ROOT);
      check(records, dataset, index, TextSearch.allWords(word), t -> words(t).contains(folded));
    }
    List<String> wanted = List.of("oak", "birch", "yew");
    String text = String.join(" ", wanted);
    check(
        records,
        dataset,
        index,
        TextSearch.allWords("birch OAK"),
        t -> words(t).containsAll(wanted.subList(0, 2)));
    check(records, dataset, index, TextSearch.anyWord(text), t -> shared(words(t), wanted) >= 1);
    check(
        records, dataset, index, TextSearch.someWords(text, 2), t -> shared(words(t), wanted) >= 2);
    check(
        records,
        dataset,
        index,
        TextSearch.phrase("elm pine"),
        t -> (" " + String.join(" ", words(t)) + " ").contains(" elm pine "));
    check(
        records,
        dataset,
        index,
        TextSearch.similarTo(text, 0.5),
        t -> jaccard(new HashSet<>(words(t)), new HashSet<>(wanted)) >= 0.5);
  }

  /** Checks an index of 3-grams on the words of records. */
  static void checkNGrams(Map<Long, String> records, Dataset dataset, String index)
      throws StorageException {
    for (String part : List.of("irc", "ash", "e, o", "k yew", "lder, beech")) {
      check(records, dataset, index, TextSearch.containing(part), t -> t.contains(part));
    }
    check(
        records,
        dataset,
        index,
        TextSearch.similarTo("oak birch yew", 0.4),
        t -> jaccard(ngrams(t), ngrams("oak birch yew")) >= 0.4);
    check(
        records,
        dataset,
        index,
        TextSearch.withinEdits("birch, beech", 2),
        t -> edits(t, "birch, beech") <= 2);
  }

  private static void check(
      Map<Long, String> records,
      Dataset dataset,
      String index,
      TextSearch search,
      Predicate<String> wanted)
      throws StorageException {
    List<Long> expected = new ArrayList<>();
    records.forEach(
        (id, json) -> {
          Matcher matcher = TEXT.matcher(json);
          if (matcher.find() && wanted.test(matcher.group(1).toLowerCase(Locale.ROOT))) {
            expected.add(id);
          }
        });
    assertEquals(
        expected,
        DatasetModel.sorted(Counted.search(dataset, index, search)),
        index + " " + search);
  }

  private static List<String> words(String text) {
    return Arrays.stream(text.split("[ ,]+")).filter(word -> !word.isEmpty()).toList();
  }

  private static long shared(List<String> words, List<String> wanted) {
    return wanted.stream().filter(words::contains).count();
  }

  private static Set<String> ngrams(String text) {
    return java.util.stream.IntStream.rangeClosed(0, text.length() - 3)
        .mapToObj(i -> text.substring(i, i + 3))
        .collect(Collectors.toSet());
  }

  private static double jaccard(Set<String> a, Set<String> b) {
    Set<String> both = new HashSet<>(a);
    both.retainAll(b);
    Set<String> either = new HashSet<>(a);
    either.addAll(b);
    return either.isEmpty() ? 0 : (double) both.size() / either.size();
  }

  private static int edits(String a, String b) {
    int[] row = new int[b.length() + 1];
    Arrays.setAll(row, i -> i);
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}

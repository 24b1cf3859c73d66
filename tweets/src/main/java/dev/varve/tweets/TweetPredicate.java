package dev.varve.tweets;

/**
 * A closed range of one field.
 *
 * @param field the field that is looked at
 * @param low smallest value that matches
 * @param high largest value that matches
 */
public record TweetPredicate(TweetField field, long low, long high) implements TweetCondition {
  @Override
  public boolean matches(TweetGenerator generator, long id) {
    long value = generator.value(field, id);
    return value >= low && value <= high;
  }
}

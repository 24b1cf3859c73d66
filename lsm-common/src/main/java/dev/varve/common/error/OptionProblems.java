package dev.varve.common.error;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Collects what is wrong with a set of options, so that all of it is reported at once. Confined to
 * the constructor or builder that checks them.
 */
public final class OptionProblems {
  private final String prefix;
  private final List<String> problems = new ArrayList<>();

  /** None yet; the report begins with what the options are of. */
  public OptionProblems(String of) {
    this.prefix = of + ": ";
  }

  /** None yet. */
  public OptionProblems() {
    this.prefix = "";
  }

  /** Adds a problem. */
  public void add(String problem) {
    problems.add(problem);
  }

  /** A number has to be at least so large. */
  public void atLeast(String name, long value, long least) {
    if (value < least) {
      add(name + " " + value + " is below " + least);
    }
  }

  /** A number has to be in a range, both ends included. */
  public void between(String name, long value, long least, long most) {
    if (value < least || value > most) {
      add(name + " " + value + " is not between " + least + " and " + most);
    }
  }

  /** A number has to be a power of two in a range, both ends included. */
  public void powerOfTwo(String name, int value, int least, int most) {
    if (Integer.bitCount(value) != 1 || value < least || value > most) {
      add(name + " " + value + " is no power of two between " + least + " and " + most);
    }
  }

  /**
   * Options that are a part of these: what is wrong with them is wrong with these.
   *
   * @param instead stands for them until the report
   */
  public <T> T part(T instead, Supplier<T> part) {
    try {
      return part.get();
    } catch (IllegalArgumentException e) {
      add(String.valueOf(e.getMessage()));
      return instead;
    }
  }

  /**
   * Ends the check.
   *
   * @throws IllegalArgumentException that names all problems, if there is one
   */
  public void report() {
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(prefix + String.join("; ", problems));
    }
  }
}

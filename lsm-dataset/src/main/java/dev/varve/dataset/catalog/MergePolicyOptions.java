package dev.varve.dataset.catalog;

/**
 * Which merge policy a dataset's indexes use (Storage Management in AsterixDB, section 5.2).
 *
 * @param kind the policy
 * @param maxComponentBytes prefix: larger components are never merged again; otherwise 0
 * @param maxComponents prefix: merge when more small components are there; constant: merge all when
 *     that many are there; otherwise 0
 */
public record MergePolicyOptions(Kind kind, long maxComponentBytes, int maxComponents) {
  /** The policies of the 2014 paper. */
  public enum Kind {
    /** Never merges. */
    NONE,
    /** Keeps the number of components below a constant. */
    CONSTANT,
    /** Merges the younger, small components; the default. */
    PREFIX
  }

  /** Checks the numbers that the kind needs. */
  public MergePolicyOptions {
    boolean valid =
        switch (kind) {
          case NONE -> maxComponentBytes == 0 && maxComponents == 0;
          case CONSTANT -> maxComponentBytes == 0 && maxComponents >= 2;
          case PREFIX -> maxComponentBytes > 0 && maxComponents >= 1;
        };
    if (!valid) {
      throw new IllegalArgumentException(
          kind
              + " with maxComponentBytes "
              + maxComponentBytes
              + ", maxComponents "
              + maxComponents);
    }
  }

  /** Never merges. */
  public static MergePolicyOptions none() {
    return new MergePolicyOptions(Kind.NONE, 0, 0);
  }

  /** Merges all components when there are {@code k}, at least 2. */
  public static MergePolicyOptions constant(int k) {
    return new MergePolicyOptions(Kind.CONSTANT, 0, k);
  }

  /** Merges runs of components below a size, once there are too many or they are large enough. */
  public static MergePolicyOptions prefix(long maxComponentBytes, int maxComponents) {
    return new MergePolicyOptions(Kind.PREFIX, maxComponentBytes, maxComponents);
  }
}

package dev.varve.dataset.options;

import dev.varve.common.merge.MergePolicy;
import dev.varve.scheduler.policy.ConstantPolicy;
import dev.varve.scheduler.policy.NoMergePolicy;
import dev.varve.scheduler.policy.PolicyText;
import dev.varve.scheduler.policy.PrefixPolicy;
import java.nio.charset.StandardCharsets;

/**
 * Which merge policy a dataset's indexes use.
 *
 * @param text the policy as {@link PolicyText} writes it: {@code prefix(1073741824, 5)}; whatever
 *     is read as the same policy is made the same text
 */
public record MergePolicyOptions(String text) {
  /**
   * What a dataset uses unless told otherwise: the prefix policy with the ratio guard of later
   * versions of AsterixDB, so that a few small components never have all the rest rewritten.
   */
  public static final MergePolicyOptions DEFAULT =
      new MergePolicyOptions("prefix(1g, 5, 1.2) space 1.5");

  /** Reads the policy; {@link IllegalArgumentException} says what may be written. */
  public MergePolicyOptions {
    text = PolicyText.parse(text).describe();
    assert text.getBytes(StandardCharsets.UTF_8).length <= DatasetOptions.MAX_NAME_BYTES : text;
  }

  /** Never merges. */
  public static MergePolicyOptions none() {
    return of(new NoMergePolicy());
  }

  /** Merges all components when there are {@code k}, at least 2. */
  public static MergePolicyOptions constant(int k) {
    return of(new ConstantPolicy(k));
  }

  /** Merges runs of components below a size, once there are too many or they are large enough. */
  public static MergePolicyOptions prefix(long maxComponentBytes, int maxComponents) {
    return of(new PrefixPolicy(maxComponentBytes, maxComponents));
  }

  /** A policy that has been made. */
  public static MergePolicyOptions of(MergePolicy policy) {
    return new MergePolicyOptions(policy.describe());
  }

  /** The policy. */
  public MergePolicy policy() {
    return PolicyText.parse(text);
  }
}

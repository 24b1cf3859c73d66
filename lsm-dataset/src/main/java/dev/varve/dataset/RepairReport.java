package dev.varve.dataset;

import java.util.List;

/**
 * What a repair found and did, or would do.
 *
 * @param datasets datasets that were looked at
 * @param misplaced records that lay in a partition or on a node where their primary key does not
 *     belong
 * @param moved those that went where they belong
 * @param same those that were deleted, because the same bytes were where they belong
 * @param rejected those that were written to the rejects, because another record of their key was
 *     where they belong
 * @param left those that stay where they are; each has a problem, as far as there is room
 * @param rejections the beginnings of the rejected records and of those in their places, at most
 *     {@link #MOST_LISTED}; the files have all of them whole
 * @param problems why records were left, and what could not be read, at most {@link #MOST_LISTED}
 */
public record RepairReport(
    int datasets,
    long misplaced,
    long moved,
    long same,
    long rejected,
    long left,
    List<RejectedRecord> rejections,
    List<String> problems) {
  /** Most rejected records and problems that a report lists. */
  public static final int MOST_LISTED = 100;

  /** Copies the lists. */
  public RepairReport {
    rejections = List.copyOf(rejections);
    problems = List.copyOf(problems);
  }

  /** Whether every record is where it belongs, or safe among the rejects. */
  public boolean complete() {
    return left == 0 && problems.isEmpty();
  }
}

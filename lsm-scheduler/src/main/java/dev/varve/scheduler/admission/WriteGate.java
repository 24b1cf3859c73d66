package dev.varve.scheduler.admission;

/**
 * The policy by which writers are let in: whether a write may begin now, and how fast. Pure: the
 * same conditions give the same decision; {@link WriteAdmission} does the waiting. Immutable.
 */
public interface WriteGate {
  /** What a gate says. */
  sealed interface Decision {
    /** Writes may begin. */
    record Open() implements Decision {}

    /**
     * Writes may begin, but no faster than this.
     *
     * @param bytesPerSecond how much all writers together may write, at least 1
     * @param cause why: {@link StallCause#PACE}, or another that paces
     * @param holder what is in the way, with its numbers, for people
     */
    record Paced(long bytesPerSecond, StallCause cause, String holder) implements Decision {
      /** Checks the cause. */
      public Paced {
        if (!cause.paces()) {
          throw new IllegalArgumentException(cause + " does not pace");
        }
      }
    }

    /**
     * Writes wait, before they hold a lock or log space.
     *
     * @param cause what they wait for
     * @param holder what is in the way, with its numbers, for people
     */
    record Closed(StallCause cause, String holder) implements Decision {}
  }

  /** Open, paced, or closed with a cause. */
  Decision decide(WriteConditions conditions);

  /** Name and parameters, as options and reports write them. */
  String describe();
}

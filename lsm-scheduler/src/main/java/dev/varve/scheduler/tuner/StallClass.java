package dev.varve.scheduler.tuner;

/** Why writers are slowed down or stopped, in the three classes of ADOC (section 2.3). */
public enum StallClass {
  /** MT: every memory component is full. */
  MEMORY,
  /** L0: level 0 has too many components. */
  LEVEL_ZERO,
  /** PS: too many bytes wait for merges. */
  PENDING_BYTES
}

package dev.varve.dataset;

import dev.varve.common.error.DiskException;
import dev.varve.common.error.OutcomeUnknownException;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.logging.log4j.message.ParameterizedMessage;

/**
 * What runs only when something fails, run once while nothing does. A class that is loaded first
 * when the process has no file handle left is gone for good: each later use of it throws {@link
 * NoClassDefFoundError}. And how workers report failures. Stateless.
 */
final class FailurePaths {
  private static final Logger LOGGER = LogManager.getLogger(FailurePaths.class);

  private FailurePaths() {}

  /** Loads logging with an exception, the exceptions of workers, and the report of waits. */
  static void load() {
    DiskException failure =
        new DiskException("no file", "fail", new IllegalStateException("never"));
    OutcomeUnknownException unknown = new OutcomeUnknownException(failure);
    unknown.addSuppressed(new IllegalStateException("never", failure));
    String text =
        new ParameterizedMessage("{} {}", new Object[] {"failure paths", "loaded"}, unknown)
            .getFormattedMessage();
    LOGGER.trace("{}, a report of {} characters", text, emptyReport().length(), unknown);
  }

  /**
   * Warns from a worker. Where a report cannot be written, for want of heap or of a class, the
   * worker goes on: the failure itself is kept where it counts.
   */
  static void warn(Logger logger, String text, Object what, Throwable cause) {
    try {
      logger.warn(text, what, cause);
    } catch (LinkageError | OutOfMemoryError unreported) {
      assert unreported != cause;
    }
  }

  private static String emptyReport() {
    return WaitReportFile.json(
        new WaitReport(
            WaitReport.RUNNING,
            0,
            "",
            "",
            0,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of("none")));
  }
}

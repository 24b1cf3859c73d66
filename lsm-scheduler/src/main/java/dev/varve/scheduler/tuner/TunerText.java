package dev.varve.scheduler.tuner;

import dev.varve.scheduler.policy.TextForm;
import java.util.List;

/**
 * Tuners as options write them down: {@code fixed}, {@code adoc-paper}, {@code static(8, 512m)}.
 * What {@link Tuner#describe} prints is read back to an equal tuner. Stateless.
 */
public final class TunerText {
  /** What may be written, for help texts and messages. */
  public static final List<String> FORMS =
      List.of(
          "fixed",
          "static(THREADS, MEMORY_BYTES)",
          "adoc-paper",
          "adoc-artifact",
          "adoc-t",
          "adoc-b",
          "auto-tuned",
          "silk-d",
          "silk-p",
          "silk-o",
          "varve");

  /** Changes nothing. */
  public static final Tuner FIXED = StaticTuner.FIXED;

  private TunerText() {}

  /**
   * Reads a tuner.
   *
   * @throws IllegalArgumentException saying what is wrong and what would be right
   */
  public static Tuner parse(String text) {
    return TextForm.read(
        text, "tuner", String.join(" | ", FORMS), form -> build(form.withoutLimit()));
  }

  private static Tuner build(TextForm form) {
    if (form.name().equals("static")) {
      form.checkCount(2, 2);
      return StaticTuner.of(form.integer(0), form.bytes(1));
    }
    form.checkCount(0, 0);
    return switch (form.name()) {
      case "fixed" -> StaticTuner.FIXED;
      case "adoc", "adoc-paper" -> new AdocTuner(Aimd.Knobs.BOTH);
      case "adoc-t" -> new AdocTuner(Aimd.Knobs.THREADS);
      case "adoc-b" -> new AdocTuner(Aimd.Knobs.MEMORY);
      case "adoc-artifact" -> new AdocArtifactTuner();
      case "auto-tuned" -> new AutoTunedLimiter();
      case "silk-d" -> SilkTuner.DEFAULT;
      case "silk-p" -> SilkTuner.PAPER;
      case "silk-o" -> SilkTuner.OPTIMAL;
      case "varve" -> new VarveTuner();
      default -> throw new IllegalArgumentException("there is no tuner '" + form.name() + "'");
    };
  }
}

package dev.varve.scheduler.gate;

import dev.varve.common.maintenance.WriteGate;
import dev.varve.scheduler.gate.SlowingGate.Pressure;
import dev.varve.scheduler.policy.TextForm;
import java.util.List;

/**
 * Gates as options write them down: {@code stop}, {@code slow(0.5, 10m)}, {@code cap(4m)}. What
 * {@link WriteGate#describe} prints is read back to an equal gate. Stateless.
 */
public final class GateText {
  /** What may be written, for help texts and messages. */
  public static final List<String> FORMS =
      List.of(
          "stop",
          "slow(FROM, BYTES_PER_SECOND)",
          "spring(FROM, BYTES_PER_SECOND)",
          "cap(BYTES_PER_SECOND)");

  private GateText() {}

  /**
   * Reads a gate.
   *
   * @throws IllegalArgumentException saying what is wrong and what would be right
   */
  public static WriteGate parse(String text) {
    return TextForm.read(
        text, "write gate", String.join(" | ", FORMS), form -> build(form.withoutLimit()));
  }

  private static WriteGate build(TextForm form) {
    switch (form.name()) {
      case "stop":
        form.checkCount(0, 0);
        return new StoppingGate();
      case "slow":
        form.checkCount(2, 2);
        return new SlowingGate(Pressure.COMPONENTS, form.fraction(0), form.bytes(1));
      case "spring":
        form.checkCount(2, 2);
        return new SlowingGate(Pressure.MEMORY, form.fraction(0), form.bytes(1));
      case "cap":
        form.checkCount(1, 1);
        return new CappedGate(form.bytes(0));
      default:
        throw new IllegalArgumentException("there is no gate '" + form.name() + "'");
    }
  }
}

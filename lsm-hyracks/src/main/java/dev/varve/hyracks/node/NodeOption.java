package dev.varve.hyracks.node;

import dev.varve.dataset.options.EngineOptions;
import dev.varve.scheduler.admission.WriteGates;
import dev.varve.scheduler.scheduling.SchedulerText;
import dev.varve.scheduler.tuner.TunerText;
import dev.varve.transaction.log.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.hyracks.api.config.IApplicationConfig;
import org.apache.hyracks.api.config.IConfigManager;
import org.apache.hyracks.api.config.IOption;
import org.apache.hyracks.api.config.IOptionType;
import org.apache.hyracks.api.config.Section;
import org.apache.hyracks.control.common.config.OptionTypes;

/**
 * Options of a node's engine in Hyracks' configuration file, in the section of all nodes, {@code
 * [nc]}, or that of one, {@code [nc/node-1]}: {@code io.bytes.per.second=4000000}. Behaviour and
 * performance as {@link EngineOptions} has them.
 */
enum NodeOption implements IOption {
  /** What an acknowledged record survives. */
  DURABILITY(
      "What an acknowledged record survives: POWER_LOSS, PROCESS_CRASH or NONE",
      options -> options.sessions().durability().name(),
      (engine, text) -> engine.durability(Durability.valueOf(text))),

  /** The I/O budget. */
  IO_BYTES_PER_SECOND(
      "Bytes that flushes and merges of a node may write in a second, 0 for no limit",
      options -> Long.toString(options.maintenance().ioBytesPerSecond()),
      (engine, text) -> engine.ioBytesPerSecond(Long.parseLong(text))),

  /** How merges share the disk. */
  MERGE_SCHEDULER(
      "How merges share the disk",
      options -> options.maintenance().scheduler().describe(),
      (engine, text) -> engine.mergeScheduler(SchedulerText.parse(text))),

  /** How writers are held back. */
  WRITE_GATE(
      "How writers are held back",
      options -> options.maintenance().writeGate().describe(),
      (engine, text) -> engine.writeGate(WriteGates.parse(text))),

  /** What changes threads, memory and the budget. */
  TUNER(
      "What changes threads, memory and the budget while a node runs",
      options -> options.maintenance().tuner().describe(),
      (engine, text) -> engine.tuner(TunerText.parse(text)));

  private static final EngineOptions DEFAULTS = EngineOptions.of(Path.of("defaults"));

  private final String description;

  @SuppressWarnings("Immutable") // No constant's captures anything.
  private final Function<EngineOptions, String> text;

  @SuppressWarnings("Immutable") // No constant's captures anything.
  private final BiConsumer<EngineOptions.Builder, String> setting;

  NodeOption(
      String description,
      Function<EngineOptions, String> text,
      BiConsumer<EngineOptions.Builder, String> setting) {
    this.description = description;
    this.text = text;
    this.setting = setting;
  }

  /** Makes them known to a process, before it reads its configuration. */
  static void register(IConfigManager manager) {
    manager.register(values());
  }

  /** Lines of the section of all nodes. */
  static List<String> lines(EngineOptions options) {
    List<String> lines = new ArrayList<>();
    for (NodeOption option : values()) {
      lines.add(option.ini() + "=" + option.text.apply(options));
    }
    return lines;
  }

  /**
   * Sets what a node's configuration says.
   *
   * @throws IllegalArgumentException naming an option that cannot be read
   */
  static void apply(IApplicationConfig node, EngineOptions.Builder engine) {
    for (NodeOption option : values()) {
      String given = node.getString(option);
      try {
        option.setting.accept(engine, given);
      } catch (IllegalArgumentException unreadable) {
        throw new IllegalArgumentException(
            option.ini() + "=" + given + ": " + unreadable.getMessage(), unreadable);
      }
    }
  }

  @Override
  public Section section() {
    return Section.NC;
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public IOptionType<String> type() {
    return OptionTypes.STRING;
  }

  @Override
  public Object defaultValue() {
    return text.apply(DEFAULTS);
  }
}

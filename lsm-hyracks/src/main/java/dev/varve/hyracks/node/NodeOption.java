package dev.varve.hyracks.node;

import dev.varve.dataset.options.EngineOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hyracks.api.config.IApplicationConfig;
import org.apache.hyracks.api.config.IConfigManager;
import org.apache.hyracks.api.config.IOption;
import org.apache.hyracks.api.config.IOptionType;
import org.apache.hyracks.api.config.Section;
import org.apache.hyracks.control.common.config.OptionTypes;

/**
 * Options of a node's engine in Hyracks' configuration file, in the section of all nodes, {@code
 * [nc]}, or that of one, {@code [nc/node-1]}: {@code io.bytes.per.second=4000000}. Behaviour and
 * performance as {@link EngineOptions} has them, and texts as its {@code texts} has.
 */
enum NodeOption implements IOption {
  /** What an acknowledged record survives. */
  DURABILITY("What an acknowledged record survives: POWER_LOSS, PROCESS_CRASH or NONE"),

  /** The I/O budget. */
  IO_BYTES_PER_SECOND(
      "Bytes that flushes and merges of a node may write in a second, 0 for no limit"),

  /** How merges share the disk. */
  MERGE_SCHEDULER("How merges share the disk"),

  /** How writers are held back. */
  WRITE_GATE("How writers are held back"),

  /** What changes threads, memory and the budget. */
  TUNER("What changes threads, memory and the budget while a node runs");

  private static final Map<String, String> DEFAULTS = EngineOptions.of(Path.of("node")).texts();

  private final String description;

  NodeOption(String description) {
    this.description = description;
  }

  /** Makes them known to a process, before it reads its configuration. */
  static void register(IConfigManager manager) {
    manager.register(values());
  }

  /** Lines of the section of all nodes. */
  static List<String> lines(EngineOptions options) {
    Map<String, String> texts = options.texts();
    List<String> lines = new ArrayList<>();
    for (NodeOption option : values()) {
      lines.add(option.ini() + "=" + texts.get(option.camelCase()));
    }
    assert lines.size() == texts.size() : texts;
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
        engine.text(option.camelCase(), given);
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
    return Objects.requireNonNull(DEFAULTS.get(camelCase()));
  }
}

package dev.varve.cli.command;

import dev.varve.report.command.CommandContext;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code varve man}: the page for {@code man}, made of the help of all commands. */
@Command(
    name = "man",
    mixinStandardHelpOptions = true,
    description = "Print a manual page of all commands, in roff.",
    footer = {
      "",
      "Examples:",
      "  varve man | man -l -",
      "  varve man > ~/.local/share/man/man1/varve.1"
    })
public final class ManCommand implements Runnable {
  private static final int COLUMNS = 76;

  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** A command that prints to a context's console. */
  public ManCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public void run() {
    context.console().out().print(page(spec.root().commandLine()));
  }

  /** The page of a program, which is left with another width of its help. */
  static String page(CommandLine program) {
    program.setUsageHelpWidth(COLUMNS);
    String name = program.getCommandName();
    StringBuilder page = new StringBuilder();
    page.append(".TH \"").append(name).append("\" 1\n");
    page.append(".SH NAME\n").append(name).append(" \\- ");
    page.append(text(String.join(" ", program.getCommandSpec().usageMessage().description())));
    page.append('\n');
    add(page, program);
    return page.toString();
  }

  private static void add(StringBuilder page, CommandLine command) {
    String name = command.getCommandSpec().qualifiedName();
    page.append(".SH \"").append(text(name)).append("\"\n.nf\n");
    page.append(text(command.getUsageMessage(Ansi.OFF)));
    page.append(".fi\n");
    for (Map.Entry<String, CommandLine> below : command.getSubcommands().entrySet()) {
      add(page, below.getValue());
    }
  }

  /** Text that roff takes for nothing else. */
  static String text(String text) {
    return text.replace("\r", "")
        .replace("\\", "\\e")
        .replace("-", "\\-")
        .replaceAll("(?m)^([.'])", "\\\\&$1");
  }
}

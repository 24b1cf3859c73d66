package dev.varve.cli.command;

import dev.varve.report.command.CommandContext;
import java.util.Locale;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code varve completion}: a script for a shell. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description =
        "Print a script with which bash or zsh completes commands and options: 'source <(varve"
            + " completion bash)'.",
    footer = {
      "",
      "zsh runs the same script, through its bashcompinit.",
      "",
      "Examples:",
      "  source <(varve completion bash)",
      "  varve completion zsh > ~/.varve-completion && echo '. ~/.varve-completion' >> ~/.zshrc"
    })
public final class CompletionCommand implements Runnable {
  /** Shells that there is a script for. */
  private enum Shell {
    BASH,
    ZSH
  }

  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
  private Shell shell = Shell.BASH;

  /** A command that prints to a context's console. */
  public CompletionCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public void run() {
    String script = AutoComplete.bash("varve", spec.root().commandLine());
    // picocli's script looks itself which of the two it is in.
    assert !script.isEmpty() : shell.name().toLowerCase(Locale.ROOT);
    context.console().out().print(script);
  }
}

package dev.varve.report.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.report.Console;
import dev.varve.report.Progress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * Goal: what all commands have in common: progress that is chosen before or behind the command's
 * name, help that fits the terminal, and what was probably meant. Method: a program of one command.
 */
final class ProgramTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Progress.Display shown = new Progress.Display(Progress.Style.NONE, 1);

  /** A command that remembers how its progress was to be shown. */
  @Command(
      name = "sweep",
      mixinStandardHelpOptions = true,
      description = {
        "Sweep the floor in all of the rooms, from the door to the window, and then",
        "put the broom away. Takes a while."
      })
  private static final class Sweep implements Runnable {
    private final ProgramTest test;
    private final CommandContext context;

    Sweep(ProgramTest test, CommandContext context) {
      this.test = test;
      this.context = context;
    }

    @Option(names = "--rooms", description = "How many.")
    private int rooms;

    @Override
    public void run() {
      assertTrue(rooms >= 0);
      test.shown = context.progress();
    }
  }

  private int run(String line) {
    Program program =
        new Program(
            context -> {
              CommandSpec root = CommandSpec.create().name("house");
              root.mixinStandardHelpOptions(true);
              root.addMixin(
                  "progress", CommandSpec.forAnnotatedObject(new ProgressOption(context)));
              return new CommandLine(root).addSubcommand(new Sweep(this, context));
            },
            List.of());
    return program.run(new Console(new PrintWriter(out), new PrintWriter(err)), line.split(" "));
  }

  @Test
  void progressIsChosenBeforeOrBehindTheCommand() {
    assertEquals(0, run("--progress=none sweep"), err::toString);
    assertEquals(Progress.Style.NONE, shown.style());
    assertEquals(0, run("sweep --rooms 3 --progress bar"), err::toString);
    assertEquals(Progress.Style.BAR, shown.style());
  }

  @Test
  void aTerminalHasABarUnlessSomethingElseIsChosen() {
    assertEquals(0, run("sweep"), err::toString);
    assertEquals(new Progress.Display(Progress.Style.LINES, 80), shown);
    assertEquals(0, run("--terminal=60 sweep"), err::toString);
    assertEquals(new Progress.Display(Progress.Style.BAR, 60), shown);
    assertEquals(0, run("--terminal=60 sweep --progress=lines"), err::toString);
    assertEquals(new Progress.Display(Progress.Style.LINES, 60), shown);
  }

  @Test
  void helpFitsTheTerminal() {
    for (String line : List.of("--terminal=60 --help", "--terminal=60 sweep --help")) {
      out.getBuffer().setLength(0);
      assertEquals(0, run(line), err::toString);
      assertTrue(out.toString().lines().count() > 5, out::toString);
      assertTrue(out.toString().lines().allMatch(text -> text.length() <= 60), out::toString);
    }
  }

  @Test
  void theListOfCommandsHasTheWholeFirstSentenceOfEach() {
    assertEquals(0, run("--terminal=90 --help"), err::toString);
    String list = out.toString().replaceAll("\\s+", " ");
    assertTrue(list.contains("to the window, and then put the broom away."), out::toString);
    assertTrue(!list.contains("Takes a while"), out::toString);
  }

  @Test
  void whatWasProbablyMeantIsSaid() {
    assertEquals(2, run("swep"));
    assertTrue(err.toString().contains("did you mean sweep"), err::toString);
    err.getBuffer().setLength(0);
    assertEquals(2, run("sweep --room 3"));
    assertTrue(err.toString().contains("did you mean --rooms"), err::toString);
    err.getBuffer().setLength(0);
    assertEquals(2, run("sweep sweep"));
    assertEquals(2, err.toString().lines().count(), err::toString);
  }
}

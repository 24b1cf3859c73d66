package dev.varve.report.command;

import dev.varve.common.error.ConflictException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.report.Console;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * How a command says that it failed: one line on stderr that names the kind of error, and with
 * {@code --json} a document that says the same. Confined to the main thread.
 */
public final class FailureReport {
  /** Exit code of a command that failed. */
  public static final int FAILED = 1;

  /** Exit code of a command whose arguments are wrong. */
  public static final int WRONG_ARGUMENTS = 2;

  private final Console console;
  private final List<Class<? extends Exception>> explained;

  /**
   * What is printed with {@code --json} in the place of a result.
   *
   * @param command which command failed
   * @param error what went wrong
   */
  record Document(String command, Problem error) {}

  /**
   * What is printed with {@code --json} in the place of a result when a signal ends the command.
   *
   * @param command which command was stopped
   * @param stopped {@code SIGNAL}
   */
  record Stopped(String command, String stopped) {}

  /**
   * What went wrong.
   *
   * @param type simple name of the exception
   * @param reason what the exception gives as its reason; empty when its type says it all
   * @param message a sentence for people
   */
  record Problem(String type, String reason, String message) {}

  FailureReport(Console console, List<Class<? extends Exception>> explained) {
    this.console = console;
    this.explained = explained;
  }

  /**
   * Last words of a command with {@code --json} that a signal ends, and that has none of its own.
   */
  void stopped(String command) {
    console.printJson(new Stopped(command, "SIGNAL"));
  }

  /** Arguments that do not parse, or contradict each other. */
  int wrongArguments(ParameterException problem, String[] arguments) {
    CommandLine command = problem.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    String message = problem.getMessage() + suggestion(problem);
    if (List.of(arguments).contains("--json")) {
      console.printJson(
          new Document(command.getCommandName(), new Problem("WrongArguments", "", message)));
    }
    console.err().println(name + ": " + message);
    console.err().println("Try '" + name + " --help'.");
    return WRONG_ARGUMENTS;
  }

  /** What was probably meant by an option or a command that is not there; else nothing. */
  private static String suggestion(ParameterException problem) {
    if (!(problem instanceof UnmatchedArgumentException unmatched)) {
      return "";
    }
    List<String> meant = unmatched.getSuggestions().stream().limit(3).toList();
    return meant.isEmpty() ? "" : "; did you mean " + String.join(" or ", meant) + "?";
  }

  /**
   * What a command threw.
   *
   * @param all arguments of the command above it
   */
  int failed(Exception failure, CommandLine command, ParseResult all) {
    Problem error = describe(failure);
    if (command.getParseResult().hasMatchedOption("--json")) {
      console.printJson(new Document(command.getCommandName(), error));
    }
    String kind = error.reason.isEmpty() ? error.type : error.type + " " + error.reason;
    console
        .err()
        .println(command.getCommandSpec().qualifiedName() + ": " + kind + ": " + error.message);
    if (!(failure instanceof StorageException)
        && explained.stream().noneMatch(type -> type.isInstance(failure))) {
      // A bug, or the machine: its report needs the place.
      failure.printStackTrace(console.err());
    }
    return FAILED;
  }

  private static Problem describe(Exception failure) {
    String reason = "";
    if (failure instanceof ConflictException conflict) {
      reason = conflict.reason().name();
    } else if (failure instanceof RequestException request) {
      reason = request.reason().name();
    }
    return new Problem(
        failure.getClass().getSimpleName(), reason, String.valueOf(failure.getMessage()));
  }
}

package dev.varve.it.walk;

import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Location;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.VMDeathEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Every method of Varve that one operation enters, getters included, in the order of the calls.
 *
 * @param steps the methods entered
 */
record Walk(List<Step> steps) {
  static final String PUT = "put";
  static final String FORCE = "force";
  static final String GET_FROM_MEMORY = "get from memory";
  static final String GET_FROM_DISK = "get from disk";

  private static final String MARKER = WalkedStore.class.getName();
  private static final String BEGIN = "begin";
  private static final String END = "end";
  private static final long TIMEOUT_MILLIS = 60_000;

  /**
   * A method that was entered.
   *
   * @param depth frames from the first method of the walk to this one, itself included
   */
  record Step(String file, String method, int depth) {}

  /** The source files that it runs through. */
  Set<String> files() {
    Set<String> files = new TreeSet<>();
    steps.forEach(step -> files.add(step.file()));
    return files;
  }

  int depth() {
    return steps.stream().mapToInt(Step::depth).max().orElse(0);
  }

  /** For people: a line a call, further in the deeper it is. */
  String print(String name) {
    StringBuilder text = new StringBuilder(name);
    text.append(": ").append(files().size()).append(" files, ").append(steps.size());
    text.append(" calls, ").append(depth()).append(" deep\n");
    for (Step step : steps) {
      text.append("  ".repeat(step.depth())).append(step.method()).append('\n');
    }
    return text.toString();
  }

  /** Runs the walked store in a process of its own, under this one's debugger. */
  static Map<String, Walk> trace(Path directory) throws Exception {
    LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    arguments.get("main").setValue(MARKER + " \"" + directory + "\"");
    arguments
        .get("options")
        .setValue("-Xmx512m -cp \"" + System.getProperty("java.class.path") + "\"");
    VirtualMachine machine = connector.launch(arguments);
    try {
      return new Tracer(machine).run();
    } finally {
      machine.process().destroyForcibly();
    }
  }

  /** What listens to the process. */
  private static final class Tracer {
    private final VirtualMachine machine;
    private final Map<String, Walk> walks = new LinkedHashMap<>();
    private @Nullable MethodEntryRequest tracing;
    private List<Step> steps = new ArrayList<>();
    private int framesAround;

    Tracer(VirtualMachine machine) {
      this.machine = machine;
    }

    Map<String, Walk> run() throws Exception {
      ClassPrepareRequest marker = machine.eventRequestManager().createClassPrepareRequest();
      marker.addClassFilter(MARKER);
      marker.enable();
      machine.resume();
      while (true) {
        EventSet events = machine.eventQueue().remove(TIMEOUT_MILLIS);
        if (events == null) {
          throw new AssertionError("the process says nothing any more");
        }
        for (Event event : events) {
          if (event instanceof VMDeathEvent || event instanceof VMDisconnectEvent) {
            return walks;
          }
          if (event instanceof ClassPrepareEvent prepared) {
            breakAt(prepared.referenceType());
          } else if (event instanceof BreakpointEvent reached) {
            mark(reached);
          } else if (event instanceof MethodEntryEvent entry) {
            enter(entry);
          }
        }
        events.resume();
      }
    }

    private void breakAt(ReferenceType marker) {
      for (String name : List.of(BEGIN, END)) {
        Location first = marker.methodsByName(name).get(0).location();
        BreakpointRequest point = machine.eventRequestManager().createBreakpointRequest(first);
        point.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        point.enable();
      }
    }

    private void mark(BreakpointEvent entry) throws IncompatibleThreadStateException {
      ThreadReference thread = entry.thread();
      if (entry.location().method().name().equals(BEGIN)) {
        StringReference name = (StringReference) thread.frame(0).getArgumentValues().get(0);
        steps = new ArrayList<>();
        walks.put(name.value(), new Walk(steps));
        // That of the operation's caller is the same as that of begin's.
        framesAround = thread.frameCount();
        tracing = machine.eventRequestManager().createMethodEntryRequest();
        tracing.addClassFilter("dev.varve.*");
        tracing.addThreadFilter(thread);
        tracing.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        tracing.enable();
      } else if (tracing != null) {
        tracing.disable();
      }
    }

    private void enter(MethodEntryEvent entry) throws IncompatibleThreadStateException {
      Location location = entry.location();
      String type = location.declaringType().name();
      if (type.startsWith("dev.varve.it.")) {
        return;
      }
      try {
        steps.add(
            new Step(
                location.sourcePath(),
                type.substring(type.lastIndexOf('.') + 1) + "." + entry.method().name(),
                entry.thread().frameCount() - framesAround));
      } catch (AbsentInformationException generated) {
        // The call of a lambda, which is in no source.
      }
    }
  }
}

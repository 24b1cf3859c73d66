package dev.varve.hyracks.operator;

import dev.varve.common.error.StorageException;
import dev.varve.hyracks.adapter.StorageFailures;
import org.apache.hyracks.api.comm.IFrameWriter;
import org.apache.hyracks.api.exceptions.HyracksDataException;

/**
 * The protocol of an operator that only sends: open, send, fail when sending failed, close in any
 * case. No state.
 */
final class Emission {
  /** Sends frames to an open writer. */
  interface Body {
    void run() throws HyracksDataException, StorageException;
  }

  private Emission() {}

  static void run(IFrameWriter writer, Body body) throws HyracksDataException {
    boolean done = false;
    try {
      writer.open();
      body.run();
      done = true;
    } catch (StorageException failure) {
      throw StorageFailures.toHyracks(failure);
    } finally {
      try {
        if (!done) {
          writer.fail();
        }
      } finally {
        writer.close();
      }
    }
  }
}

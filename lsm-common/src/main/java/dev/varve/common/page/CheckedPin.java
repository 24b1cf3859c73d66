package dev.varve.common.page;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A pin that knows whether it was given back. Handed out instead of the frame when assertions are
 * on, so that a second close, or a read after it, is found where it happens and not where it hurts.
 */
final class CheckedPin implements PageFile.Page {
  private final Frame frame;
  private final AtomicBoolean closed = new AtomicBoolean();

  CheckedPin(Frame frame) {
    this.frame = frame;
  }

  @Override
  public byte[] bytes() {
    assert !closed.get() : "read after unpin: " + frame;
    return frame.bytes();
  }

  @Override
  public int at() {
    assert !closed.get() : "read after unpin: " + frame;
    return frame.at();
  }

  @Override
  public void close() {
    boolean first = closed.compareAndSet(false, true);
    assert first : "unpinned twice: " + frame;
    frame.close();
  }
}

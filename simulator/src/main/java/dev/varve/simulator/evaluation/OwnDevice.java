package dev.varve.simulator.evaluation;

import dev.varve.common.env.Device;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.ForwardingFileSystem;
import java.nio.file.Path;

/**
 * Files that say to lie on a device of their own, so that several nodes of a process can have a
 * budget each. Equal to no other. Thread-safe.
 */
final class OwnDevice implements ForwardingFileSystem {
  private final FileSystem files;
  private final Device device = new Device(this);

  OwnDevice(FileSystem files) {
    this.files = files;
  }

  @Override
  public FileSystem files() {
    return files;
  }

  @Override
  public Device device(Path path) {
    return device;
  }
}

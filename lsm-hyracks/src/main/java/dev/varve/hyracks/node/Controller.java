package dev.varve.hyracks.node;

import org.apache.hyracks.control.cc.BaseCCApplication;
import org.apache.hyracks.control.cc.ClusterControllerService;
import org.apache.hyracks.control.common.controllers.CCConfig;

/**
 * The cluster controller without its web console, which would listen on every address and accept
 * uploaded code. Confined to the thread that starts and stops it.
 */
final class Controller extends ClusterControllerService {
  private static final class Application extends BaseCCApplication {
    @Override
    protected void installShutdownHook() {}
  }

  Controller(CCConfig config) throws Exception {
    super(config, new Application());
  }

  @Override
  protected void startWebServers() {}

  @Override
  protected void stopWebServers() {}
}

/** Merge policies, merge schedulers, tuners, the I/O budget and write admission. */
module dev.varve.scheduler {
  requires transitive dev.varve.common;
  requires org.apache.logging.log4j;
  requires static com.google.errorprone.annotations;
  requires static org.jspecify;

  exports dev.varve.scheduler.admission;
  exports dev.varve.scheduler.budget;
  exports dev.varve.scheduler.policy;
  exports dev.varve.scheduler.scheduling;
  exports dev.varve.scheduler.service;
  exports dev.varve.scheduler.tuner;
  exports dev.varve.scheduler.watch;
}

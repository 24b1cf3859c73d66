/** The log, its group commit, the lock table, transactions and recovery. */
module dev.varve.transaction {
  requires transitive dev.varve.common;
  requires org.apache.logging.log4j;
  requires static com.google.errorprone.annotations;
  requires static org.jspecify;

  exports dev.varve.transaction;
  exports dev.varve.transaction.lock;
  exports dev.varve.transaction.log;
  exports dev.varve.transaction.checkpoint to dev.varve.dataset;
  exports dev.varve.transaction.recovery to dev.varve.dataset;
}

package dev.varve.common.index;

import dev.varve.common.component.ComponentId;
import dev.varve.common.disk.ComponentBuild;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.disk.DiskComponents.Membership;
import dev.varve.common.error.StorageException;
import java.util.List;

/**
 * What a component that is being written leaves below itself. Where components are cut by key range
 * merges go by bytes, and nobody asks; nor does a policy without a bound on space. Stateless.
 */
final class OlderComponents {
  private OlderComponents() {}

  /** Has a component find out, before it is sealed, how much of them it supersedes. */
  static <Q> void countSuperseded(IndexVersions<Q> versions, ComponentBuild<Q> build)
      throws StorageException {
    if (!versions.options().mergePolicy().boundsSpace()
        || versions.components().disk().membership() == Membership.MANIFEST) {
      return;
    }
    ComponentId id = build.name().id();
    ComponentList<Q> held = versions.acquire();
    try {
      List<DiskComponent<Q>> older =
          held.disk().flushed().stream()
              .filter(component -> component.id().last() < id.first())
              .toList();
      build.countSuperseding(older);
    } finally {
      held.release();
    }
  }
}

package dev.varve.scheduler.budget;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.Device;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.scheduler.budget.DiskSpace.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: no two merges on a device count on the same bytes, whoever's they are; devices know nothing
 * of each other. Method: members of disks that are numbers.
 */
final class DeviceSpacesTest {
  private final DeviceSpaces devices = new DeviceSpaces();
  private final Device disk = new Device("disk");
  private final Device other = new Device("other");
  private final List<String> told = new ArrayList<>();
  private long usable = 100;

  @MustBeClosed
  private DiskSpace join(Device device, String name) {
    DiskSpace member = devices.join(device, () -> usable);
    member.onFreed(() -> told.add(name));
    return member;
  }

  private static Decision reserve(DiskSpace member, long merge, long bytes)
      throws StorageException {
    return member.reserve(merge, bytes).decision();
  }

  @ParameterizedTest
  @CsvSource({
    // claims, promised, usable, needed
    "0, 0, 100, 100, MADE",
    "0, 0, 100, 101, REFUSED",
    "1, 40, 100, 60, MADE",
    "1, 40, 100, 61, LATER",
    // A merge that has written everything still frees its input.
    "1, 0, 10, 20, LATER",
    // Somebody else has filled the disk meanwhile.
    "2, 90, 50, 1, LATER",
    "0, 0, 0, 0, MADE"
  })
  void aMergeBeginsWhenItsResultFitsBesideWhatOthersStillWrite(
      int claims, long promised, long left, long needed, Decision due) {
    assertEquals(due, new SpaceState(claims, promised).decide(left, needed));
  }

  @Test
  void whatOneMemberHasReservedIsNotTheOthers() throws StorageException {
    try (DiskSpace one = join(disk, "one");
        DiskSpace two = join(disk, "two");
        DiskSpace elsewhere = join(other, "elsewhere")) {
      assertEquals(Decision.MADE, reserve(one, 1, 70));
      assertEquals(Decision.LATER, reserve(two, 1, 40), "the same number, and another merge");
      assertEquals(Decision.MADE, reserve(two, 2, 30));
      assertEquals(Decision.MADE, reserve(elsewhere, 1, 100));
      assertEquals(List.of(), told);
    }
  }

  @Test
  void whatIsWrittenIsNoLongerPromised() throws StorageException {
    try (DiskSpace one = join(disk, "one");
        DiskSpace two = join(disk, "two")) {
      reserve(one, 1, 60);
      usable = 50;
      assertEquals(Decision.LATER, reserve(two, 1, 40), "written, and still promised");
      one.left(1, 10);
      assertEquals(Decision.MADE, reserve(two, 1, 40));
    }
  }

  @Test
  void allAreToldOfAMergeThatHasEnded() throws StorageException {
    try (DiskSpace one = join(disk, "one");
        DiskSpace two = join(disk, "two");
        DiskSpace elsewhere = join(other, "elsewhere")) {
      reserve(one, 1, 100);
      long releases = two.releases();
      one.release(1);
      told.sort(null);
      assertEquals(List.of("one", "two"), told);
      assertEquals(releases + 1, two.releases());
      assertEquals(Decision.MADE, reserve(two, 1, 100));
      told.clear();
      one.release(1);
      one.left(1, 50);
      assertEquals(List.of(), told, "it had given it back already");
      assertEquals(0, elsewhere.releases());
    }
  }

  @Test
  void aMemberThatLeavesGivesEverythingBack() throws StorageException {
    try (DiskSpace two = join(disk, "two")) {
      long releases = two.releases();
      try (DiskSpace one = join(disk, "one")) {
        reserve(one, 1, 60);
        reserve(one, 2, 40);
      }
      assertEquals(List.of("two"), told);
      assertTrue(two.releases() > releases);
      assertEquals(Decision.MADE, reserve(two, 1, 100));
      assertTrue(devices.knows(disk));
    }
    assertFalse(devices.knows(disk));
  }

  @Test
  void aDeviceThatCannotBeAskedReservesNothing() throws StorageException {
    DiskException lost = new DiskException("/data", "ask", null);
    try (DiskSpace two = join(disk, "two");
        DiskSpace one =
            devices.join(
                disk,
                () -> {
                  throw lost;
                })) {
      assertEquals(lost, assertThrows(DiskException.class, () -> one.reserve(1, 10)));
      assertEquals(Decision.MADE, reserve(two, 1, 100));
    }
  }

  @Test
  void whateverBeginsAndEndsTheDiskIsNeverFull() throws Exception {
    Seeds.run(
        50,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          long[] left = {1000};
          List<Merge> running = new ArrayList<>();
          DeviceSpaces spaces = new DeviceSpaces();
          try (DiskSpace one = spaces.join(disk, () -> left[0]);
              DiskSpace two = spaces.join(disk, () -> left[0])) {
            for (int merge = 0; merge < 500; merge++) {
              DiskSpace member = random.nextBoolean() ? one : two;
              long bytes = random.nextLong(1, 800);
              Decision decision = reserve(member, merge, bytes);
              assertTrue(decision != Decision.REFUSED || (running.isEmpty() && bytes > left[0]));
              if (decision == Decision.MADE) {
                running.add(new Merge(member, merge, bytes));
              }
              running.forEach(each -> left[0] -= each.write(random));
              assertTrue(left[0] >= 0, "full");
              if (!running.isEmpty() && random.nextInt(3) == 0) {
                Merge ended = running.remove(random.nextInt(running.size()));
                ended.member.release(ended.number);
                left[0] += ended.written;
              }
            }
          }
        });
  }

  /** A merge that writes as much as its input at most, and frees that at its end. */
  private static final class Merge {
    private final DiskSpace member;
    private final long number;
    private final long bytes;
    private long written;

    Merge(DiskSpace member, long number, long bytes) {
      this.member = member;
      this.number = number;
      this.bytes = bytes;
    }

    long write(RandomGenerator random) {
      long step = random.nextLong(0, bytes - written + 1);
      written += step;
      member.left(number, bytes - written);
      return step;
    }
  }
}

// What the faults of a scenario mean for the promises of its run.
#include "scenarios/faults/consequences.h"

#include "scenarios/faults/clock.h"
#include "scenarios/faults/disk.h"
#include "scenarios/faults/log.h"
#include "scenarios/faults/outage.h"
#include "scenarios/faults/process.h"
#include "scenarios/faults/slow.h"
#include "tests/support/catch.h"

namespace photonsim::scenarios {
namespace {

OutageFault outage_of(const std::string& datacenter, OutageComponent component, Duration length) {
  OutageFault outage;
  outage.datacenter = datacenter;
  outage.component = component;
  outage.duration = length;
  return outage;
}

PauseFault pause_of(const std::string& process, Duration length) {
  PauseFault pause;
  pause.process = process;
  pause.duration = length;
  return pause;
}

}  // namespace

TEST_CASE("a scenario without faults has no consequences") {
  const Consequences none = consequences_of(Config{});
  CHECK(none.answers_held == Duration{0});
  CHECK(none.appends_held.empty());
  CHECK(none.logs_late == Duration{0});
  CHECK_FALSE(none.incomplete_clicks);
  CHECK_FALSE(none.unsynchronised_servers);
  CHECK(none.wrong_bytes.empty());
  CHECK(none.lost_disks.empty());
}

TEST_CASE(
    "faults hold up answers one after the other, pauses of one process and outages of a cell") {
  Config config;
  config.faults.of<PauseFault>() = {pause_of("a/joiner/0", 3s), pause_of("b/joiner/0", 4s),
                                    pause_of("a/joiner/0", 2s)};
  CHECK(consequences_of(config).answers_held == 5s);  // those of a; b's may be at the same time
  SlowFault slow;
  slow.duration = 7s;
  config.faults.of<SlowFault>() = {slow, slow};
  CHECK(consequences_of(config).answers_held == 19s);
  config.faults.of<OutageFault>() = {
      outage_of("a", OutageComponent::kCell, 1s), outage_of("b", OutageComponent::kCell, 5s),
      outage_of("a", OutageComponent::kCell, 2s), outage_of("a", OutageComponent::kAll, 60s)};
  const Consequences all = consequences_of(config);
  CHECK(all.appends_held == std::map<std::string, Duration>{{"a", 3s}, {"b", 5s}});
  CHECK(all.answers_held == 19s);
}

TEST_CASE("only disks with wrong bytes and hosts that lose their disk are named") {
  Config config;
  DiskFault disk;
  disk.where = "registry/0@a";
  disk.kind = DiskFaultKind::kWriteError;
  DiskFault rotten = disk;
  rotten.where = "b";
  rotten.kind = DiskFaultKind::kBitRot;
  config.faults.of<DiskFault>() = {disk, rotten};
  CrashFault crash;
  crash.process = "registry/0@a";
  CrashFault lost = crash;
  lost.lose_disk = true;
  lost.at = 9s;
  config.faults.of<CrashFault>() = {crash, lost};
  const Consequences all = consequences_of(config);
  CHECK(all.wrong_bytes == std::vector<std::string>{"b"});
  REQUIRE(all.lost_disks.size() == 1);
  CHECK(all.lost_disks[0].process == "registry/0@a");
  CHECK(all.lost_disks[0].at == 9s);
}

TEST_CASE("faults of logs: tails are added up, damaged clicks look incomplete, queries do not") {
  Config config;
  LogStallFault stall;
  stall.tail = 2s;
  config.faults.of<LogStallFault>() = {stall, stall};
  LogDamageFault damage;
  damage.log = LogKind::kQueries;
  config.faults.of<LogDamageFault>() = {damage};
  CHECK(consequences_of(config).logs_late == 4s);
  CHECK_FALSE(consequences_of(config).incomplete_clicks);
  damage.log = LogKind::kClicks;
  config.faults.of<LogDamageFault>().push_back(damage);
  CHECK(consequences_of(config).incomplete_clicks);
  CHECK_FALSE(consequences_of(config).unsynchronised_servers);
  config.faults.of<TrueTimeOutageFault>().emplace_back();
  CHECK(consequences_of(config).unsynchronised_servers);
}

}  // namespace photonsim::scenarios

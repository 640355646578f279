// The registry with 2f+1 replicas for every f that is offered: f datacenters may be lost, no more.
#include <map>

#include <fmt/format.h>

#include "core_impl/trace/consensus.h"
#include "core_impl/trace/registry.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::tests;
using namespace std::chrono_literals;

namespace {

namespace trace = photon::trace;

// Definitive answers of the registry while replicas are down, from the time when every group could
// have elected a master.
class Service final : public trace::Sink {
 public:
  void record(const trace::Record& record) override {
    const photon::Duration at = record.header.at.time_since_epoch();
    if (record.header.kind != trace::Kind::registry_answer || at < 36s || at > 50s) return;
    if (record.header.source != trace::Source::sent) return;
    answers += trace::is_definitive(record.as<trace::RegistryAnswer>().code) ? 1 : 0;
  }
  std::uint64_t answers = 0;
};

// Promises of new disks to other candidates while a grant of the lost disk runs.
class PromisesOfNewDisks final : public trace::Sink {
 public:
  void record(const trace::Record& record) override {
    const trace::Header& header = record.header;
    const bool sent = header.source == trace::Source::sent;
    if (sent && header.kind == trace::Kind::paxos_granted) {
      granted_[header.node] = {header.peer, header.at};
    } else if (header.kind == trace::Kind::paxos_formatted) {
      lost_[header.node] = granted_[header.node];
    } else if (sent && header.kind == trace::Kind::paxos_promise) {
      const auto lost = lost_.find(header.node);
      if (lost == lost_.end() || lost->second.to == header.peer) return;
      early += header.at < lost->second.at + 600ms ? 1 : 0;  // of a lease of 650 ms
    }
  }
  std::uint64_t early = 0;

 private:
  struct Grant {
    photon::NodeId to{};
    photon::SimTime at{};
  };
  std::map<photon::NodeId, Grant> granted_;
  std::map<photon::NodeId, Grant> lost_;
};

// Two more datacenters than Photon has, in a fourth and a fifth region.
const std::vector<std::string> kPlaces{"us-east1", "us-west1", "us-central1", "us-east4",
                                       "us-west2", "north1",   "south1"};

std::string links_of(const std::string& from) {
  std::string list;
  for (const std::string& to : kPlaces) {
    if (to == from || (from == "south1" && to == "north1")) continue;
    list += fmt::format("{{from=\"{}\",to=\"{}\",rtt=\"40ms\"}},", from, to);
  }
  return list;
}

std::vector<std::string> world_of(std::size_t replicas, std::size_t lost) {
  std::string names;
  for (std::size_t i = 0; i < replicas; ++i) {
    names += fmt::format("{}\"{}\"", i == 0 ? "" : ",", kPlaces[i]);
  }
  std::string outages;
  for (std::size_t i = 0; i < lost; ++i) {
    outages += fmt::format("{{datacenter=\"{}\",component=\"registry\",at=\"30s\",for=\"20s\"}},",
                           kPlaces[i]);
  }
  return {
      "registry.sharding=fixed",
      "topology.datacenter=[{name=\"us-east1\",region=\"east\"},{name=\"us-east4\","
      "region=\"east\"},{name=\"us-west1\",region=\"west\"},{name=\"us-west2\","
      "region=\"west\"},{name=\"us-central1\",region=\"central\"},{name=\"north1\","
      "region=\"north\"},{name=\"south1\",region=\"south\"}]",
      "network.link=[" + links_of("north1") + links_of("south1") + "]",
      "registry.replicas=[" + names + "]",
      "faults.outage=[" + outages + "]",
  };
}

Ran lose(std::size_t replicas, std::size_t lost, Service& service) {
  return run("scenarios/corner/base.toml", 1, world_of(replicas, lost), &service);
}

}  // namespace

TEST_CASE(
    "B-04 B-17 G-01 of 1, 3, 5 and 7 replicas any f may be lost, and f + 1 stop the service") {
  for (std::size_t f = 0; f <= 3; ++f) {
    const std::size_t replicas = 2 * f + 1;
    Service with_f;
    Service with_one_more;
    const Ran tolerated = lose(replicas, f, with_f);
    const Ran stopped = lose(replicas, f + 1, with_one_more);
    for (const Ran* ran : {&tolerated, &stopped}) {
      INFO("replay: " << ran->replay);
      INFO(ran->json);
      const auto& summary = ran->outcome.summary;
      CHECK(ran->outcome.safety_violations == 0);
      CHECK(ran->outcome.liveness_violations == 0);
      CHECK(summary.inert_faults.empty());
      CHECK(summary.generated > 200);
      CHECK(summary.joined == summary.generated);  // what waited is joined after healing
    }
    CHECK(with_f.answers > 100);
    CHECK(with_one_more.answers == 0);
  }
}

TEST_CASE("B-17 B-18 a disk of the configuration group is lost, recognised and admitted again") {
  const Ran ran = run("scenarios/corner/BC-20.toml", 1,
                      {"faults.crash=[{process=\"sharding/0@us-east1\", at=\"10s\", "
                       "restart_after=\"5s\", lose_disk=true}]"});
  INFO("replay: " << ran.replay);
  INFO(ran.json);
  CHECK(ran.outcome.safety_violations + ran.outcome.liveness_violations == 0);
  CHECK(ran.outcome.summary.registry.disks_replaced == 1);
  CHECK(ran.outcome.summary.registry.disks_admitted == 1);
  CHECK(ran.outcome.summary.registry.reshards == 3);  // and it still decides
  CHECK(ran.outcome.summary.unexpected_ends == std::vector<std::string>{});
}

TEST_CASE("B-14 J-S7 a master that was paused beyond its lease no longer answers as master") {
  const std::string pauses =
      "faults.random=[{kind = \"process_pause\", target = \"registry\", "
      "mean_interval = \"6s\", mean_duration = \"12s\"}]";
  for (const std::uint64_t seed : {2U, 3U}) {
    const Ran ran = run("scenarios/healthy.toml", seed, {pauses});
    INFO("replay: " << ran.replay);
    INFO(ran.json);
    CHECK(ran.outcome.safety_violations == 0);
    CHECK(ran.outcome.liveness_violations == 0);
    CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
    CHECK(ran.outcome.summary.registry.failovers > 0);
  }
}

TEST_CASE("B-18 J-S7 a new disk promises while a grant of the lost one runs: no second master") {
  PromisesOfNewDisks promises;
  for (const std::uint64_t seed : {3, 13, 14, 23, 24, 34, 35, 263425388}) {
    const Ran ran = run("scenarios/regressions/promise_of_a_new_disk.toml", seed, {}, &promises);
    INFO("replay: " << ran.replay);
    INFO(ran.json);
    CHECK(ran.outcome.safety_violations == 0);
    CHECK(ran.outcome.liveness_violations == 0);
  }
  CHECK(promises.early >= 4);
}

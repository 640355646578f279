// What Photon's servers are charged for, by role and message.
#include "scenarios/world/service_times.h"

#include "core_impl/paxos/messages.h"
#include "core_impl/paxos/value.h"
#include "core_impl/photon/pipeline_messages.h"
#include "core_impl/photon/registry/transaction.h"
#include "core_impl/photon/registry_messages.h"
#include "scenarios/deployment/deployment.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;
using namespace photonsim::tests;
using namespace std::chrono_literals;
using photon::Body;

namespace {

std::uint32_t number(Role role) { return static_cast<std::uint32_t>(role); }

Config with_service_times() {
  Config config;
  config.service = {5us, 1ms, 50us, 20us, 200us, 30us};
  return config;
}

photon::SharedBytes transaction(std::uint32_t operations) {
  photon::TransactionBuilder builder;
  for (std::uint32_t i = 0; i < operations; ++i) {
    builder.add(photon::StoreOperation{.token = {1, 1, 1}});
  }
  const photon::SharedBytes command = builder.finish({photon::NodeId(1), {}, 1, 0});
  return photon::paxos::command_value(command.view());
}

}  // namespace

TEST_CASE("a registry server is charged for each item asked, and each operation to be applied") {
  const auto times = service_times(with_service_times());
  photon::RegistryRequest request;
  request.items.resize(7);
  CHECK(times.of(number(Role::kRegistry), Body::make(request)) == 35us);
  CHECK(times.of(number(Role::kSharding), Body::make(request)) == 0us);
  photon::paxos::Accept accept;
  accept.values = {transaction(3), {}, transaction(1)};
  CHECK(times.of(number(Role::kRegistry), photon::paxos::envelope(accept)) == 20us);
  CHECK(times.of(number(Role::kRegistry), photon::paxos::envelope(photon::paxos::Heartbeat{})) ==
        0us);
}

TEST_CASE("a registry server is charged for snapshots by their bytes, not for the rest of a disk") {
  const auto times = service_times(with_service_times());
  photon::VolumeRequest request;
  request.operation = photon::VolumeOperation::replace;
  request.file = photon::FileName("paxos/00000001/snapshot");
  request.data.resize(std::size_t{1} << 19U);
  CHECK(times.of(number(Role::kRegistry), request, {}) == 500us);
  request.file = photon::FileName("paxos/00000001/format");
  CHECK(times.of(number(Role::kRegistry), request, {}) == 0us);
  photon::IoResult read;
  read.data.resize(std::size_t{1} << 21U);
  request.operation = photon::VolumeOperation::read;
  CHECK(times.of(number(Role::kRegistry), request, read) == 0us);
  request.file = photon::FileName("paxos/00000001/snapshot");
  CHECK(times.of(number(Role::kRegistry), request, read) == 2ms);
}

TEST_CASE("look-ups, joins and answers cost what [service] says, each in its role only") {
  Config config = with_service_times();
  const auto times = service_times(config);
  CHECK(times.of(number(Role::kCache), Body::make(photon::QueryRequest{})) == 20us);
  CHECK(times.of(number(Role::kLogStore), Body::make(photon::QueryRequest{})) == 200us);
  CHECK(times.of(number(Role::kJoiner), Body::make(photon::JoinRequest{})) == 50us);
  photon::JoinGroupRequest group;
  group.members.resize(3);
  CHECK(times.of(number(Role::kJoiner), Body::make(group)) == 150us);
  photon::RegistryReply reply;
  reply.results.resize(4);
  CHECK(times.of(number(Role::kDispatcher), Body::make(reply)) == 120us);
  CHECK(times.of(number(Role::kJoiner), Body::make(reply)) == 0us);
  CHECK(times.of(number(Role::kDispatcher), Body::make(photon::JoinReply{})) == 0us);
  config.dispatcher.pre_lookup = false;
  CHECK(service_times(config).of(number(Role::kDispatcher), Body::make(photon::JoinReply{})) ==
        30us);
}

TEST_CASE("slow joiners make a run slower: the table is applied to the processes of a run") {
  const Ran fast = run("scenarios/healthy.toml", 1, {"service.joiner_step=0s"});
  const Ran slow = run("scenarios/healthy.toml", 1, {"service.joiner_step=200ms"});
  require_clean(fast);
  require_clean(slow);
  const auto mean = [](const Ran& ran) {
    for (const auto& [name, histogram] : ran.outcome.histograms) {
      if (name == "stages.event_store") return histogram.mean_nanoseconds();
    }
    return 0.0;
  };
  CHECK(mean(fast) > 0.0);
  CHECK(mean(slow) > mean(fast) + 0.5 * 200e6);  // the look-up leaves when the joiner is done
}

#include "models/registry_workload.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "models/clocks.h"
#include "models/near_twins.h"
#include "tests/support/catch.h"

namespace photon::models {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

RegistryWorkload::Options options() {
  RegistryWorkload::Options out;
  out.seed = 5;
  out.start = SimTime(seconds(2));
  out.end = SimTime(seconds(1002));
  out.clients = 4;
  out.per_second = 50;
  return out;
}

struct Tally {
  std::map<LoadKind, std::size_t> kinds{};
  std::map<EventId, std::set<std::uint32_t>> inserters{};
  std::map<SimTime, std::size_t> arrivals{};
  std::size_t all = 0;
};

Tally tally(const RegistryWorkload::Options& with) {
  const HostClocks clocks(3, {});
  const RegistryWorkload load(with, clocks);
  Tally out;
  for (std::uint32_t client = 0; client < with.clients; ++client) {
    const auto plan = load.of(client);
    CHECK(std::ranges::is_sorted(plan, {}, &LoadOperation::at));
    for (const LoadOperation& each : plan) {
      CHECK((each.at >= with.start && each.at < with.end));
      ++out.all;
      ++out.kinds[each.kind];
      ++out.arrivals[each.at];
      if (each.kind == LoadKind::insert) out.inserters[each.id].insert(client);
    }
  }
  return out;
}

bool about(std::size_t count, double expected) {
  const auto actual = static_cast<double>(count);
  return actual > 0.93 * expected && actual < 1.07 * expected;
}

TEST_CASE("with ticks, operations come at multiples of them, and servers take the same stamp") {
  HostClocks::Options clocks;
  clocks.tick = milliseconds(10);
  clocks.drift = 0;
  RegistryWorkload::Options with = options();
  with.tick = milliseconds(10);
  with.aged = 0.2;
  with.age = seconds(3);
  with.repeated = with.contested = 0.2;
  with.lag = milliseconds(70);
  const HostClocks host_clocks(3, clocks);
  const RegistryWorkload load(with, host_clocks);
  std::map<Stamp, std::set<EventId>> by_stamp;
  for (std::uint32_t client = 0; client < with.clients; ++client) {
    for (const LoadOperation& each : load.of(client)) {
      CHECK(each.at.time_since_epoch() % milliseconds(10) == Duration::zero());
      by_stamp[each.id.stamp].insert(each.id);
    }
  }
  std::size_t twins = 0;
  for (const auto& [stamp, ids] : by_stamp) twins += ids.size() > 1 ? 1 : 0;
  CHECK(twins > 1000);  // of 50,000
}

TEST_CASE("A-11 with coarse stamps, ids of several servers share each moment of their clocks") {
  HostClocks::Options clocks;
  clocks.drift = 0;
  RegistryWorkload::Options with = options();
  with.stamp_resolution = milliseconds(200);
  const HostClocks host_clocks(3, clocks);
  const RegistryWorkload load(with, host_clocks);
  std::map<Stamp, std::set<std::uint32_t>> servers;  // by moment
  for (std::uint32_t client = 0; client < with.clients; ++client) {
    for (const LoadOperation& each : load.of(client)) {
      const Duration behind = each.id.stamp.time_since_epoch() % milliseconds(200);
      REQUIRE(behind < Duration(100));  // the number of ids of one server at that moment
      servers[each.id.stamp - behind].insert(each.id.server);
    }
  }
  CHECK(about(servers.size(), 5'000));
  std::size_t shared = 0;
  for (const auto& [stamp, all] : servers) shared += all.size() > 1 ? 1 : 0;
  CHECK(shared > 4'900);  // 10 ids of 4 servers, in the mean
}

TEST_CASE("a registry load is Poisson at its rate, bundled or not, with new ids") {
  const Tally plain = tally(options());
  CHECK(about(plain.all, 50'000));
  CHECK(plain.kinds.at(LoadKind::insert) == plain.all);
  CHECK(plain.inserters.size() == plain.all);
  auto bundled = options();
  bundled.bundled = 0.5;
  bundled.bundle = 5;
  const Tally heaps = tally(bundled);
  CHECK(about(heaps.all, 50'000));
  CHECK(about(heaps.arrivals.size(), 50'000.0 / 3));
}

TEST_CASE("a registry load keeps its shares") {
  auto with = options();
  with.lookups = 0.4;
  CHECK(about(tally(with).kinds.at(LoadKind::lookup), 20'000));
  with.at_boundary = 0.5;
  CHECK(about(tally(with).kinds.at(LoadKind::at_boundary), 15'000));
  with.repeated = 0.5;
  CHECK(about(tally(with).kinds.at(LoadKind::repeat), 7'500));
}

TEST_CASE("a contested id is inserted by several clients, the later ones a little later") {
  auto with = options();
  with.contested = 0.5;
  with.contenders = 2;
  with.lag = milliseconds(20);
  const Tally found = tally(with);
  const auto shared =
      std::ranges::count_if(found.inserters, [](const auto& id) { return id.second.size() == 2; });
  CHECK(about(static_cast<std::size_t>(shared), 25'000));
  CHECK(about(found.all, 75'000));
}

TEST_CASE(
    "BC-11 BC-30 aged ids lie in the past up to the age, ids ahead in the future, all unique") {
  auto with = options();
  with.aged = 0.3;
  with.age = seconds(40);
  with.ahead = 0.1;
  with.lead = seconds(3);
  const HostClocks::Options exact{.epsilon = milliseconds(100)};
  const HostClocks clocks(3, exact);
  const RegistryWorkload load(with, clocks);
  std::size_t aged = 0;
  std::size_t very_old = 0;
  std::size_t ahead = 0;
  std::set<EventId> ids;
  for (std::uint32_t client = 0; client < with.clients; ++client) {
    for (const LoadOperation& each : load.of(client)) {
      CHECK(ids.insert(each.id).second);
      const Duration age = stamp_from(clocks.calendar(each.at)) - each.id.stamp;
      CHECK(age < seconds(40) + milliseconds(100));
      if (age > milliseconds(100)) ++aged;
      if (age > seconds(20)) ++very_old;
      if (age < -seconds(2)) ++ahead;
    }
  }
  CHECK(about(aged, 15'000));
  CHECK(about(very_old, 7'500));
  CHECK(about(ahead, 5'000));
}

TEST_CASE("near twins differ from an id in one field alone, or share a part of their hashes") {
  const EventId id{3, 1, from_nanoseconds<Stamp>(1'700'000'000'000'000'123)};
  const auto fields = [&](const EventId& twin) {
    return std::array{twin.server != id.server, twin.process != id.process, twin.stamp != id.stamp};
  };
  CHECK(fields(twin_of(id, Twin::server)) == std::array{true, false, false});
  CHECK(fields(twin_of(id, Twin::process)) == std::array{false, true, false});
  CHECK(fields(twin_of(id, Twin::stamp)) == std::array{false, false, true});
  for (const Twin kind : {Twin::low_hash, Twin::mid_hash}) {
    const EventId twin = twin_of(id, kind);
    CHECK(fields(twin) == std::array{false, true, false});
    const std::uint64_t differs = hash_of(twin) ^ hash_of(id);
    CHECK(((kind == Twin::low_hash ? differs : differs >> 32U) & 0xffffU) == 0);
    CHECK(differs != 0);
    CHECK(twin == twin_of(id, kind));
  }
}

TEST_CASE("SPEC A-10 a registry load has its share of near twins of recent ids, each kind alike") {
  auto with = options();
  with.twins = 0.3;
  const HostClocks clocks(3, {});
  const RegistryWorkload load(with, clocks);
  std::vector<LoadOperation> all;
  for (std::uint32_t client = 0; client < with.clients; ++client) {
    all.insert(all.end(), load.of(client).begin(), load.of(client).end());
  }
  std::ranges::stable_sort(all, {}, &LoadOperation::at);
  // Server, process, stamp, and of those of the process the ones whose hashes agree in part.
  std::array<std::size_t, 4> found{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const EventId& id = all[i].id;
    for (std::size_t j = i < 20 ? 0 : i - 20; j < i; ++j) {
      const EventId& other = all[j].id;
      const bool server = id.server != other.server;
      const bool process = id.process != other.process;
      const bool stamp = id.stamp != other.stamp;
      if (server + process + stamp != 1) continue;
      if (stamp && id.stamp - other.stamp != Duration(1)) continue;
      const std::uint64_t differs = hash_of(id) ^ hash_of(other);
      const bool alike = (differs & 0xffffU) == 0 || (differs >> 32U & 0xffffU) == 0;
      ++found[server ? 0 : stamp ? 2 : alike ? 3 : 1];
    }
  }
  // Of 50,000 operations 15,000 are twins; two of one id may be twins of each other as well.
  for (const std::size_t count : {found[0], found[1], found[2], found[3] / 2}) {
    CAPTURE(count);
    CHECK((count > 2'700 && count < 6'500));
  }
}

TEST_CASE("J-S17 a registry load is a function of its options") {
  auto with = options();
  with.contested = with.known = with.repeated = with.bundled = 0.3;
  with.lag = milliseconds(20);
  const HostClocks clocks(3, {});
  const RegistryWorkload one(with, clocks);
  const RegistryWorkload two(with, clocks);
  with.seed = 6;
  const RegistryWorkload other(with, clocks);
  const auto same = [](std::span<const LoadOperation> left, std::span<const LoadOperation> right) {
    return std::ranges::equal(left, right, [](const LoadOperation& a, const LoadOperation& b) {
      return a.at == b.at && a.id == b.id && a.kind == b.kind;
    });
  };
  CHECK(same(one.of(2), two.of(2)));
  CHECK_FALSE(same(one.of(2), other.of(2)));
}

}  // namespace
}  // namespace photon::models

// [[faults.partition]]: keys, rules, lowering and generation.

#include "scenarios/faults/partition.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "scenarios/faults/all_faults.h"
#include "scenarios/faults/checks.h"
#include "scenarios/faults/lowering.h"
#include "scenarios/faults/targets.h"
#include "scenarios/schema/config_validate_names.h"

namespace photonsim::scenarios {
namespace partition_faults {
namespace {

namespace sim = photon::sim;
using namespace schema;  // the notation of rows
using swarm::Draws;
using swarm::Targets;

struct PartitionKind {
  PartitionDirection direction;
  CountedKind counted;
};
// By enumerator.
constexpr std::array kKinds{
    PartitionKind{PartitionDirection::kSymmetric, {sim::Partition::kName, "A message was cut."}},
    PartitionKind{PartitionDirection::kOneWay, {"partition.one_way", "A message was cut."}},
    PartitionKind{PartitionDirection::kApart, {"partition.apart", "A message was cut."}}};
static_assert(in_order(kKinds, &PartitionKind::direction));
static_assert(kKinds.size() == kDirections.size());
constexpr auto kCounted = counted_of(kKinds);

constexpr std::array kPartitionRows{
    row<&PartitionFault::from>(
        {"from", Kind::kNames, {}, "Datacenters or regions.", "SPEC A-25", {}, {}, true}),
    row<&PartitionFault::to>({"to",
                              Kind::kNames,
                              {},
                              "Datacenters or regions; none with direction = \"apart\".",
                              "SPEC A-25"}),
    row<&PartitionFault::at>({"at", Kind::kDuration, kTime, "When it begins.", "M", {}, {}, true}),
    row<&PartitionFault::duration>({"for", Kind::kDuration, kSpan, "How long.", "M", {}, {}, true}),
    row<&PartitionFault::direction>(
        {"direction",
         Kind::kChoice,
         {},
         "Both directions; only messages sent by `from` are lost; or each "
         "name of `from` is cut off from all the others.",
         "SPEC A-25",
         kDirections}),
};

void check_two_sides(Validation& v, const std::string& path, const PartitionFault& partition) {
  const std::set<std::string> from = check_side(v, path + ".from", partition.from);
  for (const std::string& name : check_side(v, path + ".to", partition.to)) {
    if (from.count(name) == 0) continue;
    v.refuse({path + ".to", path, "topology.datacenter"},
             fmt::format("\"{}\" is on both sides of this partition", name),
             "a datacenter cannot be cut off from itself");
  }
}

// Each name of `from` is a side.
void check_apart(Validation& v, const std::string& path, const PartitionFault& partition) {
  if (!partition.to.empty()) {
    v.refuse({path + ".to", path + ".direction"}, "with direction = \"apart\" there is no `to`",
             "name all sides in `from`");
  }
  if (partition.from.size() < 2) {
    v.refuse({path + ".from", path + ".direction"}, "one side cannot be apart",
             "name at least two datacenters or regions");
  }
  std::set<std::string> seen;
  for (const std::string& side : partition.from) {
    for (const std::string& name : check_side(v, path + ".from", {side})) {
      if (seen.insert(name).second) continue;
      v.refuse({path + ".from", path}, fmt::format("\"{}\" is on two sides", name),
               "a datacenter cannot be cut off from itself");
    }
  }
}

void check(Validation& v, const std::string& path, const PartitionFault& partition) {
  check_start(v, path + ".at", partition.at);
  const bool apart = partition.direction == PartitionDirection::kApart;
  apart ? check_apart(v, path, partition) : check_two_sides(v, path, partition);
}

ScriptedFault lower(const Lowering& lowering, const PartitionFault& partition,
                    std::size_t /*number*/) {
  const sim::Topology& topology = lowering.topology;
  sim::Partition action;
  if (partition.direction == PartitionDirection::kApart) {
    for (const std::string& side : partition.from) {
      action.sides.push_back(members({side}, topology));
    }
  } else {
    action.sides = {members(partition.from, topology), members(partition.to, topology)};
  }
  if (partition.direction == PartitionDirection::kOneWay) {
    action.direction = sim::Direction::one_way;
  }
  std::ranges::sort(action.sides.back());
  return {fault_of({partition.at, partition.duration}, std::move(action),
                   kKinds[static_cast<std::size_t>(partition.direction)].counted.name)};
}

void generate(Config& config, const Targets& targets, Draws& draws) {
  PartitionFault partition;
  partition.from = targets.places(draws);
  partition.to = targets.others(partition.from);
  if (draws.chance(0.4)) {
    partition.direction = PartitionDirection::kOneWay;
    if (draws.chance(0.5)) std::swap(partition.from, partition.to);
  } else if (draws.chance(0.4)) {
    // Isolates three or more datacenters from each other; those not named reach all. Any choice is
    // valid: a group without a majority continues afterwards.
    partition.direction = PartitionDirection::kApart;
    const std::vector<std::string> all = targets.others({});
    partition.from =
        draws.some(all, draws.count(std::min<std::uint64_t>(3, all.size()), all.size()));
    partition.to.clear();
  }
  partition.at = targets.when(draws);
  partition.duration = draws.time(200ms, 40s);
  const bool both_sides = partition.direction == PartitionDirection::kApart ||
                          (!partition.from.empty() && !partition.to.empty());
  if (both_sides) config.faults.of<PartitionFault>().push_back(partition);
}

constexpr std::array kGenerators{FaultGenerator{6, generate}};

}  // namespace

constinit const FaultTable kPartitions{
    .schema = fault_rows<kPartitionRows, PartitionFault>("A partition of the network."),
    .script = script_of<PartitionFault>(),
    .kinds = kCounted,
    .check = check_entry<PartitionFault, check>,
    .turn = 5,
    .lower = lower_entry<PartitionFault, lower>,
    .generators = kGenerators};

}  // namespace partition_faults

}  // namespace photonsim::scenarios

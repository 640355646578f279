#include "scenarios/faults/overtaken.h"

#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/config/config_names.h"
#include "scenarios/config/units.h"
#include "scenarios/faults/all_faults.h"
#include "scenarios/faults/checks.h"
#include "scenarios/faults/lowering.h"
#include "scenarios/faults/process.h"
#include "scenarios/faults/targets.h"
#include "scenarios/schema/config_validate_names.h"

namespace photonsim::scenarios::overtaken_faults {
namespace {

namespace sim = photon::sim;
using namespace schema;  // the notation of rows
using swarm::Draws;
using swarm::Targets;

struct Topic {
  AnswersAbout about;
  std::string_view word;
};
// By enumerator.
constexpr std::array kTopics{Topic{AnswersAbout::kMasters, "masters"},
                             Topic{AnswersAbout::kShards, "shards"},
                             Topic{AnswersAbout::kLives, "lives"}};
static_assert(in_order(kTopics, &Topic::about));
constexpr auto kWords = words_of(kTopics);
constexpr std::array kOvertakenKinds{
    CountedKind{"overtaken", "An answer left after what it says had changed."}};

constexpr std::array kOvertakenRows{
    row<&OvertakenFault::about>(
        {"about",
         Kind::kChoice,
         {},
         "masters: what replicas answer the candidates and the master of their group, and what a "
         "registry shard answers. shards: the history of the number of shards. lives: grants of "
         "lives to processes, and whether an earlier life is dead.",
         "M",
         kWords}),
    row<&OvertakenFault::processes>(
        {"processes", Kind::kNames, {}, "Receivers, named as in faults.link.", "M"}),
    row<&OvertakenFault::share>({"share", Kind::kFraction, kUnit, "Share of these answers.", "M"}),
    row<&OvertakenFault::changes>(
        {"changes", Kind::kCount, between(1, 1000),
         "After how many changes they leave: of the master of the group (a higher ballot), the "
         "number of shards, the life of the process.",
         "M"}),
    row<&OvertakenFault::at>({"at", Kind::kDuration, kTime, "When it begins.", "M", {}, {}, true}),
    row<&OvertakenFault::duration>({"for",
                                    Kind::kDuration,
                                    kSpan,
                                    "How long. Answers that still wait leave at its end.",
                                    "M",
                                    {},
                                    {},
                                    true}),
};

void check(Validation& v, const std::string& path, const OvertakenFault& fault) {
  check_start(v, path + ".at", fault.at);
  if (fault.about == AnswersAbout::kShards) check_has_configuration(v, path);
  if (fault.processes.empty()) {
    v.refuse({path + ".processes", path}, "this fault concerns no process",
             "[\"any\"], or some names");
  }
  for (std::size_t n = 0; n < fault.processes.size(); ++n) {
    check_party(v, fmt::format("{}.processes.{}", path, n), fault.processes[n]);
  }
  if (fault.share <= 0) {
    v.refuse({path + ".share", path}, "no answer is concerned", "a share above 0");
  }
}

ScriptedFault lower(const Lowering& lowering, const OvertakenFault& fault, std::size_t /*number*/) {
  sim::LinkFault action;
  for (const sim::ProcessInfo& process : lowering.topology.processes())
    action.from.push_back(process.id);
  action.to = parties(lowering.config, fault.processes, lowering.topology);
  action.effect = {sim::Overtaking{static_cast<std::uint32_t>(fault.about), fault.changes},
                   photon::Chance(fault.share)};
  action.target = fmt::format("{}, about {}", fmt::join(fault.processes, ","),
                              kTopics[static_cast<std::size_t>(fault.about)].word);
  return {fault_of({fault.at, fault.duration}, std::move(action), kOvertakenKinds.front().name)};
}

// A change of what the answers are about, while they are held.
void add_change(Config& config, const OvertakenFault& fault, const Targets& targets, Draws& draws) {
  const Duration at = targets.within(fault.at, fault.duration, draws);
  switch (fault.about) {
    case AnswersAbout::kMasters: {
      const std::string group =
          fmt::format("registry/{}", draws.count(0, config.registry.shards - 1));
      if (draws.chance(0.5)) {
        config.operations.moves.push_back(
            {group, draws.of(config.registry.replicas), at, MoveEnd::kAny});
      } else {
        config.operations.kills.push_back({group, at, draws.time(10ms, 5s)});
      }
      return;
    }
    case AnswersAbout::kShards:
      config.operations.reshards.push_back(
          {at, draws.count(1, 4), draws.time(100ms, 10s), ReshardEnd::kAny});
      return;
    case AnswersAbout::kLives: {
      CrashFault crash;
      crash.process = draws.chance(0.5) ? targets.joiner(draws) : targets.process(draws);
      crash.at = at;
      crash.restart_after = draws.time(10ms, 2s);
      crash.times = 2;  // the grant to the first of these lives waits for that to the second
      crash.up_for = draws.time(100ms, 2s);
      config.faults.of<CrashFault>().push_back(crash);
      return;
    }
  }
}

void generate(Config& config, const Targets& targets, Draws& draws) {
  std::vector<AnswersAbout> topics{AnswersAbout::kMasters, AnswersAbout::kMasters};
  if (config.registry.sharding == Sharding::kDynamic) topics.push_back(AnswersAbout::kShards);
  if (targets.has_logs()) topics.push_back(AnswersAbout::kLives);
  OvertakenFault fault;
  fault.about = draws.of(topics);
  fault.processes = {draws.chance(0.4) ? "any" : targets.party(draws)};
  fault.share = draws.chance(0.4) ? 1.0 : draws.share(0.02, 1.0);
  fault.changes = draws.chance(0.7) ? 1 : draws.count(2, 3);
  fault.at = targets.when(draws);
  fault.duration = draws.time(500ms, targets.has_logs() ? 20s : 5s);
  for (std::uint64_t i = fault.changes; i > 0; --i) add_change(config, fault, targets, draws);
  config.faults.of<OvertakenFault>().push_back(fault);
}

void generate_all(Config& config, const Targets& targets, Draws& draws) {
  if (!draws.chance(0.3)) return;
  for (std::uint64_t i = draws.size(1, 3); i > 0; --i) generate(config, targets, draws);
}

constexpr std::array kGenerators{
    FaultGenerator{.number = 21, .add = generate, .all = generate_all, .part = 19}};

}  // namespace

constinit const FaultTable kOvertaken{
    .schema = fault_rows<kOvertakenRows, OvertakenFault>(
        "Answers to some processes are held back until what they say has changed, so that they "
        "arrive after a reconfiguration whatever the delays of the network. Counted as overtaken."),
    .script = script_of<OvertakenFault>(),
    .kinds = kOvertakenKinds,
    .check = check_entry<OvertakenFault, check>,
    .turn = 18,
    .lower = lower_entry<OvertakenFault, lower>,
    .consequences = hold_answers<OvertakenFault>,
    .generators = kGenerators};

}  // namespace photonsim::scenarios::overtaken_faults

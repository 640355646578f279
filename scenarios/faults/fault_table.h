// The descriptor of a kind of fault: one table of faults in a scenario. Code that treats all kinds
// alike uses the list of these descriptors (all_faults.h): the schema, validation, the fault plan
// of a run, the names that reports count, the generators of the swarm, the mutations of the guided
// search, the bounds of the judge.
//
// A new kind: a file with the struct of its entries and its descriptor, and a line in the list.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/config/config.h"
#include "scenarios/faults/consequences.h"
#include "scenarios/schema/schema_builder.h"
#include "scenarios/schema/validation.h"
#include "sim/fault.h"
#include "sim/topology.h"

namespace photonsim::scenarios {

class FaultNumbers;
struct Deployment;
struct ModelFaults;

namespace swarm {
class Draws;
class Targets;
}  // namespace swarm

// Which generated configurations must show a kind in a campaign that is large enough.
enum class ShownBy : std::uint8_t {
  swarm,           // those within tolerance and over it
  contract,        // those of the contract tier
  swarm_contract,  // both
};

// Whether the effect of one fault of the simulator is the effect of an entry.
enum class Counts : std::uint8_t {
  singly,
  as_series,  // only from the second on (a restart loop, the outage of a region)
};

// A name under which reports and campaigns count faults: TABLE, or TABLE.KIND of [[faults.TABLE]].
// Entries that another key turns into another fault have a name of their own (host_crash,
// restart_loop, long_pause, outage.region).
struct CountedKind {
  std::string_view name{};
  std::string_view effect{};  // when a fault took effect: one sentence
  ShownBy shown_by = ShownBy::swarm;
  Counts counts = Counts::singly;
};

// The faults of the simulator that one entry of a table becomes: a restart loop is several crashes,
// the outage of a region one of each of its datacenters. Never empty.
using ScriptedFault = std::vector<photon::sim::Fault>;

struct Lowering {
  const Config& config;
  const Deployment& deployment;
  const photon::sim::Topology& topology;  // of the deployment
  std::uint64_t seed;                     // for what an entry leaves open (the order of a swizzle)
  FaultNumbers& numbers;
  std::uint32_t key = 0;  // models know the fault by it
};

// A fault that a model carries out (modelled_fault.h).
struct Modelling {
  const Config& config;
  const Deployment& deployment;
  std::uint32_t key;
  ModelFaults& faults;
};

// What a configuration needs for a generated fault to have a target.
enum class Needs : std::uint8_t { nothing, pipelines, dynamic_sharding, verification };

// How the swarm generates faults.
struct FaultGenerator {
  using Add = void (*)(Config& config, const swarm::Targets& targets, swarm::Draws& draws);
  // The order of the generators, and part of the key of each draw: it never changes.
  std::uint32_t number = 0;
  Add add = nullptr;  // one more fault
  Needs needs = Needs::nothing;
  // Null: it takes part in the choice of classes of faults. Else it adds all its faults to a
  // configuration, with random draws of its own, so that a new generator changes no other draw.
  Add all = nullptr;
  std::uint32_t part = 0;         // the part of a configuration that these draws belong to
  double share_of_mutations = 0;  // 0: as often as any other
};

// When an entry takes place, for mutations. Null: it has no length, or its length has a bound.
struct PlaceInTime {
  Duration* at = nullptr;
  Duration* length = nullptr;
};

// How mutations change a table.
struct FaultScript {
  std::size_t (*size)(const Faults& faults);
  PlaceInTime (*place)(Faults& faults, std::size_t number);
  void (*erase)(Faults& faults, std::size_t number);
  // Adds the entries of `from` that `to` lacks. Entries that both have from a common ancestor are
  // not repeated: copies of a duplication of messages would double all traffic with each join.
  void (*join)(Faults& to, const Faults& from);
};

struct FaultTable {
  TableSpec schema;
  FaultScript script;
  std::span<const CountedKind> kinds{};
  void (*check)(Validation& validation, const std::string& path, std::size_t number) = nullptr;
  // Faults that begin at the same time are numbered by the turns of their tables. Numbers are part
  // of the fingerprint: a turn never changes.
  int turn = 0;
  ScriptedFault (*lower)(const Lowering& lowering, std::size_t number) = nullptr;
  // Adjusts a fault of the run's list, also one of [[faults.random]], by what it acts upon.
  void (*adjust)(const Config& config, const photon::sim::Topology& topology,
                 photon::sim::Fault& fault) = nullptr;
  // Of faults with a key: gives models the fault before the run.
  void (*model)(const Modelling& modelling, std::size_t number) = nullptr;
  // Adds what the entries of this table mean for the promises of a run (consequences.h). Null:
  // nothing.
  void (*consequences)(const Faults& faults, Consequences& all) = nullptr;
  // Limits the slowdown of storage in one datacenter. Faults of one time multiply: divides `most`
  // by what remains. Null: these faults slow nothing down.
  void (*limit_slowdown)(Faults& faults, const std::string& datacenter, double& most) = nullptr;
  std::span<const FaultGenerator> generators{};
};

namespace schema {

// [[faults.x]]; the name of the table comes from its entries.
template <const auto& rows, class Entry>
constexpr TableSpec fault_rows(std::string_view doc) {
  return {Entry::kTable,
          true,
          doc,
          std::size(rows),
          [](std::size_t index) -> const Key& { return rows[index].key; },
          [](Config& config, std::size_t element, std::size_t key) {
            return rows[key].slot(config.faults.of<Entry>().at(element));
          },
          [](const Config& config) { return config.faults.of<Entry>().size(); },
          [](Config& config, std::size_t size) {
            config.faults.of<Entry>().clear();  // elements start from their defaults
            config.faults.of<Entry>().resize(size);
          }};
}

}  // namespace schema

// A bound of the clocks limits the lengths of these faults: mutations keep the lengths, and never
// join the faults of two configurations.
template <class Entry>
concept OfClocks = requires {
  Entry::kBoundedByClocks;
};

template <class Entry>
Duration* length_of(Entry& entry) {
  if constexpr (OfClocks<Entry>) {
    return nullptr;
  } else if constexpr (requires {
                         { entry.duration } -> std::convertible_to<Duration>;
                       }) {
    return &entry.duration;
  } else if constexpr (requires {
                         { entry.restart_after } -> std::convertible_to<Duration>;
                       }) {
    return &entry.restart_after;
  } else {
    return nullptr;
  }
}

template <class Entry>
constexpr FaultScript script_of() {
  return {[](const Faults& faults) { return faults.of<Entry>().size(); },
          [](Faults& faults, std::size_t number) {
            Entry& entry = faults.of<Entry>().at(number);
            if constexpr (requires { entry.at; }) {
              return PlaceInTime{&entry.at, length_of(entry)};
            } else {
              return PlaceInTime{&entry.from, nullptr};
            }
          },
          [](Faults& faults, std::size_t number) {
            auto& list = faults.of<Entry>();
            list.erase(list.begin() + static_cast<std::ptrdiff_t>(number));
          },
          [](Faults& to, const Faults& from) {
            if constexpr (!OfClocks<Entry>) {
              auto& list = to.of<Entry>();
              for (const Entry& each : from.of<Entry>()) {
                if (std::ranges::find(list, each) == list.end()) list.push_back(each);
              }
            }
          }};
}

// check() and lower() of one entry, from functions over the struct.
template <class Entry, void (*check)(Validation&, const std::string&, const Entry&)>
void check_entry(Validation& validation, const std::string& path, std::size_t number) {
  check(validation, path, std::as_const(validation).config().faults.template of<Entry>()[number]);
}
template <class Entry, ScriptedFault (*lower)(const Lowering&, const Entry&, std::size_t)>
ScriptedFault lower_entry(const Lowering& lowering, std::size_t number) {
  return lower(lowering, lowering.config.faults.of<Entry>()[number], number);
}

template <class Entry, void (*model)(const Modelling&, const Entry&)>
void model_entry(const Modelling& modelling, std::size_t number) {
  model(modelling, modelling.config.faults.of<Entry>()[number]);
}

// Some tables have several kinds, chosen by a key: an array with a row for each, in the order of
// the enumerators. The spellings and the names come from the rows.
template <class Row, std::size_t kCount, class Enumerator>
constexpr bool in_order(const std::array<Row, kCount>& rows, Enumerator Row::*enumerator) {
  for (std::size_t i = 0; i < kCount; ++i) {
    if (static_cast<std::size_t>(rows[i].*enumerator) != i) return false;
  }
  return true;
}
template <class Row, std::size_t kCount>
constexpr std::array<std::string_view, kCount> words_of(const std::array<Row, kCount>& rows) {
  std::array<std::string_view, kCount> words{};
  for (std::size_t i = 0; i < kCount; ++i) words[i] = rows[i].word;
  return words;
}
template <class Row, std::size_t kCount, class... More>
constexpr auto counted_of(const std::array<Row, kCount>& rows, const More&... more) {
  std::array<CountedKind, kCount + sizeof...(More)> kinds{};
  std::size_t count = 0;
  for (const Row& row : rows) kinds[count++] = row.counted;
  ((kinds[count++] = more), ...);
  return kinds;
}

// Each entry may hold up answers for all of its length.
template <class Entry>
void hold_answers(const Faults& faults, Consequences& all) {
  for (const Entry& each : faults.of<Entry>()) all.answers_held += each.duration;
}

// The greatest factor of a slowdown that keeps below `most`; it stays a slowdown.
inline double limited_factor(double factor, double most) {
  constexpr double kLeast = 1.5;
  return std::max(kLeast, std::floor(std::min(factor, most)));
}

}  // namespace photonsim::scenarios

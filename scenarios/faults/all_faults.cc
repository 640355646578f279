#include "scenarios/faults/all_faults.h"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/faults/outside_core.h"

namespace photonsim::scenarios {
namespace {

template <class Visit>
void each_kind(Visit visit) {
  for (const FaultTable* const table : kAllFaults) {
    for (const CountedKind& kind : table->kinds) visit(kind);
  }
  for (const CountedKind& kind : kOutsideCoreKinds) visit(kind);
}

template <class Condition>
std::vector<std::string_view> names_if(Condition condition) {
  std::vector<std::string_view> names;
  each_kind([&](const CountedKind& kind) {
    if (condition(kind)) names.push_back(kind.name);
  });
  return names;
}

}  // namespace

const std::vector<const FaultTable*>& faults_by_turn() {
  static const auto kSorted = [] {
    std::vector<const FaultTable*> tables(kAllFaults.begin(), kAllFaults.end());
    std::ranges::stable_sort(tables, {}, &FaultTable::turn);
    return tables;
  }();
  return kSorted;
}

const std::vector<FaultGenerator>& fault_generators() {
  static const auto kSorted = [] {
    std::vector<FaultGenerator> all;
    for (const FaultTable* const table : kAllFaults) {
      all.insert(all.end(), table->generators.begin(), table->generators.end());
    }
    std::ranges::sort(all, {}, &FaultGenerator::number);
    return all;
  }();
  return kSorted;
}

const std::vector<std::string_view>& all_fault_kinds() {
  static const auto kNames = names_if([](const CountedKind&) { return true; });
  return kNames;
}

const std::vector<std::string_view>& swarm_kinds() {
  static const auto kNames =
      names_if([](const CountedKind& kind) { return kind.shown_by != ShownBy::contract; });
  return kNames;
}

const std::vector<std::string_view>& contract_kinds() {
  static const auto kNames =
      names_if([](const CountedKind& kind) { return kind.shown_by != ShownBy::swarm; });
  return kNames;
}

std::optional<std::string> explain_fault(std::string_view kind) {
  const auto text = [&](const CountedKind& of, std::string_view where, std::string_view doc) {
    return fmt::format(
        "{}: a kind of fault\n\nWhat it is\n  {}  {}\n\nWhen it takes effect\n  {}\n", of.name,
        where, doc, of.effect);
  };
  for (const FaultTable* const table : kAllFaults) {
    const auto found = std::ranges::find(table->kinds, kind, &CountedKind::name);
    if (found != table->kinds.end()) {
      return text(*found, fmt::format("[[{}]]", table->schema.path), table->schema.doc);
    }
  }
  const auto* const outside = std::ranges::find(kOutsideCoreKinds, kind, &CountedKind::name);
  if (outside == kOutsideCoreKinds.end()) return std::nullopt;
  return text(*outside, "run.outside_core",
              "State of the datacenters outside the core when faults have ended.");
}

bool is_series(std::string_view kind) {
  bool series = false;
  each_kind([&](const CountedKind& each) {
    series = series || (each.name == kind && each.counts == Counts::as_series);
  });
  return series;
}

}  // namespace photonsim::scenarios

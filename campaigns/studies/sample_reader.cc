#include "campaigns/studies/sample_reader.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "scenarios/language/loader_document.h"
#include "scenarios/schema/diagnostic.h"
#include "scenarios/schema/diagnostic_suggest.h"

namespace photonsim::campaigns {

using scenarios::Member;
using scenarios::Value;

namespace {

constexpr std::array kKinds{DesignKind::latin_hypercube, DesignKind::sobol, DesignKind::morris,
                            DesignKind::saltelli};
constexpr std::uint64_t kMostLevels = 64;
constexpr std::uint64_t kMostDesignSeed = std::uint64_t{1} << 62U;

// How the size of a design is called.
std::string_view size_name(DesignKind kind) {
  switch (kind) {
    case DesignKind::morris:
      return "trajectories";
    case DesignKind::saltelli:
      return "rows";
    default:
      return "points";
  }
}

}  // namespace

void SampleReader::read(const Value& table) {
  place_ = table.place;
  if (table.type != Value::Type::kTable) return tables_.wrong(table, "a table");
  tables_.refuse_others(table, "sample");
  Sample sample;
  const std::size_t problems = tables_.report().diagnostics().size();
  read_design(table, sample);
  read_size(table, sample);
  tables_.count(table, "seed", kMostDesignSeed, sample.seed);
  const Value* over = scenarios::find_member(table, "over");
  if (over == nullptr || over->type != Value::Type::kTable || over->members.empty()) {
    return tables_.report().add(over == nullptr ? table.place : over->place,
                                "[sample] needs keys to draw",
                                "below [sample.over], as in \"registry.shards\" = [1, 2, 4], or "
                                "\"dispatcher.max_outstanding_lookups\" = {from = 8, to = 256}");
  }
  sample.factors = factors_.read(*over);
  if (tables_.report().diagnostics().size() == problems) study_.sample = std::move(sample);
}

void SampleReader::read_design(const Value& table, Sample& sample) {
  const Value* design = scenarios::find_member(table, "design");
  std::vector<std::string> names;
  for (const DesignKind kind : kKinds) names.emplace_back(name_of(kind));
  const std::string listed = fmt::format("one of {}", fmt::join(names, ", "));
  if (design == nullptr) {
    return tables_.report().add(table.place, "[sample] needs a design", listed);
  }
  if (design->type != Value::Type::kString) return tables_.wrong(*design, "the name of a design");
  const auto kind = std::ranges::find(kKinds, design->text, name_of);
  if (kind == kKinds.end()) {
    return tables_.report().add(design->place, fmt::format("there is no design '{}'", design->text),
                                listed);
  }
  sample.kind = *kind;
}

void SampleReader::read_size(const Value& table, Sample& sample) {
  const std::string_view wanted = size_name(sample.kind);
  bool given = false;
  for (const std::string_view name : {"points", "trajectories", "rows"}) {
    const Value* value = scenarios::find_member(table, name);
    given = given || value != nullptr;
    if (value == nullptr || name == wanted) continue;
    tables_.report().add(value->place, fmt::format("{} has no '{}'", name_of(sample.kind), name),
                         fmt::format("it has {}", wanted));
  }
  tables_.count(table, wanted, kMostStudyPoints, sample.size);
  if (!given) {
    tables_.report().add(table.place, fmt::format("[sample] needs `{}`", wanted),
                         fmt::format("as in {} = 32", wanted));
  }
  if (sample.kind == DesignKind::saltelli && sample.size % kSaltelliDesigns != 0) {
    const Value* rows = scenarios::find_member(table, wanted);
    tables_.report().add(
        rows == nullptr ? table.place : rows->place,
        fmt::format("the number of rows must be a multiple of {}", kSaltelliDesigns),
        fmt::format("they are drawn as {} independent designs, which tell how "
                    "sure the shares are: 64, 128 and 256 are usual",
                    kSaltelliDesigns));
  }
  const Value* levels = scenarios::find_member(table, "levels");
  if (levels == nullptr) return;
  if (sample.kind != DesignKind::morris) {
    return tables_.report().add(levels->place,
                                fmt::format("{} has no levels", name_of(sample.kind)),
                                "leave them out; morris has them");
  }
  tables_.count(table, "levels", kMostLevels, sample.levels);
  if (sample.levels % 2 == 0) return;
  tables_.report().add(levels->place, "the number of levels must be even",
                       "then each is as likely as the others (Morris 1991): 4 is usual");
}

void SampleReader::finish() {
  if (!study_.sample) return;
  Sample& sample = *study_.sample;
  if (!study_.axes.empty()) {
    tables_.report().add(place_, "[sample] cannot be combined with [grid], [zip] or [[list]]",
                         "draw those keys too, each with its choices: \"a.b\" = [1, 2]");
    return;
  }
  if (sample.rows() > kMostStudyPoints) {
    tables_.report().add(
        place_,
        fmt::format("this design has {} points; {} is the most", sample.rows(), kMostStudyPoints),
        "ask for fewer, or draw fewer keys");
    return;
  }
  for (const Factor& factor : sample.factors) {
    if (sample.kind != DesignKind::morris || factor.values.size() <= sample.levels) continue;
    tables_.report().add(
        factor.place,
        fmt::format("'{}' has {} values, and morris tries {} of them", factor.key,
                    factor.values.size(), sample.levels),
        fmt::format("name fewer, or write levels = {}", (factor.values.size() + 1) / 2 * 2));
    return;
  }
  Axis axis{.choices = {}, .drawn = true};
  std::map<std::vector<std::string>, std::size_t> known;
  for (const std::vector<double>& row : rows_of(sample)) {
    std::vector<std::string> values;
    for (std::size_t i = 0; i < row.size(); ++i) {
      values.push_back(sample.factors[i].text_at(row[i]));
    }
    const auto [found, fresh] = known.try_emplace(values, axis.choices.size());
    sample.choice_of_row.push_back(found->second);
    if (!fresh) continue;
    Choice& choice = axis.choices.emplace_back();
    for (std::size_t i = 0; i < values.size(); ++i) {
      choice.settings.push_back(
          {sample.factors[i].key, std::move(values[i]), sample.factors[i].place});
    }
  }
  study_.axes.push_back(std::move(axis));
}

}  // namespace photonsim::campaigns
